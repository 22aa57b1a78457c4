"""The field: one screen for every question of a box whose pieces move about on many spaces.

A box that is played without any board has it too. It knows kinds of questions and the board plan:
where options end on spaces the map asks, dice have a pad, few answers stand in the bottom row,
many make a menu.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from companion.core.offers import PictureState
from companion.core.question import Count, Declare, Option, Order, Question, Ready, Roll, RollAgain
from companion.core.ruling import TABLE, Seat
from companion.core.text import counted
from companion.referee.sight import settled_places
from ui.scene.deeds import plain, with_lit
from ui.scene.map import MapState
from ui.scene.scene import ARBITER_KEY, Scene
from ui.scene.theme import Caps, Reach
from ui.scene.values import Band, Gunsight, Key, KeyLook, Message, PadGroup, ScreenFrame
from ui.scene.words import beside
from ui.screens.beside.lists import is_watched
from ui.screens.match import dice, field_panels, field_poses
from ui.screens.match.choose import answer_words, give_key, takes_several
from ui.screens.match.dice import DicePad, present_gunsight
from ui.screens.match.menu import (
    MOST_KEY_HIGH,
    Menu,
    Several,
    answer_key,
    chosen_names,
    done_key,
    in_rows,
    limits_of,
    menu_of,
    number_key,
    numbers,
    parts_of,
    some_of,
)
from ui.screens.match.ruled import latest_message, latest_words
from ui.screens.page import Page, Parts
from ui.touch.actions import Answer, Answers, Panel
from ui.widgets.box import Box
from ui.widgets.dice import GunsightPart
from ui.widgets.field_keys import SaidBand, said_band
from ui.widgets.field_map import HeadingPart, hex_map, touched_board
from ui.widgets.lettering import text_wide

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.core.board import Piece, Pose


GOES_ON = "end"
"""The sign of an option after which nothing of the question's kind comes any more."""
LONGEST_NOTE = 100
FEW, LONGEST = 3, 28
"""So many answers of so many characters stand in the bottom row, beside the one that leads on."""


@dataclass(frozen=True, slots=True)
class FieldState:
    """The board, a panel a seat, who is asked for what, and the one pad that the question needs.

    `poses` asks on the (then enlarged) map, `pad` for dice, `menu` for one of many options, page
    `page` of it being wanted; `gunsight` is what lies there.
    `turned`: the whole screen faces the player at the table's far side.
    """

    frame: ScreenFrame
    band: Band
    map: MapState
    panels: tuple[field_panels.FighterPanel, ...]
    gunsight: Gunsight | None = None
    pad: DicePad | None = None
    poses: field_poses.PosePad | None = None
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


def present_field(scene: Scene) -> FieldState:
    """The first question that waits, with the pad of its kind; spaces that it names are lit."""
    asked = scene.waiting[0] if scene.waiting else next(iter(scene.open.values()))
    state = _asking(scene, asked)
    note, lit = with_lit(scene, state.band.note)
    if not lit:
        return state
    drawn = replace(state.map, lit=state.map.lit | lit)
    return replace(state, band=replace(state.band, note=note), map=drawn)


def _asking(scene: Scene, asked: Question[Any]) -> FieldState:
    match asked:
        case Roll():
            return _roll(scene, asked)
        case RollAgain():
            return _roll_again(scene, asked)
        case Count():
            return _number(scene, asked)
        case Declare():
            return _declare(scene, asked)
        case Ready() if len(words := said_together(scene)) > 1:
            return _together(scene, words)
        case Ready():
            return _plain(scene, asked, _word_key(asked))
        case _ if takes_several(asked):
            return _some(scene, asked)
        case _:
            return _choose(scene, asked)


def _latest(scene: Scene, asked: Question[Any]) -> Message:
    """What the last answer brought, and the rule that asks now."""
    return Message(latest_words(scene), str(asked.cite), cite=latest_message(scene).cite)


# -- one of several ------------------------------------------------------------------------


def _choose(scene: Scene, asked: Question[Any]) -> FieldState:
    """On the map, in the bottom row, or as a menu."""
    options = list(asked.options_now())
    silent = _going_on(asked, options)
    piece = field_poses.ends_on_hexes(scene.map.plan, options)
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
) -> FieldState:
    """The answers fill the bottom row; what silence means is the next tap."""
    answers = (answer_key(scene, asked, option) for option in rest)
    keys = (scene.undo_key(), ARBITER_KEY, *answers)
    next_key = _seen_key(scene, asked) or _lapse_key(scene, asked, silent)
    return FieldState(
        frame=_frame(scene, keys=keys, next_key=next_key, wide=True),
        band=_with_what_came(scene, _band(scene, asked)),
        map=_map(scene),
        panels=field_panels.present_fighters(scene),
        gunsight=present_gunsight(scene),
        turned=_is_opposite(scene, asked),
    )


def _poses(
    scene: Scene, asked: Question[Any], options: Sequence[Option[Any]], piece: Piece
) -> FieldState:
    """The spaces light up; the next tap is what sight offers, else what silence means."""
    at = field_poses.Asked(
        asked.key, asked.opened, scene.seen(asked.key), scene.seen_age(asked.key)
    )
    chosen = scene.view.part if scene.view.panel is Panel.PAD else ""
    astray = seen_astray(scene, options, piece)
    pad = field_poses.pose_pad(
        scene.map, at, options, piece, chosen, astray.space if astray else "", scene.view.near
    )
    silent = _going_on(asked, options)
    placeless = [option for option in options if not option.shows and option is not silent]
    keys = (
        *scene.base_keys(),
        *(answer_key(scene, asked, option) for option in placeless),
        *field_poses.whole_board_key(pad),
    )
    return FieldState(
        frame=_frame(
            scene,
            message=_sight_message(scene, asked, pad, astray),
            next_key=_seen_key(scene, asked) or _lapse_key(scene, asked, silent),
            keys=keys,
        ),
        band=_band(scene, asked),
        map=_map(scene, {piece: astray} if astray else None),
        panels=field_panels.present_fighters(scene),
        poses=pad,
        turned=_is_opposite(scene, asked),
    )


def _menu(
    scene: Scene,
    asked: Question[Any],
    groups: tuple[PadGroup, ...],
    next_key: Key | None = None,
) -> FieldState:
    return FieldState(
        frame=_frame(
            scene,
            message=_latest(scene, asked),
            next_key=_seen_key(scene, asked) or next_key or _closing(scene),
        ),
        band=_band(scene, asked),
        map=_map(scene),
        panels=field_panels.present_fighters(scene),
        gunsight=present_gunsight(scene),
        menu=groups,
        page=scene.view.page,
        turned=_is_opposite(scene, asked),
    )


def _plain(scene: Scene, asked: Question[Any], next_key: Key | None) -> FieldState:
    return FieldState(
        frame=_frame(scene, message=_latest(scene, asked), next_key=next_key),
        band=_band(scene, asked),
        map=_map(scene),
        panels=field_panels.present_fighters(scene),
        gunsight=present_gunsight(scene),
        turned=_is_opposite(scene, asked),
    )


def _word_key(asked: Ready) -> Key:
    answer = Answer(asked.key, asked.opened, asked.word)
    return Key(asked.word.capitalize(), answer, "goes on", "next", KeyLook.GO)


_NAMED = 2
"""So many who are waited for are named on a key; of more their number."""


def said_together(scene: Scene) -> list[Ready]:
    """The words of an open form that somebody at the screen may say for all; else none."""
    words = [question for question in scene.open.values() if isinstance(question, Ready)]
    alike = len(words) == len(scene.open) and len({one.word for one in words}) == 1
    return words if alike and not any(one.is_own for one in words) else []


def _together(scene: Scene, words: Sequence[Ready]) -> FieldState:
    """A key for each who has done it, and the next tap for everybody at once."""
    waiting = [one for one in words if one.key not in scene.match.answered]
    first = words[0]
    who = " and ".join(scene.names.player(one.by) for one in waiting)
    who = who if len(waiting) <= _NAMED else f"{len(waiting)} players"
    done = first.in_a_word.capitalize()
    keys = [
        Key(
            scene.names.player(one.by),
            Answer(one.key, one.opened, one.word),
            done if one not in waiting else f"{done}?",
            look=KeyLook.PLAIN if one in waiting else KeyLook.CHOSEN,
        )
        for one in words
    ]
    answers = Answers(tuple(Answer(one.key, one.opened, one.word) for one in waiting))
    state = _menu(
        scene, first, in_rows(keys),
        Key(f"All {first.in_a_word}", answers, who, "next", KeyLook.GO),
    )  # fmt: skip
    does = first.all_do or scene.names.after(first.headline or first.prompt, first.by)
    note = scene.names.without(first.prompt, first.by)
    return replace(state, band=Band(("All", does), note=_short(note)), turned=False)


# -- dice and counts -----------------------------------------------------------------------


def _roll(scene: Scene, asked: Roll) -> FieldState:
    """The pad takes the dice one by one; the next tap gives them all."""
    told = dice.told_dice(scene, asked)
    next_key = None
    if dice.all_told(told):
        words = " ".join(str(face) for face in told)
        raw: list[Any] = [*told]
        next_key = done_key(asked, raw, f"Rolled {words}", _roll_source(scene, asked))
    return FieldState(
        frame=_frame(scene, message=_latest(scene, asked), next_key=next_key),
        band=_band(scene, asked),
        map=_map(scene),
        panels=field_panels.present_fighters(scene),
        gunsight=present_gunsight(scene),
        pad=dice.roll_pad(scene, asked),
        turned=_is_opposite(scene, asked),
    )


def _roll_source(scene: Scene, asked: Roll) -> str:
    if dice.seen_dice(scene, asked) == dice.told_dice(scene, asked):
        return scene.seen_age(asked.key)
    return "as the dice lie"


def _roll_again(scene: Scene, asked: RollAgain) -> FieldState:
    """The dice are touched where they lie; to keep them is the next tap."""
    keep = asked.options_now()[0]
    return FieldState(
        frame=_frame(
            scene,
            keys=(scene.undo_key(), ARBITER_KEY, *dice.right_keys(scene, asked)),
            next_key=_lapse_key(scene, asked, keep),
            wide=True,
        ),
        band=_band(scene, asked),
        map=_map(scene),
        panels=field_panels.present_fighters(scene),
        pad=dice.reroll_pad(scene, asked),
        turned=_is_opposite(scene, asked),
    )


def _number(scene: Scene, asked: Count) -> FieldState:
    """A key for each of few numbers; one of many is typed and given by the next tap."""
    draft = scene.view.draft
    mine = draft is not None and (draft.key, draft.opened) == (asked.key, asked.opened)
    raw = draft.raw if mine and draft is not None else None
    so_far = raw if isinstance(raw, int) else None
    return _menu(scene, asked, numbers(asked, so_far), number_key(asked, so_far))


def _some(scene: Scene, asked: Several) -> FieldState:
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
    return FieldState(
        frame=_frame(scene, message=_latest(scene, asked), next_key=next_key),
        band=_band(scene, asked),
        map=_map(scene),
        panels=field_panels.present_fighters(scene),
        menu=some_of(asked, chosen),
        page=scene.view.page,
        turned=_is_opposite(scene, asked),
    )


def _declare(scene: Scene, asked: Declare) -> FieldState:
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
) -> ScreenFrame:
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
    what = scene.names.after(asked.headline or asked.prompt, asked.by)
    note = scene.names.without(asked.prompt, asked.by)
    who = "" if asked.by == TABLE else scene.names.player(asked.by)
    lines = tuple(line for line in (who, what) if line)
    note = beside(note, what)
    return Band(lines, field_panels.seat_side(scene, asked.by), note=_short(note))


def _with_what_came(scene: Scene, band: Band) -> Band:
    """What the last answer brought before the question, where keys leave no room between them."""
    came = latest_words(scene).rstrip(".")
    note = ". ".join(filter(None, (came, band.note)))
    return replace(band, note=note if len(note) <= LONGEST_NOTE else came)


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
    told = plain(scene, option.label)
    label = option.label if told == option.label else "As seen"
    return Key(label, answer, scene.seen_age(asked.key), "eye", KeyLook.GO)


def _going_on(asked: Question[Any], options: Sequence[Option[Any]]) -> Option[Any] | None:
    """The option that leads on without anything done: what silence means, or what ends a turn.

    Of people, of whom one is named, none leads on more than another.
    """
    silent = next((option for option in options if option.name == asked.lapse), None)
    if silent is not None and silent.about and sum(bool(one.about) for one in options) > 1:
        return None
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
    scene: Scene, asked: Question[Any], pad: field_poses.PosePad, astray: Pose | None
) -> Message:
    if astray is not None and not pad.chosen:
        return Message("Dashed: where it is seen.", "Move it, or touch its space.")
    if scene.seen(asked.key):
        return Message("Seen by the camera.", "Touch anything else to stop it.")
    latest = _latest(scene, asked)
    words = _how_to_say_where(scene, pad)
    return replace(latest, second=words) if latest.first else Message(words, str(asked.cite))


def _how_to_say_where(scene: Scene, pad: field_poses.PosePad) -> str:
    if pad.chosen:
        headed = any(space.headings_deg for space in pad.spaces)
        return "Which way does it look?" if headed else "Which of these is it?"
    return "Move it, or touch its space." if is_watched(scene.situation) else "Touch its space."


def _is_opposite(scene: Scene, asked: Question[Any]) -> bool:
    """Face to face, the screen turns to a player who sits at its far side."""
    return scene.is_opposite([asked.by])


# Layout: the band over the board, and beside that the one pad that the question needs.

_MAP_WIDE = 304.0
_ROSETTE_WIDE = 232.0
_SMALL_MAP_WIDE = 250.0
_POSE_PANEL = 60.0
_GUNSIGHT_HIGH = 80.0
_GAP = 5.0
_MAP_MARGIN = 10.0
_STILL_FREE = 84.0
_UPRIGHT_MAP, _UPRIGHT_PANEL, _UPRIGHT_DICE = 360.0, 100.0, 150.0
_UPRIGHT_KEYS = 82.0
_IN_A_ROW, _IN_A_COLUMN = 6, 4
"""In portrait: how high keys under a board are, and how many have one row."""
_BAND_SIDES, _WIDEST_BAND = 30.0, 350.0
"""Of a band beside a board: its margins, and how wide it may be."""
_LEAST_MAP, _GOOD_MAP = 96.0, 190.0
"""How high a map over a menu is at the least, and how high if the keys can be lower for it."""


def layout(state: FieldState, page: Page) -> Parts:
    """The band, and under it whatever the question needs."""
    if state.poses is not None:
        yield from _pose_parts(state, state.poses, page)
        return
    high, parts = _above(state, page, _band_part(state, page))
    yield from parts
    room = page.body.below(high + _GAP)
    if state.menu:
        yield from _with_menu(state, page, room)
    else:
        yield from _usual(state, page, room)


def _above(state: FieldState, page: Page, band: SaidBand) -> tuple[float, Parts]:
    """The band, or what was not taken in its place, and how high that is."""
    refusal = state.frame.refusal
    if refusal is None:
        return band.box.high, iter([("band", band)])
    room, _ = page.refused(page.body, refusal)
    return room.high, page.refusal(room, refusal)


def _band_part(state: FieldState, page: Page) -> SaidBand:
    """With the question in full where there is room for it."""
    bare = replace(state.band, note="")
    if state.menu:
        return said_band(page.theme, page.body, bare, low=not page.portrait)
    return said_band(page.theme, page.body, state.band)


# --- the board, and beside it what is asked ---


def _usual(state: FieldState, page: Page, body: Box) -> Parts:
    shown, room = _beside(state, page, body, _MAP_WIDE)
    yield from hex_map(shown, state.map) if state.map.boards else ()
    if state.pad is not None:
        high = dice.pad_high(room.high, len(state.panels))
        pad = Box(room.x, room.bottom - high, room.wide, high)
        yield from dice.dice_pad(pad, state.pad)
        room = room.top(room.high - high - _GAP)
    elif state.gunsight is not None:
        box = Box(room.x, room.bottom - _GUNSIGHT_HIGH, room.wide, _GUNSIGHT_HIGH)
        yield "gunsight", GunsightPart(box=box, gunsight=state.gunsight)
        room = room.top(room.high - _GUNSIGHT_HIGH - _GAP)
    yield from field_panels.panels(room, state.panels)
    yield from page.around(state.frame)


def _beside(state: FieldState, page: Page, room: Box, most: float) -> tuple[Box, Box]:
    """The map's room, no wider than its board needs, and the rest; all is the rest without one.

    In portrait the map lies over the rest, as high as that leaves it.
    """
    if not state.map.boards:
        return room.left(0), room
    if page.portrait:
        rows = 1 if len(state.panels) <= 2 else 2
        rest = _UPRIGHT_PANEL * rows + _GAP
        rest += (
            _UPRIGHT_DICE if state.pad is not None else _GUNSIGHT_HIGH if state.gunsight else 0.0
        )
        return _over(room, rest)
    _, _, across, down = state.map.bounds_mm
    wide = (room.high - _MAP_MARGIN) * across / down + _MAP_MARGIN
    return page.sides(room, min(most, wide))


def _over(room: Box, rest: float) -> tuple[Box, Box]:
    """The map over what needs so much of the height."""
    high = min(_UPRIGHT_MAP, room.high - rest - _GAP)
    return room.top(high), room.below(high + _GAP)


# --- menus ---


def _with_menu(state: FieldState, page: Page, body: Box) -> Parts:
    """Large keys beside a smaller map; panels where the keys leave them room.

    No map where all keys stand on one page only without it.
    """
    menu = Menu(state.menu, page.theme)
    lines = field_panels.STRIP_HIGH * len(state.panels) + 4
    if page.portrait:
        keys = len(menu.paged(body)[0]) * (Reach.PRIMARY_HIGH + _GAP)
        most = max(menu.least_high(body.wide), body.high - lines - _GOOD_MAP)
        shown, room = _over(body, min(keys, most, body.high - lines - _LEAST_MAP))
    else:
        shown, room = page.sides(body, _SMALL_MAP_WIDE)
    if len(menu.paged(room)) > 1 and len(menu.paged(body)) == 1:
        yield from menu.parts(body, 0, page)
        yield from page.around(state.frame)
        return
    rows = menu.paged(room)
    used = len(rows[0]) * (MOST_KEY_HIGH + _GAP)
    if not state.map.boards:
        yield from field_panels.stacked_panels(shown, state.panels)
    elif len(rows) == 1 and room.high - used >= _STILL_FREE:
        yield from hex_map(shown, state.map)
        yield from field_panels.panels(room.below(used), state.panels)
    else:
        yield from hex_map(shown.top(shown.high - lines), state.map)
        yield from field_panels.strips(shown.below(shown.high - lines), state.panels)
    yield from menu.parts(room, state.page, page)
    yield from page.around(state.frame)


# --- where a plane may end ---


def _pose_parts(state: FieldState, pad: field_poses.PosePad, page: Page) -> Parts:
    """The board as large as can be; beside or under it the band, the headings, or who has what."""
    if page.portrait:
        shown, parts = _under_board(state, pad, page)
    else:
        shown, parts = _beside_board(state, pad, page)
    yield from touched_board(shown, state.map, pad)
    yield from parts
    yield from page.around(state.frame)


def _beside_board(state: FieldState, pad: field_poses.PosePad, page: Page) -> tuple[Box, Parts]:
    """The band stands beside the board where its words have room there, else over it."""
    least = _least_beside(state, pad)
    wide = _column(state, page)
    if state.frame.refusal is None and wide is not None:
        shown, room = page.sides(page.body, page.body.wide - wide - _MAP_MARGIN)
        bare = replace(state.band, note="")
        for band, is_low in ((state.band, False), (bare, False), (bare, True)):
            said = said_band(page.theme, room, band, low=is_low)
            left = room.below(said.box.high + _GAP)
            if left.high >= least:
                return shown, chain([("band", said)], _rest(state, pad, left))
    low = said_band(page.theme, page.body, replace(state.band, note=""), low=True)
    high, above = _above(state, page, low)
    shown, room = page.sides(
        page.body.below(high + _GAP), page.body.wide - _ROSETTE_WIDE - _MAP_MARGIN
    )
    return shown, chain(above, _rest(state, pad, room))


def _column(state: FieldState, page: Page) -> float | None:
    """How wide a band beside a board is for each of its words to be whole; None: too wide."""
    words = state.band.lines[-1].split()
    words = [word[:1].upper() + word[1:] for word in words]
    wide = max(text_wide(page.theme, word, Caps.HANDS) for word in words) + _BAND_SIDES
    return max(_ROSETTE_WIDE, wide) if wide <= _WIDEST_BAND else None


def _least_beside(state: FieldState, pad: field_poses.PosePad) -> float:
    """What stands under a band beside the board needs."""
    if pad.headings or any(len(space.headings_deg) > 1 for space in pad.spaces):
        rows = max((heading.row for heading in pad.headings), default=1) + 1
        worded = any(" " in heading.key.label for heading in pad.headings)
        rows = len(pad.headings) if worded else rows
        return max(2, rows) * (Reach.TARGET[1] + _GAP) - _GAP
    return len(state.panels) * field_panels.STRIP_HIGH


def _rest(state: FieldState, pad: field_poses.PosePad, room: Box) -> Parts:
    if pad.headings:
        yield from _rosette(room, pad)
        return
    number = len(state.panels)
    if room.high < _POSE_PANEL * number:
        high = field_panels.STRIP_HIGH * number
        yield from field_panels.strips(room.below(room.high - high), state.panels)
        return
    yield from field_panels.stacked_panels(room.top(_POSE_PANEL * number), state.panels)


def _under_board(state: FieldState, pad: field_poses.PosePad, page: Page) -> tuple[Box, Parts]:
    """The band over the board, under it a row of headings, or two columns of lines."""
    low = said_band(page.theme, page.body, replace(state.band, note=""), low=True)
    high, above = _above(state, page, low)
    body = page.body.below(high + _GAP)
    beside = 1 if len(state.panels) <= _IN_A_COLUMN else 2
    lines = max(1, -(-len(state.panels) // beside))
    rows = 1 if len(pad.headings) <= _IN_A_ROW else 2
    least = _UPRIGHT_KEYS if rows == 1 else 2 * Reach.TARGET[1] + _GAP
    under = least if pad.headings else field_panels.STRIP_HIGH * lines
    shown, room = body.top(body.high - under - _GAP), body.below(body.high - under)
    return shown, chain(above, _upright_rest(state, pad, room, rows, lines))


def _upright_rest(
    state: FieldState, pad: field_poses.PosePad, room: Box, rows: int, lines: int
) -> Parts:
    columns = -(-len(pad.headings) // rows)
    for n, heading in enumerate(pad.headings):
        line = room.rows([1] * rows, gap=_GAP)[n // columns]
        place = line.columns([1] * columns, gap=_GAP)[n % columns]
        key = heading.key.action
        yield f"heading/{n}", HeadingPart(box=place, heading=heading, drawn=pad.drawn, action=key)
    if not pad.headings:
        beside = -(-len(state.panels) // lines)
        for n, panel in enumerate(state.panels):
            column = room.columns([1] * beside, gap=_GAP)[n % beside]
            box = column.rows([1] * lines)[n // beside]
            yield f"panel/{n}", field_panels.StripPart(box=box, panel=panel)


def _rosette(room: Box, pad: field_poses.PosePad) -> Parts:
    """Headings where they point: two rows of three."""
    if any(" " in heading.key.label for heading in pad.headings):
        yield from _lines(room, pad)
        return
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


def _lines(room: Box, pad: field_poses.PosePad) -> Parts:
    """What is told by words has a line of its own."""
    number = len(pad.headings)
    high = min(_UPRIGHT_KEYS, (room.high - _GAP * (number - 1)) / number)
    lines = room.top(high * number + _GAP * (number - 1)).rows([1] * number, gap=_GAP)
    for n, (line, heading) in enumerate(zip(lines, pad.headings, strict=True)):
        key = heading.key.action
        yield f"heading/{n}", HeadingPart(box=line, heading=heading, drawn=pad.drawn, action=key)
