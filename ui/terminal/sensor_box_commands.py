"""`companion box`: its commands and their options; `ui.terminal.sensor_box` has what they do."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ui.terminal.options import end

box = typer.Typer(no_args_is_help=True, help="The sensor box: install, monitor, simulate.")

Port = Annotated[
    str, typer.Argument(help="Its serial number, path or address; else whatever looks like a box.")
]


@box.command()
def install(port: Port = "") -> None:
    """Put the box's program on a Raspberry Pi Pico that runs MicroPython."""
    from ui.terminal.sensor_box import install as run

    end(run(port))


@box.command()
def monitor(
    port: Port = "",
    record: Annotated[Path | None, typer.Option(help="Keep the raw traffic in this file.")] = None,
    replay: Annotated[
        Path | None, typer.Option(help="Show kept traffic instead of a box's.")
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="End after so long.")] = None,
    *,
    everything: Annotated[
        bool, typer.Option("--all", help="Also what comes all the time.")
    ] = False,
) -> None:
    """Show what a sensor box says, and what it means. Ctrl-C ends it."""
    from ui.terminal.sensor_box import monitor as run

    end(run(port, record, replay, seconds, everything=everything))


@box.command()
def simulate(
    link: Annotated[Path | None, typer.Option(help="Where the companion shall find it.")] = None,
    fault: Annotated[
        list[str] | None,
        typer.Option("--fault", help="What goes wrong, as garbage=0.01 or unplug_s=30. Repeats."),
    ] = None,
    script: Annotated[
        Path | None, typer.Option(help="What hands do: `SECONDS WORDS` a line.")
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="End after so long.")] = None,
    seed: Annotated[int, typer.Option(help="Faults by another chance.")] = 0,
) -> None:
    """Pretend a sensor box behind a pseudo-terminal; what is typed is what hands do."""
    from ui.terminal.sensor_box import simulate as run

    end(run(link, tuple(fault or ()), script, seconds, seed))
