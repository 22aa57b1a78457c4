"""The referee as a library: matches, offers, the record, and what can go wrong.

Whoever writes a bot, a notebook or another front end imports from here and needs nothing deeper:

>>> from companion import Match, Offer, Setup, Stamp, replay
>>> now = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
>>> match = Match.start(Setup("jaws-and-paws"), now)
>>> list(match.open)
['set-up/toss']
>>> _ = match.answer(Offer("set-up/toss", "Jaws", "script", match.open["set-up/toss"].by), now)
>>> replay(match.entries).position.digest() == match.position.digest()
True

A question's `kind` says what `Offer.raw` has to be. Where answers are few, `options_now()` lists
them.

| kind | answer |
| --- | --- |
| choose, reveal, rollagain | the name of an option |
| choosesome | a list of the names of `fewest` to `most` of those `offered` |
| order | a list of the names of all that are `offered`, in order |
| count | a number, `low` to `most` |
| roll | a list of `dice` numbers, each 1 to `faces` |
| declare | a number for each of `parts`, as {"pilot": 1, "gunner": 0} |
| ready, locked | its `word` |

`lapse` is the answer that silence means (None: it means none). A `Referee` adds clock, camera and
buttons to a match, and writes it into a `Record` by a `Keeping`:

>>> from companion import MatchKeeping, Record, Referee
>>> def stamp(author, now):
...     return Stamp(author, "2026-11-21T19:00:00Z", now)
>>> def referee_of(match, record):
...     keeping = MatchKeeping(record, match, boot_id="")
...     return Referee(match, keeping.for_referee(), stamp)
>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder, Record.open(f"{folder}/record.db") as record:
...     referee = referee_of(match, record)
...     referee.begin(0.0)
...     referee.take(Offer("set-up/sun", "Jaws.PL", "script", "Jaws"), 0.0)
...     len(record.load(record.find("last")).entries)
3

What is wrong with a call of a match is a CompanionError with a sentence, and has changed nothing.
These names, their arguments and their errors stay as they are from one version to the next; what
lies in the rooms below may move. Each name is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.errors import (
        BadCall,
        BadFile,
        CompanionError,
        Drift,
        IllegalAnswer,
        MatchClosed,
        RecordDamaged,
        RecordError,
        RecordReadOnly,
        RuleBug,
        StaleOffer,
    )
    from companion.core.offers import Offer, Stamp
    from companion.games import find_rulebook
    from companion.match.entry import Entry
    from companion.match.match import Match
    from companion.match.rulebook import Setup
    from companion.record.keeping import MatchKeeping
    from companion.record.record import Record
    from companion.referee.referee import Keeping, Referee

__all__ = [
    "BadCall",
    "BadFile",
    "CompanionError",
    "Drift",
    "Entry",
    "IllegalAnswer",
    "Keeping",
    "Match",
    "MatchClosed",
    "MatchKeeping",
    "Offer",
    "Record",
    "RecordDamaged",
    "RecordError",
    "RecordReadOnly",
    "Referee",
    "RuleBug",
    "Setup",
    "StaleOffer",
    "Stamp",
    "find_rulebook",
    "replay",
]

_ERRORS = "companion.core.errors"
_ROOMS = {
    "Entry": "companion.match.entry",
    "Keeping": "companion.referee.referee",
    "Match": "companion.match.match",
    "MatchKeeping": "companion.record.keeping",
    "Offer": "companion.core.offers",
    "Record": "companion.record.record",
    "Referee": "companion.referee.referee",
    "Setup": "companion.match.rulebook",
    "Stamp": "companion.core.offers",
    "find_rulebook": "companion.games",
}


def replay(entries: Sequence[Entry]) -> Match[Any]:
    """The match that these lines of a log tell, the set-up first.

    Drift: a line that is none, or one that no longer fits the rules.
    """
    from companion.match.match import Match

    return Match[Any].replay(entries)


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_ROOMS.get(name, _ERRORS)), name)
