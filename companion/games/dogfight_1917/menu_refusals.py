"""Why an action of the Engagement Phase is not offered: the first thing that it lacks.  (29.5)"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.dogfight_1917 import refusals
from companion.games.dogfight_1917.cards import KILLER_INSTINCT, MANEUVERS, PILOTS, RICHTHOFEN
from companion.ruling import Cite
from companion.spelling import spelt_like

if TYPE_CHECKING:
    from companion.games.dogfight_1917.aiming import Aim
    from companion.games.dogfight_1917.engaging import Engaging
    from companion.games.dogfight_1917.position import Player
    from companion.offers import Json
    from companion.question import Refusal

_ONE = Cite.of("DF-8.2")
_END = Cite.of("DF-8.2, DF-8.5")
_AIM = Cite.of("DF-11.1, DF-11.2, RULING 3")
_SPECIAL_AIM = Cite.of("DF-14.3, RULING 3")
_ONCE = Cite.of("DF-14.2")
_REGROUP = Cite.of("DF-15.5, DF-15.7, RULING 15")
_REPAIR = Cite.of("DF-15.6, DF-15.7, RULING 15")
_NEAR = Cite.of("DF-18.1.S, RULING 9")
_PHASE = Cite.of("DF-5.1, DF-7.1")
_LAST_CARD = Cite.of("DF-8.4, RULING 19")

_REASONS = {
    "line": "does not stand straight ahead",
    "range": "is out of range",
    "Rear": "does not show its Rear",
    "a Fighter in between": "is hidden behind another Fighter",
}


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
    from_box = {"Basic Attack": (0, game.basic_aim(player.seat), _AIM)}
    for attack in game.fighter(player.seat).attacks.values():
        from_box[attack.name] = (attack.tokens, game.aim_of(attack), _SPECIAL_AIM)
    name = next((n for n in from_box if said.lower().startswith(n.lower())), None)
    if name is None:
        return None
    cost, aim, cite = from_box[name]
    if player.tokens < cost:
        return refusals.tokens_short(name, cost, player.tokens, cite)
    return _no_target(game, player, said, name, aim, cite)


def _no_target(
    game: Engaging, player: Player, said: str, name: str, aim: Aim, cite: Cite
) -> Refusal:
    wanted = said[len(name) :].strip().lower()
    targets = [t for t in game.targets(player.seat) if wanted in ("", t.fighter)]
    if not targets:
        known = ", ".join(t.fighter for t in game.targets(player.seat)) or "nobody"
        return refusals.no_aim(f"{wanted or 'nobody'!r} is no target; targets: {known}.", cite)
    reasons = [f"{game.who(t.seat)} {_REASONS[missed]}" for t in targets
               if (missed := game.miss(player.seat, t, aim))]  # fmt: skip
    text = f"{name} has no target: {'; '.join(reasons) or 'name whom'}. Choose another action."
    return refusals.no_aim(text, cite)


def _tokens_first(game: Engaging, said: str) -> Refusal | None:
    """Actions that cost tokens, or need cards somewhere."""
    player = game.position.mover
    costs = {t.name: (t.tokens, t.cite) for t in game.fighter(player.seat).tactics.values()}
    costs |= {"Regroup": (2, _REGROUP), "Emergency Repair": (3, _REPAIR)}
    name = spelt_like(said, costs)
    if name is None:
        return _killer(game, said)
    cost, cite = costs[name]
    if player.tokens < cost:
        return refusals.tokens_short(name, cost, player.tokens, cite)
    pile = "Discard Pile" if name == "Regroup" else "Damage Pile"
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
    """The right words in the wrong phase."""
    name = spelt_like(said, ("end turn", "Tactical Improvisation", "engage", "Blackout",
                             "Immelmann Turn"))  # fmt: skip
    if name == "end turn":
        return refusals.wrong_moment("A Maneuver is still to come: fly one, or stall.", _END)
    if name in ("Tactical Improvisation", "engage"):
        text = f"{name} belongs to the Assessment Phase, which is over."
        return refusals.wrong_moment(text, _PHASE)
    if name is not None:
        text = f"{name} is a Stall effect: a Maneuver is possible, or has been flown."
        return refusals.wrong_moment(text, Cite.of("DF-7.2, RULING 16"))
    return None
