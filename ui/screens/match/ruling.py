"""The rulings of a section in step order: what hands do, the map, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from companion.core.ruling import TABLE, Carry, Move, Ruling, Shuffle
from ui.scene.deeds import count_after, deed_in_words, is_done, task_in_words, tasked, told
from ui.scene.map import MapState
from ui.scene.scene import evidence_keys, pages_of
from ui.scene.theme import Colour, Reach
from ui.scene.values import Band, Frame, Key, KeyLook, Mark, Message, RulingLine
from ui.screens.page import Page, Parts, stacked
from ui.touch.actions import Corrected, Done, NextDeed, Panel, Show
from ui.widgets.board_map import board_map
from ui.widgets.box import Box
from ui.widgets.key import BandPart, key_cap
from ui.widgets.lettering import text_wide
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.shape import Stroke, rounded
from ui.widgets.sheet import first_part
from ui.widgets.words import STEP_WIDE, RulingPart

if TYPE_CHECKING:
    from companion.core.board import Piece, Pose
    from companion.core.question import Question
    from companion.core.ruling import Seat
    from companion.match.correction import Correction
    from companion.match.match import Match
    from ui.scene.scene import Scene
    from ui.touch.view import View


@dataclass(frozen=True, slots=True)
class RulingState:
    """The band is the deed at hand; the message has counts before and after; Done goes on.

    `objection` is the share of the objection window that is left, 1 to 0; None where there is none.
    """

    frame: Frame
    band: Band
    map: MapState
    lines: tuple[RulingLine, ...]
    objection: float | None = None
    page: int = 1
    pages: int = 1


LINES_A_PAGE = 3
LONGEST_PLACE = 24
LONGEST_LINE = 74
SHORTEST_LINE = 15
LONGEST_NEXT = 24
"""Letters of what the next tap says will follow."""
LONGEST_LATEST = 38
"""Letters of a line between the keys."""


def unread(scene: Scene) -> Sequence[Ruling]:
    """The rulings that nobody has put away with Done, from the first on that waits for it."""
    rulings = scene.match.rulings
    first = next((at for at in range(scene.view.read, len(rulings)) if not rulings[at].quiet), None)
    return rulings[first:] if first is not None else ()


def done_by(match: Match[Any], view: View) -> int:
    """How many rulings hands have done: those put away, and the deeds of those that wait."""
    rulings = match.rulings
    telling = [at for at, ruling in enumerate(rulings) if at >= view.read and ruling.deeds]
    deed = min(view.deed, len(telling))
    return telling[deed - 1] + 1 if deed else min(view.read, len(rulings))


def latest_words(scene: Scene) -> str:
    """What the last answer brought, where nobody waited for it to be read; else nothing.

    Several things it brought are told shortly, as many of them as there is room for: what dice
    did, before what was put away after them.
    """
    ruled = scene.match.ruled_by()
    if not ruled or not ruled[-1][2][-1].quiet:
        return ""
    quiet = [ruling for ruling in ruled[-1][2] if ruling.quiet]
    if len(quiet) == 1:
        text = quiet[0].text
        return text if len(text) <= LONGEST_LATEST else _headline(scene, quiet[0])
    return in_short([_headline(scene, ruling) for ruling in quiet])


def _headline(scene: Scene, ruling: Ruling) -> str:
    return scene.names.in_full(ruling.headline, ruling.by)


def in_short(headlines: Sequence[str], most: int = 2 * LONGEST_LATEST) -> str:
    """Headlines one after another, each name said once, as many as there is room for.

    >>> in_short(["Bo: 1 die left", "Bo: +1 token", "", "Ann: Repair"])
    'Bo: 1 die left, +1 token; Ann: Repair'
    >>> in_short(["Bo: 1 die left", "Bo: +1 token"], 20)
    'Bo: 1 die left'
    """
    told, about = "", ""
    for headline in dict.fromkeys(filter(None, headlines)):
        who, named, what = headline.rpartition(": ")
        same = bool(named) and who == about
        longer = f"{told}, {what}" if same else f"{told}; {headline}" if told else headline
        if len(longer) > most:
            break
        told, about = longer, who
    return told


def present_ruling(scene: Scene) -> RulingState:
    """What the answers so far have brought, in the order of the book."""
    rulings = unread(scene)
    title, where = _place(scene)
    telling = _telling(rulings)
    deed = min(scene.view.deed, len(telling) - 1)
    lines = [line for ruling in rulings for line in _lines(scene, ruling)]
    shown, page, pages = pages_of(lines, scene.view.page, LINES_A_PAGE)
    return RulingState(
        frame=scene.frame(
            title,
            where,
            keys=(*scene.base_keys(), *evidence_keys(scene, _ruled_seq(scene))),
            message=_message(scene, rulings, telling[deed]),
            next_key=_next_key(scene, deed, len(telling)),
        ),
        band=_band(scene, telling[deed], deed, len(telling)),
        map=_map(scene, rulings),
        lines=tuple(shown),
        page=page,
        pages=pages,
    )


def _telling(rulings: Sequence[Ruling]) -> Sequence[Ruling]:
    """The rulings that the band tells one after another: those with something to do."""
    return [ruling for ruling in rulings if ruling.deeds] or [rulings[-1]]


def page_of_deed(scene: Scene, deed: int) -> int:
    """The page, from 0, on which the ruling stands that the band tells as this deed."""
    rulings = unread(scene)
    telling = _telling(rulings)
    at = rulings.index(telling[min(deed, len(telling) - 1)])
    return sum(len(_lines(scene, ruling)) for ruling in rulings[:at]) // LINES_A_PAGE


def present_correction(scene: Scene, correction: Correction) -> RulingState:
    """What hands do after an undo, an amend or an adjustment; kept until Done."""
    task = correction.tasks[0] if correction.tasks else None
    lines = _correction_lines(scene, correction)
    shown, page, pages = pages_of(lines, scene.view.page, LINES_A_PAGE)
    first, second = told(scene, task, correction.tasks[1:]) if task is not None else ("", "")
    lost = correction.lost[0] if correction.lost else ""
    what = Message(first, second or lost) if first else Message("The table stays as it is.", lost)
    return RulingState(
        frame=scene.frame(
            "CORRECTED", scene.title.capitalize(), message=what, next_key=_task_key(correction)
        ),
        band=_task_band(scene, correction),
        map=_task_map(scene, correction),
        lines=tuple(shown),
        page=page,
        pages=pages,
    )


def _task_band(scene: Scene, correction: Correction) -> Band:
    if not correction.tasks:
        return Band(("NOTHING TO MOVE",), note="The rulings changed, the table did not.")
    task = correction.tasks[0]
    seat = tasked(task)
    lines = tuple(line for line in (_who(scene, seat), task_in_words(scene, task)) if line)
    queue = f"{correction.at} of {correction.total}" if correction.total > 1 else ""
    return Band(lines, scene.side(seat), queue=queue)


def _who(scene: Scene, seat: Seat) -> str:
    """Whose a task is, with the person's name: "PAWS PILOT CLEO"; empty for the table's."""
    if seat == TABLE:
        return ""
    rulebook = scene.match.rulebook
    return (rulebook.who(seat) if seat in rulebook.named else scene.names.called(seat)).upper()


def _task_key(correction: Correction) -> Key:
    left = max(0, len(correction.tasks) - 1)
    then = f"then {correction.at + 1} of {correction.total}" if left else "on with the match"
    return Key("Done", Corrected(left), then, "next", KeyLook.GO)


def _task_map(scene: Scene, correction: Correction) -> MapState:
    """Pieces where they belong, dashed where hands have left them."""
    moves = [task for task in correction.tasks if isinstance(task, Move)]
    ghosts = {move.piece: move.was for move in moves if move.was is not None}
    placement = scene.match.position.placement()
    return scene.map.draw(placement, ghosts=ghosts, arrows=True, legend="as the table lies")


def _correction_lines(scene: Scene, correction: Correction) -> list[RulingLine]:
    """Struck rulings, then those that came; where none did, the tasks themselves."""
    cite = str(scene.match.rulebook.corrections)
    why = Key("Why?", Show(Panel.RULES, cite), cite)
    struck = [replace(one, struck=True) for r in correction.struck for one in _lines(scene, r)]
    brought = [line for ruling in correction.brought for line in _lines(scene, ruling)]
    lost = [RulingLine("", *_two_lines(words), why) for words in correction.lost]
    if struck or brought:
        return [*struck, *brought, *lost]
    pairs = (
        told(scene, task, correction.tasks[at:]) for at, task in enumerate(correction.tasks, 1)
    )
    return [*(RulingLine("", first, second, why) for first, second in pairs), *lost]


def _ruled_seq(scene: Scene) -> int | None:
    """The log line of the answer that brought the latest rulings."""
    ruled = scene.match.ruled_by()
    return ruled[-1][0] if ruled else None


def _place(scene: Scene) -> tuple[str, str]:
    """Where the last answer was given: the match itself may have gone on to the next place."""
    last = scene.match.steps[-1] if scene.match.steps else None
    if last is not None and last.kind == "close":
        return "MATCH CLOSED", scene.where
    ruled = scene.match.ruled_by()
    if not ruled:
        return f"{scene.title} · RULING", ""
    key = ruled[-1][1]
    place = scene.history.place(key).partition(" · ")[0]
    if scene.map.has_field:
        place = _chapter(scene, ruled[-1][2]) or place
    return f"{place.upper()} · RULING", scene.history.round_of(key)


def _chapter(scene: Scene, rulings: Sequence[Ruling]) -> str:
    """The chapter of the book that rules: what its paragraphs are called, not our own rulings."""
    known = scene.match.rulebook.paragraphs()
    rules = (rule for ruling in rulings for rule in ruling.cite.rules)
    return next((known[rule].chapter for rule in rules if rule in known), "")


def _band(scene: Scene, ruling: Ruling, deed: int, deeds: int) -> Band:
    """Who, then what; the rest of several deeds waits as "1 of 2"."""
    who = scene.names.called(ruling.by) if ruling.by != TABLE else ""
    what = ruling.headline or (deed_in_words(scene, ruling.deeds[0]) if ruling.deeds else "")
    player = scene.names.player(ruling.by)
    if who and what.startswith(f"{player}: "):
        who = player
    what = what.removeprefix(f"{who}: ").removeprefix(f"{ruling.by}: ") if who else what
    lines = tuple(line for line in (who.upper(), what[:1].upper() + what[1:]) if line)
    queue = f"{deed + 1} of {deeds}" if deeds > 1 else ""
    return Band(lines or (ruling.text,), scene.side(ruling.by), queue=queue)


def _message(scene: Scene, rulings: Sequence[Ruling], ruling: Ruling) -> Message:
    """Counts before and after what the band tells, and when it is official."""
    later = list(rulings[rulings.index(ruling) :])
    counted = [
        words
        for deed in ruling.deeds
        if isinstance(deed, Carry | Shuffle) and (words := count_after(scene, deed, later))
    ]
    official = "Official with the next answer."
    first, second = (*counted[-2:], official, official)[:2] if counted else ("", official)
    return Message(first, second)


def _next_key(scene: Scene, deed: int, deeds: int) -> Key:
    upto = len(scene.match.rulings)
    if deed + 1 < deeds:
        return Key("Done", NextDeed(upto), f"then {deed + 2} of {deeds}", "next", KeyLook.GO)
    if scene.match.outcome is not None:
        return Key("Result", Done(upto), "the match is over", "next", KeyLook.GO)
    following = scene.waiting[0] if scene.waiting else None
    words = _next_words(scene, following) if following is not None else ""
    return Key("Done", Done(upto), f"then {words}" if words else "", "next", KeyLook.GO)


def _next_words(scene: Scene, following: Question[Any]) -> str:
    """What comes next, and for whom if there is room for the name."""
    words = following.headline or following.prompt
    named = scene.names.in_full(words, following.by)
    if len(named) <= LONGEST_NEXT or named == words:
        return named
    return scene.names.without(words, following.by).lower()


def _map(scene: Scene, rulings: Sequence[Ruling]) -> MapState:
    """Pieces where they belong now, dashed where they stood before these rulings."""
    placement = scene.match.position.placement()
    was: dict[Piece, Pose] = {}
    for deed in (deed for ruling in rulings for deed in ruling.deeds):
        if isinstance(deed, Move) and deed.was is not None:
            was.setdefault(deed.piece, deed.was)
    ghosts = {piece: pose for piece, pose in was.items() if placement.get(piece) != pose}
    struck = [piece for ruling in rulings for piece in ruling.struck]
    return scene.map.draw(
        placement,
        ghosts=ghosts,
        struck=struck,
        arrows=True,
        legend="before the ruling",
        fires=scene.match.position.lines_of_fire(),
    )


def _lines(scene: Scene, ruling: Ruling) -> list[RulingLine]:
    """One line, or as many as a long ruling needs: who and what stand in the first of them."""
    parts = in_parts(_without_place(ruling))
    pairs = [_two_lines(parts[0])] if len(parts) == 1 else [(part, "") for part in parts]
    first, *more = (_line(scene, ruling, pair) for pair in pairs)
    return [first, *(replace(line, step="", mark=Mark.NONE) for line in more)]


def _line(scene: Scene, ruling: Ruling, words: tuple[str, str]) -> RulingLine:
    step = str(ruling.step) if ruling.step is not None else ""
    why = Key("Why?", Show(Panel.RULES, str(ruling.cite)), str(ruling.cite))
    done = bool(ruling.deeds) and all(is_done(scene, deed) for deed in ruling.deeds)
    return RulingLine(step, *words, why, Mark.OK if done else Mark.NONE)


def _without_place(ruling: Ruling) -> str:
    """The text without "Section 1, step 3:", which stands beside it."""
    place, _, rest = ruling.text.partition(f"step {ruling.step}: ")
    return rest if rest and ruling.step is not None and len(place) < LONGEST_PLACE else ruling.text


def in_parts(text: str, most: int = LONGEST_LINE) -> list[str]:
    """A text in parts of at most so many characters, cut after sentences, else clauses or words.

    >>> in_parts("Shoot GC hits; 6 damage. Paws Pilot takes it. He scraps 6.", 26)
    ['Shoot GC hits; 6 damage.', 'Paws Pilot takes it.', 'He scraps 6.']
    """
    parts: list[str] = []
    while len(text) > most:
        stops = (text.rfind(stop, 0, most) + len(stop) - 1 for stop in (". ", "; ", ": ", ", "))
        at = next((stop for stop in stops if stop >= SHORTEST_LINE), text.rfind(" ", 0, most))
        at = at if at > 0 else most
        parts.append(text[:at].rstrip())
        text = text[at:].lstrip()
    return [*parts, text] if text or not parts else parts


def _two_lines(text: str) -> tuple[str, str]:
    """A ruling's first clause, and what follows it.

    >>> _two_lines("Paws Gunner takes 6. The Jaws plane is on PG's View.")
    ('Paws Gunner takes 6', "The Jaws plane is on PG's View.")
    """
    for stop in (". ", "; ", ": "):
        first, found, rest = text.partition(stop)
        if found:
            return first, rest
    return text, ""


# Parts and layout.

_BAND_HIGH = 158.0
_MAP_WIDE = 322.0
_NARROW_MAP_WIDE = 246.0
_WHY_WIDE = 100.0
_MOST_HIGH = 77.0
_TURN_WIDE = 60.0

NO_KEY = Key("", None)
"""In a line's part: its key is a part of its own."""


@dataclass(frozen=True, kw_only=True)
class ObjectionEdge(Part):
    """The edge that shrinks while an objection is still possible."""

    share: float

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        outline = rounded((self.box.wide, self.box.high), Reach.BAND_RADIUS, inset=2)
        path = first_part([*outline, outline[0]], self.share)
        frame = (self.box.wide, self.box.high)
        pen.shapes(self.box, (Stroke(tuple(path), 3),), frame, Colour.WARN_LINE)


def layout(state: RulingState, page: Page) -> Parts:
    """The band over map and rulings; a refusal takes the band's place."""
    body = page.body
    band = body.top(_BAND_HIGH)
    if state.frame.refusal is not None:
        yield from page.refusal(band, state.frame.refusal)
    else:
        yield "band", BandPart(box=band, band=state.band)
        if state.objection is not None:
            yield "objection", ObjectionEdge(box=band, share=round(state.objection, 2))
    below = body.below(_BAND_HIGH + 8)
    map_wide = _map_wide(state, page)
    shown, lines = page.sides(below, map_wide + (page.wide - 800) * 0.6)
    yield from board_map(shown, state.map, titled=False)
    yield from _line_parts(state, page, lines)
    yield from page.around(state.frame)


def _map_wide(state: RulingState, page: Page) -> float:
    """The map makes room where a ruling is too long for one line."""
    room = page.body.wide - _MAP_WIDE - 12 - _WHY_WIDE - STEP_WIDE - 40
    words = [text for line in state.lines for text in (line.first, line.second)]
    longest = max((text_wide(page.theme, text, 14) for text in words), default=0.0)
    if state.pages > 1:
        return _NARROW_MAP_WIDE - 30  # the keys that turn pages need their room too
    return _MAP_WIDE if longest <= room else _NARROW_MAP_WIDE


def _line_parts(state: RulingState, page: Page, room: Box) -> Parts:
    """A page of three; fewer stand higher, so that long ones have room."""
    wide = room.wide
    if state.pages > 1:
        wide -= _TURN_WIDE + 8
        column = Box(room.right - _TURN_WIDE, room.y, _TURN_WIDE, room.high)
        yield from page.turning(column, state.page, state.pages)
    lines = state.lines[:3]
    stepped = any(line.step for line in lines)
    boxes = stacked(Box(room.x, room.y, wide, room.high), len(lines), high=_MOST_HIGH, gap=2)
    for n, (box, line) in enumerate(zip(boxes, lines, strict=True)):
        text = box.left(box.wide - _WHY_WIDE - 4)
        bare = replace(line, why=NO_KEY)
        yield f"line/{n}", RulingPart(box=text, line=bare, stepped=stepped)
        why = Box(box.right - _WHY_WIDE, box.y, _WHY_WIDE, box.high)
        yield f"why/{n}", key_cap(why, line.why, caps=16)
