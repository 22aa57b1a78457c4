"""The random player answers every kind of question legally, or says that it cannot."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
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
    Taken,
)
from companion.core.ruling import TABLE, Cite, Json
from companion.kit.playing import HiddenTable, RandomPlayer

CITE = Cite.of("JP-1.1")
LETTERS = tuple(Option(name, name, name) for name in "abcd")


def ask(kind: Callable[..., Question[Any]], **terms: Any) -> Question[Any]:
    return kind(key="k", by=TABLE, cite=CITE, prompt="?", **terms)


EVERY_KIND = [
    ask(Choose, offered=LETTERS),
    ask(ChooseSome, offered=LETTERS, fewest=1, most=3),
    ask(Order, offered=LETTERS),
    ask(Reveal, faces={"x": 1, "y": 2}),
    ask(Count, low=2, high=5),
    ask(Roll, dice=3, faces=6),
    ask(Declare, parts=("pilot", "gunner"), most=1),
    ask(Ready, word="drawn"),
    ask(Locked, seconds=20.0),
    ask(Locked, seconds=None, word_ends=True),
]


@pytest.mark.parametrize("question", EVERY_KIND, ids=lambda question: question.kind)
@given(seed=st.integers(0, 2**32 - 1))
def test_every_kind_is_answered_legally(question: Question[Any], seed: int) -> None:
    """From the kind alone, whatever the box."""
    raw = RandomPlayer(Random(seed)).answer(question)
    assert question.judge(raw).plain == raw


class Toss(Question[bool]):
    """A kind that the player has not heard of, but that lists its answers."""

    def options_now(self) -> tuple[Option[bool], ...]:
        return (
            Option("heads", value=True, label="Heads"),
            Option("tails", value=False, label="Tails"),
        )

    def parse(self, raw: Json) -> Taken:
        return Taken(raw, raw == "heads")


def test_a_new_kind_that_lists_its_answers_is_answered() -> None:
    """Each answer in time, with no word about the kind here or in the player."""
    told = {str(RandomPlayer(Random(seed)).answer(ask(Toss))) for seed in range(9)}
    assert told == {"heads", "tails"}


def test_every_answer_is_given_some_time() -> None:
    """No legal answer of a small question is left out."""
    player = RandomPlayer(Random(1))
    assert {str(player.answer(EVERY_KIND[0])) for _ in range(200)} == set("abcd")
    assert {str(player.answer(EVERY_KIND[4])) for _ in range(200)} == set("2345")


def test_the_same_seed_answers_alike() -> None:
    """Replays of a simulation are exact."""
    first, second = RandomPlayer(Random(3)), RandomPlayer(Random(3))
    assert [first.answer(q) for q in EVERY_KIND] == [second.answer(q) for q in EVERY_KIND]


def test_a_rules_own_law_is_heeded() -> None:
    """What the law refuses is not answered."""
    odd = ask(Count, high=9, law=lambda n: Refusal("X", "odd", CITE) if n % 2 else None)
    player = RandomPlayer(Random(1))
    assert all(int(str(player.answer(odd))) % 2 == 0 for _ in range(50))


def test_where_nothing_is_found_silence_answers() -> None:
    """A question with a lapse is answered by it."""
    picky = ask(
        Count, high=99, lapse="7", law=lambda n: None if n == 7 else Refusal("X", "no", CITE)
    )
    assert str(RandomPlayer(Random(2)).answer(picky)) == "7"


def test_where_nothing_is_legal_the_refusal_is_told() -> None:
    """Rather than an illegal answer."""
    impossible = ask(Count, high=3, law=lambda _: Refusal("X", "never", CITE))
    with pytest.raises(IllegalAnswer, match="never"):
        RandomPlayer(Random(1)).answer(impossible)


def test_an_unknown_kind_is_named() -> None:
    """A new kind of question that lists no answers needs a word here."""

    class Unheard(Question[Any]):
        """A kind of its own."""

        def parse(self, raw: Any) -> Any:
            raise NotImplementedError

    with pytest.raises(TypeError, match="unheard"):
        RandomPlayer(Random(1)).answer(ask(Unheard))


def test_a_choice_of_nothing_is_named_by_its_key() -> None:
    """Whoever writes the box finds the question that offers no answer."""
    with pytest.raises(TypeError, match=r"^k: a choose with no answers to choose from"):
        RandomPlayer(Random(1)).answer(ask(Choose))


def test_a_hidden_table_without_rules_is_refused_when_its_class_is_made() -> None:
    """It could deal nothing."""
    with pytest.raises(TypeError, match="Bare names no `rulebook`"):
        type("Bare", (HiddenTable,), {})
