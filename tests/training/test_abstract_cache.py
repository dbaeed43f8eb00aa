"""The abstract cache: its counts equal plain ones, what it offers can be used, and it can be put down and taken up."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.people import PeopleDomain
from tests.strategies import programs
from tests.training.slotted import examples, utterances

from chorale.domain import Example, Plain, SharedGrounding
from chorale.language import Program
from chorale.nlvr import Consistent
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.english.abstraction import abstract_program, abstract_utterance
from chorale.nlvr.english.slots import fill, slots_of
from chorale.nlvr.pictures.random_scenes import random_scene
from chorale.nlvr.pictures.scenes import Scene
from chorale.nlvr.pictures.synthetic import denotations
from chorale.training.abstract_cache import AbstractCache
from chorale.training.rewards import ActionRow
from chorale.training.stages.tied import TiedReward


@dataclass(frozen=True)
class Heard:
    """A sentence with scenes and labels."""

    sentence: str
    contexts: tuple[Scene, ...]
    answers: tuple[bool, ...]
    identifier: str = "0"


HAND_WRITTEN = {example.utterance: example.programs for example in examples()}
SENTENCES = ("there is a black circle", "there is a blue square", "there is a yellow circle")
MEANT = "object_exists({color}({shape}(all_objects)))"


def row(text: str) -> ActionRow:
    return np.array(Consistent.parse(text).action_ids, dtype=np.int16)


def cache_of(heard: Sequence[Heard], stage: TiedReward | None = None, **limits: int) -> AbstractCache:
    stage = stage or TiedReward()
    slotted = [Nlvr.abstractions.slotted(one.sentence) for one in heard]
    settings = {name: getattr(stage, name) for name in ("counted", "ratio", "offered", "max_actions")}
    return AbstractCache(Nlvr().ground("consistent", heard), slotted, **settings, **limits)


@cache
def corpus() -> tuple[Heard, ...]:
    """Noisy labels, so that no program is right everywhere."""
    return tuple(Heard(it.sentence, it.scenes, it.labels) for it in utterances(40, seed=7, noise=0.1))


def labelled(sentences: Sequence[str], wrong: int = 0, images: int = 4) -> list[Heard]:
    """Utterances whose labels are those of `MEANT`, but that the first `wrong` have one wrong label each."""
    rng = Random(3)
    heard = []
    for number, sentence in enumerate(sentences):
        scenes = tuple(random_scene(rng) for _ in range(images))
        truths = denotations(fill(MEANT, abstract_utterance(sentence).values), scenes)
        if number < wrong:
            truths[0] = not truths[0]
        heard.append(Heard(sentence, scenes, tuple(truths)))
    return heard


def plain_counts(heard: Sequence[Heard], index: int, text: str, counted: str) -> tuple[int, int]:
    """The twin: everything that shares the abstraction, one scene at a time."""
    said = abstract_utterance(heard[index].sentence)
    abstract = abstract_program(text, said.values)
    right = wrong = 0
    for other in heard:
        theirs = abstract_utterance(other.sentence)
        if theirs.tokens != said.tokens:
            continue
        filled = fill(abstract, theirs.values)
        agreeing = [
            denotations(filled, [scene]) == [label] for scene, label in zip(other.contexts, other.answers, strict=True)
        ]
        for right_one in agreeing if counted == "images" else [all(agreeing)]:
            right, wrong = right + right_one, wrong + (not right_one)
    return right, wrong


@settings(deadline=None)
@given(st.integers(0, 39), programs(Consistent.grammar, 11), st.sampled_from(["images", "utterances"]), st.data())
def test_counts_and_rewards_equal_plain_ones(index: int, program: Program, counted: str, data: st.DataObject) -> None:
    ratio = data.draw(st.sampled_from([0.0, 0.5, 1.0, 3.0]))
    stage = TiedReward(counted="images" if counted == "images" else "utterances", ratio=ratio)
    found = cache_of(corpus(), stage)
    said = abstract_utterance(corpus()[index].sentence)
    right, wrong = plain_counts(corpus(), index, program.text, counted)
    assert found.counts(said.text, abstract_program(program.text, said.values)) == (right, wrong)
    worth = right / (right + wrong) if right and (wrong == 0 or right / wrong >= ratio) else 0.0
    assert found.reward(index, np.array(program.action_ids, dtype=np.int16)) == worth


@given(programs(Consistent.grammar, 15), st.sampled_from(range(40)))
def test_a_program_made_abstract_and_filled_again_is_the_same(program: Program, index: int) -> None:
    said = Nlvr().abstractions.slotted(corpus()[index].sentence)
    assert said.fill(said.program(program.text)) == program.text
    assert said.fill("object_exists({size9}(all_objects))") is None


def test_a_wrong_label_does_not_rule_out_what_the_others_say() -> None:
    meant = "object_exists(black(circle(all_objects)))"
    heard = labelled(SENTENCES * 2, wrong=1)
    assert denotations(meant, heard[0].contexts) != list(heard[0].answers)
    assert cache_of(heard).reward(0, row(meant)) == pytest.approx(5 / 6)
    assert cache_of(labelled(SENTENCES * 2, wrong=2)).reward(3, row(meant)) == 0


def test_exactly_the_ratio_is_enough() -> None:
    heard = labelled([*SENTENCES, SENTENCES[0]], wrong=1)
    program = row("object_exists(black(circle(all_objects)))")
    assert cache_of(heard, TiedReward(ratio=3.0)).reward(0, program) == 0.75
    assert cache_of(heard, TiedReward(ratio=3.01)).reward(0, program) == 0
    assert cache_of(heard, TiedReward(ratio=3.01, counted="images")).reward(0, program) == 15 / 16


def test_what_one_utterance_finds_is_offered_to_the_others_in_their_words() -> None:
    found = cache_of(labelled(SENTENCES))
    assert found.offers(1) == []
    found.reward(0, row("object_exists(black(circle(all_objects)))"))
    assert [Program.from_actions(it, Consistent.grammar).text for it in found.offers(1)] == [
        "object_exists(blue(square(all_objects)))"
    ]


def test_the_best_are_offered_first_and_no_more_than_asked_for() -> None:
    found = cache_of(labelled(SENTENCES * 3, wrong=1))
    longer = "object_count_greater_equals(1, {color}({shape}(all_objects)))"
    swapped = "object_exists({shape}({color}(all_objects)))"
    found.meet({"there is a {color} {shape}": [longer, swapped, MEANT], "there is nothing": ["box_exists(all_boxes)"]})
    values = abstract_utterance(SENTENCES[2]).values
    shortest_first = [Consistent.parse(fill(text, values)).action_ids for text in (MEANT, swapped, longer)]
    assert found.offers(2) == shortest_first
    fewer = cache_of(labelled(SENTENCES * 3, wrong=1), TiedReward(offered=1))
    fewer.meet({"there is a {color} {shape}": [longer, swapped, MEANT]})
    assert fewer.offers(2) == shortest_first[:1]


def test_programs_that_are_too_long_are_not_offered() -> None:
    found = cache_of(labelled(SENTENCES), TiedReward(max_actions=6))
    found.meet({"there is a {color} {shape}": [MEANT]})
    assert len(Consistent.parse(fill(MEANT, abstract_utterance(SENTENCES[0]).values)).action_ids) == 7
    assert found.offers(0) == []


def walked(found: AbstractCache, seed: int) -> list[object]:
    """What a cache says in the course of some use."""
    rng = Random(seed)
    listed = list(Consistent.grammar.enumerate(7))
    said: list[object] = []
    for _ in range(150):
        index = rng.randrange(len(corpus()))
        said += [found.reward(index, np.array(rng.choice(listed), dtype=np.int16)), found.offers(index)]
    return said


def test_a_cache_that_was_put_down_goes_on_as_if_it_had_not_been() -> None:
    stage = TiedReward(ratio=1.0, counted="images")
    first, second = cache_of(corpus(), stage), cache_of(corpus(), stage)
    first.meet(HAND_WRITTEN)
    walked(first, 1)
    second.restore(first.written())
    second.restore(second.written())  # nothing twice
    assert second.written() == first.written()
    assert sum(len(it) for it in json.loads(first.written()).values()) > 10
    fresh = cache_of(corpus(), stage)
    assert walked(first, 2) == walked(second, 2) != walked(fresh, 2)
    assert second.written() == first.written()


def test_forgetting_changes_nothing() -> None:
    stage = TiedReward(ratio=1.0, counted="images")
    long, short = cache_of(corpus(), stage), cache_of(corpus(), stage, most_remembered=3)
    assert walked(long, 1) == walked(short, 1)
    assert long.written() == short.written()


def test_hand_written_programs_are_offered_before_anything_was_found() -> None:
    meant = {it.sentence: it.program for it in utterances(40, seed=7, noise=0.1)}
    clean = [replace(it, answers=tuple(denotations(meant[it.sentence], it.contexts))) for it in corpus()]
    found = cache_of(clean)
    found.meet(HAND_WRITTEN)
    for index, heard in enumerate(clean):
        assert Consistent.parse(meant[heard.sentence]).action_ids in found.offers(index)


def test_slots_of_every_kept_program_are_in_its_utterance() -> None:
    found = cache_of(corpus(), TiedReward(ratio=0.5))
    walked(found, 3)
    for utterance, kept in json.loads(found.written()).items():
        assert all(set(slots_of(program)) <= set(slots_of(utterance)) for program in kept)


def test_contexts_with_constants_of_their_own_speak_of_what_they_have() -> None:
    tables = (
        ({"name": "anna", "city": "rome"}, {"name": "bert", "city": "rome"}),
        ({"name": "anna", "city": "rome"},),
        ({"name": "anna", "city": "oslo"},),  # nobody has rome, so the program is none here
    )
    asked = [Example(str(n), "How many have rome?", (it,), (2 - n,)) for n, it in enumerate(tables)]
    grounding = PeopleDomain().ground("asking", asked)
    assert not isinstance(grounding, SharedGrounding)
    words = [Plain(" ".join(PeopleDomain().words(one.sentence))) for one in asked]
    found = AbstractCache(grounding, words, counted="utterances", ratio=3.0, offered=10, max_actions=21)
    text = "count(who(city, rome, everybody))"
    assert found.counts("how many have rome", text) == (2, 0)
    actions = Program.parse(text, grounding.grammar(0)).action_ids
    assert found.reward(0, np.array(actions, dtype=np.int16)) == 1
    assert found.offers(1) == [Program.parse(text, grounding.grammar(1)).action_ids]
    assert found.offers(2) == []
