"""What each touch does: an action goes to the table, and the view follows.

The app, the terminal and the demonstration call the same `act`; nothing else changes a view.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.core.board import Piece
from companion.core.errors import BadCall, BadFile, CompanionError, IllegalAnswer
from companion.core.ruling import TABLE, Level, Seat
from companion.games import find_rulebook
from companion.match.rulebook import Setup
from companion.referee.late import number_of, team_of
from companion.referee.presses import CARD_IN_TIME
from ui.scene.draft import seats_of
from ui.scene.scene import Scene
from ui.scene.values import Key, Mark, Refusal
from ui.screens.match.ruling import done_by, page_of_deed
from ui.touch import actions as a
from ui.touch.actions import (
    AT_THE_MATCH,
    Call,
    DecideChallenge,
    FeltInTime,
    LetLie,
    OpenChallenge,
    RuleLate,
    RuleSeenLate,
)
from ui.touch.view import SetupDraft, View

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.ruling import Json, Notice
    from companion.referee.referee import Referee
    from ui.table.table import Table
    from ui.touch.actions import Action, Answer


# The draft of a new match, and the set-up that it stands for.


def choose(draft: SetupDraft, name: str, value: Any) -> SetupDraft:
    """A new match's draft with one choice made: box, variants, seat.CODE, option.NAME."""
    kind, _, rest = name.partition(".")
    if kind == "seat":
        return draft.with_seat(rest, str(value).strip())
    if kind == "option":
        return draft.with_option(rest, value)
    if kind == "variants":
        return _in_variants(draft, tuple(str(value).split()))
    return SetupDraft(box=str(value))


def _in_variants(draft: SetupDraft, variants: tuple[str, ...]) -> SetupDraft:
    """Another game of the box: house rules that it does not have go, names at seats may return."""
    switches = find_rulebook(draft.box).in_variants(variants).switches
    kept = tuple(option for option in draft.options if option[0] in switches)
    return replace(draft, variants=variants, options=kept)


def draft_of(setup: Setup) -> SetupDraft:
    """What was chosen for a match, to be changed and begun anew."""
    seats = tuple((str(seat), player) for seat, player in setup.seats.items())
    return SetupDraft(setup.box, setup.variants, seats, tuple(setup.options.items()))


def setup_of(draft: SetupDraft, figures: Mapping[str, Json] | None = None) -> Setup:
    """The set-up a draft stands for: of the names those whose seats this game has.

    `figures` are what this table has read off its own copy of the box.
    """
    box = find_rulebook(draft.box)
    variants = box.usual(draft.variants)
    rulebook = box.in_variants(variants).seated(dict(draft.options))
    taken = seats_of(draft.box, variants, draft.options)
    seats = [seat for seat in taken if seat not in rulebook.held_by]
    players = {Seat(seat): player for seat, player in draft.seats if seat in seats}
    return Setup(draft.box, variants, players, dict(draft.options), dict(figures or {}))


# Doing what was touched.

OF_THE_ARBITER = (a.Undo, a.Amend, a.Adjust, a.Report, a.Close, a.AcceptTable, a.GiveTime)
"""Acts that wait until somebody was asked who the arbiter is; no clock waits for that."""


def act(action: Action, table: Table, view: View, source: str = "touch") -> View:
    """Do what was touched; a refusal changes nothing but what the view says of it."""
    calm = replace(view, refusal=None)
    try:
        if isinstance(action, OF_THE_ARBITER) and table.ask_arbiter():
            return replace(calm.opened(a.Panel.WHO), waiting=action)
        return _Acting(table, calm, source).do(action)
    except CompanionError as refused:
        return replace(view, refusal=_refusal(refused))


def _refusal(refused: CompanionError) -> Refusal:
    if isinstance(refused, IllegalAnswer):
        first, _, way_out = refused.text.partition(". ")
        return Refusal(f"Not taken: {first}", way_out, refused.code, str(refused.cite))
    if isinstance(refused, BadFile):
        return Refusal(f"Not taken: {refused.text}", "", refused.place or refused.source, "")
    first, _, way_out = str(refused).partition(": ")
    return Refusal(first, way_out, type(refused).__name__, "")


class _Acting:
    """One touch: the table it acts on and the view it began with."""

    def __init__(self, table: Table, view: View, source: str) -> None:
        self.table = table
        self.view = view
        self.source = source
        self.now = table.clock()

    @property
    def referee(self) -> Referee:
        return self.table.refereed()

    def do(self, action: Action) -> View:
        """The view after it; what hands have done is told first, for whatever corrects them."""
        match = self.table.match
        if match is not None:
            self.referee.hands.done = done_by(match, self.view)
        for kind in (self._answering, self._looking, self._arbiter, self._clock, self._outside):
            after = kind(action)
            if after is not None:
                return after
        return self.view

    # -- answers ---------------------------------------------------------------------------

    def _answering(self, action: Action) -> View | None:
        match action:
            case a.Answer():
                return self._cautioned(action) or self._answer(action)
            case a.AskWhy(key, _, raw):
                self.referee.match.open[key].read(raw)
                return self.view
            case a.Anyway(answer):
                return self._answer(answer)
            case a.Answers(answers):
                for one in answers:
                    if not self._offer(one):
                        break
                return self._after_answer()
            case a.Draft(answer):
                return self._draft(answer)
            case a.Fill(answer):
                return replace(self.view, draft=answer, asking_undo=False)
            case a.TakeBack(key):
                self._take_back(key)
                return self.view
            case _:
                return self._reading(action)

    def _reading(self, action: Action) -> View | None:
        """What was looked at and put away."""
        match action:
            case a.Done(upto):
                return replace(self.view, read=max(upto, self.view.read), deed=0, page=0)
            case a.HandsOff(seq):
                return replace(self.view, hands_off=seq)
            case a.NextDeed():
                deed = self.view.deed + 1
                scene = Scene(self.table.situation(), self.view)
                return replace(self.view, deed=deed, page=page_of_deed(scene, deed))
            case a.Corrected(left):
                return self._corrected_one(left)
            case _:
                return None

    def _corrected_one(self, left: int) -> View:
        """The next task of a correction; a second tap on the same one changes nothing."""
        return replace(self.view, page=0) if self.referee.hands.follow(left) else self.view

    def _cautioned(self, answer: Answer) -> View | None:
        """What the rules would say first, if it is a warning; the answer then waits for a word."""
        question = self.referee.match.open.get(answer.key)
        if question is None or answer.opened not in (-1, question.opened):
            return None
        notice = self.referee.match.word_before(answer.key, answer.raw)
        if notice is None or notice.level is not Level.WARN:
            return None
        key = Key("Go on anyway", a.Anyway(answer))
        said = (notice.text, notice.way_out, notice.code, str(notice.cite))
        return replace(self.view, refusal=Refusal(*said, Mark.WARN, key))

    def _offer(self, answer: Answer) -> bool:
        return self.table.offer(answer.key, answer.opened, answer.raw, self.source)

    def _answer(self, answer: Answer) -> View:
        self._offer(answer)
        return self._after_answer()

    def _after_answer(self) -> View:
        view = self.view
        if view.panel is a.Panel.PAD:
            view = view.closed()
        return replace(view, draft=None, page=0, deed=0, asking_undo=False)

    def _draft(self, answer: Answer) -> View:
        """Give it at once, unless it is the form's last: that one waits for the next tap."""
        match = self.referee.match
        waiting = [key for key in match.open if key not in match.answered and key != answer.key]
        if waiting:
            self._offer(answer)
            return replace(self.view, draft=None)
        match.open[answer.key].read(answer.raw)
        if answer.key in match.answered:
            self._take_back(answer.key)
        return replace(self.view, draft=answer)

    def _take_back(self, key: str) -> None:
        seqs = [step.seq for step in self.referee.match.steps if step.key == key]
        if seqs:
            self.referee.undo(self.now, seqs[-1], "taken back", self.table.arbiter or "")

    # -- what is shown ---------------------------------------------------------------------

    def _looking(self, action: Action) -> View | None:
        view = self.view
        match action:
            case a.Show(panel, part, page):
                return view.opened(panel, part, page)
            case a.CloseBook():
                return view.book_closed()
            case a.Back():
                return view.closed()
            case a.TurnPage(step):
                page = view.page + step
                both_ways = view.panel is a.Panel.ADJUST  # from the value that stands
                return replace(view, page=page if both_ways else max(0, page))
            case a.AskUndo():
                return replace(view, asking_undo=True)
            case a.HoldSight():
                return self._hold_sight()
            case _:
                return self._writing(action)

    def _writing(self, action: Action) -> View | None:
        """What is put together on the screen before it is held."""
        view = self.view
        match action:
            case a.SelectLine(seq):
                return replace(view, chosen_seq=seq)
            case a.AmendTo(seq, raw):
                return replace(view, chosen_seq=seq, amend_to=raw)
            case a.SetReason(reason):
                return replace(view, reason=reason)
            case a.SetAdjust(name, value):
                others = tuple(pair for pair in view.adjusting if pair[0] != name)
                added = () if value is None else ((name, value),)
                on_a_map = bool(view.panels and view.panels[-1][1])
                page = view.page if on_a_map else 0
                return replace(view, adjusting=(*others, *added), page=page)
            case a.SetField(name, value):
                return replace(view, report=(*view.report, (name, value)), page=0)
            case a.Choose(thing, quantity):
                return replace(view, thing=thing, quantity=quantity, page=0)
            case _:
                return None

    def _hold_sight(self) -> View:
        held = self.referee.sight.offered
        for offer in list(held.values()):
            held[offer.key] = replace(offer, taken_at=float("inf"))
        return self.view

    # -- the arbiter -----------------------------------------------------------------------

    def _arbiter(self, action: Action) -> View | None:
        match action:
            case a.NameArbiter(name):
                return self._name_arbiter(name)
            case a.Undo() | a.Amend() | a.Adjust():
                return self._correct(action)
            case a.Report(fact, reason):
                self.referee.report(dict(fact), self.now, reason=reason, by=self.by)
                return self._corrected()
            case a.Solve(code):
                self.referee.report({"what": "solved", "code": code}, self.now, by=self.by)
                return self.view
            case a.Close(winners, reason):
                seats, text = [Seat(name) for name in winners], "The arbiter closed the match."
                self.referee.close(seats, text, reason, self.now, self.by)
                return self._closed()
            case _:
                return self._differing(action)

    def _differing(self, action: Action) -> View | None:
        match action:
            case a.AcceptTable():
                self.referee.accept_table(self.now, self.by)
            case a.FollowRecord():
                self.referee.follow_record(self.now)
            case a.LookAgain():
                self.table.look_again()
            case a.TrustRecord():
                self.referee.trust()
            case _:
                return None
        return self.view

    def _correct(self, action: a.Undo | a.Amend | a.Adjust) -> View:
        match action:
            case a.Undo(seq, reason):
                self.referee.undo(self.now, seq, reason, self.by)
            case a.Amend(seq, raw, reason):
                self.referee.commit(self.referee.amend(seq, raw, reason), self.now, self.by)
            case a.Adjust(changes, reason):
                return self._adjust(dict(changes), reason)
        return self._corrected()

    def _adjust(self, changes: Mapping[str, Json], reason: str) -> View:
        """What changed is said where hands have nothing to do, who would read it there."""
        changed = self.referee.adjust(changes, reason, self.now, by=self.by)
        view = self._corrected()
        if self.referee.hands.correction is not None:
            return view
        first, *more = [str(one) for one in changed] or ["Nothing is different from before"]
        cite = str(self.referee.match.rulebook.corrections)
        return replace(view, refusal=Refusal(first, "; ".join(more), "SET", cite, Mark.OK))

    def _name_arbiter(self, name: str) -> View:
        """Who corrects the record from now on; what waited for the name is done."""
        self.table.arbiter, waiting = name, self.view.waiting
        under = self.view.closed() if self.view.panel is a.Panel.WHO else self.view
        return act(waiting, self.table, under, self.source) if waiting is not None else under

    @property
    def by(self) -> str:
        """Who corrects the record, as its log keeps it; the table where nobody says."""
        return self.table.arbiter or ""

    def _corrected(self) -> View:
        """Back at the match, with what the correction leaves for hands to do."""
        read = self.referee.hands.done or 0
        return replace(self.view.at_the_match(), read=read, deed=0, page=0, draft=None)

    def _closed(self) -> View:
        """Over: the closing word itself is shown."""
        rulings = len(self.referee.match.rulings)
        return replace(self.view.at_the_match(), read=rulings - 1, deed=0, page=0, draft=None)

    # -- the clock -------------------------------------------------------------------------

    def _clock(self, action: Action) -> View | None:
        match action:
            case a.Pause():
                self.referee.pause(self.now, by=self.by)
            case a.Resume():
                self.referee.resume(self.now, by=self.by)
            case a.GiveTime(seconds):
                self.referee.give(seconds, self.now, by=self.by)
            case _:
                return self._called(action) if isinstance(action, Call) else None
        return self.view

    def _called(self, action: Call) -> View:
        """A challenge that is opened has the screen to itself; a card ruled on leaves it."""
        told = call(action, self.referee, self.now, self.by)
        after = self.view.at_the_match() if isinstance(action, AT_THE_MATCH) else self.view
        return replace(after, refusal=told)

    # -- the table -------------------------------------------------------------------------

    def _outside(self, action: Action) -> View | None:
        view = self.view
        match action:
            case a.SetupChoice(name, value):
                return replace(view, setup=choose(view.setup, name, value))
            case a.SetFigure(name, value):
                self.table.set_figure(view.setup.box, name, value)
                return view
            case a.ConfirmFigures():
                self.table.confirm_figures(view.setup.box)
                return view.closed()
            case a.StartMatch(rematch):
                return self._start(rematch=rematch)
            case a.ResumeMatch(match_id):
                self.table.resume(match_id)
                return self._resumed()
            case a.Checked():
                self.table.checked = True
                self.referee.sight.let_early_lie(self.now)
                return view.at_the_match()
            case a.Leave():
                return self._leave()
            case _:
                return self._beside(action)

    def _beside(self, action: Action) -> View | None:
        """What changes neither the match nor the view."""
        match action:
            case a.KeepLearned():
                self.table.keep_learned()
            case a.ExportMatch():
                self.table.export_match()
            case a.SetSetting(name, setting):
                self.table.set_setting(name, setting)
            case a.Retry(device):
                self.table.retry(device)
            case a.Calibrate():
                self.table.calibrate()
            case a.KeepClip(seq):
                self.table.keep_clip(seq)
            case a.LearnLook(piece):
                return self._teach(Piece(piece), forget=False)
            case a.ForgetLook(piece):
                return self._teach(Piece(piece), forget=True)
            case _:
                return None
        return self.view

    def _teach(self, piece: Piece, *, forget: bool) -> View:
        """Begin a lesson before this table's camera; after it the next token is due."""
        eyes, watch = self.table.eyes, self.table.watch
        if eyes is None or watch is None:
            raise BadCall("no camera looks at the table: choose one in the settings")
        plan = getattr(self.referee.match.rulebook, "plan", None)  # a game may have no boards
        eyes.teach(watch, plan, piece, forget=forget)
        return self.view.opened(a.Panel.TEACH, page=self.view.page)

    def _start(self, *, rematch: bool) -> View:
        match = self.table.match
        if rematch and match is not None:
            old = match.setup
            setup = replace(old, position=None)
        else:
            setup = setup_of(self.view.setup, self.table.figures_of(self.view.setup.box))
        self.table.new_match(setup)
        return replace(View(), setup=self.view.setup)

    def _leave(self) -> View:
        """Home; from the table check back to what was chosen, which may still be changed."""
        match, unchecked = self.table.match, not self.table.checked
        self.table.leave()
        if match is None or not unchecked:
            return replace(View(), setup=self.view.setup)
        return replace(View(), setup=draft_of(match.setup)).opened(a.Panel.NEW_MATCH)

    def _resumed(self) -> View:
        """What the last act brought is shown first: nobody may have seen what it asked.

        Where the match went on since, hands have done it.
        """
        match = self.referee.match
        ruled, total = match.ruled_by(), len(match.rulings)
        last = bool(ruled) and bool(match.steps) and ruled[-1][0] == match.steps[-1].seq
        read = total - len(ruled[-1][2]) if last else total
        return replace(View(), setup=self.view.setup, read=read)


# Challenges and late cards.


def call(action: Call, referee: Referee, now: float, arbiter: str = "") -> Refusal | None:
    """Do what was touched, in the arbiter's name; what the table is told of a late card's ruling.

    Error: BadCall where the late card waits no longer.
    """
    match action:
        case OpenChallenge(by):
            referee.presses.open(now, Seat(by), author=arbiter)
        case DecideChallenge():
            referee.presses.close(now, author=arbiter)
        case RuleLate(late, player):
            return _as_refusal(referee.tracks.rule(late, Seat(player), now, arbiter))
        case FeltInTime(late):
            referee.tracks.let_lie(late)
            _note_in_time(referee, now, (f"{late.team} {late.section}", "sensor"), arbiter)
        case RuleSeenLate(late, player):
            return _as_refusal(referee.late_seen.rule(late, Seat(player), now, arbiter))
        case LetLie(late):
            referee.late_seen.let_lie(late, now)
            _note_in_time(referee, now, (f"{team_of(late)} {number_of(late)}", "camera"), arbiter)
    return None


def _note_in_time(referee: Referee, now: float, seen: tuple[str, str], arbiter: str) -> None:
    """The log keeps that a card was let lie, who said so, and what had called it late.

    Whoever challenges said it; without a challenge the table did, at the screen.
    """
    (card, seen_by), challenge = seen, referee.presses.challenge
    by = challenge.by if challenge is not None else TABLE
    key = referee.phase.key
    said = {"event": CARD_IN_TIME, "key": key, "by": str(by), "card": card, "seen_by": seen_by}
    referee.note_clock([said], now, by=arbiter)


def _as_refusal(notice: Notice | None) -> Refusal | None:
    """What the box rules of it: hands do that now, so it is said where they look."""
    if notice is None:
        return None
    return Refusal(notice.text, notice.way_out, notice.code, str(notice.cite), Mark.WARN)
