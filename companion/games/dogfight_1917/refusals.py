"""Why an answer of Dogfight: 1917 is refused.

A refusal is a code, the limit, the rule and the way out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from reprlib import repr as brief
from typing import TYPE_CHECKING

from companion.core.board import no_heading
from companion.core.question import Refusal
from companion.core.ruling import Cite
from companion.core.text import counted, spelt_like
from companion.games.dogfight_1917 import cards
from companion.games.dogfight_1917.cards import called, dice_words
from companion.games.dogfight_1917.faults import faults
from companion.kit.hexes import FLAT_TOP_NAMES, Heading, Hex, HexMap, parted

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.dogfight_1917.cards import Evasion, Maneuver
    from companion.games.dogfight_1917.position import Dogfight1917Position


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
_HEADING = Cite.of("DF-2.3")
_BOARD = Cite.of("DF-2.2, DF-9.4, RULING 1")


def taken(raw: Json, names: Mapping[str, str], cite: Cite) -> Refusal | None:
    """A Fighter or pilot that somebody else has already."""
    known = called(raw, names)
    if known is None:
        return None
    text = f"{names[known]} is not to be had here: each can be chosen once. Choose another."
    return Refusal("DF-TAKEN", text, cite)


def unready(position: Dogfight1917Position) -> Refusal | None:
    """Why the first turn cannot begin: what corrections took away that set-up had given.  (DF-3)"""
    found = faults(replace(position, stage=cards.RECONNAISSANCE))
    if not found:
        return None
    fault = found[0]
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
        if number > cards.COPIES[card]:
            text = f"{number} of {card} are named; a Fighter owns {cards.COPIES[card]}. Look again."
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
    name = spelt_like(raw, (*means, cards.STEEP_DIVE, *cards.COPIES))
    if name is None:
        return None
    if name in means and means[name].is_special:
        return tokens_short(name, means[name].tokens, tokens, cite, "Play a card, or pass.")
    if name in means:
        return wrong_moment(f"The Hand is empty: no {name} can be played. Pass.", cite)
    if name == cards.STEEP_DIVE:
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
