"""In which line of a TOML file something stands, by the keys and numbers that lead there.

The library that reads TOML forgets lines; who edits a file looks for them. This finds the line of
a value that the library has read, or of the deepest part of the way that the file has.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from typing import Any

_STRING = re.compile(
    r'''"""(?:[^\\]|\\.)*?"""|"(?:[^"\\\n]|\\.)*"'''
    r"""|'''.*?'''|'[^'\n]*'""",
    re.DOTALL,
)
_GAP = re.compile(r"(?:\s|#[^\n]*)*")
_KEY = re.compile(r"""(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[A-Za-z0-9_.\- \t])+?[ \t]*(?==)""")
_HEADER = re.compile(r"^[ \t]*(\[\[?)([^\n]*?)\]\]?[ \t]*(?:#[^\n]*)?$", re.MULTILINE)

Path = tuple[str, ...]


def line_of(text: str, place: str) -> int | None:
    r"""The line, from 1, where a place ("cards.G-1.effects.0.op") is written; None if nowhere.

    A word that is missing is looked for where it would belong: in the part around it.

    >>> line_of('[cards.G-1]\ntype = "MOVE"\neffects = [\n {}]', "cards.G-1.effects.0.op")
    4
    """
    parts = tuple(place.split("."))
    best: tuple[int, int] | None = None
    for path, at in _places(text, parts):
        depth = _shared(path, parts)
        if depth in (len(path), len(parts)) and depth and (best is None or depth > best[0]):
            best = (depth, at)
    return None if best is None else text.count("\n", 0, best[1]) + 1


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _places(text: str, wanted: Path) -> Iterator[tuple[Path, int]]:
    """Every table, key and element on the way to what is wanted, with where it is written."""
    table: Path = ()
    counts: dict[Path, int] = {}
    at = _skip(text, 0)
    while at < len(text):
        header = _HEADER.match(text, at)
        if header is not None:
            table = _table(header, counts)
            yield table, at
            at = _skip(text, header.end())
            continue
        key = _KEY.match(text, at)
        if key is None:
            return
        path = (*table, *_parts(key.group()))
        yield path, at
        at = _skip(text, text.index("=", key.end()) + 1)
        follow = path if _shared(path, wanted) == len(path) else None
        yield from _inside(text, at, follow)
        at = _skip(text, _end(text, at))


def _table(header: re.Match[str], counts: dict[Path, int]) -> Path:
    """The way to a table; of an array of tables with its number."""
    path = _parts(header.group(2))
    if header.group(1) == "[":
        return path
    number = counts.get(path, 0)
    counts[path] = number + 1
    return (*path, str(number))


def _parts(dotted: str) -> Path:
    """A dotted key as its parts."""
    read: Any = tomllib.loads(f"{dotted.strip()} = 0")
    parts: list[str] = []
    while read != 0:
        name: str = next(iter(read))
        parts.append(name)
        read = read[name]
    return tuple(parts)


def _inside(text: str, at: int, path: Path | None) -> Iterator[tuple[Path, int]]:
    """Every element of an array, and every key of an inline table, on the way."""
    if path is None or text[at : at + 1] not in ("[", "{"):
        return
    closing, number = ("]", 0) if text[at] == "[" else ("}", 0)
    at = _skip(text, at + 1)
    while at < len(text) and text[at] != closing:
        here, start = (*path, str(number)), at
        if closing == "}":
            key = _KEY.match(text, at)
            if key is None:
                return
            here = (*path, *_parts(key.group()))
            at = _skip(text, text.index("=", key.end()) + 1)
        yield here, start
        yield from _inside(text, at, here)
        at = _skip(text, _end(text, at))
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
        number += 1


def _skip(text: str, at: int) -> int:
    """Past blanks, line ends and comments."""
    gap = _GAP.match(text, at)
    return gap.end() if gap is not None else at


def _end(text: str, at: int) -> int:
    """Where a value ends: a string, an array, an inline table, or a bare word."""
    string = _STRING.match(text, at)
    if string is not None:
        return string.end()
    if text[at : at + 1] not in ("[", "{"):
        bare = re.compile(r"[^,\]}\n#]*").match(text, at)
        return bare.end() if bare is not None else at + 1
    closing = "]" if text[at] == "[" else "}"
    at = _skip(text, at + 1)
    while at < len(text) and text[at] != closing:
        if closing == "}":
            at = _skip(text, text.index("=", at) + 1)
        at = _skip(text, _end(text, at))
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
    return at + 1
