"""What a touch does."""
