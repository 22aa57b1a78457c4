"""Who speaks out of turn is told whose turn it is; people and things are called by their names."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from companion.core.errors import BadCall, IllegalAnswer
from companion.core.question import Choose, Declare, Reveal
from companion.games.jaws_and_paws.boards import lineup_of
from companion.games.jaws_and_paws.faults import faults
from companion.match.match import Match
from companion.referee.protocol import what_stands

SEATS = {"JP": "Ana", "JG": "Ben", "PP": "Cleo", "PG": "Dan"}
MOON = {"moon": "Paws.PL", "planes": {"Jaws": "Paws.GC", "Paws": "Jaws.PC"}}

At = Callable[..., Any]


@pytest.fixture
def seated(play: Callable[..., Any], file_of: Callable[..., Any]) -> At:
    """A match in the middle of a game with people at its seats."""

    def start(stage: str, *, variants: str = "", options: Any = None, **changes: Any) -> Any:
        night = "night" in variants.split()
        file = file_of(stage, night=night, **changes)
        return play(
            variants=tuple(variants.split()), seats=SEATS, options=options or {}, position=file
        )

    return start


def refused(table: Any, seat: str, raw: Any = "x") -> Any:
    """What the rules say of an answer by a seat while the first open question is asked."""
    asked = next(q for key, q in table.match.open.items() if key not in table.match.answered)
    return table.match.rulebook.not_asked(seat, raw, asked)


def test_jp_3_5_only_who_won_the_toss_places_the_sun(play: Callable[..., Any]) -> None:
    """Either of the two may; of the others the rule of placing says why not."""
    table = play(seats=SEATS).say("toss", "Jaws")
    refusal = refused(table, "PP")
    assert (refusal.code, str(refusal.cite)) == ("JP-NOT-ASKED", "JP-3.5")
    assert refusal.text == "Paws Pilot Cleo is not asked now: Jaws (Ana and Ben) is. Wait for it."


def test_jp_8_2_who_has_played_does_not_shuffle(seated: At) -> None:
    """Only who is Repairing does: its own code, and how many were played."""
    table = seated("repair", JG={"played": 0})
    refusal = refused(table, "PG")
    assert (refusal.code, str(refusal.cite)) == ("JP-E50", "JP-8.1, RULING 8")


def test_jp_9_1_who_has_no_card_there_turns_none_over(seated: At) -> None:
    """Nor does who has told theirs; each for its own reason."""
    table = seated("section-1", cards={"Jaws": {1: "JP"}})
    refusal = refused(table, "Paws", "MSR")
    assert (refusal.code, str(refusal.cite)) == ("JP-E60", "JP-9.1")
    assert refusal.text == (
        "Paws (Cleo and Dan) is not asked: no Paws card lies on section 1. "
        "If one does, correct the answer at the lock."
    )
    table = seated("section-1", cards={"Jaws": {1: "JP"}, "Paws": {1: "PP"}}).flip(jaws="MPL own")
    refusal = refused(table, "JP")
    assert (refusal.code, str(refusal.cite)) == ("JP-NOT-ASKED", "JP-9.1, JP-9.9")
    assert refusal.text == (
        "Jaws Pilot Ana has told that already, Paws (Cleo and Dan) has not. "
        "To tell it anew, name the question: section-1/reveal/jaws: ANSWER."
    )


def test_jp_6_1_whose_cards_were_doubled_there_turns_none_over(seated: At) -> None:
    """They were discarded at the lock: that is why, and not that none was laid."""
    doubled = {"Paws.1": {"PP": 1, "PG": 1}}
    played = {"PP": {"played": 1}, "PG": {"played": 1}}
    table = seated("section-1", cards={"Jaws": {1: "JP"}}, doubled=doubled, **played)
    refusal = refused(table, "Paws", "MSR")
    assert (refusal.code, str(refusal.cite)) == ("JP-E30", "JP-6.2, RULING 8")
    assert "section 1 was doubled, its cards were discarded" in refusal.text


@pytest.mark.parametrize(
    ("mode", "seats", "who"), [("", SEATS, "Jaws (Ana and Ben)"),
                               ("two-players", {"JP": "Ana", "PP": "Cleo"}, "Jaws (Ana)")],
)  # fmt: skip
def test_jp_7_1_a_team_is_not_asked_where_its_players_are(
    play: Callable[..., Any], mode: str, seats: Any, who: str
) -> None:
    """It is told that one of its own is, and to name that player; not to wait for itself."""
    table = play(variants=tuple(mode.split()), seats=seats).set_up().act().lock(jaws={1: "1 0"})
    assert refused(table, "Jaws", "MSR").text == (
        f"{who} is not asked as a team now: Jaws Pilot Ana is. Name the player."
    )


def test_jp_8_2_a_card_named_while_others_shuffle_is_out_of_turn(seated: At) -> None:
    """Nobody said that it was Repairing: the reason is whose turn it is."""
    refusal = refused(seated("repair", JG={"played": 0}), "PG", "MSR")
    assert (refusal.code, str(refusal.cite)) == ("JP-NOT-ASKED", "JP-8.2")


def test_jp_16_3_the_moon_is_no_reason_before_it_lets_draw(seated: At) -> None:
    """JP-7.1: who holds no card is not asked for discards, whomever the Moon favours."""
    table = seated("draw", variants="night", PP={"hand": 0, "deck": 20}, **MOON)
    refusal = refused(table, "PP", 1)
    assert refusal.code == "JP-NOT-ASKED"


def test_jp_16_3_whom_the_moon_does_not_favour_draws_nothing(seated: At) -> None:
    """The Moon draw is the other team's."""
    table = seated("draw", variants="night", **MOON).draw()
    refusal = refused(table, "PP")
    assert (refusal.code, refusal.text) == (
        "JP-E43", "Paws Pilot Cleo does not draw now: the Moon does not favour Paws.")  # fmt: skip


def test_jp_5_3_nobody_s_word_ends_a_timed_phase(seated: At) -> None:
    """The clock does."""
    table = seated("action").say("ready/jaws").say("ready/paws")
    refusal = refused(table, "JG", "locked")
    assert (refusal.code, str(refusal.cite)) == ("JP-NOT-ASKED", "JP-5.3, RULING 7")
    assert refusal.text.startswith("Jaws Gunner Ben: the time ends the phase")


def test_who_is_shot_down_is_out(at: At) -> None:
    """JP-19.7: of several teams; the others fly on."""
    table = at("action", variants="five-players", shot_down=["Paws"])
    refusal = refused(table, "PP")
    assert (refusal.code, str(refusal.cite)) == ("JP-OUT", "JP-19.7, RULING 33")


def test_while_the_table_is_asked_nobody_is_out_of_turn(play: Callable[..., Any]) -> None:
    """The toss is everybody's; a seat that does not play is none."""
    table = play(seats=SEATS)
    assert refused(table, "JP") is None
    assert refused(table.say("toss", "Jaws"), "JP2") is None


# -- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", ["Ana", "ben", "Jaws Pilot", "JG", "jaws"])
def test_who_won_the_toss_may_be_named_by_any_of_the_team(
    play: Callable[..., Any], said: str
) -> None:
    """A person, a seat, a code: the team is meant."""
    assert play(seats=SEATS).say("toss", said).asked == ["set-up/sun"]
    (entry,) = [e for e in play(seats=SEATS).say("toss", said).match.entries if e.kind == "answer"]
    assert entry.answer == "Jaws"


@pytest.mark.parametrize("said", ["Ben", "Jaws Gunner", "jg"])
def test_ruling_37_an_owner_may_be_named_by_name(seated: At, said: str) -> None:
    """Where the owner is asked at the reveal."""
    table = seated("lock", options={"lock_asks": "players"})
    table.say("lock/JP", 1).say("lock/JG", 1).say("checked").draw().repair().flip(jaws="SH PL")
    table.say("owner/jaws", said)
    assert table.position.owners["Jaws"][0] == "JG"


def test_ruling_31_a_destination_by_who_plays_there(
    play: Callable[..., Any], file_of: Callable[..., Any]
) -> None:
    """Also in what is refused: Ana's team has the Sun, and so it is told, as of Jaws."""
    file = file_of("section-1", lineup=lineup_of(2, 2, 1), cards={"Paws": {1: "PP"}})
    table = play(variants=("five-players",), seats={**SEATS, "JP2": "Eve"}, position=file)
    table.flip(paws="MST")
    refusal = table.refused("to/paws", "Ana")
    assert (refusal.code, "Jaws has the Sun already" in refusal.text) == ("JP-NO-DESTINATION", True)
    assert table.say("to/paws", "Eve").position.zones["sun"].startswith("Jaws2.")


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        ({"what": "wants to repair", "player": "Ana"}, "Jaws Pilot"),
        ({"what": "declines to resolve", "team": "Dan"}, "Paws: a card that was turned over"),
        ({"what": "token", "piece": "the Sun", "zone": "Paws.PL"}, "The Sun stands on Paws.PL"),
        ({"what": "token", "piece": "Jaws plane", "zone": "Paws.PL"}, "The Jaws plane stands on"),
        ({"what": "late card", "player": "jaws pilot", "section": 2}, "Jaws section 2"),
    ],
)
def test_reports_take_names(seated: At, fact: Any, text: str) -> None:
    """Of people, seats, teams and tokens, also where the report is refused."""
    table = seated("section-1", cards={"Jaws": {1: "JP"}})
    try:
        said = table.match.report(fact, table.stamp).text
    except IllegalAnswer as refusal:
        said = str(refusal)
    assert text in said


def test_adjustments_take_names(seated: At) -> None:
    """Piles by their player, places by their token."""
    table = seated("action")
    table.match.adjust({"Ana.deck": 15, "Jaws Pilot.discard": 11}, "counted", stamp=table.stamp)
    assert table.position.piles["JP"].counts["deck"] == 15
    table.match.adjust({"the Sun": "Paws.GL"}, "knocked over", stamp=table.stamp)
    assert table.position.zones["sun"] == "Paws.GL"


# -- how many people -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "seats", "message"),
    [
        ("day", "JP JG PP PG JP2", r"seat 'JP2' is unknown: 4 people play this mode; .*JP-2\.1"),
        ("two-players", "JP JG PP", r"seat 'JG' is the other hand of who sits at JP; .*JP-17\.1"),
        ("three-players", "JP JG PP PG", r"'PG' is the other hand of who sits at PP; .*JP-18\.1"),
        ("five-players", "JP JG PP PG JP2 PP2", r"seat 'PP2' is unknown: 5 people .*JP-19\.1"),
    ],
)
def test_one_too_many_is_told_how_many_play(
    play: Callable[..., Any], mode: str, seats: str, message: str
) -> None:
    """With the seats there are, and the paragraph that says so."""
    with pytest.raises(BadCall, match=message):
        play(variants=(mode,), seats=dict.fromkeys(seats.split(), "Ana"))


@pytest.mark.parametrize(
    ("mode", "crews", "message"),
    [
        ("three-players", "2 2", r"nor 2 teams of 1 or 2 people, 3 people in all \[JP-18\.1\]"),
        ("three-players", "1 1", r"nor 2 teams of 1 or 2 people, 3 people in all \[JP-18\.1\]"),
        ("five-players", "2 2", r"nor 3 to 6 teams .*, 5 to 12 people in all \[JP-19\.1\]"),
        ("five-players", "1 1 1 1", r"5 to 12 people in all \[JP-19\.1\]"),
        ("five-players", "2 2 2 2 2 2 1", r"5 to 12 people in all \[JP-19\.1\]"),
    ],
)
def test_too_few_and_too_many_people_of_a_mode(
    play: Callable[..., Any], mode: str, crews: str, message: str
) -> None:
    """The limits in words, with the paragraph."""
    with pytest.raises(BadCall, match=message):
        play(variants=(mode,), options={"crews": crews})


# -- sums ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"JP.deck": 17}, "= 31; all cards of Jaws Pilot are 30"),
        ({"JP.track": 1, "JP.hand": 3}, "none played|whose count on the track is 1"),
        ({"JP.played": 5}, "5 played in one round; a hand holds no more than 4"),
        ({"Jaws.1": "JP"}, "1 sections hold a card of JP, whose count on the track is 0"),
        ({"PG.deck": 0, "PG.scrap": 0}, "all cards of Paws Gunner are 30"),
    ],
)
def test_jp_21_1_sums_that_cannot_be_are_refused(at: At, changes: Any, message: str) -> None:
    """An adjustment leaves cards that add up, or changes nothing."""
    table = at("repair", JG={"played": 0})
    before = table.position.digest()
    with pytest.raises(Exception, match=message):
        table.match.adjust(changes, "no", stamp=table.stamp)
    assert table.position.digest() == before


# -- who leaves ----------------------------------------------------------------------------------


def retire(table: Any, player: str) -> Any:
    """The notice that somebody has left; None where that ended the match."""
    return table.match.report({"what": "retired", "player": player}, table.stamp)


def test_ruling_39_the_teammate_plays_on(seated: At) -> None:
    """Nobody waits for a word of who left, and what is asked of that hand the teammate is asked."""
    table = seated("action", options={"timer_s": "none"}).say("ready/jaws").say("ready/paws")
    for player in ("JP", "PP", "PG"):
        table.say(f"locked/{player}")
    notice = retire(table, "Ben")
    assert notice.text == "Jaws Gunner Ben has left: Jaws Pilot Ana plays on with both hands."
    assert "round-2/lock/checked" in table.asked
    table.lock(paws={1: "1 0"})
    assert table.question("discard/JG").by == "JP"
    again: Match[Any] = Match.replay(table.match.entries)
    assert list(again.open) == list(table.match.open)
    assert again.position.to_file() == table.position.to_file()


@pytest.mark.parametrize("stage", ["action", "lock", "draw", "repair", "section-1"])
@pytest.mark.parametrize("asked", [False, True])
def test_ruling_39_of_two_teams_the_other_wins(at: At, stage: str, *, asked: bool) -> None:
    """Whenever it is: everybody of Paws has left, asked or not."""
    more = {"JG": {"played": 0}, "PG": {"played": 0}} if stage == "repair" else {}
    cards = {"Jaws": {1: "JP"}, "Paws": {1: "PP"}} if stage == "section-1" else {}
    table = at(stage, cards=cards, **more)
    retire(table, "PG" if asked else "PP")
    assert not table.over
    retire(table, "PP" if asked else "PG")
    assert table.over
    assert table.match.outcome.winners == ("Jaws",)
    assert 39 in table.match.outcome.ruling.cite.rulings


def test_ruling_39_a_solo_player_is_a_whole_team(at: At) -> None:
    """Both hands leave with the person."""
    table = at("action", variants="three-players")
    retire(table, "PG")
    assert table.match.outcome.winners == ("Jaws",)


@pytest.mark.slow(gate=6)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("after", [0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 40])
def test_ruling_39_of_several_teams_the_others_fly_on(
    play: Callable[..., Any], after: int, seed: int
) -> None:
    """Whenever the solo team leaves, nobody waits for it, and the match comes to its end."""
    table, rng = play(variants=("five-players",), options={"crews": "2 1 1 1"}), Random(seed)
    for turn in range(9000):
        if table.over:
            break
        if turn == after:
            retire(table, "JP2")
        waiting = [key for key in table.match.open if key not in table.match.answered]
        if turn >= after:
            assert not {"JP2", "JG2", "Jaws2"} & {table.match.open[key].by for key in waiting}
        try:
            table.say(waiting[0], said_by(table.match.open[waiting[0]], rng))
        except IllegalAnswer:  # more cards than the hands hold: none is told instead
            for key in [key for key in table.match.answered if "/lock/" in key]:
                table.say(key, "0 0")
        assert faults(table.position) == []
    assert "Jaws2" not in table.match.outcome.winners
    again: Match[Any] = Match.replay(table.match.entries)
    assert again.position.to_file() == table.position.to_file()


def said_by(question: Any, rng: Random) -> Any:
    """What a table may say: a word, a silence, some card."""
    if isinstance(question, Declare):
        return rng.choice(["0 0", "1 0", "0 1"])
    if isinstance(question, Choose | Reveal):
        return rng.choice(question.options_now()).name
    return question.stand_in().plain


def test_ruling_39_between_two_rounds_a_team_leaves_at_once(at: At) -> None:
    """Its planes and boards leave the game, the Sun its boards, and the round is asked afresh."""
    table = at("action", variants="five-players", sun="Jaws2.PC").say("ready/jaws")
    notice = retire(table, "JP2")
    assert (notice.code, notice.way_out.endswith("the others fly on.")) == ("JP-RETIRED", True)
    assert table.position.out == ["Jaws2"]
    assert table.position.zones["sun"] == "Jaws.PC"
    assert table.asked == ["round-2/ready/jaws", "round-2/ready/paws"]
    assert "Has left the table" in {fact.label for fact in table.position.facts()}


def test_ruling_39_its_cards_on_the_track_are_not_resolved(at: At) -> None:
    """They are discarded, and the ruling says so; at the check point the team falls."""
    cards = {"Jaws2": {1: "JP2", 2: "JG2"}, "Jaws": {1: "JP"}}
    table = at("section-1", variants="five-players", cards=cards)
    notice = retire(table, "JP2")
    assert (
        "not resolved, go to their owners' Discard Piles: Jaws2 Pilot 1 (Discard 10)" in notice.text
    )
    table.flip(jaws="SH GL")
    assert table.position.out == ["Jaws2"]
    assert "everybody of that team has left the table" in table.texts()


# -- one way of naming -----------------------------------------------------------------------------


def test_a_player_is_called_by_title_and_name_wherever_words_are(seated: At) -> None:
    """Questions, rulings, refusals, reports, what stands and what hands do: "Jaws Pilot Ana"."""
    table = seated("lock", options={"lock_asks": "players"})
    assert table.question("lock/JP").prompt.startswith("Jaws Pilot Ana: how many")
    assert table.refused("lock/JG", 5).text.startswith("5 cards of Jaws Gunner Ben, whose hand")
    late = table.report("late card", player="PG", section=2)
    assert "a card of Paws Gunner Dan laid late returns to the hand" in late.text
    table.say("lock/JP", 1).say("checked").draw(PP=1)
    assert "Paws Pilot Cleo discards 1, draws 1: Deck" in table.texts()
    assert "Jaws Pilot Ana: Deck 15, Hand 4," in "\n".join(what_stands(table.match))
    table.repair().flip(jaws="SH PC")
    assert "Section 1, step 5: Jaws Pilot Ana's Shoot PC" in table.texts()


def test_both_hands_of_a_solo_player_are_told_apart(play: Callable[..., Any]) -> None:
    """JP-17.2: one person, two titles; what stands has the piles of both."""
    table = play(variants=("two-players",), seats={"JP": "Ana", "PP": "Cleo"}).set_up()
    told = "\n".join(what_stands(table.match))
    assert "Jaws Pilot Ana: Deck 27, Hand 3" in told
    assert "Jaws Gunner Ana: Deck 27, Hand 3" in told


def test_a_name_is_said_once(play: Callable[..., Any]) -> None:
    """Said already, it is not said twice; a View Board is not a person; nor half a word a name."""
    rules = play(seats={"JP": "d", "JG": "Jaws Gunner"}).match.rulebook
    text = rules.with_people("Jaws Pilot d: Jaws Pilot draws; Jaws Pilot View; Jaws Gunner.")
    assert text == "Jaws Pilot d: Jaws Pilot d draws; Jaws Pilot View; Jaws Gunner."
