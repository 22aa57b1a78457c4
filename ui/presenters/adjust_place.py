"""Adjust: where a piece with a heading stands, touched on the map, then which way it looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.presenters.figure import FigureState
from ui.presenters.hex_poses import enlarged, space_pad
from ui.scene.scene import page_keys
from ui.scene.values import Key, KeyLook, Message, PadGroup, PadKey
from ui.touch.actions import Panel, SetAdjust, Show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.board import BoardPlan
    from companion.core.ruling import Fact, Json
    from ui.presenters.hex_poses import PosePad
    from ui.scene.scene import Scene

WHOLE = Show(Panel.ADJUST)
"""Back to everything that is being set."""
HEADING = "/heading"
"""After the name of a place: its heading is asked."""
OFF_THE_BOARD = ""


def is_place(plan: BoardPlan, choices: Sequence[Json]) -> bool:
    """Whether a quantity is a place with a heading: whatever may be chosen is one, or nothing."""
    places = [str(choice) for choice in choices if choice != OFF_THE_BOARD]
    return bool(places) and all(_parts(plan, place) is not None for place in places)


def present_place(scene: Scene, fact: Fact) -> FigureState:
    """The board to touch, or the headings of the space that stands."""
    asks_heading = scene.view.panels[-1][1].endswith(HEADING)
    pad = None if asks_heading else _spaces(scene, fact)
    pages = page_keys(pad.page, pad.pages) if pad is not None else ()
    back = Show(Panel.ADJUST, fact.name) if asks_heading else WHOLE
    placed = scene.map.draw(scene.match.position.placement())
    return FigureState(
        frame=scene.frame(
            "ADJUST",
            "space, then heading",
            keys=(Key("Back", back, sign="back"), *pages),
            message=Message("Touch the space." if pad is not None else "Which way does it look?"),
            next_key=_next_key(fact, pad),
        ),
        label=f"{scene.names.player(fact.seat)}: {fact.label.lower()}",
        text=_stands(scene, fact) or "off the board",
        cite=str(scene.match.rulebook.corrections),
        groups=_headings(scene, fact) if asks_heading else (),
        spaces=pad,
        map=enlarged(placed, pad) if pad is not None else None,
    )


def _next_key(fact: Fact, pad: PosePad | None) -> Key:
    """On to the heading, then back to what is written."""
    if pad is None:
        return Key("It is right", WHOLE, "then a reason", "next", KeyLook.GO)
    heading = Show(Panel.ADJUST, fact.name + HEADING)
    return Key("Heading", heading, "or off the board", "next", KeyLook.GO)


def _stands(scene: Scene, fact: Fact) -> str:
    """The place as it is written here, else as it is recorded."""
    return str(dict(scene.view.adjusting).get(fact.name, fact.value))


def _spaces(scene: Scene, fact: Fact) -> PosePad:
    """Every space on which pieces stand; a touch puts the piece there, looking as it does."""
    plan = scene.map.plan
    space, heading = _parts(plan, _stands(scene, fact)) or ("", "")
    touches = {
        name: SetAdjust(fact.name, f"{name} {heading or board.facings[0]}")
        for name, board in plan.board_of.items()
        if board.facings
    }
    return space_pad(scene.map, touches, {space}, scene.view.page)


def _headings(scene: Scene, fact: Fact) -> tuple[PadGroup, ...]:
    """The headings of the space that stands, and off the board."""
    plan, stands = scene.map.plan, _stands(scene, fact)
    space, heading = _parts(plan, stands) or ("", "")
    names = plan.board_of[space].facings if space else ()
    keys = [
        Key(name, SetAdjust(fact.name, f"{space} {name}"), look=_look(chosen=name == heading))
        for name in names
    ]
    off = Key("Off the board", SetAdjust(fact.name, OFF_THE_BOARD), look=_look(chosen=not stands))
    turned = PadGroup("", "", tuple(PadKey(key, 0, n) for n, key in enumerate(keys)))
    gone = PadGroup("", "", (PadKey(off, 0, 0),))
    return (turned, gone) if keys else (gone,)


def _look(*, chosen: bool) -> KeyLook:
    return KeyLook.CHOSEN if chosen else KeyLook.PLAIN


def _parts(plan: BoardPlan, place: str) -> tuple[str, str] | None:
    """Space and heading of a place as people write it; None if it is none."""
    space, _, heading = place.rpartition(" ")
    board = plan.board_of.get(space)
    return (space, heading) if board is not None and heading in board.facings else None
