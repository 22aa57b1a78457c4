"""Home: the open match, and what else can be done."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ui.presenters.devices import device_lines
from ui.scene.scene import quiet_frame
from ui.scene.values import Frame, Key, KeyLook, Line, Mark, Message
from ui.touch.actions import Panel, ResumeMatch, Show, ShowDemo

if TYPE_CHECKING:
    from companion.core.board import Look
    from ui.scene.scene import PastMatch, Situation
    from ui.touch.view import View


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """The match to go on with: title, game and place, a line a team (`right`: decks).

    `pieces` are the looks of what the sides fly.
    """

    title: str
    subtitle: str
    saved: str
    teams: tuple[Line, ...]
    asked_next: str
    resume: Key
    pieces: tuple[Look, ...] = ()


@dataclass(frozen=True, slots=True)
class HomeState:
    """`keys`: New match, Past matches, Rules, Show a demo, Settings; `devices`: the foot."""

    frame: Frame
    open: OpenMatch | None
    keys: tuple[Key, ...]
    devices: tuple[Line, ...]


KEYS = (
    Key("New match", Show(Panel.NEW_MATCH), "box, seats, timer, house rules", "cards"),
    Key("Past matches", Show(Panel.PAST), sign="log"),
    Key("Rules", Show(Panel.RULES), sign="eye"),
    Key("Show a demo", ShowDemo(), sign="play"),
    Key("Settings", Show(Panel.SETTINGS), sign="settings"),
)


def present_home(situation: Situation, view: View) -> HomeState:
    """The newest match that people began and can go on with, and the table's devices."""
    open_match = next((m for m in situation.matches if m.offered), None)
    trouble = Message(
        situation.settings_trouble, mark=Mark.WARN if situation.settings_trouble else Mark.NONE
    )
    return HomeState(
        frame=quiet_frame(
            situation, view, "DOGFIGHT COMPANION", situation.table_name, keys=(), message=trouble
        ),
        open=_open_match(situation, open_match) if open_match is not None else None,
        keys=KEYS,
        devices=(*_foot(situation), *situation.parts),
    )


def _foot(situation: Situation) -> list[Line]:
    """The devices in a word each: the way out stands in their own list."""
    lines = device_lines(situation)
    return [replace(line, value=line.value.partition(". ")[0]) for line in lines]


def _open_match(situation: Situation, match: PastMatch) -> OpenMatch:
    teams = match.teams or tuple(Line(players) for players in match.players)
    resume = ResumeMatch(match.match_id)
    return OpenMatch(
        title=match.title.upper(),
        subtitle=match.subtitle,
        saved=f"SAVED {situation.clock(match.at)}",
        teams=teams,
        asked_next=match.summary,
        resume=Key("Resume", resume, "goes on where it was left", "play", KeyLook.GO),
        pieces=match.pieces,
    )
