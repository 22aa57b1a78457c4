"""JP-6 and the lock: whose cards lie where, and what becomes of doubled sections."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.ruling import Carry
from companion.games.jaws_and_paws.boards import JG, JP


def test_jp_5_7_whose_cards_lie_on_each_section(play: Callable[..., Any]) -> None:
    """The lock asks both teams for every section, by border; silence means no card."""
    table = play().set_up().act()
    sections = [f"round-1/lock/{team}/{n}" for team in ("jaws", "paws") for n in (1, 2, 3, 4)]
    assert table.asked == [*sections, "round-1/lock/checked"]
    table.lock(jaws={1: "1 0", 3: "0 1"})
    assert table.position.owners == {"Jaws": ["JP", "", "JG", ""], "Paws": ["", "", "", ""]}
    assert table.position.piles["JP"].counts["track"] == 1


def test_jp_5_5_four_cards_a_team_and_round(play: Callable[..., Any]) -> None:
    """One card on each of four sections, in any mix of borders."""
    table = play().set_up().act().lock(paws={1: "1 0", 2: "1 0", 3: "0 1", 4: "1 0"})
    assert table.position.owners["Paws"] == ["PP", "PP", "PG", "PP"]


def test_jp_6_1_all_cards_of_a_doubled_section_are_discarded(play: Callable[..., Any]) -> None:
    """More than one card on a section: all are discarded, other sections are unaffected."""
    table = play().set_up().act().lock(jaws={1: "1 0", 2: "2 1"})
    assert table.position.owners["Jaws"] == ["JP", "", "", ""]
    assert table.last.deeds == (Carry(JP, 2, "Jaws.2", "discard"),
                                Carry(JG, 1, "Jaws.2", "discard"))  # fmt: skip


def test_jp_6_2_to_their_owners_before_discard_and_draw(play: Callable[..., Any]) -> None:
    """By border colour, unrevealed, and before anybody draws (RULING 8)."""
    table = play().set_up().act().lock(jaws={2: "1 1"})
    assert table.position.piles["JP"].counts["discard"] == 1
    assert table.position.piles["JG"].counts["discard"] == 1
    assert table.position.piles["JP"].counts["hand"] == 3
    assert "face down" in table.last.text
    assert "round-1/drawn" in table.asked


def test_jp_6_3_who_laid_only_doubled_cards_has_played(play: Callable[..., Any]) -> None:
    """The owners of doubled cards are not Repairing; whoever laid none is."""
    table = play().set_up().act().lock(jaws={2: "1 1"}).draw(PP=1)
    position = table.position
    assert [p for p in position.players if position.is_repairing(p)] == ["PP", "PG"]
    assert table.asked == ["round-1/shuffled/PP"]


def test_ruling_37_the_border_tells_who_played(play: Callable[..., Any]) -> None:
    """Whoever's hand laid it: the owner by border has played."""
    table = play().set_up().act().lock(jaws={1: "0 1"}).draw(JP=1, JG=1)
    assert "round-1/shuffled/JP" in table.asked
    assert "round-1/shuffled/JG" not in table.asked


def test_jp_8_1_checked_with_nothing_told_asks_whether_nobody_laid(
    play: Callable[..., Any],
) -> None:
    """All would be Repairing: it is asked once, and undone where somebody did lay a card."""
    table = play().set_up().act().say("checked")
    assert table.asked == ["round-1/lock/nobody"]
    assert str(table.question("nobody").cite) == "JP-5.7, JP-8.1, RULING 13"
    assert "undo" in table.question("nobody").prompt
    table.match.undo(None, "two cards lie there", stamp=table.stamp)
    table.say("lock/jaws/1", "1 0").say("checked")
    assert "round-1/drawn" in table.asked, "with a card told nobody is asked"
    again = play().set_up().act().say("checked").say("nobody")
    assert "round-1/drawn" in again.asked


def test_a_log_of_the_first_edition_is_not_asked_that(play: Callable[..., Any]) -> None:
    """Matches that were begun before go on as they began."""
    table = play().set_up().act().say("checked")
    first, *rest = table.match.entries
    setup = {**first.answer, "edition": 1}
    again = type(table.match).replay([first._replace(answer=setup), *rest])
    assert "round-1/drawn" in again.open


def test_a_tap_may_be_revised_until_the_lock_is_checked(play: Callable[..., Any]) -> None:
    """Each tap is an answer of the form; the last one before "checked" counts."""
    table = play().set_up().act().say("lock/jaws/1", "1 0").say("lock/jaws/1", "0 1").lock()
    assert table.position.owners["Jaws"][0] == "JG"


class TestPlayersAsked:
    """lock_asks: players, for tables that publish no more than Repairing needs."""

    @pytest.fixture
    def table(self, play: Callable[..., Any]) -> Any:
        return play(options={"lock_asks": "players"}).set_up().act()

    def test_each_players_count_is_asked(self, table: Any) -> None:
        """Four counts, the borders of doubled sections where there are any, and the check."""
        counts = [f"round-1/lock/{player}" for player in ("JP", "JG", "PP", "PG")]
        assert table.asked[:4] == counts
        table.say("lock/JP", 2).say("lock/PG", 1).say("checked")
        assert table.position.owners == {"Jaws": ["?"] * 4, "Paws": ["?"] * 4}
        assert table.draw(JG=1, PP=1).asked == ["round-1/shuffled/JG", "round-1/shuffled/PP"]

    def test_the_owner_is_told_at_the_reveal(self, table: Any) -> None:
        """Each reveal may be none while cards are fewer than sections; then the owner is asked."""
        table.say("lock/JP", 1).say("lock/JG", 1).say("checked").draw().repair()
        assert table.asked == ["round-1/section-1/reveal/jaws"]
        table.flip(jaws="none").flip(jaws="SH PL")
        assert table.asked == ["round-1/section-2/owner/jaws"]
        table.say("owner/jaws", "JG")
        assert table.position.owners["Jaws"] == ["", "JG", "?", "?"]

    def test_the_last_cards_must_lie_on_the_last_sections(self, table: Any) -> None:
        """With as many sections left as cards, none is no answer any more."""
        table.say("lock/JP", 1).say("checked").draw().repair()
        table.flip(jaws="none").flip(jaws="none").flip(jaws="none")
        assert table.refused("reveal/jaws", "none").code == "JP-E60"

    def test_no_question_is_left_when_all_cards_are_turned(self, table: Any) -> None:
        """A team whose cards all lie open is not asked again."""
        table.say("lock/JP", 1).say("checked").draw().repair()
        table.flip(jaws="SH PL")
        assert "Jaws Pilot's Shoot" in table.texts(), "whose it is only one of them can be"
        assert table.asked == ["round-2/ready/jaws", "round-2/ready/paws"]

    def test_the_borders_of_a_doubled_section_are_asked(self, table: Any) -> None:
        """Doubled cards go to their owners' piles; one card is told at the reveal instead."""
        assert table.refused("lock/jaws/2", "1 0").code == "JP-E30"
        table.say("lock/JP", 2).say("lock/JG", 1).say("lock/jaws/2", "1 1").say("checked")
        assert table.position.owners["Jaws"] == ["?", "", "?", "?"]
        assert table.position.piles["JP"].counts["track"] == 1
        assert table.position.piles["JG"].counts["discard"] == 1

    def test_counts_must_cover_the_doubled_sections(self, table: Any) -> None:
        """A player's count is not below the cards already told of doubled sections."""
        table.say("lock/JP", 1).say("lock/jaws/2", "2 0")
        assert table.refused("checked").code == "JP-E33"

    def test_more_cards_than_sections_means_a_doubled_one(self, table: Any) -> None:
        """Five single cards do not fit on four sections: which is doubled?"""
        table.say("lock/JP", 3).say("lock/JG", 2)
        refusal = table.refused("checked")
        assert refusal.code == "JP-E30"
        assert "5 cards on 4 sections" in refusal.text
        table.say("lock/JG", 1).say("checked")  # four do fit
        assert table.position.owners["Jaws"] == ["?"] * 4
