"""Phase 1, and the windows in which cards are played: two chapters.  (TS-101 to 111, TS-WIN)

Phase 1: a dogfight is announced, taken up or not, and PILOT cards are drawn.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.core.board import Pose
from companion.core.question import together, unless_alone
from companion.core.ruling import Cite, MatchOver, Move, Outcome, Seat
from companion.core.text import counted
from companion.games.talespin_dogfight import asks, maneuvers, seats
from companion.games.talespin_dogfight.asks import WindowWord
from companion.games.talespin_dogfight.boards import space_of
from companion.games.talespin_dogfight.figures import ASSUMED, WindowCard
from companion.games.talespin_dogfight.game import Game
from companion.games.talespin_dogfight.maneuvers import Effect, Maneuver
from companion.games.talespin_dogfight.position import Played
from companion.games.talespin_dogfight.steps import EXCHANGES, INSTEAD, OVER, SET_UP, WINDOWS
from companion.kit.figures import figures_in_words
from companion.kit.piles import own_pile

if TYPE_CHECKING:
    from companion.games.talespin_dogfight.figures import PilotCard
    from companion.games.talespin_dogfight.refusals import Said


# Windows, the cards played in them, and what they do.  (TS-WIN, RULING 1, 8)

_PLAYED = Cite.of("TS-WIN-01, TS-WIN-02, RULING 1")
_INSTEAD = Cite.of("TS-WIN-01, RULING 8")
_VALUE = Cite.of("TS-221, RULING 6")
_SKILL = Cite.of("TS-108, RULING 4")
_COUNTS = Cite.of("TS-304, RULING 13")
_NOBODY = Cite.of("TS-WIN-02, RULING 16")
_EFFECT = Cite.of("TS-WIN-02, RULING 1")
_LIMITED = Cite.of("TS-WIN-02, RULING 5")
_LEFT = Cite.of("RULING 19")
_REWARDED = Cite.of("TS-303, RULING 5")

FIRST_TO_ASK_EFFECTS = 2
"""In earlier matches an unwritten card that stood for a maneuver did nothing besides."""

# Phase 1.  (TS-101 to 111)

_FIGURES = Cite.of("TS-101, RULING 2, RULING 4")
_PLACED = Cite.of("TS-102, RULING 2")
_COUNTED = Cite.of("TS-108, RULING 4, RULING 5")
_PILOT = Cite.of("TS-101")
_NONE = Cite.of("TS-101, RULING 3")
_RANGE = Cite.of("TS-101, TS-313")
_OPPONENT = Cite.of("TS-102, RULING 2")
_DEFENDS = Cite.of("TS-105")
_DECLINED = Cite.of("TS-105, TS-312, RULING 10")


class Starting(Game):
    """Windows between all steps; phase 1, from the table's counts to the cards drawn by PILOT."""

    # -- one window at a time (TS-WIN, RULING 1) -----------------------------------------

    async def window(self) -> None:
        """The player whose window it is plays a card, or passes and it is closed.  (RULING 1)"""
        seat = self.position.due()
        if seat is None:
            self.position.spoken = ()
            self.go_on()
            return
        word = (
            await self.ask.window(seat) if self.position.count(seat, seats.HAND) else WindowWord()
        )
        if word.card is not None:
            await self.play_card(seat, word.card)
        elif word.nobody:
            self.close_moment()
        else:
            self.close_window(seat)
            if word.goes_on:
                await self.take_maneuver(word.said)

    @abstractmethod
    async def take_maneuver(self, said: Said | None) -> None:
        """A maneuver, or none, is told at once in place of a pass; rules.py has it."""

    def close_moment(self) -> None:
        """Nobody plays a card: the windows up to the next regular step close in their order."""
        while self.position.now.window:
            self.position.spoken = ()
            self.go_on()

    def close_window(self, seat: Seat) -> None:
        """It does not open again; of the others the next one has it.  (RULING 1, TS-WIN-03)"""
        if self.position.now.role == seats.OTHERS:
            self.position.spoken = (*self.position.spoken, seat)
            self.position.nth = 0
        else:
            self.go_on()

    async def play_card(self, seat: Seat, card: WindowCard) -> None:
        """A card of the hand is carried out, then discarded; the window stays open, mostly."""
        step = self.position.now
        self.position.nth += 1
        name = card.title or "a card"
        text = f"{self.who(seat)} plays {name} {WINDOWS[step.window]}."
        headline = self.ask.head(seat, "plays a card")
        carry = self.carry(seat, 1, seats.HAND, seats.IN_PLAY)
        self.rule(text, _PLAYED, carry, by=seat, headline=headline, quiet=True)
        result, value = await self.result_of(seat, card)
        if card.title or result == maneuvers.OTHER or self.setup.edition >= FIRST_TO_ASK_EFFECTS:
            await self.carry_out(seat, card)
        self.finish_card(seat)
        if self.position.now is step and result != maneuvers.OTHER:
            self.replace(seat, result, value)

    async def result_of(self, seat: Seat, card: WindowCard) -> tuple[str, int]:
        """What comes instead of the maneuver, from the table's file or as declared.  (RULING 8)"""
        if self.position.now.window != INSTEAD:
            return maneuvers.OTHER, 0
        if card.title:
            return card.result, card.value
        result = await self.ask.result(seat)
        return result, await self.ask.value(seat) if result == maneuvers.VALUE else 0

    # -- instead of a maneuver (RULING 8) --------------------------------------------------

    def replace(self, seat: Seat, result: str, value: int) -> None:
        """The maneuver of this exchange is not asked for any more."""
        if result == maneuvers.ATTACKER_WINS:
            self.decide(seats.ATTACKER, _INSTEAD)
        elif result == maneuvers.DEFENDER_WINS:
            self.decide(seats.DEFENDER, _INSTEAD)
        elif result == maneuvers.NO_WINNER:
            self.end_without_winner()
        elif result == maneuvers.VALUE and self.position.now.role == seats.ATTACKER:
            self.stand_in(seat, value)
        else:
            self.pass_exchange(seat, result, value)

    def stand_in(self, seat: Seat, value: int) -> None:
        """The attacker's card has to be answered like a maneuver of that value."""
        number = self.position.now.exchange
        self.position.standing = value
        text = f"{self.who(seat)}'s card stands for a maneuver of {value}."
        cite = Cite.of(f"{self.position.now.rule}, RULING 8")
        self.rule(text, cite, by=seat, headline=self.ask.head(seat, f"attack {value}"), quiet=True)
        self.go(f"instead-answer-{number}")

    def pass_exchange(self, seat: Seat, result: str, value: int) -> None:
        """Met by a card, or not attacked at all: on to the next exchange."""
        number = self.position.now.exchange
        how = {
            maneuvers.MET: f"The attack of exchange {number} is met by {self.who(seat)}'s card.",
            maneuvers.VALUE: f"{self.who(seat)}'s card, worth {value}, meets the attack.",
            maneuvers.SKIP: f"Exchange {number} has no attack; it needs no answer.",
        }
        words = "no attack" if result == maneuvers.SKIP else "card holds"
        self.rule(how[result], _INSTEAD, by=seat, headline=self.ask.head(seat, words), quiet=True)
        self.next_exchange()

    def next_exchange(self) -> None:
        """The next attack, or, after the third, the defender has won.  (TS-212)"""
        number = self.position.now.exchange
        self.position.standing = 0
        if number < EXCHANGES:
            self.go(f"instead-attack-{number + 1}")
        else:
            self.decide(seats.DEFENDER, Cite.of("TS-212"))

    # -- who has won -----------------------------------------------------------------------

    def decide(self, side: str, cite: Cite) -> None:
        """Phase 3a or 3b begins.  (TS-301, TS-321)"""
        position = self.position
        seat = position.seat_of(side)
        position.winner, position.standing = side, 0
        text = f"{self.who(seat)}, the {side}, wins the dogfight."
        self.rule(text, cite, by=seat, headline=self.ask.head(seat, "wins"), quiet=True)
        self.go("won-attacker" if side == seats.ATTACKER else "lost-attacker")

    def end_without_winner(self) -> None:
        """The windows at the end and the clean-up are all that is left.  (RULING 16)"""
        self.position.winner, self.position.standing = seats.NOBODY, 0
        text = "The dogfight ends without a winner."
        self.rule(text, _NOBODY, headline="No winner", quiet=True)
        self.go("end-attacker")

    # -- leaving the table (RULING 19) -----------------------------------------------------

    def leave(self, seat: Seat) -> bool:
        """A player leaves; whether what is being asked ends with that.  (RULING 19)

        MatchOver where the dogfight is still to be set up and nobody is left to fight.
        """
        position = self.position
        position.left = (*position.left, seat)
        piles = [
            pile for pile in (seats.HAND, seats.PACKED, seats.OPEN) if position.count(seat, pile)
        ]
        deeds = [self.discard(seat, position.count(seat, pile), pile) for pile in piles]
        cards = ": hand and cargo are discarded" if deeds else ""
        headline = self.ask.head(seat, "has left")
        text = f"{self.who(seat)} has left the table{cards}."
        said = self.rule(text, _LEFT, *deeds, by=seat, headline=headline)
        if position.step == SET_UP:
            if len(position.present()) < seats.FEWEST:
                raise MatchOver(Outcome((), said))
            return False
        if position.step in ("announce", "opponent"):
            return self._leave_before(seat)
        if position.role_of(seat) and not position.winner:
            self._break_off_card()
            if not position.played[0].shown:  # as where the defender declines (RULING 10)
                position.played[0].shown = self.options["declined_first_maneuver"] == "counts"
            self.decide(seats.DEFENDER if seat == position.attacker else seats.ATTACKER, _LEFT)
            return True
        concerned = {position.due(), position.defender if position.step == "damage" else None}
        return position.step != "clean-up" and seat in concerned and self._break_off_card()

    def _leave_before(self, seat: Seat) -> bool:
        """Without an attacker, or anybody to attack, there is no dogfight."""
        position = self.position
        if seat != position.attacker and position.opponents():
            return position.step == "announce"
        count = position.count(position.attacker, seats.MANEUVERS)
        deeds = [self.discard(position.attacker, count, seats.MANEUVERS)] if count else []
        self.rule("There is no dogfight.", _LEFT, *deeds, headline="no dogfight")
        position.clear()
        self.go(OVER)
        return True

    def _break_off_card(self) -> bool:
        """The card that is being carried out is discarded; what it would still do is not done."""
        seat = self.position.due()
        if seat is not None:
            self.finish_card(seat)
        return True

    # -- what cards do ---------------------------------------------------------------------

    async def carry_out(self, seat: Seat, card: WindowCard) -> None:
        """The operations of a card: those of the table's file, or those declared.

        In a match of edition 1 the attacker's did nothing at an end without a winner.
        """
        at_end = self.position.winner == seats.NOBODY and self.position.step == "end-attacker"
        if at_end and self.setup.edition == 1:
            return
        if card.title:
            await self.carry_out_written(seat, card.effects)
        else:
            await self.carry_out_declared(seat)

    async def carry_out_written(self, seat: Seat, effects: Sequence[Effect]) -> None:
        """Each operation of the table's file; the end of the dogfight comes after the others."""
        numbered = enumerate(effects, 1)
        for number, effect in sorted(numbered, key=lambda one: one[1].does == maneuvers.NO_WINNER):
            await self.do_effect(seat, effect, number)

    async def carry_out_declared(self, seat: Seat) -> None:
        """What the table tells, operation by operation, until nothing more is to be recorded.

        A card that ends the dogfight leads to another step: that is the last of it.  (RULING 16)
        """
        step, number = self.position.step, 1
        while (
            self.position.step == step and (told := await self.ask.effect(seat, number)) is not None
        ):
            does, name = told
            if does in maneuvers.OF_A_PLAYER:
                amount = await self.ask.amount(seat, Effect(does), number)
                self.do_to_player(Seat(name), does, amount)
            elif does == maneuvers.NO_WINNER:
                self.end_without_winner()
            else:
                named = (one for one in self.ask.open_to(does) if one.name == name)
                self.do_to_maneuver(next(named, None), does)
            number += 1

    async def do_effect(self, seat: Seat, effect: Effect, number: int) -> None:
        """One operation of a card or reward that is written down."""
        if effect.does in maneuvers.OF_A_PLAYER:
            whom = seat if effect.who == maneuvers.SELF else self.opponent_of(seat)
            self.do_to_player(whom, effect.does, effect.count)
        elif effect.does == maneuvers.NO_WINNER:
            if not self.position.winner:
                self.end_without_winner()
        elif self.ask.open_to(effect.does):
            which = await self.ask.which(seat, effect.does, number)
            self.do_to_maneuver(which, effect.does)

    def opponent_of(self, seat: Seat) -> Seat:
        """The other one of the two who fight; to one of the others it is the attacker."""
        position = self.position
        return position.defender if seat == position.attacker else position.attacker

    def do_to_player(self, seat: Seat, does: str, count: int) -> None:
        """Cards drawn or discarded; maneuvers or PILOT worth more or less."""
        if does == maneuvers.DRAW_CARDS:
            cite = _REWARDED if self.position.step == "reward" else _LIMITED
            self.draw_cards(seat, count, cite)
        elif does == maneuvers.DISCARD_CARDS:
            self.lose_cards(seat, count)
        elif does == maneuvers.PILOT:
            self.add_skill(seat, count)
        else:
            self.add_value(seat, {maneuvers.RAISE: count, maneuvers.LOWER: -count}[does])

    def lose_cards(self, seat: Seat, count: int) -> None:
        """As many cards of the hand as there are."""
        due = min(count, self.position.count(seat, seats.HAND))
        text = f"{self.who(seat)} discards {counted(due, 'card')} of the hand."
        deeds = [self.discard(seat, due)] if due else []
        self.rule(text, _EFFECT, *deeds, by=seat, headline=self.ask.head(seat, f"discard {due}"))

    def add_skill(self, seat: Seat, count: int) -> None:
        """PILOT counts more in this dogfight.  (RULING 4)"""
        player = self.player(seat)
        player.pilot_bonus = min(player.pilot_bonus + count, maneuvers.MOST)
        text = f"{self.who(seat)} draws by PILOT {self.position.skill(seat)} in this dogfight."
        headline = self.ask.head(seat, f"PILOT +{count}")
        self.rule(text, _SKILL, by=seat, headline=headline, quiet=True)

    def add_value(self, seat: Seat, count: int) -> None:
        """Maneuvers are worth more or less in this dogfight, within 1 and 13.  (RULING 6)"""
        player = self.player(seat)
        player.value_bonus = max(-maneuvers.MOST, min(maneuvers.MOST, player.value_bonus + count))
        way = f"{abs(count)} {'more' if count > 0 else 'less'}"
        text = f"{self.who(seat)}'s maneuvers are worth {way} in this dogfight."
        self.rule(text, _VALUE, by=seat, headline=self.ask.head(seat, way), quiet=True)

    def do_to_maneuver(self, one: Played | None, does: str) -> None:
        """A played maneuver loses its effects, or leaves the table and still counts.  (R13)"""
        if one is None:
            return
        if does == maneuvers.CANCEL:
            one.cancelled = True
            text = f"{one.maneuver} brings neither Damage nor Draw."
            self.rule(
                text,
                _COUNTS,
                by=one.seat,
                headline=self.ask.head(one.seat, "cancelled"),
                quiet=True,
            )
        elif one.source != maneuvers.FROM_PLAYER and does == maneuvers.REMOVE:
            carry = self.lift(one, seats.DISCARD)
            text = f"{one.maneuver} leaves the table; it was played, and its effects count."
            self.rule(
                text, _COUNTS, carry, by=one.seat, headline=self.ask.head(one.seat, "off the table")
            )

    # -- set-up ----------------------------------------------------------------------------

    async def set_up(self) -> None:
        """What the record has to know is told by the table: places, skills, counts."""
        left = len(ASSUMED) - len(self.table.confirmed)
        text = figures_in_words(
            self.table.name, own=bool(self.setup.cards), left=left, of=len(ASSUMED)
        )
        self.rule(text, _FIGURES, headline="figures of this table", quiet=True)
        self.position.on_turn = await self.ask.on_turn()
        for seat in self.position.players:
            if seat not in self.position.left:
                await self.tell_place(seat)
        await self.tell_skills()
        await self.tell_counts()
        self.go_on()

    async def tell_place(self, seat: Seat) -> None:
        """Where a plane stands on the ring.  (RULING 2)"""
        place = await self.ask.place(seat)
        if seat in self.position.left:
            return
        self.player(seat).place = place
        text = f"{self.who(seat)}'s plane is on location {place}."
        move = Move(seats.TOKENS[seat], None, Pose(space_of(place)))
        self.rule(text, _PLACED, move, by=seat, headline=self.ask.head(seat, f"on {place}"),
                  quiet=True)  # fmt: skip

    async def tell_skills(self) -> None:
        """PILOT and RANGE of each, Passengers included.  (RULING 2, RULING 4)"""
        for name in asks.SKILLS:
            told = await together({s: self.ask.skill(s, name) for s in self.position.present()})
            for seat, number in told.items():
                setattr(self.player(seat), name, number)

    async def tell_counts(self) -> None:
        """Hands, cargo and the two piles; what the cards are is nobody's business.  (RULING 5)"""
        piles = self.position.piles
        for pile in asks.CARDS:
            told = await together({s: self.ask.cards(s, pile) for s in self.position.present()})
            for seat, count in told.items():
                piles[own_pile(seat, pile)] = 0 if seat in self.position.left else count
        common = await together({pile: self.ask.pile(pile) for pile in (seats.DRAW, seats.DISCARD)})
        for pile, count in common.items():
            piles[pile] = count
        text = f"{piles.total} cards are counted at this table."
        self.rule(text, _COUNTED, headline="cards counted", quiet=True)

    # -- TS-101, TS-102 --------------------------------------------------------------------

    async def announce(self) -> None:
        """By a Pilot card of the hand, or by the Player card's RANGE.  (TS-101)"""
        seat = self.position.attacker
        nobody = seat in self.position.left or not self.position.opponents()
        how = asks.NO_DOGFIGHT if nobody else await unless_alone(self.ask.announce())
        if how == asks.NO_DOGFIGHT:
            text = f"{self.who(seat)} starts no dogfight."
            self.rule(text, _NONE, by=seat, headline=self.ask.head(seat, "no dogfight"))
            self.go(OVER)
        elif how == maneuvers.BY_RANGE:
            await self.announce_range()
        else:
            await self.announce_pilot(how)

    async def announce_pilot(self, title: str) -> None:
        """The Pilot card leaves the hand; its maneuver will be the first.  (TS-101)"""
        position, seat = self.position, self.position.attacker
        card = self.table.pilots.get(title)
        pilot, maneuver = await self._pilot_card(seat, card)
        position.start, position.card, position.pilot = maneuvers.BY_PILOT, maneuver.title, pilot
        position.played = [Played(seat, 1, maneuver, maneuvers.FROM_PILOT, shown=False)]
        mark = self.table.assumed(f"pilots.{title}") if card is not None else ""
        text = f"{self.who(seat)} starts a dogfight by {maneuver.title}, PILOT {pilot}{mark}."
        carry = self.carry(seat, 1, seats.HAND, seats.MANEUVERS)
        self.rule(text, _PILOT, carry, by=seat, headline=self.ask.head(seat, "by Pilot card"),
                  quiet=True)  # fmt: skip
        self.go("opponent")

    async def _pilot_card(self, seat: Seat, card: PilotCard | None) -> tuple[int, Maneuver]:
        """PILOT and maneuver from the table's file, or read off the card.  (RULING 4)"""
        if card is not None:
            return card.pilot, card.maneuver
        pilot = await self.ask.printed(seat, "pilot")
        return pilot, await self.typed(seat, "a Pilot card")

    async def typed(self, seat: Seat, title: str) -> Maneuver:
        """A maneuver that is read off a card on the table.  (RULING 6)"""
        value = await self.ask.printed(seat, "value")
        damage = await self.ask.printed(seat, "damage")
        return Maneuver(title, value, damage, await self.ask.printed(seat, "draw"))

    async def announce_range(self) -> None:
        """The Player card starts it and stays where it is.  (TS-101, TS-313)"""
        position, seat = self.position, self.position.attacker
        maneuver = await self._player_card(seat)
        position.start, position.card = maneuvers.BY_RANGE, maneuver.title
        position.played = [Played(seat, 1, maneuver, maneuvers.FROM_PLAYER, shown=False)]
        text = f"{self.who(seat)} starts a dogfight by RANGE {self.player(seat).range}."
        self.rule(text, _RANGE, by=seat, headline=self.ask.head(seat, "by RANGE"), quiet=True)
        self.go("opponent")

    async def _player_card(self, seat: Seat) -> Maneuver:
        """The maneuver of the Player card, as written down or read off.  (RULING 6)"""
        title = self.player(seat).character
        if title not in self.table.characters:
            title = await unless_alone(self.ask.character(seat))
        if title == asks.TYPED:
            return await self.typed(seat, "the Player card")
        self.player(seat).character = title
        return self.table.characters[title].maneuver

    async def opponent(self) -> None:
        """Anybody by a Pilot card; by RANGE who is near enough.  (TS-102, RULING 2)"""
        position = self.position
        position.rival = await unless_alone(self.ask.opponent())
        text = f"{self.who(position.attacker)} attacks {self.who(position.rival)}."
        headline = self.ask.head(position.rival, "is attacked")
        self.rule(text, _OPPONENT, by=position.rival, headline=headline, quiet=True)
        self.go_on()

    # -- TS-105 to TS-109 ------------------------------------------------------------------

    async def defend(self) -> None:
        """If the defender does not, the attacker has won at once.  (TS-105)"""
        position = self.position
        seat = position.defender
        position.defended = await self.ask.defend() == asks.DEFEND
        if position.defended:
            text = f"{self.who(seat)} defends."
            self.rule(text, _DEFENDS, by=seat, headline=self.ask.head(seat, "defends"), quiet=True)
            self.go("before-attacker")
            return
        counts = self.options["declined_first_maneuver"] == "counts"
        position.played[0].shown = counts
        what = "counts" if counts else "does not count"
        text = f"{self.who(seat)} does not defend; the first maneuver {what}."
        self.rule(text, _DECLINED, by=seat, headline=self.ask.head(seat, "declines"), quiet=True)
        self.decide(seats.ATTACKER, _DEFENDS)

    async def draw_by_pilot(self) -> None:
        """As many cards as the PILOT skill says.  (TS-108, TS-109, RULING 4, RULING 5)"""
        now = self.position.now
        seat = self.position.seat_of(now.role)
        cite = Cite.of(f"{now.rule}, RULING 4")
        self.draw_cards(seat, self.position.skill(seat), cite)
        self.go_on()
