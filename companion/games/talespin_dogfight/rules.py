"""The TaleSpin dogfight, step by step as its table has it.  (TS-101 to TS-328)

The steps stand in files of their own, in the table's order: starting.py (phase 1), maneuvering.py
(phase 2), winning.py (phases 3a and 3b); carrying.py has the windows between them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.core.ruling import Cite, Notice, Outcome, Ruling, Seat
from companion.games.talespin_dogfight import reports
from companion.games.talespin_dogfight.layout import EXCHANGES, OVER
from companion.games.talespin_dogfight.winning import Winning

if TYPE_CHECKING:
    from companion.core.question import Question, Refusal
    from companion.core.ruling import Json

_WON = Cite.of("TS-310, TS-327")
_NOBODY = Cite.of("TS-101, RULING 16")


class TalespinDogfight(Winning):
    """The whole of it, from the announcement to the discards."""

    async def play(self) -> Outcome:
        """Step after step; each is a place where a match can start."""
        while self.position.step != OVER:
            self.begin()
            await self.step()
        return Outcome(self.winners(), self.last_word())

    async def step(self) -> None:
        """The step under way: a window, or what the table says of it."""
        now = self.position.now
        if now.window:
            await self.window()
            return
        steps = {
            "set-up": self.set_up,
            "announce": self.announce,
            "opponent": self.opponent,
            "defend": self.defend,
            "draw-attacker": self.draw_by_pilot,
            "draw-defender": self.draw_by_pilot,
            **{f"attack-{number}": self.attack for number in range(1, EXCHANGES + 1)},
            **{f"answer-{number}": self.answer for number in range(1, EXCHANGES + 1)},
            "reward": self.reward,
            "damage": self.damage,
            "draw-won": self.draw_won,
            "bounty": self.bounty,
            "clean-up": self.clean_up,
        }
        await steps[now.name]()

    def winners(self) -> tuple[Seat, ...]:
        """Who has won most dogfights of this turn; mostly there was one."""
        most = max(player.wins for player in self.position.players.values())
        won = {seat: player.wins for seat, player in self.position.players.items()}
        return tuple(seat for seat, wins in won.items() if 0 < wins == most)

    def last_word(self) -> Ruling:
        """How the turn's dogfights came out."""
        winners = self.winners()
        if not winners:
            return self.rule("Nobody has won a dogfight.", _NOBODY, headline="No winner")
        names = " and ".join(self.who(seat) for seat in winners)
        verb = "have" if len(winners) > 1 else "has"
        headline = self.ask.head(next(iter(winners)), "wins")
        return self.rule(f"{names} {verb} won the dogfight.", _WON, headline=headline)

    def not_asked(self, seat: Seat, raw: Json, asked: Question[Any]) -> Refusal | None:
        return reports.not_asked(self, seat, raw, asked)

    def report(self, fact: Mapping[str, Json]) -> Notice:
        return reports.judge_report(self, fact)

    def report_words(self) -> Mapping[str, Sequence[str]]:
        return reports.WORDS

    def examples(self) -> Mapping[str, Mapping[str, Json]]:
        """What an arbiter may type here, by verb."""
        return {
            **super().examples(),
            "adjust": {"A.hand": 5},
            "report": {"what": "recount", "player": "A", "pile": "hand", "count": 5},
        }
