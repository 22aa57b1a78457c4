"""`companion simulate` on several processes: of this machine, or of a Dask cluster."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, cast

import pytest

import ui.terminal.simulate
from companion.core.errors import BadCall
from companion.match.entry import app_version
from companion.record.record import Record
from tests.patience import PATIENCE_S, wait_until
from ui.terminal.app import run

CALL = ["simulate", "jaws-and-paws", "--seed", "7", "--json"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--jobs", "0"], "--matches and --jobs are 1 or more"),
        (["--jobs", "2", "--cluster", "tcp://127.0.0.1:1"], "name one of --jobs"),
    ],
)
def test_what_cannot_be_asked_for(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*CALL, *words]) == 2
    assert told in capsys.readouterr().err


def test_without_dask_its_extra_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert run([*CALL, "--cluster", "tcp://127.0.0.1:1"]) == 2
    assert "pip install 'dogfight-companion[cluster]'" in capsys.readouterr().err


@pytest.mark.slow
def test_a_process_that_is_ended_is_told_and_nobody_waits(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the system does to one that takes too much memory."""
    monkeypatch.setattr(ui.terminal.simulate, "_play_of", lambda _setup, **_kept: _ended)
    assert run([*CALL, "--jobs", "2"]) == 2
    assert "try fewer --jobs" in capsys.readouterr().err


def _ended(_seeds: object) -> list[object]:
    os.kill(os.getpid(), signal.SIGKILL)
    return []


class Dask:
    """Dask's client and its only chunk, of a cluster that is lost while it plays."""

    def __init__(self, wrong: Exception, *, workers: int = 0) -> None:
        self._wrong, self._workers = wrong, workers
        self.waited = 0

    def nthreads(self, *, callback_timeout: float) -> dict[str, int]:
        assert callback_timeout
        if isinstance(self._wrong, OSError) and not isinstance(self._wrong, TimeoutError):
            raise self._wrong
        return {f"tcp://{n}": 1 for n in range(self._workers)}

    def result(self, *, timeout: float) -> list[Any]:
        self.waited += 1
        if self._workers and self.waited > 3:
            return []
        raise TimeoutError if isinstance(self._wrong, OSError) else self._wrong


def chunk_of(dask: Dask) -> Any:
    return ui.terminal.simulate._ChunkOfCluster("tcp://far:8786", cast("Any", dask), dask)


def test_workers_that_are_gone_and_a_scheduler_that_is_gone_are_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Dask itself waits for new workers for ever."""
    from distributed.client import FutureCancelledError

    monkeypatch.setattr(ui.terminal.simulate, "WORKERS_BACK_WITHIN_S", 0.0)
    for wrong in (TimeoutError(), ConnectionError(), FutureCancelledError("key", "lost")):
        with pytest.raises(BadCall, match="at tcp://far:8786 lost its workers or its scheduler"):
            chunk_of(Dask(wrong)).result()
    monkeypatch.undo()
    slow = Dask(TimeoutError(), workers=1)
    assert chunk_of(slow).result() == [], "slow is not lost"
    assert slow.waited == 4


def test_an_encrypted_address_asks_for_certificates(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("distributed")
    assert run([*CALL, "--cluster", "tls://127.0.0.1:1"]) == 2
    said = capsys.readouterr().err
    assert "tls://127.0.0.1:1 needs certificates: name their files in DASK_DISTRIBUTED__" in said
    from dask.config import set as set_config

    none = str(tmp_path / "none.pem")
    named = {f"distributed.comm.tls.{of}": none for of in ("ca-file", "client.cert", "client.key")}
    with set_config(named):
        assert run([*CALL, "--cluster", "tls://127.0.0.1:1"]) == 2
    assert "the certificates for tls://127.0.0.1:1 cannot be read" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lost", "by"),
    [
        ("scheduler", signal.SIGKILL),
        ("worker", signal.SIGKILL),
        ("scheduler", signal.SIGSTOP),
    ],
)
def test_a_cluster_that_is_killed_or_stopped_in_the_middle_is_told_in_one_line(
    lost: str, by: signal.Signals, tmp_path: Path
) -> None:
    """Real processes, killed, or stopped as on a machine that sleeps; Dask's own pages are not."""
    with closing(Started(tmp_path)) as started:
        call = [sys.executable, "-c", KILLED_SOON, *CALL[1:-1], "--matches", "4000", "--progress"]
        with subprocess.Popen(
            [*call, "--cluster", started.address], stderr=subprocess.PIPE, text=True
        ) as playing:
            assert playing.stderr is not None
            assert "of 4000 played" in playing.stderr.readline()
            (started.scheduler if lost == "scheduler" else started.worker).send_signal(by)
            *_, said = playing.stderr.readlines()
            assert playing.wait(60) == 2
    assert said.startswith(f"companion: the cluster at {started.address} lost its workers")


KILLED_SOON = """
import sys
import ui.terminal.simulate as simulate
from ui.terminal.app import run
simulate.WORKERS_BACK_WITHIN_S, simulate.ANSWERS_WITHIN_S = 4.0, 20.0
sys.exit(run(["simulate", *sys.argv[1:]]))
"""


class Started:
    """A scheduler and one worker without a nanny, each a process that can be killed.

    `certified` are options by which both of them encrypt what they say.
    """

    def __init__(self, folder: Path, certified: Sequence[str] = ()) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        protocol = "tls" if certified else "tcp"
        self.address = f"{protocol}://127.0.0.1:{port}"
        at = ["--host", "127.0.0.1", "--port", str(port), "--protocol", protocol]
        plain = ["--no-dashboard", *certified]
        self.scheduler = self._start("dask_scheduler", [*at, *plain], "Scheduler at")
        alone = [self.address, "--no-nanny", "--nthreads", "1", *plain]
        there = ["--local-directory", str(folder)]
        self.worker = self._start("dask_worker", [*alone, *there], "Registered to")

    def _start(self, what: str, words: Sequence[str], until: str) -> subprocess.Popen[str]:
        call = [sys.executable, "-m", f"distributed.cli.{what}", *words]
        process = subprocess.Popen(call, stderr=subprocess.PIPE, text=True)
        assert process.stderr is not None
        assert any(until in line for line in process.stderr), f"{what} has ended"
        return process

    def close(self) -> None:
        for process in (self.worker, self.scheduler):
            process.kill()
            process.communicate()


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """A certificate that vouches for itself, and its key, by OpenSSL's own command."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed: no certificates for an encrypted cluster")
    kept, key = folder / f"{name}.pem", folder / f"{name}-key.pem"
    call = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    call += ["-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([*call, "-out", kept, "-keyout", key], check=True, capture_output=True)
    return kept, key


@pytest.mark.slow
def test_matches_are_played_on_an_encrypted_cluster(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the club's certificates in the environment; with somebody else's nobody answers."""
    from dask.config import refresh

    named = "DASK_DISTRIBUTED__COMM__TLS__{}"
    club, key = certificate(tmp_path, "club")
    options = ["--tls-ca-file", str(club), "--tls-cert", str(club), "--tls-key", str(key)]
    foreign, foreign_key = certificate(tmp_path, "elsewhere")
    with closing(Started(tmp_path, options)) as started:
        call = [*CALL, "--matches", "4", "--cluster", started.address]
        told: list[int] = []
        for ca, own in ((club, key), (foreign, foreign_key)):
            monkeypatch.setenv(named.format("CA_FILE"), str(ca))
            monkeypatch.setenv(named.format("CLIENT__CERT"), str(ca))
            monkeypatch.setenv(named.format("CLIENT__KEY"), str(own))
            refresh()
            monkeypatch.setattr(ui.terminal.simulate, "ANSWERS_WITHIN_S", 10.0 if ca == club else 2)
            told.append(run(call))
    monkeypatch.undo()
    refresh()
    said = capsys.readouterr()
    assert told == [0, 2]
    assert json.loads(said.out)["finished"] == 4
    assert f"answers at {started.address}, or it trusts other certificates" in said.err


@pytest.mark.slow
@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense://x"])
def test_nobody_answers_there(
    address: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ui.terminal.simulate, "ANSWERS_WITHIN_S", 0.3)
    assert run([*CALL, "--cluster", address]) == 2
    assert f"no Dask scheduler answers at {address}" in capsys.readouterr().err


@pytest.mark.parametrize("address", ["x", "tcp://", "tcp://x", "tcp://[", "tcp://no.invalid:1"])
def test_what_is_no_address_is_told_at_once(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Dask would look for it for half a minute, and tell a page of its own."""
    assert run([*CALL, "--cluster", address]) == 2
    said = capsys.readouterr().err
    assert f"no Dask scheduler answers at {address}: " in said
    assert (said.count("\n"), "tcp://HOST:8786" in said) == (1, True)


# A cluster of this machine.


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a scheduler with two processes."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as started:
        yield address_of(started)


def address_of(cluster: Any) -> str:  # Any: Dask has no types of its own
    """Where a cluster's scheduler answers."""
    return str(cluster.scheduler_address)


@pytest.mark.slow
def test_two_processes_of_a_cluster_play_the_same_matches(
    cluster: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Kept ones too: their lines come back and are taken in order."""
    kept = str(tmp_path / "bots.db")
    assert run([*CALL, "--matches", "12"]) == 0
    assert run([*CALL, "--matches", "12", "--cluster", cluster, "--record", kept]) == 0
    alone, there = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert {**alone, "answers_per_s": 0} == {**there, "answers_per_s": 0}
    assert run(["check", "--all", "--record", kept]) == 0
    assert run(["matches", "--record", kept, "--json"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum(1 for line in lines if '"simulated": true' in line) == 12


@pytest.mark.slow
def test_workers_with_another_version_are_refused(
    cluster: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ui.terminal.simulate, "_own_version", lambda: "9.9")
    assert run([*CALL, "--cluster", cluster]) == 2
    assert (
        f"has version {app_version()} of the companion, not 9.9 as here" in capsys.readouterr().err
    )


@pytest.mark.slow
def test_a_cluster_without_workers_says_how_to_start_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    from distributed import LocalCluster

    with LocalCluster(n_workers=0, dashboard_address=":0") as empty:
        assert run([*CALL, "--cluster", address_of(empty)]) == 2
    assert "has no workers: dask worker tcp://" in capsys.readouterr().err


AT_A_TERMINAL = """
import signal, sys
from ui.terminal.app import run
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(run(["simulate", *sys.argv[1:]]))
"""
"""Where Ctrl-C is felt: whoever runs tests behind a shell's `&` hands down that it is not."""


@pytest.mark.parametrize("moment", ["starts", "plays"])
def test_an_interrupted_simulation_ends_without_a_word(moment: str, tmp_path: Path) -> None:
    """Ctrl-C reaches every process of it; what was played until then is kept."""
    kept, words = tmp_path / "bots.db", ["jaws-and-paws", "--matches", "100000", "--jobs", "2"]
    simulation = subprocess.Popen(
        [sys.executable, "-c", AT_A_TERMINAL, *words, "--record", str(kept)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    children = Path(f"/proc/{simulation.pid}/task/{simulation.pid}/children")
    try:
        if moment == "starts":
            wait_until(lambda: len(children.read_text().split()) > 1, lambda: "none is begun")
            time.sleep(0.1)  # it loads what all of them need
        else:
            wait_until(lambda: _matches_in(kept), lambda: "no match is kept", every_s=0.1)
        os.killpg(simulation.pid, signal.SIGINT)
        out, err = simulation.communicate(timeout=PATIENCE_S)
    finally:
        if simulation.poll() is None:
            os.killpg(simulation.pid, signal.SIGKILL)
    assert (simulation.returncode, out, err) == (130, "", "")
    with Record.open(kept) as record:
        assert not record.check()


def _matches_in(path: Path) -> int:
    """As another program sees it; none while there is no table yet."""
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path)) as database, suppress(sqlite3.OperationalError):
        return int(database.execute("SELECT count(*) FROM matches").fetchone()[0])
    return 0
