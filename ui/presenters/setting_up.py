"""A new match as it is chosen step by step, and the set-up that it stands for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.core.ruling import Seat
from companion.games import find_rulebook
from companion.match.rulebook import Setup
from ui.presenters.draft import seats_of
from ui.presenters.view import SetupDraft

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.ruling import Json


def choose(draft: SetupDraft, name: str, value: Any) -> SetupDraft:
    """A new match's draft with one choice made: box, variants, seat.CODE, option.NAME."""
    kind, _, rest = name.partition(".")
    if kind == "seat":
        return draft.with_seat(rest, str(value).strip())
    if kind == "option":
        return draft.with_option(rest, value)
    if kind == "variants":
        return _in_variants(draft, tuple(str(value).split()))
    return SetupDraft(box=str(value))


def _in_variants(draft: SetupDraft, variants: tuple[str, ...]) -> SetupDraft:
    """Another game of the box: house rules that it does not have go, names at seats may return."""
    switches = find_rulebook(draft.box).in_variants(variants).switches
    kept = tuple(option for option in draft.options if option[0] in switches)
    return replace(draft, variants=variants, options=kept)


def draft_of(setup: Setup) -> SetupDraft:
    """What was chosen for a match, to be changed and begun anew."""
    seats = tuple((str(seat), player) for seat, player in setup.seats.items())
    return SetupDraft(setup.box, setup.variants, seats, tuple(setup.options.items()))


def setup_of(draft: SetupDraft, figures: Mapping[str, Json] | None = None) -> Setup:
    """The set-up a draft stands for: of the names those whose seats this game has.

    `figures` are what this table has read off its own copy of the box.
    """
    box = find_rulebook(draft.box)
    variants = box.usual(draft.variants)
    rulebook = box.in_variants(variants).seated(dict(draft.options))
    taken = seats_of(draft.box, variants, draft.options)
    seats = [seat for seat in taken if seat not in rulebook.held_by]
    players = {Seat(seat): player for seat, player in draft.seats if seat in seats}
    return Setup(draft.box, variants, players, dict(draft.options), dict(figures or {}))
