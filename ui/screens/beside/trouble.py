"""Trouble: a mistake of the program itself, said plainly; everything confirmed is on disk."""

from __future__ import annotations

from dataclasses import dataclass

from ui.scene.theme import Caps, Colour, Face
from ui.scene.values import Band, Bottom, Frame, Key, KeyLook, Mark, TopBar
from ui.screens.page import Page, Parts
from ui.touch.actions import Back
from ui.widgets.key import BandPart
from ui.widgets.words import Words


@dataclass(frozen=True, slots=True)
class TroubleState:
    """What went wrong, in the program's own words."""

    kind: str
    text: str

    @classmethod
    def of(cls, error: Exception) -> TroubleState:
        """From an exception of ours."""
        return cls(type(error).__name__, str(error) or "no more is known")


def layout(state: TroubleState, page: Page) -> Parts:
    """What is safe, what went wrong, and one key to go on."""
    body = page.body
    yield "band", BandPart(box=body.top(92), band=Band(("THE SCREEN FAILED",), mark=Mark.BAD))
    room = body.below(104)
    yield "safe", Words(
        box=room.top(60), text="Every confirmed answer is on disk, and the clock runs on.",
        caps=24, lines=2,
    )  # fmt: skip
    yield "text", Words(
        box=room.below(72).top(120), text=f"{state.kind}: {state.text}", caps=Caps.BODY,
        tint=Colour.INK2, face=Face.MEDIUM, lines=4, across="top",
    )  # fmt: skip
    go_on = Key("Go on", Back(), "looks afresh", "right", KeyLook.GO)
    yield from page.around(Frame(TopBar("TROUBLE"), Bottom(next=go_on)))
