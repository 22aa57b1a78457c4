"""One assumed figure as it is read off the table's own copy: spaces, several numbers, a heading."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from companion.games import find_rulebook
from companion.kit.hexes import Hex
from companion.match.rulebook import Setup
from ui.presenters.hex_poses import PosePad, enlarged, space_pad
from ui.scene.map import MapState, view_of
from ui.scene.scene import page_keys, quiet_frame
from ui.scene.values import Frame, Key, KeyLook, Message, PadGroup, PadKey
from ui.touch.actions import Panel, SetFigure, Show, TurnPage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.board import BoardPlan
    from companion.core.ruling import Json
    from companion.kit.figures import AssumedFigure
    from ui.scene.scene import Situation
    from ui.touch.view import View

LIST = Show(Panel.FIGURES)
"""Back to all of them."""


@dataclass(frozen=True, slots=True)
class FigureState:
    """What the figure is called and how it stands; spaces to touch on the map, or keys.

    Where `spaces` are asked, those that count are the chosen ones, and `map` lies under them.
    """

    frame: Frame
    label: str
    text: str
    cite: str
    groups: tuple[PadGroup, ...] = ()
    spaces: PosePad | None = None
    map: MapState | None = None


def is_changed_here(figure: AssumedFigure, plan: BoardPlan) -> bool:
    """Whether a screen of its own can change it; a name is written into the table's file."""
    return is_of_spaces(figure.value) or is_of_numbers(figure.value) or _is_heading(figure, plan)


def is_of_spaces(value: Json) -> bool:
    """Whether a figure is a list of spaces, each by its two coordinates.

    >>> is_of_spaces([[0, -3], [3, 0]]), is_of_spaces([]), is_of_spaces([1, 3]), is_of_spaces(4)
    (True, True, False, False)
    """
    return isinstance(value, list) and all(
        isinstance(item, list) and len(item) == 2 and is_of_numbers(item) for item in value
    )


def is_of_numbers(value: Json) -> bool:
    """Whether a figure is several whole numbers."""
    return isinstance(value, list) and bool(value) and all(type(item) is int for item in value)


def plan_of(situation: Situation, box: str) -> BoardPlan:
    """The board as this table has read it so far."""
    own = dict(situation.own_figures.get(box, {}))
    return find_rulebook(box)(Setup(box, cards=own)).plan


def present_figure(
    situation: Situation, view: View, figure: AssumedFigure, plan: BoardPlan
) -> FigureState:
    """The figure with whatever changes it; each touch is judged and kept at once."""
    pad = _spaces(situation, view, figure, plan) if is_of_spaces(figure.value) else None
    pages = page_keys(pad.page, pad.pages) if pad is not None else ()
    shown = view_of(plan, situation.settings.screen_side, {})
    return FigureState(
        frame=quiet_frame(
            situation,
            view,
            "CHECK THE BOX",
            find_rulebook(view.setup.box).title,
            keys=(Key("Back", LIST, sign="back"), *pages),
            message=Message("Touch the spaces." if pad is not None else "", str(figure.cite)),
            next_key=_next_key(pad),
        ),
        label=figure.label,
        text=figure.text or "none",
        cite=str(figure.cite),
        groups=_groups(figure, plan),
        spaces=pad,
        map=enlarged(shown.draw({}), pad) if pad is not None else None,
    )


def _next_key(pad: PosePad | None) -> Key:
    """On to the rest of the board, then back to the other figures."""
    if pad is not None and pad.page < pad.pages:
        return Key(
            "Rest of the board", TurnPage(1), f"{pad.page} of {pad.pages}", "next", KeyLook.GO
        )
    return Key("It is right", LIST, "to the other figures", "next", KeyLook.GO)


def _spaces(situation: Situation, view: View, figure: AssumedFigure, plan: BoardPlan) -> PosePad:
    """Every space of the board; a touch puts it among those that count, or takes it out."""
    listed = [(int(q), int(r)) for q, r in cast("Sequence[Sequence[int]]", figure.value)]
    touches = {
        name: SetFigure(figure.name, _toggled(listed, Hex.read(name)))
        for board in plan.boards
        if board.facings
        for name in (space.name for space in board.spaces)
    }
    chosen = {str(Hex(q, r)) for q, r in listed}
    shown = view_of(plan, situation.settings.screen_side, {})
    return space_pad(shown, touches, chosen, view.page)


def _toggled(listed: Sequence[tuple[int, int]], space: Hex) -> Json:
    kept: list[Json] = [[q, r] for q, r in listed if (q, r) != space]
    return kept if len(kept) < len(listed) else [*kept, [space.q, space.r]]


def _groups(figure: AssumedFigure, plan: BoardPlan) -> tuple[PadGroup, ...]:
    if is_of_numbers(figure.value):
        numbers = cast("Sequence[int]", figure.value)
        return tuple(_number(figure.name, numbers, at) for at in range(len(numbers)))
    if not _is_heading(figure, plan):
        return ()
    keys = [
        Key(
            name,
            SetFigure(figure.name, name),
            look=KeyLook.CHOSEN if name == figure.value else KeyLook.PLAIN,
        )
        for name in _headings(plan)
    ]
    return (PadGroup("", "", tuple(PadKey(key, 0, n) for n, key in enumerate(keys))),)


def _number(name: str, numbers: Sequence[int], at: int) -> PadGroup:
    """One of several numbers, with one less and one more."""

    def changed(by: int) -> SetFigure:
        return SetFigure(name, [*numbers[:at], numbers[at] + by, *numbers[at + 1 :]])

    less = Key("Less", changed(-1), f"to {numbers[at] - 1}", "minus")
    more = Key("More", changed(1), f"to {numbers[at] + 1}", "plus")
    if not numbers[at]:
        less = Key("Less", None, "none left", "minus", KeyLook.IMPOSSIBLE)
    title = f"{at + 1}. of {len(numbers)}: {numbers[at]}"
    return PadGroup(title, "", (PadKey(less, 0, 0), PadKey(more, 0, 1)))


def _is_heading(figure: AssumedFigure, plan: BoardPlan) -> bool:
    return figure.value in _headings(plan)


def _headings(plan: BoardPlan) -> tuple[str, ...]:
    return next((board.facings for board in plan.boards if board.facings), ())
