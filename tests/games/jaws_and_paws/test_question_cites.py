"""Questions and rulings of a mode rest on that mode's paragraphs besides the manual's own game."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from companion.core.offers import Offer
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP, bots_of

HAND = {"lock_asks": "sections"}
WALKS: Mapping[str, Mapping[str, Any]] = {
    "day": {"variants": ("day",)},
    "night": {"variants": ("night",)},
    "two": {"variants": ("two-players",)},
    "two by night": {"variants": ("night", "two-players")},
    "three": {"variants": ("three-players",)},
    "one against two": {"variants": ("three-players",), "options": {"crews": "1 2"}},
    "five": {"variants": ("five-players",)},
    "five, one face up": {"variants": ("five-players",), "options": {"solo_face_up_5plus": "one"}},
    "five by night": {"variants": ("night", "five-players")},
}
ASKS: Mapping[str, Mapping[str, str]] = {
    "day": {
        "toss": "JP-3.4, RULING 3", "sun": "JP-3.5", "placed": "JP-3.2, JP-3.3, JP-3.6",
        "ready": "JP-5.1, JP-5.2", "locked": "JP-5.3, JP-5.8",
        "lock jaws": "JP-5.7, JP-6.1, RULING 37",
        "discard": "JP-7.1, JP-7.2, RULING 9", "drawn": "JP-7.1, JP-7.2, RULING 9",
        "shuffled": "JP-8.2", "reveal": "JP-9.1, JP-9.9", "result": "JP-11.1, JP-11.5, RULING 11",
    },
    "night": {"sun": "JP-16.1", "placed": "JP-16.1", "ready": "JP-16.1", "moon": "JP-16.3",
              "look": "JP-16.4", "looked": "JP-16.4"},
    "two": {"placed": "JP-17.1, JP-17.2", "lock jaws": "JP-17.4, JP-17.5, RULING 25",
            "discard": "JP-17.3", "drawn": "JP-17.3", "shuffled": "JP-17.4, RULING 25"},
    "two by night": {"sun": "JP-16.1", "placed": "JP-16.1, JP-17.2", "discard": "JP-17.3",
                     "moon": "JP-16.3, JP-17.4"},
    "three": {"placed": "JP-18.1, JP-18.2", "ready paws": "JP-18.3, RULING 26",
              "locked": "JP-18.3, RULING 26", "face-up": "JP-18.3, RULING 26",
              "discard PP": "JP-17.3", "drawn": "JP-17.3", "lock paws": "JP-17.5"},
    "one against two": {"ready jaws": "JP-18.3, RULING 26", "discard JG": "JP-17.3"},
    "five": {"toss": "RULING 28", "sun": "JP-19.6, RULING 28", "placed": "JP-19.1",
             "discard JP2": "JP-17.3", "lock jaws2": "JP-17.5", "result": "JP-19.7",
             "to": "JP-19.5, RULING 31", "down": "JP-11.1, RULING 33"},
    "five, one face up": {"ready jaws2": "JP-18.3, RULING 26, RULING 27",
                          "face-up": "JP-18.3, RULING 26"},
    "five by night": {"sun": "JP-16.1, JP-19.6", "moon": "JP-16.3", "placed": "JP-16.1, JP-19.1"},
}  # fmt: skip
"""What each question of a mode cites, at the least; those of the day game, exactly."""
NOT_THOSE: Mapping[str, tuple[str, ...]] = {
    "day": ("JP-16", "JP-17", "JP-18", "JP-19"), "night": ("JP-17", "JP-18", "JP-19"),
    "two": ("JP-16", "JP-18", "JP-19"), "two by night": ("JP-18", "JP-19"),
    "three": ("JP-16", "JP-19"), "one against two": ("JP-16", "JP-19"),
    "five": ("JP-16", "JP-18"), "five, one face up": ("JP-16",), "five by night": ("JP-18",),
}  # fmt: skip


def kinds_of(key: str) -> list[str]:
    """What a key asks, alone and with whom: "ready" and "ready jaws"."""
    words = [
        part for part in key.split("/") if not part.startswith(("round-", "section-", "game-"))
    ]
    if words[0] in ("draw", "repair"):
        words = words[1:]
    if words[0] == "set-up":
        return [words[1]]
    if words[0] == "lock" and words[1] == "face-up":
        return ["face-up"]
    return [words[0], *([f"{words[0]} {words[1]}"] if len(words) > 1 else [])]


def walked(mode: str) -> dict[str, set[str]]:
    """Every kind of question that matches of a mode ask, and its cites."""
    setup = Setup("jaws-and-paws", **WALKS[mode])
    asked: dict[str, set[str]] = defaultdict(set)
    for seed in range(6):
        match: Match[Any] = Match.start(setup, STAMP)
        bots: Any = bots_of(setup, Random(seed))
        done = 0
        while match.outcome is None:
            for key, question in match.open.items():
                for kind in kinds_of(key):
                    asked[kind].add(str(question.cite))
            key = next(key for key in match.open if key not in match.answered)
            raw = bots.act(match.open[key])
            match.answer(Offer(key, raw, "bot", match.open[key].by), STAMP)
            for ruling in match.rulings[done:]:
                bots.perform(ruling.deeds)
            done = len(match.rulings)
    return asked


@pytest.mark.parametrize("mode", WALKS)
def test_questions_of_a_mode_cite_its_paragraphs(mode: str) -> None:
    """Whole matches: what is asked rests on the chapter in force, and on no other's."""
    asked = walked(mode)
    for kind, cite in ASKS[mode].items():
        assert kind in asked, f"{kind} was never asked"
        for told in asked[kind]:
            assert set(cite.split(", ")) <= set(told.split(", ")), (kind, told)
            assert mode != "day" or told == cite, (kind, told)
    strange = [
        (kind, told)
        for kind, cites in asked.items()
        for told in cites
        for part in told.split(", ")
        if part.startswith(NOT_THOSE[mode])
    ]
    assert strange == []


def test_jp_18_3_the_solo_player_is_told_before_the_round(play: Any) -> None:
    """At the ready, and while cards are laid: after the buzzer it is too late to choose."""
    table = play(variants=("three-players",)).set_up()
    assert (
        "Paws must lay a card, and exactly one card face up" in table.question("ready/paws").prompt
    )
    assert "face up" not in table.question("ready/jaws").prompt
    table.say("ready/jaws").say("ready/paws")
    assert "exactly one card face up" in table.question("locked").prompt
    untimed = play(variants=("three-players",), options={"timer_s": "none"}).set_up()
    untimed.say("ready/jaws").say("ready/paws")
    assert "face up" in untimed.question("locked/Paws").prompt
    assert "face up" not in untimed.question("locked/JP").prompt


@pytest.mark.parametrize(
    ("mode", "options", "words"),
    [
        ("three-players", {"solo_face_up": "all"}, "and all cards face up"),
        ("three-players", {"solo_face_up": "none"}, ""),
        ("five-players", {}, ""),
        ("five-players", {"solo_face_up_5plus": "one"}, "and exactly one card face up"),
        ("two-players", {}, ""),
    ],
)
def test_ruling_26_and_27_who_has_no_such_duty_is_told_of_none(
    play: Any, mode: str, options: Any, words: str
) -> None:
    """As the table's house rules have it."""
    table = play(variants=(mode,), options=options).set_up()
    prompts = " ".join(question.prompt for question in table.match.open.values())
    assert (words in prompts) if words else ("face up" not in prompts)


def test_jp_14_3_hits_cite_how_damage_is_taken(section: Any) -> None:
    """A hit is resolved by cards from Deck to Scrap Pile; a miss moves none."""
    planes = {"Jaws": "Paws.PC", "Paws": "Jaws.PC"}
    assert "JP-14.3" in section(jaws="JP SH PC", planes=planes).rulings[0].cite.rules
    assert "JP-14.3" not in section(jaws="JP SH GC", planes=planes).rulings[0].cite.rules
