"""Counted piles of partly unknown cards, and the real ones of the hidden table."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.ruling import Carry, Seat, Shuffle
from companion.kit.piles import CountedPiles

JP = Seat("JP")
PILES = ("deck", "hand", "discard")


def counted(deck: int = 20, hand: int = 4, discard: int = 6) -> CountedPiles:
    return CountedPiles(JP, {"deck": deck, "hand": hand, "discard": discard})


def test_a_move_is_a_deed_for_hands() -> None:
    """Owner, number, from and to; `place` is what hands call the source."""
    assert counted().move(2, "hand", "discard") == Carry(JP, 2, "hand", "discard")
    assert counted().move(1, "hand", "discard", "Jaws.2") == Carry(JP, 1, "Jaws.2", "discard")


@pytest.mark.parametrize("count", [-1, 5])
def test_more_cards_than_lie_there_do_not_move(count: int) -> None:
    """Nothing is moved, and the message names owner, number and pile."""
    piles = counted()
    with pytest.raises(ValueError, match=f"JP: {count} of 4 cards from hand"):
        piles.move(count, "hand", "discard")
    assert piles.counts == {"deck": 20, "hand": 4, "discard": 6}


@given(
    st.lists(st.tuples(st.integers(0, 30), st.sampled_from(PILES), st.sampled_from(PILES))),
)
def test_no_move_changes_the_sum(moves: list[tuple[int, str, str]]) -> None:
    """Whatever is moved or refused, the owner has as many cards as before."""
    piles = counted()
    for count, source, target in moves:
        if count <= piles[source]:
            piles.move(count, source, target)
        piles.shuffle(source, target)
        assert piles.total == 30
        assert min(piles.counts.values()) >= 0


def test_a_shuffle_empties_one_pile_into_another() -> None:
    """All of it, however much that is."""
    piles = counted()
    assert piles.shuffle("discard", "deck") == Shuffle(JP, 6, "discard", "deck")
    assert piles.counts == {"deck": 26, "hand": 4, "discard": 0}
    assert piles.shuffle("discard", "deck").count == 0


def test_a_shuffle_into_itself_keeps_every_card() -> None:
    """A Deck is shuffled where it lies."""
    piles = counted()
    piles.shuffle("deck", "deck")
    assert piles["deck"] == 20


def test_what_was_seen_goes_with_its_pile() -> None:
    """A whole pile takes its known cards along; a part leaves them; a shuffle forgets."""
    piles = counted(hand=2)
    piles.learn("hand", "SH PL")
    piles.learn("hand", "MPL")
    piles.move(2, "hand", "discard")
    assert piles.seen("discard") == Counter({"MPL": 1, "SH PL": 1})
    piles.move(3, "discard", "hand")
    assert piles.seen("discard") == Counter({"MPL": 1, "SH PL": 1})
    piles.shuffle("discard", "deck")
    assert piles.seen(*PILES) == Counter()


def test_a_part_that_must_contain_a_known_card_forgets_which() -> None:
    """Two of three go, two were known: nobody knows any more what lies where."""
    piles = counted(discard=3)
    piles.learn("discard", "MPL")
    piles.learn("discard", "MPR")
    piles.move(2, "discard", "deck")
    assert piles.seen(*PILES) == Counter()


def test_no_more_is_known_than_lies_there() -> None:
    """A card learnt of an empty pile is not kept, and a recount below it forgets."""
    piles = counted(hand=1)
    piles.learn("hand", "MPL")
    piles.learn("hand", "MPR")
    assert piles.seen("hand") == Counter({"MPL": 1})
    piles["hand"] = 0
    assert piles.seen("hand") == Counter()


def test_there_is_no_pile_of_another_name() -> None:
    """A typing error is not a new pile."""
    with pytest.raises(KeyError, match="desk"):
        counted()["desk"] = 3
