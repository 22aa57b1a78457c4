"""Cards that were laid, moved or owned up to after the buzzer.  (JP-5.7, RULING 6, RULING 37)

Where the lock counted such a card, the record follows what hands do with it: while the lock is
being told by the answers of its form, then on the piles and tracks until the draw is told. After
that cards were drawn by what the lock said, and the lock itself must be corrected.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.errors import BadCall
from companion.core.ruling import Carry, Cite, Level, Notice, Seat
from companion.games.jaws_and_paws.asks import BORDERS
from companion.games.jaws_and_paws.boards import (
    BORDER_NAME_OF,
    BORDER_OF,
    CREW_OF,
    NAMES,
    NOBODY,
    SECTIONS,
    TEAM_OF,
    UNTOLD,
)

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.jaws_and_paws.game import Game
    from companion.games.jaws_and_paws.position import JawsAndPawsPosition

CITE = Cite.of("JP-5.7, RULING 6")
_FOUND_LATER = Cite.of("JP-5.7, RULING 6, RULING 35")
_NOT_YET = Cite.of("JP-5.6, JP-5.7")
LONGEST_LATE_MS = 600_000
"""Ten minutes: what is more was mistyped."""
_AMEND = "Correct the answer at the lock instead."
_CHECK_AGAIN = "The lock is open again: look at both tracks, and say checked."
_SAY_SO = "correct the lock: it is doubled"
HAND = 0
"""Where a card lies that is on no section: in the hand."""


class Late(NamedTuple):
    """A late card: whose, on which section it lies, and where it belongs (HAND: it was not played).

    `source` is where it lay at the buzzer; `text` and `way_out` what the table is told.
    """

    player: Seat
    section: int
    source: int
    belongs: int
    text: str
    way_out: str = ""

    @property
    def team(self) -> Seat:
        """On whose track it lies."""
        return TEAM_OF[self.player]


def put_right(rules: Game, late: Late, *, counted: bool | None) -> Notice:
    """Let the record follow what hands do with a late card.  (JP-E20)

    `counted` is whether the lock has it on that section; None: it does if it has a card of that
    player's there.
    """
    stage = rules.position.stage
    if stage in ("set-up", "action"):
        return _between_locks(rules, late)
    if stage == "lock":
        notice = _at_the_lock(rules, late, counted=counted)
    else:
        notice = _after_the_lock(rules, late, counted=counted)
    if notice.level is not Level.NOTE:
        return notice
    return replace(notice, deeds=_by_hand(rules, late))


def _by_hand(rules: Game, late: Late) -> tuple[Carry, ...]:
    """What hands do with the card: nothing where it may lie."""
    if late.belongs == late.section:
        return ()
    target = str(late.belongs)
    if late.belongs == HAND:
        target = "discard" if rules.options["late_card"] == "discard" else "hand"
    return (Carry(late.player, 1, str(late.section), target),)


def where_it_belongs(
    rules: Game, player: Seat, number: int, source: int, late_ms: int | None
) -> Late:
    """Where a late card belongs by the book and the table's house rules.  (RULING 6)

    `source` is the section where it lay at the buzzer, or HAND; `late_ms` how late it was, where
    that is known.
    """
    if source == number:
        raise BadCall(f"moved_from: the card lies on section {number}; name where it lay before")
    place = f"{TEAM_OF[player]} section {number}"
    grace_ms = rules.number("buzzer_grace_ms")
    if late_ms is not None and 0 < late_ms <= grace_ms:
        text = f"{place}: {late_ms} ms late, within the grace of {grace_ms} ms: it counts."
        return Late(player, number, source, number, text)
    if rules.options["late_card"] == "accept":
        text = f"{place}: a card laid or moved late; this table lets it lie."
        return Late(player, number, source, number, text)
    if source != HAND:
        text = f"{place}: a card moved there after the buzzer; it lay on section {source}."
        return Late(player, number, source, source, text, f"Put it back on section {source}.")
    does = "returns to the hand, not played."
    if rules.options["late_card"] == "discard":
        does = "was not played and is discarded."
    text = f"{place}: a card of {NAMES[player]} laid late {does}"
    return Late(player, number, HAND, HAND, text)


def _note(text: str, way_out: str = "") -> Notice:
    return Notice("JP-E20", text, CITE, Level.NOTE, way_out)


def _between_locks(rules: Game, late: Late) -> Notice:
    """No lock is being told or carried out: it is too early, or a round too late."""
    place = f"{late.team} section {late.section}"
    if rules.position.sun_first is not None or rules.position.round_number == 1:
        text = f"{place}: the buzzer has not sounded; until then cards are laid and moved freely."
        return Notice("JP-E20", text, _NOT_YET, Level.NOTE)
    text = f"{place}: a card laid or moved late, found after its round."
    if rules.options["late_mistake"] == "amend":
        return Notice("JP-E20", text, _FOUND_LATER, Level.WARN, "Amend the answer at that lock.")
    return Notice("JP-E20", f"{text} What was resolved stands.", _FOUND_LATER, Level.NOTE)


def _after_the_lock(rules: Game, late: Late, *, counted: bool | None) -> Notice:
    """The record follows the ruling until the draw is told; then the lock must be corrected."""
    position = rules.position
    lies, past = _recorded_at(position, late, counted=counted), _is_past(position)
    discards = late.belongs == HAND and rules.options["late_card"] == "discard"
    if lies == late.belongs and not discards:
        told = "The lock counted it." if lies else "The lock did not count it."
        return _note(late.text, late.way_out or told)
    if past or _opens_the_duty(rules, late, lies):
        why = "found after the draw" if past else "but a card of that team must lie face up"
        text = f"{late.text.rstrip('.')}, {why}."
        return Notice("JP-E20", text, CITE, Level.BLOCK, _AMEND)
    told = " ".join([late.text, *_relaid(rules, late, lies, discards=discards)])
    return _note(told, late.way_out or "The lock is corrected.")


def _is_past(position: JawsAndPawsPosition) -> bool:
    """Whether hands were drawn up by what the lock said."""
    return position.stage != "draw" or position.told is not None


def _recorded_at(position: JawsAndPawsPosition, late: Late, *, counted: bool | None) -> int:
    """The section where the record has the card; HAND for none."""
    has = {n: _holds(position, late.player, n) for n in (late.section, late.source) if n != HAND}
    if counted and not has[late.section]:
        there = f"{late.team} section {late.section}"
        raise BadCall(f"counted: the record has no card of {NAMES[late.player]} on {there}")
    if has[late.section] and counted is not False:
        return late.section
    return late.source if late.source != HAND and has[late.source] else HAND


def _holds(position: JawsAndPawsPosition, player: Seat, number: int) -> bool:
    team = TEAM_OF[player]
    owner = position.owners[team][number - 1]
    if owner == UNTOLD:
        return position.unturned(player) > 0
    return owner == player or player in position.doubled.get((team, number), {})


def _opens_the_duty(rules: Game, late: Late, lies: int) -> bool:
    """Whether a solo player may be left with no card face up, as is asked at the lock."""
    position, team = rules.position, late.team
    told = rules.options.get(rules.face_up_option, "none")
    if lies == HAND or team not in rules.lineup.solos or told == "none":
        return False
    on_track = sum(position.piles[player]["track"] for player in CREW_OF[team])
    doubled = [number for of, number in position.doubled if of == team]
    open_on = position.face_up.get(team)
    if open_on is None and lies in doubled:
        return True
    return open_on == lies or on_track + len(doubled) <= 1


# -- the lock is told: piles and tracks ----------------------------------------------------------


def _relaid(rules: Game, late: Late, lies: int, *, discards: bool) -> list[str]:
    """The record after hands have put the card where it belongs; what besides they have to do."""
    position, told = rules.position, list[str]()
    by_section = rules.options["lock_asks"] == "sections"
    if lies != HAND:
        told += _lift(position, late.player, lies, by_section=by_section)
    if late.belongs != HAND:
        told += _lay(position, late.player, late.belongs, by_section=by_section)
    elif discards and position.piles[late.player]["hand"]:
        position.piles[late.player].move(1, "hand", "discard")
    _count_played(position, late.team, counts=rules.options["doubled_counts_as_played"] is True)
    return [*told, *(_counts_told(position, player) for player in CREW_OF[late.team])]


def _lift(
    position: JawsAndPawsPosition, player: Seat, number: int, *, by_section: bool
) -> list[str]:
    """A card leaves its section for the hand; the one that is left of a doubled section counts."""
    place, piles = (TEAM_OF[player], number), position.piles
    cards = position.doubled.get(place)
    if cards is None or player not in cards:
        position.empty_section(*place)
        piles[player].move(1, "track", "hand")
        return []
    piles[player].move(1, "discard", "hand")
    _take_one(cards, player)
    if sum(cards.values()) > 1:
        return [f"Section {number} still holds more than one card: they stay discarded."]
    (left,) = cards
    del position.doubled[place]
    piles[left].move(1, "discard", "track")
    position.owners[place[0]][number - 1] = left if by_section else UNTOLD
    back = f"{NAMES[left]}'s card goes back there from the Discard Pile, face down"
    return [f"Section {number} is no longer doubled: {back}."]


def _take_one(cards: dict[Seat, int], player: Seat) -> None:
    cards[player] -= 1
    if not cards[player]:
        del cards[player]


def _lay(
    position: JawsAndPawsPosition, player: Seat, number: int, *, by_section: bool
) -> list[str]:
    """A card from hand lies on a section; with another one there both are discarded.  (JP-6.1)"""
    place, piles = (TEAM_OF[player], number), position.piles
    owner = position.owners[place[0]][number - 1]
    if place in position.doubled:
        cards = position.doubled[place]
        cards[player] = cards.get(player, 0) + 1
        piles[player].move(1, "hand", "discard")
        return [f"Section {number} is doubled: the card is discarded with the others."]
    if owner in (NOBODY, UNTOLD):
        position.owners[place[0]][number - 1] = player if by_section else UNTOLD
        piles[player].move(1, "hand", "track")
        return [] if by_section else [f"If another card lies on section {number}, {_SAY_SO}."]
    other = Seat(owner)
    position.empty_section(*place)
    piles[other].move(1, "track", "discard")
    piles[player].move(1, "hand", "discard")
    position.doubled[place] = {other: 1}
    position.doubled[place][player] = position.doubled[place].get(player, 0) + 1
    return [f"Section {number} is doubled by it: both cards there are discarded, unresolved."]


def _count_played(position: JawsAndPawsPosition, team: Seat, *, counts: bool) -> None:
    """Who has played what, from what now lies on the track or was discarded off it.  (JP-6.3)"""
    lost = [cards for (of, _), cards in position.doubled.items() if of == team]
    for player in CREW_OF[team]:
        doubled = sum(cards.get(player, 0) for cards in lost)
        position.played[player] = position.piles[player]["track"] + doubled * counts
    if not any(position.piles[player]["track"] for player in CREW_OF[team]):
        position.owners[team] = [NOBODY] * len(SECTIONS)


def _counts_told(position: JawsAndPawsPosition, player: Seat) -> str:
    piles, played = position.piles[player], position.played[player]
    return (
        f"{NAMES[player]}: hand {piles['hand']}, track {piles['track']}, "
        f"Discard {piles['discard']}, played {played}."
    )


# -- the lock is being told: the answers of its form ---------------------------------------------


def _at_the_lock(rules: Game, late: Late, *, counted: bool | None) -> Notice:
    """What was told of its sections already is put right; what was not, is told as it belongs.

    Where the form is closed and a question that follows from it is open, the form is opened again.
    """
    form = _Form(rules, late.team)
    by_players = rules.options["lock_asks"] == "players"
    (form.recount if by_players else form.shift)(late, counted=counted)
    if late.belongs == HAND and rules.options["late_card"] == "discard":
        piles = rules.position.piles[late.player]
        piles.move(min(1, piles["hand"]), "hand", "discard")
    text = " ".join([late.text, *form.said])
    if rules.lock_is_told:
        if not form.said:
            return _note(text, late.way_out or "The lock did not count it.")
        rules.reopen_lock(_note(text, f"{late.way_out} {_CHECK_AGAIN}".strip()), form.retold)
    rules.retold |= form.retold
    way_out = late.way_out or ("" if form.said or late.belongs else "Do not count it at the lock.")
    return _note(text, way_out)


class _Form:
    """The form of a lock: what was told of one team's cards, and how to put it right."""

    def __init__(self, rules: Game, team: Seat) -> None:
        self.rules, self.team = rules, team
        self.said: list[str] = []
        self.retold: dict[str, Json] = {}
        self._told = rules.locked if rules.lock_is_told else rules.told
        self._key = f"{rules.ask.round}/lock"

    def shift(self, late: Late, *, counted: bool | None) -> None:
        """One card is told of where it belongs, and no longer of where it was counted."""
        border, lies = BORDER_NAME_OF[late.player], HAND
        if self._has(late.section, border) and counted is not False:
            lies = late.section
        elif late.source != HAND and self._has(late.source, border):
            lies = late.source
        if lies != late.belongs:
            self._add(lies, border, -1)
            self._add(late.belongs, border, +1)

    def recount(self, late: Late, *, counted: bool | None) -> None:
        """The player's own number, and the borders of sections that are doubled.  (lock_asks)"""
        border, key = BORDER_NAME_OF[late.player], f"{self._key}/{late.player}"
        laid = self._told.get(key)
        number = laid if isinstance(laid, int) else 0
        was_counted = number > 0 and counted is not False
        plays = late.belongs != HAND
        if plays != was_counted:
            self.retold[key] = number = max(0, number + (1 if plays else -1))
            self.said.append(f"Told now: {NAMES[late.player]} {number}.")
        lies = late.section if was_counted else HAND
        if lies == late.belongs:
            return
        if self._has(lies, border):
            self._add(lies, border, -1, doubled=True)
        if plays and any(self._borders(late.belongs).values()):
            self._add(late.belongs, border, +1, doubled=True)
        elif plays:
            self.said.append(f"If another card lies on section {late.belongs}, tell both there.")

    def _has(self, number: int, border: str) -> bool:
        return self._borders(number)[border] > 0

    def _borders(self, number: int) -> dict[str, int]:
        """What was told of a section; none where nothing was, or of the hand."""
        told: Any = self._told.get(f"{self._key}/{self.team.lower()}/{number}")
        return {border: told[border] if told else 0 for border in BORDERS}

    def _add(self, number: int, border: str, more: int, *, doubled: bool = False) -> None:
        """Tell one card more or fewer; where only doubled sections are told, a single as none."""
        if number == HAND:
            return
        told = self._borders(number)
        told[border] += more
        place = f"{self.team}.{number}"
        if place in self.rules.position.counted:
            self.rules.position.counted[place] = sum(told.values())
        pilot, gunner = CREW_OF[self.team]
        whose = f"{told['pilot']} {BORDER_OF[pilot]}, {told['gunner']} {BORDER_OF[gunner]}"
        self.said.append(f"Told now: section {number}: {whose}.")
        if doubled and sum(told.values()) == 1:
            told = dict.fromkeys(told, 0)
        self.retold[f"{self._key}/{self.team.lower()}/{number}"] = dict(told)


# -- owned up to ---------------------------------------------------------------------------------


def corrected_to_played(position: JawsAndPawsPosition, player: Seat, number: int) -> str:
    """A card that the lock missed is on the track: its owner has played.  (JP-E34)

    `number` is its section, 0 where the table was asked for players' counts alone. Returns what
    hands have to do besides.
    """
    owners = position.owners[TEAM_OF[player]]
    if number and owners[number - 1] not in (NOBODY, UNTOLD):
        raise BadCall(f"section {number}: the record has a card there; amend the lock instead")
    if not number and UNTOLD not in owners:
        raise BadCall(f"section: name the section, {SECTIONS[0]} to {SECTIONS[-1]}")
    position.played[player] += 1
    if number:
        by_section = owners[number - 1] != UNTOLD
        return " ".join(_lay(position, player, number, by_section=by_section))
    position.piles[player].move(1, "hand", "track")
    return ""
