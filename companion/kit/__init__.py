"""What several boxes need: figures, piles, hexes, reports, and the protocols of hidden tables."""
