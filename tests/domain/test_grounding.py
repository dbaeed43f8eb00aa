"""Groundings: what is said comes back as it was said, and the domain decides what is right."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.people import PeopleDomain, Table

from chorale.domain import Answers, Domain, OwnGrounding, SharedGrounding, Unlabelled, needed
from chorale.domain.grounding import Ungrounded
from chorale.errors import ChoraleError
from chorale.language import Language, Program, function, run

Anything = Annotated[Any, "Anything"]


class Saying(Language):
    """A language of one program, which says what its contexts are."""

    root = Anything

    def __init__(self, contexts: Sequence[Any]) -> None:
        self.contexts = contexts

    @function
    def itself(self) -> Anything:
        return self.contexts


@dataclass(frozen=True)
class Said:
    contexts: tuple[Any, ...]
    answers: tuple[Any, ...]
    identifier: str = "0"
    sentence: str = "itself"


class Echo(Domain):
    name = "echo"
    languages: ClassVar = {"saying": Saying}


class Nearly(Answers):
    def agrees(self, said: Any, wanted: Any) -> bool:
        return round(said) == round(wanted)


class Rounded(Echo):
    answers = Nearly()


PROGRAM = Saying.parse("itself")
answers = st.one_of(st.integers(), st.booleans(), st.text(), st.tuples(st.integers(), st.text()))


@given(st.lists(st.lists(answers, min_size=1, max_size=5).map(tuple), min_size=1, max_size=5))
def test_answers_of_any_hashable_type_come_back_as_they_were_said(said: list[tuple[Any, ...]]) -> None:
    grounding = Echo().ground("saying", [Said(some, some) for some in said])
    for index, some in enumerate(said):
        found = grounding.answers(PROGRAM, index)
        assert found == some
        assert list(map(type, found)) == list(map(type, some))


@given(st.lists(st.lists(st.booleans(), min_size=1, max_size=9), min_size=1, max_size=5))
def test_truth_values_are_packed_and_unpacked(said: list[list[bool]]) -> None:
    class Packed(Saying):
        @function
        def itself(self) -> Anything:
            return np.array(self.contexts, dtype=bool)

    grounding = SharedGrounding(Packed([it for some in said for it in some]), [Said(tuple(it), ()) for it in said])
    for index, some in enumerate(said):
        assert grounding.answers(Packed.parse("itself"), index) == tuple(some)


def test_numbers_in_arrays_stay_numbers() -> None:
    class Counting(Saying):
        @function
        def itself(self) -> Anything:
            return np.array(self.contexts)

    grounding = SharedGrounding(Counting([3, 0, 7]), [Said((3, 0, 7), ())])
    assert grounding.answers(Counting.parse("itself"), 0) == (3, 0, 7)


def test_what_is_right_is_asked_of_the_domain() -> None:
    said = [Said((1.2, 2.0, 3.9), (1, 2, 3))]
    assert Echo().ground("saying", said).right(PROGRAM, 0) == (False, True, False)
    assert Rounded().ground("saying", said).right(PROGRAM, 0) == (True, True, False)


# -- utterances with constants of their own ----------------------------------------------------------------------------

PEOPLE = PeopleDomain()
TABLES = PEOPLE.variants(None, 6, 1)


def plainly(table: Table, column: str, cell: str) -> int:
    """The slow twin of a count."""
    return sum(row[column] == cell for row in table)


@given(st.lists(st.lists(st.sampled_from(TABLES), min_size=1, max_size=3).map(tuple), min_size=1, max_size=4))
def test_programs_with_constants_say_what_a_plain_loop_says(said: list[tuple[Table, ...]]) -> None:
    utterances = [Said(tables, tuple(len(table) for table in tables)) for tables in said]
    grounding = PEOPLE.ground("asking", utterances)
    for index, tables in enumerate(said):
        grammar = grounding.grammar(index)
        for cell in {row["pet"] for table in tables for row in table}:
            program = Program.parse(f"count(who(pet, {cell}, everybody))", grammar)
            counts = tuple(plainly(table, "pet", cell) for table in tables)
            assert grounding.answers(program, index) == counts
            assert grounding.right(program, index) == tuple(
                count == len(table) for count, table in zip(counts, tables, strict=True)
            )
            language = grounding.language([index, index])
            assert run(program, language) == counts * 2
    assert grounding.right(Program.parse("count(everybody)", grounding.grammar(0)), 0) == (True,) * len(said[0])


def test_a_program_with_a_constant_of_another_table_is_told() -> None:
    first, second = ((({"name": name},),) for name in ("anna", "bert"))
    grounding = PEOPLE.ground("asking", [Unlabelled("?", first), Unlabelled("?", second)])
    program = Program.parse("count(who(name, anna, everybody))", grounding.grammar(0))
    with pytest.raises(ChoraleError, match="'anna', a constant of another context"):
        grounding.answers(program, 1)


def test_an_utterance_is_bound_once_and_only_when_it_is_asked_about() -> None:
    bound = []

    def bind(utterance: Any, contexts: Sequence[Any]) -> Language:
        bound.append(utterance.identifier)
        return PEOPLE.bind("asking", utterance, contexts)

    grounding = OwnGrounding(bind, [Said((TABLES[number],), (0,), str(number)) for number in range(3)])
    assert bound == []
    program = Program.parse("count(everybody)", grounding.grammar(1))
    assert grounding.answers(program, 1) == grounding.answers(program, 1) == (5,)
    assert grounding.language([1]) is grounding.language([1])
    assert bound == ["1"]


def test_sentences_about_nothing_have_a_grammar_and_no_answers() -> None:
    grounding = Ungrounded(Saying, [Said((), ())])
    assert grounding.grammar(0) is Saying.grammar
    assert grounding.answers(Program.parse("itself", Saying.grammar), 0) == ()
    with pytest.raises(ChoraleError, match="no program can be run"):
        grounding.language([0])


def test_a_capability_that_is_missing_is_named_with_who_needs_it() -> None:
    with pytest.raises(ChoraleError, match="the domain echo has no lexicon, which search by meaning needs"):
        needed(Echo().lexicon("saying"), Echo(), "lexicon", "search by meaning")
