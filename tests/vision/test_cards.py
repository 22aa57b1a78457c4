"""Cards on the tracks, on drawn pictures: sure where they can be, in doubt else, never wrong."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

import cv2
import numpy as np
import pytest

from companion.core.board import BoardPlan
from companion.core.errors import BadCall
from companion.core.offers import (
    CardSeen,
    LateCard,
    PictureState,
    SectionSeen,
    SectionState,
    Sighting,
)
from ui.terminal.setting_up import plan_of
from vision.boards.lens import Lens, Points
from vision.camera.frame import Frame
from vision.cards.cards import CardMemory, gone_on, late_cards, upper_halves
from vision.cards.sections import WHITE_PERCENT, WHITE_STEPS, _white_of
from vision.drawing.table import PictureLook, SimulatedTable
from vision.tracking.tracker import Tracker

EMPTY, READ, DOUBT = SectionState.EMPTY, SectionState.READ, SectionState.DOUBT
SEEDS = int(os.environ.get("CARD_TABLES", "3"))
SECTIONS = [f"{team}.{n}" for team in ("Jaws", "Paws") for n in (1, 2, 3, 4)]


@pytest.fixture(scope="module")
def plan() -> BoardPlan:
    return plan_of("jaws-and-paws")


@dataclass
class Filmed:
    """A drawn table, read frame by frame; its tracks were empty when it began."""

    table: SimulatedTable
    empty: bool = True
    frame: Frame = field(init=False)

    def __post_init__(self) -> None:
        self.tracker = Tracker(self.table.plan)
        self.memory = CardMemory(self.table.plan)
        if self.empty:
            self.memory.take_for_empty()
        self.look()

    def look(self, frames: int = 60) -> Sighting:
        """On until the table is settled again."""
        for n in range(frames):
            self.frame = self.table.read()
            places = self.tracker.view.places
            sighting = self.memory.see(self.frame, self.tracker.see(self.frame), places)
            if n > 8 and sighting.state is PictureState.SETTLED and not self.table.busy:
                return sighting
        raise AssertionError("not settled")

    def lay(self, cards: Mapping[str, Sequence[str]]) -> Mapping[str, SectionSeen]:
        """These cards lie there, and what is seen of them."""
        self.table.lay(cards)
        return self.look().cards


@pytest.fixture(scope="module")
def table(plan: BoardPlan) -> SimulatedTable:
    return SimulatedTable(plan, seed=6)


@pytest.fixture
def filmed(table: SimulatedTable) -> Filmed:
    """Whoever begins to look at the table, its tracks empty and its lamp as it was."""
    table.light(1.0)
    table.lay(dict.fromkeys(SECTIONS, ()))
    return Filmed(table)


def test_backs_tell_whose_they_are(filmed: Filmed) -> None:
    """All eight sections: owners where a sleeve lies, empty where none does."""
    cards = filmed.lay({"Jaws.1": ["JP"], "Jaws.4": ["JG"], "Paws.2": ["PG"], "Paws.3": ["PP"]})
    assert {name: str(seen) for name, seen in cards.items() if seen.state is READ} == {
        "Jaws.1": "JP face down",
        "Jaws.4": "JG face down",
        "Paws.2": "PG face down",
        "Paws.3": "PP face down",
    }
    assert all(seen.state in {READ, EMPTY} for seen in cards.values())
    assert list(cards) == SECTIONS


@pytest.mark.slow(gate=6)
@pytest.mark.parametrize(
    ("turn", "faces"),
    [
        (0, ("MPR own",)),
        (-25, ("MPR own",)),
        (180, ("MPR enemy",)),
        (205, ("MPR enemy",)),
        (90, ("MPR own", "MPR enemy")),
        (250, ("MPR own", "MPR enemy")),
    ],
)
@pytest.mark.parametrize("section", ["Jaws.2", "Paws.3"])
def test_jp_9_3_a_card_counts_by_its_upper_half_from_its_players_seat(
    filmed: Filmed, section: str, turn: int, faces: tuple[str, ...]
) -> None:
    """For players at either edge; what lies about sideways may be read either way."""
    owner = f"{section[0]}P"
    cards = filmed.lay({section: [f"{owner} MPR@{turn}"]})
    assert cards[section].state is READ
    assert cards[section].cards == (CardSeen(owner, faces),)


@pytest.mark.parametrize("way_up", [0.0, 180.0])
@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_jp_9_3_a_card_laid_askew_is_in_doubt_beyond_40_degrees(way_up: float, side: float) -> None:
    """From either way up, to either side: at 45 degrees it is as much the one as the other."""
    halves = ("MPR own", "MPR enemy")
    sure = halves[:1] if way_up < 90.0 else halves[-1:]
    assert upper_halves(halves, way_up + side * 39.0) == sure
    for askew in (41.0, 45.0, 49.0, 90.0):
        assert upper_halves(halves, way_up + side * askew) == halves


def test_a_card_of_one_face_has_no_halves(filmed: Filmed) -> None:
    """Any way up."""
    cards = filmed.lay({"Jaws.1": ["JG SH GL@90"], "Jaws.2": ["JG MSV@180"]})
    assert [cards[name].cards[0].faces for name in ("Jaws.1", "Jaws.2")] == [("SH GL",), ("MSV",)]
    assert upper_halves((), 33.0) == ()


@pytest.mark.slow
def test_a_doubled_section_is_never_taken_for_a_single_one(plan: BoardPlan) -> None:
    """Two cards as people lay them: one over the other, the lower one's edge in sight."""
    for seed in range(3):
        filmed = Filmed(SimulatedTable(plan, seed=seed))
        cards = filmed.lay({"Jaws.1": ["JP", "JG"], "Paws.4": ["PG", "PG"]})
        assert [cards[name].state for name in ("Jaws.1", "Paws.4")] == [DOUBT, DOUBT]


def test_a_card_that_vanishes_under_another_is_in_doubt(filmed: Filmed) -> None:
    """It was read before; only an empty section ends the doubt."""
    assert filmed.lay({"Jaws.1": ["JP"]})["Jaws.1"].state is READ
    assert filmed.lay({"Jaws.1": ["JG"]})["Jaws.1"].state is DOUBT
    filmed.lay({"Paws.1": ["PP"]})
    assert filmed.look().cards["Jaws.1"].state is DOUBT
    assert filmed.lay({"Jaws.1": []})["Jaws.1"].state is EMPTY
    assert filmed.lay({"Jaws.1": ["JG"]})["Jaws.1"].state is READ


def test_a_card_turned_over_stays_the_same_card(filmed: Filmed) -> None:
    """The back goes and the face comes: one card of one owner."""
    filmed.lay({"Paws.2": ["PP"]})
    assert str(filmed.lay({"Paws.2": ["PP MSL"]})["Paws.2"]) == "PP MSL"


def test_without_sleeves_something_is_seen_and_doubted(filmed: Filmed) -> None:
    """By picture change alone: never whose it is, never that nothing lies there."""
    cards = filmed.lay({"Jaws.1": ["P"], "Jaws.3": ["G"], "Paws.4": ["P", "G"]})
    for name in SECTIONS:
        lies = name in {"Jaws.1", "Jaws.3", "Paws.4"}
        assert cards[name].state is (DOUBT if lies else EMPTY)
        assert not cards[name].cards


def test_nothing_is_called_empty_before_somebody_said_what_empty_looks_like(
    plan: BoardPlan,
) -> None:
    """A match gone on with, cards on the tracks: read where sleeves are, in doubt all the same."""
    table = SimulatedTable(plan, seed=6)
    table.lay({"Jaws.1": ["P"], "Jaws.2": ["JP"]})
    cards = Filmed(table, empty=False).look().cards
    assert {seen.state for seen in cards.values()} == {DOUBT}
    assert cards["Jaws.2"].cards == (CardSeen("JP"),)


@pytest.mark.parametrize("light", [0.6, 0.8, 1.25])
def test_another_light_is_no_card(filmed: Filmed, light: float) -> None:
    """The lamp is dimmed or another lit: empty stays empty, and cards are read."""
    filmed.table.light(light, 4)
    cards = filmed.lay({"Jaws.2": ["JP"]})
    assert cards["Jaws.2"].state is READ
    assert all(cards[name].state is EMPTY for name in SECTIONS if name != "Jaws.2")


def test_a_nudged_track_keeps_its_cards(filmed: Filmed) -> None:
    """Read where it lies now; in doubt rather than wrong where the lamp shines otherwise there."""
    filmed.lay({"Jaws.2": ["JP"]})
    filmed.table.nudge("Jaws Action Track", 6.0, -4.0, 1.5)
    cards = filmed.look().cards
    assert cards["Jaws.2"].cards == (CardSeen("JP"),)
    assert {cards[f"Jaws.{n}"].state for n in (1, 3, 4)} <= {EMPTY, DOUBT}
    filmed.table.lay({"Jaws.2": ()})
    filmed.memory.take_for_empty()
    filmed.look()
    assert filmed.lay({"Jaws.2": ["JP"]})["Jaws.2"].state is READ


def test_a_still_table_costs_no_reading(filmed: Filmed, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same sighting in, the same object out, nothing read."""
    before = filmed.look()
    monkeypatch.setattr(filmed.memory, "_read", lambda *_: pytest.fail("read again"))
    assert filmed.look(20) is before


def test_of_many_drawn_tables_nothing_sure_is_wrong(plan: BoardPlan) -> None:
    """Random cards, lamps, blur and noise; at most a few in doubt, none wrong."""
    chance = Random(4)
    sure = doubted = 0
    for seed in range(SEEDS):
        look = PictureLook(
            blur_px=chance.uniform(0.5, 1.0),
            noise=chance.uniform(1, 4),
            falloff=chance.random() / 2,
        )
        filmed = Filmed(SimulatedTable(plan, seed=100 + seed, look=look))
        for _ in range(2):
            laid = {name: _random_card(plan, name, chance) for name in SECTIONS}
            filmed.lay({name: [] for name in SECTIONS})
            cards = filmed.lay({name: [card] if card else [] for name, card in laid.items()})
            for name, card in laid.items():
                if cards[name].state is DOUBT:
                    doubted += 1
                    continue
                sure += 1
                assert cards[name].cards == _expected(plan, card), (seed, name, card, cards[name])
    assert sure >= 0.97 * (sure + doubted), (sure, doubted)


def _random_card(plan: BoardPlan, section: str, chance: Random) -> str:
    if chance.random() < 0.3:
        return ""
    deck = chance.choice([deck for deck in plan.decks if deck.owner[0] == section[0]])
    if chance.random() < 0.4:
        return deck.owner
    return f"{deck.owner} {chance.choice(list(deck.cards))}@{chance.choice((0, 180))}"


def _expected(plan: BoardPlan, card: str) -> tuple[CardSeen, ...]:
    if not card:
        return ()
    owner, _, kind = card.partition("@")[0].partition(" ")
    deck = next(deck for deck in plan.decks if deck.owner == owner)
    faces = deck.cards[kind] if kind else ()
    return (CardSeen(owner, faces[-1:] if card.endswith("@180") else faces[:1]),)


# -- tracks out of the picture --------------------------------------------------------------------


def test_a_section_beyond_the_edge_is_never_empty_for_sure(filmed: Filmed) -> None:
    """The camera looks aside: what it does not show is in doubt, and no picture is lost by it."""
    for to_px in ((450, 0), (-450, 0), (0, 330), (0, -330), (1400, 0), (0, 900)):
        lens_px = np.array([[1, 0, to_px[0]], [0, 1, to_px[1]]], np.float64)
        size_px = filmed.frame.grey.shape[::-1]
        grey = np.asarray(cv2.warpAffine(filmed.frame.grey, lens_px, size_px), np.uint8)
        places = {
            name: replace(place, lens=_aside(place.lens, to_px))
            for name, place in filmed.tracker.view.places.items()
        }
        memory = CardMemory(filmed.table.plan)
        memory.take_for_empty()
        settled = Sighting(1.0, 1, PictureState.SETTLED, {})
        cards = memory.see(Frame(grey, 1.0, 1), settled, places).cards
        beyond = {
            space.name
            for track in ("Jaws Action Track", "Paws Action Track")
            for space in places[track].board.spaces
            if _sticks_out_px(places[track].to_picture(np.array(space.outline_mm)), size_px) > 10
        }
        assert beyond
        assert {cards[name].state for name in beyond} == {DOUBT}, to_px


def _aside(lens: Lens, to_px: tuple[int, int]) -> Lens:
    """The lens of a picture that is moved by so much."""
    (x, y), (dx, dy) = lens.centre_px, to_px
    return replace(lens, centre_px=(x + dx, y + dy))


def _sticks_out_px(corners_px: Points, size_px: tuple[int, ...]) -> float:
    return float(max((-corners_px).max(), (corners_px - size_px).max()))


def test_a_track_found_later_is_learned_while_nothing_moves(filmed: Filmed) -> None:
    """Its corners were hidden when the others were learned; once hands moved it is too late."""
    both = filmed.tracker.view.places
    one = {name: place for name, place in both.items() if name != "Paws Action Track"}
    settled = Sighting(1.0, 1, PictureState.SETTLED, {})
    hand = replace(settled, state=PictureState.HAND)
    for states, expected in (((settled, settled), EMPTY), ((settled, hand, settled), DOUBT)):
        memory = CardMemory(filmed.table.plan)
        memory.take_for_empty()
        for sighting in states:
            memory.see(filmed.frame, sighting, one)
        later = replace(settled, frame=2)
        cards = memory.see(filmed.frame, later, both).cards
        assert {cards[f"Paws.{n}"].state for n in (1, 2, 3, 4)} == {expected}
        assert {cards[f"Jaws.{n}"].state for n in (1, 2, 3, 4)} == {EMPTY}


# -- after the buzzer ------------------------------------------------------------------------------


def test_jp_5_7_a_card_after_the_buzzer_is_late(filmed: Filmed) -> None:
    """Laid or moved: named with its section, its owner, and where it came from."""
    filmed.lay({"Jaws.1": ["JP"], "Paws.1": ["PG"]})
    places = filmed.tracker.view.places
    filmed.memory.buzzer(filmed.frame.grey, filmed.frame.taken_at, places)
    assert not filmed.look().late
    filmed.table.lay({"Jaws.3": ["JG"], "Paws.1": [], "Paws.4": ["PG"], "Jaws.4": ["P"]})
    late = {one.section: one for one in filmed.look().late}
    assert late == {
        "Jaws.3": LateCard("Jaws.3", "JG"),
        "Paws.4": LateCard("Paws.4", "PG", "Paws.1"),
        "Jaws.4": LateCard("Jaws.4"),
    }
    filmed.memory.take_for_empty()
    filmed.table.lay(dict.fromkeys(SECTIONS, ()))
    assert not filmed.look().late


def test_a_card_under_a_hand_at_the_buzzer_is_not_called_late_for_sure(filmed: Filmed) -> None:
    """Nobody can see whether it lay there; the pictures are to be looked at."""
    at_zero = filmed.frame.grey.copy()
    outline = filmed.tracker.view.places["Jaws Action Track"].to_picture(
        np.array([(120.0, 10.0), (170.0, 10.0), (170.0, 90.0), (120.0, 90.0)])
    )
    cv2.fillConvexPoly(at_zero, outline.astype(np.int32), 95)
    filmed.memory.buzzer(at_zero, filmed.frame.taken_at, filmed.tracker.view.places)
    filmed.table.lay({"Jaws.2": ["JP"], "Jaws.4": ["JG"]})
    late = {one.section: one.sure for one in filmed.look().late}
    assert late == {"Jaws.2": False, "Jaws.4": True}


def test_what_is_taken_away_or_turned_over_is_not_late() -> None:
    """Cards that go, faces of cards that lay there, and sections nobody saw at the buzzer."""
    zero = {"A": _read("JP"), "B": _read("JG"), "C": SectionSeen(EMPTY)}
    now = {
        "A": SectionSeen(EMPTY),
        "B": SectionSeen(READ, (CardSeen("JG", ("MSL",)),)),
        "C": SectionSeen(EMPTY),
        "D": _read("PP"),
    }
    assert late_cards(zero, now) == {}
    assert late_cards({}, now) == {}


def test_a_second_card_on_a_section_is_late() -> None:
    """As any other."""
    now = {"A": SectionSeen(DOUBT, (CardSeen("JP"), CardSeen("JG")))}
    assert late_cards({"A": _read("JP")}, now) == {"A": (LateCard("A", "JG"),)}


def test_each_owner_of_late_cards_on_one_section_is_named() -> None:
    """Both at once, or one laid on the other, whose back is hidden by then."""
    zero = {"A": SectionSeen(EMPTY)}
    both = (LateCard("A", "JG"), LateCard("A", "JP"))
    now = {"A": SectionSeen(DOUBT, (CardSeen("JP"), CardSeen("JG"), CardSeen("JP")))}
    assert late_cards(zero, now) == {"A": both}
    first = late_cards(zero, {"A": _read("JP")})
    assert gone_on(first, late_cards(zero, {"A": _read("JG")})) == {"A": both}
    assert gone_on(first, late_cards(zero, {"A": SectionSeen(DOUBT)})) == first


def _read(owner: str) -> SectionSeen:
    return SectionSeen(READ, (CardSeen(owner),))


@pytest.mark.parametrize("name", ["XP", "JP MPX", "JP MPL@up", "PP SH", ""])
def test_cards_that_are_none_cannot_be_drawn(plan: BoardPlan, name: str) -> None:
    """Refused with what there is; the table stays as it lies."""
    table = SimulatedTable(plan, seed=1, size_px=(320, 180))
    with pytest.raises(BadCall):
        table.lay({"Jaws.1": ["JP"], "Jaws.2": [name]})


@pytest.mark.parametrize(("low", "high"), [(0, 256), (200, 230), (7, 8)])
def test_the_white_of_a_marker_is_told_without_masked_arrays(low: int, high: int) -> None:
    """The 85th percentile to the last bit, in any light."""
    chance = np.random.default_rng(5)
    for _ in range(300):
        found = chance.integers(low, high, (WHITE_STEPS**2, 1), np.uint8)
        assert _white_of(found) == np.percentile(found, WHITE_PERCENT)
