"""The score sheet: one page of paper with the result, what everybody has, and room to sign.

Its QR code enters the play into a player's own logbook; its fingerprint is that of the key by which
the table has signed the match.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import segno
from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, HRFlowable, KeepInFrame, Spacer, Table

from companion.record.signing import NOT_OURS
from companion.referee.challenge import counted_corrections, counted_verdicts
from ui.scene.words import Names
from ui.sharing.logbook import logbook_link
from ui.sharing.paper import MARGIN_MM, as_pdf, photograph, words
from ui.table.protocol import BY_BOTS, Printed, date_and_time

if TYPE_CHECKING:
    from companion.core.ruling import Fact, Seat
    from companion.match.match import Match

CODE_MM = 58.0
SIMULATED = "Bots played it without a table: there is nobody to sign, and no play to enter."
MOST_COUNTS = 7
"""Columns of counts that a sheet has room for."""
_INK, _HAIR = HexColor("#14181b"), HexColor("#b0a890")


def score_sheet(printed: Printed) -> bytes:
    """The sheet as PDF; what is too much for a page is made smaller, never left out."""
    foot = f"Match {printed.loaded.match_id} · {printed.signed_in_words}"
    wide, high = A4[0] - 2 * MARGIN_MM * mm, A4[1] - 2 * MARGIN_MM * mm - 1
    whole = KeepInFrame(wide, high, list(_parts(printed)), mode="shrink")
    return as_pdf([whole], f"Score sheet {printed.loaded.match_id}", foot)


def _parts(printed: Printed) -> Iterator[Flowable]:
    match, entries = printed.protocol.match, printed.loaded.entries
    yield _head(printed)
    yield Spacer(1, 4 * mm)
    if match is not None:
        yield _counts(match)
        yield Spacer(1, 5 * mm)
    minutes = round(entries[-1].match_s / 60)
    done = filter(None, (*counted_corrections(entries), counted_verdicts(entries)))
    corrected = " · ".join(done) or "nothing was corrected"
    yield words(f"Played {minutes} min, {len(entries)} lines of log · {corrected}", "line")
    for row in printed.head():
        told = row.text.strip()
        if told.startswith((BY_BOTS, "House rule", "Ruled by edition")):
            yield words(told, "head")
    for trouble in printed.troubles:
        yield words(trouble, "red")
    yield words(_key(printed), "line")
    if printed.loaded.setup.simulated:
        yield words(SIMULATED, "line")
        return
    yield Spacer(1, 10 * mm)
    yield _signatures(printed)


def _head(printed: Printed) -> Flowable:
    """Game, result and reason; the logbook's code at the right."""
    match, setup = printed.protocol.match, printed.loaded.setup
    title = match.rulebook.title if match is not None else setup.box
    begun = date_and_time(printed.loaded.entries[0].at_utc)
    by = "simulated" if setup.simulated else ""
    game = " · ".join(part for part in (title, ", ".join(setup.variants), begun, by) if part)
    told: list[Flowable] = [words(game, "head"), words(printed.result, "title")]
    if match is not None and match.outcome is not None:
        ruling = match.outcome.ruling
        told.append(words(f"{ruling.text} [{ruling.cite}]", "line"))
    link = ""
    if match is not None and not setup.simulated:
        link = logbook_link(match, printed.loaded.match_id)
    code: list[Flowable] = []
    if link:
        drawn = io.BytesIO()
        segno.make(link, error="l").save(drawn, kind="png", scale=6, border=2)
        picture = photograph(drawn.getvalue(), CODE_MM)
        code = [*([picture] if picture is not None else []), words("for BG Stats", "caption")]
    room = A4[0] - 2 * MARGIN_MM * mm
    return Table(
        [[told, code]],
        colWidths=[room - CODE_MM * mm - 4, CODE_MM * mm + 4],
        style=[("VALIGN", (0, 0), (-1, -1), "TOP"), ("LEFTPADDING", (0, 0), (-1, -1), 0)],
    )


def _counts(match: Match[Any]) -> Flowable:
    """A row a player: name, the seat where it is called otherwise, and what is counted of them."""
    names = Names.of(match.rulebook, match.setup.seats)
    facts = [fact for fact in match.position.facts() if fact.public and fact.shows.is_count]
    seats = match.rulebook.seats_taken()
    labels = list(dict.fromkeys(fact.label for fact in facts if fact.seat in seats))[:MOST_COUNTS]
    titled = any(names.label(seat) != names.player(seat) for seat in seats)
    heads = ("Player", *(("Seat",) if titled else ()), *labels)
    rows: list[list[Flowable]] = [[words(one, "bold") for one in heads]]
    rows += [_row(names, seat, facts, labels, titled=titled) for seat in seats]
    return Table(
        rows,
        hAlign="LEFT",
        style=[
            ("LINEBELOW", (0, 0), (-1, 0), 1.2, _INK),
            ("LINEBELOW", (0, 1), (-1, -1), 0.4, _HAIR),
            ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        ],
    )


def _row(
    names: Names, seat: Seat, facts: Sequence[Fact], labels: Sequence[str], *, titled: bool
) -> list[Flowable]:
    own = {fact.label: str(fact.value) for fact in facts if fact.seat == seat}
    player, label = names.player(seat), names.label(seat)
    title = ("" if label == player else label,) if titled else ()
    told = (player, *title, *(own.get(one, "") for one in labels))
    return [words(one, "line") for one in told]


def _key(printed: Printed) -> str:
    """By which key it is signed, to be compared aloud with `companion key`."""
    signature = printed.loaded.signature
    if signature is None:
        return "Unsigned: a table signs a match as it ends."
    foreign = f", {NOT_OURS}" if printed.signed_in_words.endswith(NOT_OURS) else ""
    return f"Signed by {signature.table}, key {signature.fingerprint}{foreign}."


def _signatures(printed: Printed) -> Flowable:
    """A line to sign on for everybody at the table, and one for the arbiter."""
    match, setup = printed.protocol.match, printed.loaded.setup
    people = list(setup.seats.values())
    if match is not None:
        names = Names.of(match.rulebook, setup.seats)
        people = list(dict.fromkeys(names.player(seat) for seat in match.rulebook.seats_taken()))
    cells = [_signature(name) for name in (*people, "Arbiter")]
    rows = [cells[at : at + 2] for at in range(0, len(cells), 2)]
    if len(rows[-1]) == 1:
        rows[-1].append([])
    half = (A4[0] - 2 * MARGIN_MM * mm) / 2
    return Table(rows, colWidths=[half, half], hAlign="LEFT")


def _signature(name: str) -> list[Flowable]:
    line = HRFlowable(width=(A4[0] / 2 - 2 * MARGIN_MM * mm), color=_INK, hAlign="LEFT")
    return [Spacer(1, 11 * mm), line, words(name, "caption")]
