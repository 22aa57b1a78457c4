"""`companion referee`: a match at the terminal, by script, through a pipe, or typed by people."""

from __future__ import annotations

import io
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from companion.core.errors import BadCall, Drift, RecordDamaged
from companion.core.files import read_edited_file, read_text
from companion.core.offers import Stamp
from companion.core.ruling import TABLE, Json
from companion.core.text import counted
from companion.games import USUAL_BOX, rulebook_of
from companion.match.match import Match
from companion.match.rulebook import Setup, name_fault
from companion.record.keeping import MatchKeeping, short_of_room
from companion.referee.protocol import read_protocol
from companion.referee.script import Examples, ScriptLine, Verb, read_line, read_script, shown
from hardware.signals.folder import boot_id
from ui.table.club import Patience, keeping_of
from ui.table.protocol import rows_of, time_of_day, why_drifted
from ui.terminal import options
from ui.terminal.record import begin_record, open_record
from ui.terminal.setting_up import WantedMatch, set_up
from ui.terminal.sitting import TerminalSitting
from ui.terminal.voice import ClockTeller, JsonVoice, PlainVoice, Voice, how_to_answer

if TYPE_CHECKING:
    from companion.record.record import Record


# The match: a new one, or one of the record where its last line left it.


class Stamps:
    """Says who did something and when; `began` is where the match's seconds count from."""

    def __init__(self, began: float) -> None:
        self._began = began

    def __call__(self, author: str, now: float) -> Stamp:
        at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
        return Stamp(author, at, round(now - self._began, 3))


@dataclass(frozen=True, slots=True)
class MatchAtTerminal:
    """A match, its place in the record (None: it is kept nowhere), and what is written of it."""

    match: Match[Any]
    stamps: Stamps
    keeping: MatchKeeping | None = None
    written: int = 0
    saved: str = ""
    """Which damaged file it was saved from, in a sentence."""

    @property
    def match_id(self) -> str:
        """What the record calls it; empty where it has no place."""
        return self.keeping.match_id if self.keeping is not None else ""


def begin(setup: Setup, record: Record | None) -> MatchAtTerminal:
    """A new match; it is in the record with its first line."""
    began = time.monotonic()
    stamps = Stamps(began)
    match = Match[Any].start(setup, stamps(str(TABLE), began))
    if record is None:
        return MatchAtTerminal(match, stamps, None)
    keeping = keeping_of(record, match, boot_id(), Patience(record))
    return MatchAtTerminal(match, stamps, keeping)


def take_up(name: str, record: Record) -> MatchAtTerminal:
    """A match of the record, to go on with.

    BadCall: there is none of that name, or it does not replay here. RecordDamaged: it can only be
    looked at.
    """
    loaded = record.load(record.find(name))
    if loaded.damage is not None:
        raise RecordDamaged(
            f"{loaded.damage} Nothing is added to it; `companion export {loaded.match_id}` and "
            "`companion import` make a match of the sound part that can go on."
        )
    try:
        match = Match[Any].replay(loaded.entries)
    except Drift as drift:
        raise BadCall(f"it cannot go on here: {why_drifted(drift, loaded.entries[0])}") from drift
    keeping = keeping_of(record, match, boot_id(), Patience(record), loaded.match_id)
    began = time.monotonic() - loaded.entries[-1].match_s
    return MatchAtTerminal(match, Stamps(began), keeping, len(loaded.entries), loaded.saved)


# The command.

HELP = """An answer is an option's name, a number or JSON; it goes to the first question.
NAME: ANSWER or KEY: ANSWER (the end of a key will do) answers another one.
challenge [NAME]   stop the clock, something is disputed      claim NAME: WORDS   what a side says
decided [stands|corrected|replayed|withdrawn]   it is decided, and what came of it
undecided   the last decision counts no more: what it undid stands again, the challenge is open
stands   what stands      rule JP-9.3, rule WORDS   what the book says
log, log 20, log all   the last lines of the protocol
!undo [LINE|KEY]   !amend LINE ANSWER   !whatif LINE ANSWER   !adjust JSON   !report JSON
!restart FILE   !close JSON   !clock pause | resume | end | give S | set S
each with # reason   !by NAME  who the arbiter is from now on
?  the open questions with all their options      quit  leave the match open"""

NO_BOX = f"""Missing argument BOX (as {USUAL_BOX}), or --resume MATCH.
`companion referee --help` lists what there is."""

TICK_S = 0.05
BYTE_ORDER_MARK = "\ufeff"
"""What some editors put before the first line of a file."""
LOG_LINES = 10


@dataclass(frozen=True, slots=True)
class How:
    """How a match at the terminal is run."""

    script: Path | None = None
    json: bool = False
    record: str | None = None
    resume: str = ""
    arbiter: str | None = None


def referee(  # noqa: PLR0913, PLR0917 - a command's options are its arguments
    box: Annotated[str, typer.Argument(help=f"The box on the table, as {USUAL_BOX}.")] = "",
    variant: options.Variants = None,
    seats: options.Seats = "",
    option: options.HouseRules = None,
    position: options.PositionFile = None,
    data: options.CardFile = None,
    script: Annotated[
        Path | None, typer.Option(help="One answer a line; - plays lines as they come.")
    ] = None,
    arbiter: Annotated[
        str | None, typer.Option(help="In whose name corrections are logged.")
    ] = None,
    record: options.RecordPlace = None,
    *,
    resume: Annotated[str, typer.Option(help="Go on with a match of the record, as last.")] = "",
    json: options.AsJson = False,
) -> int:
    """Referee a match in the terminal: typed by people, or by a script."""
    asked = WantedMatch(box, variant or (), seats, option or (), position, data)
    return _referee(asked, How(script, json, record, resume, arbiter))


def _referee(asked: WantedMatch, how: How) -> int:
    """1 if a line was refused, 0 otherwise. BadCall, BadFile: nothing was begun."""
    fault = name_fault(how.arbiter or "")
    if fault:
        raise BadCall(f"--arbiter: {fault}")
    setup = _setup_of(asked, how)
    voice: Voice = JsonVoice() if how.json else PlainVoice(Console(highlight=False))
    if how.script is None and sys.stdin is not None and sys.stdin.isatty():
        return _typed(setup, voice, how)
    return _scripted(setup, voice, how)


def _setup_of(asked: WantedMatch, how: How) -> Setup | None:
    """What a new match is played under; None for one that is gone on with."""
    if not how.resume:
        if not asked.box:
            raise BadCall(NO_BOX)
        return set_up(asked)
    if asked != WantedMatch(""):
        raise BadCall("--resume goes on with a match as it was set up: it takes no box and no "
                      "other option but --script, --json, --arbiter and --record")  # fmt: skip
    return None


def _stand(setup: Setup | None, how: How, record: Record | None) -> MatchAtTerminal:
    """The match to sit down at: the record's where one is resumed, else a new one."""
    if setup is not None:
        return begin(setup, record)
    assert record is not None, "a match is resumed from a record"
    return take_up(how.resume, record)


def _record_of(how: How) -> Record:
    """One with the match to be gone on with, or one that may be begun."""
    return open_record(how.record, adds=True) if how.resume else begin_record(how.record)


# -- by script -----------------------------------------------------------------------------


def _scripted(setup: Setup | None, voice: Voice, how: How) -> int:
    """Every line of a script, then the position. Kept in a record only where one is named.

    A file is read whole before anything is played; a pipe is played line by line as lines come.
    """
    if how.script is None or str(how.script) == "-":
        return _piped(setup, voice, how)
    lines, files = _read_whole(how.script, lambda: _examples_of(setup, how))
    sitting = _sit(_begun(setup, how), voice, how, source="script", files=files)
    sitting.begin()
    for line in lines:
        if not sitting.referee.overtaken:
            sitting.do(line)
    return _end_script(sitting, voice)


def _piped(setup: Setup | None, voice: Voice, how: How) -> int:
    """Lines as they come, each played before the next is read; a bad one is refused, no more."""
    if sys.stdin is None:
        raise BadCall("standard input is closed: name a file with --script, or type at a terminal")
    sitting = _sit(_begun(setup, how), voice, how, source="script", files=_typed_file)
    sitting.begin()
    lines, number = _lines_of(sys.stdin), 0
    while (text := _next_line(lines, sitting)) is not None and not sitting.referee.overtaken:
        number += 1
        text = text.removeprefix(BYTE_ORDER_MARK) if number == 1 else text
        try:
            line = read_line(text, sitting.match.rulebook.examples)
        except ValueError as wrong:
            sitting.refuse_unread(text.strip(), number, str(wrong))
            continue
        if text.strip().lower() in _DESK_WORDS:
            _tell(_PIPED)
        if line is not None:
            sitting.do(replace(line, number=number))
    return _end_script(sitting, voice)


_DESK_WORDS = frozenset({"?", "help", "quit", "exit"})
_PIPED = (
    "lines come through a pipe, as with `--script -`: each is an answer (`KEY: ANSWER`) or a verb "
    "such as `!undo`, and their end ends it. `help` and `quit` are for typing at a terminal; "
    "`companion referee --help` has more"
)


def _tell(told: str) -> None:
    """A line on standard error: what programs read stays as it is."""
    print(f"companion: {told}", file=sys.stderr)  # noqa: T201 - this is the terminal


def _begun(setup: Setup | None, how: How) -> MatchAtTerminal:
    record = _record_of(how) if how.record or how.resume else None
    return _stand(setup, how, record)


def _end_script(sitting: TerminalSitting, voice: Voice) -> int:
    """Where it stands; 1 if a line was refused, or is not on disk."""
    voice.position(sitting.match.position_file())
    return 1 if _tell_lost(sitting, voice) or sitting.refusals else 0


def _tell_lost(sitting: TerminalSitting, voice: Voice) -> bool:
    """Say how many lines are not in the record, if there are any."""
    referee = sitting.referee
    lost = len(sitting.match.entries) - referee.confirmed
    if not lost or referee.full is None:
        return False
    are = "is" if lost == 1 else "are"
    why = "" if referee.overtaken else f": {referee.full.reason}"
    voice.remark(f"{counted(lost, 'line')} {are} not in the record{why}.")
    return True


def _next_line(lines: queue.Queue[str | None], sitting: TerminalSitting) -> str | None:
    """The next line, while time passes at the table; None at the end."""
    while True:
        try:
            return lines.get(timeout=TICK_S)
        except queue.Empty:
            sitting.tick()


def _examples_of(setup: Setup | None, how: How) -> Examples:
    """What may be typed at the match that is begun or gone on with, in its box's words."""
    if setup is not None:
        return rulebook_of(setup)(setup).examples()
    return take_up(how.resume, open_record(how.record, adds=True)).match.rulebook.examples()


def _read_whole(
    script: Path, examples: Callable[[], Examples]
) -> tuple[list[ScriptLine], Callable[[str], Mapping[str, Json]]]:
    """The lines, and the position files that they name; BadFile before anything is played."""
    lines = list(read_script(read_text(script), str(script), examples))
    named = {str(line.value) for line in lines if line.verb is Verb.RESTART}
    files = {name: read_edited_file(_beside(script.parent, name)) for name in named}
    return lines, files.__getitem__


def _beside(folder: Path, name: str) -> Path:
    """A file as named from here, else from where the script lies."""
    here = Path(name).expanduser()
    return here if here.exists() or not (folder / name).exists() else folder / name


# -- by people -----------------------------------------------------------------------------


def _typed(setup: Setup | None, voice: Voice, how: How) -> int:
    """People type; the clock runs, and the record is kept."""
    standing = _stand(setup, how, _record_of(how))
    sitting = _sit(standing, voice, how, source="terminal", files=_typed_file)
    sitting.clock_teller = ClockTeller(sitting.referee, voice)
    desk = TypingDesk(sitting, voice)
    sitting.begin()
    voice.remark("? helps; quit leaves the match open in the record.")
    desk.run(_lines_of(sys.stdin))
    sitting.leave()
    is_lost = _tell_lost(sitting, voice)
    if sitting.match.outcome is None and standing.match_id:
        place = f" --record {how.record}" if how.record else ""
        again = f"companion referee --resume {standing.match_id}{place}"
        stays = "The match stays open" if not is_lost else "The record has the lines before"
        voice.remark(f"{stays}. To go on: {again}, or the app.")
    return 1 if is_lost else 0


def _typed_file(name: str) -> Mapping[str, Json]:
    return read_edited_file(Path(name).expanduser())


class TypingDesk:
    """Where people type while the clock runs."""

    def __init__(self, sitting: TerminalSitting, voice: Voice) -> None:
        self._sitting, self._voice = sitting, voice
        self._asked: tuple[str, Callable[[str], bool]] | None = None
        sitting.ask = self._ask

    def run(self, lines: queue.Queue[str | None]) -> None:
        """Until the lines are over (None), somebody says quit, or another program goes on."""
        while not self._sitting.referee.overtaken:
            text = _next_line(lines, self._sitting)
            if text is None:
                return
            if text.strip().lower() in ("quit", "exit"):
                return
            if self._asked is not None:
                self._answer(*self._asked, text.strip())
            else:
                self._take(text)

    def _ask(self, prompt: str, then: Callable[[str], bool]) -> None:
        """The next line that is typed answers this; it is asked again where it is no answer."""
        self._asked = (prompt, then)
        self._voice.remark(prompt)

    def _answer(self, prompt: str, then: Callable[[str], bool], said: str) -> None:
        if self._reads(said) or self._sitting.do_aside(said):
            self._voice.remark(prompt)
            return
        self._asked = None
        if not then(said):
            self._ask(prompt, then)

    def _reads(self, text: str) -> bool:
        """Whether that was a word of the desk's own; then it is carried out."""
        word, _, rest = text.strip().partition(" ")
        if text.strip().lower() in ("?", "help"):
            self._help()
        elif word.lower() == "log" and (not rest or rest == "all" or rest.isdecimal()):
            self._log(rest)
        else:
            return False
        return True

    def _take(self, text: str) -> None:
        if not self._reads(text):
            self._carry_out(text)

    def _carry_out(self, text: str) -> None:
        try:
            line = read_line(text, self._sitting.match.rulebook.examples)
        except ValueError as wrong:
            self._voice.remark(f"{wrong}; ? helps")
            return
        if line is not None:
            self._sitting.do(line)

    def _help(self) -> None:
        match = self._sitting.match
        examples = match.rulebook.examples()
        typed = "\n".join(shown(verb, example) for verb, example in examples.items())
        self._voice.remark(f"{HELP}\nAs in:\n{typed}")
        for question in match.open.values():
            names = how_to_answer(question, most=sys.maxsize)
            answered = match.answered.get(question.key)
            told = (
                f" (told: {question.in_words(answered)})" if question.key in match.answered else ""
            )
            self._voice.remark(f"{question.prompt}{told}\n  {question.key}  {names}".rstrip())

    def _log(self, many: str) -> None:
        """The last lines of the protocol: ten of them, so many, or all."""
        lines = read_protocol(self._sitting.match.entries, time_of_day).lines
        count = len(lines) if many == "all" else int(many or LOG_LINES)
        for line in lines[max(0, len(lines) - count) :]:
            for row in rows_of(line):
                self._voice.remark(row.text)


def _lines_of(stream: Iterable[str]) -> queue.Queue[str | None]:
    """Lines as they are typed, read beside the clock; None at the end, whatever ends them."""
    lines: queue.Queue[str | None] = queue.Queue()
    if isinstance(stream, io.TextIOWrapper):  # a torn letter is a typing slip, not the end
        stream.reconfigure(errors="backslashreplace")

    def read() -> None:
        try:
            for line in stream:
                lines.put(line)
        except OSError:  # the terminal has gone
            pass
        finally:
            lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    return lines


# -- by script and by people ---------------------------------------------------------------


def _sit(
    standing: MatchAtTerminal,
    voice: Voice,
    how: How,
    *,
    source: str,
    files: Callable[[str], Mapping[str, Json]],
) -> TerminalSitting:
    if standing.saved:
        voice.remark(standing.saved)
    if standing.keeping is not None and (short := short_of_room(standing.keeping.record)):
        voice.remark(short)
    keeping = standing.keeping.for_referee() if standing.keeping is not None else None
    return TerminalSitting(
        standing.match,
        voice,
        time.monotonic,
        standing.stamps,
        source=source,
        files=files,
        keeping=keeping,
        written=standing.written,
        arbiter=how.arbiter,
    )
