"""Which pin carries what: refused where it cannot be, and the same after its way as JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import BadCall
from companion.core.offers import Button
from hardware.panel.pins import LAST_GPIO, PARTS, PINS, BadPin, BuzzerKind, PinPlan


@pytest.mark.parametrize("pin", [28, -1, True, "17", 17.0])
def test_a_pin_that_no_header_has_is_refused(pin: int) -> None:
    with pytest.raises(BadCall, match=r"buzzer: pin .* not one of GPIO 0 to 27"):
        PinPlan(buzzer=pin)


def test_a_pin_for_two_things_is_refused() -> None:
    """The part that comes later is named, and what has the pin already."""
    with pytest.raises(BadPin, match="button_referee: GPIO 18 already carries buzzer") as caught:
        PinPlan(button_referee=18)
    assert caught.value.part == "button_referee"


def test_a_button_that_is_not_there_has_no_pin() -> None:
    assert set(PINS.buttons) == set(Button)
    without = PinPlan(button_challenge_1=None, button_challenge_2=None)
    assert set(without.buttons) == {Button.READY_FIRST, Button.READY_SECOND, Button.REFEREE}
    assert 23 in without.free


plans = st.permutations(range(LAST_GPIO + 1)).flatmap(
    lambda pins: st.builds(
        PinPlan,
        buzzer_kind=st.sampled_from(BuzzerKind),
        **{part: st.sampled_from([None, pin]) for part, pin in zip(PARTS, pins, strict=False)},
    )
)


@given(plans)
def test_a_plan_survives_its_line(plan: PinPlan) -> None:
    """Property: what starts the signal process names the same pins, those not there included."""
    assert PinPlan.from_json(json.loads(json.dumps(plan.to_json()))) == plan
    assert len(plan.free) + sum(getattr(plan, part) is not None for part in PARTS) == LAST_GPIO + 1


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ([], "an object of part and pin"),
        ({"horn": 3}, r"has buzzer, lamp_ten.*not \['horn'\]"),
        ({"buzzer_kind": "loud"}, "'loud' is not one of active, tone"),
        ({"buzzer_kind": []}, "is not one of active, tone"),
        ({"buzzer": "x"}, "not one of GPIO"),
        ({"buzzer": [1]}, "not one of GPIO"),
    ],
)
def test_what_is_no_plan_is_refused_in_words(raw: object, told: str) -> None:
    with pytest.raises(BadCall, match=told):
        PinPlan.from_json(raw)
