"""The lock: what lies on the tracks at the buzzer, and cards that were late for it.

At the lock doubled sections are discarded, and solo players lay a card face up (JP-5.7, JP-6,
JP-18.3). Late cards are those laid, moved or owned up to after the buzzer (RULING 6, RULING 37).
Where the lock counted such a card, the record follows what hands do with it: while the lock is
being told by the answers of its form, then on the piles and tracks until the draw is told. After
that cards were drawn by what the lock said, and the lock itself must be corrected.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.errors import BadCall
from companion.core.question import Question, together, unless_alone
from companion.core.ruling import Carry, Cite, Level, Notice, Seat
from companion.games.jaws_and_paws import boards
from companion.games.jaws_and_paws import words as say
from companion.games.jaws_and_paws.asks import BORDERS, TracksTold
from companion.games.jaws_and_paws.boards import NAMES

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.jaws_and_paws.boards import Place
    from companion.games.jaws_and_paws.game import Counts, Game
    from companion.games.jaws_and_paws.position import JawsAndPawsPosition

_FACE_UP = Cite.of("JP-18.3, RULING 26")


async def lock_in(game: Game) -> None:
    """Actions are locked in; the cards of doubled sections are discarded.  (JP-5.7, JP-6)"""
    told = await cards_told(game)
    for team in showing(game):
        await lay_face_up(game, team, told)
    doubled = {place: cards for place, cards in told.sections.items() if sum(cards.values()) > 1}
    shown = await doubled_shown(game, told, doubled)
    game.position.counted = {}
    if game.options["lock_asks"] == "players":
        record_players(game, told, doubled)
    else:
        record_sections(game, told, doubled)
    for place, counts in doubled.items():
        discard_doubled(game, place, counts, shown.get(place, ""))


async def cards_told(game: Game) -> TracksTold:
    """What lies on the tracks at the buzzer, as the table is asked for it.  (JP-5.7)"""
    told = await told_in_form(game)
    game.position.told = told.cards
    if game.asks_less and not game.position.told:
        await game.ask.nobody_laid()
    return told


async def told_in_form(game: Game) -> TracksTold:
    """The lock's form, until somebody says that the tracks were checked.  (JP-5.7, RULING 37)

    Asked is whose cards lie on each section; by `lock_asks` how many cards each player laid, and
    whose lie on doubled sections.
    """
    ask, places = game.ask, game.position.places
    by_players = game.options["lock_asks"] == "players"
    players = game.position.players if by_players else ()
    asked: dict[str | Place, Question[Any]] = {player: ask.laid(player) for player in players}
    for place in places:
        asked[place] = ask.doubled(*place) if by_players else ask.borders(*place)
    asked["checked"] = ask.checked()

    def told_of(values: Mapping[str | Place, Any]) -> TracksTold:
        return TracksTold({place: values[place] for place in places},
                          {player: values[player] for player in players})  # fmt: skip

    told = told_of(await together(asked, check=lambda values: ask.check_tracks(told_of(values))))
    game.locked = {asked[player].key: count for player, count in told.laid.items() if count}
    for place, counts in told.sections.items():
        if any(counts.values()):
            game.locked[asked[place].key] = {**counts}
    return told


async def doubled_shown(
    game: Game, told: TracksTold, doubled: Mapping[Place, Counts]
) -> dict[Place, str]:
    """What lay on doubled sections, where the table turns them over.  (doubled_reveal)"""
    if not game.options["doubled_reveal"]:
        return {}
    asked = {
        (place, player, ordinal): game.ask.doubled_card(player, place[1], ordinal)
        for place, counts in doubled.items()
        for player in boards.CREW_OF[place[0]]
        for ordinal in range(1, counts[boards.BORDER_NAME_OF[player]] + 1)
    }
    faces = await together(asked, check=lambda _: game.ask.check_tracks(told))
    return {
        place: ", ".join(face.card for (at, _, _), face in faces.items() if at == place)
        for place in doubled
    }


def record_sections(game: Game, told: TracksTold, doubled: Mapping[Place, Counts]) -> None:
    """A card alone on its section is played by its owner.  (JP-8.1, RULING 37)"""
    for place, counts in told.sections.items():
        if place in doubled or not any(counts.values()):
            continue
        team, number = place
        pilot, gunner = boards.CREW_OF[team]
        owner = pilot if counts[boards.BORDER_NAME_OF[pilot]] else gunner
        game.position.owners[team][number - 1] = owner
        lay(game, owner, 1)


def record_players(game: Game, told: TracksTold, doubled: Mapping[Place, Counts]) -> None:
    """Cards alone on their sections, of which only the number is told.  (lock_asks)"""
    for player, cards in told.laid.items():
        mine = [counts for (team, _), counts in doubled.items() if team == boards.TEAM_OF[player]]
        lay(game, player, cards - sum(counts[boards.BORDER_NAME_OF[player]] for counts in mine))
    for team in game.position.teams:
        laid = any(game.position.piles[player]["track"] for player in boards.CREW_OF[team])
        game.position.owners[team] = [
            boards.UNTOLD if laid and (team, number) not in doubled else boards.NOBODY
            for number in boards.SECTIONS
        ]


def lay(game: Game, player: Seat, count: int) -> None:
    """Cards that count as played and lie on the track.  (JP-8.1)"""
    game.position.piles[player].move(count, "hand", "track")
    game.position.played[player] += count


def discard_doubled(game: Game, place: Place, counts: Counts, shown: str) -> None:
    """More than one card on a section: all are discarded, unresolved.  (JP-6, RULING 8)"""
    team, number = place
    counts_as_played = game.options["doubled_counts_as_played"] is True
    carries: list[Carry] = []
    for player in boards.CREW_OF[team]:
        count = counts[boards.BORDER_NAME_OF[player]]
        if count:
            piles = game.position.piles[player]
            carries.append(piles.move(count, "hand", "discard", f"{team}.{number}"))
            game.position.played[player] += count if counts_as_played else 0
            game.position.doubled.setdefault(place, {})[player] = count
    text = say.doubled(game.position, team, number, carries, shown, played=counts_as_played)
    headline = f"{team} {number}: discard {sum(counts.values())}"
    game.rule(text, say.DOUBLED, *carries, by=team, headline=headline)
    if game.face_up_option:  # one that lies face up there goes with the others (RULING 26)
        game.position.empty_section(*place)


# A card of each solo player lies face up (JP-18.3).


def showing(game: Game) -> list[Seat]:
    """The solo players who lay a card of each round face up.  (JP-18.3, RULING 27)"""
    if game.options.get(game.face_up_option, "none") == "none":
        return []
    return [team for team in game.position.teams if team in game.lineup.solos]


async def lay_face_up(game: Game, team: Seat, told: TracksTold) -> None:
    """One lies face up; with none laid, one from hand is.  (RULING 26)"""
    position = game.position
    if has_laid(game, team, told):
        if game.options[game.face_up_option] == "one":
            position.face_up[team] = await turned_up(game, team, told)
        return
    if not any(position.piles[player]["hand"] for player in boards.CREW_OF[team]):
        return
    player, number = await game.ask.lay_face_up(team)
    counts = told.sections[team, number]
    if player in told.laid:
        told.laid[player] += 1
        told.sections[team, number] = dict.fromkeys(counts, 0)
    else:
        told.sections[team, number] = {**counts, boards.BORDER_NAME_OF[player]: 1}
    position.face_up[team] = number
    text, headline = say.laid_face_up(player, number), f"{player}: lay face up on {number}"
    game.rule(text, _FACE_UP, say.face_up(team, number), by=player, headline=headline)


async def turned_up(game: Game, team: Seat, told: TracksTold) -> int:
    """On which section a card lies face up; of a single one the table is told.  (RULING 26)"""
    asked = game.ask.face_up(team, told)
    if not game.asks_less:
        return await asked
    number = await unless_alone(asked)
    if len(asked.options_now()) == 1:
        game.rule(say.must_lie_face_up(team, number), _FACE_UP, say.face_up(team, number),
                  by=team, headline=f"{team}: turn up card {number}")  # fmt: skip
    return number


def has_laid(game: Game, team: Seat, told: TracksTold) -> bool:
    """Whether any card of a team lies on its track."""
    if game.options["lock_asks"] == "players":
        return any(told.laid[player] for player in boards.CREW_OF[team])
    return any(sum(cards.values()) for (whose, _), cards in told.sections.items() if whose == team)


# Late cards.  (JP-5.7, RULING 6, RULING 37)

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
        return boards.TEAM_OF[self.player]


def put_right(game: Game, late: Late, *, counted: bool | None) -> Notice:
    """Let the record follow what hands do with a late card.  (JP-E20)

    `counted` is whether the lock has it on that section; None: it does if it has a card of that
    player's there.
    """
    stage = game.position.stage
    if stage in ("set-up", "action"):
        return _between_locks(game, late)
    if stage == "lock":
        notice = _at_the_lock(game, late, counted=counted)
    else:
        notice = _after_the_lock(game, late, counted=counted)
    if notice.level is not Level.NOTE:
        return notice
    return replace(notice, deeds=_by_hand(game, late))


def _by_hand(game: Game, late: Late) -> tuple[Carry, ...]:
    """What hands do with the card: nothing where it may lie."""
    if late.belongs == late.section:
        return ()
    target = str(late.belongs)
    if late.belongs == HAND:
        target = "discard" if game.options["late_card"] == "discard" else "hand"
    return (Carry(late.player, 1, str(late.section), target),)


def where_it_belongs(
    game: Game, player: Seat, number: int, source: int, late_ms: int | None
) -> Late:
    """Where a late card belongs by the book and the table's house game.  (RULING 6)

    `source` is the section where it lay at the buzzer, or HAND; `late_ms` how late it was, where
    that is known.
    """
    if source == number:
        raise BadCall(f"moved_from: the card lies on section {number}; name where it lay before")
    place = f"{boards.TEAM_OF[player]} section {number}"
    grace_ms = game.number("buzzer_grace_ms")
    if late_ms is not None and 0 < late_ms <= grace_ms:
        text = f"{place}: {late_ms} ms late, within the grace of {grace_ms} ms: it counts."
        return Late(player, number, source, number, text)
    if game.options["late_card"] == "accept":
        text = f"{place}: a card laid or moved late; this table lets it lie."
        return Late(player, number, source, number, text)
    if source != HAND:
        text = f"{place}: a card moved there after the buzzer; it lay on section {source}."
        return Late(player, number, source, source, text, f"Put it back on section {source}.")
    does = "returns to the hand, not played."
    if game.options["late_card"] == "discard":
        does = "was not played and is discarded."
    text = f"{place}: a card of {NAMES[player]} laid late {does}"
    return Late(player, number, HAND, HAND, text)


def _note(text: str, way_out: str = "") -> Notice:
    return Notice("JP-E20", text, CITE, Level.NOTE, way_out)


def _between_locks(game: Game, late: Late) -> Notice:
    """No lock is being told or carried out: it is too early, or a round too late."""
    place = f"{late.team} section {late.section}"
    if game.position.sun_first is not None or game.position.round_number == 1:
        text = f"{place}: the buzzer has not sounded; until then cards are laid and moved freely."
        return Notice("JP-E20", text, _NOT_YET, Level.NOTE)
    text = f"{place}: a card laid or moved late, found after its round."
    if game.options["late_mistake"] == "amend":
        return Notice("JP-E20", text, _FOUND_LATER, Level.WARN, "Amend the answer at that lock.")
    return Notice("JP-E20", f"{text} What was resolved stands.", _FOUND_LATER, Level.NOTE)


def _after_the_lock(game: Game, late: Late, *, counted: bool | None) -> Notice:
    """The record follows the ruling until the draw is told; then the lock must be corrected."""
    position = game.position
    lies, past = _recorded_at(position, late, counted=counted), _is_past(position)
    discards = late.belongs == HAND and game.options["late_card"] == "discard"
    if lies == late.belongs and not discards:
        told = "The lock counted it." if lies else "The lock did not count it."
        return _note(late.text, late.way_out or told)
    if past or _opens_the_duty(game, late, lies):
        why = "found after the draw" if past else "but a card of that team must lie face up"
        text = f"{late.text.rstrip('.')}, {why}."
        return Notice("JP-E20", text, CITE, Level.BLOCK, _AMEND)
    told = " ".join([late.text, *_relaid(game, late, lies, discards=discards)])
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
    team = boards.TEAM_OF[player]
    owner = position.owners[team][number - 1]
    if owner == boards.UNTOLD:
        return position.unturned(player) > 0
    return owner == player or player in position.doubled.get((team, number), {})


def _opens_the_duty(game: Game, late: Late, lies: int) -> bool:
    """Whether a solo player may be left with no card face up, as is asked at the lock."""
    position, team = game.position, late.team
    told = game.options.get(game.face_up_option, "none")
    if lies == HAND or team not in game.lineup.solos or told == "none":
        return False
    on_track = sum(position.piles[player]["track"] for player in boards.CREW_OF[team])
    doubled = [number for of, number in position.doubled if of == team]
    open_on = position.face_up.get(team)
    if open_on is None and lies in doubled:
        return True
    return open_on == lies or on_track + len(doubled) <= 1


# -- the lock is told: piles and tracks ----------------------------------------------------------


def _relaid(game: Game, late: Late, lies: int, *, discards: bool) -> list[str]:
    """The record after hands have put the card where it belongs; what besides they have to do."""
    position, told = game.position, list[str]()
    by_section = game.options["lock_asks"] == "sections"
    if lies != HAND:
        told += _lift(position, late.player, lies, by_section=by_section)
    if late.belongs != HAND:
        told += _lay(position, late.player, late.belongs, by_section=by_section)
    elif discards and position.piles[late.player]["hand"]:
        position.piles[late.player].move(1, "hand", "discard")
    _count_played(position, late.team, counts=game.options["doubled_counts_as_played"] is True)
    return [*told, *(_counts_told(position, player) for player in boards.CREW_OF[late.team])]


def _lift(
    position: JawsAndPawsPosition, player: Seat, number: int, *, by_section: bool
) -> list[str]:
    """A card leaves its section for the hand; the one that is left of a doubled section counts."""
    place, piles = (boards.TEAM_OF[player], number), position.piles
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
    position.owners[place[0]][number - 1] = left if by_section else boards.UNTOLD
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
    place, piles = (boards.TEAM_OF[player], number), position.piles
    owner = position.owners[place[0]][number - 1]
    if place in position.doubled:
        cards = position.doubled[place]
        cards[player] = cards.get(player, 0) + 1
        piles[player].move(1, "hand", "discard")
        return [f"Section {number} is doubled: the card is discarded with the others."]
    if owner in (boards.NOBODY, boards.UNTOLD):
        position.owners[place[0]][number - 1] = player if by_section else boards.UNTOLD
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
    for player in boards.CREW_OF[team]:
        doubled = sum(cards.get(player, 0) for cards in lost)
        position.played[player] = position.piles[player]["track"] + doubled * counts
    if not any(position.piles[player]["track"] for player in boards.CREW_OF[team]):
        position.owners[team] = [boards.NOBODY] * len(boards.SECTIONS)


def _counts_told(position: JawsAndPawsPosition, player: Seat) -> str:
    piles, played = position.piles[player], position.played[player]
    return (
        f"{NAMES[player]}: hand {piles['hand']}, track {piles['track']}, "
        f"Discard {piles['discard']}, played {played}."
    )


# -- the lock is being told: the answers of its form ---------------------------------------------


def _at_the_lock(game: Game, late: Late, *, counted: bool | None) -> Notice:
    """What was told of its sections already is put right; what was not, is told as it belongs.

    Where the form is closed and a question that follows from it is open, the form is opened again.
    """
    form = _Form(game, late.team)
    by_players = game.options["lock_asks"] == "players"
    (form.recount if by_players else form.shift)(late, counted=counted)
    if late.belongs == HAND and game.options["late_card"] == "discard":
        piles = game.position.piles[late.player]
        piles.move(min(1, piles["hand"]), "hand", "discard")
    text = " ".join([late.text, *form.said])
    if game.lock_is_told:
        if not form.said:
            return _note(text, late.way_out or "The lock did not count it.")
        game.reopen_lock(_note(text, f"{late.way_out} {_CHECK_AGAIN}".strip()), form.retold)
    game.retold |= form.retold
    way_out = late.way_out or ("" if form.said or late.belongs else "Do not count it at the lock.")
    return _note(text, way_out)


class _Form:
    """The form of a lock: what was told of one team's cards, and how to put it right."""

    def __init__(self, game: Game, team: Seat) -> None:
        self.game, self.team = game, team
        self.said: list[str] = []
        self.retold: dict[str, Json] = {}
        self._told = game.locked if game.lock_is_told else game.told
        self._key = f"{game.ask.round}/lock"

    def shift(self, late: Late, *, counted: bool | None) -> None:
        """One card is told of where it belongs, and no longer of where it was counted."""
        border, lies = boards.BORDER_NAME_OF[late.player], HAND
        if self._has(late.section, border) and counted is not False:
            lies = late.section
        elif late.source != HAND and self._has(late.source, border):
            lies = late.source
        if lies != late.belongs:
            self._add(lies, border, -1)
            self._add(late.belongs, border, +1)

    def recount(self, late: Late, *, counted: bool | None) -> None:
        """The player's own number, and the borders of sections that are doubled.  (lock_asks)"""
        border, key = boards.BORDER_NAME_OF[late.player], f"{self._key}/{late.player}"
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
        if place in self.game.position.counted:
            self.game.position.counted[place] = sum(told.values())
        pilot, gunner = boards.CREW_OF[self.team]
        white, black = boards.BORDER_OF[pilot], boards.BORDER_OF[gunner]
        whose = f"{told['pilot']} {white}, {told['gunner']} {black}"
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
    owners = position.owners[boards.TEAM_OF[player]]
    if number and owners[number - 1] not in (boards.NOBODY, boards.UNTOLD):
        raise BadCall(f"section {number}: the record has a card there; amend the lock instead")
    if not number and boards.UNTOLD not in owners:
        raise BadCall(f"section: name the section, {boards.SECTIONS[0]} to {boards.SECTIONS[-1]}")
    position.played[player] += 1
    if number:
        by_section = owners[number - 1] != boards.UNTOLD
        return " ".join(_lay(position, player, number, by_section=by_section))
    position.piles[player].move(1, "hand", "track")
    return ""
