"""A card declared at the table is kept in a file, and the next match has it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.cli import run
from companion.errors import BadPosition
from companion.games.starship_edition.position import StarshipPosition

MakeTable = Callable[..., Any]

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
    told = capsys.readouterr().err
    assert "has taught nothing" in told
    assert "match last" not in told


def test_a_card_played_from_the_hand_is_listed_for_that_moment(tiers_at: MakeTable) -> None:
    """Declared as an answer to an attack, it is offered the next time somebody answers."""
    table = tiers_at(A=1, B=1).say("G-SHOT", "done")
    table.say("unknown Deflect", "INTERVENE", "reduce", 2, "yes", "nothing more", "done")
    raw = table.match.rulebook.learned()["cards"]["Deflect"]
    assert (raw["form"], raw["windows"]) == ("star", ["response_target"])
    assert table.player("B").hull == 9
    table.say("G-SHOT", "done")
    assert "Deflect" in table.names()
    table.say("Deflect", "done")
    assert table.player("A").hull == 9


def test_a_card_of_the_preparation_is_listed_for_the_preparation(table_at: MakeTable) -> None:
    """It takes a tier action, as it did when it was declared."""
    table = table_at().say("play unknown", "unknown Scout", "INTERVENE", "draw", "this", 1, "yes",
                           "nothing more")  # fmt: skip
    assert "play Scout" in table.names()
    table.say("play Scout")
    assert [tier.action for tier in table.player("A").tiers] == ["play", "play"]


@pytest.mark.parametrize(("end", "kept"), [("nothing more", []), ("keep", ["Beam"])])
def test_what_is_kept_is_what_the_players_say(
    tiers_at: MakeTable, end: str, kept: list[str]
) -> None:
    """Every declared card is learned; the table's catalogue gets those that are kept."""
    table = tiers_at(A=1).say("unknown Beam", "MOVE", "gain energy", "this", 2, "yes", end)
    assert list(table.match.rulebook.learned()["cards"]) == ["Beam"]
    assert list(table.match.rulebook.kept().get("cards", {})) == kept


def test_a_kept_card_without_a_title_is_called_by_what_it_does(
    tiers_at: MakeTable, new_table: MakeTable
) -> None:
    """Numbered, so that two of them are told apart; and it is a catalogue."""
    table = tiers_at(A=1, B=1).say("unknown", "MOVE", "gain energy", "this", 2, "yes", "keep")
    table.say("unknown", "MOVE", "own attack", "yes", "done", "done", "keep")
    kept = table.match.rulebook.kept()
    assert list(kept["cards"]) == ["Card 1: energy this 2", "Card 2: attack"]
    assert set(kept["cards"]) <= set(new_table(cards=kept).match.rulebook.cards())


def test_what_is_kept_stands_in_the_position_file(tiers_at: MakeTable) -> None:
    """Read again it is kept still; a title that nobody taught is refused."""
    table = tiers_at(A=1).say("unknown Beam", "MOVE", "gain energy", "this", 2, "yes", "keep")
    file = table.position.to_file()
    assert file["kept"] == ["Beam"]
    assert StarshipPosition.from_file(file).to_file()["kept"] == ["Beam"]
    with pytest.raises(BadPosition, match="'Bolt' is kept, and not among the cards taught"):
        StarshipPosition.from_file({**file, "kept": ["Bolt"]})


def test_a_declared_attack_has_the_power_of_the_vessel_or_one_of_its_own(
    tiers_at: MakeTable,
) -> None:
    """By own power what modifies it counts; a move may go by mobility, too."""
    lines = {"A": {"modifiers": [{"stat": "attack", "amount": 1, "until": "turn", "source": "x"}]}}
    table = tiers_at(lines, A=1).say("unknown", "ATTACK", "own attack", "yes", "done", "done")
    assert table.player("B").hull == 6
    table = tiers_at(lines, A=1).say("unknown", "ATTACK", "attack", 2, "yes", "done", "done")
    assert table.player("B").hull == 8
    table.say("move by mobility", "this", "yes")
    assert "2,2" in table.names()
