"""The hidden table: real cards and tokens, as bots and the demonstration move them.

It stands for cardboard. The bots' acts lay and choose cards; the rulings' deeds move cards and
tokens as hands would. It never reads the record: where both differ, somebody made a mistake.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, cast

from companion.core.board import Piece, Pose
from companion.core.question import Choose, Count, Declare, Locked, Ready, Reveal
from companion.core.ruling import Carry, Deed, Flip, Move, Seat, SetTo, Shuffle
from companion.games import rulebook_of
from companion.games.jaws_and_paws.boards import MOON
from companion.games.jaws_and_paws.bots import PATIENT_ROUNDS, Laid, plan_team
from companion.games.jaws_and_paws.cards import Family
from companion.games.jaws_and_paws.crew import BACK_OF, CREW_OF, ROLE_OF, TEAM_IN_SMALL, TEAM_OF
from companion.games.jaws_and_paws.layout import SECTIONS, UNTOLD
from companion.games.jaws_and_paws.lineup import Place
from companion.games.jaws_and_paws.mode_asks import LOOK, LOT, TOP, FromHand
from companion.games.jaws_and_paws.moves import Zone
from companion.kit.piles import HIGHEST, CardPiles

if TYPE_CHECKING:
    from companion.core.question import Option, Question
    from companion.core.ruling import Json
    from companion.games.jaws_and_paws.position import JawsAndPawsPosition
    from companion.games.jaws_and_paws.rules import JawsAndPaws
    from companion.match.rulebook import Setup

LOOKS = 0.8
"""How often a bot looks where the Moon lets it."""

_PILES = ("deck", "hand", "discard", "scrap")


class PhysicalTable:
    """Real decks, hands, tracks and tokens of one match, and the bots that sit there.

    `setup` is the match's own. A match that starts in the middle of a game gets cards dealt at
    random into piles of the sizes that its position names.
    """

    def __init__(self, setup: Setup, rng: Random) -> None:
        rules = cast("JawsAndPaws", rulebook_of(setup)(setup))
        self.rng = rng
        self.lineup, self.light = rules.lineup, rules.light
        self.night = rules.light == MOON
        self.cards, self.house = rules.cards, rules.options
        self.zones: dict[Piece, Zone] = dict(rules.position.zones)
        self.smoke: dict[Seat, bool] = dict(rules.position.smoke)
        self.piles = {player: CardPiles(player, _PILES) for player in self.lineup.players}
        self.sections: dict[Place, list[Laid]] = {place: [] for place in self.lineup.places}
        self.rounds = 0
        self._laid_in = ""
        self._face_up: set[Place] = set()
        self._chosen: dict[Seat, list[str]] = {}
        self._deal(rules.position)

    def _deal(self, position: JawsAndPawsPosition) -> None:
        for player in self.lineup.players:
            cards = [card for card, n in self.cards.decks[player].items() for _ in range(n)]
            self.rng.shuffle(cards)
            for pile in _PILES[1:]:
                count = position.piles[player][pile]
                self.piles[player].piles[pile], cards = cards[:count], cards[count:]
            on_track = position.piles[player]["track"]
            for card, place in zip(cards, self._places_of(position, player), strict=False):
                self.sections[place].append(Laid(player, card, self._any_face(card)))
            self.piles[player].piles["deck"] = cards[on_track:]

    def _places_of(self, position: JawsAndPawsPosition, player: Seat) -> list[Place]:
        """Where this player's cards lie on the track of a given position."""
        team = TEAM_OF[player]
        owners = position.owners[team]
        mine = [(team, n) for n in SECTIONS if owners[n - 1] == player]
        free = [(team, n) for n in SECTIONS if owners[n - 1] == UNTOLD]
        free = [place for place in free if not self.sections[place]]
        return [*mine, *free][: position.piles[player]["track"]]

    def _any_face(self, card: str) -> str:
        return self.rng.choice(self.cards.halves[card])

    # -- what anybody at the table sees ----------------------------------------------------

    def placement(self) -> Mapping[Piece, Pose]:
        """Where each token stands."""
        return {piece: Pose(zone) for piece, zone in self.zones.items()}

    def tracks(self) -> Mapping[str, tuple[str, ...]]:
        """The backs of the cards on each section of both tracks, by the section's full name."""
        return {
            f"{team}.{number}": tuple(BACK_OF[laid.owner] for laid in self.sections[team, number])
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

    def counts(self, player: Seat) -> dict[str, int]:
        """How many cards of a player lie in each pile, the track included."""
        on_track = sum(laid.owner == player for cards in self.sections.values() for laid in cards)
        return {**self.piles[player].counts(), "track": on_track}

    def flying(self) -> list[Seat]:
        """The teams of which a plane is on the boards; a fallen team's have left them."""
        teams = self.lineup.teams
        return [team for team in teams if any(p in self.zones for p in self.lineup.own[team])]

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
                self.piles[laid.owner]["hand"].remove(laid.card)
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
            return TEAM_IN_SMALL[parts[-1]], int(parts[-3].removeprefix("section-"))
        return TEAM_IN_SMALL[parts[-2]], int(parts[-1])

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
        return {ROLE_OF[player].lower(): owners.count(player) for player in CREW_OF[team]}

    def _count(self, key: str) -> int:
        *_, what, player = key.split("/")
        if player == "number":
            return self.rng.randint(1, HIGHEST)
        seat = Seat(player)
        if what == "lock":
            return self.counts(seat)["track"]
        if what == "deck":
            return len(self.piles[seat]["deck"])
        if what == "moon":
            return min(self.rng.randint(0, self.cards.moon_draw), len(self.piles[seat]["deck"]))
        self._chosen[seat] = self._unwanted(seat)
        return len(self._chosen[seat])

    def _unwanted(self, player: Seat) -> list[str]:
        """Cards a player would rather see in the Discard Pile."""
        piles = self.piles[player]
        if self.rounds > PATIENT_ROUNDS:
            return piles["hand"][:1]
        if len(piles["deck"]) < 10 or self.rng.random() < 0.7:
            return []
        return [card for card in piles["hand"] if not card.startswith("SH")][:2]

    def _choose(self, question: Choose[Any]) -> Json:
        options = [option for option in question.options_now() if option.name != LOT]
        if "/owner/" in question.key:
            team = TEAM_IN_SMALL[question.key.rpartition("/")[2]]
            number = int(question.key.split("/")[-3].removeprefix("section-"))
            return str(self.sections[team, number][0].owner)
        if "/look/" in question.key:
            return LOOK if self.rng.random() < LOOKS else TOP
        if "/to/" in question.key:
            return self._best_way(TEAM_OF[question.by], options).name
        if "/face-up/" in question.key:
            team = TEAM_IN_SMALL[question.key.rpartition("/")[2]]
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
        card = self.rng.choice(self.piles[where.player]["hand"])
        self.piles[where.player]["hand"].remove(card)
        laid = Laid(where.player, card, self._any_face(card))
        self.sections[team, where.section].append(laid)

    # -- what hands do as ruled ------------------------------------------------------------

    def perform(self, deeds: Iterable[Deed]) -> None:
        """Do what rulings told the hands to do; ValueError where the cards do not allow it."""
        for deed in deeds:
            match deed:
                case Move(piece, _, now):
                    self._put(piece, now)
                case Carry():
                    self._carry(deed)
                case Shuffle(owner, _, source, target):
                    self.piles[owner].shuffle(source, target, self.rng)
                case Flip(thing, side):
                    self.smoke[Seat(thing.split()[0])] = side == "smoke"
                case SetTo():
                    raise TypeError(f"no ruling of this box sets a {deed.thing}")

    def place(self, shows: Mapping[Piece, Pose]) -> None:
        """Put tokens where an option shows them: a hand that moves before anybody is told."""
        for piece, pose in shows.items():
            self._put(piece, pose)

    def _put(self, piece: Piece, now: Pose | None) -> None:
        if now is None:
            self.zones.pop(piece, None)
        else:
            self.zones[piece] = now.space

    def _carry(self, deed: Carry) -> None:
        piles = self.piles[deed.owner]
        if deed.source.startswith("top "):
            self._pick(deed)
        elif deed.source == "track" or "." in deed.source:
            piles[deed.target].extend(self._off_track(deed))
        elif deed.source == "hand" and deed.target == "discard":
            chosen = self._chosen.pop(deed.owner, [])
            for card in [*chosen, *piles["hand"]][: deed.count]:
                piles["hand"].remove(card)
                piles["discard"].append(card)
        else:
            piles.carry(deed.count, deed.source, deed.target)

    def _pick(self, deed: Carry) -> None:
        """Whoever looks at the top of a Deck picks shots first, then planes.  (JP-16.4)"""
        deck = self.piles[deed.owner]["deck"]
        seen = deck[-int(deed.source.removeprefix("top ")) :]
        if len(seen) < deed.count:
            raise ValueError(f"{deed.owner}: {deed.count} of the {deed.source} of {len(deck)}")
        wanted = [Family.SHOOT, Family.PLANE, Family.SUN]
        faces, halves = self.cards.faces, self.cards.halves
        picked = sorted(seen, key=lambda card: wanted.index(faces[halves[card][0]].family))
        for card in picked[: deed.count]:
            deck.remove(card)
        self.piles[deed.owner][deed.target].extend(picked[: deed.count])

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
