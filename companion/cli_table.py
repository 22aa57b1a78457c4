"""The commands about the table itself: what its camera sees, what is printed, what works."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.cli_box import box
from companion.cli_options import Box, Json, Options, RecordPlace, Variants, end
from companion.games import USUAL_BOX

Figures = Annotated[
    Path | None, typer.Option("--data", help="The table's own figures of the box, as its map's.")
]


def add_table_commands(app: typer.Typer) -> None:
    """Add them to the console command, in the order in which `--help` lists them."""
    for command in (see, markers, calibrate, teach, rehearse, doctor, install, uninstall):
        app.command()(command)
    app.add_typer(box, name="box")


def see(
    source: Annotated[str, typer.Argument(help="A picture, folder, film or camera.")],
    table: Annotated[Path | None, typer.Option(help="The table's file (TOML).")] = None,
    dictionary: Annotated[
        list[str] | None, typer.Option(help="Markers to look for, as 4X4_50. Repeats.")
    ] = None,
    data: Figures = None,
    die_mm: Annotated[float, typer.Option(help="With --dice: a die's side, mm.")] = 16.0,
    px_per_mm: Annotated[
        float, typer.Option(help="Of dice with no board in sight: a die's side, px, by its mm.")
    ] = 0.0,
    *,
    dice: Annotated[bool, typer.Option("--dice", help="Look for dice, too.")] = False,
    json: Json = False,
) -> None:
    """Tell what is seen in pictures: markers, pieces, spaces, headings, dice.

    A film's frames, and a folder's pictures, are of one table: moving, under a hand, in changed
    light, still for now, or settled, which is when the app believes them. One picture is still.
    """
    from companion.commands.see import DiceSize
    from companion.commands.see import see as run

    size = DiceSize(die_mm, px_per_mm) if dice or px_per_mm else None
    end(run(source, table, tuple(dictionary or ()), data, json=json, dice=size))


def markers(  # noqa: PLR0913, PLR0917 - each is an option of the call
    box: Box,
    out: Annotated[Path, typer.Option(help="The PDF to write.")],
    variant: Variants = None,
    option: Options = None,
    table: Annotated[
        Path | None, typer.Option(help="The table's file: sizes from it, and other ones into it.")
    ] = None,
    camera: Annotated[
        str, typer.Option(help="Markers as large as this camera needs: 720p, 1080p, 1280x960.")
    ] = "",
    field: Annotated[
        str, typer.Option(help="What it sees of the table, cm, as 90x60; else the whole of it.")
    ] = "",
    paper: Annotated[
        str, typer.Option(help="All on A4, A3, letter or tabloid, larger boards in parts to glue.")
    ] = "",
    data: Figures = None,
) -> None:
    """Print a box's marker sheets, true to size, as large as the camera needs them."""
    from companion.commands.markers import Wanted
    from companion.commands.markers import markers as run

    asked = (tuple(variant or ()), tuple(option or ()))
    end(run(Wanted(box, out, *asked, table, camera, field, paper, data)))


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
    data: Figures = None,
    *,
    check: Annotated[
        bool, typer.Option("--check", help="Then have a token put on three spaces, to be sure.")
    ] = False,
    json: Json = False,
) -> None:
    """Find where the boards lie, and how well, and keep it in the table's file."""
    from companion.commands.calibrate import Wanted
    from companion.commands.calibrate import calibrate as run

    asked = (tuple(variant or ()), tuple(option or ()))
    end(run(Wanted(source, box, out, *asked, lens, target, square_mm, size, json, check, data)))


def teach(
    source: Annotated[
        str, typer.Argument(help="A camera; or pictures: the empty boards, then a token each.")
    ],
    table: Annotated[
        Path | None, typer.Option(help="The table's file (TOML); the looks go beside it.")
    ] = None,
    box: Annotated[str, typer.Option(help="The box on the table; else the file's.")] = "",
    piece: Annotated[list[str] | None, typer.Option(help="Teach this token only. Repeats.")] = None,
) -> None:
    """Show tokens without stickers once each, to be known by their looks."""
    from companion.commands.teach import teach as run

    end(run(source, table, box, tuple(piece or ())))


def rehearse(
    box: Annotated[str, typer.Argument(help="The box on the drawn table.")] = USUAL_BOX,
    *,
    json: Annotated[
        bool, typer.Option("--json/--terminal", help="One JSON object a line, or words.")
    ] = False,
) -> None:
    """Play what can go wrong before a camera; 1 if the screen did not say so in time."""
    from companion.commands.rehearse import rehearse as run

    end(run(box, json=json))


def doctor(
    record: RecordPlace = None,
    bundle: Annotated[
        Path | None, typer.Option(help="A new zip file of logs and settings for a bug report.")
    ] = None,
    *,
    json: Json = False,
) -> None:
    """Check every part and name the command that mends it; 1 if something is wrong."""
    from companion.commands.doctor import doctor as run

    end(run(record, json=json, bundle=bundle))


User = Annotated[str, typer.Option("--user", help="Whose companion; else who runs this.")]
Into = Annotated[
    Path, typer.Option("--into", help="Write files below this folder and run nothing: an image.")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only tell what would be done.")]


def install(
    user: User = "",
    on: Annotated[str, typer.Option(help="lite or desktop; else as this system is.")] = "",
    rotate: Annotated[
        int | None, typer.Option(help="Degrees by which the screen is turned: 0, 90, 180, 270.")
    ] = None,
    into: Into = Path("/"),
    *,
    dry_run: DryRun = False,
) -> None:
    """Make this Raspberry Pi start the companion by itself; may be done again."""
    from companion.commands.install import install as run

    end(run(user, on, into, rotate, dry_run=dry_run))


def uninstall(user: User = "", into: Into = Path("/"), *, dry_run: DryRun = False) -> None:
    """Take that away again; records and settings stay."""
    from companion.commands.install import uninstall as run

    end(run(user, into, dry_run=dry_run))
