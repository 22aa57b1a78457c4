"""Jaws & Paws, four players by day: the flight manual as code, in the manual's order.

One method for each paragraph. Whatever lasts is in the position; whatever the table must tell is
awaited; whatever the book then says is a ruling. Digest and rulings: RULINGS.md.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from companion.board import Piece
from companion.errors import BadCall
from companion.form import together
from companion.games.jaws_and_paws import comparing, reports, shots
from companion.games.jaws_and_paws import wording as say
from companion.games.jaws_and_paws.asking import still_legal
from companion.games.jaws_and_paws.asks import Asks
from companion.games.jaws_and_paws.boards import SUN, board_plan
from companion.games.jaws_and_paws.cards import ENEMY, NO_CARD, OWN, Face, Family, read_cards
from companion.games.jaws_and_paws.crew import (
    BORDER_NAME_OF,
    CREW_OF,
    JP,
    LOOKS,
    MATE_OF,
    NAMES,
    PLANE_OF,
    PLAYERS,
    RIVAL_OF,
    TEAM_OF,
    TEAMS,
)
from companion.games.jaws_and_paws.layout import NOBODY, ROUND, SECTIONS, UNTOLD
from companion.games.jaws_and_paws.lock_asks import PLACES, Place
from companion.games.jaws_and_paws.moves import OTHER_WAY, Zone
from companion.games.jaws_and_paws.pad import token_and_steps
from companion.games.jaws_and_paws.position import JawsAndPawsPosition, fresh_piles
from companion.games.jaws_and_paws.position_faults import refuse_faults
from companion.games.jaws_and_paws.position_file import read_position
from companion.games.jaws_and_paws.shots import Shot, judge_shot
from companion.games.jaws_and_paws.switches import SWITCHES, house_words
from companion.paragraphs import Paragraph, read_paragraphs
from companion.question import Question
from companion.rulebook import Rulebook, Setup, Switch
from companion.ruling import (
    TABLE,
    Carry,
    Cite,
    Deed,
    Flip,
    MatchOver,
    Move,
    Notice,
    Outcome,
    Ruling,
    Seat,
)

if TYPE_CHECKING:
    from companion.offers import Json, Sighting

_PLAN = board_plan()
_PARAGRAPHS = Path(__file__).with_name("paragraphs.toml")

Counts = Mapping[str, int]
"""Cards on a section by border: {"pilot": 1, "gunner": 0}."""


class Turned(NamedTuple):
    """A card that was turned over on a section: whose it is, and what it says."""

    owner: Seat
    face: Face


class NewGame(Exception):
    """Both teams fell together, and the table plays such a game again.  (RULING 12)"""


class JawsAndPaws(Rulebook[JawsAndPawsPosition]):
    """The 20-second game of two planes, four players, one Sun."""

    box: ClassVar[str] = "jaws-and-paws"
    title: ClassVar[str] = "Jaws & Paws"
    variants: ClassVar[tuple[str, ...]] = ("day",)
    seats: ClassVar[Mapping[Seat, str]] = NAMES
    sides: ClassVar[tuple[Seat, ...]] = TEAMS
    side_of: ClassVar[Mapping[Seat, Seat]] = TEAM_OF
    buttons: ClassVar[tuple[Seat, ...]] = TEAMS
    rounds, looks = ("game", "round"), LOOKS
    switches: ClassVar[Mapping[str, Switch]] = SWITCHES
    corrections: ClassVar[Cite] = Cite.of("RULING 35")

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        unknown = sorted(set(setup.seats) - set(NAMES))
        if unknown:
            raise BadCall(f"seat {unknown[0]!r} is unknown; there are {', '.join(NAMES)}")
        self.cards = read_cards(setup.cards)
        self.plan = _PLAN
        self.position = self._starting_position(setup.position)
        self.ask = Asks(self.position, self.options, self.cards)

    def _starting_position(self, file: Mapping[str, Json] | None) -> JawsAndPawsPosition:
        """The table as a file has it, or as the book sets it up; BadFile, BadPosition."""
        if file is None:
            position = JawsAndPawsPosition(piles=fresh_piles(self.cards.deck_size))
        else:
            bare = {name: value for name, value in file.items() if name != "since"}
            position = read_position(JawsAndPawsPosition, bare, "position")
        position.house = self.options
        position.deck_size, position.hand_size = self.cards.deck_size, self.cards.hand_size
        if file is not None:
            refuse_faults(position, "position")
        return position

    # -- How to Play (JP-3, JP-5.1) --------------------------------------------------------

    async def play(self) -> Outcome:
        """Set-up, then rounds until no more than one plane flies.  (JP-3, JP-5.1)"""
        while True:
            try:
                if self.position.stage == "set-up":
                    self.begin()
                    await self.set_up()
                    self.position.stage = ROUND[0]
                while True:
                    await self.round()
            except NewGame:
                self.position.start_afresh()

    async def set_up(self) -> None:
        """The winner of the toss places the Sun; then every player draws four.  (JP-3.4 to 3.6)"""
        team = await self.ask.toss()
        zone = await self.ask.sun(team)
        self.position.zones[SUN] = zone
        self.rule(*say.sun_placed(team, zone), Move(SUN, None, say.pose(zone)), by=team,
                  headline=f"Sun to {zone}")  # fmt: skip
        hand = self.cards.hand_size
        draws = [self.position.piles[p].move(hand, "deck", "hand") for p in PLAYERS]
        self.rule(*say.starting_hands(hand, self.cards.deck_size), *draws,
                  headline=f"All: draw {hand}")  # fmt: skip
        await self.ask.set_up_done()

    async def round(self) -> None:
        """An Action Phase and a Resolution Phase, from wherever the position stands.  (JP-5.1)"""
        for stage in ROUND[ROUND.index(self.position.stage) :]:
            self.position.stage = stage
            self.begin()
            await PROCEDURES[stage](self)
        self.position.stage = ROUND[0]

    # -- Action Phase and Difficulty (JP-5) ------------------------------------------------

    async def action_phase(self) -> None:
        """Both teams lay cards until the time is up; the Sun's team is noted.  (JP-5.2 to 5.8)"""
        self.position.sun_first = None
        await together({team: self.ask.ready(team) for team in TEAMS})
        self.position.sun_first = self.position.sun_team
        self.position.forget_latest()
        await self.end_of_phase()

    async def end_of_phase(self) -> None:
        """The clock's zero, or the word of all four players.  (JP-5.3, JP-5.8, RULING 7)"""
        timer = self.options["timer_s"]
        if not isinstance(timer, int):
            await together({player: self.ask.locked(player) for player in PLAYERS})
        elif self.options["early_end"] == "all_locked":
            words = {player: self.ask.locked(player) for player in PLAYERS}
            await together({None: self.ask.clock(timer), **words}, until=_zero_or_all_locked)
        else:
            await self.ask.clock(timer)

    # -- Resolution Phase: the lock and doubled sections (JP-5.7, JP-6) --------------------

    async def lock(self) -> None:
        """Actions are locked in; the cards of doubled sections are discarded.  (JP-5.7, JP-6)"""
        by_players = self.options["lock_asks"] == "players"
        told = await (self.lock_by_players() if by_players else self.lock_by_sections())
        doubled = {place: told[place] for place in PLACES if sum(told[place].values()) > 1}
        shown = await self.doubled_shown(told, doubled)
        self.position.counted = {}
        if by_players:
            self.record_players(told, doubled)
        else:
            self.record_sections(told, doubled)
        for place, counts in doubled.items():
            self.discard_doubled(place, counts, shown.get(place, ""))

    async def lock_by_sections(self) -> Mapping[Any, Any]:
        """Whose cards lie on each section, by border.  (JP-5.7, RULING 37)"""
        asked: dict[Any, Question[Any]] = {place: self.ask.borders(*place) for place in PLACES}
        asked["checked"] = self.ask.checked()
        return await together(asked, check=self.ask.check_sections)

    async def lock_by_players(self) -> Mapping[Any, Any]:
        """How many cards each player laid; whose lies where is told later.  (lock_asks)"""
        asked: dict[Any, Question[Any]] = {player: self.ask.laid(player) for player in PLAYERS}
        asked |= {place: self.ask.doubled(*place) for place in PLACES}
        asked["checked"] = self.ask.checked()
        return await together(asked, check=self.ask.check_players)

    async def doubled_shown(
        self, told: Mapping[Any, Any], doubled: Mapping[Place, Counts]
    ) -> dict[Place, str]:
        """What lay on doubled sections, where the table turns them over.  (doubled_reveal)"""
        if not self.options["doubled_reveal"]:
            return {}
        asked = {
            (place, player, ordinal): self.ask.doubled_card(player, place[1], ordinal)
            for place, counts in doubled.items()
            for player in CREW_OF[place[0]]
            for ordinal in range(1, counts[BORDER_NAME_OF[player]] + 1)
        }
        again = self.ask.check_players if JP in told else self.ask.check_sections
        faces = await together(asked, check=lambda _: again(told))
        return {
            place: ", ".join(face.card for (at, _, _), face in faces.items() if at == place)
            for place in doubled
        }

    def record_sections(self, told: Mapping[Any, Any], doubled: Mapping[Place, Counts]) -> None:
        """A card alone on its section is played by its owner.  (JP-8.1, RULING 37)"""
        for team, number in PLACES:
            for player in CREW_OF[team]:
                if told[team, number][BORDER_NAME_OF[player]] and (team, number) not in doubled:
                    self.position.owners[team][number - 1] = player
                    self.lay(player, 1)

    def record_players(self, told: Mapping[Any, Any], doubled: Mapping[Place, Counts]) -> None:
        """Cards alone on their sections, of which only the number is told.  (lock_asks)"""
        for player in PLAYERS:
            mine = [counts for (team, _), counts in doubled.items() if team == TEAM_OF[player]]
            self.lay(player, told[player] - sum(c[BORDER_NAME_OF[player]] for c in mine))
        for team in TEAMS:
            laid = any(self.position.piles[player]["track"] for player in CREW_OF[team])
            self.position.owners[team] = [
                UNTOLD if laid and (team, number) not in doubled else NOBODY for number in SECTIONS
            ]

    def lay(self, player: Seat, count: int) -> None:
        """Cards that count as played and lie on the track.  (JP-8.1)"""
        self.position.piles[player].move(count, "hand", "track")
        self.position.played[player] += count

    def discard_doubled(self, place: Place, counts: Counts, shown: str) -> None:
        """More than one card on a section: all are discarded, unresolved.  (JP-6, RULING 8)"""
        team, number = place
        counts_as_played = self.options["doubled_counts_as_played"] is True
        carries: list[Carry] = []
        for player in CREW_OF[team]:
            count = counts[BORDER_NAME_OF[player]]
            if count:
                piles = self.position.piles[player]
                carries.append(piles.move(count, "hand", "discard", f"{team}.{number}"))
                self.position.played[player] += count if counts_as_played else 0
        text = say.doubled(self.position, team, number, carries, shown, played=counts_as_played)
        headline = f"{team} {number}: discard {sum(counts.values())}"
        self.rule(text, say.DOUBLED, *carries, by=team, headline=headline)

    # -- Resolution Phase: 1. Discard and Draw (JP-7) --------------------------------------

    async def discard_and_draw(self) -> None:
        """Everybody discards any number, then draws up to four, all at once.  (JP-7)"""
        asked: dict[Any, Question[Any]] = {p: self.ask.discards(p) for p in PLAYERS}
        asked["drawn"] = self.ask.drawn()
        told = await together(asked, check=still_legal(asked))
        discards = {p: self.position.piles[p].move(told[p], "hand", "discard") for p in PLAYERS}
        await self.count_short_decks(self.draws_due, say.MUST_DRAW)
        for player in PLAYERS:
            self.draw(player, discards[player])
        await self.check_point("Discard and Draw")

    def draws_due(self) -> dict[Seat, int]:
        """How many cards each player must draw to have four in hand.  (JP-7.2)"""
        return {p: max(0, self.cards.hand_size - self.position.piles[p]["hand"]) for p in PLAYERS}

    def draw(self, player: Seat, discard: Carry) -> None:
        """Top up one hand from the Deck, as far as it reaches.  (JP-7.2, JP-11.4)"""
        piles = self.position.piles[player]
        due = max(0, self.cards.hand_size - piles["hand"])
        drawn = min(due, piles["deck"])
        if not (due or discard.count):
            return
        carry = piles.move(drawn, "deck", "hand")
        if drawn < due:
            self.fall(TEAM_OF[player])
        text = say.drawn(player, piles, discard.count, drawn, due - drawn)
        cite = say.DRAW if drawn == due else say.DRAW_SHORT
        self.rule(text, cite, *((discard,) if discard.count else ()), carry, by=player,
                  headline=f"{NAMES[player]}: draw {drawn}")  # fmt: skip

    # -- Resolution Phase: 2. Repairing (JP-8) ---------------------------------------------

    async def repair(self) -> None:
        """Who laid no card shuffles the Discard Pile in; smoke makes the mate pay.  (JP-8)"""
        for player in self.position.repairing():
            piles = self.position.piles[player]
            shuffle = piles.shuffle("discard", "deck")
            self.rule(say.repairs(player, piles, shuffle.count), say.REPAIRS, shuffle, by=player,
                      headline=f"{NAMES[player]}: shuffle")  # fmt: skip
        await together({p: self.ask.shuffled(p) for p in self.position.repairing()})
        self.position.forget_latest()
        await self.count_short_decks(self.smoke_due, say.MUST_SCRAP)
        for player, damage in self.smoke_due().items():
            carry = self.scrap(player, damage)
            text = say.smoked(player, self.position.piles[player], damage, carry.count)
            self.rule(text, say.SMOKED, carry, by=player, headline=say.scrap(player, carry.count),
                      struck=(PLANE_OF[TEAM_OF[player]],))  # fmt: skip
        await self.check_point("Repairing")

    def smoke_due(self) -> dict[Seat, int]:
        """Damage to the teammates of those Repairing under smoke.  (JP-8.3 to 8.6, RULING 14)"""
        damage = self.number("smoke_damage")
        return {
            MATE_OF[player]: damage
            for player in self.position.repairing()
            if self.position.smoke[TEAM_OF[player]] and damage
        }

    # -- Resolution Phase: 3. Resolve Cards (JP-9) -----------------------------------------

    async def section(self) -> None:
        """Flip both cards of a section and resolve them in five steps.  (JP-9)"""
        turned = await self.flip(self.position.section)
        if not turned:
            return
        self.position.forget_latest()
        for step, team in enumerate(self.sun_order(), 1):
            self.resolve_sun(turned, team, step)
        self.resolve_planes(turned, OWN, 3)
        self.resolve_planes(turned, ENEMY, 4)
        await self.resolve_shots(turned)
        await self.check_point(f"step 5 of section {self.position.section}")

    async def flip(self, number: int) -> list[Turned]:
        """The cards that both teams turn over on a section, if any.  (JP-9.1, JP-9.2)"""
        asked = {t: self.ask.reveal(t, number) for t in TEAMS if self.ask.may_hold(t, number)}
        if not asked:
            return []
        faces = await together(asked, check=still_legal(asked))
        if any(self.position.owners[team][number - 1] == UNTOLD for team in faces):
            await self.tell_owners(number, faces)
        turned: list[Turned] = []
        for team, face in faces.items():
            if face is not NO_CARD:
                owner = Seat(self.position.owners[team][number - 1])
                self.position.piles[owner].learn("track", face.card)
                turned.append(Turned(owner, face))
        if any(face.unclear for _, face in turned):
            return await self.read_halves(turned, number)
        return turned

    async def tell_owners(self, number: int, faces: Mapping[Seat, Face]) -> None:
        """Whose card it is, where the lock did not ask.  (lock_asks players, RULING 37)"""
        owners = self.position.owners
        untold = [team for team in faces if owners[team][number - 1] == UNTOLD]
        asked = {t: self.ask.owner(t, number) for t in untold if faces[t] is not NO_CARD}
        told = await together(asked, check=still_legal(asked))
        for team in untold:
            owners[team][number - 1] = told.get(team, NOBODY)

    async def read_halves(self, turned: Sequence[Turned], number: int) -> list[Turned]:
        """A card that lies exactly sideways does nothing, or its owner says.  (RULING 17)"""
        sideways = [t for t in turned if t.face.unclear]
        chosen: Mapping[Seat, Face] = {}
        if self.options["unclear_half"] == "owner_chooses":
            asked = {t.owner: self.ask.half(t.owner, number, t.face) for t in sideways}
            chosen = await together(asked)
        else:
            for owner, face in sideways:
                self.rule(say.sideways(number, owner, face), say.SIDEWAYS, by=owner,
                          headline=f"{TEAM_OF[owner]} {number}: no effect")  # fmt: skip
        return [
            Turned(t.owner, chosen.get(t.owner, t.face))
            for t in turned
            if not t.face.unclear or t.owner in chosen
        ]

    def sun_order(self) -> tuple[Seat, Seat]:
        """Whose Move Sun card comes first: who had the Sun at the start.  (JP-9.3, RULING 15)"""
        position = self.position
        first = position.sun_first
        if self.options["sun_order"] == "current_section" or first is None:
            first = position.sun_team
        assert first is not None, "the Sun was placed before the first round"
        return first, RIVAL_OF[first]

    def resolve_sun(self, turned: Sequence[Turned], team: Seat, step: int) -> None:
        """Steps 1 and 2: the Move Sun card of one team.  (JP-9.3, JP-9.4, JP-13)"""
        for owner, face in turned:
            if face.family is Family.SUN and TEAM_OF[owner] == team:
                self.move(owner, face, step, say.SUN_CITES[step, face.move])

    def resolve_planes(self, turned: Sequence[Turned], target: str, step: int) -> None:
        """Steps 3 and 4: Move Plane cards on the own, then the enemy plane.  (JP-9.5, 9.6)"""
        for owner, face in turned:
            if face.family is Family.PLANE and face.target == target:
                self.move(owner, face, step, say.PLANE_CITES[target, face.move])

    async def resolve_shots(self, turned: Sequence[Turned]) -> None:
        """Step 5: Shoot cards, all judged from the same positions.  (JP-9.7, JP-14)"""
        shooters = [t for t in turned if t.face.family is Family.SHOOT]
        if not shooters:
            return
        await self.count_short_decks(lambda: self.damage_due(shooters), say.MUST_SCRAP)
        for judged in [self.judge(*shooter) for shooter in shooters]:
            self.resolve_shot(judged)

    # -- Resolution Phase: 4. Cleanup (JP-10) ----------------------------------------------

    async def cleanup(self) -> None:
        """All cards leave the tracks; a team that Repaired turns to smoke.  (JP-10)"""
        position = self.position
        for team in TEAMS:
            if position.repairing(CREW_OF[team]) and not position.smoke[team]:
                position.smoke[team] = True
                self.rule(say.smoke(team), say.SMOKE, Flip(f"{team} Action Track", "smoke"),
                          by=team, headline=f"{team}: turn to smoke")  # fmt: skip
        tracks = {player: position.piles[player]["track"] for player in PLAYERS}
        carries = [
            position.piles[player].move(count, "track", "discard")
            for player, count in tracks.items()
            if count
        ]
        if carries:
            self.rule(say.cleaned(position, carries), say.CLEANUP, *carries,
                      headline="Clear both tracks")  # fmt: skip
        position.clear_round()
        position.round_number += 1

    # -- How to Win (JP-11) ----------------------------------------------------------------

    async def count_short_decks(self, due: Callable[[], Mapping[Seat, int]], must: str) -> None:
        """A Deck that cannot supply what must be taken is counted first.  (JP-11.4, RULING 10)"""
        piles = self.position.piles
        short = {p: n for p, n in due().items() if n > piles[p].counts["deck"]}
        if not short:
            return
        for player, count in short.items():
            text = say.short(player, must, count, piles[player]["deck"])
            self.rule(text, say.SHORT, by=player, headline=f"{player}: count the deck")
        asked = {player: self.ask.deck_counted(player) for player in short}
        await together(asked, check=still_legal(asked))

    def scrap(self, player: Seat, damage: int) -> Carry:
        """Damage: the top cards of the Deck go to the Scrap Pile.  (JP-14.3, JP-11.4)"""
        piles = self.position.piles[player]
        taken = min(damage, piles["deck"])
        if taken < damage:
            self.fall(TEAM_OF[player])
        self.position.dealt[player] = self.position.dealt.get(player, 0) + damage
        return piles.move(taken, "deck", "scrap")

    def fall(self, team: Seat) -> None:
        """A card had to be taken and was not there: the team is shot down.  (JP-11.1)"""
        if team not in self.position.down:
            self.position.down.append(team)

    async def check_point(self, place: str) -> None:
        """Losses are judged together at the end of a step.  (JP-11.5, JP-11.6, RULING 11)"""
        if not self.position.down:
            return
        ruling = self.say_result(place)
        winners = self.winners()
        await together({team: self.ask.agreed(team) for team in TEAMS})
        if not self.position.down:
            return
        if self.winners() != winners:
            ruling = self.say_result(place)
        if len(self.position.down) == len(TEAMS) and self.options["double_ko"] == "replay":
            self.rule(say.REPLAYED, say.BOTH_DOWN, *say.back_to_start(self.position),
                      headline="Play a new game")  # fmt: skip
            raise NewGame
        raise MatchOver(Outcome(self.winners(), ruling))

    def say_result(self, place: str) -> Ruling:
        """Check point, rule, team and final counts.  (JP-11, RULING 12)"""
        winners = self.winners()
        text = say.result(self.position, place, winners, str(self.options["double_ko"]))
        both = len(self.position.down) == len(TEAMS)
        headline = f"{winners[0]} win" if winners else "Draw: both down"
        by = winners[0] if winners else TABLE
        struck = tuple(PLANE_OF[team] for team in self.position.down)
        cite = say.BOTH_DOWN if both else say.DOWN
        return self.rule(text, cite, by=by, headline=headline, struck=struck)

    def winners(self) -> tuple[Seat, ...]:
        """Who is left flying; both down is a draw, or as the table has it.  (JP-11.6, RULING 12)"""
        down = self.position.down
        if len(down) < len(TEAMS):
            return tuple(team for team in TEAMS if team not in down)
        if self.options["double_ko"] != "most_cards":
            return ()
        left = {team: say.cards_left(self.position, team) for team in TEAMS}
        return tuple(team for team in TEAMS if left[team] > left[RIVAL_OF[team]])

    # -- Move Plane cards, Move Sun cards (JP-12, JP-13) -----------------------------------

    def move(self, owner: Seat, face: Face, step: int, cite: Cite) -> None:
        """A movement card takes its token along, or is blocked.  (JP-12.3 to 12.6, JP-13)"""
        team, position = TEAM_OF[owner], self.position
        piece, steps = token_and_steps(face, team, self.options)
        was = position.zones[piece]
        now = position.zones[piece] = steps[was]
        self.note_other_left(owner, face, was)
        text = say.moved(position.section, step, owner, face, piece, was, now)
        if was == now:
            self.rule(text, cite, by=owner, headline=f"{say.short_name(piece)} stays", step=step)
            return
        deed = Move(piece, say.pose(was), say.pose(now))
        headline = say.way(piece, was, now)
        self.rule(text, cite, deed, by=owner, headline=headline, step=step)

    def note_other_left(self, owner: Seat, face: Face, was: Zone) -> None:
        """Where hands would put the token that took the other player's left.  (JP-2.6)"""
        if face.move in OTHER_WAY:
            other = OTHER_WAY[face.move]
            piece, steps = token_and_steps(face, TEAM_OF[owner], self.options, other)
            self.position.other_left[piece] = steps[was]

    # -- Shoot cards (JP-14, JP-15) --------------------------------------------------------

    def judge(self, shooter: Seat, face: Face) -> Shot:
        """Hit or miss, from the positions as they stand in this step.  (JP-9.8, JP-20.1)"""
        return judge_shot(self.position, shooter, face, self.options)

    def damage_due(self, shooters: Sequence[Turned]) -> dict[Seat, int]:
        """What each player must scrap in this step."""
        due: dict[Seat, int] = {}
        for shooter in shooters:
            for player, damage in self.judge(*shooter).due.items():
                due[player] = due.get(player, 0) + damage
        return due

    def resolve_shot(self, shot: Shot) -> None:
        """Hit or miss; the receivers move cards from Deck to Scrap Pile.  (JP-14.1 to 14.5)"""
        carries = [self.scrap(player, damage) for player, damage in shot.due.items()]
        text = say.shot(self.position, shot, carries)
        cite = shots.cite_of(shot, self.position)
        if not shot.due:
            self.rule(text, cite, by=shot.shooter, headline=f"{shot.face.title} misses", step=5)
            return
        by = next(iter(shot.due)) if len(shot.due) == 1 else shot.victim
        headline = say.scrap(by, sum(carry.count for carry in carries))
        struck = (PLANE_OF[shot.victim],)
        self.rule(text, cite, *carries, by=by, headline=headline, step=5, struck=struck)

    # -- what the table reports, and what the camera sees ----------------------------------

    def report(self, fact: Mapping[str, Json]) -> Notice:
        return reports.report(self, fact)

    @classmethod
    def paragraphs(cls) -> Mapping[str, Paragraph]:
        return read_paragraphs(_PARAGRAPHS)

    def report_words(self) -> Mapping[str, Sequence[str]]:
        return {name: word.fields for name, word in reports.WORDS.items()}

    def compare(self, sighting: Sighting, lagging: Collection[Piece] = ()) -> list[Notice]:
        return comparing.compare(self.position, sighting, lagging)

    def rule(
        self,
        text: str,
        cite: Cite,
        *deeds: Deed,
        by: Seat = TABLE,
        headline: str = "",
        step: int | None = None,
        struck: tuple[Piece, ...] = (),
    ) -> Ruling:
        """Say a ruling, with the house rules that it depends on."""
        told = text + house_words(cite, self.options)
        return super().rule(told, cite, *deeds, by=by, headline=headline, step=step, struck=struck)

    def number(self, option: str) -> int:
        """An option that is a number."""
        value = self.options[option]
        assert isinstance(value, int), f"{option}: {value!r}"
        return value


def _zero_or_all_locked(said: Mapping[Seat | None, None]) -> bool:
    """Zero ends the phase; so does the word of all four.  (early_end, RULING 7)"""
    return None in said or len(said) == len(PLAYERS)


PROCEDURES: Mapping[str, Callable[[JawsAndPaws], Awaitable[None]]] = {
    "action": JawsAndPaws.action_phase,
    "lock": JawsAndPaws.lock,
    "draw": JawsAndPaws.discard_and_draw,
    "repair": JawsAndPaws.repair,
    **{f"section-{number}": JawsAndPaws.section for number in SECTIONS},
    "cleanup": JawsAndPaws.cleanup,
}
"""What happens at each stage of a round."""
