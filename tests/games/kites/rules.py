"""The rules of Kites: two kites on hexes, a hand of gusts each, and strings that are cut."""

from __future__ import annotations

from companion.core.board import looks_by_seat
from companion.core.question import Ready, Reveal, together
from companion.core.ruling import AttackMade, Carry, Cite, Deed, MatchOver, Outcome, Seat
from companion.core.text import counted
from companion.kit.box import SmallBox
from companion.kit.hexes import Heading, hex_plan, range_ahead
from companion.match.house_rules import switches_of
from tests.games.kites.position import (
    DECK,
    DISCARD,
    FLY,
    GUSTS,
    HAND,
    HAND_SIZE,
    KITES,
    LAID,
    LAST_TURN,
    LAY,
    MAP,
    NAMES,
    SEATS,
    SET_UP,
    SHOW,
    STARTS,
    A,
    B,
    KitesPosition,
)

_PLACED, _DRAWN, _LAID = Cite.of("KT-1"), Cite.of("KT-2"), Cite.of("KT-3")
_FLOWN, _CUT, _END = Cite.of("KT-4"), Cite.of("KT-5, RULING 1"), Cite.of("KT-6")


class Kites(SmallBox[KitesPosition]):
    """Lay a gust, turn it over, fly as far as it says, cut the string of who is ahead."""

    box, title, letters, starts = "kites", "Kites", "KT", KitesPosition
    seats = NAMES
    switches = switches_of(
        [("reach", (2, 3), "KT-5, RULING 1", "So many spaces ahead a string is cut.")], sight="KT-4"
    )
    plan = hex_plan("kites", MAP.spaces, {KITES[A]: "Red kite", KITES[B]: "Blue kite"})
    looks = looks_by_seat(KITES, "spad")
    corrections = Cite.of("RULING 2")
    placed = apart = _PLACED

    async def play(self) -> Outcome:
        """Set-up, then turns until a kite is lost or the wind drops.  (KT-1, KT-6)"""
        if self.position.stage == SET_UP:
            self.begin()
            self.set_up()
        while True:
            await self.play_turn()

    def set_up(self) -> None:
        """Both kites face each other, three gusts each.  (KT-1, KT-2)"""
        for seat, place in STARTS.items():
            text = f"{self.who(seat)} starts on {place.name()}."
            self.rule(text, _PLACED, self.put(KITES[seat], place), by=seat)
        dealt = [self.position.carry(seat, HAND_SIZE, DECK, HAND) for seat in SEATS]
        self.rule(f"Shuffle; everybody draws {HAND_SIZE}.", _DRAWN, *dealt, headline="draw 3 each")
        self.position.stage = LAY

    async def play_turn(self) -> None:
        """Lay, turn over, fly, draw.  (KT-3, KT-4)"""
        position = self.position
        if position.stage == LAY:
            self.begin()
            await self.lay_gusts()
        if position.stage == SHOW:
            self.begin()
            await self.show_gusts()
        while (seat := position.due()) is not None:
            self.begin()
            await self.fly(seat)
        self.end_turn()

    async def lay_gusts(self) -> None:
        """Everybody lays one gust face down.  (KT-3)"""
        words = ("lay one gust of your hand face down.", "gust laid?")
        laid = {
            seat: Ready(
                **self.asked(seat, "lay", _LAID, *words), word="down", says="laid",
                deeds=(Carry(seat, 1, HAND, LAID),),
            )
            for seat in SEATS
        }  # fmt: skip
        await together(laid)
        carried = [self.position.carry(seat, 1, HAND, LAID) for seat in SEATS]
        self.rule("Both gusts lie face down.", _LAID, *carried, quiet=True)
        self.position.stage = SHOW

    async def show_gusts(self) -> None:
        """Both are turned over at once.  (KT-3)"""
        words = ("turn your gust over. Which one is it?", "which gust?")
        faces = {gust: int(gust) for gust in GUSTS}
        shown = await together({
            seat: Reveal(**self.asked(seat, "show", _LAID, *words), faces=faces)
            for seat in SEATS
        })  # fmt: skip
        for seat, gust in shown.items():
            self.position.players[seat].gust = gust
        self.position.stage = FLY

    async def fly(self, seat: Seat) -> None:
        """So many spaces as the gust says, each into one of three in front.  (KT-4)"""
        kite = self.position.players[seat]
        ends = self.ends(seat)
        if ends:
            words = (f"fly {counted(kite.gust, 'space')}. Where to?", "fly")
            asked = self.asked(seat, "fly", _FLOWN, *words)
            place = await self.ask_place(KITES[seat], ends, **asked)
            text = f"{self.who(seat)} flies to {place.name()}."
            self.rule(text, _FLOWN, self.put(KITES[seat], place), by=seat,
                      headline=self.head(seat, place.name()))  # fmt: skip
        else:
            text = f"{self.who(seat)} can fly nowhere and stays."
            self.rule(text, _FLOWN, by=seat, headline=self.head(seat, "stays"))
        kite.flown = True
        self.cut(seat)

    def ends(self, seat: Seat) -> list[Heading]:
        """Where a kite may end: on the map, and not on the other's space.  (KT-4)"""
        kite, other = self.position.players[seat], self.position.players[_other(seat)]
        assert kite.place is not None
        assert other.place is not None
        flights = MAP.flights(kite.place, kite.gust, kite.gust)
        return sorted({end for end, _ in flights if end.hex != other.place.hex})

    def cut(self, seat: Seat) -> None:
        """Who is straight ahead and near loses a string, and with the last one the kite.  (KT-5)"""
        kite, other = self.position.players[seat], self.position.players[_other(seat)]
        if kite.place is None or other.place is None:
            return
        away = range_ahead(kite.place, other.place.hex)
        if away is None or away > int(str(self.options["reach"])):
            return
        cut = self.position.set_to(other.seat, "strings", other.strings - 1)
        who, left = self.who(other.seat), counted(other.strings, "string")
        ruling = self.rule(
            f"{self.who(seat)} cuts a string of {who}, who has {left} left.",
            _CUT, cut, by=other.seat,
            headline=self.head(other.seat, "string cut"), struck=(KITES[other.seat],),
            happened=(AttackMade(seat, other.seat, hit=True, reach=f"range {away}"),),
        )  # fmt: skip
        if not other.strings:
            raise MatchOver(Outcome((seat,), ruling))

    def end_turn(self) -> None:
        """Gusts away, one drawn each; after twenty turns the wind drops.  (KT-2, KT-6)"""
        position = self.position
        deeds: list[Deed] = [position.carry(seat, 1, LAID, DISCARD) for seat in SEATS]
        for seat in SEATS:
            if not position.piles[DECK]:
                deeds.append(position.shuffle(DISCARD, DECK))
            deeds.append(position.carry(seat, 1, DECK, HAND))
            position.players[seat].gust, position.players[seat].flown = 0, False
        self.rule(
            "Discard both gusts; everybody draws one.", _DRAWN, *deeds, headline="draw 1 each"
        )
        if position.turn == LAST_TURN:
            self.wind_drops()
        position.turn, position.stage = position.turn + 1, LAY

    def wind_drops(self) -> None:
        """Who has more strings left wins.  (KT-6)"""
        strings = {seat: kite.strings for seat, kite in self.position.players.items()}
        best = [seat for seat in SEATS if strings[seat] == max(strings.values())]
        ruling = self.rule(f"The wind drops after turn {LAST_TURN}.", _END, headline="wind drops")
        raise MatchOver(Outcome(tuple(best) if len(best) == 1 else (), ruling))


def _other(seat: Seat) -> Seat:
    return B if seat == A else A
