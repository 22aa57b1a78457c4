"""The list of boxes, and where the rules and the hidden table of each are found."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.errors import BadCall

if TYPE_CHECKING:
    from companion.kit.playing import MakeBots
    from companion.match.rulebook import Rulebook, Setup


class Shelf(NamedTuple):
    """Where a box stands: its folder, the class in its rules.py, the class in its table.py."""

    folder: str
    rules: str
    table: str


RULEBOOKS = {
    "jaws-and-paws": Shelf("companion.games.jaws_and_paws", "JawsAndPaws", "PhysicalTable"),
    "dogfight-1917": Shelf("companion.games.dogfight_1917", "Dogfight1917", "PhysicalTable"),
    "dogfight-hex": Shelf("companion.games.dogfight_hex", "DogfightHex", "PhysicalTable"),
    "talespin-dogfight": Shelf(
        "companion.games.talespin_dogfight", "TalespinDogfight", "PhysicalTable"
    ),
    "starship-edition": Shelf(
        "companion.games.starship_edition", "StarshipEdition", "PhysicalTable"
    ),
}
"""Each box's name on the command line; where nobody names one, the first is meant."""

USUAL_BOX = next(iter(RULEBOOKS))


def find_rulebook(name: str) -> type[Rulebook[Any]]:
    """The rules of a box, imported when first wanted; BadCall names the boxes there are.

    >>> find_rulebook("jaws-and-paws").title
    'Jaws & Paws'
    """
    shelf = _shelf(name)
    rulebook: type[Rulebook[Any]] = getattr(import_module(f"{shelf.folder}.rules"), shelf.rules)
    return rulebook


def rulebook_of(setup: Setup) -> type[Rulebook[Any]]:
    """The rules of a match: its box, its variants, and the seats that its house rules call for.

    BadCall for a box, a variant or an option that there is not.
    """
    return find_rulebook(setup.box).in_variants(setup.variants).seated(setup.options)


def find_bots(name: str) -> MakeBots:
    """What lays out a box's hidden table, with its bots; BadCall as above."""
    shelf = _shelf(name)
    table: MakeBots = getattr(import_module(f"{shelf.folder}.table"), shelf.table)
    return table


def _shelf(name: str) -> Shelf:
    wanted = str(name).strip().lower().replace("_", "-").replace(" ", "-")
    if wanted not in RULEBOOKS:
        known = ", ".join(RULEBOOKS)
        there = "is" if len(RULEBOOKS) == 1 else "are"
        raise BadCall(f"no box is called {name!r}; there {there} {known}")
    return RULEBOOKS[wanted]
