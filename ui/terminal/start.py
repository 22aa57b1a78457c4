"""The command line: where each command lies; and `companion demo`, `companion rehearse`.

A command is the function that carries it out, and returns its exit status. Its module is loaded
when it is called: `companion matches` needs no camera, and `companion see` no record.
"""

from __future__ import annotations

import json as json_text
import os
import select
import stat
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer.core import TyperGroup
from typer.main import get_command

from companion.core.errors import BadCall
from companion.core.text import counted
from companion.games import USUAL_BOX, find_rulebook
from ui.terminal.options import DONE, WRONG, HouseRules, RecordPlace, Variants
from ui.window.appliance import missing_screen, of_this_process

if TYPE_CHECKING:
    from typer._click import Command, Context, HelpFormatter

    from ui.demo.demo import DemoCall, Summary
    from ui.demo.rehearsal import PlayedIncident


NO_SCREEN = """{}: the demonstration plays here, through the same pipeline.
The touch app opens where there is one: on a desktop run `companion` in it; over ssh run
`DISPLAY=:0 companion`; on a Pi without a desktop plug a screen in and let this user be in the
groups video, render and input (`sudo usermod -aG video,render,input $USER`, then log in again)."""


COMMANDS: Mapping[str, str] = {
    "demo": "start.demo",
    "referee": "play.referee",
    "simulate": "simulate.simulate",
    "matches": "record.matches",
    "stats": "record.stats",
    "players": "record.players",
    "check": "record.check",
    "sync": "sharing.sync",
    "whatif": "past_match.whatif",
    "reread": "past_match.reread",
    "key": "past_match.key",
    "backup": "record.backup",
    "restore": "record.restore",
    "show": "past_match.show",
    "replay": "past_match.replay",
    "export": "past_match.export",
    "page": "sharing.page",
    "sheet": "sharing.sheet",
    "live": "sharing.live",
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
    "update": "ui.releases.update.update",
    "box": "sensor_box.box",
}
"""Where each command's function lies, here or by its whole name, in the order of `--help`."""

KEEPS_NO_RECORD = ("see", "markers", "key")
KEEPS_WHERE_TOLD = ("simulate",)
"""Matches of bots get a record of their own: never the one that the environment names."""
TAKES_ANSWERS = ("whatif",)
"""An answer may begin with a dash, as the space "-5,0 NW": it is no option."""


class Commands(TyperGroup):
    """Every command; one is loaded when it is called, none to list them or to refuse a name."""

    def list_commands(self, ctx: Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Context, cmd_name: str) -> Command:
        if cmd_name not in COMMANDS:
            from difflib import get_close_matches

            near = ", ".join(map(repr, get_close_matches(cmd_name, COMMANDS)))
            meant = f" Did you mean {near}?" if near else ""
            raise BadCall(f"No such command {cmd_name!r}.{meant} `companion --help` lists all.")
        return _loaded(cmd_name)

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, _does(name)) for name in COMMANDS])


def _loaded(name: str) -> Command:
    """The command, or the group of commands, of that name."""
    module, _, function = COMMANDS[name].rpartition(".")
    found = getattr(import_module(module if "." in module else f"ui.terminal.{module}"), function)
    if isinstance(found, typer.Typer):
        return get_command(found)
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    settings = {"ignore_unknown_options": True} if name in TAKES_ANSWERS else None
    alone.command(name, context_settings=settings)(found)
    return get_command(alone)


def _does(name: str) -> str:
    """The first sentence of a command's docstring; a group of commands has its module's."""
    import ast

    module, _, function = COMMANDS[name].rpartition(".")
    here = Path(__file__)
    file = here.parents[2].joinpath(*module.split(".")) if "." in module else here.parent / module
    source = ast.parse(file.with_suffix(".py").read_text("utf-8"))
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
        from companion.match.entry import app_version

        print(f"companion {app_version()}")  # noqa: T201 - this is the terminal
        raise typer.Exit
    if context.invoked_subcommand is None:
        return start(record)
    if record:
        _pass_on(context, context.invoked_subcommand, record)
    return DONE


def _pass_on(context: typer.Context, command: str, record: str) -> None:
    """A record named before a command, or by the environment, is that command's record.

    BadCall where somebody names one for a command that keeps none.
    """
    source = context.get_parameter_source("record")
    typed = source is not None and source.name == "COMMANDLINE"
    if typed or command not in KEEPS_WHERE_TOLD:
        context.default_map = {command: {"record": record}}
    if typed and command in KEEPS_NO_RECORD:
        raise BadCall(f"`companion {command}` keeps no record; leave --record away")


def carry_out(arguments: list[str]) -> object:
    """What the command of a call returns; a question that was given up is an interrupt."""
    try:
        return get_command(app).main(arguments, "companion", standalone_mode=False)
    except typer.Abort:
        raise KeyboardInterrupt from None


def start(record: str | None) -> int:
    """The touch app; without a screen the demonstration, and how to get the app."""
    service = of_this_process()
    missing = missing_screen()
    if missing and service.is_awaited:
        service.failing(missing)
        _tell(f"{missing}; it is looked for again in a moment")
        return WRONG
    if missing:
        print(NO_SCREEN.format(missing), file=sys.stderr)  # noqa: T201 - this is the terminal
        return demo(record=record, terminal=True)
    from ui.window.opening import FirstLook, Opening

    opening = Opening(FirstLook.of())
    from ui.window.assembly import open_app  # behind that frame: everything that the app is

    return open_app(record, service, opening)


# `companion demo`.

TERMINAL_PACE, WINDOW_PACE, NOBODY_LOOKS = 4.0, 1.0, 0.0


def demo(  # noqa: PLR0913 - a command's options are its arguments
    box: Annotated[str, typer.Argument(help="The box to show.")] = USUAL_BOX,
    variant: Variants = None,
    seed: Annotated[int, typer.Option(help="The same seed plays the same match.")] = 1,
    rounds: Annotated[int | None, typer.Option(min=1, help="Stop after so many rounds.")] = None,
    pace: Annotated[
        float | None,
        typer.Option(min=0, help="Times as fast; 0: without waiting. 4 in a terminal, else 0."),
    ] = None,
    option: HouseRules = None,
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
) -> int:
    """Play a whole match at the simulated table: camera, rules, clock and record."""
    from ui.demo.demo import DemoCall
    from ui.demo.terminal import play_demo
    from ui.terminal.setting_up import read_options

    there = find_rulebook(box)
    variants = there.usual(variant or ())
    rulebook = there.in_variants(variants)
    terminal = terminal or bool(missing_screen())
    pace = pace if pace is not None else _pace(terminal=terminal)
    options = read_options(option or (), rulebook)
    call = DemoCall(
        rulebook.box, variants, seed, rounds, pace, record or "", options=options, sleeved=sleeves
    )
    if terminal and _is_piped_to():
        _tell(f"a demonstration plays by itself and reads no line; {_TAKES_LINES}")
    summary = play_demo(call) if terminal else _open_demo(call)
    if json:
        print(json_text.dumps(summary.to_json()))  # noqa: T201 - this is the terminal
    elif terminal:
        print(_in_words(summary))  # noqa: T201 - this is the terminal
        print(_how_to_look(summary, record))  # noqa: T201 - this is the terminal
    return DONE if summary.sound else WRONG


_TAKES_LINES = "`companion referee BOX --script -` takes an answer a line"


def _is_piped_to() -> bool:
    """Whether lines wait in a pipe, as of a program that takes this for a match of its own."""
    try:
        handle = sys.stdin.fileno() if sys.stdin is not None else -1
        is_pipe = handle >= 0 and stat.S_ISFIFO(os.fstat(handle).st_mode)
        return is_pipe and bool(select.select([handle], [], [], 0)[0])
    except (OSError, ValueError):
        return False


def _in_words(summary: Summary) -> str:
    """What came of a demonstration, for people."""
    seen, wrong, helped = summary.truth.settled, summary.truth.wrong, summary.helped
    rounds = f"{summary.rounds} {summary.turn}{'' if summary.rounds == 1 else 's'}"
    told = f"{rounds} played; the camera settled {seen} times, "
    told += f"{wrong} of them wrong; " if wrong else "never wrong; "
    told += f"people had to help in {helped}." if helped else "nobody had to help it."
    poses, asked = summary.poses, summary.poses.asked.total()
    told += f" Poses by the camera: {poses.right} right, {poses.wrong} wrong; by touch: {asked}."
    rolls = summary.rolls
    if rolls.right or rolls.wrong or rolls.told:
        told += f" Rolls: {rolls.right} right, {rolls.wrong} wrong; by touch: {rolls.told}."
    cards = summary.cards
    if cards.right or cards.wrong or cards.asked:
        told += f" Cards: {cards.right} right, {cards.wrong} wrong; by touch: {cards.asked}."
    ended = summary.outcome or "It was stopped there: nobody has won yet."
    kept = f"Not all of it is on disk. {summary.unwritten}" if summary.unwritten else ""
    return " ".join(filter(None, (told, ended, kept)))


def _how_to_look(summary: Summary, record: str | None) -> str:
    """Where the match is kept, and what prints it."""
    place = f" --record {record}" if record else ""
    return (
        f"The match is kept in {summary.kept_in}. "
        f"To read it: companion show {summary.match_id}{place}"
    )


def _pace(*, terminal: bool) -> float:
    """Real time in a window, faster where people read along, without waiting where nobody does."""
    if not terminal:
        return WINDOW_PACE
    return TERMINAL_PACE if sys.stdout.isatty() else NOBODY_LOOKS


# -- the window ----------------------------------------------------------------------------


def _open_demo(call: DemoCall) -> Summary:
    from ui.demo.demo import Demonstration
    from ui.window.app import run
    from ui.window.operator import Operator

    demonstration = Demonstration(call)
    demonstration.watch.start()
    run(Operator(demonstration.table, playing=demonstration))
    return demonstration.summary()


# `companion rehearse`: what the screen says when a camera fails, and how soon.

NO_ALARM = "no alarm"
WELL = "no alarm, and the pieces read again,"
"""An alarm goes at once; the act is done when the table is read as well as before."""


def rehearse(
    box: Annotated[str, typer.Argument(help="The box on the drawn table.")] = USUAL_BOX,
    *,
    json: Annotated[
        bool, typer.Option("--json/--terminal", help="One JSON object a line, or words.")
    ] = False,
) -> int:
    """Play what can go wrong before a camera; 1 if the screen did not say so, or took no touch."""
    from ui.demo.rehearsal import RehearsalTable
    from ui.demo.rehearsal import rehearse as play
    from ui.terminal.voice import say

    stage = RehearsalTable(box)
    all_played: list[PlayedIncident] = []
    try:
        for played in play(stage):
            all_played.append(played)
            if json:
                say(to_json(played))
            else:
                print(in_words(played), flush=True)  # noqa: T201 - this is the terminal
    finally:
        stage.close()
    if not json:
        print(verdict(all_played))  # noqa: T201 - this is the terminal
    return DONE if all(played.right for played in all_played) else WRONG


def verdict(all_played: Sequence[PlayedIncident]) -> str:
    """What came of all acts: words that came late or never, touches that were not taken."""
    late = sum(played.came_s is None for played in all_played)
    refused = sum(not played.taken for played in all_played)
    told = f"{late} did not come in time" if late else "every word came in time"
    told += f"; {counted(refused, 'touch was', 'touches were')} not taken" if refused else ""
    return f"Rehearsed: {told}."


def to_json(played: PlayedIncident) -> dict[str, object]:
    """One act as a line of JSON."""
    return {
        "act": played.name,
        "expected": played.expected,
        "within_s": played.within_s,
        "came_s": played.came_s,
        "said": [{"at_s": one.at_s, "words": one.words} for one in played.said],
        "touched": played.touched,
        "right": played.right,
    }


def in_words(played: PlayedIncident) -> str:
    """One act as people read it: the deed, then each word with its time."""
    wanted = WELL if played.expected == NO_ALARM else f"told {played.expected.strip()!r}"
    came = "NOT IN TIME" if played.came_s is None else f"after {played.came_s:.1f} s"
    lines = [f"{played.name}: {wanted} {came}, allowed {played.within_s:g} s"]
    lines += [f"   {one.at_s:6.1f} s  {one.words or f'({NO_ALARM})'}" for one in played.said]
    if played.touched:
        took = "taken" if played.taken else f"NOT TAKEN: {played.refused}"
        lines.append(f"   by touch: {played.touched} ({took})")
    return "\n".join(lines)


def _tell(text: str) -> None:
    print(f"companion: {text}", file=sys.stderr)  # noqa: T201 - this is the terminal
