"""A piece between the outermost space and the rim: every box tells both, and looks up neither."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.offers import RIM, Offer, PictureState, Seen, SeenState, Sighting, Stamp
from companion.games import RULEBOOKS, find_rulebook
from companion.match.match import Match
from companion.match.rulebook import Setup

STAMP = Stamp("tests", "2026-11-21T20:00:00Z", 0.0)


def with_pieces(box: str) -> Match[Any]:
    """A match far enough for pieces to lie on the table."""
    book = find_rulebook(box)
    bare = Setup(book.box, book.usual(()), demonstration=True)
    seats = book.in_variants(bare.variants)(bare).seats_taken()
    match: Match[Any] = Match.start(
        Setup(bare.box, bare.variants, {seat: str(seat) for seat in seats}, demonstration=True),
        STAMP,
    )
    for _ in range(200):
        if match.position.placement():
            return match
        key, question = next(iter(match.open.items()))
        raw = question.options_now()[0].name
        match.answer(Offer(key, raw, "touch", question.by, question.opened), STAMP)
    raise AssertionError(f"{box}: no piece on the table after 200 answers")


@pytest.mark.parametrize("box", RULEBOOKS)
def test_a_piece_on_the_rim_is_told_with_both_names(box: str) -> None:
    """The rim is no space of the plan: it is a word of the notice and nothing else."""
    match = with_pieces(box)
    plan = match.rulebook.plan
    pieces = match.position.placement()
    spaces = {piece: plan.board_of[pose.space].spaces[0].name for piece, pose in pieces.items()}
    seen = {piece: Seen(SeenState.UNSURE, None, (name, RIM)) for piece, name in spaces.items()}
    sighting = Sighting(1.0, 1, PictureState.SETTLED, seen)
    told = [notice.text for notice in match.rulebook.compare(sighting)]
    assert told
    names = {name.replace("-", " ") for name in spaces.values()}
    assert any(RIM in text and name in text.replace("-", " ") for text in told for name in names)
    assert not sighting.off_board
