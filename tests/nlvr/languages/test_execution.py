"""Corpus-at-once execution agrees with its slow twin and has the symmetries that the languages have."""

import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.nlvr.languages.twin import run_slowly
from tests.strategies import scenes

from chorale.language import Basic, Function, Grammar, Program, run
from chorale.language.execution import evaluate
from chorale.language.terms import Term, subterms, written
from chorale.nlvr.languages.consistent import Consistent
from chorale.nlvr.languages.functions import Common
from chorale.nlvr.languages.macro import Macro
from chorale.nlvr.pictures.random_scenes import random_scatter, random_towers
from chorale.nlvr.pictures.scenes import BOXES, COLORS, SHAPES, Box, Object, Scene
from chorale.nlvr.pictures.worlds import BoxSet, ObjectSet, Worlds

LANGUAGES: dict[str, type[Consistent | Macro]] = {"consistent": Consistent, "macro": Macro}
LONGEST = 20  # actions


def crowd(rng: random.Random, count: int) -> Box:
    """So many small objects in the cells of a 10 x 10 grid, where neighbours touch; every height is a tie."""
    cells = rng.sample(range(100), count)
    return tuple(Object(cell % 10 * 10, cell // 10 * 10, 10, rng.choice(SHAPES), rng.choice(COLORS)) for cell in cells)


def pool(most: int) -> tuple[Scene, ...]:
    """Scenes whose largest box has `most` objects, which decides how wide the packed words are."""
    rng = random.Random(most)
    everyday = [make(rng) for make in (random_towers, random_scatter) for _ in range(8)]
    twins = [Scene((scene.boxes[0], scene.boxes[1], scene.boxes[0])) for scene in everyday[6:10]]
    empty = [Scene(((),) * BOXES), Scene(((), everyday[0].boxes[0], ())), Scene((everyday[9].boxes[1], (), ()))]
    crowds = [Scene((crowd(rng, most), (), crowd(rng, rng.randrange(most))))]
    return (*everyday, *twins, *empty, *crowds)


POOLS = {most: pool(most) for most in (8, 9, 16, 17, 33, 64)}
PACKED = {most: Worlds(pool) for most, pool in POOLS.items()}
SINGLES = {most: [Worlds([scene]) for scene in pool] for most, pool in POOLS.items()}


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, Program]:
    """A language and a program that uses a given function, since a free choice rarely falls on most of them."""
    language = draw(st.sampled_from(sorted(LANGUAGES)))
    grammar = LANGUAGES[language].grammar
    wanted = draw(st.sampled_from([name for name, kind in grammar.signature.items() if isinstance(kind, Function)]))
    rng = draw(st.randoms(use_true_random=True))  # shrinking the walk step by step would take long
    while True:
        actions = walk(grammar, rng)
        if grammar.terminal_ids[wanted] in actions:
            return language, Program.from_actions(actions, grammar)


def walk(grammar: Grammar, rng: random.Random) -> list[int]:
    """The actions of a random program; names and structure are equally likely as long as both fit."""
    actions: list[int] = []
    waiting = [0]
    while waiting:
        state = waiting.pop()
        room = LONGEST - len(actions) - 1 - sum(int(grammar.shortest[other]) for other in waiting)
        fitting: dict[bool, list[int]] = {}
        for number, after in grammar.children[state].items():
            if sum(int(grammar.shortest[child]) for child in after) <= room:
                fitting.setdefault(bool(after), []).append(number)
        actions.append(rng.choice(fitting[rng.choice(list(fitting))]))
        waiting.extend(reversed(grammar.children[state][actions[-1]]))
    return actions


def values(program: Program, language: str, worlds: Worlds) -> list[bool]:
    found = run(program, LANGUAGES[language](worlds))
    assert found.shape == (len(worlds),)
    assert found.dtype == bool
    return [bool(value) for value in found]


def plain(value: Any, language: Common) -> list[Any]:
    """A fast value scene by scene, as the twin would write it; a function is tried on all objects."""
    if callable(value):
        return plain(value(language.worlds.images.all_objects), language)
    if isinstance(value, ObjectSet):
        by_box = [value.words[row].tolist() for row in value.view.rows]
        return [
            {(box, place) for box, word in enumerate(words) for place in range(word.bit_length()) if word >> place & 1}
            for words in zip(*by_box, strict=True)
        ]
    if isinstance(value, BoxSet):
        by_box = [chosen.tolist() for chosen in value.chosen]
        return [{box for box, chosen in enumerate(flags) if chosen} for flags in zip(*by_box, strict=True)]
    return list(value.tolist())


def on_all_objects(value: Any, scene: Scene) -> Any:
    """A value of the twin; a function is tried on all objects."""
    everything = frozenset((box, place) for box, held in enumerate(scene.boxes) for place in range(len(held)))
    return value(everything) if callable(value) else value


def parts_with_values(program: Program) -> Iterator[Term]:
    """The program and what is inside it, as far as it has a value on a scene or on a scene's objects."""
    for term in dict.fromkeys(subterms(program.term)):
        asks = term.type.arguments if isinstance(term.type, Function) else (Basic("Set[Object]"),)
        if asks == (Basic("Set[Object]"),) and str(term.type) not in {"int", "Color", "Shape"}:
            yield term


def check_agreement(case: tuple[str, Program], most: int, drawn: list[Scene]) -> None:
    name, program = case
    for corpus, worlds in ((POOLS[most], PACKED[most]), (drawn, Worlds(drawn))):
        language = LANGUAGES[name](worlds)
        for term in parts_with_values(program):
            slow = [on_all_objects(run_slowly(term, scene, name), scene) for scene in corpus]
            assert plain(evaluate(term, language), language) == slow, written(term)


corpora = st.lists(scenes(), min_size=1, max_size=4)


# An example is one program, with all its parts, on the 24 scenes of a pool and on at least one more: 300 examples are
# 7,500 cases, and the 2,500 of the slow run 62,500.
@settings(max_examples=2 * settings.default.max_examples)
@given(cases(), st.sampled_from(sorted(POOLS)), corpora)
def test_agrees_with_the_slow_twin(case: tuple[str, Program], most: int, drawn: list[Scene]) -> None:
    check_agreement(case, most, drawn)


@pytest.mark.slow
@given(cases(), st.sampled_from(sorted(POOLS)), corpora)
def test_agrees_with_the_slow_twin_on_many_more(case: tuple[str, Program], most: int, drawn: list[Scene]) -> None:
    check_agreement(case, most, drawn)


@given(cases(), st.sampled_from(sorted(POOLS)), corpora)
def test_a_corpus_is_its_scenes_one_by_one(case: tuple[str, Program], most: int, drawn: list[Scene]) -> None:
    language, program = case
    singles = [Worlds([scene]) for scene in drawn]
    for together, apart in ((PACKED[most], SINGLES[most]), (Worlds(drawn), singles)):
        assert values(program, language, together) == [values(program, language, one)[0] for one in apart]


@given(cases(), st.sampled_from(sorted(POOLS)), st.lists(st.integers(0, 23), max_size=6))
def test_some_images_alone_are_part_of_the_whole(case: tuple[str, Program], most: int, images: list[int]) -> None:
    language, program = case
    whole = values(program, language, PACKED[most])
    assert values(program, language, PACKED[most].at(images)) == [whole[image] for image in images]


@given(cases(), st.sampled_from(sorted(POOLS)), st.lists(st.integers(0, 23), max_size=6))
def test_merged_boxes_are_pictures_without_the_second_of_two_equal_boxes(
    case: tuple[str, Program], most: int, images: list[int]
) -> None:
    language, program = case
    scenes = [POOLS[most][image] for image in images]
    merged = LANGUAGES[language](Worlds(POOLS[most], merge_equal_boxes=True)).at(images)
    kept = [Scene(tuple({frozenset(box): box for box in reversed(scene.boxes)}.values())) for scene in scenes]
    expected = [run_slowly(program.term, scene, language) for scene in kept]
    assert run(program, merged).tolist() == expected


@given(cases(), corpora, st.sampled_from(list(permutations(range(BOXES)))))
def test_the_order_of_boxes_does_not_matter(
    case: tuple[str, Program], drawn: list[Scene], order: tuple[int, ...]
) -> None:
    language, program = case
    permuted = [scene.permuted(order) for scene in drawn]
    assert values(program, language, Worlds(permuted)) == values(program, language, Worlds(drawn))


@given(cases(), corpora, st.randoms(use_true_random=False))
def test_the_order_of_objects_does_not_matter(
    case: tuple[str, Program], drawn: list[Scene], rng: random.Random
) -> None:
    language, program = case
    shuffled = [Scene(tuple(tuple(rng.sample(box, len(box))) for box in scene.boxes)) for scene in drawn]
    assert values(program, language, Worlds(shuffled)) == values(program, language, Worlds(drawn))


@given(cases(), corpora, st.sampled_from(list(permutations(COLORS))[1:]))
def test_colors_swapped_in_scene_and_program_swap_out(
    case: tuple[str, Program], drawn: list[Scene], swapped: tuple[str, ...]
) -> None:
    language, program = case
    new = dict(zip(COLORS, swapped, strict=True))
    # `same_color` breaks ties by the order of the colours, which does not move along. So a scene is left out if the
    # program's value on it changes with that order; seen from the unswapped scene, the swapped run has this one:
    order = sorted(COLORS, key=lambda color: COLORS.index(new[color]))
    kept = [
        scene
        for scene in drawn
        if "same_color" not in program.text
        or run_slowly(program.term, scene, language) == run_slowly(program.term, scene, language, order)
    ]
    scenes_after = [with_colors(scene, new) for scene in kept]
    after = program_with_colors(program, language, new)
    assert values(after, language, Worlds(scenes_after)) == values(program, language, Worlds(kept))


def with_colors(scene: Scene, new: dict[str, str]) -> Scene:
    return Scene(
        tuple(
            tuple(Object(thing.x, thing.y, thing.size, thing.shape, new[thing.color]) for thing in box)
            for box in scene.boxes
        )
    )


def program_with_colors(program: Program, language: str, new: dict[str, str]) -> Program:
    text = re.sub(r"\b(color_|)(black|blue|yellow)\b", lambda match: match[1] + new[match[2]], program.text)
    return LANGUAGES[language].parse(text)


def test_swapping_colors_renames_filters_and_constants_only() -> None:
    program = Consistent.parse("object_color_any_equals(color_black, yellow(same_color(all_objects)))")
    new = {"black": "blue", "blue": "yellow", "yellow": "black"}
    text = program_with_colors(program, "consistent", new).text
    assert text == "object_color_any_equals(color_blue, black(same_color(all_objects)))"


def test_the_benchmark_prints_one_json_line() -> None:
    script = Path(__file__).resolve().parents[3] / "benchmarks" / "execution.py"
    options = ["--pictures", "20", "--programs", "10", "--repeats", "1", "--language", "macro"]
    done = subprocess.run([sys.executable, script, *options], capture_output=True, text=True, check=True)
    figures = json.loads(done.stdout)
    assert done.stdout.count("\n") == 1
    assert (figures["programs"], figures["pictures"], figures["pictures_from"]) == (10, 20, "generated")
    assert figures["language"] == "macro"
    assert figures["relation_share"] >= 0.5
    assert all(figures[name] >= 0 for name in ("picture_executions_per_second", "pack_seconds", "peak_memory_mib"))
