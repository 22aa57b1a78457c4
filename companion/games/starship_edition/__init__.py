"""Dog Fight: Starship Edition: programmed tiers, priority, and cards of the table's own."""
