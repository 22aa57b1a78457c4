"""Settings in the app: every setting of the file has its row, and every key sets what it says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.scene.scene import RESTART, Exchanging, Situation
from ui.scene.theme import Theme
from ui.scene.values import Key, KeyLook, Mark, Picture
from ui.screens.beside.settings import (
    BUSY_ROWS,
    ROWS,
    USUAL_VOICE,
    SettingRow,
    SettingsPage,
    SettingsState,
    present_settings,
)
from ui.screens.registry import parts_of
from ui.table.previews import CameraSeen
from ui.table.settings import Settings, known_settings
from ui.table.settings_file import MOST, backup_sticks, boxes, choices_of, records, table_files
from ui.touch.actions import Panel, SetSetting, Show
from ui.touch.view import View


def keys_of(row: SettingRow, settings: Settings) -> list[Key]:
    return list(row.values(settings))


def test_every_setting_of_the_file_is_in_the_app() -> None:
    """Nobody has to edit a file (field notes, 52); a camera is chosen from its picture."""
    assert sorted([*(row.name for row in ROWS), "camera"]) == sorted(known_settings())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_key_sets_its_own_setting_to_what_is_allowed(row: SettingRow) -> None:
    """No key is refused when touched, and the one that is chosen is the one that holds."""
    settings = Settings()
    keys = keys_of(row, settings)
    chosen = [key for key in keys if key.look is KeyLook.CHOSEN]
    assert len(keys) <= MOST
    assert len(chosen) == 1
    for key in keys:
        if key.look is KeyLook.IMPOSSIBLE:
            continue
        assert isinstance(key.action, SetSetting)
        assert key.action.name == row.name
        value = key.action.value
        after = settings.changed(row.name, value)
        (now,) = [held for held in keys_of(row, after) if held.look is KeyLook.CHOSEN]
        assert isinstance(now.action, SetSetting)
        assert now.action.value == value
        assert (now == key) == (key in chosen)


def value_of(key: Key) -> Any:
    assert isinstance(key.action, SetSetting)
    return key.action.value


def test_a_pin_is_moved_to_the_next_that_carries_nothing() -> None:
    """From GPIO 18 down past 17, which is a button's, and up past 19, which is a lamp's."""
    (row,) = [row for row in ROWS if row.name == "panel.buzzer"]
    none, lower, here, upper = keys_of(row, Settings())
    assert [value_of(key) for key in (none, lower, here, upper)] == ["none", 16, 18, 20]
    assert (here.label, here.second) == ("GPIO 18", "pin 12")


def test_a_part_that_is_not_there_is_given_a_free_pin() -> None:
    (row,) = [row for row in ROWS if row.name == "panel.buzzer"]
    none, lower, upper = keys_of(row, Settings().changed("panel.buzzer", "none"))
    assert none.look is KeyLook.CHOSEN
    assert lower.look is KeyLook.IMPOSSIBLE
    assert value_of(upper) == 0


@given(st.lists(st.tuples(st.sampled_from(ROWS), st.integers(0, MOST)), max_size=30))
def test_no_way_through_the_keys_is_ever_refused(touches: list[tuple[SettingRow, int]]) -> None:
    """Property: whatever is touched in whatever order, no pin is ever given to two parts."""
    settings = Settings()
    for row, at in touches:
        keys = [key for key in keys_of(row, settings) if key.action is not None]
        action = keys[at % len(keys)].action
        assert isinstance(action, SetSetting)
        settings = settings.changed(action.name, action.value)


def test_volume_stops_at_its_ends() -> None:
    (row,) = [row for row in ROWS if row.name == "volume"]
    less, _, more = keys_of(row, Settings(volume=95))
    assert (value_of(less), value_of(more)) == (85, 100)
    assert keys_of(row, Settings(volume=100))[2].look is KeyLook.IMPOSSIBLE
    assert keys_of(row, Settings(volume=0))[0].look is KeyLook.IMPOSSIBLE


def test_what_the_machine_has_is_offered_by_its_stable_name(tmp_path: Path) -> None:
    """Boxes as they are plugged in, records on sticks that are mounted."""
    box = tmp_path / "serial" / "by-id" / "usb-Raspberry_Pi_Pico_E6614-if00"
    box.parent.mkdir(parents=True)
    box.touch()
    assert list(boxes(tmp_path)) == [("Find it", ""), ("Raspberry_Pi_Pi…", str(box))]
    assert list(records((tmp_path,))) == [("This machine", "")]
    assert list(backup_sticks((tmp_path,))) == [("None", ""), ("COMPANION", "COMPANION")]


def test_a_value_that_nobody_offers_keeps_its_key() -> None:
    """A port that was set in the file stays to be seen, and is never lost by looking."""
    offered = choices_of("box", "/home/club/simulated-box")
    assert ("simulated-box", "/home/club/simulated-box") in offered
    assert len(offered) <= MOST


def test_table_files_are_offered_and_other_files_are_not(tmp_path: Path) -> None:
    """Those that name their box; the one beside the settings is read by itself, and says so."""
    assert list(table_files(tmp_path)) == [("None", "")]
    for name in ("club.toml", "table.toml", "settings.toml", "figures-dogfight-hex.toml"):
        (tmp_path / name).write_text('box = "jaws-and-paws"\n')
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    (tmp_path / "torn.toml").write_bytes(b"box = \xff")
    assert list(table_files(tmp_path)) == [
        ("Beside settings", ""),
        ("club", str(tmp_path / "club.toml")),
    ]


def test_a_path_that_is_set_stands_in_its_row() -> None:
    """Its key has the file's name, beside its title where it lies."""
    settings = Settings().changed("table_file", "/home/club/evening/one.file")
    state = page_of(SettingsPage.CAMERA, Situation(1000.0, settings=settings))
    (row,) = state.rows
    assert row.why == "/home/club/evening/one.file"
    assert [key.label for key in row.values if key.look is KeyLook.CHOSEN] == ["one.file"]


def page_of(tab: SettingsPage, situation: Situation, page: int = 0) -> SettingsState:
    return present_settings(situation, View().opened(Panel.SETTINGS, tab, page))


def test_settings_stand_on_three_pages() -> None:
    """By what people want; each is a touch away from each, and holds rows of its own."""
    state = present_settings(Situation(1000.0), View().opened(Panel.SETTINGS))
    assert [key.label for key in state.tabs] == ["Screen and sound", "Camera", "Pins and box"]
    chosen = [key.look is KeyLook.CHOSEN for key in state.tabs]
    assert chosen == [True, False, False]
    shown = [
        row.title
        for tab in SettingsPage
        for page in range(page_of(tab, Situation(1000.0)).pages)
        for row in page_of(tab, Situation(1000.0), page).rows
    ]
    assert sorted(shown) == sorted(row.title for row in ROWS)


@pytest.mark.usefixtures("window")
def test_while_a_match_stands_a_page_leaves_room_for_its_strip(person: Any) -> None:
    """No row that the page counts is left out of the picture."""
    person.to_round()
    state = person.touch(Show(Panel.SETTINGS))
    parts = parts_of(state, Theme(size_px=(800, 480)))
    assert all(f"row/{n}" in parts for n in range(len(state.rows)))


# The camera, chosen from its picture.

PICTURE = Picture(np.zeros((90, 160, 3), np.uint8), 7, (160, 90))
SEEN = (
    CameraSeen("Logitech C270", "/dev/v4l/by-id/a", PICTURE, ""),
    CameraSeen("HD Webcam", "/dev/v4l/by-id/b", None, "HD Webcam is in use"),
    CameraSeen("Pi camera", "picamera"),
)


def test_every_camera_is_a_key_with_its_picture() -> None:
    """One that gives none says why, one that is looked for that it is; the last key is none."""
    settings = Settings(camera="/dev/v4l/by-id/a")
    state = page_of(SettingsPage.CAMERA, Situation(1000.0, settings=settings, cameras=lambda: SEEN))
    assert [(one.key.label, one.told, one.mark) for one in state.cameras] == [
        ("Logitech C270", "", Mark.NONE),
        ("HD Webcam", "HD Webcam is in use", Mark.WARN),
        ("Pi camera", "Looking for its picture", Mark.NONE),
        ("No camera", "", Mark.NONE),
    ]
    assert [one.key.action for one in state.cameras] == [
        SetSetting("camera", source)
        for source in ("/dev/v4l/by-id/a", "/dev/v4l/by-id/b", "picamera", "")
    ]
    assert state.cameras[0].picture is PICTURE
    chosen = [one.key.look is KeyLook.CHOSEN for one in state.cameras]
    assert chosen == [True, False, False, False]


def test_where_no_camera_is_plugged_in_it_says_so() -> None:
    state = page_of(SettingsPage.CAMERA, Situation(1000.0))
    (none,) = state.cameras
    assert none.told.startswith("No camera is plugged in.")
    assert none.key.look is KeyLook.CHOSEN


def test_more_cameras_than_fit_are_on_a_second_page() -> None:
    many = tuple(replace(SEEN[0], source=f"/dev/{n}") for n in range(5))
    situation = Situation(1000.0, cameras=lambda: many)
    first, second = (page_of(SettingsPage.CAMERA, situation, page) for page in (0, 1))
    assert (first.pages, len(first.cameras), len(second.cameras)) == (2, 4, 2)


def test_what_works_at_once_waits_for_no_start() -> None:
    """Where the app can make a part anew; the record and the turned picture do wait."""
    before, at_once = Settings(), Exchanging(at_once=True)
    for name, value, waits in (
        ("camera", "usb", False),
        ("pins", "none", False),
        ("panel.buzzer", 16, False),
        ("rotation", 90, True),
        ("record", "/media/stick/matches.sqlite", True),
    ):
        changed = before.changed(name, value)
        situation = Situation(1000.0, settings=changed, started_with=before, exchange=at_once)
        state = page_of(SettingsPage.LOOK, situation)
        assert (RESTART in state.frame.bottom.keys) == waits, name
    situation = Situation(1000.0, exchange=Exchanging(at_once=True, waits=True))
    told = page_of(SettingsPage.PINS, situation).frame.bottom.message
    assert told.second == "they change when the clock stands"


def test_the_voice_is_on_by_one_touch_of_the_first_page(person: Any) -> None:
    """Two from home; while a clock's strip takes its room too. Then louder, or off."""
    state = person.touch(Show(Panel.SETTINGS))
    at = [row.title for row in state.rows].index("Voice")
    assert at < BUSY_ROWS
    on = next(key for key in state.rows[at].values if key.label == "On")
    state = person.touch(on.action)
    assert person.table.settings.voice == USUAL_VOICE
    assert [key.label for key in state.rows[at].values] == ["Off", "- 10", "70 %", "+ 10"]
    person.touch(state.rows[at].values[0].action)
    assert person.table.settings.voice == 0
