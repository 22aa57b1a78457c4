"""A piece seen where the move that is asked for does not lead: said, and still no answer."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.board import Piece, Pose
from companion.core.offers import Offer, PictureState, Seen, SeenState, Sighting, Stamp
from companion.core.ruling import Level, Seat
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.referee.sight import Sight

STAMP = Stamp("test", "2026-11-21T19:00:00Z", 0.0)
CAMEL, FOKKER = Piece("camel"), Piece("fokker")
FLOWN = {Seat("A"): "Ana/camel", Seat("B"): "Ben/fokker"}


def asked_to_fly(card: str = "Basic Maneuver") -> Match[Any]:
    """A's first turn: the Camel on 0,-1 N before the Fokker, the card named."""
    match: Match[Any] = Match.start(Setup("dogfight-1917", ("base",), FLOWN), STAMP)
    for answer in ("placed", "engage", card):
        (question,) = match.open.values()
        match.answer(Offer(question.key, answer, "script", question.by), STAMP)
    return match


def seen_at(sight: Sight, camel: Pose, state: PictureState = PictureState.SETTLED) -> Sight:
    """A picture of both planes, the Fokker where it belongs."""
    places = {CAMEL: camel, FOKKER: Pose("0,0", 0)}
    pieces = {piece: Seen(SeenState.SEEN, pose, (pose.space,)) for piece, pose in places.items()}
    sight.look(Sighting(1.0, 1, state, pieces), 1.0)
    return sight


@pytest.mark.parametrize(
    ("card", "pose", "code", "words", "way_out"),
    [
        ("Basic Maneuver", Pose("3,-3", 3), "DF-E01",
         "The Basic Maneuver from 0,-1 N does not reach 3,-3 S.", "Legal nearby: 2,-2 S;"),
        ("Basic Maneuver", Pose("0,-2", 3), "DF-E01", "does not reach 0,-2 S.", "0,-2 NE"),
        ("Basic Maneuver", Pose("0,0", 0), "DF-E03", "Another Fighter stands on 0,0", "Legal"),
        ("Basic Maneuver", Pose("0,-1", 1), "DF-E07", "The plane has not moved", "advances"),
        ("Turning Maneuver", Pose("0,-2", 1), "DF-E06", "Two Turns leave the plane", "Legal"),
    ],
)  # fmt: skip
def test_a_pose_that_no_option_reaches_is_named_with_what_is_legal(
    card: str, pose: Pose, code: str, words: str, way_out: str
) -> None:
    """In the question's own words; nothing is offered, and a touch may still answer."""
    sight = seen_at(Sight(asked_to_fly(card)), pose)
    (notice,) = sight.notices
    assert (notice.code, notice.level) == (code, Level.WARN)
    assert words in notice.text
    assert way_out in f"{notice.text} {notice.way_out}"
    assert not sight.offered
    assert not sight.held


def test_a_pose_that_an_option_reaches_is_offered_and_not_spoken_of() -> None:
    """What was said before is taken back by the next picture."""
    sight = seen_at(Sight(asked_to_fly()), Pose("3,-3", 3))
    assert sight.notices
    sight.forget()
    assert not sight.notices
    seen_at(sight, Pose("3,-3", 3))
    seen_at(sight, Pose("0,-2", 0))
    assert not sight.notices
    assert [offer.raw for offer in sight.offered.values()] == ["0,-2 N"]


def test_nothing_is_said_before_the_move_is_asked_for() -> None:
    """A plane may be flown before its card is named, and while hands are there."""
    match = asked_to_fly()
    match.undo(stamp=STAMP)
    assert not seen_at(Sight(match), Pose("3,-3", 3)).notices
    busy = seen_at(Sight(asked_to_fly()), Pose("3,-3", 3), PictureState.HAND)
    assert not busy.notices
