"""Who sits at a seat of a new match, and what they bring: touched, where the record knows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.core.ruling import Seat
from ui.scene.draft import next_unnamed, offered_to, persons_of, rules_of, seat_faults
from ui.scene.scene import Situation, pages_of, quiet_frame, recent_keys
from ui.scene.theme import Caps, Colour
from ui.scene.values import Key, KeyLook, Mark, Message, ScreenFrame, Side
from ui.scene.words import Names
from ui.screens.page import Page, Parts
from ui.touch.actions import EditName, Panel, SetupChoice, Show
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.words import Words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.match.rulebook import Bringing, Rulebook
    from ui.touch.view import SetupDraft, View

SEAT, SIT, BRINGS = "seat.", "sit.", "brings."
"""How the part of the panel begins that names a seat; and how what is chosen for a seat does."""
TO_MATCH = Show(Panel.NEW_MATCH)
PLAYERS_A_PAGE, WITH_GOODS = 12, 8
"""Known players on a page; fewer where the seat also chooses what it brings."""
LONG = 16
"""Letters of a name that needs both lines of its key."""


@dataclass(frozen=True, slots=True)
class Goods:
    """One thing that the seat brings, as a ship: what it is called, and a key for each there is."""

    title: str
    keys: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class SeatState:
    """One seat: known players as keys, the most recent first, and what the seat brings."""

    frame: ScreenFrame
    side: Side
    players: tuple[Key, ...]
    goods: tuple[Goods, ...] = ()
    page: int = 1
    pages: int = 1


def present_seat(situation: Situation, view: View) -> SeatState:
    """The seat that the panel's part names; the first where it is no seat of this game."""
    draft, rulebook = view.setup, rules_of(view.setup)
    seats = persons_of(draft, rulebook)
    seat = Seat(view.part.removeprefix(SEAT))
    seat = seat if seat in seats else next(iter(seats))
    names = Names.of(rulebook, {})
    said = dict(draft.seats).get(seat, "")
    person = rulebook.person(said)
    goods = _goods(situation, draft, rulebook, seat)
    known = [_player(name, seat, draft, rulebook) for name in known_players(situation)]
    shown, page, pages = pages_of(known, view.page, WITH_GOODS if goods else PLAYERS_A_PAGE)
    fault = seat_faults(draft, rulebook).get(seat, "")
    side = names.side(seat) or Side(seats[seat])
    typing = _letters(seat, seats[seat], rulebook, person)
    keys = (Key("Back", TO_MATCH, sign="back"), *recent_keys(page, pages))
    return SeatState(
        quiet_frame(
            situation,
            view,
            seats[seat].upper(),
            person or "nobody is named yet",
            keys=keys,
            message=Message(fault, mark=Mark.BAD) if fault else _message(known),
            next_key=_next(draft, seat, seats, fault),
        ),
        side,
        (Key("Type a name", typing, sign="pen"), _nobody(seat, person), *shown),
        goods,
        page,
        pages,
    )


def _message(known: Sequence[Key]) -> Message:
    if known:
        return Message()
    return Message("The record knows nobody yet.", "Who plays is here the next time.")


def known_players(situation: Situation) -> tuple[str, ...]:
    """Whoever was named in a match of the record, the most recent first; bots are nobody."""
    named: dict[str, str] = {}
    for match in situation.matches:
        for name in match.people if not match.demonstration else ():
            named.setdefault(name.casefold(), name)
    return tuple(named.values())


def seat_opens(
    situation: Situation, draft: SetupDraft, rulebook: type[Rulebook[Any]], seat: Seat
) -> EditName | Show:
    """What a touch of a seat opens: the letters at once, where there is nothing to choose."""
    person = rulebook.person(dict(draft.seats).get(seat, ""))
    if person or known_players(situation) or _goods(situation, draft, rulebook, seat):
        return Show(Panel.NEW_MATCH, f"{SEAT}{seat}")
    return _letters(seat, persons_of(draft, rulebook)[seat], rulebook)


def _letters(seat: Seat, label: str, rulebook: type[Rulebook[Any]], person: str = "") -> EditName:
    side = Names.of(rulebook, {}).side(seat) or Side(label)
    return EditName(f"{SEAT}{seat}", label, side.name, person)


def _player(name: str, seat: Seat, draft: SetupDraft, rulebook: type[Rulebook[Any]]) -> Key:
    """Touched they sit here; who sits elsewhere moves, and who sat here takes their place."""
    at = next(
        (
            other
            for other, text in draft.seats
            if rulebook.person(text).casefold() == name.casefold()
        ),
        "",
    )
    look = KeyLook.CHOSEN if at == seat else KeyLook.PLAIN
    label = persons_of(draft, rulebook).get(Seat(at), "") if at and at != seat else ""
    second = f"now {label}" if label and len(name) <= LONG else ""
    return Key(name, SetupChoice(f"{SIT}{seat}", name), second, look=look)


def _nobody(seat: Seat, person: str) -> Key:
    if not person:
        return Key("Nobody", None, "no name yet", "erase", KeyLook.IMPOSSIBLE)
    return Key("Nobody", SetupChoice(f"{SEAT}{seat}", ""), "as the seat", "erase")


def _next(draft: SetupDraft, seat: Seat, seats: Mapping[Seat, str], fault: str) -> Key:
    """On to the next seat without a name, else back to the match."""
    if fault:
        return Key("Next seat", None, "another name first", "next", KeyLook.IMPOSSIBLE)
    following = next_unnamed(draft, seat)
    if not following or following == seat:
        return Key("Done", TO_MATCH, "to New match", "next", KeyLook.GO)
    action = Show(Panel.NEW_MATCH, f"{SEAT}{following}")
    return Key("Next seat", action, seats[Seat(following)], "next", KeyLook.GO)


# -- what is brought -------------------------------------------------------------------------------


def brought_in_words(offered: Sequence[Bringing], said: str, rulebook: type[Rulebook[Any]]) -> str:
    """What a seat brings that is not the usual: "Cruiser, Club deck"."""
    chosen = zip(offered, rulebook.brought(said), strict=False)
    return ", ".join(dict(one.values).get(value, value) for one, value in chosen if value)


def _goods(
    situation: Situation, draft: SetupDraft, rulebook: type[Rulebook[Any]], seat: Seat
) -> tuple[Goods, ...]:
    offered = offered_to(rulebook, situation.own_figures.get(draft.box, {}))
    brought = [*rulebook.brought(dict(draft.seats).get(seat, "")), *("" for _ in offered)]

    def key(n: int, value: str, words: str) -> Key:
        look = KeyLook.CHOSEN if value == brought[n] else KeyLook.PLAIN
        return Key(words, SetupChoice(f"{BRINGS}{seat}.{n}", value), look=look)

    return tuple(
        Goods(one.title, tuple(key(n, value, words) for value, words in one.values))
        for n, one in enumerate(offered)
        if len(one.values) > 1
    )


# Layout.

_COLUMNS, _NARROW_COLUMNS = 4, 3
_KEY_HIGH = 72.0
_GOODS_HIGH, _TITLE_WIDE = 60.0, 70.0


def layout(state: SeatState, page: Page) -> Parts:
    """Names in rows of four, in portrait of three; under them what the seat brings."""
    room, body = page.refused(page.body, state.frame.refusal)
    if state.frame.refusal is not None:
        yield from page.refusal(room, state.frame.refusal)
    goods_high = (_GOODS_HIGH + 6) * len(state.goods)
    yield from _goods_parts(state, body.below(body.high - goods_high), page)
    names = body.top(body.high - goods_high)
    across = _NARROW_COLUMNS if page.portrait else _COLUMNS
    down = max(1, -(-len(state.players) // across))
    high = min(_KEY_HIGH, (names.high - 6 * (down - 1)) / down)
    for n, key in enumerate(state.players):
        row = Box(names.x, names.y + n // across * (high + 6), names.wide, high)
        place = row.columns([1] * across, gap=6)[n % across]
        yield f"player/{n}", key_cap(place, key, caps=18)
    yield from page.around(state.frame, pages=(state.page, state.pages))


def _goods_parts(state: SeatState, room: Box, page: Page) -> Parts:
    wide = _TITLE_WIDE * (0.65 if page.portrait else 1.0)
    for n, one in enumerate(state.goods):
        row = Box(room.x, room.y + 6 + n * (_GOODS_HIGH + 6), room.wide, _GOODS_HIGH)
        yield (
            f"goods/{n}",
            Words(box=row.left(wide), text=one.title, caps=Caps.BODY, tint=Colour.INK2),
        )
        places = row.beside(wide + 6).columns([1] * max(4, len(one.keys)), gap=6)
        for at, (place, key) in enumerate(zip(places, one.keys, strict=False)):
            yield f"goods/{n}/{at}", key_cap(place, key, caps=14 if page.portrait else Caps.BODY)
