"""JP-5.7 and RULING 6: whatever was late, the record is that of a lock told right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

import pytest

from companion.core.errors import BadCall
from companion.core.ruling import Carry, Level
from companion.games.jaws_and_paws.boards import JG, JP
from companion.games.jaws_and_paws.faults import faults
from companion.referee.referee import Keeping, Referee

Cards = Mapping[int, str]
"""Whose cards lie on each section of the Jaws' track: {2: "JP JG"}."""

BEFORE: Mapping[str, Cards] = {
    "empty": {},
    "the mate's": {2: "JG"},
    "an own one": {2: "JP"},
    "doubled": {2: "JP JG"},
    "doubled by the mate": {2: "JG JG"},
    "with another elsewhere": {2: "JG", 4: "JP"},
}
"""What lies there at the buzzer before JP's late card comes to section 2."""
SOURCES: Mapping[str, str] = {"alone": "JP", "beside the mate's": "JP JG", "one of two": "JP JP"}
"""What lay on section 3, from which JP moves a card late."""
MODES = ["", "night", "three-players", "five-players", "two-players"]
ASKED = [(mode, asks) for mode in MODES for asks in ("sections", "players")]
MOVED = [
    (before, source, mode, asks)
    for before, source, (mode, asks) in product(BEFORE, SOURCES, ASKED)
    if asks == "sections" or source == "alone"  # whether it doubles again, only the table can tell
]


def told_of(cards: Cards, asks: str) -> list[tuple[str, Any]]:
    """What a table tells that sees these cards."""
    counts = {number: Counter(owners.split()) for number, owners in cards.items()}
    sections = [
        (f"lock/jaws/{number}", f"{of['JP']} {of['JG']}")
        for number, of in counts.items()
        if asks == "sections" or of.total() > 1
    ]
    if asks == "sections":
        return sections
    laid = sum(counts.values(), Counter[str]())
    return [*sections, *((f"lock/{player}", laid[player]) for player in ("JP", "JG"))]


def tell(table: Any, cards: Cards, asks: str) -> Any:
    """Tell them; of what is not told, silence says that nothing lies there."""
    for tail, raw in told_of(cards, asks):
        table.say(tail, raw)
    return table


def record(table: Any) -> Any:
    """What the record has of Jaws' cards."""
    position = table.position
    piles = {player: position.piles[player].counts for player in ("JP", "JG")}
    known = [owner for owner in position.owners["Jaws"] if owner != "?"]
    played = {player: position.played[player] for player in ("JP", "JG")}
    owners = known if len(known) == 4 else []
    return piles, played, position.doubled, owners


def added(cards: Cards, number: int, owner: str) -> Cards:
    return {**cards, number: f"{cards.get(number, '')} {owner}".strip()}


def seats(mode: str, asks: str, **house: Any) -> dict[str, Any]:
    face_up = {"solo_face_up": "none"} if mode == "three-players" else {}
    return {"variants": mode, "options": {"lock_asks": asks, **face_up, **house}}


@pytest.mark.parametrize(("mode", "asks"), ASKED)
@pytest.mark.parametrize("found", ["while the lock is told", "once it is told"])
@pytest.mark.parametrize("before", BEFORE)
def test_ruling_6_a_card_laid_late_leaves_the_record_of_a_right_lock(
    at: Callable[..., Any], before: str, found: str, mode: str, asks: str
) -> None:
    """Counted by who told the lock, then reported: hand, track, Discard and played are right."""
    right = tell(at("lock", **seats(mode, asks)), BEFORE[before], asks).lock()
    table = tell(at("lock", **seats(mode, asks)), added(BEFORE[before], 2, "JP"), asks)
    if found == "once it is told":
        table.lock()
    notice = table.report("late card", player="JP", section=2)
    assert (notice.code, notice.level) == ("JP-E20", Level.NOTE)
    assert "returns to the hand, not played" in notice.text
    if found != "once it is told":
        table.lock()
    assert record(table) == record(right)
    assert faults(table.position) == []


@pytest.mark.parametrize(("before", "source", "mode", "asks"), MOVED)
@pytest.mark.parametrize("found", ["while the lock is told", "once it is told"])
def test_ruling_6_a_card_moved_late_is_recorded_where_it_lay(
    at: Callable[..., Any], before: str, source: str, found: str, mode: str, asks: str
) -> None:
    """It goes back to section 3, which it may double again; section 2 is as it was."""
    left = SOURCES[source].removeprefix("JP").strip()
    truth = {**BEFORE[before], 3: SOURCES[source]}
    seen = added({**BEFORE[before], **({3: left} if left else {})}, 2, "JP")
    right = tell(at("lock", **seats(mode, asks)), truth, asks).lock()
    table = tell(at("lock", **seats(mode, asks)), seen, asks)
    if found == "once it is told":
        table.lock()
    notice = table.report("late card", player="JP", section=2, moved_from=3)
    assert notice.way_out == "Put it back on section 3."
    if found != "once it is told":
        table.lock()
    assert record(table) == record(right)
    assert faults(table.position) == []


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("found", ["first", "while the lock is told", "once it is told"])
def test_ruling_6_what_the_lock_did_not_count_changes_nothing(
    at: Callable[..., Any], before: str, found: str
) -> None:
    """Whoever told it left the late card out, and says so."""
    right = tell(at("lock"), BEFORE[before], "sections").lock()
    table = at("lock")
    if found != "first":
        tell(table, BEFORE[before], "sections")
    if found == "once it is told":
        table.lock()
    lies = "JP" in BEFORE[before].get(2, "") and found != "first"
    table.report("late card", player="JP", section=2, **({"counted": False} if lies else {}))
    if found == "first":
        tell(table, BEFORE[before], "sections")
    if found != "once it is told":
        table.lock()
    assert record(table) == record(right)


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize("found", ["while the lock is told", "once it is told"])
def test_ruling_6_a_late_card_that_is_discarded(
    at: Callable[..., Any], before: str, found: str, *, counted: bool
) -> None:
    """late_card discard: not played, one card more in the Discard Pile, one fewer in hand."""
    house = {"late_card": "discard"}
    right = tell(at("lock"), BEFORE[before], "sections").lock()
    lies = added(BEFORE[before], 2, "JP") if counted else BEFORE[before]
    table = tell(at("lock", options=house), lies, "sections")
    if found == "once it is told":
        table.lock()
    own = "JP" in BEFORE[before].get(2, "") and not counted
    table.report("late card", player="JP", section=2, **({"counted": False} if own else {}))
    if found != "once it is told":
        table.lock()
    piles, *rest = record(right)
    piles["JP"] |= {"hand": piles["JP"]["hand"] - 1, "discard": piles["JP"]["discard"] + 1}
    assert record(table) == (piles, *rest)


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize(
    ("house", "late_ms"),
    [({"late_card": "accept"}, {}), ({"buzzer_grace_ms": 500}, {"late_ms": 300})],
)
@pytest.mark.parametrize("found", ["first", "while the lock is told", "once it is told"])
def test_ruling_6_a_card_that_may_lie_counts_as_if_it_were_in_time(
    at: Callable[..., Any], before: str, found: str, house: Any, late_ms: Any
) -> None:
    """Not counted by the lock, it is from then on, and may double its section."""
    right = tell(at("lock"), added(BEFORE[before], 2, "JP"), "sections").lock()
    table = at("lock", options=house)
    if found != "first":
        tell(table, BEFORE[before], "sections")
    if found == "once it is told":
        table.lock()
    own = "JP" in BEFORE[before].get(2, "") and found != "first"
    table.report("late card", player="JP", section=2, **late_ms,
                 **({"counted": False} if own else {}))  # fmt: skip
    if found == "first":
        tell(table, added(BEFORE[before], 2, "JP"), "sections")
    if found != "once it is told":
        table.lock()
    assert record(table) == record(right)


def test_ruling_6_a_report_taken_back_leaves_what_was_told(at: Callable[..., Any]) -> None:
    """Undone, the answer stands again as it was given; the log replays to the same."""
    table = at("lock").say("lock/jaws/2", "1 1")
    table.report("late card", player="JP", section=2)
    assert table.match.answered["round-2/lock/jaws/2"] == {"pilot": 0, "gunner": 1}
    again = type(table.match).replay(table.match.entries)
    assert again.answered == table.match.answered
    table.match.undo(None, "in time", stamp=table.stamp)
    assert table.match.answered["round-2/lock/jaws/2"] == {"pilot": 1, "gunner": 1}


def test_ruling_6_what_was_put_right_may_be_told_anew(at: Callable[..., Any]) -> None:
    """The last word before "checked" counts, as of any answer of the form."""
    table = at("lock").say("lock/jaws/2", "1 0")
    notice = table.report("late card", player="JP", section=2)
    assert notice.text.endswith("Told now: section 2: 0 white, 0 black.")
    table.say("lock/jaws/2", "1 0").say("checked")
    assert table.position.owners["Jaws"][1] == "JP"


def test_ruling_6_a_count_that_held_the_late_card_is_put_right_too(at: Callable[..., Any]) -> None:
    """Two were counted there; without the late one it is one, and the lock closes on that."""
    table = at("lock")
    table.report("cards counted", team="Jaws", section=2, cards=2)
    table.say("lock/jaws/2", "1 1").report("late card", player="JP", section=2)
    assert table.say("checked").position.owners["Jaws"][1] == "JG"


def test_jp_6_1_the_ruling_says_what_hands_do_besides(at: Callable[..., Any]) -> None:
    """Off a doubled section, or onto one: where the other card goes, and the counts that stand."""
    table = at("lock").lock(jaws={2: "1 1"})
    text = table.report("late card", player="JP", section=2).text
    assert "Jaws Gunner's card goes back there from the Discard Pile, face down" in text
    assert "Jaws Pilot: hand 4, track 0, Discard 10, played 0." in text
    table = at("lock").lock(jaws={2: "1 0", 3: "0 1"})
    text = table.report("late card", player="JP", section=2, moved_from=3).text
    assert "Section 3 is doubled by it: both cards there are discarded" in text
    assert "Jaws Gunner: hand 3, track 0, Discard 11, played 1." in text


def test_jp_6_1_hands_are_told_the_same_as_deeds(at: Callable[..., Any]) -> None:
    """What the record changed by, hands carry: the late card to the hand, the other one back."""
    table = at("lock").lock(jaws={2: "1 1"})
    referee = Referee(table.match, Keeping(lambda _: None), lambda *_: table.stamp)
    referee.begin(0.0)
    referee.report({"what": "late card", "player": "JP", "section": 2}, 1.0)
    assert referee.hands.correction is not None
    assert set(referee.hands.correction.tasks) == {
        Carry(JP, 1, "discard", "hand"),
        Carry(JG, 1, "discard", "track"),
    }


@pytest.mark.parametrize(
    ("stage", "flip"),
    [("repair", False), ("section-2", False), ("section-2", True)],
    ids=["repairing", "at the reveal", "after the section's ruling"],
)
def test_ruling_6_found_after_the_draw_the_lock_is_corrected(
    at: Callable[..., Any], stage: str, *, flip: bool
) -> None:
    """The record stays, the match waits; what the lock did not count is a note like any other."""
    repairing = {"PP": {"played": 0}} if stage == "repair" else {}
    table = at(stage, cards={"Jaws": {2: "JP", 4: "JG"}}, **repairing)
    if flip:
        table.flip(jaws="MPL own")
    before = table.position.digest()
    note = table.report("late card", player="JG", section=2)
    assert (note.level, note.way_out) == (Level.NOTE, "The lock did not count it.")
    block = table.report("late card", player="JP", section=2)
    assert (block.level, "found after the draw" in block.text) == (Level.BLOCK, True)
    assert block.way_out == "Correct the answer at the lock instead."
    assert table.position.digest() == before


def test_ruling_6_the_amended_lock_agrees_with_the_ruling(play: Callable[..., Any]) -> None:
    """Found at the reveal: the arbiter amends the lock, and the section has the card in time."""
    table = play().set_up().act().lock(jaws={2: "1 1"}, paws={1: "1 0"}).draw()
    told = next(e.seq for e in table.match.entries if e.key == "round-1/lock/jaws/2")
    assert table.report("late card", player="JG", section=2).level is Level.BLOCK
    table.match.amend(told, "1 0", "the black one was late").commit(table.stamp)
    assert table.position.owners["Jaws"] == ["", "JP", "", ""]
    assert table.position.piles["JG"].counts["hand"] == 4
    table.match.report({"what": "solved", "code": "JP-E20"}, table.stamp)
    assert "round-1/shuffled/JG" not in table.asked, "an empty pile is not shuffled"
    assert table.asked == ["round-1/section-1/reveal/paws"]


def test_ruling_6_once_drawn_nothing_is_taken_off(at: Callable[..., Any]) -> None:
    """By night a question is open at that stage after the draw: the hands are full by then."""
    stands = {"moon": "Paws.PL", "planes": {"Jaws": "Paws.GC", "Paws": "Jaws.PC"}}
    table = at("lock", variants="night", **stands).lock(jaws={2: "1 0"}).draw()
    assert "round-2/moon/drawn" in table.asked
    before = table.position.digest()
    assert table.report("late card", player="JP", section=2).level is Level.BLOCK
    assert table.position.digest() == before
    assert table.report("says none", player="JG", section=3).level is Level.BLOCK


@pytest.mark.parametrize(("late_mistake", "level"), [("stands", "note"), ("amend", "warn")])
def test_ruling_35_found_after_its_round(
    at: Callable[..., Any], late_mistake: str, level: str
) -> None:
    """What was resolved stands, unless the table amends it; while cards are laid none is late."""
    table = at("action", options={"late_mistake": late_mistake})
    notice = table.report("late card", player="JP", section=2)
    assert (str(notice.level), 35 in notice.cite.rulings) == (level, True)
    table = at("action").say("ready/jaws").say("ready/paws")
    notice = table.report("late card", player="JP", section=2)
    assert "the buzzer has not sounded" in notice.text


@pytest.mark.parametrize("mode", ["three-players", "night three-players"])
def test_ruling_26_the_card_face_up_may_not_vanish(at: Callable[..., Any], mode: str) -> None:
    """A solo player's late card that lay face up, or was the only one: the lock asks again."""
    table = at("lock", variants=mode).say("lock/paws/2", "1 0").say("lock/paws/3", "0 1")
    table.say("checked").say("face-up/paws", "2")
    before = table.position.digest()
    assert table.report("late card", player="PP", section=2).level is Level.BLOCK
    assert table.position.digest() == before
    assert table.report("late card", player="PG", section=3).level is Level.NOTE
    assert table.position.piles["PG"]["track"] == 0


# -- between the lock's form and the record ------------------------------------------------------

ALONE: Mapping[str, Cards] = {
    "two sections": {2: "JP", 3: "JG"},
    "doubled": {2: "JP JG", 3: "JG"},
    "doubled twice": {2: "JP JG", 3: "JG JG"},
}
"""What the lock was told while a card of JP's on section 2 was late: a question then is open."""
TOLD_TWICE = [
    ("doubled_reveal", "", {"doubled_reveal": True}),
    ("face up", "three-players", {"crews": "1 2"}),
    ("both", "three-players", {"crews": "1 2", "doubled_reveal": True}),
    ("of five", "five-players", {"crews": "1 2 2", "solo_face_up_5plus": "one"}),
]
"""Where a question is open although the lock's form is closed."""


def open_in_between(at: Callable[..., Any], mode: str, house: Any, cards: Cards, asks: str) -> Any:
    """A lock that is told, with cards of Paws too; and whether a question of it is still open."""
    crews = {"crews": house["crews"]} if "crews" in house else {}
    rest = {name: value for name, value in house.items() if name != "crews"}
    table = at("lock", variants=mode, options={**rest, "lock_asks": asks}, **crews)
    tell(table, cards, asks)
    table.say("lock/paws/1", "1 1")
    if asks == "players":
        table.say("lock/PP", 1).say("lock/PG", 1)
    return table.say("checked")


def play_on(table: Any) -> Any:
    """Every question of the lock, by its word or its first option, until the record has it."""
    while table.position.stage == "lock":
        key = next((key for key in table.asked if key.endswith("/checked")), table.asked[0])
        options = "SH PL" if "/doubled/" in key else None
        if "/face-up/" in key:
            options = table.match.open[key].options_now()[0].name
        table.say(key, options)
    return table


@pytest.mark.parametrize("asks", ["sections", "players"])
@pytest.mark.parametrize(("mode", "house"), [(m, h) for _, m, h in TOLD_TWICE],
                         ids=[name for name, _, _ in TOLD_TWICE])  # fmt: skip
@pytest.mark.parametrize("cards", ALONE)
@pytest.mark.parametrize("moved_from", [0, 4])
def test_ruling_6_found_while_a_question_of_the_lock_is_open(
    at: Callable[..., Any], cards: str, mode: str, house: Any, moved_from: int, asks: str
) -> None:
    """The lock opens again with what was told put right; the record is that of a right lock."""
    seen, left = ALONE[cards], ALONE[cards][2].removeprefix("JP").strip()
    truth = {**{n: of for n, of in seen.items() if n != 2}, **({2: left} if left else {})}
    truth |= {4: "JP"} if moved_from else {}
    table = open_in_between(at, mode, house, seen, asks)
    assert table.position.stage == "lock", "a question is open"
    before = table.position.digest()
    moved = {"moved_from": moved_from} if moved_from else {}
    notice = table.report("late card", player="JP", section=2, **moved)
    if asks == "players" and moved_from and seen[2] == "JP":
        assert "If another card lies on section 4, tell both there." in notice.text
    assert (notice.code, notice.level) == ("JP-E20", Level.NOTE)
    assert notice.way_out.endswith("The lock is open again: look at both tracks, and say checked.")
    assert table.position.digest() == before
    assert f"round-2/lock/{'JP' if asks == 'players' else 'jaws/2'}" in table.match.answered
    right = play_on(open_in_between(at, mode, house, truth, asks))
    assert record(play_on(table)) == record(right)
    assert faults(table.position) == []
    again = type(table.match).replay(table.match.entries)
    assert again.position.digest() == table.position.digest()


def test_ruling_6_what_that_lock_did_not_count_asks_nobody_again(at: Callable[..., Any]) -> None:
    """Nor does a card that may lie: the question that is open stays open."""
    table = at("lock", variants="three-players")
    table.say("lock/paws/2", "1 0").say("lock/paws/3", "0 1").say("checked")
    notice = table.report("late card", player="PP", section=4)
    assert (notice.level, notice.way_out) == (Level.NOTE, "The lock did not count it.")
    assert table.asked == ["round-2/lock/face-up/paws"]
    lets = at("lock", variants="three-players", options={"late_card": "accept"})
    lets.say("lock/paws/2", "1 0").say("lock/paws/3", "0 1").say("checked")
    assert lets.report("late card", player="PG", section=3).level is Level.NOTE
    assert lets.asked == ["round-2/lock/face-up/paws"]


def test_ruling_6_an_accepted_card_that_it_missed_is_told_there_too(at: Callable[..., Any]) -> None:
    """late_card accept: the lock has not counted it, so it opens again with that card told."""
    table = at("lock", variants="three-players", options={"late_card": "accept"})
    table.say("lock/paws/2", "1 0").say("lock/paws/3", "0 1").say("checked")
    table.report("late card", player="PG", section=4)
    table.say("checked")
    names = [option.name for option in table.question("face-up/paws").options_now()]
    assert names == ["2", "3", "4"]


def test_ruling_26_the_only_card_was_late_one_from_hand_is_asked_for(
    at: Callable[..., Any],
) -> None:
    """JP-18.3: found while the face-up card is asked for, the duty holds as at a right lock."""
    table = at("lock", variants="three-players", options={"doubled_reveal": True})
    table.say("lock/paws/2", "1 1").say("lock/jaws/1", "1 0").say("checked")
    assert "doubled" in table.asked[0]
    table.report("late card", player="PP", section=2)
    table.report("late card", player="PG", section=2)
    table.say("checked")
    assert "2 pilot" in [o.name for o in table.question("face-up/paws").options_now()]
    assert table.position.face_up == {}


def test_ruling_6_taken_back_the_question_is_open_again(at: Callable[..., Any]) -> None:
    """Undone, the lock is as it was told; the position's file keeps what was put right."""
    table = at("lock", options={"doubled_reveal": True}).say("lock/jaws/2", "1 1").say("checked")
    asked = table.asked
    table.report("late card", player="JP", section=2)
    file = table.match.position_file()
    assert {"key": "round-2/lock/jaws/2", "answer": {"pilot": 0, "gunner": 1}} in file["since"]
    table.match.undo(None, "in time", stamp=table.stamp)
    assert table.asked == asked


def test_jp_5_7_a_count_that_differs_opens_the_lock_again(at: Callable[..., Any]) -> None:
    """Cards counted while a question of the lock is open: that section is told anew."""
    table = at("lock", options={"doubled_reveal": True}).say("lock/jaws/2", "1 1").say("checked")
    assert table.report("cards counted", team="Jaws", section=2, cards=2).way_out == ""
    notice = table.report("cards counted", team="Jaws", section=2, cards=1)
    assert notice.way_out == "The lock is open again: tell that section anew, and say checked."
    assert table.refused("checked").code == "JP-E33"
    assert table.say("lock/jaws/2", "0 1").say("checked").position.owners["Jaws"][1] == "JG"


def test_jp_e34_owned_up_to_in_between_the_lock_is_corrected(at: Callable[..., Any]) -> None:
    """Nothing is drawn yet: the way out says no more than is so."""
    table = at("lock", options={"doubled_reveal": True}).say("lock/jaws/2", "2 0").say("checked")
    notice = table.report("says none", player="JG", section=3)
    assert (notice.level, notice.way_out) == (
        Level.BLOCK,
        "Correct the answer at the lock instead.",
    )


def test_ruling_39_who_leaves_in_between_has_no_card_there(at: Callable[..., Any]) -> None:
    """Of several teams: none of its cards is counted at the lock, as the ruling says."""
    table = at("lock", variants="five-players", options={"doubled_reveal": True})
    table.say("lock/jaws2/1", "1 0").say("lock/jaws2/3", "1 1").say("lock/jaws/4", "1 1")
    table.say("checked")
    notice = table.report("retired", player="JP2")
    assert "Its cards on the track return to its hands" in notice.text
    table.say("checked")
    assert {key.rpartition("/")[0] for key in table.asked} == {"round-2/doubled/jaws/4"}
    assert table.position.piles["JP2"].counts["hand"] == 3


def test_where_players_are_asked_the_table_tells_what_it_doubles(at: Callable[..., Any]) -> None:
    """Which sections hold single cards nobody said: so the ruling asks for it."""
    house = {"lock_asks": "players"}
    table = at("lock", options=house).say("lock/JP", 1).say("lock/JG", 1)
    notice = table.report("late card", player="JP", section=2, moved_from=3)
    assert notice.text.endswith("If another card lies on section 3, tell both there.")
    table.say("checked")
    notice = table.report("late card", player="JP", section=2, moved_from=3)
    assert "If another card lies on section 3, correct the lock: it is doubled." in notice.text


def test_e34_on_a_doubled_section_the_card_is_discarded_too(at: Callable[..., Any]) -> None:
    """JP-6.1: a card owned up to that lies with two others goes where they went."""
    table = at("lock").lock(jaws={2: "2 0"})
    table.report("says none", player="JG", section=2)
    assert table.position.piles["JG"].counts["discard"] == 11
    assert (table.position.played["JG"], table.position.owners["Jaws"]) == (1, [""] * 4)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"moved_from": 2}, "the card lies on section 2; name where it lay before"),
        ({"counted": True}, "the record has no card of Jaws Pilot on Jaws section 2"),
        ({"counted": "yes"}, "counted: 'yes' is neither true nor false"),
    ],
)
def test_a_late_card_that_cannot_be_is_refused(
    at: Callable[..., Any], fields: Any, message: str
) -> None:
    """A contradiction in the report itself changes nothing."""
    refusal = at("draw").refused_report("late card", player="JP", section=2, **fields)
    assert isinstance(refusal, BadCall)
    assert message in str(refusal)


def test_a_file_keeps_doubled_sections(play: Callable[..., Any], at: Callable[..., Any]) -> None:
    """Resumed at the draw, a late card off a doubled section is put right all the same."""
    table = at("lock").lock(jaws={2: "1 1"})
    again = play(position=table.match.position_file())
    again.report("late card", player="JP", section=2)
    assert again.position.owners["Jaws"] == ["", "JG", "", ""]


@pytest.mark.parametrize(
    ("doubled", "place"),
    [({"Jaws.9": {"JP": 2}}, "doubled.Jaws.9"), ({"Jaws.2": {"PP": 2}}, "doubled.Jaws.2"),
     ({"Jaws.2": {"JP": 1}}, "doubled.Jaws.2")],
)  # fmt: skip
def test_a_file_that_doubles_what_cannot_be_is_refused(
    at: Callable[..., Any], doubled: Any, place: str
) -> None:
    """The place in the file, and what may stand there."""
    with pytest.raises(Exception, match=place):
        at("draw", doubled=doubled)
