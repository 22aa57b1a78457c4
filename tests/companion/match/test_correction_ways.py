"""The way from the table as it lies to the table as it must be: which cards go where, and when."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.core.board import Piece, Pose
from companion.core.offers import Stamp
from companion.core.ruling import TABLE, Carry, Cite, Deed, Fact, Flip, Move, Ruling, Seat, SetTo
from companion.core.ruling import Shuffle as Shuffled
from companion.match.correction import (
    Correction,
    Hands,
    LyingTable,
    RecordBefore,
    Telling,
    _balanced,
    _carry,
    _catch_up,
    _in_common,
    _moves,
    _named,
    _names_numbers,
    _netted,
    _recounts,
    _turns,
    _with_shuffles,
    _Work,
    tellings,
)
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of, play_out

JP, PG = Seat("JP"), Seat("PG")
HAND, DECK, DISCARD = ((JP, name) for name in ("hand", "deck", "discard"))
OFFER, THEIRS = (TABLE, "offer"), (PG, "hand")
PAWN, SUN, CLOUD = Piece("pawn"), Piece("sun"), Piece("cloud")
HERE, THERE = Pose("1,1", 0), Pose("2,1", 0)
CITE = Cite.of("JP-1")


@pytest.fixture(scope="module")
def match() -> Match[Any]:
    return Match[Any].start(Setup("jaws-and-paws"), Stamp("Ana", "2026-11-21T19:00:00Z", 0.0))


def table(piles: dict[tuple[Seat, str], int]) -> LyingTable:
    """A table of cards alone."""
    return LyingTable({}, dict(piles), {}, {})


def test_cards_that_would_go_there_and_back_stay() -> None:
    assert _netted([((DECK, HAND), 3), ((HAND, DECK), 1)]) == {(DECK, HAND): 2}
    assert _netted([((DECK, HAND), 1), ((DECK, HAND), 1)]) == {(DECK, HAND): 2}
    assert _netted([((DECK, HAND), 2), ((HAND, DECK), 2)]) == {}
    turns = _netted([((HAND, DISCARD), 1), ((DECK, HAND), 1)])
    assert list(turns) == [(HAND, DISCARD), (DECK, HAND)], "in the order in which they are gone"


def test_what_a_pile_has_too_many_its_owners_other_pile_lacks_first() -> None:
    """Then one of the table's, then anybody's; what no pile balances stays."""
    assert list(_balanced({HAND: -1, OFFER: 1, DECK: 1})) == [((HAND, DECK), 1)]
    assert list(_balanced({HAND: -1, THEIRS: 1, OFFER: 1})) == [((HAND, OFFER), 1)]
    assert list(_balanced({HAND: -1, OFFER: -1, THEIRS: 1})) == [((OFFER, THEIRS), 1)]
    assert list(_balanced({HAND: -1, THEIRS: 1})) == [((HAND, THEIRS), 1)]
    assert list(_balanced({HAND: -3, DECK: 1, OFFER: 1, DISCARD: 0})) == [
        ((HAND, DECK), 1),
        ((HAND, OFFER), 1),
    ]
    assert list(_balanced({HAND: -1, DECK: -1, DISCARD: 3})) == [
        ((HAND, DISCARD), 1),
        ((DECK, DISCARD), 1),
    ]
    assert list(_balanced({HAND: 2, DECK: 1})) == []


def test_a_carry_is_named_as_people_call_the_piles() -> None:
    """Their own, the table's, or in full another player's."""
    assert _carry(DECK, HAND, 2) == Carry(JP, 2, "deck", "hand")
    assert _carry(HAND, OFFER, 1) == Carry(JP, 1, "hand", "offer")
    assert _carry(OFFER, HAND, 1) == Carry(JP, 1, "offer", "hand")
    assert _carry(THEIRS, HAND, 1) == Carry(JP, 1, "PG's hand", "hand")


def test_a_pile_is_named_by_its_owner_and_a_common_one_by_itself(match: Match[Any]) -> None:
    book = match.rulebook
    assert _named(OFFER, book) == "the offer"
    assert _named(DECK, book) == f"{book.who(JP)}'s Deck"


def test_a_pile_is_shuffled_once_all_its_cards_lie_there() -> None:
    back, away = Carry(JP, 1, "discard", "deck"), Carry(JP, 1, "hand", "discard")
    shuffled = Shuffled(JP, 5, "deck", "deck")
    for carries, told in (
        ([back, away], [back, shuffled, away]),
        ([back, back, away], [back, back, shuffled, away]),
        ([back, away, back], [back, away, back, shuffled]),
        ([away], [away, shuffled]),
        ([], [shuffled]),
    ):
        assert list(_with_shuffles(carries, [back, shuffled])) == told
    with_cards = Shuffled(JP, 5, "discard", "deck")
    assert list(_with_shuffles([back], [with_cards])) == [back], "it is a carry that was counted"


def test_a_pile_that_no_other_balances_is_told_as_it_must_be_counted() -> None:
    start, goal = {HAND: 3, DECK: 2, DISCARD: 1}, {HAND: 2, DECK: 5, DISCARD: 2, OFFER: 1}
    assert list(_recounts(start, goal, {(HAND, DISCARD): 1})) == [
        SetTo(JP, "deck", "deck", 2, 5),
        SetTo(TABLE, "offer", "offer", 0, 1),
    ]
    assert list(_recounts({HAND: 2}, {}, {})) == [SetTo(JP, "hand", "hand", 2, 0)]


def test_a_piece_is_moved_where_it_lies_elsewhere() -> None:
    told = list(_moves({PAWN: HERE, SUN: HERE}, {PAWN: THERE, SUN: HERE, CLOUD: HERE}))
    assert told == [Move(PAWN, HERE, THERE), Move(CLOUD, None, HERE)]
    assert list(_moves({PAWN: HERE}, {})) == [Move(PAWN, HERE, None)]


def test_a_thing_is_turned_where_it_lies_on_the_wrong_side() -> None:
    """One whose side nobody knows only where a ruling was to turn it."""
    start, goal = {"track": "smoke", "sun": "up"}, {"track": "clear", "sun": "up", "lid": "open"}
    assert list(_turns(start, goal, [])) == [Flip("track", "clear")]
    brought: list[Deed] = [Flip("lid", "open"), Carry(JP, 1, "deck", "hand")]
    assert list(_turns(start, goal, brought)) == [Flip("track", "clear"), Flip("lid", "open")]


def test_rulings_are_in_common_up_to_the_first_that_is_another() -> None:
    one, two, three = (Ruling(text, CITE) for text in ("one", "two", "three"))
    assert _in_common([one, two], [one, two, three]) == 2
    assert _in_common([one, two, three], [one, three, three]) == 1
    assert _in_common([], [one]) == 0


def at_work(match: Match[Any], start: dict[Any, int], deeds: tuple[Deed, ...]) -> _Work:
    """A correction that brings one ruling to a table with so many cards."""
    before = RecordBefore((), 0, table(start), {}, ())
    return _Work(before, (Ruling("new", CITE, deeds),), match.position, None, (), whole=True)


def corrected(
    match: Match[Any], done: tuple[Ruling, ...], stand: tuple[Ruling, ...], waiting: Correction
) -> tuple[Any, Any]:
    """What went and what came, where hands owe a card and another correction waits for them."""
    lying = LyingTable.of(match.position)
    lying.piles[HAND] = lying.piles.get(HAND, 0) + 1
    before = RecordBefore(done, len(done), lying, {}, ())
    told = _Work(before, stand, match.position, waiting, ()).told(match.rulebook, {})
    assert told is not None
    return told.struck, told.brought


def test_a_correction_of_its_own_says_what_it_changes_and_else_what_waits(
    match: Match[Any],
) -> None:
    """A count after an undo: hands still follow the undo, and its rulings are told again."""
    gone, new, old, late = (Ruling(text, CITE) for text in ("gone", "new", "old", "late"))
    waiting = Correction((), 1, (gone,), (new,))
    assert corrected(match, (), (), waiting) == ((gone,), (new,))
    assert corrected(match, (old,), (), waiting) == ((old,), ())
    assert corrected(match, (old,), (late,), waiting) == ((old,), (late,))


def test_what_hands_have_still_to_do_for_a_ruling_is_no_part_of_a_correction(
    match: Match[Any],
) -> None:
    """The ruling stands and is read next: its cards lie where they lay before it."""
    drawn = Ruling("drawn", CITE, (Carry(JP, 1, "deck", "hand"),))
    lying = LyingTable.of(match.position)
    lying.piles[DECK] += 1
    lying.piles[HAND] -= 1
    before = RecordBefore((drawn,), 0, lying, {}, ())
    work = _Work(before, (drawn,), match.position, None, ())
    assert work.told(match.rulebook, {}) is None


def test_what_an_answer_counted_lay_there_before_it() -> None:
    """Whatever is put right afterwards starts from that."""
    setup = Setup("jaws-and-paws")
    played = Match[Any].start(setup, Stamp("Ana", "2026-11-21T19:00:00Z", 0.0))
    play_out(played, bots_of(setup, Random(3)), most=40)
    told = {seq: telling for seq, telling in tellings(played).items() if telling.piles}
    seq, telling = next(iter(told.items()))
    lying = table({})
    before = RecordBefore((), 0, lying, {}, ())
    before.told(played, 0)
    assert lying.piles == {}
    before.told(played, seq)
    assert lying.piles == telling.piles


def test_cards_are_carried_when_the_pile_has_them(match: Match[Any]) -> None:
    """In the order of the rulings, else what fills a pile goes before what empties it."""
    drawn, laid = Carry(JP, 2, "deck", "hand"), Carry(JP, 3, "hand", "discard")
    for in_hand, told in ((1, [drawn, laid]), (3, [laid, drawn])):
        work = at_work(match, {HAND: in_hand, DECK: 2, DISCARD: 0}, (laid, drawn))
        goal = table({HAND: in_hand - 1, DECK: 0, DISCARD: 3})
        assert work._carries(work.before.lying, goal) == told


def test_cards_that_no_ruling_moved_are_carried_to_the_pile_that_lacks_them(
    match: Match[Any],
) -> None:
    work = at_work(match, {HAND: 3, DECK: 2, DISCARD: 0}, (Carry(JP, 1, "hand", "discard"),))
    told = work._carries(work.before.lying, table({HAND: 0, DECK: 4, DISCARD: 1}))
    assert told == [Carry(JP, 1, "hand", "discard"), Carry(JP, 2, "hand", "deck")]


def test_cards_go_straight_past_a_pile_that_was_and_stays_empty(match: Match[Any]) -> None:
    deeds = (Carry(JP, 2, "deck", "hand"), Carry(JP, 2, "hand", "discard"))
    work = at_work(match, {HAND: 0, DECK: 2, DISCARD: 0}, deeds)
    told = work._carries(work.before.lying, table({HAND: 0, DECK: 0, DISCARD: 2}))
    assert told == [Carry(JP, 2, "deck", "discard")]
    work = at_work(match, {HAND: 1, DECK: 2, DISCARD: 0}, deeds)
    told = work._carries(work.before.lying, table({HAND: 1, DECK: 0, DISCARD: 2}))
    assert told == list(deeds), "through a hand that holds cards they go as they were dealt"


# -- what lies there ----------------------------------------------------------------------------


def counter(value: int) -> Fact:
    return Fact("hull", "hull", value, JP)


def test_what_was_told_of_the_table_lay_so_and_is_taken_back_as_told() -> None:
    """Cards, counters, pieces found elsewhere, come or gone, and sides."""
    sides = {"track": "clear", "lid": "open"}
    lying = LyingTable({PAWN: HERE, CLOUD: HERE}, {HAND: 3}, dict(sides), {"hull": counter(2)})
    told = Telling(
        {HAND: 2, DECK: 1},
        {"hull": (counter(2), counter(5))},
        is_count=True,
        places={PAWN: (HERE, THERE), SUN: (None, HERE), CLOUD: (HERE, None)},
        sides={"track": ("clear", "smoke")},
    )
    lying.tell(told)
    assert lying == LyingTable(
        {PAWN: THERE, SUN: HERE},
        {HAND: 5, DECK: 1},
        {"track": "smoke", "lid": "open"},
        {"hull": counter(5)},
    )
    lying.take_back(told)
    assert lying == LyingTable(
        {PAWN: HERE, CLOUD: HERE}, {HAND: 3, DECK: 0}, sides, {"hull": counter(2)}
    )


def test_a_deed_that_waits_is_not_on_the_table_and_one_of_a_form_is(match: Match[Any]) -> None:
    """Counters show what they showed; a counter that nobody keeps, and no pile, change nothing."""
    lying = LyingTable({}, {DECK: 4}, {}, {"hull": counter(5)})
    waiting: list[Deed] = [
        SetTo(JP, "hull", "hull", 1, 2),
        SetTo(JP, "hull", "hull", 2, 5),
        SetTo(JP, "speed", "speed", 0, 3),
        Carry(JP, 1, "deck", "hand"),
        Carry(JP, 1, "deck", "nowhere"),
        Shuffled(JP, 2, "discard", "deck"),
        Shuffled(JP, 9, "deck", "deck"),
    ]
    lying.take_off(waiting, match.position)
    assert lying == LyingTable({}, {DECK: 3, HAND: -1, DISCARD: 2}, {}, {"hull": counter(1)})
    lying = table({DECK: 4})
    lying.put_on([Carry(JP, 1, "deck", "hand")], match.position)
    assert lying.piles == {DECK: 3, HAND: 1}


def caught_up(was: Telling | None, now: Telling | None) -> dict[Any, int]:
    """By how many cards the table is another, where a step told this, and then that."""
    lying = table({})
    before, after = ({3: one} if one is not None else {} for one in (was, now))
    _catch_up(lying, before, after)
    return {pile: more for pile, more in lying.piles.items() if more}


def test_a_count_that_comes_or_goes_was_true_of_the_table() -> None:
    count = Telling({HAND: 2}, {}, is_count=True)
    assert caught_up(None, count) == {HAND: 2}
    assert caught_up(count, None) == {HAND: -2}
    assert caught_up(count, count) == {}


def test_an_answer_that_tells_something_else_was_true_and_one_that_is_gone_is_not() -> None:
    hand, deck = (Telling({pile: -1}, {}, is_count=False) for pile in (HAND, DECK))
    assert caught_up(hand, deck) == {HAND: 1, DECK: -1}
    assert caught_up(hand, None) == {}
    assert caught_up(None, hand) == {}


def test_what_an_answer_has_only_counted_still_lies_there_when_it_is_gone() -> None:
    """Not so what came from another pile."""
    counted = Telling({HAND: 2}, {}, is_count=False)
    carried = Telling({HAND: 2, DECK: -2}, {}, is_count=False)
    assert caught_up(counted, None) == {HAND: -2}
    assert caught_up(carried, None) == {}
    assert not Telling({HAND: 0}, {}, is_count=False).is_from_nowhere


def test_two_tellings_of_one_count_differ_by_what_lies_otherwise() -> None:
    """After another throw the same pile is counted: it lay so, and lies so still."""
    other = counter(3)
    one = Telling({HAND: 2, DECK: 1}, {"hull": (counter(2), counter(5)), "speed": (other, other)},
                  is_count=True, lie={HAND: 6, DECK: 9})  # fmt: skip
    two = Telling({HAND: 4, DECK: 1}, {"hull": (counter(1), counter(5))},
                  is_count=True, lie={HAND: 6, DECK: 8})  # fmt: skip
    apart = one.apart_from(two)
    assert (apart.piles, apart.counters) == ({DECK: 1}, {"speed": (other, other)})
    assert caught_up(one, two) == {}
    assert one.apart_from(Telling({}, {}, is_count=True)).piles == {HAND: 2, DECK: 1}


def test_a_pile_that_a_telling_does_not_name_lies_empty() -> None:
    none = Telling({HAND: 1}, {}, is_count=True)
    one_card = Telling({HAND: 1}, {}, is_count=True, lie={HAND: 1})
    empty = Telling({HAND: -1}, {}, is_count=True, lie={HAND: 0})
    assert one_card.apart_from(none).piles == none.apart_from(one_card).piles == {HAND: 1}
    assert empty.apart_from(none).piles == none.apart_from(empty).piles == {}


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({"hull": 3}, True),
        ({"hand": ["ace"]}, True),
        ({"place": "s3", "hull": 0}, True),
        ({"place": "s3"}, False),
        ({"smoke": True}, False),
        ({}, False),
        (None, False),
    ],
)
def test_an_adjustment_that_names_numbers_or_cards_is_a_count(changes: Any, names: bool) -> None:  # noqa: FBT001
    assert _names_numbers(changes) is names


# -- one task after the other --------------------------------------------------------------------


def test_the_task_at_hand_is_counted_from_one_until_the_last_is_done() -> None:
    tasks = tuple(Carry(JP, count, "deck", "hand") for count in (1, 2, 3))
    hands = Hands(0, Correction(tasks, 3))
    assert hands.correction is not None
    assert hands.correction.at == 1
    assert not hands.follow(3)
    assert hands.follow(2)
    assert hands.correction.at == 2
    assert hands.correction.tasks == tasks[1:]
    assert hands.follow(1)
    assert hands.follow(0)
    assert hands.correction is None
    assert not hands.follow(0)


def test_a_correction_without_a_task_is_read_and_done() -> None:
    """Rulings changed, and the table stays as it is."""
    hands = Hands(0, Correction((), 0))
    assert not hands.follow(1)
    assert hands.follow(0)
    assert hands.correction is None


@pytest.mark.parametrize(
    ("more", "from_nowhere"), [((1,), True), ((1, 2), True), ((-1,), False), ((1, -1), False)]
)
def test_a_single_card_may_have_been_counted_from_nowhere(
    more: tuple[int, ...], *, from_nowhere: bool
) -> None:
    """None of them had lain in another pile before."""
    piles = {(Seat("A"), f"pile {n}"): count for n, count in enumerate(more)}
    assert Telling(piles, {}, is_count=True).is_from_nowhere is from_nowhere


def test_tasks_are_told_by_person_and_a_shuffle_where_it_is_due(match: Match[Any]) -> None:
    """What it waits for is before it, what waits for it after; what is lost is said last."""
    book = match.rulebook
    first, second, *_ = book.seats
    tasks = (
        Carry(second, 1, "discard", "deck"),
        Carry(first, 1, "discard", "deck"),
        Shuffled(second, 9, "deck", "deck"),
        Carry(second, 1, "deck", "hand"),
        Carry(first, 1, "deck", "hand"),
    )
    told = Correction(tasks, 5, lost=("The order is lost.",)).by_person(book)
    one, two = book.who(first), book.who(second)
    assert [line.partition("'s")[0] for line in told] == [
        f"1 card from {one}",
        f"1 card from {two}",
        f"shuffle {two}",
        f"1 card from {one}",
        f"1 card from {two}",
        "The order is lost.",
    ]
    assert len(Correction(tasks[:2], 2).by_person(book)) == 2
    own = (Carry(first, 2, "discard", "deck"), Carry(first, 1, "hand", "discard"))
    counts = [line.partition(" ")[0] for line in Correction(own, 2).by_person(book)]
    assert counts == ["2", "1"], "of one person as they are done"
    assert Correction(tasks[:1], 1, lost=("The order is lost.",)).by_person(book) == []


def test_a_correction_is_told_as_a_ruling(match: Match[Any]) -> None:
    nothing = Correction((), 0, lost=("The order is lost.",)).as_ruling(match.rulebook)
    assert nothing.text == "The table stays as it is. The order is lost."
    token = Move(Piece("jaws"), None, None)
    assert Correction((token,), 1).as_ruling(match.rulebook).text.endswith(" off the board.")
