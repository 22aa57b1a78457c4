"""Where the camera's settled table is not as recorded.  (DF-E01 to DF-E05)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.board import Piece, Pose
from companion.core.offers import PictureState, Seen, SeenState, Sighting
from companion.core.ruling import Level, Notice
from companion.kit.hexes import Heading

MakeTable = Callable[..., Any]
CAMEL, FOKKER = Piece("camel"), Piece("fokker")


def sighting(
    table: Any, state: PictureState = PictureState.SETTLED, **places: str | Seen
) -> Sighting:
    """A picture of a table; pieces that are not named stand as recorded."""
    seen = {piece: Seen(SeenState.SEEN, pose) for piece, pose in table.position.placement().items()}
    for name, place in places.items():
        seen[Piece(name)] = Seen(SeenState.SEEN, pose(place)) if isinstance(place, str) else place
    return Sighting(0.0, 1, state, seen)


def pose(place: str) -> Pose:
    """A place as people write it."""
    space, facing = Heading.read(place)
    return Pose(str(space), facing)


def compared(table: Any, seen: Sighting, *lagging: Piece) -> list[Notice]:
    """What the box says of a picture."""
    notices: list[Notice] = table.match.rulebook.compare(seen, frozenset(lagging))
    return notices


def only(notices: list[Notice]) -> tuple[str, str, str]:
    """Code, level and cite of the one notice there is."""
    (notice,) = notices
    return notice.code, str(notice.level), str(notice.cite)


def test_a_table_as_recorded_says_nothing(table_at: MakeTable) -> None:
    """Every piece where the record has it."""
    table = table_at()
    assert compared(table, sighting(table)) == []


@pytest.mark.parametrize("state", [s for s in PictureState if s is not PictureState.SETTLED])
def test_nothing_is_said_of_an_unsettled_picture(table_at: MakeTable, state: PictureState) -> None:
    """Hands are over the board, or the light changes: wait."""
    table = table_at()
    assert compared(table, sighting(table, state, fokker="3,0 N")) == []


def test_df_e01_the_movers_pose_is_not_as_recorded(table_at: MakeTable) -> None:
    """Said with both poses; the way out asks what went wrong."""
    table = table_at()
    notices = compared(table, sighting(table, camel="0,0 N"))
    assert only(notices) == ("DF-E01", "block", "DF-9.6")
    assert "stands on 0,0 N, the record has 0,1 N." in notices[0].text
    assert "Wrong card, wrong start or wrong move?" in notices[0].way_out


def test_df_e02_between_two_headings(table_at: MakeTable) -> None:
    """Never guessed: turn it to one of the six."""
    table = table_at()
    between = Seen(SeenState.UNSURE, spaces=("0,1",), facings=(0, 5))
    notices = compared(table, sighting(table, camel=between))
    assert only(notices) == ("DF-E02", "warn", "DF-2.3")
    assert notices[0].text == "The Sopwith Camel points between N and NW."


def test_df_e02_between_two_spaces(table_at: MakeTable) -> None:
    """Both are named; one Fighter stands on one space."""
    table = table_at()
    notices = compared(table, sighting(table, camel=Seen(SeenState.UNSURE, spaces=("0,1", "0,0"))))
    assert only(notices) == ("DF-E02", "warn", "DF-2.6")
    assert "between 0,1 and 0,0" in notices[0].text


def test_df_e03_two_planes_on_one_space(table_at: MakeTable) -> None:
    """Blocked, whoever came last; while one of them is on its way nothing is said."""
    table = table_at()
    seen = sighting(table, camel="0,-1 N")
    notices = compared(table, seen)
    assert [notice.code for notice in notices] == ["DF-E03", "DF-E01"]
    assert only(notices[:1]) == ("DF-E03", "block", "DF-2.6")
    assert "the Sopwith Camel and the Fokker Dr.I stand on one space, 0,-1" in notices[0].text
    assert compared(table, seen, CAMEL) == []


def test_df_e03_as_an_answer(table_at: MakeTable) -> None:
    """Typed or tapped, an end on another plane is refused; flying through it is no end."""
    table = table_at(B={"place": "0,0 N"}).act("Basic Maneuver")
    refusal = table.refused("fly", "0,0 N")
    assert (refusal.code, str(refusal.cite)) == ("DF-E03", "DF-2.6, DF-9.3")
    assert "Another Fighter stands on 0,0" in str(refusal)
    assert "0,-1 N" in table.names("fly")


def test_df_e04_missing_without_a_crash(table_at: MakeTable) -> None:
    """Lost from sight is a note; on no space of the board a warning; covered is nothing."""
    table = table_at()
    lost = compared(table, sighting(table, fokker=Seen(SeenState.LOST)))
    assert only(lost) == ("DF-E04", "note", "DF-9.4")
    assert "the record has it on 0,-1 N" in lost[0].text
    beside = compared(table, sighting(table, fokker=Seen(SeenState.UNSURE)))
    assert only(beside) == ("DF-E04", "warn", "DF-9.4")
    assert compared(table, sighting(table, fokker=Seen(SeenState.COVERED))) == []


def test_df_e04_a_crashed_model_still_on_the_board(table_at: MakeTable) -> None:
    """It is to be taken off; beside the board it lies well."""
    table = table_at("engagement", "battle-royale", players="ABC", options={"players": 3},
                     B={"crashed": True, "place": None})  # fmt: skip
    notices = compared(table, sighting(table, fokker="0,-1 N"))
    assert only(notices) == ("DF-E04", "warn", "DF-19.2")
    assert notices[0].way_out == "Take the model off the board."
    between = Seen(SeenState.UNSURE, spaces=("0,-1", "0,0"))
    assert only(compared(table, sighting(table, fokker=between)))[0] == "DF-E04"
    for aside in (SeenState.UNSURE, SeenState.LOST, SeenState.COVERED):
        assert compared(table, sighting(table, fokker=Seen(aside))) == []


def test_df_e04_a_model_that_nobody_flies(table_at: MakeTable) -> None:
    """The box has four; with two players the others belong aside."""
    table = table_at()
    notices = compared(table, sighting(table, spad="3,0 N"))
    assert only(notices) == ("DF-E04", "warn", "DF-3.2, DF-3.4")
    assert "The SPAD S.XIII stands on 3,0; nobody flies it here." in notices[0].text


def test_df_e05_another_than_the_mover_has_moved(table_at: MakeTable) -> None:
    """Blocked until it is restored or the record corrected."""
    table = table_at()
    notices = compared(table, sighting(table, fokker="0,-2 N"))
    assert only(notices) == ("DF-E05", "block", "DF-5.1")
    assert "It is not its turn to move." in notices[0].text
    assert notices[0].way_out.startswith("Put it back")
    assert only(compared(table, sighting(table, fokker="0,-1 NE")))[0] == "DF-E05"


def test_nothing_is_said_of_models_before_they_are_placed(new_table: MakeTable) -> None:
    """At set-up they may lie anywhere, chosen or not."""
    table = new_table("battle-royale").say("fighter/A", "camel")
    assert compared(table, sighting(table, camel="3,0 N", spad="0,0 N")) == []


def test_lagging_pieces_are_no_difference(table_at: MakeTable) -> None:
    """A ruling moved it and hands have not: nothing is said of it, of others it is."""
    table = table_at()
    seen = sighting(table, camel="0,0 N", fokker="0,-2 N")
    assert only(compared(table, seen, CAMEL))[0] == "DF-E05"
    assert compared(table, seen, CAMEL, FOKKER) == []
    assert {notice.level for notice in compared(table, seen)} == {Level.BLOCK}
