"""Home: the open match, and what else can be done."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.common import Frame, Key, Line


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """The match to go on with: title, game and place, a line a team (`right`: decks)."""

    title: str
    subtitle: str
    saved: str
    teams: tuple[Line, ...]
    asked_next: str
    resume: Key


@dataclass(frozen=True, slots=True)
class HomeState:
    """`keys`: New match, Past matches, Rules, Show a demo, Settings; `devices`: the foot."""

    frame: Frame
    open: OpenMatch | None
    keys: tuple[Key, ...]
    devices: tuple[Line, ...]
