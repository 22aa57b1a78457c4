"""Which screen the moment asks for, what it shows, and how that screen lays it out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import Field, replace
from typing import Any, ClassVar, NamedTuple, Protocol

from companion.core import question as questions
from ui.scene.books import cites_in
from ui.scene.scene import Scene, Situation
from ui.scene.theme import Colour, Theme
from ui.scene.values import Band, Mark, ScreenFrame
from ui.screens.arbiter import (
    adjust,
    amend,
    arbiter,
    differ,
    evidence,
    late,
    log,
    put_right,
    report,
    whys,
)
from ui.screens.beside import (
    figures,
    first_match,
    home,
    lists,
    naming,
    new_match,
    past,
    rules,
    season,
    seat,
    settings,
    table_check,
    teach,
    trouble,
)
from ui.screens.match import (
    cards,
    challenge,
    choose,
    counts,
    everyone,
    field,
    lock,
    ready,
    result,
    ruled,
    ruling,
)
from ui.screens.match import round as round_screen
from ui.screens.page import Page, Parts
from ui.touch.actions import AnyPanel, Panel
from ui.touch.view import View
from ui.widgets.part import Part
from ui.widgets.words import Area, turned_part


class ScreenState(Protocol):
    """What a screen shows: a dataclass of its own, with the frame that every screen has."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def frame(self) -> ScreenFrame: ...


def present_setup(situation: Situation, view: View) -> ScreenState:
    """A new match, or one of its seats."""
    if view.part.startswith(seat.SEAT):
        return seat.present_seat(situation, view)
    return new_match.present_new_match(situation, view)


class Screen(NamedTuple):
    """What a screen shows, how it is laid out, and the panels by which a touch opens it.

    `beside` are panels that need no match, `above` those that lie above one. What the match itself
    asks for is chosen below.
    """

    state: type
    layout: Callable[[Any, Page], Parts]
    beside: Mapping[AnyPanel, Callable[[Situation, View], ScreenState]] = {}
    above: Mapping[AnyPanel, Callable[[Scene], ScreenState | None]] = {}


SCREENS = (
    Screen(adjust.AdjustState, adjust.layout, above={Panel.ADJUST: adjust.present_adjust}),
    Screen(adjust.ValueState, adjust.value_layout),
    Screen(amend.AmendState, amend.layout, above={Panel.AMEND: amend.present_amend}),
    Screen(
        arbiter.ArbiterState,
        arbiter.layout,
        {Panel.MENU: arbiter.present_menu},
        {
            Panel.ARBITER: arbiter.present_arbiter,
            Panel.CLOSE: arbiter.present_close,
            Panel.WHO: arbiter.present_who,
        },
    ),
    Screen(cards.CardsState, cards.layout),
    Screen(
        challenge.ChallengeState, challenge.layout, above={Panel.CHALLENGE: challenge.present_part}
    ),
    Screen(choose.ChooseState, choose.layout),
    Screen(counts.CountsState, counts.layout),
    Screen(lists.DevicesState, lists.devices, {Panel.DEVICES: lists.present_devices}),
    Screen(differ.DifferState, differ.layout),
    Screen(everyone.EveryoneState, everyone.layout),
    Screen(
        evidence.EvidenceState, evidence.layout, above={Panel.EVIDENCE: evidence.present_evidence}
    ),
    Screen(past.ExportState, past.export_layout, {Panel.EXPORT: past.present_export}),
    Screen(field.FieldState, field.layout),
    Screen(figures.FigureState, figures.figure_layout),
    Screen(figures.FiguresState, figures.layout, {Panel.FIGURES: figures.present_figures}),
    Screen(
        first_match.FirstMatchState,
        first_match.layout,
        {Panel.FIRST_MATCH: first_match.present_first_match},
    ),
    Screen(rules.FoundState, lists.found, {Panel.FOUND: rules.present_found}),
    Screen(home.HomeState, home.layout),
    Screen(late.LateState, late.layout),
    Screen(late.ToldState, late.told_layout, above={Panel.TOLD: late.present_told}),
    Screen(lock.LockState, lock.layout),
    Screen(log.LogState, log.layout, above={Panel.LOG: log.present_log}),
    Screen(naming.NamingState, naming.layout),
    Screen(naming.SearchState, naming.layout),
    Screen(naming.TitleState, naming.layout),
    Screen(naming.ClaimState, naming.layout),
    Screen(new_match.NewMatchState, new_match.layout, {Panel.NEW_MATCH: present_setup}),
    Screen(past.PastMatchState, past.match_layout),
    Screen(past.PastState, past.past, {Panel.PAST: past.present_past}),
    Screen(put_right.PutRightState, put_right.layout),
    Screen(ready.ReadyState, ready.layout),
    Screen(report.ReportState, report.layout, above={Panel.REPORT: report.present_report}),
    Screen(result.ResultState, result.layout),
    Screen(round_screen.RoundState, round_screen.layout),
    Screen(
        rules.RulesState,
        rules.layout,
        {
            Panel.RULES: rules.present_rules,
            Panel.BOOKS: rules.present_books,
            Panel.CHAPTERS: rules.present_chapters,
            Panel.CHAPTER: rules.present_chapter,
        },
    ),
    Screen(ruling.RulingState, ruling.layout),
    Screen(season.SeasonState, season.layout, {Panel.SEASON: season.present_season}),
    Screen(seat.SeatState, seat.layout),
    Screen(settings.SettingsState, settings.layout, {Panel.SETTINGS: settings.present_settings}),
    Screen(
        table_check.TableCheckState,
        table_check.layout,
        above={Panel.TABLE_CHECK: table_check.present_table_check},
    ),
    Screen(teach.TeachState, teach.layout, above={Panel.TEACH: teach.present_teach}),
    Screen(trouble.TroubleState, trouble.layout),
    Screen(whys.WhysState, whys.layout, above={Panel.WHYS: whys.present_whys}),
)
"""Every screen: a row each."""

LAYOUTS = {screen.state: screen.layout for screen in SCREENS}
BESIDE = {panel: present for screen in SCREENS for panel, present in screen.beside.items()}
"""Panels that need no match."""
ABOVE = {panel: present for screen in SCREENS for panel, present in screen.above.items()}
"""Panels that a match is needed for."""

ASKING: Mapping[type[questions.Question[Any]], Callable[[Scene], ScreenState]] = {
    questions.Locked: round_screen.present_round,
    questions.Reveal: cards.present_cards,
    questions.Declare: lock.present_lock,
    questions.Count: counts.present_counts,
    questions.Roll: counts.present_counts,
    questions.Choose: choose.present_choose,
    questions.ChooseSome: choose.present_choose,
    questions.RollAgain: choose.present_choose,
    questions.Order: choose.present_choose,
    questions.Ready: ready.present_ready,
}
"""The screen of each kind of question; where a form mixes kinds the first one here has it."""


ASKS = (
    cards.CardsState,
    choose.ChooseState,
    counts.CountsState,
    everyone.EveryoneState,
    field.FieldState,
    lock.LockState,
    ready.ReadyState,
)
"""Screens on which a question is asked: the rule that asks it is told with them."""

ASKS_ONE = (choose.ChooseState, counts.CountsState)
"""Those that may ask one side alone."""

PHASES = (round_screen.Phase.RUNNING, round_screen.Phase.PAUSED, round_screen.Phase.UNTIMED)
"""A round that goes on is a question, too; once it is locked the next ones are open."""


def present(situation: Situation, view: View) -> ScreenState:
    """The screen for this moment; while a phase goes on every other screen has its clock."""
    referee = situation.referee
    if referee is None or referee.overtaken:
        return _shown(situation, view)
    scene = Scene(situation, view)
    if view.panels and round_screen.gives_way(scene):
        return _of_the_match(scene)
    state = _shown(situation, view)
    strip = None if isinstance(state, round_screen.RoundState) else round_screen.strip_of(scene)
    return replace(state, frame=replace(state.frame, strip=strip)) if strip is not None else state


def _shown(situation: Situation, view: View) -> ScreenState:
    beside = BESIDE.get(view.panel) if view.panel is not None else None
    if beside is not None:
        return beside(situation, view)
    if situation.referee is None:
        return home.present_home(situation, view)
    if situation.referee.overtaken:
        return trouble.TroubleState.overtaken(situation.referee.unwritten)
    scene = Scene(situation, view)
    above = ABOVE.get(view.panel) if view.panel is not None else None
    if view.panel is Panel.RULED and ruling.unread(scene):
        above = ruled.present_ruled
    shown = above(scene) if above is not None else None
    return _with_cite(scene, shown if shown is not None else _of_the_match(scene))


def _with_cite(scene: Scene, state: ScreenState) -> ScreenState:
    """Every rule that a screen names is one touch away.

    That of a refusal comes first, which may stand where there is no room to touch it; then those of
    its questions, else of its words.
    """
    refusal = state.frame.refusal
    cite = (refusal.cite if refusal is not None else "") or _cite_asked(scene, state)
    if not cite:
        return state
    top = replace(state.frame.top, cite=cite)
    return replace(state, frame=replace(state.frame, top=top))


def _cite_asked(scene: Scene, state: ScreenState) -> str:
    """The rule that asks, where a question has the screen; else what its words name."""
    asked = scene.waiting or list(scene.open.values())
    asks = isinstance(state, ASKS) or (
        isinstance(state, round_screen.RoundState) and state.phase in PHASES
    )
    if asks and asked:
        return str(asked[0].cite)
    return ", ".join(cites_in(_said_on(state)))


def _said_on(state: ScreenState) -> str:
    """What a screen says besides its keys."""
    band, message = getattr(state, "band", None), state.frame.bottom.message
    note = band.note if isinstance(band, Band) else ""
    return f"{note} {message.first} {message.second}"


def _of_the_match(scene: Scene) -> ScreenState:
    """What the match itself wants: its own order of importance."""
    if not scene.situation.checked:
        return table_check.present_table_check(scene)
    standing = _above_questions(scene)
    if standing is not None:
        return standing
    correction = scene.referee.hands.correction
    if correction is not None:
        return put_right.present_correction(scene, correction)
    if scene.referee.undecided:
        return differ.present_differ(scene)
    if _is_told_alone(scene):
        return ruling.present_ruling(scene, ruled.told_alone(scene))
    if scene.match.outcome is not None:
        return result.present_result(scene)
    return _with_latest(scene, _asking(scene))


def _is_told_alone(scene: Scene) -> bool:
    """Whether rulings have a screen of their own; a result for which hands do nothing is one."""
    if scene.match.outcome is not None and not ruling.waits_for_hands(scene):
        return False
    return bool(ruling.unread(scene)) and not ruled.says_it_is_done(scene)


TELLS = (
    cards.CardsState,
    choose.ChooseState,
    counts.CountsState,
    everyone.EveryoneState,
    ready.ReadyState,
)
"""Screens that tell what the last answer brought between their keys; a field does so by itself."""


def _with_latest(scene: Scene, state: ScreenState) -> ScreenState:
    """What was ruled and nobody had to put away stands with what is asked next."""
    latest, bottom = ruled.latest_message(scene), state.frame.bottom
    by_sight = isinstance(state, cards.CardsState) and bool(bottom.message.first)
    if not latest.first or not isinstance(state, TELLS) or scene.view.asking_undo or by_sight:
        return state
    frame = replace(state.frame, bottom=replace(bottom, message=latest))
    return replace(state, frame=frame)


def _above_questions(scene: Scene) -> ScreenState | None:
    """A running round, hands off, what hands correct (None), a challenge, a standing clock.

    What was told after zero stands above LOCKED; what was told before it waits for the hands.
    """
    clock, opened = scene.referee.clock, scene.referee.presses.challenge
    if clock is not None and clock.running:
        return round_screen.present_round(scene)
    locked = round_screen.locked_by(scene) if clock is None else None
    if locked is not None and not round_screen.stands_above(scene, locked):
        return round_screen.present_locked(scene, locked)
    if scene.referee.hands.correction is not None:
        return None
    if opened is not None:
        return challenge.present_challenge(scene, opened)
    return round_screen.present_round(scene) if clock is not None else None


def _asking(scene: Scene) -> ScreenState:
    if ruled.says_how_it_lies([*scene.open.values()]) and ruled.told_with(scene):
        return ready.present_ready(scene)
    if field.has_field(scene):
        return field.present_field(scene)
    if everyone.is_for_everyone(scene):
        return everyone.present_everyone(scene)
    kinds = {type(question) for question in scene.open.values()}
    if questions.Declare in kinds and questions.Count in kinds:
        return counts.present_counts(scene)
    return _turned(scene, screen_asking(kinds)(scene))


def screen_asking(
    kinds: Collection[type[questions.Question[Any]]],
) -> Callable[[Scene], ScreenState]:
    """The screen that asks questions of these kinds.

    A kind that extends another has its screen; one that is like none here has its options as keys.
    """
    fitting = (screen for kind, screen in ASKING.items() if any(issubclass(k, kind) for k in kinds))
    return next(fitting, choose.present_choose)


def _turned(scene: Scene, state: ScreenState) -> ScreenState:
    """Face to face, what asks one side is turned to it as a whole, with its Undo."""
    asked = [question.by for question in scene.waiting or scene.open.values()]
    if isinstance(state, cards.CardsState):
        asked = [one for one in scene.names.sides if scene.side(one) == state.side]
    elif not isinstance(state, ASKS_ONE):
        return state
    if not scene.is_opposite(asked):
        return state
    return replace(state, frame=replace(state.frame, turned=True))


# The parts of a state.


def parts_of(state: object, theme: Theme) -> dict[str, Part]:
    """The parts that show a state, the ground first; KeyError for a state that has no screen."""
    page = Page(theme)
    ground: dict[str, Part] = {
        "ground": Area(box=page.whole, tint=Colour.BG, radius=0),
        "ground/top": Area(box=page.top, tint=Colour.PANEL, radius=0),
    }
    page, under = _under_news(page, state)
    parts = ground | dict(page.told_news()) | dict(LAYOUTS[type(state)](under, page))
    if not _is_turned(state):
        return parts
    return {f"turned/{name}": turned_part(part, page.size) for name, part in parts.items()}


HAS_ROOM_FOR_NEWS = (
    choose.ChooseState,
    everyone.EveryoneState,
    field.FieldState,
    ready.ReadyState,
)
"""Screens that go on asking under what was just done; others tell it in the band's place."""


def _under_news(page: Page, state: object) -> tuple[Page, object]:
    """What was done takes nothing from what is asked: the page under it, the state without it."""
    if not isinstance(state, HAS_ROOM_FOR_NEWS):
        return page, state
    told = state.frame.refusal
    if told is None or told.mark is not Mark.OK or told.key is not None:
        return page, state
    under = page.with_news(told)
    if under is page:
        return page, state
    return under, replace(state, frame=replace(state.frame, refusal=None))


def _is_turned(state: object) -> bool:
    """Whether the screen as a whole faces whoever sits across it."""
    frame = getattr(state, "frame", None)  # a keyboard has none
    return getattr(state, "turned", False) or (frame is not None and frame.turned)


def screen_of(state: object) -> str:
    """The screen's name: a change of it makes all keys deaf for a moment."""
    name = type(state).__name__.removesuffix("State")
    return f"{name}, turned" if _is_turned(state) else name
