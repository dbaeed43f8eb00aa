"""Random programs, languages and scenes, shared by all tests."""

from __future__ import annotations

from hypothesis import strategies as st

from chorale.language import Basic, Function, Grammar, Kind, Program, Type
from chorale.language.grammar import derived_productions
from chorale.nlvr.pictures.scenes import BOX_SIDE, BOXES, COLORS, SHAPES, SIZES, Box, Object, Scene


@st.composite
def programs(draw: st.DrawFn, grammar: Grammar, max_actions: int = 15) -> Program:
    """Random programs of at most `max_actions` actions: a walk that never opens more than it can still close."""
    actions: list[int] = []
    waiting = [0]
    needed = int(grammar.shortest[0])
    assert needed <= max_actions, f"the shortest program has {needed} actions"
    while waiting:
        state = waiting.pop()
        needed -= int(grammar.shortest[state])
        room = max_actions - len(actions) - 1 - needed
        fitting = [
            number
            for number, after in grammar.children[state].items()
            if sum(int(grammar.shortest[child]) for child in after) <= room
        ]
        number = draw(_sampled(grammar, fitting))
        after = grammar.children[state][number]
        needed += sum(int(grammar.shortest[child]) for child in after)
        waiting.extend(reversed(after))
        actions.append(number)
    return Program.from_actions(actions, grammar)


def _sampled(grammar: Grammar, numbers: list[int]) -> st.SearchStrategy[int]:
    """One of the productions; structure as likely as all names together, or long programs would be rare."""
    structure = [number for number in numbers if grammar.productions[number].right]
    terminals = [number for number in numbers if not grammar.productions[number].right]
    kinds = [st.sampled_from(group) for group in (terminals, structure) if group]
    return st.one_of(kinds)


# -- languages ----------------------------------------------------------------------------------------------------

A, B, C = Basic("a"), Basic("b"), Basic("c")
BASIC = st.sampled_from([A, B, A, B, C])
UNARY = st.builds(Function, st.tuples(BASIC), BASIC)
LONGER = st.builds(Function, st.lists(BASIC, min_size=2, max_size=3).map(tuple), BASIC)
HIGHER = st.builds(Function, st.lists(BASIC | UNARY, min_size=1, max_size=3).map(tuple), BASIC | UNARY)


@st.composite
def grammars(draw: st.DrawFn) -> Grammar:
    """Small languages over three basic types, with functions that take and return functions, and random exclusions."""
    kinds = draw(st.lists(UNARY, min_size=2, max_size=4))
    kinds += draw(st.lists(LONGER, max_size=2)) + draw(st.lists(HIGHER, max_size=2))
    signature: dict[str, Type] = {"x": A, "y": B, **{f"f{number}": kind for number, kind in enumerate(kinds)}}
    composition, currying = draw(st.integers(0, 9)) > 0, draw(st.integers(0, 9)) > 0
    derived = derived_productions(signature, composition, currying)
    applications = [str(made) for made in derived if made.kind is Kind.APPLY and len(made.right) == 2]
    unwanted = draw(st.sets(st.sampled_from(applications), max_size=4))
    unwanted |= draw(st.sets(st.sampled_from(sorted(map(str, derived))), max_size=2))
    return Grammar(signature, A, composition=composition, currying=currying, excluded=frozenset(unwanted))


# -- scenes -------------------------------------------------------------------------------------------------------


def objects() -> st.SearchStrategy[Object]:
    """Any object that lies in its box; walls and corners are as likely as anywhere else."""

    def of_size(size: int) -> st.SearchStrategy[Object]:
        far = BOX_SIDE - size
        place = st.sampled_from((0, far)) | st.integers(0, far)
        return st.builds(
            Object,
            x=place,
            y=place,
            size=st.just(size),
            shape=st.sampled_from(SHAPES),
            color=st.sampled_from(COLORS),
        )

    return st.sampled_from(tuple(SIZES)).flatmap(of_size)


def towers() -> st.SearchStrategy[Box]:
    """A column of medium squares on the floor, one pixel apart, or an empty box."""

    def stack(colors: list[str]) -> Box:
        return tuple(Object(40, 80 - 21 * level, 20, "square", color) for level, color in enumerate(colors))

    return st.lists(st.sampled_from(COLORS), max_size=4).map(stack)


@st.composite
def scattered(draw: st.DrawFn, max_objects: int = 8) -> Box:
    """Up to `max_objects` shapes that do not overlap; some lie against the one before."""
    box: list[Object] = []
    for thing in draw(st.lists(objects(), max_size=max_objects)):
        placed = thing
        if box and draw(st.booleans()):
            placed = _moved(thing, *draw(st.sampled_from(_against(thing, box[-1]))))
        if _inside(placed) and not any(_overlap(placed, other) for other in box):
            box.append(placed)
    return tuple(box)


@st.composite
def crowded(draw: st.DrawFn) -> Box:
    """Nine to twenty small shapes on a grid that leaves some of them touching: more than fit in one byte."""
    cells = draw(st.lists(st.integers(0, 99), min_size=9, max_size=20, unique=True))
    kinds = st.tuples(st.sampled_from(SHAPES), st.sampled_from(COLORS))
    drawn = draw(st.lists(kinds, min_size=len(cells), max_size=len(cells)))
    return tuple(
        Object(10 * (cell % 10), 10 * (cell // 10), 10, shape, color)
        for cell, (shape, color) in zip(cells, drawn, strict=True)
    )


def scenes() -> st.SearchStrategy[Scene]:
    """Valid scenes of both kinds, boxes of 0 to 8 objects and sometimes up to 20; equal boxes are not rare."""
    tower_scenes = st.tuples(*[towers()] * BOXES)
    scattered_scenes = st.tuples(*[scattered()] * BOXES)
    repeated = st.tuples(scattered(), scattered()).map(lambda pair: (pair[0], pair[1], pair[0]))
    crowded_scenes = st.tuples(crowded(), scattered(), towers())
    return st.one_of(tower_scenes, scattered_scenes, repeated, crowded_scenes).map(Scene)


def _against(thing: Object, other: Object) -> list[tuple[int, int]]:
    """Where `thing` touches `other` along an edge or at a corner."""
    left, right, above, below = other.x - thing.size, other.right, other.y - thing.size, other.bottom
    return [(left, other.y), (right, other.y), (other.x, above), (other.x, below), (right, below), (left, above)]


def _moved(thing: Object, x: int, y: int) -> Object:
    return Object(x, y, thing.size, thing.shape, thing.color)


def _inside(thing: Object) -> bool:
    return thing.x >= 0 and thing.y >= 0 and thing.right <= BOX_SIDE and thing.bottom <= BOX_SIDE


def _overlap(one: Object, other: Object) -> bool:
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom
