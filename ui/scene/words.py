"""Names and words for seats, teams, pieces and tokens, and the colours they are drawn in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from companion.core.board import BoardPlan, Look, Piece, Token
from companion.core.errors import RecordReadOnly
from companion.core.offers import Seen, SeenState, Sighting
from companion.core.ruling import TABLE, Json, Seat
from ui.scene.values import Line, Mark, Side

if TYPE_CHECKING:
    from companion.core.errors import RecordError
    from companion.match.rulebook import Rulebook
    from ui.table.lesson import LooksState
    from vision.looks.look import TaughtLook
    from vision.looks.taught import LookReading

# Names and colours of one match.


@dataclass(frozen=True)
class Names:
    """The names of one match: seats as the book calls them, players as they call themselves."""

    seats: Mapping[Seat, str]
    sides: tuple[Seat, ...]
    side_of: Mapping[Seat, Seat] = field(default_factory=dict[Seat, Seat])
    looks: Mapping[str, Look] = field(default_factory=dict[str, Look])
    players: Mapping[Seat, str] = field(default_factory=dict[Seat, str])

    @classmethod
    def of(cls, rulebook: Rulebook[Any] | type[Rulebook[Any]], seated: Mapping[Seat, str]) -> Names:
        """The names of a rulebook's seats, with who sits there as a set-up has it."""
        players = {seat: rulebook.person(text) for seat, text in seated.items()}
        for seat, first in rulebook.held_by.items():
            if first in players:
                players[seat] = players[first]
        taken = () if isinstance(rulebook, type) else rulebook.sides_taken()
        sides = taken or tuple(rulebook.sides)  # a box may have seats for more than play
        return cls(rulebook.seats, sides, rulebook.side_of, rulebook.looks, players)

    def side(self, seat: Seat) -> Side | None:
        """The team (or the seat itself where there are no teams) in its colours; None: the table.

        >>> paws, gunner = Seat("Paws"), Seat("PG")
        >>> names = Names({gunner: "Paws Gunner"}, (paws,), {gunner: paws}, {paws: Look(1, "paw")})
        >>> names.side(gunner), names.side(TABLE)
        (Side(name='Paws', tint=Look(colour=1, sign='paw', letter='')), None)
        """
        if seat == TABLE:
            return None
        side = self.side_of.get(seat, seat)
        look = self.looks.get(side) or Look(letter=str(side)[:1].upper())
        return Side(self.label(side), look)

    def label(self, seat: Seat) -> str:
        """What the book calls a seat: "Paws Gunner"; a team by its name."""
        return "Table" if seat == TABLE else self.seats.get(seat, str(seat))

    def player(self, seat: Seat) -> str:
        """Who sits there, else what the book calls the seat."""
        return self.players.get(seat) or self.label(seat)

    def called(self, seat: Seat) -> str:
        """By what the book has a seat do; by name where it only counts its players.

        >>> seats = {Seat("A"): "Player A", Seat("PG"): "Paws Gunner"}
        >>> names = Names(seats, (), players={Seat("A"): "Ana", Seat("PG"): "Dan"})
        >>> names.called(Seat("A")), names.called(Seat("PG"))
        ('Ana', 'Paws Gunner')
        """
        label = self.label(seat)
        return self.player(seat) if label == f"Player {seat}" else label

    def in_full(self, headline: str, seat: Seat) -> str:
        """A headline with the player's name for the seat's code before it.

        >>> Names({}, (), players={Seat("PG"): "Dan"}).in_full("PG: count the deck", Seat("PG"))
        'Dan: count the deck'
        """
        code = f"{seat}: "
        named = headline.startswith(code) and seat in {**self.seats, **self.players}
        return f"{self.player(seat)}: {headline.removeprefix(code)}" if named else headline

    def without(self, words: str, seat: Seat) -> str:
        """What is asked of somebody who is named beside it: "Dan: count the deck" less the name.

        >>> Names({}, (), players={Seat("PG"): "Dan"}).without("Dan: count the deck", Seat("PG"))
        'Count the deck'
        """
        words = self.after(words, seat)
        return words[:1].upper() + words[1:]

    def after(self, words: str, seat: Seat) -> str:
        """The same as it stands after a name: "count the deck"."""
        for name in (str(seat), self.label(seat), self.player(seat)):
            words = words.removeprefix(f"{name}: ")
        return words

    def victory(self, side: Seat) -> str:
        """Who won, in words: a player by name, a team by its own.

        >>> names = Names({Seat("A"): "Player A"}, (), players={Seat("A"): "Ana"})
        >>> names.victory(Seat("A")), names.victory(Seat("Paws"))
        ('Ana wins', 'Paws win')
        """
        return f"{self.player(side)} wins" if side in self.seats else f"{self.label(side)} win"

    def role(self, seat: Seat) -> str:
        """The seat without its team's name: "Gunner"."""
        side, label = self.side(seat), self.label(seat)
        return label.removeprefix(side.name).strip() if side is not None else label

    def crew(self, team: Seat) -> tuple[Seat, ...]:
        """The seats of a side, in the book's order."""
        return tuple(seat for seat in self.seats if self.side_of.get(seat, seat) == team)


MOST_CAPITALS = 16
"""So many letters in capitals of 10 mm stand on one line of a band."""


TITLES = {
    "allow_two_players": "Two players",
    "double_ko": "All shot down at once",
    "lots": "Who begins",
    "lr_frame": "Left and right",
    "sight": "What the camera saw",
    "sun_order": "Two Sun cards",
}
"""House rules whose name on a command line says too little on a screen."""


def option_in_words(name: str) -> str:
    """A house rule's name as people read it, without the unit of its values.

    >>> option_in_words("shot_damage"), option_in_words("timer_s")
    ('Shot damage', 'Timer')
    """
    plain = name.removesuffix("_s").removesuffix("_ms").replace("_", " ").capitalize()
    return TITLES.get(name, plain)


def option_value_in_words(name: str, value: Json) -> str:
    """A house rule's value as people read it, with its unit.

    >>> option_value_in_words("share_space", False), option_value_in_words("timer_s", 20)
    ('No', '20 s')
    """
    if isinstance(value, bool):
        return "Yes" if value else "No"
    words = str(value).replace("_", " ").capitalize()
    unit = " ms" if name.endswith("_ms") else " s" if name.endswith("_s") else ""
    return words + unit if isinstance(value, int) else words


def with_options_in_words(text: str, names: Iterable[str]) -> str:
    """A text that names house rules as files do, with their names as people read them.

    >>> with_options_in_words("Up to ten (`hand_max`); two with small_table.", ["hand_max"])
    'Up to ten (“Hand max”); two with small_table.'
    """
    coded = [name for name in names if "_" in name]
    if not coded:
        return text
    longest_first = "|".join(map(re.escape, sorted(coded, key=len, reverse=True)))
    named = re.compile(rf"`({longest_first})`|\b({longest_first})\b")
    return named.sub(lambda found: f"“{option_in_words(found[1] or found[2])}”", text)


def capitals(words: str) -> str:
    """In capitals, where they stand on one line so; longer ones take less room as they are.

    >>> capitals("Who begins?"), capitals("Jaws: place the Sun")
    ('WHO BEGINS?', 'Jaws: place the Sun')
    """
    return words.upper() if len(words) <= MOST_CAPITALS else words


# Tokens known by their looks: a line for each.

BY, BY_LOOK = "by look", "By look: weaker than markers"


_GOES_ON = ("on ", "of ", "at ", "in ", "from ", "to ", "for ", "with ", "by ", "(")


def beside(question: str, said: str) -> str:
    """A question in full, less what stands in large letters above it.

    >>> beside("Whose turn is it? Only they may attack.", "Whose turn is it?")
    'Only they may attack.'
    >>> beside("Paws: place the Sun on any zone.", "Paws: place the Sun")
    'On any zone.'
    >>> beside("Place the Sun.", "Place the Sun."), beside("Placed the Sun?", "Place")
    ('', 'Placed the Sun?')
    """
    if question[: len(said)].casefold() != said.casefold():
        return question
    rest = question[len(said) :].lstrip()
    whole = not rest or said.endswith(("?", ".", ":"))
    if not whole and not (rest != question[len(said) :] and rest.startswith(_GOES_ON)):
        return question
    return rest[:1].upper() + rest[1:]


def look_summary(looks: LooksState, pieces: Mapping[Piece, Seen]) -> list[Line]:
    """One line of all taught tokens: how many are read and how like at the least, asked, away."""
    if not looks.taught:
        return []
    if looks.lacks_colour:
        return [Line(BY_LOOK, "no colours here: teach them anew", Mark.WARN)]
    read = {piece: one for piece, one in looks.by_look.items() if is_sure(pieces.get(piece))}
    asked = sum(piece not in read for piece in looks.by_look)
    away = sum(
        piece not in looks.by_look and (piece not in pieces or is_lost(pieces[piece]))
        for piece in looks.taught
    )
    worst = min((one.likeness for one in read.values()), default=0.0)
    told = [f"{len(read)} read, {percent(worst)}+ alike"] if read else ["none is read"]
    told += [f"{asked} asked"] if asked else []
    told += [f"{away} away"] if away else []
    return [Line(BY_LOOK, " · ".join(told), Mark.WARN if asked else Mark.ASK)]


def is_sure(seen: Seen | None) -> bool:
    """Whether a place was read without a doubt."""
    return seen is not None and seen.state is SeenState.SEEN


def is_lost(seen: Seen) -> bool:
    """Whether a token was not found at all."""
    return seen.state is SeenState.LOST


def percent(share: float) -> str:
    """A share as people read it.

    >>> percent(0.914), percent(1.0)
    ('91 %', '100 %')
    """
    return f"{100 * share:.0f} %"


def alike(reading: LookReading) -> str:
    """How like its look a token was: likeness, and no chance of being right."""
    return f"{percent(reading.likeness)} alike"


def measured(reading: LookReading) -> str:
    """How like its look a token was, and how like the next one."""
    return f"{alike(reading)}, next {percent(reading.next_like)}"


def heading_error(seen: Seen | None) -> str:
    """How far its heading may be off, 19 times of 20; empty where its board asks for none."""
    if seen is None or not seen.facings or seen.heading_sd_deg is None:
        return ""
    return f"±{max(1, round(2 * seen.heading_sd_deg))}°"


def token_line(token: Token, plan: BoardPlan, looks: LooksState, seen: Seen | None) -> Line:
    """What is known of one token's look, and what came of looking for it."""
    look, reading = looks.taught.get(token.piece), looks.by_look.get(token.piece)
    right = heading_error(seen)
    if look is None:
        marked = seen is not None and not is_lost(seen)
        told = "has a marker, needs no look" if marked else "not taught yet"
        return Line(token.label, told, Mark.OK if marked else Mark.NONE)
    if not look.is_clear and (reading is None or not is_sure(seen)):
        return Line(token.label, f"too like the {_likest(look, plan)}: asked", Mark.WARN, right)
    if reading is None or (seen is not None and is_lost(seen)):
        marked = seen is not None and not is_lost(seen)
        told = "taught, read by its marker" if marked else "taught, not seen now"
        return Line(token.label, told, Mark.OK)
    if is_sure(seen):
        return Line(token.label, f"taught: {measured(reading)}", Mark.OK, right)
    return Line(token.label, f"asked: {measured(reading)}", Mark.WARN, right)


def _likest(look: TaughtLook, plan: BoardPlan) -> str:
    other = plan.token_of.get(look.likest) if look.likest is not None else None
    return other.label if other is not None else "others"


# Counted tokens: how many lie where.


def counted_lines(plan: BoardPlan, sighting: Sighting, age: str) -> Iterator[Line]:
    """A line for each kind of counted token of which any is seen: trays by name, then the rest."""
    trays = [tray.name for board in plan.boards for tray in board.trays]
    for kind in plan.counters:
        lying = {
            place: count for place, count in sighting.counts.get(kind.name, {}).items() if count
        }
        if not lying:
            continue
        told = [f"{name.partition('.')[0]} {lying[name]}" for name in trays if name in lying]
        aside = sum(count for place, count in lying.items() if place not in trays)
        told += [f"{aside} elsewhere"] if aside else []
        yield Line(f"{kind.label}s", " · ".join(told), Mark.OK, age)


# Ages, as a screen tells them that stands still.

FRESH_S = 2.0
"""What is younger has no age: it is there now."""
_SECONDS, _MINUTE = 10.0, 60.0


def told_age_s(age_s: float) -> float:
    """An age as coarse as it is told: none while fresh, then seconds, tens of them, minutes.

    So a screen on which nothing happens has nothing to draw.

    >>> [told_age_s(age) for age in (0.3, 3.9, 47.0, 200.0)]
    [0.0, 3.0, 40.0, 180.0]
    """
    if age_s < FRESH_S:
        return 0.0
    step = 1.0 if age_s < _SECONDS else _SECONDS if age_s < _MINUTE else _MINUTE
    return age_s // step * step


def age_in_words(age_s: float | None) -> str:
    """How old something is; empty while it is fresh, or where nobody knows.

    >>> age_in_words(0.3), age_in_words(3.9), age_in_words(200.0), age_in_words(None)
    ('', '3 s', '3 min', '')
    """
    told = told_age_s(age_s) if age_s is not None else 0.0
    if not told:
        return ""
    return f"{told:.0f} s" if told < _MINUTE else f"{told / _MINUTE:.0f} min"


# A disk that is full.


def said_of_disk(full: RecordError) -> str:
    """Why nothing is confirmed and what players do: no path, and nothing that only a shell can.

    >>> from companion.core.errors import RecordReadOnly
    >>> said_of_disk(RecordReadOnly("the disk is full", "make room", place="/x/m.sqlite"))
    'The disk is full. Nothing is confirmed; make room.'
    """
    told = full.reason
    if isinstance(full, RecordReadOnly):
        then = f". Nothing is confirmed; {full.way_out}" if full.way_out else ""
        told = f"{full.why}{then}"
    told = told.rstrip(".") + "."
    return told[:1].upper() + told[1:]


def first_names(people: Iterable[str]) -> dict[str, str]:
    """What each is called for short, where a line has little room; nothing where two are alike.

    >>> first_names(["Ana Klein", "Bo"]), first_names(["Ana Klein", "Ana Groß"])
    ({'Ana Klein': 'Ana', 'Bo': 'Bo'}, {})
    """
    short = {name: name.split()[0] for name in people if name.strip()}
    return short if len({*short.values()}) == len(short) else {}
