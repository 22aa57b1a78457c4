"""Jaws & Paws: the Day game, or the chapters that replace its paragraphs: which a table names.

Night goes with any number of players: two, three, or five and more. Where two chapters replace the
same paragraph the one named first in `CHAPTERS` has the word, and asks the other.  (JP-16 to JP-19)
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, cast

from companion.core.board import Piece
from companion.core.errors import BadCall
from companion.core.question import Question, together
from companion.core.ruling import (
    BrokenOff,
    Carry,
    Cite,
    Deed,
    Level,
    MatchOver,
    Move,
    Notice,
    Outcome,
    Seat,
)
from companion.games.jaws_and_paws import boards
from companion.games.jaws_and_paws import words as say
from companion.games.jaws_and_paws.boards import NAMES, Lineup, Zone, lineup_of, owner_of
from companion.games.jaws_and_paws.cards import NO_CARD, Family
from companion.games.jaws_and_paws.day import Day
from companion.games.jaws_and_paws.game import TurnedCard
from companion.games.jaws_and_paws.moves import Shot, same_zone
from companion.games.jaws_and_paws.plan import is_chosen
from companion.games.jaws_and_paws.reports import MOON_WORDS, ReportWord
from companion.games.jaws_and_paws.switches import (
    CREWS_OF_MANY,
    CREWS_OF_THREE,
    FACE_UP_OF_MANY,
    FACE_UP_OF_THREE,
    SOLO_REPAIR,
    SWITCHES,
)
from companion.match.house_rules import Switch

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.jaws_and_paws.position import JawsAndPawsPosition


class JawsAndPaws(Day):
    """The 20-second game: by itself the manual's own, or with the chapters that a table names."""

    @classmethod
    def in_variants(cls, names: Sequence[str]) -> type[Self]:
        """The rules with the named chapters in force; BadCall for a mix the book does not have."""
        super().in_variants(names)
        return rules_in(cls, names)

    @classmethod
    def seated(cls, options: Mapping[str, Json]) -> type[Self]:
        """The rules for a table of other sizes, where a house rule says so.  (JP-18.1, JP-19.1)"""
        crews = cls.switches.get("crews")
        told = options.get("crews")
        if crews is None:
            return cls
        return seated(cls, str(crews.default if told is None else crews.read(told)))


# Whom the Moon favours.  (JP-16.3, JP-16.4)


def is_favoured(position: JawsAndPawsPosition, team: Seat) -> bool:
    """Whether the players of a team may draw more: Moon and plane on two boards.  (JP-16.3)

    The Moon is on an enemy's View set, and the team's plane on the other board of that set.
    """
    zone = position.sun
    if zone is None or owner_of(zone) == team or team in position.out:
        return False
    plane = position.zones.get(position.lineup.token[team, owner_of(zone)])
    return plane is not None and plane[-2] != zone[-2]


def is_moonlit(position: JawsAndPawsPosition, shot: Shot) -> bool:
    """Whether a plane that was hit stands on the Moon's board.  (JP-16.4)"""
    zone = position.sun
    return bool(shot.due) and zone is not None and zone[:-1] == shot.stands[:-1]


# Night: the Moon replaces the Sun.  (JP-16)

_DRAWN = Cite.of("JP-16.3, JP-11.7, RULING 23")
_LOOKED = Cite.of("JP-16.4, JP-16.5, RULING 24")
_REPLACES = Cite.of("JP-16.1, JP-16.2, RULING 22")

NightLook = tuple[Seat, Seat]
"""Who shot, and whose Deck is looked at."""


class Night(JawsAndPaws):
    """The Moon stands where the Sun would; it lets draw, and lets look.  (JP-16.1)"""

    light: ClassVar[Piece] = boards.MOON
    leaves_out: ClassVar[tuple[str, ...]] = ("half_rounding",)
    also: ClassVar[Mapping[str, Cite]] = {
        "JP-3.2": Cite.of("JP-16.1"),
        "JP-3.5": Cite.of("JP-16.1"),
        "JP-5.2": Cite.of("JP-16.1"),
        "JP-9.3": _REPLACES,
        "JP-9.4": _REPLACES,
        "JP-14.1": Cite.of("JP-16.2, RULING 22"),
    }

    def words(self) -> Mapping[str, ReportWord]:
        return {**super().words(), **MOON_WORDS}

    def sun_with_effects(self) -> Zone | None:
        """None: by night nobody is in the Sun.  (JP-16.2, RULING 22)"""
        return None

    # -- Discard and Draw (JP-16.3) --------------------------------------------------------

    async def discard_and_draw(self) -> None:
        """After the compulsory draw, up to two more for whom the Moon favours.  (JP-16.3)"""
        position = self.position
        position.favoured = [team for team in position.teams if is_favoured(position, team)]
        await super().discard_and_draw()
        asked: dict[str, Question[Any]] = {p: self.ask.moon_draw(p) for p in self.may_draw()}
        if asked:
            asked["drawn"] = self.ask.moon_drawn()
            told = await together(asked)
            for player in self.may_draw():
                self.draw_by_moon(player, told.get(player, 0))
        position.favoured = []

    def may_draw(self) -> list[Seat]:
        """The players whom the Moon lets draw, and who have a card to draw.  (RULING 23)"""
        position = self.position
        return [
            player
            for player in position.players
            if boards.TEAM_OF[player] in position.favoured and position.piles[player]["deck"]
        ]

    def draw_by_moon(self, player: Seat, count: int) -> None:
        """Cards drawn of free will; never a loss.  (JP-16.3, JP-11.7)"""
        piles = self.position.piles[player]
        drawn = min(count, piles["deck"])
        if drawn:
            carry = piles.move(drawn, "deck", "hand")
            self.rule(say.drawn_by_moon(player, piles, drawn), _DRAWN, carry, by=player,
                      headline=f"{NAMES[player]}: draw {drawn}", quiet=True)  # fmt: skip

    # -- Shoot cards (JP-16.4) -------------------------------------------------------------

    async def resolve_shots(self, turned: Sequence[TurnedCard]) -> None:
        """Step 5: whoever may look says so; looks come before plain hits.  (JP-16.4, RULING 24)"""
        shooters = [t for t in turned if t.face.family is Family.SHOOT]
        if not shooters:
            return
        await self.count_short_decks(partial(self.damage_due, shooters), say.MUST_SCRAP)
        asked = {
            (shot.shooter, receiver): self.ask.moon_look(shot.shooter, receiver, damage)
            for shot in self.shots_of(shooters)
            for receiver, damage in self.looks_due(shot).items()
        }
        told = await together(asked)
        looked = [look for look, wanted in told.items() if wanted]
        self.resolve_all(self.shots_of(shooters), looked)
        await together({look: self.ask.moon_looked(*look) for look in looked})

    def shots_of(self, shooters: Sequence[TurnedCard]) -> list[Shot]:
        """Every shot of this step, judged."""
        return [shot for shooter in shooters for shot in self.judge(*shooter)]

    def looks_due(self, shot: Shot) -> Mapping[Seat, int]:
        """Whose Decks may be looked at: none that is shorter than the damage.  (RULING 24)"""
        if not is_moonlit(self.position, shot):
            return {}
        piles = self.position.piles
        return {p: n for p, n in shot.due.items() if 0 < n <= piles[p]["deck"]}

    def resolve_all(self, judged: Sequence[Shot], looked: Sequence[NightLook]) -> None:
        """Shots by which somebody looks come first.  (RULING 24)"""
        pairs = [
            (shot, [p for p in self.looks_due(shot) if (shot.shooter, p) in looked])
            for shot in judged
        ]
        for shot, seen in sorted(pairs, key=lambda pair: not pair[1]):
            self.resolve_shot(shot, seen)

    def cite_of(self, shot: Shot, looked: Collection[Seat]) -> Cite:
        cite = super().cite_of(shot, looked)
        return cite.also(_LOOKED) if looked else cite

    def suffer(self, player: Seat, damage: int, *, looked: bool) -> Sequence[Deed]:
        """Cards picked out of the top nine; the Deck is shuffled.  (JP-16.4, JP-16.5)"""
        if not looked:
            return super().suffer(player, damage, looked=looked)
        piles = self.position.piles[player]
        seen = self.ask.cards_seen(player, damage)
        self.position.dealt[player] = self.position.dealt.get(player, 0) + damage
        picked = piles.move(damage, "deck", "scrap", f"top {seen}")
        return (picked, piles.shuffle("deck", "deck"))


# Two and three players: a solo player has two hands, one of each colour.  (JP-17, JP-18)

_PER_ROLE = Cite.of("JP-17.4, RULING 25")


class TwoPlayers(JawsAndPaws):
    """One player a team, with both decks of it.  (JP-17)"""

    lineup: ClassVar[Lineup] = lineup_of(1, 1)
    adds: ClassVar[tuple[Switch, ...]] = (SOLO_REPAIR,)
    also: ClassVar[Mapping[str, Cite]] = {
        "JP-3.2": Cite.of("JP-17.1"),
        "JP-3.6": Cite.of("JP-17.2"),
    }
    also_solo: ClassVar[Mapping[str, Cite]] = {
        "JP-6.1": Cite.of("JP-17.5"),
        "JP-7.2": Cite.of("JP-17.3"),
        "JP-8.1": _PER_ROLE,
        "JP-8.2": _PER_ROLE,
        "JP-8.3": _PER_ROLE,
        "JP-11.4": Cite.of("JP-17.3"),
        "JP-14.4": _PER_ROLE,
        "JP-14.5": _PER_ROLE,
        "JP-16.3": _PER_ROLE,
        "RULING 37": _PER_ROLE,
    }


class ThreePlayers(JawsAndPaws):
    """A team of two against a solo player.  (JP-18.1, JP-18.2)"""

    lineup: ClassVar[Lineup] = lineup_of(2, 1)
    adds: ClassVar[tuple[Switch, ...]] = (CREWS_OF_THREE, SOLO_REPAIR, FACE_UP_OF_THREE)
    face_up_option: ClassVar[str] = FACE_UP_OF_THREE.name
    also: ClassVar[Mapping[str, Cite]] = {
        "JP-3.2": Cite.of("JP-18.1"),
        "JP-3.6": Cite.of("JP-18.1, JP-18.2"),
    }
    also_solo: ClassVar[Mapping[str, Cite]] = TwoPlayers.also_solo


# Five or more players: several boxes, a token of every team on every other View set.  (JP-19)

_FALLEN = Cite.of("JP-11.1, JP-11.5, JP-19.7, RULING 33")
_GAVE_UP = Cite.of("JP-19.7, RULING 33, RULING 39")
_LEAVES = Cite.of("JP-19.7, RULING 33")


class FivePlayers(JawsAndPaws):
    """Three teams or more, of one or two people each; the last one flying wins.  (JP-19)"""

    lineup: ClassVar[Lineup] = lineup_of(2, 2, 1)
    adds: ClassVar[tuple[Switch, ...]] = (CREWS_OF_MANY, SOLO_REPAIR, FACE_UP_OF_MANY)
    face_up_option: ClassVar[str] = FACE_UP_OF_MANY.name
    also: ClassVar[Mapping[str, Cite]] = {
        "JP-3.3": Cite.of("JP-19.1"),
        "JP-3.5": Cite.of("JP-19.6, RULING 28"),
        "JP-3.6": Cite.of("JP-19.1"),
        "JP-2.6": Cite.of("RULING 29"),
        "JP-9.3": Cite.of("RULING 30"),
        "JP-9.4": Cite.of("RULING 30"),
        "JP-9.5": Cite.of("JP-19.3"),
        "JP-9.6": Cite.of("JP-19.4"),
        "JP-13.4": Cite.of("JP-19.5, RULING 31"),
        "JP-14.1": Cite.of("JP-19.2, RULING 32"),
        "JP-11.5": Cite.of("JP-19.7"),
        "JP-11.6": Cite.of("RULING 33"),
    }
    also_solo: ClassVar[Mapping[str, Cite]] = TwoPlayers.also_solo

    # -- set-up ----------------------------------------------------------------------------

    async def toss(self) -> Seat | None:
        """Drawn by lot: a coin has two sides.  (RULING 28)"""
        return await self.ask.placing_team()

    # -- Move Sun cards --------------------------------------------------------------------

    def sun_order(self) -> Sequence[Seat]:
        """Who had the Sun first, then clockwise; who is shot down is passed over.  (RULING 30)"""
        return [team for team in super().sun_order() if team not in self.position.out]

    async def resolve_sun(self, suns: Sequence[TurnedCard], team: Seat, step: int) -> None:
        """Move Sun Team goes where its player chooses.  (JP-19.5, RULING 31)"""
        chosen = [card for card in suns if is_chosen(card.face, self.position)]
        for owner, face in chosen:
            if boards.TEAM_OF[owner] == team:
                there = await self.destination(owner)
                zone = self.position.sun
                assert zone is not None, "the Sun was placed before the first round"
                way = (self.light, zone, same_zone(zone, there))
                self.bring([way], owner, face, step, say.SUN_CITES[step, face.move])
        await super().resolve_sun([card for card in suns if card not in chosen], team, step)

    async def destination(self, owner: Seat) -> Seat:
        """Where Move Sun Team goes; nobody is asked where only one way is left.  (RULING 31)"""
        legal = self.ask.destinations()
        if len(legal) == 1:
            return legal[0].value
        return await self.ask.destination(owner, boards.TEAM_OF[owner], self.position.section)

    # -- winning ---------------------------------------------------------------------------

    def given_up(self, team: Seat) -> Notice:
        """A team that has left falls: between two rounds at once, else at the next check point."""
        position = self.position
        fliers = [rival for rival in position.teams if rival not in position.abandoned()]
        if len(fliers) == 1:
            (winner,) = fliers
            ruling = self.rule(say.gave_up(position, team, winner), _GAVE_UP, by=winner,
                               headline=f"{winner} win", struck=self.lineup.own[team])  # fmt: skip
            raise MatchOver(Outcome((winner,), ruling))
        cards = say.gave_up_cards(position, self.clear_track(team))
        text = f"Everybody of {team} has left the table: they have given up. {cards}".strip()
        if position.stage != "action" or position.sun_first is not None:
            way_out = "The team is shot down at the next check point; nobody waits for it."
            notice = Notice("JP-RETIRED", text, _GAVE_UP, Level.NOTE, way_out)
            self.retold |= self.no_card_of(team)
            return self.reopen_lock(notice, self.retold) if self.lock_is_told else notice
        self.eliminate(team)
        way_out = "Its planes and boards leave the game; the others fly on."
        raise BrokenOff(Notice("JP-RETIRED", text, _GAVE_UP, Level.NOTE, way_out))

    def no_card_of(self, team: Seat) -> Mapping[str, Json]:
        """What was told of its cards and no longer holds: none of them lies there."""
        lock, name = f"{self.ask.round}/lock", team.lower()
        none: dict[str, Json] = {f"{lock}/{name}/{n}": "0 0" for n in boards.SECTIONS}
        none |= {f"{lock}/{player}": 0 for player in boards.CREW_OF[team]}
        none[f"{self.ask.round}/{self.position.stage}/reveal/{name}"] = NO_CARD.name
        told = self.locked if self.lock_is_told else self.told
        return {key: nothing for key, nothing in none.items() if key in told}

    async def check_point(self, place: str) -> None:
        """Who is down leaves; the last team flying wins.  (JP-19.7, RULING 33)"""
        position = self.position
        for team in position.abandoned():
            self.fall(team)
        if position.down and self.several_fly():
            for team in position.down:
                struck = self.lineup.own[team]
                self.rule(say.fallen(position, team, place), _FALLEN, by=team, struck=struck,
                          headline=f"{team} are shot down")  # fmt: skip
            await together({team: self.ask.fallen(team) for team in position.down})
        if position.down and not self.several_fly():
            await super().check_point(place)
        for team in list(position.down):
            self.eliminate(team)
        position.down = []

    def several_fly(self) -> bool:
        """Whether the game goes on without those that are down."""
        return len(self.position.teams) - len(self.position.down) > 1

    def eliminate(self, team: Seat) -> None:
        """Tokens and boards of a team leave the game, and the Sun its boards.  (RULING 33)"""
        position, deeds = self.position, list[Deed]()
        for piece in (*self.lineup.own[team], *self.lineup.facing[team]):
            zone = position.zones.pop(piece, None)
            if zone is not None:
                deeds.append(Move(piece, say.pose(zone), None))
        carries = self.clear_track(team)
        deeds += carries
        moved = self.save_sun(team)
        if moved is not None:
            deeds.append(Move(self.light, say.pose(moved[0]), say.pose(moved[1])))
        position.leave(team)
        way = None if moved is None else (self.light, *moved)
        headline = f"{team}: off the boards"
        self.rule(
            say.left(position, team, carries, way), _LEAVES, *deeds, by=team, headline=headline
        )

    def clear_track(self, team: Seat) -> list[Carry]:
        """Cards of a fallen team that were not resolved are discarded unseen."""
        position = self.position
        position.owners[team] = [boards.NOBODY] * len(boards.SECTIONS)
        position.face_up.pop(team, None)
        return [
            position.piles[player].move(position.piles[player]["track"], "track", "discard")
            for player in boards.CREW_OF[team]
            if position.piles[player]["track"]
        ]

    def save_sun(self, team: Seat) -> tuple[Zone, Zone] | None:
        """From boards that leave the game to the next flying team, clockwise.  (RULING 33)"""
        zone, position = self.position.sun, self.position
        if zone is None or owner_of(zone) != team:
            return None
        heirs = [t for t in self.lineup.rivals[team] if t in position.teams]
        heir = next(t for t in heirs if t not in position.down)
        position.zones[self.light] = same_zone(zone, heir)
        return zone, position.zones[self.light]


# Putting chapters together: which go with which, and which has the word.

RulesT = TypeVar("RulesT", bound=JawsAndPaws)

CHAPTERS: Mapping[str, type[JawsAndPaws]] = {
    "night": Night,
    "five-players": FivePlayers,
    "three-players": ThreePlayers,
    "two-players": TwoPlayers,
}
"""The chapters in the order in which they have the word."""

_EITHER_OR = (("day", "night"), ("two-players", "three-players", "five-players"))


def rules_in(rules: type[RulesT], names: Sequence[str]) -> type[RulesT]:
    """The rules with the named chapters in force; BadCall where they exclude each other."""
    for group in _EITHER_OR:
        both = [name for name in dict.fromkeys(names) if name in group]
        if len(both) > 1:
            raise BadCall(f"{both[0]} and {both[1]} exclude each other: name one of them")
    chosen = tuple(chapter for name, chapter in CHAPTERS.items() if name in names)
    return cast("type[RulesT]", _mixed(chosen)) if chosen else rules


@cache
def _mixed(chapters: tuple[type[JawsAndPaws], ...]) -> type[JawsAndPaws]:
    """One class of several chapters, with the house rules and the cites of all of them."""
    switches = dict(SWITCHES)
    for chapter in chapters:
        switches |= {switch.name: switch for switch in chapter.adds}
    left_out = {name for chapter in chapters for name in chapter.leaves_out}
    body: dict[str, Any] = {
        "switches": {name: one for name, one in switches.items() if name not in left_out},
        "also": _joined([chapter.also for chapter in chapters]),
        "also_solo": _joined([chapter.also_solo for chapter in chapters]),
        "__doc__": " ".join(chapter.__doc__ or "" for chapter in chapters),
        "__module__": __name__,
    }
    name = "".join(chapter.__name__ for chapter in chapters)
    lineup = next((c.lineup for c in chapters if c.lineup is not JawsAndPaws.lineup), None)
    rules = cast("type[JawsAndPaws]", type(name, chapters, body))
    return rules if lineup is None else seated_by(rules, lineup)


def _joined(cites: Sequence[Mapping[str, Cite]]) -> Mapping[str, Cite]:
    joined: dict[str, Cite] = {}
    for mapping in cites:
        for rule, cite in mapping.items():
            joined[rule] = joined[rule].also(cite) if rule in joined else cite
    return joined


def seated(rules: type[RulesT], crews: str) -> type[RulesT]:
    """The rules for a table of so many people in each team, clockwise: "2 2 1"."""
    lineup = lineup_of(*(int(size) for size in crews.split()))
    return rules if lineup is rules.lineup else cast("type[RulesT]", seated_by(rules, lineup))


@cache
def seated_by(rules: type[JawsAndPaws], lineup: Lineup) -> type[JawsAndPaws]:
    """The same rules with other seats."""
    body: dict[str, Any] = {
        "lineup": lineup,
        "seats": lineup.names,
        "sides": lineup.teams,
        "side_of": {player: boards.TEAM_OF[player] for player in lineup.players},
        "held_by": lineup.held_by,
        "buttons": lineup.teams[:2],
        "__doc__": rules.__doc__,
        "__module__": __name__,
    }
    return cast("type[JawsAndPaws]", type(rules.__name__, (rules,), body))
