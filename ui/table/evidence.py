"""Pictures and clips kept with the lines of a match: which moments, and how they reach the disk.

The camera's ring holds the last minute, so nothing is hurried: a moment's pictures are taken out of
it once those after the moment are there too, and coded and written on a thread of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from companion.core.errors import BadCall, CompanionError, RecordError
from companion.core.offers import LateCard, PictureState, SignalEvent, SignalKind
from companion.core.question import Locked, Question, Reveal
from companion.record.evidence import EvidenceFile, EvidencePart, Occasion, kept_in
from companion.referee.challenge import CHALLENGED
from ui.scene.values import Mark, Picture
from ui.table.eyes import flat_pair, kept_pair, kept_picture, kept_section
from vision.evidence.evidence import ENDING, OFF_S, Still, as_jpeg, write_clip
from vision.evidence.rectified import drawn_boards

if TYPE_CHECKING:
    from companion.match.entry import Entry
    from companion.match.match import Match
    from companion.record.record import Record
    from companion.referee.referee import Referee
    from companion.referee.sight import Reading
    from ui.table.camera_watch import CameraWatch
    from vision.boards.place import BoardPlace
    from vision.camera.frame import ColourImage


# Writing: a thread of its own, which knows what is kept.

Drawn = tuple[str, float, "Callable[[], ColourImage | None]"]
"""A picture yet to be drawn: its file's name, when what it shows was taken, how to draw it."""


class EvidenceWriting:
    """Pictures and clips on their way to the disk; `folder` may raise RecordError, too.

    Whatever is asked of it, is from the table's thread. `lost` counts what could not be kept.
    """

    def __init__(self, folder: Callable[[], Path]) -> None:
        self.lost = 0
        self.reason = ""
        self._folder = folder
        self._troubles: dict[str, str] = {}  # what could not be kept last, by its kind
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="evidence")
        self._writing: list[Future[None]] = []
        self._written = 0
        self._listed: tuple[int, tuple[EvidenceFile, ...]] = (-1, ())  # after so many were written

    @property
    def trouble(self) -> str:
        """Why a picture or clip was not kept; empty where the last ones were."""
        return next(iter(tuple(self._troubles.values())), "")

    @property
    def files(self) -> tuple[EvidenceFile, ...]:
        """Everything kept with this match so far, by log line; listed once after each writing."""
        written = self._written
        if self._listed[0] != written:
            try:
                self._listed = (written, kept_in(self._folder()))
            except RecordError:
                self._listed = (written, ())
        return self._listed[1]

    def stills(self, stills: Mapping[str, Still], drawn: Drawn) -> None:
        """Write stills by their files' names, and what is drawn of them."""
        self._submit(lambda: self._save(stills, drawn), EvidencePart.AT)

    def clip(self, stills: Sequence[Still], name: str) -> None:
        """Write stills as a film."""
        self._submit(lambda: self._save_clip(stills, name), EvidencePart.CLIP)

    def settle(self) -> None:
        """Wait until everything that was handed over is on disk, or lost."""
        for writing in self._writing:
            writing.result()
        self._writing.clear()

    def close(self) -> None:
        """Write what is left, and end."""
        self._writer.shutdown(wait=True)

    def _submit(self, save: Callable[[], None], kind: EvidencePart) -> None:
        self._writing = [one for one in self._writing if not one.done()]
        self._writing.append(self._writer.submit(self._saving, save, kind))

    def _saving(self, save: Callable[[], None], kind: EvidencePart) -> None:
        """On the writer's thread: what cannot be kept is said, and nothing else happens.

        Until one of its kind is kept again: a still that fits on the disk excuses no torn clip.
        """
        try:
            save()
        except CompanionError as full:
            self._lose(kind, str(full))
        except Exception as bug:  # noqa: BLE001 - a picture must not end the thread that keeps them
            self._lose(kind, f"a picture could not be kept: {bug!r}")
        else:
            self._troubles.pop(kind, None)
        self._written += 1

    def _lose(self, kind: EvidencePart, reason: str) -> None:
        self._troubles[kind] = self.reason = reason
        self.lost += 1

    def _save(self, stills: Mapping[str, Still], drawn: Drawn) -> None:
        folder = self._folder()
        for name, still in stills.items():
            still.save(folder / name)
        name, taken_at, draw = drawn
        if (picture := draw()) is not None:
            Still(taken_at, 0, as_jpeg(picture)).save(folder / name)

    def _save_clip(self, stills: Sequence[Still], name: str) -> None:
        write_clip(stills, self._folder() / name)


# Keeping: which moments of the match are shown later, and by which pictures.

OutlinePx = tuple[tuple[float, float], ...]

BEFORE_S = 1.0
"""So long before the buzzer the picture before it was taken."""
AFTER_S = 1.5
"""So long after a moment the table has come to rest again."""
TURNED_S = 20.0
"""A card is turned over at most so long before it is told; what lay there before is older."""
CHALLENGED_S = 5.0
"""What is challenged was done about so long before."""
AWAITED = "Pictures are being taken: a moment."
GAVE_NONE = "The camera gave no picture then."
MOST_LAID = 200
"""Of so many pictures it is known where the boards lay in them."""
CLIP_BEFORE_S, CLIP_AFTER_S = 20.0, 5.0
"""What a clip shows around its moment, as far as it was kept."""


@dataclass(frozen=True, slots=True)
class EvidenceMoment:
    """Something to be shown later: the log line, why, and the times of its pictures.

    Or a clip by its file's name, which ends when it is due.
    """

    seq: int
    occasion: Occasion
    times: tuple[tuple[EvidencePart, float], ...]
    due_at: float
    clip_name: str = ""


class EvidenceKeeping:
    """Keeps the pictures of one match. Owned by the table's thread; `look` after each tick.

    `folder` gives the match's own (RecordError where the disk takes none), `utc_at` turns monotonic
    seconds into the time of day.
    """

    def __init__(
        self,
        match: Match[Any],
        watch: CameraWatch,
        folder: Callable[[], Path],
        utc_at: Callable[[float], str],
    ) -> None:
        self._match, self._watch = match, watch
        self._folder, self._utc_at = folder, utc_at
        self._seen = len(match.entries)
        self._open: dict[str, tuple[Question[Any], float]] = {}
        self._zero_seq = -1
        self._zero_at: float | None = None
        self._late: set[LateCard] = set()
        self._came: dict[str, tuple[float, OutlinePx]] = {}  # when to which section, and where
        self._disputed: frozenset[str] = frozenset()
        self._agreed_at: float | None = None
        self._moments: list[EvidenceMoment] = []
        self._lay: dict[str, Mapping[str, BoardPlace]] = {}  # where boards lay, by picture
        self._flat: tuple[object, tuple[Picture, Picture] | None] = (None, None)
        self._untaken: dict[int, str] = {}
        self.writing = EvidenceWriting(folder)

    # -- what happens ----------------------------------------------------------------------

    def zero(self, at: float) -> None:
        """The buzzer sounded: the pictures before, at and after it."""
        times = (
            (EvidencePart.BEFORE, at - BEFORE_S),
            (EvidencePart.AT, at),
            (EvidencePart.AFTER, at + AFTER_S),
        )
        locked = (key for key, (asked, _) in self._open.items() if isinstance(asked, Locked))
        self._zero_seq = seq = self._line_of(next(locked, ""))
        self._zero_at = at
        self._late.clear()
        self._came.clear()
        self._moments.append(EvidenceMoment(seq, Occasion.ZERO, times, at + AFTER_S))

    def look(self, referee: Referee, now: float) -> None:
        """See what the log and the camera brought since, and write what is due."""
        for entry in self._match.entries[self._seen :]:
            asked = self._open.get(entry.key)
            if entry.kind == "answer" and asked is not None and isinstance(asked[0], Reveal):
                self._reveal(entry.seq, asked[1], now)
            if _challenges(entry):
                self._challenge(entry.seq, now)
        self._seen = len(self._match.entries)
        self._dispute(referee, now)
        self._late_cards(referee)
        before = self._open
        self._open = {
            key: before.get(key, (question, now)) for key, question in self._match.open.items()
        }
        self._write_due(now)

    def _reveal(self, seq: int, asked_at: float, now: float) -> None:
        times = (
            (EvidencePart.BEFORE, max(asked_at, now - TURNED_S)),
            (EvidencePart.AT, now),
            (EvidencePart.AFTER, now + AFTER_S),
        )
        self._moments.append(EvidenceMoment(seq, Occasion.REVEAL, times, now + AFTER_S))

    def _challenge(self, seq: int, now: float) -> None:
        times = (
            (EvidencePart.BEFORE, now - CHALLENGED_S),
            (EvidencePart.AT, now),
            (EvidencePart.AFTER, now + AFTER_S),
        )
        self._moments.append(EvidenceMoment(seq, Occasion.CHALLENGE, times, now + AFTER_S))

    def _dispute(self, referee: Referee, now: float) -> None:
        """What is seen is not what is recorded or told: before, and as it lies."""
        reading, sighting = referee.sight.reading, referee.sight.sighting
        if reading is None or sighting is None:
            return
        disputed = _disputed_in(reading)
        if disputed - self._disputed:
            before = self._agreed_at if self._agreed_at is not None else now - BEFORE_S
            after = max(
                before, sighting.taken_at
            )  # what was told may differ, and the table be still
            times = ((EvidencePart.BEFORE, before), (EvidencePart.AFTER, after))
            self._moments.append(EvidenceMoment(self._last, Occasion.PLACE, times, now))
        if not disputed and sighting.state is PictureState.SETTLED:
            self._agreed_at = now
        self._disputed = disputed

    def _late_cards(self, referee: Referee) -> None:
        """A card that came after the buzzer: the picture at the buzzer, and with the card."""
        sighting = referee.sight.sighting
        if sighting is None or self._zero_at is None:
            return
        fresh = set(sighting.late) - self._late
        if fresh:
            times = ((EvidencePart.BEFORE, self._zero_at), (EvidencePart.AFTER, sighting.taken_at))
            self._moments.append(
                EvidenceMoment(self._zero_seq, Occasion.CARD, times, sighting.taken_at + OFF_S)
            )
            for card in fresh:
                self._came.setdefault(
                    card.section, (sighting.taken_at, self._outline_px(card.section))
                )
        self._late |= fresh

    def _outline_px(self, section: str) -> OutlinePx:
        """Where a section lies in the picture now; empty where its board is not seen."""
        tracker = self._watch.tracker
        board = tracker.plan.board_of.get(section) if tracker is not None else None
        place = tracker.view.places.get(board.name) if tracker is not None and board else None
        if tracker is None or place is None:
            return ()
        outline_mm = np.array(tracker.plan.spaces[section].outline_mm, np.float64)
        return tuple((x, y) for x, y in place.to_picture(outline_mm).tolist())

    @property
    def _last(self) -> int:
        return len(self._match.entries) - 1

    def _line_of(self, key: str) -> int:
        """The log line that answers a question, or will be the next one."""
        entries = self._match.entries
        told = (entry.seq for entry in reversed(entries) if entry.key == key and key)
        return next(told, len(entries))

    # -- what is kept ----------------------------------------------------------------------

    @property
    def files(self) -> tuple[EvidenceFile, ...]:
        """Everything kept with this match so far, by log line."""
        return self.writing.files

    @property
    def zero_picture(self) -> EvidenceFile | None:
        """The picture at the last buzzer, once it is kept."""
        at = [
            one for one in self.files if one.seq == self._zero_seq and one.part is EvidencePart.AT
        ]
        return next((one for one in at if one.occasion is Occasion.ZERO), None)

    @property
    def can_clip(self) -> bool:
        """Whether the camera has given any picture."""
        return self._watch.frame is not None

    @property
    def untaken(self) -> Mapping[int, str]:
        """Of lines with which no picture is kept, why: it is yet to be taken, or there was none."""
        awaited = [moment.seq for moment in self._moments if not moment.clip_name]
        said = [one.seq for one in self._match.entries[self._seen :] if _challenges(one)]
        return {**self._untaken, **dict.fromkeys((*awaited, *said), AWAITED)}

    @property
    def clip_is_due(self) -> bool:
        """Whether a clip was asked for whose last seconds are still to come."""
        return any(moment.clip_name for moment in self._moments)

    def picture(self, file: EvidenceFile) -> Picture | None:
        """A kept picture to be looked at; None where it cannot be read."""
        try:
            return kept_picture(self._folder() / file.name)
        except RecordError:
            return None

    def pair(self, before: EvidenceFile, after: EvidenceFile) -> tuple[Picture, Picture] | None:
        """Two kept pictures, ringed where the later one differs; None where one is not read."""
        try:
            folder = self._folder()
        except RecordError:
            return None
        return kept_pair(folder / before.name, folder / after.name)

    def flat(
        self, before: EvidenceFile, after: EvidenceFile, turn_deg: int = 0
    ) -> tuple[Picture, Picture] | None:
        """Two kept pictures with every board drawn flat, ringed where the later one differs.

        None where one is not read, or it is not known where boards lay then.
        """
        lay, asked = self._lay.get(after.name), (before, after, turn_deg)
        if lay is None:
            return None
        if self._flat[0] != asked:
            try:
                folder = self._folder()
            except RecordError:
                return None
            pair = flat_pair(folder / before.name, folder / after.name, lay, turn_deg)
            self._flat = (asked, pair)
        return self._flat[1]

    def sections_of(self, section: str) -> tuple[Picture, Picture] | None:
        """A section to which a card came late, before and with it; None until both are kept."""
        came = self._came.get(section)
        cards = [one for one in self.files if one.occasion is Occasion.CARD]
        mine = [one for one in cards if one.seq == self._zero_seq]
        before = [one for one in mine if one.part is EvidencePart.BEFORE]
        after = [one for one in mine if one.part is EvidencePart.AFTER]
        if came is None or not before or not after or self._zero_at is None:
            return None
        came_at, outline_px = came
        at_utc = self._utc_at(came_at)
        shown = min(after, key=lambda one: abs(_seconds(one.at_utc) - _seconds(at_utc)))
        late_s = came_at - self._zero_at
        pictures = (
            self._section(before[-1], outline_px, "at the buzzer"),
            self._section(shown, outline_px, f"{late_s:.1f} s after the buzzer"),
        )
        return pictures if all(one.image is not None for one in pictures) else None

    def _section(self, file: EvidenceFile, outline_px: OutlinePx, note: str) -> Picture:
        return kept_section(self._folder() / file.name, outline_px, note)

    def keep_clip(self, seq: int, now: float) -> None:
        """Somebody wants the last seconds kept: a still of now and the boards, and then a clip.

        The clip is written when what it shows after the moment has come, too. BadCall where the
        camera gave no picture of the seconds before.
        """
        if not self._watch.evidence.between(now - CLIP_BEFORE_S, now):
            raise BadCall(
                "the camera gave no picture in the last seconds: there is no clip to keep"
            )
        self._write(EvidenceMoment(seq, Occasion.CALLED, ((EvidencePart.AT, now),), now))
        name = EvidenceFile(seq, Occasion.CALLED, EvidencePart.CLIP, self._utc_at(now), ENDING).name
        self._moments.append(EvidenceMoment(seq, Occasion.CALLED, (), now + CLIP_AFTER_S, name))

    def settle(self) -> None:
        """Wait until everything that was due is on disk."""
        self.writing.settle()

    def close(self) -> None:
        """Write what is left, as far as the ring has it, and end."""
        for moment in self._moments:
            self._write(moment)
        self._moments.clear()
        self.writing.close()

    def _write_due(self, now: float) -> None:
        due = [moment for moment in self._moments if moment.due_at <= now]
        self._moments = [moment for moment in self._moments if moment.due_at > now]
        for moment in due:
            self._write(moment)
            self._note_untaken(moment, now)

    def _note_untaken(self, moment: EvidenceMoment, now: float) -> None:
        """Why there was nothing to keep: what ails the camera, or did so at that moment."""
        if not moment.clip_name and not self._stills(moment):
            device = self._watch.device(now)
            self._untaken[moment.seq] = f"{device.alarm}." if device.alarm else GAVE_NONE

    def _write(self, moment: EvidenceMoment) -> None:
        """Take a moment's pictures out of the ring, and hand them to the writer."""
        if moment.clip_name:
            start = moment.due_at - CLIP_AFTER_S - CLIP_BEFORE_S
            film = self._watch.evidence.between(start, moment.due_at)
            self.writing.clip(film, moment.clip_name)
            return
        stills = self._stills(moment)
        if stills:
            last = stills[-1][1]
            named = {self._name(moment, part, still): still for part, still in stills}
            self._remember_boards(named)
            drawn = (
                self._name(moment, EvidencePart.BOARDS, last),
                last.taken_at,
                self._boards(last),
            )
            self.writing.stills(named, drawn)

    def _remember_boards(self, names: Iterable[str]) -> None:
        """Where boards lie now, with the pictures that are kept now: of the latest ones alone."""
        tracker = self._watch.tracker
        if tracker is not None and tracker.view.places:
            places = dict(tracker.view.places)
            self._lay.update((name, places) for name in names)
            for oldest in tuple(self._lay)[:-MOST_LAID]:
                del self._lay[oldest]

    def _name(self, moment: EvidenceMoment, part: EvidencePart, still: Still) -> str:
        """Told on the table's thread: both clocks must be looked at together."""
        at_utc = self._utc_at(still.taken_at)
        return EvidenceFile(moment.seq, moment.occasion, part, at_utc).name

    def _stills(self, moment: EvidenceMoment) -> list[tuple[EvidencePart, Still]]:
        """The pictures of its times, each once; of another moment none."""
        found: list[tuple[EvidencePart, Still]] = []
        for part, at in moment.times:
            still = self._watch.evidence.still_at(at)
            if still is None or abs(still.taken_at - at) > OFF_S:
                continue
            if all(still.number != other.number for _, other in found):
                found.append((part, still))
        return found

    def _boards(self, still: Still) -> Callable[[], ColourImage | None]:
        """How to draw what was recognised, as it is known now; drawn by the writer."""
        tracker, sighting = self._watch.tracker, self._watch.sighting
        if tracker is None or sighting is None:
            return lambda: None
        places = dict(tracker.view.places)
        return lambda: drawn_boards(still.decoded(), places, sighting)


def kept_of(keeping: EvidenceKeeping | None, turn_deg: int = 0) -> Kept:
    """What is kept so far, as screens show it; flat pictures turned by quarters clockwise."""
    if keeping is None:
        return Kept()
    writing = keeping.writing
    return Kept(
        files=keeping.files,
        trouble=writing.trouble,
        zero=keeping.zero_picture,
        clips=keeping.can_clip,
        picture=keeping.picture,
        pair=keeping.pair,
        flat=partial(keeping.flat, turn_deg=turn_deg),
        sections_of=keeping.sections_of,
        lost=(writing.lost, writing.reason),
        clip_is_due=keeping.clip_is_due,
        untaken=keeping.untaken,
    )


def kept_earlier(record: Record, match_id: str) -> Kept:
    """What is kept of a match at which no camera looks now: it can be seen all the same."""
    files = record.evidence_of(match_id)
    if not files:
        return Kept()
    folder = record.evidence(match_id)
    return Kept(files, picture=lambda file: kept_picture(folder / file.name))


def _challenges(entry: Entry) -> bool:
    said = entry.answer
    return entry.kind == "clock" and isinstance(said, dict) and said.get("event") == CHALLENGED


def _disputed_in(reading: Reading) -> frozenset[str]:
    """Pieces that stand elsewhere or too close to call, and questions answered otherwise."""
    pieces = (*(one.piece for one in reading.differences), *reading.doubtful)
    return frozenset((*map(str, pieces), *(fit.key for fit in reading.contradicted)))


def _seconds(at_utc: str) -> float:
    return datetime.fromisoformat(at_utc).timestamp()


def utc_of(clock: Callable[[], float], utc: Callable[[], datetime]) -> Callable[[float], str]:
    """Turn monotonic seconds into UTC as the log writes it, by what both clocks say now."""

    def at(moment_s: float) -> str:
        taken = utc().astimezone(UTC) - timedelta(seconds=clock() - moment_s)
        return f"{taken:%Y-%m-%dT%H:%M:%S}.{taken.microsecond // 1000:03d}Z"

    return at


# Between round and camera: the camera learns that its tracks are empty, the buzzer sounded.

FRESH_S = 0.5
"""A phase that has so much less than all of its time left has not begun just now."""


class RoundEyes:
    """Between the signals and the camera; `signal` from any thread, all else on the table's."""

    def __init__(self, watch: CameraWatch | None) -> None:
        self._watch = watch
        self._armed: SignalEvent | None = None
        self._zero_at: float | None = None

    def signal(self, event: SignalEvent) -> None:
        """A phase was armed, or ended."""
        if event.kind is SignalKind.ARMED:
            self._armed = event
        if event.kind is SignalKind.ZERO:
            self._zero_at = event.at
            if self._watch is not None:
                self._watch.buzzer(event.at)

    def new_match(self) -> None:
        """The table is set up: nothing lies on its tracks."""
        if self._watch is not None:
            self._watch.sections_are_empty()

    def tick(self, referee: Referee, keeping: EvidenceKeeping | None, now: float) -> None:
        """Tell the camera of a phase that began; keep the pictures of what happened."""
        armed, self._armed = self._armed, None
        at, self._zero_at = self._zero_at, None
        if armed is not None and _has_begun(referee, armed) and self._watch is not None:
            self._watch.sections_are_empty()
        if keeping is not None:
            if at is not None:
                keeping.zero(at)
            keeping.look(referee, now)


def _has_begun(referee: Referee, armed: SignalEvent) -> bool:
    """Whether a phase has all of its time before it: cards lie on tracks from then on alone."""
    asked = (one for one in referee.match.open.values() if isinstance(one, Locked))
    whole_s = next((one.seconds for one in asked if one.seconds is not None), None)
    return whole_s is not None and armed.rest_s >= whole_s - FRESH_S


# What screens know of what is kept.


def no_picture(_: EvidenceFile) -> Picture | None:
    """Where no table keeps pictures."""
    return None


def no_pair(_: EvidenceFile, __: EvidenceFile) -> tuple[Picture, Picture] | None:
    """Where no table keeps pictures."""
    return None


PairOf = Callable[[EvidenceFile, EvidenceFile], "tuple[Picture, Picture] | None"]
"""What shows two kept pictures beside each other."""


def no_section(_: str) -> tuple[Picture, Picture] | None:
    """Where no table keeps pictures, or none of a section."""
    return None


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept with a match: its files, what went wrong with the last, and how to see one.

    `zero` is the picture at the last buzzer, once it is there; `clips` whether a clip can be kept.
    `pair` gives two of them, ringed where the later one differs.
    `flat` gives them with every board drawn flat; None where nobody knows how boards lay then.
    `sections_of` gives the pictures of a section to which a card came late: before, and with it.
    `lost` is how often something could not be kept since the match began, and why the last time;
    `clip_is_due` while a clip waits for its last seconds; `untaken` is why there is none of a line.
    """

    files: tuple[EvidenceFile, ...] = ()
    trouble: str = ""
    zero: EvidenceFile | None = None
    clips: bool = False
    picture: Callable[[EvidenceFile], Picture | None] = no_picture
    pair: PairOf = no_pair
    flat: PairOf = no_pair
    sections_of: Callable[[str], tuple[Picture, Picture] | None] = no_section
    lost: tuple[int, str] = (0, "")
    clip_is_due: bool = False
    untaken: Mapping[int, str] = field(default_factory=dict[int, str])

    def none_of(self, seq: int) -> Picture:
        """What stands where the pictures of a line would, of which there are none."""
        why = self.untaken.get(seq, "")
        if why == AWAITED:
            told = why
        elif why or self.trouble:
            told = f"No picture was kept. {why or self.trouble}"
        else:
            told = f"No picture was kept{'' if self.clips else ': no camera looked'}."
        return Picture(None, 0, (4, 3), note=told, note_mark=Mark.NONE)

    def of_line(self, seq: int) -> tuple[EvidenceFile, ...]:
        """The files of one line of the log, in the order of their times."""
        return tuple(file for file in self.files if file.seq == seq)
