"""Whoever has told a name is called by it, and so are their tokens: letters are for files."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from contextlib import redirect_stderr
from random import Random
from typing import Any

import pytest

from companion.core.errors import IllegalAnswer
from companion.core.offers import Offer
from companion.core.ruling import Seat
from companion.kit.reports import report_in_words
from companion.match.correction import in_words
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP, bots_of
from ui.terminal.app import run

PEOPLE = ("Ana", "Ben", "Cleo", "Dan")
BOXES = ("dogfight-hex", "talespin-dogfight")
LETTER = re.compile(r"(?<![\w'])[BCD](?![\w'])")
"""The letters of seats that are neither a word nor a heading."""
MARKING = "the ship marked"
"""How a player is told which of the tokens is meant, once."""

NONSENSE = (
    "B", "Ben", "Ben's ship", "Dan's debris", "Ben's plane", "D", "0,0", "0,0 NW", "9,9",
    "1,0 ram Dan", "ram Cleo", "Ben: Swoop", "1", "13", "14", "Ben 1", "Dan 2", "none", "pass",
    "range", "left", "lot",
)  # fmt: skip


def _match(box: str) -> Match[Any]:
    seats = {Seat(letter): name for letter, name in zip("ABCD", PEOPLE, strict=True)}
    return Match[Any].start(Setup(box, seats=seats, options={"players": 4}), STAMP)


def _refused(match: Match[Any], key: str) -> Iterator[str]:
    """What is said of answers that are none, typed with names and with letters."""
    for raw in NONSENSE:
        try:
            match.word_before(key, raw)
        except IllegalAnswer as refused:
            yield refused.text.replace(repr(raw), "")


def _told(match: Match[Any]) -> Iterator[str]:
    """What people read while a match stands so."""
    for key, question in match.open.items():
        yield question.prompt
        yield question.headline
        yield from (option.label for option in question.options_now())
        if key not in match.answered:
            yield from _refused(match, key)
    yield from (notice.text for notice in match.notices.values())


@pytest.mark.parametrize("box", BOXES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nobody_with_a_name_is_called_by_a_letter(box: str, seed: int) -> None:
    """Prompts, labels, refusals, rulings and what hands do, through a whole match of bots."""
    match = _match(box)
    bots, ruled, said = bots_of(match.setup, Random(seed)), 0, set[str]()
    while match.outcome is None:
        said.update(_told(match))
        question = next(q for key, q in match.open.items() if key not in match.answered)
        match.answer(Offer(question.key, bots.act(question), "bot", question.by), STAMP)
        for ruling in match.rulings[ruled:]:
            said.update((ruling.text, ruling.headline))
            said.update(in_words(deed, match.rulebook) for deed in ruling.deeds)
            bots.perform(ruling.deeds)
        ruled = len(match.rulings)
    assert any("Ben" in words for words in said)
    assert [words for words in said if LETTER.search(words) and MARKING not in words] == []


@pytest.mark.parametrize("box", BOXES)
def test_a_report_is_told_by_the_name_it_was_made_with(box: str) -> None:
    """Whatever code the log keeps."""
    match = _match(box)
    match.report({"what": "retired", "player": "Ben"}, STAMP)
    reported = match.entries[-1].answer
    assert isinstance(reported, dict)
    assert report_in_words(reported, match.rulebook) == "Ben has left the table"


@pytest.mark.parametrize(
    ("box", "seats", "limit"),
    [
        ("dogfight-hex", "A=a,B=b,C=c,D=d,E=e,F=f,G=g", "3 to 6 play [HX-E-PLAYERS, HX-SET-07]"),
        ("dogfight-hex", "A=a,B=b", "3 to 6 play [HX-E-PLAYERS, HX-SET-07]"),
        ("talespin-dogfight", "A=a,B=b,C=c,D=d,E=e", "2 to 4 play [TS-E-PLAYERS, TS-102, TS-309]"),
    ],
)
def test_too_many_or_too_few_people_hear_how_many_play(box: str, seats: str, limit: str) -> None:
    """With the box's own code, whatever this table has set."""
    heard = io.StringIO()
    with redirect_stderr(heard):
        assert run(["referee", box, "--seats", seats, "--script", os.devnull]) == 2
    assert limit in heard.getvalue()
