"""The registry: one row a screen, and what a new one needs."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import pytest

from ui.samples.match import SAMPLES
from ui.samples.parts import with_first_opened
from ui.scene import values
from ui.scene.scene import BACK, Scene
from ui.scene.theme import Theme
from ui.screens import registry
from ui.screens.page import Page, Parts
from ui.touch.actions import AnyPanel, Back, OwnPanel, Panel, Show
from ui.touch.view import View
from ui.widgets.key import BandPart

WEATHER = OwnPanel("weather")
"""The panel of a screen that nothing else knows, below."""
KEYBOARDS = {"ClaimState", "NamingState", "SearchState", "TitleState"}
NO_SAMPLE = {*KEYBOARDS, "PutRightState"}
"""Keyboards are drawn by the tests of typing; tasks of a correction are those of a live match."""


def states() -> Iterator[type]:
    """Every class in the files of the screens that is called a state and has a frame."""
    for room in ("match", "arbiter", "beside"):
        package = import_module(f"ui.screens.{room}")
        for module in iter_modules(package.__path__, f"{package.__name__}."):
            for kind in vars(import_module(module.name)).values():
                own = isinstance(kind, type) and kind.__module__ == module.name
                if own and "frame" in getattr(kind, "__dataclass_fields__", ()):
                    yield kind


def test_every_state_has_a_row() -> None:
    """What a presenter makes can be drawn; no row is there twice."""
    rows = [screen.state for screen in registry.SCREENS]
    assert len({*rows}) == len(rows)
    found = {*states()}
    assert len(found) > 30
    assert found == {row for row in rows if row.__name__ not in KEYBOARDS}


def test_every_screen_has_a_sample() -> None:
    """For pictures, and for the tests of texts, targets and contrast."""
    shown = {type(state).__name__ for state in SAMPLES.values()}
    assert {screen.state.__name__ for screen in registry.SCREENS} - shown == NO_SAMPLE


@pytest.mark.parametrize("panel", [WEATHER, Panel.LOG])
def test_a_panel_is_the_same_when_it_is_copied(panel: AnyPanel) -> None:
    """Whether it is listed or a screen's own: views are compared by it."""
    assert copy.deepcopy(panel) == panel
    assert pickle.loads(pickle.dumps(panel)) == panel  # noqa: S301 - made here
    assert View().opened(panel).opened(copy.deepcopy(panel), "part").panels == ((panel, "part"),)


def test_a_word_is_no_panel() -> None:
    """A name that is misspelt is told where it is read."""
    with pytest.raises(ValueError, match="lgo"):
        Panel("lgo")


def test_a_panel_opens_one_screen() -> None:
    """No two rows name the same panel."""
    panels = [panel for screen in registry.SCREENS for panel in (*screen.beside, *screen.above)]
    assert len({*panels}) == len(panels)


# A screen that nothing else knows: its file and its row are all that there is of it.


@dataclass(frozen=True, slots=True)
class WeatherState:
    """What the weather is."""

    frame: values.ScreenFrame
    band: values.Band


def present_weather(scene: Scene) -> WeatherState:
    """Dry, at this table."""
    frame = scene.frame("WEATHER", scene.match.rulebook.title, keys=(BACK,))
    return WeatherState(frame, values.Band(("DRY",)))


def layout(state: WeatherState, page: Page) -> Parts:
    """The band, and the frame."""
    yield "band", BandPart(box=page.body.top(76.0), band=state.band)
    yield from page.around(state.frame)


@pytest.mark.usefixtures("window")
def test_a_screen_is_a_file_and_a_row(
    person: Any, bots: Callable[[int], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is opened by a touch, drawn, and left, and has a sample: no other file has its panel."""
    row = registry.Screen(WeatherState, layout, above={WEATHER: present_weather})
    monkeypatch.setattr(registry, "SCREENS", (*registry.SCREENS, row))
    monkeypatch.setitem(registry.LAYOUTS, row.state, row.layout)
    for panel, present in row.above.items():
        monkeypatch.setitem(registry.ABOVE, panel, present)
    asked = next(iter(bots(4).play()))
    person.touch(Show(WEATHER))
    assert isinstance(person.state, WeatherState)
    assert registry.screen_of(person.state) == "Weather"
    assert "band" in registry.parts_of(person.state, Theme())
    assert isinstance(with_first_opened({})[WEATHER], WeatherState)
    person.touch(Back())
    assert person.state == asked
