"""Basic and Special Attacks, evasion, and what pilots add to them.  (DF-11, DF-13, DF-14, DF-25)"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.games.dogfight_1917.aiming import Aim, is_first_on_line
from companion.games.dogfight_1917.asks import NO_EVASION, Throw
from companion.games.dogfight_1917.assessing import Assessing
from companion.games.dogfight_1917.cards import (
    FONCK,
    LOEWENHARDT,
    MACLAREN,
    MENTOR,
    RICHTHOFEN,
    STEEP_DIVE,
    Evasion,
    SpecialAttack,
)
from companion.games.dogfight_1917.rolling import successes
from companion.hexes import range_ahead
from companion.question import Option
from companion.ruling import Cite, Seat

if TYPE_CHECKING:
    from companion.games.dogfight_1917.position import Player

BASIC_ATTACK = "Basic Attack"
NO_MEANS = "pass without means"

_BASIC = Cite.of("DF-11.3, RULING 2")
_DAMAGE = Cite.of("DF-11.5")
_MULTIPLIED = Cite.of("DF-14.4")
_EVASION = Cite.of("DF-13.1, DF-13.2")
_REMOVED = Cite.of("DF-13.3")
_BARON = Cite.of("DF-18.1.A")
_PURSUER = Cite.of("DF-18.2.A, RULING 27")
_HEART = Cite.of("DF-18.3.A, RULING 26")
_BEAST = Cite.of("DF-18.3.B, RULING 25")
_SHARPSHOOTER = Cite.of("DF-18.4.A")
_SHARP_TOKEN = Cite.of("DF-18.4.A, RULING 27")
_ACE = Cite.of("DF-18.4.B")
_LEWIS = Cite.of("DF-17.2.S2, RULING 22")


@dataclass(frozen=True, slots=True)
class Shot:
    """One attack as it is about to be rolled.

    `spaces` is the range; `why` says how the number of dice comes about; `note` is appended to
    rulings that rest on an assumed figure.
    """

    name: str
    cite: Cite
    dice: int
    difficulty: int
    spaces: int
    why: str
    multiplier: int = 1
    effect: str = "damage"
    dead_six_from: int = 0
    is_basic: bool = False
    note: str = ""


class Attacking(Assessing):
    """From the naming of a target to the last move that an attack brings."""

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
        blocks = self.options["intervening_fighter_blocks"] is True
        if (
            not missed
            and blocks
            and not is_first_on_line(
                attacker, target, (p for p in self.position.flying() if p.seat != seat)
            )
        ):
            return "a Fighter in between"
        return missed

    def in_reach(self, seat: Seat, aim: Aim) -> list[Player]:
        """All that a seat may attack so.  (DF-19.3)"""
        return [target for target in self.targets(seat) if not self.miss(seat, target, aim)]

    # -- Basic Attack (DF-11) --------------------------------------------------------------

    async def basic_attack(self, target: Seat) -> None:
        """Fire, evasion, Damage, Momentum.  (DF-11)"""
        seat = self.position.active
        shot = self.basic_shot(seat, target)
        if self.player(seat).is_pilot(FONCK, "A"):
            shot = await self.sharpshooter(seat, shot)
        await self.attack(seat, target, shot)

    def basic_shot(self, seat: Seat, target: Seat) -> Shot:
        """Dice and Difficulty by range and pilot.  (DF-11.3, DF-18.2.A, DF-18.4.B, DF-18.5)"""
        player = self.player(seat)
        spaces = range_ahead(player.at, self.player(target).at.hex) or 1
        if player.is_pilot(FONCK, "B"):
            return Shot(BASIC_ATTACK, _ACE, 2, 3, spaces, "2 for Ace of Aces", is_basic=True)
        difficulty = self.table.difficulty[spaces]
        note = self.table.assumed("basic_attack.difficulty_range_1") if spaces == 1 else ""
        shot = Shot(BASIC_ATTACK, _BASIC, 2, difficulty, spaces, "2", is_basic=True, note=note)
        if player.is_pilot(MENTOR):
            shot = replace(shot, dice=3, why="2 and 1 for the Pilot Mentor")
        if player.is_pilot(MACLAREN, "A"):
            shot = replace(shot, difficulty=max(1, difficulty - 1))
        return shot

    async def sharpshooter(self, seat: Seat, shot: Shot) -> Shot:
        """Fonck rolls first; on 5 or more he fires two dice more.  (DF-18.4.A)"""
        throw = Throw("sharpshooter", seat, 1, _SHARPSHOOTER, "Aerial Sharpshooter",
                      passes=5, against="5+: 2 more dice")  # fmt: skip
        (die,) = await self.roll(throw)
        more = 2 if die >= 5 else 0
        text = f"Aerial Sharpshooter rolled {die}: {'2 more dice' if more else 'no more dice'}."
        self.rule(text, _SHARPSHOOTER, by=seat)
        return replace(shot, dice=shot.dice + more, why=f"2 and {more} more") if more else shot

    # -- Special Attack (DF-14.3 to DF-14.7) -----------------------------------------------

    async def special_attack(self, attack: SpecialAttack, target: Seat) -> None:
        """Pay, fire, evasion, Damage; no Momentum.  (DF-14.1, DF-14.4, DF-14.5)"""
        seat = self.position.active
        self.pay(seat, attack.tokens)
        text = f"{self.who(seat)} pays {attack.tokens} tokens for {attack.name}."
        self.rule(text, attack.cite, by=seat)
        await self.attack(seat, target, self.special_shot(seat, target, attack))

    def special_shot(self, seat: Seat, target: Seat, attack: SpecialAttack) -> Shot:
        """The attack's own numbers, with Smiling Beast's.  (DF-14.4, DF-18.3.B)"""
        spaces = range_ahead(self.player(seat).at, self.player(target).at.hex) or 1
        beast = self.has_smiling_beast(seat)
        lower = 1 if beast and self.options["smiling_beast_thresholds"] is True else 0
        return Shot(
            name=attack.name, cite=attack.cite, spaces=spaces,
            dice=attack.dice + beast, difficulty=max(1, attack.difficulty - beast),
            why=f"{attack.dice} and 1 for Smiling Beast" if beast else f"{attack.dice}",
            multiplier=attack.multiplier, effect=attack.effect,
            dead_six_from=attack.dead_six_from and max(1, attack.dead_six_from - lower),
            note=self.table.assumed(attack.assumed) if attack.assumed else "",
        )  # fmt: skip

    def has_smiling_beast(self, seat: Seat) -> bool:
        """Loewenhardt's B side: Difficulty 1 lower, 1 die more.  (DF-18.3.B)"""
        return self.player(seat).is_pilot(LOEWENHARDT, "B")

    # -- the steps of any attack, in their order (DF-25) -----------------------------------

    async def attack(self, seat: Seat, target: Seat, shot: Shot) -> None:
        """Fire, evasion, Damage, then whatever moves.  (DF-11, DF-14.4, RULING 29)"""
        fired = await self.fire(seat, target, shot)
        evader_moves = await self.evasion(target, seat)
        await self.hit(seat, target, shot)
        self.position.gunsight = 0
        if shot.is_basic:
            await self.momentum(seat)
            await self.red_baron(seat)
        if shot.dead_six_from and self.player(target).flies and max(fired) >= shot.dead_six_from:
            await self.dead_six(seat, target, Cite((*shot.cite.rules,), (24,)))
        if evader_moves and self.player(target).flies:
            await self.dead_six(target, seat, Cite.of("DF-13.4"))

    async def fire(self, seat: Seat, target: Seat, shot: Shot) -> tuple[int, ...]:
        """Roll; dice that reach the Difficulty go onto the Gunsight.  (DF-11.3, DF-14.4)"""
        throw = Throw("fire", seat, shot.dice, shot.cite, f"{shot.name} at {self.who(target)}",
                      passes=shot.difficulty, against=f"Difficulty {shot.difficulty}{shot.note}",
                      why=shot.why)  # fmt: skip
        dice, free = await self.roll_and_keep_right(throw)
        self.place(seat, shot, dice)
        if self.options["focus_after_placement"] is True:
            dice, _ = await self.roll_again(throw, dice, free=free, window="placed")
            self.position.gunsight = successes(dice, shot.difficulty)
        return dice

    def place(self, seat: Seat, shot: Shot, dice: tuple[int, ...]) -> None:
        """Successful dice onto the Gunsight; what pilots earn by it.  (RULING 27)"""
        placed = self.lay_on_gunsight(seat, shot, dice)
        player = self.player(seat)
        if not shot.is_basic:
            return
        if player.is_pilot(MACLAREN, "A") and placed == len(dice):
            self.earn(seat, 1, _PURSUER, "every die was placed")
        if player.is_pilot(FONCK, "A") and placed and shot.spaces == 2:
            self.earn(seat, 1, _SHARP_TOKEN, "a die was placed from range 2")

    def lay_on_gunsight(self, seat: Seat, shot: Shot, dice: tuple[int, ...]) -> int:
        """How many dice lie on the Gunsight; said in a sentence."""
        placed = successes(dice, shot.difficulty)
        self.position.gunsight = placed
        rolled = ", ".join(str(die) for die in dice)
        text = (f"{self.who(seat)} rolled {rolled} against Difficulty {shot.difficulty}"
                f"{shot.note}: {_dice(placed)} on the Gunsight.")  # fmt: skip
        self.rule(text, shot.cite, by=seat, headline=self.ask.head(seat, f"{_dice(placed)} placed"))
        return placed

    async def hit(self, seat: Seat, target: Seat, shot: Shot) -> None:
        """Damage for each die left on the Gunsight, or what the attack does instead.  (DF-11.5)"""
        placed = self.position.gunsight
        if not placed or not self.player(target).flies:
            return
        if shot.effect == "discard":
            await self.lewis_guns(target, placed)
            return
        cite = _DAMAGE if shot.is_basic else Cite((*shot.cite.rules, *_MULTIPLIED.rules))
        await self.take_damage(target, placed * shot.multiplier, cite, seat)

    async def lewis_guns(self, target: Seat, placed: int) -> None:
        """A random card of the target's Hand for each die.  (DF-17.2.S2, RULING 22)"""
        piles = self.player(target).piles
        count = min(placed, piles["hand"])
        carry = piles.move(count, "hand", "discard")
        text = f"{self.who(target)} discards {count} random of {placed} cards due."
        self.rule(
            text, _LEWIS, carry, by=target, headline=self.ask.head(target, f"discard {count}")
        )
        if count:
            await self.show_cards(target, "lewis", count, "cards were discarded")

    async def show_cards(self, seat: Seat, place: str, count: int, why: str) -> None:
        """Cards that lie face up on the Discard Pile now may be named.  (DF-4.1)"""
        shown = await self.ask.shown_cards(seat, place, count, why)
        for card, number in shown.items():
            for _ in range(number):
                self.player(seat).learn("discard", card)

    async def red_baron(self, seat: Seat) -> None:
        """After Momentum Richthofen rolls; on 5 or more he may Turn twice.  (DF-18.1.A)"""
        if not self.player(seat).is_pilot(RICHTHOFEN):
            return
        throw = Throw(
            "red-baron", seat, 1, _BARON, "The Red Baron", passes=5, against="5+: 2 Turns"
        )
        (die,) = await self.roll(throw)
        if die >= 5:
            await self.may_turn(
                seat, 2, _BARON, f"rolled {die}: you may Turn twice", "red-baron-turns"
            )
        else:
            self.rule(f"The Red Baron rolled {die}: no Turns.", _BARON, by=seat)

    # -- Evasion (DF-13) -------------------------------------------------------------------

    async def evasion(self, target: Seat, attacker: Seat) -> bool:
        """The target may try once; whether it moves when the attack is over.  (DF-13)"""
        options = self.evasion_options(target)
        said = NO_MEANS
        if len(options) > 1:
            said = await self.ask.evade(target, self.evasion_prompt(target), options, _EVASION)
        if said in (NO_EVASION, NO_MEANS):
            await self.heart_of_iron(target, with_means=said == NO_EVASION)
            return False
        return await self.evade(target, self.fighter(target).evasions[said])

    def evasion_prompt(self, target: Seat) -> str:
        """Who may evade, and what lies on the Gunsight."""
        dice = _dice(self.position.gunsight)
        return f"{self.who(target)}: {dice} on the Gunsight. Do you evade?"

    def evasion_options(self, target: Seat) -> list[Option[str]]:
        """By type only: whatever the Hand may hold.  (DF-13.2, RULING 11, RULING 26)"""
        player = self.player(target)
        passes = [Option(NO_EVASION, NO_EVASION, "Do not evade")]
        if not self.position.gunsight and self.options["evade_on_empty_gunsight"] is False:
            return passes
        means = [
            Option(evasion.name, evasion.name, _means_label(evasion))
            for evasion in self.fighter(target).evasions.values()
            if (player.tokens >= evasion.tokens if evasion.is_special else player.piles["hand"])
        ]
        needs_means = self.options["heart_of_iron_needs_means"] is True
        if means and needs_means and player.is_pilot(LOEWENHARDT, "A"):
            word = NO_MEANS
            passes.append(Option(word, word, "I cannot evade"))
        return [*passes, *means]

    async def evade(self, target: Seat, evasion: Evasion) -> bool:
        """Play the card or pay; roll; dice leave the Gunsight.  (DF-13.2 to DF-13.6)"""
        self.use_evasion(target, evasion)
        beast = evasion.is_special and self.has_smiling_beast(target)
        difficulty = max(1, evasion.difficulty - beast)
        assumed = ("albatros_evasive_dive.dice", "albatros_evasive_dive.difficulty")
        note = self.table.assumed(*assumed) if 23 in evasion.cite.rulings else ""
        throw = Throw("evasion", target, evasion.dice + beast, evasion.cite, evasion.name,
                      passes=difficulty, against=f"Difficulty {difficulty}{note}",
                      why=f"{evasion.dice} and 1 for Smiling Beast" if beast else "")  # fmt: skip
        dice = await self.roll(throw)
        self.remove_dice(target, dice, difficulty)
        if self.player(target).is_pilot(RICHTHOFEN) and successes(dice, difficulty) == len(dice):
            self.earn(target, 1, _BARON, "every die of the evasion succeeded")
        moves = await self.evasion_results(target, evasion, dice)
        self.discard_played(target)
        return moves

    def use_evasion(self, target: Seat, evasion: Evasion) -> None:
        """A card is played, or tokens are paid before the roll.  (DF-13.2, DF-14.1)"""
        if evasion.is_special:
            self.pay(target, evasion.tokens)
            text = f"{self.who(target)} pays {evasion.tokens} tokens: {STEEP_DIVE}."
            self.rule(text, evasion.cite, by=target)
            return
        carry = self.play_card(target, evasion.name)
        text = f"{self.who(target)} evades with the {evasion.name}."
        self.rule(text, evasion.cite, carry, by=target)

    def remove_dice(self, target: Seat, dice: tuple[int, ...], difficulty: int) -> None:
        """Each success takes one die off the Gunsight, never below none.  (DF-13.3)"""
        removed = min(self.position.gunsight, successes(dice, difficulty))
        self.position.gunsight -= removed
        rolled = ", ".join(str(die) for die in dice)
        left = _dice(self.position.gunsight)
        text = f"{self.who(target)} rolled {rolled}: {_dice(removed)} removed, {left} left."
        self.rule(text, _REMOVED, by=target, headline=self.ask.head(target, f"{left} left"))

    async def evasion_results(self, target: Seat, evasion: Evasion, dice: tuple[int, ...]) -> bool:
        """Tokens and self-damage at once, Dead Six remembered.  (DF-13.6, RULING 12)"""
        lower = self.beast_threshold(target, evasion)
        due = [
            result.effect
            for result in evasion.results
            if any(max(1, result.low - lower) <= die <= result.high for die in dice)
        ]
        if "token" in due:
            self.earn(target, 1, evasion.cite, f"the {evasion.name} brought a token")
        if "damage" in due:
            await self.take_damage(target, 1, Cite((*evasion.cite.rules, "DF-12.4")))
        return "dead six" in due

    def beast_threshold(self, target: Seat, evasion: Evasion) -> int:
        """By house rule Smiling Beast lowers these numbers too.  (OPT-19)"""
        by_house = self.options["smiling_beast_thresholds"] is True
        return int(by_house and evasion.is_special and self.has_smiling_beast(target))

    async def heart_of_iron(self, target: Seat, *, with_means: bool) -> None:
        """Loewenhardt did not evade: on 3 or more a token.  (DF-18.3.A, RULING 26)"""
        needs_means = self.options["heart_of_iron_needs_means"] is True
        if not self.player(target).is_pilot(LOEWENHARDT, "A") or (needs_means and not with_means):
            return
        throw = Throw("heart-of-iron", target, 1, _HEART, "Heart of Iron", passes=3,
                      against="3+: 1 token")  # fmt: skip
        (die,) = await self.roll(throw)
        if die >= 3:
            self.earn(target, 1, _HEART, f"rolled {die}, Heart of Iron")
        else:
            self.rule(f"Heart of Iron rolled {die}: no token.", _HEART, by=target)


def _dice(count: int) -> str:
    return "1 die" if count == 1 else f"{count} dice"


def _means_label(evasion: Evasion) -> str:
    return f"{evasion.name}, {evasion.tokens} tokens" if evasion.is_special else evasion.name
