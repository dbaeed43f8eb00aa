"""The meanings found equal brute force, and a language of plain Python values goes through as well."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Annotated, Any, Self

import numpy as np
import pytest
from tests.enumerated import enumerated

from chorale.errors import ChoraleError
from chorale.language import Language, Program, Type, constants, function, run
from chorale.language.derivation import folded
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.random_scenes import random_scene
from chorale.search.budget import Budget
from chorale.search.enumeration import Enumeration

SCENES = 24
LANGUAGES = sorted(Nlvr.languages)


def bound(language: str) -> Language:
    rng = Random(5)
    return Nlvr().bind(language, None, [random_scene(rng) for _ in range(SCENES)])


def key(value: Any) -> Any:
    return value.tobytes() if isinstance(value, np.ndarray) else tuple(value)


def brute_force(language: Language, max_actions: int) -> dict[Any, int]:
    """Every meaning with its least number of actions."""
    grammar = language.grammar
    least: dict[Any, int] = {}
    for actions in enumerated(grammar, max_actions):
        meaning = key(run(Program(folded(actions, grammar), grammar), language))
        least[meaning] = min(len(actions), least.get(meaning, max_actions))
    return least


def by_meaning(enumeration: Enumeration) -> dict[Any, int]:
    """Every meaning found; that of the program itself, which also checks the value that search computed."""
    least: dict[Any, int] = {}
    for cost, level in enumeration.root_levels():
        for row in range(len(level)):
            program = enumeration.program(cost, row)
            assert len(program.action_ids) == cost
            productions = [enumeration.grammar.productions[number] for number in program.action_ids]
            assert enumeration.terminals((0, cost, row)) == tuple(sorted(one.name for one in productions if one.name))
            meaning = key(run(program, enumeration.language))
            assert key(level.values[0][row]) == meaning, program
            least.setdefault(meaning, cost)
    return least


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_meanings_found_are_those_of_all_short_programs(name: str) -> None:
    language, actions = bound(name), 6 if name == "extended" else 7  # of the extended language there are too many
    assert by_meaning(Enumeration(language, actions)) == brute_force(language, actions)


@pytest.mark.slow
@pytest.mark.parametrize("name", LANGUAGES)
def test_the_meanings_found_are_those_of_all_programs_up_to_9_actions(name: str) -> None:
    language = bound(name)
    assert by_meaning(Enumeration(language, 9, thorough=True)) == brute_force(language, 9)


def test_only_allowed_terminals_are_used_and_none_more_often_than_the_budget_says() -> None:
    allowed = {"object_exists", "all_objects", "yellow", "above", "object_count_equals", "2"}
    budget = Budget({"yellow": 0, "above": 1}, [2, 1])
    found = Enumeration(bound("consistent"), 11, allowed=allowed, budget=budget)
    uses = [found.terminals((0, cost, row)) for cost, level in found.root_levels() for row in range(len(level))]
    assert any(names.count("yellow") == 2 for names in uses)
    assert all(set(names) <= allowed and names.count("yellow") <= 2 and names.count("above") <= 1 for names in uses)


def test_a_bounded_level_keeps_the_entries_that_answer_most_words_every_time_the_same() -> None:
    classes = {"yellow": 0, "square": 1, "small": 2, "big": 3, "top": 4}
    names = [*classes, "object_exists", "all_objects", "negate_filter"]

    def found(most: int | None) -> list[str]:
        budget = Budget(classes, [1] * len(classes), {0: 1, 1: 1})
        enumeration = Enumeration(bound("consistent"), 11, allowed=names, budget=budget, most=most)
        inner = [len(level) for levels in enumeration._levels.of[1:] for level in levels.values()]
        assert most is None or max(inner) == most
        levels = enumeration.root_levels()
        return [enumeration.program(cost, row).text for cost, level in levels for row in range(len(level))]

    few = found(4)
    assert few == found(4)
    assert len(few) < len(found(None))
    assert any("yellow" in text and "square" in text for text in few)


def test_whole_programs_have_a_bound_of_their_own() -> None:
    classes = {"yellow": 0, "square": 1, "small": 2, "big": 3, "top": 4}
    names = [*classes, "object_exists", "all_objects", "negate_filter"]

    def levels(**bounds: int) -> tuple[list[int], list[int]]:
        budget = Budget(classes, [1] * len(classes), {0: 1, 1: 1})
        found = Enumeration(bound("consistent"), 11, allowed=names, budget=budget, **bounds)  # type: ignore[arg-type]
        whole, *inner = found._levels.of
        return [len(level) for level in whole.values()], [len(level) for some in inner for level in some.values()]

    free, bounded = levels(), levels(most_whole=4)
    assert bounded[0] == [min(count, 4) for count in free[0]]
    assert max(free[0]) > 4
    assert bounded[1] == free[1]


# -- a language of plain values ------------------------------------------------------------------------------------

Numbers = Annotated[tuple, "Numbers"]
Keep = Callable[[Numbers], Numbers]
Answer = Annotated[list, "bool"]


class Lists(Language):
    """Questions about lists of numbers; a context is a list, and a value holds one part per context."""

    root = Answer
    count = constants(int, {"1": 1, "2": 2})

    def __init__(self, contexts: Sequence[tuple[int, ...]]) -> None:
        self.contexts = tuple(contexts)

    def at(self, contexts: Sequence[int]) -> Self:
        return type(self)([self.contexts[place] for place in contexts])

    def probes(self, kind: Type) -> Sequence[Any]:
        return (self.contexts,) if str(kind) == "Numbers" else ()

    @function
    def everything(self) -> Numbers:
        return self.contexts

    @function
    def even(self, numbers: Numbers) -> Numbers:
        return tuple(tuple(n for n in part if n % 2 == 0) for part in numbers)

    @function
    def large(self, numbers: Numbers) -> Numbers:
        return tuple(tuple(n for n in part if n > 5) for part in numbers)

    @function
    def drop(self, keep: Keep) -> Keep:
        def others(numbers: Numbers) -> Numbers:
            kept = keep(numbers)
            return tuple(tuple(n for n in a if n not in b) for a, b in zip(numbers, kept, strict=True))

        return others

    @function
    def at_least(self, count: int, numbers: Numbers) -> Answer:
        return tuple(len(part) >= count for part in numbers)  # type: ignore[return-value]


def test_a_language_of_plain_python_values_is_enumerated_by_meaning_too() -> None:
    rng = Random(3)
    language = Lists([tuple(rng.randint(0, 9) for _ in range(rng.randint(0, 4))) for _ in range(20)])
    assert by_meaning(Enumeration(language, 8)) == brute_force(language, 8)


class Arrays(Lists):
    """The same language, but its values cannot be keys."""

    @function
    def even(self, numbers: Numbers) -> Numbers:
        return np.array([len(part) for part in numbers])  # type: ignore[return-value]


def test_values_that_cannot_be_compared_are_an_error_that_says_what_to_do() -> None:
    with pytest.raises(ChoraleError, match=r"values of Arrays cannot be compared.*stacks = True"):
        Enumeration(Arrays([(1, 2), (6, 8)]), 7)
