"""How bots lay cards: they look at both planes and the Sun, and aim a little.

A team talks, as the book allows (JP-4.2), so it plans together from both hands; now and then it
blunders, because people do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from companion.games.jaws_and_paws.cards import ENEMY, OWN, Face, Family
from companion.games.jaws_and_paws.crew import CREW_OF, MATE_OF
from companion.games.jaws_and_paws.layout import SECTIONS
from companion.games.jaws_and_paws.moves import same_zone
from companion.games.jaws_and_paws.pad import is_chosen, steps_of, tokens_of
from companion.games.jaws_and_paws.shots import covers

if TYPE_CHECKING:
    from companion.core.board import Piece
    from companion.core.ruling import Seat
    from companion.games.jaws_and_paws.lineup import Lineup
    from companion.games.jaws_and_paws.moves import Zone
    from companion.games.jaws_and_paws.physical import PhysicalTable

PATIENT_ROUNDS = 60
"""From then on bots never rest and lay all they can, so that every match ends."""

LOW_DECK = 8
DOUBLES, SIDEWAYS, SHOOTS, DODGES = 0.04, 0.02, 0.9, 0.45
"""How often a team doubles a section, lays a card sideways, takes a shot, moves its own plane."""


class Laid(NamedTuple):
    """A card face down on a section: whose, which, and the answer it will give when turned."""

    owner: Seat
    card: str
    face: str


class Held(NamedTuple):
    """A card in hand, one way up."""

    owner: Seat
    card: str
    face: Face


@dataclass
class Plan:
    """One team's thoughts: what it holds, and where it expects the tokens to stand."""

    table: PhysicalTable
    team: Seat
    zones: dict[Piece, Zone]
    held: list[Held]

    @property
    def lineup(self) -> Lineup:
        """Who plays this match."""
        return self.table.lineup

    @property
    def light(self) -> Piece:
        """The Sun, or the Moon in its place."""
        return self.table.light

    @property
    def own(self) -> set[Zone]:
        """Where the team's own tokens are expected."""
        return {self.zones[p] for p in self.lineup.own[self.team] if p in self.zones}

    @property
    def targets(self) -> set[Zone]:
        """Where the enemies on the team's boards are expected."""
        return {self.zones[p] for p in self.lineup.facing[self.team] if p in self.zones}

    def use(self, held: Held) -> Laid:
        """Take a card out of the hand, expecting what it does."""
        self.zones |= self.ends_of(held)
        self.drop(held)
        return Laid(held.owner, held.card, held.face.name)

    def drop(self, held: Held) -> None:
        """One copy of the card leaves the hand, both ways up."""
        names = self.table.cards.halves[held.card]
        for name in names:
            self.held.remove(Held(held.owner, held.card, self.table.cards.faces[name]))

    def hits(self, zones: set[Zone]) -> Held | None:
        """A Shoot card in hand that covers one of these zones of the own boards."""
        widened = not self.table.night and self.zones.get(self.light) in self.own
        for held in self.held:
            face = held.face
            if face.family is Family.SHOOT and any(
                covers(face.zone, zone[-2:], widened=widened) for zone in zones
            ):
                return held
        return None

    def shot(self) -> Held | None:
        """A shot that hits an enemy where one is expected."""
        return self.hits(self.targets)

    def lure(self) -> Held | None:
        """A card that takes an enemy plane to where a shot in hand hits it."""
        for held in self.moves(Family.PLANE, ENEMY):
            if self.hits(set(self.ends_of(held).values())) is not None:
                return held
        return None

    def dodge(self) -> Held | None:
        """A card that moves an own plane, or brings the Sun to one."""
        own = self.own
        for held in (*self.moves(Family.SUN, ""), *self.moves(Family.PLANE, OWN)):
            ends = set(self.ends_of(held).values()) or self.may_reach(held)
            if ends & own if held.face.family is Family.SUN else ends - own:
                return held
        return None

    def may_reach(self, held: Held) -> set[Zone]:
        """Where a card may take the Sun whose way its player chooses; nowhere for other cards."""
        zone = self.zones.get(self.light)
        if zone is None or not is_chosen(held.face, self):
            return set()
        return {same_zone(zone, team) for team in self.table.flying()} - {zone}

    def moves(self, family: Family, target: str) -> Iterator[Held]:
        """The cards in hand that move one kind of token."""
        return (h for h in self.held if h.face.family is family and h.face.target == target)

    def ends_of(self, held: Held) -> dict[Piece, Zone]:
        """Where a card would leave the tokens it moves, as far as that is known beforehand."""
        face = held.face
        if face.family not in (Family.PLANE, Family.SUN) or is_chosen(face, self):
            return {}
        steps = steps_of(face, self.team, self.table.house)
        return {piece: steps[self.zones[piece]] for piece in tokens_of(face, self.team, self)}


def plan_team(table: PhysicalTable, team: Seat) -> list[tuple[int, Laid]]:
    """What a team lays this round: section and card, in the order it is laid."""
    crew = [player for player in CREW_OF[team] if not _rests(table, player, team)]
    faces = table.cards.faces
    held = [
        Held(player, card, faces[name])
        for player in crew
        for card in table.piles[player]["hand"]
        for name in table.cards.halves[card]
    ]
    plan = Plan(table, team, dict(table.zones), held)
    laid: list[tuple[int, Laid]] = []
    for number in SECTIONS:
        choice = _for_section(plan, number)
        if choice is not None:
            laid.append((number, _crooked(plan, plan.use(choice))))
    if plan.held and table.rng.random() < DOUBLES:
        number = table.rng.choice(SECTIONS)
        laid.append((number, plan.use(table.rng.choice(plan.held))))
    return laid


def _rests(table: PhysicalTable, player: Seat, team: Seat) -> bool:
    """Whether a player lays nothing, to be Repairing: a thin Deck, a fat Discard Pile."""
    piles, mate = table.piles[player], table.piles[MATE_OF[player]]
    if table.rounds > PATIENT_ROUNDS or len(piles["deck"]) > LOW_DECK:
        return False
    if table.smoke[team] and len(mate["deck"]) < LOW_DECK:
        return False
    return len(piles["discard"]) > len(piles["deck"])


def _for_section(plan: Plan, number: int) -> Held | None:
    rng = plan.table.rng
    shot = plan.shot()
    if shot is not None and rng.random() < SHOOTS:
        return shot
    lure = plan.lure() if number < len(SECTIONS) else None
    if lure is not None:
        return lure
    if rng.random() < DODGES:
        dodge = plan.dodge()
        if dodge is not None:
            return dodge
    impatient = plan.table.rounds > PATIENT_ROUNDS
    return rng.choice(plan.held) if impatient and plan.held else None


def _crooked(plan: Plan, laid: Laid) -> Laid:
    """Now and then a card with two halves lies sideways."""
    two_halves = len(plan.table.cards.halves[laid.card]) > 1
    if two_halves and plan.table.rng.random() < SIDEWAYS:
        return laid._replace(face=f"{laid.card} unclear")
    return laid
