"""First match: what hands lay out, step by step, on the map as it lies before this very screen.

It is offered at a box's first match and from the menu, and is left at any time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from companion.core.errors import CompanionError
from companion.core.ruling import TABLE
from companion.games import rulebook_of
from companion.match.first_match import FirstStep, StepShows, first_steps
from companion.match.rulebook import Rulebook, Setup
from ui.scene.draft import persons_of
from ui.scene.map import MapState, view_of
from ui.scene.scene import IN_ORDER, Situation, page_keys, pages_of, quiet_frame, why_key
from ui.scene.theme import Caps, Colour, Face, Reach
from ui.scene.values import Band, Key, KeyLook, Line, Message, ScreenFrame, Side
from ui.scene.words import Names
from ui.screens.page import Page, Parts, stacked
from ui.touch.actions import Back, TurnPage
from ui.touch.view import SetupDraft, View
from ui.widgets.box import Box
from ui.widgets.key import BandPart
from ui.widgets.lettering import lines_of
from ui.widgets.part import Part
from ui.widgets.pen import Pen, lines_high
from ui.widgets.plan import TablePlan
from ui.widgets.words import Area, LinePart, Words


@dataclass(frozen=True, slots=True)
class FirstMatchState:
    """One step: what to do in large letters, how, and the map or the lines that show it.

    Without either the step is about the screen itself, which is drawn, or about what people say
    and count, of which no map tells: its `words_alone` fill the screen.
    """

    frame: ScreenFrame
    band: Band
    text: str
    map: MapState | None = None
    lines: tuple[Line, ...] = ()
    page: int = 1
    pages: int = 1
    words_alone: bool = False


LEAVE = Key("Leave", Back(), sign="cancel")
DONE = Key("Done", Back(), "the table is laid out", "tick", KeyLook.GO)
MOST_LINES = 6
FEW_PILES = 4
FEW_ASKED = 2
"""Pieces that the screen asks for; of more of them the step's words tell."""


def present_first_match(situation: Situation, view: View) -> FirstMatchState:
    """The step that the view's page names, of the match under way or of the one being set up."""
    setup = _setup(situation, view)
    rulebook = rulebook_of(setup)
    steps = first_steps(rulebook)
    (step,), page, pages = pages_of(steps, view.page, 1)
    rules = _rules(setup.box, setup.variants, tuple(setup.options.items()))
    lines = tuple(_lines(rules, step, setup)) if rules is not None else ()
    following = steps[page].title if page < pages else ""
    turning = page_keys(page, pages, words=IN_ORDER)
    next_key = Key("Next", TurnPage(1), following, "next", KeyLook.GO) if following else DONE
    return FirstMatchState(
        quiet_frame(
            situation,
            view,
            "FIRST MATCH",
            f"{rulebook.title}, {page} of {pages}",
            keys=(LEAVE, *turning[:1], *why_key(setup.box, step.cites)),
            message=Message(),
            next_key=next_key,
        ),
        Band((step.title.upper(),)),
        step.text,
        _map(rules, step, situation),
        lines,
        page,
        pages,
        words_alone=step.shows is StepShows.PILES and not lines,
    )


def _setup(situation: Situation, view: View) -> Setup:
    """Of the match under way, else as far as a new one is chosen."""
    if situation.referee is not None:
        setup = situation.referee.match.setup
        return Setup(setup.box, setup.variants, setup.seats, setup.options)
    draft = view.setup
    return Setup(draft.box, draft.variants, options=dict(draft.options))


@lru_cache(maxsize=4)
def _rules(
    box: str, variants: tuple[str, ...], options: tuple[tuple[str, Any], ...]
) -> Rulebook[Any] | None:
    """The box at its beginning; None where what was chosen does not go together."""
    setup = Setup(box, variants, options=dict(options))
    try:
        return rulebook_of(setup)(setup)
    except CompanionError:
        return None


def _map(rules: Rulebook[Any] | None, step: FirstStep, situation: Situation) -> MapState | None:
    """Boards, or the pieces on them where they begin, as they lie before this screen.

    None where the step is about piles or the screen itself, and for rules that do not go together.
    """
    if rules is None or step.shows in (StepShows.PILES, StepShows.SCREEN):
        return None
    plan = view_of(rules.plan, situation.settings.screen_side, rules.looks)
    if step.shows is StepShows.PIECES:
        return plan.draw(rules.position.placement())
    return plan.laid()


def _lines(rules: Rulebook[Any], step: FirstStep, setup: Setup) -> Iterator[Line]:
    if step.shows is StepShows.PIECES:
        yield from _piece_lines(rules)
    if step.shows is StepShows.PILES:
        yield from pile_lines(rules, setup)


def _piece_lines(rules: Rulebook[Any]) -> Iterator[Line]:
    """Each piece and where it begins; of a few without a place that the screen asks for them."""
    placement = rules.position.placement()
    asked = [token for token in rules.plan.tokens if token.piece not in placement]
    told = asked if len(asked) <= FEW_ASKED else []
    tokens = [token for token in rules.plan.tokens if token.piece in placement or token in told]
    for token in tokens[:MOST_LINES]:
        pose = placement.get(token.piece)
        where = pose.space if pose is not None else "asked for"
        look = rules.looks.get(token.piece)
        side = Side(token.label, look) if look is not None and (look.letter or look.sign) else None
        yield Line(token.label, right=where, side=side)


def pile_lines(rules: Rulebook[Any], setup: Setup) -> Iterator[Line]:
    """What lies before each player at the start, and in the middle: piles and counters."""
    counts: dict[str, list[str]] = {}
    for (owner, pile), count in rules.position.pile_counts().items():
        if count:
            called = rules.position.pile_names.get(pile, pile)
            counts.setdefault(str(owner), []).append(f"{called[:1].upper()}{called[1:]} {count}")
    for fact in rules.position.counters():
        if isinstance(fact.value, int) and fact.value:
            label = f"{fact.label[:1].upper()}{fact.label[1:]} {fact.value}"
            counts.setdefault(str(fact.seat), []).append(label)
    names = Names.of(type(rules), setup.seats)
    draft = SetupDraft(setup.box, setup.variants, (), tuple(setup.options.items()))
    seats = persons_of(draft, type(rules))
    if TABLE in counts:
        yield Line("On the table", right=_told(counts[str(TABLE)]))
    for seat in rules.seats_taken():
        label = names.player(seat) if seat in setup.seats else seats.get(seat, names.label(seat))
        if str(seat) in counts:
            yield Line(label, right=_told(counts[str(seat)]), side=names.side(seat))


def _told(counts: Sequence[str]) -> str:
    return " · ".join(counts[:FEW_PILES])


# Layout.

_BAND_HIGH, _TEXT_CAPS, _LARGE_TEXT, _ALONE_TEXT = 78.0, 18.0, 26.0, 34.0
_MANY = 16
"""Lines: the words become as large as the room under or beside the map lets them."""
_LINE_HIGH = 40.0


@dataclass(frozen=True, kw_only=True)
class ScreenPlan(Part):
    """The screen in small: band, body, keys, and the lit key of the next tap."""

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        frame = self.box.inset(6).fitted(800 / 480)
        unit = frame.high / 480
        pen.fill(frame, Colour.PANEL, 6)
        pen.edge(frame, Colour.EDGE, 2, 6)

        def at(x: float, y: float, wide: float, high: float) -> Box:
            return Box(frame.x + x * unit, frame.y + y * unit, wide * unit, high * unit)

        pen.fill(at(20, 70, 760, 120), Colour.KEY, 4)
        pen.text("what hands do", at(40, 70, 720, 120), 15, align="centre")
        keys = ((20, 380, 124), (152, 380, 92), (252, 380, 172))
        for n, word in enumerate(("Undo", "Log", "Arbiter")):
            key = at(*keys[n], 84)
            pen.edge(key, Colour.EDGE, 1.5, 4)
            pen.text(word, key, Caps.DETAIL, Colour.INK2, face=Face.MEDIUM, align="centre")
        pen.fill(at(440, 372, 340, 96), Colour.GO, 4)
        pen.text("next tap", at(450, 372, 320, 96), 15, Colour.GO_INK, align="centre")


_LEGEND_ROW = 37.0


def layout(state: FirstMatchState, page: Page) -> Parts:
    """What to do over the map, and how beside it; in portrait one under another."""
    above, body = page.refused(page.body, state.frame.refusal)
    if state.frame.refusal is not None:
        yield from page.refusal(above, state.frame.refusal)
    yield "band", BandPart(box=body.top(_BAND_HIGH), band=state.band)
    room = body.below(_BAND_HIGH + Reach.GAP)
    if state.words_alone:
        yield "text", Words(box=room.inset(6, 4), text=state.text, caps=_ALONE_TEXT, lines=_MANY,
                            across="top")  # fmt: skip
        yield from page.around(state.frame)
        return
    legend = state.lines if state.map is not None else ()
    wide = room.wide if page.portrait else page.sides(room, room.wide * 0.52)[1].wide
    told = lines_high(lines_of(page.theme, state.text, _TEXT_CAPS, wide), _TEXT_CAPS) + 6
    if page.portrait:
        left = room.high - told - 6 - len(legend) * _LEGEND_ROW - 2 * Reach.GAP
        over = min(room.high * 0.55, left) if legend else room.high * 0.55
        shown, words = room.top(over), room.below(over + Reach.GAP)
    else:
        shown, words = page.sides(room, room.wide * 0.52)
    yield from _shown(state, shown)
    high = told if legend else words.high - 8
    yield "text", Words(box=words.top(high), text=state.text, caps=_LARGE_TEXT, lines=_MANY,
                        across="top")  # fmt: skip
    yield from _legend(legend, words.below(high + 6))
    yield from page.around(state.frame)


def _shown(state: FirstMatchState, room: Box) -> Parts:
    """The map; or lines, or the screen itself."""
    if state.map is not None:
        yield "plan", TablePlan(box=room, map=state.map, titled=not state.map.pieces)
        return
    if not state.lines:
        yield "under", Area(box=room, tint=Colour.LAND, radius=5)
        yield "screen", ScreenPlan(box=room)
        return
    most = max(1, int((room.high + 4) // (_LINE_HIGH - 6)))
    shown = state.lines[:most]
    for n, (box, line) in enumerate(
        zip(stacked(room, len(shown), high=58, gap=4), shown, strict=True)
    ):
        yield f"line/{n}", LinePart(box=box, line=line)


def _legend(lines: Sequence[Line], room: Box) -> Parts:
    """What is on the map, as far as there is room under the words."""
    fitting = max(0, int((room.high + 3) // (26 + 3)))
    for n, (box, line) in enumerate(
        zip(stacked(room, min(fitting, len(lines)), high=34, gap=3), lines, strict=False)
    ):
        yield f"legend/{n}", LinePart(box=box, line=line, ground=False)
