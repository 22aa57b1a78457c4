"""JP-7: Discard and Draw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.core.ruling import Carry
from companion.games.jaws_and_paws.boards import JP


def counts(table: Any, player: str) -> tuple[int, int, int]:
    """Deck, hand and Discard Pile of a player."""
    here = table.position.piles[player].counts
    return here["deck"], here["hand"], here["discard"]


def test_jp_7_1_any_number_from_hand(at: Callable[..., Any]) -> None:
    """0 to all cards in hand go to the own Discard Pile; cards on the track are not in hand."""
    table = at("draw", cards={"Jaws": {1: "JP"}}, JP={"hand": 3, "deck": 17})
    assert table.question("discard/JP").most == 3
    table.draw(JP=3)
    assert counts(table, "JP") == (13, 4, 12)


def test_jp_7_2_everybody_draws_up_to_four(at: Callable[..., Any]) -> None:
    """Draw = 4 minus hand; a player who keeps four draws nothing."""
    table = at("draw", JP={"hand": 1, "deck": 19}, JG={"hand": 2, "deck": 18}).draw(JG=1)
    assert counts(table, "JP") == (16, 4, 10)
    assert counts(table, "JG") == (15, 4, 11)
    assert counts(table, "PP") == (16, 4, 10)


def test_jp_7_2_the_ruling_says_how_many(at: Callable[..., Any]) -> None:
    """Discards, draws and counts after, with the deeds for hands."""
    table = at("draw", JP={"hand": 3, "deck": 17}).draw(JP=1)
    said = next(ruling for ruling in table.rulings if ruling.by == "JP")
    assert said.text == ("Jaws Pilot discards 1, draws 2: Deck 15, hand 4, Discard 11, Scrap 0.")
    assert said.headline == "Jaws Pilot: draw 2"
    assert said.deeds == (Carry(JP, 1, "hand", "discard"), Carry(JP, 2, "deck", "hand"))


def test_jp_7_3_before_any_repair(at: Callable[..., Any]) -> None:
    """An empty Deck is not refilled from the Discard Pile here, a Repairing player's neither."""
    table = at("draw", JP={"deck": 0, "hand": 4, "discard": 26, "played": 0}).draw(JP=1)
    assert table.asked == ["round-2/draw/deck/JP"]
    table.say("deck/JP", 0)
    assert "Jaws are shot down" in table.last.text


def test_jp_7_4_all_at_once_in_one_form(at: Callable[..., Any]) -> None:
    """All four counts are open together, revisable until everybody has drawn."""
    table = at("draw").say("discard/PG", 2).say("discard/PG", 1)
    assert set(table.match.open) == {
        *(f"round-2/discard/{p}" for p in ("JP", "JG", "PP", "PG")), "round-2/drawn",
    }  # fmt: skip
    assert counts(table.draw(), "PG") == (15, 4, 11)


def test_jp_7_5_drawing_can_be_avoided(at: Callable[..., Any]) -> None:
    """Who played and discarded nothing has four in hand and draws none, even from no Deck."""
    line = {"deck": 0, "hand": 4, "discard": 26, "played": 0}
    table = at("draw", JP=line).draw()
    assert table.match.outcome is None
    assert counts(table, "JP") == (26, 4, 0)
    assert table.asked[0] == "round-2/shuffled/JP"
