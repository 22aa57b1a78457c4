"""House rules in rulings: whoever plays otherwise than the book reads so in every ruling of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.offers import Json
    from companion.rulebook import Switch
    from companion.ruling import Cite


class HouseRules:
    """The switches of a box by the RULING that each turns.

    `plain` names those that are no other reading of the book, as the number of players.
    """

    def __init__(self, switches: Mapping[str, Switch], plain: Collection[str] = ()) -> None:
        self._turning: dict[int, list[Switch]] = {}
        for switch in switches.values():
            for number in switch.cite.rulings if switch.name not in plain else ():
                self._turning.setdefault(number, []).append(switch)

    def words(self, cite: Cite, house: Mapping[str, Json]) -> str:
        """What a ruling under this cite owes to the house; empty where all is as the book has it.

        >>> from companion.rulebook import Switch
        >>> from companion.ruling import Cite
        >>> bounty = Switch("bounty", ("must", "may"), "Take one.", Cite.of("RULING 14"))
        >>> HouseRules({"bounty": bounty}).words(Cite.of("TS-323, RULING 14"), {"bounty": "may"})
        ' (House rule: bounty may.)'
        """
        turned = (switch for number in cite.rulings for switch in self._turning.get(number, ()))
        told = [
            f"{switch.name} {str(house[switch.name]).lower()}"
            for switch in dict.fromkeys(turned)
            if house.get(switch.name, switch.default) != switch.default
        ]
        return f" (House rule: {', '.join(told)}.)" if told else ""
