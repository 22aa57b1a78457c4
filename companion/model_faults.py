"""What a file's model expects where something else stands, in people's words.

The models speak of Python's kinds; people who edit a file know numbers, texts, lists and tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.wording import counted

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

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
    "finite_number": _NUMBER,
    "bool_type": _EITHER,
    "bool_parsing": _EITHER,
    "string_type": "a text in quotation marks",
    "string_pattern_mismatch": "a text of the form {pattern}",
    "literal_error": "one of {expected}",
    "enum": "one of {expected}",
}


def expected(error: ErrorDetails) -> str:
    """What may stand there, to go before "is expected".

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
