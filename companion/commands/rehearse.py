"""`companion rehearse`: what the screen says when a camera fails, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cli_options import DONE, WRONG
from companion.commands.voice import say

if TYPE_CHECKING:
    from ui.rehearsal import Played

NO_ALARM = "no alarm"
WELL = "no alarm, and the pieces read again,"
"""An alarm goes at once; the act is done when the table is read as well as before."""


def rehearse(box: str, *, json: bool) -> int:
    """Play the script at a drawn table; 1 if a word that was expected did not come in time."""
    from ui.rehearsal import Stage
    from ui.rehearsal import rehearse as play

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
