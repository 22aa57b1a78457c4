"""An amend that opens a new question: what is said of the lines that wait until it is answered."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from companion.core.offers import Offer, Stamp
from companion.core.ruling import Seat
from companion.games import rulebook_of
from companion.kit.reports import reported_in_words
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP
from companion.match.timeline import Fate
from companion.referee.protocol import Protocol, read_protocol
from ui.table.protocol import rows_of
from ui.terminal.voice import PlainVoice

ANA = Stamp("Ana", "2026-11-21T19:42:10Z", 65.0)
A, B = Seat("A"), Seat("B")


def _player(fighter: str, place: str, tokens: int) -> dict[str, Any]:
    return {
        "fighter": fighter, "pilot": "mentor", "place": place, "tokens": tokens,
        "deck": 12, "hand": 2, "discard": 2, "damage": 4,
    }  # fmt: skip


def _say(match: Match[Any], seat: Seat, raw: Any) -> None:
    match.answer(Offer(next(iter(match.open)), raw, "script", seat), STAMP)


@pytest.fixture
def attack() -> Match[Any]:
    """Ana attacks, and all three of her dice lie on the Gunsight (line 2)."""
    players = {"A": _player("camel", "0,1 N", 4), "B": _player("spad", "0,-1 N", 0)}
    position: Any = {"turn": 7, "phase": "engagement", "active": "A", "players": players}
    seats = {A: "Ana", B: "Ben"}
    match: Match[Any] = Match.start(Setup("dogfight-1917", position=position, seats=seats), STAMP)
    _say(match, A, "Basic Attack")
    _say(match, A, [6, 6, 6])
    return match


@pytest.fixture
def match(attack: Match[Any]) -> Match[Any]:
    """Ben drew two too many after the attack, and Ana's tokens were counted twice."""
    match = attack
    _say(match, B, "pass")
    match.report({"what": "drew", "player": "B", "count": 2}, STAMP)
    match.report({"what": "tokens", "player": "A", "count": 3}, STAMP)
    match.report({"what": "solved", "code": "DF-E16"}, STAMP, "counted again, 4")
    return match


def test_an_amend_says_first_what_is_asked_anew_and_that_later_lines_wait(
    match: Match[Any],
) -> None:
    """Each with what falls with it; a report, which has no question, in a sentence of its own."""
    revision = match.amend(2, [6, 6, 1], "misread")
    (first,) = revision.in_words()
    asked = "Asked first: Ana: you rolled 6, 6, 1 against Difficulty 5 for the Basic Attack at Ben."
    assert first.startswith(asked)
    assert first.endswith(
        "Do you roll any again? 4 lines below (lines 3 to 6) come back when that is answered, "
        "where they still fit."
    )
    assert revision.line_in_words(4) == "line 4 (Reported: Ben drew 2 cards more than was ruled)"
    assert revision.line_in_words(6) == "line 6 (The notice DF-E16 is solved)"
    assert [(flip.old.text[:10], flip.new) for flip in revision.flips if flip.old] == [
        ("Ana rolled", None)
    ], "what Ben's waiting answer ruled falls with it, and is told there"
    falling = {seq: [one.text for one in said] for seq, said in revision.falling.items()}
    assert falling == {
        3: ["Ben takes 3 damage: 3 off the Deck, 9 left.", *falling[3][1:]],
        4: [],
        5: [],
        6: [],
    }


def test_each_line_that_waits_is_printed_with_what_falls(match: Match[Any]) -> None:
    """As people at the terminal read it before they put an amend into effect."""
    said = StringIO()
    PlainVoice(Console(file=said, width=400)).revision(match.amend(2, [6, 6, 1], "misread"))
    rows = said.getvalue().splitlines()
    (waits,) = [at for at, row in enumerate(rows) if row.startswith("~ Waits: line 3 (Ben")]
    assert rows[waits].endswith("; until then not ruled:")
    assert rows[waits + 1] == "    - Ben takes 3 damage: 3 off the Deck, 9 left."
    assert "~ Waits: line 6 (The notice DF-E16 is solved)" in rows


def test_an_amend_that_asks_nothing_anew_says_what_stays(match: Match[Any]) -> None:
    """Other dice, as many hits: every later line stands."""
    revision = match.amend(2, [6, 6, 5], "misread")
    assert set(revision.fate.values()) == {Fate.KEPT}
    assert revision.in_words() == ["4 later lines stay."]


def _rows(protocol: Protocol, seq: int) -> list[str]:
    line = next(line for line in protocol.lines if line.entry.seq == seq)
    return [row.text.strip() for row in rows_of(line)][1:]


def test_lines_that_waited_say_in_one_line_from_when_to_when(match: Match[Any]) -> None:
    """The reason stands at the amend alone; what moved to a line of its own is found there."""
    match.amend(2, [6, 6, 1], "misread").commit(ANA)
    waiting = read_protocol(match.entries, lambda _: "")
    assert _rows(waiting, 3)[0] == "~ Out of effect since line 7: its question has to come again."
    assert _rows(waiting, 2)[-1] == "ruled now: nothing"
    _say(match, A, "Keep")
    protocol = read_protocol(match.entries, lambda _: "")
    assert all(line.in_effect for line in protocol.lines)
    for seq in (3, 4, 5, 6):
        assert "~ Out of effect from line 7 to line 8." in _rows(protocol, seq)
        assert not any("misread" in row for row in _rows(protocol, seq))
    assert _rows(protocol, 2)[-1] == "ruled now: see line 8"
    assert [line.entry.seq for line in protocol.lines if "misread" in line.entry.reason] == [7]


def test_a_solution_that_is_needed_no_more_is_closed_and_its_notice_stands_as_it_is(
    match: Match[Any],
) -> None:
    """With one token paid, Ana's three are as recorded: nothing is left to solve."""
    match.amend(2, [6, 6, 1], "misread").commit(ANA)
    _say(match, A, "Focus 1")
    _say(match, A, [6])
    protocol = read_protocol(match.entries, lambda _: "")
    assert not match.parked
    assert [line.entry.seq for line in protocol.lines if not line.in_effect] == [6]
    assert _rows(protocol, 6) == [
        "~ Out of effect since line 7, and no longer needed: at line 9 nothing was left to solve."
    ]
    solved, out, had, now = _rows(protocol, 5)
    assert solved == "~ Had been solved by line 6, until line 7."
    assert out == "~ Out of effect from line 7 to line 9."
    assert had.startswith("had been, until line 7: Ana has 3 tokens; the record has 4.")
    assert now.startswith("! As recorded: Ana has 3 tokens.")


def test_cards_drawn_are_those_beyond_what_was_ruled_or_all_as_the_box_means_it() -> None:
    """TaleSpin counts all that somebody drew; the others what came on top."""
    drew: dict[str, Any] = {"what": "drew", "player": "A", "count": 1}
    told = [
        reported_in_words(drew, rulebook_of(setup)(setup))
        for setup in (Setup("dogfight-1917"), Setup("talespin-dogfight"))
    ]
    assert [text.partition(" drew ")[2] for text in told] == [
        "1 card more than was ruled.",
        "1 card in all.",
    ]


def test_a_ruling_that_came_back_as_it_was_is_not_said_to_be_new(attack: Match[Any]) -> None:
    """Ben's card goes where it went before, though his answer was out of effect meanwhile."""
    _say(attack, B, "Evasive Dive")
    _say(attack, B, [1, 1])
    attack.amend(2, [6, 6, 1], "misread").commit(ANA)
    _say(attack, A, "Keep")
    rows = _rows(read_protocol(attack.entries, lambda _: ""), 4)
    (card,) = [row for row in rows if "card goes to the Discard Pile" in row]
    assert card.startswith("»")
    assert len([row for row in rows if row.startswith("ruled now: ")]) == 2
