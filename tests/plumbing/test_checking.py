"""Checking: everything that is wrong is said at once, in words, whatever was read."""

from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from chorale.errors import ChoraleError
from chorale.plumbing.checking import Checked, Count, Share, checked


class Inner(Checked):
    file: str
    """A file."""


class Outer(Checked):
    beam: Count = 3
    """How wide."""
    rate: Share = 0.5
    """How often."""
    how: Literal["fast", "slow"] = "fast"
    """How."""
    inner: Inner | None = None
    """A part."""
    names: list[str] = Field(default_factory=list)
    """Some names."""


def refused(value: Any) -> str:
    with pytest.raises(ChoraleError) as caught:
        checked(Outer, value, Path("f.json"))
    return str(caught.value)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"beam": 0}, "beam: must be at least 1, found 0"),
        ({"beam": True}, "beam: expected a whole number, found true or false True"),
        ({"beam": "x"}, "beam: expected a whole number, found text 'x'"),
        ({"beam": 1.0}, "beam: expected a whole number, found a number 1.0"),
        ({"rate": 2}, "rate: must be at most 1, found 2"),
        ({"rate": float("nan")}, "rate: expected a number, found nan"),
        ({"how": "fats"}, "how: expected one of 'fast', 'slow', found 'fats'"),
        ({"baem": 1}, "baem: there is no such key; did you mean 'beam'?"),
        ({"inner": {"fil": "a"}}, "inner.fil: there is no such key; did you mean 'file'?"),
        ({"inner": 3}, "inner: expected a table, found a whole number 3"),
        ({"names": ["a", 1]}, "names.2: expected text, found a whole number 1"),
        ({"names": None}, "names: expected a list, found nothing"),
        ([], "expected a table, found a list []"),
        ({"beam": 10**400}, "beam: must be at most 1e+09, found 1000"),
    ],
)
def test_what_is_wrong_is_named(value: Any, message: str) -> None:
    assert message in refused(value)


def test_all_problems_are_said_at_once_and_long_values_are_cut() -> None:
    said = refused({"beam": 0, "rate": "a" * 10_000, "x": 1})
    assert said.count(";") >= 2
    assert len(said) < 500


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["beam", "rate", "inner", "file", "x"]), inner),
)


@given(plain)
def test_nothing_that_is_read_ends_in_another_error(value: Any) -> None:
    with suppress(ChoraleError):
        checked(Outer, value, Path("f.json"))
