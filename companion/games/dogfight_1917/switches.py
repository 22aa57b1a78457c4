"""The house rules of Dogfight: 1917: those of every mode, and those of single ones."""

from __future__ import annotations

from collections.abc import Mapping

from companion.match.house_rules import HouseRules, Row, Switch, switches_of

_YES, _NO = True, False

_ROWS: tuple[Row, ...] = (
    ("intervening_fighter_blocks", (_NO, _YES), "DF-11.8, RULING 4",
     "Only the nearest Fighter on the line can be a target."),
    ("multi_turn_same_direction", (_NO, _YES), "DF-9.5, RULING 5",
     "Several Turns of one effect all go the same way round."),
    ("frontal_exact", ("count", "whole_move"), "DF-9.7, RULING 6",
     '"Exactly so many straight steps": counted among all, or nothing but these.'),
    ("albatros_same_direction", ("relative", "compass", "straight"), "DF-17.3.M1, RULING 7",
     "Which two steps of the Albatros go the same way: as entered, by compass, or straight on."),
    ("evade_on_empty_gunsight", (_NO, _YES), "DF-13.2, RULING 11",
     "The target may evade although no die lies on the Gunsight."),
    ("heart_of_iron_needs_means", (_NO, _YES), "DF-18.3.A, RULING 26",
     "Loewenhardt earns by not evading only if he could have evaded."),
    ("stall_test", ("strict", "declared"), "DF-7.2, RULING 16",
     "Stalling is judged by board and Hand as they are, or a later way out may be claimed."),
    ("late_stall", ("apply", "forbid_action"), "DF-8.4, RULING 19",
     "An action after which no Maneuver is left: the Stall comes late, or the action is refused."),
    ("blackout_proof", ("honour", "show_hand"), "DF-7.4, RULING 17",
     "Who claims to hold no Maneuver Card is believed, or shows the Hand."),
    ("token_supply_limited", (_NO, _YES), "DF-15.1", "Only the 20 tokens of the box can be taken."),
    ("focus_after_placement", (_NO, _YES), "DF-10.3, RULING 13",
     "Attack dice may be rolled again after they were placed, until the target evades."),
    ("regroup_empties_damage", (_NO, _YES), "DF-15.5, RULING 14",
     "Regroup also sends the whole Damage Pile face up to the Discard Pile."),
    ("smiling_beast_thresholds", (_NO, _YES), "DF-18.3.B, RULING 25",
     "Smiling Beast also lowers numbers that are not called Difficulty."),
    ("show_deducible_cards", (_NO, _YES), "DF-4.1",
     "Show which cards everybody could work out from what was seen."),
)  # fmt: skip

_ENTENTE_ROWS: tuple[Row, ...] = (
    ("wingman_leader_turn", ("after_current_turn", "at_once"), "DF-24.4, RULING 38",
     "After a Wingman crashed the Leader plays next, or at once."),
    ("respawn_when_occupied", ("adjacent", "wait_a_turn"), "DF-24.5, RULING 40",
     "A start space that is taken: the Wingman comes back beside it, or a turn later."),
    ("leader_reward_look", (_NO, _YES), "DF-24.6, RULING 41",
     "The Leader looks at the cards before choosing how many to take back."),
)  # fmt: skip


SWITCHES: Mapping[str, Switch] = switches_of(_ROWS, sight="DF-1.4")
"""Those of every mode."""

FIRST_GAME, COMBINATION, FRIENDLY_FIRE, PLAYERS, ACE_REMOVES = switches_of(
    (
        ("first_game_deck", (_NO, _YES), "DF-3.3, RULING 21",
         "First game: Pilot Mentors, and 17 cards each."),
        ("basic_combination_enforced", (_YES, _NO), "DF-3.2",
         "Each Fighter comes with the Pilot of the Basic Combination chart."),
        ("friendly_fire", (_NO, _YES), "DF-19.3, RULING 31", "Teammates may be attacked."),
        ("players", (4, 3), "DF-22.1", "How many take part."),
        ("ace_removes", (2, 4), "DF-21.2",
         "Cards that the Ace removes from the Deck; 4 is harder."),
    ),
    refused={
        "players": "3 or 4 play a Battle Royale [DF-PLAYERS, DF-19.4, DF-22.1]; 2 play base, draft "
        "or daring-escape"
    },
).values()  # fmt: skip


def with_switches(*more: Switch) -> Mapping[str, Switch]:
    """Those of every mode, and these."""
    return {**SWITCHES, **{switch.name: switch for switch in more}}


BASE_SWITCHES = with_switches(FIRST_GAME, COMBINATION)
DARING_SWITCHES = with_switches(COMBINATION, ACE_REMOVES)
ROYALE_SWITCHES = with_switches(COMBINATION, PLAYERS)
TEAM_SWITCHES = with_switches(COMBINATION, FRIENDLY_FIRE)
ENTENTE_SWITCHES = with_switches(FRIENDLY_FIRE, *switches_of(_ENTENTE_ROWS).values())


def drafted(switches: Mapping[str, Switch]) -> Mapping[str, Switch]:
    """Those of a mode when it is drafted: pairs mean nothing, and nobody has a Mentor.  (DF-20)"""
    return {n: s for n, s in switches.items() if s not in (COMBINATION, FIRST_GAME)}


MODE_OF: Mapping[str, str] = {
    FIRST_GAME.name: "base",
    COMBINATION.name: "base, daring-escape, battle-royale or team-battle, without draft",
    FRIENDLY_FIRE.name: "team-battle or entente-vs-central-powers",
    PLAYERS.name: "battle-royale",
    ACE_REMOVES.name: "daring-escape",
    **{row[0]: "entente-vs-central-powers" for row in _ENTENTE_ROWS},
}
"""The house rules that not every mode has, and which modes have them."""


HOUSE = HouseRules({**BASE_SWITCHES, **ENTENTE_SWITCHES})
"""Which of them turn a ruling; those that a mode does not have stand there as the book says."""
