"""The loudspeaker: tones in memory, a player that may be missing, slow or gone."""

from __future__ import annotations

import io
import os
import stat
import time
import wave
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardware.panel.panel import PATTERNS, TONES_HZ, Sound
from hardware.panel.speaker import NONE, RATE_HZ, Speaker, find_player, main, tone_wav
from tests.patience import PATIENCE_S


def samples_of(sound: Sound, percent: int = 100) -> array[int]:
    with wave.open(io.BytesIO(tone_wav(sound, percent))) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE_HZ)
        return array("h", file.readframes(file.getnframes()))


@pytest.mark.parametrize("sound", Sound)
def test_a_tone_has_the_rhythm_of_its_pattern(sound: Sound) -> None:
    """Loud within the beeps, silent between and after them."""
    samples = samples_of(sound)
    for beep in PATTERNS[sound]:
        middle = round((beep.start_s + beep.length_s / 2) * RATE_HZ)
        assert max(samples[middle - 200 : middle + 200]) > 15_000
    for beep in PATTERNS[sound]:
        after = round((beep.end_s + 0.02) * RATE_HZ)
        assert set(samples[after : after + 100]) == {0}


def test_no_two_tones_are_alike() -> None:
    assert len({tone_wav(sound, 80) for sound in Sound}) == len(Sound)
    assert len(set(TONES_HZ.values())) == len(Sound) == len(TONES_HZ)


def test_loudness_follows_the_percent() -> None:
    loudest = [max(samples_of(Sound.CUE, percent)) for percent in (0, 25, 50, 100)]
    assert loudest[0] == 0
    assert loudest == sorted(loudest)
    assert loudest[3] < 32767, "it clips"


@pytest.fixture
def player_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which programs are looked for."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


@pytest.fixture
def install(player_folder: Path) -> Callable[[str, str], None]:
    """Installs a player: a shell script under the name of a real one."""

    def install(name: str, body: str) -> None:
        script = player_folder / name
        script.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        script.chmod(script.stat().st_mode | stat.S_IXUSR)

    return install


@pytest.fixture
def speaker(install: Callable[[str, str], None], player_folder: Path) -> Iterator[Speaker]:
    """A speaker whose player keeps what it was given, a file for each sound."""
    part, whole = f"{player_folder}/$$", f"{player_folder}/heard-$$.wav"
    install("aplay", f'/bin/cp "$2" "{part}"; /bin/mv "{part}" "{whole}"; /bin/sleep 0.2')
    speaker = Speaker("auto")
    yield speaker
    speaker.close()


def heard_in(folder: Path, count: int, most_s: float = PATIENCE_S) -> list[bytes]:
    """The files that the player was given, once there are so many."""
    until = time.monotonic() + most_s
    while len(list(folder.glob("heard-*.wav"))) < count and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(0.05)
    return [path.read_bytes() for path in folder.glob("heard-*.wav")]


@pytest.mark.usefixtures("player_folder")
def test_a_machine_without_a_player_has_none_and_no_error() -> None:
    speaker = Speaker("auto")
    assert speaker.player == NONE
    speaker.play(Sound.LOCK, 80)
    speaker.close()


def test_the_first_player_that_is_installed_is_taken(
    install: Callable[[str, str], None],
) -> None:
    install("aplay", "true")
    assert find_player() == "aplay"
    install("pw-play", "true")
    assert find_player() == "pw-play"
    assert find_player("aplay") == "aplay"
    assert find_player("paplay") == NONE


def test_a_sound_reaches_the_player_as_a_wav_file(speaker: Speaker, player_folder: Path) -> None:
    """Through the pipe, the speaker's process and the player, byte for byte."""
    assert speaker.player == "aplay"
    speaker.play(Sound.LOCK, 80)
    assert heard_in(player_folder, 1) == [tone_wav(Sound.LOCK, 80)]


def test_playing_never_waits(speaker: Speaker) -> None:
    """A hundred sounds at once cost the deadline's thread next to nothing."""
    began = time.thread_time()
    for _ in range(100):
        speaker.play(Sound.CUE, 80)
    assert time.thread_time() - began < 0.1


def test_a_speaker_that_died_becomes_none(speaker: Speaker) -> None:
    """A sound system that crashes takes nothing with it; the state says so."""
    speaker._process.kill()
    speaker._process.wait()
    speaker.play(Sound.CUE, 80)
    assert speaker.player == NONE
    speaker.play(Sound.CUE, 80)


def test_muted_is_silent(speaker: Speaker, player_folder: Path) -> None:
    speaker.play(Sound.CUE, 0)
    speaker.play(Sound.LOCK, 50)
    assert heard_in(player_folder, 1) == [tone_wav(Sound.LOCK, 50)]


def test_one_sound_can_be_tried_by_hand(
    install: Callable[[str, str], None],
    player_folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """`python -m hardware.panel.speaker`: the player's status, or what to install."""
    assert main([]) == 1
    assert "install one of pw-play, paplay, aplay" in capsys.readouterr().out
    install("aplay", "exit 3")
    assert main(["cue"]) == 3
    assert os.environ["PATH"] == str(player_folder)
