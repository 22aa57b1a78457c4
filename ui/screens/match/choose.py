"""Choose: one of several options, as keys or as places on the map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeGuard

from companion.core.errors import IllegalAnswer
from companion.core.question import Choose, ChooseSome, Option, Order, Question
from ui.scene.map import MapState, Pick
from ui.scene.theme import Reach
from ui.scene.values import Band, Key, KeyLook, Message, PadGroup, ScreenFrame
from ui.scene.words import beside, capitals
from ui.screens.match.cards import answer_pad, choosing_pad
from ui.screens.match.menu import Menu, Several
from ui.screens.page import Page, Parts
from ui.touch.actions import Answer, AskWhy, Fill
from ui.widgets.board_map import board_map
from ui.widgets.field_keys import said_band
from ui.widgets.teams import pad, pad_high, too_many

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.ruling import Json
    from ui.scene.scene import Scene


@dataclass(frozen=True, slots=True)
class ChooseState:
    """Who is asked for what; `groups` of keys, and the map where options are places.

    Where `map` has cells with actions they are the keys, and `groups` may be empty. `page` of the
    groups is wanted where the screen needs several.
    """

    frame: ScreenFrame
    band: Band
    groups: tuple[PadGroup, ...]
    map: MapState | None = None
    page: int = 0


MOST_TEAMS = 4
"""Whose places a map can show so large that a finger finds each; those of more are keys."""


def present_choose(scene: Scene) -> ChooseState:
    """One of several options: on the map where they are places, else a pad."""
    asked: Question[Any] = scene.waiting[0]
    words = asked.headline or asked.prompt
    band = Band((capitals(words),), scene.side(asked.by), note=beside(asked.prompt, words))
    if takes_several(asked):
        return _several(scene, asked, band)
    picks = _picks(scene, asked) if len(scene.map.owners) <= MOST_TEAMS else {}
    placement = dict(scene.match.position.placement())
    return ChooseState(
        frame=scene.frame(message=_message(scene, asked), next_key=_seen_key(scene, asked)),
        band=band,
        groups=() if picks else answer_pad(scene, asked),
        map=scene.map.draw(placement, picks=picks) if picks or placement else None,
        page=scene.view.page,
    )


def takes_several(asked: Question[Any]) -> TypeGuard[Several]:
    """Whether its answer is put together of several options."""
    return isinstance(asked, ChooseSome | Order)


def _message(scene: Scene, asked: Question[Any]) -> Message:
    seen = scene.seen(asked.key)
    if seen:
        return Message(f"Camera: {seen}", scene.seen_age(asked.key))
    options = asked.options_now()
    what = " places" if _picks(scene, asked) else ""
    return Message(f"Choose one of {len(options)}{what}." if options else "", str(asked.cite))


def _seen_key(scene: Scene, asked: Question[Any]) -> Key | None:
    """What sight offers stands where the next tap is; nothing else is proposed."""
    seen = scene.seen(asked.key)
    if not seen:
        return None
    label = next((o.label for o in asked.options_now() if o.name == seen), seen)
    answer = Answer(asked.key, asked.opened, seen)
    return Key(label, answer, scene.seen_age(asked.key), "eye", KeyLook.GO)


def _picks(scene: Scene, asked: Question[Any]) -> dict[str, Pick]:
    """Spaces that stand for options: each option leaves one piece on a space of its own.

    Those that the rule's own law bars say why.
    """
    seen, picks = scene.seen(asked.key), dict[str, Pick]()
    options = asked.options_now()
    for option in options:
        space = _space_of(option)
        if not space:
            return {}
        answer = Answer(asked.key, asked.opened, option.name)
        picks[space] = Pick(answer, option.name == seen)
    return _barred(asked) | picks if len(picks) == len(options) else {}


def _space_of(option: Option[Any]) -> str:
    """The one space that an option leaves a piece on; empty where there is none or several."""
    spaces = {pose.space for pose in (option.shows or {}).values()}
    return spaces.pop() if len(spaces) == 1 else ""


def _barred(asked: Question[Any]) -> dict[str, Pick]:
    """All spaces that are offered, each as one that is not to be chosen."""
    listed = asked.listed() if isinstance(asked, Choose) else ()
    return {
        _space_of(option): Pick(None, asks=AskWhy(asked.key, asked.opened, option.name))
        for option in listed
    }


def answer_words(asked: Several, chosen: Sequence[str]) -> str:
    """What is chosen so far, by the labels of the keys."""
    labels = {option.name: option.label for option in asked.offered}
    return ", ".join(labels.get(name, name) for name in chosen) or "none"


def give_key(asked: Several, chosen: Sequence[str]) -> Key | None:
    """The next tap: what is chosen, once it is whole; before anything is, what silence means."""
    raw: Json = [*chosen]
    if not chosen and asked.lapse is not None:
        raw = asked.lapse
    try:
        plain = asked.judge(raw).plain
    except IllegalAnswer:
        return None
    names = [str(name) for name in plain] if isinstance(plain, list) else []
    label = "Done" if chosen or not names else "As listed"
    return Key(label, Answer(asked.key, asked.opened, raw), answer_words(asked, names), "next",
               KeyLook.GO)  # fmt: skip


def _several(scene: Scene, asked: Several, band: Band) -> ChooseState:
    """Options are put together one by one; the next tap gives them as they stand."""
    draft = scene.view.draft
    held = draft.raw if draft is not None and draft.key == asked.key else []
    chosen = [str(name) for name in held] if isinstance(held, list) else []

    def touch(option: Option[Any]) -> Fill:
        names = [name for name in chosen if name != option.name]
        if option.name not in chosen:
            names.append(option.name)
        return Fill(Answer(asked.key, asked.opened, [*names]))

    words = answer_words(asked, chosen)
    return ChooseState(
        frame=scene.frame(
            message=Message(words, str(asked.cite)),
            next_key=give_key(asked, chosen),
        ),
        band=band,
        groups=choosing_pad(asked.offered, touch, scene.names.looks),
        page=scene.view.page,
    )


# Layout.

_UPRIGHT_KEY = 58.0
"""How high keys are over a map, where the window is higher than wide."""


def layout(state: ChooseState, page: Page) -> Parts:
    """Who is asked over the places, the keys, or both side by side."""
    body = page.body
    if state.frame.refusal is not None:
        band, _ = page.refused(body, state.frame.refusal)
        yield from page.refusal(band, state.frame.refusal)
    else:
        said = said_band(page.theme, body, state.band, low=True)
        band = said.box
        yield "band", said
    room = body.below(band.high + 6)
    if too_many(state.groups, room):
        yield from Menu(state.groups, page.theme).parts(room, state.page, page)
    elif state.map is None:
        few = sum(len(group.keys) for group in state.groups) <= 4
        yield from pad(room, state.groups, caps=34 if few else 20, most_high=140)
    elif not state.groups:
        yield from board_map(room, state.map)
    else:
        keys, shown = page.sides(room, room.wide * 0.55)
        if page.portrait:
            high = pad_high(state.groups, _UPRIGHT_KEY)
            keys, shown = room.top(high), room.below(high + Reach.GAP)
        yield from pad(keys, state.groups, caps=18, most_high=96)
        yield from board_map(shown, state.map)
    yield from page.around(state.frame)
