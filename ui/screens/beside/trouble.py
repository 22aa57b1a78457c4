"""Trouble: why no match goes on here, said plainly, and what is safe of it."""

from __future__ import annotations

from dataclasses import dataclass

from ui.scene.scene import RESTART
from ui.scene.theme import Caps, Colour, Face
from ui.scene.values import Band, Bottom, Key, KeyLook, Mark, ScreenFrame, TopBar
from ui.screens.page import Page, Parts
from ui.touch.actions import Back, Leave
from ui.widgets.key import BandPart
from ui.widgets.lettering import lines_of
from ui.widgets.pen import lines_high
from ui.widgets.words import Words


def _frame(go_on: Key) -> ScreenFrame:
    """A key to go on, and one that starts the app again."""
    return ScreenFrame(TopBar("TROUBLE"), Bottom((RESTART,), next=go_on))


SCREEN_FAILED = Band(("THE SCREEN FAILED",), mark=Mark.BAD)
FAILED = _frame(Key("Go on", Back(), "looks afresh", "right", KeyLook.GO))
MEANWHILE = _frame(Key("Play on", Back(), "kept elsewhere", "right", KeyLook.GO))
OVERTAKEN = _frame(Key("Home", Leave(), "to resume it from there", "back", KeyLook.GO))


@dataclass(frozen=True, slots=True)
class TroubleState:
    """What went wrong, in the program's own words, and the keys that lead on."""

    text: str
    band: Band = SCREEN_FAILED
    safe: str = "Every confirmed answer is on disk, and the clock runs on."
    frame: ScreenFrame = FAILED

    @classmethod
    def of(cls, error: Exception) -> TroubleState:
        """From an exception of ours."""
        return cls(f"{type(error).__name__}: {str(error) or 'no more is known'}")

    @classmethod
    def meanwhile(cls, why: str, place: str, *, in_memory: bool = False) -> TroubleState:
        """The record cannot be opened; what is played until it can is kept at another place.

        `in_memory`: it is lost where the machine is switched off before that.
        """
        mend = "Mend it and start again: what was played meanwhile comes home by itself."
        safe = f"Matches are kept in {place} until it can."
        if in_memory:
            mend = (
                "Start the machine again before you play; where that does not help, export each "
                "match before the power goes."
            )
            safe = "No disk takes matches: they are in memory, and gone with the power."
        return cls(
            f"{why.rstrip('.')}. {mend}",
            Band(("THE RECORD CANNOT BE OPENED",), mark=Mark.BAD),
            safe,
            MEANWHILE,
        )

    @classmethod
    def overtaken(cls, told: str) -> TroubleState:
        """Another program goes on with the match; `told` says which line it wrote."""
        return cls(
            told,
            Band(("ANOTHER PROGRAM HAS THIS MATCH",), mark=Mark.BAD),
            "Nothing is answered here any more: what was told since then does not count.",
            OVERTAKEN,
        )


_SAFE_CAPS = 24.0
_MOST = 9
"""Lines that a text may take."""


def layout(state: TroubleState, page: Page) -> Parts:
    """What is safe, what went wrong, and what leads on."""
    body = page.body
    yield "band", BandPart(box=body.top(92), band=state.band)
    room = body.below(104)
    safe_high = lines_high(lines_of(page.theme, state.safe, _SAFE_CAPS, room.wide), _SAFE_CAPS)
    yield "safe", Words(box=room.top(safe_high), text=state.safe, caps=_SAFE_CAPS, lines=_MOST)
    yield "text", Words(
        box=room.below(safe_high + 14), text=state.text, caps=Caps.BODY,
        tint=Colour.INK2, face=Face.MEDIUM, lines=_MOST, across="top",
    )  # fmt: skip
    yield from page.around(state.frame)
