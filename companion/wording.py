"""Words that every box needs: so many of a thing, several names in a sentence."""

from __future__ import annotations

from collections.abc import Sequence


def counted(count: int, thing: str, things: str = "") -> str:
    """So many of a thing; the word for several where it does not end in s.

    >>> counted(1, "card"), counted(2, "card"), counted(0, "die", "dice")
    ('1 card', '2 cards', '0 dice')
    """
    return f"{count} {thing}" if count == 1 else f"{count} {things or f'{thing}s'}"


def listed(names: Sequence[str]) -> str:
    """Several names in a sentence; empty for none.

    >>> listed(["Ana"]), listed(["Ana", "Ben", "Cleo"])
    ('Ana', 'Ana, Ben and Cleo')
    """
    *before, last = names or [""]
    return f"{', '.join(before)} and {last}" if before else last


HEADLINE = 22
"""As many characters as a headline may have."""


def headed(name: str, seat: str, words: str) -> str:
    """A headline that names its player, by the seat's letter where the name is too long.

    >>> headed("Ana", "A", "draw 1"), headed("Bartholomew", "B", "which Fighter?")
    ('Ana: draw 1', 'B: which Fighter?')
    """
    named = f"{name}: {words}"
    return named if len(named) <= HEADLINE else f"{seat}: {words}"[:HEADLINE]
