"""The rulings of a section in step order: what hands do, the map, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.ruling import TABLE, Carry, Move, Ruling, Shuffle
from ui.presenters.actions import Done, NextDeed, Panel, Show
from ui.presenters.common import Band, Frame, Key, KeyLook, Mark, Message
from ui.presenters.deeds import count_after, deed_in_words, is_done
from ui.presenters.map import MapState

if TYPE_CHECKING:
    from companion.board import Piece, Pose
    from ui.presenters.scene import Scene


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


def unread(scene: Scene) -> Sequence[Ruling]:
    """The rulings that nobody has put away with Done."""
    return scene.match.rulings[scene.view.read :]


def present_ruling(scene: Scene) -> RulingState:
    """What the answers so far have brought, in the order of the book."""
    rulings = unread(scene)
    title, where = _place(scene)
    telling = [ruling for ruling in rulings if ruling.deeds] or [rulings[-1]]
    deed = min(scene.view.deed, len(telling) - 1)
    pages = max(1, -(-len(rulings) // LINES_A_PAGE))
    page = min(scene.view.page, pages - 1)
    shown = rulings[page * LINES_A_PAGE : (page + 1) * LINES_A_PAGE]
    return RulingState(
        frame=scene.frame(
            f"{title} · RULING",
            where,
            message=_message(scene, rulings, telling[deed]),
            next_key=_next_key(scene, deed, len(telling)),
        ),
        band=_band(scene, telling[deed], deed, len(telling)),
        map=_map(scene, rulings),
        lines=tuple(_line(scene, ruling) for ruling in shown),
        page=page + 1,
        pages=pages,
    )


def _place(scene: Scene) -> tuple[str, str]:
    """Where the last answer was given: the match itself may have gone on to the next place."""
    ruled = scene.match.ruled_by()
    parts = ruled[-1][1].split("/") if ruled else []
    words = [part.replace("-", " ").capitalize() for part in parts[:2]]
    if len(words) < 2 or not parts[0].startswith("round-"):
        return (words[0].upper() if words else scene.title), ""
    return words[1].upper(), words[0]


def _band(scene: Scene, ruling: Ruling, deed: int, deeds: int) -> Band:
    """Who, then what; the rest of several deeds waits as "1 of 2"."""
    who = scene.names.label(ruling.by) if ruling.by != TABLE else ""
    what = ruling.headline or (deed_in_words(scene, ruling.deeds[0]) if ruling.deeds else "")
    what = what.removeprefix(f"{who}: ") if who else what
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
    official = "Official when the next question is answered."
    first, second = (*counted[-2:], official, official)[:2] if counted else ("", official)
    return Message(first, second)


def _next_key(scene: Scene, deed: int, deeds: int) -> Key:
    upto = len(scene.match.rulings)
    if deed + 1 < deeds:
        return Key("Done", NextDeed(upto), f"then {deed + 2} of {deeds}", "next", KeyLook.GO)
    if scene.match.outcome is not None:
        return Key("Result", Done(upto), "the match is over", "next", KeyLook.GO)
    following = scene.waiting[0] if scene.waiting else None
    words = following.headline or following.prompt if following is not None else ""
    return Key("Done", Done(upto), f"then {words}" if words else "", "next", KeyLook.GO)


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
        placement, ghosts=ghosts, struck=struck, arrows=True, legend="before the ruling"
    )


def _line(scene: Scene, ruling: Ruling) -> RulingLine:
    first, second = _two_lines(_without_place(ruling))
    step = str(ruling.step) if ruling.step is not None else ""
    why = Key("Why?", Show(Panel.RULES, str(ruling.cite)), str(ruling.cite))
    done = bool(ruling.deeds) and all(is_done(scene, deed) for deed in ruling.deeds)
    return RulingLine(step, first, second, why, Mark.OK if done else Mark.NONE)


def _without_place(ruling: Ruling) -> str:
    """The text without "Section 1, step 3:", which stands beside it."""
    place, _, rest = ruling.text.partition(f"step {ruling.step}: ")
    return rest if rest and ruling.step is not None and len(place) < LONGEST_PLACE else ruling.text


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
