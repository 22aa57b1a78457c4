"""After a correction hands are told what brings the table to the record, in every box and mode."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from companion.core.errors import CompanionError
from companion.core.offers import Offer, Stamp
from companion.core.question import Count, Question
from companion.core.ruling import Carry, Deed, Flip, Move, SetTo, Shuffle
from companion.kit.playing import RandomPlayer
from companion.match.correction import LyingTable, Tellings, in_words, tellings
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of, play_out
from companion.referee.referee import Keeping, Referee

ANSWERS, CORRECTIONS, BACK = 60, 8, 2


def _stamp(author: str, now: float) -> Stamp:
    return Stamp(author, "", now)


class Sitting:
    """A match that bots play under a referee, as far as it is wanted."""

    def __init__(self, setup: Setup, seed: int) -> None:
        self.rng = Random(seed)
        self.match = Match[Any].start(setup, _stamp("bot", 0.0))
        self.referee = Referee(self.match, Keeping(lambda _: None), _stamp)
        self.referee.begin(0.0)
        self.bots = bots_of(setup, self.rng)

    def play(self, answers: int) -> None:
        """So many answers of the bots, from the beginning on; they follow the rulings."""
        play_out(self.match, self.bots, answers)

    def correct(self, undo: float = 0.5, latest: int = 20) -> str:
        """An undo of any answer, or another answer to it; which of both was done."""
        seqs = [step.seq for step in self.match.steps if step.answers]
        if not seqs:
            return ""
        seq = self.rng.choice(seqs[-latest:])
        if self.rng.random() < undo:
            self.referee.undo(1.0, seq, "wrong key", "Ada")
            return "undo"
        key = self.match.entries[seq].key
        asked = Match[Any].replay(self.match.entries[:seq])
        options = [option.name for option in asked.open[key].options_now()]
        if not options or isinstance(asked.open[key], Count):  # what was counted moves nothing
            return ""
        self.referee.commit(self.referee.amend(seq, self.rng.choice(options), "misread"), 1.0)
        return "amend"


def perform(lying: LyingTable, deeds: Sequence[Deed], match: Match[Any]) -> None:
    """What hands do with these deeds; no pile is ever asked for cards that it has not."""
    piles = Counter(lying.piles)
    for deed in deeds:
        match deed:
            case Move(piece, was, now):
                assert lying.places.get(piece) == was
                lying.places.pop(piece, None)
                if now is not None:
                    lying.places[piece] = now
            case Carry(owner, count, source, target):
                start, end = (match.position.pile_at(owner, p) for p in (source, target))
                assert start is not None
                assert end is not None
                assert piles[start] >= count > 0, (deed, piles)
                piles[start] -= count
                piles[end] += count
            case Shuffle(_, _, source, target):
                assert source == target
            case Flip(thing, side):
                lying.sides[thing] = side
            case SetTo(owner, name, _, _, now) if (owner, name) in piles:
                piles[owner, name] = int(str(now))
            case SetTo(_, name, _, _, now):
                shown[name] = now
    lying.piles = dict(piles)


shown: dict[str, Any] = {}


def _lying(match: Match[Any]) -> LyingTable:
    """The table as hands have left it, cards of a form that is still open among them."""
    lying = LyingTable.of(match.position)
    lying.put_on(match.done_in_form, match.position)
    return lying


def _is_counted_in_part(match: Match[Any]) -> bool:
    """Whether an open form has some of its counts: they lie there, and the record waits for all."""
    return any(isinstance(match.open[key], Count) for key in match.answered)


def _forget(lying: LyingTable, counted: Tellings, now: Tellings) -> None:
    """What was only counted lies there still when its answer is gone, but the record knows no more.

    Nobody is to move it.
    """
    for seq, telling in counted.items():
        if seq not in now and telling.is_from_nowhere:
            lying.piles = {
                pile: many - telling.piles.get(pile, 0) for pile, many in lying.piles.items()
            }


def _counts(lying: LyingTable) -> dict[Any, int]:
    return {pile: count for pile, count in lying.piles.items() if count}


@pytest.mark.slow(gate=5)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_deeds_lead_from_the_table_to_the_record(setup: Setup, seed: int) -> None:
    """Whatever was undone or amended: done in their order, the deeds give what the record says."""
    told = 0
    sitting = Sitting(setup, seed)
    sitting.play(ANSWERS)
    for _ in range(CORRECTIONS):
        before, rulings = _lying(sitting.match), list(sitting.match.rulings)
        counted = tellings(sitting.match)
        entries = len(sitting.match.entries)
        try:
            sitting.correct()
        except CompanionError:
            continue  # an answer that the rules refuse corrects nothing
        if len(sitting.match.entries) == entries or _is_counted_in_part(sitting.match):
            continue
        correction = sitting.referee.hands.correction
        deeds = [*(correction.tasks if correction is not None else ())]
        if sitting.match.rulings[: len(rulings)] == rulings:  # new ones are told as ever
            deeds += [d for new in sitting.match.rulings[len(rulings) :] for d in new.deeds]
        shown.clear()
        shown.update({name: fact.value for name, fact in before.counters.items()})
        _forget(before, counted, tellings(sitting.match))
        perform(before, deeds, sitting.match)
        after = _lying(sitting.match)
        assert before.places == after.places
        assert _counts(before) == _counts(after)
        assert before.sides == after.sides
        assert {n: v for n, v in shown.items() if v} == {
            name: fact.value for name, fact in after.counters.items() if fact.value
        }
        told += len(deeds)
        for deed in deeds:
            assert in_words(deed, sitting.match.rulebook)
    assert told


def test_cards_that_went_round_a_shuffled_deck_go_back_in_parts() -> None:
    """Each pile waits for another: no hand is asked for more cards than it holds."""
    sitting = Sitting(Setup("kites"), 2)
    sitting.play(ANSWERS)
    before = _lying(sitting.match)
    sitting.referee.undo(1.0, 42, "wrong key", "Ada")
    correction = sitting.referee.hands.correction
    assert correction is not None
    ways = [(d.owner, d.source, d.target) for d in correction.tasks if isinstance(d, Carry)]
    assert len(ways) > len({*ways}), "this seed shall have a pile that waits for itself"
    perform(before, correction.tasks, sitting.match)
    assert _counts(before) == _counts(_lying(sitting.match))


def _waits(sitting: Sitting) -> bool:
    """Amends answers until one leaves lines that wait; false where none does."""
    for _ in range(4 * CORRECTIONS):
        try:
            sitting.correct(undo=0.0, latest=sitting.rng.choice((10, ANSWERS)))
        except CompanionError:
            continue
        if sitting.match.parked and sitting.match.outcome is None:
            return True
    return False


def _answer_anew(sitting: Sitting) -> bool:
    """Answers the first question, as before where it was answered; whether lines are back."""
    match, waiting = sitting.match, {step.seq for step in sitting.match.parked}
    question = next(q for key, q in match.open.items() if key not in match.answered)
    given = [e.answer for e in match.entries if e.key == question.key and e.kind == "answer"]
    raw = given[-1] if given else RandomPlayer(sitting.rng).answer(question)
    sitting.referee.take(Offer(question.key, raw, "bot", question.by), 2.0)
    return bool(waiting & {step.seq for step in match.steps})


@pytest.mark.slow
def test_hands_do_again_what_lines_that_come_back_say(setup: Setup) -> None:
    """An amend took cards off the table; the lines count again, and so do the cards they laid."""
    back, waited = 0, False
    for seed in range(40):
        if back == BACK:
            break
        sitting = Sitting(setup, seed)
        sitting.play(ANSWERS // 2)
        waits = _waits(sitting)
        waited |= waits
        for _ in range(6 if waits else 0):
            if sitting.match.outcome is not None:
                break
            before, told = _lying(sitting.match), sitting.referee.put_right
            shown.clear()
            shown.update({name: fact.value for name, fact in before.counters.items()})
            if _answer_anew(sitting):
                correction = sitting.referee.hands.correction
                assert correction is None or sitting.referee.put_right is not told
                perform(before, correction.tasks if correction is not None else (), sitting.match)
                after = _lying(sitting.match)
                assert (before.places, before.sides) == (after.places, after.sides)
                assert _counts(before) == _counts(after)
                back += 1
                break
    if not waited:
        pytest.skip("no answer of this box changes what is asked later: no line ever waits")
    assert back


def test_what_hands_have_not_followed_is_not_undone(setup: Setup) -> None:
    """An answer is given and undone before a hand moved: the table stays as it is."""
    sitting = _before_a_hand_moves(setup)
    for _ in range(CORRECTIONS):
        if sitting.match.outcome is not None:
            return
        done = len(sitting.match.rulings)
        lay = LyingTable.of(sitting.match.position)
        last = sitting.match.last_act
        _answer_without_hands(sitting)
        sitting.referee.hands.done = done
        while sitting.match.last_act != last:
            sitting.referee.undo(1.0)
        correction = sitting.referee.hands.correction
        told = correction.tasks if correction is not None else ()
        unsure = (SetTo, Flip)  # these say how a thing must lie, and do no harm if it does
        moved = [deed for deed in told if not isinstance(deed, unsure)]
        after = LyingTable.of(sitting.match.position)
        assert lay.places == after.places
        assert not [d for d in moved if isinstance(d, Carry)], moved
        break


def _before_a_hand_moves(setup: Setup) -> Sitting:
    """A match whose next answer does not itself say that hands have done something."""
    for answers in range(ANSWERS // 2, ANSWERS):
        sitting = Sitting(setup, 3)
        sitting.play(answers)
        if sitting.match.outcome is not None or not _asked(sitting).deeds:
            return sitting
    raise AssertionError("every question is one of what hands have done")


def _asked(sitting: Sitting) -> Question[Any]:
    return next(q for key, q in sitting.match.open.items() if key not in sitting.match.answered)


def _answer_without_hands(sitting: Sitting) -> None:
    question = _asked(sitting)
    raw = sitting.bots.act(question)
    sitting.match.answer(Offer(question.key, raw, "bot", question.by), _stamp("bot", 0.0))
