"""Steps: how a piece gets from pose to pose, told from its own nose: "turn right, 2 ahead"."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.core.board import Board, BoardPlan, PointMm, Pose

_NEAR = 0.06
"""Of a step: so far off whole steps a place may be, for boards are drawn in whole millimetres."""
_MOST_STEPS = 12
_ABOUT_DEG = 170.0


def steps_in_words(plan: BoardPlan, was: Pose, now: Pose) -> str:
    """The shortest way to tell it; empty where headings do not tell it.

    So it is on boards without headings, from board to board, and where spaces do not lie in rows.

    >>> from companion.core.board import Pose
    >>> from companion.games.dogfight_1917.boards import board_plan
    >>> from companion.games.dogfight_1917.figures import assumed_figures
    >>> plan = board_plan(assumed_figures())
    >>> steps_in_words(plan, Pose("0,0", 0), Pose("2,-2", 1))
    'turn right, 2 ahead'
    >>> steps_in_words(plan, Pose("0,0", 0), Pose("0,-2", 5))
    '2 ahead, turn left'
    >>> steps_in_words(plan, Pose("0,0", 0), Pose("1,-2", 1))
    '1 ahead, turn right, 1 ahead'
    """
    board = plan.board_of.get(was.space)
    if board is None or plan.board_of.get(now.space) is not board or not board.facings:
        return ""
    if was.facing is None or now.facing is None:
        return ""
    ways = list(_ways(board, was, now, was.facing, now.facing))
    return min(ways, key=_length) if ways else ""


def _length(words: str) -> tuple[int, int]:
    """What is told in few parts, and ahead, comes first."""
    parts = words.split(", ")
    return len(parts), sum(not part.endswith(" ahead") for part in parts)


def _ways(board: Board, was: Pose, now: Pose, nose: int, end: int) -> Iterator[str]:
    """Every way to tell it that this knows."""
    turn = turn_in_words(board, end - nose)
    far = _between(board, was.space, now.space)
    if not any(far):
        yield turn
        return
    steps = _step_vectors(board)
    for one in range(len(steps)):
        straight = _along(far, steps[one])
        if straight:
            yield _joined(f"{straight} {_course(board, one - nose)}", turn)
            if one == end:
                yield _joined(turn, f"{straight} ahead")
    for one, other in ((nose, end), *((n, (n + 1) % len(steps)) for n in range(len(steps)))):
        legs = _both(far, steps[one], steps[other])
        if legs is None:
            continue
        if (one, other) == (nose, end):
            yield _joined(f"{legs[0]} ahead", turn, f"{legs[1]} ahead")
            continue
        told = [
            f"{count} {_course(board, way - nose)}"
            for count, way in zip(legs, (one, other), strict=True)
        ]
        yield _joined(*sorted(told, key=lambda words: not words.endswith(" ahead")), turn)


def _joined(*parts: str) -> str:
    return ", ".join(filter(None, parts))


def turn_in_words(board: Board, facings: int) -> str:
    """A change of heading by so many facings clockwise; empty for none.

    >>> from companion.core.board import Board
    >>> six = Board("Field", "", (9.0, 9.0), (), (0.0, 0.0), facings=tuple("ABCDEF"))
    >>> [turn_in_words(six, facings) for facings in (0, 1, 5, 2, 3)]
    ['', 'turn right', 'turn left', 'turn right twice', 'turn about']
    """
    sector = 360.0 / len(board.facings)
    deg = (facings * sector + 180.0) % 360.0 - 180.0
    if not deg:
        return ""
    if abs(deg) >= _ABOUT_DEG:
        return "turn about"
    times = round(abs(deg) / sector)
    side = "right" if deg > 0 else "left"
    often = {1: "", 2: " twice"}.get(times, f" {times} times")
    return f"turn {side}{often}"


def _course(board: Board, facings: int) -> str:
    """A way to go, as seen from the nose: "ahead", "ahead right", "right", "back left"."""
    deg = (facings * 360.0 / len(board.facings) + 180.0) % 360.0 - 180.0
    if not deg:
        return "ahead"
    if abs(deg) >= _ABOUT_DEG:
        return "back"
    side = "right" if deg > 0 else "left"
    if math.isclose(abs(deg), 90.0):
        return side
    return f"ahead {side}" if abs(deg) < 90.0 else f"back {side}"


# Geometry, in steps from space to neighbouring space.


def _between(board: Board, one: str, other: str) -> PointMm:
    centres = {space.name: space.centre_mm for space in board.spaces if space.name in (one, other)}
    (ax, ay), (bx, by) = centres[one], centres[other]
    return (0.0, 0.0) if one == other else (bx - ax, by - ay)


@lru_cache(maxsize=16)
def _vectors(size: tuple[PointMm, ...], facings: int, first_deg: float) -> tuple[PointMm, ...]:
    first = size[0]
    step = min(math.dist(first, other) for other in size[1:]) if len(size) > 1 else 1.0
    turns = (math.radians(first_deg + n * 360.0 / facings) for n in range(facings))
    return tuple((step * math.sin(turn), -step * math.cos(turn)) for turn in turns)


def _step_vectors(board: Board) -> tuple[PointMm, ...]:
    """One step in each heading, board mm; a slanted one of squares leads from corner to corner."""
    centres = tuple(space.centre_mm for space in board.spaces)
    plain = _vectors(centres, len(board.facings), board.first_facing_deg)
    if len(board.facings) != _COMPASS:
        return plain
    return tuple(
        (x * math.sqrt(2), y * math.sqrt(2)) if min(abs(x), abs(y)) > 1.0 else (x, y)
        for x, y in plain
    )


_COMPASS = 8


def _along(far: PointMm, step: PointMm) -> int:
    """How many steps of this kind lead there; 0 where they do not."""
    size = math.hypot(*step)
    count = round(math.hypot(*far) / size)
    off = math.dist(far, (step[0] * count, step[1] * count))
    return count if count and off <= _NEAR * size else 0


def _both(far: PointMm, one: PointMm, other: PointMm) -> tuple[int, int] | None:
    """How many steps of the one kind and then of the other lead there; None where none do."""
    across = one[0] * other[1] - one[1] * other[0]
    if abs(across) < 1e-6:
        return None
    first = (far[0] * other[1] - far[1] * other[0]) / across
    then = (one[0] * far[1] - one[1] * far[0]) / across
    legs = round(first), round(then)
    exact = max(abs(first - legs[0]), abs(then - legs[1])) <= _NEAR
    return legs if exact and all(1 <= leg <= _MOST_STEPS for leg in legs) else None


# Places that no board has in print.

_COORDINATES = re.compile(r"-?\d+(?:[,/]-?\d+)+")


def has_coordinates(text: str) -> bool:
    """Whether a text names a place as no board has it in print.

    >>> has_coordinates("0,-3 N"), has_coordinates("Shoot PC")
    (True, False)
    """
    return bool(_COORDINATES.search(text))


def is_printed(label: str) -> bool:
    """Whether people can read it off a board; coordinates are ours alone.

    >>> is_printed("PC"), is_printed("7"), is_printed("0,-1")
    (True, True, False)
    """
    return bool(label) and not _COORDINATES.fullmatch(label)


_HOWS = "from|to|onto|on|at|in|of|behind"


@lru_cache(maxsize=8)
def _pattern(spaces: tuple[str, ...], facings: tuple[str, ...]) -> re.Pattern[str] | None:
    """Finds "to 0,-1 N" in a text; None where all spaces have printed names."""
    if not spaces:
        return None
    places = "|".join(map(re.escape, sorted(spaces, key=len, reverse=True)))
    headings = "|".join(sorted(facings, key=len, reverse=True))
    nose = rf"(?: (?:{headings})\b)?" if headings else ""
    return re.compile(rf"(?:\b(?P<how>{_HOWS}) )?(?<![\d,-])(?P<space>{places})(?![\d,]){nose}")


def without_coordinates(plan: BoardPlan, text: str, said: Callable[[str, str], str]) -> str:
    """A text whose unprinted places are said otherwise.

    `said(how, space)` is what stands instead of "to 0,-1 N": `how` is the word before it, if any.
    """
    pattern = _pattern(
        tuple(name for name in plan.spaces if _COORDINATES.fullmatch(name)),
        tuple(dict.fromkeys(name for board in plan.boards for name in board.facings)),
    )
    if pattern is None:
        return text
    named = _NAMED_TWICE.sub(r"\1", text)
    told = pattern.sub(lambda found: said(found["how"] or "", found["space"]), named)
    return re.sub(r" +(?=[ .,;:]|$)", "", told)


_NAMED_TWICE = re.compile(r"\b([A-Z]), -?\d+,-?\d+\b")
"""A space with a printed letter, and the coordinates that we give it."""
