"""The boxes: which there are, and where each rulebook is found."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from companion.errors import BadCall

if TYPE_CHECKING:
    from companion.rulebook import Rulebook

RULEBOOKS = {
    "jaws-and-paws": ("companion.games.jaws_and_paws.rules", "JawsAndPaws"),
}
"""Each box's name on the command line, with the module and class that hold its rules."""


def find_rulebook(name: str) -> type[Rulebook[Any]]:
    """The rules of a box, imported when first wanted; BadCall names the boxes there are.

    >>> find_rulebook("jaws-and-paws").title
    'Jaws & Paws'
    """
    wanted = name.strip().lower().replace("_", "-").replace(" ", "-")
    if wanted not in RULEBOOKS:
        known = ", ".join(RULEBOOKS)
        there = "is" if len(RULEBOOKS) == 1 else "are"
        raise BadCall(f"no box is called {name!r}; there {there} {known}")
    module, cls = RULEBOOKS[wanted]
    rulebook: type[Rulebook[Any]] = getattr(import_module(module), cls)
    return rulebook
