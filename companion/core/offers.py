"""What reaches the referee from outside: offered answers, sightings, presses and signals."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from companion.core.errors import BadCall, refuse_kind
from companion.core.ruling import Json, Seat

if TYPE_CHECKING:
    from companion.core.board import Piece, Pose


@dataclass(frozen=True, slots=True)
class Stamp:
    """Who did it and when; the match itself has no clock.

    `at_utc` is ISO 8601 with a trailing Z (empty: nobody will ask when), `match_s` seconds of play
    since the match began. BadCall where a field is of another kind; the form of the time is not
    looked at, for the log of another program may tell it otherwise.
    """

    author: str
    at_utc: str
    match_s: float

    def __post_init__(self) -> None:
        refuse_kind(self.author, str, "author of a stamp: a name is wanted")
        refuse_kind(self.at_utc, str, _A_TIME)
        refuse_kind(self.match_s, (int, float), _SECONDS)
        if not math.isfinite(self.match_s):
            raise BadCall(f"{_SECONDS}, not {self.match_s}")


_A_TIME = "at_utc of a stamp: a time such as 2026-11-21T19:00:00Z is wanted"
_SECONDS = "match_s of a stamp: a number of seconds is wanted"


@dataclass(frozen=True, slots=True)
class Offer:
    """An answer offered to one open question.

    `key` is the question's, `raw` the answer as people and files say it (an option's name, a
    number, a list), `by` the seat that speaks, the question's own `by` where nobody else does.
    `opened` is the log number at which that question opened (-1: whatever is open now under that
    key); `source` is touch, camera, clock, button, terminal, script or bot; `taken_at` monotonic s;
    `reason` what was said with it, kept in the log. BadCall where a field is of another kind;
    whether `raw` is an answer the question says.
    """

    key: str
    raw: Json
    source: str
    by: Seat
    opened: int = -1
    taken_at: float = 0.0
    reason: str = ""

    def __post_init__(self) -> None:
        refuse_kind(self.key, str, "key of an offer: a word is wanted")
        refuse_kind(self.source, str, "source of an offer: a word is wanted")
        refuse_kind(self.by, str, "by of an offer: a word is wanted")
        refuse_kind(self.opened, int, "opened of an offer: a line's number is wanted")


class PictureState(StrEnum):
    """What one frame, or a run of frames, is good for."""

    STILL = "still"
    MOVING = "moving"
    HAND = "hand"
    LIGHT = "light"
    SETTLED = "settled"
    BLIND = "blind"


class SeenState(StrEnum):
    """What is known of one piece: read, too close to call, under a hand, or not found."""

    SEEN = "seen"
    UNSURE = "unsure"
    COVERED = "covered"
    LOST = "lost"


RIM = "the rim of the board"
"""The name of what lies beyond the outermost spaces, for a piece near the border."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One piece as the camera has it.

    `spaces` has one name when that is sure, two when the piece lies between them (too close to
    call; the second is `RIM` where there is no space beyond the border; three or four where so many
    meet), none when it lies on no space. `facings` likewise, on a board that has facings: one when
    sure, the two it points between (the nearer first) when its heading is unclear. `board`, `x_mm`,
    `y_mm` are in the board's own frame (x right, y down from its printed top left), `heading_deg`
    clockwise from its printed top.
    `place_sd_mm` and `heading_sd_deg` are how uncertain these are: the standard deviation along
    each axis, and of the heading.
    """

    state: SeenState
    pose: Pose | None = None
    spaces: tuple[str, ...] = ()
    board: str | None = None
    x_mm: float | None = None
    y_mm: float | None = None
    heading_deg: float | None = None
    facings: tuple[int, ...] = ()
    place_sd_mm: float | None = None
    heading_sd_deg: float | None = None


class SectionState(StrEnum):
    """What is known of a section for cards: nothing lies there, all was read, or something does."""

    EMPTY = "empty"
    READ = "read"
    DOUBT = "doubt"


@dataclass(frozen=True, slots=True)
class CardSeen:
    """One card on a section: its owner's code and, turned over, the names it is revealed by.

    No name while it lies face down, one where it is sure; both halves' names where it lies so far
    sideways that either may be the upper one.
    """

    owner: str
    faces: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.owner} {' or '.join(self.faces) or 'face down'}"


@dataclass(frozen=True, slots=True)
class SectionSeen:
    """What lies on one section, and since when (monotonic s) it has lain so.

    In doubt there is something, and `cards` are those of it that were read.
    """

    state: SectionState
    cards: tuple[CardSeen, ...] = ()
    since: float = 0.0

    def __str__(self) -> str:
        read = ", ".join(map(str, self.cards))
        if self.state is SectionState.DOUBT:
            return f"{read or 'something'}, in doubt"
        return read or "empty"


@dataclass(frozen=True, slots=True)
class LateCard:
    """A card that came to a section after the buzzer: seen by the camera, or felt by a sensor.

    `section` has its team before it. `owner` is empty where its back was not read, `moved_from`
    names the section it lay on at the buzzer, if any. Unless `sure` a hand was over the section at
    the buzzer: it may have lain there. `felt` is how long after the buzzer a slot sensor felt it
    (None: the camera saw it); `held` that the lock counts no more cards there than lay in time.

    >>> late = LateCard("Jaws.4", moved_from="Jaws.2")
    >>> late.team, late.number, late.left
    ('Jaws', 4, 2)
    """

    section: str
    owner: str = ""
    moved_from: str = ""
    sure: bool = True
    felt: AfterZero | None = None
    held: bool = False

    @property
    def team(self) -> Seat:
        """The team on whose track the section is."""
        return Seat(self.section.rpartition(".")[0])

    @property
    def number(self) -> int:
        """The section's number on its track."""
        return int(self.section.rpartition(".")[2])

    @property
    def left(self) -> int | None:
        """The number of the section it lay on at the buzzer; None where it lay on none."""
        return int(self.moved_from.rpartition(".")[2]) if self.moved_from else None

    @property
    def late_ms(self) -> int | None:
        """How late it was at least: where the clocks are unsure, the player is believed."""
        felt = self.felt
        return None if felt is None else max(1, math.floor((felt.late_s - felt.error_s) * 1000))

    @property
    def evidence(self) -> str:
        """What the sensor felt or the camera saw, for the log and for people."""
        if self.felt is None:
            return f"camera: came to {self.section} after the buzzer"
        return f"slot sensor {self.team} {self.number}: laid {self.felt}"


Counts = Mapping[str, Mapping[str, int]]
"""How many tokens of each kind lie on each space, or in each tray of a board."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """Vision's whole product: the settled (or not) table at one moment.

    `taken_at` is monotonic seconds of the newest frame, `frame` its number. `conflicts` names
    pieces seen twice; `boards_seen` those whose place in the picture is known. `cards` is what lies
    on each section for cards whose board is seen. `dice` are the values of those that lie beside
    the boards (None: in doubt), `thrown_at` monotonic seconds since when every one of them has lain
    where it does. `late` are cards that came to their sections after the last buzzer. `counts` has
    for each kind of counted token how many lie on each space; those on none, or between two, stand
    under "".
    """

    taken_at: float
    frame: int
    state: PictureState
    pieces: Mapping[Piece, Seen]
    boards_seen: frozenset[str] = frozenset()
    conflicts: tuple[Piece, ...] = ()
    cards: Mapping[str, SectionSeen] = field(default_factory=dict[str, SectionSeen])
    dice: tuple[int | None, ...] = ()
    thrown_at: float = 0.0
    late: tuple[LateCard, ...] = ()
    counts: Counts = field(default_factory=dict[str, Mapping[str, int]])

    @property
    def off_board(self) -> frozenset[Piece]:
        """Pieces that were found on no space: beside the boards that are seen, or on their rims.

        What is only covered or lost is not among them, nor what was seen twice.
        """
        return frozenset(
            piece
            for piece, seen in self.pieces.items()
            if seen.state is SeenState.UNSURE and not seen.spaces and piece not in self.conflicts
        )


class Button(StrEnum):
    """The buttons a panel may have."""

    READY_FIRST = "ready-1"
    READY_SECOND = "ready-2"
    CHALLENGE_FIRST = "challenge-1"
    CHALLENGE_SECOND = "challenge-2"
    REFEREE = "referee"


LONG_PRESS_S = 1.0
"""After so many seconds a button that is held sends a second press, a long one."""


@dataclass(frozen=True, slots=True)
class Press:
    """A debounced press of a button: which, when (monotonic s), for how long it is held (s).

    Told at its first contact, with `held_s` 0; once more, as a long one, if it is held on.
    """

    button: Button
    at: float
    held_s: float = 0.0

    @property
    def is_long(self) -> bool:
        """Whether this is the second press, which a held button sends."""
        return self.held_s >= LONG_PRESS_S


class SignalKind(StrEnum):
    """What the signal process reports; `rest_s` is what was left at that moment.

    ARMED also comes when a running round gets another deadline, SET when a standing clock shows
    another rest: each correction is one event. LOST comes when the process itself died, FOUND when
    another took its place.
    """

    ARMED = "armed"
    SET = "set"
    CUE = "cue"
    ZERO = "zero"
    STOPPED = "stopped"
    LOST = "lost"
    FOUND = "found"


@dataclass(frozen=True, slots=True)
class SignalEvent:
    """One thing the signal process did: a cue at `rest_s` seconds left, or zero.

    `at` is monotonic seconds of when it really sounded, `late_s` how long after its deadline.
    `muted`: nothing was to be heard, by volume 0 or silent mode; lamps and screen showed it.
    """

    kind: SignalKind
    round_id: str
    at: float
    rest_s: float = 0.0
    late_s: float = 0.0
    muted: bool = False


class CardMove(StrEnum):
    """What happened on a section of an action track."""

    LAID = "laid"
    LIFTED = "lifted"
    COUNTED = "counted"


@dataclass(frozen=True, slots=True)
class AfterZero:
    """How long after the buzzer, in s, and by how much that can be wrong; negative: before it."""

    late_s: float
    error_s: float

    @property
    def is_certain(self) -> bool:
        """Whether it came after the buzzer however wrong the clocks are."""
        return self.late_s - self.error_s > 0.0

    def __str__(self) -> str:
        word = "after" if self.late_s >= 0.0 else "before"
        error_ms = max(1, math.ceil(self.error_s * 1000))
        return f"{abs(self.late_s):.3f} s ± {error_ms} ms {word} zero"


@dataclass(frozen=True, slots=True)
class CardEvent:
    """What the sensor of one section noticed.

    `track` 0 is the first team's, `section` counts from 1, `cards` lie there now (1 stands for any
    number where the sensor cannot tell). They have lain so since `at` (monotonic s, at most
    `error_s` wrong); the sensor first stirred `stirred_s` before that. `after_zero` is that first
    stir, held against the latest buzzer (None: none has sounded).
    """

    move: CardMove
    track: int
    section: int
    cards: int
    at: float
    error_s: float
    stirred_s: float = 0.0
    after_zero: AfterZero | None = None
