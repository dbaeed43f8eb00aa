"""Curves of what grows."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from benchmarks.growth import growth
from hypothesis import given
from hypothesis import strategies as st

SVG = "{http://www.w3.org/2000/svg}"


def dots(picture: str, color: str) -> list[tuple[float, float]]:
    """Where the values of a curve stand; the first dot of a colour is that of the legend."""
    root = ElementTree.fromstring(picture)
    found = [it for it in root.iter(f"{SVG}circle") if it.get("class") == f"dot {color}"]
    return [(float(it.get("cx", "")), float(it.get("cy", ""))) for it in found][1:]


def test_what_grows_in_proportion_is_a_straight_line() -> None:
    places = dots(growth("time", "utterances", {"check": [(10**n, 3 * 10**n) for n in range(5)]}), "c0")
    steps = [(two[0] - one[0], two[1] - one[1]) for one, two in pairwise(places)]
    assert all(step == pytest.approx(steps[0], abs=0.01) for step in steps)
    assert steps[0][0] > 0 > steps[0][1]  # to the right, and upwards


def test_what_does_not_grow_stays_where_it_is_and_curves_share_their_axes() -> None:
    picture = growth("memory", "utterances", {"one": [(1, 50), (1000, 50)], "two": [(1, 50), (100, 400)]})
    [[_, low], [_, same]], [[left, _], _] = dots(picture, "c0"), dots(picture, "c1")
    assert low == same
    assert left == dots(picture, "c0")[0][0]


@given(st.lists(st.tuples(st.floats(0.001, 1e9), st.floats(0.001, 1e9)), min_size=1, max_size=6))
def test_all_values_lie_inside_the_picture(points: list[tuple[float, float]]) -> None:
    picture = growth("a < b", "c & d", {"e": points})
    width, height = map(float, re.search(r'viewBox="0 0 (\S+) (\S+)"', picture).groups())  # type: ignore[union-attr]
    for x, y in dots(picture, "c0"):
        assert 0 <= x <= width
        assert 0 <= y <= height
