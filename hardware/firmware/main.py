"""Starts the box; `companion box install` puts it on the board as /main.py.

For two seconds after power comes Ctrl-C still leads to MicroPython's own prompt.
"""

import os
import time


def start() -> None:
    """Serve until power goes."""
    from hardware.firmware.box import Box
    from hardware.firmware.pico import Pico

    board = Pico()
    box = Box(board)
    try:
        while True:
            box.take(board.read())
            box.turn()
            board.rest()
    finally:
        board.apply(0)


def stays() -> bool:
    """Whether the board is being maintained, and this program not to start."""
    return "stay" in os.listdir()


if __name__ == "__main__" and not stays():
    time.sleep(2)
    start()
