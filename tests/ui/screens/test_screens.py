"""Every screen in every sample state: texts in their rooms, targets for fingers, contrast.

What the design asks before a screen is done, read from the parts and from what the pen wrote.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from ui.samples.match import SAMPLES
from ui.scene.theme import Caps, Colour, Hand, Light, Palette, Reach, Theme
from ui.scene.values import Key, Lamp, Mark, Refusal, Strip
from ui.screens.beside.naming import NamingState, SearchState, TitleState
from ui.touch.actions import AddWords, Answer, Back, EditName, ToPhase, TypeLetter
from ui.widgets.box import Box

SIZES = [(800, 480), (1280, 720)]
SEAT = EditName("seat.JP", "Jaws Pilot", "Jaws")
UNLISTED = AddWords(Answer("turn-1/which", 3, "unknown"), "Another card", 40)
LONG_REFUSAL = Refusal(
    "Not taken: Paws Gunner held no card: the owner or the hand count is wrong",
    "Look again.",
    "JP-E32",
    "JP-8.8, RULING 9",
)
WARNING = Refusal(
    "Paws section 3: 2 told, but 1 counted on it",
    "Recount.",
    "JP-E33",
    "JP-6.1",
    Mark.WARN,
    Key("Go on anyway", Back(), "arbiter answers"),
)


def refused(refusal: Refusal) -> dict[str, Any]:
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
LOST = Refusal(
    "Camera lost 12 s ago", "The table goes on by touch.", "CAM-LOST", "", key=Key("Retry", Back())
)


def with_clock(strip: Strip, banner: Refusal | None) -> dict[str, Any]:
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
REFUSED = {
    **refused(LONG_REFUSAL),
    **refused(WARNING),
    **with_clock(RUNNING, None),
    **with_clock(STANDING, LOST),
}
UPRIGHT = [(480, 800), (720, 1280)]
PORTRAIT = {
    "CardsState",
    "LockState",
    "ChooseState",
    "EveryoneState",
    "HexState",
    "ReadyState",
    "ArbiterState",
    "LateState",
    "ToldState",
    "RoundState",
    "RulingState",
    "TroubleState",
    "AdjustState",
    "DifferState",
    "AmendState",
    "CountsState",
    "LogState",
    "ReportState",
    "ValueState",
    "ChallengeState",
    "EvidenceState",
}
"""Screens that have a layout of their own for a window that is higher than wide."""
UPRIGHT_BESIDE = {
    "DevicesState",
    "ExportState",
    "FirstMatchState",
    "HomeState",
    "NamingState",
    "NewMatchState",
    "PastMatchState",
    "PastState",
    "RulesState",
    "SearchState",
    "SeatState",
    "SettingsState",
    "TableCheckState",
    "TeachState",
    "TitleState",
}
LOOKS = [(size, Hand.RIGHT) for size in SIZES] + [(SIZES[0], Hand.LEFT)]
UPRIGHT_LOOKS = [(size, Hand.RIGHT) for size in UPRIGHT] + [(UPRIGHT[0], Hand.LEFT)]


def _cases() -> Iterator[tuple[str, Any, tuple[int, int], Hand]]:
    """Each state's name, the state, a window and a hand: every look that the state is judged in."""
    for name, state in STATES.items():
        yield from ((name, state, *look) for look in LOOKS)
    for name, state in REFUSED.items():
        yield (name, state, *LOOKS[0])
    for name, state in {**STATES, **REFUSED}.items():
        if type(state).__name__ in PORTRAIT | UPRIGHT_BESIDE:
            yield from ((name, state, *look) for look in UPRIGHT_LOOKS)


def _by_letters(case: tuple[str, Any, tuple[int, int], Hand]) -> tuple[str, int]:
    """One after the other what is written in the same words and size: letters are drawn once."""
    _, state, size, _ = case
    return type(state).__name__, min(size)


CASES = [
    pytest.param(
        (state, Theme(Light.NIGHT, hand=hand, size_px=size)), id=f"{name}-{size[0]}-{hand}"
    )
    for name, state, size, hand in sorted(_cases(), key=_by_letters)
]


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def size(request: pytest.FixtureRequest) -> tuple[int, int]:
    chosen: tuple[int, int] = request.param
    return chosen


@pytest.fixture(params=sorted(STATES))
def state(request: pytest.FixtureRequest) -> Any:
    return STATES[request.param]


def shown(make_sheet: Any, state: Any, theme: Theme) -> Any:
    """The sheet with the state's parts on it."""
    from ui.screens.registry import parts_of, screen_of

    sheet = make_sheet(theme)
    sheet.show(screen_of(state), parts_of(state, theme))
    return sheet


@pytest.fixture(scope="module", params=CASES)
def sheet(
    request: pytest.FixtureRequest, window: Any, new_sheet: Callable[..., Any]
) -> Iterator[Any]:
    """Each state on its sheet, drawn once for all that look at it and touch nothing."""
    from ui.screens.registry import parts_of, screen_of

    state, theme = request.param
    drawn = new_sheet(theme, lambda _: None)
    drawn.show(screen_of(state), parts_of(state, theme))
    yield drawn
    window.remove_widget(drawn)


def targets(sheet: Any) -> dict[str, Any]:
    """The parts that can be touched."""
    return {name: part for name, part in sheet.parts.items() if part.action is not None}


def test_every_text_is_whole_and_in_its_room(sheet: Any, judge: Any) -> None:
    """No text is cut, leaves its room or the window, or has capitals under 14 u."""
    assert list(judge.texts(sheet)) == []


def test_no_text_lies_over_another_or_under_a_fill(sheet: Any, judge: Any) -> None:
    """Texts keep apart, and nothing that is drawn later hides one."""
    assert list(judge.overlaps(sheet)) == []


def test_every_target_is_large_enough_apart_and_on_screen(sheet: Any, judge: Any) -> None:
    """9 mm each way, the next tap 72 u high, no two overlapping, all inside the window."""
    assert list(judge.targets(sheet)) == []


@pytest.mark.parametrize(("light", "palette"), list(itertools.product(Light, Palette)))
def test_every_text_stands_off_what_lies_under_it(
    make_sheet: Any, state: Any, light: Light, palette: Palette, judge: Any
) -> None:
    """Contrast 7 for capitals of 26 u and more, 4.5 for all others, in every theme and palette."""
    sheet = shown(make_sheet, state, Theme(light, palette))
    assert list(judge.contrast(sheet)) == []


def test_the_next_tap_is_at_the_far_bottom_edge(state: Any) -> None:
    """There is one next tap, in one place: right, or left under the left hand."""
    from ui.screens.registry import parts_of

    for hand in Hand:
        theme = Theme(hand=hand)
        part = parts_of(state, theme).get("bottom/next")
        if part is not None and part.action is not None:
            edge = part.box.right if hand is Hand.RIGHT else theme.wide_u - part.box.x
            assert edge == pytest.approx(theme.wide_u - Reach.MARGIN, abs=0.5)


def test_every_state_has_a_screen() -> None:
    """Each kind of state that presenters make has a layout."""
    from typing import get_args

    from ui.screens.registry import LAYOUTS, ScreenState

    assert set(get_args(ScreenState)) <= set(LAYOUTS)


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
    """The pad stays as it is; the refusal takes the place of who is asked."""
    calm = targets(shown(make_sheet, SAMPLES["cards"], Theme()))
    refused = targets(shown(make_sheet, SAMPLES["cards-refused"], Theme()))
    pads = {name: part.box for name, part in calm.items() if name.startswith(("left", "right"))}
    assert len(pads) == 20
    assert {name: refused[name].box for name in pads} == pads


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
