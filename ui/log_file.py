"""The app's own log: warnings and faults, in a file that never grows beyond two small halves."""

from __future__ import annotations

import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path

from platformdirs import user_log_path

HALF_BYTES = 256_000
FORM = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def log_path() -> Path:
    """`companion.log` in the user's log folder."""
    return user_log_path("companion") / "companion.log"


def keep_log(path: Path | None = None) -> logging.Handler | None:
    """Write what is logged from now on to the file too; None where the disk takes no file."""
    place = path or log_path()
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(place, maxBytes=HALF_BYTES, backupCount=1, encoding="utf-8")
    except OSError as wrong:
        logging.getLogger(__name__).warning("no log is kept: %s", wrong)
        return None
    handler.setFormatter(logging.Formatter(FORM))
    handler.setLevel(logging.WARNING)
    logging.getLogger().addHandler(handler)
    return handler
