"""The boxes."""
