"""`companion simulate` on several processes: of this machine, or of a Dask cluster."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ui.terminal.simulate
from companion.match.entry import app_version
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


@pytest.mark.slow
@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense://x"])
def test_nobody_answers_there(
    address: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ui.terminal.simulate, "ANSWERS_WITHIN_S", 0.3)
    assert run([*CALL, "--cluster", address]) == 2
    assert f"no Dask scheduler answers at {address}" in capsys.readouterr().err


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
