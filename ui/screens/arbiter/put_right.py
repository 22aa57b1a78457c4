"""What a correction leaves for hands to do: all that has room on one page, and what was ruled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING

from companion.core.ruling import TABLE, Carry, Move
from ui.scene.deeds import task_in_words, tasked, told
from ui.scene.scene import Scene
from ui.scene.theme import Reach
from ui.scene.values import Band, Key, KeyLook, Message, RulingLine
from ui.screens.match import ruling
from ui.screens.page import Page, Parts
from ui.touch.actions import Corrected, Panel, Show
from ui.widgets.board_map import board_map
from ui.widgets.box import Box
from ui.widgets.field_keys import said_band
from ui.widgets.key import BandPart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.ruling import Deed, Outcome, Seat
    from companion.match.correction import Correction
    from ui.scene.map import MapState

AT_ONCE = 4
"""So many tasks are told on a page; a piece that is moved has the map to itself."""


@dataclass(frozen=True, slots=True)
class PutRightState(ruling.RulingState):
    """The band is the first task, `more` are those that hands do at once with it.

    What is ruled otherwise now stands beside the map where all of it has room, else on pages after
    that of the tasks.
    """

    more: tuple[Band, ...] = ()


def present_correction(scene: Scene, correction: Correction) -> PutRightState:
    """What hands do after an undo, an amend or an adjustment; kept until Done."""
    tasks = at_once(correction.tasks)
    task = tasks[0] if tasks else None
    first, second = told(scene, task, correction.tasks[1:]) if task is not None else ("", "")
    what = Message(first, second) if first else Message("The table stays as it is.")
    where = scene.title.capitalize()
    if correction.reopens:
        where = "The match goes on"
    next_key = _task_key(correction, len(tasks), scene.match.outcome)
    message, band = what if len(tasks) <= 1 else Message(), _band(scene, correction, tasks)
    if not second and first.lower() == ": ".join(band.lines).lower():
        message = Message()  # the band says it, and nothing more is known
    if len(tasks) > 1:  # of several bands none is smaller than the others for it
        where = f"{where} · {band.queue}"
    return PutRightState(
        frame=scene.frame("CORRECTED", where, message=message, next_key=next_key),
        band=band,
        map=_task_map(scene, correction),
        lines=tuple(_correction_lines(scene, correction)),
        page=scene.view.page,
        more=tuple(_row(scene, one, correction.tasks[at:]) for at, one in enumerate(tasks[1:], 2)),
    )


def at_once(tasks: Sequence[Deed]) -> Sequence[Deed]:
    """The tasks of one page."""
    still = list(takewhile(lambda task: not isinstance(task, Move), tasks))
    return still[:AT_ONCE] if still else tasks[:1]


def _band(scene: Scene, correction: Correction, tasks: Sequence[Deed]) -> Band:
    if not correction.tasks:
        return Band(("Nothing to move",), note="The rulings changed, the table did not.")
    at, total, shown = correction.at, correction.total, len(tasks)
    upto = f" to {at + shown - 1}" if shown > 1 else ""
    queue = f"{at}{upto} of {total}" if total > shown or upto else ""
    first = tasks[0]
    band = _row(scene, first, correction.tasks[1:]) if shown > 1 else _task_band(scene, first)
    return replace(band, queue=queue)


def _row(scene: Scene, task: Deed, later: Sequence[Deed]) -> Band:
    """One of several: who and what in one line, under it the counts that it leads to."""
    band = _task_band(scene, task)
    named = f"{scene.names.called(tasked(task))}: "
    counts = [words.removeprefix(named) for words in told(scene, task, later) if words]
    line = ": ".join(band.lines) if len(band.lines) > 1 or isinstance(task, Carry) else counts[0]
    note = " · ".join(counts)
    return replace(band, lines=(line,), note="" if line.lower().endswith(note.lower()) else note)


def _task_band(scene: Scene, task: Deed) -> Band:
    seat = tasked(task)
    lines = tuple(line for line in (_who(scene, seat), task_in_words(scene, task)) if line)
    return Band(lines, scene.side(seat))


def _who(scene: Scene, seat: Seat) -> str:
    """Whose a task is, with the person's name: "Paws Pilot Cleo"; empty for the table's."""
    if seat == TABLE:
        return ""
    rulebook = scene.match.rulebook
    return rulebook.who(seat) if seat in rulebook.named else scene.names.called(seat)


def _task_key(correction: Correction, shown: int, outcome: Outcome | None) -> Key:
    left = max(0, len(correction.tasks) - shown)
    on = "on with the match" if outcome is None else "the match is over"
    then = f"then {correction.at + shown} of {correction.total}" if left else on
    return Key("Done", Corrected(left, max(1, shown)), then, "next", KeyLook.GO)


def _task_map(scene: Scene, correction: Correction) -> MapState:
    """Pieces where they belong, dashed where hands have left them."""
    moves = [task for task in correction.tasks if isinstance(task, Move)]
    ghosts = {move.piece: move.was for move in moves if move.was is not None}
    placement = scene.match.position.placement()
    drawn = scene.map.draw(placement, ghosts=ghosts, arrows=True, legend="as the table lies")
    return drawn.telling([move.now.space for move in moves[:1] if move.now is not None])


def _correction_lines(scene: Scene, correction: Correction) -> list[RulingLine]:
    """Struck rulings, then those that came; where none did, the tasks themselves."""
    cite = str(scene.match.rulebook.corrections)
    why = Key("Why?", Show(Panel.RULES, cite), cite)
    struck = [
        replace(ruling.ruled_line(scene, one, lit=False), struck=True) for one in correction.struck
    ]
    brought = [ruling.ruled_line(scene, one) for one in correction.brought]
    lost = [RulingLine("", words, "", why) for words in correction.lost]
    if struck or brought:
        return [*struck, *brought, *lost]
    pairs = (
        told(scene, task, correction.tasks[at:]) for at, task in enumerate(correction.tasks, 1)
    )
    return [*(RulingLine("", first, second, why) for first, second in pairs), *lost]


# Layout.

_ROW_HIGH, _UPRIGHT_ROW = 102.0, 132.0
_LEAST_MAP = 150.0
_ONE_ROW, _LEAST_CAPS = 100.0, 40.0
"""A task of more rows stands beside its map, if its capitals are so high there."""


def layout(state: PutRightState, page: Page) -> Parts:
    """The tasks, under them the map; the sentences beside it, or each page full of them."""
    sentences = ruling.Sentences(state.lines, page)
    if beside := _map_beside(state, page, page.body):
        band, words, shown = beside
        if sentences.on_one_page(words):
            yield "band", band
            yield from sentences.parts(words, 0)
            yield from board_map(shown, state.map)
            yield from page.around(state.frame)
            return
    elif not state.more and _beside_the_map(state, page, sentences):
        yield from ruling.layout(state, page)
        return
    body = page.body
    if state.frame.refusal is not None:
        refused, body = page.refused(body, state.frame.refusal)
        yield from page.refusal(refused, state.frame.refusal)
    column = body.beside(body.wide - ruling.TURN_WIDE)
    room = body.left(body.wide - ruling.TURN_WIDE - Reach.GAP)
    pages = sentences.pages(room)
    at = min(state.page, len(pages))
    yield from page.turning(column, at + 1, len(pages) + 1)
    if at:
        yield from sentences.stacked(room, pages[at - 1])
    else:
        yield from _tasks(state, page, room)
    yield from page.around(state.frame)


def _beside_the_map(state: PutRightState, page: Page, sentences: ruling.Sentences) -> bool:
    """Whether all is told on one page, the only task over the map and the sentences."""
    if state.frame.refusal is not None:
        return True
    band = said_band(page.theme, page.body, state.band).box
    below = page.body.below(band.high + Reach.GAP)
    rooms = ruling.ways_beside_map(below, page, sentences)
    return any(sentences.on_one_page(words) for _, words, _ in rooms)


def _map_beside(state: PutRightState, page: Page, room: Box) -> tuple[BandPart, Box, Box] | None:
    """A move in many words beside its map."""
    moved = any(piece.dashed for piece in state.map.pieces)
    if state.more or state.frame.refusal is not None or not moved:
        return None
    return ruling.column_beside_map(page, room, state.band, _ONE_ROW, _LEAST_CAPS)


def _tasks(state: PutRightState, page: Page, room: Box) -> Parts:
    """A band each, as high as there is room; the map where they leave it enough."""
    if beside := _map_beside(state, page, room):
        told, _, shown = beside
        yield "band", told
        yield from board_map(shown, state.map)
        return
    bands = (replace(state.band, queue="") if state.more else state.band, *state.more)
    if len(bands) == 1:
        said = said_band(page.theme, room, state.band)
        high, moved = said.box.high, any(piece.dashed for piece in state.map.pieces)
        if moved and high > room.high - _LEAST_MAP - Reach.GAP:  # smaller words leave it its room
            high = room.high - _LEAST_MAP - Reach.GAP
            yield "band", BandPart(box=room.top(high), band=state.band, rebroken=True)
        else:
            yield "band", said
        below = room.below(high + Reach.GAP)
    else:
        most = _UPRIGHT_ROW if page.portrait else _ROW_HIGH
        each = min(most, (room.high + Reach.GAP) / len(bands) - Reach.GAP)
        for n, band in enumerate(bands):
            row = Box(room.x, room.y + n * (each + Reach.GAP), room.wide, each)
            yield f"task/{n}" if n else "band", BandPart(box=row, band=band)
        below = room.below(len(bands) * (each + Reach.GAP))
    if below.high >= _LEAST_MAP:
        yield from board_map(below, state.map)
