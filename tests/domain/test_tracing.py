"""The value of each part of a program, in a domain that says nothing of traces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

import numpy as np
from tests.people import Asking, PeopleDomain

from chorale.domain import Domain, Unlabelled
from chorale.domain.tracing import LONGEST, ValueStep
from chorale.language import Language, function
from chorale.language.wording import Wording

TABLE = ({"name": "anna", "pet": "cat"}, {"name": "bert", "pet": "dog"}, {"name": "carla", "pet": "cat"})


def traced(domain: Domain, language: str, program: str, context: Any) -> list[Any]:
    bound = domain.bind(language, Unlabelled("?", (context,)), [context])
    return list(domain.tracing.trace(bound.parse(program), bound, context))


def test_parts_come_innermost_first_each_once_with_their_values() -> None:
    steps = traced(PeopleDomain(), "asking", "look_up(name, who(pet, cat, everybody))", TABLE)
    assert [(step.text, step.result) for step in steps] == [
        ("everybody", "0|1|2"),
        ("cat", "cat"),
        ("pet", "pet"),
        ("who(pet, cat, everybody)", "0|2"),
        ("name", "name"),
        ("look_up(name, who(pet, cat, everybody))", "anna|carla"),
    ]
    twice = traced(PeopleDomain(), "asking", "count(who(pet, cat, who(pet, cat, everybody)))", TABLE)
    assert [step.text for step in twice].count("cat") == 1
    assert steps[-1].to_json() == {"text": steps[-1].text, "plain": "", "value": "anna|carla"}


class Worded(Asking):
    wording = Wording(
        {
            "everybody": "all people",
            "who": lambda column, cell, people: f"{people} whose {column} is {cell}",
            "count": lambda people: f"How many {people} are there?",
        }
    )


class WordedPeople(PeopleDomain):
    languages: ClassVar[Mapping[str, type[Language]]] = {"asking": Worded}


def test_a_language_that_is_written_for_one_context_says_its_parts_in_its_own_words() -> None:
    steps = traced(WordedPeople(), "asking", "count(who(pet, cat, everybody))", TABLE)
    assert steps[0] == ValueStep("everybody", "0|1|2", "all people")
    assert steps[-1].plain == "How many all people whose pet is cat are there?"


Truth = Annotated[Any, "Truth"]
Many = Annotated[Any, "Many"]


class Arrays(Language):
    """Numbers of all contexts at once; what is large is no short value."""

    root = Truth

    def __init__(self, contexts: Sequence[int]) -> None:
        self.contexts = np.array(contexts)

    @function
    def itself(self) -> Many:
        return self.contexts

    @function
    def spelled(self) -> Many:
        return tuple("x" * int(one) for one in self.contexts)

    @function
    def large(self, many: Many) -> Truth:
        return np.array([int(one if isinstance(one, np.integer) else len(one)) > 9 for one in many])


class Numbers(Domain):
    name = "numbers"
    languages: ClassVar[Mapping[str, type[Language]]] = {"arrays": Arrays}


def test_values_of_a_language_over_all_contexts_are_those_of_the_one_and_long_ones_are_cut() -> None:
    assert [step.result for step in traced(Numbers(), "arrays", "large(itself)", 12)] == ["12", "true"]
    long, truth = traced(Numbers(), "arrays", "large(spelled)", 500)
    assert (long.result, truth.result) == ("x" * (LONGEST - 1) + "…", "true")
