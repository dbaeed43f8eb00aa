from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from chorale.search.budget import Budget

LIMITS = st.lists(st.integers(1, 9), min_size=1, max_size=40)


def usage_of(budget: Budget, names: list[str]) -> int:
    return sum(budget.of(name) for name in names)


def allows(budget: Budget, usage: int) -> bool:
    return bool(budget.allows(np.array([usage], dtype=np.int64))[0])


def room(limits: list[int], fitted: bool) -> list[int]:
    """How often each class can be counted that finds room in 63 bits."""
    if not fitted:
        return [min(limit, 3) for limit in limits[:21]]
    found, bits = list[int](), 63
    for limit in limits:
        bits -= 2 if limit == 1 else 3 if limit <= 3 else 4
        if bits < 0:
            break
        found.append(min(limit, 7))
    return found


@st.composite
def spent_twice(draw: st.DrawFn) -> tuple[Budget, list[int], list[tuple[int, ...]], list[int]]:
    """A budget, how often each of its classes can be used, and two usages within it: counted, and as integers."""
    limits, fitted = draw(LIMITS), draw(st.booleans())
    names = [f"f{number}" for number in range(len(limits))]
    budget = Budget({name: number for number, name in enumerate(names)}, limits, fitted=fitted)
    most = room(limits, fitted)
    counts = [draw(st.tuples(*[st.integers(0, m) for m in most])) for _ in range(2)]
    usages = [usage_of(budget, [names[i] for i, times in enumerate(one) for _ in range(times)]) for one in counts]
    assert all(budget.of(name) == 0 for name in names[len(most) :])  # there is no room: not limited
    return budget, most, counts, usages


@given(spent_twice())
def test_a_budget_allows_what_the_limits_say_as_far_as_there_is_room(drawn: Any) -> None:
    budget, most, (one, two), usages = drawn
    assert allows(budget, sum(usages)) == all(a + b <= m for a, b, m in zip(one, two, most, strict=True))


@given(spent_twice())
def test_a_usage_repeats_another_if_it_uses_all_that_the_other_does(drawn: Any) -> None:
    budget, _, (one, two), usages = drawn
    expected = any(two) and all(a > 0 for a, b in zip(one, two, strict=True) if b > 0)
    assert budget.repeats(np.array([usages[0]], dtype=np.int64), usages[1]).tolist() == [expected]


def test_terminals_without_a_class_are_not_limited() -> None:
    budget = Budget({"yellow": 0}, [1])
    assert budget.of("circle") == 0
    assert allows(budget, budget.of("yellow") + 100 * budget.of("circle"))
    assert not allows(budget, 2 * budget.of("yellow"))


def test_answers_counts_the_uses_that_words_need() -> None:
    budget = Budget({"yellow": 0, "touch_wall": 1, "glue": 2}, [2, 2, 1], {0: 2, 1: 1})
    usages = [
        ["yellow"],
        ["yellow", "yellow"],
        ["touch_wall", "touch_wall"],
        ["glue"],
        ["yellow", "touch_wall", "glue"],
    ]
    counted = budget.answers(np.array([usage_of(budget, names) for names in usages], dtype=np.int64))
    assert counted.tolist() == [1, 2, 1, 0, 2]


@given(st.lists(st.lists(st.integers(0, 1), min_size=3, max_size=3), max_size=6))
def test_there_is_room_for_a_sum_if_no_class_is_used_too_often(several: list[list[int]]) -> None:
    names, limits = ["a", "b", "c"], [1, 2, 3]
    budget = Budget({name: number for number, name in enumerate(names)}, limits)
    usages = [usage_of(budget, [name for name, times in zip(names, some, strict=True) if times]) for some in several]
    expected = all(sum(some[number] for some in several) <= limit for number, limit in enumerate(limits))
    assert budget.has_room(usages) == expected


@given(st.lists(st.integers(0, 12), min_size=5, max_size=5, unique=True), st.sets(st.integers(0, 4)))
def test_gaps_are_phrases_in_between_that_others_answer(places: list[int], used: set[int]) -> None:
    names = [f"f{number}" for number in range(6)]  # the last one stands nowhere
    classes = {name: number for number, name in enumerate(names)}
    budget = Budget(classes, [2] * 6, places=dict(enumerate(places)))
    usage = usage_of(budget, [names[number] for number in used] + ["f5"])
    answered = [places[number] for number in used]
    between = [place for place in places if answered and min(answered) < place < max(answered)]
    assert budget.gaps(np.array([usage], dtype=np.int64)).tolist() == [len(set(between) - set(answered))]


@given(st.lists(st.integers(0, 12), min_size=4, max_size=4, unique=True), st.sets(st.integers(0, 3)), st.integers(0, 3))
def test_a_function_is_turned_if_what_it_is_called_with_stands_before_it(
    places: list[int], inner: set[int], outer: int
) -> None:
    names = [f"f{number}" for number in range(4)]
    budget = Budget({name: number for number, name in enumerate(names)}, [2] * 4, places=dict(enumerate(places)))
    below = usage_of(budget, [names[number] for number in inner])
    expected = bool(inner) and min(places[number] for number in inner) < places[outer]
    turned = budget.turned(budget.of(names[outer]), np.array([below], dtype=np.int64))
    assert turned.tolist() == [expected]
