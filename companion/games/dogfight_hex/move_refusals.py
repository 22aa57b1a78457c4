"""Why a ship cannot have moved as it was seen or told: by its end pose, or step by step."""

from __future__ import annotations

import re
from collections.abc import Sequence
from reprlib import repr as brief
from typing import TYPE_CHECKING

from companion.core.question import Refusal
from companion.core.ruling import Cite, Seat
from companion.core.text import counted
from companion.games.dogfight_hex.moves import SIDES, entered, ways
from companion.games.dogfight_hex.refusals import (
    NEAREST,
    another_ship,
    no_heading,
    what_lies,
    without_own,
)
from companion.games.dogfight_hex.seats import MOVE_STEPS, SHIPS
from companion.kit.hexes import Heading, Hex

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.dogfight_hex.position import DogfightHexPosition

STAY = "stay"

_BREAK = re.compile(r"(?<!\d),|,(?=\s|$)|;")
"""Between two steps that were told; the comma of a space is none."""

_TWO_MEANINGS = ("ahead-left", "ahead-right")

_ORDER = Cite.of("HX-MOV-01, HX-TRN-01")
_STEPS = Cite.of("HX-MOV-02, HX-MOV-04")
_FORWARD = Cite.of("HX-MOV-03, RULING 9")
_BLOCKED = Cite.of("HX-MOV-05")
_EDGE = Cite.of("RULING 10")
_ANCHOR = Cite.of("HX-MOV-07, HX-SHD-07")
_REACH = Cite.of("HX-MOV-02, HX-MOV-03")


def pose(position: DogfightHexPosition, seat: Seat, wanted: Heading) -> Refusal | None:
    """Why a ship cannot have come to stand there; None if it can."""
    ship = position.ships[seat]
    wrong = _wrong_space(position, seat, wanted.hex, ship.place.hex)
    if wrong is not None:
        return wrong
    board, blocked = position.table.board, position.blocked(seat)
    way = ways(board, ship.place, blocked, anchored=ship.anchored, most=None).get(wanted)
    if way is not None and way.steps <= MOVE_STEPS:
        return None
    text = _unreached(position, ship.place, wanted, None if way is None else way.steps)
    return Refusal("HX-E-UNREACHABLE", f"{text} {nearest(position, seat, wanted)}", _REACH)


def _unreached(
    position: DogfightHexPosition, start: Heading, wanted: Heading, steps: int | None
) -> str:
    """How many steps it would take, or that there is no way at all."""
    here, there = position.named(start), position.named(wanted)
    if steps is None:
        return f"No way leads from {here} to {there}: what stands there blocks them all."
    straight = ways(position.table.board, start, (), most=None)[wanted].steps
    around = " around what stands there" if straight < steps else ""
    return f"{there} takes {counted(steps, 'step')} from {here}{around}; a ship has {MOVE_STEPS}."


def nearest(position: DogfightHexPosition, seat: Seat, wanted: Heading) -> str:
    """The legal poses that are most like the one wanted."""
    ship = position.ships[seat]
    ends = ways(position.table.board, ship.place, position.blocked(seat), anchored=ship.anchored)

    def unlike(end: Heading) -> tuple[int, int, Heading]:
        apart = (end.facing - wanted.facing) % 6
        return (end.hex.distance(wanted.hex), min(apart, 6 - apart), end)

    few = sorted(ends, key=unlike)[:NEAREST]
    return f"Legal nearby: {'; '.join(position.named(end) for end in few)}."


def _wrong_space(
    position: DogfightHexPosition, seat: Seat, space: Hex, start: Hex
) -> Refusal | None:
    """A space that a ship cannot have entered from where it is."""
    if space not in position.table.board:
        return Refusal("HX-E-OFFMAP", f"{space} is not on the map. Stay on it.", _EDGE)
    if space == start:
        return None
    if position.ships[seat].anchored:
        text = f"This ship is anchored: it may turn on {start}, but enter no other space."
        return Refusal("HX-E-ANCHOR", text, _ANCHOR)
    if space in position.blocked(seat):
        return _blocked(position, space)
    return None


def _blocked(position: DogfightHexPosition, space: Hex) -> Refusal:
    text = f"{what_lies(position, space)} is on {space}: no ship may enter. Go around it."
    return Refusal("HX-E-BLOCKED", text, _BLOCKED)


# -- steps that were told one by one -------------------------------------------------------


def steps_in(said: str, facings: Sequence[str]) -> list[str]:
    """The steps told one by one, with or without what rulings print between and before them.

    >>> steps_in("turn NE, right,ahead 1,-1, SW", ["NE", "SW"])
    ['NE', 'right', 'ahead', '1,-1', 'SW']
    >>> steps_in("", ["NE"])
    []
    """
    words = _BREAK.sub(" ", said).split()
    after = [*words, ""][1:]
    return [
        word
        for word, following in zip(words, after, strict=True)
        if not (word.lower() == "turn" and following.upper() in facings)
    ]


def follow(position: DogfightHexPosition, seat: Seat, said: str) -> Heading | Refusal | None:
    """Where the steps told lead, or why the first wrong one is; None if a word is no step."""
    here, words = position.ships[seat].place, steps_in(said, position.table.facings)
    if not words:
        return None
    for word in words:
        there = _step(position, seat, here, word)
        if there is None or isinstance(there, Refusal):
            return there
        wrong = _wrong_space(position, seat, there.hex, here.hex)
        if wrong is not None:
            return wrong
        here = there
    if len(words) > MOVE_STEPS:
        text = f"{counted(len(words), 'step')} told; a ship has {MOVE_STEPS}, and a turn is one."
        return Refusal("HX-E-STEPS", f"{text} Leave out {len(words) - MOVE_STEPS}.", _STEPS)
    return here


def _step(
    position: DogfightHexPosition, seat: Seat, here: Heading, word: str
) -> Heading | Refusal | None:
    """The pose after one step: an arrow's name, a space ahead, or a heading to turn to."""
    facings = position.table.facings
    if word.lower() in SIDES:
        return entered(here, SIDES[word.lower()])
    if word.upper() in facings:
        return Heading(here.hex, facings.index(word.upper()))
    if word.lower() in _TWO_MEANINGS:
        return _two_meanings(word)
    try:
        space = Hex.read(word)
    except ValueError:
        return _backwards(position, here) if word.lower() in ("back", "backwards") else None
    for side in SIDES.values():
        if entered(here, side).hex == space:
            return entered(here, side)
    if space in position.blocked(seat):
        return _blocked(position, space)
    return no_heading(word, position, _REACH) if here.hex.distance(space) != 1 else \
        _backwards(position, here, word)  # fmt: skip


def _two_meanings(word: str) -> Refusal:
    """The arrow ahead on that side, or a step ahead and another along that arrow."""
    ahead, side = word.lower().split("-")
    text = f"{word} may be one step or two: say {side} for the arrow, or {ahead}, {side}."
    return Refusal("HX-E-READ", text, _REACH)


def _backwards(position: DogfightHexPosition, here: Heading, word: str = "back") -> Refusal:
    ahead = ", ".join(f"{name} {entered(here, side).hex}" for name, side in SIDES.items())
    text = f"{word} is not along an arrow of a ship on {position.named(here)}: {ahead}."
    return Refusal("HX-E-FORWARD", f"{text} Turn first, that is a step.", _FORWARD)


def told(raw: Json, position: DogfightHexPosition, seat: Seat) -> Refusal:
    """Why what was told is no legal movement of this ship; only asked if it is none."""
    said = without_own(raw, seat)
    other = another_ship(raw, seat)
    if other is not None:
        due, not_due = position.called(SHIPS[seat]), position.called(SHIPS[other])
        text = f"It is the turn of {due} to move, not of {not_due}. Move that one first."
        return Refusal("HX-E-ORDER", text, _ORDER)
    try:
        wanted = Heading.read(said, position.table.facings)
    except ValueError:
        led = follow(position, seat, said)
        if isinstance(led, Refusal):
            return led
        text = f"{brief(raw)} is no movement. Name where the ship ends, as 0,-1 SE, or its steps: "
        return Refusal("HX-E-READ", f"{text}ahead, left, right, or a heading to turn to.", _REACH)
    refusal = pose(position, seat, wanted)
    assert refusal is not None, f"{raw!r} is legal"
    return refusal
