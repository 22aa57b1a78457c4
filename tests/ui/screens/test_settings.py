"""Settings in the app: every setting of the file has its row, and every key sets what it says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.scene.scene import Situation
from ui.scene.values import Key, KeyLook
from ui.screens.beside.settings import ROWS, ROWS_A_PAGE, SettingRow, present_settings
from ui.table.settings import Settings, known_settings
from ui.table.settings_file import MOST, boxes, cameras, choices_of, records, table_files
from ui.touch.actions import SetSetting
from ui.touch.view import View


def keys_of(row: SettingRow, settings: Settings) -> list[Key]:
    return list(row.values(settings))


def test_every_setting_of_the_file_is_in_the_app() -> None:
    """Nobody has to edit a file (field notes, 52)."""
    assert sorted(row.name for row in ROWS) == sorted(known_settings())


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
    assert (here.label, here.second) == ("GPIO 18", "header pin 12")


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
    """Cameras and boxes as they are plugged in, table files as they were written."""
    camera = tmp_path / "v4l" / "by-id" / "usb-Logitech_C270-video-index0"
    box = tmp_path / "serial" / "by-id" / "usb-Raspberry_Pi_Pico_E6614-if00"
    for path in (camera, camera.with_name("usb-Logitech_C270-video-index1"), box):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert list(cameras(tmp_path))[3:] == [("Logitech_C270", str(camera))]
    assert list(boxes(tmp_path)) == [("Find it", ""), ("Raspberry_Pi_Pi…", str(box))]
    assert list(records((tmp_path,))) == [("This machine", "")]


def test_a_value_that_nobody_offers_keeps_its_key() -> None:
    """A film for a camera, set in the file: it stays to be seen, and is never lost by looking."""
    offered = choices_of("camera", "/home/club/film.mp4")
    assert ("film.mp4", "/home/club/film.mp4") in offered
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


@pytest.mark.parametrize("name", ["camera", "table_file"])
def test_a_path_that_is_set_stands_in_its_row(name: str) -> None:
    """Its key has the file's name, the line under it where it lies."""
    settings = Settings().changed(name, "/home/club/evening/one.file")
    page = next(n for n, row in enumerate(ROWS) if row.name == name) // ROWS_A_PAGE
    state = present_settings(Situation(1000.0, settings=settings), View(page=page))
    (row,) = [one for one in state.rows if "/home/club" in one.why]
    chosen = [key.label for key in row.values if key.look is KeyLook.CHOSEN]
    assert row.why.startswith("/home/club/evening/one.file. ")
    assert chosen == ["one.file"]
