"""What `companion see` says to people: pieces first, markers last, and why nothing is seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.board import BoardPlan, Piece
from companion.offers import Seen, SeenState
from vision.calibrating import BLURRED, Stage, mirrored, why_nothing
from vision.dictionaries import MarkerDictionary
from vision.focus import MOST_BLUR_PX, blur_of
from vision.frame import Frame
from vision.markers import MarkerReader
from vision.observation import MarkerSeen

if TYPE_CHECKING:
    from vision.see import PictureSeen

LOOK_EVERY = 30
"""Of a film's frames without a marker, so many are told by the first of them."""


@dataclass(frozen=True, slots=True)
class Look:
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
        self._first: Look | None = None
        self._told = ""

    def why(self, look: Look) -> str:
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

    def _looked(self, look: Look) -> str:
        stage, words = why_nothing(look.frame)
        if stage is Stage.DARK:
            return words
        flipped = next(filter(None, (mirrored(look.frame, one) for one in self._readers)), "")
        if flipped or not look.at_rest:
            return flipped
        return words if look.wanted or stage is not Stage.EMPTY else ""


def _is_soon_after(first: Look, look: Look) -> bool:
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
