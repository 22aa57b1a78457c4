"""The season in pictures: one figure of players, sides, fighters or cards, a bar a row.

The dot is what was counted, the bar the interval that holds the true value in 95 of 100 such
seasons. A touch chooses whom it is about, another one which figure, a third one of which matches:
of a box, of some days, with somebody.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from companion.games import RULEBOOKS, find_rulebook
from companion.season.seating import CountedBy
from ui.scene.scene import BACK, IN_ORDER, ChosenMatches, page_keys, pages_of, quiet_frame
from ui.scene.theme import Caps, Colour, Face, Reach
from ui.scene.values import Key, KeyLook, ScreenFrame
from ui.screens.beside.seat import known_players
from ui.screens.page import Page, Parts, stacked
from ui.sharing.season_page import AXES, HEADINGS, Axis, called
from ui.touch.actions import Panel, Show
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.part import Part
from ui.widgets.words import Words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.season.statistics import Counted
    from ui.scene.scene import Situation
    from ui.touch.view import View
    from ui.widgets.pen import Pen


@dataclass(frozen=True, slots=True)
class Bar:
    """A row: its name, its figure in words, and where dot and bar lie, from 0 to 1."""

    name: str
    told: str
    low: float
    middle: float
    high: float


@dataclass(frozen=True, slots=True)
class SeasonState:
    """Keys for whom it is about and for the figure, and a bar a row; `told` where there is none."""

    frame: ScreenFrame
    about: tuple[Key, ...]
    figures: tuple[Key, ...]
    bars: tuple[Bar, ...]
    told: str = ""
    page: int = 1
    pages: int = 1
    choices: tuple[tuple[Key | None, ...], ...] = ()
    """Rows of keys, while it is chosen which matches are meant."""


ABOUT = {
    CountedBy.PLAYER: "Players",
    CountedBy.SIDE: "Sides",
    CountedBy.FIGHTER: "Fighters",
    CountedBy.CARD: "Cards",
    CountedBy.MODE: "Modes",
}
FIGURES = {axis.key: axis for axis in AXES if axis.key}
"""The axes of the page that have a key here, by what it says."""
BARS_A_PAGE = 5


DAYS = {"All time": 0, "2 days": 2, "7 days": 7, "30 days": 30, "A year": 365}
EVERY_BOX, EVERYBODY = "All boxes", "Everybody"
PEOPLE_A_PAGE = 5
"""Beside the key for everybody."""


class StatisticsAsked(NamedTuple):
    """What a view's part asks for: "side/Hit/dogfight-1917/30/Ana", of which the end may lack.

    `is_choosing`: the matches are being chosen ("choose/side/Hit").
    """

    about: CountedBy = CountedBy.PLAYER
    figure: str = "Won"
    chosen: ChosenMatches = ChosenMatches()
    is_choosing: bool = False

    @classmethod
    def read(cls, part: str) -> StatisticsAsked:
        """What no key says is the usual."""
        rest = part.removeprefix(_CHOOSING)
        about, figure, box, days, who = (*rest.split("/", 4), *[""] * 5)[:5]
        of_days = int(days) if days in map(str, DAYS.values()) else 0
        return cls(
            CountedBy(about) if about in ABOUT else CountedBy.PLAYER,
            figure if figure in FIGURES else "Won",
            ChosenMatches(box if box in RULEBOOKS else "", of_days, who),
            is_choosing=rest != part,
        )

    @property
    def part(self) -> str:
        """What `read` reads."""
        box, days, who = self.chosen
        named = "/".join((self.about, self.figure, box, str(days or ""), who)).rstrip("/")
        return f"{_CHOOSING}{named}" if self.is_choosing else named

    @property
    def told(self) -> str:
        """The matches in words; nothing where all are meant."""
        box, days, who = self.chosen
        of_days = next(word for word, number in DAYS.items() if number == days)
        words = (find_rulebook(box).title if box else "", of_days if days else "", who)
        return " · ".join(filter(None, words))


_CHOOSING = "choose/"


def present_season(situation: Situation, view: View) -> SeasonState:
    """The view's part says about whom, which figure and of which matches; see `StatisticsAsked`."""
    asked = StatisticsAsked.read(view.part)
    if asked.is_choosing:
        return _present_choice(situation, view, asked)
    axis, rows = FIGURES[asked.figure], situation.past.counted(asked.about, asked.chosen)
    bars = bars_of(axis, rows or ())
    shown, page, pages = pages_of(bars, view.page, BARS_A_PAGE)
    told = " · ".join(filter(None, (HEADINGS[asked.about], axis.title.lower(), asked.told)))
    which = Key("Which matches", Show(Panel.SEASON, asked._replace(is_choosing=True).part))
    return SeasonState(
        quiet_frame(
            situation, view, "STATISTICS", told,
            keys=(BACK, which, *page_keys(page, pages, words=IN_ORDER)),
        ),
        tuple(
            _chooses(word, asked._replace(about=kind), is_chosen=kind is asked.about)
            for kind, word in ABOUT.items()
        ),
        tuple(
            _chooses(word, asked._replace(figure=word), is_chosen=word == asked.figure)
            for word in FIGURES
        ),
        tuple(shown),
        "" if bars else _nothing(rows, asked.chosen),
        page,
        pages,
    )  # fmt: skip


def _nothing(rows: object, chosen: ChosenMatches) -> str:
    if rows is None:
        return "The matches are being counted."
    if rows:
        return "No match tells of this yet."
    if chosen != ChosenMatches():
        return "No match that was counted is one of these."
    return "No match that people played to its end is counted yet."


def _present_choice(situation: Situation, view: View, asked: StatisticsAsked) -> SeasonState:
    """Which matches: of a box, of some days, with somebody; each touch chooses at once."""
    now = asked.chosen
    titles = {EVERY_BOX: "", **{find_rulebook(name).title: name for name in RULEBOOKS}}
    named, page, pages = pages_of(known_players(situation), view.page, PEOPLE_A_PAGE)
    people = {EVERYBODY: "", **{name: name for name in named}}
    boxes = {word: now._replace(box=box) for word, box in titles.items()}
    days = {word: now._replace(days=number) for word, number in DAYS.items()}
    who = {word: now._replace(who=name) for word, name in people.items()}
    done = Key("Show", Show(Panel.SEASON, asked._replace(is_choosing=False).part), sign="right")
    return SeasonState(
        quiet_frame(
            situation, view, "WHICH MATCHES", asked.told or "all that people played to their end",
            keys=(done, *page_keys(page, pages, words=IN_ORDER)),
        ),
        (), (), (), "", page, pages,
        (
            *_in_rows(_options(asked, boxes), 3),
            *_in_rows(_options(asked, days), len(DAYS)),
            *_in_rows(_options(asked, who), 3),
        ),
    )  # fmt: skip


def _options(asked: StatisticsAsked, matches: Mapping[str, ChosenMatches]) -> tuple[Key, ...]:
    """A key for each choice, by its words."""
    return tuple(
        _chooses(word, asked._replace(chosen=chosen), is_chosen=chosen == asked.chosen)
        for word, chosen in matches.items()
    )


def _in_rows(keys: tuple[Key, ...], wide: int) -> list[tuple[Key | None, ...]]:
    """Rows of so many; the last one is filled up with nothing."""
    filled = (*keys, *[None] * (-len(keys) % wide))
    return [filled[at : at + wide] for at in range(0, len(filled), wide)]


def _chooses(word: str, asked: StatisticsAsked, *, is_chosen: bool) -> Key:
    look = KeyLook.CHOSEN if is_chosen else KeyLook.PLAIN
    return Key(word, Show(Panel.SEASON, asked.part), look=look)


def bars_of(axis: Axis, rows: tuple[Counted, ...]) -> list[Bar]:
    """The rows that have the figure, on one scale: a share's is 0 to 100."""
    told = [(row, at) for row in rows if (at := axis.of(row)) is not None]
    most = 100.0 if axis.unit == "%" else max((high for _, (_, _, high) in told), default=1.0)
    return [
        Bar(called(row, rows), _in_words(axis, middle, low, high),
            low / most, middle / most, min(1.0, high / most))
        for row, (middle, low, high) in told
    ]  # fmt: skip


def _in_words(axis: Axis, middle: float, low: float, high: float) -> str:
    if axis.unit == "%":
        return f"{middle:.0f} % ({low:.0f}-{high:.0f})"
    within = (high - low) / 2
    return f"{middle:.1f} ± {within:.1f}" if within else f"{middle:.1f}"


# Layout.

_KEYS_HIGH, _BAR_HIGH, _UPRIGHT_BAR_HIGH = 56.0, 44.0, 84.0


@dataclass(frozen=True, kw_only=True)
class BarPart(Part):
    """Name left, figure right, the bar between them; in portrait under both."""

    bar: Bar
    upright: bool = False

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        room = self.box.inset(4, 2)
        if self.upright:
            words, room = room.rows([1, 1], gap=2)
            name, told = words.columns([3, 2], gap=8)
        else:
            name, room, told = room.columns([4, 3, 2.2], gap=10)
        pen.text(self.bar.name, name, 18, Colour.INK)
        pen.text(self.bar.told, told, 18, Colour.INK, face=Face.MEDIUM, align="right")
        middle = room.y + room.high / 2
        pen.fill(Box(room.x, middle - 9, room.wide, 18), Colour.PANEL, 9)
        low, high = (room.x + at * room.wide for at in (self.bar.low, self.bar.high))
        pen.fill(Box(low, middle - 6, max(3.0, high - low), 12), Colour.INK2, 3)
        dot = min(room.right - 5, max(room.x + 5, room.x + self.bar.middle * room.wide))
        pen.fill(Box(dot - 5, middle - 13, 10, 26), Colour.INK, 4)


def layout(state: SeasonState, page: Page) -> Parts:
    """Two rows of keys over the bars."""
    above, body = page.refused(page.body, state.frame.refusal)
    if state.frame.refusal is not None:
        yield from page.refusal(above, state.frame.refusal)
    yield from page.around(state.frame, pages=(state.page, state.pages))
    if state.choices:
        yield from _choices(state, body)
        return
    for n, keys in enumerate((state.about, state.figures)):
        row = body.below(n * (_KEYS_HIGH + Reach.GAP)).top(_KEYS_HIGH)
        columns = row.columns([1] * len(keys), gap=6)
        for at, (box, key) in enumerate(zip(columns, keys, strict=True)):
            yield f"choose/{n}/{at}", key_cap(box, key)
    room = body.below(2 * (_KEYS_HIGH + Reach.GAP))
    if state.told:
        yield "empty", Words(box=room, text=state.told, caps=Caps.NAME, tint=Colour.INK2,
                             align="centre", lines=3)  # fmt: skip
    high = _UPRIGHT_BAR_HIGH if page.portrait else _BAR_HIGH
    places = stacked(room, len(state.bars), high=high, gap=2)
    for n, (box, bar) in enumerate(zip(places, state.bars, strict=True)):
        yield f"bar/{n}", BarPart(box=box, bar=bar, upright=page.portrait)


def _choices(state: SeasonState, body: Box) -> Parts:
    """Rows of keys one under another."""
    places = stacked(body, len(state.choices), high=_KEYS_HIGH, gap=Reach.GAP)
    for n, (place, keys) in enumerate(zip(places, state.choices, strict=True)):
        columns = place.columns([1] * len(keys), gap=6)
        for at, (box, key) in enumerate(zip(columns, keys, strict=True)):
            if key is not None:
                yield f"choose/{n}/{at}", key_cap(box, key)
