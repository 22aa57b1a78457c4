"""The Assessment Phase; the Engagement Phase: one Maneuver Action, any number of all else.

(DF-7, DF-8, DF-14.1, DF-14.2, DF-15)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from reprlib import repr as brief
from typing import TYPE_CHECKING

from companion.core.question import Option, Refusal, unless_alone
from companion.core.ruling import CardLaid, Cite, Deed, Flip, Level, Notice, Seat
from companion.core.text import counted, spelt_like
from companion.games.dogfight_1917 import cards, fight, flying, refusals
from companion.games.dogfight_1917.asks import Throw
from companion.games.dogfight_1917.cards import Maneuver, SpecialTactic
from companion.games.dogfight_1917.fight import BASIC_ATTACK
from companion.games.dogfight_1917.flying import BLACKOUT, ENGAGE, IMMELMANN, IMPROVISE, STALLS
from companion.games.dogfight_1917.moves import HIDDEN, stall_after_engaging, turned_by
from companion.games.dogfight_1917.position import player_named
from companion.games.dogfight_1917.refusals import no_aim, tokens_short, wrong_moment

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.dogfight_1917.game import Game
    from companion.games.dogfight_1917.moves import Aim
    from companion.games.dogfight_1917.position import Player

REGROUP, EMERGENCY_REPAIR = "Regroup", "Emergency Repair"
REGROUP_TOKENS, REPAIR_TOKENS = 2, 3
END_TURN = "end turn"
REGROUP_CARDS, REPAIR_CARDS = 2, 3

_ASSESS = Cite.of("DF-7.1, DF-7.2, RULING 16")
_IMPROVISE = Cite.of("DF-7.1, RULING 20")
_IMMELMANN = Cite.of("DF-7.3, RULING 17")
_ENGAGE = Cite.of("DF-8.1, DF-8.2")
_KILLER = Cite.of("DF-4.5, DF-15.3")
_REGROUP = Cite.of("DF-15.5, DF-15.7, RULING 14, RULING 15")
_REPAIR = Cite.of("DF-15.6, DF-15.7, RULING 14, RULING 15")
_TURNS = Cite.of("DF-9.5, RULING 5")
_PAID = Cite.of("DF-14.1")
_FLIPS = Cite.of("DF-14.2")
_LATE = Cite.of("DF-8.4, RULING 19")


# The Assessment Phase (DF-7).


async def assessment(game: Game) -> str:
    """Improvise if wanted, then go on to engage, or stall.  (DF-7.1, DF-7.2, DF-7.5)

    The word with which the Engagement Phase begins: "engage", or its first action, which may be
    named at once. Empty after a Stall.
    """
    while True:
        game.begin()
        game.position.actions += 1
        seat = game.position.active
        can_engage = flying.may_engage(game, game.position.mover)
        name = await choose_action(
            game,
            _ASSESS,
            f"{game.who(seat)}: what do you do?{may_improvise_first(game)}",
            partial(assessments, game),
            partial(refused_in_assessment, game),
            lapse=ENGAGE if can_engage else None,
            several=can_engage,  # and a Stall
        )
        if name == IMPROVISE:
            await improvise(game)
        elif name not in STALLS:
            flying.claim_maneuver(game)
            game.engaged_at = game.ask.key("action")
            return name
        elif await flying.stall(game, name):
            return ""


async def choose_action(
    game: Game,
    cite: Cite,
    prompt: str,
    offered: Callable[[], Iterable[Option[str]]],
    unlisted: Callable[[Json], Refusal | None],
    lapse: str | None = None,
    *,
    several: bool,
) -> str:
    """An action of a menu; the only one there is is not asked for, unless there is a word.

    `several`: it is known that there are two at least, and none need be listed to find out.
    """
    first = [] if several else [option.name for option in islice(offered(), 2)]
    if len(first) == 1 and word_before_action(game, first[0]) is None:
        return first[0]
    return await game.ask.menu(
        game.position.active, cite, prompt, offered, partial(among, game, offered), unlisted,
        partial(word_before_action, game), lapse,
    )  # fmt: skip


def among(
    game: Game, offered: Callable[[], Iterable[Option[str]]], raw: Json
) -> Iterable[Option[str]]:
    """The actions among which one of that name stands; where that is sure, without the others."""
    player = game.position.mover
    if isinstance(raw, str) and raw in cards.MANEUVERS:
        return maneuver_actions(game, player)
    if isinstance(raw, str) and raw.startswith((BASIC_ATTACK, *game.fighter(player.seat).attacks)):
        return attack_actions(game, player)
    if raw == END_TURN and game.position.maneuvered:
        return closing_actions(game, player)
    return offered()


def assessments(game: Game) -> Iterator[Option[str]]:
    """What the active player may do in this phase, or at once of the next.  (DF-7, DF-8.1)"""
    player = game.position.mover
    if flying.may_engage(game, player):
        yield Option(ENGAGE, ENGAGE, "Engage", group="Go on")
        yield from engagements(game)
    if may_improvise(game, player):
        yield Option(IMPROVISE, IMPROVISE, IMPROVISE, group="Hand")
    for name in flying.stalls(game, player):
        yield Option(name, name, f"Cannot maneuver: {name}", group="Stall")


def refused_before_engaging(game: Game, raw: Json) -> Refusal | None:
    """Why an action is not to be had in this phase."""
    name = spelt_like(raw, (ENGAGE, IMPROVISE, IMMELMANN))
    if name is None:
        return None
    cite = {ENGAGE: _ASSESS, IMPROVISE: _IMPROVISE, IMMELMANN: _IMMELMANN}[name]
    return refusals.wrong_moment(missing_for(game, name), cite)


def missing_for(game: Game, name: str) -> str:
    """What an action of this phase lacks, and the way out."""
    if name == IMPROVISE and game.position.improvised:
        return f"{IMPROVISE} comes once a turn. Engage, or stall if you cannot maneuver."
    if not game.position.mover.piles["hand"]:
        return f"The Hand is empty: there is no card for it. {BLACKOUT} is due."
    if name == ENGAGE:
        return "No Maneuver Card has a legal end from here: a Stall effect is due. Choose one."
    return "A space to advance into is free: engage, or black out without a Maneuver Card."


# Tactical Improvisation (DF-7.1).


def may_improvise(game: Game, player: Player) -> bool:
    """Once a turn, with a card to discard.  (DF-7.1, RULING 20)"""
    return bool(player.piles["hand"]) and not game.position.improvised


def may_improvise_first(game: Game) -> str:
    """What the question about the action adds, as long as it is so."""
    may = may_improvise(game, game.position.mover)
    return f" You may begin with {IMPROVISE}." if may else ""


async def improvise(game: Game) -> None:
    """Discard a card, take a token, shuffle some in and draw as many.  (DF-7.1, RULING 20)"""
    seat = game.position.active
    piles = game.player(seat).piles
    game.position.improvised = True
    await flying.discard_one(
        game, seat, _IMPROVISE, "improvised", f"discard 1 card for {IMPROVISE}"
    )
    game.earn(seat, 1, _IMPROVISE, IMPROVISE)
    empty = not (piles["hand"] and piles["deck"])
    count = 0 if empty else await game.ask.shuffled(seat)  # nothing changes places
    if not count:
        return
    into = game.player(seat).from_hand(count, "deck")
    shuffle = piles.shuffle("deck", "deck")
    drawn = piles.move(count, "deck", "hand")
    told = counted(count, "card")
    text = f"{game.who(seat)} shuffles {told} into the Deck and draws {count}."
    game.rule(text, _IMPROVISE, into, shuffle, drawn, by=seat,
              headline=game.ask.head(seat, f"redraw {count}"))  # fmt: skip


# The menu (DF-8.1 to DF-8.5).


async def engagement(game: Game, first: str = ENGAGE) -> None:
    """Actions in any order until the player ends the turn.  (DF-8.1, DF-8.5)

    `first` is the word with which the phase was begun: "engage", or an action named at once.
    """
    if game.position.claimed is None:
        flying.claim_maneuver(game)
    name = first if first != ENGAGE else await next_action(game)
    if first != ENGAGE:
        game.position.actions += 1  # keys count on as they do after "engage"
    while name != END_TURN:
        if name not in STALLS:
            await act(game, name)
        elif await flying.stall(game, name):
            return
        name = await next_action(game)


async def next_action(game: Game) -> str:
    """What the active player does next.  (DF-8.1)"""
    game.begin()
    game.position.actions += 1
    player = game.position.mover
    done = "is done" if game.position.maneuvered else "is still to come"
    return await choose_action(
        game,
        _ENGAGE,
        f"{game.who(player.seat)}: what do you do? The Maneuver {done}.",
        partial(actions, game),
        partial(refused, game),
        several=may_play_card(game, player),  # and end the turn, or stall
    )


def actions(game: Game) -> Iterator[Option[str]]:
    """Everything the active player may do now."""
    yield from engagements(game)
    yield from closing_actions(game, game.position.mover)


def engagements(game: Game) -> Iterator[Option[str]]:
    """Maneuver, attacks and all that may be done besides.  (DF-8.1)"""
    player = game.position.mover
    yield from maneuver_actions(game, player)
    yield from attack_actions(game, player)
    yield from tactic_actions(game, player)
    yield from pilot_actions(game, player)


def refused_in_assessment(game: Game, raw: Json) -> Refusal | None:
    """Why an action is not to be had in the Assessment Phase, or at once of the next."""
    own = refused_before_engaging(game, raw)
    if own is not None:
        return own
    if flying.may_engage(game, game.position.mover):
        return refused(game, raw)
    return stall_first(game, raw)


def maneuver_actions(game: Game, player: Player) -> Iterator[Option[str]]:
    """The Maneuver Cards that could be flown; whether one is held is for the Hand to know."""
    if not game.position.maneuvered and player.piles["hand"]:
        for name in flying.open_maneuvers(game, player.seat):
            yield Option(name, name, name, group="Maneuver", sign="maneuver")


def attack_actions(game: Game, player: Player) -> Iterator[Option[str]]:
    """Attacks that have a target and are paid for.  (DF-11.1, DF-14.3)"""
    yield from _aimed(game, player, BASIC_ATTACK, fight.basic_aim(game, player.seat), 0)
    for attack in game.fighter(player.seat).attacks.values():
        if player.tokens >= attack.tokens:
            yield from _aimed(game, player, attack.name, fight.aim_of(attack), attack.tokens)


def _aimed(game: Game, player: Player, name: str, aim: Aim, tokens: int) -> Iterator[Option[str]]:
    cost = f", {counted(tokens, 'token')}" if tokens else ""
    for target in fight.in_reach(game, player.seat, aim):
        named = action_name(game, name, target)
        label = f"{named}{cost}" if named == name else f"{name} at {game.who(target.seat)}{cost}"
        yield Option(named, named, label, group="Attack", sign="attack")


def action_name(game: Game, name: str, target: Player) -> str:
    """An attack by name, and by its target where there can be more than one."""
    return name if len(game.position.players) == 2 else f"{name} {target.fighter}"


def tactic_actions(game: Game, player: Player) -> Iterator[Option[str]]:
    """Special Actions of type Tactic, Tactic Card and Tactical Actions.  (DF-14.1, DF-15)"""
    names = [t.name for t in game.fighter(player.seat).tactics.values()
             if player.tokens >= t.tokens]  # fmt: skip
    if may_play_card(game, player):
        names.append(cards.KILLER_INSTINCT)
    if player.tokens >= REGROUP_TOKENS and player.piles["discard"]:
        names.append(REGROUP)
    if player.tokens >= REPAIR_TOKENS and player.piles["damage"]:
        names.append(EMERGENCY_REPAIR)
    for name in names:
        yield Option(name, name, name, group="Tactics", sign="tactic")


def may_play_card(game: Game, player: Player) -> bool:
    """Whether a Tactic Card may be played from the Hand.

    By house rule nobody plays the card that leaves no Maneuver.  (DF-8.4, RULING 19)
    """
    hand, forbids = player.piles["hand"], game.options["late_stall"] == "forbid_action"
    return hand > 1 or bool(hand and not (forbids and not game.position.maneuvered))


def pilot_actions(game: Game, player: Player) -> Iterator[Option[str]]:
    """The Pilot Special Action, once a game, while side A is up.  (DF-14.2, DF-18)"""
    if player.pilot_side != "A":
        return
    pilot = cards.PILOTS[player.pilot]
    name = pilot.action
    if not pilot.is_aimed:
        yield Option(name, name, name, group="Pilot", sign="pilot")
        return
    for seat in game.pilot(player.seat).targets(game, player.seat):
        named = action_name(game, name, game.player(seat))
        label = name if named == name else f"{name} at {game.who(seat)}"
        yield Option(named, named, label, group="Pilot", sign="pilot")


def closing_actions(game: Game, player: Player) -> Iterator[Option[str]]:
    """End of turn, or the Stall that comes late.  (DF-8.4, DF-8.5, RULING 19)"""
    if game.position.maneuvered:
        yield Option(END_TURN, END_TURN, "End turn", group="Turn", sign="end")
        return
    for name in flying.stalls(game, player):
        yield Option(name, name, f"Cannot maneuver: {name}", group="Turn", sign="stall")


def word_before_action(game: Game, name: str) -> Notice | None:
    """A doubt about a play that cannot be, one that leads to a Stall, or a Stall that is late.

    (RULING 19)
    """
    if name in STALLS:
        return word_before_late_stall(game, name)
    player = game.position.mover
    doubt = fight.doubt_about(game, player.seat, name) if name in cards.COPIES else None
    if doubt is not None:
        return doubt
    last = player.piles["hand"] == 1 and not game.position.maneuvered
    if name == cards.KILLER_INSTINCT and last:
        text = "This is your last card: no Maneuver is left after it, and a Stall follows."
        return Notice("DF-STALL", text, _LATE, Level.WARN, "Go on anyway, or maneuver first.")
    return None


def word_before_late_stall(game: Game, name: str) -> Notice | None:
    """To whom has engaged, and so said to hold a card that nothing has taken since.  (DF-8.4)

    An Immelmann Turn needs that one of the cards meant cannot be flown any more.
    """
    claimed, player = game.position.claimed, game.position.mover
    if not claimed or game.position.stage != cards.ENGAGEMENT:
        return None
    if name == IMMELMANN and not set(claimed) <= set(flying.open_maneuvers(game, player.seat)):
        return None
    return stall_after_engaging(game.who(player.seat), game.engaged_at)


async def act(game: Game, name: str) -> None:
    """Carry out one action to its end.  (DF-8.3, RULING 28)"""
    player = game.position.mover
    fighter = game.fighter(player.seat)
    if name in cards.MANEUVERS:
        await flying.maneuver_action(game, name)
    elif name == cards.KILLER_INSTINCT:
        killer_instinct(game)
    elif name == REGROUP:
        await regroup(game)
    elif name == EMERGENCY_REPAIR:
        await emergency_repair(game)
    elif name in fighter.tactics:
        await special_tactic(game, fighter.tactics[name])
    elif name.startswith(cards.PILOTS[player.pilot].action):
        await pilot_action(game, target_named(game, name))
    else:
        await attack_named(game, name)


async def attack_named(game: Game, name: str) -> None:
    """A Basic or Special Attack at whom the name says.  (DF-11.8)"""
    seat = game.position.active
    target = game.position.fires_at = target_named(game, name)
    attacks = game.fighter(seat).attacks.values()
    specials = {action_name(game, a.name, game.player(target)): a for a in attacks}
    if name in specials:
        await fight.special_attack(game, specials[name], target)
    else:
        await fight.basic_attack(game, target)


def target_named(game: Game, name: str) -> Seat:
    """Whom an action is aimed at; with two players the other."""
    others = [p for p in game.position.players.values() if p.seat != game.position.active]
    named = (p.seat for p in others if p.fighter and name.endswith(f" {p.fighter}"))
    return next(named, others[0].seat)


# Tactic Card and Tactical Actions (DF-15).


def killer_instinct(game: Game) -> None:
    """Two tokens; the card goes back to the box.  (DF-4.5, DF-15.3)"""
    seat = game.position.active
    game.rule(f"{game.who(seat)} plays {cards.KILLER_INSTINCT}; it goes to the box.", _KILLER,
              game.play_card(seat, cards.KILLER_INSTINCT),
              game.player(seat).piles.move(1, "played", "box"), by=seat,
              headline=game.ask.head(seat, cards.KILLER_INSTINCT),
              happened=(CardLaid(seat, cards.KILLER_INSTINCT),))  # fmt: skip
    game.earn(seat, 2, _KILLER, cards.KILLER_INSTINCT)


async def regroup(game: Game) -> None:
    """Two random cards of the Discard Pile into the Hand.  (DF-15.5, RULING 14, RULING 15)"""
    seat = game.position.active
    game.pay(seat, REGROUP_TOKENS)
    player = game.player(seat)
    piles, open_before = player.piles, player.piles.seen("discard")
    count = min(REGROUP_CARDS, piles["discard"])
    shuffle = piles.shuffle("discard", "discard")
    carry = piles.move(count, "discard", "hand")
    deeds: tuple[Deed, ...] = (shuffle, carry)
    told = counted(count, "random card")
    text = (f"{game.who(seat)} pays {REGROUP_TOKENS} tokens and regroups: {told} of the "
            "shuffled Discard Pile to the Hand, the rest face up again.")  # fmt: skip
    if game.options["regroup_empties_damage"] is True and (damage := piles["damage"]):
        deeds = (*deeds, piles.move(damage, "damage", "discard"))
        text += f" {counted(damage, 'card')} of the Damage Pile face up onto it."
    headline = game.ask.head(seat, f"regroup {count}")
    game.rule(text, _REGROUP, *deeds, by=seat, headline=headline)
    open_after: Mapping[str, int] = {}
    if piles["discard"]:
        why = "the Discard Pile is face up again"
        open_after = await fight.show_cards(game, seat, "regrouped", piles["discard"], why)
    player = game.player(seat)  # an arbiter may have counted it anew meanwhile
    if sum(open_after.values()) == player.piles["discard"]:
        work_out(game, player, open_before - Counter(open_after))


def work_out(game: Game, player: Player, gone: Mapping[str, int]) -> None:
    """By house rule: what lay open before and does no more is in the Hand.  (DF-4.1)"""
    if game.options["show_deducible_cards"] is True:
        for card, number in gone.items():
            for _ in range(number):
                player.learn("hand", card)


async def emergency_repair(game: Game) -> None:
    """Up to three cards of the Damage Pile into the Deck, the rest discarded.  (DF-15.6)"""
    seat = game.position.active
    game.pay(seat, REPAIR_TOKENS)
    piles = game.player(seat).piles
    what = "how many cards of the Damage Pile do you shuffle into the Deck?"
    count = await game.ask.returned(seat, "repaired", REPAIR_CARDS, what, _REPAIR)
    back = piles.move(count, "damage", "deck")
    rest = piles["damage"]
    out = piles.move(rest, "damage", "discard")
    text = (f"{game.who(seat)} pays {REPAIR_TOKENS} tokens and repairs: "
            f"{counted(count, 'card')} into the Deck, which has {piles['deck']}; "
            f"{rest} face up onto the Discard Pile.")  # fmt: skip
    game.rule(text, _REPAIR, back, piles.shuffle("deck", "deck"), out, by=seat,
              headline=game.ask.head(seat, f"repair {count}"))  # fmt: skip
    if rest:
        await fight.show_cards(game, seat, "repaired-shown", rest, "the rest is face up")


# Special Actions of other types (DF-14.1, DF-14.2).


async def special_tactic(game: Game, tactic: SpecialTactic) -> None:
    """Slip-turn: on 3 or more Turn three times, then you may advance 1.  (DF-17.1.S2)"""
    seat = game.position.active
    game.pay(seat, tactic.tokens)
    price = counted(tactic.tokens, "token")
    game.rule(f"{game.who(seat)} pays {price} for the {tactic.name}.", tactic.cite.also(_PAID),
              by=seat, headline=game.ask.head(seat, f"pay {price}"))  # fmt: skip
    throw = tactic_throw(game, seat, tactic)
    dice = await game.roll(throw)
    if max(dice) < throw.passes:
        text = f"{game.who(seat)}'s {tactic.name} fails: {throw.passes} or more was due."
        game.rule(text, throw.cite, by=seat, headline=game.ask.head(seat, "it fails"))
        return
    same_way = game.options["multi_turn_same_direction"] is True
    sixths = turned_by(tactic.turns, same_way=same_way)
    why = f"Turn {tactic.turns} times for the {tactic.name}"
    await flying.turn_to(game, seat, sixths, tactic.cite.also(_TURNS), why, "slip")
    await may_advance(game, seat, Maneuver(tactic.name, tactic.cite, 0, 1, 0), "slip-advance")


def tactic_throw(game: Game, seat: Seat, tactic: SpecialTactic) -> Throw:
    """One die, and what a pilot adds; its 3 is called no Difficulty.  (RULING 25)"""
    bonus = game.pilot(seat).special(game, seat)
    low = max(1, tactic.low - bonus.thresholds)
    return Throw(
        "slip-turn", seat, tactic.dice + bonus.dice, tactic.cite.also(bonus.cite),
        f"the {tactic.name}", low, f"{low}+",
        bonus.told_with(f"{tactic.dice} for the {tactic.name}"),
        brings=f"On {low} or more you Turn {tactic.turns} times.",
    )  # fmt: skip


async def may_advance(game: Game, seat: Seat, flight: Maneuver, place: str) -> None:
    """Advance as far as an effect allows, or stay."""
    question = game.ask.fly(game.player(seat), flight, place, flying.late_stall(game, seat))
    arrival = await unless_alone(question)
    if arrival.end != game.player(seat).at:
        flying.arrive(game, seat, arrival, flight.cite)


async def pilot_action(game: Game, target: Seat) -> None:
    """What the action does, then the card is flipped.  (DF-14.2, DF-18)"""
    player = game.position.mover
    pilot = cards.PILOTS[player.pilot]
    text = f"{game.who(player.seat)} uses {pilot.action}."
    game.rule(text, pilot.cite, by=player.seat,
              headline=game.ask.head(player.seat, pilot.action))  # fmt: skip
    await game.pilot(player.seat).act(game, player.seat, target)
    player.pilot_side = "B"
    text = f"{game.who(player.seat)}'s Pilot Card is flipped to side B."
    flip = Flip(f"{player.seat} Pilot Card", "B")
    game.rule(text, pilot.cite.also(_FLIPS), flip, by=player.seat,
              headline=game.ask.head(player.seat, "flip the pilot"))  # fmt: skip


# Actions that a menu does not offer: the first thing that each lacks.

_ONE = Cite.of("DF-8.2")
_END = Cite.of("DF-8.2, DF-8.5")
_AIM = Cite.of("DF-11.1, DF-11.2, RULING 3")
_SPECIAL_AIM = Cite.of("DF-14.3, RULING 3")
_BETWEEN = Cite.of("DF-11.8, RULING 4")
_NAMED = Cite.of("DF-11.8, DF-19.3")
_PRICE = Cite.of("DF-14.1")
_ONCE = Cite.of("DF-14.2")
_NO_REGROUP = Cite.of("DF-15.5, DF-15.7, RULING 15")
_NO_REPAIR = Cite.of("DF-15.6, DF-15.7, RULING 15")
_PHASE = Cite.of("DF-5.1, DF-7.1")
_STALL_FIRST = Cite.of("DF-7.2, DF-7.5, RULING 16")
_LAST_CARD = Cite.of("DF-8.4, RULING 19")
_STALL = Cite.of("DF-7.2, RULING 16")
_EVASION = Cite.of("DF-4.3, DF-13.2")
_REROLL = Cite.of("DF-10.3, DF-15.4")

_OVER = "{} belongs to the Assessment Phase, which is over. Choose another action."
_STALLS = "{} is a Stall effect: a Maneuver is possible, or has been flown."
_EVADES = "{} answers an attack on you. Choose another action."
_DICE = "{} rolls dice again while they lie there. Choose another action."

_WRONG_MOMENT: Mapping[str, tuple[str, Cite]] = {
    END_TURN: ("A Maneuver is still to come: fly one, or stall.", _END),
    "engage": (_OVER, _PHASE),
    "Tactical Improvisation": (_OVER, _PHASE),
    "Blackout": (_STALLS, _STALL),
    "Immelmann Turn": (_STALLS, _STALL),
    **dict.fromkeys(cards.EVASIONS, (_EVADES, _EVASION)),
    "Focus": (_DICE, _REROLL),
}
"""What is right at another moment: why not now, and where the book says so."""


def refused(game: Game, raw: Json) -> Refusal | None:
    """The refusal for an action that exists but is not to be had; None for an unknown name."""
    said = str(raw)
    for judge in (_maneuver, _attack, _tokens_first, _pilot):
        refusal = judge(game, said)
        if refusal is not None:
            return refusal
    return _moment(said)


def _maneuver(game: Game, said: str) -> Refusal | None:
    name = spelt_like(said, cards.MANEUVERS)
    if name is None:
        return None
    if game.position.maneuvered:
        text = "One Maneuver Action a turn, and it is done. Choose another action, or end the turn."
        return wrong_moment(text, _ONE)
    if not game.position.mover.piles["hand"]:
        return wrong_moment("The Hand is empty: there is no card to play.", _ONE)
    text = f"The {name} has no legal end from here. Choose another card."
    return wrong_moment(text, Cite.of("DF-9.3, DF-9.4"))


def _attack(game: Game, said: str) -> Refusal | None:
    """Names of attacks, with or without a target."""
    player = game.position.mover
    cite = game.pilot(player.seat).aim_cite(game, player.seat, _AIM)
    attacks = {"Basic Attack": (0, fight.basic_aim(game, player.seat), cite)}
    for attack in game.fighter(player.seat).attacks.values():
        attacks[attack.name] = (attack.tokens, fight.aim_of(attack), _SPECIAL_AIM)
    fitting = [name for name in attacks if said.lower().startswith(name.lower())]
    if not fitting:
        return None
    name = max(fitting, key=len)
    cost, aim, cite = attacks[name]
    if player.tokens < cost:
        return tokens_short(name, cost, player.tokens, _PRICE)
    return _no_target(game, said[len(name) :].strip().lower(), name, aim, cite)


def _no_target(game: Game, wanted: str, name: str, aim: Aim, cite: Cite) -> Refusal:
    """Whom an attack named does not reach and why, or that it must name its target."""
    seat = game.position.active
    targets = [t for t in game.targets(seat) if wanted in ("", t.fighter, t.seat.lower())]
    if not targets:
        known = ", ".join(f"{t.fighter} ({game.who(t.seat)})" for t in game.targets(seat))
        meant = player_named(game.position, wanted)
        whom = game.who(meant) if meant is not None else brief(wanted)
        text = f"{whom} is no target; targets: {known}. Name one of them."
        return no_aim(text, _NAMED)
    reached = [t for t in targets if not fight.miss(game, seat, t, aim)]
    if reached:
        names = ", ".join(action_name(game, name, t) for t in reached)
        return no_aim(f"Say at whom: {names}.", _NAMED)
    missed = [(t, fight.miss(game, seat, t, aim)) for t in targets]
    reasons = "; ".join(f"{game.who(t.seat)} {_reason(why, aim)}" for t, why in missed)
    hidden = all(why == HIDDEN for _, why in missed)
    text = f"{name} has no target: {reasons}. Choose another action."
    return no_aim(text, _BETWEEN if hidden else cite)


def _reason(missed: str, aim: Aim) -> str:
    """What is wrong with a target, in a sentence."""
    reach = f"{aim.nearest} to {aim.farthest}" if aim.farthest > aim.nearest else f"{aim.nearest}"
    reasons = {
        "line": "does not stand straight ahead",
        "range": f"is out of range, which is {reach}",
        "Rear": "does not show its Rear",
        HIDDEN: "is hidden behind another Fighter",
    }
    return reasons[missed]


def _tokens_first(game: Game, said: str) -> Refusal | None:
    """Actions that cost tokens, or need cards somewhere."""
    player = game.position.mover
    costs = {t.name: (t.tokens, t.cite) for t in game.fighter(player.seat).tactics.values()}
    costs |= {REGROUP: (REGROUP_TOKENS, _NO_REGROUP), EMERGENCY_REPAIR: (REPAIR_TOKENS, _NO_REPAIR)}
    name = spelt_like(said, costs)
    if name is None:
        return _killer(game, said)
    cost, cite = costs[name]
    if player.tokens < cost:
        return tokens_short(name, cost, player.tokens, cite)
    pile = "Discard Pile" if name == REGROUP else "Damage Pile"
    return wrong_moment(f"{name} needs a card in the {pile}; there is none.", cite)


def _killer(game: Game, said: str) -> Refusal | None:
    if spelt_like(said, (cards.KILLER_INSTINCT,)) is None:
        return None
    if not game.position.mover.piles["hand"]:
        return wrong_moment("The Hand is empty: there is no card to play.", _ONE)
    text = f"{cards.KILLER_INSTINCT} is the last card: no Maneuver would be left. Maneuver first."
    return wrong_moment(text, _LAST_CARD)


def _pilot(game: Game, said: str) -> Refusal | None:
    player = game.position.mover
    pilot = cards.PILOTS[player.pilot]
    action = pilot.action
    if not said.lower().startswith(action.lower()):
        return None
    if player.pilot_side == "B":
        text = f"{action} was used: the Pilot Card shows side B. Once in a game."
        return wrong_moment(text, _ONCE)
    if pilot.is_aimed:
        return no_aim(*game.pilot(player.seat).why_no_target(action))
    return None


def _moment(said: str) -> Refusal | None:
    """The right words at the wrong moment."""
    name = spelt_like(said, _WRONG_MOMENT)
    if name is None:
        return None
    text, cite = _WRONG_MOMENT[name]
    return wrong_moment(text.format(name), cite)


def stall_first(game: Game, raw: Json) -> Refusal | None:
    """An action of the Engagement Phase, where no Maneuver is possible.  (DF-7.2, DF-7.5)"""
    player = game.position.mover
    fighter = game.fighter(player.seat)
    names = (
        "Basic Attack",
        *fighter.attacks,
        *fighter.tactics,
        *cards.MANEUVERS,
        cards.KILLER_INSTINCT,
        REGROUP,
        EMERGENCY_REPAIR,
        END_TURN,
        cards.PILOTS[player.pilot].action,
    )
    said = str(raw).lower()
    if not any(said.startswith(name.lower()) for name in names):
        return None
    text = "No Maneuver is possible: a Stall is due, and the Engagement Phase is skipped."
    return wrong_moment(text, _STALL_FIRST)
