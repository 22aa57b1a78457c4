"""A report as a sentence with people's names, as protocols and logs tell it."""

from __future__ import annotations

from collections.abc import Mapping
from string import Formatter
from typing import TYPE_CHECKING, Any

from companion.spelling import spelt_like
from companion.wording import counted

if TYPE_CHECKING:
    from companion.board import BoardPlan
    from companion.offers import Json
    from companion.rulebook import Rulebook

SENTENCES: Mapping[str, str] = {
    "acted": "{player} acted",
    "board side": "a View Board of {team} shows its {side} side",
    "card": "{player} plays a card",
    "card down": "{player} has a card lying face down",
    "card exposed": "a card of {player} was seen",
    "card on empty section": "a card lies on section {section} of {team}, recorded as empty",
    "card on the wrong track": "{player} laid a card on the other team's track",
    "card taken back": "{player} took a card back",
    "cannot draw": "{player} cannot draw",
    "cannot scrap": "{player} cannot scrap enough cards",
    "cards counted": "{cards} cards lie on section {section} of {team}",
    "condition rolled": "{player} rolled for a Conditional Effect",
    "damage": "{count} damage were dealt",
    "damage taken": "{player} took {cards} damage",
    "decides": "{player} says whether there is a defence",
    "decision": "the table decides",
    "deck": "{count} cards were counted in the deck",
    "declines to repair": "{player} does not want to repair",
    "declines to resolve": "{team} do not want to resolve a card",
    "discard pile": "{count} cards were counted in the discard pile",
    "dogfight": "{player} starts a dogfight",
    "doubled section": "more than one card lies on section {section} of {team}",
    "drew": "{player} drew {count cards} more than was ruled",
    "gunsight": "{dice} dice lie on the Gunsight",
    "late card": "{player} laid a card late",
    "leaves": "{player} leaves the table",
    "misdrawn": "{player} drew {cards}",
    "missing": "{subject} is not there",
    "mistake found": "a mistake that was made in round {round} was found",
    "moon draw": "{player} draws {cards} for the Moon",
    "ordered": "{player} put events in order",
    "owner": "the card on section {section} is {player}'s",
    "pile counted": "{player}'s {pile} was counted: {cards}",
    "rearranged": "{player} rearranged set cards",
    "recount": "the {pile} pile was counted: {count}",
    "retired": "{player} has left the table",
    "says none": "{player} says that no card was laid",
    "shuffle to draw": "{player} shuffles in order to draw",
    "straddling card": "a card of {team} lies on sections {section} and {second}",
    "timer interrupted": "the timer was interrupted",
    "token": "{piece} was looked for",
    "token twice": "{piece} stands on the boards twice",
    "tokens": "{player}'s tokens were counted: {count}",
    "track side": "the track of {team} was looked at",
    "turned too early": "section {section} of {team} was turned over too early",
    "two cards": "two cards lie on section {section} of {team}, one of them {extra}'s",
    "wants to repair": "{player} wants to repair",
    "wrong pile": "cards of {player} lie on the teammate's pile",
}
"""What each word says, of all boxes; `{subject}` is the piece or player that is told of."""

FULLER = {
    "recount": ("player", "{player}'s {pile} was counted: {count}"),
    "decision": ("text", "the table decides: {text}"),
}
"""What a word says where a field that may be left out is there."""
MORE: Mapping[str, str] = {
    "card": "({card})",
    "larger": "the larger part on section {larger}",
    "late_ms": "at least {late_ms} ms after the buzzer",
    "moved_from": "moved there from section {moved_from}",
    "round": "in round {round}",
    "section": "on section {section}",
    "smoke": "it shows {smoke}",
    "state": "it is {state}",
    "window": "{window}",
    "zone": "it stands on {zone}",
}
"""What fields add to a sentence that does not name them."""


def report_in_words(fact: Mapping[str, Json], rulebook: Rulebook[Any]) -> str:
    """A report as a sentence without its end: "Dan laid a card late, on section 3"."""
    what = str(fact.get("what", ""))
    words = {name: _in_words(name, value, rulebook) for name, value in fact.items()}
    words["subject"] = words.get("piece") or words.get("player", "")
    if isinstance(fact.get("count"), int):
        words["count cards"] = counted(int(str(fact["count"])), "card")
    field, fuller = FULLER.get(what, ("", ""))
    said = rulebook.report_sentences.get(what, SENTENCES.get(what, what))
    sentence = fuller if field in words else said
    if any(name not in words for name in _names_in(sentence)):
        sentence = what
    told = {*_names_in(sentence), "what", "subject", "counted"}
    if "subject" in _names_in(sentence):
        told |= {"piece", "player"}
    if "count cards" in told:
        told.add("count")
    more = [
        MORE.get(name, f"{name.replace('_', ' ')} {{{name}}}").format_map(words)
        for name in fact
        if name not in told
    ]
    return ", ".join((sentence.format_map(words) if sentence != what else what, *more))


def reported_in_words(fact: Mapping[str, Json], rulebook: Rulebook[Any]) -> str:
    """What the table reported: "Reported: Cleo laid a card late, on section 3."."""
    if fact.get("what") == "solved":
        return f"The notice {fact.get('code')} is solved."
    return f"Reported: {report_in_words(fact, rulebook)}."


def _names_in(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def _in_words(name: str, value: Json, rulebook: Rulebook[Any]) -> str:
    """A field as people say it: a person for a seat, a token for its code."""
    if name == "smoke":
        return "smoke" if value else "no smoke"
    said = str(value)
    if name in ("player", "team", "extra"):
        names = rulebook.spoken_names()
        seats = {names[who].lower(): who for who in reversed([*names])}
        seats.update((str(seat).lower(), who) for seat, who in rulebook.named.items())
        return seats.get(said.strip().lower(), said)
    if name == "piece":
        plan: BoardPlan | None = getattr(rulebook, "plan", None)  # a game may have no boards
        if plan is None:
            return said
        labels = {str(piece): token.label for piece, token in plan.token_of.items()}
        return labels.get(said.strip().lower(), said)
    if name == "pile":
        return said.strip().replace("-", " ")
    if name == "window":
        names = rulebook.position.moment_names
        moment = spelt_like(said, names)
        return f"at the moment “{said.strip()}”" if moment is None else names[moment]
    return said.strip().rstrip(".")
