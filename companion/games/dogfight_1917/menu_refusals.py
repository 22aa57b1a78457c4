"""Why an action of a menu is not offered: the first thing that it lacks."""

from __future__ import annotations

from collections.abc import Mapping
from reprlib import repr as brief
from typing import TYPE_CHECKING

from companion.core.ruling import Cite
from companion.core.text import spelt_like
from companion.games.dogfight_1917 import refusals
from companion.games.dogfight_1917.aiming import HIDDEN
from companion.games.dogfight_1917.cards import (
    CLIMB,
    DIVE,
    FONCK,
    KILLER_INSTINCT,
    MANEUVERS,
    PILOTS,
    RICHTHOFEN,
    STEEP_DIVE,
)
from companion.games.dogfight_1917.naming import player_named

if TYPE_CHECKING:
    from companion.core.question import Refusal
    from companion.core.ruling import Json
    from companion.games.dogfight_1917.aiming import Aim
    from companion.games.dogfight_1917.engaging import Engaging
    from companion.games.dogfight_1917.game import Game

REGROUP, EMERGENCY_REPAIR = "Regroup", "Emergency Repair"
REGROUP_TOKENS, REPAIR_TOKENS = 2, 3
END_TURN = "end turn"

_ONE = Cite.of("DF-8.2")
_END = Cite.of("DF-8.2, DF-8.5")
_AIM = Cite.of("DF-11.1, DF-11.2, RULING 3")
_SPECIAL_AIM = Cite.of("DF-14.3, RULING 3")
_ACE_AIM = Cite.of("DF-18.4.B, RULING 3")
_BETWEEN = Cite.of("DF-11.8, RULING 4")
_NAMED = Cite.of("DF-11.8, DF-19.3")
_PRICE = Cite.of("DF-14.1")
_ONCE = Cite.of("DF-14.2")
_REGROUP = Cite.of("DF-15.5, DF-15.7, RULING 15")
_REPAIR = Cite.of("DF-15.6, DF-15.7, RULING 15")
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
    CLIMB: (_EVADES, _EVASION),
    DIVE: (_EVADES, _EVASION),
    STEEP_DIVE: (_EVADES, _EVASION),
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
        return refusals.wrong_moment(text, _ONE)
    if not game.position.mover.piles["hand"]:
        return refusals.wrong_moment("The Hand is empty: there is no card to play.", _ONE)
    text = f"The {name} has no legal end from here. Choose another card."
    return refusals.wrong_moment(text, Cite.of("DF-9.3, DF-9.4"))


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
        return refusals.tokens_short(name, cost, player.tokens, _PRICE)
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
        return refusals.no_aim(text, _NAMED)
    reached = [t for t in targets if not game.miss(seat, t, aim)]
    if reached:
        names = ", ".join(game.action_name(name, t) for t in reached)
        return refusals.no_aim(f"Say at whom: {names}.", _NAMED)
    missed = [(t, game.miss(seat, t, aim)) for t in targets]
    reasons = "; ".join(f"{game.who(t.seat)} {_reason(why, aim)}" for t, why in missed)
    hidden = all(why == HIDDEN for _, why in missed)
    text = f"{name} has no target: {reasons}. Choose another action."
    return refusals.no_aim(text, _BETWEEN if hidden else cite)


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
    costs |= {REGROUP: (REGROUP_TOKENS, _REGROUP), EMERGENCY_REPAIR: (REPAIR_TOKENS, _REPAIR)}
    name = spelt_like(said, costs)
    if name is None:
        return _killer(game, said)
    cost, cite = costs[name]
    if player.tokens < cost:
        return refusals.tokens_short(name, cost, player.tokens, cite)
    pile = "Discard Pile" if name == REGROUP else "Damage Pile"
    return refusals.wrong_moment(f"{name} needs a card in the {pile}; there is none.", cite)


def _killer(game: Engaging, said: str) -> Refusal | None:
    if spelt_like(said, (KILLER_INSTINCT,)) is None:
        return None
    if not game.position.mover.piles["hand"]:
        return refusals.wrong_moment("The Hand is empty: there is no card to play.", _ONE)
    text = f"{KILLER_INSTINCT} is the last card: no Maneuver would be left. Maneuver first."
    return refusals.wrong_moment(text, _LAST_CARD)


def _pilot(game: Engaging, said: str) -> Refusal | None:
    player = game.position.mover
    action = PILOTS[player.pilot].action
    if not said.lower().startswith(action.lower()):
        return None
    if player.pilot_side == "B":
        text = f"{action} was used: the Pilot Card shows side B. Once in a game."
        return refusals.wrong_moment(text, _ONCE)
    if player.is_pilot(RICHTHOFEN):
        text = f"{action} needs an opposing Fighter 1 space away, with a free space behind it."
        return refusals.no_aim(text, _NEAR)
    return None


def _moment(said: str) -> Refusal | None:
    """The right words at the wrong moment."""
    name = spelt_like(said, _WRONG_MOMENT)
    if name is None:
        return None
    text, cite = _WRONG_MOMENT[name]
    return refusals.wrong_moment(text.format(name), cite)


def stall_first(game: Game, raw: Json) -> Refusal | None:
    """An action of the Engagement Phase, where no Maneuver is possible.  (DF-7.2, DF-7.5)"""
    player = game.position.mover
    fighter = game.fighter(player.seat)
    names = ("Basic Attack", *fighter.attacks, *fighter.tactics, *MANEUVERS, KILLER_INSTINCT,
             REGROUP, EMERGENCY_REPAIR, END_TURN, PILOTS[player.pilot].action)  # fmt: skip
    said = str(raw).lower()
    if not any(said.startswith(name.lower()) for name in names):
        return None
    text = "No Maneuver is possible: a Stall is due, and the Engagement Phase is skipped."
    return refusals.wrong_moment(text, _STALL_FIRST)
