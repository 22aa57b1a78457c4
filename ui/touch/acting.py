"""What each touch does: an action goes to the table, and the view follows.

The app, the terminal and the demonstration call the same `act`; nothing else changes a view.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from companion.core.board import Piece
from companion.core.errors import BadCall, BadFile, CompanionError, IllegalAnswer
from companion.core.question import Count, Reveal
from companion.core.ruling import TABLE, Carry, Deed, Json, Level, Notice, Seat
from companion.games import find_rulebook
from companion.kit.adjusting import Changed
from companion.match.rulebook import Setup
from companion.record.keeping import short_of_room
from companion.referee.challenge import Verdict
from companion.referee.presses import CARD_IN_TIME
from companion.referee.teaching import taught
from ui.scene import draft as drafts
from ui.scene.scene import Scene
from ui.scene.steps import is_printed
from ui.scene.values import Alert, Key, Mark
from ui.screens.match.round import gives_way, locked_by, read_since
from ui.screens.match.ruling import done_by
from ui.touch import actions
from ui.touch.view import SetupDraft, View

if TYPE_CHECKING:
    from companion.core.offers import LateCard
    from companion.match.correction import Correction
    from companion.referee.referee import Referee
    from ui.table.table import Table


def _set_in_words(change: Changed) -> str:
    """What was set, in words; of a place that no board has in print, whether it is on the map.

    >>> _set_in_words(Changed("A.hull", "Ana: hull", "3", "5"))
    'Ana: hull 5, was 3'
    >>> _set_in_words(Changed("wreck-1", "Wreckage", "0,-4", "nothing"))
    'Wreckage: off the board'
    >>> _set_in_words(Changed("A.place", "Ana: place", "0,-4 N", "1,-4 N"))
    'Ana: place: as it lies on the map'
    """
    was, now = (words.partition(" ")[0] for words in (change.was, change.now))
    if is_printed(was) and is_printed(now):
        return str(change)
    where = "off the board" if is_printed(now) else "as it lies on the map"
    return f"{change.label}: {where}"


# The draft of a new match, and the set-up that it stands for.


def choose(draft: SetupDraft, name: str, value: Json) -> SetupDraft:
    """A new match's draft with one choice made: box, variants, option.NAME, or for a seat.

    seat.CODE is what was said of it, sit.CODE a person who may sit at another one until now,
    brings.CODE.N one of the things that it brings.
    """
    kind, _, rest = name.partition(".")
    if kind == "seat":
        return drafts.seated(draft, rest, str(value).strip())
    if kind == "sit":
        return drafts.moved(draft, rest, str(value).strip())
    if kind == "brings":
        seat, _, number = rest.partition(".")
        return drafts.bringing(draft, seat, int(number), str(value))
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
    taken = drafts.seats_of(draft.box, variants, draft.options)
    seats = [seat for seat in taken if seat not in rulebook.held_by]
    players = {Seat(seat): player for seat, player in draft.seats if seat in seats}
    return Setup(draft.box, variants, players, dict(draft.options), dict(figures or {}))


# Doing what was touched.

OF_THE_ARBITER = (
    actions.Undo,
    actions.Amend,
    actions.Adjust,
    actions.Report,
    actions.Close,
    actions.AcceptTable,
    actions.GiveTime,
    actions.TakeBackDecision,
)
"""Acts that wait until somebody was asked who the arbiter is; no clock waits for that.

But an Undo of the last answer is anybody's who holds the screen.
"""


def act(action: actions.Action, table: Table, view: View, source: str = "touch") -> View:
    """Do what was touched; a refusal changes nothing but what the view says of it."""
    calm = replace(view, refusal=None)
    if not isinstance(action, actions.WhatWould):
        table.looking_back.leave()
    try:
        if _is_the_arbiters(action, table, calm) and table.ask_arbiter():
            return replace(calm.opened(actions.Panel.WHO), waiting=action)
        return _Acting(table, _after_zero(action, table, calm), source).do(action)
    except CompanionError as refused:
        return replace(view, refusal=_refusal(refused))


def _is_the_arbiters(action: actions.Action, table: Table, view: View) -> bool:
    return isinstance(action, OF_THE_ARBITER) and not _takes_back_last(action, table, view)


def _takes_back_last(action: actions.Action, table: Table, view: View) -> bool:
    """Whether it is an Undo of the last answer, or of all that the last touch answered."""
    if not isinstance(action, actions.Undo) or table.referee is None:
        return False
    match = table.referee.match
    last = match.last_act
    if last is None or match.entries[last].kind != "answer":
        return False
    return action.seq in (last, Scene(table.situation(), view).undo_target)


def _after_zero(action: actions.Action, table: Table, view: View) -> View:
    """What lay open as zero came gave way to LOCKED; whatever is opened from there lies above it.

    Hands off, and what was half done is there again; a late card is decided without it.
    """
    if table.referee is None or isinstance(action, get_args(actions.Call)):
        return view
    scene = Scene(table.situation(), view)
    if view.panels and gives_way(scene):
        keeps = isinstance(action, actions.HandsOff) and view.half_done
        view = view if keeps else view.put_aside()
    locked, read = locked_by(scene), read_since(scene)
    if read is not None:
        return replace(view, hands_off=read)
    return view if locked is None else replace(view, lock_seen=locked)


def _without(correction: Correction, deeds: Sequence[Deed]) -> Correction | None:
    """None where hands do all of a correction by these deeds, which know better whence."""
    tasks = [(task.owner, task.target) for task in correction.tasks if isinstance(task, Carry)]
    carried = [(deed.owner, deed.target) for deed in deeds if isinstance(deed, Carry)]
    same = len(tasks) == len(correction.tasks) and tasks == carried
    return None if same else correction


def _refusal(refused: CompanionError) -> Alert:
    if isinstance(refused, IllegalAnswer):
        first, _, way_out = refused.text.partition(". ")
        return Alert(f"Not taken: {first}", way_out, refused.code, str(refused.cite))
    if isinstance(refused, BadFile):
        return Alert(f"Not taken: {refused.text}", "", refused.place or refused.source, "")
    first, _, way_out = str(refused).partition(": ")
    if " " not in first:  # the name of a field is no sentence
        first, way_out = str(refused), ""
    return Alert(first[:1].upper() + first[1:], way_out, "", "")


DEEDS: dict[type, Callable[[_Acting, Any], View]] = {}
"""What does each action: a kind that is not in here is done by whoever holds the screen."""

NOT_LISTED = "Whatever the question says: its legal answers are not listed."
"""What is said of a refusal where there is nothing to choose from."""

_Deed = TypeVar("_Deed", bound="Callable[[_Acting, Any], View]")


def does(*kinds: type) -> Callable[[_Deed], _Deed]:
    """Mark the method that does actions of these kinds."""

    def marked(deed: _Deed) -> _Deed:
        DEEDS.update(dict.fromkeys(kinds, deed))
        return deed

    return marked


class _Acting:
    """One touch: the table it acts on and the view it began with."""

    def __init__(self, table: Table, view: View, source: str) -> None:
        self.table = table
        self.view = view
        self.source = source
        self.now = table.clock()
        self.stood = 0, 0
        """The lines of the log and the rulings before this touch."""

    @property
    def referee(self) -> Referee:
        return self.table.refereed()

    def do(self, action: actions.Action) -> View:
        """The view after it; what hands have done is told first, for whatever corrects them."""
        match = self.table.match
        if match is not None:
            self.referee.hands.done = done_by(match, self.view)
            self.stood = len(match.entries), len(match.rulings)
        deed = DEEDS.get(type(action))
        if deed is None:
            raise TypeError(f"{type(action).__name__} is not done at a match or a table")
        return deed(self, action)

    # -- answers ---------------------------------------------------------------------------

    @does(actions.Answer)
    def cautioned(self, answer: actions.Answer) -> View:
        """What the rules would say first, if it is a warning; the answer then waits for a word."""
        notice = self._word_before(answer)
        return self._answer(answer) if notice is None else self._warned(notice, answer)

    def _word_before(self, answer: actions.Answer) -> Notice | None:
        """The warning that an answer wants first, if it is one at all."""
        question = self.referee.match.open.get(answer.key)
        if question is None or answer.opened not in (-1, question.opened):
            return None
        notice = self.referee.match.word_before(answer.key, answer.raw)
        return notice if notice is not None and notice.level is Level.WARN else None

    def _warned(self, notice: Notice, answer: actions.Answer) -> View:
        key = Key("Go on anyway", actions.Anyway(answer))
        said = (notice.text, notice.way_out, notice.code, str(notice.cite))
        return replace(self.view, refusal=Alert(*said, Mark.WARN, key))

    @does(actions.Anyway)
    def anyway(self, action: actions.Anyway) -> View:
        return self._answer(action.answer)

    @does(actions.Answers)
    def answers(self, action: actions.Answers) -> View:
        """All or none of them; one Undo takes back what one touch gave."""
        given = [(one.key, one.opened, one.raw) for one in action.answers]
        stood = self.referee.hands.correction
        taken = self.table.offer_together(given, self.source)
        if self.referee.hands.correction not in (None, stood):
            return self._corrected()
        return self._after_answer(together=taken)

    @does(actions.AskWhy)
    def ask_why(self, action: actions.AskWhy) -> View:
        self.referee.match.open[action.key].read(action.raw)
        return self.view

    @does(actions.FillForm)
    def draft(self, action: actions.FillForm) -> View:
        """Give it at once, unless it is the form's last: that one waits for the next tap."""
        answer, match = action.answer, self.referee.match
        waiting = [key for key in match.open if key not in match.answered and key != answer.key]
        if waiting:
            notice = self._word_before(answer)
            if notice is not None:
                return self._warned(notice, answer)
            self._offer(answer)
            return replace(self.view, draft=None)
        match.open[answer.key].read(answer.raw)
        if answer.key in match.answered:
            self._take_back(answer.key)
        return replace(self.view, draft=answer)

    @does(actions.Fill)
    def fill(self, action: actions.Fill) -> View:
        return replace(self.view, draft=action.answer, asking_undo=False)

    def _offer(self, answer: actions.Answer) -> bool:
        return self.table.offer(answer.key, answer.opened, answer.raw, self.source)

    def _answer(self, answer: actions.Answer) -> View:
        stood = self.referee.hands.correction
        drawn = self._offer(answer) and self._draw_lot()
        if self.referee.hands.correction not in (None, stood):
            return self._corrected()
        return self._after_answer(together=drawn)

    def _draw_lot(self) -> bool:
        """Say a number where a lot is to be drawn from one; whether that was so.

        It is the millisecond of the touch that nobody can aim at. Bots say numbers of their own.
        """
        match = self.referee.match
        asked = [*match.open.values()]
        question = asked[0] if len(asked) == 1 else None
        if not isinstance(question, Count) or not question.by_chance or match.setup.demonstration:
            return False
        number = question.low + int(self.now * 1000) % (question.most - question.low + 1)
        return self._offer(actions.Answer(question.key, question.opened, number))

    def _after_answer(self, *, together: bool = False) -> View:
        """The form's next question; once all have answered they have followed what was ruled.

        `together`: one Undo takes back all that this touch gave.
        """
        view, (lines, ruled) = self.view, self.stood
        match = self.referee.match
        given = [line for line in match.entries[lines:] if line.kind == "answer"]
        closed = bool(given) and given[-1].key not in match.open
        flipped = any(isinstance(match.open.get(line.key), Reveal) for line in given)
        if closed or flipped:  # a card is turned over after what was ruled before it
            view = replace(view, read=max(view.read, ruled))
        if view.panel in (actions.Panel.PAD, actions.Panel.RULED):
            view = view.closed()
        told = tuple(line.seq for line in given) if together else ()
        deed = 0 if closed or flipped else view.deed
        return replace(
            view, draft=None, page=0, near="", deed=deed, asking_undo=False, together=told
        )

    def _take_back(self, key: str) -> None:
        seqs = [step.seq for step in self.referee.match.steps if step.key == key]
        if seqs:
            self.referee.undo(self.now, seqs[-1], "taken back", self.table.arbiter or "")

    # -- what was looked at and put away ----------------------------------------------------

    @does(actions.Done)
    def done(self, action: actions.Done) -> View:
        return replace(self.view, read=max(action.upto, self.view.read), deed=0, page=0)

    @does(actions.HandsOff)
    def hands_off(self, action: actions.HandsOff) -> View:
        return replace(self.view, hands_off=action.seq)

    @does(actions.NextDeed)
    def next_deed(self, action: actions.NextDeed) -> View:
        return replace(self.view, deed=self.view.deed + action.deeds, page=0)

    @does(actions.Corrected)
    def corrected_one(self, action: actions.Corrected) -> View:
        """The next tasks of a correction; a second tap on the same ones changes nothing."""
        followed = self.referee.hands.follow(action.left, action.done)
        return replace(self.view, page=0) if followed else self.view

    # -- what is shown ---------------------------------------------------------------------

    @does(actions.Show)
    def show(self, action: actions.Show) -> View:
        return self.view.opened(action.panel, action.part, action.page)

    @does(actions.CloseBook)
    def close_book(self, action: actions.CloseBook) -> View:
        return self.view.book_closed()

    @does(actions.Back)
    def back(self, action: actions.Back) -> View:
        """One panel less; from a past match that was only looked into back to its page."""
        view = self.view.closed()
        if view.past is None or view.panels:
            return view
        self.table.leave()
        return view.past

    @does(actions.ToPhase)
    def to_phase(self, action: actions.ToPhase) -> View:
        return self.view.put_aside()

    @does(actions.TurnPage)
    def turn_page(self, action: actions.TurnPage) -> View:
        return replace(self.view, page=max(0, self.view.page + action.step))

    @does(actions.Enlarge)
    def enlarge(self, action: actions.Enlarge) -> View:
        return replace(self.view, near=action.space)

    @does(actions.AskUndo)
    def ask_undo(self, action: actions.AskUndo) -> View:
        return replace(self.view, asking_undo=True)

    @does(actions.HoldSight)
    def hold_sight(self, action: actions.HoldSight) -> View:
        held = self.referee.sight.offered
        for offer in list(held.values()):
            held[offer.key] = replace(offer, taken_at=float("inf"))
        return self.view

    # -- what is put together on the screen before it is held -----------------------------

    @does(actions.SelectLine)
    def select_line(self, action: actions.SelectLine) -> View:
        return replace(self.view, chosen_seq=action.seq)

    @does(actions.AmendTo)
    def amend_to(self, action: actions.AmendTo) -> View:
        return replace(self.view, chosen_seq=action.seq, amend_to=action.raw)

    @does(actions.AmendFill)
    def amend_fill(self, action: actions.AmendFill) -> View:
        return replace(self.view, chosen_seq=action.seq, amend_fill=action.raw)

    @does(actions.SetReason)
    def set_reason(self, action: actions.SetReason) -> View:
        return replace(self.view, reason=action.reason)

    @does(actions.SetAdjust)
    def set_adjust(self, action: actions.SetAdjust) -> View:
        view = self.view
        others = tuple(pair for pair in view.adjusting if pair[0] != action.name)
        added = () if action.value is None else ((action.name, action.value),)
        return replace(view, adjusting=(*others, *added))

    @does(actions.SetField)
    def set_field(self, action: actions.SetField) -> View:
        """A second finger on the same field says it anew, and what was told after it is gone."""
        told = (*takewhile(lambda one: one[0] != action.name, self.view.report),
                (action.name, action.value))  # fmt: skip
        return replace(self.view, report=told, number=None, page=0)

    @does(actions.TypeNumber)
    def type_number(self, action: actions.TypeNumber) -> View:
        return replace(self.view, number=action.number)

    @does(actions.ChooseQuantity)
    def choose(self, action: actions.ChooseQuantity) -> View:
        return replace(self.view, thing=action.thing, quantity=action.quantity, page=0, near="")

    # -- the arbiter -----------------------------------------------------------------------

    @does(actions.NameArbiter)
    def name_arbiter(self, action: actions.NameArbiter) -> View:
        """Who corrects the record from now on; what waited for the name is done."""
        self.table.arbiter, waiting = action.name, self.view.waiting
        under = self.view.closed() if self.view.panel is actions.Panel.WHO else self.view
        return act(waiting, self.table, under, self.source) if waiting is not None else under

    @does(actions.Undo)
    def undo(self, action: actions.Undo) -> View:
        by = "" if _takes_back_last(action, self.table, self.view) else self.by
        self.referee.undo(self.now, action.seq, action.reason, by)
        return self._corrected()

    @does(actions.Amend)
    def amend(self, action: actions.Amend) -> View:
        revision = self.referee.amend(action.seq, action.raw, action.reason)
        self.referee.commit(revision, self.now, self.by)
        return self._corrected()

    @does(actions.Adjust)
    def adjust(self, action: actions.Adjust) -> View:
        """What changed is said where hands have nothing to do, who would read it there."""
        changed = self.referee.adjust(dict(action.changes), action.reason, self.now, by=self.by)
        view = self._corrected()
        if self.referee.hands.correction is not None:
            return view
        asked = [name for name, _ in action.changes]
        told = sorted(changed, key=lambda one: asked.index(one.name) if one.name in asked else -1)
        first, *more = map(_set_in_words, told) if told else ["Nothing is different from before"]
        cite = str(self.referee.match.rulebook.corrections)
        return replace(view, refusal=Alert(first, "; ".join(more), "SET", cite, Mark.OK))

    @does(actions.Report)
    def report(self, action: actions.Report) -> View:
        """What the box says of it is shown, where nothing else would tell.

        A card that it orders moved is one task: the correction that has it, too, is done with it.
        """
        fact, hands = dict(action.fact), self.referee.hands
        told = self.referee.report(fact, self.now, reason=action.reason, by=self.by)
        view = self._corrected()
        if told is not None and hands.correction is not None:
            hands.correction = _without(hands.correction, told.deeds)
        if told is None or hands.correction is not None:
            return view
        if told.deeds or told.level is Level.NOTE:
            return replace(view.opened(actions.Panel.TOLD), told=told)
        return view

    @does(actions.Solve)
    def solve(self, action: actions.Solve) -> View:
        self.referee.report({"what": "solved", "code": action.code}, self.now, by=self.by)
        return self.view

    @does(actions.Close)
    def close(self, action: actions.Close) -> View:
        """Over: the result is shown, and what was ruled before is told no more."""
        seats, text = [Seat(name) for name in action.winners], "The arbiter closed the match."
        self.referee.close(seats, text, action.reason, self.now, self.by)
        rulings = len(self.referee.match.rulings)
        return replace(self.view.at_the_match(), read=rulings, deed=0, page=0, draft=None)

    @does(actions.AcceptTable)
    def accept_table(self, action: actions.AcceptTable) -> View:
        self.referee.accept_table(self.now, self.by)
        return self.view

    @does(actions.FollowRecord)
    def follow_record(self, action: actions.FollowRecord) -> View:
        self.referee.follow_record(self.now)
        return self.view

    @does(actions.LookAgain)
    def look_again(self, action: actions.LookAgain) -> View:
        self.table.look_again()
        return self.view

    @does(actions.TrustRecord)
    def trust_record(self, action: actions.TrustRecord) -> View:
        self.referee.trust()
        return self.view

    @property
    def by(self) -> str:
        """Who corrects the record, as its log keeps it; the table where nobody says."""
        return self.table.arbiter or ""

    def _corrected(self) -> View:
        """Back at the match, with what the correction leaves for hands to do."""
        read = self.referee.hands.done or 0
        after = self.view.at_the_match()
        return replace(after, read=read, deed=0, page=0, draft=None, together=())

    # -- the clock -------------------------------------------------------------------------

    @does(actions.Pause)
    def pause(self, action: actions.Pause) -> View:
        self.referee.pause(self.now, by=self.by)
        return self.view

    @does(actions.Resume)
    def resume(self, action: actions.Resume) -> View:
        self.referee.resume(self.now, by=self.by)
        return self.view

    @does(actions.GiveTime)
    def give_time(self, action: actions.GiveTime) -> View:
        self.referee.give(action.seconds, self.now, by=self.by)
        return self.view

    @does(*get_args(actions.Call))
    def called(self, action: actions.Call) -> View:
        """A challenge that is opened has the screen to itself; a card ruled on leaves it."""
        told = call(action, self.referee, self.now, self.by)
        felt = (
            isinstance(action, actions.RuleLate | actions.LetLie) and action.late.felt is not None
        )
        after = self.view if felt else self.view.at_the_match()
        return replace(after, refusal=told)

    @does(actions.DecideChallenge)
    def decided(self, action: actions.DecideChallenge) -> View:
        """What is played again is undone first, so that hands have tasks to do."""
        verdict = Verdict(action.verdict) if action.verdict else None
        self.referee.decide(self.now, verdict, by=self.by)
        after = replace(self.view, verdict="")
        if verdict is Verdict.REPLAYED:
            return replace(self._corrected(), verdict="")
        return after.at_the_match() if action.verdict else after

    @does(actions.TakeBackDecision)
    def take_back_decision(self, action: actions.TakeBackDecision) -> View:
        """Back at the challenge, which is open again; hands are told what stands as before."""
        self.referee.take_back_decision(self.now, action.seq, reason=action.reason, by=self.by)
        return replace(self._corrected(), verdict="")

    @does(actions.ChooseVerdict)
    def choose_verdict(self, action: actions.ChooseVerdict) -> View:
        """What is to be corrected is asked at once; touched again, it is chosen no more."""
        chosen = "" if action.verdict == self.view.verdict else action.verdict
        view = replace(self.view, verdict=chosen)
        return (
            view.opened(actions.Panel.CHALLENGE, actions.CORRECT)
            if chosen == Verdict.CORRECTED
            else view
        )

    # -- a match begun, resumed and left ----------------------------------------------------

    @does(actions.SetupChoice)
    def setup_choice(self, action: actions.SetupChoice) -> View:
        """A seat that was just named makes room for the next one without a name."""
        setup = choose(self.view.setup, action.name, action.value)
        view = replace(self.view, setup=setup)
        kind, _, seat = action.name.partition(".")
        if view.part != f"seat.{seat}" or kind not in ("seat", "sit") or not action.value:
            return view
        rulebook = drafts.rules_of(setup)
        chooses = drafts.offered_to(rulebook, self.table.figures_of(setup.box))
        if chooses or seat in drafts.seat_faults(setup, rulebook):
            return view
        following = drafts.next_unnamed(setup, seat)
        return view.opened(actions.Panel.NEW_MATCH, f"seat.{following}" if following else "")

    @does(actions.SetFigure)
    def set_figure(self, action: actions.SetFigure) -> View:
        self.table.set_figure(self.view.setup.box, action.name, action.value)
        return self.view

    @does(actions.ConfirmFigures)
    def confirm_figures(self, action: actions.ConfirmFigures) -> View:
        self.table.confirm_figures(self.view.setup.box)
        return self.view.closed()

    @does(actions.StartMatch)
    def start_match(self, action: actions.StartMatch) -> View:
        match = self.table.match
        if action.rematch and match is not None:
            setup = replace(match.setup, position=None)
        else:
            setup = setup_of(self.view.setup, self.table.figures_of(self.view.setup.box))
        self.table.new_match(setup)
        view = replace(View(), setup=self.view.setup)
        short = short_of_room(self.table.record)
        if not short:
            return view
        told = Alert(short, "Make room, or let a stick keep the record.", "", "", Mark.WARN)
        return replace(view, refusal=told)

    @does(actions.ResumeMatch)
    def resume_match(self, action: actions.ResumeMatch) -> View:
        """What the last act brought is shown first: nobody may have seen what it asked.

        Where the match went on since, hands have done it.
        """
        saved = self.table.resume(action.match_id)
        match = self.referee.match
        ruled, total = match.ruled_by()[: 0 if action.ended else None], len(match.rulings)
        last = bool(ruled) and bool(match.steps) and ruled[-1][0] == match.steps[-1].seq
        read = total - len(ruled[-1][2]) if last else total
        view = replace(View(), setup=self.view.setup, read=read)
        if not saved:
            return view
        told = Alert(saved, "Hold its last lines against the table.", "", "", Mark.WARN)
        return replace(view, refusal=told)

    @does(actions.Checked)
    def checked(self, action: actions.Checked) -> View:
        self.table.checked = True
        self.referee.sight.let_early_lie(self.now)
        return self.view.at_the_match()

    @does(actions.Leave)
    def leave(self, action: actions.Leave) -> View:
        """Home; from the table check back to what was chosen, which may still be changed."""
        match, unchecked = self.table.match, not self.table.checked
        self.table.leave()
        if match is None or not unchecked:
            return replace(View(), setup=self.view.setup)
        return replace(View(), setup=draft_of(match.setup)).opened(actions.Panel.NEW_MATCH)

    # -- what changes neither the match nor the view ----------------------------------------

    @does(actions.KeepLearned)
    def keep_learned(self, action: actions.KeepLearned) -> View:
        self.table.keep_learned()
        return self.view

    @does(actions.ExportMatch)
    def export_match(self, action: actions.ExportMatch) -> View:
        """What was written is said where a refusal would stand."""
        if not action.place:
            self.table.export_match()
            return self.view
        told, then = self.table.export_to(action.match_id, action.place)
        return replace(self.view, refusal=Alert(f"Written: {told}", then, "", "", Mark.OK))

    @does(actions.WhatWould)
    def what_would(self, _action: actions.WhatWould) -> View:
        """What is legal now is said where the refusal stood; what would have hit is sought."""
        refused = self.referee.refused
        if refused is None:
            self.table.looking_back.seek(self.referee.match)
            return self.view
        told = taught(self.referee.match, (refused.offer.key, refused.offer.raw)) or NOT_LISTED
        first, _, more = told.partition(": ")
        return replace(self.view, refusal=Alert(first, more, "", "", Mark.OK))

    @does(actions.LookInto)
    def look_into(self, action: actions.LookInto) -> View:
        """The match as it ended, or where it stands, with a panel over it."""
        view = self.resume_match(actions.ResumeMatch(action.match_id, ended=True))
        return replace(view.opened(action.panel, action.part), past=self.view)

    @does(actions.Rematch)
    def rematch(self, action: actions.Rematch) -> View:
        setup = self.table.asked(lambda: self.table.record.load(action.match_id)).setup
        self.table.new_match(replace(setup, position=None, demonstration=False, simulated=False))
        return replace(View(), setup=draft_of(setup))

    @does(actions.SetSetting)
    def set_setting(self, action: actions.SetSetting) -> View:
        self.table.set_setting(action.name, action.value)
        return self.view

    @does(actions.Retry)
    def retry(self, action: actions.Retry) -> View:
        self.table.retry(action.device)
        return self.view

    @does(actions.Calibrate)
    def calibrate(self, action: actions.Calibrate) -> View:
        self.table.calibrate(action.height_mm)
        return self.view

    @does(actions.AskHeight, actions.KeepPictures, actions.LeaveAsked)
    def ask_at_the_check(
        self, action: actions.AskHeight | actions.KeepPictures | actions.LeaveAsked
    ) -> View:
        """What stands between a key of the table check and what it does."""
        match action:
            case actions.AskHeight(height_mm):
                self.table.ask_height(height_mm)
            case actions.KeepPictures(agreed, whole):
                self.table.keep_pictures(agreed=agreed, whole=whole)
            case actions.LeaveAsked() if self.table.eyes is not None:
                self.table.eyes.leave_asked()
            case _:
                pass
        return self.view

    @does(actions.KeepClip)
    def keep_clip(self, action: actions.KeepClip) -> View:
        self.table.keep_clip(action.seq)
        return self.view

    @does(actions.LearnLook, actions.ForgetLook)
    def teach(self, action: actions.LearnLook | actions.ForgetLook) -> View:
        """Begin a lesson before this table's camera; after it the next token is due."""
        eyes, watch = self.table.eyes, self.table.watch
        if eyes is None or watch is None:
            raise BadCall("no camera looks at the table: choose one in the settings")
        plan = getattr(self.referee.match.rulebook, "plan", None)  # a game may have no boards
        forget = isinstance(action, actions.ForgetLook)
        eyes.teach(watch, plan, Piece(action.piece), forget=forget)
        return self.view.opened(actions.Panel.TEACH, page=self.view.page)


# Challenges and late cards.


def call(action: actions.Call, referee: Referee, now: float, arbiter: str = "") -> Alert | None:
    """Do what was touched, in the arbiter's name; what the table is told of a late card's ruling.

    Error: BadCall where the late card waits no longer.
    """
    match action:
        case actions.OpenChallenge(by):
            named = bool(by)
            referee.presses.open(now, Seat(by or TABLE), named=named, author=arbiter)
        case actions.NameChallenger(by):
            referee.presses.call(now, Seat(by), author=arbiter)
        case actions.DisputeLine(seq):
            referee.presses.dispute(now, seq, author=arbiter)
        case actions.TellClaim(by, text):
            referee.presses.claim(now, Seat(by), text, author=arbiter)
        case actions.RuleLate(late, player):
            return _as_refusal(referee.late.rule(late, Seat(player), now, arbiter))
        case actions.LetLie(late):
            referee.late.let_lie(late, now)
            _note_in_time(referee, now, late, arbiter)
    return None


def _note_in_time(referee: Referee, now: float, late: LateCard, arbiter: str) -> None:
    """The log keeps that a card was let lie, who said so, and what had called it late.

    Whoever challenges said it; without a challenge the table did, at the screen.
    """
    challenge, key = referee.presses.challenge, referee.phase.key
    by = challenge.by if challenge is not None else TABLE
    card, seen_by = f"{late.team} {late.number}", "camera" if late.felt is None else "sensor"
    said = {"event": CARD_IN_TIME, "key": key, "by": str(by), "card": card, "seen_by": seen_by}
    referee.note_clock([said], now, by=arbiter)


def _as_refusal(notice: Notice | None) -> Alert | None:
    """What the box rules of it: hands do that now, so it is said where they look."""
    if notice is None:
        return None
    return Alert(notice.text, notice.way_out, notice.code, str(notice.cite), Mark.WARN)
