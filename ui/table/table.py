"""One table put together without Kivy: camera, signals, referee and record.

The app, the terminal and the demonstration use the same `Table`; they differ in who touches. All
time is monotonic seconds of the clock that is handed in, so a demonstration may step it.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.core.errors import BadCall, RecordDamaged, RecordError
from companion.core.offers import CardEvent, Offer, Press, SignalEvent, Stamp
from companion.core.ruling import TABLE, Json, Seat
from companion.games import RULEBOOKS, find_rulebook
from companion.match.entry import app_version
from companion.match.history import History
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.referee.desk import Happening, Listeners
from companion.referee.referee import Referee
from hardware.panel.desk import DeskPanel
from hardware.signals.both import BothSignals
from hardware.signals.client import SignalClient
from hardware.signals.folder import boot_id
from ui.scene.map import turn_of
from ui.scene.scene import Exchanging, Situation
from ui.scene.values import Device, DeviceState, Line, Mark
from ui.scene.words import told_age_s
from ui.sharing.logbook import logbook_link
from ui.table import evidence
from ui.table.club import Beside, Patience, keeping_of
from ui.table.exchange import Exchange, Makers, sound_by, watch_by
from ui.table.export import in_words
from ui.table.eyes import ShownEyes, TableEyes
from ui.table.looking_ahead import LookingBack
from ui.table.past_matches import PastShelf, latest_arbiters
from ui.table.protocol import date_and_time, time_of_day
from ui.table.settings import Settings
from ui.table.settings_file import OwnFigures, SettingsFile
from ui.table.signals import TableSignals, box_devices, sense_tracks, signals_device

if TYPE_CHECKING:
    from companion.core.board import BoardPlan
    from companion.record.keeping import MatchKeeping
    from companion.record.record import Record
    from companion.referee.phase import Outlived
    from ui.live.feed import LiveShow
    from ui.table.camera_watch import CameraWatch
    from ui.table.voice import TableVoice


# Room for the record: the line at the foot of home.

LABEL = "Disk space"
LOW_MB, FULL_MB = 200, 20
LARGE_MB = 10_000
MEGABYTE = 1_000_000


def disk_line(record: Record) -> tuple[Line, ...]:
    """One line; none for a server's record, unless it takes nothing more."""
    path, takes_nothing = Path(record.name), Line(LABEL, "the record is read-only", Mark.BAD)
    if "://" in record.name:
        return (takes_nothing,) if record.read_only else ()
    try:
        free_mb = shutil.disk_usage(path.parent).free // MEGABYTE
    except FileNotFoundError:
        return ()
    except OSError as wrong:  # a stick that was pulled out, a card that fails
        return (Line(LABEL, in_words(wrong), Mark.BAD),)
    if record.read_only and free_mb >= FULL_MB:  # else that there is no room says why
        return (takes_nothing,)
    mark = Mark.OK if free_mb >= LOW_MB else Mark.WARN if free_mb >= FULL_MB else Mark.BAD
    return (Line(LABEL, f"{_in_words(free_mb)} left", mark),)


def _in_words(free_mb: int) -> str:
    """In the unit in which people have the figure before them.

    >>> _in_words(61), _in_words(76152)
    ('61 MB', '76 GB')
    """
    return f"{free_mb} MB" if free_mb < LARGE_MB else f"{free_mb // 1000} GB"


def coarse(device: Device) -> Device:
    """A device with its age as it is told: an equal one need not be drawn again."""
    if device.age_s is None:
        return device
    return replace(device, age_s=told_age_s(device.age_s))


# Times of log lines, as people at this table read them.


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
    chosen=False,
)


TOLD_LATE_S = 0.2
"""What happened longer ago than this is told with its own time, not with that of telling."""


class MatchTimes:
    """Says who did something in one match and when: lines come in order, by both their times.

    `clock` tells monotonic s, `utc` the time of day; `began` is when the match's seconds of play
    count from. What happened before it is told, such as a zero that sounded while no program ran,
    has the time when it happened.
    """

    def __init__(
        self, clock: Callable[[], float], utc: Callable[[], datetime], began: float
    ) -> None:
        self._clock, self._utc, self._began = clock, utc, began
        self._idle = (began, began)  # nobody played in between
        self.match: Match[Any] | None = None

    def go_on(self, match: Match[Any], outlived: Outlived | None) -> None:
        """Follow the lines of a match; what lay between its last one and now was no play.

        But for what of it a phase took that ran on while no program did. Its own figures say how
        long that was: the time of day may have been set since.
        """
        self.match, now = match, self._clock()
        self._began = now - match.entries[-1].match_s
        if outlived is not None:
            self._began = outlived.zero_at - outlived.zero_match_s
            self._idle = (outlived.zero_at if outlived.has_sounded else now, now)

    def __call__(self, author: str, now: float) -> Stamp:
        """The stamp of what happened at monotonic `now`."""
        moment, behind_s = self._utc().astimezone(UTC), self._clock() - now
        if behind_s > TOLD_LATE_S:
            moment -= timedelta(seconds=behind_s)
        text = f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"
        start, end = self._idle
        idle_s = max(0.0, min(now, end) - start)
        match_s = round(max(0.0, now - self._began - idle_s), 3)
        if self.match is not None:
            last = self.match.entries[-1]
            match_s = max(match_s, last.match_s)
            text = max(text, last.at_utc) if behind_s > TOLD_LATE_S else text
        return Stamp(author, text, match_s)


class Table:
    """One table: at most one match under way. Owned by one thread, which calls `tick`.

    `watch` is the camera (None: all goes by touch), `eyes` the file that tells it where boards lie,
    `signals` what sounds (None: the screen counts alone); `makers` make these anew when settings
    choose others (None: they stay). Each match has the companion's version. `asked` is how the
    record is asked: nobody waits for a server that stalls.

    `news` grows with whatever happens by itself: whoever shows the table looks at it again then.
    """

    news = 0

    def __init__(
        self,
        record: Record,
        settings: SettingsFile,
        *,
        watch: CameraWatch | None = None,
        eyes: TableEyes | None = None,
        signals: SignalClient | DeskPanel | None = None,
        makers: Makers | None = None,
        clock: Callable[[], float] = time.monotonic,
        utc: UtcClock = lambda: datetime.now(UTC),
    ) -> None:
        self.record = record
        self.settings_file = settings
        self.watch, self.eyes, self.signals = watch, eyes, signals
        self.voice: TableVoice | None = None
        self.beside: list[Beside] = []
        """What is done with the record by itself, beside the match."""
        self.live: LiveShow | None = None
        self.exchange = Exchange(self, makers)
        self.clock = clock
        self.referee: Referee | None = None
        self.keeping: MatchKeeping | None = None
        self.listeners = Listeners()
        self.checked = False
        self.arbiter: str | None = None
        """Who corrects the record in this sitting; None until asked, empty where nobody says."""
        self._arbiters: tuple[str, ...] = ()
        self._history: History | None = None
        self._utc, self._boot = utc, boot_id()
        self.rounds: evidence.RoundEyes
        self.shown = ShownEyes()
        self.evidence: evidence.EvidenceKeeping | None = None
        self.asked = Patience(record)
        self.past, self.looking_back = PastShelf(record, self.asked), LookingBack()
        self._started_with = settings.settings
        self._own = {box: OwnFigures.at(settings.path.parent, box) for box in RULEBOOKS}
        self._parts: tuple[Line, ...] = ()
        self._parts_at = float("-inf")
        self.sounding: TableSignals
        watch_by(self, watch)
        sound_by(self)

    # -- what devices report, from any thread ----------------------------------------------

    def signal(self, event: SignalEvent) -> None:
        """What the signals did."""
        self.news += 1
        if self.voice is not None:
            self.voice.signal(event)
        self.rounds.signal(event)
        if self.referee is not None:
            self.referee.signal(event)

    def press(self, press: Press) -> None:
        """A button was pressed."""
        self.news += 1
        if self.referee is not None:
            self.referee.press(press)

    def card(self, event: CardEvent) -> None:
        """A slot sensor noticed a card."""
        self.news += 1
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
        now = self.clock()
        times = MatchTimes(self.clock, self._utc, now)
        match = Match[Any].start(named, times(str(TABLE), now))
        new = self.past.is_new(setup.box)
        keeping = keeping_of(self.record, match, self._boot, self.asked)
        self._stand(match, keeping, times, written=0)
        self.past.begun(setup.box, new=new)
        self.checked = False
        self.rounds.new_match()

    def resume(self, match_id: str) -> str:
        """Go on with a match of the record where its last line left it.

        Returns which damaged file it was saved from, in a sentence; empty where from none.

        A round that a living signal process runs is adopted; else it stands paused with the rest
        last noted. RecordDamaged or Drift: it can only be looked at.
        """
        loaded = self.asked(partial(self.record.load, match_id))
        if loaded.damage is not None:
            raise RecordDamaged(f"{loaded.damage} It can be looked at, not gone on with.")
        match = Match[Any].replay(loaded.entries)
        times = MatchTimes(self.clock, self._utc, self.clock())
        keeping = keeping_of(self.record, match, self._boot, self.asked, match_id)
        self._stand(match, keeping, times, written=len(loaded.entries))
        self.checked = True
        return loaded.saved

    def _stand(
        self, match: Match[Any], keeping: MatchKeeping, times: MatchTimes, *, written: int
    ) -> None:
        self.leave()
        now = self.clock()
        referee = Referee(
            match,
            keeping.for_referee(),
            times,
            signals=self.signals,
            round_prefix=f"{match.entries[0].at_utc}/",
            written=written,
        )
        if written:
            times.go_on(match, referee.phase.outlived(match, self.signals))
        times.match = match
        referee.listeners.append(partial(self._happened, referee))
        referee.presses.budget = self.settings.challenges
        self.referee, self.keeping, self._history = referee, keeping, History.following(match)
        self.look_at(match)
        if self.watch is not None and self.watch.sighting is not None:
            referee.see(self.watch.sighting)
        referee.begin(now)
        self.sounding.begin(referee)
        referee.tick(now)

    def look_at(self, match: Match[Any]) -> None:
        """The camera looks for this match's boards and pieces; its pictures are kept with it."""
        self._end_evidence()
        plan = getattr(match.rulebook, "plan", None)  # a game may have no boards
        if self.watch is not None and plan is not None:
            self.watch.look_for(plan)
        if self.watch is not None:
            utc_at = evidence.utc_of(self.clock, self._utc)
            self.evidence = evidence.EvidenceKeeping(
                match, self.watch, self._evidence_folder, utc_at
            )

    def leave(self) -> None:
        """Put the match away; it stays in the record, and a running round is paused first."""
        if self.referee is not None:
            self.referee.halt(self.clock(), reason="the match was left")
        self._end_evidence()
        if self.eyes is not None:
            self.eyes.put_away()
        if self.keeping is not None and self.keeping.away:
            self.keeping.record.close()
        self.referee = self.keeping = self._history = None
        self.past.forget()
        for beside in self.beside:
            beside.busy = False
            beside.changed()

    def _end_evidence(self) -> None:
        keeping, self.evidence = self.evidence, None
        if keeping is not None:
            keeping.close()

    def close(self) -> None:
        """Let go of everything; a running round goes on in the signal process."""
        self._end_evidence()
        self.referee = self.keeping = self._history = None
        self.exchange.close()
        if self.watch is not None:
            self.watch.close()
        self.sounding.close()
        if self.voice is not None:
            self.voice.close()
        for beside in self.beside:
            beside.close()
        if self.live is not None:
            self.live.close()
        self.asked.close()
        self.record.close()

    # -- time ------------------------------------------------------------------------------

    def tick(self, now: float | None = None) -> None:
        """Do what was queued and what time brings; call it many times a second."""
        moment = self.clock() if now is None else now
        self.sounding.tick(moment)
        self.exchange.tick(moment)
        self.shown.tick(self.watch, moment)
        if self.referee is not None and not self.referee.overtaken:
            sense_tracks(self.signals, self.referee.tracks)
            self.referee.tick(moment)
            for beside in self.beside:
                beside.busy = self.referee.clock is not None
            self.rounds.tick(self.referee, self.evidence, moment)
        if self.live is not None:
            clock = self.referee.clock if self.referee is not None else None
            self.live.tick(self.match, self.match_id, clock, moment)

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

    # -- what a touch does -----------------------------------------------------------------

    def offer(self, key: str, opened: int, raw: Json, source: str) -> bool:
        """Offer an answer now; whether it was taken (else `referee.refused` says why)."""
        referee, now = self.refereed(), self.clock()
        lines = len(referee.match.entries)
        referee.post(self._offered(key, opened, raw, source, now))
        self.tick(now)
        return len(referee.match.entries) > lines

    def offer_together(self, answers: Sequence[tuple[str, int, Json]], source: str) -> bool:
        """Offer answers by key, opening and raw, all or none; whether they were taken."""
        referee, now = self.refereed(), self.clock()
        lines = len(referee.match.entries)
        self.tick(now)
        referee.take_together([self._offered(*one, source, now) for one in answers], now)
        self.tick(now)
        return len(referee.match.entries) > lines

    def _offered(self, key: str, opened: int, raw: Json, source: str, now: float) -> Offer:
        question = self.refereed().match.open.get(key)
        by = question.by if question is not None else Seat(str(TABLE))
        return Offer(key, raw, source, by, opened, now)

    def ask_arbiter(self) -> bool:
        """Whether somebody must be asked who the arbiter is: once a sitting, of no demonstration.

        Those who corrected matches of late are looked up to be offered.
        """
        if self.arbiter is not None or self.refereed().match.setup.demonstration:
            return False
        try:
            self._arbiters = self.asked(partial(latest_arbiters, self.record))
        except RecordError:  # the server is silent: the name is typed
            self._arbiters = ()
        return True

    def refereed(self) -> Referee:
        """The referee of the match under way; BadCall where there is none."""
        if self.referee is None:
            raise BadCall("no match is under way: begin or resume one first")
        return self.referee

    def go_beside(self, beside: Beside) -> None:
        """Let a stick, a club or the statistics get what is in the record; closed with us."""
        self.beside.append(beside)
        beside.start()

    def show_by(self, live: LiveShow) -> None:
        """Let browsers look on, where the settings want that; it is closed with us."""
        self.live = live

    def speak_by(self, voice: TableVoice) -> None:
        """Let a voice read the screen out, where the settings want that; it is closed with us."""
        self.voice = voice
        sound_by(self)

    def look_again(self) -> None:
        """Forget what was seen, the tracker's memory included."""
        if self.watch is not None:
            self.watch.look_again()
        if self.referee is not None:
            self.referee.look_again()

    @property
    def _plan(self) -> BoardPlan | None:
        """The boards of this match; a game may have none."""
        plan: BoardPlan | None = getattr(self.refereed().match.rulebook, "plan", None)
        return plan

    def ask_height(self, height_mm: float | None) -> None:
        """Before the boards are found anew, are tokens' markers so high (None: as before)?"""
        if self.eyes is not None:
            self.eyes.ask_height(self._plan, height_mm)

    def calibrate(self, height_mm: float | None = None) -> None:
        """Find the boards of this match anew, and keep where they lie in the table's file.

        `height_mm` is how high tokens' markers are over the board; None leaves that as it was.
        """
        if self.eyes is not None and self.watch is not None:
            self.eyes.calibrate(self.watch, self._plan, height_mm)

    def keep_pictures(self, *, agreed: bool, whole: bool) -> None:
        """Keep pictures of the table for a while, once all `agreed`; before that, ask."""
        if self.eyes is not None and self.watch is not None:
            self.eyes.keep_pictures(self.watch, self._plan, agreed=agreed, whole=whole)

    def set_setting(self, name: str, value: object) -> None:
        """Change one of the table's settings, on disk too; BadCall names what is allowed."""
        settings = self.settings.changed(name, value)
        self.settings_file = self.settings_file.saved(settings)
        if self.referee is not None:
            self.referee.presses.budget = settings.challenges
        self.sounding.obey(settings)
        self.exchange.chosen(name)

    # -- what was read off this table's own boxes ------------------------------------------

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
        path.write_text(self.asked(partial(self.record.export, self.match_id)), "utf-8")
        return path

    def export_to(self, match_id: str, folder: str) -> tuple[str, str]:
        """Write a match of the record (empty: the one under way) there; what, and what then.

        BadCall says what keeps the place from taking it.
        """
        return self.past.export_to(match_id or self.match_id, Path(folder))

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
        return Situation(
            now=(now := self.clock()),
            referee=self.referee,
            history=self._history,
            match_id=self.match_id,
            settings=self.settings,
            settings_trouble=self._file_trouble(),
            voice_trouble=self.sounding.voice_trouble,
            started_with=self._started_with,
            own_figures={box: own.figures for box, own in self._own.items()},
            own_files={box: str(own.kept_path) for box, own in self._own.items()},
            exchange=Exchanging(self.exchange.possible, self.exchange.waits),
            cameras=self.exchange.cameras,
            devices=tuple(coarse(device) for device in self.devices(now)),
            picture=partial(self.shown.picture, self.watch, now),
            flat=partial(self.shown.flat, self.watch, turn_of(self.settings.screen_side), now),
            eyes=self.eyes.state if self.eyes is not None and self.watch is not None else None,
            matches=self.past.matches if self.match is None else (),
            parts=self._room(now),
            clock=time_of_day,
            day=date_and_time,
            code=logbook_link(self.match, self.match_id) if self.match is not None else "",
            checked=self.checked,
            arbiter=self.arbiter,
            arbiters=self._arbiters,
            kept=self._kept,
            past=self.past,
            hindsight=self.looking_back.of(self.match),
            live_url=self.live.url if self.live is not None and not self.live.trouble else "",
        )

    def _file_trouble(self) -> str:
        """What is wrong with the first of the table's own files that cannot be used."""
        troubles = (
            self.settings_file.trouble,
            *(own.unwritten or own.trouble for own in self._own.values()),
        )
        return next((trouble for trouble in troubles if trouble), "")

    @property
    def _kept(self) -> evidence.Kept:
        """What is kept of the match; where no camera looks now, what was kept of it before."""
        return (
            evidence.kept_of(self.evidence, turn_of(self.settings.screen_side))
            if self.evidence is not None
            else self.past.kept(self.match_id)
        )

    def _room(self, now: float) -> tuple[Line, ...]:
        """How much the disk still takes; looked at now and then."""
        if now - self._parts_at >= ROOM_EVERY_S:
            self._parts, self._parts_at = disk_line(self.record), now
        told = [beside.line for beside in self.beside]
        if self.live is not None and self.live.trouble:
            told.append(Line("Live page", self.live.trouble, Mark.BAD))
        if self.keeping is not None and self.keeping.away:
            said = "its server stalls; this match is kept here and comes home when it is over"
            told.append(Line("Record", said, Mark.WARN))
        return (*self._parts, *(line for line in told if line is not None))

    def _happened(self, referee: Referee, happening: Happening) -> None:
        self.news += 1
        self.sounding.follow(referee, happening)
        if happening is Happening.CONFIRMED and self.match is not None:
            box = self.match.setup.box
            self._own[box] = self._own[box].keeping(self.match)
        self.listeners.tell(happening)
