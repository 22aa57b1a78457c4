"""The round: the count, lamps, and what the teams may do."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from companion.core.question import Locked
from companion.core.ruling import TABLE, Fact, Seat, Shows
from companion.match.match import CORRECTIONS
from companion.referee.late import SENSOR
from hardware.panel.pins import LAMPS_S
from ui.scene.scene import ARBITER_KEY, SIDES, Scene, zero_words
from ui.scene.theme import LEADING, Caps, Colour, Face, Reach
from ui.scene.values import Alert, Badge, Key, KeyLook, Lamp, Message, ScreenFrame, Strip, TeamStrip
from ui.screens.beside.lists import is_watched
from ui.screens.page import TIGHT_REFUSAL, Page, Parts
from ui.touch.actions import Answer, GiveTime, HandsOff, Pause, Resume, ToPhase
from ui.widgets.bars import next_key
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.signs import SIGNS
from ui.widgets.teams import (
    ShortStripPart,
    TeamStripPart,
    WideStripPart,
    draw_emblem,
    figures,
    lamps,
    ticks,
)
from ui.widgets.words import Area, Words, turned_part

if TYPE_CHECKING:
    from companion.match.rulebook import Position


class Phase(StrEnum):
    """How the round stands."""

    RUNNING = "running"
    PAUSED = "paused"
    LOCKED = "locked"
    UNTIMED = "untimed"


@dataclass(frozen=True, slots=True)
class RoundState:
    """The count ("4", "" when untimed), ticks below it, lamps, strips.

    `inverted`: the middle (last five seconds) or, when locked, the whole body. `big` and `below`
    are LOCKED / HANDS OFF THE CARDS, or PAUSED; `facing` splits the screen in two halves.
    """

    frame: ScreenFrame
    phase: Phase
    count: str
    ticks: int
    ticks_lit: int
    lamps: tuple[Lamp, ...]
    lead: str
    strips: tuple[TeamStrip, ...]
    inverted: bool = False
    big: str = ""
    below: str = ""
    note: str = ""
    facing: bool = False
    keys: tuple[Key, ...] = ()


LOCKED_S = 5.0
"""So long LOCKED stands alone; then the cards are asked for. A touch asks sooner."""
MOST_TICKS = 20
LAST_SECONDS = 5.0


def present_round(scene: Scene) -> RoundState:
    """The phase that a clock or the players' word ends."""
    question = next(q for q in scene.open.values() if isinstance(q, Locked))
    clock = scene.referee.clock
    if clock is None:
        return _untimed(scene, question)
    rest_s = clock.rest(scene.now)
    phase = Phase.RUNNING if clock.running else Phase.PAUSED
    shown = _timed(scene, question, rest_s, clock.total_s)
    if phase is Phase.RUNNING and rest_s <= 0:
        return _locked(scene, shown)
    return shown if phase is Phase.RUNNING else _paused(scene, shown, rest_s)


def _timed(scene: Scene, question: Locked, rest_s: float, total_s: float) -> RoundState:
    second = "Cards may still be moved or taken back."
    pause = Key("Pause", Pause(), "stops clock, lamps and buzzer", "pause", KeyLook.GO)
    ticks = min(MOST_TICKS, max(1, round(total_s)))
    return RoundState(
        frame=scene.frame(
            _round_title(scene),
            " · ".join((*scene.place[-1:], f"{total_s:g} s")),
            message=Message(second=second),
            next_key=pause,
        ),
        phase=Phase.RUNNING,
        count=str(math.ceil(rest_s)),
        ticks=ticks,
        ticks_lit=math.ceil(ticks * rest_s / total_s) if total_s else 0,
        lamps=_lamps(rest_s, total_s),
        lead=question.headline or question.prompt,
        strips=team_strips(scene),
        inverted=rest_s <= LAST_SECONDS,
        facing=scene.situation.settings.face_to_face,
    )


def _paused(scene: Scene, running: RoundState, rest_s: float) -> RoundState:
    """Standing: by the table's wish, or because the companion was stopped in the round."""
    cut_off = scene.referee.phase.interrupted
    first = f"{rest_s:.1f} s are left."
    second = "The round was cut off: go on, or take all cards back." if cut_off else "Cards stay."
    go_on = Key("Go on", Resume(), f"clock runs from {rest_s:.1f} s", "play", KeyLook.GO)
    return replace(
        running,
        frame=scene.frame(
            running.frame.top.title,
            running.frame.top.where,
            message=Message(first, second),
            next_key=go_on,
        ),
        phase=Phase.PAUSED,
        big="PAUSED",
        below=f"{rest_s:.1f} s LEFT",
        inverted=False,
        keys=tuple(Key(f"+{give} s", GiveTime(float(give))) for give in (5, 10, 20)),
    )


def locked_by(scene: Scene) -> int | None:
    """The log line that has just ended a timed phase; None once hands were told to stay off.

    Neither what slot sensors have answered since then nor a late card that was ruled on is
    anybody's word that hands are off.
    """
    zero = _zero_of(scene)
    if zero is None:
        return None
    seq, is_read = zero
    return None if is_read and scene.view.panel is None else seq


def read_since(scene: Scene) -> int | None:
    """The log line of a zero whose LOCKED has been read and is gone: whoever touches saw it."""
    zero = _zero_of(scene)
    return zero[0] if zero is not None and zero[1] and scene.view.panel is None else None


def _zero_of(scene: Scene) -> tuple[int, bool] | None:
    """The line of the latest zero that nobody has answered, and whether it was long ago."""
    entries = scene.match.entries
    answers = (step for step in reversed(scene.match.steps) if step.answers)
    last = next((step for step in answers if entries[step.seq].source != SENSOR), None)
    if last is None or last.seq <= scene.view.hands_off or not scene.open:
        return None
    told = scene.history.told.get(last.seq)
    if told is None or told.kind != "locked" or last.value != "zero":
        return None
    zero = scene.referee.sources.get(last.key)
    return last.seq, zero is not None and scene.now - zero.at >= LOCKED_S


def gives_way(scene: Scene) -> bool:
    """Whether zero has come since the panel on top was opened: nothing stays above LOCKED."""
    clock = scene.referee.clock
    if clock is not None:
        return clock.running and clock.rest(scene.now) <= 0
    locked = locked_by(scene)
    if locked is None or stands_above(scene, locked):
        return False
    return locked > scene.view.lock_seen


def stands_above(scene: Scene, locked: int) -> bool:
    """Whether a challenge, or what hands correct, came after that lock; else it waits."""
    challenge = scene.referee.presses.challenge
    if challenge is not None:
        return challenge.seq > locked
    if scene.referee.hands.correction is None:
        return False
    return any(entry.kind in CORRECTIONS for entry in scene.match.entries[locked + 1 :])


def strip_of(scene: Scene) -> Strip | None:
    """The clock in short, for every screen but the phase's own; None where no clock goes on."""
    clock = scene.referee.clock
    if clock is None:
        return None
    rest_s = clock.rest(scene.now)
    return Strip(
        count=str(math.ceil(rest_s)) if clock.running else f"{rest_s:.1f}",
        words="RUNNING" if clock.running else "PAUSED",
        lamps=_lamps(rest_s, clock.total_s),
        inverted=clock.running and rest_s <= LAST_SECONDS,
        action=ToPhase() if scene.view.panels else None,
    )


def _lamps(rest_s: float, total_s: float) -> tuple[Lamp, ...]:
    return tuple(Lamp(f"{at:g}", rest_s <= at) for at in LAMPS_S if at < total_s)


def present_locked(scene: Scene, seq: int) -> RoundState:
    """Zero has sounded: nobody touches a card until somebody goes on to count them."""
    key = Key("Cards on tracks", HandsOff(seq), "whose cards lie where?", "next", KeyLook.GO)
    at = scene.situation.clock(scene.match.entries[seq].at_utc)
    ended = scene.match.entries[seq].key
    place = scene.history.round_of(ended) or scene.history.place(ended)
    return RoundState(
        frame=scene.frame(
            place.upper(),
            f"locked at {at}",
            message=_late_card(scene),
            next_key=key,
        ),
        phase=Phase.LOCKED,
        count="0",
        ticks=MOST_TICKS,
        ticks_lit=0,
        lamps=tuple(Lamp(f"{at:g}", lit=True) for at in LAMPS_S),
        lead="",
        strips=team_strips(scene),
        inverted=True,
        big="LOCKED",
        below="HANDS OFF THE CARDS",
        note=zero_words(scene.situation.kept, scene.situation.clock),
        facing=scene.situation.settings.face_to_face,
    )


def _late_card(scene: Scene) -> Message:
    """Who names a card that is laid after zero."""
    if is_watched(scene.situation) or scene.referee.tracks.live:
        return Message(second="A late card is named and waits for you.")
    return Message("Nothing looks for late cards.", "Tell one: Arbiter, Report.")


def _locked(scene: Scene, running: RoundState) -> RoundState:
    """Zero on the clock, before its answer has arrived."""
    return replace(
        running,
        frame=scene.frame(
            running.frame.top.title,
            running.frame.top.where,
            message=_late_card(scene),
        ),
        phase=Phase.LOCKED,
        inverted=True,
        big="LOCKED",
        below="HANDS OFF THE CARDS",
    )


def _untimed(scene: Scene, question: Locked) -> RoundState:
    """Nobody counts: the phase ends at the players' word."""
    said = [scene.names.player(q.by) for k, q in scene.open.items() if k in scene.match.answered]
    first = f"Locked: {', '.join(said)}" if said else "Each player says locked."
    everyone = tuple(
        Key(scene.names.player(q.by), Answer(q.key, q.opened, q.word), "locked", q.by)
        for q in scene.waiting
        if isinstance(q, Locked) and len(scene.open) > 1
    )
    ends = Answer(question.key, question.opened, question.word)
    locked = Key("Locked", ends, "ends the phase", "next", KeyLook.GO)
    return RoundState(
        frame=scene.frame(
            _round_title(scene),
            " · ".join((*scene.place[-1:], "no timer")),
            message=Message(first),
            next_key=None if everyone else locked,
        ),
        phase=Phase.UNTIMED,
        count="",
        ticks=0,
        ticks_lit=0,
        lamps=(),
        lead=question.headline or question.prompt,
        strips=team_strips(scene),
        facing=scene.situation.settings.face_to_face,
        keys=everyone,
    )


def _round_title(scene: Scene) -> str:
    return scene.place[0].upper() if scene.place else scene.title


def team_strips(scene: Scene) -> tuple[TeamStrip, ...]:
    """One strip a side: its seats' first quantity, and what it has."""
    return tuple(_strip(scene, team) for team in scene.names.sides)


def _strip(scene: Scene, team: Seat) -> TeamStrip:
    lines = [line for seat in scene.names.crew(team) if (line := _first_quantity(scene, seat))]
    side = scene.side(team)
    assert side is not None
    return TeamStrip(side, tuple(lines), tuple(_badges(scene, team)))


def _first_quantity(scene: Scene, seat: Seat) -> str:
    """The first number of a seat is the one that decides: "Pilot deck 14"."""
    fact = first_quantity(scene.match.position, seat)
    return f"{scene.names.role(seat)} {fact.label.lower()} {fact.value}" if fact else ""


def first_quantity(position: Position, seat: Seat) -> Fact | None:
    """The first count of a seat; None where that is hidden."""
    counts = (f for f in position.facts() if f.seat == seat and f.shows.is_count)
    first = next(counts, None)
    return first if first is not None and first.public else None


def _badges(scene: Scene, team: Seat) -> list[Badge]:
    """What this team has; who comes first stands beside the first of it."""
    held = [fact for fact in scene.facts if fact.shows is Shows.BADGE and _is_with(fact, team)]
    first = [f.label for f in scene.facts if f.shows is Shows.FIRST and f.value == team]
    badges = [Badge(fact.sign, fact.label.upper()) for fact in held] or [
        Badge("", label.upper()) for label in first[:1]
    ]
    if held:
        badges[0] = replace(badges[0], text=", ".join(first))
    return badges


def _is_with(fact: Fact, team: Seat) -> bool:
    return fact.value == team if fact.seat == TABLE else fact.seat == team and fact.value is True


# Face to face: the screen lies flat between the teams, a half for each.

_COUNT = 150.0
_WORDS_WIDE = 212.0
_KEY_WIDE = 232.0
_CALL_WIDE = 64.0
_NOTE_LETTERS = 90
"""Letters of a note that has room in a half with its way out."""


@dataclass(frozen=True, kw_only=True)
class FacingWords(Part):
    """Whose half it is, what they may do, and what they have."""

    strip: TeamStrip

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        side = self.strip.side
        colours = pen.theme.side(side.tint)
        draw_emblem(pen, side, Box(self.box.x, self.box.y + 4, 48, 42))
        name = Box(self.box.x + 58, self.box.y + 12, self.box.wide - 58, 26)
        pen.text(side.name.upper(), name, Caps.NAME, colours.text)
        may = Box(self.box.x, self.box.y + 58, self.box.wide, 88)
        pen.text(self.strip.may, may, 17, across="top", lines=4)
        for n, badge in enumerate(self.strip.badges[:1]):
            row = Box(self.box.x, self.box.bottom - 32 - 34 * n, self.box.wide, 32)
            if badge.sign in SIGNS:
                pen.sign(badge.sign, Box(row.x + 4, row.y, 34, row.high).square(), Colour.INK2)
            pen.text(badge.title, row.beside(48), 16)


@dataclass(frozen=True, kw_only=True)
class UprightWords(Part):
    """What `FacingWords` says, in a half that is wide and low; its right side is left free."""

    strip: TeamStrip

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        side = self.strip.side
        box, half = self.box, self.box.left(self.box.wide * 0.5)
        draw_emblem(pen, side, Box(box.x, box.y, 48, 42))
        name = half.top(42).beside(58)
        pen.text(side.name.upper(), name, Caps.NAME, pen.theme.side(side.tint).text)
        for badge in self.strip.badges[:1]:
            row = Box(box.x, box.y + 48, half.wide, 32)
            if badge.sign in SIGNS:
                pen.sign(badge.sign, Box(row.x + 4, row.y, 34, row.high).square(), Colour.INK2)
            pen.text(badge.title, row.beside(48), 16)
        pen.text(self.strip.may, box.below(86), 17, across="top", lines=2)


def facing(state: RoundState, page: Page) -> Parts:
    """The near half as it is, the far one turned upside down; each has its own key."""
    for name, strip in zip(SIDES, state.strips, strict=False):
        for part_name, part in _half(state, _noted(strip, state.frame), page):
            shown = turned_part(part, page.size) if name == "far" else part
            yield f"{name}/{part_name}", shown


def _noted(strip: TeamStrip, frame: ScreenFrame) -> TeamStrip:
    """A team's words, or in their place what both must know: a refusal, a lost device."""
    told = frame.refusal or frame.banner
    if told is None:
        return strip
    whole = f"{told.text.rstrip('.')}. {told.way_out}".strip()
    return replace(strip, may=whole if len(whole) <= _NOTE_LETTERS else told.text)


def _near_half(page: Page) -> Box:
    return Box(8, page.high / 2 + 4, page.wide - 16, page.high / 2 - 12)


def _upright_half(state: RoundState, strip: TeamStrip, page: Page) -> Parts:
    """One half of an upright screen: words over the count, the key under it."""
    half = _near_half(page)
    bar = page.theme.side(strip.side.tint).text
    yield "ground", Area(box=half, tint=Colour.PANEL, bar=bar, bar_at="top")
    inner = half.inset(16, 14)
    key = Box(inner.x, inner.bottom - 76, inner.wide, 76)
    middle = Box(inner.x, key.y - 8 - _COUNT - 4, inner.wide, _COUNT + 4)
    words = inner.top(middle.y - 8 - inner.y)
    yield "words", UprightWords(box=words, strip=strip)
    right = words.beside(words.wide * 0.5)
    title = right.top(42)
    yield (
        "title",
        Words(box=title, text=state.frame.top.title, caps=20, tint=Colour.INK2, align="right"),
    )
    yield from lamps(Box(right.right - 208, right.y + 47, 208, 34), state.lamps)
    ink = Colour.GO_INK if state.inverted else Colour.INK
    if state.inverted:
        yield "middle", Area(box=middle, tint=Colour.GO, radius=Reach.BAND_RADIUS)
    yield from _facing_middle(state, middle, ink)
    yield from _half_keys(state, key)


def _half_keys(state: RoundState, room: Box) -> Parts:
    """The next tap of a half, and beside it the way to a challenge, which either team has."""
    calls = [key for key in state.frame.bottom.keys if key.sign == ARBITER_KEY.sign]
    for key in calls[:1]:
        yield "arbiter", key_cap(room.left(_CALL_WIDE), key)
        room = room.beside(_CALL_WIDE + Reach.GAP)
    if state.frame.bottom.next is not None:
        yield "next", next_key(room, _short(state.frame.bottom.next))


def _half(state: RoundState, strip: TeamStrip, page: Page) -> Parts:
    """One half as its team reads it: words, count, and what can be touched."""
    if page.portrait:
        yield from _upright_half(state, strip, page)
        return
    half = _near_half(page)
    inverted = state.inverted
    bar = page.theme.side(strip.side.tint).text
    yield "ground", Area(box=half, tint=Colour.PANEL, bar=bar, bar_at="top")
    words = Box(half.x + 20, half.y + 18, _WORDS_WIDE, half.high - 26)
    yield "words", FacingWords(box=words, strip=strip)
    right = Box(half.right - _KEY_WIDE - 12, half.y + 14, _KEY_WIDE, half.high - 26)
    middle = Box(words.right + 8, half.y + 14, right.x - words.right - 16, half.high - 24)
    ink = Colour.GO_INK if inverted else Colour.INK
    if inverted:
        yield "middle", Area(box=middle, tint=Colour.GO, radius=Reach.BAND_RADIUS)
    yield from _facing_middle(state, middle, ink)
    yield (
        "title",
        Words(
            box=right.top(24), text=state.frame.top.title, caps=20, tint=Colour.INK2, align="centre"
        ),
    )
    yield from lamps(Box(right.x, right.y + 40, right.wide, 34), state.lamps)
    yield from _half_keys(state, Box(right.x, right.bottom - 80, right.wide, 80))


def _short(key: Key) -> Key:
    """The key without its second line, unless that says why it is impossible."""
    return replace(key, second="") if key.action is not None else key


def _facing_middle(state: RoundState, middle: Box, ink: Colour) -> Parts:
    if not state.big and state.count:
        yield from figures(
            Box(middle.x, middle.centre[1] - _COUNT / 2, middle.wide, _COUNT), state.count, ink
        )
        return
    room = middle.inset(8, 20)
    yield "big", Words(
        box=room.top(room.high * 0.5), text=state.big or "NO TIMER", caps=90, tint=ink,
        align="centre",
    )  # fmt: skip
    if state.below:
        yield "below", Words(
            box=room.below(room.high * 0.58), text=state.below, caps=40, tint=ink,
            face=Face.BOLD, align="centre", lines=2,
        )  # fmt: skip


# Layout.

STRIP_WIDE = 150.0
_MIDDLE_HIGH = 270.0
_WIDE_STRIP = 136.0
"""From this height on a team's strip has room for its badges' words in portrait."""


def layout(state: RoundState, page: Page) -> Parts:
    """Everything of the round: strips beside the count, the lead line and lamps under it.

    Face to face what is asked besides, such as whose a late card is, faces the operator.
    """
    asks = state.frame.refusal is not None and state.frame.refusal.key is not None
    if state.facing and len(state.strips) == 2 and not asks:
        yield from facing(state, page)
        return
    if state.phase is Phase.LOCKED:
        yield from _locked_parts(state, page)
    elif page.portrait:
        yield from _upright(state, page)
    else:
        yield from _running(state, page)
    yield from page.around(state.frame)


def _running(state: RoundState, page: Page) -> Parts:
    body = page.body
    middle = Box(body.x + STRIP_WIDE + 10, body.y, body.wide - 2 * (STRIP_WIDE + 10), _MIDDLE_HIGH)
    yield from _strips(state, body)
    ink = Colour.INK
    if state.inverted:
        yield "middle", Area(box=middle, tint=Colour.GO, radius=Reach.BAND_RADIUS)
        ink = Colour.GO_INK
    yield from _middle(state, middle, ink)
    yield from _lead(state, Box(body.x + 4, body.y + 274, body.wide - 8, 46), page)


def _upright(state: RoundState, page: Page) -> Parts:
    """In portrait: the count, what to do and the lamps under it, the teams below."""
    body = page.body
    middle, rest = body.top(_MIDDLE_HIGH), body.below(_MIDDLE_HIGH + 10)
    ink = Colour.INK
    if state.inverted:
        yield "middle", Area(box=middle, tint=Colour.GO, radius=Reach.BAND_RADIUS)
        ink = Colour.GO_INK
    yield from _middle(state, middle, ink)
    refusal = state.frame.refusal
    if refusal is not None:
        room, rest = page.refused(rest, refusal)
        yield from page.refusal(room, refusal)
    else:
        lead = Words(box=rest.top(40), text=state.lead, caps=Caps.LEAD, align="centre")
        yield "lead", lead
        row = Box(rest.centre[0] - 26.0 * len(state.lamps), rest.y + 48, 0, 36)
        if state.lamps:
            yield from lamps(replace(row, wide=52.0 * len(state.lamps)), state.lamps)
        rest = rest.below(90 if state.lamps else 46)
    rows = max(1, (len(state.strips) + 1) // 2)
    places = [row.columns([1, 1], gap=8) for row in rest.rows([1] * rows, gap=6)]
    part = WideStripPart if rest.high / rows >= _WIDE_STRIP else ShortStripPart
    for n, strip in enumerate(state.strips):
        yield f"strip/{n}", part(box=places[n // 2][n % 2], strip=strip)


def _strips(state: RoundState, body: Box) -> Parts:
    """The teams at either side of the count; of more than two several over one another."""
    sides = [Box(x, body.y, STRIP_WIDE, _MIDDLE_HIGH) for x in (body.x, body.right - STRIP_WIDE)]
    each = max(1, (len(state.strips) + 1) // 2)
    places = [side.rows([1] * each, gap=6) for side in sides]
    for n, strip in enumerate(state.strips):
        part = TeamStripPart if each == 1 else ShortStripPart
        yield f"strip/{n}", part(box=places[n % 2][n // 2], strip=strip)


def _middle(state: RoundState, middle: Box, ink: Colour) -> Parts:
    if state.big:
        yield from _standing(state, middle, ink)
        return
    if not state.count:
        yield (
            "untimed",
            Words(
                box=middle.inset(20, 40), text="NO TIMER", caps=Caps.HANDS, tint=ink, align="centre"
            ),
        )
        return
    room = Box(middle.x + 16, middle.y + 10, middle.wide - 32, Caps.COUNT)
    yield from figures(room, state.count, ink)
    row = Box(middle.x + 16, middle.bottom - 42, middle.wide - 32, 32)
    yield from ticks(row, state.ticks, state.ticks_lit, ink)


def _standing(state: RoundState, middle: Box, ink: Colour) -> Parts:
    """A paused clock: the word large, what is left under it, keys where there are any."""
    room = middle.inset(8, 14)
    keys_high = 64.0 if state.keys else 0.0
    big = room.top(96)
    yield "big", Words(box=big, text=state.big, caps=96, tint=ink, align="centre")
    below = Box(room.x, big.bottom + 26, room.wide, 52)
    yield "below", Words(box=below, text=state.below, caps=44, tint=ink, align="centre")
    if state.keys:
        row = Box(room.x + 10, room.bottom - keys_high, room.wide - 20, keys_high)
        boxes = row.columns([1] * len(state.keys), gap=Reach.GAP)
        for n, (box, key) in enumerate(zip(boxes, state.keys, strict=True)):
            yield f"key/{n}", key_cap(box, key, caps=20)


def _lead(state: RoundState, room: Box, page: Page) -> Parts:
    trouble: Alert | None = state.frame.refusal
    if trouble is not None:
        box = Box(room.x - 4, room.bottom - 49, room.wide + 8, TIGHT_REFUSAL)
        yield from page.refusal(box, trouble)
        return
    lamps_wide = 52.0 * len(state.lamps)
    yield "lead", Words(box=room.left(room.wide - lamps_wide - 12), text=state.lead, caps=Caps.LEAD)
    if state.lamps:
        at = Box(room.right - lamps_wide, room.y + (room.high - 36) / 2, lamps_wide, 36)
        yield from lamps(at, state.lamps)


def _locked_parts(state: RoundState, page: Page) -> Iterator[tuple[str, Part]]:
    """The whole body inverted: the word, what hands must do, and the evidence that was kept."""
    body = page.all
    yield "body", Area(box=body, tint=Colour.GO, radius=0)
    down = 28.0 if not page.portrait else body.high * 0.12
    big = Box(body.x + 16, body.y + down, body.wide - 32, Caps.STATE)
    yield "big", Words(box=big, text=state.big, caps=Caps.STATE, tint=Colour.GO_INK, align="centre")
    lines = 2 if page.portrait else 1
    high = Caps.HANDS * (1 + LEADING * (lines - 1))
    below = Box(body.x + 12, big.bottom + 32, body.wide - 24, high)
    yield "below", Words(
        box=below, text=state.below, caps=Caps.HANDS, tint=Colour.GO_INK, align="centre",
        lines=lines,
    )  # fmt: skip
    rest = Box(body.x + 16, below.bottom + 8, body.wide - 32, body.bottom - below.bottom - 14)
    if state.frame.refusal is not None:
        yield from page.refusal(rest.inset(0, 1), state.frame.refusal)
    elif state.note:
        yield (
            "note",
            Words(box=rest, text=state.note, caps=18, tint=Colour.GO_INK, align="centre", lines=2),
        )
