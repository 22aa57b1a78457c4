"""Why the boards are not known as they should be, in full, with the way out on this screen."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from ui.scene.values import Mark, Refusal

if TYPE_CHECKING:
    from ui.table.calibration import CalibrationState, EyesState
    from vision.boards.calibrating import Progress

CODE = "CALIBRATION"
MEND = "Mend it there, or take the file away; meanwhile boards are found by their corners"
AGAIN, GOES_ON = "Then tap Calibrate", "It goes on by itself"
_TERMINAL = re.compile(r"run `companion calibrate`( with this camera)?")
_PATH = re.compile(r"(?<!\S)(\S*/\S+\.toml)")


def calibration_refusal(eyes: EyesState | None) -> Refusal | None:
    """What a calibration, or a file that does not fit, has to tell; None while all is well.

    The words are those of the terminal, but that here it is a key that calibrates.
    """
    if eyes is None:
        return None
    run = eyes.run
    if run is None:
        return _refusal(eyes.trouble, MEND) if eyes.trouble else None
    if run.running:
        return _while_running(run)
    if run.kept and run.progress is not None:
        return _of_a_board(run.progress)
    return _refusal(run.words, AGAIN)


def _while_running(run: CalibrationState) -> Refusal | None:
    """What keeps it from going on: a board twice, darkness; nothing while it only needs time."""
    progress = run.progress
    if progress is None or not progress.hindered:
        return None
    return _of_a_board(progress) or _refusal(progress.words, GOES_ON)


def _of_a_board(progress: Progress) -> Refusal | None:
    """The first board that is not known well, and what to do; None where it is not about one."""
    poor = next((check for check in progress.boards if not check.will_do), None)
    if poor is None or poor.board not in progress.words or "twice" in progress.words:
        return None
    seen = f"{poor.markers} of {poor.of} corner markers seen"
    return Refusal(f"{poor.board}: {seen}.", poor.words, CODE, "", Mark.WARN)


def _refusal(words: str, otherwise: str) -> Refusal:
    """What is wrong, and what mends it; `otherwise` where the words do not say so themselves."""
    plain = _PATH.sub(lambda found: Path(found[1]).name, _TERMINAL.sub("tap Calibrate", words))
    what, colon, way_out = _parted(plain)
    if not colon:
        what, way_out = plain, otherwise
    elif "alibrate" not in way_out and otherwise not in way_out:
        way_out = f"{way_out.rstrip('.')}. {otherwise}"
    return Refusal(_sentence(what), _sentence(way_out), CODE, "", Mark.WARN)


def _parted(words: str) -> tuple[str, str, str]:
    """The words up to the way out and from there; a file's fault names a place with colons first.

    >>> _parted("t.toml: line 3, lens: is missing; mend it")
    ('t.toml: line 3, lens: is missing', '; ', 'mend it')
    >>> _parted("Out of focus: turn the lens.")
    ('Out of focus', ': ', 'turn the lens.')
    """
    if re.match(r"\S+\.toml: ", words):
        return words.partition("; ")
    return words.partition(": ")


def _sentence(words: str) -> str:
    """With a capital, but for the name of a file, and a stop."""
    first = (
        words[:1] if words.partition(" ")[0].rstrip(":").endswith(".toml") else words[:1].upper()
    )
    return f"{first}{words[1:].rstrip('. ')}."
