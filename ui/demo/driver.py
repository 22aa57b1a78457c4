"""The bots that play the demonstration, the witness that checks its log, and what is counted.

The app learns only what it sees, hears from buttons, or is told at a reveal. `step` never waits: it
does one thing that a person would do now, and says when it wants to be called again.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from companion.core.errors import PanelError
from companion.core.offers import PictureState
from companion.core.question import Choose, Locked, Question, Ready, Roll
from companion.referee.presses import READY_BUTTONS
from companion.referee.sight import settled_places
from ui.scene.map import MapCell
from ui.scene.values import DeviceState, Die, Key
from ui.screens.arbiter.differ import DifferState
from ui.screens.beside.table_check import TableCheckState
from ui.screens.match.cards import CardsState
from ui.screens.match.field_poses import PoseSpace
from ui.screens.match.result import ResultState
from ui.screens.match.round import Phase, RoundState
from ui.screens.match.ruling import RulingState
from ui.touch import actions

if TYPE_CHECKING:
    from companion.core.board import Piece, Pose
    from companion.core.ruling import Json
    from companion.match.entry import Entry
    from companion.match.match import Match
    from ui.demo.drawn import DemoTable
    from ui.screens.registry import ScreenState
    from ui.table.table import Table


# The tally: rounds, touches, poses, rolls, cards, and where somebody helped.


@dataclass(slots=True)
class Poses:
    """How the app learned where pieces were put.

    `right` and `wrong`: answered by the camera; `asked`: told by a touch, counted by why it had to
    be.
    """

    right: int = 0
    wrong: int = 0
    asked: Counter[str] = field(default_factory=Counter[str])


@dataclass(slots=True)
class Rolls:
    """How the app learned what was rolled: read by the camera, or told by a touch."""

    right: int = 0
    wrong: int = 0
    told: int = 0


@dataclass(slots=True)
class Cards:
    """How the app learned of cards in sleeves: by the camera, or told by a touch."""

    right: int = 0
    wrong: int = 0
    asked: int = 0


@dataclass(slots=True)
class Tally:
    """What came of it: rounds played, rounds in which somebody had to help out, and why.

    `seen` counts the answers that the camera gave, `misled` names those that were wrong.
    """

    wanted: int | None = None
    rounds: int = 0
    helped: int = 0
    touches: int = 0
    seen: int = 0
    misled: list[str] = field(default_factory=list[str])
    reasons: list[str] = field(default_factory=list[str])
    poses: Poses = field(default_factory=Poses)
    rolls: Rolls = field(default_factory=Rolls)
    cards: Cards = field(default_factory=Cards)
    _helped_in: str = ""

    @property
    def full(self) -> bool:
        """Whether as many rounds were played as were asked for."""
        return self.wanted is not None and self.rounds >= self.wanted

    def help_out(self, place: str, reason: str) -> None:
        """Somebody had to do what the camera should have done; once a round counts."""
        if place != self._helped_in:
            self._helped_in = place
            self.helped += 1
        self.reasons.append(f"{place}: {reason}")


# The witness: the log as it grows, held against what the bots did.

WHICH_WAY = "which way"
NOTHING_MOVES = "nothing moves"
NOT_IN_TIME = "the camera did not answer in time"
CONFIRMED = "what the camera saw was confirmed"
TOLD = "told"


@dataclass(frozen=True, slots=True)
class Noted:
    """A question that is open: where each of its answers leaves pieces, by name, and no others.

    `asks_way`: it asks how pieces came to where they stand already, though not by the record yet.
    `of_cards`: it asks what lies on a section, and cards lie there in sleeves.
    """

    question: Question[Any]
    ends: Mapping[str, Mapping[Piece, Pose]]
    asks_way: bool
    of_cards: bool = False


class Witness:
    """One match seen through its log.

    `wants` is what the bots answer to a question; it is asked while the question is open if hands
    may be ahead of it, since afterwards the table looks otherwise.
    """

    def __init__(
        self,
        match: Match[Any],
        wants: Callable[[Question[Any]], Json],
        tally: Tally,
        *,
        sleeved: bool = False,
    ) -> None:
        self._sleeved = sleeved
        self._match = match
        self._wants = wants
        self._tally = tally
        self._noted: dict[str, Noted] = {}
        self._why: dict[str, str] = {}
        self._read = 0
        self._put: Mapping[Piece, Pose] = {}

    def because(self, key: str, why: str) -> None:
        """Say why somebody tells a pose now."""
        self._why[key] = why

    def read(self) -> None:
        """Count what was answered since."""
        entries = self._match.entries
        for entry in entries[self._read :]:
            noted = self._noted.pop(entry.key, None)
            if noted is not None and entry.kind == "answer":
                self._count(entry, noted)
        self._read = len(entries)

    def note(self) -> None:
        """Take down what is open now, before anybody answers it."""
        for key, question in self._match.open.items():
            if key in self._noted:
                continue
            if question.may_move:
                self._wants(question)
            self._noted[key] = self._as_noted(question)

    def _as_noted(self, question: Question[Any]) -> Noted:
        ends = ends_of(question)
        placement = self._match.position.placement()
        ahead = any(placement.get(piece) != pose for piece, pose in self._put.items())
        of_cards = self._sleeved and bool(self._match.rulebook.seen_section(question))
        return Noted(question, ends, asks_way=ahead and not ends, of_cards=of_cards)

    def _count(self, entry: Entry, noted: Noted) -> None:
        if entry.source == "camera":
            self._count_seen(entry, noted)
        elif noted.of_cards:
            self._tally.cards.asked += entry.source != "lapse"
        elif isinstance(noted.question, Roll):
            self._tally.rolls.told += 1
        elif noted.asks_way:
            self._tally.poses.asked[WHICH_WAY] += 1
        elif noted.ends:
            self._tally.poses.asked[self._why.pop(entry.key, TOLD)] += 1
        self._put = noted.ends.get(str(entry.answer), {})

    def _count_seen(self, entry: Entry, noted: Noted) -> None:
        self._tally.seen += 1
        wanted = self._wants(noted.question)
        right = agree(noted.question, entry.answer, wanted)
        if not right:
            self._tally.misled.append(f"{entry.key}: {entry.answer}, not {wanted}")
        if noted.ends:
            self._tally.poses.right += right
            self._tally.poses.wrong += not right
        if noted.of_cards:
            self._tally.cards.right += right
            self._tally.cards.wrong += not right
        if isinstance(noted.question, Roll):
            self._tally.rolls.right += right
            self._tally.rolls.wrong += not right


def ends_of(question: Question[Any]) -> Mapping[str, Mapping[Piece, Pose]]:
    """Where the answers to a choice leave pieces, by name; those that a camera cannot see are none.

    Nor are two that look alike. Cards that are revealed move pieces too, but nobody moves a piece
    to say which card it is.
    """
    if not isinstance(question, Choose):
        return {}
    shown = {option.name: option.shows for option in question.options_now() if option.shows}
    looks = Counter(tuple(sorted(shows.items())) for shows in shown.values())
    return {n: shows for n, shows in shown.items() if looks[tuple(sorted(shows.items()))] == 1}


def agree(question: Question[Any], seen: Json, wanted: Json) -> bool:
    """Whether the camera answered what the bots did; dice lie there in any order."""
    if isinstance(question, Roll) and isinstance(seen, list) and isinstance(wanted, list):
        return sorted(map(str, seen)) == sorted(map(str, wanted))
    return seen == wanted


# Finding the key on a screen that says what somebody wants to say.

_NOTHING = object()


def actions_on(state: object) -> Iterator[actions.Action]:
    """Every action that a touch on this screen can mean, in the order of the screen."""
    if isinstance(state, Key | MapCell | PoseSpace | Die):
        if state.action is not None:
            yield state.action
    elif isinstance(state, tuple):
        for part in cast("tuple[object, ...]", state):
            yield from actions_on(part)
    else:
        for name in _fields_of(cast("Hashable", type(state))):
            yield from actions_on(getattr(state, name))


@cache
def _fields_of(kind: Any) -> tuple[str, ...]:
    """What a class of screens consists of, by name; nothing of what is no dataclass."""
    return tuple(named.name for named in fields(kind)) if is_dataclass(kind) else ()


def touch_for(state: object, key: str, wanted: Json) -> actions.Action | None:
    """The touch that answers question `key` as wanted, or that leads towards it; None: no key."""
    shown = list(actions_on(state))
    for action in shown:
        if isinstance(action, actions.Answers):
            given = {answer.key: answer.raw for answer in action.answers}
            if given.get(key, _NOTHING) == wanted:
                return action
    for action in shown:
        if isinstance(action, actions.Answer) and action.key == key and action.raw == wanted:
            return action
    typed = (action for action in shown if isinstance(action, actions.AddWords))
    for title in typed:  # the keyboard lies between: what is taken there is the answer
        answer = title.answer
        if answer.key == key and f"{wanted} ".startswith(f"{answer.raw} "):
            return replace(answer, raw=wanted)
    return _put_together(shown, key, wanted) or _opened(shown, wanted) or _turned(state)


def _turned(state: object) -> actions.TurnPage | None:
    """The later page of a list whose screen turns it by keys of its own."""
    page, pages = getattr(state, "page", 1), getattr(state, "pages", 1)
    return actions.TurnPage(1) if page < pages else None


def _put_together(shown: Sequence[actions.Action], key: str, wanted: Json) -> actions.Action | None:
    """The touch after which most of an answer of several parts stands as wanted."""
    begun = [action for action in shown if isinstance(action, actions.FillForm | actions.Fill)]
    begun = [action for action in begun if action.answer.key == key]
    if isinstance(wanted, int):
        return _stepped(begun, wanted)
    right = [(_right_parts(action.answer.raw, wanted), action) for action in begun]
    most = max((count for count, _ in right), default=0)
    return next((action for count, action in right if count == most > 0), None)


def _stepped(
    begun: Sequence[actions.FillForm | actions.Fill], wanted: int
) -> actions.Action | None:
    """The touch that gives a number, else types the next figure of it, else chooses its row."""
    given = (action for action in begun if isinstance(action, actions.FillForm))
    whole = next((action for action in given if action.answer.raw == wanted), None)
    typed = [action for action in begun if str(wanted).startswith(str(action.answer.raw))]
    longest = max(typed, key=lambda action: len(str(action.answer.raw)), default=None)
    row = next((action for action in begun if action.answer.raw is None), None)
    return whole or longest or row


def _opened(shown: Sequence[actions.Action], wanted: Json) -> actions.Action | None:
    """What opens the keys behind which the answer lies; else what turns the page."""
    pads = [
        action
        for action in shown
        if isinstance(action, actions.Show) and action.panel is actions.Panel.PAD
    ]
    named = (pad for pad in pads if pad.part and str(wanted).startswith(f"{pad.part} "))
    later = (action for action in shown if isinstance(action, actions.TurnPage) and action.step > 0)
    return next(named, None) or next(later, None) or next(iter(pads), None)


def _right_parts(raw: Json, wanted: Json) -> int:
    """How many parts of an answer are as wanted; none where one is not.

    >>> _right_parts([5, 0], [5, 3]), _right_parts([3, 0], [5, 3]), _right_parts({"a": 1}, {"a": 2})
    (1, 0, 1)
    >>> _right_parts(["1"], ["1", "3"]), _right_parts(4, 4), _right_parts(4, 5)
    (1, 1, 0)
    """
    if isinstance(raw, Mapping) and isinstance(wanted, Mapping):
        counts = [(_number(count), _number(wanted.get(part))) for part, count in raw.items()]
        return sum(have for have, _ in counts) if all(h <= w for h, w in counts) else 0
    if isinstance(raw, list) and isinstance(wanted, list):
        return _right_items(raw, wanted)
    return int(raw == wanted)


def _right_items(raw: Sequence[Json], wanted: Sequence[Json]) -> int:
    """Dice by their place (0: not told yet), names in the order in which they are wanted."""
    if all(isinstance(item, str) for item in raw):
        return len(raw) if [*raw] == [*wanted[: len(raw)]] else 0
    told = [(have, want) for have, want in zip(raw, wanted, strict=False) if have]
    return len(told) if all(have == want for have, want in told) else 0


def _number(value: Json) -> int:
    return value if isinstance(value, int) else 0


# The driver.

Act = Callable[["actions.Action"], None]

THINKING_S = 0.8
"""How long somebody looks before touching."""
READING_S = 1.6
"""How long a ruling is looked at."""
SIGHT_PATIENCE_S = 6.0
"""After so long the camera has not answered: somebody taps, and the round needed a human."""

DICE_PATIENCE_S = 1.5
"""After so long with the dice at rest somebody tells them: the camera is in doubt."""


CARDS_PATIENCE_S = 2.0
"""After so long with sleeves at rest somebody tells the card: the camera is in doubt."""


class DemoDriver:
    """Plays one match, or as many rounds as the tally still wants of it.

    `touch` does what a touch on the screen does; `haste` is how many times faster than people the
    bots look and touch.
    """

    def __init__(
        self, table: Table, demo: DemoTable, touch: Act, tally: Tally, haste: float = 1.0
    ) -> None:
        self.table = table
        self.demo = demo
        self.tally = tally
        self.next_at = 0.0
        self._touch = touch
        self._performed = 0
        self._asked = ""
        self._asked_at = 0.0
        self._put_for = ""
        self._round = ""
        self._wanted: dict[str, Json] = {}
        self._moved_first: set[str] = set()
        self._rolled = ""
        self._rolled_at = self._dice_seen_at = -math.inf
        self._cards_for, self._cards_rest_at = "", -math.inf
        self.witness = Witness(self.match, self._wants, tally, sleeved=demo.sleeved)
        self.enough = False
        self._haste = haste

    @property
    def match(self) -> Match[Any]:
        return self.table.refereed().match

    @property
    def over(self) -> bool:
        """Whether the match has its outcome, or rounds enough were played."""
        match = self.table.match
        return self.enough or match is None or match.outcome is not None

    def step(self, state: ScreenState, now: float) -> None:
        """Do what is to be done at the table, or on the screen that is shown now."""
        self.witness.read()
        self._follow_rulings()
        self.witness.note()
        if now < self.next_at:
            return
        self.demo.look()
        self.demo.follow()
        if self.demo.busy and not self._nobody_looks(now):
            return
        self._at_screen(state, now)

    def _nobody_looks(self, now: float) -> bool:
        """Hands go on where a camera was pulled and is lost; whether they had to.

        Where given time is stepped, frames are drawn only when something moves: that alone makes
        a camera look frozen between them.
        """
        watch = self.table.watch
        if watch is None or not self.demo.drawn.unplugged:
            return False
        if watch.device(now).state is not DeviceState.LOST:
            return False
        self.demo.finish_unseen()
        return True

    def _follow_rulings(self) -> None:
        """Do at the table what was ruled since; nobody looks at the record for it."""
        rulings = self.match.rulings
        deeds = [deed for ruling in rulings[self._performed :] for deed in ruling.deeds]
        if deeds:
            self.demo.perform(deeds)
        self._performed = len(rulings)

    def _at_screen(self, state: ScreenState, now: float) -> None:
        self.demo.waits = False
        match state:
            case TableCheckState():
                if self._sight_agrees() or self._is_late("table check", now):
                    self._go_on(state, now, actions.Checked())
            case DifferState():
                self._settle_difference(now)
            case RoundState():
                self._play_round(state, now)
            case RulingState():
                self._read_ruling(state, now)
            case ResultState():
                pass
            case CardsState(deeds=(_, *_)):
                self._answer_after_deeds(state, now)
            case _:
                self._answer(state, now)

    def _go_on(self, state: ScreenState, now: float, action: actions.Action | None = None) -> None:
        """Touch the next tap."""
        key = state.frame.bottom.next
        chosen = action or (key.action if key is not None else None)
        if chosen is not None:
            self._do(chosen, now, THINKING_S)

    def _do(self, action: actions.Action, now: float, pause_s: float) -> None:
        self.tally.touches += 1
        self._touch(action)
        self._rest(now, pause_s)

    def _rest(self, now: float, pause_s: float) -> None:
        self.next_at = now + pause_s / self._haste

    # -- the round -------------------------------------------------------------------------

    def _play_round(self, state: RoundState, now: float) -> None:
        """Cards are laid while the time runs; a phase without a timer is ended by its players."""
        if state.phase is Phase.LOCKED:
            self._go_on(state, now)
            return
        for key, question in self.match.open.items():
            if not isinstance(question, Locked) or key in self.match.answered:
                continue
            word = self.demo.bots.act(question)
            self.demo.show_cards()
            if question.seconds is None:
                self._do(actions.Answer(key, question.opened, word), now, THINKING_S)
                return
        if self.table.refereed().clock is not None and not self._running():
            self._do(actions.Resume(), now, THINKING_S)

    def _running(self) -> bool:
        clock = self.table.refereed().clock
        return clock is not None and clock.running

    def _in_round(self) -> bool:
        """Whether what is asked now is still to be played; a round is counted when it begins."""
        place = self.match.rulebook.split_key(next(iter(self.match.open), ""))[0]
        if place and place != self._round:
            if self.tally.full:
                self.enough = True
                return False
            self._round = place
            self.tally.rounds += 1
            self.demo.disturb()
        return True

    # -- rulings ---------------------------------------------------------------------------

    def _read_ruling(self, state: RulingState, now: float) -> None:
        """Done is touched once the camera has seen the pieces where they belong."""
        if not self._sight_agrees() and not self._is_late("ruling", now):
            return
        self._asked = ""
        self._go_on(state, now)
        self._rest(now, READING_S)

    def _answer_after_deeds(self, state: CardsState, now: float) -> None:
        """The next card is told once the camera has seen the pieces where they belong."""
        if self._sight_agrees() or self._is_late("ruling", now):
            self._asked = ""
            self._answer(state, now)

    def _sight_agrees(self) -> bool:
        sighting = self.table.refereed().sight.sighting
        if sighting is None or sighting.state is not PictureState.SETTLED:
            return False
        if self.demo.changed:
            return False
        free = {piece for question in self.match.open.values() for piece in question.may_move}
        position, seen = self.match.position, settled_places(sighting)
        unseen = free | position.covered()
        placement = position.placement()
        return all(seen.get(p) == pose for p, pose in placement.items() if p not in unseen)

    def _is_late(self, what: str, now: float) -> bool:
        """Whether the camera had its time; then somebody helps out, and it is counted."""
        if self._asked != what:
            self._asked, self._asked_at = what, now
            return False
        if now - self._asked_at < SIGHT_PATIENCE_S:
            return False
        self.tally.help_out(self._round, f"the camera did not confirm the {what}")
        return True

    def _settle_difference(self, now: float) -> None:
        """The record is right and a token is not: somebody puts it back. Else look again."""
        placement = self.match.position.placement()
        true = self.demo.drawn.truth()
        astray = {piece: pose for piece, pose in placement.items() if true.get(piece) != pose}
        self.tally.help_out(self._round, f"table and record differ: {', '.join(astray) or 'sight'}")
        if astray:
            self.demo.put_back(astray)
            self._do(actions.FollowRecord(), now, THINKING_S)
        else:
            self._do(actions.LookAgain(), now, THINKING_S)

    # -- answers ---------------------------------------------------------------------------

    def _answer(self, state: ScreenState, now: float) -> None:
        """One touch or one press: first what lies there, then the word that closes the form."""
        if self.table.refereed().block is not None and not self._is_late("start of a round", now):
            return  # hands have done what they owe, and the camera has not settled yet
        refusal = state.frame.refusal
        if refusal is not None and refusal.key is not None and refusal.key.action is not None:
            self.tally.help_out(self._round, f"{refusal.code}: {refusal.key.label}")
            self._do(refusal.key.action, now, THINKING_S)
            return
        if not self._in_round():
            return
        words: list[Ready] = []
        silent: list[Question[Any]] = []
        for key, question in self.match.open.items():
            waits = [question] if key not in self.match.answered else []
            if isinstance(question, Ready):
                words += [question] if waits else []
            elif not self._is_told(question):
                self._tell(question, state, now)
                return
            else:
                silent += waits
        if words:
            self._say(words[0], state, now)
        elif silent:  # no word ends this silence but theirs
            self._tell(silent[0], state, now)

    def _wants(self, question: Question[Any]) -> Json:
        """What the bots answer; they make up their minds once."""
        if question.key not in self._wanted:
            raw = self.demo.bots.act(question)
            self._wanted[question.key] = question.parse(raw).plain
        return self._wanted[question.key]

    def _is_told(self, question: Question[Any]) -> bool:
        """Whether the screen knows it already, or silence says it."""
        wanted = self._wants(question)
        if question.key in self.match.answered:
            return self.match.answered[question.key] == wanted
        return question.lapse is not None and question.judge(question.lapse).plain == wanted

    def _say(self, question: Ready, state: ScreenState, now: float) -> None:
        """A team presses its button, everybody else touches."""
        if self._push(question, now):
            return
        action = touch_for(state, question.key, question.word)
        self._do(
            action or actions.Answer(question.key, question.opened, question.word), now, THINKING_S
        )

    def _push(self, question: Ready, now: float) -> bool:
        """Press the team's own button; False where there is none to press."""
        signals, seats = self.table.signals, self.match.rulebook.buttons
        if signals is None or question.by not in seats[: len(READY_BUTTONS)]:
            return False
        try:
            signals.push(READY_BUTTONS[seats.index(question.by)])
        except PanelError:
            return False  # real buttons are pressed by fingers
        self._rest(now, THINKING_S)
        return True

    def _tell(self, question: Question[Any], state: ScreenState, now: float) -> None:
        """Tell what lies there; what the camera can see is done and left to it."""
        wanted = self._wants(question)
        begun = self._begins_to_move(question) or self._rolls(question, wanted, now)
        begun = begun or self._lies_in_sight(question, now)
        if begun or self._by_sight(question, wanted, now):
            self._take_offer(question, wanted, state, now)
            return
        self._asked = ""
        action = _next_tap(state, question, wanted) or touch_for(state, question.key, wanted)
        if action is None:
            self.tally.help_out(self._round, f"no key for {question.key} = {wanted}")
            action = actions.Answer(question.key, question.opened, wanted)
        self._do(action, now, THINKING_S)

    def _begins_to_move(self, question: Question[Any]) -> bool:
        """Whether a piece is moved now that will be told of later."""
        if not question.may_move or question.key in self._moved_first:
            return False
        self._moved_first.add(question.key)
        return self.demo.moves_first(question)

    def _rolls(self, question: Question[Any], wanted: Json, now: float) -> bool:
        """Dice that are rolled in sight are read by the camera; whether it still may."""
        if not isinstance(question, Roll) or not isinstance(wanted, list):
            return False
        if self._rolled != question.key:
            self._rolled = question.key
            in_sight = self.demo.throw([int(str(die)) for die in wanted])
            self._rolled_at = self._dice_seen_at = now if in_sight else -math.inf
        elif self.demo.changed or self._reads_dice:
            self._dice_seen_at = now
        in_time = now < self._rolled_at + SIGHT_PATIENCE_S
        return in_time and now < self._dice_seen_at + DICE_PATIENCE_S

    @property
    def _reads_dice(self) -> bool:
        watch = self.table.watch
        return watch is not None and watch.tracker is not None and watch.tracker.reads_dice

    def _lies_in_sight(self, question: Question[Any], now: float) -> bool:
        """Cards in sleeves are read by the camera; whether it still may."""
        if not self.demo.sleeved or not self.match.rulebook.seen_section(question):
            return False
        self.demo.show_cards()
        if self._cards_for != question.key or self.demo.changed:
            self._cards_for, self._cards_rest_at = question.key, now
        self.demo.waits = now < self._cards_rest_at + CARDS_PATIENCE_S
        return self.demo.waits

    def _take_offer(
        self, question: Question[Any], wanted: Json, state: ScreenState, now: float
    ) -> None:
        """Where sight waits for a tap, what it offers stands where the next tap is."""
        key = state.frame.bottom.next
        offered = key.action if key is not None else None
        if not isinstance(offered, actions.Answer) or offered.key != question.key:
            return
        waits = self.match.rulebook.options.get("sight") != "accept"
        if waits and agree(question, offered.raw, wanted):
            self.witness.because(question.key, CONFIRMED)
            self._do(offered, now, THINKING_S)

    def _by_sight(self, question: Question[Any], wanted: Json, now: float) -> bool:
        """A piece is put down first, and the camera answers; whether it still may."""
        shows = ends_of(question).get(str(wanted), {})
        placement = self.match.position.placement()
        if all(placement.get(piece) == pose for piece, pose in shows.items()):
            self.witness.because(question.key, NOTHING_MOVES)
            return False
        if self._put_for != question.key:
            self._put_for = question.key
            self.demo.put(shows)
            return True
        if not self._is_late(question.key, now):
            return True
        self.witness.because(question.key, NOT_IN_TIME)
        return False


def _next_tap(state: ScreenState, question: Question[Any], wanted: Json) -> actions.Action | None:
    """The next tap, where it says just that, in whatever form."""
    key = state.frame.bottom.next
    answer = key.action if key is not None else None
    if not isinstance(answer, actions.Answer) or answer.key != question.key:
        return None
    return answer if question.parse(answer.raw).plain == wanted else None
