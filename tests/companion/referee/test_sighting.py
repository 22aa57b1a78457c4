"""What a settled picture means for the match: answer, echo, lag, difference, doubt."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.core.board import Piece, Pose
from companion.core.offers import PictureState, Seen, SeenState, Sighting
from companion.core.question import Choose, Option, Question, Roll
from companion.core.ruling import TABLE, Cite, Move, Ruling
from companion.games.dogfight_1917.boards import board_plan
from companion.games.dogfight_1917.figures import assumed_figures
from companion.referee.sight import (
    Difference,
    Fit,
    Lag,
    Reading,
    read_sighting,
    settled_places,
    with_cards,
)

CITE = Cite.of("JP-12.3")
JAWS, PAWS, SUN = Piece("jaws"), Piece("paws"), Piece("sun")
HOME = {JAWS: Pose("Paws.PC"), PAWS: Pose("Jaws.PC"), SUN: Pose("Jaws.GL")}
LEFT = Option("MPL own", 0, "Left", {JAWS: Pose("Paws.PR")})
RIGHT = Option("MPR own", 1, "Right", {JAWS: Pose("Paws.PL")})
CORNER = Option("MPC own", 2, "Corner", {JAWS: Pose("Paws.PC")})
SHOOT = Option("SH PL", 3, "Shoot PL")


def reveal(*options: Option[int], key: str = "reveal") -> dict[str, Question[Any]]:
    return {key: Choose(key=key, by=TABLE, cite=CITE, prompt="?", offered=options)}


def seen(state: PictureState = PictureState.SETTLED, **places: str) -> Sighting:
    """A sighting with pieces at spaces; "A|B" is too close to call."""
    pieces = dict[Piece, Seen]()
    for name, place in places.items():
        spaces = tuple(place.split("|"))
        sure = len(spaces) == 1
        pose = Pose(place) if sure else None
        pieces[Piece(name)] = Seen(SeenState.SEEN if sure else SeenState.UNSURE, pose, spaces)
    return Sighting(1.0, 1, state, pieces)


def read(sighting: Sighting, questions: dict[str, Question[Any]], **more: Any) -> Reading:
    lag = more.get("lag", Lag())
    told, plan = more.get("answered", {}), more.get("plan")
    reading = read_sighting(sighting, HOME, questions, told, lag, plan=plan)
    assert reading is not None
    return reading


def test_a_picture_that_equals_one_option_is_that_answer() -> None:
    picture = seen(jaws="Paws.PR", paws="Jaws.PC", sun="Jaws.GL")
    reading = read(picture, reveal(LEFT, RIGHT, CORNER, SHOOT))
    assert reading.fits == (Fit("reveal", "MPL own"),)
    assert reading.explained == {JAWS}
    assert reading.differences == ()


def test_an_answer_explains_the_pieces_of_its_own_option_alone() -> None:
    sun = Option("MSL", 4, "Sun left", {SUN: Pose("Jaws.GR")})
    picture = seen(jaws="Paws.PR", paws="Jaws.PC", sun="Jaws.GL")
    reading = read(picture, reveal(sun, LEFT))
    assert reading.fits == (Fit("reveal", "MPL own"),)
    assert reading.explained == {JAWS}


def test_two_options_that_look_alike_are_no_answer() -> None:
    """Where Left and a second card end alike, somebody must say which it was."""
    twin = Option("MSX", 9, "Twin", {JAWS: Pose("Paws.PR")})
    reading = read(seen(jaws="Paws.PR"), reveal(LEFT, twin))
    assert reading.fits == ()
    assert reading.differences[0].legal == (Pose("Paws.PR"),)


def test_an_option_that_moves_nothing_is_never_answered_by_sight() -> None:
    reading = read(seen(jaws="Paws.PC", paws="Jaws.PC", sun="Jaws.GL"), reveal(CORNER, SHOOT))
    assert reading.fits == ()
    assert reading.agrees


def test_another_piece_astray_keeps_the_picture_from_answering() -> None:
    reading = read(seen(jaws="Paws.PR", sun="Jaws.GR"), reveal(LEFT, RIGHT))
    assert reading.fits == ()
    assert {d.piece for d in reading.differences} == {JAWS, SUN}


def test_a_picture_that_is_not_settled_means_nothing() -> None:
    for state in PictureState:
        if state is not PictureState.SETTLED:
            picture = seen(state, jaws="Paws.PR")
            assert read_sighting(picture, HOME, reveal(LEFT), {}, Lag()) is None


def test_a_picture_that_fits_none_names_what_was_legal() -> None:
    (difference,) = read(seen(jaws="Paws.GL"), reveal(LEFT, RIGHT)).differences
    legal = (Pose("Paws.PR"), Pose("Paws.PL"))
    assert difference == Difference(JAWS, Pose("Paws.GL"), Pose("Paws.PC"), legal)


def test_a_piece_that_a_ruling_moved_and_hands_have_not_is_lagging() -> None:
    """Lagging is no difference; once it stands as recorded, the old place is one again."""
    lag = Lag()
    lag.follow([Ruling("", CITE, (Move(JAWS, Pose("Paws.PL"), Pose("Paws.PC")),))])
    reading = read(seen(jaws="Paws.PL"), {}, lag=lag)
    assert (reading.lagging, reading.differences) == (frozenset({JAWS}), ())
    lag.see(JAWS, HOME[JAWS], HOME[JAWS])
    assert read(seen(jaws="Paws.PL"), {}, lag=lag).differences != ()


def test_a_lagging_piece_answers_no_later_question() -> None:
    """It stands where it was moved away from, which is just where the next card would put it."""
    lag = Lag()
    lag.follow([Ruling("", CITE, (Move(JAWS, Pose("Paws.PL"), Pose("Paws.PC")),))])
    reading = read(seen(jaws="Paws.PL"), reveal(LEFT, RIGHT), lag=lag)
    assert (reading.fits, reading.lagging) == ((), frozenset({JAWS}))
    lag.see(JAWS, HOME[JAWS], HOME[JAWS])
    assert read(seen(jaws="Paws.PL"), reveal(LEFT, RIGHT), lag=lag).fits != ()


def test_the_same_answer_from_sight_corroborates_and_another_contradicts() -> None:
    questions = reveal(LEFT, RIGHT)
    same = read(seen(jaws="Paws.PR"), questions, answered={"reveal": "MPL own"})
    assert same.corroborated == ("reveal",)
    other = read(seen(jaws="Paws.PL"), questions, answered={"reveal": "MPL own"})
    assert other.contradicted == (Fit("reveal", "MPR own"),)


def test_too_close_to_call_is_a_doubt_and_no_place() -> None:
    reading = read(seen(jaws="Paws.PC|Paws.PR", paws="Jaws.PC"), reveal(LEFT))
    assert dict(reading.doubtful) == {JAWS: ("Paws.PC", "Paws.PR")}
    assert (reading.fits, reading.differences) == ((), ())
    assert reading.unseen == frozenset({SUN})


def test_a_piece_seen_twice_is_nowhere() -> None:
    picture = seen(jaws="Paws.PR")
    twice = Sighting(1.0, 1, picture.state, picture.pieces, conflicts=(JAWS,))
    reading = read(twice, reveal(LEFT))
    assert reading.fits == ()
    assert JAWS in reading.doubtful


MENU = Option("Blackout", 0, "Blackout")


def menu(key: str = "menu") -> dict[str, Question[Any]]:
    """A question that shows no place, while whoever answers may be moving the piece already."""
    may_move = frozenset({JAWS})
    asked = Choose(key=key, by=TABLE, cite=CITE, prompt="?", offered=(MENU,), may_move=may_move)
    return {key: asked}


def test_a_piece_that_hands_may_move_already_is_early_and_no_difference() -> None:
    """The player flies first and names the card afterwards: nothing is wrong, nothing is owed."""
    reading = read(seen(jaws="Paws.PR", paws="Jaws.PC", sun="Jaws.GL"), menu())
    assert reading.early == {JAWS}
    assert not reading.differences
    assert not reading.lagging
    assert not reading.agrees


def test_an_early_piece_is_not_lagging_either() -> None:
    lag = Lag()
    lag.follow([Ruling("", CITE, (Move(JAWS, Pose("Paws.PL"), Pose("Paws.PC")),))])
    reading = read(seen(jaws="Paws.PL"), menu(), lag=lag)
    assert reading.early == {JAWS}
    assert not reading.lagging


def test_only_the_piece_of_the_open_question_is_early() -> None:
    """Another piece astray is a difference; so is the same one once the question is answered."""
    reading = read(seen(jaws="Paws.PR", paws="Jaws.GC"), menu())
    assert [one.piece for one in reading.differences] == [PAWS]
    answered = read(seen(jaws="Paws.PR"), menu(), answered={"menu": "Blackout"})
    assert [one.piece for one in answered.differences] == [JAWS]
    assert answered.early == frozenset()


def test_an_early_piece_keeps_no_other_question_from_its_answer() -> None:
    """Two seats place at once: one piece on its way says nothing against the other's place."""
    there = Option("corner", 0, "Corner", {PAWS: Pose("Jaws.GC")})
    questions = menu() | reveal(there, key="corner")
    reading = read(seen(jaws="Paws.PR", paws="Jaws.GC", sun="Jaws.GL"), questions)
    assert reading.fits == (Fit("corner", "corner"),)
    assert reading.early == {JAWS}


def test_an_end_pose_is_told_by_its_facing() -> None:
    """Same space, another heading: another answer."""
    ends = [Option(f"{n}", n, f"{n}", {JAWS: Pose("Paws.PC", n)}) for n in range(6)]
    picture = seen(paws="Jaws.PC", sun="Jaws.GL")
    pieces = {**picture.pieces, JAWS: Seen(SeenState.SEEN, Pose("Paws.PC", 4), ("Paws.PC",))}
    reading = read(Sighting(1.0, 1, picture.state, pieces), reveal(*ends))
    assert reading.fits == (Fit("reveal", "4"),)


def test_an_unclear_heading_is_told_with_both_and_answers_nothing() -> None:
    ends = [Option(f"{n}", n, f"{n}", {JAWS: Pose("Paws.PC", n)}) for n in range(6)]
    torn = Seen(SeenState.UNSURE, None, ("Paws.PC",), heading_deg=29.0, facings=(0, 1))
    reading = read(Sighting(1.0, 1, PictureState.SETTLED, {JAWS: torn}), reveal(*ends))
    assert dict(reading.unclear) == {JAWS: (0, 1)}
    assert dict(reading.doubtful) == {JAWS: ("Paws.PC",)}
    assert (reading.fits, reading.differences) == ((), ())


def test_of_many_legal_poses_the_nearest_are_named_first() -> None:
    """Where the plane stands, then beside it; within a space the smallest turn."""
    plan = board_plan(assumed_figures())
    spaces = ("0,-4", "2,-1", "0,-2", "0,-1", "1,-2", "4,-4")
    ends = [Pose(space, facing) for space in spaces for facing in (3, 0)]
    options = [Option(str(pose), 0, "?", {JAWS: pose}) for pose in ends]
    stands = Seen(SeenState.SEEN, Pose("0,-2", 5), ("0,-2",))
    picture = Sighting(1.0, 1, PictureState.SETTLED, {JAWS: stands})
    (difference,) = read(picture, reveal(*options), plan=plan).differences
    assert difference.seen == Pose("0,-2", 5)
    assert difference.legal[:2] == (Pose("0,-2", 0), Pose("0,-2", 3))
    assert {pose.space for pose in difference.legal[2:6]} == {"0,-1", "1,-2"}
    assert difference.legal[-1].space == "4,-4"
    assert set(difference.legal) == set(ends)


def test_up_to_eight_legal_poses_are_named_in_the_books_order() -> None:
    """However far each is; nine are sorted by the way there, and those off the map come last."""
    plan = board_plan(assumed_figures())
    far_first = ["4,-4", "0,-4", "2,-1", "1,-2", "0,-1", "0,-2"]
    ends = [Pose(space, 0) for space in far_first] + [Pose("0,-2", 2), Pose("tray")]
    stands = Seen(SeenState.SEEN, Pose("0,-2", 5), ("0,-2",))
    picture = Sighting(1.0, 1, PictureState.SETTLED, {JAWS: stands})

    def legal(poses: list[Pose], **more: Any) -> tuple[Pose, ...]:
        options = [Option(str(pose), 0, "?", {JAWS: pose}) for pose in poses]
        (difference,) = read(picture, reveal(*options), **more).differences
        return difference.legal

    assert legal(ends, plan=plan) == tuple(ends)
    nine = [*ends, Pose("0,-2", 3)]
    assert legal(nine) == tuple(nine), "without a plan nothing is near"
    ordered = legal(nine, plan=plan)
    assert ordered[:3] == (Pose("0,-2", 0), Pose("0,-2", 3), Pose("0,-2", 2))
    assert (ordered[-2].space, ordered[-1]) == ("4,-4", Pose("tray"))


def test_what_was_told_has_no_legal_place_any_more() -> None:
    """Only a question that waits lets a piece go somewhere."""
    (difference,) = read(
        seen(jaws="Paws.GL"), reveal(LEFT, RIGHT), answered={"reveal": "SH PL"}
    ).differences
    assert difference.legal == ()


@pytest.mark.parametrize(
    "reading",
    [
        Reading(early=frozenset({JAWS})),
        Reading(lagging=frozenset({JAWS})),
        Reading(differences=(Difference(JAWS, HOME[JAWS], None),)),
        Reading(doubtful={JAWS: ("Paws.PC", "Paws.PR")}),
        Reading(unseen=frozenset({JAWS})),
    ],
)
def test_table_and_record_agree_where_every_piece_was_seen_in_its_place(reading: Reading) -> None:
    assert Reading().agrees
    assert not reading.agrees


def test_a_piece_that_the_record_has_nowhere_was_laid_early() -> None:
    assert Difference(JAWS, HOME[JAWS], None).is_early
    assert not Difference(JAWS, HOME[PAWS], HOME[JAWS]).is_early


def test_a_piece_let_lie_keeps_no_question_from_its_answer() -> None:
    """It lies where the record has nothing, and people said that it may."""
    lag = Lag()
    cub = Piece("cub")
    picture = seen(jaws="Paws.PR", cub="Paws.GC")
    assert read(picture, reveal(LEFT), lag=lag).fits == ()
    lag.let_lie(cub, Pose("Paws.GC"))
    reading = read(picture, reveal(LEFT), lag=lag)
    assert reading.fits == (Fit("reveal", "MPL own"),)
    assert reading.lagging == {cub}


def test_what_cards_say_answers_confirms_or_contradicts() -> None:
    """By the question's key: not told yet, told so, told otherwise."""
    before = Reading(
        fits=(Fit("a", 1),),
        corroborated=("b",),
        contradicted=(Fit("c", 3),),
        unseen=frozenset({SUN}),
    )
    told = {"told-so": [1, 0], "told-otherwise": 5}
    cards: dict[str, Any] = {"untold": 2, "told-so": [1, 0], "told-otherwise": 4}
    assert with_cards(before, cards, told) == Reading(
        fits=(Fit("a", 1), Fit("untold", 2)),
        corroborated=("b", "told-so"),
        contradicted=(Fit("c", 3), Fit("told-otherwise", 4)),
        unseen=frozenset({SUN}),
    )


def test_only_pieces_read_for_sure_and_once_have_a_place() -> None:
    picture = seen(jaws="Paws.PR", paws="Jaws.PC|Jaws.PR", sun="Jaws.GL")
    covered = replace(picture.pieces[JAWS], state=SeenState.COVERED)
    assert settled_places(picture) == {JAWS: Pose("Paws.PR"), SUN: Pose("Jaws.GL")}
    twice = replace(picture, conflicts=(SUN,), pieces={**picture.pieces, JAWS: covered})
    assert settled_places(twice) == {}


def rolls(*dice: int) -> dict[str, Question[Any]]:
    """Open rolls of so many dice each."""
    asked = [Roll(key=f"roll-{at}", by=TABLE, cite=CITE, prompt="?", dice=count)
             for at, count in enumerate(dice, 1)]  # fmt: skip
    return {roll.key: roll for roll in asked}


def lying(*dice: int | None, thrown_at: float = 8.0) -> Sighting:
    return Sighting(9.0, 1, PictureState.SETTLED, {}, dice=dice, thrown_at=thrown_at)


def test_dice_thrown_since_the_roll_was_asked_for_are_its_answer() -> None:
    """All of them, read for sure; what is offered is what the question takes."""
    questions = rolls(3)
    reading = read_sighting(lying(2, 6, 6), {}, questions, {}, Lag(), asked_at={"roll-1": 5.0})
    assert reading is not None
    assert reading.fits == (Fit("roll-1", [2, 6, 6]),)
    assert questions["roll-1"].read(reading.fits[0].option) == (2, 6, 6)


@pytest.mark.parametrize(
    ("picture", "dice", "asked_at", "answered"),
    [
        (lying(2, 6), (3,), 5.0, {}),
        (lying(2, 6, 1, 1), (3,), 5.0, {}),
        (lying(2, None, 6), (3,), 5.0, {}),
        (lying(2, None), (1,), 5.0, {}),
        (lying(2, 6, 6, thrown_at=4.0), (3,), 5.0, {}),
        (lying(2, 6, 6, thrown_at=5.0), (3,), 5.0, {}),
        (lying(2, 6, 6), (3, 3), 5.0, {}),
        (lying(2, 6, 6), (3,), 5.0, {"roll-1": [1, 1, 1]}),
        (lying(), (0,), 5.0, {}),
    ],
    ids=[
        "fewer",
        "more",
        "doubt",
        "doubt-not-counted",
        "old",
        "as asked",
        "two rolls",
        "told",
        "none",
    ],
)
def test_dice_that_may_be_another_roll_answer_nothing(
    picture: Sighting, dice: tuple[int, ...], asked_at: float, answered: dict[str, Any]
) -> None:
    """A wrong answer costs more than a tap."""
    since = dict.fromkeys(rolls(*dice), asked_at)
    reading = read_sighting(picture, {}, rolls(*dice), answered, Lag(), asked_at=since)
    assert reading is not None
    assert reading.fits == ()


def test_dice_answer_nothing_where_nobody_knows_when_it_was_asked() -> None:
    reading = read_sighting(lying(2, 6), {}, rolls(2), {}, Lag())
    assert reading is not None
    assert reading.fits == ()
