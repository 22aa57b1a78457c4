"""The record on disk: matches as sealed lines, and what is kept beside them."""
