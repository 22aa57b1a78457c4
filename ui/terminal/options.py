"""What commands share: their exit statuses, and arguments that mean the same in several."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.games import USUAL_BOX

DONE, WRONG, BAD = 0, 1, 2
"""Done; it looked, and something is wrong; the call or a file was bad."""

Box = Annotated[str, typer.Argument(help=f"The box on the table, as {USUAL_BOX}.")]
Variants = Annotated[
    list[str] | None, typer.Option("--variant", help="A chapter in force, as day. Repeats.")
]
HouseRules = Annotated[
    list[str] | None, typer.Option("--option", help="A house rule, as timer_s=30. Repeats.")
]
Seats = Annotated[str, typer.Option(help="Who sits where: SEAT=NAME,SEAT=NAME.")]
PositionFile = Annotated[
    Path | None, typer.Option("--position", help="Begin in the middle: a position file.")
]
CardFile = Annotated[Path | None, typer.Option("--data", help="The table's own card list (TOML).")]
FigureFile = Annotated[
    Path | None, typer.Option("--data", help="The table's own figures of the box, as its map's.")
]
RecordPlace = Annotated[
    str | None,
    typer.Option("--record", help="A record's path, or a server's URL; else COMPANION_RECORD."),
]
MatchName = Annotated[
    str, typer.Argument(help="`last`, a number of the list, or how its id begins.")
]
NewFile = Annotated[Path | None, typer.Option(help="A new file; else standard output.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
