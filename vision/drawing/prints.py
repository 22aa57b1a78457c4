"""What is printed on boards, cards and tokens, as the drawn camera finds it."""

from __future__ import annotations

import math
import zlib

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import Board, BoardPlan, PointMm, Space, Token
from vision.dictionaries import MarkerDictionary
from vision.drawing.canvas import Canvas, Colour, Sprite, rounded

PAPER: Colour = (222, 232, 236)
INK: Colour = (52, 44, 40)
OWNER_COLOURS: tuple[Colour, ...] = ((40, 120, 226), (112, 62, 34), (84, 140, 60), (60, 60, 170))
"""Orange, navy, green, red: the teams in the order in which the plan names them."""
SUN_COLOUR: Colour = (60, 196, 245)
SKY: Colour = (214, 184, 146)
DUSK: Colour = (196, 178, 160)
CLOUD: Colour = (232, 226, 214)

CARD_MM: PointMm = (63.0, 88.0)
TOKEN_RIM_MM = 1.3
"""The coloured rim of a token, outside the white one of its marker."""

TOKEN_CORNER_MM = 12.0
"""Round enough for two tokens to turn side by side in one zone, square enough for the marker."""

BOARD_PX_PER_MM = 4.0
SPRITE_PX_PER_MM = 8.0


def owner_colours(plan: BoardPlan) -> dict[str, Colour]:
    """A colour for each owner of boards."""
    owners = dict.fromkeys(board.owner for board in plan.boards)
    return {owner: OWNER_COLOURS[n % len(OWNER_COLOURS)] for n, owner in enumerate(owners)}


def token_mm(token: Token, cells: int) -> float:
    """The side of a token: its marker, a white rim of two cells, its coloured edge."""
    return token.side_mm * (1 + 4 / cells) + 2 * TOKEN_RIM_MM


def token_radius_mm(token: Token, cells: int) -> float:
    """From the middle of a token to its farthest corner."""
    return token_mm(token, cells) / math.sqrt(2) - (math.sqrt(2) - 1) * TOKEN_CORNER_MM


def board_print(board: Board, colour: Colour, dictionary: MarkerDictionary) -> NDArray[np.uint8]:
    """A board as printed: its spaces, labels, name and corner markers, blue green red."""
    canvas = Canvas(board.size_mm, BOARD_PX_PER_MM, PAPER)
    for space in board.spaces:
        canvas.fill(space.outline_mm, SKY if board.holds_pieces else DUSK)
        if board.holds_pieces:
            _draw_clouds(canvas, space)
        _draw_label(canvas, space, colour)
    _draw_name(canvas, board, colour)
    for number, centre_mm in (board.corners or {}).items():
        canvas.marker(dictionary, number, centre_mm, board.corner_side_mm)
    return canvas.image


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


def token_top(dictionary: MarkerDictionary, token: Token, colour: Colour) -> Sprite:
    """A token from above: marker, white rim, coloured edge, rounded corners."""
    side = token_mm(token, dictionary.cells)
    canvas = Canvas((side, side), SPRITE_PX_PER_MM, colour)
    rim = side - 2 * TOKEN_RIM_MM
    inner = [
        (x + TOKEN_RIM_MM, y + TOKEN_RIM_MM)
        for x, y in rounded((rim, rim), TOKEN_CORNER_MM - TOKEN_RIM_MM)
    ]
    canvas.fill(inner, (240, 240, 240))
    canvas.marker(dictionary, token.marker, (side / 2, side / 2), token.side_mm)
    canvas.cut(rounded((side, side), TOKEN_CORNER_MM))
    return canvas.sprite()


def token_body(side_mm: float, colour: Colour) -> Sprite:
    """The side of a token, darker than its top."""
    dark = (colour[0] * 5 // 8, colour[1] * 5 // 8, colour[2] * 5 // 8)
    canvas = Canvas((side_mm, side_mm), SPRITE_PX_PER_MM / 2, dark)
    canvas.cut(rounded((side_mm, side_mm), TOKEN_CORNER_MM))
    return canvas.sprite()


def soft_shadow(side_mm: float, darkness: float) -> Sprite:
    """What a token takes of the light around it: black with a soft edge, 1.5 times its side."""
    sheet = 1.5 * side_mm
    canvas = Canvas((sheet, sheet), 2.0, (0, 0, 0))
    offset = (sheet - side_mm) / 2
    canvas.cut([(x + offset, y + offset) for x, y in rounded((side_mm, side_mm), TOKEN_CORNER_MM)])
    sprite = cv2.GaussianBlur(canvas.sprite(), (0, 0), 0.05 * sheet * 2.0)
    return np.asarray(np.rint(sprite * darkness), np.uint8)


def card_back(border: str, colour: Colour) -> Sprite:
    """A card lying face down: a white border for the Pilot's deck ("P"), black for the Gunner's.

    (JP-1.4)
    """
    edge = (238, 240, 240) if border == "P" else (34, 30, 30)
    canvas = Canvas(CARD_MM, BOARD_PX_PER_MM, edge)
    width, height = CARD_MM
    canvas.fill([(4, 4), (width - 4, 4), (width - 4, height - 4), (4, height - 4)], colour)
    pale = (min(255, colour[0] + 60), min(255, colour[1] + 60), min(255, colour[2] + 60))
    for ring in (22.0, 17.0, 12.0):
        canvas.disc((width / 2, height / 2), ring, pale if ring != 17.0 else colour)
    canvas.line([(8, 8), (width - 8, 8), (width - 8, height - 8), (8, height - 8)], pale, 0.8)
    canvas.cut(rounded(CARD_MM, 3.0))
    return canvas.sprite()
