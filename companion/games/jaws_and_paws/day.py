"""Jaws & Paws by day: the flight manual as code, in the manual's order.

One method for each paragraph. Whatever lasts is in the position; whatever the table must tell is
awaited; whatever the book then says is a ruling. The chapters on other modes replace some of these
methods (`rules.py`). Where the manual is silent: RULINGS.md.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.core.errors import IllegalAnswer
from companion.core.question import Question, Refusal, together
from companion.core.ruling import (
    TABLE,
    BrokenOff,
    CardLaid,
    Carry,
    Cite,
    DamageTaken,
    Deed,
    Flip,
    MatchOver,
    Move,
    Notice,
    Outcome,
    Ruling,
    Seat,
)
from companion.games.jaws_and_paws import boards, reports
from companion.games.jaws_and_paws import moves as shots
from companion.games.jaws_and_paws import words as say
from companion.games.jaws_and_paws.asks import still_legal
from companion.games.jaws_and_paws.boards import NAMES, Zone
from companion.games.jaws_and_paws.cards import ENEMY, NO_CARD, OWN, CardFace, Family
from companion.games.jaws_and_paws.game import Game, NewGame, TurnedCard
from companion.games.jaws_and_paws.lock import lock_in
from companion.games.jaws_and_paws.moves import OTHER_WAY, Shot, Steps, judge_shot
from companion.games.jaws_and_paws.plan import steps_of, tokens_of
from companion.kit.piles import drawn

if TYPE_CHECKING:
    from companion.core.board import Piece
    from companion.core.ruling import Json


class Day(Game):
    """The 20-second game: two teams of a Pilot and a Gunner, two planes, one Sun."""

    # -- How to Play (JP-3, JP-5.1) --------------------------------------------------------

    async def play(self) -> Outcome:
        """Set-up, then rounds until no more than one plane flies.  (JP-3, JP-5.1)"""
        while True:
            try:
                if self.position.stage == "set-up":
                    self.begin()
                    await self.set_up()
                    self.position.stage = boards.ROUND[0]
                while True:
                    await self.round()
            except NewGame:
                self.position.start_afresh()

    async def set_up(self) -> None:
        """The winner of the toss places the Sun; then every player draws four.  (JP-3.4 to 3.6)"""
        team = await self.placing_team()
        zone = await self.ask.sun(team)
        self.position.zones[self.light] = zone
        self.rule(*say.sun_placed(team, zone, self.bright),
                  Move(self.light, None, say.pose(zone)), by=team,
                  headline=f"{self.bright} to {zone}")  # fmt: skip
        self.draw_hands()
        await self.ask.set_up_done()

    async def placing_team(self) -> Seat:
        """Who wins the toss places the Sun; the companion may toss.  (JP-3.4, RULING 3)"""
        team = await self.toss()
        return await self.draw_lot() if team is None else team

    async def toss(self) -> Seat | None:
        """Which team won; None if nobody has a coin, or a dog.  (JP-3.4)"""
        return await self.ask.toss()

    async def draw_lot(self) -> Seat:
        """One team by lot, from a number and from who sits here.  (RULING 3)"""
        number = await self.ask.lot_number()
        people = ", ".join(self.setup.seats.get(seat) or name for seat, name in self.seats.items())
        team = drawn(self.position.teams, f"{people}/{self.position.game}/{number}")
        self.rule(*say.drawn_by_lot(team, number), by=team, headline=f"{team} win the toss")
        return team

    def draw_hands(self) -> None:
        """Everybody draws a starting hand.  (JP-3.6)"""
        position = self.position
        draws = [
            position.piles[player].move(position.hands[player], "deck", "hand")
            for player in position.players
        ]
        told = say.starting_hands(position, self.cards)
        self.rule(told, say.HANDS, *draws, headline=say.hands_headline(position, self.cards))

    async def round(self) -> None:
        """An Action Phase and a Resolution Phase, from wherever the position stands.  (JP-5.1)"""
        for stage in boards.ROUND[boards.ROUND.index(self.position.stage) :]:
            if self.asks_less and self.is_bare(stage):
                continue
            self.position.stage, self.position.told = stage, None
            self.begin()
            await PROCEDURES[stage](self)
        self.position.stage = boards.ROUND[0]

    def is_bare(self, stage: str) -> bool:
        """Whether it is a section's stage and no card may lie there: nothing happens.  (JP-9.2)"""
        number = boards.SECTION_OF.get(stage)
        teams = self.position.teams
        return number is not None and not any(self.ask.may_hold(team, number) for team in teams)

    # -- Action Phase and Difficulty (JP-5) ------------------------------------------------

    async def action_phase(self) -> None:
        """Both teams lay cards until the time is up; the Sun's team is noted.  (JP-5.2 to 5.8)"""
        self.position.sun_first = None
        await together({team: self.ask.ready(team) for team in self.position.teams})
        self.position.sun_first = self.position.sun_team
        self.position.forget_latest()
        await self.end_of_phase()

    async def end_of_phase(self) -> None:
        """The clock's zero, or the word of everybody.  (JP-5.3, JP-5.8, RULING 7)"""
        timer = self.options["timer_s"]
        if not isinstance(timer, int):
            await together({person: self.ask.locked(person) for person in self.persons()})
        elif self.options["early_end"] == "all_locked":
            words = {person: self.ask.locked(person) for person in self.persons()}
            clock = self.ask.clock(timer)
            await together({None: clock, **words}, until=lambda said: _is_over(said, len(words)))
        else:
            await self.ask.clock(timer)

    def persons(self) -> Sequence[Seat]:
        """Whoever lays cards: players, and solo players by the name of their team."""
        out, gone = self.position.out, self.absent
        persons = self.lineup.persons
        return [p for p in persons if boards.TEAM_OF.get(p, p) not in out and p not in gone]

    # -- Resolution Phase: 1. Discard and Draw (JP-7) --------------------------------------

    async def discard_and_draw(self) -> None:
        """Everybody discards any number, then draws up to four, all at once.  (JP-7)"""
        position, piles = self.position, self.position.piles
        holding = [p for p in position.players if piles[p]["hand"] or not self.asks_less]
        asked: dict[str, Question[Any]] = {player: self.ask.discards(player) for player in holding}
        asked["drawn"] = self.ask.drawn()
        told = await together(asked, check=still_legal(asked))
        position.told = sum(told.get(player, 0) for player in holding)
        discards = {
            player: piles[player].move(told.get(player, 0), "hand", "discard")
            for player in position.players
        }
        await self.count_short_decks(position.draws_due, say.MUST_DRAW)
        for player in position.players:
            self.draw(player, discards[player])
        await self.check_point("Discard and Draw")

    def draw(self, player: Seat, discard: Carry) -> None:
        """Top up one hand from the Deck, as far as it reaches.  (JP-7.2, JP-11.4)"""
        piles = self.position.piles[player]
        due = max(0, self.position.hands[player] - piles["hand"])
        drawn = min(due, piles["deck"])
        if not (due or discard.count):
            return
        carry = piles.move(drawn, "deck", "hand")
        if drawn < due:
            self.fall(boards.TEAM_OF[player])
        text = say.drawn(player, piles, discard.count, drawn, due - drawn)
        cite = say.DRAW if drawn == due else say.DRAW_SHORT
        self.rule(text, cite, *((discard,) if discard.count else ()), carry, by=player,
                  headline=f"{NAMES[player]}: draw {drawn}", quiet=drawn == due)  # fmt: skip

    # -- Resolution Phase: 2. Repairing (JP-8) ---------------------------------------------

    async def repair(self) -> None:
        """Who laid no card shuffles the Discard Pile in; smoke makes the mate pay.  (JP-8)"""
        asked: dict[Seat, Question[None]] = {}
        for player in self.position.repairing():
            piles = self.position.piles[player]
            shuffle = piles.shuffle("discard", "deck")
            deeds = (shuffle,) if shuffle.count else ()
            does = "shuffle" if deeds else "repairs"
            self.rule(say.repairs(player, piles, shuffle.count), say.REPAIRS, *deeds, by=player,
                      headline=f"{NAMES[player]}: {does}", quiet=not deeds)  # fmt: skip
            if deeds or not self.asks_less:
                asked[player] = self.ask.shuffled(player)
        await together(asked)
        self.position.forget_latest()
        await self.count_short_decks(self.smoke_due, say.MUST_SCRAP)
        for player, damage in self.smoke_due().items():
            carry = self.scrap(player, damage)
            text = say.smoked(player, self.position.piles[player], damage, carry.count)
            self.rule(text, say.SMOKED, carry, by=player, headline=say.scrap(player, carry.count),
                      struck=self.lineup.own[boards.TEAM_OF[player]],
                      happened=(DamageTaken(player, damage),))  # fmt: skip
        await self.check_point("Repairing")

    def smoke_due(self) -> dict[Seat, int]:
        """Damage to the teammates of those Repairing under smoke.  (JP-8.3 to 8.6, RULING 14)"""
        damage = self.number("smoke_damage")
        return {
            boards.MATE_OF[player]: damage
            for player in self.position.repairing()
            if self.position.smoke[boards.TEAM_OF[player]] and damage
        }

    # -- Resolution Phase: 3. Resolve Cards (JP-9) -----------------------------------------

    async def section(self) -> None:
        """Flip the cards of a section and resolve them in five steps.  (JP-9)"""
        turned = await self.flip(self.position.section)
        if not turned:
            return
        self.position.forget_latest()
        suns = [card for card in turned if card.face.family is Family.SUN]
        if suns:
            for place, team in enumerate(self.sun_order()):
                await self.resolve_sun(suns, team, 2 if place else 1)
        self.resolve_planes(turned, OWN, 3)
        self.resolve_planes(turned, ENEMY, 4)
        await self.resolve_shots(turned)
        await self.check_point(f"step 5 of section {self.position.section}")

    async def flip(self, number: int) -> list[TurnedCard]:
        """The cards that both teams turn over on a section, if any.  (JP-9.1, JP-9.2)"""
        ask, teams = self.ask, self.position.teams
        asked = {team: ask.reveal(team, number) for team in teams if ask.may_hold(team, number)}
        if not asked:
            return []
        faces = await together(asked, check=still_legal(asked))
        if any(self.position.owners[team][number - 1] == boards.UNTOLD for team in faces):
            await self.tell_owners(number, faces)
        turned: list[TurnedCard] = []
        for team, face in faces.items():
            if face is not NO_CARD:
                owner = Seat(self.position.owners[team][number - 1])
                self.position.piles[owner].learn("track", face.card)
                turned.append(TurnedCard(owner, face))
        if any(face.unclear for _, face in turned):
            return await self.read_halves(turned, number)
        return turned

    async def tell_owners(self, number: int, faces: Mapping[Seat, CardFace]) -> None:
        """Whose card it is, where the lock did not ask.  (lock_asks players, RULING 37)"""
        owners = self.position.owners
        untold = [team for team in faces if owners[team][number - 1] == boards.UNTOLD]
        asked = {t: self.ask.owner(t, number) for t in untold if faces[t] is not NO_CARD}
        known = {team: question.options_now() for team, question in asked.items()}
        alone = {t: o[0].value for t, o in known.items() if len(o) == 1 and self.asks_less}
        asked = {team: question for team, question in asked.items() if team not in alone}
        told = {**alone, **await together(asked, check=still_legal(asked))}
        for team in untold:
            owners[team][number - 1] = told.get(team, boards.NOBODY)

    async def read_halves(self, turned: Sequence[TurnedCard], number: int) -> list[TurnedCard]:
        """A card that lies exactly sideways does nothing, or its owner says.  (RULING 17)"""
        sideways = [t for t in turned if t.face.unclear]
        chosen: Mapping[Seat, CardFace] = {}
        if self.options["unclear_half"] == "owner_chooses":
            asked = {t.owner: self.ask.half(t.owner, number, t.face) for t in sideways}
            chosen = await together(asked)
        else:
            for owner, face in sideways:
                self.rule(say.sideways(number, owner, face), say.SIDEWAYS, by=owner, quiet=True,
                          headline=f"{boards.TEAM_OF[owner]} {number}: no effect")  # fmt: skip
        return [
            TurnedCard(t.owner, chosen.get(t.owner, t.face))
            for t in turned
            if not t.face.unclear or t.owner in chosen
        ]

    def sun_order(self) -> Sequence[Seat]:
        """Whose Move Sun card comes first: who had the Sun at the start.  (JP-9.3, RULING 15)"""
        position = self.position
        first = position.sun_first
        if self.options["sun_order"] == "current_section" or first is None:
            first = position.sun_team
        assert first is not None, "the Sun was placed before the first round"
        return (first, *self.lineup.rivals[first])

    async def resolve_sun(self, suns: Sequence[TurnedCard], team: Seat, step: int) -> None:
        """Steps 1 and 2: the Move Sun card of one team.  (JP-9.3, JP-9.4, JP-13)"""
        for owner, face in suns:
            if boards.TEAM_OF[owner] == team:
                self.move(owner, face, step, say.SUN_CITES[step, face.move])

    def resolve_planes(self, turned: Sequence[TurnedCard], target: str, step: int) -> None:
        """Steps 3 and 4: Move Plane cards on the own, then the enemy plane.  (JP-9.5, 9.6)"""
        for owner, face in turned:
            if face.family is Family.PLANE and face.target == target:
                self.move(owner, face, step, say.PLANE_CITES[target, face.move])

    async def resolve_shots(self, turned: Sequence[TurnedCard]) -> None:
        """Step 5: Shoot cards, all judged from the same positions.  (JP-9.7, JP-14)"""
        shooters = [t for t in turned if t.face.family is Family.SHOOT]
        if not shooters:
            return
        await self.count_short_decks(lambda: self.damage_due(shooters), say.MUST_SCRAP)
        for judged in [shot for shooter in shooters for shot in self.judge(*shooter)]:
            self.resolve_shot(judged)

    # -- Resolution Phase: 4. Cleanup (JP-10) ----------------------------------------------

    async def cleanup(self) -> None:
        """All cards leave the tracks; a team that Repaired turns to smoke.  (JP-10)"""
        position = self.position
        for team in position.teams:
            if position.repairing(boards.CREW_OF[team]) and not position.smoke[team]:
                position.smoke[team] = True
                self.rule(say.smoke(team), say.SMOKE, Flip(f"{team} Action Track", "smoke"),
                          by=team, headline=f"{team}: turn to smoke")  # fmt: skip
        tracks = {player: position.piles[player]["track"] for player in position.players}
        carries = [
            position.piles[player].move(count, "track", "discard")
            for player, count in tracks.items()
            if count
        ]
        if carries:
            self.rule(say.cleaned(position, carries), say.CLEANUP, *carries,
                      headline=f"Clear {self.ask.tracks}")  # fmt: skip
        position.clear_round()
        position.round_number += 1

    # -- How to Win (JP-11) ----------------------------------------------------------------

    async def count_short_decks(self, due: Callable[[], Mapping[Seat, int]], must: str) -> None:
        """A Deck that cannot supply what must be taken is counted first.  (JP-11.4, RULING 10)"""
        piles = self.position.piles
        short = {p: n for p, n in due().items() if n > piles[p].counts["deck"]}
        if not short:
            return
        for player, count in short.items():
            text = say.short(player, must, count, piles[player]["deck"])
            headline = f"{player}: count the deck"
            self.rule(text, say.SHORT, by=player, headline=headline, quiet=True)
        asked = {player: self.ask.deck_counted(player) for player in short}
        await together(asked, check=still_legal(asked))

    def scrap(self, player: Seat, damage: int) -> Carry:
        """Damage: the top cards of the Deck go to the Scrap Pile.  (JP-14.3, JP-11.4)"""
        piles = self.position.piles[player]
        taken = min(damage, piles["deck"])
        if taken < damage:
            self.fall(boards.TEAM_OF[player])
        self.position.dealt[player] = self.position.dealt.get(player, 0) + damage
        return piles.move(taken, "deck", "scrap")

    def fall(self, team: Seat) -> None:
        """A card had to be taken and was not there: the team is shot down.  (JP-11.1)"""
        if team not in self.position.down:
            self.position.down.append(team)

    async def check_point(self, place: str) -> None:
        """Losses are judged together at the end of a step.  (JP-11.5, JP-11.6, RULING 11)"""
        if not self.position.down:
            return
        ruling = self.say_result(place)
        winners = self.winners()
        await together({team: self.ask.agreed(team) for team in self.position.teams})
        if not self.position.down:
            return
        if self.winners() != winners:
            ruling = self.say_result(place)
        if self.all_down() and self.options["double_ko"] == "replay":
            self.rule(say.REPLAYED, say.BOTH_DOWN, *say.back_to_start(self.position),
                      headline="Play a new game")  # fmt: skip
            raise NewGame
        raise MatchOver(Outcome(self.winners(), ruling))

    def given_up(self, team: Seat) -> Notice:
        """Everybody of a team has left the table: the other one wins.  (RULING 39)"""
        winner = self.lineup.rival[team]
        ruling = self.rule(say.gave_up(self.position, team, winner), say.GAVE_UP, by=winner,
                           headline=f"{winner} win", struck=self.lineup.own[team])  # fmt: skip
        raise MatchOver(Outcome((winner,), ruling))

    def say_result(self, place: str) -> Ruling:
        """Check point, rule, team and final counts.  (JP-11, RULING 12)"""
        winners = self.winners()
        text = say.result(self.position, place, winners, str(self.options["double_ko"]))
        both = "both" if len(self.lineup.teams) == 2 else "all"
        headline = f"{winners[0]} win" if winners else f"Draw: {both} down"
        by = winners[0] if winners else TABLE
        struck = tuple(piece for team in self.position.down for piece in self.lineup.own[team])
        cite = say.BOTH_DOWN if self.all_down() else say.DOWN
        return self.rule(text, cite, by=by, headline=headline, struck=struck)

    def winners(self) -> tuple[Seat, ...]:
        """Who is left flying; both down is a draw, or as the table has it.  (JP-11.6, RULING 12)"""
        if not self.all_down():
            return tuple(team for team in self.position.teams if team not in self.position.down)
        if self.options["double_ko"] != "most_cards":
            return ()
        left = {team: say.cards_left(self.position, team) for team in self.position.teams}
        most = [team for team, cards in left.items() if cards == max(left.values())]
        return tuple(most) if len(most) == 1 else ()

    def all_down(self) -> bool:
        """Whether no team is left flying."""
        return len(self.position.down) == len(self.position.teams)

    # -- Move Plane cards, Move Sun cards (JP-12, JP-13) -----------------------------------

    def move(self, owner: Seat, face: CardFace, step: int, cite: Cite) -> None:
        """A movement card takes its tokens along, or is blocked.  (JP-12.3 to 12.6, JP-13)"""
        team, zones = boards.TEAM_OF[owner], self.position.zones
        pieces = tokens_of(face, team, self.position)
        if face.move in OTHER_WAY:
            self.note_other_left(pieces, steps_of(face, team, self.options, OTHER_WAY[face.move]))
        steps = steps_of(face, team, self.options)
        self.bring([(p, zones[p], steps[zones[p]]) for p in pieces], owner, face, step, cite)

    def bring(
        self, ways: Sequence[say.Way], owner: Seat, face: CardFace, step: int, cite: Cite
    ) -> None:
        """Tokens to where a card takes them; the ruling, with a deed for each that moves."""
        deeds: list[Deed] = []
        for piece, was, now in ways:
            if was != now:
                self.position.zones[piece] = now
                deeds.append(Move(piece, boards.POSES[was], boards.POSES[now]))
        frame = str(self.options["lr_frame"])
        text = say.moved(self.position.section, step, owner, face, ways, frame)
        headline = say.moved_headline(face, ways)
        laid = (CardLaid(owner, face.title),)
        self.rule(text, cite, *deeds, by=owner, headline=headline, step=step, quiet=not deeds,
                  happened=laid)  # fmt: skip

    def note_other_left(self, pieces: Sequence[Piece], steps: Steps) -> None:
        """Where hands would put tokens that took the other player's left.  (JP-2.6)"""
        for piece in pieces:
            self.position.other_left[piece] = steps[self.position.zones[piece]]

    # -- Shoot cards (JP-14, JP-15) --------------------------------------------------------

    def judge(self, shooter: Seat, face: CardFace) -> list[Shot]:
        """Whom it hits, or whom it misses, as all stand in this step.  (JP-9.8, JP-20.1)"""
        return judge_shot(self.position, shooter, face, self.options, self.sun_with_effects())

    def sun_with_effects(self) -> Zone | None:
        """The zone in which a plane is in the Sun.  (JP-15)"""
        return self.position.sun

    def damage_due(self, shooters: Sequence[TurnedCard]) -> dict[Seat, int]:
        """What each player must scrap in this step."""
        due: dict[Seat, int] = {}
        for owner, face in shooters:
            for shot in self.judge(owner, face):
                for player, damage in shot.due.items():
                    due[player] = due.get(player, 0) + damage
        return due

    def resolve_shot(self, shot: Shot, looked: Collection[Seat] = ()) -> None:
        """Hit or miss; the receivers move cards from Deck to Scrap Pile.  (JP-14.1 to 14.5)

        `looked` are receivers whose cards were picked by whoever shot (JP-16.4).
        """
        deeds: list[Deed] = []
        for player, damage in shot.due.items():
            deeds += self.suffer(player, damage, looked=player in looked)
        carries = [deed for deed in deeds if isinstance(deed, Carry)]
        text = say.shot(self.position, shot, carries, looked)
        cite = self.cite_of(shot, looked)
        if not shot.due:
            self.rule(text, cite, by=shot.shooter, headline=f"{shot.face.title} misses", step=5,
                      quiet=True, happened=shots.happened(shot))  # fmt: skip
            return
        by = next(iter(shot.due)) if len(shot.due) == 1 else shot.victim
        headline = say.scrap(by, sum(carry.count for carry in carries))
        struck = (self.lineup.token[shot.victim, boards.TEAM_OF[shot.shooter]],)
        self.rule(text, cite, *deeds, by=by, headline=headline, step=5, struck=struck,
                  happened=shots.happened(shot))  # fmt: skip

    def cite_of(self, shot: Shot, looked: Collection[Seat]) -> Cite:
        """The rules that a shot rests on."""
        return shots.cite_of(shot, self.position)

    def suffer(self, player: Seat, damage: int, *, looked: bool) -> Sequence[Deed]:
        """What one receiver's hands do: the top cards to the Scrap Pile.  (JP-14.3)"""
        return (self.scrap(player, damage),)

    # -- what the table reports, and who may not answer ------------------------------------

    def report(self, fact: Mapping[str, Json]) -> Notice:
        try:
            notice = reports.report(self, self.words(), fact)
        except IllegalAnswer as refused:
            text = self.with_people(refused.text)
            raise IllegalAnswer(refused.code, text, refused.cite) from None
        except BrokenOff as broken:
            raise BrokenOff(self._named(broken.notice)) from None
        return self._named(notice)

    def _named(self, notice: Notice) -> Notice:
        text, way_out = self.with_people(notice.text), self.with_people(notice.way_out)
        return replace(notice, text=text, way_out=way_out)

    reporting = reports.REPORTING

    def report_words(self) -> Mapping[str, Sequence[str]]:
        return {name: word.fields for name, word in self.words().items()}

    def words(self) -> Mapping[str, reports.ReportWord]:
        """Every word that this mode lets be reported."""
        return {**reports.WORDS, **reports.FACE_UP_WORDS} if self.face_up_option else reports.WORDS

    def not_asked(self, seat: Seat, raw: Json, asked: Question[Any]) -> Refusal | None:
        return reports.not_asked(self, seat, raw, asked)


def _is_over(said: Mapping[Seat | None, None], persons: int) -> bool:
    """Zero ends the phase; so does the word of everybody.  (early_end, RULING 7)"""
    return None in said or len(said) == persons


PROCEDURES: Mapping[str, Callable[[Day], Awaitable[None]]] = {
    "action": lambda rules: rules.action_phase(),
    "lock": lock_in,
    "draw": lambda rules: rules.discard_and_draw(),
    "repair": lambda rules: rules.repair(),
    **dict.fromkeys(boards.SECTION_OF, lambda rules: rules.section()),
    "cleanup": lambda rules: rules.cleanup(),
}
"""What happens at each stage of a round, as the chapters in force have it."""
