"""The field: one screen for every question of a box whose pieces move about on many spaces.

A box that is played without any board has it too. It knows kinds of questions and the board plan:
where options end on spaces the map asks, dice have a pad, few answers stand in the bottom row,
many make a menu.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from companion.core.offers import PictureState
from companion.core.question import Count, Declare, Order, Ready, Roll, RollAgain
from companion.core.ruling import TABLE, Seat
from companion.core.text import counted
from companion.referee.sight import settled_places
from ui.scene.map import MapState
from ui.scene.scene import turning_key
from ui.scene.theme import Reach
from ui.scene.values import Band, Frame, Gunsight, Key, KeyLook, Message, PadGroup
from ui.screens.beside.lists import is_watched
from ui.screens.match import dice
from ui.screens.match.choose import answer_words, give_key, takes_several
from ui.screens.match.dice import DicePad, present_gunsight
from ui.screens.match.field_panels import (
    STRIP_HIGH,
    FighterPanel,
    panels,
    present_fighters,
    seat_side,
    stacked_panels,
    strips,
)
from ui.screens.match.field_poses import Asked, PosePad, ends_on_hexes, enlarged, pose_pad
from ui.screens.match.menu import (
    MOST_KEY_HIGH,
    Menu,
    Several,
    answer_key,
    chosen_names,
    done_key,
    limits_of,
    menu_of,
    numbers,
    parts_of,
    some_of,
)
from ui.screens.match.ruling import latest_words
from ui.screens.page import Page, Parts
from ui.touch.actions import Answer, Panel
from ui.widgets.box import Box
from ui.widgets.dice import GunsightPart
from ui.widgets.field_keys import NotedBand, narrow_refusal
from ui.widgets.field_map import HeadingPart, hex_map
from ui.widgets.key import BandPart, key_cap
from ui.widgets.words import turned_part

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.core.board import Piece, Pose
    from companion.core.question import Option, Question
    from ui.scene.scene import Scene


GOES_ON = "end"
"""The sign of an option after which nothing of the question's kind comes any more."""
LONGEST_NOTE = 100
FEW, LONGEST = 3, 28
"""So many answers of so many characters stand in the bottom row, beside the one that leads on."""


@dataclass(frozen=True, slots=True)
class HexState:
    """The board, a panel a seat, who is asked for what, and the one pad that the question needs.

    `poses` asks on the (then enlarged) map, `pad` for dice, `menu` for one of many options, page
    `page` of it being wanted; `gunsight` is what lies there.
    `turned`: the whole screen faces the player at the table's far side.
    """

    frame: Frame
    band: Band
    map: MapState
    panels: tuple[FighterPanel, ...]
    gunsight: Gunsight | None = None
    pad: DicePad | None = None
    poses: PosePad | None = None
    menu: tuple[PadGroup, ...] = ()
    page: int = 0
    turned: bool = False


def has_field(scene: Scene) -> bool:
    """Whether this is the screen: pieces stand on a field, or there is no board at all.

    Where several seats are to say a number at once, each has a row on a screen of its own.
    """
    boards = scene.map.plan.boards
    if any(board.facings for board in boards):
        return True
    if sum(isinstance(question, Count) for question in scene.open.values()) > 1:
        return False
    return not boards or any(board.is_field for board in boards)


def present_hex(scene: Scene) -> HexState:
    """The first question that waits, with the pad of its kind."""
    asked = scene.waiting[0] if scene.waiting else next(iter(scene.open.values()))
    match asked:
        case Roll():
            return _roll(scene, asked)
        case RollAgain():
            return _roll_again(scene, asked)
        case Count():
            return _menu(scene, asked, numbers(asked))
        case Declare():
            return _declare(scene, asked)
        case Ready():
            return _plain(scene, asked, _word_key(asked))
        case _ if takes_several(asked):
            return _some(scene, asked)
        case _:
            return _choose(scene, asked)


def _latest(scene: Scene, asked: Question[Any]) -> Message:
    """What the last answer brought, and the rule that asks now."""
    return Message(latest_words(scene), str(asked.cite))


# -- one of several ------------------------------------------------------------------------


def _choose(scene: Scene, asked: Question[Any]) -> HexState:
    """On the map, in the bottom row, or as a menu."""
    options = list(asked.options_now())
    silent = _going_on(asked, options)
    piece = ends_on_hexes(scene.map.plan, options)
    if piece is not None:
        return _poses(scene, asked, options, piece)
    rest = [option for option in options if option is not silent]
    short = all(len(option.label) <= LONGEST for option in rest)
    if short and len(rest) <= FEW and (silent is not None or len(rest) > 1):
        return _few(scene, asked, rest, silent)
    return _menu(scene, asked, menu_of(scene, asked, rest), _lapse_key(scene, asked, silent))


def _few(
    scene: Scene,
    asked: Question[Any],
    rest: Sequence[Option[Any]],
    silent: Option[Any] | None,
) -> HexState:
    """The answers fill the bottom row; what silence means is the next tap."""
    keys = (scene.undo_key(), *(answer_key(scene, asked, option) for option in rest))
    next_key = _seen_key(scene, asked) or _lapse_key(scene, asked, silent)
    return HexState(
        frame=_frame(scene, keys=keys, next_key=next_key, wide=True),
        band=_band(scene, asked),
        map=_map(scene),
        panels=present_fighters(scene),
        gunsight=present_gunsight(scene),
        turned=_is_opposite(scene, asked),
    )


def _poses(
    scene: Scene, asked: Question[Any], options: Sequence[Option[Any]], piece: Piece
) -> HexState:
    """The spaces light up; the next tap is what sight offers, else what silence means."""
    at = Asked(asked.key, asked.opened, scene.seen(asked.key), scene.seen_age(asked.key))
    chosen = scene.view.part if scene.view.panel is Panel.PAD else ""
    astray = seen_astray(scene, options, piece)
    pad = pose_pad(
        scene.map, at, options, piece, chosen, scene.view.page, astray.space if astray else ""
    )
    silent = _going_on(asked, options)
    placeless = [option for option in options if not option.shows and option is not silent]
    keys = (*scene.base_keys(), *(answer_key(scene, asked, option) for option in placeless))
    return HexState(
        frame=_frame(
            scene,
            message=_sight_message(scene, asked, pad, astray),
            next_key=_seen_key(scene, asked) or _lapse_key(scene, asked, silent),
            keys=(*keys, *turning_key(pad.page, pad.pages)),
        ),
        band=_band(scene, asked),
        map=enlarged(_map(scene, {piece: astray} if astray else None), pad),
        panels=present_fighters(scene),
        poses=pad,
        turned=_is_opposite(scene, asked),
    )


def _menu(
    scene: Scene,
    asked: Question[Any],
    groups: tuple[PadGroup, ...],
    next_key: Key | None = None,
) -> HexState:
    return HexState(
        frame=_frame(
            scene,
            message=_latest(scene, asked),
            next_key=_seen_key(scene, asked) or next_key or _closing(scene),
        ),
        band=_band(scene, asked),
        map=_map(scene),
        panels=present_fighters(scene),
        gunsight=present_gunsight(scene),
        menu=groups,
        page=scene.view.page,
        turned=_is_opposite(scene, asked),
    )


def _plain(scene: Scene, asked: Question[Any], next_key: Key | None) -> HexState:
    return HexState(
        frame=_frame(scene, message=_latest(scene, asked), next_key=next_key),
        band=_band(scene, asked),
        map=_map(scene),
        panels=present_fighters(scene),
        gunsight=present_gunsight(scene),
        turned=_is_opposite(scene, asked),
    )


def _word_key(asked: Ready) -> Key:
    answer = Answer(asked.key, asked.opened, asked.word)
    return Key(asked.word.capitalize(), answer, "goes on", "next", KeyLook.GO)


# -- dice and counts -----------------------------------------------------------------------


def _roll(scene: Scene, asked: Roll) -> HexState:
    """The pad takes the dice one by one; the next tap gives them all."""
    told = dice.told_dice(scene, asked)
    next_key = None
    if dice.all_told(told):
        words = " ".join(str(face) for face in told)
        raw: list[Any] = [*told]
        next_key = done_key(asked, raw, f"Rolled {words}", _roll_source(scene, asked))
    return HexState(
        frame=_frame(scene, message=_latest(scene, asked), next_key=next_key),
        band=_band(scene, asked),
        map=_map(scene),
        panels=present_fighters(scene),
        gunsight=present_gunsight(scene),
        pad=dice.roll_pad(scene, asked),
        turned=_is_opposite(scene, asked),
    )


def _roll_source(scene: Scene, asked: Roll) -> str:
    if dice.seen_dice(scene, asked) == dice.told_dice(scene, asked):
        return scene.seen_age(asked.key)
    return "as the dice lie"


def _roll_again(scene: Scene, asked: RollAgain) -> HexState:
    """The dice are touched where they lie; to keep them is the next tap."""
    keep = asked.options_now()[0]
    return HexState(
        frame=_frame(
            scene,
            keys=(scene.undo_key(), *dice.right_keys(scene, asked)),
            next_key=_lapse_key(scene, asked, keep),
            wide=True,
        ),
        band=_band(scene, asked),
        map=_map(scene),
        panels=present_fighters(scene),
        pad=dice.reroll_pad(scene, asked),
        turned=_is_opposite(scene, asked),
    )


def _some(scene: Scene, asked: Several) -> HexState:
    """Things are put together by keys that stay pressed."""
    chosen = chosen_names(scene, asked)
    listed = [option.name for option in asked.offered]
    raw: list[Any] = sorted(chosen, key=listed.index)
    if isinstance(asked, Order):
        return replace(_menu(scene, asked, some_of(asked, chosen)), frame=_frame(
            scene, message=_latest(scene, asked), next_key=give_key(asked, chosen),
        ))  # fmt: skip
    next_key = done_key(asked, raw, "Done", answer_words(asked, raw))
    fewest, _ = limits_of(asked)
    if len(chosen) < fewest:
        next_key = Key("Done", None, f"choose {fewest} first", "next", KeyLook.IMPOSSIBLE)
    return HexState(
        frame=_frame(scene, message=_latest(scene, asked), next_key=next_key),
        band=_band(scene, asked),
        map=_map(scene),
        panels=present_fighters(scene),
        menu=some_of(asked, chosen),
        page=scene.view.page,
        turned=_is_opposite(scene, asked),
    )


def _declare(scene: Scene, asked: Declare) -> HexState:
    """Each touch counts one more of a part; nothing told is what silence means."""
    draft = scene.view.draft
    told: dict[str, Any] = dict.fromkeys(asked.parts, 0)
    if draft is not None and draft.key == asked.key and isinstance(draft.raw, dict):
        told |= draft.raw
    total = sum(told.values())
    if total or asked.lapse is None:
        next_key = done_key(asked, told, "Done", counted(total, "card"))
    else:
        next_key = done_key(asked, asked.lapse, "Not named", "goes on without")
    return _menu(scene, asked, parts_of(asked, told), next_key)


# -- the frame, the map and the band of all of them ----------------------------------------


def _frame(
    scene: Scene,
    *,
    message: Message | None = None,
    next_key: Key | None = None,
    keys: Sequence[Key] | None = None,
    wide: bool = False,
) -> Frame:
    """The plate says whose turn it is, the line beside it the phase."""
    title, where = scene.title, scene.where
    active = Seat(str(scene.values.get("active")))
    if len(scene.place) > 1 and active in scene.names.seats:
        title, where = f"{scene.place[0]} · {scene.names.player(active)}".upper(), scene.place[-1]
    return scene.frame(title, where, message=message, next_key=next_key, keys=keys, wide=wide)


def _map(scene: Scene, seen: Mapping[Piece, Pose] | None = None) -> MapState:
    """The table as it is recorded; dashed where a piece is `seen` that may not stand there."""
    position = scene.match.position
    return scene.map.draw(
        position.placement(),
        ghosts=seen,
        fires=position.lines_of_fire(),
    )


def seen_astray(scene: Scene, options: Sequence[Option[Any]], piece: Piece) -> Pose | None:
    """Where the camera sees the piece that is being moved, if it may not end there."""
    sighting = scene.referee.sight.sighting
    if sighting is None or sighting.state is not PictureState.SETTLED:
        return None
    pose = settled_places(sighting).get(piece)
    ends = [option.shows[piece] for option in options if option.shows]
    known = pose is not None and pose.space in scene.map.plan.board_of
    recorded = scene.match.position.placement().get(piece)
    return pose if known and pose != recorded and pose not in ends else None


def _band(scene: Scene, asked: Question[Any]) -> Band:
    """Who, then what; the question in full below."""
    what = scene.names.without(asked.headline or asked.prompt, asked.by)
    note = scene.names.without(asked.prompt, asked.by)
    who = "" if asked.by == TABLE else scene.names.player(asked.by)
    lines = tuple(line.upper() for line in (who, what) if line)
    return Band(lines, seat_side(scene, asked.by), note="" if note == what else _short(note))


def _short(note: str) -> str:
    """A question without its last remarks in brackets, where it is too long to be read at a glance.

    >>> _short("Roll 4 dice (2 for the plane)")
    'Roll 4 dice (2 for the plane)'
    >>> _short(f"{'Roll ' * 20}(assumed figure) (2 for the plane).")[-20:]
    'Roll Roll Roll Roll.'
    """
    while len(note) > LONGEST_NOTE and note.rstrip(".").endswith(")"):
        note = note[: note.rindex(" (")] + ("." if note.endswith(".") else "")
    return note


def _seen_key(scene: Scene, asked: Question[Any]) -> Key | None:
    """What sight offers stands where the next tap is."""
    seen = scene.seen(asked.key)
    option = next((o for o in asked.options_now() if o.name == seen), None) if seen else None
    if option is None:
        return None
    answer = Answer(asked.key, asked.opened, option.name)
    return Key(option.label, answer, scene.seen_age(asked.key), "eye", KeyLook.GO)


def _going_on(asked: Question[Any], options: Sequence[Option[Any]]) -> Option[Any] | None:
    """The option that leads on without anything done: what silence means, or what ends a turn."""
    silent = next((option for option in options if option.name == asked.lapse), None)
    return silent or next((option for option in options if option.sign == GOES_ON), None)


def _lapse_key(scene: Scene, asked: Question[Any], silent: Option[Any] | None) -> Key | None:
    """What leads on, at the next tap's edge."""
    if silent is None:
        return _closing(scene)
    key = answer_key(scene, asked, silent)
    return Key(key.label, key.action, key.second or "goes on", "next", KeyLook.GO)


def _closing(scene: Scene) -> Key | None:
    closing = scene.closing
    return scene.closing_key(closing, closing.word.capitalize()) if closing is not None else None


def _sight_message(
    scene: Scene, asked: Question[Any], pad: PosePad, astray: Pose | None
) -> Message:
    if astray is not None and not pad.chosen:
        where = scene.map.plan.name_of(astray)
        return Message(f"Dashed: seen on {where}.", "Move it, or touch its space.")
    if scene.seen(asked.key):
        return Message("Seen by the camera.", "Touch anything else to stop it.")
    if pad.chosen:
        headed = any(space.headings_deg for space in pad.spaces)
        words = "Which way does it look?" if headed else "Which of these is it?"
        return Message(words, str(asked.cite))
    watched = is_watched(scene.situation)
    words = "Move it, or touch its space." if watched else "Touch its space."
    return Message(words, str(asked.cite))


def _is_opposite(scene: Scene, asked: Question[Any]) -> bool:
    """Face to face, the screen turns to a player who sits at its far side."""
    seats = list(scene.names.seats)
    opposite = len(seats) // 2 if len(seats) % 2 == 0 else None
    facing = scene.situation.settings.face_to_face
    return facing and opposite is not None and asked.by == seats[opposite]


# Layout.

_MAP_WIDE = 304.0
_LARGE_MAP_WIDE = 484.0
_SMALL_MAP_WIDE = 250.0
_BAND_HIGH = 96.0
_TALL_BAND = 156.0
_GUNSIGHT_HIGH = 80.0
_GAP = 6.0
_MENU_BAND = 64.0
_MENU_REFUSAL = 128.0
"""Of a word or a refusal, which has two sentences and its rules to say."""
_STILL_FREE = 84.0


def layout(state: HexState, page: Page) -> Parts:
    """Everything, turned as a whole where it faces the far side."""
    parts = (
        _pose_parts(state, state.poses, page) if state.poses is not None else _usual(state, page)
    )
    for name, part in parts:
        if state.turned:
            yield f"turned/{name}", turned_part(part, page.wide)
        else:
            yield name, part


# --- the board, and beside it what is asked ---


def _usual(state: HexState, page: Page) -> Parts:
    if state.menu:
        yield from _with_menu(state, page)
        return
    shown, beside = _beside(state, page, _MAP_WIDE)
    yield from hex_map(shown, state.map) if state.map.boards else ()
    high = _BAND_HIGH if state.pad is not None or state.gunsight is not None else _TALL_BAND
    band = Box(beside.x, beside.bottom - high, beside.wide, high)
    yield from _band_parts(state, page, band)
    room = beside.top(beside.high - high - _GAP)
    if state.pad is not None:
        pad = Box(room.x, room.bottom - dice.HIGH, room.wide, dice.HIGH)
        yield from dice.dice_pad(pad, state.pad)
        room = room.top(room.high - dice.HIGH - _GAP)
    elif state.gunsight is not None:
        box = Box(room.x, room.bottom - _GUNSIGHT_HIGH, room.wide, _GUNSIGHT_HIGH)
        yield "gunsight", GunsightPart(box=box, gunsight=state.gunsight)
        room = room.top(room.high - _GUNSIGHT_HIGH - _GAP)
    yield from panels(room, state.panels)
    yield from page.around(state.frame)


def _beside(state: HexState, page: Page, wide: float) -> tuple[Box, Box]:
    """The map's room and the rest; all is the rest where no board is played on."""
    if state.map.boards:
        return page.sides(page.body, wide)
    return page.body.left(0), page.body


def _band_parts(state: HexState, page: Page, box: Box) -> Parts:
    if state.frame.refusal is not None:
        yield from page.refusal(box, state.frame.refusal)
    elif state.menu:
        yield "band", BandPart(box=box, band=replace(_on_one_line(state.band), note=""), caps=48)
    elif box.high < _TALL_BAND:
        yield "band", NotedBand(box=box, band=_on_one_line(state.band))
    else:
        yield "band", NotedBand(box=box, band=state.band)


def _on_one_line(band: Band) -> Band:
    """Who and what beside each other, where one above the other has no room."""
    return replace(band, lines=(": ".join(band.lines),))


# --- menus ---


def _with_menu(state: HexState, page: Page) -> Parts:
    """Large keys beside a smaller map; panels where the keys leave them room."""
    shown, beside = page.sides(page.body, _SMALL_MAP_WIDE)
    high = _MENU_BAND if state.frame.refusal is None else _MENU_REFUSAL
    band = Box(beside.x, beside.bottom - high, beside.wide, high)
    yield from _band_parts(state, page, band)
    room = beside.top(beside.high - high - _GAP)
    menu = Menu(state.menu, page.theme)
    rows = menu.paged(room)
    used = len(rows[0]) * (MOST_KEY_HIGH + _GAP)
    if not state.map.boards:
        yield from stacked_panels(shown, state.panels)
    elif len(rows) == 1 and room.high - used >= _STILL_FREE:
        yield from hex_map(shown, state.map)
        yield from panels(room.below(used), state.panels)
    else:
        lines = STRIP_HIGH * len(state.panels) + 4
        yield from hex_map(shown.top(shown.high - lines), state.map)
        yield from strips(shown.below(shown.high - lines), state.panels)
    yield from menu.parts(room, state.page, page)
    yield from page.around(state.frame)


# --- where a plane may end ---


def _pose_parts(state: HexState, pad: PosePad, page: Page) -> Parts:
    """The board enlarged to a finger's size; beside it who is asked, and the headings."""
    shown, beside = page.sides(page.body, _LARGE_MAP_WIDE)
    yield from hex_map(shown, state.map, poses=pad)
    band = Box(beside.x, beside.bottom - _TALL_BAND, beside.wide, _TALL_BAND)
    yield from _tall_band(state, band)
    room = beside.top(beside.high - _TALL_BAND - _GAP)
    if pad.headings:
        yield from _rosette(room, pad)
    else:
        yield from stacked_panels(room, state.panels)
    yield from page.around(state.frame, pages=(pad.page, pad.pages))


def _rosette(room: Box, pad: PosePad) -> Parts:
    """Headings where they point: two rows of three."""
    top = min(heading.row for heading in pad.headings)
    rows = 1 + max(heading.row for heading in pad.headings) - top
    high = max(Reach.TARGET[1], min(110.0, (room.high - _GAP * (rows - 1)) / rows))
    lines = room.top(high * rows + _GAP * (rows - 1)).rows([1] * rows, gap=_GAP)
    for n, heading in enumerate(pad.headings):
        place = lines[heading.row - top].columns([1] * 3, gap=_GAP)[heading.column]
        yield (
            f"heading/{n}",
            HeadingPart(box=place, heading=heading, drawn=pad.drawn, action=heading.key.action),
        )


def _tall_band(state: HexState, box: Box) -> Parts:
    refusal = state.frame.refusal
    if refusal is None:
        part = NotedBand if state.band.note else BandPart
        yield "band", part(box=box, band=state.band)
        return
    if refusal.key is None:
        yield "refusal", narrow_refusal(box, refusal)
        return
    high = Reach.TARGET[1]
    yield "refusal", narrow_refusal(box.top(box.high - high - 4), refusal)
    yield "refusal/key", key_cap(box.below(box.high - high), refusal.key)
