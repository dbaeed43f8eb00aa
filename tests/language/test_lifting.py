"""A language that is written for one context says of many what a plain loop over them says."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Annotated, Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.enumerated import enumerated
from tests.strategies import programs

from chorale.errors import ChoraleError
from chorale.language import Basic, Language, Program, Type, constants, function, lifted, run
from chorale.language.derivation import folded
from chorale.language.lifting import Lifted
from chorale.search.enumeration import Enumeration


@dataclass(frozen=True)
class Bottle:
    """A bottle; the next one stands to its right."""

    place: int
    color: str
    is_full: bool


Shelf = tuple[Bottle, ...]
Test = Callable[[Bottle], bool]
Choice = Callable[[set[Bottle]], set[Bottle]]


class Shelves(Language):
    """What can be said of bottles on one shelf, with functions that take functions and give them."""

    per_context = True
    root = bool
    numbers = constants(int, {"1": 1, "2": 2})
    limits = constants(list[int], {"limits": [1, 3]})

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf

    def probes(self, kind: Type) -> Sequence[Any]:
        if str(kind) == "Bottle":
            return self.shelf
        return [set(self.shelf)] if str(kind) == "set[Bottle]" else []

    @function
    def bottles(self) -> set[Bottle]:
        return set(self.shelf)

    @function
    def red(self, some: set[Bottle]) -> set[Bottle]:
        return {bottle for bottle in some if bottle.color == "red"}

    @function
    def leftmost(self, some: set[Bottle]) -> set[Bottle]:
        return {min(some, key=lambda bottle: bottle.place)} if some else set()

    @function
    def beyond(self, place: int, some: set[Bottle]) -> set[Bottle]:
        return {bottle for bottle in some if bottle.place > place}

    @function
    def within(self, limits: list[int], some: set[Bottle]) -> set[Bottle]:
        return {bottle for bottle in some if limits == sorted([*limits, bottle.place])[:2]}

    @function
    def is_full(self, bottle: Bottle) -> bool:
        return bottle.is_full

    @function
    def at_place(self, place: int, bottle: Bottle) -> bool:
        return bottle.place == place

    @function
    def neighbour(self, bottle: Bottle) -> Bottle:
        return self.shelf[(bottle.place + 1) % len(self.shelf)]

    @function
    def is_green(self) -> Test:
        return lambda bottle: bottle.color == "green"

    @function
    def negated(self, test: Test) -> Test:
        return lambda bottle: not test(bottle)

    @function
    def keep(self, test: Test, some: set[Bottle]) -> set[Bottle]:
        return set(filter(test, some))

    @function
    def others(self, choice: Choice) -> Choice:
        return lambda some: some - choice(some)

    @function
    def twice(self, choice: Choice, some: set[Bottle]) -> set[Bottle]:
        return choice(choice(some))

    @function
    def exists(self, some: set[Bottle]) -> bool:
        return bool(some)

    @function
    def at_least(self, number: int, some: set[Bottle]) -> bool:
        return len(some) >= number


def shelf(rng: Random, most: int = 5) -> Shelf:
    return tuple(Bottle(n, rng.choice(("red", "green")), rng.random() < 0.5) for n in range(rng.randint(0, most)))


def shelves(count: int, seed: int = 0) -> list[Shelf]:
    rng = Random(seed)
    return [shelf(rng) for _ in range(count)]


def one_by_one(program: Program, language: type[Language], contexts: Sequence[Any]) -> tuple[Any, ...]:
    """The obvious twin."""
    return tuple(run(program, language(context)) for context in contexts)  # type: ignore[call-arg]


MANY = lifted(Shelves, shelves(20))  # remembers, from one example to the next


@given(programs(Shelves.grammar, 18), st.integers(0, 1000), st.integers(0, 4))
@settings(max_examples=300)
def test_what_a_lifted_language_says_is_what_a_loop_over_the_contexts_says(
    program: Program, seed: int, count: int
) -> None:
    contexts = shelves(count, seed)
    assert run(program, lifted(Shelves, contexts)) == one_by_one(program, Shelves, contexts)
    assert run(program, MANY) == one_by_one(program, Shelves, shelves(20))


@pytest.mark.parametrize(
    "text",
    [
        "exists(keep(is_full, bottles))",
        "exists(keep(at_place(2), bottles))",  # a function with one argument missing
        "exists(keep(is_full(neighbour), bottles))",  # composed
        "exists(keep(at_place(1)(neighbour(neighbour)), red(bottles)))",
        "exists(keep(negated(negated(is_green)(neighbour)), bottles))",
        "at_least(2, others(beyond(1))(bottles))",  # a function made by a function
        "at_least(1, twice(others(keep(negated(at_place(2)))), bottles))",
        "exists(twice(others(twice(red(beyond(1)))), within(limits, bottles)))",
    ],
)
def test_functions_are_called_in_the_context_they_belong_to(text: str) -> None:
    program, contexts = Shelves.parse(text), shelves(30, seed=7)
    answers = run(program, lifted(Shelves, contexts))
    assert answers == one_by_one(program, Shelves, contexts)
    assert set(answers) == {True, False}


def test_a_function_by_itself_is_one_on_tuples() -> None:
    contexts = shelves(10)
    language = lifted(Shelves, contexts)
    for text in ("red(beyond(1))", "others(red)", "keep(is_full)", "twice(leftmost)"):
        program = Shelves.parse(text)
        found = run(program, language)(language.implementation("bottles"))
        assert found == tuple(frozenset(run(program, Shelves(context))(set(context))) for context in contexts)
    bottles = tuple(context[0] if context else Bottle(0, "red", True) for context in contexts)
    assert run(Shelves.parse("negated(is_green)"), language)(bottles) == tuple(b.color == "red" for b in bottles)


def test_a_lifted_language_is_the_language_it_was_made_of() -> None:
    language = lifted(Shelves, shelves(3))
    assert language.grammar is Shelves.grammar
    assert (language.root, language.laws, language.open_types) == (bool, Shelves.laws, ())
    assert not language.per_context
    assert Shelves.per_context
    assert language.parse("exists(bottles)") == Shelves.parse("exists(bottles)")
    assert language.implementation("2") == (2, 2, 2)
    assert language.implementation("limits") == ((1, 3),) * 3
    assert language.implementation("bottles") is language.implementation("bottles")


def test_without_contexts_there_are_no_answers() -> None:
    language = lifted(Shelves, [])
    assert run(Shelves.parse("exists(keep(is_full(neighbour), others(red)(bottles)))"), language) == ()
    assert list(language.probes(Basic("Bottle"))) == []


def test_a_lifted_language_is_narrowed_to_some_contexts_in_the_given_order() -> None:
    contexts, program = shelves(8), Shelves.parse("at_least(2, keep(is_full, bottles))")
    language = lifted(Shelves, contexts).at([5, 1, 1]).at([1, 0])
    assert run(program, language) == one_by_one(program, Shelves, [contexts[1], contexts[5]])


class Counting(Language):
    """Counts how often it is made and asked."""

    per_context = True
    root = int
    numbers = constants(int, {"1": 1, "2": 2})
    made: ClassVar[Counter[int]] = Counter()
    asked: ClassVar[Counter[tuple[int, int]]] = Counter()

    def __init__(self, own: int) -> None:
        self.made[own] += 1
        self.own = own

    @function
    def plus(self, number: int) -> int:
        self.asked[self.own, number] += 1
        return self.own + number


@pytest.mark.parametrize(("room", "most"), [(1 << 10, 1), (0, 4)])
def test_instances_are_made_once_and_what_they_say_is_remembered_as_long_as_there_is_room(
    monkeypatch: pytest.MonkeyPatch, room: int, most: int
) -> None:
    monkeypatch.setattr("chorale.language.lifting._MOST_REMEMBERED", room)
    Counting.made.clear()
    Counting.asked.clear()
    language = lifted(Counting, [10, 20, 30])
    for narrowed in (language, language.at([2, 0]), language.at([2])):
        run(Counting.parse("plus(1)"), narrowed)
    assert run(Counting.parse("plus(plus(1))"), language) == (21, 41, 61)
    assert Counting.made == {10: 1, 20: 1, 30: 1}
    assert max(Counting.asked.values()) == most


def test_equal_numbers_of_different_types_are_not_mixed_up() -> None:
    class Saying(Language):
        per_context = True
        root = str
        numbers = constants(float, {"one": 1, "exactly_one": 1.0})

        def __init__(self, unit: str) -> None:
            self.unit = unit

        @function
        def said(self, number: float) -> str:
            return f"{number} {self.unit}"

    language = lifted(Saying, ["m"])
    assert run(Saying.parse("said(one)"), language) == ("1 m",)
    assert run(Saying.parse("said(exactly_one)"), language) == ("1.0 m",)


# -- constants of an utterance's own -----------------------------------------------------------------------------------

Cell = Annotated[str, "Cell"]


class Tables(Language):
    """Questions about a table's one column; its cells are constants."""

    per_context = True
    root = int
    open_types = (Cell,)

    def __init__(self, table: list[str]) -> None:
        self.table = table

    @function
    def count(self, cell: Cell) -> int:
        return self.table.count(cell)


CELLS = {"rome": (Basic("Cell"), "rome"), "oslo": (Basic("Cell"), "oslo")}
ALTERED = [["rome", "oslo", "rome"], ["oslo", "oslo"], []]


def test_own_constants_are_kept() -> None:
    bound = Tables(ALTERED[0]).with_constants(CELLS)
    for language in (lifted(bound, ALTERED), lifted(Tables, ALTERED).with_constants(CELLS)):
        assert language.grammar.signature == bound.grammar.signature
        assert run(language.parse("count(rome)"), language) == (2, 0, 0)
        assert run(language.parse("count(oslo)"), language.at([2, 1])) == (0, 2)
    assert lifted(bound, ALTERED).grammar is bound.grammar
    assert lifted(Tables, ALTERED).grammar is Tables.grammar


def test_constants_of_different_utterances_are_not_mixed_up() -> None:
    language = lifted(Tables, ALTERED)
    for cell, counts in (("rome", (2, 0, 0)), ("oslo", (1, 2, 0))):
        bound = language.with_constants({"it": (Basic("Cell"), cell)})
        assert run(bound.parse("count(it)"), bound) == counts


def test_a_lifted_language_goes_to_other_processes() -> None:
    language = lifted(Shelves, shelves(6)).at([3, 1])
    program = Shelves.parse("exists(keep(is_full, red(bottles)))")
    answers = run(program, language)
    assert run(program, pickle.loads(pickle.dumps(language))) == answers
    bound = lifted(Tables, ALTERED).with_constants(CELLS)
    assert run(bound.parse("count(rome)"), pickle.loads(pickle.dumps(bound))) == (2, 0, 0)


# -- mistakes ----------------------------------------------------------------------------------------------------------


class Careless(Language):
    """Functions that fail, or give what they do not promise."""

    per_context = True
    root = bool

    def __init__(self, own: Any) -> None:
        self.own = own

    @function
    def everything(self) -> set[int]:
        return {1, 2}

    @function
    def given(self) -> set[int]:
        return self.own  # type: ignore[no-any-return]

    @function
    def exists(self, some: set[int]) -> bool:
        return len(some)  # type: ignore[return-value]

    @function
    def inverted(self, some: set[int]) -> bool:
        return bool(1 // self.own)

    @function
    def later(self, some: set[int]) -> Callable[[int], bool]:
        return lambda number: self.own[number]

    @function
    def any_of(self, test: Callable[[int], bool]) -> bool:
        return any(map(test, {1, 2}))


@pytest.mark.parametrize(
    ("text", "contexts", "message"),
    [
        ("exists(everything)", [0], r"Careless.exists in context 0: 2 is a int, but the annotation says bool"),
        ("exists(given)", [{1}, [1]], r"Careless.given in context 1: \(1,\) is a tuple, .* says set\[int\]"),
        ("inverted(everything)", [1, 1, 0], r"Careless.inverted in context 2: ZeroDivisionError: integer division"),
        ("any_of(later(everything))", [{1: 0}], r"Careless.later in context 0: 0 is a int, .* says bool"),
        ("any_of(later(everything))", [{1: False}], r"Careless.later in context 0: KeyError: 2"),
    ],
)
def test_a_function_that_fails_or_gives_something_else_is_named(text: str, contexts: list[Any], message: str) -> None:
    with pytest.raises(ChoraleError, match=f"^{message}"):
        run(Careless.parse(text), lifted(Careless, contexts))


def test_a_context_is_named_by_its_place_among_all() -> None:
    with pytest.raises(ChoraleError, match=r"Careless.inverted in context 2: ZeroDivisionError"):
        run(Careless.parse("inverted(everything)"), lifted(Careless, [1, 1, 0]).at([0, 2]))


# -- search ------------------------------------------------------------------------------------------------------------


def brute_force(language: Language, max_actions: int) -> dict[Any, int]:
    """Every meaning with its least number of actions."""
    least: dict[Any, int] = {}
    for actions in enumerated(language.grammar, max_actions):
        meaning = run(Program(folded(actions, language.grammar), language.grammar), language)
        least[meaning] = min(len(actions), least.get(meaning, max_actions))
    return least


def found_by_search(language: Language, max_actions: int) -> dict[Any, int]:
    enumeration = Enumeration(language, max_actions)
    least: dict[Any, int] = {}
    for cost, entries in enumeration.root_levels():
        for row, value in enumerate(entries.values[0]):
            assert run(enumeration.program(cost, row), language) == value
            least.setdefault(value, cost)
    return least


def test_search_finds_the_meanings_of_all_programs_also_where_contexts_have_different_probes() -> None:
    contexts = shelves(12, seed=3)
    language = lifted(Shelves, contexts)
    assert isinstance(language, Lifted)
    assert {len(context) for context in contexts} >= {0, 5}
    assert len(language.probes(Basic("Bottle"))) == 5
    assert language.probes(Basic("set[Bottle]"))[0] is language.implementation("bottles")
    assert found_by_search(language, 11) == brute_force(language, 11)


Pairs = Annotated[frozenset[tuple[int, int]], "set[int]"]  # (shelf, place)
Answers = Annotated[tuple[bool, ...], "bool"]


class AllAtOnce(Language):
    """A language on all shelves at once."""

    root = Answers
    numbers = constants(int, {"1": 1, "2": 2})

    def __init__(self, contexts: Sequence[Shelf]) -> None:
        self.shelves = contexts

    @function
    def bottles(self) -> Pairs:
        return frozenset((n, bottle.place) for n, own in enumerate(self.shelves) for bottle in own)

    @function
    def red(self, some: Pairs) -> Pairs:
        return frozenset((n, place) for n, place in some if self.shelves[n][place].color == "red")

    @function
    def full(self, some: Pairs) -> Pairs:
        return frozenset((n, place) for n, place in some if self.shelves[n][place].is_full)

    @function
    def leftmost(self, some: Pairs) -> Pairs:
        return frozenset((n, place) for n, place in some if not any((n, before) in some for before in range(place)))

    @function
    def at_least(self, number: int, some: Pairs) -> Answers:
        return tuple(sum(n == shelf for shelf, _ in some) >= number for n in range(len(self.shelves)))


class OneAtATime(Language):
    """The same language on one shelf."""

    per_context = True
    root = bool
    numbers = constants(int, {"1": 1, "2": 2})

    def __init__(self, own: Shelf) -> None:
        self.shelf = own

    @function
    def bottles(self) -> set[int]:
        return set(range(len(self.shelf)))

    @function
    def red(self, some: set[int]) -> set[int]:
        return {place for place in some if self.shelf[place].color == "red"}

    @function
    def full(self, some: set[int]) -> set[int]:
        return {place for place in some if self.shelf[place].is_full}

    @function
    def leftmost(self, some: set[int]) -> set[int]:
        return {min(some)} if some else set()

    @function
    def at_least(self, number: int, some: set[int]) -> bool:
        return len(some) >= number


def test_search_finds_what_it_finds_in_a_language_on_all_contexts_at_once() -> None:
    contexts = shelves(40)
    assert list(map(str, OneAtATime.grammar.productions)) == list(map(str, AllAtOnce.grammar.productions))
    found = found_by_search(lifted(OneAtATime, contexts), 12)
    assert found == found_by_search(AllAtOnce(contexts), 12)
    assert len(found) == 14
