"""An open challenge: who disputes, how the clock stands, and what was told and kept last."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.core.ruling import TABLE
from companion.record.evidence import EvidenceFile, EvidencePart
from companion.referee.presses import CHALLENGED
from ui.scene.scene import ARBITER_KEY, CANCEL, LOG_KEY, challenger, page_keys, pages_of
from ui.scene.theme import Caps, Colour, Reach
from ui.scene.values import Band, Frame, Key, KeyLook, Line, Mark, Message, Picture
from ui.screens.arbiter.arbiter import ArbiterState
from ui.screens.arbiter.log import line_text, source_words
from ui.screens.page import Page, Parts, stacked
from ui.touch.actions import DecideChallenge, KeepClip, OpenChallenge, Panel, Show
from ui.widgets.box import Box
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.picture import PicturePart
from ui.widgets.teams import draw_emblem
from ui.widgets.words import LinePart

if TYPE_CHECKING:
    from companion.match.entry import Entry
    from companion.referee.presses import Challenge
    from ui.scene.scene import Scene


LINES = 3
"""Answers that are told again: what is disputed is among the last."""

CALLER = "Arbiter"
"""Who challenges where no team does."""


@dataclass(frozen=True, slots=True)
class ChallengeState:
    """The band says who and how the clock stands; the kept stills, and what was told last.

    `picture` is None where none was kept: the lines then have the room.
    """

    frame: Frame
    band: Band
    lines: tuple[Line, ...]
    picture: Picture | None = None
    page: int = 1
    pages: int = 1


def present_challenge(scene: Scene, challenge: Challenge) -> ChallengeState:
    """Everything else waits: Log and Arbiter correct what is to be corrected, then it is decided.

    The pictures are turned over one by one: of each line the stills, the latest first, and then the
    boards as drawn.
    """
    pictures = [
        file for file in reversed(scene.situation.kept.files) if file.part is not EvidencePart.CLIP
    ]
    stills = sorted(pictures, key=lambda one: (-one.seq, one.part is EvidencePart.BOARDS))
    shown, page, pages = pages_of(stills, scene.view.page, 1)
    frame = scene.frame(
        "CHALLENGE",
        " · ".join(scene.place),
        keys=(LOG_KEY, ARBITER_KEY, *page_keys(page, pages), *_clip_key(scene)),
        message=Message("Correct: Log, Arbiter.", "Then say it is decided.")
        if pages == 1
        else None,
        next_key=Key("Decided", DecideChallenge(), _then(scene, challenge), "next", KeyLook.GO),
    )
    return ChallengeState(
        frame=replace(frame, banner=scene.trouble),  # the band says it all
        band=_band(scene, challenge),
        lines=tuple(_told(scene, entry) for entry in _last_told(scene)),
        picture=_picture(scene, shown[0]) if shown else None,
        page=page,
        pages=pages,
    )


def _band(scene: Scene, challenge: Challenge) -> Band:
    clock = scene.referee.clock
    stands = f"THE CLOCK STANDS AT {clock.rest(scene.now):.1f} s" if clock else "NOTHING GOES ON"
    who = challenger(scene.names, challenge.by).upper()
    return Band((f"CHALLENGE: {who}", stands), scene.side(challenge.by), Mark.WARN)


def _then(scene: Scene, challenge: Challenge) -> str:
    clock = scene.referee.clock
    if clock is None:
        return "the match goes on"
    if challenge.stopped_clock:
        return f"clock runs from {clock.rest(scene.now):.1f} s"
    return "the clock stays paused"


def _last_told(scene: Scene) -> list[Entry]:
    """The answers in effect that were told last, the latest first."""
    entries = scene.match.entries
    return [entries[step.seq] for step in reversed(scene.match.steps[-LINES:])]


def _told(scene: Scene, entry: Entry) -> Line:
    """What was told, whence and when; a touch shows the pictures kept with it."""
    kept = scene.situation.kept.of_line(entry.seq)
    key = Key("Evidence", Show(Panel.EVIDENCE, str(entry.seq))) if kept else None
    told = scene.history.told.get(entry.seq)
    side = scene.side(told.by) if told is not None else None
    at = scene.situation.clock(entry.at_utc)
    return Line(line_text(scene, entry), source_words(entry), right=at, key=key, side=side)


def _picture(scene: Scene, file: EvidenceFile) -> Picture:
    """A still, with what it shows and when."""
    words = f"{file}, {scene.situation.clock(file.at_utc)}"
    shown = scene.situation.kept.picture(file)
    if shown is None:
        return Picture(None, 0, (4, 3), note=f"{file.short} cannot be read.")
    return replace(shown, note=words, note_mark=Mark.NONE)


def _clip_key(scene: Scene) -> tuple[Key, ...]:
    """What the camera saw until now, kept with the challenge's own line of the log."""
    if not scene.situation.kept.clips:
        return ()
    lines = (entry for entry in reversed(scene.match.entries) if _opens(entry))
    line = next(lines, scene.match.entries[-1])
    return (Key("Keep clip", KeepClip(line.seq), "20 s", "eye"),)


def _opens(entry: Entry) -> bool:
    said = entry.answer
    return entry.kind == "clock" and isinstance(said, dict) and said.get("event") == CHALLENGED


def present_challengers(scene: Scene) -> ArbiterState:
    """Who disputes: one touch opens it."""
    sides = [(scene.names.label(side), str(side)) for side in scene.names.sides]
    keys = tuple(
        Key(name, OpenChallenge(by), "disputes something: the clock stands")
        for name, by in (*sides, (CALLER, str(TABLE)))
    )
    frame = scene.frame("CHALLENGE", " · ".join(scene.place), keys=(CANCEL,))
    return ArbiterState(frame, "Who challenges?", keys)


# Parts and layout.

_BAND_HIGH = 128.0
_PICTURE_WIDE = 300.0
_LINE_HIGH = 60.0
_SIGN = 84.0


@dataclass(frozen=True, kw_only=True)
class CallPart(Part):
    """The loudest band there is: inverted, a sign as high as both lines, and whose call it is."""

    band: Band

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.GO, Reach.BAND_RADIUS)
        room = self.box.inset(16, 14)
        pen.sign("hand", Box(room.x, room.y, _SIGN, room.high).square(_SIGN), Colour.GO_INK)
        if self.band.side is not None:
            plate = Box(room.right - _SIGN, room.y, _SIGN, room.high).square(_SIGN)
            pen.fill(plate.grown(8), Colour.BG, Reach.RADIUS)
            draw_emblem(pen, self.band.side, plate)
            room = room.left(room.wide - _SIGN - 22)
        rows = room.beside(_SIGN + 16).rows([1] * len(self.band.lines), gap=14)
        for row, line, caps in zip(rows, self.band.lines, (Caps.HANDS, 34.0), strict=False):
            pen.text(line, row, min(caps, row.high), Colour.GO_INK)


def layout(state: ChallengeState, page: Page) -> Parts:
    """The band over stills and lines; a refusal stands between them."""
    body = page.body
    yield "call", CallPart(box=body.top(_BAND_HIGH), band=state.band)
    body = body.below(_BAND_HIGH + 8)
    if state.frame.refusal is not None:
        yield from page.refusal(body.top(60), state.frame.refusal)
        body = body.below(66)
    if state.picture is not None:
        shown, body = page.sides(body, _PICTURE_WIDE + (page.wide - 800) * 0.6)
        yield "picture", PicturePart(box=shown, slot="evidence", picture=state.picture)
    fitting = int((body.high + 4) // (Reach.TARGET[1] + 4))
    lines = state.lines[:fitting]
    for n, (box, line) in enumerate(
        zip(stacked(body, len(lines), high=_LINE_HIGH, gap=4), lines, strict=True)
    ):
        action = line.key.action if line.key is not None else None
        yield f"line/{n}", LinePart(box=box, line=line, ground=n % 2 == 0, action=action)
    yield from page.around(state.frame, pages=(state.page, state.pages))
