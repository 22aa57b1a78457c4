"""Evasion: one try for each attack, by card or Special Action.  (DF-13)"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from companion.core.question import Option
from companion.core.ruling import Cite, Level, Notice, Seat
from companion.core.text import counted
from companion.games.dogfight_1917.asks import NO_EVASION, Throw
from companion.games.dogfight_1917.assessing import Assessing
from companion.games.dogfight_1917.cards import COPIES, LOEWENHARDT, RICHTHOFEN, Evasion, Result
from companion.games.dogfight_1917.rolling import successes
from companion.games.dogfight_1917.wording import dice_words

NO_MEANS = "pass without means"

_EVASION = Cite.of("DF-13.1, DF-13.2, RULING 11")
_REMOVED = Cite.of("DF-13.3")
_BARON = Cite.of("DF-18.1.A")
_HEART = Cite.of("DF-18.3.A, RULING 26")
_BEAST = Cite.of("DF-18.3.B, RULING 25")
_SUSPECT = Cite.of("DF-1.2, DF-4.2")


class Evading(Assessing):
    """The target's answer to an attack."""

    async def evasion(self, target: Seat) -> bool:
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
        return await self.evade(target, self.fighter(target).evasions[said])

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
        if not self.position.gunsight and self.options["evade_on_empty_gunsight"] is False:
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

    async def evade(self, target: Seat, evasion: Evasion) -> bool:
        """Play the card or pay; roll; dice leave the Gunsight.  (DF-13.2 to DF-13.6)"""
        self.use_evasion(target, evasion)
        throw = self.evasion_throw(target, evasion)
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

    def evasion_throw(self, target: Seat, evasion: Evasion) -> Throw:
        """How many dice against what; Smiling Beast on Special Actions.  (DF-13.3, DF-18.3.B)"""
        beast = evasion.is_special and self.has_smiling_beast(target)
        difficulty = max(1, evasion.difficulty - beast)
        note = self.lost_figures(evasion, "dice", "difficulty")
        return Throw(
            "evasion", target, evasion.dice + beast,
            evasion.cite.also(_BEAST) if beast else evasion.cite, f"the {evasion.name}",
            passes=difficulty, against=f"Difficulty {difficulty}{note}",
            why=f"{evasion.dice} for {evasion.name}, 1 for Smiling Beast" if beast else "",
            is_done=partial(self.brings_all, target, evasion),
        )  # fmt: skip

    def brings_all(self, target: Seat, evasion: Evasion, dice: Sequence[int]) -> bool:
        """Whether nobody wants other dice for what the evasion brings besides: tokens, damage.

        A Dead Six moves the Fighter: it may be wanted, and it may be feared.
        """
        lower = self.beast_threshold(target, evasion)
        return all(
            result.effect != "dead six"
            and _happens(result, dice, lower) == (result.effect != "damage")
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


def _happens(result: Result, dice: Sequence[int], lower: int) -> bool:
    """Whether one die at least brings it, however many do.  (RULING 12)"""
    return any(max(1, result.low - lower) <= die <= result.high for die in dice)


def _means_label(evasion: Evasion) -> str:
    if not evasion.is_special:
        return evasion.name
    return f"{evasion.name}, {counted(evasion.tokens, 'token')}"
