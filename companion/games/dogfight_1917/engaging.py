"""The Engagement Phase: one Maneuver Action, and any number of everything else.  (DF-8, DF-15)"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from reprlib import repr as brief
from typing import TYPE_CHECKING

from companion.core.question import Option, Refusal, unless_alone
from companion.core.ruling import Cite, Deed, Flip, Level, Notice, Seat
from companion.core.text import counted, spelt_like
from companion.games.dogfight_1917.asks import Throw
from companion.games.dogfight_1917.cards import (
    COPIES,
    ENGAGEMENT,
    EVASIONS,
    FONCK,
    KILLER_INSTINCT,
    MANEUVERS,
    MENTOR,
    PILOTS,
    RICHTHOFEN,
    Maneuver,
    SpecialTactic,
)
from companion.games.dogfight_1917.fight import BASIC_ATTACK, Fighting
from companion.games.dogfight_1917.flying import ENGAGE, IMMELMANN, STALLS
from companion.games.dogfight_1917.moves import HIDDEN, stall_after_engaging, turned_by
from companion.games.dogfight_1917.position import player_named
from companion.games.dogfight_1917.refusals import no_aim, tokens_short, wrong_moment

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.dogfight_1917.moves import Aim
    from companion.games.dogfight_1917.position import Player

REGROUP, EMERGENCY_REPAIR = "Regroup", "Emergency Repair"
REGROUP_TOKENS, REPAIR_TOKENS = 2, 3
END_TURN = "end turn"
REGROUP_CARDS, REPAIR_CARDS = 2, 3

_ENGAGE = Cite.of("DF-8.1, DF-8.2")
_KILLER = Cite.of("DF-4.5, DF-15.3")
_REGROUP = Cite.of("DF-15.5, DF-15.7, RULING 14, RULING 15")
_REPAIR = Cite.of("DF-15.6, DF-15.7, RULING 14, RULING 15")
_CIRCUS = Cite.of("DF-18.1.S, RULING 9")
_PIONEER = Cite.of("DF-18.5.S")
_TURNS = Cite.of("DF-9.5, RULING 5")
_PAID = Cite.of("DF-14.1")
_FLIPS = Cite.of("DF-14.2")
_BEAST = Cite.of("DF-18.3.B, RULING 25")
_LATE = Cite.of("DF-8.4, RULING 19")


class Engaging(Fighting):
    """The menu of the Engagement Phase, and the actions that are neither Maneuver nor attack."""

    # -- the menu (DF-8.1 to DF-8.5) -------------------------------------------------------

    async def engagement(self, first: str = ENGAGE) -> None:
        """Actions in any order until the player ends the turn.  (DF-8.1, DF-8.5)

        `first` is the word with which the phase was begun: "engage", or an action named at once.
        """
        if self.position.claimed is None:
            self.claim_maneuver()
        name = first if first != ENGAGE else await self.next_action()
        if first != ENGAGE:
            self.position.actions += 1  # keys count on as they do after "engage"
        while name != END_TURN:
            if name not in STALLS:
                await self.act(name)
            elif await self.stall(name):
                return
            name = await self.next_action()

    async def next_action(self) -> str:
        """What the active player does next.  (DF-8.1)"""
        self.begin()
        self.position.actions += 1
        seat = self.position.active
        done = "is done" if self.position.maneuvered else "is still to come"
        return await self.choose_action(
            _ENGAGE, f"{self.who(seat)}: what do you do? The Maneuver {done}.", self.actions,
            lambda raw: refused(self, raw),
        )  # fmt: skip

    def actions(self) -> Iterator[Option[str]]:
        """Everything the active player may do now."""
        yield from self.engagements()
        yield from self.closing_actions(self.position.mover)

    def engagements(self) -> Iterator[Option[str]]:
        """Maneuver, attacks and all that may be done besides.  (DF-8.1)"""
        player = self.position.mover
        yield from self.maneuver_actions(player)
        yield from self.attack_actions(player)
        yield from self.tactic_actions(player)
        yield from self.pilot_actions(player)

    def refused_in_assessment(self, raw: Json) -> Refusal | None:
        own = super().refused_in_assessment(raw)
        if own is not None:
            return own
        if self.may_engage(self.position.mover):
            return refused(self, raw)
        return stall_first(self, raw)

    def maneuver_actions(self, player: Player) -> Iterator[Option[str]]:
        """The Maneuver Cards that could be flown; whether one is held is for the Hand to know."""
        if not self.position.maneuvered and player.piles["hand"]:
            for name in self.flyable(player.seat):
                yield Option(name, name, name, group="Maneuver", sign="maneuver")

    def attack_actions(self, player: Player) -> Iterator[Option[str]]:
        """Attacks that have a target and are paid for.  (DF-11.1, DF-14.3)"""
        yield from self._aimed(player, BASIC_ATTACK, self.basic_aim(player.seat), 0)
        for attack in self.fighter(player.seat).attacks.values():
            if player.tokens >= attack.tokens:
                yield from self._aimed(player, attack.name, self.aim_of(attack), attack.tokens)

    def _aimed(self, player: Player, name: str, aim: Aim, tokens: int) -> Iterator[Option[str]]:
        cost = f", {counted(tokens, 'token')}" if tokens else ""
        for target in self.in_reach(player.seat, aim):
            named = self.action_name(name, target)
            label = (
                f"{named}{cost}" if named == name else f"{name} at {self.who(target.seat)}{cost}"
            )
            yield Option(named, named, label, group="Attack", sign="attack")

    def action_name(self, name: str, target: Player) -> str:
        """An attack by name, and by its target where there can be more than one."""
        return name if len(self.position.players) == 2 else f"{name} {target.fighter}"

    def tactic_actions(self, player: Player) -> Iterator[Option[str]]:
        """Special Actions of type Tactic, Tactic Card and Tactical Actions.  (DF-14.1, DF-15)"""
        names = [t.name for t in self.fighter(player.seat).tactics.values()
                 if player.tokens >= t.tokens]  # fmt: skip
        if player.piles["hand"] and not self.forbids_last_card(player):
            names.append(KILLER_INSTINCT)
        if player.tokens >= REGROUP_TOKENS and player.piles["discard"]:
            names.append(REGROUP)
        if player.tokens >= REPAIR_TOKENS and player.piles["damage"]:
            names.append(EMERGENCY_REPAIR)
        for name in names:
            yield Option(name, name, name, group="Tactics", sign="tactic")

    def forbids_last_card(self, player: Player) -> bool:
        """By house rule nobody plays the card that leaves no Maneuver.  (DF-8.4, RULING 19)"""
        forbids = self.options["late_stall"] == "forbid_action"
        return forbids and not self.position.maneuvered and player.piles["hand"] == 1

    def pilot_actions(self, player: Player) -> Iterator[Option[str]]:
        """The Pilot Special Action, once a game, while side A is up.  (DF-14.2, DF-18)"""
        if player.pilot_side != "A":
            return
        name = PILOTS[player.pilot].action
        if not player.is_pilot(RICHTHOFEN):
            yield Option(name, name, name, group="Pilot", sign="pilot")
            return
        for seat in self.adjacent_opponents(player.seat):
            if self.rear_places(player.seat, seat):
                named = self.action_name(name, self.player(seat))
                label = name if named == name else f"{name} at {self.who(seat)}"
                yield Option(named, named, label, group="Pilot", sign="pilot")

    def closing_actions(self, player: Player) -> Iterator[Option[str]]:
        """End of turn, or the Stall that comes late.  (DF-8.4, DF-8.5, RULING 19)"""
        if self.position.maneuvered:
            yield Option(END_TURN, END_TURN, "End turn", group="Turn", sign="end")
            return
        for name in self.stalls(player):
            yield Option(name, name, f"Cannot maneuver: {name}", group="Turn", sign="stall")

    def word_before_action(self, name: str) -> Notice | None:
        """A doubt about a play that cannot be, one that leads to a Stall, or a Stall that is late.

        (RULING 19)
        """
        if name in STALLS:
            return self.word_before_late_stall(name)
        player = self.position.mover
        doubt = self.doubt_about(player.seat, name) if name in COPIES else None
        if doubt is not None:
            return doubt
        last = player.piles["hand"] == 1 and not self.position.maneuvered
        if name == KILLER_INSTINCT and last:
            text = "This is your last card: no Maneuver is left after it, and a Stall follows."
            return Notice("DF-STALL", text, _LATE, Level.WARN, "Go on anyway, or maneuver first.")
        return None

    def word_before_late_stall(self, name: str) -> Notice | None:
        """To whom has engaged, and so said to hold a card that nothing has taken since.  (DF-8.4)

        An Immelmann Turn needs that one of the cards meant cannot be flown any more.
        """
        claimed, player = self.position.claimed, self.position.mover
        if not claimed or self.position.stage != ENGAGEMENT:
            return None
        if name == IMMELMANN and not set(claimed) <= set(self.flyable(player.seat)):
            return None
        return stall_after_engaging(self.who(player.seat), self.engaged_at)

    async def act(self, name: str) -> None:
        """Carry out one action to its end.  (DF-8.3, RULING 28)"""
        player = self.position.mover
        fighter = self.fighter(player.seat)
        if name in MANEUVERS:
            await self.maneuver_action(name)
        elif name == KILLER_INSTINCT:
            self.killer_instinct()
        elif name == REGROUP:
            await self.regroup()
        elif name == EMERGENCY_REPAIR:
            await self.emergency_repair()
        elif name in fighter.tactics:
            await self.special_tactic(fighter.tactics[name])
        elif name.startswith(PILOTS[player.pilot].action):
            await self.pilot_action(self.target_named(name))
        else:
            await self.attack_named(name)

    async def attack_named(self, name: str) -> None:
        """A Basic or Special Attack at whom the name says.  (DF-11.8)"""
        seat = self.position.active
        target = self.position.fires_at = self.target_named(name)
        attacks = self.fighter(seat).attacks.values()
        specials = {self.action_name(a.name, self.player(target)): a for a in attacks}
        if name in specials:
            await self.special_attack(specials[name], target)
        else:
            await self.basic_attack(target)

    def target_named(self, name: str) -> Seat:
        """Whom an action is aimed at; with two players the other."""
        others = [p for p in self.position.players.values() if p.seat != self.position.active]
        named = (p.seat for p in others if p.fighter and name.endswith(f" {p.fighter}"))
        return next(named, others[0].seat)

    # -- Tactic Card and Tactical Actions (DF-15) ------------------------------------------

    def killer_instinct(self) -> None:
        """Two tokens; the card goes back to the box.  (DF-4.5, DF-15.3)"""
        seat = self.position.active
        self.rule(f"{self.who(seat)} plays {KILLER_INSTINCT}; it goes to the box.", _KILLER,
                  self.play_card(seat, KILLER_INSTINCT),
                  self.player(seat).piles.move(1, "played", "box"), by=seat,
                  headline=self.ask.head(seat, KILLER_INSTINCT))  # fmt: skip
        self.earn(seat, 2, _KILLER, KILLER_INSTINCT)

    async def regroup(self) -> None:
        """Two random cards of the Discard Pile into the Hand.  (DF-15.5, RULING 14, RULING 15)"""
        seat = self.position.active
        self.pay(seat, REGROUP_TOKENS)
        player = self.player(seat)
        piles, open_before = player.piles, player.piles.seen("discard")
        count = min(REGROUP_CARDS, piles["discard"])
        shuffle = piles.shuffle("discard", "discard")
        carry = piles.move(count, "discard", "hand")
        deeds: tuple[Deed, ...] = (shuffle, carry)
        cards = counted(count, "random card")
        text = (f"{self.who(seat)} pays {REGROUP_TOKENS} tokens and regroups: {cards} of the "
                "shuffled Discard Pile to the Hand, the rest face up again.")  # fmt: skip
        if self.options["regroup_empties_damage"] is True and (damage := piles["damage"]):
            deeds = (*deeds, piles.move(damage, "damage", "discard"))
            text += f" {counted(damage, 'card')} of the Damage Pile face up onto it."
        headline = self.ask.head(seat, f"regroup {count}")
        self.rule(text, _REGROUP, *deeds, by=seat, headline=headline)
        open_after: Mapping[str, int] = {}
        if piles["discard"]:
            why = "the Discard Pile is face up again"
            open_after = await self.show_cards(seat, "regrouped", piles["discard"], why)
        player = self.player(seat)  # an arbiter may have counted it anew meanwhile
        if sum(open_after.values()) == player.piles["discard"]:
            self.work_out(player, open_before - Counter(open_after))

    def work_out(self, player: Player, gone: Mapping[str, int]) -> None:
        """By house rule: what lay open before and does no more is in the Hand.  (DF-4.1)"""
        if self.options["show_deducible_cards"] is True:
            for card, number in gone.items():
                for _ in range(number):
                    player.learn("hand", card)

    async def emergency_repair(self) -> None:
        """Up to three cards of the Damage Pile into the Deck, the rest discarded.  (DF-15.6)"""
        seat = self.position.active
        self.pay(seat, REPAIR_TOKENS)
        piles = self.player(seat).piles
        what = "how many cards of the Damage Pile do you shuffle into the Deck?"
        count = await self.ask.returned(seat, "repaired", REPAIR_CARDS, what, _REPAIR)
        back = piles.move(count, "damage", "deck")
        rest = piles["damage"]
        out = piles.move(rest, "damage", "discard")
        text = (f"{self.who(seat)} pays {REPAIR_TOKENS} tokens and repairs: "
                f"{counted(count, 'card')} into the Deck, which has {piles['deck']}; "
                f"{rest} face up onto the Discard Pile.")  # fmt: skip
        self.rule(text, _REPAIR, back, piles.shuffle("deck", "deck"), out, by=seat,
                  headline=self.ask.head(seat, f"repair {count}"))  # fmt: skip
        if rest:
            await self.show_cards(seat, "repaired-shown", rest, "the rest is face up")

    # -- Special Actions of other types (DF-14.1, DF-14.2) ---------------------------------

    async def special_tactic(self, tactic: SpecialTactic) -> None:
        """Slip-turn: on 3 or more Turn three times, then you may advance 1.  (DF-17.1.S2)"""
        seat = self.position.active
        self.pay(seat, tactic.tokens)
        price = counted(tactic.tokens, "token")
        self.rule(f"{self.who(seat)} pays {price} for the {tactic.name}.", tactic.cite.also(_PAID),
                  by=seat, headline=self.ask.head(seat, f"pay {price}"))  # fmt: skip
        throw = self.tactic_throw(seat, tactic)
        dice = await self.roll(throw)
        if max(dice) < throw.passes:
            text = f"{self.who(seat)}'s {tactic.name} fails: {throw.passes} or more was due."
            self.rule(text, throw.cite, by=seat, headline=self.ask.head(seat, "it fails"))
            return
        same_way = self.options["multi_turn_same_direction"] is True
        sixths = turned_by(tactic.turns, same_way=same_way)
        why = f"Turn {tactic.turns} times for the {tactic.name}"
        await self.turn_to(seat, sixths, tactic.cite.also(_TURNS), why, "slip")
        await self.may_advance(seat, Maneuver(tactic.name, tactic.cite, 0, 1, 0), "slip-advance")

    def tactic_throw(self, seat: Seat, tactic: SpecialTactic) -> Throw:
        """One die, one more for Smiling Beast; its 3 is called no Difficulty.  (RULING 25)"""
        beast = self.has_smiling_beast(seat)
        by_house = self.options["smiling_beast_thresholds"] is True
        low = max(1, tactic.low - int(beast and by_house))
        return Throw(
            "slip-turn", seat, tactic.dice + beast,
            tactic.cite.also(_BEAST) if beast else tactic.cite, f"the {tactic.name}", low,
            f"{low}+",
            f"{tactic.dice} for the {tactic.name}, 1 for Smiling Beast" if beast else "",
            brings=f"On {low} or more you Turn {tactic.turns} times.",
        )  # fmt: skip

    async def may_advance(self, seat: Seat, flight: Maneuver, place: str) -> None:
        """Advance as far as an effect allows, or stay."""
        question = self.ask.fly(self.player(seat), flight, place, self.late_stall(seat))
        arrival = await unless_alone(question)
        if arrival.end != self.player(seat).at:
            self.arrive(seat, arrival, flight.cite)

    async def pilot_action(self, target: Seat) -> None:
        """Two of the actions move the Fighter; then the card is flipped.  (DF-14.2, DF-18)"""
        player = self.position.mover
        pilot = PILOTS[player.pilot]
        text = f"{self.who(player.seat)} uses {pilot.action}."
        self.rule(text, pilot.cite, by=player.seat,
                  headline=self.ask.head(player.seat, pilot.action))  # fmt: skip
        if player.is_pilot(RICHTHOFEN):
            await self.dead_six(player.seat, target, _CIRCUS)
        elif player.is_pilot(MENTOR):
            pioneer = Maneuver(pilot.action, _PIONEER, 0, 2, 1)
            await self.may_advance(player.seat, pioneer, "pioneer")
        player.pilot_side = "B"
        text = f"{self.who(player.seat)}'s Pilot Card is flipped to side B."
        flip = Flip(f"{player.seat} Pilot Card", "B")
        self.rule(text, pilot.cite.also(_FLIPS), flip, by=player.seat,
                  headline=self.ask.head(player.seat, "flip the pilot"))  # fmt: skip


# Actions that a menu does not offer: the first thing that each lacks.

_ONE = Cite.of("DF-8.2")
_END = Cite.of("DF-8.2, DF-8.5")
_AIM = Cite.of("DF-11.1, DF-11.2, RULING 3")
_SPECIAL_AIM = Cite.of("DF-14.3, RULING 3")
_ACE_AIM = Cite.of("DF-18.4.B, RULING 3")
_BETWEEN = Cite.of("DF-11.8, RULING 4")
_NAMED = Cite.of("DF-11.8, DF-19.3")
_PRICE = Cite.of("DF-14.1")
_ONCE = Cite.of("DF-14.2")
_NO_REGROUP = Cite.of("DF-15.5, DF-15.7, RULING 15")
_NO_REPAIR = Cite.of("DF-15.6, DF-15.7, RULING 15")
_NEAR = Cite.of("DF-18.1.S, RULING 9")
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
    **dict.fromkeys(EVASIONS, (_EVADES, _EVASION)),
    "Focus": (_DICE, _REROLL),
}
"""What is right at another moment: why not now, and where the book says so."""


def refused(game: Engaging, raw: Json) -> Refusal | None:
    """The refusal for an action that exists but is not to be had; None for an unknown name."""
    said = str(raw)
    for judge in (_maneuver, _attack, _tokens_first, _pilot):
        refusal = judge(game, said)
        if refusal is not None:
            return refusal
    return _moment(said)


def _maneuver(game: Engaging, said: str) -> Refusal | None:
    name = spelt_like(said, MANEUVERS)
    if name is None:
        return None
    if game.position.maneuvered:
        text = "One Maneuver Action a turn, and it is done. Choose another action, or end the turn."
        return wrong_moment(text, _ONE)
    if not game.position.mover.piles["hand"]:
        return wrong_moment("The Hand is empty: there is no card to play.", _ONE)
    text = f"The {name} has no legal end from here. Choose another card."
    return wrong_moment(text, Cite.of("DF-9.3, DF-9.4"))


def _attack(game: Engaging, said: str) -> Refusal | None:
    """Names of attacks, with or without a target."""
    player = game.position.mover
    ace = player.is_pilot(FONCK, "B")
    attacks = {"Basic Attack": (0, game.basic_aim(player.seat), _ACE_AIM if ace else _AIM)}
    for attack in game.fighter(player.seat).attacks.values():
        attacks[attack.name] = (attack.tokens, game.aim_of(attack), _SPECIAL_AIM)
    fitting = [name for name in attacks if said.lower().startswith(name.lower())]
    if not fitting:
        return None
    name = max(fitting, key=len)
    cost, aim, cite = attacks[name]
    if player.tokens < cost:
        return tokens_short(name, cost, player.tokens, _PRICE)
    return _no_target(game, said[len(name) :].strip().lower(), name, aim, cite)


def _no_target(game: Engaging, wanted: str, name: str, aim: Aim, cite: Cite) -> Refusal:
    """Whom an attack named does not reach and why, or that it must name its target."""
    seat = game.position.active
    targets = [t for t in game.targets(seat) if wanted in ("", t.fighter, t.seat.lower())]
    if not targets:
        known = ", ".join(f"{t.fighter} ({game.who(t.seat)})" for t in game.targets(seat))
        meant = player_named(game.position, wanted)
        whom = game.who(meant) if meant is not None else brief(wanted)
        text = f"{whom} is no target; targets: {known}. Name one of them."
        return no_aim(text, _NAMED)
    reached = [t for t in targets if not game.miss(seat, t, aim)]
    if reached:
        names = ", ".join(game.action_name(name, t) for t in reached)
        return no_aim(f"Say at whom: {names}.", _NAMED)
    missed = [(t, game.miss(seat, t, aim)) for t in targets]
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


def _tokens_first(game: Engaging, said: str) -> Refusal | None:
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


def _killer(game: Engaging, said: str) -> Refusal | None:
    if spelt_like(said, (KILLER_INSTINCT,)) is None:
        return None
    if not game.position.mover.piles["hand"]:
        return wrong_moment("The Hand is empty: there is no card to play.", _ONE)
    text = f"{KILLER_INSTINCT} is the last card: no Maneuver would be left. Maneuver first."
    return wrong_moment(text, _LAST_CARD)


def _pilot(game: Engaging, said: str) -> Refusal | None:
    player = game.position.mover
    action = PILOTS[player.pilot].action
    if not said.lower().startswith(action.lower()):
        return None
    if player.pilot_side == "B":
        text = f"{action} was used: the Pilot Card shows side B. Once in a game."
        return wrong_moment(text, _ONCE)
    if player.is_pilot(RICHTHOFEN):
        text = f"{action} needs an opposing Fighter 1 space away, with a free space behind it."
        return no_aim(text, _NEAR)
    return None


def _moment(said: str) -> Refusal | None:
    """The right words at the wrong moment."""
    name = spelt_like(said, _WRONG_MOMENT)
    if name is None:
        return None
    text, cite = _WRONG_MOMENT[name]
    return wrong_moment(text.format(name), cite)


def stall_first(game: Engaging, raw: Json) -> Refusal | None:
    """An action of the Engagement Phase, where no Maneuver is possible.  (DF-7.2, DF-7.5)"""
    player = game.position.mover
    fighter = game.fighter(player.seat)
    names = ("Basic Attack", *fighter.attacks, *fighter.tactics, *MANEUVERS, KILLER_INSTINCT,
             REGROUP, EMERGENCY_REPAIR, END_TURN, PILOTS[player.pilot].action)  # fmt: skip
    said = str(raw).lower()
    if not any(said.startswith(name.lower()) for name in names):
        return None
    text = "No Maneuver is possible: a Stall is due, and the Engagement Phase is skipped."
    return wrong_moment(text, _STALL_FIRST)
