"""The companion at the terminal: each command, and what it prints."""
