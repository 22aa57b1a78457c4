"""One moment of one table as screens see it: the situation, the match's scene, frames and pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from companion.core.question import Question, Ready
from companion.core.ruling import TABLE, Fact, Json, Level, Notice, Seat
from companion.core.text import counted
from companion.match.history import History, part_in_words
from companion.record.evidence import EvidencePart
from companion.referee.teaching import last_miss
from ui.scene.books import part_of
from ui.scene.map import MapView, view_of
from ui.scene.steps import has_coordinates
from ui.scene.values import (
    Alert,
    Bottom,
    Device,
    DeviceState,
    Hindsight,
    Key,
    KeyLook,
    Line,
    Mark,
    Message,
    Picture,
    ScreenFrame,
    Side,
    TopBar,
)
from ui.scene.words import Names, age_in_words, said_of_disk
from ui.table.evidence import Kept
from ui.table.settings import Settings
from ui.touch import actions
from ui.touch.view import View

if TYPE_CHECKING:
    from companion.core import offers
    from companion.core.board import Look
    from companion.core.offers import SectionSeen
    from companion.match.match import Match
    from companion.referee.referee import Referee
    from companion.season.seating import CountedBy
    from companion.season.statistics import Counted
    from ui.table.calibration import EyesState
    from ui.table.export import ExportPlace
    from ui.table.previews import CameraSeen


SHORT_ANSWER = 24
"""Letters of an answer that Undo tells beside its place."""

# Evidence kept with the log, in words.


def evidence_words(scene: Scene, seq: int) -> str:
    """What is kept with a line, as the log says it; empty where nothing is."""
    files = scene.situation.kept.of_line(seq)
    if not files:
        return ""
    pictures = sum(file.part is not EvidencePart.CLIP for file in files)
    clips = len(files) - pictures
    counts = [f"{pictures} picture{'s' if pictures > 1 else ''}"] if pictures else []
    counts += [f"{clips} clip{'s' if clips > 1 else ''}"] if clips else []
    return f"{' and '.join(counts)}, {scene.situation.clock(files[0].at_utc)}"


def evidence_keys(scene: Scene, seq: int | None) -> tuple[Key, ...]:
    """The pictures kept with a line, and the way to keep more where a camera looks."""
    kept = scene.situation.kept
    if seq is None or not (kept.clips or kept.of_line(seq)):
        return ()
    return (Key("Evidence", actions.Show(actions.Panel.EVIDENCE, str(seq)), sign="eye"),)


def zero_words(kept: Kept, clock: Callable[[str], str]) -> str:
    """What the locked screen says of the picture at the buzzer."""
    if kept.zero is not None:
        return f"Picture kept as evidence, {clock(kept.zero.at_utc)}"
    return f"No picture kept: {kept.trouble}" if kept.trouble else ""


# The situation: everything that screens look at, gathered by the table at one moment.


@dataclass(frozen=True, slots=True)
class PastMatch:
    """One match of the record: `summary` is how it ended, or what is asked next.

    `pieces` are the looks of what its sides fly; `begun`: a question was answered, or no
    later match was set up instead; `demonstration`: bots played it; `people`: who was named at its
    seats; `box`: whose match it is. `saved` tells of the damaged
    file that it comes from, at whose end lines may be lost.
    """

    match_id: str
    title: str
    subtitle: str
    players: tuple[str, ...]
    summary: str
    at: str
    ended: bool
    trouble: str = ""
    teams: tuple[Line, ...] = ()
    pieces: tuple[Look, ...] = ()
    begun: bool = True
    demonstration: bool = False
    saved: str = ""
    people: tuple[str, ...] = ()
    box: str = ""

    @property
    def offered(self) -> bool:
        """Whether home offers to go on with it: people began it, and it has no end."""
        return self.begun and not (self.ended or self.trouble or self.demonstration)


def no_picture() -> Picture | None:
    """Where no camera looks, or not every board is seen."""
    return None


@dataclass(frozen=True, slots=True)
class PastLook:
    """A past match as far as it can be read without being gone on with.

    `sheet` has a line for each seat with its counts, `reason` says how it ended with the ids of its
    rules, `first_picture` is the log line of the first of its `pictures` (-1: none is kept).
    """

    match: PastMatch
    winners: tuple[Side, ...] = ()
    won: str = ""
    reason: str = ""
    sheet: tuple[Line, ...] = ()
    facts: tuple[str, ...] = ()
    pictures: int = 0
    first_picture: int = -1
    trouble: str = ""


class Exchanging(NamedTuple):
    """Whether a part of the table that settings choose is exchanged at once, or waits now."""

    at_once: bool = False
    waits: bool = False


NOT_EXCHANGED = Exchanging()


class ChosenMatches(NamedTuple):
    """Of which matches the statistics tell: of a box, of so many days until now, with a player.

    What is empty, or 0, leaves no match out.
    """

    box: str = ""
    days: int = 0
    who: str = ""


EVERY_MATCH = ChosenMatches()


class PastReader:
    """The past matches as screens look into them; a table has one, this one is empty."""

    def look(self, match_id: str) -> PastLook | None:
        """One of them in full; None for one that is not listed."""
        return None

    def counted(
        self, about: CountedBy, chosen: ChosenMatches = EVERY_MATCH
    ) -> tuple[Counted, ...] | None:
        """The statistics of one kind of thing, the busiest first; None while they are counted."""
        return ()

    def places(self) -> tuple[ExportPlace, ...]:
        """Where a match may be written to now."""
        return ()

    def is_new(self, box: str) -> bool:
        """Whether nobody has begun a match of this box here, but for the one under way."""
        return False


EMPTY = PastReader()


@dataclass(frozen=True, slots=True)
class Situation:
    """One table at one moment; `now` is monotonic s.

    `clock` turns a log line's UTC into the table's time of day, `day` into its date and time.
    `voice_trouble` is why the voice that is wanted is not heard. `own_figures` are what this table
    has read off its own copies, by box, `own_files` where. `kept` are the pictures kept with the
    match. `hindsight` is the search for an answer that would have hit (None: nobody asked).
    `checked` says that the table check of this match was left. `arbiter` is who corrects the record
    in this sitting (None: nobody was asked, empty: nobody says), `arbiters` who did of late.
    `eyes` is how well the camera knows where the boards lie; None without a camera. `started_with`
    are the settings that the app was started with (None: these very ones). `exchange`
    says whether another camera or other pins work at once; `cameras` looks at those there are.
    `flat`, when it is called, draws every board of the camera's picture flat, as it lies before
    the screen.
    """

    now: float
    referee: Referee | None = None
    history: History | None = None
    match_id: str = ""
    settings: Settings = field(default_factory=Settings)
    settings_trouble: str = ""
    voice_trouble: str = ""
    started_with: Settings | None = None
    exchange: Exchanging = NOT_EXCHANGED
    cameras: Callable[[], tuple[CameraSeen, ...]] = tuple
    devices: tuple[Device, ...] = ()
    picture: Callable[[], Picture | None] = no_picture
    flat: Callable[[], Picture | None] = no_picture
    eyes: EyesState | None = None
    matches: tuple[PastMatch, ...] = ()
    past: PastReader = EMPTY
    hindsight: Hindsight | None = None
    live_url: str = ""
    parts: tuple[Line, ...] = ()
    clock: Callable[[str], str] = lambda at_utc: at_utc[11:19]
    day: Callable[[str], str] = lambda at_utc: at_utc[:16].replace("T", " ")
    own_figures: Mapping[str, Mapping[str, Json]] = field(default_factory=dict[str, Any])
    own_files: Mapping[str, str] = field(default_factory=dict[str, str])
    code: str = ""
    checked: bool = True
    arbiter: str | None = None
    arbiters: tuple[str, ...] = ()
    kept: Kept = field(default_factory=Kept)


# Late cards, felt by a slot sensor or seen by the camera: what is known, who decides.

SENSED, CAMERA = "SENSOR", "CAMERA"
"""Stands where other refusals have their code: who says so."""
BY_PICTURES = "late"
"""The part of the evidence on which a late card is decided."""


def late_card(scene: Scene) -> Alert | None:
    """The first late card that nobody has ruled on: whose it is, or none's, one touch decides.

    None where no sensor saw one, or nobody is seated who may have laid it.
    """
    felt = [late for late in scene.referee.late.waiting if late.felt is not None]
    if not felt:
        return None
    late, queue = felt[0], f" (1 of {len(felt)})" if len(felt) > 1 else ""
    keys = [_key(scene, late, seat) for seat in scene.referee.late.whose(late)]
    if not keys:
        return None
    text = f"Late card: {section_words(scene, late)}. Whose?{queue}"
    in_time = Key("In time", actions.LetLie(late))
    return Alert(text, _evidence(late), SENSED, "", Mark.WARN, keys[0], (*keys[1:], in_time))


def _evidence(late: offers.LateCard) -> str:
    """The sensor's own words; a card that was lifted elsewhere first came from there."""
    moved = f", from {late.left}" if late.left is not None else ""
    return f"Laid {late.felt}{moved}"


def _key(scene: Scene, late: offers.LateCard, seat: Seat) -> Key:
    player, label = scene.names.player(seat), scene.names.label(seat)
    role = scene.names.role(seat) if label != player else ""
    return Key(player, actions.RuleLate(late, str(seat)), role)


def seen_late_card(scene: Scene) -> Alert | None:
    """The first one that the camera saw and nobody ruled on, with the way to its two pictures."""
    waiting = seen_late(scene)
    if not waiting:
        return None
    late, queue = waiting[0], f" (1 of {len(waiting)})" if len(waiting) > 1 else ""
    key = Key("Decide", actions.Show(actions.Panel.EVIDENCE, BY_PICTURES), "by two pictures")
    text = f"Late card? {section_words(scene, late)}{queue}"
    return Alert(text, said_words(scene, late), CAMERA, "", Mark.WARN, key)


def seen_late(scene: Scene) -> list[offers.LateCard]:
    """Late cards that the camera saw and nobody has ruled on."""
    return [late for late in scene.referee.late.waiting if late.felt is None]


def section_words(scene: Scene, late: offers.LateCard) -> str:
    """The section in words: "Jaws 4"."""
    return f"{scene.names.label(late.team)} {late.number}"


def said_words(scene: Scene, late: offers.LateCard) -> str:
    """What the camera knows of it."""
    seats = scene.referee.late.whose(late)
    whose = f"{scene.names.label(seats[0])}'s card" if late.owner and seats else "A card"
    if not late.sure:
        return f"{whose}; at the buzzer a hand was over it"
    if late.moved_from:
        return f"{whose}, moved from {late.moved_from.replace('.', ' ')}"
    return f"{whose} was not there at the buzzer"


def _looked_back(found: Hindsight) -> Alert:
    """Which answer would have hit, as far as it is known."""
    if found.told is None:
        tried = f"Answers tried: {found.tried} of at most {found.most}"
        return Alert("Would another answer have hit?", tried, "", "", Mark.ASK, STOP_LOOKING)
    first, _, more = found.told.partition(". ")
    return Alert(first or "Nothing was missed", more, "", "", Mark.OK)


# The scene of a running match.

HELD, BLOCKED = "Q-HELD", "Q-BLOCK"
"""The codes of answers that wait for the table: for a piece, and for all of it before a round."""
WITHOUT_CAMERA = Key("Without camera", actions.TrustRecord())
WHAT_WOULD = Key("What would?", actions.WhatWould())
WOULD_HIT = Key("Would?", actions.WhatWould(), sign="ask")
STOP_LOOKING = Key("Stop", actions.WhatWould())
"""After a refusal or a miss, where a table teaches: which legal answer would have done it."""

SIDES = ("near", "far")
"""Where two sides sit when the screen lies flat between them."""
LOG_KEY = Key("Log", actions.Show(actions.Panel.LOG), sign="log")
ARBITER_KEY = Key("Arbiter", actions.Show(actions.Panel.ARBITER), sign="arbiter")
UNDO_REASONS = ("wrong key", "misread")
PLACE_PARTS = 3
"""What of a place an undo names, its end: more has no room beside the keys."""
_UNDONE_MOST = 40
"""Letters of a place with its answer: longer ones are told without the answer."""
MARKS = {Level.BLOCK: Mark.BAD, Level.WARN: Mark.WARN, Level.NOTE: Mark.NONE}


class Scene:
    """What screens of a running match share. `BadCall` never comes from in here."""

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
        answer = actions.Answer(closing.key, closing.opened, closing.word)
        return Key(label, answer, second, "next", KeyLook.GO)

    def is_opposite(self, seats: Iterable[Seat]) -> bool:
        """Face to face: whether all of these sit across the screen, the second of two sides.

        Of an even number of players without teams it is the one straight across; nobody of an odd.
        """
        if not self.situation.settings.face_to_face:
            return False
        sides, seated = self.names.sides, list(self.names.seats)
        if len(sides) == len(SIDES):
            opposite = sides[1]
        elif len(seated) % 2 == 0 and seated:
            opposite = seated[len(seated) // 2]
        else:
            return False
        side_of = self.names.side_of
        asked = [seat for seat in seats if seat != TABLE]
        return bool(asked) and all(opposite in (seat, side_of.get(seat, seat)) for seat in asked)

    def seen(self, key: str) -> str:
        """The name of the option that sight offers for a question; empty without one."""
        offer = self.referee.sight.offered.get(key)
        return str(offer.raw) if offer is not None else ""

    def seen_age(self, key: str) -> str:
        """How long sight has offered it: "seen now", "seen 3 s"."""
        offer = self.referee.sight.offered.get(key)
        if offer is None:
            return ""
        return f"seen {age_in_words(self.now - offer.taken_at) or 'now'}"

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
    ) -> ScreenFrame:
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
        return ScreenFrame(top, Bottom(row, shown, next_key, wide), self.refusal, self.banner)

    def base_keys(self) -> tuple[Key, ...]:
        """Undo, Log, Arbiter; once Undo is touched, the same with a reason."""
        target = self.undo_target
        if self.view.asking_undo and target is not None:
            return (self.undo_key(), *(_undo_because(target, reason) for reason in UNDO_REASONS))
        return (self.undo_key(), LOG_KEY, ARBITER_KEY, *self.after_miss)

    def undo_key(self) -> Key:
        """The first touch names the goal, the second goes there."""
        target = self.undo_target
        if target is None:
            return Key("Undo", None, "not yet", "undo", KeyLook.IMPOSSIBLE)
        if self.view.asking_undo:
            return Key("Undo", actions.Undo(target), "do it", "undo", KeyLook.CHOSEN)
        return Key("Undo", actions.AskUndo(), sign="undo")

    @property
    def undo_target(self) -> int | None:
        """The log line that a plain undo goes back to; None where the match began.

        Of several answers that one touch gave the first, as long as nothing came after them.
        """
        last, together = self.match.last_act, self.view.together
        whole = last is not None and last in together and not self.match.answered
        return together[0] if whole else last

    def _undo_message(self) -> Message:
        target = self.undo_target
        if target is None:
            return Message("Nothing to undo.")
        told = " · ".join(self.line_in_words(target).split(" · ")[-PLACE_PARTS:])
        if target != self.match.last_act:
            told = f"{counted(len(self.view.together), 'answer')}: {told}"
        else:
            longer = told + self._answered_in_words(target)
            told = longer if len(longer) <= _UNDONE_MOST else told
        return Message(f"Back to before {told}", "Undo again does it.")

    def line_in_words(self, seq: int) -> str:
        """A line of the log in short: "Section 3 · Reveal · Paws"."""
        entry = self.match.entries[seq]
        if not entry.key:
            return f"the {entry.kind}"
        names = {str(seat).lower(): self.names.called(seat) for seat in self.names.seats}
        words = self.history.place(entry.key).split(" · ")
        return " · ".join(names.get(word.lower(), word) for word in words)

    def _answered_in_words(self, seq: int) -> str:
        """What was answered, where that is short and no coordinates, as no board has in print."""
        told = self.history.told.get(seq)
        said = told.said if told is not None else ""
        is_short = 0 < len(said) <= SHORT_ANSWER and not has_coordinates(said)
        return f": {said}" if is_short else ""

    # -- refusals and losses ---------------------------------------------------------------

    @property
    def teaching(self) -> Key | None:
        """The key that says what would have done it; only where a table wants that."""
        return WHAT_WOULD if self.situation.settings.teach else None

    @property
    def after_miss(self) -> tuple[Key, ...]:
        """The same key while a miss is the last thing that was ruled."""
        if self.teaching is None or last_miss(self.match) is None:
            return ()
        return (WOULD_HIT,)

    @property
    def refusal(self) -> Alert | None:
        """What was not taken; else what blocks or warns."""
        if self.view.refusal is not None:
            return self.view.refusal
        if self.situation.hindsight is not None:
            return _looked_back(self.situation.hindsight)
        refused = self.referee.refused
        waits = {HELD: bool(self.referee.held), BLOCKED: False}  # a block is told while it stands
        if refused is not None and waits.get(refused.code, True):
            cite = str(refused.cite) if refused.cite is not None else ""
            first, _, way_out = refused.text.partition(". ")
            key = WITHOUT_CAMERA if refused.code == HELD else self.teaching
            return Alert(f"Not taken: {first}", way_out, refused.code, cite, key=key)
        late = late_card(self) or seen_late_card(self)
        return late or self.blocked or self._contradiction() or self._standing_notice()

    @cached_property
    def blocked(self) -> Alert | None:
        """Why no word starts the round now; the referee says so, and takes none."""
        block = self.referee.block
        if block is None:
            return None
        cite = str(block.cite)
        return Alert(block.text, block.way_out, block.code, cite, Mark.BAD, WITHOUT_CAMERA)

    def unlit_if_blocked(self, key: Key) -> Key:
        """The key, or its outline where the referee takes no answer of it now."""
        if self.blocked is None or not isinstance(key.action, actions.Answer):
            return key
        question = self.open.get(key.action.key)
        if question is None or not self.match.starts_round(question):
            return key
        return replace(key, action=None, second="the table first", look=KeyLook.IMPOSSIBLE)

    def _contradiction(self) -> Alert | None:
        """Told one way and seen another: both are said, and nobody wins silently."""
        reading = self.referee.sight.reading
        for fit in reading.contradicted if reading is not None else ():
            question = self.open.get(fit.key)
            if question is None or fit.key not in self.match.answered:
                continue
            told, seen = map(question.in_words, (self.match.answered[fit.key], fit.option))
            answer = actions.Answer(fit.key, question.opened, fit.option)
            text = f"Told: {told}. Seen: {seen}"
            key = Key("As seen", answer)
            return Alert(text, "Correct the card or the table.", "SIGHT", "", Mark.WARN, key)
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

    def _standing_notice(self) -> Alert | None:
        return next(iter(self.told_notices()), None)

    def told_notices(self) -> tuple[Alert, ...]:
        """Every block and warning that stands, as it is told; with what lifts a reported one."""
        told = (notice for notice in self.notices if notice.level is not Level.NOTE)
        return tuple(map(self._told_notice, told))

    def _told_notice(self, notice: Notice) -> Alert:
        key = None
        if notice in self.match.notices.values():
            label = "Solved" if notice.level is Level.BLOCK else "Go on anyway"
            key = Key(label, actions.Solve(notice.code))
        told = (notice.text, notice.way_out, notice.code, str(notice.cite), MARKS[notice.level])
        return Alert(*told, key)

    @property
    def banner(self) -> Alert | None:
        """The loud line: an open challenge, what is in trouble, or both in one."""
        return banner_of(self.situation)

    @property
    def trouble(self) -> Alert | None:
        """What is in trouble, while another part of the screen tells of the challenge."""
        return trouble_of(self.situation)


def banner_of(situation: Situation) -> Alert | None:
    """An open challenge, what is in trouble, or both in one line: neither hides the other."""
    called, trouble = open_challenge(situation.referee), trouble_of(situation)
    if called and trouble:
        return replace(trouble, text=f"{trouble.text} · {called.text}")
    return called or trouble


def trouble_of(situation: Situation) -> Alert | None:
    """Answers that are not on disk, a part of ours that failed, lost devices."""
    referee = situation.referee
    if referee is None:
        return lost_device(situation)
    if referee.full is not None:
        return Alert("Not on disk yet", said_of_disk(referee.full), "DISK", "")
    if referee.phase.silent:
        return Alert("Nothing sounds", referee.phase.silent, "SIGNALS", "")
    if fault := referee.listeners.fault:
        return Alert("A part of the companion failed; the match goes on", fault, "FAULT", "")
    return lost_device(situation)


def _undo_because(target: int, reason: str) -> Key:
    return Key("Undo", actions.Undo(target, reason), reason, "undo")


def open_challenge(referee: Referee | None) -> Alert | None:
    """The banner of an open challenge, on whatever screen is looked at meanwhile."""
    challenge = referee.presses.challenge if referee is not None else None
    if referee is None or challenge is None:
        return None
    names = Names.of(referee.match.rulebook, referee.match.setup.seats)
    clock = referee.clock
    stands = "The clock stands until it is decided." if clock else "Play waits until it is decided."
    if clock is not None and clock.running:
        stands = "The clock runs. Arbiter: Decided."
    text = f"CHALLENGE: {challenger(names, challenge.by)}"
    return Alert(text, stands, "CHALLENGE", "", Mark.WARN)


def challenger(names: Names, by: Seat) -> str:
    """Who challenges, in words: a team or player, else whoever holds the referee's button."""
    return names.called(by) if by != TABLE else "the arbiter"


def lost_device(situation: Situation) -> Alert | None:
    """The banner of the first device that is lost, else of one with an alarm; with Retry."""
    lost = (device for device in situation.devices if device.state is DeviceState.LOST)
    alarmed = (device for device in situation.devices if device.alarm)
    device = next(chain(lost, alarmed), None)
    return _alarm(device) if device is not None else None


def _alarm(device: Device) -> Alert:
    """What is wrong with it and since when; red where it tells nothing any more."""
    lost = device.state is DeviceState.LOST
    age = age_in_words(device.age_s) if lost else ""
    text = f"{device.label or device.name} lost{age and f' {age} ago'}"
    if device.alarm:
        text = f"{device.alarm}{age and f', {age}'}"
    retry = Key("Retry", actions.Retry(device.name), sign="retry")
    mark = Mark.BAD if lost else Mark.WARN
    return Alert(text, device.way_out, f"{device.name}-LOST", "", mark, retry)


def lit(key: Key, seen: str) -> Key:
    """A key that sight offers."""
    return replace(key, seen=seen) if seen else key


# Frames of screens without a match, and pages of any list.

T = TypeVar("T")

BACK = Key("Back", actions.Back(), sign="back")
CANCEL = Key("Cancel", actions.Back(), sign="cancel")
RESTART = Key("Restart", actions.Restart(), "hold", "again", KeyLook.HOLD)


def quiet_frame(
    situation: Situation,
    view: View,
    title: str,
    where: str = "",
    *,
    keys: Sequence[Key] = (),
    message: Message | None = None,
    next_key: Key | None = None,
) -> ScreenFrame:
    """A frame beside the match: what the last touch was told, and the loud line."""
    top = TopBar(title, where, situation.devices, situation.settings.sound)
    bottom = Bottom(tuple(keys), message or Message(), next_key)
    return ScreenFrame(top, bottom, view.refusal, banner_of(situation))


def pages_of(listed: Sequence[T], page: int, size: int) -> tuple[Sequence[T], int, int]:
    """One page of a list, its number from 1, and how many there are.

    >>> pages_of("abcde", 1, 2), pages_of("abcde", 9, 2), pages_of("", 0, 2)
    (('cd', 2, 3), ('e', 3, 3), ('', 1, 1))
    """
    pages = max(1, -(-len(listed) // size))
    at = min(page, pages - 1)
    return listed[at * size : (at + 1) * size], at + 1, pages


IN_TIME = ("Earlier", "Later")
IN_ORDER = ("Before", "After")
"""What the keys that turn pages say: of what happened, and of what is listed."""


def page_keys(
    page: int, pages: int, *, backwards: bool = False, words: tuple[str, str] = IN_TIME
) -> tuple[Key, ...]:
    """Earlier and later, where there is more than one page, each with the page that this one is.

    `backwards`: the view counts pages from the last one; `words`: what the keys say.
    """
    if pages == 1:
        return ()
    step, where = -1 if backwards else 1, f"{page} of {pages}"
    return (
        _turn(words[0], -step, where if page > 1 else "", "left"),
        _turn(words[1], step, where if page < pages else "", "right"),
    )


def recent_keys(page: int, pages: int) -> tuple[Key, ...]:
    """The keys that turn pages of which the first has the newest."""
    return page_keys(page, pages, words=("Recent", "Older"))


def why_key(box: str, cites: Iterable[str]) -> tuple[Key, ...]:
    """One key to all that a page of lines cites of a box; none where it cites nothing."""
    names = list(dict.fromkeys(n for cite in cites for n in cite.split(", ") if n))
    if not names:
        return ()
    part = part_of(box, ", ".join(names))
    return (
        Key("Why?", actions.Show(actions.Panel.RULES, part), counted(len(names), "rule"), "book"),
    )


def turning_key(page: int, pages: int) -> tuple[Key, ...]:
    """One key for all pages, where room is short: after the last the first comes again."""
    if pages == 1:
        return ()
    step = 1 if page < pages else 1 - pages
    return (Key("More", actions.TurnPage(step), f"{page} of {pages}", "again"),)


def _turn(label: str, step: int, where: str, sign: str) -> Key:
    if not where:
        return Key(label, None, "none", sign, KeyLook.IMPOSSIBLE)
    return Key(label, actions.TurnPage(step), where, sign)
