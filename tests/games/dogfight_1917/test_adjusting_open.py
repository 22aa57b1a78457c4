"""An arbiter corrects the table while a question is open: what it offers follows at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.dogfight_1917.faults import faults

TableAt = Callable[..., Any]


def test_focus_is_gone_with_the_last_token(table_at: TableAt) -> None:
    """A token that was never there pays for no reroll, and nobody ends up owing one.  (DF-15.4)"""
    table = table_at(A={"tokens": 1}).act("Basic Attack").say("fire", [1, 1])
    assert table.names("again-1") == ["keep", "Focus 1 1", "Focus 1"]
    table.adjust(A__tokens=0)
    assert table.names("again-1") == ["keep"]
    assert table.refused("again-1", "Focus").code == "DF-E15"
    table.say("again-1", "keep")
    assert faults(table.position) == []


def test_repair_takes_no_more_than_the_damage_pile_has_left(table_at: TableAt) -> None:
    """Cards that turn out to lie in the Deck already are not shuffled in again.  (DF-15.6)"""
    table = table_at(A={"tokens": 3}).act("Emergency Repair")
    assert table.names("repaired") == ["0", "1", "2"]
    table.adjust(A__damage=1, A__deck=10)
    assert table.refused("repaired", 2).code == "DF-COUNT"
    table.say("repaired", 1)
    assert table.piles("A")["deck"] == 11
    assert faults(table.position) == []


def test_an_evasion_for_tokens_comes_and_goes_with_them(table_at: TableAt) -> None:
    """Special Actions are offered as the corrected tokens allow.  (DF-13.2, DF-14.1)"""
    table = (
        table_at(B={"fighter": "spad", "pilot": "fonck"}).act("Basic Attack").say("fire", [6, 6])
    )
    assert "Steep Dive" not in table.names("evade")
    table.adjust(B__tokens=5)
    assert "Steep Dive" in table.names("evade")
    table.adjust(B__tokens=0)
    assert table.refused("evade", "Steep Dive").code == "DF-E15"


def test_staying_means_where_the_plane_stands_now(table_at: TableAt) -> None:
    """The word before a late Stall is about moves, from wherever the plane was put.  (DF-8.4)"""
    table = table_at(A={"pilot": "mentor"}).act("Pioneer of the Sky").adjust(camel="-4,0 NW")
    assert table.question("pioneer").word_before("-4,0 NW") is None
    table.adjust(camel="-4,0 SW")
    assert table.question("pioneer").word_before("-4,0 NW").code == "DF-STALL"
