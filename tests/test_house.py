"""The house in figures: rooms that know each other one way, circles, folders, slivers, head lines.

`python tests/test_house.py` prints them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from importlib import import_module
from statistics import median
from typing import Any, NamedTuple

import pytest

from companion.games import RULEBOOKS, find_rulebook
from companion.match.rulebook import Rulebook
from tests.sources import PACKAGES, TOP, Source, marks_of, sources

MAY_KNOW: Mapping[str, tuple[str, ...]] = {
    "companion.core": (),
    "companion.kit": ("companion.core", "companion.match"),
    "companion.match": ("companion.core", "companion.kit", "companion.games"),
    "companion.games": ("companion.core", "companion.kit", "companion.match"),
    "companion.referee": ("companion.core", "companion.kit", "companion.match"),
    "companion.record": (
        "companion.core",
        "companion.games",
        "companion.match",
        "companion.referee",
    ),
    "companion.season": (
        "companion.core",
        "companion.games",
        "companion.kit",
        "companion.match",
        "companion.record",
        "companion.referee",
    ),
    "hardware": ("companion.core",),
    "vision": ("companion.core",),
}
"""Which rooms a room may know beside itself; `ui` knows all, and nobody knows `ui`."""

MOST_IN_A_FOLDER = 18
FEWEST_LINES = 60
SHORT_ON_PURPOSE: Mapping[str, str] = {
    **dict.fromkeys(
        (
            "companion.record.migrations.club",
            "companion.record.migrations.counted",
            "companion.record.migrations.figures",
            "companion.record.migrations.lengths",
            "companion.record.migrations.lines",
            "companion.record.migrations.listed",
            "companion.record.migrations.periods",
            "companion.record.migrations.players",
        ),
        "a released step of the record's tables",
    ),
    "hardware.firmware.board": "what pins and their simulation are both made of, in MicroPython",
    "hardware.firmware.main": "MicroPython starts it by this name",
    "hardware.firmware.outbox": "events that wait for their acknowledgement, in MicroPython",
    "hardware.firmware.ticks": "a clock out of a counter that wraps, in MicroPython",
    "ui.terminal.options": "exit statuses and options that all commands share",
    "ui.terminal.sharing": "the commands that write a match as a page and take it back in",
    "ui.widgets.part": "the base of everything on a sheet",
}
"""Modules of fewer lines, each with its reason to stand alone."""
OF_EVERY_BOX = ("position", "rules", "switches", "table")
"""Files that every box has by these names, however short."""

BUILT_BY_PYDANTIC = "a file's model is built at run time, out of the quantities that are declared"
NO_KIVY_TYPES = "Kivy ships no types"
JSON_EDGE = "what a JSON or TOML text holds, until it has been judged"
WITHOUT_TYPES: Mapping[str, str] = {
    "companion": "names of the library's face are looked up when they are asked for",
    **dict.fromkeys(
        (
            "companion.core.files",
            "companion.games.dogfight_1917.position",
            "companion.games.dogfight_hex.position",
            "companion.games.jaws_and_paws.position",
            "companion.games.starship_edition.position",
            "companion.games.talespin_dogfight.position",
            "ui.table.settings",
        ),
        BUILT_BY_PYDANTIC,
    ),
    **dict.fromkeys(
        (
            "companion.games.jaws_and_paws.lock",
            "companion.games.jaws_and_paws.reports",
            "companion.games.starship_edition.figures",
            "companion.record.lines",
            "companion.record.listing",
            "companion.record.migrations.players",
            "hardware.signals.protocol",
        ),
        JSON_EDGE,
    ),
    "companion.core.question": "an answer's value is of its question's type",
    "companion.kit.ledger": "a quantity has the type of its kind, and a ledger holds kinds of all",
    "companion.kit.playing": "the rules of a box that is chosen by name",
    "companion.kit.seated": "a quantity is a seat's or the table's",
    "companion.match.history": "what pickle hands back",
    "companion.match.match": "the fields of a line, which `Entry` checks",
    "companion.record.migrations": "alembic says no type",
    "hardware.panel.gpio": "gpiozero ships no types",
    "vision.camera.pi": "picamera2 ships no types",
    "ui.demo.driver": "a class of screens, which must be hashable for a cache",
    "ui.live.mqtt": "paho's callbacks differ from release to release",
    "ui.live.server": "uvicorn's own protocol, which it does not type",
    "ui.samples.live": "a keyboard's state, of any of four classes",
    "ui.scene.values": "pixels: None while there is no picture, and drawn only where there is one",
    "ui.screens.beside.settings": "a setting's value is of the type of that setting",
    **dict.fromkeys(
        ("ui.sharing.page_pen", "ui.widgets.pen"), "pixels, which the window alone draws"
    ),
    "ui.sharing.paper": "half of reportlab's methods ship no types",
    "ui.sharing.plots": "matplotlib types its axes by overloads that no checker follows",
    **dict.fromkeys(
        (
            "ui.widgets.lettering",
            "ui.widgets.sheet",
            "ui.widgets.texture_pen",
            "ui.window.app",
            "ui.window.kivy_setup",
            "ui.window.opening",
            "ui.window.samples",
        ),
        NO_KIVY_TYPES,
    ),
}
"""Where `Any` stands for a whole value, each with its reason."""

HEAD_PERCENT: Mapping[str, float] = {"companion": 6, "hardware": 6, "vision": 6, "ui": 6}
"""Imports, of all lines of a package."""

FLOORS = 4
"""Classes between `Rulebook` and the rules of a mode."""


class Circle(NamedTuple):
    """How many modules know each other in a circle, and the first of them by name."""

    modules: int
    first: str


@cache
def imported() -> dict[str, frozenset[str]]:
    """What of ours each module imports, for types alone and inside functions too."""
    return {
        name: frozenset(one.module for one in source.imports) & sources().keys() - {name}
        for name, source in sources().items()
    }


def reached(start: str) -> set[str]:
    """All modules that one leads to."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        new = imported()[waiting.pop()] - found
        found |= new
        waiting += new
    return found


@cache
def circles() -> tuple[Circle, ...]:
    """Every circle of modules, the largest first."""
    leads = {name: reached(name) for name in sources()}
    rings = {
        frozenset(other for other in leads[name] if name in leads[other])
        for name in sources()
        if name in leads[name]
    }
    return tuple(sorted((Circle(len(ring), min(ring)) for ring in rings), reverse=True))


def room_of(name: str) -> str:
    """The room of a module: `companion.match`, `ui.scene`, `vision`."""
    parts = name.split(".")
    return ".".join(parts[:2]) if parts[0] in {"companion", "ui"} else parts[0]


def head_percent(those: Collection[Source]) -> float:
    """The share of imports in the lines of these files."""
    return 100 * sum(one.head_lines for one in those) / sum(one.lines for one in those)


def folders() -> dict[str, int]:
    """How many modules lie in each folder, its `__init__.py` not counted."""
    found: dict[str, int] = {}
    for source in sources().values():
        folder, _, file = source.file.rpartition("/")
        found[folder] = found.get(folder, 0) + (file != "__init__.py")
    return found


def slivers() -> set[str]:
    """Modules too short to be a noun of their own."""
    return {
        name
        for name, source in sources().items()
        if not source.file.endswith(("__init__.py", "__main__.py")) and source.lines < FEWEST_LINES
        if not (name.startswith("companion.games.") and name.rpartition(".")[2] in OF_EVERY_BOX)
    }


def shared_names() -> set[str]:
    """Names that public classes of two modules bear.

    Each box may use the words of its own book and the names of its parts, and MicroPython those of
    the sensor box.
    """
    bearers: dict[str, set[str]] = {}
    for name, source in sources().items():
        if name.startswith("hardware.firmware"):
            continue
        where = "a box" if name.startswith("companion.games.") else name
        for called in source.classes:
            bearers.setdefault(called, set()).add(where)
    return {name for name, where in bearers.items() if len(where) > 1}


def hidden_modules() -> set[str]:
    """Names of functions that hide a module which their file imports.

    A command of the terminal names its arguments after its options.
    """
    return {
        f"{name}: {told}"
        for name, source in sources().items()
        if not name.startswith("ui.terminal.")
        for told in source.own_names & source.modules_named
    }


def floors(rulebook: type[Rulebook[Any]]) -> int:
    """Classes of ours between `Rulebook` and these rules."""
    ours = [one for one in rulebook.__mro__ if one.__module__.startswith("companion.games.")]
    return len(ours)


@pytest.mark.parametrize("room", MAY_KNOW)
def test_rooms_know_each_other_one_way(room: str) -> None:
    """What a room may know beside itself is written down above."""
    wrong = {
        (name, other)
        for name, others in imported().items()
        if room_of(name) == room
        for other in others
        if room_of(other) not in {room, *MAY_KNOW[room]}
    }
    assert not wrong


def test_nobody_knows_a_face() -> None:
    """`python -m companion` is the one way from the library to what people see."""
    up = {
        name
        for name, others in imported().items()
        if not name.startswith("ui") and any(other.startswith("ui") for other in others)
    }
    assert up == {"companion.__main__"}


def test_no_modules_know_each_other_in_a_circle() -> None:
    """By types alone counts too: whoever reads one module should not need its reader."""
    assert circles() == ()


def test_folders_can_be_taken_in_at_a_glance() -> None:
    """At most 18 modules."""
    full = {folder: many for folder, many in folders().items() if many > MOST_IN_A_FOLDER}
    assert not full


def test_no_slivers() -> None:
    """A file is a noun, not a slice of one: 60 lines at least, or a reason above."""
    assert slivers() <= set(SHORT_ON_PURPOSE) <= set(sources())


def test_a_class_has_its_name_alone() -> None:
    """No two rooms call different things alike."""
    assert shared_names() == set()


def test_any_has_its_reason() -> None:
    """Elsewhere every value has a type; a module that no longer needs the reason is taken out."""
    assert {name for name, source in sources().items() if source.untyped} == set(WITHOUT_TYPES)


def test_no_name_hides_a_module() -> None:
    """Inside the function the module could not be reached, and a reader takes one for the other."""
    assert hidden_modules() == set()


@pytest.mark.parametrize("package", PACKAGES)
def test_modules_say_more_than_they_import(package: str) -> None:
    """Head lines of a package."""
    ours = [source for name, source in sources().items() if name.split(".")[0] == package]
    assert head_percent(ours) <= HEAD_PERCENT[package]


@pytest.mark.parametrize("box", RULEBOOKS)
def test_chapters_stand_on_few_floors(box: str) -> None:
    """A reader of one chapter looks for `self.x` through these files."""
    find_rulebook(box)
    folder = RULEBOOKS[box].folder
    rules = import_module(f"{folder}.rules")
    books = [one for one in vars(rules).values() if isinstance(one, type)]
    deepest = max(floors(one) for one in books if issubclass(one, Rulebook))
    assert deepest <= FLOORS


def test_what_was_found_in_a_file_is_kept_while_it_is_as_it_was() -> None:
    """Another text is read anew; so are all, where there is another file: an import may mean it."""
    paths = [TOP / "ui/one.py", TOP / "ui/two.py"]
    texts = dict.fromkeys(paths, b"import os")
    first, second = marks_of(texts)
    same, other = marks_of({**texts, paths[1]: b"import re"})
    assert (same, other != second) == (first, True)
    assert not {first, second} & {*marks_of({**texts, TOP / "ui/three.py": b"import os"})}
    assert len({first, second}) == 2


def figures() -> dict[str, float]:
    """The figures of the house."""
    sizes = [source.lines for source in sources().values()]
    return {
        "modules": len(sizes),
        "lines": sum(sizes),
        "median lines": median(sizes),
        "longest": max(sizes),
        "most in a folder": max(folders().values()),
        "slivers": len(slivers()),
        "circles": len(circles()),
        "plain Any": sum(source.untyped for source in sources().values()),
        "head percent": round(head_percent(sources().values()), 1),
    }


if __name__ == "__main__":
    for words, figure in figures().items():
        print(f"{figure:>8}  {words}")  # noqa: T201 - a script by hand
