"""What goes into a function is as its annotations say, and so is what comes out, but frozen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Protocol

import numpy as np
import pytest

from chorale.language.contracts import ContractError, FunctionContract, FunctionError, contract_of, frozen


class Thing(Protocol):
    def weight(self) -> int: ...


@pytest.mark.parametrize(
    ("annotation", "given", "kept"),
    [
        (bool, True, True),
        (bool, np.True_, True),
        (int, np.int64(3), 3),
        (float, 3, 3),
        (set[int], {1, 2}, frozenset({1, 2})),
        (frozenset[int], {1}, frozenset({1})),
        (list[list[int]], [[1], []], ((1,), ())),
        (Annotated[list[int], "Numbers"], [1], (1,)),
        (Annotated[set[int] | None, "Maybe"], None, None),
        (Annotated[Any, "Anything"], "x", "x"),
        (Thing, "x", "x"),  # cannot be told
    ],
)
def test_what_comes_out_is_frozen(annotation: Any, given: Any, kept: Any) -> None:
    found = contract_of(annotation).out_of(given, "f")
    assert (found, type(found)) == (kept, type(kept))


@pytest.mark.parametrize(
    ("annotation", "given", "message"),
    [
        (bool, 1, "1 is a int, but the annotation says bool"),
        (bool, [True], r"\(True,\) is a tuple, but the annotation says bool"),
        (set[int], [1], r"\(1,\) is a tuple, but the annotation says set\[int\]"),
        (Annotated[int | None, "Maybe"], "x", r"'x' is a str, but the annotation says int \| None"),
        (Callable[[int], int], 3, "3 is a int, but the annotation says Callable"),
        (dict, {}, "is a dict, which cannot be hashed; use tuples and frozensets"),
        (tuple[list[int], ...], ([1],), "is a tuple, which cannot be hashed"),
    ],
)
def test_what_the_annotation_does_not_promise_is_refused(annotation: Any, given: Any, message: str) -> None:
    with pytest.raises(ContractError, match=message):
        contract_of(annotation).out_of(given, "f")


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (set[int], {1, 2}),
        (list[list[int]], [[1], []]),
        (list[tuple[int, int]], [(1, 2)]),
        (Annotated[set[int], "Numbers"], {1}),
        (frozenset[int], frozenset({1})),
        (tuple[int, ...], (1, 2)),
    ],
)
def test_what_goes_in_is_what_the_annotation_says(annotation: Any, value: Any) -> None:
    found = contract_of(annotation).into(frozen(value), "f")
    assert (found, type(found)) == (value, type(value))


def test_a_function_may_change_what_it_is_given() -> None:
    def last_removed(numbers: list[int]) -> list[int]:
        numbers.pop()
        return numbers

    call, numbers = FunctionContract.of([list[int]], list[int]).out_of(last_removed, "f"), (1, 2)
    assert (call(numbers), call(numbers), numbers) == ((1,), (1,), (1, 2))


def test_functions_that_are_arguments_or_results_keep_their_annotations_too() -> None:
    seen: list[Any] = []

    def twice(change: Callable[[list[int]], list[int]]) -> Callable[[list[int]], list[int]]:
        def changed(numbers: list[int]) -> list[int]:
            once = change(numbers)
            seen.extend([numbers, once])
            return change([*once, 0])

        return changed

    change = Callable[[list[int]], list[int]]
    call = FunctionContract.of([change], change).out_of(twice, "f")
    assert call(lambda numbers: tuple(reversed(numbers)))((1, 2)) == (0, 1, 2)
    assert seen == [[1, 2], [2, 1]]


def test_errors_say_whose_they_are_once() -> None:
    def broken(number: int) -> int:
        return 1 // number

    inner = FunctionContract.of([int], int).out_of(broken, "broken")
    outer = FunctionContract.of([Callable[[int], int]], int).out_of(lambda function: function(0), "outer")
    with pytest.raises(FunctionError, match=r"^broken: ZeroDivisionError: ") as caught:
        outer(inner)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    with pytest.raises(FunctionError, match=r"^outer: 'x' is a str, but the annotation says int$"):
        FunctionContract.of([Callable[[int], int]], int).out_of(lambda function: function("x"), "outer")(inner)
    with pytest.raises(FunctionError, match=r"^outer: it calls a function of 1 arguments with 2$"):
        FunctionContract.of([Callable[[int], int]], int).out_of(lambda function: function(1, 2), "outer")(inner)
