"""The hex board's screen: end poses, dice, menus and panels, touched as a person would."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, TypeGuard

import pytest

from companion.core.board import Board, Piece, Pose
from companion.core.offers import PictureState, Seen, SeenState, Sighting
from companion.core.ruling import Seat
from companion.games.dogfight_hex.boards import board_plan
from companion.games.dogfight_hex.cards import assumed_figures
from ui.demo.driver import actions_on
from ui.scene.map import MapView
from ui.scene.theme import Theme
from ui.screens.match import field_poses
from ui.screens.match.field import FieldState
from ui.screens.match.field_poses import Asked, pose_pad
from ui.screens.registry import parts_of, screen_of
from ui.touch import actions as a

A, B = Seat("A"), Seat("B")

Duel = Callable[..., Any]


def on(person: Any) -> Any:
    """The screen, with every ruling read."""
    state = person.read_rulings()
    assert isinstance(state, FieldState), state
    return state


def touch(person: Any, action: Any) -> Any:
    """Touch something; the screen, with every ruling read."""
    person.touch(action)
    assert person.view.refusal is None, person.view.refusal
    return on(person)


def menu_key(state: FieldState, label: str) -> Any:
    """The action of a menu's key."""
    keys = {pad.key.label: pad.key.action for group in state.menu for pad in group.keys}
    return keys[label]


def fly(person: Any, card: str) -> Any:
    """On to where a card's plane ends."""
    return touch(person, menu_key(on(person), card))


def asked(person: Any) -> Any:
    """The one open question."""
    (question,) = person.match.open.values()
    return question


def seen(person: Any, **places: str) -> None:
    """The camera has settled on planes: "0,0/0" is a space and a facing."""
    pieces = {}
    for piece, place in places.items():
        space, _, facing = place.partition("/")
        pose = Pose(space, int(facing))
        pieces[Piece(piece)] = Seen(SeenState.SEEN, pose, (space,))
    person.table.refereed().see(Sighting(person.clock(), 1, PictureState.SETTLED, pieces))
    person.table.tick()


# --- menus ---


def test_a_menu_is_grouped_as_the_options_are(person: Any, duel: Duel) -> None:
    """Every option has one key, under the name of its group, in the order of the question."""
    state = duel()
    options = asked(person).options_now()
    groups = list(dict.fromkeys(option.group for option in options))
    assert [group.title for group in state.menu] == groups
    answers = [action.raw for action in actions_on(state.menu) if _is_answer(action)]
    assert answers == [option.name for option in options]


def test_what_ends_the_turn_is_the_next_tap(person: Any, duel: Duel) -> None:
    """Once the Maneuver is done, End turn leaves the menu for the far bottom edge."""
    duel()
    state = fly(person, "Turning Maneuver")
    state = touch(person, a.Answer(asked(person).key, asked(person).opened, "0,0 N"))
    while state.pad is not None or asked(person).options_now()[-1].name != "end turn":
        state = touch(person, _first_answer(person, state))
    assert state.frame.bottom.next is not None
    assert state.frame.bottom.next.label == "End turn"
    others = [x for x in actions_on((state.menu, state.frame.bottom.keys)) if _is_answer(x)]
    assert all(answer.raw != "end turn" for answer in others)


def _is_answer(action: object) -> TypeGuard[a.Answer]:
    return isinstance(action, a.Answer)


def _first_answer(person: Any, state: FieldState) -> Any:
    """Whatever brings a roll or an offer behind us: a one, or what silence means."""
    question = asked(person)
    raw = [1] * question.dice if question.kind == "roll" else question.lapse
    return a.Answer(question.key, question.opened, raw)


# --- end poses ---


def test_a_space_with_several_headings_asks_for_one(person: Any, duel: Duel) -> None:
    """Touch the space, then the heading; only the second touch is an answer."""
    duel()
    state = fly(person, "Basic Maneuver")
    assert state.poses is not None
    assert not state.poses.headings
    ahead = next(space for space in state.poses.spaces if space.space == "0,0")
    assert len(ahead.headings_deg) == 3
    entries = len(person.match.entries)
    state = touch(person, ahead.action)
    assert state.poses is not None
    assert len(person.match.entries) == entries
    assert {h.key.label: (h.row, h.column) for h in state.poses.headings} == {
        "NW": (0, 0), "N": (0, 1), "NE": (0, 2),
    }  # fmt: skip
    north = next(h for h in state.poses.headings if h.key.label == "N")
    person.touch(north.key.action)
    assert person.match.entries[entries].answer == "0,0 N"


@pytest.mark.slow(gate=4)
@pytest.mark.parametrize("side", ["near", "left", "far", "right"])
@pytest.mark.parametrize("card", ["Basic Maneuver", "High-speed Maneuver", "Turning Maneuver"])
def test_every_end_pose_can_be_touched(person: Any, duel: Duel, card: str, side: str) -> None:
    """Through all spaces and headings, each option is reached, and nothing but options."""
    person.table.set_setting("screen_side", side)
    duel()
    state = fly(person, card)
    assert state.poses is not None
    reached: set[str] = set()
    for space in state.poses.spaces:
        reached |= _reached_by(person, space.action)
    assert reached == {option.name for option in asked(person).options_now()}


def _reached_by(person: Any, action: Any) -> set[str]:
    """The answers behind one space."""
    if isinstance(action, a.Answer):
        return {str(action.raw)}
    state = touch(person, action)
    assert state.poses is not None
    names = {str(answer.raw) for answer in actions_on(state.poses.headings) if _is_answer(answer)}
    assert len({(h.row, h.column) for h in state.poses.headings}) == len(state.poses.headings)
    person.touch(a.Back())
    return names


@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (480, 800), (720, 1280)])
@pytest.mark.parametrize("card", ["Basic Maneuver", "High-speed Maneuver", "Turning Maneuver"])
def test_every_end_is_found_by_at_most_two_touches(
    person: Any, duel: Duel, make_sheet: Any, card: str, size: tuple[int, int]
) -> None:
    """At once, or after a touch near it that enlarges the board; each is as large as a finger."""
    duel()
    state = fly(person, card)
    assert state.poses is not None
    sheet = make_sheet(Theme(size_px=size))
    found: set[str] = set()
    for near in (None, *_targets(sheet, state, "map/near/")):
        shown = state if near is None else touch(person, near)
        found |= {str(part) for part in _targets(sheet, shown, "map/end/")}
        if near is not None:
            assert a.Enlarge("") in _targets(sheet, shown, "bottom/")
            person.touch(a.Enlarge(""))
    assert found == {str(space.action) for space in state.poses.spaces}


def _targets(sheet: Any, state: FieldState, name: str) -> list[Any]:
    """What touches on parts of this name mean; none is too small or meets its like."""
    sheet.show(screen_of(state), parts_of(state, sheet.theme))
    parts = [p for n, p in sheet.parts.items() if name in n and p.action is not None]
    for one, other in itertools.combinations(parts, 2):
        assert not one.box.meets(other.box)
    assert all(p.box.wide >= 49.9 and p.box.high >= 50.9 for p in parts)
    return [part.action for part in parts]


def test_the_planes_own_space_asks_its_headings_at_once(person: Any, duel: Duel) -> None:
    """Where only the heading is open there is nothing to touch before it."""
    duel()
    fly(person, "Basic Maneuver")
    pad = on(person).poses
    assert pad is not None
    question = asked(person)
    options = [o for o in question.options_now() if o.name.startswith("0,0 ")]
    view = MapView(person.match.rulebook.plan)
    alone = pose_pad(view, Asked(question.key, 1), options, Piece("camel"))
    assert alone.chosen == "0,0"
    assert len(alone.headings) == len(options) == 3


def test_what_the_camera_sees_is_lit_and_the_next_tap(person: Any, duel: Duel) -> None:
    """The space, the heading and the next tap all say what is seen, and since when."""
    duel()
    fly(person, "Basic Maneuver")
    seen(person, camel="0,0/1", fokker="0,-1/0")
    state = on(person)
    assert state.poses is not None
    (lit,) = [space for space in state.poses.spaces if space.lit]
    assert (lit.space, lit.lit_deg) == ("0,0", 60.0)
    key = state.frame.bottom.next
    assert key is not None
    assert (key.label, key.sign) == ("As seen", "eye")
    assert key.second.startswith("seen ")
    person.touch(key.action)
    assert person.match.entries[-1].answer == "0,0 NE"


def test_where_the_plane_may_not_end_but_is_seen_its_ghost_stands(person: Any, duel: Duel) -> None:
    """On the map, at the space and heading seen, beside why and what would be legal."""
    duel()
    fly(person, "Basic Maneuver")
    seen(person, camel="3,-3/3", fokker="0,-1/0")
    state = on(person)
    (ghost,) = [piece for piece in state.map.pieces if piece.dashed]
    assert (ghost.piece, ghost.space, ghost.heading_deg) == ("camel", "3,-3", 180.0)
    left, top, wide, high = state.map.bounds_mm
    assert left <= ghost.centre_mm[0] <= left + wide
    assert top <= ghost.centre_mm[1] <= top + high
    assert state.poses.astray == "3,-3"
    assert state.frame.bottom.message.first == "Dashed: where it is seen."
    assert "does not reach 3,-3 S" in state.frame.refusal.text
    assert "Legal nearby" in state.frame.refusal.way_out
    seen(person, camel="0,0/1", fokker="0,-1/0")
    assert not [piece for piece in on(person).map.pieces if piece.dashed]


def test_the_map_turns_with_the_screen(person: Any, duel: Duel) -> None:
    """Seen from the far side north points down, and so do planes that face north."""
    person.table.set_setting("screen_side", "far")
    state = duel()
    assert state.map.compass == ("N", 180.0)
    assert {piece.heading_deg for piece in state.map.pieces} == {180.0}
    near = [piece for piece in state.map.pieces if piece.piece == "camel"]
    far = [piece for piece in state.map.pieces if piece.piece == "fokker"]
    assert near[0].centre_mm[1] < far[0].centre_mm[1]


# --- dice ---


def fire(person: Any) -> Any:
    """On to the two dice of a Basic Attack."""
    state = touch(person, menu_key(on(person), "Basic Attack"))
    assert state.pad is not None
    return state


def test_dice_are_told_by_their_faces_and_given_together(person: Any, duel: Duel) -> None:
    """Each touch tells the next die; with the last one the roll is given, without another."""
    duel()
    state = fire(person)
    assert state.pad is not None
    assert state.frame.bottom.next is None
    assert [die.face for die in state.pad.dice] == [0, 0]
    assert state.pad.dice[0].chosen
    entries = len(person.match.entries)
    state = touch(person, state.pad.faces[4].action)
    assert state.pad is not None
    assert [die.face for die in state.pad.dice] == [5, 0]
    assert [die.meets for die in state.pad.dice] == [True, None]
    assert len(person.match.entries) == entries
    touch(person, state.pad.faces[1].action)
    assert person.match.entries[-1].answer == [5, 2]
    assert len(person.match.entries) == entries + 1


def test_while_dice_are_asked_the_map_has_the_line_of_fire(person: Any, duel: Duel) -> None:
    """From attacker to target, with the range; the question names both."""
    assert not duel().map.fires
    fire(person)
    state = on(person)
    spots = {piece.piece: piece.centre_mm for piece in state.map.pieces}
    (line,) = state.map.fires
    assert (line.start_mm, line.end_mm) == (spots["camel"], spots["fokker"])
    assert line.reach == "range 2"
    assert state.band.lines[0] == "Ana"
    assert "at Ben" in state.band.note


def test_a_die_that_was_told_can_be_told_anew(person: Any, duel: Duel) -> None:
    """A touch on it opens its faces again; the others stay."""
    duel()
    state = fire(person)
    assert state.pad is not None
    state = touch(person, state.pad.faces[2].action)
    assert state.pad is not None
    state = touch(person, state.pad.dice[0].action)
    assert state.pad is not None
    assert [die.face for die in state.pad.dice] == [0, 0]
    state = touch(person, state.pad.faces[0].action)
    assert state.pad is not None
    assert [die.face for die in state.pad.dice] == [1, 0]
    touch(person, state.pad.faces[5].action)
    assert person.match.entries[-1].answer == [1, 6]


def rolling_again(person: Any, duel: Duel) -> Any:
    """A Basic Attack whose dice show 3 and 2 has failed; the shooter has a token."""
    duel()
    fire(person)
    question = asked(person)
    return touch(person, a.Answer(question.key, question.opened, [3, 2]))


def roll_key(state: Any) -> Any:
    """The key that rolls dice again, beside Undo and Arbiter."""
    _, arbiter, key = state.frame.bottom.keys
    assert arbiter.action == a.Show(a.Panel.ARBITER)
    return key


def test_dice_that_failed_are_rolled_again_by_one_touch(person: Any, duel: Duel) -> None:
    """They are chosen already; Keep is the next tap, the key names the price."""
    state = rolling_again(person, duel)
    assert state.pad is not None
    assert [(die.face, die.chosen) for die in state.pad.dice] == [(3, True), (2, True)]
    assert state.frame.bottom.next.label == "Keep"
    assert (roll_key(state).label, roll_key(state).second) == ("Roll 2 dice again",
                                                               "Focus, 1 token")  # fmt: skip
    person.touch(roll_key(state).action)
    assert person.match.entries[-1].answer == "Focus 3 2"


def test_dice_to_roll_again_are_touched_where_they_lie(person: Any, duel: Duel) -> None:
    """A touch leaves one out or takes it in again; with none chosen there is nothing to roll."""
    state = rolling_again(person, duel)
    state = touch(person, state.pad.dice[0].action)
    assert [die.chosen for die in state.pad.dice] == [False, True]
    state = touch(person, state.pad.dice[1].action)
    assert roll_key(state).action is None
    state = touch(person, state.pad.dice[1].action)
    assert roll_key(state).label == "Roll 1 die again"
    person.touch(roll_key(state).action)
    assert person.match.entries[-1].answer == "Focus 2"


def test_dice_are_kept_by_the_next_tap(person: Any, duel: Duel) -> None:
    """Nothing is paid."""
    state = rolling_again(person, duel)
    person.touch(state.frame.bottom.next.action)
    assert person.match.entries[-1].answer == "keep"


def test_the_target_is_asked_to_evade_and_the_screen_faces_it(person: Any, duel: Duel) -> None:
    """Face to face, the screen turns to the far player as a whole, Gunsight and all."""
    person.table.set_setting("face_to_face", value=True)
    state = duel(sight="confirm")
    assert not state.turned
    fire(person)
    while asked(person).by == A:
        question = asked(person)
        raw: Any = [6, 6] if question.kind == "roll" else question.lapse
        state = touch(person, a.Answer(question.key, question.opened, raw))
    assert asked(person).by == B
    assert state.turned
    assert state.band.lines[0] == "Ben"
    assert state.gunsight is not None
    assert state.gunsight.lying == 2
    given = {str(x.raw) for x in actions_on(state) if _is_answer(x)}
    assert given == {option.name for option in asked(person).options_now()}


# --- panels and secrets ---


def test_panels_count_what_the_table_shows(person: Any, duel: Duel) -> None:
    """Deck first, then hand, discard and damage; tokens, plane, pilot; whose turn it is."""
    ana, ben = duel().panels
    counted = [(pile.name, pile.count) for pile in ana.counts]
    assert counted == [("Deck", 9), ("Hand", 5), ("Discard", 4), ("Damage", 2)]
    assert (ana.tokens, ana.fighter, ana.active, ana.down) == (3, "Sopwith Camel", True, "")
    assert ana.side.name == "Ana"
    assert ana.pilot == "MacLaren, side A"
    assert ben.drawn.sign == "fokker"
    assert not ben.active


# --- touched in vain ---


def test_a_space_where_the_plane_cannot_end_says_why(person: Any, duel: Duel) -> None:
    """The rules' own reason with its rule; nothing is given, and the keys stay."""
    duel()
    state = fly(person, "Basic Maneuver")
    assert state.poses.closed
    lines = len(person.match.entries)
    refused = person.touch(state.poses.closed[0].asks)
    assert refused.frame.refusal is not None
    assert refused.frame.refusal.cite
    assert refused.frame.top.cite == refused.frame.refusal.cite
    assert refused.poses == state.poses
    assert len(person.match.entries) == lines
    legal = {pose.space for o in asked(person).options_now() for pose in (o.shows or {}).values()}
    assert not legal & {space.space for space in state.poses.closed}


@pytest.mark.parametrize("side", ["near", "left", "far", "right"])
def test_a_board_is_found_whole_from_its_outlines_once(
    side: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its window is that of all points of its spaces, as they lie before the screen."""
    plan = board_plan(assumed_figures())
    view, (board, *_) = MapView(plan, side), plan.boards
    points = [view.seen_mm(board.to_table(p)) for space in board.spaces for p in space.outline_mm]
    (left, right), (top, low) = ((min(them), max(them)) for them in zip(*points, strict=True))
    whole = (left, top, right - left, low - top)
    assert field_poses._around(board, view) == whole
    monkeypatch.delattr(Board, "to_table")
    assert field_poses._around(board, view) == whole
