"""Writes the golden matches of an edition: run it once, when an edition is released.

    python tests/golden/write_matches.py

A file that is there stays as it is: what a released edition ruled is not rewritten.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from companion.core.offers import Offer, Stamp
from companion.core.ruling import Json, Seat
from companion.games import rulebook_of
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of, play_out
from companion.record.lines import Closing
from companion.record.record import Record

HERE = Path(__file__).parent
STAMP = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
SEATS = {Seat("JP"): "Ana", Seat("JG"): "Bo", Seat("PP"): "Cleo", Seat("PG"): "Dan"}


def main() -> None:
    """Every golden match that is not there yet."""
    for name, setup, play in MATCHES:
        file = HERE / f"{setup.box}-edition-{rulebook_of(setup).edition}-{name}.jsonl"
        if not file.exists():
            file.write_text(exported(setup, play), "utf-8")


def exported(setup: Setup, play: Callable[[Match[Any]], None]) -> str:
    """A match played, recorded and exported."""
    match = Match[Any].start(setup, STAMP)
    play(match)
    with tempfile.TemporaryDirectory() as folder, Record.open(f"{folder}/golden.db") as record:
        match_id = record.create(match.setup, STAMP)
        record.append(match_id, match.entries)
        if match.outcome is not None:
            record.finish(match_id, Closing.of(match, STAMP.at_utc))
        return record.export(match_id)


def to_the_end(seed: int) -> Callable[[Match[Any]], None]:
    """Bots play a whole match."""

    def play(match: Match[Any]) -> None:
        play_out(match, bots_of(match.setup, Random(seed)))

    return play


def with_an_arbiter(match: Match[Any]) -> None:
    """Everything that a log may hold: revision, undo, amend, adjust, report, clock, close."""

    def say(key: str, raw: Json) -> None:
        match.answer(Offer(key, raw, "touch", match.open[key].by), STAMP)

    say("set-up/toss", "Jaws")
    say("set-up/sun", "Jaws.GL")
    match.undo(None, "misplaced", stamp=STAMP)
    say("set-up/sun", "Jaws.PL")
    say("set-up/placed", "placed")
    say("round-1/ready/jaws", "ready")
    say("round-1/ready/paws", "ready")
    match.note_clock("round-1/locked", {"event": "started", "rest_s": 20.0}, STAMP)
    say("round-1/locked", "zero")
    for team in ("jaws", "paws"):
        for section in (1, 2, 3, 4):
            say(f"round-1/lock/{team}/{section}", [1, 0] if section < 3 else [0, 0])
    say("round-1/lock/paws/2", [0, 1])
    say("round-1/lock/checked", "checked")
    for player in SEATS:
        say(f"round-1/discard/{player}", 0)
    say("round-1/drawn", "drawn")
    match.report({"what": "token", "piece": "sun", "state": "covered"}, STAMP, "a hand")
    say("round-1/section-1/reveal/jaws", "MPL own")
    revealed = match.entries[-1].seq
    say("round-1/section-1/reveal/paws", "SH PC")
    match.amend(revealed, "MPL enemy", "it lay the other way").commit(STAMP)
    match.adjust({"sun": "Paws.GC"}, "it was knocked over", stamp=STAMP)
    match.close([], "Rain.", "the table got wet", STAMP)


def with_a_lot(match: Match[Any]) -> None:
    """The companion tosses, from a number that somebody says; bots play on."""
    for key, raw in (("set-up/toss", "lot"), ("set-up/number", 47)):
        match.answer(Offer(key, raw, "touch", match.open[key].by), STAMP)
    play_out(match, bots_of(match.setup, Random(8)))


def with_an_arbiter_1917(match: Match[Any]) -> None:
    """The same for the hex board, whose options are poses, and where answers may lapse."""

    def say(key: str, raw: Json) -> int:
        match.answer(Offer(key, raw, "touch", match.open[key].by), STAMP)
        return match.entries[-1].seq

    say("set-up/placed", "placed")
    match.answer(Offer("turn-1/2/action", "Basic Maneuver", "touch", Seat("A")), STAMP)
    say("turn-1/2/fly", "0,-2 N")
    condition = say("turn-1/2/condition", [5])
    match.amend(condition, [2], "it was a two").commit(STAMP)
    match.report({"what": "recount", "player": "A", "pile": "deck", "count": 13}, STAMP, "counted")
    match.adjust({"A.deck": 13, "A.hand": 6}, "one card was drawn too many", stamp=STAMP)
    match.report({"what": "solved", "code": "DF-E16"}, STAMP)
    say("turn-1/3/action", "end turn")
    match.undo(None, "not yet", stamp=STAMP)
    match.adjust({"option.late_stall": "forbid_action"}, "agreed", stamp=STAMP)
    say("turn-1/3/action", "end turn")
    match.close([Seat("B")], "Ana gives up.", "the bus leaves", STAMP)


DAY = Setup("jaws-and-paws", ("day",), SEATS)


def boards(*modes: str, seats: str, **options: Json) -> Setup:
    """Jaws & Paws in another mode, with people at these seats."""
    named = dict(zip(map(Seat, seats.split()), PEOPLE, strict=False))
    return Setup("jaws-and-paws", modes, named, options)


FOUR = {Seat("A"): "Ana", Seat("B"): "Bo", Seat("C"): "Cleo", Seat("D"): "Dan"}
TWO = {seat: FOUR[seat] for seat in (Seat("A"), Seat("B"))}


def hexes(*modes: str, seats: Mapping[Seat, str] = FOUR, **options: Json) -> Setup:
    """A match on the hex board."""
    return Setup("dogfight-1917", modes, seats, options)


def ships(players: int, **options: Json) -> Setup:
    """Starship Edition for so many."""
    seats = dict(zip(map(Seat, "ABCDEF"), PEOPLE[:players], strict=False))
    return Setup("starship-edition", ("base",), seats, {"players": players, **options})


def answer_next(match: Match[Any], raw: Json) -> None:
    """The one open question; before it, nobody plays a card wherever anybody may."""
    (question,) = match.open.values()
    while "/anybody-" in question.key:
        match.answer(Offer(question.key, "nobody", "touch", question.by), STAMP)
        (question,) = match.open.values()
    match.answer(Offer(question.key, raw, "touch", question.by), STAMP)


def with_a_declared_card(match: Match[Any]) -> None:
    """A card that no catalogue lists, an undo, an adjustment, and bots that go on from there."""

    def say(*answers: Json) -> None:
        for raw in answers:
            answer_next(match, raw)

    say("A", "A", "B 3,5", "set", "draw", "pass")
    match.undo(None, "changed her mind", stamp=STAMP)
    say("set", "end", "pass", "pass", "draw", "end")
    match.adjust({"B.hull": 4}, "miscounted", stamp=STAMP)
    say("unknown Tractor beam", "ATTACK", "free", "damage", "others", 2, "yes", "nothing more")
    say("Tractor beam", "yes", "pass", "pass", "pass", "end", "set", "pass", "pass", "end")
    say("Tractor beam")


TRICKS: Mapping[str, Json] = {
    "abilities": {
        "AB-AHEAD": {"title": "Look ahead", "when": "preparation", "effects": [{"op": "draw"}]},
        "AB-HEAT": {"title": "Heat up", "when": "tier_2", "effects": [
            {"op": "counter", "name": "over heat", "vessel": "others", "amount": 10}]},
    },
    "vessel": {"abilities": ["AB-AHEAD", "AB-HEAT"]},
}  # fmt: skip
"""Abilities of other moments, which put both vessels at their limit in one turn."""


def with_a_kept_card(match: Match[Any]) -> None:
    """A card kept by what it does, abilities of two moments, and Priority's order at the end."""

    def say(*answers: Json) -> None:
        for raw in answers:
            answer_next(match, raw)

    say("B", "A", "B 3,5", "ability AB-HEAT", "set", "ability AB-AHEAD", "pass", "pass", "end")
    say("ability AB-HEAT", "set", "second", "pass", "pass", "end")
    say("unknown", "INTERVENE", "free", "gain energy", "this", 2, "yes", "keep")
    say("Card 1: energy this 2", "G-SHOT", ["A", "B"])


BURNS: Mapping[str, Json] = {
    "abilities": {"AB-BURN": {"title": "Burn", "when": "discard_phase", "effects": [
        {"op": "damage", "vessel": "others", "amount": 8}]}},
    "vessel": {"abilities": ["AB-BURN"]},
    "cards": {
        "TUBE": {"title": "Tube", "type": "EQUIP", "form": "gear", "unique_on_vessel": False,
                 "duration": "while_equipped", "upkeep": [{"pay": "energy"}],
                 "effects": [{"op": "modify", "stat": "attack", "amount": 1}]},
        "HOLD": {"title": "Hold", "type": "INTERVENE", "effects": [{"op": "set_secondary"}]},
    },
}  # fmt: skip
"""Gear of which a vessel may have several, a card that lays another, and who lives by the order."""


def with_what_coincides(match: Match[Any]) -> None:
    """Copies of gear renewed one by one, a card that lays another, Priority's order, who leaves."""

    def say(*answers: Json) -> None:
        for raw in answers:
            answer_next(match, raw)

    say("A", "A 1,1", "B 3,5", "B 6,4")
    say("set", "set", "set", "end", "set", "pass", "pass", "end", "pass", "pass", "pass", "end")
    say("TUBE", "HOLD", "1", "TUBE", "TUBE", "G-CHARGE")
    say(["B", "A"], "yes", ["renewal TUBE #2", "renewal TUBE"], "yes", "no", "no")
    match.adjust({"Ana.hull": 6, "Bo.hull": 6}, "a fire", stamp=STAMP)
    say("ability Burn", "pass", "pass", "pass", "end", "pass")
    match.report({"what": "leaves", "player": "Cleo"}, STAMP, "the last bus")
    say("ability Burn", "pass", "pass", "pass", "end", ["A", "B"])


DRAINS: Mapping[str, Json] = {
    "abilities": {
        "AB-DRAIN": {"title": "Drain", "when": "discard_phase", "effects": [
            {"op": "energy", "vessel": "others", "amount": -1}]},
        "AB-BLAST": {"title": "Blast", "when": "end_of_turn", "effects": [
            {"op": "damage", "vessel": "others", "amount": 20}]},
    },
    "vessel": {"abilities": ["AB-DRAIN", "AB-BLAST"]},
    "cards": {
        "SHELL": {"title": "Shell", "type": "EQUIP", "form": "gear", "upkeep": [{"pay": "energy"}]},
        "NIGHT": {"title": "Night", "type": "INTERVENE", "form": "star",
                  "windows": ["discard_phase"],
                  "effects": [{"op": "energy", "vessel": "all", "amount": 1}]},
    },
}  # fmt: skip
"""What is due at one moment and is of different kinds."""


def with_things_of_all_kinds(match: Match[Any]) -> None:
    """A renewal between a card and an ability; counters at their limit before an ability."""

    def say(*answers: Json) -> None:
        for raw in answers:
            answer_next(match, raw)

    say("A", "B 3,5", "B 6,4")
    say("set", "pass", "pass", "end")
    say("ability Drain", "ability Blast", "pass", "pass", "pass", "end")
    match.adjust({"Ana.energy": 0, "Bo.counters": {"over heat": 10}}, "a storm", stamp=STAMP)
    say("SHELL", "NIGHT", "done")
    say(["A card NIGHT", "A renewal SHELL", "B ability AB-DRAIN"], "yes", "done")
    say(["B counters over heat", "B ability AB-BLAST"])


def dogfight(players: int, **options: Json) -> Setup:
    """A TaleSpin dogfight at a table of so many."""
    seats = dict(zip(map(Seat, "ABCD"), PEOPLE[:players], strict=False))
    return Setup("talespin-dogfight", ("base",), seats, {"players": players, **options})


def with_unwritten_cards(match: Match[Any]) -> None:
    """Cards that no file lists, a typed Pilot card, an undo, an adjustment; the defender wins."""

    def say(*answers: Json) -> None:
        for raw in answers:
            question = next(q for key, q in match.open.items() if key not in match.answered)
            match.answer(Offer(question.key, raw, "touch", question.by), STAMP)

    say("A", 1, 3, 2, 3, 2, 2, 6, 5, 2, 1, 0, 2, 40, 12)
    say("pilot", 4, 7, 2, 1, "other card", "draw A", 2, "nothing")
    match.undo(None, "there was more", stamp=STAMP)
    say("raise A", 1, "nothing", "pass", "pass", "defend")
    match.adjust({"B.hand": 6}, "miscounted", stamp=STAMP)
    match.answer(Offer("dogfight-1/answer-1/maneuver", "9", "touch", Seat("B")), STAMP)
    say("other card", "value", 6, "nothing", "other card", "met", "draw B", 1, "nothing")
    say("pass", "stop", "pass", "pass")
    say("A1", "pass", "pass")


def with_few_words(match: Match[Any]) -> None:
    """Whole moments passed by one word, maneuvers told in the windows before them; 3b."""

    def say(*answers: Json) -> None:
        for raw in answers:
            question = next(q for key, q in match.open.items() if key not in match.answered)
            match.answer(Offer(question.key, raw, "touch", question.by), STAMP)

    say("B", 4, 5, 11, 2, 3, 2, 2, 2, 1, 6, 5, 4, 2, 1, 0, 0, 2, 1, 40, 12)
    say("Pilot card", "C", "nobody", "defend", "nobody", "nobody")
    say("8", "Strafe", "Loop-de-Loop", "Feint")
    say("nobody", "C1", "Homeward", "nobody")


def with_who_gives_up(match: Match[Any]) -> None:
    """One of the others leaves, then the defender: the attacker has won."""

    def say(*answers: Json) -> None:
        for raw in answers:
            question = next(q for key, q in match.open.items() if key not in match.answered)
            match.answer(Offer(question.key, raw, "touch", question.by), STAMP)

    say("B", 4, 5, 11, 2, 3, 2, 2, 2, 1, 6, 5, 4, 2, 1, 0, 0, 2, 1, 40, 12)
    say("Pilot card", "C", "nobody", "defend", "nobody", "nobody", "8", "8")
    match.report({"what": "retired", "player": "Ana"}, STAMP, "the last train")
    match.report({"what": "retired", "player": "C"}, STAMP, "so does she")
    say("pass", "pass")


def drifting(players: int, **options: Json) -> Setup:
    """Dogfight! hex ships for so many."""
    seats = dict(zip(map(Seat, "ABCDEF"), PEOPLE[:players], strict=False))
    return Setup("dogfight-hex", ("base",), seats, {"players": players, **options})


def with_who_leaves(match: Match[Any]) -> None:
    """Lots, steps told one by one, a revised word, undo, amend, adjust, and players who leave."""

    def say(key: str, raw: Json) -> int:
        match.answer(Offer(key, raw, "touch", match.open[key].by), STAMP)
        return match.entries[-1].seq

    say("set-up/wreckage/wreck-1", "0,0")
    say("set-up/wreckage/wreck-2", "lot")
    say("set-up/number/wreckage", 47)
    for seat, place in (("A", "0,-5 SE"), ("B", "5,-5 SW"), ("C", "-5,5 NE")):
        match.answer(Offer(f"set-up/ship/{seat}", place, "touch", Seat(seat)), STAMP)
    for seat in "BAC":
        say(f"turn-1/declare/{seat}", "down")
    moved = say("turn-1/move/A", "ahead ahead SW ahead")
    match.amend(moved, "0,-3 SE", "it did not turn").commit(STAMP)
    say("turn-1/move/B", "3,-3 SW")
    match.undo(None, "it moved on", stamp=STAMP)
    say("turn-1/move/B", "2,-2 SW")
    say("turn-1/move/C", "stay")
    match.adjust({"A.place": "0,-2 E", "option.shield_timing": "from_own_slot"}, "", stamp=STAMP)
    for seat, card in (("C", "short"), ("A", "medium"), ("B", "shield reuse")):
        say(f"turn-1/reveal/{seat}", card)
    say("turn-1/resolve/A/wreckage/hull-b-1", "3,-2")
    match.report({"what": "retired", "player": "C"}, STAMP, "the last train")
    match.report({"what": "retired", "player": "B"}, STAMP, "so does she")


PEOPLE = ("Ana", "Bo", "Cleo", "Dan", "Eve", "Fay")

MATCHES: list[tuple[str, Setup, Callable[[Match[Any]], None]]] = [
    ("day-1", DAY, to_the_end(1)),
    ("day-2", DAY, to_the_end(2)),
    ("day-draw", DAY, to_the_end(3)),
    ("arbiter", DAY, with_an_arbiter),
    ("night", boards("night", seats="JP JG PP PG"), to_the_end(2)),
    ("two-players", boards("two-players", seats="JP PP"), to_the_end(1)),
    ("night-two-players", boards("night", "two-players", seats="JP PP"), to_the_end(1)),
    ("three-players", boards("three-players", seats="JP JG PP"), to_the_end(1)),
    ("one-against-two", boards("night", "three-players", seats="JP PP PG", crews="1 2"),
     to_the_end(1)),
    ("five-players", boards("five-players", seats="JP JG PP PG JP2"), to_the_end(1)),
    ("seven-players", boards("night", "five-players", seats="JP PP JP2 JG2 PP2 JP3 JG3",
                             crews="1 1 2 1 2", solo_face_up_5plus="one"), to_the_end(1)),
    ("tossed", boards("night", "three-players", seats="JP JG PP"), with_a_lot),
    ("base-1", hexes("base", seats=TWO), to_the_end(1)),
    ("first-game-1", hexes("base", seats=TWO, first_game_deck=True), to_the_end(2)),
    ("draft-1", hexes("draft", seats=TWO), to_the_end(3)),
    ("daring-escape-1", hexes("daring-escape", seats=TWO, ace_removes=4), to_the_end(4)),
    ("battle-royale-1", hexes("battle-royale"), to_the_end(5)),
    ("team-battle-1", hexes("team-battle", "draft"), to_the_end(6)),
    ("entente-vs-central-powers-1", hexes("entente-vs-central-powers"), to_the_end(7)),
    ("arbiter", hexes("base", seats={Seat("A"): "Ana/camel", Seat("B"): "Bo/spad"}),
     with_an_arbiter_1917),
    ("base-1", ships(2), to_the_end(1)),
    ("four-1", ships(4, drift="on", overrepair="yes"), to_the_end(2)),
    ("six-1", ships(6), to_the_end(3)),
    ("no-map-1", replace(ships(3), cards={"map": {"kind": "none"}}), to_the_end(4)),
    ("declared", ships(2), with_a_declared_card),
    ("three-1", ships(3), to_the_end(5)),
    ("five-1", ships(5, destroyed_at="zero", share_space="yes", empty_deck="reshuffle",
                     illegal_secondary="return_to_hand",
                     declared_attack_survives="no", lots=7), to_the_end(6)),
    ("kept", replace(ships(2), cards=TRICKS), with_a_kept_card),
    ("coinciding", replace(ships(3), cards=BURNS), with_what_coincides),
    ("all-kinds", replace(ships(2), cards=DRAINS), with_things_of_all_kinds),
    ("two-1", dogfight(2), to_the_end(1)),
    ("three-1", dogfight(3, windows="ask", max_dogfights_per_turn=3), to_the_end(2)),
    ("four-1", dogfight(4, bounty="may", empty_pile="stop", hand_max=7), to_the_end(3)),
    ("unwritten", dogfight(2), with_unwritten_cards),
    ("few-words", dogfight(3), with_few_words),
    ("giving-up", dogfight(3), with_who_gives_up),
    ("three-1", drifting(3), to_the_end(1)),
    ("four-1", drifting(4), to_the_end(2)),
    ("six-1", drifting(6), to_the_end(3)),
    ("together-1", drifting(5, resolution="simultaneous", debris_ram="enter",
                            double_capture="proxy"), to_the_end(4)),
    ("leaving", drifting(3), with_who_leaves),
]  # fmt: skip

if __name__ == "__main__":
    main()
