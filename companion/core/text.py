"""Words that every box needs: counts and lists in a sentence, and names as people type them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from reprlib import repr as brief
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.core.ruling import Json


QUOTED = 60
"""The most letters of what somebody typed that a refusal repeats."""

LONGEST_REFUSAL = 2000
"""The most letters of a refusal."""


def counted(count: int, thing: str, things: str = "") -> str:
    """A number and its thing; say the word for several where it does not end in s.

    >>> counted(1, "card"), counted(2, "card"), counted(0, "die", "dice")
    ('1 card', '2 cards', '0 dice')
    """
    return f"{count} {thing}" if count == 1 else f"{count} {things or f'{thing}s'}"


def quoted(said: object) -> str:
    """What somebody typed, in quotation marks; of a long one its beginning.

    >>> quoted("Jaws"), quoted("a" * 200) == repr("a" * 60) + " …"
    ("'Jaws'", True)
    """
    if isinstance(said, str):
        return repr(said) if len(said) <= QUOTED else f"{said[:QUOTED]!r} …"
    text = repr(said)
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


def inside(label: str) -> str:
    """A label as it stands inside a sentence; one that is written in capitals stays so.

    >>> inside("Hand"), inside("RANGE"), inside("")
    ('hand', 'RANGE', '')
    """
    return label if label[1:2].isupper() else f"{label[:1].lower()}{label[1:]}"


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
"""The most characters of a headline."""


def headed(name: str, seat: str, words: str) -> str:
    """A headline that names its player, by the seat's letter where the name is too long.

    >>> headed("Ana", "A", "draw 1"), headed("Bartholomew", "B", "which Fighter?")
    ('Ana: draw 1', 'B: which Fighter?')
    """
    named = f"{name}: {words}"
    return named if len(named) <= HEADLINE else f"{seat}: {words}"[:HEADLINE]


# Names as people type them: any case; blanks, dashes or underlines.

_DASH = re.compile(r"_|(?<=\w)-|-(?!\d)")
"""Dashes that stand for a blank: all but minus signs before numbers."""


def spelt_like(raw: object, names: Iterable[str]) -> str | None:
    """The name that was meant: one that is spelt exactly so, else one that is like it.

    >>> spelt_like("high speed_maneuver", ["Basic Maneuver", "High-speed Maneuver"])
    'High-speed Maneuver'
    >>> spelt_like("-1,0 nw", ["1,0 NW", "-1,0 NW"])
    '-1,0 NW'
    """
    known = tuple(names)
    if isinstance(raw, str) and raw in known:
        return raw
    wanted = plain_name(str(raw))
    return next((name for name in known if _plain_known(name) == wanted), None)


def all_spelt_like(raw: object, names: Iterable[str]) -> list[int]:
    """The places, from 0, of all names that may be meant.

    >>> all_spelt_like("ana", ["Ana", "Ben", "ANA"])
    [0, 2]
    """
    wanted = plain_name(str(raw))
    return [at for at, name in enumerate(names) if _plain_known(name) == wanted]


def one_of(raw: object, allowed: Iterable[str], what: str) -> str:
    """The name that was meant; ValueError lists those there are.

    >>> one_of("Hand ", ["deck", "hand"], "pile")
    'hand'
    """
    known = tuple(allowed)
    meant = spelt_like(raw, known) if isinstance(raw, str) else None
    if meant is None:
        raise ValueError(f"{brief(raw)} is no {what}; there are {', '.join(known)}")
    return meant


def plain_name(name: str) -> str:
    """A name without what people type in different ways.

    >>> plain_name("High-speed  Maneuver"), plain_name("-1,0_NW")
    ('high speed maneuver', '-1,0 nw')
    """
    return " ".join(_DASH.sub(" ", name.lower()).split())


_plain_known = lru_cache(maxsize=8192)(plain_name)
"""The same for names that a box has: they are compared at every answer, what is typed but once."""


def in_codes(said: Json, codes: Mapping[str, str]) -> Json:
    """What was said with every name that stands there as whole words put as its code.

    `codes` has names in any case; the longest name goes first. Lists and objects are gone through.

    >>> in_codes("1,0 ram ana", {"Ana": "A", "Ana Maria": "B"})
    '1,0 ram A'
    >>> in_codes(["Ana Maria", 3], {"Ana": "A", "Ana Maria": "B"})
    ['B', 3]
    """
    if isinstance(said, str):
        return _names_to_codes(said, codes)
    if isinstance(said, list):
        return [in_codes(part, codes) for part in said]
    if isinstance(said, dict):
        return {_names_to_codes(key, codes): in_codes(part, codes) for key, part in said.items()}
    return said


def _names_to_codes(text: str, codes: Mapping[str, str]) -> str:
    known = {name.lower(): code for name, code in codes.items() if name}
    if not known:
        return text
    longest_first = sorted(known, key=len, reverse=True)
    anyone = "|".join(re.escape(name) for name in longest_first)
    return re.sub(
        rf"(?<!\w)(?:{anyone})(?!\w)",
        lambda found: known[found[0].lower()],
        text,
        flags=re.IGNORECASE,
    )


def whole_number(raw: object) -> int | None:
    """A whole number as people or JSON give it; None for anything else.

    >>> whole_number(" 3 "), whole_number(3), whole_number(True), whole_number("3.5")
    (3, 3, None, None)
    """
    if isinstance(raw, int) and not isinstance(raw, bool):
        return raw
    if isinstance(raw, str):
        try:
            return int(raw.strip())
        except ValueError:
            return None
    return None


def with_commas(names: Iterable[object]) -> str:
    """Names one after the other, as a refusal lists what there is.

    >>> with_commas(["Jaws", "Paws"])
    'Jaws, Paws'
    """
    return ", ".join(str(name) for name in names)


_PASSWORD = re.compile(r"(\b[a-z][a-z0-9+.-]*://[^\s/:@\"']*):[^\s@\"']*@", re.IGNORECASE)


def without_secrets(text: str) -> str:
    """A text without the passwords of addresses in it.

    >>> without_secrets("record = 'postgresql://club:geheim@host/matches'")
    "record = 'postgresql://club:***@host/matches'"
    """
    return _PASSWORD.sub(r"\1:***@", text)
