"""What people wrote beside the values of a table's file, kept when one of its parts is put anew.

TOML hangs a comment on the part above it: the words over `[heights_mm]` belong to `[lens]` where
that stands before it, and would go with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import tomlkit
from tomlkit.items import Item, Table, Whitespace
from tomlkit.toml_document import TOMLDocument


def put_part(document: TOMLDocument, name: str, part: Table | None) -> None:
    """Put a part in the place of the one of that name, or at the end; None takes it out.

    Lines of words among its values stay on top of it, those behind its last value behind it, those
    on the line of a value with that value. Where it was written in one line, or in several places,
    it is put at the end.
    """
    places = [at for at, (key, _) in enumerate(document.body) if key and key.key == name]
    written = [_words_of(document.body[at][1]) for at in places]
    if part is not None and len(places) == 1:
        key, old = document.body[places[0]]
        if isinstance(old, Table) and key is not None and not key.is_dotted():
            _keep_margins(old, part)
            document[name] = _between(written[0], name, part)
            return
    if places:
        document.remove(name)
    for at, (inside, behind) in zip(places, written, strict=True):
        document.body[at] = (None, Whitespace(inside + behind))
    if part is not None:
        document[name] = part


def _between(words: tuple[str, str], name: str, part: Table) -> Table:
    """A part with lines of words before its first value and behind its last."""
    inside, behind = words
    alone = tomlkit.document()
    alone[name] = part
    heading, _, values = tomlkit.dumps(alone).lstrip().partition("\n")
    whole = tomlkit.parse(f"{heading}\n{inside}{values.rstrip()}\n{behind}")[name]
    return cast("Table", whole)


def _words_of(item: Item) -> tuple[str, str]:
    """The comments among the values of a part; all that stands behind the last of them."""
    lines = list(_lines(item))
    last = max((at for at, (is_value, _) in enumerate(lines) if is_value), default=-1)
    inside = "".join(text for _, text in lines[:last] if text.strip())
    behind = "".join(text for _, text in lines[last + 1 :])
    return inside, behind if behind.endswith("\n") or not behind else f"{behind}\n"


def _lines(item: Item) -> Iterator[tuple[bool, str]]:
    """What a part is made of, in the order of the text: its values, and the words between them."""
    if not isinstance(item, Table):
        return
    for key, inner in item.value.body:
        yield (True, "") if key is not None else (False, inner.as_string())
        yield from _lines(inner)


def _keep_margins(old: Table, new: Table) -> None:
    """Words on the line of a value stay there where the value is there again."""
    for key in new:
        if key not in old:
            continue
        before, now = old.value.item(key), new.value.item(key)
        if isinstance(before, Table) and isinstance(now, Table):
            _keep_margins(before, now)
        elif isinstance(before, Item) and isinstance(now, Item) and before.trivia.comment:
            now.trivia.comment_ws = before.trivia.comment_ws
            now.trivia.comment = before.trivia.comment
