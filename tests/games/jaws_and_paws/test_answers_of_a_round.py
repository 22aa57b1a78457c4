"""How many answers a round takes: none is asked that has one answer, or confirms nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from companion.match.match import Match

Laid = Mapping[str, str]
"""By team and section what is told at the lock: {"jaws/1": "1 0"}."""

ROUNDS: Mapping[str, tuple[dict[str, Any], Laid, int, int]] = {
    "one card a team, nothing to shuffle": (
        {"round": 1}, {"jaws/1": "1 0", "paws/2": "0 1"}, 11, 9),
    "one card a team, the others shuffle": (
        {}, {"jaws/1": "1 0", "paws/2": "0 1"}, 11, 11),
    "four cards a team": (
        {}, {f"{team}/{n}": "1 0" if n % 2 else "0 1" for team in ("jaws", "paws")
             for n in (1, 2, 3, 4)}, 21, 21),
    "nobody lays a card": ({"round": 1}, {}, 9, 6),
    "players are asked": (
        {"round": 1, "options": {"lock_asks": "players"}}, {"JP": "1", "PG": "1"}, 13, 9),
    "a solo player lays one card": (
        {"round": 1, "variants": "three-players"}, {"paws/2": "0 1"}, 11, 7),
    "a solo player lays two": (
        {"round": 1, "variants": "three-players"}, {"paws/2": "0 1", "paws/3": "1 0"}, 12, 10),
}  # fmt: skip
"""A round, what is laid in it, and the answers it takes in the first edition and in this one."""


def answers(table: Any, laid: Laid) -> int:
    """What people say from the ready to the next ready; silence is no answer."""
    first, said = table.position.round_number, 0
    while table.position.round_number == first:
        told = {f"/lock/{place}": borders for place, borders in laid.items()}
        waiting = [key for key in table.match.open if key not in table.match.answered]
        key = next((k for k in waiting if any(k.endswith(end) for end in told)), None)
        raw: Any = next((told[end] for end in told if key and key.endswith(end)), None)
        if key is None:
            key = next(k for k in waiting if table.match.open[k].lapse is None)
            raw = answer_to(table.match.open[key])
        table.say(key, raw)
        said += 1
    return said


def answer_to(question: Any) -> Any:
    """A card that moves nothing and hits nobody, where one lies; else the first that is legal."""
    names = [option.name for option in question.options_now()]
    if question.kind == "reveal":
        return "MPC own" if "MPC own" in names else names[0]
    return "zero" if question.kind == "locked" else names[0]


@pytest.mark.parametrize("name", ROUNDS)
def test_a_round_takes_so_many_answers(
    play: Callable[..., Any], at: Callable[..., Any], name: str
) -> None:
    """Before and now, as counted at the table; a log of the first edition is asked as it was."""
    changes, laid, before, now = ROUNDS[name]
    fresh = changes.get("round") == 1
    piles = {"deck": 26, "hand": 4, "discard": 0}
    alone = {"deck": 27, "hand": 3, "discard": 0}
    solo = ("PP", "PG") if "variants" in changes else ()
    lines = {p: alone if p in solo else piles for p in ("JP", "JG", "PP", "PG")} if fresh else {}
    table = at("action", **changes, **lines)
    old = at("action", **changes, **lines)
    setup, *_ = old.match.entries
    old.match = Match.replay([setup._replace(answer={**setup.answer, "edition": 1})])
    assert (answers(old, laid), answers(table, laid)) == (before, now)


def test_who_holds_no_card_is_asked_for_no_discards(at: Callable[..., Any]) -> None:
    """An empty hand has nothing to discard: nought is its one answer."""
    table = at("draw", JP={"hand": 0, "deck": 20})
    assert "round-2/discard/JP" not in table.asked
    table.draw()
    assert table.position.piles["JP"].counts["hand"] == 4
