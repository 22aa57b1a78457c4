"""What is printed on boards, cards and tokens, as the drawn camera finds it."""

from __future__ import annotations

import math
import zlib

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.board import Board, PointMm, Space, Token
from vision.cards.sleeves import CARD_MM
from vision.drawing.canvas import Canvas, Colour, Sprite, bgr, rounded
from vision.markers.choice import RIM_CELLS
from vision.markers.dictionaries import MarkerDictionary

PAPER: Colour = (222, 232, 236)
WHITE: Colour = (240, 240, 240)
INK: Colour = (52, 44, 40)
SIGN_COLOUR: Colour = (150, 124, 100)
TOKEN_COLOUR: Colour = (92, 196, 224)
SKY: Colour = (214, 184, 146)
DUSK: Colour = (196, 178, 160)
CLOUD: Colour = (232, 226, 214)

TOKEN_RIM_MM = 1.3
"""The coloured rim of a token, outside the white one of its marker."""

TOKEN_CORNER_MM = 12.0
"""Round enough for two tokens to turn side by side in one zone, square enough for the marker."""

BOARD_PX_PER_MM = 4.0
SPRITE_PX_PER_MM = 8.0


def token_mm(token: Token, cells: int) -> float:
    """The side of a token: its marker, its white rim, its coloured edge."""
    return token.side_mm * (1 + 2 * RIM_CELLS / cells) + 2 * TOKEN_RIM_MM


def token_radius_mm(token: Token, cells: int, nose_mm: float = 0.0) -> float:
    """From the middle of a token to what of it is farthest: a corner, or the tip of its nose."""
    side = token_mm(token, cells)
    return max(side / math.sqrt(2) - (math.sqrt(2) - 1) * TOKEN_CORNER_MM, side / 2 + nose_mm)


def board_print(board: Board, dictionary: MarkerDictionary) -> NDArray[np.uint8]:
    """A board as printed: its spaces, labels, signs, name and corner markers, blue green red."""
    canvas, colour = Canvas(board.size_mm, BOARD_PX_PER_MM, PAPER), bgr(board.colour)
    for space in board.spaces:
        canvas.fill(space.outline_mm, SKY if board.holds_pieces else DUSK)
        if board.holds_pieces:
            _draw_clouds(canvas, space)
        _draw_sign(canvas, space)
        _draw_label(canvas, space, colour)
    _draw_name(canvas, board, colour)
    for number, centre_mm in (board.corners or {}).items():
        canvas.marker(dictionary, number, centre_mm, board.corner_side_mm)
    return canvas.image


def _draw_sign(canvas: Canvas, space: Space) -> None:
    """What is printed in the middle of a space, in shapes that any box's sign may name."""
    (x, y), kind, number = space.centre_mm, *_sign(space)
    if kind == "cross":
        canvas.line([(x - 6, y), (x + 6, y)], SIGN_COLOUR, 0.7)
        canvas.line([(x, y - 6), (x, y + 6)], SIGN_COLOUR, 0.7)
    elif kind == "ring":
        canvas.line(rounded((12.0, 12.0), 6.0, (x - 6, y - 6)), SIGN_COLOUR, 0.7)
    elif kind == "token":
        for n in range(number):
            middle = (x + 11.0 * (n - (number - 1) / 2), y)
            canvas.disc(middle, 5.0, INK)
            canvas.disc(middle, 4.2, TOKEN_COLOUR)


def _sign(space: Space) -> tuple[str, int]:
    """A sign and how often it stands there: "token-2" is ("token", 2)."""
    kind, _, number = space.sign.partition("-")
    return kind, int(number) if number.isdecimal() else 1


def _draw_clouds(canvas: Canvas, space: Space) -> None:
    """Print for tokens and shadows to fall on; the same clouds on the same space always."""
    x, _ = space.centre_mm
    low, deep = _upright(space)
    chance = np.random.default_rng(zlib.crc32(space.name.encode()))
    for _ in range(4):
        cx, cy = x + chance.uniform(-14, 14), low + deep * chance.uniform(0.15, 0.85)
        for puff in range(3):
            canvas.disc((cx + 4 * puff - 4, cy + chance.uniform(-1, 1)), 3.4, CLOUD)


def _draw_label(canvas: Canvas, space: Space, edge: Colour) -> None:
    low, deep = _upright(space)
    canvas.text((space.centre_mm[0], low + 0.86 * deep), space.label, 6.5, INK)
    canvas.line(space.outline_mm, edge, 0.9)


def _upright(space: Space) -> tuple[float, float]:
    """Top edge and depth of a space on its board."""
    ys = [y for _, y in space.outline_mm]
    return min(ys), max(ys) - min(ys)


def _draw_name(canvas: Canvas, board: Board, colour: Colour) -> None:
    """The board's name where there is paper for it: down the middle of the marker columns."""
    width, height = board.size_mm
    if board.corners:
        for x in (18.0, width - 18.0):
            canvas.fill(
                [(x - 4, height / 2 - 12), (x + 4, height / 2 - 12), (x, height / 2)], colour
            )
            canvas.disc((x, height / 2 + 8), 4.0, colour)
        return
    canvas.text((width / 2, 4.0), board.name, 3.6, INK)


def token_top(
    dictionary: MarkerDictionary, token: Token, colour: Colour, nose_mm: float = 0.0
) -> Sprite:
    """A token from above: marker, white rim, coloured edge, rounded corners, perhaps a nose."""
    side = token_mm(token, dictionary.cells)
    whole = side + 2 * nose_mm
    canvas = Canvas((whole, whole), SPRITE_PX_PER_MM, colour)
    edge, middle = nose_mm + TOKEN_RIM_MM, nose_mm + side / 2
    rim = side - 2 * TOKEN_RIM_MM
    canvas.fill(rounded((rim, rim), TOKEN_CORNER_MM - TOKEN_RIM_MM, (edge, edge)), WHITE)
    canvas.marker(dictionary, token.marker, (middle, middle), token.side_mm)
    canvas.cut(_outline(side, nose_mm))
    return canvas.sprite()


def token_body(side_mm: float, colour: Colour, nose_mm: float = 0.0) -> Sprite:
    """The side of a token, darker than its top."""
    dark = (colour[0] * 5 // 8, colour[1] * 5 // 8, colour[2] * 5 // 8)
    whole = side_mm + 2 * nose_mm
    canvas = Canvas((whole, whole), SPRITE_PX_PER_MM / 2, dark)
    canvas.cut(_outline(side_mm, nose_mm))
    return canvas.sprite()


def soft_shadow(
    side_mm: float, darkness: float, nose_mm: float = 0.0, corner_mm: float = TOKEN_CORNER_MM
) -> Sprite:
    """What a token takes of the light around it: black with a soft edge, 1.5 times its size."""
    whole = side_mm + 2 * nose_mm
    sheet = 1.5 * whole
    canvas = Canvas((sheet, sheet), 2.0, (0, 0, 0))
    off = (sheet - whole) / 2
    canvas.cut([(x + off, y + off) for x, y in _outline(side_mm, nose_mm, corner_mm)])
    sprite = cv2.GaussianBlur(canvas.sprite(), (0, 0), 0.05 * sheet * 2.0)
    return np.asarray(np.rint(sprite * darkness), np.uint8)


def _outline(side_mm: float, nose_mm: float, corner_mm: float = TOKEN_CORNER_MM) -> list[PointMm]:
    """A token's outline on a sheet that has room for its nose on all sides."""
    square = rounded((side_mm, side_mm), corner_mm, (nose_mm, nose_mm))
    if not nose_mm:
        return square
    middle = nose_mm + side_mm / 2
    return [*square, (middle - nose_mm, nose_mm), (middle, 0.0), (middle + nose_mm, nose_mm)]


def card_back(edge: Colour, colour: Colour) -> Sprite:
    """A card lying face down: its border, and the print that its board's cards have."""
    canvas = Canvas(CARD_MM, BOARD_PX_PER_MM, edge)
    width, height = CARD_MM
    canvas.fill([(4, 4), (width - 4, 4), (width - 4, height - 4), (4, height - 4)], colour)
    pale = (min(255, colour[0] + 60), min(255, colour[1] + 60), min(255, colour[2] + 60))
    for ring in (22.0, 17.0, 12.0):
        canvas.disc((width / 2, height / 2), ring, pale if ring != 17.0 else colour)
    canvas.line([(8, 8), (width - 8, 8), (width - 8, height - 8), (8, height - 8)], pale, 0.8)
    canvas.cut(rounded(CARD_MM, 3.0))
    return canvas.sprite()
