"""Cards on the sections of an action track."""
