"""Attacks: Evasion, Basic and Special Attacks.  (DF-11, DF-13, DF-14)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from companion.core.question import Option
from companion.core.ruling import AttackMade, CardLaid, Cite, EvasionTried, Level, Notice, Seat
from companion.core.text import counted
from companion.games.dogfight_1917 import cards, flying
from companion.games.dogfight_1917.asks import NO_EVASION, Throw
from companion.games.dogfight_1917.cards import Evasion, Result, SpecialAttack, dice_words
from companion.games.dogfight_1917.game import successes
from companion.games.dogfight_1917.moves import (
    HIDDEN,
    NO_BONUS,
    Aim,
    Bonus,
    Shot,
    is_first_on_line,
)

if TYPE_CHECKING:
    from companion.games.dogfight_1917.game import Game
    from companion.games.dogfight_1917.position import Player


FIRST_TO_WEIGH_EVASIONS = 3
"""Matches of earlier editions ask about a reroll wherever a die fails or may bring Dead Six."""

NO_MEANS = "pass without means"

_EVASION = Cite.of("DF-13.1, DF-13.2, RULING 11")
_REMOVED = Cite.of("DF-13.3")
_SUSPECT = Cite.of("DF-1.2, DF-4.2")

BASIC_ATTACK = "Basic Attack"

_BASIC = Cite.of("DF-11.3, RULING 2")
_DAMAGE = Cite.of("DF-11.5")
_PAID = Cite.of("DF-14.1")
_MULTIPLIED = Cite.of("DF-14.4")
_SECOND_GUNS = Cite((), (24,))
_EVADER = Cite.of("DF-13.4, RULING 29")
_LEWIS = Cite.of("DF-17.2.S2, RULING 22")
_BASE = "2 for a Basic Attack"


# The target's evasion (DF-13).


async def evasion(game: Game, target: Seat, shot: Shot) -> bool:
    """The target may try once; whether it moves when the attack is over.  (DF-13)

    Who has neither card nor tokens for it is not asked; with one means at least the question
    is always the same, whatever the Hand holds.
    """
    said = NO_MEANS
    if len(evasion_options(game, target)) > 1:
        said = await game.ask.evade(
            target,
            evasion_prompt(game, target),
            lambda: evasion_options(game, target),
            _EVASION,
            lambda name: word_before_evasion(game, target, name),
        )
    if said in (NO_EVASION, NO_MEANS):
        await game.pilot(target).not_evaded(game, target, with_means=said == NO_EVASION)
        return False
    return await evade(game, target, game.fighter(target).evasions[said], shot)


def evasion_prompt(game: Game, target: Seat) -> str:
    """Who may evade whose attack, and what lies on the Gunsight."""
    attacker, dice = game.who(game.position.active), dice_words(game.position.gunsight)
    lie = f"{dice} {'lies' if game.position.gunsight == 1 else 'lie'} on the Gunsight"
    return f"{game.who(target)}: {attacker} attacks you, and {lie}. Do you evade?"


def evasion_options(game: Game, target: Seat) -> list[Option[str]]:
    """By type only: whatever the Hand may hold.  (DF-13.2, RULING 11, RULING 26)"""
    player = game.player(target)
    passes = [Option(NO_EVASION, NO_EVASION, "Do not evade", sign="end")]
    means = [
        Option(evasion.name, evasion.name, _means_label(evasion))
        for evasion in game.fighter(target).evasions.values()
        if (player.tokens >= evasion.tokens if evasion.is_special else player.piles["hand"])
    ]
    in_vain = not game.position.gunsight and not _asks_always(game)
    if in_vain and game.setup.edition == 1:
        return passes
    if means and game.pilot(target).tells_means(game, target):
        passes.append(Option(NO_MEANS, NO_MEANS, "I cannot evade"))
    return passes if in_vain else [*passes, *means]


def _asks_always(game: Game) -> bool:
    """Whether an evasion is asked for although no die lies there; by edition 1 as a usual thing."""
    switch = "evade_on_empty_gunsight"
    usual = game.setup.edition == 1 and game.setup.options.get(switch) is None
    return usual or game.options[switch] is True


def word_before_evasion(game: Game, target: Seat, name: str) -> Notice | None:
    """A doubt about an Evasion Card that can be in no Hand any more.  (DF-1.2)"""
    return doubt_about(game, target, name) if name in cards.COPIES else None


def doubt_about(game: Game, seat: Seat, card: str) -> Notice | None:
    """All copies of a card lie where everybody saw them: it cannot be played.  (DF-E17)"""
    copies = cards.COPIES[card]
    if game.player(seat).piles.seen("discard", "box", "played")[card] < copies:
        return None
    text = f"All {copies} copies of {card} have been seen outside {game.who(seat)}'s Hand."
    return Notice("DF-E17", text, _SUSPECT, Level.WARN, "Go on only if it lies there.")


# One try (DF-13.2 to DF-13.6).


async def evade(game: Game, target: Seat, evasion: Evasion, shot: Shot) -> bool:
    """Play the card or pay; roll; dice leave the Gunsight.  (DF-13.2 to DF-13.6)"""
    use_evasion(game, target, evasion)
    throw = evasion_throw(game, target, evasion, shot)
    dice = await game.roll(throw)
    remove_dice(game, target, dice, throw, shot.multiplier)
    if min(dice) >= throw.passes:
        game.pilot(target).evaded(game, target)
    moves = await evasion_results(game, target, evasion, dice)
    game.discard_played(target)
    return moves


def use_evasion(game: Game, target: Seat, evasion: Evasion) -> None:
    """A card is played, or tokens are paid before the roll.  (DF-13.2, DF-14.1)"""
    if evasion.is_special:
        game.pay(target, evasion.tokens)
        price = counted(evasion.tokens, "token")
        text = f"{game.who(target)} pays {price} and evades with the {evasion.name}."
        game.rule(text, evasion.cite.also(Cite.of("DF-14.1")), by=target,
                  headline=game.ask.head(target, f"pay {price}"))  # fmt: skip
        return
    carry = game.play_card(target, evasion.name)
    text = f"{game.who(target)} evades with the {evasion.name}."
    game.rule(text, evasion.cite, carry, by=target,
              headline=game.ask.head(target, evasion.name),
              happened=(CardLaid(target, evasion.name),))  # fmt: skip


def evasion_throw(game: Game, target: Seat, evasion: Evasion, shot: Shot) -> Throw:
    """How many dice against what, with what a pilot adds.  (DF-13.3, DF-18)"""
    bonus = bonus_of(game, target, evasion)
    difficulty = max(1, evasion.difficulty - bonus.lower)
    note = lost_figures(game, evasion, "dice", "difficulty")
    return Throw(
        "evasion",
        target,
        evasion.dice + bonus.dice,
        evasion.cite.also(bonus.cite),
        f"the {evasion.name}",
        passes=difficulty,
        against=f"Difficulty {difficulty}{note}",
        why=bonus.told_with(f"{evasion.dice} for {evasion.name}"),
        is_done=partial(partial(evades_best, game), target, evasion, shot, difficulty),
    )


def evades_best(
    game: Game, target: Seat, evasion: Evasion, shot: Shot, difficulty: int, dice: tuple[int, ...]
) -> bool:
    """Whether no other dice could bring anything that the evader may want.  (RULING 13)"""
    if game.setup.edition < FIRST_TO_WEIGH_EVASIONS:
        return min(dice) >= difficulty and brings_all(game, target, evasion, dice)
    least = harm(game, target, shot, removed=len(dice))
    crashes = shot.effect == "damage" and least > game.player(target).piles["deck"]
    if crashes and target not in game.returning:
        return True
    if harm(game, target, shot, removed=successes(dice, difficulty)) > least:
        return False
    if game.pilot(target).full_evasion_pays and min(dice) < difficulty:
        return False
    moves = not crashes and may_fly_dead_six(game, target, shot)
    return brings_all(game, target, evasion, dice, moves=moves)


def harm(game: Game, target: Seat, shot: Shot, *, removed: int) -> int:
    """How many cards the attack still costs if so many dice leave the Gunsight.

    One more than the Deck holds stands for any number that shoots down.  (DF-12.2, DF-14.4)
    """
    left, piles = max(0, game.position.gunsight - removed), game.player(target).piles
    if shot.effect == "discard":
        return min(left, piles["hand"])
    return min(left * shot.multiplier, piles["deck"] + 1)


def may_fly_dead_six(game: Game, target: Seat, shot: Shot) -> bool:
    """Whether a Dead Six by evading can move the Fighter.  (DF-13.4, DF-13.5, RULING 9)

    After a Basic Attack, and after one that brings a Dead Six itself, the attacker moves first.
    """
    if shot.is_basic or shot.dead_six_from:
        return True
    places = flying.rear_places(game, target, game.position.active)
    return any(place != game.player(target).at for place in places)


def brings_all(
    game: Game, target: Seat, evasion: Evasion, dice: Sequence[int], *, moves: bool = True
) -> bool:
    """Whether nobody wants other dice for what the evasion brings besides: tokens, damage.

    A Dead Six that `moves` the Fighter may be wanted, and it may be feared.
    """
    lower = bonus_of(game, target, evasion).thresholds
    return all(
        not moves
        if result.effect == "dead six"
        else _happens(result, dice, lower) == (result.effect != "damage")
        for result in evasion.results
    )


def lost_figures(game: Game, evasion: Evasion, *figures: str) -> str:
    """What a ruling owes to the Albatros's dive, of which only traces are printed."""
    if 23 not in evasion.cite.rulings:
        return ""
    return game.table.assumed(*(f"albatros_evasive_dive.{figure}" for figure in figures))


def remove_dice(game: Game, target: Seat, dice: tuple[int, ...], throw: Throw, each: int) -> None:
    """Each success takes one die off the Gunsight, never below none.  (DF-13.3)

    A die that stays there costs the target `each`.
    """
    removed = min(game.position.gunsight, successes(dice, throw.passes))
    game.position.gunsight -= removed
    rolled = ", ".join(str(die) for die in dice)
    left = dice_words(game.position.gunsight)
    text = (f"{game.who(target)} rolled {rolled} against {throw.against}: "
            f"{dice_words(removed)} removed, {left} left on the Gunsight.")  # fmt: skip
    saved = removed > 0 and not game.position.gunsight
    evaded = EvasionTried(target, throw.what.removeprefix("the "), removed * each, saved)
    game.rule(text, throw.cite.also(_REMOVED), by=target,
              headline=game.ask.head(target, f"{left} left"), happened=(evaded,))  # fmt: skip


# What it brings besides (DF-13.4 to DF-13.6).


async def evasion_results(
    game: Game, target: Seat, evasion: Evasion, dice: tuple[int, ...]
) -> bool:
    """Tokens and self-damage at once, Dead Six remembered.  (DF-13.6, RULING 12)"""
    lower = bonus_of(game, target, evasion).thresholds
    due = [result.effect for result in evasion.results if _happens(result, dice, lower)]
    if "token" in due:
        note = lost_figures(game, evasion, "token_at_least")
        game.earn(target, 1, evasion.cite, f"the {evasion.name} brought it{note}")
    if "damage" in due:
        await game.take_damage(target, 1, evasion.cite.also(Cite.of("DF-12.4")))
    if "dead six" not in due:
        return False
    text = f"{game.who(target)} has earned Dead Six: it is flown when the attack is over."
    game.rule(text, evasion.cite.also(Cite.of("DF-13.4")), by=target,
              headline=game.ask.head(target, "Dead Six later"))  # fmt: skip
    return True


def bonus_of(game: Game, seat: Seat, evasion: Evasion) -> Bonus:
    """What the pilot adds to an evasion that is a Special Action.  (DF-18.3.B)"""
    return game.pilot(seat).special(game, seat) if evasion.is_special else NO_BONUS


# What may be attacked (DF-11.1, DF-11.2, DF-14.3).


def basic_aim(game: Game, seat: Seat) -> Aim:
    """Range and direction of a Basic Attack.  (DF-11.1, DF-11.2, DF-18)"""
    usual = Aim(1, max(game.table.difficulty), from_rear=True)
    return game.pilot(seat).basic_aim(game, seat, usual)


def aim_of(attack: SpecialAttack) -> Aim:
    """Exactly on the line, from any side.  (DF-14.3)"""
    return Aim(attack.nearest, attack.farthest, from_rear=False)


def miss(game: Game, seat: Seat, target: Player, aim: Aim) -> str:
    """Why a target cannot be attacked; empty where it can.  (DF-11.8, RULING 4)"""
    attacker = game.player(seat).at
    missed = aim.miss(attacker, target.at)
    if missed or game.options["intervening_fighter_blocks"] is False:
        return missed
    others = (p for p in game.position.flying() if p.seat != seat)
    return "" if is_first_on_line(attacker, target, others) else HIDDEN


def in_reach(game: Game, seat: Seat, aim: Aim) -> list[Player]:
    """All that a seat may attack so.  (DF-19.3)"""
    return [target for target in game.targets(seat) if not miss(game, seat, target, aim)]


# Basic Attack (DF-11).


async def basic_attack(game: Game, target: Seat) -> None:
    """Fire, evasion, Damage, Momentum.  (DF-11)"""
    seat = game.position.active
    bonus = await game.pilot(seat).before_basic_attack(game, seat)
    await carry_out_attack(game, seat, target, with_bonus(basic_shot(game, seat, target), bonus))


def basic_shot(game: Game, seat: Seat, target: Seat) -> Shot:
    """Dice and Difficulty by range and pilot.  (DF-11.3, DF-18)"""
    spaces = game.player(seat).at.hex.distance(game.player(target).at.hex)
    farthest = max(game.table.difficulty)  # an arbiter may have moved the target meanwhile
    difficulty = game.table.difficulty[min(max(spaces, 1), farthest)]
    note = game.table.assumed("basic_attack.difficulty_range_1") if spaces == 1 else ""
    shot = Shot(BASIC_ATTACK, _BASIC, 2, difficulty, _BASE, spaces, is_basic=True, note=note)
    return game.pilot(seat).basic_shot(game, seat, shot)


def with_bonus(shot: Shot, bonus: Bonus) -> Shot:
    """The same attack with what a pilot adds to it.  (DF-18)"""
    if not bonus.name:
        return shot
    return replace(
        shot, dice=shot.dice + bonus.dice, difficulty=max(1, shot.difficulty - bonus.lower),
        why=bonus.told_with(shot.why), cite=shot.cite.also(bonus.cite),
        dead_six_from=shot.dead_six_from and max(1, shot.dead_six_from - bonus.thresholds),
    )  # fmt: skip


# Special Attack (DF-14.3 to DF-14.7).


async def special_attack(game: Game, attack: SpecialAttack, target: Seat) -> None:
    """Pay, fire, evasion, Damage; no Momentum.  (DF-14.1, DF-14.4, DF-14.5)"""
    seat = game.position.active
    game.pay(seat, attack.tokens)
    price = counted(attack.tokens, "token")
    text = f"{game.who(seat)} pays {price} for {attack.name}{lost_range(game, attack)}."
    game.rule(text, attack.cite.also(_PAID), by=seat,
              headline=game.ask.head(seat, f"pay {price}"))  # fmt: skip
    await carry_out_attack(game, seat, target, special_shot(game, seat, attack))


def lost_range(game: Game, attack: SpecialAttack) -> str:
    """What is said of a range that is an assumed figure; empty for any other."""
    note = game.table.assumed(attack.assumed) if attack.assumed else ""
    return f", range {attack.nearest} to {attack.farthest}{note}" if note else ""


def special_shot(game: Game, seat: Seat, attack: SpecialAttack) -> Shot:
    """The attack's own numbers, with what the pilot adds.  (DF-14.4, DF-18.3.B)"""
    shot = Shot(
        name=attack.name, cite=attack.cite, dice=attack.dice, difficulty=attack.difficulty,
        why=f"{attack.dice} for {attack.name}", multiplier=attack.multiplier,
        effect=attack.effect, dead_six_from=attack.dead_six_from,
    )  # fmt: skip
    return with_bonus(shot, game.pilot(seat).special(game, seat))


# The steps of any attack, in their order (DF-11, DF-14.4).


async def carry_out_attack(game: Game, seat: Seat, target: Seat, shot: Shot) -> None:
    """An attack, during which it is known whom it is at."""
    game.attacked = target
    await steps_of_attack(game, seat, target, shot)
    game.attacked = None
    await game.after_attack(seat)


async def steps_of_attack(game: Game, seat: Seat, target: Seat, shot: Shot) -> None:
    """From the dice to the last move.  (DF-11, DF-14.4, RULING 29)"""
    fired = await fire(game, seat, target, shot)
    evader_moves = await evasion(game, target, shot)
    await hit(game, seat, target, shot)
    game.position.gunsight, game.position.fires_at = 0, None
    if shot.is_basic:
        await flying.momentum(game, seat)
        await game.pilot(seat).after_momentum(game, seat)
    if shot.dead_six_from and game.player(target).flies and max(fired) >= shot.dead_six_from:
        await flying.dead_six(game, seat, target, shot.cite.also(_SECOND_GUNS))
    if evader_moves and game.player(target).flies:
        await flying.dead_six(game, target, seat, _EVADER)


async def fire(game: Game, seat: Seat, target: Seat, shot: Shot) -> tuple[int, ...]:
    """Roll; dice that reach the Difficulty go onto the Gunsight.  (DF-11.3, DF-14.4)"""

    def brings_all(dice: Sequence[int]) -> bool:
        return min(dice) >= shot.difficulty and max(dice) >= shot.dead_six_from

    throw = Throw(
        "fire", seat, shot.dice, shot.cite, f"the {shot.name} at {game.who(target)}",
        passes=shot.difficulty, against=f"Difficulty {shot.difficulty}{shot.note}",
        why=shot.why, is_done=brings_all,
    )  # fmt: skip
    dice, free = await game.roll_and_keep_right(throw)
    lay_on_gunsight(game, seat, shot, dice)
    if game.options["focus_after_placement"] is True:
        first = dice
        dice, _ = await game.roll_again(throw, dice, free=free, window="placed")
        if dice != first:
            lay_on_gunsight(game, seat, shot, dice, again=True)
    if shot.is_basic:
        game.pilot(seat).placed(game, seat, shot, dice)
    return dice


def lay_on_gunsight(
    game: Game, seat: Seat, shot: Shot, dice: tuple[int, ...], *, again: bool = False
) -> None:
    """The dice that succeed lie on the Gunsight; said in a sentence.  (DF-11.3, DF-14.4)"""
    placed = dice_words(successes(dice, shot.difficulty))
    game.position.gunsight = successes(dice, shot.difficulty)
    rolled = ", ".join(str(die) for die in dice)
    text = (f"{game.who(seat)} rolled {rolled} against Difficulty {shot.difficulty}"
            f"{shot.note}: {placed} on the Gunsight.")  # fmt: skip
    reach = f"range {shot.spaces}" if shot.spaces else ""
    made = AttackMade(
        seat, game.attacked, game.position.gunsight > 0, reach, shot.name, instead=again
    )
    headline = game.ask.head(seat, f"{placed} placed")
    game.rule(text, shot.cite, by=seat, headline=headline, happened=(made,))


async def hit(game: Game, seat: Seat, target: Seat, shot: Shot) -> None:
    """Damage for each die left on the Gunsight, or what the attack does instead.  (DF-11.5)"""
    placed = game.position.gunsight
    if not placed or not game.player(target).flies:
        return
    if shot.effect == "discard":
        await lewis_guns(game, target, placed)
        return
    cite = _DAMAGE if shot.is_basic else shot.cite.also(_MULTIPLIED)
    await game.take_damage(target, placed * shot.multiplier, cite, seat)


async def lewis_guns(game: Game, target: Seat, placed: int) -> None:
    """A random card of the target's Hand for each die.  (DF-17.2.S2, RULING 22)"""
    player = game.player(target)
    count = min(placed, player.piles["hand"])
    carry = player.from_hand(count, "discard")
    told = counted(count, "random card")
    few = "" if count == placed else f" of {placed} due: the Hand holds no more"
    game.rule(f"{game.who(target)} discards {told}{few}.", _LEWIS, carry, by=target,
              headline=game.ask.head(target, f"discard {count}"))  # fmt: skip
    if count:
        was = "a card was" if count == 1 else "cards were"
        await show_cards(game, target, "lewis", count, f"{was} discarded")


async def show_cards(game: Game, seat: Seat, place: str, count: int, why: str) -> Mapping[str, int]:
    """Cards that lie face up on the Discard Pile now may be named.  (DF-4.1)"""
    shown = await game.ask.shown_cards(seat, place, count, why)
    for card, number in shown.items():
        for _ in range(number):
            game.player(seat).learn("discard", card)
    return shown


def _happens(result: Result, dice: Sequence[int], lower: int) -> bool:
    """Whether one die at least brings it, however many do.  (RULING 12)"""
    return any(max(1, result.low - lower) <= die <= result.high for die in dice)


def _means_label(evasion: Evasion) -> str:
    if not evasion.is_special:
        return evasion.name
    return f"{evasion.name}, {counted(evasion.tokens, 'token')}"
