"""Wins and ratings from the list of matches: filters, merged names, and what never counts."""

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
from companion.record.players import Naming, Players
from companion.record.record import Record
from companion.season.seating import CountedBy
from companion.season.statistics import Counted, MatchFilter, count_matches
from ui.sharing.season_page import page_of_season
from ui.terminal.app import run

if TYPE_CHECKING:
    from collections.abc import Sequence

JP, JG, PP = Seat("JP"), Seat("JG"), Seat("PP")


def played(winner: str, begun: str = "2026-01-01", **who: str) -> PlayedMatch:
    seats = {Seat(seat): name for seat, name in who.items()}
    winners = (winner,) if winner else ()
    return PlayedMatch(begun, "jaws-and-paws", ("day",), seats, {"timer_s": 30}, winners)


def row(rows: Sequence[Counted], by: CountedBy, name: str) -> Counted:
    return next(one for one in rows if (one.by, one.name) == (by, name))


THREE = (
    played("Jaws", JP="Ana", JG="Cy", PP="Ben"),
    played("Jaws", JP="ana", PP="Ben"),
    played("", JP="Ben", PP="A. K."),
)


def test_wins_are_counted_by_all_that_a_match_is() -> None:
    rows = count_matches(THREE, Players([Naming("A. K.", "Ana", "2026")]))
    ana = row(rows, CountedBy.PLAYER, "Ana")
    assert (ana.matches, ana.won, ana.drawn) == (3, 2, 1), "merged and re-spelt names are one"
    assert (row(rows, CountedBy.PLAYER, "Ben").won, row(rows, CountedBy.SEAT, "JG").won) == (0, 1)
    for by, name, won in (
        (CountedBy.SIDE, "Jaws", 2),
        (CountedBy.SIDE, "Paws", 0),
        (CountedBy.MODE, "day: Jaws", 2),
        (CountedBy.RULE, "timer_s=30: Jaws", 2),
        (CountedBy.BOX, "jaws-and-paws", 2),
    ):
        found = row(rows, by, name)
        assert (found.matches, found.won, found.drawn) == (3, won, 1)


def test_ratings_follow_who_beat_whom() -> None:
    rows = count_matches(THREE, Players([Naming("A. K.", "Ana", "2026")]))
    ratings = [row(rows, CountedBy.PLAYER, name).rating for name in ("Ana", "Ben")]
    ana, ben = (rating for rating in ratings if rating is not None)
    assert ana.mu > 25 > ben.mu
    assert ana.sigma < 25 / 3, "three matches tell something"
    alone = count_matches([played("Jaws", JP="Ana"), played("Jaws", JP="Di", PP="Di")], Players())
    assert {one.rating for one in alone} == {None}, "nobody is rated against nobody, or themselves"


def test_only_matches_in_which_all_of_them_sat() -> None:
    rows = count_matches(THREE, Players(), ["Cy", "Ben"])
    assert row(rows, CountedBy.BOX, "jaws-and-paws").matches == 1
    assert not count_matches(THREE, Players(), ["Nobody"])


def test_a_box_that_is_not_here_any_more_is_counted_by_its_seats() -> None:
    gone = PlayedMatch("2026", "chess", (), {Seat("W"): "Ana", Seat("B"): "Ben"}, {}, ("W",))
    rows = count_matches([gone], Players())
    assert [(one.by.value, one.name, one.won) for one in rows if one.by is CountedBy.SEAT] == [
        ("seat", "W", 1), ("seat", "B", 0),
    ][::-1]  # fmt: skip


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Two matches of people, a demonstration and a simulated one, all ended."""
    place = tmp_path / "record.db"
    kinds: list[dict[str, Any]] = [
        {},
        {},
        {"demonstration": True},
        {"demonstration": True, "simulated": True},
    ]
    with Record.open(place) as opened:
        for at, kind in enumerate(kinds):
            setup = Setup("jaws-and-paws", ("day",), {JP: "Ana", PP: "Ben"}, **kind)
            stamp = replace(STAMP, at_utc=f"2026-0{at + 1}-05T10:00:00Z")
            match = Match[Any].start(setup, stamp)
            play_out(match, bots_of(setup, Random(at)))
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
    named = [replace(one, name="<script>") for one in count_matches(THREE, Players())]
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
