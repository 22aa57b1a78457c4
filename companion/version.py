"""Which companion this is: what each match is marked with."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def app_version() -> str:
    """The installed version; `source` where the companion runs without being installed."""
    try:
        return version("dogfight-companion")
    except PackageNotFoundError:
        return "source"
