"""Deeds in words: what hands do, how many are left then, and whether it was seen done."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core.ruling import TABLE, Carry, Deed, Flip, Move, Ruling, Seat, SetTo, Shuffle
from companion.kit.figures import at_the_table
from companion.referee.sight import settled_places
from ui.scene.steps import is_printed, steps_in_words, without_coordinates

if TYPE_CHECKING:
    from companion.core.board import Pose
    from companion.match.correction import Pile
    from companion.match.rulebook import Position
    from ui.scene.scene import Scene


# Which deeds hands do, and in which portions they are told.


def hands_do(ruling: Ruling) -> tuple[tuple[Deed, ...], ...]:
    """What a ruling has hands do: a phrase's deeds each. What needs no hands is none.

    A token that is turned over lies where it lay; cards that go to one pile go there at once; what
    several people do at once is one phrase.
    """
    deeds = [deed for deed in ruling.deeds if _is_done_by_hand(deed)]
    if any(isinstance(deed, Flip) for deed in deeds):
        deeds = _without_turned(deeds)
    owners = {deed.owner for deed in deeds if isinstance(deed, Carry | Shuffle)}
    if len(owners) > 1 or _by_way_of(deeds) or (deeds and _is_of_tokens(deeds)):
        return (tuple(deeds),)
    phrases: dict[object, list[Deed]] = {}
    for deed in deeds:
        into = deed.target if isinstance(deed, Carry) and deed.target in _VERBS else None
        phrases.setdefault(into if into is not None else id(deed), []).append(deed)
    return tuple(map(tuple, phrases.values()))


def portions(ruling: Ruling) -> tuple[tuple[tuple[Deed, ...], ...], ...]:
    """The phrases of a ruling as they are told one after another; one without any has one.

    Two short ones are told at once: "discard 1, draw 4".
    """
    told: list[tuple[tuple[Deed, ...], ...]] = []
    for phrase in hands_do(ruling):
        if told and len(told[-1]) == 1 and _is_short(told[-1][0]) and _is_short(phrase):
            told[-1] = (*told[-1], phrase)
        else:
            told.append((phrase,))
    return tuple(told) or ((),)


def _is_short(phrase: tuple[Deed, ...]) -> bool:
    """Whether a verb and a number tell it."""
    match phrase[0]:
        case Carry(_, _, source, target):
            return target in _VERBS or (target == "hand" and source in _DRAWN_FROM)
        case Shuffle(_, _, source, target):
            return source == target and source in _DRAWN_FROM
        case Flip():
            return True
        case _:
            return False


def _is_done_by_hand(deed: Deed) -> bool:
    match deed:
        case Move(_, was, now) | SetTo(_, _, _, was, now):
            return was != now
        case Carry(_, count, _, _):
            return count > 0
        case _:
            return True


def _without_turned(deeds: Sequence[Deed]) -> list[Deed]:
    """Without the two moves that say of a turned token that its other side lies there."""
    moves = [deed for deed in deeds if isinstance(deed, Move)]
    gone = {move.was.space for move in moves if move.was is not None and move.now is None}
    come = {move.now.space for move in moves if move.now is not None and move.was is None}
    return [
        deed for deed in deeds if not isinstance(deed, Move) or _space_of(deed) not in gone & come
    ]


def _space_of(move: Move) -> str:
    pose = move.now or move.was
    return pose.space if pose is not None else ""


def _is_of_tokens(deeds: Sequence[Deed]) -> bool:
    return all(isinstance(deed, SetTo) for deed in deeds)


def _by_way_of(deeds: Sequence[Deed]) -> bool:
    """Whether cards change places by way of another: what has just been laid there goes on."""
    laid: set[str] = set()
    for deed in deeds:
        if not isinstance(deed, Carry):
            continue
        if deed.source in laid - {*_DRAWN_FROM}:
            return True
        laid.add(deed.target)
    return False


def done_at_once(rulings: Sequence[Ruling]) -> int:
    """How many of these, from the first on, hands do as one deed: 1, or several alike.

    Pieces are put on the board together; who draws a card, and another one, draws two.
    """
    many = 1
    while many < len(rulings) and _are_alike(rulings[0], rulings[many]):
        many += 1
    return many


def _are_alike(one: Ruling, other: Ruling) -> bool:
    if _puts(one) is not None:
        return _puts(other) is not None
    carried = [_draws(one), _draws(other)]
    return None not in carried and carried[0] == carried[1] and one.by == other.by


def _only_deed(ruling: Ruling) -> Deed | None:
    """What a ruling has hands do, where that is one thing."""
    phrases = hands_do(ruling)
    if ruling.quiet or len(phrases) != 1 or len(phrases[0]) != 1:
        return None
    return phrases[0][0]


def _draws(ruling: Ruling) -> tuple[Seat, str] | None:
    """Who draws from which pile, where hands do that alone."""
    deed = _only_deed(ruling)
    if not isinstance(deed, Carry) or deed.target != "hand":
        return None
    return deed.owner, deed.source


def as_one(rulings: Sequence[Ruling]) -> Ruling:
    """Rulings that hands do at once, as the first of them with the deeds of all."""
    deeds = [deed for ruling in rulings for deed in ruling.deeds]
    drawn = [deed for deed in deeds if isinstance(deed, Carry)]
    if len(rulings) > 1 and drawn:
        deeds = [replace(drawn[0], count=sum(deed.count for deed in drawn))]
    return rulings[0]._replace(deeds=tuple(deeds))


def _puts(ruling: Ruling) -> Move | None:
    """The piece that a ruling puts on the board, where it has hands do that alone."""
    deed = _only_deed(ruling)
    return deed if isinstance(deed, Move) and deed.was is None else None


# In words.

_VERBS = {"discard": "discard", "scrap": "scrap"}
_DRAWN_FROM = ("deck", "draw")
_NUMBERED = re.compile(r" (?:\d+|[A-Z]\d*)$")
"""What tells tokens of one kind apart: "Wreckage 2", "Hull A1"."""
_BOTH = 2
LIT = "the lit space"
"""A space without a printed name: the map beside the words shows which."""


def portion_in_words(scene: Scene, ruling: Ruling, at: int) -> str:
    """What hands do, as they know it: "discard 1, draw 4", "turn right, 2 ahead"."""
    phrases = portions(ruling)[at]
    words = [_phrase(scene, ruling, phrase) for phrase in phrases]
    told = ", ".join(dict.fromkeys(filter(None, words)))
    return told or plain(scene, _headline(scene, ruling), ruling.deeds) or ruling.text


def alike_in_words(scene: Scene, rulings: Sequence[Ruling]) -> str:
    """What is done at once: "place 4 Wreckage as shown", "draw 2"."""
    kind, many = kind_of(scene, rulings), len(rulings)
    if _draws(rulings[0]) is not None:
        return _short_words(as_one(rulings).deeds)
    if kind:
        return f"place {many} {kind} as shown"
    return f"place {'both' if many == _BOTH else f'all {many}'} pieces as shown"


def kind_of(scene: Scene, rulings: Sequence[Ruling]) -> str:
    """What tokens that are put on the board are, where several are of one kind; else empty."""
    tokens = scene.map.plan.token_of
    moves = [move for move in map(_puts, rulings) if move is not None]
    names = [tokens[move.piece].label if move.piece in tokens else "" for move in moves]
    kinds = {_NUMBERED.sub("", name) for name in names}
    return kinds.pop() if len(names) > 1 and len(kinds) == 1 and not kinds & {*names} else ""


def _headline(scene: Scene, ruling: Ruling) -> str:
    return scene.names.after(ruling.headline, ruling.by)


def _phrase(scene: Scene, ruling: Ruling, deeds: tuple[Deed, ...]) -> str:
    """One phrase; empty where the ruling's own headline says it best."""
    owners = {deed.owner for deed in deeds if isinstance(deed, Carry | Shuffle)}
    if _by_way_of(deeds) or (ruling.headline and _is_of_tokens(deeds)):
        return ""
    if len(owners) > 1:
        return _each_in_words(scene, ruling, deeds)
    match deeds[0]:
        case Move() as move:
            words = move_in_words(scene, move, named=not _is_own(scene, ruling.by, move))
            return _unowned(scene, words) if ruling.by != TABLE else words
        case Flip(thing, side):
            if len(hands_do(ruling)) == 1 and ruling.headline:
                return ""
            if ruling.by != TABLE and thing.endswith(f" {ruling.by}"):
                return f"{side} up"  # "Ship A" stands beside its player's name
            return f"{_unowned(scene, thing)}: {side} up"
        case SetTo() as thing:
            return deed_in_words(scene, thing)
        case _:
            return _short_words(deeds)


EACH = " each"


def _each_in_words(scene: Scene, ruling: Ruling, deeds: Sequence[Deed]) -> str:
    """What several people do alike: "draw 4 each"; empty where the headline says more of it.

    So it does where cards lie elsewhere than in hands and decks, or it names a place.
    """
    carries = [deed for deed in deeds if isinstance(deed, Carry | Shuffle)]
    owners = {deed.owner for deed in carries}
    alike = {_short_words([one for one in carries if one.owner == owner]) for owner in owners}
    at_hand = {deed.source for deed in carries} <= {"hand", *_DRAWN_FROM}
    if len(alike) > 1 or not at_hand or ": " in _headline(scene, ruling):
        return ""
    return alike.pop() + EACH


def _short_words(deeds: Sequence[Deed]) -> str:
    """Cards of one owner: "draw 4", "scrap 6", "2 from deck to damage"."""
    carries = [deed for deed in deeds if isinstance(deed, Carry)]
    if carries and carries[0].target in _VERBS and len(carries) == len(deeds):
        return f"{_VERBS[carries[0].target]} {sum(deed.count for deed in carries)}"
    return ", ".join(_cards_in_words(deed) for deed in deeds)


def _cards_in_words(deed: Deed) -> str:
    match deed:
        case Carry(_, count, source, "hand") if source in _DRAWN_FROM:
            return f"draw {count}"
        case Carry(_, count, source, target):
            return f"{count} from {_pile_name(source)} to {_pile_name(target)}"
        case Shuffle(_, _, source, target) if source == target:
            return "shuffle" if source in _DRAWN_FROM else f"shuffle {_pile_name(source)}"
        case Shuffle(_, _, source, target):
            return f"shuffle {_pile_name(source)} into {_pile_name(target)}"
        case _:
            return ""


def _pile_name(name: str) -> str:
    """A pile as people call it: "tier-1" is tier 1."""
    return name.replace("-", " ").replace("/", " ")


_COMMON = ("deck", "hand", "discard", "damage", "scrap", "track")
"""Piles that every table calls by one word."""


def _called(scene: Scene, pile: str) -> str:
    """A pile as its box calls it, where one word does not say which: "declared card"."""
    return _pile_name(pile if pile in _COMMON else scene.match.position.pile_names.get(pile, pile))


def _unowned(scene: Scene, thing: str) -> str:
    """A thing without its owner's name or code, who is named beside it."""
    for seat in scene.names.seats:
        for name in (f"{scene.names.player(seat)}'s", str(seat)):
            if thing.startswith(f"{name} "):
                return thing.removeprefix(f"{name} ")
    return thing


def _is_own(scene: Scene, seat: Seat, move: Move) -> bool:
    """Whether it is the one piece that this seat flies: it need not be named."""
    looks = scene.names.looks
    piece, owner = looks.get(str(move.piece)), looks.get(str(seat))
    if piece is None or owner is None or piece.colour is None or piece.colour != owner.colour:
        return False
    token = scene.map.plan.token_of.get(move.piece)
    return token is not None and token.headed


def move_in_words(scene: Scene, move: Move, *, named: bool = True) -> str:
    """How a piece is moved: from its own nose where it has one, else where to."""
    plan = scene.map.plan
    token = plan.token_of.get(move.piece)
    name = token.label if token is not None else str(move.piece)
    if move.now is None:
        return f"{name} off the board"
    steps = steps_in_words(plan, move.was, move.now) if move.was is not None else ""
    if steps:
        return f"{name}: {steps}" if named else steps
    place = place_in_words(scene, move.now)
    if place == LIT:  # the map beside the words shows which
        return f"{'place' if move.was is None else 'move'} {name} as shown"
    return f"{name} to {place}" if named else f"to {place}"


def place_in_words(scene: Scene, pose: Pose) -> str:
    """A space as its board prints it, with the board's owner; else the one that is lit."""
    plan = scene.map.plan
    space, board = plan.spaces.get(pose.space), plan.board_of.get(pose.space)
    if space is None or board is None or not is_printed(space.label):
        return LIT if space is not None else pose.space
    if board.owner:
        return f"{scene.names.label(Seat(board.owner))} {space.label}"
    if not is_printed(pose.space):
        return f"space {space.label}"
    return plan.said_of(replace(pose, facing=None))


def plain(scene: Scene, text: str, deeds: Sequence[Deed] = (), *, lit: bool = True) -> str:
    """A text without coordinates that no board has in print.

    Where a deed moves a piece there it says how; else the map shows the space, `lit` or not.
    """
    moves = {_space_of(deed): deed for deed in deeds if isinstance(deed, Move)}

    def said(how: str, space: str) -> str:
        move = moves.get(space)
        if how == "from":
            return ""
        if move is not None and move.was is not None and move.now is not None:
            steps = steps_in_words(scene.map.plan, move.was, move.now)
            if steps and how in ("to", ""):
                return f": {steps}" if how else steps
        is_lit = lit and move is not None and move.now is not None
        where = LIT if is_lit else "a new space" if how == "to" else "its space"
        return f"{how} {where}" if how else where if lit else "placed"

    return without_coordinates(scene.map.plan, at_the_table(text), said)


def with_lit(scene: Scene, text: str) -> tuple[str, frozenset[str]]:
    """A text in which spaces without a printed name are "the lit space", and which those are."""
    lit: set[str] = set()

    def said(how: str, space: str) -> str:
        lit.add(space)
        return f"{how} {LIT}".strip()

    told = without_coordinates(scene.map.plan, at_the_table(text), said)
    return told, frozenset(lit)


def deed_in_words(scene: Scene, deed: Deed) -> str:
    """One deed by itself: "6 cards: deck to scrap"."""
    match deed:
        case Move():
            return move_in_words(scene, deed)
        case Carry(_, count, source, target):
            return f"{_cards(count)}: {_called(scene, source)} to {_called(scene, target)}"
        case Shuffle(_, _, source, target):
            return f"Shuffle {source} into {target}"
        case Flip(thing, side):
            return f"{thing}: {side} up"
        case SetTo(_, _, thing, "", now):
            return f"{thing}: {_value(scene, now)}"
        case SetTo(_, _, thing, was, now):
            return f"{thing} {_value(scene, was)}, now {_value(scene, now)}"


def task_in_words(scene: Scene, task: Deed) -> str:
    """What hands do after a correction, as short as a deed."""
    words = f"Turn to {task.side}" if isinstance(task, Flip) else deed_in_words(scene, task)
    return words[:1].upper() + words[1:]


def tasked(task: Deed) -> Seat:
    """Whose hands a task is for; the table's where it has no owner."""
    return task.owner if isinstance(task, Carry | Shuffle | SetTo) else TABLE


def told(scene: Scene, task: Deed, later: Sequence[Deed] = ()) -> tuple[str, str]:
    """A task in full: "Paws Gunner: deck 19, then 25", and what else it changes.

    `later` are the tasks that come after it, and change the same piles again. Of cards only piles
    are told that the record counts.
    """
    match task:
        case Carry(owner, _, source, target):
            piles = [_pile(scene, task, pile, later) for pile in (target, source)]
            carried = f"{scene.names.called(owner)}: {task_in_words(scene, task)}"
            first, second, *_ = (*filter(None, piles), "", "")
            return first or carried, second
        case Move(_, was, now):
            places = [_place(scene, pose) for pose in (was, now)]
            known = LIT not in places
            return task_in_words(scene, task), "from {}, now {}".format(*places) if known else ""
        case Flip(thing):
            return f"{thing}: {_inside(task_in_words(scene, task))}", ""
        case SetTo(owner):
            words = task_in_words(scene, task)
            named = owner != TABLE
            return (f"{scene.names.called(owner)}: {_inside(words)}" if named else words), ""
        case Shuffle():
            return task_in_words(scene, task), ""


def _inside(words: str) -> str:
    """Words as they stand inside a sentence; names of places keep their letters."""
    return words[:1].lower() + words[1:]


def _pile(scene: Scene, carry: Carry, place: str, later: Sequence[Deed]) -> str:
    """A pile before and after; empty where the count is hidden."""
    position = scene.match.position
    pile = position.pile_at(carry.owner, place) or (carry.owner, place)
    owner, name = pile
    called = _called(scene, name)
    called = f"{scene.names.called(owner)}: {called}" if owner != TABLE else called.capitalize()
    gain = _gained(position, carry, pile)
    if any(not fact.public and fact.name == f"{owner}.{name}" for fact in position.facts()):
        return ""
    after = position.pile_counts().get(pile, 0)
    after -= sum(_gained(position, one, pile) for one in later if isinstance(one, Carry))
    if after < gain:  # the record counts them elsewhere until they are turned over
        return ""
    stop = ":" if called[-1:].isdigit() else ""
    return f"{called}{stop} {after - gain}, then {after}"


def _gained(position: Position, carry: Carry, pile: Pile) -> int:
    """By how many cards a pile grows (shrinks: negative)."""
    into = position.pile_at(carry.owner, carry.target) == pile
    out = position.pile_at(carry.owner, carry.source) == pile
    return carry.count * (into - out)


def _place(scene: Scene, pose: Pose | None) -> str:
    return place_in_words(scene, pose) if pose is not None else "off the boards"


def _value(scene: Scene, value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value == "":
        return "none"
    return scene.names.called(Seat(value)) if isinstance(value, str) else str(value)


def count_after(scene: Scene, deed: Carry | Shuffle, rulings: Sequence[Ruling]) -> str:
    """The pile that this deed takes from, before and after it: "Dan: deck 17, then 11".

    `rulings` are those from the deed's own on: what the later ones took is added back. Empty where
    the count is not public, or stays as it is.
    """
    now = scene.values.get(f"{deed.owner}.{deed.source}")
    taken = -_gain(deed, deed.owner, deed.source)
    if not isinstance(now, int) or not taken:
        return ""
    after = now
    for later in reversed([one for ruling in rulings for one in ruling.deeds]):
        if later is deed:
            break
        after -= _gain(later, deed.owner, deed.source)
    player = scene.names.player(deed.owner)
    return f"{player}: {deed.source} {after + taken}, then {after}"


def _gain(deed: Deed, owner: str, pile: str) -> int:
    """By how many cards a deed makes a pile larger (smaller: negative)."""
    if not isinstance(deed, Carry | Shuffle) or deed.owner != owner:
        return 0
    return deed.count * ((deed.target == pile) - (deed.source == pile))


def is_done(scene: Scene, deed: Deed) -> bool:
    """Whether the camera has seen it done; what no camera can see is never said to be."""
    sighting = scene.referee.sight.sighting
    if not isinstance(deed, Move) or sighting is None or deed.now is None:
        return False
    return settled_places(sighting).get(deed.piece) == deed.now


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"
