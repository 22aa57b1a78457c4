"""Paints one picture of the table: scenery, cards, tokens with their height, hands, light."""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.core.board import PointMm, Token
from vision.cards.sleeves import CARD_MM
from vision.drawing.canvas import Sprite, bgr
from vision.drawing.dice import DIE_MM, EDGE_MM, DrawnDie, die_layers
from vision.drawing.lying import LyingThings, TableSpot
from vision.drawing.optics import Optics, Points
from vision.drawing.painted_tokens import painted_top
from vision.drawing.pasting import Layer, Rect, grown, lay, paste, seen
from vision.drawing.prints import (
    soft_shadow,
    token_body,
    token_mm,
    token_top,
)
from vision.drawing.scenery import Scenery
from vision.drawing.sleeves import card_of, card_sprite
from vision.markers.choice import nose_of
from vision.markers.dictionaries import load_dictionary

_SHADOW_MM = (2.5, 3.5)
_CARD_STEP_MM = (7.0, 5.0)
_BLUR_REACH_PX = 4


class Painter:
    """Draws what lies on the table; what did not change since the last picture is kept."""

    def __init__(self, lying: LyingThings, scenery: Scenery, seed: int) -> None:
        self._lying = lying
        self._scenery = scenery
        self._seed = seed
        self._dictionary = load_dictionary(lying.plan.dictionary)
        self._token_sprites: dict[str, tuple[Sprite, Sprite, Sprite]] = {}
        self._standing: dict[str, tuple[TableSpot, list[Layer]]] = {}
        self._changes = -1
        self._moves: tuple[int, str | None] = (-1, None)
        self._plain = scenery.plain
        self._lit = scenery.lit

    def still(self, without: str | None = None) -> NDArray[np.uint8]:
        """The table with everything that lies on it, lit and blurred; `without` one token.

        The picture is kept for the next time: copy it before drawing on it.
        """
        if self._changes != self._lying.changes:
            self._scenery.lay(self._lying.boards, self._dictionary)
            self._changes, self._moves = self._lying.changes, (-1, None)
        if self._moves != (self._lying.moves, without):
            self._lay_things(without)
            self._moves = (self._lying.moves, without)
        return self._lit

    def relight(self) -> None:
        """Forget what was drawn in the light before."""
        self._moves = (-1, None)

    def lifted(self, key: str, at_mm: PointMm, lift_mm: float) -> NDArray[np.uint8]:
        """The table with one token held above it; the picture is the caller's own."""
        lit = self.still(without=key).copy()
        plain = self._plain.copy()
        standing = self._lying.place_of(self._lying.standings[key])
        place = TableSpot(at_mm[0], at_mm[1], standing.turn_deg)
        layers = self._token(key, place, lift_mm)
        self._light(plain, lit, [lay(plain, layer) for layer in layers])
        return lit

    def _lay_things(self, without: str | None) -> None:
        self._plain, self._lit = self._scenery.plain.copy(), self._scenery.lit.copy()
        rects = [rect for section in self._lying.cards for rect in self._paste_cards(section)]
        for key, standing in self._lying.standings.items():
            if key != without:
                layers = self._token_at(key, self._lying.place_of(standing))
                rects += [lay(self._plain, layer) for layer in layers]
        rects += [rect for die in self._lying.dice for rect in self._paste_die(die)]
        self._light(self._plain, self._lit, rects)

    def _light(
        self, plain: NDArray[np.uint8], lit: NDArray[np.uint8], rects: Sequence[Rect]
    ) -> None:
        for rect in rects:
            wide = grown(rect, _BLUR_REACH_PX, self._scenery.optics.size_px)
            self._scenery.shade(plain, lit, wide)

    def _token_at(self, key: str, place: TableSpot) -> list[Layer]:
        """A token that stands there, kept until it stands elsewhere."""
        before = self._standing.get(key)
        if before is None or before[0] != place:
            before = self._standing[key] = place, self._token(key, place, 0.0)
        return before[1]

    def _token(self, key: str, place: TableSpot, lift_mm: float) -> list[Layer]:
        """A token's shadow, body and top as the lens sees them."""
        token = self._lying.tokens[key]
        shadow, body, top = self._sprites(key, token)
        side = token_mm(token, self._dictionary.cells) + 2 * nose_of(self._lying.plan, token)
        optics = self._scenery.optics
        fallen = TableSpot(
            place.x_mm + _SHADOW_MM[0] + lift_mm / 2,
            place.y_mm + _SHADOW_MM[1] + lift_mm / 2,
            place.turn_deg,
        )
        layers = [(shadow, square(optics, fallen, 1.5 * side, 0.0))]
        for share in (0.0, 0.3, 0.6, 0.85):
            height = lift_mm + share * token.height_mm
            layers.append((body, square(optics, place, side, height)))
        layers.append((top, square(optics, place, side, lift_mm + token.height_mm)))
        drawn = [seen(sprite, corners, optics.size_px) for sprite, corners in layers]
        return [layer for layer in drawn if layer is not None]

    def _paste_die(self, die: DrawnDie) -> list[Rect]:
        place, optics = TableSpot(die.x_mm, die.y_mm, die.turn_deg), self._scenery.optics
        fallen = TableSpot(place.x_mm + _SHADOW_MM[0], place.y_mm + _SHADOW_MM[1], place.turn_deg)
        shadow = (_die_shadow(), square(optics, fallen, 1.5 * DIE_MM, 0.0))
        return _pasted(self._plain, [shadow, *die_layers(die, optics)])

    def _paste_cards(self, section: str) -> list[Rect]:
        board = self._lying.boards[self._lying.plan.board_of[section].name]
        x, y = self._lying.space(section).centre_mm
        rects: list[Rect] = []
        plan = self._lying.plan
        for n, name in enumerate(self._lying.cards[section]):
            card = card_of(plan, name)
            chance = np.random.default_rng([self._seed, zlib.crc32(section.encode()), n])
            off_x, off_y, turn = chance.normal(0, (1.2, 1.2, 1.5))
            spot = (x + n * _CARD_STEP_MM[0] + off_x, y + n * _CARD_STEP_MM[1] + off_y)
            place = TableSpot(*board.to_table(spot), board.turn_deg + turn + card.turn_deg)
            sprite = card_sprite(plan, card, bgr(board.colour))
            corners = oblong(self._scenery.optics, place, CARD_MM, 0.4 * (n + 1))
            rect = paste(self._plain, sprite, corners)
            rects += [] if rect is None else [rect]
        return rects

    def _sprites(self, key: str, token: Token) -> tuple[Sprite, Sprite, Sprite]:
        if key not in self._token_sprites:
            side, nose = token_mm(token, self._dictionary.cells), nose_of(self._lying.plan, token)
            colour = bgr(token.colour)
            self._token_sprites[key] = (
                soft_shadow(side, 0.45, nose),
                token_body(side, colour, nose),
                token_top(self._dictionary, token, colour, nose)
                if self._lying.stickers
                else painted_top(token, side, colour, nose),
            )
        return self._token_sprites[key]


@cache
def _die_shadow() -> Sprite:
    return soft_shadow(DIE_MM, 0.5, corner_mm=EDGE_MM)


def _pasted(plain: NDArray[np.uint8], layers: Sequence[tuple[Sprite, Points]]) -> list[Rect]:
    """Lay sprites one above the other; the pixels that each touched."""
    rects = [paste(plain, sprite, corners) for sprite, corners in layers]
    return [rect for rect in rects if rect is not None]


def square(optics: Optics, place: TableSpot, side_mm: float, height_mm: float) -> Points:
    """Where the corners of a square fall, its own top left first."""
    return oblong(optics, place, (side_mm, side_mm), height_mm)


def oblong(optics: Optics, place: TableSpot, size_mm: PointMm, height_mm: float) -> Points:
    """Where the corners of a rectangle fall, its own top left first."""
    cos, sin = math.cos(math.radians(place.turn_deg)), math.sin(math.radians(place.turn_deg))
    half_x, half_y = size_mm[0] / 2, size_mm[1] / 2
    own = ((-half_x, -half_y), (half_x, -half_y), (half_x, half_y), (-half_x, half_y))
    corners = [(place.x_mm + cos * x - sin * y, place.y_mm + sin * x + cos * y) for x, y in own]
    return optics.to_px(corners, height_mm)
