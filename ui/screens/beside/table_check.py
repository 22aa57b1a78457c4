"""Table check: the camera's picture with what was recognised, and a line for each part."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.offers import Seen, SeenState
from companion.core.ruling import Level
from companion.match.first_match import FirstStep, first_steps
from ui.scene.scene import ARBITER_KEY, BACK, LOG_KEY, MARKS, Scene, Situation
from ui.scene.steps import is_printed
from ui.scene.theme import Reach
from ui.scene.values import Alert, Band, Key, KeyLook, Line, Mark, Message, Picture, ScreenFrame
from ui.scene.words import (
    BY,
    BY_LOOK,
    age_in_words,
    alike,
    counted_lines,
    heading_error,
    look_summary,
    measured,
)
from ui.screens.arbiter.differ import is_early
from ui.screens.beside.first_match import pile_lines
from ui.screens.beside.lists import device_lines, is_watched
from ui.screens.page import Page, Parts, line_boxes
from ui.table.lesson import LooksState
from ui.touch import actions
from ui.widgets.box import Box
from ui.widgets.key import BandPart, key_cap
from ui.widgets.picture import PicturePart
from ui.widgets.plan import TablePlan
from ui.widgets.words import LinePart, line_high

if TYPE_CHECKING:
    from companion.core.board import Token
    from ui.scene.map import MapState
    from ui.table.calibration import CalibrationState, EyesState, HeightAsked
    from vision.boards.calibrating import BoardCheck, Progress


# Why the boards are not known as they should be, and the way out on this screen.

CODE = "CALIBRATION"
MEND = "Mend it there, or take the file away; meanwhile boards are found by their corners"
AGAIN, GOES_ON = "Then tap Calibrate", "It goes on by itself"
_TERMINAL = re.compile(r"run `companion calibrate`( with this camera)?")
_PATH = re.compile(r"(?<!\S)(\S*/\S+\.toml)")


def calibration_refusal(eyes: EyesState | None) -> Alert | None:
    """What a calibration, or a file that does not fit, has to tell; None while all is well.

    The words are those of the terminal, but that here it is a key that calibrates.
    """
    if eyes is None:
        return None
    run = eyes.run
    if run is None:
        return _refusal(eyes.trouble, MEND) if eyes.trouble else None
    if run.running:
        return _while_running(run)
    if run.kept and run.progress is not None:
        return _of_a_board(run.progress)
    return _refusal(run.words, AGAIN)


def _while_running(run: CalibrationState) -> Alert | None:
    """What keeps it from going on: a board twice, darkness; nothing while it only needs time."""
    progress = run.progress
    if progress is None or not progress.hindered:
        return None
    return _of_a_board(progress) or _refusal(progress.words, GOES_ON)


def _of_a_board(progress: Progress) -> Alert | None:
    """The first board that is not known well, and what to do; None where it is not about one."""
    poor = next((check for check in progress.boards if not check.will_do), None)
    if poor is None or poor.board not in progress.words or "twice" in progress.words:
        return None
    seen = f"{poor.markers} of {poor.of} corner markers seen"
    return Alert(f"{poor.board}: {seen}.", poor.words, CODE, "", Mark.WARN)


def _refusal(words: str, otherwise: str) -> Alert:
    """What is wrong, and what mends it; `otherwise` where the words do not say so themselves."""
    plain = _PATH.sub(lambda found: Path(found[1]).name, _TERMINAL.sub("tap Calibrate", words))
    what, colon, way_out = _parted(plain)
    if not colon:
        what, way_out = plain, otherwise
    elif "alibrate" not in way_out and otherwise not in way_out:
        way_out = f"{way_out.rstrip('.')}. {otherwise}"
    return Alert(_sentence(what), _sentence(way_out), CODE, "", Mark.WARN)


def _parted(words: str) -> tuple[str, str, str]:
    """The words up to the way out and from there; a file's fault names a place with colons first.

    >>> _parted("t.toml: line 3, lens: is missing; mend it")
    ('t.toml: line 3, lens: is missing', '; ', 'mend it')
    >>> _parted("Out of focus: turn the lens.")
    ('Out of focus', ': ', 'turn the lens.')
    """
    if re.match(r"\S+\.toml: ", words):
        return words.partition("; ")
    return words.partition(": ")


def _sentence(words: str) -> str:
    """With a capital, but for the name of a file, and a stop."""
    first = (
        words[:1] if words.partition(" ")[0].rstrip(":").endswith(".toml") else words[:1].upper()
    )
    return f"{first}{words[1:].rstrip('. ')}."


# What is asked before a key of this screen does what it says.

NO = Key("No", actions.LeaveAsked())
STEP_MM, MOST_MM = 0.5, 60.0


def asked_first(eyes: EyesState | None) -> Alert | None:
    """How high markers are before a calibration, or who is in pictures that would be kept."""
    if eyes is None:
        return None
    if eyes.height is not None:
        return _height(eyes.height)
    if eyes.keeping is not None and eyes.keeping.asked:
        return _consent()
    return None


def _height(asked: HeightAsked) -> Alert:
    """As high as usual, or as somebody measured by now; each tap is half a millimetre."""
    usual = " and ".join(f"{mm:g}" for mm in asked.usual_mm)
    at = asked.chosen_mm if asked.chosen_mm is not None else max(asked.usual_mm, default=0.0)
    as_usual = "-".join(f"{mm:g}" for mm in (*asked.usual_mm[:1], *asked.usual_mm[1:][-1:]))
    told = f"{as_usual if asked.chosen_mm is None else f'{at:g}'} mm"
    less, more = max(0.0, at - STEP_MM), min(MOST_MM, at + STEP_MM)
    lower, higher = (
        Key(f"{less:g}", actions.AskHeight(less)),
        Key(f"{more:g}", actions.AskHeight(more)),
    )
    return Alert(
        "How high are markers on tokens?", f"So far {usual} mm: measure one.", "HEIGHT", "",
        Mark.ASK, Key(told, actions.Calibrate(asked.chosen_mm), "calibrate", look=KeyLook.GO),
        (lower, higher, NO),
    )  # fmt: skip


def _consent() -> Alert:
    """Of whom pictures would be kept, and which of them."""
    return Alert(
        "Hands and faces over the boards are kept too.",
        "Ask everybody first. A stick gets these and earlier ones.", "PICTURES", "", Mark.ASK,
        Key("Keep", actions.KeepPictures(agreed=True), "the boards"),
        (Key("Keep all", actions.KeepPictures(agreed=True, whole=True), "room too"), NO),
    )  # fmt: skip


def _keeping_lines(eyes: EyesState) -> list[Line]:
    """Pictures that are kept now, were, or may be; a touch ends it, or begins anew."""
    kept = eyes.keeping
    if kept is None or kept.asked:
        return [Line(PICTURES, "of a table read wrongly", key=KEEP)]
    if kept.trouble:
        return [Line(PICTURES, kept.trouble, Mark.WARN, key=KEEP)]
    told = f"{kept.pictures} {f'on {kept.stick}' if kept.stick else f'in {kept.name}'}"
    if kept.running:
        return [Line(PICTURES, told, Mark.ASK, key=STOP)]
    return [Line(PICTURES, told, Mark.OK, key=KEEP)]


# State, and what it says.


@dataclass(frozen=True, slots=True)
class TableCheckState:
    """The band is the deed for the worst line; Start is impossible while a line is red.

    Without a picture `map` shows how boards and pieces must lie, and `lines` what lies beside them.
    """

    frame: ScreenFrame
    band: Band
    picture: Picture | None
    lines: tuple[Line, ...]
    map: MapState | None = None


LINES = 5
CALIBRATION = "Calibration"
CALIBRATE = Key("Calibrate", actions.AskHeight())
PICTURES, BOARDS = "Pictures", "Boards"
FEW = 2
"""So many boards that are not seen are told by name."""
KEEP = Key("Keep", actions.KeepPictures())
STOP = Key("Stop", actions.LeaveAsked())
TEACH_KEY = Key("Teach a token", actions.Show(actions.Panel.TEACH))
STAGES = {
    "dark": "it is dark: switch a light on",
    "empty": "no corner marker is seen",
    "blurred": "out of focus: turn the lens",
    "steadying": "keep hands off the table",
}
"""What to do, in a line's few words."""
WORST_FIRST = (Mark.BAD, Mark.WARN, Mark.ASK, Mark.NONE, Mark.OK)


FIRST_MATCH = Key("First match", actions.Show(actions.Panel.FIRST_MATCH), "new here?", "boxes")
FIRST_TIME = Message("First match shows what lies where.")


def present_table_check(scene: Scene) -> TableCheckState:
    """Before the first question: does the camera see the table, does everything sound."""
    eyes = _eyes_lines(scene.situation.eyes)
    lines = sorted(
        (*_sight_lines(scene), *eyes, *device_lines(scene.situation)),
        key=lambda line: WORST_FIRST.index(line.mark),
    )
    red = [line for line in lines if line.mark is Mark.BAD]
    goes_on = scene.situation.checked  # looked at again, in a match that is under way
    watched = is_watched(scene.situation)
    new = not goes_on and scene.situation.past.is_new(scene.match.setup.box)
    checked = TableCheckState(
        frame=scene.frame(
            "TABLE CHECK",
            scene.match.rulebook.title,
            keys=_keys(scene.situation, new=new),
            message=FIRST_TIME if new and watched and not red else _message(scene, red, watched),
            next_key=TO_THE_MATCH if goes_on else _start_key(lines, red, watched=watched),
        ),
        band=_band(lines, watched=watched),
        picture=_picture(scene),
        lines=_chosen(lines),
    )
    if not watched and checked.picture is None:
        checked = replace(checked, lines=_to_lay(scene, lines), map=_laid(scene))
    refusal = asked_first(scene.situation.eyes)  # somebody has just touched the key that asks
    if refusal is None and not red and checked.frame.refusal is None:
        refusal = calibration_refusal(scene.situation.eyes)
    if refusal is None:
        return checked
    return replace(checked, frame=replace(checked.frame, refusal=refusal))


def _laid(scene: Scene) -> MapState:
    """The table as the record has it; before anything stands on a board, the boards alone."""
    placement = scene.match.position.placement()
    return scene.map.draw(placement) if placement else scene.map.laid()


def _to_lay(scene: Scene, lines: Sequence[Line]) -> tuple[Line, ...]:
    """What is wrong; then what must lie where: the box's own steps, later everybody's piles."""
    wrong = [line for line in lines if line.mark in (Mark.BAD, Mark.WARN)]
    if any(step.answers for step in scene.match.steps):
        laid = list(pile_lines(scene.match.rulebook, scene.match.setup))
    else:
        steps = first_steps(type(scene.match.rulebook))[:-1]
        laid = [
            Line(f"{n}. {step.title}", _first_sentence(step)) for n, step in enumerate(steps, 1)
        ]
    return (*wrong, *laid)


def _first_sentence(step: FirstStep) -> str:
    """Where it goes, or how; the rest is told by First match."""
    sentence, stop, _ = step.text.partition(". ")
    return sentence + stop.strip()


def _keys(situation: Situation, *, new: bool) -> tuple[Key, ...]:
    """Back, log, arbiter; to teach tokens where a camera looks; help where the box is new.

    Nothing is in a log then, and five keys would leave no room for a word beside them.
    """
    back = BACK if situation.checked else Key("Back", actions.Leave(), sign="back")
    teach = (TEACH_KEY,) if situation.eyes is not None else ()
    return (back, FIRST_MATCH if new else LOG_KEY, ARBITER_KEY, *teach)


def _picture(scene: Scene) -> Picture | None:
    """The boards drawn flat once all are seen; while they are looked for, as the camera has it."""
    eyes = scene.situation.eyes
    looks_for_boards = eyes is not None and eyes.run is not None and eyes.run.running
    return (None if looks_for_boards else scene.situation.flat()) or scene.situation.picture()


def _chosen(lines: list[Line]) -> tuple[Line, ...]:
    """The worst that fit; how weak looks are and the key that calibrates are always there."""
    always = [line for line in lines if line.name == BY_LOOK]
    always += [line for line in lines if line.key is not None]
    plain = [line for line in lines if line not in always]
    return (*plain[: LINES - len(always)], *always)


def _eyes_lines(eyes: EyesState | None) -> list[Line]:
    """How well the camera knows the boards: by a calibration, and by one that runs here."""
    if eyes is None:
        return []
    more = [*_keeping_lines(eyes), *_lens_lines(eyes)]
    if eyes.run is not None:
        return [*_run_lines(eyes.run), *more]
    if eyes.trouble:
        line = Line(CALIBRATION, "does not fit this camera", Mark.WARN, key=CALIBRATE)
    elif not eyes.made_on:
        line = Line(CALIBRATION, "boards by their corners", key=CALIBRATE)
    else:
        known = f"{eyes.made_on} · {eyes.boards} board{'s' if eyes.boards != 1 else ''}"
        line = Line(CALIBRATION, known, Mark.OK, key=CALIBRATE)
    return [line, *more]


def _lens_lines(eyes: EyesState) -> list[Line]:
    """That the lens was never measured, where that would be noticed."""
    if eyes.told is None or not eyes.told.worth_measuring:
        return []
    return [Line("Lens", f"not measured: {eyes.told.briefly}", Mark.ASK)]


def _run_lines(run: CalibrationState) -> list[Line]:
    """A calibration under way, or how it ended, with a line for each board that is poor."""
    progress = run.progress
    if run.running:
        stage = progress.stage.value if progress is not None else "steadying"
        return [Line(CALIBRATION, STAGES.get(stage, "looking at the boards"), Mark.ASK)]
    if progress is None or not run.kept:
        return [Line(CALIBRATION, "none was made: try again", Mark.WARN, key=CALIBRATE)]
    poor = [check for check in progress.boards if not check.will_do]
    known = f"{len(progress.boards) - len(poor)} of {len(progress.boards)} boards known"
    ended = Line(CALIBRATION, known, Mark.WARN if poor else Mark.OK, key=CALIBRATE)
    return [*(_poor_line(check) for check in poor), ended]


def _poor_line(check: BoardCheck) -> Line:
    if check.error_px is not None:
        flat = "does not lie flat, or wrong print"
        why = "lens not measured, or not flat" if check.names_lens else flat
        return Line(check.board, why, Mark.WARN)
    seen = f"{check.markers} of {check.of} corner markers seen" if check.markers else "not seen"
    return Line(check.board, seen, Mark.WARN)


def _message(scene: Scene, red: list[Line], watched: bool) -> Message:  # noqa: FBT001
    if not watched:
        return Message("No camera looks at the table.", "It is taken on your word.")
    if red:
        return Message("The table can also go on by touch.")
    eyes = scene.situation.eyes
    told = eyes.told if eyes is not None else None
    if told is None or not told.worth_measuring:
        return Message("")
    now, then = str(told).split("; ")
    return Message(f"{now.capitalize()}.", f"{then.capitalize()}.")


TO_THE_MATCH = Key("To the match", actions.ToPhase(), "it goes on as it was", "next", KeyLook.GO)


def _start_key(lines: list[Line], red: list[Line], *, watched: bool) -> Key:
    if not red:
        is_right = _band(lines, watched=watched).lines == READY.lines
        words = "the table is right" if is_right else "on your word"
        return Key("Start", actions.Checked(), words, "next", KeyLook.GO)
    words = f"{len(red)} red line{'s' if len(red) > 1 else ''} to clear"
    return Key("Start anyway", actions.Checked(), words, "next", KeyLook.HOLD)


def _band(lines: list[Line], *, watched: bool) -> Band:
    """The deed for the worst line."""
    worst = lines[0] if lines else Line("")
    if worst.mark in (Mark.BAD, Mark.WARN):
        return Band((worst.name.upper(),), mark=worst.mark, note=worst.value)
    if not watched:
        return Band(("LOOK AT THE TABLE",), mark=Mark.ASK)
    return LOOKING if LOOKS in lines else READY


READY = Band(("TABLE READY",), mark=Mark.OK)
LOOKING = Band(("HANDS OFF",), mark=Mark.ASK, note="The camera looks at the table.")
LOOKS = Line(BOARDS, "not read yet", Mark.ASK)
"""All of them lie in the picture, or it gave none yet; nothing has lain still so far."""


def _sight_lines(scene: Scene) -> list[Line]:
    """What the camera sees of boards and pieces; no piece is missed where no board is seen."""
    boards = _board_lines(scene)
    seen = _seen_boards(scene)
    pieces = _piece_lines(scene) if seen or not boards else []
    return [*boards, *_notice_lines(scene), *pieces]


def _board_lines(scene: Scene) -> list[Line]:
    """A line while boards are not seen, or not read; a calibration says so itself."""
    eyes = scene.situation.eyes
    if not is_watched(scene.situation) or (eyes is not None and eyes.run and eyes.run.running):
        return []
    corners = [board.name for board in scene.map.plan.boards if board.corners]
    unseen = [name for name in corners if name not in _seen_boards(scene)]
    if scene.referee.sight.sighting is None:
        return [LOOKS]
    if unseen:
        few = f"{' and '.join(unseen)} not seen"
        seen = f"{len(corners) - len(unseen)} of {len(corners)} seen: show the camera their corners"
        return [Line(BOARDS, few if len(unseen) <= FEW else seen, Mark.WARN)]
    return [] if scene.referee.sight.settled is not None else [LOOKS]


def _seen_boards(scene: Scene) -> frozenset[str]:
    sighting = scene.referee.sight.sighting
    return sighting.boards_seen if sighting is not None else frozenset()


def _notice_lines(scene: Scene) -> list[Line]:
    return [
        Line(notice.text, notice.way_out or str(notice.cite), MARKS[notice.level], notice.code)
        for notice in scene.notices
        if notice.level is not Level.NOTE
    ]


def _piece_lines(scene: Scene) -> list[Line]:
    """A line a piece that the camera sees, or should see; none without a camera."""
    sighting = scene.referee.sight.sighting
    if sighting is None:
        return []
    age = age_in_words(_picture_age_s(scene.situation))
    position = scene.match.position
    placed = position.placement().keys() - position.covered()
    eyes = scene.situation.eyes
    looks = eyes.looks if eyes is not None else LooksState()
    early = {one.piece for one in scene.referee.differences if is_early(scene, one)}
    pieces = [
        _early_line(token, seen, age)
        if token.piece in early
        else _piece_line(token, seen, age, looks)
        for token in scene.map.plan.tokens
        if (seen := sighting.pieces.get(token.piece)) is not None
        and (token.piece in placed or seen.state is not SeenState.LOST)
    ]
    by_look = look_summary(looks, sighting.pieces)
    return [*pieces, *by_look, *counted_lines(scene.map.plan, sighting, age)]


def _picture_age_s(situation: Situation) -> float | None:
    """Of the camera's last picture: what it shows is as old, however long it has lain there."""
    return next((device.age_s for device in situation.devices if device.name == "CAM"), None)


def _early_line(token: Token, seen: Seen, age: str) -> Line:
    """Of a piece that lies there before its turn: it may, until it is asked for."""
    return Line(token.label, f"{_places(seen) or 'on the board'}, laid early", Mark.ASK, age)


def _piece_line(token: Token, seen: Seen, age: str, looks: LooksState) -> Line:
    """Where it stands; of one that is read by its look with how surely, for that is weaker."""
    places = _places(seen)
    reading = looks.by_look.get(token.piece)
    match seen.state:
        case SeenState.SEEN if reading is not None:
            pose = f"{places} {heading_error(seen)}".strip()
            return Line(token.label, f"{pose}, {alike(reading)}", Mark.OK, BY)
        case SeenState.SEEN:
            return Line(token.label, places or "seen, as the picture shows", Mark.OK, age)
        case SeenState.UNSURE if reading is not None and not reading.sure:
            return Line(token.label, f"asked: {measured(reading)}", Mark.WARN, BY)
        case SeenState.UNSURE:
            told = (
                f"between {places}"
                if places
                else "between spaces"
                if seen.spaces
                else "on no space"
            )
            return Line(token.label, told, Mark.WARN, age)
        case SeenState.COVERED:
            return Line(token.label, "under a hand", Mark.WARN, age)
        case SeenState.LOST:
            return Line(token.label, _why_lost(token, looks), Mark.WARN, age)


def _places(seen: Seen) -> str:
    """The spaces by what is printed on them; nothing where a board has no such print."""
    return " or ".join(space for space in seen.spaces if is_printed(space))


def _why_lost(token: Token, looks: LooksState) -> str:
    """Of a token without a marker it matters whether it can be known at all."""
    if token.piece in looks.taught:
        return "taught, not seen now"
    return "not seen, not taught yet" if looks.taught else "not seen"


# Layout.

_BAND_HIGH, _LOW_BAND = 76.0, 64.0
_PICTURE_WIDE, _MAP_WIDE = 392.0, 330.0
_LINE_HIGH = 46.0
_KEY_WIDE, _KEY_HIGH = 124.0, 52.0


UPRIGHT_BAND_HIGH = 132.0
"""In portrait the words lie under the deed, and a refusal's keys under its words."""
_UPRIGHT_PICTURE, _UPRIGHT_LEAST = 0.56, 150.0
"""What of the room under it a picture has in portrait, and at least: lines take what they need."""


def layout(state: TableCheckState, page: Page) -> Parts:
    """The deed for the worst line over picture and lines."""
    body = page.body
    band_high = _LOW_BAND if state.map is not None else _BAND_HIGH
    if page.portrait:
        band_high = UPRIGHT_BAND_HIGH if state.map is None else _BAND_HIGH
    band = body.top(band_high)
    if state.frame.refusal is not None:
        yield from page.refusal(band, state.frame.refusal)
    else:
        yield "band", BandPart(box=band, band=state.band, note_beside=not page.portrait)
    shown, lines = _sides(state, page, body.below(band.high + 8))
    if state.map is not None:
        yield "plan", TablePlan(box=shown, map=state.map, titled=not state.map.pieces)
    else:
        yield "picture", PicturePart(box=shown, slot="camera", picture=state.picture)
    told = state.lines[:LINES] if state.map is None else _fitting(state.lines, lines, page)
    yield from _listed(told, lines, page)
    yield from page.around(state.frame)


def _sides(state: TableCheckState, page: Page, room: Box) -> tuple[Box, Box]:
    """Where picture or map lies, and where the lines: upright the first over these."""
    if not page.portrait:
        wide = _PICTURE_WIDE if state.map is None else _MAP_WIDE
        return page.sides(room, wide + (page.wide - 800) * 0.5)
    lines = state.lines if state.map is not None else state.lines[:LINES]
    needed = sum(max(_LINE_HIGH, line_high(page.theme, line, room.wide)) + 4 for line in lines)
    high = room.high - needed - Reach.GAP
    high = max(_UPRIGHT_LEAST, min(room.high * _UPRIGHT_PICTURE, high))
    return room.top(high), room.below(high + Reach.GAP)


def _fitting(lines: Sequence[Line], room: Box, page: Page) -> Sequence[Line]:
    """Every line; steps all without their second words where not all of these have room.

    First match has them, one touch away.
    """
    if sum(line_high(page.theme, line, room.wide) + 4 for line in lines) <= room.high + 4:
        return lines
    return [line if line.right or line.mark else replace(line, value="") for line in lines]


def _is_worst(n: int, line: Line) -> bool:
    """Whether it is wrong, and the first of those."""
    return n == 0 and line.mark in (Mark.BAD, Mark.WARN)


def _listed(lines: Sequence[Line], room: Box, page: Page) -> Parts:
    """A line a part, the worst first; the last may have keys, which a finger must find."""
    keyed = [line for line in lines if line.key is not None]
    plain = [line for line in lines if line.key is None]
    high = room.high - len(keyed) * (_KEY_HIGH + 2)
    boxes = line_boxes(page.theme, room.top(high), plain, high=_LINE_HIGH)
    for n, (box, line) in enumerate(zip(boxes, plain, strict=False)):
        yield f"line/{n}", LinePart(box=box, line=line, ground=n % 2 == 0, worst=_is_worst(n, line))
    y = boxes[-1].bottom + 2 if boxes else room.y
    for n, line in enumerate(keyed, len(plain)):
        row = Box(room.x, y, room.wide, _KEY_HIGH)
        told = row.left(row.wide - _KEY_WIDE - 6)
        yield (
            f"line/{n}",
            LinePart(box=told, line=line, ground=n % 2 == 0, worst=_is_worst(n, line)),
        )
        if line.key is not None:
            cap = Box(row.right - _KEY_WIDE, row.y, _KEY_WIDE, row.high)
            yield f"line/{n}/key", key_cap(cap, line.key)
        y = row.bottom + 2
