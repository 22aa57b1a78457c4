"""The settings file: read, refused in words, replaced by safe defaults, written whole."""

from __future__ import annotations

import os
import tempfile
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import BadCall
from companion.games import find_rulebook
from hardware.panel.pins import PINS
from ui.table.settings import Settings, is_raspberry_pi, known_settings, safe_defaults
from ui.table.settings_file import OwnFigures, SettingsFile, table_files, written
from ui.window.opening import FirstLook


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('theme = "dusk"', ["line 1: theme: ", '"dusk"', '"day", "night"']),
        ("# mine\n\nvolume = 101", ["line 3: volume: 101", "a whole number from 0 to 100"]),
        ("volume = true", ["line 1: volume: true", "a whole number"]),
        ("volume = 7.0", ["line 1: volume: 7.0", "a whole number"]),
        ('sound = "yes"', ["line 1: sound", '"yes"', "true, false"]),
        ("camera = 3", ["line 1: camera: 3", "a text in quotes"]),
        ("rotation = 45", ["line 1: rotation: 45", "0, 90, 180, 270"]),
        ("colour = 1", ["line 1: colour: no such setting", "palette", "panel"]),
        ('"a.b" = 1', ["a.b: no such setting"]),
        ("a.b.c = 1", ["line 1: a: no such setting"]),
        ('theme = "day"\n\ntheme =', ["no TOML", "Invalid value", "line 3"]),
        ("[theme]\na = 1", ["line 1: theme", '"day", "night"']),
        ("panel = 3", ["line 1: panel: 3", "a table"]),
        ("[[panel]]\nbuzzer = 1", ["line 1: panel: ", "a table"]),
        ("[panel]\nbuzzer = 28", ["line 2: panel.buzzer: 28", '0 to 27 or "none"']),
        ('[panel]\nbuzzer = "off"', ["line 2: panel.buzzer", '0 to 27 or "none"']),
        ("[panel.buzzer]\npin = 1", ["line 1: panel.buzzer", '0 to 27 or "none"']),
        ("[panel]\nhorn = 3", ["line 2: panel.horn: no such setting", "buzzer, buzzer_kind"]),
        ("sound = true\n[panel]\n\nlamp_ten = 22", ["line 4: panel.lamp_ten", "button_referee"]),
        ("[panel]\nlamp_ten = 1\nlamp_five = 1", ["line 3: panel.lamp_five", "lamp_ten"]),
        ('theme = 1\nvolume = "x"\n[panel]\nhorn = 1', ["line 1: theme: 1", "(and 2 more)"]),
    ],
)
def test_a_broken_file_starts_in_safe_defaults_and_says_so(
    tmp_path: Path, text: str, told: list[str]
) -> None:
    """The words name file, line, key and allowed values; the file stays as it is."""
    path = tmp_path / "settings.toml"
    path.write_text(text, "utf-8")
    file = SettingsFile.load(path)
    assert file.settings == safe_defaults()
    assert all(word in file.trouble for word in [str(path), *told]), file.trouble
    assert "input" not in file.trouble.lower(), "the library's own wording"
    assert path.read_text("utf-8") == text


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"\x00" * 40])
def test_bytes_that_are_no_text_are_told(tmp_path: Path, content: bytes) -> None:
    """Whatever lies there, the app starts."""
    path = tmp_path / "settings.toml"
    path.write_bytes(content)
    assert str(path) in SettingsFile.load(path).trouble


def test_a_folder_in_its_place_is_told(tmp_path: Path) -> None:
    """Not only a missing file can be in the way."""
    assert "cannot be read" in SettingsFile.load(tmp_path).trouble


def test_a_pipe_in_place_of_any_of_its_files_keeps_nobody_waiting(tmp_path: Path) -> None:
    """Nobody ever writes into it; reading it would last for ever."""
    for name in ("settings.toml", "figures-dogfight-1917.toml", "table.toml", "other.toml"):
        os.mkfifo(tmp_path / name)
    assert "a pipe or a device" in SettingsFile.load(tmp_path / "settings.toml").trouble
    assert FirstLook.of(tmp_path / "settings.toml") == FirstLook()
    own = OwnFigures.load(tmp_path, find_rulebook("dogfight-1917"))
    assert "a pipe or a device" in own.trouble
    assert [value for _, value in table_files(tmp_path)] == [""]
    kept = SettingsFile.load(tmp_path / "settings.toml").saved(Settings(theme="night"))
    assert SettingsFile.load(tmp_path / "settings.toml") == kept


def test_without_a_file_defaults_hold_without_trouble(tmp_path: Path) -> None:
    """The first start has nothing to complain of."""
    file = SettingsFile.load(tmp_path / "none" / "settings.toml")
    assert (file.settings, file.trouble) == (safe_defaults(), "")


def test_a_broken_file_is_kept_when_settings_are_saved(tmp_path: Path) -> None:
    """Somebody wrote it by hand and may want it back."""
    path = tmp_path / "settings.toml"
    path.write_text('theme = "dusk"', "utf-8")
    file = SettingsFile.load(path)
    saved = file.saved(file.settings.changed("theme", "night"))
    assert saved.trouble == ""
    assert SettingsFile.load(path).settings.theme == "night"
    assert (tmp_path / "settings.toml.broken").read_text("utf-8") == 'theme = "dusk"'


def test_a_disk_that_takes_nothing_is_told_and_the_setting_holds(tmp_path: Path) -> None:
    """The table goes on with the new setting until the end."""
    (tmp_path / "file").write_text("", "utf-8")
    file = SettingsFile.load(tmp_path / "file" / "settings.toml")
    saved = file.saved(file.settings.changed("hand", "left"))
    assert saved.settings.hand == "left"
    assert "cannot be written" in saved.trouble


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("theme", "dusk", '"day", "night"'),
        ("light", "day", "palette"),
        ("volume", -1, "0"),
        ("camera", 3, "a text in quotes"),
        ("panel", {}, "no setting 'panel'"),
        ("panel.horn", 3, "no setting 'panel.horn'; there are theme"),
        ("panel.buzzer", 22, "panel.button_referee: GPIO 22 already carries buzzer"),
        ("panel.buzzer", 28, "0 to 27"),
    ],
)
def test_a_wrong_change_is_refused_in_words(name: str, value: object, told: str) -> None:
    """The message names what is allowed."""
    with pytest.raises(BadCall, match=told):
        Settings().changed(name, value)


@given(st.text(), st.booleans(), st.integers(0, 100), st.sampled_from(["none", *PINS.free[:2]]))
def test_what_is_written_reads_back(
    camera: str,
    sound: bool,  # noqa: FBT001
    volume: int,
    buzzer: int | str,
) -> None:
    """Any text at all may stand in a path."""
    settings = Settings(camera=camera, sound=sound, volume=volume).changed("panel.buzzer", buzzer)
    assert Settings.judged(tomllib.loads(written(settings))) == settings


def test_a_new_file_tells_of_every_setting_what_it_may_be() -> None:
    """Whoever opens it with an editor needs no page beside it."""
    lines = written(Settings()).splitlines()
    for name in known_settings():
        (line,) = [line for line in lines if line.startswith(f"{name.rpartition('.')[2]} = ")]
        assert "  # " in line


def test_a_change_leaves_comments_order_and_all_else_as_they_are(tmp_path: Path) -> None:
    """The file is whoever wrote it: one value changes, a missing one is added, nothing moves."""
    path = tmp_path / "settings.toml"
    mine = (
        '# ours\nvolume = 30   # the neighbours\n\ntheme="night"\n\n[panel]\nbuzzer = 12 # loud\n'
    )
    path.write_text(mine, "utf-8")
    file = SettingsFile.load(path)
    file = file.saved(file.settings.changed("volume", 20))
    file = file.saved(file.settings.changed("panel.buzzer", "none"))
    assert file.trouble == ""
    expected = mine.replace("volume = 30", "volume = 20").replace("buzzer = 12", 'buzzer = "none"')
    assert path.read_text("utf-8") == expected
    file = file.saved(file.settings.changed("panel.lamp_ten", 4))
    assert path.read_text("utf-8") == expected + "lamp_ten = 4\n"
    assert SettingsFile.load(path).settings == file.settings


def test_a_change_made_by_hand_meanwhile_is_kept(tmp_path: Path) -> None:
    """The app writes what it changed, not what it remembers."""
    path = tmp_path / "settings.toml"
    path.write_text("volume = 30\n", "utf-8")
    file = SettingsFile.load(path)
    path.write_text("volume = 45\n", "utf-8")
    file.saved(file.settings.changed("theme", "night"))
    now = SettingsFile.load(path).settings
    assert (now.volume, now.theme) == (45, "night")


words = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.lists(st.integers())
)


@given(
    st.dictionaries(
        st.one_of(st.sampled_from([*Settings.model_fields, "horn"]), st.text()),
        st.one_of(words, st.dictionaries(st.one_of(st.just("buzzer"), st.text()), words)),
        max_size=4,
    )
)
def test_whatever_a_file_holds_is_taken_or_refused_in_words(raw: dict[str, object]) -> None:
    """Property: nothing that a file can say ends in anything but settings or a BadCall."""
    try:
        Settings.judged(raw)
    except BadCall as refused:
        assert "Input" not in str(refused)  # noqa: PT017 - its words are the point


@given(st.text())
def test_whatever_text_a_file_holds_the_app_starts(text: str) -> None:
    """Property: any text is settings, or trouble that names the file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "settings.toml"
        path.write_text(text, "utf-8")
        assert str(path) in (SettingsFile.load(path).trouble or str(path))


@pytest.mark.parametrize(
    ("model", "pins"),
    [
        ("Raspberry Pi 5 Model B Rev 1.0\0", "lgpio"),
        ("OpenBoard, a Raspberry Pi Compute Module 4 carrier\0", "lgpio"),
        ("Orange Pi 5\0", "mock"),
        (None, "mock"),
    ],
)
def test_the_machine_names_its_pins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str | None, pins: str
) -> None:
    """A Raspberry Pi has real ones by default, every other machine pretended ones."""
    place = tmp_path / "model"
    if model is not None:
        place.write_text(model, "utf-8")
    on_pi = is_raspberry_pi(place)
    monkeypatch.setattr("ui.table.settings.is_raspberry_pi", lambda: on_pi)
    assert safe_defaults().pins == pins


@pytest.mark.parametrize(
    ("text", "words"),
    [("x = " + "[" * 20_000, "too deep in one another"), ("x = " + "9" * 5000, "too many digits")],
)
def test_what_the_library_cannot_read_is_said_in_words(
    tmp_path: Path, text: str, words: str
) -> None:
    """Brackets without end and a number of thousands of digits are faults of the file too."""
    place = tmp_path / "settings.toml"
    place.write_text(text, "utf-8")
    assert words in SettingsFile.load(place).trouble
