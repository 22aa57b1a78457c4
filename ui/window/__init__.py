"""The window, and what the machine under it needs."""
