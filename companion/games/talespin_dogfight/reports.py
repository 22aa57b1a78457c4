"""Reports of the TaleSpin dogfight: what the table saw and no question asked, and the reply.

What people report comes first, then where the camera sees the ring otherwise than the record.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.core.errors import BadCall
from companion.core.offers import SeenState
from companion.core.question import Refusal
from companion.core.ruling import TABLE, BrokenOff, Carry, Cite, Level, Notice, Seat
from companion.core.text import counted, one_of
from companion.games.talespin_dogfight import seats
from companion.games.talespin_dogfight.boards import in_words
from companion.games.talespin_dogfight.position import MOST_CARDS
from companion.games.talespin_dogfight.refusals import numbers_in, title_in
from companion.games.talespin_dogfight.seats import seat_named
from companion.games.talespin_dogfight.steps import (
    NAMES_OF_STEPS,
    SET_UP,
    STEPS,
    WINDOWS,
    is_before,
)
from companion.kit.comparing import RESTORE, differing
from companion.kit.reports import (
    CORRECT,
    Fields,
    Judges,
    agrees,
    decision,
    judged,
    left_after_the_end,
    named_in,
    number_in,
    seat_in,
)
from companion.match.rulebook import Phrase, Reporting

if TYPE_CHECKING:
    from companion.core.board import Piece, Pose
    from companion.core.offers import Seen, Sighting
    from companion.core.question import Question
    from companion.core.ruling import Json
    from companion.games.talespin_dogfight.position import TalespinPosition
    from companion.games.talespin_dogfight.starting import Starting

WORDS: Mapping[str, Sequence[str]] = {
    "dogfight": ("player",),
    "card": ("player", "window", "card?"),
    "decides": ("player",),
    "drew": ("player", "count"),
    "damage": ("count",),
    "recount": ("player?", "pile", "count"),
    "missing": ("piece",),
    "retired": ("player",),
    "decision": ("text?",),
}
"""Each word with its fields; "?" after one that may be left out."""

REPORTING = Reporting(
    {
        "set-up": ("recount", "drew", "missing"),
        "announce": ("dogfight", "recount", "missing"),
        "": ("card", "recount", "drew"),
    },
    {"drew": Phrase("Somebody drew cards")},
    {"window": tuple(WINDOWS)},
)
"""What is reported most in each phase, and how people put it."""

AGREES = "TS-AGREES"
"""The code of a note that what was reported is as recorded."""

_TURN = Cite.of("TS-101, RULING 3")
_WINDOW = Cite.of("TS-WIN-01, TS-WIN-03")
_TEXT = Cite.of("TS-WIN-01")
_CLOSED = Cite.of("RULING 1")
_DECIDES = Cite.of("TS-105")
_FIRST = Cite.of("TS-201, TS-225")
_LEFT = Cite.of("RULING 19")
_DRAWS = Cite.of("TS-108, TS-109")
_LIMIT = Cite.of("TS-108, RULING 5")
_DAMAGE = Cite.of("TS-304, TS-305")
_CARDS = Cite.of("TS-108, RULING 5")
_RING = Cite.of("TS-102, RULING 2")


def judge_report(game: Starting, fact: Mapping[str, Json]) -> Notice:
    """What a report means for the position; BadCall where it is none."""
    return judged(game, fact, WORDS, _JUDGES)


def not_asked(game: Starting, seat: Seat, raw: Json, asked: Question[Any]) -> Refusal | None:
    """Why a player may not act while another is asked.  (TS-WIN-01, TS-WIN-03)"""
    position, by = game.position, asked.by
    if seat not in position.players or by == TABLE:
        return None
    who, due = game.who(seat), position.due()
    if seat in position.left:
        return Refusal("TS-E-WHO", f"{who} has left the table, and is not asked.", _LEFT)
    if due is None or by != due or seat == due:
        text = f"{who} is not asked now: {game.who(by)} is. Wait for it."
        return Refusal("TS-E-WHO", text, asked.cite if due is None else Cite.of(position.now.rule))
    if (
        position.step == "instead-answer-1"
        and seat == position.attacker
        and _is_maneuver(raw, game)
    ):
        text = f"{who}'s first maneuver is the one printed on {position.card}, no card of the hand."
        return Refusal("TS-E-FIRST", f"{text} {game.who(by)} answers it now.", _FIRST)
    notice = None
    if position.step == "announce":
        notice = _dogfight(game, {"player": seat})
    elif position.now.window:
        notice = _card(game, {"player": seat, "window": position.now.window})
    if notice is not None:
        return Refusal(notice.code, f"{notice.text} {notice.way_out}", notice.cite)
    text = f"{who} is not asked now: this step is {game.who(due)}'s. Wait for it."
    return Refusal("TS-E-WHO", text, Cite.of(position.now.rule))


def _is_maneuver(raw: Json, game: Starting) -> bool:
    return title_in(raw, game.table.maneuvers) is not None or bool(numbers_in(raw))


def _seat(game: Starting, fact: Fields) -> Seat:
    return seat_in(fact, seat_named, tuple(game.position.players))


def _dogfight(game: Starting, fact: Fields) -> Notice:
    """Somebody announces a dogfight, out of turn or beyond what a turn has.  (RULING 3)"""
    seat, position = _seat(game, fact), game.position
    who = game.who(seat)
    if position.on_turn not in (None, seat):
        text = f"{who} is not on turn and starts no dogfight; {game.who(position.attacker)} is."
        return Notice("TS-E-TURN", text, _TURN, Level.WARN, "Take the card back.")
    if position.step not in (SET_UP, "announce"):
        limit = game.options["max_dogfights_per_turn"]
        text = f"{who} has started a dogfight already; a turn has {limit}, one after the other."
        return Notice("TS-E-TURN", text, _TURN, Level.WARN, "Take the card back.")
    return agrees(AGREES, f"{who} may start a dogfight", _TURN)


def _card(game: Starting, fact: Fields) -> Notice:
    """Somebody plays a card at a moment: the right one, another's, too early or too late."""
    seat = _seat(game, fact)
    window = named_in(fact, "window", lambda raw: one_of(raw, WINDOWS, "window"))
    wrong = _wrong_text(game, fact, window)
    if wrong is not None:
        return wrong
    own = [name for name in NAMES_OF_STEPS if _has_window(game, seat, name, window)]
    now, who = game.position.step, game.who(seat)
    if now in own and game.position.due() == seat:
        return agrees(AGREES, f"the window is {who}'s; name the card", _WINDOW)
    if (own and all(is_before(name, now) for name in own)) or seat in game.position.spoken:
        text = f"{who}'s window {WINDOWS[window]} is closed: it does not open again."
        return Notice("TS-E-CLOSED", text, _CLOSED, Level.WARN, "Take the card back.")
    if not own or STEPS[now].window == window:
        whose = game.position.due()
        there = f"; it is {game.who(whose)}'s" if whose is not None else ""
        text = f"{who} has no window {WINDOWS[window]} now{there}."
        return Notice("TS-E-WHO", text, _WINDOW, Level.WARN, "Take the card back.")
    text = f"{who}'s window {WINDOWS[window]} comes later."
    return Notice("TS-E-ORDER", text, _WINDOW, Level.WARN, "Take the card back until then.")


def _wrong_text(game: Starting, fact: Fields, window: str) -> Notice | None:
    """A card whose text names other moments."""
    if "card" not in fact:
        return None
    title = named_in(fact, "card", lambda raw: one_of(raw, game.table.windows, "card of a window"))
    if window in game.table.windows[title].windows:
        return None
    text = f"{title} does not say that it is played {WINDOWS[window]}."
    return Notice("TS-E-WINDOW", text, _TEXT, Level.WARN, "Take the card back.")


def _has_window(game: Starting, seat: Seat, name: str, window: str) -> bool:
    step = STEPS[name]
    return step.window == window and step.role == (game.position.role_of(seat) or seats.OTHERS)


def _decides(game: Starting, fact: Fields) -> Notice:
    """Somebody else says whether the defender defends."""
    seat, position = _seat(game, fact), game.position
    if position.step == "defend" and seat == position.defender:
        return agrees(AGREES, f"{game.who(seat)} decides", _DECIDES)
    text = f"{game.who(seat)} does not decide about defending now."
    return Notice("TS-E-WHO", text, _DECIDES, Level.WARN, "Wait for the defender's word.")


def _drew(game: Starting, fact: Fields) -> Notice:
    """Cards drawn that nobody was told to draw, or more of them, or fewer."""
    seat, count = _seat(game, fact), number_in(fact, "count", MOST_CARDS)
    who, due = game.who(seat), _due_last(game, seat)
    if count == due:
        return agrees(AGREES, f"{who} draws {due}", _DRAWS)
    if not due:
        text = f"{who} is not told to draw."
        way_out = f"Put {counted(count, 'card')} back on top of the draw pile."
        return Notice("TS-E-ORDER", text, _DRAWS, Level.WARN, way_out)
    text = f"{who} drew {count}; {due} {'is' if due == 1 else 'are'} due."
    if count > due:
        return Notice("TS-E-HANDMAX", text, _LIMIT, Level.WARN, f"Put {count - due} back.")
    return Notice("TS-E-COUNT", text, _LIMIT, Level.WARN, f"Draw {due - count} more.")


def _due_last(game: Starting, seat: Seat) -> int:
    """How many cards a player was told to draw last; none yet is 0."""
    for ruling in reversed(game.said):
        carries = (deed for deed in ruling.deeds if isinstance(deed, Carry))
        drawn = [
            carry.count
            for carry in carries
            if (carry.owner, carry.source, carry.target) == (seat, seats.DRAW, seats.HAND)
        ]
        if drawn:
            return sum(drawn)
    return 0


def _damage(game: Starting, fact: Fields) -> Notice:
    """How many Damage were dealt out, against the total."""
    count, position = number_in(fact, "count", MOST_CARDS), game.position
    total = position.damage_total() + position.owes_extra()
    if position.step != "damage":
        raise BadCall(f"damage: none is dealt at {position.step} [TS-304]")
    if count == total:
        return agrees(AGREES, f"{counted(total, 'Damage', 'Damage')} in all", _DAMAGE)
    text = f"{count} Damage were dealt; the maneuvers have {total} in all."
    return Notice("TS-E-COUNT", text, _DAMAGE, Level.BLOCK, CORRECT)


def _recount(game: Starting, fact: Fields) -> Notice:
    """A pile that was counted, against the record."""
    position, seen = game.position, number_in(fact, "count", MOST_CARDS)
    if fact.get("player") is not None:
        seat = _seat(game, fact)
        pile = named_in(
            fact, "pile", lambda raw: one_of(raw, (seats.HAND, seats.PACKED, seats.OPEN), "pile")
        )
        where = {seats.HAND: "hand", seats.PACKED: "packed cargo", seats.OPEN: "open cargo"}[pile]
        what = f"{game.who(seat)}'s {where} counts {counted(seen, 'card')}"
        recorded = position.count(seat, pile)
    else:
        pile = named_in(
            fact, "pile", lambda raw: one_of(raw, (seats.DRAW, seats.DISCARD), "common pile")
        )
        what, recorded = f"the {pile} pile has {counted(seen, 'card')}", position.piles[pile]
    if seen == recorded:
        return agrees(AGREES, what, _CARDS)
    text = f"{what[0].upper()}{what[1:]}; the record has {recorded}."
    return Notice("TS-COUNT", text, _CARDS, Level.BLOCK, CORRECT)


def _missing(game: Starting, fact: Fields) -> Notice:
    """A plane that is gone from the ring."""
    labels = {str(label): piece for piece, label in seats.LABELS.items()}
    theirs = {str(seat): token for seat, token in seats.TOKENS.items()}
    named = {**labels, **theirs, **{str(piece): piece for piece in seats.LABELS}}
    piece = named[named_in(fact, "piece", lambda raw: one_of(raw, named, "token"))]
    recorded, name = game.position.placement().get(piece), game.position.labels[piece]
    if recorded is None:
        return agrees(AGREES, f"{name} is on no location", _RING)
    there = in_words(recorded.space)
    text = f"{name} is gone; the record has it on {there}."
    way_out = f"Put it back on {there}, or let the arbiter correct it."
    return Notice("TS-SEEN", text, _RING, Level.BLOCK, way_out)


def _retired(game: Starting, fact: Fields) -> Notice:
    """A player leaves the table; who fights has given the dogfight up.  (RULING 19)"""
    seat = _seat(game, fact)
    who = game.who(seat)
    if seat in game.position.left:
        return agrees(AGREES, f"{who} has left the table", _LEFT)
    if game.is_over:
        return left_after_the_end("TS-RETIRED", who, _LEFT)
    text = f"{who} has left the table, and nothing more is asked of {who}."
    notice = Notice("TS-RETIRED", text, _LEFT, Level.NOTE)
    if game.leave(seat):
        raise BrokenOff(notice)
    return notice


def _decision(game: Starting, fact: Fields) -> Notice:
    """What the table decides against the book."""
    return decision("TS-TABLE", fact, game.corrections)


_JUDGES: Judges[Starting] = {
    "dogfight": _dogfight,
    "card": _card,
    "decides": _decides,
    "drew": _drew,
    "damage": _damage,
    "recount": _recount,
    "missing": _missing,
    "retired": _retired,
    "decision": _decision,
}


# Where the table as the camera sees it differs; nobody flies during a dogfight.  (RULING 2)


def compare(
    position: TalespinPosition, sighting: Sighting, lagging: Collection[Piece] = ()
) -> list[Notice]:
    """What a settled picture says against the record; nothing of tokens on their way."""
    return [
        _differs(position.labels[piece], seen, recorded)
        for piece, seen, recorded in differing(position, sighting, lagging)
        if recorded is not None
    ]


def _differs(name: str, seen: Seen, recorded: Pose) -> Notice:
    """One token: unsure, on another location, or not seen."""
    there = in_words(recorded.space)
    if seen.state is SeenState.UNSURE:
        between = " and ".join(map(in_words, seen.spaces)) or "no location"
        text = f"{name} lies between {between}." if len(seen.spaces) > 1 else f"{name}: {between}."
        return Notice("TS-SEEN", text, _RING, Level.WARN, f"The record has it on {there}.")
    if seen.state is SeenState.SEEN and seen.pose is not None:
        text = f"{name} is on {in_words(seen.pose.space)}; the record has it on {there}."
        return Notice("TS-SEEN", text, _RING, Level.WARN, RESTORE)
    text = f"{name} is not seen; the record has it on {there}."
    return Notice("TS-SEEN", text, _RING, Level.NOTE, RESTORE)
