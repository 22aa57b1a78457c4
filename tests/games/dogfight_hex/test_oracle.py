"""A second reading of the cards carried out, by angles on paper, against the rules.

It shares no line with them: a space is a point, a heading an angle; what is in front, on a beam or
beside a ship is measured.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

SEATS = "ABCDEF"
ANGLE = {"E": 0, "SE": 60, "SW": 120, "W": 180, "NW": 240, "NE": 300}
ATTACKS = ("short", "medium", "long")
SHIELDS = ("shield no draw", "shield reuse", "shield anchor")
BEAMS = {"left": -60, "ahead": 0, "right": 60}

Point = tuple[float, float]


def point(space: str) -> Point:
    """Where the middle of a space is, in widths of a space."""
    q, r = map(int, space.split(","))
    return q + r / 2, r * math.sqrt(3) / 2


BOARD = {
    f"{q},{r}": point(f"{q},{r}")
    for q in range(-5, 6)
    for r in range(-5, 6)
    if abs(q + r) <= 5
}  # fmt: skip


def apart(one: str, other: str) -> int:
    """How many steps lie between two spaces: along the row, and between the rows."""
    (ax, ay), (bx, by) = BOARD[one], BOARD[other]
    rows = round(abs(ay - by) / (math.sqrt(3) / 2))
    return rows + round(max(0.0, abs(ax - bx) - rows / 2))


@dataclass
class Sky:
    """Ships, what is left of them, and what lies about; followed through the resolution."""

    place: dict[str, str]
    heading: dict[str, str]
    card: dict[str, str]
    hull: dict[str, int]
    wreckage: set[str]
    order: list[str]
    debris: dict[str, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    bound: dict[str, str] = field(default_factory=dict)
    no_draw: set[str] = field(default_factory=set)
    anchored: set[str] = field(default_factory=set)

    def in_front(self, seat: str, space: str) -> bool:
        """Within sixty degrees of where the ship looks, four steps at most."""
        (ax, ay), (bx, by) = BOARD[self.place[seat]], BOARD[space]
        towards = math.degrees(math.atan2(by - ay, bx - ax))
        off = (towards - ANGLE[self.heading[seat]] + 180) % 360 - 180
        return abs(off) < 60.01 and apart(self.place[seat], space) <= 4

    def beam(self, seat: str, turn: int) -> list[str]:
        """Whom a beam hits before the first wreckage or debris."""
        angle = math.radians(ANGLE[self.heading[seat]] + turn)
        x, y = BOARD[self.place[seat]]
        hit: list[str] = []
        for step in range(1, 11):
            at = (x + step * math.cos(angle), y + step * math.sin(angle))
            space = next((s for s, there in BOARD.items() if math.dist(at, there) < 0.01), None)
            if space is None or space in self.wreckage or space in self.debris.values():
                break
            hit += [other for other, there in self.place.items() if there == space]
        return hit

    def choices(self, seat: str) -> dict[str, set[str]]:
        """What an attack may be aimed at, by name, and whom it hits then; only what hits."""
        others = {s: space for s, space in self.place.items() if s != seat}
        kind = self.card[seat]
        if kind == "short":
            near = {s for s, space in others.items() if apart(self.place[seat], space) <= 2}
            return {"": near} if near else {}
        if kind == "medium":
            return {s: {s} for s, space in others.items() if self.in_front(seat, space)}
        beams = {name: set(self.beam(seat, turn)) for name, turn in BEAMS.items()}
        return {name: hits for name, hits in beams.items() if hits} if kind == "long" else {}

    def stop(self, seat: str, attack: str, *, taken: bool) -> None:
        """A shield stops an attack; its other side."""
        self.used.add(seat)
        if self.card[seat] == "shield anchor":
            self.anchored.add(seat)
            return
        self.no_draw.add(seat)
        if self.card[seat] == "shield reuse" and not taken:
            self.bound[seat] = attack

    def free_beside(self, seat: str) -> set[str]:
        """Spaces beside a ship with nothing on them."""
        lying = {*self.wreckage, *self.debris.values(), *self.place.values()}
        return {s for s in BOARD if apart(s, self.place[seat]) == 1} - lying


def drawn(rng: Random) -> Sky:
    """Ships close together, cards face up."""
    players = rng.choice([3, 3, 4, 5, 6])
    near = [space for space in BOARD if apart(space, "0,0") <= 3]
    spaces = rng.sample(near, players + 4)
    seats = SEATS[:players]
    first = rng.randrange(players)
    return Sky(
        place=dict(zip(seats, spaces, strict=False)),
        heading={seat: rng.choice([*ANGLE]) for seat in seats},
        card={seat: rng.choice((*ATTACKS, *ATTACKS, *SHIELDS)) for seat in seats},
        hull={seat: rng.choice([1, 1, 2]) for seat in seats},
        wreckage=set(spaces[players:]),
        order=[*seats[first:], *seats[:first]],
    )


def begun(at: Callable[..., Any], sky: Sky) -> Any:
    """The same position at the table."""
    tokens = zip(("wreck-1", "wreck-2", "wreck-3", "wreck-4"), sorted(sky.wreckage), strict=True)
    lines = {
        seat: {
            "place": f"{space} {sky.heading[seat]}", "card": sky.card[seat],
            "hull": sky.hull[seat], "aside": 2 - sky.hull[seat],
        }
        for seat, space in sky.place.items()
    }  # fmt: skip
    return at("resolution", len(lines), first=sky.order[0], wreckage=dict(tokens), **lines)


def follow(table: Any, sky: Sky, rng: Random) -> None:
    """Each card in its place: what is asked, offered and done is as it was measured."""
    for seat in sky.order:
        choices = sky.choices(seat) if seat in sky.place else {}
        if not choices:
            continue
        aim = rng.choice(sorted(choices))
        if len(choices) > 1:
            assert set(table.names(f"resolve/{seat}/{table.asked[0].split('/')[-1]}")) == {*choices}
            table.say("", aim)
        strike(table, sky, seat, choices[aim], rng)
        if len(sky.place) < 2:
            return


def strike(table: Any, sky: Sky, attacker: str, victims: set[str], rng: Random) -> None:
    """One attack: shields, hull points and wreckage in turn order, deaths at last."""
    hurt, taken = [], False
    for seat in (one for one in sky.order if one in victims):
        if sky.card[seat] in SHIELDS and seat not in sky.used:
            sky.stop(seat, sky.card[attacker], taken=taken)
            taken = taken or seat in sky.bound
        else:
            sky.hull[seat] -= 1
            hurt.append(seat)
    if sum(sky.hull[seat] > 0 for seat in sky.place) == 1:
        assert table.winners == tuple(s for s in sky.place if sky.hull[s])
        sky.place = {seat: space for seat, space in sky.place.items() if sky.hull[seat]}
        return
    for seat in hurt:
        free = sky.free_beside(seat)
        laid = rng.choice(sorted(free)) if free else ""
        if len(free) > 1:
            assert set(table.names()) == free
            table.say(f"hull-{seat.lower()}-{2 - sky.hull[seat]}", laid)
        sky.wreckage |= {laid} - {""}
    for seat in hurt:
        if not sky.hull[seat]:
            sky.debris[seat] = sky.place.pop(seat)
            sky.bound.pop(seat, None)


@pytest.mark.parametrize("batch", range(6))
def test_a_second_reading_of_the_resolution_agrees(at: Callable[..., Any], batch: int) -> None:
    """Random cards on random maps: targets offered, hull points, wreckage, shields and winners."""
    rng = Random(batch)
    hits = parried = 0
    for _ in range(60):
        sky = drawn(rng)
        table = begun(at, sky)
        follow(table, sky, rng)
        ships = table.position.ships
        assert {seat: ship.hull for seat, ship in ships.items()} == sky.hull
        assert {seat: table.place(seat).partition(" ")[0] for seat in sky.place} == sky.place
        hits, parried = hits + len(table.cited("HX-DMG-01")), parried + len(sky.used)
        if table.winners is not None:
            continue
        assert {str(space) for space in table.position.wreckage.values()} == sky.wreckage
        assert {s: table.debris(s) for s in ships if table.debris(s)} == sky.debris
        if not sky.debris:  # the turn is over: its cards have gone where they go
            assert {
                s: ship.bound or ship.card for s, ship in ships.items() if ship.card
            } == sky.bound
            assert {s for s, ship in ships.items() if ship.anchored} == sky.anchored
            assert [table.position.turn, table.position.stage] == [4, "declare"]
    assert min(hits, parried) > 10
