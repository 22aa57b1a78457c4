"""Rulings step by step: what hands do, on the map what moves, in one sentence why."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.board import Piece, Pose
from companion.core.question import Question, Ready
from companion.core.ruling import TABLE, Carry, Move, Ruling, Shuffle
from ui.scene.deeds import (
    EACH,
    alike_in_words,
    as_one,
    count_after,
    done_at_once,
    hands_do,
    is_done,
    kind_of,
    plain,
    portion_in_words,
    portions,
)
from ui.scene.map import MapState
from ui.scene.scene import Scene, evidence_keys
from ui.scene.theme import Caps, Colour, Face, Reach
from ui.scene.values import Band, Key, KeyLook, Mark, Message, RulingLine, ScreenFrame
from ui.screens.page import Page, Parts
from ui.touch.actions import Done, NextDeed, OpenChallenge, Panel, Show
from ui.widgets.board_map import board_map
from ui.widgets.box import Box
from ui.widgets.field_keys import said_band
from ui.widgets.key import BandPart, key_cap
from ui.widgets.lettering import lines_of, widest_word
from ui.widgets.part import Part
from ui.widgets.pen import Pen, lines_high
from ui.widgets.shape import Stroke, rounded
from ui.widgets.sheet import first_part
from ui.widgets.words import RulingPart, sentence_wide

if TYPE_CHECKING:
    from companion.match.match import Match
    from ui.touch.view import View


@dataclass(frozen=True, slots=True)
class RulingState:
    """The band is the deed at hand; the message has counts before and after; Done goes on.

    The map shows this step alone: where things stood, and where they belong after it. `lines` are
    its sentences, page `page` (from 0) of them being wanted. `objection` is the share of the
    objection window that is left, 1 to 0; None where there is none. `then` is a second deed that
    hands do at once with the first: neither moves a piece, and no map is wanted.
    """

    frame: ScreenFrame
    band: Band
    map: MapState
    lines: tuple[RulingLine, ...]
    objection: float | None = None
    page: int = 0
    then: Band | None = None


_TWO = 2
LONGEST_AT_ONCE = 27
"""Letters of a deed that has one row of a band, where two bands are told at once."""
LONGEST_PLACE = 24
LONGEST_CHAPTER = 22
"""Letters of a chapter that has the word Ruling after it in the title."""
LONGEST_NEXT = 24
"""Letters of what the next tap says will follow."""


def unread(scene: Scene) -> Sequence[Ruling]:
    """The rulings that nobody has put away with Done, from the first on that waits for it."""
    return scene.match.rulings[_waiting_from(scene.match, scene.view) :]


def _waiting_from(match: Match[Any], view: View) -> int:
    """The first ruling that waits to be put away; quiet ones before it wait for nobody."""
    rulings = match.rulings
    later = range(min(view.read, len(rulings)), len(rulings))
    return next((at for at in later if not rulings[at].quiet), len(rulings))


class DeedTold(NamedTuple):
    """One step: a ruling (its place among those unread) and which portion of its deeds.

    What hands do at once is one step, up to ruling `last`: pieces put on the board, cards drawn.
    """

    at: int
    portion: int
    last: int


def _telling(rulings: Sequence[Ruling]) -> list[DeedTold]:
    """What the band tells one after another: all that hands do, else the last thing ruled."""
    told_ones: list[DeedTold] = []
    for at, ruling in enumerate(rulings):
        if ruling.quiet or not hands_do(ruling) or (told_ones and at <= told_ones[-1].last):
            continue
        last = at + done_at_once(rulings[at:]) - 1
        told_ones += [DeedTold(at, portion, last) for portion in range(len(portions(ruling)))]
    if told_ones:
        return told_ones
    worth = [
        at for at, ruling in enumerate(rulings) if not ruling.quiet and not _is_nothing(ruling)
    ]
    at = worth[-1] if worth else len(rulings) - 1
    return [DeedTold(at, 0, at)]


_NO_CHANGE = re.compile(r"(?:^|: )(?:[+-]|gain |lose )?0 ")


def _is_nothing(ruling: Ruling) -> bool:
    """Whether it changes something by nothing: "+0 hull"."""
    return bool(_NO_CHANGE.search(ruling.headline))


def done_by(match: Match[Any], view: View) -> int:
    """How many rulings hands have done: those put away, and the deeds of those that wait.

    Quiet ones are done already where nothing before them waits; one that is told in two portions
    once both are.
    """
    rulings, first = match.rulings, _waiting_from(match, view)
    deeds = _telling(rulings[first:]) if first < len(rulings) else []
    deed = min(view.deed, len(deeds))
    if not deed:
        return first
    told = deeds[deed - 1]
    half = deed < len(deeds) and deeds[deed].at == told.at
    return first + told.last + (not half)


def present_ruling(scene: Scene, alone: int | None = None) -> RulingState:
    """What the answers so far have brought, in the order of the book.

    Of the steps the first `alone` have a screen each; what is asked next tells the others.
    """
    rulings = unread(scene)
    title, where = _place(scene)
    telling = _telling(rulings)
    screens = len(telling) if alone is None else alone
    deed = min(scene.view.deed, len(telling) - 1)
    step, at_once = telling[deed], _are_at_once(scene, rulings, telling[deed : deed + 2])
    then = telling[deed + 1] if at_once else None
    told_now = [*_of_step(rulings, telling, deed)]
    if then is not None:
        told_now += [one for one in _of_step(rulings, telling, deed + 1) if one not in told_now]
    place = (deed, screens if screens > 1 + at_once else 1)
    frame = scene.frame(
        title,
        where,
        keys=(*scene.base_keys(), *_object_key(scene), *_evidence_key(scene)),
        message=_message_of(scene, rulings, step, then),
        next_key=_next_key(scene, deed + 1 + at_once, screens, len(telling), 1 + at_once),
    )
    if frame.refusal == scene.blocked:  # the table is as it was while hands have still to follow
        frame = replace(frame, refusal=None)
    return RulingState(
        frame=frame,
        band=_band(scene, rulings, step, place),
        map=_map(scene, rulings, then or step),
        lines=_lines(scene, told_now, rulings[step.at : step.last + 1]),
        page=scene.view.page,
        objection=objection_left(scene),
        then=_band(scene, rulings, then, (deed + 1, place[1])) if then else None,
    )


def _are_at_once(scene: Scene, rulings: Sequence[Ruling], steps: Sequence[DeedTold]) -> bool:
    """Whether two deeds are told on one screen: short ones of which neither moves a piece.

    Not the last one where the words that start a round say that it is done.
    """
    if len(steps) < _TWO or steps[0].at == steps[1].at:
        return False
    starting = all(isinstance(one, Ready) and one.starts for one in scene.open.values())
    if scene.open and starting and steps[1].at == _telling(rulings)[-1].at:
        return False
    said = [": ".join(_band(scene, rulings, one, (0, 1)).lines) for one in steps]
    moving = any(_moves(rulings, one) for one in steps)
    return max(map(len, said)) <= LONGEST_AT_ONCE and not moving


def _moves(rulings: Sequence[Ruling], step: DeedTold) -> bool:
    return bool(_moves_of(rulings, step))


def _moves_of(rulings: Sequence[Ruling], step: DeedTold) -> list[Move]:
    """The pieces that are moved in a step."""
    told = rulings[step.at : step.last + 1]
    return [deed for ruling in told for deed in ruling.deeds if isinstance(deed, Move)]


def _message_of(
    scene: Scene, rulings: Sequence[Ruling], step: DeedTold, then: DeedTold | None
) -> Message:
    """Counts before and after what the bands tell; of two deeds a line each."""
    first = _message(scene, rulings, step)
    second = _message(scene, rulings, then) if then is not None else Message()
    return replace(first, second=second.first) if first.first and second.first else first


def _of_step(rulings: Sequence[Ruling], telling: Sequence[DeedTold], deed: int) -> Sequence[Ruling]:
    """A step's rulings: what led to its deed, and after the last one whatever follows."""
    earlier = [told.last for told in telling[:deed] if told.at < telling[deed].at]
    first = earlier[-1] + 1 if earlier else 0
    last = telling[deed].at == telling[-1].at
    return rulings[first:] if last else rulings[first : telling[deed].last + 1]


def _ruled_seq(scene: Scene) -> int | None:
    """The log line of the answer that brought the latest rulings."""
    ruled = scene.match.ruled_by()
    return ruled[-1][0] if ruled else None


def _place(scene: Scene) -> tuple[str, str]:
    """Where the last answer was given: the match itself may have gone on to the next place."""
    ruled = scene.match.ruled_by()
    if not ruled:
        return f"{scene.title} · RULING", ""
    key = ruled[-1][1]
    place = scene.history.place(key).partition(" · ")[0]
    if scene.map.has_field:
        place = _chapter(scene, ruled[-1][2]) or place
    title = f"{place} · Ruling" if len(place) <= LONGEST_CHAPTER else place
    return title.upper(), scene.history.round_of(key)


def _chapter(scene: Scene, rulings: Sequence[Ruling]) -> str:
    """The chapter of the book that rules: what its paragraphs are called, not our own rulings.

    One with a long title ("What the text leaves open") does not say where the match is.
    """
    known = scene.match.rulebook.paragraphs()
    rules = (rule for ruling in rulings for rule in ruling.cite.rules)
    chapters = (known[rule].chapter for rule in rules if rule in known)
    return next((one for one in chapters if len(one) <= LONGEST_CHAPTER), "")


def waits_for_hands(scene: Scene) -> Sequence[Ruling]:
    """The rulings whose deeds wait for hands, from the deed on; one told in two portions twice."""
    rulings = unread(scene)
    return [rulings[told.at] for told in _steps_waiting(scene, rulings)]


def _steps_waiting(scene: Scene, rulings: Sequence[Ruling]) -> Sequence[DeedTold]:
    left = [told for told in _telling(rulings) if hands_do(rulings[told.at])] if rulings else []
    return left[scene.view.deed :]


def bands_waiting(scene: Scene) -> Sequence[Band]:
    """Who, then what, of each deed that waits for hands; with its sentence where it is alone."""
    rulings = unread(scene)
    steps = _steps_waiting(scene, rulings)
    bands = [_band(scene, rulings, step, (0, 1)) for step in steps]
    alone = len(steps) == 1 and steps[0].last == steps[0].at
    return [
        replace(band, note=rulings[step.at].text if alone else "")
        for band, step in zip(bands, steps, strict=True)
    ]


def map_waiting(scene: Scene) -> MapState:
    """Pieces where they belong after all deeds that wait, dashed where they stood before them."""
    rulings = unread(scene)
    steps = _steps_waiting(scene, rulings)
    waiting = [ruling for step in steps for ruling in rulings[step.at : step.last + 1]]
    moves = [move for step in dict.fromkeys(steps) for move in _moves_of(rulings, step)]
    placement, was = scene.match.position.placement(), dict[Piece, Pose]()
    for move in moves:
        if move.was is not None:
            was.setdefault(move.piece, move.was)
    drawn = scene.map.draw(
        placement,
        ghosts={piece: pose for piece, pose in was.items() if placement.get(piece) != pose},
        struck=[piece for ruling in waiting for piece in ruling.struck],
        arrows=True,
    )
    return drawn.telling([move.now.space for move in moves if move.now is not None])


def _band(scene: Scene, rulings: Sequence[Ruling], step: DeedTold, place: tuple[int, int]) -> Band:
    """Who, then what; the rest of several deeds waits as "1 of 2"."""
    deed, deeds = place
    ruling, queue = rulings[step.at], f"{deed + 1} of {deeds}" if deeds > 1 else ""
    if step.last > step.at:
        return _band_of_several(scene, rulings[step.at : step.last + 1], queue)
    what = portion_in_words(scene, ruling, step.portion)
    who = _whose(scene, ruling, each=what.endswith(EACH))
    names = {who, scene.names.player(ruling.by) if ruling.by != TABLE else ""} - {""}
    named = what.startswith(tuple(f"{name} " for name in names))  # "Paws 1: ..." says whose it is
    lines = (what,) if named else tuple(line for line in (who, what) if line)
    return Band(lines, scene.side(ruling.by), queue=queue)


def _band_of_several(scene: Scene, rulings: Sequence[Ruling], queue: str) -> Band:
    """What is done at once; by whom, where it is one player's deed."""
    people, what = {ruling.by for ruling in rulings}, alike_in_words(scene, rulings)
    by = people.pop()
    if people or by == TABLE:
        return Band((what[:1].upper() + what[1:],), queue=queue)
    return Band((scene.names.called(by), what), scene.side(by), queue=queue)


_FEW_NAMES = 3


def _whose(scene: Scene, ruling: Ruling, *, each: bool) -> str:
    """Who does it, in words; of the whole table's deeds those whose cards they are."""
    if ruling.by != TABLE:
        return scene.names.called(ruling.by)
    owners = dict.fromkeys(deed.owner for deed in ruling.deeds if isinstance(deed, Carry | Shuffle))
    if not each or TABLE in owners:
        return ""
    if set(scene.match.rulebook.seats_taken()) <= set(owners):
        return "All"
    named = [scene.names.called(owner) for owner in owners]
    return ", ".join(named) if len(named) <= _FEW_NAMES else ""


def _message(scene: Scene, rulings: Sequence[Ruling], step: DeedTold) -> Message:
    """Counts before and after what the band tells, and when it is official."""
    ruling = as_one(rulings[step.at : step.last + 1])
    later = [ruling, *rulings[step.last + 1 :]]
    phrases = portions(ruling)[step.portion]
    counted = [
        words
        for deed in (deed for phrase in phrases for deed in phrase)
        if isinstance(deed, Carry | Shuffle) and (words := count_after(scene, deed, later))
    ]
    official = _official(scene)
    if _object_key(scene) and _evidence_key(scene):  # with both there is no room for a name
        counted = []
    first, second = (*counted[-2:], official, official)[:2] if counted else ("", official)
    return Message(first, second)


def objection_left(scene: Scene) -> float | None:
    """The share of the time to object that is left since the answer came; None without any left.

    It holds nothing up: Done, or the next answer, ends it.
    """
    whole_s, ruled = scene.situation.settings.reversal_s, scene.match.ruled_by()
    told = scene.referee.sources.get(ruled[-1][1]) if ruled else None
    if not whole_s or told is None or scene.referee.presses.challenge is not None:
        return None
    left = 1.0 - (scene.now - told.at) / whole_s
    return round(min(1.0, left), 2) if left > 0 else None


def _official(scene: Scene) -> str:
    """When the ruling is official: after the time to object, where a table has one.

    How much of that is left stands on the key beside it.
    """
    if objection_left(scene) is not None:
        return "First ruling"
    timed = scene.situation.settings.reversal_s
    if scene.match.outcome is not None and not timed:
        return "Official with Home."
    return "Official." if timed else "Official with the next answer."


def _object_key(scene: Scene) -> tuple[Key, ...]:
    """While there is time to object: a challenge, by one touch."""
    left = objection_left(scene)
    if left is None or scene.view.asking_undo:
        return ()
    seconds = math.ceil(left * scene.situation.settings.reversal_s)
    return (Key("Object", OpenChallenge(), f"{seconds} s left", sign="hand"),)


def _evidence_key(scene: Scene) -> tuple[Key, ...]:
    """The pictures behind the latest rulings; while an undo is asked its goal needs the room."""
    return () if scene.view.asking_undo else evidence_keys(scene, _ruled_seq(scene))


def _next_key(scene: Scene, following: int, screens: int, deeds: int, shown: int) -> Key:
    """On to the step `following`: it has a screen of its own, or what is asked next tells it."""
    upto = len(scene.match.rulings)
    if following < screens:
        words = f"then {following + 1} of {screens}"
        return Key("Done", NextDeed(shown), words, "next", KeyLook.GO)
    if scene.match.outcome is not None:
        return Key("Result", Done(upto), "the match is over", "next", KeyLook.GO)
    asked = scene.waiting[0] if scene.waiting else None
    words = _next_words(scene, asked) if asked is not None else ""
    action = NextDeed(shown) if following < deeds else Done(upto)
    return Key("Done", action, f"then {words}" if words else "", "next", KeyLook.GO)


def _next_words(scene: Scene, following: Question[Any]) -> str:
    """What comes next, and for whom if there is room for the name."""
    words = following.headline or following.prompt
    named = scene.names.in_full(words, following.by)
    if len(named) <= LONGEST_NEXT or named == words:
        return named
    return scene.names.without(words, following.by).lower()


def _map(scene: Scene, rulings: Sequence[Ruling], step: DeedTold) -> MapState:
    """Pieces where they belong after this step, dashed where they stood before it."""
    placement = _placed_after(scene, rulings, step)
    moves = _moves_of(rulings, step)
    was: dict[Piece, Pose] = {}
    for move in moves:
        if move.was is not None:
            was.setdefault(move.piece, move.was)
    ghosts = {piece: pose for piece, pose in was.items() if placement.get(piece) != pose}
    told_ones = _of_step(rulings, _telling(rulings), _telling(rulings).index(step))
    drawn = scene.map.draw(
        placement,
        ghosts=ghosts,
        struck=[piece for ruling in told_ones for piece in ruling.struck],
        arrows=True,
        legend="before this step",
        fires=scene.match.position.lines_of_fire(),
    )
    return drawn.telling([move.now.space for move in moves if move.now is not None])


def _placed_after(scene: Scene, rulings: Sequence[Ruling], step: DeedTold) -> Mapping[Piece, Pose]:
    """Where pieces stand once this step is done, and none of the later ones."""
    placement = dict(scene.match.position.placement())
    for ruling in reversed(rulings[step.last + 1 :]):
        for move in reversed([deed for deed in ruling.deeds if isinstance(deed, Move)]):
            if move.was is not None:
                placement[move.piece] = move.was
            else:
                placement.pop(move.piece, None)
    return placement


def ruled_line(scene: Scene, ruling: Ruling, *, lit: bool = True) -> RulingLine:
    """One ruling in one sentence, with its one Why?; `lit`: the map lights where pieces go."""
    step = str(ruling.step) if ruling.step is not None else ""
    why = Key("Why?", Show(Panel.RULES, str(ruling.cite)), str(ruling.cite))
    done = bool(ruling.deeds) and all(is_done(scene, deed) for deed in ruling.deeds)
    text = plain(scene, _without_place(ruling), ruling.deeds, lit=lit)
    return RulingLine(step, text, "", why, Mark.OK if done else Mark.NONE)


def _lines(
    scene: Scene, rulings: Sequence[Ruling], put: Sequence[Ruling]
) -> tuple[RulingLine, ...]:
    """A line a ruling; one for tokens of one kind that are put on the board under one rule."""
    lines = [ruled_line(scene, ruling) for ruling in rulings]
    kind = kind_of(scene, put)
    if kind and len({ruling.cite for ruling in put}) == 1:
        at = rulings.index(put[0])
        first = f"{len(put)} {kind} tokens lie on the lit spaces."
        lines[at : at + len(put)] = [replace(lines[at], first=first)]
    return tuple(lines)


def _without_place(ruling: Ruling) -> str:
    """The text without "Section 1, step 3:", which stands beside it."""
    place, _, rest = ruling.text.partition(f"step {ruling.step}: ")
    return rest if rest and ruling.step is not None and len(place) < LONGEST_PLACE else ruling.text


# Parts and layout.

_MAP_LARGE = 102_000.0
"""How large the map is at least, square u: twice what two lines of a band once left it."""
_LEAST_MAP, _MOST_MAP = 400.0, 520.0
_UPRIGHT_MAP, _UPRIGHT_MOST, _UPRIGHT_SECOND = 300.0, 440.0, 68.0
"""How high the map is where the window is higher than wide; at the most; and a second deed."""
_WHY = (100.0, Reach.TARGET[1])
TURN_WIDE = 60.0
_GAP = 6.0
_HIGH_BANDS, _LOW_GAP = 200.0, 4.0
"""Under bands that end lower, so that keys which turn pages are as high as a finger."""
_SENTENCE, _SMALL_SENTENCE = 17.0, 14.5

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


_MAP_SHARES = (1.0, 0.8, 0.6, 0.45, 0.3)
"""Of the room that a map has at most: long sentences take of it, and at last all."""
_LARGE_SHARES = 2
"""So many of them before sentences have pages of their own."""
_MANY, _SMALL_SHARES, _UPRIGHT_SHARES = 5, 3, 2
"""Of more sentences than so many, as of a correction, whole pages stand beside a small map."""
_SENTENCE_ENDS = re.compile(r"(?<=[.!?]) (?=[A-Z])")


_COLUMNS_WIDE, _TWO_ROWS = (396.0, 452.0), 150.0
"""Of words beside their map; a deed of more than two rows would leave it little under them."""


def column_beside_map(
    page: Page, room: Box, band: Band, most: float, least: float
) -> tuple[BandPart, Box, Box] | None:
    """A band that would be higher than `most`, the room under it, and beside both the map's.

    As narrow as 10 mm of capitals allow; None where they would have to be lower than `least`.
    """
    if page.portrait or said_band(page.theme, room, band).box.high <= most:
        return None
    for aim in (Caps.HANDS, least):
        for wide in _COLUMNS_WIDE:
            column, shown = page.sides(room, wide)
            said = said_band(page.theme, column, band)
            if min(caps for _, caps, _ in said.told) >= aim - 0.5:
                return said, column.below(said.box.high + Reach.GAP), shown
    return None


def _beside_map(state: RulingState, page: Page) -> Parts:
    """Nothing where words and sentences have room over and beside the map."""
    if state.then is not None or state.objection is not None or state.frame.refusal is not None:
        return
    beside = column_beside_map(page, page.body, state.band, _TWO_ROWS, Caps.HANDS)
    sentences = Sentences(state.lines, page)
    if beside is None or not sentences.on_one_page(beside[1]):
        return
    band, words, shown = beside
    yield "band", band
    yield from sentences.parts(words, 0)
    yield from board_map(shown, state.map)


def layout(state: RulingState, page: Page) -> Parts:
    """The band over the map and the sentences, or beside it."""
    yield from [*_beside_map(state, page)] or _over_map(state, page)
    yield from page.around(state.frame)


def _over_map(state: RulingState, page: Page) -> Parts:
    """A refusal takes the band's place."""
    body = page.body
    if state.frame.refusal is not None:
        band, _ = page.refused(body, state.frame.refusal)
        yield from page.refusal(band, state.frame.refusal)
    else:
        said = said_band(page.theme, body, state.band)
        band = said.box
        yield "band", said
        if state.then is not None:
            more = _second_band(body.below(band.high + _GAP), state.then, page)
            yield "then", more
            band = body.top(more.box.bottom - body.y)
        if state.objection is not None:
            yield "objection", ObjectionEdge(box=band, share=round(state.objection, 2))
    gap = Reach.GAP if band.bottom <= _HIGH_BANDS else _LOW_GAP
    below, sentences = body.below(band.high + gap), Sentences(state.lines, page)
    if state.then is not None:
        yield from sentences.parts(below, state.page)
        return
    for shown, words, lines in ways_beside_map(below, page, sentences):
        if lines.fit(words):
            yield from board_map(shown, state.map)
            yield from lines.parts(words, state.page)
            break
    else:
        yield from sentences.parts(below, state.page)


def ways_beside_map(
    below: Box, page: Page, sentences: Sentences
) -> Iterator[tuple[Box, Box, Sentences]]:
    """The map's room, the sentences', and how these are told: the map is large as long as may be.

    Before it becomes small, a text of several sentences has a page for each that needs one.
    """
    many = len(sentences.lines) > _MANY
    if page.portrait:  # as high as sentences leave it room
        high = min(_UPRIGHT_MOST, below.high - Reach.GAP - sentences.high(below.wide))
        if high > _UPRIGHT_MAP:
            yield below.top(high), below.below(high + Reach.GAP), sentences
    small = _UPRIGHT_SHARES if page.portrait else _SMALL_SHARES
    shares = _MAP_SHARES[small:] if many else _MAP_SHARES
    rooms = [_columns(below, page, share) for share in shares]
    for shown, words in rooms[:_LARGE_SHARES]:
        yield shown, words, sentences
    for shown, words in rooms[:_LARGE_SHARES]:
        yield shown, words, sentences.broken(words)
    for shown, words in rooms[_LARGE_SHARES:]:
        yield shown, words, sentences


def _second_band(room: Box, band: Band, page: Page) -> BandPart:
    """A second deed: in portrait on one row, for the sentences need room below it."""
    if not page.portrait:
        return said_band(page.theme, room, band)
    line = replace(band, lines=(": ".join(band.lines),))
    return BandPart(box=room.top(_UPRIGHT_SECOND), band=line)


def _columns(below: Box, page: Page, share: float) -> tuple[Box, Box]:
    """The map's room, as large as it must be, and the sentences'; `share` of it for long ones."""
    if page.portrait:
        high = min(_UPRIGHT_MAP, below.high * 0.6) * share
        return below.top(high), below.below(high + Reach.GAP)
    wide = min(_MOST_MAP, max(_LEAST_MAP, _MAP_LARGE / below.high))
    return page.sides(below, (wide + (page.wide - 800) * 0.6) * share)


def _turn_wide(room: Box) -> float:
    """What the keys that turn pages take of a room: side by side where it is low."""
    is_high = room.high >= 2 * Reach.TARGET[1] + Reach.GAP
    return TURN_WIDE if is_high else 2 * TURN_WIDE + Reach.GAP


@dataclass(frozen=True)
class Sentences:
    """Rulings one under another, each whole and with its Why? key, in pages where they must be."""

    lines: Sequence[RulingLine]
    page: Page

    def fit(self, room: Box) -> bool:
        """Whether they fit, all on one page or each whole on a page of its own."""
        if len(self._paged(room, _SMALL_SENTENCE)) == 1:
            return self._are_whole(room, _SMALL_SENTENCE)
        narrow = room.wide - _turn_wide(room) - _GAP
        highest = max(self._high(line, narrow, _SMALL_SENTENCE) for line in self.lines)
        return max(highest, 2 * Reach.TARGET[1] + Reach.GAP) <= room.high

    def on_one_page(self, room: Box) -> bool:
        """Whether a room holds all of them at once."""
        return len(self.pages(room)) == 1 and self._are_whole(room, _SMALL_SENTENCE)

    def pages(self, room: Box) -> list[list[RulingLine]]:
        """As many on each as it holds."""
        return self._paged(room, _SMALL_SENTENCE)

    def stacked(self, room: Box, lines: Sequence[RulingLine]) -> Parts:
        """Those of one page, with their keys."""
        yield from self._stacked(room, lines, _SMALL_SENTENCE)

    def high(self, wide: float) -> float:
        """What all of them need one under another, in the larger letters."""
        return sum(self._high(line, wide, _SENTENCE) + _GAP for line in self.lines)

    def broken(self, room: Box) -> Sentences:
        """With as many sentences at once as the room holds, of those lines that it does not."""
        narrow = room.wide - _turn_wide(room) - _GAP
        lines = [part for line in self.lines for part in self._parts_of(line, narrow, room.high)]
        return replace(self, lines=lines)

    def _parts_of(self, line: RulingLine, wide: float, most: float) -> list[RulingLine]:
        if self._high(line, wide, _SMALL_SENTENCE) <= most or line.second:
            return [line]
        parts: list[RulingLine] = []
        for sentence in _SENTENCE_ENDS.split(line.first):
            longer = replace(line, first=f"{parts[-1].first} {sentence}") if parts else line
            if parts and self._high(longer, wide, _SMALL_SENTENCE) <= most:
                parts[-1] = longer
            else:
                parts.append(replace(line, first=sentence))
        return parts

    def _are_whole(self, room: Box, caps: float) -> bool:
        """Whether none is higher than the room: even one alone is a page."""
        return all(self._high(one, room.wide, caps) <= room.high for one in self.lines)

    def parts(self, room: Box, wanted: int) -> Parts:
        """Page `wanted` (from 0); larger letters where all fit on one page so."""
        for caps in (_SENTENCE, _SMALL_SENTENCE):
            pages = self._paged(room, caps)
            if len(pages) == 1 and self._are_whole(room, caps):
                yield from self._stacked(room, pages[0], caps)
                return
        wide = _turn_wide(room)
        column = Box(room.right - wide, room.y, wide, room.high)
        room = room.left(room.wide - wide - _GAP)
        pages = self._paged(room, _SMALL_SENTENCE)
        at = min(wanted, len(pages) - 1)
        yield from self.page.turning(column, at + 1, len(pages))
        yield from self._stacked(room, pages[at], _SMALL_SENTENCE)

    def _paged(self, room: Box, caps: float) -> list[list[RulingLine]]:
        pages: list[list[RulingLine]] = [[]]
        left = room.high
        for line in self.lines:
            high = self._high(line, room.wide, caps)
            if pages[-1] and high > left + 0.1:
                pages.append([])
                left = room.high
            pages[-1].append(line)
            left -= high + _GAP
        return pages

    def _high(self, line: RulingLine, wide: float, caps: float) -> float:
        """How much room a sentence needs with its key."""
        return min(self._beside(line, wide, caps), self._over(line, wide, caps))

    def _beside(self, line: RulingLine, wide: float, caps: float) -> float:
        return max(_WHY[1], self._words_high(line, wide - _WHY[0] - _GAP, caps))

    def _over(self, line: RulingLine, wide: float, caps: float) -> float:
        return self._words_high(line, wide, caps) + 4 + _WHY[1]

    def _words_high(self, line: RulingLine, wide: float, caps: float) -> float:
        """Without end where a single word is wider than the room."""
        theme, room = self.page.theme, sentence_wide(line, wide)
        if widest_word(theme, line.first, caps) > room:
            return math.inf
        high = lines_high(lines_of(theme, line.first, caps, room), caps) + 16
        if line.second:
            more = lines_of(theme, line.second, _SMALL_SENTENCE, room, Face.MEDIUM)
            high += lines_high(more, _SMALL_SENTENCE) + 9
        return high

    def _stacked(self, room: Box, lines: Sequence[RulingLine], caps: float) -> Parts:
        y = room.y
        for n, line in enumerate(lines):
            high = min(room.bottom - y, self._high(line, room.wide, caps))
            box = Box(room.x, y, room.wide, high)
            y += high + _GAP
            if self._beside(line, room.wide, caps) <= self._over(line, room.wide, caps):
                text, why = box.left(box.wide - _WHY[0] - _GAP), box.beside(box.wide - _WHY[0])
                why = why.top(min(why.high, 77.0))
            else:
                text, why = box.top(high - _WHY[1] - 4), box.below(high - _WHY[1])
            yield f"line/{n}", RulingPart(box=text, line=replace(line, why=NO_KEY), caps=caps)
            yield f"why/{n}", key_cap(why, line.why, caps=16)
