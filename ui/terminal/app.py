"""The terminal: where each command lies, and what its exit status says.

0: done. 1: it looked, and something is wrong. 2: the call or a file was bad, told in one line.
A command is the function that carries it out, and returns that status. Its module is loaded when it
is called: `companion matches` needs no camera, and `companion see` no record.
"""

from __future__ import annotations

import ast
import errno
import io
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup
from typer.main import get_command

from companion.core.errors import BadCall, CompanionError
from companion.core.text import without_secrets
from companion.match.entry import app_version
from ui.terminal.options import BAD, DONE, WRONG

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter

COMMANDS: Mapping[str, str] = {
    "demo": "start.demo",
    "referee": "play.referee",
    "simulate": "simulate.simulate",
    "matches": "matches.matches",
    "stats": "matches.stats",
    "check": "matches.check",
    "whatif": "past_match.whatif",
    "reread": "past_match.reread",
    "key": "past_match.key",
    "backup": "matches.backup",
    "restore": "matches.restore",
    "show": "past_match.show",
    "replay": "past_match.replay",
    "export": "past_match.export",
    "learned": "past_match.learned",
    "import": "past_match.import_match",
    "see": "camera.see",
    "markers": "camera.markers",
    "calibrate": "calibrate.calibrate",
    "teach": "camera.teach",
    "rehearse": "start.rehearse",
    "doctor": "doctor.doctor",
    "install": "appliance.install",
    "uninstall": "appliance.uninstall",
    "box": "sensor_box.box",
}
"""Where each command's function lies in this folder, in the order in which `--help` lists them."""

INTERRUPTED = 130
KEEPS_NO_RECORD = ("simulate", "see", "markers", "key")


class Commands(TyperGroup):
    """Every command; one is loaded when it is called, none to list them or to refuse a name."""

    def list_commands(self, ctx: Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Context, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            near = ", ".join(map(repr, get_close_matches(cmd_name, COMMANDS)))
            meant = f" Did you mean {near}?" if near else ""
            raise BadCall(f"No such command {cmd_name!r}.{meant} `companion --help` lists all.")
        return _loaded(cmd_name)

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, _does(name)) for name in COMMANDS])


def _loaded(name: str) -> Any:
    """The command, or the group of commands, of that name."""
    module, _, function = COMMANDS[name].partition(".")
    found = getattr(import_module(f"ui.terminal.{module}"), function)
    if isinstance(found, typer.Typer):
        return get_command(found)
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    alone.command(name)(found)
    return get_command(alone)


def _does(name: str) -> str:
    """The first sentence of a command's docstring; a group of commands has its module's."""
    module, _, function = COMMANDS[name].partition(".")
    source = ast.parse(Path(__file__).with_name(f"{module}.py").read_text("utf-8"))
    defined = (node for node in source.body if isinstance(node, ast.FunctionDef))
    said = ast.get_docstring(next((one for one in defined if one.name == function), source)) or ""
    return said.partition("\n\n")[0]


app = typer.Typer(
    name="companion",
    help="Referee, round timer and record for dogfight board games, beside a real table.",
    add_completion=False,
    cls=Commands,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

TableRecord = Annotated[
    str | None,
    typer.Option("--record", envvar="COMPANION_RECORD", help="A record's path, or a server's URL."),
]
Version = Annotated[bool, typer.Option("--version", help="Print which companion this is.")]


@app.callback(invoke_without_command=True)
def companion(
    context: typer.Context, record: TableRecord = None, *, version: Version = False
) -> int:
    """Open the touch app; where there is no screen, play the demonstration in the terminal."""
    if version:
        print(f"companion {app_version()}")  # noqa: T201 - this is the terminal
        raise typer.Exit
    if context.invoked_subcommand is None:
        from ui.terminal import start

        return start.start(record)
    if record:
        _pass_on(context, context.invoked_subcommand, record)
    return DONE


def _pass_on(context: typer.Context, command: str, record: str) -> None:
    """A record named before a command, or by the environment, is that command's record.

    BadCall where somebody names one for a command that keeps none.
    """
    context.default_map = {command: {"record": record}}
    source = context.get_parameter_source("record")
    typed = source is not None and source.name == "COMMANDLINE"
    if typed and command in KEEPS_NO_RECORD:
        raise BadCall(f"`companion {command}` keeps no record; leave --record away")


def run(arguments: Sequence[str]) -> int:
    """Carry out a call and return its exit status; what is bad is told on standard error."""
    command = get_command(app)
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
    print(f"companion: {' '.join(without_secrets(text).split())}", file=sys.stderr)  # noqa: T201
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
