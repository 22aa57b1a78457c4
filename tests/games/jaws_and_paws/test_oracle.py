"""A second reading of sections, written from the tables of the book alone, against the rules.

It shares no line with them: boards are rows of three, the Sun and both planes are coordinates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

TEAMS = ("Jaws", "Paws")
RIVAL = {"Jaws": "Paws", "Paws": "Jaws"}
ZONES = [f"{team}.{board}{column}" for team in TEAMS for board in "PG" for column in "LCR"]
FACES = [
    *(f"MP{way} {target}" for way in "LRCV" for target in ("own", "enemy")),
    *(f"MS{way}" for way in "LRVT"),
    *(f"SH {board}{column}" for board in "PG" for column in "LCR"),
]
MIRROR = {"PL": "GR", "PC": "GC", "PR": "GL", "GR": "PL", "GC": "PC", "GL": "PR"}


@dataclass
class Reading:
    """Where tokens stand and what was scrapped, worked out step by step."""

    plane: dict[str, str]
    sun: str
    first: str
    repairing: set[str]
    scrapped: dict[str, int] = field(default_factory=dict)

    def resolve(self, cards: dict[str, tuple[str, str]]) -> Reading:
        """Steps 1 to 5 of JP-9."""
        for team in (self.first, RIVAL[self.first]):
            if team in cards and cards[team][1].startswith("MS"):
                self.sun = self.step(self.sun, cards[team][1][2], team)
        for target in ("own", "enemy"):
            for team in cards:
                face = cards[team][1]
                if face.startswith("MP") and face.endswith(target):
                    mover = team if target == "own" else RIVAL[team]
                    self.plane[mover] = self.step(self.plane[mover], face[2], team)
        for team in cards:
            if cards[team][1].startswith("SH"):
                self.shoot(team, cards[team][1][3:])
        return self

    def step(self, zone: str, way: str, player_team: str) -> str:
        """JP-2.6 to JP-2.9."""
        team, letters = zone.split(".")
        if way == "V":
            return f"{team}.{MIRROR[letters]}"
        if way == "T":
            return f"{RIVAL[team]}.{letters}"
        if way == "C":
            return f"{team}.{letters[0]}{ {'L': 'R', 'C': 'C', 'R': 'L'}[letters[1]] }"
        left_is_printed_left = team == player_team
        leftwards = (way == "L") == left_is_printed_left
        row = ["L", "C", "R"]
        at = row.index(letters[1])
        at = max(at - 1, 0) if leftwards else min(at + 1, 2)
        return f"{team}.{letters[0]}{row[at]}"

    def shoot(self, team: str, named: str) -> None:
        """JP-14 and JP-15 with standard damage."""
        victim = RIVAL[team]
        wide = self.plane[team] == self.sun
        covered = {named[0] + column for column in "LCR"} if wide else {named}
        if self.plane[victim] not in {f"{team}.{letters}" for letters in covered}:
            return
        damage = 3 if self.plane[victim] == self.sun else 6
        crew = {"P": f"{victim[0]}P", "G": f"{victim[0]}G"}
        hurt = [p for p in crew.values() if p in self.repairing]
        for player in hurt or [crew[self.plane[team].split(".")[1][0]]]:
            self.scrapped[player] = self.scrapped.get(player, 0) + damage


@pytest.mark.parametrize("batch", range(8))
def test_a_second_reading_agrees(section: Callable[..., Any], batch: int) -> None:
    """Random cards of both teams on random positions: tokens and piles come out the same."""
    rng = Random(batch)
    for _ in range(250):
        planes = {team: rng.choice([z for z in ZONES if not z.startswith(team)]) for team in TEAMS}
        sun, first = rng.choice([*ZONES, *planes.values()]), rng.choice(TEAMS)
        cards = {
            team: (team[0] + rng.choice("PG"), rng.choice(FACES))
            for team in TEAMS
            if rng.random() < 0.9
        }
        idle = {"JP", "JG", "PP", "PG"} - {owner for owner, _ in cards.values()}
        repairing = {player for player in idle if rng.random() < 0.4}
        wanted = Reading(dict(planes), sun, first, repairing).resolve(cards)
        table = section(
            **{team.lower(): " ".join(card) for team, card in cards.items()},
            planes=planes, sun=sun, sun_at_round_start=first, repairing=sorted(repairing),
        )  # fmt: skip
        position = table.position
        stand = {team: position.zones[team.lower()] for team in TEAMS}
        assert (stand, position.sun) == (wanted.plane, wanted.sun), table.texts()
        piles = position.piles
        scrapped = {p: piles[p].counts["scrap"] for p in piles if piles[p].counts["scrap"]}
        assert scrapped == wanted.scrapped, table.texts()


@pytest.mark.parametrize("first", FACES)
def test_every_pair_of_cards_agrees(section: Callable[..., Any], first: str) -> None:
    """Each of Jaws' faces against each of Paws', from the start position."""
    planes = {"Jaws": "Paws.PC", "Paws": "Jaws.PC"}
    for second in FACES:
        cards = {"Jaws": ("JP", first), "Paws": ("PG", second)}
        wanted = Reading(dict(planes), "Jaws.PL", "Jaws", set()).resolve(cards)
        table = section(jaws=f"JP {first}", paws=f"PG {second}", planes=planes, sun="Jaws.PL")
        assert table.position.zones == {
            "jaws": wanted.plane["Jaws"], "paws": wanted.plane["Paws"], "sun": wanted.sun,
        }, (first, second)  # fmt: skip
