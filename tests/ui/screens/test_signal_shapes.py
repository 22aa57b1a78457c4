"""No signal is for ears alone: whatever sounds changes the words that the screen draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pytest

from companion.core.offers import Button
from hardware.panel.panel import Sound
from ui.scene.theme import Theme
from ui.scene.values import Mark
from ui.screens.match.challenge import ChallengeState
from ui.screens.registry import ABOVE, BESIDE
from ui.touch import actions as a


class Signal(NamedTuple):
    """How to come to the moment before a signal, what brings it, and a word that it draws."""

    before: Callable[[Any], object]
    brings: Callable[[Any], object]
    word: str


def push(person: Any, button: Button) -> Any:
    """Press a button; the screen afterwards."""
    person.desk.push(button)
    person.table.tick()
    return person.state


def offer_nonsense(person: Any) -> None:
    """A place that the Sun may not take, told by a device."""
    key, question = next(iter(person.match.open.items()))
    person.table.offer(key, question.opened, "nowhere", "camera")


SIGNALS: Mapping[Sound, Signal] = {
    Sound.READY: Signal(
        lambda person: person.to_ready(),
        lambda person: push(person, Button.READY_FIRST),
        "waits for Paws",
    ),
    Sound.START: Signal(
        lambda person: (person.to_ready(), push(person, Button.READY_FIRST)),
        lambda person: push(person, Button.READY_SECOND),
        "2",
    ),
    Sound.CUE: Signal(
        lambda person: (person.to_round(), person.wait(9.5)),
        lambda person: person.wait(0.5),
        "0",
    ),
    Sound.LOCK: Signal(
        lambda person: (person.to_round(), person.wait(19.5)),
        lambda person: person.wait(0.5),
        "LOCKED",
    ),
    Sound.END: Signal(
        lambda person: (person.to_lock(), person.wait(2.0)),  # nothing interrupts zero
        lambda person: person.touch(a.Close(("Jaws",), "time is up")),
        "RESULT",
    ),
    Sound.ERROR: Signal(
        lambda person: person.begin(),
        offer_nonsense,
        "Not taken",
    ),
    Sound.CHALLENGE: Signal(
        lambda person: person.to_round(),
        lambda person: push(person, Button.CHALLENGE_SECOND),
        "CHALLENGE: PAWS",
    ),
}


def words(make_sheet: Any, state: Any) -> set[tuple[str, str]]:
    """What a screen writes, by the part that writes it."""
    from ui.screens.registry import parts_of, screen_of

    theme = Theme()
    sheet = make_sheet(theme)
    sheet.show(screen_of(state), parts_of(state, theme))
    return {(name, text.text) for name, text in sheet.written()}


@pytest.mark.parametrize("sound", Sound)
def test_every_signal_changes_the_words_on_the_screen(
    person: Any, make_sheet: Any, sound: Sound
) -> None:
    """It sounds once, and what is drawn then says so in letters, in whatever colours."""
    signal = SIGNALS[sound]
    signal.before(person)
    heard, before = len(person.desk.heard), words(make_sheet, person.state)
    signal.brings(person)
    assert [one for _, one in person.desk.heard[heard:]] == [sound]
    fresh = {text for _, text in words(make_sheet, person.state) - before}
    assert any(signal.word in text for text in fresh), fresh


def test_an_error_has_its_sign(person: Any) -> None:
    """A cross, beside the words of what was refused and what may be said instead."""
    person.begin()
    offer_nonsense(person)
    refusal = person.state.frame.refusal
    assert refusal.mark is Mark.BAD
    assert "none of Jaws, Paws" in refusal.text


def test_who_is_asked_to_challenge_gives_way_to_a_challenge(person: Any) -> None:
    """A team's button answers what the screen asks."""
    person.to_round()
    person.touch(a.Show(a.Panel.CHALLENGE))
    push(person, Button.CHALLENGE_SECOND)
    assert person.is_at(ChallengeState)


@pytest.mark.parametrize("panel", [p for p in (*BESIDE, *ABOVE) if p is not a.Panel.CHALLENGE])
def test_a_challenge_is_named_on_whatever_is_looked_at(
    person: Any, make_sheet: Any, panel: a.Panel
) -> None:
    """With its sign: nobody reads a book beside a challenge that he did not hear."""
    person.to_round()
    person.touch(a.Show(panel, "1" if panel is a.Panel.WHYS else ""))  # a line of the log
    push(person, Button.CHALLENGE_SECOND)
    assert person.state.frame.banner.mark is Mark.WARN
    drawn = {text for _, text in words(make_sheet, person.state)}
    assert "CHALLENGE: Paws" in drawn
    assert "The clock stands until it is decided." in drawn
