"""Cards that were laid, moved or owned up to after the buzzer.  (JP-5.7, RULING 6, RULING 37)"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.errors import BadCall
from companion.games.jaws_and_paws.crew import NAMES, TEAM_OF
from companion.games.jaws_and_paws.layout import NOBODY, SECTIONS, UNTOLD
from companion.ruling import Cite, Level, Notice, Seat

if TYPE_CHECKING:
    from companion.games.jaws_and_paws.fact_reader import FactReader
    from companion.games.jaws_and_paws.game import Game
    from companion.games.jaws_and_paws.position import JawsAndPawsPosition

CITE = Cite.of("JP-5.7, RULING 6")
_LONGEST_LATE_MS = 600_000


def late_card(rules: Game, fact: FactReader) -> Notice:
    """A card was laid or moved after the buzzer (JP-E20).

    Fields: player, section, optional late_ms and moved_from. Before the lock is told the card is
    simply not counted; told already, it leaves the track again, or is discarded.
    """
    player, number = fact.player(), fact.section()
    late_ms = fact.number("late_ms", _LONGEST_LATE_MS) if fact.has("late_ms") else None
    moved_from = fact.section("moved_from") if fact.has("moved_from") else None
    place = f"{TEAM_OF[player]} section {number}"
    grace_ms = rules.number("buzzer_grace_ms")
    if late_ms is not None and 0 < late_ms <= grace_ms:
        return _note(f"{place}: {late_ms} ms late, within the grace of {grace_ms} ms: it counts.")
    if rules.options["late_card"] == "accept":
        return _note(f"{place}: a card laid or moved late; this table lets it lie.")
    if moved_from is not None:
        text = f"{place}: a card moved there after the buzzer; it lay on section {moved_from}."
        return _note(text, f"Put it back on section {moved_from}.")
    return _laid_late(rules, player, number, place)


def _note(text: str, way_out: str = "") -> Notice:
    return Notice("JP-E20", text, CITE, Level.NOTE, way_out)


def _laid_late(rules: Game, player: Seat, number: int, place: str) -> Notice:
    position = rules.position
    if position.stage not in ("action", "lock", "draw"):
        text = f"{place}: a card of {NAMES[player]} laid late, found after the draw."
        return Notice("JP-E20", text, CITE, Level.BLOCK, "Correct the answer at the lock instead.")
    told = _take_off(position, player, number)
    if rules.options["late_card"] == "discard":
        if position.piles[player]["hand"]:
            position.piles[player].move(1, "hand", "discard")
        text = f"{place}: a card of {NAMES[player]} laid late was not played and is discarded."
    else:
        text = f"{place}: a card of {NAMES[player]} laid late returns to the hand, not played."
    return _note(text, "The lock is corrected." if told else "Do not count it at the lock.")


def _take_off(position: JawsAndPawsPosition, player: Seat, number: int) -> bool:
    """Take a late card off the track again, if the lock had it; whether it had."""
    owners, piles = position.owners[TEAM_OF[player]], position.piles[player]
    if position.stage != "draw" or owners[number - 1] not in (player, UNTOLD):
        return False
    if piles["track"] == 0:
        return False
    position.empty_section(TEAM_OF[player], number)
    piles.move(1, "track", "hand")
    position.played[player] -= 1
    return True


def corrected_to_played(position: JawsAndPawsPosition, player: Seat, number: int) -> None:
    """A card that the lock missed is on the track: its owner has played.  (JP-E34)

    `number` is its section, 0 where the table was asked for players' counts alone.
    """
    owners = position.owners[TEAM_OF[player]]
    if number and owners[number - 1] != NOBODY:
        raise BadCall(f"section {number}: the record has a card there; amend the lock instead")
    if not number and UNTOLD not in owners:
        raise BadCall(f"section: name the section, {SECTIONS[0]} to {SECTIONS[-1]}")
    position.piles[player].move(1, "hand", "track")
    position.played[player] += 1
    if number:
        owners[number - 1] = player
