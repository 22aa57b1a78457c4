"""What is wrong with a file, in words: the place, and what may stand there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from reprlib import repr as brief
from typing import TYPE_CHECKING, Any, get_args

from pydantic import BaseModel

from companion.core.files import expected
from companion.core.text import counted
from companion.games.starship_edition.operations import KINDS

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails


def told(wrong: ValidationError, model: type[BaseModel]) -> tuple[str, str]:
    """The place of the first thing that is wrong, and what is allowed there."""
    errors = wrong.errors()
    first = errors[0]
    place = place_of(first["loc"])
    of_key = "[key]" in first["loc"]
    alike = [
        error
        for error in errors
        if place_of(error["loc"]) == place and ("[key]" in error["loc"]) == of_key
    ]
    text = " or ".join(dict.fromkeys(_text(error) for error in alike))
    if first["type"] == "extra_forbidden":
        known = ", ".join(known_beside(first["loc"], model))
        return place, f"there is no such word here; there are {known}"
    given = "" if first["type"] in ("missing", "union_tag_not_found") else brief(first["input"])
    return place, f"{text}, not {given}" if given else text


def _text(error: ErrorDetails) -> str:
    context = error.get("ctx", {})
    match error["type"]:
        case "union_tag_invalid":
            return f"op = {context['tag']!r} is no operation; there are {context['expected_tags']}"
        case "union_tag_not_found":
            return f"an operation needs op = one of {', '.join(KINDS)}"
        case "literal_error":
            return f"one of {context['expected']} is expected"
        case "too_short":
            return f"at least {counted(context['min_length'], 'item')} needed"
        case "string_too_short" | "string_too_long":
            return error["msg"].removeprefix("String should have ")
        case "missing":
            return "this is missing"
        case _:
            return expected(error)


def place_of(loc: Sequence[int | str]) -> str:
    """The keys and numbers that lead there, without the words by which kinds are told apart.

    >>> place_of(("cards", "G-1", "effects", 0, "move", "max", "constrained-int"))
    'cards.G-1.effects.0.max'
    """
    return ".".join(str(part) for part in _keys(loc))


def _keys(loc: Sequence[int | str]) -> Iterable[int | str]:
    for number, part in enumerate(loc):
        after_number = number > 0 and isinstance(loc[number - 1], int)
        if after_number and part in KINDS:
            continue
        if number + 1 == len(loc) and number > 0 and not isinstance(part, int) and _is_kind(part):
            continue
        if part in ("[key]", "Filter", "bool", "literal[False]"):
            continue
        yield part


def _is_kind(part: str) -> bool:
    """Whether this names a kind of value, as pydantic does where several may stand."""
    return "[" in part or part in ("int", "constrained-int", "str", "bool", "list", "Filter")


def known_beside(loc: Sequence[int | str], model: type[BaseModel]) -> list[str]:
    """What may stand where an unknown word stood."""
    part: Any = model
    for name in loc[:-1]:
        part = _inside(part, name)
    while not hasattr(part, "model_fields"):
        part = _inside(part, "")
    fields: dict[str, Any] = part.model_fields
    return [own.alias or name for name, own in fields.items()]


def _inside(part: Any, name: int | str) -> Any:
    """The model, or kind of values, that stands under a name in another."""
    if isinstance(name, str) and name in KINDS and not _has_field(part, name):
        return KINDS[name]
    if _has_field(part, name):
        return part.model_fields[name].annotation
    inner = [kind for kind in get_args(part) if kind is not type(None)]
    models = [kind for kind in inner if isinstance(kind, type) and issubclass(kind, BaseModel)]
    return models[-1] if models else inner[-1] if inner else part


def _has_field(part: Any, name: int | str) -> bool:
    return isinstance(part, type) and issubclass(part, BaseModel) and name in part.model_fields
