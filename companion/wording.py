"""Words that every box needs: so many of a thing, several names in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

QUOTED = 60
"""So many letters of what somebody typed are repeated in a refusal."""

LONGEST_REFUSAL = 2000
"""Letters of a refusal, whatever it repeats."""


def counted(count: int, thing: str, things: str = "") -> str:
    """So many of a thing; the word for several where it does not end in s.

    >>> counted(1, "card"), counted(2, "card"), counted(0, "die", "dice")
    ('1 card', '2 cards', '0 dice')
    """
    return f"{count} {thing}" if count == 1 else f"{count} {things or f'{thing}s'}"


def quoted(said: object) -> str:
    """What somebody typed, in quotation marks; of a long one its beginning.

    >>> quoted("Jaws"), quoted("a" * 200) == repr("a" * 60) + " …"
    ("'Jaws'", True)
    """
    text = repr(said[: QUOTED + 1] if isinstance(said, str) else said)
    if isinstance(said, str):
        return text if len(said) <= QUOTED else f"{said[:QUOTED]!r} …"
    return text if len(text) <= QUOTED else f"{text[:QUOTED]} …"


def cut(text: str, said: object) -> str:
    """A refusal that repeats what somebody typed, with no more than the beginning of a long one.

    >>> cut("'" + "7" * 90 + "' is no card.", "7" * 90).count("7")
    60
    """
    whole = said if isinstance(said, str) else repr(said)
    if len(whole) > QUOTED:
        for long in (whole, repr(whole)[1:-1]):
            text = text.replace(long, f"{long[:QUOTED]} …")
    return text if len(text) <= LONGEST_REFUSAL else f"{text[:LONGEST_REFUSAL]} …"


def listed(names: Sequence[str]) -> str:
    """Several names in a sentence; empty for none.

    >>> listed(["Ana"]), listed(["Ana", "Ben", "Cleo"])
    ('Ana', 'Ana, Ben and Cleo')
    """
    *before, last = names or [""]
    return f"{', '.join(before)} and {last}" if before else last


def lines_in_words(seqs: Sequence[int]) -> str:
    """So many lines of the log.

    >>> lines_in_words([3]), lines_in_words([3, 5, 9]), lines_in_words([3, 4, 5, 6, 7, 9])
    ('line 3', 'lines 3, 5 and 9', 'lines 3 to 7 and 9')
    """
    runs: list[list[int]] = []
    for seq in seqs:
        if runs and seq == runs[-1][-1] + 1:
            runs[-1].append(seq)
        else:
            runs.append([seq])
    told = [
        part
        for run in runs
        for part in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run))
    ]
    return f"line {told[0]}" if len(seqs) == 1 else f"lines {listed(told)}"


HEADLINE = 22
"""As many characters as a headline may have."""


def headed(name: str, seat: str, words: str) -> str:
    """A headline that names its player, by the seat's letter where the name is too long.

    >>> headed("Ana", "A", "draw 1"), headed("Bartholomew", "B", "which Fighter?")
    ('Ana: draw 1', 'B: which Fighter?')
    """
    named = f"{name}: {words}"
    return named if len(named) <= HEADLINE else f"{seat}: {words}"[:HEADLINE]
