"""Figures of a box that its book does not print: assumed, replaced by a table's file, confirmed.

A box ships a file of assumed figures and says which they are. A table may lay its own file over
it; here the two are merged and judged, and what the table has confirmed is told.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Hashable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from pathlib import Path
from reprlib import repr as brief
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Protocol,
    TypeGuard,
    TypeVar,
    cast,
)

from pydantic import ValidationError, ValidatorFunctionWrapHandler, WrapValidator

from companion.core.errors import BadFile
from companion.core.ruling import Cite

if TYPE_CHECKING:
    from companion.core.ruling import Json


# What a box tells of its assumed figures.


@dataclass(frozen=True, slots=True)
class AssumedFigure:
    """One figure to hold against the real board and components.

    `name` is its place in the table's own file ("board.radius"), `label` what to call it, `value`
    what holds now, `text` the same as people read it. `confirmed`: somebody has looked. `low` and
    `high` limit a figure that is a whole number. `choices` are the words that it may be, each with
    what people call it; `spaces` those that such a word stands for now. `is_name`: any words are
    taken.
    """

    name: str
    label: str
    value: Json
    text: str
    cite: Cite
    confirmed: bool = False
    low: int | None = None
    high: int | None = None
    choices: tuple[tuple[str, str], ...] = ()
    spaces: Json = None
    is_name: bool = False


class TableFigures(Protocol):
    """What a box lets each table say of its own copy; `own` are a table's figures so far."""

    def listed(self, own: Mapping[str, Json]) -> Sequence[AssumedFigure]:
        """Every figure to hold against the real components; BadFile where `own` is wrong."""
        ...

    def changed(self, own: Mapping[str, Json], name: str, value: Json) -> dict[str, Json]:
        """`own` with one figure as it was read; BadFile names what is allowed."""
        ...

    def confirmed(self, own: Mapping[str, Json], called: str) -> dict[str, Json]:
        """All figures as they stand, confirmed, as a set called so: what a table keeps."""
        ...

    def notices(self, own: Mapping[str, Json]) -> Sequence[str]:
        """What can be used and may be meant otherwise, in sentences; BadFile as `listed`."""
        ...


# A table's own file over the figures that ship.

Assumed = Mapping[str, tuple[str, str]]
"""Every figure that is assumed until confirmed: what to call it, and the cite it belongs to."""


SHIPPED = "assumed figures"
"""What the figures that ship with a box are called, where a table's own file has no name."""


def figures_in_words(name: str, *, own: bool, left: int, of: int) -> str:
    """Which figures rule a match, and where those `left` of all are held against the box.

    >>> figures_in_words("Club night", own=True, left=0, of=5)
    'Cards and figures are those of the file "Club night".'
    """
    said = f'Cards and figures are those of the file "{name}".'
    if not own:
        said = "No cards or figures come from your box: this match uses assumed ones."
    elif name == SHIPPED:
        said = "Cards and figures are those of this table's own file, and assumed ones."
    if not left:
        return said
    have = "figure still has" if of == 1 else "figures still have"
    return f"{said} {left} of {of} {have} to be checked with the box: {HOW_TO_CONFIRM}."


HOW_TO_CONFIRM = "in the app by “Check the box”, or with `confirmed` in a file for --data"


def at_the_table(text: str) -> str:
    """As the app says it: whoever reads it there neither types nor knows of files.

    >>> at_the_table("5 of 5 figures still have to be checked with the box: " + HOW_TO_CONFIRM)
    '5 of 5 figures still have to be checked with the box: Home, New match, Check the box'
    """
    return text.replace(HOW_TO_CONFIRM, "Home, New match, Check the box")


def merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """One file with another over it, part by part.

    >>> merged({"deck": {"short": 12, "long": 12}}, {"deck": {"long": 9}})
    {'deck': {'short': 12, 'long': 9}}
    """
    whole = dict(below)
    for name, value in above.items():
        under = whole.get(name)
        whole[name] = merged(under, value) if _is_part(under) and _is_part(value) else value
    return whole


Reading = TypeVar("Reading", bound=Callable[..., Any])
_READINGS_KEPT = 8


def read_once(read: Reading) -> Reading:
    """Keep what was read from the last few files, and give it again for the same file.

    A match is played anew for each undo and each amendment that is looked at. What is made of its
    figures, such as the plan of its board, is found again by them. A refused file is judged again.

    >>> listed = read_once(lambda raw: [*raw])
    >>> listed({"die": 6}) is listed({"die": 6}), listed({"die": 6}) is listed({"die": 8})
    (True, False)
    """

    @lru_cache(maxsize=_READINGS_KEPT)
    def known(file: _File, *more: Hashable, **named: Hashable) -> object:
        return read(file.raw, *more, **named)

    @wraps(read)
    def reading(raw: Mapping[str, Any], *more: Hashable, **named: Hashable) -> object:
        return known(_File(json.dumps(raw, default=repr), raw), *more, **named)

    return cast("Reading", reading)


@dataclass(frozen=True, slots=True)
class _File:
    """A file that was read; what it says tells it from others."""

    said: str
    raw: Mapping[str, Any] = field(compare=False)


def _is_part(value: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def _vouched(said: object, judge: ValidatorFunctionWrapHandler) -> object:
    try:
        return judge(said)
    except ValidationError:
        text = "true, false or a list of figures is expected"
        raise ValueError(f"{text}, not {brief(said)}") from None


Confirmed = Annotated[bool | list[str], WrapValidator(_vouched)]
"""What a file says of its own figures: all are confirmed, none, or those it names."""


def confirmed_names(said: object, assumed: Assumed, source: str) -> frozenset[str]:
    """The figures for which a file vouches: all, none, or those it names; BadFile for others."""
    if not isinstance(said, list):
        return frozenset(assumed if said else ())
    names = [str(name) for name in cast("list[object]", said)]
    for name in names:
        if name not in assumed:
            known = ", ".join(assumed)
            raise BadFile(source, "confirmed", f"{name!r} is no assumed figure; there are {known}")
    return frozenset(names)


@dataclass(frozen=True)
class OwnTable:
    """What a box lets each table say of its own copy (a `TableFigures`).

    `shipped` is the box's own file, `limits` those of figures that are one whole number, `judge`
    reads a whole table and raises BadFile, its source named, where it cannot be. `lay` puts a
    table's own file over the shipped one; without it that is done part by part. `words` are those
    that a figure may be, `spaces` reads off a judged table what spaces such a word stands for.
    """

    shipped: Path
    assumed: Assumed
    judge: Callable[[Mapping[str, Any], str], object]
    limits: Mapping[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    lay: Callable[[Mapping[str, Any]], dict[str, Any]] | None = None
    words: Mapping[str, tuple[tuple[str, str], ...]] = field(
        default_factory=dict[str, tuple[tuple[str, str], ...]]
    )
    spaces: Mapping[str, Callable[[Any], Json]] = field(
        default_factory=dict[str, "Callable[[Any], Json]"]
    )
    names: frozenset[str] = frozenset()

    def whole(self, own: Mapping[str, Any]) -> dict[str, Any]:
        """The shipped figures with a table's own over them, as plain values."""
        if self.lay is not None:
            return self.lay(own)
        return merged(tomllib.loads(self.shipped.read_text("utf-8")), own)

    def listed(self, own: Mapping[str, Json]) -> Sequence[AssumedFigure]:
        """Every figure to hold against the real components; BadFile where `own` is wrong."""
        table = self.whole(own)
        judged = self.judge(table, "figures")
        confirmed = self._confirmed(table)
        return [
            self._figure(name, _at(table, name), judged, confirmed=name in confirmed)
            for name in self.assumed
        ]

    def changed(self, own: Mapping[str, Json], name: str, value: Json) -> dict[str, Json]:
        """`own` with one figure as it was read; BadFile names what is allowed."""
        if name not in self.assumed:
            known = ", ".join(self.assumed)
            raise BadFile("figures", name, f"is no assumed figure; there are {known}")
        table = self.whole(own)
        part, _, key = name.partition(".")
        confirmed = self._confirmed(table)
        table[part] = {**table[part], key: value}
        table["confirmed"] = sorted({*confirmed, name})
        self.judge(table, "figures")
        return table

    def confirmed(self, own: Mapping[str, Json], called: str) -> dict[str, Json]:
        """All figures as they stand, confirmed, as a set called so: what a table keeps."""
        table: dict[str, Any] = {**self.whole(own), "confirmed": True, "name": called}
        self.judge(table, "figures")
        return table

    def notices(self, own: Mapping[str, Json]) -> Sequence[str]:
        """What can be used and may be meant otherwise, in sentences; BadFile as `listed`."""
        return getattr(self.judge(self.whole(own), "figures"), "notices", ())

    def _confirmed(self, table: Mapping[str, Any]) -> frozenset[str]:
        return confirmed_names(table["confirmed"], self.assumed, "figures")

    def _figure(self, name: str, value: Json, judged: object, *, confirmed: bool) -> AssumedFigure:
        label, cite = self.assumed[name]
        low, high = self.limits.get(name, (None, None))
        spaces = self.spaces[name](judged) if name in self.spaces else None
        return AssumedFigure(
            name, label, deepcopy(value), figure_text(value), Cite.of(cite), confirmed, low, high,
            self.words.get(name, ()), spaces, name in self.names,
        )  # fmt: skip


def _at(table: Mapping[str, Any], name: str) -> Json:
    part, _, key = name.partition(".")
    value: Json = table[part][key]
    return value


def figure_text(value: Json) -> str:
    """A figure as people read it: spaces as "0,-3", a range as "1, 3".

    >>> figure_text([[0, -3], [3, -3]]), figure_text([0, 1, 2, 3]), figure_text(4)
    ('0,-3  3,-3', '0, 1, 2, 3', '4')
    """
    if not isinstance(value, list):
        return str(value)
    if all(isinstance(item, list) for item in value):
        return "  ".join(",".join(str(n) for n in item) for item in value if isinstance(item, list))
    return ", ".join(str(item) for item in value)
