"""Every screen in every sample state: texts in their rooms, targets for fingers, contrast.

What the design asks before a screen is done, read from the parts and from what the pen wrote.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from ui.samples.match import SAMPLES
from ui.scene.theme import Caps, Colour, Hand, Light, Palette, Reach, Theme
from ui.scene.values import Alert, Key, Lamp, Mark, Strip
from ui.screens.beside.naming import NamingState, SearchState, TitleState
from ui.touch.actions import AddWords, Answer, Back, EditName, ToPhase, TypeLetter
from ui.widgets.box import Box

SIZES = [(800, 480), (1280, 720)]
SEAT = EditName("seat.JP", "Jaws Pilot", "Jaws")
UNLISTED = AddWords(Answer("turn-1/which", 3, "unknown"), "Another card", 40)
LONG_REFUSAL = Alert(
    "Not taken: Paws Gunner held no card: the owner or the hand count is wrong",
    "Look again.",
    "JP-E32",
    "JP-8.8, RULING 9",
)
WARNING = Alert(
    "Paws section 3: 2 told, but 1 counted on it",
    "Recount.",
    "JP-E33",
    "JP-6.1",
    Mark.WARN,
    Key("Go on anyway", Back(), "arbiter answers"),
)


def refused(refusal: Alert) -> dict[str, Any]:
    """One state of every screen with a refusal in it."""
    kinds = {type(state): (name, state) for name, state in SAMPLES.items()}
    return {
        f"{name}+{refusal.mark}": replace(state, frame=replace(state.frame, refusal=refusal))
        for name, state in kinds.values()
    }


RUNNING = Strip(
    "14",
    "RUNNING",
    tuple(Lamp(at, lit=False) for at in ("10", "5", "3", "0")),
    action=ToPhase(),
)
STANDING = replace(RUNNING, count="12.4", words="PAUSED", action=None)
LOST = Alert(
    "Camera lost 12 s ago", "The table goes on by touch.", "CAM-LOST", "", key=Key("Retry", Back())
)


def with_clock(strip: Strip, banner: Alert | None) -> dict[str, Any]:
    """One state of every screen but the round's own while a phase goes on."""
    kinds = {type(state): (name, state) for name, state in SAMPLES.items()}
    word = strip.words.lower() + ("+lost" if banner is not None else "")
    return {
        f"{name}+{word}": replace(
            state, frame=replace(state.frame, strip=strip, banner=banner or state.frame.banner)
        )
        for name, state in kinds.values()
        if type(state).__name__ not in {"RoundState", "ResultState"}
    }


STATES: dict[str, Any] = {
    **SAMPLES,
    "naming": NamingState(SEAT).after(TypeLetter("a")),
    "naming-more": NamingState(SEAT, "Bartholomäus-Wilhelmine Q", more=True),
    "naming-empty": NamingState(SEAT),
    "naming-running": NamingState(SEAT, "Bartholomäus-Wilhelmine Q", strip=RUNNING),
    "search": SearchState("jaws-and-paws", "sun"),
    "search-none": SearchState("starship-edition", "w" * 40, more=True),
    "title": TitleState(UNLISTED, "Tractor beam of the longest Andromedan"),
    "title-empty": TitleState(UNLISTED),
    "search-empty": SearchState("dogfight-hex"),
}
REFUSED = (
    refused(LONG_REFUSAL),
    refused(WARNING),
    with_clock(RUNNING, None),
    with_clock(STANDING, LOST),
)
UPRIGHT = [(480, 800), (720, 1280)]
LOOKS = [(size, Hand.RIGHT) for size in SIZES] + [(SIZES[0], Hand.LEFT)]
UPRIGHT_LOOKS = [(size, Hand.RIGHT) for size in UPRIGHT] + [(UPRIGHT[0], Hand.LEFT)]
COLOURS = list(itertools.product(Light, Palette))
"""Every theme in every palette: as many as a state has looks, so that it is seen in each."""


class Look(NamedTuple):
    """A state of some name in a window of some size, under one hand, in one theme and palette."""

    name: str
    state: Any
    size: tuple[int, int]
    hand: Hand
    colours: tuple[Light, Palette]
    soak: bool = False

    def param(self) -> Any:
        """The look as a case of a test: state and theme."""
        light, palette = self.colours
        theme = Theme(light, palette, hand=self.hand, size_px=self.size)
        marks = [pytest.mark.soak] if self.soak else []
        named = f"{self.name}-{self.size[0]}-{self.hand}-{light}-{palette}"
        return pytest.param((self.state, theme), id=named, marks=marks)


def _whole() -> Iterator[Look]:
    """Each state in each window, under either hand, in every theme and palette at least once."""
    for turn, (name, state) in enumerate(STATES.items()):
        for at, (size, hand) in enumerate([*LOOKS, *UPRIGHT_LOOKS]):
            yield Look(name, state, size, hand, COLOURS[(turn + at) % len(COLOURS)])


def _refused() -> Iterator[Look]:
    """Each kind of screen with a refusal, a warning, a clock, a lost camera on it.

    All lie across the smallest window; upright each takes its turn among the looks, and the soak
    has the rest.
    """
    each = itertools.chain.from_iterable(enumerate(of.items(), at) for at, of in enumerate(REFUSED))
    for turn, (name, state) in each:
        yield Look(name, state, *LOOKS[0], COLOURS[turn % len(COLOURS)])
        for at, (size, hand) in enumerate(UPRIGHT_LOOKS):
            rest = (turn + at) % len(UPRIGHT_LOOKS) != 0
            yield Look(name, state, size, hand, COLOURS[(turn + at) % len(COLOURS)], rest)


def _by_letters(look: Look) -> tuple[str, int]:
    """One after the other what is written in the same words and size: letters are drawn once."""
    return type(look.state).__name__, min(look.size)


CASES = [look.param() for look in sorted([*_whole(), *_refused()], key=_by_letters)]


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def size(request: pytest.FixtureRequest) -> tuple[int, int]:
    chosen: tuple[int, int] = request.param
    return chosen


def shown(make_sheet: Any, state: Any, theme: Theme) -> Any:
    """The sheet with the state's parts on it."""
    from ui.screens.registry import parts_of, screen_of

    sheet = make_sheet(theme)
    sheet.show(screen_of(state), parts_of(state, theme))
    return sheet


def targets(sheet: Any) -> dict[str, Any]:
    """The parts that can be touched."""
    return {name: part for name, part in sheet.parts.items() if part.action is not None}


@pytest.mark.parametrize("look", CASES)
def test_every_look_of_a_state_keeps_the_laws_of_screens(
    make_sheet: Any, look: tuple[Any, Theme], judge: Any
) -> None:
    """Texts are whole, in their rooms, apart, and legible on what lies under them.

    Keys are large enough for fingers, apart, and on the screen.
    """
    assert list(judge.all(shown(make_sheet, *look))) == []


@pytest.mark.parametrize("hand", Hand)
def test_the_next_tap_is_at_the_far_bottom_edge(hand: Hand) -> None:
    """There is one next tap, in one place: right, or left under the left hand."""
    from ui.screens.registry import parts_of

    theme = Theme(hand=hand)
    taps = {name: parts_of(state, theme).get("bottom/next") for name, state in STATES.items()}
    for name, part in taps.items():
        if part is not None and part.action is not None:
            edge = part.box.right if hand is Hand.RIGHT else theme.wide_u - part.box.x
            assert edge == pytest.approx(theme.wide_u - Reach.MARGIN, abs=0.5), name
    assert sum(part is not None for part in taps.values()) > len(taps) / 2


def test_a_countdown_second_redraws_two_parts(make_sheet: Any) -> None:
    """From 14 to 13 the ones and one tick change; nothing else is drawn again."""
    from ui.screens.registry import parts_of, screen_of

    theme = Theme()
    state: Any = SAMPLES["round-running"]
    sheet = shown(make_sheet, state, theme)
    before = sheet.drawn
    later = replace(state, count="13", ticks_lit=13)
    sheet.show(screen_of(later), parts_of(later, theme))
    assert sheet.drawn - before == 2


def test_the_count_is_192_units_high(make_sheet: Any, size: tuple[int, int]) -> None:
    """The figures fill their height: 34 mm on a 7-inch panel."""
    sheet = shown(make_sheet, SAMPLES["round-running"], Theme(size_px=size))
    figures = [text for name, text in sheet.written() if name.startswith("count/")]
    assert [text.text for text in figures] == ["1", "4"]
    assert all(text.caps_u >= Caps.COUNT * 0.98 for text in figures)


def test_zero_inverts_the_whole_body(make_sheet: Any) -> None:
    """LOCKED stands 25 mm high on the inverted body, and hands are told off the cards."""
    sheet = shown(make_sheet, SAMPLES["round-locked"], Theme(Light.NIGHT))
    texts = {text.text: (name, text) for name, text in sheet.written()}
    name, big = texts["LOCKED"]
    assert big.caps_u >= Caps.STATE * 0.98
    assert sheet.ground(name, big).colour == sheet.theme[Colour.GO]
    assert texts["HANDS OFF THE CARDS"][1].caps_u >= Caps.HANDS * 0.9


def test_the_last_five_seconds_invert_the_middle(make_sheet: Any) -> None:
    """Figures dark on light by night from 5 on."""
    sheet = shown(make_sheet, SAMPLES["round-last-seconds"], Theme(Light.NIGHT))
    name, figure = next((name, text) for name, text in sheet.written() if name.startswith("count/"))
    assert sheet.ground(name, figure).colour == sheet.theme[Colour.GO]


def test_a_refusal_leaves_the_keys_in_place(make_sheet: Any) -> None:
    """The pad stays as it is; the refusal takes none of its room."""
    calm = targets(shown(make_sheet, SAMPLES["cards"], Theme()))
    refused = targets(shown(make_sheet, SAMPLES["cards-refused"], Theme()))
    pads = {name: part.box for name, part in calm.items() if name.startswith(("left", "right"))}
    assert len(pads) == 20
    assert {name: refused[name].box for name in pads} == pads


NEWS = Alert(
    "Jaws Pilot: hand 3, was 4", "Jaws Pilot: deck 24, was 23", "SET", "RULING 35", Mark.OK
)


@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (480, 800)])
@pytest.mark.parametrize("told", [NEWS, LONG_REFUSAL, WARNING], ids=lambda told: told.code)
@pytest.mark.parametrize("name", ["cards", "cards-after-deeds"])
def test_a_notice_hides_no_order(
    make_sheet: Any, judge: Any, name: str, told: Alert, size: tuple[int, int]
) -> None:
    """PAWS: FLIP 3 is read beside whatever is told, and that is read too."""
    state = SAMPLES[name]
    sheet = shown(make_sheet, state, Theme(size_px=size))
    order = {(text.text, text.caps_u) for part, text in sheet.written() if part == "asked"}
    assert order
    state = replace(state, frame=replace(state.frame, refusal=told))
    sheet = shown(make_sheet, state, Theme(size_px=size))
    assert {(t.text, t.caps_u) for part, t in sheet.written() if part == "asked"} == order
    assert " ".join(text.text for part, text in sheet.written() if part == "refusal")
    assert not list(judge.all(sheet))


def by_left(box: Box) -> float:
    """A box's left edge, to sort by."""
    return box.x


def test_a_turned_half_is_touched_where_it_is_seen(make_sheet: Any) -> None:
    """Face to face, each team has the clock the right way round and keys of its own.

    The next tap, and Arbiter, where a challenge is.
    """
    sheet = shown(make_sheet, SAMPLES["round-facing"], Theme())
    keys = {name: part.box for name, part in targets(sheet).items()}
    far = [box for box in keys.values() if box.bottom <= 240]
    near = [box for box in keys.values() if box.y >= 240]
    assert len(far) == len(near) == 2
    for one, other in zip(sorted(far, key=by_left), sorted(near, key=by_left)[::-1], strict=True):
        assert one.x == pytest.approx(800 - other.right, abs=0.5)
        assert one.y == pytest.approx(480 - other.bottom, abs=0.5)
