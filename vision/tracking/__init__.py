"""From markers to settled places: what is seen, whether it lies still, and what it means."""
