"""The demonstration's hidden table: its clocks, cards and pictures, and what is true of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from companion.core.board import BoardPlan, Piece, Pose
from companion.core.errors import BadCall
from companion.core.offers import CardSeen, PictureState, SectionState, SeenState, Sighting
from companion.core.ruling import Deed, Move
from companion.kit.playing import Bots, LaysCards, MovesFirst, SleevesCards
from companion.referee.sight import settled_places
from vision.cards.cards import upper_halves
from vision.drawing.sleeves import DrawnCard, card_of
from vision.drawing.table import SimulatedTable

if TYPE_CHECKING:
    from companion.core.question import Question


# Clocks: the real one, a faster one, and one that is stepped.

FASTEST = 60.0


class PacedClock(Protocol):
    """Monotonic seconds of the table, and a way to let some pass."""

    def __call__(self) -> float: ...

    def wait(self, seconds: float) -> None:
        """Let so many seconds of the table pass."""
        ...


class SteppedClock:
    """Time passes when it is waited for, and only then.

    >>> clock = SteppedClock(100.0)
    >>> clock.wait(2.5)
    >>> clock()
    102.5
    """

    def __init__(self, start_s: float = 0.0) -> None:
        self._now = start_s

    def __call__(self) -> float:
        return self._now

    def wait(self, seconds: float) -> None:
        self._now += seconds


class RunningClock:
    """The real clock, `pace` times as fast; at pace 1 it is the monotonic clock itself."""

    def __init__(
        self,
        pace: float = 1.0,
        *,
        real: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.pace = pace
        self._real, self._sleep = real, sleep
        self._start_s = real()

    def __call__(self) -> float:
        return self._start_s + (self._real() - self._start_s) * self.pace

    def wait(self, seconds: float) -> None:
        self._sleep(seconds / self.pace)


def clock_for(pace: float) -> SteppedClock | RunningClock:
    """The clock of a pace: 0 is stepped, 1 is real; BadCall names what may be said."""
    if not 0.0 <= pace <= FASTEST:
        raise BadCall(f"--pace {pace:g}: 0 steps a clock, 1 is real time, up to {FASTEST:g}")
    return SteppedClock(time.monotonic()) if pace == 0 else RunningClock(pace)


# The table.

DISTURBED = 0.25
"""How often in a round a hand rests over the table, somebody leans over, or the light changes."""

ROLLED_IN_SIGHT = 0.5
"""How often dice are rolled where the camera sees them, of those it could read."""


@dataclass(slots=True)
class SectionTruth:
    """Sections as they were seen: right, asked where in doubt, wrong where sure and otherwise."""

    right: int = 0
    asked: int = 0
    wrong: int = 0
    faults: list[str] = field(default_factory=list[str])

    def judge(self, sighting: Sighting, true: Mapping[str, Sequence[str]]) -> None:
        """Hold what is sure of each section against what lies there, as words."""
        for section, seen in sighting.cards.items():
            if seen.state is SectionState.DOUBT:
                self.asked += 1
            elif sorted(map(str, seen.cards)) == sorted(true.get(section, ())):
                self.right += 1
            else:
                self.wrong += 1
                there = ", ".join(true.get(section, ())) or "empty"
                self.faults.append(f"frame {sighting.frame}: {section} seen {seen}, is {there}")


@dataclass(slots=True)
class Truth:
    """Settled sightings held against the drawn table: right, wrong, and what was wrong.

    A sighting is wrong if a piece it is sure of stands elsewhere; a piece that it is not sure of
    makes it doubtful. `cards` counts sections of settled sightings, where cards are in sleeves.
    """

    settled: int = 0
    wrong: int = 0
    doubtful: int = 0
    faults: list[str] = field(default_factory=list[str])
    cards: SectionTruth = field(default_factory=SectionTruth)

    @property
    def right(self) -> int:
        return self.settled - self.wrong

    def judge(self, sighting: Sighting, true: Mapping[Piece, Pose]) -> None:
        """Count one sighting, if it is settled."""
        if sighting.state is not PictureState.SETTLED:
            return
        self.settled += 1
        sure = {
            piece: seen.pose
            for piece, seen in sighting.pieces.items()
            if seen.state is SeenState.SEEN
        }
        off = [
            f"{p} seen on {pose}, stands on {true.get(p)}"
            for p, pose in sure.items()
            if true.get(p) != pose
        ]
        if off:
            self.wrong += 1
            self.faults.append(f"frame {sighting.frame}: {'; '.join(off)}")
        self.doubtful += bool(true.keys() - sure.keys())


class DemoTable:
    """Hands at the drawn table: what bots do with cards and tokens, the camera sees of them.

    The drawing and the hidden cards are two views of one table; every move of a piece is a hand
    that comes into the picture. `changed` until the camera has settled on what the last change
    left; `waits` while somebody waits for the camera to tell what lies still.
    """

    def __init__(
        self,
        bots: Bots,
        drawn: SimulatedTable,
        rng: Random,
        truth: Truth,
        *,
        sleeved: bool = False,
    ) -> None:
        self.sleeved = sleeved
        self.bots = bots
        self.drawn = drawn
        self.rng = rng
        self.truth = truth
        self.changed = True
        self.waits = False
        self._ends: dict[Piece, Pose | None] = dict(bots.placement())
        self._due: dict[Piece, None] = {}
        self._sighting: Sighting | None = None
        self._shown: dict[str, list[str]] = {}
        self._set_up()

    def _set_up(self) -> None:
        placement = self.bots.placement()
        for token in self.drawn.plan.tokens:
            if token.piece in placement:
                self.drawn.place(token.piece, placement[token.piece])
            else:
                self.drawn.remove(token.piece)
        self.drawn.roll(())
        self.show_cards()

    @property
    def busy(self) -> bool:
        """Whether a hand is in the picture, or still to come."""
        return self.drawn.busy

    def perform(self, deeds: Sequence[Deed]) -> None:
        """Cards are dealt with as ruled, one by one; what is to be carried waits for a hand."""
        self.bots.perform(deeds)
        self._due.update({deed.piece: None for deed in deeds if isinstance(deed, Move)})

    def follow(self) -> None:
        """Hands bring each piece to where rulings have moved it, and take off what has crashed."""
        for piece in self._due:
            pose = self.bots.placement().get(piece)
            if self._ends.get(piece) != pose:
                self._move(piece, pose)
        self._due.clear()
        self.show_cards()

    def _move(self, piece: Piece, pose: Pose | None) -> None:
        self._change()
        self._ends[piece] = pose
        self.drawn.move(piece, pose)

    def put(self, placement: Mapping[Piece, Pose]) -> None:
        """A hand puts pieces where a bot has chosen to, before it is told."""
        for piece, pose in placement.items():
            if self._ends.get(piece) != pose:
                self._move(piece, pose)

    def put_back(self, placement: Mapping[Piece, Pose]) -> None:
        """A hand puts pieces back that somebody has knocked, wherever they were left."""
        for piece, pose in placement.items():
            self._move(piece, pose)

    def moves_first(self, question: Question[Any]) -> bool:
        """A player moves before saying what this question wants to know; whether one does."""
        bots = self.bots
        first: Mapping[Piece, Pose] = {}
        if isinstance(bots, MovesFirst):
            first = bots.moves_first(question)
        self.put(first)
        return bool(first)

    def show_cards(self) -> None:
        """The drawn boards hold the cards that lie there, face down; not every box has such."""
        bots = self.bots
        tracks: Mapping[str, tuple[str, ...]] = {}
        if self.sleeved and isinstance(bots, SleevesCards):
            tracks = bots.sleeves()
        elif isinstance(bots, LaysCards):
            tracks = bots.tracks()
        cards = {space: list(backs) for space, backs in tracks.items()}
        if cards != self._shown:
            self._shown = cards
            self._change()
            self.drawn.lay(cards)

    def throw(self, dice: Sequence[int]) -> bool:
        """Dice are rolled beside the boards; False if this time nobody rolls them in sight."""
        if not self.drawn.plan.dice_mm or self.rng.random() >= ROLLED_IN_SIGHT:
            return False
        self._change()
        self.drawn.roll(dice, by_hand=True)
        return True

    def disturb(self) -> None:
        """Now and then what happens at a real table: a hand, a shadow, another light."""
        if self.rng.random() >= DISTURBED:
            return
        disturbances: list[Callable[[], None]] = [
            lambda: self.drawn.hand_rest(12),
            lambda: self.drawn.lean_over(16),
            lambda: self.drawn.light(self.rng.uniform(0.75, 1.2), 10),
        ]
        self.rng.choice(disturbances)()

    def finish_unseen(self) -> None:
        """Hands finish what they began while the camera is unplugged: its frames go nowhere."""
        self.drawn.plug_in()
        while self.drawn.busy:
            self.drawn.read()
        self.drawn.unplug()

    def see(self, sighting: Sighting) -> None:
        """Hold a sighting against what is true."""
        self.truth.judge(sighting, self.drawn.truth())
        if self.sleeved and sighting.state is PictureState.SETTLED:
            self.truth.cards.judge(sighting, self._cards_there())
        self._sighting = sighting
        self.look()

    def _cards_there(self) -> Mapping[str, Sequence[str]]:
        """What lies on each section, in the words of a sighting."""
        plan = self.drawn.plan
        return {
            section: [seen_as(card_of(plan, name)) for name in names]
            for section, names in self._shown.items()
        }

    def look(self) -> None:
        """What the camera came to rest on counts once hands are gone and it is as things lie.

        A piece that is not seen may lie under another one on its space.
        """
        sighting = self._sighting
        if sighting is None or sighting.state is not PictureState.SETTLED or self.busy:
            return
        true, seen = self.drawn.truth(), settled_places(sighting)
        tops = {pose.space for pose in seen.values()}
        unseen = {piece for piece, pose in true.items() if piece not in seen and pose.space in tops}
        if all(seen.get(piece) == pose for piece, pose in true.items() if piece not in unseen):
            self.changed = False

    def _change(self) -> None:
        """What was seen before is of another table."""
        self.changed = True
        self._sighting = None


def seen_as(card: DrawnCard) -> str:
    """What a sighting calls a card in a sleeve that is read right."""
    sleeve = card.sleeve
    if sleeve is None:
        return card.back
    return str(CardSeen(sleeve.deck.owner, upper_halves(sleeve.faces, card.turn_deg)))


PICTURES_PX = ((1280, 720), (1920, 1080), (2560, 1440), (3840, 2160))
LEAST_MARKER_PX = 24.0
"""Smaller markers are not drawn: their cells would melt into each other."""


def draw_table(plan: BoardPlan, seed: int, clock: PacedClock, *, fps: float) -> SimulatedTable:
    """The camera above a drawn table whose frames carry the given clock's time."""
    wait = clock.wait
    return SimulatedTable(plan, seed, size_for(plan), fps=fps, clock=clock, wait=wait)


def size_for(plan: BoardPlan) -> tuple[int, int]:
    """The smallest picture that shows the smallest marker well: large tables take better cameras.

    >>> from companion.games.jaws_and_paws.boards import board_plan
    >>> size_for(board_plan())
    (1280, 720)
    """
    least_mm = min((token.side_mm for token in plan.tokens), default=LEAST_MARKER_PX)
    for wide, high in PICTURES_PX:
        scale = min(wide / plan.table_mm[0], high / plan.table_mm[1])
        if least_mm * scale >= LEAST_MARKER_PX:
            return (wide, high)
    return PICTURES_PX[-1]
