"""The questions of Starship Edition: whom they ask, and what they offer.

What has one legal answer is not asked; it is answered here.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from companion.core.board import Pose
from companion.core.question import (
    Choose,
    ChooseSome,
    Count,
    Option,
    Order,
    Ready,
    Refusal,
    unless_alone,
)
from companion.core.ruling import TABLE, Cite, Seat
from companion.core.text import counted, headed, spelt_like
from companion.games.starship_edition import refusals
from companion.games.starship_edition.boards import name_of
from companion.games.starship_edition.cards import RESERVED, UNKNOWN
from companion.games.starship_edition.seats import PREPARATION, SET_UP

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.starship_edition.boards import Spot, StarMap
    from companion.games.starship_edition.cards import Card
    from companion.games.starship_edition.player import Player
    from companion.games.starship_edition.position import StarshipPosition


# Names and keys of all questions.

YES, NO = "yes", "no"


class Asking:
    """Knows the position, the house rules and the players' names; keeps the place in the turn."""

    def __init__(
        self,
        position: StarshipPosition,
        house: Mapping[str, Json],
        names: Mapping[Seat, str],
    ) -> None:
        self.position = position
        self.house = house
        self.names = names
        self.place: list[str] = []

    @contextmanager
    def at(self, *place: object) -> Generator[None, None, None]:
        """Everything asked meanwhile is asked at this place within the present one."""
        before = len(self.place)
        self.place += [str(part) for part in place]
        try:
            yield
        finally:
            del self.place[before:]

    def key(self, *place: object) -> str:
        """A key from the turn on."""
        turn = SET_UP if self.position.stage == SET_UP else f"turn-{self.position.turn}"
        return "/".join((turn, *self.place, *(str(part) for part in place)))

    def head(self, seat: Seat, words: str) -> str:
        """A headline that names its player."""
        return headed(self.names[seat], seat, words)

    def yes_no(
        self, key: str, by: Seat, cite: Cite, prompt: str, headline: str,
        words: Sequence[str] = ("Yes", "No"), lapse: str | None = None,
    ) -> Choose[bool]:  # fmt: skip
        """Whether something is done; `words` are what the two keys say."""
        options = [Option(YES, value=True, label=words[0]), Option(NO, value=False, label=words[1])]
        return Choose(key=self.key(key), by=by, cite=cite, prompt=prompt, lapse=lapse,
                      headline=self.head(by, headline), offered=options,
                      unlisted=self.over)  # fmt: skip

    def or_over(
        self, unlisted: Callable[[Json], Refusal | None] | None
    ) -> Callable[[Json], Refusal | None]:
        """What belongs to the Preparation is told so; anything else as `unlisted` has it."""
        return lambda raw: self.over(raw) or (unlisted(raw) if unlisted is not None else None)

    def over(self, raw: Json) -> Refusal | None:
        """What belongs to the Preparation, when that is over.  (SE-E-PHASE)"""
        early = self.position.stage in (SET_UP, PREPARATION)
        return refusals.before(raw) if early else refusals.over(raw)


# The questions.

LONGEST_TITLE = 40
"""Letters of a title that people give a card which the catalogue lacks."""
DONE = "done"
MARKED = ": lay a token"
"""With what leaves a reminder token in its tier.  (SE-PRE-04)"""

_FIRST = Cite.of("SE-SET-03, SE-R02, RULING 2")
_START = Cite.of("SE-SET-05")
_PREPARE = Cite.of("SE-PRE-02, SE-PRE-03")
_MOVE = Cite.of("SE-R03, RULING 3")
_ACTIVATE = Cite.of("SE-ACT-04")
_TARGET = Cite.of("SE-R14, RULING 14")


class Act(NamedTuple):
    """One thing to do in the Preparation: what, where or with which card."""

    verb: str
    what: str = ""
    other: str = ""


class Played(NamedTuple):
    """A card that was named: its id, and the title it is newly given ("" = known, or not said).

    `form` is how one that the catalogue lacks is played, where the moment does not say it.
    """

    card: str
    title: str = ""
    form: str = ""


class Asks(Asking):
    """Every question of set-up, Preparation and the tier sequence."""

    # -- set-up ----------------------------------------------------------------------------

    def first_player(self) -> Choose[Seat]:
        """Who begins, as the table drew it."""
        return Choose(
            key=self.key("first-player"), by=TABLE, cite=_FIRST, headline="Who begins?",
            prompt="Draw lots for the first player. Who begins with Priority?",
            offered=[Option(str(seat), seat, self.names[seat], group="Player", about=seat)
                     for seat in self.position.players],
        )  # fmt: skip

    async def start_space(
        self, player: Player, star_map: StarMap, free: Mapping[str, Spot]
    ) -> Spot:
        """Where a vessel is placed, of the lettered spaces still free; by letter or by space."""
        seat = player.seat
        offered = [Option(name, spot, name, group="Start",
                          shows={player.piece: self.pose(player, spot)})
                   for name, spot in free.items()]  # fmt: skip
        by_space = {name_of(option.value): option for option in offered}
        return await unless_alone(Choose(
            key=self.key("start", seat), by=seat, cite=_START,
            prompt=f"{self.names[seat]}: place your vessel on a free lettered space.",
            headline=self.head(seat, "which start?"),
            offered=offered, named=lambda raw: by_space.get(str(raw).replace(" ", "")),
            unlisted=self.or_over(lambda raw: refusals.start(raw, list(free), star_map)),
            may_move=frozenset({player.piece}),
        ))  # fmt: skip

    def placed(self, seat: Seat) -> Ready:
        """A vessel stands on its start space, where no map file says which there are."""
        return Ready(
            key=self.key("start", seat), by=seat, cite=_START, word="placed",
            prompt=f"{self.names[seat]}: place your vessel on a free lettered space.",
            headline=self.head(seat, "place vessel"),
        )  # fmt: skip

    def pose(self, player: Player, spot: Spot) -> Pose:
        """A vessel on a space, as a camera should see it."""
        return Pose(name_of(spot), self.position.facing(player))

    # -- Preparation -----------------------------------------------------------------------

    async def preparation(
        self, seat: Seat, acts: Sequence[Option[Act]], unlisted: Callable[[Json], Refusal | None]
    ) -> Act:
        """What the player who prepares does next."""
        player = self.position.players[seat]
        due = f"tier {player.next_tier}"
        words = f"prepares {due}: what do you do?"
        if not player.has_tiers_left:
            words = "has prepared all tiers: do you change anything, or are you done?"
        named = {option.name: option for option in acts}
        return await unless_alone(Choose(
            key=self.key("prepare", seat, self.position.steps + 1), by=seat, cite=_PREPARE,
            prompt=f"{self.names[seat]} {words}",
            headline=self.head(seat, f"fill {due}" if player.has_tiers_left else "finished?"),
            offered=acts, unlisted=unlisted,
            named=lambda raw: _with_tier(raw, len(player.tiers), named),
        ))  # fmt: skip

    async def extra_tier(self, seat: Seat, *, can_draw: bool) -> str:
        """What a tier that was granted just now is prepared with."""
        player = self.position.players[seat]
        number = player.next_tier
        words = {"draw": f"Draw{MARKED}", "set": "Set a card", "pass": f"Pass{MARKED}"}
        return await unless_alone(Choose(
            key=self.key("extra-tier", number), by=seat, cite=Cite.of("SE-R11, RULING 11"),
            prompt=f"{self.names[seat]}: prepare tier {number} now.",
            headline=self.head(seat, f"fill tier {number}"),
            offered=[Option(name, name, label) for name, label in words.items()
                     if (name != "draw" or can_draw) and (name != "set" or player.hand)],
            unlisted=lambda raw: refusals.preparing(
                raw, player, {}, {}, can_draw=can_draw, drift=False) or self.over(raw),
        ))  # fmt: skip

    # -- tiers -----------------------------------------------------------------------------

    def activate(self, seat: Seat, which: str, cards: Mapping[str, Card]) -> Choose[Played]:
        """Which card is turned face up; one that the catalogue lacks may be given a title."""
        tier, player = self.position.tier, self.position.players[seat]
        lying = player.tier(tier)
        both = lying is not None and lying.cards > 1
        what = f"{which} card of" if both else "card in"
        return Choose(
            key=self.key(which), by=seat, cite=_ACTIVATE,
            prompt=f"{self.names[seat]} turns over the {what} tier {tier}. Which is it?",
            headline=self.head(seat, "which card?"),
            offered=[*(Option(name, Played(name), card.title, group=card.type)
                       for name, card in cards.items()),
                     Option(UNKNOWN, Played(UNKNOWN), "Another card", group="Not listed",
                            letters_more=LONGEST_TITLE)],
            named=lambda raw: titled(raw, cards), unlisted=self.over,
        )  # fmt: skip

    async def destination(
        self, mover: Player, by: Seat, ends: Sequence[Spot],
        unlisted: Callable[[Json], Refusal | None],
    ) -> Spot:  # fmt: skip
        """Where a vessel goes."""
        return await unless_alone(Choose(
            key=self.key("move", mover.seat), by=by, cite=_MOVE,
            prompt=f"{self.names[by]}: move {self.whose(mover.seat, by)} vessel. Where to?",
            headline=self.head(by, "move where?"),
            offered=[Option(name_of(spot), spot, name_of(spot), group="Space",
                            shows={mover.piece: self.pose(mover, spot)}) for spot in ends],
            unlisted=self.or_over(unlisted),
            may_move=frozenset({mover.piece}),
        ))  # fmt: skip

    def moved(self, mover: Player, by: Seat, most: int) -> Ready:
        """A vessel was moved as its card says, where no map file tells what is legal."""
        return Ready(
            key=self.key("move", mover.seat), by=by, cite=_MOVE, word="moved",
            prompt=f"{self.names[by]}: move {self.whose(mover.seat, by)} vessel "
                   f"{counted(most, 'space')} at most, as the table agrees.",
            headline=self.head(by, f"move up to {most}"),
        )  # fmt: skip

    def heading(self, mover: Player, by: Seat, headings: Sequence[str]) -> Choose[int]:
        """Which way a vessel points now."""
        return Choose(
            key=self.key("heading", mover.seat), by=by, cite=_MOVE,
            prompt=f"{self.names[by]}: which way does {self.whose(mover.seat, by)} vessel point?",
            headline=self.head(by, "which heading?"), unlisted=self.over,
            offered=[Option(name, number, name, group="Heading")
                     for number, name in enumerate(headings)],
        )  # fmt: skip

    def whose(self, seat: Seat, by: Seat) -> str:
        """Whose it is, to whoever is asked: "your", or by name."""
        return "your" if seat == by else f"{self.names[seat]}'s"

    async def vessel(
        self, key: str, by: Seat, seats: Sequence[Seat], cite: Cite, what: str,
        unlisted: Callable[[Json], Refusal | None] | None = None,
    ) -> Seat:  # fmt: skip
        """One of several vessels."""
        return await unless_alone(Choose(
            key=self.key(key), by=by, cite=cite, prompt=f"{self.names[by]}: {what}",
            headline=self.head(by, f"which {key}?"),
            unlisted=self.or_over(unlisted),
            offered=lambda: [
                Option(str(seat), seat, self.names[seat], group="Vessel", about=seat)
                for seat in seats if not self.position.players[seat].out],
        ))  # fmt: skip

    async def one_of(
        self, key: str, by: Seat, offered: Sequence[Option[str]], cite: Cite, what: str, head: str,
        unlisted: Callable[[Json], Refusal | None] | None = None,
    ) -> str:  # fmt: skip
        """One of several things that have names."""
        return await unless_alone(Choose(
            key=self.key(key), by=by, cite=cite, prompt=f"{self.names[by]}: {what}",
            headline=self.head(by, head), offered=offered,
            unlisted=self.or_over(unlisted),
        ))  # fmt: skip

    def number(self, key: str, by: Seat, low: int, high: int, cite: Cite, what: str) -> Count:
        """A number."""
        return Count(key=self.key(key), by=by, cite=cite, prompt=f"{self.names[by]}: {what}",
                     headline=self.head(by, "how many?"), low=low, high=high)  # fmt: skip

    def moments(
        self, key: str, by: Seat, offered: Sequence[Option[str]], cite: Cite, title: str
    ) -> ChooseSome[str]:
        """At which moments a card may be played; the first one is now."""
        prompt = f"{self.names[by]}: when may {title} be played? (now: {offered[0].label.lower()})"
        return ChooseSome(key=self.key(key), by=by, cite=cite, prompt=prompt, offered=offered,
                          headline=self.head(by, "played when?"), fewest=1,
                          most=len(offered))  # fmt: skip

    def order(
        self, key: str, by: Seat, offered: Sequence[Option[str]], cite: Cite, what: str, of: str
    ) -> Order[str]:
        """In which order things `of` a kind happen that coincide; unsaid, in the usual one."""
        usual: list[Json] = [option.name for option in offered]
        return Order(key=self.key(key), by=by, cite=cite, prompt=f"{self.names[by]}: {what}",
                     headline=self.head(by, f"order {of}"), offered=offered,
                     lapse=usual)  # fmt: skip


def titled(raw: Json, cards: Mapping[str, Card]) -> Option[Played] | None:
    """A card that the catalogue lacks, by the title that is typed: "unknown Tractor beam"."""
    word, _, title = str(raw).strip().partition(" ")
    title = " ".join(title.split())
    if word.lower() != UNKNOWN or not title or len(title) > LONGEST_TITLE or title in cards:
        return None
    if title.lower() in RESERVED:
        return None
    return Option(f"{UNKNOWN} {title}", Played(UNKNOWN, title), title)


def _with_tier(raw: Json, latest: int, acts: Mapping[str, Option[Act]]) -> Option[Act] | None:
    """An act by what people call it: "ability Focus", or "set 2" with the tier that comes next."""
    verb, _, tier = str(raw).strip().lower().partition(" ")
    if verb in ("ability", "play"):
        titles = {option.label.removeprefix("Play ").removesuffix(MARKED): option
                  for option in acts.values() if option.value.verb == verb}  # fmt: skip
        return titles.get(spelt_like(tier, titles) or "")
    due = {"draw": latest + 1, "set": latest + 1, "pass": latest + 1, "second": latest}.get(verb)
    return acts.get(verb) if due is not None and tier == str(due) else None
