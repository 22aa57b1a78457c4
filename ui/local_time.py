"""A log line's time as people at this table read it."""

from __future__ import annotations

from datetime import datetime


def time_of_day(at_utc: str) -> str:
    """A log line's UTC as this table's time of day; as it stands where it is none."""
    return _here(at_utc, "%H:%M:%S")


def date_and_time(at_utc: str) -> str:
    """A log line's UTC as this table's date and time; as it stands where it is none."""
    return _here(at_utc, "%Y-%m-%d %H:%M")


def _here(at_utc: str, form: str) -> str:
    try:
        at = datetime.fromisoformat(at_utc)
    except ValueError:
        return at_utc
    return at.astimezone().strftime(form)
