"""The settings file: read, refused in words, replaced by safe defaults, written whole."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import BadCall
from ui.settings import Settings, SettingsFile, is_raspberry_pi, safe_defaults, written


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('theme = "dusk"', ["theme", "'dusk'", '"day", "night"']),
        ("volume = 101", ["volume", "101", "100"]),
        ("volume = true", ["volume", "True"]),
        ('sound = "yes"', ["sound", "'yes'", "true, false"]),
        ("colour = 1", ["colour", "no such setting", "palette"]),
        ("theme =", ["no TOML", "Invalid value"]),
        ("[theme]\na = 1", ["theme", '"day", "night"']),
    ],
)
def test_a_broken_file_starts_in_safe_defaults_and_says_so(
    tmp_path: Path, text: str, told: list[str]
) -> None:
    """The line names file, key and allowed values; the file stays as it is."""
    path = tmp_path / "settings.toml"
    path.write_text(text, "utf-8")
    file = SettingsFile.load(path)
    assert file.settings == safe_defaults()
    assert all(word in file.trouble for word in [str(path), *told]), file.trouble
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
        ("camera", 3, "string"),
    ],
)
def test_a_wrong_change_is_refused_in_words(name: str, value: object, told: str) -> None:
    """The message names what is allowed."""
    with pytest.raises(BadCall, match=told):
        Settings().changed(name, value)


@given(st.text(), st.booleans(), st.integers(0, 100))
def test_what_is_written_reads_back(camera: str, sound: bool, volume: int) -> None:  # noqa: FBT001
    """Any text at all may stand in a path."""
    settings = Settings(camera=camera, sound=sound, volume=volume)
    assert Settings.model_validate(tomllib.loads(written(settings))) == settings


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
    monkeypatch.setattr("ui.settings.is_raspberry_pi", lambda: on_pi)
    assert safe_defaults().pins == pins
