"""What the person at the screen has opened, begun or put aside; nothing of it is in the record."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.games import USUAL_BOX
from ui.touch.actions import Action, Answer, AnyPanel, Panel

if TYPE_CHECKING:
    from companion.core.ruling import Json, Notice
    from ui.scene.values import Alert


READING = (Panel.BOOKS, Panel.CHAPTERS, Panel.CHAPTER, Panel.RULES, Panel.FOUND)
"""Pages of the books: they lie over one another as they were opened."""

_BEGUN = (
    "panels",
    "below",
    "page",
    "chosen_seq",
    "amend_to",
    "amend_fill",
    "reason",
    "adjusting",
    "report",
    "number",
    "thing",
    "quantity",
    "waiting",
)
"""What of a view is put aside, and comes back with its panel."""

LOOKED_AT = (
    Panel.MENU,
    Panel.SETTINGS,
    Panel.DEVICES,
    Panel.TABLE_CHECK,
    Panel.TEACH,
    Panel.TOLD,
    Panel.WHYS,
)
"""Panels in which nothing is begun: they may lie above one in which something is."""

STACKED = (Panel.CHAPTER, Panel.RULES)
"""Panels of which one may lie over another of the same kind."""


@dataclass(frozen=True, slots=True)
class SetupDraft:
    """A new match as far as it is chosen."""

    box: str = USUAL_BOX
    variants: tuple[str, ...] = ()
    seats: tuple[tuple[str, str], ...] = ()
    options: tuple[tuple[str, Json], ...] = ()

    def with_seat(self, seat: str, player: str) -> SetupDraft:
        """With a player's name on a seat; an empty one takes it away."""
        others = tuple(pair for pair in self.seats if pair[0] != seat)
        return replace(self, seats=(*others, (seat, player)) if player else others)

    def with_option(self, name: str, value: Json) -> SetupDraft:
        """With one house rule set."""
        others = tuple(pair for pair in self.options if pair[0] != name)
        return replace(self, options=(*others, (name, value)))


@dataclass(frozen=True, slots=True)
class View:
    """What stands on the screen above the match.

    `panels` from below to above, each with the part of it that is shown, and `below` the page of
    whatever lies under each; `near` the space around which a board is enlarged; `read` rulings were
    read to this number, `deed` is the one shown of those that wait; `hands_off` is the log line of
    the lock that was last looked at; `waiting` is an arbiter's act that waits for the arbiter's
    name; `verdict` is what was chosen to come of an open challenge; `amend_fill` is the amended
    answer as far as it is put together, `number` what is typed of one that a report tells; `draft`
    is the form's last answer, not yet given; `together` are the log lines of the answers that the
    last touch gave, where it gave several; `refusal` is what the last touch was told. `lock_seen`
    is the log line of the last lock above which something was opened: what lay open before it gave
    way to it. `aside` is the view in which something half done was put away. `past` is the view
    from which a past match was looked into: Back leads there. `told` is what the box said of the
    last report.
    """

    panels: tuple[tuple[AnyPanel, str], ...] = ()
    below: tuple[int, ...] = ()
    page: int = 0
    near: str = ""
    asking_undo: bool = False
    read: int = 0
    hands_off: int = -1
    deed: int = 0
    chosen_seq: int | None = None
    amend_to: Json = None
    amend_fill: Json = None
    reason: str = ""
    adjusting: tuple[tuple[str, Json], ...] = ()
    report: tuple[tuple[str, Json], ...] = ()
    number: int | None = None
    thing: str = ""
    quantity: str = ""
    verdict: str = ""
    waiting: Action | None = None
    draft: Answer | None = None
    together: tuple[int, ...] = ()
    setup: SetupDraft = SetupDraft()
    lock_seen: int = -1
    told: Notice | None = None
    aside: View | None = None
    past: View | None = None
    refusal: Alert | None = None

    @property
    def panel(self) -> AnyPanel | None:
        """The panel on top."""
        return self.panels[-1][0] if self.panels else None

    @property
    def part(self) -> str:
        """Which part of the panel on top is shown."""
        return self.panels[-1][1] if self.panels else ""

    @property
    def half_done(self) -> bool:
        """Whether something was begun in a panel that is open, and is not given yet."""
        begun = (self.chosen_seq, self.waiting, self.number) != (None, None, None)
        filled = self.adjusting or self.report or self.thing or self.reason
        return bool(self.panels) and (begun or bool(filled))

    def put_aside(self) -> View:
        """Back at the match; what was half done waits until its panel is opened again."""
        kept = replace(self, aside=None, refusal=None) if self.half_done else self.aside
        return replace(self.at_the_match(), aside=kept)

    def _taken_up(self, panel: AnyPanel) -> View | None:
        """What was put aside, if the panel leads to it; None if not, or from Arbiter's keys."""
        kept = self.aside
        if kept is None or panel is Panel.ARBITER:
            return None
        way = [one for one, _ in (*self.panels, (panel, ""))]
        if [one for one, _ in kept.panels[: len(way)]] != way:
            return None
        begun = {name: getattr(kept, name) for name in _BEGUN}
        return replace(self, **begun, asking_undo=False, refusal=None, aside=None)

    def opened(self, panel: AnyPanel, part: str = "", page: int = 0) -> View:
        """With a panel on top; another part of the same one replaces it, but for pages of a book.

        >>> view = View().opened(Panel.LOG).opened(Panel.RULES, "JP-1.1").opened(Panel.RULES, "")
        >>> [str(panel) for panel, _ in view.panels]
        ['log', 'rules', 'rules']
        """
        taken_up = self._taken_up(panel) if not part else None
        if taken_up is not None:
            return taken_up
        replaced = self.panel == panel and panel not in STACKED
        under, pages = self.panels, (*self.below, self.page)
        if replaced:
            under, pages = self.panels[:-1], self.below
        return replace(
            self,
            panels=(*under, (panel, part)),
            below=pages,
            page=page,
            near="",
            asking_undo=False,
            refusal=None,
        )

    def closed(self) -> View:
        """Without the panel on top, and without what was begun in it."""
        under = replace(
            self,
            panels=self.panels[:-1],
            below=self.below[:-1],
            page=self.below[-1] if self.below else 0,
            near="",
            asking_undo=False,
            refusal=None,
        )
        if self.panel is Panel.WHO:
            return replace(under, waiting=None)
        if self.panel in (*READING, *LOOKED_AT):  # they drop nothing of what was begun
            return under
        return replace(
            under,
            chosen_seq=None,
            amend_to=None,
            amend_fill=None,
            reason="",
            adjusting=(),
            report=(),
            number=None,
            thing="",
            quantity="",
        )

    def book_closed(self) -> View:
        """With every page of the books closed, and what lay under them as it was."""
        view = self
        while view.panel in READING:
            view = view.closed()
        return view

    def at_the_match(self) -> View:
        """With every panel closed."""
        view = self
        while view.panels:
            view = view.closed()
        return replace(view, near="", asking_undo=False, past=None, refusal=None)
