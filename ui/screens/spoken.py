"""What a voice says of a screen: the words that stand largest on it, as a person reads them out.

They are who is asked, what hands do, how a round or a match ended; nothing that a screen hides.
"""

from __future__ import annotations

import re

from ui.scene.values import Band
from ui.screens.match.cards import CardsState
from ui.screens.match.counts import CountsState
from ui.screens.match.lock import LockState
from ui.screens.match.ready import ReadyState
from ui.screens.match.round import RoundState

_READ_OUT = (
    (re.compile(r"(?<=\d) s\b"), " seconds"),
    (re.compile(r"(?<=[^\W\d])\.(?=\w)"), " "),  # a place of a board: "Jaws.PC"
    (re.compile(r"\s*[·|]\s*"), ", "),
    (re.compile(r"\s*→\s*"), " to "),
)
_ENDS = (".", "!", "?", ":", ",")


def spoken(state: object) -> str:
    """The sentence for this screen; empty where it has no words that everybody waits for."""
    return _sentence(_lines(state))


def _lines(state: object) -> tuple[str, ...]:
    match state:
        case RoundState():
            return (state.big, state.below) if state.big else (state.lead,)
        case CardsState():
            return (*(line for deed in state.deeds for line in deed.lines), state.asked)
        case ReadyState(deeds=(_, *_)):
            asked = () if state.rows else state.band.lines
            return (*(line for deed in state.deeds for line in deed.lines), *asked)
        case CountsState() | LockState():
            return (state.lead,)
        case _:
            band = getattr(state, "band", None)
            return band.lines if isinstance(band, Band) else ()


def _sentence(lines: tuple[str, ...]) -> str:
    """Lines one after another, with a pause between them.

    >>> _sentence(("PAWS GUNNER", "6 cards: deck to scrap"))
    'paws gunner. 6 cards: deck to scrap'
    >>> _sentence(("THE CLOCK STANDS AT 12.4 s", "Jaws plane to Jaws.PC"))
    'the clock stands at 12.4 seconds. Jaws plane to Jaws pc'
    """
    said = [_read_out(line.strip()) for line in lines if line.strip()]
    return " ".join(
        line if line.endswith(_ENDS) or line is said[-1] else f"{line}." for line in said
    )


def _read_out(line: str) -> str:
    """One line as it is spoken: signs as words, capitals as words and not letter by letter."""
    for sign, words in _READ_OUT:
        line = sign.sub(words, line)
    return " ".join(map(_word, line.split()))


def _word(word: str) -> str:
    """A word that stands in capitals; a single letter is a name: "PLAYER A"."""
    letters = sum(map(str.isalpha, word))
    return word.lower() if letters > 1 and word.isupper() else word
