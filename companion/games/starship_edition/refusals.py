"""Why an answer of Starship Edition is refused: its code, the limit, the rule and the way out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from reprlib import repr as brief
from typing import TYPE_CHECKING

from companion.core.question import Refusal
from companion.core.ruling import Cite
from companion.core.text import counted, listed, spelt_like
from companion.games.starship_edition.boards import Spot, name_of, read_spot
from companion.games.starship_edition.seats import MOST_IN_TIER, SET

if TYPE_CHECKING:
    from companion.core.ruling import Json, Seat
    from companion.games.starship_edition.boards import StarMap
    from companion.games.starship_edition.cards import Ability, Card
    from companion.games.starship_edition.player import Player

_TIER = Cite.of("SE-PRE-03")
_COUNT = Cite.of("SE-PRE-02")
_HAND = Cite.of("SE-PRE-02, SE-R24, RULING 24")
_DECK = Cite.of("SE-PRE-04, SE-R24, RULING 24")
_THIRD = Cite.of("SE-DBL-03")
_SECOND = Cite.of("SE-DBL-01, SE-R07, RULING 7")
_LOCKED = Cite.of("SE-LCK-02, SE-R05, RULING 5")
_REARRANGE = Cite.of("SE-LCK-01, SE-R06, RULING 6")
_ABILITY = Cite.of("SE-ABL-01, SE-R04, RULING 4")
_WAIT = Cite.of("SE-PRE-05")
_DRIFT = Cite.of("SE-R25, RULING 25")
_PHASE = Cite.of("SE-LCK-01, SE-R05, RULING 5")
_START = Cite.of("SE-SET-05")
_SPACE = Cite.of("SE-R03, RULING 3")
_FINAL = Cite.of("SE-R14, RULING 14")
_PLACE = re.compile(r"\d+b?")

WHEN: Mapping[str, str] = {
    "prep": "in the own Preparation", "step1": "as abilities are carried out",
    "attacker_modifier": "in an own attack", "response_target": "when attacked",
    "response_other": "when others are attacked", "discard_phase": "in the Discard Phase",
    "end_of_turn": "at the end of the turn", "tier": "in a tier",
}  # fmt: skip
"""When a card is played, in a sentence, by its window."""

REARRANGING = ("exchange", "swap", "retract", "take")


def preparing(
    raw: Json, player: Player, abilities: Mapping[str, Ability], cards: Mapping[str, Card], *,
    can_draw: bool, drift: bool,
) -> Refusal | None:  # fmt: skip
    """Why the player who prepares may not do this now; None where nobody knows what it means."""
    words = str(raw).strip().split()
    verb = words[0].lower() if words else ""
    if verb == "play" and (card := card_named(" ".join(words[1:]), cards)) is not None:
        return _play(card, player)
    if verb in ("draw", "set", "pass", "play"):
        return _tier_action(verb, words[1:], player, can_draw=can_draw)
    if verb == "second":
        return _second(words[1:], player)
    if verb in REARRANGING:
        return _rearranging(verb, _PLACE.findall(" ".join(words[1:]).lower()), player)
    if verb == "ability":
        return _ability(" ".join(words[1:]), player, abilities)
    return _early_end(player, drift=drift) if verb == "end" else None


def _tier_action(
    verb: str, named: Sequence[str], player: Player, *, can_draw: bool
) -> Refusal | None:
    due = player.next_tier
    if not player.has_tiers_left:
        tiers = counted(player.granted, "tier")
        return Refusal("SE-E-COUNT", f"All {tiers} are prepared. End the Preparation.", _COUNT)
    at = player.tier(int(named[0])) if named and named[0].isdecimal() else None
    if verb == "set" and at is not None and at.cards == MOST_IN_TIER:
        return third()
    if named and named[0].isdecimal() and int(named[0]) != due:
        text = f"Tier {due} comes next; tiers are prepared in order. Say {verb} {due}."
        return Refusal("SE-E-TIER", text, _TIER)
    if verb == "draw" and not can_draw:
        return Refusal("SE-E-DECK", "The deck is empty. Set a card, or pass.", _DECK)
    if verb in ("set", "play") and not player.hand:
        return Refusal("SE-E-HAND", "The hand is empty. Draw a card, or pass.", _HAND)
    return None


def _play(card: Card, player: Player) -> Refusal | None:
    """A card that is played from the hand, in the Preparation or instead of a tier action."""
    if not player.hand:
        return Refusal("SE-E-HAND", "The hand is empty. Draw a card, or pass.", _HAND)
    if card.form == "jump" and not player.has_tiers_left:
        text = f"{card.title} takes a tier action, and all {player.granted} tiers are prepared."
        return Refusal("SE-E-COUNT", text, _COUNT)
    if card.form == "jump" and card.used_in("prep"):
        text = f"{card.title} cannot be paid in full. Do something else."
        return Refusal("SE-E-ENERGY", text, _FINAL)
    return not_in_window(card, "prep")


def _second(named: Sequence[str], player: Player) -> Refusal | None:
    latest = len(player.tiers)
    full = player.tier(int(named[0])) if named and named[0].isdecimal() else player.tier(latest)
    if full is not None and full.cards == MOST_IN_TIER:
        return third()
    if named and named[0].isdecimal() and int(named[0]) != latest:
        text = "A second card goes into the tier prepared last, before the next is begun."
        return Refusal("SE-E-TIER", text, _SECOND)
    tier = player.tier(latest)
    if tier is None or tier.action != SET:
        text = "A second card needs a first: the tier prepared last has no set card."
        return Refusal("SE-E-TIER", text, _SECOND)
    return None if player.hand else Refusal("SE-E-HAND", "The hand is empty.", _HAND)


def third() -> Refusal:
    """A third card for one tier."""
    return Refusal("SE-E-THIRD", "Two cards lie in this tier, and never more.", _THIRD)


def _rearranging(verb: str, places: Sequence[str], player: Player) -> Refusal | None:
    token = next((place for place in places if _is_token(place, player)), None)
    if verb != "retract" and token is not None:
        text = f"A reminder token lies in tier {token}; tokens stay. Name tiers with set cards."
        return Refusal("SE-E-TOKEN", text, _REARRANGE)
    if player.locked:
        text = "The tiers are locked: a card was drawn while one was set. Prepare the rest."
        return Refusal("SE-E-LOCKED", text, _LOCKED)
    if verb == "take":
        text = "A set card may not be taken back alone. Exchange it for a card from hand."
        return Refusal("SE-E-EMPTY", text, _REARRANGE)
    bare = next((place for place in places if place not in player.places()), None)
    if verb in ("exchange", "swap") and bare is not None:
        there = ", ".join(player.places()) or "none"
        text = f"No set card lies in {bare}. Places with set cards: {there}."
        return Refusal("SE-E-EMPTY", text, _REARRANGE)
    if verb in ("exchange", "retract") and not player.hand:
        return Refusal("SE-E-HAND", "The hand is empty: there is nothing to exchange.", _HAND)
    return None


def _is_token(place: str, player: Player) -> bool:
    tier = player.tier(int(place.rstrip("b")))
    return tier is not None and tier.action != SET


def _ability(named: str, player: Player, abilities: Mapping[str, Ability]) -> Refusal | None:
    titles = {ability.title: name for name, ability in abilities.items()}
    known = spelt_like(named, abilities) or titles.get(spelt_like(named, titles) or "")
    if known is None:
        return None
    if known in player.used and abilities[known].once_a_turn:
        text = f"{abilities[known].title} was declared this turn already; once a turn is all."
        return Refusal("SE-E-ONCE", text, _ABILITY)
    text = f"{abilities[known].title} cannot be paid in full. Declare another, or none."
    return Refusal("SE-E-ENERGY", text, _ABILITY)


def _early_end(player: Player, *, drift: bool) -> Refusal | None:
    if player.has_tiers_left:
        text = f"Tier {player.next_tier} is not prepared. Draw, set or pass first."
        return Refusal("SE-E-WAIT", text, _WAIT)
    if drift:
        return Refusal("SE-E-WAIT", "The vessel has not drifted yet. Move it one space.", _DRIFT)
    return None


def over(raw: Json) -> Refusal | None:
    """Rearranging, or an ability, after the own Preparation.  (RULING 5)"""
    verb = str(raw).strip().lower().partition(" ")[0]
    if verb == "ability":
        text = "Abilities are declared in the own Preparation, which is over."
        return Refusal("SE-E-PHASE", text, _ABILITY)
    if verb in REARRANGING:
        text = "The Preparation has ended; set cards stay as they lie."
        return Refusal("SE-E-PHASE", text, _PHASE)
    return None


def before(raw: Json) -> Refusal | None:
    """The same while something else is still asked in the Preparation, or in set-up."""
    if over(raw) is None:
        return None
    text = "Something else is asked first. Answer it; what is prepared comes after that."
    return Refusal("SE-E-PHASE", text, _PHASE)


def full(raw: Json, player: Player) -> Refusal | None:
    """A tier with two cards, where one is to be laid.  (SE-DBL-03)"""
    named = str(raw).strip()
    tier = player.tier(int(named)) if named.isdecimal() else None
    return third() if tier is not None and tier.cards == MOST_IN_TIER else None


def start(raw: Json, free: Sequence[str], star_map: StarMap) -> Refusal | None:
    """A start space that is taken, or none; or a space that the map has not."""
    there = ", ".join(free)
    named = str(raw).strip().upper()
    several = [name for name in free if name.partition(" ")[0] == named]
    if several:
        text = f"There is more than one {named}: say {' or '.join(several)}."
        return Refusal("SE-E-SPACE", text, _START)
    if named in star_map.start_names and named not in free:
        return Refusal("SE-E-SPACE", f"Start space {named} is taken. Free: {there}.", _START)
    with suppress(ValueError):
        if (spot := read_spot(raw)) not in star_map.spaces:
            text = f"{name_of(spot)} is off the map. Free: {there}."
            return Refusal("SE-E-SPACE", text, _START)
    return Refusal("SE-E-SPACE", f"{raw!r} is no free start space. Free: {there}.", _START)


def destination(
    raw: Json, star_map: StarMap, start: Spot, most: int, taken: Mapping[Spot, str]
) -> Refusal | None:
    """A space that a vessel cannot go to: off the map, blocked, taken, or too far away."""
    try:
        wanted = read_spot(raw)
    except ValueError:
        text = f"{brief(raw)} is no space; say where the vessel goes, as {name_of(start)}."
        return Refusal("SE-E-SPACE", text, _SPACE)
    name = name_of(wanted)
    if wanted not in star_map.spaces or wanted in star_map.blocked:
        what = "an obstruction" if wanted in star_map.blocked else "off the map"
        return Refusal("SE-E-SPACE", f"{name} is {what}. Name a free space.", _SPACE)
    if wanted in taken:
        text = f"{taken[wanted]} is on {name}; two vessels may not end on one space."
        return Refusal("SE-E-SPACE", text, _SPACE)
    away = star_map.reach(start, len(star_map.spaces)).get(wanted)
    if away is None:
        return Refusal("SE-E-SPACE", f"No way leads to {name}.", _SPACE)
    if away > most:
        text = f"{name} is {counted(away, 'space')} away; the vessel moves {most} at most."
        return Refusal("SE-E-MOVE", text, _SPACE)
    text = f"{name} is too near for this move. Name a space farther away."
    return Refusal("SE-E-MOVE", text, _SPACE)


def no_target(raw: Json, names: Mapping[Seat, str], why: str) -> Refusal | None:
    """A vessel that this attack cannot be aimed at."""
    wanted = next((seat for seat in names if str(raw).strip().upper() == seat), None)
    if wanted is None:
        return None
    text = f"{names[wanted]} is no legal target: {why}. Choose another."
    return Refusal("SE-E-TARGET", text, _FINAL)


def card_named(named: str, cards: Mapping[str, Card]) -> Card | None:
    """A card of the catalogue by its id or its title."""
    name = spelt_like(named, cards)
    by_title = {card.title: card for card in cards.values()}
    title = spelt_like(named, by_title)
    return cards[name] if name is not None else by_title.get(title or "")


def not_in_window(card: Card, window: str) -> Refusal:
    """A card that cannot be played from the hand at this moment."""
    if card.form == "star" and card.used_in(window):
        text = f"{card.title} cannot be paid in full. Play another, or none."
        return Refusal("SE-E-ENERGY", text, _FINAL)
    if window in ("response_target", "response_other") and card.used_in("attacker_modifier"):
        text = f"{card.title} would add to the own attack, and the others answer already."
        return Refusal("SE-E-FINAL", text, _FINAL)
    when = {"jump": "takes a tier action of the own Preparation", "star": _moments(card)}.get(
        card.form, "is set in a tier and works when it is turned over")  # fmt: skip
    text = f"{card.title} is not for this moment: it {when}. Play another, or none."
    return Refusal("SE-E-WINDOW", text, _FINAL)


def _moments(card: Card) -> str:
    """When a star may be played, in a sentence."""
    return f"is played {listed([WHEN[one] for one in card.used_at])}"
