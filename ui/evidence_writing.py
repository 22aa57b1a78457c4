"""Writes the pictures of one match on a thread of its own, and knows what is kept of it.

A disk that takes no more ends no match: what was lost is counted and said, and play goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.errors import CompanionError, RecordError
from companion.record.evidence import EvidenceFile, EvidencePart, kept_in
from vision.evidence.evidence import Still, as_jpeg, write_clip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.camera.frame import ColourImage

Drawn = tuple[str, float, "Callable[[], ColourImage | None]"]
"""A picture yet to be drawn: its file's name, when what it shows was taken, how to draw it."""


class EvidenceWriting:
    """Pictures and clips on their way to the disk; `folder` may raise RecordError, too.

    Whatever is asked of it, is from the table's thread. `lost` counts what could not be kept.
    """

    def __init__(self, folder: Callable[[], Path]) -> None:
        self.lost = 0
        self.reason = ""
        self._folder = folder
        self._troubles: dict[str, str] = {}  # what could not be kept last, by its kind
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="evidence")
        self._writing: list[Future[None]] = []
        self._written = 0
        self._listed: tuple[int, tuple[EvidenceFile, ...]] = (-1, ())  # after so many were written

    @property
    def trouble(self) -> str:
        """Why a picture or clip was not kept; empty where the last ones were."""
        return next(iter(tuple(self._troubles.values())), "")

    @property
    def files(self) -> tuple[EvidenceFile, ...]:
        """Everything kept with this match so far, by log line; listed once after each writing."""
        written = self._written
        if self._listed[0] != written:
            try:
                self._listed = (written, kept_in(self._folder()))
            except RecordError:
                self._listed = (written, ())
        return self._listed[1]

    def stills(self, stills: Mapping[str, Still], drawn: Drawn) -> None:
        """Write stills by their files' names, and what is drawn of them."""
        self._submit(lambda: self._save(stills, drawn), EvidencePart.AT)

    def clip(self, stills: Sequence[Still], name: str) -> None:
        """Write stills as a film."""
        self._submit(lambda: self._save_clip(stills, name), EvidencePart.CLIP)

    def settle(self) -> None:
        """Wait until everything that was handed over is on disk, or lost."""
        for writing in self._writing:
            writing.result()
        self._writing.clear()

    def close(self) -> None:
        """Write what is left, and end."""
        self._writer.shutdown(wait=True)

    def _submit(self, save: Callable[[], None], kind: EvidencePart) -> None:
        self._writing = [one for one in self._writing if not one.done()]
        self._writing.append(self._writer.submit(self._saving, save, kind))

    def _saving(self, save: Callable[[], None], kind: EvidencePart) -> None:
        """On the writer's thread: what cannot be kept is said, and nothing else happens.

        Until one of its kind is kept again: a still that fits on the disk excuses no torn clip.
        """
        try:
            save()
        except CompanionError as full:
            self._lose(kind, str(full))
        except Exception as bug:  # noqa: BLE001 - a picture must not end the thread that keeps them
            self._lose(kind, f"a picture could not be kept: {bug!r}")
        else:
            self._troubles.pop(kind, None)
        self._written += 1

    def _lose(self, kind: EvidencePart, reason: str) -> None:
        self._troubles[kind] = self.reason = reason
        self.lost += 1

    def _save(self, stills: Mapping[str, Still], drawn: Drawn) -> None:
        folder = self._folder()
        for name, still in stills.items():
            still.save(folder / name)
        name, taken_at, draw = drawn
        if (picture := draw()) is not None:
            Still(taken_at, 0, as_jpeg(picture)).save(folder / name)

    def _save_clip(self, stills: Sequence[Still], name: str) -> None:
        write_clip(stills, self._folder() / name)
