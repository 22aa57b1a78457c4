"""`companion see`: vision alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion.commands.plans import plans
from companion.commands.voice import say
from companion.errors import BadCall
from vision import see as vision_see
from vision.table_file import load_table


def see(
    source: str,
    table: Path | None,
    dictionaries: Sequence[str],
    figures: Path | None = None,
    *,
    json: bool,
) -> int:
    """Tell what is in each picture or frame; 1 if one of them could not be read, 0 otherwise.

    `figures` is the table's own file of the box that the table's file names.
    """
    if figures is not None and table is None:
        raise BadCall(f"--data {figures}: of which box? Name the table's file too, with --table")
    boxes = plans(figures)
    setup = load_table(table, boxes) if table is not None else None
    known = [plan() for plan in boxes.values()] if setup is None else []
    guesses = [plan for plan in known if not dictionaries or plan.dictionary in dictionaries]
    troubled = False
    found = vision_see.see(source, table=setup, guesses=guesses, dictionaries=dictionaries)
    for picture in found:
        troubled |= bool(picture.trouble)
        if json:
            say(picture.to_json())
        else:
            print(picture, flush=True)  # noqa: T201 - this is the terminal
    return 1 if troubled else 0
