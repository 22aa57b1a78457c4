"""The log: every line with its time and source, and what can be done about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.core.ruling import TABLE, Seat
from companion.kit.reports import report_in_words
from companion.match.revision import never_came
from companion.referee.late import SENSOR
from companion.referee.presses import CARD_IN_TIME, CHALLENGED, DECIDED
from ui.scene.scene import BACK, challenger, evidence_keys, evidence_words, page_keys
from ui.scene.theme import Colour, Face, Reach
from ui.scene.values import Frame, Key, KeyLook, LogLine, Mark, Message
from ui.screens.page import Page, Parts, stacked
from ui.touch.actions import Panel, SelectLine, Show, TurnPage, Undo
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.words import LogPart

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.ruling import Json
    from companion.match.entry import Entry
    from ui.scene.scene import Scene


@dataclass(frozen=True, slots=True)
class LogState:
    """Left a page of lines, newest last; right the chosen one in full and its keys."""

    frame: Frame
    lines: tuple[LogLine, ...]
    title: str
    details: tuple[str, ...]
    keys: tuple[Key, ...]
    page: int = 1
    pages: int = 1


LINES_A_PAGE = 6
SOURCES = {SENSOR: "slot sensor"}
CHALLENGES = {CHALLENGED: "Challenge", DECIDED: "Challenge decided"}
TOLD = {"undo": "Undone", "amend": "Amended", "adjust": "Adjusted", "report": "Reported"}


def present_log(scene: Scene) -> LogState:
    """Pages from the newest backwards; page 0 of the view is the newest."""
    lines, page, pages = log_page(scene)
    chosen = scene.view.chosen_seq
    count = len(scene.match.entries)
    disk = "all on disk" if not scene.referee.unwritten else "NOT on disk"
    return LogState(
        frame=scene.frame(
            "LOG",
            f"{count} lines · {disk}",
            keys=(BACK, *page_keys(page, pages, backwards=True), *evidence_keys(scene, chosen)),
            message=Message("Touch a line." if chosen is None else ""),
            next_key=Key("Newest", TurnPage(-pages), f"line {count - 1}", "next", KeyLook.GO),
        ),
        lines=lines,
        title=line_text(scene, scene.match.entries[chosen]) if chosen is not None else "",
        details=_details(scene, chosen) if chosen is not None else (),
        keys=_keys(scene, chosen) if chosen is not None else (),
        page=page,
        pages=pages,
    )


def log_page(scene: Scene) -> tuple[tuple[LogLine, ...], int, int]:
    """The page's lines, its number and how many there are; the last page is the newest."""
    entries = scene.match.entries
    pages = max(1, -(-len(entries) // LINES_A_PAGE))
    back = min(scene.view.page, pages - 1)
    end = len(entries) - back * LINES_A_PAGE
    shown = entries[max(0, end - LINES_A_PAGE) : end]
    return tuple(log_line(scene, entry) for entry in shown), pages - back, pages


def log_line(scene: Scene, entry: Entry) -> LogLine:
    """One line in words, with its time, source and author."""
    known = entry.kind not in ("answer", "lapse") or entry.seq in scene.match.no_longer_asked
    in_effect = known or entry.seq in scene.history.told
    text = line_text(scene, entry)
    told = scene.history.told.get(entry.seq)
    return LogLine(
        seq=entry.seq,
        text=text,
        time=scene.situation.clock(entry.at_utc),
        source=source_words(entry),
        key=Key(text, SelectLine(entry.seq)),
        author="" if entry.author in ("table", "") else scene.names.player(Seat(entry.author)),
        chosen=entry.seq == scene.view.chosen_seq,
        taken_back=not in_effect,
        mark=Mark.NONE if entry.seq < scene.referee.confirmed else Mark.WARN,
        side=scene.side(told.by) if told is not None else None,
    )


def line_text(scene: Scene, entry: Entry) -> str:
    """What a line says, as people say it."""
    told = scene.history.told.get(entry.seq)
    if told is not None:
        return f"{place_words(scene, told.key)}: {told.said}"
    if entry.kind in ("answer", "lapse"):
        return f"{place_words(scene, entry.key)}: {entry.answer}"
    if entry.kind == "clock" and isinstance(entry.answer, dict):
        return _clock_words(scene, entry.answer)
    if entry.kind == "report" and isinstance(entry.answer, dict):
        return f"Reported: {report_in_words(entry.answer, scene.match.rulebook)}"
    words = TOLD.get(entry.kind, entry.kind.replace("setup", "match begun").capitalize())
    return f"{words} line {entry.target}" if entry.target is not None else words


def source_words(entry: Entry) -> str:
    """Who told it, as people call them: "touch", "slot sensor"; else what kind of line it is."""
    return SOURCES.get(entry.source) or entry.source or entry.kind


def _clock_words(scene: Scene, said: Mapping[str, Json]) -> str:
    """What the clock did, or who challenged; with what was left of a round."""
    rest, event = said.get("rest_s"), str(said.get("event", ""))
    left = f", {rest:g} s left" if isinstance(rest, int | float) else ""
    by = Seat(str(said.get("by", TABLE)))
    if event == CARD_IN_TIME:
        return f"Card {said.get('card')} in time: {challenger(scene.names, by)}{left}"
    if event not in CHALLENGES:
        return f"Clock {event}{left}"
    return f"{CHALLENGES[event]}: {challenger(scene.names, by)}{left}"


def place_words(scene: Scene, key: str) -> str:
    """Where in the book, with seats by their names and not by their codes."""
    names = {str(seat).lower(): scene.names.called(seat) for seat in scene.names.seats}
    words = scene.history.place(key).split(" · ")
    return " · ".join(names.get(word.lower(), word) for word in words)


def _details(scene: Scene, seq: int) -> tuple[str, ...]:
    entry = scene.match.entries[seq]
    told = scene.history.told.get(seq)
    lines = [f"{scene.situation.clock(entry.at_utc)} · {source_words(entry)} · {entry.author}"]
    if told is not None:
        lines.append(f"{told.headline} · {told.cite}")
    if entry.reason:
        lines.append(f"Reason: {entry.reason}")
    if kept := evidence_words(scene, seq):
        lines.append(f"Evidence: {kept}")
    over, fate = scene.match.dropped.get(seq), scene.match.fates.get(seq)
    if over is not None:
        lines.append(f"{never_came(over).capitalize()}.")
    elif fate is not None:
        lines.append(f"After an amend: {fate.value}")
    for by, _, rulings in scene.match.ruled_by():
        if by == seq:
            lines.extend(f"{ruling.text} ({ruling.cite})" for ruling in rulings)
    return tuple(lines)


def _keys(scene: Scene, seq: int) -> tuple[Key, ...]:
    why = _why_key(scene, seq)
    if seq not in scene.history.told:
        reason = _why_out(scene, seq) if scene.match.entries[seq].key else "it is no answer"
        return (Key("Amend", None, reason, "arbiter", KeyLook.IMPOSSIBLE), *why)
    later = sum(1 for step in scene.match.steps if step.seq > seq)
    amend = Key("Amend", Show(Panel.AMEND, str(seq)), "change it, keep the rest", "arbiter")
    undo = Key("Undo to here", Undo(seq), f"{later + 1} answers go", "undo")
    return (*why, amend, replace(undo, look=KeyLook.HOLD))


def _why_out(scene: Scene, seq: int) -> str:
    """Why an answer counts no more, or not now."""
    if any(step.seq == seq for step in scene.match.parked):
        return "it waits for its question"
    over = scene.match.dropped.get(seq)
    return "it was taken back" if over is None else f"dropped: {over} is over"


def _why_key(scene: Scene, seq: int) -> tuple[Key, ...]:
    """What the line's question and rulings cite, if it has any."""
    told = scene.history.told.get(seq)
    cites = [str(told.cite)] if told is not None else []
    ruled = (rulings for by, _, rulings in scene.match.ruled_by() if by == seq)
    cites += [str(ruling.cite) for rulings in ruled for ruling in rulings]
    names = ", ".join(dict.fromkeys(name for cite in cites for name in cite.split(", ")))
    return (Key("Why?", Show(Panel.RULES, names), names, "book"),) if names else ()


# Parts and layout.

LIST_WIDE = 322.0
_LINE_HIGH, _LINE_GAP, _CHOSEN_MORE = 51.0, 1.5, 18.0


@dataclass(frozen=True, kw_only=True)
class Details(Part):
    """The chosen line in full: what, then when, by whom, under which rule, what it ruled."""

    title: str
    details: tuple[str, ...]

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.PANEL, Reach.RADIUS)
        room = self.box.inset(14, 12)
        ink = pen.text(self.title, room.top(54), 21, across="top", lines=2)
        y = ink.bottom + 14
        for detail in self.details:
            left = Box(room.x, y, room.wide, min(46.0, room.bottom - y))
            if left.high < 14:
                return
            ink = pen.text(detail, left, 16, Colour.INK2, face=Face.MEDIUM, across="top", lines=2)
            y = ink.bottom + 9


def log_list(room: Box, lines: Sequence[LogLine]) -> Parts:
    """A page of lines, newest last; the chosen one is higher where there is room."""
    if not lines:
        return
    spare = room.high - len(lines) * _LINE_HIGH - (len(lines) - 1) * _LINE_GAP
    chosen_high = _LINE_HIGH + min(_CHOSEN_MORE, max(0.0, spare))
    y = room.y
    for line in lines:
        box = Box(room.x, y, room.wide, chosen_high if line.chosen else _LINE_HIGH)
        yield f"log/{line.seq}", LogPart(box=box, line=line, action=line.key.action)
        y = box.bottom + _LINE_GAP


def layout(state: LogState, page: Page) -> Parts:
    """List at one side, the chosen line and its keys at the other."""
    listed, chosen = page.sides(page.body, LIST_WIDE + (page.wide - 800) * 0.6)
    yield from log_list(listed, state.lines)
    if state.frame.refusal is not None:
        yield from page.refusal(chosen.top(76), state.frame.refusal)
        chosen = chosen.below(84)
    keys_high = 72.0 if len(state.keys) <= 2 else 60.0
    keys = Box(
        chosen.x,
        chosen.bottom - len(state.keys) * (keys_high + 6) + 6,
        chosen.wide,
        len(state.keys) * (keys_high + 6) - 6,
    )
    if state.title:
        room = Box(chosen.x, chosen.y, chosen.wide, keys.y - chosen.y - 8)
        yield "details", Details(box=room, title=state.title, details=state.details)
    for n, (box, key) in enumerate(
        zip(stacked(keys, len(state.keys), high=keys_high), state.keys, strict=True)
    ):
        yield f"key/{n}", key_cap(box, key, caps=19, align="left", sign_side=32)
    yield from page.around(state.frame, pages=(state.page, state.pages))
