"""The boards and tokens of one match for camera and map, and the pad of card faces.

Boards keep their corner markers whichever side is up. Teams of further boxes lie in blocks around
the table: clockwise from the near left corner, each before its players.  (JP-16.1, JP-19.1)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Protocol

from companion.core.board import Board, BoardPlan, Deck, Piece, PointMm, Pose, Token
from companion.core.question import Option
from companion.core.ruling import Seat
from companion.games.jaws_and_paws import boards
from companion.games.jaws_and_paws.boards import Lineup, Zone, action_track, board_plan, view_board
from companion.games.jaws_and_paws.cards import (
    OWN,
    WAYS,
    CardFace,
    CardTable,
    Family,
    printed_cards,
)
from companion.games.jaws_and_paws.moves import plane_steps, sun_steps

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.jaws_and_paws.position import JawsAndPawsPosition


GAP_MM = 10.0
BLOCK_MM: PointMm = (
    boards.TRACK_MM[0] + GAP_MM,
    boards.TRACK_MM[1] + 2 * (boards.VIEW_MM[1] + GAP_MM),
)
"""What one team needs: its track before it, its two View Boards behind that."""
MIDDLE_MM = 2 * GAP_MM
"""Between the two rows of teams."""

SMALL_MM = 18.0
"""The marker's side of each plane of several teams: with six of them five must fit on one zone."""

_FIRST_CORNER, _FIRST_TOKEN, _FIRST_TRACK_CORNER = 48, 80, 120
"""Markers of further boxes; those of the first box are in `boards.py`."""


@cache
def plan_of(lineup: Lineup, light: Piece) -> BoardPlan:
    """Everything that lies on the table for a lineup, with the Sun or the Moon.

    >>> plan = plan_of(boards.lineup_of(2, 2, 1), boards.MOON)
    >>> len(plan.boards), len(plan.tokens), plan.token_of[Piece("jaws2-on-paws")].marker
    (9, 7, 93)
    """
    bright = boards.MOON_TOKEN if light == boards.MOON else boards.SUN_TOKEN
    box = replace(board_plan(), decks=decks_of(lineup, printed_cards()))
    if len(lineup.teams) == 2:
        return replace(box, tokens=(*box.tokens[:2], bright))
    rows = 2 * BLOCK_MM[1] + MIDDLE_MM
    columns = (len(lineup.teams) + 1) // 2
    return replace(
        box,
        boards=tuple(board for team in lineup.teams for board in _block(lineup, team)),
        tokens=(*(_token(lineup, piece) for piece in lineup.tokens), bright),
        table_mm=(columns * BLOCK_MM[0] + GAP_MM, rows + 2 * GAP_MM),
    )


def decks_of(lineup: Lineup, cards: CardTable) -> tuple[Deck, ...]:
    """The players' cards as sleeves tell them apart; a solo player has both decks of the team."""
    return tuple(
        Deck(
            player,
            boards.ALL_PLAYERS.index(player),
            boards.BACK_OF[player],
            {card: cards.halves[card] for card in cards.decks[player]},
            cards.decks[player],
            boards.NAMES[player],
            {card: cards.faces[cards.halves[card][0]].title for card in cards.decks[player]},
        )
        for player in lineup.players
    )


def _token(lineup: Lineup, piece: Piece) -> Token:
    team, host = (
        boards.ALL_TEAMS.index(t) for t in (lineup.flown_by[piece], lineup.host_of[piece])
    )
    marker = _FIRST_TOKEN + len(boards.ALL_TEAMS) * team + host
    if team + host == 1:  # Jaws and Paws keep those of their box
        marker = 16 + team
    colour = boards.COLOURS[lineup.flown_by[piece][:4]]
    return Token(piece, boards.PIECE_NAMES[piece], marker, SMALL_MM, colour=colour)


def _block(lineup: Lineup, team: Seat) -> Iterator[Board]:
    """A team's two View Boards and its track, readable from its edge of the table."""
    far, column = _seat_of(lineup.teams, team)
    middle = GAP_MM + (column + 0.5) * BLOCK_MM[0]
    turn_deg = 180.0 if far else 0.0

    def at(depth: float) -> PointMm:
        """The middle of the block, so far from its players' edge."""
        rows = 2 * BLOCK_MM[1] + MIDDLE_MM
        return (middle, GAP_MM + (depth if far else rows - depth))

    for place, role in enumerate(("Pilot", "Gunner")):
        depth = (
            boards.TRACK_MM[1]
            + GAP_MM
            + place * (boards.VIEW_MM[1] + GAP_MM)
            + boards.VIEW_MM[1] / 2
        )
        corner = _first_corner(team, place)
        yield view_board(team, role, corner, centre_mm=at(depth), turn_deg=turn_deg)
    corner = _first_track_corner(team)
    yield action_track(team, corner, centre_mm=at(boards.TRACK_MM[1] / 2), turn_deg=turn_deg)


def _first_corner(team: Seat, place: int) -> int:
    number = boards.ALL_TEAMS.index(team)
    return 8 * number + 4 * place if number < 2 else _FIRST_CORNER + 8 * (number - 2) + 4 * place


def _first_track_corner(team: Seat) -> int:
    number = boards.ALL_TEAMS.index(team)
    return 40 + 4 * number if number < 2 else _FIRST_TRACK_CORNER + 4 * (number - 2)


def _seat_of(teams: Sequence[Seat], team: Seat) -> tuple[bool, int]:
    """Whether a team sits at the far edge, and in which column: clockwise from the near left.

    >>> [_seat_of(boards.ALL_TEAMS[:5], team) for team in boards.ALL_TEAMS[:5]]
    [(False, 0), (True, 0), (True, 1), (False, 2), (False, 1)]
    """
    at, far = teams.index(team), len(teams) // 2
    if at == 0:
        return False, 0
    return (True, at - 1) if at <= far else (False, len(teams) - at)


# The pad: the faces a card may show, and where each would leave the tokens.

House = Mapping[str, "Json"]

_WAY_COLUMN = {"L": 0, "C": 1, "T": 1, "V": 2, "R": 3}
_SHOOT_COLUMN = 4
_NO_EFFECT_ROW = 2
NO_CARD_CELL, UNCLEAR_CELL = (_NO_EFFECT_ROW, 4), (_NO_EFFECT_ROW, 5)


def lay_faces(
    faces: Iterable[CardFace], team: Seat, position: JawsAndPawsPosition, house: House
) -> list[Option[CardFace]]:
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
    face: CardFace, team: Seat, position: JawsAndPawsPosition, house: House
) -> Mapping[Piece, Pose] | None:
    """Where the card alone would leave the tokens it moves; None if it would move nothing."""
    if face.unclear or face.family not in (Family.PLANE, Family.SUN):
        return None
    if is_chosen(face, position):
        return None
    steps, zones = steps_of(face, team, house), position.zones
    ends = {
        piece: boards.POSES[steps[zones[piece]]]
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


def tokens_of(face: CardFace, team: Seat, position: Tokens) -> Sequence[Piece]:
    """The tokens on the boards that a card of `team` moves.  (JP-12.2, JP-13.1, JP-19.3, 19.4)"""
    if face.family is Family.SUN:
        return (position.light,) if position.light in position.zones else ()
    lineup = position.lineup
    named = lineup.own[team] if face.target == OWN else lineup.facing[team]
    if len(named) == 1:
        return named
    return [piece for piece in named if piece in position.zones]  # some may have left the game


def is_chosen(face: CardFace, position: Tokens) -> bool:
    """Whether whoever played the card says where it takes the Sun.  (JP-19.5)"""
    return face.family is Family.SUN and face.move == "T" and len(position.lineup.teams) > 2


def steps_of(face: CardFace, team: Seat, house: House, move: str = "") -> Mapping[Zone, Zone]:
    """From where to where a card of `team` takes its tokens.  (JP-12, JP-13)

    `move` asks for another movement of the same card than its own.
    """
    way, frame = move or face.move, str(house["lr_frame"])
    if face.family is Family.SUN:
        return sun_steps(team, way, frame)
    return plane_steps(team, way, frame, str(house["plane_view_mirror"]))


def _label(face: CardFace) -> str:
    if face.family is Family.NONE:
        return "No card"
    if face.unclear:
        return f"{face.card}: lies sideways"
    return face.name.removeprefix("SH ") if face.family is Family.SHOOT else WAYS[face.move]


def _group(face: CardFace, position: JawsAndPawsPosition) -> str:
    if face.family is Family.NONE or face.unclear:
        return "no effect"
    if face.family is Family.PLANE:
        return f"{face.target} plane"
    return boards.PIECE_NAMES[position.light] if face.family is Family.SUN else "Shoot"


def _about(face: CardFace, team: Seat, position: JawsAndPawsPosition) -> str:
    """The plane that a card of `team` moves, or the Sun; of several planes none in particular."""
    if face.unclear or face.family not in (Family.PLANE, Family.SUN):
        return ""
    pieces = tokens_of(face, team, position)
    if face.target == OWN:
        return pieces[0] if pieces else ""
    return pieces[0] if len(pieces) == 1 else ""


def _cell(face: CardFace) -> tuple[int, int]:
    if face.family is Family.NONE:
        return NO_CARD_CELL
    if face.unclear:
        return UNCLEAR_CELL
    if face.family is Family.SHOOT:
        return (0 if face.zone[0] == "P" else 1, _SHOOT_COLUMN + "LCR".index(face.zone[1]))
    if face.family is Family.SUN:
        return (2, _WAY_COLUMN[face.move])
    return (0 if face.target == OWN else 1, _WAY_COLUMN[face.move])


def _sign(face: CardFace) -> str:
    if face.family is Family.NONE:
        return "none"
    if face.unclear:
        return "unclear"
    return "shoot" if face.family is Family.SHOOT else WAYS[face.move].lower()
