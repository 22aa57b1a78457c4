"""Files that people write for the referee: positions and card tables, in TOML or JSON."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from companion.errors import BadCall, BadFile, unread_toml
from companion.record_line import written
from companion.toml_lines import line_of

if TYPE_CHECKING:
    from companion.offers import Json


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
    """TOML has dates and infinity; the record has not."""
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
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise BadFile(str(path), f"byte {wrong.start}", "this is no text (UTF-8)") from wrong
    except OSError as wrong:
        raise BadFile(str(path), "", f"cannot be read: {wrong.strerror}") from wrong
