"""One attack from its declaration to its damage.  (SE-R14, RULING 14)"""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.core.ruling import Seat


@dataclass(slots=True)
class Declared:
    """An attack under way: who, at whom, how strong, and what was added or taken away since.

    `number` tells the attacks of one set apart, in the order of their declaration. `changes` are
    quantities of vessels that are more or less in this attack alone; `own_power` says that its
    power is the attack of the vessel and not one that its card has.
    """

    number: int
    attacker: Seat
    target: Seat
    power: int
    title: str
    bonus: int = 0
    reduction: int = 0
    stopped: str = ""
    own_power: bool = True
    changes: dict[tuple[Seat, str], int] = field(default_factory=dict[tuple[Seat, str], int])

    def change(self, seat: Seat, stat: str, amount: int) -> None:
        """So much more of a quantity of a vessel, in this attack alone."""
        self.changes[seat, stat] = self.changes.get((seat, stat), 0) + amount

    @property
    def name(self) -> str:
        """What the attack is called where several wait: "2 B>A"."""
        return f"{self.number} {self.attacker}>{self.target}"

    def damage(self, armour: int) -> int:
        """Power with all that was added, less all reductions, never below 0."""
        if self.stopped:
            return 0
        return max(0, self.power + self.bonus - self.reduction - armour)
