"""Who orders what falls together, and where it is asked at all.  (SE-PPR-01, RULING 13)"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from random import Random
from typing import Any

import pytest

MakeTable = Callable[..., Any]
Step = dict[str, Any]


def energy(amount: int, vessel: str = "this") -> Step:
    """Energy comes or goes."""
    return {"op": "energy", "amount": amount, "vessel": vessel}


def damage(amount: int, vessel: str = "others") -> Step:
    """Hull is lost."""
    return {"op": "damage", "amount": amount, "vessel": vessel}


def heat(amount: int, vessel: str = "this") -> Step:
    """Counters of a kind that acts at once."""
    return {"op": "counter", "name": "rage", "amount": amount, "vessel": vessel}


def abilities(
    when: str, each: Mapping[str, Sequence[Step]],
    lines: Mapping[str, Any] | None = None, **more: Any,
) -> dict[str, Any]:  # fmt: skip
    """A table at which every seat has declared one ability of its own: changes of a position."""
    own: dict[str, Any] = {"vessels": {}, "abilities": {}, **more}
    stock = {"attack": 3, "range": 4, "mobility": 2, "hull": 10, "energy": 3}
    changes: dict[str, Any] = {"players": "".join(each), "cards": own}
    for seat, effects in each.items():
        name = f"AB-{seat}"
        line = {**(lines or {}).get(seat, {})}
        if effects:
            ability = {"title": f"Trick {seat}", "when": when, "effects": [*effects]}
            own["abilities"][name] = ability
            own["vessels"][f"ship-{seat}"] = {**stock, "abilities": [name]}
            line |= {"vessel": f"ship-{seat}", "declared": [name], "used": [name]}
        changes[seat] = line
    return changes


def rage(threshold: int, *effects: Step, destroys: bool = False) -> dict[str, Any]:
    """Counters that do something as soon as there are so many."""
    kind = {"threshold": threshold, "at": "at_once", "destroys": destroys, "effects": [*effects]}
    return {"counters": {"rage": kind}}


# -- asked where it can matter -------------------------------------------------------------


@pytest.mark.parametrize("when", ["discard_phase", "end_of_turn", "tier_1"])
def test_se_ppr_01_an_order_that_decides_who_lives_is_asked(table_at: MakeTable, when: str) -> None:
    """Each lays a counter on its own vessel, which at its limit harms the others.  (SE-R23)"""
    phase = {"discard_phase": "discard-phase", "end_of_turn": "end-of-turn"}.get(
        when, "tier-sequence")  # fmt: skip
    weak = {"hull": 2, "counters": {"rage": 1}}
    setting = abilities(when, {"A": [heat(1)], "B": [heat(1)]}, {"A": weak, "B": weak},
                        **rage(2, damage(5)))  # fmt: skip
    table = table_at(phase, priority="B", active="B", **setting)
    assert table.question().by == "B"
    assert "SE-PPR-01" in table.question().cite.rules
    assert table.question().lapse == ["B", "A"]
    assert table.say(["A", "B"]).match.outcome.winners == ("A",)


ASKED: dict[str, dict[str, Any]] = {
    "energy of another is drained and gained": {
        "each": {"A": [energy(-5, "others")], "B": [energy(2)], "C": []}},
    "a counter is taken before its limit, or after": {
        "each": {"A": [heat(2, "others")], "B": [heat(-1)], "C": []},
        "more": rage(2, energy(1)), "lines": {"B": {"counters": {"rage": 1}}}},
    "a repair may be more than there was lost": {
        "each": {"A": [damage(2)], "B": [{"op": "repair", "amount": 2}], "C": []}},
    "a choice may hang on another's": {
        "each": {"A": [damage(1, "one")], "B": [damage(1, "one")], "C": []}},
    "a counter leads to a choice": {
        "each": {"A": [heat(1)], "B": [heat(1)], "C": []},
        "more": rage(1, {"op": "choose", "of": [energy(1), energy(2)]})},
    "a counter of one leads to that of another": {
        "each": {"A": [heat(1)], "B": [damage(1)], "C": []}, "lines": {"B": {"hull": 2}},
        "more": {"counters": {"rage": {"threshold": 1, "at": "at_once", "effects": [
            {"op": "counter", "name": "fear", "vessel": "others", "amount": 1}]},
            "fear": {"threshold": 1, "at": "at_once", "effects": [damage(3, "this")]}}}},
    "an attack is answered by everybody": {
        "each": {"A": [{"op": "attack"}], "B": [energy(1)], "C": []}},
    "both may be destroyed, and nobody else is there": {
        "each": {"A": [damage(20, "this")], "B": [damage(20, "this")]}},
    "two move to where one may stand": {"each": {"A": [{"op": "move"}], "B": [{"op": "move"}]}},
    "a condition is judged by people": {
        "each": {"A": [{**energy(1), "condition": "B has more"}], "B": [energy(1)]}},
}  # fmt: skip


@pytest.mark.parametrize("case", ASKED.values(), ids=ASKED)
def test_se_ppr_01_what_leads_to_another_end_is_asked(
    table_at: MakeTable, case: dict[str, Any]
) -> None:
    """Not only what the operations say: what they bring about."""
    setting = abilities("discard_phase", case["each"], case.get("lines"), **case.get("more", {}))
    table = table_at("discard-phase", **setting)
    assert table.question().key == "turn-3/discard/discard_phase/vessel-order"
    assert table.question().by == "A"


NOT_ASKED: dict[str, dict[str, Any]] = {
    "each gains energy of its own": {"each": {"A": [energy(2)], "B": [energy(2)]}},
    "each draws": {"each": {"A": [{"op": "draw"}], "B": [{"op": "draw"}]}},
    "all lose energy, and nobody gains any": {
        "each": {"A": [energy(-2, "others")], "B": [energy(-2, "all")]}},
    "damage that destroys nobody": {"each": {"A": [damage(1)], "B": [damage(1)]}},
    "counters far from their limit": {
        "each": {"A": [heat(1)], "B": [heat(1)]}, "more": rage(9, damage(5))},
    "what one chooses and another only gains": {
        "each": {"A": [damage(1, "one")], "B": [energy(1)], "C": []}},
    "one alone": {"each": {"A": [damage(5)], "B": []}},
}  # fmt: skip


@pytest.mark.parametrize("case", NOT_ASKED.values(), ids=NOT_ASKED)
def test_se_ppr_01_what_ends_alike_in_any_order_is_not_asked(
    table_at: MakeTable, case: dict[str, Any]
) -> None:
    """Nothing to choose."""
    setting = abilities("discard_phase", case["each"], case.get("lines"), **case.get("more", {}))
    table = table_at("discard-phase", **setting)
    assert "vessel-order" not in table.question().key


def test_se_ppr_03_what_concerns_one_vessel_its_player_orders(table_at: MakeTable) -> None:
    """A loses energy and B gives A some: B has Priority, and A orders it."""
    both = {"A": [energy(-5, "this")], "B": [energy(-1), energy(2, "others")]}
    table = table_at("discard-phase", **abilities("discard_phase", both))
    assert table.question().by == "A"
    on_a = {"A": [energy(-5, "this")], "B": [energy(2, "others")]}
    table = table_at("discard-phase", priority="B", **abilities("discard_phase", on_a))
    assert table.question().by == "A"
    assert "SE-PPR-03" in table.question().cite.rules


def test_se_r13_counters_of_one_card_that_reach_their_limit_together(tiers_at: MakeTable) -> None:
    """A card lays one on all: all are laid before the first acts, and Priority orders them."""
    own = {**rage(2, damage(4)), "cards": {"GOAD": {
        "title": "Goad", "type": "INTERVENE", "effects": [heat(1, "all")]}}}  # fmt: skip
    hot = {"counters": {"rage": 1}, "hull": 3}
    table = tiers_at({"A": hot, "B": hot, "C": hot}, players="ABC", A=1, cards=own).say("GOAD")
    assert table.question().key.endswith("counters/vessel-order")
    assert [table.player(seat).counters["rage"] for seat in "ABC"] == [2, 2, 2]
    assert table.say(["C", "A", "B"]).match.outcome.winners == ("C",)


def test_se_r13_counters_of_one_vessel_are_ordered_by_its_player(table_at: MakeTable) -> None:
    """Two kinds are at their limit at the end of the turn: B is asked."""
    kinds = {
        "rage": {"threshold": 1, "effects": [energy(-9)]},
        "calm": {"threshold": 1, "effects": [energy(1)]},
    }
    table = table_at("end-of-turn", B={"counters": {"rage": 1, "calm": 1}},
                     cards={"counters": kinds})  # fmt: skip
    assert table.question().by == "B"
    assert "SE-PPR-03" in table.question().cite.rules
    assert table.say(["rage", "calm"]).player("B").energy == 1


def test_se_ppr_01_cards_of_one_moment_are_played_and_then_put_in_order(
    table_at: MakeTable,
) -> None:
    """Everybody plays or not; what was played falls together."""
    burn = {"title": "Burn", "type": "INTERVENE", "form": "star", "windows": ["discard_phase"],
            "effects": [damage(9)]}  # fmt: skip
    table = table_at("discard-phase", A={"hull": 5}, B={"hull": 5}, cards={"cards": {"BURN": burn}})
    assert table.question().by == "A"
    table.say("BURN")
    assert table.question().by == "B"
    assert table.player("B").hull == 5
    table.say("BURN")
    assert table.question().key == "turn-3/discard/discard_phase/round-1/vessel-order"
    assert table.say(["B", "A"]).match.outcome.winners == ("B",)


# -- things of different kinds ---------------------------------------------------------------


def gear(**card: Any) -> dict[str, Any]:
    """A card that lies on a vessel."""
    return {"title": "Gear", "type": "EQUIP", "form": "gear", **card}


def star(window: str, *effects: Step) -> dict[str, Any]:
    """A card that is played from hand at that moment."""
    return {"title": "Star", "type": "INTERVENE", "form": "star", "windows": [window],
            "effects": [*effects]}  # fmt: skip


RENEWED = gear(upkeep=[{"pay": "energy"}])
ON_A = {"gear": ["SHELL"], "energy": 1}


@pytest.mark.parametrize(
    ("order", "kept"),
    [(["A renewal SHELL", "B ability AB-B"], ["SHELL"]),
     (["B ability AB-B", "A renewal SHELL"], [])],
)  # fmt: skip
def test_se_ppr_01_an_ability_and_a_renewal_fall_together(
    table_at: MakeTable, order: list[str], kept: list[str]
) -> None:
    """B takes the energy with which A renews: A's vessel alone is concerned, so A orders it."""
    setting = abilities("discard_phase", {"A": [], "B": [energy(-1, "one")]}, {"A": ON_A},
                        cards={"SHELL": RENEWED})  # fmt: skip
    table = table_at("discard-phase", **setting)
    assert table.question().key == "turn-3/discard/discard_phase/round-1/event-order"
    assert table.question().by == "A"
    assert table.question().lapse == ["B ability AB-B", "A renewal SHELL"]
    assert [option.label for option in table.question().offered] == [
        "Player B's ability: Trick B", "Player A's renewal: Gear",
    ]  # fmt: skip
    table.say(order)
    if kept:
        assert table.question().key.endswith("renewal/A/1/pay")
        table.say("yes")
    assert table.player("A").gear == kept


def test_se_ppr_01_a_card_from_hand_and_a_renewal_fall_together(table_at: MakeTable) -> None:
    """B plays it before A has renewed; A renews first all the same."""
    cards = {"SHELL": RENEWED, "NIGHT": star("discard_phase", energy(-1, "one"))}
    table = table_at("discard-phase", A=ON_A, cards={"cards": cards}).say("done", "NIGHT")
    assert (table.question().by, table.player("A").energy) == ("A", 1)
    table.say(["A renewal SHELL", "B card NIGHT"], "yes")
    assert (table.player("A").gear, table.player("A").energy) == (["SHELL"], 0)


def test_se_ppr_01_a_card_from_hand_and_an_ability_fall_together(table_at: MakeTable) -> None:
    """Both would destroy the other; whoever has Priority says who lives."""
    each: dict[str, list[Step]] = {"A": [], "B": [damage(9)]}
    weak = {"hull": 5}
    setting = abilities("end_of_turn", each, {"A": weak, "B": weak},
                        cards={"NIGHT": star("end_of_turn", damage(9))})  # fmt: skip
    table = table_at("end-of-turn", **setting).say("NIGHT", "done")
    assert "SE-PPR-01" in table.question().cite.rules
    assert table.said("plays Star from the hand")
    assert table.say(["A card NIGHT", "B ability AB-B"]).match.outcome.winners == ("A",)


@pytest.mark.parametrize(("priority", "first", "winner"), [
    ("A", "B counters over heat", "A"), ("B", "B ability AB-B", "B"),
])  # fmt: skip
def test_se_ppr_01_an_ability_and_counters_at_their_limit_fall_together(
    table_at: MakeTable, priority: str, first: str, winner: str
) -> None:
    """At the end of the turn B is lost to over heat, and would destroy A: Priority orders it."""
    setting = abilities("end_of_turn", {"A": [], "B": [damage(20)]},
                        {"B": {"counters": {"over heat": 10}}})  # fmt: skip
    table = table_at("end-of-turn", priority=priority, active=priority, **setting)
    assert table.question().by == priority
    assert table.question().headline.endswith("order what is due")
    order = sorted(table.question().lapse, key=lambda name: name != first)
    assert table.say(order).match.outcome.winners == (winner,)


def test_se_ppr_01_counters_may_be_cooled_before_they_are_judged(table_at: MakeTable) -> None:
    """A limit that is not reached any more does nothing: whose vessel it is has the say."""
    cool = {"op": "counter", "name": "over heat", "amount": -1, "vessel": "this"}
    setting = abilities("end_of_turn", {"A": [], "B": [cool], "C": []},
                        {"B": {"counters": {"over heat": 10}}})  # fmt: skip
    table = table_at("end-of-turn", **setting)
    assert table.question().by == "B"
    assert not table.say(["B ability AB-B", "B counters over heat"]).player("B").out
    table = table_at("end-of-turn", **setting).say(["B counters over heat", "B ability AB-B"])
    assert table.player("B").out


def test_se_r13_kinds_that_do_not_mind_each_other_follow_as_ever(table_at: MakeTable) -> None:
    """Abilities, cards, renewals: nothing is asked but what each of them asks."""
    cards = {"SHELL": RENEWED, "NIGHT": star("discard_phase", damage(1))}
    setting = abilities("discard_phase", {"A": [], "B": [damage(1)]}, {"A": ON_A}, cards=cards)
    table = table_at("discard-phase", **setting).say("done", "NIGHT", "done")
    assert table.question().key == "turn-3/discard/renewal/A/1/pay"
    said = [ruling.text for ruling in table.rulings]
    assert said.index("Player B carries out Trick B.") < len(said) - 1
    assert table.player("A").hull == 8


def test_se_ppr_01_single_things_of_two_vessels_are_put_between_each_other(
    table_at: MakeTable,
) -> None:
    """B's order of its own stays (SE-PPR-03); A, who has Priority, renews between them."""
    cards = {"SHELL": RENEWED, "GEN": gear(title="Gen", discard_bonus=[energy(1, "all")]),
             "LEECH": gear(title="Leech", discard_bonus=[energy(-1, "others")])}  # fmt: skip
    table = table_at("discard-phase", A={**ON_A, "energy": 0}, B={"gear": ["GEN", "LEECH"]},
                     cards={"cards": cards})  # fmt: skip
    assert table.question().key == "turn-3/discard/B/bonus/own-order"
    assert table.question().by == "B"
    table.say(["bonus GEN", "bonus LEECH"])
    assert table.question().key == "turn-3/discard/event-order"
    assert table.question().by == "A"
    table.say(["B bonus GEN", "A renewal SHELL", "B bonus LEECH"], "yes")
    assert table.player("A").gear == ["SHELL"]


def test_se_ppr_03_no_order_of_priority_turns_that_of_a_player_round(table_at: MakeTable) -> None:
    """B wants the leech before the generator: whatever A says, it is the leech's turn first."""
    cards = {"SHELL": RENEWED, "GEN": gear(title="Gen", discard_bonus=[energy(1, "all")]),
             "LEECH": gear(title="Leech", discard_bonus=[energy(-1, "others")])}  # fmt: skip
    table = table_at("discard-phase", A={**ON_A, "energy": 0}, B={"gear": ["GEN", "LEECH"]},
                     cards={"cards": cards})  # fmt: skip
    table.say(["bonus LEECH", "bonus GEN"])
    table.say(["B bonus GEN", "A renewal SHELL", "B bonus LEECH"])
    assert table.player("A").gear == []
    assert table.player("A").energy == 1


def test_se_ppr_02_waiting_attacks_are_put_in_order_whatever_comes_of_it(
    tiers_at: MakeTable,
) -> None:
    """The book names this case: it is asked although neither attack can change the other."""
    table = tiers_at(A=1).say("G-SHOT", "done", "G-COUNTER", "done", "done", "done")
    assert table.question().key.endswith("attack-order")
    assert {"SE-PPR-01", "SE-PPR-02"} <= {*table.question().cite.rules}


# -- an oracle beside random play ----------------------------------------------------------


class Model:
    """Vessels as three numbers each, and abilities carried out one after the other."""

    def __init__(self, start: Mapping[str, list[int]], limit: int, acts: Sequence[Step]) -> None:
        self.hull = {seat: line[0] for seat, line in start.items()}
        self.energy = {seat: line[1] for seat, line in start.items()}
        self.rage = {seat: line[2] for seat, line in start.items()}
        self.limit, self.acts = limit, acts
        self.alive = [*start]

    @property
    def is_over(self) -> bool:
        """Whether the last vessel has won, or none is left."""
        return len(self.alive) < 2

    def run(self, actor: str, steps: Sequence[Step]) -> None:
        """One ability, or what counters do at their limit."""
        for step in steps:
            if actor not in self.alive or self.is_over:
                return
            whom = {"this": [actor], "all": [*self.alive],
                    "others": [seat for seat in self.alive if seat != actor]}  # fmt: skip
            self.step(step, whom[step["vessel"]])
            self.alive = [seat for seat in self.alive if self.hull[seat] >= 0]

    def step(self, step: Step, whom: Sequence[str]) -> None:
        """One operation on some vessels."""
        amount = step["amount"]
        for seat in whom:
            if step["op"] == "damage":
                self.hull[seat] -= amount
            elif step["op"] == "repair":
                self.hull[seat] = max(self.hull[seat], min(10, self.hull[seat] + amount))
            elif step["op"] == "energy":
                self.energy[seat] = max(0, self.energy[seat] + amount)
            else:
                self.rage[seat] = max(0, self.rage[seat] + amount)
        if step["op"] == "counter":
            for seat in [seat for seat in whom if self.rage[seat] >= self.limit]:
                if seat in self.alive and self.rage[seat] >= self.limit and not self.is_over:
                    self.rage[seat] = 0
                    self.run(seat, self.acts)

    def end(self) -> dict[str, list[int]]:
        """What is left of everybody who is left; of the match, who has won it."""
        if self.is_over:
            return {s: [] for s in self.alive}
        return {s: [self.hull[s], self.energy[s], self.rage[s]] for s in self.alive}


def any_step(rng: Random, ops: Sequence[str]) -> Step:
    """An operation without a choice."""
    op = rng.choice(ops)
    amount = rng.choice([1, 2, 4]) * (rng.choice([1, -1]) if op in ("energy", "counter") else 1)
    step = {"op": op, "amount": amount, "vessel": rng.choice(["this", "others", "all"])}
    return {**step, "name": "rage"} if op == "counter" else step


@pytest.mark.seeds(100, 150)
def test_whatever_can_end_otherwise_is_asked_and_ends_as_ordered(
    table_at: MakeTable, seed: int
) -> None:
    """Every order of random abilities by a small model: if two differ, Priority must be asked."""
    rng = Random(seed)
    seats = "ABC"[: rng.choice([2, 3])]
    start = {s: [rng.randint(0, 10), rng.randint(0, 4), rng.randint(0, 2)] for s in seats}
    limit = rng.randint(3, 5)
    acts = [any_step(rng, ["damage", "repair", "energy"]) for _ in range(rng.randint(1, 2))]
    ops = ["damage", "repair", "energy", "counter", "counter"]
    each = {s: [any_step(rng, ops) for _ in range(rng.randint(1, 2))] for s in seats}
    ends: dict[tuple[str, ...], dict[str, list[int]]] = {}
    for order in permutations(seats):
        model = Model(start, limit, acts)
        for seat in order:
            model.run(seat, each[seat])
        ends[order] = model.end()
    lines = {s: {"hull": h, "energy": e, "counters": {"rage": r}}
             for s, (h, e, r) in start.items()}  # fmt: skip
    table = table_at("discard-phase", **abilities("discard_phase", each, lines,
                                                  **rage(limit, *acts)))  # fmt: skip
    order = tuple(rng.sample(seats, len(seats)))
    asked = bool(table.match.open) and table.question().key.endswith("phase/vessel-order")
    if asked:
        table.say([*order])
    else:
        assert len({repr(end) for end in ends.values()}) == 1, ends
    while table.match.open and "/discard/" in table.question().key:
        table.say([*table.question().lapse])
    left = {s: table.player(s) for s in seats if not table.player(s).out}
    now = {s: [p.hull, p.energy, p.counters.get("rage", 0)] for s, p in left.items()}
    if table.match.outcome is not None:
        now = {s: [] for s in left}
    assert now == ends[order], (order, each)


# -- every order of things of all kinds ----------------------------------------------------


class Thing:
    """Something due in a made-up moment: whose, of which kind, by which card, and what it does."""

    def __init__(self, seat: str, kind: str, card: str, steps: Sequence[Step]) -> None:
        self.seat, self.kind, self.card, self.steps = seat, kind, card, steps


class Moment(Model):
    """The same model with cards on vessels, and with counters that wait for the end of the turn."""

    def __init__(self, start: Mapping[str, list[int]], things: Sequence[Thing], doom: int) -> None:
        super().__init__(start, 99, ())
        self.doom = dict.fromkeys(start, doom)
        self.limit = doom or 99
        self.gear = {s: [t.card for t in things if t.seat == s and t.kind in ("renewal", "bonus")]
                     for s in start}  # fmt: skip

    def step(self, step: Step, whom: Sequence[str]) -> None:
        """One operation; counters are cooled alone."""
        if step["op"] != "counter":
            super().step(step, whom)
            return
        for seat in whom:
            self.doom[seat] = max(0, self.doom[seat] + step["amount"])

    def happen(self, thing: Thing) -> None:
        """One thing, if its vessel and its card are there."""
        seat = thing.seat
        if self.is_over or seat not in self.alive:
            return
        if thing.kind == "renewal" and thing.card in self.gear[seat]:
            if self.energy[seat]:
                self.energy[seat] -= 1
            else:
                self.gear[seat] = [card for card in self.gear[seat] if card != thing.card]
        elif thing.kind == "counters" and self.doom[seat] >= self.limit:
            self.doom[seat] = 0
            self.run(seat, thing.steps)
        elif thing.kind != "counters" and (thing.kind != "bonus" or thing.card in self.gear[seat]):
            self.run(seat, thing.steps)

    def end_of(self, order: Sequence[Thing]) -> str:
        """What is left after this order."""
        for thing in order:
            self.happen(thing)
        if self.is_over:
            return repr(sorted(self.alive))
        return repr([(s, self.hull[s], self.energy[s], self.doom[s], sorted({*self.gear[s]}))
                     for s in sorted(self.alive)])  # fmt: skip


def things_of(rng: Random, seats: str, late: Sequence[str]) -> list[Thing]:
    """Two to four things, one of a kind for each player at most."""
    ops = ["damage", "repair", "energy", "energy"] + ["counter"] * ("counters" in late)
    kinds = [(seat, kind) for seat in seats for kind in ("ability", "card", *late)]
    found: list[Thing] = []
    for seat, kind in sorted(rng.sample(kinds, rng.randint(2, 4))):
        card = f"GEAR-{seat}" if kind in late else f"{kind}-{seat}".upper()
        steps = [] if kind == "renewal" else [
            any_step(rng, ops) for _ in range(rng.randint(1, 2))]  # fmt: skip
        for step in steps:
            if step["op"] == "counter":
                step.update(name="doom", amount=-1)
        found.append(Thing(seat, kind, card, steps))
    return found


def laid_out(
    phase: str, start: Mapping[str, list[int]], things: Sequence[Thing], doom: int
) -> dict[str, Any]:
    """The changes of a position in which these things are due."""
    when = phase.replace("-", "_")
    cards: dict[str, Any] = {}
    lines: dict[str, Any] = {s: {"hull": h, "energy": e} for s, (h, e, _) in start.items()}
    each: dict[str, list[Step]] = {s: [] for s in start}
    for thing in things:
        if thing.kind == "ability":
            each[thing.seat] = [*thing.steps]
        elif thing.kind == "card":
            cards[thing.card] = star(when, *thing.steps)
        elif thing.kind in ("renewal", "bonus"):
            lines[thing.seat]["gear"] = [thing.card]
            card = cards.setdefault(thing.card, gear())
            more = {"upkeep": [{"pay": "energy"}]} if thing.kind == "renewal" else {
                "discard_bonus": [*thing.steps]}  # fmt: skip
            card.update(more)
    brings = next((thing.steps for thing in things if thing.kind == "counters"), ())
    kinds = {"doom": {"threshold": doom or 99, "effects": [*brings]}}
    for line in lines.values():
        line["counters"] = {"doom": doom} if doom else {}
    return abilities(when, each, lines, cards=cards, counters=kinds)


def ends_at_the_table(make: Callable[[], Any], phase: str, things: Sequence[Thing]) -> set[str]:
    """What is left after every order that anybody may give."""
    ends: set[str] = set()
    waiting: list[list[Any]] = [[]]
    while waiting:
        given, table = waiting.pop(), make()
        asked = names_to_order(table, given, phase, things)
        if asked:
            waiting += [[*given, [*order]] for order in permutations(asked)]
        else:
            ends.add(left_of(table))
    return ends


def names_to_order(
    table: Any, given: Sequence[Any], phase: str, things: Sequence[Thing]
) -> list[str]:
    """What is to be put in order when these orders are given; nothing when all has happened."""
    orders = iter(given)
    while table.match.open and f"/{phase}/" in table.question().key:
        question = table.question()
        tail = question.key.rpartition("/")[2]
        if tail == "draw":
            return []
        if tail == "card":
            plays = any(thing.card == f"CARD-{question.by}" for thing in things)
            table.say(f"CARD-{question.by}" if plays and "/1/card" in question.key else "done")
        elif tail == "pay":
            table.say("yes")
        elif (order := next(orders, None)) is not None:
            table.say(order)
        else:
            return [option.name for option in question.offered]
    return []


def left_of(table: Any) -> str:
    """What is left at the table, as the model says it."""
    alive = [s for s in table.position.players if not table.player(s).out]
    if table.match.outcome is not None:
        return repr(sorted(alive))
    each = [(s, table.player(s)) for s in alive]
    return repr([(s, p.hull, p.energy, p.counters.get("doom", 0), sorted({*p.gear}))
                 for s, p in each])  # fmt: skip


@pytest.mark.slow(gate=1)
@pytest.mark.seeds(30, 60)
def test_every_end_that_some_order_brings_can_be_had_and_no_other(
    table_at: MakeTable, seed: int
) -> None:
    """The ends of all orders by a small model are those that the players' answers lead to."""
    rng = Random(seed)
    seats = "ABC"[: rng.choice([2, 3])]
    at_the_end = seed % 3 == 2
    phase = "end-of-turn" if at_the_end else "discard-phase"
    late = ["counters"] if at_the_end else ["renewal", "bonus"]
    start = {s: [rng.randint(0, 6), rng.randint(0, 2), 0] for s in seats}
    things, doom = things_of(rng, seats, late), 0
    if at_the_end:
        things, doom = with_one_effect(things, seats)
    setting = laid_out(phase, start, things, doom)
    found = ends_at_the_table(lambda: table_at(phase, **setting), phase.partition("-")[0], things)
    ends = {Moment(start, things, doom).end_of(order) for order in permutations(things)}
    assert found == ends, [(t.seat, t.kind, t.steps) for t in things]


def with_one_effect(things: Sequence[Thing], seats: str) -> tuple[list[Thing], int]:
    """All counters do the same, and lie on every vessel; none if nobody was to have any."""
    first = next((thing.steps for thing in things if thing.kind == "counters"), None)
    if first is None:
        return [*things], 0
    first = [step for step in first if step["op"] != "counter"]
    others = [thing for thing in things if thing.kind != "counters"][:2]
    return [*others, *(Thing(seat, "counters", "doom", first) for seat in seats)], 3
