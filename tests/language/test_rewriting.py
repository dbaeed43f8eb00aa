"""Rewriting by laws, in a language made for it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

import pytest
from hypothesis import given
from tests.strategies import programs

from chorale.errors import ChoraleError
from chorale.language import Language, Laws, Program, function, rewritten, run
from chorale.language.rewriting import Rewriting, term_of, tree_of
from chorale.nlvr import Extended

Map = Callable[[int], int]


class Sums(Language):
    """Whole numbers modulo a thousand."""

    root = int
    laws = Laws(
        """
        add(zero, ?x) = ?x  # by itself on one side: used in one direction only
        add(?x, ?y) = add(?y, ?x)
        add(?x, ?x) = double(?x)
        {linear}(zero) = zero
        twice(?f)(?x) = ?f(?f(?x))
        twice(?f:idle)(?x) = ?f(?x)
        double(double(?x)) = fourfold(?x)
        """,
        variables={"x": int, "y": int, "f": Map},
        groups={"linear": "double fourfold", "idle": "same"},
    )

    @function
    def zero(self) -> int:
        return 0

    @function
    def one(self) -> int:
        return 1

    @function
    def add(self, left: int, right: int) -> int:
        return (left + right) % 1000

    @function
    def double(self, number: int) -> int:
        return 2 * number % 1000

    @function
    def fourfold(self, number: int) -> int:
        return 4 * number % 1000

    @function
    def same(self, number: int) -> int:
        return number

    @function
    def twice(self, again: Map) -> Map:
        return lambda number: again(again(number))


class Lawless(Sums):
    laws = Laws()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("add(zero, one)", "one"),
        ("add(one, zero)", "one"),  # as if the law stood there for both orders
        ("add(add(one, zero), one)", "double(one)"),
        ("double(double(zero))", "zero"),
        ("add(one, add(one, one))", "add(one, double(one))"),
        ("twice(double)(one)", "fourfold(one)"),
        ("twice(add(zero))(one)", "one"),
        ("twice(twice(add(zero)))(one)", "one"),
        ("twice(same)(one)", "same(one)"),
        ("twice(same.double)(one)", "twice(same.double)(one)"),
        ("twice(add(one))(one)", "twice(add(one))(one)"),
    ],
)
def test_a_program_becomes_the_smallest_that_laws_lead_to(before: str, after: str) -> None:
    assert rewritten(Sums.parse(before), Sums) == Sums.parse(after)


@given(programs(Sums.grammar))
def test_meaning_stays_and_a_second_time_nothing_changes(program: Program) -> None:
    after = rewritten(program, Sums)
    assert run(after, Sums()) == run(program, Sums())
    assert after.size <= program.size
    assert rewritten(after, Sums) is after


@given(programs(Sums.grammar))
def test_without_laws_a_program_is_left_as_it_is(program: Program) -> None:
    assert rewritten(program, Lawless) is program


@given(programs(Sums.grammar))
def test_terms_and_trees_are_the_same_thing(program: Program) -> None:
    assert term_of(tree_of(program.term), Sums.grammar.signature) == program.term


def test_an_identity_cannot_be_written_so_that_step_is_not_taken() -> None:
    program = Sums.parse("twice(twice(add(zero)))")  # a function; by the first law it would be none at all
    assert rewritten(program, Sums).type == program.type


def test_laws_add_up() -> None:
    both = Laws("a = b", groups={"g": "a"}, order="a", brings="x") + Laws("b = c", groups={"g": "b"}, order="b")
    assert list(both.lines()) == ["a = b", "b = c"]
    assert (both.groups, both.order.split(), both.brings.split()) == ({"g": "b"}, ["b", "a"], ["x"])
    assert not Laws("# nothing")


def test_a_law_that_cannot_be_read_is_told() -> None:
    class Wrong(Sums):
        laws = Laws("add(?x, none) = ?x", variables={"x": int})

    with pytest.raises(ChoraleError, match="unknown name `none`"):
        rewritten(Wrong.parse("one"), Wrong)


@given(programs(Sums.grammar))
def test_what_is_remembered_is_what_would_be_found_again(program: Program) -> None:
    found = rewritten(program, Sums)
    assert found == Rewriting(Sums).rewritten(program)
    assert rewritten(program, Sums) is found
    assert rewritten(found, Sums) is found


class AllRead(Rewriting):
    """The slow twin: has read all laws before the first program comes."""

    def __init__(self, language: type[Language]) -> None:
        super().__init__(language)
        self._unread.clear()
        for left, right in chain.from_iterable(map(language.laws.filled, language.laws.lines())):
            for rule in self.rules(left, right):
                last = rule.left.parts[-1].name if rule.left.parts else ""
                self._rules.setdefault((rule.left.name, "" if last in self._variables else last), []).append(rule)


EXTENDED = AllRead(Extended)


@given(programs(Extended.grammar, max_actions=20))
def test_laws_that_are_read_when_they_are_needed_do_what_all_laws_do(program: Program) -> None:
    assert Rewriting(Extended).rewritten(program) == EXTENDED.rewritten(program)


def test_a_law_may_begin_with_a_bracket_or_a_quoted_name_and_be_about_functions() -> None:
    class Odd(Sums):
        laws = Laws('(add zero ?x) = ?x\n"double"("double"(?x)) = fourfold(?x)\nsame.same = same', variables={"x": int})

    assert rewritten(Odd.parse("double(double(add(zero, one)))"), Odd) == Odd.parse("fourfold(one)")
    assert rewritten(Odd.parse("twice(same.same)(one)"), Odd) == Odd.parse("twice(same)(one)")


def test_a_program_of_another_grammar_keeps_it() -> None:
    grammar = Sums.grammar.with_terminals({})
    text = "add(zero, one)"
    assert rewritten(Sums.parse(text), Sums).grammar is Sums.grammar
    assert rewritten(Program.parse(text, grammar), Sums).grammar is grammar
