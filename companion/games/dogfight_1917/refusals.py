"""Why an answer of Dogfight: 1917 is refused, or an action not offered.

A refusal is a code, the limit, the rule and the way out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from reprlib import repr as brief
from typing import TYPE_CHECKING, Any

from companion.core.board import no_heading
from companion.core.question import Refusal, Roll, RollAgain
from companion.core.ruling import TABLE, Cite
from companion.core.text import counted, spelt_like
from companion.games.dogfight_1917.cards import (
    CLIMB,
    COPIES,
    DIVE,
    FONCK,
    KILLER_INSTINCT,
    MANEUVERS,
    PILOTS,
    RECONNAISSANCE,
    RICHTHOFEN,
    SET_UP,
    STEEP_DIVE,
    called,
    player_named,
)
from companion.games.dogfight_1917.flight import HIDDEN
from companion.kit.hexes import FLAT_TOP_NAMES, Heading, Hex, HexMap, parted

if TYPE_CHECKING:
    from companion.core.question import Question
    from companion.core.ruling import Json, Seat
    from companion.games.dogfight_1917.cards import Evasion, Maneuver
    from companion.games.dogfight_1917.engaging import Engaging
    from companion.games.dogfight_1917.flight import Aim
    from companion.games.dogfight_1917.game import Game
    from companion.games.dogfight_1917.position import Dogfight1917Position


# Words for dice and cards in a sentence.


def with_article(card: str) -> str:
    """A card by its name.

    >>> with_article("Evasive Climb"), with_article("Basic Maneuver")
    ('an Evasive Climb', 'a Basic Maneuver')
    """
    return f"{'an' if card[0] in 'AEIOU' else 'a'} {card}"


def dice_words(count: int) -> str:
    """So many dice."""
    return counted(count, "die", "dice")


# Refused answers.

NEAREST = 4
"""So many legal poses are named beside one that is not."""
MOST_LISTED = 12
"""So many legal poses are named where an answer is no pose at all."""

_TURNS = Cite.of("DF-9.5, RULING 5")
_KINDS = Cite.of("DF-4.3, DF-13.2")
_SHOWN_BY_DICE = ("1", "2", "3", "4", "5", "6")
_COPIES = Cite.of("DF-1.2")
_ONE_A_SPACE = Cite.of("DF-2.6, DF-9.3")
_FOCUS = Cite.of("DF-15.4")
_TURN = Cite.of("DF-5.1")
_CRASHED = Cite.of("DF-19.2, DF-23.4, RULING 33")
_END_OF_FIRE = Cite.of("DF-11.4, DF-13.1")
_TARGET = Cite.of("DF-13.1")
_OWN_DICE = Cite.of("DF-10.3, RULING 13")
_ONE_ACTION = Cite.of("DF-8.3, RULING 28")
_HEADING = Cite.of("DF-2.3")
_BOARD = Cite.of("DF-2.2, DF-9.4, RULING 1")
EVASIONS = (CLIMB, DIVE, STEEP_DIVE)


def taken(raw: Json, names: Mapping[str, str], cite: Cite) -> Refusal | None:
    """A Fighter or pilot that somebody else has already."""
    known = called(raw, names)
    if known is None:
        return None
    text = f"{names[known]} is not to be had here: each can be chosen once. Choose another."
    return Refusal("DF-TAKEN", text, cite)


def unready(position: Dogfight1917Position) -> Refusal | None:
    """Why the first turn cannot begin: what corrections took away that set-up had given.  (DF-3)"""
    faults = replace(position, stage=RECONNAISSANCE).faults()
    if not faults:
        return None
    fault = faults[0]
    name = fault.path.removeprefix("players.")
    text = f"{fault.text} The arbiter can set {name}, or undo."
    return Refusal("DF-UNREADY", text, fault.cite)


def shown(told: Mapping[str, int], count: int, cite: Cite) -> Refusal | None:
    """More or fewer cards named than lie there, or more of one than a Fighter owns (DF-E17)."""
    total = sum(told.values())
    if total not in (0, count):
        named = counted(total, "card is", "cards are")
        text = f"{named} named, {counted(count, 'lies', 'lie')} face up. Name {count}, or none."
        return Refusal("DF-COUNT", text, cite)
    for card, number in told.items():
        if number > COPIES[card]:
            text = f"{number} of {card} are named; a Fighter owns {COPIES[card]}. Look again."
            return Refusal("DF-E17", text, _COPIES)
    return None


def too_many(count: int, most: int, cite: Cite) -> Refusal:
    """More cards than there are, or than the rule allows."""
    text = f"{counted(count, 'card is', 'cards are')} too many. 0 to {most} may be taken."
    return Refusal("DF-COUNT", text, cite)


def dice(listed: Sequence[Json], count: int, what: str, why: str, cite: Cite) -> Refusal | None:
    """Another number of dice than is due (DF-E08), or one that nobody can read (DF-E09)."""
    if any(die in (None, "?", "") for die in listed):
        text = "One die cannot be read. Type its number, or agree to roll it again."
        return Refusal("DF-E09", text, cite)
    if len(listed) == count:
        return _pips(listed, cite)
    if listed and not any(str(die).strip().lstrip("-").isdecimal() for die in listed):
        return None  # words, as of an answer to another question
    named = counted(len(listed), "die is", "dice are")
    reason = f" ({why})" if why else ""
    each = ", each from 1 to 6" if count > 1 else " from 1 to 6"
    text = f"{named} named; {what} takes {dice_words(count)}{reason}. Name {count}{each}."
    return Refusal("DF-E08", text, cite)


def _pips(listed: Sequence[Json], cite: Cite) -> Refusal | None:
    """A number that no die shows."""
    named = (str(die) for die in listed)
    wrong = [die for die in named if die.isdecimal() and die.lstrip("0") not in _SHOWN_BY_DICE]
    if not wrong:
        return None
    return Refusal("DF-E09", f"No die shows {brief(wrong[0])}. Type a number from 1 to 6.", cite)


def reroll(raw: Json, tokens: int, cite: Cite) -> Refusal | None:
    """A reroll that nobody has a right to, or that is not paid for."""
    said = spelt_like(raw, ("Focus", "free reroll"))
    if said == "Focus" and not tokens:
        text = "Focus costs 1 token, and none is left. Keep the dice."
        return Refusal("DF-E15", text, _FOCUS)
    if said == "free reroll":
        text = "There is no free reroll for this roll (any more). Keep the dice, or pay for Focus."
        return Refusal("DF-E14", text, cite)
    return None


def evasion(raw: Json, means: Mapping[str, Evasion], tokens: int, cite: Cite) -> Refusal | None:
    """An evasion for which tokens, the card or the right Fighter are missing."""
    name = spelt_like(raw, (*means, STEEP_DIVE, *COPIES))
    if name is None:
        return None
    if name in means and means[name].is_special:
        return tokens_short(name, means[name].tokens, tokens, cite, "Play a card, or pass.")
    if name in means:
        return wrong_moment(f"The Hand is empty: no {name} can be played. Pass.", cite)
    if name == STEEP_DIVE:
        return wrong_moment("Only the SPAD can dive steeply. Play a card, or pass.", cite)
    return wrong_moment(f"{name} is no Evasion Card. Play one, or pass.", _KINDS)


def tokens_short(
    what: str, cost: int, tokens: int, cite: Cite, way_out: str = "Choose another action."
) -> Refusal:
    """An action that costs more tokens than there are."""
    text = f"{what} costs {counted(cost, 'token')}; you have {tokens}. {way_out}"
    return Refusal("DF-E15", text, cite)


def wrong_moment(text: str, cite: Cite) -> Refusal:
    """An action in the wrong phase, or once more than allowed."""
    return Refusal("DF-E14", text, cite)


def no_aim(text: str, cite: Cite) -> Refusal:
    """An attack without line, range or Rear."""
    return Refusal("DF-E13", text, cite)


def flight(
    raw: Json,
    start: Heading,
    card: Maneuver,
    legal: Iterable[Heading],
    occupied: Collection[Hex] = (),
    board: HexMap | None = None,
) -> Refusal | None:
    """An end pose that a card does not reach (DF-E01), with what is wrong about it."""
    wanted, ends = _read(raw), list(legal)
    if wanted is None:
        return _half_a_pose(raw, ends, board) or _no_place(raw, ends, card.cite)
    if board is not None and wanted.hex not in board:
        return _off_board(wanted, ends)
    if wanted.hex in occupied:
        return _shared(wanted, ends)
    if wanted.hex == start.hex and card.fewest:
        text = f"The plane has not moved; the {card.name} advances at least {card.fewest}."
        return Refusal("DF-E07", f"{text} {_nearest(wanted, ends)}", card.cite)
    turned_once = {end.turned(turn) for end in ends for turn in (-1, 1)}
    if card.turns == 2 and wanted in turned_once:
        text = "Two Turns leave the plane as it flew or 120 degrees round, never 60."
        return Refusal("DF-E06", f"{text} {_nearest(wanted, ends)}", _TURNS)
    text = f"The {card.name} from {start.name()} does not reach {wanted.name()}."
    way_out = "Wrong card, wrong start, or wrong move? Put the plane right, or correct the record."
    return Refusal("DF-E01", f"{text} {_nearest(wanted, ends)} {way_out}", card.cite)


def _no_place(raw: Json, ends: Sequence[Heading], cite: Cite) -> Refusal | None:
    """An answer that is no pose, where there are too many to name all; a few are."""
    if len(ends) <= MOST_LISTED:
        return None
    example = ends[0].name()
    text = f"{brief(raw)} is no place. Name the space and heading of one of the {len(ends)} legal"
    return Refusal("Q-NAME", f"{text} end poses, as {example}.", cite)


def way(raw: Json, ways: Sequence[str], end: str, cite: Cite) -> Refusal:
    """A path that does not lead to the end pose: those that do, each between quotes."""
    named = ", ".join(f'"{one}"' for one in ways)
    text = f"{brief(raw)} is no way to {end}. Name one of these: {named}."
    return Refusal("Q-NAME", text, cite)


def pose(
    raw: Json,
    ends: Sequence[Heading],
    cite: Cite,
    occupied: Collection[Hex] = (),
    board: HexMap | None = None,
) -> Refusal | None:
    """A place that this move does not lead to."""
    wanted = _read(raw)
    if wanted is None:
        return _half_a_pose(raw, ends, board)
    if board is not None and wanted.hex not in board:
        return _off_board(wanted, ends)
    if wanted.hex in occupied:
        return _shared(wanted, ends)
    text = f"{wanted.name()} is not where this move leads."
    return Refusal("DF-E01", f"{text} {_nearest(wanted, ends)}", cite)


def corner(
    raw: Json, free: Sequence[Heading], taken: Mapping[Hex, str], board: HexMap, cite: Cite
) -> Refusal | None:
    """A start that is no free corner (DF-E01), or one that somebody has taken (DF-TAKEN).

    `taken` are the corners that are, with who stands there.
    """
    wanted = _read(raw)
    if wanted is None:
        return _half_a_pose(raw, free, board)
    corners = f"Free corners: {'; '.join(start.name() for start in free)}."
    if wanted.hex not in board:
        return _off_board(wanted, free)
    if wanted.hex in taken:
        text = f"The corner {wanted.hex} is taken by {taken[wanted.hex]}."
        return Refusal("DF-TAKEN", f"{text} {corners}", cite)
    facing = next((start for start in free if start.hex == wanted.hex), None)
    text = f"{wanted.hex} is no corner of the board."
    if facing is not None:
        text = f"In the corner {wanted.hex} a Fighter faces the middle: {facing.name()}."
    return Refusal("DF-E01", f"{text} {corners}", cite)


def _half_a_pose(raw: Json, ends: Sequence[Heading], board: HexMap | None) -> Refusal | None:
    """A space without one of the six headings (DF-E02); None for what names no space."""
    name, said = parted(str(raw))
    try:
        space = Hex.read(name)
    except ValueError:
        return None
    if board is not None and space not in board:
        return _off_board(Heading(space, 0), ends)
    there = [end for end in ends if end.hex == space]
    headings = ", ".join(end.name().rpartition(" ")[2] for end in there)
    legal = f"Legal there: {headings}." if there else _nearest(Heading(space, 0), ends)
    text = f"{no_heading(str(space), said, FLAT_TOP_NAMES)} {legal}"
    return Refusal("DF-E02", text.strip(), _HEADING)


def _off_board(wanted: Heading, ends: Sequence[Heading]) -> Refusal:
    """A space that the board has not (DF-E04)."""
    text = f"{wanted.hex} is off the board."
    return Refusal("DF-E04", f"{text} {_nearest(wanted, ends)}", _BOARD)


def _shared(wanted: Heading, ends: Iterable[Heading]) -> Refusal:
    """Two planes on one space when a movement has ended (DF-E03); flying through is no end."""
    text = f"Another Fighter stands on {wanted.hex}: a movement may not end there."
    return Refusal("DF-E03", f"{text} {_nearest(wanted, ends)}", _ONE_A_SPACE)


def turn(
    raw: Json, stands: Heading, ends: Sequence[Heading], cite: Cite, board: HexMap
) -> Refusal | None:
    """A rotation that so many Turns do not bring about (DF-E06), or no rotation at all."""
    wanted = _read(raw)
    if wanted is None or wanted.hex != stands.hex:
        return pose(raw, ends, cite, board=board)
    text = f"These Turns do not leave the plane facing {wanted.name().rpartition(' ')[2]}."
    return Refusal("DF-E06", f"{text} {_nearest(wanted, ends)}", cite)


def not_asked(game: Game, seat: Seat, raw: Json, asked: Question[Any]) -> Refusal | None:
    """Why a player may not speak while another is asked; None where the table is asked."""
    position = game.position
    if seat not in position.players or asked.by in (TABLE, seat):
        return None
    who, whose, turn_of = (game.who(one) for one in (seat, asked.by, position.active))
    if position.players[seat].out:
        return _spoken(f"{who} is out and has no turn any more. {whose} is asked.", _CRASHED)
    if position.stage == SET_UP:
        text = f"It is {whose}'s choice now. {who} waits until asked."
        return _spoken(text, asked.cite)
    if position.fires_at == seat and spelt_like(raw, EVASIONS) is not None:
        text = f"{who} may evade at the end of the Fire step. {whose} rolls first."
        return _spoken(text, _END_OF_FIRE)
    if asked.key.endswith("/evade"):
        text = f"Only the target evades: {whose}. {who} waits for that."
        return _spoken(text, _TARGET)
    if isinstance(asked, Roll | RollAgain):
        text = f"These dice are {whose}'s, and nobody else rolls them. {who} waits for that."
        return _spoken(text, _OWN_DICE)
    if seat == position.active:
        text = f"One action ends before the next: {whose} is asked. {who} goes on after that."
        return _spoken(text, _ONE_ACTION)
    return _spoken(f"It is {turn_of}'s turn, and {whose} is asked. {who} waits.", _TURN)


def _spoken(text: str, cite: Cite) -> Refusal:
    return Refusal("DF-TURN", text, cite)


def _read(raw: Json) -> Heading | None:
    try:
        return Heading.read(str(raw))
    except ValueError:
        return None


def _nearest(wanted: Heading, ends: Iterable[Heading]) -> str:
    """The legal poses that are most like the one wanted."""

    def unlike(end: Heading) -> tuple[int, int, Heading]:
        apart = (end.facing - wanted.facing) % 6
        return (end.hex.distance(wanted.hex), min(apart, 6 - apart), end)

    nearest = sorted(ends, key=unlike)[:NEAREST]
    return f"Legal nearby: {'; '.join(end.name() for end in nearest)}." if nearest else ""


# Actions that a menu does not offer: the first thing that each lacks.

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
    return wrong_moment(text, _STALL_FIRST)
