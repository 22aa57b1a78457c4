"""What screens share: the scene of a match, and the values that widgets draw."""
