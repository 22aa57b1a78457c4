"""Cards on the sections of a track: read off their sleeves, or noticed by the section's look.

Only the sections of boards that hold no pieces are looked at, as crops, and only in settled
pictures. What cannot be told for sure is in doubt: a card whose sleeve is not read, one that lies
on the border of two sections, one that may lie under another, and every section that the picture
does not show whole. A section is only ever called empty against its own look when it was empty,
which somebody who knows the rules must have named.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.core.board import Board, BoardPlan, Space
from companion.core.offers import (
    CardSeen,
    LateCard,
    PictureState,
    SectionSeen,
    SectionState,
    Sighting,
)
from vision.boards.lens import Points
from vision.boards.place import BoardPlace
from vision.camera.frame import Frame, GreyImage
from vision.cards.sections import (
    CHANGED,
    FAINTLY_CHANGED,
    LookGrid,
    SectionLook,
    changed_share,
    light_of,
)
from vision.cards.sleeves import (
    CARD_MM,
    SLEEVE_AT_MM,
    SLEEVE_DICTIONARY,
    SLEEVE_SIDE_MM,
    Sleeve,
    sleeves_of,
)
from vision.markers.reading import Crop, MarkerReader, MarkerSeen, ThoroughReader
from vision.tracking.observation import heading_deg

# Late cards: on a section now and not at the buzzer; one for each owner and section.

LateOn = Mapping[str, tuple[LateCard, ...]]
"""The late cards by section: one for each owner, or one alone of whom nobody read a back."""


def late_cards(at_zero: Mapping[str, SectionSeen], now: Mapping[str, SectionSeen]) -> LateOn:
    """What came to each section since the buzzer.

    Not sure where that picture leaves the section in doubt, as under a hand. What was taken away
    is no late card; several of one owner on one section are told as one.
    """
    found: dict[str, tuple[LateCard, ...]] = {}
    for section, after in now.items():
        before = at_zero.get(section)
        if before is None or after.state is SectionState.EMPTY:
            continue
        came = owners_of(after) - owners_of(before)
        unread = before.state is SectionState.EMPTY and not after.cards
        sure = before.state is not SectionState.DOUBT
        if came or unread:
            found[section] = tuple(
                LateCard(section, owner, _left(owner, section, at_zero, now) if sure else "", sure)
                for owner in (sorted(came) or ("",))
            )
    return found


def gone_on(before: LateOn, now: LateOn) -> LateOn:
    """The late cards so far with those of a newer picture.

    An owner who was named stays so, though another card covers his by now; a card that nobody could
    read is the one that can be read there since.

    >>> read = {"A": (LateCard("A", "JG"),)}
    >>> [card.owner for card in gone_on({"A": (LateCard("A", "JP"),)}, read)["A"]]
    ['JG', 'JP']
    >>> [card.owner for card in gone_on({"A": (LateCard("A"),)}, read)["A"]]
    ['JG']
    """
    return {
        section: _joined(before.get(section, ()), now.get(section, ()))
        for section in (*before, *(name for name in now if name not in before))
    }


def owners_of(section: SectionSeen) -> Counter[str]:
    """Whose cards were read on a section, and how many of each."""
    return Counter(card.owner for card in section.cards)


def _joined(before: tuple[LateCard, ...], now: tuple[LateCard, ...]) -> tuple[LateCard, ...]:
    by_owner = {card.owner: card for card in (*before, *now)}
    named = tuple(card for owner, card in sorted(by_owner.items()) if owner)
    return named or tuple(by_owner.values())


def _left(
    owner: str, section: str, at_zero: Mapping[str, SectionSeen], now: Mapping[str, SectionSeen]
) -> str:
    """The section that a card of this owner left since the buzzer; empty where none did."""
    for other, before in at_zero.items():
        after = now.get(other, before)
        gone = owners_of(before) - owners_of(after)
        if other != section and owner in gone and after.state is SectionState.EMPTY:
            return other
    return ""


# What lies on the sections.

CARD_HEIGHT_MM = 0.5
REACH_MM = 22.0
"""A card may stick out of its section by so much and is still looked for."""
STRADDLE_MM = 5.0
"""Nearer than this to the border of two sections a card's middle belongs to neither for sure."""
SIDEWAYS_DEG = 50.0
"""A card of two halves that lies this near to a quarter turn may be read either way.

Within 40 degrees of either way up it is that one; what lies about at 45 nobody can tell.
"""
SAME_CARD_MM = 0.5 * SLEEVE_SIDE_MM
OCCUPIED_SHARE = 0.06
"""So much of a section's look must differ from the empty one's for something to lie there."""
PEEK_SHARE = 0.012
"""So much of it may differ beside the cards that were read: more is another card's edge."""
LATE_S = 15.0
"""So long after the buzzer a card that comes is called late: then cards are turned over."""
AFRESH_S = 0.5
"""So long after the buzzer a still table is read again, though nothing in it changed."""
EDGE_MM = 2.0
"""A card's own edge and shadow, which are no other card's."""


@dataclass(frozen=True, eq=False)
class CardRead:
    """One sleeve that was read: where the card's middle lies on its board, and how it is turned."""

    sleeve: Sleeve
    middle_mm: tuple[float, float]
    turn_deg: float

    @property
    def seen(self) -> CardSeen:
        """What it tells: whose it is and, turned over, by which of its halves it counts."""
        return CardSeen(self.sleeve.deck.owner, upper_halves(self.sleeve.faces, self.turn_deg))

    def outline_mm(self, grown_mm: float = 0.0) -> Points:
        """The card's corners on its board, [4, 2], grown on all sides."""
        half = np.array(CARD_MM) / 2 + grown_mm
        own = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
        cos, sin = _turned(self.turn_deg)
        turn = np.array([[cos, sin], [-sin, cos]])
        return np.asarray(own @ turn + self.middle_mm, np.float64)


def upper_halves(faces: tuple[str, ...], turn_deg: float) -> tuple[str, ...]:
    """By which of a card's halves it counts, seen from its player's seat.

    >>> halves = ("MPL own", "MPL enemy")
    >>> [upper_halves(halves, turn) for turn in (10.0, 175.0, 260.0)]
    [('MPL own',), ('MPL enemy',), ('MPL own', 'MPL enemy')]
    """
    if len(faces) < 2:
        return faces
    off_deg = abs((turn_deg + 180.0) % 360.0 - 180.0)  # from upright, 0 to 180
    if abs(off_deg - 90.0) < SIDEWAYS_DEG:
        return faces
    return faces[:1] if off_deg < 90.0 else faces[-1:]


class CardReader:
    """Reads the sleeves on the tracks of a plan; a reader belongs to one thread."""

    def __init__(self, plan: BoardPlan) -> None:
        self.tracks = tuple(board for board in plan.boards if not board.holds_pieces)
        self._sleeves = sleeves_of(plan)
        self._reader = MarkerReader(SLEEVE_DICTIONARY, self._sleeves) if self._sleeves else None
        self._thorough = ThoroughReader(SLEEVE_DICTIONARY, self._sleeves) if self._sleeves else None

    def read(self, grey: GreyImage, place: BoardPlace) -> tuple[CardRead, ...]:
        """Every card whose sleeve can be read on one track, each once."""
        if self._reader is None:
            return ()
        crops = [section_crop(place, space) for space in place.board.spaces]
        return self._cards(self._reader.read_crops(grey, crops), place)

    def read_again(
        self, grey: GreyImage, place: BoardPlace, space: Space, known: Sequence[CardRead]
    ) -> tuple[CardRead, ...]:
        """The cards known, and what a slower look at one section finds besides."""
        if self._thorough is None:
            return tuple(known)
        return self._cards(self._thorough.read(grey, section_crop(place, space)), place, known)

    def _cards(
        self, markers: Sequence[MarkerSeen], place: BoardPlace, known: Sequence[CardRead] = ()
    ) -> tuple[CardRead, ...]:
        found = list(known)
        for marker in markers:
            card = self._card(marker, place)
            if not any(_same(card, other) for other in found):
                found.append(card)
        return tuple(found)

    def _card(self, marker: MarkerSeen, place: BoardPlace) -> CardRead:
        corners = place.to_board(marker.corners_px, CARD_HEIGHT_MM)
        turn_deg = heading_deg(corners)
        x, y = corners.mean(axis=0).tolist()
        cos, sin = _turned(turn_deg)
        down_mm = CARD_MM[1] / 2 - SLEEVE_AT_MM[1]
        middle_mm = (x - sin * down_mm, y + cos * down_mm)
        return CardRead(self._sleeves[marker.id], middle_mm, turn_deg)


class CardMemory:
    """What lies on every section, from settled picture to settled picture.

    `see` fills in a sighting's cards; `take_for_empty` is said by who knows that the sections are
    empty now; what has come since `buzzer` is late.
    """

    def __init__(self, plan: BoardPlan) -> None:
        self.plan = plan
        self._reader = CardReader(plan)
        self._sections: dict[str, SectionSeen] = {}
        self._empty: dict[str, SectionLook] = {}
        self._grids: dict[str, tuple[BoardPlace, LookGrid]] = {}
        self._owners: dict[str, Counter[str]] = {}
        self._learning: set[str] = set()  # tracks whose empty sections are yet to be seen
        self._has_settled = False  # since the sections were said to be empty
        self._at_zero: tuple[float, Mapping[str, SectionSeen]] | None = None
        self._late: LateOn = {}
        self._afresh_at: float | None = None
        self._at = (-math.inf, 0)
        self._last: tuple[Sighting | None, Sighting | None] = (None, None)

    def take_for_empty(self) -> None:
        """With the next settled picture every section without a sleeve is as it looks when empty.

        A track that is found only later is learned then, if nothing has moved meanwhile. A new
        phase begins with it: what was late before is forgotten.
        """
        self._learning, self._has_settled = {track.name for track in self._reader.tracks}, False
        self._at_zero = None
        self._late = {}

    def buzzer(self, grey: GreyImage, at: float, places: Mapping[str, BoardPlace]) -> None:
        """The picture at the buzzer: a card that comes to a section within `LATE_S` is late."""
        self._at_zero = (at, self.now(grey, places))
        self._afresh_at = at + AFRESH_S
        self._late = {}

    def see(self, frame: Frame, sighting: Sighting, places: Mapping[str, BoardPlace]) -> Sighting:
        """The sighting with its cards; the same object while it is, and nothing else was seen."""
        before, told = self._last
        settled = sighting.state is PictureState.SETTLED
        learning = self._is_to_learn(settled, places)
        after_zero = settled and self._afresh_at is not None and frame.taken_at >= self._afresh_at
        if sighting is before and told is not None and not (learning or after_zero):
            return told
        if settled:
            self._read(frame.grey, frame.taken_at, places)
        if after_zero:  # a still table, seen anew: what it shows is no older than the buzzer
            self._afresh_at = None
            self._at = (frame.taken_at, frame.number)
        told = self._newest(sighting)
        if self._sections:
            late = tuple(card for cards in self._late.values() for card in cards)
            told = replace(told, cards=dict(self._sections), late=late)
        self._last = (sighting, told)
        return told

    def _is_to_learn(self, settled: bool, places: Mapping[str, BoardPlace]) -> bool:  # noqa: FBT001
        """Whether a track in sight is yet to be learned; not once hands may have laid cards."""
        if not settled and self._has_settled:
            self._learning.clear()
        self._has_settled |= settled
        return not self._learning.isdisjoint(places)

    def _newest(self, sighting: Sighting) -> Sighting:
        """The sighting, as late as its tracks were read after the buzzer."""
        taken_at, number = self._at
        if sighting.taken_at >= taken_at:
            return sighting
        return replace(sighting, taken_at=taken_at, frame=number)

    def now(
        self, grey: GreyImage, places: Mapping[str, BoardPlace], levels: float = FAINTLY_CHANGED
    ) -> dict[str, SectionSeen]:
        """What one picture alone shows of each section: a hand over it leaves it in doubt."""
        found: dict[str, SectionSeen] = {}
        for track in self._reader.tracks:
            if (place := places.get(track.name)) is not None:
                cards, light = self._reader.read(grey, place), light_of(grey, place)
                for space in track.spaces:
                    look = self._look(grey, place, space, light)
                    found[space.name] = self._judge(look, space, cards, levels)
        return found

    def _read(self, grey: GreyImage, at: float, places: Mapping[str, BoardPlace]) -> None:
        for track in self._reader.tracks:
            if (place := places.get(track.name)) is not None:
                self._read_track(grey, at, place)
        if self._at_zero is not None and 0.0 < at - self._at_zero[0] <= LATE_S:
            self._late = gone_on(self._late, late_cards(self._at_zero[1], self._sections))

    def _read_track(self, grey: GreyImage, at: float, place: BoardPlace) -> None:
        cards, light = self._reader.read(grey, place), light_of(grey, place)
        learning = place.board.name in self._learning
        for space in place.board.spaces:
            look = self._look(grey, place, space, light)
            if learning and look is not None and not _near(cards, space):
                self._empty[space.name] = look
            now = self._judge(look, space, cards)
            if now.state is SectionState.DOUBT and look is not None:
                cards = self._reader.read_again(grey, place, space, cards)
                now = self._judge(look, space, cards)
            if now.state is SectionState.EMPTY and look is not None:
                self._empty[space.name] = look  # daylight creeps: the empty look follows it
            self._remember(space.name, now, at)
        self._learning.discard(place.board.name)

    def _look(
        self, grey: GreyImage, place: BoardPlace, space: Space, light: float
    ) -> SectionLook | None:
        """The section in a picture; a board that lies where it lay is not measured again."""
        known = self._grids.get(space.name)
        if known is None or known[0] is not place:
            known = self._grids[space.name] = (place, LookGrid(place, space))
        return known[1].look(grey, light)

    def _remember(self, name: str, now: SectionSeen, at: float) -> None:
        """A card that is no longer read may lie under another one: that is in doubt.

        What was read since the section was empty is remembered for it.
        """
        here = owners_of(now)
        known: Counter[str] = self._owners.get(name, Counter())
        if now.state is SectionState.EMPTY:
            known = Counter()
        elif now.state is SectionState.READ and known - here:
            now = replace(now, state=SectionState.DOUBT)
        self._owners[name] = known | here
        before = self._sections.get(name)
        same = before is not None and (before.state, before.cards) == (now.state, now.cards)
        self._sections[name] = before if same and before is not None else replace(now, since=at)

    def _judge(
        self,
        look: SectionLook | None,
        space: Space,
        cards: Sequence[CardRead],
        levels: float = CHANGED,
    ) -> SectionSeen:
        near = _near(cards, space)
        mine = [card for card in near if space.inside_mm(card.middle_mm) >= STRADDLE_MM]
        seen = tuple(card.seen for card in sorted(mine, key=lambda card: card.middle_mm[1]))
        empty = self._empty.get(space.name)
        if look is None or empty is None or len(mine) < len(near):
            return SectionSeen(SectionState.DOUBT, seen)
        outlines = [card.outline_mm(EDGE_MM) for card in cards]
        share = changed_share(empty, look, outlines, levels)
        if share > (PEEK_SHARE if mine else OCCUPIED_SHARE):
            return SectionSeen(SectionState.DOUBT, seen)
        return SectionSeen(SectionState.READ if mine else SectionState.EMPTY, seen)


@dataclass(frozen=True, eq=False)
class CardOn:
    """A card that one picture shows: on which section, None between two or beside them.

    `over` are the owners of cards that earlier pictures of a film showed there, and this one does
    not: they may lie under it.
    """

    section: str | None
    card: CardRead
    over: tuple[str, ...] = ()

    def __str__(self) -> str:
        """As "Jaws.1: JP face down", for people."""
        under = f", perhaps over {' and '.join(self.over)}" if self.over else ""
        return f"{self.section or 'between sections'}: {self.card.seen}{under}"


def cards_shown(
    reader: CardReader,
    grey: GreyImage,
    places: Mapping[str, BoardPlace],
    *,
    thorough: bool = False,
) -> tuple[CardOn, ...]:
    """Every card whose sleeve one picture shows, by section; `thorough` looks longer for more."""
    found: list[CardOn] = []
    for track in reader.tracks:
        if (place := places.get(track.name)) is None:
            continue
        cards = reader.read(grey, place)
        for space in track.spaces if thorough else ():
            if not _near(cards, space):
                cards = reader.read_again(grey, place, space, cards)
        found += [CardOn(_section_of(card, track), card) for card in cards]
    return tuple(sorted(found, key=lambda one: one.section or ""))


def _section_of(card: CardRead, track: Board) -> str | None:
    """The section that a card lies on clear of its border; None where that cannot be said."""
    on = (one.name for one in track.spaces if one.inside_mm(card.middle_mm) >= STRADDLE_MM)
    return next(on, None)


def section_crop(place: BoardPlace, space: Space) -> Crop:
    """Where a section lies in the picture, with room for a card that sticks out of it."""
    corners = np.array(space.outline_mm, np.float64)
    low, high = corners.min(axis=0) - REACH_MM, corners.max(axis=0) + REACH_MM
    around = np.array([low, (high[0], low[1]), high, (low[0], high[1])], np.float64)
    corners_px = place.to_picture(around)
    (left, top), (right, bottom) = corners_px.min(axis=0), corners_px.max(axis=0)
    x, y = math.floor(left), math.floor(top)
    return Crop(x, y, math.ceil(right) - x, math.ceil(bottom) - y)


def _near(cards: Sequence[CardRead], space: Space) -> list[CardRead]:
    """The cards that lie on a section, or so near to its border that they may."""
    return [card for card in cards if space.inside_mm(card.middle_mm) > -STRADDLE_MM]


def _same(card: CardRead, other: CardRead) -> bool:
    """Two crops show one and the same card."""
    same_side = card.sleeve.marker == other.sleeve.marker
    return same_side and math.dist(card.middle_mm, other.middle_mm) < SAME_CARD_MM


def _turned(turn_deg: float) -> tuple[float, float]:
    """Cosine and sine of a turn."""
    return math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))


# Covered cards: those of a film that another card lies on since.

_AT_REST = frozenset({PictureState.STILL, PictureState.SETTLED})


class CoveredCards:
    """Remembers whose cards were read on each section since it was last seen without any.

    One picture alone cannot tell a card that is wholly covered; two of a film can. It may also have
    been taken away in the same moment, so what is told is that it *may* lie there.
    """

    def __init__(self) -> None:
        self._known: dict[str, Counter[str]] = {}

    def look(self, shown: Sequence[CardOn], state: PictureState) -> tuple[CardOn, ...]:
        """The cards of a picture, one of each section with what may lie under it.

        What lies still is remembered, and forgotten once a settled picture shows the section
        without any: under a hand nothing has gone.
        """
        here: dict[str, Counter[str]] = {}
        for one in shown:
            if one.section is not None:
                here.setdefault(one.section, Counter())[one.card.seen.owner] += 1
        if state is PictureState.SETTLED:
            self._known = {name: known for name, known in self._known.items() if name in here}
        if state in _AT_REST:
            for name, now in here.items():
                self._known[name] = self._known.get(name, Counter()) | now
        told: list[CardOn] = []
        none = Counter[str]()
        for one in shown:
            section = one.section or ""
            gone = self._known.get(section, Counter()) - here[section] if section in here else none
            here.pop(section, none)  # of several cards the first one tells it
            told.append(replace(one, over=tuple(sorted(gone.elements()))))
        return tuple(told)
