"""The sixth box is played, drawn, simulated, recorded and replayed, and shown at the terminal."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Mapping
from contextlib import redirect_stdout
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.board import Piece, Pose
from companion.core.errors import BadCall, BadPosition, CompanionError, IllegalAnswer
from companion.core.offers import Offer, PictureState, Seen, SeenState, Sighting, Stamp
from companion.core.ruling import Json, Level, Seat
from companion.games import RULEBOOKS, Shelf
from companion.kit.box import SmallBox
from companion.kit.hexes import Hex, hex_plan
from companion.kit.reports import asked_of, likely_reports, phrase_of
from companion.kit.seated import space_on
from companion.match.house_rules import Switch
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP, bots_of, play_one, playing
from companion.record.record import Record
from tests.games.kites.position import MAP, KitesPosition
from tests.games.kites.rules import Kites
from tests.games.kites.table import PhysicalTable
from ui.demo.demo import DemoCall, Demonstration
from ui.demo.rehearsal import RehearsalTable
from ui.scene.map import MapView
from ui.terminal.app import run

NOW = Stamp("test", "2026-11-21T19:00:00Z", 0.0)


def flying(**changes: Mapping[str, Json]) -> Match[Any]:
    """Both gusts are open, Red's the stronger one: three spaces, two spaces apart."""
    kites: dict[str, dict[str, Json]] = {
        "A": {"place": "0,3 N", "gust": 3, "hand": 2, "laid": 1},
        "B": {"place": "0,-2 S", "gust": 1, "hand": 2, "laid": 1},
    }
    for seat, change in changes.items():
        kites[seat] |= change
    file: dict[str, Json] = {"box": "kites", "stage": "fly", "deck": 12, "players": {**kites}}
    return Match.start(Setup("kites", position=file), NOW)


def say(match: Match[Any], *answers: Json) -> None:
    """Answer what is asked, one after the other."""
    for raw in answers:
        key = next(key for key in match.open if key not in match.answered)
        match.answer(Offer(key, raw, "script", match.open[key].by), NOW)


# -- played, rule by rule ------------------------------------------------------------------


def test_kt_1_and_kt_2_kites_face_each_other_and_hands_are_drawn() -> None:
    """Whoever is named is called so."""
    match = Match[Any].start(Setup("kites", seats={Seat("A"): "Ana"}), NOW)
    assert [ruling.text for ruling in match.rulings] == [
        "Ana starts on 0,3 N.", "Blue starts on 0,-3 S.", "Shuffle; everybody draws 3.",
    ]  # fmt: skip
    assert [*match.open] == ["turn-1/lay/A", "turn-1/lay/B"]


def test_kt_4_the_stronger_gust_flies_first_and_as_far_as_it_says() -> None:
    """Three spaces, each into one of three in front; not onto the other kite, nor off the map."""
    match = flying(B={"place": "0,0 S"})
    ends = [option.name for option in match.open["turn-1/fly/A"].options_now()]
    assert "2,0 N" in ends
    assert not [name for name in ends if name.startswith("0,0")]
    with pytest.raises(IllegalAnswer, match="KT-4"):
        say(match, "0,3 N")


def test_kt_5_who_is_straight_ahead_and_near_loses_a_string() -> None:
    """Within two spaces; with the last string the kite is lost.  (RULING 1, KT-6)"""
    match = flying()
    say(match, "0,0 N")
    assert match.position.players["B"].strings == 2
    last = flying(B={"strings": 1})
    say(last, "0,0 N")
    assert last.outcome is not None
    assert last.outcome.winners == ("A",)


def test_ruling_1_the_house_rule_reaches_three_spaces() -> None:
    """And the ruling says so."""
    match = flying(A={"gust": 2})
    say(match, "0,1 N")
    assert match.position.players["B"].strings == 3
    by_house = Match[Any].start(
        Setup("kites", position=flying(A={"gust": 2}).position.to_file(), options={"reach": 3}), NOW
    )
    say(by_house, "0,1 N")
    assert by_house.position.players["B"].strings == 2
    assert by_house.rulings[-1].text.endswith("2 strings left. (House rule: reach 3.)")


# -- what follows from position and plan ---------------------------------------------------


def test_a_position_says_what_it_is_and_is_read_again() -> None:
    """Defaults are left out; one that cannot be is refused with its rule."""
    match = flying()
    file = match.position.to_file()
    assert file["players"] == {
        "A": {"place": "0,3 N", "gust": 3, "hand": 2, "laid": 1},
        "B": {"place": "0,-2 S", "gust": 1, "hand": 2, "laid": 1},
    }
    again = Match[Any].start(Setup("kites", position=file), NOW)
    assert again.position.digest() == match.position.digest()
    with pytest.raises(
        BadPosition, match=r"cards: 13 cards are in piles; the box has 18 \[RULING 2\]"
    ):
        flying(A={"hand": 1, "laid": 0}, B={"hand": 0, "laid": 0})
    with pytest.raises(CompanionError, match="0,9 is off the board"):
        flying(A={"place": "0,9 N"})


AMISS: dict[str, tuple[dict[str, Any], str]] = {
    "letters": ({}, "It lacks `letters`: how the ids of its paragraphs begin"),
    "another box": ({"letters": "GL"}, "KitesPosition is of box 'kites', these rules are of 'gl'"),
    "a third seat": (
        {"letters": "KT", "box": "kites", "seats": {**Kites.seats, Seat("C"): "Green"}},
        "KitesPosition has no seat 'C'; it has A, B",
    ),
}


@pytest.mark.parametrize("what", AMISS)
def test_a_small_box_is_judged_when_its_class_is_made(what: str) -> None:
    """What it forgets, and where rules and position do not fit each other."""
    body, told = AMISS[what]
    said = ("title", "seats", "switches", "starts", "plan", "corrections")
    whole = {"box": "gl", **{name: vars(Kites)[name] for name in said}, **body}
    with pytest.raises(TypeError, match=told):
        type("Gliders", (SmallBox,), whole)


def crowded(players: tuple[Json, ...]) -> Any:
    """Kites with a third seat; how many play is a switch, the first of these its default."""
    names = {**Kites.seats, Seat("C"): "Green"}
    starts = type("CrowdPosition", (KitesPosition,), {"box": "crowd", "seats": tuple(names)})
    switch = Switch("players", players, "How many play.", Kites.corrections)
    body = {"box": "crowd", "seats": names, "switches": {"players": switch}, "starts": starts}
    return type("Crowd", (Kites,), body)


def test_where_play_is_no_arbiter_sets() -> None:
    """The rules would ask on as before: what does move play is named."""
    match = flying()
    with pytest.raises(BadCall, match=r"stage: where play is .* an undo .* a restart begins anew"):
        match.adjust({"stage": "lay"}, "", stamp=NOW)
    assert [*match.open] == ["turn-1/fly/A"]


def test_fewer_may_play_where_a_switch_says_how_many() -> None:
    """They take the first seats, and nobody else can win; a file for more of them is refused."""
    crowd = crowded((3, 2))
    seats = tuple(crowd.seats)
    three, two = crowd.seated({}), crowd.seated({"players": 2})
    assert (three.sides, two.sides) == (seats, seats[:2])
    by_three = three(Setup("crowd")).position.to_file()
    assert [*by_three["players"]] == ["A", "B", "C"]
    assert [*two(Setup("crowd", options={"players": 2})).position.players] == ["A", "B"]
    with pytest.raises(BadCall, match="position: players A B C; this match has A B"):
        two(Setup("crowd", options={"players": 2}, position=by_three))
    with pytest.raises(BadCall, match=r"seat 'C' is none of A, B: set players \[RULING 2\]"):
        two(Setup("crowd", (), {seats[2]: "Cleo"}, options={"players": 2}))


def test_a_rehearsal_seats_as_many_as_usually_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where that is fewer than the box has seats."""
    monkeypatch.setattr("tests.games.kites.rules.Crowd", crowded((2, 3)), raising=False)
    monkeypatch.setitem(RULEBOOKS, "crowd", Shelf("tests.games.kites", "Crowd", "PhysicalTable"))
    stage = RehearsalTable("crowd")
    try:
        assert [*stage.match.setup.seats] == ["A", "B"]
    finally:
        stage.close()


def test_a_piece_that_points_nowhere_stands_on_a_space() -> None:
    """Read and told as "1,-2"; off the board there is none."""
    spaces = space_on(MAP)
    assert spaces.given is not None
    space = spaces.given(None, "A.space", " 1,-2")
    assert (space, spaces.told(None, space)) == (Hex(1, -2), "1,-2")
    with pytest.raises(BadCall, match=r"A\.space: .*9,9 is off the board"):
        spaces.given(None, "A.space", "9,9")
    boards = [hex_plan("kites", MAP.spaces, {}, headings=says).boards[0] for says in (True, False)]
    assert [len(board.facings) for board in boards] == [6, 0]


def test_a_deal_of_too_few_cards_is_refused() -> None:
    """At once and in numbers, not when a hand finds its pile empty."""

    class Short(PhysicalTable):
        """Twelve gusts are missing."""

        def deal(self) -> None:
            self.fill({"1": 6})

    told = "6 cards are too few: 6 are left for table deck, where the record counts 18"
    with pytest.raises(ValueError, match=told):
        Short(Setup("kites"), Random(1))


def test_a_box_may_have_markers_of_its_own() -> None:
    """So that those that are called free stay free when it moves in for good."""
    plan = hex_plan("kites", MAP.spaces, {Piece("red"): "Red kite"}, first_marker=240)
    assert [*(plan.boards[0].corners or ())] == [240, 241, 242, 243]
    assert [token.marker for token in plan.tokens] == [244]


def test_a_stranger_at_the_table_is_refused() -> None:
    """With the seats that there are."""
    with pytest.raises(BadCall, match="seat 'C' is none of A, B"):
        Match[Any].start(Setup("kites", seats={Seat("C"): "Cleo"}), NOW)


REPORTS: dict[str, tuple[str, Level, dict[str, Json]]] = {
    "KT-AGREES": ("recount", Level.NOTE, {"player": "A", "pile": "hand", "count": 2}),
    "KT-COUNT": ("recount", Level.BLOCK, {"player": "Blue", "pile": "strings", "count": 1}),
    "KT-COUNT of all": ("recount", Level.BLOCK, {"pile": "deck", "count": 3}),
    "KT-SEEN": ("missing", Level.BLOCK, {"piece": "Red kite"}),
    "KT-TABLE": ("decision", Level.NOTE, {"text": "we go on"}),
}


@pytest.mark.parametrize("code", REPORTS)
def test_the_usual_reports_are_judged(code: str) -> None:
    """Counts, pieces and decisions, under the arbiter's ruling."""
    what, level, fields = REPORTS[code]
    notice = flying().report({"what": what, **fields}, NOW)
    assert notice is not None
    assert (notice.level, str(notice.cite)) == (level, "RULING 2")
    assert notice.code == code.partition(" ")[0]


def seen(state: SeenState, pose: Pose | None, **more: Any) -> list[str]:
    """What is said of the red kite so seen; the blue one is where it should be."""
    match = flying()
    pieces = {Piece("red"): Seen(state, pose, **more), Piece("blue"): Seen(SeenState.COVERED)}
    sighting = Sighting(1, 0, PictureState.SETTLED, pieces)
    return [f"{n.level} {n.text}" for n in match.rulebook.compare(sighting)]


def test_a_box_that_says_nothing_of_reports_has_them_put_as_people_do() -> None:
    """The usual words, in the order in which they usually come."""
    rules = flying().rulebook
    likely, others = likely_reports(rules)
    assert [phrase_of(rules, word).words for word in (*likely, *others)] == [
        "A piece is gone from the board",
        "A pile's count is wrong",
        "The table decides otherwise",
    ]
    assert asked_of(rules, "recount") == {"player": False, "pile": True, "count": True}


def test_what_the_camera_sees_otherwise_is_told() -> None:
    """Elsewhere holds play up; a doubt is to be cleared; what is not seen is only noted."""
    assert seen(SeenState.SEEN, Pose("0,3", 0)) == []
    assert seen(SeenState.SEEN, Pose("0,2", 0)) == [
        "block Red kite stands on 0,2 N, the record has 0,3 N."
    ]
    assert seen(SeenState.UNSURE, None, facings=(0, 1)) == [
        "warn Red kite points between N and NE."
    ]
    assert seen(SeenState.UNSURE, None, spaces=("0,3", "0,2", "1,2")) == [
        "warn Red kite stands between 0,3, 0,2 and 1,2."
    ]
    for last in (None, Pose("0,3", 0), Pose("0,2", 0)):  # where it was seen before it was lost
        told = "note Red kite is not seen; the record has it on 0,3 N."
        assert seen(SeenState.LOST, last) == [told]


# -- simulated, recorded, shown ------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_cards_and_kites_are_where_the_record_has_them_to_the_end(seed: int) -> None:
    """The hidden table follows the rulings and never reads the record."""
    match = Match[Any].start(Setup("kites", options={"reach": 2 + seed % 2}), STAMP)
    bots: Any = bots_of(match.setup, Random(seed))
    for _ in playing(match, bots):
        if match.done_in_form:
            continue  # a card is laid, and ruled when both are
        assert bots.placement() == match.position.placement()
        counts = {pile: len(cards) for pile, cards in bots.piles.items()}
        assert counts == match.position.pile_counts()
    assert match.outcome is not None
    assert Match[Any].replay(match.entries).position.digest() == match.position.digest()


@pytest.mark.slow
def test_matches_of_bots_end_either_way() -> None:
    """Each wins some, and some are drawn."""
    results = Counter(play_one(Setup("kites"), Random(seed)).result for seed in range(60))
    assert {*results} == {"A", "B", "draw"}


def test_it_is_shown_on_a_map_with_headings() -> None:
    """Each kite as a drawing of its player's colour, turned as it flies."""
    match = flying()
    drawn = MapView(match.rulebook.plan, "near", Kites.looks).draw(match.position.placement())
    shown = {
        piece.piece: (piece.tint.sign, piece.tint.colour, piece.facing) for piece in drawn.pieces
    }
    assert shown == {"red": ("spad", 0, 0), "blue": ("spad", 1, 3)}


@pytest.mark.slow
def test_a_drawn_camera_tells_where_kites_fly(tmp_path: Path) -> None:
    """Printed markers, drawn frames, the record: the demonstration needs nothing of the box."""
    call = DemoCall("kites", record=str(tmp_path / "r.sqlite"), pace=0.0, pins="mock", rounds=2)
    summary = Demonstration(call).play()
    assert summary.sound, summary.to_json()
    assert (summary.poses.right, summary.poses.wrong) == (4, 0)


def test_the_terminal_plays_records_and_replays_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Typed words, the rule behind a ruling, the protocol, and the match ruled once more."""
    monkeypatch.setenv("COMPANION_RECORD", str(tmp_path / "r.sqlite"))
    script = tmp_path / "script.txt"
    script.write_text("laid\nlaid\n2\n3\n0,0 S\n!rule KT-5\n", "utf-8")
    told = io.StringIO()
    with redirect_stdout(told):
        assert run(["referee", "kites", "--seats", "A=Ana,B=Ben", "--script", str(script)]) == 0
        assert run(["show", "last"]) == 0
        assert run(["replay", "last"]) == 0
    assert "Ben flies to 0,0 S.  [KT-4]" in told.getvalue()
    assert "KT-5  Cutting a string" in told.getvalue()
    assert "it is still open" in told.getvalue()
    assert len(Record.open(str(tmp_path / "r.sqlite")).matches()) == 1


@pytest.mark.parametrize("call", ["referee kites --script -", "simulate kites", "markers kites"])
def test_a_file_of_figures_is_refused_by_a_box_that_has_none(
    call: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Else whoever wrote it would take it for read."""
    file = tmp_path / "ours.toml"
    file.write_text("[map]\nradius = 6\n", "utf-8")
    out = ["--out", str(tmp_path / "sheets.pdf")] if "markers" in call else []
    assert run([*call.split(), "--data", str(file), *out]) == 2
    told = f"companion: {file}: Kites takes no figures from a file; call it without --data"
    assert capsys.readouterr().err.startswith(told)
    assert not (tmp_path / "sheets.pdf").exists()
