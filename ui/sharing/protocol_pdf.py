"""The protocol on paper: a match, a round or one ruling, with the boards before and after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from reportlab.lib.units import mm
from reportlab.platypus import Flowable, KeepTogether, Spacer, Table

from companion.record.evidence import EvidenceFile, EvidencePart
from ui.sharing.course import BEFORE, Course
from ui.sharing.paper import BoardDrawing, as_pdf, photograph, words
from ui.table.protocol import CITED, MOST_PICTURES, Printed, Thumbnail, rows_of

if TYPE_CHECKING:
    from companion.referee.protocol import ProtocolLine


def protocol_pdf(printed: Printed, thumbnail: Thumbnail) -> bytes:
    """The file. Of a whole match it has a board a round, of a part of it one for each move."""
    foot = f"{printed.title} · {printed.signed_in_words}"
    return as_pdf(_Story(printed, thumbnail).parts(), printed.title, foot)


class _Story:
    """What stands on the pages, from the top down."""

    def __init__(self, printed: Printed, thumbnail: Thumbnail) -> None:
        self._printed, self._thumbnail = printed, thumbnail
        self._course = Course.of(printed.loaded.entries)
        self._pictures_left = MOST_PICTURES

    def parts(self) -> Iterator[Flowable]:
        printed = self._printed
        yield words(printed.title, "head")
        yield words(printed.result, "title")
        for row in printed.head():
            if row.style != "bold":
                yield words(row.text.strip(), "head")
        for trouble in printed.troubles:
            yield words(trouble, "red")
        yield Spacer(1, 4 * mm)
        yield from self._lines()
        if printed.numbers is None:
            yield Spacer(1, 3 * mm)
            for row in printed.disputes():
                yield words(row.text.strip(), row.style if row.style in _OWN else "told")
            for row in printed.end():
                within = "told" if row.text.startswith(" ") else "line"
                yield words(row.text.strip(), row.style if row.style in _OWN else within)
        cited = printed.cited()
        if cited:
            yield Spacer(1, 4 * mm)
            yield words(CITED, "heading")
            for one in cited:
                heading = words(f"{one.rule} · {one.heading}", "bold")
                yield KeepTogether([heading, words(one.text, "line")])

    def _lines(self) -> Iterator[Flowable]:
        place = ""
        for line in self._printed.lines:
            now = self._printed.round_of(line)
            if now and now != place:
                place = now
                heading: list[Flowable] = [Spacer(1, 2 * mm), words(now, "heading")]
                if self._printed.numbers is None:
                    heading += self._boards({line.entry.seq - 1: "as it begins"})
                yield KeepTogether(heading)
            yield from self._line(line)

    def _line(self, line: ProtocolLine) -> Iterator[Flowable]:
        rows = list(rows_of(line))
        first = words(rows[0].text.strip(), "line", struck=not line.in_effect)
        told = [words(row.text.strip(), row.style or "told") for row in rows[1:]]
        yield KeepTogether([first, *told[:1]])
        yield from told[1:]
        seq = line.entry.seq
        if self._printed.numbers is not None and self._moves(seq):
            yield from self._boards({seq - 1: "before", seq: f"after; dashed: {BEFORE}"})
        kept = [file for file in self._printed.kept if file.seq == seq]
        if kept:
            yield from self._pictures(kept)

    def _moves(self, seq: int) -> bool:
        boards = self._board_of()
        return boards.get(seq) is not None and boards.get(seq) != boards.get(seq - 1)

    def _board_of(self) -> Mapping[int, int]:
        return {} if self._course is None else {one.seq: one.board for one in self._course.moments}

    def _boards(self, of: Mapping[int, str]) -> Sequence[Flowable]:
        """Boards beside each other, each as it stood after a line."""
        boards = self._board_of()
        if self._course is None:
            return []
        drawn = [
            BoardDrawing(self._course.drawn.states[boards[seq]], f"Line {seq}, {told}")
            for seq, told in of.items()
            if seq in boards
        ]
        return [Table([drawn], hAlign="LEFT")] if drawn else []

    def _pictures(self, kept: Sequence[EvidenceFile]) -> Iterator[Flowable]:
        """Pictures of a line two by two, each with what it shows; clips by name."""
        cells: list[list[Flowable]] = []
        for file in kept:
            small = None
            if file.part is not EvidencePart.CLIP and self._pictures_left > 0:
                small = self._thumbnail(file)
            picture = photograph(small) if small is not None else None
            if picture is None:
                yield words(f"Evidence: {file}: {file.name}", "cyan")
                continue
            self._pictures_left -= 1
            cells.append([picture, words(f"{file}: {file.name}", "caption")])
        for at in range(0, len(cells), 2):
            yield Table(
                [cells[at : at + 2]], hAlign="LEFT", style=[("VALIGN", (0, 0), (-1, -1), "TOP")]
            )


_OWN = ("bold", "yellow", "green", "red", "cyan")
