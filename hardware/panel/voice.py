"""A voice: sentences spoken by espeak-ng through the loudspeaker's player, in a thread of its own.

Whoever gives a sentence never waits: it is made into a WAV file and played in the background, and a
newer one takes the place of one that still waits. Tones go first: `hush` cuts the voice off, and a
sentence that would not be over when the next tone is due (`keep_free`) does not begin.

A program that is missing, fails or hangs makes the voice mute and is named in `trouble`; nothing
else notices. `python -m hardware.panel.voice "Hands off the cards"` speaks one sentence to try it.
"""

from __future__ import annotations

import io
import math
import shutil
import subprocess
import sys
import time
import wave
from array import array
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from threading import Condition, Thread

from companion.core.errors import PanelError
from hardware.panel.panel import Percent, by_ratio
from hardware.panel.speaker import NONE, PLAYERS, WavPlayer, as_wav, find_player

SPEAKER = "espeak-ng"
"""The program that makes speech out of text, and the Debian package that it comes in."""

# A sentence as sound.

MOST_LETTERS = 240
PATIENCE_S = 5.0
"""How long espeak-ng may take for a sentence, which it makes in a hundredth of that."""
_LOUDEST = 150  # of espeak-ng's 200: above it the loudest letters are cut off
_SPEED = "160"  # words a minute
_SILENT = 100  # of 32767
_PAUSE_S = 0.05


@dataclass(frozen=True, slots=True)
class Speech:
    """A sentence as a whole WAV file, and how long it sounds."""

    wav: bytes
    length_s: float


def why_mute(player: str = "auto") -> str:
    """Why nothing can be spoken here; empty where espeak-ng and a player are installed."""
    if shutil.which(SPEAKER) is None:
        return f"{SPEAKER} is not installed: sudo apt install {SPEAKER}"
    if find_player(player) != NONE:
        return ""
    if player == NONE:
        return "the loudspeaker is switched off"
    return f"nothing plays sounds here (none of {', '.join(PLAYERS)})"


def has_words(text: str) -> bool:
    """Whether there is anything to speak in it: espeak-ng makes no sound of dots and dashes."""
    return any(map(str.isalnum, text))


def render(text: str, percent: Percent = 100, patience_s: float = PATIENCE_S) -> Speech:
    """Text as speech, silence at its end cut off; PanelError says what is wrong with espeak-ng."""
    amplitude = str(max(1, round(_LOUDEST * by_ratio(percent))))
    command = [SPEAKER, "-v", "en-gb", "-s", _SPEED, "-a", amplitude, "--stdin", "--stdout"]
    try:
        done = subprocess.run(
            command,
            input=_plain(text).encode(),
            capture_output=True,
            timeout=patience_s,
            check=True,
        )
    except FileNotFoundError:
        raise PanelError(f"{SPEAKER} is not installed: sudo apt install {SPEAKER}") from None
    except subprocess.TimeoutExpired:
        raise PanelError(f"{SPEAKER} hangs: it was stopped after {patience_s:g} s") from None
    except (OSError, subprocess.CalledProcessError) as wrong:
        raise PanelError(f"{SPEAKER} fails: {wrong}") from wrong
    return _trimmed(done.stdout)


def _plain(text: str) -> str:
    """Text without what espeak-ng would take for phonemes or a line's end, and no longer."""
    words = " ".join(text.replace("[[", " ").replace("]]", " ").split())
    return words[:MOST_LETTERS]


def _trimmed(raw: bytes) -> Speech:
    """espeak-ng's own file has no true length in its head, and ends in silence."""
    try:
        with wave.open(io.BytesIO(raw)) as file:
            rate_hz = file.getframerate()
            frames = file.readframes(len(raw) // 2)
    except (EOFError, wave.Error) as wrong:
        raise PanelError(f"{SPEAKER} fails: it gave no sound ({wrong})") from wrong
    samples = array("h", frames[: len(frames) // 2 * 2])
    if sys.byteorder == "big":
        samples.byteswap()
    last = len(samples)
    while last and abs(samples[last - 1]) < _SILENT:
        last -= 1
    if not last:
        raise PanelError(f"{SPEAKER} fails: what it gave is silent")
    samples = samples[: last + round(_PAUSE_S * rate_hz)]
    return Speech(as_wav(samples, rate_hz), len(samples) / rate_hz)


# The voice.

Sentence = tuple[str, Percent]
_KEPT = 48  # sentences of some 100 kB
_REST_S = 30.0
_PLAYER_S = 3.0  # a sound system that wakes up takes a second
_MARGIN_S = 0.15  # a slow machine's start of the player


class EspeakVoice:
    """Speaks one sentence at a time; every method returns at once and may be called by any thread.

    `player` is one of the loudspeaker's, "auto" or "none"; `clock` gives the monotonic seconds of
    `hush` and `keep_free`. No thread and no program is started before there is something to say.
    """

    def __init__(
        self,
        player: str = "auto",
        clock: Callable[[], float] = time.monotonic,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self.trouble = why_mute(player)
        self._wanted_player = player
        self._clock = clock
        self._patience_s = patience_s
        self._changed = Condition()
        self._thread: Thread | None = None
        self._mouth: WavPlayer | None = None
        self._waiting: Sentence | None = None
        self._before = math.inf
        self._to_prepare: deque[Sentence] = deque(maxlen=_KEPT // 2)
        self._made: OrderedDict[Sentence, Speech] = OrderedDict()
        self._quiet_until = -math.inf
        self._tone_at = math.inf
        self._hushes = 0
        self._rests_until = -math.inf
        self._closed = False

    def say(self, text: str, percent: Percent, before: float = math.inf) -> None:
        """Speak this next, in place of what has not begun; nothing at 0 percent.

        It is not begun any more once it is `before` (monotonic s): a count that is late is wrong.
        """
        if percent <= 0 or not has_words(text):
            return
        with self._changed:
            self._waiting, self._before = (text, percent), before
            self._rouse()

    def prepare(self, texts: Iterable[str], percent: Percent) -> None:
        """Make these ready to be spoken without delay, while nothing else is to be done."""
        if percent <= 0:
            return
        with self._changed:
            self._to_prepare += [(text, percent) for text in texts if has_words(text)]
            self._rouse()

    def hush(self, for_s: float = 0.0) -> None:
        """Be silent now, and for so many seconds more, because something else sounds.

        What was being spoken is not begun again; what waited may be spoken then.
        """
        with self._changed:
            self._hushes += 1
            self._quiet_until = max(self._quiet_until, self._clock() + for_s)
            mouth = self._mouth
        if mouth is not None:
            mouth.cut()

    def forget(self) -> None:
        """Be silent, and do not say what has not begun."""
        with self._changed:
            self._waiting = None
            self._to_prepare.clear()
        self.hush()

    def keep_free(self, at: float) -> None:
        """A tone is due then (monotonic s; infinity: none): no sentence may reach into it."""
        if at == self._tone_at:
            return
        with self._changed:
            self._tone_at = at
            self._changed.notify_all()

    def speak_through(self, player: str) -> None:
        """Use this player from the next sentence on: "auto", "none", or one by its name."""
        if player != self._wanted_player:
            self._wanted_player, self.trouble = player, why_mute(player)
            self._rests_until = -math.inf

    def close(self, most_s: float = 2.0) -> None:
        """Stop speaking, for good."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self.hush()
        if self._thread is not None:
            self._thread.join(most_s)

    # -- the thread ------------------------------------------------------------------------

    def _rouse(self) -> None:
        if self._thread is None and not self._closed:
            self._thread = Thread(target=self._work, name="voice", daemon=True)
            self._thread.start()
        self._changed.notify_all()

    def _work(self) -> None:
        while (task := self._next_task()) is not None:
            task()

    def _next_task(self) -> Callable[[], None] | None:
        """Wait for something to do; None once the voice is closed."""
        with self._changed:
            while not self._closed:
                if self._clock() < self._rests_until:
                    self._waiting = None
                    self._to_prepare.clear()
                if self._clock() >= self._before:
                    self._waiting = None
                task = self._task()
                if task is not None:
                    return task
                wait_s = self._quiet_until - self._clock()
                self._changed.wait(wait_s if self._waiting and wait_s > 0 else None)
        return None

    def _task(self) -> Callable[[], None] | None:
        """What can be done now: speak, or make what is to be spoken, or what may be."""
        sentence = self._waiting
        speech = self._made.get(sentence) if sentence is not None else None
        if sentence is not None and speech is None:
            return partial(self._make, sentence)
        if sentence is not None and speech is not None and self._is_free_for(speech):
            self._waiting = None
            self._made.move_to_end(sentence)
            return partial(self._speak, speech, self._hushes)
        while self._to_prepare:
            sentence = self._to_prepare.popleft()
            if sentence not in self._made:
                return partial(self._make, sentence)
        return None

    def _is_free_for(self, speech: Speech) -> bool:
        """Whether no tone sounds now, nor would before it is over."""
        now = self._clock()
        return self._quiet_until <= now <= self._tone_at - speech.length_s - _MARGIN_S

    def _make(self, sentence: Sentence) -> None:
        try:
            speech = render(*sentence, self._patience_s)
        except PanelError as wrong:
            self._fail(str(wrong))
            return
        with self._changed:
            self._made[sentence] = speech
            if len(self._made) > _KEPT:
                self._made.popitem(last=False)

    def _speak(self, speech: Speech, hushes: int) -> None:
        player = find_player(self._wanted_player)
        if player == NONE:
            self._fail(why_mute(self._wanted_player))
            return
        mouth = WavPlayer(player)
        try:
            mouth.start(speech.wav)
            self._mouth = mouth
            if self._hushes != hushes:  # a tone began while the player was being started
                mouth.cut()
            status = mouth.wait(speech.length_s + _PLAYER_S)
        except subprocess.TimeoutExpired:
            mouth.stop()
            self._fail(f"{player} hangs: it was stopped")
        except OSError as wrong:
            self._fail(f"{player} fails: {wrong}")
        else:
            if status and self._hushes == hushes:
                self._fail(f"{player} fails (status {status}): is a loudspeaker there?")
            elif self._hushes == hushes:
                self.trouble = ""
        finally:
            self._mouth = None

    def _fail(self, why: str) -> None:
        """Say nothing for a while: what failed now will most likely fail at the next sentence."""
        self.trouble = why
        self._rests_until = self._clock() + _REST_S


def main(arguments: list[str]) -> int:
    """Speak one sentence; the exit status."""
    why = why_mute()
    with suppress(PanelError):
        if not why:
            mouth = WavPlayer(find_player())
            mouth.start(render(" ".join(arguments) or "Hands off the cards", 80).wav)
            return mouth.wait()
    print(why or f"{SPEAKER} does not work")  # noqa: T201 - a command
    return 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
