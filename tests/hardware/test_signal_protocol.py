"""The lines on the socket: any bytes are a request or are refused in words, nothing crashes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.offers import Button, Press, SignalEvent, SignalKind
from hardware.panel.debounce import ButtonFault, Contact
from hardware.panel.panel import Manner, Sound, lamps_at
from hardware.panel.pins import LAMPS_S
from hardware.signals.protocol import (
    Adopt,
    ArmRound,
    BadRequest,
    End,
    Play,
    Push,
    Recall,
    ShowLamps,
    Stand,
    Stop,
    Told,
    parse_object,
    parse_request,
    read_told,
    request_number,
    told_fields,
    write_line,
)

ARM: dict[str, Any] = {
    "id": 1, "op": "arm", "round_id": "round-1", "deadline": 120.5, "total_s": 20,
    "cues": [5, 0.0], "boot": "b",
}  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "request_"),
    [
        (ARM, ArmRound("round-1", 120.5, 20.0, (5.0, 0.0), "b")),
        ({"id": 1, "op": "stop"}, Stop(hold=False)),
        ({"id": 1, "op": "pause"}, Stop(hold=True)),
        ({"id": 1, "op": "adopt"}, Adopt()),
        (
            {"id": 1, "op": "show", "lamps": [*lamps_at(5.0)]},
            ShowLamps(lamps_at(5.0)),
        ),
        ({"id": 1, "op": "sound", "sound": "error"}, Play(Sound.ERROR)),
        ({"id": 1, "op": "events", "since": 0}, Recall(0)),
        ({"id": 1, "op": "press", "button": "referee", "held_s": 1}, Push(Button.REFEREE, 1.0)),
        (
            {"id": 1, "op": "manner", "volume": 0, "brightness": 50, "silent": True},
            Manner(0, 50, silent=True),
        ),
        ({"id": 1, "op": "stand", "round_id": "round-1", "rest_s": 7.5}, Stand("round-1", 7.5)),
        ({"id": 1, "op": "end"}, End()),
    ],
)
def test_every_request_is_read(fields: dict[str, Any], request_: object) -> None:
    assert parse_request(json.dumps(fields).encode()) == (1, request_)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"", "not a JSON line"),
        (b"\xff\xfe\x00", "not a JSON line"),
        (b"[1, 2]", "a line is a JSON object, not list"),
        (b"[" * 3000, "not a JSON line"),
        (b'{"id": 1, "op": "arm", "deadline": NaN}', "NaN is no number here"),
        (b'{"op": "stop"}', "id is a whole number"),
        (b'{"id": true, "op": "stop"}', "id is a whole number"),
        (b'{"id": 1}', "op is a text"),
        (b'{"id": 1, "op": "explode"}', "no op 'explode'; there are arm, stop, pause"),
        (b'{"id": 1, "op": "show", "lamps": [true]}', f"{len(LAMPS_S)} lamps"),
        (b'{"id": 1, "op": "show", "lamps": [1, 0, 1, 0]}', "true and false"),
        (b'{"id": 1, "op": "sound", "sound": "gong"}', "no sound 'gong'"),
        (b'{"id": 1, "op": "press", "button": "any", "held_s": 1}', "no button 'any'"),
        (b'{"id": 1, "op": "manner", "volume": 101}', "volume is a whole number from 0 to 100"),
        (b'{"id": 1, "op": "stand", "round_id": "a", "rest_s": -1}', "rest_s is a number from 0"),
        (b'{"id": 1, "op": "events", "since": -1}', "since is a whole number"),
    ],
)
def test_what_is_no_request_is_refused_in_words(line: bytes, complaint: str) -> None:
    with pytest.raises(BadRequest) as caught:
        parse_request(line)
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("round_id", ""),
        ("round_id", "x" * 201),
        ("round_id", 7),
        ("deadline", "soon"),
        ("deadline", None),
        ("deadline", -1.0),
        ("deadline", 10**400),
        ("total_s", True),
        ("total_s", 1e9),
        ("cues", 5),
        ("cues", [1.0] * 65),
        ("cues", [None]),
        ("cues", [-1.0]),
        ("boot", 3),
    ],
)
def test_each_field_of_an_arm_is_judged_by_name(field: str, value: object) -> None:
    with pytest.raises(BadRequest, match=field):
        parse_request(json.dumps({**ARM, field: value}).encode())


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_request_or_refused(line: bytes) -> None:
    """Property: garbage raises BadRequest and nothing else; finding its number never raises."""
    request_number(line)
    try:
        parse_request(line)
    except BadRequest as error:
        assert str(error)  # noqa: PT017 - that it has words is the point


@given(st.dictionaries(st.sampled_from([*ARM, "sound", "lamps", "since"]), json_values))
def test_any_object_is_a_request_or_refused(fields: dict[str, Any]) -> None:
    """Property: the same for objects with the right names and any values."""
    line = json.dumps({**ARM, **fields}).encode()
    try:
        parse_request(line)
    except BadRequest as error:
        assert str(error)  # noqa: PT017


times = st.floats(0.0, 1e9)
told_things = st.one_of(
    st.builds(Press, st.sampled_from(Button), times, st.floats(0.0, 60.0)),
    st.builds(ButtonFault, st.sampled_from(Button), st.sampled_from(Contact), times),
    st.builds(
        SignalEvent,
        st.sampled_from(SignalKind),
        st.text(min_size=1, max_size=200),
        times,
        st.floats(0.0, 3600.0),
        st.floats(-1.0, 60.0),
        st.booleans(),
    ),
)


@given(told_things)
def test_what_is_told_is_read_back_the_same(told: Told) -> None:
    """Property: an event survives its line, whatever characters a round's name has."""
    assert read_told(parse_object(write_line(told_fields(told)))) == told


def test_words_of_a_newer_process_are_passed_over() -> None:
    assert read_told({"event": "rehearsed", "at": 1.0}) is None
