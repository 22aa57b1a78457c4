"""Which screen the moment asks for, and what it shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.core.question import (
    Choose,
    ChooseSome,
    Count,
    Declare,
    Locked,
    Order,
    Ready,
    Reveal,
    Roll,
    RollAgain,
)
from ui.scene.books import cites_in
from ui.scene.scene import Scene
from ui.scene.values import Band
from ui.screens.arbiter.adjust import present_adjust
from ui.screens.arbiter.amend import present_amend
from ui.screens.arbiter.arbiter import present_arbiter, present_close, present_menu, present_who
from ui.screens.arbiter.differ import present_differ
from ui.screens.arbiter.evidence import present_evidence
from ui.screens.arbiter.late import present_told
from ui.screens.arbiter.log import present_log
from ui.screens.arbiter.report import present_report
from ui.screens.beside.figures import present_figures
from ui.screens.beside.first_match import present_first_match
from ui.screens.beside.home import present_home
from ui.screens.beside.lists import present_devices
from ui.screens.beside.new_match import present_new_match
from ui.screens.beside.past import present_export, present_past
from ui.screens.beside.rules import (
    present_books,
    present_chapter,
    present_chapters,
    present_found,
    present_rules,
)
from ui.screens.beside.season import present_season
from ui.screens.beside.seat import SEAT, present_seat
from ui.screens.beside.settings import present_settings
from ui.screens.beside.table_check import present_table_check
from ui.screens.beside.teach import present_teach
from ui.screens.beside.trouble import TroubleState
from ui.screens.match.cards import CardsState, present_cards
from ui.screens.match.challenge import present_challenge, present_part
from ui.screens.match.choose import ChooseState, present_choose
from ui.screens.match.counts import CountsState, present_counts
from ui.screens.match.everyone import EveryoneState, is_for_everyone, present_everyone
from ui.screens.match.field import HexState, has_field, present_hex
from ui.screens.match.lock import LockState, present_lock
from ui.screens.match.ready import ReadyState, present_ready
from ui.screens.match.result import present_result
from ui.screens.match.round import (
    Phase,
    RoundState,
    gives_way,
    locked_by,
    present_locked,
    present_round,
    stands_above,
    strip_of,
)
from ui.screens.match.ruled import present_ruled, says_it_is_done
from ui.screens.match.ruling import (
    latest_message,
    present_correction,
    present_ruling,
    unread,
)
from ui.touch.actions import Panel

if TYPE_CHECKING:
    from companion.core.question import Question
    from ui.scene.scene import Situation
    from ui.screens.registry import ScreenState
    from ui.touch.view import View


def present_setup(situation: Situation, view: View) -> ScreenState:
    """A new match, or one of its seats."""
    if view.part.startswith(SEAT):
        return present_seat(situation, view)
    return present_new_match(situation, view)


BESIDE: Mapping[Panel, Callable[[Situation, View], ScreenState]] = {
    Panel.NEW_MATCH: present_setup,
    Panel.PAST: present_past,
    Panel.SEASON: present_season,
    Panel.EXPORT: present_export,
    Panel.FIRST_MATCH: present_first_match,
    Panel.SETTINGS: present_settings,
    Panel.DEVICES: present_devices,
    Panel.RULES: present_rules,
    Panel.BOOKS: present_books,
    Panel.CHAPTERS: present_chapters,
    Panel.CHAPTER: present_chapter,
    Panel.FOUND: present_found,
    Panel.FIGURES: present_figures,
    Panel.MENU: present_menu,
}
"""Panels that need no match."""

ABOVE: Mapping[Panel, Callable[[Scene], ScreenState | None]] = {
    Panel.TABLE_CHECK: present_table_check,
    Panel.TEACH: present_teach,
    Panel.LOG: present_log,
    Panel.EVIDENCE: present_evidence,
    Panel.AMEND: present_amend,
    Panel.ARBITER: present_arbiter,
    Panel.ADJUST: present_adjust,
    Panel.REPORT: present_report,
    Panel.CLOSE: present_close,
    Panel.WHO: present_who,
    Panel.CHALLENGE: present_part,
    Panel.TOLD: present_told,
}
"""Panels that a match is needed for."""

ASKING: Mapping[type[Question[Any]], Callable[[Scene], ScreenState]] = {
    Locked: present_round,
    Reveal: present_cards,
    Declare: present_lock,
    Count: present_counts,
    Roll: present_counts,
    Choose: present_choose,
    ChooseSome: present_choose,
    RollAgain: present_choose,
    Order: present_choose,
    Ready: present_ready,
}
"""The screen of each kind of question; where a form mixes kinds the first one here has it."""


ASKS = (
    ChooseState, CountsState, CardsState, EveryoneState, HexState, LockState, ReadyState,
)  # fmt: skip
"""Screens on which a question is asked: the rule that asks it is told with them."""

ASKS_ONE = (ChooseState, CountsState)
"""Those that may ask one side alone."""

PHASES = (Phase.RUNNING, Phase.PAUSED, Phase.UNTIMED)
"""A round that goes on is a question, too; once it is locked the next ones are open."""


def present(situation: Situation, view: View) -> ScreenState:
    """The screen for this moment; while a phase goes on every other screen has its clock."""
    referee = situation.referee
    if referee is None or referee.overtaken:
        return _shown(situation, view)
    scene = Scene(situation, view)
    if view.panels and gives_way(scene):
        return _of_the_match(scene)
    state = _shown(situation, view)
    strip = None if isinstance(state, RoundState) else strip_of(scene)
    return replace(state, frame=replace(state.frame, strip=strip)) if strip is not None else state


def _shown(situation: Situation, view: View) -> ScreenState:
    beside = BESIDE.get(view.panel) if view.panel is not None else None
    if beside is not None:
        return beside(situation, view)
    if situation.referee is None:
        return present_home(situation, view)
    if situation.referee.overtaken:
        return TroubleState.overtaken(situation.referee.unwritten)
    scene = Scene(situation, view)
    above = ABOVE.get(view.panel) if view.panel is not None else None
    if view.panel is Panel.RULED and unread(scene):
        above = present_ruled
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
    asks = isinstance(state, ASKS) or (isinstance(state, RoundState) and state.phase in PHASES)
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
        return present_table_check(scene)
    standing = _above_questions(scene)
    if standing is not None:
        return standing
    correction = scene.referee.hands.correction
    if correction is not None:
        return present_correction(scene, correction)
    if scene.referee.undecided:
        return present_differ(scene)
    if unread(scene) and not says_it_is_done(scene):
        return present_ruling(scene)
    if scene.match.outcome is not None:
        return present_result(scene)
    return _with_latest(scene, _asking(scene))


TELLS = (CardsState, ChooseState, CountsState, EveryoneState, ReadyState)
"""Screens that tell what the last answer brought between their keys; a field does so by itself."""


def _with_latest(scene: Scene, state: ScreenState) -> ScreenState:
    """What was ruled and nobody had to put away stands with what is asked next."""
    latest, bottom = latest_message(scene), state.frame.bottom
    by_sight = isinstance(state, CardsState) and bool(bottom.message.first)
    if not latest.first or not isinstance(state, TELLS) or scene.view.asking_undo or by_sight:
        return state
    frame = replace(state.frame, bottom=replace(bottom, message=latest))
    return replace(state, frame=frame)


def _above_questions(scene: Scene) -> ScreenState | None:
    """A running round, hands off, what hands correct (None), a challenge, a standing clock.

    What was told after zero stands above LOCKED; what was told before it waits for the hands.
    """
    clock, challenge = scene.referee.clock, scene.referee.presses.challenge
    if clock is not None and clock.running:
        return present_round(scene)
    locked = locked_by(scene) if clock is None else None
    if locked is not None and not stands_above(scene, locked):
        return present_locked(scene, locked)
    if scene.referee.hands.correction is not None:
        return None
    if challenge is not None:
        return present_challenge(scene, challenge)
    return present_round(scene) if clock is not None else None


def _asking(scene: Scene) -> ScreenState:
    if has_field(scene):
        return present_hex(scene)
    if is_for_everyone(scene):
        return present_everyone(scene)
    kinds = {type(question) for question in scene.open.values()}
    if Declare in kinds and Count in kinds:
        return present_counts(scene)
    screen = next(screen for kind, screen in ASKING.items() if kind in kinds)
    return _turned(scene, screen(scene))


def _turned(scene: Scene, state: ScreenState) -> ScreenState:
    """Face to face, what asks one side is turned to it as a whole, with its Undo."""
    asked = [question.by for question in scene.waiting or scene.open.values()]
    if isinstance(state, CardsState):
        asked = [seat for seat in scene.names.sides if scene.side(seat) == state.side]
    elif not isinstance(state, ASKS_ONE):
        return state
    if not scene.is_opposite(asked):
        return state
    return replace(state, frame=replace(state.frame, turned=True))
