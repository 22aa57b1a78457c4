"""Vision alone: what is found in each frame of a picture, folder, film or device, and in words."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.board import BoardPlan, Piece
from companion.core.errors import CameraError
from companion.core.offers import Counts, PictureState, Seen, SeenState
from companion.core.ruling import Json
from vision.boards.calibrating import (
    BLURRED,
    MOST_BLUR_PX,
    Stage,
    blur_of,
    mirrored,
    plan_shown,
    why_nothing,
)
from vision.boards.view import TableView
from vision.camera.camera import Camera, open_camera
from vision.camera.frame import Frame
from vision.camera.kept import Reads, reads_of
from vision.camera.pictures import BadPicture
from vision.cards.cards import CardOn, CardReader, CoveredCards, cards_shown
from vision.dice.dice import DieSeen
from vision.dice.memory import DiceMemory, dice_before
from vision.dice.slant import tilted_place
from vision.dice.untold import dice_by_pips, dice_untold
from vision.evidence.keeping import KeepingCamera, KeptFolder
from vision.looks.file import looks_beside, reader_of
from vision.looks.taught import TaughtReader
from vision.markers.dictionaries import MarkerDictionary, load_dictionary
from vision.markers.reading import MarkerReader, MarkerSeen, ThoroughReader, read_each
from vision.table_file.reading import TableSetup
from vision.tracking.gate import Gate
from vision.tracking.lying_over import LIES_OVER_EDGE, LyingOver
from vision.tracking.observation import observe
from vision.tracking.settling import CALM_FRAMES, QUIET_FRAMES, QUIET_S
from vision.tracking.tracker import Tracker

# As JSON: each marker, die, card and piece.


def marker_json(marker: MarkerSeen) -> dict[str, Json]:
    """A marker: its id, its dictionary and its corners, px."""
    corners: list[Json] = [[round(x, 2), round(y, 2)] for x, y in marker.corners_px.tolist()]
    return {"id": marker.id, "dictionary": marker.dictionary, "corners_px": corners}


def card_json(card: CardOn) -> dict[str, Json]:
    """A card in its sleeve, on a section of a track.

    `faces` are the names it counts by: none face down, two where it lies too far sideways.

    `over` names the owners of cards that may lie under it, where there are any.
    """
    seen, (x, y) = card.card.seen, card.card.middle_mm
    return {
        "section": card.section,
        **({"over": list(card.over)} if card.over else {}),
        "owner": seen.owner,
        "faces": list(seen.faces),
        "x_mm": round(x, 2),
        "y_mm": round(y, 2),
        "turn_deg": round(card.card.turn_deg, 2),
        "marker": card.card.sleeve.marker,
    }


def die_json(die: DieSeen) -> dict[str, Json]:
    """A die: its value, null where that is in doubt, and its middle, px."""
    x, y = die.centre_px
    centre: list[Json] = [round(x, 2), round(y, 2)]
    return {"value": die.value, "centre_px": centre, "sure": die.value is not None}


def piece_json(piece: Piece, seen: Seen) -> dict[str, Json]:
    """A piece: where it is, mm of its board, and how sure that is."""
    return {
        "piece": piece,
        "board": seen.board,
        "space": seen.pose.space if seen.pose is not None else None,
        "facing": seen.pose.facing if seen.pose is not None else None,
        "spaces": list(seen.spaces),
        "facings": list(seen.facings),
        "x_mm": _rounded(seen.x_mm),
        "y_mm": _rounded(seen.y_mm),
        "heading_deg": _rounded(seen.heading_deg),
        "state": seen.state.value,
        "place_sd_mm": _rounded(seen.place_sd_mm),
        "heading_sd_deg": _rounded(seen.heading_sd_deg),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


# In words: pieces first, markers last, and why nothing is seen.

BLURRED_PICTURE = "Out of focus: turn the lens until the picture is crisp."
"""Where no board is expected, and so no corner marker."""
LEAST_READ_PX = 13
"""Of a picture's shorter side: in a smaller one not even a marker that fills it is read."""
TOO_SMALL = (
    "The picture is {} x {} px, too small to read anything: give one that shows the table, "
    "640 x 480 px or larger"
)
LOOK_EVERY = 30
"""Of a film's frames without a marker, so many are told by the first of them."""


@dataclass(frozen=True, slots=True)
class NoBoardSeen:
    """A picture in which no board is seen, what was read in it, and what may be expected of it.

    `wanted` is whether boards must be there, `at_rest` whether nothing moves before the camera: a
    hand may hide them, and is blurred.
    """

    frame: Frame
    markers: Sequence[MarkerSeen]
    wanted: bool
    at_rest: bool


class Unseen:
    """Why no board is seen, in the words that a calibration has; `own` are boxes' dictionaries."""

    def __init__(self, dictionaries: Sequence[MarkerDictionary], own: Sequence[str]) -> None:
        self._readers = [MarkerReader(dictionary) for dictionary in dictionaries]
        self._own = frozenset(own)
        self._first: NoBoardSeen | None = None
        self._told = ""

    def why(self, look: NoBoardSeen) -> str:
        """What is wrong with the picture; empty where nothing is.

        A picture that merely shows no board is at fault only where boards are wanted.
        """
        if look.markers:
            self._first = None
            ours = [marker for marker in look.markers if marker.dictionary in self._own]
            blur_px = blur_of(look.frame.grey, ours) if look.at_rest and ours else None
            return BLURRED if blur_px is not None and blur_px > MOST_BLUR_PX else ""
        if self._first is None or not _is_soon_after(self._first, look):
            self._first, self._told = look, self._looked(look)
        return self._told

    def _looked(self, look: NoBoardSeen) -> str:
        if min(look.frame.size_px) < LEAST_READ_PX:
            return TOO_SMALL.format(*look.frame.size_px)
        stage, words = why_nothing(look.frame)
        if stage is Stage.DARK:
            return words
        flipped = next(filter(None, (mirrored(look.frame, one) for one in self._readers)), "")
        if flipped or not look.at_rest:
            return flipped
        if look.wanted:
            return words
        return BLURRED_PICTURE if stage is Stage.BLURRED else ""


def _is_soon_after(first: NoBoardSeen, look: NoBoardSeen) -> bool:
    """Whether a frame of the same film tells nothing else than an earlier one."""
    alike = first.frame.source == look.frame.source and first.at_rest == look.at_rest
    return alike and 0 <= look.frame.number - first.frame.number < LOOK_EVERY


def doubled_words(plan: BoardPlan, pieces: Sequence[Piece]) -> str:
    """Which tokens are there twice, and what to do; empty for none."""
    labels = " and ".join(plan.token_of[piece].label for piece in pieces)
    if not labels:
        return ""
    return f"Two tokens are read as {labels}, so neither counts: take the wrong one away"


def boards_words(plan: BoardPlan, seen: frozenset[str]) -> str:
    """How many boards of how many are seen, and which are not.

    >>> from companion.games.jaws_and_paws.boards import board_plan
    >>> boards_words(board_plan(), frozenset(board.name for board in board_plan().boards))
    '6 of 6 boards'
    """
    marked = [board.name for board in plan.boards if board.corners or board.name in seen]
    missing = [name for name in marked if name not in seen]
    told = f"{len(marked) - len(missing)} of {len(marked)} boards"
    return (
        f"{told} (not seen: {', '.join(missing)})"
        if missing and len(missing) < len(marked)
        else told
    )


def in_words(picture: PictureSeen) -> str:
    """What was found, for people; of markers their number where they are those of a table."""
    found = [*filter(None, [picture.trouble.removesuffix("."), picture.boards]), *picture.drift]
    found += [_told_piece(piece, seen, picture) for piece, seen in (picture.pieces or {}).items()]
    found += [_told_counts(kind, lying) for kind, lying in picture.counts.items() if lying]
    found += map(str, picture.cards)
    if picture.dice:
        found.append(f"dice {' '.join(str(die.value or '?') for die in picture.dice)}")
    if picture.pieces is None:
        found += _told_markers(picture.markers)
    return "; ".join(found) or "nothing"


def marker_words(picture: PictureSeen) -> str:
    """How many markers there are, where `in_words` has not told which; empty for none."""
    if picture.pieces is None:
        return ""
    names = [marker.dictionary for marker in picture.markers]
    told = [f"{names.count(name)} of {name}" for name in dict.fromkeys(names)]
    return f"; {', '.join(told)}" if told else ""


def _told_markers(markers: Sequence[MarkerSeen]) -> Iterator[str]:
    for name in dict.fromkeys(marker.dictionary for marker in markers):
        ids = [str(marker.id) for marker in markers if marker.dictionary == name]
        yield f"{len(ids)} of {name} ({' '.join(ids)})"


def _told_counts(kind: str, lying: Mapping[str, int]) -> str:
    places = ", ".join(f"{count} on {place or 'no space'}" for place, count in lying.items())
    return f"{kind}: {places}"


def _told_piece(piece: Piece, seen: Seen, picture: PictureSeen) -> str:
    """Where a piece is, as a person would say it."""
    if seen.pose is not None:
        turned = "" if seen.heading_deg is None else f", heading {seen.heading_deg % 360:.0f} deg"
        told = f"{piece} on {seen.pose}{turned.replace('heading 360 ', 'heading 0 ')}"
    elif len(seen.spaces) > 1:
        told = f"{piece} between {' and '.join(seen.spaces)}"
    elif seen.spaces:
        told = f"{piece} on {seen.spaces[0]}, heading unclear"
    elif seen.board:
        told = f"{piece} on no space"
    else:
        told = f"{piece} {_nowhere(piece, seen, picture)}"
    return f"{told} ({seen.state.value})"


def _nowhere(piece: Piece, seen: Seen, picture: PictureSeen) -> str:
    """Why a piece has no place: it is there twice, lies beside the boards, or was not found."""
    if piece in picture.conflicts:
        return "there twice"
    return "beside the boards" if seen.state is SeenState.UNSURE else "nowhere"


# Looking.

USUAL_DICTIONARIES = ("ARUCO_MIP_36h12", "4X4_50", "APRILTAG_36h11")
"""Looked for where neither a table nor a dictionary is named."""
READ_PX = 30.0
"""Dice need be no wider than that to be read."""
WAIT_S = 0.005
"""Between two looks at a device that has nothing new."""
AT_REST = frozenset({PictureState.STILL, PictureState.SETTLED, PictureState.BLIND})
"""While something moves over the table, it is no wonder that no marker is seen."""


@dataclass(frozen=True, slots=True)
class PictureSeen:
    """What was found in one picture or frame; `trouble` says why nothing, or less, could be.

    `frame` counts from 0. Pieces are those of the table, be they seen or not. `drift` has a
    sentence for each board that was nudged or moved since it was calibrated, or else first found.
    `counts` is how many counted tokens lie on each space or tray, as a sighting has it. `cards` are
    those in sleeves that this very frame shows on tracks. `boards` has how many of the table's
    boards are seen, in words, `conflicts` the pieces whose markers are there twice.
    """

    source: str
    frame: int
    state: PictureState
    markers: tuple[MarkerSeen, ...] = ()
    pieces: Mapping[Piece, Seen] | None = None
    trouble: str = ""
    dice: tuple[DieSeen, ...] = ()
    drift: tuple[str, ...] = ()
    counts: Counts = field(default_factory=dict[str, Mapping[str, int]])
    cards: tuple[CardOn, ...] = ()
    boards: str = ""
    conflicts: tuple[Piece, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """One object, as the contract has it.

        With `trouble`, `drift`, `counts` and `cards` where there are any.
        """
        told: dict[str, Json] = {
            "source": self.source,
            "frame": self.frame,
            "state": self.state.value,
            "markers": [marker_json(marker) for marker in self.markers],
            "dice": [die_json(die) for die in self.dice],
            "pieces": [piece_json(piece, seen) for piece, seen in (self.pieces or {}).items()],
        }
        if self.trouble:
            told["trouble"] = self.trouble
        if self.drift:
            told["drift"] = list(self.drift)
        if self.counts:
            told["counts"] = {kind: dict(lying) for kind, lying in self.counts.items()}
        if self.cards:
            told["cards"] = [card_json(card) for card in self.cards]
        return told

    def __str__(self) -> str:
        """One line for people."""
        return f"{self.source} [{self.frame}] {self.told}{marker_words(self)}"

    @property
    def told(self) -> str:
        """Its state and what was found; two frames of which the same is told show the same."""
        return f"{self.state.value}: {in_words(self)}"


def see(
    source: str,
    *,
    table: TableSetup | None = None,
    guesses: Sequence[BoardPlan] = (),
    dictionaries: Sequence[str] = (),
    die_px: float = 0.0,
    tilt_deg: float | None = None,
    keeping: KeptFolder | None = None,
    wait: Callable[[float], None] = time.sleep,
) -> Iterator[PictureSeen]:
    """Look at each frame of a source and tell what is in it; a device goes on until it is lost.

    Markers are of the `dictionaries` named and the table's own, else of the usual ones. Pieces are
    read where a `table` is given, or once a board of one of the `guesses` is seen. In
    pictures without either dice about `die_px` wide are, if it is given; where the camera is tilted
    by `tilt_deg` from straight down, as beside a board. What a `keeping` keeps is looked at as it
    is kept, so that looking again tells the same.

    Raises `CameraError` for a source that cannot be read at all, `BadCall` or `BadFile` for a
    dictionary. A single bad picture of a folder is told as `blind` with its trouble.
    """
    reading = _Reading(table, guesses, dictionaries, die_px, tilt_deg)
    with closing(open_camera(source)) as camera:
        if keeping is None:
            yield from _looked(camera, source, reading, reads_of(camera), wait)
        else:
            yield from _kept(camera, source, reading, keeping, wait)


def keep_pictures(
    camera: Camera,
    keeping: KeptFolder,
    *,
    table: TableSetup | None = None,
    guesses: Sequence[BoardPlan] = (),
    wait: Callable[[float], None] = time.sleep,
) -> Iterator[PictureSeen]:
    """The same of a camera that is open already, keeping what is looked at; errors as `see`."""
    return _kept(camera, camera.name, _Reading(table, guesses, ()), keeping, wait)


def _kept(
    camera: Camera,
    source: str,
    reading: _Reading,
    keeping: KeptFolder,
    wait: Callable[[float], None],
) -> Iterator[PictureSeen]:
    reads = reads_of(camera)
    keeping.begin(reads)
    kept = KeepingCamera(camera, keeping)
    yield from _before_boards(kept, source, reading, wait)
    for seen in _looked(kept, source, reading, reads, wait):
        kept.keep(seen.told, seen.to_json())
        yield seen


def _looked(
    camera: Camera, source: str, reading: _Reading, reads: Reads, wait: Callable[[float], None]
) -> Iterator[PictureSeen]:
    """One told for each picture that is given, or fails to be, before the next is asked for."""
    if reads is Reads.FILM:
        return _film(camera, source, reading, wait)
    return _pictures(camera, reading, alone=reads is Reads.PICTURE)


NOT_KEPT = "not kept: no board is seen, and the boards alone are kept; with --whole all of it is"


def _before_boards(
    camera: KeepingCamera, source: str, reading: _Reading, wait: Callable[[float], None]
) -> Iterator[PictureSeen]:
    """Pictures by themselves, until one shows a board: of that one on the boards alone are kept."""
    readers = [ThoroughReader(dictionary) for dictionary in reading.dictionaries]
    number = -1
    while camera.looks_for_boards:
        item = _next(camera)
        if isinstance(item, CameraError):
            number += 1
            seen = _blind(item, source, number)
            yield replace(seen, trouble=_trouble(seen.trouble, NOT_KEPT))
        elif item is not None:
            number = item.number
            markers = read_each(readers, item.grey)
            if not camera.find_boards(item, markers, reading.setup(markers)):
                seen = _single(item, markers, reading)
                yield replace(seen, trouble=_trouble(seen.trouble, NOT_KEPT))
        elif camera.live:
            wait(WAIT_S)
        else:
            return


class _Reading:
    """Which markers and which table are looked for."""

    def __init__(
        self,
        table: TableSetup | None,
        guesses: Sequence[BoardPlan],
        dictionaries: Sequence[str],
        die_px: float = 0.0,
        tilt_deg: float | None = None,
    ) -> None:
        self._table = table
        self._die_px, self._tilt_deg = die_px, tilt_deg
        self._guesses = [] if table is not None else [TableSetup(plan) for plan in guesses]
        names = dictionaries or (() if table is not None else USUAL_DICTIONARIES)
        known = [table] if table is not None else self._guesses
        own = (setup.plan.dictionary for setup in known)
        found = {codes.name: codes for codes in map(load_dictionary, (*names, *own))}
        self.dictionaries = tuple(found.values())
        self._unseen = Unseen(self.dictionaries, [setup.plan.dictionary for setup in known])

    def dice(self, frame: Frame, *, at_leisure: bool = True) -> tuple[DieSeen, ...]:
        """The dice of a picture with no board, where their width is known."""
        if not self._die_px:
            return ()
        return dice_of_width(frame, self._die_px, self._tilt_deg, at_leisure=at_leisure)

    def why_unseen(
        self,
        frame: Frame,
        markers: Sequence[MarkerSeen],
        boards: frozenset[str] = frozenset(),
        state: PictureState = PictureState.STILL,
    ) -> str:
        """What is wrong with a picture that shows no board; they may be known from before."""
        if boards and markers:
            return ""
        wanted = self._table is not None and not boards
        return self._unseen.why(NoBoardSeen(frame, markers, wanted, state in AT_REST))

    def setup(self, markers: Sequence[MarkerSeen]) -> TableSetup | None:
        """The table given, else the one that most of the corner markers in a picture belong to."""
        if self._table is not None:
            return self._table
        best = plan_shown([setup.plan for setup in self._guesses], markers)
        return None if best is None else self._guesses[best]


def _pictures(camera: Camera, reading: _Reading, *, alone: bool) -> Iterator[PictureSeen]:
    """Every picture read thoroughly, for nobody waits; a row of like ones may settle."""
    readers = [ThoroughReader(dictionary) for dictionary in reading.dictionaries]
    film = None if alone else _Film(reading)
    number = -1
    while (item := _next(camera)) is not None:
        if isinstance(item, CameraError):
            if alone:
                raise item
            number += 1
            yield _blind(item, camera.name, number)
            continue
        number = item.number
        markers = read_each(readers, item.grey)
        if film is None:
            yield _single(item, markers, reading)
        else:
            yield film.look(item, markers)


def _blind(trouble: CameraError, source: str, number: int) -> PictureSeen:
    """A picture that could not be read, by its own name where it has one."""
    own = trouble.source if isinstance(trouble, BadPicture) else source
    return PictureSeen(own, number, PictureState.BLIND, trouble=str(trouble))


def _single(frame: Frame, markers: tuple[MarkerSeen, ...], reading: _Reading) -> PictureSeen:
    setup = reading.setup(markers)
    if setup is None:
        found = reading.dice(frame)
        why = "" if found else reading.why_unseen(frame, markers)
        return PictureSeen(
            frame.source, frame.number, PictureState.STILL, markers, trouble=why, dice=found
        )
    setup.check_camera("", frame.size_px)
    view = _remembering(TableView(setup.plan, setup.lens), setup)
    seen = observe(frame, markers, view)
    pieces = seen.pieces
    taught = _taught_beside(setup)
    if taught is not None:
        pieces = taught.filled(frame, pieces, view.places)
    dice = DiceMemory(setup.plan.dice_mm)
    if setup.plan.dice_mm:
        dice.read(frame, view.places.values(), markers, None)
    why = reading.why_unseen(frame, markers, seen.boards_seen)
    grey = _colour_words(taught)
    trouble = _trouble(view.trouble, why, grey, doubled_words(setup.plan, seen.conflicts))
    return PictureSeen(
        frame.source, frame.number, PictureState.STILL, markers, pieces, trouble,
        dice.dice, view.drift_words, seen.counts,
        cards_shown(CardReader(setup.plan), frame.grey, view.places, thorough=True),
        boards_words(setup.plan, seen.boards_seen), seen.conflicts,
    )  # fmt: skip


def _film(
    camera: Camera, source: str, reading: _Reading, wait: Callable[[float], None]
) -> Iterator[PictureSeen]:
    """Every frame, read as quickly as a table is."""
    readers = [MarkerReader(dictionary) for dictionary in reading.dictionaries]
    film = _Film(reading, camera.name if camera.live else "")
    while True:
        item = _next(camera)
        if isinstance(item, CameraError):
            yield PictureSeen(source, film.next_frame, PictureState.BLIND, trouble=str(item))
        elif item is not None:
            markers = read_each(readers, item.grey)
            yield film.look(item, markers)
        elif camera.live:
            wait(WAIT_S)
        else:
            return


def dice_of_width(
    frame: Frame, die_px: float, tilt_deg: float | None = None, *, at_leisure: bool = True
) -> tuple[DieSeen, ...]:
    """Every die of a picture with no board; one in which they are large is made smaller first.

    Where it is told how far the camera is tilted from straight down, the picture's upper edge being
    the far one, dice are held against flat ones. Else they are held against those that cameras of
    several tilts would see; or, where that takes too long, only pips tell how they lie.
    """
    if die_px > min(frame.grey.shape):
        return ()
    share = min(1.0, READ_PX / die_px)
    small_px = share * die_px
    grey = _smaller(frame.grey, share)
    colour = frame.in_colour()
    small = replace(
        frame, grey=grey, colour=None if colour is None else _smaller(colour, share),
        undeveloped=None,
    )  # fmt: skip
    if tilt_deg is not None:
        found = dice_before(small, tilted_place(small.size_px, tilt_deg, small_px), 1.0)
    else:
        found = (dice_untold if at_leisure else dice_by_pips)(small, small_px)
    return tuple(
        DieSeen(
            die.value, (die.centre_px[0] / share, die.centre_px[1] / share), die.side_px / share
        )
        for die in found
    )


def _smaller(picture: NDArray[np.uint8], share: float) -> NDArray[np.uint8]:
    """A picture of so many times its size, grey or in colours."""
    if share == 1.0:
        return picture
    small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


RESTLESS_S = 10.0
"""What moves for so long has words."""
GRAINY = "too dark or too grainy: more light, or a lower gain"
RESTLESS = "something has kept moving for 10 s, so nothing settles: keep the table and camera still"


class _Restless:
    """Says why a film does not come to rest, once it has not for a while."""

    def __init__(self) -> None:
        self._since: float | None = None

    def words(self, frame: Frame, state: PictureState, *, grainy: bool) -> str:
        """What keeps it from that and the way out; empty while there is nothing to say."""
        if state is not PictureState.MOVING:
            self._since = None
            return ""
        self._since = frame.taken_at if self._since is None else self._since
        if frame.taken_at - self._since < RESTLESS_S:
            return ""
        return GRAINY if grainy else RESTLESS


class _Film:
    """Frame after frame of one table, or of something that is none."""

    def __init__(self, reading: _Reading, camera: str = "") -> None:
        self._reading = reading
        self._camera = camera
        self._table: _Followed | None = None
        self._stillness = _Stillness()
        self._at_rest: tuple[DieSeen, ...] | None = None
        self.next_frame = 0

    def look(self, frame: Frame, markers: tuple[MarkerSeen, ...]) -> PictureSeen:
        self.next_frame = frame.number + 1
        if self._table is None and (setup := self._reading.setup(markers)) is not None:
            setup.check_camera(self._camera, frame.size_px)
            self._table = _Followed(setup, self._reading)
        if self._table is None:
            state = self._stillness.look(frame)
            dice = self._dice(frame, state)
            why = "" if dice else self._reading.why_unseen(frame, markers, state=state)
            why = _trouble(why, self._stillness.restless(frame, state), self._stillness.over_edge)
            return PictureSeen(frame.source, frame.number, state, markers, trouble=why, dice=dice)
        return self._table.look(frame, markers)

    def _dice(self, frame: Frame, state: PictureState) -> tuple[DieSeen, ...]:
        """The dice of a frame with no board: at leisure once it has settled, as they lie then."""
        if state is not PictureState.SETTLED:
            self._at_rest = None
            return self._reading.dice(frame, at_leisure=False)
        if self._at_rest is None:
            self._at_rest = self._reading.dice(frame)
        return self._at_rest


class _Followed:
    """One table through a film, from the frame on in which it is known.

    Until it has first settled each frame is told by itself, from a view of its own.
    """

    def __init__(self, setup: TableSetup, reading: _Reading) -> None:
        self._reading = reading
        self._tracker = Tracker(setup.plan, setup.lens)
        self._tracker.taught = _taught_beside(setup)
        self._tracker.at_leisure = True
        self._restless = _Restless()
        _remembering(self._tracker.view, setup)
        self._at_first: TableView | None = _remembering(TableView(setup.plan, setup.lens), setup)
        self._cards, self._covered = CardReader(setup.plan), CoveredCards()

    def look(self, frame: Frame, markers: tuple[MarkerSeen, ...]) -> PictureSeen:
        """What the frame shows; `markers` are its own, while the tracker remembers and rests."""
        sighting = self._tracker.see_all(frame)
        if sighting.state is PictureState.SETTLED:
            self._at_first = None
        view = self._at_first or self._tracker.view
        shown = sighting if self._at_first is None else observe(frame, markers, self._at_first)
        state, drift = sighting.state, self._tracker.view.drift_words
        known, plan = shown.boards_seen, self._tracker.plan
        why = self._reading.why_unseen(frame, markers, known, state)
        grey = _colour_words(self._tracker.taught)
        moves = self._restless.words(frame, state, grainy=self._tracker.is_too_noisy)
        over = LIES_OVER_EDGE if self._tracker.lies_over_edge else ""
        twice = doubled_words(plan, shown.conflicts)
        trouble = _trouble(view.trouble, why, moves, grey, twice, over)
        return PictureSeen(
            frame.source, frame.number, state, markers, shown.pieces, trouble,
            self._tracker.dice, drift, shown.counts,
            self._covered.look(cards_shown(self._cards, frame.grey, view.places), state),
            boards_words(plan, known), shown.conflicts,
        )  # fmt: skip


class _Stillness:
    """The state of films that show no table: nothing to read, but motion and rest to tell."""

    def __init__(self) -> None:
        self._gate = Gate()
        self._lying_over = LyingOver(self._gate)
        self._restless = _Restless()
        self._since: tuple[int, float] | None = None

    def restless(self, frame: Frame, state: PictureState) -> str:
        """Why it has not come to rest for a while; empty where it has."""
        return self._restless.words(frame, state, grainy=self._gate.is_too_noisy)

    @property
    def over_edge(self) -> str:
        """That something lies over the picture's edge and is no hand; empty where nothing does."""
        return LIES_OVER_EDGE if self._gate.lies_over else ""

    def look(self, frame: Frame) -> PictureState:
        glance = self._gate.look(frame.grey)
        self._lying_over.take(glance, frame.taken_at)
        if glance.state is not PictureState.STILL:
            self._since = None
            return glance.state
        first, since_s = self._since = self._since or (frame.number, frame.taken_at)
        most = CALM_FRAMES if self._gate.is_calm else QUIET_FRAMES
        if frame.number - first + 1 < most or frame.taken_at - since_s < QUIET_S:
            return PictureState.STILL
        if glance.fresh or glance.areas:
            self._gate.learn()
        return PictureState.SETTLED


def _taught_beside(setup: TableSetup) -> TaughtReader | None:
    """What knows tokens by their looks, where a folder of looks lies beside the table's file."""
    if not setup.source:
        return None
    return reader_of(looks_beside(Path(setup.source), setup.plan.box), setup.plan)


def _colour_words(taught: TaughtReader | None) -> str:
    """Why no token is known by its look, where its picture lacks the colours it was shown in."""
    if taught is None or not taught.lacks_colour:
        return ""
    return "the tokens were shown in colours and this picture has none: teach them anew"


def _remembering(view: TableView, setup: TableSetup) -> TableView:
    """The same view, with the boards where the table's file has them, if it does."""
    if setup.calibration is not None:
        view.remember(setup.calibration)
    return view


def _trouble(*words: str) -> str:
    return "; ".join(filter(None, words))


def _next(camera: Camera) -> Frame | CameraError | None:
    """The next frame, or what is wrong with it; a device that is lost ends the looking."""
    try:
        return camera.read()
    except CameraError as trouble:
        if camera.live:
            raise
        return trouble
