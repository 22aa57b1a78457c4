"""The printed cards as data: what each face does, and which cards lie in whose deck.  (JP-1.6)

`cards.toml` holds the assumed table; a table's own file replaces it. Every face is accepted from
either role: the list is for bots and for warnings, never for guessing what somebody holds.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from companion.core.errors import BadFile
from companion.core.files import read_model
from companion.core.ruling import Seat
from companion.games.jaws_and_paws.boards import ALL_PLAYERS, ROLE_OF

if TYPE_CHECKING:
    from companion.core.ruling import Json

MOST_CARDS = 100
"""Of one player; far more than any table has."""

CARDS_FILE = Path(__file__).with_name("cards.toml")


class Family(StrEnum):
    """The three families of cards, and what a section without a card shows."""

    PLANE = "Move Plane"
    SUN = "Move Sun"
    SHOOT = "Shoot"
    NONE = "no card"


WAYS: Mapping[str, str] = {"L": "Left", "R": "Right", "C": "Corner", "V": "View", "T": "Team"}
OWN, ENEMY = "own", "enemy"


@dataclass(frozen=True, slots=True)
class CardFace:
    """What a revealed card says: its name as answered, the card it is, and what it does.

    `move` is the letter of the movement (WAYS), `target` own or enemy (planes), `zone` the letters
    a shot names, `damage` that of this card (None: as the match has it). `unclear`: a card of two
    halves that lies exactly sideways. `half_missing`: no half was named where the card has two.
    """

    name: str
    card: str
    family: Family
    move: str = ""
    target: str = ""
    zone: str = ""
    damage: int | None = None
    unclear: bool = False
    half_missing: bool = False

    @property
    def title(self) -> str:
        """What the card is called in a sentence."""
        match self.family:
            case Family.NONE:
                return "no card"
            case Family.SHOOT:
                return f"Shoot {self.zone}"
            case _:
                return f"{self.family} {WAYS[self.move]}"


NO_CARD = CardFace("none", "", Family.NONE)


@dataclass(frozen=True, slots=True)
class CardTable:
    """All cards of one table.

    `faces` maps every name a revealed card may be given by to what it says; `halves` each card to
    its readable faces (two where the way up matters); `decks` each player's cards to how many,
    those of further boxes included. A solo player draws up to `solo_hand_size` with each hand; the
    Moon grants `moon_draw` cards and shows `moon_look`.
    """

    faces: Mapping[str, CardFace]
    halves: Mapping[str, tuple[str, ...]]
    decks: Mapping[Seat, Mapping[str, int]]
    confirmed: bool
    deck_size: int
    hand_size: int
    solo_hand_size: int
    moon_draw: int
    moon_look: int


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    kind: Annotated[str, Field(min_length=1, max_length=20)]
    count: Annotated[int, Field(ge=1, le=MOST_CARDS)]
    damage: Annotated[int, Field(ge=0, le=MOST_CARDS)] | None = None
    top: str | None = None
    bottom: str | None = None


_DECKS = ("pilot", "gunner", *ALL_PLAYERS)


def _deck_name(name: str) -> str:
    if name not in _DECKS:
        raise ValueError(f"{name!r} is no deck; there are {', '.join(_DECKS)}")
    return name


class _CardFile(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    composition_confirmed: bool = False
    deck_size: Annotated[int, Field(ge=1, le=MOST_CARDS)] = 30
    hand_size: Annotated[int, Field(ge=1, le=MOST_CARDS)] = 4
    solo_hand_size: Annotated[int, Field(ge=1, le=MOST_CARDS)] = 3
    moon_draw: Annotated[int, Field(ge=0, le=MOST_CARDS)] = 2
    moon_look: Annotated[int, Field(ge=1, le=MOST_CARDS)] = 9
    decks: dict[Annotated[str, AfterValidator(_deck_name)], list[_Line]] = {}

    def list_of(self, player: Seat) -> str:
        """The name of a player's list: an own one, else that of the role."""
        return player if player in self.decks else ROLE_OF[player].lower()


@cache
def printed_cards() -> CardTable:
    """The assumed table that ships with the box.

    >>> sum(printed_cards().decks[Seat("JP")].values())
    30
    """
    return _table(_parsed(tomllib.loads(CARDS_FILE.read_text("utf-8")), CARDS_FILE.name), "cards")


def read_cards(raw: Mapping[str, Json], source: str = "cards") -> CardTable:
    """A table's own cards over the assumed ones; BadFile names the place and what is allowed."""
    if not raw:
        return printed_cards()
    given = _parsed(raw, source)
    assumed = _parsed(tomllib.loads(CARDS_FILE.read_text("utf-8")), CARDS_FILE.name)
    given.decks = {**assumed.decks, **given.decks}
    return _table(given, source)


def _parsed(raw: Mapping[str, Json], source: str) -> _CardFile:
    return read_model(_CardFile, dict(raw), source)


def _table(file: _CardFile, source: str) -> CardTable:
    _refuse_hands(file, source)
    lists = {player: file.list_of(player) for player in ALL_PLAYERS}
    drawer = _Drawer(source)
    for name in dict.fromkeys(lists.values()):
        for number, line in enumerate(file.decks[name]):
            drawer.define(f"decks.{name}.{number}", line)
    drawer.name_damages()
    decks = {
        player: drawer.deck(f"decks.{name}", file.decks[name], file.deck_size)
        for player, name in lists.items()
    }
    drawer.add_unreadable()
    faces = {**drawer.faces, NO_CARD.name: NO_CARD}
    return CardTable(
        faces=faces,
        halves=drawer.halves,
        decks=decks,
        confirmed=file.composition_confirmed,
        deck_size=file.deck_size,
        hand_size=file.hand_size,
        solo_hand_size=file.solo_hand_size,
        moon_draw=file.moon_draw,
        moon_look=file.moon_look,
    )


def _refuse_hands(file: _CardFile, source: str) -> None:
    """Nobody can draw a starting hand from fewer cards.  (JP-3.6, JP-17.2)"""
    for name, hand in (("hand_size", file.hand_size), ("solo_hand_size", file.solo_hand_size)):
        if hand > file.deck_size:
            text = f"{hand} are drawn at the start; a deck has {file.deck_size} [JP-3.6]"
            raise BadFile(source, name, text)


# -- what the names of cards mean ----------------------------------------------------------------

_PLANE = re.compile(r"MP([LRCV]) (own|enemy)")
_SUN = re.compile(r"MS([LRVT])")
_SHOOT = re.compile(r"SH ([PG][LCR])")


def _standard_names() -> Iterator[str]:
    for target in (OWN, ENEMY):
        yield from (f"MP{move} {target}" for move in "LCVR")
    yield from (f"MS{move}" for move in "LTVR")
    yield from (f"SH {board}{column}" for board in "PG" for column in "LCR")


def _standard_face(name: str) -> CardFace:
    """The face that a standard name stands for; KeyError if it is none."""
    if plane := _PLANE.fullmatch(name):
        card = name.split(maxsplit=1)[0]
        return CardFace(name, card, Family.PLANE, move=plane[1], target=plane[2])
    if sun := _SUN.fullmatch(name):
        return CardFace(name, name, Family.SUN, move=sun[1])
    if shoot := _SHOOT.fullmatch(name):
        return CardFace(name, name, Family.SHOOT, zone=shoot[1])
    raise KeyError(name)


def _standard_halves() -> dict[str, tuple[str, ...]]:
    halves: dict[str, tuple[str, ...]] = {}
    for name in _standard_names():
        card = _standard_face(name).card
        halves[card] = (*halves.get(card, ()), name)
    return halves


class _Drawer:
    """Collects faces and halves while the lines of the decks are read."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.faces = {name: _standard_face(name) for name in _standard_names()}
        self.halves = _standard_halves()
        self._given: dict[str, tuple[str | None, str | None]] = {}
        self._damages: dict[str, set[int | None]] = {}

    def define(self, place: str, line: _Line) -> None:
        """Take what a line says of a kind: its own halves, or the damage of a shot."""
        if line.top is not None or line.bottom is not None:
            self._define_halves(place, line)
        elif line.kind.startswith("SH "):
            self._damages.setdefault(line.kind, set()).add(line.damage)
        elif line.damage is not None:
            text = f"{line.kind!r} has none; only Shoot cards have a damage [JP-14.2]"
            raise BadFile(self.source, f"{place}.damage", text)

    def _define_halves(self, place: str, line: _Line) -> None:
        """Halves given once hold for that kind in every deck; named by target, else by place."""
        pair = (line.top, line.bottom)
        if self._given.setdefault(line.kind, pair) != pair:
            text = f"{line.kind!r} has two different pairs of halves; give it one"
            raise BadFile(self.source, place, text)
        named = zip(("top", "bottom"), pair, strict=True)
        effects = [self._effect(text, f"{place}.{half}") for half, text in named]
        targets = [effect.target for effect in effects]
        words = targets if set(targets) == {OWN, ENEMY} else ["top", "bottom"]
        for name in self.halves.get(line.kind, ()):
            self.faces.pop(name, None)
        names = tuple(f"{line.kind} {word}" for word in words)
        for name, effect in zip(names, effects, strict=True):
            self.faces[name] = replace(effect, name=name, card=line.kind, damage=line.damage)
        self.halves[line.kind] = names

    def _effect(self, text: str | None, place: str) -> CardFace:
        try:
            return _standard_face(text or "")
        except KeyError:
            allowed = ", ".join(_standard_names())
            told = "is required" if text is None else f"{text!r} is no half"
            raise BadFile(self.source, place, f"{told}; there are {allowed}") from None

    def name_damages(self) -> None:
        """A zone whose shots differ in damage has a name for each; else the plain one serves."""
        for kind, damages in self._damages.items():
            if kind not in self.halves:
                continue
            named = damages if len(damages) == 1 else damages - {None}
            for damage in named:
                name = kind if len(damages) == 1 else f"{kind} {damage}"
                self.faces[name] = replace(self.faces[kind], name=name, card=name, damage=damage)
                self.halves[name] = (name,)

    def deck(self, place: str, lines: list[_Line], size: int) -> dict[str, int]:
        """One player's cards and how many of each; BadFile where they do not add up."""
        deck: dict[str, int] = {}
        for number, line in enumerate(lines):
            card = self._card(f"{place}.{number}.kind", line)
            deck[card] = deck.get(card, 0) + line.count
        if sum(deck.values()) != size:
            text = f"holds {sum(deck.values())} cards; a deck has {size} [JP-1.4]"
            raise BadFile(self.source, place, text)
        return deck

    def _card(self, place: str, line: _Line) -> str:
        several = len(self._damages.get(line.kind, ())) > 1
        card = f"{line.kind} {line.damage}" if several and line.damage is not None else line.kind
        if card not in self.halves:
            known = ", ".join(self.halves)
            text = f"{line.kind!r} is none of {known}, and has no two halves"
            raise BadFile(self.source, place, text)
        return card

    def add_unreadable(self) -> None:
        """Names for a card of two halves that lies sideways, or whose half was not named."""
        for card, names in self.halves.items():
            if len(names) > 1:
                first = self.faces[names[0]]
                sideways = f"{card} unclear"
                self.faces[sideways] = replace(first, name=sideways, target="", unclear=True)
                self.faces[card] = replace(first, name=card, target="", half_missing=True)
