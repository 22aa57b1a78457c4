"""What a settled picture says against the record: reachable poses answer, others say why not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from companion.core.board import Piece, Pose
from companion.core.offers import PictureState, Seen, SeenState, Sighting
from companion.referee.sight import Lag, read_sighting

Start = Callable[..., Any]
NAMES = ("NW", "NE", "E", "SE", "SW", "W")


def pose(text: str) -> Pose:
    """A place as people write it; without a heading it is a token that has none."""
    space, _, facing = text.partition(" ")
    return Pose(space, NAMES.index(facing) if facing else None)


def seen_at(text: str) -> Seen:
    """A piece that is read for sure."""
    at = pose(text)
    facings = () if at.facing is None else (at.facing,)
    return Seen(SeenState.SEEN, at, (at.space,), "Hexagon Map", 1.0, 1.0, 0.0, facings)


def picture(table: Any, **moved: Any) -> Sighting:
    """The table as recorded, but for these; "ship_a" is ship-a."""
    pieces = {piece: Seen(SeenState.SEEN, at) for piece, at in table.position.placement().items()}
    for name, at in moved.items():
        piece = Piece(name.replace("_", "-"))
        pieces[piece] = seen_at(at) if isinstance(at, str) else at
    return Sighting(1.0, 1, PictureState.SETTLED, pieces, frozenset({"Hexagon Map"}))


def notices(table: Any, **moved: Any) -> Mapping[str, str]:
    """Code and text of each notice about a picture, with what is on its way left out as at play."""
    sighting = picture(table, **moved)
    match = table.match
    reading = read_sighting(sighting, match.position.placement(), match.open, match.answered, Lag())
    assert reading is not None
    away = reading.lagging | reading.explained | reading.early
    return {n.code: n.text for n in match.rulebook.compare(sighting, away)}


def fits(table: Any, **moved: Any) -> list[Any]:
    """The option that a picture answers with."""
    match = table.match
    sighting = picture(table, **moved)
    reading = read_sighting(sighting, match.position.placement(), match.open, match.answered, Lag())
    assert reading is not None
    return [fit.option for fit in reading.fits]


def test_a_ship_seen_where_it_can_be_answers_the_question(at: Start) -> None:
    """And nothing is said against it."""
    table = at("movement", A={"place": "0,0 E"})
    assert fits(table, ship_a="2,0 SE") == ["2,0 SE"]
    assert notices(table, ship_a="2,0 SE") == {}


@pytest.mark.parametrize(
    ("seen", "code", "words"),
    [
        ("-3,0 E", "HX-E-UNREACHABLE", "takes 5 steps"),
        ("5,0 E", "HX-E-BLOCKED", "Wreckage is on 5,0"),
        ("0,-4 E", "HX-E-BLOCKED", "Ship B is on 0,-4"),
    ],
)
def test_a_ship_seen_where_it_cannot_be_says_why(
    at: Start, seen: str, code: str, words: str
) -> None:
    """In the words in which the answer would be refused."""
    table = at("movement", A={"place": "0,0 E"})
    assert fits(table, ship_a=seen) == []
    told = notices(table, ship_a=seen)
    assert words in told[code]


def test_an_anchored_ship_that_moved_is_told(at: Start) -> None:
    """HX-MOV-07."""
    table = at("movement", A={"place": "0,0 E", "anchored": True})
    assert "HX-E-ANCHOR" in notices(table, ship_a="1,0 E")
    assert fits(table, ship_a="0,0 W") == ["0,0 W"]


def test_a_ship_out_of_turn_is_told(at: Start) -> None:
    """HX-MOV-01: whose turn it is, and what the record has."""
    told = notices(at("movement"), ship_b="0,-3 SE")
    assert "It is the turn of ship A to move" in told["HX-E-ORDER"]


def test_a_ship_that_moves_before_all_have_declared_is_told(at: Start) -> None:
    """HX-DEC-03."""
    assert "HX-E-WAIT" in notices(at("declare"), ship_a="0,3 NW")


def test_a_ship_that_moves_after_the_movement_is_told(at: Start) -> None:
    """It stays where it was."""
    assert "Ships do not move now" in notices(at("reveal"), ship_a="0,3 NW")["HX-SEEN"]


def test_wreckage_that_was_laid_answers_where(at: Start) -> None:
    """HX-DMG-01: the victim's token, whichever way round it lies."""
    used = {"card": "shield anchor", "stopped": True}
    table = at("resolution", A={"place": "0,0 E", "card": "short"}, B={"place": "1,0 W", **used},
               C=used, D=used)  # fmt: skip
    assert fits(table, hull_b_1="2,0") == ["2,0"]
    told = notices(table, hull_b_2="2,0")
    assert "nobody has lost it" in told["HX-SEEN"]


def test_debris_beside_a_ship_is_no_answer_by_sight(at: Start, dead: Any) -> None:
    """RULING 23: a ram cannot be seen. Farther off it is what it looks like."""
    used = {"card": "shield anchor", "stopped": True}
    table = at("debris", A=used, B={"place": "2,0 W", **used}, C=used, D=dead("0,0"))
    assert fits(table, ship_d_debris="1,0") == []
    assert fits(table, ship_d_debris="-2,0") == ["-2,0"]
    assert "HX-E-STEPS" in notices(table, ship_d_debris="-4,0")
    assert "say so" in table.match.rulebook.compare(picture(table, ship_d_debris="1,0"))[0] \
        .way_out.lower()  # fmt: skip


def test_debris_out_of_turn_or_of_a_living_ship_is_told(at: Start, dead: Any) -> None:
    """HX-DEB-02."""
    table = at("movement", D=dead("0,0"))
    assert "No debris drifts now" in notices(table, ship_d_debris="1,0")["HX-E-ORDER"]
    assert "is not destroyed" in notices(table, ship_b_debris="1,0")["HX-SEEN"]
    assert "ship side up" in notices(table, ship_d="1,0 E")["HX-SEEN"]


def test_wreckage_never_moves_and_may_be_covered(at: Start, dead: Any) -> None:
    """HX-DMG-02, HX-DEB-03: what lies under debris is there although nobody sees it."""
    lost = Seen(SeenState.LOST)
    table = at("movement", D=dead("1,1"), A={"hull": 1}, wreckage={"hull-a-1": "1,1"})
    assert "Wreckage never moves" in notices(table, wreck_1="0,0")["HX-SEEN"]
    assert notices(table, hull_a_1=lost) == {}
    assert "is not seen" in notices(table, wreck_1=lost)["HX-SEEN"]


def test_what_is_too_close_to_call_is_told(at: Start) -> None:
    """Between two spaces, two headings, or on none."""
    between = Seen(SeenState.UNSURE, None, ("0,4", "0,3"))
    turned = Seen(SeenState.UNSURE, None, ("0,4",), facings=(0, 1))
    corner = Seen(SeenState.UNSURE, None, ("0,4", "0,3", "1,3"))
    nowhere = Seen(SeenState.UNSURE)
    table = at("movement")
    for seen, words in ((between, "between 0,4 and 0,3"), (corner, "between 0,4, 0,3 and 1,3"),
                        (turned, "between NW and NE"), (nowhere, "on no space")):  # fmt: skip
        assert words in notices(table, ship_b=seen)["HX-SEEN"]


def test_hands_may_lay_the_map_out_ahead(new_table: Start) -> None:
    """HX-SET-01: ships and wreckage that lie there before they are asked for are no news."""
    table = new_table()
    ahead = {"wreck_1": "1,1", "wreck_2": "2,2", "ship_a": "0,-5 SE"}
    assert notices(table, **ahead) == {}
    assert fits(table, **ahead) == ["1,1"]
    table.say("wreck-1", "1,1")
    assert fits(table, **ahead) == ["2,2"]


def test_a_picture_that_is_not_settled_says_nothing(at: Start) -> None:
    """Hands may be in it."""
    table = at("movement")
    moving = Sighting(1.0, 1, PictureState.MOVING, {Piece("ship-b"): seen_at("0,0 E")})
    assert table.match.rulebook.compare(moving) == []
