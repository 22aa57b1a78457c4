"""`companion`, `companion demo` and `companion rehearse`: the app, a demonstration, a rehearsal."""

from __future__ import annotations

import json as json_text
import os
import sys
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from companion.core.errors import PanelError
from companion.games import USUAL_BOX, find_rulebook
from companion.record.record import Record
from ui.demo.demo import DemoCall, Demonstration, Summary
from ui.demo.terminal import TerminalScreen
from ui.table.settings_file import SettingsFile
from ui.terminal.options import DONE, WRONG, HouseRules, RecordPlace, Variants
from ui.terminal.setting_up import plan_of, plans, read_options
from ui.terminal.voice import say
from ui.window.appliance import Service, find_display, of_this_process, why_silent

if TYPE_CHECKING:
    from hardware.signals.client import SignalClient
    from ui.demo.rehearsal import Played
    from ui.table.camera_watch import CameraWatch
    from ui.table.eyes import TableEyes
    from ui.table.previews import CameraPreviews
    from ui.table.settings import Settings
    from ui.table.table import Table
    from vision.camera.camera import Camera


TERMINAL_PACE, WINDOW_PACE, NOBODY_LOOKS = 4.0, 1.0, 0.0
PREVIEW_PX = (640, 480)

NO_SCREEN = """{}: the demonstration plays here, through the same pipeline.
The touch app opens where there is one: on a desktop run `companion` in it; over ssh run
`DISPLAY=:0 companion`; on a Pi without a desktop plug a screen in and let this user be in the
groups video, render and input (`sudo usermod -aG video,render,input $USER`, then log in again)."""


def start(record: str | None) -> int:
    """The touch app; without a screen the demonstration, and how to get the app."""
    service = of_this_process()
    missing = _missing_screen()
    if missing and service.is_awaited:
        service.failing(missing)
        _tell(f"{missing}; it is looked for again in a moment")
        return 1
    if missing:
        print(NO_SCREEN.format(missing), file=sys.stderr)  # noqa: T201 - this is the terminal
        return demo(record=record, terminal=True)
    return _open_app(record, service)


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
    there = find_rulebook(box)
    variants = there.usual(variant or ())
    rulebook = there.in_variants(variants)
    terminal = terminal or bool(_missing_screen())
    pace = pace if pace is not None else _pace(terminal=terminal)
    options = read_options(option or (), rulebook)
    call = DemoCall(
        rulebook.box, variants, seed, rounds, pace, record or "", options=options, sleeved=sleeves
    )
    summary = _play_here(call) if terminal else _open_demo(call)
    if json:
        print(json_text.dumps(summary.to_json()))  # noqa: T201 - this is the terminal
    elif terminal:
        print(_in_words(summary))  # noqa: T201 - this is the terminal
        print(_how_to_look(summary, record))  # noqa: T201 - this is the terminal
    return DONE if summary.sound else WRONG


def _play_here(call: DemoCall) -> Summary:
    demonstration = Demonstration(call)
    with TerminalScreen(sys.stdout, demonstration) as screen:
        return demonstration.play(screen.show)


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


def _missing_screen() -> str:
    """Why no window can open here; empty where one can."""
    if find_display(os.environ) is None:
        return "No screen was found"
    silent = why_silent(os.environ)
    return f"No screen answers ({silent})" if silent else ""


def _pace(*, terminal: bool) -> float:
    """Real time in a window, faster where people read along, without waiting where nobody does."""
    if not terminal:
        return WINDOW_PACE
    return TERMINAL_PACE if sys.stdout.isatty() else NOBODY_LOOKS


# -- the window ----------------------------------------------------------------------------


def _open_demo(call: DemoCall) -> Summary:
    from ui.window.app import run
    from ui.window.operator import Operator

    demonstration = Demonstration(call)
    demonstration.watch.start()
    run(Operator(demonstration.table, playing=demonstration))
    return demonstration.summary()


def _open_app(place: str | None, service: Service) -> int:
    from ui.table.exchange import Makers
    from ui.table.table import Table
    from ui.window.app import run
    from ui.window.appliance import keep_log
    from ui.window.operator import Operator

    keep_log()
    file = SettingsFile.load()
    record = Record.open(place or file.settings.record_place)
    for said in (*record.said, *filter(None, (record.read_only, file.trouble))):
        _tell(said)
    eyes = _eyes(file)
    watch = _watch(file.settings, eyes)
    table = Table(
        record,
        file,
        watch=watch,
        eyes=eyes,
        signals=_signals(file.settings),
        makers=Makers(_eyes, _watch, _signals, _previews()),
    )
    _speak_and_back_up(table)
    if watch is not None:
        watch.start()
    operator = Operator(table, partial(_demonstration, place))
    run(operator, service=service)
    if operator.restarting and not service.is_awaited:  # systemd starts a service again by itself
        start_again(sys.argv[1:])
    return DONE


def _speak_and_back_up(table: Table) -> None:
    """What the app does beside the match, where settings want it."""
    from companion.record.store import is_url
    from ui.table.stick_backup import StickBackup
    from ui.table.voice import TableVoice

    table.speak_by(TableVoice(table.settings))
    if not is_url(table.record.name):
        place = Path(table.record.name)
        table.back_up_by(StickBackup(place, lambda: table.settings.backup_stick))


def start_again(arguments: Sequence[str]) -> NoReturn:
    """Run the command anew in place of this process, which has closed what it had open."""
    os.execv(sys.executable, [sys.executable, "-m", "companion", *arguments])  # noqa: S606


def _demonstration(place: str | None) -> Demonstration:
    demonstration = Demonstration(DemoCall(record=place or ""))
    demonstration.watch.start()
    return demonstration


def _signals(settings: Settings) -> SignalClient | None:
    """What sounds; where it cannot be had the table goes on and its state says why."""
    by_box = settings.sounds_from == "box"
    if settings.pins == "none" and not by_box:
        return None
    from hardware.sensor_box.sensor_box import SensorBox
    from hardware.sensor_box.traffic import kept_in
    from hardware.signals.both import BothSignals
    from hardware.signals.folder import SignalFolder
    from hardware.signals.process import Wanted
    from ui.table.signals import wanted_process

    silent = Wanted("mock", speaker="none")  # keeps the rounds; nothing but the box sounds
    wanted = silent if settings.pins == "none" else wanted_process(settings)
    box = SensorBox(settings.box, opener=kept_in(SignalFolder().path / "box-traffic.jsonl"))
    client = BothSignals(wanted, box, box_sounds=by_box)
    box.start()
    try:
        client.connect()
    except PanelError as missing:
        _tell(str(missing))
    return client


def _eyes(file: SettingsFile) -> TableEyes:
    """The table's own file: the one that the settings name, else the one beside them."""
    from ui.table.eyes import TableEyes

    named, today = file.settings.table_file, lambda: f"{datetime.now().astimezone():%Y-%m-%d}"
    return TableEyes(file.path.parent, named, plans(), plan_of(USUAL_BOX), tell=_tell, day=today)


def _watch(settings: Settings, eyes: TableEyes) -> CameraWatch | None:
    """The chosen camera before the table; none chosen, and the table goes on by touch."""
    if not settings.camera:
        return None
    from ui.table.camera_watch import CameraWatch
    from vision.camera.source import CameraSource, open_played

    trackers, source = eyes.trackers, CameraSource(settings.camera, opener=open_played)
    return CameraWatch(source, trackers.for_camera, tracker_of=trackers.of)


def _previews() -> CameraPreviews:
    """Whatever camera is plugged in, to be looked at and chosen."""
    from ui.table.previews import CameraPreviews, plugged_in

    has_pi_camera = find_spec("picamera2") is not None

    def opens(source: str) -> Camera:
        from vision.camera.camera import open_camera

        return open_camera(source, size_px=PREVIEW_PX)

    return CameraPreviews(partial(plugged_in, pi_camera=has_pi_camera), opens)


def _tell(text: str) -> None:
    print(f"companion: {text}", file=sys.stderr)  # noqa: T201 - this is the terminal


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
    """Play what can go wrong before a camera; 1 if the screen did not say so in time."""
    from ui.demo.rehearsal import Stage
    from ui.demo.rehearsal import rehearse as play

    stage, wrong = Stage(box), 0
    try:
        for played in play(stage):
            wrong += not played.right
            if json:
                say(to_json(played))
            else:
                print(in_words(played), flush=True)  # noqa: T201 - this is the terminal
    finally:
        stage.close()
    if not json:
        _print_verdict(wrong)
    return WRONG if wrong else DONE


def _print_verdict(wrong: int) -> None:
    told = f"{wrong} did not come in time" if wrong else "every word came in time"
    print(f"Rehearsed: {told}.")  # noqa: T201 - this is the terminal


def to_json(played: Played) -> dict[str, object]:
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


def in_words(played: Played) -> str:
    """One act as people read it: the deed, then each word with its time."""
    wanted = WELL if played.expected == NO_ALARM else f"told {played.expected.strip()!r}"
    came = "NOT IN TIME" if played.came_s is None else f"after {played.came_s:.1f} s"
    lines = [f"{played.name}: {wanted} {came}, allowed {played.within_s:g} s"]
    lines += [f"   {one.at_s:6.1f} s  {one.words or f'({NO_ALARM})'}" for one in played.said]
    if played.touched:
        lines.append(f"   by touch: {played.touched} ({'taken' if played.taken else 'NOT TAKEN'})")
    return "\n".join(lines)
