"""Amend: what a changed answer would change later; nothing counts before it is held."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.core.errors import CompanionError, IllegalAnswer
from companion.core.question import Count, Declare, Option, Question, Roll
from companion.core.ruling import Json
from companion.core.text import counted
from companion.match.timeline import Fate
from ui.scene import values
from ui.scene.deeds import with_lit
from ui.scene.map import MapState
from ui.scene.scene import CANCEL, Scene, page_keys, pages_of
from ui.scene.theme import Caps, Colour, Face, Reach
from ui.screens.arbiter.changes import (
    LEAST_BESIDE,
    LEAST_WIDE,
    ROOM_HIGH,
    change_parts,
    changes_high,
    sheets_of,
)
from ui.screens.arbiter.log import line_text, log_line, log_list, place_words
from ui.screens.arbiter.owned import FEW_SPACES
from ui.screens.match import field_poses
from ui.screens.match.cards import choosing_pad
from ui.screens.match.choose import takes_several
from ui.screens.match.counts import faces_told
from ui.screens.match.field_poses import PosePad
from ui.screens.match.lock import one_more
from ui.screens.match.menu import Menu
from ui.screens.match.numbers import FEW, number_pad
from ui.screens.page import Page, Parts
from ui.touch.actions import Amend, AmendFill, AmendTo, SetReason
from ui.widgets.board_map import board_map
from ui.widgets.box import Box
from ui.widgets.field_keys import narrow_refusal
from ui.widgets.field_map import touched_board
from ui.widgets.key import key_cap
from ui.widgets.lettering import text_wide
from ui.widgets.part import Part
from ui.widgets.pen import Pen, lines_high
from ui.widgets.teams import pad, too_many
from ui.widgets.words import Words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.core.board import Piece, Pose
    from companion.match.revision import Revision


@dataclass(frozen=True, slots=True)
class AmendState:
    """First a pad of the answers that question took; then was, now, reason and changes.

    Where the answers are places the spaces are touched on the `map`, with the piece where it was
    told; the pad has the headings of the chosen one, and whatever else was possible. Beside changes
    that move pieces over a field the map has them dashed as they stand, solid as they would; of
    other boards it (`upright_map`) is shown where the window is higher than wide.
    """

    frame: values.ScreenFrame
    lines: tuple[values.LogLine, ...]
    was: str
    now: str
    pad: tuple[values.PadGroup, ...]
    reasons: tuple[values.Key, ...]
    changes: tuple[values.Consequence, ...]
    page: int = 1
    pages: int = 1
    pad_page: int = 0
    spaces: PosePad | None = None
    map: MapState | None = None
    upright_map: bool = False


REASONS = ("card misread", "wrong key", "told wrongly", "arbiter")
LINES = 6
LIST_WIDE = 322.0
_MAP_WIDE = 500.0
_PREVIEW_WIDE = 262.0
PLACES = 3
"""So many of the innermost places say where in the book a line stands."""
PARTS_AT_ONCE, PARTS_A_ROW = 2, 3
"""Counts of so many parts are keys of their own; those of more are counted part by part."""


def present_amend(scene: Scene) -> AmendState:
    """What was it really? Then: what would that change."""
    seq = _seq(scene)
    question = scene.history.asked_at(seq) if seq is not None else None
    if seq is None or question is None:
        return _gone(scene, seq)
    raw = scene.view.amend_to if scene.view.chosen_seq == seq else None
    entry = scene.match.entries[seq]
    told = scene.history.told.get(seq)
    was = told.said if told is not None else str(entry.answer)
    if raw is None:
        return _choosing(scene, seq, question, was)
    return _shown(scene, seq, question, raw, was)


def _seq(scene: Scene) -> int | None:
    part = scene.view.part
    return int(part) if part.isdecimal() and int(part) < len(scene.match.entries) else None


def _around(scene: Scene, seq: int) -> tuple[values.LogLine, ...]:
    start = max(0, min(seq - LINES // 2, len(scene.match.entries) - LINES))
    shown = scene.match.entries[start : start + LINES]
    return tuple(replace(log_line(scene, entry), ruled="") for entry in shown)


def _gone(scene: Scene, seq: int | None) -> AmendState:
    """A line that counts no more: what it was."""
    told = scene.history.once_told(seq) if seq is not None else None
    was = told.said if told is not None else ""
    if not was and seq is not None:
        was = line_text(scene, scene.match.entries[seq])
    shown = scene.frame("LOG · AMEND", "that line is no longer in effect", keys=(CANCEL,))
    lines = _around(scene, seq) if seq is not None else ()
    return AmendState(shown, lines, was, "", (), (), ())


def _choosing(scene: Scene, seq: int, question: Question[Any], was: str) -> AmendState:
    """The pad of its answers; of places the map."""
    filled = scene.view.amend_fill if scene.view.chosen_seq == seq else None
    piece = _moved_on_a_map(scene, question)
    if piece is not None:
        return _on_a_map(scene, seq, question, was, filled, piece)
    groups = _other_than(_pad(scene, seq, question, was, filled), scene.match.entries[seq].answer)
    others = any(one.key.action is not None for group in groups for one in group.keys)
    told = _asked_words(scene, seq) if others else "There was no other answer."
    return AmendState(
        frame=scene.frame(
            "LOG · AMEND",
            "what was it really?",
            keys=(CANCEL,),
            message=values.Message(told, str(question.cite)),
            next_key=_filled_key(seq, question, filled),
        ),
        lines=_around(scene, seq),
        was=was,
        now="",
        pad=groups,
        reasons=(),
        changes=(),
        pad_page=scene.view.page,
    )


def _other_than(groups: Sequence[values.PadGroup], told: Json) -> tuple[values.PadGroup, ...]:
    """The keys but for that of the answer as it was told, which changes nothing: it is lit."""

    def unless_told(one: values.PadKey) -> values.PadKey:
        action = one.key.action
        if not isinstance(action, AmendTo) or action.raw != told:
            return one
        return replace(one, key=replace(one.key, action=None, look=values.KeyLook.CHOSEN))

    return tuple(
        replace(group, keys=tuple(unless_told(one) for one in group.keys)) for group in groups
    )


# Places, touched on the map.


def _moved_on_a_map(scene: Scene, question: Question[Any]) -> Piece | None:
    """The piece that all answers move over a board of many spaces; None if it is not so."""
    if isinstance(question, Roll | Declare | Count) or takes_several(question):
        return None
    options = question.options_now()
    piece = field_poses.ends_on_hexes(scene.map.plan, options)
    if piece is None:
        return None
    ends = [(option.shows or {})[piece] for option in options if option.shows]
    boards = [scene.map.plan.board_of[end.space] for end in ends]
    return piece if any(one.facings or len(one.spaces) > FEW_SPACES for one in boards) else None


def _on_a_map(
    scene: Scene, seq: int, question: Question[Any], was: str, filled: Json, piece: Piece
) -> AmendState:
    """Each space where the piece could end; where it could look several ways, then which."""
    by_space = _by_space(question, piece)
    raw = str(scene.match.entries[seq].answer)
    told = (o.shows[piece] for o in question.options_now() if o.shows and o.name == raw)
    stood = next(told, None)
    chosen = str(filled) if filled in by_space else stood.space if stood is not None else ""
    touches = {
        space: AmendTo(seq, ends[0].name) if len(ends) == 1 else AmendFill(seq, space)
        for space, ends in by_space.items()
    }
    spaces = field_poses.space_pad(scene.map, touches, {chosen}, scene.view.near)
    token = scene.map.plan.token_of[piece]
    return AmendState(
        frame=scene.frame(
            "LOG · AMEND",
            "what was it really?",
            keys=(CANCEL, *field_poses.whole_board_key(spaces)),
            message=values.Message(_asked_words(scene, seq), str(question.cite)),
        ),
        lines=(),
        was=f"{token.label}: where it is shown",
        now="",
        pad=_ends_pad(scene, seq, question, by_space.get(chosen, []), piece, was),
        reasons=(),
        changes=(),
        spaces=spaces,
        map=scene.map.draw({piece: stood} if stood is not None else {}),
    )


def _by_space(question: Question[Any], piece: Piece) -> dict[str, list[Option[Any]]]:
    """The answers that leave the piece on a board, by the space."""
    by_space: dict[str, list[Option[Any]]] = {}
    for option in question.options_now():
        if option.shows:
            by_space.setdefault(option.shows[piece].space, []).append(option)
    return by_space


def _asked_words(scene: Scene, seq: int) -> str:
    """Which answer it is, without what was said: the innermost of its places."""
    return " · ".join(place_words(scene, scene.match.entries[seq].key).split(" · ")[-PLACES:])


def _ends_pad(
    scene: Scene,
    seq: int,
    question: Question[Any],
    ends: Sequence[Option[Any]],
    piece: Piece,
    was: str,
) -> tuple[values.PadGroup, ...]:
    """What may have been on the space that is lit, a heading or a way, and what moves nothing."""
    turned: list[values.Key] = []
    lead = "Which of these was it?"
    for option in ends if len(ends) > 1 else ():
        pose = (option.shows or {})[piece]
        facings = scene.map.plan.board_of[pose.space].facings
        label = field_poses.said_here(scene.map.plan, option.label)
        if pose.facing is not None:
            lead, label = "Which way did it look?", facings[pose.facing]
        turned.append(_end_key(seq, option, label, was))
    others = [_end_key(seq, o, o.label, was) for o in question.options_now() if not o.shows]
    groups = (
        values.PadGroup(lead, "", _in_threes(turned)),
        values.PadGroup("", "", _in_threes(others)),
    )
    shown = [group for group in groups if group.keys]
    return _other_than(shown, scene.match.entries[seq].answer)


def _end_key(seq: int, option: Option[Any], label: str, was: str) -> values.Key:
    look = values.KeyLook.CHOSEN if option.label == was else values.KeyLook.PLAIN
    return values.Key(label, AmendTo(seq, option.name), look=look)


def _in_threes(keys: Sequence[values.Key]) -> tuple[values.PadKey, ...]:
    return tuple(values.PadKey(key, *divmod(n, 3)) for n, key in enumerate(keys))


def _filled_key(seq: int, question: Question[Any], filled: Json) -> values.Key | None:
    """Goes on to what the answer would change, once one that is put together is whole."""
    if isinstance(question, Declare) and len(question.parts) > PARTS_AT_ONCE:
        words = "counted anew" if filled is not None else "as it was"
    elif takes_several(question):
        words = f"{len(_listed(filled))} chosen"
    elif isinstance(question, Count) and len(question.options_now()) > FEW:
        words = str(filled) if filled is not None else "type the number"
    else:
        return None
    try:
        plain = question.judge(filled).plain
    except IllegalAnswer:
        return values.Key("What changes", None, words, "next", values.KeyLook.IMPOSSIBLE)
    return values.Key("What changes", AmendTo(seq, plain), words, "next", values.KeyLook.GO)


def _listed(filled: Json) -> list[Json]:
    return filled if isinstance(filled, list) else []


def _pad(
    scene: Scene, seq: int, question: Question[Any], was: str, filled: Json
) -> tuple[values.PadGroup, ...]:
    """Every answer that the question took, or the pieces of which one is put together."""
    if isinstance(question, Roll):
        return _dice_pad(seq, question, filled)
    if takes_several(question):
        chosen = [*map(str, _listed(filled))]
        return choosing_pad(
            question.offered,
            lambda option: AmendFill(seq, [*_turned(chosen, option.name)]),
            scene.names.looks,
            chosen,
        )
    if isinstance(question, Declare) and len(question.parts) > PARTS_AT_ONCE:
        return (_counts_pad(scene, seq, question, filled),)
    if isinstance(question, Declare):
        return (_parts_pad(seq, question),)
    if isinstance(question, Count):
        return _number_pad(scene, seq, question, filled)
    return choosing_pad(
        question.options_now(),
        lambda option: AmendTo(seq, option.name),
        scene.names.looks,
        (was,),
    )


def _number_pad(
    scene: Scene, seq: int, question: Count, filled: Json
) -> tuple[values.PadGroup, ...]:
    """One of few numbers shows at once what it changes; one of many is typed first."""
    allowed = [int(option.name) for option in question.options_now()]
    was = scene.match.entries[seq].answer
    recorded = was if isinstance(was, int) else None
    so_far = filled if isinstance(filled, int) else None
    if len(allowed) <= FEW:
        return number_pad(recorded, allowed, partial(AmendTo, seq), partial(AmendTo, seq))
    return number_pad(so_far, allowed, partial(AmendFill, seq), partial(AmendFill, seq), recorded)


def _turned(chosen: Sequence[str], name: str) -> list[str]:
    """With a choice more, or without one that was chosen before."""
    rest = [one for one in chosen if one != name]
    return rest if name in chosen else [*rest, name]


def _dice_pad(seq: int, question: Roll, filled: Json) -> tuple[values.PadGroup, ...]:
    """A row of faces for each die; the last die that is told shows what they change."""
    shown = faces_told(filled, question.dice)
    return tuple(
        values.PadGroup(
            f"Die {die + 1}",
            "",
            tuple(
                values.PadKey(
                    _face_key(seq, [*shown[:die], face, *shown[die + 1 :]], face, shown[die]),
                    0, face - 1,
                )
                for face in range(1, question.faces + 1)
            ),
        )
        for die in range(question.dice)
    )  # fmt: skip


def _face_key(seq: int, dice: list[int], face: int, shown: int) -> values.Key:
    told: list[Json] = [*dice]
    action = AmendTo(seq, told) if all(dice) else AmendFill(seq, told)
    return values.Key(
        str(face), action, look=values.KeyLook.CHOSEN if face == shown else values.KeyLook.PLAIN
    )


def _counts_pad(scene: Scene, seq: int, question: Declare, filled: Json) -> values.PadGroup:
    """A key for each part, which counts up and begins again at none; from what was told."""
    told = filled if filled is not None else scene.match.entries[seq].answer
    named = told if isinstance(told, dict) else {}
    counts = {part: int(str(named.get(part, 0))) for part in question.parts}
    keys = tuple(
        values.PadKey(
            values.Key(
                f"{part.capitalize()} {count}",
                AmendFill(seq, dict(one_more(question, counts, part))),
                look=values.KeyLook.CHOSEN if count else values.KeyLook.PLAIN,
            ),
            *divmod(at, PARTS_A_ROW),
        )
        for at, (part, count) in enumerate(counts.items())
    )
    return values.PadGroup("", "", keys)


def _parts_pad(seq: int, question: Declare) -> values.PadGroup:
    first, *rest = question.parts
    pairs = [(a, b) for a in range(3) for b in range(3)] if rest else [(a, 0) for a in range(3)]
    keys = tuple(
        values.PadKey(
            values.Key(_parts_in_words(question, pair), AmendTo(seq, _parts(question, pair))),
            *divmod(at, 3),
        )
        for at, pair in enumerate(pairs)
    )
    return values.PadGroup(
        f"{first.upper()} · {' · '.join(part.upper() for part in rest)}", "", keys
    )


def _parts(question: Declare, pair: tuple[int, int]) -> Json:
    return dict(zip(question.parts, pair, strict=False))


def _parts_in_words(question: Declare, pair: tuple[int, int]) -> str:
    return " · ".join(str(count) for _, count in zip(question.parts, pair, strict=False))


def _shown(scene: Scene, seq: int, question: Question[Any], raw: Json, was: str) -> AmendState:
    """The consequences, before anything counts."""
    reason, piece = _reason(scene), _moved_on_a_map(scene, question)
    amended = scene.history.found(
        ("amend", seq, repr(raw), reason), lambda: _amended(scene, seq, raw)
    )
    told, drawn = _told(scene, question, raw, was, piece), None
    if isinstance(amended, str):
        why = with_lit(scene, amended)[0]
        sheets = [[values.Consequence(values.Mark.BAD, "Not legal", note=why)]]
        hold, undone = _no_hold("not legal"), ""
    else:
        hold, moved = _hold(scene, amended), _moved_by(scene, seq, question, raw, piece)
        drawn = _map_of_both(scene, amended, moved)
        beside = drawn is not None and scene.map.has_field
        sheets = sheets_of(scene, amended, LEAST_BESIDE if beside else LEAST_WIDE)
        lost = counted(len(amended.fate), "later answer")
        undone = f"Undo would lose {lost} instead." if amended.fate else ""
    (rows,), page, pages = pages_of(sheets, scene.view.page, 1)
    words_alone = not scene.map.has_field
    return AmendState(
        frame=scene.frame(
            "LOG · AMEND", "nothing counts before you hold",
            keys=(CANCEL, *page_keys(page, pages)), message=values.Message(undone), next_key=hold,
        ),
        lines=_around(scene, seq), was=told[0], now=told[1], pad=(), reasons=_reasons(scene),
        changes=tuple(rows), page=page, pages=pages,
        map=drawn if page == 1 or words_alone else None, upright_map=words_alone,
    )  # fmt: skip


def _told(
    scene: Scene, question: Question[Any], raw: Json, was: str, piece: Piece | None
) -> tuple[str, str]:
    """The answer as it was and as it would be, without coordinates."""
    if piece is not None:
        return "As it was told", _now_on_a_map(scene, question, raw, piece)
    return with_lit(scene, was)[0], with_lit(scene, question.in_words(raw))[0]


def _moved_by(
    scene: Scene, seq: int, question: Question[Any], raw: Json, piece: Piece | None
) -> Mapping[Piece, tuple[Pose, Pose]]:
    """The piece that the answer itself moves: where it was told, and where it is told now."""
    if piece is None:
        return {}
    told = str(scene.match.entries[seq].answer)
    ends = {option.name: option.shows or {} for option in question.options_now()}
    was, now = (ends.get(name, {}).get(piece) for name in (told, str(raw)))
    return {piece: (was, now)} if was is not None and now is not None else {}


def _map_of_both(
    scene: Scene, revision: Revision, moved: Mapping[Piece, tuple[Pose, Pose]]
) -> MapState | None:
    """Pieces that would stand elsewhere: dashed as they stand, solid as they would.

    A piece that later lines leave where it stands is drawn as the answer moves it; one in whose
    place another would stand is not told of.
    """
    stand = scene.match.position.placement()
    would = dict(revision.changed.run.rules.position.placement())
    ghosts = {
        piece: pose
        for piece, pose in stand.items()
        if would.get(piece) != pose and (piece in would or pose not in would.values())
    }
    for piece, (was, now) in moved.items():
        if piece not in ghosts:
            ghosts[piece], would[piece] = was, now
    if not ghosts and scene.map.has_field:
        return None
    lit = {would[piece].space for piece in ghosts if piece in would}
    drawn = scene.map.draw(would, ghosts=ghosts, arrows=True, legend="as it stands")
    return replace(drawn, lit=frozenset(lit))


def _now_on_a_map(scene: Scene, question: Question[Any], raw: Json, piece: Piece) -> str:
    """An answer of the map without coordinates, which no such board has printed on it."""
    option = next((one for one in question.options_now() if one.name == raw), None)
    if option is None or not option.shows:
        return option.label if option is not None else str(raw)
    pose = option.shows[piece]
    facings = scene.map.plan.board_of[pose.space].facings
    faces = f", facing {facings[pose.facing]}" if facings and pose.facing is not None else ""
    return f"Where you touched{faces}"


def _amended(scene: Scene, seq: int, raw: Json) -> Revision | str:
    """What the amend would change, or why it is none."""
    try:
        return scene.referee.amend(seq, raw, _reason(scene))
    except CompanionError as refused:
        return str(refused)


def _reason(scene: Scene) -> str:
    """The one that was chosen; what a challenge has brought up is the arbiter's decision."""
    disputed = scene.referee.presses.challenge is not None
    return scene.view.reason or (REASONS[-1] if disputed else "")


def _reasons(scene: Scene) -> tuple[values.Key, ...]:
    return tuple(
        values.Key(
            reason,
            SetReason(reason),
            look=values.KeyLook.CHOSEN if reason == _reason(scene) else values.KeyLook.PLAIN,
        )
        for reason in REASONS
    )


def _hold(scene: Scene, revision: Revision) -> values.Key:
    if not _reason(scene):
        return _no_hold("choose a reason first")
    fates = list(revision.fate.values())
    changed = len(revision.flips) + sum(map(len, revision.falling.values()))
    again = fates.count(Fate.ASKED_AGAIN)
    words = f"{counted(changed, 'ruling')} changed{f', {again} asked again' if again else ''}"
    amend = Amend(revision.seq, revision.raw, _reason(scene))
    return values.Key("Hold to amend", amend, words, "tick", values.KeyLook.HOLD)


def _no_hold(why: str) -> values.Key:
    return values.Key("Hold to amend", None, why, "tick", values.KeyLook.IMPOSSIBLE)


# Parts and layout.


@dataclass(frozen=True, kw_only=True)
class WasNow(Part):
    """The old answer struck, the new one larger under it."""

    was: str
    now: str

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.PANEL, Reach.RADIUS)
        room = self.box.inset(14, 5)
        labels, words = room.left(46), room.beside(56)
        rows = [1.0, 1.25] if self.now else [1.0]
        heights = [row.high for row in room.rows(rows)]
        tops = [row.y for row in room.rows(rows)]
        label = Box(labels.x, tops[0], labels.wide, heights[0])
        pen.text("WAS", label, 15, Colour.INK2)
        first = Box(words.x, tops[0], words.wide, heights[0])
        two = 2 if first.high >= lines_high(2, 13.9) else 1
        pen.text(
            self.was, first, 17, Colour.INK2, face=Face.MEDIUM, lines=two, struck=bool(self.now)
        )
        if len(rows) == 1:
            return
        pen.text("NOW", Box(labels.x, tops[1], labels.wide, heights[1]), 15, Colour.INK2)
        second = Box(words.x, tops[1], words.wide, heights[1])
        pen.text(self.now, second, 20)


def layout(state: AmendState, page: Page) -> Parts:
    """First the pad of that question's answers; once one is chosen, what it would change."""
    room = page.body
    if state.spaces is not None and state.map is not None:
        yield from _map_parts(state, state.map, state.spaces, page)
        yield from page.around(state.frame)
        return
    if not state.pad and not state.changes and state.map is None and not page.portrait:
        listed, room = page.sides(room, LIST_WIDE + (page.wide - 800) * 0.6)
        yield from log_list(listed, state.lines)
    if state.frame.refusal is not None:
        top, room = page.refused(room, state.frame.refusal)
        yield from page.refusal(top, state.frame.refusal)
    if state.reasons:
        yield from _reason_parts(state, Box(room.x, room.bottom - 51, room.wide, 51))
        room = room.top(room.high - 57)
    head_high = _HEAD_HIGH if state.now else _ONE_LINE_HIGH
    head, room = room.top(head_high), room.below(head_high + 6)
    if state.map is not None and page.portrait:
        told_high = max(ROOM_HIGH + Reach.GAP, changes_high(state.changes, room.wide))
        map_high = room.high - told_high - Reach.GAP
        if map_high >= _LEAST_MAP:  # what changes is told whole, and the map is given up for it
            yield from board_map(room.top(map_high), state.map)
            room = room.below(map_high + Reach.GAP)
    elif state.map is not None and not state.upright_map:
        shown, beside = page.sides(head.top(head.high + 6 + room.high), _PREVIEW_WIDE)
        yield from board_map(shown, state.map)
        head, room = beside.top(head_high), beside.below(head_high + 6)
    yield "was", WasNow(box=head, was=state.was, now=state.now)
    yield from _pads(state, room, page) if state.pad else _changed(state, room)
    yield from page.around(state.frame, pages=(state.page, state.pages))


_HEAD_HIGH, _ONE_LINE_HIGH, _LEAST_MAP = 68.0, 46.0, 120.0


def _changed(state: AmendState, room: Box) -> Parts:
    yield from change_parts(state.changes, room, chosen=bool(state.now))


def _map_parts(state: AmendState, drawn: MapState, spaces: PosePad, page: Page) -> Parts:
    """The map as large as it goes; beside it what was told, and the keys."""
    body = page.body
    shown, beside = page.sides(body, _MAP_WIDE)
    if page.portrait:
        rows = sum(group.rows for group in state.pad)
        titles = sum(28.0 for group in state.pad if group.title)
        high = 84.0 + rows * 64.0 + titles
        shown, beside = body.top(body.high - high), body.below(body.high - high + 8)
    yield from touched_board(shown, drawn, spaces)
    if state.frame.refusal is not None:
        yield "refusal", narrow_refusal(beside.top(150), state.frame.refusal)
        beside = beside.below(156)
    else:
        words = beside.top(68)
        yield "was", Words(box=words.top(18), text="TOLD SO FAR", caps=15, tint=Colour.INK2)
        yield "told", Words(box=words.below(24), text=state.was, caps=20, lines=2)
        beside = beside.below(76)
    yield from pad(beside, state.pad, caps=18, most_high=60)


def _reason_parts(state: AmendState, row: Box) -> Parts:
    """Reasons as keys at the foot."""
    boxes = row.columns([1] * max(3, len(state.reasons)), gap=6)
    for n, (box, key) in enumerate(zip(boxes, state.reasons, strict=False)):
        yield f"reason/{n}", key_cap(box, key)


def _pads(state: AmendState, room: Box, page: Page) -> Parts:
    """The question's own pad; many groups stand in two columns, as they do on its screen.

    More keys than fingers find at once come in pages.
    """
    wider = [group for group in state.pad if group.columns > 3]
    others = [group for group in state.pad if group.columns <= 3]
    alone = not wider or not others
    if alone and (too_many(state.pad, room) or not _fit(state.pad, room, page)):
        yield from Menu(state.pad, page.theme).parts(room, state.pad_page, page)
        return
    if alone:
        yield from pad(room, state.pad, caps=16)
        return
    left, right = room.columns([1.2, 1], gap=16)
    if page.portrait or not _fit(wider, left, page) or too_many(others, right):
        yield from Menu(state.pad, page.theme).parts(room, state.pad_page, page)
        return
    yield from pad(left, wider, "left")
    yield from pad(right, others, "right")


def _fit(groups: Sequence[values.PadGroup], room: Box, page: Page) -> bool:
    """Whether every word of the keys finds room in its column; under a sign they have one line."""
    return all(
        text_wide(page.theme, word, Caps.DETAIL) <= room.wide / group.columns - 14
        for group in groups
        for one in group.keys
        for word in ([one.key.label] if one.key.sign else one.key.label.split())
    )
