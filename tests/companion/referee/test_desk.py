"""The desk at the terminal: who and why, a look before an amend, what stands, what a rule says."""

from __future__ import annotations

import io
import json
import os
import select
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from companion.core.errors import MatchClosed
from companion.core.offers import Stamp
from companion.core.ruling import Cite, Level, Notice, Seat
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.record.record import Record
from companion.referee.script import ScriptLine, Verb, read_line
from ui.terminal.app import run
from ui.terminal.sitting import TerminalSitting
from ui.terminal.voice import PlainVoice

Said = list[dict[str, Any]]
Referee = Callable[..., tuple[int, Said]]
TOP = Path(__file__).parents[3]
STAMP = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
SEATS = ("--seats", "JP=Ana Maria,JG=Bo,PP=Cleo,PG=Dan")
OPENING = "Jaws\nsun: Jaws.GL\nplaced\nJaws: ready\nPaws: ready\n"
"""Up to the first Action Phase."""


@pytest.fixture
def piped(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Referee:
    """Pipes lines into `--script - --json`: exit status and what was said, a dict a line."""
    monkeypatch.setenv("COMPANION_RECORD", str(tmp_path / "own.db"))

    def play(text: str, *more: str, box: str = "jaws-and-paws") -> tuple[int, Said]:
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        status = run(["referee", box, "--script", "-", "--json", *more])
        return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return play


def all_of(said: Said, what: str) -> list[Any]:
    """Everything of one kind that was said."""
    return [line[what] for line in said if what in line]


def entries_of(place: Path) -> list[Any]:
    with Record.open(place) as record:
        return list(record.load(record.find("last")).entries)


# -- who and why ---------------------------------------------------------------------------------


def test_every_verb_keeps_who_and_why(piped: Referee, tmp_path: Path) -> None:
    """The clock's verbs, corrections and challenges alike; `!by` changes the name."""
    place = tmp_path / "kept.db"
    verbs = (
        "!clock pause # phone\n!clock resume # gone\n!clock give 5 # for it\n!clock set 9 # even\n"
        "challenge Paws # a hand\ndecided # none\n!by Ira\n"
        '!adjust {"sun": "Jaws.PL"} # knocked over\n!amend 2 Jaws.PR # so it stood\n!undo # no\n'
    )
    status, _ = piped(OPENING + verbs, "--arbiter", "Judy", "--record", str(place))
    assert status == 0
    told = [(entry.author, entry.reason) for entry in entries_of(place) if entry.reason]
    assert told == [
        *(("Judy", why) for why in ("phone", "gone", "for it", "even", "a hand", "a hand", "none")),
        *(("Ira", why) for why in ("knocked over", "so it stood", "no")),
    ]


def test_undo_takes_the_key_of_a_question(piped: Referee) -> None:
    """A word of the rules names a question to go back to; its end is enough."""
    status, said = piped("Jaws\nsun: Jaws.GL\n!undo set-up/sun # too near\n")
    assert status == 0
    assert all_of(said, "questions")[-1][0]["key"] == "set-up/sun"
    status, said = piped("Jaws\n!undo round-9/ready\n")
    assert status == 1
    assert "No answer in effect was given to round-9/ready" in all_of(said, "refused")[0]["text"]


@pytest.mark.parametrize(("typed", "open_now"), [("yes", "set-up/sun"), ("no", "set-up/toss")])
def test_people_hear_the_rules_word_before_their_answer_counts(
    capsys: pytest.CaptureFixture[str], typed: str, open_now: str
) -> None:
    """The word comes first, then yes or no; what is neither is asked again."""
    match = Match[Any].start(Setup("jaws-and-paws"), STAMP)
    match.open["set-up/toss"].caution = lambda _: Notice(
        "T-SURE", "It was Paws just now.", Cite.of("JP-3.4"), Level.WARN
    )
    voice = PlainVoice(Console(highlight=False))
    sitting = TerminalSitting(
        match, voice, lambda: 0.0, lambda *_: STAMP, source="terminal", files=lambda _: {}
    )
    asked: list[tuple[str, Callable[[str], bool]]] = []
    sitting.ask = lambda question, hand_on: asked.append((question, hand_on))
    sitting.do(read_line("Jaws") or ScriptLine(Verb.ANSWER))
    ((question, hand_on),) = asked
    assert question == "Is that the answer all the same? (yes/no)"
    assert "It was Paws just now." in capsys.readouterr().out
    assert len(match.entries) == 1
    assert not hand_on("perhaps")
    assert hand_on(typed)
    assert list(match.open) == [open_now]


def test_an_undo_says_what_went_with_it(piped: Referee) -> None:
    """Its own line by number, whatever the clock logged beside it, and how many later ones."""
    _, said = piped(OPENING + "!undo # miscounted\n!undo 1 # from the start\n")
    told = [str(line) for line in all_of(said, "done")]
    assert "Line 5 is taken back." in told[0]
    assert "Line 1 is taken back, and with it 3 later lines." in told[-1]


def test_a_match_that_has_ended_is_not_closed_again(piped: Referee) -> None:
    """Its result is changed by undo or amend, which say what they take back."""
    close = '!close {"winners": ["Jaws"], "text": "Paws left."}\n'
    status, said = piped(OPENING + close + close.replace("Jaws", "Paws"))
    assert status == 1
    assert [refused["code"] for refused in all_of(said, "refused")] == ["Q-OVER"]
    assert all_of(said, "outcome")[-1]["winners"] == ["Jaws"]


def _state_of(place: Path) -> tuple[str, tuple[str, ...]]:
    with Record.open(place) as record:
        (line,) = record.matches()
        return str(line.state), tuple(line.winners)


def test_a_match_that_has_ended_is_listed_as_ended(piped: Referee, tmp_path: Path) -> None:
    """Lines that come later change that only where they take the result back."""
    place = tmp_path / "kept.db"
    close = '!close {"winners": ["A"]}\n'
    seats = ("--seats", "A=Ana,B=Ben")
    later = '!adjust {"A.energy": 9}\n!report {"what": "leaves", "player": "Ana"}\n'
    piped(close + close + later, "--record", str(place), *seats, box="starship-edition")
    assert _state_of(place) == ("ended", ("A",))
    again = tmp_path / "again.db"
    piped(close + later + "!undo 1\n", "--record", str(again), *seats, box="starship-edition")
    assert _state_of(again) == ("open", ())


def test_a_restart_goes_on_after_an_outcome_and_says_so(piped: Referee, tmp_path: Path) -> None:
    """The result counts no more; the match is listed as open, and as what it ends with later."""
    place, file = tmp_path / "kept.db", TOP / "companion/games/starship_edition/positions"
    lines = f'!close {{"winners": ["A"]}}\n!restart {file / "preparation.toml"} # resumed\n'
    status, said = piped(lines, "--record", str(place), box="starship-edition")
    assert status == 0
    assert all_of(said, "done") == [
        "The match goes on from the position that was given. The result that stood counts no more."
    ]
    assert all_of(said, "questions")[-1]
    assert _state_of(place) == ("open", ())
    again = tmp_path / "again.db"
    close = '!close {"winners": ["B"]}\n'
    piped(lines + close, "--record", str(again), box="starship-edition")
    assert _state_of(again) == ("ended", ("B",))


def test_the_core_closes_no_match_twice() -> None:
    """Whoever calls it: a terminal, the app, a program."""
    match = Match[Any].start(Setup("starship-edition"), STAMP)
    match.close([Seat("A")], "Time is up.", "", STAMP)
    with pytest.raises(MatchClosed, match="Time is up"):
        match.close([Seat("B")], "", "", STAMP)
    assert len(match.entries) == 2


@pytest.mark.parametrize("verb", ["!undo {}", "!amend {} Paws"])
@pytest.mark.parametrize(
    ("line", "text"),
    [
        (999, "There is no line 999: the last one so far is line 9."),
        (10, "There is no line 10: the last one so far is line 9."),
        (0, "Line 0 is the set-up of the match; a new match is set up otherwise."),
        (6, "Line 6 tells what the clock or a button did, which cannot be undone or amended."),
        (9, "Line 9 is an undo, which cannot be undone or amended."),
        (8, "Line 8 is not in effect: it was undone, or amended away."),
    ],
)
def test_a_line_that_never_was_is_not_said_to_be_undone(
    piped: Referee, verb: str, line: int, text: str
) -> None:
    """How many lines there are, and what is no answer, is said instead."""
    lines = f'{OPENING}!clock pause\n!adjust {{"sun": "Jaws.PL"}}\n!undo\n{verb.format(line)}\n'
    _, said = piped(lines)
    assert [refused["text"] for refused in all_of(said, "refused")] == [text]


@pytest.mark.parametrize(
    ("verbs", "text"),
    [
        ("!clock pause\n!clock pause\n", "The clock stands already, with "),
        ("!clock resume\n", "The clock runs already, with "),
        ("!clock end\n!clock end\n", "No timed phase is open: there is no clock to speak of."),
    ],
)
def test_a_clock_that_stands_or_runs_already_says_so(piped: Referee, verbs: str, text: str) -> None:
    """No verb of the clock is met with silence, and none that does nothing is logged."""
    _, said = piped(OPENING + verbs)
    (refused,) = all_of(said, "refused")
    assert refused["code"] == "Q-CLOCK"
    assert refused["text"].startswith(text)


def test_a_challenge_by_a_name_that_two_seats_bear_asks_which(piped: Referee) -> None:
    """One person on both seats of a team."""
    _, said = piped(OPENING + "challenge Ana\n", "--seats", "JP=Ana,JG=Ana,PP=Cleo,PG=Dan")
    assert "Ana may be Jaws Pilot or Jaws Gunner" in all_of(said, "refused")[0]["text"]


@pytest.mark.parametrize("typed", ["decided", "challenge Zed", "turn-1/move/B: -1,-1 SW", "!undo"])
def test_a_verb_or_an_answer_is_no_arbiters_name(
    capsys: pytest.CaptureFixture[str], typed: str
) -> None:
    """What is typed at that question is not lost as a name; it is asked again."""
    match = Match[Any].start(Setup("jaws-and-paws"), STAMP)
    voice = PlainVoice(Console(highlight=False))
    sitting = TerminalSitting(match, voice, lambda: 0.0, lambda *_: STAMP, source="terminal",
                      files=lambda _: {})  # fmt: skip
    asked: list[Callable[[str], bool]] = []
    sitting.ask = lambda _, hand_on: asked.append(hand_on)
    for line in ("Jaws", "!undo"):
        sitting.do(read_line(line) or ScriptLine(Verb.ANSWER))
    is_name, asked_again = asked[-1](typed), len(asked) > 1
    assert asked_again or not is_name
    assert sitting.arbiter is None
    assert match.entries[-1].kind == "answer"
    assert asked[-1]("Judy")
    assert sitting.arbiter == "Judy"
    assert match.entries[-1].kind == "undo"
    capsys.readouterr()


def test_an_adjustment_says_what_was_and_hands_what_to_do(piped: Referee) -> None:
    """In people's words; the deeds of a correction are said like a ruling."""
    status, said = piped(OPENING + '!adjust {"sun": "Jaws.PL"}\n', *SEATS)
    assert status == 0
    assert all_of(said, "done") == ["The record is corrected: Sun Jaws.PL, was Jaws.GL."]
    (hands,) = all_of(said, "hands")
    assert hands["text"] == "Put the table right: Sun to Jaws.PL."


def test_an_amend_says_what_the_lines_say_that_it_unsettles(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Question and answer beside the number; an amended form in words on both sides."""
    none = "0 0\n"
    script, kept = tmp_path / "match.txt", str(tmp_path / "kept.db")
    lock = f"!clock end\n1 0\n{none * 7}checked\ndrawn\nSH PC\n"
    script.write_text(f"{OPENING}{lock}!amend 9 0 1\n", "utf-8")
    assert run(["referee", "jaws-and-paws", "--script", str(script), "--record", kept]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert (
        "line 18 (Jaws Pilot: how many cards do you discard? Then draw up to 4. — 0) stays" in told
    )
    assert run(["show", "last", "--record", kept]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "Line 9 is amended to “pilot 0, gunner 1”; it had been “pilot 1, gunner 0”." in shown


def test_what_if_shows_and_changes_nothing(piped: Referee) -> None:
    """A script looks with `!whatif`, and puts into effect with `!amend`."""
    status, said = piped(OPENING + "!whatif 2 Jaws.PR\n!stands\n!amend 2 Jaws.PR\n!stands\n")
    assert status == 0
    looked, amended = all_of(said, "revision")
    assert looked == amended
    assert looked["fates"] == {"3": "kept", "4": "kept", "5": "kept"}
    assert looked["rulings"][0]["now"]["text"] == "Jaws place the Sun on Jaws.PR."
    before, after = all_of(said, "stands")
    assert any("Sun on Jaws.GL" in sentence for sentence in before)
    assert any("Sun on Jaws.PR" in sentence for sentence in after)


# -- the words of the terminal -------------------------------------------------------------------


def test_only_the_clock_ends_a_timed_phase(piped: Referee) -> None:
    """`zero` is the clock's own answer; it is neither offered nor taken, `!clock end` is."""
    status, said = piped(OPENING + "zero\nround-1/locked: zero\n!clock end\n")
    assert status == 1
    refused = all_of(said, "refused")
    assert [one["code"] for one in refused] == ["Q-EARLY", "Q-EARLY"]
    assert refused[0]["text"].endswith("the arbiter may let it run out: !clock end.")
    questions = all_of(said, "questions")
    assert [form[0]["options"] for form in questions if form[0]["kind"] == "locked"] == [[]]
    assert questions[-1][0]["key"] == "round-1/lock/jaws/1"


def test_an_answer_in_a_form_is_echoed(piped: Referee) -> None:
    """What was taken down, and how many of how many are told."""
    _, said = piped(OPENING + "!clock end\njaws/1: 1 0\npaws/2: 0 1\n")
    assert all_of(said, "told")[-2:] == [
        {
            "key": "round-1/lock/jaws/1",
            "words": "Jaws section 1: pilot 1, gunner 0",
            "told": 1,
            "of": 9,
        },
        {
            "key": "round-1/lock/paws/2",
            "words": "Paws section 2: pilot 0, gunner 1",
            "told": 2,
            "of": 9,
        },
    ]


def test_a_rule_is_found_by_its_number_and_by_its_words(piped: Referee) -> None:
    """By number the paragraph alone; by words the nearest, as the app's search has them."""
    status, said = piped("rule JP-9.3\nrule jp-9.3\n!rule xylophone\nrule sun\n")
    assert status == 1
    first, again, by_words = all_of(said, "paragraphs")
    assert [one["rule"] for one in first] == ["JP-9.3"]
    assert first == again
    assert len(by_words) == 3
    (refused,) = all_of(said, "refused")
    assert refused["code"] == "Q-NAME"


def test_a_challenge_stops_the_clock_until_it_is_decided(piped: Referee) -> None:
    """As the button: the clock stands, the log keeps it, and what to do next is said."""
    status, said = piped(OPENING + "challenge Dan\nchallenge\ndecided\ndecided\n", *SEATS)
    assert status == 1
    paused, opened, way, decided, goes_on = all_of(said, "done")
    assert paused.startswith("The clock was paused with ")
    assert opened.startswith("A challenge is open, by Dan; the clock stands with ")
    assert way.endswith("or leave it as it is, then say `decided`.")
    assert decided == "The challenge by Dan is decided."
    assert goes_on.startswith("The clock was started again with ")
    assert [one["text"] for one in all_of(said, "refused")] == [
        "A challenge is open already; `decided` ends it.",
        "No challenge is open; `challenge` opens one.",
    ]


def test_what_stands_is_told_in_sentences(piped: Referee) -> None:
    """Round, who has what, where pieces stand, and what is asked."""
    _, said = piped(OPENING + "stands\n", *SEATS)
    (stands,) = all_of(said, "stands")
    assert stands[0] == "Round 1, action."
    assert "Jaws Pilot Ana Maria: Deck 26, Hand 4, Discard 0, Scrap 0, Track 0." in stands
    assert stands[-1] == "Asked: Lay cards face down on your own track, one a section."


def test_names_with_blanks_are_understood_wherever_a_seat_stands(piped: Referee) -> None:
    """Before an answer, in an adjustment, in a report, in who won."""
    late = '!report {"what": "late card", "player": "Ana Maria", "section": 4}\n'
    lock = f"!clock end\njaws/1: 1 0\n{late}paws/1: 0 1\nchecked\nana maria: 1\nBo: 0\n"
    verbs = '!adjust {"Ana Maria.deck": 25, "Ana Maria.scrap": 1}\n!close {"winners": ["Jaws"]}\n'
    status, said = piped(OPENING + lock + verbs, *SEATS)
    assert all_of(said, "refused") == []
    assert all_of(said, "done")[-1] == (
        "The record is corrected: Jaws Pilot Ana Maria: deck 25, was 26; "
        "Jaws Pilot Ana Maria: scrap 1, was 0."
    )
    assert [told["words"] for told in all_of(said, "told")][-2:] == [
        "Jaws Pilot Ana Maria: 1",
        "Jaws Gunner Bo: 0",
    ]
    assert status == 0


def test_who_is_asked_is_told_by_name(piped: Referee) -> None:
    """Not a word of letters and keys."""
    _, said = piped("Bo: 3\nMoritz: 3\n", *SEATS)
    assert [one["text"] for one in all_of(said, "refused") if one["code"] == "Q-WHOM"][-1] == (
        "'Moritz' is not asked now; the table is: "
        "Who last petted a dog flips a coin. Which team wins the toss?"
    )


# -- a pipe --------------------------------------------------------------------------------------


def test_a_bad_line_in_a_pipe_is_refused_and_the_next_is_played(piped: Referee) -> None:
    """A file is read whole first; a pipe cannot be."""
    status, said = piped("Jaws\n!dance\nJaws.GL\n")
    assert status == 1
    (refused,) = all_of(said, "refused")
    assert refused["code"] == "Q-LINE"
    assert refused["text"].startswith("!dance is no verb")
    assert all_of(said, "questions")[-1][0]["key"] == "set-up/placed"
    assert list(said[-1]) == ["position"]


def test_a_program_referees_through_a_pipe(tmp_path: Path) -> None:
    """Each line is answered before the next is sent; the position comes at the end."""
    call = ("referee", "jaws-and-paws", "--script", "-", "--json")
    program = subprocess.Popen(
        [sys.executable, "-m", "companion", *call],
        cwd=TOP,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "COMPANION_RECORD": str(tmp_path / "own.db")},
    )
    assert program.stdin is not None
    assert program.stdout is not None

    def heard() -> dict[str, Any]:
        assert program.stdout is not None
        ready, _, _ = select.select([program.stdout], [], [], 60.0)
        assert ready, "nothing was said in time"
        said: dict[str, Any] = json.loads(program.stdout.readline())
        return said

    try:
        assert heard()["questions"][0]["key"] == "set-up/toss"
        for line, key in (("Jaws", "set-up/sun"), ("!dance", ""), ("lot", "")):
            program.stdin.write(f"{line}\n".encode())
            program.stdin.flush()
            said = heard()
            if key:
                assert said["questions"][0]["key"] == key
            else:
                assert said["refused"]["text"]
        program.stdin.close()
        assert "position" in heard()
        assert program.wait(60) == 1
    finally:
        program.kill()
        program.stdout.close()


def test_an_answer_may_be_what_the_protocol_and_the_screen_call_it(piped: Referee) -> None:
    """A label with a colon names nobody, and what stands above a key may be said with it."""
    drawn = "!clock end\njaws/1: 1 0\nchecked\ndrawn\n"
    status, said = piped(OPENING + drawn + "own plane Right\n")
    assert (status, all_of(said, "refused")) == (0, [])
    seats = ("--seats", "A=Ana,B=Ben,C=Cleo,D=Dan")
    hexes = "lot\n87\nAna\n1,4 W\n4,-5 SE\n1,-5 E\n5,-2 E\n" + "down\n" * 4 + "stay\n" * 4
    status, said = piped(
        f"{hexes}Shield: no draw\nBen: Shield: no draw\n", *seats, box="dogfight-hex"
    )
    assert [one["words"] for one in all_of(said, "told")][-2:] == [
        "Ana: Shield: no draw",
        "Ben: Shield: no draw",
    ]


@pytest.mark.parametrize(
    ("box", "seats", "name", "told"),
    [
        ("starship-edition", "A=Ana,B=Ben", "hand", "near it are Ana.hand and Ben.hand"),
        ("starship-edition", "A=Ana,B=Ben", "Ana.hul", "near it are Ana.hull and Ben.hull"),
        ("dogfight-1917", "A=Ana,B=Ben", "tokens", "near it are Ana.tokens and Ben.tokens"),
        ("jaws-and-paws", SEATS[1], "Dan.decks", "near it are Dan.deck, Ana Maria.deck, B"),
        (
            "starship-edition",
            "A=Ana,B=Ben",
            "moon",
            "active, tier, vessel-a, vessel-b, Ana.energy, Ana.deck and 61 more",
        ),
    ],
)
def test_a_name_that_nobody_bears_is_answered_with_the_near_ones(
    piped: Referee, box: str, seats: str, name: str, told: str
) -> None:
    """By people's names, and no more than eight."""
    _, said = piped(f'!adjust {{"{name}": 5}}\n', "--seats", seats, box=box)
    (refused,) = all_of(said, "refused")
    assert told in refused["text"]


def test_how_many_more_faults_there_are_is_a_sentence(piped: Referee) -> None:
    """The first fault in words, then the count of the others."""
    changes = '!adjust {"A.hand": 5, "B.hand": 5}\n'
    _, said = piped(changes, "--seats", "A=Ana,B=Ben", box="starship-edition")
    (refused,) = all_of(said, "refused")
    assert refused["code"] == "Q-POSITION"
    assert refused["text"].endswith(" Change another pile with this one. There is 1 more fault.")


# -- what lifts a block --------------------------------------------------------------------------

HAND = '!report {"what": "recount", "player": "Ana", "pile": "hand", "count": %s}\n'


@pytest.mark.parametrize(
    ("way", "settles"),
    [
        (HAND % 7, True),
        ('!adjust {"A.hand": 6, "A.deck": 34}\n', True),
        ('!report {"what": "solved", "code": "SE-E-COUNT"}\n', True),
        ("!undo\n", True),
        (HAND % 5, False),
        ('!adjust {"B.hand": 6, "B.deck": 34}\n', False),
    ],
)
def test_a_block_of_a_count_is_lifted_once_table_and_record_agree(
    piped: Referee, way: str, *, settles: bool
) -> None:
    """By a new count as recorded and by an adjustment to what was counted; by word; by an undo."""
    lines = HAND % 6 + way + "A\n"
    _, said = piped(lines, "--seats", "A=Ana,B=Ben", box="starship-edition")
    assert [line["code"] for line in all_of(said, "refused")] == ([] if settles else ["SE-E-COUNT"])


def test_a_settled_block_is_told_and_may_be_said_to_be_solved_again(piped: Referee) -> None:
    """A log of before, in which people had to say so besides, goes on as it did."""
    solved = '!report {"what": "solved", "code": "SE-E-COUNT"}\n'
    lines = HAND % 6 + HAND % 7 + solved + "A\n"
    status, said = piped(lines, "--seats", "A=Ana,B=Ben", box="starship-edition")
    assert status == 0
    assert "it holds nothing up any more" in str(all_of(said, "notice")[-1])


def test_every_refusal_of_a_block_names_all_ways_out(piped: Referee) -> None:
    """The second one like the first."""
    lines = HAND % 6 + "A\nA\n"
    _, said = piped(lines, "--seats", "A=Ana,B=Ben", box="starship-edition")
    first, second = (line["text"] for line in all_of(said, "refused"))
    assert first == second
    assert first == (
        "Ana has hand 6; the record has 7. Play goes on when somebody looks again and reports "
        "what the record has, when the arbiter corrects the record to what was reported or undoes "
        "the report, or when the arbiter says that it is solved (report solved, code SE-E-COUNT)."
    )
