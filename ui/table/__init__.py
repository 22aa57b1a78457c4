"""One table: its camera, signals, settings, record and evidence, put together."""

from pathlib import Path

from platformdirs import user_config_path

FILE_NAME = "settings.toml"

TABLE_FILE_NAME = "table.toml"
"""Beside the settings, where the settings name no other: what the camera knows of the table."""


def default_path() -> Path:
    """`companion/settings.toml` in the user's config folder: the table's settings."""
    return user_config_path("companion") / FILE_NAME
