"""One table put together without Kivy: camera, signals, referee and record.

The app, the terminal and the demonstration use the same `Table`; they differ in who touches. All
time is monotonic seconds of the clock that is handed in, so a demonstration may step it.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.core.errors import BadCall, RecordDamaged, RecordError
from companion.core.offers import CardEvent, Offer, Press, Sighting, SignalEvent, Stamp
from companion.core.ruling import TABLE, Seat
from companion.games import RULEBOOKS, find_rulebook
from companion.match.entry import app_version
from companion.match.history import History
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.record.keeping import MatchKeeping
from companion.referee.desk import Happening, Listeners
from companion.referee.referee import Referee
from hardware.panel.desk import DeskPanel
from hardware.signals.both import BothSignals
from hardware.signals.client import SignalClient
from hardware.signals.folder import boot_id
from ui.scene.scene import PastMatch, Situation
from ui.scene.values import Device, DeviceState, Line, Mark
from ui.table.evidence import EvidenceKeeping, RoundEyes, kept_of, utc_of
from ui.table.eyes import picture_of
from ui.table.past_matches import latest_arbiters, logbook_link, past_matches
from ui.table.settings import Settings
from ui.table.settings_file import OwnFigures, SettingsFile
from ui.table.signals import TableSignals, box_devices, sense_tracks, signals_device

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.ruling import Json
    from companion.record.record import Record
    from ui.table.camera_watch import CameraWatch
    from ui.table.eyes import TableEyes


# Room for the record: the line at the foot of home.

LABEL = "Disk space"
LOW_MB, FULL_MB = 200, 20
LARGE_MB = 10_000
MEGABYTE = 1_000_000


def disk_line(record: Record) -> tuple[Line, ...]:
    """One line; none for a record on a server."""
    if record.read_only:
        return (Line(LABEL, f"read-only: {record.read_only}", Mark.BAD),)
    path = Path(record.name)
    if "://" in record.name or not path.parent.exists():
        return ()
    free_mb = shutil.disk_usage(path.parent).free // MEGABYTE
    mark = Mark.OK if free_mb >= LOW_MB else Mark.WARN if free_mb >= FULL_MB else Mark.BAD
    return (Line(LABEL, f"{_in_words(free_mb)} left", mark),)


def _in_words(free_mb: int) -> str:
    """In the unit in which people have the figure before them.

    >>> _in_words(61), _in_words(76152)
    ('61 MB', '76 GB')
    """
    return f"{free_mb} MB" if free_mb < LARGE_MB else f"{free_mb // 1000} GB"


# Times of log lines, as people at this table read them.


def time_of_day(at_utc: str) -> str:
    """A log line's UTC as this table's time of day; as it stands where it is none."""
    return _here(at_utc, "%H:%M:%S")


def date_and_time(at_utc: str) -> str:
    """A log line's UTC as this table's date and time; as it stands where it is none."""
    return _here(at_utc, "%Y-%m-%d %H:%M")


def _here(at_utc: str, form: str) -> str:
    try:
        at = datetime.fromisoformat(at_utc)
    except ValueError:
        return at_utc
    return at.astimezone().strftime(form)


# The table.

UtcClock = Callable[[], datetime]

ROOM_EVERY_S = 10.0
NO_CAMERA = Device(
    "CAM",
    DeviceState.ABSENT,
    None,
    "Camera",
    "none chosen",
    "Settings, Camera; until then the table goes on by touch.",
)


class Table:
    """One table: at most one match under way. Owned by one thread, which calls `tick`.

    `watch` is the camera (None: all goes by touch), `eyes` the file that tells it where boards lie,
    `signals` what sounds (None: the screen counts alone). Each match has the companion's version.
    """

    def __init__(
        self,
        record: Record,
        settings: SettingsFile,
        *,
        watch: CameraWatch | None = None,
        eyes: TableEyes | None = None,
        signals: SignalClient | DeskPanel | None = None,
        clock: Callable[[], float] = time.monotonic,
        utc: UtcClock = lambda: datetime.now(UTC),
    ) -> None:
        self.record = record
        self.settings_file = settings
        self.watch = watch
        self.eyes = eyes
        self.signals = signals
        self.clock = clock
        self.referee: Referee | None = None
        self.keeping: MatchKeeping | None = None
        self.listeners = Listeners()
        self.checked = False
        self.arbiter: str | None = None
        """Who corrects the record in this sitting; None until asked, empty where nobody says."""
        self._arbiters: tuple[str, ...] = ()
        self._history: History | None = None
        self._utc = utc
        self._boot = boot_id()
        self._began = 0.0
        self.rounds = RoundEyes(watch)
        self.evidence: EvidenceKeeping | None = None
        self._past: tuple[PastMatch, ...] | None = None
        self._started_with = settings.settings
        self._own = {box: self._load_figures(box) for box in RULEBOOKS}
        self._parts: tuple[Line, ...] = ()
        self._parts_at = float("-inf")
        if watch is not None:
            watch.listeners.append(self._see)
        self.sounding = TableSignals(signals, settings.settings, self._signal, self._press)
        if isinstance(signals, BothSignals):
            signals.on_card = self._card

    # -- what devices report, from any thread ----------------------------------------------

    def _see(self, sighting: Sighting) -> None:
        if self.referee is not None:
            self.referee.see(sighting)

    def _signal(self, event: SignalEvent) -> None:
        self.rounds.signal(event)
        if self.referee is not None:
            self.referee.signal(event)

    def _press(self, press: Press) -> None:
        if self.referee is not None:
            self.referee.press(press)

    def _card(self, event: CardEvent) -> None:
        if self.referee is not None:
            self.referee.card(event)

    # -- matches ---------------------------------------------------------------------------

    @property
    def match(self) -> Match[Any] | None:
        """The match under way."""
        return self.referee.match if self.referee is not None else None

    @property
    def match_id(self) -> str:
        """What the record calls it; empty while the disk took nothing of it."""
        return self.keeping.match_id if self.keeping is not None else ""

    def new_match(self, setup: Setup) -> None:
        """Begin a match; BadCall or BadFile where the set-up is wrong, and nothing is begun."""
        named = replace(setup, app_version=app_version())
        self._began = self.clock()
        match = Match[Any].start(named, self._stamp(str(TABLE), self._began))
        self._stand(match, MatchKeeping(self.record, match, self._boot), written=0)
        self.checked = False
        self.rounds.new_match()

    def resume(self, match_id: str) -> str:
        """Go on with a match of the record where its last line left it.

        Returns which damaged file it was saved from, in a sentence; empty where from none.

        A round that a living signal process runs is adopted; else it stands paused with the rest
        last noted. RecordDamaged or Drift: it can only be looked at.
        """
        loaded = self.record.load(match_id)
        if loaded.damage is not None:
            raise RecordDamaged(f"{loaded.damage} It can be looked at, not gone on with.")
        match = Match[Any].replay(loaded.entries)
        self._began = self.clock() - loaded.entries[-1].match_s
        keeping = MatchKeeping(self.record, match, self._boot, match_id)
        self._stand(match, keeping, written=len(loaded.entries))
        self.checked = True
        return loaded.saved

    def _stand(self, match: Match[Any], keeping: MatchKeeping, *, written: int) -> None:
        self.leave()
        self._look_for(match)
        now = self.clock()
        referee = Referee(
            match,
            keeping.for_referee(),
            self._stamp,
            signals=self.signals,
            round_prefix=f"{match.entries[0].at_utc}/",
            written=written,
        )
        referee.listeners.append(partial(self._happened, referee))
        self.referee, self.keeping, self._history = referee, keeping, History.following(match)
        if self.watch is not None:
            utc_at = utc_of(self.clock, self._utc)
            self.evidence = EvidenceKeeping(match, self.watch, self._evidence_folder, utc_at)
        if self.watch is not None and self.watch.sighting is not None:
            referee.see(self.watch.sighting)
        referee.begin(now)
        self.sounding.begin(referee)
        referee.tick(now)

    def _look_for(self, match: Match[Any]) -> None:
        """The camera looks for the boards and pieces of this match's box."""
        plan = getattr(match.rulebook, "plan", None)  # a game may have no boards
        if self.watch is not None and plan is not None:
            self.watch.look_for(plan)

    def leave(self) -> None:
        """Put the match away; it stays in the record, and a running round is paused first."""
        if self.referee is not None:
            self.referee.halt(self.clock(), reason="the match was left")
        self._end_evidence()
        if self.eyes is not None:
            self.eyes.put_away()
        self.referee = self.keeping = self._history = self._past = None

    def _end_evidence(self) -> None:
        keeping, self.evidence = self.evidence, None
        if keeping is not None:
            keeping.close()

    def close(self) -> None:
        """Let go of everything; a running round goes on in the signal process."""
        self._end_evidence()
        self.referee = self.keeping = self._history = None
        if self.watch is not None:
            self.watch.close()
        self.sounding.close()
        self.record.close()

    # -- time ------------------------------------------------------------------------------

    def tick(self, now: float | None = None) -> None:
        """Do what was queued and what time brings; call it many times a second."""
        moment = self.clock() if now is None else now
        self.sounding.tick(moment)
        if self.referee is not None and not self.referee.overtaken:
            sense_tracks(self.signals, self.referee.tracks)
            self.referee.tick(moment)
            self.rounds.tick(self.referee, self.evidence, moment)

    def _evidence_folder(self) -> Path:
        """Beside the record; RecordError while nothing of the match is on disk."""
        if not self.match_id:
            raise RecordError("no picture is kept: nothing of this match is on disk yet")
        return self.record.evidence(self.match_id)

    def keep_clip(self, seq: int) -> None:
        """Keep a clip of the last seconds with a line of the log; BadCall without a picture."""
        if self.evidence is None:
            raise BadCall("no camera is chosen, so there is no clip to keep")
        self.evidence.keep_clip(seq, self.clock())

    def _stamp(self, author: str, now: float) -> Stamp:
        at = self._utc().astimezone(UTC)
        text = at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}Z"
        return Stamp(author, text, round(max(0.0, now - self._began), 3))

    # -- what a touch does -----------------------------------------------------------------

    def offer(self, key: str, opened: int, raw: Json, source: str) -> bool:
        """Offer an answer now; whether it was taken (else `referee.refused` says why)."""
        referee = self.refereed()
        question = referee.match.open.get(key)
        by = question.by if question is not None else Seat(str(TABLE))
        now = self.clock()
        lines = len(referee.match.entries)
        referee.post(Offer(key, raw, source, by, opened, now))
        self.tick(now)
        return len(referee.match.entries) > lines

    def ask_arbiter(self) -> bool:
        """Whether somebody must be asked who the arbiter is: once a sitting, of no demonstration.

        Those who corrected matches of late are looked up to be offered.
        """
        if self.arbiter is not None or self.refereed().match.setup.demonstration:
            return False
        self._arbiters = latest_arbiters(self.record)
        return True

    def refereed(self) -> Referee:
        """The referee of the match under way; BadCall where there is none."""
        if self.referee is None:
            raise BadCall("no match is under way: begin or resume one first")
        return self.referee

    def look_again(self) -> None:
        """Forget what was seen, the tracker's memory included."""
        if self.watch is not None:
            self.watch.look_again()
        if self.referee is not None:
            self.referee.look_again()

    def calibrate(self) -> None:
        """Find the boards of this match anew, and keep where they lie in the table's file."""
        if self.eyes is not None and self.watch is not None:
            self.eyes.calibrate(self.watch, getattr(self.refereed().match.rulebook, "plan", None))

    def set_setting(self, name: str, value: object) -> None:
        """Change one of the table's settings, on disk too; BadCall names what is allowed."""
        settings = self.settings.changed(name, value)
        self.settings_file = self.settings_file.saved(settings)
        self.sounding.obey(settings)

    # -- what was read off this table's own boxes ------------------------------------------

    def _load_figures(self, box: str) -> OwnFigures:
        return OwnFigures.load(self.settings_file.path.parent, find_rulebook(box))

    def figures_of(self, box: str) -> Mapping[str, Json]:
        """What this table has read off its own copy of a box; nothing, if nobody has."""
        return self._own[box].figures

    def set_figure(self, box: str, name: str, value: Json) -> None:
        """Keep a figure as it was read; BadFile names what is allowed."""
        figures = find_rulebook(box).figures
        if figures is None:
            raise BadCall(f"{box} has no figures to read off the board")
        self._own[box] = self._own[box].saved(figures.changed(self.figures_of(box), name, value))

    def confirm_figures(self, box: str) -> None:
        """Keep all figures of a box as they stand, under this day's date."""
        figures = find_rulebook(box).figures
        if figures is None:
            raise BadCall(f"{box} has no figures to read off the board")
        called = f"this table, {self._utc():%Y-%m-%d}"
        self._own[box] = self._own[box].saved(figures.confirmed(self.figures_of(box), called))

    def keep_learned(self) -> None:
        """Keep what the match under way has taught; BadCall where that is nothing, or no room."""
        match = self.refereed().match
        own = self._own[match.setup.box].learning(match)
        if own.unwritten:
            raise BadCall(own.unwritten)
        self._own[match.setup.box] = own

    @property
    def settings(self) -> Settings:
        """The table's settings."""
        return self.settings_file.settings

    def export_match(self) -> Path:
        """Write the match to one file beside the record; its path."""
        self.refereed()
        folder = self.record.evidence(self.match_id)
        path = folder / f"{self.match_id}.jsonl"
        path.write_text(self.record.export(self.match_id), "utf-8")
        return path

    def retry(self, device: str) -> None:
        """Try a lost device again."""
        if device == "CAM" and self.watch is not None:
            self.watch.retry()
        if device == "PINS":
            self.sounding.retry()
        if device == "BOX" and isinstance(self.signals, BothSignals):
            self.signals.box.retry()

    # -- what is shown ---------------------------------------------------------------------

    def devices(self, now: float) -> tuple[Device, ...]:
        """Every device with its state and age."""
        camera = self.watch.device(now) if self.watch is not None else NO_CAMERA
        return (camera, signals_device(self.signals), *box_devices(self.signals, self.referee))

    def situation(self) -> Situation:
        """Everything that screens look at, now."""
        now = self.clock()
        match = self.match
        return Situation(
            now=now,
            referee=self.referee,
            history=self._history,
            match_id=self.match_id,
            settings=self.settings,
            settings_trouble=self._file_trouble(),
            started_with=self._started_with,
            own_figures={box: own.figures for box, own in self._own.items()},
            own_files={box: str(own.kept_path) for box, own in self._own.items()},
            devices=self.devices(now),
            picture=picture_of(self.watch, now),
            eyes=self.eyes.state if self.eyes is not None and self.watch is not None else None,
            matches=self._past_matches() if match is None else (),
            parts=self._room(now),
            clock=time_of_day,
            day=date_and_time,
            code=logbook_link(match, self.match_id) if match is not None else "",
            checked=self.checked,
            arbiter=self.arbiter,
            arbiters=self._arbiters,
            kept=kept_of(self.evidence),
        )

    def _file_trouble(self) -> str:
        """What is wrong with the first of the table's own files that cannot be used."""
        troubles = (
            self.settings_file.trouble,
            *(own.unwritten or own.trouble for own in self._own.values()),
        )
        return next((trouble for trouble in troubles if trouble), "")

    def _past_matches(self) -> tuple[PastMatch, ...]:
        """Read once, and again when a match was put away."""
        if self._past is None:
            self._past = past_matches(self.record)
        return self._past

    def _room(self, now: float) -> tuple[Line, ...]:
        """How much the disk still takes; looked at now and then."""
        if now - self._parts_at >= ROOM_EVERY_S:
            self._parts, self._parts_at = disk_line(self.record), now
        return self._parts

    def _happened(self, referee: Referee, happening: Happening) -> None:
        self.sounding.follow(referee, happening)
        if happening is Happening.CONFIRMED and self.match is not None:
            box = self.match.setup.box
            self._own[box] = self._own[box].keeping(self.match)
        self.listeners.tell(happening)
