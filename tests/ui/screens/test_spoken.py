"""What a voice says at the table: what stands largest, cues after their tones, once each."""

from __future__ import annotations

import math
import re
import shutil
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from companion.core.offers import SignalEvent, SignalKind
from companion.core.round_clock import CUES_S
from hardware.panel.panel import PATTERNS, Sound
from hardware.panel.voice import SPEAKER, EspeakVoice, render, why_mute
from ui.samples.match import SAMPLES
from ui.scene.values import Band
from ui.screens.match.round import Phase, RoundState
from ui.screens.spoken import spoken
from ui.table.settings import Settings
from ui.table.voice import LOCKED, SECONDS, TableVoice
from ui.touch import actions as a

LOUD = Settings(voice=60)


class Listener(EspeakVoice):
    """A voice that is heard by the test alone, in the order of its orders."""

    def __init__(self) -> None:
        super().__init__("none")
        self.trouble = ""
        self.heard: list[tuple[str, Any]] = []
        self.free = math.inf

    def say(self, text: str, percent: int, before: float = math.inf) -> None:
        if text and percent:
            self.heard.append(("say", text))

    def prepare(self, texts: Iterable[str], percent: int) -> None:
        self.heard.append(("prepare", tuple(texts)))

    def hush(self, for_s: float = 0.0) -> None:
        self.heard.append(("hush", for_s))

    def keep_free(self, at: float) -> None:
        self.free = at

    def speak_through(self, player: str) -> None:
        """Whatever is installed here: the test hears it."""

    @property
    def said(self) -> list[str]:
        return [words for order, words in self.heard if order == "say"]


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def voice(person: Any, listener: Listener) -> TableVoice:
    """The voice of the person's table; `listener` hears it."""
    voice = TableVoice(LOUD, listener)
    person.table.set_setting("voice", LOUD.voice)
    person.table.speak_by(voice)
    return voice


# -- the words -------------------------------------------------------------------------------------


def words_of(value: Any) -> str:
    """Every text inside a state, in small letters."""
    if isinstance(value, str):
        return value.lower()
    if is_dataclass(value):
        return " ".join(words_of(getattr(value, one.name)) for one in fields(value))
    if isinstance(value, tuple | list):
        return " ".join(map(words_of, value))
    return ""


@pytest.mark.parametrize("name", SAMPLES)
def test_only_what_the_screen_shows_is_spoken(name: str) -> None:
    state = SAMPLES[name]
    shown = set(re.findall(r"\w+", words_of(state)))
    assert set(re.findall(r"\w+", spoken(state).lower())) - {"seconds", "to"} <= shown


@pytest.mark.parametrize("name", SAMPLES)
def test_whatever_asks_or_orders_is_spoken(name: str) -> None:
    """A screen with a band says it; a running round says what may be done."""
    state = SAMPLES[name]
    if isinstance(getattr(state, "band", None), Band) or isinstance(state, RoundState):
        assert spoken(state), name


def test_a_round_that_locks_says_what_was_made_ready() -> None:
    locked = next(
        state
        for state in SAMPLES.values()
        if isinstance(state, RoundState) and state.phase is Phase.LOCKED
    )
    assert spoken(locked) == LOCKED


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (("JAWS: PLACE THE SUN",), "jaws: place the sun"),
        (("PAWS GUNNER", "6 cards: deck to scrap"), "paws gunner. 6 cards: deck to scrap"),
        (("MIA", "EVADE?"), "mia. evade?"),
        (("PLAYER A: TURN RIGHT",), "player A: turn right"),
        (("JAWS PLANE TO PC",), "jaws plane to pc"),
        (("Paws.PL: the Sun",), "Paws pl: the Sun"),
        (("THE CLOCK STANDS AT 12.4 s",), "the clock stands at 12.4 seconds"),
        (("DRAW", ""), "draw"),
        (("deck 19 → 25 · scrap 4",), "deck 19 to 25, scrap 4"),
        ((), ""),
    ],
)
def test_a_band_is_read_out_as_a_person_would(lines: tuple[str, ...], said: str) -> None:
    class Screen:
        band = Band(lines)

    assert spoken(Screen()) == said


@pytest.mark.slow
@pytest.mark.skipif(shutil.which(SPEAKER) is None, reason=f"{SPEAKER} is not installed")
def test_every_sentence_of_a_round_is_short_enough_to_be_followed(
    bots: Callable[[int], Any],
) -> None:
    """Of a whole match each new sentence is spoken by the real program, in seconds."""
    said = dict.fromkeys(filter(None, map(spoken, bots(4).play())))
    assert len(said) > 20
    for words in list(said)[::7]:
        assert 0.3 < render(words).length_s < 8.0, words


# -- when it is spoken -----------------------------------------------------------------------------


def test_what_is_said_in_every_match_is_made_ready_at_the_start(listener: Listener) -> None:
    TableVoice(LOUD, listener)
    assert listener.heard == [("prepare", (*SECONDS.values(), LOCKED))]
    assert list(SECONDS.values()) == ["10 seconds", "5 seconds", "3"]


@pytest.mark.usefixtures("voice")
def test_a_screen_is_read_out_once(person: Any, listener: Listener) -> None:
    """The same words again are nothing new, a screen without words changes nothing."""
    person.begin()
    sounding = person.table.sounding
    for words in ("who won the toss?", "who won the toss?", "", "who won the toss?", "jaws"):
        sounding.read_out(words)
    assert listener.said == ["who won the toss?", "jaws"]


@pytest.mark.usefixtures("voice")
def test_each_cue_is_told_after_its_tone(person: Any, listener: Listener) -> None:
    """The tone silences the voice for as long as it lasts; then the seconds are said."""
    person.to_round()
    listener.heard.clear()
    for _ in range(45):
        person.wait(0.5)
    cue, lock = (PATTERNS[sound][-1].end_s for sound in (Sound.CUE, Sound.LOCK))
    orders = [order for order in listener.heard if order[0] in ("say", "hush")]
    assert [words for order, words in orders if order == "say"] == list(SECONDS.values())
    hushes = [for_s for order, for_s in orders if order == "hush"]
    assert [order for order, _ in orders] == ["hush", "say"] * 3 + ["hush"] * 3
    assert all(for_s >= cue for for_s in hushes)
    assert hushes[-1] >= lock


@pytest.mark.usefixtures("voice")
def test_the_next_tone_of_a_running_round_is_kept_free(person: Any, listener: Listener) -> None:
    """Of every cue down to zero; in a pause and after the round nothing is due."""
    person.to_ready()
    assert listener.free == math.inf
    person.answer("ready/jaws", "ready")
    person.answer("ready/paws", "ready")
    began, due = person.clock(), []
    for _ in range(40):
        person.table.tick()
        due.append(round(listener.free - began, 6))
        person.wait(0.5)
    assert sorted(set(due)) == [20.0 - rest_s for rest_s in CUES_S]
    person.wait(1.0)
    assert listener.free == math.inf


@pytest.mark.usefixtures("voice")
def test_a_tone_of_the_table_goes_before_the_voice(person: Any, listener: Listener) -> None:
    """It is hushed before the panel is told to sound: ready and start at two ready teams."""
    person.to_ready()
    listener.heard.clear()
    panel, order = person.desk.sound, []

    def sound(name: str) -> None:
        order.append((name, listener.heard[-1]))
        panel(name)

    person.desk.sound = sound
    person.answer("ready/jaws", "ready")
    person.answer("ready/paws", "ready")
    assert [name for name, _ in order] == [Sound.READY, Sound.START]
    assert all(last[0] == "hush" and last[1] > 0 for _, last in order)


# -- how loud --------------------------------------------------------------------------------------


def test_it_is_off_until_it_is_wanted() -> None:
    assert Settings().spoken_volume == 0
    assert LOUD.spoken_volume == 60


@pytest.mark.parametrize("quiet", [{"sound": False}, {"silent": True}, {"voice": 0}])
def test_where_nothing_may_sound_nothing_is_spoken(quiet: dict[str, Any]) -> None:
    assert LOUD.model_copy(update=quiet).spoken_volume == 0


@pytest.mark.usefixtures("voice")
def test_a_change_of_the_settings_is_obeyed_at_once(person: Any, listener: Listener) -> None:
    sounding = person.table.sounding
    person.table.set_setting("voice", 0)
    sounding.read_out("nobody hears this")
    person.table.set_setting("voice", 30)
    sounding.read_out("everybody hears this")
    assert listener.said == ["everybody hears this"]


@pytest.mark.usefixtures("voice")
def test_the_settings_say_why_nothing_is_heard(person: Any, listener: Listener) -> None:
    state = person.touch(a.Show(a.Panel.SETTINGS))
    assert not state.frame.bottom.message.first
    listener.trouble = "espeak-ng hangs: it was stopped after 5 s"
    told = person.state.frame.bottom.message
    assert (told.first, told.second) == ("The voice is not heard:", listener.trouble)


def test_a_loudspeaker_that_is_switched_off_speaks_not(person: Any) -> None:
    person.table.set_setting("voice", 50)
    person.table.set_setting("loudspeaker", "never")
    voice = TableVoice(Settings())
    person.table.speak_by(voice)
    assert voice.trouble
    assert person.table.situation().voice_trouble == voice.trouble
    person.table.set_setting("loudspeaker", "auto")
    assert voice.trouble == why_mute("auto"), "switched on, it speaks at once where it can"
    person.table.set_setting("voice", 0)
    assert not voice.trouble, "nobody wants to hear it"
    voice.close()


@pytest.mark.parametrize("kind", [SignalKind.ARMED, SignalKind.STOPPED, SignalKind.SET])
def test_what_makes_no_tone_is_not_told(kind: SignalKind, listener: Listener) -> None:
    voice = TableVoice(LOUD, listener)
    listener.heard.clear()
    voice.signal(SignalEvent(kind, "round-1", 100.0, 10.0))
    assert listener.heard == []


@pytest.mark.skipif(shutil.which(SPEAKER) is None, reason=f"{SPEAKER} is not installed")
@pytest.mark.parametrize("rest_s", SECONDS)
def test_a_spoken_cue_is_over_before_the_next_tone(rest_s: float) -> None:
    """Tone, words, a breath: there is time for them until the next cue."""
    later_s = rest_s - max(cue for cue in CUES_S if cue < rest_s)
    tone_s = PATTERNS[Sound.CUE][-1].end_s
    assert tone_s + render(SECONDS[rest_s]).length_s + 0.25 < later_s
