"""Fingers on the bare screen: no X, no keyboard, no mouse."""

from __future__ import annotations

from tests.rig.hands import same, says_locked
from tests.rig.machine import State
from tests.rig.rig import Rig
from tests.rig.test_round import wait_for_zero

NEXT = (676, 434)
"""Where every screen has the key that leads on."""

WAY = {
    "new-match": (640, 114),
    "table-check": NEXT,
    "toss": NEXT,
    "place-the-sun": (200, 205),
    "ruling": (74, 219),
    "all-placed": NEXT,
    "ready": NEXT,
    "jaws-ready": (202, 274),
    "round": (597, 274),
}
"""The screens from home to a running round, each with the place whose touch leads to it."""

ANSWERED = (
    *("set-up/toss", "set-up/sun", "set-up/placed"),
    *("round-1/ready/jaws", "round-1/ready/paws"),
)
"""The questions that those touches answer, as the record has them."""


def test_from_home_to_a_started_match_by_touches(rig: Rig, at_home: State) -> None:
    """Every touch leads to the next screen; at the end the round runs."""
    machine = rig.at(at_home)
    screen = rig.screen(machine)
    shown = screen.picture("home")
    for number, (name, place) in enumerate(WAY.items(), start=1):
        screen.touch(*place)
        machine.run("sleep 2")  # a key that is touched looks so first
        after = screen.picture(f"{number}-{name}")
        assert not same(shown, after), f"the touch before {name} changed nothing"
        shown = after
    log = rig.log(machine)
    told = [log.find(f", by touch, {key})") for key in ANSWERED]
    assert told == sorted(told), log
    assert told[0] > 0, log
    assert "The clock started with 20 s left.  (the clock, round-1/locked)" in log
    wait_for_zero(machine)
    machine.run("sleep 2")
    assert says_locked(screen.picture("locked"))
    rig.saw(f"{len(WAY)} touches from home to a round, each answer in the record, to LOCKED")
