"""The app's log: warnings reach the file, it stays small, and a full disk stops nothing."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from ui.window.appliance import HALF_BYTES, keep_log, log_path


@pytest.fixture(autouse=True)
def root_as_it_was() -> Iterator[None]:
    before = list(logging.getLogger().handlers)
    yield
    for handler in set(logging.getLogger().handlers) - set(before):
        logging.getLogger().removeHandler(handler)
        handler.close()


def test_what_is_logged_as_a_warning_is_in_the_file(tmp_path: Path) -> None:
    assert keep_log(tmp_path / "logs" / "companion.log") is not None
    logging.getLogger("hardware").warning("a jammed button")
    logging.getLogger("hardware").debug("nothing to see")
    (line,) = (tmp_path / "logs" / "companion.log").read_text("utf-8").splitlines()
    assert line.endswith("WARNING hardware: a jammed button")


def test_the_log_never_grows_beyond_two_halves(tmp_path: Path) -> None:
    """A card of a Pi is not filled by an app that runs for years."""
    keep_log(tmp_path / "companion.log")
    for _ in range(3 * HALF_BYTES // 1000):
        logging.getLogger("ui").warning("x" * 1000)
    sizes = [path.stat().st_size for path in tmp_path.iterdir()]
    assert len(sizes) == 2
    assert max(sizes) <= HALF_BYTES


def test_a_folder_that_takes_nothing_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert keep_log(tmp_path / "file" / "companion.log") is None


def test_the_log_lies_in_the_users_own_folder() -> None:
    assert log_path().name == "companion.log"
