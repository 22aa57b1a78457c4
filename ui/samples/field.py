"""Sample states of the field: two, three and four fighters, and every pad it has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.core.board import Look, Piece, Pose
from companion.core.question import Option
from companion.core.ruling import Json, LineOfFire
from companion.games.dogfight_1917.boards import board_plan
from companion.games.dogfight_1917.figures import FiguresOf1917, assumed_figures
from companion.kit.hexes import Heading, Hex
from ui.samples.parts import BASE_KEYS, CAMERA_LOST, LIVE, LOST_BANNER, frame, go
from ui.scene import values
from ui.scene.map import MapView
from ui.scene.scene import Situation
from ui.screens.beside.figures import FiguresState, FigureState, present_figures
from ui.screens.match.dice import DicePad
from ui.screens.match.field import FieldState
from ui.screens.match.field_panels import FighterPanel, PanelCount
from ui.screens.match.field_poses import Asked, pose_pad
from ui.touch.actions import AskUndo, Panel
from ui.touch.view import SetupDraft, View

FOKKER, CAMEL, ALBATROS, SPAD = (
    Piece(name) for name in ("fokker", "camel", "albatros", "spad")
)  # fmt: skip
SEATS = tuple(Look(colour, "", letter) for colour, letter in enumerate("ABCD"))
LOOKS: Mapping[str, Look] = {
    piece: Look(colour, piece, piece[0].upper())
    for colour, piece in enumerate((FOKKER, CAMEL, ALBATROS, SPAD))
}
PLATE = "TURN 7 · MIA"
FIGURES = assumed_figures()
MAP = MapView(board_plan(FIGURES), looks=LOOKS)

MIA, BEN, ZOE, TOM = (
    values.Side(name, look) for name, look in zip(("Mia", "Ben", "Zoe", "Tom"), SEATS, strict=True)
)
STANDING = {FOKKER: Pose("0,1", 0), CAMEL: Pose("0,-1", 0)}
MIA_FIRES = (LineOfFire(FOKKER, CAMEL, "range 2"),)
ALL_STANDING = {**STANDING, ALBATROS: Pose("-3,2", 1), SPAD: Pose("2,1", 5)}


def _panel(
    side: values.Side,
    piece: Piece,
    fighter: str,
    pilot: str,
    counts: Sequence[int],
    tokens: int,
    *,
    active: bool = False,
    down: str = "",
) -> FighterPanel:
    deck, hand, discard, damage = counts
    piles = (
        PanelCount("Deck", deck),
        PanelCount("Hand", hand),
        PanelCount("Discard", discard, "Disc.", open=True),
        PanelCount("Damage", damage, "Dmg"),
    )
    return FighterPanel(side, LOOKS[piece], fighter, pilot, piles, tokens, down, active)


PANELS = (
    _panel(MIA, FOKKER, "Fokker Dr.I", "Richthofen, side A", (12, 4, 2, 2), 3, active=True),
    _panel(BEN, CAMEL, "Sopwith Camel", "MacLaren, side B", (9, 5, 2, 4), 1),
)
FOUR_PANELS = (
    *PANELS,
    _panel(ZOE, ALBATROS, "Albatros D.III", "Loewenhardt, side A", (15, 5, 0, 0), 7),
    _panel(TOM, SPAD, "SPAD S.XIII", "Fonck, side A", (0, 3, 4, 13), 0, down="Crashed"),
)


def _keys(title: str, *labels: str) -> values.PadGroup:
    """A group of menu keys; a comma parts the second line."""
    keys = [values.Key(*_pair(label)) for label in labels]
    return values.PadGroup(title, "", tuple(values.PadKey(key, 0, n) for n, key in enumerate(keys)))


def _pair(label: str) -> tuple[str, AskUndo, str]:
    first, _, second = label.partition(", ")
    return first, AskUndo(), second


# -- where a plane may end -----------------------------------------------------------------


def _flights(start: Heading, fewest: int, most: int, turns: int) -> list[Option[str]]:
    """Every pose that advancing so far, and turning, leads to, as a box lists them."""
    ends = {
        end.turned(turn)
        for end, _ in FIGURES.board.flights(start, fewest, most)
        for turn in range(-turns, turns + 1)
        if end.hex != Hex(0, -1)
    }
    names = sorted((end.name(), end) for end in ends)
    return [
        Option(name, name, name, {FOKKER: Pose(str(end.hex), end.facing)}) for name, end in names
    ]


def flying(
    options: Sequence[Option[Any]], chosen: str = "", seen: str = "", near: str = ""
) -> FieldState:
    """A plane that flies: nothing touched, a space chosen, or a pose seen."""
    asked = Asked("turn-7/2/fly", 12, seen, "seen 0.3 s" if seen else "")
    pad = pose_pad(MAP, asked, options, FOKKER, chosen, near=near)
    next_key = (
        values.Key("As seen", AskUndo(), "seen 0.3 s", "eye", values.KeyLook.GO) if seen else None
    )
    message = values.Message("Fly it, or touch its space.", "DF-17.1.M1, DF-9.6")
    if chosen:
        message = values.Message("Which way does it look?", "DF-17.1.M1, DF-9.6")
    return FieldState(
        frame(PLATE, "Engagement", message=message, next_key=next_key),
        values.Band(("Mia", "fly"), MIA, note="Fly the Basic Maneuver. Where does the plane end?"),
        MAP.draw(STANDING),
        PANELS,
        poses=pad,
    )


BASIC = _flights(Heading(Hex(0, 1), 0), 1, 2, 1)
FAST = _flights(Heading(Hex(0, 1), 1), 1, 4, 1)
MOMENTUM = [
    Option(end.name(), end.name(), end.name(), {FOKKER: Pose(str(end.hex), end.facing)})
    for end in FIGURES.board.free_front(Heading(Hex(0, 1), 0), ())
]

# -- menus, evasion, dice ------------------------------------------------------------------

MENU = FieldState(
    frame(PLATE, "Engagement", next_key=go("End turn", "the Deck is counted")),
    values.Band(("Mia", "your action?"), MIA, note="One Maneuver each turn; all else is free."),
    MAP.draw(STANDING),
    PANELS,
    menu=(
        _keys("Maneuver", "Basic Maneuver", "High-speed Maneuver", "Turning Maneuver"),
        _keys("Attack", "Basic Attack", "Spandau Machine Guns, 2 tokens",
              "Second Guns, 2 tokens"),
        _keys("Tactics", "Slip-turn", "Killer Instinct", "Regroup", "Emergency Repair"),
        _keys("Pilot", "The Flying Circus"),
    ),
)  # fmt: skip
MENU_FOUR = replace(
    MENU,
    map=MAP.draw({p: pose for p, pose in ALL_STANDING.items() if p != SPAD}),
    panels=FOUR_PANELS,
    menu=(
        MENU.menu[0],
        _keys("Attack", "Basic Attack, at Ben", "Basic Attack, at Zoe", "Basic Attack, at Tom",
              "Spandau Machine Guns, at Ben, 2 tokens", "Spandau Machine Guns, at Zoe, 2 tokens"),
        *MENU.menu[2:],
    ),
)  # fmt: skip

EVASION = FieldState(
    frame(
        PLATE,
        "Engagement",
        keys=(
            BASE_KEYS[0],
            BASE_KEYS[2],
            values.Key("Evasive Climb", AskUndo(), "2 dice, 4 or more"),
            values.Key("Evasive Dive", AskUndo(), "1 die, 3 or more"),
        ),
        next_key=values.Key("No", AskUndo(), "take 1 damage", "cross", values.KeyLook.GO),
        wide=True,
    ),
    values.Band(("Ben", "evade?"), BEN, note="Mia's attack: 1 die on the Gunsight. Do you evade?"),
    MAP.draw(STANDING, fires=MIA_FIRES),
    PANELS,
    gunsight=values.Gunsight(1, (values.Die(5), values.Die(3)), "Mia"),
)


def _roll(faces: Sequence[int], passes: int = 5) -> FieldState:
    """A roll told so far; the first 0 is the die being asked."""
    at = faces.index(0) if 0 in faces else None
    dice = tuple(
        values.Die(
            face, face >= passes if face else None, n == at, action=AskUndo() if face else None
        )
        for n, face in enumerate(faces)
    )
    good = sum(face >= passes for face in faces)
    many = "1 die" if len(faces) == 1 else f"{len(faces)} dice"
    note = f"{passes} or more succeeds"
    if at is None:
        note = f"{good} of {len(faces)} succeed. Touch a die to change it."
    keys = tuple(values.Key(str(face), AskUndo()) for face in range(1, 7)) if at is not None else ()
    told = " ".join(map(str, faces))
    return FieldState(
        frame(
            PLATE,
            "Engagement",
            message=values.Message(second="DF-11.3"),
            next_key=go(f"Rolled {told}", "as the dice lie") if at is None else None,
        ),
        values.Band(
            (f"MIA: ROLL {many.upper()}",),
            MIA,
            note="Basic Attack on Ben at range 2.",
        ),
        MAP.draw(STANDING, fires=MIA_FIRES),
        PANELS,
        pad=DicePad(f"{many}, Difficulty {passes}", note, dice, keys),
    )


AGAIN = replace(
    _roll((5, 3, 2)),
    frame=frame(
        PLATE,
        "Engagement",
        keys=(
            BASE_KEYS[0],
            BASE_KEYS[2],
            values.Key("Roll 2 dice again", AskUndo(), "free reroll"),
            values.Key("Roll 2 dice again", AskUndo(), "Focus, 1 token"),
        ),
        next_key=go("Keep", "goes on"),
        wide=True,
    ),
    band=values.Band(
        ("Mia", "roll again?"), MIA, note="Rolled 5, 3, 2 (Difficulty 5). Roll any again?"
    ),
    pad=DicePad(
        "Touch the dice to roll again",
        "2 of 3",
        tuple(values.Die(face, chosen=face < 5, action=AskUndo()) for face in (5, 3, 2)),
    ),
)
CARDS = {
    "Basic Maneuver": 1,
    "High-speed Maneuver": 0,
    "Turning Maneuver": 0,
    "Evasive Climb": 1,
    "Evasive Dive": 0,
    "Killer Instinct": 0,
}


def _counted(name: str, count: int) -> values.Key:
    look = values.KeyLook.CHOSEN if count else values.KeyLook.PLAIN
    return values.Key(name, AskUndo(), str(count) if count else "none", look=look)


SHOWN = replace(
    MENU,
    frame=frame(PLATE, "Engagement", next_key=go("Done", "2 cards")),
    band=values.Band(("Ben", "2 cards shown"), BEN, note="Lewis Guns. Which 2 lie face up now?"),
    menu=(
        values.PadGroup(
            "",
            "",
            tuple(values.PadKey(_counted(*one), 0, n) for n, one in enumerate(CARDS.items())),
        ),
    ),
)
REDRAW = replace(
    MENU,
    frame=frame(PLATE, "Assessment", message=values.Message(second="DF-7.1, RULING 20")),
    band=values.Band(
        ("MIA: REDRAW HOW MANY?",),
        MIA,
        note="How many cards go into the Deck?",
    ),
    menu=(_keys("", *(str(n) for n in range(6))),),
)
CORNER = replace(
    EVASION,
    frame=frame(
        "SET-UP", "", message=values.Message(second="DF-3.5"), next_key=go("Placed", "goes on")
    ),
    band=values.Band(("All placed?",), note="Are all placed as shown, and the Hands drawn?"),
    map=MAP.draw(ALL_STANDING),
    panels=FOUR_PANELS,
    gunsight=None,
)

NOT_REACHED = values.Alert(
    "Not taken: the Basic Maneuver does not reach 0,-3 N",
    "Touch one of the spaces, or correct the record.",
    "DF-E01",
    "DF-9.6",
)

SEEN_ASTRAY = replace(
    NOT_REACHED, text="The Basic Maneuver does not reach 3,-3 S", mark=values.Mark.WARN
)


def _astray() -> FieldState:
    """A plane that is seen where it may not end."""
    state = flying(BASIC)
    at = Asked("turn-7/2/fly", 12)
    pad = pose_pad(MAP, at, BASIC, FOKKER, astray="3,-3")
    ghosts = {FOKKER: Pose("3,-3", 3)}
    drawn = MAP.draw(STANDING, ghosts=ghosts)
    message = values.Message("Dashed: where it is seen.", "Move it, or touch its space.")
    told = frame(PLATE, "Engagement", message=message, refusal=SEEN_ASTRAY)
    return replace(state, frame=told, map=drawn, poses=pad)


# -- assumed figures -----------------------------------------------------------------------

_OWN = FiguresOf1917()
_CORRECTED = _OWN.changed({}, "basic_attack.difficulty_range_1", 6)


def _figures(page: int, own: Mapping[str, Json]) -> FiguresState | FigureState:
    view = View(page=page)
    return present_figures(
        Situation(0.0, devices=LIVE, own_figures={"dogfight-1917": own}),
        replace(view, setup=SetupDraft("dogfight-1917")),
    )


def _figure(name: str, near: str = "") -> FiguresState | FigureState:
    view = View(setup=SetupDraft("dogfight-1917"))
    view = replace(view.opened(Panel.FIGURES, name), near=near)
    situation = Situation(0.0, devices=LIVE, own_figures={"dogfight-1917": {}})
    return present_figures(situation, view)


FIGURES_TOLD: Mapping[str, FiguresState | FigureState] = {
    "figure-spaces": _figure("board.one_token"),
    "figure-spaces-later": _figure("board.two_tokens", "0,-3"),
    "figure-range": _figure("lewis_guns.range"),
    "figure-numbers": _figure("battle_royale.tokens"),
    "figure-heading": _figure("team_map.A"),
    "figures": _figures(0, {}),
    "figures-later": _figures(1, _CORRECTED),
    "figures-last": _figures(9, _CORRECTED),
}

HEX: Mapping[str, FieldState | FiguresState | FigureState] = {
    **FIGURES_TOLD,
    "hex-fly": flying(BASIC),
    "hex-fly-heading": flying(BASIC, chosen="0,0"),
    "hex-fly-seen": flying(BASIC, seen="0,0 N"),
    "hex-fly-astray": _astray(),
    "hex-fly-far": flying(FAST),
    "hex-fly-far-later": flying(FAST, near=FAST[0].name.split()[0]),
    "hex-momentum": flying(MOMENTUM),
    "hex-menu": MENU,
    "hex-menu-four": MENU_FOUR,
    "hex-menu-four-later": replace(MENU_FOUR, page=1),
    "hex-evasion": EVASION,
    "hex-evasion-turned": replace(EVASION, turned=True),
    "hex-roll": _roll((5, 0)),
    "hex-roll-one": _roll((0,), 3),
    "hex-roll-five": _roll((5, 2, 6, 0, 0)),
    "hex-roll-told": _roll((5, 3)),
    "hex-roll-again": AGAIN,
    "hex-shown": SHOWN,
    "hex-redraw": REDRAW,
    "hex-placed": CORNER,
    "hex-three": replace(CORNER, panels=FOUR_PANELS[:3]),
    "hex-fly-four": replace(flying(BASIC), panels=FOUR_PANELS),
    "hex-refused": replace(flying(BASIC), frame=frame(PLATE, "Engagement", refusal=NOT_REACHED)),
    "hex-camera-lost": replace(
        flying(BASIC),
        frame=frame(PLATE, "Engagement", devices=CAMERA_LOST, banner=LOST_BANNER),
    ),
}
