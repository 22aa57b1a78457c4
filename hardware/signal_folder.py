"""Where the signal process meets its clients: one folder, one socket, one server.

The folder holds `signal.sock` (the socket), `signal.lock` (held by the living server, with its
process number), `signals.jsonl` (the journal) and `signal.log` (what a failing server wrote).
"""

from __future__ import annotations

import fcntl
import os
import socket
import warnings
from pathlib import Path

from platformdirs import user_runtime_path

from companion.errors import PanelError

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


def boot_id() -> str:
    """The kernel's name for this boot: monotonic times of another boot mean nothing."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError as error:
        raise PanelError(f"this system tells no boot id ({error}): Linux is needed") from error
