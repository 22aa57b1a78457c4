"""The tracker: makes sightings of frames, and reads as little of each frame as will do.

A still table costs a glance at a small picture. Where something changed and lies still again, only
the crops round the changes are read; the whole frame at the start, after a change of light, for a
piece that is missing while no hand is there (thoroughly), and every other second in case the glance
missed something. While a hand is there, nothing is read: it would not count; one that has not moved
for long is taken for a thing that lies there (`lying_over`). Dice are read after the rest, a little
with each frame of a settled table, where something new lies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.core.board import BoardPlan, Piece
from companion.core.offers import PictureState, Sighting
from vision.boards.lens import Lens
from vision.boards.place import BoardPlace
from vision.boards.view import TableView
from vision.camera.frame import Frame
from vision.dice.dice import DieSeen
from vision.dice.memory import DiceMemory
from vision.looks.taught import TaughtReader
from vision.markers.memory import STEADY_READS, MarkerMemory, around
from vision.markers.reading import Crop, MarkerReader, MarkerSeen, ThoroughReader
from vision.tracking.gate import Gate, Glance
from vision.tracking.lying_over import LyingOver
from vision.tracking.observation import Observation, observe
from vision.tracking.settling import (
    CALM_FRAMES,
    QUIET_FRAMES,
    PictureSettling,
    SettlingFrame,
)

CHECK_S = 2.0
"""A settled table is read as a whole this often."""
CHECK_PATIENCE = 3
"""A marker that a check misses is looked for in so many frames before it is given up."""
UNREAD_FRAMES = CALM_FRAMES - STEADY_READS
"""The first quiet frame is not read: hands may not be done. As many are as make a marker steady;
the last of these, or one after it, tells what was read."""
BUMPED_EVERY = 20
"""A resting hand is asked every so many frames whether it is one."""
TILES, TILE_MARGIN_PX = 3, 50
"""While a piece is missing, the picture is read in so many times so many tiles, one with each
frame; what two of them share is wider than a marker and its rim."""
CROP_MARGIN_PX = 16
"""Around a change: a token that was put there must be read with its rim."""


class Tracker:
    """One table before one camera; `see` each frame in turn, from one thread.

    >>> import numpy as np
    >>> from companion.games.jaws_and_paws.boards import board_plan
    >>> tracker = Tracker(board_plan())
    >>> str(tracker.see(Frame(np.zeros((720, 1280), np.uint8), 0.0, 0)).state)
    'moving'
    """

    def __init__(self, plan: BoardPlan, lens: Lens | None = None) -> None:
        corners = (marker for board in plan.boards for marker in board.corners or {})
        tokens = (token.marker for token in plan.tokens)
        self.plan = plan
        self.view = TableView(plan, lens)
        self.taught: TaughtReader | None = None
        self.at_leisure = False  # nobody waits: dice are told of in the frame that settles
        ids = {*corners, *tokens, *(kind.marker for kind in plan.counters)}
        self._reader = MarkerReader(plan.dictionary, ids)
        self._thorough = ThoroughReader(plan.dictionary, ids)
        self._gate = Gate()
        self._lying_over = LyingOver(self._gate)
        self._memory = MarkerMemory()
        self._dice = DiceMemory(plan.dice_mm) if plan.dice_mm else None
        self._settling = PictureSettling(plan)
        self._observation = Observation(-1, 0.0)
        self._size_px = (0, 0)
        self._checked_at = 0.0
        self._still = 0
        self._still_since = 0.0
        self._reads = 0
        self._unread = False
        self._waits = False  # for the lens: nothing more is read before it is guessed

    @property
    def markers(self) -> tuple[MarkerSeen, ...]:
        """Every marker where it was last found, for the picture on the table check."""
        return self._memory.markers

    @property
    def dice(self) -> tuple[DieSeen, ...]:
        """The dice beside the boards where they were last found; none until all are read."""
        return () if self._dice is None or self.reads_dice else self._dice.dice

    @property
    def reads_dice(self) -> bool:
        """Whether dice may lie there that are still being read: until then none is told."""
        return self._dice is not None and self._dice.busy and not self.at_leisure

    @property
    def is_too_noisy(self) -> bool:
        """Whether the pictures' grain hides what moves, so that the table may never settle."""
        return self._gate.is_too_noisy

    @property
    def lies_over_edge(self) -> bool:
        """Whether something lies over the picture's edge that is taken for part of the table."""
        return self._gate.lies_over

    @property
    def clear_places(self) -> Mapping[str, BoardPlace]:
        """The boards over which no such thing lies: only they are read by more than markers."""
        places = self.view.places
        if not self._gate.lies_over:
            return places
        return {
            name: place
            for name, place in places.items()
            if not self._gate.is_touched(place.outline_px)
        }

    def see(self, frame: Frame) -> Sighting:
        """What the table shows now; the same object as before while nothing in it changes."""
        if frame.size_px != self._size_px:
            self._start(frame)
        glance = self._gate.look(frame.grey)
        self._settling.quiet_frames = CALM_FRAMES if self._gate.is_calm else QUIET_FRAMES
        if glance.state is PictureState.HAND and glance.rest and not glance.rest % BUMPED_EVERY:
            self._doubt_hand(frame)
        if self._lying_over.take(glance, frame.taken_at):
            self._read_beneath(frame)
        self._count(frame, glance)
        read = self._still > UNREAD_FRAMES and not self._waits and self._read(frame, glance)
        self._unread = read or self._unread
        if self._still and self._settling.settled and frame.taken_at != self._checked_at:
            self._unread = self._read_dice(frame) or self._unread
        checked = frame.taken_at == self._checked_at  # which is work enough for one frame
        if not self._unread and not self.reads_dice:
            self.view.get_ready()
        if self._unread and not checked and self._settling.is_due(glance.state, frame.taken_at):
            self._waits = self._must_wait(frame, read=read)
            if not self._waits:
                self._observe(frame, glance)
                self._unread = False
        return self._settle(frame, glance)

    def _must_wait(self, frame: Frame, *, read: bool) -> bool:
        """Whether the lens is to be guessed first: in a frame in which nothing is read.

        It takes as long as all that follows from it does, which comes with the frame after.
        """
        markers, size_px = self._memory.markers, frame.size_px
        if self.at_leisure or not self.view.is_to_guess(markers, size_px):
            return False
        if not read:
            self.view.guess_ahead(markers, size_px)
        return True

    def see_all(self, frame: Frame) -> Sighting:
        """As `see`, with the tokens in it that were `taught` and have no marker, once it rests."""
        sighting = self.see(frame)
        if self.taught is None:
            return sighting
        return self.taught.see(frame, sighting, self.clear_places)

    def blind(self, now: float) -> Sighting:
        """The sighting of a camera that shows nothing."""
        self._gate.forget()
        self._still = 0
        return self._settling.blind(self._observation.frame, now)

    def look_again(self) -> None:
        """Take nothing for granted: read all of the next still frames, whatever lies there now.

        The way out where something that is no hand lies on the table and reaches over its edge.
        """
        self._gate.forget()
        self._memory.clear()
        self._forget_dice()
        self._reads = 0

    def _forget_dice(self) -> None:
        if self._dice is not None:
            self._dice.forget()

    def _start(self, frame: Frame) -> None:
        self._size_px = frame.size_px
        self._checked_at = frame.taken_at
        self._memory.clear()
        self._gate.forget()
        self._forget_dice()

    def _count(self, frame: Frame, glance: Glance) -> None:
        """For how many frames that may be read, and since when, nothing has moved."""
        if glance.state is not PictureState.STILL:
            self._still = self._reads = 0
            self._waits = False
            if self._dice is not None:
                self._dice.pause()
            return
        self._still += not self._waits
        if self._still == 1:
            self._still_since = frame.taken_at

    def _observe(self, frame: Frame, glance: Glance) -> None:
        observation = observe(frame, self._memory.markers, self.view)
        if self._dice is not None:
            self._look_for_dice(self._dice, frame, glance)
            if not self.reads_dice:
                observation = replace(
                    observation, dice=self._dice.values, thrown_at=self._dice.thrown_at
                )
        self._observation = observation

    def _look_for_dice(self, dice: DiceMemory, frame: Frame, glance: Glance) -> None:
        """What lies there new may be dice; before the first settled frame anything may."""
        places = self.view.places.values()
        whole = glance.everywhere or not dice.begun
        areas = None if whole else glance.areas
        if whole or areas:
            dice.look_for(frame, places, areas, self._still_since)
            if self.at_leisure:
                dice.read(frame, places, self._memory.markers, areas)

    def _settle(self, frame: Frame, glance: Glance) -> Sighting:
        hidden = self._hidden(glance)
        steady = self._memory.steady and (not self._waits or self._settling.settled)
        held = self._held(glance)
        look = SettlingFrame(
            glance.state, frame.number, frame.taken_at, self._observation, hidden, steady, held
        )
        sighting = self._settling.see(look)
        new_ground = glance.fresh or glance.areas or glance.everywhere
        if sighting.state is PictureState.SETTLED and new_ground:
            self._gate.learn()
            self._reads = 0
            self._checked_at = frame.taken_at
        return sighting

    def _read(self, frame: Frame, glance: Glance) -> bool:
        """Read what needs reading of a still frame; whether anything was."""
        settled = self._settling.settled
        changed = glance.everywhere or bool(glance.areas)
        if changed and self._reads < STEADY_READS:
            self._reads += 1
            self._read_changes(frame, glance)
        elif not settled and self._misses():
            self._read_tile(frame)
        elif doubted := self._memory.doubted():
            self._read_again(frame, doubted)
        elif settled and frame.taken_at - self._checked_at >= CHECK_S:
            self._checked_at = frame.taken_at
            self._read_whole(frame, patience=CHECK_PATIENCE)
            self._gate.learn()  # daylight creeps: the background follows it
        else:
            return False
        return True

    def _read_changes(self, frame: Frame, glance: Glance) -> None:
        """Read where the table differs, and with it what was read too seldom elsewhere.

        Where two reads found all that is expected, and alike, the last one is of those places
        alone: boards and pieces are made of them in the same frame.
        """
        if self._reads == STEADY_READS and self._all_found_alike:
            self._read_crops(frame, self._memory.doubted(), patience=CHECK_PATIENCE)
            return
        if glance.everywhere:
            self._read_whole(frame, patience=1)
            return
        crops = [self._memory.crop_of(area, CROP_MARGIN_PX) for area in glance.areas]
        self._read_crops(frame, crops, patience=1)
        self._read_again(frame, self._memory.doubted(besides=crops))

    def _read_dice(self, frame: Frame) -> bool:
        """Read a little of where dice may lie; whether now all of it is read."""
        if self._dice is None or not self._dice.busy:
            return False
        self._dice.work(frame, self.view.places.values(), self._memory.markers)
        return not self._dice.busy

    def _read_tile(self, frame: Frame) -> None:
        """Look thoroughly for what is missing, in one part of the picture after another."""
        down, across = divmod(self._still % TILES**2, TILES)
        width, height = frame.size_px
        columns, rows = (
            (at * side // TILES, (at + 1) * side // TILES)
            for at, side in ((across, width), (down, height))
        )
        tile = Crop.between(columns[0], rows[0], columns[1], rows[1]).grown(TILE_MARGIN_PX)
        self._read_again(frame, [tile], patience=1)

    def _doubt_hand(self, frame: Frame) -> None:
        """Look whether a resting "hand" is rather the whole table elsewhere in the picture.

        So it is where every marker is in sight and most of them lie where they did not: the camera
        was bumped, or its arm was turned.
        """
        found = self._reader.read(frame.grey)
        if not self._memory.markers or not self._memory.has_moved_to(found):
            return
        self._gate.forget()
        self._memory.read(found, None)

    def _read_beneath(self, frame: Frame) -> None:
        """A hand has become a thing: markers that it hides are not where they were any more."""
        touched = [
            marker for marker in self._memory.markers if self._gate.is_touched(marker.corners_px)
        ]
        self._read_again(frame, [around(marker) for marker in touched], patience=1)

    def _held(self, glance: Glance) -> frozenset[Piece]:
        """Pieces whose markers touch what lies over the edge and were not moved since it lay."""
        if not self._gate.over_edge:
            return frozenset()
        held = self._lying_over.held(glance, self._memory.markers)
        return frozenset(token.piece for token in self.plan.tokens if token.marker in held)

    def _misses(self) -> bool:
        """Whether a piece or a board's corner is missing, and it is time to look everywhere for it.

        Every other frame is for markers in doubt, if there are any.
        """
        if self._still % 2 and self._memory.doubted():
            return False
        return self._misses_corners() or self._misses_pieces()

    def _misses_pieces(self) -> bool:
        expected = self._settling.expected
        return any(
            self._memory.find(token.marker) is None
            for token in self.plan.tokens
            if token.piece in expected
        )

    @property
    def _all_found_alike(self) -> bool:
        """Whether all pieces and all boards' corners were found, by two reads alike."""
        if not self._memory.found_alike or self._misses_pieces():
            return False
        corners = (marker for board in self.plan.boards for marker in board.corners or {})
        return all(self._memory.find(corner) is not None for corner in corners)

    def _misses_corners(self) -> bool:
        """Whether a board has no place though a corner of it is seen, or no board has any.

        Small markers are missed by a quick look, and a piece is nowhere before its board is.
        """
        places = self.view.places
        return any(
            not places or any(self._memory.find(corner) is not None for corner in board.corners)
            for board in self.plan.boards
            if board.corners and board.name not in places
        )

    def _read_whole(self, frame: Frame, patience: int) -> None:
        self._memory.read(self._reader.read(frame.grey), None, patience=patience)

    def _read_again(self, frame: Frame, crops: list[Crop], patience: int = CHECK_PATIENCE) -> None:
        """Take time over the place of one marker each: what is found there once must be again."""
        found = self._thorough.read_crops(frame.grey, crops)
        self._memory.read(found, crops, patience=patience)

    def _read_crops(self, frame: Frame, crops: list[Crop], patience: int) -> None:
        self._memory.read(self._reader.read_crops(frame.grey, crops), crops, patience=patience)

    def _hidden(self, glance: Glance) -> frozenset[Piece]:
        """Pieces over whose place something lies in this frame."""
        if not glance.areas or glance.state in {PictureState.STILL, PictureState.LIGHT}:
            return frozenset()
        touched = self._memory.under(glance.areas)
        return frozenset(
            token.piece
            for token in self.plan.tokens
            if (own := touched.get(token.marker)) is not None
            and not self._gate.looks_as_before(own)
        )
