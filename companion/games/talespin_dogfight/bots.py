"""How bots play: they look at their own hand and at the table, and now and then give up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.errors import IllegalAnswer
from companion.games.talespin_dogfight.asks import (
    ARTIFACT,
    BLUFF,
    CARGO,
    CONCEDE,
    DECLINE,
    DEFEND,
    NO_DOGFIGHT,
    STOP,
    TYPED,
)
from companion.games.talespin_dogfight.layout import HAND, PACKED
from companion.games.talespin_dogfight.naming import BY_PILOT, BY_RANGE
from companion.games.talespin_dogfight.window_asks import ANOTHER, NOBODY_PLAYS, NOTHING, PASS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.question import Choose, Count
    from companion.core.ruling import Json, Seat
    from companion.games.talespin_dogfight.maneuver import Maneuver
    from companion.games.talespin_dogfight.physical import Card, PhysicalTable

BOLD, IMPROVISES, GIVES_UP, TERSE, WRITES, AT_ONCE = 0.6, 0.05, 0.05, 0.3, 0.4, 0.2
"""How often a bot plays a window card it holds, a card that nobody has written down, gives up
though able, tells a maneuver by its value alone, records an effect of an unwritten card, passes
for everybody whose window comes next."""


class Bot:
    """What the players think; the table tells them what they may see."""

    def __init__(self, table: PhysicalTable) -> None:
        self.table = table
        self.rng = table.rng
        self.starter: Card | None = None
        self.laid: Maneuver | None = None

    # -- numbers ---------------------------------------------------------------------------

    def count(self, question: Count) -> int:
        """A number that is read off cards, or counted."""
        place, what = question.key.split("/")[-2:]
        pilot, reach, _ = self.table.characters.get(question.by, (0, 0, None))
        if place in ("pilot", "range"):
            return {"pilot": pilot, "range": reach}[place]
        if place == "pile":
            return len(self.table.piles[what])
        if place == "printed":
            return self._printed(question.by, what)
        if what in ("damage", "draw") and self.laid is not None:
            return {"damage": self.laid.damage, "draw": self.laid.draw}[what]
        if question.key.startswith("set-up/"):
            return len(self.table.pile(question.by, place))
        return self.rng.choice(question.options_now()[:3]).value

    def _printed(self, seat: Seat, what: str) -> int:
        """What the card that starts the dogfight says."""
        card = self.starter
        edge = card.maneuver if card is not None else self.table.characters[seat][2]
        pilot = card.pilot if card is not None else 0
        return {"pilot": pilot, "value": edge.value, "damage": edge.damage, "draw": edge.draw}[what]

    # -- choices ---------------------------------------------------------------------------

    def choose(self, question: Choose[Any]) -> Json:
        """An answer to any choice."""
        what, seat = question.key.split("/")[-1], question.by
        if question.key.startswith("set-up/place/"):
            return self.table.locations[seat]
        if question.key.endswith("/maneuver"):
            return self.maneuver(question)
        if "/effect/" in question.key:
            return self.effect(question)
        names = [option.name for option in question.options_now()]
        if question.key.endswith("/announce/card"):
            return self.announce(seat, names)
        known = {
            "card": self.card, "player-card": self.player_card, "decides": self.defends,
            "opened": self.opened, "kind": self.damage,
        }  # fmt: skip
        return known[what](seat, names) if what in known else self.rng.choice(names)

    def card(self, seat: Seat, names: Sequence[str]) -> str:
        """A card of a window, or the one to be taken."""
        if PASS in names:
            return self.window_card(seat, names)
        return self.rng.choice(names)

    def announce(self, seat: Seat, names: Sequence[str]) -> str:
        """A Pilot card of the hand, or RANGE where somebody is near; else nothing."""
        pilots = [card for card in self.table.hand(seat) if card.kind == "pilot"]
        near = BY_RANGE in names
        self.starter = None
        if pilots and not (near and self.rng.random() < 0.4):
            self.starter = self.rng.choice(pilots)
            self.table.chosen[seat], self.table.exchange[seat] = self.starter, 1
            return self.starter.title or BY_PILOT
        return BY_RANGE if near else NO_DOGFIGHT

    def player_card(self, seat: Seat, names: Sequence[str]) -> str:
        """The title of the own Player card, if the table's file has it."""
        title = self.table.characters[seat][2].title
        return title if title in names else TYPED

    def window_card(self, seat: Seat, names: Sequence[str]) -> str:
        """Mostly pass; now and then a card that names the moment, or an unwritten one."""
        rng, hand = self.rng, self.table.hand(seat)
        fitting = [card for card in hand if card.kind == "window" and card.title in names]
        if fitting and rng.random() < BOLD:
            self.table.chosen[seat] = card = rng.choice(fitting)
            return card.title
        if hand and rng.random() < IMPROVISES:
            self.table.chosen[seat] = rng.choice(hand)
            return ANOTHER
        return NOBODY_PLAYS if NOBODY_PLAYS in names and rng.random() < AT_ONCE else PASS

    def effect(self, question: Choose[Any]) -> str:
        """What an unwritten card does: mostly nothing for the record."""
        if self.rng.random() > WRITES or question.key.endswith("/4"):
            return NOTHING
        return self.rng.choice(question.options_now()).name

    def defends(self, seat: Seat, names: Sequence[str]) -> str:
        """Mostly, and the more so with cards in hand."""
        brave = bool(self.table.hand(seat)) and self.rng.random() < 0.85
        return DEFEND if brave else DECLINE

    def damage(self, seat: Seat, names: Sequence[str]) -> str:
        """Any Damage that can be done."""
        return self.rng.choice(names)

    def opened(self, seat: Seat, names: Sequence[str]) -> str:
        """What the packed card is that lies on top."""
        card = self.table.pile(seat, PACKED)[-1]
        return {"cargo": CARGO, "artifact": ARTIFACT}.get(card.kind, BLUFF)

    # -- maneuvers -------------------------------------------------------------------------

    def maneuver(self, question: Choose[Any]) -> str:
        """A card of the hand that is good enough, or none."""
        seat = question.by
        self.table.exchange[seat] = int(question.key.split("/")[1].rpartition("-")[2])
        fitting = [card for card in self.table.pile(seat, HAND) if _takes(question, card)]
        if not fitting or self.rng.random() < GIVES_UP:
            return self._give_up(question)
        self.table.chosen[seat] = card = self.rng.choice(fitting)
        self.laid = card.maneuver
        return self.told(card)

    def _give_up(self, question: Choose[Any]) -> str:
        """Concede or stop, where the house lets one."""
        none = STOP if "/attack-" in question.key else CONCEDE
        names = [option.name for option in question.options_now()]
        if none in names:
            return none
        seat = question.by
        self.table.chosen[seat] = card = self.rng.choice(self.table.hand(seat))
        self.laid = card.maneuver
        return self.told(card)

    def told(self, card: Card) -> str:
        """By title where the table's file has that very maneuver, else by value alone."""
        edge = card.maneuver
        written = self.table.figures.maneuvers.get(edge.title) == edge
        if written and (edge.any_answer or self.rng.random() > TERSE):
            return edge.title
        return str(edge.value)


def _takes(question: Choose[Any], card: Card) -> bool:
    """Whether a maneuver is good enough as things stand on the table."""
    edge = card.maneuver
    try:
        question.judge(edge.title if edge.any_answer else str(edge.value))
    except IllegalAnswer:
        return False
    return True
