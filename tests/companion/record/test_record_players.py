"""Names that are one player's: said beside the logs, undone again, the same at every table."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from companion.core.errors import BadCall
from companion.core.offers import Stamp
from companion.core.ruling import Seat
from companion.match.rulebook import Setup
from companion.record.players import Naming, Players
from companion.record.record import Record


def at(hour: int) -> Stamp:
    return Stamp("Ana", f"2026-11-21T{hour:02}:00:00Z", 0.0)


def played(record: Record, hour: int, jaws: str, paws: str, *, shown: bool = False) -> str:
    seats = {Seat("JP"): jaws, Seat("PP"): paws}
    return record.create(Setup("jaws-and-paws", ("day",), seats, demonstration=shown), at(hour))


def told(players: Players) -> list[tuple[str, tuple[str, ...], int]]:
    return [(one.name, one.names, one.seats) for one in players.known]


def test_who_sat_at_the_table_is_known_by_name(tmp_path: Path) -> None:
    """However it was capitalised; bots of a demonstration are nobody."""
    with Record.open(tmp_path / "record.db") as record:
        played(record, 18, "Anna", "Ben")
        played(record, 19, "anna", "Ben")
        played(record, 20, "Anna", "Cleo")
        played(record, 21, "Bot", "Bot", shown=True)
        known = [("Anna", ("Anna", "anna"), 3), ("Ben", ("Ben",), 2), ("Cleo", ("Cleo",), 1)]
        assert told(record.players()) == known


def test_a_merge_and_a_rename_touch_no_log(tmp_path: Path) -> None:
    """They are read with every name from then on, and can be taken back."""
    with Record.open(tmp_path / "record.db") as record:
        first = played(record, 18, "A. K.", "Ben")
        played(record, 19, "Anna", "Ben")
        before = record.export(first)
        record.name_player(["A. K."], "Anna", at(20))
        players = record.name_player(["Anna"], "Anna Klein", at(21))
        assert [players.of(name) for name in ("a. k.", "Anna", "Anna Klein")] == ["Anna Klein"] * 3
        assert players.find("A. K.").seats == 2
        assert record.export(first) == before
    with Record.open(tmp_path / "record.db") as record:
        players = record.name_player(["A. K."], "A. K.", at(22))
        assert (players.of("A. K."), players.of("Anna")) == ("A. K.", "Anna Klein")
        assert not record.check()


def test_the_order_in_which_words_travel_is_of_no_account() -> None:
    """Two tables named each other's way round: the later word stands at both, in any order."""
    said = [
        Naming("Anna", "Anne", "2026-01-01", "here"),
        Naming("Anne", "Anna", "2026-01-02", "there"),
        Naming("A.", "Anne", "2026-01-03", "there"),
        Naming("A.", "Ben", "2025-01-03", "here"),
    ]
    for order in permutations(said):
        players = Players(order)
        assert [players.of(name) for name in ("Anna", "Anne", "A.")] == ["Anna"] * 3


def test_what_is_no_name_is_refused(tmp_path: Path) -> None:
    with Record.open(tmp_path / "record.db") as record:
        for wrong in ("", "  ", "x" * 61, "a\x07b"):
            with pytest.raises(BadCall, match="1 to 60 letters"):
                record.name_player(["Anna"], wrong, at(18))
        with pytest.raises(BadCall, match="nobody is called 'Zoe'"):
            record.players().find("Zoe")


def test_a_damaged_word_on_a_name_says_nothing(tmp_path: Path) -> None:
    """Its key seals it: the name means what it meant before."""
    with Record.open(tmp_path / "record.db") as record:
        record.name_player(["Anna"], "Anna Klein", at(18))
        with record._writer.begin() as database:
            database.exec_driver_sql("UPDATE players SET player = 'Ben'")
        assert record.players().of("Anna") == "Anna"


@pytest.mark.parametrize("with_seats", [True, False])
def test_what_somebody_brings_is_no_part_of_the_name(tmp_path: Path, *, with_seats: bool) -> None:
    """A log keeps "Ana/Camel", and Ana sat there; where nobody brings anything it is a name."""
    with Record.open(tmp_path / "record.db") as record:
        for hour, seat in ((18, "Ana/Camel"), (19, "ana / Dr.I"), (20, "ana"), (21, "ana")):
            seats = {Seat("A"): seat, Seat("B"): "Bo"}
            record.create(Setup("dogfight-1917", ("base",), seats), at(hour))
        played(record, 22, "Ana/Bo", "Cleo")
        record.create(Setup("dogfight-1917", ("base",), {Seat("A"): " /Camel"}), at(23))
        players = record.players(with_seats=with_seats)
        assert [one.name for one in players.known] == ["ana", "Ana/Bo", "Bo", "Cleo"]
        assert players.find("Ana").names == ("Ana", "ana")
        assert sorted(players.seated_as("Ana")) == ["Ana/Camel", "ana", "ana / Dr.I"]
        assert players.seated_as("Cleo") == ["Cleo"]
        assert [sorted(one) for one in players.written_apart()] == [
            ["Ana/Camel", "ana", "ana / Dr.I"]
        ]
        if with_seats:
            assert [one.seats for one in players.known] == [4, 1, 4, 1]
