"""What boxes share, and no box: figures, piles, hexes, reports, playing."""
