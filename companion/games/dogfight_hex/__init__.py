"""Dogfight! hex ships, the box: secret cards, ships on hexes, wreckage and debris."""
