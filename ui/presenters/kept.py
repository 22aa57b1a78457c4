"""What is kept with a match besides its log, and the words for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.record.evidence import EvidenceFile, EvidencePart
from ui.presenters.common import Key
from ui.touch.actions import Panel, Show

if TYPE_CHECKING:
    from ui.presenters.scene import Scene
    from ui.presenters.table_check import Picture


def no_picture(_: EvidenceFile) -> Picture | None:
    """Where no table keeps pictures."""
    return None


def no_section(_: str) -> tuple[Picture, Picture] | None:
    """Where no table keeps pictures, or none of a section."""
    return None


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept with a match: its files, what went wrong with the last, and how to see one.

    `zero` is the picture at the last buzzer, once it is there; `clips` whether a clip can be kept.
    `sections_of` gives the pictures of a section to which a card came late: before, and with it.
    `lost` is how often something could not be kept since the match began, and why the last time;
    `clip_is_due` while a clip waits for its last seconds.
    """

    files: tuple[EvidenceFile, ...] = ()
    trouble: str = ""
    zero: EvidenceFile | None = None
    clips: bool = False
    picture: Callable[[EvidenceFile], Picture | None] = no_picture
    sections_of: Callable[[str], tuple[Picture, Picture] | None] = no_section
    lost: tuple[int, str] = (0, "")
    clip_is_due: bool = False

    def of_line(self, seq: int) -> tuple[EvidenceFile, ...]:
        """The files of one line of the log, in the order of their times."""
        return tuple(file for file in self.files if file.seq == seq)


def evidence_words(scene: Scene, seq: int) -> str:
    """What is kept with a line, as the log says it; empty where nothing is."""
    files = scene.situation.kept.of_line(seq)
    if not files:
        return ""
    pictures = sum(file.part is not EvidencePart.CLIP for file in files)
    clips = len(files) - pictures
    counts = [f"{pictures} picture{'s' if pictures > 1 else ''}"] if pictures else []
    counts += [f"{clips} clip{'s' if clips > 1 else ''}"] if clips else []
    return f"{' and '.join(counts)}, {scene.situation.clock(files[0].at_utc)}"


def evidence_keys(scene: Scene, seq: int | None) -> tuple[Key, ...]:
    """The pictures kept with a line, and the way to keep more where a camera looks."""
    kept = scene.situation.kept
    if seq is None or not (kept.clips or kept.of_line(seq)):
        return ()
    return (Key("Evidence", Show(Panel.EVIDENCE, str(seq)), sign="eye"),)


def zero_words(kept: Kept, clock: Callable[[str], str]) -> str:
    """What the locked screen says of the picture at the buzzer."""
    if kept.zero is not None:
        return f"Picture kept as evidence, {clock(kept.zero.at_utc)}"
    return f"No picture kept: {kept.trouble}" if kept.trouble else ""
