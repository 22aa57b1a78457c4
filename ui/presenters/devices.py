"""The devices in full: one line each, worst first, with what mends them."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.common import Frame, Line


@dataclass(frozen=True, slots=True)
class DevicesState:
    """`lines`: state, name, text, age; a line that is not live carries a Retry key."""

    frame: Frame
    lines: tuple[Line, ...]
