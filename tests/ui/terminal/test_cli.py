"""The call itself: what is bad is told in one line and exits 2; what is wrong exits 1."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from companion.games import find_rulebook
from companion.games.jaws_and_paws.boards import board_plan
from companion.match.entry import app_version
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP
from companion.record.record import Record
from ui.terminal import start
from ui.terminal.app import run
from vision.drawing.table import SimulatedTable

TOP = Path(__file__).parents[3]

POSITION = """
box = "jaws-and-paws"
stage = "section-4"
sun = "Jaws.GL"
sun_at_round_start = "Jaws"
[planes]
Jaws = "Paws.PC"
Paws = "Jaws.PC"
[tracks]
Jaws = ["", "", "", "JP"]
Paws = ["", "", "", ""]
[players.JP]
deck = 20
hand = 4
discard = 5
track = 1
played = 1
[players.JG]
deck = 26
hand = 4
[players.PP]
deck = 5
hand = 4
discard = 9
scrap = 12
played = 1
[players.PG]
deck = 20
hand = 4
discard = 6
played = 1
"""


@pytest.fixture(autouse=True)
def no_record_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Each test has a record of its own."""
    place = tmp_path / "record.db"
    monkeypatch.setenv("COMPANION_RECORD", str(place))
    return place


@pytest.mark.slow
def test_a_restart_is_the_same_command_once_more() -> None:
    """In place of the process that it ends, with the arguments that this one was given."""
    again = "from ui.window.assembly import start_again; start_again(['--version'])"
    done = subprocess.run([sys.executable, "-c", again], capture_output=True, check=True, text=True)
    assert done.stdout == f"companion {app_version()}\n"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (["referee", "chess"], "no box is called 'chess'; there are jaws-and-paws"),
        (["referee"], "Missing argument"),
        (["referee", "jaws-and-paws", "--variant", "noon"], "no variant 'noon'; there are day"),
        (["referee", "jaws-and-paws", "--option", "timer_s=soon"], "'soon' is none of 20, 10"),
        (["referee", "jaws-and-paws", "--option", "timers=3"], "option 'timers' is unknown"),
        (["referee", "jaws-and-paws", "--option", "timer_s"], "is not NAME=VALUE"),
        (["referee", "jaws-and-paws", "--seats", "XX=Ana"], "seat 'XX' is unknown; there are JP"),
        (["referee", "jaws-and-paws", "--seats", "JP"], "'JP' is not SEAT=NAME"),
        (["referee", "jaws-and-paws", "--seats", "JP=A,jp=B"], "seat JP is named twice"),
        (["referee", "jaws-and-paws", "--seats", "JP=" + "n" * 25], "has at most 24 letters"),
        (["referee", "jaws-and-paws", "--seats", "JP=a\nb"], "a line break or a control code"),
        (["referee", "jaws-and-paws", "--seats", "JP=a\u202eb"], "an invisible character that"),
        (["referee", "jaws-and-paws", "--seats", "JP=Jaws Gunner"], "means somebody else here"),
        (["referee", "jaws-and-paws", "--arbiter", "a\u200bb"], "--arbiter: 'a\\u200bb' has an"),
        (["simulate", "jaws-and-paws", "--seats", "JP=\x1b[31m"], "line break or a control code"),
        (["referee", "jaws-and-paws", "--position", "none.toml"], "none.toml: cannot be read"),
        (["referee", "jaws-and-paws", "--script", "none.txt"], "none.txt: cannot be read"),
        (["referee", "jaws-and-paws", "--data", "none.toml"], "none.toml: cannot be read"),
        (
            ["simulate", "jaws-and-paws", "--matches", "many"],
            "'--matches': Input should be a valid integer",
        ),
        (["simulate", "jaws-and-paws", "--matches", "0"], "--matches and --jobs are 1 or more"),
        (["simulate", "chess"], "no box is called 'chess'"),
        (["show", "last"], "has no match 'last'"),
        (["replay", "17"], "has no match '17'"),
        (["export", "last"], "has no match 'last'"),
        (["import", "none.jsonl"], "none.jsonl: cannot be read"),
        (["see", "none.png"], "none.png"),
        (["see", ".", "--table", "none.toml"], "none.toml"),
        (["markers", "jaws-and-paws", "--out", "/no/such/folder/sheets.pdf"], "cannot be written"),
        (["markers", "jaws-and-paws"], "Missing option"),
        (["markers", "jaws-and-paws", "--out", "sheets.txt"], "name it sheets.pdf"),
        (["--record", "r.db", "see", "none.png"], "see` keeps no record"),
        (["--record", ".", "matches"], "is a folder"),
        (["show"], "`companion show --help` lists what there is"),
        (["demo", "chess"], "no box is called 'chess'"),
        (["matches", "--record", "."], "is a folder"),
        (["dance"], "No such command 'dance'"),
        (["--dance"], "No such option"),
    ],
)
def test_a_bad_call_is_told_in_one_line(
    call: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit status 2; standard error names the thing and what is allowed."""
    assert run(call) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""


@pytest.mark.parametrize("before", [True, False])
def test_a_record_may_be_named_before_the_command_or_after_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *, before: bool
) -> None:
    """Both ways name the record that is meant, whatever the environment says."""
    named = ["--record", str(tmp_path / "club.db")]
    Record.open(tmp_path / "club.db").close()
    assert run([*named, "matches"] if before else ["matches", *named]) == 0
    assert str(tmp_path / "club.db") in capsys.readouterr().out
    assert not (tmp_path / "record.db").exists()


def test_the_record_after_the_command_wins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The word nearest to the command is the one meant."""
    call = ["--record", str(tmp_path / "far.db"), "matches", "--record", str(tmp_path / "near.db")]
    Record.open(tmp_path / "near.db").close()
    assert run(call) == 0
    assert str(tmp_path / "near.db") in capsys.readouterr().out


def test_the_environment_names_the_record_of_a_command(
    no_record_of_the_user: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`COMPANION_RECORD` holds where a call names none, and hinders no command that keeps none."""
    assert run(["matches"]) == 0
    assert str(no_record_of_the_user) in capsys.readouterr().out
    assert run(["simulate", "jaws-and-paws", "--matches", "1"]) == 0


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """`companion --version`, and nothing is opened."""
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"companion {app_version()}\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("stage = ", "no TOML: Invalid value (at"),
        ("{", "line 1, column 2: this is no JSON"),
        ("[]", "no TOML"),
        (POSITION.replace('sun = "Jaws.GL"', 'sun = "Jaws.XX"'), "sun: "),
        (POSITION.replace("deck = 26", "deck = 27"), "JP-21.1"),
        (POSITION.replace("hand = 4", "hand = -4", 1), "players.JP.hand"),
        (POSITION.replace('stage = "section-4"', 'stage = "tea"'), "stage: "),
        (POSITION + "[weather]\nrain = true", "weather"),
        (POSITION.replace("deck = 26", "deck = 2026-11-21"), "neither text, number"),
        (POSITION.replace("deck = 26", f"deck = {'9' * 5000}"), "too many digits"),
        ('{"deck": ' + "9" * 5000 + "}", "too many digits"),
        ("deck = " + "[" * 100_000, "too deep in one another"),
        ('{"deck": ' + "[" * 100_000, "too deep in one another"),
    ],
)
def test_a_bad_position_is_told_with_its_place(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message names the file, the place in it and the limit or rule."""
    file = tmp_path / "position.toml"
    file.write_text(text)
    assert run(["referee", "jaws-and-paws", "--position", str(file), "--script", "-"]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"companion: {file}")
    assert said in told
    assert told.count("\n") == 1


def test_bytes_that_are_no_text_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "position.toml"
    file.write_bytes(b"\xff\xfe")
    assert run(["referee", "jaws-and-paws", "--position", str(file)]) == 2
    assert "byte 0: this is no text" in capsys.readouterr().err


def test_a_bad_card_list_is_told_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--data` replaces the assumed cards; a deck of another size than it says is refused."""
    file = tmp_path / "cards.toml"
    file.write_text("deck_size = 30\n[decks]\npilot = [{ kind = 'MPL', count = 3 }]\n")
    assert run(["simulate", "jaws-and-paws", "--data", str(file)]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"companion: {file}: ")
    assert told.count("\n") == 1


def test_simulate_tells_results_and_rates_as_one_object(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The contract's names, and the same matches whatever the number of processes."""
    call = ["simulate", "jaws-and-paws", "--matches", "30", "--seed", "7", "--json"]
    assert run(call) == 0
    alone = json.loads(capsys.readouterr().out)
    assert list(alone) == [
        "box", "variant", "matches", "finished", "outcomes", "answers", "answers_per_s",
        "shares", "beaten",
    ]  # fmt: skip
    assert (alone["box"], alone["variant"]) == ("jaws-and-paws", "day")
    assert alone["matches"] == alone["finished"] == sum(alone["outcomes"].values()) == 30
    assert set(alone["outcomes"]) <= {"Jaws", "Paws", "draw"}
    shares = alone["shares"]
    assert {result: share["count"] for result, share in shares.items()} == alone["outcomes"]
    assert all(share["low"] <= share["share"] <= share["high"] for share in shares.values())
    pairs = [(pair["winner"], pair["loser"], pair["count"]) for pair in alone["beaten"]]
    won = alone["outcomes"]
    assert pairs == [("Jaws", "Paws", won["Jaws"]), ("Paws", "Jaws", won["Paws"])]
    assert run([*call, "--jobs", "2"]) == 0
    together = json.loads(capsys.readouterr().out)
    assert {**alone, "answers_per_s": 0} == {**together, "answers_per_s": 0}


def test_matches_that_find_no_end_are_told_in_a_few_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five of them, and how many more: a fault of a box's rules stops most of its matches."""

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(find_rulebook("jaws-and-paws"), "rule", broken)
    assert run(["simulate", "jaws-and-paws", "--matches", "7", "--json"]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["finished"] == 0
    *told, last = err.splitlines()
    assert [line.partition(": after")[0] for line in told] == [
        f"companion: match 1/{number}" for number in range(5)
    ]
    assert last == "companion: 2 more matches like these"


def test_simulated_matches_are_kept_where_told_and_never_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They open, replay and check like any other, say what they are, and are nobody's matches."""
    monkeypatch.setenv("COMPANION_RECORD", str(tmp_path / "own.db"))
    kept = str(tmp_path / "bots.db")
    call = ["simulate", "jaws-and-paws", "--matches", "4", "--json"]
    assert run(call) == 0
    assert not (tmp_path / "own.db").exists()
    assert run([*call, "--progress", "--record", kept]) == 0
    out, err = capsys.readouterr()
    bare, recorded = (json.loads(line) for line in out.splitlines())
    assert {**bare, "answers_per_s": 0} == {**recorded, "answers_per_s": 0}
    assert "companion: 4 of 4 played" in err
    assert run(["matches", "--record", kept, "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(one["simulated"], one["state"]) for one in lines] == [(True, "ended")] * 4
    assert sum(one["entries"] - 1 for one in lines) == bare["answers"]
    for command in ("show", "replay"):
        assert run([command, "last", "--record", kept]) == 0
        assert "Played by bots: simulated, without a table." in capsys.readouterr().out
    assert run(["check", "--all", "--record", kept]) == 0
    assert not capsys.readouterr().err, "no bar, and no blank line of one, where no screen is"
    assert run(["stats", "--record", kept]) == 0
    left = "4 simulated matches are left out; `companion stats --simulated` counts them"
    assert capsys.readouterr().out == f"0 matches: none\n{left} by themselves\n"
    assert run(["stats", "--by", "side", "--record", kept]) == 0
    assert capsys.readouterr().out.endswith(f"{left} by themselves\n")
    assert run(["stats", "--simulated", "--by", "box", "--json", "--record", kept]) == 0
    (row,) = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (row["matches"], row["attacks"] > 0) == (4, True)
    assert run(["stats", "--simulated", "--since", "2999", "--json", "--record", kept]) == 0
    assert not capsys.readouterr().out
    with Record.open(kept) as record:
        assert not record.outbox.changes(0, 10), "a club's record is told of none of them"
        assert not record.players().known


def test_a_page_that_cannot_be_written_is_refused_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A page of another program, a folder, a folder that is not there, a pipe."""
    foreign, pipe, kept = tmp_path / "letter.html", tmp_path / "pipe", tmp_path / "bots.db"
    foreign.write_text("<!doctype html><title>A letter</title>", "utf-8")
    os.mkfifo(pipe)
    for out in (foreign, tmp_path, tmp_path / "none" / "page.html", pipe):
        call = ["simulate", "jaws-and-paws", "--matches", "2", "--progress", "--out", str(out)]
        assert run([*call, "--record", str(kept)]) == 2, out
        told = capsys.readouterr()
        assert (told.out, told.err.count("\n"), "played" in told.err) == ("", 1, False)
        assert not kept.exists()
    assert foreign.read_text("utf-8").endswith("<title>A letter</title>")


def test_bots_get_no_room_among_peoples_matches(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "people.db"
    with Record.open(place) as record:
        record.create(Setup("jaws-and-paws", ("day",)), STAMP)
    assert run(["--record", str(place), "simulate", "jaws-and-paws", "--matches", "1"]) == 2
    assert "bots' get a record of their own" in capsys.readouterr().err


def test_ones_own_record_is_not_even_opened_for_bots(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """However it is written: nothing is begun or mended there."""
    own = tmp_path / "own.db"
    monkeypatch.setenv("COMPANION_RECORD", str(own))
    link = tmp_path / "link.db"
    link.symlink_to(own)
    for place in (own, f"{tmp_path}/./own.db", link, f"sqlite:///{own}"):
        call = ["simulate", "jaws-and-paws", "--matches", "1", "--record", str(place)]
        assert run(call) == 2
        assert "bots' get a record of their own" in capsys.readouterr().err
    assert not own.exists()


def test_another_seed_plays_other_matches(capsys: pytest.CaptureFixture[str]) -> None:
    told: list[str] = []
    for seed in ("1", "2"):
        assert run(["simulate", "jaws-and-paws", "--matches", "5", "--seed", seed, "--json"]) == 0
        told.append(json.loads(capsys.readouterr().out)["answers"])
    assert told[0] != told[1]


def test_a_real_process_has_the_same_contract(tmp_path: Path) -> None:
    """`python -m companion` in a folder of its own: status, streams and a pipe that ends early."""
    script = tmp_path / "script.txt"
    script.write_text("Jaws\nPaws: PC\n")
    call = [sys.executable, "-m", "companion", "referee", "jaws-and-paws", "--json"]
    done = subprocess.run(
        [*call, "--script", str(script)], cwd=TOP, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert [next(iter(json.loads(line))) for line in done.stdout.splitlines()] == [
        "questions", "questions", "refused", "position",
    ]  # fmt: skip
    bad = subprocess.run(
        [*call, "--script", "none"], cwd=TOP, capture_output=True, text=True, check=False
    )
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr == "companion: none: cannot be read: No such file or directory\n"


@pytest.mark.slow
def test_a_reader_that_has_seen_enough_is_no_fault(tmp_path: Path) -> None:
    """`companion simulate | head -0` ends quietly."""
    call = f"{sys.executable} -m companion referee jaws-and-paws --json </dev/null | true"
    ended = subprocess.run(
        ["bash", "-c", call], cwd=TOP, capture_output=True, text=True, check=False
    )
    assert ended.stderr == ""


def test_markers_are_written_true_to_size(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The PDF is there, and people are told to print it at 100 %."""
    sheets = tmp_path / "sheets.pdf"
    assert run(["markers", "jaws-and-paws", "--out", str(sheets)]) == 0
    assert sheets.read_bytes().startswith(b"%PDF")
    assert "100 %" in capsys.readouterr().out


@pytest.mark.slow
def test_see_tells_markers_and_pieces_of_a_drawn_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The contract's names for each picture; a picture that cannot be read makes it exit 1."""
    frame = SimulatedTable(board_plan(), seed=1, size_px=(1280, 720)).read()
    assert frame is not None
    cv2.imwrite(str(tmp_path / "a.png"), frame.grey)
    assert run(["see", str(tmp_path / "a.png"), "--json"]) == 0
    (said,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert list(said) == ["source", "frame", "state", "markers", "dice", "pieces"]
    assert {"id", "dictionary", "corners_px"} == set(said["markers"][0])
    (tmp_path / "b.png").write_bytes(b"no picture")
    assert run(["see", str(tmp_path)]) == 1


def test_doctor_names_the_command_that_mends_a_red_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each part has a line; a damaged record is red, exits 1, and is not touched by looking."""
    record = tmp_path / "record.db"
    assert run(["doctor", "--record", str(record), "--json"]) in (0, 1)
    parts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    wanted = {"python", "settings", "libraries", "screen", "pins", "camera", "record", "disk"}
    assert wanted <= {part["part"] for part in parts}
    assert all(part["state"] in ("ok", "warn", "red") for part in parts)
    assert not record.exists()
    record.write_bytes(b"SQLite format 3\x00 and then nothing")
    assert run(["doctor", "--record", str(record), "--json"]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (red,) = [line for line in lines if line["part"] == "record"]
    assert red["state"] == "red"
    assert red["mend"].startswith("companion matches")
    assert record.read_bytes() == b"SQLite format 3\x00 and then nothing"


def test_doctor_tells_of_a_screen_that_does_not_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """DISPLAY set by a desktop that is gone: a warning with the variable, not ok."""
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", ":4711")
    run(["doctor", "--record", str(tmp_path / "record.db"), "--json"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (screen,) = [line for line in lines if line["part"] == "screen"]
    assert screen["state"] == "warn"
    assert "DISPLAY=:4711" in screen["text"]
    assert screen["mend"]


@pytest.mark.slow
def test_a_demonstration_needs_no_screen_that_answers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It plays in the terminal, and nothing of a window is tried."""
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", ":4711")
    assert run(["demo", "--rounds", "1", "--pace", "0", "--json"]) == 0
    summary = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert summary["rounds"] == 1


@pytest.mark.slow
def test_a_demonstration_ends_with_words_into_a_file_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """How it went, who won, where the match is kept, and what prints it; JSON only with --json."""
    monkeypatch.setenv("COMPANION_RECORD", str(tmp_path / "kept.db"))
    assert run(["demo", "--terminal", "--rounds", "1", "--pace", "0"]) == 0
    *_, words, where = capsys.readouterr().out.splitlines()
    assert words.startswith("1 round played; ")
    assert "It was stopped there: nobody has won yet." in words
    assert where.startswith("The match is kept in ")
    call = where.partition("companion ")[2].split()
    assert run(call) == 0
    assert "round-1/locked" in capsys.readouterr().out


def test_an_output_that_takes_nothing_is_told_in_one_line(tmp_path: Path) -> None:
    """A full disk behind `>`, whether it is met at once or only at the end."""
    environment = {"COMPANION_RECORD": str(tmp_path / "own.db"), "PYTHONPATH": str(TOP)}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "companion", "matches"],
            cwd=tmp_path,
            env=environment,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.strip().splitlines() == [
        "companion: standard output cannot be written: No space left on device"
    ]


def test_a_closed_standard_input_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`companion referee jaws-and-paws <&-`: Python has no standard input then."""
    monkeypatch.setattr(sys, "stdin", None)
    assert run(["referee", "jaws-and-paws"]) == 2
    assert "standard input is closed" in capsys.readouterr().err


def test_a_pipe_is_no_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Reading one to see what it holds would wait for ever."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert run(["matches", "--record", str(pipe)]) == 2
    assert "is no file; name one with --record" in capsys.readouterr().err


@pytest.mark.slow
def test_a_home_that_takes_no_folder_does_not_stop_the_doctor(tmp_path: Path) -> None:
    """A read-only card is one of the things that people call the doctor for."""
    no_folder = tmp_path / "file"
    no_folder.touch()
    environment = {**os.environ, "XDG_CONFIG_HOME": str(no_folder)}
    environment.pop("KIVY_HOME", None)
    done = subprocess.run(
        [sys.executable, "-m", "companion", "doctor", "--json"],
        cwd=TOP,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "fault of its own" not in done.stderr
    assert '"part": "record"' in done.stdout


def test_help_through_a_pipe_is_told_where_help_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is refused like any line that answers nothing; an answer alone gets no such word."""
    for said, told in (("help\nquit\n", 2), ("Jaws\n", 0)):
        monkeypatch.setattr("sys.stdin", io.StringIO(said))
        assert run(["referee", "jaws-and-paws", "--script", "-"]) == (1 if told else 0)
        assert capsys.readouterr().err.count("`companion referee --help` has more") == told


def test_a_demonstration_sees_that_lines_wait_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe with nothing in it, a file and no input at all mean nothing to it."""
    reading, writing = os.pipe()
    with os.fdopen(reading) as pipe, os.fdopen(writing, "w") as other:
        monkeypatch.setattr("sys.stdin", pipe)
        assert not start._is_piped_to()
        other.write("help\n")
        other.flush()
        assert start._is_piped_to()
    assert not start._is_piped_to(), "it is closed"
    for nothing in (None, io.StringIO("help\n")):
        monkeypatch.setattr("sys.stdin", nothing)
        assert not start._is_piped_to()
