"""The terminal: every command, its options, and what its exit status says.

0: done. 1: it looked, and something is wrong. 2: the call or a file was bad, told in one line.
Each command imports what it does when it is called: `companion matches` needs no camera, and
`companion see` no record.
"""

from __future__ import annotations

import errno
import io
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from companion.core.errors import BadCall, CompanionError
from companion.games import USUAL_BOX
from companion.match.entry import app_version
from ui.terminal.options import BAD, DONE, WRONG, Box, Json, Options, RecordPlace, Variants, end
from ui.terminal.sensor_box_commands import box

# Commands about the table and the machine.

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
    from ui.terminal.eyes import DiceSize
    from ui.terminal.eyes import see as run

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
    from ui.terminal.eyes import Wanted
    from ui.terminal.eyes import markers as run

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
    from ui.terminal.calibrate import Wanted
    from ui.terminal.calibrate import calibrate as run

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
    from ui.terminal.eyes import teach as run

    end(run(source, table, box, tuple(piece or ())))


def rehearse(
    box: Annotated[str, typer.Argument(help="The box on the drawn table.")] = USUAL_BOX,
    *,
    json: Annotated[
        bool, typer.Option("--json/--terminal", help="One JSON object a line, or words.")
    ] = False,
) -> None:
    """Play what can go wrong before a camera; 1 if the screen did not say so in time."""
    from ui.terminal.start import rehearse as run

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
    from ui.terminal.doctor import doctor as run

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
    from ui.terminal.appliance import install as run

    end(run(user, on, into, rotate, dry_run=dry_run))


def uninstall(user: User = "", into: Into = Path("/"), *, dry_run: DryRun = False) -> None:
    """Take that away again; records and settings stay."""
    from ui.terminal.appliance import uninstall as run

    end(run(user, into, dry_run=dry_run))


# Commands about matches, and the entry point.

INTERRUPTED = 130
KEEPS_NO_RECORD = ("simulate", "see", "markers")

app = typer.Typer(
    name="companion",
    help="Referee, round timer and record for dogfight board games, beside a real table.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Match = Annotated[str, typer.Argument(help="`last`, a number of the list, or how its id begins.")]
Seats = Annotated[str, typer.Option(help="Who sits where: SEAT=NAME,SEAT=NAME.")]
PositionFile = Annotated[
    Path | None, typer.Option("--position", help="Begin in the middle: a position file.")
]
CardFile = Annotated[Path | None, typer.Option("--data", help="The table's own card list (TOML).")]
TableRecord = Annotated[
    str | None,
    typer.Option("--record", envvar="COMPANION_RECORD", help="A record's path, or a server's URL."),
]
Version = Annotated[bool, typer.Option("--version", help="Print which companion this is.")]


@app.callback(invoke_without_command=True)
def companion(
    context: typer.Context, record: TableRecord = None, *, version: Version = False
) -> None:
    """Open the touch app; where there is no screen, play the demonstration in the terminal."""
    if version:
        print(f"companion {app_version()}")  # noqa: T201 - this is the terminal
        raise typer.Exit
    if context.invoked_subcommand is None:
        from ui.terminal import start

        end(start.start(record))
    elif record:
        _pass_on(context, context.invoked_subcommand, record)


def _pass_on(context: typer.Context, command: str, record: str) -> None:
    """A record named before a command, or by the environment, is that command's record.

    BadCall where somebody names one for a command that keeps none.
    """
    context.default_map = {command: {"record": record}}
    source = context.get_parameter_source("record")
    typed = source is not None and source.name == "COMMANDLINE"
    if typed and command in KEEPS_NO_RECORD:
        raise BadCall(f"`companion {command}` keeps no record; leave --record away")


@app.command()
def demo(  # noqa: PLR0913 - a command's options are its arguments
    box: Annotated[str, typer.Argument(help="The box to show.")] = USUAL_BOX,
    variant: Variants = None,
    seed: Annotated[int, typer.Option(help="The same seed plays the same match.")] = 1,
    rounds: Annotated[int | None, typer.Option(min=1, help="Stop after so many rounds.")] = None,
    pace: Annotated[
        float | None,
        typer.Option(min=0, help="Times as fast; 0: without waiting. 4 in a terminal, else 0."),
    ] = None,
    option: Options = None,
    record: RecordPlace = None,
    *,
    sleeves: Annotated[
        bool, typer.Option("--sleeves", help="Cards wear sleeves that the camera reads.")
    ] = False,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="Show it here, not in a window.")
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="End with a JSON line instead of words.")
    ] = False,
) -> None:
    """Play a whole match at the simulated table: camera, rules, clock and record."""
    from ui.terminal import start

    asked = start.Shown(box, tuple(variant or ()), seed, rounds, pace, tuple(option or ()), sleeves)
    end(start.demo(asked, record, terminal=terminal, json=json))


@app.command()
def referee(  # noqa: PLR0913, PLR0917 - a command's options are its arguments
    box: Annotated[str, typer.Argument(help=f"The box on the table, as {USUAL_BOX}.")] = "",
    variant: Variants = None,
    seats: Seats = "",
    option: Options = None,
    position: PositionFile = None,
    data: CardFile = None,
    script: Annotated[
        Path | None, typer.Option(help="One answer a line; - plays lines as they come.")
    ] = None,
    arbiter: Annotated[
        str | None, typer.Option(help="In whose name corrections are logged.")
    ] = None,
    record: RecordPlace = None,
    *,
    resume: Annotated[str, typer.Option(help="Go on with a match of the record, as last.")] = "",
    json: Json = False,
) -> None:
    """Referee a match in the terminal: typed by people, or by a script."""
    from ui.terminal.play import How
    from ui.terminal.play import referee as run
    from ui.terminal.setting_up import Asked

    asked = Asked(box, tuple(variant or ()), seats, tuple(option or ()), position, data)
    end(run(asked, How(script, json, record, resume, arbiter)))


@app.command()
def simulate(  # noqa: PLR0913 - a command's options are its arguments
    box: Box,
    variant: Variants = None,
    matches: Annotated[int, typer.Option(help="How many matches bots play.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed plays the same matches.")] = 1,
    jobs: Annotated[int, typer.Option(help="On how many processes.")] = 1,
    seats: Seats = "",
    option: Options = None,
    position: PositionFile = None,
    *,
    data: CardFile = None,
    json: Json = False,
) -> None:
    """Let bots play many matches: results, lengths, rates."""
    from ui.terminal.setting_up import Asked
    from ui.terminal.simulate import simulate as run

    asked = Asked(box, tuple(variant or ()), seats, tuple(option or ()), position, data)
    end(run(asked, matches, seed, jobs, json=json))


@app.command()
def matches(record: RecordPlace = None, *, json: Json = False) -> None:
    """List the matches of the record, the newest first."""
    from ui.terminal.matches import matches as run

    end(run(record, json=json))


@app.command()
def stats(record: RecordPlace = None, *, json: Json = False) -> None:
    """Count who won how often."""
    from ui.terminal.matches import stats as run

    end(run(record, json=json))


@app.command()
def show(
    match: Match,
    out: Annotated[Path | None, typer.Option(help="Write it to a new file instead.")] = None,
    record: RecordPlace = None,
    *,
    position: Annotated[
        bool, typer.Option("--position", help="The position file of where it stands, instead.")
    ] = False,
    json: Json = False,
) -> None:
    """Print a match's protocol: every line in words, with every ruling and its rule."""
    from ui.terminal import past_match

    if position and (json or out):
        raise BadCall("--position prints a file as it is: leave --json and --out away")
    if position:
        end(past_match.show_position(match, record))
    else:
        end(past_match.show(match, record, json=json, out=out))


@app.command()
def replay(
    match: Annotated[str, typer.Argument(help="A match of the record, or an exported file.")],
    record: RecordPlace = None,
) -> None:
    """Rule a match once more, line by line; 1 at the first line that diverges."""
    from ui.terminal.past_match import replay as run

    end(run(match, record))


@app.command()
def export(
    match: Match,
    out: Annotated[Path | None, typer.Option(help="A new file; else standard output.")] = None,
    record: RecordPlace = None,
) -> None:
    """Write a match as JSON lines that any companion imports."""
    from ui.terminal.past_match import export as run

    end(run(match, record, out))


@app.command()
def learned(
    match: Match,
    out: Annotated[Path | None, typer.Option(help="A new file; else standard output.")] = None,
    record: RecordPlace = None,
) -> None:
    """Write what a match has taught, such as cards declared in it, as a file for --data."""
    from ui.terminal.past_match import learned as run

    end(run(match, record, out))


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="An exported match.")],
    record: RecordPlace = None,
    *,
    good_part: Annotated[
        bool, typer.Option("--good-part", help="Take the lines before the first bad one.")
    ] = False,
) -> None:
    """Take in an exported match; nothing that is here is changed."""
    from ui.terminal.past_match import import_match as run

    end(run(file, record, good_part=good_part))


add_table_commands(app)


def run(arguments: Sequence[str]) -> int:
    """Carry out a call and return its exit status; what is bad is told on standard error."""
    command = typer.main.get_command(app)
    try:
        status: Any = command.main(list(arguments), "companion", standalone_mode=False)
        _flush()
    except CompanionError as wrong:
        return _bad(str(wrong))
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BrokenPipeError:  # whoever read us has seen enough
        _say_no_more()
        return WRONG
    except OSError as wrong:
        if wrong.errno != errno.ENOSPC:
            return _fault(wrong)
        _say_no_more()
        return _bad(f"standard output cannot be written: {wrong.strerror}")
    except Exception as wrong:  # noqa: BLE001 - the last place that can tell it in words
        told = getattr(wrong, "format_message", None)  # typer's own: a bad option or argument
        if told is None:
            return _fault(wrong)
        return _bad(f"{told().rstrip('. ')}. `{_where(wrong)} --help` lists what there is.")
    return status if isinstance(status, int) else DONE


def _flush() -> None:
    """Write out what was said while there is still somebody to tell that it cannot be."""
    if sys.stdout is not None:
        sys.stdout.flush()


def _say_no_more() -> None:
    """What is not written yet goes nowhere, so that the end of the program is quiet."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _where(wrong: Exception) -> str:
    """The command in whose call something is bad."""
    context = getattr(wrong, "ctx", None)
    return context.command_path if context is not None else "companion"


def _bad(text: str) -> int:
    print(f"companion: {' '.join(text.split())}", file=sys.stderr)  # noqa: T201
    return BAD


def _fault(wrong: Exception) -> int:
    """A bug of ours: in one line for people, whole for those who mend it."""
    if os.environ.get("COMPANION_TRACE"):
        raise wrong
    last = traceback.extract_tb(wrong.__traceback__)[-1]
    place = f"{Path(last.filename).name}:{last.lineno}"
    text = f"a fault of its own at {place}: {wrong!r}; COMPANION_TRACE=1 shows all of it"
    print(f"companion: {' '.join(text.split())}", file=sys.stderr)  # noqa: T201
    return WRONG


def main() -> NoReturn:
    """The console command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a name in any script must print on any terminal
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))
