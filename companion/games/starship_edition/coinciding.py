"""Whether the order of effects that happen together matters.  (SE-PPR-01, SE-PPR-03)

It is told by all that each of them can touch, and by what that leads to: counters that reach
their limit, choices, vessels destroyed, the end of the match. In doubt the order matters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.core.ruling import Seat
from companion.games.starship_edition import cards

if TYPE_CHECKING:
    from companion.games.starship_edition.cards import CounterKind, Payment
    from companion.games.starship_edition.player import Player
    from companion.games.starship_edition.position import StarshipPosition

ENERGY, HULL, CARDS, SPACE, HEADING = "energy", "hull", "cards", "space", "heading"
STAT, COUNTERS, GEAR = "stat ", "counters ", "gear "
"""What a quantity's name begins with that is a stat, a kind of counters, an equipped card."""
NO_END = 10_000
"""Of what happens again and again, as an upper bound of its amount."""


@dataclass(frozen=True)
class Event:
    """Something that happens beside others: by whom, what, and by which card, copy or ability.

    `prices` are those of a renewal, which its player may pay or not. `equipped` is what happens
    only while its card is on the vessel; `counters` are those whose limit brings it about, and
    `destroys` says that they take the vessel.
    """

    seat: Seat
    steps: Sequence[cards.BaseOperation] = ()
    card: str = ""
    prices: Sequence[Payment] = ()
    equipped: bool = False
    counters: str = ""
    destroys: bool = False


@dataclass(frozen=True)
class Due:
    """One thing that is due at a moment: of which kind, which one, and what it may bring about.

    `title` is what its card, ability or kind of counters is called.
    """

    kind: str
    name: str
    title: str
    event: Event

    @property
    def seat(self) -> Seat:
        """Whose it is."""
        return self.event.seat

    @property
    def group(self) -> tuple[Seat, bool]:
        """Those of one player, and apart from them the counters of a vessel."""
        return self.seat, self.kind == "counters"

    @property
    def label(self) -> str:
        """What it is called on a key of its own player: "Renewal: Plating"."""
        return f"{self.kind.capitalize()}: {self.title}"

    @property
    def own(self) -> str:
        """What the option is called that puts it in its own player's order."""
        return f"{self.kind} {self.name}"

    @property
    def code(self) -> str:
        """What the option is called that puts it in order among those of all players."""
        return f"{self.seat} {self.own}"


Quantity = tuple[Seat, str]
"""A quantity of a vessel, or of its player."""


@dataclass
class Touched:
    """All that one of the things can touch.

    `puts` are what it sets whatever was there before, `reads` what its outcome hangs on, `needs`
    what it must find enough of. `actors` are the vessels without which a part of it does not
    happen. `open_ended` things may touch anything; what `judges` counters sets them back.
    """

    ups: Counter[Quantity] = field(default_factory=Counter[Quantity])
    downs: Counter[Quantity] = field(default_factory=Counter[Quantity])
    puts: set[Quantity] = field(default_factory=set[Quantity])
    reads: set[Quantity] = field(default_factory=set[Quantity])
    needs: set[Quantity] = field(default_factory=set[Quantity])
    limits: set[Quantity] = field(default_factory=set[Quantity])
    actors: set[Seat] = field(default_factory=set[Seat])
    kills: set[Seat] = field(default_factory=set[Seat])
    decides: bool = False
    shows: bool = False
    open_ended: bool = False
    judges: bool = False
    takes_gear: bool = False

    @property
    def writes(self) -> set[Quantity]:
        """Everything that may be another than before."""
        return {*self.ups, *self.downs, *self.puts}

    @property
    def touches(self) -> set[Quantity]:
        """Everything that it has to do with."""
        return self.writes | self.reads | self.needs

    @property
    def idle(self) -> bool:
        """Whether nothing at all happens."""
        said = self.decides or self.shows or self.open_ended or self.judges or self.kills
        return not (said or self.writes)


class Coincidence:
    """Bundles of events of which each happens as a whole, before or after the others.

    `to_the_end` says that nothing matters which the end of the match leaves undone.
    """

    def __init__(
        self,
        position: StarshipPosition,
        bundles: Sequence[Sequence[Event]],
        *,
        to_the_end: bool = True,
    ) -> None:
        self.position, self.to_the_end = position, to_the_end
        self.alive = {player.seat: player for player in position.alive()}
        self.owners = [bundle[0].seat for bundle in bundles]
        self.reaches = [self._reach(bundle) for bundle in bundles]
        while self._follow_counters():
            pass
        self.busy = [reach for reach in self.reaches if not reach.idle]
        self.ups = sum((reach.ups for reach in self.busy), Counter[Quantity]())
        self.downs = sum((reach.downs for reach in self.busy), Counter[Quantity]())
        self._find_kills()

    @property
    def vessels(self) -> set[Seat]:
        """Whose vessels they concern."""
        if any(reach.open_ended for reach in self.busy):
            return set(self.alive)
        touched = {seat for reach in self.busy for seat, _ in reach.writes | reach.needs}
        return touched.union(*(reach.kills for reach in self.busy))

    @property
    def reaches_others(self) -> bool:
        """Whether one of them may touch another vessel than that of who acts."""
        return any(
            reach.open_ended or not reach.actors.issuperset(seat for seat, _ in reach.writes)
            for reach in self.reaches
        )

    @property
    def order_matters(self) -> bool:
        """Whether any order of them may end otherwise than another."""
        if len(self.busy) < 2:
            return False
        if any(reach.open_ended for reach in self.busy):
            return True
        if self._who_chooses_later_knows_more() or self._clash(self.busy):
            return True
        return self._ends_matter(self.busy)

    @property
    def interleaves(self) -> bool:
        """Whether single events may end otherwise than in any order of whole vessels.

        Each bundle is one event. A vessel's events can all be moved to one of them past those that
        do not mind; so it takes two on one vessel that do.
        """
        owned = [(seat, reach) for seat, reach in zip(self.owners, self.reaches, strict=True)
                 if reach in self.busy]  # fmt: skip
        minding = Counter(
            seat for seat, one in owned
            if any(whose != seat and self._mind(one, other) for whose, other in owned)
        )  # fmt: skip
        return any(count > 1 for count in minding.values())

    def _mind(self, one: Touched, other: Touched) -> bool:
        """Whether two of them may end otherwise in the other order, whoever knows more by then."""
        pair = (one, other)
        lost = set[Seat]().union(*(reach.kills for reach in self.busy))
        return (
            one.open_ended or other.open_ended or self._clash(pair) or self._ends_matter(pair)
            or bool(one.kills and other.kills and lost.issuperset(self.alive))
        )  # fmt: skip

    # -- what they can touch ---------------------------------------------------------------

    def _reach(self, bundle: Sequence[Event]) -> Touched:
        reach = Touched()
        for event in bundle:
            if event.seat not in self.alive:
                continue
            reach.actors.add(event.seat)
            if event.destroys:
                reach.kills.add(event.seat)
            if event.counters:
                reach.judges = True
                reach.reads.add((event.seat, f"{COUNTERS}{event.counters}"))
            if event.equipped:
                reach.reads.add((event.seat, f"{GEAR}{event.card}"))
            for price in event.prices:
                self._add_price(reach, event, price)
            for step in event.steps:
                self._add(reach, step, event, 1)
        return reach

    def _add_price(self, reach: Touched, event: Event, price: Payment) -> None:
        """A renewal: paid, or its card expires."""
        seat = event.seat
        reach.decides = reach.takes_gear = True
        reach.puts |= {(seat, CARDS), (seat, f"{GEAR}{event.card}")}
        quantity: str = price.pay
        if price.pay == "counter":
            quantity = f"{COUNTERS}{self._named(price.name or '', event)}"
        if quantity not in ("hand", "discard"):
            reach.downs[seat, quantity] += price.amount
            reach.needs.add((seat, quantity))

    def _whom(self, reach: Touched, step: cards.BaseOperation, seat: Seat) -> list[Seat]:
        whose = getattr(step, "vessel", getattr(step, "player", "this"))
        if whose in ("target", "attacker"):
            return []  # no attack is under way
        if whose == "this":
            return [seat]
        named = [other for other in self.alive if other != seat or whose in ("any", "all")]
        reach.decides |= whose in ("one", "any") and len(named) > 1
        return named

    def _add(self, reach: Touched, step: cards.BaseOperation, event: Event, times: int) -> None:
        """One operation, done so many times at most."""
        reach.decides |= step.optional
        if step.condition or isinstance(step, cards.Attack | cards.DeclareEffect):
            reach.open_ended = True
            return
        if isinstance(step, cards.ChooseOne):
            reach.decides = True
            for one in step.of:
                self._add(reach, one, event, times)
            return
        for seat in self._whom(reach, step, event.seat):
            self._add_for(reach, step, event, seat, times)

    def _add_for(
        self, reach: Touched, step: cards.BaseOperation, event: Event, seat: Seat, times: int
    ) -> None:
        match step:
            case cards.Damage():
                reach.downs[seat, HULL] += step.amount * times
            case cards.Repair():
                reach.ups[seat, HULL] += step.amount * times
                reach.reads.add((seat, f"{STAT}hull_max"))
            case cards.Energy():
                _change(reach, (seat, ENERGY), step.amount * times)
            case cards.LayCounters():
                name = f"{COUNTERS}{self._named(step.name, event)}"
                _change(reach, (seat, name), step.amount * times)
            case cards.Modify():
                _change(reach, (seat, f"{STAT}{step.stat}"), step.amount)
            case cards.Draw():
                reach.ups[seat, "drawn"] += step.number
                reach.reads.add((seat, CARDS))
            case cards.MoveVessel():
                self._add_move(reach, step, seat)
            case cards.Rotate():
                reach.decides |= step.steps == "free"
                reach.puts.add((seat, HEADING))
            case _:
                _add_cards(reach, step, self.alive[seat])

    def _named(self, counters: str, event: Event) -> str:
        """Counters as their holder has them: the vessel, or the card that lies on it."""
        held = self.position.table.file.counters[counters].holder == "card"
        return f"{event.card}: {counters}" if held else counters

    def _add_move(self, reach: Touched, step: cards.MoveVessel, seat: Seat) -> None:
        reach.decides = True
        reach.puts.add((seat, SPACE))
        reach.reads |= {(other, SPACE) for other in self.alive}
        if step.max == "mobility":
            reach.reads.add((seat, f"{STAT}mobility"))

    # -- what that leads to ----------------------------------------------------------------

    def _follow_counters(self) -> bool:
        """Add what counters bring about that may reach their limit; whether there were any."""
        ups = sum((reach.ups for reach in self.reaches), Counter[Quantity]())
        found = False
        for reach in self.reaches:
            for quantity in [*reach.ups, *reach.downs]:
                kind = self._kind_at_limit(quantity, ups[quantity])
                if kind is None or quantity in reach.limits:
                    continue
                found = True
                reach.limits.add(quantity)
                reach.actors.add(quantity[0])
                if kind.destroys:
                    reach.kills.add(quantity[0])
                for step in kind.effects:
                    self._add(reach, step, Event(quantity[0]), NO_END)
        return found

    def _kind_at_limit(self, quantity: Quantity, ups: int) -> CounterKind | None:
        """The kind of these counters, where so many more may bring about something at once."""
        seat, name = quantity
        if not name.startswith(COUNTERS):
            return None
        own = name.removeprefix(COUNTERS)
        kind = self.position.table.file.counters.get(own.rpartition(": ")[2])
        if kind is None or kind.threshold is None or kind.at != "at_once":
            return None
        return kind if self.alive[seat].counters.get(own, 0) + ups >= kind.threshold else None

    def _find_kills(self) -> None:
        for reach in self.busy:
            for seat, what in reach.downs:
                if what == HULL and self._may_fall(self.alive[seat]):
                    reach.kills.add(seat)

    def _may_fall(self, player: Player) -> bool:
        """Whether all damage together destroys a vessel, however much is repaired.  (RULING 19)"""
        left = player.hull - self.downs[player.seat, HULL]
        return left < 0 or (left == 0 and self.position.house.get("destroyed_at") == "zero")

    # -- whether that is another in another order ------------------------------------------

    def _who_chooses_later_knows_more(self) -> bool:
        choosing = [reach for reach in self.busy if reach.decides]
        return any(
            other is not one and (other.decides or other.shows)
            for one in choosing
            for other in self.busy
        )

    def _clash(self, reaches: Sequence[Touched]) -> bool:
        """Whether two of these touch one thing in ways that do not go together in any order."""
        by_quantity: dict[Quantity, list[Touched]] = {}
        for reach in reaches:
            for quantity in reach.touches:
                by_quantity.setdefault(quantity, []).append(reach)
        shared = {q: found for q, found in by_quantity.items() if len(found) > 1}
        if any(self._clashes(quantity, found) for quantity, found in shared.items()):
            return True
        return any(
            one is not other and one.takes_gear and _reads_stats(other)
            for one in reaches
            for other in reaches
        )

    def _clashes(self, quantity: Quantity, found: Sequence[Touched]) -> bool:
        """Whether it is another quantity, or another outcome, when they come in another order."""
        seat, name = quantity
        writing = [reach for reach in found if quantity in reach.writes]
        if any(quantity in reach.puts for reach in found) or any(
            one is not other and quantity in other.reads for one in writing for other in found
        ):
            return bool(writing)
        if any(quantity in reach.limits for reach in found):
            return True
        if name.startswith(STAT) or name == "drawn":
            return False
        ups, downs = self.ups[quantity], self.downs[quantity]
        if name == HULL:
            return bool(ups and downs) and (self._may_fall(self.alive[seat]) or self._is_cut(seat))
        mixed = bool(ups and downs) or any(quantity in reach.needs for reach in found)
        return mixed and self._held(seat, name) < downs

    def _is_cut(self, seat: Seat) -> bool:
        """Whether a repair may be more than the vessel can take.  (RULING 23)"""
        player = self.alive[seat]
        kind = self.position.table.vessels[player.vessel]
        most = max(0, kind.hull + player.bonus("hull_max"))
        limited = self.position.house.get("overrepair") != "yes"
        return limited and player.hull + self.ups[seat, HULL] > most

    def _held(self, seat: Seat, name: str) -> int:
        player = self.alive[seat]
        if name.startswith(COUNTERS):
            return player.counters.get(name.removeprefix(COUNTERS), 0)
        return player.energy

    def _ends_matter(self, reaches: Sequence[Touched]) -> bool:
        """Whether somebody's destruction takes a part of another away, or ends the match."""
        deadly = [reach for reach in reaches if reach.kills]
        killed = set[Seat]().union(*(reach.kills for reach in deadly))
        if killed.issuperset(self.alive) and (len(deadly) > 1 or not self.to_the_end):
            return True
        if len(self.alive) < 3 and self.to_the_end:
            return False
        return any(
            one is not other and self._takes_away(seat, other)
            for one in deadly
            for seat in one.kills
            for other in reaches
        )

    def _takes_away(self, lost: Seat, other: Touched) -> bool:
        """Whether more than what is lost is another where a vessel is lost before."""
        beyond = {seat for seat, _ in other.touches} | other.kills
        if lost in other.actors and beyond - {lost}:
            return True
        return _reads_stats(other) or (other.decides and other.actors != {lost})


def _change(reach: Touched, quantity: Quantity, amount: int) -> None:
    if amount > 0:
        reach.ups[quantity] += amount
    elif amount < 0:
        reach.downs[quantity] -= amount


def _add_cards(reach: Touched, step: cards.BaseOperation, player: Player) -> None:
    """Operations on cards and tiers: whose they are, and what of it is chosen or seen."""
    source = str(getattr(step, "source", ""))
    if isinstance(step, cards.Reduce | cards.Miss | cards.Nullify):
        return  # no attack is under way
    off_deck = isinstance(step, cards.Discard | cards.RemoveFromGame) and source == "deck"
    reach.shows |= off_deck
    reach.decides |= not off_deck and not isinstance(step, cards.Equip)
    reach.puts.add((player.seat, CARDS))
    if source == "gear" or isinstance(step, cards.Expire):
        reach.puts |= {(player.seat, f"{GEAR}{card}") for card in player.gear}
        reach.takes_gear = True


def _reads_stats(reach: Touched) -> bool:
    return any(name.startswith(STAT) for _, name in reach.reads)
