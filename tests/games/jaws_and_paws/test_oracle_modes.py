"""A second reading of sections by night and of several teams, against the rules.

It shares no line with them, nor with the reading of two teams by day: every token is a pair of
whose plane it is and on whose boards, the Sun or Moon a place like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

DAMAGE = 4
TEAMS = ("Jaws", "Paws", "Jaws2", "Paws2")
LETTERS = [board + column for board in "PG" for column in "LCR"]
FACES = [
    *(f"MP{way} {target}" for way in "LRCV" for target in ("own", "enemy")),
    *(f"MS{way}" for way in "LRVTT"),
    *(f"SH {letters}" for letters in LETTERS),
]
PAIRS = {"PL": "GR", "PC": "GC", "PR": "GL", "GR": "PL", "GC": "PC", "GL": "PR"}

Place = tuple[str, str]
"""Whose boards, and the letters of the zone."""
Cards = Mapping[str, tuple[str, str]]
"""By team: who laid the card of this section, and what it shows."""


def player(team: str, role: str) -> str:
    """A player's code: the Gunner of Paws2 is PG2."""
    return team[0] + role + team[4:]


@dataclass
class Sky:
    """Everything of one section that the reading needs, and what came of it."""

    teams: Sequence[str]
    planes: dict[Place, str]
    light: Place
    first: str
    night: bool
    repairing: set[str]
    ways: Sequence[str]
    scrapped: dict[str, int] = field(default_factory=dict)
    looks: set[str] = field(default_factory=set)

    def resolve(self, cards: Cards) -> Sky:
        """JP-9.3 to JP-9.7, as JP-16 and JP-19 have them."""
        at = self.teams.index(self.first)
        for team in (*self.teams[at:], *self.teams[:at]):
            if team in cards and cards[team][1].startswith("MS"):
                self.light = self.lit(team, cards[team][1][2])
        for own in (True, False):
            for team, (_, face) in cards.items():
                if face.startswith("MP") and face.endswith("own") == own:
                    for whose, host in self.planes:
                        if (whose if own else host) == team:
                            spot = self.planes[whose, host]
                            self.planes[whose, host] = moved(spot, face[2], flip=host != team)
        for team, (_, face) in cards.items():
            if face.startswith("SH"):
                self.shoot(team, face[3:])
        return self

    def lit(self, team: str, way: str) -> Place:
        """Where a Move Sun card takes the Sun; Team takes it where its player likes best."""
        host, spot = self.light
        if way == "T":
            return next(other for other in self.ways if other != host), spot
        return host, moved(spot, way, flip=host != team)

    def shoot(self, team: str, named: str) -> None:
        """Every plane on the zone, or on its whole board where an own plane is in the Sun."""
        bright = None if self.night else self.light
        wide = any(
            (host, spot) == bright for (whose, host), spot in self.planes.items() if whose == team
        )
        for victim in self.teams:
            spot = self.planes.get((victim, team), "")
            if not spot or (spot[0] != named[0] if wide else spot != named):
                continue
            damage = DAMAGE // 2 if (team, spot) == bright else DAMAGE
            crew = [player(victim, role) for role in "PG"]
            hurt = [one for one in crew if one in self.repairing]
            for one in hurt or [player(victim, self.planes[team, victim][0])]:
                self.scrapped[one] = self.scrapped.get(one, 0) + damage
                if self.night and (team, spot[0]) == (self.light[0], self.light[1][0]):
                    self.looks.add(one)


def moved(spot: str, way: str, *, flip: bool) -> str:
    """Along the board, to its other corner, or to its pair; `flip`: seen from across the table."""
    if way == "V":
        return PAIRS[spot]
    if way == "C":
        return spot.translate(str.maketrans("LR", "RL")) if spot[1] != "C" else spot
    towards = 1 if (way == "R") != flip else -1
    return spot[0] + "LCR"[max(0, min(2, "LCR".index(spot[1]) + towards))]


def drawn(rng: Random, teams: Sequence[str], *, night: bool) -> tuple[Sky, Cards]:
    """A table at random, with planes in the light more often than not."""
    planes = {(t, h): rng.choice(LETTERS) for t in teams for h in teams if t != h}
    stands = [(host, spot) for (_, host), spot in planes.items()]
    light = rng.choice([*stands, (rng.choice(teams), rng.choice(LETTERS))])
    aimed = {t: [f"SH {spot}" for (_, host), spot in planes.items() if host == t] for t in teams}
    cards = {
        team: (player(team, rng.choice("PG")), rng.choice([*FACES, *aimed[team] * 4]))
        for team in teams
        if rng.random() < 0.9
    }
    idle = {player(t, role) for t in teams for role in "PG"} - {
        owner for owner, _ in cards.values()
    }
    repairing = {one for one in sorted(idle) if rng.random() < 0.4}
    ways = rng.sample(teams, len(teams))
    return Sky(teams, planes, light, rng.choice(teams), night, repairing, ways), cards


def played(section: Callable[..., Any], sky: Sky, cards: Cards, crews: str) -> tuple[Any, set[str]]:
    """The same at the table; where the Moon lets look nobody does. And who was looked at."""
    light = "moon" if sky.night else "sun"
    several = len(sky.teams) > 2
    hosts = {t: {h: f"{h}.{sky.planes[t, h]}" for h in sky.teams if h != t} for t in sky.teams}
    modes = [*(["night"] if sky.night else []), *(["five-players"] if several else [])]
    table = section(
        **{team.lower(): " ".join(card) for team, card in cards.items()},
        planes=hosts if several else {t: next(iter(on.values())) for t, on in hosts.items()},
        variants=" ".join(modes), crews=crews, options={"shot_damage": DAMAGE},
        repairing=sorted(sky.repairing),
        **{light: ".".join(sky.light), f"{light}_at_round_start": sky.first},
    )  # fmt: skip
    looks: set[str] = set()
    while asked := [key for key in table.asked if "/to/" in key or "/look/" in key]:
        if "/to/" in asked[0]:
            offered = [option.name for option in table.match.open[asked[0]].options_now()]
            table.say(asked[0], next(way for way in sky.ways if way in offered))
        else:
            looks.add(asked[0].rpartition("/")[2])
            table.say(asked[0], "top cards")
    return table, looks


@pytest.mark.slow(gate=3)
@pytest.mark.parametrize("light", ["sun", "moon"])
@pytest.mark.parametrize("crews", ["2 2", "2 2 1", "1 2 2", "2 1 1 1"])
def test_a_second_reading_of_other_modes_agrees(
    section: Callable[..., Any], crews: str, light: str
) -> None:
    """Random cards of all teams on random positions: tokens, piles and looks come out the same."""
    rng, night = Random(f"{crews}/{light}"), light == "moon"
    teams = TEAMS[: len(crews.split())]
    hits = looked = 0
    for _ in range(200):
        sky, cards = drawn(rng, teams, night=night)
        table, looks = played(section, sky, cards, crews)
        wanted = sky.resolve(cards)
        zones, lineup = table.position.zones, table.position.lineup
        told = {place: zones[lineup.token[place]].partition(".")[2] for place in sky.planes}
        assert told == wanted.planes, table.texts()
        assert zones[light] == ".".join(wanted.light), table.texts()
        piles = table.position.piles
        scrapped = {p: piles[p].counts["scrap"] for p in piles if piles[p].counts["scrap"]}
        assert scrapped == wanted.scrapped, table.texts()
        assert looks == wanted.looks, table.texts()
        hits, looked = hits + len(scrapped), looked + len(looks)
    assert hits > 40
    assert (looked > 10) == night
