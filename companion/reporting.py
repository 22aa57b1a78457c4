"""Reports of a table, for any box: words with their fields, refused where they are malformed.

A report is {"what": WORD, ...}. A box lists its words with their fields ("?" after one that may be
left out) and a judge for each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from companion.errors import BadCall
from companion.ruling import Level, Notice, Seat
from companion.wording import listed, quoted

if TYPE_CHECKING:
    from companion.offers import Json
    from companion.ruling import Cite

GameT = TypeVar("GameT")
Fields = Mapping[str, "Json"]
Words = Mapping[str, Sequence[str]]
Judges = Mapping[str, Callable[[GameT, Fields], Notice]]

CORRECT = "Count again, or let the arbiter adjust the record to what lies there."

READ_OFF = ("count", "cards", "zone", "state", "smoke", "side")
"""Fields that tell what was read off the table; the others name what was looked at."""


def is_read_off(fact: Fields) -> bool:
    """Whether a report compares the table with the record, so that either may be put right."""
    return not fact.keys().isdisjoint(READ_OFF)


def is_of_the_same(fact: Fields, other: Fields) -> bool:
    """Whether two reports looked at the same thing, whatever they saw.

    >>> hull = {"what": "recount", "player": "A", "pile": "hull", "count": 1}
    >>> is_of_the_same(hull, {**hull, "player": "a", "count": 3})
    True
    >>> is_of_the_same(hull, {**hull, "pile": "energy"})
    False
    """
    return is_read_off(fact) and _looked_at(fact) == _looked_at(other)


def _looked_at(fact: Fields) -> dict[str, str]:
    return {name: _plain(value) for name, value in fact.items() if name not in READ_OFF}


def _plain(value: Json) -> str:
    return str(value).strip().lower()


def settled(agreeing: Notice) -> Notice:
    """What stands instead of a block or warning once table and record agree."""
    way_out = "That settles what was reported: it holds nothing up any more."
    return replace(agreeing, level=Level.NOTE, way_out=way_out)


def ways_on(notice: Notice, fact: Fields) -> str:
    """Everything that lifts a block, in a sentence."""
    solved = f"says that it is solved (report solved, code {notice.code})"
    if is_read_off(fact):
        return (
            "Play goes on when somebody looks again and reports what the record has, when the "
            "arbiter corrects the record to what was reported or undoes the report, or when "
            f"the arbiter {solved}."
        )
    way_out = f"{notice.way_out} " if notice.way_out else ""
    return f"{way_out}Play goes on when the arbiter {solved}, or undoes the report."


def judged(game: GameT, fact: Fields, words: Words, judges: Judges[GameT]) -> Notice:
    """What a report means for the position; BadCall where it is none."""
    what = fact.get("what")
    judge = judges.get(what) if isinstance(what, str) else None
    if judge is None or not isinstance(what, str):
        raise no_such_report(fact, words)
    refuse_fields(what, words[what], fact)
    return judge(game, fact)


def no_such_report(fact: Fields, words: Iterable[str]) -> BadCall:
    """A report without its word, or with one that nobody knows."""
    known = ", ".join(words)
    if "what" not in fact:
        return BadCall(f'the report lacks "what", which is one of {known}')
    return BadCall(f"nobody reports {quoted(fact['what'])}; the words are {known}")


def refuse_fields(what: str, fields: Sequence[str], fact: Fields) -> None:
    """Fields that the word has not and those that it lacks; BadCall names all of them at once."""
    needed = [name for name in fields if not name.endswith("?")]
    optional = [name.removesuffix("?") for name in fields if name.endswith("?")]
    lacking = [name for name in needed if name not in fact]
    unknown = sorted(fact.keys() - {"what", *needed, *optional})
    wrong = [f"lacks {listed(lacking)}"] if lacking else []
    wrong += [f"has no field {listed(unknown)}"] if unknown else []
    if wrong:
        told = ", ".join((f'"what": "{what}"', *(f'"{name}": …' for name in needed)))
        more = f", if need be with {listed(optional)}" if optional else ""
        how = f"it is told as {{{told}}}{more}"
        raise BadCall(f"the report {what!r} {', and '.join(wrong)}; {how}")


def number_in(fact: Fields, name: str, most: int) -> int:
    """A whole number from none to so many; BadCall otherwise."""
    raw = fact[name]
    if isinstance(raw, bool) or not isinstance(raw, int) or not 0 <= raw <= most:
        raise BadCall(f"{name}: {raw!r} is not a whole number from 0 to {most}")
    return raw


def named_in(fact: Fields, name: str, read: Callable[[object], str]) -> str:
    """What a reader of names makes of a field; BadCall with its words."""
    try:
        return read(fact[name])
    except ValueError as wrong:
        raise BadCall(f"{name}: {wrong}") from wrong


def seat_in(fact: Fields, read: Callable[[object], Seat], there: Sequence[Seat]) -> Seat:
    """Whom a report is about; BadCall where nobody sits there."""
    try:
        seat = read(fact["player"])
    except ValueError as wrong:
        raise BadCall(f"player: {wrong}") from wrong
    if seat not in there:
        raise BadCall(f"player: nobody sits at {seat}; there are {', '.join(there)}")
    return seat


def lettered_seat_in(fact: Fields, there: Sequence[Seat]) -> Seat:
    """Whom a report is about, where seats are letters; BadCall where nobody sits there.

    >>> lettered_seat_in({"player": " b "}, (Seat("A"), Seat("B")))
    'B'
    """
    raw = fact["player"]
    seat = Seat(raw.strip().upper()) if isinstance(raw, str) else Seat("")
    if seat not in there:
        raise BadCall(f"player: {raw!r} is none of {', '.join(there)}")
    return seat


def left_after_the_end(code: str, who: str, cite: Cite) -> Notice:
    """Somebody leaves when the match has ended: what stood at its end stays as it is."""
    return Notice(code, f"{who} has left; the match had ended before.", cite, Level.NOTE)


def agrees(code: str, what: str, cite: Cite) -> Notice:
    """What was reported is as recorded."""
    return Notice(code, f"As recorded: {what}.", cite, Level.NOTE)


def decision(code: str, fact: Fields, cite: Cite) -> Notice:
    """What the table decides against the book, told openly; BadCall where it says nothing."""
    raw = fact.get("text", "the book is overruled")
    if not isinstance(raw, str) or not raw.strip():
        raise BadCall(f'text: {raw!r} is no decision; say it in words, as in "we place it anew"')
    text = f"Table decision: {raw.strip().rstrip('.')}."
    way_out = "Correct the record with an adjustment, so that it shows."
    return Notice(code, text, cite, Level.NOTE, way_out)
