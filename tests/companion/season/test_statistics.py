"""Wins and ratings of matches that ended: filters, merged names, and what never counts."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from companion.core.ruling import Seat
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP, bots_of, play_out
from companion.record.keeping import sealed
from companion.record.listing import PlayedMatch
from companion.record.record import Record
from companion.record.sums import Sum
from companion.season.adding import MatchCount, sums_of
from companion.season.counting import count_logs
from companion.season.measured import Measured
from companion.season.seating import CountedBy, Seating
from companion.season.statistics import Counted, MatchFilter, count_season, rate_season
from ui.sharing.season_page import page_of_season
from ui.terminal.app import run

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

JP, JG, PP = Seat("JP"), Seat("JG"), Seat("PP")


def closed(winner: str, **who: str) -> Match[Any]:
    """A match that the arbiter ended at its first question, for one side or for nobody."""
    seats = {Seat(seat): name for seat, name in who.items()}
    match = Match[Any].start(Setup("jaws-and-paws", ("day",), seats, {"timer_s": 60}), STAMP)
    match.close([Seat(winner)] if winner else [], "Called off.", "dispute", STAMP)
    return match


def counted(record: Record, *matches: Match[Any], who: Sequence[str] = ()) -> Sequence[Counted]:
    """The rows of a record once these matches were taken in, counted and rated."""
    for match in matches:
        record.take(sealed(match))
    list(count_logs(record))
    rate_season(record)
    return count_season(record, (), MatchFilter(who=tuple(who)))


def row(rows: Sequence[Counted], by: CountedBy, name: str) -> Counted:
    return next(one for one in rows if (one.by, one.name) == (by, name))


def three() -> tuple[Match[Any], ...]:
    """Ana won twice, under two spellings; under a third name she drew."""
    return (
        closed("Jaws", JP="Ana", JG="Cy", PP="Ben"),
        closed("Jaws", JP="ana", PP="Ben"),
        closed("", JP="Ben", PP="A. K."),
    )


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Record]:
    """A record without matches."""
    with Record.open(tmp_path / "empty.db") as opened:
        yield opened


def test_wins_are_counted_by_all_that_a_match_is(empty: Record) -> None:
    empty.name_player(["A. K."], "Ana", STAMP)
    rows = counted(empty, *three())
    ana = row(rows, CountedBy.PLAYER, "Ana")
    assert (ana.matches, ana.won, ana.drawn) == (3, 2, 1), "merged and re-spelt names are one"
    assert (row(rows, CountedBy.PLAYER, "Ben").won, row(rows, CountedBy.SEAT, "JG").won) == (0, 2)
    for by, name, won in (
        (CountedBy.SIDE, "Jaws", 2),
        (CountedBy.SIDE, "Paws", 0),
        (CountedBy.MODE, "day: Jaws", 2),
        (CountedBy.RULE, "timer_s=60: Jaws", 2),
        (CountedBy.BOX, "jaws-and-paws", 2),
    ):
        found = row(rows, by, name)
        assert (found.matches, found.won, found.drawn) == (3, won, 1)


def test_ratings_follow_who_beat_whom(empty: Record) -> None:
    empty.name_player(["A. K."], "Ana", STAMP)
    rows = counted(empty, *three())
    ratings = [row(rows, CountedBy.PLAYER, name).rating for name in ("Ana", "Ben")]
    ana, ben = (rating for rating in ratings if rating is not None)
    assert ana.mu > 25 > ben.mu
    assert ana.sigma < 25 / 3, "three matches tell something"


def test_nobody_is_rated_against_nobody_or_themselves(empty: Record) -> None:
    rows = counted(empty, closed("Jaws", JP="Ana"), closed("Jaws", JP="Di", PP="Di"))
    assert {one.rating for one in rows} == {None}


def test_only_matches_in_which_all_of_them_sat(empty: Record) -> None:
    rows = counted(empty, *three(), who=["Cy", "Ben"])
    assert row(rows, CountedBy.BOX, "jaws-and-paws").matches == 1
    assert not counted(empty, who=["Cy", "A. K."])


def test_a_box_that_is_not_here_any_more_is_counted_by_its_seats() -> None:
    gone = PlayedMatch("2026", "chess", (), {Seat("W"): "Ana", Seat("B"): "Ben"}, {}, ("W",))
    sums = sums_of([MatchCount(Seating.of(gone))], [CountedBy.SEAT])
    won = {key.name: told.total for key, told in sums.items() if key.figure == Measured.WON}
    assert won == {"W": 1, "B": 0}


@pytest.fixture(scope="module")
def four() -> Sequence[Match[Any]]:
    """Two matches of people, a demonstration and a simulated one, all ended."""
    kinds: list[dict[str, Any]] = [
        {},
        {},
        {"demonstration": True},
        {"demonstration": True, "simulated": True},
    ]
    played: list[Match[Any]] = []
    for at, kind in enumerate(kinds):
        setup = Setup("jaws-and-paws", ("day",), {JP: "Ana", PP: "Ben"}, **kind)
        stamp = replace(STAMP, at_utc=f"2026-0{at + 1}-05T10:00:00Z")
        played.append(Match[Any].start(setup, stamp))
        play_out(played[-1], bots_of(setup, Random(at)))
    return played


@pytest.fixture
def record(tmp_path: Path, four: Sequence[Match[Any]]) -> Path:
    """A record of those four."""
    place = tmp_path / "record.db"
    with Record.open(place) as opened:
        for match in four:
            opened.take(sealed(match))
    return place


def test_stats_by_and_filters_in_the_terminal(
    record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What bots played counts nowhere; days, people and boxes choose."""

    def counted(*words: str) -> list[dict[str, Any]]:
        assert run(["stats", "--record", str(record), "--json", *words]) == 0
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    assert [one["matches"] for one in counted("--by", "box")] == [2]
    assert [one["matches"] for one in counted("--by", "box", "--since", "2026-02")] == [1]
    for last in ("2026-01-05", "2026-01", "2026-01-05T10:00:00Z"):
        assert [one["matches"] for one in counted("--by", "box", "--until", last)] == [1]
    assert not counted("--box", "dogfight-1917")
    people = counted("--by", "player", "--who", "ana")
    assert {one["name"] for one in people} == {"Ana", "Ben"}
    assert sum(one["won"] + one["drawn"] / 2 for one in people) == 2
    assert all(one["low"] <= one["share"] <= one["high"] and one["rating"] for one in people)
    everything = counted("--who", "Ben")
    assert {one["by"] for one in everything} == {"player", "seat", "side", "mode", "box", "card"}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--since", "tomorrow"], "'tomorrow' is no day"),
        (["--since", "2026-13"], "'2026-13' is no day"),
        (["--until", "2026-02-30"], "'2026-02-30' is no day"),
        (["--until", "2026-02-03T25:00"], "'2026-02-03T25:00' is no day"),
        (["--since", "2026-03", "--until", "2026-02-28"], "2026-03 is later than"),
        (["--who", "Zoe"], "nobody is called 'Zoe'"),
        (["--box", "chess"], "no box is called 'chess'"),
        (["--by", "luck"], "luck"),
    ],
)
def test_a_filter_that_means_nothing_is_told(
    record: Path, words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["stats", "--record", str(record), *words]) == 2
    assert told in capsys.readouterr().err


def test_stats_as_a_table_and_csv(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["stats", "--record", str(record), "--by", "player", "--by", "side"]) == 0
    out = capsys.readouterr().out
    assert all(told in out for told in ("By player", "By side", "±", "Ana", "Jaws"))
    assert run(["stats", "--record", str(record), "--by", "side", "--csv"]) == 0
    heading, *lines = capsys.readouterr().out.splitlines()
    assert heading.startswith("by,box,name,matches,won,drawn,share,low,high,rating")
    assert len(lines) == 2


def test_a_page_with_plots(record: Path, tmp_path: Path) -> None:
    """Drawn without a network; nothing of it is a script, and names cannot become one."""
    out = tmp_path / "season.html"
    assert run(["stats", "--record", str(record), "--by", "side", "--out", str(out)]) == 0
    page = out.read_text("utf-8")
    assert page.count("<svg") >= 4
    assert all(told in page for told in ("Matches won (%)", "Hits by range", "Damage taken"))
    assert "<script" not in page
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org/", "").replace(
        "http://purl.org/", ""
    ).replace("http://creativecommons.org/", "")
    named = [Counted(CountedBy.SIDE, "jaws-and-paws", "<script>")]
    named[0].add(Measured.WON, "", Sum(3, 2, 2))
    assert "<script" not in page_of_season(named, MatchFilter())
    assert "simulated matches do not count" in page
    assert "Bots played all of them" in page_of_season(named, MatchFilter(), simulated=True)
    assert run(["stats", "--record", str(record), "--out", str(out), "--csv"]) == 2


def test_a_page_with_plots_takes_the_place_of_an_earlier_one_alone(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A match's page, with the log in it, would be lost."""
    ours, match = tmp_path / "season.html", tmp_path / "match.html"
    assert run(["page", "last", "--out", str(match), "--record", str(record)]) == 0
    kept = match.read_bytes()
    call = ["stats", "--by", "box", "--record", str(record), "--out"]
    assert [run([*call, str(ours)]) for _ in range(2)] == [0, 0]
    capsys.readouterr()
    assert run([*call, str(match)]) == 2
    assert "no page of plots" in capsys.readouterr().err
    assert match.read_bytes() == kept
