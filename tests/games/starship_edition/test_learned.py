"""A card declared at the table is kept in a file, and the next match has it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import BadPosition, IllegalAnswer
from companion.core.offers import Offer, Stamp
from companion.games.starship_edition.figures import read_figures
from companion.games.starship_edition.game import Game
from companion.games.starship_edition.position import StarshipPosition
from companion.kit.playing import RandomPlayer
from companion.match.match import Match
from companion.match.rulebook import Setup
from ui.terminal.app import run

MakeTable = Callable[..., Any]
STAMP = Stamp("random", "2026-11-21T19:00:00Z", 0.0)

DECLARED = ["A", "A", "B 3,5", "set", "pass", "pass", "end", "pass", "pass", "pass", "end",
            "unknown Tractor beam", "ATTACK", "free", "damage", "others", "2", "yes",
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
    table.say(
        "unknown Deflect",
        "INTERVENE",
        "free",
        "reduce",
        2,
        "yes",
        "nothing more",
        "response_target",
        "done",
    )
    raw = table.match.rulebook.learned()["cards"]["Deflect"]
    assert (raw["form"], raw["windows"]) == ("star", ["response_target"])
    assert table.player("B").hull == 9
    table.say("G-SHOT", "done")
    assert "Deflect" in table.names()
    table.say("Deflect", "done")
    assert table.player("A").hull == 9


def test_a_card_of_the_preparation_is_listed_for_the_preparation(table_at: MakeTable) -> None:
    """It takes a tier action, as it did when it was declared."""
    table = table_at().say("play unknown", "unknown Scout", "jump", "INTERVENE", "free")
    table.say("draw", "this", 1, "yes", "nothing more")
    assert "play Scout" in table.names()
    table.say("play Scout")
    assert [tier.action for tier in table.player("A").tiers] == ["play", "play"]


@pytest.mark.parametrize(("end", "kept"), [("nothing more", []), ("keep", ["Beam"])])
def test_what_is_kept_is_what_the_players_say(
    tiers_at: MakeTable, end: str, kept: list[str]
) -> None:
    """Every declared card is learned; the table's catalogue gets those that are kept."""
    table = tiers_at(A=1).say("unknown Beam", "MOVE", "free", "gain energy", "this", 2, "yes", end)
    assert list(table.match.rulebook.learned()["cards"]) == ["Beam"]
    assert list(table.match.rulebook.kept().get("cards", {})) == kept


def test_a_kept_card_without_a_title_is_called_by_what_it_does(
    tiers_at: MakeTable, new_table: MakeTable
) -> None:
    """Numbered, so that two of them are told apart; and it is a catalogue."""
    table = tiers_at(A=1, B=1).say(
        "unknown", "MOVE", "free", "gain energy", "this", 2, "yes", "keep"
    )
    table.say("unknown", "MOVE", "free", "own attack", "yes", "done", "done", "keep")
    kept = table.match.rulebook.kept()
    assert list(kept["cards"]) == ["Card 1: energy this 2", "Card 2: attack"]
    assert set(kept["cards"]) <= set(new_table(cards=kept).match.rulebook.cards())


def test_what_is_kept_stands_in_the_position_file(tiers_at: MakeTable) -> None:
    """Read again it is kept still; a title that nobody taught is refused."""
    table = tiers_at(A=1).say(
        "unknown Beam", "MOVE", "free", "gain energy", "this", 2, "yes", "keep"
    )
    file = table.position.to_file()
    assert file["kept"] == ["Beam"]
    assert StarshipPosition.from_file(file).to_file()["kept"] == ["Beam"]
    with pytest.raises(BadPosition, match="'Bolt' is kept, and not among the cards taught"):
        Game.refuse_faults(StarshipPosition.from_file({**file, "kept": ["Bolt"]}), "position")


def test_a_declared_attack_has_the_power_of_the_vessel_or_one_of_its_own(
    tiers_at: MakeTable,
) -> None:
    """By own power what modifies it counts; a move may go by mobility, too."""
    lines = {"A": {"modifiers": [{"stat": "attack", "amount": 1, "until": "turn", "source": "x"}]}}
    table = tiers_at(lines, A=1).say(
        "unknown", "ATTACK", "free", "own attack", "yes", "done", "done"
    )
    assert table.player("B").hull == 6
    table = tiers_at(lines, A=1).say(
        "unknown", "ATTACK", "free", "attack", 2, "yes", "done", "done"
    )
    assert table.player("B").hull == 8
    table.say("move by mobility", "this", "yes")
    assert "2,2" in table.names()


def test_se_r14_a_declared_card_may_add_to_this_attack(tiers_at: MakeTable) -> None:
    """+2 to this attack: it does two more damage, and the next card of that title does so, too."""
    table = tiers_at(A=1, B=1).say("G-SHOT", "unknown Aim", "INTERVENE", "free")
    assert "add to attack" in table.names()
    table.say("add to attack", 2, "yes", "nothing more", "attacker_modifier", "done", "done")
    assert table.player("B").hull == 5
    table.say("G-SHOT", "Aim", "done", "done")
    assert table.player("A").hull == 5


def test_no_attack_under_way_nothing_to_add_to(tiers_at: MakeTable) -> None:
    """A card in a tier changes a quantity for one attack instead."""
    table = tiers_at(A=1).say("unknown Aim", "INTERVENE", "free")
    assert "add to attack" not in table.names()
    table.say("raise", "attack", "this", 2)
    assert "attack" in table.names()
    assert "while_equipped" not in table.names()


def test_se_r12_a_declared_price_is_paid_whole(tiers_at: MakeTable) -> None:
    """Energy and a card from hand, before the effect; the card that is listed costs the same."""
    table = tiers_at(A=1, B=1).say("unknown Beam", "MOVE", "energy", 2, "hand", 1, "nothing more")
    table.say("G-MOVE")
    player = table.player("A")
    assert (player.energy, player.hand, player.discard) == (1, 4, ["G-MOVE"])
    table.say("damage", "others", 1, "yes", "nothing more")
    assert table.player("B").hull == 9
    cost = [{"pay": "energy", "amount": 2}, {"pay": "hand"}]
    assert table.match.rulebook.learned()["cards"]["Beam"]["cost"] == cost
    table.say("Beam", "G-SHOT")
    assert (table.player("B").energy, table.player("A").hull) == (1, 9)


@pytest.mark.parametrize("price", [("energy", 4), ("hull", 11), ("hand", 6), ("discard", 1)])
def test_se_r12_a_declared_card_that_cannot_be_paid_does_nothing(
    tiers_at: MakeTable, price: tuple[str, int]
) -> None:
    """Nothing is paid in part, nothing is carried out, nothing is listed."""
    table = tiers_at(A=1, B=1).say("unknown Beam", "MOVE", *price, "nothing more")
    player = table.player("A")
    assert (player.energy, player.hull, player.hand, player.discard) == (3, 10, 5, [])
    assert table.said("cannot pay for Beam: it is not carried out.").cite.rulings == (12, 23)
    assert table.position.taught == {}
    assert table.question().key == "turn-3/tier-1/B/primary"


def test_se_r23_a_declared_price_in_counters_names_them(tiers_at: MakeTable) -> None:
    """Of one kind there is no choice; the card played from hand does not pay for itself."""
    lines = {"A": {"counters": {"over heat": 3}}}
    table = tiers_at(lines, A=1).say("unknown", "MOVE", "counter", 2, "nothing more")
    assert table.player("A").counters == {"over heat": 1}
    table = tiers_at(A=1).say("G-SHOT", "unknown Aim", "MOVE", "discard", 1, "nothing more")
    assert table.said("cannot pay for Aim")


def test_the_moments_of_a_declared_card_are_asked_and_kept(tiers_at: MakeTable) -> None:
    """Several may be named; that of now is always among them, and "any" says all."""
    said = ("unknown Deflect", "INTERVENE", "free", "reduce", 1, "yes", "nothing more")
    table = tiers_at(A=1, B=1).say("G-SHOT", "done", *said)
    assert table.question().offered[0].name == "response_target"
    assert "tier" not in [option.name for option in table.question().offered]
    table.say(["response_other"])
    raw = table.match.rulebook.learned()["cards"]["Deflect"]
    assert raw["windows"] == ["response_target", "response_other"]
    table = tiers_at(A=1, B=1).say("G-SHOT", "done", *said, ["any", "step1"])
    assert table.match.rulebook.learned()["cards"]["Deflect"]["windows"] == ["any"]


def test_a_star_that_says_any_is_offered_in_every_window(table_at: MakeTable) -> None:
    """From the Preparation to the end of the turn; one that names no window says any, too."""
    card = {"title": "Spark", "type": "INTERVENE", "form": "star",
            "effects": [{"op": "energy", "amount": 1}]}  # fmt: skip
    cards = {"cards": {"ONE": {**card, "windows": ["any"]}, "TWO": card}}
    asked: list[str] = []
    table = table_at(cards=cards, A={"hand": 5}, B={"hand": 5})
    assert {"play ONE", "play TWO"} <= set(table.names())
    table.say("set", "pass", "pass", "end", "pass", "pass", "pass", "end")
    while table.position.turn == 3:
        key = table.question().key
        if key.endswith("/card"):
            assert {"ONE", "TWO", "unknown", "done"} <= set(table.names())
            asked.append(key)
        table.say("G-SHOT" if key.endswith("primary") else "no" if "draw" in key else "done")
    windows = ("step1", "attacker_modifier", "response_target", "discard_phase", "end_of_turn")
    for window in windows:
        assert any(window in key for key in asked), window


def test_a_card_of_the_preparation_may_leave_the_tiers_alone(table_at: MakeTable) -> None:
    """Jump or star is asked; with all tiers prepared it can only be a star."""
    table = table_at().say("play unknown", "unknown Scout", "star", "INTERVENE", "free")
    table.say("draw", "this", 1, "yes", "nothing more", "prep")
    assert [tier.action for tier in table.player("A").tiers] == []
    raw = table.match.rulebook.learned()["cards"]["Scout"]
    assert (raw["form"], raw["windows"]) == ("star", ["prep"])
    table.say("pass", "pass", "pass", "play unknown", "unknown Late")
    assert table.question().key.endswith("type")


def test_a_card_of_the_discard_phase_may_be_declared_there(table_at: MakeTable) -> None:
    """Where a listed star is asked for, one that is not listed may turn up as well."""
    star = {"cards": {"NOW": {"title": "Now", "type": "INTERVENE", "form": "star",
                              "windows": ["discard_phase"],
                              "effects": [{"op": "draw"}]}}}  # fmt: skip
    table = table_at("discard-phase", cards=star).say("unknown Salvage", "done")
    table.say("INTERVENE", "free")
    assert not {"second card", "extra tier"} & set(table.names())
    table.say("draw", "this", 1, "yes", "nothing more", "discard_phase")
    assert "Salvage" in table.names()


def test_a_declared_card_from_the_hand_may_be_equipped(tiers_at: MakeTable) -> None:
    """It lies on the discard pile by then, and goes from there to the vessel."""
    table = tiers_at(A=1, B=1).say("G-SHOT", "unknown Shell", "EQUIP", "free", "equip", "yes")
    assert table.player("A").gear == ["Shell"]
    table.say("raise", "armour", "this", 1, "while_equipped", "yes", "nothing more")
    assert table.match.rulebook.stat("A", "armour") == 1


@pytest.mark.parametrize("title", ["done", "unknown", "?"])
def test_no_declared_card_is_called_by_a_key(tiers_at: MakeTable, title: str) -> None:
    """It would be taken for that key ever after."""
    assert tiers_at(A=1).refused(f"unknown {title}").code == "Q-NAME"


@pytest.mark.slow
@given(seed=st.integers(0, 2**32 - 1))
def test_whatever_is_declared_is_a_catalogue(seed: int) -> None:
    """Random declarations, at any moment: each card that is listed loads as a table's own file."""
    player = RandomPlayer(Random(seed))
    match = Match[Any].start(Setup("starship-edition", options={"lots": seed % 99 + 1}), STAMP)
    for _ in range(150):
        if match.outcome is not None:
            break
        (question,) = match.open.values()
        raw = player.answer(question)
        if question.key.endswith(("primary", "card", "played")) and seed % 3:
            raw = f"unknown Card of {len(match.entries)}"
        elif question.key.endswith("effect") and len(match.entries) % 4 == 0:
            raw = "nothing more"
        with suppress(IllegalAnswer):
            match.answer(Offer(question.key, raw, "bot", question.by), STAMP)
    assert read_figures(match.rulebook.learned()).cards
