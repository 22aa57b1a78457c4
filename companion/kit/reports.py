"""Reports for any box: their fields checked, the usual ones judged, and all told in sentences.

A report is {"what": WORD, ...}. A box lists its words with their fields ("?" after one that may be
left out) and a judge for each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from string import Formatter
from typing import TYPE_CHECKING, Any, TypeVar

from companion.core.errors import BadCall
from companion.core.ruling import TABLE, Level, Notice, Seat
from companion.core.text import counted, listed, one_of, quoted, spelt_like
from companion.match.rulebook import Phrase

if TYPE_CHECKING:
    from companion.core.board import BoardPlan
    from companion.core.ruling import Cite, Json
    from companion.match.rulebook import Position, Rulebook


GameT = TypeVar("GameT")
Fields = Mapping[str, "Json"]
Words = Mapping[str, Sequence[str]]
Judges = Mapping[str, Callable[[GameT, Fields], Notice]]

CORRECT = "Count again, or let the arbiter adjust the record to what lies there."

READ_OFF = ("count", "cards", "zone", "state", "smoke", "side")
"""Fields that tell what was read off the table; the others name what was looked at."""


def is_read_off(fact: Fields) -> bool:
    """Whether a report compares the table with the record, so that either may be put right."""
    return not fact.keys().isdisjoint(READ_OFF)


def is_of_the_moment(fact: Fields) -> bool:
    """Whether a report concerns its round alone, and not what still lies on the table.

    >>> is_of_the_moment({"what": "drew", "count": 1}), is_of_the_moment({"what": "late card"})
    (True, True)
    >>> is_of_the_moment({"what": "track side", "team": "Jaws", "smoke": True})
    False
    """
    return fact.get("what") == "drew" or not is_read_off(fact)


def is_of_the_same(fact: Fields, other: Fields) -> bool:
    """Whether two reports looked at the same thing, whatever they saw.

    >>> hull = {"what": "recount", "player": "A", "pile": "hull", "count": 1}
    >>> is_of_the_same(hull, {**hull, "player": "a", "count": 3})
    True
    >>> is_of_the_same(hull, {**hull, "pile": "energy"})
    False
    """
    return is_read_off(fact) and _looked_at(fact) == _looked_at(other)


def _looked_at(fact: Fields) -> dict[str, str]:
    return {name: _plain(value) for name, value in fact.items() if name not in READ_OFF}


def _plain(value: Json) -> str:
    return str(value).strip().lower()


def settled(agreeing: Notice) -> Notice:
    """The notice that replaces a block or warning once table and record agree."""
    way_out = "That settles what was reported: it holds nothing up any more."
    return replace(agreeing, level=Level.NOTE, way_out=way_out)


def ways_on(notice: Notice, fact: Fields) -> str:
    """Everything that lifts a block, in a sentence."""
    solved = f"says that it is solved (report solved, code {notice.code})"
    if is_read_off(fact):
        return (
            "Play goes on when somebody looks again and reports what the record has, when the "
            "arbiter corrects the record to what was reported or undoes the report, or when "
            f"the arbiter {solved}."
        )
    way_out = f"{notice.way_out} " if notice.way_out else ""
    return f"{way_out}Play goes on when the arbiter {solved}, or undoes the report."


def judged(game: GameT, fact: Fields, words: Words, judges: Judges[GameT]) -> Notice:
    """What a report means for the position; BadCall where it is none."""
    what = fact.get("what")
    judge = judges.get(what) if isinstance(what, str) else None
    if judge is None or not isinstance(what, str):
        raise no_such_report(fact, words)
    refuse_fields(what, words[what], fact)
    return judge(game, fact)


def no_such_report(fact: Fields, words: Iterable[str]) -> BadCall:
    """The refusal of a report without a known word."""
    known = ", ".join(words)
    if "what" not in fact:
        return BadCall(f'the report lacks "what", which is one of {known}')
    return BadCall(f"nobody reports {quoted(fact['what'])}; the words are {known}")


def refuse_fields(what: str, fields: Sequence[str], fact: Fields) -> None:
    """Fields that the word has not and those that it lacks; BadCall names all of them at once."""
    needed = [name for name in fields if not name.endswith("?")]
    optional = [name.removesuffix("?") for name in fields if name.endswith("?")]
    lacking = [name for name in needed if name not in fact]
    unknown = sorted(fact.keys() - {"what", *needed, *optional})
    wrong = [f"lacks {listed(lacking)}"] if lacking else []
    wrong += [f"has no field {listed(unknown)}"] if unknown else []
    if wrong:
        told = ", ".join((f'"what": "{what}"', *(f'"{name}": …' for name in needed)))
        more = f", if need be with {listed(optional)}" if optional else ""
        how = f"it is told as {{{told}}}{more}"
        raise BadCall(f"the report {what!r} {', and '.join(wrong)}; {how}")


def number_in(fact: Fields, name: str, most: int, least: int = 0) -> int:
    """A whole number from the least to the most allowed; BadCall otherwise."""
    raw = fact.get(name)
    if isinstance(raw, bool) or not isinstance(raw, int) or not least <= raw <= most:
        raise BadCall(f"{name}: {raw!r} is not a whole number from {least} to {most}")
    return raw


def named_in(fact: Fields, name: str, read: Callable[[object], str]) -> str:
    """What a reader of names makes of a field; BadCall with its words."""
    try:
        return read(fact[name])
    except ValueError as wrong:
        raise BadCall(f"{name}: {wrong}") from wrong


def seat_in(fact: Fields, read: Callable[[object], Seat], there: Sequence[Seat]) -> Seat:
    """Whom a report is about; BadCall where nobody sits there."""
    try:
        seat = read(fact["player"])
    except ValueError as wrong:
        raise BadCall(f"player: {wrong}") from wrong
    if seat not in there:
        raise BadCall(f"player: nobody sits at {seat}; there are {', '.join(there)}")
    return seat


def lettered_seat_in(fact: Fields, there: Sequence[Seat]) -> Seat:
    """Whom a report is about, where seats are letters; BadCall where nobody sits there.

    >>> lettered_seat_in({"player": " b "}, (Seat("A"), Seat("B")))
    'B'
    """
    raw = fact["player"]
    seat = Seat(raw.strip().upper()) if isinstance(raw, str) else Seat("")
    if seat not in there:
        raise BadCall(f"player: {raw!r} is none of {', '.join(there)}")
    return seat


def left_after_the_end(code: str, who: str, cite: Cite) -> Notice:
    """Somebody leaves when the match has ended: what stood at its end stays as it is."""
    return Notice(code, f"{who} has left; the match had ended before.", cite, Level.NOTE)


def agrees(code: str, what: str, cite: Cite) -> Notice:
    """The notice that says that the record agrees with what was reported."""
    return Notice(code, f"As recorded: {what}.", cite, Level.NOTE)


def decision(code: str, fact: Fields, cite: Cite) -> Notice:
    """What the table decides against the book, told openly; BadCall where it says nothing."""
    raw = fact.get("text", "the book is overruled")
    if not isinstance(raw, str) or not raw.strip():
        raise BadCall(f'text: {raw!r} is no decision; say it in words, as in "we place it anew"')
    text = f"Table decision: {raw.strip().rstrip('.')}."
    way_out = "Correct the record with an adjustment, so that it shows."
    return Notice(code, text, cite, Level.NOTE, way_out)


# The usual reports: of any box whose position tells its piles, counters and pieces.

USUAL: Words = {
    "recount": ("player?", "pile", "count"),
    "missing": ("piece",),
    "decision": ("text?",),
}
"""Each word with its fields; "?" after one that may be left out."""
MOST_COUNTED = 999


def countable(position: Position) -> Mapping[tuple[Seat, str], int]:
    """What can be counted on the table, by whose it is: cards in piles, and numbers of tokens."""
    counters = {
        (fact.seat, fact.name.rpartition(".")[2]): fact.value
        for fact in position.counters()
        if isinstance(fact.value, int)
    }
    return {**position.pile_counts(), **counters}


def usual_report(rules: Rulebook[Any], letters: str, fact: Fields) -> Notice:
    """What a usual report means under these rules; codes begin with the box's `letters`."""
    judges: Judges[Rulebook[Any]] = {"recount": _recount, "missing": _missing, "decision": _decided}
    notice = judged(rules, fact, USUAL, judges)
    return replace(notice, code=f"{letters}-{notice.code}")


def _recount(rules: Rulebook[Any], fact: Fields) -> Notice:
    """A pile, or a player's tokens, against the record."""
    counts, seat = countable(rules.position), TABLE
    if "player" in fact:
        there = rules.seats_taken()
        seat = seat_in(fact, lambda raw: Seat(one_of(raw, there, "seat")), there)
    own = [name for owner, name in counts if owner == seat]
    pile = named_in(fact, "pile", lambda raw: one_of(raw, own, "pile that is counted here"))
    seen, recorded = number_in(fact, "count", MOST_COUNTED), counts[seat, pile]
    whose = "the" if seat == TABLE else f"{rules.who(seat)}'s"
    what = f"{whose} {rules.position.pile_names.get(pile, pile)}: {seen} counted"
    if seen == recorded:
        return agrees("AGREES", what, rules.corrections)
    text = f"{what[:1].upper()}{what[1:]}, the record has {recorded}."
    return Notice("COUNT", text, rules.corrections, Level.BLOCK, CORRECT)


def _missing(rules: Rulebook[Any], fact: Fields) -> Notice:
    """A piece that is gone from the boards."""
    called = {str(piece): piece for piece in rules.plan.token_of}
    called |= {token.label: piece for piece, token in rules.plan.token_of.items()}
    piece = called[named_in(fact, "piece", lambda raw: one_of(raw, called, "piece"))]
    name, recorded = rules.plan.token_of[piece].label, rules.position.placement().get(piece)
    if recorded is None:
        return agrees("AGREES", f"{name} is off the boards", rules.corrections)
    there = rules.plan.said_of(recorded)
    text = f"{name} is gone; the record has it on {there}."
    way_out = f"Put it back on {there}, or let the arbiter correct it."
    return Notice("SEEN", text, rules.corrections, Level.BLOCK, way_out)


def _decided(rules: Rulebook[Any], fact: Fields) -> Notice:
    return decision("TABLE", fact, rules.corrections)


# Reports as people begin them: what is wrong, before anybody is named.

PHRASES: Mapping[str, Phrase] = {
    "acted": Phrase("Somebody acted out of turn"),
    "board side": Phrase("A View Board shows another side"),
    "card": Phrase("Somebody plays a card in between"),
    "card down": Phrase("A card lies face down already"),
    "card exposed": Phrase("A card was seen too early"),
    "card on empty section": Phrase("A card lies where none was told"),
    "card on the wrong track": Phrase("A card lies on the other track"),
    "card taken back": Phrase("Somebody took a card back"),
    "cannot draw": Phrase("Somebody cannot draw"),
    "cannot scrap": Phrase("Somebody cannot scrap enough"),
    "cards counted": Phrase("A section has more or fewer cards"),
    "cards face up": Phrase("Cards of a solo player lie face up"),
    "condition rolled": Phrase("Somebody rolled for a condition"),
    "damage": Phrase("More or less damage was dealt"),
    "damage taken": Phrase("Somebody took more or less damage"),
    "decides": Phrase("Somebody decides on the defence"),
    "decision": Phrase("The table decides otherwise"),
    "deck": Phrase("The deck's count is wrong"),
    "declines to repair": Phrase("Somebody will not repair"),
    "declines to resolve": Phrase("A team will not carry a card out"),
    "discard pile": Phrase("The discard pile's count is wrong"),
    "dogfight": Phrase("Somebody starts a dogfight"),
    "doubled section": Phrase("Two cards lie on one section"),
    "drew": Phrase("Somebody drew too many cards"),
    "gunsight": Phrase("Other dice lie on the Gunsight"),
    "late card": Phrase("A card came late"),
    "leaves": Phrase("Somebody leaves the table"),
    "misdrawn": Phrase("Somebody drew too many or too few"),
    "missing": Phrase("A piece is gone from the board"),
    "mistake found": Phrase("An earlier round went wrong"),
    "moon draw": Phrase("Somebody draws for the Moon"),
    "ordered": Phrase("Somebody put events in order"),
    "owner": Phrase("A card is somebody else's"),
    "pile counted": Phrase("A pile's count is wrong"),
    "rearranged": Phrase("Somebody moved set cards"),
    "recount": Phrase("A pile's count is wrong", ("player",)),
    "retired": Phrase("Somebody leaves the table"),
    "says none": Phrase("Somebody says: I laid no card"),
    "shuffle to draw": Phrase("Somebody shuffles in order to draw"),
    "straddling card": Phrase("A card lies across two sections"),
    "timer interrupted": Phrase("The timer was interrupted"),
    "token": Phrase("A plane stands elsewhere", ("zone",)),
    "token twice": Phrase("A piece stands there twice"),
    "tokens": Phrase("The number of tokens is wrong"),
    "track side": Phrase("A track shows another side"),
    "turned too early": Phrase("A section was turned too early"),
    "two cards": Phrase("A second card lies on a section"),
    "wants to repair": Phrase("Somebody wants to repair"),
    "wrong pile": Phrase("Cards lie on the teammate's pile"),
}
"""How people say each word of all boxes; other words are told as they are."""

ASKED: Mapping[str, str] = {
    "cards": "How many cards?",
    "count": "How many?",
    "dice": "How many dice?",
    "extra": "Whose is the second card?",
    "pile": "Which pile?",
    "piece": "Which piece?",
    "player": "Who?",
    "round": "Which round was it?",
    "second": "And which other section?",
    "section": "Which section?",
    "side": "Which side shows?",
    "smoke": "Does it show smoke?",
    "team": "Which team?",
    "window": "At which moment?",
    "zone": "Where does it stand?",
}
"""What is asked for each field of a report."""

USUALLY = ("token", "missing", "late card", "pile counted", "recount", "drew", "decision")
MOST_LIKELY = 3


def phrase_of(rulebook: Rulebook[Any], what: str) -> Phrase:
    """How people at this table say a word."""
    usual = PHRASES.get(what, Phrase(what[:1].upper() + what[1:]))
    return rulebook.reporting.phrases.get(what, usual)


def asked_of(rulebook: Rulebook[Any], what: str) -> Mapping[str, bool]:
    """The fields to ask for, in the word's order, and whether each must be told.

    Of those that may be left out only the ones without which it would say too little.
    """
    asks = phrase_of(rulebook, what).asks
    fields = rulebook.report_words()[what]
    names = {name.removesuffix("?"): not name.endswith("?") for name in fields}
    return {name: needed for name, needed in names.items() if needed or name in asks}


def likely_reports(rulebook: Rulebook[Any]) -> tuple[Sequence[str], Sequence[str]]:
    """The few words that are reported most at this moment, and all others."""
    words, likely = [*rulebook.report_words()], rulebook.reporting.likely
    phases = [_unnumbered(place) for place in reversed(rulebook.position.where())]
    first = next((likely[phase] for phase in phases if phase in likely), likely.get("", USUALLY))
    few = [word for word in first if word in words]
    few += [word for word in words if word not in few]
    return few[:MOST_LIKELY], [word for word in words if word not in few[:MOST_LIKELY]]


def _unnumbered(place: str) -> str:
    """A place of the book without its number.

    >>> _unnumbered("section-2"), _unnumbered("set-up")
    ('section', 'set-up')
    """
    name, _, number = place.rpartition("-")
    return name if number.isdecimal() else place


# Reports as sentences with people's names.

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
