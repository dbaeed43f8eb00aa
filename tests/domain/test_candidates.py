"""Candidates as arrays: the slow twin makes the features of each part as texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from chorale.domain import Answer, Reading
from chorale.domain.candidates import Candidates, Flags, Proposing, features_of
from chorale.domain.templates import Template, Templates, key_of


class Call(NamedTuple):
    name: str
    column: str
    words: list[str]


class Link(NamedTuple):
    kind: str
    is_long: str


TEMPLATES: Templates = {
    Call: [
        Template("call", "name column", ("count", "city")),
        Template("call-word", "name words", ("count", "many"), each="words"),
    ],
    Link: [
        Template("link", "kind", ("is",)),
        Template("link-long", "kind is_long", ("is", "long"), when="is_long"),
    ],
}
TEXT = st.text("abc", max_size=2)
PARTS = st.lists(
    st.builds(Call, TEXT, TEXT, st.lists(TEXT, max_size=3)) | st.builds(Link, TEXT, st.sampled_from(["", "long"])),
    max_size=6,
)


class Proposals(Proposing):
    templates = TEMPLATES

    def propose(self, utterance: Any, copies: int, most: int) -> Candidates | None:
        return None


class Made(Candidates):
    """Programs of these parts, each of two."""

    def __init__(self, parts: Sequence[Any]) -> None:
        self.parts = [None, *parts]
        self.programs = np.array([[number, 0] for number in range(len(self.parts))], np.int32)

    def priors(self) -> NDArray[np.float64]:
        return -np.arange(len(self.parts), dtype=np.float64)

    def answers(self) -> NDArray[np.intp]:
        return np.arange(len(self.parts)) // 2

    def right(self, wanted: Answer) -> Flags:
        return np.zeros(len(self.parts), bool)

    def words(self) -> Sequence[str]:
        return ["how", "many"]

    def reading(self, row: int) -> Reading:
        raise NotImplementedError


@pytest.mark.parametrize("names", [None, ["call", "link-long"], ["call-word"], ["link"], []], ids=str)
@given(parts=PARTS)
def test_as_arrays_parts_have_the_keys_of_their_features(names: list[str] | None, parts: list[Any]) -> None:
    proposals, made = Proposals(), Made(parts)
    posed, chosen = made.posed(proposals.keyed(names)), proposals.chosen(names)
    names_of = [template.name for table in chosen.values() for template in table]
    found = zip(posed.part.tolist(), (names_of[it] for it in posed.template), posed.keys.tolist(), strict=True)
    assert sorted(found) == sorted(
        (number, feature[0], key_of(feature))
        for number, part in enumerate(made.parts)
        for feature in features_of(part, chosen)
    )


@given(parts=PARTS)
def test_a_part_is_known_by_its_first_feature(parts: list[Any]) -> None:
    posed = Made(parts).posed(Proposals().keyed())
    assert posed.parts == len(parts) + 1
    assert posed.labels.tolist() == [0, *(key_of(TEMPLATES[type(part)][0].extract(part)[0]) for part in parts)]


def test_the_rest_is_told_as_it_is_in_fewer_bits() -> None:
    posed = Made([Link("is", "")]).posed(Proposals().keyed())
    assert len(posed) == 2
    assert (posed.programs.dtype, posed.programs.tolist()) == (np.uint16, [[0, 0], [1, 0]])
    assert (posed.priors.dtype, posed.priors.tolist()) == (np.float32, [0.0, -1.0])
    assert (posed.answers.dtype, posed.answers.tolist()) == (np.uint16, [0, 0])
    assert posed.words.tolist() == [key_of(("how",)), key_of(("many",))]


def test_a_part_whose_kind_has_no_template_has_no_label() -> None:
    posed = Made([Link("is", ""), Call("count", "city", [])]).posed(Proposals().keyed(["link"]))
    assert posed.labels.tolist() == [0, key_of(("link", "is")), 0]


def test_templates_are_chosen_by_name() -> None:
    proposals = Proposals()
    assert proposals.names == ["call", "call-word", "link", "link-long"]
    assert [it.name for table in proposals.chosen(["link", "call"]).values() for it in table] == ["call", "link"]
    assert list(proposals.keyed(["link"])) == [Link]
    assert features_of("something else", proposals.chosen()) == []
