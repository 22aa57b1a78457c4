"""Live: what the table shows publicly, for phones, projectors and streams. Nothing comes in."""
