"""MicroPython itself, in Node.js: fetched once into pytest's own cache."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S

PACKAGE = "@micropython/micropython-webassembly-pyscript"
VERSION = "1.27.0"


@pytest.fixture(scope="session")
def micropython(request: pytest.FixtureRequest) -> Path:
    """The folder of MicroPython for Node.js; a skip where it cannot be had."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("Node.js and npm are not installed: nothing runs MicroPython here")
    cache = request.config.cache
    assert cache is not None
    home = Path(cache.mkdir("micropython"))
    place = home / "node_modules" / PACKAGE
    with (home / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / "micropython.mjs").exists():
            command = ["npm", "install", "--no-audit", "--no-fund", "--no-save", "--prefix"]
            ran = subprocess.run(
                [*command, str(home), f"{PACKAGE}@{VERSION}"],
                capture_output=True,
                text=True,
                timeout=PATIENCE_S,
                check=False,
            )
            if ran.returncode != 0:
                pytest.skip(f"npm does not give MicroPython: {ran.stderr.strip()[-200:]}")
    return place
