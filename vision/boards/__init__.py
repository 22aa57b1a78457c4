"""Where the boards lie in the picture: the lens, its calibration, and drift."""
