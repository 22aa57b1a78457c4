"""Logs of an earlier edition: what it asked and the rules by now know, and names put as codes."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from companion.core.errors import Drift, IllegalAnswer
from companion.core.offers import Offer, Stamp
from companion.core.question import Choose, Count, Option, Refusal, unless_alone
from companion.core.ruling import TABLE, Json, Level, Notice, Outcome, Seat
from companion.match import match as match_module
from companion.match.entry import Entry
from companion.match.match import Match
from companion.match.rulebook import Setup
from tests.companion.conftest import CITE, Tally

STAMP = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
A, B = Seat("A"), Seat("B")


class Ferry(Tally):
    """Each round A says how many cross; then which boat takes them, of which there is but one."""

    box: ClassVar[str] = "ferry"
    boats: ClassVar[tuple[str, ...]] = ("only",)
    begins_after_boat: ClassVar[bool] = True

    async def play(self) -> Outcome:
        while self.position.round < 4:
            self.begin()
            place = f"round-{self.position.round}"
            crossing = await Count(key=f"{place}/cross", by=A, cite=CITE, prompt="Cross?", high=9)
            self.position.tally += crossing
            if self.begins_after_boat:
                self.begin()
            boat = await self.boat(f"{place}/boat")
            self.position.tally += boat
            self.rule(f"{self.position.tally} are over.", CITE)
            self.position.round += 1
        return Outcome((A,), self.rule("All are over.", CITE))

    async def boat(self, key: str) -> int:
        return await self._which(key)

    def _which(self, key: str) -> Choose[int]:
        offered = [Option(name, 10, name) for name in self.boats]
        return Choose(key=key, by=B, cite=CITE, prompt="Which boat?", offered=offered)


class LaterFerry(Ferry):
    """The second edition: it does not ask which boat where there is only one."""

    edition: ClassVar[int] = 2

    async def boat(self, key: str) -> int:
        return await unless_alone(self._which(key))


class OtherFerry(LaterFerry):
    """A second edition that rules otherwise: the only boat takes nobody."""

    async def boat(self, key: str) -> int:
        assert key
        return 0


def _use(monkeypatch: pytest.MonkeyPatch, rules: type[Tally]) -> None:
    monkeypatch.setattr(match_module, "rulebook_of", lambda _: rules)


def _say(match: Match[Any], key: str, raw: Json) -> Entry:
    return match.answer(Offer(key, raw, "touch", TABLE), STAMP)


def _played(monkeypatch: pytest.MonkeyPatch, rounds: int = 2) -> Match[Any]:
    """A match of the first edition, so many rounds long."""
    _use(monkeypatch, Ferry)
    match = Match[Any].start(Setup("ferry"), STAMP)
    for number in range(1, rounds + 1):
        _say(match, f"round-{number}/cross", number)
        _say(match, f"round-{number}/boat", "only")
    return match


def test_an_answer_that_is_no_longer_asked_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log keeps the line; the position, and every digest, are those of the old edition."""
    old = _played(monkeypatch, 3)
    assert old.outcome is not None
    _use(monkeypatch, LaterFerry)
    match = Match[Any].replay(old.entries)
    assert match.no_longer_asked == {2, 4, 6}
    assert match.entries == old.entries
    assert match.position.tally == old.position.tally == 36
    assert [ruling.text for ruling in match.rulings] == [ruling.text for ruling in old.rulings]
    assert match.outcome is not None


def test_two_beginnings_in_one_answer_are_proved_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the old edition hashed before the boat was asked, one answer now leads past."""
    old = _played(monkeypatch, 1)
    crossed, boated = old.entries[1], old.entries[2]
    assert crossed.digest
    assert boated.digest
    assert crossed.digest != boated.digest
    _use(monkeypatch, LaterFerry)
    Match[Any].replay(old.entries)
    with pytest.raises(Drift) as drift:
        Match[Any].replay([old.entries[0], crossed._replace(digest="0" * 16), boated])
    assert drift.value.seq == 1


def test_a_digest_that_differs_after_a_passed_over_line_is_a_drift(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The rules no longer ask, but rule otherwise: the line is named where that comes to light."""
    old = _played(monkeypatch)
    _use(monkeypatch, OtherFerry)
    with pytest.raises(Drift) as drift:
        Match[Any].replay(old.entries)
    assert drift.value.seq == 2


def test_in_its_own_edition_nothing_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer to what is not asked is a drift where no later edition excuses it."""
    _use(monkeypatch, LaterFerry)
    match = Match[Any].start(Setup("ferry"), STAMP)
    _say(match, "round-1/cross", 1)
    stray = match.entries[1]._replace(seq=2, key="round-1/boat", answer="only")
    with pytest.raises(Drift) as drift:
        Match[Any].replay([*match.entries, stray])
    assert drift.value.seq == 2


@pytest.mark.parametrize("target", [2, 4])
def test_an_undo_of_a_passed_over_line_goes_back_to_before_it(
    monkeypatch: pytest.MonkeyPatch, target: int
) -> None:
    """What came after it goes, as it went then; the boat is known again at once."""
    old = _played(monkeypatch)
    old.undo(target, "wrong boat", stamp=STAMP)
    _say(old, f"round-{target // 2}/boat", "only")
    _use(monkeypatch, LaterFerry)
    match = Match[Any].replay(old.entries)
    assert match.position.tally == old.position.tally
    assert match.position.round == old.position.round
    assert [*match.open] == [*old.open]
    assert match.undo(target, "once more", stamp=STAMP).kind == "undo"
    assert match.position.round == target // 2 + 1


def test_an_amend_of_a_passed_over_line_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one answer was amended to itself: it is passed over with the line it was for."""
    old = _played(monkeypatch)
    old.amend(2, "only", "misread").commit(STAMP)
    old.undo(stamp=STAMP)
    _use(monkeypatch, LaterFerry)
    match = Match[Any].replay(old.entries)
    assert {2, 4, 5} <= match.no_longer_asked
    assert match.position.tally == old.position.tally == 23


def test_an_adjustment_before_a_passed_over_line_stands_before_what_followed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It finds its place by what is still asked after it."""
    old = _played(monkeypatch)
    old.adjust({"tally": 100}, "recount", before=2, stamp=STAMP)
    assert old.position.tally == 122
    _use(monkeypatch, LaterFerry)
    match = Match[Any].replay(old.entries)
    assert match.position.tally == 112  # between the answer and its boat there is no place any more


def test_a_position_file_may_list_what_is_no_longer_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers since the last beginning are read by the edition of the match that names them."""
    monkeypatch.setattr(Ferry, "begins_after_boat", False)
    _use(monkeypatch, Ferry)
    old = Match[Any].start(Setup("ferry"), STAMP)
    _say(old, "round-1/cross", 1)
    _say(old, "round-1/boat", "only")
    since: list[Json] = [
        {"key": "round-1/cross", "answer": 1},
        {"key": "round-1/boat", "answer": "only"},
    ]
    file: dict[str, Json] = {"round": 1, "tally": 0, "since": since}
    _use(monkeypatch, LaterFerry)
    line = Match[Any].start(Setup("ferry", position={"round": 1, "tally": 0}), STAMP).entries[0]
    setup = Setup("ferry", position=file, edition=1)
    match = Match[Any].replay([line._replace(answer=setup.to_json())])
    assert match.position.tally == old.position.tally == 11
    assert [*match.open] == [*old.open] == ["round-2/cross"]


# -- what has one legal answer -------------------------------------------------------------


def _asked(question: Choose[str]) -> object:
    """The question if it is asked, else the value that came without asking."""
    procedure = unless_alone(question)
    try:
        return procedure.send(None)
    except StopIteration as known:
        return str(known.value)
    finally:
        procedure.close()


def _choice(*names: str, law: Any = None) -> Choose[str]:
    offered = [Option(name, name.upper(), name) for name in names]
    return Choose(key="k", by=A, cite=CITE, prompt="Which?", offered=offered, law=law)


def test_a_choice_of_one_is_not_asked() -> None:
    """Its value comes at once; a choice of two is asked, and one of none is, too."""
    assert _asked(_choice("left")) == "LEFT"
    both, none = _choice("left", "right"), _choice()
    assert _asked(both) is both
    assert _asked(none) is none


def test_what_the_law_forbids_is_no_choice() -> None:
    """Two are offered, one is legal: nobody is asked."""
    forbidden = Refusal("T-1", "Not left.", CITE)
    assert _asked(_choice("left", "right", law=lambda v: forbidden if v == "LEFT" else None)) == (
        "RIGHT"
    )


# -- names where codes are meant -----------------------------------------------------------


class Duel(Tally):
    """A says whom they shoot: nobody themselves, and a shot at somebody far is out of range."""

    box: ClassVar[str] = "duel"
    far: ClassVar[Refusal] = Refusal("T-RANGE", "B is out of range.", CITE)

    async def play(self) -> Outcome:
        offered = [Option(f"1,0 ram {seat}", seat, f"ram {seat}") for seat in ("A", "C")]
        whom = await Choose(
            key="whom", by=A, cite=CITE, prompt="Whom?", offered=offered,
            unlisted=lambda raw: self.far if raw == "1,0 ram B" else None,
            caution=lambda seat: Notice("T-OWN", "That is you.", CITE, Level.WARN)
            if seat == "A" else None,
        )  # fmt: skip
        return Outcome((A,), self.rule(f"{whom} is rammed.", CITE))


@pytest.fixture
def duel(monkeypatch: pytest.MonkeyPatch) -> Match[Any]:
    """A's question, with Ana at A and Ben at B."""
    _use(monkeypatch, Duel)
    return Match[Any].start(Setup("duel", seats={A: "Ana", B: "Ben"}), STAMP)


def test_a_name_stands_for_its_code(duel: Match[Any]) -> None:
    """The log keeps the code, whatever was typed."""
    entry = _say(duel, "whom", "1,0 ram ana")
    assert entry.answer == "1,0 ram A"
    assert Match[Any].replay(duel.entries).position.tally == duel.position.tally


def test_a_refusal_is_that_of_whom_the_name_means(duel: Match[Any]) -> None:
    """Ben is out of range: he is no unknown player."""
    with pytest.raises(IllegalAnswer) as refused:
        _say(duel, "whom", "1,0 ram Ben")
    assert refused.value.code == "T-RANGE"
    with pytest.raises(IllegalAnswer) as refused:
        _say(duel, "whom", "1,0 ram Benno")
    assert refused.value.code == "Q-NAME"


def test_a_caution_comes_for_a_name_as_for_its_code(duel: Match[Any]) -> None:
    """Whoever types Ana is warned as whoever touches A."""
    assert duel.word_before("whom", "1,0 ram A") == duel.word_before("whom", "1,0 ram Ana")
    assert duel.word_before("whom", "1,0 ram Ana") is not None
    assert duel.word_before("whom", "1,0 ram C") is None


def test_a_name_that_two_bear_means_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two Anas: the name is refused as it was typed, the codes are still taken."""
    _use(monkeypatch, Duel)
    match = Match[Any].start(Setup("duel", seats={A: "Ana", B: "ana"}), STAMP)
    assert match.rulebook.spoken_names() == {}
    with pytest.raises(IllegalAnswer):
        _say(match, "whom", "1,0 ram Ana")
    _say(match, "whom", "1,0 ram A")


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Ben, then Ana Maria", "B, then C"),
        ({"Ana": ["Ben", 2], "x": None}, {"A": ["B", 2], "x": None}),
        ("Anabel", "Anabel"),
        (7, 7),
    ],
)
def test_names_are_put_as_codes_wherever_they_stand(said: Json, meant: Json) -> None:
    """Whole words only, the longest name first, in lists and objects alike."""
    from companion.core.text import in_codes

    assert in_codes(said, {"Ana": "A", "Ben": "B", "Ana Maria": "C"}) == meant
