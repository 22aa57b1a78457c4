"""Why an answer of Jaws & Paws is refused, and the warnings given before one counts.

Codes never change their meaning (README.md); each text names the thing, the limit and the way out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.core.question import Refusal
from companion.core.ruling import Cite, Level, Notice, Seat
from companion.games.jaws_and_paws.boards import BORDER_OF, NAMES, ROLE_OF

if TYPE_CHECKING:
    from companion.games.jaws_and_paws.cards import CardFace, CardTable
    from companion.kit.piles import CountedPiles

_SUN = Cite.of("JP-3.5")
_HAND = Cite.of("JP-21.1, RULING 37")
_TRACK = Cite.of("JP-5.5, JP-6.1")
_DOUBLED = Cite.of("JP-6.2, RULING 8")
_DECK = Cite.of("JP-7.2, JP-11.1")
_SECTION = Cite.of("JP-9.1")
_DISCARD = Cite.of("JP-7.1")
_HALF = Cite.of("JP-12.1, RULING 17")
_OWNER = Cite.of("JP-8.8, JP-21.7, RULING 37")
_NO_REPAIR = Cite.of("JP-8.1, RULING 8")
_MOON = Cite.of("JP-16.3, RULING 23")
_COMPOSITION = Cite.of("JP-1.5")


def more_discards_than_hand(player: Seat, discards: int, hand: int) -> Refusal:
    """More discards than cards in hand."""
    text = f"{NAMES[player]}: {discards} discards, {hand} in hand; the track is not the hand."
    return Refusal("JP-E40", text, _DISCARD)


def sun_on_enemy_centre(barred: str, legal: Sequence[str], bright: str) -> Refusal:
    """The Sun on the placer's own plane would give its advantages at once."""
    text = f"{barred} holds your own plane; place the {bright} on {', '.join(legal)}."
    return Refusal("JP-E01", text, _SUN)


def more_than_hand(player: Seat, count: int, hand: int) -> Refusal:
    """More cards on the track than the hand held."""
    if hand == 0:
        text = f"{NAMES[player]} held no card: the owner or the hand count is wrong; look again."
        return Refusal("JP-E32", text, _HAND)
    text = f"{count} cards of {NAMES[player]}, whose hand held {hand}: recount the hand."
    return Refusal("JP-E31", text, _HAND)


def count_differs(team: Seat, number: int, told: int, seen: int) -> Refusal:
    """What is told differs from what was counted on the section."""
    text = f"{team} section {number}: {told} told, but {seen} counted on it; recount."
    return Refusal("JP-E33", text, _TRACK)


def track_differs(team: Seat, told: int, seen: int) -> Refusal:
    """What the players tell differs from what was counted on their track."""
    text = f"{team}: {told} cards told, but {seen} counted on the track; recount."
    return Refusal("JP-E33", text, _TRACK)


def fewer_than_doubled(player: Seat, told: int, doubled: int) -> Refusal:
    """A player's count is below those cards already told of doubled sections."""
    text = f"{NAMES[player]} says {told}, but {doubled} lie on doubled sections; recount."
    return Refusal("JP-E33", text, _TRACK)


def must_be_doubled(team: Seat, single: int, free: int) -> Refusal:
    """More cards than sections: one of them holds several."""
    text = f"{team}: {single} cards on {free} sections; tell which section is doubled."
    return Refusal("JP-E30", text, _TRACK)


def only_doubled(team: Seat, number: int) -> Refusal:
    """Where players are asked for counts, only doubled sections are told."""
    text = f"{team} section {number}: one card is not doubled; tell its owner at the reveal."
    return Refusal("JP-E30", text, _DOUBLED)


def deck_differs(player: Seat, counted: int, recorded: int) -> Refusal:
    """The Deck on the table is not what the record has, where it decides."""
    text = (
        f"{NAMES[player]} counts {counted}, the record has {recorded}: recount. "
        f"If {counted} is right, let the arbiter adjust {player}.deck and what it came from."
    )
    return Refusal("JP-E42", text, _DECK)


def no_card_lies(team: Seat, number: int) -> Refusal:
    """A card was named for a section that holds none."""
    text = f"No card lies on {team} section {number}: answer none, or correct the lock."
    return Refusal("JP-E60", text, _SECTION)


def turns_no_card(team: Seat, who: str, number: int, *, doubled: bool) -> Refusal:
    """A card named by a team that is not asked for one: it has none there, or none any more."""
    text = f"{who} is not asked: no {team} card lies on section {number}."
    if doubled:
        text = f"{who} is not asked: section {number} was doubled, its cards were discarded."
        return Refusal("JP-E30", f"{text} If it was not, correct the answer at the lock.", _DOUBLED)
    return Refusal("JP-E60", f"{text} If one does, correct the answer at the lock.", _SECTION)


def a_card_lies(team: Seat, number: int) -> Refusal:
    """No card was named for a section that holds one."""
    text = f"A card lies on {team} section {number}: turn it over, or correct the lock."
    return Refusal("JP-E60", text, _SECTION)


def half_missing(card: str, names: Sequence[str]) -> Refusal:
    """A card of two halves was named without one."""
    allowed = " or ".join((*names, f"{card} unclear"))
    return Refusal("JP-E63", f"Which half lies at the far edge? Answer {allowed}.", _HALF)


def cannot_be_owner(player: Seat, played: int) -> Refusal:
    """The owner named at the reveal has no card left on the track."""
    if played == 0:
        text = f"{NAMES[player]} played no card and is Repairing: go back to the lock, or look"
    else:
        text = f"All cards of {NAMES[player]} are turned: go back to the lock, or look"
    return Refusal("JP-E64", f"{text} at the border again ({BORDER_OF[player]}).", _OWNER)


def discards_exceed_deck(
    player: Seat, piles: CountedPiles, discards: int, hand_size: int
) -> Notice | None:
    """A word before discards that the Deck cannot make good; for that player alone."""
    need, deck = max(0, hand_size - piles["hand"] + discards), piles["deck"]
    if not discards or need <= deck:
        return None
    text = (
        f"{NAMES[player]}: after {discards} discards you must draw {need}, your Deck holds {deck}."
    )
    return Notice("JP-E45", text, _DECK, Level.WARN, "Discard fewer, or your plane is shot down.")


def caution_about(
    owner: Seat, face: CardFace, piles: CountedPiles, cards: CardTable
) -> Notice | None:
    """A word about a card that its deck should not hold.  (Only a confirmed list can tell.)"""
    held = cards.decks[owner].get(face.card, 0)
    seen = piles.seen("track", "discard")[face.card] + 1
    if cards.confirmed and seen > held:
        text = f"{NAMES[owner]} has turned over {seen} of {face.card}; the list has {held}."
        return Notice("JP-E65", text, _COMPOSITION, Level.WARN, "Look at the card again.")
    if face.zone and face.zone[0] != ROLE_OF[owner][0]:
        shot = f"{NAMES[owner]} shoots at {face.zone}, a zone of the other board."
        text = f"{shot} The decks of Pilot and Gunner differ, but no rule forbids such a card."
        return Notice("JP-E66", text, _COMPOSITION, Level.NOTE)
    return None


def has_played(player: Seat, played: int) -> Refusal:
    """Who has laid a card is not Repairing."""
    text = f"{NAMES[player]} has played {played} this round (doubled cards count): no Repairing."
    return Refusal("JP-E50", text, _NO_REPAIR)


def moon_favours_others(who: str, team: Seat) -> Refusal:
    """The Moon draw is for the teams that it favours."""
    text = f"{who} does not draw now: the Moon does not favour {team}."
    return Refusal("JP-E43", text, _MOON)
