"""From markers to settled places: what is seen, how surely, and whether the table lies still."""
