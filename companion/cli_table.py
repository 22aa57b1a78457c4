"""The commands about the table itself: what its camera sees, what is printed, what works."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.cli_options import Box, Json, Options, RecordPlace, Variants, end


def add_table_commands(app: typer.Typer) -> None:
    """Add them to the console command, in the order in which `--help` lists them."""
    for command in (see, markers, doctor):
        app.command()(command)


def see(
    source: Annotated[str, typer.Argument(help="A picture, folder, film or camera.")],
    table: Annotated[Path | None, typer.Option(help="The table's file (TOML).")] = None,
    dictionary: Annotated[
        list[str] | None, typer.Option(help="Markers to look for, as 4X4_50. Repeats.")
    ] = None,
    *,
    json: Json = False,
) -> None:
    """Tell what is seen in pictures: markers, pieces, spaces, headings."""
    from companion.commands.see import see as run

    end(run(source, table, tuple(dictionary or ()), json=json))


def markers(
    box: Box,
    out: Annotated[Path, typer.Option(help="The PDF to write.")],
    variant: Variants = None,
    option: Options = None,
) -> None:
    """Print a box's marker sheets, true to size."""
    from companion.commands.see import markers as run

    end(run(box, out, tuple(variant or ()), tuple(option or ())))


def doctor(record: RecordPlace = None, *, json: Json = False) -> None:
    """Check every part and name the command that mends it; 1 if something is wrong."""
    from companion.commands.doctor import doctor as run

    end(run(record, json=json))
