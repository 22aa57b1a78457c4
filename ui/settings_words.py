"""The words about a setting: what it is, what is allowed, and what is wrong with a value.

The library that judges files has words of its own; people who play games get these instead.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

Kind = type[BaseModel]


def known_in(model: Kind) -> Iterator[str]:
    """The whole name of every single setting of a model, those of its tables included."""
    for name, field in model.model_fields.items():
        inner = table_of(field)
        if inner is None:
            yield name
        else:
            yield from (f"{name}.{part}" for part in known_in(inner))


def table_of(field: FieldInfo) -> Kind | None:
    """The model of a setting that is a table of settings; None for a single one."""
    kind = field.annotation
    return kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None


def field_of(model: Kind, name: str) -> FieldInfo:
    """The field of a whole name as "panel.buzzer"; KeyError for a name that is none."""
    part, _, inner = name.partition(".")
    field = model.model_fields[part]
    if not inner:
        return field
    table = table_of(field)
    if table is None:
        raise KeyError(name)
    return field_of(table, inner)


def allowed_values(model: Kind, name: str) -> tuple[Any, ...]:
    """The values a setting may have where they are few; () for free text and numbers."""
    return _few(field_of(model, name).annotation)


def _few(kind: Any) -> tuple[Any, ...]:
    if kind is bool:
        return (True, False)
    return get_args(kind) if get_origin(kind) is Literal else ()


def allowed_text(field: FieldInfo) -> str:
    """What a setting may be, in words.

    >>> from ui.settings import Settings
    >>> allowed_text(field_of(Settings, "panel.buzzer")), allowed_text(field_of(Settings, "volume"))
    ('a whole number from 0 to 27 or "none"', 'a whole number from 0 to 100')
    """
    return _in_words(field.annotation, field.metadata)


def _in_words(kind: Any, limits: Sequence[Any]) -> str:
    if get_origin(kind) is Annotated:
        inner, *metadata = get_args(kind)
        more = [limit for field in metadata for limit in getattr(field, "metadata", [field])]
        return _in_words(inner, more)
    if get_origin(kind) in (Union, UnionType):
        return " or ".join(_in_words(one, ()) for one in get_args(kind))
    if few := _few(kind):
        return ", ".join(json.dumps(value) for value in few)
    if kind is int:
        low = next(limit.ge for limit in limits if hasattr(limit, "ge"))
        high = next(limit.le for limit in limits if hasattr(limit, "le"))
        return f"a whole number from {low} to {high}"
    return 'a text in quotes, as "" for none' if kind is str else "a table"


def first_fault(wrong: ValidationError, model: Kind) -> tuple[str, str]:
    """Place and words of the first thing that is wrong, and how many there are beside it."""
    found = dict(_told(dict(fault), model) for fault in reversed(wrong.errors()))
    place, text = list(found.items())[-1]
    others = len(found) - 1
    return place, text + (f" (and {others} more)" if others else "")


def _told(fault: dict[str, Any], model: Kind) -> tuple[str, str]:
    if fault["type"] == "extra_forbidden":
        way = [str(part) for part in fault["loc"]]
        known = ", ".join((_table_at(way[:-1], model)).model_fields)
        return ".".join(way), f"no such setting; there are {known}"
    place = _place(fault["loc"], model)
    if fault["type"] == "pin":
        return _twice(place, fault)
    said = json.dumps(fault["input"], default=str)
    return place, f"{said:.60} is not taken; allowed: {allowed_text(field_of(model, place))}"


def _place(way: Sequence[int | str], model: Kind) -> str:
    """The setting's whole name; the library adds which of several kinds it tried."""
    part = str(way[0])
    field = model.model_fields.get(part)
    table = None if field is None else table_of(field)
    if table is None or len(way) == 1:
        return part
    return f"{part}.{_place(way[1:], table)}"


def _table_at(way: Sequence[str], model: Kind) -> Kind:
    """The table that a way of names leads to."""
    table = table_of(model.model_fields[way[0]]) if way else None
    return model if table is None else _table_at(way[1:], table)


def _twice(place: str, fault: dict[str, Any]) -> tuple[str, str]:
    """One pin for two parts: of the two, the one that somebody wrote is named."""
    told = fault["ctx"]
    part, other = told["part"], told["other"]
    if part not in fault["input"]:
        part, other = other, part
    return f"{place}.{part}", f"GPIO {told['pin']} already carries {other}; give each its own"
