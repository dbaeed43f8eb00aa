"""Corpus-at-once execution agrees with its slow twin and has the symmetries that the languages have."""

import json
import random
import re
import subprocess
import sys
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.nlvr.twin import run_slowly
from tests.strategies import programs, scenes

from chorale.language import Program, run
from chorale.nlvr.consistent import Consistent
from chorale.nlvr.macro import Macro
from chorale.nlvr.scenes import BOXES, COLORS, SHAPES, Box, Object, Scene
from chorale.nlvr.synthetic_scenes import random_scatter, random_towers
from chorale.nlvr.worlds import Worlds

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
    language = draw(st.sampled_from(sorted(LANGUAGES)))
    return language, draw(programs(LANGUAGES[language].grammar, LONGEST))


def values(program: Program, language: str, worlds: Worlds) -> list[bool]:
    found = run(program, LANGUAGES[language](worlds))
    assert found.shape == (len(worlds),)
    assert found.dtype == bool
    return [bool(value) for value in found]


def check_agreement(case: tuple[str, Program], most: int, drawn: list[Scene]) -> None:
    language, program = case
    for corpus, worlds in ((POOLS[most], PACKED[most]), (drawn, Worlds(drawn))):
        slow = [run_slowly(program.term, scene, language) for scene in corpus]
        assert values(program, language, worlds) == slow


corpora = st.lists(scenes(), min_size=1, max_size=4)


# An example is one program on the 24 scenes of a pool and on at least one more: 400 examples are 10,000 cases, and the
# 2,500 of the slow run 62,500.
@settings(max_examples=4 * settings.default.max_examples)
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
    script = Path(__file__).resolve().parents[2] / "benchmarks" / "execution.py"
    options = ["--pictures", "20", "--programs", "10", "--repeats", "1", "--language", "macro"]
    done = subprocess.run([sys.executable, script, *options], capture_output=True, text=True, check=True)
    figures = json.loads(done.stdout)
    assert done.stdout.count("\n") == 1
    assert (figures["programs"], figures["pictures"], figures["pictures_from"]) == (10, 20, "generated")
    assert figures["language"] == "macro"
    assert figures["relation_share"] >= 0.5
    assert all(figures[name] >= 0 for name in ("picture_executions_per_second", "pack_seconds", "peak_memory_mib"))
