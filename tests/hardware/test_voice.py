"""The voice: espeak-ng and a player that may be missing, fail or hang; tones go first."""

from __future__ import annotations

import io
import shutil
import stat
import time
import wave
from array import array
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.core.errors import PanelError
from hardware.panel import voice as voice_module
from hardware.panel.speaker import as_wav
from hardware.panel.voice import SPEAKER, EspeakVoice, has_words, main, render, why_mute
from tests.patience import PATIENCE_S, STALL_S

Install = Callable[[str, str], None]

really = pytest.mark.skipif(shutil.which(SPEAKER) is None, reason=f"{SPEAKER} is not installed")

RATE_HZ = 22_050


def samples_of(wav: bytes) -> array[int]:
    with wave.open(io.BytesIO(wav)) as file:
        assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
        return array("h", file.readframes(file.getnframes()))


# -- the real program ------------------------------------------------------------------------------


@really
def test_a_sentence_becomes_sound_of_its_length() -> None:
    speech = render("Jaws: place the Sun")
    samples = samples_of(speech.wav)
    assert 0.8 < speech.length_s < 3.0
    assert len(samples) / RATE_HZ == pytest.approx(speech.length_s)
    assert max(samples) > 10_000


@really
def test_silence_at_its_end_is_cut_off() -> None:
    samples = samples_of(render("Ready?").wav)
    assert any(abs(sample) > 100 for sample in samples[-RATE_HZ // 10 :])


@really
def test_names_and_numbers_are_heard() -> None:
    """A longer text is a longer sound, whatever letters a name is written in."""
    alone = render("draw").length_s
    for name in ("Zoë", "Łukasz", "-n", "--version", "王", "Mia 17", "[[hi]]"):
        assert render(f"{name} draw").length_s > alone


@really
def test_loudness_follows_the_percent_and_nothing_is_cut_off() -> None:
    loudest = [max(samples_of(render("Hands off the cards", p).wav)) for p in (20, 50, 100)]
    assert loudest == sorted(set(loudest))
    assert loudest[-1] < 32_767


@really
def test_a_text_without_end_is_spoken_to_a_limit() -> None:
    assert render("deck " * 5000).length_s < 60


# -- programs that a test puts in its place --------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which programs are looked for."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


@pytest.fixture
def install(folder: Path) -> Install:
    """Installs a program: a shell script under the name of a real one."""

    def install(name: str, body: str) -> None:
        script = folder / name
        script.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        script.chmod(script.stat().st_mode | stat.S_IXUSR)

    return install


@pytest.fixture
def espeak(folder: Path, install: Install) -> None:
    """Speaks half a second of noise and notes what it was asked to speak."""
    noise = array("h", [9000, -9000] * (RATE_HZ // 4))
    (folder / "noise.wav").write_bytes(as_wav(noise))
    install(
        SPEAKER,
        f'/bin/cat >> "{folder}/asked"; echo >> "{folder}/asked"; /bin/cat "{folder}/noise.wav"',
    )


@pytest.fixture
def player(folder: Path, install: Install) -> None:
    """Notes when it began, and that it was let to end; see `holding`."""
    held = f'while [ -e "{folder}/held" ]; do /bin/sleep 0.02; done'
    install("aplay", f'/bin/date +%s.%N >> "{folder}/began"; {held}; echo >> "{folder}/ended"')


@contextmanager
def holding(folder: Path) -> Generator[None, None, None]:
    """Meanwhile no sentence comes to its end by itself."""
    (folder / "held").touch()
    yield
    (folder / "held").unlink()


@pytest.fixture
def now() -> list[float]:
    """What the stopped voice's clock shows, monotonic s."""
    return [100.0]


@pytest.fixture
def stopped(now: list[float]) -> Iterator[EspeakVoice]:
    """A voice whose clock stands until a test sets it."""
    voice = EspeakVoice(clock=lambda: now[0], patience_s=PATIENCE_S)
    yield voice
    voice.close()


@pytest.fixture
def voice() -> Iterator[EspeakVoice]:
    """Closed when the test is over."""
    voice = EspeakVoice(patience_s=PATIENCE_S)
    yield voice
    voice.close()


def lines_in(folder: Path, name: str, count: int, most_s: float = PATIENCE_S) -> list[str]:
    """The lines that a program wrote, once there are so many."""
    path, until = folder / name, time.monotonic() + most_s
    while True:
        lines = path.read_text().split("\n")[:-1] if path.exists() else []
        if len(lines) >= count or time.monotonic() > until:
            return lines
        time.sleep(0.02)


def wait_for(condition: Callable[[], bool], most_s: float = PATIENCE_S) -> bool:
    until = time.monotonic() + most_s
    while not condition() and time.monotonic() < until:
        time.sleep(0.02)
    return condition()


@pytest.mark.usefixtures("espeak", "player")
def test_a_sentence_is_spoken(folder: Path, voice: EspeakVoice) -> None:
    voice.say("Paws: flip 3", 80)
    assert len(lines_in(folder, "ended", 1)) == 1
    assert lines_in(folder, "asked", 1) == ["Paws: flip 3"]
    assert not voice.trouble


@pytest.mark.usefixtures("espeak", "player")
def test_a_newer_sentence_takes_the_place_of_one_that_waits(
    folder: Path, voice: EspeakVoice
) -> None:
    with holding(folder):
        voice.say("first", 80)
        assert lines_in(folder, "began", 1)
        for words in ("second", "third", "fourth"):
            voice.say(words, 80)
    assert len(lines_in(folder, "ended", 2)) == 2
    asked = lines_in(folder, "asked", 2)
    assert (asked[0], asked[-1]) == ("first", "fourth")
    assert len(lines_in(folder, "began", 3, most_s=0.8)) == 2


@pytest.mark.usefixtures("espeak", "player")
def test_the_same_sentence_is_made_once(folder: Path, voice: EspeakVoice) -> None:
    voice.prepare(["10 seconds", "5 seconds", "…"], 80)
    assert lines_in(folder, "asked", 2) == ["10 seconds", "5 seconds"]
    voice.say("5 seconds", 80)
    assert lines_in(folder, "ended", 1)
    assert len(lines_in(folder, "asked", 3, most_s=0.3)) == 2


@pytest.mark.usefixtures("espeak", "player")
def test_a_tone_cuts_the_voice_off_and_it_waits_until_that_is_over(
    folder: Path, voice: EspeakVoice
) -> None:
    with holding(folder):
        voice.say("first", 80)
        assert lines_in(folder, "began", 1)
        hushed = time.time()
        voice.hush(0.6)
    voice.say("second", 80)
    began = [float(at) for at in lines_in(folder, "began", 2)]
    assert len(lines_in(folder, "ended", 1)) == 1, "the first was not cut off"
    assert began[1] >= hushed + 0.59
    assert not voice.trouble, "who is silenced has not failed"


@pytest.mark.usefixtures("espeak", "player")
def test_a_sentence_that_would_reach_into_the_next_tone_does_not_begin(
    folder: Path, now: list[float], stopped: EspeakVoice
) -> None:
    """It sounds 0.5 s: before a tone in 0.6 s it has no room, before one in 30 s it has."""
    stopped.keep_free(now[0] + 0.6)
    stopped.say("who is asked", 80)
    assert lines_in(folder, "asked", 1)
    assert lines_in(folder, "began", 1, most_s=0.5) == []
    stopped.keep_free(now[0] + 30.0)
    assert len(lines_in(folder, "began", 1)) == 1


@pytest.mark.usefixtures("espeak", "player")
def test_a_tone_at_the_very_moment_of_its_beginning_is_not_spoken_over(
    folder: Path, voice: EspeakVoice
) -> None:
    """Whatever the two threads do first, nothing sounds once a tone does."""
    with holding(folder):
        for n in range(10):
            voice.say(f"sentence {n}", 80)
            time.sleep(0.005 * n)
            voice.hush(0.05)
        voice.forget()
    assert lines_in(folder, "ended", 1, most_s=0.5) == []


@pytest.mark.usefixtures("espeak", "player")
def test_a_count_that_comes_too_late_is_not_spoken(
    folder: Path, now: list[float], stopped: EspeakVoice
) -> None:
    """It waited for a tone's end; what is said after it is heard."""
    stopped.hush(0.4)
    stopped.say("3", 80, before=now[0] + 0.2)
    assert lines_in(folder, "asked", 1) == ["3"]
    now[0] += 0.5
    assert lines_in(folder, "began", 1, most_s=0.6) == []
    stopped.say("locked", 80)
    assert len(lines_in(folder, "began", 1)) == 1


@pytest.mark.usefixtures("espeak", "player")
def test_nothing_is_started_at_volume_0(folder: Path, voice: EspeakVoice) -> None:
    voice.say("who is asked", 0)
    voice.prepare(["10 seconds"], 0)
    voice.say("· …", 80)
    assert lines_in(folder, "asked", 1, most_s=0.3) == []
    assert voice._thread is None


def test_signs_alone_are_no_words() -> None:
    assert has_words("PAWS 3")
    assert not has_words("… - ·")


@pytest.mark.usefixtures("folder")
def test_a_machine_without_espeak_is_mute_and_says_so(voice: EspeakVoice) -> None:
    assert why_mute() == "espeak-ng is not installed: sudo apt install espeak-ng"
    assert voice.trouble == why_mute()
    voice.say("who is asked", 80)
    voice.close()
    with pytest.raises(PanelError, match="not installed"):
        render("who is asked")


@pytest.mark.usefixtures("espeak")
def test_a_machine_without_a_loudspeaker_is_mute_and_says_so(voice: EspeakVoice) -> None:
    assert voice.trouble == "nothing plays sounds here (none of pw-play, paplay, aplay)"
    assert why_mute("none") == "the loudspeaker is switched off"


@pytest.mark.usefixtures("player")
@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("exec /bin/sleep 600", "espeak-ng hangs: it was stopped after 0.4 s"),
        ("exit 3", "espeak-ng fails: .* exit status 3"),
        ("true", "espeak-ng fails: it gave no sound"),
        ("echo no sound", "espeak-ng fails: it gave no sound"),
    ],
)
def test_an_espeak_that_hangs_or_fails_is_named_and_holds_nobody_up(
    install: Install, folder: Path, body: str, why: str
) -> None:
    install(SPEAKER, f'echo >> "{folder}/asked"; {body}')
    patience_s = 0.4 if "hangs" in why else PATIENCE_S
    voice = EspeakVoice(patience_s=patience_s)
    began = time.monotonic()
    voice.say("who is asked", 80)
    voice.hush(1.0)
    assert time.monotonic() - began < STALL_S
    assert wait_for(lambda: bool(voice.trouble))
    with pytest.raises(PanelError, match=why):
        render("who is asked", patience_s=patience_s)
    assert why.split(":", maxsplit=1)[0] in voice.trouble
    asked = len(lines_in(folder, "asked", 2))
    voice.say("what hands do", 80)
    assert len(lines_in(folder, "asked", asked + 1, most_s=0.5)) == asked, "it was asked again"
    voice.close()


@pytest.mark.usefixtures("espeak")
@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("exit 1", "aplay fails (status 1): is a loudspeaker there?"),
        ("exec /bin/sleep 600", "aplay hangs: it was stopped"),
    ],
)
def test_a_player_that_hangs_or_fails_is_named(
    install: Install, monkeypatch: pytest.MonkeyPatch, body: str, why: str
) -> None:
    monkeypatch.setattr(voice_module, "_PLAYER_S", 0.2 if "hangs" in why else PATIENCE_S)
    install("aplay", body)
    voice = EspeakVoice(patience_s=PATIENCE_S)
    voice.say("who is asked", 80)
    assert wait_for(lambda: bool(voice.trouble))
    assert voice.trouble == why
    voice.close()


@pytest.mark.usefixtures("espeak", "player")
def test_trouble_is_over_with_the_next_sentence_that_is_heard(
    install: Install, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(voice_module, "_REST_S", 0.1)
    whole = (folder / SPEAKER).read_text()
    install(SPEAKER, "exit 3")
    voice = EspeakVoice(patience_s=PATIENCE_S)
    voice.say("first", 80)
    assert wait_for(lambda: bool(voice.trouble))
    (folder / SPEAKER).write_text(whole)
    time.sleep(0.15)
    voice.say("second", 80)
    assert wait_for(lambda: not voice.trouble)
    voice.close()


@pytest.mark.usefixtures("espeak", "player")
def test_giving_sentences_never_waits(voice: EspeakVoice) -> None:
    """A thousand words from the screen cost its thread next to nothing."""
    began = time.thread_time()
    for n in range(1000):
        voice.say(f"sentence {n}", 80)
        voice.hush()
        voice.keep_free(time.monotonic() + n)
    assert time.thread_time() - began < 0.5


@pytest.mark.usefixtures("espeak", "player")
def test_a_closed_voice_is_silent_at_once(folder: Path) -> None:
    voice = EspeakVoice(patience_s=PATIENCE_S)
    with holding(folder):
        voice.say("first", 80)
        assert lines_in(folder, "began", 1)
        voice.close(PATIENCE_S)  # a sentence that went on would hold this up for ever
        voice.close(PATIENCE_S)
        voice.say("second", 80)
    assert lines_in(folder, "ended", 1, most_s=0.5) == []


def test_a_sentence_can_be_tried_by_hand(
    install: Install, espeak: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["Hands", "off"]) == 1
    assert "nothing plays sounds here" in capsys.readouterr().out
    install("aplay", "exit 0")
    assert main(["Hands", "off"]) == 0
    install(SPEAKER, "exit 2")
    assert main([]) == 1
    assert "espeak-ng does not work" in capsys.readouterr().out
