"""The round: the count, lamps, and what the teams may do."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from companion.core.question import Locked
from companion.core.ruling import TABLE, Fact, Seat, Shows
from companion.referee.late import SENSOR
from ui.presenters.devices import is_watched
from ui.scene.scene import zero_words
from ui.scene.values import Frame, Key, KeyLook, Message, Side
from ui.touch.actions import Answer, GiveTime, HandsOff, Pause, Resume

if TYPE_CHECKING:
    from companion.match.rulebook import Position
    from ui.scene.scene import Scene


class Phase(StrEnum):
    """How the round stands."""

    RUNNING = "running"
    PAUSED = "paused"
    LOCKED = "locked"
    UNTIMED = "untimed"


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
class Lamp:
    """One countdown lamp: its figure, and whether it is lit."""

    label: str
    lit: bool


@dataclass(frozen=True, slots=True)
class RoundState:
    """The count ("4", "" when untimed), ticks below it, lamps, strips.

    `inverted`: the middle (last five seconds) or, when locked, the whole body. `big` and `below`
    are LOCKED / HANDS OFF THE CARDS, or PAUSED; `facing` splits the screen in two halves.
    """

    frame: Frame
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


CUE_LAMPS_S = (10, 5, 3, 0)
MOST_TICKS = 20
LAST_SECONDS = 5.0


def present_round(scene: Scene) -> RoundState:
    """The phase that a clock or the players' word ends."""
    question = next(q for q in scene.open.values() if isinstance(q, Locked))
    clock = scene.referee.clock
    if clock is None or question.seconds is None:
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
            f"{_phase_name(scene)} · {total_s:g} s",
            message=Message(second=second),
            next_key=pause,
        ),
        phase=Phase.RUNNING,
        count=str(math.ceil(rest_s)),
        ticks=ticks,
        ticks_lit=math.ceil(ticks * rest_s / total_s) if total_s else 0,
        lamps=tuple(Lamp(str(at), rest_s <= at) for at in CUE_LAMPS_S if at < total_s),
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
    entries = scene.match.entries
    answers = (step for step in reversed(scene.match.steps) if step.answers)
    last = next((step for step in answers if entries[step.seq].source != SENSOR), None)
    if last is None or last.seq <= scene.view.hands_off or not scene.open:
        return None
    told = scene.history.told.get(last.seq)
    return last.seq if told is not None and told.kind == "locked" and last.value == "zero" else None


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
        lamps=tuple(Lamp(str(at), lit=True) for at in CUE_LAMPS_S),
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
    waiting = [q for q in scene.waiting if isinstance(q, Locked)]
    last = waiting[0] if waiting else question
    said = [scene.names.player(q.by) for k, q in scene.open.items() if k in scene.match.answered]
    first = f"Locked: {', '.join(said)}" if said else "Each player says locked."
    everyone = tuple(
        Key(scene.names.player(q.by), Answer(q.key, q.opened, q.word), "locked", q.by)
        for q in waiting
        if len(scene.open) > 1
    )
    locked = Key("Locked", Answer(last.key, last.opened, last.word), "ends the phase", "next")
    return RoundState(
        frame=scene.frame(
            _round_title(scene),
            f"{_phase_name(scene)} · no timer",
            message=Message(first),
            next_key=None if everyone else replace(locked, look=KeyLook.GO),
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


def _phase_name(scene: Scene) -> str:
    return scene.place[-1] if scene.place else ""


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
