"""Reports of Jaws & Paws: what the table saw and no question asked, and the reply.

A report is {"what": WORD, ...}, as README.md lists them. What the book refuses is an IllegalAnswer;
everything else is a notice: block, warn or note. A report that is refused or malformed changes
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.board import Piece, Pose
from companion.core.errors import BadCall, IllegalAnswer
from companion.core.offers import Seen, SeenState
from companion.core.question import Locked, Refusal, Reveal
from companion.core.ruling import TABLE, Cite, Level, Notice, Seat
from companion.games.jaws_and_paws import boards
from companion.games.jaws_and_paws import refusals as no
from companion.games.jaws_and_paws.boards import NAMES, Lineup
from companion.games.jaws_and_paws.comparing import judge_seen
from companion.games.jaws_and_paws.lock import (
    HAND,
    LONGEST_LATE_MS,
    corrected_to_played,
    put_right,
    where_it_belongs,
)
from companion.kit.reports import Fields, agrees, judged, number_in
from companion.match.rulebook import Phrase, Reporting

if TYPE_CHECKING:
    from companion.core.question import Question
    from companion.core.ruling import Json
    from companion.games.jaws_and_paws.game import Game


# FactReader: reads the fields of a report; a fault is named with what is allowed.


class FactReader:
    """One report, of which the fields are those of its word.

    >>> fact = FactReader({"what": "wants to repair", "player": "jg"})
    >>> fact.what, fact.player()
    ('wants to repair', 'JG')
    """

    def __init__(self, fact: Fields, lineup: Lineup = boards.FOUR) -> None:
        self._fact = fact
        self._lineup = lineup
        self.what = str(fact.get("what"))

    def words(self) -> dict[str, str]:
        """The player, team and section of the report, as sentences name them."""
        words: dict[str, str] = {}
        if self.has("player"):
            player = self.player()
            pilot, gunner = (NAMES[mate] for mate in boards.CREW_OF[boards.TEAM_OF[player]])
            words |= {"player": NAMES[player], "pilot": pilot, "gunner": gunner}
        if self.has("team"):
            words["team"] = self.team()
        if self.has("section"):
            words["section"] = str(self.section())
        return words

    def has(self, name: str) -> bool:
        """Whether an optional field was given."""
        return self._fact.get(name) is not None

    def one_of(self, name: str, allowed: Sequence[str], default: str | None = None) -> str:
        """One of several words, whatever its case."""
        if default is not None and not self.has(name):
            return default
        value = self._fact.get(name)
        for known in allowed:
            if str(value).lower() == known.lower():
                return known
        raise BadCall(f"{name}: {value!r} is none of {', '.join(allowed)}")

    def team(self) -> Seat:
        """The field "team", by its name or by who is of it."""
        told = str(self._fact.get("team")).upper()
        player = next((p for p in self._lineup.players if p.upper() == told), None)
        if player is not None:
            return boards.TEAM_OF[player]
        return Seat(self.one_of("team", self._lineup.teams))

    def player(self, name: str = "player") -> Seat:
        """A player's code."""
        return Seat(self.one_of(name, self._lineup.players))

    def section(self, name: str = "section") -> int:
        """A section's number, 1 to 4."""
        return self.number(name, 4, least=1)

    def number(self, name: str, most: int, least: int = 0) -> int:
        """A whole number from `least` to `most`."""
        return number_in(self._fact, name, most, least)

    def flag(self, name: str) -> bool:
        """True or false."""
        value = self._fact.get(name)
        if not isinstance(value, bool):
            raise BadCall(f"{name}: {value!r} is neither true nor false")
        return value


# Reports that the book answers alike in every position.


class Saying(NamedTuple):
    """The answer to a report; `level` None: what was asked for is refused.

    `text` names {player}, {pilot} and {gunner} of that team, {team} and {section}.
    """

    fields: tuple[str, ...]
    code: str
    level: Level | None
    text: str
    cite: Cite
    way_out: str = ""


_BACK = "It returns to the hand."
_REFILL = (
    "{player}: an empty Deck is not refilled before drawing; only who is Repairing shuffles, "
    "after the draw."
)
_SORT = "Sort by border: white to the Pilot, black to the Gunner."
_RESUME = "Resume the rest of the time, or undo to the start with all cards back in hand."

SAYINGS: Mapping[str, Saying] = {
    "card on the wrong track": Saying(
        ("player",), "JP-E22", Level.NOTE,
        "{player}'s card on the other team's track was not played.",
        Cite.of("JP-5.4, RULING 6"), _BACK),
    "timer interrupted": Saying(
        (), "JP-E24", Level.NOTE, "The timer was interrupted.",
        Cite.of("JP-5.3, JP-5.7"), _RESUME),
    "card exposed": Saying(
        ("player",), "JP-EXPOSED", Level.NOTE, "A card of {player} was seen: no penalty.",
        Cite.of("JP-4.1, RULING 34"), "Turn it face down."),
    "doubled section": Saying(
        ("team", "section"), "JP-E30", Level.NOTE,
        "{team} section {section} holds more than one card: all of them are discarded.",
        Cite.of("JP-6.1, JP-6.2, RULING 8"), "Tell how many of each border lie there."),
    "shuffle to draw": Saying(
        ("player",), "JP-E44", None, _REFILL, Cite.of("JP-7.3")),
    "declines to repair": Saying(
        ("player",), "JP-E51", Level.NOTE,
        "{player}: who played no card is Repairing; nobody may decline it.",
        Cite.of("JP-8.1, RULING 13"), "Shuffle the Discard Pile into the Deck."),
    "turned too early": Saying(
        ("team", "section"), "JP-E62", Level.NOTE,
        "{team} section {section} was turned over too early: no penalty.",
        Cite.of("JP-9.2, RULING 34"), "Turn it back; resolve in order."),
    "declines to resolve": Saying(
        ("team",), "JP-E71", None,
        "{team}: a card that was turned over is carried out; it cannot be declined.",
        Cite.of("JP-9.9, RULING 16")),
    "wrong pile": Saying(
        ("player",), "JP-E80", Level.NOTE,
        "Cards of {player} lie on the teammate's pile ({pilot} white, {gunner} black).",
        Cite.of("JP-10.1"), _SORT),
}  # fmt: skip


# Reports whose answer depends on the position.

Answer = Callable[["Game", FactReader], Notice]

_OUT = Cite.of("JP-19.7, RULING 33")
_GONE = Cite.of("RULING 39")
_TIMED = Cite.of("JP-5.3, RULING 7")

AGREES = "JP-AGREES"
"""The code of a note that what was reported is as recorded."""


def report(rules: Game, words: Mapping[str, ReportWord], fact: Mapping[str, Json]) -> Notice:
    """Judge one report by these words; BadCall for one, or for a field, that nobody knows."""

    def answer(game: Game, told: Fields) -> Notice:
        return words[str(told["what"])].answer(game, FactReader(told, game.lineup))

    fields = {what: word.fields for what, word in words.items()}
    return judged(rules, fact, fields, dict.fromkeys(words, answer))


def note(code: str, text: str, cite: str, way_out: str = "") -> Notice:
    """A notice that only tells."""
    return Notice(code, text, Cite.of(cite), Level.NOTE, way_out)


def warn(code: str, text: str, cite: str, way_out: str = "") -> Notice:
    """A notice that waits for a word."""
    return Notice(code, text, Cite.of(cite), Level.WARN, way_out)


def block(code: str, text: str, cite: str, way_out: str = "") -> Notice:
    """A notice that stops the match until it is solved."""
    return Notice(code, text, Cite.of(cite), Level.BLOCK, way_out)


def _told(_: Game, fact: FactReader) -> Notice:
    """A word that is answered alike in every position; some are refused."""
    saying = SAYINGS[fact.what]
    text = saying.text.format_map(fact.words())
    if saying.level is None:
        raise IllegalAnswer(saying.code, text, saying.cite)
    return Notice(saying.code, text, saying.cite, saying.level, saying.way_out)


def as_recorded(text: str, cite: str) -> Notice:
    """What was reported is what the record has."""
    return agrees(AGREES, text, Cite.of(cite))


# -- tokens, tracks and piles --------------------------------------------------------------------


def _piece(rules: Game, fact: FactReader) -> Piece:
    """The field "piece"."""
    position = rules.position
    return Piece(fact.one_of("piece", (*position.lineup.tokens, position.light)))


def _token(rules: Game, fact: FactReader) -> Notice:
    """A token stands on a zone, between two, is hidden, missing, or there twice."""
    piece = _piece(rules, fact)
    state = fact.one_of("state", ("seen", "unsure", "covered", "lost"), default="seen")
    zone = fact.one_of("zone", rules.lineup.zones) if state == "seen" else ""
    seen = Seen(SeenState(state), Pose(zone) if zone else None)
    notice = judge_seen(rules.position, piece, seen)
    return notice or as_recorded(f"{boards.PIECE_NAMES[piece]} on {zone}", "JP-21.2")


def _token_twice(rules: Game, fact: FactReader) -> Notice:
    piece = _piece(rules, fact)
    if piece == rules.light:
        text = f"More than one {rules.bright} is on the boards."
        return block("JP-E06", text, "JP-2.10", "Leave one.")
    text = "Two tokens of one team on one View set: each team has one."
    return block("JP-E14", text, "JP-2.3", "Take one of them off.")


def _board_side(rules: Game, fact: FactReader) -> Notice:
    """A View Board shows its day side or its night side.  (JP-E05)"""
    team, side = fact.team(), fact.one_of("side", ("day", "night"))
    wanted = "night" if rules.night else "day"
    if side == wanted:
        return as_recorded(f"{team} boards show the {side} side", "JP-16.1")
    text = f"A {team} View Board shows its {side} side; this match is played by {wanted}."
    return warn("JP-E05", text, "JP-1.2, JP-16.1", f"Turn it to the {wanted} side.")


def _track_side(rules: Game, fact: FactReader) -> Notice:
    """A track shows smoke, or does not, where the record has it otherwise."""
    team, shown = fact.team(), fact.flag("smoke")
    stage, recorded = rules.position.stage, rules.position.smoke[team]
    side = "smoke" if shown else "no smoke"
    if shown == recorded:
        return as_recorded(f"{team} track shows {side}", "JP-10.2")
    right = f"Turn the {team} track to the side {'with' if recorded else 'without'} smoke."
    text = f"The {team} track shows {side}; the record has it otherwise."
    if stage == "set-up":
        return block("JP-E03", f"{text} It starts without smoke.", "JP-3.2", right)
    if stage == "repair" and shown:
        text = f"{text} Tracks turn at Cleanup, not while Repairing."
        return note("JP-E53", text, "JP-10.2", right)
    if stage == "action" and rules.position.sun_first is None:
        return warn("JP-E16", text, "JP-10.2", right)
    return note("JP-E82", text, "JP-10.2, RULING 36", right)


def _pile_counted(rules: Game, fact: FactReader) -> Notice:
    """A pile was counted."""
    player, pile = fact.player(), fact.one_of("pile", boards.PILES)
    counted = fact.number("cards", rules.position.deck_size)
    recorded = rules.position.piles[player][pile]
    if counted == recorded:
        return as_recorded(f"{NAMES[player]}: {pile} {counted}", "JP-21.1")
    text = f"{NAMES[player]}: {pile} {counted} counted, the record has {recorded}."
    way_out = f"Recount; if {counted} is right, the arbiter adjusts {player}.{pile}."
    if rules.position.stage == "set-up":
        return warn("JP-E04", text, "JP-3.6", way_out)
    if rules.position.stage == "draw" and pile == "deck":
        if counted < rules.position.draws_due()[player]:
            text = f"{text} It is below the draw needed, so it decides."
            return block("JP-E42", text, "JP-7.2, JP-11.1", way_out)
        return note("JP-E42", text, "JP-7.2", way_out)
    return note("JP-E81", text, "JP-21.1, RULING 35", way_out)


def _cards_counted(rules: Game, fact: FactReader) -> Notice:
    """Cards were counted on a section of a track."""
    team, number = fact.team(), fact.section()
    cards = fact.number("cards", rules.position.deck_size)
    position, place = rules.position, f"{team} section {number}"
    if position.stage == "action":
        if position.sun_first is not None:
            text = "Nothing is said of cards before the buzzer."
            return note("JP-HIDDEN", text, "JP-4.1, JP-5.6")
        if cards == 0:
            return as_recorded(f"{place} is empty", "JP-10.1")
        still = "1 card still lies" if cards == 1 else f"{cards} cards still lie"
        text = f"{still} on {place}: Cleanup is not finished."
        return warn("JP-E15", text, "JP-10.1", "Put them on their owners' Discard Piles.")
    if position.stage == "lock":
        return _counted_at_the_lock(rules, team, number, cards)
    owner = position.owners[team][number - 1]
    if owner == boards.UNTOLD or ((owner != boards.NOBODY) == (cards == 1) and cards < 2):
        return as_recorded(f"{place}: {cards}", "JP-5.7")
    text = f"{place}: {cards} cards counted, the record has {int(owner != boards.NOBODY)}."
    return block("JP-E33", text, "JP-5.7, JP-6.1", "Recount, or correct the lock.")


def _counted_at_the_lock(rules: Game, team: Seat, number: int, cards: int) -> Notice:
    """The lock is held to what was counted; where it was told otherwise, it is told again."""
    rules.position.counted[f"{team}.{number}"] = cards
    text = f"{team} section {number}: {cards} counted; the lock is held to it."
    key = f"{rules.ask.round}/lock/{team.lower()}/{number}"
    told: Any = rules.locked.get(key, {})
    is_told = bool(told) or rules.options["lock_asks"] == "sections"
    if not (rules.lock_is_told and is_told) or sum(told.values()) == cards:
        return note("JP-COUNTED", text, "JP-5.7")
    rules.locked.pop(key, None)
    way_out = "The lock is open again: tell that section anew, and say checked."
    return rules.reopen_lock(note("JP-COUNTED", text, "JP-5.7", way_out), {})


# -- the Action Phase ----------------------------------------------------------------------------


def _late_card(rules: Game, fact: FactReader) -> Notice:
    """A card was laid or moved after the buzzer.  (JP-E20)"""
    player, section = fact.player(), fact.section()
    late_ms = fact.number("late_ms", LONGEST_LATE_MS) if fact.has("late_ms") else None
    source = fact.section("moved_from") if fact.has("moved_from") else HAND
    late = where_it_belongs(rules, player, section, source, late_ms)
    counted = fact.flag("counted") if fact.has("counted") else None
    return put_right(rules, late, counted=counted)


def _straddling(_: Game, fact: FactReader) -> Notice:
    """A card lies on two sections: the larger part counts, else the lower number."""
    team, first, second = fact.team(), fact.section(), fact.section("second")
    larger = fact.section("larger") if fact.has("larger") else min(first, second)
    if larger not in (first, second):
        raise BadCall(f"larger: {larger} is neither {first} nor {second}")
    text = f"The {team} card on sections {first} and {second} counts for section {larger}."
    return note("JP-E21", text, "JP-5.7, RULING 6", f"Straighten it on section {larger}.")


def _taken_back(rules: Game, fact: FactReader) -> Notice:
    player, position = fact.player(), rules.position
    if position.stage != "action":
        text = f"{NAMES[player]} took a card back after the buzzer: actions are locked in."
        if rules.options["late_card"] == "accept":
            return note("JP-E20", f"{text} This table lets it go.", "JP-5.7, RULING 6")
        return note("JP-E20", text, "JP-5.7, RULING 6", "Lay it back where it was.")
    if rules.options["take_back"]:
        text = f"{NAMES[player]} took a card back to hand: it was not played."
        return note("JP-TAKEN-BACK", text, "JP-5.6, RULING 5")
    text = f"{NAMES[player]} took a card back; at this table what is laid stays laid."
    return block("JP-TAKEN-BACK", text, "JP-5.6, RULING 5", "Lay it where it was.")


# -- lock, Discard and Draw, Repairing -----------------------------------------------------------


def _says_none(rules: Game, fact: FactReader) -> Notice:
    """A player says to have played nothing, though a card of that border lies on the track."""
    player, position = fact.player(), rules.position
    lies_on = fact.section() if fact.has("section") else 0
    text = f"A card of {NAMES[player]} lies on the track: who has played is not Repairing."
    past = (
        position.stage in boards.ROUND[boards.ROUND.index("repair") :] or position.told is not None
    )
    if position.played[player] == 0 and position.stage == "draw" and not past:
        besides = corrected_to_played(position, player, lies_on)
        text = f"{text} Corrected: hand {position.piles[player]['hand']}. {besides}".strip()
    elif position.played[player] == 0 and past:
        way_out = "Correct the answer at the lock instead."
        if not rules.lock_is_told:
            way_out = f"The draw is done. {way_out}"
        return block("JP-E34", text, "JP-8.1, RULING 37", way_out)
    return note("JP-E34", text, "JP-8.1, RULING 37", "Whose hand laid it does not matter.")


def _cannot_draw(rules: Game, fact: FactReader) -> Notice:
    player = fact.player()
    deck, due = rules.position.piles[player]["deck"], rules.position.draws_due()[player]
    if rules.position.stage == "draw" and due > deck:
        text = f"{NAMES[player]} must draw {due}, the Deck holds {deck}."
        return note("JP-E41", text, "JP-11.1, JP-11.4, RULING 10", "Confirm by counting it.")
    text = f"The record has {deck} in {NAMES[player]}'s Deck; {due} are to be drawn now."
    return block("JP-E42", text, "JP-7.2, JP-11.1", "Recount the Deck.")


def _wants_to_repair(rules: Game, fact: FactReader) -> Notice:
    player = fact.player()
    played = rules.position.played[player]
    if rules.position.is_repairing(player):
        return as_recorded(f"{NAMES[player]} is Repairing", "JP-8.1")
    if played == 0 and rules.position.stage in ("draw", "repair"):
        return as_recorded(f"{NAMES[player]} will be Repairing", "JP-8.1")
    if played == 0:
        text = (
            "Repairing is judged after the lock, by who has played: lay no card, and you will be."
        )
        raise IllegalAnswer("JP-E50", text, Cite.of("JP-8.1, RULING 8"))
    raise IllegalAnswer(*no.has_played(player, played))


def _damage_taken(rules: Game, fact: FactReader) -> Notice:
    """Somebody scrapped cards; right receiver, right number?"""
    player, cards = fact.player(), fact.number("cards", rules.position.deck_size)
    due = rules.position.dealt.get(player, 0)
    if cards == due:
        return as_recorded(f"{NAMES[player]} takes {due}", "JP-14.3")
    ruled = ", ".join(f"{NAMES[p]} {n}" for p, n in rules.position.dealt.items()) or "nobody"
    text = f"{NAMES[player]} scrapped {cards}; ruled was: {ruled}."
    if rules.position.stage == "repair":
        way_out = "Smoke damage goes to the teammate of who Repairs; correct the piles."
        return note("JP-E52", text, "JP-8.3, JP-8.5", way_out)
    way_out = "Correct the piles: the receiver and the number are in the ruling."
    return note("JP-E69", text, "JP-14.4, JP-14.5", way_out)


def _cannot_scrap(rules: Game, fact: FactReader) -> Notice:
    player = fact.player()
    deck = rules.position.piles[player]["deck"]
    text = f"By the record {NAMES[player]}'s Deck holds {deck}."
    way_out = "Count it; if it is short, take what is there, and the plane is shot down."
    return note("JP-E70", text, "JP-11.1, JP-11.4, RULING 10", way_out)


# -- sections and Cleanup ------------------------------------------------------------------------


def _card_on_empty(rules: Game, fact: FactReader) -> Notice:
    team, number = fact.team(), fact.section()
    owner = rules.position.owners[team][number - 1]
    if owner != boards.NOBODY:
        return as_recorded(f"a card lies on {team} section {number}", "JP-9.1")
    text = f"A card was turned over on {team} section {number}, which the record has empty."
    return block("JP-E60", text, "JP-9.1", "Correct the lock, or report two cards.")


def _two_cards(rules: Game, fact: FactReader) -> Notice:
    """Two cards turn up on one section: a doubled section that the lock missed."""
    team, number = fact.team(), fact.section()
    extra = fact.player("extra")
    if boards.TEAM_OF[extra] != team:
        raise BadCall(f"extra: {extra} is not of {team}; name {' or '.join(boards.CREW_OF[team])}")
    position = rules.position
    owner = position.owners[team][number - 1]
    if owner in (boards.NOBODY, boards.UNTOLD) or number < position.section or not position.section:
        text = f"No card is recorded on {team} section {number} that could be doubled now."
        return block("JP-E60", text, "JP-9.1", "Correct the lock.")
    if position.piles[extra]["hand"] == 0:
        text = f"{NAMES[extra]} held no card that could lie there."
        return block("JP-E64", text, "JP-21.1", "Look at the border, or correct the lock.")
    position.empty_section(team, number)
    position.piles[Seat(owner)].move(1, "track", "discard")
    position.piles[extra].move(1, "hand", "discard")
    position.played[extra] += 1
    position.doubled[team, number] = {Seat(owner): 1}
    position.doubled[team, number][extra] = 1 + (owner == extra)
    text = f"{team} section {number} was doubled: both cards are discarded now, without effect."
    return note("JP-E61", text, "JP-6.1, RULING 8", "They count as played. Answer none.")


def _owner(rules: Game, fact: FactReader) -> Notice:
    """The border of a card that was turned over."""
    player, number = fact.player(), fact.section()
    team, position = boards.TEAM_OF[player], rules.position
    recorded = position.owners[team][number - 1]
    if recorded == player or (recorded == boards.UNTOLD and position.unturned(player) > 0):
        return as_recorded(f"{team} section {number} is {NAMES[player]}'s", "RULING 37")
    text = f"{team} section {number} shows the border of {NAMES[player]}"
    if position.is_repairing(player):
        text = f"{text}, who played no card and is Repairing."
    else:
        text = f"{text}; the lock has {NAMES.get(Seat(recorded), 'nobody')} there."
    return block("JP-E64", text, "JP-8.8, RULING 37", "Go back to the lock and correct it.")


def _mistake(rules: Game, fact: FactReader) -> Notice:
    """A mistake made in a round, found now."""
    made, now = fact.number("round", 9999), rules.position.round_number
    if made >= now:
        text = "Found in the round it was made in: undo or amend the answer."
        return note("JP-MISTAKE", text, "RULING 35")
    if rules.options["late_mistake"] == "amend":
        text = f"A mistake of round {made}, found in round {now}: this table amends it."
        return warn("JP-MISTAKE", text, "RULING 35", "Amend the answer in the log.")
    text = f"A mistake of round {made}, found in round {now}: it stands."
    return note("JP-MISTAKE", text, "RULING 35", "Recount, and let the arbiter adjust the counts.")


def _wrong_draw(rules: Game, fact: FactReader) -> Notice:
    player = fact.player()
    held, size = fact.number("cards", rules.position.deck_size), rules.position.hands[player]
    if rules.night:
        size = max(size, rules.position.piles[player]["hand"])
    if held == size:
        return as_recorded(f"{NAMES[player]} holds {size}", "JP-7.2")
    text = f"{NAMES[player]} holds {held}, not {size}."
    if held < size:
        return note("JP-MISDRAWN", text, "JP-7.2, RULING 35", f"Draw {size - held} now.")
    way_out = f"An opponent puts {held - size} at random, unseen, on top of the Deck."
    return note("JP-MISDRAWN", text, "JP-7.2, RULING 35", way_out)


def _retired(rules: Game, fact: FactReader) -> Notice:
    """Somebody has left the table: nobody waits for a word of theirs any more.  (RULING 39)"""
    player, position = fact.player(), rules.position
    team, who = boards.TEAM_OF[player], rules.who(player)
    if player in position.gone:
        return as_recorded(f"{who} has left the table", "RULING 39")
    position.gone += boards.CREW_OF[team] if team in rules.lineup.solos else (player,)
    if rules.is_over:
        return note("JP-RETIRED", f"{who} has left; the match had ended before.", "RULING 39")
    if team in position.out:
        return note("JP-RETIRED", f"{who} has left; {team} were out already.", "RULING 39")
    if team not in position.abandoned():
        text = f"{who} has left: {rules.who(boards.MATE_OF[player])} plays on with both hands."
        return note("JP-RETIRED", text, "RULING 39", "Nobody waits for a word of who left.")
    return rules.given_up(team)


def not_asked(rules: Game, seat: Seat, raw: Json, asked: Question[Any]) -> Refusal | None:
    """Why a player, or a team, may not answer while another is asked; None where all are."""
    position, team = rules.position, boards.TEAM_OF.get(seat, seat)
    if team not in rules.lineup.teams:
        return None
    who = _person(rules, seat)
    if team in position.out:
        text = f"{who}: {team} are shot down and out of the game; the others fly on."
        return Refusal("JP-OUT", text, _OUT)
    if seat in rules.absent:
        return Refusal("JP-RETIRED", f"{who} has left the table and is not asked.", _GONE)
    if isinstance(asked, Locked) and asked.by == TABLE:
        text = f"{who}: the time ends the phase, nobody's word does. Lay cards until then."
        return Refusal("JP-NOT-ASKED", text, _TIMED)
    if asked.by == TABLE:
        return None
    return _not_now(rules, seat, raw, asked)


def _ends(seat: Seat) -> Collection[str]:
    """How keys end of what a player is asked, alone or as a team."""
    return (str(seat), boards.TEAM_OF.get(seat, seat).lower())


def _person(rules: Game, seat: Seat) -> str:
    """Who speaks: a solo player is one person, whichever hand is meant.  (RULING 25)"""
    team = boards.TEAM_OF.get(seat, seat)
    return rules.who(team if team in rules.lineup.solos else seat)


def _not_now(rules: Game, seat: Seat, raw: Json, asked: Question[Any]) -> Refusal:
    """The rule of the step under way: who acts in it, and why this one does not."""
    position, team = rules.position, boards.TEAM_OF.get(seat, seat)
    who, other, number = _person(rules, seat), _person(rules, asked.by), position.section
    if isinstance(asked, Reveal) and number and not rules.ask.may_hold(team, number):
        return no.turns_no_card(team, who, number, doubled=(team, number) in position.doubled)
    card = str(raw).upper() in map(str.upper, rules.cards.faces)
    if position.stage == "repair" and position.played.get(seat) and not card:
        return no.has_played(seat, position.played[seat])
    if "/moon/" in asked.key and team not in position.favoured:
        return no.moon_favours_others(who, team)
    text = f"{who} is not asked now: {other} is. Wait for it."
    if seat != asked.by and boards.TEAM_OF.get(asked.by) == seat:
        text = f"{who} is not asked as a team now: {rules.who(asked.by)} is. Name the player."
    told = next((key for key in rules.answered if key.rpartition("/")[2] in _ends(seat)), "")
    if told:
        again = told.removeprefix(f"{rules.ask.round}/")
        text = f"{who} has told that already, {other} has not. To tell it anew, name the question: "
        text += f"{again}: ANSWER."
    return Refusal("JP-NOT-ASKED", text, asked.cite)


class ReportWord(NamedTuple):
    """One word that may be reported: who judges it, and its fields ("?": may be left out)."""

    answer: Answer
    fields: tuple[str, ...]


WORDS: Mapping[str, ReportWord] = {
    "token": ReportWord(_token, ("piece", "zone?", "state?")),
    "token twice": ReportWord(_token_twice, ("piece",)),
    "board side": ReportWord(_board_side, ("team", "side")),
    "track side": ReportWord(_track_side, ("team", "smoke")),
    "pile counted": ReportWord(_pile_counted, ("player", "pile", "cards")),
    "cards counted": ReportWord(_cards_counted, ("team", "section", "cards")),
    "late card": ReportWord(
        _late_card, ("player", "section", "late_ms?", "moved_from?", "counted?")
    ),
    "straddling card": ReportWord(_straddling, ("team", "section", "second", "larger?")),
    "card taken back": ReportWord(_taken_back, ("player",)),
    "says none": ReportWord(_says_none, ("player", "section?")),
    "cannot draw": ReportWord(_cannot_draw, ("player",)),
    "misdrawn": ReportWord(_wrong_draw, ("player", "cards")),
    "wants to repair": ReportWord(_wants_to_repair, ("player",)),
    "damage taken": ReportWord(_damage_taken, ("player", "cards")),
    "cannot scrap": ReportWord(_cannot_scrap, ("player",)),
    "card on empty section": ReportWord(_card_on_empty, ("team", "section")),
    "two cards": ReportWord(_two_cards, ("team", "section", "extra")),
    "owner": ReportWord(_owner, ("player", "section")),
    "mistake found": ReportWord(_mistake, ("round",)),
    "retired": ReportWord(_retired, ("player",)),
    **{name: ReportWord(_told, saying.fields) for name, saying in SAYINGS.items()},
}
"""Every word that may be reported; README.md explains them."""


REPORTING = Reporting(
    {
        "action": ("timer interrupted", "card exposed", "token"),
        "lock": ("late card", "card on the wrong track", "says none"),
        "draw": ("misdrawn", "cannot draw", "pile counted"),
        "repair": ("wants to repair", "damage taken", "pile counted"),
        "section": ("token", "turned too early", "owner"),
        "": ("token", "pile counted", "mistake found"),
    },
    {"token": Phrase("A plane or the Sun stands elsewhere", ("zone",))},
    {"side": ("day", "night")},
)
"""What is reported most in each phase, and how people put it."""


# Words of Night Mode and of tables with solo players.  (JP-E23, JP-E43)

_TURN_UP = "Turn one of them up at once; with none laid, lay one from hand face up."


def _moon_draw(rules: Game, fact: FactReader) -> Notice:
    """Somebody draws because of the Moon: whether that player may, and so many.  (JP-E43)"""
    player, most = fact.player(), rules.cards.moon_draw
    cards = fact.number("cards", rules.position.deck_size)
    team = boards.TEAM_OF[player]
    name = NAMES[player]
    if team not in rules.position.favoured:
        text = f"{name} drew {cards} because of the Moon, which does not favour {team} now."
        return block("JP-E43", text, "JP-16.3", "Put them back on top of the Deck, unseen.")
    if cards > most:
        text = f"{name} drew {cards} because of the Moon, which lets draw up to {most}."
        return block("JP-E43", text, "JP-16.3", f"Put {cards - most} back on top, unseen.")
    return as_recorded(f"{NAMES[player]} may draw up to {most} more", "JP-16.3")


def _face_up(rules: Game, fact: FactReader) -> Notice:
    """How many cards of a solo player lie face up on the track.  (JP-E23)"""
    team, cards = fact.team(), fact.number("cards", rules.position.deck_size)
    if team not in rules.lineup.solos:
        raise BadCall(f"team: {team} has no solo player; the cards of a team of two stay face down")
    wanted = rules.options[rules.face_up_option]
    if wanted == "none" or (wanted == "all" and cards) or (wanted == "one" and cards == 1):
        return as_recorded(f"{team} has {cards} face up", "JP-18.3")
    if not cards:
        text = f"No card of {team}, who plays alone, lies face up."
        return note("JP-E23", text, "JP-18.3, RULING 26", _TURN_UP)
    text = f"{cards} cards of {team} lie face up; it is exactly one."
    return note("JP-E23", text, "JP-18.3, RULING 26", "Turn the others face down again.")


MOON_WORDS: Mapping[str, ReportWord] = {"moon draw": ReportWord(_moon_draw, ("player", "cards"))}
FACE_UP_WORDS: Mapping[str, ReportWord] = {"cards face up": ReportWord(_face_up, ("team", "cards"))}
"""Words that only some modes have."""
