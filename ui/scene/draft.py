"""A match that is being set up: its rules, who would play it, and what is wrong with it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from companion.core.errors import BadCall, BadFile
from companion.core.ruling import Json, Seat
from companion.games import find_rulebook, rulebook_of
from companion.match.house_rules import Switch
from companion.match.rulebook import Bringing, Rulebook, Setup, name_fault
from ui.touch.view import SetupDraft

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping


TIMER = "timer_s"


def rules_of(draft: SetupDraft) -> type[Rulebook[Any]]:
    """The rules that a draft stands for, with the seats of its house rules."""
    return rulebook_of(Setup(draft.box, draft.variants, options=dict(draft.options)))


def house_rules(rulebook: type[Rulebook[Any]]) -> list[Switch]:
    """The switches of a box but the timer, which stands by itself."""
    return [switch for switch in rulebook.switches.values() if switch.name != TIMER]


@lru_cache(maxsize=64)
def seats_of(
    box: str, variants: tuple[str, ...], options: tuple[tuple[str, Json], ...]
) -> tuple[Seat, ...]:
    """The seats at which somebody plays; all where the house rules do not go together.

    `fault_of` says why they do not.
    """
    setup = Setup(box, variants, options=dict(options))
    rulebook = rulebook_of(setup)
    try:
        return rulebook(setup).seats_taken()
    except BadCall:
        return tuple(rulebook.seats)


@lru_cache(maxsize=16)
def fault_of(box: str, variants: tuple[str, ...], options: tuple[tuple[str, Json], ...]) -> str:
    """Why a match cannot be played under these house rules; empty where it can."""
    setup = Setup(box, variants, options=dict(options))
    try:
        rulebook_of(setup)(setup)
    except BadCall as refused:
        return str(refused)
    return ""


def seating_of(draft: SetupDraft, rulebook: type[Rulebook[Any]]) -> list[Switch]:
    """The house rules by which more or fewer people play: they stand with the game."""
    now = _seats_by(draft.box, draft.variants)
    return [switch for switch in house_rules(rulebook) if switch.name in now]


@lru_cache(maxsize=16)
def _seats_by(box: str, variants: tuple[str, ...]) -> frozenset[str]:
    """The switches whose values differ in the seats that are taken."""
    rulebook = rulebook_of(Setup(box, variants))
    return frozenset(
        switch.name
        for switch in rulebook.switches.values()
        if len({seats_of(box, variants, ((switch.name, value),)) for value in switch.values}) > 1
    )


def _seat_options(box: str, variant: str) -> list[tuple[tuple[str, Json], ...]]:
    """Every value of the house rules by which more or fewer play; nothing where there are none."""
    switches = find_rulebook(box).in_variants((variant,)).switches
    found: list[tuple[tuple[str, Json], ...]] = [
        ((name, value),) for name in _seats_by(box, (variant,)) for value in switches[name].values
    ]
    return found or [()]


def persons_of(draft: SetupDraft, rulebook: type[Rulebook[Any]]) -> dict[Seat, str]:
    """The seat at which each person is named, and what it is called: by the side if one has all."""
    held, taken = rulebook.held_by, seats_of(draft.box, draft.variants, draft.options)
    named = {seat: rulebook.seats[seat] for seat in taken if seat not in held}
    return named | {first: str(rulebook.side_of.get(first, first)) for first in held.values()}


def offered_to(rulebook: type[Rulebook[Any]], figures: Mapping[str, Json]) -> tuple[Bringing, ...]:
    """What may be chosen for each seat by a table's own figures; nothing where all have the same.

    Nor where the figures cannot be used: the check of the box says what is wrong with them.
    """
    try:
        offered = rulebook.bringings(figures)
    except BadFile:
        return ()
    return offered if any(len(one.values) > 1 for one in offered) else ()


def seated(draft: SetupDraft, seat: str, said: str) -> SetupDraft:
    """With this person at a seat, who brings what was chosen for it; "" takes the name away."""
    rulebook = rules_of(draft)
    before = rulebook.brought(dict(draft.seats).get(seat, ""))
    if rulebook.brought(said) and not any(rulebook.brought(said)):
        said = rulebook.seated_as(rulebook.person(said), before)
    return draft.with_seat(seat, said)


def moved(draft: SetupDraft, seat: str, person: str) -> SetupDraft:
    """With this person at a seat; if they sat at another, whoever sat here goes there."""
    rulebook, people = rules_of(draft), dict(draft.seats)
    before = rulebook.person(people.get(seat, ""))
    old = next(
        (
            other
            for other, said in people.items()
            if other != seat and rulebook.person(said).casefold() == person.casefold()
        ),
        None,
    )
    placed = draft if old is None else seated(draft, old, before)
    return seated(placed, seat, person)


def bringing(draft: SetupDraft, seat: str, number: int, value: str) -> SetupDraft:
    """With one of the things chosen that a seat brings."""
    rulebook = rules_of(draft)
    said = dict(draft.seats).get(seat, "")
    brought = list(rulebook.brought(said))
    if not 0 <= number < len(brought):
        return draft
    brought[number] = value
    return draft.with_seat(seat, rulebook.seated_as(rulebook.person(said), brought))


def next_unnamed(draft: SetupDraft, after: str) -> str:
    """The seat that is named next: the first without a person after this one, else from the first.

    Empty where everybody has a name.
    """
    rulebook = rules_of(draft)
    seats = [str(seat) for seat in persons_of(draft, rulebook)]
    at = seats.index(after) + 1 if after in seats else 0
    named = {seat for seat, text in draft.seats if rulebook.person(text)}
    return next((seat for seat in (*seats[at:], *seats[:at]) if seat not in named), "")


def seat_faults(draft: SetupDraft, rulebook: type[Rulebook[Any]]) -> dict[str, str]:
    """What is wrong with the names; a seat without one is called as the book calls it."""
    seats = persons_of(draft, rulebook)
    people = [(seat, rulebook.person(text)) for seat, text in draft.seats if seat in seats]
    taken = [player.casefold() for _, player in people if player]
    faults: dict[str, str] = {}
    for seat, player in people:
        if taken.count(player.casefold()) > 1:
            faults[seat] = f"two seats have the name {player}"
        elif fault := name_fault(player):
            faults[seat] = fault
    return faults


@lru_cache(maxsize=16)
def players_in_words(box: str) -> str:
    """How many may play a box: "2 to 4 players"."""
    rulebook = find_rulebook(box)
    numbers = set[int]()
    for name in rulebook.variants:
        for options in _seat_options(box, name):
            setup = Setup(box, (name,), options=dict(options))
            rules = rulebook_of(setup)
            try:
                rules(setup)
            except BadCall:  # so many play by another house rule only
                continue
            numbers.add(len(persons_of(SetupDraft(box, (name,), (), options), rules)))
    return in_words(numbers)


def in_words(numbers: Collection[int]) -> str:
    """So many players, or from the fewest to the most.

    >>> in_words({2}), in_words({2, 3, 4})
    ('2 players', '2 to 4 players')
    """
    fewest, most = min(numbers), max(numbers)
    return f"{fewest} players" if fewest == most else f"{fewest} to {most} players"
