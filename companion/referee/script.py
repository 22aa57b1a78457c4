"""The lines that a script, a pipe or a person at the terminal gives to the referee.

A line is `[SEAT|KEY:] ANSWER` or an arbiter's verb: `!undo [SEQ|KEY]`, `!amend SEQ ANSWER`,
`!adjust JSON`, `!clock pause|resume|end|give S|set S`, `!report JSON`, `!restart FILE`,
`!close JSON`, `!challenge [SEAT]`, `!claim SIDE: WORDS`, `!decided [VERDICT]`, `!undecided`, each
with `# reason`; `!by NAME` says who the arbiter is. Three only look: `!whatif SEQ ANSWER`,
`!stands` and `!rule PARAGRAPH`. Words that nobody answers with need no mark: `challenge`, `claim`,
`decided`, `undecided`, `stands`, `rule JP-9.3`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, NoReturn

from companion.core.errors import BadFile
from companion.core.text import cut, quoted
from companion.referee.challenge import Verdict

if TYPE_CHECKING:
    from companion.core.ruling import Json


Examples = Mapping[str, Mapping[str, "Json"]]
"""What an arbiter may type at a match, by verb."""


class Verb(StrEnum):
    """What a line does."""

    ANSWER = "answer"
    UNDO = "undo"
    AMEND = "amend"
    ADJUST = "adjust"
    CLOCK = "clock"
    REPORT = "report"
    RESTART = "restart"
    CLOSE = "close"
    CHALLENGE = "challenge"
    CLAIM = "claim"
    DECIDED = "decided"
    UNDECIDED = "undecided"
    BY = "by"
    WHAT_IF = "whatif"
    STANDS = "stands"
    RULE = "rule"
    WOULD = "would"

    @property
    def is_arbiters(self) -> bool:
        """Whether it changes the match or its clock in the arbiter's name."""
        looking = (Verb.WHAT_IF, Verb.STANDS, Verb.RULE, Verb.WOULD)
        return self not in (Verb.ANSWER, Verb.BY, *looking)


BARE = (
    Verb.CHALLENGE, Verb.CLAIM, Verb.DECIDED, Verb.UNDECIDED, Verb.STANDS, Verb.RULE, Verb.WOULD,
)  # fmt: skip
"""Verbs that may be typed without "!": no question has such an answer."""


@dataclass(frozen=True, slots=True)
class ScriptLine:
    """One line of a script.

    `to` is the seat or key before an answer, `value` the answer or what the verb is given, `seq`
    the log line that undo and amend aim at. `typed` is the line itself, `number` its place in a
    script (0: typed by people).
    """

    verb: Verb
    value: Json = None
    to: str = ""
    seq: int | None = None
    reason: str = ""
    typed: str = field(default="", repr=False, compare=False)
    number: int = field(default=0, repr=False, compare=False)


_JSON_BEGINS = ('"', "{", "[")
_REASON = re.compile(r"(?:^|\s)#\s?")
_LINE_NUMBER = re.compile(r"\d{1,9}")
_SECONDS = r"\d{1,6}(?:\.\d{1,6})?"
_CLOCK = re.compile(rf"(pause|resume|end)|give\s+([-+]?{_SECONDS})|set\s+(?P<set>{_SECONDS})")


class _NoObject(ValueError):
    """A verb was given something else than a JSON object."""

    def __init__(self, verb: Verb) -> None:
        super().__init__(f"!{verb} takes a JSON object")
        self.verb = verb


def _no_examples() -> Examples:
    return {}


def read_script(
    text: str, source: str, examples: Callable[[], Examples] = _no_examples
) -> Iterator[ScriptLine]:
    """Every line of a script; BadFile names the first that is none, before anything is played."""
    for number, line in enumerate(text.splitlines(), 1):
        try:
            read = read_line(line, examples)
        except ValueError as wrong:
            raise BadFile(source, f"line {number}", str(wrong)) from wrong
        if read is not None:
            yield replace(read, number=number)


def read_line(text: str, examples: Callable[[], Examples] = _no_examples) -> ScriptLine | None:
    """One line; None if it is blank or only a remark. ValueError says what is wrong with it.

    `examples` are what the match's box shows of its verbs (`Rulebook.examples`), asked for where a
    verb was given something else.

    >>> read_line("PP: MPL own  # so Cleo")
    ScriptLine(verb=<Verb.ANSWER: 'answer'>, value='MPL own', to='PP', seq=None, reason='so Cleo')
    >>> read_line("!undo 17")
    ScriptLine(verb=<Verb.UNDO: 'undo'>, value=None, to='', seq=17, reason='')
    """
    text = text.strip()
    if not text or text.startswith("#"):
        return None
    word, _, rest = text.partition(" ")
    if not text.startswith("!") and word.lower() not in BARE:
        return replace(_answer(text), typed=text)
    word = word.removeprefix("!")
    read = _VERBS.get(word.lower())
    if read is None:
        raise ValueError(
            f"!{cut(word, word)} is no verb; there are {', '.join(f'!{name}' for name in _VERBS)}"
        )
    try:
        return replace(read(rest.strip()), typed=text)
    except _NoObject as wrong:
        raise ValueError(f"{wrong}{as_in(wrong.verb, examples())}") from wrong


def addressed(line: ScriptLine, names: Iterable[str]) -> ScriptLine:
    """An answer after a name that has a colon or a "#" itself: whoever of `names` it begins with.

    >>> addressed(read_line("Al: Bo: 3  # told twice"), ["Al: Bo"])
    ScriptLine(verb=<Verb.ANSWER: 'answer'>, value='3', to='Al: Bo', seq=None, reason='told twice')
    """
    for name in sorted(names, key=len, reverse=True):
        before, rest = line.typed[: len(name)], line.typed[len(name) :].strip()
        odd = ":" in name or "#" in name
        if odd and before.lower() == name.lower() and rest.startswith(":") and rest[1:].strip():
            value, reason = _value(rest[1:].strip())
            return replace(line, value=value, to=name, reason=reason)
    return line


def as_in(verb: Verb, examples: Examples) -> str:
    """What is added to a refusal, where the box has an example of the verb.

    >>> as_in(Verb.ADJUST, {"adjust": {"A.hand": 5}})
    ', as in !adjust {"A.hand": 5}'
    """
    example = examples.get(verb)
    return f", as in {shown(verb, example)}" if example is not None else ""


def shown(verb: str, example: Mapping[str, Json]) -> str:
    """An example as it is typed."""
    return f"!{verb} {json.dumps(example, ensure_ascii=False)}"


def _answer(text: str) -> ScriptLine:
    to = ""
    if not text.startswith(_JSON_BEGINS):
        before, colon, after = text.partition(":")
        if colon and not _REASON.search(before):
            to, text = before.strip(), after.strip()
            if not to:
                raise ValueError("a seat or key stands before the colon")
    value, reason = _value(text)
    if value == "":
        raise ValueError("an answer is missing")
    return ScriptLine(Verb.ANSWER, value, to, reason=reason)


def _undo(rest: str) -> ScriptLine:
    aim, reason = _plain(rest)
    if "/" in aim:
        return ScriptLine(Verb.UNDO, to=aim, reason=reason)
    if aim and not _LINE_NUMBER.fullmatch(aim):
        raise ValueError(f"!undo takes the number of a line, or a question's key, not {aim[:20]!r}")
    return ScriptLine(Verb.UNDO, seq=int(aim) if aim else None, reason=reason)


def _amending(verb: Verb) -> Callable[[str], ScriptLine]:
    def read(rest: str) -> ScriptLine:
        number, _, answer = rest.partition(" ")
        if not _LINE_NUMBER.fullmatch(number) or not answer.strip():
            raise ValueError(f"!{verb} takes the number of a line and its new answer")
        value, reason = _value(answer.strip())
        return ScriptLine(verb, value, seq=int(number), reason=reason)

    return read


def _clock(rest: str) -> ScriptLine:
    said, reason = _plain(rest)
    found = _CLOCK.fullmatch(said)
    if found is None:
        raise ValueError(f"!clock takes pause, resume, end, give S or set S, not {quoted(said)}")
    if found["set"]:
        return ScriptLine(Verb.CLOCK, {"set": float(found["set"])}, reason=reason)
    value = found.group(1) or float(found.group(2))
    return ScriptLine(Verb.CLOCK, value, reason=reason)


def _restart(rest: str) -> ScriptLine:
    file, reason = _plain(rest)
    if not file:
        raise ValueError("!restart takes a position file")
    return ScriptLine(Verb.RESTART, file, reason=reason)


def _worded(verb: Verb, lacking: str = "") -> Callable[[str], ScriptLine]:
    """A verb with words after it; `lacking` says which are missing (empty: none need be there)."""

    def read(rest: str) -> ScriptLine:
        words, reason = _plain(rest)
        if lacking and not words:
            raise ValueError(f"!{verb} takes {lacking}")
        return ScriptLine(verb, words, reason=reason)

    return read


def _claim(rest: str) -> ScriptLine:
    """What a side says of what is disputed: "Jaws: it was late"."""
    words, reason = _plain(rest)
    side, colon, claim = words.partition(":")
    if not colon or not side.strip() or not claim.strip():
        raise ValueError(
            "!claim takes who says it, a colon, and the words: claim Jaws: it was late"
        )
    return ScriptLine(Verb.CLAIM, claim.strip(), side.strip(), reason=reason)


def _decided(rest: str) -> ScriptLine:
    """What came of a challenge, if anybody says."""
    words, reason = _plain(rest)
    if words and words.lower() not in set(Verdict):
        known = ", ".join(Verdict)
        text = f"nothing but # and a reason follows !decided, or one of {known}, not {words[:40]!r}"
        raise ValueError(text)
    return ScriptLine(Verb.DECIDED, words.lower() or None, reason=reason)


def _alone(verb: Verb) -> Callable[[str], ScriptLine]:
    """A verb with nothing but a reason after it."""

    def read(rest: str) -> ScriptLine:
        words, reason = _plain(rest)
        if words:
            raise ValueError(f"nothing but # and a reason follows !{verb}, not {words[:40]!r}")
        return ScriptLine(verb, reason=reason)

    return read


def _object_verb(verb: Verb) -> Callable[[str], ScriptLine]:
    def read(rest: str) -> ScriptLine:
        value, reason = _value(rest)
        if not isinstance(value, dict):
            raise _NoObject(verb)
        return ScriptLine(verb, value, reason=reason)

    return read


_VERBS: Mapping[str, Callable[[str], ScriptLine]] = {
    "undo": _undo,
    "amend": _amending(Verb.AMEND),
    "adjust": _object_verb(Verb.ADJUST),
    "clock": _clock,
    "report": _object_verb(Verb.REPORT),
    "restart": _restart,
    "close": _object_verb(Verb.CLOSE),
    "challenge": _worded(Verb.CHALLENGE),
    "claim": _claim,
    "decided": _decided,
    "undecided": _alone(Verb.UNDECIDED),
    "by": _worded(Verb.BY, "the arbiter's name"),
    "whatif": _amending(Verb.WHAT_IF),
    "stands": _alone(Verb.STANDS),
    "would": _alone(Verb.WOULD),
    "rule": _worded(Verb.RULE, "a paragraph's number, or words to look up"),
}


def _plain(text: str) -> tuple[str, str]:
    """Words and the reason after them."""
    found = _REASON.search(text)
    if found is None:
        return text.strip(), ""
    return text[: found.start()].strip(), text[found.end() :].strip()


def _value(text: str) -> tuple[Json, str]:
    """An answer, which may be JSON, and the reason after it."""
    if not text.startswith(_JSON_BEGINS):
        return _plain(text)
    try:
        value, end = _DECODER.raw_decode(text)
    except (ValueError, RecursionError) as wrong:
        raise ValueError(f"this begins as JSON and is none: {wrong}") from wrong
    rest, reason = _plain(text[end:])
    if rest:
        raise ValueError(f"nothing but # and a reason follows JSON, not {quoted(rest)}")
    return value, reason


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _number(text: str) -> float:
    """A number as typed; what is too large for any is no infinity."""
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{quoted(text)} is too large a number")
    return number


_DECODER = json.JSONDecoder(parse_constant=_no_number, parse_float=_number)
