"""What a settled picture means for the match: answer, echo, lag, difference, doubt."""

from __future__ import annotations

from typing import Any

from companion.board import Piece, Pose
from companion.offers import PictureState, Seen, SeenState, Sighting
from companion.question import Choose, Option, Question
from companion.ruling import TABLE, Cite, Move, Ruling
from companion.sighting import Difference, Fit, Lag, Reading, read_sighting

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
    reading = read_sighting(sighting, HOME, questions, more.get("answered", {}), lag)
    assert reading is not None
    return reading


def test_a_picture_that_equals_one_option_is_that_answer() -> None:
    picture = seen(jaws="Paws.PR", paws="Jaws.PC", sun="Jaws.GL")
    reading = read(picture, reveal(LEFT, RIGHT, CORNER, SHOOT))
    assert reading.fits == (Fit("reveal", "MPL own"),)
    assert reading.explained == {JAWS}
    assert reading.differences == ()


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
    lag.settle(JAWS)
    assert read(seen(jaws="Paws.PL"), {}, lag=lag).differences != ()


def test_a_lagging_piece_answers_no_later_question() -> None:
    """It stands where it was moved away from, which is just where the next card would put it."""
    lag = Lag()
    lag.follow([Ruling("", CITE, (Move(JAWS, Pose("Paws.PL"), Pose("Paws.PC")),))])
    reading = read(seen(jaws="Paws.PL"), reveal(LEFT, RIGHT), lag=lag)
    assert (reading.fits, reading.lagging) == ((), frozenset({JAWS}))
    lag.settle(JAWS)
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
