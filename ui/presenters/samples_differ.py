"""Sample states of a table that differs from the record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.core.board import Piece
from ui.presenters.common import Band, Key, KeyLook, Mark
from ui.presenters.differ import DifferState
from ui.presenters.sample_parts import MAP, frame, placed
from ui.presenters.states import ScreenState
from ui.touch.actions import AcceptTable, AskUndo, FollowRecord, LookAgain, Panel, Show

DIFFER = DifferState(
    frame(
        "TABLE AND RECORD DIFFER",
        "nothing is ruled",
        keys=(
            Key("Undo", AskUndo(), sign="undo"),
            Key("Look again", LookAgain(), "0.2 s old", "eye"),
            Key("Accept table", AcceptTable(), "hold · arbiter", "", KeyLook.HOLD),
        ),
        next_key=Key("Follow the record", FollowRecord(), "Paws plane to GR", "", KeyLook.GO),
        wide=True,
    ),
    Band(
        ("PAWS PLANE ON GC",),
        mark=Mark.WARN,
        note="The record says Jaws GR: Plane Left, own moved it (JP-12.3)",
    ),
    MAP.draw(
        placed(),
        ghosts={Piece("paws"): placed(paws="Jaws.GR")[Piece("paws")]},
        arrows=True,
        legend="record",
    ).homeward(),
    (
        Key("The plane was not moved", FollowRecord(), "JP-12.3: move it to GR"),
        Key("Token knocked", FollowRecord(), "nobody moved it"),
        Key("Another card was played", Show(Panel.AMEND, "4"), "amend Paws 3"),
    ),
)

DIFFERS: Mapping[str, ScreenState] = {
    "differ": DIFFER,
    "differ-early": replace(
        DIFFER,
        frame=replace(
            DIFFER.frame,
            bottom=replace(
                DIFFER.frame.bottom,
                next=Key("Go on", FollowRecord(), "Sun: asked for later", "", KeyLook.GO),
            ),
        ),
        band=Band(
            ("SUN ON JAWS PL",),
            mark=Mark.WARN,
            note="It was laid early: nobody has placed the Sun yet",
        ),
        map=MAP.draw(placed(sun="Jaws.PL"), legend="record").homeward(),
        causes=(
            Key(
                "It was laid out before its turn",
                FollowRecord(),
                "leave it, or take it off",
            ),
        ),
    ),
}
