"""The boards and tokens of one match as the camera and the map have them.  (JP-16.1, JP-19.1)

Boards keep their corner markers whichever side is up. Teams of further boxes lie in blocks around
the table: clockwise from the near left corner, each before its players.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from companion.core.board import Board, BoardPlan, Deck, Piece, PointMm, Token
from companion.core.ruling import Seat
from companion.games.jaws_and_paws.boards import (
    COLOURS,
    MOON,
    MOON_TOKEN,
    SUN_TOKEN,
    TRACK_MM,
    VIEW_MM,
    action_track,
    board_plan,
    view_board,
)
from companion.games.jaws_and_paws.cards import CardTable, printed_cards
from companion.games.jaws_and_paws.crew import ALL_PLAYERS, ALL_TEAMS, BACK_OF, PIECE_NAMES
from companion.games.jaws_and_paws.lineup import Lineup

GAP_MM = 10.0
BLOCK_MM: PointMm = (TRACK_MM[0] + GAP_MM, TRACK_MM[1] + 2 * (VIEW_MM[1] + GAP_MM))
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

    >>> from companion.games.jaws_and_paws.lineup import lineup_of
    >>> plan = plan_of(lineup_of(2, 2, 1), MOON)
    >>> len(plan.boards), len(plan.tokens), plan.token_of[Piece("jaws2-on-paws")].marker
    (9, 7, 93)
    """
    bright = MOON_TOKEN if light == MOON else SUN_TOKEN
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
            ALL_PLAYERS.index(player),
            BACK_OF[player],
            {card: cards.halves[card] for card in cards.decks[player]},
            cards.decks[player],
        )
        for player in lineup.players
    )


def _token(lineup: Lineup, piece: Piece) -> Token:
    team, host = (ALL_TEAMS.index(t) for t in (lineup.flown_by[piece], lineup.host_of[piece]))
    marker = _FIRST_TOKEN + len(ALL_TEAMS) * team + host
    if team + host == 1:  # Jaws and Paws keep those of their box
        marker = 16 + team
    colour = COLOURS[lineup.flown_by[piece][:4]]
    return Token(piece, PIECE_NAMES[piece], marker, SMALL_MM, colour=colour)


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
        depth = TRACK_MM[1] + GAP_MM + place * (VIEW_MM[1] + GAP_MM) + VIEW_MM[1] / 2
        corner = _first_corner(team, place)
        yield view_board(team, role, corner, centre_mm=at(depth), turn_deg=turn_deg)
    corner = _first_track_corner(team)
    yield action_track(team, corner, centre_mm=at(TRACK_MM[1] / 2), turn_deg=turn_deg)


def _first_corner(team: Seat, place: int) -> int:
    number = ALL_TEAMS.index(team)
    return 8 * number + 4 * place if number < 2 else _FIRST_CORNER + 8 * (number - 2) + 4 * place


def _first_track_corner(team: Seat) -> int:
    number = ALL_TEAMS.index(team)
    return 40 + 4 * number if number < 2 else _FIRST_TRACK_CORNER + 4 * (number - 2)


def _seat_of(teams: Sequence[Seat], team: Seat) -> tuple[bool, int]:
    """Whether a team sits at the far edge, and in which column: clockwise from the near left.

    >>> [_seat_of(ALL_TEAMS[:5], team) for team in ALL_TEAMS[:5]]
    [(False, 0), (True, 0), (True, 1), (False, 2), (False, 1)]
    """
    at, far = teams.index(team), len(teams) // 2
    if at == 0:
        return False, 0
    return (True, at - 1) if at <= far else (False, len(teams) - at)
