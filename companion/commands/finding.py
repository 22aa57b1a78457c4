"""One line of `companion doctor`: a part, its state, and the command that mends it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rich.console import Console
from rich.markup import escape


class State(StrEnum):
    """How a part is: fine, usable with a drawback, or broken."""

    OK = "ok"
    WARN = "warn"
    RED = "red"


COLOURS = {State.OK: "green", State.WARN: "yellow", State.RED: "red"}


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of a part; `mend` is a command, with a word on it behind three blanks."""

    part: str
    state: State
    text: str
    mend: str = ""


def ok(part: str, text: str) -> Finding:
    """A part that is fine."""
    return Finding(part, State.OK, text)


def warn(part: str, text: str, mend: str) -> Finding:
    """A part that works with a drawback."""
    return Finding(part, State.WARN, text, mend)


def red(part: str, text: str, mend: str) -> Finding:
    """A part that is broken."""
    return Finding(part, State.RED, text, mend)


def show(finding: Finding, console: Console) -> None:
    """Print a finding for people: the mend under it."""
    mend = f"\n{'':19}[bold]{escape(finding.mend)}[/]" if finding.mend else ""
    line = f"[{COLOURS[finding.state]}]{finding.state:5}[/]{finding.part:14}{escape(finding.text)}"
    console.print(line + mend, soft_wrap=True)
