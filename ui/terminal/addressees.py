"""Whom a typed line speaks to: the question it answers, the seat or team that it names."""

from __future__ import annotations

from collections import Counter
from typing import Any

from companion.core.offers import Offer, Stamp
from companion.core.question import Question, Ready
from companion.core.ruling import TABLE, Cite, Json, Seat
from companion.core.text import listed, plain_name, quoted
from companion.match.match import Match


class LineRefused(Exception):
    """A line that the match cannot take, with the digest's code if it has one."""

    def __init__(self, code: str, text: str, cite: Cite | None = None) -> None:
        super().__init__(text)
        self.code, self.text, self.cite = code, text, cite


class Addressees:
    """Everybody and every question that a line at the terminal can name, of one match."""

    def __init__(self, match: Match[Any]) -> None:
        self._match = match

    def aim(self, to: str, said: Json) -> tuple[str, Seat, int]:
        """Which question an answer is for: key, whom it asks, and its opening."""
        question = self.question(to) if to else self.next_for(said)
        if question is not None:
            return question.key, question.by, question.opened
        if self._match.outcome is not None:
            raise LineRefused(
                "Q-OVER", "The match has ended; undo, amend or restart go on from here."
            )
        behind = self._after_silence(to)
        if behind is not None:  # optional questions are on the way to it: the match passes them
            return behind.key, behind.by, -1
        if "/" in to:
            return to, TABLE, -1
        self.refuse_shared_name(to)
        self._refuse_not_asked(to, said)
        waiting = dict.fromkeys(self.name(question.by) for question in self.waiting())
        are = "is" if len(waiting) == 1 else "are"
        asked = f"{listed(list(waiting))} {are}" if waiting else "nobody is"
        seat = self.seat(to)
        name = "Nobody" if not to else quoted(to) if seat is None else self.name(seat)
        name = "The table" if seat == TABLE else name
        raise LineRefused("Q-WHOM", f"{name} is not asked now; {asked}{self._for_what()}")

    def refuse_shared_name(self, to: str) -> None:
        """A name that several seats bear tells nobody which of them is meant."""
        rulebook = self._match.rulebook
        wanted = plain_name(to)
        theirs = [
            seat for seat in rulebook.seats_taken() if plain_name(rulebook.named[seat]) == wanted
        ]
        if len(theirs) > 1:
            seats = " or ".join(rulebook.seats[seat] for seat in theirs)
            raise LineRefused("Q-WHOM", f"{to} may be {seats}: say which seat.")

    def name(self, seat: Seat) -> str:
        """A seat, a team or the table, as people call it."""
        return "the table" if seat == TABLE else self._match.rulebook.named.get(seat, str(seat))

    def _for_what(self) -> str:
        """The end of a sentence: the prompt that waits, where there is only one."""
        waiting = self.waiting()
        if len(waiting) != 1:
            return "."
        prompt = waiting[0].prompt.removeprefix(f"{self.name(waiting[0].by)}: ")
        return f": {prompt}" if prompt.endswith((".", "?", "!")) else f": {prompt}."

    def _refuse_not_asked(self, to: str, said: Json) -> None:
        """A seat answers that is not asked: what the rules say of that, if they say anything."""
        seat, waiting = self.seat(to), self.waiting()
        if seat is None or not waiting:
            return
        refusal = self._match.rulebook.not_asked(seat, said, waiting[0])
        if refusal is not None:
            raise LineRefused(*refusal)

    def next_for(self, said: Json) -> Question[Any] | None:
        """The only question that waits for that word, else the first of all that wait."""
        waiting = self.waiting()
        word = str(said).strip().lower()
        by_word = [q for q in waiting if isinstance(q, Ready) and q.word == word]
        return by_word[0] if len(by_word) == 1 else next(iter(waiting), None)

    def question(self, to: str) -> Question[Any] | None:
        if to in self._match.open:
            return self._match.open[to]
        seat = self.seat(to)
        if seat is not None:
            return self._asked_of(seat)
        return self._by_ending(to) or self._by_heading(to)

    def _asked_of(self, seat: Seat) -> Question[Any] | None:
        """What waits for a seat, or for whatever that person speaks for too: a hand, the team."""
        rulebook = self._match.rulebook
        hands = [other for other, held_at in rulebook.held_by.items() if held_at == seat]
        speaks_for = (seat, *hands, rulebook.side_of.get(seat, seat))
        waiting = self.waiting()
        return next((q for who in speaks_for for q in waiting if q.by == who), None)

    def _by_ending(self, to: str) -> Question[Any] | None:
        ends = f"/{to.lower()}"
        found = [q for key, q in self._match.open.items() if f"/{key}".lower().endswith(ends)]
        if len(found) > 1:
            keys = ", ".join(question.key for question in found)
            raise LineRefused("Q-WHOM", f"{to!r} may be any of {keys}; type more of it.")
        return found[0] if found else None

    def _by_heading(self, to: str) -> Question[Any] | None:
        """The only open question that begins so, as "Jaws section 2: how many borders?"."""
        wanted = plain_name(to)
        heads = ((q.prompt.partition(": ")[0], q) for q in self._match.open.values())
        found = [question for head, question in heads if plain_name(head) == wanted]
        return found[0] if len(found) == 1 else None

    def _after_silence(self, to: str) -> Question[Any] | None:
        """The question with that ending to which silence alone leads; None if there is none."""
        if not to or self.seat(to) is not None:
            return None
        ahead, stamp = Match[Any].replay(self._match.entries), Stamp("", "", 0.0)
        while all(q.lapse is not None for q in ahead.open.values()) and ahead.outcome is None:
            question = next(q for key, q in ahead.open.items() if key not in ahead.answered)
            silence = Offer(question.key, question.lapse, "lapse", question.by)
            ahead.answer(silence, stamp)
            ends = f"/{to.lower()}"
            found = [q for key, q in ahead.open.items() if f"/{key}".lower().endswith(ends)]
            if found:
                return found[0]
        return None

    def seat(self, to: str) -> Seat | None:
        """A player's code, name or title, or a team, in whatever case."""
        rulebook, people = self._match.rulebook, self._match.setup.seats
        names = {plain_name(seat): seat for seat in (*rulebook.seats, *rulebook.sides, TABLE)}
        names |= {plain_name(title): seat for seat, title in rulebook.seats.items()}
        said = [(plain_name(rulebook.person(text)), seat) for seat, text in people.items()]
        alone = Counter(name for name, _ in said)
        names = {**{name: seat for name, seat in said if alone[name] == 1}, **names}
        return names.get(plain_name(to))

    def waiting(self) -> list[Question[Any]]:
        match = self._match
        return [question for key, question in match.open.items() if key not in match.answered]
