"""What an amend would change, told: each ruling in full, or in short where that is very much."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.ruling import TABLE, Ruling, Seat
from companion.match.timeline import Fate
from ui.scene import values
from ui.scene.deeds import hands_do, plain
from ui.screens.arbiter.log import line_text, place_words
from ui.widgets.words import CHANGE_SIDES, ChangePart, Words, whole_high

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.match.revision import Revision, RulingFlip
    from ui.scene.scene import Scene
    from ui.screens.page import Parts
    from ui.widgets.box import Box


CHANGE_HIGH, CHANGE_GAP = 44.0, 3.0
ROOM_HIGH = 182.0
"""What a page of changes has beside the reasons."""
LEAST_WIDE, LEAST_BESIDE = 780.0 - CHANGE_SIDES, 460.0 - CHANGE_SIDES
"""In the narrower of the usual windows, where there is less, it is higher; and beside a map."""

Sheet = list[values.Consequence]
MOST_SHEETS = 4
"""Pages of changes that are told in full."""
SHORT_A_SHEET = 4
"""So many changes a page has room for in short."""
NO_MORE = "ruled no more"
GOES_ON = "The match goes on: nobody has won yet."
_FATES = (
    ((Fate.KEPT, Fate.DOUBTFUL), "stand"),
    ((Fate.DROPPED,), "go"),
    ((Fate.ASKED_AGAIN,), "are asked again"),
    ((Fate.PARKED,), "wait"),
)

MARKS = {
    Fate.KEPT: values.Mark.OK,
    Fate.DOUBTFUL: values.Mark.WARN,
    Fate.ASKED_AGAIN: values.Mark.ASK,
    Fate.PARKED: values.Mark.ASK,
    Fate.DROPPED: values.Mark.BAD,
}


def sheets_of(scene: Scene, revision: Revision, first: float) -> list[Sheet]:
    """The pages of what changes, the first one's texts so wide: in full, else what matters of it.

    Nobody reads more than a few. Then they are told what stands and what goes, the first thing
    that is ruled otherwise, and of each team what its hands do otherwise, on a page at most.
    """
    sheets = _sheets(_changes(scene, revision), first)
    return sheets if len(sheets) <= MOST_SHEETS else _in_short(scene, revision, first)


def _in_short(scene: Scene, revision: Revision, first: float) -> list[Sheet]:
    first_flip = (_flip(scene, flip) for flip in _flips(scene, revision)[:1])
    start = [*_result(scene, revision), _fates(scene, revision), *first_flip]
    teams: dict[str, list[values.Consequence]] = {}
    for by, place, old, new in _for_hands(scene, revision):
        side = scene.side(by)
        of_team = teams.setdefault(side.name if side is not None else "the table", [])
        of_team.append(
            values.Consequence(values.Mark.FLIP, _where(scene, by, place), old, new or NO_MORE)
        )
    return [*_sheets(start, first), *(_of_a_team(rows, team) for team, rows in teams.items())]


def _of_a_team(rows: list[values.Consequence], team: str) -> Sheet:
    """As many as a page has room for; of the others how many there are."""
    if len(rows) <= SHORT_A_SHEET:
        return rows
    left = len(rows) - SHORT_A_SHEET + 1
    more = values.Consequence(
        values.Mark.FLIP, f"{left} more", note=f"for {team}: in the log, once amended."
    )
    return [*rows[: SHORT_A_SHEET - 1], more]


def _for_hands(scene: Scene, revision: Revision) -> Iterator[tuple[Seat, str, str, str]]:
    """Who, where in the book, and in a few words what hands did there and would do."""
    for flip in _flips(scene, revision):
        old, new = (_deed(scene, ruling) for ruling in (flip.old, flip.new))
        if old != new:
            yield flip.by, place_words(scene, flip.key), old, new
    for falling in revision.falling.values():
        for ruling in falling:
            if deed := _deed(scene, ruling):
                yield ruling.by, "", deed, ""


def _where(scene: Scene, by: Seat, place: str) -> str:
    """The part of the book alone, for the page is one team's; whose it is where that is not told.

    "Section 2 · Reveal · Jaws" is the same for all of a section.
    """
    return place.partition(" · ")[0] or (scene.names.called(by) if by != TABLE else "Table")


def _deed(scene: Scene, ruling: Ruling | None) -> str:
    """What hands do for it, as its headline has it; "" where they do nothing."""
    if ruling is None or not hands_do(ruling):
        return ""
    return plain(scene, ruling.headline or ruling.text, ruling.deeds, lit=False)


def _fates(scene: Scene, revision: Revision) -> values.Consequence:
    """What becomes of later answers, and from where to where those go that do not stand."""
    told: list[str] = []
    for fates, words in _FATES:
        seqs = sorted(seq for seq, fate in revision.fate.items() if fate in fates)
        if not seqs:
            continue
        ends = dict.fromkeys(_short(scene, seq) for seq in (seqs[0], seqs[-1]))
        where = f" ({' to '.join(ends)})" if Fate.KEPT not in fates else ""
        told.append(f"{len(seqs)} {words}{where}")
    note = ", ".join(told) or "none was told"
    return values.Consequence(values.Mark.ASK, "Later answers", note=f"{note}.")


def _sheets(changes: Sequence[values.Consequence], first: float) -> list[Sheet]:
    """As many on a page as there is room for; the first page's texts are so wide."""
    sheets: list[Sheet] = [[]]
    for change in changes:
        wide = first if len(sheets) == 1 else LEAST_WIDE
        if sheets[-1] and sum(_high(one, wide) for one in (*sheets[-1], change)) > ROOM_HIGH:
            sheets.append([])
        sheets[-1].append(change)
    return sheets


def _high(change: values.Consequence, wide: float) -> float:
    """How high a row is that is so wide, with the gap under it."""
    high = whole_high(change, wide) if change.whole else CHANGE_HIGH
    return high + CHANGE_GAP


def _changes(scene: Scene, revision: Revision) -> list[values.Consequence]:
    """Who wins, every ruling that changes, each line that waits, how many answers stay."""
    rulings = [_flip(scene, flip) for flip in _flips(scene, revision)]
    waits = [
        change
        for seq, falling in revision.falling.items()
        for change in _waits(scene, line_text(scene, scene.match.entries[seq]), falling)
    ]
    fates: dict[Fate, list[int]] = {}
    for seq, fate in revision.fate.items():
        fates.setdefault(fate, []).append(seq)
    several = [
        values.Consequence(
            MARKS[fate],
            f"{len(fates[fate])} {fate.value}",
            note=", ".join(_short(scene, seq) for seq in fates[fate][:2]),
        )
        for fate in Fate
        if fate in fates
    ]
    return [*_result(scene, revision), *rulings, *waits, *several]


def _ends(scene: Scene, revision: Revision) -> tuple[Ruling | None, Ruling | None]:
    """What ends the match now, and what would."""
    now, then = scene.match.outcome, revision.changed.run.outcome
    return now.ruling if now is not None else None, then.ruling if then is not None else None


def _result(scene: Scene, revision: Revision) -> Iterator[values.Consequence]:
    """Before all else: that a match which is over goes on, one that goes on ends, who wins."""
    old, new = _ends(scene, revision)
    if old == new:
        return
    was, now = (_plainly(scene, one, lit=False) or GOES_ON for one in (old, new))
    was, now = _won(was), _won(now)
    if was == now:
        was, now = "", f"{now} So it was before: only what is counted at the end differs."
    yield values.Consequence(values.Mark.FLIP, "The result", was, now, whole=True)


def _won(text: str) -> str:
    """Why a match ended and who won: what is counted after that stands in the log.

    >>> _won("Paws are shot down: no card. Jaws win. Jaws Pilot: Deck 13. Cards stay there.")
    'Paws are shot down: no card. Jaws win.'
    """
    return ". ".join(text.split(". ")[:2]).rstrip(".") + "."


def _flips(scene: Scene, revision: Revision) -> Sequence[RulingFlip]:
    """The rulings that change, but for those that end the match, which are told by themselves."""
    old, new = _ends(scene, revision)
    return [
        flip
        for flip in revision.flips
        if old == new or flip.old not in (old, None) or flip.new not in (new, None)
    ]


def _short(scene: Scene, seq: int) -> str:
    return place_words(scene, scene.match.entries[seq].key)


def _flip(scene: Scene, flip: RulingFlip) -> values.Consequence:
    """A ruling in full: whose it is and where, as it was, and under it as it would be."""
    old, new = (
        _plainly(scene, ruling, lit=lit) for ruling, lit in ((flip.old, False), (flip.new, True))
    )
    place = place_words(scene, flip.key)
    what = "newly ruled" if not old else "" if new else "no longer ruled"
    return values.Consequence(
        values.Mark.FLIP, _headed(scene, flip.by, place, what), old, new, whole=True
    )


def _plainly(scene: Scene, ruling: Ruling | None, *, lit: bool) -> str:
    """A ruling without coordinates, which no board has in print; "" where there is none."""
    return plain(scene, ruling.text, ruling.deeds, lit=lit) if ruling is not None else ""


def _waits(scene: Scene, line: str, falling: Sequence[Ruling]) -> Iterator[values.Consequence]:
    """A line that waits, and each ruling that falls with it."""
    line = plain(scene, line[:1].upper() + line[1:], lit=False)
    yield values.Consequence(values.Mark.ASK, "Waits", now=line, whole=True)
    for ruling in falling:
        head = _headed(scene, ruling.by, "not ruled until that line is back")
        yield values.Consequence(
            values.Mark.FLIP, head, _plainly(scene, ruling, lit=False), whole=True
        )


def _headed(scene: Scene, by: Seat, *words: str) -> str:
    """Whom a ruling concerns, and where in the book: "Jaws Pilot · Section 2 · Reveal"."""
    named = scene.names.called(by) if by != TABLE else ""
    parts = " · ".join(part for part in (named, *words) if part).split(" · ")
    told = " · ".join(dict.fromkeys(parts))
    return told[:1].upper() + told[1:]


# Layout.


def changes_high(changes: Sequence[values.Consequence], wide: float) -> float:
    """How high they are in a room that is so wide."""
    return sum(_high(change, wide - CHANGE_SIDES) for change in changes) - CHANGE_GAP


def change_parts(changes: Sequence[values.Consequence], room: Box, *, chosen: bool) -> Parts:
    """What it changes, each in as many lines as it needs; or that nothing changes."""
    if not changes:
        if chosen:
            text = "Nothing that was ruled changes, and nothing is asked again."
            yield "changes", Words(box=room.top(52), text=text, caps=20, lines=2)
        return
    heights = [_high(change, room.wide - CHANGE_SIDES) for change in changes]
    room = room.top(min(room.high, sum(heights) - CHANGE_GAP))
    boxes = room.rows(heights, CHANGE_GAP)
    for n, (box, change) in enumerate(zip(boxes, changes, strict=True)):
        yield f"change/{n}", ChangePart(box=box, change=change)
