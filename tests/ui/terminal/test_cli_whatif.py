"""A match had something been otherwise: another answer, rules, a box that nobody knows here."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.core.offers import Stamp
from companion.core.ruling import Seat
from companion.match.entry import Entry
from companion.match.rulebook import Setup
from companion.record.lines import Closing
from companion.record.record import Record
from tests.ui.terminal.test_cli_record import GOLDEN, place

__all__ = ["place"]
Call = Callable[..., tuple[int, str, str]]


def test_what_if_shows_rulings_side_by_side_and_changes_nothing(place: Path, call: Call) -> None:
    """Another answer, another house rule; a call that cannot be is named."""
    before = call("show", "1", "--json")[1]
    lines = [json.loads(line)["line"] for line in before.splitlines()[1:-1]]
    told = next(line for line in lines if line["key"].endswith("toss"))
    other = "Paws" if told["answer"] == "Jaws" else "Jaws"
    status, out, _ = call("whatif", "1", str(told["seq"]), other)
    assert status == 0
    assert "It ended" in out or "It ends the same" in out
    status, out, _ = call("whatif", "1", str(told["seq"]), other, "--json")
    assert json.loads(out.splitlines()[0])["revision"]["line"] == told["seq"]
    assert {"ended", "would_have_ended"} == set(json.loads(out.splitlines()[1]))
    status, out, _ = call("reread", "--all", "--option", "smoke_damage=0")
    assert (status, "ruled again" in out) == (0, True)
    assert call("reread", "1", "--option", "timer_s=20")[0] == 0
    for bad in (
        ["whatif", "1", "9999", "Jaws"],
        ["whatif", "1", str(told["seq"]), "nobody"],
        ["reread", "1"],
        ["reread", "--option", "timer_s=20"],
        ["reread", "1", "--option", "none=1"],
        ["reread", "1", "--edition", "99"],
    ):
        status, out, err = call(*bad)
        assert (status, out, err.startswith("companion: ")) == (2, "", True), bad
    assert call("show", "1", "--json")[1] == before


def test_what_if_takes_an_answer_as_show_prints_it(place: Path, call: Call) -> None:
    """Whatever was answered: said once more in those words it changes nothing."""
    lines = [json.loads(line)["line"] for line in call("show", "1", "--json")[1].splitlines()[1:-1]]
    kinds = {
        "".join(c for c in line["key"] if not c.isdecimal()): line
        for line in lines
        if line["kind"] == "answer"
    }
    assert any(line["told"].startswith("pilot ") for line in kinds.values())
    for line in kinds.values():
        status, out, err = call("whatif", "1", str(line["seq"]), line["told"])
        assert (status, "No ruling would have been otherwise." in out) == (0, True), (line, err)


def test_an_answer_may_begin_with_a_dash_and_have_several_words(place: Path, call: Call) -> None:
    """As spaces left of the middle do; what begins with two dashes is still an option."""
    with Record.open(place) as opened:
        match = opened.import_file(GOLDEN / "dogfight-hex-edition-2-four-1.jsonl").match_id
    told = [json.loads(line) for line in call("show", match, "--json")[1].splitlines()[1:-1]]
    line = next(one["line"] for one in told if one["line"]["told"].startswith("-"))
    for said in ([line["told"]], line["told"].split()):
        status, out, err = call("whatif", match, str(line["seq"]), *said)
        assert (status, "No ruling would have been otherwise." in out) == (0, True), err
    status, _, err = call("whatif", match, str(line["seq"]), *line["told"].split(), "--ful")
    assert (status, err) == (
        2, "companion: no such option: --ful; `companion whatif --help` lists what there is\n",
    )  # fmt: skip


def test_what_an_early_answer_changes_is_told_within_a_screen(
    place: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How it ends first, then what goes, comes and waits, by rounds; --full has every line."""
    early = ("whatif", "1", "1", "Paws")
    if call(*early)[0] == 2:  # this toss was theirs
        early = (*early[:-1], "Jaws")
    status, out, _ = call(*early)
    first, *rows = out.splitlines()
    assert (status, first.startswith("It ended: ")) == (0, True)
    assert sum(-(-len(row) // 80) for row in out.splitlines()) <= 24
    assert rows[0].startswith("~ Asked first: ")
    told = json.loads(call(*early, "--json")[1].splitlines()[0])["revision"]
    waits = [int(seq) for seq, fate in told["fates"].items() if fate == "parked"]
    (set_up,) = [row for row in rows if "Set-up: " in row]
    assert "waits" in set_up
    assert any("Round 1: " in row and f" to {waits[-1]} wait" not in row for row in rows)
    assert f"{waits[-1]} wait" in " ".join(rows).split("~ ")[-2]
    assert "--full" in rows[-1]
    _, full, _ = call(*early, "--full")
    assert full.count("Waits: line ") == len(waits)
    for one in told["rulings"]:
        assert (one["was"] or one["now"])["text"] in full
    lines = [json.loads(row)["line"] for row in call("show", "1", "--json")[1].splitlines()[1:-1]]
    counts = [one for one in lines if "/discard/" in one["key"]]
    late = ("whatif", "1", str(counts[-1]["seq"]), "0" if counts[-1]["answer"] else "1")
    monkeypatch.setenv("COLUMNS", "400")
    assert call(*late)[1] == call(*late, "--full")[1] != ""


# A box that this companion does not know: of a newer program, or taken away.


@pytest.fixture
def unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A record with an ended match of such a box."""
    path = tmp_path / "record.db"
    monkeypatch.setenv("COMPANION_RECORD", str(path))
    seats = {Seat("R"): "Ana", Seat("B"): "Bo"}
    setup = Setup("sky-pirates", ("night",), seats, app_version="9.0", edition=7)
    ended = Closing("Blue has no balloon left.", "SP-9.1", ("R",), (("Red wins.", "SP-9.1"),))
    with Record.open(path) as record:
        match = record.create(setup, Stamp("Ana", "2026-11-21T19:00:00Z", 0.0))
        record.append(
            match,
            [
                Entry(1, "answer", "set-up/wind", "north", author="R"),
                Entry(2, "undo", target=1, author="Eve", reason="it turned"),
            ],
        )
        record.finish(match, ended)
    return path


def test_a_match_of_an_unknown_box_is_shown_as_it_stands(unknown: Path, call: Call) -> None:
    """Who, when, the seal, each line, how it ended; and what cannot be said, and why."""
    status, out, err = call("show", "1")
    assert (status, err) == (1, "")
    for told in (
        "sky-pirates night  2026-11-21 ", "Ana (seat R)", "Bo (seat B)", "Signed by ",
        "set-up/wind — north", "undo — Reason: it turned  (Eve)",
        "Red wins. [SP-9.1]", "= Blue has no balloon left. [SP-9.1]",
        "a match of sky-pirates night, the rules have none such: no box is called 'sky-pirates'",
        "companion 9.0 with edition 7 of sky-pirates", "which does not know that box",
    ):  # fmt: skip
        assert told in out, told
    _, *lines, end = map(json.loads, call("show", "1", "--json")[1].splitlines())
    assert [line["line"]["answer"] for line in lines] == ["north", None]
    assert end["end"]["outcome"]["winners"] == ["R"]


def test_what_can_be_written_of_an_unknown_box_is_written(
    unknown: Path, call: Call, tmp_path: Path
) -> None:
    """Page and exported file lead back to the same lines; what rules is refused in words."""
    kinds = (("show", "txt"), ("show", "pdf"), ("show", "html"), ("page", "html"), ("sheet", "pdf"))
    for number, (verb, name) in enumerate(kinds):
        out = tmp_path / f"{number}.{name}"
        status, _, err = call(verb, "1", "--out", str(out))
        assert (status, out.stat().st_size > 500) == (1, True), (verb, name)
        assert "no box is called 'sky-pirates'" in err
    assert call("sheet", "1", "--out", str(tmp_path / "s.pdf"))[1].endswith("Won by Ana\n")
    assert call("export", "1", "--out", str(tmp_path / "m.jsonl"))[0] == 0
    for name in ("3.html", "m.jsonl"):
        other = str(tmp_path / f"{name}.sqlite")
        assert call("import", str(tmp_path / name), "--record", other)[0] == 0
        assert call("export", "1", "--record", other)[1] == call("export", "1")[1]
    refused = (
        ("show", "1", "--position"), ("show", "1", "--round", "1"), ("learned", "1"),
        ("whatif", "1", "1", "south"), ("reread", "1", "--edition", "1"),
        ("referee", "--resume", "1"),
    )  # fmt: skip
    for words in refused:
        status, said, err = call(*words)
        assert (status, said, "no box is called 'sky-pirates'" in err) == (2, "", True), words
    assert call("replay", "1")[0] == 1


def test_a_match_that_cannot_be_ruled_again_is_told_below_the_others(
    place: Path, call: Call
) -> None:
    """In a line of its own, as long as it takes."""
    with Record.open(place) as record:
        setup = Setup("sky-pirates", (), {}, app_version="9.0", edition=7)
        match = record.create(setup, Stamp("Ana", "2026-11-21T19:00:00Z", 0.0))
    status, out, _ = call("reread", "--all", "--option", "smoke_damage=0")
    (told,) = [row for row in out.splitlines() if row.startswith(match)]
    assert (status, "not ruled again: " in told, "which does not know that box" in told) == (
        0, True, True,
    )  # fmt: skip
    assert "2 matches ruled again" in out
