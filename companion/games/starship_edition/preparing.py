"""The Preparation Phase and the Action Phase, as functions of a game.  (SE-PRE, SE-ACT)

Preparation: draw, set or pass by tier; locks; second cards; abilities. Action: vessel abilities,
then tier by tier.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from companion.core.question import Option, Refusal
from companion.core.ruling import CardLaid, Carry, Cite, Seat
from companion.games.starship_edition import refusals, seats
from companion.games.starship_edition.asks import MARKED, Act, Played, titled
from companion.games.starship_edition.boards import name_of
from companion.games.starship_edition.cards import UNKNOWN, Card, Equip, permits
from companion.games.starship_edition.coinciding import Due, Event
from companion.games.starship_edition.fighting import OF_ABILITIES
from companion.games.starship_edition.game import Cause
from companion.games.starship_edition.player import Player, Tier, pile_at
from companion.games.starship_edition.seats import tier_pile

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.starship_edition.cards import SetSecondary
    from companion.games.starship_edition.effects import Effects


_DRAW = Cite.of("SE-PRE-02, SE-PRE-04")
_SET = Cite.of("SE-PRE-02, SE-PRE-03")
_PASS = Cite.of("SE-PRE-02, SE-PRE-04")
_SECOND = Cite.of("SE-DBL-01, SE-DBL-02, SE-R07, RULING 7")
_REARRANGE = Cite.of("SE-LCK-01, SE-R06, RULING 6")
_ABILITY = Cite.of("SE-ABL-01, SE-R04, RULING 4")
_PLAY = Cite.of("SE-PRE-02, SE-PRE-04, SE-R17, RULING 17")
_END = Cite.of("SE-PRE-01, SE-PRE-05")
_TOKEN = Cite.of("SE-R09, RULING 9")
_SKIPPED = Cite.of("SE-R12, RULING 12")

END, SECOND, SWAP, EXCHANGE, RETRACT, ABILITY, DRIFT = (
    "end", "second", "swap", "exchange", "retract", "ability", "drift",
)  # fmt: skip


RETRACTABLE = "pass_retractable"
"""The house rule under which a tier that was passed may be set after all."""


async def preparation(game: Effects) -> None:
    """Each in turn order, the Priority player first, completes the whole.  (SE-PRE-01)"""
    for seat in game.position.turn_order():
        if not game.player(seat).prepared and not game.player(seat).out:
            game.position.active, game.position.steps = seat, 0
            game.begin()
            await prepare(game, seat)


async def prepare(game: Effects, seat: Seat) -> None:
    """Whatever this player does, until the Preparation is ended.  (SE-PRE-02 to SE-PRE-05)"""
    while not game.player(seat).out:
        acts = list(open_acts(game, seat))
        act = await game.ask.preparation(seat, acts, lambda raw: _refuse(game, raw, seat))
        game.position.steps += 1
        if act.verb == END or game.player(seat).out:
            break
        with game.ask.at("prepare", seat, game.position.steps):
            await _DOES[act.verb](game, seat, act)
        game.settle()
    player = game.player(seat)
    player.prepared, player.locked = True, False
    if not player.out:
        game.tell(seat, "has prepared.", _END, "prepared", quiet=True)


def _refuse(game: Effects, raw: Json, seat: Seat) -> Refusal | None:
    player = game.player(seat)
    return refusals.preparing(
        raw,
        player,
        game.abilities(seat),
        game.cards(),
        can_draw=game.can_draw(seat),
        drift=must_drift(game, player),
    )


# What may be done.


def open_acts(game: Effects, seat: Seat) -> Iterator[Option[Act]]:
    """Everything that the player who prepares may do now."""
    player = game.player(seat)
    if player.has_tiers_left:
        yield from _tier_acts(game, player)
    yield from _plays(game, player, "star")
    if player.hand:
        yield _act(seats.PLAY, "Play another card", "Play", UNKNOWN)
    tier = player.tier(len(player.tiers))
    if tier is not None and tier.holds_set_card and tier.cards == 1 and player.hand:
        yield _act(SECOND, f"Second card in tier {len(player.tiers)}", "Set")
    if not player.locked:
        yield from _rearranging(game, player)
    for name, ability in game.abilities(seat).items():
        if _may_declare(game, player, name):
            yield _act(ABILITY, ability.title, "Ability", name)
    if must_drift(game, player):
        yield _act(DRIFT, "Drift one space", "Move")
    elif not player.has_tiers_left:
        yield _act(END, "Preparation is done", "Done")._replace(sign="end")


def _tier_acts(game: Effects, player: Player) -> Iterator[Option[Act]]:
    group = f"Tier {player.next_tier}"
    if game.can_draw(player.seat):
        yield _act(seats.DRAW, f"Draw{MARKED}", group)
    if player.hand:
        yield _act(seats.SET, "Set a card", group)
    yield _act(seats.PASS, f"Pass{MARKED}", group)
    yield from _plays(game, player, "jump")


def _plays(game: Effects, player: Player, form: str) -> Iterator[Option[Act]]:
    """Cards of the catalogue for the Preparation; a star takes no tier action."""
    for name, card in game.cards().items() if player.hand else ():
        fits = card.form == form and card.used_in("prep")
        if fits and game.can_pay_from_hand(player.seat, card):
            token = MARKED if form == "jump" else ""
            yield _act(seats.PLAY, f"Play {card.title}{token}", "Play", name)


def _rearranging(game: Effects, player: Player) -> Iterator[Option[Act]]:
    places = player.places()
    if player.hand:
        for place in places:
            yield _act(EXCHANGE, f"Exchange {place} with hand", "Rearrange", place)
    for one, other in combinations(places, 2):
        yield _act(SWAP, f"Swap {one} and {other}", "Rearrange", one, other)
    if player.hand and game.options[RETRACTABLE] == "yes":
        for number, tier in enumerate(player.tiers, 1):
            if tier.action == seats.PASS and not tier.cards:
                yield _act(RETRACT, f"Set in tier {number} after all", "Rearrange", str(number))


def _may_declare(game: Effects, player: Player, name: str) -> bool:
    ability = game.table.abilities[name]
    spent = name in player.used and ability.once_a_turn
    return not spent and game.can_pay(player.seat, ability.cost)


def must_drift(game: Effects, player: Player) -> bool:
    """Whether the vessel, if it is mobile, still has to move one space.  (SE-R25, RULING 25)"""
    if game.options["drift"] != "on" or player.drifted or player.out:
        return False
    if not game.stat(player.seat, "mobility"):
        return False
    star_map = game.position.map
    return star_map is None or bool(game.ends(star_map, player, 1, 1))


# Tier actions.


async def do_draw(game: Effects, seat: Seat, _act: Act) -> None:
    """The top card of the own deck, at once; a reminder token lies there.  (SE-PRE-04)"""
    player = game.player(seat)
    player.tiers.append(Tier(seats.DRAW))
    number = len(player.tiers)
    game.tell(seat, f"draws for tier {number}; a reminder token lies there.", _DRAW,
              f"tier {number}: draw")  # fmt: skip
    game.draw(seat, 1)


async def do_set(game: Effects, seat: Seat, _act: Act) -> None:
    """A card from the hand, face down.  (SE-PRE-02)"""
    set_card(game, seat)


def set_card(game: Effects, seat: Seat) -> None:
    """A card face down into the next tier."""
    player = game.player(seat)
    player.hand -= 1
    player.tiers.append(Tier(seats.SET, seats.FACE_DOWN))
    number = len(player.tiers)
    game.tell(seat, f"sets a card in tier {number}.", _SET, f"tier {number}: set",
              Carry(seat, 1, seats.HAND, tier_pile(number)), quiet=True)  # fmt: skip


async def do_pass(game: Effects, seat: Seat, _act: Act) -> None:
    """Nothing; a reminder token lies there.  (SE-PRE-04)"""
    pass_tier(game, seat)


def pass_tier(game: Effects, seat: Seat) -> None:
    """A reminder token in the next tier."""
    player = game.player(seat)
    player.tiers.append(Tier(seats.PASS))
    number = len(player.tiers)
    game.tell(seat, f"passes tier {number}; a reminder token lies there.", _PASS,
              f"tier {number}: pass", quiet=True)  # fmt: skip


async def do_play(game: Effects, seat: Seat, act: Act) -> None:
    """A card for the Preparation, from the hand; one that jumps in takes the tier action."""
    played = Played(act.what)
    if act.what == UNKNOWN:
        played = await _name_played(game, seat)
        if game.player(seat).out:
            return
    card = game.card(played.card)
    if (played.form if card is None else card.form) != "star":
        player = game.player(seat)
        player.tiers.append(Tier(seats.PLAY))
        number = len(player.tiers)
        game.tell(seat, f"uses tier {number} to play a card; a reminder token lies there.",
                  _PLAY, f"tier {number}: play", quiet=True)  # fmt: skip
    await game.use_from_hand(seat, played, "prep")


async def _name_played(game: Effects, seat: Seat) -> Played:
    """A title for a card that the catalogue lacks, if somebody types one."""
    question = game.ask.activate(seat, "played", {})
    question.prompt = f"{game.who(seat)} plays a card that is not listed. What is its title?"
    cards = game.cards()
    question.named = lambda raw: titled(raw, cards)
    played = await question
    return played._replace(form=await game.form_of_unknown(seat))


async def do_second(game: Effects, seat: Seat, _act: Act) -> None:
    """A second card behind the first, before the next tier is begun.  (SE-DBL-02, RULING 7)"""
    lay_second(game, seat, len(game.player(seat).tiers))


def lay_second(game: Effects, seat: Seat, number: int, *, permitted: bool = False) -> str:
    """A card from the hand, face down, into a tier: which it is there, mostly "secondary"."""
    player = game.player(seat)
    tier = player.tiers[number - 1]
    if not tier.primary:
        tier.primary, place, cite = seats.FACE_DOWN, tier_pile(number), _TOKEN
        which = "primary"
    else:
        tier.secondary, place, cite = seats.FACE_DOWN, tier_pile(number, secondary=True), _SECOND
        tier.permitted, which = permitted, "secondary"
    player.hand -= 1
    named = "second" if which == "secondary" else "first"
    game.tell(seat, f"sets a {named} card in tier {number}.", cite, f"tier {number}: +1 card",
              Carry(seat, 1, seats.HAND, place), quiet=True)  # fmt: skip
    return which


# Rearranging.


async def do_exchange(game: Effects, seat: Seat, act: Act) -> None:
    """A set card for one from the hand.  (SE-LCK-01, RULING 6)"""
    pile = pile_at(act.what)
    text = f"exchanges the card in {_place(act.what)} with one from hand."
    game.tell(seat, text, _REARRANGE, f"exchange {act.what}", Carry(seat, 1, pile, seats.ASIDE),
              Carry(seat, 1, seats.HAND, pile), Carry(seat, 1, seats.ASIDE, seats.HAND),
              quiet=True)  # fmt: skip


async def do_swap(game: Effects, seat: Seat, act: Act) -> None:
    """Two set cards change places.  (SE-LCK-01, RULING 6)"""
    one, other = pile_at(act.what), pile_at(act.other)
    text = f"swaps the cards in {_place(act.what)} and {_place(act.other)}."
    game.tell(seat, text, _REARRANGE, f"swap {act.what} and {act.other}",
              Carry(seat, 1, one, seats.ASIDE), Carry(seat, 1, other, one),
              Carry(seat, 1, seats.ASIDE, other), quiet=True)  # fmt: skip


async def do_retract(game: Effects, seat: Seat, act: Act) -> None:
    """A tier that was passed is set after all, by house rule.  (RULING 6)"""
    player, number = game.player(seat), int(act.what)
    player.tiers[number - 1] = Tier(seats.SET, seats.FACE_DOWN)
    player.hand -= 1
    game.tell(seat, f"sets a card in tier {number} instead of passing.", _REARRANGE,
              f"tier {number}: set", Carry(seat, 1, seats.HAND, tier_pile(number)),
              quiet=True)  # fmt: skip


# Abilities and drift.


async def do_ability(game: Effects, seat: Seat, act: Act) -> None:
    """An elective ability: named, paid at once, carried out later.  (SE-ABL-01, RULING 4)"""
    ability = game.table.abilities[act.what]
    player = game.player(seat)
    player.used.append(act.what)
    player.declared.append(act.what)
    game.tell(seat, f"declares {ability.title}.", _ABILITY, "ability", quiet=True)
    await game.pay(seat, ability.cost, ability.title)
    if ability.when == "preparation":
        game.settle()
        await carry_out_ability(game, seat, act.what)


async def do_drift(game: Effects, seat: Seat, _act: Act) -> None:
    """The vessel moves one space, by house rule.  (SE-R25, RULING 25)"""
    await game.move_vessel(seat, seat, 1, 1)
    player = game.player(seat)
    if player.out:
        return
    player.drifted = True
    where = f", and is on {name_of(player.space)}" if player.space is not None else ""
    game.tell(seat, f"has drifted{where}.", Cite.of("SE-R25, RULING 25"), "drifted", quiet=True)


# Tiers in the Action Phase.


async def prepare_extra(game: Effects, seat: Seat) -> None:
    """A tier granted in the Action Phase is prepared at once.  (SE-R11, RULING 11)"""
    action = await game.ask.extra_tier(seat, can_draw=game.can_draw(seat))
    if game.player(seat).out:
        return
    if action == seats.DRAW:
        await do_draw(game, seat, Act(seats.DRAW))
    elif action == seats.SET:
        set_card(game, seat)
    else:
        pass_tier(game, seat)


async def set_secondary(game: Effects, _step: SetSecondary, cause: Cause) -> None:
    """A card from the hand into an own tier still to come, or this one.  (SE-DBL-03)

    That effect permits it; in the tier of the card that acts it is resolved after that card.
    """
    seat = cause.seat
    player = game.player(seat)
    open_tiers = [
        Option(str(number), str(number), f"Tier {number}", group="Tier")
        for number, tier in enumerate(player.tiers, 1)
        if tier.cards < seats.MOST_IN_TIER and (number == cause.tier or not tier.resolved)
    ]
    if not player.hand or not open_tiers:
        game.tell(seat, "has no card or no tier for a second card.", _SKIPPED, "skipped",
                  quiet=True)  # fmt: skip
        return
    what = "into which tier do you set the second card?"
    chosen = await game.ask.one_of("tier", seat, open_tiers, _SECOND, what, "which tier?",
                                   lambda raw: refusals.full(raw, player))  # fmt: skip
    if game.player(seat).out:
        return
    which = lay_second(game, seat, int(chosen), permitted=True)
    if int(chosen) == cause.tier:
        game.laid_now.append(which)


def _act(verb: str, label: str, group: str, what: str = "", other: str = "") -> Option[Act]:
    name = " ".join(filter(None, (verb, what, other)))
    return Option(name, Act(verb, what, other), label, group=group)


def _place(place: str) -> str:
    """A place in the tiers, in a sentence."""
    return f"tier {place.rstrip('b')}{' (second)' if place.endswith('b') else ''}"


_DOES: Mapping[str, Callable[[Effects, Seat, Act], Awaitable[None]]] = {
    seats.DRAW: do_draw,
    seats.SET: do_set,
    seats.PASS: do_pass,
    seats.PLAY: do_play,
    SECOND: do_second,
    EXCHANGE: do_exchange,
    SWAP: do_swap,
    RETRACT: do_retract,
    ABILITY: do_ability,
    DRIFT: do_drift,
}


# Vessel abilities, then tier by tier.  (SE-ACT, SE-TLN, SE-DBL)

_ABILITIES = Cite.of("SE-ACT-01, SE-ACT-02")
_OWN_ORDER = Cite.of("SE-R10, RULING 10")
_ACTIVATE = Cite.of("SE-ACT-04")
_TURNED_OVER = Cite.of("SE-ACT-05")
_DOUBLE = Cite.of("SE-DBL-04")
_VOID = Cite.of("SE-DBL-01, SE-R08, RULING 8")
_COST = Cite.of("SE-R12, RULING 12")
_DUAL = Cite.of("SE-R08, RULING 8")
_TIMELINE = Cite.of("SE-ACT-03, SE-TLN-01")
_EXTRA = Cite.of("SE-TLN-02, SE-R11, RULING 11")


# Step 1: vessel abilities.


async def vessel_abilities(game: Effects, when: str = "step1") -> None:
    """Declared abilities of that moment, player by player from Priority on.  (SE-ACT-02)

    Outside step 1 what coincides is put in order by whoever has Priority, where the order can
    matter: vessel by vessel, or ability by ability where that is not enough.  (SE-PPR-01)
    """
    what = "in which order are the vessels' abilities carried out?"
    due = [] if when == "step1" else abilities_due(game, when)
    if game.interleaves(due):
        with game.ask.at(when):
            await _one_by_one(game, await game.in_order(due, what, OF_ABILITIES))
        return
    events = {seat: declared_for(game, seat, when) for seat in game.position.turn_order()}
    bundles = {seat: [*own.values()] for seat, own in events.items() if own}
    order = [*bundles]
    if when != "step1":
        with game.ask.at(when):
            order = await game.order_of_vessels(bundles, what, OF_ABILITIES)
    for seat in order:
        with game.ask.at(when, seat):
            await abilities_of(game, seat, when)


async def _one_by_one(game: Effects, due: Sequence[Due]) -> None:
    """Abilities of several vessels in this order, as far as those are there."""
    for ordinal, one in enumerate(due, 1):
        with game.ask.at(one.seat, f"ability-{ordinal}"):
            if not game.player(one.seat).out:
                await carry_out_ability(game, one.seat, one.name)


def abilities_due(game: Effects, when: str) -> list[Due]:
    """Declared abilities of that moment, in turn order."""
    return [
        Due("ability", name, game.table.abilities[name].title, event)
        for seat in game.position.turn_order()
        for name, event in declared_for(game, seat, when).items()
    ]


def declared_for(game: Effects, seat: Seat, when: str) -> dict[str, Event]:
    """A player's declared abilities of that moment."""
    abilities = game.table.abilities
    return {
        name: Event(seat, abilities[name].effects, name)
        for name in game.player(seat).declared
        if abilities[name].when == when
    }


async def abilities_of(game: Effects, seat: Seat, when: str) -> None:
    """One player's, in the order that this player likes.  (SE-R10, RULING 10)"""
    titles = {name: ability.title for name, ability in game.table.abilities.items()}
    what = "in which order are your abilities carried out?"
    due = await game.own_order(
        seat, declared_for(game, seat, when), titles, "order", _OWN_ORDER, what, OF_ABILITIES
    )
    for ordinal, name in enumerate(due, 1):
        if game.player(seat).out:
            return
        with game.ask.at(f"ability-{ordinal}"):
            await carry_out_ability(game, seat, name)


async def carry_out_ability(game: Effects, seat: Seat, name: str) -> None:
    """A declared ability does what it says; it is not declared any more.  (SE-ACT-01)"""
    player, ability = game.player(seat), game.table.abilities[name]
    if name in player.declared:
        player.declared.remove(name)
    note = f' ("{ability.text_note}")' if ability.text_note else ""
    game.tell(seat, f"carries out {ability.title}{note}.", _ABILITIES, "ability", quiet=True)
    await game.carry_out(ability.effects, Cause(seat, ability.title, name, ability.duration))


# Step 2: tier sequence.


async def tier_sequence(game: Effects) -> None:
    """Tier 1 of every player in turn order, then tier 2, and so on.  (SE-ACT-03, SE-TLN)"""
    position = game.position
    while (due := position.tier_due()) is not None:
        position.tier = due
        await _abilities_of_tier(game, f"tier_{position.tier}")
        for seat in position.turn_order():
            tier = game.player(seat).tier(position.tier)
            if tier is not None and not tier.resolved:
                position.active = seat
                game.begin()
                with game.ask.at(f"tier-{position.tier}", seat):
                    await resolve(game, seat, tier)
                game.settle()
        _end_of_tier(game)
    position.tier = position.last_tier() + 1


async def _abilities_of_tier(game: Effects, moment: str) -> None:
    """Abilities that say so are carried out as a tier begins.  (SE-ABL-02)"""
    if any(declared_for(game, seat, moment) for seat in game.position.turn_order()):
        game.begin()
        await vessel_abilities(game, moment)


def _end_of_tier(game: Effects) -> None:
    """What lasts for one tier has ended."""
    for player in game.position.players.values():
        player.modifiers = [one for one in player.modifiers if one.until != "tier"]


async def resolve(game: Effects, seat: Seat, tier: Tier) -> None:
    """A set card is activated; a reminder token does nothing now.  (SE-ACT-04, SE-ACT-05)"""
    number = game.position.tier
    cite = _EXTRA if number > 3 else _TIMELINE
    tier.resolved = True
    if not tier.cards:
        text = f"has a reminder token in tier {number}: nothing happens."
        game.tell(seat, text, _TURNED_OVER.also(cite), f"tier {number}: token", quiet=True)
        return
    both = [which for which in ("primary", "secondary") if getattr(tier, which)]
    titles = await _turn_over(game, seat, tier, both)
    if game.player(seat).out:
        return
    await _judge_second(game, seat, tier)
    game.laid_now = []
    for which, place in (("primary", "first"), ("secondary", "second")):
        if which in both:
            with game.ask.at(place):
                await _follow_in(game, seat, number, which, titles.get(which, ""))
    ordinal = 0
    while game.laid_now and not game.player(seat).out:
        ordinal += 1
        with game.ask.at(f"laid-{ordinal}"):
            await _resolve_laid(game, seat, number, game.laid_now.pop(0))


async def _follow_in(game: Effects, seat: Seat, number: int, which: str, title: str) -> None:
    """One of the cards of a tier, if it is there yet and nothing forbids it."""
    tier, second = game.player(seat).tier(number), which == "secondary"
    if tier is not None and getattr(tier, which) and not (second and tier.void):
        await follow(game, seat, getattr(tier, which), title, second=second)


async def _resolve_laid(game: Effects, seat: Seat, number: int, which: str) -> None:
    """A card that was laid into the tier which is resolved: turned over, followed.  (DBL-04)"""
    tier = game.player(seat).tier(number)
    if tier is None or getattr(tier, which) != seats.FACE_DOWN:
        return
    titles = await _turn_over(game, seat, tier, [which])
    await _follow_in(game, seat, number, which, titles[which])


async def _turn_over(game: Effects, seat: Seat, tier: Tier, both: Sequence[str]) -> dict[str, str]:
    """Turn cards of the tier face up; titles given to those that are not listed.  (DBL-04)"""
    deck = game.table.decks[game.player(seat).deck_name]
    listed = game.cards().items()
    cards = dict(sorted(listed, key=lambda item: (not item[1].is_set, item[0] not in deck)))
    titles: dict[str, str] = {}
    for which in both:
        played = await game.ask.activate(seat, which, cards)
        name = seats.FACE_DOWN if played.card == UNKNOWN else played.card
        setattr(tier, which, played.title or name)
        titles[which] = played.title
    if game.player(seat).out:
        return titles
    shown = [_shown(game, getattr(tier, which)) for which in both]
    cite = _DOUBLE if len(shown) > 1 else _ACTIVATE
    number = game.position.tier
    game.tell(seat, f"turns over {' and '.join(shown)}.", cite, f"tier {number}: reveal",
              quiet=True)  # fmt: skip
    return titles


def _shown(game: Effects, name: str) -> str:
    """A card in a sentence: its title, or the one it was given just now."""
    card = game.card(name)
    if card is not None:
        return card.title
    return "a card not listed" if name == seats.FACE_DOWN else name


async def follow(game: Effects, seat: Seat, name: str, title: str, *, second: bool) -> None:
    """Pay for a card and carry it out; one that cannot be paid does nothing.  (SE-R12)"""
    card = game.card(name)
    tier = game.position.tier
    if card is None:
        cause = Cause(seat, _shown(game, name), name, tier=tier, second=second)
        await game.carry_out_unknown(cause, title)
        return
    if not card.is_set:
        text = f"set {card.title}, which is not for a tier: nothing happens."
        game.tell(seat, text, _COST, "not for a tier", quiet=True)
        return
    if not game.can_pay(seat, card.cost):
        game.tell(seat, f"cannot pay for {card.title}: it is not carried out.", _COST,
                  "cannot pay", quiet=True)  # fmt: skip
        return
    game.laid = (CardLaid(seat, card.title),)
    game.read_out(seat, card)
    await game.pay(seat, card.cost, card.title)
    game.settle()
    cause = Cause(seat, card.title, name, card.duration, tier=tier, second=second)
    if card.form == "gear" and not any(isinstance(step, Equip) for step in card.effects):
        game.equip(cause)
    if card.grants_extra_tier and not game.player(seat).out:
        await game.grant_tiers(seat, card.grants_extra_tier)
    await game.carry_out(card.effects, cause)


# Doubling up.


async def _judge_second(game: Effects, seat: Seat, tier: Tier) -> None:
    """Whether anything permits the second card; else it is void.  (SE-R08, RULING 8)"""
    if tier.permitted or not (tier.primary and tier.secondary):
        return
    if await _is_permitted(game, seat, tier):
        return
    title = _shown(game, tier.secondary)
    if game.options["illegal_secondary"] == "return_to_hand":
        tier.secondary = ""
        game.player(seat).hand += 1
        pile = tier_pile(game.position.tier, secondary=True)
        game.tell(seat, f"takes {title} back: nothing permits a second card.", _VOID,
                  "second card back", Carry(seat, 1, pile, seats.HAND))  # fmt: skip
        return
    tier.void = True
    text = f"has no permission for {title}: it is void."
    game.tell(seat, text, _VOID, "second card void", quiet=True)


async def _is_permitted(game: Effects, seat: Seat, tier: Tier) -> bool:
    """One of the two cards, an equipped one, or an ability of this turn permits the other."""
    one, other = game.card(tier.primary), game.card(tier.secondary)
    if _card_permits(one, tier.secondary, other) or _card_permits(other, tier.primary, one):
        return True
    player = game.player(seat)
    gear = [game.card(name) for name in player.gear]
    abilities = [game.table.abilities[name].permits_secondary for name in player.used]
    in_force = [*abilities, *(card.permits_secondary for card in gear if card is not None)]
    if any(permits(permit, tier.secondary, other) for permit in in_force):
        return True
    if one is not None and other is not None:
        return False
    prompt = f"{game.who(seat)}: does a card in this tier permit the second one?"
    return await game.ask.yes_no("permits", seat, _DUAL, prompt, "second permitted?")


def _card_permits(card: Card | None, other_id: str, other: Card | None) -> bool:
    return card is not None and permits(card.permits_secondary, other_id, other)
