"""The boards of one box, the places and stages, and who may sit where.  (JP-0 to JP-2, JP-5.1)

Board and token sizes are not printed in the book: these are the sizes of our printed sheets and
corner markers, and a table's own file may replace them. `plan.py` lays out one match's boards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from companion.core.board import (
    MARKERS,
    Board,
    BoardPlan,
    Look,
    Piece,
    PointMm,
    Pose,
    Rgb,
    Space,
    Token,
    four_corners,
)
from companion.core.ruling import Seat

MARKER_COLUMN_MM = 36.0
VIEW_MM: PointMm = (240.0, 110.0)
SECTION_MM: PointMm = (75.0, 95.0)
TRACK_MM: PointMm = (4 * SECTION_MM[0] + 2 * MARKER_COLUMN_MM, SECTION_MM[1])
ZONE_MM: PointMm = (56.0, 100.0)
JAWS_PLANE, PAWS_PLANE = Piece("jaws"), Piece("paws")
SUN, MOON = Piece("sun"), Piece("moon")
"""Two sides of one token; each has a marker of its own.  (JP-1.3)"""
COLOURS: Mapping[str, Rgb] = {"Jaws": (226, 120, 40), "Paws": (34, 62, 112)}
SUN_COLOUR: Rgb = (245, 196, 60)
MOON_COLOUR: Rgb = (206, 214, 230)
CARD_BACKS: Mapping[str, Rgb] = {"P": (240, 240, 238), "G": (30, 30, 34)}
"""White borders are Pilots' cards, black ones Gunners'.  (JP-1.4)"""
_SUN_SIDE = Token(SUN, "Sun", marker=36, colour=SUN_COLOUR)
_MOON_SIDE = Token(MOON, "Moon", marker=37, colour=MOON_COLOUR)
SUN_TOKEN = replace(_SUN_SIDE, other_side=_MOON_SIDE)
MOON_TOKEN = replace(_MOON_SIDE, other_side=_SUN_SIDE)


def board_plan() -> BoardPlan:
    """One box by day: four view boards, two action tracks, three tokens; Jaws at the near edge.

    >>> plan = board_plan()
    >>> plan.spaces["Paws.GR"].label, plan.board_of["Paws.GR"].name
    ('GR', 'Paws Gunner View')
    """
    return BoardPlan(
        box="jaws-and-paws",
        dictionary=MARKERS,
        boards=(
            view_board("Jaws", "Pilot", 0, centre_mm=(155.0, 305.0), turn_deg=0.0),
            view_board("Jaws", "Gunner", 4, centre_mm=(405.0, 305.0), turn_deg=0.0),
            view_board("Paws", "Pilot", 8, centre_mm=(405.0, 175.0), turn_deg=180.0),
            view_board("Paws", "Gunner", 12, centre_mm=(155.0, 175.0), turn_deg=180.0),
            action_track("Jaws", 40, centre_mm=(280.0, 420.0), turn_deg=0.0),
            action_track("Paws", 44, centre_mm=(280.0, 60.0), turn_deg=180.0),
        ),
        tokens=(
            Token(JAWS_PLANE, "Jaws plane", marker=16, colour=COLOURS["Jaws"]),
            Token(PAWS_PLANE, "Paws plane", marker=17, colour=COLOURS["Paws"]),
            SUN_TOKEN,
        ),
        table_mm=(560.0, 480.0),
        card_backs=CARD_BACKS,
    )


def view_board(
    team: str, role: str, first_id: int, *, centre_mm: PointMm, turn_deg: float
) -> Board:
    """One View Board; markers first_id.. lie top left, top right, bottom right, bottom left."""
    return Board(
        name=f"{team} {role} View",
        owner=team,
        size_mm=VIEW_MM,
        spaces=tuple(_zone(team, role[0], column) for column in range(3)),
        centre_mm=centre_mm,
        turn_deg=turn_deg,
        corners=four_corners(first_id, VIEW_MM, MARKER_COLUMN_MM / 2),
        colour=COLOURS[team[:4]],
    )


def _zone(team: str, letter: str, column: int) -> Space:
    label = letter + "LCR"[column]
    left = MARKER_COLUMN_MM + column * ZONE_MM[0]
    top = (VIEW_MM[1] - ZONE_MM[1]) / 2
    sign = {"PC": "cross", "GC": "ring"}.get(label, "")
    return Space(f"{team}.{label}", label, _rectangle(left, top, *ZONE_MM), sign)


def action_track(team: str, first_id: int, *, centre_mm: PointMm, turn_deg: float) -> Board:
    """An Action Track: four numbered sections for cards, no pieces; markers as a View Board's."""
    sections = tuple(
        Space(
            f"{team}.{n}",
            str(n),
            _rectangle(MARKER_COLUMN_MM + (n - 1) * SECTION_MM[0], 0.0, *SECTION_MM),
        )
        for n in (1, 2, 3, 4)
    )
    return Board(
        name=f"{team} Action Track",
        owner=team,
        size_mm=TRACK_MM,
        spaces=sections,
        centre_mm=centre_mm,
        turn_deg=turn_deg,
        corners=four_corners(first_id, TRACK_MM, MARKER_COLUMN_MM / 2),
        holds_pieces=False,
        colour=COLOURS[team[:4]],
    )


def _rectangle(left: float, top: float, width: float, height: float) -> tuple[PointMm, ...]:
    return (
        (left, top),
        (left + width, top),
        (left + width, top + height),
        (left, top + height),
    )


# Piles, and the stages at which a match can start.  (JP-1.7, JP-2.5, JP-5.1)

PILES = ("deck", "hand", "discard", "scrap", "track")
SECTIONS = (1, 2, 3, 4)

ROUND = (
    "action", "lock", "draw", "repair", "section-1", "section-2", "section-3", "section-4",
    "cleanup",
)  # fmt: skip
SECTION_OF: Mapping[str, int] = {f"section-{number}": number for number in SECTIONS}
"""By stage, the number of the section that is resolved in it."""
STAGES = ("set-up", *ROUND)
"""In the order of the book."""

REPAIRED = frozenset(ROUND[ROUND.index("repair") :])
"""From Repairing on it stands who is Repairing this round.  (JP-8.7)"""

NOBODY, UNTOLD = "", "?"
"""On a section lies no card; or one may lie there and its owner was not asked (lock_asks)."""


# Teams and players: up to six teams of a Pilot and a Gunner.  (JP-0, JP-2.1)

MOST_TEAMS = 6
"""Three boxes; a screen has colours for no more sides."""

ALL_TEAMS: tuple[Seat, ...] = tuple(
    Seat(f"{name}{box or ''}") for box in (0, 2, 3) for name in ("Jaws", "Paws")
)
JAWS, PAWS = TEAMS = ALL_TEAMS[:2]
"""The teams of one box."""

_CODES: Mapping[Seat, tuple[Seat, str, str]] = {
    Seat(f"{team[0]}{role[0]}{team[4:]}"): (team, role, border)
    for team in ALL_TEAMS
    for role, border in (("Pilot", "white"), ("Gunner", "black"))
}
ALL_PLAYERS: tuple[Seat, ...] = tuple(_CODES)
JP, JG, PP, PG = PLAYERS = ALL_PLAYERS[:4]
"""The four players of one box."""

NAMES: Mapping[Seat, str] = {code: f"{team} {role}" for code, (team, role, _) in _CODES.items()}
TEAM_OF: Mapping[Seat, Seat] = {code: team for code, (team, _, _) in _CODES.items()}
ROLE_OF: Mapping[Seat, str] = {code: role for code, (_, role, _) in _CODES.items()}
CREW_OF: Mapping[Seat, tuple[Seat, Seat]] = {
    team: (ALL_PLAYERS[2 * at], ALL_PLAYERS[2 * at + 1]) for at, team in enumerate(ALL_TEAMS)
}
MATE_OF: Mapping[Seat, Seat] = {
    player: mate for pair in CREW_OF.values() for player, mate in (pair, pair[::-1])
}
BORDER_OF: Mapping[Seat, str] = {code: border for code, (_, _, border) in _CODES.items()}
BORDER_NAME_OF: Mapping[Seat, str] = {code: role.lower() for code, role in ROLE_OF.items()}
"""How the borders at the lock are named in an answer."""
BACK_OF: Mapping[Seat, str] = {code: role[0] for code, role in ROLE_OF.items()}
"""The back of a player's cards, as the board plan names it."""

TEAM_IN_SMALL: Mapping[str, Seat] = {team.lower(): team for team in ALL_TEAMS}
"""Teams as keys have them."""


def token_of(team: Seat, host: Seat) -> Piece:
    """The token that is a team's plane on another's View set, of several.  (JP-19.1)

    >>> token_of(JAWS, ALL_TEAMS[3])
    'jaws-on-paws2'
    """
    return Piece(f"{team}-on-{host}".lower())


_ABROAD: Mapping[Piece, tuple[Seat, Seat]] = {
    token_of(team, host): (team, host) for team in ALL_TEAMS for host in ALL_TEAMS if team != host
}
TEAM_OF_PLANE: Mapping[Piece, Seat] = {
    JAWS_PLANE: JAWS,
    PAWS_PLANE: PAWS,
    **{piece: team for piece, (team, _) in _ABROAD.items()},
}
"""Whose plane a token is, of the one token of two teams and of the several of more."""
PIECE_NAMES: Mapping[Piece, str] = {
    JAWS_PLANE: "Jaws plane",
    PAWS_PLANE: "Paws plane",
    SUN: "Sun",
    MOON: "Moon",
    **{piece: f"{team} plane at {host}" for piece, (team, host) in _ABROAD.items()},
}


def _looks() -> dict[str, Look]:
    looks: dict[str, Look] = {SUN: Look(None, "sun"), MOON: Look(None, "moon")}
    for colour, team in enumerate(ALL_TEAMS):
        looks[team] = Look(colour, "", f"{team[0]}{team[4:]}")
    looks |= {JAWS: Look(0, "jaw"), PAWS: Look(1, "paw")}
    for piece, team in TEAM_OF_PLANE.items():
        looks[piece] = looks[team]
        if team in TEAMS:
            looks[piece] = Look(looks[team].colour, f"{team.lower()}-plane")
    return looks


LOOKS: Mapping[str, Look] = _looks()
"""How teams and tokens are drawn; those of further boxes have a letter and their number."""


# Zones: the places on the View Boards, as "Paws.GR".  (JP-0)

Zone = str
LETTERS = ("PL", "PC", "PR", "GL", "GC", "GR")
ALL_ZONES: tuple[Zone, ...] = tuple(f"{t}.{letters}" for t in ALL_TEAMS for letters in LETTERS)
POSES: Mapping[Zone, Pose] = {zone: Pose(zone) for zone in ALL_ZONES}
"""The pose of a token on each zone; planes and Sun have no facing."""
_OWNERS: Mapping[Zone, Seat] = {zone: Seat(zone[:-3]) for zone in ALL_ZONES}


def owner_of(zone: Zone) -> Seat:
    """The team that owns the board of a zone."""
    return _OWNERS[zone]


def board_owner(team: Seat, zone: Zone) -> Seat:
    """The player of `team` on whose View Board a zone of that letter lies.  (JP-14.4)

    >>> board_owner(PAWS, "Paws.GL")
    'PG'
    """
    return CREW_OF[team][0 if zone[-2] == "P" else 1]


# Lineup: which teams play, clockwise, and how many people each has.

Place = tuple[Seat, int]
"""A section of a team's Action Track."""


class Lineup:
    """Who plays one match; never changes while it is played.

    `sizes` is how many people each team has, 1 or 2, in the order of `teams`, which is clockwise.
    `players` are the Pilots and Gunners of all teams: of a solo team both hands of one person.
    `rivals` lists the other teams of each, clockwise from it; `token` has each team's plane on each
    other team's View set, `own` a team's tokens, `facing` those on its View set, in that order;
    `start` is where they all begin (JP-3.3, JP-19.1).
    """

    def __init__(self, sizes: tuple[int, ...]) -> None:
        self.sizes = sizes
        self.teams = teams = ALL_TEAMS[: len(sizes)]
        self.players = tuple(player for team in teams for player in CREW_OF[team])
        self.solos = frozenset(team for team, size in zip(teams, sizes, strict=True) if size == 1)
        self.rivals: Mapping[Seat, tuple[Seat, ...]] = {
            team: (*teams[at + 1 :], *teams[:at]) for at, team in enumerate(teams)
        }
        self.token: Mapping[tuple[Seat, Seat], Piece] = {
            (team, host): _token(team, host, len(sizes))
            for team in teams
            for host in self.rivals[team]
        }
        self.tokens = tuple(self.token.values())
        self.flown_by: Mapping[Piece, Seat] = {p: team for (team, _), p in self.token.items()}
        self.host_of: Mapping[Piece, Seat] = {p: host for (_, host), p in self.token.items()}
        self.start: Mapping[Piece, str] = {p: f"{host}.PC" for p, host in self.host_of.items()}
        self.own = {team: tuple(self.token[team, t] for t in self.rivals[team]) for team in teams}
        self.facing = {
            team: tuple(self.token[t, team] for t in self.rivals[team]) for team in teams
        }
        self.zones = tuple(f"{team}.{letters}" for team in teams for letters in LETTERS)
        self.places: tuple[Place, ...] = tuple((t, number) for t in teams for number in SECTIONS)
        self.names = {player: NAMES[player] for player in self.players}

    @property
    def rival(self) -> Mapping[Seat, Seat]:
        """Of two teams, each one's only enemy."""
        return {team: rivals[0] for team, rivals in self.rivals.items()}

    @property
    def held_by(self) -> Mapping[Seat, Seat]:
        """The second code of each solo player, and the first, at which the person is named."""
        return {CREW_OF[team][1]: CREW_OF[team][0] for team in self.teams if team in self.solos}

    @property
    def persons(self) -> tuple[Seat, ...]:
        """Everybody who sits at the table: players, and of a solo team the team.  (RULING 25)"""
        persons: list[Seat] = []
        for team in self.teams:
            persons += [team] if team in self.solos else CREW_OF[team]
        return tuple(persons)

    @property
    def solo_teams(self) -> list[Seat]:
        """The teams of one person, clockwise."""
        return [team for team in self.teams if team in self.solos]

    def names_of_tokens(self, light: Piece) -> Mapping[Piece, str]:
        """What a file calls them: by their teams, of several with whose boards they are on."""
        several = len(self.teams) > 2
        tokens = {
            piece: f"{team} on {self.host_of[piece]}" if several else str(team)
            for piece, team in self.flown_by.items()
        }
        return {**tokens, light: str(light).capitalize()}

    def __str__(self) -> str:
        return " ".join(map(str, self.sizes))


def _token(team: Seat, host: Seat, teams: int) -> Piece:
    if teams > 2:
        return token_of(team, host)
    return JAWS_PLANE if team == JAWS else PAWS_PLANE


@cache
def lineup_of(*sizes: int) -> Lineup:
    """The lineup of so many teams of one or two people each.

    >>> lineup_of(2, 1).persons
    ('JP', 'JG', 'Paws')
    """
    return Lineup(sizes)


@cache
def hands_of(lineup: Lineup, hand_size: int, solo_hand_size: int) -> Mapping[Seat, int]:
    """To how many cards each player draws up."""
    return {
        player: solo_hand_size if TEAM_OF[player] in lineup.solos else hand_size
        for player in lineup.players
    }


FOUR = lineup_of(2, 2)
"""Two teams of two: the manual's own game."""
ZONES: tuple[Zone, ...] = FOUR.zones
"""Those of two teams."""


# Names as people type them: whatever their case; a ValueError lists those there are.


def _reader(allowed: Sequence[str], what: str) -> Callable[[object], str]:
    by_plain = {name.lower(): name for name in allowed}

    def read(raw: object) -> str:
        """The name as it is spelt here; ValueError for one that there is not."""
        if str(raw).lower() not in by_plain:
            raise ValueError(f"{raw!r} is no {what}; there are {', '.join(map(repr, allowed))}")
        return by_plain[str(raw).lower()]

    return read


zone_named, team_named = _reader(ALL_ZONES, "zone"), _reader(ALL_TEAMS, "team")
stage_named, player_named = _reader(STAGES, "stage"), _reader(ALL_PLAYERS, "player")
owner_named = _reader((NOBODY, UNTOLD, *ALL_PLAYERS), "player")
"""Whose card lies on a section."""
