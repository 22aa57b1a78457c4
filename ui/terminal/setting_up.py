"""The set-up of a match out of a command's options; and each box's board plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from companion.core.board import BoardPlan
from companion.core.errors import BadCall, BadFile, BadPosition
from companion.core.files import read_edited_file, with_line
from companion.core.ruling import TABLE, Json, Seat
from companion.games import RULEBOOKS, find_rulebook, rulebook_of
from companion.match.entry import app_version
from companion.match.rulebook import Rulebook, Setup, name_fault

PLAYERS = "players"
"""The house rule, where a box has it, that says how many play."""


@dataclass(frozen=True, slots=True)
class WantedMatch:
    """What a call says of the match it wants, as typed."""

    box: str
    variants: Sequence[str] = ()
    seats: str = ""
    options: Sequence[str] = ()
    position: Path | None = None
    cards: Path | None = None


def set_up(asked: WantedMatch) -> Setup:
    """The set-up that a call describes; BadCall or BadFile names what is wrong with it."""
    box = find_rulebook(asked.box)
    variants = box.usual(asked.variants)
    chapters = box.in_variants(variants)
    options = read_options(asked.options, chapters)
    rulebook = chapters.seated(options)
    setup = Setup(
        rulebook.box,
        variants,
        _counted_seats(asked.seats, rulebook, options),
        options,
        read_edited_file(asked.cards) if asked.cards is not None else {},
        read_edited_file(asked.position) if asked.position is not None else None,
        rulebook.edition,
        app_version(),
    )
    _try(rulebook, setup, asked)
    return setup


def read_seats(text: str, rulebook: type[Rulebook[Any]]) -> dict[Seat, str]:
    """`JP=Ana,PG=Ben` as what is said by seat; BadCall names a seat that the game does not have.

    Everything after the first "=" is the seat's: some boxes read more than a name there.
    """
    names: dict[Seat, str] = {}
    seats = {s: title for s, title in rulebook.seats.items() if s not in rulebook.held_by}
    for part in filter(None, (part.strip() for part in text.split(","))):
        code, equals, name = (piece.strip() for piece in part.partition("="))
        if not equals or not name:
            example = next(iter(seats))
            raise BadCall(f"--seats: {part!r} is not SEAT=NAME, as in {example}=Ana")
        seat = next((seat for seat in seats if seat.lower() == code.lower()), None)
        if seat is None:
            raise BadCall(f"--seats: seat {code!r} is unknown; there are {_all(seats)}")
        if seat in names:
            raise BadCall(f"--seats: seat {seat} is named twice")
        _refuse_name(seat, rulebook.person(name))
        _refuse_others_code(seat, rulebook.person(name), rulebook)
        names[seat] = name
    return names


def _counted_seats(
    text: str, rulebook: type[Rulebook[Any]], options: Mapping[str, Json]
) -> dict[Seat, str]:
    """What is said by seat: everybody who plays is named, or nobody is; BadCall otherwise."""
    seats = {s: title for s, title in rulebook.seats.items() if s not in rulebook.held_by}
    switch = rulebook.switches.get(PLAYERS)
    if switch is not None:
        many = int(str(options.get(PLAYERS, switch.default)))
        seats = dict(list(seats.items())[:many])
    given = [part.partition("=")[0].strip() for part in text.split(",") if part.strip()]
    names = read_seats(text, rulebook) if len(given) <= len(seats) else {}
    if given and len(names) != len(seats):
        these = f"{len(given)} {'is' if len(given) == 1 else 'are'} named: {', '.join(given)}"
        needs = f"this is for {len(seats)} players: {_all(seats)}"
        limit = f"; {switch.refused}" if switch is not None and switch.refused else ""
        raise BadCall(f"--seats: {needs}; {these}{_way_to_play(len(given), rulebook)}{limit}")
    return names


def _way_to_play(many: int, rulebook: type[Rulebook[Any]]) -> str:
    """How so many people play the box, as the end of a sentence; empty where they do not."""
    switch = rulebook.switches.get(PLAYERS)
    if switch is not None and many in switch.values:
        return f" (for {many}: --option {PLAYERS}={many})"
    for name in rulebook.variants:
        chapters = rulebook.in_variants((name,))
        if len([seat for seat in chapters.seats if seat not in chapters.held_by]) == many:
            return f" (for {many}: --variant {name})"
    return ""


def _refuse_others_code(seat: Seat, name: str, rulebook: type[Rulebook[Any]]) -> None:
    """BadCall for a name that is another seat's letter or title, a team's or the table's."""
    titles = {title for other, title in rulebook.seats.items() if other != seat}
    other = {*rulebook.seats, *rulebook.sides, TABLE, *titles} - {seat}
    if name.lower() in {code.lower() for code in other}:
        text = f"seat {seat}: {name!r} means somebody else here; add a letter to the name"
        raise BadCall(f"--seats: {text}")


def _refuse_name(seat: Seat, name: str) -> None:
    """BadCall for what no screen can show as a name."""
    fault = name_fault(name)
    if fault:
        raise BadCall(f"--seats: seat {seat}: {fault}")


def read_options(pairs: Iterable[str], rulebook: type[Rulebook[Any]]) -> dict[str, Json]:
    """`timer_s=30` as the switch's own value; BadCall names an unknown one and what is allowed."""
    typed: dict[str, Json] = {}
    for pair in pairs:
        name, equals, value = (piece.strip() for piece in pair.partition("="))
        if not equals:
            raise BadCall(f"--option: {pair!r} is not NAME=VALUE, as in timer_s=30")
        typed[name] = value
    read = rulebook.read_options(typed)
    return {name: read[name] for name in typed}


def _try(rulebook: type[Rulebook[Any]], setup: Setup, asked: WantedMatch) -> None:
    """Sit down once for a try, so that a wrong file is named by its own name."""
    files = {"position": asked.position, "cards": asked.cards, "data": asked.cards}
    try:
        rulebook(setup)
    except BadPosition as wrong:
        raise BadPosition(str(asked.position), wrong.faults) from wrong
    except BadFile as wrong:
        file = files.get(wrong.source)
        place = with_line(file, wrong.place) if file is not None else wrong.place
        raise BadFile(str(file or wrong.source), place, wrong.text) from wrong


def _all(seats: Mapping[Seat, str]) -> str:
    return ", ".join(f"{seat} ({name})" for seat, name in seats.items())


# Board plans, for whoever looks at a table without a match.


def plan_of(
    box: str,
    variants: Sequence[str] = (),
    options: Mapping[str, Json] | None = None,
    figures: Path | None = None,
) -> BoardPlan:
    """The boards and tokens of a box as a mode has them; BadCall names what there is.

    `figures` is the table's own file of that box, as for a match: a map may have another size by
    it. BadFile names what is wrong in it.
    """
    name = find_rulebook(box).box
    own: Mapping[str, Json] = read_edited_file(figures) if figures is not None else {}
    setup = Setup(name, tuple(variants), options=options or {}, cards=own)
    try:
        plan: BoardPlan = rulebook_of(setup)(setup).plan
    except BadFile as wrong:
        if figures is None:
            raise
        raise BadFile(str(figures), with_line(figures, wrong.place), wrong.text) from wrong
    return plan


def plans(figures: Path | None = None) -> Mapping[str, Callable[[], BoardPlan]]:
    """Every box's plan, made when it is wanted; the usual box first."""
    return {box: partial(plan_of, box, figures=figures) for box in RULEBOOKS}
