"""Plain values that widgets draw: keys, bars, bands, messages, lines, dice, rulings, pictures."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from companion.core.board import NO_LOOK, Look

if TYPE_CHECKING:
    from companion.core.offers import Sighting
    from ui.touch.actions import Action


class Mark(StrEnum):
    """The signal beside a line: always drawn as a shape, never as a hue alone."""

    NONE = ""
    OK = "ok"
    WARN = "warn"
    BAD = "bad"
    ASK = "ask"
    FLIP = "flip"


class DeviceState(StrEnum):
    """How far a device is to be trusted; a tick only for a fresh valid message."""

    ABSENT = "absent"
    FOUND = "found"
    LIVE = "live"
    STALE = "stale"
    LOST = "lost"


class KeyLook(StrEnum):
    """How a key is drawn: plain, next tap, chosen (inverted), impossible (outline), held."""

    PLAIN = "plain"
    GO = "go"
    CHOSEN = "chosen"
    IMPOSSIBLE = "impossible"
    HOLD = "hold"


@dataclass(frozen=True, slots=True)
class Side:
    """A team or seat as screens draw it: `tint` is its colours and emblem, as its box has them."""

    name: str
    tint: Look = NO_LOOK


@dataclass(frozen=True, slots=True)
class Key:
    """One thing to touch. No action: it is impossible, and `second` says why.

    `sign` names a drawing ("undo", "left", "sun"...), `seen` is "seen 0.3 s" while sight offers
    this answer, `mark` and `tint` colour nothing but their own symbol and edge.
    """

    label: str
    action: Action | None
    second: str = ""
    sign: str = ""
    look: KeyLook = KeyLook.PLAIN
    seen: str = ""
    mark: Mark = Mark.NONE
    tint: Look = NO_LOOK


@dataclass(frozen=True, slots=True)
class Device:
    """One device in the top bar (`name` CAM, BOX, PINS) and in lists (`label`, `text`).

    `age_s` is the age of its last valid message; `way_out` what mends it where it is not live.
    `alarm` is what a banner says of it, also where it is live and something is wrong. Where none is
    `chosen` there is nothing to be tried again.
    """

    name: str
    state: DeviceState
    age_s: float | None = None
    label: str = ""
    text: str = ""
    way_out: str = ""
    alarm: str = ""
    chosen: bool = True


@dataclass(frozen=True, slots=True)
class TopBar:
    """Title plate, one line of where we are, devices, sound; `cite`: the rules of this moment."""

    title: str
    where: str = ""
    devices: tuple[Device, ...] = ()
    sound: bool = True
    cite: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """The two lines between the bottom keys and the next tap; a touch opens the rules in `cite`."""

    first: str = ""
    second: str = ""
    mark: Mark = Mark.NONE
    cite: str = ""


@dataclass(frozen=True, slots=True)
class Alert:
    """What was not taken, or what the table is warned of: it takes the band's place.

    `mark` is BAD (refused, blocked), WARN, or for mere news OK or ASK; `code` and `cite` name the
    error and the rule. `key` is "Go on anyway" or "Solved" where there is one, `more` stand beside
    it where people choose. The keys of the screen stay.
    """

    text: str
    way_out: str
    code: str
    cite: str
    mark: Mark = Mark.BAD
    key: Key | None = None
    more: tuple[Key, ...] = ()


@dataclass(frozen=True, slots=True)
class Hindsight:
    """The search for answers that would have hit: how many were tried, of at most so many.

    `told` is what was found, in words; None while it goes on.
    """

    tried: int
    most: int
    told: str | None = None


@dataclass(frozen=True, slots=True)
class Bottom:
    """Bottom row: `keys` from one edge, the message, the next tap at the other edge.

    Where `wide` is true the answers fill the row (differ): no message, all of them alike in width.
    """

    keys: tuple[Key, ...] = ()
    message: Message = Message()
    next: Key | None = None
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Band:
    """The largest text: what hands must do, or who is asked. Two lines at most, 56 u capitals.

    `side` fills it with the team's colour; else `mark` gives its edge. `note` is one smaller line,
    `queue` "1 of 2" where more deeds wait.
    """

    lines: tuple[str, ...]
    side: Side | None = None
    mark: Mark = Mark.NONE
    note: str = ""
    queue: str = ""


@dataclass(frozen=True, slots=True)
class Lamp:
    """One countdown lamp: its figure, and whether it is lit."""

    label: str
    lit: bool


@dataclass(frozen=True, slots=True)
class Strip:
    """The clock of the phase that goes on, as every screen but its own has it.

    `count` in whole seconds ("14"), of a standing clock in tenths; `words` how it stands. `action`
    leads back to the phase; None where something else has the screen.
    """

    count: str
    words: str
    lamps: tuple[Lamp, ...] = ()
    inverted: bool = False
    action: Action | None = None


@dataclass(frozen=True, slots=True)
class ScreenFrame:
    """What surrounds every body; `banner` is the loud line of a lost device (with Retry).

    `strip` is the clock while a phase runs or stands, on every screen but the phase's own.
    `turned`: the whole screen, its keys too, faces whoever sits at its far side.
    """

    top: TopBar
    bottom: Bottom
    refusal: Alert | None = None
    banner: Alert | None = None
    strip: Strip | None = None
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a list: signal, name, value and the age or time at its right edge."""

    name: str
    value: str = ""
    mark: Mark = Mark.NONE
    right: str = ""
    key: Key | None = None
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class PadKey:
    """A key of a pad and its place in its group."""

    key: Key
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class PadGroup:
    """Keys that belong together: "MOVE PLANE" "own plane", as the options' groups say.

    Groups follow one another as options list them; `sign` is drawn before the title, in the colours
    of `tint`.
    """

    title: str
    note: str
    keys: tuple[PadKey, ...]
    sign: str = ""
    tint: Look = NO_LOOK

    @property
    def rows(self) -> int:
        return 1 + max((key.row for key in self.keys), default=0)

    @property
    def columns(self) -> int:
        return 1 + max((key.column for key in self.keys), default=0)


@dataclass(frozen=True, slots=True)
class SeatField:
    """A seat of a new match; `opens` is what a touch of it does.

    `label` is what it is called and brings, `board` how the names of its boards begin.
    """

    seat: str
    label: str
    player: str
    side: Side
    opens: Action
    error: str = ""
    board: str = ""


@dataclass(frozen=True, slots=True)
class Badge:
    """What a team has: the Sun, smoke; drawn with its sign."""

    sign: str
    title: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class TeamStrip:
    """One side of the round: name, decks, badges, and the words of a turned half."""

    side: Side
    lines: tuple[str, ...]
    badges: tuple[Badge, ...] = ()
    may: str = ""


@dataclass(frozen=True, slots=True)
class Die:
    """One die: its face (0: not told), and what a touch on it does.

    `meets`: whether it reaches what it is held against (None: there is nothing to reach).
    `chosen`: it is being told, or is to be rolled again. `seen`: the camera read it.
    """

    face: int
    meets: bool | None = None
    chosen: bool = False
    seen: bool = False
    action: Action | None = None


@dataclass(frozen=True, slots=True)
class Gunsight:
    """What lies on the Gunsight, and the dice as they fell last: `rolled_by` is who threw them."""

    lying: int
    dice: tuple[Die, ...]
    rolled_by: str = ""


@dataclass(frozen=True, slots=True)
class Consequence:
    """One consequence: a ruling that flips (was struck, now), or answers kept, doubtful, asked.

    `whole`: in full lines, what was and under it what is now.
    """

    mark: Mark
    title: str
    was: str = ""
    now: str = ""
    note: str = ""
    whole: bool = False


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line: what was told, when, by whom and how; `ruled` is what came of it.

    Lines that were `taken_back` are struck.
    """

    seq: int
    text: str
    time: str
    source: str
    key: Key
    author: str = ""
    ruled: str = ""
    chosen: bool = False
    taken_back: bool = False
    mark: Mark = Mark.NONE
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class RulingLine:
    """One ruling: step, two lines, the Why? key with its rule id; `struck` after a correction."""

    step: str
    first: str
    second: str
    why: Key
    mark: Mark = Mark.NONE
    struck: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """The camera's last frame: `image` is [height, width, 3] BGR, None while there is none."""

    image: Any = field(compare=False, repr=False)
    number: int
    size_px: tuple[int, int]
    marks: tuple[PictureMark, ...] = ()
    note: str = ""
    note_mark: Mark = Mark.OK


@dataclass(frozen=True, slots=True)
class PictureMark:
    """Something recognised: a corner (circled) or a piece (bracketed), outline in picture px."""

    kind: str
    label: str
    outline_px: tuple[tuple[float, float], ...]
    mark: Mark = Mark.OK


@dataclass(frozen=True, slots=True)
class ShownPicture:
    """A picture as screens show it, when it was taken (monotonic s), and what was seen then."""

    picture: Picture
    taken_at: float
    sighting: Sighting | None
