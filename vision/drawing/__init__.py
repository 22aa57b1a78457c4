"""Draws what an overhead camera would see; used by the simulated table alone."""
