"""The record's past matches in the app: a line for each, and one of them in full."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from companion.core.errors import BadCall, CompanionError, RecordError
from companion.core.files import written
from companion.core.ruling import TABLE, Seat
from companion.core.text import counted
from companion.games import find_rulebook, rulebook_of
from companion.match.match import CORRECTIONS, Match
from companion.match.rulebook import Rulebook, Setup
from companion.record.keeping import Bounded, at_once
from companion.record.match import MatchLine, MatchState
from companion.record.store import is_url
from companion.referee.challenge import challenges_in, counted_corrections
from companion.season.statistics import MatchFilter, count_season
from ui.scene.scene import EVERY_MATCH, ChosenMatches, PastLook, PastMatch, PastReader
from ui.scene.values import Line
from ui.scene.words import Names
from ui.screens.match.round import first_quantity
from ui.table.evidence import Kept, kept_earlier
from ui.table.export import GONE, SAFE, ExportPlace, export_places, export_to
from ui.table.protocol import date_and_time
from ui.table.settings_file import sticks

if TYPE_CHECKING:
    from companion.core.ruling import Fact
    from companion.record.record import Record
    from companion.season.seating import CountedBy
    from companion.season.statistics import Counted


LISTED = 100
STATISTICS_OF = 50
"""So many rows of a kind are told on the screen."""
LOOKED_INTO = 5
"""So many of the newest matches tell who may be the arbiter."""
ARBITERS = 3
COUNTS = 5
"""So many of a seat's counts stand in its line."""


class PastShelf(PastReader):
    """The past matches as one table shows them: read once, and again after one was put away.

    `sticks` are the drives that are plugged in now; `asked` is how the record is asked. While its
    server does not answer, the list stays as it was read last.
    """

    def __init__(self, record: Record, asked: Bounded = at_once) -> None:
        self.sticks: Callable[[], Iterable[Path]] = sticks
        self._record, self._asked = record, asked
        self._listed: tuple[PastMatch, ...] | None = None
        self._listed_last: tuple[PastMatch, ...] = ()
        self._looked: PastLook | None = None
        self._kept: tuple[str, Kept] = ("", Kept())
        self._first_of: str | None = None
        self._counted: tuple[tuple[CountedBy, ChosenMatches] | None, tuple[Counted, ...] | None] = (
            None,
            (),
        )

    def begun(self, box: str, *, new: bool) -> None:
        """A match of this box was begun, be it the first one here or not."""
        self._first_of = box if new else ""

    def is_new(self, box: str) -> bool:
        """Whether nobody has begun a match of this box here, but for the one under way."""
        if self._first_of is not None:
            return self._first_of == box
        played = (one for one in self.matches if one.begun and not one.demonstration)
        return all(one.box != box for one in played)

    def forget(self) -> None:
        """A match was put away: read anew what there is."""
        self._listed = self._looked = self._first_of = None
        self._kept = ("", Kept())
        self._counted = (None, ())

    @property
    def matches(self) -> tuple[PastMatch, ...]:
        """The newest first."""
        if self._listed is None:
            try:
                self._listed = self._asked(partial(past_matches, self._record))
            except RecordError:
                return self._listed_last
            self._listed_last = self._listed
        return self._listed

    def look(self, match_id: str) -> PastLook | None:
        """One of them in full; None for one that is not listed."""
        if self._looked is None or self._looked.match.match_id != match_id:
            shown = next((one for one in self.matches if one.match_id == match_id), None)
            if shown is None:
                return None
            try:
                self._looked = self._asked(partial(past_look, self._record, shown))
            except RecordError as silent:
                return PastLook(shown, trouble=str(silent))
        return self._looked

    def counted(
        self, about: CountedBy, chosen: ChosenMatches = EVERY_MATCH
    ) -> tuple[Counted, ...] | None:
        """The busiest of one kind, read when it is first looked at, or again.

        Sums of all matches are there at once. Of some days, or of a player, matches are read one by
        one: a thread does that, and nobody waits for it; nor for a server, whatever is asked.
        """
        wanted = (about, chosen)
        if self._counted[0] != wanted:
            self._counted = wanted, None
            if chosen.days or chosen.who or is_url(self._record.name):
                Thread(target=self._count, args=wanted, name="season", daemon=True).start()
            else:
                self._count(*wanted)
        return self._counted[1]

    def _count(self, about: CountedBy, chosen: ChosenMatches) -> None:
        rows: Sequence[Counted] = ()
        wanted = MatchFilter(
            chosen.box, _days_ago(chosen.days), "", tuple(filter(None, [chosen.who]))
        )
        with suppress(CompanionError):
            rows = count_season(self._record, [about], wanted, most=STATISTICS_OF)
        found = tuple(sorted(rows, key=lambda row: (-row.matches, row.name)))
        if self._counted[0] == (about, chosen):  # else something else was chosen meanwhile
            self._counted = (about, chosen), found

    def kept(self, match_id: str) -> Kept:
        """The pictures of a match at which no camera looks now."""
        if self._kept[0] != match_id:
            self._kept = (match_id, kept_earlier(self._record, match_id))
        return self._kept[1]

    def places(self) -> tuple[ExportPlace, ...]:
        """Where a match may be written to now."""
        return export_places(self._record, tuple(self.sticks()))

    def export_to(self, match_id: str, folder: Path) -> tuple[str, str]:
        """Write a match there; what, and what then, in words. BadCall says what keeps it away."""
        if not match_id:
            raise BadCall("nothing of this match is on disk yet: there is nothing to write")
        if all(folder != place.folder for place in self.places()):
            raise BadCall(f"Nothing was written to {folder.name}: {GONE}")
        loaded = self._asked(partial(self._record.load, match_id))
        begun = date_and_time(loaded.entries[0].at_utc)
        name = f"{find_rulebook(loaded.setup.box).title} {begun}"
        written = export_to(self._record, match_id, folder, name, self._asked)
        return written.told, SAFE if folder in self.sticks() else f"In {written.folder.parent}"


def _days_ago(days: int) -> str:
    """The first of so many days until today, as the list has them (UTC); empty for none."""
    return (datetime.now(UTC) - timedelta(days - 1)).date().isoformat() if days else ""


def past_matches(record: Record) -> tuple[PastMatch, ...]:
    """The newest matches, damaged ones named as such; none where the record cannot be read."""
    try:
        lines = record.matches(LISTED)
        listed = [_shown(line, newest=at == 0) for at, line in enumerate(lines)]
    except CompanionError:
        return ()
    for at, match in enumerate(listed):
        if match.offered:
            listed[at] = _looked_into(record, match)
            break
    return tuple(listed)


# One of them, looked into.


def past_look(record: Record, shown: PastMatch) -> PastLook:
    """What of a listed match is shown before anybody goes on with it."""
    bare = PastLook(shown, trouble=shown.trouble)
    try:
        kept = record.evidence_of(shown.match_id)
        loaded = record.load(shown.match_id)
        match = Match[Any].replay(loaded.entries)
    except CompanionError as wrong:
        return replace(bare, trouble=bare.trouble or str(wrong))
    names = Names.of(match.rulebook, match.setup.seats)
    winners = match.outcome.winners if match.outcome is not None else ()
    return replace(
        bare,
        winners=tuple(filter(None, map(names.side, winners))),
        won=_won(winners, names) if match.outcome is not None else "",
        reason=_reason(match),
        sheet=tuple(_counts(match, names, seat) for seat in match.rulebook.seats_taken()),
        facts=_facts(match, len(kept)),
        pictures=len(kept),
        first_picture=kept[0].seq if kept else -1,
        trouble=bare.trouble or (loaded.damage or ""),
    )


def _won(winners: Sequence[Seat], names: Names) -> str:
    """As large as it is told."""
    if len(winners) == 1:
        return names.victory(winners[0]).upper()
    words = " AND ".join(names.player(seat).upper() for seat in winners)
    return f"{words} WIN" if words else "DRAW"


def _reason(match: Match[Any]) -> str:
    if match.outcome is None:
        return _waits_for(match)
    ruling = match.outcome.ruling
    return f"{ruling.text.partition('. ')[0].rstrip('.')} ({ruling.cite})"


def _waits_for(match: Match[Any]) -> str:
    """What an open match goes on with: the challenge that stands open, or what is asked next."""
    names = Names.of(match.rulebook, match.setup.seats)
    disputed = challenges_in(match.entries)[-1:]
    if disputed and disputed[0].decided is None:
        who = disputed[0].by
        by = "" if who == TABLE else f": {names.called(who)}"
        return f"A challenge is open{by}"
    waiting = [one for key, one in match.open.items() if key not in match.answered]
    asked = (names.in_full(one.headline or one.prompt, one.by) for one in waiting)
    return next((f"Asked next: {one}" for one in asked), "")


def _counts(match: Match[Any], names: Names, seat: Seat) -> Line:
    """A seat's counts, as many as a line holds."""
    counts = [
        f"{fact.label} {fact.value}"
        for fact in match.position.facts()
        if fact.public and fact.seat == seat and fact.shows.is_count
    ]
    player, role = names.player(seat), names.role(seat)
    label = "" if player == names.label(seat) else role
    return Line(player, label, right=" · ".join(counts[:COUNTS]), side=names.side(seat))


def _facts(match: Match[Any], pictures: int) -> tuple[str, ...]:
    """How long it took, how long its log is, and what was corrected in it."""
    minutes = round(match.entries[-1].match_s / 60)
    seen = counted(pictures, "picture") if pictures else "no picture kept"
    return (
        f"{minutes} min",
        counted(len(match.entries), "line"),
        seen,
        *counted_corrections(match.entries),
    )


def latest_arbiters(record: Record) -> tuple[str, ...]:
    """Who corrected the newest matches, the latest first; nobody where it cannot be read."""
    try:
        newest = [record.load(line.match_id) for line in record.matches(LOOKED_INTO)]
    except CompanionError:
        return ()
    authors = (
        entry.author
        for match in newest
        for entry in reversed(match.entries)
        if entry.kind in CORRECTIONS
    )
    return tuple(name for name in dict.fromkeys(authors) if name not in ("", TABLE))[:ARBITERS]


def _shown(line: MatchLine, *, newest: bool) -> PastMatch:
    players, title = tuple(line.seats.values()), line.box.replace("-", " ").title()
    labels: Mapping[Seat, str] = {}
    people = players
    try:
        rules = _rules_of(line)
    except CompanionError:
        pass  # a box or variant of a newer program: its name and its players can still be told
    else:
        title, labels = rules.title, _winners(line, rules)
        people = _people(line, rules)
        players = _players(line, rules)
    ended = line.state is not MatchState.OPEN
    return PastMatch(
        match_id=line.match_id,
        title=title,
        subtitle=" · ".join((*line.variants, counted(line.entries, "line"))),
        players=players,
        summary=_summary(line, title, labels),
        at=line.last,
        ended=ended,
        trouble=line.damage,
        saved=line.saved,
        begun=newest or line.entries > 1,
        demonstration=line.demonstration,
        people=people,
        box=line.box,
    )


def _rules_of(line: MatchLine) -> Rulebook[Any]:
    """The rules that a match is played by; CompanionError where this program has none such."""
    return _rules(line.box, line.variants, written({**line.options}), tuple(line.seats))


@lru_cache(maxsize=64)
def _rules(
    box: str, variants: tuple[str, ...], options: str, seats: tuple[Seat, ...]
) -> Rulebook[Any]:
    """The same rules for every match of one mode with the same house rules (JSON) and seats.

    Nobody is named in them: to make them takes ten times as long as to read a match's line.
    """
    setup = Setup(box, variants, dict.fromkeys(seats, ""), json.loads(options))
    return rulebook_of(setup)(setup)


def _winners(line: MatchLine, rules: Rulebook[Any]) -> Mapping[Seat, str]:
    """Who won, as they are called: a team, else the player."""
    names = Names.of(rules, line.seats)
    return {Seat(winner): names.player(Seat(winner)) for winner in line.winners}


def _players(line: MatchLine, rules: Rulebook[Any]) -> tuple[str, ...]:
    """Who plays, side by side; nobody else of a box for more."""
    names = Names.of(rules, line.seats)
    sides = rules.sides_taken()
    return tuple(", ".join(names.player(seat) for seat in names.crew(side)) for side in sides)


def _people(line: MatchLine, rulebook: Rulebook[Any]) -> tuple[str, ...]:
    """Who was named, in the order of the seats."""
    said = (line.seats[seat] for seat in rulebook.seats if seat in line.seats)
    return tuple(name for text in said if (name := rulebook.person(text)))


def _summary(line: MatchLine, title: str, labels: Mapping[Seat, str]) -> str:
    """Which game, who won and why; or that it is open."""
    by_bots = "Simulated" if line.simulated else "Demonstration"
    game = by_bots if line.demonstration else title
    if line.state is MatchState.OPEN:
        return f"{game} · open after {counted(line.entries, 'line')}"
    winners = " and ".join(labels.get(Seat(winner), winner) for winner in line.winners)
    why = line.outcome.partition(". ")[0].rstrip(".")
    says_it = winners and why.startswith(f"{winners} ") and {"wins", "won"} & {*why.split()}
    won = () if says_it else (f"{winners} won" if winners else "draw",)
    return " · ".join((game, *won, why))


def _looked_into(record: Record, shown: PastMatch) -> PastMatch:
    """The open match that home offers: where it stands, and what is asked next."""
    try:
        match = Match[Any].replay(record.load(shown.match_id).entries)
    except CompanionError as drift:
        return replace(shown, trouble=str(drift))
    names = Names.of(match.rulebook, match.setup.seats)
    place = ", ".join(part.replace("-", " ") for part in match.position.where())
    return replace(
        shown,
        subtitle=" · ".join((*match.setup.variants, place)),
        summary=_waits_for(match) or "Asked next: nothing",
        teams=tuple(_team(match, names, team) for team in match.rulebook.sides_taken()),
        pieces=tuple(
            look
            for token in match.rulebook.plan.tokens
            if (look := names.looks.get(token.piece)) is not None and look.colour is not None
        ),
    )


def _team(match: Match[Any], names: Names, team: Seat) -> Line:
    """A team's players, and the first quantity of each."""
    first = [first_quantity(match.position, seat) for seat in names.crew(team)]
    found = [fact for fact in first if fact is not None]
    players = ", ".join(names.player(seat) for seat in names.crew(team))
    return Line(players, right=quantities_in_words(found), side=names.side(team))


def quantities_in_words(facts: Sequence[Fact]) -> str:
    """One quantity of every player of a team.

    >>> from companion.core.ruling import Fact
    >>> quantities_in_words([Fact("JP.deck", "Deck", 26), Fact("JG.deck", "Deck", 25)])
    'decks 26 · 25'
    >>> quantities_in_words([Fact("R.gas", "Gas", 3)]), quantities_in_words([])
    ('gas 3', '')
    """
    if not facts:
        return ""
    label = facts[0].label.lower()
    several = "s" if len(facts) > 1 and not label.endswith("s") else ""
    return f"{label}{several} {' · '.join(str(fact.value) for fact in facts)}"
