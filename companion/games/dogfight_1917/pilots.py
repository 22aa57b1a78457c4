"""What each pilot adds to the rules, a class a Pilot Card, by both its sides.  (DF-18)

The chapters ask the pilot at each moment that `PilotEffects` names; what a class does not replace
stays as the book has it for all. Names and paragraphs of the cards are in `cards.PILOTS`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core.ruling import Cite, Seat
from companion.games.dogfight_1917 import cards, flying
from companion.games.dogfight_1917.asks import Throw
from companion.games.dogfight_1917.cards import Maneuver
from companion.games.dogfight_1917.engaging import may_advance
from companion.games.dogfight_1917.game import PilotEffects
from companion.games.dogfight_1917.moves import NO_BONUS, Aim, Bonus, Shot

if TYPE_CHECKING:
    from companion.games.dogfight_1917.game import Game

_PLACED = Cite((), (27,))


class Richthofen(PilotEffects):
    """The Red Baron, The Flying Circus.  (DF-18.1)"""

    full_evasion_pays = True
    _BARON = Cite.of("DF-18.1.A")
    _CIRCUS = Cite.of("DF-18.1.S, RULING 9")

    def evaded(self, game: Game, seat: Seat) -> None:
        """A token.  (DF-18.1.A)"""
        game.earn(seat, 1, self._BARON, "every die of the evasion succeeded")

    async def after_momentum(self, game: Game, seat: Seat) -> None:
        """He rolls; on 5 or more he may Turn twice.  (DF-18.1.A)"""
        throw = Throw("red-baron", seat, 1, self._BARON, "the Red Baron", passes=5,
                      against="5+: 2 Turns", brings="On 5 or more you may Turn twice.")  # fmt: skip
        (die,) = await game.roll(throw)
        if die >= 5:
            why = f"you rolled {die} and may Turn twice"
            await flying.may_turn(game, seat, 2, self._BARON, why, "red-baron-turns")
            return
        text = f"{game.who(seat)} rolled {die} for the Red Baron: no Turns."
        game.rule(text, self._BARON, by=seat, headline=game.ask.head(seat, f"{die}: no Turns"))

    def targets(self, game: Game, seat: Seat) -> Sequence[Seat]:
        """Whoever is 1 space away with a free space behind.  (DF-18.1.S)"""
        near = flying.adjacent_opponents(game, seat)
        return [other for other in near if flying.rear_places(game, seat, other)]

    def why_no_target(self, action: str) -> tuple[str, Cite]:
        """No opponent is near enough, or none has room behind it."""
        text = f"{action} needs an opposing Fighter 1 space away, with a free space behind it."
        return text, self._CIRCUS

    async def act(self, game: Game, seat: Seat, target: Seat) -> None:
        """Dead Six.  (DF-18.1.S, RULING 9)"""
        await flying.dead_six(game, seat, target, self._CIRCUS)


class MacLaren(PilotEffects):
    """Silent Pursuer, Northern Falcon.  (DF-18.2)"""

    _PURSUER = Cite.of("DF-18.2.A")
    _FALCON = Cite.of("DF-18.2.B, DF-9.10")

    def basic_shot(self, game: Game, seat: Seat, usual: Shot) -> Shot:
        """Side A: Difficulty 1 lower.  (DF-18.2.A)"""
        if not self.has_up(game, seat, "A"):
            return usual
        lower = max(1, usual.difficulty - 1)
        return replace(usual, difficulty=lower, cite=usual.cite.also(self._PURSUER))

    def placed(self, game: Game, seat: Seat, shot: Shot, dice: tuple[int, ...]) -> None:
        """Side A: a token where every die was placed.  (DF-18.2.A, RULING 27)"""
        if self.has_up(game, seat, "A") and game.position.gunsight == len(dice):
            game.earn(seat, 1, self._PURSUER.also(_PLACED), "every die was placed")

    def free_reroll(self, game: Game, seat: Seat) -> bool:
        """Side B.  (DF-18.2.B)"""
        return self.has_up(game, seat, "B")

    async def after_maneuver(self, game: Game, seat: Seat) -> None:
        """Side B: he may Turn once.  (DF-18.2.B)"""
        if self.has_up(game, seat, "B"):
            await _turn_after(game, seat, self._FALCON)


class Loewenhardt(PilotEffects):
    """Heart of Iron, Smiling Beast.  (DF-18.3)"""

    _HEART = Cite.of("DF-18.3.A, RULING 26")
    _TURN = Cite.of("DF-18.3.A, DF-9.10, RULING 43")
    _BEAST = Cite.of("DF-18.3.B, RULING 25")

    async def after_maneuver(self, game: Game, seat: Seat) -> None:
        """Side A: he may Turn once beside an opponent.  (DF-18.3.A, RULING 43)"""
        if self.has_up(game, seat, "A") and flying.adjacent_opponents(game, seat):
            await _turn_after(game, seat, self._TURN)

    def tells_means(self, game: Game, seat: Seat) -> bool:
        """Side A, where by house rule only he earns who could have evaded.  (RULING 26)"""
        needs_means = game.options["heart_of_iron_needs_means"] is True
        return needs_means and self.has_up(game, seat, "A")

    async def not_evaded(self, game: Game, seat: Seat, *, with_means: bool) -> None:
        """Side A: he rolls, on 3 or more a token.  (DF-18.3.A, RULING 26)"""
        needs_means = game.options["heart_of_iron_needs_means"] is True
        if not self.has_up(game, seat, "A") or (needs_means and not with_means):
            return
        throw = Throw("heart-of-iron", seat, 1, self._HEART, "Heart of Iron", passes=3,
                      against="3+: 1 token", brings="On 3 or more you take 1 token.")  # fmt: skip
        (die,) = await game.roll(throw)
        if die >= 3:
            game.earn(seat, 1, self._HEART, f"the die for Heart of Iron shows {die}")
            return
        text = f"{game.who(seat)} rolled {die} for Heart of Iron: no token."
        game.rule(text, self._HEART, by=seat, headline=game.ask.head(seat, f"{die}: no token"))

    def special(self, game: Game, seat: Seat) -> Bonus:
        """Side B: 1 die more, Difficulty 1 lower; by house rule other numbers too.  (RULING 25)"""
        if not self.has_up(game, seat, "B"):
            return NO_BONUS
        thresholds = int(game.options["smiling_beast_thresholds"] is True)
        return Bonus(1, 1, thresholds, "Smiling Beast", self._BEAST)


class Fonck(PilotEffects):
    """Aerial Sharpshooter, Ace of Aces.  (DF-18.4)"""

    _SHARPSHOOTER = Cite.of("DF-18.4.A")
    _ACE = Cite.of("DF-18.4.B")
    _ACE_AIM = Cite.of("DF-18.4.B, RULING 3")

    def basic_aim(self, game: Game, seat: Seat, usual: Aim) -> Aim:
        """Side B: from the next space, whatever the target shows.  (DF-18.4.B)"""
        return Aim(1, 1, from_rear=False) if self.has_up(game, seat, "B") else usual

    def aim_cite(self, game: Game, seat: Seat, usual: Cite) -> Cite:
        """Side B has an aim of its own."""
        return self._ACE_AIM if self.has_up(game, seat, "B") else usual

    async def before_basic_attack(self, game: Game, seat: Seat) -> Bonus:
        """Side A: he rolls first; on 5 or more he fires two dice more.  (DF-18.4.A)"""
        if not self.has_up(game, seat, "A"):
            return NO_BONUS
        throw = Throw("sharpshooter", seat, 1, self._SHARPSHOOTER, "Aerial Sharpshooter",
                      passes=5, against="5+: 2 more dice",
                      brings="On 5 or more you fire 2 more dice.")  # fmt: skip
        (die,) = await game.roll(throw)
        more = 2 if die >= 5 else 0
        words = f"{more or 'no'} more dice"
        text = f"{game.who(seat)} rolled {die} for Aerial Sharpshooter: {words}."
        game.rule(text, self._SHARPSHOOTER, by=seat, headline=game.ask.head(seat, words))
        bonus = Bonus(dice=more, name="Aerial Sharpshooter", cite=self._SHARPSHOOTER)
        return bonus if more else NO_BONUS

    def basic_shot(self, game: Game, seat: Seat, usual: Shot) -> Shot:
        """Side B: 2 dice against 3 from any side.  (DF-18.4.B)"""
        if not self.has_up(game, seat, "B"):
            return usual
        return replace(
            usual, dice=2, difficulty=3, why="2 for Ace of Aces", cite=self._ACE, note=""
        )

    def placed(self, game: Game, seat: Seat, shot: Shot, dice: tuple[int, ...]) -> None:
        """Side A: a token for a die placed from range 2.  (DF-18.4.A, RULING 27)"""
        if self.has_up(game, seat, "A") and game.position.gunsight and shot.spaces == 2:
            cite = self._SHARPSHOOTER.also(_PLACED)
            game.earn(seat, 1, cite, "a die was placed from range 2")


class Mentor(PilotEffects):
    """The Pilot Mentor: Marksmanship, Pioneer of the Sky.  (DF-18.5)"""

    TOKENS = 2
    _TOKENS = Cite.of("DF-3.7, DF-18.5.A")
    _MARKSMANSHIP = Cite.of("DF-18.5.A, DF-18.5.B")
    _PIONEER = Cite.of("DF-18.5.S")

    def set_up(self, game: Game, seat: Seat) -> None:
        """Two tokens.  (DF-18.5.A)"""
        game.earn(seat, self.TOKENS, self._TOKENS, "the Pilot Mentor brings them")

    def basic_shot(self, game: Game, seat: Seat, usual: Shot) -> Shot:
        """One die more, on either side.  (DF-18.5.A, DF-18.5.B)"""
        why = f"{usual.why}, 1 for the Pilot Mentor"
        return replace(usual, dice=3, why=why, cite=usual.cite.also(self._MARKSMANSHIP))

    async def act(self, game: Game, seat: Seat, target: Seat) -> None:
        """Advance up to 2 spaces, and Turn once.  (DF-18.5.S)"""
        action = cards.PILOTS[cards.MENTOR].action
        await may_advance(game, seat, Maneuver(action, self._PIONEER, 0, 2, 1), "pioneer")


async def _turn_after(game: Game, seat: Seat, cite: Cite) -> None:
    """A Turn that a pilot gives once a Maneuver Action is done.  (DF-9.10)"""
    await flying.may_turn(
        game, seat, 1, cite, f"you may Turn once with {game.pilot_name(seat)}", "pilot"
    )


EFFECTS: Mapping[str, PilotEffects] = {
    cards.RICHTHOFEN: Richthofen(),
    cards.MACLAREN: MacLaren(),
    cards.LOEWENHARDT: Loewenhardt(),
    cards.FONCK: Fonck(),
    cards.MENTOR: Mentor(),
}
"""What each pilot of the box adds, by the code in `cards.PILOTS`."""
