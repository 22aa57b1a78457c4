"""What answers the match's questions, or takes an answer back; what was read and done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.core.ruling import Json


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer the question `key`, which the screen showed as opened at log number `opened`."""

    key: str
    opened: int
    raw: Json


@dataclass(frozen=True, slots=True)
class AddWords:
    """Open the keyboard: an answer that people may add words to, `most` letters of them.

    `label` is what the answer is called; without a word it is given as it stands.
    """

    answer: Answer
    label: str
    most: int


@dataclass(frozen=True, slots=True)
class AskWhy:
    """Ask why an answer to question `key` is none; nothing is given."""

    key: str
    opened: int
    raw: Json


@dataclass(frozen=True, slots=True)
class Answers:
    """Close a form: give every answer that it still lacks, in this order."""

    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """Fill in one question of a form without closing it; posted unless it is the last one."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class Fill:
    """Put an answer together piece by piece: a die more, a choice more; nothing is judged yet."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back one key of an open form."""

    key: str


@dataclass(frozen=True, slots=True)
class AskUndo:
    """The first touch on Undo: names where it would lead."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Go back to before log line `seq`."""

    seq: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    """The rulings up to and with number `upto` were read and their deeds done."""

    upto: int


@dataclass(frozen=True, slots=True)
class HandsOff:
    """The lock of log line `seq` was seen by all: on to the cards."""

    seq: int


@dataclass(frozen=True, slots=True)
class Anyway:
    """Give an answer in spite of what the rules cautioned about it."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class NextDeed:
    """Show the next of several deeds."""

    upto: int


@dataclass(frozen=True, slots=True)
class Corrected:
    """Hands have done the task of a correction after which `left` more wait."""

    left: int
