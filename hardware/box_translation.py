"""The box's words on our clock: cards, presses and signs with monotonic seconds and their error."""

from __future__ import annotations

from urllib.parse import quote, unquote

from companion.offers import AfterZero, CardEvent, Press, SignalEvent, SignalKind
from hardware.box_time import BoxTime
from hardware.box_words import CardWord, KeyWord, SignWord

OWN_CLOCK_S = 0.0001
"""How wrong the box may be about two of its own moments: the pins, and its microseconds."""

ROUND_CHARS = "-._~/:+"


def round_word(round_id: str) -> str:
    """A round's name as it goes over the line: no spaces, no signs of the protocol."""
    return quote(round_id, safe=ROUND_CHARS)


def round_of(word: str) -> str:
    """The round's name that went over the line so."""
    return unquote(word)


class Translation:
    """Needs `time` to be known. Remembers the latest zero, for cards that come after it."""

    def __init__(self, time: BoxTime) -> None:
        self._time = time
        self._own_zero_us: int | None = None
        self._other_zero: float | None = None

    def forget_zero(self) -> None:
        """A round begins: what is laid now is not late."""
        self._own_zero_us = self._other_zero = None

    def zero_elsewhere(self, at: float) -> None:
        """Zero was sounded by something else, at `at` (monotonic s)."""
        if self._own_zero_us is None:
            self._other_zero = at

    def sign(self, word: SignWord) -> SignalEvent:
        """A cue or zero that the box sounded."""
        kind = SignalKind.CUE if word.rest_ms else SignalKind.ZERO
        if kind is SignalKind.ZERO:
            self._own_zero_us = word.at_us
        at, late_s = self._time.ours(word.at_us).at, word.late_us * 1e-6
        return SignalEvent(kind, round_of(word.round), at, word.rest_ms / 1000, late_s)

    def press(self, word: KeyWord) -> Press:
        """A button's first contact."""
        return Press(word.button, self._time.ours(word.at_us - word.error_us // 2).at)

    def card(self, word: CardWord) -> CardEvent:
        """A section that changed, held against the latest zero."""
        half_s = word.error_us * 0.5e-6
        moment = self._time.ours(word.at_us - word.error_us // 2)
        return CardEvent(
            word.move,
            word.track,
            word.section,
            word.cards,
            moment.at,
            moment.error_s + half_s,
            word.stir_us * 1e-6,
            self._after_zero(word.at_us - word.stir_us - word.error_us // 2, half_s),
        )

    def _after_zero(self, began_us: int, error_s: float) -> AfterZero | None:
        """On the box's own clock where the box sounded: then no translation can be wrong."""
        if self._own_zero_us is not None:
            late_s = (began_us - self._own_zero_us) * 1e-6
            return AfterZero(late_s, error_s + OWN_CLOCK_S)
        if self._other_zero is None:
            return None
        moment = self._time.ours(began_us)
        return AfterZero(moment.at - self._other_zero, moment.error_s + error_s + OWN_CLOCK_S)
