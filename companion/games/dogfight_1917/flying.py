"""Movement: Maneuver Cards, Turns, Momentum, Dead Six; and Stalling.  (DF-7.2 to 7.6, DF-9)"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from companion.core.ruling import CardLaid, Cite, Seat
from companion.games.dogfight_1917.asks import Throw
from companion.games.dogfight_1917.cards import Maneuver, with_article
from companion.games.dogfight_1917.game import Crash
from companion.games.dogfight_1917.moves import (
    TURNS,
    LateStall,
    bands,
    flyable,
    good_from,
    in_words,
)
from companion.kit.hexes import CENTER, Heading, rear

if TYPE_CHECKING:
    from companion.core.question import Choose
    from companion.games.dogfight_1917.game import Game
    from companion.games.dogfight_1917.moves import Arrival, Due
    from companion.games.dogfight_1917.position import Player

T = TypeVar("T")

_TURN = Cite.of("DF-9.5")
_TURNS = Cite.of("DF-9.5, RULING 5")
_AGAIN = Cite.of("DF-9.8")
_SELF_DAMAGE = Cite.of("DF-12.4")
_MOMENTUM = Cite.of("DF-11.6, RULING 10")
_DEAD_SIX = Cite.of("DF-13.5, RULING 9")

ENGAGE, IMPROVISE = "engage", "Tactical Improvisation"
BLACKOUT, IMMELMANN = STALLS = "Blackout", "Immelmann Turn"

_IMMELMANN = Cite.of("DF-7.3, RULING 17")
_BLACKOUT = Cite.of("DF-7.4, RULING 17")
_BLOCKED = Cite.of("DF-7.4, RULING 18")
_PROOF = Cite.of("DF-7.4, RULING 17")


# Maneuver Action (DF-9.6).


async def maneuver_action(game: Game, name: str) -> None:
    """Play a Maneuver Card, fly it, then its Conditional Effect.  (DF-8.2, DF-9.6, DF-9.10)"""
    seat = game.position.active
    card = game.fighter(seat).maneuvers[name]
    carry = game.play_card(seat, name)
    game.rule(f"{game.who(seat)} plays the {name}.", card.cite, carry, by=seat,
              headline=game.ask.head(seat, f"play {name.partition(' ')[0]}"),
              happened=(CardLaid(seat, name),))  # fmt: skip
    game.position.maneuvered = True
    due = await fly(game, seat, card)
    if due:
        await conditional_effect(game, seat, card, due)
    await game.pilot(seat).after_maneuver(game, seat)
    game.discard_played(seat)


async def fly(game: Game, seat: Seat, card: Maneuver) -> Due:
    """Advance and optional Turns; what the path flown makes due.  (DF-9.1 to DF-9.7)"""
    arrival = await game.ask.fly(game.player(seat), card)
    due = await way_flown(game, seat, card, arrival)
    arrive(game, seat, arrival, card.cite)
    return due


async def way_flown(game: Game, seat: Seat, card: Maneuver, arrival: Arrival) -> Due:
    """Asked for only where ways to one end pose differ in what they make due.  (DF-9.7)"""
    if arrival.is_plain:
        return next(iter(arrival.ways))
    return await game.ask.way(game.player(seat), card, arrival.end)


def arrive(game: Game, seat: Seat, arrival: Arrival, cite: Cite) -> None:
    """The plane stands at its end pose; a Tactical Position pays.  (DF-9.9)"""
    move_to(game, seat, arrival.end, cite, "flies to", told=True)
    if arrival.moves:
        game.collect(seat)


def move_to(
    game: Game, seat: Seat, end: Heading, cite: Cite, verb: str, *, told: bool = False
) -> None:
    """The model is put there; said in a sentence. `told`: a player has said or shown it."""
    text = f"{game.who(seat)} {verb} {end.name()}."
    headline = game.ask.head(seat, end.name())
    game.rule(text, cite, game.put(seat, end), by=seat, headline=headline, quiet=told)


async def conditional_effect(game: Game, seat: Seat, card: Maneuver, due: Due) -> None:
    """One die, compulsory, decides about all effects that are due.  (DF-9.7)"""
    cite = card.condition_cite
    throw = Throw("condition", seat, 1, cite, f"the {card.name}'s Conditional Effect",
                  passes=min((c.low for c in due if c.high == 6), default=0),
                  against=" / ".join(bands(due)), good_from=good_from(due),
                  brings=in_words(due))  # fmt: skip
    (die,) = await game.roll(throw)
    happening = [check.effect for check in due if check.happens(die)]
    if not happening:
        text = f"{game.who(seat)} rolled {die}: nothing happens."
        game.rule(text, cite, by=seat, headline=game.ask.head(seat, f"{die}: nothing"))
    for effect in happening:
        await carry_out(game, seat, card, effect, die)


async def carry_out(game: Game, seat: Seat, card: Maneuver, effect: str, die: int) -> None:
    """One Conditional Effect: a token, damage to oneself, a Turn, or the card once more."""
    cite = card.condition_cite
    match effect:
        case "token":
            game.earn(seat, 1, cite, f"the die shows {die}")
        case "damage":
            await game.take_damage(seat, 1, cite.also(_SELF_DAMAGE))
        case "turn":
            await may_turn(game, seat, 1, cite, f"you rolled {die} and may Turn once", "turn")
        case _:
            await fly_again(game, seat, card)


async def fly_again(game: Game, seat: Seat, card: Maneuver) -> None:
    """Advance and Turns once more, if the player likes; nothing is checked.  (DF-9.8)"""
    player = game.player(seat)
    if not any(flyable(game.table.board, player.at, [card], game.position.occupied(seat))):
        text = f"{game.who(seat)} has no space to fly on to: the card is not flown once more."
        game.rule(text, _AGAIN, by=seat, headline=game.ask.head(seat, "no second flight"))
        return
    arrival = await game.ask.again(player, card)
    if arrival is not None:
        arrive(game, seat, arrival, card.cite.also(_AGAIN))


def adjacent_opponents(game: Game, seat: Seat) -> list[Seat]:
    """Opposing Fighters exactly 1 space away, in any direction.  (RULING 43)"""
    here = game.player(seat).at.hex
    return [p.seat for p in game.opponents(seat) if here.distance(p.at.hex) == 1]


# Turns, Momentum, Dead Six (DF-9.5, DF-11.6, DF-13.5).


async def may_turn(game: Game, seat: Seat, turns: int, cite: Cite, why: str, place: str) -> None:
    """So many optional Turns, all or none, on the spot.  (DF-9.5, RULING 5)"""
    ruled = cite.also(_TURN if turns == 1 else _TURNS)
    await turn_to(game, seat, TURNS[turns], ruled, why, place)


async def turn_to(
    game: Game, seat: Seat, sixths: Sequence[int], cite: Cite, why: str, place: str
) -> None:
    """A rotation by one of these sixths; 0 among them means that it may be left.  (DF-9.5)"""
    player = game.player(seat)
    question = game.ask.turn(player, place, sixths, cite, why, late_stall(game, seat))
    end, told = await told_unless_alone(question)
    if end != player.at:
        move_to(game, seat, end, cite, "turns to", told=told)


async def told_unless_alone(question: Choose[T]) -> tuple[T, bool]:
    """Where a plane ends, and whether a player has told it.

    The only end is not asked for, unless there is a word to be heard before it.  (DF-8.4)
    """
    first, *others = question.options_now()
    if others or question.word_before(first.name) is not None:
        return await question, True
    return first.value, False


async def momentum(game: Game, seat: Seat) -> None:
    """After a Basic Attack advance 1 space, if any Front space is free.  (DF-11.6)"""
    if not momentum_ends(game, seat):
        text = f"{game.who(seat)} has no free Front space: no Momentum."
        game.rule(text, _MOMENTUM, by=seat, headline=game.ask.head(seat, "no Momentum"))
        return
    question = game.ask.pose(
        game.player(seat),
        "momentum",
        lambda: momentum_ends(game, seat),
        _MOMENTUM,
        "advance 1 space by Momentum",
        late_stall(game, seat),
    )
    end, told = await told_unless_alone(question)
    move_to(game, seat, end, _MOMENTUM, "goes on to", told=told)
    game.collect(seat)


def momentum_ends(game: Game, seat: Seat) -> list[Heading]:
    """The Front spaces that are free.  (RULING 10)"""
    return game.table.board.free_front(game.player(seat).at, game.position.occupied(seat))


def late_stall(game: Game, seat: Seat) -> LateStall | None:
    """What to watch in own moves while the Maneuver is to come.  (DF-8.4, RULING 19)"""
    if seat != game.position.active or game.position.maneuvered:
        return None
    forbidden = game.options["late_stall"] == "forbid_action"
    return LateStall(
        lambda end: end == game.player(seat).at,
        lambda end: not any(open_maneuvers(game, seat, end)),
        forbidden,
    )


def open_maneuvers(game: Game, seat: Seat, start: Heading | None = None) -> Iterator[str]:
    """The Maneuver Cards that have a legal end from where the Fighter stands, or from there."""
    at, occupied = start or game.player(seat).at, game.position.occupied(seat)
    cards = game.fighter(seat).maneuvers.values()
    return flyable(game.table.board, at, cards, occupied)


async def dead_six(game: Game, seat: Seat, opponent: Seat, cite: Cite) -> None:
    """Behind the opponent, facing it; lost if no Rear space is free.  (DF-13.5, RULING 9)"""
    ruled = cite.also(_DEAD_SIX)
    if not rear_places(game, seat, opponent):
        text = f"{game.who(seat)}'s Dead Six is lost: no Rear space is free."
        game.rule(text, ruled, by=seat, headline=game.ask.head(seat, "no Dead Six"))
        return
    question = game.ask.pose(
        game.player(seat),
        "dead six",
        lambda: rear_places(game, seat, opponent),
        ruled,
        f"move behind {game.who(opponent)} by Dead Six",
        late_stall(game, seat),
    )
    end, told = await told_unless_alone(question)
    moved = end.hex != game.player(seat).at.hex
    move_to(game, seat, end, ruled, "takes Dead Six at", told=told)
    if moved:
        game.collect(seat)


def rear_places(game: Game, seat: Seat, opponent: Seat) -> list[Heading]:
    """The opponent's Rear spaces that are free, each facing it.  (DF-13.5)"""
    target = game.player(opponent).at
    occupied = game.position.occupied(seat)
    places = [Heading(target.hex.ahead(way), (way + 3) % 6) for way in rear(target.facing)]
    return [p for p in places if p.hex in game.table.board and p.hex not in occupied]


# Stalling (DF-7.2 to DF-7.6).


def may_engage(game: Game, player: Player) -> bool:
    """Whether a Maneuver could be flown, as far as all can see.  (DF-7.2, RULING 16)"""
    if game.options["stall_test"] == "declared":
        return True
    return bool(player.piles["hand"]) and any(open_maneuvers(game, player.seat))


def claim_maneuver(game: Game) -> None:
    """Who engages says that a Maneuver can be flown: with one of these cards.  (DF-7.2)

    By house rule (stall_test) a later way out may be meant, and nothing is claimed.
    """
    declared = game.options["stall_test"] == "declared"
    game.position.claimed = () if declared else tuple(open_maneuvers(game, game.position.active))


def stalls(game: Game, player: Player) -> list[str]:
    """The Stall effects that may be due, as far as all can see.  (RULING 17)

    Who holds no Maneuver Card takes Blackout; who holds some, none of them legal, Immelmann;
    with neither card nor free Front space the player chooses. Into a free one all cards fly.
    """
    if not player.piles["hand"]:
        return [BLACKOUT]
    front = game.table.board.free_front(player.at, game.position.occupied(player.seat))
    return [BLACKOUT] if front else [BLACKOUT, IMMELMANN]


async def stall(game: Game, effect: str) -> bool:
    """Carry out a Stall effect; False if the Hand shows that none is due.  (DF-7.3 to 7.6)"""
    player = game.position.mover
    if effect == BLACKOUT and not await hand_has_none(game, player):
        return False
    if not player.piles["deck"]:
        await game.crash(player.seat, Crash.STALLED)
    elif effect == IMMELMANN:
        await immelmann(game, player)
    else:
        blackout(game, player)
    return True


async def hand_has_none(game: Game, player: Player) -> bool:
    """The claim to hold no Maneuver Card: believed, or shown by house rule.  (DF-7.4)"""
    if game.options["blackout_proof"] == "honour" or not player.piles["hand"]:
        return True
    if not await game.ask.hand_shown(player.seat, _PROOF):
        return True
    game.rule(f"{game.who(player.seat)} holds a Maneuver Card: no Blackout.", _PROOF,
              by=player.seat, headline=game.ask.head(player.seat, "no Blackout"))  # fmt: skip
    return False


async def discard_one(game: Game, seat: Seat, cite: Cite, place: str, why: str) -> None:
    """A card of the player's choice goes face up to the Discard Pile."""
    card = await game.ask.shown_card(seat, place, why, cite)
    player = game.player(seat)
    if not player.piles["hand"]:  # an arbiter has emptied it meanwhile
        game.rule(f"{game.who(seat)} has no card to discard.", cite, by=seat,
                  headline=game.ask.head(seat, "no card"))  # fmt: skip
        return
    carry = player.from_hand(1, "discard", card)
    if card:
        player.learn("discard", card)
    text = f"{game.who(seat)} discards {with_article(card or 'card')}."
    game.rule(text, cite, carry, by=seat, headline=game.ask.head(seat, "discard 1"))


async def immelmann(game: Game, player: Player) -> None:
    """Discard a card of choice, turn about on the spot.  (DF-7.3)"""
    seat = player.seat
    await discard_one(game, seat, _IMMELMANN, "immelmann", f"discard 1 card for the {IMMELMANN}")
    move_to(game, seat, player.at.turned(3), _IMMELMANN, "turns about to")


def blackout(game: Game, player: Player) -> None:
    """The top card to the Damage Pile, then one space straight ahead.  (DF-7.4, RULING 18)"""
    seat = player.seat
    carry = player.piles.move(1, "deck", "damage")
    text = f"{game.who(seat)} blacks out: the top card goes to the Damage Pile."
    game.rule(text, _BLACKOUT, carry, by=seat, headline=game.ask.head(seat, "Blackout"))
    end = player.at.advanced(CENTER)
    free = end.hex in game.table.board and end.hex not in game.position.occupied(seat)
    if free:
        move_to(game, seat, end, _BLACKOUT, "drifts to")
        game.collect(seat)
    else:
        text = f"{game.who(seat)} cannot drift straight ahead and stays on its space."
        game.rule(text, _BLOCKED, by=seat, headline=game.ask.head(seat, "no drift"))
