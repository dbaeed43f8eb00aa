"""No law of a language can be false: both sides say the same on thousands of scenes, whatever fills the gaps."""

from __future__ import annotations

import random
import re
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.nlvr.languages.test_execution import POOLS, walk

from chorale.language import Function, Laws, Program, rewritten, run
from chorale.language.execution import evaluate
from chorale.language.terms import Compose, Term, subterms, written
from chorale.language.types import type_of_annotation
from chorale.nlvr import Consistent, Extended, Macro
from chorale.nlvr.languages.functions import Common
from chorale.nlvr.pictures.random_scenes import random_scene
from chorale.nlvr.pictures.worlds import BoxSet, ObjectSet, Worlds

LANGUAGES: tuple[type[Common], ...] = (Macro, Consistent, Extended)
FILTER = "<Set[Object]:Set[Object]>"
LAWS = [
    pytest.param(language, line, id=f"{language.__name__}-{line}")
    for language in LANGUAGES
    for line in language.laws.lines()
]


@cache
def corpora() -> tuple[Worlds, ...]:
    """Everyday scenes, scenes with crowds, empty and equal boxes, and the same with equal boxes merged."""
    rng = random.Random(5)
    everyday = [random_scene(rng) for _ in range(1_000)]
    odd = [scene for pool in POOLS.values() for scene in pool]
    return Worlds(everyday), Worlds(odd), Worlds(odd, merge_equal_boxes=True)


# -- filling the gaps -------------------------------------------------------------------------------------------------


def filled(language: type[Common], line: str, rng: random.Random, on_boxes: bool) -> list[str]:
    """Both sides of a law with random choices for its slots and random expressions for its variables."""
    laws = language.laws
    for group, digit in sorted(set(re.findall(r"\{([a-z_]+)(\d?)\}", line))):
        line = line.replace(f"{{{group}{digit}}}", rng.choice(laws.groups[group].split()))
    limits = dict(re.findall(r"\?(\w+):(\w+)", line))
    line = re.sub(r"(\?\w+):\w+", r"\1", line)
    for name in sorted(set(re.findall(r"\?(\w+)", line))):
        kind = str(type_of_annotation(laws.variables[name]))
        if kind == FILTER:
            text = made_of(language, laws.groups[limits[name]].split() if name in limits else None, rng)
        elif kind == "Set[Object]" and on_boxes:
            text = made_of(language, None, rng)  # a function of the objects of each box
        else:
            text = part_of_a_program(language, kind, rng)
        line = line.replace(f"?{name}", text)
    return line.split(" = ")


def made_of(language: type[Common], names: list[str] | None, rng: random.Random, deep: int = 2) -> str:
    """A random filter of these functions, or of any."""
    signature = language.grammar.signature
    names = names or [name for name, kind in signature.items() if str(kind).endswith((FILTER, f"{FILTER}>"))]
    chain = []
    for name in rng.choices(names, k=rng.randint(1, 3)):
        kind = signature[name]
        assert isinstance(kind, Function)
        filters = sum(str(argument) == FILTER for argument in kind.arguments)
        if filters and deep:
            chain.append(f"{name}({', '.join(made_of(language, names, rng, deep - 1) for _ in range(filters))})")
        elif not filters:
            chain.append(name)
    return f"({'.'.join(chain)})" if chain else next(name for name in names if str(signature[name]) == FILTER)


def part_of_a_program(language: type[Common], kind: str, rng: random.Random) -> str:
    while True:
        program = Program.from_actions(walk(language.grammar, rng), language.grammar)
        if parts := [term for term in subterms(program.term) if str(term.type) == kind]:
            return as_calls(rng.choice(parts))


def as_calls(term: Term) -> str:
    return f"({'.'.join(map(written, term.parts))})" if isinstance(term, Compose) else written(term)


# -- comparing --------------------------------------------------------------------------------------------------------


def differ(one: Any, other: Any) -> bool:
    if isinstance(one, ObjectSet):
        view = one.view if one.view.copies is not None else other.view
        return bool((one.seen_in(view).words != other.seen_in(view).words).any())
    if isinstance(one, BoxSet):
        return any(bool((a != b).any()) for a, b in zip(one.chosen, other.chosen, strict=True))
    return bool((np.asarray(one) != np.asarray(other)).any())


def told_apart(language: type[Common], sides: list[str]) -> bool:
    terms = [language.parse(side).term for side in sides]
    for worlds in corpora():
        bound = language(worlds)
        left, right = (evaluate(term, bound) for term in terms)
        if not callable(left):
            if differ(left, right):
                return True
        elif any(differ(left(view.all_objects), right(view.all_objects)) for view in (worlds.boxes, worlds.images)):
            return True
    return False


@pytest.mark.parametrize(("language", "line"), LAWS)
@settings(max_examples=settings.default.max_examples // 4)  # there are many laws
@given(rng=st.randoms(use_true_random=True), on_boxes=st.booleans())
def test_both_sides_of_a_law_say_the_same(
    language: type[Common], line: str, rng: random.Random, on_boxes: bool
) -> None:
    on_boxes = on_boxes and language is not Macro  # whose functions do not compose
    sides = filled(language, line, rng, on_boxes)
    assert not told_apart(language, sides), " = ".join(sides)


@pytest.mark.parametrize(
    "line",
    [
        "top(yellow(?x)) = yellow(top(?x))",
        "negate_filter(negate_filter(?f))(?x) = ?f(?x)",
        "above(top(?x)) = above(?x)",
        "same_color(top(?x)) = top(same_color(?x))",
        "object_count_equals(1, ?x) = object_exists(?x)",
    ],
)
def test_a_false_law_is_found_out(line: str) -> None:
    rng = random.Random(1)
    tried = (filled(Consistent, line, rng, on_boxes) for on_boxes in (True, False) for _ in range(60))
    assert any(told_apart(Consistent, sides) for sides in tried)


# -- rewriting --------------------------------------------------------------------------------------------------------


@st.composite
def cases(draw: st.DrawFn) -> tuple[type[Common], Program]:
    language = draw(st.sampled_from(LANGUAGES))
    rng = draw(st.randoms(use_true_random=True))
    return language, Program.from_actions(walk(language.grammar, rng), language.grammar)


@given(cases())
def test_rewriting_keeps_the_meaning_and_rewriting_again_changes_nothing(case: tuple[type[Common], Program]) -> None:
    language, program = case
    after = rewritten(program, language)
    assert after.size <= program.size
    assert rewritten(after, language) == after
    assert Program.from_actions(after.action_ids, language.grammar) == language.parse(after.text) == after
    for worlds in corpora():
        assert (run(program, language(worlds)) == run(after, language(worlds))).all()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("object_exists(yellow(yellow(all_objects)))", "object_exists(yellow(all_objects))"),
        ("some_box(object_exists(square(yellow(square))))", "some_box(object_exists(yellow(square)))"),
        ("object_exists(blue(bottom(bottom(bottom(above(black(all_objects)))))))",
         "object_exists(blue(bottom(above(black(all_objects)))))"),
        ("object_exists(touch_wall(touch_left(all_objects)))", "object_exists(touch_left(all_objects))"),
        ("object_exists(touch_left(black(touch_wall(all_objects))))", "object_exists(touch_left(black(all_objects)))"),
        ("some_box(object_exists(top(black(bottom))))", "some_box(object_exists(black(bottom)))"),
        ("some_box(object_exists(negate_filter(negate_filter(black(top)))))", "some_box(object_exists(black(top)))"),
        ("some_box(object_exists(negate_filter(negate_filter(above))))",
         "some_box(object_exists(negate_filter(negate_filter(above))))"),  # of the input, what is above it
        ("object_count_equals(1, top(yellow(all_objects)))", "object_count_equals(1, top(yellow(all_objects)))"),
        ("box_exists(box_filter(all_boxes, object_exists(black)))", "some_box(object_exists(black))"),
        ("box_count_greater_equals(3, box_filter(all_boxes, object_color_any_equals(color_blue)))",
         "every_box(object_exists(blue))"),
        ("box_count_lesser(1, box_filter(box_filter(all_boxes, object_exists), object_count_greater_equals(1)))",
         "no_box(object_exists)"),
        ("some_box(object_exists(top(black)))", "some_box(object_exists(black))"),
        ("one_box(object_count_lesser(1)(black))", "one_box(object_none(black))"),
        ("one_box(object_none(negate_filter(black)))", "one_box(object_all(black))"),
        ("one_box(box_filter_and(object_exists(big), box_filter_and(object_color_same, object_exists(big))))",
         "one_box(box_filter_and(object_exists(big), object_color_same))"),
        ("some_box(object_exists_both(blue, blue))", "some_box(object_exists(blue))"),
        ("object_exists(either_filter(black, black)(all_objects))", "object_exists(black(all_objects))"),
    ],
)  # fmt: skip
def test_what_laws_make_of_a_program(before: str, after: str) -> None:
    assert rewritten(Extended.parse(before), Extended).text == after


def test_a_law_with_a_name_that_the_language_has_not_is_told() -> None:
    class Wrong(Extended):
        laws = Laws("object_existed(?x) = object_exists(?x)", variables=Extended.laws.variables)

    with pytest.raises(Exception, match="did you mean `object_exists`"):
        rewritten(Wrong.parse("object_exists(all_objects)"), Wrong)
