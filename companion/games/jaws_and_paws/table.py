"""The hidden table of Jaws & Paws and its bots: real cards and tokens.

It stands for cardboard. The bots' acts lay and choose cards; the rulings' deeds move cards and
tokens as hands would. It never reads the record: where both differ, somebody made a mistake.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from companion.core.question import Choose, Count, Declare, Locked, Ready, Reveal
from companion.core.ruling import Carry, Flip, Seat, SetTo
from companion.games.jaws_and_paws import boards
from companion.games.jaws_and_paws.asks import LOT
from companion.games.jaws_and_paws.boards import Place, Zone
from companion.games.jaws_and_paws.cards import ENEMY, OWN, CardFace, Family
from companion.games.jaws_and_paws.mode_asks import LOOK, TOP, FromHand
from companion.games.jaws_and_paws.moves import covers, same_zone
from companion.games.jaws_and_paws.plan import is_chosen, steps_of, tokens_of
from companion.games.jaws_and_paws.rules import JawsAndPaws
from companion.kit.piles import HIGHEST
from companion.kit.playing import HiddenTable
from companion.match.rulebook import Rulebook

if TYPE_CHECKING:
    from companion.core.board import Piece
    from companion.core.question import Option, Question
    from companion.core.ruling import Deed, Json
    from companion.games.jaws_and_paws.boards import Lineup
    from companion.games.jaws_and_paws.cards import CardTable
    from companion.games.jaws_and_paws.position import JawsAndPawsPosition
    from companion.match.rulebook import Setup


# Bots: they look at both planes and the Sun, and aim a little.

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
    face: CardFace


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
    crew = [player for player in boards.CREW_OF[team] if not _rests(table, player, team)]
    faces = table.cards.faces
    held = [
        Held(player, card, faces[name])
        for player in crew
        for card in table.piles[player, "hand"]
        for name in table.cards.halves[card]
    ]
    plan = Plan(table, team, dict(table.zones), held)
    laid: list[tuple[int, Laid]] = []
    for number in boards.SECTIONS:
        choice = _for_section(plan, number)
        if choice is not None:
            laid.append((number, _crooked(plan, plan.use(choice))))
    if plan.held and table.rng.random() < DOUBLES:
        number = table.rng.choice(boards.SECTIONS)
        laid.append((number, plan.use(table.rng.choice(plan.held))))
    return laid


def _rests(table: PhysicalTable, player: Seat, team: Seat) -> bool:
    """Whether a player lays nothing, to be Repairing: a thin Deck, a fat Discard Pile."""
    deck, discards = table.piles[player, "deck"], table.piles[player, "discard"]
    if table.rounds > PATIENT_ROUNDS or len(deck) > LOW_DECK:
        return False
    if table.smoke[team] and len(table.piles[boards.MATE_OF[player], "deck"]) < LOW_DECK:
        return False
    return len(discards) > len(deck)


def _for_section(plan: Plan, number: int) -> Held | None:
    rng = plan.table.rng
    shot = plan.shot()
    if shot is not None and rng.random() < SHOOTS:
        return shot
    lure = plan.lure() if number < len(boards.SECTIONS) else None
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


# PhysicalTable: the cards and tokens.

LOOKS = 0.8
"""How often a bot looks where the Moon lets it."""

_LYING = ("hand", "discard", "scrap")
"""Piles that cards are dealt into; sections have their own, and the rest is the Deck."""


class PhysicalTable(HiddenTable[JawsAndPaws, str]):
    """Real decks, hands, tracks and tokens of one match, and the bots that sit there.

    A match that starts in the middle of a game gets cards dealt at random into piles of the sizes
    that its position names. Cards on the tracks lie in `sections`.
    """

    rulebook: ClassVar[type[Rulebook[Any]]] = JawsAndPaws

    def __init__(self, setup: Setup, rng: Random) -> None:
        self.sections: dict[Place, list[Laid]] = {}
        super().__init__(setup, rng)
        self.lineup, self.light = self.rules.lineup, self.rules.light
        self.night = self.light == boards.MOON
        self.house = self.rules.options
        self.smoke: dict[Seat, bool] = dict(self.rules.position.smoke)
        self.rounds = 0
        self._laid_in = ""
        self._face_up: set[Place] = set()
        self._chosen: dict[Seat, list[str]] = {}

    @property
    def cards(self) -> CardTable:
        """What is printed on the cards."""
        return self.rules.cards

    @property
    def zones(self) -> Mapping[Piece, Zone]:
        """Where each token stands."""
        return {piece: pose.space for piece, pose in self.pieces.items()}

    def deal(self) -> None:
        """Each player's own cards, at random, into hand, Discard Pile, track and Deck."""
        position = self.rules.position
        self.sections |= {place: [] for place in position.lineup.places}
        for player in position.lineup.players:
            cards = [card for card, n in self.cards.decks[player].items() for _ in range(n)]
            self.rng.shuffle(cards)
            for pile in _LYING:
                count = position.piles[player][pile]
                self.piles[player, pile], cards = cards[:count], cards[count:]
            on_track = position.piles[player]["track"]
            for card, place in zip(cards, self._places_of(position, player), strict=False):
                self.sections[place].append(Laid(player, card, self._any_face(card)))
            self.piles[player, "deck"] = cards[on_track:]

    def _places_of(self, position: JawsAndPawsPosition, player: Seat) -> list[Place]:
        """Where this player's cards lie on the track of a given position."""
        team = boards.TEAM_OF[player]
        owners = position.owners[team]
        mine = [(team, n) for n in boards.SECTIONS if owners[n - 1] == player]
        free = [(team, n) for n in boards.SECTIONS if owners[n - 1] == boards.UNTOLD]
        free = [place for place in free if not self.sections[place]]
        return [*mine, *free][: position.piles[player]["track"]]

    def _any_face(self, card: str) -> str:
        return self.rng.choice(self.cards.halves[card])

    # -- what anybody at the table sees ----------------------------------------------------

    def tracks(self) -> Mapping[str, tuple[str, ...]]:
        """The backs of the cards on each section of both tracks, by the section's full name."""
        return {
            f"{team}.{number}": tuple(
                boards.BACK_OF[laid.owner] for laid in self.sections[team, number]
            )
            for team, number in self.lineup.places
        }

    def sleeves(self) -> Mapping[str, tuple[str, ...]]:
        """As `tracks`, in sleeves: a back by its owner, a face by its kind and which half is up."""
        return {
            f"{team}.{number}": tuple(
                self._sleeve(laid, face_up=(team, number) in self._face_up)
                for laid in self.sections[team, number]
            )
            for team, number in self.lineup.places
        }

    def _sleeve(self, laid: Laid, *, face_up: bool) -> str:
        if not face_up:
            return str(laid.owner)
        upright = laid.face == self.cards.halves[laid.card][0]
        return f"{laid.owner} {laid.card}@{0 if upright else 180}"

    def counts(self, seat: Seat) -> dict[str, int]:
        """How many cards of a player lie in each pile, the track included."""
        on_track = sum(laid.owner == seat for cards in self.sections.values() for laid in cards)
        return {**super().counts(seat), "track": on_track}

    def flying(self) -> list[Seat]:
        """The teams of which a plane is on the boards; a fallen team's have left them."""
        teams = self.lineup.teams
        return [team for team in teams if any(p in self.pieces for p in self.lineup.own[team])]

    # -- what the bots do ------------------------------------------------------------------

    def lay_before(self, this_round: str) -> None:
        """Lay this round's cards ("round-3") unless that was done when its phase began."""
        if self._laid_in != this_round:
            self._laid_in = this_round
            if not any(self.sections.values()):
                self.lay()

    def lay(self) -> None:
        """The Action Phase: every team lays cards as it sees fit; call it once a round."""
        self.rounds += 1
        for team in self.flying():
            for number, laid in plan_team(self, team):
                self.piles[laid.owner, "hand"].remove(laid.card)
                self.sections[team, number].append(laid)

    def act(self, question: Question[Any]) -> Json:
        """What the players say to an open question, having looked at their cards."""
        match question:
            case Reveal():
                return self._turn_over(question.key)
            case Locked():
                self.lay_before(question.key.partition("/locked")[0])
                return question.word
            case Ready():
                return question.word
            case Declare():
                return self._borders(question.key)
            case Count():
                return self._count(question.key)
            case Choose():
                return self._choose(question)
            case _:
                raise TypeError(f"the bots of this box know no {question.kind}: {question.key}")

    def _place(self, key: str, word: str) -> Place:
        """The team and section that a key names: ".../section-2/reveal/jaws"."""
        parts = key.split("/")
        if word == "reveal":
            return boards.TEAM_IN_SMALL[parts[-1]], int(parts[-3].removeprefix("section-"))
        return boards.TEAM_IN_SMALL[parts[-2]], int(parts[-1])

    def _turn_over(self, key: str) -> str:
        if "/doubled/" in key:
            place_key, _, which = key.rpartition("/")
            player, _, ordinal = which.partition("-")
            cards = [laid for laid in self.sections[self._place(place_key, "doubled")]
                     if laid.owner == player]  # fmt: skip
            return cards[int(ordinal) - 1].face
        place = self._place(key, "reveal")
        cards = self.sections[place]
        if len(cards) == 1:
            self._face_up.add(place)
        return cards[0].face if cards else "none"

    def _borders(self, key: str) -> Json:
        team, number = self._place(key, "lock")
        owners = [laid.owner for laid in self.sections[team, number]]
        if self.house["lock_asks"] == "players" and len(owners) < 2:
            owners = []
        return {
            boards.ROLE_OF[player].lower(): owners.count(player) for player in boards.CREW_OF[team]
        }

    def _count(self, key: str) -> int:
        *_, what, player = key.split("/")
        if player == "number":
            return self.rng.randint(1, HIGHEST)
        seat = Seat(player)
        if what == "lock":
            return self.counts(seat)["track"]
        if what == "deck":
            return len(self.piles[seat, "deck"])
        if what == "moon":
            return min(self.rng.randint(0, self.cards.moon_draw), len(self.piles[seat, "deck"]))
        self._chosen[seat] = self._unwanted(seat)
        return len(self._chosen[seat])

    def _unwanted(self, player: Seat) -> list[str]:
        """Cards a player would rather see in the Discard Pile."""
        hand = self.piles[player, "hand"]
        if self.rounds > PATIENT_ROUNDS:
            return hand[:1]
        if len(self.piles[player, "deck"]) < 10 or self.rng.random() < 0.7:
            return []
        return [card for card in hand if not card.startswith("SH")][:2]

    def _choose(self, question: Choose[Any]) -> Json:
        options = [option for option in question.options_now() if option.name != LOT]
        if "/owner/" in question.key:
            team = boards.TEAM_IN_SMALL[question.key.rpartition("/")[2]]
            number = int(question.key.split("/")[-3].removeprefix("section-"))
            return str(self.sections[team, number][0].owner)
        if "/look/" in question.key:
            return LOOK if self.rng.random() < LOOKS else TOP
        if "/to/" in question.key:
            return self._best_way(boards.TEAM_OF[question.by], options).name
        if "/face-up/" in question.key:
            team = boards.TEAM_IN_SMALL[question.key.rpartition("/")[2]]
            laid = [option for option in options if self._may_lie(team, option.value)]
            option = self.rng.choice(laid)
            if isinstance(option.value, FromHand):
                self._lay_from_hand(team, option.value)
            return option.name
        return self.rng.choice(options).name

    def _best_way(self, team: Seat, options: Sequence[Option[Any]]) -> Option[Any]:
        """Where the Sun comes to an own plane, if it can; else anywhere."""
        own = {self.zones[piece] for piece in self.lineup.own[team] if piece in self.zones}
        good = [one for one in options if any(p.space in own for p in (one.shows or {}).values())]
        return self.rng.choice(good or options)

    def _may_lie(self, team: Seat, where: int | FromHand) -> bool:
        """Whether a card lies on that section, or may still be laid there."""
        return isinstance(where, FromHand) or bool(self.sections[team, where])

    def _lay_from_hand(self, team: Seat, where: FromHand) -> None:
        card = self.rng.choice(self.piles[where.player, "hand"])
        self.piles[where.player, "hand"].remove(card)
        laid = Laid(where.player, card, self._any_face(card))
        self.sections[team, where.section].append(laid)

    # -- what hands do as ruled ------------------------------------------------------------

    def perform(self, deeds: Iterable[Deed]) -> None:
        """Do what rulings told the hands to do; ValueError where the cards do not allow it."""
        done = [*deeds]
        super().perform(done)
        for deed in done:
            match deed:
                case Flip(thing, "face"):
                    team, *_, number = thing.split()
                    self._face_up.add((Seat(team), int(number)))
                case Flip(thing, side):
                    self.smoke[Seat(thing.split()[0])] = side == "smoke"
                case SetTo():
                    raise TypeError(f"no ruling of this box sets a {deed.thing}")
                case _:
                    pass

    def carry(self, deed: Carry) -> None:
        """Off the tracks and out of the hand those that are meant; else off the top."""
        owner, target = deed.owner, self.piles[deed.owner, deed.target]
        if deed.source.startswith("top "):
            self._pick(deed)
        elif deed.source == "track" or "." in deed.source:
            target.extend(self._off_track(deed))
        elif deed.source == "hand" and deed.target == "discard":
            hand, chosen = self.piles[owner, "hand"], self._chosen.pop(owner, [])
            for card in [*chosen, *hand][: deed.count]:
                hand.remove(card)
                target.append(card)
        else:
            super().carry(deed)

    def _pick(self, deed: Carry) -> None:
        """Whoever looks at the top of a Deck picks shots first, then planes.  (JP-16.4)"""
        deck = self.piles[deed.owner, "deck"]
        seen = deck[-int(deed.source.removeprefix("top ")) :]
        if len(seen) < deed.count:
            raise ValueError(f"{deed.owner}: {deed.count} of the {deed.source} of {len(deck)}")
        wanted = [Family.SHOOT, Family.PLANE, Family.SUN]
        faces, halves = self.cards.faces, self.cards.halves
        picked = sorted(seen, key=lambda card: wanted.index(faces[halves[card][0]].family))
        for card in picked[: deed.count]:
            deck.remove(card)
        self.piles[deed.owner, deed.target].extend(picked[: deed.count])

    def _off_track(self, deed: Carry) -> list[str]:
        """Cards of one owner that leave a section, or all sections."""
        places = [p for p in self.lineup.places if deed.source in ("track", f"{p[0]}.{p[1]}")]
        cards: list[str] = []
        for place in places:
            gone = [laid for laid in self.sections[place] if laid.owner == deed.owner]
            self.sections[place] = [laid for laid in self.sections[place] if laid not in gone]
            self._face_up -= set() if self.sections[place] else {place}
            cards += [laid.card for laid in gone]
        if len(cards) != deed.count:
            raise ValueError(f"{deed.owner}: {deed.count} of {len(cards)} cards on {deed.source}")
        return cards
