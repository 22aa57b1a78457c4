"""What only Night Mode and tables with solo players may report.  (JP-E23, JP-E43)"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.core.errors import BadCall
from companion.core.ruling import Notice
from companion.games.jaws_and_paws.crew import NAMES, TEAM_OF
from companion.games.jaws_and_paws.reports import Word, as_recorded, block, note

if TYPE_CHECKING:
    from companion.games.jaws_and_paws.fact_reader import FactReader
    from companion.games.jaws_and_paws.game import Game

_TURN_UP = "Turn one of them up at once; with none laid, lay one from hand face up."


def _moon_draw(rules: Game, fact: FactReader) -> Notice:
    """Somebody draws because of the Moon: whether that player may, and so many.  (JP-E43)"""
    player, most = fact.player(), rules.cards.moon_draw
    cards = fact.number("cards", rules.position.deck_size)
    team = TEAM_OF[player]
    if team not in rules.position.favoured:
        text = (
            f"{NAMES[player]} drew {cards} because of the Moon, which does not favour {team} now."
        )
        return block("JP-E43", text, "JP-16.3", "Put them back on top of the Deck, unseen.")
    if cards > most:
        text = f"{NAMES[player]} drew {cards} because of the Moon, which lets draw up to {most}."
        return block("JP-E43", text, "JP-16.3", f"Put {cards - most} back on top, unseen.")
    return as_recorded(f"{NAMES[player]} may draw up to {most} more", "JP-16.3")


def _face_up(rules: Game, fact: FactReader) -> Notice:
    """How many cards of a solo player lie face up on the track.  (JP-E23)"""
    team, cards = fact.team(), fact.number("cards", rules.position.deck_size)
    if team not in rules.lineup.solos:
        raise BadCall(f"team: {team} has no solo player; the cards of a team of two stay face down")
    wanted = rules.options[rules.face_up_option]
    if wanted == "none" or (wanted == "all" and cards) or (wanted == "one" and cards == 1):
        return as_recorded(f"{team} has {cards} face up", "JP-18.3")
    if not cards:
        text = f"No card of {team}, who plays alone, lies face up."
        return note("JP-E23", text, "JP-18.3, RULING 26", _TURN_UP)
    text = f"{cards} cards of {team} lie face up; it is exactly one."
    return note("JP-E23", text, "JP-18.3, RULING 26", "Turn the others face down again.")


MOON_WORDS: Mapping[str, Word] = {"moon draw": Word(_moon_draw, ("player", "cards"))}
FACE_UP_WORDS: Mapping[str, Word] = {"cards face up": Word(_face_up, ("team", "cards"))}
"""Words beside those of `reports.py`."""
