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

from companion.cli_options import BAD, DONE, WRONG, Box, Json, Options, RecordPlace, Variants, end
from companion.cli_table import add_table_commands
from companion.core.errors import BadCall, CompanionError
from companion.games import USUAL_BOX
from companion.match.entry import app_version

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
        from companion.commands import start

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
    from companion.commands import start

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
    from companion.commands.referee import How
    from companion.commands.referee import referee as run
    from companion.commands.setting_up import Asked

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
    from companion.commands.setting_up import Asked
    from companion.commands.simulate import simulate as run

    asked = Asked(box, tuple(variant or ()), seats, tuple(option or ()), position, data)
    end(run(asked, matches, seed, jobs, json=json))


@app.command()
def matches(record: RecordPlace = None, *, json: Json = False) -> None:
    """List the matches of the record, the newest first."""
    from companion.commands.matches import matches as run

    end(run(record, json=json))


@app.command()
def stats(record: RecordPlace = None, *, json: Json = False) -> None:
    """Count who won how often."""
    from companion.commands.matches import stats as run

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
    from companion.commands import past_match

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
    from companion.commands.past_match import replay as run

    end(run(match, record))


@app.command()
def export(
    match: Match,
    out: Annotated[Path | None, typer.Option(help="A new file; else standard output.")] = None,
    record: RecordPlace = None,
) -> None:
    """Write a match as JSON lines that any companion imports."""
    from companion.commands.past_match import export as run

    end(run(match, record, out))


@app.command()
def learned(
    match: Match,
    out: Annotated[Path | None, typer.Option(help="A new file; else standard output.")] = None,
    record: RecordPlace = None,
) -> None:
    """Write what a match has taught, such as cards declared in it, as a file for --data."""
    from companion.commands.learned import learned as run

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
    from companion.commands.past_match import import_match as run

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
