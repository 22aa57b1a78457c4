"""The signal process's folder: its socket, the lock of its one server, and its journal.

The folder holds `signal.sock` (the socket), `signal.lock` (held by the living server, with its
process number), `signals.jsonl` (the journal) and `signal.log` (what a failing server wrote).
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from platformdirs import user_runtime_path

from companion.core.errors import PanelError
from companion.core.offers import SignalEvent, SignalKind
from companion.core.ruling import Json
from hardware.signals.protocol import BadRequest, parse_object, read_told, write_line

# The folder, and the lock in it.

SOCKET_PATH_MAX = 107
"""Bytes that Linux takes as the path of a Unix socket."""


class AlreadyServed(PanelError):
    """Another living process serves this folder."""


class SignalFolder:
    """The paths in one folder, and the lock that makes a server the only one."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = (default_folder() if path is None else path).absolute()
        self.socket = self.path / "signal.sock"
        self.lock = self.path / "signal.lock"
        self.journal = self.path / "signals.jsonl"
        self.log = self.path / "signal.log"
        size = len(os.fsencode(self.socket))
        if size > SOCKET_PATH_MAX:
            raise PanelError(
                f"{self.socket} is {size} bytes long, a socket's path at most {SOCKET_PATH_MAX}: "
                "choose a folder with a shorter name (XDG_RUNTIME_DIR)"
            )

    def make(self) -> None:
        """Make the folder, for this user alone; PanelError where that cannot be."""
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise PanelError(
                f"the runtime folder {self.path} cannot be made ({error}): set XDG_RUNTIME_DIR to "
                "a folder of your own"
            ) from error

    def claim(self) -> int:
        """Become the only server here: the lock's descriptor, to be kept open while serving.

        The kernel lets go of the lock however the server ends, so a lock file left behind binds
        nobody. Error: AlreadyServed, naming the process that lives.
        """
        self.make()
        try:
            lock = os.open(self.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise PanelError(f"{self.lock} cannot be opened: {error}") from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            other = os.pread(lock, 32, 0).decode("ascii", "replace").strip() or "unknown"
            os.close(lock)
            raise AlreadyServed(
                f"process {other} already serves {self.socket}: connect to it, or end it first"
            ) from None
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{os.getpid()}\n".encode("ascii"), 0)
        return lock

    def served_by(self) -> int | None:
        """The number of the living process that serves here; None where none does."""
        number = None
        try:
            with self.lock.open("rb") as lock:
                number = int(lock.read(32) or b"0")
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return number
        except (OSError, ValueError):
            return None
        return None  # nobody holds it: a file that a dead one left

    def listen(self) -> socket.socket:
        """Listen where clients look, in place of a socket that a dead server left.

        Bound under another name and then renamed: whoever finds the socket can connect.
        """
        fresh = self.path / "signal.new"
        fresh.unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.settimeout(0.0)
        try:
            listener.bind(str(fresh))
            fresh.chmod(0o600)
            listener.listen(64)
            fresh.rename(self.socket)
        except OSError as error:
            listener.close()
            raise PanelError(f"{self.socket} cannot be served: {error}") from error
        return listener

    def leave(self) -> None:
        """Take the socket away; for the one who holds the lock alone."""
        self.socket.unlink(missing_ok=True)


def default_folder() -> Path:
    """`companion` in the user's runtime folder: gone with the session, never on a disk."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a fallback is fine: both sides compute the same
            return user_runtime_path("companion")
    except OSError as error:
        raise PanelError(f"no runtime folder ({error}): set XDG_RUNTIME_DIR") from error


PROGRAM = str(Path(__file__).resolve().parents[2])
"""Where the program lies that this is part of: another release lies elsewhere."""


def boot_id() -> str:
    """The kernel's name for this boot: monotonic times of another boot mean nothing."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError as error:
        raise PanelError(f"this system tells no boot id ({error}): Linux is needed") from error


# The journal: what sounded when, one JSON line each.

SIZE_MAX = 1_000_000
"""Bytes after which a new server sets the journal aside: about 5,000 rounds."""


class Journal:
    """The open journal of one server; a full disk stops the writing and nothing else."""

    def __init__(self, path: Path, boot: str) -> None:
        self._boot = boot
        self._fd = -1
        self.trouble: str | None = None
        try:
            if path.exists() and path.stat().st_size > SIZE_MAX:
                path.replace(path.with_suffix(".old.jsonl"))
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
            self._fd = os.open(path, flags, 0o600)
            self._end_torn_line()
        except OSError as error:
            self.trouble = str(error)

    def _end_torn_line(self) -> None:
        size = os.fstat(self._fd).st_size
        if size and os.pread(self._fd, 1, size - 1) != b"\n":
            os.write(self._fd, b"\n")

    def append(self, fields: Mapping[str, Json]) -> None:
        """Add a line, dated in UTC; where the disk refuses, `trouble` says why."""
        line = write_line({"boot": self._boot, "utc": utc_now(), **fields})
        if self._fd < 0:
            return
        try:
            os.write(self._fd, line)
        except OSError as error:
            self.trouble = str(error)

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
        self._fd = -1


def utc_now() -> str:
    """The present moment in UTC, ISO 8601 with milliseconds and a trailing Z."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def read_journal(path: Path, boot: str, round_id: str) -> list[SignalEvent]:
    """What was signalled for a round in this boot, oldest first; empty where nothing was."""
    events: list[SignalEvent] = []
    named = json.dumps(round_id).encode("ascii")  # most lines are of other rounds: not parsed
    for source in (path.with_suffix(".old.jsonl"), path):
        with suppress(OSError):
            for line in source.read_bytes().splitlines():
                event = _event_of(line, boot) if named in line else None
                if event is not None and event.round_id == round_id:
                    events.append(event)
    return events


def zero_of(events: Sequence[SignalEvent]) -> SignalEvent | None:
    """The zero that sounded since the round was last armed; None if it has not."""
    latest = events[-1] if events else None
    return latest if latest is not None and latest.kind is SignalKind.ZERO else None


def _event_of(line: bytes, boot: str) -> SignalEvent | None:
    try:
        fields = parse_object(line)
        told = read_told(fields) if fields.get("boot") == boot and "event" in fields else None
    except BadRequest:
        return None
    return told if isinstance(told, SignalEvent) else None
