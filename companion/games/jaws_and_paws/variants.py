"""Which chapters replace which paragraphs, and which go together.  (JP-16 to JP-19)

Night goes with any number of players. Where two chapters replace the same paragraph the one named
first in `CHAPTERS` has the word, and asks the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeVar, cast

from companion.core.errors import BadCall
from companion.core.ruling import Cite
from companion.games.jaws_and_paws.crew import TEAM_OF
from companion.games.jaws_and_paws.five import FivePlayers
from companion.games.jaws_and_paws.lineup import Lineup, lineup_of
from companion.games.jaws_and_paws.night import Night
from companion.games.jaws_and_paws.rules import JawsAndPaws
from companion.games.jaws_and_paws.solo import ThreePlayers, TwoPlayers
from companion.games.jaws_and_paws.switches import SWITCHES

RulesT = TypeVar("RulesT", bound=JawsAndPaws)

CHAPTERS: Mapping[str, type[JawsAndPaws]] = {
    "night": Night,
    "five-players": FivePlayers,
    "three-players": ThreePlayers,
    "two-players": TwoPlayers,
}
"""The chapters in the order in which they have the word."""

_EITHER_OR = (("day", "night"), ("two-players", "three-players", "five-players"))


def rules_in(rules: type[RulesT], names: Sequence[str]) -> type[RulesT]:
    """The rules with the named chapters in force; BadCall where they exclude each other."""
    for group in _EITHER_OR:
        both = [name for name in dict.fromkeys(names) if name in group]
        if len(both) > 1:
            raise BadCall(f"{both[0]} and {both[1]} exclude each other: name one of them")
    chosen = tuple(chapter for name, chapter in CHAPTERS.items() if name in names)
    return cast("type[RulesT]", _mixed(chosen)) if chosen else rules


@cache
def _mixed(chapters: tuple[type[JawsAndPaws], ...]) -> type[JawsAndPaws]:
    """One class of several chapters, with the house rules and the cites of all of them."""
    switches = dict(SWITCHES)
    for chapter in chapters:
        switches |= {switch.name: switch for switch in chapter.adds}
    left_out = {name for chapter in chapters for name in chapter.leaves_out}
    body: dict[str, Any] = {
        "switches": {name: one for name, one in switches.items() if name not in left_out},
        "also": _joined([chapter.also for chapter in chapters]),
        "also_solo": _joined([chapter.also_solo for chapter in chapters]),
        "__doc__": " ".join(chapter.__doc__ or "" for chapter in chapters),
        "__module__": __name__,
    }
    name = "".join(chapter.__name__ for chapter in chapters)
    lineup = next((c.lineup for c in chapters if c.lineup is not JawsAndPaws.lineup), None)
    rules = cast("type[JawsAndPaws]", type(name, chapters, body))
    return rules if lineup is None else seated_by(rules, lineup)


def _joined(cites: Sequence[Mapping[str, Cite]]) -> Mapping[str, Cite]:
    joined: dict[str, Cite] = {}
    for mapping in cites:
        for rule, cite in mapping.items():
            joined[rule] = joined[rule].also(cite) if rule in joined else cite
    return joined


def seated(rules: type[RulesT], crews: str) -> type[RulesT]:
    """The rules for a table of so many people in each team, clockwise: "2 2 1"."""
    lineup = lineup_of(*(int(size) for size in crews.split()))
    return rules if lineup is rules.lineup else cast("type[RulesT]", seated_by(rules, lineup))


@cache
def seated_by(rules: type[JawsAndPaws], lineup: Lineup) -> type[JawsAndPaws]:
    """The same rules with other seats."""
    body: dict[str, Any] = {
        "lineup": lineup,
        "seats": lineup.names,
        "sides": lineup.teams,
        "side_of": {player: TEAM_OF[player] for player in lineup.players},
        "held_by": lineup.held_by,
        "buttons": lineup.teams[:2],
        "__doc__": rules.__doc__,
        "__module__": __name__,
    }
    return cast("type[JawsAndPaws]", type(rules.__name__, (rules,), body))
