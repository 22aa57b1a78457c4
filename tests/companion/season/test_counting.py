"""What logs add to the statistics: against the rulings of real matches, and kept in step."""

from __future__ import annotations

from collections import defaultdict
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from sqlite3 import connect
from typing import TYPE_CHECKING, Any, cast

import pytest

from companion.core.board import Piece
from companion.core.offers import Stamp
from companion.core.ruling import (
    AttackMade,
    CardLaid,
    Carry,
    Cite,
    DamageTaken,
    EvasionTried,
    Occurrence,
    Ruling,
    Seat,
    SetTo,
)
from companion.games import RULEBOOKS
from companion.kit.box import SmallBox
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP, bots_of, play_out
from companion.record.file import read_export
from companion.record.keeping import sealed
from companion.record.lines import read_entry
from companion.record.listing import PlayedMatch
from companion.record.record import Record
from companion.record.sums import Sums
from companion.referee.challenge import TAKEN_BACK
from companion.season import counting
from companion.season.adding import MatchCount, sums_of
from companion.season.counting import FORM, count_logs, count_match
from companion.season.measured import Measured
from companion.season.seating import CountedBy, Seating
from companion.season.statistics import MatchFilter, count_season, rate_season

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.season.statistics import Counted

GOLDEN = Path(__file__).parents[2] / "golden"
ONE_OF_EACH = {
    "dogfight-1917": "dogfight-1917-edition-3-base-1",
    "dogfight-hex": "dogfight-hex-edition-2-four-1",
    "jaws-and-paws": "jaws-and-paws-edition-2-day-2",
    "starship-edition": "starship-edition-edition-3-base-1",
    "talespin-dogfight": "talespin-dogfight-edition-2-two-1",
}


def golden(name: str) -> Match[Any]:
    export = read_export(GOLDEN / f"{name}.jsonl")
    return Match[Any].replay([read_entry(row.line, row.chain) for row in export.rows])


def counted(match: Match[Any]) -> MatchCount:
    setup, outcome = match.setup, match.outcome
    assert outcome is not None
    winners = tuple(map(str, outcome.winners))
    listed = PlayedMatch("2026", setup.box, setup.variants, setup.seats, setup.options, winners)
    return count_match(match, listed)


def one_of(box: str) -> Match[Any]:
    """A golden match of a box; of one that has none, a match of its bots."""
    if box in ONE_OF_EACH:
        return golden(ONE_OF_EACH[box])
    match = Match[Any].start(Setup(box), STAMP)
    play_out(match, bots_of(match.setup, Random(1)))
    return match


@pytest.mark.parametrize("box", RULEBOOKS)
def test_a_match_is_counted_as_its_rulings_tell(box: str) -> None:
    """Every attack, card and evasion once; damage at the seat that took it, given as taken."""
    match = one_of(box)
    told = [one for ruling in match.rulings for one in match.rulebook.happened_in(ruling)]
    of: defaultdict[type, list[Occurrence]] = defaultdict(list)
    for one in told:
        of[type(one)].append(one)
    count = counted(match)
    rows = {figure: [row for row in count.rows if row.figure == figure] for figure in Measured}
    lacks = "say what happened: rule(..., struck=(piece,), happened=(AttackMade(by, at, hit),))"
    assert of[AttackMade] if box in ONE_OF_EACH else told, f"statistics stay empty; {lacks}"
    attacks = [one for one in of[AttackMade] if isinstance(one, AttackMade)]
    assert not any(one.instead for one in attacks)
    assert sum(row.number for row in rows[Measured.HITS]) == len(attacks)
    assert sum(row.total for row in rows[Measured.HITS]) == sum(one.hit for one in attacks)
    assert sum(row.number for row in rows[Measured.LAID]) == len(of[CardLaid])
    assert of[CardLaid] or box not in ONE_OF_EACH
    assert sum(row.number for row in rows[Measured.EVADED]) == len(of[EvasionTried])
    hurt = [one for one in of[DamageTaken] if isinstance(one, DamageTaken)]
    assert sum(row.total for row in rows[Measured.TAKEN]) == sum(one.amount for one in hurt)
    given = [one.amount for one in hurt if one.dealt_by not in (None, one.by)]
    assert sum(row.total for row in rows[Measured.DEALT]) == sum(given)
    assert {row.seat for row in count.rows} <= {*count.seating.side_of, *count.seating.sides, ""}
    assert MatchCount.read(count.to_json()) == count


def test_figures_are_counted_at_every_place_once() -> None:
    """What two seats of a side did together is one match of that side, and of the box."""
    count = counted(golden(ONE_OF_EACH["jaws-and-paws"]))
    sums, box = sums_of([count]), count.seating.box
    taken = {key.name: sum_ for key, sum_ in sums.items()
             if (key.about, key.figure) == ("side", Measured.TAKEN)}  # fmt: skip
    assert {name: sum_.number for name, sum_ in taken.items()} == {"Jaws": 1, "Paws": 1}
    whole = next(s for key, s in sums.items() if key[:4] == ("box", box, box, Measured.TAKEN))
    assert whole.number == 1
    assert whole.total == sum(sum_.total for sum_ in taken.values())
    assert whole.squares == whole.total**2
    assert {key.about for key in sums} >= {"player", "seat", "side", "mode", "box", "card"}


def test_fighters_and_pilots_of_those_who_flew_them() -> None:
    about = {key.about for key in sums_of([counted(golden(ONE_OF_EACH["dogfight-1917"]))])}
    assert {"fighter", "pilot"} <= about


def test_a_small_box_is_told_of_by_its_deeds() -> None:
    """It says nothing, and damage and cards are known; where it says something that counts."""
    rules, ana, cite = cast("Any", SmallBox), Seat("A"), Cite.of("KT-1")
    hull, hand = SetTo(ana, "hull", "hull", 5, 3), Carry(ana, 1, "hand", "played")
    piece = Piece("A")
    deeds = Ruling("Hit.", cite, (hull, hand), struck=(piece,))
    assert list(rules.happened_in(rules, deeds)) == [DamageTaken(ana, 2), CardLaid(ana, "")]
    drawn = Ruling("Draw.", cite, (hull, Carry(ana, 1, "hand", "deck")))
    assert not list(rules.happened_in(rules, drawn)), "nothing was struck, nothing laid"
    said = Ruling("Hit.", cite, (hull,), struck=(piece,), happened=(DamageTaken(ana, 7),))
    assert list(rules.happened_in(rules, said)) == [DamageTaken(ana, 7)]


def test_a_dispute_that_a_match_leaves_open_is_counted_as_that() -> None:
    """As when its decision was taken back after the end; before that it counts by its verdict."""
    match = golden(ONE_OF_EACH["dogfight-1917"])
    disputed = match.note_clock("", {"event": "challenged", "by": "A"}, STAMP).seq

    def ended() -> list[tuple[str, str]]:
        rows = counted(match).rows
        return [(row.seat, row.detail) for row in rows if row.figure == Measured.DISPUTES.value]

    assert ended() == [("A", "open")]
    match.note_clock("", {"event": "decided", "by": "A", "verdict": "stands"}, STAMP)
    assert ended() == [("A", "stands")]
    match.note_clock("", {"event": TAKEN_BACK, "by": "A", "challenge": disputed}, STAMP)
    assert ended() == [("A", "open")]
    match.note_clock("", {"event": "decided", "by": "A"}, STAMP)
    assert ended() == [("A", "decided")]


# Kept in step with the record.


@pytest.fixture
def record(tmp_path: Path) -> Record:
    """Golden matches of four boxes, a demonstration and a simulated match."""
    opened = Record.open(tmp_path / "record.db")
    for name in [*ONE_OF_EACH.values()][1:]:
        opened.import_file(GOLDEN / f"{name}.jsonl")
    for simulated in (False, True):
        setup = Setup("talespin-dogfight", ("base",), {}, {"players": 2}, demonstration=True)
        setup = replace(setup, simulated=simulated)
        match = Match[Any].start(setup, STAMP)
        play_out(match, bots_of(setup, Random(1)))
        opened.take(sealed(match))
    return opened


def rows_of(record: Record, wanted: MatchFilter | None = None) -> Sequence[Counted]:
    return count_season(record, (), wanted)


def count_all(record: Record) -> int:
    return sum(now.number for now in count_logs(record))


def flat(rows: Sequence[Counted]) -> list[dict[str, object]]:
    return [{**row.to_json(), "rating": None, "rating_sigma": None} for row in rows]


def test_what_is_kept_is_what_matches_add(record: Record) -> None:
    """Counted bit by bit, once; the sums are those of the matches read one by one."""
    with record:
        assert record.sums.lacks_counts(FORM)
        assert count_all(record) == 4, "what bots played counts nowhere"
        assert not record.sums.lacks_counts(FORM)
        assert count_all(record) == 0
        kept = flat(rows_of(record))
        assert {row["by"] for row in kept} >= {"player", "card", "rule", "mode"}
        assert kept == flat(rows_of(record, MatchFilter(since="1900")))
        assert sum(row["matches"] for row in kept if row["by"] == "box") == 4  # type: ignore[misc]
        record.sums.forget()
        assert not rows_of(record)
        assert count_all(record) == 4
        assert flat(rows_of(record)) == kept, "thrown away and made again"


def test_who_sat_on_two_seats_under_two_names_played_one_match(record: Record) -> None:
    """The sums have a match for each name; a merge makes one of them, in sums and by filters."""
    with record:
        count_all(record)
        people = ("Ana", "Bo")
        sat = [{*Seating.of(match).people.values()} for match in record.played()]
        assert any(names.issuperset(people) for names in sat)
        record.name_player(people, "The two", STAMP)
        kept = flat(rows_of(record))
        assert kept == flat(rows_of(record, MatchFilter(since="1900")))
        (row,) = (row for row in kept if (row["by"], row["name"]) == ("player", "The two"))
        assert row["matches"] == sum(bool(names.intersection(people)) for names in sat)
        both = next(one.box for one, names in zip(record.played(), sat, strict=True)
                    if names.issuperset(people))  # fmt: skip
        alone = rows_of(record, MatchFilter(box=both))
        assert [one.matches for one in alone if one.name == "The two"] == [1]


def test_two_programs_count_a_match_once(record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever comes second, as `stats` while the table itself counts, writes nothing."""
    with record:
        wanted = record.sums.uncounted(FORM, 50)
        assert count_all(record) == 4
        kept = flat(rows_of(record))
        read, stale = record.sums.uncounted, [wanted]
        monkeypatch.setattr(
            Sums, "uncounted", lambda *said: stale.pop() if stale else read(*said[1:])
        )  # as it was read before the other one wrote
        list(count_logs(record))
        assert flat(rows_of(record)) == kept


@pytest.mark.slow
def test_what_cannot_be_read_stops_no_count(record: Record, tmp_path: Path) -> None:
    """A row in the list that nobody wrote is left out; a count that nobody wrote is made anew."""
    with record:
        assert count_all(record) == 4
        kept = flat(rows_of(record))
    with closing(connect(tmp_path / "record.db")) as database, database:
        database.execute("UPDATE counted SET told = '{}', form = 0 WHERE rowid = 1")
    with Record.open(tmp_path / "record.db") as again:
        assert again.sums.lacks_counts(FORM), "one is in an older form"
        assert count_all(again) == 4
        assert flat(rows_of(again)) == kept
    with closing(connect(tmp_path / "record.db")) as database, database:
        database.execute("DELETE FROM counted WHERE rowid = 1")
        torn = "match_id NOT IN (SELECT match_id FROM counted) AND demonstration = 0"
        database.execute(f"UPDATE listed SET winners = '[' WHERE {torn}")  # noqa: S608
    with Record.open(tmp_path / "record.db") as again:
        ((number, unread),) = count_logs(again)
        assert (number, len(unread)) == (0, 1)


def test_however_many_cannot_be_read_the_others_are_counted(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many as are read at once stand before the others: they are named, and passed by."""
    monkeypatch.setattr(counting, "AT_ONCE", 2)
    with record:
        ids = sorted(record.sums.uncounted(FORM, 50))
    with closing(connect(tmp_path / "record.db")) as database, database:
        torn = "UPDATE listed SET setup = '[' WHERE match_id = ?"
        database.executemany(torn, [(match_id,) for match_id in ids[:2]])
    with Record.open(tmp_path / "record.db") as again:
        for _ in range(2):
            told = list(count_logs(again))
            assert [match_id for now in told for match_id in now.unread] == ids[:2]
        assert set(again.sums.uncounted(FORM, 50)) == set(ids[:2])
        list(again.verify(ids))
        assert count_all(again) == 2, "a check has made their rows anew"


@pytest.mark.slow
def test_a_match_that_goes_on_is_taken_out_and_counted_again(record: Record) -> None:
    with record:
        list(count_logs(record))
        before = flat(rows_of(record))
        last = record.find("last")
        ended = record.find(str(record.count() - 2))
        match = Match[Any].replay(record.load(ended).entries)
        ending = record.load(ended).closing
        match.undo(stamp=Stamp("Ana", "2026-12-01T10:00:00Z", 9.0))
        record.append(ended, match.entries[-1:])
        assert last != ended
        assert record.sums.lacks_counts(FORM) is False, "it is under way"
        assert count_all(record) == 1
        without = flat(rows_of(record))
        assert sum(row["matches"] for row in without if row["by"] == "box") == 3  # type: ignore[misc]
        assert ending is not None
        record.finish(ended, replace(ending, winners=()))
        assert record.sums.lacks_counts(FORM)
        assert count_all(record) == 1
        after = flat(rows_of(record))
        assert sum(row["matches"] for row in after if row["by"] == "box") == 4  # type: ignore[misc]
        assert after != before, "it ended otherwise"


@pytest.mark.slow
def test_ratings_go_on_from_where_they_were(record: Record) -> None:
    with record:
        list(count_logs(record))
        assert rate_season(record)
        assert not rate_season(record), "nothing has changed"
        once = {name: (one.mu, one.sigma) for name, one in record.sums.ratings().items()}
        record.import_file(GOLDEN / f"{ONE_OF_EACH['dogfight-1917']}.jsonl")
        list(count_logs(record))
        assert rate_season(record)
        grown = {name: (one.mu, one.sigma) for name, one in record.sums.ratings().items()}
        record.sums.put_ratings([], record.sums.ratings()[""], anew=True)
        assert rate_season(record)
        anew = {name: (one.mu, one.sigma) for name, one in record.sums.ratings().items()}
        assert grown == anew
        assert grown != once
        record.name_player(["Ana"], "Anna Klein", Stamp("Ana", "2026-12-01T10:00:00Z", 0.0))
        assert rate_season(record)
        assert "Ana" not in record.sums.ratings()
        players = [row for row in rows_of(record) if row.by is CountedBy.PLAYER]
        assert any(row.rating is not None for row in players)
        assert "Ana" not in {row.name for row in players}


def test_ratings_follow_a_match_that_ended_otherwise(record: Record) -> None:
    """There are as many matches and names as before, and another winner."""
    with record:
        list(count_logs(record))
        assert rate_season(record)
        before = dict(record.sums.ratings())
        ended = next(
            line.match_id for line in record.matches() if line.box == "starship-edition"
        )  # fmt: skip
        loaded = record.load(ended)
        assert loaded.closing is not None
        match = Match[Any].replay(loaded.entries)
        match.undo(stamp=Stamp("Ana", "2026-12-01T10:00:00Z", 9.0))
        record.append(ended, match.entries[-1:])
        others = {*map(str, match.rulebook.sides_taken())} - {*map(str, loaded.closing.winners)}
        record.finish(ended, replace(loaded.closing, winners=tuple(map(Seat, sorted(others)))))
        assert count_all(record) == 1
        assert rate_season(record), "the sides have changed places"
        after = record.sums.ratings()
        assert after.keys() == before.keys()
        assert after != before


def test_two_programs_rate_a_match_once(record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    with record:
        list(count_logs(record))
        read = record.sums.ratings
        stale = read()
        assert rate_season(record)
        kept = read()
        monkeypatch.setattr(Sums, "ratings", lambda _: stale)
        assert not rate_season(record), "the other one was sooner"
        monkeypatch.undo()
        assert read() == kept
