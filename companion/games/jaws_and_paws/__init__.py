"""Jaws & Paws, the box: 20-second rounds, view boards, cards on tracks, Sun and Moon."""
