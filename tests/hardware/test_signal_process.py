"""The process itself: it outlives the screen, adopts back, cleans up, and says what it cannot."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.core.errors import PanelError, PinsMissing
from companion.core.offers import SignalEvent, SignalKind
from hardware.signals.client import Connection, SignalClient
from hardware.signals.folder import SignalFolder, read_journal
from hardware.signals.process import Wanted
from tests.patience import PATIENCE_S, STALL_S, wait_until

NewClient = Callable[..., SignalClient]

TOP = Path(__file__).resolve().parents[2]

SCREEN = """
import sys, time
from pathlib import Path
from hardware.signals.client import SignalClient
from hardware.signals.process import Wanted

client = SignalClient(Wanted("mock", speaker="none", linger_s=600.0), Path(sys.argv[1]))
client.connect()
deadline = time.monotonic() + float(sys.argv[2])
client.arm("round-1", deadline, (0.5, 0.0), 20.0)
print(deadline, flush=True)
while True:
    pass  # a screen that is as busy as can be
"""


class Screen:
    """Another program with its screen, which has armed a round."""

    def __init__(self, folder: Path, rest_s: float) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", SCREEN, str(folder), str(rest_s)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=TOP,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        self.deadline = float(self.process.stdout.readline())

    def send(self, number: signal.Signals) -> None:
        """A signal to the program and its whole process group, as a terminal would."""
        os.killpg(self.process.pid, number)

    def close(self) -> None:
        self.send(signal.SIGKILL)
        self.process.communicate()


@pytest.fixture
def screen_with(socket_folder: Path) -> Iterator[Callable[[float], Screen]]:
    """Starts screens that arm a round with so much left; each is killed at the end."""
    screens: list[Screen] = []

    def start(rest_s: float) -> Screen:
        screens.append(Screen(socket_folder, rest_s))
        return screens[-1]

    yield start
    for screen in screens:
        screen.close()


def assert_sounded_on_time(zero: SignalEvent | None, deadline: float) -> None:
    """Zero sounded at its deadline: not before, and its lateness is told truly.

    How many milliseconds it is late is measured by a benchmark, on a machine that is not busy.
    """
    assert zero is not None
    assert zero.kind is SignalKind.ZERO
    assert zero.late_s == pytest.approx(zero.at - deadline, abs=1e-6)
    assert 0.0 <= zero.late_s < STALL_S


@pytest.mark.parametrize("blow", [signal.SIGSTOP, signal.SIGKILL, signal.SIGTERM])
def test_the_buzzer_fires_on_time_when_the_screen_is_stopped_or_killed(
    blow: signal.Signals,
    screen_with: Callable[[float], Screen],
    new_client: NewClient,
) -> None:
    """Nobody else is connected; the journal tells it afterwards."""
    screen = screen_with(1.0)
    screen.send(blow)
    afterwards = new_client()
    wait_until(lambda: afterwards.fired("round-1"))
    assert_sounded_on_time(afterwards.fired("round-1"), screen.deadline)
    kinds = [event.kind for event in afterwards.history("round-1")]
    assert kinds == [SignalKind.ARMED, SignalKind.CUE, SignalKind.ZERO]


def test_a_new_screen_adopts_the_running_round(
    screen_with: Callable[[float], Screen], new_client: NewClient
) -> None:
    """After a crash the round goes on with the same deadline, and its zero reaches the new one."""
    screen = screen_with(PATIENCE_S)
    screen.send(signal.SIGKILL)
    client = new_client()
    running = client.adopt()
    assert running is not None
    assert running.round_id == "round-1"
    assert running.deadline == pytest.approx(screen.deadline)
    assert running.total_s == 20.0
    assert client.fired("round-1") is None
    told: list[SignalEvent] = []
    client.on_event = told.append
    deadline = time.monotonic() + 0.1
    client.arm("round-1", deadline, (), running.total_s)
    wait_until(lambda: any(event.kind is SignalKind.ZERO for event in told))
    assert_sounded_on_time(told[-1], deadline)


def test_a_screen_that_was_stopped_hears_afterwards_what_it_missed(new_client: NewClient) -> None:
    """A link that tore: the same process tells what came since, in order, none twice."""
    client, other = new_client(), new_client()
    client.connect()
    link = client._session.link
    assert link is not None
    with client._session._joining:  # as if the listening thread were stopped right here
        link._connection.shutdown(2)
        other.arm("round-1", time.monotonic() + 0.2, (0.1,), 0.2)
        wait_until(lambda: other.fired("round-1"))
    wait_until(lambda: len(client._told) >= 3)
    kinds = [event.kind for event in client.events() if isinstance(event, SignalEvent)]
    assert kinds == [SignalKind.ARMED, SignalKind.CUE, SignalKind.ZERO]
    assert client.state().connection is Connection.LIVE


def test_a_process_that_died_is_said_at_once_and_replaced_on_retry(
    socket_folder: Path, new_client: NewClient
) -> None:
    """LOST names the round and what it had left; the next request starts a new process."""
    client = new_client()
    first = client.connect()
    client.arm("round-1", time.monotonic() + PATIENCE_S, (), PATIENCE_S)
    os.kill(first.pid, signal.SIGKILL)
    wait_until(lambda: client.state().connection is Connection.LOST)
    lost = [told for told in client.events() if isinstance(told, SignalEvent)][-1]
    assert (lost.kind, lost.round_id) == (SignalKind.LOST, "round-1")
    assert PATIENCE_S - STALL_S < lost.rest_s < PATIENCE_S
    assert "is gone: nothing sounds until Retry" in (client.state().trouble or "")
    again = client.connect()
    assert again.connection is Connection.LIVE
    assert again.pid != first.pid
    assert client.adopt() is None


def test_a_socket_left_by_a_dead_process_is_no_obstacle(
    socket_folder: Path, new_client: NewClient
) -> None:
    client = new_client()
    os.kill(client.connect().pid, signal.SIGKILL)
    wait_until(lambda: client.state().connection is Connection.LOST)
    assert SignalFolder(socket_folder).socket.exists()
    assert new_client().connect().connection is Connection.LIVE


def test_two_clients_that_start_at_once_share_one_process(new_client: NewClient) -> None:
    """Both find nobody and start one; the lock lets one of them serve."""
    commands = [
        subprocess.Popen(
            [sys.executable, "-c", START, str(new_client()._folder.path)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=TOP,
        )
        for _ in range(2)
    ]
    pids = {command.communicate(timeout=PATIENCE_S)[0] for command in commands}
    assert len(pids) == 1
    assert new_client().connect().pid == int(pids.pop())


START = """
import sys
from pathlib import Path
from hardware.signals.client import SignalClient
from hardware.signals.process import Wanted

print(SignalClient(Wanted("mock", speaker="none"), Path(sys.argv[1])).connect().pid)
"""


def test_a_process_that_is_just_ending_is_waited_for(
    socket_folder: Path, new_client: NewClient
) -> None:
    """It holds the lock but lets nobody in any more; then its place is free."""
    lock = SignalFolder(socket_folder).claim()
    leaving = threading.Timer(0.5, os.close, [lock])
    leaving.start()
    assert new_client().connect().connection is Connection.LIVE
    leaving.join()


def test_a_process_that_lets_nobody_in_is_named(
    socket_folder: Path, new_client: NewClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.signals.session._ENDING_S", 0.1)
    lock = SignalFolder(socket_folder).claim()
    with pytest.raises(PanelError, match="lets nobody in: end it"):
        new_client().connect()
    os.close(lock)


def run_process(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The process as a person starts it in a terminal."""
    command = [sys.executable, "-m", "hardware.signals.process", "--folder", str(folder)]
    return subprocess.run(
        [*command, *arguments],
        capture_output=True,
        text=True,
        cwd=TOP,
        timeout=PATIENCE_S,
        check=False,
    )


def test_a_second_process_says_who_serves_and_leaves(
    socket_folder: Path, new_client: NewClient
) -> None:
    pid = new_client().connect().pid
    second = run_process(socket_folder, "--pins", "mock")
    assert second.returncode == 1
    assert '"failed":"served"' in second.stdout
    assert f"process {pid} already serves" in second.stdout
    assert new_client().connect().pid == pid


def test_missing_pins_are_said_by_the_process_and_raised_by_the_client(
    socket_folder: Path, new_client: NewClient
) -> None:
    """Never a silent fall to mock pins: no process serves, the client tells what to install."""
    said = run_process(socket_folder, "--pins", "lgpio")
    assert said.returncode == 1
    assert '"failed":' in said.stdout
    client = new_client(pins="lgpio")
    with pytest.raises(PanelError, match="pin factory lgpio was chosen") as caught:
        client.connect()
    if "is not installed" in str(caught.value):
        assert isinstance(caught.value, PinsMissing)
    assert client.state().connection is Connection.ABSENT


@pytest.mark.parametrize("arguments", [(), ("--pins", "rpigpio"), ("--pins", "mock", "--volume")])
def test_a_bad_call_is_told_apart_by_its_status(
    socket_folder: Path, arguments: tuple[str, ...]
) -> None:
    """2: the call was bad; 1: it looked and cannot."""
    assert run_process(socket_folder, *arguments).returncode == 2


def test_it_ends_by_itself_when_nobody_needs_it(socket_folder: Path, new_client: NewClient) -> None:
    """No orphans: no client and nothing armed for as long as it was told to linger."""
    client = new_client(linger_s=0.3)
    client.connect()
    time.sleep(0.5)
    assert client.connect().connection is Connection.LIVE, "it ended under a client"
    client.close()
    wait_until(lambda: not SignalFolder(socket_folder).socket.exists())
    journal = SignalFolder(socket_folder).journal.read_text("utf-8")
    assert '"event":"ended"' in journal.splitlines()[-1]


def test_it_serves_an_armed_round_to_its_zero_before_it_ends(
    socket_folder: Path, new_client: NewClient
) -> None:
    client = new_client(linger_s=0.2)
    client.arm("round-1", time.monotonic() + 1.5, (), 1.5)
    client.close()
    wait_until(lambda: not SignalFolder(socket_folder).socket.exists())
    assert client.fired("round-1") is not None


def test_a_process_that_is_asked_to_leave_silences_everything(
    socket_folder: Path, new_client: NewClient
) -> None:
    """SIGTERM (the machine shuts down): pins are let go, the journal says so."""
    client = new_client()
    os.kill(client.connect().pid, signal.SIGTERM)
    wait_until(lambda: not SignalFolder(socket_folder).socket.exists())
    assert '"event":"ended"' in SignalFolder(socket_folder).journal.read_text("utf-8")


def test_another_factory_than_the_one_that_serves_is_never_passed_over(
    socket_folder: Path, new_client: NewClient
) -> None:
    """Mock pins that somebody needs are kept and shown; a process left alone makes way."""
    mock, real = new_client(), new_client(pins="lgpio")
    mock.connect()
    state = real.connect()
    assert (state.pins, state.wanted_pins) == ("mock", "lgpio"), "it was taken from a client"
    mock.arm("round-1", time.monotonic() + PATIENCE_S, (), PATIENCE_S)
    mock.close()
    real.close()
    state = real.connect()
    assert state.pins == "mock", "it was taken from a round"
    real.stop()
    real.close()
    with pytest.raises(PanelError):  # the mock process made way, and there are no real pins here
        new_client(pins="lgpio").connect()
    wait_until(lambda: not SignalFolder(socket_folder).socket.exists())


def test_a_request_from_a_callback_is_refused_at_once(new_client: NewClient) -> None:
    """It would wait for a reply that only its own thread could hear."""
    client = new_client()
    caught: list[str] = []

    def ask_back(_event: SignalEvent) -> None:
        try:
            client.stop()
        except ValueError as error:
            caught.append(str(error))

    client.on_event = ask_back
    client.arm("round-1", time.monotonic() + PATIENCE_S, (), PATIENCE_S)
    wait_until(lambda: caught)
    assert "post it to a thread of your own" in caught[0]
    client.on_event = None
    assert client.stop() > 0.0


def test_a_callback_that_fails_does_not_deafen_the_client(
    new_client: NewClient, caplog: pytest.LogCaptureFixture
) -> None:
    client = new_client()

    def fail(_event: SignalEvent) -> None:
        raise RuntimeError("the screen has a bug")

    client.on_event = fail
    client.arm("round-1", time.monotonic() + 0.1, (), 0.1)
    wait_until(lambda: caplog.text.count("the screen has a bug") >= 2)
    wait_until(lambda: client.adopt() is None)  # zero has sounded, and the client still hears


def test_a_process_that_hangs_is_said_and_not_waited_for(
    new_client: NewClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped itself, it answers nobody: PanelError after a moment, not a frozen screen."""
    client = new_client()
    pid = client.connect().pid
    monkeypatch.setattr("hardware.signals.link.REPLY_MAX_S", 0.3)
    os.kill(pid, signal.SIGSTOP)
    try:
        with pytest.raises(PanelError, match=f"process {pid} has not answered for 0.3 s"):
            client.adopt()
    finally:
        os.kill(pid, signal.SIGCONT)


def test_the_journal_is_this_boots_alone(socket_folder: Path, new_client: NewClient) -> None:
    """What sounded in another boot never answers a question of this one."""
    client = new_client()
    client.arm("round-1", time.monotonic() + 0.05, (), 0.05)
    wait_until(lambda: client.fired("round-1"))
    assert read_journal(SignalFolder(socket_folder).journal, "another-boot", "round-1") == []


def test_a_runtime_folder_that_cannot_be_made_is_said() -> None:
    client = SignalClient(Wanted("mock"), Path("/proc/nowhere"))
    with pytest.raises(PanelError, match=r"runtime folder /proc/nowhere cannot be made .*XDG"):
        client.connect()
