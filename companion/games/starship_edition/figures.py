"""One table's figures and catalogue, read from files: vessels, map, decks and cards.  (RULING 3)

`table.toml` ships; a table's own file goes over it part by part (`laid_over`). BadFile names the
place, what stands there and what may; what could never do anything is refused at loading.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast, get_args

from pydantic import Field

from companion.core.errors import BadFile
from companion.core.files import read_model
from companion.core.text import listed
from companion.games.starship_edition import cards
from companion.games.starship_edition.boards import (
    MapPart,
    Square,
    judge_layouts,
    judge_squares,
    star_map,
)
from companion.games.starship_edition.cards import (
    ATTACK_WINDOWS,
    FORM_WINDOWS,
    MOST,
    RESERVED,
    UNKNOWN,
    Ability,
    Card,
    CounterKind,
    FilePart,
    Filter,
    VesselKind,
    Word,
    every,
)
from companion.games.starship_edition.seats import OPENING_HAND
from companion.kit.figures import OwnTable, confirmed_names, merged, read_once

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.starship_edition.boards import StarMap
    from companion.games.starship_edition.cards import BaseOperation, Payment


# Misfits: what reads well and yet could never do anything, refused at loading.

LATE = frozenset({"discard_phase", "end_of_turn"})
"""Moments after which no tier of the turn is resolved any more."""
OF_ATTACKS = ("target", "attacker")
"""Vessels that there are only while an attack is under way."""
NO_CARD = "no card acts here that could be equipped"


@dataclass(frozen=True, slots=True)
class Acting:
    """When operations are carried out (`windows`), by a card or not, and whether it is equipped."""

    windows: frozenset[str]
    by_card: bool = False
    equipped: bool = False

    @property
    def in_attack(self) -> bool:
        """Whether an attack may be under way."""
        return not self.windows.isdisjoint(ATTACK_WINDOWS)

    @property
    def is_late(self) -> bool:
        """Whether all tiers are always resolved by then."""
        return self.windows <= LATE


def judge_misfits(file: TableFile, source: str) -> None:
    """Cards, abilities and counters of which a part could never do anything; BadFile names it."""
    for name, card in file.cards.items():
        _judge_card(file, card, f"cards.{name}", source)
    for name, ability in file.abilities.items():
        _judge_ability(file, ability, f"abilities.{name}", source)
    for name, kind in file.counters.items():
        _judge_counters(file, kind, f"counters.{name}", source)


# -- cards ---------------------------------------------------------------------------------


def _judge_card(file: TableFile, card: Card, place: str, source: str) -> None:
    there = FORM_WINDOWS[card.form]
    for number, window in enumerate(card.windows):
        if window not in there:
            text = f"a {card.form} card is never used at {window!r}; there are {', '.join(there)}"
            raise BadFile(source, f"{place}.windows.{number}", text)
    if not card.is_equipped:
        _refuse_gear_words(card, place, source)
    acting = Acting(frozenset(card.used_at), by_card=True, equipped=card.is_equipped)
    _judge_duration(card, acting, place, source)
    if card.grants_extra_tier and acting.is_late:
        raise BadFile(source, f"{place}.grants_extra_tier", _too_late(acting))
    _judge_permit(file, card.permits_secondary, place, source)
    if card.permits_secondary is not None and not card.is_set and not card.is_equipped:
        text = f"a {card.form} card lies in no tier and on no vessel: it permits nothing there"
        raise BadFile(source, f"{place}.permits_secondary", f"{text}; {_HOW_TO_EQUIP}")
    _judge_payments(file, card.cost, f"{place}.cost", source, equipped=False)
    _judge_payments(file, card.upkeep, f"{place}.upkeep", source, equipped=True)
    _judge_steps(file, card.effects, acting, f"{place}.effects", source)
    bonus = Acting(frozenset({"discard_phase"}), equipped=True)
    _judge_steps(file, card.discard_bonus, bonus, f"{place}.discard_bonus", source)


_HOW_TO_EQUIP = 'form = "gear" or an effect { op = "equip" } equips it'


def _refuse_gear_words(card: Card, place: str, source: str) -> None:
    """Words about equipped cards on one that never is."""
    words = [name for name in ("upkeep", "discard_bonus") if getattr(card, name)]
    words += ["unique_on_vessel"] if not card.unique_on_vessel else []
    words += ["duration"] if card.duration == "while_equipped" else []
    for word in words:
        raise BadFile(source, f"{place}.{word}", f"this card is never equipped; {_HOW_TO_EQUIP}")


def _judge_duration(card: Card | Ability, acting: Acting, place: str, source: str) -> None:
    """A time that is said must be the time of something, and must come to pass."""
    if "duration" not in card.model_fields_set or card.duration == "instant":
        return
    if card.duration == "while_equipped" and acting.equipped:
        return  # it may say so of itself, whatever it does
    _judge_time(card.duration, acting, f"{place}.duration", source)
    changes = (step for _, step in every(card.effects) if isinstance(step, cards.Modify))
    if all(step.duration is not None for step in changes):
        text = 'nothing here lasts: only { op = "modify" } without a duration of its own does'
        raise BadFile(source, f"{place}.duration", f"{text}; leave it out")


def _judge_time(duration: str, acting: Acting, place: str, source: str) -> None:
    allowed = [word for word in get_args(cards.Duration) if _comes_to_pass(word, acting)]
    if duration not in allowed:
        text = f"{duration!r} never comes to pass here; there are {', '.join(allowed)}"
        raise BadFile(source, place, text)


def _comes_to_pass(duration: str, acting: Acting) -> bool:
    if duration == "while_equipped":
        return acting.equipped
    return duration != "tier" or not acting.is_late


def _judge_permit(file: TableFile, permit: Filter | None, place: str, source: str) -> None:
    """A permission must name what there is, and what can be set in a tier."""
    if permit is None:
        return
    here = f"{place}.permits_secondary"
    if permit.type is not None:
        one_of(permit.type, file.types, "type", f"{here}.type", source)
    if permit.form is not None:
        one_of(permit.form, ("normal", "gear"), "form that is set in a tier", f"{here}.form",
               source)  # fmt: skip
    if permit.id is None:
        return
    one_of(permit.id, file.cards, "card", f"{here}.id", source)
    card = file.cards[permit.id]
    if not card.is_set:
        text = f"{permit.id} is a {card.form} card, which is not set in a tier"
        raise BadFile(source, f"{here}.id", text)
    for word, has in (("type", card.type), ("form", card.form)):
        if getattr(permit, word) not in (None, has):
            text = f"{permit.id} has {word} {has!r}: leave {word} or id out"
            raise BadFile(source, f"{here}.{word}", text)


# -- abilities and counters ----------------------------------------------------------------


def _judge_ability(file: TableFile, ability: Ability, place: str, source: str) -> None:
    moment = {"preparation": "prep", "tier_1": "tier", "tier_2": "tier", "tier_3": "tier"}
    acting = Acting(frozenset({moment.get(ability.when, ability.when)}))
    _judge_duration(ability, acting, place, source)
    _judge_permit(file, ability.permits_secondary, place, source)
    _judge_payments(file, ability.cost, f"{place}.cost", source, equipped=False)
    _judge_steps(file, ability.effects, acting, f"{place}.effects", source)


def _judge_counters(file: TableFile, kind: CounterKind, place: str, source: str) -> None:
    if kind.threshold is None:
        for word in ("at", "destroys", "effects"):
            if word in kind.model_fields_set and getattr(kind, word) not in (False, []):
                raise BadFile(source, f"{place}.{word}", "this needs a limit: threshold = ...")
    if kind.destroys and kind.effects:
        text = "the vessel is destroyed at the limit: nothing else happens; leave out one of them"
        raise BadFile(source, f"{place}.effects", text)
    at_once = frozenset({"prep", "step1", "tier", "discard_phase", "end_of_turn"})
    windows = at_once if kind.at == "at_once" else frozenset({"end_of_turn"})
    _judge_steps(file, kind.effects, Acting(windows), f"{place}.effects", source)


def _judge_payments(
    file: TableFile, payments: Sequence[Payment], place: str, source: str, *, equipped: bool
) -> None:
    for number, payment in enumerate(payments):
        here = f"{place}.{number}.name"
        if payment.pay != "counter":
            if payment.name is not None:
                raise BadFile(source, here, f"only counters have a name; {payment.pay} has none")
            continue
        one_of(payment.name or "", file.counters, "kind of counters", here, source)
        if file.counters[payment.name or ""].holder == "card" and not equipped:
            kinds = [name for name, kind in file.counters.items() if kind.holder == "vessel"]
            text = f"{payment.name!r} lies on equipped cards and pays only their upkeep"
            raise BadFile(source, here, f"{text}; there are {', '.join(kinds) or 'none'}")


# -- operations ----------------------------------------------------------------------------


def _judge_steps(
    file: TableFile, steps: Sequence[BaseOperation], acting: Acting, place: str, source: str
) -> None:
    for inner, step in every(steps):
        here = f"{place}.{inner}"
        _judge_amounts(step, here, source)
        _judge_moment(step, acting, here, source)
        if isinstance(step, cards.Rotate):
            _judge_turn(file, step, here, source)
        if isinstance(step, cards.LayCounters) and file.counters[step.name].holder == "card":
            _judge_held(step, acting, here, source)
        if isinstance(step, cards.Equip) and not acting.by_card:
            raise BadFile(source, f"{here}.op", f"'equip' does nothing: {NO_CARD}")
        if isinstance(step, cards.Modify) and step.duration is not None:
            _judge_time(step.duration, acting, f"{here}.duration", source)


def _judge_amounts(step: BaseOperation, here: str, source: str) -> None:
    """Numbers by which nothing would change."""
    if getattr(step, "amount", 1) == 0:
        raise BadFile(source, f"{here}.amount", f"0 changes nothing; -{MOST} to {MOST}")
    if isinstance(step, cards.MoveVessel) and step.max == 0:
        text = f"nobody moves 0 spaces; 1 to {MOST}, or 'mobility'"
        raise BadFile(source, f"{here}.max", text)
    if isinstance(step, cards.Attack) and "range" in step.ignores and step.range != "range":
        text = "the attack ignores ranges: leave this or the word in ignores out"
        raise BadFile(source, f"{here}.range", text)


def _judge_turn(file: TableFile, step: cards.Rotate, here: str, source: str) -> None:
    headings = 6 if file.map.kind == "hex" else 8
    if step.steps != "free" and step.steps % headings == 0:
        text = (
            f"a turn by {step.steps} of {headings} headings changes nothing; there is also 'free'"
        )
        raise BadFile(source, f"{here}.steps", text)


def _judge_held(step: cards.LayCounters, acting: Acting, here: str, source: str) -> None:
    """Counters on a card: on the one that lays them, as long as it is equipped."""
    if not acting.equipped:
        text = f"{step.name!r} lies on equipped cards; {_HOW_TO_EQUIP}"
        raise BadFile(source, f"{here}.name", text)
    if step.vessel != "this":
        text = f"{step.name!r} lies on the card that lays it; 'this' is expected"
        raise BadFile(source, f"{here}.vessel", text)


def _judge_moment(step: BaseOperation, acting: Acting, here: str, source: str) -> None:
    """Operations on an attack need one under way; tiers must be to come."""
    if not acting.in_attack:
        if isinstance(step, cards.Reduce | cards.Miss | cards.Nullify):
            raise BadFile(source, f"{here}.op", f"{step.op!r}: {_no_attack(acting)}")
        for word in ("vessel", "player"):
            if getattr(step, word, "") in OF_ATTACKS:
                known = [name for name in get_args(cards.Whose) if name not in OF_ATTACKS]
                text = f"{getattr(step, word)!r}: {_no_attack(acting)}; there are {listed(known)}"
                raise BadFile(source, f"{here}.{word}", text)
    answers = acting.windows & {"response_target", "response_other"}
    if isinstance(step, cards.Attack) and step.at == "attacker" and not answers:
        text = "'attacker' needs windows response_target or response_other; there are one, others"
        raise BadFile(source, f"{here}.at", text)
    if isinstance(step, cards.ExtraTier | cards.SetSecondary) and acting.is_late:
        raise BadFile(source, f"{here}.op", f"{step.op!r}: {_too_late(acting)}")


def _no_attack(acting: Acting) -> str:
    when = listed(sorted(acting.windows))
    return f"no attack is under way at {when}; it needs windows {', '.join(ATTACK_WINDOWS)}"


def _too_late(acting: Acting) -> str:
    return f"all tiers are over at {listed(sorted(acting.windows))}"


# -- words ---------------------------------------------------------------------------------


def one_of(word: str, known: Collection[str], what: str, place: str, source: str) -> None:
    """BadFile where a word is none of those that are known."""
    if word not in known:
        there = ", ".join(dict.fromkeys(known)) or "none"
        raise BadFile(source, place, f"{word!r} is no {what}; there are {there}")


# -- notices -------------------------------------------------------------------------------


def notices(file: TableFile) -> Iterator[str]:
    """What loads and may yet be meant otherwise: gear whose changes end before the gear does."""
    for name, card in file.cards.items():
        if not card.is_equipped:
            continue
        for _, step in every(card.effects):
            until = getattr(step, "duration", None) or card.duration
            if isinstance(step, cards.Modify) and until != "while_equipped":
                yield (
                    f"{card.title} ({name}) is equipped, but its change of {step.stat} "
                    f'{_LASTS.get(until, _LASTS["turn"])}: duration = "while_equipped" would '
                    "last as long as the card."
                )


_LASTS = {
    "attack": "lasts one attack", "tier": "lasts the tier", "turn": "lasts the turn",
    "game": "stays for the game, when the card is lost, too",
}  # fmt: skip


# The figures, and the files that they come from.

TABLE_FILE = Path(__file__).with_name("table.toml")
STANDARD = "standard"
"""The vessel, and the deck, of a seat that names none."""
FIRST_TO_JUDGE_MISFITS = 2
"""Matches of earlier editions were begun with catalogues of which parts may do nothing."""
BASE_STATS = ("attack", "range", "mobility", "hull_max", "armour")

Copies = Annotated[int, Field(ge=0, le=MOST)]


class TableFile(FilePart):
    """The whole file, as people write it."""

    name: Annotated[str, Field(min_length=1, max_length=60)]
    confirmed: bool | list[str]
    samples: bool = True
    types: Annotated[list[Word], Field(min_length=1)]
    stats: list[Word]
    vessel: VesselKind
    vessels: dict[str, VesselKind] = Field(default_factory=dict[str, VesselKind])
    map: MapPart
    squares: dict[str, Square] = Field(default_factory=dict[str, Square])
    decks: dict[str, dict[str, Copies]]
    counters: dict[str, CounterKind] = Field(default_factory=dict[str, CounterKind])
    abilities: dict[str, Ability] = Field(default_factory=dict[str, Ability])
    cards: dict[str, Card] = Field(default_factory=dict[str, Card])


ASSUMED: Mapping[str, tuple[str, str]] = {
    "vessel.attack": ("Attack of a vessel", "SE-R03, RULING 14"),
    "vessel.range": ("Range of a vessel", "SE-R03, RULING 3"),
    "vessel.mobility": ("Mobility of a vessel", "SE-R03, RULING 3"),
    "vessel.hull": ("Hull at the start", "SE-SET-06, RULING 19"),
    "vessel.energy": ("Energy at the start", "SE-SET-06, RULING 23"),
}
"""Every figure that is assumed until confirmed: what to call it, and where it belongs."""

LIMITS: Mapping[str, tuple[int, int]] = {
    name: (1 if name == "vessel.hull" else 0, MOST) for name in ASSUMED
}


@dataclass(frozen=True, eq=False)
class Figures:
    """A table's figures: what was read, and which of the assumed ones were held against the box."""

    file: TableFile
    confirmed: frozenset[str]
    source: str

    @property
    def name(self) -> str:
        """What the table calls its file."""
        return self.file.name

    @property
    def notices(self) -> Sequence[str]:
        """What loads and may yet be meant otherwise, in sentences."""
        return tuple(notices(self.file))

    @property
    def cards(self) -> Mapping[str, Card]:
        """The catalogue, by the cards' own ids."""
        return self.file.cards

    @property
    def abilities(self) -> Mapping[str, Ability]:
        """What vessels can do, by the abilities' own ids."""
        return self.file.abilities

    @property
    def vessels(self) -> Mapping[str, VesselKind]:
        """Every kind of vessel, the usual one first."""
        return {STANDARD: self.file.vessel, **self.file.vessels}

    @property
    def decks(self) -> Mapping[str, Mapping[str, int]]:
        """Every deck, as counts of its cards."""
        return self.file.decks

    def deck_size(self, deck: str) -> int:
        """How many cards a deck has."""
        return sum(self.decks[deck].values())

    def map_for(self, players: int) -> StarMap | None:
        """The map for so many, laid once; BadFile where the file has none for them."""
        if players not in self._maps:
            part, squares = self.file.map, self.file.squares
            self._maps[players] = star_map(part, squares, players, self.source)
        return self._maps[players]

    @cached_property
    def _maps(self) -> dict[int, StarMap | None]:
        return {}

    def assumed(self, *names: str) -> str:
        """What a ruling owes that rests on these: " (assumed figure)", or nothing."""
        return "" if self.confirmed.issuperset(names) else " (assumed figure)"


@cache
def assumed_figures() -> Figures:
    """What ships with the box.

    >>> figures = assumed_figures()
    >>> figures.deck_size("standard"), figures.vessels["standard"].hull
    (40, 10)
    """
    return judge_table(_shipped(), TABLE_FILE.name)


@read_once
def read_figures(
    raw: Mapping[str, Json], source: str = "cards", edition: int = FIRST_TO_JUDGE_MISFITS
) -> Figures:
    """A table's own file over what ships; BadFile names the place and what is allowed.

    A match of an earlier `edition` has its file as it was read then.
    """
    if not raw:
        return assumed_figures()
    if edition < FIRST_TO_JUDGE_MISFITS:
        return _read(merged(_shipped(), raw), source)
    return judge_table(laid_over(raw), source)


def laid_over(own: Mapping[str, Any]) -> dict[str, Any]:
    """A table's own file over what ships, part by part.

    A deck that says how many cards are `unknown` is told whole: the one that ships is not under
    it. With `samples = false` no card, ability or deck that ships is there.
    """
    below = dict(_shipped())
    if own.get("samples") is False:
        below |= {"cards": {}, "abilities": {}, "decks": {}}
        below["vessel"] = {**below["vessel"], "abilities": []}
    told: Any = own.get("decks")
    if isinstance(told, dict):
        decks = cast("dict[str, object]", told)
        below["decks"] = {
            name: deck for name, deck in below["decks"].items() if not _is_whole(decks.get(name))
        }
    return merged(below, own)


def _is_whole(deck: object) -> bool:
    """Whether a deck of a table's own stands for itself."""
    return isinstance(deck, dict) and UNKNOWN in deck


@cache
def _shipped() -> dict[str, Any]:
    return tomllib.loads(TABLE_FILE.read_text("utf-8"))


def judge_table(raw: Mapping[str, Any], source: str) -> Figures:
    """The figures of a whole table.

    BadFile where no match could be played with them, or a part could never do anything.
    """
    figures = _read(raw, source)
    judge_misfits(figures.file, source)
    return figures


_WORD = "word here"
"""What an unknown name in a catalogue is called."""


def _read(raw: Mapping[str, Any], source: str) -> Figures:
    file = read_model(TableFile, raw, source, _WORD)
    judge_squares(file.squares, source)
    judge_layouts(file.map, file.squares, source)
    _judge_decks(file, source)
    _judge_vessels(file, source)
    _judge_cards(file, source)
    return Figures(file, confirmed_names(file.confirmed, ASSUMED, source), source)


def _judge_decks(file: TableFile, source: str) -> None:
    if STANDARD not in file.decks:
        why = "" if file.samples else ": samples = false leaves out the one that ships"
        raise BadFile(source, "decks", f"there must be one called {STANDARD!r}{why}")
    for name, deck in file.decks.items():
        for card in deck:
            if card not in (UNKNOWN, *file.cards):
                known = ", ".join((*file.cards, UNKNOWN))
                raise BadFile(source, f"decks.{name}.{card}",
                              f"no card has this id; there are {known}")  # fmt: skip
        if sum(deck.values()) < OPENING_HAND:
            text = f"{sum(deck.values())} cards; {OPENING_HAND} are drawn at the start"
            raise BadFile(source, f"decks.{name}", f"{text} [SE-SET-01]")


def _judge_vessels(file: TableFile, source: str) -> None:
    if STANDARD in file.vessels:
        raise BadFile(source, f"vessels.{STANDARD}", "the usual vessel stands in [vessel]")
    kinds = {"vessel": file.vessel, **{f"vessels.{k}": v for k, v in file.vessels.items()}}
    for place, kind in kinds.items():
        for number, ability in enumerate(kind.abilities):
            one_of(ability, file.abilities, "ability", f"{place}.abilities.{number}", source)


def _judge_cards(file: TableFile, source: str) -> None:
    """Types, counters and stats that cards name must be there; no card is called by a key."""
    for card_id, card in file.cards.items():
        if card_id.lower() in RESERVED:
            raise BadFile(source, f"cards.{card_id}", f"{card_id!r} {RESERVED[card_id.lower()]}")
        one_of(card.type, file.types, "type", f"cards.{card_id}.type", source)
        for part in ("effects", "discard_bonus"):
            _judge_words(file, getattr(card, part), f"cards.{card_id}.{part}", source)
    for ability_id, ability in file.abilities.items():
        _judge_words(file, ability.effects, f"abilities.{ability_id}.effects", source)
    for name, counter in file.counters.items():
        _judge_words(file, counter.effects, f"counters.{name}.effects", source)


def _judge_words(file: TableFile, steps: Sequence[BaseOperation], place: str, source: str) -> None:
    for inner, step in every(steps):
        here = f"{place}.{inner}"
        stat, name = getattr(step, "stat", None), getattr(step, "name", None)
        if stat is not None:
            one_of(stat, (*BASE_STATS, *file.stats), "stat", f"{here}.stat", source)
        if name is not None:
            one_of(name, file.counters, "kind of counters", f"{here}.name", source)
        low, high = getattr(step, "min", 0), getattr(step, "max", None)
        if isinstance(high, int) and low > high:
            raise BadFile(source, f"{here}.min", f"{low} is more than max, {high}")


OWN_FIGURES = OwnTable(TABLE_FILE, ASSUMED, judge_table, LIMITS, laid_over)
"""Holding the assumed figures against a table's own copy of the box."""
