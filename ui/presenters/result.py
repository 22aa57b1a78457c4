"""The result: winner, reason, the count sheet that adds up, and the code for a logbook."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ui.presenters.learned import keep_keys, kept_note
from ui.scene.scene import pages_of
from ui.scene.values import Band, Frame, Key, KeyLook, Side
from ui.touch.actions import ExportMatch, Leave, Panel, StartMatch

if TYPE_CHECKING:
    from companion.core.ruling import Fact, Outcome, Seat
    from ui.scene.scene import Scene


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One player's counts; `values` in the order of the sheet's columns."""

    side: Side
    player: str
    role: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ResultState:
    """Band: winner, `note` the reason with its ids. `code` is the text of the QR code.

    `code_large`: the code fills the screen; a touch closes it. It was agreed to before. Rows come
    in pages where more sat at the table than the sheet has lines.
    """

    frame: Frame
    band: Band
    columns: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    notes: tuple[str, ...]
    code: str
    code_caption: str
    code_large: bool = False
    page: int = 1
    pages: int = 1


MOST_COLUMNS, ROWS_A_PAGE = 5, 6


def present_result(scene: Scene) -> ResultState:
    """Who won and why, once the match is over."""
    outcome = scene.match.outcome
    assert outcome is not None
    columns = _columns(scene)
    rows = [_row(scene, seat, columns) for seat in scene.match.rulebook.seats_taken()]
    shown, page, pages = pages_of(rows, scene.view.page, ROWS_A_PAGE)
    return ResultState(
        frame=scene.frame(
            "RESULT",
            _where(scene),
            keys=(
                *scene.base_keys(),
                Key("Save", ExportMatch(), "one file", "save"),
                Key("Rematch", StartMatch(rematch=True), "again", "again"),
                *keep_keys(scene),
            ),
            next_key=Key("Home", Leave(), "the result is official", "next", KeyLook.GO),
        ),
        band=_band(scene, outcome),
        columns=columns,
        rows=tuple(shown),
        notes=(*_notes(scene), *kept_note(scene)),
        code=scene.situation.code,
        code_caption="BG Stats · touch: large",
        code_large=scene.view.panel is Panel.CODE,
        page=page,
        pages=pages,
    )


def _band(scene: Scene, outcome: Outcome) -> Band:
    note = f"{outcome.ruling.text.partition('. ')[0]} ({outcome.ruling.cite})"
    winners = list(outcome.winners)
    if len(winners) == 1:
        winner = winners[0]
        return Band((scene.names.victory(winner).upper(),), scene.side(winner), note=note)
    words = " AND ".join(scene.names.player(seat).upper() for seat in winners)
    return Band((f"{words} WIN" if words else "DRAW",), note=note)


def _where(scene: Scene) -> str:
    title = scene.match.rulebook.title
    named = scene.match.setup.variants if len(scene.match.rulebook.variants) > 1 else ()
    variants = ", ".join(name.replace("-", " ") for name in named)
    minutes = round(scene.match.entries[-1].match_s / 60)
    played = scene.history.round_of("/".join(scene.match.position.where())) or scene.title
    parts = (title, variants, played.lower(), f"{minutes} min")
    return " · ".join(part for part in parts if part)


def _quantities(scene: Scene, seat: Seat) -> list[Fact]:
    """The counts of a seat, in the position's own order."""
    return [fact for fact in scene.facts if fact.seat == seat and fact.shows.is_count]


def _columns(scene: Scene) -> tuple[str, ...]:
    labels = [fact.label for seat in scene.names.seats for fact in _quantities(scene, seat)]
    return tuple(dict.fromkeys(labels))[:MOST_COLUMNS]


def _row(scene: Scene, seat: Seat, columns: tuple[str, ...]) -> SheetRow:
    values = {fact.label: str(fact.value) for fact in _quantities(scene, seat)}
    side = scene.side(seat)
    assert side is not None
    player, role = scene.names.player(seat), scene.names.role(seat)
    shown = tuple(values.get(column, "") for column in columns)
    return SheetRow(side, player, "" if player == scene.names.label(seat) else role, shown)


def _notes(scene: Scene) -> tuple[str, ...]:
    """How often the arbiter had a hand in it."""
    kinds = [entry.kind for entry in scene.match.entries]
    counted = [
        (kinds.count(kind), word)
        for kind, word in (("amend", "amended"), ("adjust", "adjusted"), ("undo", "undone"))
    ]
    told = [f"{count} {word}" for count, word in counted if count]
    return (" · ".join(told) or "nothing was corrected",)
