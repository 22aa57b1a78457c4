"""A table confirms the assumed figures, or reads others off its own copy.  (DF-2.2, RULING 1)"""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import BadFile
from companion.games.dogfight_1917.figures import ASSUMED, FiguresOf1917, read_figures

OWN = FiguresOf1917()


def test_every_assumed_figure_is_listed_and_waits_to_be_confirmed() -> None:
    """The first match at a table asks for each of them: label, value as read, and where from."""
    listed = OWN.listed({})
    assert [figure.name for figure in listed] == list(ASSUMED)
    assert not any(figure.confirmed for figure in listed)
    by_name = {figure.name: figure for figure in listed}
    assert by_name["board.radius"].text == "4"
    assert (by_name["board.radius"].low, by_name["board.radius"].high) == (2, 9)
    assert by_name["battle_royale.tokens"].text == "0, 1, 2, 3"
    assert "RULING 35" in str(by_name["battle_royale.tokens"].cite)


def test_a_figure_that_was_read_is_confirmed_by_that_and_rules() -> None:
    """Correcting one leaves the others as assumed as they were."""
    own = OWN.changed({}, "basic_attack.difficulty_range_1", 3)
    figures = read_figures(own)
    assert figures.difficulty[1] == 3
    assert figures.confirmed == {"basic_attack.difficulty_range_1"}


def test_confirmed_figures_keep_their_values_under_the_tables_own_name() -> None:
    """What is stored says which set it is, and that nothing in it is assumed any more."""
    own = OWN.confirmed(OWN.changed({}, "lewis_guns.range", [1, 2]), "club table")
    figures = read_figures(own)
    assert figures.name == "club table"
    assert figures.lewis_range == (1, 2)
    assert figures.confirmed == set(ASSUMED)
    assert all(figure.confirmed for figure in OWN.listed(own))


@pytest.mark.parametrize(
    ("name", "value", "place"),
    [
        ("board.radius", 1, "board.radius"),
        ("board.radius", "wide", "board.radius"),
        ("board.one_token", [[9, 9]], "board.one_token"),
        ("team_map.A", "SE", "team_map"),
        ("lewis_guns.range", [3, 1], "lewis_guns.range"),
        ("speed", 3, "speed"),
    ],
)
def test_a_figure_that_cannot_be_is_refused_by_its_place(name: str, value: Any, place: str) -> None:
    """Nothing is changed, and the message names the place in the file."""
    with pytest.raises(BadFile) as refused:
        OWN.changed({}, name, value)
    assert refused.value.place.startswith(place)


def test_the_record_says_which_figures_ruled(new_table: Any) -> None:
    """The first ruling names the set, and how much of it nobody has confirmed."""
    assert new_table().rulings[0].text == (
        "No cards or figures come from your box: this match uses assumed ones. 15 of 15 figures "
        "still have to be checked with the box: in the app by “Check the box”, or with "
        "`confirmed` in a file for --data."
    )
    own = OWN.confirmed({}, "club table")
    assert new_table(cards=own).rulings[0].text == (
        'Cards and figures are those of the file "club table".'
    )
