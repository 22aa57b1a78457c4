"""Questions judge: every kind takes what fits, refuses the rest with a code and its own cite."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import IllegalAnswer
from companion.core.question import (
    Choose,
    ChooseSome,
    Count,
    Declare,
    Locked,
    Option,
    Order,
    Question,
    Ready,
    Refusal,
    Reveal,
    Roll,
    RollAgain,
)
from companion.core.ruling import TABLE, Cite, Json

CITE = Cite.of("JP-3.5")
ASKED: dict[str, Any] = {"key": "k", "by": TABLE, "cite": CITE, "prompt": "?"}
ZONES = tuple(Option(name, name, name[-2:]) for name in ("Jaws.PL", "Jaws.PC", "Paws.PC"))

KINDS: list[Question[Any]] = [
    Choose(offered=ZONES, **ASKED),
    ChooseSome(offered=ZONES, fewest=1, most=2, **ASKED),
    Order(offered=ZONES, **ASKED),
    Reveal(faces={"MPL own": 1, "SH PL": 2}, **ASKED),
    Count(low=0, high=4, **ASKED),
    Roll(dice=2, **ASKED),
    Declare(parts=("pilot", "gunner"), most=9, **ASKED),
    Ready(**ASKED),
    Locked(**ASKED),
]


@pytest.mark.parametrize(
    ("question", "raw", "plain", "value"),
    [
        (KINDS[0], "Jaws.PL", "Jaws.PL", "Jaws.PL"),
        (KINDS[0], " jaws.pl ", "Jaws.PL", "Jaws.PL"),
        (KINDS[1], ["Paws.PC", "Jaws.PL"], ["Jaws.PL", "Paws.PC"], ("Jaws.PL", "Paws.PC")),
        (KINDS[1], "jaws.pl", ["Jaws.PL"], ("Jaws.PL",)),
        (KINDS[2], "paws.pc,jaws.pl,jaws.pc", ["Paws.PC", "Jaws.PL", "Jaws.PC"], None),
        (KINDS[3], "mpl-own", "MPL own", 1),
        (KINDS[4], "3", 3, 3),
        (KINDS[5], "6 1", [6, 1], (6, 1)),
        (KINDS[6], "1 0", {"pilot": 1, "gunner": 0}, {"pilot": 1, "gunner": 0}),
        (KINDS[6], [0, 2], {"pilot": 0, "gunner": 2}, {"pilot": 0, "gunner": 2}),
        (KINDS[6], {"gunner": 1}, {"pilot": 0, "gunner": 1}, {"pilot": 0, "gunner": 1}),
        (KINDS[6], "Pilot 2, gunner 1", {"pilot": 2, "gunner": 1}, {"pilot": 2, "gunner": 1}),
        (KINDS[7], True, "ready", None),
        (KINDS[8], "zero", "zero", None),
    ],
)
def test_what_fits_is_taken_and_kept_in_one_spelling(
    question: Question[Any], raw: Json, plain: Json, value: object
) -> None:
    """The log keeps one spelling, however the answer was typed; it reads back the same."""
    taken = question.judge(raw)
    assert taken.plain == plain
    if value is not None:
        assert taken.value == value
    assert question.judge(taken.plain) == taken


@pytest.mark.parametrize(
    ("question", "raw", "code"),
    [
        (KINDS[0], "Jaws.XX", "Q-NAME"),
        (KINDS[0], None, "Q-NAME"),
        (KINDS[1], [], "Q-COUNT"),
        (KINDS[1], ["Jaws.PL", "jaws.pl"], "Q-TWICE"),
        (KINDS[2], ["Jaws.PL"], "Q-ORDER"),
        (KINDS[3], "MPX own", "Q-NAME"),
        (KINDS[3], 7, "Q-NAME"),
        (KINDS[4], 5, "Q-LIMIT"),
        (KINDS[4], -1, "Q-LIMIT"),
        (KINDS[4], True, "Q-NUMBER"),
        (KINDS[4], "three", "Q-NUMBER"),
        (KINDS[4], 1.5, "Q-NUMBER"),
        (KINDS[5], [6], "Q-DICE"),
        (KINDS[5], [7, 1], "Q-DICE"),
        (KINDS[6], "1", "Q-COUNT"),
        (KINDS[6], {"cook": 1}, "Q-NAME"),
        (KINDS[6], [-1, 0], "Q-LIMIT"),
        (KINDS[7], "steady", "Q-NAME"),
        (KINDS[8], "locked", "Q-EARLY"),
        (KINDS[8], "now", "Q-NAME"),
    ],
)
def test_what_does_not_fit_is_refused_with_code_and_cite(
    question: Question[Any], raw: Json, code: str
) -> None:
    with pytest.raises(IllegalAnswer) as refused:
        question.judge(raw)
    assert (refused.value.code, refused.value.cite) == (code, CITE)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=8,
)


@given(raw=JSON, kind=st.sampled_from(KINDS))
def test_anything_at_all_is_taken_or_refused(raw: Json, kind: Question[Any]) -> None:
    """No answer, however malformed, does anything but be taken or be refused with a cite."""
    try:
        taken = kind.judge(raw)
    except IllegalAnswer as illegal:
        refusal = illegal
    else:
        assert kind.judge(taken.plain).plain == taken.plain
        return
    assert refusal.code
    assert refusal.cite is CITE
    assert str(refusal)


def test_a_rules_own_law_refuses_and_hides_the_option() -> None:
    """The law of a rule is asked by the judge and by the list of options alike."""

    def law(zone: str) -> Refusal | None:
        return Refusal("JP-E01", "Not there.", CITE) if zone == "Paws.PC" else None

    question = Choose(offered=ZONES, law=law, **ASKED)
    assert [option.name for option in question.options_now()] == ["Jaws.PL", "Jaws.PC"]
    with pytest.raises(IllegalAnswer, match="Not there") as refused:
        question.judge("Paws.PC")
    assert refused.value.code == "JP-E01"


def test_a_count_follows_the_position() -> None:
    """A limit that an arbiter has changed meanwhile is the new one."""
    hand = [2]
    question = Count(
        high=lambda: hand[0],
        over=lambda n: Refusal("JP-E40", f"{n} is more than the hand holds.", CITE),
        **ASKED,
    )
    assert question.read(2) == 2
    hand[0] = 1
    with pytest.raises(IllegalAnswer) as refused:
        question.read(2)
    assert (refused.value.code, refused.value.text) == ("JP-E40", "2 is more than the hand holds.")
    assert [option.name for option in question.options_now()] == ["0", "1"]


def test_an_untimed_phase_ends_at_a_word_and_not_at_zero() -> None:
    question = Locked(seconds=None, word_ends=True, **ASKED)
    assert question.judge("Locked").plain == "locked"
    with pytest.raises(IllegalAnswer):
        question.judge("zero")


def test_an_option_may_be_called_as_a_screen_calls_it() -> None:
    """Where only one is called so; the log keeps its name."""
    question = Choose(offered=ZONES, **ASKED)
    assert question.parse("pl").plain == "Jaws.PL"
    with pytest.raises(IllegalAnswer, match=r"'PC' is none of Jaws\.PL"):
        question.parse("PC")


def test_a_choice_that_is_none_is_refused_in_words_that_fit_one() -> None:
    """Where a single option is left."""
    question = Choose(offered=ZONES[:1], **ASKED)
    with pytest.raises(IllegalAnswer, match=r"'x' is not Jaws\.PL, which alone is left\."):
        question.parse("x")


@pytest.mark.parametrize("said", ["pilot 1, pilot 2", "pilot 1, bomber 2", "pilot many, gunner 0"])
def test_counts_that_are_told_wrong_are_refused(said: str) -> None:
    with pytest.raises(IllegalAnswer):
        KINDS[6].parse(said)


def test_dice_that_are_rolled_again_may_be_said_as_they_are_told() -> None:
    """As the key says it, and so the protocol; the log keeps the same whichever way."""
    question = RollAgain(
        faces=(3, 1, 3), failed=(1,), means=lambda: {"Focus": "1 token", "Luck": ""}, **ASKED
    )
    options = question.options_now()
    assert "Focus: roll 3, 1 again, 1 token" in [option.label for option in options]
    for option in options:
        assert question.parse(option.label) == question.parse(option.name)
    for wrong in ("Focus: roll 2 again, 1 token", "x" * 300):
        with pytest.raises(IllegalAnswer):
            question.parse(wrong)
