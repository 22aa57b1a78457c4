"""Who people are: which names of the logs are one player's, and what that player is called.

A log keeps what was typed on the day. What is said of a name later ("A. K." is Anna Klein) is a
row of its own: rows are added, never changed, and whoever reads names asks `Players` what they mean
now. The last word on a name stands. Rows of several tables are one set, so it does not matter in
which order they travel.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from sqlalchemy import Connection, func, insert, select

from companion.core.errors import BadCall
from companion.core.text import plain_name
from companion.games import find_rulebook
from companion.record.lines import UNSEALED, seal
from companion.record.store import listed, once, players, read_once, seated

if TYPE_CHECKING:
    from companion.core.offers import Stamp

LONGEST_NAME = 60

_plain = lru_cache(maxsize=8192)(plain_name)
"""The same names are compared again and again."""


@dataclass(frozen=True, slots=True)
class Naming:
    """That a name is such a player's: who said so, and when (ISO 8601).

    A name that is its own player's stands alone again.
    """

    name: str
    player: str
    at_utc: str = ""
    author: str = ""

    @property
    def key(self) -> str:
        """Its seal: the same words are the same row, at whatever table they were said."""
        return seal(UNSEALED, f"{self.name}\n{self.player}\n{self.at_utc}\n{self.author}")

    @property
    def when(self) -> tuple[str, str]:
        """By which of two words on a name is the later one."""
        return self.at_utc, self.key


@dataclass(frozen=True, slots=True)
class KnownPlayer:
    """One player: how they are called, and every name in the logs that is theirs.

    `seats`: how many seats of matches they took; demonstrations are not counted.
    """

    name: str
    names: tuple[str, ...]
    seats: int


class Players:
    """Whom every name means. It is read at once and does not change; read it anew for news."""

    def __init__(
        self,
        namings: Iterable[Naming] = (),
        seats: Mapping[str, int] | None = None,
        texts: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """`seats`: in how many seats of matches each name stands.

        `texts`: what was typed there, where that is not the name alone: "Ana/Sopwith Camel".
        """
        self._last: dict[str, Naming] = {}
        for naming in sorted(namings, key=lambda one: one.when):
            self._last[_plain(naming.name)] = naming
        self._seats = dict(seats or {})
        self._texts = dict(texts or {})
        self._called: dict[str, str] = {}

    def of(self, name: str) -> str:
        """What the player of that name is called; the name itself where nothing was said of it.

        >>> said = [Naming("A. K.", "Anna", "2026"), Naming("Anna", "Anna Klein", "2027")]
        >>> Players(said).of("a. k."), Players(said).of("Ben")
        ('Anna Klein', 'Ben')
        """
        called = self._called.get(name)
        if called is None:
            called = self._called[name] = self._found(name)
        return called

    def _found(self, name: str) -> str:
        followed: dict[str, Naming] = {}
        plain = _plain(name)
        while (naming := self._last.get(plain)) is not None and plain not in followed:
            followed[plain] = naming
            name, plain = naming.player, _plain(naming.player)
        if plain in followed and len(followed) > 1:  # a circle, as of two tables: its last word
            return max(self._circle(plain), key=lambda one: one.when).player
        return self._spelt.get(plain, name)

    def _circle(self, plain: str) -> Sequence[Naming]:
        circle = [self._last[plain]]
        while _plain(circle[-1].player) != plain:
            circle.append(self._last[_plain(circle[-1].player)])
        return circle

    @cached_property
    def _spelt(self) -> Mapping[str, str]:
        """How each name that only differs in capitals and blanks is written most often."""
        spelt: dict[str, str] = {}
        for name in sorted(self._seats, key=lambda one: (self._seats[one], one)):
            spelt[_plain(name)] = name
        spelt.update({_plain(said.player): said.player for said in self._last.values()})
        return spelt

    @cached_property
    def known(self) -> Sequence[KnownPlayer]:
        """Everybody who sat at a table or of whom something was said, by name."""
        names: dict[str, set[str]] = {}
        seats: dict[str, int] = {}
        for name, count in self._seats.items():
            player = self.of(name)
            names.setdefault(player, set()).add(name)
            seats[player] = seats.get(player, 0) + count
        for naming in self._last.values():
            names.setdefault(self.of(naming.name), set()).add(naming.name)
        order = sorted(names, key=lambda player: (_plain(player), player))
        return [KnownPlayer(one, tuple(sorted(names[one])), seats.get(one, 0)) for one in order]

    def seated_as(self, name: str) -> Sequence[str]:
        """Every text of a seat that may mean the same player."""
        player = self.of(name)
        return [text for one in self._seats if self.of(one) == player for text in self._typed(one)]

    def written_apart(self) -> Sequence[Sequence[str]]:
        """The texts of seats of each player who sat somewhere under more than one name."""
        names: dict[str, list[str]] = {}
        for name in self._seats:
            names.setdefault(self.of(name), []).append(name)
        several = (those for those in names.values() if len(those) > 1)
        return [[text for name in those for text in self._typed(name)] for those in several]

    def _typed(self, name: str) -> Sequence[str]:
        return self._texts.get(name, (name,))

    def find(self, name: str) -> KnownPlayer:
        """The player that a name means; BadCall where nobody has it."""
        player = self.of(name)
        found = [one for one in self.known if one.name == player]
        if not found:
            raise BadCall(f"nobody is called {name!r}; `companion players` lists who is")
        return found[0]


def read_players(database: Connection, *, with_seats: bool = True) -> Players:
    """What was said of names, and which there are.

    Without seats they are counted only where that decides how a name is spelt: of so many rows as
    an index holds, a look at each takes tens of milliseconds.
    """
    names = _persons(database)
    typed = dict.fromkeys(names, 1)
    counted = select(seated.c.name, func.count()).group_by(seated.c.name)
    unsure: Sequence[str] = ()
    if not with_seats:
        spelt = Counter(map(_plain, {*names.values()}))
        unsure = [text for text, name in names.items() if spelt[_plain(name)] > 1]
        counted = counted.where(seated.c.name.in_(unsure))
    if with_seats or unsure:
        typed |= {str(text): int(number) for text, number in database.execute(counted).all()}
    seats: Counter[str] = Counter()
    texts: dict[str, list[str]] = {}
    for text, name in names.items():
        if name:
            seats[name] += typed[text]
            texts.setdefault(name, []).append(text)
    return Players(read_namings(database), seats, texts)


def _persons(database: Connection) -> dict[str, str]:
    """The name in each text of a seat: in some boxes "Ana/Camel" is Ana and what she brings.

    One match says which box such a text is of: a look at all takes hundreds of milliseconds.
    """
    names = {text: text for text in read_once(database, seated.c.name)}
    if not any("/" in text for text in names):
        return names
    texts = once(seated.c.name)
    sat = select(listed.c.box).join(seated, listed.c.match_id == seated.c.match_id)
    box = sat.where(seated.c.name == texts.c.text).limit(1).scalar_subquery()
    with_more = select(texts.c.text, box).where(texts.c.text.contains("/"))
    for text, at_box in database.execute(with_more).all():
        names[str(text)] = _reading(str(at_box))(str(text))
    return names


@lru_cache(maxsize=64)
def _reading(box: str) -> Callable[[str], str]:
    """How a box reads the name at a seat; all of it where this program does not know the box."""
    try:
        return find_rulebook(box).person
    except BadCall:
        return str


def read_namings(database: Connection) -> Sequence[Naming]:
    """All that was said of names, in the order in which it counts; a damaged row says nothing."""
    columns = (players.c.key, players.c.name, players.c.player, players.c.at_utc, players.c.author)
    read = ((key, Naming(*said)) for key, *said in database.execute(select(*columns)).all())
    return sorted((one for key, one in read if one.key == key), key=lambda one: one.when)


def add_namings(database: Connection, namings: Iterable[Naming]) -> Sequence[Naming]:
    """Write what was said of names and is not there yet; those that were new."""
    wanted = {naming.key: naming for naming in namings}
    there = set(database.execute(select(players.c.key).where(players.c.key.in_(wanted))).scalars())
    new = [naming for key, naming in wanted.items() if key not in there]
    if new:
        rows = [
            {"key": one.key, "name": one.name, "player": one.player,
             "at_utc": one.at_utc, "author": one.author}
            for one in new
        ]  # fmt: skip
        database.execute(insert(players), rows)
    return new


def namings_of(names: Sequence[str], player: str, stamp: Stamp) -> Sequence[Naming]:
    """That each of these names is that player's; BadCall where one is no name."""
    checked = [_checked(name) for name in (*names, player)]
    return [Naming(name, checked[-1], stamp.at_utc, stamp.author) for name in checked[:-1]]


def _checked(name: str) -> str:
    text = " ".join(name.split())
    if not text or len(text) > LONGEST_NAME or not text.isprintable():
        raise BadCall(f"a player's name has 1 to {LONGEST_NAME} letters, not {name!r}")
    return text
