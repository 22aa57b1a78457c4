"""Matches of Dogfight: 1917 that begin in the middle, and what an arbiter sets while they run."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import companion.games.dogfight_1917 as box
from companion.core.errors import BadCall, BadPosition
from companion.core.offers import Offer
from companion.core.ruling import Seat
from companion.games.dogfight_1917.faults import faults
from companion.games.dogfight_1917.position import Dogfight1917Position, read_position
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP, bots_of
from ui.terminal.app import run

HERE = Path(box.__file__).parent
EXAMPLES = sorted((HERE / "positions").glob("*.toml"))
MODES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("base", {}),
    ("base", {"first_game_deck": True}),
    ("draft", {"show_deducible_cards": True}),
    ("daring-escape", {"ace_removes": 4}),
    ("battle-royale", {"players": 3, "token_supply_limited": True}),
    ("team-battle", {}),
    ("entente-vs-central-powers", {}),
    ("entente-vs-central-powers",
     {"wingman_leader_turn": "at_once", "respawn_when_occupied": "wait_a_turn"}),
)  # fmt: skip


def said_by(path: Path, word: str) -> str:
    """What a line of an example's heading says, as in `# Mode: base`."""
    lines = path.read_text("utf-8").splitlines()
    told = (line.partition(": ") for line in lines if line.startswith(f"# {word}: "))
    return next((rest for _, _, rest in told), "")


def options_of(path: Path) -> dict[str, Any]:
    """The house rules that an example's heading names."""
    return tomllib.loads(said_by(path, "House rules"))


def start(mode: str, file: Path | dict[str, Any], **options: Any) -> Match[Any]:
    """A match of a mode from a position."""
    position = tomllib.loads(file.read_text("utf-8")) if isinstance(file, Path) else file
    setup = Setup("dogfight-1917", (mode,), options=options, position=position)
    return Match[Any].start(setup, STAMP)


def play(match: Match[Any], seed: int, most: int = 4_000) -> Iterator[Match[Any]]:
    """Bots play the match; it is looked at before every answer."""
    bots = bots_of(match.setup, Random(seed))
    ruled = 0
    for _ in range(most):
        for ruling in match.rulings[ruled:]:
            bots.perform(ruling.deeds)
        ruled = len(match.rulings)
        if match.outcome is not None:
            return
        yield match
        question = next(q for key, q in match.open.items() if key not in match.answered)
        match.answer(Offer(question.key, bots.act(question), "bot", question.by), STAMP)


# -- from an example ------------------------------------------------------------------------------


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_match_starts_from_each_example(path: Path) -> None:
    """In the mode, and with the question, that its heading names."""
    match = start(said_by(path, "Mode"), path, **options_of(path))
    assert list(match.open) == [said_by(path, "Asks first")]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_bots_play_each_example_to_its_end(path: Path) -> None:
    """Whatever such a position leads to."""
    match = start(said_by(path, "Mode"), path, **options_of(path))
    for _ in play(match, 1):
        pass
    assert match.outcome is not None


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_script_begins_with_each_example(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """At the terminal, by `--position FILE`; the position said at the end is the same one."""
    options = [f"--option={name}={value}" for name, value in options_of(path).items()]
    mode = said_by(path, "Mode")
    call = ["referee", "dogfight-1917", "--variant", mode, "--position", str(path), *options]
    assert run([*call, "--script", "/dev/null", "--json"]) == 0
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    asked = next(line["questions"] for line in said if "questions" in line)
    assert asked[0]["key"] == said_by(path, "Asks first")
    file = next(line["position"] for line in said if "position" in line)
    match = start(mode, file, **options_of(path))
    assert list(match.open) == [said_by(path, "Asks first")]


@pytest.mark.parametrize(
    ("mode", "example", "message"),
    [
        (
            "battle-royale",
            "base",
            r"players A B; this mode has A B C D \[DF-PLAYERS.* 2 .* base, draft or",
        ),
        (
            "base",
            "team-battle",
            r"players A B C D; this mode has A B \[DF-PLAYERS.* 4 .* team-battle or",
        ),
        ("base", "entente-vs-central-powers", "players A B C D; this mode has A B"),
        ("team-battle", "battle-royale", "players A B C; .* 3 .* battle-royale with .* players 3"),
    ],
)
def test_a_position_for_other_seats_is_refused(mode: str, example: str, message: str) -> None:
    """The mode says how many play."""
    with pytest.raises(BadCall, match=message):
        start(mode, HERE / "positions" / f"{example}.toml")


# -- files that cannot be read --------------------------------------------------------------------

TORN: dict[str, tuple[str, bytes, str]] = {
    "torn TOML": ("p.toml", b'turn = 7\nphase = "engage', "this is no TOML"),
    "a bracket too few": ("p.toml", b"[players.A\ndeck = 20\n", "this is no TOML"),
    "a key twice": ("p.toml", b"turn = 7\nturn = 8\n", "this is no TOML"),
    "torn JSON": ("p.json", b'{"turn": 7, "phase": ', "line 1, column 22: this is no JSON"),
    "a list": ("p.json", b"[1, 2]", "an object of names and values is expected"),
    "no text": ("p.toml", b"\xff\xfe\x00t", "byte 0: this is no text (UTF-8)"),
    "nothing": ("p.toml", b"", "phase: is required"),
    "a date": ("p.toml", b'phase = "set-up"\nturn = 1917-04-21\n',
               "a value is neither text, number, yes/no nor list"),
    "infinity": ("p.toml", b'phase = "set-up"\nturn = inf\n',
                 "a value is neither text, number, yes/no nor list"),
    "players as a list": ("p.toml", b'phase = "set-up"\n[[players]]\ndeck = 20\n', "players: "),
    "two planes on a space": (
        "p.json",
        json.dumps({"phase": "reconnaissance", "players": {
            "A": {"fighter": "camel", "pilot": "maclaren", "place": "0,0 N", "deck": 15, "hand": 5},
            "B": {"fighter": "spad", "pilot": "fonck", "place": "0,0 S", "deck": 15, "hand": 5},
        }}).encode(),
        "cannot both stand on 0,0: one Fighter a space. Put one of them elsewhere. [DF-2.6]",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", TORN)
def test_the_referee_tells_what_is_wrong_in_one_line(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """File, place, and what is allowed; nothing was played, and no trace of Python."""
    name, written, message = TORN[case]
    file = tmp_path / name
    file.write_bytes(written)
    status = run(["referee", "dogfight-1917", "--position", str(file), "--script", "/dev/null"])
    said = capsys.readouterr()
    assert status == 2
    told = " ".join((said.out + said.err).split())
    assert message in told
    assert "Traceback" not in told


@pytest.mark.parametrize(
    ("name", "text"), [("p.toml", b'phase = "set-up"\n'), ("p.json", b'{"phase": "set-up"}')]
)
def test_a_byte_order_mark_is_passed_over(
    name: str, text: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Editors on other systems write one before the first letter."""
    file = tmp_path / name
    file.write_bytes(b"\xef\xbb\xbf" + text)
    status = run(["referee", "dogfight-1917", "--position", str(file), "--script", "/dev/null"])
    told = " ".join(capsys.readouterr().err.split())
    assert status == 2
    assert name in told
    assert "players: is required" in told
    assert "column 1" not in told


# -- while a match is played ----------------------------------------------------------------------


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize(("mode", "options"), MODES, ids=lambda value: str(value)[:40])
def test_every_position_of_a_match_can_be_and_survives_its_file(
    mode: str, options: dict[str, Any]
) -> None:
    """At every question: no fault, and equal digests after it was written and read back."""
    setup = Setup("dogfight-1917", (mode,), options=options)
    match = Match[Any].start(setup, STAMP)
    for looked in play(match, 3):
        position: Dogfight1917Position = looked.position
        assert faults(position) == [], list(looked.open)
        file = json.loads(json.dumps(position.to_file()))
        again = read_position(Dogfight1917Position, file, "position")
        again.house, again.table = position.house, position.table
        assert again.digest() == position.digest()
        assert again.facts() == position.facts()
    assert match.outcome is not None


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize(("mode", "options"), MODES, ids=lambda value: str(value)[:40])
def test_a_match_goes_on_from_its_own_position(mode: str, options: dict[str, Any]) -> None:
    """What `show --position` writes begins a match that asks the same, on the same position."""
    rng = Random(5)
    match = Match[Any].start(Setup("dogfight-1917", (mode,), options=options), STAMP)
    looked = 0
    for before in play(match, 4):
        if rng.random() > 0.06:
            continue
        file = json.loads(json.dumps(before.position_file()))
        after = start(mode, file, **options)
        assert list(after.open) == list(before.open)
        assert after.position.digest() == before.position.digest()
        assert [q.terms() for q in after.open.values()] == [q.terms() for q in before.open.values()]
        looked += 1
    assert looked > 3


def test_an_arbiter_sets_quantities_and_places_together() -> None:
    """In a running match; the menu follows the position that there is now."""
    match = start("base", HERE / "positions" / "base.toml")
    (menu,) = match.open.values()
    assert "Basic Attack" in [option.name for option in menu.options_now()]
    match.adjust({"fokker": "3,-3 N", "B.tokens": 4}, "misplaced", stamp=STAMP)
    (menu,) = match.open.values()
    assert "Basic Attack" not in [option.name for option in menu.options_now()]
    assert match.position.players[Seat("B")].tokens == 4


@pytest.mark.parametrize(
    ("changes", "cite"),
    [
        ({"A.deck": 10}, r"\[DF-4\.2\]"),
        ({"camel": "0,-1 S"}, r"\[DF-2\.6\]"),
        ({"camel": ""}, r"\[DF-3\.6\]"),
        ({"camel": "5,0 N"}, r"\[DF-2\.2, DF-9\.4, RULING 1\]"),
        ({"A.crashed": True, "camel": "", "A.tokens": 0}, r"\[DF-19\.2"),
        ({"A.fighter": "fokker"}, r"\[DF-3\.2\]"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(changes: dict[str, Any], cite: str) -> None:
    """Judged after all of them; the log is as it was."""
    match = start("base", HERE / "positions" / "base.toml")
    before = (match.position.digest(), len(match.entries), list(match.open))
    with pytest.raises(BadPosition, match=cite):
        match.adjust(changes, "test", stamp=STAMP)
    assert (match.position.digest(), len(match.entries), list(match.open)) == before


def test_undo_takes_an_adjustment_back() -> None:
    """Like any line of the log."""
    match = start("base", HERE / "positions" / "base.toml")
    before = match.position.digest()
    entry = match.adjust({"A.tokens": 7}, "miscounted", stamp=STAMP)
    assert match.position.digest() != before
    match.undo(entry.seq, stamp=STAMP)
    assert match.position.digest() == before


def test_an_arbiter_begins_afresh_from_a_position() -> None:
    """The last resort but one: `!restart FILE`."""
    match = start("base", HERE / "positions" / "base.toml")
    draft = tomllib.loads((HERE / "positions" / "draft.toml").read_text("utf-8"))
    match.restart(draft, "wrong file", STAMP)
    assert match.position.turn == 4
    with pytest.raises(BadPosition):
        match.restart({**draft, "active": "C"}, "no such seat", STAMP)
    assert match.position.turn == 4
