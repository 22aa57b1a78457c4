"""Cards that lie on sections now and did not at the buzzer: one for each owner and section."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from companion.offers import LateCard, SectionSeen, SectionState

LateOn = Mapping[str, tuple[LateCard, ...]]
"""The late cards by section: one for each owner, or one alone of whom nobody read a back."""


def late_cards(at_zero: Mapping[str, SectionSeen], now: Mapping[str, SectionSeen]) -> LateOn:
    """What came to each section since the buzzer.

    Not sure where that picture leaves the section in doubt, as under a hand. What was taken away
    is no late card; several of one owner on one section are told as one.
    """
    found: dict[str, tuple[LateCard, ...]] = {}
    for section, after in now.items():
        before = at_zero.get(section)
        if before is None or after.state is SectionState.EMPTY:
            continue
        came = owners_of(after) - owners_of(before)
        unread = before.state is SectionState.EMPTY and not after.cards
        sure = before.state is not SectionState.DOUBT
        if came or unread:
            found[section] = tuple(
                LateCard(section, owner, _left(owner, section, at_zero, now) if sure else "", sure)
                for owner in (sorted(came) or ("",))
            )
    return found


def gone_on(before: LateOn, now: LateOn) -> LateOn:
    """The late cards so far with those of a newer picture.

    An owner who was named stays so, though another card covers his by now; a card that nobody could
    read is the one that can be read there since.

    >>> read = {"A": (LateCard("A", "JG"),)}
    >>> [card.owner for card in gone_on({"A": (LateCard("A", "JP"),)}, read)["A"]]
    ['JG', 'JP']
    >>> [card.owner for card in gone_on({"A": (LateCard("A"),)}, read)["A"]]
    ['JG']
    """
    return {
        section: _joined(before.get(section, ()), now.get(section, ()))
        for section in (*before, *(name for name in now if name not in before))
    }


def owners_of(section: SectionSeen) -> Counter[str]:
    """Whose cards were read on a section, and how many of each."""
    return Counter(card.owner for card in section.cards)


def _joined(before: tuple[LateCard, ...], now: tuple[LateCard, ...]) -> tuple[LateCard, ...]:
    by_owner = {card.owner: card for card in (*before, *now)}
    named = tuple(card for owner, card in sorted(by_owner.items()) if owner)
    return named or tuple(by_owner.values())


def _left(
    owner: str, section: str, at_zero: Mapping[str, SectionSeen], now: Mapping[str, SectionSeen]
) -> str:
    """The section that a card of this owner left since the buzzer; empty where none did."""
    for other, before in at_zero.items():
        after = now.get(other, before)
        gone = owners_of(before) - owners_of(after)
        if other != section and owner in gone and after.state is SectionState.EMPTY:
            return other
    return ""
