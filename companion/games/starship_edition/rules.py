"""Dog Fight: Starship Edition: set-up, turns of four phases, and how a turn ends.  (SE-SET, SE-PRI)

Preparation and Action Phase are in preparing.py, the Discard Phase and the End of Turn here;
attacks are in fighting.py, the operations of cards in effects.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from companion.core.question import Choose, Option, unless_alone
from companion.core.ruling import (
    TABLE,
    Carry,
    Cite,
    MatchOver,
    Notice,
    Outcome,
    Seat,
    SetTo,
    Shuffle,
)
from companion.core.text import counted
from companion.games.starship_edition import preparing, refusals, reports, seats
from companion.games.starship_edition.asks import DONE, LONGEST_TITLE, Played, titled
from companion.games.starship_edition.boards import name_of
from companion.games.starship_edition.cards import UNKNOWN, Card, DeclareEffect
from companion.games.starship_edition.coinciding import Due, Event
from companion.games.starship_edition.effects import Effects
from companion.games.starship_edition.fighting import (
    FIRST_TO_ASK_NOBODY_IN_VAIN,
    FIRST_TO_ORDER_SINGLE_THINGS,
)
from companion.games.starship_edition.figures import ASSUMED
from companion.games.starship_edition.game import Cause
from companion.games.starship_edition.seats import tier_pile
from companion.games.starship_edition.switches import TABLE_DRAWS
from companion.kit.figures import figures_in_words
from companion.match.rulebook import clockwise_from

if TYPE_CHECKING:
    from companion.core.board import Piece
    from companion.core.offers import Sighting
    from companion.core.question import Question, Refusal
    from companion.core.ruling import Json
    from companion.games.starship_edition.cards import SetSecondary

# Discard Phase and End of Turn Phase.  (SE-DIS, SE-EOT)

_RENEW = Cite.of("SE-DIS-01, SE-R16, RULING 16")
_SAME = Cite.of("SE-PPR-03, SE-R13, RULING 13")
_EXPIRE = Cite.of("SE-DIS-02, SE-R17, RULING 17")
_TURN = Cite.of("SE-EOT-01")
_OPTION = Cite.of("SE-EOT-02, SE-R18, RULING 18")
_PASSES = Cite.of("SE-EOT-03, SE-R18, RULING 18")
NOBODY = "nobody"
_OVER = ("attack", "tier", "turn")
"""What has ended by the end of the turn, whatever it waited for."""
_WINDOW = Cite.of("SE-R14, RULING 14")

# Set-up and the turn.  (SE-SET, SE-PRI)

_FIGURES = Cite.of("SE-SET-06, SE-R03, RULING 3")
_GEAR = Cite.of("SE-EOT-01, SE-R12, RULING 12")
_DEAL = Cite.of("SE-SET-01")
_MAP = Cite.of("SE-SET-02, SE-R03, RULING 3")
_FIRST = Cite.of("SE-SET-03, SE-R02, RULING 2")
_PLACE = Cite.of("SE-SET-05")
_TOKENS = Cite.of("SE-SET-06")
_SPENT = Cite.of("SE-R24, RULING 26")


class StarshipEdition(Effects):
    """Set-up, the turn, and its last two phases."""

    # -- Discard Phase ---------------------------------------------------------------------

    async def discard_phase(self) -> None:
        """Renewals and bonuses, then the tiers expire.  (SE-DIS-01, SE-DIS-02, RULING 16)"""
        done = await self._moment("discard_phase", self._all_dues)
        await self._renew_and_gain(done)
        for seat in self.position.turn_order():
            self.tiers_expire(seat)

    async def _renew_and_gain(self, done: Sequence[Due]) -> None:
        """Vessel by vessel, but for what was done already; by single things where that matters."""
        due = [one for one in self._all_dues() if one not in done]
        what = "in which order do the vessels renew and gain?"
        if self.interleaves(due):
            for ordinal, one in enumerate(await self.in_order(due, what, "renewals"), 1):
                with self.ask.at(one.kind, one.seat, ordinal):
                    await self._do_due(one)
            return
        each: dict[Seat, list[Event]] = {}
        for one in due:
            each.setdefault(one.seat, []).append(one.event)
        for seat in await self.order_of_vessels(each, what, "renewals"):
            for ordinal, one in enumerate(await self._order_on(seat, done), 1):
                with self.ask.at(one.kind, seat, ordinal):
                    await self._do_due(one)

    def _all_dues(self) -> list[Due]:
        return [one for seat in self.position.turn_order() for one in self.dues(seat)]

    def dues(self, seat: Seat) -> list[Due]:
        """Renewals and bonuses due on a vessel, card by card in the order of equipping."""
        found: list[Due] = []
        for name in self.player(seat).gear:
            card, title = self.card(name), self.title_of(name)
            if card is not None and card.upkeep:
                event = Event(seat, card=name, prices=card.upkeep, equipped=True)
                found.append(Due("renewal", name, title, event))
            if card is not None and card.discard_bonus:
                event = Event(seat, card.discard_bonus, name, equipped=True)
                found.append(Due("bonus", name, title, event))
        return found

    async def _order_on(self, seat: Seat, done: Sequence[Due]) -> list[Due]:
        """On one vessel its player chooses; Priority does not matter.  (SE-PPR-03)"""
        if self.player(seat).out:
            return []
        dues = {due.own: due for due in self.dues(seat) if due not in done}
        events = {name: due.event for name, due in dues.items()}
        titles = {name: due.label for name, due in dues.items()}
        what = "in which order are your equipped cards seen to?"
        with self.ask.at(seat):
            chosen = await self.own_order(seat, events, titles, "card-order", _SAME, what, "gear")
        return [dues[name] for name in chosen]

    async def _do_due(self, due: Due) -> None:
        seat, name = due.seat, due.name
        card = self.card(name)
        if self.player(seat).out or card is None or name not in self.player(seat).gear:
            return
        if due.kind == "bonus":
            cause = Cause(seat, self.title_of(name), name, card.duration, gear=name)
            await self.carry_out(card.discard_bonus, cause)
            return
        await self._renew(seat, name)

    async def _renew(self, seat: Seat, name: str) -> None:
        """Paid, or the card expires: by choice or by lack.  (SE-R16, RULING 16)"""
        card = self.card(name)
        if card is None:
            return
        if not self.can_pay(seat, card.upkeep, name):
            self.expire(seat, name, _RENEW, "the renewal cannot be paid")
            return
        prices = ", ".join(f"{price.amount} {price.name or price.pay}" for price in card.upkeep)
        prompt = f"{self.who(seat)}: pay {prices} to keep {self.title_of(name)}?"
        words = ("Pay", "Let it expire")
        pays = await self.ask.yes_no("pay", seat, _RENEW, prompt, "renew?", words)
        if self.player(seat).out:
            return
        if pays:
            await self.pay(seat, card.upkeep, self.title_of(name), name)
            self.settle()
        elif name in self.player(seat).gear:
            self.expire(seat, name, _RENEW, "it was not renewed")

    def tiers_expire(self, seat: Seat) -> None:
        """Tier by tier, the first card before the second, face up; tokens go back.  (SE-R17)"""
        player = self.player(seat)
        deeds: list[Carry] = []
        for number, tier in enumerate(player.tiers, 1):
            for second, card in ((False, tier.primary), (True, tier.secondary)):
                if card:
                    player.discard.append(card)
                    deeds.append(Carry(seat, 1, tier_pile(number, secondary=second), seats.DISCARD))
        tokens = sum(not tier.cards for tier in player.tiers)
        player.tiers = []
        cards = counted(len(deeds), "card")
        text = f"discards {cards} from the tiers; {counted(tokens, 'reminder token')} back."
        words = f"discard {len(deeds)}" if deeds else "tokens back"
        self.tell(seat, text, _EXPIRE, words, *deeds)

    # -- what falls together -------------------------------------------------------------------

    async def _moment(self, window: str, late: Callable[[], Sequence[Due]]) -> list[Due]:
        """Abilities of that moment, cards that are played at it, and what comes `late` in it.

        All of it falls together (SE-PPR-01): where the order of these kinds can matter it is put in
        order thing by thing. Else abilities come first, then cards, and what comes late is left to
        whoever asks for it. Given back is what of that is done.
        """
        if self.setup.edition < FIRST_TO_ORDER_SINGLE_THINGS:
            await preparing.vessel_abilities(self, window)
            await self.cards_of_phase(window)
            return []
        abilities, done, ordinal = preparing.abilities_due(self, window), list[Due](), 0
        playing = self.position.turn_order() if self._has_cards_for(window) else []
        while abilities or playing:
            ordinal += 1
            played = await self._lay_one_each(playing, window, ordinal)
            cards = [self._due_card(cause) for cause in played.values()]
            left = [one for one in late() if one not in done]
            with self.ask.at(window, f"round-{ordinal}"):
                happened = await self._across([abilities, cards, left], played)
            if happened:
                done += left
            else:
                await preparing.vessel_abilities(self, window)
                await self._carry_out_cards(played, window, ordinal)
            abilities, playing = [], [*played]
        return done

    async def _across(self, kinds: Sequence[Sequence[Due]], played: Mapping[Seat, Cause]) -> bool:
        """All of it done as ordered, thing by thing; nothing where kind may follow kind."""
        there = [kind for kind in kinds if kind]
        bundles = [[one.event for one in kind] for kind in there]
        if len(there) < 2 or not self.coincidence(bundles).order_matters:
            return False
        due = [one for kind in there for one in kind]
        what = "in which order do these happen?"
        for place, one in enumerate(await self.in_order(due, what, "what is due"), 1):
            with self.ask.at(one.kind, one.seat, place):
                await self._do(one, played)
        return True

    async def _do(self, due: Due, played: Mapping[Seat, Cause]) -> None:
        """One thing that is due, whatever it is, if its vessel is there."""
        if self.player(due.seat).out:
            return
        match due.kind:
            case "ability":
                await preparing.carry_out_ability(self, due.seat, due.name)
            case "card":
                await self.carry_out_from_hand(played[due.seat])
            case "counters":
                await self.judge_counter(due.seat, due.name)
            case _:
                await self._do_due(due)

    async def cards_of_phase(self, window: str) -> None:
        """Cards from the hand that may be used at this moment, where the catalogue has such.

        Each player plays one or none; what was played falls together.  (SE-PPR-01) Then whoever
        played may play another. A card that is not listed may say any moment: whoever may hold such
        a card is asked. In a match of edition 1 one player after the other was done.
        """
        if not self._has_cards_for(window):
            return
        order = self.position.turn_order()
        for asked in [order] if self.setup.edition > 1 else [[seat] for seat in order]:
            ordinal, playing = 1, asked
            while playing:
                played = await self._lay_one_each(playing, window, ordinal)
                await self._carry_out_cards(played, window, ordinal)
                ordinal, playing = ordinal + 1, [*played]

    def _has_cards_for(self, window: str) -> bool:
        listed = any(self._is_for(card, window) for card in self.cards().values())
        return listed or self.setup.edition >= FIRST_TO_ASK_NOBODY_IN_VAIN

    async def _lay_one_each(
        self, players: Sequence[Seat], window: str, ordinal: int
    ) -> dict[Seat, Cause]:
        """What these players play now: a card each or none, laid and paid for."""
        played: dict[Seat, Cause] = {}
        for seat in await self._who_plays(players, window, ordinal):
            if not self.has_a_say(seat, window):
                continue
            with self.ask.at(window, seat, ordinal):
                card = await self._ask_phase(seat, window)
                if card.card != DONE:
                    played[seat] = await self.lay_from_hand(seat, card, window)
        return played

    async def _carry_out_cards(
        self, played: Mapping[Seat, Cause], window: str, ordinal: int
    ) -> None:
        """As ordered, where that can matter."""
        due = {seat: [self._event_of(cause)] for seat, cause in played.items()}
        what = "in which order are these cards carried out?"
        with self.ask.at(window, f"round-{ordinal}"):
            order = await self.order_of_vessels(due, what, "cards")
        for seat in order:
            with self.ask.at(window, seat, ordinal):
                await self.carry_out_from_hand(played[seat])

    def _due_card(self, cause: Cause) -> Due:
        return Due("card", cause.card, cause.title, self._event_of(cause))

    async def _who_plays(self, players: Sequence[Seat], window: str, ordinal: int) -> list[Seat]:
        """Whom to ask for a card: who can pay for a listed one, and who speaks up for another."""
        asked = [seat for seat in players if self.has_a_say(seat, window)]
        silent = [seat for seat in asked if not self.stars_for(seat, window)]
        if len(silent) < 2 or self.setup.edition < FIRST_TO_ASK_NOBODY_IN_VAIN:
            return asked
        speaks = [seat for seat in asked if seat not in silent]
        while silent:
            with self.ask.at(window, f"round-{ordinal}"):
                said = await self._anybody(silent, window)
            if said == NOBODY:
                break
            silent.remove(Seat(said))
            speaks.append(Seat(said))
        return [seat for seat in asked if seat in speaks]

    def _anybody(self, players: Sequence[Seat], window: str) -> Choose[str]:
        """Whether one of them plays a card that is not listed."""
        return Choose(
            key=self.ask.key(f"anybody-{len(players)}"), by=TABLE, cite=_WINDOW, lapse=NOBODY,
            prompt=f"Does anybody play a card now, {refusals.WHEN[window]}?",
            headline="Who plays a card?",
            offered=[Option(NOBODY, NOBODY, "Nobody"),
                     *(Option(str(seat), str(seat), self.who(seat), about=seat)
                       for seat in players if not self.player(seat).out)],
        )  # fmt: skip

    def _event_of(self, cause: Cause) -> Event:
        """A card that was played, as what may coincide with others; one not listed may do all."""
        card = self.card(cause.card)
        anything = DeclareEffect(op="declare", text=cause.title)
        return Event(cause.seat, card.effects if card is not None else [anything], cause.card)

    def _is_for(self, card: Card, window: str) -> bool:
        """Whether a star may be played then; a match of edition 1 asks nobody for those of `any`.

        Among them is every star that names no window.
        """
        if card.form != "star":
            return False
        return window in card.windows or (self.setup.edition > 1 and card.used_in(window))

    async def _ask_phase(self, seat: Seat, window: str) -> Played:
        cards = self.stars_for(seat, window)
        return await unless_alone(Choose(
            key=self.ask.key("card"), by=seat, cite=_WINDOW, lapse=DONE,
            prompt=f"{self.who(seat)}: do you play a card now, {refusals.WHEN[window]}?",
            headline=self.ask.head(seat, "play a card?"),
            offered=[*(Option(name, Played(name), card.title) for name, card in cards.items()),
                     Option(UNKNOWN, Played(UNKNOWN), "Another card", group="Not listed",
                            letters_more=LONGEST_TITLE),
                     Option(DONE, Played(DONE), "Done, nothing more")],
            named=lambda raw: titled(raw, self.cards()),
            unlisted=lambda raw: self._refuse_window(raw, seat, window),
        ))  # fmt: skip

    # -- End of Turn Phase -----------------------------------------------------------------

    async def end_of_turn(self) -> None:
        """What lasted for the turn ends; one more card; Priority passes.  (SE-EOT-01 to 03)"""
        await self._moment("end_of_turn", lambda: self.counters_due(self._at_limit()))
        self._turn_ends()
        await self._counters()
        await self._priority_draw()

    def _turn_ends(self) -> None:
        """Effects for this turn are over.  (SE-EOT-01)"""
        for player in self.position.alive():
            kept = [one for one in player.modifiers if one.until not in _OVER]
            ended = len(player.modifiers) - len(kept)
            player.modifiers = kept
            if ended:
                self.tell(player.seat, f"loses {counted(ended, 'effect')} of this turn.", _TURN,
                          "effects end", quiet=True)  # fmt: skip

    async def _counters(self) -> None:
        """Counters that are judged at the end of the turn; Priority orders them.  (RULING 23)"""
        with self.ask.at("counters"):
            await self.judge_counters(self._at_limit())

    def _at_limit(self) -> list[tuple[Seat, str]]:
        """Everybody's counters that are due at the end of the turn."""
        return [(seat, name) for seat in self.position.turn_order() for name in self._reached(seat)]

    def _reached(self, seat: Seat) -> list[str]:
        """A vessel's counters that have reached a limit which is judged at the end of the turn."""
        kinds = self.table.file.counters
        return [
            name
            for name, count in self.player(seat).counters.items()
            if (kind := kinds.get(name.rpartition(": ")[2])) is not None
            and kind.at == "end_of_turn"
            and kind.threshold is not None
            and count >= kind.threshold
        ]

    async def _priority_draw(self) -> None:
        """The Priority player alone may take one more card.  (SE-EOT-02, RULING 18)"""
        seat = self.position.priority
        if self.player(seat).out or not self.can_draw(seat):
            return
        prompt = f"{self.who(seat)}: draw one more card?"
        words = ("Draw", "No card")
        if await self.ask.yes_no("draw", seat, _OPTION, prompt, "one more card?", words, "no"):
            self.draw(seat, 1, _OPTION)

    def priority_passes(self) -> None:
        """The marker goes to the next player to the left.  (SE-EOT-03)"""
        position = self.position
        was, position.priority = position.priority, position.after(position.priority)
        self.tell(position.priority, "has Priority now.", _PASSES, "has Priority",
                  SetTo(TABLE, "priority", "Priority", was, position.priority))  # fmt: skip

    def next_turn(self) -> None:
        """A new turn: nothing is prepared, nobody is locked."""
        position = self.position
        position.turn += 1
        position.tier, position.steps = 1, 0
        position.active = position.priority
        for player in position.alive():
            player.new_turn()

    # -- the whole game ------------------------------------------------------------------

    async def play(self) -> Outcome:
        """Set-up, then whole turns until one vessel is left.  (SE-PRI-01)"""
        if self.position.stage == seats.SET_UP:
            self.begin()
            await self.set_up()
            self.position.stage = seats.PREPARATION
        while True:
            await self.turn()

    # -- set-up ----------------------------------------------------------------------------

    async def set_up(self) -> None:
        """Cards, map, first player, vessels, tokens, in the order of the book.  (SE-SET)"""
        self._tell_figures()
        for seat in self.position.players:
            self.deal(seat)
        self._tell_map()
        await self.first_player()
        await self.place_vessels()

    def _tell_figures(self) -> None:
        left = len(ASSUMED) - len(self.table.confirmed)
        text = figures_in_words(
            self.table.name, own=bool(self.setup.cards), left=left, of=len(ASSUMED)
        )
        self.rule(text, _FIGURES, headline="figures of this table", quiet=True)
        for notice in self.table.notices:
            self.rule(notice, _GEAR, headline="gear: look at it")

    def deal(self, seat: Seat) -> None:
        """Shuffle, cut, draw seven; hull and energy tokens.  (SE-SET-01, SE-SET-06)"""
        player = self.player(seat)
        player.deck -= seats.OPENING_HAND
        player.hand += seats.OPENING_HAND
        self.tell(
            seat,
            f"shuffles, has the deck cut and draws {seats.OPENING_HAND}; {player.deck} left.",
            _DEAL,
            f"draw {seats.OPENING_HAND}",
            Shuffle(seat, player.size, seats.DECK, seats.DECK),
            Carry(seat, seats.OPENING_HAND, seats.DECK, seats.HAND),
        )
        marks = self.table.assumed("vessel.hull", "vessel.energy")
        text = f"takes {player.hull} hull and {player.energy} energy{marks}."
        tokens = [player.tokens(name, 0) for name in ("hull", "energy")]
        self.tell(seat, text, _TOKENS, f"{player.hull} hull, {player.energy} energy", *tokens)

    def _tell_map(self) -> None:
        star_map = self.position.map
        if star_map is None:
            text = "No map file: range, line of sight and moves are as the players declare."
            self.rule(text, _MAP, headline="map: as declared")
            return
        squares = counted(2 * len(self.position.players), "map square")
        text = f"{squares} make the map: {len(star_map.spaces)} spaces."
        self.rule(text, _MAP, headline="lay the map")

    async def first_player(self) -> None:
        """Drawn by lot: at the table, or by the number that the option gives.  (SE-SET-03)"""
        lots = self.options["lots"]
        players = list(self.position.players)
        if lots == TABLE_DRAWS:
            seat = await self.ask.first_player()
        else:
            drawn = blake2b(str(lots).encode(), digest_size=8).digest()
            seat = players[int.from_bytes(drawn) % len(players)]
        self.position.priority = self.position.active = seat
        drawn_by = "" if lots == TABLE_DRAWS else f" (drawn by the number {lots})"
        self.tell(seat, f"begins with Priority{drawn_by}.", _FIRST, "has Priority",
                  SetTo(TABLE, "priority", "Priority", "", seat))  # fmt: skip

    async def place_vessels(self) -> None:
        """In reverse playing order, so that the Priority player is the last.  (SE-SET-05)"""
        for seat in reversed(clockwise_from(self.position.priority, list(self.position.players))):
            if not self.player(seat).out:
                self.position.active = seat
                await self.place_vessel(seat)
        self.position.active = self.position.priority

    async def place_vessel(self, seat: Seat) -> None:
        """One vessel on a lettered start space that is still free.  (SE-SET-05)"""
        star_map, player = self.position.map, self.player(seat)
        if star_map is None:
            await self.ask.placed(seat)
            if player.out:
                return
            self.tell(seat, "has placed the vessel.", _PLACE, "vessel placed", quiet=True)
            return
        taken = {other.space for other in self.position.players.values()}
        free = {name: spot for name, spot in star_map.start_names.items() if spot not in taken}
        spot = await self.ask.start_space(player, star_map, free)
        if player.out:
            return
        letter = star_map.starts[spot]
        moves = self.put(seat, spot)
        text = f"starts on {letter}, {name_of(spot)}."
        self.tell(seat, text, _PLACE, f"starts on {name_of(spot)}", *moves, quiet=True)

    # -- the turn --------------------------------------------------------------------------

    async def turn(self) -> None:
        """Preparation, Action in two steps, Discard, End of Turn.  (SE-PRI-01)"""
        position = self.position
        if position.stage == seats.PREPARATION:
            await self.end_if_spent()
            await preparing.preparation(self)
            position.stage = seats.ABILITIES
        if position.stage == seats.ABILITIES:
            self.begin()
            await preparing.vessel_abilities(self)
            await self.cards_of_phase("step1")
            position.tier, position.stage = 1, seats.TIERS
        if position.stage == seats.TIERS:
            await preparing.tier_sequence(self)
            position.stage = seats.DISCARD_PHASE
        if position.stage == seats.DISCARD_PHASE:
            self.begin()
            with self.ask.at("discard"):
                await self.discard_phase()
            position.stage = seats.END_OF_TURN
        self.begin()
        with self.ask.at("end"):
            await self.end_of_turn()
        self.priority_passes()
        self.next_turn()
        position.stage = seats.PREPARATION

    async def end_if_spent(self) -> None:
        """Nobody has a card any more: the table may call it a draw.  (RULING 26)"""
        position = self.position
        fresh = not any(player.tiers or player.prepared for player in position.alive())
        if not fresh or any(player.has_cards for player in position.alive()):
            return
        if any(self.can_draw(player.seat) for player in position.alive()):
            return
        self.begin()
        prompt = "Nobody has a card left to play. Does the match end as a draw?"
        question = self.ask.yes_no("spent", position.priority, _SPENT, prompt, "end as a draw?",
                                   ("A draw", "Play on"))  # fmt: skip
        question.by, question.headline = TABLE, "End as a draw?"
        if await question:
            text = "Nobody has a card left: the match ends as a draw."
            raise MatchOver(Outcome((), self.rule(text, _SPENT, headline="A draw")))

    # -- what cards do to tiers ------------------------------------------------------------

    async def prepare_extra(self, seat: Seat) -> None:
        await preparing.prepare_extra(self, seat)

    async def set_secondary(self, step: SetSecondary, cause: Cause) -> None:
        await preparing.set_secondary(self, step, cause)

    # -- what was seen and not asked --------------------------------------------------------

    def report(self, fact: Mapping[str, Json]) -> Notice:
        return reports.judge_report(self, fact)

    reporting = reports.REPORTING

    def report_words(self) -> Mapping[str, Sequence[str]]:
        return reports.WORDS

    def compare(self, sighting: Sighting, lagging: Collection[Piece] = ()) -> list[Notice]:
        return reports.compare(self.position, sighting, lagging)

    def not_asked(self, seat: Seat, raw: Json, asked: Question[Any]) -> Refusal | None:
        return reports.not_asked(self, seat, raw, asked)
