"""Markers remembered from frame to frame, so that only what changed need be read again."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np

from vision.markers.reading import CornersPx, Crop, MarkerSeen

READS_KEPT = 5
"""A marker's corners are the median of its last reads."""
SAME_PLACE_PX = 1.5
"""A read whose middle is this near to where it was, and one corner at the least, is the same place,
read again: of a marker that was turned on the spot all four corners are elsewhere."""
STEADY_READS = 3
"""A marker in a new place counts once so many reads agree on it."""
RIM_SIDES = 0.3
"""What a marker needs around it to be found in a crop, in sides of its own."""
MARGIN_SIDES = 0.5
"""What it is given."""


class _Track:
    """One marker in one place: its last reads, and how often it was missed since."""

    def __init__(self, first: MarkerSeen) -> None:
        self.reads = deque([first.corners_px], maxlen=READS_KEPT)
        self.missed = 0
        self.steady = False
        self.seen = first
        self.centre_px = first.centre_px
        self._first = first

    # Worked out once, if at all: reads of one place are no more than a pixel or two apart.

    @cached_property
    def needs(self) -> Crop:
        """What must be seen of a picture to find it there."""
        return around(self._first, RIM_SIDES)

    @cached_property
    def crop(self) -> Crop:
        """What is read of a picture to find it."""
        return around(self._first, MARGIN_SIDES)

    @cached_property
    def own(self) -> Crop:
        """What it fills itself."""
        return around(self._first, sides=0.0)

    def add(self, corners_px: CornersPx) -> None:
        """Another read of the marker in this place; `seen` is the median of all that are kept."""
        self.reads.append(corners_px)
        self.missed = 0
        self.steady = self.steady or len(self.reads) >= STEADY_READS
        # The lower of the two middle ones where their number is even: plain and quick.
        middle = np.sort(np.array(self.reads), axis=0)[(len(self.reads) - 1) // 2]
        self.seen = MarkerSeen(self.seen.id, self.seen.dictionary, middle)
        self.centre_px = self.seen.centre_px

    def is_near(self, marker: MarkerSeen) -> bool:
        if marker.id != self.seen.id:
            return False
        x, y = marker.centre_px
        if math.hypot(x - self.centre_px[0], y - self.centre_px[1]) > SAME_PLACE_PX:
            return False
        corners = zip(marker.corners_px.tolist(), self.seen.corners_px.tolist(), strict=True)
        return any(math.dist(here, there) <= SAME_PLACE_PX for here, there in corners)


class MarkerMemory:
    """Every marker of the table where it was last found. Two of one id are two entries."""

    def __init__(self) -> None:
        self._tracks: list[_Track] = []
        self._was_read = False
        self._changed = False

    @property
    def markers(self) -> tuple[MarkerSeen, ...]:
        """The markers as remembered, in order of their ids."""
        seen = (track.seen for track in self._tracks)
        return tuple(sorted(seen, key=lambda marker: marker.id))

    @property
    def steady(self) -> bool:
        """Whether anything was read, and every marker often enough where it is now."""
        return self._was_read and all(track.steady for track in self._tracks)

    @property
    def found_alike(self) -> bool:
        """Whether the last read found markers where the one before had, all of them and no more."""
        return bool(self._tracks) and not self._changed

    def doubted(self, besides: Sequence[Crop] = ()) -> list[Crop]:
        """Where to read again: markers that the last read of their place missed, or read seldom.

        What lies in one of the crops `besides` is left out.
        """
        doubted = (track for track in self._tracks if track.missed or not track.steady)
        return [
            track.crop for track in doubted if not any(crop.holds(track.needs) for crop in besides)
        ]

    def crop_of(self, area: Crop, margin_px: int) -> Crop:
        """What to read of a changed area: all of it, and markers that poke into it as wholes."""
        crop = area.grown(margin_px)
        for track in self._tracks:
            if area.touches(track.needs):
                crop = crop.joined(track.crop)
        return crop

    def clear(self) -> None:
        """Know nothing: not even that no marker is there, until the next read."""
        self._tracks.clear()
        self._was_read = False

    def find(self, marker: int) -> MarkerSeen | None:
        """A marker by its id; the first of two."""
        return next((track.seen for track in self._tracks if track.seen.id == marker), None)

    def under(self, areas: Sequence[Crop]) -> Mapping[int, Crop]:
        """The markers that some areas of the picture touch, each with the part that it fills."""
        return {
            track.seen.id: track.own
            for track in self._tracks
            if any(area.touches(track.own) for area in areas)
        }

    def has_moved_to(self, found: Sequence[MarkerSeen]) -> bool:
        """Whether all of the markers were found again, and most of them in other places."""
        ids = {marker.id for marker in found}
        if any(track.seen.id not in ids for track in self._tracks):
            return False
        stayed = sum(any(track.is_near(marker) for marker in found) for track in self._tracks)
        return stayed < len(self._tracks) / 2

    def read(
        self, found: Sequence[MarkerSeen], crops: Iterable[Crop] | None, *, patience: int = 1
    ) -> None:
        """Take in what was found in some crops of a picture, or (None) in the whole of it.

        A remembered marker that lies in a crop and was not found there is given up after `patience`
        such reads.
        """
        areas = None if crops is None else list(crops)
        self._was_read, self._changed = True, False
        left = list(found)
        for track in list(self._tracks):
            again = next((marker for marker in left if track.is_near(marker)), None)
            if again is not None:
                left = [one for one in left if not track.is_near(one)]
                track.add(again.corners_px)
            elif areas is None or any(area.holds(track.needs) for area in areas):
                self._miss(track, patience)
        for marker in left:
            self._add(marker)

    def _miss(self, track: _Track, patience: int) -> None:
        self._changed = True
        track.missed += 1
        if track.missed >= patience:
            self._tracks.remove(track)

    def _add(self, marker: MarkerSeen) -> None:
        """A marker in a new place; overlapping crops may both have found it."""
        if any(track.is_near(marker) for track in self._tracks):
            return
        self._changed = True
        self._tracks.append(_Track(marker))


def around(marker: MarkerSeen, sides: float = 1.0) -> Crop:
    """The crop with a marker in its middle and so many of its sides around it."""
    xs, ys = marker.corners_px.T.tolist()
    margin = sides * marker.side_px
    left, top = int(min(xs) - margin), int(min(ys) - margin)
    return Crop.between(left, top, int(max(xs) + margin) + 1, int(max(ys) + margin) + 1)
