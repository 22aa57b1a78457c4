"""The log: every line with its time and source, and what can be done about it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING

from companion.core.errors import IllegalAnswer
from companion.core.ruling import TABLE, Json, Ruling, Seat
from companion.core.text import counted
from companion.kit.adjusting import words_of
from companion.kit.reports import report_in_words
from companion.match.match import CORRECTIONS, brings_back
from companion.match.revision import never_came
from companion.referee import challenge as challenges
from companion.referee.late import SENSOR
from companion.referee.presses import CARD_IN_TIME
from companion.referee.protocol import BY_PEOPLE, clock_in_words
from companion.referee.protocol import SOURCES as SPOKEN_SOURCES
from ui.scene.deeds import plain
from ui.scene.scene import BACK, Scene, challenger, evidence_keys, evidence_words, page_keys
from ui.scene.theme import Colour, Face, Reach
from ui.scene.values import Key, KeyLook, LogLine, Mark, Message, ScreenFrame
from ui.scene.words import first_names
from ui.screens.page import Page, Parts
from ui.touch.actions import DISPUTE, Panel, SelectLine, Show, TurnPage, Undo
from ui.widgets.box import Box
from ui.widgets.field_keys import narrow_refusal
from ui.widgets.key import key_cap
from ui.widgets.part import Part
from ui.widgets.pen import Pen, lines_high
from ui.widgets.words import LogPart

if TYPE_CHECKING:
    from companion.match.entry import Entry


@dataclass(frozen=True, slots=True)
class LogState:
    """A page of lines, newest last; of the chosen one all that is known, and its keys.

    With none chosen the lines fill the screen. `members` are the lines of a form that are told as
    one; touching one of them tells of that one alone.
    """

    frame: ScreenFrame
    lines: tuple[LogLine, ...]
    title: str
    details: tuple[str, ...]
    keys: tuple[Key, ...]
    members: tuple[Key, ...] = ()
    page: int = 1
    pages: int = 1


ROWS, COLUMNS = 4, 2
"""Lines over one another, and side by side while none is chosen."""
LINES_A_PAGE = ROWS * COLUMNS
LONG_NAME = 12
"""Letters of a player's name that a line of the list has room for beside what was done."""
MOST_MEMBERS = 8
"""Lines of a form that are told as one."""
LONGEST_GROUP = 72
"""Letters that tell of a form's lines in the list; the rest is told once it is chosen."""
SOURCES = {
    **SPOKEN_SOURCES,
    SENSOR: "by slot sensor",
    "clock": "the clock",
    "setup": "",
    **dict.fromkeys(CORRECTIONS, ""),
}
TOLD = {"undo": "Undone back to", "amend": "Amended", "adjust": "Adjusted", "report": "Reported"}
UNDONE = {
    "amend": "the amend of",
    "adjust": "the adjustment",
    "report": "the report",
    "restart": "the restart",
    "close": "the arbiter's close",
    "undo": "the undo to",
}
"""A correction that was taken back, by the kind of its line."""
MOST_ADJUSTED = 3
"""So many quantities of an adjustment are named in its line."""


def present_log(scene: Scene) -> LogState:
    """Pages from the newest backwards; page 0 of the view is the newest."""
    chosen = _chosen(scene)
    groups, page, pages = _shown_groups(scene, chosen)
    count = len(scene.match.entries)
    disk = "all on disk" if not scene.referee.unwritten else "NOT on disk"
    newest = Key("Newest", TurnPage(-pages), f"line {count - 1}", "next", KeyLook.GO)
    oldest = Key("Oldest", TurnPage(pages), "match begun", "back") if pages > 1 else None
    group = _group_of(scene, chosen) if chosen is not None else ()
    together = len(group) > 1 and scene.view.part != str(chosen)
    shown = scene.frame(
        "LOG",
        f"{counted(count, 'line')} · {disk}",
        keys=(BACK, *page_keys(page, pages, backwards=True), *_evidence(scene, chosen)),
        message=Message("Touch a line." if chosen is None else ""),
        next_key=None if chosen is not None else newest if page < pages else oldest,
    )
    return LogState(
        frame=replace(shown, refusal=scene.view.refusal),
        lines=tuple(_group_line(scene, seqs, chosen) for seqs in groups),
        title=_title(scene, group if together else (chosen,)) if chosen is not None else "",
        details=_details(scene, chosen, group if together else ()) if chosen is not None else (),
        keys=_keys(scene, chosen, group, together=together) if chosen is not None else (),
        members=_members(scene, group) if together else (),
        page=page,
        pages=pages,
    )


def _chosen(scene: Scene) -> int | None:
    """The line that was touched; of a form the one that was looked at alone."""
    seq, part = scene.view.chosen_seq, scene.view.part
    count = len(scene.match.entries)
    if part.isdecimal() and int(part) < count:
        alone = int(part)
        if seq is None or seq in _group_of(scene, alone):
            return alone
    return seq if seq is not None and seq < count else None


# Lines of one form, told as one.


def groups(scene: Scene) -> Sequence[tuple[int, ...]]:
    """The log's lines by number, those of one form together."""
    return scene.history.found("groups", lambda: _grouped(scene))


def _grouped(scene: Scene) -> list[tuple[int, ...]]:
    found: list[list[int]] = []
    for entry in scene.match.entries:
        last = scene.match.entries[found[-1][-1]] if found else None
        room = bool(found) and len(found[-1]) < MOST_MEMBERS
        if room and last is not None and _go_together(scene, last, entry):
            found[-1].append(entry.seq)
        else:
            found.append([entry.seq])
    return [tuple(group) for group in found]


def _go_together(scene: Scene, last: Entry, entry: Entry) -> bool:
    """Answers of one step of the book, of which only the last has brought rulings."""
    told = scene.history.told
    if last.seq not in told or entry.seq not in told or _rulings(scene, last.seq):
        return False
    return _step_of(scene, last.key) == _step_of(scene, entry.key)


def _step_of(scene: Scene, key: str) -> tuple[str, str]:
    round_of, inside = scene.match.rulebook.split_key(key)
    return round_of, inside.partition("/")[0]


def _group_of(scene: Scene, seq: int) -> tuple[int, ...]:
    return next((group for group in groups(scene) if group[0] <= seq <= group[-1]), (seq,))


def _rulings(scene: Scene, seq: int) -> Sequence[Ruling]:
    """What a line has brought, as far as it stands."""
    return scene.history.found("ruled", lambda: _by_line(scene)).get(seq, ())


def _by_line(scene: Scene) -> dict[int, Sequence[Ruling]]:
    ruled: dict[int, Sequence[Ruling]] = {}
    for seq, _, rulings in scene.match.ruled_by():
        ruled[seq] = (*ruled.get(seq, ()), *rulings)
    return ruled


def _shown_groups(scene: Scene, chosen: int | None) -> tuple[Sequence[tuple[int, ...]], int, int]:
    """The page's lines, its number and how many there are; beside a chosen one half of them."""
    every = groups(scene)
    pages = max(1, -(-len(every) // LINES_A_PAGE))
    back = min(scene.view.page, pages - 1)
    end = len(every) - back * LINES_A_PAGE
    shown = every[max(0, end - LINES_A_PAGE) : end]
    if chosen is not None:
        at = next((n for n, seqs in enumerate(shown) if chosen in seqs), 0)
        first = max(0, min(at // ROWS * ROWS, len(shown) - ROWS))
        shown = shown[first : first + ROWS]
    return shown, pages - back, pages


def _group_line(scene: Scene, seqs: tuple[int, ...], chosen: int | None) -> LogLine:
    """The lines of a form as one of the list; long names in short: the line itself tells them."""
    line = _whole_group_line(scene, seqs, chosen)
    text, ruled = line.text, line.ruled
    for whole, first in first_names(scene.names.players.values()).items():
        if len(whole) > LONG_NAME:
            text, ruled = text.replace(whole, first), ruled.replace(whole, first)
    return replace(line, text=text, ruled=ruled)


def _whole_group_line(scene: Scene, seqs: tuple[int, ...], chosen: int | None) -> LogLine:
    """Several lines as one: what all were about, and the first of what each said."""
    line = log_line(scene, scene.match.entries[seqs[-1]])
    opened = _dispute_of(scene, seqs[-1]) or SelectLine(seqs[-1])
    line = replace(line, chosen=chosen in seqs, key=Key(line.text, opened))
    if len(seqs) == 1:
        return line
    base = _base(scene, seqs)
    word = _one_word(scene, base, seqs)
    most = LONGEST_GROUP - len(base)
    members = _laid(scene, base, seqs, most) or [
        _place_in(scene, base, seq) if word else _member(scene, base, seq) for seq in seqs
    ]
    told = _as_many(members, ", " if word else "; ", most)
    entries = [scene.match.entries[seq] for seq in seqs]
    said = next((one for one in reversed(entries) if one.kind != "lapse"), entries[-1])
    authors = {entry.author for entry in entries}
    base = f"{base} · {word.lower()}" if word not in ("", base) else base
    return replace(
        line,
        text=f"{base}: {told}" if base else told,
        source=source_words(said),
        author=line.author if len(authors) == 1 else "",
    )


def _as_many(members: Sequence[str], between: str, most: int) -> str:
    """What each said, as many as there is room for, and how many more there are."""
    told = ""
    for n, member in enumerate(members):
        longer = between.join(part for part in (told, member) if part)
        unsaid = len(f"; {len(members) - n - 1} more") if n + 1 < len(members) else 0
        if len(longer) + unsaid > most and n:
            return f"{told}; {len(members) - n} more"
        told = longer
    return told


def _laid(scene: Scene, base: str, seqs: Sequence[int], most: int) -> list[str]:
    """Cards that a form's lines tell by numbered place: "Jaws pilot on 1, 3, gunner on 2".

    Places without any are left out; where there is no room for words, "P" stands for pilot, as on
    the keys. Empty where something else was said.
    """
    owners: dict[str, dict[str, list[str]]] = {}
    for seq in sorted(seqs, key=lambda seq: scene.match.entries[seq].key):
        said = scene.match.entries[seq].answer
        owner, _, place = _place_in(scene, base, seq).rpartition(" · ")
        number = place.rpartition(" ")[2]
        if not owner or not number.isdecimal() or not isinstance(said, dict):
            return []
        parts = owners.setdefault(owner, {})
        for part, many in said.items():
            if many:
                parts.setdefault(part, []).append(number if many == 1 else f"{number} ({many})")
    in_full, in_short = (
        [f"{owner} {_on_places(laid, short=short)}" for owner, laid in owners.items() if laid]
        for short in (False, True)
    )
    return (in_full if len("; ".join(in_full)) <= most else in_short) or ["none"]


def _on_places(laid: Mapping[str, Sequence[str]], *, short: bool) -> str:
    """Which part lies where: "pilot on 1, 3, gunner on 2"."""
    return ", ".join(
        f"{part[:1].upper() if short else part} on {', '.join(on)}" for part, on in laid.items()
    )


def _base(scene: Scene, seqs: Sequence[int]) -> str:
    """Where in the book all of them are: "Lock"."""
    places = [place_words(scene, scene.match.entries[seq].key).split(" · ") for seq in seqs]
    together = takewhile(lambda parts: len({*parts}) == 1, zip(*places, strict=False))
    return " · ".join(parts[0] for parts in together)


def _one_word(scene: Scene, base: str, seqs: Sequence[int]) -> str:
    """The word that all of several people said: "Ready"; empty where somebody said another."""
    said = {plainly(scene, scene.history.told[seq].said, seq) for seq in seqs}
    word = said.pop()
    places = [_place_in(scene, base, seq) for seq in seqs]
    return word if not said and word.isalpha() and all(places) else ""


def _place_in(scene: Scene, base: str, seq: int) -> str:
    """Where in the book one of them is, without what all are about: "Jaws · Section 3"."""
    return place_words(scene, scene.match.entries[seq].key).removeprefix(base).strip(" ·")


def _member(scene: Scene, base: str, seq: int) -> str:
    """What one of them says, without what all are about: "Jaws · Section 3: pilot 1"."""
    rest = _place_in(scene, base, seq)
    said = plainly(scene, scene.history.told[seq].said, seq)
    return f"{rest}: {said}" if rest and rest.lower() != said.lower() else said


def _members(scene: Scene, group: Sequence[int]) -> tuple[Key, ...]:
    base, page = _base(scene, group), scene.view.page
    return tuple(Key(_member(scene, base, seq), Show(Panel.LOG, str(seq), page)) for seq in group)


def _title(scene: Scene, seqs: Sequence[int]) -> str:
    if len(seqs) > 1:
        base, many = _base(scene, seqs), counted(len(seqs), "answer")
        return f"{base}: {many}" if base else many
    return line_text(scene, scene.match.entries[seqs[0]])


def log_line(scene: Scene, entry: Entry) -> LogLine:
    """One line in words, with its time, source and author, and what it brought."""
    text = line_text(scene, entry)
    told = scene.history.told.get(entry.seq)
    return LogLine(
        seq=entry.seq,
        text=text,
        time=scene.situation.clock(entry.at_utc),
        source=source_words(entry),
        key=Key(text, SelectLine(entry.seq)),
        author="" if entry.author in ("table", "") else scene.names.player(Seat(entry.author)),
        ruled=_ruled(scene, entry.seq),
        chosen=entry.seq == scene.view.chosen_seq,
        taken_back=is_taken_back(scene, entry),
        mark=Mark.NONE if entry.seq < scene.referee.confirmed else Mark.WARN,
        side=scene.side(told.by) if told is not None else None,
    )


def _ruled(scene: Scene, seq: int) -> str:
    """The first ruling in short, and how many more there are."""
    rulings = _rulings(scene, seq)
    if not rulings:
        return ""
    first = rulings[0].headline or rulings[0].text.partition(". ")[0].rstrip(".")
    first = plain(scene, first, rulings[0].deeds, lit=False)
    first = scene.names.in_full(first[:1].upper() + first[1:], rulings[0].by)
    return f"{first}; {len(rulings) - 1} more" if len(rulings) > 1 else first


def line_text(scene: Scene, entry: Entry) -> str:
    """What a line says, as people say it."""
    told = scene.history.told.get(entry.seq)
    if told is not None:
        return _at_place(scene, told.key, plainly(scene, told.said, entry.seq))
    if entry.kind in ("answer", "lapse"):
        once = scene.history.once_told(entry.seq)
        said = once.said if once is not None else str(entry.answer)
        return _at_place(scene, entry.key, plainly(scene, said, entry.seq))
    if entry.kind == "clock" and isinstance(entry.answer, dict):
        return _clock_words(scene, entry.answer)
    if entry.kind == "report" and isinstance(entry.answer, dict):
        return f"Reported: {report_in_words(entry.answer, scene.match.rulebook)}"
    return _correction_text(scene, entry)


def _correction_text(scene: Scene, entry: Entry) -> str:
    """What was taken back, of an amend the answer before and since, what was adjusted to what."""
    words = TOLD.get(entry.kind, entry.kind.replace("setup", "match begun").capitalize())
    if entry.kind == "adjust" and isinstance(entry.answer, dict):
        return f"{words}: {_adjusted(scene, entry.answer)}"
    if entry.target is None:
        return words
    target = scene.match.entries[entry.target]
    if entry.kind == "amend":
        return f"{words}: {_amended(scene, entry, target)}"
    if target.kind in UNDONE:
        of = scene.match.entries[target.target].key if target.target is not None else ""
        place = place_words(scene, of) if target.kind in ("amend", "undo") else ""
        first = "As it stood before" if brings_back(entry) else "Undone:"
        return f"{first} {UNDONE[target.kind]} {place}".rstrip()
    return f"{words} {place_words(scene, target.key) or f'line {target.seq}'}"


def _amended(scene: Scene, entry: Entry, target: Entry) -> str:
    """Where in the book, and what was said there before the amend and since it."""
    question = scene.history.asked_at(target.seq)
    if question is None:
        return place_words(scene, target.key)
    before = [
        one.answer
        for one in scene.match.entries[: entry.seq]
        if one.kind == "amend" and one.target == target.seq and not is_taken_back(scene, one)
    ]
    said: list[str] = []
    for value in (before[-1] if before else target.answer, entry.answer):
        try:
            said.append(question.in_words(question.parse(value).plain))
        except IllegalAnswer:
            said.append(str(value))
    was, now = (plainly(scene, one, target.seq) for one in said)
    if was == now and said[0] != said[1]:  # coordinates alone tell them apart
        now = "elsewhere"
    return f"{_at_place(scene, target.key, was)}, now {now}"


def _adjusted(scene: Scene, changes: Mapping[str, Json]) -> str:
    """The first quantities that were set, as the panels call them, and to what."""
    facts = {fact.name: fact for fact in scene.match.position.facts()}
    told: list[str] = []
    for name, value in changes.items():
        fact = facts.get(name)
        words = words_of(replace(fact, value=value, words=""), scene.match.rulebook) if fact else ""
        whose = scene.names.called(fact.seat) if fact is not None and fact.seat != TABLE else ""
        label = f"{whose} {fact.label}".strip() if fact is not None else name
        told.append(f"{label} {words or value}")
    more = [f"{len(told) - MOST_ADJUSTED} more"] if len(told) > MOST_ADJUSTED else []
    return "; ".join([*told[:MOST_ADJUSTED], *more])


def is_taken_back(scene: Scene, entry: Entry) -> bool:
    """Whether an answer, a correction or a decision counts no more, or not now."""
    if entry.kind == "clock":
        heard = challenges.challenges_in(scene.match.entries) if _decides(entry) else ()
        return any(struck.seq == entry.seq for one in heard for struck in one.struck)
    if entry.kind in CORRECTIONS and entry.seq in scene.match.overtaken:
        return True
    if entry.kind == "amend":
        lines = scene.match.entries
        undone = any(one.kind == "undo" and one.target == entry.seq for one in lines[entry.seq :])
        return undone or entry.target not in scene.history.told
    if entry.kind in CORRECTIONS and entry.kind != "undo":
        return all(step.seq != entry.seq for step in scene.match.steps)
    known = entry.kind not in ("answer", "lapse") or entry.seq in scene.match.no_longer_asked
    return not known and entry.seq not in scene.history.told


def _decides(entry: Entry) -> bool:
    return isinstance(entry.answer, dict) and entry.answer.get("event") == challenges.DECIDED


def _at_place(scene: Scene, key: str, said: str) -> str:
    """Where in the book, and what was said there; no word of the place a second time.

    "Set-up · Placed", "Fighter · Player A: SPAD".
    """
    place = place_words(scene, key)
    parts = [part.lower() for part in place.split(" · ")]
    if parts[-1] == said.lower():
        return place
    what, _, rest = said.partition(": ")
    return f"{place}: {rest if rest and what.lower() in parts else said}"


def plainly(scene: Scene, text: str, seq: int) -> str:
    """What a line says, without coordinates that no board has in print: how a piece was moved.

    Of many parts those are left out of which there is none.
    """
    deeds = [deed for ruling in _rulings(scene, seq) for deed in ruling.deeds]
    answer = scene.match.entries[seq].answer
    if isinstance(answer, dict) and len(answer) > _FEW_PARTS:
        text = _NONE_OF.sub("", text).removeprefix(", ") or "none"
    return plain(scene, text, deeds, lit=False)


_FEW_PARTS = 2
_NONE_OF = re.compile(r"(?:^|, )[^,]+ 0(?=,|$)")
"""A part of which nothing was told, among many: "Evasive Dive 0"."""


def source_words(entry: Entry) -> str:
    """How it was told, as people say it: "by touch", "by slot sensor"; else what line it is.

    What the clock did at somebody's word is not the clock's, nor what was said of a challenge.
    """
    said = entry.answer if entry.kind == "clock" else None
    if isinstance(said, dict) and said.get("event") in BY_PEOPLE:
        return ""
    return SOURCES.get(entry.source or entry.kind, entry.source or entry.kind)


def _clock_words(scene: Scene, said: Mapping[str, Json]) -> str:
    """What the clock did, or what was told of a challenge; with what was left of a round."""
    rest, event = said.get("rest_s"), str(said.get("event", ""))
    left = f", {round(rest, 1):g} s left" if isinstance(rest, int | float) else ""
    by = Seat(str(said.get("by", TABLE)))
    if event == CARD_IN_TIME:
        return f"Card {said.get('card')} in time: {challenger(scene.names, by)}{left}"
    if event == challenges.CHALLENGED:
        by_whom = "opened" if said.get("named") is False else challenger(scene.names, by)
        return f"Challenge: {by_whom}{left}"
    if event == challenges.DECIDED:
        verdict = challenges.verdict_in(said)
        came = f", {verdict.value}" if verdict is not None else ""
        return f"Challenge decided{came}: {challenger(scene.names, by)}{left}"
    if event == challenges.TAKEN_BACK:
        return f"Decision taken back: {said.get('was', 'decided')}; open again{left}"
    line = said.get("line")
    if event == challenges.DISPUTED and isinstance(line, int) and line < len(scene.match.entries):
        return f"Disputed: {line_text(scene, scene.match.entries[line])}"
    if event in challenges.OPEN_EVENTS:
        names = {seat: scene.names.called(seat) for seat in scene.names.sides}
        return clock_in_words(said, "", names).rstrip(".")
    return f"Clock {event}{left}"


def place_words(scene: Scene, key: str) -> str:
    """Where in the book, with seats by their names and not by their codes."""
    names = {str(seat).lower(): scene.names.called(seat) for seat in scene.names.seats}
    words = scene.history.place(key).split(" · ")
    return " · ".join(names.get(word.lower(), word) for word in words)


def _details(scene: Scene, seq: int, group: Sequence[int]) -> tuple[str, ...]:
    """When, by whom, under which rule; what it brought, and what became of it."""
    entry = scene.match.entries[seq]
    told = scene.history.told.get(seq)
    line = log_line(scene, entry)
    by = ", ".join(part for part in (line.author, line.source) if part)
    lines = [f"{line.time} · {by}" if by else line.time]
    if told is not None and not group:
        lines.append(f"{scene.names.in_full(told.headline, told.by)} · {told.cite}")
    if entry.reason:
        lines.append(f"Reason: {entry.reason}")
    if kept := evidence_words(scene, seq):
        lines.append(f"Evidence: {kept}")
    lines += _disputed(scene, seq)
    over, fate = scene.match.dropped.get(seq), scene.match.fates.get(seq)
    if over is not None:
        lines.append(f"{never_came(over).capitalize()}.")
    elif fate is not None:
        lines.append(f"After an amend: {fate.value}")
    for each in group or (seq,):
        lines.extend(
            f"{plain(scene, ruling.text, ruling.deeds, lit=False)} ({ruling.cite})"
            for ruling in _rulings(scene, each)
        )
    return tuple(lines)


# Challenges: what each side said, which line was meant, what came of it.


def _challenge_at(scene: Scene, seq: int) -> challenges.Challenge | None:
    """The challenge of which a line tells."""
    said = scene.match.entries[seq].answer
    if not isinstance(said, dict) or said.get("event") not in challenges.OPEN_EVENTS:
        return None
    listed = [one for one in challenges.challenges_in(scene.match.entries) if one.seq <= seq]
    return listed[-1] if listed else None


def _disputed(scene: Scene, seq: int) -> Iterator[str]:
    challenge = _challenge_at(scene, seq)
    if challenge is None:
        return
    whose = challenger(scene.names, challenge.by)
    yield f"{whose[:1].upper()}{whose[1:]} challenged."
    if challenge.line is not None and challenge.line < len(scene.match.entries):
        told = scene.history.told.get(challenge.line)
        cite = f" ({told.cite})" if told is not None else ""
        yield f"Disputed: {line_text(scene, scene.match.entries[challenge.line])}{cite}"
    for claim in challenge.claims:
        yield f"{scene.names.called(claim.by)} claims: {claim.text}"
    for struck in challenge.struck:
        why = f": {struck.reason}" if struck.reason else ""
        yield f"Was {struck.verdict or 'decided'}, taken back{why}"
    if challenge.verdict is not None:
        yield f"Decided: {challenge.verdict.value}"


def _evidence(scene: Scene, seq: int | None) -> tuple[Key, ...]:
    """The pictures of a line; of a challenge those of the line that is disputed."""
    if seq is None:
        return ()
    challenge = _challenge_at(scene, seq)
    if challenge is None:
        return evidence_keys(scene, seq)
    line = seq if challenge.line is None else challenge.line
    opened = _dispute_of(scene, seq) or Show(Panel.EVIDENCE, str(line))
    return (Key("Evidence", opened, sign="eye"),)


def _dispute_of(scene: Scene, seq: int) -> Show | None:
    """What a line of a decided challenge opens: all that it rested on; None for another line."""
    challenge = _challenge_at(scene, seq)
    still = challenges.left_open(scene.match.entries)
    if challenge is None or (still is not None and still.seq == challenge.seq):
        return None
    return Show(Panel.EVIDENCE, f"{DISPUTE}{challenge.seq}/")


def _keys(scene: Scene, seq: int, group: Sequence[int], *, together: bool) -> tuple[Key, ...]:
    """What can be done with it: one of a form is amended by itself."""
    why = _why_key(scene, group if together else (seq,))
    challenge = _challenge_at(scene, seq)
    if challenge is not None and challenge.line in scene.history.told:
        amend = Show(Panel.AMEND, str(challenge.line))
        why = _why_key(scene, (int(str(challenge.line)),))
        return (*why, Key("Correct it", amend, "what changes", "arbiter"))
    if seq not in scene.history.told:
        entry = scene.match.entries[seq]
        is_answer = entry.key and entry.kind != "clock"
        reason = _why_out(scene, seq) if is_answer else "it is no answer"
        return (*why, Key("Amend", None, reason, "arbiter", KeyLook.IMPOSSIBLE))
    first = group[0] if together else seq
    later = sum(1 for step in scene.match.steps if step.seq > first)
    goes = f"{later + 1} lines go" if later else "this alone"
    undo = Key("Undo to here", Undo(first), goes, "undo", KeyLook.HOLD)
    if together:
        return (*why, undo)
    amend_key = Key("Amend", Show(Panel.AMEND, str(seq)), "keep the rest", "arbiter")
    return (*why, amend_key, undo)


def _why_out(scene: Scene, seq: int) -> str:
    """Why an answer counts no more, or not now."""
    if any(step.seq == seq for step in scene.match.parked):
        return "it waits for its question"
    over = scene.match.dropped.get(seq)
    return "it was taken back" if over is None else f"dropped: {over} is over"


def _why_key(scene: Scene, seqs: Sequence[int]) -> tuple[Key, ...]:
    """What questions and rulings of these lines cite, if they have any.

    Where that is more than one cite, each ruling has its own on a screen that tells all of them.
    """
    told = (scene.history.told.get(seq) for seq in seqs)
    cites = [str(one.cite) for one in told if one is not None]
    cites += [str(ruling.cite) for seq in seqs for ruling in _rulings(scene, seq)]
    names = list(dict.fromkeys(name for cite in cites for name in cite.split(", ")))
    if not names:
        return ()
    book = Show(Panel.RULES, ", ".join(names))
    each = Show(Panel.WHYS, ",".join(map(str, seqs)))
    opened = each if len({*cites}) > 1 else book
    return (Key("Why?", opened, counted(len(names), "rule"), "book"),)


# Parts and layout.

LIST_WIDE = 384.0
_LINE_HIGH, _LINE_GAP, _CHOSEN_MORE = 51.0, 1.5, 18.0
_GAP = 6.0
_KEYS_HIGH, _MEMBER_HIGH = 62.0, 51.0
_UPRIGHT_LIST, _FEW_MEMBERS, _LONG_MEMBER = 270.0, 3, 30
_MORE_HIGH = 15.0
_LEAST_DETAILS = 60.0
"""With less room the list beside it has to say when and by whom."""


@dataclass(frozen=True, kw_only=True)
class Details(Part):
    """The chosen line in full: what, then when, by whom, under which rule, what it ruled."""

    title: str
    details: tuple[str, ...]

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        """Each in as many lines as it needs; what finds no room is counted."""
        pen.fill(self.box, Colour.PANEL, Reach.RADIUS)
        room = self.box.inset(14, 10 if self.details else 5)
        lines = min(4, pen.lines(self.title, 18, room.wide))
        ink = pen.text(self.title, room.top(lines_high(lines, 18)), 21, across="top", lines=lines)
        y = ink.bottom + 11
        for n, detail in enumerate(self.details):
            lines = pen.lines(detail, 14.5, room.wide, Face.MEDIUM)
            high = lines_high(lines, 14.5)
            rest = len(self.details) - n
            if y + high + (22 if rest > 1 else 0) > room.bottom + 1:
                self._draw_rest(pen, room.below(y - room.y), n)
                return
            box = Box(room.x, y, room.wide, high)
            pen.text(detail, box, 14.5, Colour.INK2, face=Face.MEDIUM, across="top", lines=lines)
            y = box.bottom + 9

    def _draw_rest(self, pen: Pen, room: Box, at: int) -> None:
        """Of what has no room as a whole its first sentences, and how much more there is."""
        sentences = self.details[at].split(". ")
        rest = len(self.details) - at
        told = (". ".join(sentences[:n]) + "..." for n in range(len(sentences) - 1, 0, -1))
        for words in told:
            lines = pen.lines(words, 14.5, room.wide, Face.MEDIUM)
            high = lines_high(lines, 14.5)
            if high + (24 if rest > 1 else 0) <= room.high + 1:
                box = room.top(high)
                pen.text(words, box, 14.5, Colour.INK2, face=Face.MEDIUM, across="top", lines=lines)
                room, rest = room.below(high + 9), rest - 1
                break
        if rest and room.high >= _MORE_HIGH - 1:
            pen.text(
                f"And {rest} more: Why?", room.top(_MORE_HIGH), 14.5, Colour.INK2, face=Face.MEDIUM
            )


def log_list(room: Box, lines: Sequence[LogLine]) -> Parts:
    """A page of lines, newest last; the chosen one is higher where there is room."""
    if not lines:
        return
    spare = room.high - len(lines) * _LINE_HIGH - (len(lines) - 1) * _LINE_GAP
    chosen_high = _LINE_HIGH + min(_CHOSEN_MORE, max(0.0, spare))
    y = room.y
    for line in lines:
        box = Box(room.x, y, room.wide, chosen_high if line.chosen else _LINE_HIGH)
        yield f"log/{line.seq}", LogPart(box=box, line=line, action=line.key.action)
        y = box.bottom + _LINE_GAP


def layout(state: LogState, page: Page) -> Parts:
    """Lines over the whole body; beside them, once one is chosen, all of it and its keys."""
    body = page.body
    if not state.title:
        top, body = page.refused(page.body, state.frame.refusal)
        if state.frame.refusal is not None:
            yield from page.refusal(top, state.frame.refusal)
        columns = 1 if page.portrait else COLUMNS
        yield from _lines(body, state.lines, columns, -(-LINES_A_PAGE // columns))
    else:
        listed, chosen = page.sides(body, LIST_WIDE + (page.wide - 800) * 0.5)
        shown, rows = state.lines, ROWS
        if page.portrait:
            if state.members:
                shown, rows = tuple(line for line in shown if line.chosen), 1
            high = _UPRIGHT_LIST * rows / ROWS
            listed, chosen = body.top(high), body.below(high + 2 * _GAP)
        yield from _lines(listed, shown, 1, rows)
        yield from _chosen_parts(state, chosen)
    yield from page.around(state.frame, pages=(state.page, state.pages))


def _lines(room: Box, lines: Sequence[LogLine], columns: int, rows: int) -> Parts:
    """Down the first column, then the next; newest last."""
    high = (room.high - _GAP * (rows - 1)) / rows
    for n, line in enumerate(lines):
        column, row = divmod(n, rows)
        strip = Box(room.x, room.y + row * (high + _GAP), room.wide, high)
        box = strip.columns([1] * columns, gap=_GAP)[column]
        yield f"log/{line.seq}", LogPart(box=box, line=line, action=line.key.action)


def _chosen_parts(state: LogState, room: Box) -> Parts:
    """What was told, the lines of a form as keys, and what can be done, side by side."""
    keys = Box(room.x, room.bottom - _KEYS_HIGH, room.wide, _KEYS_HIGH)
    for n, (box, key) in enumerate(
        zip(keys.columns([1] * max(2, len(state.keys)), gap=_GAP), state.keys, strict=False)
    ):
        signed = box.wide > 160 or not key.second
        shown = key if signed else replace(key, sign="")
        yield f"key/{n}", key_cap(box, shown, caps=16, sign_side=22)
    if state.frame.refusal is not None:
        above = room.top(room.high - _KEYS_HIGH - _GAP)
        yield "refusal", narrow_refusal(above, state.frame.refusal)
        return
    longest = max((len(key.label) for key in state.members), default=0)
    columns = 1 if len(state.members) <= _FEW_MEMBERS and longest > _LONG_MEMBER else 2
    rows = -(-len(state.members) // columns)
    high = rows * (_MEMBER_HIGH + 4)
    members = Box(room.x, keys.y - high, room.wide, high)
    for n, key in enumerate(state.members):
        row, column = divmod(n, columns)
        strip = Box(room.x, members.y + row * (_MEMBER_HIGH + 4), room.wide, _MEMBER_HIGH)
        box = strip.columns([1] * columns, gap=_GAP)[column]
        yield f"member/{n}", key_cap(box, key, caps=15)
    above = Box(room.x, room.y, room.wide, members.y - room.y - _GAP)
    details = state.details if above.high >= _LEAST_DETAILS else ()
    yield "details", Details(box=above, title=state.title, details=details)
