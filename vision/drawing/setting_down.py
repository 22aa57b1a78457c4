"""Where hands put a token down on its space: clear of the others, which are pushed aside for it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from companion.core.board import PointMm, Pose, Space
from vision.drawing.lying import LyingThings, TokenSpot
from vision.drawing.prints import token_radius_mm
from vision.markers.choice import nose_of
from vision.markers.dictionaries import load_dictionary

CARELESS_DEG = 4.0
MOST_OFF_DEG = 15.0
"""How far from its facing a hand leaves a piece, as a rule and at most."""
OVERHANG = 0.75
"""Hands put a token well inside its space, not exactly: up to a quarter of it may stand out."""
TRIED_SPOTS, TRIED_ORDERS = 80, 24
"""How many spots are looked at for one token, and how often all of a space's are tried anew."""

Radii = Mapping[str, float]
"""From the middle of each token to what of it is farthest, mm."""


def set_down(
    lying: LyingThings,
    key: str,
    pose: Pose,
    chance: np.random.Generator,
    offset_mm: PointMm | None = None,
) -> dict[str, TokenSpot]:
    """Where a hand puts a token that is to have a pose: on its space, turned about its way.

    `offset_mm` is from the middle of the space; without it the token stands clear of others. Those
    that have to be pushed aside for it come first, the token itself last.
    """
    lying.check(pose)
    space, board = lying.plan.spaces[pose.space], lying.plan.board_of[pose.space]
    heading_deg = float(chance.uniform(0, 360))
    if pose.facing is not None:
        off_deg = np.clip(chance.normal(0, CARELESS_DEG), -MOST_OFF_DEG, MOST_OFF_DEG)
        heading_deg = board.facing_deg(pose.facing) + float(off_deg)
    if offset_mm is None:
        spots = _free_spots(lying, key, space, _radii_of(lying), chance)
    else:
        x, y = (m + off for m, off in zip(space.centre_mm, offset_mm, strict=True))
        spots = {key: (x, y)}
    x, y = spots.pop(key)
    aside = {
        other: replace(lying.standings[other], x_mm=at[0], y_mm=at[1])
        for other, at in spots.items()
    }
    return {**aside, key: TokenSpot(board.name, x, y, heading_deg)}


def _radii_of(lying: LyingThings) -> Radii:
    cells = load_dictionary(lying.plan.dictionary).cells
    return {
        key: token_radius_mm(token, cells, nose_of(lying.plan, token))
        for key, token in lying.tokens.items()
    }


def _free_spots(
    lying: LyingThings, key: str, space: Space, radii_mm: Radii, chance: np.random.Generator
) -> dict[str, PointMm]:
    """A spot in a space where a token stands clear of the others, and theirs if they must give way.

    As people do, one that leaves room for another token beside it, if there is any. Where all of
    them have no room however they are pushed, the best of the spots that were tried.
    """
    others = _others(lying, key, space)
    radius_mm = radii_mm[key]
    spots = _spots_in(space, OVERHANG * radius_mm, chance) or [space.centre_mm]

    def gap_mm(spot: PointMm) -> float:
        return _gap_mm(spot, radius_mm, others, radii_mm)

    clear = [spot for spot in spots if gap_mm(spot) >= 0]
    if not clear:
        pushed = _pushed_aside(lying, key, space, radii_mm, chance)
        return pushed or {key: max(spots, key=gap_mm)}
    roomy = (spot for spot in clear if any(math.dist(spot, one) >= 2 * radius_mm for one in clear))
    return {key: next(roomy, clear[0])}


def _pushed_aside(
    lying: LyingThings, key: str, space: Space, radii_mm: Radii, chance: np.random.Generator
) -> dict[str, PointMm]:
    """Spots for a token and all that stand on its space, each clear of the others; none found: {}.

    No token is laid on another one while its space has room for both.
    """
    others = _others(lying, key, space)
    here = [name for name, at in others.items() if space.inside_mm(at) >= 0]
    beyond = {name: at for name, at in others.items() if name not in here}
    order = sorted((key, *here), key=lambda name: -radii_mm[name])
    for _ in range(TRIED_ORDERS):
        found: dict[str, PointMm] = {}
        for name in order:
            taken = {**beyond, **found}
            spots = _spots_in(space, OVERHANG * radii_mm[name], chance)
            clear = (at for at in spots if _gap_mm(at, radii_mm[name], taken, radii_mm) >= 0)
            spot = min(clear, key=space.inside_mm, default=None)  # close to the edge: room is left
            if spot is None:
                break
            found[name] = spot
        if len(found) == len(order):
            return found
    return {}


def _others(lying: LyingThings, key: str, space: Space) -> dict[str, PointMm]:
    """Where the other tokens stand on the board of a space."""
    board = lying.plan.board_of[space.name].name
    return {
        name: (one.x_mm, one.y_mm)
        for name, one in lying.standings.items()
        if name != key and one.board == board
    }


def _gap_mm(
    spot: PointMm, radius_mm: float, others: Mapping[str, PointMm], radii_mm: Radii
) -> float:
    """How far a token at a spot is from touching the nearest of others; negative on top of one."""
    gaps = (math.dist(spot, at) - radius_mm - radii_mm[name] for name, at in others.items())
    return min(gaps, default=math.inf)


def _spots_in(space: Space, inside_mm: float, chance: np.random.Generator) -> list[PointMm]:
    """Spots at least so far inside a space, in random order."""
    xs, ys = zip(*space.outline_mm, strict=True)
    tried = zip(
        chance.uniform(min(xs), max(xs), TRIED_SPOTS).tolist(),
        chance.uniform(min(ys), max(ys), TRIED_SPOTS).tolist(),
        strict=True,
    )
    return [spot for spot in tried if space.inside_mm(spot) >= inside_mm]
