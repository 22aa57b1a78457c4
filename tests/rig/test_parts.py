"""The rig's own parts that need no machine: these few run with the gate."""

from __future__ import annotations

import io
import json
import socket
import subprocess
import threading
import wave
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from companion.core.round_clock import CUES_S
from hardware.panel.panel import PATTERNS, TONES_HZ, Sound
from hardware.panel.pins import LAMPS_S
from hardware.panel.speaker import RATE_HZ, tone_wav
from tests.rig.hands import LAMPS, Change, Loudspeaker, colours, tones_in, wrong_signs
from tests.rig.machine import JsonLine, RigError

HERE = Path(__file__).parent


@pytest.mark.parametrize("sound", [Sound.LOCK, Sound.START, Sound.END])
def test_a_recording_is_heard_as_its_beeps(sound: Sound) -> None:
    """As many tones as the sound has beeps, each as long and as high as it was written."""
    with wave.open(io.BytesIO(tone_wav(sound, 80))) as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(float)
    heard = list(tones_in(samples, RATE_HZ))
    beeps = PATTERNS[sound]
    assert [tone.length_s for tone in heard] == pytest.approx(
        [beep.length_s for beep in beeps], abs=0.02
    )
    assert [tone.hz for tone in heard] == pytest.approx([TONES_HZ[sound]] * len(beeps), rel=0.03)


def test_silence_has_no_tones() -> None:
    """Nothing is heard in nothing."""
    assert list(tones_in(np.zeros(Loudspeaker.RATE_HZ), Loudspeaker.RATE_HZ)) == []


def test_a_black_screen_has_one_colour(tmp_path: Path) -> None:
    """What `colours` tells of a screen that shows nothing."""
    Image.new("RGB", (800, 480)).save(tmp_path / "black.png")
    assert colours(tmp_path / "black.png") == 1


def round_signs(*, without: float = -1.0, late_s: float = 0.0, long_s: float = 1.0) -> list[Change]:
    """What the pins do in a round that ends at 100 s, with one thing wrong."""
    ready = [Change(79.0, "buzzer", high=True), Change(79.05, "buzzer", high=False)]
    lit = [Change(100.0 - at, lamp, high=True) for lamp, at in zip(LAMPS, LAMPS_S, strict=True)]
    for second in CUES_S:
        if second != without:
            begun, length_s = 100.0 - second + (late_s if second == 2 else 0.0), 0.15
            ready.append(Change(begun, "buzzer", high=True))
            ready.append(Change(begun + (length_s if second else long_s), "buzzer", high=False))
    return sorted([*ready, *lit], key=lambda it: it.at_s)


def test_the_signs_of_a_round_are_judged_one_by_one() -> None:
    """Each lamp and each beep has its second: a missing, a late, a short one is told."""
    assert wrong_signs(round_signs()) == ""
    assert wrong_signs(round_signs(late_s=0.2)) == "", "no clock of a machine is that exact"
    assert "lamps and beeps came" in wrong_signs(round_signs(without=3))
    assert "lamps and beeps came" in wrong_signs(round_signs(late_s=0.4))
    assert wrong_signs(round_signs(long_s=0.3)) == "the sign at zero was 0.30 s long"
    dark = [change for change in round_signs() if change.part != "lamp_five"]
    lit = ", ".join(lamp for lamp in LAMPS if lamp != "lamp_five")
    assert wrong_signs(dark) == f"the lamps were lit as {lit}"
    assert wrong_signs([]) == "the lamps were lit as none"


def test_a_line_of_json_is_said_and_heard(tmp_path: Path) -> None:
    """Objects go both ways however the bytes are cut; the end of the line is told in words."""
    place = tmp_path / "line"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(str(place))
        listening.listen(1)

        def answer() -> None:
            other, _ = listening.accept()
            with other:
                asked = json.loads(other.recv(4096))
                for part in (b'\xff{"ret', b'urn": ', b'"%s"}\n' % asked["execute"].encode()):
                    other.sendall(part)

        answering = threading.Thread(target=answer)
        answering.start()
        line = JsonLine(place)
        line.say({"execute": "ping"})
        assert line.hear(5.0) == {"return": "ping"}
        answering.join()
        with pytest.raises(RigError, match="hung up"):
            line.hear(5.0)
        line.close()


def test_the_scripts_of_the_rig_are_sound_shell() -> None:
    """Read by their shells, not run."""
    for shell, script in (
        ("bash", "prepare-image"),
        ("sh", "guest/pins"),
        ("sh", "guest/build-gpio-sim"),
    ):
        subprocess.run([shell, "-n", HERE / script], check=True)
