"""What several commands share: their exit statuses, and arguments of the same meaning."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.games import USUAL_BOX

DONE, WRONG, BAD = 0, 1, 2
"""Done; it looked, and something is wrong; the call or a file was bad."""

Box = Annotated[str, typer.Argument(help=f"The box on the table, as {USUAL_BOX}.")]
Variants = Annotated[
    list[str] | None, typer.Option("--variant", help="A chapter in force, as day. Repeats.")
]
Options = Annotated[
    list[str] | None, typer.Option("--option", help="A house rule, as timer_s=30. Repeats.")
]
RecordPlace = Annotated[
    str | None,
    typer.Option("--record", help="A record's path, or a server's URL; else COMPANION_RECORD."),
]
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]


def end(status: int) -> None:
    """Leave with a status; a command that is done simply returns."""
    if status != DONE:
        raise typer.Exit(status)
