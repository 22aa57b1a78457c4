"""One moment of one match, with the words and the frame that every screen of it needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

from companion.core.question import Question, Ready
from companion.core.ruling import TABLE, Fact, Level, Notice, Seat
from companion.match.history import History, part_in_words
from ui.presenters.common import (
    Bottom,
    DeviceState,
    Frame,
    Key,
    KeyLook,
    Mark,
    Message,
    Refusal,
    Side,
    TopBar,
)
from ui.presenters.late import late_card, seen_late_card
from ui.presenters.mapping import MapView, view_of
from ui.presenters.names import Names
from ui.presenters.situation import Situation
from ui.touch.actions import Answer, AskUndo, Panel, Retry, Show, Solve, TrustRecord, Undo
from ui.touch.view import View

if TYPE_CHECKING:
    from companion.core.offers import SectionSeen
    from companion.match.match import Match
    from companion.referee.referee import Referee
    from ui.presenters.common import Device

HELD, BLOCKED = "Q-HELD", "Q-BLOCK"
"""The codes of answers that wait for the table: for a piece, and for all of it before a round."""
WITHOUT_CAMERA = Key("Without camera", TrustRecord())

LOG_KEY = Key("Log", Show(Panel.LOG), sign="log")
ARBITER_KEY = Key("Arbiter", Show(Panel.ARBITER), sign="arbiter")
UNDO_REASONS = ("wrong key", "misread")
MARKS = {Level.BLOCK: Mark.BAD, Level.WARN: Mark.WARN, Level.NOTE: Mark.NONE}


class Scene:
    """What presenters of a running match share. `BadCall` never comes from in here."""

    def __init__(self, situation: Situation, view: View) -> None:
        """Only with a referee: without a match there is no scene."""
        assert situation.referee is not None
        self.situation = situation
        self.view = view
        self.referee: Referee = situation.referee
        self.match: Match[Any] = self.referee.match
        self.now = situation.now

    # -- words -----------------------------------------------------------------------------

    @cached_property
    def names(self) -> Names:
        return Names.of(self.match.rulebook, self.match.setup.seats)

    @cached_property
    def history(self) -> History:
        return self.situation.history or History(self.match)

    @cached_property
    def facts(self) -> Sequence[Fact]:
        """The public facts alone: what is hidden at the table is hidden here."""
        return [fact for fact in self.match.position.facts() if fact.public]

    @cached_property
    def values(self) -> Mapping[str, Any]:
        """Public facts by name."""
        return {fact.name: fact.value for fact in self.facts}

    @cached_property
    def place(self) -> tuple[str, ...]:
        """Where in the book we are, in words: ("Round 7", "Section 3")."""
        return tuple(part_in_words(part) for part in self.match.position.where())

    @property
    def title(self) -> str:
        """The innermost place, as the title plate has it."""
        return self.place[-1].upper() if self.place else self.match.rulebook.title.upper()

    @property
    def where(self) -> str:
        """The places outside it."""
        return " · ".join(self.place[:-1])

    @cached_property
    def map(self) -> MapView:
        rules = self.match.rulebook
        return view_of(rules.plan, self.situation.settings.screen_side, rules.looks)

    # -- questions -------------------------------------------------------------------------

    @property
    def open(self) -> Mapping[str, Question[Any]]:
        return self.match.open

    @cached_property
    def waiting(self) -> list[Question[Any]]:
        """Open questions without an answer, those that silence answers last."""
        asked = [q for key, q in self.open.items() if key not in self.match.answered]
        return sorted(asked, key=lambda question: question.lapse is not None)

    @property
    def closing(self) -> Ready | None:
        """The word that closes the open form: whatever was not told then lapses."""
        words = [question for question in self.waiting if isinstance(question, Ready)]
        alone = len(words) == 1 and words[0].by == TABLE
        return words[0] if alone and len(self.open) > 1 else None

    def closing_key(self, closing: Ready, label: str, second: str = "") -> Key:
        """The next tap that says the closing word."""
        answer = Answer(closing.key, closing.opened, closing.word)
        return Key(label, answer, second, "next", KeyLook.GO)

    def seen(self, key: str) -> str:
        """The name of the option that sight offers for a question; empty without one."""
        offer = self.referee.sight.offered.get(key)
        return str(offer.raw) if offer is not None else ""

    def seen_age(self, key: str) -> str:
        """How long sight has offered it: "seen 0.3 s"."""
        offer = self.referee.sight.offered.get(key)
        return f"seen {max(0.0, self.now - offer.taken_at):.1f} s" if offer is not None else ""

    def seen_there(self, question: Question[Any]) -> SectionSeen | None:
        """What the camera sees on the section a question is about; None where it does not look."""
        sight = self.referee.sight
        if sight.sighting is None or sight.reading is None:
            return None
        return sight.sighting.cards.get(self.match.rulebook.seen_section(question))

    def side(self, seat: Seat) -> Side | None:
        return self.names.side(seat)

    # -- the frame -------------------------------------------------------------------------

    def frame(
        self,
        title: str = "",
        where: str | None = None,
        *,
        message: Message | None = None,
        next_key: Key | None = None,
        keys: Sequence[Key] | None = None,
        wide: bool = False,
    ) -> Frame:
        """Top bar, bottom row, what was refused and which device is lost."""
        row = self.base_keys() if keys is None else tuple(keys)
        shown = self._undo_message() if self.view.asking_undo else message or Message()
        if next_key is not None:
            next_key = self.unlit_if_blocked(next_key)
        top = TopBar(
            title or self.title,
            self.where if where is None else where,
            self.situation.devices,
            self.situation.settings.sound,
        )
        return Frame(top, Bottom(row, shown, next_key, wide), self.refusal, self.banner)

    def base_keys(self) -> tuple[Key, ...]:
        """Undo, Log, Arbiter; once Undo is touched, the same with a reason."""
        target = self.undo_target
        if self.view.asking_undo and target is not None:
            return (self.undo_key(), *(_undo_because(target, reason) for reason in UNDO_REASONS))
        return (self.undo_key(), LOG_KEY, ARBITER_KEY)

    def undo_key(self) -> Key:
        """The first touch names the goal, the second goes there."""
        target = self.undo_target
        if target is None:
            return Key("Undo", None, "not yet", "undo", KeyLook.IMPOSSIBLE)
        if self.view.asking_undo:
            return Key("Undo", Undo(target), "do it", "undo", KeyLook.CHOSEN)
        return Key("Undo", AskUndo(), sign="undo")

    @property
    def undo_target(self) -> int | None:
        """The log line that a plain undo takes back; None where the match began."""
        return self.match.last_act

    def _undo_message(self) -> Message:
        target = self.undo_target
        if target is None:
            return Message("Nothing to undo.")
        return Message(f"Back to before {self.line_in_words(target)}", "Undo again does it.")

    def line_in_words(self, seq: int) -> str:
        """A line of the log in short: "Section 3 · Reveal · Paws"."""
        entry = self.match.entries[seq]
        return self.history.place(entry.key) if entry.key else f"the {entry.kind}"

    # -- refusals and losses ---------------------------------------------------------------

    @property
    def refusal(self) -> Refusal | None:
        """What was not taken; else what blocks or warns."""
        if self.view.refusal is not None:
            return self.view.refusal
        refused = self.referee.refused
        waits = {HELD: bool(self.referee.held), BLOCKED: False}  # a block is told while it stands
        if refused is not None and waits.get(refused.code, True):
            cite = str(refused.cite) if refused.cite is not None else ""
            first, _, way_out = refused.text.partition(". ")
            key = WITHOUT_CAMERA if refused.code == HELD else None
            return Refusal(f"Not taken: {first}", way_out, refused.code, cite, key=key)
        late = late_card(self) or seen_late_card(self)
        return late or self.blocked or self._contradiction() or self._standing_notice()

    @cached_property
    def blocked(self) -> Refusal | None:
        """Why no word starts the round now; the referee says so, and takes none."""
        block = self.referee.block
        if block is None:
            return None
        cite = str(block.cite)
        return Refusal(block.text, block.way_out, block.code, cite, Mark.BAD, WITHOUT_CAMERA)

    def unlit_if_blocked(self, key: Key) -> Key:
        """The key, or its outline where the referee takes no answer of it now."""
        if self.blocked is None or not isinstance(key.action, Answer):
            return key
        question = self.open.get(key.action.key)
        if question is None or not self.match.starts_round(question):
            return key
        return replace(key, action=None, second="the table first", look=KeyLook.IMPOSSIBLE)

    def _contradiction(self) -> Refusal | None:
        """Told one way and seen another: both are said, and nobody wins silently."""
        reading = self.referee.sight.reading
        for fit in reading.contradicted if reading is not None else ():
            question = self.open.get(fit.key)
            if question is None or fit.key not in self.match.answered:
                continue
            told = question.in_words(self.match.answered[fit.key])
            seen = question.in_words(fit.option)
            answer = Answer(fit.key, question.opened, fit.option)
            text = f"Told: {told}. Seen: {seen}"
            key = Key("As seen", answer)
            return Refusal(text, "Correct the card or the table.", "SIGHT", "", Mark.WARN, key)
        return None

    @cached_property
    def notices(self) -> list[Notice]:
        """Blocks first, then warnings, then notes: reported ones and seen ones.

        Of what is seen nothing, while the table goes on without the camera.
        """
        sight = self.referee.sight
        every = [*self.match.notices.values(), *(() if sight.trusted else sight.notices)]
        order = list(Level)
        return sorted(every, key=lambda notice: order.index(notice.level))

    def _standing_notice(self) -> Refusal | None:
        reported = set(self.match.notices.values())
        for notice in self.notices:
            if notice.level is Level.NOTE:
                continue
            key = None
            if notice in reported:
                label = "Solved" if notice.level is Level.BLOCK else "Go on anyway"
                key = Key(label, Solve(notice.code))
            mark = MARKS[notice.level]
            return Refusal(notice.text, notice.way_out, notice.code, str(notice.cite), mark, key)
        return None

    @property
    def banner(self) -> Refusal | None:
        """The loud line: an open challenge, else what is in trouble."""
        return open_challenge(self.referee) or self.trouble

    @property
    def trouble(self) -> Refusal | None:
        """Answers that are not on disk, a part of ours that failed, lost devices."""
        if self.referee.unwritten:
            return Refusal("Not on disk yet", self.referee.unwritten, "DISK", "")
        if self.referee.phase.silent:
            return Refusal("Nothing sounds", self.referee.phase.silent, "SIGNALS", "")
        fault = self.referee.listeners.fault
        if fault:
            return Refusal("A part of the companion failed; the match goes on", fault, "FAULT", "")
        return lost_device(self.situation)


def _undo_because(target: int, reason: str) -> Key:
    return Key("Undo", Undo(target, reason), reason, "undo")


def open_challenge(referee: Referee | None) -> Refusal | None:
    """The banner of an open challenge, on whatever screen is looked at meanwhile."""
    challenge = referee.presses.challenge if referee is not None else None
    if referee is None or challenge is None:
        return None
    names = Names.of(referee.match.rulebook, referee.match.setup.seats)
    clock = referee.clock
    stands = "The clock stands until it is decided." if clock else "Nothing goes on until then."
    if clock is not None and clock.running:
        stands = "The clock runs. Arbiter: Decided."
    text = f"CHALLENGE: {challenger(names, challenge.by)}"
    return Refusal(text, stands, "CHALLENGE", "", Mark.WARN)


def challenger(names: Names, by: Seat) -> str:
    """Who challenges, in words: a team, else whoever holds the referee's button."""
    return names.label(by) if by != TABLE else "the arbiter"


def lost_device(situation: Situation) -> Refusal | None:
    """The banner of the first device that is lost, else of one with an alarm; with Retry."""
    lost = (device for device in situation.devices if device.state is DeviceState.LOST)
    alarmed = (device for device in situation.devices if device.alarm)
    device = next(chain(lost, alarmed), None)
    return _alarm(device) if device is not None else None


def _alarm(device: Device) -> Refusal:
    """What is wrong with it and since when; red where it tells nothing any more."""
    lost = device.state is DeviceState.LOST
    age = "" if not lost or device.age_s is None else f"{device.age_s:.0f} s"
    text = f"{device.label or device.name} lost{age and f' {age} ago'}"
    if device.alarm:
        text = f"{device.alarm}{age and f', {age}'}"
    retry = Key("Retry", Retry(device.name), sign="retry")
    mark = Mark.BAD if lost else Mark.WARN
    return Refusal(text, device.way_out, f"{device.name}-LOST", "", mark, retry)


def lit(key: Key, seen: str) -> Key:
    """A key that sight offers."""
    return replace(key, seen=seen) if seen else key
