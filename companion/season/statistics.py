"""Who and what won how often, by player, seat, side, mode, house rule and box; players' ratings.

Everything is counted from the list of matches, not from logs: matches that people played and that
have ended. Demonstrations and simulated matches never reach this module.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.errors import BadCall
from companion.core.files import written
from companion.core.ruling import Seat
from companion.games import find_rulebook
from companion.season.shares import Share

if TYPE_CHECKING:
    from companion.match.rulebook import Rulebook
    from companion.record.listing import PlayedMatch
    from companion.record.players import Players


class CountedBy(StrEnum):
    """What a row of the statistics is about."""

    PLAYER = "player"
    SEAT = "seat"
    SIDE = "side"
    MODE = "mode"
    RULE = "rule"
    BOX = "box"


class _About(NamedTuple):
    """By which matches are counted together; of players the box is empty."""

    by: CountedBy
    box: str
    name: str


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong a player is, by Plackett and Luce's model of results (openskill).

    `mu` begins at 25; the true strength lies within `sigma` of it as often as not to a standard
    deviation. Who has played little has a wide one.
    """

    mu: float
    sigma: float


@dataclass(slots=True)
class Counted:
    """A row: how many matches, how many of them won and drawn, and a player's rating.

    Of a box `won` counts the matches that anybody won.
    """

    by: CountedBy
    box: str
    name: str
    matches: int = 0
    won: int = 0
    drawn: int = 0
    rating: Rating | None = None

    @property
    def share(self) -> Share:
        """How often it won; a draw is no win."""
        return Share(self.matches, self.won)

    def to_json(self) -> dict[str, object]:
        """Every figure by name; `rating` and `rating_sigma` are None where there is none."""
        rating = self.rating
        return {
            "by": self.by.value,
            "box": self.box,
            "name": self.name,
            "matches": self.matches,
            "won": self.won,
            "drawn": self.drawn,
            "share": round(self.share.share, 4),
            "low": round(self.share.low, 4),
            "high": round(self.share.high, 4),
            "rating": None if rating is None else round(rating.mu, 2),
            "rating_sigma": None if rating is None else round(rating.sigma, 2),
        }


@dataclass(frozen=True, slots=True)
class _Sides:
    """Who sat at which side of a match, by what they are called now."""

    sides: tuple[str, ...]
    side_of: Mapping[str, str]
    """Of each seat that somebody took."""
    people: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """Of each side at which somebody is named."""

    @property
    def everybody(self) -> frozenset[str]:
        return frozenset(name for names in self.people.values() for name in names)


def count_matches(
    played: Iterable[PlayedMatch], players: Players, who: Sequence[str] = ()
) -> Sequence[Counted]:
    """All rows, by what they are about, then by how many matches they tell of.

    `who`: only matches in which each of these people sat. Matches come in the order of play.
    """
    wanted = {players.of(name) for name in who}
    counted: dict[_About, Counted] = {}
    seated: list[tuple[PlayedMatch, _Sides]] = []
    for match in played:
        sides = _seated(match, players)
        if not wanted <= sides.everybody:
            continue
        seated.append((match, sides))
        for about, has_won in _told_of(match, sides):
            row = counted.setdefault(about, Counted(*about))
            row.matches += 1
            row.won += has_won
            row.drawn += not match.winners
    for name, rating in _ratings(seated).items():
        counted[_About(CountedBy.PLAYER, "", name)].rating = rating
    order = list(CountedBy)
    return sorted(counted.values(), key=lambda r: (order.index(r.by), r.box, -r.matches, r.name))


def _told_of(match: PlayedMatch, sides: _Sides) -> Iterator[tuple[_About, bool]]:
    """All that one match counts for, and whether that won."""
    box, winners = match.box, match.winners
    mode = "+".join(match.variants)
    for name in sides.everybody:
        won = any(name in sides.people.get(side, ()) for side in winners)
        yield _About(CountedBy.PLAYER, "", name), won
    for seat, side in sides.side_of.items():
        yield _About(CountedBy.SEAT, box, seat), side in winners
    for side in sides.sides:
        won = side in winners
        yield _About(CountedBy.SIDE, box, side), won
        yield _About(CountedBy.MODE, box, f"{mode}: {side}"), won
        for rule, value in match.options.items():
            yield _About(CountedBy.RULE, box, f"{rule}={value}: {side}"), won
    yield _About(CountedBy.BOX, box, box), bool(winners)


def _seated(match: PlayedMatch, players: Players) -> _Sides:
    rules = _rules_of(match.box, match.variants, written({**match.options}))
    if rules is None:  # a box that is not here any more: all that is known are its seats
        side_of = {str(seat): str(seat) for seat in match.seats}
        return _Sides(tuple(side_of), side_of)
    seats = match.seats or dict.fromkeys(rules.seats, "")
    side_of = {
        str(seat): str(rules.side_of.get(seat, seat)) for seat in seats if seat in rules.seats
    }
    people: dict[str, set[str]] = {}
    for seat, text in match.seats.items():
        name = rules.person(text)
        if name and str(seat) in side_of:
            people.setdefault(side_of[str(seat)], set()).add(players.of(name))
    sides = tuple(str(side) for side in rules.sides if not _is_away(side, rules, side_of))
    return _Sides(sides, side_of, {side: frozenset(names) for side, names in people.items()})


def _is_away(side: Seat, rules: type[Rulebook[Any]], side_of: Mapping[str, str]) -> bool:
    """Whether nobody played at a side that is a seat by itself, as in a game of two of four."""
    return side in rules.seats and str(side) not in side_of.values()


@lru_cache(maxsize=256)
def _rules_of(box: str, variants: tuple[str, ...], options: str) -> type[Rulebook[Any]] | None:
    """The rules of a mode with its house rules (JSON); None where this program has none such."""
    import json

    try:
        return find_rulebook(box).in_variants(variants).seated(json.loads(options))
    except BadCall:
        return None


def _ratings(played: Sequence[tuple[PlayedMatch, _Sides]]) -> Mapping[str, Rating]:
    """The rating of everybody who played against somebody with a name, after the last match.

    A side is a team of those who are named at it; who sat on both sides of a match is not rated
    by it.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    known: dict[str, Any] = {}
    for match, sides in played:
        teams = [(side, sorted(names)) for side, names in sides.people.items()]
        if len(teams) < 2 or not _apart([names for _, names in teams]):
            continue
        before = [[known.get(name) or model.rating() for name in names] for _, names in teams]
        ranks = [1.0 if side in match.winners or not match.winners else 2.0 for side, _ in teams]
        after = model.rate(before, ranks=ranks)
        for (_, names), rated in zip(teams, after, strict=True):
            known.update(zip(names, rated, strict=True))
    return {name: Rating(rated.mu, rated.sigma) for name, rated in known.items()}


def _apart(teams: Sequence[Collection[str]]) -> bool:
    return len({name for team in teams for name in team}) == sum(map(len, teams))
