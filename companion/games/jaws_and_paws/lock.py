"""The lock: what lies on the tracks at the buzzer, doubled sections, a card face up.

(JP-5.7, JP-6; of solo players JP-18.3)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from companion.core.question import Question, Refusal, together, unless_alone
from companion.core.ruling import Carry, Cite, Seat
from companion.games.jaws_and_paws import words as say
from companion.games.jaws_and_paws.boards import (
    BORDER_NAME_OF,
    CREW_OF,
    NOBODY,
    SECTIONS,
    TEAM_OF,
    UNTOLD,
)

if TYPE_CHECKING:
    from companion.games.jaws_and_paws.boards import Place
    from companion.games.jaws_and_paws.game import Counts, Game

_FACE_UP = Cite.of("JP-18.3, RULING 26")


async def lock_in(game: Game) -> None:
    """Actions are locked in; the cards of doubled sections are discarded.  (JP-5.7, JP-6)"""
    told = dict(await cards_told(game))
    for team in showing(game):
        await lay_face_up(game, team, told)
    places = game.position.places
    doubled = {place: told[place] for place in places if sum(told[place].values()) > 1}
    shown = await doubled_shown(game, told, doubled)
    game.position.counted = {}
    if game.options["lock_asks"] == "players":
        record_players(game, told, doubled)
    else:
        record_sections(game, told, doubled)
    for place, counts in doubled.items():
        discard_doubled(game, place, counts, shown.get(place, ""))


async def cards_told(game: Game) -> Mapping[Any, Any]:
    """What lies on the tracks at the buzzer, as the table is asked for it.  (JP-5.7)"""
    if game.options["lock_asks"] == "players":
        told = await told_by_players(game)
    else:
        told = await told_by_sections(game)
    game.position.told = sum(map(_cards_in, told.values()))
    if game.asks_less and not game.position.told:
        await game.ask.nobody_laid()
    return told


async def told_by_sections(game: Game) -> Mapping[Any, Any]:
    """Whose cards lie on each section, by border.  (JP-5.7, RULING 37)"""
    places = game.position.places
    asked: dict[Any, Question[Any]] = {place: game.ask.borders(*place) for place in places}
    return await told_in_form(game, asked, game.ask.check_sections)


async def told_by_players(game: Game) -> Mapping[Any, Any]:
    """How many cards each player laid; whose lies where is told later.  (lock_asks)"""
    players = game.position.players
    asked: dict[Any, Question[Any]] = {player: game.ask.laid(player) for player in players}
    asked |= {place: game.ask.doubled(*place) for place in game.position.places}
    return await told_in_form(game, asked, game.ask.check_players)


async def told_in_form(
    game: Game,
    asked: dict[Any, Question[Any]],
    check: Callable[[Mapping[Any, Any]], Refusal | None],
) -> Mapping[Any, Any]:
    """The lock's form, until somebody says that the tracks were checked.  (JP-5.7)"""
    told = await together({**asked, "checked": game.ask.checked()}, check=check)
    game.locked = {asked[name].key: told[name] for name in asked if _cards_in(told[name])}
    return told


async def doubled_shown(
    game: Game, told: Mapping[Any, Any], doubled: Mapping[Place, Counts]
) -> dict[Place, str]:
    """What lay on doubled sections, where the table turns them over.  (doubled_reveal)"""
    if not game.options["doubled_reveal"]:
        return {}
    asked = {
        (place, player, ordinal): game.ask.doubled_card(player, place[1], ordinal)
        for place, counts in doubled.items()
        for player in CREW_OF[place[0]]
        for ordinal in range(1, counts[BORDER_NAME_OF[player]] + 1)
    }
    by_players = game.options["lock_asks"] == "players"
    again = game.ask.check_players if by_players else game.ask.check_sections
    faces = await together(asked, check=lambda _: again(told))
    return {
        place: ", ".join(face.card for (at, _, _), face in faces.items() if at == place)
        for place in doubled
    }


def record_sections(game: Game, told: Mapping[Any, Any], doubled: Mapping[Place, Counts]) -> None:
    """A card alone on its section is played by its owner.  (JP-8.1, RULING 37)"""
    for place in game.position.places:
        counts = told[place]
        if place in doubled or not any(counts.values()):
            continue
        team, number = place
        pilot, gunner = CREW_OF[team]
        owner = pilot if counts[BORDER_NAME_OF[pilot]] else gunner
        game.position.owners[team][number - 1] = owner
        lay(game, owner, 1)


def record_players(game: Game, told: Mapping[Any, Any], doubled: Mapping[Place, Counts]) -> None:
    """Cards alone on their sections, of which only the number is told.  (lock_asks)"""
    for player in game.position.players:
        mine = [counts for (team, _), counts in doubled.items() if team == TEAM_OF[player]]
        lay(game, player, told[player] - sum(c[BORDER_NAME_OF[player]] for c in mine))
    for team in game.position.teams:
        laid = any(game.position.piles[player]["track"] for player in CREW_OF[team])
        game.position.owners[team] = [
            UNTOLD if laid and (team, number) not in doubled else NOBODY for number in SECTIONS
        ]


def lay(game: Game, player: Seat, count: int) -> None:
    """Cards that count as played and lie on the track.  (JP-8.1)"""
    game.position.piles[player].move(count, "hand", "track")
    game.position.played[player] += count


def discard_doubled(game: Game, place: Place, counts: Counts, shown: str) -> None:
    """More than one card on a section: all are discarded, unresolved.  (JP-6, RULING 8)"""
    team, number = place
    counts_as_played = game.options["doubled_counts_as_played"] is True
    carries: list[Carry] = []
    for player in CREW_OF[team]:
        count = counts[BORDER_NAME_OF[player]]
        if count:
            piles = game.position.piles[player]
            carries.append(piles.move(count, "hand", "discard", f"{team}.{number}"))
            game.position.played[player] += count if counts_as_played else 0
            game.position.doubled.setdefault(place, {})[player] = count
    text = say.doubled(game.position, team, number, carries, shown, played=counts_as_played)
    headline = f"{team} {number}: discard {sum(counts.values())}"
    game.rule(text, say.DOUBLED, *carries, by=team, headline=headline)
    if game.face_up_option:  # one that lies face up there goes with the others (RULING 26)
        game.position.empty_section(*place)


# A card of each solo player lies face up (JP-18.3).


def showing(game: Game) -> list[Seat]:
    """The solo players who lay a card of each round face up.  (JP-18.3, RULING 27)"""
    if game.options.get(game.face_up_option, "none") == "none":
        return []
    return [team for team in game.position.teams if team in game.lineup.solos]


async def lay_face_up(game: Game, team: Seat, told: dict[Any, Any]) -> None:
    """One lies face up; with none laid, one from hand is.  (RULING 26)"""
    position = game.position
    if has_laid(game, team, told):
        if game.options[game.face_up_option] == "one":
            position.face_up[team] = await turned_up(game, team, told)
        return
    if not any(position.piles[player]["hand"] for player in CREW_OF[team]):
        return
    player, number = await game.ask.lay_face_up(team)
    told[team, number] = {**told[team, number], BORDER_NAME_OF[player]: 1}
    if player in told:
        told[player] += 1
        told[team, number] = dict.fromkeys(told[team, number], 0)
    position.face_up[team] = number
    text, headline = say.laid_face_up(player, number), f"{team}: one face up"
    game.rule(text, _FACE_UP, by=player, headline=headline)


async def turned_up(game: Game, team: Seat, told: Mapping[Any, Any]) -> int:
    """On which section a card lies face up; of a single one the table is told.  (RULING 26)"""
    asked = game.ask.face_up(team, told)
    if not game.asks_less:
        return await asked
    number = await unless_alone(asked)
    if len(asked.options_now()) == 1:
        game.rule(say.must_lie_face_up(team, number), _FACE_UP, by=team,
                  headline=f"{team} {number}: face up")  # fmt: skip
    return number


def has_laid(game: Game, team: Seat, told: Mapping[Any, Any]) -> bool:
    """Whether any card of a team lies on its track."""
    if game.options["lock_asks"] == "players":
        return any(told[player] for player in CREW_OF[team])
    numbers = [number for place, number in game.position.places if place == team]
    return any(sum(told[team, number].values()) for number in numbers)


def _cards_in(counts: Any) -> int:
    """How many cards were told of a section, or of a player; the word "checked" tells of none."""
    if counts is None:
        return 0
    return counts if isinstance(counts, int) else sum(counts.values())
