"""Reports: what the table saw and no question asked, told word by word and field by field.

A box names the words it judges and the fields of each; what a field may hold follows from its
name alone, so that this screen knows no game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ui.scene.scene import CANCEL, page_keys, pages_of
from ui.scene.values import Key
from ui.screens.arbiter.arbiter import KEYS_A_PAGE, ArbiterState
from ui.touch.actions import Report, SetField, SetReason

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from ui.scene.scene import Scene

Values = Sequence[tuple[str, "Json"]]
MOST, WHOLE_DECK = 12, 30
REASONS = ("", "all saw it", "one says so", "counted")
"""Why something is reported; the first stands where nobody says."""


def present_report(scene: Scene) -> ArbiterState:
    """First the word, then each of its fields; the last touch reports."""
    told = scene.view.report
    fields = scene.match.rulebook.report_words()
    if not told:
        keys = [Key(word.capitalize(), _next(scene, "what", word)) for word in fields]
        return _page(scene, "What did the table see?", keys)
    wanted = [name for name in fields[str(told[0][1])] if not name.endswith("?")]
    asked = wanted[len(told) - 1]
    values = _values(scene, asked)
    keys = [Key(words, _next(scene, asked, value)) for words, value in values]
    return _page(scene, f"{str(told[0][1]).capitalize()}: {asked}?", keys)


def _next(scene: Scene, name: str, value: Json) -> SetField | Report:
    """One field more; with the last one the report itself."""
    told = (*scene.view.report, (name, value))
    wanted = [
        field
        for field in scene.match.rulebook.report_words()[str(told[0][1])]
        if not field.endswith("?")
    ]
    return (
        Report(told, scene.view.reason) if len(told) - 1 == len(wanted) else SetField(name, value)
    )


def _page(scene: Scene, lead: str, keys: Sequence[Key]) -> ArbiterState:
    shown, page, pages = pages_of(keys, scene.view.page, KEYS_A_PAGE)
    keys_below = (CANCEL, _reason_key(scene), *page_keys(page, pages))
    frame = scene.frame("REPORT", " · ".join(scene.place), keys=keys_below)
    return ArbiterState(frame, lead, tuple(shown), page=page, pages=pages)


def _reason_key(scene: Scene) -> Key:
    """Why it is reported: each touch names the next reason; none costs no touch."""
    reason = scene.view.reason
    at = REASONS.index(reason) if reason in REASONS else 0
    return Key(f"Why: {reason or 'not said'}", SetReason(REASONS[(at + 1) % len(REASONS)]))


def _values(scene: Scene, name: str) -> Values:
    listed = VALUES.get(name)
    return listed(scene) if listed is not None else [(str(n), n) for n in range(MOST + 1)]


def _teams(scene: Scene) -> Values:
    return [(str(side), str(side)) for side in scene.names.sides]


def _players(scene: Scene) -> Values:
    return [(scene.names.player(seat), str(seat)) for seat in scene.names.seats]


def _pieces(scene: Scene) -> Values:
    return [(token.label, str(token.piece)) for token in scene.map.plan.tokens]


def _spaces(scene: Scene) -> Values:
    boards = (board for board in scene.map.plan.boards if board.holds_pieces)
    return [(space.name, space.name) for board in boards for space in board.spaces]


def _sections(scene: Scene) -> Values:
    """The numbers printed on boards that hold cards alone."""
    boards = (board for board in scene.map.plan.boards if not board.holds_pieces)
    labels = dict.fromkeys(space.label for board in boards for space in board.spaces)
    return [(label, int(label)) for label in labels if label.isdecimal()]


def _piles(scene: Scene) -> Values:
    """The names after the dot of every player's quantities."""
    piles = dict.fromkeys(
        fact.name.partition(".")[2]
        for fact in scene.facts
        if fact.seat in scene.names.seats and fact.shows.is_count
    )
    return [(pile, pile) for pile in piles]


def _counts(_: Scene) -> Values:
    """As many as a whole deck has cards."""
    return [(str(n), n) for n in range(WHOLE_DECK + 1)]


def _flag(_: Scene) -> Values:
    return [("Yes", True), ("No", False)]


VALUES: Mapping[str, Callable[[Scene], Values]] = {
    "team": _teams,
    "player": _players,
    "piece": _pieces,
    "zone": _spaces,
    "section": _sections,
    "second": _sections,
    "pile": _piles,
    "count": _counts,
    "smoke": _flag,
}
"""What a field of a report may hold; any other is a number."""
