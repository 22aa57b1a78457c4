"""Deeds as hands know them: from the piece's own nose, in portions, nothing that needs no hands."""

from __future__ import annotations

import itertools

import pytest

from companion.core.board import Board, BoardPlan, Piece, Pose, Token
from companion.core.ruling import TABLE, Carry, Cite, Deed, Flip, Move, Ruling, Seat, Shuffle
from companion.games.dogfight_1917.boards import board_plan as board_1917
from companion.games.dogfight_1917.figures import assumed_figures
from companion.games.dogfight_hex.boards import board_plan as board_hex
from companion.games.dogfight_hex.cards import assumed_figures as figures_hex
from companion.games.jaws_and_paws.boards import board_plan as board_jaws
from ui.scene.deeds import as_one, done_at_once, hands_do, portions
from ui.scene.steps import is_printed, steps_in_words, turn_in_words, without_coordinates

PLAN = board_1917(assumed_figures())
A, B = Seat("A"), Seat("B")


def ruling(*deeds: Deed, headline: str = "") -> Ruling:
    return Ruling("Something is ruled.", Cite.of("DF-1.1"), deeds, A, headline)


@pytest.mark.parametrize(
    ("was", "now", "words"),
    [
        (("0,0", 0), ("0,0", 1), "turn right"),
        (("0,0", 0), ("0,0", 4), "turn left twice"),
        (("0,0", 2), ("0,0", 5), "turn about"),
        (("0,0", 0), ("0,-3", 0), "3 ahead"),
        (("0,0", 1), ("2,-2", 1), "2 ahead"),
        (("0,0", 0), ("2,-2", 1), "turn right, 2 ahead"),
        (("0,0", 0), ("-1,0", 0), "1 ahead left"),
        (("0,0", 3), ("0,-1", 3), "1 back"),
        (("0,0", 0), ("1,-3", 0), "2 ahead, 1 ahead right"),
        (("0,0", 0), ("1,-2", 1), "1 ahead, turn right, 1 ahead"),
    ],
)
def test_a_move_is_told_from_the_planes_own_nose(
    was: tuple[str, int], now: tuple[str, int], words: str
) -> None:
    """Wherever it looks, and never by a place that no board has in print."""
    assert steps_in_words(PLAN, Pose(*was), Pose(*now)) == words


def test_every_move_that_is_told_leads_where_it_says() -> None:
    """Followed step by step, the words end in the pose that was meant; both kinds of hexes."""
    for plan in (PLAN, board_hex(figures_hex())):
        board = plan.boards[0]
        spaces = [space.name for space in board.spaces][::9]
        for start, end in itertools.product(spaces, spaces):
            for nose, then in itertools.product((0, 2, 5), (0, 3, 4)):
                was, now = Pose(start, nose), Pose(end, then)
                told = steps_in_words(plan, was, now)
                assert followed(board, was, told) == now, (was, now, told)


WAYS = {
    "ahead": 0, "ahead right": 1, "back right": 2, "back": 3, "back left": 4, "ahead left": 5,
}  # fmt: skip
TURNS = {turn: number for number, turn in enumerate(
    ("", "turn right", "turn right twice", "turn about", "turn left twice", "turn left")
)}  # fmt: skip


def followed(board: Board, was: Pose, told: str) -> Pose:
    """Where a hand comes to that does what it is told."""
    facing, places = was.facing or 0, {s.name: s.centre_mm for s in board.spaces}
    (x, y), step = places[was.space], neighbour_mm(board)
    for words in filter(None, told.split(", ")):
        if words in TURNS:
            facing = (facing + TURNS[words]) % 6
            continue
        count, _, way = words.partition(" ")
        dx, dy = step[(facing + WAYS[way]) % 6]
        x, y = x + int(count) * dx, y + int(count) * dy
    space = min(places, key=lambda name: abs(places[name][0] - x) + abs(places[name][1] - y))
    return Pose(space, facing)


def neighbour_mm(board: Board) -> list[tuple[float, float]]:
    """From the space in the middle to its neighbour in each heading, mm."""
    places = {s.name: s.centre_mm for s in board.spaces}
    axial = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
    middle = places["0,0"]
    return [
        (places[f"{q},{r}"][0] - middle[0], places[f"{q},{r}"][1] - middle[1]) for q, r in axial
    ]


def test_boards_without_headings_tell_no_steps() -> None:
    """There the space is named as printed, or lit."""
    plan = board_jaws()
    assert not steps_in_words(plan, Pose("Jaws.PC"), Pose("Jaws.PL"))
    assert not steps_in_words(PLAN, Pose("0,0", 0), Pose("nowhere", 0))


def test_what_needs_no_hands_is_no_deed() -> None:
    """No card, no change, a turned token's two sides: nothing of it is told."""
    stays = Move(Piece("camel"), Pose("0,0", 0), Pose("0,0", 0))
    assert hands_do(ruling(stays, Carry(A, 0, "deck", "hand"))) == ()
    gone = Move(Piece("ship-a"), Pose("1,0", 2), None)
    lies = Move(Piece("ship-a-debris"), None, Pose("1,0"))
    flip = Flip("ship", "debris")
    assert hands_do(ruling(flip, gone, lies)) == ((flip,),)
    assert portions(ruling()) == ((),), "a ruling without deeds is told once"


def test_two_short_phrases_are_told_at_once_and_long_ones_one_by_one() -> None:
    """Discard 1, draw 4: that fits; piles with names, or moves, wait for their own Done."""
    discard, draw = Carry(A, 1, "hand", "discard"), Carry(A, 4, "deck", "hand")
    assert portions(ruling(discard, draw)) == (((discard,), (draw,)),)
    other = Carry(A, 2, "deck", "damage")
    assert portions(ruling(other, draw)) == (((other,),), ((draw,),))
    both = (Carry(A, 2, "hand", "discard"), Carry(A, 1, "tier-1", "discard"))
    assert hands_do(ruling(*both)) == (both,), "cards that go to one pile go there at once"


def test_what_several_people_do_at_once_is_one_deed() -> None:
    each = tuple(Carry(seat, 4, "deck", "hand") for seat in (A, B))
    assert hands_do(ruling(*each)) == (each,)
    assert hands_do(Ruling("All shuffle.", Cite.of("X-1"), (Shuffle(A, 3, "deck", "deck"),), TABLE))


def test_coordinates_are_ours_and_nothing_else_is() -> None:
    """Letters, numbers and zones are printed; two numbers with a comma are not."""
    printed = {label: is_printed(label) for label in ("PC", "12", "A", "0,-1", "3,4", "")}
    assert printed == {"PC": True, "12": True, "A": True, "0,-1": False, "3,4": False, "": False}


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Ana flies to -1,-2 SW.", "Ana flies <to -1,-2>."),
        ("It moves from 1,1 to 2,-1.", "It moves <from 1,1> <to 2,-1>."),
        ("2 cards, 14,3 or 9,9", "2 cards, 14,3 or 9,9"),
        ("Rolled 1, 3, 2: nothing.", "Rolled 1, 3, 2: nothing."),
    ],
)
def test_places_are_found_in_a_sentence_and_figures_are_left_alone(text: str, plain: str) -> None:
    told = without_coordinates(PLAN, text, lambda how, space: f"<{how} {space}>")
    assert told == plain


def test_a_turn_of_any_board_is_told() -> None:
    """Eight headings turn in halves of a right angle."""
    eight = Board("Sky", "", (9.0, 9.0), (), (0.0, 0.0), facings=tuple("ABCDEFGH"))
    told = [turn_in_words(eight, turn) for turn in (1, 2, 3, 4, 7)]
    assert told[:2] == ["turn right", "turn right twice"]
    assert told[2:] == ["turn right 3 times", "turn about", "turn left"]
    assert BoardPlan("x", "", (eight,), (Token(Piece("p"), "P", 1),), (9.0, 9.0)).has_facings


def draws(count: int, seat: Seat = A, source: str = "deck") -> Ruling:
    return ruling(Carry(seat, count, source, "hand"))


def test_who_draws_twice_draws_once_as_many() -> None:
    """Of one pile; what another player draws, or is discarded, is a deed of its own."""
    both = [draws(1), draws(2), draws(1, B), draws(1, A, "discard")]
    assert [done_at_once(both[at:]) for at in range(4)] == [2, 1, 1, 1]
    assert as_one(both[:2]).deeds == (Carry(A, 3, "deck", "hand"),)
    discards = [ruling(Carry(A, 1, "hand", "discard"))] * 2
    assert done_at_once(discards) == 1
    quiet = draws(1)._replace(quiet=True)
    assert done_at_once([draws(1), quiet]) == 1, "hands have drawn that already"


def test_pieces_that_are_put_on_the_board_are_put_there_at_once() -> None:
    """Whoever's they are; what was moved before, or has another deed with it, is not."""
    put = [ruling(Move(Piece(name), None, Pose("0,0"))) for name in ("camel", "fokker")]
    moved = ruling(Move(Piece("spad"), Pose("0,0"), Pose("0,1")))
    assert done_at_once([*put, moved]) == 2
    assert done_at_once([moved, *put]) == 1
    assert as_one(put).deeds == (*put[0].deeds, *put[1].deeds)
    drawn = ruling(Move(Piece("spad"), None, Pose("0,0")), Carry(A, 1, "deck", "hand"))
    assert done_at_once([put[0], drawn]) == 1
