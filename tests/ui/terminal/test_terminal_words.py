"""What the terminal says and writes down: whose answer it is, what was passed over, how it is read.

Scripts are played as people type them; what they read is held against whole sentences.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.ruling import Seat
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP, bots_of, play_out
from companion.referee.script import read_line
from ui.terminal.app import run

HEX_PEOPLE = "A=Ana,B=Ben,C=Cas,D=Dee"
PEOPLE_1917 = "A=Ana,B=Ben"
Play = Callable[..., str]


def bots_answers(box: str, seed: int) -> list[tuple[str, Any]]:
    """What bots answer in a whole match, by the keys of its questions."""
    setup = Setup(box, ("base",) if box == "dogfight-1917" else ())
    match = Match[Any].start(setup, STAMP)
    play_out(match, bots_of(setup, Random(seed)))
    return [(entry.key, entry.answer) for entry in match.entries if entry.kind == "answer"]


def bots_script(box: str, seed: int, before: str = "", then: str = "") -> str:
    """Those answers down to a question whose key ends so, and the next one's so (empty: all)."""
    answers = bots_answers(box, seed)
    pairs = enumerate(pairwise(key for key, _ in answers))
    ends = (at for at, (one, other) in pairs if one.endswith(before) and other.endswith(then))
    taken = answers[: next(ends)] if before else answers
    lines = (
        "!clock end" if said == "zero" else f"{key}: {json.dumps(said)}" for key, said in taken
    )
    return "".join(f"{line}\n" for line in lines)


@pytest.fixture
def play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Play:
    """Types a script at a terminal, kept in a record of its own: what people read of it."""
    monkeypatch.setenv("COLUMNS", "400")

    def typed(script: str, box: str, *more: str) -> str:
        file = tmp_path / "script.txt"
        file.write_text(script)
        record = str(tmp_path / "record.db")
        run(["referee", box, "--script", str(file), "--record", record, *more])
        return capsys.readouterr().out

    return typed


@pytest.fixture
def show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """The protocol of the match that was played last."""

    def shown(*more: str) -> str:
        run(["show", "last", "--record", str(tmp_path / "record.db"), *more])
        return capsys.readouterr().out

    return shown


Show = Callable[..., str]


def lines_of(text: str) -> list[dict[str, Any]]:
    """The lines of a protocol as JSON."""
    said = [json.loads(line) for line in text.splitlines()]
    return [line["line"] for line in said if "line" in line]


def test_an_answer_behind_an_optional_question_has_its_author_and_says_what_was_passed(
    play: Play, show: Show
) -> None:
    """Nobody rolls again; Ben's Evade is Ben's, and the silence before it is told."""
    script = bots_script("dogfight-1917", 3, "/fire/again-1", "/evade")
    said = play(script + "evade: pass\n", "dogfight-1917", "--seats", PEOPLE_1917)
    assert "Nobody took “Ana: " in said
    assert "”; it is passed. !undo" in said
    silence, evade = lines_of(show("--json"))[-2:]
    assert evade["key"].endswith("/evade")
    assert (evade["by"], evade["who"]) == ("B", "Ben")
    assert (silence["by"], silence["who"]) == ("A", "Ana")


JAWS_PEOPLE = "JP=Ana,JG=Bo,PP=Cleo,PG=Dan"
OPENING = "Jaws\nJaws.GL\nplaced\nJaws: ready\nPaws: ready\n"
"""Jaws & Paws up to the first Action Phase."""


def authors_of(lines: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    """Of each line of the clock and of the arbiter: what it tells, its code, its name."""
    kinds = ("clock", "undo", "adjust")
    return [(line["told"], line["by"], line["who"]) for line in lines if line["kind"] in kinds]


def test_each_kind_of_line_has_its_author_in_text_in_a_file_and_as_json(
    play: Play, show: Show, tmp_path: Path
) -> None:
    """Cleo's challenge is hers; what Judy does is the arbiter's; the clock starts by itself."""
    script = (
        "challenge Cleo\ndecided\n" + OPENING + "!clock pause\nchallenge\ndecided\n"
        "!by Judy\nchallenge Cleo\ndecided # looked it up\n!clock end\n!undo\n"
    )
    play(script, "jaws-and-paws", "--seats", JAWS_PEOPLE)
    lines = authors_of(lines_of(show("--json")))
    assert lines[0] == ("A challenge is open, by Cleo.", "PP", "Cleo")
    assert lines[1] == ("The challenge by Cleo is decided.", "table", "the table")
    assert [(by, who) for told, by, who in lines if told.startswith("The clock started")] == [
        ("clock", "the clock")
    ]
    assert [(by, who) for told, by, who in lines if "paused with" in told] == [
        ("table", "the table")
    ]
    judys = [(by, who) for _, by, who in lines if who == "Judy"]
    assert judys == [("arbiter", "Judy")] * len(judys)
    assert len(judys) >= 4
    told = show()
    assert "A challenge is open, by Cleo.  (Cleo)" in told
    assert "The challenge by Cleo is decided by Judy. Reason: looked it up  (Judy, " in told
    assert "()" not in told
    file = tmp_path / "protocol.txt"
    show("--out", str(file))
    assert file.read_text().startswith(told)  # and then the paragraphs that it cites


# -- what stands ---------------------------------------------------------------------------------


def said_of(said: str, what: str) -> list[Any]:
    """Everything of one kind that was said as JSON."""
    return [line[what] for line in map(json.loads, said.splitlines()) if what in line]


def stands_in(said: str) -> list[list[str]]:
    """The sentences of each `stands`."""
    return said_of(said, "stands")


def test_what_stands_names_an_open_challenge_and_a_clock_that_stands(play: Play) -> None:
    """What holds play up comes first, with its way out; then pieces, then what people have."""
    script = OPENING + "!clock pause\nstands\n!clock resume\nchallenge Cleo\nstands\n"
    paused, disputed = stands_in(play(script, "jaws-and-paws", "--seats", JAWS_PEOPLE, "--json"))
    assert paused[1].startswith("The clock stands with ")
    assert paused[1].endswith(" s left; !clock resume starts it.")
    assert disputed[1] == "A challenge by Cleo is open: say `decided` to end it."
    assert disputed[2].startswith("The clock stands with ")
    assert disputed[2].endswith(" s left until the challenge is decided.")
    assert disputed[3].startswith("On the boards: Jaws plane on Paws.PC")
    assert disputed[4] == "Jaws Pilot Ana: Deck 26, Hand 4, Discard 0, Scrap 0, Track 0."
    assert disputed[8] == "Has the Sun: Jaws, Sun cards first: Jaws."


def test_what_stands_names_a_block_and_its_way_out(play: Play) -> None:
    """Nothing goes on until it is solved: the line that lifts it stands in `stands`, too."""
    script = bots_script("dogfight-1917", 3, "/evade")
    missing = '!report {"what": "missing", "player": "Ben"}\nstands\n'
    told = play(script + missing, "dogfight-1917", "--seats", PEOPLE_1917, "--json")
    (stands,) = stands_in(told)
    assert stands[1] == "Turn of: Ana."
    assert stands[2].startswith("Ben's Fighter is not on the board; it has not crashed. Put it")
    assert stands[2].endswith('Then lift it: !report {"what": "solved", "code": "DF-E04"}')
    assert stands[4].startswith("Ana: Damage 0, Deck ")


def test_nothing_is_told_of_what_nobody_counted(play: Play) -> None:
    """While the table is set up, cards nobody has drawn are no "Hand 0", no lot has an owner."""
    told = play("stands\n", "talespin-dogfight", "--seats", "A=Ana,B=Ben", "--json")
    (start,) = stands_in(told)
    assert not any("0" in line for line in start)
    (start,) = stands_in(play("stands\n", "starship-edition", "--seats", "A=Ana,B=Ben", "--json"))
    assert not any("Priority: Ana" in line for line in start)
    assert "Ana: Hull 10, Energy 3, Deck 33, Hand 7." in start


def test_the_clock_neither_goes_on_nor_runs_out_while_a_challenge_is_open(play: Play) -> None:
    """The arbiter decides first; the refusal says how, and the phase is still open."""
    script = OPENING + "challenge Cleo\n!clock end\n!clock resume\nstands\ndecided\nstands\n"
    said = play(script, "jaws-and-paws", "--seats", JAWS_PEOPLE, "--json")
    assert [refused["text"] for refused in said_of(said, "refused")] == [
        "The challenge by Cleo is open and the clock stands for it; say `decided` first."
    ] * 2
    disputed, decided = stands_in(said)
    assert disputed[1].startswith("A challenge by Cleo")
    assert decided[1].startswith("The clock runs: ")
    assert said_of(said, "questions")[-1][0]["key"] == "round-1/locked"


def test_seconds_that_are_let_run_out_are_accounted_for(play: Play, show: Show) -> None:
    """The next line's match time is 20 s on: the line before says why."""
    play(OPENING + "!clock pause\n!clock end\n", "jaws-and-paws", "--seats", JAWS_PEOPLE)
    told = re.search(
        r"The phase was let run out; match time goes on by the ([\d.]+) s left\.", show()
    )
    assert told is not None
    assert 0 < float(told[1]) <= 20  # A busy machine lets seconds pass before the pause.


# -- answers in words ----------------------------------------------------------------------------


def test_no_word_of_an_answer_is_said_twice_in_a_protocol(play: Play, show: Show) -> None:
    """What stands above a key goes before its label only where that does not say so itself."""
    play(bots_script("starship-edition", 5), "starship-edition", "--seats", "A=Ana,B=Ben")
    told = {line["told"] for line in lines_of(show("--json"))}
    assert "Preparation is done" in told
    assert "Tier 1: Set a card" in told
    for words in told:
        parts = words.lower().replace(":", "").split()
        assert all(one != other for one, other in pairwise(parts)), words


def test_an_amended_answer_is_read_as_any_other(play: Play, show: Show) -> None:
    """However it was typed, the protocol has the option's own words."""
    script = "Jaws\nJaws.GL\nplaced\n!amend 2  jaws.pr # it stood there\n"
    play(script, "jaws-and-paws", "--seats", JAWS_PEOPLE)
    assert "Line 2 is amended to “Jaws.PR”; it had been “Jaws.GL”." in show()


# -- how to answer, and refusals -----------------------------------------------------------------


def test_the_words_stand_beside_each_code_and_people_are_listed_by_name(play: Play) -> None:
    """Nobody has to know what "lot" or "MPL own" means, nor who B is."""
    hexes = bots_script("dogfight-hex", 3, "set-up/first")
    said = play(hexes, "dogfight-hex", "--seats", HEX_PEOPLE)
    assert "Ana | Ben | Cas | Dee | lot (Nobody knows: draw a lot)" in said
    cards = bots_script("jaws-and-paws", 5, "round-1/section-1/reveal/jaws")
    assert "MPL own (own plane Left) | " in play(cards, "jaws-and-paws")
    fighters = play("", "dogfight-1917")
    assert "fokker (Fokker Dr.I) | camel (Sopwith Camel)" in fighters


def test_a_refusal_quotes_what_was_typed_and_lists_people_by_name(play: Play) -> None:
    """The name "Ben" is no Fighter, and "B" was not typed; who may be first is listed by name."""
    said = play("Ben\n", "dogfight-1917", "--seats", PEOPLE_1917)
    assert "'Ben' is none of fokker, camel, albatros, spad." in said
    hexes = bots_script("dogfight-hex", 3, "set-up/first")
    said = play(hexes + "first: ben again\n", "dogfight-hex", "--seats", HEX_PEOPLE)
    assert "'ben again' is no player here" in said
    said = play("Cas\n", "starship-edition", "--seats", "A=Ana,B=Ben")
    assert "'Cas' is none of Ana, Ben." in said


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (
            "dogfight-hex A=Ana,B=Ben,C=Cas",
            (
                "this is for 4 players: A (Player A), B (Player B), C (Player C), D (Player D); 3 "
                "are named: A, B, C (for 3: --option players=3)"
            ),
        ),
        (
            "dogfight-1917 A=Ana,B=Ben,C=Cas",
            "this is for 2 players: A (Player A), B (Player B); 3 are named: A, B, C",
        ),
        (
            "talespin-dogfight A=Ana,B=Ben,C=Cas",
            (
                "this is for 2 players: A (Player A), B (Player B); 3 are named: A, B, C "
                "(for 3: --option players=3)"
            ),
        ),
        (
            "starship-edition A=Ana,B=Ben,C=Cas",
            "s: A (Player A), B (Player B); 3 are named: A, B, C (for 3: --option players=3",
        ),
        (
            "jaws-and-paws JP=Ana,JG=Bo,PP=Cy,PG=Di,JP2=Eve",
            (
                "this is for 4 players: JP (Jaws Pilot), JG (Jaws Gunner), PP (Paws Pilot), PG "
                "(Paws Gunner); 5 are named: JP, JG, PP, PG, JP2 (for 5: --variant five-players)"
            ),
        ),
        (
            "jaws-and-paws JP=Ana,PP=Cy",
            "(Paws Gunner); 2 are named: JP, PP (for 2: --variant two-players)",
        ),
        ("jaws-and-paws PG=Di", "(Paws Gunner); 1 is named: PG"),
        ("dogfight-1917 A=Ana", "this is for 2 players: A (Player A), B (Player B); 1 is named: A"),
    ],
)
def test_one_sentence_says_how_many_a_mode_is_for_and_how_many_are_named(
    capsys: pytest.CaptureFixture[str], call: str, told: str
) -> None:
    """The same in every box, with the way for so many where there is one."""
    box, seats = call.split()
    assert run(["referee", box, "--seats", seats, "--script", "-"]) == 2
    assert told in capsys.readouterr().err


def test_the_head_of_a_protocol_is_read_without_knowing_codes(play: Play, show: Show) -> None:
    """Who sat where, which house rules, by which edition of the rules, and how a line is read."""
    play("", "jaws-and-paws", "--seats", JAWS_PEOPLE, "--option", "timer_s=30")
    head = show()
    assert (
        "At the table: Ana (Jaws Pilot, JP), Bo (Jaws Gunner, JG), Cleo (Paws Pilot, PP) and"
        in head
    )
    assert "House rule timer_s=30: " in head
    assert "Ruled by edition 2 of this box's rules in companion " in head
    assert "Each line: its number, the time of day, minutes and seconds of play" in head


def test_a_reason_after_an_answer_is_kept_as_after_a_verb(play: Play, show: Show) -> None:
    """Whoever had to explain a toss finds the words in the protocol."""
    play("Jaws # both coins fell, thrown again\n", "jaws-and-paws", "--seats", JAWS_PEOPLE)
    (toss,) = lines_of(show("--json"))
    assert toss["reason"] == "both coins fell, thrown again"
    assert "— Jaws. Reason: both coins fell, thrown again  (" in show()


def test_a_question_stays_one_where_somebody_else_is_told_of_it(play: Play) -> None:
    """Its mark is kept: "Ana is: which Fighter?" and not a sentence with a full stop."""
    said = play("Zoe: camel\n", "dogfight-1917", "--seats", PEOPLE_1917)
    (refused,) = [line for line in said.splitlines() if "refused" in line]
    assert "'Zoe' is not asked now; Ana is: " in refused
    assert "which Fighter?  Q-WHOM" in refused


# -- names of every kind -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Al: Bo", "Ann # Lee", "A+B* (x", "O'Neil Z", "\\d [i]", "😀🎲"])
def test_whoever_has_an_odd_name_answers_by_it(play: Play, show: Show, name: str) -> None:
    """A colon, a "#", brackets and signs of patterns: the name before an answer is understood."""
    said = play(f"{name}: camel # chosen\n", "dogfight-1917", "--seats", f"A={name},B=Ben")
    assert "refused" not in said
    (fighter,) = lines_of(show("--json"))
    assert (fighter["who"], fighter["answer"], fighter["reason"]) == (name, "camel", "chosen")


def test_the_words_of_an_answer_are_no_names(play: Play) -> None:
    """Whoever is called Stay or Ram does not turn "stay" or "ram" into a seat's letter."""
    hexes = bots_script("dogfight-hex", 3, "move/C")
    people = "A=Stay,B=Ram,C=Cas,D=Dee"
    said = play(hexes + "move/C: stay put\nmove/C: stay\n", "dogfight-hex", "--seats", people)
    (refused,) = [line for line in said.splitlines() if "refused" in line]
    assert "'move/C: stay put'" in refused
    assert "'A put'" not in refused
    assert "Cas stays on " in said


@pytest.mark.parametrize("name", ["B", "b", "table"])
def test_a_name_that_means_somebody_else_is_refused(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """Nobody could say for whom an answer is: the letter of another seat, or the table's word."""
    call = ["referee", "dogfight-1917", "--seats", f"A={name},B=Ben", "--script", "-"]
    assert run(call) == 2
    told = f"--seats: seat A: {name!r} means somebody else here; add a letter to the name"
    assert told in capsys.readouterr().err


# -- a decision of the table ---------------------------------------------------------------------


def test_a_decision_says_what_is_decided(play: Play, show: Show) -> None:
    """Nothing is overruled without a word; a reason will do for one."""
    said = play(
        '!report {"what": "decision"}\n!report {"what": "decision"} # the cocked die is a 4\n',
        "dogfight-1917",
        "--seats",
        PEOPLE_1917,
    )
    (refused,) = [line for line in said.splitlines() if "refused" in line]
    assert "a decision says in words what is decided, as in !report " in refused
    assert "Table decision: the cocked die is a 4." in said
    assert "the book is overruled" not in show()


@pytest.mark.parametrize(
    "box", ["dogfight-1917", "dogfight-hex", "starship-edition", "talespin-dogfight"]
)
def test_the_first_ruling_says_which_figures_rule_and_how_to_confirm_them(
    play: Play, tmp_path: Path, box: str
) -> None:
    """One sentence for all boxes; with a file that confirms all of them only its name is told."""
    said = play("", box)
    assert "No cards or figures come from your box: this match uses assumed ones." in said
    assert "to be checked with the box: in the app by “Check the box”, or with `confirmed`" in said
    own = tmp_path / "own.toml"
    own.write_text('name = "Club night"\nconfirmed = true\n')
    said = play("", box, "--data", str(own))
    assert 'Cards and figures are those of the file "Club night".' in said
    assert "to be checked with the box" not in said


def test_a_word_that_is_not_waited_for_is_answered_with_the_one_that_is(play: Play) -> None:
    """Whoever says yes is told what to say instead."""
    said = play("Jaws\nJaws.GL\nyes\n", "jaws-and-paws")
    assert "'yes' is no answer here: say 'placed' when it is done." in said


def test_a_notice_that_is_solved_says_so(play: Play) -> None:
    """No verb is met with silence."""
    script = bots_script("dogfight-1917", 3, "/evade")
    missing = '!report {"what": "missing", "player": "Ben"}\n'
    solved = '!report {"what": "solved", "code": "DF-E04"}\n'
    said = play(script + missing + solved, "dogfight-1917", "--seats", PEOPLE_1917)
    assert "~ The notice DF-E04 is solved." in said


HEX_TO_THE_HITS = (
    *("2,0", "lot", "42", "Ana", "-5,1 E", "5,-1 W", "0,-5 SE", "laid", "laid", "laid"),
    *("-1,1 E", "2,-1 W", "-1,-1 SE", "short", "shield anchor", "short", "-2,0", "0,1"),
)
"""Three ships, of which two hit each other; then the cards of turn 2 are asked for."""
HEX_OF_THREE = ("dogfight-hex", "--option", "players=3", "--seats", "A=Ana,B=Ben,C=Cas")


def _typed(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def test_what_an_amend_would_change_is_told_whole(play: Play) -> None:
    """A ship that stays hits nobody: what goes, what comes, what is dropped, as to JSON."""
    script = _typed(*HEX_TO_THE_HITS, "!whatif 11 stay")
    ((told,)) = said_of(play(script, *HEX_OF_THREE, "--json"), "revision")
    rulings = told["rulings"]
    gone = [one["was"]["text"] for one in rulings if one["was"]]
    come = [one["now"]["text"] for one in rulings if one["now"]]
    assert "Ana hits Cas: 1 hull point left." in gone
    assert "Ana stays on -5,1 E." in come
    said = play(script, *HEX_OF_THREE)
    for text in (*gone, *come):
        assert text in said[said.index("~ 5 later lines stay") :]
    assert [seq for seq, fate in told["fates"].items() if fate == "dropped"] == ["17", "18"]
    assert "is dropped: its question does not come again (turn 1 is over)." in said


def test_an_amend_to_the_answer_that_stands_is_refused(play: Play) -> None:
    """However it is written: by a code, a name or an amend before; the log has no line of it."""
    set_up = ("Jaws", "Jaws.GL", "placed")
    said = play(_typed(*set_up, "!amend 2 jaws.gl", "!whatif 2 Jaws.GL"), "jaws-and-paws")
    assert said.count("Line 2 says that already; an amend gives it another answer.") == 2
    assert "is amended" not in said
    said = play(_typed(*set_up, "!amend 2 Jaws.PR", "!amend 2 Jaws.PR"), "jaws-and-paws")
    assert said.count("Line 2 is amended") == said.count("Line 2 says that already") == 1


def test_an_adjusted_quantity_written_in_capitals_stays_so(play: Play) -> None:
    """And a name that nobody has is answered by that player's quantities, not by the table's."""
    lines = ('!adjust {"Ana.range": 3}', '!adjust {"Ana.hp": 3}')
    said = play(_typed(*lines), "talespin-dogfight", "--seats", "A=Ana,B=Ben")
    assert "Ana: RANGE 3, was " in said
    (refused,) = [row for row in said.splitlines() if "nothing is called 'Ana.hp'" in row]
    assert "Ana.hand" in refused.partition("there are ")[2]


def test_a_verb_without_its_mark_is_answered_with_the_mark(play: Play) -> None:
    said = play(_typed("Jaws", "undo", "foo"), "jaws-and-paws")
    undo, foo = (row for row in said.splitlines() if row.startswith("x refused"))
    assert "If you mean the arbiter's verb, put a mark before it: !undo." in undo
    assert "arbiter" not in foo


def test_a_question_is_named_by_what_it_begins_with(play: Play) -> None:
    """As the echo of an answer names it: "Jaws section 2: ..."."""
    script = _typed(*LOCK[:6], "Jaws section 2: 0 1", "paws section 4: 1 0")
    said = play(script, "jaws-and-paws")
    assert "+ Jaws section 2: pilot 0, gunner 1 - 1 of 9 told" in said
    assert "+ Paws section 4: pilot 1, gunner 0 - 2 of 9 told" in said


def test_a_team_or_a_seat_is_no_arbiter(play: Play) -> None:
    """It would read in the log as if the team had corrected; a player by name may be one."""
    seats = ("--seats", "JP=Ana,JG=Bo,PP=Cas,PG=Dan")
    said = play(_typed("!by Paws", "!by JP", "!by Ana"), "jaws-and-paws", *seats)
    assert said.count("Q-NAME") == 2
    assert "Ana is the arbiter from now on." in said


def test_a_solution_without_a_code_is_told_which_codes_stand(play: Play) -> None:
    lines = ("Jaws", "Jaws.GL", '!report {"what": "token", "piece": "sun", "zone": "Paws.GR"}')
    said = play(_typed(*lines, '!report {"what": "solved"}'), "jaws-and-paws")
    assert "a notice is solved by its code; standing: JP-E11" in said


def test_an_adjustment_by_name_is_refused_by_that_name(play: Play) -> None:
    """Who typed a person's name reads it again, no seat's letter."""
    lines = ('!adjust {"Ana.tokens": -4}', '!adjust {"A.tokens": -4}')
    said = play(_typed(*lines), "dogfight-1917", "--seats", "A=Ana,B=Ben")
    assert "Ana.tokens: -4 is not a whole number" in said
    assert ": A.tokens: -4 is not a whole number" in said


def test_an_amend_names_the_question_that_it_brings(play: Play) -> None:
    """Ana was to lay the hull of a hit; without the hit it is Ben's turn to lay a card."""
    said = play(_typed(*HEX_TO_THE_HITS[:-1], "!whatif 11 stay"), *HEX_OF_THREE)
    told = said[said.index("later lines stay") :]
    assert "~ Asked then: " in told
    same = play(_typed("Jaws", "Jaws.GL", "!whatif 2 Jaws.PR"), "jaws-and-paws")
    assert "Asked then" not in same


def test_an_undo_names_the_older_lines_that_wait_again(play: Play) -> None:
    """What came back after an amend waits once more when the answer that brought it is undone."""
    lines = ("Jaws", "Jaws.GL", "placed", "ready", "!amend 1 Paws", "Jaws.GL", "!undo")
    said = play(_typed(*lines), "jaws-and-paws")
    assert "Line 6 is taken back; lines 3 and 4 wait for their question again." in said


def test_the_example_of_a_close_calls_people_by_name() -> None:
    """As the desk's help shows it: no seat's title where a name is known."""
    setup = Setup("dogfight-1917", ("base",), seats={Seat("A"): "Ana", Seat("B"): "Ben"})
    example = Match[Any].start(setup, STAMP).rulebook.examples()["close"]
    assert example["text"] == "Ben gave up."
    unnamed = Match[Any].start(Setup("jaws-and-paws"), STAMP).rulebook.examples()["close"]
    assert unnamed["text"] == "Paws gave up."


def test_an_undo_in_a_form_asks_that_question_again_and_says_how_many_are_open(
    play: Play,
) -> None:
    """Not "the same" questions: the one that was taken back is read out."""
    said = play(_typed(*HEX_TO_THE_HITS[:8], "!undo"), *HEX_OF_THREE)
    after = said[said.index("is taken back") :]
    assert "The same" not in after
    (anew,) = [row for row in after.splitlines() if row.startswith("? ") and "Ana" in row]
    assert anew.startswith("? Ana: lay one card of your hand face down.")
    assert "? 3 questions are open; ? lists them. Asked again:" in after
    assert "Ben: lay one card" not in after


LOCK = ("Jaws", "Jaws.GL", "placed", "ready", "ready", "!clock end", *["0 0"] * 8, "checked")


def test_an_undo_in_a_form_that_was_closed_says_that_it_is_asked_again(play: Play) -> None:
    """The first answer of a lock takes all others with it, a later one those after it."""
    said = play(_typed(*LOCK, "!undo 9"), "jaws-and-paws")
    assert "taken back, and with it 8 later lines; its form is asked again as a whole." in said
    said = play(_typed(*LOCK, "!undo 12"), "jaws-and-paws")
    assert "taken back, and with it 5 later lines; its form is asked again in part." in said


def test_a_single_question_is_asked_in_full_after_an_amend_that_leaves_it(play: Play) -> None:
    """Not counted as "1 questions", with nothing below."""
    duel = _typed("camel", "albatros", "placed", "Basic Maneuver", "!amend 2 spad")
    said = play(duel, "dogfight-1917", "--seats", "A=Ana,B=Ben")
    after = said[said.index("Line 2 is amended") :]
    assert "1 questions" not in after
    assert "? Ana: fly the Basic Maneuver." in after


def test_whoever_retires_is_not_counted_among_those_who_told(play: Play) -> None:
    """Of the two who are left one has told."""
    retired = '!report {"what": "retired", "player": "C"}'
    said = play(_typed(*HEX_TO_THE_HITS[:7], retired, "laid"), *HEX_OF_THREE)
    assert "- 1 of 2 told" in said
    assert "of 3 told" not in said


def test_the_undecided_challenge_is_named_to_programs_too(play: Play, show: Show) -> None:
    """At the end of the protocol, as people read it."""
    play("challenge\n", "jaws-and-paws")
    end = json.loads(show("--json").splitlines()[-1])["end"]
    assert end["undecided"] == "A challenge by the table is open; it is not decided yet."
    play("challenge\ndecided\n", "jaws-and-paws")
    assert json.loads(show("--json").splitlines()[-1])["end"]["undecided"] == ""


def test_nobody_acts_any_more_when_the_match_has_ended(play: Play) -> None:
    """What stands names no turn then."""
    script = bots_script("dogfight-hex", 1)
    said = play(f"{script}stands\n", "dogfight-hex")
    assert "The match has ended" in said
    assert "Acts now" not in said[said.index("The match has ended") - 3000 :]


def test_answers_in_a_form_are_echoed_after_an_amend_that_leaves_lines_waiting(play: Play) -> None:
    """The last one is echoed like the others, and none is taken for a change of what is asked."""
    script = _typed(*HEX_TO_THE_HITS, "laid", "!amend 11 stay", "laid", "laid")
    said = play(script, *HEX_OF_THREE).splitlines()
    amended = said[said.index("~ Line 11 is amended.") :]
    asked = amended.index("? The same 2 questions are open; ? lists them.")
    assert amended[asked + 1 : asked + 3] == [
        "+ Cas: Laid - 2 of 3 told",
        "+ Ana: Laid - 3 of 3 told",
    ]
    assert len([line for line in said if "The same" in line]) == 1


def test_whoever_retires_is_not_counted_among_those_who_are_asked(play: Play) -> None:
    """Of three cards two are still waited for."""
    retired = '!report {"what": "retired", "player": "C"}'
    said = play(_typed(*HEX_TO_THE_HITS[:7], retired), *HEX_OF_THREE)
    assert "? The same 2 questions are open; ? lists them." in said
    assert "The same 3 questions" not in said


def test_the_last_number_of_a_form_is_echoed(play: Play) -> None:
    """Three people tell one number each."""
    box = ("talespin-dogfight", "--option", "players=3", "--seats", "A=Ana,B=Ben,C=Cas")
    said = play(_typed("Ana", "5", "5", "6", "4", "4", "4"), *box)
    told = [line for line in said.splitlines() if line.startswith("+")]
    assert told == [
        f"+ {who}: 4 - {at} of 3 told" for at, who in enumerate(("Ana", "Ben", "Cas"), 1)
    ]


def test_what_hands_do_is_a_line_each_in_the_order_of_people(play: Play) -> None:
    """Programs are told the whole sentence, as before."""
    script = _typed(*HEX_TO_THE_HITS, "!amend 11 stay")
    said = play(script, *HEX_OF_THREE).splitlines()
    hands = next(at for at, line in enumerate(said) if "Hands: Put the table right:" in line)
    assert said[hands + 1 : hands + 6] == [
        "    - Ana's hull token 1 off the board",
        "    - Ana's ship to -5,1 E",
        "    - Ana's hull 2, was 1",
        "    - Cas's hull token 1 off the board",
        "    - Cas's hull 2, was 1",
    ]
    (told,) = said_of(play(script, *HEX_OF_THREE, "--json"), "hands")
    assert told["text"].startswith("Put the table right: Cas's hull token 1 off the board; Ana's")


def test_one_thing_for_hands_is_a_sentence(play: Play) -> None:
    """An undo in a form: one card goes back."""
    said = play(_typed(*HEX_TO_THE_HITS[:10], "!undo"), *HEX_OF_THREE)
    one = "» Hands: Put the table right: 1 card from Cas's declared card to the hand."
    assert one in said


def test_the_result_names_the_people_of_a_team_that_has_won(play: Play) -> None:
    """A team is said with those who are named; a player alone as before."""
    close = '!close {"winners": ["Jaws"], "text": "Paws gave up."}\n'
    assert "= Won by Jaws (" in (said := play(close, "jaws-and-paws", "--seats", JAWS_PEOPLE))
    first = JAWS_PEOPLE.partition(",")[0].partition("=")[2]
    assert f"= Won by Jaws ({first} and " in said
    assert "= Won by Jaws. " in play(close, "jaws-and-paws")
    close = '!close {"winners": ["A"], "text": "Ben gave up."}\n'
    assert "= Won by Ana. " in play(close, "talespin-dogfight", "--seats", "A=Ana,B=Ben")


def test_a_challenge_in_the_terminal_keeps_claims_and_what_came_of_it(
    play: Play, show: Show
) -> None:
    """Both sides' words and the verdict are lines of the protocol."""
    play(
        OPENING + "challenge Paws\nclaim Jaws: it was late\nclaim Paws: it lay there\n"
        "decided stands # seen by all\n",
        "jaws-and-paws",
    )
    told = show()
    assert "Claim of Jaws: it was late" in told
    assert "Claim of Paws: it lay there" in told
    assert "is decided: what was ruled stands." in told


def test_a_decision_is_taken_back_in_the_terminal(play: Play, show: Show) -> None:
    """What was played again stands as before, the challenge is open; with none decided: words."""
    script = (
        OPENING + "undecided\n!by Judy\nchallenge Paws\ndecided replayed\n"
        "undecided # the wrong word\nundecided\nstands\n"
    )
    said = play(script, "jaws-and-paws", "--json")
    assert [refused["text"] for refused in said_of(said, "refused")] == [
        "No challenge is decided: there is no decision to take back.",
        "A challenge is open: decide it first.",
    ]
    (disputed,) = stands_in(said)
    assert disputed[1] == "A challenge by Paws is open: say `decided` to end it."
    assert disputed[2].startswith("The clock stands with ")
    assert said_of(said, "questions")[-1][0]["key"] == "round-1/locked"
    told = show()
    assert "The decision (replayed) is taken back by Judy: the challenge by Paws is open" in told
    assert "Reason: the wrong word" in told


def test_a_claim_without_a_challenge_is_refused(play: Play) -> None:
    """There is nothing to be said of a challenge that is not open."""
    told = play(OPENING + "claim Jaws: it was late\n", "jaws-and-paws")
    assert "No challenge is open" in str(told)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("decided perhaps", "one of stands, corrected, replayed, withdrawn, not 'perhaps'"),
        ("claim Jaws", "who says it, a colon, and the words"),
        ("claim : late", "who says it, a colon, and the words"),
    ],
)
def test_a_verdict_or_claim_that_is_none_is_refused_with_what_may_be_said(
    line: str, why: str
) -> None:
    """Before anything is played."""
    with pytest.raises(ValueError, match=why):
        read_line(line)
