"""Files that people edit: read with line numbers, judged in plain words, written as a whole.

TOML and JSON files of positions, cards and figures are read here. A fault is told with its line:
the library that reads TOML forgets lines, so `line_of` finds the line of a value again, or of the
deepest part of its path that the file has.
"""

from __future__ import annotations

import errno
import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from reprlib import repr as brief
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, Union, cast, get_args, get_origin

from pydantic import BaseModel, ValidationError

from companion.core.errors import BadCall, BadFile, unread_toml
from companion.core.text import counted

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from companion.core.ruling import Json


_STRING = re.compile(
    r'''"""(?:[^\\]|\\.)*?"""|"(?:[^"\\\n]|\\.)*"'''
    r"""|'''.*?'''|'[^'\n]*'""",
    re.DOTALL,
)
_GAP = re.compile(r"(?:\s|#[^\n]*)*")
_KEY = re.compile(r"""(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[A-Za-z0-9_.\- \t])+?[ \t]*(?==)""")
_HEADER = re.compile(r"^[ \t]*(\[\[?)([^\n]*?)\]\]?[ \t]*(?:#[^\n]*)?$", re.MULTILINE)

KeyPath = tuple[str, ...]


def line_of(text: str, place: str | KeyPath) -> int | None:
    r"""The line, from 1, where a place ("cards.G-1.effects.0.op") is written; None if nowhere.

    A word that is missing is looked for where it would belong: in the part around it.

    >>> line_of('[cards.G-1]\ntype = "MOVE"\neffects = [\n {}]', "cards.G-1.effects.0.op")
    4
    """
    parts = tuple(place.split(".")) if isinstance(place, str) else place
    best: tuple[int, int] | None = None
    for path, at in _places(text, parts):
        depth = _shared(path, parts)
        if depth in (len(path), len(parts)) and depth and (best is None or depth > best[0]):
            best = (depth, at)
    return None if best is None else text.count("\n", 0, best[1]) + 1


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _places(text: str, wanted: KeyPath) -> Iterator[tuple[KeyPath, int]]:
    """Every table, key and element on the way to what is wanted, with where it is written."""
    table: KeyPath = ()
    counts: dict[KeyPath, int] = {}
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


def _table(header: re.Match[str], counts: dict[KeyPath, int]) -> KeyPath:
    """The way to a table; of an array of tables with its number."""
    path = _parts(header.group(2))
    if header.group(1) == "[":
        return path
    number = counts.get(path, 0)
    counts[path] = number + 1
    return (*path, str(number))


def _parts(dotted: str) -> KeyPath:
    """A dotted key as its parts."""
    read: Any = tomllib.loads(f"{dotted.strip()} = 0")
    parts: list[str] = []
    while read != 0:
        name: str = next(iter(read))
        parts.append(name)
        read = read[name]
    return tuple(parts)


def _inside(text: str, at: int, path: KeyPath | None) -> Iterator[tuple[KeyPath, int]]:
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
    """The place after blanks, line ends and comments."""
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


# Writing: after a power cut or on a full disk there is the old file or the new, never half.


def write_whole(path: Path, content: bytes | str) -> None:
    """Write a file beside the old one and put it in its place; text as UTF-8.

    A link stays one: what it leads to is written. Raises `OSError` where the disk does not take it;
    then the old file is as it was, and nothing is left beside it. So it does where a pipe or a
    device is: it would be one no more.
    """
    path = Path(os.path.realpath(path))
    if _is_special(path):
        raise OSError(errno.EINVAL, _SPECIAL, str(path))
    beside = path.with_name(path.name + ".new")
    try:
        with beside.open("wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


_SPECIAL = "it is a pipe or a device, not a file"


def _is_special(path: Path) -> bool:
    return path.exists() and not (path.is_file() or path.is_dir())


# Reading positions and card tables, in TOML or JSON.


MOST_BYTES = 16 << 20
"""The most bytes of a file that people write by hand."""


def text_of(path: Path, most_bytes: int = MOST_BYTES) -> str:
    """The text of a file (UTF-8), without the byte order mark that some editors put first.

    Raises `OSError` at once for a pipe or a device, which would be read for ever, and for a file of
    more than `most_bytes`; `UnicodeDecodeError` for what is no text. /dev/null is an empty file.
    """
    if path != Path(os.devnull) and _is_special(path):
        raise OSError(errno.EINVAL, _SPECIAL, str(path))
    with path.open("rb") as file:
        raw = file.read(most_bytes + 1)
    if len(raw) > most_bytes:
        raise OSError(errno.EFBIG, f"it is larger than {most_bytes >> 20} MB", str(path))
    return raw.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


def read_edited_file(path: Path) -> Mapping[str, Json]:
    """What a TOML or JSON file says; BadFile with the line where it cannot be read."""
    text = read_text(path)
    try:
        plain: Any = json.loads(text) if _is_json(path, text) else tomllib.loads(text)
    except json.JSONDecodeError as wrong:
        place = f"line {wrong.lineno}, column {wrong.colno}"
        raise BadFile(str(path), place, f"this is no JSON: {wrong.msg}") from wrong
    except (ValueError, RecursionError) as wrong:
        raise BadFile(str(path), "", unread_toml(wrong)) from wrong
    if not isinstance(plain, dict):
        raise BadFile(str(path), "", "an object of names and values is expected")
    return _plain(path, cast("dict[str, Json]", plain))


def _is_json(path: Path, text: str) -> bool:
    return path.suffix.lower() == ".json" or text.lstrip().startswith("{")


def _plain(path: Path, said: Mapping[str, Json]) -> Mapping[str, Json]:
    """What a TOML file says; BadFile for dates and infinity, which the record cannot hold."""
    try:
        written(dict(said))
    except BadCall as wrong:
        raise BadFile(str(path), "", "a value is neither text, number, yes/no nor list") from wrong
    return said


def with_line(path: Path, place: str) -> str:
    """A place in a TOML file with its line, where the file itself has it: "line 7, deck.short"."""
    text = read_text(path)
    line = None if _is_json(path, text) else line_of(text, place)
    return place if line is None else f"line {line}, {place}"


def read_text(path: Path) -> str:
    """The text of a file, without an editor's byte order mark; BadFile if it is no text."""
    try:
        return text_of(path)
    except UnicodeDecodeError as wrong:
        raise BadFile(str(path), f"byte {wrong.start}", "this is no text (UTF-8)") from wrong
    except OSError as wrong:
        raise BadFile(str(path), "", f"cannot be read: {wrong.strerror}") from wrong


# What a value should have been, in plain words instead of the model's.

_TABLE = "a table of names and values"
_LIST = "a list in brackets"
_WHOLE, _NUMBER, _EITHER = "a whole number", "a number", "true or false"

_KINDS: Mapping[str, str] = {
    "model_type": _TABLE,
    "model_attributes_type": _TABLE,
    "dataclass_type": _TABLE,
    "dict_type": _TABLE,
    "mapping_type": _TABLE,
    "list_type": _LIST,
    "set_type": _LIST,
    "frozen_set_type": _LIST,
    "iterable_type": _LIST,
    "tuple_type": "a row of values in brackets",
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_from_float": _WHOLE,
    "int_parsing_size": _WHOLE,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": "a finite number",
    "bool_type": _EITHER,
    "bool_parsing": _EITHER,
    "string_type": "a text in quotation marks",
    "string_pattern_mismatch": "a text of the form {pattern}",
    "literal_error": "one of {expected}",
    "enum": "one of {expected}",
}


def expected(error: ErrorDetails) -> str:
    """What is allowed at a place, as words before "is expected".

    >>> expected({"type": "int_type", "loc": (), "msg": "", "input": "x"})
    'a whole number'
    """
    limits = error.get("ctx", {})
    match error["type"]:
        case "too_long":
            return f"at most {counted(limits['max_length'], 'item')}"
        case "too_short":
            return f"at least {counted(limits['min_length'], 'item')}"
        case "string_too_long":
            return f"a text of at most {counted(limits['max_length'], 'character')}"
        case "string_too_short":
            return f"a text of at least {counted(limits['min_length'], 'character')}"
        case kind if kind in _KINDS:
            return _KINDS[kind].format_map(limits)
        case _:
            return _from_its_words(error)


def _from_its_words(error: ErrorDetails) -> str:
    text = error["msg"].removeprefix("Value error, ").removeprefix("Input should be ")
    number = error["type"] in ("greater_than", "greater_than_equal", "less_than", "less_than_equal")
    return f"a number {text}" if number else text


# A file held against its model: the first fault, in people's words.

ModelT = TypeVar("ModelT", bound=BaseModel)


def read_model(
    model: type[ModelT],
    raw: Mapping[str, Any],
    source: str,
    called: str = "key",
    context: object = None,
) -> ModelT:
    """The file as its model has it; BadFile names source, place and what is allowed there.

    `called` is what an unknown name in it would have been ("figure"); `context` comes along to the
    model's own validators.
    """
    try:
        return model.model_validate(raw, context=context)
    except ValidationError as wrong:
        place, text = first_fault(wrong, model, called)
        raise BadFile(source, ".".join(place), text) from wrong


def first_fault(
    wrong: ValidationError, model: type[BaseModel], called: str = "key"
) -> tuple[tuple[str, ...], str]:
    """The place of the first thing that is wrong, and what is allowed there.

    Where values of several kinds may stand, it says what each of them allows.
    """
    errors = wrong.errors()
    first = errors[0]
    place, kind = way_into(first["loc"], model)
    if first["type"] == "extra_forbidden":
        known = ", ".join(names_beside(first["loc"], model))
        return place, f"there is no such {called}; there are {known}"
    if first["type"] in _SENTENCES:
        return place, _SENTENCES[first["type"]]
    if first["type"] in ("union_tag_invalid", "union_tag_not_found"):
        return place, _which_kind(first.get("ctx", {}), kind)
    if first["type"] == "value_error":
        return place, first["msg"].removeprefix("Value error, ")
    is_name = "[key]" in first["loc"]
    alike = [one for one in errors if ("[key]" in one["loc"]) is is_name]
    here = [expected(one) for one in alike if way_into(one["loc"], model)[0] == place]
    words = " or ".join(dict.fromkeys(here))
    are = "are" if words.endswith("items") else "is"
    return place, f"{words} {are} expected, not {brief(first['input'])}"


_SENTENCES: Mapping[str, str] = {
    "missing": "is required",
    "json_invalid": "is torn, or no JSON",
}


def _which_kind(told: Mapping[str, Any], kind: Any) -> str:
    """One word of a table says of what kind the table is; what it is, and what it may be."""
    word = told["discriminator"].strip("'")
    known = ", ".join(get_args(one.model_fields[word].annotation)[0] for one in _kinds(kind))
    if "tag" in told:
        return f"{word} = {told['tag']!r} is not known; there are {known}"
    return f"{word} is required, one of {known}"


def names_beside(loc: Sequence[int | str], model: type[BaseModel]) -> Sequence[str]:
    """What may stand where an unknown name stood."""
    _, around = way_into(loc[:-1], model)
    part = _kinds(around)[0]
    return [own.alias or name for name, own in part.model_fields.items()]


def way_into(loc: Sequence[int | str], model: type[BaseModel]) -> tuple[tuple[str, ...], Any]:
    """The names and numbers that lead somewhere in a file, and what kind of value belongs there.

    Where values of several kinds may stand, the library adds to a way which kind it tried; that
    word is nowhere in the file.
    """
    way: list[str] = []
    kind: Any = model
    for part in loc:
        kinds = _kinds(kind)
        if part == "[key]":
            continue
        if len(kinds) > 1:
            kind = next((one for one in kinds if _is_called(one, str(part))), kinds[-1])
            continue
        kind = _under(kinds[0], str(part))
        way.append(str(part))
    return tuple(way), kind


def _kinds(kind: Any) -> Sequence[Any]:
    """The kinds of values that may stand somewhere, "or nothing" left out."""
    if get_origin(kind) is Annotated:
        return _kinds(get_args(kind)[0])
    if get_origin(kind) not in (Union, UnionType):
        return (kind,)
    kinds = [one for one in get_args(kind) if one is not NoneType]
    return kinds if len(kinds) > 1 else _kinds(kinds[0])


def _is_called(kind: Any, word: str) -> bool:
    """Whether the library means this kind: by its name, or by the word that it is told by."""
    fields = getattr(kind, "model_fields", {})
    told_by = (get_args(own.annotation) for own in fields.values())
    return getattr(kind, "__name__", "") == word or any(one == (word,) for one in told_by)


def _under(kind: Any, name: str) -> Any:
    """What stands under a name: a field of a model, or an entry of a table or list."""
    fields = getattr(kind, "model_fields", None)
    if fields is not None:
        known = {own.alias or own_name: own for own_name, own in fields.items()}
        return known[name].annotation if name in known else None
    inner = [one for one in get_args(kind) if one is not Ellipsis]
    return inner[-1] if inner else None


def written(plain: Json) -> str:
    """A plain value as the text that is hashed: ASCII, keys sorted, no blanks.

    >>> print(written({"b": [1, "Ana"], "a": None}))
    {"a":null,"b":[1,"Ana"]}
    """
    try:
        return json.dumps(plain, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError) as wrong:
        raise BadCall(f"{plain!r} cannot be written down: {wrong}") from wrong
