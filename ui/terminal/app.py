"""The terminal: what a call of `companion` does, and what its exit status says.

0: done. 1: it looked, and something is wrong. 2: the call or a file was bad, told in one line. The
touch app's window opens before anything is loaded that its first frame does not need, `typer` too.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from companion.core.errors import CompanionError, RecordReadOnly, failed_at
from companion.core.text import without_secrets

INTERRUPTED = 130
DONE, WRONG, BAD = 0, 1, 2
"""Done; it looked, and something is wrong; the call or a file was bad."""
RIGHTS = "give this user the right to it, or name another place"


def run(arguments: Sequence[str]) -> int:
    """Carry out a call and return its exit status; what is bad is told on standard error."""
    try:
        status = _carried_out(list(arguments))
        _flush()
    except CompanionError as wrong:
        return _bad(wrong.nothing_written if isinstance(wrong, RecordReadOnly) else str(wrong))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # whoever read us has seen enough
        _say_no_more()
        return WRONG
    except OSError as wrong:
        return _system_refused(wrong)
    except Exception as wrong:  # noqa: BLE001 - the last place that can tell it in words
        told = getattr(wrong, "format_message", None)  # typer's own: a bad option or argument
        if told is None:
            return _fault(wrong)
        said = told().replace("Value error, ", "").rstrip(". ")
        return _bad(f"{said}. `{_where(wrong)} --help` lists what there is.")
    return status if isinstance(status, int) else DONE


def _system_refused(wrong: OSError) -> int:
    """A file that this user has no right to, or a full disk where standard output goes."""
    if isinstance(wrong, PermissionError) and wrong.filename is not None:
        return _bad(f"{wrong.filename}: {wrong.strerror}: {RIGHTS}")
    if wrong.errno != errno.ENOSPC:
        return _fault(wrong)
    _say_no_more()
    return _bad(f"standard output cannot be written: {wrong.strerror}")


def _carried_out(arguments: list[str]) -> object:
    """What a call comes to: without a word, and with a screen, it is the touch app."""
    from ui.window.appliance import missing_screen, of_this_process

    if not arguments and not missing_screen():
        from ui.window.opening import FirstLook, Opening

        opening = Opening(FirstLook.of())
        from ui.window.assembly import open_app  # behind that frame: everything that the app is

        return open_app(os.environ.get("COMPANION_RECORD"), of_this_process(), opening)
    from ui.terminal.start import carry_out

    return carry_out(arguments)


def _flush() -> None:
    """Write out what was said while there is still somebody to tell that it cannot be."""
    if sys.stdout is not None:
        sys.stdout.flush()


def _say_no_more() -> None:
    """What is not written yet goes nowhere, so that the end of the program is quiet."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _where(wrong: Exception) -> str:
    """The command in whose call something is bad."""
    context = getattr(wrong, "ctx", None)
    return context.command_path if context is not None else "companion"


def _bad(text: str) -> int:
    _say(" ".join(without_secrets(text).split()))
    return BAD


def _say(text: str) -> None:
    print(f"companion: {text}", file=sys.stderr)  # noqa: T201 - this is the terminal


def _fault(wrong: Exception) -> int:
    """A bug of ours: in one line for people, whole for those who mend it."""
    if os.environ.get("COMPANION_TRACE"):
        raise wrong
    place = failed_at(wrong)
    text = f"a fault of its own at {place}: {wrong!r}; COMPANION_TRACE=1 shows all of it"
    print(f"companion: {' '.join(text.split())}", file=sys.stderr)  # noqa: T201
    return WRONG


def main() -> NoReturn:
    """The console command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a name in any script must print on any terminal
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))
