"""How a screen lays out the faces a card may show, and where each would leave the tokens.

Three rows of seven cells: own plane, enemy plane and Sun with Left, Corner or Team, View, Right;
then Shoot as the boards lie (P above G); then what has no effect. Faces that share a cell open
from one key.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from companion.core.board import Piece, Pose
from companion.core.question import Option
from companion.games.jaws_and_paws.cards import OWN, WAYS, Face, Family
from companion.games.jaws_and_paws.crew import PIECE_NAMES
from companion.games.jaws_and_paws.moves import POSES, Zone, plane_steps, sun_steps

if TYPE_CHECKING:
    from companion.core.ruling import Json, Seat
    from companion.games.jaws_and_paws.lineup import Lineup
    from companion.games.jaws_and_paws.position import JawsAndPawsPosition

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
            group=_group(face, position),
            cell=_cell(face),
            sign=_sign(face),
            about=_about(face, team, position),
        )
        for face in faces
        if not face.half_missing
    ]


def moved(
    face: Face, team: Seat, position: JawsAndPawsPosition, house: House
) -> Mapping[Piece, Pose] | None:
    """Where the card alone would leave the tokens it moves; None if it would move nothing."""
    if face.unclear or face.family not in (Family.PLANE, Family.SUN):
        return None
    if is_chosen(face, position):
        return None
    steps, zones = steps_of(face, team, house), position.zones
    ends = {
        piece: POSES[steps[zones[piece]]]
        for piece in tokens_of(face, team, position)
        if steps[zones[piece]] != zones[piece]
    }
    return ends or None


class Tokens(Protocol):
    """Tokens on the boards, recorded or as a player thinks of them."""

    @property
    def lineup(self) -> Lineup:
        """Who plays this match."""
        ...

    @property
    def light(self) -> Piece:
        """The Sun, or the Moon in its place."""
        ...

    @property
    def zones(self) -> Mapping[Piece, Zone]:
        """The zone of each token that stands on a board."""
        ...


def tokens_of(face: Face, team: Seat, position: Tokens) -> Sequence[Piece]:
    """The tokens on the boards that a card of `team` moves.  (JP-12.2, JP-13.1, JP-19.3, 19.4)"""
    if face.family is Family.SUN:
        return (position.light,) if position.light in position.zones else ()
    lineup = position.lineup
    named = lineup.own[team] if face.target == OWN else lineup.facing[team]
    if len(named) == 1:
        return named
    return [piece for piece in named if piece in position.zones]  # some may have left the game


def is_chosen(face: Face, position: Tokens) -> bool:
    """Whether whoever played the card says where it takes the Sun.  (JP-19.5)"""
    return face.family is Family.SUN and face.move == "T" and len(position.lineup.teams) > 2


def steps_of(face: Face, team: Seat, house: House, move: str = "") -> Mapping[Zone, Zone]:
    """From where to where a card of `team` takes its tokens.  (JP-12, JP-13)

    `move` asks for another movement of the same card than its own.
    """
    way, frame = move or face.move, str(house["lr_frame"])
    if face.family is Family.SUN:
        return sun_steps(team, way, frame)
    return plane_steps(team, way, frame, str(house["plane_view_mirror"]))


def _label(face: Face) -> str:
    if face.family is Family.NONE:
        return "No card"
    if face.unclear:
        return f"{face.card}: half unclear"
    return face.name.removeprefix("SH ") if face.family is Family.SHOOT else WAYS[face.move]


def _group(face: Face, position: JawsAndPawsPosition) -> str:
    if face.family is Family.NONE or face.unclear:
        return "no effect"
    if face.family is Family.PLANE:
        return f"{face.target} plane"
    return PIECE_NAMES[position.light] if face.family is Family.SUN else "Shoot"


def _about(face: Face, team: Seat, position: JawsAndPawsPosition) -> str:
    """The plane that a card of `team` moves, or the Sun; of several planes none in particular."""
    if face.unclear or face.family not in (Family.PLANE, Family.SUN):
        return ""
    pieces = tokens_of(face, team, position)
    if face.target == OWN:
        return pieces[0] if pieces else ""
    return pieces[0] if len(pieces) == 1 else ""


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
