"""The commands about the table itself: what its camera sees, what is printed, what works."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.cli_box import box
from companion.cli_options import Box, Json, Options, RecordPlace, Variants, end


def add_table_commands(app: typer.Typer) -> None:
    """Add them to the console command, in the order in which `--help` lists them."""
    for command in (see, markers, calibrate, doctor):
        app.command()(command)
    app.add_typer(box, name="box")


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


def calibrate(  # noqa: PLR0913, PLR0917 - each is an option of the call
    source: Annotated[
        str | None, typer.Argument(help="A camera, picture, folder or film; else the app's camera.")
    ] = None,
    box: Annotated[
        str, typer.Option(help="The box on the table; else the file's, or the one that is seen.")
    ] = "",
    out: Annotated[
        Path | None, typer.Option(help="The table's file (TOML); else table.toml.")
    ] = None,
    variant: Variants = None,
    option: Options = None,
    lens: Annotated[
        str, typer.Option(help="Measure the lens first: pictures of a calibration board, a camera.")
    ] = "",
    target: Annotated[
        str, typer.Option(help="That board: charuco (our sheet), 8x8 squares, charuco:8x8:4X4_50.")
    ] = "charuco",
    square_mm: Annotated[
        float | None, typer.Option("--square-mm", help="The side of its squares; else 25.")
    ] = None,
    size: Annotated[str, typer.Option(help="What is asked of a camera, px.")] = "1280x720",
    *,
    json: Json = False,
) -> None:
    """Find where the boards lie, and how well, and keep it in the table's file."""
    from companion.commands.calibrate import Wanted
    from companion.commands.calibrate import calibrate as run

    asked = (tuple(variant or ()), tuple(option or ()))
    end(run(Wanted(source, box, out, *asked, lens, target, square_mm, size, json)))


def doctor(record: RecordPlace = None, *, json: Json = False) -> None:
    """Check every part and name the command that mends it; 1 if something is wrong."""
    from companion.commands.doctor import doctor as run

    end(run(record, json=json))
