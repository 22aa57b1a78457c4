"""The loudspeaker: the panel's sounds as short tones, through whatever player the system has.

It is a process of its own behind a pipe: the signal process writes one short line and never waits,
and a sound system that hangs or crashes takes no deadline with it. A machine without a player, or
without a loudspeaker, is the named state "none". Sounds start as fast as the player does, some
50 ms after the buzzer: the buzzer is the referee, the loudspeaker is company.

`python -m hardware.panel.speaker lock` plays one sound to try it.
"""

from __future__ import annotations

import io
import math
import os
import shutil
import subprocess
import sys
import wave
from array import array
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from hardware.panel.panel import PATTERNS, TONES_HZ, Sound, by_ratio, sound_named

NONE = "none"
"""The player's name where there is none, or none is wanted."""

PLAYERS: Mapping[str, tuple[str, ...]] = {
    "pw-play": ("pw-play",),
    "paplay": ("paplay",),
    "aplay": ("aplay", "--quiet"),
}
"""Programs that play a WAV file, the likeliest first: PipeWire, PulseAudio, ALSA."""

RATE_HZ = 22_050
_LAST_SOUND_S = 3.0
_RAMP_S = 0.004  # without it each beep begins and ends with a click


def find_player(wanted: str = "auto") -> str:
    """The player to use: the one named, else the first that is installed, else "none".

    >>> find_player("none")
    'none'
    """
    names = PLAYERS if wanted == "auto" else (wanted,)
    return next((name for name in names if name in PLAYERS and shutil.which(name)), NONE)


@lru_cache(maxsize=64)
def tone_wav(sound: Sound, percent: int) -> bytes:
    """A sound as a whole WAV file: one channel, 16 bit, in the rhythm of its pattern.

    `percent` is the loudness.
    """
    beeps = PATTERNS[sound]
    samples = array("h", bytes(2 * math.ceil((beeps[-1].end_s + 0.05) * RATE_HZ)))
    loudest = 0.8 * 32767 * by_ratio(percent)
    step = 2 * math.pi * TONES_HZ[sound] / RATE_HZ
    for beep in beeps:
        first, count = round(beep.start_s * RATE_HZ), round(beep.length_s * RATE_HZ)
        for n in range(count):
            swell = min(1.0, n / RATE_HZ / _RAMP_S, (count - n) / RATE_HZ / _RAMP_S)
            samples[first + n] = round(loudest * swell * math.sin(n * step))
    return as_wav(samples)


def as_wav(samples: array[int], rate_hz: int = RATE_HZ) -> bytes:
    """Samples of 16 bit as a whole WAV file of one channel."""
    if sys.byteorder == "big":
        samples.byteswap()
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setparams((1, 2, rate_hz, 0, "NONE", ""))
        out.writeframes(samples.tobytes())
    return file.getvalue()


class Speaker:
    """The signal process's end of the pipe; writing never waits and never fails loudly."""

    def __init__(self, player: str) -> None:
        self.player = find_player(player)
        self._pipe: int | None = None
        if self.player != NONE:
            self._start()

    def _start(self) -> None:
        command = [sys.executable, "-m", "hardware.panel.speaker", "--serve", self.player]
        source = str(Path(__file__).resolve().parents[2])
        reader, self._pipe = os.pipe()
        os.set_blocking(self._pipe, False)
        path = os.pathsep.join(filter(None, (source, os.environ.get("PYTHONPATH", ""))))
        try:
            self._process = subprocess.Popen(
                command,
                stdin=reader,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": path},
            )
        except OSError:
            self._lose()
        finally:
            os.close(reader)

    def play(self, sound: Sound, percent: int) -> None:
        """Start a sound; where the player is gone, the state becomes "none"."""
        if self._pipe is None or percent <= 0:
            return
        try:
            os.write(self._pipe, f"{sound} {percent}\n".encode("ascii"))
        except BlockingIOError:
            return  # a player that hangs misses sounds; nobody waits for it
        except OSError:
            self._lose()
            self._process.poll()  # no child is left behind unburied

    def close(self) -> None:
        """Let the sound end, then the player's process; at most so long."""
        if self._pipe is None:
            return
        self._lose()
        try:
            self._process.wait(_LAST_SOUND_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _lose(self) -> None:
        self.player = NONE
        if self._pipe is not None:
            os.close(self._pipe)
        self._pipe = None


class WavPlayer:
    """The other end: one WAV file at a time, the newest wins."""

    def __init__(self, player: str) -> None:
        self._command = PLAYERS[player]
        self._present: subprocess.Popen[bytes] | None = None

    def start(self, wav: bytes) -> None:
        """Start the player on a file that exists in memory alone; OSError where it cannot start."""
        self.stop()
        file = os.memfd_create("sound.wav")
        try:
            os.write(file, wav)
            self._present = subprocess.Popen(
                [*self._command, f"/dev/fd/{file}"],
                pass_fds=(file,),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        finally:
            os.close(file)

    def cut(self) -> None:
        """Silence what sounds, without waiting for anything; any thread may."""
        present = self._present
        if present is not None:
            present.kill()

    def stop(self) -> None:
        """Silence what sounds, and wait until it is."""
        if self._present is not None:
            self._present.kill()
            self._present.wait()
        self._present = None

    def wait(self, most_s: float | None = None) -> int:
        """Wait until the sound has ended; the player's exit status. TimeoutExpired after most_s."""
        return 0 if self._present is None else self._present.wait(most_s)


def serve(player: str) -> None:
    """Play what the lines on standard input name, until it closes."""
    mouth = WavPlayer(player)
    for line in sys.stdin:
        name, _, percent = line.partition(" ")
        mouth.start(tone_wav(sound_named(name), int(percent)))
    mouth.wait()


def main(arguments: list[str]) -> int:
    """Serve the signal process, or play one sound by name; the exit status."""
    if arguments[:1] == ["--serve"]:
        serve(arguments[1])
        return 0
    sound = sound_named(arguments[0] if arguments else Sound.LOCK)
    player = find_player()
    if player == NONE:
        print(f"no player found: install one of {', '.join(PLAYERS)}")  # noqa: T201 - a command
        return 1
    mouth = WavPlayer(player)
    mouth.start(tone_wav(sound, 80))
    return mouth.wait()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
