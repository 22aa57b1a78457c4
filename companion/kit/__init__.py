"""What several boxes need, and no box alone: a small box to inherit, ledger, reports, hexes."""
