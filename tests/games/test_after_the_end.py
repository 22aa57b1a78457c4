"""After the end of a match, in any box: who leaves changes nothing, and its memory is free."""

from __future__ import annotations

import gc
import tomllib
import weakref
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion import games
from companion.core.offers import Stamp
from companion.core.ruling import Seat
from companion.games import RULEBOOKS
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of, play_out

ANA = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
AT: dict[str, tuple[str, dict[str, Any]]] = {
    "dogfight-1917": ("base", {}),
    "dogfight-hex": ("movement", {"players": 4}),
    "starship-edition": ("preparation", {}),
    "talespin-dogfight": ("announce", {}),
    "jaws-and-paws": ("section-2", {}),
}


def _begun(box: str, name: str, mode: str = "", **options: Any) -> Match[Any]:
    """A match from a position of the box."""
    folder = Path(games.__file__).parent / box.replace("-", "_") / "positions"
    position = tomllib.loads((folder / f"{name}.toml").read_text("utf-8"))
    variants = (mode,) if mode else ()
    return Match.start(Setup(box, variants, position=position, options=options), ANA)


def _leaves(match: Match[Any], seat: str) -> str:
    """Reports it; the words of the notice, if there is one."""
    what = "leaves" if match.setup.box == "starship-edition" else "retired"
    notice = match.report({"what": what, "player": seat}, stamp=ANA)
    return notice.text if notice is not None else ""


@pytest.mark.parametrize("box", RULEBOOKS)
def test_who_leaves_after_the_end_leaves_everything_as_it_stood(box: str) -> None:
    """Neither a piece nor a card is lost, nobody else wins, nothing is ruled or asked."""
    if box in AT:
        name, options = AT[box]
        match = _begun(box, name, **options)
    else:
        match = Match.start(Setup(box), ANA)
    if not {"leaves", "retired"} & {*match.rulebook.report_words()}:
        pytest.skip("nobody reports that somebody leaves")
    (winner, *_) = match.rulebook.sides_taken()
    match.close([winner], "", "time is up", ANA)
    outcome, ruled, stood = match.outcome, len(match.rulings), match.position.to_file()
    for seat in match.rulebook.seats_taken():
        told = _leaves(match, seat)
        assert told.endswith("has left; the match had ended before."), told
    now = match.position.to_file()
    assert [one for one in stood if stood[one] != now.get(one)] == []
    assert (match.outcome, len(match.rulings), list(match.open)) == (outcome, ruled, [])


def test_the_last_team_flying_may_go_home() -> None:
    """Three teams of Jaws & Paws: two have given up, the third has won and leaves as well."""
    match = _begun("jaws-and-paws", "five-players", "five-players")
    for seat in ("JP2", "PP", "PG"):
        _leaves(match, seat)
    assert match.outcome is not None
    assert match.outcome.winners == (Seat("Jaws"),)
    ruled = len(match.rulings)
    assert [_leaves(match, seat) for seat in ("JP", "JG")] == [
        "Jaws Pilot has left; the match had ended before.",
        "Jaws Gunner has left; the match had ended before.",
    ]
    assert (len(match.rulings), list(match.open)) == (ruled, [])


@pytest.fixture
def no_collector() -> Iterator[None]:
    """Nothing but what nobody holds any more is freed."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collector")
@pytest.mark.parametrize("box", RULEBOOKS)
def test_a_match_that_is_over_is_freed_as_soon_as_nobody_holds_it(box: str) -> None:
    """So are the rules that an undo threw away: nothing in them goes round in a circle."""
    match = Match[Any].start(Setup(box), ANA)
    play_out(match, bots_of(match.setup, Random(1)), 20)
    held = [weakref.ref(match.rulebook)]
    match.undo(stamp=ANA)
    held.append(weakref.ref(match.rulebook))
    match.close([match.rulebook.sides_taken()[0]], "", "time is up", ANA)
    other = Match[Any].start(Setup(box), ANA)
    play_out(other, bots_of(other.setup, Random(1)))
    held.append(weakref.ref(other.rulebook))
    del match, other
    assert [rules() for rules in held] == [None, None, None]
