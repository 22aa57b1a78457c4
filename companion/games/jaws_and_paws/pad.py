"""How a screen lays out the faces a card may show, and where each would leave the tokens.

Three rows of seven cells: own plane, enemy plane and Sun with Left, Corner or Team, View, Right;
then Shoot as the boards lie (P above G); then what has no effect. Faces that share a cell open
from one key.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from companion.board import Piece, Pose
from companion.games.jaws_and_paws.boards import SUN
from companion.games.jaws_and_paws.cards import OWN, WAYS, Face, Family
from companion.games.jaws_and_paws.crew import PLANE_OF, RIVAL_OF
from companion.games.jaws_and_paws.moves import Zone, plane_steps, sun_steps
from companion.question import Option

if TYPE_CHECKING:
    from companion.games.jaws_and_paws.position import JawsAndPawsPosition
    from companion.offers import Json
    from companion.ruling import Seat

House = Mapping[str, "Json"]

_WAY_COLUMN = {"L": 0, "C": 1, "T": 1, "V": 2, "R": 3}
_SHOOT_COLUMN = 4
_NO_EFFECT_ROW = 2
NO_CARD_CELL, UNCLEAR_CELL = (_NO_EFFECT_ROW, 4), (_NO_EFFECT_ROW, 5)


def lay_faces(
    faces: Iterable[Face], team: Seat, position: JawsAndPawsPosition, house: House
) -> list[Option[Face]]:
    """Options for a pad: the faces that `team` may turn over, where they go, what they move."""
    return [
        Option(
            name=face.name,
            value=face,
            label=_label(face),
            shows=moved(face, team, position, house),
            group=_group(face),
            cell=_cell(face),
            sign=_sign(face),
            about=_about(face, team),
        )
        for face in faces
        if not face.half_missing
    ]


def moved(
    face: Face, team: Seat, position: JawsAndPawsPosition, house: House
) -> Mapping[Piece, Pose] | None:
    """Where the card alone would leave the token it moves; None if it would move nothing."""
    if face.unclear or face.family not in (Family.PLANE, Family.SUN):
        return None
    piece, steps = token_and_steps(face, team, house)
    stands = position.zones.get(piece)
    if stands is None or steps[stands] == stands:
        return None
    return {piece: Pose(steps[stands])}


def token_and_steps(
    face: Face, team: Seat, house: House, move: str = ""
) -> tuple[Piece, Mapping[Zone, Zone]]:
    """The token a card of `team` moves, and from where to where.  (JP-12.2, JP-13.1)

    `move` asks for another movement of the same card than its own.
    """
    way, frame = move or face.move, str(house["lr_frame"])
    if face.family is Family.SUN:
        return SUN, sun_steps(team, way, frame)
    steps = plane_steps(team, way, frame, str(house["plane_view_mirror"]))
    return PLANE_OF[_owner(face, team)], steps


def _label(face: Face) -> str:
    if face.family is Family.NONE:
        return "No card"
    if face.unclear:
        return f"{face.card}: half unclear"
    return face.name.removeprefix("SH ") if face.family is Family.SHOOT else WAYS[face.move]


def _group(face: Face) -> str:
    if face.family is Family.NONE or face.unclear:
        return "no effect"
    if face.family is Family.PLANE:
        return f"{face.target} plane"
    return "Sun" if face.family is Family.SUN else "Shoot"


def _about(face: Face, team: Seat) -> str:
    """The plane that a card of `team` moves, or the Sun."""
    if face.unclear or face.family not in (Family.PLANE, Family.SUN):
        return ""
    return SUN if face.family is Family.SUN else PLANE_OF[_owner(face, team)]


def _owner(face: Face, team: Seat) -> Seat:
    return team if face.target == OWN else RIVAL_OF[team]


def _cell(face: Face) -> tuple[int, int]:
    if face.family is Family.NONE:
        return NO_CARD_CELL
    if face.unclear:
        return UNCLEAR_CELL
    if face.family is Family.SHOOT:
        return (0 if face.zone[0] == "P" else 1, _SHOOT_COLUMN + "LCR".index(face.zone[1]))
    if face.family is Family.SUN:
        return (2, _WAY_COLUMN[face.move])
    return (0 if face.target == OWN else 1, _WAY_COLUMN[face.move])


def _sign(face: Face) -> str:
    if face.family is Family.NONE:
        return "none"
    if face.unclear:
        return "unclear"
    return "shoot" if face.family is Family.SHOOT else WAYS[face.move].lower()
