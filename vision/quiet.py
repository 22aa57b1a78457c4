"""OpenCV kept from writing to the terminal: what is wrong with a source we say, in one line."""

from __future__ import annotations

import os

import cv2

FFMPEG_SAYS = "OPENCV_FFMPEG_LOGLEVEL"
NOTHING = "-8"
"""AV_LOG_QUIET."""


def quieten_opencv() -> None:
    """Have it write nothing but what ends the program, from now on and in the whole process.

    FFmpeg is told by the environment, and asks it once, before the first film. Where somebody has
    set that level, it stays.
    """
    os.environ.setdefault(FFMPEG_SAYS, NOTHING)
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_FATAL)
