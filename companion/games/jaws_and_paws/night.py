"""Night Mode: the Moon replaces the Sun.  (JP-16)"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from companion.core.board import Piece
from companion.core.question import Question, together
from companion.core.ruling import Cite, Deed, Seat
from companion.games.jaws_and_paws import wording as say
from companion.games.jaws_and_paws.boards import MOON
from companion.games.jaws_and_paws.cards import Family
from companion.games.jaws_and_paws.crew import NAMES, TEAM_OF
from companion.games.jaws_and_paws.game import Turned
from companion.games.jaws_and_paws.mode_reports import MOON_WORDS
from companion.games.jaws_and_paws.moon import is_favoured, is_moonlit
from companion.games.jaws_and_paws.moves import Zone
from companion.games.jaws_and_paws.reports import Word
from companion.games.jaws_and_paws.rules import JawsAndPaws
from companion.games.jaws_and_paws.shots import Shot

_DRAWN = Cite.of("JP-16.3, JP-11.7, RULING 23")
_LOOKED = Cite.of("JP-16.4, JP-16.5, RULING 24")
_REPLACES = Cite.of("JP-16.1, JP-16.2, RULING 22")

NightLook = tuple[Seat, Seat]
"""Who shot, and whose Deck is looked at."""


class Night(JawsAndPaws):
    """The Moon stands where the Sun would; it lets draw, and lets look.  (JP-16.1)"""

    light: ClassVar[Piece] = MOON
    leaves_out: ClassVar[tuple[str, ...]] = ("half_rounding",)
    also: ClassVar[Mapping[str, Cite]] = {
        "JP-3.2": Cite.of("JP-16.1"),
        "JP-3.5": Cite.of("JP-16.1"),
        "JP-5.2": Cite.of("JP-16.1"),
        "JP-9.3": _REPLACES,
        "JP-9.4": _REPLACES,
        "JP-14.1": Cite.of("JP-16.2, RULING 22"),
    }

    def words(self) -> Mapping[str, Word]:
        return {**super().words(), **MOON_WORDS}

    def sun_with_effects(self) -> Zone | None:
        """None: by night nobody is in the Sun.  (JP-16.2, RULING 22)"""
        return None

    # -- Discard and Draw (JP-16.3) --------------------------------------------------------

    async def discard_and_draw(self) -> None:
        """After the compulsory draw, up to two more for whom the Moon favours.  (JP-16.3)"""
        position = self.position
        position.favoured = [team for team in position.teams if is_favoured(position, team)]
        await super().discard_and_draw()
        asked: dict[Any, Question[Any]] = {p: self.ask.moon_draw(p) for p in self.may_draw()}
        if asked:
            asked["drawn"] = self.ask.moon_drawn()
            told = await together(asked)
            for player in self.may_draw():
                self.draw_by_moon(player, told.get(player, 0))
        position.favoured = []

    def may_draw(self) -> list[Seat]:
        """The players whom the Moon lets draw, and who have a card to draw.  (RULING 23)"""
        position = self.position
        return [
            player
            for player in position.players
            if TEAM_OF[player] in position.favoured and position.piles[player]["deck"]
        ]

    def draw_by_moon(self, player: Seat, count: int) -> None:
        """Cards drawn of free will; never a loss.  (JP-16.3, JP-11.7)"""
        piles = self.position.piles[player]
        drawn = min(count, piles["deck"])
        if drawn:
            carry = piles.move(drawn, "deck", "hand")
            self.rule(say.drawn_by_moon(player, piles, drawn), _DRAWN, carry, by=player,
                      headline=f"{NAMES[player]}: draw {drawn}")  # fmt: skip

    # -- Shoot cards (JP-16.4) -------------------------------------------------------------

    async def resolve_shots(self, turned: Sequence[Turned]) -> None:
        """Step 5: whoever may look says so; looks come before plain hits.  (JP-16.4, RULING 24)"""
        shooters = [t for t in turned if t.face.family is Family.SHOOT]
        if not shooters:
            return
        await self.count_short_decks(partial(self.damage_due, shooters), say.MUST_SCRAP)
        asked = {
            (shot.shooter, receiver): self.ask.moon_look(shot.shooter, receiver, damage)
            for shot in self.shots_of(shooters)
            for receiver, damage in self.looks_due(shot).items()
        }
        told = await together(asked)
        looked = [look for look, wanted in told.items() if wanted]
        self.resolve_all(self.shots_of(shooters), looked)
        await together({look: self.ask.moon_looked(*look) for look in looked})

    def shots_of(self, shooters: Sequence[Turned]) -> list[Shot]:
        """Every shot of this step, judged."""
        return [shot for shooter in shooters for shot in self.judge(*shooter)]

    def looks_due(self, shot: Shot) -> Mapping[Seat, int]:
        """Whose Decks may be looked at: none that is shorter than the damage.  (RULING 24)"""
        if not is_moonlit(self.position, shot):
            return {}
        piles = self.position.piles
        return {p: n for p, n in shot.due.items() if 0 < n <= piles[p]["deck"]}

    def resolve_all(self, judged: Sequence[Shot], looked: Sequence[NightLook]) -> None:
        """Shots by which somebody looks come first.  (RULING 24)"""
        pairs = [
            (shot, [p for p in self.looks_due(shot) if (shot.shooter, p) in looked])
            for shot in judged
        ]
        for shot, seen in sorted(pairs, key=lambda pair: not pair[1]):
            self.resolve_shot(shot, seen)

    def cite_of(self, shot: Shot, looked: Collection[Seat]) -> Cite:
        cite = super().cite_of(shot, looked)
        return cite.also(_LOOKED) if looked else cite

    def suffer(self, player: Seat, damage: int, *, looked: bool) -> Sequence[Deed]:
        """Cards picked out of the top nine; the Deck is shuffled.  (JP-16.4, JP-16.5)"""
        if not looked:
            return super().suffer(player, damage, looked=looked)
        piles = self.position.piles[player]
        seen = self.ask.cards_seen(player, damage)
        self.position.dealt[player] = self.position.dealt.get(player, 0) + damage
        picked = piles.move(damage, "deck", "scrap", f"top {seen}")
        return (picked, piles.shuffle("deck", "deck"))
