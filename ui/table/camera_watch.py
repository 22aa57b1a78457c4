"""The camera watch: a thread that turns frames into sightings, and the words for its faults.

Whatever happens to the camera is a state with an age and a fault with its words, never an
exception: it is absent, found, live, stale or lost, and one that is lost is opened again until it
is back. So is whatever fails in who opens it, reads it or is told of it: the thread goes on.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from companion.core import errors
from companion.core.offers import PictureState, Sighting
from companion.core.text import counted
from ui.scene.values import Device, DeviceState, ShownPicture
from vision.camera.live import FROZEN_S, WAKING_S
from vision.camera.source import CameraFault, CameraOpener, PictureHealth, Trouble, opener_of
from vision.cards.cards import CardMemory
from vision.evidence.evidence import OFF_S, Evidence

if TYPE_CHECKING:
    from companion.core.board import BoardPlan
    from vision.boards.place import BoardPlace
    from vision.camera.camera import Camera
    from vision.camera.frame import Frame
    from vision.markers.reading import MarkerSeen
    from vision.tracking.tracker import Tracker


# Cards on the sections of the tracks: filled into sightings.


class SectionWatch:
    """Fills the cards into sightings; `see` on the thread that watches, all else from any."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._cards: CardMemory | None = None
        self._tracker: Tracker | None = None
        self._buzzed_at: float | None = None
        self._are_empty = False

    def sections_are_empty(self) -> None:
        """Who knows the rules says so: what the sections look like next is empty.

        A phase begins with it, so that a buzzer whose picture nobody could read yet is over.
        """
        self._buzzed_at = None
        self._are_empty = True

    def buzzer(self, at: float) -> None:
        """The buzzer sounded (monotonic s): cards that come to the tracks from now on are late."""
        self._buzzed_at = at

    def see(self, frame: Frame, sighting: Sighting, tracker: Tracker) -> Sighting:
        """The sighting with what lies on tracks; of a box without decks as it is."""
        if not tracker.plan.card_backs:
            return sighting
        cards, places = self._memory(tracker), tracker.clear_places
        if self._are_empty:
            self._are_empty = False
            cards.take_for_empty()
        if self._buzzed_at is not None and places:
            self._take_buzzer(cards, self._buzzed_at, places)
        return cards.see(frame, sighting, places)

    def _take_buzzer(self, cards: CardMemory, at: float, places: Mapping[str, BoardPlace]) -> None:
        """What lay there at the buzzer; with no picture of that moment nothing is known of it."""
        still = self._evidence.still_at(at)
        if still is None:
            return
        self._buzzed_at = None
        if abs(still.taken_at - at) <= OFF_S:
            cards.buzzer(still.decoded(), still.taken_at, places)
        else:
            cards.buzzer(still.decoded(), at, {})

    def _memory(self, tracker: Tracker) -> CardMemory:
        """What is known of the sections; a camera opened anew knows the same boards still.

        A table's file gives each tracker a plan of its own, so plans are compared by what they say.
        """
        known = self._cards
        if known is None or (tracker is not self._tracker and known.plan != tracker.plan):
            known = self._cards = CardMemory(tracker.plan)
        self._tracker = tracker
        return known


# Faults of the camera in words, and what mends them.


class FaultWords(NamedTuple):
    """What is wrong, as the banner has it, and the way out."""

    alarm: str
    way_out: str


WORDS: Mapping[CameraFault, FaultWords] = {
    CameraFault.MISSING: FaultWords("Camera not found", "Plug it in; until then tell by touch."),
    CameraFault.BUSY: FaultWords("Camera in use", "Close the other program, or tell by touch."),
    CameraFault.UNPLUGGED: FaultWords("Camera unplugged", "Plug it in again, or tell by touch."),
    CameraFault.FROZEN: FaultWords("Camera frozen", "It is opened anew; if not, pull its plug."),
    CameraFault.DARK: FaultWords("Camera in the dark", "Light the lamp, or take its cap off."),
    CameraFault.OTHER_SIZE: FaultWords("Camera gives another size", "Plug it in without a hub."),
    CameraFault.OTHER_CAMERA: FaultWords(
        "Another camera", "Retry takes it; calibrate it when you can."
    ),
    CameraFault.ENDED: FaultWords("Film at its end", "Retry begins it anew."),
    CameraFault.FAILED: FaultWords("Camera failed", "It is opened anew; if not, pull its plug."),
    CameraFault.UNHEARD: FaultWords(
        "Sight is not passed on", "It is tried again; or tell by touch."
    ),
}
"""Two lines beside the title: short enough for the smallest screen."""


def camera_device(state: DeviceState, age_s: float | None, text: str) -> Device:
    """A camera that does what it should, or has not been asked yet."""
    return Device("CAM", state, age_s, "Camera", text)


def troubled_camera(state: DeviceState, age_s: float | None, trouble: Trouble) -> Device:
    """A camera with a fault: the alarm for the banner, the device's own words for the list.

    >>> troubled_camera(DeviceState.LOST, 2.0, Trouble(CameraFault.UNPLUGGED)).alarm
    'Camera unplugged'
    """
    words = WORDS[trouble.fault]
    text = ": ".join(part for part in (words.alarm, trouble.detail) if part)
    return Device("CAM", state, age_s, "Camera", text, words.way_out, words.alarm)


def resting_hand(age_s: float, rests_s: float) -> Device:
    """Something lies over the table for so long that it may be no hand."""
    text = f"something lies over the table, {rests_s:.0f} s by now"
    way_out = "Take it away, Look again, or tell by touch."
    alarm = "A hand rests over the table"
    return Device("CAM", DeviceState.LIVE, age_s, "Camera", text, way_out, alarm)


def lies_over_edge(age_s: float) -> Device:
    """What reached in as a hand does and never moved: part of the table until it moves."""
    text = "something lies over the picture's edge; what it hides keeps its place"
    way_out = "What it hides keeps its place."
    alarm = "Something lies over the edge"
    return Device("CAM", DeviceState.LIVE, age_s, "Camera", text, way_out, alarm)


def mirrored_picture(age_s: float) -> Device:
    """No marker can be read in a picture that is turned over; it would be, turned back."""
    alarm, text = "The picture is mirrored", "its picture is mirrored, so no board can be read"
    way_out = "Switch the camera's mirroring off, or tell by touch."
    return Device("CAM", DeviceState.LIVE, age_s, "Camera", text, way_out, alarm)


def never_at_rest(age_s: float, moves_s: float, *, grainy: bool) -> Device:
    """Something has moved for so long that no table was read: the camera's grain, or a thing."""
    text = f"the picture never comes to rest, {moves_s:.0f} s by now"
    if grainy:
        alarm, way_out = "Too dark or too grainy", "More light, or a lower gain; or tell by touch."
    else:
        alarm, way_out = "Something keeps moving", "Keep it still, or tell by touch."
    return Device("CAM", DeviceState.LIVE, age_s, "Camera", text, way_out, alarm)


def seen_twice(age_s: float, label: str) -> Device:
    """Two tokens carry one marker: neither of them can be told from the other."""
    text = f"two tokens are read as {label}, so neither counts"
    way_out = "Take away the one that does not belong."
    return Device("CAM", DeviceState.LIVE, age_s, "Camera", text, way_out, f"Two are {label}")


def moved_boards(age_s: float, told: str) -> Device:
    """Boards that lie elsewhere than before, or a camera that was bumped: said for a while."""
    first, _, way_out = told.partition(": ")
    way_out = f"{way_out[:1].upper()}{way_out[1:]}." if way_out else ""
    return Device("CAM", DeviceState.LIVE, age_s, "Camera", told, way_out, first)


# The watch.

STALE_S = 1.0
"""Frames come many times a second; after this long without one the picture is old."""
MIRROR_S = 1.0
"""While nothing is read, a picture is read turned over so often: is the camera's mirrored?"""
STUCK_S = 0.5
"""A driver that does not return is called frozen by who looks, so long after it should be."""
RETRY_S = 0.5
"""A lost camera is looked for so often: whatever keeps it from opening is said within a second."""
IDLE_S = 0.01
RESTING_S = 10.0
"""A hand that rests so long is spoken of: nothing is read meanwhile."""
TOLD_S = 8.0
"""Boards that were moved are followed; so long it is said which, or what lies over the edge."""
MOVED_PX = 2.0
"""A board that lies this near to where it was when last spoken of is not spoken of again."""

Listener = Callable[["Sighting"], None]


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPicture:
    """A picture that was read and what it showed, with the boards' places and the markers in it.

    All of it is of one moment, for the tracker may be at the next picture already.
    """

    frame: Frame
    sighting: Sighting
    places: Mapping[str, BoardPlace]
    markers: tuple[MarkerSeen, ...]


class CameraWatch:
    """One camera before one table. Safe to look at from any thread.

    `open_camera` opens the chosen source, `tracker_for` makes the tracker of an opened camera, and
    `tracker_of` that of another box's boards (None: it looks for the same ones all along);
    `listeners` are told each new sighting, on the thread that watches. `frame` is the newest
    picture, `judged` the newest that was read, with what it showed; `shown` is what screens show.
    """

    def __init__(
        self,
        open_camera: CameraOpener | Callable[[], Camera],
        tracker_for: Callable[[Camera], Tracker],
        *,
        tracker_of: Callable[[BoardPlan], Tracker] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.listeners: list[Listener] = []
        self.frame: Frame | None = None
        self.sighting: Sighting | None = None
        self.judged: JudgedPicture | None = None
        self.shown: ShownPicture | None = None
        self.tracker: Tracker | None = None
        self.evidence = Evidence()
        self.sections = SectionWatch(self.evidence)
        self._opener, self._tracker_for, self._clock = opener_of(open_camera), tracker_for, clock
        self._tracker_of, self._first_tracker_for = tracker_of, tracker_for
        self._wanted: BoardPlan | None = None
        self._telling = threading.RLock()
        self._untold: tuple[Listener, ...] = ()
        self._untold_why = ""
        self._camera: Camera | None = None
        self._health = PictureHealth()
        self._name = ""
        self._trouble: Trouble | None = None
        self._was_live = False
        self._heard_at: float | None = None
        self._opened_at = 0.0
        self._again_at = 0.0
        self._since: dict[PictureState, float] = {}
        self._moved: tuple[str, float] = ("", 0.0)
        self._over_since: float | None = None
        self._told: dict[str, tuple[float, float]] = {}
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None
        self._look_again = False
        self._mirrored, self._turned_at = False, 0.0

    # -- from any thread -------------------------------------------------------------------

    def start(self) -> None:
        """Watch on a thread of its own until `close`."""
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop watching and let go of the camera."""
        self._ending.set()
        if self._thread is not None:
            self._thread.join(timeout=5.0)
        self._let_go()

    def retry(self) -> None:
        """Open a lost camera at once instead of in a while; another one is taken for the right."""
        self._again_at, self._name = 0.0, ""
        self._opener.accept()
        if self._camera is not None:
            self._name = self._camera.name

    def look_again(self) -> None:
        """Forget what was seen and read the whole table afresh."""
        self._look_again = True

    def sections_are_empty(self) -> None:
        """Who knows the rules says so: what the sections of tracks look like next is empty."""
        self.sections.sections_are_empty()

    def buzzer(self, at: float) -> None:
        """The buzzer sounded (monotonic s): cards that come to the tracks from now on are late."""
        self.sections.buzzer(at)

    def look_for(self, plan: BoardPlan) -> None:
        """From the next frame on look for these boards and pieces: a match of another box begins.

        What was seen of the boards before is forgotten at once, and nobody is told of it any more.
        """
        if self._tracker_of is not None:
            with self._telling:
                self._wanted, self.sighting, self._untold = plan, None, ()

    def device(self, now: float) -> Device:
        """How far the camera can be relied on, with the age of its last good picture."""
        age = None if self._heard_at is None else max(0.0, now - self._heard_at)
        trouble = self._trouble_now(now, age)
        if trouble is not None:
            return troubled_camera(self._troubled(trouble), age, trouble)
        if age is None:
            found = DeviceState.FOUND if self._camera is not None else DeviceState.ABSENT
            return camera_device(found, None, "waits for its first picture")
        if age >= STALE_S:
            return camera_device(DeviceState.STALE, age, self._text())
        return self._said(now, age) or camera_device(DeviceState.LIVE, age, self._text())

    def _trouble_now(self, now: float, age: float | None) -> Trouble | None:
        """What was found wrong; and a driver that hangs the thread that would have found it."""
        if self._trouble is not None:
            return self._trouble
        if age is not None and age >= FROZEN_S + STUCK_S:
            return Trouble(CameraFault.FROZEN, f"no picture for {age:.0f} s")
        opened_s = now - self._opened_at
        if age is None and self._camera is not None and opened_s >= FROZEN_S:
            return Trouble(CameraFault.FROZEN, f"no first picture for {opened_s:.0f} s")
        return None

    def _troubled(self, trouble: Trouble) -> DeviceState:
        if not trouble.fault.blinds:
            return DeviceState.LIVE
        return DeviceState.LOST if self._was_live else DeviceState.ABSENT

    def _said(self, now: float, age: float) -> Device | None:
        """What is worth a word though the camera is well."""
        if self._untold:
            unheard = Trouble(CameraFault.UNHEARD, self._untold_why)
            return troubled_camera(DeviceState.LIVE, age, unheard)
        if self.sighting is not None and self.sighting.conflicts and self.tracker is not None:
            token = self.tracker.plan.token_of.get(self.sighting.conflicts[0])
            return seen_twice(age, token.label if token is not None else "one piece")
        if self._mirrored:
            return mirrored_picture(age)
        since = self._since.get(PictureState.HAND)
        if since is not None and now - since >= RESTING_S:
            return resting_hand(age, now - since)
        since = self._since.get(PictureState.MOVING)
        if since is not None and now - since >= RESTING_S:
            grainy = self.tracker is not None and self.tracker.is_too_noisy
            return never_at_rest(age, now - since, grainy=grainy)
        told, at = self._moved
        if told and now - at <= TOLD_S:
            return moved_boards(age, told)
        over = self._over_since
        return lies_over_edge(age) if over is not None and now - over <= TOLD_S else None

    def _text(self) -> str:
        if self.sighting is None:
            return "waits for its first picture"
        state, boards = self.sighting.state, len(self.sighting.boards_seen)
        if not boards and state is not PictureState.SETTLED:
            return f"{state}, looks for the boards"
        over = ", something lies over the edge" if self._over_since is not None else ""
        return f"{state}, {counted(boards, 'board')} seen{over}"

    # -- one frame -------------------------------------------------------------------------

    def step(self) -> bool:
        """Read one frame and pass on what it shows; whether there was one."""
        try:
            return self._step()
        except Exception as wrong:  # noqa: BLE001 - nothing may end the thread that watches
            self._lose(fault_of(wrong))
            return False

    def _step(self) -> bool:
        camera = self._opened()
        self._turn_to_what_is_wanted()
        if camera is None or self.tracker is None:
            return False
        if self._look_again:
            self._look_again = False
            self.tracker.look_again()
        try:
            frame = camera.read()
        except errors.CameraError as torn:
            if camera.live:
                raise
            self._go_blind(fault_of(torn), self.tracker)
            return True
        if frame is None:
            return self._without_frame(camera)
        return self._take(frame, camera, self.tracker)

    def _turn_to_what_is_wanted(self) -> None:
        """Another tracker at once, and one like it whenever the camera is opened anew."""
        plan, self._wanted = self._wanted, None
        make = self._tracker_of
        if plan is not None and make is not None:
            self._tracker_for = _for_any_camera(self._first_tracker_for, make, plan)
            self.tracker, self.sighting = make(plan), None

    def _take(self, frame: Frame, camera: Camera, tracker: Tracker) -> bool:
        """Read a frame, if it can be; a picture that does not change is a camera to open anew."""
        trouble = self._health.look(frame) if camera.live else None
        if trouble is not None and trouble.fault is CameraFault.FROZEN:
            self._heard_at = self._health.fresh_at
            self._lose(trouble)
            return False
        self.frame, self._was_live = frame, True
        self.evidence.add(frame)
        if trouble is not None and trouble.fault.blinds:
            self._go_blind(trouble, tracker)
            return True
        if self._is_frozen and camera.live and not self._health.proven:
            return True
        try:
            sighting = self.sections.see(frame, tracker.see_all(frame), tracker)
        except Exception as bug:  # noqa: BLE001 - a picture must not end the thread that watches
            self._go_blind(Trouble(CameraFault.FAILED, f"a picture failed: {bug!r}"), tracker)
            return True
        self._trouble, self._heard_at = trouble or self._other(camera), self._clock()
        if sighting is not self.sighting and sighting.state is PictureState.SETTLED:
            self._note_moved_boards(tracker)
        self._note_what_lies_over(tracker)
        self._pass_on(sighting)
        self._turn_over(frame, sighting, tracker)
        places, markers = dict(tracker.view.places), tracker.markers
        self.judged = JudgedPicture(frame, sighting, places, markers)
        return True

    def _turn_over(self, frame: Frame, sighting: Sighting, tracker: Tracker) -> None:
        """Where no marker is read, look whether one is in the picture's mirror image."""
        from vision.boards.calibrating import mirrored  # heavy, and hardly ever needed
        from vision.markers.reading import MarkerReader

        if self._reads_nothing(sighting, tracker):
            if self._clock() - self._turned_at >= MIRROR_S:
                self._turned_at = self._clock()
                self._mirrored = bool(mirrored(frame, MarkerReader(tracker.plan.dictionary)))
        elif sighting.state is PictureState.SETTLED:
            self._mirrored = False

    def _reads_nothing(self, sighting: Sighting, tracker: Tracker) -> bool:
        """Whether there is nothing to read, though nothing moves; or a hand that rests for long.

        In the middle of a match a mirrored picture is one or the other: boards are known still.
        """
        if sighting.state is PictureState.HAND:
            since = self._since.get(PictureState.HAND)
            return since is not None and self._clock() - since >= RESTING_S
        blind = sighting.state is PictureState.BLIND
        return blind or (sighting.state is PictureState.SETTLED and not tracker.markers)

    @property
    def _is_frozen(self) -> bool:
        return self._trouble is not None and self._trouble.fault is CameraFault.FROZEN

    def _note_moved_boards(self, tracker: Tracker) -> None:
        """Say once of each move of a board, or of the camera, what came of it."""
        drifts = tracker.view.drifts
        ways = {name: drift.along_px for name, drift in drifts.items()}
        told = self._told
        if any(math.dist(way, told.get(name, (0.0, 0.0))) > MOVED_PX for name, way in ways.items()):
            words = tracker.view.drift_words
            self._moved, self._told = (words[0] if words else "", self._clock()), ways

    def _note_what_lies_over(self, tracker: Tracker) -> None:
        """Since when something lies over the picture's edge that is no hand."""
        if not tracker.lies_over_edge:
            self._over_since = None
        elif self._over_since is None:
            self._over_since = self._clock()

    def _go_blind(self, trouble: Trouble, tracker: Tracker) -> None:
        """Pictures come and nothing can be read off them; told once."""
        if self._trouble is None or self._trouble.fault is not trouble.fault:
            self._trouble = trouble
            self._pass_on(tracker.blind(self._clock()))

    def _other(self, camera: Camera) -> Trouble | None:
        """Whether it is another camera than the one that looked first."""
        self._name = self._name or camera.name
        if camera.name == self._name:
            return None
        return Trouble(CameraFault.OTHER_CAMERA, f"{camera.name}, not {self._name}")

    def _pass_on(self, sighting: Sighting) -> None:
        """Tell of a sighting once; the tracker gives the same object while nothing in it changes.

        Who fails to take it is told again at the next frame. Of boards that nobody looks for any
        more nobody is told.
        """
        with self._telling:
            if self._wanted is not None:
                return
            waiting = self._untold
            if sighting is not self.sighting:
                waiting = tuple(self.listeners)
                if sighting.state not in self._since:
                    self._since = {sighting.state: self._clock()}
            self.sighting = sighting
            self._untold = tuple(one for one in waiting if not self._takes(one, sighting))

    def _takes(self, listener: Listener, sighting: Sighting) -> bool:
        try:
            listener(sighting)
        except Exception as bug:  # noqa: BLE001 - the others are told all the same
            self._untold_why = f"who is told of it fails: {bug!r}"
            return False
        return True

    def _without_frame(self, camera: Camera) -> bool:
        if not camera.live:
            self._lose(Trouble(CameraFault.ENDED))
            return False
        heard_at = max(self._opened_at, self._heard_at or 0.0)
        silent_s = self._clock() - heard_at
        if silent_s >= (FROZEN_S if heard_at > self._opened_at else WAKING_S):
            self._lose(Trouble(CameraFault.FROZEN, f"no picture for {silent_s:.0f} s"))
        return False

    def _opened(self) -> Camera | None:
        """The camera, opened if it is time to try."""
        if self._camera is not None:
            return self._camera
        if self._clock() < self._again_at:
            return None
        self._camera = camera = self._opener()
        self.tracker = self._tracker_for(camera)
        self._health = PictureHealth(self._opener.wanted_px if camera.live else None)
        self._opened_at = self._clock()
        return camera

    def _lose(self, trouble: Trouble) -> None:
        """Close it, say why, and look for it again in a while; sight is blind meanwhile.

        A film at its end is begun anew by who wants it, not by itself.
        """
        again_in_s = math.inf if trouble.fault is CameraFault.ENDED else RETRY_S
        self._trouble, self._again_at = trouble, self._clock() + again_in_s
        self._let_go()
        if self.tracker is not None and self._was_live:
            self._pass_on(self.tracker.blind(self._clock()))

    def _let_go(self) -> None:
        """Close it, as far as it lets itself be closed."""
        camera, self._camera = self._camera, None
        if camera is not None:
            with suppress(Exception):  # it is given up; that its driver fails once more is no news
                camera.close()

    def _run(self) -> None:
        while not self._ending.is_set():
            if not self.step():
                self._ending.wait(IDLE_S if self._camera is not None else RETRY_S / 8)


def fault_of(error: Exception) -> Trouble:
    """Which fault an error of the camera tells of, with its own words.

    >>> fault_of(errors.CameraUnplugged("webcam was unplugged")).fault.value
    'unplugged'
    >>> fault_of(OSError(19, "No such device"))
    Trouble(fault=<CameraFault.FAILED: 'failed'>, detail='No such device')
    """
    faults: tuple[tuple[type[errors.CompanionError], CameraFault], ...] = (
        (errors.CameraBusy, CameraFault.BUSY),
        (errors.CameraUnplugged, CameraFault.UNPLUGGED),
        (errors.CameraFrozen, CameraFault.FROZEN),
        (errors.CameraLost, CameraFault.FAILED),
        (errors.CameraError, CameraFault.MISSING),
    )
    known = (fault for kind, fault in faults if isinstance(error, kind))
    return Trouble(next(known, CameraFault.FAILED), _words_of(error))


def _words_of(error: Exception) -> str:
    """Ours as they are; of the system what it says; of a fault of ours all there is."""
    if isinstance(error, errors.CompanionError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return repr(error)


def _for_any_camera(
    first: Callable[[Camera], Tracker], make: Callable[[BoardPlan], Tracker], plan: BoardPlan
) -> Callable[[Camera], Tracker]:
    """A tracker of these boards, whichever camera looks at them; `first` is told which it is."""

    def tracker(camera: Camera) -> Tracker:
        first(camera)
        return make(plan)

    return tracker
