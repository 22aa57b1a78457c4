"""What the referee says at the terminal: as JSON lines for programs, or in words for people."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard

from rich.markup import escape

from companion.core.question import (
    ChooseSome,
    Declare,
    Locked,
    Option,
    Order,
    Question,
    Ready,
    Roll,
    RollAgain,
    to_type,
)
from companion.core.round_clock import CUES_S
from companion.core.ruling import Cite, Json, Level, Notice, Outcome, Ruling
from companion.core.text import counted, lines_in_words, listed, plain_name
from companion.kit.reports import CORRECT
from companion.match.timeline import Fate
from ui.table.protocol import result_in_words

if TYPE_CHECKING:
    from rich.console import Console

    from companion.match.book import Paragraph
    from companion.match.revision import Revision, RulingFlip
    from companion.referee.referee import Referee


LONGEST_LIST = 12
"""Options shown to people in one line; a card pad has more, and `?` lists them all."""
MORE_PARAGRAPHS = 8
"""Paragraphs found that are told by their numbers alone."""
FEW_NUMBERS = 3
"""Numbers in a row that are named one by one; more are a range."""


A_SCREEN = 20
"""Rows of a terminal's 24 that what an amend changes may take."""
MOST_PLACES = 6
"""Rounds or turns of which each is told by itself what an amend changes there."""
IN_THE_LOG = "The log shows every line of it, once amended."


class Voice(Protocol):
    """Says one thing at a time, as it comes."""

    def questions(self, asked: Sequence[Question[Any]], told: Mapping[str, str]) -> None:
        """The questions that are open now; `told` has in words what was answered to some of them.

        They are a form, which stays open until all are answered.
        """
        ...

    def ruling(self, ruling: Ruling) -> None: ...

    def notice(self, notice: Notice) -> None: ...

    def refused(self, code: str, text: str, cite: Cite | None, about: str = "") -> None:
        """An answer or verb that was not taken, `about` which line; the match is unchanged."""
        ...

    def revision(self, revision: Revision) -> None:
        """What an amend is about to change."""
        ...

    def outcome(self, outcome: Outcome, winners: Sequence[str]) -> None:
        """How it ended; `winners` as people call them."""
        ...

    def told(self, key: str, words: str, told: int, of: int) -> None:
        """An answer was taken down in a form: `told` of its `of` questions have theirs."""
        ...

    def done(self, text: str) -> None:
        """What a verb has done, in a sentence."""
        ...

    def hands(self, ruling: Ruling, items: Sequence[str]) -> None:
        """What a correction leaves for hands to do; it is no ruling of the match.

        `items` are its single things by person, where there are several.
        """
        ...

    def stands(self, sentences: Sequence[str]) -> None:
        """What stands."""
        ...

    def paragraphs(self, found: Sequence[Paragraph], more: Sequence[str]) -> None:
        """Paragraphs that were looked up, and the numbers of others that were found."""
        ...

    def position(self, file: Mapping[str, Json]) -> None: ...

    def remark(self, text: str) -> None:
        """Something about the terminal itself, not about the match."""
        ...

    def bell(self) -> None:
        """Sound the terminal's bell, where it has one."""
        ...


class JsonVoice:
    """One object a line on standard output: the contract of `--json`."""

    def questions(self, asked: Sequence[Question[Any]], told: Mapping[str, str]) -> None:
        for key, words in told.items():
            self.told(key, words, len(told), len(asked))
        say({"questions": [question_json(question) for question in asked]})

    def ruling(self, ruling: Ruling) -> None:
        say({"ruling": _ruling_json(ruling)})

    def notice(self, notice: Notice) -> None:
        say({"notice": notice_json(notice)})

    def refused(self, code: str, text: str, cite: Cite | None, about: str = "") -> None:
        say({"refused": {"code": code, "text": text, "cite": str(cite or "")}})

    def revision(self, revision: Revision) -> None:
        fates: dict[str, Json] = {str(seq): fate.value for seq, fate in revision.fate.items()}
        changed: list[dict[str, Any]] = [
            {"was": _ruling_json(flip.old), "now": _ruling_json(flip.new)}
            for flip in revision.flips
        ]
        changed += [
            {"was": _ruling_json(ruling), "now": None, "waits": seq}
            for seq, rulings in revision.falling.items()
            for ruling in rulings
        ]
        say({"revision": {"line": revision.seq, "fates": fates, "rulings": changed}})

    def outcome(self, outcome: Outcome, winners: Sequence[str]) -> None:
        ruling, won = outcome.ruling, [str(winner) for winner in outcome.winners]
        say({"outcome": {"winners": won, "text": ruling.text, "cite": str(ruling.cite)}})

    def told(self, key: str, words: str, told: int, of: int) -> None:
        say({"told": {"key": key, "words": words, "told": told, "of": of}})

    def done(self, text: str) -> None:
        say({"done": text})

    def hands(self, ruling: Ruling, items: Sequence[str]) -> None:
        say({"hands": _ruling_json(ruling)})

    def stands(self, sentences: Sequence[str]) -> None:
        say({"stands": list(sentences)})

    def paragraphs(self, found: Sequence[Paragraph], more: Sequence[str]) -> None:
        whole = [{"rule": p.rule, "heading": p.heading, "text": p.text} for p in found]
        say({"paragraphs": whole, "more": list(more)})

    def position(self, file: Mapping[str, Json]) -> None:
        say({"position": dict(file)})

    def remark(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)  # noqa: T201 - this is the terminal

    def bell(self) -> None:
        """Programs hear nothing."""


def say(said: Mapping[str, Any]) -> None:
    """One JSON object as a line, at once."""
    print(json.dumps(said, ensure_ascii=False), flush=True)  # noqa: T201 - this is the terminal


def _ruling_json(ruling: Ruling | None) -> dict[str, Json] | None:
    return None if ruling is None else {"text": ruling.text, "cite": str(ruling.cite)}


def notice_json(notice: Notice) -> dict[str, Json]:
    """A notice as the contract has it; its text says what to do, too."""
    text = f"{notice.text} {notice.way_out}".strip()
    said: dict[str, Json] = {"code": notice.code, "level": notice.level.value, "text": text}
    return {**said, "cite": str(notice.cite)}


def question_json(question: Question[Any]) -> dict[str, Json]:
    """A question as the contract has it; options by the names that answers use."""
    return {
        "key": question.key,
        "kind": question.kind,
        "by": str(question.by),
        "cite": str(question.cite),
        "prompt": question.prompt,
        "options": [option.name for option in _offered(question)],
    }


def _has_parts(question: Question[Any]) -> TypeGuard[ChooseSome[Any] | Order[Any]]:
    """Whether an answer is put together from what is offered."""
    return isinstance(question, ChooseSome | Order)


def _offered(question: Question[Any]) -> Sequence[Option[Any]]:
    """What an answer is, or is put together from."""
    if _has_parts(question):
        return question.offered
    options = question.options_now()
    if isinstance(question, Locked):  # its zero is the clock's own answer
        return [option for option in options if option.name != "zero"]
    return options


class PlainVoice:
    """For people at a terminal."""

    def __init__(self, console: Console, more: str = IN_THE_LOG) -> None:
        """`more` says where a change is told in full that no screen holds; "" tells it so here."""
        self._console, self._more = console, more
        self._asked: list[tuple[str, str, str]] = []
        self._open = set[str]()

    def questions(self, asked: Sequence[Question[Any]], told: Mapping[str, str]) -> None:
        """Each with how to answer it; of a long form that stands only what is asked again."""
        said = [(question.key, question.prompt, how_to_answer(question)) for question in asked]
        unchanged, self._asked = all(one in self._asked for one in said), said
        waiting = {question.key for question in asked} - told.keys()
        again, self._open = waiting - self._open, waiting
        many = len(waiting)
        if unchanged and many > 1 and not again:
            self._print(f"[bold cyan]?[/] The same {many} questions are open; ? lists them.")
            return
        if unchanged and many > len(again) > 0:
            self._print(f"[bold cyan]?[/] {many} questions are open; ? lists them. Asked again:")
        else:
            again = waiting
            for words in told.values():
                self._print(f"[green]+[/] {plain(words)} - {len(told)} of {len(asked)} told")
        for question, (key, _, how) in zip(asked, said, strict=True):
            if key not in again:
                continue
            self._print(
                f"[bold cyan]?[/] [bold]{plain(question.prompt)}[/]  {_cite(question.cite)}"
            )
            self._print(f"  [dim]{key}[/]  {plain(how)}")

    def ruling(self, ruling: Ruling) -> None:
        self._print(f"[green]»[/] {plain(ruling.text)}  {_cite(ruling.cite)}")

    def notice(self, notice: Notice) -> None:
        colour = {"block": "red", "warn": "yellow"}.get(notice.level.value, "blue")
        text = plain(notice_in_words(notice))
        self._print(f"[{colour}]! {notice.level.value}[/] {text}  {_cite(notice.cite)}")

    def refused(self, code: str, text: str, cite: Cite | None, about: str = "") -> None:
        told = f"{about}: {text}" if about else text
        self._print(f"[red]x refused[/] {plain(told)}  [dim]{code}[/] {_cite(cite)}")

    def revision(self, revision: Revision) -> None:
        rows, wide = [*_in_full(revision)], self._console.width
        if self._more and _high(rows, wide) > A_SCREEN:
            rows = [*_in_short(revision, wide), f"~ {self._more}"]
        for row in rows:
            mark, text = ("[yellow]~[/]", row[1:]) if row.startswith("~ ") else ("", row)
            self._print(f"{mark}{plain(text)}")

    def outcome(self, outcome: Outcome, winners: Sequence[str]) -> None:
        ruling = outcome.ruling
        told = f"[bold green]= {plain(result_in_words(winners))}.[/] {plain(ruling.text)}"
        self._print(f"{told}  {_cite(ruling.cite)}")

    def told(self, key: str, words: str, told: int, of: int) -> None:
        self._open.discard(key)
        self._print(f"[green]+[/] {plain(words)} - {told} of {of} told")

    def done(self, text: str) -> None:
        self._print(f"[yellow]~[/] {plain(text)}")

    def hands(self, ruling: Ruling, items: Sequence[str]) -> None:
        told = f"{ruling.headline}:" if items else ruling.text
        self._print(f"[green]»[/] Hands: {plain(told)}  {_cite(ruling.cite)}")
        for item in items:
            self._print(f"    - {plain(item)}")

    def stands(self, sentences: Sequence[str]) -> None:
        for sentence in sentences:
            self._print(f"  {plain(sentence)}")

    def paragraphs(self, found: Sequence[Paragraph], more: Sequence[str]) -> None:
        for paragraph in found:
            self._print(f"[bold]{plain(f'{paragraph.rule}  {paragraph.heading}')}[/]")
            self._print(plain(paragraph.text))
        if more:
            many = len(more) - MORE_PARAGRAPHS
            rest = [*more[:MORE_PARAGRAPHS], *([f"{many} more"] if many > 0 else [])]
            self._print(f"[dim]{plain(f'Also in {listed(rest)}.')}[/]")

    def position(self, file: Mapping[str, Json]) -> None:
        """People ask for it by `show --position`."""

    def remark(self, text: str) -> None:
        self._print(f"[dim]{plain(text)}[/]")

    def bell(self) -> None:
        self._console.bell()

    def _print(self, text: str) -> None:
        self._console.print(text, soft_wrap=True)


def how_to_answer(question: Question[Any], most: int = LONGEST_LIST) -> str:
    """The options by name, up to `most` of them; of counts and dice how they are written."""
    if isinstance(question, Declare):
        example = " ".join(("1", *("0" for _ in question.parts[1:])))
        return f"as {example}: {', '.join(question.parts)}"
    if isinstance(question, Roll):
        example = " ".join(str(min(n, question.faces)) for n in range(1, question.dice + 1))
        if question.dice == 1:
            return f"a number from 1 to {question.faces}"
        return f"{question.dice} numbers from 1 to {question.faces}, as {example}"
    if _has_parts(question):
        return _put_together(question)
    if isinstance(question, Locked) and question.seconds is not None and not question.word_ends:
        return "the clock ends it; !clock end lets it run out at once"
    if isinstance(question, Ready):
        return question.in_a_word
    offered = _offered(question)
    typed = to_type(offered)
    said = _with_price if isinstance(question, RollAgain) else _with_words
    return _listed([said(*pair) for pair in zip(typed, offered, strict=True)], most)


def _with_price(typed: str, option: Option[Any]) -> str:
    """What is typed to roll dice again, which dice those are, and what it costs.

    >>> from companion.core.question import Option
    >>> _with_price("Focus 4 2", Option("Focus 4 2", 1, "Focus: roll 4, 2 again, 1 token"))
    'Focus 4 2 (roll 4, 2 again, 1 token)'
    """
    words = option.label.partition(": ")[2]
    return f"{typed} ({words})" if words else typed


def _with_words(typed: str, option: Option[Any]) -> str:
    """What is typed, and beside it what it stands for where that says more: "pass (Do not evade)".

    >>> from companion.core.question import Option
    >>> _with_words("MPL own", Option("MPL own", 1, "Left", group="own plane"))
    'MPL own (own plane Left)'
    >>> _with_words("Lewis Guns", Option("Lewis Guns", 1, "Lewis Guns, 2 tokens", group="Attack"))
    'Lewis Guns (2 tokens)'
    >>> _with_words("Strafe", Option("Strafe", 8, "Strafe (8)", group="By name"))
    'Strafe (8)'
    """
    words = option.label if len(option.label.split()) > 1 else option.told
    if not option.label or not _letters(option.label).strip() or typed == option.label:
        return typed
    if _letters(option.label) == _letters(typed):
        return typed
    if words.startswith(f"{typed} ("):
        return words
    if words.startswith(f"{typed}, "):
        words = words.removeprefix(f"{typed}, ")
    return f"{typed} ({words})"


def _letters(name: str) -> str:
    """A name without what makes no other of it: case, dashes, colons."""
    return plain_name(name.replace(":", " "))


def _put_together(question: ChooseSome[Any] | Order[Any]) -> str:
    """The parts of an answer that names several, with what they stand for where that differs."""
    names = to_type(question.offered)
    parts = [_with_words(*pair) for pair in zip(names, question.offered, strict=True)]
    if isinstance(question, Order):
        return f"{' | '.join(parts)}: all of them in order, as {','.join(names)}"
    most = min(question.most, len(parts))
    many = f"{question.fewest} to {most}" if most > question.fewest else str(most)
    return f"{' | '.join(parts)}: {many} of them, as {','.join(names[:most])}"


def notice_in_words(notice: Notice) -> str:
    """A notice with its way out; of one that blocks, how it is lifted."""
    text = f"{notice.text} {notice.way_out}".strip()
    if notice.level is not Level.BLOCK:
        return text
    then = "Or" if notice.way_out == CORRECT else "Then"
    return f'{text} {then} lift it: !report {{"what": "solved", "code": "{notice.code}"}}'


# What an amend changes, in rows.


def _in_full(revision: Revision) -> Iterator[str]:
    """Every line and every ruling of it."""
    for sentence in revision.in_words():
        yield f"~ {sentence}"
    for flip in revision.flips:
        yield f"~ {_flip_in_words(flip)}"
    for seq, rulings in revision.falling.items():
        falls = "; until then not ruled:" if rulings else ""
        yield f"~ Waits: {revision.line_in_words(seq)}{falls}"
        for ruling in rulings:
            yield f"    - {ruling.text}"


def _high(rows: Sequence[str], wide: int) -> int:
    """How many rows of a screen they take."""
    return sum(max(1, -(-len(line) // wide)) for row in rows for line in row.splitlines())


def _in_short(revision: Revision, wide: int) -> Iterator[str]:
    """What matters of it: what is asked first, the first rulings, then how much in each round."""
    start, places = revision.in_words()[:1], [*_by_place(revision)]
    if _high(start, wide) > A_SCREEN // 2:  # many lines are told there one by one
        start = [_counts_of(revision, sorted(revision.fate)) + "."]
    rows = [f"~ {sentence}" for sentence in start]
    for told in map(_flip_in_words, revision.flips):
        if _high([*rows, told, *places], wide) >= A_SCREEN:
            break
        rows.append(f"~ {told}")
    return iter([*rows, *places])


def _by_place(revision: Revision) -> Iterator[str]:
    """How much is otherwise in each part of the book, a row each; the last ones in one row."""
    flips = Counter(_place(flip.key) for flip in revision.flips)
    keys = {step.seq: step.key for step in (*revision.changed.parked, *revision.changed.steps)}
    keys |= {seq: key for seq, key, _ in revision.before}  # what is asked again is in neither
    lines: dict[str, list[int]] = {}
    for seq in sorted(revision.fate):
        lines.setdefault(_place(keys.get(seq, "")), []).append(seq)
    touched = [
        place
        for place in dict.fromkeys((*lines, *flips))
        if flips[place] or any(revision.fate[seq] is not Fate.KEPT for seq in lines[place])
    ]
    single = touched if len(touched) <= MOST_PLACES else touched[: MOST_PLACES - 1]
    for places in (*([place] for place in single), touched[len(single) :]):
        if places:
            seqs = sorted(seq for place in places for seq in lines.get(place, ()))
            many = sum(flips[place] for place in places)
            told = [f"{counted(many, 'ruling')} otherwise"] if many else []
            name = places[0] if len(places) == 1 else f"{places[0]} to {places[-1].lower()}"
            yield f"~ {name}: {'; '.join((*told, _counts_of(revision, seqs)))}."


def _place(key: str) -> str:
    """The outermost part of the book that a question belongs to: "Round 3"."""
    words = key.partition("/")[0].replace("-", " ")
    return "Set-up" if words == "set up" else words.capitalize() or "Table"


def _counts_of(revision: Revision, seqs: Sequence[int]) -> str:
    """What becomes of these lines, and of how many rulings with those that wait."""
    told: list[str] = []
    for fate, one, several in _FATES:
        of = [seq for seq in seqs if revision.fate[seq] is fate]
        if of:
            told.append(f"{lines_in_words(of)} {one if len(of) == 1 else several}")
    falling = sum(len(revision.falling.get(seq, ())) for seq in seqs)
    with_them = f", and until then {counted(falling, 'ruling')} not ruled" if falling else ""
    return f"{'; '.join(told)}{with_them}"


_FATES = (
    (Fate.KEPT, "stays", "stay"),
    (Fate.DOUBTFUL, "stays, but its options have changed", "stay, but their options have changed"),
    (Fate.ASKED_AGAIN, "is asked again", "are asked again"),
    (Fate.DROPPED, "is dropped", "are dropped"),
    (Fate.PARKED, "waits", "wait"),
)


def _flip_in_words(flip: RulingFlip) -> str:
    """A ruling that goes, comes or changes: as it was, and under it as it would be."""
    if flip.old is None:
        return f"newly ruled: {flip.new.text}" if flip.new is not None else ""
    if flip.new is None:
        return f"no longer ruled: {flip.old.text}"
    return f"was ruled: {flip.old.text}\n  now: {flip.new.text}"


def _listed(options: Sequence[str], most: int) -> str:
    options = _with_ranges(options)
    if len(options) <= most:
        return " | ".join(options)
    return " | ".join((*options[:most], f"… {len(options) - most} more"))


def _with_ranges(options: Sequence[str]) -> Sequence[str]:
    """Numbers that follow each other as a range, from four of them on: "0 to 20"."""
    told: list[str] = []
    run: list[str] = []
    for option in (*options, ""):
        if run and not (option.isdecimal() and int(option) == int(run[-1]) + 1):
            told.extend([f"{run[0]} to {run[-1]}"] if len(run) > FEW_NUMBERS else run)
            run = []
        if option.isdecimal():
            run.append(option)
        elif option:
            told.append(option)
    return told


def _cite(cite: Cite | None) -> str:
    return f"[dim]{plain(f'[{cite}]')}[/]" if cite is not None else ""


def plain(text: str) -> str:
    """A text of somebody else's, so that it cannot colour, move or clear the terminal."""
    return escape("".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text))


# The countdown as people at a terminal read and hear it.


class ClockTeller:
    """Says the seconds left at each cue, and zero with the terminal's bell."""

    def __init__(self, referee: Referee, voice: Voice) -> None:
        self._referee, self._voice = referee, voice
        self._round = ""
        self._rest_s = 0.0
        self._cues: list[float] = []

    def tell(self, now: float) -> None:
        """Say what has become due since the last call."""
        clock = self._referee.clock
        if clock is None:
            self._tell_end()
            return
        rest_s = clock.rest(now)
        if clock.round_id != self._round or rest_s > self._rest_s:
            self._begin(clock.round_id, rest_s)
            self._voice.remark(f"{rest_s:.0f} s: {self._word(running=clock.running)}")
        self._rest_s = rest_s
        due = [cue for cue in self._cues if cue >= rest_s]
        self._cues = self._cues[len(due) :]
        if due:
            self._voice.remark(f"{due[-1]:g} s")

    def _word(self, *, running: bool) -> str:
        if running:
            return "lay your cards"
        if self._referee.presses.challenge is not None:
            return "the clock stands until the challenge is decided; type decided"
        return "the clock stands; !clock resume starts it"

    def _begin(self, round_id: str, rest_s: float) -> None:
        """A phase has begun, or was given time."""
        self._round = round_id
        self._cues = [cue for cue in CUES_S if 0 < cue < rest_s]

    def _tell_end(self) -> None:
        if self._round and self._rest_s < 1.0:  # else it was taken back, or ended by a word
            self._voice.bell()
            self._voice.remark("0 s: cards stay where they are")
        self._round = ""
