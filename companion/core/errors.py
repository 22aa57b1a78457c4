"""Every error the companion raises, as one tree.

CompanionError
├── IllegalAnswer (ValueError)      an answer the open question does not take
├── StaleOffer (LookupError)        an offer for a question that is no longer open
├── MatchClosed (RuntimeError)      the match has its outcome
├── BadCall (ValueError)            a verb, option, seat or argument that nobody knows
├── BadFile (ValueError)            a file people edit: named by file, place and allowed values
│   └── BadPosition                 a position that cannot be
├── Drift (RuntimeError)            a log line that does not meet the question the rules ask now
├── RuleBug (RuntimeError)          an exception of ours inside a rule
├── RecordError (OSError)           the record on disk
│   ├── RecordDamaged               bytes that are not what was written
│   ├── RecordReadOnly              the disk takes nothing more
│   └── WrittenElsewhere            another program has written the match meanwhile
├── CameraError (OSError)           the camera
│   ├── CameraLost                  was there, is gone
│   │   ├── CameraUnplugged         its plug was pulled
│   │   └── CameraFrozen            it gives no new picture
│   └── CameraBusy                  another program holds it
└── PanelError (OSError)            pins, lamps, buzzer
    └── PinsMissing                 the pin library chosen is not installed

A message names the thing, the limit, the rule and the way out.
"""

from __future__ import annotations

from reprlib import repr as brief
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.core.ruling import Cite, Fault


class CompanionError(Exception):
    """The base of every error that the companion raises."""


class IllegalAnswer(CompanionError, ValueError):
    """An answer that the open question does not take; nothing was changed."""

    def __init__(self, code: str, text: str, cite: Cite) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.cite = cite

    def __str__(self) -> str:
        return f"{self.text} ({self.code}; {self.cite})"


class StaleOffer(CompanionError, LookupError):
    """An offer that was meant for a question which is no longer open."""


class MatchClosed(CompanionError, RuntimeError):
    """The match has its outcome; only undo, amend or restart go on from here."""


class BadCall(CompanionError, ValueError):
    """A box, variant, option or seat that does not exist, or an argument of the wrong kind."""


def refuse_kind(given: object, kinds: type | tuple[type, ...], wanted: str) -> None:
    """Raise BadCall where an argument is of another kind than is wanted.

    >>> refuse_kind("now", int, "a number is wanted")
    Traceback (most recent call last):
        ...
    companion.core.errors.BadCall: a number is wanted, not 'now'
    """
    if not isinstance(given, kinds):
        raise BadCall(f"{wanted}, not {brief(given)}")


def refuse_others(given: Iterable[object], kind: type, refusal: str) -> None:
    """Raise BadCall where one of several things is of another kind."""
    if not all(isinstance(one, kind) for one in given):
        raise BadCall(refusal)


class BadFile(CompanionError, ValueError):
    """A file that people edit is wrong: the message names file, place and what is allowed."""

    def __init__(self, source: str, place: str, text: str) -> None:
        super().__init__(": ".join(part for part in (source, place, text) if part))
        self.source = source
        self.place = place
        self.text = text


class BadPosition(BadFile):
    """A position that cannot be, with every fault found in it."""

    def __init__(self, source: str, faults: Sequence[Fault]) -> None:
        first = faults[0]
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        super().__init__(source, first.path, f"{first.text} [{first.cite}]{more}")
        self.faults = tuple(faults)
        others = {1: "", 2: ". There is 1 more fault."}
        told = others.get(len(faults), f". There are {len(faults) - 1} more faults.")
        self.said = f"{first.text.removesuffix('.') if told else first.text}{told}"
        """The first fault in words, for whoever tells its rule beside it."""


class Drift(CompanionError, RuntimeError):
    """A line of a log that does not meet the question which the rules ask now."""

    def __init__(self, seq: int, recorded: str, asked: str) -> None:
        super().__init__(f"line {seq}: the record has {recorded}, the rules have {asked}")
        self.seq = seq
        self.recorded = recorded
        self.asked = asked


class RuleBug(CompanionError, RuntimeError):
    """A rule of ours failed after an answer; the match stands as before that answer."""

    @classmethod
    def of(cls, what: str, bug: Exception, rules: object) -> RuleBug:
        """Say what failed, by which exception, and at which line of the box's rules."""
        package = type(rules).__module__.rpartition(".")[0]
        return cls(f"{what}: {bug!r} at {failed_at(bug, package)}")


def failed_at(wrong: BaseException, package: str = "") -> str:
    """File and line at which an exception was raised, as "balloons/rules.py:91".

    Where lines of a `package` called what failed, the innermost of them is told.
    """
    inside = last = ""
    step = wrong.__traceback__
    while step is not None:
        folder, _, file = step.tb_frame.f_code.co_filename.rpartition("/")
        last = f"{folder.rpartition('/')[2]}/{file}:{step.tb_lineno}"
        if package and f"{step.tb_frame.f_globals.get('__name__')}".startswith(f"{package}."):
            inside = last
        step = step.tb_next
    return inside or last


class RecordError(CompanionError, OSError):
    """The record of matches cannot be used as asked."""

    @property
    def reason(self) -> str:
        """Why, without what mends it."""
        return str(self)


class RecordDamaged(RecordError):
    """What lies on disk is not what was written; the rest stays readable."""


class RecordReadOnly(RecordError):
    """The disk takes nothing more: answers stay unconfirmed.

    `why` says it of the record at `place`, which a screen need not name; `way_out` is what mends
    it, where anything does. The error itself tells players; the other two tell people at a shell.

    >>> full = RecordReadOnly("the disk is full", "make room", place="m.sqlite")
    >>> print(full)
    m.sqlite: the disk is full. What is answered now is not confirmed until the record takes it; \
make room or name another place with --record.
    """

    def __init__(self, why: str, way_out: str = "", *, place: str = "") -> None:
        super().__init__(why)
        self.why, self.way_out, self.place = why, way_out, place

    @property
    def reason(self) -> str:
        return f"{self.place}: {self.why}" if self.place else self.why

    def __str__(self) -> str:
        return self._told("What is answered now is not confirmed until the record takes it")

    @property
    def nothing_written(self) -> str:
        """What is told where nobody plays and nothing is answered."""
        return self._told("Nothing was written")

    def _told(self, then: str) -> str:
        ways = f"{then}; {self.way_out} or name another place with --record"
        return f"{self.reason}. {ways}." if self.way_out else self.reason

    @property
    def looked_at(self) -> str:
        """What is told where somebody only looks."""
        can = f"It can be looked at; to add to it {self.way_out}"
        return f"{self.reason}. {can}." if self.way_out else self.reason


class WrittenElsewhere(RecordError):
    """Another program has written the match meanwhile: this one must not go on with it."""


class CameraError(CompanionError, OSError):
    """The camera cannot be used as asked."""


class CameraLost(CameraError):
    """A camera that was there is gone, or sends nothing."""


class CameraUnplugged(CameraLost):
    """The plug of a camera that was there was pulled."""


class CameraFrozen(CameraLost):
    """A camera is there and gives no new picture."""


class CameraBusy(CameraError):
    """Another program holds the camera."""


class PanelError(CompanionError, OSError):
    """Pins, lamps, buttons or the buzzer cannot be used as asked."""


class PinsMissing(PanelError):
    """The pin factory that was chosen has no library on this machine."""


def unread_toml(wrong: Exception) -> str:
    """Why a text could not be read as TOML, in words.

    >>> unread_toml(RecursionError("maximum recursion depth exceeded"))
    'lists or tables lie too deep in one another'
    """
    if isinstance(wrong, RecursionError):
        return "lists or tables lie too deep in one another"
    if type(wrong) is ValueError:  # of an int() of thousands of digits
        return "a number has too many digits to be read"
    return f"this is no TOML: {wrong}"
