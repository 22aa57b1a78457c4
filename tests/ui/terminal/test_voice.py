"""What the terminal says: how each kind of question is answered, and how a block is lifted."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from companion.core.question import ChooseSome, Option, Order, Question, Roll, RollAgain
from companion.core.ruling import TABLE, Cite, Level, Notice
from ui.terminal.voice import PlainVoice, how_to_answer, question_json

CITE = Cite.of("DF-10.3")
ASKED: dict[str, Any] = {"key": "k", "by": TABLE, "cite": CITE, "prompt": "?"}
DICE = [Option("1", 0, "2"), Option("2", 1, "6")]
NAMED = [Option(name, name, name) for name in ("a", "b", "c")]


@pytest.mark.parametrize(
    ("question", "how"),
    [
        (Roll(**ASKED, dice=1), "a number from 1 to 6"),
        (Roll(**ASKED, dice=3), "3 numbers from 1 to 6, as 1 2 3"),
        (ChooseSome(**ASKED, offered=DICE, fewest=1, most=2),
         "1 (2) | 2 (6): 1 to 2 of them, as 1,2"),
        (ChooseSome(**ASKED, offered=NAMED, fewest=2, most=2), "a | b | c: 2 of them, as a,b"),
        (Order(**ASKED, offered=NAMED), "a | b | c: all of them in order, as a,b,c"),
    ],
)  # fmt: skip
def test_how_to_answer_can_be_typed(question: Question[Any], how: str) -> None:
    """What stands after "as" is an answer that the question takes."""
    assert how_to_answer(question) == how
    if ", as " in how:
        question.judge(how.rpartition(", as ")[2])


def test_dice_to_roll_again_are_told_with_their_price() -> None:
    """Nobody takes "Focus 4 2" for two tokens or for a 4 and a 2 that were rolled."""
    question = RollAgain(**ASKED, faces=(4, 2), means=lambda: {"Focus": "1 token", "Wing": ""})
    told = how_to_answer(question).split(" | ")
    assert told[:2] == ["keep", "Focus 4 (roll 4 again, 1 token)"]
    assert "Focus 4 2 (roll 4, 2 again, 1 token)" in told
    assert "Wing 2 (roll 2 again)" in told


def test_programs_are_told_what_an_answer_is_put_together_from() -> None:
    """The names that answers use, also where an answer has several."""
    told = question_json(ChooseSome(**ASKED, offered=DICE, fewest=1, most=2))
    assert told["options"] == ["1", "2"]


def test_a_block_is_said_with_the_line_that_lifts_it() -> None:
    """A warning needs none: it stops nothing."""
    out = io.StringIO()
    voice = PlainVoice(Console(file=out, width=200, color_system=None))
    voice.notice(Notice("DF-E16", "Nine tokens.", CITE, Level.BLOCK, "Count again."))
    assert '!report {"what": "solved", "code": "DF-E16"}' in out.getvalue()
    out.truncate(0)
    voice.notice(Notice("DF-E11", "Dice lie there.", CITE, Level.WARN, "Clear it."))
    assert "solved" not in out.getvalue()
