"""What the table reports and no question asks: words, fields, codes, and what they hold up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.errors import IllegalAnswer
from companion.core.ruling import Level
from companion.kit.reports import report_in_words

MakeTable = Callable[..., Any]


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        ({"what": "weather"}, "nobody reports 'weather'; the words are dogfight, card"),
        ({"what": "card"}, "lacks player"),
        ({"what": "card", "player": "A"}, "lacks window"),
        ({"what": "card", "player": "A", "window": "lunch"}, "window: 'lunch' is no window"),
        ({"what": "card", "player": "A", "window": "end", "card": "Ace"}, "is no card of a window"),
        ({"what": "drew", "player": "A", "count": -1}, "count: -1 is not a whole number"),
        ({"what": "drew", "player": "Q", "count": 1}, "player: 'Q' is no seat"),
        ({"what": "drew", "player": "D", "count": 1}, "nobody sits at D; there are A, B, C"),
        ({"what": "damage", "count": 1}, "none is dealt at defend"),
        ({"what": "recount", "pile": "hand", "count": 1}, "is no common pile"),
        ({"what": "missing", "piece": "ship"}, "'ship' is no token"),
        ({"what": "decision", "text": " "}, "is no decision"),
        ({"what": "decision", "weight": 3}, "has no field weight"),
    ],
)
def test_a_malformed_report_is_refused(fact: dict[str, Any], words: str, at: MakeTable) -> None:
    """It changes nothing."""
    table = at("defend", players=3)
    before = table.position.digest()
    assert words in str(table.refused_report(fact.pop("what"), **fact))
    assert table.position.digest() == before


@pytest.mark.parametrize(
    ("step", "what", "fields", "code"),
    [
        ("announce", "dogfight", {"player": "A"}, "TS-AGREES"),
        ("announce", "dogfight", {"player": "B"}, "TS-E-TURN"),
        ("end-attacker", "dogfight", {"player": "A"}, "TS-E-TURN"),
        ("start-attacker", "card", {"player": "A", "window": "start_own"}, "TS-AGREES"),
        ("start-attacker", "card", {"player": "B", "window": "start_own"}, "TS-E-WHO"),
        ("before-attacker", "card", {"player": "B", "window": "before_pilot"}, "TS-E-WHO"),
        ("start-attacker", "card", {"player": "A", "window": "start_own", "card": "Homeward"},
         "TS-E-WINDOW"),
        ("before-attacker", "card", {"player": "A", "window": "start_own"}, "TS-E-CLOSED"),
        ("start-attacker", "card", {"player": "B", "window": "start_against"}, "TS-E-ORDER"),
        ("defend", "decides", {"player": "B"}, "TS-AGREES"),
        ("defend", "decides", {"player": "A"}, "TS-E-WHO"),
        ("answer-1", "decides", {"player": "B"}, "TS-E-WHO"),
        ("defend", "drew", {"player": "B", "count": 2}, "TS-E-ORDER"),
        ("defend", "drew", {"player": "B", "count": 0}, "TS-AGREES"),
        ("draw-attacker", "drew", {"player": "B", "count": 1}, "TS-E-COUNT"),
        ("draw-attacker", "drew", {"player": "A", "count": 5}, "TS-E-HANDMAX"),
        ("draw-attacker", "drew", {"player": "A", "count": 3}, "TS-AGREES"),
        ("draw-won", "drew", {"player": "A", "count": 3}, "TS-AGREES"),
        ("damage", "damage", {"count": 3}, "TS-AGREES"),
        ("damage", "damage", {"count": 2}, "TS-E-COUNT"),
        ("defend", "recount", {"player": "A", "pile": "hand", "count": 5}, "TS-AGREES"),
        ("defend", "recount", {"player": "A", "pile": "hand", "count": 4}, "TS-COUNT"),
        ("defend", "recount", {"pile": "draw", "count": 39}, "TS-COUNT"),
        ("defend", "missing", {"piece": "plane-a"}, "TS-SEEN"),
        ("defend", "missing", {"piece": "Plane D"}, "TS-AGREES"),
        ("defend", "decision", {"text": "we deal again"}, "TS-TABLE"),
    ],
)  # fmt: skip
def test_each_report_has_its_code(
    step: str, what: str, fields: dict[str, Any], code: str, at: MakeTable
) -> None:
    """Cited, and with a way out where something is wrong."""
    table = at(step, players=3)
    before = table.position.digest()
    notice = table.report(what, **fields)
    assert notice.code == code
    assert notice.cite.rules or notice.cite.rulings
    assert notice.way_out or notice.code == "TS-AGREES"
    assert table.position.digest() == before


def test_a_late_card_names_its_window_in_words(at: MakeTable) -> None:
    """In the notice and in what the protocol tells of the report."""
    table = at("before-attacker")
    told = {"player": "B", "window": "start_against"}
    assert table.report("card", **told).text == (
        "Player B's window on being attacked is closed: it does not open again."
    )
    said = report_in_words({"what": "card", **told}, table.match.rulebook)
    assert said == "Player B plays a card, on being attacked"
    odd = report_in_words({"what": "card", "player": "B", "window": "noon"}, table.match.rulebook)
    assert odd == "Player B plays a card, at the moment “noon”"


def test_a_count_that_differs_holds_the_match_up_until_solved(at: MakeTable) -> None:
    """Then play goes on."""
    table = at("defend")
    assert table.report("recount", player="A", pile="hand", count=4).level is Level.BLOCK
    with pytest.raises(IllegalAnswer, match="the record has 5"):
        table.say("defend")
    table.match.report({"what": "solved", "code": "TS-COUNT"}, table.stamp)
    assert table.say("defend").step == "before-attacker"
