"""The faces of the companion: the touch app, with Kivy kept thin, and the terminal."""

import os

# OpenCV's threads count on for a millisecond after each call that they share, in case another one
# comes: with every frame, as much of a processor as the frame itself took. It reads this when it is
# loaded, so it stands before all else in the program; where somebody has set it, it stays.
os.environ.setdefault("OPENCV_THREAD_POOL_ACTIVE_WAIT_WORKER", "0")
