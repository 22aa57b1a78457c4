"""Everything that presenters look at, gathered by the table at one moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ui.presenters.common import Device, Line
from ui.presenters.kept import Kept
from ui.table.settings import Settings

if TYPE_CHECKING:
    from companion.core.board import Look
    from companion.core.ruling import Json
    from companion.match.history import History
    from companion.referee.referee import Referee
    from ui.presenters.table_check import Picture
    from ui.table.calibration import EyesState


@dataclass(frozen=True, slots=True)
class PastMatch:
    """One match of the record: `summary` is how it ended, or what is asked next.

    `pieces` are the looks of what its sides fly; `begun`: a question was answered, or no
    later match was set up instead; `demonstration`: bots played it. `saved` tells of the damaged
    file that it comes from, at whose end lines may be lost.
    """

    match_id: str
    title: str
    subtitle: str
    players: tuple[str, ...]
    summary: str
    at: str
    ended: bool
    trouble: str = ""
    teams: tuple[Line, ...] = ()
    pieces: tuple[Look, ...] = ()
    begun: bool = True
    demonstration: bool = False
    saved: str = ""

    @property
    def offered(self) -> bool:
        """Whether home offers to go on with it: people began it, and it has no end."""
        return self.begun and not (self.ended or self.trouble or self.demonstration)


@dataclass(frozen=True, slots=True)
class Situation:
    """One table at one moment; `now` is monotonic s.

    `clock` turns a log line's UTC into the table's time of day, `day` into its date and time.
    `own_figures` are what this table has read off its own copies, by box, `own_files` where.
    `kept` are the pictures kept with the match. `checked` says that the table check of this match
    was left. `arbiter` is who corrects the record in this sitting (None: nobody was asked, empty:
    nobody says), `arbiters` who did of late. `eyes` is how well the camera knows where the boards
    lie; None without a camera.
    """

    now: float
    referee: Referee | None = None
    history: History | None = None
    match_id: str = ""
    settings: Settings = field(default_factory=Settings)
    settings_trouble: str = ""
    devices: tuple[Device, ...] = ()
    picture: Picture | None = None
    eyes: EyesState | None = None
    matches: tuple[PastMatch, ...] = ()
    parts: tuple[Line, ...] = ()
    clock: Callable[[str], str] = lambda at_utc: at_utc[11:19]
    day: Callable[[str], str] = lambda at_utc: at_utc[:16].replace("T", " ")
    own_figures: Mapping[str, Mapping[str, Json]] = field(default_factory=dict[str, Any])
    own_files: Mapping[str, str] = field(default_factory=dict[str, str])
    code: str = ""
    checked: bool = True
    arbiter: str | None = None
    arbiters: tuple[str, ...] = ()
    kept: Kept = field(default_factory=Kept)
    table_name: str = ""
