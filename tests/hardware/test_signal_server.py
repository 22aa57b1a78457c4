"""The server on gpiozero's mock pins, inside this process: pin states, times, and bad clients."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from companion.core.errors import PanelError
from companion.core.offers import Button, Press, SignalEvent, SignalKind
from companion.core.round_clock import CUES_S
from companion.core.ruling import Json
from hardware.panel.deadline import granted
from hardware.panel.gpio import GpioPanel
from hardware.panel.panel import DARK, Lamps, Manner, lamps_at
from hardware.panel.speaker import Speaker
from hardware.signals.client import Connection, SignalClient
from hardware.signals.folder import SignalFolder, boot_id
from hardware.signals.process import Wanted
from hardware.signals.protocol import LINE_MAX
from hardware.signals.server import NONSENSE_MAX, PEERS_MAX, SignalServer, Terms
from tests.patience import PATIENCE_S, STALL_S, wait_until


class FailingPanel(GpioPanel):
    """Mock pins whose wires can be cut."""

    cut = False

    def buzz(self, tone_hz: float, volume: int = 100) -> None:
        if self.cut:
            raise RuntimeError("bad handle")
        super().buzz(tone_hz, volume)

    def light(self, lamps: Lamps, brightness: int = 100) -> None:
        if self.cut:
            raise RuntimeError("bad handle")
        super().light(lamps, brightness)


class Served:
    """A server in a thread of this process, its pins within reach."""

    def __init__(self, folder: Path) -> None:
        self.folder = SignalFolder(folder)
        self.pins = FailingPanel("mock")
        refused = granted("[Errno 1] Operation not permitted", "Cannot allocate memory")
        terms = Terms(refused, linger_s=PATIENCE_S)
        self.server = SignalServer(self.pins, self.folder, Speaker("none"), terms)
        self.thread = threading.Thread(target=self.server.run)
        self.thread.start()

    def knock(self) -> socket.socket:
        """A bare connection."""
        plug = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        plug.settimeout(PATIENCE_S)
        plug.connect(str(self.folder.socket))
        return plug

    def plug(self) -> socket.socket:
        """A bare connection, its greeting read."""
        plug = self.knock()
        assert b"hello" in plug.recv(LINE_MAX)
        return plug

    def close(self) -> None:
        self.server.end()
        self.knock().close()  # rouse it
        self.thread.join(PATIENCE_S)
        self.server.close()
        self.pins.close()


@pytest.fixture
def served(socket_folder: Path) -> Iterator[Served]:
    served = Served(socket_folder)
    yield served
    served.close()


@pytest.fixture
def client(served: Served) -> Iterator[SignalClient]:
    client = SignalClient(Wanted("mock", speaker="none"), served.folder.path)
    client.connect()
    yield client
    client.close()


def signs(client: SignalClient, last: SignalKind = SignalKind.ZERO) -> list[SignalEvent]:
    """The signals that are told until the last one comes."""
    told: list[SignalEvent] = []

    def come() -> bool:
        told.extend(item for item in client.events() if isinstance(item, SignalEvent))
        return bool(told) and told[-1].kind is last

    wait_until(come)
    return told


def presses(client: SignalClient) -> list[Press]:
    """The presses that are told until one has come and a tenth of a second gone by."""
    told: list[Press] = []

    def come() -> bool:
        told.extend(item for item in client.events() if isinstance(item, Press))
        return bool(told)

    wait_until(come)
    time.sleep(0.1)
    come()
    return told


def answer_to(plug: socket.socket, line: bytes) -> dict[str, Json]:
    """The next line that comes after sending one, beats aside."""
    plug.sendall(line)
    with plug.makefile("rb") as lines:
        while True:
            fields: dict[str, Json] = json.loads(lines.readline())
            if "beat" not in fields:
                return fields


def test_the_buzzer_pin_goes_through_the_states_of_a_round(
    served: Served, client: SignalClient
) -> None:
    """Cue at 0.4 s left for 0.15 s, zero for 1 s: the mock pin recorded the edges."""
    deadline = time.monotonic() + 0.6
    client.arm("round-1", deadline, (0.4, 0.0), 0.6)
    zero = signs(client)[-1]
    wait_until(lambda: len(served.pins.recorded("buzzer")) == 5)
    levels = [level for _, level in served.pins.recorded("buzzer")]
    lasted = [seconds for seconds, _ in served.pins.recorded("buzzer")]
    assert levels == [False, True, False, True, False]
    assert lasted[2:] == pytest.approx([0.15, 0.25, 1.0], abs=STALL_S)
    assert deadline <= zero.at < deadline + STALL_S


def test_the_event_tells_when_the_pin_really_changed(served: Served, client: SignalClient) -> None:
    """`at` is read right after the pin was set: within a millisecond of the pin's own record."""
    client.arm("round-1", time.monotonic() + 0.2, (), 0.2)
    zero = signs(client)[-1]
    pin = served.pins._buzzer.pin
    assert zero.kind is SignalKind.ZERO
    assert pin.states[-1].state
    assert 0.0 <= zero.at - pin._last_change < STALL_S
    assert zero.late_s == pytest.approx(zero.at - (zero.at - zero.late_s))


def test_lamps_light_at_their_figures(served: Served, client: SignalClient) -> None:
    """A round armed with under 5 s left has two lamps; the third comes at 3 s."""
    lit = paused_with_seconds_left(client, served)
    assert lit == [*lamps_at(4.0)]
    client.arm("round-1", time.monotonic() + 3.1, CUES_S, 20.0)
    wait_until(lambda: served.pins._lamps[2].value)
    assert client.stop() <= 3.0
    assert [bool(lamp.value) for lamp in served.pins._lamps] == list(DARK)


def test_a_pause_leaves_the_lamps_lit(served: Served, client: SignalClient) -> None:
    assert paused_with_seconds_left(client, served) == [*lamps_at(4.0)]
    assert [bool(lamp.value) for lamp in served.pins._lamps] == [*lamps_at(4.0)]
    assert client.adopt() is None


def paused_with_seconds_left(client: SignalClient, served: Served) -> list[bool]:
    """The lamps of a round that runs with 3 to 5 s left; it is paused right after."""
    while True:  # where the machine stalls, once more
        deadline = time.monotonic() + 4.9
        client.arm("round-1", deadline, CUES_S, 20.0)
        lit = [bool(lamp.value) for lamp in served.pins._lamps]
        asked_s = deadline - time.monotonic()
        rest_s = client.pause()
        assert deadline - time.monotonic() <= rest_s <= max(0.0, asked_s)
        if rest_s > 3.0:
            return lit


def test_a_press_goes_through_pin_and_debouncing(client: SignalClient) -> None:
    """A mock button's pin is driven low and let go: one press, dated by its contact."""
    began = time.monotonic()
    client.push(Button.READY_SECOND, held_s=0.2)
    (press,) = presses(client)
    assert press.button is Button.READY_SECOND
    assert began <= press.at < began + STALL_S


def test_bouncing_contacts_press_once(
    served: Served, client: SignalClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six edges in a millisecond on the pin itself, or as long as a crowded machine takes."""
    monkeypatch.setattr("hardware.panel.debounce.GAP_S", PATIENCE_S)
    for down in (True, False, True, False, True, True, False):
        served.pins.push(Button.REFEREE, down=down)
    served.pins.push(Button.REFEREE, down=True)
    assert [press.button for press in presses(client)] == [Button.REFEREE]
    served.pins.push(Button.REFEREE, down=False)


def test_another_round_cannot_be_armed_over_a_running_one(client: SignalClient) -> None:
    """A second controller cannot take the deadline unnoticed (field notes, 51)."""
    client.arm("round-1", time.monotonic() + PATIENCE_S, (), PATIENCE_S)
    with pytest.raises(PanelError, match=r"round-1 is armed .* stop it before arming round-2"):
        client.arm("round-2", time.monotonic() + PATIENCE_S, (), PATIENCE_S)
    running = client.adopt()
    assert running is not None
    assert running.round_id == "round-1"


def test_the_same_round_is_given_another_deadline(client: SignalClient) -> None:
    """Set while running: one zero, at the deadline that was given last."""
    client.arm("round-1", time.monotonic() + PATIENCE_S, (), 20.0)
    deadline = time.monotonic() + 0.4
    client.arm("round-1", deadline, (), 20.0)
    armed, again, zero = signs(client)
    assert (armed.kind, again.kind) == (SignalKind.ARMED, SignalKind.ARMED)
    assert deadline <= zero.at < deadline + STALL_S


@pytest.mark.parametrize("ahead_s", [-60.0, 1e6])
def test_a_deadline_of_another_clock_is_refused(client: SignalClient, ahead_s: float) -> None:
    """The wall clock handed in by mistake: refused, and nothing is armed."""
    with pytest.raises(PanelError, match=r"is it CLOCK_MONOTONIC\?"):
        client.arm("round-1", time.monotonic() + ahead_s, (), 20.0)
    assert client.adopt() is None


def test_a_deadline_of_another_boot_is_refused(served: Served) -> None:
    """The seconds of another boot (another machine's, through a shared folder) mean nothing."""
    request: dict[str, Json] = {
        "id": 1, "op": "arm", "round_id": "round-1", "deadline": time.monotonic() + PATIENCE_S,
        "total_s": 5, "cues": [], "boot": "other",
    }  # fmt: skip
    with served.plug() as plug:
        answer = answer_to(plug, json.dumps(request).encode() + b"\n")
    assert "another boot" in str(answer["refused"])


def test_every_change_of_the_clock_is_told_to_every_client(
    served: Served, client: SignalClient
) -> None:
    """Arming and stopping too, whoever did it (field notes, 4)."""
    with SignalClient(Wanted("mock"), served.folder.path) as onlooker:
        onlooker.connect()
        client.arm("round-1", time.monotonic() + PATIENCE_S, (), PATIENCE_S)
        client.stop()
        told = [event.kind for event in signs(onlooker, SignalKind.STOPPED)]
    assert told == [SignalKind.ARMED, SignalKind.STOPPED]


def test_silence_is_obeyed_and_journalled(served: Served, client: SignalClient) -> None:
    """At 0 percent neither buzzer nor loudspeaker sounds; lamps and events go on."""
    client.set_manner(Manner(volume=0))
    client.arm("round-1", time.monotonic() + 0.1, (), 0.1)
    assert [event.kind for event in signs(client)][-1] is SignalKind.ZERO
    assert [level for _, level in served.pins.recorded("buzzer")] == [False]
    assert served.pins.recorded("lamp_zero")[-1][1]
    wait_until(lambda: '"muted":true' in served.folder.journal.read_text("utf-8"))


def test_pins_that_fail_are_said_and_the_round_goes_on(
    served: Served, client: SignalClient
) -> None:
    """Device loss stops nothing silently (field notes, 26): the screen still hears zero."""
    served.pins.cut = True
    client.arm("round-1", time.monotonic() + 0.1, (), 0.1)
    assert [event.kind for event in signs(client)][-1] is SignalKind.ZERO
    wait_until(lambda: "the pins do not answer (bad handle)" in (client.state().trouble or ""))
    served.pins.cut = False


def test_garbage_is_answered_in_words_and_hurts_nobody(
    served: Served, client: SignalClient
) -> None:
    """Bytes that are no request: refused, the connection stays, others notice nothing."""
    client.arm("round-1", time.monotonic() + 0.4, (), 0.4)
    with served.plug() as plug:
        assert "not a JSON line" in str(answer_to(plug, b"\x00\xff garbage\n")["refused"])
        assert "no op" in str(answer_to(plug, b'{"id": 3, "op": "x"}\n')["refused"])
        assert answer_to(plug, b'{"id": 4, "op": "x"}\n')["re"] == 4
    assert [event.kind for event in signs(client)][-1] is SignalKind.ZERO


def test_a_line_in_pieces_is_one_line(served: Served) -> None:
    with served.plug() as plug:
        for piece in (b'{"id": 5', b', "op": ', b'"ado'):
            plug.sendall(piece)
            time.sleep(0.02)
        assert answer_to(plug, b'pt"}\n') == {"re": 5, "ok": {"round": None, "clients": 1}}


def test_a_client_that_speaks_nonsense_for_ever_is_dropped(served: Served) -> None:
    with served.plug() as plug:
        plug.sendall(b"nonsense\n" * (NONSENSE_MAX + 5))
        received = b""
        while chunk := plug.recv(65536):
            received += chunk
    assert received.count(b"refused") == NONSENSE_MAX


def test_a_line_without_end_is_cut_off(served: Served) -> None:
    """A client cannot fill the process's memory."""
    with served.plug() as plug:
        with suppress(OSError):
            for _ in range(64):
                plug.sendall(b"x" * LINE_MAX)
        with suppress(ConnectionResetError):
            while plug.recv(65536):
                pass
    with served.plug() as plug:
        assert answer_to(plug, b'{"id": 1, "op": "adopt"}\n')["re"] == 1


def test_a_client_that_does_not_read_is_dropped_and_delays_nobody(
    served: Served, client: SignalClient
) -> None:
    """Its socket fills; the zero of the round comes on time all the same."""
    with served.plug() as deaf:
        deaf.settimeout(0.0)
        with suppress(OSError):
            while True:
                deaf.send(b'{"id": 1, "op": "events", "since": 0}\n' * 100)
        deadline = time.monotonic() + 0.3
        client.arm("round-1", deadline, (), 0.3)
        zero = signs(client)[-1]
        assert zero.kind is SignalKind.ZERO
        assert zero.late_s < STALL_S
        wait_until(lambda: len(served.server._peers) == 1)


def test_clients_that_vanish_are_survived(served: Served, client: SignalClient) -> None:
    """Connections closed in the middle of a line, before the greeting, after a request."""
    for sent in (b"", b'{"id": 1, "op": "ad', b'{"id": 1, "op": "adopt"}\n'):
        for _ in range(10):
            plug = served.knock()
            plug.sendall(sent)
            plug.close()
    assert client.adopt() is None


def test_too_many_clients_are_told_so_and_let_in_when_one_has_left(served: Served) -> None:
    """The sentence reaches whoever started the program: it is not taken for another protocol."""
    plugs = [served.plug() for _ in range(PEERS_MAX)]
    late = SignalClient(Wanted("mock", speaker="none"), served.folder.path)
    with pytest.raises(PanelError, match=f"serves {PEERS_MAX} programs already: close one"):
        late.connect()
    plugs.pop().close()
    wait_until(lambda: len(served.server._peers) < PEERS_MAX)
    assert late.connect().connection is Connection.LIVE
    late.close()
    for plug in plugs:
        plug.close()


def test_real_pins_cannot_be_pushed_by_a_client(served: Served, client: SignalClient) -> None:
    served.pins._name = "lgpio"
    with pytest.raises(PanelError, match="pressed by fingers"):
        client.push(Button.REFEREE)
    served.pins._name = "mock"


def test_the_process_does_not_end_under_a_running_round(client: SignalClient) -> None:
    client.arm("round-1", time.monotonic() + PATIENCE_S, (), PATIENCE_S)
    with pytest.raises(PanelError, match="round-1 is armed: stop it first"):
        client.end_process()


def test_the_state_says_pins_rights_and_age(served: Served, client: SignalClient) -> None:
    """Connected means a fresh valid message, its age shown (field notes, 25)."""
    state = client.state()
    assert state.connection is Connection.LIVE
    assert (state.pins, state.speaker, state.real_time) == ("mock", "none", False)
    assert "real-time scheduling was refused ([Errno 1] Operation not" in state.note
    assert "locking memory was refused (Cannot allocate memory)" in state.note
    assert "limits.d" in state.note
    wait_until(lambda: client.state().age_s > 0.3)
    wait_until(lambda: client.state().age_s < 0.3)  # the next beat came


def test_a_stuck_button_shows_in_the_state(
    served: Served, client: SignalClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A jammed key is named, and its name goes when it is freed."""
    monkeypatch.setattr("hardware.panel.debounce.STUCK_S", 0.3)
    served.pins.push(Button.READY_FIRST, down=True)
    wait_until(lambda: dict(client.state().faults) == {Button.READY_FIRST: "stuck"})
    served.pins.push(Button.READY_FIRST, down=False)
    wait_until(lambda: not client.state().faults)


def test_the_boot_is_the_kernels(served: Served) -> None:
    kernel = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    assert boot_id() == kernel
    with served.knock() as plug:
        hello: dict[str, Json] = json.loads(plug.recv(LINE_MAX))["hello"]
    assert hello["boot"] == kernel
