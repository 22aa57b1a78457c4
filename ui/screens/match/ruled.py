"""What was ruled stands with what is asked next: the answer says that hands have done it.

Nobody touches Done for such a deed. It is told over the keys of the next question, and one touch on
it opens its ruling: the map, its sentence, and why.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.core.question import Question, Ready, Reveal
from companion.core.ruling import TABLE, Ruling
from ui.scene.deeds import plain
from ui.scene.scene import Scene
from ui.scene.values import Band, Key, KeyLook, Message
from ui.screens.match import ruling as rulings
from ui.touch.actions import Back, Panel, Show
from ui.widgets.field_keys import said_band
from ui.widgets.key import BandPart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.scene.map import MapState
    from ui.screens.page import Page, Parts
    from ui.widgets.box import Box

MOST, MOST_BEFORE_A_ROUND = 2, 3
"""So many deeds stand over the keys of a question; more are told before, each by itself."""
LONGEST_WHAT = 22
"""Letters of a deed that has one row of 10 mm capitals by itself, without who does it."""
LONGEST_MESSAGE = 50
"""Letters of all that the last answer brought, between the keys or beside a pad."""
LONGEST_LATEST = 38
"""Letters of a line between the keys."""


def told_with(scene: Scene) -> tuple[Band, ...]:
    """What hands do before what is asked now; empty where a screen of its own tells it.

    One deed says who does it. Of several a long one does not: whose colour it has is enough. Before
    a camera pieces that are put on the board have their own screen until they are seen there.
    """
    if not _says_so(scene):
        return ()
    placed = says_how_it_lies([*scene.open.values()])
    if placed and scene.blocked is not None:
        return ()
    bands, words = rulings.bands_waiting(scene), _asks_for_words(scene)
    most = MOST_BEFORE_A_ROUND if words else MOST
    if scene.situation.settings.reversal_s:  # the last alone: what was ruled may be objected to
        most = 1
    if placed and scene.map.has_field:
        most = 1  # its spaces have no names: the map is as large as may be
    if not 0 < len(bands) <= most:
        return ()
    long = [band for band in bands if len(": ".join(band.lines)) > rulings.LONGEST_AT_ONCE]
    if len(bands) == 1 or not long or (words and len(bands) == MOST and len(long) == 1):
        note = bands[0].note if words else ""
        if len(bands) > MOST:
            bands = [_without_team(band) for band in bands]
        return tuple(replace(band, queue="Why?", note=note) for band in bands)
    if any(len(band.lines[-1]) > LONGEST_WHAT for band in long):
        return ()
    return tuple(_short(band) if band in long else replace(band, queue="Why?") for band in bands)


def _without_team(band: Band) -> Band:
    """What alone where a whole team does it: its sign and colour say so."""
    if band.side is None or band.lines[:-1] != (band.side.name,):
        return band
    what = band.lines[-1]
    return replace(band, lines=(what[:1].upper() + what[1:],))


def _short(band: Band) -> Band:
    """What alone, in the colour of whoever does it."""
    side, what = band.side, band.lines[-1]
    bare = replace(side, tint=replace(side.tint, sign="")) if side is not None else None
    return replace(band, lines=(what[:1].upper() + what[1:],), side=bare)


def _asks_for_words(scene: Scene) -> bool:
    return any(isinstance(one, Ready) for one in scene.open.values())


def _says_so(scene: Scene) -> bool:
    """Whether an answer to what is open says that hands have followed: play goes on with it.

    A card is turned over after the deeds of the section before, the table's word is said of what
    lies there; where a table has time to object to a ruling, or the asked side has the screen
    turned to it, the ruling has a screen of its own.
    """
    asked = list(scene.open.values())
    if not asked or scene.view.panel is Panel.PAD:
        return False
    if all(isinstance(one, Ready) and one.starts for one in asked):
        return True
    alone = scene.situation.settings.reversal_s or scene.is_opposite([asked[0].by])
    return not alone and (all(isinstance(one, Reveal) for one in asked) or says_how_it_lies(asked))


def says_how_it_lies(asked: Sequence[Question[Any]]) -> bool:
    """Whether the table's one word is waited for, that all is placed."""
    return all(isinstance(one, Ready) and not one.is_own and one.by == TABLE for one in asked)


def says_it_is_done(scene: Scene) -> bool:
    """Whether what is asked for now says that hands have done every ruling that waits.

    Then each stands with its question, and no touch of its own is wanted for it.
    """
    left = rulings.waits_for_hands(scene)
    asked = scene.open.values()
    if not left or not asked:
        return False
    if told_with(scene):
        return True
    if not all(isinstance(one, Ready) for one in asked):
        return False
    who = {question.by for question in asked}
    does = all(isinstance(one, Ready) and not one.is_own for one in asked)
    return does and {ruling.by for ruling in left} <= who


def told_alone(scene: Scene) -> int:
    """How many deeds have a screen of their own before what is asked now tells the others."""
    left, deed = len(rulings.waits_for_hands(scene)), scene.view.deed
    for told in range(deed + 1, deed + left):
        after = Scene(scene.situation, replace(scene.view, deed=told))
        if says_it_is_done(after):
            return told + len(told_with(after))  # those stand with the question, and are counted
    return deed + left


def map_told(scene: Scene) -> MapState:
    """The table as it is recorded; what waits for hands glides there from where it stood."""
    if told_with(scene):
        return rulings.map_waiting(scene)
    return scene.map.draw(scene.match.position.placement())


def present_ruled(scene: Scene) -> rulings.RulingState:
    """The ruling behind a deed, as large as a screen: the panel's part says which of them."""
    at = int(scene.view.part or 0)
    view = replace(scene.view, deed=scene.view.deed + at)
    state = rulings.present_ruling(Scene(scene.situation, view))
    back = Key("Back", Back(), "to what is asked", "back", KeyLook.GO)
    bottom = replace(state.frame.bottom, next=back)
    band = replace(state.band, queue="")
    return replace(state, frame=replace(state.frame, bottom=bottom), band=band, then=None)


def latest_words(scene: Scene) -> str:
    """What the last answer brought, where nobody waited for it to be read; else nothing.

    Several things it brought are told shortly, as many of them as there is room for: first who was
    hit, then what dice did, before what was put away after them. What nobody did and no hands
    follow, such as where figures come from, is told only by itself.
    """
    ruled = scene.match.ruled_by()
    if not ruled or not ruled[-1][2][-1].quiet:
        return ""
    quiet = [ruling for ruling in ruled[-1][2] if ruling.quiet]
    quiet = [ruling for ruling in quiet if ruling.deeds or ruling.by != TABLE] or quiet
    if len(quiet) == 1:
        text = plain(scene, quiet[0].text, quiet[0].deeds, lit=False)
        return text if len(text) <= LONGEST_LATEST else _headline(scene, quiet[0])
    hits = [ruling for ruling in quiet if ruling.struck]
    others = [ruling for ruling in quiet if not ruling.struck]
    return in_short([_headline(scene, ruling) for ruling in (*hits, *others)], LONGEST_MESSAGE)


def latest_message(scene: Scene) -> Message:
    """What the last answers brought that nobody had to put away, each with its name, and why.

    Empty where hands were told of it on a screen of its own, and once something else was answered.
    """
    ruled, steps = scene.match.ruled_by(), reversed(scene.match.steps)
    last = next((step.seq for step in steps if step.key not in scene.open), None)
    if not ruled or ruled[-1][0] != last or not all(ruling.quiet for ruling in ruled[-1][2]):
        return Message()
    told = in_short([_by_name(scene, ruling) for ruling in ruled[-1][2]], LONGEST_MESSAGE)
    cites = dict.fromkeys(name for r in ruled[-1][2] for name in str(r.cite).split(", "))
    return Message(told[:1].upper() + told[1:], cite=", ".join(cites)) if told else Message()


def _by_name(scene: Scene, ruling: Ruling) -> str:
    """A headline with the player's name for the seat's."""
    headline = plain(scene, ruling.headline, ruling.deeds, lit=False)
    if ruling.by == TABLE:
        return headline
    return f"{scene.names.player(ruling.by)}: {scene.names.after(headline, ruling.by)}"


def _headline(scene: Scene, ruling: Ruling) -> str:
    headline = scene.names.in_full(ruling.headline, ruling.by)
    return plain(scene, headline, ruling.deeds, lit=False)


def in_short(headlines: Sequence[str], most: int = 2 * LONGEST_LATEST) -> str:
    """Headlines one after another, each name said once, as many as there is room for.

    >>> in_short(["Bo: 1 die left", "Bo: +1 token", "", "Ann: Repair"])
    'Bo: 1 die left, +1 token; Ann: Repair'
    >>> in_short(["Bo: 1 die left", "Bo: +1 token"], 20)
    'Bo: 1 die left'
    """
    told, about = "", ""
    for headline in dict.fromkeys(filter(None, headlines)):
        who, named, what = headline.rpartition(": ")
        same = bool(named) and who == about
        longer = f"{told}, {what}" if same else f"{told}; {headline}" if told else headline
        if len(longer) > most:
            break
        told, about = longer, who
    return told


# Layout.

_GAP, _LEAST_GAP, _LOW_GAP, _TAILS = 4.0, 2.5, 1.5, 1.0
"""Between deeds, smaller and low ones, and what letters below their row need in those."""


def ruled_bands(page: Page, room: Box, bands: Sequence[Band], least: float) -> tuple[Parts, Box]:
    """Deeds one under another, 10 mm high, and the room below them: at least `least` u high.

    Where they leave less they are as large as what is left for them.
    """
    parts: list[BandPart] = []
    for low in (False, True):
        parts, below, closer = [], room, low and not page.portrait
        for band in bands:
            part = said_band(page.theme, below, band, low=low)
            parts.append(replace(part, box=below.top(part.box.high + _TAILS * closer)))
            below = below.below(parts[-1].box.high + (_LOW_GAP if closer else _GAP))
        if below.high >= least:
            return _named(parts), below
    bare = _as_high_as_may_be(parts, room, room.high - least)
    return _named(bare), room.below(room.high - least)


def _as_high_as_may_be(parts: Sequence[BandPart], room: Box, high: float) -> list[BandPart]:
    """Each with its share of the height, and without the word in its corner."""
    natural = [part.box.high if room.high > room.wide else 1.0 for part in parts]
    gap = _GAP if room.high > room.wide else _LEAST_GAP
    scale = (high - gap * len(parts)) / sum(natural)
    bare: list[BandPart] = []
    y = 0.0
    for part, share in zip(parts, natural, strict=True):
        box, line = room.below(y).top(share * scale), ": ".join(part.band.lines)
        bare.append(BandPart(box=box, band=replace(part.band, lines=(line,), queue="")))
        y += box.high + gap
    return bare


def _named(parts: Sequence[BandPart]) -> Parts:
    """A touch on a deed opens the ruling behind it."""
    for n, part in enumerate(parts):
        yield ("band", "then", "last")[n], replace(part, action=Show(Panel.RULED, str(n)))
