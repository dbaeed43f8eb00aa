"""Alignment: functions say phrases that ask for them, equal functions different ones nearby, and no phrase twice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import programs

from chorale.domain import Hints
from chorale.language import Program
from chorale.nlvr.languages.extended import Extended
from chorale.ranker.alignment import align, nodes_of

NAMES = sorted(Extended.grammar.signature)


@st.composite
def readings(draw: st.DrawFn, program: Program) -> Hints:
    """Phrases of one word each that ask for functions of a program, and for others."""
    used = sorted({node.name for node in nodes_of(program)})
    asked = st.frozensets(st.sampled_from(used) | st.sampled_from(NAMES), max_size=3)
    wanted = draw(st.lists(asked, max_size=7))
    words = tuple(f"w{number}" for number in range(len(wanted)))
    spans = tuple((number, number + 1) for number in range(len(wanted)))
    return Hints(frozenset(NAMES), tuple(zip(words, wanted, strict=True)), frozenset(), words, spans)


@given(programs(Extended.grammar, 17))
def test_nodes_are_the_names_of_a_program_in_order_each_below_the_one_that_it_is_an_argument_of(
    program: Program,
) -> None:
    nodes = nodes_of(program)
    assert [node.name for node in nodes] == re.findall(r"\w+", program.text)
    assert nodes[0].parent == -1
    for index, node in enumerate(nodes[1:], 1):
        assert node.parent < index
        assert nodes[node.parent].children[node.argument] == index
    assert sum(len(node.children) for node in nodes) == len(nodes) - 1


def test_a_function_in_a_chain_is_the_last_argument_of_the_one_before_it() -> None:
    nodes = nodes_of(Extended.parse("some_box(object_count_equals(2)(black(top)))"))
    told = [(node.name, nodes[node.parent].name, node.argument) for node in nodes[1:]]
    assert told == [
        ("object_count_equals", "some_box", 0),
        ("2", "object_count_equals", 0),
        ("black", "object_count_equals", 1),
        ("top", "black", 0),
    ]


def test_what_is_given_to_what_a_function_returns_is_given_later() -> None:
    nodes = nodes_of(
        Extended.parse("object_exists(negate_filter(yellow)(bottom(either_filter(blue, black)(all_objects))))")
    )
    assert [node.name for node in nodes if node.is_later] == ["bottom", "all_objects"]
    nodes = nodes_of(Extended.parse("some_box(object_count_equals(2)(black(top)))"))
    assert not any(node.is_later for node in nodes)


@given(st.data())
def test_what_phrases_ask_for_says_one_of_them_and_equal_functions_say_different_ones(data: st.DataObject) -> None:
    program = data.draw(programs(Extended.grammar, 17))
    hints = data.draw(readings(program))
    nodes = nodes_of(program)
    align(nodes, hints)
    for name, uses in Counter(node.name for node in nodes).items():
        asking = {item for item, (_, wanted) in enumerate(hints.explains) if name in wanted}
        said = [node.item for node in nodes if node.name == name and node.item >= 0]
        assert set(said) <= asking
        assert len(said) == len(set(said)) == min(uses, len(asking))


@pytest.mark.parametrize("order", ["{0}, {1}", "{1}, {0}"])
def test_functions_say_the_phrases_that_are_close_to_those_of_their_neighbours(
    hints: Callable[[str], Hints], order: str
) -> None:
    read = hints("there is a box with a black block over a yellow block and a black circle")
    both = "object_exists(black(above(yellow)))", "object_exists(black(circle))"
    nodes = nodes_of(Extended.parse(f"some_box(box_filter_and({order.format(*both)}))"))
    align(nodes, read)
    for node in nodes:
        if node.name == "black":
            [below] = node.children
            distance = read.spans[nodes[below].item][0] - read.spans[node.item][0]
            assert 0 < distance <= 2, f"{node.name} of {nodes[below].name}"


def test_where_one_phrase_asks_for_two_functions_the_one_beside_its_number_says_it(
    hints: Callable[[str], Hints],
) -> None:
    read = hints("there is a box with at least three blue items and one yellow item")
    more = "object_count_greater_equals"
    nodes = nodes_of(Extended.parse(f"some_box(box_filter_and({more}(1)(yellow), {more}(3)(blue)))"))
    align(nodes, read)
    said = {nodes[node.children[0]].name: node.item for node in nodes if node.name == more}
    assert said["1"] == -1
    assert read.explains[said["3"]][0] == "at least three"


def test_many_equal_words_do_not_hold_it_up(hints: Callable[[str], Hints]) -> None:
    """Of forty equal words, six in a row can be chosen in more than two thousand million ways."""
    nodes = nodes_of(Extended.parse("object_exists(" + "black(above(" * 5 + "black(all_objects" + ")" * 12))
    align(nodes, hints("a black block above " * 40))
    said = [node.item for node in nodes if node.name == "black"]
    assert len(said) == len(set(said)) == 6
