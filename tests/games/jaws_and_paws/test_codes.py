"""Each code of what may go wrong, raised at the table, with its reaction and its cite."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.errors import IllegalAnswer
from companion.core.ruling import Level, Notice

ALL = {
    f"JP-E{number:02d}"
    for first, last in (
        (1, 6), (10, 16), (20, 24), (30, 34), (40, 45), (50, 53), (60, 71), (80, 82),
    )
    for number in range(first, last + 1)
}  # fmt: skip
FAR = "Jaws.GR"


def given(notice: Notice) -> tuple[str, str, str]:
    """Code, level and cite of a notice, as the cases below name them."""
    return notice.code, str(notice.level), str(notice.cite)


def refused(refusal: IllegalAnswer) -> tuple[str, str, str]:
    return refusal.code, "refuse", str(refusal.cite)


class Cases:
    """One method a code; each plays up to it at a fresh table and returns what came."""

    def __init__(self, play: Any, at: Any, section: Any) -> None:
        self.play, self.at, self.section = play, at, section

    # -- set-up

    def e01(self) -> Any:
        return refused(self.play().say("toss", "Jaws").refused("set-up/sun", "Paws.PC"))

    def e02(self) -> Any:
        table = self.play().say("toss", "Jaws").say("set-up/sun", "Jaws.GC")
        return given(table.report("token", piece="jaws", zone="Paws.GC"))

    def e03(self) -> Any:
        return given(self.play().report("track side", team="Jaws", smoke=True))

    def e04(self) -> Any:
        table = self.play().say("toss", "Jaws").say("set-up/sun", "Jaws.GC")
        return given(table.report("pile counted", player="JP", pile="hand", cards=5))

    def e05(self) -> Any:
        by_day = self.play().report("board side", team="Jaws", side="night")
        by_night = self.play(variants=("night",)).report("board side", team="Paws", side="day")
        assert given(by_day) == given(by_night)
        return given(by_day)

    def e06(self) -> Any:
        table = self.play().say("toss", "Jaws").say("set-up/sun", "Jaws.GC")
        assert given(table.report("token twice", piece="sun"))[0] == "JP-E06"
        again = self.play().say("toss", "Jaws").say("set-up/sun", "Jaws.GC")
        return given(again.report("token", piece="sun", state="lost"))

    # -- start of round

    def e10(self) -> Any:
        return given(self.at("action").report("token", piece="jaws", zone="Jaws.PC"))

    def e11(self) -> Any:
        return given(self.at("action").report("token", piece="sun", zone="Paws.PL"))

    def e12(self) -> Any:
        return given(self.at("action").report("token", piece="jaws", state="unsure"))

    def e13(self) -> Any:
        return given(self.at("action").report("token", piece="jaws", state="covered"))

    def e14(self) -> Any:
        return given(self.at("action").report("token twice", piece="paws"))

    def e15(self) -> Any:
        return given(self.at("action").report("cards counted", team="Paws", section=2, cards=1))

    def e16(self) -> Any:
        return given(self.at("action").report("track side", team="Jaws", smoke=True))

    # -- Action Phase

    def e20(self) -> Any:
        return given(self.at("lock").report("late card", player="JG", section=3))

    def e21(self) -> Any:
        table = self.at("lock")
        return given(table.report("straddling card", team="Jaws", section=2, second=3))

    def e22(self) -> Any:
        return given(self.at("lock").report("card on the wrong track", player="PP"))

    def e23(self) -> Any:
        table = self.at("action", variants="three-players")
        assert table.report("cards face up", team="Paws", cards=1).code == "JP-AGREES"
        return given(table.report("cards face up", team="Paws", cards=0))

    def e24(self) -> Any:
        return given(self.at("action").report("timer interrupted"))

    # -- lock

    def e30(self) -> Any:
        return given(self.at("lock").report("doubled section", team="Jaws", section=2))

    def e31(self) -> Any:
        table = self.at("lock").say("lock/jaws/1", "3 0").say("lock/jaws/2", "2 0")
        return refused(table.refused("checked"))

    def e32(self) -> Any:
        table = self.at("lock", JG={"hand": 0, "deck": 20}).say("lock/jaws/1", "0 1")
        return refused(table.refused("checked"))

    def e33(self) -> Any:
        table = self.at("lock")
        table.report("cards counted", team="Jaws", section=2, cards=2)
        return refused(table.refused("lock/jaws/2", "1 0"))

    def e34(self) -> Any:
        table = self.at("draw", JG={"played": 0})
        return given(table.report("says none", player="JG", section=3))

    # -- Discard and Draw

    def e40(self) -> Any:
        return refused(self.at("draw").refused("discard/JP", 5))

    def e41(self) -> Any:
        table = self.at("draw", JP={"deck": 1, "hand": 2, "discard": 27})
        return given(table.report("cannot draw", player="JP"))

    def e42(self) -> Any:
        table = self.at("draw", JP={"hand": 2, "deck": 18})
        note = table.report("pile counted", player="JP", pile="deck", cards=17)
        assert (note.code, note.level) == ("JP-E42", Level.NOTE)
        return given(table.report("pile counted", player="JP", pile="deck", cards=1))

    def e43(self) -> Any:
        stands = {"moon": "Paws.PL", "planes": {"Jaws": "Paws.GC", "Paws": "Jaws.PC"}}
        table = self.at("draw", variants="night", **stands)
        assert table.report("moon draw", player="JG", cards=3).code == "JP-E43"
        claimed = given(table.report("moon draw", player="PP", cards=1))
        again = self.at("draw", variants="night", **stands).draw()
        assert again.refused("moon/JP", 3).code == "JP-E43"
        return claimed

    def e44(self) -> Any:
        return refused(self.at("draw").refused_report("shuffle to draw", player="JP"))

    def e45(self) -> Any:
        table = self.at("draw", JP={"deck": 1, "discard": 25})
        return given(table.question("discard/JP").word_before(2))

    # -- Repairing

    def e50(self) -> Any:
        table = self.at("repair", JG={"played": 0})
        return refused(table.refused_report("wants to repair", player="JP"))

    def e51(self) -> Any:
        table = self.at("repair", JG={"played": 0})
        return given(table.report("declines to repair", player="JG"))

    def e52(self) -> Any:
        table = self.at("repair", JG={"played": 0})
        return given(table.report("damage taken", player="JG", cards=3))

    def e53(self) -> Any:
        table = self.at("repair", JG={"played": 0})
        return given(table.report("track side", team="Jaws", smoke=True))

    # -- sections

    def e60(self) -> Any:
        table = self.at("section-1", cards={"Jaws": {1: "JP"}})
        assert refused(table.refused("reveal/jaws", "none"))[:2] == ("JP-E60", "refuse")
        return given(table.report("card on empty section", team="Paws", section=1))

    def e61(self) -> Any:
        table = self.at("section-1", cards={"Jaws": {1: "JP"}})
        return given(table.report("two cards", team="Jaws", section=1, extra="JG"))

    def e62(self) -> Any:
        table = self.at("section-1", cards={"Jaws": {1: "JP", 2: "JP"}})
        return given(table.report("turned too early", team="Jaws", section=2))

    def e63(self) -> Any:
        table = self.at("section-1", cards={"Jaws": {1: "JP"}})
        return refused(table.refused("reveal/jaws", "MPL"))

    def e64(self) -> Any:
        table = self.at("section-1", cards={"Jaws": {1: "JP"}}, JG={"played": 0})
        return given(table.report("owner", player="JG", section=1))

    def e65(self) -> Any:
        table = self.play(
            cards={"composition_confirmed": True},
            position=self.file(
                "section-1",
                cards={"Jaws": {1: "JP"}},
                JP={"turned_over": {"discard": ["MSL"]}},
            ),
        )
        return given(table.question("reveal/jaws").word_before("MSL"))

    def e66(self) -> Any:
        table = self.at("section-1", cards={"Jaws": {1: "JP"}})
        return given(table.question("reveal/jaws").word_before("SH GC"))

    def e67(self) -> Any:
        table = self.at("section-2", cards={"Jaws": {2: "JP"}})
        return given(table.report("token", piece="paws", zone="Jaws.GL"))

    def e68(self) -> Any:
        table = self.at("section-1", cards={"Jaws": {1: "JP", 2: "JP"}}).flip(jaws="MPL own")
        assert table.position.zones["jaws"] == "Paws.PR"
        return given(table.report("token", piece="jaws", zone="Paws.PL"))

    def e69(self) -> Any:
        cards = {"Jaws": {1: "JP", 2: "JP"}}
        table = self.at("section-1", cards=cards, sun=FAR).flip(jaws="SH PC")
        return given(table.report("damage taken", player="PG", cards=6))

    def e70(self) -> Any:
        line = {"deck": 2, "discard": 24}
        table = self.at("section-1", cards={"Jaws": {1: "JP"}}, sun=FAR, PP=line)
        return given(table.flip(jaws="SH PC").report("cannot scrap", player="PP"))

    def e71(self) -> Any:
        table = self.at("section-1", cards={"Jaws": {1: "JP"}})
        return refused(table.refused_report("declines to resolve", team="Jaws"))

    # -- Cleanup

    def e80(self) -> Any:
        return given(self.at("action").report("wrong pile", player="JG"))

    def e81(self) -> Any:
        return given(self.at("action").report("pile counted", player="JP", pile="deck", cards=15))

    def e82(self) -> Any:
        table = self.at("action", smoke={"Jaws": True, "Paws": False})
        table.say("ready/jaws").say("ready/paws")
        return given(table.report("track side", team="Jaws", smoke=False))

    file: Any = None


REACTIONS = {
    "JP-E01": ("refuse", "JP-3.5"),
    "JP-E02": ("block", "JP-3.3"),
    "JP-E03": ("block", "JP-3.2"),
    "JP-E04": ("warn", "JP-3.6"),
    "JP-E05": ("warn", "JP-1.2, JP-16.1"),
    "JP-E06": ("block", "JP-2.10"),
    "JP-E10": ("block", "JP-2.3"),
    "JP-E11": ("block", "JP-21.2, RULING 35"),
    "JP-E12": ("note", "JP-2.2"),
    "JP-E13": ("note", "JP-2.2"),
    "JP-E14": ("block", "JP-2.3"),
    "JP-E15": ("warn", "JP-10.1"),
    "JP-E16": ("warn", "JP-10.2"),
    "JP-E20": ("note", "JP-5.7, RULING 6"),
    "JP-E21": ("note", "JP-5.7, RULING 6"),
    "JP-E22": ("note", "JP-5.4, RULING 6"),
    "JP-E23": ("note", "JP-18.3, RULING 26"),
    "JP-E24": ("note", "JP-5.3, JP-5.7"),
    "JP-E30": ("note", "JP-6.1, JP-6.2, RULING 8"),
    "JP-E31": ("refuse", "JP-21.1, RULING 37"),
    "JP-E32": ("refuse", "JP-21.1, RULING 37"),
    "JP-E33": ("refuse", "JP-5.5, JP-6.1"),
    "JP-E34": ("note", "JP-8.1, RULING 37"),
    "JP-E40": ("refuse", "JP-7.1"),
    "JP-E41": ("note", "JP-11.1, JP-11.4, RULING 10"),
    "JP-E42": ("block", "JP-7.2, JP-11.1"),
    "JP-E43": ("block", "JP-16.3"),
    "JP-E44": ("refuse", "JP-7.3"),
    "JP-E45": ("warn", "JP-7.2, JP-11.1"),
    "JP-E50": ("refuse", "JP-8.1, RULING 8"),
    "JP-E51": ("note", "JP-8.1, RULING 13"),
    "JP-E52": ("note", "JP-8.3, JP-8.5"),
    "JP-E53": ("note", "JP-10.2"),
    "JP-E60": ("block", "JP-9.1"),
    "JP-E61": ("note", "JP-6.1, RULING 8"),
    "JP-E62": ("note", "JP-9.2, RULING 34"),
    "JP-E63": ("refuse", "JP-12.1, RULING 17"),
    "JP-E64": ("block", "JP-8.8, RULING 37"),
    "JP-E65": ("warn", "JP-1.5"),
    "JP-E66": ("note", "JP-1.5"),
    "JP-E67": ("block", "JP-21.2, RULING 35"),
    "JP-E68": ("block", "JP-2.6, RULING 1"),
    "JP-E69": ("note", "JP-14.4, JP-14.5"),
    "JP-E70": ("note", "JP-11.1, JP-11.4, RULING 10"),
    "JP-E71": ("refuse", "JP-9.9, RULING 16"),
    "JP-E80": ("note", "JP-10.1"),
    "JP-E81": ("note", "JP-21.1, RULING 35"),
    "JP-E82": ("note", "JP-10.2, RULING 36"),
}
"""Every code with what it does and the rule it names. "refuse": an answer or a wish that is not
taken; those of the table's "block" that are answers refuse them, so the app cannot go on."""


def test_no_code_is_forgotten() -> None:
    """All codes there are stand in the table above."""
    assert set(REACTIONS) == ALL


@pytest.mark.parametrize("code", REACTIONS)
def test_code_reacts_as_the_table_says(
    code: str,
    play: Callable[..., Any],
    at: Callable[..., Any],
    section: Callable[..., Any],
    file_of: Callable[..., Any],
) -> None:
    """Code, reaction and cite; what is refused changes nothing (Table.refused holds that)."""
    cases = Cases(play, at, section)
    cases.file = file_of
    level, cite = REACTIONS[code]
    assert getattr(cases, code.removeprefix("JP-").lower())() == (code, level, cite)


OWN_CODES: dict[str, tuple[str, dict[str, Any], str]] = {
    "JP-AGREES": ("action", {"what": "token", "piece": "sun", "zone": "Jaws.GC"}, "note"),
    "JP-COUNTED": (
        "lock",
        {"what": "cards counted", "team": "Paws", "section": 1, "cards": 0},
        "note",
    ),
    "JP-EXPOSED": ("action", {"what": "card exposed", "player": "PG"}, "note"),
    "JP-MISDRAWN": ("repair", {"what": "misdrawn", "player": "JP", "cards": 6}, "note"),
    "JP-MISTAKE": ("action", {"what": "mistake found", "round": 1}, "note"),
    "JP-RETIRED": ("action", {"what": "retired", "player": "JG"}, "note"),
    "JP-TAKEN-BACK": ("action", {"what": "card taken back", "player": "JG"}, "note"),
}


@pytest.mark.parametrize("code", OWN_CODES)
def test_a_code_beyond_those_of_the_table(at: Callable[..., Any], code: str) -> None:
    """What a report brings that is nobody's mistake, with a cite like any other."""
    stage, fact, level = OWN_CODES[code]
    notice = at(stage, JG={"played": 0} if stage == "repair" else {}).report(**fact)
    assert (notice.code, str(notice.level)) == (code, level)
    assert notice.cite.rules or notice.cite.rulings


def test_jp_hidden_nothing_is_said_of_cards_before_the_buzzer(at: Callable[..., Any]) -> None:
    """JP-4.1: what the camera sees of them while they are laid."""
    table = at("action").say("ready/jaws").say("ready/paws")
    notice = table.report("cards counted", team="Jaws", section=1, cards=1)
    assert given(notice) == ("JP-HIDDEN", "note", "JP-4.1, JP-5.6")


def test_jp_no_destination_the_sun_goes_to_another_team_that_flies(at: Callable[..., Any]) -> None:
    """RULING 31: nowhere else may Move Sun Team take it."""
    table = at("section-1", variants="five-players", cards={"Paws": {1: "PP"}}, sun="Jaws.GC")
    refusal = table.flip(paws="MST").refused("to/paws", "Jaws")
    assert refused(refusal) == ("JP-NO-DESTINATION", "refuse", "JP-19.5, RULING 31")


def test_a_block_stops_the_match_until_it_is_solved(at: Callable[..., Any]) -> None:
    """The app does not go on while a block stands; "solved" lifts it."""
    table = at("action")
    table.report("token", piece="jaws", zone="Jaws.PC")
    assert table.refused("ready/jaws").code == "JP-E10"
    table.match.report({"what": "solved", "code": "JP-E10"}, table.stamp)
    assert table.say("ready/jaws").asked == ["round-2/ready/paws"]


def test_e65_says_nothing_of_an_assumed_list(at: Callable[..., Any]) -> None:
    """Composition is used for warnings only where the table confirmed its own list."""
    table = at("section-1", cards={"Jaws": {1: "JP"}}, JP={"turned_over": {"discard": ["MSL"]}})
    assert table.question("reveal/jaws").word_before("MSL") is None


def test_e65_counts_only_what_cannot_have_come_back(play: Any, file_of: Any) -> None:
    """Cards shuffled back by Repairing may be turned over again."""
    file = file_of("repair", JP={"played": 0, "turned_over": {"discard": ["MSL"]}},
                   cards={"Paws": {1: "PP"}})  # fmt: skip
    table = play(cards={"composition_confirmed": True}, position=file).repair()
    assert table.position.piles["JP"].known == {}
