"""The round: the count, lamps and strips; LOCKED, PAUSED, and a phase that nobody counts."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from companion.core.ruling import Fact, Seat, Shows
from hardware.panel.pins import LAMPS_S
from ui.samples.match import SAMPLES
from ui.scene.scene import Scene
from ui.scene.theme import Light, Theme
from ui.scene.values import Alert, Key, KeyLook
from ui.screens.match import round as screen_round
from ui.screens.match.lock import LockState
from ui.screens.match.round import (
    LOCKED_S,
    MOST_TICKS,
    Phase,
    RoundState,
    first_quantity,
    present_round,
)
from ui.screens.registry import parts_of
from ui.touch import actions as a
from ui.touch.acting import act
from ui.touch.view import View
from ui.widgets.teams import ShortStripPart, WideStripPart


def scene_of(person: Any) -> Scene:
    """What the screens of now are made of."""
    return Scene(person.table.situation(), person.view)


@pytest.mark.parametrize(
    ("passed_s", "count", "ticks_lit", "lit", "inverted"),
    [
        (0.0, "20", 20, 0, False),
        (0.2, "20", 20, 0, False),
        (9.9, "11", 11, 0, False),
        (10.0, "10", 10, 1, False),
        (14.9, "6", 6, 1, False),
        (15.0, "5", 5, 2, True),
        (17.5, "3", 3, 3, True),
        (19.9, "1", 1, 3, True),
    ],
)
def test_jp_5_3_the_round_counts_down(
    person: Any,
    passed_s: float,
    count: str,
    ticks_lit: int,
    lit: int,
    inverted: bool,  # noqa: FBT001
) -> None:
    """The figure is what is left, rounded up; lamps at 10, 5, 3 and 0; the last five invert."""
    person.to_round()
    state = person.wait(passed_s)
    assert state.phase is Phase.RUNNING
    assert (state.count, state.ticks_lit) == (count, ticks_lit)
    assert sum(lamp.lit for lamp in state.lamps if lamp.label in ("10", "5", "3", "0")) == lit
    assert (state.frame.top.title, state.frame.top.where) == ("ROUND 1", "Action · 20 s")
    assert state.ticks == 20
    assert state.inverted is inverted


@pytest.mark.parametrize(("timer_s", "ticks"), [(10, 10), (20, 20), (60, 20)])
def test_the_row_of_ticks_has_one_a_second_and_no_more_than_twenty(
    person: Any, timer_s: int, ticks: int
) -> None:
    """All are lit at first; the figure and the lamps say the rest, those that are dark by then."""
    state = person.to_round(timer_s=timer_s)
    assert [float(lamp.label) for lamp in state.lamps] == [at for at in LAMPS_S if at < timer_s]
    assert (state.ticks, state.ticks_lit) == (ticks, ticks)
    assert (state.count, state.frame.top.where) == (str(timer_s), f"Action · {timer_s} s")


@pytest.mark.parametrize(
    ("rest_s", "total_s", "ticks", "lit"),
    [(0.4, 0.4, 1, 1), (0.3, 1.4, 1, 1), (0.0, 1.4, 1, 0), (0.0, 0.0, 1, 0)],
)
def test_the_shortest_clock_has_a_tick(
    person: Any, rest_s: float, total_s: float, ticks: int, lit: int
) -> None:
    """Lit until the last of its time is over."""
    person.to_round()
    (question,) = person.match.open.values()
    state = screen_round._timed(scene_of(person), question, rest_s, total_s)
    assert (state.ticks, state.ticks_lit) == (ticks, lit)


def test_a_box_without_rounds_has_its_own_name_over_the_count(
    person: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And says how long the phase is, whatever it is called."""
    person.to_round()
    monkeypatch.setattr(type(person.match.position), "where", lambda _: ())
    top = person.state.frame.top
    assert (top.title, top.where) == ("JAWS & PAWS", "20 s")


def test_each_player_s_own_deck_stands_on_the_strip(person: Any) -> None:
    """Of four, each with another number of cards."""
    person.to_ready()
    decks = {"JP": 25, "JG": 24, "PP": 23, "PG": 22}
    for seat, deck in decks.items():
        changes = ((f"{seat}.deck", deck), (f"{seat}.discard", 26 - deck))
        person.touch(a.Adjust(changes, "recount"))
    person.view = act(a.Checked(), person.table, View())
    for team in ("jaws", "paws"):
        person.answer(f"ready/{team}", "ready")
    assert [strip.lines for strip in person.state.strips] == [
        ("Pilot deck 25", "Gunner deck 24"),
        ("Pilot deck 23", "Gunner deck 22"),
    ]


def test_the_rule_of_a_running_round_is_one_touch_away(person: Any) -> None:
    """The round is a question, too: its rule stands in the top bar until the cards are locked."""
    state = person.to_round()
    (question,) = person.match.open.values()
    assert state.frame.top.cite == str(question.cite)
    read = person.touch(a.Show(a.Panel.RULES, state.frame.top.cite))
    assert read.paragraphs
    assert person.touch(a.Back()).phase is Phase.RUNNING


def test_a_pause_stands_and_goes_on(person: Any) -> None:
    """The rest is told; time may be given back while it stands."""
    person.to_round()
    person.wait(7.6)
    state = person.go_on()
    assert (state.phase, state.big, state.below) == (Phase.PAUSED, "PAUSED", "12.4 s LEFT")
    message = state.frame.bottom.message
    assert (message.first, message.second) == ("12.4 s are left.", "Cards stay.")
    assert person.wait(60.0).below == "12.4 s LEFT"
    assert [key.label for key in state.keys] == ["+5 s", "+10 s", "+20 s"]
    assert person.touch(state.keys[0].action).below == "17.4 s LEFT"
    assert person.go_on().count == "18"


def test_what_may_be_given_is_what_each_key_gives(person: Any) -> None:
    person.to_round()
    given = [(key.label, key.action.seconds) for key in person.go_on().keys]
    assert given == [("+5 s", 5.0), ("+10 s", 10.0), ("+20 s", 20.0)]


def test_a_clock_that_stands_in_its_last_seconds_is_not_inverted(person: Any) -> None:
    """Nothing is urgent until it goes on."""
    person.to_round()
    assert person.wait(18.0).inverted
    assert not person.go_on().inverted
    assert person.go_on().inverted


def test_a_round_that_was_cut_off_says_so(person: Any) -> None:
    """Nobody paused it: going on is one way, taking all cards back is another."""
    person.to_round()
    person.go_on()
    person.table.refereed().phase.interrupted = True
    told = person.state.frame.bottom.message.second
    assert told == "The round was cut off: go on, or take all cards back."


def test_jp_5_7_zero_locks_and_the_cards_are_asked_for_after_five_seconds(person: Any) -> None:
    """It is there before the clock has answered, and stays: hands are to leave the cards first."""
    person.to_round()
    person.clock.wait(20.0)
    for state in (person.state, person.wait(0.0)):
        words = (state.phase, state.big, state.below)
        assert words == (Phase.LOCKED, "LOCKED", "HANDS OFF THE CARDS")
        assert (state.inverted, state.count, state.ticks_lit) == (True, "0", 0)
    assert LOCKED_S == 5.0
    assert isinstance(person.wait(LOCKED_S - 0.1), RoundState)
    lines = len(person.match.entries)
    state = person.wait(0.1)
    assert isinstance(state, LockState)
    assert state.lead == "Where do cards lie?"
    assert len(person.match.entries) == lines


def test_locked_says_which_round_when_and_who_looks_for_late_cards(person: Any) -> None:
    """All lamps are lit, no tick is; without a sensor somebody must tell what is late."""
    person.to_round()
    state = person.wait(20.0)
    entry = person.match.entries[-1]
    at = person.table.situation().clock(entry.at_utc)
    assert (state.frame.top.title, state.frame.top.where) == ("ROUND 1", f"locked at {at}")
    assert (state.ticks, state.ticks_lit) == (MOST_TICKS, 0)
    assert {"10", "5", "3", "0"} <= {lamp.label for lamp in state.lamps if lamp.lit}
    assert all(lamp.lit for lamp in state.lamps)
    assert state.frame.bottom.next.action == a.HandsOff(entry.seq)
    assert state.frame.bottom.message.first == "Nothing looks for late cards."


def test_face_to_face_is_so_in_every_phase(person: Any) -> None:
    """Running, paused, locked, and where nobody counts; and in none where nobody wants it."""
    seen: list[tuple[bool, ...]] = []
    for wanted in (False, True):
        person.table.set_setting("face_to_face", wanted)
        running = person.to_round()
        paused, going = person.go_on(), person.go_on()
        locked = person.wait(20.0)
        untimed = person.to_round(timer_s="none")
        states = (running, paused, going, locked, untimed)
        assert len({state.phase for state in states}) == len(Phase)
        seen.append(tuple(state.facing for state in states))
    assert seen == [(False,) * 5, (True,) * 5]


def test_jp_5_7_a_touch_asks_for_the_cards_sooner(person: Any) -> None:
    person.to_round()
    person.wait(20.0)
    assert isinstance(person.go_on(), LockState)


def test_jp_5_7_locked_stays_above_whatever_was_open(person: Any) -> None:
    """Somebody reads the log at zero: it gives way to LOCKED, which waits for a touch then."""
    person.to_round()
    person.touch(a.Show(a.Panel.LOG))
    assert not isinstance(person.wait(19.5), RoundState)
    assert isinstance(person.wait(0.5), RoundState)
    assert isinstance(person.wait(60.0), RoundState)
    assert isinstance(person.go_on(), LockState)


def test_ruling_7_an_untimed_phase_ends_at_the_players_word(person: Any) -> None:
    """A key a player; the last one ends it."""
    state = person.to_round(timer_s="none")
    assert (state.phase, state.count, state.ticks, state.lamps) == (Phase.UNTIMED, "", 0, ())
    assert [key.label for key in state.keys] == ["Ana", "Bo", "Cleo", "Dan"]
    assert (state.frame.top.title, state.frame.top.where) == ("ROUND 1", "Action · no timer")
    assert state.frame.bottom.next is None, "nobody speaks for all"
    assert state.frame.bottom.message.first == "Each player says locked."
    state = person.touch(state.keys[0].action)
    assert [key.label for key in state.keys] == ["Bo", "Cleo", "Dan"]
    assert state.frame.bottom.message.first == "Locked: Ana"
    for _ in range(3):
        state = person.touch(state.keys[0].action)
    assert person.is_at(LockState)


def test_where_one_word_ends_the_phase_the_next_tap_says_it(
    person: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No row of players is needed for one question."""
    person.to_round(timer_s="none")
    key, question = next(iter(person.match.open.items()))
    monkeypatch.setattr(Scene, "open", property(lambda _: {key: question}))
    state = present_round(scene_of(person))
    assert state.keys == ()
    said = state.frame.bottom.next
    assert said is not None
    assert (said.label, said.look) == ("Locked", KeyLook.GO)
    assert said.action == a.Answer(question.key, question.opened, "locked")
    assert not state.inverted


@pytest.mark.parametrize("timer_s", [20, "none"])
def test_what_to_do_is_the_question_in_short_or_else_all_of_it(
    person: Any, monkeypatch: pytest.MonkeyPatch, timer_s: Any
) -> None:
    state = person.to_round(timer_s=timer_s)
    key, question = next(iter(person.match.open.items()))
    assert question.headline != question.prompt
    assert state.lead == question.headline
    plain = replace(question, headline="")
    monkeypatch.setattr(Scene, "open", property(lambda _: {key: plain}))
    assert present_round(scene_of(person)).lead == question.prompt


def test_of_two_players_each_has_a_key_too(person: Any) -> None:
    """The phase does not end at the first word of two."""
    person.to_round(timer_s="none")
    two = dict([*person.match.open.items()][:2])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Scene, "open", property(lambda _: two))
        state = present_round(scene_of(person))
    assert [key.label for key in state.keys] == ["Ana", "Bo"]
    assert state.frame.bottom.next is None


def test_strips_tell_decks_and_who_has_the_sun(person: Any) -> None:
    """What is public and decides: decks, the Sun; smoke when it comes."""
    jaws, paws = person.to_round().strips
    assert jaws.lines == ("Pilot deck 26", "Gunner deck 26")
    assert [badge.title for badge in jaws.badges] == ["HAS THE SUN"]
    assert not paws.badges


def test_a_badge_stands_with_the_team_that_has_it() -> None:
    """A word of the table names the team; a team's own is true or not."""
    jaws, paws = Seat("Jaws"), Seat("Paws")
    smoke = Fact("Jaws.smoke", "Smoke", value=True, seat=jaws)
    assert [screen_round._is_with(smoke, team) for team in (jaws, paws)] == [True, False]
    assert not screen_round._is_with(replace(smoke, value=False), jaws)
    sun = Fact("sun_team", "Has the Sun", jaws)
    assert [screen_round._is_with(sun, team) for team in (jaws, paws)] == [True, False]


def test_who_comes_first_stands_beside_the_first_of_what_a_team_has() -> None:
    """Who has nothing is told that alone, once; nobody else is told it."""
    jaws, paws = Seat("Jaws"), Seat("Paws")
    held = [
        Fact("sun", "Sun", jaws, shows=Shows.BADGE, sign="sun"),
        Fact("Jaws.smoke", "Smoke", value=True, seat=jaws, shows=Shows.BADGE, sign="smoke"),
        Fact("Paws.smoke", "Smoke", value=False, seat=paws, shows=Shows.BADGE, sign="smoke"),
    ]
    orders = [
        Fact(name, label, team, shows=Shows.FIRST)
        for name, label, team in (
            ("lays", "Lays first", jaws),
            ("tells", "Tells first", jaws),
            ("moves", "Moves first", paws),
            ("turns", "Turns first", paws),
        )
    ]

    def badges(facts: list[Fact], team: Seat) -> list[tuple[str, str, str]]:
        scene: Any = SimpleNamespace(facts=facts)
        return [(one.sign, one.title, one.text) for one in screen_round._badges(scene, team)]

    assert badges([*held, *orders], jaws) == [
        ("sun", "SUN", "Lays first, Tells first"),
        ("smoke", "SMOKE", ""),
    ]
    assert badges([*held, *orders], paws) == [("", "MOVES FIRST", "")]
    assert badges(held, paws) == []


def test_the_first_count_of_a_seat_decides_and_none_does_where_it_is_hidden() -> None:
    """What is no count, or somebody else's, is passed over."""
    ana, ben = Seat("A"), Seat("B")
    deck = Fact("A.deck", "Deck", 9, ana, shows=Shows.COUNT)
    facts = [
        Fact("B.deck", "Deck", 7, ben, shows=Shows.COUNT),
        Fact("A.place", "Place", "x", ana),
        deck,
        Fact("A.hand", "Hand", 5, ana, shows=Shows.COUNT),
    ]
    position: Any = SimpleNamespace(facts=lambda: facts)
    assert first_quantity(position, ana) == deck
    assert first_quantity(position, Seat("C")) is None
    facts[2] = replace(deck, public=False)
    assert first_quantity(position, ana) is None


@pytest.mark.parametrize(("letters", "told"), [(90, True), (91, False)])
def test_both_halves_of_a_round_say_what_is_wrong_and_the_way_out_if_short(
    letters: int, *, told: bool
) -> None:
    """In ninety letters, which is what a half has room for; a refusal before a lost device."""
    state: Any = SAMPLES["round-facing"]
    strip, way_out = state.strips[0], "Look again."
    refusal = Alert("x" * (letters - len(f". {way_out}")), way_out, "T-E1", "T-1")
    refused = replace(state.frame, refusal=refusal, banner=replace(refusal, text="lost"))
    whole = f"{refusal.text}. {way_out}"
    assert len(whole) == letters
    assert screen_round._noted(strip, refused).may == (whole if told else refusal.text)
    lost = replace(state.frame, refusal=None, banner=replace(refusal, text="Lost.", way_out=""))
    assert screen_round._noted(strip, lost).may == "Lost."
    quiet = replace(state.frame, refusal=None, banner=None)
    assert screen_round._noted(strip, quiet) is strip


# Where the parts of a round lie.

STRIP, STRIPS_BELOW = (150, 270), (226, 158)
"""A team's words: beside the count, or, in a window that is higher than wide, below it."""


def placed(name: str, size: tuple[int, int]) -> dict[str, tuple[float, ...]]:
    """The boxes of a sample's parts: left, top, width and height in units."""
    parts = parts_of(SAMPLES[name], Theme(Light.DAY, size_px=size))
    boxes = {name: part.box for name, part in parts.items()}
    return {name: (box.x, box.y, box.wide, box.high) for name, box in boxes.items()}


@pytest.mark.usefixtures("window")
def test_the_count_stands_between_the_teams_and_upright_above_them() -> None:
    flat, upright = (placed("round-running", size) for size in ((800, 480), (480, 800)))
    assert (flat["strip/0"][0], flat["strip/1"][0]) == (10, 800 - 10 - 150)
    assert {flat[f"strip/{n}"][2:] for n in range(2)} == {STRIP}
    assert {upright[f"strip/{n}"][2:] for n in range(2)} == {STRIPS_BELOW}
    for boxes, middle in ((flat, 400), (upright, 240)):
        assert boxes["count/0"][0] == middle, "two figures, one at either side of the middle"
        assert boxes["count/0"][3] == 192
        assert [boxes[f"lamp/{n}"][2:] for n in range(4)] == [(52, 36)] * 4
    assert flat["lead"][1] == flat["lamp/0"][1] - 5
    assert upright["lead"][1] < upright["lamp/0"][1] < upright["strip/0"][1]


@pytest.mark.usefixtures("window")
def test_upright_two_teams_have_the_words_of_their_badges_and_three_have_signs() -> None:
    """Two rows of teams are too low for words."""
    theme = Theme(Light.DAY, size_px=(480, 800))
    state: Any = SAMPLES["round-running"]
    two = parts_of(state, theme)
    three = parts_of(replace(state, strips=(*state.strips, state.strips[0])), theme)
    kinds = [{type(parts[f"strip/{n}"]) for n in range(2)} for parts in (two, three)]
    assert kinds == [{WideStripPart}, {ShortStripPart}]


@pytest.mark.usefixtures("window")
def test_face_to_face_each_half_has_its_words_count_and_keys() -> None:
    """The far half is the near one turned upside down."""
    flat, upright = (placed("round-facing", size) for size in ((800, 480), (480, 800)))
    assert flat["near/words"] == (28, 262, 212, 202)
    assert flat["near/arbiter"][2:] == (64, 80)
    assert flat["near/title"][2] == 232
    assert upright["near/arbiter"][2:] == (64, 76)
    assert upright["near/next"][2:] == (360, 76)
    for boxes, (wide, high) in ((flat, (800, 480)), (upright, (480, 800))):
        assert boxes["near/count/0"][3] == 150
        near = {name.removeprefix("near/"): box for name, box in boxes.items() if name[:2] == "ne"}
        for name, (x, y, w, h) in near.items():
            assert boxes[f"far/{name}"] == pytest.approx((wide - x - w, high - y - h, w, h))


@pytest.mark.usefixtures("window")
def test_standing_and_locked_words_are_large() -> None:
    """PAUSED and LOCKED are read from two metres."""
    paused, locked = (placed(name, (800, 480)) for name in ("round-paused", "round-locked"))
    given = placed("round-give-time", (800, 480))
    assert (paused["big"][3], paused["below"][3]) == (96, 52)
    assert (locked["big"][3], locked["below"][3]) == (142, 56)
    assert {box[3] for name, box in given.items() if name.startswith("key/")} == {64}


def test_a_key_of_a_half_says_no_more_than_its_word_unless_it_cannot_be_touched() -> None:
    """The half is low; why a key is impossible is said all the same."""
    key = Key("Pause", a.Pause(), "stops clock, lamps and buzzer")
    assert screen_round._short(key) == replace(key, second="")
    assert screen_round._short(replace(key, action=None)) == replace(key, action=None)
