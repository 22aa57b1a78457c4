"""`companion learned`: what a match has taught, kept as the table's own file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomli_w

from companion.commands.past_match import write_new
from companion.commands.record_here import open_record
from companion.core.errors import BadCall
from companion.kit.figures import merged
from companion.match.match import Match

if TYPE_CHECKING:
    from companion.core.ruling import Json


def learned(name: str, place: str | None, out: Path | None) -> int:
    """Write the match's own data with what it has taught over them, for `--data`.

    BadCall where it has taught nothing, or the file is there already; Drift where the log does
    not fit the rules any more.
    """
    with open_record(place) as record:
        loaded = record.load(record.find(name))
    match = Match[Any].replay(loaded.entries)
    taught = match.rulebook.learned()
    if not taught:
        said = f"match {loaded.match_id} has taught nothing"
        raise BadCall(f"{said}: no card was declared under a title in it")
    text = tomli_w.dumps(merged(match.setup.cards, taught))
    if out is None:
        print(text, end="")  # noqa: T201
    else:
        write_new(out, text)
        words = ", ".join(f"{part} ({_names(kept)})" for part, kept in taught.items())
        print(f"{out}: {words}")  # noqa: T201
    return 0


def _names(kept: Json) -> str:
    return ", ".join(kept) if isinstance(kept, dict) else str(kept)
