"""Groundings: what is said comes back as it was said, and the domain decides what is right."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.domain import Domain, SharedGrounding, Utterance, needed
from chorale.domain.grounding import Ungrounded
from chorale.errors import ChoraleError
from chorale.language import Language, Program, function

Answers = Annotated[Any, "Answers"]


class Saying(Language):
    """A language of one program, which says what its contexts are."""

    root = Answers

    def __init__(self, contexts: Sequence[Any]) -> None:
        self.contexts = contexts

    @function
    def itself(self) -> Answers:
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

    def read(self, path: Path, *, labels_required: bool = True) -> Sequence[Utterance]:
        return []

    def bind(self, language: str, contexts: Sequence[Any]) -> Saying:
        return Saying(contexts)


class Rounded(Echo):
    def agrees(self, said: Any, wanted: Any) -> bool:
        return round(said) == round(wanted)


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
        def itself(self) -> Answers:
            return np.array(self.contexts, dtype=bool)

    grounding = SharedGrounding(Packed([it for some in said for it in some]), [Said(tuple(it), ()) for it in said])
    for index, some in enumerate(said):
        assert grounding.answers(Packed.parse("itself"), index) == tuple(some)


def test_numbers_in_arrays_stay_numbers() -> None:
    class Counting(Saying):
        @function
        def itself(self) -> Answers:
            return np.array(self.contexts)

    grounding = SharedGrounding(Counting([3, 0, 7]), [Said((3, 0, 7), ())])
    assert grounding.answers(Counting.parse("itself"), 0) == (3, 0, 7)


def test_what_is_right_is_asked_of_the_domain() -> None:
    said = [Said((1.2, 2.0, 3.9), (1, 2, 3))]
    assert Echo().ground("saying", said).right(PROGRAM, 0) == (False, True, False)
    assert Rounded().ground("saying", said).right(PROGRAM, 0) == (True, True, False)


def test_sentences_about_nothing_have_a_grammar_and_no_answers() -> None:
    grounding = Ungrounded(Saying, [Said((), ())])
    assert grounding.grammar(0) is Saying.grammar
    assert grounding.answers(Program.parse("itself", Saying.grammar), 0) == ()
    with pytest.raises(ChoraleError, match="no program can be run"):
        grounding.language([0])


def test_a_capability_that_is_missing_is_named_with_who_needs_it() -> None:
    with pytest.raises(ChoraleError, match="the domain echo has no lexicon, which search by meaning needs"):
        needed(Echo().lexicon("saying"), Echo(), "lexicon", "search by meaning")
