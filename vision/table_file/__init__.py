"""The file that tells where a table's boards and markers are."""
