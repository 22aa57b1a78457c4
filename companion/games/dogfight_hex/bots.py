"""How bots play: they look at their own hand and at the map, aim a little, and now and then err.

They see what a player sees: their own cards, everybody's ships, wreckage and debris.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.games.dogfight_hex.aiming import beams, front_cone, in_front, in_short_range
from companion.games.dogfight_hex.asks import LOT
from companion.games.dogfight_hex.cards import ATTACKS, LONG, MEDIUM, SHORT
from companion.games.dogfight_hex.move_refusals import STAY
from companion.kit.hexes import Heading, Hex, heading_of

if TYPE_CHECKING:
    from companion.core.question import Choose, Option
    from companion.core.ruling import Seat
    from companion.games.dogfight_hex.physical import PhysicalTable

BLUNDERS, SHIELDS_UP, LOTS, IDLE = 0.08, 0.3, 0.3, 0.3
"""How often a bot moves anywhere, lays a shield, has a lot drawn, lets its debris lie."""

PATIENT_TURNS = 60
"""From then on bots lay shields only if they hold nothing else, so that every match ends."""

_CONE = front_cone()


class Bot:
    """What one player thinks; the table tells it what it may see."""

    def __init__(self, table: PhysicalTable) -> None:
        self.table = table
        self.rng = table.rng

    def card(self, seat: Seat) -> str:
        """The card to declare: mostly an attack, at times a shield."""
        hand = self.table.hand(seat)
        attacks = [card for card in hand if card in ATTACKS]
        shields = [card for card in hand if card not in ATTACKS]
        careful = self.table.turns < PATIENT_TURNS and self.rng.random() < SHIELDS_UP
        return self.rng.choice((careful and shields) or attacks or shields)

    def choose(self, question: Choose[Any]) -> str:
        """An answer to any choice."""
        what = question.key.split("/")[1]
        listed = question.options_now()
        names = [option.name for option in listed]
        if what == "move":
            return self.move(question.by, names, listed)
        if what == "debris" and STAY in names:
            return self.drift(names)
        if what in ("first", "wreckage") and LOT in names:
            return LOT if self.rng.random() < LOTS else self.rng.choice(names)
        return self.rng.choice(names)

    def drift(self, names: Sequence[str]) -> str:
        """Ram somebody where that can be done; else drift about, or lie."""
        rams = [name for name in names if " ram " in name]
        if rams and self.rng.random() > BLUNDERS:
            return self.rng.choice(rams)
        return STAY if self.rng.random() < IDLE else self.rng.choice(names)

    # -- moving ----------------------------------------------------------------------------

    def move(self, seat: Seat, names: Sequence[str], listed: Sequence[Option[Any]]) -> str:
        """Where the declared card is worth most, of the ends that come to mind."""
        if self.rng.random() < BLUNDERS:
            return self.rng.choice(names)
        ships = self.table.ships()
        ends: dict[str, Heading] = {STAY: ships[seat]}
        for option in listed:
            for pose in (option.shows or {}).values():
                ends[option.name] = heading_of(pose)
        few = [*ends] if len(ends) <= 30 else self.rng.sample([*ends], 30)
        others = {other: place for other, place in ships.items() if other != seat}
        return max(few, key=lambda name: self._worth(seat, ends[name], others))

    def _worth(self, seat: Seat, here: Heading, others: Mapping[Seat, Heading]) -> float:
        """How good an end is: whom the own card reaches from it, who may reach it."""
        worth = 0.1 * self.rng.random()
        worth += 2.0 * self._reached(self.table.declared(seat), here, others)
        for there in others.values():
            away = here.hex.distance(there.hex)
            worth -= 0.05 * away
            worth -= 0.3 * in_short_range(there, here.hex)
            worth -= 0.2 * in_front(there, here.hex, _CONE)
        return worth

    def _reached(self, card: str, here: Heading, others: Mapping[Seat, Heading]) -> int:
        """How many ships a card would hit from there."""
        if card == SHORT:
            return sum(in_short_range(here, there.hex) for there in others.values())
        if card == MEDIUM:
            return int(any(in_front(here, there.hex, _CONE) for there in others.values()))
        if card != LONG:
            return 0
        standing: dict[Hex, list[Seat]] = {}
        for other, there in others.items():
            standing.setdefault(there.hex, []).append(other)
        found = beams(self.table.board, here, standing, self.table.obstacles())
        return max(len(beam.hits) for beam in found)
