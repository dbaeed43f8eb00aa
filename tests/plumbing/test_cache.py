"""A cache gives what was made, makes nothing twice while there is room, and never holds too much."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.plumbing.cache import Cache


@given(st.integers(1, 5), st.lists(st.integers(0, 7), max_size=40))
def test_a_cache_is_a_dict_that_starts_anew_when_it_is_full(most: int, keys: list[int]) -> None:
    cache, twin, made = Cache[int, str](most), set[int](), list[int]()

    def make(key: int) -> str:
        made.append(key)
        return str(key)

    for key in keys:
        expected = [] if key in twin else [key]
        twin = twin if key in twin else {key} if len(twin) == most else twin | {key}
        made.clear()
        assert cache.get(key, partial(make, key)) == str(key)
        assert made == expected
        assert len(cache) == len(twin)


def test_what_cannot_be_made_is_not_kept_and_none_is_a_value_like_others() -> None:
    cache = Cache[str, None](2)
    with pytest.raises(ZeroDivisionError):
        cache.get("a", lambda: 1 // 0)  # type: ignore[arg-type, return-value]
    assert len(cache) == 0
    assert cache.get("a", lambda: None) is None
    assert cache.get("a", lambda: pytest.fail("it was made already")) is None
    cache.clear()
    assert len(cache) == 0


def test_making_a_value_may_ask_the_cache_for_others() -> None:
    cache = Cache[int, int](3)

    def fibonacci(number: int) -> int:
        return cache.get(number, lambda: number if number < 2 else fibonacci(number - 1) + fibonacci(number - 2))

    assert fibonacci(30) == 832040
    assert len(cache) <= 3
