"""`companion referee`: whole matches by script, what is said as JSON, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.match.entry import Entry
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP, bots_of, play_out
from companion.record.record import Record
from tests.ui.terminal.conftest import DRAWN, LOCK, OPENING
from ui.terminal.app import run

Said = list[dict[str, Any]]
Referee = Callable[..., tuple[int, Said]]


@pytest.fixture
def referee(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Referee:
    """Runs a script with --json: exit status and what was said, a dict a line."""
    monkeypatch.delenv("COMPANION_RECORD", raising=False)

    def play(text: str, *more: str) -> tuple[int, Said]:
        script = tmp_path / "script.txt"
        script.write_text(text)
        status = run(["referee", "jaws-and-paws", "--script", str(script), "--json", *more])
        return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return play


def all_of(said: Said, what: str) -> list[Any]:
    """Everything of one kind that was said."""
    return [line[what] for line in said if what in line]


def bots_script(seed: int) -> tuple[str, Match[Any]]:
    """A whole match that bots play, written as a script by the keys of its questions."""
    setup = Setup("jaws-and-paws", ("day",))
    match = Match[Any].start(setup, STAMP)
    play_out(match, bots_of(setup, Random(seed)))
    answers = [e for e in match.entries if e.kind == "answer"]
    return "".join(map(script_line, answers)), match


def script_line(entry: Entry) -> str:
    """What a script has for an answer; the clock's own zero is the arbiter's word there."""
    if entry.answer == "zero":
        return "!clock end\n"
    return f"{entry.key}: {json.dumps(entry.answer)}\n"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_whole_match_by_script_ends_as_it_was_played(referee: Referee, seed: int) -> None:
    """Every ruling in order, the outcome, then the position; exit 0."""
    script, match = bots_script(seed)
    status, said = referee(script)
    assert status == 0
    rulings = [{"text": ruling.text, "cite": str(ruling.cite)} for ruling in match.rulings]
    assert all_of(said, "ruling") == rulings
    assert match.outcome is not None
    assert all_of(said, "outcome") == [
        {
            "winners": [str(winner) for winner in match.outcome.winners],
            "text": match.outcome.ruling.text,
            "cite": str(match.outcome.ruling.cite),
        }
    ]
    assert list(said[-1]) == ["position"]
    assert not all_of(said, "refused")


def test_questions_are_said_each_time_the_open_ones_change(referee: Referee) -> None:
    """With key, kind, seat, cite, prompt and the names of the options; a form in one line."""
    status, said = referee(OPENING)
    assert status == 0
    asked = all_of(said, "questions")
    assert [[question["key"] for question in form] for form in asked] == [
        ["set-up/toss"],
        ["set-up/sun"],
        ["set-up/placed"],
        ["round-1/ready/jaws", "round-1/ready/paws"],
        ["round-1/locked"],
    ]
    sun = asked[1][0]
    assert list(sun) == ["key", "kind", "by", "cite", "prompt", "options"]
    assert (sun["kind"], sun["by"], sun["cite"]) == ("choose", "Jaws", "JP-3.5")
    assert len(sun["options"]) == 11
    assert "Paws.PC" not in sun["options"]


def test_an_answer_without_a_name_goes_to_the_first_open_question(referee: Referee) -> None:
    """Nine questions at the lock, answered in their order; nobody is named."""
    status, said = referee(OPENING + LOCK + DRAWN)
    assert status == 0
    (file,) = all_of(said, "position")
    assert file["players"]["JP"]["played"] == 1
    assert file["stage"] == "section-1"


def test_people_are_asked_and_named_by_their_names(referee: Referee) -> None:
    """Whoever is called so by nobody else; an option, too, by what a screen calls it."""
    seats = "--seats JP=Ana,JG=Bo,PP=Dan,PG=Dan"
    script = OPENING + "!clock end\n1 0\n0 1\nchecked\nana: 1\nBo: 0\nDan: 2\n"
    status, said = referee(script, *seats.split())
    (refused,) = all_of(said, "refused")
    assert (status, refused["code"]) == (1, "Q-WHOM")
    assert refused["text"] == "Dan may be Paws Pilot or Paws Gunner: say which seat."
    waiting = all_of(said, "questions")[-1]
    assert [question["by"] for question in waiting[-3:]] == ["PP", "PG", "table"]


def test_a_word_that_one_question_waits_for_goes_there(referee: Referee) -> None:
    """Who has nothing to tell of eight sections says that the tracks are checked."""
    status, said = referee(OPENING + "!clock end\n1 0\nchecked\nDRAWN\n")
    assert (status, all_of(said, "refused")) == (0, [])
    (file,) = all_of(said, "position")
    assert (file["stage"], file["players"]["JP"]["played"]) == ("section-1", 1)


def test_a_card_that_is_none_is_told_those_that_may_be_answered(referee: Referee) -> None:
    """Not the names of cards without a half, which would be refused in their turn."""
    script = OPENING + "!clock end\n1 0\nchecked\ndrawn\nMPX\n"
    status, said = referee(script)
    (refused,) = all_of(said, "refused")
    named = refused["text"].partition("there are ")[2].removesuffix(".").split(", ")
    assert status == 1
    assert "MPL own" in named
    assert "MPL" not in named
    assert set(named) == set(all_of(said, "questions")[-1][0]["options"])


def test_a_seat_a_title_a_key_or_its_ending_names_the_question(referee: Referee) -> None:
    """The same form answered out of order by each way to name a question."""
    lock = "!clock end\n" + "".join(
        f"{to}: 0 0\n"
        for to in ("paws/4", "round-1/lock/paws/3", "Paws", "PAWS/2", "Jaws", "jaws/2", "jaws/3")
    )
    status, said = referee(OPENING + lock + "4: 0 0\n" + "lock/jaws/4: 0 1\ntable: checked\n")
    refused = all_of(said, "refused")
    assert len(refused) == 1, refused
    assert "may be any of round-1/lock/jaws/4, round-1/lock/paws/4" in refused[0]["text"]
    assert status == 1
    assert all_of(said, "questions")[-1][0]["key"] == "round-1/discard/JP"


def test_whoever_is_of_a_team_answers_for_it(referee: Referee) -> None:
    """Either teammate says that the team is ready, by name or code; a solo player for each hand."""
    opening = "Ana\nBen: Jaws.GL\nplaced\nBen: ready\nPP: ready\n"
    _, said = referee(opening, "--seats", "JP=Ana,JG=Ben,PP=Cleo,PG=Dan")
    assert not all_of(said, "refused")
    assert all_of(said, "questions")[-1][0]["key"] == "round-1/locked"
    alone = ("--variant", "two-players", "--seats", "JP=Ana,PP=Cleo")
    laid = "!clock end\nlock/jaws/1: 1 0\nlock/jaws/2: 0 1\nchecked\nAna: 1\nAna: 0\n"
    _, said = referee("Ana\nAna: Jaws.GL\nplaced\nAna: ready\nCleo: ready\n" + laid, *alone)
    assert not all_of(said, "refused")


def test_a_form_is_revised_until_it_closes(referee: Referee) -> None:
    """An answer already given is changed by its key; the last one counts."""
    lock = "!clock end\n" + "0 0\n" * 8 + "jaws/1: 0 1\nchecked\n"
    status, said = referee(OPENING + lock)
    assert status == 0
    (file,) = all_of(said, "position")
    assert (file["players"]["JG"]["hand"], file["players"]["JP"]["hand"]) == (3, 4)


@pytest.mark.parametrize(
    ("line", "code", "cite"),
    [
        ("sun: Paws.PC", "JP-E01", "JP-3.5"),
        ("sun: Mars", "Q-NAME", "JP-3.5"),
        ("JP: 3", "Q-NAME", "JP-3.5"),
        ("PP: 3", "JP-NOT-ASKED", "JP-3.5"),
        ("Nobody: 3", "Q-WHOM", ""),
        ("round-9/locked: zero", "Q-GONE", ""),
        ("!undo 99", "Q-CALL", ""),
        ("!amend 99 Jaws", "Q-CALL", ""),
        ("!clock pause", "Q-CLOCK", ""),
        ('!adjust {"moon": 1}', "Q-CALL", ""),
        ('!adjust {"JP.deck": 29}', "Q-POSITION", "JP-21.1"),
        ('!report {"what": "weather"}', "Q-CALL", ""),
        ('!close {"winners": ["Cats"]}', "Q-CALL", ""),
        ('!close {"winners": "Jaws"}', "Q-CALL", ""),
        ('!adjust {"sun": 7}', "Q-CALL", ""),
        ('!adjust {"JP.deck": "many"}', "Q-CALL", ""),
    ],
)
def test_what_is_refused_is_said_and_changes_nothing(
    referee: Referee, line: str, code: str, cite: str
) -> None:
    """Code, words and rule; the script goes on, and the exit status is 1 at its end."""
    _, without = referee("Jaws\nJaws.GL\n")
    status, said = referee(f"Jaws\n{line}\nJaws.GL\n")
    assert status == 1
    (refused,) = all_of(said, "refused")
    assert refused["text"]
    assert (refused["code"], refused["cite"]) == (code, cite)
    assert [entry for entry in said if "refused" not in entry] == without


def test_the_rule_of_an_impossible_position_is_named_once(referee: Referee) -> None:
    """Beside the words, as for every refusal, and not among them too."""
    _, said = referee('Jaws\n!adjust {"JP.deck": 29}\n')
    (refused,) = all_of(said, "refused")
    assert refused["cite"] == "JP-21.1"
    assert "JP-21.1" not in refused["text"]


def test_a_bad_line_plays_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A script is read whole before its first answer is given."""
    script = tmp_path / "script.txt"
    script.write_text("Jaws\n!dance\n")
    assert run(["referee", "jaws-and-paws", "--script", str(script), "--json"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == (
        f"companion: {script}: line 2: !dance is no verb; there are !undo, !amend, !adjust, "
        "!clock, !report, !restart, !close, !challenge, !claim, !decided, "
        "!undecided, !by, !whatif, !stands, !would, !rule\n"
    )


# -- the arbiter and the clock -------------------------------------------------------------------


def test_undo_asks_again(referee: Referee) -> None:
    """Back to before the last answer; the question stands open afresh."""
    status, said = referee("Jaws\nJaws.GL\n!undo # misplaced\nJaws.PL\n")
    assert status == 0
    asked = [form[0]["key"] for form in all_of(said, "questions")]
    assert asked == ["set-up/toss", "set-up/sun", "set-up/placed", "set-up/sun", "set-up/placed"]
    (file,) = all_of(said, "position")
    assert file["since"][-1] == {"key": "set-up/sun", "answer": "Jaws.PL"}


def test_amend_says_only_the_rulings_that_are_new(referee: Referee) -> None:
    """The toss is kept, the Sun amended: one ruling changes, the starting hands do not."""
    status, said = referee("Jaws\nJaws.GL\n!amend 2 Jaws.PR # it stood there\n")
    assert status == 0
    texts = [ruling["text"] for ruling in all_of(said, "ruling")]
    assert texts == [
        "Jaws place the Sun on Jaws.GL.",
        "Every player draws 4 cards: Deck 26, hand 4.",
        "Jaws place the Sun on Jaws.PR.",
    ]


def test_adjust_report_restart_and_close(referee: Referee, tmp_path: Path) -> None:
    """Quantities set together, a report's notice, a position given, the match closed."""
    first = referee(OPENING)[1][-1]["position"]
    (tmp_path / "given.json").write_text(json.dumps(first))
    status, said = referee(
        "Jaws\nJaws.GL\n"
        '!adjust {"sun": "Paws.GC"} # it was knocked over\n'
        '!report {"what": "token", "piece": "sun", "zone": "Paws.GR"} # look\n'
        "!restart given.json # power cut\n"
        '!close {"winners": ["Jaws"], "text": "Paws give up."} # late\n'
    )
    assert status == 0
    (notice,) = all_of(said, "notice")
    assert (notice["code"], list(notice)) == ("JP-E11", ["code", "level", "text", "cite"])
    assert notice["text"].endswith("it was placed on Paws.GC. Put it on Paws.GC.")
    assert all_of(said, "questions")[-1][0]["key"] == "round-1/locked"
    (outcome,) = all_of(said, "outcome")
    assert (outcome["winners"], outcome["text"]) == (["Jaws"], "Paws give up.")


def test_a_word_about_a_legal_answer_is_said_before_what_follows(referee: Referee) -> None:
    """JP-E66: a Pilot's card that shoots at a Gunner's zone is accepted, with a note."""
    status, said = referee(OPENING + LOCK + DRAWN + "Jaws: SH GC\n")
    (notice,) = all_of(said, "notice")
    assert (status, notice["code"], notice["level"]) == (0, "JP-E66", "note")
    assert "accepted" not in notice["text"]
    assert notice["text"].endswith("differ, but no rule forbids such a card.")
    follows = said[said.index({"notice": notice}) + 1]
    assert "Shoot GC misses" in follows["ruling"]["text"]


def test_a_missing_restart_file_plays_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "script.txt"
    script.write_text("Jaws\n!restart none.toml\n")
    assert run(["referee", "jaws-and-paws", "--script", str(script)]) == 2
    assert "none.toml: cannot be read" in capsys.readouterr().err


def test_the_clock_is_paused_given_time_and_run_out(referee: Referee, tmp_path: Path) -> None:
    """No script waits: `!clock end` lets the phase come to its zero, and the log tells it all."""
    place = tmp_path / "record.db"
    verbs = ("pause # phone", "resume", "give 5", "set 30", "end")
    script = OPENING + "".join(f"!clock {verb}\n" for verb in verbs) + "0 0\n"
    status, said = referee(script, "--record", str(place))
    assert status == 0
    assert all_of(said, "questions")[-1][0]["key"] == "round-1/lock/jaws/1"
    with Record.open(place) as record:
        entries = record.load(record.find("last")).entries
    clock = [entry.answer for entry in entries if entry.kind == "clock"]
    events = [event["event"] for event in clock if isinstance(event, dict)]
    assert events == ["started", "paused", "resumed", "given", "set", "ended"]
    paused = next(entry for entry in entries if entry.kind == "clock" and entry.reason)
    assert paused.reason == "phone"
    zero = next(entry for entry in entries if entry.answer == "zero")
    assert zero.source == "clock"
    assert zero.match_s == pytest.approx(30.0, abs=3.0)


# -- beginning in the middle ---------------------------------------------------------------------


def test_a_match_goes_on_from_its_own_position(referee: Referee, tmp_path: Path) -> None:
    """The position said at the end of one script begins the next, the open answers included."""
    script, match = bots_script(4)
    lines = script.splitlines(keepends=True)
    for at in (2, 20, 41):
        _, before = referee("".join(lines[:at]))
        file = tmp_path / "position.json"
        file.write_text(json.dumps(all_of(before, "position")[0]))
        status, after = referee("".join(lines[at:]), "--position", str(file))
        assert status == 0
        assert match.outcome is not None
        assert all_of(after, "outcome")[0]["text"] == match.outcome.ruling.text


def test_a_position_may_be_toml(referee: Referee, tmp_path: Path) -> None:
    """As a person writes it; what is left out stands at its default."""
    file = tmp_path / "position.toml"
    file.write_text(
        'stage = "action"\nround = 3\nsun = "Jaws.GL"\n'
        + "".join(
            f"[players.{p}]\ndeck = 20\nhand = 4\nscrap = 6\n" for p in ("JP", "JG", "PP", "PG")
        )
    )
    status, said = referee("", "--position", str(file))
    assert status == 0
    assert all_of(said, "questions")[0][0]["key"] == "round-3/ready/jaws"


def test_options_seats_and_data_are_the_matchs(referee: Referee, tmp_path: Path) -> None:
    """What the call names stands in the match's first line, as the switch means it."""
    place = tmp_path / "record.db"
    call = ["--option", "timer_s=45", "--option", "public_counts=FALSE"]
    call += [
        "--seats",
        "jp=Ana, PG = Dan,JG=Bo,PP=Cleo",
        "--variant",
        "day",
        "--record",
        str(place),
    ]
    status, _ = referee("Jaws\n", *call)
    assert status == 0
    with Record.open(place) as record:
        setup = record.load(record.find("last")).setup
    assert setup.options == {"timer_s": 45, "public_counts": False}
    assert setup.seats == {"JP": "Ana", "PG": "Dan", "JG": "Bo", "PP": "Cleo"}


def test_an_untimed_phase_ends_at_the_players_word(referee: Referee) -> None:
    """`timer_s=none`: no clock, and four words."""
    locked = "JP: locked\nJG: locked\nPP: locked\nPG: locked\n"
    status, said = referee(OPENING + locked, "--option", "timer_s=none")
    assert status == 0
    assert all_of(said, "questions")[-1][0]["key"] == "round-1/lock/jaws/1"


# -- through a pipe, and for people --------------------------------------------------------------


def test_a_script_is_recorded_only_where_a_record_is_named(
    referee: Referee, tmp_path: Path
) -> None:
    """A trial leaves no trace; with --record every confirmed line is on disk."""
    place = tmp_path / "record.db"
    referee("Jaws\n")
    assert not place.exists()
    referee("Jaws\nJaws.GL\nJaws\n", "--record", str(place))
    with Record.open(place) as record:
        (line,) = record.matches()
    assert line.entries == 3


# -- going on ------------------------------------------------------------------------------------


def test_a_match_taken_up_again_repeats_only_reports_that_still_stand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the line of each; what was as recorded when it was counted is no news later."""
    place, script = str(tmp_path / "record.db"), tmp_path / "script.txt"
    script.write_text(
        'camel\nfokker\nplaced\n!report {"what": "drew", "player": "B", "count": 2}\n'
        '!report {"what": "tokens", "player": "A", "count": 0}\n'
    )
    heard = ""
    calls = (["dogfight-1917", "--arbiter", "Judy"], ["--resume", "last"])
    for call in calls:
        assert run(["referee", *call, "--script", str(script), "--record", place]) == 0
        heard = capsys.readouterr().out
        script.write_text("\n")
    told = [row for row in heard.splitlines() if row.startswith("!")]
    assert len(told) == 1
    assert "Since line 4: Player B drew 2 cards beyond what was ruled." in " ".join(told)


@pytest.mark.slow
def test_a_match_of_the_record_goes_on_where_it_was_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--resume`: the next script's answers follow the lines on disk, and say only what is new."""
    place, script, match = str(tmp_path / "record.db"), *bots_script(3)
    lines = script.splitlines(keepends=True)
    half = len(lines) // 2
    said: list[Said] = []
    for part, call in ((lines[:half], ["jaws-and-paws"]), (lines[half:], ["--resume", "last"])):
        (tmp_path / "script.txt").write_text("".join(part))
        script_of_it = ["--script", str(tmp_path / "script.txt"), "--json", "--record", place]
        assert run(["referee", *call, *script_of_it]) == 0
        said.append([json.loads(line) for line in capsys.readouterr().out.splitlines()])
    rulings = [ruling["text"] for part in said for ruling in all_of(part, "ruling")]
    assert rulings == [ruling.text for ruling in match.rulings]
    assert match.outcome is not None
    assert all_of(said[1], "outcome")[0]["text"] == match.outcome.ruling.text
    with Record.open(place) as record:
        (line,) = record.matches()
    assert line.state == "ended"
