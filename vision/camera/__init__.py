"""Frames: from a USB camera, a Pi's camera, a film, a folder, or a script."""
