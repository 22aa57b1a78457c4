"""An open challenge: who disputes, what each side says, pictures, the rule, and the decision."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.core.board import NO_LOOK
from companion.core.ruling import TABLE, Move, Seat
from companion.core.text import counted
from companion.record.evidence import EvidenceFile, EvidencePart
from companion.referee import challenge as challenges
from ui.scene.deeds import plain, with_lit
from ui.scene.scene import CANCEL, IN_ORDER, Scene, challenger, page_keys, pages_of, recent_keys
from ui.scene.steps import steps_in_words
from ui.scene.theme import Caps, Colour, Face, Reach
from ui.scene.values import Band, Key, KeyLook, Line, Mark, Picture, ScreenFrame
from ui.screens.arbiter.arbiter import ArbiterState
from ui.screens.arbiter.log import line_text
from ui.screens.page import Page, Parts, stacked
from ui.touch import actions
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.part import Part
from ui.widgets.pen import Pen, lines_high
from ui.widgets.picture import PicturePart
from ui.widgets.teams import CallPart, ClaimPart
from ui.widgets.words import LinePart, line_high

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from companion.core.board import Piece, Pose
    from companion.core.question import Option
    from companion.match.entry import Entry


FEW = 7
"""So many claims, or answers that may be disputed, are offered on one page."""
LIKELY = 11
"""Of the answers that a side may claim, those most like the recorded one: two pages in all."""
NEAR_S = 60.0
"""A picture further than this from a buzzer is told by the time of day."""
MOST = 28
"""Of more answers (spaces and headings of a field) none is offered: a claim is typed."""
SAME_S = 0.05
"""A picture was taken with a word to the clock when so little lies between them."""
RUNS = ("started", "resumed", "adopted", "sounds again")
STANDS = ("paused", "challenged")
CLAIM, WHICH = "claim/", "which"
"""Parts of an open challenge's panel: a side's claim, the line that is meant."""

REASONS = ("touched by mistake", "decided too soon", "more was seen since", "both sides agree")
"""Why a decision is taken back."""

CALLER = "Arbiter"
"""Who challenges where no team does."""


class Tab(StrEnum):
    """What of a challenge is shown: a part of its panel; as taken: pictures as the camera has them.

    The keys that decide it are in sight with each.
    """

    CLAIMS = ""
    PICTURES = "pictures"
    TAKEN = "as taken"
    PARAGRAPH = "paragraph"


@dataclass(frozen=True, slots=True)
class Quoted:
    """What was ruled, or a paragraph's name and what it says."""

    head: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class ChallengeState:
    """The band says who and how the clock stands; under it lies what the decision rests on.

    `claims`: what each side says; `lines`: what is disputed. `pictures`: before and after, or why
    none was kept; `shown` leads to all of them. `paragraphs`: what was ruled there, and what
    the book says; `book` opens it. `tab` is what of these has the room, `tabs` lead to the others.
    """

    frame: ScreenFrame
    band: Band
    claims: tuple[Line, ...]
    lines: tuple[Line, ...]
    pictures: tuple[Picture, ...] = ()
    shown: actions.Show | None = None
    paragraphs: tuple[Quoted, ...] = ()
    book: actions.Show | None = None
    tab: Tab = Tab.CLAIMS
    tabs: tuple[Key, ...] = ()


def present_challenge(
    scene: Scene, challenge: challenges.Challenge
) -> ChallengeState | ArbiterState:
    """First it is asked who disputes; then what is meant, what each side says, what comes of it.

    The keys for the decision are alike, and none is proposed.
    """
    if not challenge.named:
        return _asked_whose(scene)
    tab = Tab(scene.view.part) if scene.view.part in set(Tab) else Tab.CLAIMS
    stills = stills_of(scene, challenge)
    paragraphs, book = paragraphs_of(scene, challenge)
    band = _band(scene, challenge)
    state = ChallengeState(
        frame=_frame(scene, challenge, band),
        band=band,
        claims=_claims(scene, challenge),
        lines=(_disputed(scene, challenge),),
        pictures=pictures_of(scene, stills, tab) or (scene.situation.kept.none_of(challenge.seq),),
        shown=actions.Show(actions.Panel.EVIDENCE, str(stills[0].seq)) if stills else None,
        paragraphs=paragraphs,
        book=book,
        tab=tab,
    )
    said = f"{len(challenge.claims)} of {len(scene.names.sides)} told"
    tabs = tabs_of(
        scene, state, stills, said, lambda one: actions.Show(actions.Panel.CHALLENGE, str(one))
    )
    return replace(state, tabs=tabs)


def _frame(scene: Scene, challenge: challenges.Challenge, band: Band) -> ScreenFrame:
    """With the keys that decide."""
    withdrawn = actions.DecideChallenge(str(challenges.Verdict.WITHDRAWN))
    frame = scene.frame(
        "CHALLENGE",
        " · ".join(scene.place),
        keys=(
            Key("Withdraw", withdrawn, sign="back", look=KeyLook.HOLD),
            *_verdict_keys(scene, challenge),
        ),
        next_key=_hold_key(scene, challenge),
        wide=True,
    )
    return replace(banded(frame, band), banner=scene.trouble)  # the band says it all


def banded(frame: ScreenFrame, band: Band) -> ScreenFrame:
    """With the band's words in the top bar where a refusal has the place of the band."""
    if frame.refusal is None:
        return frame
    return replace(frame, top=replace(frame.top, where=" · ".join(band.lines)))


def tabs_of(
    scene: Scene,
    state: ChallengeState,
    stills: Sequence[EvidenceFile],
    said: str,
    leads: Callable[[Tab], actions.Show],
) -> tuple[Key, ...]:
    """A key for each of them, and what it has; the flat pictures have one for those as taken."""
    cited = (one.head.partition(" · ")[0] for one in state.paragraphs if one.text)
    ends = {stills[0], stills[-1]} if stills else ()
    kept = counted(len(ends), "picture") if ends else "none kept"
    tabs = [(Tab.CLAIMS, "Claims", said), (Tab.PICTURES, "Pictures", kept)]
    tabs.append((Tab.PARAGRAPH, "Paragraph", next(cited, "none")))
    if state.tab is Tab.PICTURES and _flat(scene, stills) is not None:
        tabs.insert(2, (Tab.TAKEN, "As taken", "by camera"))
    if state.tab is Tab.TAKEN:
        tabs[1] = (Tab.PICTURES, "Flat", "from above")
        tabs.insert(2, (Tab.TAKEN, "As taken", "by camera"))
    return tuple(
        Key(label, leads(one), second, look=KeyLook.CHOSEN if one is state.tab else KeyLook.PLAIN)
        for one, label, second in tabs
    )


def _verdict_keys(scene: Scene, challenge: challenges.Challenge) -> tuple[Key, ...]:
    corrected = challenges.corrections_since(scene.match.entries, challenge.heard_since)
    begun = challenges.replayed_from(scene.match, challenge.line)
    entry = scene.match.entries[begun] if begun is not None else None
    place = scene.history.round_of(entry.key) if entry is not None else ""
    done = counted(len(corrected), "correction") if corrected else "record or table"
    seconds = {
        challenges.Verdict.STANDS: "as it is recorded",
        challenges.Verdict.CORRECTED: done,
        challenges.Verdict.REPLAYED: f"{place} again" if place else "no round has begun",
    }
    return tuple(
        Key(
            str(verdict).capitalize(),
            None
            if verdict is challenges.Verdict.REPLAYED and begun is None
            else actions.ChooseVerdict(str(verdict)),
            second,
            look=_look(
                scene,
                verdict,
                possible=verdict is not challenges.Verdict.REPLAYED or begun is not None,
            ),
        )
        for verdict, second in seconds.items()
    )


def _look(scene: Scene, verdict: challenges.Verdict, *, possible: bool) -> KeyLook:
    if not possible:
        return KeyLook.IMPOSSIBLE
    return KeyLook.CHOSEN if scene.view.verdict == verdict else KeyLook.PLAIN


def _hold_key(scene: Scene, challenge: challenges.Challenge) -> Key:
    """Nothing is decided by one touch; before a word is chosen there is nothing to hold."""
    chosen = scene.view.verdict
    if not chosen:
        return Key("Hold to decide", None, "choose one first", look=KeyLook.IMPOSSIBLE)
    then = _then(scene, challenge)
    if chosen == challenges.Verdict.REPLAYED:
        then = "all of it is undone"
    return Key("Hold to decide", actions.DecideChallenge(chosen), then, look=KeyLook.HOLD)


def _band(scene: Scene, challenge: challenges.Challenge) -> Band:
    clock = scene.referee.clock
    stands = f"THE CLOCK STANDS AT {clock.rest(scene.now):.1f} s" if clock else "PLAY WAITS"
    who = challenger(scene.names, challenge.by).upper()
    if scene.referee.presses.budget and challenge.by != TABLE:
        who = f"{who}, {scene.referee.presses.left(challenge.by)} LEFT"
    return Band((f"CHALLENGE: {who}", stands), scene.side(challenge.by), Mark.WARN)


def _sides(scene: Scene, challenge: challenges.Challenge) -> tuple[Seat, ...]:
    """Who speaks: every side at the table, whoever challenges first."""
    return tuple(sorted(scene.names.sides, key=lambda side: side != challenge.by))


def _claims(scene: Scene, challenge: challenges.Challenge) -> tuple[Line, ...]:
    return tuple(
        Line(
            scene.names.called(side),
            challenge.said_by(side) or "touch to tell",
            key=Key("Claim", actions.Show(actions.Panel.CHALLENGE, f"{CLAIM}{side}")),
            side=scene.side(side),
        )
        for side in _sides(scene, challenge)
    )


def disputed_entry(scene: Scene, challenge: challenges.Challenge) -> Entry | None:
    """The line that is meant; where nobody pointed at one, the last answer."""
    entries = scene.match.entries
    if challenge.line is not None and challenge.line < len(entries):
        return entries[challenge.line]
    return entries[scene.match.steps[-1].seq] if scene.match.steps else None


def _disputed(scene: Scene, challenge: challenges.Challenge) -> Line:
    entry = disputed_entry(scene, challenge)
    last = "the last answer; touch: another" if entry is not None else "no answer to point at"
    meant = "disputed" if challenge.line is not None else last
    name = line_text(scene, entry) if entry is not None else "Nothing was told yet"
    at = scene.situation.clock(entry.at_utc) if entry is not None else ""
    return Line(
        name, meant, right=at, key=Key("Which?", actions.Show(actions.Panel.CHALLENGE, WHICH))
    )


def paragraphs_of(
    scene: Scene, challenge: challenges.Challenge
) -> tuple[tuple[Quoted, ...], actions.Show | None]:
    """What was ruled there, what the book says in our words; and what opens it in the book."""
    entry = disputed_entry(scene, challenge)
    if entry is None:
        return (), None
    ruled = [
        one for seq, _, rulings in scene.match.ruled_by() if seq == entry.seq for one in rulings
    ]
    told = scene.history.told.get(entry.seq)
    cite = str(ruled[-1].cite) if ruled else str(told.cite) if told is not None else ""
    known = scene.match.rulebook.paragraphs()
    found = [known[name] for name in cite.split(", ") if name in known]
    said = tuple(
        Quoted(f"Ruled: {plain(scene, one.text, one.deeds, lit=False)}") for one in ruled[-1:]
    )
    told_so = tuple(Quoted(f"{one.rule} · {one.heading}", one.text) for one in found)
    return (*said, *told_so), actions.Show(actions.Panel.RULES, cite) if cite else None


def stills_of(scene: Scene, challenge: challenges.Challenge) -> Sequence[EvidenceFile]:
    """The pictures of the disputed line, else the latest kept, in the order of their times."""
    kept = scene.situation.kept
    stills = [
        file for file in kept.files if file.part not in (EvidencePart.CLIP, EvidencePart.BOARDS)
    ]
    seqs = {file.seq for file in stills}
    seq = challenge.line if challenge.line in seqs else max(seqs, default=None)
    return [file for file in stills if file.seq == seq]


def _flat(scene: Scene, stills: Sequence[EvidenceFile]) -> tuple[Picture, Picture] | None:
    """Before and after with every board drawn flat; None where that is not known."""
    return scene.situation.kept.flat(stills[0], stills[-1]) if len(stills) > 1 else None


def pictures_of(scene: Scene, stills: Sequence[EvidenceFile], tab: Tab) -> tuple[Picture, ...]:
    """Before and after: flat where boards were seen, unless those as taken are asked for."""
    if not stills:
        return ()
    kept, ends = scene.situation.kept, (stills[0], stills[-1])
    pair = _flat(scene, stills) if tab is not Tab.TAKEN else None
    if pair is None and len(stills) > 1:
        pair = kept.pair(*ends)
    if pair is not None:
        return tuple(_captioned(scene, *one) for one in zip(pair, ends, strict=True))
    return tuple(_captioned(scene, kept.picture(one), one) for one in dict.fromkeys(ends))


def _captioned(scene: Scene, picture: Picture | None, file: EvidenceFile) -> Picture:
    """A still, with its time to the buzzer; outside a phase with the time of day."""
    if picture is None:
        return Picture(None, 0, (4, 3), note=f"{file.short} cannot be read.")
    words = to_the_buzzer(scene.match.entries, file)
    return replace(
        picture,
        note=words or f"{scene.situation.clock(file.at_utc)}, {WHEN[file.part]}",
        note_mark=Mark.NONE,
    )


def to_the_buzzer(entries: Sequence[Entry], file: EvidenceFile) -> str:
    """How long before or after the buzzer it was taken; empty where no phase is near."""
    at = _seconds(file.at_utc)
    told = _clock_at(entries, at)
    if told is None:
        return ""
    zero, left = told
    if left is not None:
        return f"the clock stood at {left:.1f} s"
    way = at - zero
    if abs(way) > NEAR_S:
        return ""
    return f"{abs(way):.1f} s {'before' if way < 0 else 'after'} the buzzer"


def _clock_at(entries: Sequence[Entry], at: float) -> tuple[float, float | None] | None:
    """When the buzzer sounds or sounded by what the clock was told until then.

    And with what was left the clock stood, if it did. None where no phase has begun or ended.
    """
    found: tuple[float, float | None] | None = None
    for entry in entries:
        said = entry.answer if entry.kind == "clock" else None
        event = said.get("event") if isinstance(said, dict) else None
        rest = said.get("rest_s") if isinstance(said, dict) else None
        then = _seconds(entry.at_utc) if event is not None else at
        if event == "sounded" and (found is None or _zero_s(entry) <= at):
            found = (_zero_s(entry), None)
        elif isinstance(rest, int | float) and then <= at + SAME_S:
            stood = found is not None and found[1] is not None
            stands = event in STANDS or (stood and event not in RUNS)
            found = (then + rest, float(rest) if stands else None)
    return found


def _zero_s(entry: Entry) -> float:
    before = entry.answer.get("before_s") if isinstance(entry.answer, dict) else None
    return _seconds(entry.at_utc) - (before if isinstance(before, int | float) else 0.0)


def _seconds(at_utc: str) -> float:
    return datetime.fromisoformat(at_utc).timestamp()


# What is asked on the way: which line, what a side says, what corrects it.


def present_part(scene: Scene) -> ChallengeState | ArbiterState | None:
    """A question of an open challenge, by the panel's part; else it itself, or whose it is.

    None where what was looked at is of a challenge that was decided meanwhile.
    """
    challenge, part = scene.referee.presses.challenge, scene.view.part
    if challenge is None and part.startswith(actions.TAKE_BACK):
        return _taken_back(scene, part.removeprefix(actions.TAKE_BACK))
    if challenge is None and part:
        return None
    if challenge is None or not challenge.named:
        return present_challengers(scene)
    if part == WHICH:
        return _offered(scene, "What is disputed?", _line_keys(scene), recent_first=True)
    if part == actions.CORRECT:
        return _asked(scene, "What corrects it?", _correcting_keys(scene, challenge))
    by = Seat(part.removeprefix(CLAIM))
    if part.startswith(CLAIM) and by in scene.names.sides:
        return _claims_asked(scene, challenge, by)
    return present_challenge(scene, challenge)


def _taken_back(scene: Scene, seq: str) -> ArbiterState | None:
    """Why a decision is to count no more: each reason is held, and says what happens then."""
    entries = scene.match.entries
    decided = challenges.decided_at(entries, int(seq)) if seq.isdecimal() else None
    if decided is None:
        return None
    keys = tuple(
        Key(reason, actions.TakeBackDecision(decided.seq, reason), "hold", look=KeyLook.HOLD)
        for reason in REASONS
    )
    line = challenges.undone_with(scene.match, decided)
    later = [one for one in scene.match.steps if line is not None and one.seq > line]
    stands = "The record stays as it is." if line is None else "What it changed stands as before."
    goes = f"{counted(len(later), 'later answer')} {'goes' if len(later) == 1 else 'go'}. "
    then = Line(stands, f"{goes if later else ''}The challenge is open.")
    lead = f"Why is “{came_of(decided)}” taken back?"
    return ArbiterState(_asked(scene, lead, keys).frame, lead, keys, lines=(then,))


def came_of(challenge: challenges.Challenge | challenges.StruckDecision) -> str:
    """A decision in a word: "replayed"."""
    return "decided" if challenge.verdict is None else str(challenge.verdict)


def _asked(scene: Scene, lead: str, keys: tuple[Key, ...]) -> ArbiterState:
    frame = scene.frame("CHALLENGE", " · ".join(scene.place), keys=(CANCEL,))
    return ArbiterState(frame, lead, keys)


def _offered(
    scene: Scene, lead: str, keys: Sequence[Key], *, recent_first: bool = False
) -> ArbiterState:
    """Several pages of what is offered, each with the last key."""
    *paged, always = keys
    shown, page, pages = pages_of(paged, scene.view.page, FEW)
    turning = recent_keys(page, pages) if recent_first else page_keys(page, pages, words=IN_ORDER)
    frame = scene.frame("CHALLENGE", " · ".join(scene.place), keys=(CANCEL, *turning))
    return ArbiterState(frame, lead, (*shown, always), page=page, pages=pages)


def _claims_asked(scene: Scene, challenge: challenges.Challenge, by: Seat) -> ArbiterState:
    """What a side may say, on pages; face to face turned to it, as all that asks one side is."""
    does = "do" if by in scene.names.side_of.values() else "does"
    lead = f"What {does} {scene.names.called(by)} say?"
    state = _offered(scene, lead, _claim_keys(scene, challenge, by))
    return replace(state, frame=replace(state.frame, turned=scene.is_opposite([by])))


def _line_keys(scene: Scene) -> tuple[Key, ...]:
    """The answers in effect, the latest first; that somebody was ready is none to dispute."""
    told = scene.history.told
    steps = [step for step in reversed(scene.match.steps) if step.seq in told]
    entries = [scene.match.entries[one.seq] for one in steps if told[one.seq].kind != "ready"]
    keys = tuple(
        Key(
            line_text(scene, entry),
            actions.DisputeLine(entry.seq),
            scene.situation.clock(entry.at_utc),
        )
        for entry in entries
    )
    return (*keys, Key("None of these", actions.DisputeLine(None), "something at the table"))


def _other_words(scene: Scene, entry: Entry, options: Sequence[Option[Any]]) -> list[str]:
    """Options as people say them: a move by its steps, a place that no board has in print not."""
    labels = [option.label for option in options]
    told = labels if len({*labels}) == len(labels) else [option.in_words for option in options]
    rulings = (one for seq, _, ruled in scene.match.ruled_by() if seq == entry.seq for one in ruled)
    moves = [deed for one in rulings for deed in one.deeds if isinstance(deed, Move)]
    said = dict[str, None]()
    for words, option in zip(told, options, strict=True):
        places = with_lit(scene, words)[1]
        said |= dict.fromkeys(_steps(scene, option, moves) if places else [words])
    return [*filter(None, said)]


def _steps(scene: Scene, option: Option[Any], moves: Sequence[Move]) -> list[str]:
    """How a piece that was moved gets to where an option has it."""
    shown: Mapping[Piece, Pose] = option.shows or {}
    plan = scene.map.plan
    return [
        steps_in_words(plan, move.was, shown[move.piece])
        for move in moves[:1]
        if move.was is not None and move.piece in shown
    ]


def _claim_keys(scene: Scene, challenge: challenges.Challenge, by: Seat) -> tuple[Key, ...]:
    """As it is, or what else the line may be, the most like it first, unless they are very many."""
    said, entry = challenge.said_by(by), disputed_entry(scene, challenge)
    words = ["It is as recorded.", "It is recorded wrong.", "The ruling is wrong."]
    question = scene.history.asked_at(entry.seq) if entry is not None and entry.key else None
    options = question.options_now() if question is not None else ()
    offered = _other_words(scene, entry, options) if entry and 1 < len(options) <= MOST else ()
    recorded = line_text(scene, entry) if entry is not None else ""
    alike = set(recorded.split())
    others = (one for one in offered if not recorded.endswith(f": {one}"))
    likely = sorted(others, key=lambda one: -len(alike & set(one.split())))
    words += [f"It was {one}." for one in likely[:LIKELY]]
    keys = tuple(
        Key(
            one,
            actions.TellClaim(str(by), one),
            look=KeyLook.CHOSEN if one == said else KeyLook.PLAIN,
        )
        for one in words
        if len(one) <= challenges.LONGEST_CLAIM
    )
    own, across = "" if said in words else said, scene.is_opposite([by])
    typed = actions.TypeClaim(str(by), scene.names.called(by), own, across)
    return (*keys, Key("In other words", typed, "typed"))


def _correcting_keys(scene: Scene, challenge: challenges.Challenge) -> tuple[Key, ...]:
    """Each leads to a correction, which comes back to the challenge."""
    entry = disputed_entry(scene, challenge)
    amended = (
        (
            Key(
                "Amend it",
                actions.Show(actions.Panel.AMEND, str(entry.seq)),
                "the disputed answer",
                "log",
            ),
        )
        if entry is not None and entry.seq in scene.history.told
        else ()
    )
    return (
        *amended,
        Key("Another line", actions.Show(actions.Panel.LOG), "of the log", "log"),
        Key("Adjust", actions.Show(actions.Panel.ADJUST), "counts and places", "settings"),
        Key("Report", actions.Show(actions.Panel.REPORT), "what the table saw", "warn"),
        Key("By hand alone", actions.Back(), "the record is right", "hand"),
    )


def _then(scene: Scene, challenge: challenges.Challenge | None) -> str:
    clock = scene.referee.clock
    if clock is None or challenge is None:
        return "the match goes on"
    if challenge.stopped_clock:
        return f"clock runs from {clock.rest(scene.now):.1f} s"
    return "the clock stays paused"


def present_challengers(scene: Scene) -> ArbiterState:
    """Who disputes: one touch opens it, or names whose the open one is; nobody's is withdrawn."""
    if scene.referee.presses.challenge is not None:
        return _asked_whose(scene)
    frame = scene.frame("CHALLENGE", " · ".join(scene.place), keys=(CANCEL,))
    keys = _challengers(scene, actions.OpenChallenge)
    return ArbiterState(frame, "Who challenges?", keys, few=True)


def _challengers(scene: Scene, does: Callable[[str], actions.Action]) -> tuple[Key, ...]:
    """Every side with its emblem, then the arbiter."""
    looks = scene.match.rulebook.looks
    sides = [
        Key(
            scene.names.called(side),
            does(str(side)),
            _left(scene, str(side)),
            looks[side].sign if side in looks else "",
            tint=looks.get(side, NO_LOOK),
        )
        for side in scene.names.sides
    ]
    return (*sides, Key(CALLER, does(str(TABLE)), sign="arbiter"))


def _left(scene: Scene, by: str) -> str:
    """How many challenges a side has left; empty where none are counted, and of the arbiter's.

    Whoever has none left is not kept from speaking: the arbiter hears it, or has it withdrawn.
    """
    presses = scene.referee.presses
    if not presses.budget or by == TABLE:
        return ""
    left = presses.left(Seat(by))
    return f"{counted(left, 'challenge')} left" if left else "none left: the arbiter hears it"


def _asked_whose(scene: Scene) -> ArbiterState:
    """The clock stands already; whoever touched by mistake lets it go on."""
    keys = _challengers(scene, actions.NameChallenger)
    withdrawn = actions.DecideChallenge(str(challenges.Verdict.WITHDRAWN))
    back = Key("Nobody", withdrawn, _then(scene, scene.referee.presses.challenge), "cancel")
    frame = scene.frame("CHALLENGE", " · ".join(scene.place), keys=(back,))
    return ArbiterState(replace(frame, banner=scene.trouble), "Who challenges?", keys, few=True)


# Parts and layout.

_BAND_HIGH, _MANY_BAND_HIGH, _LOW_BAND_HIGH = 84.0, 64.0, 58.0
_TAB_WIDE, _TAB_HIGH, _TAB_GAP = 128.0, 60.0, 5.0
_LINE_HIGH = 56.0
_QUOTED = (20.0, 19.0, 18.0, 17.0, 16.0, 15.0, Caps.DETAIL)
_CLAIM_HIGH, _IN_A_COLUMN, _BESIDE_IT = 96.0, 3, 4
WHEN = {EvidencePart.BEFORE: "before it", EvidencePart.AT: "then", EvidencePart.AFTER: "after it"}
"""What of the disputed moment a still shows, beside its time of day."""


@dataclass(frozen=True, kw_only=True)
class QuotedPart(Part):
    """What was ruled and what the book says, as large as there is room for all of it.

    Of paragraphs that have none in the smallest letters the names alone are told, at the end, if
    these have any: a touch opens them.
    """

    quoted: tuple[Quoted, ...]

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.GO if pressed else Colour.PANEL, Reach.RADIUS)
        ink = Colour.GO_INK if pressed else Colour.INK
        room, (shown, caps) = self.box.inset(12, 8), self._fitting(pen)
        for one in shown:
            for text, face in ((one.head, Face.BOLD), (one.text, Face.MEDIUM)):
                if text:
                    lines = pen.lines(text, caps, room.wide, face)
                    high = lines_high(lines, caps)
                    pen.text(text, room.top(high), caps, ink, face=face, lines=lines, across="top")
                    room = room.below(high + caps * 0.5)
            room = room.below(caps * 0.5)

    def _fitting(self, pen: Pen) -> tuple[Sequence[Quoted], float]:
        """What is told in full and what by its name, and how large."""
        room, quoted = self.box.inset(12, 8), self.quoted
        for whole in range(len(quoted), 0, -1):
            names = [Quoted(one.head) for one in quoted[whole:]]
            for shown in ([*quoted[:whole], *names], quoted[:whole]):
                high = partial(self._high, pen, shown, wide=room.wide)
                if (caps := next((one for one in _QUOTED if high(one) <= room.high), 0)) > 0:
                    return shown, caps
        return quoted[:1], Caps.DETAIL

    def _high(self, pen: Pen, shown: Sequence[Quoted], caps: float, wide: float) -> float:
        high = 0.0
        for one in shown:
            texts = ((one.head, Face.BOLD), (one.text, Face.MEDIUM))
            high += caps * 0.5 + sum(
                lines_high(pen.lines(text, caps, wide, face), caps) + caps * 0.5
                for text, face in texts
                if text
            )
        return high


def layout(state: ChallengeState, page: Page) -> Parts:
    """The band, what is chosen of claims, pictures and paragraph, and the keys that choose it.

    A refusal takes the band's place where the window is low.
    """
    body = page.body
    if state.frame.refusal is not None:
        refused, body = page.refused(body, state.frame.refusal)
        yield from page.refusal(refused, state.frame.refusal)
    if state.frame.refusal is None or page.portrait:
        many = len(state.claims) > _BESIDE_IT
        high = _MANY_BAND_HIGH if many else _BAND_HIGH
        band = body.top(high if page.portrait else _LOW_BAND_HIGH)
        called = state.band
        if not page.portrait:
            called = Band((" · ".join(called.lines),), called.side)
        yield "call", CallPart(box=band, band=called)
        body = body.below(band.high + 8)
    keys, room = _keys_beside(body, page)
    cells = keys.columns if page.portrait else keys.rows
    for n, (box, key) in enumerate(
        zip(cells([1] * len(state.tabs), gap=_TAB_GAP), state.tabs, strict=True)
    ):
        yield f"tab/{n}", key_cap(box, key, caps=18)
    yield from _told_parts(state, page, room)
    yield from page.around(state.frame)


def _keys_beside(body: Box, page: Page) -> tuple[Box, Box]:
    """Where the keys that choose lie, and the rest: above it upright, else beside it."""
    if page.portrait:
        return body.top(_TAB_HIGH), body.below(_TAB_HIGH + Reach.GAP)
    return page.sides(body, _TAB_WIDE, gap=Reach.GAP)


def _told_parts(state: ChallengeState, page: Page, room: Box) -> Parts:
    """What is chosen; many claims leave the disputed line no room beside them."""
    is_full = len(state.claims) > (_BESIDE_IT + 1 if page.portrait else _BESIDE_IT)
    if state.tab in (Tab.PICTURES, Tab.TAKEN):
        ways = [_pictures(state, cells) for cells in (room.columns, room.rows)]
        larger = max(ways, key=lambda parts: min(part.shown_wide for part in parts))
        yield from ((f"picture/{n}", part) for n, part in enumerate(larger))
        return
    if state.tab is Tab.PARAGRAPH:
        quoted = state.paragraphs or (Quoted("No rule is cited by this line."),)
        if is_full:
            yield from _disputed_parts(state, room, page)
            room = room.below(_lines_high(state, room, page))
        yield "paragraph", QuotedPart(box=room, quoted=quoted, action=state.book)
        return
    if not is_full:
        yield from _disputed_parts(state, room, page)
        room = room.below(_lines_high(state, room, page))
    yield from _claim_parts(state, room, page)


def _pictures(state: ChallengeState, cells: Callable[..., Sequence[Box]]) -> list[PicturePart]:
    """The pictures beside or over each other."""
    boxes = cells([1] * len(state.pictures), gap=Reach.GAP)
    return [
        PicturePart(box=box, slot=f"dispute-{n}", picture=picture, action=state.shown)
        for n, (box, picture) in enumerate(zip(boxes, state.pictures, strict=True))
    ]


def _disputed_parts(state: ChallengeState, room: Box, page: Page) -> Parts:
    for n, line in enumerate(state.lines):
        box = room.top(_line_high(line, room, page))
        yield (
            f"line/{n}",
            LinePart(box=box, line=line, action=line.key.action if line.key else None),
        )
        room = room.below(box.high + 6)


def _line_high(line: Line, room: Box, page: Page) -> float:
    return max(_LINE_HIGH, line_high(page.theme, line, room.wide))


def _lines_high(state: ChallengeState, room: Box, page: Page) -> float:
    return sum(_line_high(line, room, page) + 6 for line in state.lines)


def _claim_parts(state: ChallengeState, room: Box, page: Page) -> Parts:
    """In landscape two columns where there are more than three, or two lines over them."""
    beside = len(state.claims) > (_IN_A_COLUMN if len(state.lines) == 1 else 1)
    columns = 2 if beside and not page.portrait else 1
    rows = stacked(room, -(-len(state.claims) // columns), high=_CLAIM_HIGH, gap=5)
    for n, line in enumerate(state.claims):
        row, column = divmod(n, columns)
        box = rows[row].columns([1] * columns, gap=Reach.GAP)[column]
        action = line.key.action if line.key is not None else None
        yield f"claim/{n}", ClaimPart(box=box, line=line, action=action)
