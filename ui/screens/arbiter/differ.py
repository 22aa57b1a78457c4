"""Table and record differ: nothing is ruled until one of the three keys says how to go on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.core.ruling import Move
from ui.scene.deeds import LIT, move_in_words, place_in_words
from ui.scene.map import MapState
from ui.scene.scene import ARBITER_KEY
from ui.scene.theme import Caps, Colour
from ui.scene.values import Band, Key, KeyLook, Mark, ScreenFrame
from ui.scene.words import age_in_words
from ui.screens.page import Page, Parts, stacked
from ui.touch.actions import AcceptTable, FollowRecord, LookAgain, Panel, Show
from ui.widgets.board_map import board_map
from ui.widgets.key import BandPart, key_cap
from ui.widgets.words import Words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.core.board import Piece, Pose
    from companion.referee.sight import Difference
    from ui.scene.scene import Scene


@dataclass(frozen=True, slots=True)
class DifferState:
    """Band: what is seen. Causes open the fitting amend.

    Map: solid the table, dashed the record, the hand's path to it; of a field where both lie.

    The bottom row is wide: Undo, Arbiter, Look again, Accept table (held), Follow the record.
    """

    frame: ScreenFrame
    band: Band
    map: MapState
    causes: tuple[Key, ...]


MOST_CAUSES = 3


def present_differ(scene: Scene) -> DifferState:
    """The camera sees what the record does not say: nothing is ruled until somebody decides."""
    found = scene.referee.undecided
    return DifferState(
        frame=scene.frame(
            "TABLE AND RECORD DIFFER",
            "nothing is ruled",
            keys=(scene.undo_key(), ARBITER_KEY, _look_key(scene), _accept_key()),
            next_key=_follow_key(scene, found[0]),
            wide=True,
        ),
        band=_band(scene, found),
        map=map_of_both(scene, {one.piece: one.seen for one in found}),
        causes=_causes(scene, found[0]),
    )


def map_of_both(scene: Scene, seen: Mapping[Piece, Pose]) -> MapState:
    """Solid where pieces are seen, dashed where the record has them, and the hand's way there."""
    recorded = scene.match.position.placement()
    ghosts = {piece: recorded[piece] for piece in seen if piece in recorded}
    on_table = {**recorded, **seen}
    return scene.map.draw(on_table, ghosts=ghosts, arrows=True, legend="record").homeward()


def _band(scene: Scene, found: Sequence[Difference]) -> Band:
    first = found[0]
    legal = ", ".join(place(scene, pose) for pose in first.legal)
    record = f"The record has {place(scene, first.recorded)}"
    note = f"{record}; legal now: {legal}" if legal else record
    if is_early(scene, first):
        note = f"It was laid early: nobody has placed the {piece_name(scene, first.piece)} yet"
    queue = f"1 of {len(found)}" if len(found) > 1 else ""
    words = f"{piece_name(scene, first.piece)} on {place(scene, first.seen)}".upper()
    return Band((words,), mark=Mark.WARN, note=note, queue=queue)


def piece_name(scene: Scene, piece: Piece) -> str:
    """What the box calls a piece."""
    token = scene.map.plan.token_of.get(piece)
    return token.label if token is not None else str(piece)


def place(scene: Scene, pose: Pose | None) -> str:
    """A place as people say it: the printed label, with the board's owner."""
    if pose is None:
        return "no board"
    named = place_in_words(scene, pose)
    return "another space" if named == LIT else named


def _look_key(scene: Scene) -> Key:
    sighting = scene.referee.sight.sighting
    age = age_in_words(scene.now - sighting.taken_at) if sighting is not None else ""
    return Key("Look again", LookAgain(), f"seen {age} ago" if age else "", "eye")


def _accept_key() -> Key:
    return Key("Accept table", AcceptTable(), "hold", "", KeyLook.HOLD)


def _follow_key(scene: Scene, first: Difference) -> Key:
    name = piece_name(scene, first.piece)
    if is_early(scene, first):
        return Key("Go on", FollowRecord(), f"{name}: asked for later", "", KeyLook.GO)
    home = move_in_words(scene, Move(first.piece, first.seen, first.recorded))
    return Key("Follow the record", FollowRecord(), home, "", KeyLook.GO)


def _causes(scene: Scene, first: Difference) -> tuple[Key, ...]:
    """The likeliest first: a deed not done, the last answer read wrongly, a token knocked."""
    if is_early(scene, first):
        words = "leave it, or take it off"
        return (Key("It was laid out before its turn", FollowRecord(), words),)
    causes: list[Key] = []
    moved = _last_move_of(scene, first.piece)
    if moved is not None:
        rule, seq = moved
        causes.append(Key("A move was not carried out", FollowRecord(), f"{rule}: do it now"))
        told = scene.history.told.get(seq)
        words = f"amend {told.said}" if told is not None else "amend the answer"
        causes.append(Key("Another card was played", Show(Panel.AMEND, str(seq)), words))
    causes.append(Key("The piece was knocked", FollowRecord(), "nobody moved it: put it back"))
    return tuple(causes[:MOST_CAUSES])


def is_early(scene: Scene, found: Difference) -> bool:
    """Whether a piece lies there before its turn: no ruling has placed it, or taken it off."""
    return found.is_early and _last_move_of(scene, found.piece) is None


def _last_move_of(scene: Scene, piece: Piece) -> tuple[str, int] | None:
    """The rule of the last ruling that moved this piece, and the line that brought it."""
    for seq, _, rulings in reversed(scene.match.ruled_by()):
        for ruling in reversed(rulings):
            if any(getattr(deed, "piece", None) == piece for deed in ruling.deeds):
                return str(ruling.cite), seq
    return None


# Layout.

_BAND_HIGH = 112.0
_CAUSES_WIDE = 300.0
_UPRIGHT_MAP = 196.0


def layout(state: DifferState, page: Page) -> Parts:
    """Band, map, causes; the answers fill the bottom row."""
    body = page.body
    band = body.top(_BAND_HIGH)
    if state.frame.refusal is not None:
        yield from page.refusal(band, state.frame.refusal)
    else:
        yield "band", BandPart(box=band, band=state.band)
    below = body.below(_BAND_HIGH + 6)
    shown, causes = page.sides(below, body.wide - _CAUSES_WIDE - 12)
    if page.portrait:
        high = 34.0 + 62.0 * len(state.causes)
        above = min(_UPRIGHT_MAP, below.high - high)
        shown, causes = below.top(above), below.below(above + 6)
    yield from board_map(shown, state.map)
    yield (
        "causes",
        Words(box=causes.top(24), text="LIKELIEST CAUSES", caps=Caps.DETAIL, tint=Colour.INK2),
    )
    for n, (box, key) in enumerate(
        zip(stacked(causes.below(26), len(state.causes[:3]), high=56), state.causes, strict=False)
    ):
        yield f"cause/{n}", key_cap(box, key, caps=16, align="left")
    yield from page.around(state.frame)
