"""Meanings: programs are told apart by what they say, in contexts that are made once."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.people import PeopleDomain
from tests.strategies import programs
from tests.strategies import scenes as random_scenes

from chorale.domain import Domain, Meanings, Unlabelled, Utterance, differences_of, meanings_of
from chorale.domain.meanings import AT_A_TIME, shares_of_truth
from chorale.errors import ChoraleError
from chorale.language import Language, Program, function, run
from chorale.nlvr import Consistent
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.scenes import Scene

DOMAIN = Nlvr()
EMPTY = Scene(((), (), ()))
PROGRAMS = programs(Consistent.grammar)
SCENES = st.lists(random_scenes(), min_size=1, max_size=6)


def alone(program: Program, scene: Scene) -> bool:
    """The slow twin: what a program says of one scene, bound to it alone."""
    return bool(run(program, DOMAIN.bind("consistent", None, [scene]))[0])


def meanings_in(scenes: Sequence[Scene]) -> Meanings:
    return Meanings(scenes, lambda some: DOMAIN.bind("consistent", None, some))


# -- what programs say -------------------------------------------------------------------------------------------------


@given(PROGRAMS, PROGRAMS, SCENES)
def test_meanings_are_what_programs_say_scene_by_scene(one: Program, other: Program, scenes: list[Scene]) -> None:
    meanings = meanings_in(scenes)
    said, also = ([alone(program, scene) for scene in scenes] for program in (one, other))
    assert meanings.answers(one) == tuple(said)
    assert (meanings.key(one) == meanings.key(other)) == (said == also)
    assert meanings.is_constant(one) == meanings.is_constant(one) == (len(set(said)) == 1)
    assert meanings.true_of(one) == pytest.approx(np.mean(said))


@given(PROGRAMS, PROGRAMS, SCENES, st.integers(0, 6))
def test_the_context_given_is_the_first_on_which_the_programs_differ(
    one: Program, other: Program, scenes: list[Scene], here: int
) -> None:
    """Whether it is one that was there before or one of those that are made when needed."""
    made = [scenes[at : at + 2] for at in range(here, len(scenes), 2)]
    meanings = Meanings(scenes[:here], lambda some: DOMAIN.bind("consistent", None, some), lambda: iter(made))
    found = meanings.compare(one, other)
    said = [(alone(one, scene), alone(other, scene)) for scene in scenes]
    differ = [index for index, (first, second) in enumerate(said) if first != second]
    assert bool(found) == bool(differ)
    assert meanings.difference(one, other) is found.context
    if differ:
        assert (found.index, found.looked_at) == (differ[0], differ[0] + 1)
        assert found.context is scenes[differ[0]]
        assert found.answers == said[differ[0]]
    else:
        assert (found.index, found.looked_at, found.context, found.answers) == (None, len(scenes), None, None)


def test_where_the_given_contexts_do_not_help_others_are_made() -> None:
    one, other = (Consistent.parse(f"object_exists({name}(all_objects))") for name in ("yellow", "blue"))
    assert not meanings_in([EMPTY]).compare(one, other)
    found = differences_of(DOMAIN, "consistent", None, [EMPTY], 600).compare(one, other)
    assert found.index is not None
    assert found.index > 0
    assert found.context == DOMAIN.variants(None, AT_A_TIME, 0)[found.index - 1]
    assert (alone(one, found.context), alone(other, found.context)) == found.answers


def test_programs_with_one_meaning_are_not_told_apart_and_the_answer_says_how_many_contexts_were_looked_at() -> None:
    one = Consistent.parse("object_exists(yellow(square(all_objects)))")
    other = Consistent.parse("object_exists(square(yellow(all_objects)))")
    found = differences_of(DOMAIN, "consistent", count=1200).compare(one, other)
    assert not found
    assert found.looked_at == 1200
    assert str(found) == "no difference found in 1,200 contexts"


def test_programs_of_two_languages_are_told_apart_on_the_same_contexts() -> None:
    meanings = meanings_of(DOMAIN, "macro", count=200)
    above = "object_exists(above(black(all_objects)))"  # above all of them, and above any of them
    black = "object_exists(black(all_objects))"

    def compared(text: str) -> Any:
        ours, theirs = (DOMAIN.languages[name].parse(text) for name in ("macro", "consistent"))
        return meanings.compare(ours, theirs, bind=lambda some: DOMAIN.bind("consistent", None, some)).answers

    assert compared(above) == (False, True)
    assert compared(black) is None


# -- contexts that are made --------------------------------------------------------------------------------------------


class Counting(Nlvr):
    """NLVR that notes what it is asked to make."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []

    def variants(self, utterance: Utterance | None, count: int, seed: int) -> list[Scene]:
        self.asked.append((count, seed))
        return super().variants(utterance, count, seed)


@pytest.mark.parametrize("count", [1, AT_A_TIME, AT_A_TIME + 200])
def test_as_many_contexts_are_made_as_asked_for_some_at_a_time_and_only_when_needed(count: int) -> None:
    domain = Counting()
    one, other = (Consistent.parse(f"object_exists({name}(all_objects))") for name in ("yellow", "blue"))
    meanings = differences_of(domain, "consistent", None, [EMPTY], count)
    assert domain.asked == []
    assert meanings.compare(one, one).looked_at == count + 1
    batches = [(AT_A_TIME, seed) for seed in range(count // AT_A_TIME)]
    rest = [(count % AT_A_TIME, len(batches))] if count % AT_A_TIME else []
    assert domain.asked == batches + rest
    if count > AT_A_TIME:
        domain.asked.clear()
        assert meanings.compare(one, other)
        assert domain.asked == [(AT_A_TIME, 0)]


def test_contexts_of_one_topic_are_made_once() -> None:
    domain = Counting()
    one, same, other = (
        meanings_of(domain, "consistent", Unlabelled(sentence), 20)
        for sentence in ("There is a black circle", "Some circle is black", "There is a yellow tower")
    )
    assert one is same
    assert one is not other
    assert domain.asked == [(20, 0)] * 2
    assert list(one.contexts) != list(other.contexts)
    assert meanings_of(domain, "consistent", Unlabelled("There is a black circle"), 30) is not one


@pytest.mark.parametrize("sentence", [None, "There is a black circle"])
def test_contexts_are_the_same_every_time_and_come_in_the_order_of_their_length_if_asked(sentence: str | None) -> None:
    said = None if sentence is None else Unlabelled(sentence)
    first, second = (meanings_of(Nlvr(), "consistent", said, 30).contexts for _ in range(2))
    assert list(first) == list(second) == DOMAIN.variants(said, 30, 0)
    by_length = meanings_of(Nlvr(), "consistent", said, 30, simplest_first=True).contexts
    assert list(by_length) == sorted(first, key=lambda scene: len(repr(scene)))


def test_contexts_that_were_made_stay_behind_when_a_domain_travels() -> None:
    domain = Nlvr()
    before = len(pickle.dumps(domain))
    meanings = meanings_of(domain, "consistent", None, 200)
    sent = pickle.dumps(domain)
    assert len(sent) == before
    again = meanings_of(pickle.loads(sent), "consistent", None, 200)
    assert list(again.contexts) == list(meanings.contexts)


# -- utterances with constants of their own ----------------------------------------------------------------------------

PEOPLE = PeopleDomain()
TABLES = PEOPLE.variants(None, 2, 5)


def count_of(pet: str, some: str = "everybody") -> str:
    return f"count(who(pet, {pet}, {some}))"


def test_programs_with_constants_of_a_table_run_on_it_and_on_altered_copies() -> None:
    said = Unlabelled("How many?", (TABLES[0],))
    meanings = meanings_of(PEOPLE, "asking", said, 40)
    assert list(meanings.contexts) == [TABLES[0], *PEOPLE.variants(said, 40, 0)]
    first, second = sorted({row["pet"] for row in TABLES[0]})[:2]
    parse = meanings.language.parse
    assert meanings.answers(parse(count_of(first))) == tuple(
        sum(row["pet"] == first for row in table) for table in meanings.contexts
    )
    twice = count_of(first, f"who(pet, {first}, everybody)")
    assert meanings.key(parse(count_of(first))) == meanings.key(parse(twice))
    assert meanings.key(parse(count_of(first))) != meanings.key(parse(count_of(second)))
    assert meanings.is_constant(parse("count(everybody)"))
    assert meanings.true_of(parse("count(everybody)")) is None
    table = meanings.difference(parse(count_of(first)), parse(count_of(second)))
    assert sum(row["pet"] == first for row in table) != sum(row["pet"] == second for row in table)


def test_each_table_has_meanings_of_its_own() -> None:
    one, same, other = (
        meanings_of(PEOPLE, "asking", Unlabelled(sentence, (table,)), 10)
        for sentence, table in (("How many?", TABLES[0]), ("Who?", TABLES[0]), ("How many?", TABLES[1]))
    )
    assert one is same
    assert one.contexts[0] == TABLES[0]
    assert other.contexts[0] == TABLES[1]


def test_without_an_utterance_such_programs_cannot_be_told_apart() -> None:
    with pytest.raises(ChoraleError, match="people: programs cannot be bound to contexts of several utterances"):
        meanings_of(PEOPLE, "asking", None, 10)


# -- domains that make no contexts -------------------------------------------------------------------------------------

Size = Annotated[Any, "Size"]


class Sizes(Language):
    """How large numbers are, in as few bytes as they need or in eight."""

    root = Size

    def __init__(self, contexts: Sequence[int]) -> None:
        self.contexts = contexts

    @function
    def narrow(self) -> Size:
        return np.array(self.contexts, dtype=np.int8)

    @function
    def wide(self) -> Size:
        return np.array(self.contexts, dtype=np.int64)


class Still(Domain):
    """A domain that makes no contexts."""

    name = "still"
    languages: ClassVar[Mapping[str, type[Language]]] = {"sizes": Sizes}


def test_where_no_contexts_are_made_those_of_each_utterance_tell_its_programs_apart() -> None:
    domain = Still()
    for contexts in ((1, 2), (3, 4, 5)):
        meanings = meanings_of(domain, "sizes", Unlabelled("?", contexts))
        assert tuple(meanings.contexts) == contexts
        assert meanings.answers(Sizes.parse("wide")) == contexts
    with pytest.raises(ChoraleError, match=r"still makes no contexts \(`Domain.variants`\)"):
        meanings_of(domain, "sizes")
    assert differences_of(domain, "sizes", None, (1, 2)).compare(*[Sizes.parse("wide")] * 2).looked_at == 2


def test_numbers_are_the_same_however_they_are_stored() -> None:
    meanings = meanings_of(Still(), "sizes", Unlabelled("?", (1, 2)))
    assert meanings.key(Sizes.parse("narrow")) == meanings.key(Sizes.parse("wide"))


@given(st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=1, max_size=4))
def test_shares_of_truth_are_counted_alike_in_arrays_and_tuples(rows: list[list[bool]]) -> None:
    shares = pytest.approx([sum(row) / 3 for row in rows])
    assert shares_of_truth(np.array(rows)) == shares
    assert shares_of_truth([np.array(row) for row in rows]) == shares
    assert shares_of_truth(list(map(tuple, rows))) == shares
    numbers = [[int(value) for value in row] for row in rows]
    assert shares_of_truth(np.array(numbers)) == shares_of_truth(list(map(tuple, numbers))) == [None] * len(rows)
