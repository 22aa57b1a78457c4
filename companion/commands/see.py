"""`companion see` and `companion markers`: vision alone, and what it looks for on paper."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion.commands.plans import plan_of, plans
from companion.commands.setting_up import read_options
from companion.commands.voice import say
from companion.errors import BadCall
from companion.games import find_rulebook
from vision import see as vision_see
from vision.sheets import write_sheets
from vision.table_file import load_table


def see(source: str, table: Path | None, dictionaries: Sequence[str], *, json: bool) -> int:
    """Tell what is in each picture or frame; 1 if one of them could not be read, 0 otherwise."""
    boxes = plans()
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


def markers(box: str, out: Path, variants: Sequence[str], options: Sequence[str]) -> int:
    """Write a box's marker and calibration sheets as a PDF, true to size.

    `variants` and `options` may bring more boards and tokens. BadCall where the file would be
    called something else.
    """
    if out.suffix.lower() != ".pdf":
        raise BadCall(f"--out {out}: the sheets are a PDF; name it {out.with_suffix('.pdf')}")
    chapters = find_rulebook(box).in_variants(variants)
    pages = write_sheets(plan_of(box, variants, read_options(options, chapters)), out)
    told = f"{out}: {pages} sheets; print them at 100 %, then measure the ruler on the first."
    print(told)  # noqa: T201 - this is the terminal
    return 0
