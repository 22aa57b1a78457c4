"""A card declared at the table is kept in a file, and the next match has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli import run

DECLARED = ["A", "A", "B 3,5", "set", "pass", "pass", "end", "pass", "pass", "pass", "end",
            "unknown Tractor beam", "ATTACK", "damage", "others", "2", "yes",
            "nothing more"]  # fmt: skip


def test_what_a_match_has_taught_is_saved_and_played_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Declared, exported by `learned`, given back by `--data`: offered by its title."""
    record, script, out = tmp_path / "r.db", tmp_path / "script.txt", tmp_path / "ours.toml"
    script.write_text("\n".join(DECLARED))
    assert run(["referee", "starship-edition", "--script", str(script),
                "--record", str(record)]) == 0  # fmt: skip
    assert run(["learned", "last", "--out", str(out), "--record", str(record)]) == 0
    assert "cards (Tractor beam)" in capsys.readouterr().out
    script.write_text("\n".join([*DECLARED[:11], "Tractor beam"]))
    assert run(["referee", "starship-edition", "--data", str(out), "--script", str(script)]) == 0
    assert "Player B takes 2 damage from Tractor beam; hull 8." in capsys.readouterr().out
    assert run(["learned", "last", "--out", str(out), "--record", str(record)]) == 2
    assert "name a new file" in capsys.readouterr().err


def test_a_match_that_has_taught_nothing_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No empty file is written."""
    record, script = tmp_path / "r.db", tmp_path / "script.txt"
    script.write_text("A\n")
    assert run(["referee", "starship-edition", "--script", str(script),
                "--record", str(record)]) == 0  # fmt: skip
    assert run(["learned", "last", "--record", str(record)]) == 2
    assert "has taught nothing" in capsys.readouterr().err
