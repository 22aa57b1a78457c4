"""JP-19: five and more players, a token of every team on every other View set.  (RULINGS 27-33)"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from companion.core.errors import BadCall
from companion.core.ruling import Carry, Move, Seat
from companion.games.jaws_and_paws.boards import ALL_TEAMS, MOST_TEAMS
from companion.games.jaws_and_paws.faults import faults
from companion.games.jaws_and_paws.rules import JawsAndPaws

At = Callable[..., Any]
Section = Callable[..., Any]
FIVE = "five-players"
SIX = {"variants": FIVE, "crews": "2 2 2"}


@pytest.fixture
def three(section: Section) -> Section:
    """One section resolved between three teams of two."""
    return lambda *cards, **changes: section(*cards, **SIX, **changes)


def planes(**told: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Where tokens stand: the Jaws plane on Paws.GL is `Jaws={"Paws": "GL"}`."""
    return {t: {host: f"{host}.{at}" for host, at in on.items()} for t, on in told.items()}


def scrapped(table: Any) -> dict[str, int]:
    """Who has lost how many cards."""
    piles = table.position.piles.items()
    return {str(p): own.counts["scrap"] for p, own in piles if own.counts["scrap"]}


# -- set-up (JP-19.1, JP-19.6) --------------------------------------------------------------------


@pytest.mark.parametrize("crews", ["2 2 1", "2 1 1 1", "1 1 1 1 1", "2 2 2 2 2 2"])
def test_jp_19_1_a_token_on_every_other_view_set(play: Callable[..., Any], crews: str) -> None:
    """With N teams N-1 tokens each, all on PC; teams of two and solo players by their own rules."""
    table = play(variants=(FIVE,), options={"crews": crews})
    sizes = [int(size) for size in crews.split()]
    lineup, zones = table.position.lineup, table.position.zones
    assert len(zones) == len(sizes) * (len(sizes) - 1)
    assert {zone[-2:] for zone in zones.values()} == {"PC"}
    for team in lineup.teams:
        assert {zones[p] for p in lineup.own[team]} == {f"{t}.PC" for t in lineup.rivals[team]}
    table.say("toss", "Jaws").say("set-up/sun", "Jaws.GC").say("placed")
    hands = [table.position.piles[p].counts["hand"] for p in lineup.players]
    assert hands == [4 if size == 2 else 3 for size in sizes for _ in "PG"]


def test_jp_19_1_how_many_may_play() -> None:
    """Five people or more, up to six teams, in any mix."""
    rules = JawsAndPaws.in_variants([FIVE])
    assert str(rules.seated({"crews": "1,2,1,1"}).lineup) == "1 2 1 1"
    assert len(rules.seated({"crews": "222222"}).seats) == 12
    for told in ("2 2", "1 1 1", "2 1 1", "2 2 2 2 2 2 2", "3 2"):
        with pytest.raises(
            BadCall, match="nor 3 to 6 teams of 1 or 2 people, 5 to 12 people in all"
        ):
            rules.seated({"crews": told})


def test_jp_19_1_people_are_named_at_their_own_seats(play: Callable[..., Any]) -> None:
    """A solo player once."""
    table = play(variants=(FIVE,), seats={"JP": "Ana", "JP2": "Eli"})
    assert table.match.rulebook.seats_taken() == ("JP", "JG", "PP", "PG", "JP2")
    with pytest.raises(BadCall, match="seat 'JG2' is the other hand of who sits at JP2"):
        play(variants=(FIVE,), seats={"JG2": "Eli"})


def test_jp_19_6_what_the_manual_leaves_out_is_ruled(bots: Callable[..., Any]) -> None:
    """Set-up, directions, Sun order, destination, damage and elimination name their rulings."""
    cited: set[int] = set()
    for seed in range(10):
        played, _ = bots(seed, variants=(FIVE,), options={"crews": "2 1 2 2"})
        cited |= {number for ruling in played.rulings for number in ruling.cite.rulings}
    assert cited >= {28, 29, 30, 31, 32, 33}


def test_ruling_28_lots_are_drawn_for_one_sun(play: Callable[..., Any]) -> None:
    """Any team may win; all others' PC are barred."""
    table = play(variants=(FIVE,))
    assert "lots" in table.question("toss").prompt
    table.say("toss", "Jaws2")
    for barred in ("Jaws.PC", "Paws.PC"):
        assert table.refused("set-up/sun", barred).code == "JP-E01"
    table.say("set-up/sun", "Jaws2.PC")
    assert table.position.sun_team == "Jaws2"
    assert 28 in table.rulings[0].cite.rulings


def test_ruling_27_no_card_face_up_unless_the_table_says_so(at: At) -> None:
    """Solo players follow the rules for two."""
    laid = {"jaws2": {1: "1 0", 2: "0 1"}}
    plain = at("lock", variants=FIVE).lock(**laid)
    assert plain.position.stage == "draw"
    told = at("lock", variants=FIVE, options={"solo_face_up_5plus": "one"}).lock(**laid)
    assert told.asked == ["round-2/lock/face-up/jaws2"]


# -- planes (JP-19.2 to 19.4, RULING 29) ----------------------------------------------------------


def test_jp_19_2_tokens_share_a_zone_and_a_shot_hurts_each(three: Section) -> None:
    """Two planes on one zone of the shooter's boards: both teams bleed, each by its own board."""
    stands = planes(Paws={"Jaws": "GL"}, Jaws2={"Jaws": "GL"}, Jaws={"Paws": "GR", "Jaws2": "PC"})
    table = three(jaws="JG SH GL", planes=stands)
    assert scrapped(table) == {"PG": 6, "JP2": 6}
    hits = [ruling for ruling in table.rulings if ruling.step == 5]
    assert [ruling.by for ruling in hits] == ["PG", "JP2"]
    assert all("JP-19.2" in ruling.cite.rules for ruling in hits)
    assert [ruling.struck for ruling in hits] == [("paws-on-jaws",), ("jaws2-on-jaws",)]


def test_jp_19_2_a_shot_at_nobody_misses_once(three: Section) -> None:
    """One ruling, whoever it misses."""
    table = three(jaws="JG SH GL")
    (shot,) = [ruling for ruling in table.rulings if ruling.step == 5]
    assert shot.text.endswith("misses: no enemy plane stands there.")


def test_jp_19_3_own_moves_on_all_other_boards(three: Section) -> None:
    """Each blocked or not by itself."""
    stands = planes(Jaws={"Paws": "PR", "Jaws2": "PC"})
    table = three(jaws="JP MPL own", planes=stands)
    assert table.position.zones["jaws-on-paws"] == "Paws.PR", "at the edge"
    assert table.position.zones["jaws-on-jaws2"] == "Jaws2.PR"
    moved = table.rulings[0]
    assert "JP-19.3" in moved.cite.rules
    assert [deed.piece for deed in moved.deeds] == ["jaws-on-jaws2"]
    assert "Jaws plane stays on Paws.PR, the edge blocks it" in moved.text
    assert "Jaws plane Jaws2.PC to Jaws2.PR" in moved.text, "whose boards, the zones tell"


def test_jp_19_4_enemy_moves_all_tokens_on_the_own_boards(three: Section) -> None:
    """And no other token."""
    stands = planes(Paws={"Jaws": "PL"}, Jaws2={"Jaws": "GC"})
    table = three(jaws="JP MPV enemy", planes=stands)
    zones = table.position.zones
    assert (zones["paws-on-jaws"], zones["jaws2-on-jaws"]) == ("Jaws.GR", "Jaws.PC")
    assert (zones["paws-on-jaws2"], zones["jaws2-on-paws"]) == ("Jaws2.PC", "Paws.PC")
    assert "JP-19.4" in table.rulings[0].cite.rules
    assert table.rulings[0].headline == "Move 2 enemy planes"


def test_jp_20_1_own_before_enemy_with_several(three: Section) -> None:
    """The same token moved by two teams: its own first, as with two teams."""
    table = three(jaws="JP MPV own", paws="PP MPL enemy")
    assert table.position.zones["jaws-on-paws"] == "Paws.GL"
    assert [r.step for r in table.rulings if r.step] == [3, 4]


@pytest.mark.parametrize("host", ["Paws", "Jaws2"])
def test_ruling_29_every_other_board_is_opposite(three: Section, host: str) -> None:
    """Left runs to the printed R on each of them."""
    table = three(jaws="JP MPL own")
    assert table.position.zones[f"jaws-on-{host.lower()}"] == f"{host}.PR"
    assert 29 in table.rulings[0].cite.rulings


def test_ruling_29_lr_frame_board(three: Section) -> None:
    """By house rule always as printed."""
    table = three(jaws="JP MPL own", options={"lr_frame": "board"})
    assert table.position.zones["jaws-on-jaws2"] == "Jaws2.PL"


# -- the Sun (JP-19.5, RULINGS 30 to 32) ----------------------------------------------------------


def test_jp_19_5_the_player_chooses_the_destination(three: Section) -> None:
    """As the card resolves; the same zone there."""
    table = three(jaws="JP MST", sun="Jaws.GL")
    question = table.question("section-1/to/jaws")
    assert [option.name for option in question.options_now()] == ["Paws", "Jaws2"]
    assert {str(k): str(v) for k, v in question.options_now()[1].shows.items()} == {
        "sun": "Jaws2.GL"
    }
    table.say("to/jaws", "Jaws2")
    assert table.position.sun == "Jaws2.GL"
    moved = table.rulings[0]
    assert {"JP-13.4", "JP-19.5"} <= set(moved.cite.rules)
    assert moved.headline == "Sun: to Jaws2.GL"


def test_ruling_31_it_must_be_another_team(three: Section) -> None:
    """Not the one that has the Sun; the refusal names the rule."""
    refusal = three(jaws="JP MST", sun="Jaws.GL").refused("to/jaws", "Jaws")
    assert "Jaws has the Sun already" in refusal.text
    assert str(refusal.cite) == "JP-19.5, RULING 31"


def test_ruling_31_it_must_still_fly(section: Section) -> None:
    """A fallen team's boards have left."""
    table = section(
        jaws="JP MST", variants=FIVE, crews="2 2 2 2", sun="Jaws.GL", shot_down=["Paws"]
    )
    assert [o.name for o in table.question("to/jaws").options_now()] == ["Jaws2", "Paws2"]
    assert "Paws is shot down" in table.refused("to/jaws", "Paws").text


def test_ruling_31_nobody_is_asked_where_one_way_is_left(three: Section) -> None:
    """Two teams fly: it goes to the other, as in a game of two."""
    table = three(jaws="JP MST", sun="Jaws.GL", shot_down=["Paws"])
    assert table.position.sun == "Jaws2.GL"
    assert "JP-19.5" in table.rulings[0].cite.rules


def test_the_reveal_shows_no_place_for_a_sun_whose_way_is_chosen(at: At) -> None:
    """No camera can tell it."""
    table = at("section-1", **SIX, cards={"Jaws": {1: "JP"}})
    shows = {o.name: o.shows for o in table.question("reveal/jaws").options_now()}
    assert shows["MST"] is None
    assert set(shows["MPL own"]) == {"jaws-on-paws", "jaws-on-jaws2"}


def test_ruling_30_the_sun_goes_round_clockwise(three: Section) -> None:
    """Who had it first, then clockwise from there."""
    cards = {"jaws": "JP MSR", "paws": "PP MSR", "jaws2": "JP2 MSV"}
    table = three(**cards, sun="Paws.PC", sun_at_round_start="Paws")
    assert [(r.by, r.step) for r in table.rulings if r.step] == [("PP", 1), ("JP2", 2), ("JP", 2)]
    assert all(30 in r.cite.rulings for r in table.rulings if r.step)


def test_ruling_30_a_fallen_team_is_passed_over(three: Section) -> None:
    """Even if it had the Sun as the round began."""
    cards = {"jaws": "JP MSR", "jaws2": "JP2 MSV"}
    table = three(**cards, sun="Jaws.PC", sun_at_round_start="Paws", shot_down=["Paws"])
    assert [r.by for r in table.rulings if r.step] == ["JP2", "JP"]


def test_ruling_32_any_own_token_in_the_sun_widens(three: Section) -> None:
    """The Jaws plane on the Jaws2 boards is in the Sun: the shot covers the board it names."""
    stands = planes(Jaws={"Jaws2": "PC"}, Paws={"Jaws": "PL"}, Jaws2={"Jaws": "PR"})
    table = three(jaws="JP SH PC", planes=stands, sun="Jaws2.PC")
    assert scrapped(table) == {"PP": 6, "JP2": 6}


def test_ruling_32_halving_is_each_victims_own(three: Section) -> None:
    """By its token on the shooter's boards."""
    stands = planes(Paws={"Jaws": "PL"}, Jaws2={"Jaws": "PL"})
    both = three(jaws="JP SH PL", planes=stands, sun="Jaws.PL")
    assert scrapped(both) == {"PP": 3, "JP2": 3}
    stands = planes(Jaws={"Paws": "GC"}, Paws={"Jaws": "PL"}, Jaws2={"Jaws": "PR"})
    wide = three(jaws="JP SH PC", planes=stands, sun="Jaws.PL")
    assert scrapped(wide) == {}


def test_ruling_32_the_shooters_own_token_decides_who_bleeds(three: Section) -> None:
    """Its place on the victim's boards, not another team's."""
    stands = planes(Jaws={"Paws": "GL"}, Jaws2={"Paws": "PL"}, Paws={"Jaws": "PC"})
    assert scrapped(three(jaws="JP SH PC", planes=stands)) == {"PG": 6, "JP2": 6}


def test_ruling_32_damage_of_several_shooters_adds_up(three: Section) -> None:
    """Twelve in one step, from the same positions."""
    stands = planes(Paws={"Jaws": "GL", "Jaws2": "GL"}, Jaws2={"Jaws": "PC"}, Jaws={"Jaws2": "PC"})
    table = three(jaws="JG SH GL", jaws2="JG2 SH GL", planes=stands)
    assert scrapped(table) == {"PP": 12}


# -- what the table reports, and files ------------------------------------------------------------


def test_a_token_belongs_on_one_teams_boards(at: At) -> None:
    """On its own team's, or on a third team's, it is wrong.  (JP-2.3, JP-19.1)"""
    table = at("action", **SIX)
    own = table.report("token", piece="jaws-on-paws", zone="Jaws.PC")
    other = at("action", **SIX).report("token", piece="jaws-on-paws", zone="Jaws2.PC")
    assert (own.code, str(own.cite)) == ("JP-E10", "JP-2.3")
    assert (other.code, str(other.cite)) == ("JP-E10", "JP-19.1")
    assert "boards of Jaws2; that token belongs on Paws.PC" in other.text


def test_markers_are_unique_in_the_box(play: Callable[..., Any]) -> None:
    """Whatever the number of teams, Sun and Moon included; Jaws and Paws keep theirs."""
    seen: dict[int, str] = {}
    for night in ((), ("night",)):
        for teams in range(3, MOST_TEAMS + 1):
            crews = " ".join("2" * teams)
            plan = play(variants=(*night, FIVE), options={"crews": crews}).match.rulebook.plan
            named = [(t.marker, str(t.piece)) for t in plan.tokens]
            named += [(m, board.name) for board in plan.boards for m in board.corners or {}]
            assert len({marker for marker, _ in named}) == len(named)
            for marker, name in named:
                assert seen.setdefault(marker, name) == name
            assert max(marker for marker, _ in named) < 250, "ARUCO_MIP_36h12 has no more"
    assert (seen[16], seen[17], seen[36], seen[37]) == (
        "jaws-on-paws", "paws-on-jaws", "sun", "moon",
    )  # fmt: skip


def test_no_board_lies_on_another(play: Callable[..., Any]) -> None:
    """Every team has its place at the table."""
    for teams in range(2, MOST_TEAMS + 1):
        variants, options = ((FIVE,), {"crews": " ".join("2" * teams)}) if teams > 2 else ((), {})
        plan = play(variants=variants, options=options).match.rulebook.plan
        boxes = [(b.centre_mm, b.size_mm) for b in plan.boards]
        for at, (one, size) in enumerate(boxes):
            assert size[0] / 2 <= one[0] <= plan.table_mm[0] - size[0] / 2
            assert size[1] / 2 <= one[1] <= plan.table_mm[1] - size[1] / 2
            for other, other_size in boxes[at + 1 :]:
                apart = [abs(one[i] - other[i]) >= (size[i] + other_size[i]) / 2 for i in (0, 1)]
                assert any(apart)


def test_a_plane_is_placed_by_hosts_in_a_file(at: At, file_of: Callable[..., Any]) -> None:
    """One zone for all its tokens will not do."""
    with pytest.raises(Exception, match=r"planes\.Jaws: name the zone on each team's boards"):
        at("action", **SIX, planes={"Jaws": "Paws.PC"})


def test_all_teams_have_names_that_cannot_be_confused() -> None:
    """Nor their players."""
    assert len({team.lower() for team in ALL_TEAMS}) == MOST_TEAMS


# -- elimination (JP-19.7, RULING 33) -------------------------------------------------------------


def fallen(three: Section, **changes: Any) -> Any:
    """Paws are shot down by Jaws in section 1; Jaws2 fly on."""
    stands = planes(Paws={"Jaws": "GL"}, Jaws={"Paws": "PC"})
    short = {"deck": 2, "discard": 24}
    return three(jaws="JG SH GL", planes=stands, PP=short, **changes).say("deck/PP", 2)


def test_ruling_33_the_ruling_says_where_the_cards_on_the_track_go(at: At, three: Section) -> None:
    """A falling team's cards, not resolved: to their owners' Discard Piles, and how many lie there.

    The hands' deeds say the same; without a card on the track nothing is said of any.
    """
    cards = {"Jaws": {1: "JG"}, "Paws": {2: "PP", 4: "PG"}}
    stands = planes(Paws={"Jaws": "GL"}, Jaws={"Paws": "PC"})
    short = {"deck": 2, "discard": 24}
    table = at("section-1", **SIX, cards=cards, planes=stands, PP=short).flip(jaws="SH GL")
    table.say("deck/PP", 2).say("down/paws")
    leaves = next(r for r in table.rulings if r.headline == "Paws: off the boards")
    assert (
        "Its cards on the track, not resolved, go to their owners' Discard Piles: "
        "Paws Pilot 1 (Discard 24), Paws Gunner 1 (Discard 10)." in leaves.text
    )
    assert [deed for deed in leaves.deeds if isinstance(deed, Carry)] == [
        Carry(Seat("PP"), 1, "track", "discard"),
        Carry(Seat("PG"), 1, "track", "discard"),
    ]
    assert "cards on the track" not in fallen(three).say("down/paws").texts()


def test_ruling_33_tokens_and_boards_leave(three: Section) -> None:
    """Once the team has agreed; the others fly on."""
    table = fallen(three)
    assert table.asked == ["round-2/section-1/down/paws"]
    assert table.rulings[-1].headline == "Paws are shot down"
    table.say("down/paws")
    position = table.position
    assert (position.out, position.teams) == (["Paws"], ["Jaws", "Jaws2"])
    assert set(position.zones) == {"jaws-on-jaws2", "jaws2-on-jaws", "sun"}
    leaves = next(r for r in table.rulings if r.headline == "Paws: off the boards")
    assert {deed.piece for deed in leaves.deeds if isinstance(deed, Move) and deed.now is None} == {
        "paws-on-jaws", "paws-on-jaws2", "jaws-on-paws", "jaws2-on-paws",
    }  # fmt: skip
    assert faults(position) == []


def test_ruling_33_its_shots_of_that_step_still_count(three: Section) -> None:
    """They fall together with it."""
    stands = planes(Paws={"Jaws": "GL"}, Jaws={"Paws": "PC"}, Jaws2={"Paws": "PL"})
    short = {"deck": 2, "discard": 24}
    table = three(jaws="JG SH GL", paws="PP SH PL", planes=stands, PP=short).say("deck/PP", 2)
    assert scrapped(table) == {"PP": 2, "JP2": 6}


def test_ruling_33_its_later_cards_are_not_resolved(three: Section) -> None:
    """They go to the Discard Piles unseen."""
    stands = planes(Paws={"Jaws": "GL"}, Jaws={"Paws": "PC"})
    file = {"PP": {"deck": 2, "discard": 23, "track": 1}, "PG": {"discard": 9, "track": 1}}
    tracks = {"Paws": ["", "PP", "PG", ""], "Jaws": ["JG", "", "", ""]}
    table = three(planes=stands, tracks=tracks, JG={"track": 1, "discard": 9}, **file)
    table.flip(jaws="SH GL").say("deck/PP", 2).say("down/paws")
    assert table.position.piles["PP"].counts["track"] == 0
    assert table.position.owners["Paws"] == [""] * 4
    assert table.position.round_number == 3, "no section was asked of them"


def test_ruling_33_the_sun_goes_to_the_next_team_clockwise(three: Section) -> None:
    """The same zone there."""
    table = fallen(three, sun="Paws.GR").say("down/paws")
    assert table.position.sun == "Jaws2.GR"
    assert "goes from Paws.GR to Jaws2.GR" in table.texts()


def test_ruling_33_a_fallen_team_is_asked_nothing_more(three: Section) -> None:
    """Neither ready nor cards."""
    table = fallen(three).say("down/paws")
    assert table.asked == ["round-3/ready/jaws", "round-3/ready/jaws2"]
    table.act()
    assert not [key for key in table.match.open if "paws" in key]
    table.lock().say("drawn")
    assert not [key for key in table.match.open if key.endswith(("/PP", "/PG"))]


def test_ruling_33_a_loss_may_be_taken_back_before_they_agree(three: Section) -> None:
    """The arbiter's word; nobody leaves."""
    table = fallen(three)
    table.match.adjust({"Paws.down": False, "PP.deck": 2, "PP.scrap": 0, "PP.discard": 24},
                       "miscounted", stamp=table.stamp)  # fmt: skip
    table.say("down/paws")
    assert table.position.out == []
    assert table.position.round_number == 3


def test_ruling_33_afterwards_only_undo_brings_it_back(three: Section) -> None:
    """Its tokens have left."""
    table = fallen(three).say("down/paws")
    with pytest.raises(BadCall, match="Paws left the game earlier; undo to bring it back"):
        table.match.adjust({"Paws.down": False}, "no", stamp=table.stamp)
    table.match.undo(stamp=table.stamp)
    assert table.position.out == []


def test_ruling_33_smoke_and_draws_eliminate_too(at: At) -> None:
    """At the check point of each."""
    table = at("draw", **SIX, PP={"hand": 1, "deck": 0, "discard": 29})
    table.draw().say("deck/PP", 0).say("down/paws")
    assert table.position.out == ["Paws"]
    smoked = at("repair", **SIX, PP={"played": 0}, PG={"deck": 1, "discard": 25},
                smoke={"Paws": True}).repair()  # fmt: skip
    smoked.say("deck/PG", 1).say("down/paws")
    assert smoked.position.out == ["Paws"]


def test_jp_19_7_the_last_team_flying_wins(three: Section) -> None:
    """Of those left; the result is agreed by them."""
    table = fallen(three, shot_down=["Jaws2"], smoke={})
    table.say("result/jaws").say("result/paws")
    assert table.match.outcome.winners == ("Jaws",)
    assert "JP-19.7" in table.match.outcome.ruling.cite.rules


def test_ruling_33_all_that_are_left_fall_together(three: Section) -> None:
    """A draw among them; nobody wins."""
    stands = planes(Paws={"Jaws": "GL"}, Jaws={"Paws": "PC"})
    short = {"deck": 2, "discard": 24}
    table = three(
        jaws="JG SH GL", paws="PG SH PC", planes=stands, shot_down=["Jaws2"], PP=short, JG=short,
    )  # fmt: skip
    for key in ("deck/PP", "deck/JG"):
        table.say(key, 2)
    assert "The last 2 planes are shot down" in table.last.text
    assert table.last.headline == "Draw: all down"
    table.say("result/jaws").say("result/paws")
    assert table.match.outcome.winners == ()
    assert 33 in table.match.outcome.ruling.cite.rulings


def test_ruling_12_most_cards_of_several(three: Section) -> None:
    """More than any other that fell with it."""
    stands = planes(Paws={"Jaws": "GL"}, Jaws={"Paws": "PC"})
    table = three(
        jaws="JG SH GL", paws="PG SH PC", planes=stands, shot_down=["Jaws2"],
        PP={"deck": 2, "discard": 24}, JG={"deck": 2, "discard": 18, "scrap": 6},
        options={"double_ko": "most_cards"},
    )  # fmt: skip
    for key in ("deck/PP", "deck/JG"):
        table.say(key, 2)
    table.say("result/jaws").say("result/paws")
    assert table.match.outcome.winners == ("Paws",)


def test_two_fall_and_two_fly_on(section: Section) -> None:
    """Both agree, both leave, in one check point."""
    stands = planes(Paws={"Jaws": "GL"}, Jaws2={"Jaws": "GL"}, Jaws={"Paws": "PC", "Jaws2": "PC"})
    short = {"deck": 2, "discard": 24}
    table = section(
        jaws="JG SH GL", variants=FIVE, crews="2 2 2 2", planes=stands, PP=short, JP2=short
    )
    table.say("deck/PP", 2).say("deck/JP2", 2)
    assert table.asked == ["round-2/section-1/down/paws", "round-2/section-1/down/jaws2"]
    table.say("down/paws").say("down/jaws2")
    assert table.position.teams == ["Jaws", "Paws2"]


# -- by night -------------------------------------------------------------------------------------


def test_ruling_24_a_plain_hit_on_the_same_deck_comes_after_the_look(section: Section) -> None:
    """The Moon is on the Jaws boards: Jaws look, Jaws2 do not."""
    stands = planes(Paws={"Jaws": "PL", "Jaws2": "GL"}, Jaws2={"Jaws": "GC"}, Jaws={"Jaws2": "GC"})
    table = section(
        jaws2="JG2 SH GL", jaws="JP SH PL", variants=f"night {FIVE}", crews="2 2 2",
        moon="Jaws.PR", planes=stands,
    )  # fmt: skip
    assert table.asked == ["round-2/section-1/look/PP"]
    table.say("look/PP", "look")
    shots = [ruling for ruling in table.rulings if ruling.step == 5]
    assert [ruling.by for ruling in shots] == ["PP", "PP"]
    assert [len(ruling.deeds) for ruling in shots] == [2, 1]
    assert scrapped(table) == {"PP": 12}


def test_jp_16_3_several_teams_may_be_favoured(at: At) -> None:
    """Each whose plane is on the Moon's partner board."""
    stands = planes(Jaws={"Paws": "GC"}, Jaws2={"Paws": "GL"})
    table = at("draw", variants=f"night {FIVE}", crews="2 2 2", moon="Paws.PC", planes=stands)
    table.draw()
    asked = {key.rpartition("/")[2] for key in table.asked}
    assert asked == {"JP", "JG", "JP2", "JG2", "drawn"}


def test_a_fallen_teams_token_is_taken_off(three: Section) -> None:
    """Where hands forgot it."""
    table = fallen(three).say("down/paws")
    notice = table.report("token", piece="paws-on-jaws", zone="Jaws.GL")
    assert (notice.code, "Take it off" in notice.way_out) == ("JP-E10", True)
