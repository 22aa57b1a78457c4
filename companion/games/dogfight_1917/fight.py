"""Attacks: Evasion, Basic and Special Attacks, and what pilots add.  (DF-11, DF-13, DF-14)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from companion.core.question import Option
from companion.core.ruling import Cite, Level, Notice, Seat
from companion.core.text import counted
from companion.games.dogfight_1917.asks import NO_EVASION, Throw
from companion.games.dogfight_1917.cards import (
    COPIES,
    FONCK,
    LOEWENHARDT,
    MACLAREN,
    MENTOR,
    RICHTHOFEN,
    Evasion,
    Result,
    SpecialAttack,
    dice_words,
)
from companion.games.dogfight_1917.flying import Flying
from companion.games.dogfight_1917.game import successes
from companion.games.dogfight_1917.moves import HIDDEN, Aim, is_first_on_line

if TYPE_CHECKING:
    from companion.games.dogfight_1917.position import Player


@dataclass(frozen=True, slots=True)
class Shot:
    """One attack as it is about to be rolled.

    `why` says how the number of dice comes about; `spaces` is the range of a Basic Attack, on which
    more than its aim hangs; `note` is appended to a Difficulty that is an assumed figure.
    """

    name: str
    cite: Cite
    dice: int
    difficulty: int
    why: str
    spaces: int = 0
    multiplier: int = 1
    effect: str = "damage"
    dead_six_from: int = 0
    is_basic: bool = False
    note: str = ""


FIRST_TO_WEIGH_EVASIONS = 3
"""Matches of earlier editions ask about a reroll wherever a die fails or may bring Dead Six."""

NO_MEANS = "pass without means"

_EVASION = Cite.of("DF-13.1, DF-13.2, RULING 11")
_REMOVED = Cite.of("DF-13.3")
_BARON = Cite.of("DF-18.1.A")
_HEART = Cite.of("DF-18.3.A, RULING 26")
_BEAST = Cite.of("DF-18.3.B, RULING 25")
_SUSPECT = Cite.of("DF-1.2, DF-4.2")

BASIC_ATTACK = "Basic Attack"

_BASIC = Cite.of("DF-11.3, RULING 2")
_DAMAGE = Cite.of("DF-11.5")
_PAID = Cite.of("DF-14.1")
_MULTIPLIED = Cite.of("DF-14.4")
_SECOND_GUNS = Cite((), (24,))
_EVADER = Cite.of("DF-13.4, RULING 29")
_PURSUER = Cite.of("DF-18.2.A")
_SHARPSHOOTER = Cite.of("DF-18.4.A")
_ACE = Cite.of("DF-18.4.B")
_MENTOR = Cite.of("DF-18.5.A, DF-18.5.B")
_PLACED = Cite((), (27,))
_LEWIS = Cite.of("DF-17.2.S2, RULING 22")
_BASE = "2 for a Basic Attack"


class Fighting(Flying):
    """Attacks, from the naming of a target to the last move, and the target's evasion."""

    # -- the target's evasion (DF-13) ------------------------------------------------------

    async def evasion(self, target: Seat, shot: Shot) -> bool:
        """The target may try once; whether it moves when the attack is over.  (DF-13)

        Who has neither card nor tokens for it is not asked; with one means at least the question
        is always the same, whatever the Hand holds.
        """
        said = NO_MEANS
        if len(self.evasion_options(target)) > 1:
            said = await self.ask.evade(
                target, self.evasion_prompt(target), lambda: self.evasion_options(target), _EVASION,
                lambda name: self.word_before_evasion(target, name),
            )  # fmt: skip
        if said in (NO_EVASION, NO_MEANS):
            await self.heart_of_iron(target, with_means=said == NO_EVASION)
            return False
        return await self.evade(target, self.fighter(target).evasions[said], shot)

    def evasion_prompt(self, target: Seat) -> str:
        """Who may evade whose attack, and what lies on the Gunsight."""
        attacker, dice = self.who(self.position.active), dice_words(self.position.gunsight)
        lie = f"{dice} {'lies' if self.position.gunsight == 1 else 'lie'} on the Gunsight"
        return f"{self.who(target)}: {attacker} attacks you, and {lie}. Do you evade?"

    def evasion_options(self, target: Seat) -> list[Option[str]]:
        """By type only: whatever the Hand may hold.  (DF-13.2, RULING 11, RULING 26)"""
        player = self.player(target)
        passes = [Option(NO_EVASION, NO_EVASION, "Do not evade", sign="end")]
        means = [
            Option(evasion.name, evasion.name, _means_label(evasion))
            for evasion in self.fighter(target).evasions.values()
            if (player.tokens >= evasion.tokens if evasion.is_special else player.piles["hand"])
        ]
        needs_means = self.options["heart_of_iron_needs_means"] is True
        if means and needs_means and player.is_pilot(LOEWENHARDT, "A"):
            passes.append(Option(NO_MEANS, NO_MEANS, "I cannot evade"))
        asks_always = self.setup.edition == 1 or self.options["evade_on_empty_gunsight"] is True
        if not self.position.gunsight and not asks_always:
            return passes
        return [*passes, *means]

    def word_before_evasion(self, target: Seat, name: str) -> Notice | None:
        """A doubt about an Evasion Card that can be in no Hand any more.  (DF-1.2)"""
        return self.doubt_about(target, name) if name in COPIES else None

    def doubt_about(self, seat: Seat, card: str) -> Notice | None:
        """All copies of a card lie where everybody saw them: it cannot be played.  (DF-E17)"""
        copies = COPIES[card]
        if self.player(seat).piles.seen("discard", "box", "played")[card] < copies:
            return None
        text = f"All {copies} copies of {card} have been seen outside {self.who(seat)}'s Hand."
        return Notice("DF-E17", text, _SUSPECT, Level.WARN, "Go on only if it lies there.")

    # -- one try (DF-13.2 to DF-13.6) ------------------------------------------------------

    async def evade(self, target: Seat, evasion: Evasion, shot: Shot) -> bool:
        """Play the card or pay; roll; dice leave the Gunsight.  (DF-13.2 to DF-13.6)"""
        self.use_evasion(target, evasion)
        throw = self.evasion_throw(target, evasion, shot)
        dice = await self.roll(throw)
        self.remove_dice(target, dice, throw)
        if self.player(target).is_pilot(RICHTHOFEN) and min(dice) >= throw.passes:
            self.earn(target, 1, _BARON, "every die of the evasion succeeded")
        moves = await self.evasion_results(target, evasion, dice)
        self.discard_played(target)
        return moves

    def use_evasion(self, target: Seat, evasion: Evasion) -> None:
        """A card is played, or tokens are paid before the roll.  (DF-13.2, DF-14.1)"""
        if evasion.is_special:
            self.pay(target, evasion.tokens)
            price = counted(evasion.tokens, "token")
            text = f"{self.who(target)} pays {price} and evades with the {evasion.name}."
            self.rule(text, evasion.cite.also(Cite.of("DF-14.1")), by=target,
                      headline=self.ask.head(target, f"pay {price}"))  # fmt: skip
            return
        carry = self.play_card(target, evasion.name)
        text = f"{self.who(target)} evades with the {evasion.name}."
        self.rule(text, evasion.cite, carry, by=target,
                  headline=self.ask.head(target, evasion.name))  # fmt: skip

    def evasion_throw(self, target: Seat, evasion: Evasion, shot: Shot) -> Throw:
        """How many dice against what; Smiling Beast on Special Actions.  (DF-13.3, DF-18.3.B)"""
        beast = evasion.is_special and self.has_smiling_beast(target)
        difficulty = max(1, evasion.difficulty - beast)
        note = self.lost_figures(evasion, "dice", "difficulty")
        return Throw(
            "evasion", target, evasion.dice + beast,
            evasion.cite.also(_BEAST) if beast else evasion.cite, f"the {evasion.name}",
            passes=difficulty, against=f"Difficulty {difficulty}{note}",
            why=f"{evasion.dice} for {evasion.name}, 1 for Smiling Beast" if beast else "",
            is_done=partial(self.evades_best, target, evasion, shot, difficulty),
        )  # fmt: skip

    def evades_best(
        self, target: Seat, evasion: Evasion, shot: Shot, difficulty: int, dice: tuple[int, ...]
    ) -> bool:
        """Whether no other dice could bring anything that the evader may want.  (RULING 13)"""
        if self.setup.edition < FIRST_TO_WEIGH_EVASIONS:
            return min(dice) >= difficulty and self.brings_all(target, evasion, dice)
        least = self.harm(target, shot, removed=len(dice))
        crashes = shot.effect == "damage" and least > self.player(target).piles["deck"]
        if crashes and target not in self.returning:
            return True
        if self.harm(target, shot, removed=successes(dice, difficulty)) > least:
            return False
        if self.player(target).is_pilot(RICHTHOFEN) and min(dice) < difficulty:
            return False
        moves = not crashes and self.may_fly_dead_six(target, shot)
        return self.brings_all(target, evasion, dice, moves=moves)

    def harm(self, target: Seat, shot: Shot, *, removed: int) -> int:
        """How many cards the attack still costs if so many dice leave the Gunsight.

        One more than the Deck holds stands for any number that shoots down.  (DF-12.2, DF-14.4)
        """
        left, piles = max(0, self.position.gunsight - removed), self.player(target).piles
        if shot.effect == "discard":
            return min(left, piles["hand"])
        return min(left * shot.multiplier, piles["deck"] + 1)

    def may_fly_dead_six(self, target: Seat, shot: Shot) -> bool:
        """Whether a Dead Six by evading can move the Fighter.  (DF-13.4, DF-13.5, RULING 9)

        After a Basic Attack, and after one that brings a Dead Six itself, the attacker moves first.
        """
        if shot.is_basic or shot.dead_six_from:
            return True
        places = self.rear_places(target, self.position.active)
        return any(place != self.player(target).at for place in places)

    def brings_all(
        self, target: Seat, evasion: Evasion, dice: Sequence[int], *, moves: bool = True
    ) -> bool:
        """Whether nobody wants other dice for what the evasion brings besides: tokens, damage.

        A Dead Six that `moves` the Fighter may be wanted, and it may be feared.
        """
        lower = self.beast_threshold(target, evasion)
        return all(
            not moves
            if result.effect == "dead six"
            else _happens(result, dice, lower) == (result.effect != "damage")
            for result in evasion.results
        )

    def lost_figures(self, evasion: Evasion, *figures: str) -> str:
        """What a ruling owes to the Albatros's dive, of which only traces are printed."""
        if 23 not in evasion.cite.rulings:
            return ""
        return self.table.assumed(*(f"albatros_evasive_dive.{figure}" for figure in figures))

    def remove_dice(self, target: Seat, dice: tuple[int, ...], throw: Throw) -> None:
        """Each success takes one die off the Gunsight, never below none.  (DF-13.3)"""
        removed = min(self.position.gunsight, successes(dice, throw.passes))
        self.position.gunsight -= removed
        rolled = ", ".join(str(die) for die in dice)
        left = dice_words(self.position.gunsight)
        text = (f"{self.who(target)} rolled {rolled} against {throw.against}: "
                f"{dice_words(removed)} removed, {left} left on the Gunsight.")  # fmt: skip
        self.rule(text, throw.cite.also(_REMOVED), by=target,
                  headline=self.ask.head(target, f"{left} left"))  # fmt: skip

    # -- what it brings besides (DF-13.4 to DF-13.6) ---------------------------------------

    async def evasion_results(self, target: Seat, evasion: Evasion, dice: tuple[int, ...]) -> bool:
        """Tokens and self-damage at once, Dead Six remembered.  (DF-13.6, RULING 12)"""
        lower = self.beast_threshold(target, evasion)
        due = [result.effect for result in evasion.results if _happens(result, dice, lower)]
        if "token" in due:
            note = self.lost_figures(evasion, "token_at_least")
            self.earn(target, 1, evasion.cite, f"the {evasion.name} brought it{note}")
        if "damage" in due:
            await self.take_damage(target, 1, evasion.cite.also(Cite.of("DF-12.4")))
        if "dead six" not in due:
            return False
        text = f"{self.who(target)} has earned Dead Six: it is flown when the attack is over."
        self.rule(text, evasion.cite.also(Cite.of("DF-13.4")), by=target,
                  headline=self.ask.head(target, "Dead Six later"))  # fmt: skip
        return True

    def has_smiling_beast(self, seat: Seat) -> bool:
        """Loewenhardt's B side: Difficulty 1 lower, 1 die more.  (DF-18.3.B)"""
        return self.player(seat).is_pilot(LOEWENHARDT, "B")

    def beast_threshold(self, target: Seat, evasion: Evasion) -> int:
        """By house rule Smiling Beast lowers these numbers too.  (RULING 25)"""
        by_house = self.options["smiling_beast_thresholds"] is True
        return int(by_house and evasion.is_special and self.has_smiling_beast(target))

    async def heart_of_iron(self, target: Seat, *, with_means: bool) -> None:
        """Loewenhardt did not evade: on 3 or more a token.  (DF-18.3.A, RULING 26)"""
        needs_means = self.options["heart_of_iron_needs_means"] is True
        if not self.player(target).is_pilot(LOEWENHARDT, "A") or (needs_means and not with_means):
            return
        throw = Throw("heart-of-iron", target, 1, _HEART, "Heart of Iron", passes=3,
                      against="3+: 1 token", brings="On 3 or more you take 1 token.")  # fmt: skip
        (die,) = await self.roll(throw)
        if die >= 3:
            self.earn(target, 1, _HEART, f"the die for Heart of Iron shows {die}")
        else:
            text = f"{self.who(target)} rolled {die} for Heart of Iron: no token."
            self.rule(text, _HEART, by=target,
                      headline=self.ask.head(target, f"{die}: no token"))  # fmt: skip

    # -- what may be attacked (DF-11.1, DF-11.2, DF-14.3) ----------------------------------

    def basic_aim(self, seat: Seat) -> Aim:
        """Range and direction of a Basic Attack.  (DF-11.1, DF-11.2, DF-18.4.B)"""
        if self.player(seat).is_pilot(FONCK, "B"):
            return Aim(1, 1, from_rear=False)
        return Aim(1, max(self.table.difficulty), from_rear=True)

    def aim_of(self, attack: SpecialAttack) -> Aim:
        """Exactly on the line, from any side.  (DF-14.3)"""
        return Aim(attack.nearest, attack.farthest, from_rear=False)

    def miss(self, seat: Seat, target: Player, aim: Aim) -> str:
        """Why a target cannot be attacked; empty where it can.  (DF-11.8, RULING 4)"""
        attacker = self.player(seat).at
        missed = aim.miss(attacker, target.at)
        if missed or self.options["intervening_fighter_blocks"] is False:
            return missed
        others = (p for p in self.position.flying() if p.seat != seat)
        return "" if is_first_on_line(attacker, target, others) else HIDDEN

    def in_reach(self, seat: Seat, aim: Aim) -> list[Player]:
        """All that a seat may attack so.  (DF-19.3)"""
        return [target for target in self.targets(seat) if not self.miss(seat, target, aim)]

    # -- Basic Attack (DF-11) --------------------------------------------------------------

    async def basic_attack(self, target: Seat) -> None:
        """Fire, evasion, Damage, Momentum.  (DF-11)"""
        seat = self.position.active
        more = await self.sharpshooter(seat) if self.player(seat).is_pilot(FONCK, "A") else 0
        await self.attack(seat, target, self.with_more(self.basic_shot(seat, target), more))

    def basic_shot(self, seat: Seat, target: Seat) -> Shot:
        """Dice and Difficulty by range and pilot.  (DF-11.3, DF-18.2.A, DF-18.4.B, DF-18.5)"""
        player = self.player(seat)
        spaces = player.at.hex.distance(self.player(target).at.hex)
        if player.is_pilot(FONCK, "B"):
            return Shot(BASIC_ATTACK, _ACE, 2, 3, "2 for Ace of Aces", spaces, is_basic=True)
        farthest = max(self.table.difficulty)  # an arbiter may have moved the target meanwhile
        difficulty = self.table.difficulty[min(max(spaces, 1), farthest)]
        note = self.table.assumed("basic_attack.difficulty_range_1") if spaces == 1 else ""
        shot = Shot(BASIC_ATTACK, _BASIC, 2, difficulty, _BASE, spaces, is_basic=True, note=note)
        if player.is_pilot(MENTOR):
            why = f"{_BASE}, 1 for the Pilot Mentor"
            shot = replace(shot, dice=3, why=why, cite=_BASIC.also(_MENTOR))
        if player.is_pilot(MACLAREN, "A"):
            lower = max(1, difficulty - 1)
            shot = replace(shot, difficulty=lower, cite=_BASIC.also(_PURSUER))
        return shot

    async def sharpshooter(self, seat: Seat) -> int:
        """Fonck rolls first; on 5 or more he fires two dice more.  (DF-18.4.A)"""
        throw = Throw("sharpshooter", seat, 1, _SHARPSHOOTER, "Aerial Sharpshooter",
                      passes=5, against="5+: 2 more dice",
                      brings="On 5 or more you fire 2 more dice.")  # fmt: skip
        (die,) = await self.roll(throw)
        more = 2 if die >= 5 else 0
        words = f"{more or 'no'} more dice"
        text = f"{self.who(seat)} rolled {die} for Aerial Sharpshooter: {words}."
        self.rule(text, _SHARPSHOOTER, by=seat, headline=self.ask.head(seat, words))
        return more

    def with_more(self, shot: Shot, more: int) -> Shot:
        """The same attack with the dice that Aerial Sharpshooter adds.  (DF-18.4.A)"""
        if not more:
            return shot
        why = f"{_BASE}, {more} for Aerial Sharpshooter"
        return replace(shot, dice=shot.dice + more, why=why, cite=shot.cite.also(_SHARPSHOOTER))

    # -- Special Attack (DF-14.3 to DF-14.7) -----------------------------------------------

    async def special_attack(self, attack: SpecialAttack, target: Seat) -> None:
        """Pay, fire, evasion, Damage; no Momentum.  (DF-14.1, DF-14.4, DF-14.5)"""
        seat = self.position.active
        self.pay(seat, attack.tokens)
        price = counted(attack.tokens, "token")
        text = f"{self.who(seat)} pays {price} for {attack.name}{self.lost_range(attack)}."
        self.rule(text, attack.cite.also(_PAID), by=seat,
                  headline=self.ask.head(seat, f"pay {price}"))  # fmt: skip
        await self.attack(seat, target, self.special_shot(seat, attack))

    def lost_range(self, attack: SpecialAttack) -> str:
        """What is said of a range that is an assumed figure; empty for any other."""
        note = self.table.assumed(attack.assumed) if attack.assumed else ""
        return f", range {attack.nearest} to {attack.farthest}{note}" if note else ""

    def special_shot(self, seat: Seat, attack: SpecialAttack) -> Shot:
        """The attack's own numbers, with Smiling Beast's.  (DF-14.4, DF-18.3.B)"""
        shot = Shot(
            name=attack.name, cite=attack.cite, dice=attack.dice, difficulty=attack.difficulty,
            why=f"{attack.dice} for {attack.name}", multiplier=attack.multiplier,
            effect=attack.effect, dead_six_from=attack.dead_six_from,
        )  # fmt: skip
        return self.beastly(shot) if self.has_smiling_beast(seat) else shot

    def beastly(self, shot: Shot) -> Shot:
        """One die more, Difficulty 1 lower; by house rule other numbers too.  (RULING 25)"""
        lower = int(self.options["smiling_beast_thresholds"] is True)
        return replace(
            shot, dice=shot.dice + 1, difficulty=max(1, shot.difficulty - 1),
            why=f"{shot.why}, 1 for Smiling Beast", cite=shot.cite.also(_BEAST),
            dead_six_from=shot.dead_six_from and max(1, shot.dead_six_from - lower),
        )  # fmt: skip

    # -- the steps of any attack, in their order (DF-11, DF-14.4) --------------------------

    async def attack(self, seat: Seat, target: Seat, shot: Shot) -> None:
        """An attack, during which it is known whom it is at."""
        self.attacked = target
        await self.steps_of_attack(seat, target, shot)
        self.attacked = None

    async def steps_of_attack(self, seat: Seat, target: Seat, shot: Shot) -> None:
        """From the dice to the last move.  (DF-11, DF-14.4, RULING 29)"""
        fired = await self.fire(seat, target, shot)
        evader_moves = await self.evasion(target, shot)
        await self.hit(seat, target, shot)
        self.position.gunsight, self.position.fires_at = 0, None
        if shot.is_basic:
            await self.momentum(seat)
            await self.red_baron(seat)
        if shot.dead_six_from and self.player(target).flies and max(fired) >= shot.dead_six_from:
            await self.dead_six(seat, target, shot.cite.also(_SECOND_GUNS))
        if evader_moves and self.player(target).flies:
            await self.dead_six(target, seat, _EVADER)

    async def fire(self, seat: Seat, target: Seat, shot: Shot) -> tuple[int, ...]:
        """Roll; dice that reach the Difficulty go onto the Gunsight.  (DF-11.3, DF-14.4)"""

        def brings_all(dice: Sequence[int]) -> bool:
            return min(dice) >= shot.difficulty and max(dice) >= shot.dead_six_from

        throw = Throw(
            "fire", seat, shot.dice, shot.cite, f"the {shot.name} at {self.who(target)}",
            passes=shot.difficulty, against=f"Difficulty {shot.difficulty}{shot.note}",
            why=shot.why, is_done=brings_all,
        )  # fmt: skip
        dice, free = await self.roll_and_keep_right(throw)
        self.lay_on_gunsight(seat, shot, dice)
        if self.options["focus_after_placement"] is True:
            first = dice
            dice, _ = await self.roll_again(throw, dice, free=free, window="placed")
            if dice != first:
                self.lay_on_gunsight(seat, shot, dice)
        if shot.is_basic:
            self.placement_tokens(seat, shot, dice)
        return dice

    def placement_tokens(self, seat: Seat, shot: Shot, dice: tuple[int, ...]) -> None:
        """What pilots earn by the dice they have placed, evaded or not.  (RULING 27)"""
        player, placed = self.player(seat), self.position.gunsight
        if player.is_pilot(MACLAREN, "A") and placed == len(dice):
            self.earn(seat, 1, _PURSUER.also(_PLACED), "every die was placed")
        if player.is_pilot(FONCK, "A") and placed and shot.spaces == 2:
            self.earn(seat, 1, _SHARPSHOOTER.also(_PLACED), "a die was placed from range 2")

    def lay_on_gunsight(self, seat: Seat, shot: Shot, dice: tuple[int, ...]) -> None:
        """The dice that succeed lie on the Gunsight; said in a sentence.  (DF-11.3, DF-14.4)"""
        placed = dice_words(successes(dice, shot.difficulty))
        self.position.gunsight = successes(dice, shot.difficulty)
        rolled = ", ".join(str(die) for die in dice)
        text = (f"{self.who(seat)} rolled {rolled} against Difficulty {shot.difficulty}"
                f"{shot.note}: {placed} on the Gunsight.")  # fmt: skip
        self.rule(text, shot.cite, by=seat, headline=self.ask.head(seat, f"{placed} placed"))

    async def hit(self, seat: Seat, target: Seat, shot: Shot) -> None:
        """Damage for each die left on the Gunsight, or what the attack does instead.  (DF-11.5)"""
        placed = self.position.gunsight
        if not placed or not self.player(target).flies:
            return
        if shot.effect == "discard":
            await self.lewis_guns(target, placed)
            return
        cite = _DAMAGE if shot.is_basic else shot.cite.also(_MULTIPLIED)
        await self.take_damage(target, placed * shot.multiplier, cite, seat)

    async def lewis_guns(self, target: Seat, placed: int) -> None:
        """A random card of the target's Hand for each die.  (DF-17.2.S2, RULING 22)"""
        player = self.player(target)
        count = min(placed, player.piles["hand"])
        carry = player.from_hand(count, "discard")
        cards = counted(count, "random card")
        few = "" if count == placed else f" of {placed} due: the Hand holds no more"
        self.rule(f"{self.who(target)} discards {cards}{few}.", _LEWIS, carry, by=target,
                  headline=self.ask.head(target, f"discard {count}"))  # fmt: skip
        if count:
            was = "a card was" if count == 1 else "cards were"
            await self.show_cards(target, "lewis", count, f"{was} discarded")

    async def show_cards(self, seat: Seat, place: str, count: int, why: str) -> Mapping[str, int]:
        """Cards that lie face up on the Discard Pile now may be named.  (DF-4.1)"""
        shown = await self.ask.shown_cards(seat, place, count, why)
        for card, number in shown.items():
            for _ in range(number):
                self.player(seat).learn("discard", card)
        return shown

    async def red_baron(self, seat: Seat) -> None:
        """After Momentum Richthofen rolls; on 5 or more he may Turn twice.  (DF-18.1.A)"""
        if not self.player(seat).is_pilot(RICHTHOFEN):
            return
        throw = Throw(
            "red-baron",
            seat,
            1,
            _BARON,
            "the Red Baron",
            passes=5,
            against="5+: 2 Turns",
            brings="On 5 or more you may Turn twice.",
        )
        (die,) = await self.roll(throw)
        if die >= 5:
            await self.may_turn(
                seat, 2, _BARON, f"you rolled {die} and may Turn twice", "red-baron-turns"
            )
        else:
            text = f"{self.who(seat)} rolled {die} for the Red Baron: no Turns."
            self.rule(text, _BARON, by=seat, headline=self.ask.head(seat, f"{die}: no Turns"))


def _happens(result: Result, dice: Sequence[int], lower: int) -> bool:
    """Whether one die at least brings it, however many do.  (RULING 12)"""
    return any(max(1, result.low - lower) <= die <= result.high for die in dice)


def _means_label(evasion: Evasion) -> str:
    if not evasion.is_special:
        return evasion.name
    return f"{evasion.name}, {counted(evasion.tokens, 'token')}"
