"""Dog Fight: Starship Edition, the box: programmed tiers, priority, a table's own cards."""
