"""What a correction leaves for hands to do, and that nothing of it is ever stored."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.core.board import Piece, Pose
from companion.core.offers import Offer
from companion.core.ruling import TABLE, Carry, Fact, Flip, Move, Seat, SetTo, Shuffle
from companion.games import jaws_and_paws
from companion.match.correction import (
    Hands,
    LyingTable,
    Telling,
    _past,
    _settings,
    _with_places,
    in_words,
)
from companion.match.match import Match
from companion.match.rulebook import Setup

PAWN = Piece("pawn")
JP, PG = Seat("JP"), Seat("PG")


def _jaws(real_tables: Callable[..., Any], name: str, mode: str = "day") -> Any:
    """A match of Jaws & Paws from one of the box's positions."""
    file = Path(jaws_and_paws.__file__).with_name("positions") / f"{name}.toml"
    position = tomllib.loads(file.read_text("utf-8"))
    position.pop("box", None)
    table = real_tables(setup=Setup("jaws-and-paws", (mode,), position=position))
    table.referee.begin(table.now)
    return table


def _say(table: Any, raw: Any) -> None:
    """Answer whatever is asked first."""
    match = table.referee.match
    key = next(key for key in match.open if key not in match.answered)
    table.referee.take(Offer(key, raw, "touch", TABLE), table.now)
    assert table.referee.refused is None, table.referee.refused


def test_an_undone_hit_sends_its_cards_back_onto_the_deck(real_tables: Callable[..., Any]) -> None:
    """In plain words, with the arbiter's right as its cite, and as deeds that hands confirm."""
    table = _jaws(real_tables, "section-2")
    match, referee = table.referee.match, table.referee
    _shoot(table)
    shot = next(r for r in reversed(match.rulings) if any("scrap" in str(d) for d in r.deeds))
    carry = next(deed for deed in shot.deeds if isinstance(deed, Carry) and deed.target == "scrap")
    rulings = list(match.rulings)
    referee.undo(table.now, match.steps[-1].seq, "wrong key", "Ada")
    told = referee.put_right
    assert told is not None
    back = Carry(carry.owner, carry.count, "scrap", "deck")
    assert back in told.deeds
    who = match.rulebook.who(carry.owner)
    assert f"{carry.count} cards from {who}'s Scrap Pile to the Deck" in told.text
    assert told.cite == match.rulebook.corrections
    assert told not in match.rulings
    assert list(match.rulings) != rulings


def _shoot(table: Any) -> None:
    """Answer until a card was scrapped; every card is a shot at one's own middle zone."""
    match = table.referee.match
    for _ in range(40):
        if any(isinstance(d, Carry) and d.target == "scrap"
               for ruling in match.rulings for d in ruling.deeds):  # fmt: skip
            return
        question = match.open[next(key for key in match.open if key not in match.answered)]
        match_zone = match.position.zones["paws" if "jaws" in question.key else "jaws"]
        _say(table, f"SH {str(match_zone).rpartition('.')[2]}"
             if question.kind == "reveal" else question.options_now()[0].name)  # fmt: skip
    raise AssertionError("nobody was hit")


def test_nothing_to_do_is_told_by_nothing(table: Any) -> None:
    """A word taken back moves no piece and no card."""
    table.say("round-1/A", "ready")
    table.referee.undo(table.now)
    assert table.referee.put_right is None
    assert table.referee.hands.correction is None


def test_each_correction_tells_only_what_is_new_where_hands_follow_at_once(table: Any) -> None:
    """At a terminal nobody says done: the second undo does not repeat the first one's deeds."""
    for space in (1, 2):
        table.ready()
        table.zero()
        table.say(f"round-{space}/steps", "1")
    table.referee.undo(table.now)
    first = table.referee.put_right
    assert first.deeds == (Move(PAWN, Pose("s2"), Pose("s1")),)
    assert not table.referee.hands.correction.reopens, "the match was not over"
    table.referee.undo(table.now, table.referee.match.steps[0].seq)
    second = table.referee.put_right
    assert second is not first
    assert second.deeds == (Move(PAWN, Pose("s1"), Pose("s0")),)


def test_what_waits_for_hands_is_taken_up_by_the_next_correction(table: Any) -> None:
    """Where people say done at a screen, tasks that nobody has done lead on from where all is."""
    for space in (1, 2):
        table.ready()
        table.zero()
        table.say(f"round-{space}/steps", "1")
    hands = table.referee.hands
    hands.done = len(table.referee.match.rulings)
    table.referee.undo(table.now)
    table.referee.undo(table.now, table.referee.match.steps[0].seq)
    assert table.referee.put_right.deeds == (Move(PAWN, Pose("s2"), Pose("s0")),)
    assert hands.follow(0)
    assert table.referee.put_right is None


def test_a_task_is_confirmed_one_by_one(real_tables: Callable[..., Any]) -> None:
    """Said once, each goes; said twice by a bouncing finger, the second time tells nothing."""
    table = _jaws(real_tables, "section-2")
    hands = table.referee.hands
    hands.done = len(table.referee.match.rulings)
    changes = {"jaws": "Paws.GR", "sun": "Jaws.GR"}
    table.referee.adjust(changes, "knocked over", table.now)
    first, second = hands.correction.tasks
    assert hands.follow(1)
    assert not hands.follow(1)
    assert hands.correction.tasks == (second,)
    assert (hands.correction.at, hands.correction.total) == (2, 2)
    assert hands.follow(0)
    assert hands.correction is None
    assert first != second


def test_a_piece_that_a_correction_moved_is_excused_until_hands_follow(table: Any) -> None:
    """Sight says nothing of a pawn that stands where it stood before the undo."""
    table.ready()
    table.zero()
    table.say("round-1/steps", "2")
    table.see("s2")
    assert not table.referee.differences
    table.referee.undo(table.now)
    assert table.referee.sight.lag.owes(PAWN, Pose("s2"))
    table.see("s2")
    assert not table.referee.differences
    table.see("s0")
    assert not table.referee.sight.lag.owes(PAWN, Pose("s2"))


def test_a_piece_that_is_seen_in_its_place_needs_no_hand(table: Any) -> None:
    """The record is adjusted to where the camera sees the pawn."""
    table.ready()
    table.see("s3")
    table.referee.adjust({"pawn": "s3"}, "it stands there", table.now)
    told = [table.referee.put_right]
    table.referee.adjust({"pawn": "s4"}, "it belongs there", table.now)
    told.append(table.referee.put_right)
    assert told[0] is None
    assert told[1].deeds == (Move(PAWN, Pose("s3"), Pose("s4")),)


def test_a_restart_tells_the_whole_way(table: Any) -> None:
    """From where the pieces are to the position that was given."""
    table.referee.restart({"round": 2, "space": "s5"}, "mixed up", table.now, "Ada")
    assert table.referee.put_right.deeds == (Move(PAWN, Pose("s0"), Pose("s5")),)
    assert (table.disk.lines[-1].author, table.disk.lines[-1].reason) == ("Ada", "mixed up")


def test_a_closed_match_leaves_hands_nothing(table: Any) -> None:
    """What was still to be put right nobody needs any more."""
    table.referee.adjust({"pawn": "s4"}, "knocked over", table.now)
    assert table.referee.put_right is not None
    table.referee.close(["A"], "", "time is up", table.now, "Ada")
    assert table.referee.put_right is None


def test_an_undo_that_reopens_a_match_says_so(table: Any) -> None:
    """Its way back is told with it."""
    for space in (1, 2):
        table.ready()
        table.zero()
        table.say(f"round-{space}/steps", "1")
    table.referee.close(["A"], "", "time is up", table.now, "Ada")
    table.referee.undo(table.now, table.referee.match.steps[0].seq)
    assert table.referee.match.outcome is None
    assert table.referee.hands.correction.reopens


def test_nothing_of_it_is_stored(table: Any) -> None:
    """The log has the correction alone; replayed it rules the same, and tells nobody to move."""
    table.ready()
    table.zero()
    table.say("round-1/steps", "2")
    rulings = list(table.referee.match.rulings)
    table.referee.undo(table.now, reason="wrong key")
    table.say("round-1/steps", "2")
    assert [line.kind for line in table.disk.lines[-2:]] == ["undo", "answer"]
    again: Match[Any] = Match.replay(table.disk.lines)
    assert list(again.rulings) == rulings


def test_a_shuffled_deck_is_said_to_be_lost(real_tables: Callable[..., Any]) -> None:
    """The count comes back, the order does not: it is said so, for the pile it is."""
    table = _jaws(real_tables, "night-before-the-draw", "night")
    match, referee = table.referee.match, table.referee
    for _ in range(30):
        if any(isinstance(deed, Shuffle) for ruling in match.rulings for deed in ruling.deeds):
            break
        question = match.open[next(key for key in match.open if key not in match.answered)]
        _say(table, question.options_now()[0].name if question.kind != "count" else 0)
    else:
        pytest.fail("no deck was shuffled")
    referee.undo(table.now, match.steps[0].seq)
    assert referee.put_right is not None
    assert "was shuffled meanwhile" in referee.put_right.text
    assert "old order cannot" in referee.put_right.text
    assert not any(isinstance(deed, Shuffle) for deed in referee.put_right.deeds)


def test_smoke_is_turned_back(real_tables: Callable[..., Any]) -> None:
    """A track that was turned to its smoke side shows the clear one again."""
    table = _jaws(real_tables, "section-2")
    table.referee.adjust({"Jaws.smoke": True}, "told wrongly", table.now)
    assert table.referee.put_right.deeds == (Flip("Jaws Action Track", "smoke"),)
    table.referee.undo(table.now)
    assert table.referee.put_right.deeds == (Flip("Jaws Action Track", "clear"),)
    assert table.referee.put_right.text.endswith("turn over Jaws Action Track: clear side up.")


def test_counters_are_told_as_what_they_must_show(real_tables: Callable[..., Any]) -> None:
    """A word about the table is shown by a counter: what it is, and what it showed before."""
    setup = Setup("starship-edition", seats={Seat("A"): "Ana", Seat("B"): "Bo"})
    table = real_tables(setup=setup)
    table.referee.begin(table.now)
    was = table.referee.match.position.priority
    now = Seat("B" if was == "A" else "A")
    table.referee.adjust({"priority": now}, "", table.now, by="Ada")
    assert table.referee.put_right.deeds == (SetTo(TABLE, "priority", "Priority", was, now),)
    named = table.referee.match.rulebook.who
    assert f"Priority {named(now)}, was {named(was)}" in table.referee.put_right.text


def test_a_tier_is_named_by_its_number_alone(real_tables: Callable[..., Any]) -> None:
    """No article before a numbered pile; the others keep theirs."""
    table = real_tables(setup=Setup("starship-edition", seats={Seat("A"): "Ana"}))
    table.referee.begin(table.now)
    rulebook = table.referee.match.rulebook
    told = [in_words(Carry(Seat("A"), 1, "removed", goal), rulebook) for goal in ("tier-1", "hand")]
    assert told == [
        "1 card from Ana's removed cards to tier 1",
        "1 card from Ana's removed cards to the hand",
    ]


# -- counts: the record catches up with the table -------------------------------------------------


def test_a_recount_orders_nobody(real_tables: Callable[..., Any]) -> None:
    """Who counts says what lies there: neither the count nor its undo moves a card."""
    table = _jaws(real_tables, "section-2")
    referee, piles = table.referee, table.referee.match.position.piles[JP]
    counted = {"JP.deck": piles["deck"] - 3, "JP.discard": piles["discard"] + 3}
    changed = referee.adjust(counted, "counted", table.now, by="Ada")
    assert len(changed) == 2
    assert referee.put_right is None
    referee.undo(table.now)
    assert referee.put_right is None


def test_a_counter_that_was_read_again_orders_nobody(real_tables: Callable[..., Any]) -> None:
    """Energy as it lies on the vessel, told again and taken back; the place beside it moves."""
    table = real_tables(setup=Setup("starship-edition", seats={Seat("A"): "Ana"}))
    table.referee.begin(table.now)
    was = table.referee.match.position.players["A"].energy
    changed = table.referee.adjust({"A.energy": was + 2}, "counted", table.now, by="Ada")
    assert table.referee.put_right is None
    assert [str(one) for one in changed] == [f"Ana: energy {was + 2}, was {was}"]
    table.referee.undo(table.now)
    assert table.referee.put_right is None


def test_a_count_takes_nothing_from_what_an_undo_orders(real_tables: Callable[..., Any]) -> None:
    """Undone together with a hit, the count is left out of the cards that go back."""
    table = _jaws(real_tables, "section-2")
    referee = table.referee
    first = referee.match.steps[-1].seq if referee.match.steps else 1
    _shoot(table)
    told = [deed for ruling in referee.match.rulings for deed in ruling.deeds]
    hit = next(deed for deed in told if isinstance(deed, Carry) and deed.target == "scrap")
    piles = referee.match.position.piles[hit.owner]
    deck, discard = piles["deck"] - 1, piles["discard"] + 1
    referee.adjust({f"{hit.owner}.deck": deck, f"{hit.owner}.discard": discard}, "", table.now)
    referee.undo(table.now, first)
    back = [deed for deed in referee.put_right.deeds if isinstance(deed, Carry)]
    assert Carry(hit.owner, hit.count, "scrap", "deck") in back
    assert not any({deed.source, deed.target} == {"deck", "discard"} for deed in back)


@pytest.mark.parametrize("fire", [[6, 1, 1], [1, 1, 1]])
@pytest.mark.parametrize("counted", [{"B.damage": 1, "B.deck": 15}, {"B.damage": 4, "B.deck": 12}])
def test_what_was_counted_since_stands_whatever_an_answer_before_it_becomes(
    real_tables: Callable[..., Any], fire: list[int], counted: dict[str, int]
) -> None:
    """Both piles were set outright after the hits: an amended throw orders no card of them."""
    pilots = {"A": ("camel", "mentor", "0,1 N"), "B": ("spad", "mentor", "0,-1 N")}
    players: dict[str, Any] = {
        seat: {"fighter": fighter, "pilot": pilot, "place": place, "tokens": 0,
               "deck": 12, "hand": 0, "discard": 4, "damage": 4}
        for seat, (fighter, pilot, place) in pilots.items()
    }  # fmt: skip
    position: dict[str, Any] = {"turn": 7, "phase": "engagement", "active": "A", "players": players}
    table = real_tables(setup=Setup("dogfight-1917", position=position))
    referee = table.referee
    referee.begin(table.now)
    _say(table, "Basic Attack")
    _say(table, [6, 6, 1])
    thrown = next(step.seq for step in referee.match.steps if step.key.endswith("fire"))
    assert referee.match.position.pile_counts()["B", "damage"] == 6
    referee.adjust(counted, "counted", table.now, by="Ada")
    referee.commit(referee.amend(thrown, fire, "misread"), table.now)
    piles = referee.match.position.pile_counts()
    assert (piles["B", "damage"], piles["B", "deck"]) == tuple(counted.values())
    told = referee.put_right
    assert told is None or not told.deeds, told.text


def test_what_was_ruled_after_a_count_of_tokens_is_done_already(
    real_tables: Callable[..., Any],
) -> None:
    """Tokens earned, then counted, then more of them: an amend of the first orders nobody."""
    players: dict[str, Any] = {
        seat: {"fighter": fighter, "pilot": pilot, "place": place, "tokens": 0,
               "deck": 9, "hand": 5, "discard": 4, "damage": 2}
        for seat, fighter, pilot, place in (
            ("A", "camel", "mentor", "0,1 N"), ("B", "fokker", "richthofen", "0,-1 N"))
    }  # fmt: skip
    position: dict[str, Any] = {"turn": 7, "phase": "engagement", "active": "A", "players": players}
    table = real_tables(setup=Setup("dogfight-1917", position=position))
    referee = table.referee
    referee.begin(table.now)
    for raw in ("Basic Attack", [6, 6, 1], "Evasive Climb", 3):
        _say(table, raw)
    rolled = next(step.seq for step in referee.match.steps if step.key.endswith("evasion"))
    referee.adjust({"B.tokens": 3}, "counted", table.now, by="Ada")
    _play_until(table, "Killer Instinct", "B")
    _say(table, "Killer Instinct")
    assert referee.match.position.players["B"].tokens == 5
    referee.commit(referee.amend(rolled, 2, "misread"), table.now)
    assert referee.match.position.players["B"].tokens == 5
    told = referee.put_right
    assert told is None or not any(isinstance(deed, SetTo) for deed in told.deeds), told.text


def _play_until(table: Any, name: str, seat: str) -> None:
    """Fly the Maneuver that is due and end turns until that seat may do what is named."""
    match = table.referee.match
    for _ in range(12):
        question = match.open[next(key for key in match.open if key not in match.answered)]
        names = [option.name for option in question.options_now()]
        if question.by == seat and name in names:
            return
        wished = [one for one in ("end turn", "keep", "Basic Maneuver") if one in names]
        _say(table, wished[0] if wished else names[0])
    raise AssertionError(f"{name} was never offered to {seat}")


def test_a_lock_that_was_told_wrongly_orders_nobody(real_tables: Callable[..., Any]) -> None:
    """Whose card lies on a section is told anew; the card lies where it lay."""
    table = real_tables(setup=Setup("jaws-and-paws", ("day",)))
    referee = table.referee
    referee.begin(table.now)
    for raw in ("Jaws", "Jaws.GL", "placed", "ready", "ready"):
        _say(table, raw)
    table.zero()
    for cards in ([1, 0], *([[0, 0]] * 7)):
        _say(table, cards)
    _say(table, "checked")
    lock = next(step.seq for step in referee.match.steps if step.key.endswith("lock/jaws/1"))
    before = dict(referee.match.position.pile_counts())
    referee.commit(referee.amend(lock, [0, 1], "misread"), table.now)
    after = referee.match.position.pile_counts()
    assert (before[JP, "hand"], after[JP, "hand"]) == (3, 4)
    assert referee.put_right is None or not any(
        isinstance(deed, Carry) and "hand" in (deed.source, deed.target)
        for deed in referee.put_right.deeds
    )


def test_deeds_that_hands_have_not_done_are_taken_off_the_table(
    real_tables: Callable[..., Any],
) -> None:
    """A position without the deeds of rulings that wait: moves, cards, a pile's exact place."""
    table = _jaws(real_tables, "section-2")
    position = table.referee.match.position
    lying = LyingTable.of(position)
    plane = Piece("jaws")
    stands = lying.places[plane]
    deeds = (
        Move(plane, Pose("Paws.PC"), stands),
        Carry(JP, 2, "Jaws.2", "discard"),
        Carry(PG, 1, "top 9", "scrap"),
        Flip("Jaws Action Track", "smoke"),
        Move(Piece("sun"), None, lying.places[Piece("sun")]),
    )
    before = dict(lying.piles)
    lying.take_off(deeds, position)
    assert lying.places[plane] == Pose("Paws.PC")
    assert Piece("sun") not in lying.places
    assert lying.piles[JP, "hand"] == before[JP, "hand"] + 2
    assert lying.piles[JP, "discard"] == before[JP, "discard"] - 2
    assert lying.piles[PG, "deck"] == before[PG, "deck"] + 1
    assert "Jaws Action Track" not in lying.sides


@pytest.mark.parametrize(("done", "stands"), [(None, "s1"), (0, "s0"), (9, "s1")])
def test_pieces_stand_as_far_as_hands_have_followed(
    table: Any, done: int | None, stands: str
) -> None:
    """Where nobody is asked they have done all; more than was ruled they cannot have done."""
    table.ready()
    table.zero()
    table.say("round-1/steps", "1")
    match = table.referee.match
    standing = Hands(done).standing(match)
    assert standing.lying.places[PAWN] == Pose(stands)
    assert standing.done == (len(match.rulings) if done != 0 else 0)


@pytest.mark.parametrize("verb", ["pause", "resume", "give", "set_rest", "end_phase"])
def test_the_clocks_verbs_keep_who_and_why(table: Any, verb: str) -> None:
    """Each has its line in the log, with the arbiter's name and reason."""
    table.ready()
    table.tick(5.0)
    if verb == "resume":
        table.referee.pause(table.now)
    said = {"give": (3.0,), "set_rest": (9.0,)}.get(verb, ())
    left = getattr(table.referee, verb)(*said, table.now, reason="a card fell", by="Ada")
    line = table.disk.lines[-1]
    events = {"pause": "paused", "resume": "resumed", "give": "given", "set_rest": "set"}
    assert line.kind == "clock"
    assert line.answer["event"] == events.get(verb, "ended")
    assert (line.author, line.reason) == ("Ada", "a card fell")
    assert left == (15.0 if verb == "end_phase" else None)


def _hex_of_three(real_tables: Callable[..., Any]) -> Any:
    """Three people around a table of Hex Ships, all of whose cards are still in their hands."""
    people = {Seat("A"): "Ana", Seat("B"): "Ben", Seat("C"): "Cas"}
    setup = Setup("dogfight-hex", options={"players": 3}, seats=people)
    table = real_tables(setup=setup)
    table.referee.begin(table.now)
    for raw in ("2,0", "lot", 42, "A", "-5,1 E", "5,-1 W", "0,-5 SE"):
        _say(table, raw)
    return table


def test_in_a_form_that_stays_told_in_part_only_one_card_goes_back(
    real_tables: Callable[..., Any],
) -> None:
    """Three have laid a card and one takes it back; the next undo takes back another's alone."""
    table = _hex_of_three(real_tables)
    referee, match = table.referee, table.referee.match
    for _ in range(3):
        _say(table, "laid")
    referee.undo(table.now)
    assert referee.put_right.deeds == (Carry(Seat("C"), 1, "card", "hand"),)
    assert "1 card from Cas's declared card to the hand." in referee.put_right.text
    assert [key for key in match.open if key not in match.answered] == ["turn-1/declare/C"]
    referee.undo(table.now)
    assert referee.put_right.deeds == (Carry(Seat("B"), 1, "card", "hand"),)
    referee.undo(table.now, next(s.seq for s in match.steps if s.key == "set-up/ship/C"))
    carries = [deed for deed in referee.put_right.deeds if isinstance(deed, Carry)]
    back = [deed for deed in carries if deed.owner == Seat("A")]
    assert back == [Carry(Seat("A"), 1, "card", "hand"), Carry(Seat("A"), 4, "hand", "deck")]


def test_counts_that_are_taken_back_order_nobody(real_tables: Callable[..., Any]) -> None:
    """Hands and common piles are counted again, one after another to the first: no card moves."""
    setup = Setup("talespin-dogfight", options={"players": 3})
    table = real_tables(setup=setup)
    table.referee.begin(table.now)
    for raw in ("A", 5, 5, 6, 4, 4, 4, 3, 3, 3, 5, 5, 5, 106, 0):
        _say(table, raw)
    for _ in range(3 * 3 + 2):
        table.referee.undo(table.now)
        assert table.referee.put_right is None


def test_the_starting_player_token_has_a_holder(
    real_tables: Callable[..., Any],
) -> None:
    """A correction says who has it now and who had it."""
    people = {Seat("A"): "Ana", Seat("B"): "Ben", Seat("C"): "Cas"}
    table = real_tables(setup=Setup("dogfight-hex", options={"players": 3}, seats=people))
    table.referee.begin(table.now)
    was = Seat(str(table.referee.match.position.first))
    now = Seat("B" if was == "A" else "A")
    table.referee.adjust({"first": now}, "", table.now, by="Ada")
    text = table.referee.put_right.text
    told = f"holder of the starting-player token {people[now]}, was {people[was]}"
    assert told in text


def test_cards_go_straight_past_a_pile_that_is_empty_before_and_after() -> None:
    """Where one way leads there or one leads away; else which card goes where is not said."""
    hand, discard, deck, scrap = (
        (seat, pile)
        for seat, pile in ((JP, "hand"), (JP, "discard"), (TABLE, "deck"), (PG, "scrap"))
    )
    through = {(hand, discard): 2, (discard, deck): 2}
    assert _past([discard], dict(through)) == {(hand, deck): 2}
    fanned = {(hand, discard): 3, (discard, deck): 1, (discard, scrap): 2}
    assert _past([discard], dict(fanned)) == {(hand, deck): 1, (hand, scrap): 2}
    gathered = {(hand, discard): 1, (scrap, discard): 2, (discard, deck): 3}
    assert _past([discard], dict(gathered)) == {(hand, deck): 1, (scrap, deck): 2}
    crossed = {
        (hand, discard): 1,
        (scrap, discard): 1,
        (discard, deck): 1,
        (discard, (PG, "hand")): 1,
    }
    assert _past([discard], dict(crossed)) == crossed


def test_a_counter_that_is_new_or_gone_is_set_from_nothing_and_to_nothing() -> None:
    """A token that lies on the table and that the record does not know goes back to none."""
    kept, new, gone = (Fact(name, name, 2, JP) for name in ("kept", "new", "gone"))
    told = list(_settings({"kept": kept, "gone": gone}, {"kept": kept, "new": new}))
    assert told == [SetTo(JP, "gone", "gone", 2, 0), SetTo(JP, "new", "new", 0, 2)]


def test_a_recount_tells_only_the_pieces_and_things_that_were_found_elsewhere() -> None:
    one, other = Pose("1,1", 0), Pose("2,1", 0)
    was = LyingTable({PAWN: one, Piece("held"): one}, {}, {"smoke": "up", "sun": "up"}, {})
    now = LyingTable({PAWN: other, Piece("held"): one}, {}, {"smoke": "down", "sun": "up"}, {})
    telling = _with_places(Telling({}, {}, is_count=True), was, now)
    assert telling.places == {PAWN: (one, other)}
    assert telling.sides == {"smoke": ("up", "down")}
