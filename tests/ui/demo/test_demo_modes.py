"""The demonstration in other modes of Jaws & Paws: drawn frames, the Moon, a solo player."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.games.jaws_and_paws.boards import MOON
from companion.match.match import Match
from companion.record.record import Record
from ui.demo.demo import DemoCall, Demonstration

CALLS: list[tuple[tuple[str, ...], dict[str, Any]]] = [
    (("night",), {"sight": "confirm", "early_end": "all_locked"}),
    (
        ("three-players",),
        {"doubled_reveal": True, "unclear_half": "owner_chooses", "public_counts": False},
    ),
    (("night", "two-players"), {"timer_s": 10}),
    (("five-players",), {"crews": "2 2 1", "lock_asks": "players", "timer_s": "none"}),
]
"""Modes, each under other house rules: whatever is asked under them can be touched, too."""


@pytest.mark.slow
@pytest.mark.parametrize("rounds", [1, pytest.param(2, marks=pytest.mark.soak)])
@pytest.mark.parametrize(("variants", "options"), CALLS, ids=["night", "3", "night-2", "5"])
def test_rounds_are_played_on_drawn_frames(
    tmp_path: Path, variants: tuple[str, ...], options: dict[str, Any], rounds: int
) -> None:
    """Nobody helps out, every settled sighting is right, hands and record end alike."""
    call = DemoCall(
        variants=variants,
        options=options,
        record=str(tmp_path / "demo.sqlite"),
        pace=0.0,
        pins="mock",
        seed=3,
        rounds=rounds,
    )
    demonstration = Demonstration(call)
    summary = demonstration.play()
    assert (summary.rounds, summary.reasons, summary.truth.faults) == (rounds, (), [])
    assert summary.misled == ()
    assert summary.truth.settled >= rounds
    with Record.open(tmp_path / "demo.sqlite") as record:
        match: Any = Match.replay(record.load(record.matches()[0].match_id).entries)
    bots: Any = demonstration.demo.bots
    for player in match.position.lineup.players:
        assert dict(match.position.piles[player].counts) == bots.counts(player), player
    assert (MOON in match.position.zones) is ("night" in variants)


def test_people_sit_where_persons_sit(tmp_path: Path) -> None:
    """A solo player has one name."""
    call = DemoCall(variants=("three-players",), record=str(tmp_path / "d.sqlite"), pace=0.0,
                    pins="mock", rounds=1)  # fmt: skip
    match = Demonstration(call).table.refereed().match
    assert list(match.setup.seats) == ["JP", "JG", "PP"]
