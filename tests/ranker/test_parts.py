"""Parts: what was remembered of a part is what one would find by looking again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.ranker.conftest import SENTENCES
from tests.strategies import programs

from chorale.domain import Hints, Unlabelled
from chorale.errors import ChoraleError
from chorale.language import Program
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.languages.extended import Extended
from chorale.ranker.alignment import align, nodes_of
from chorale.ranker.features import Feature, Tree
from chorale.ranker.parts import SHARES, Sentence


class Forgetful(Sentence):
    """Makes every part anew, wherever it occurs."""

    def __init__(self, hints: Hints) -> None:
        super().__init__(hints, Extended.grammar)

    def put(self, key: tuple[Any, ...], make: Callable[..., tuple[Any, ...]]) -> int:
        self._numbers.clear()
        return super().put(key, make)


HINTS = {text: Nlvr().lexicon("extended").hints(Unlabelled(text, ())) for text in SENTENCES}


def weight(feature: Feature) -> float:
    """A weight for any feature, the same each time."""
    return Random(repr(feature)).uniform(-1, 1)


def features(sentence: Sentence, program: Program) -> list[Feature]:
    return [one for key in sentence.parts(program) for one in sentence.features(key)]


@given(st.sampled_from(SENTENCES), st.lists(programs(Extended.grammar, 17), min_size=2, max_size=6))
def test_a_programs_score_is_that_of_all_its_parts_made_anew(text: str, some: list[Program]) -> None:
    hints = HINTS[text]
    remembering = Sentence(hints, Extended.grammar)
    for program in (*some, *some):
        found = features(remembering, program)
        assert found == features(Forgetful(hints), program)
        score = sum(sum(map(weight, remembering.features(key))) for key in remembering.parts(program))
        assert score == pytest.approx(sum(map(weight, found)))


@given(st.sampled_from(SENTENCES), programs(Extended.grammar, 17))
def test_some_templates_say_what_the_tree_and_the_sentence_say(text: str, program: Program) -> None:
    hints = HINTS[text]
    nodes = nodes_of(program)
    align(nodes, hints)

    def name(index: int) -> str:
        return hints.classes.get(nodes[index].name, nodes[index].name)

    expected: list[Feature] = []
    said = {node.item for node in nodes}
    for index, node in enumerate(nodes):
        if node.item >= 0:
            start, end = hints.spans[node.item]
            expected.append(("says", " ".join(hints.words[start:end]), name(index)))
            expected.append(("before", hints.words[start - 1] if start else "^", name(index)))
        else:
            expected.append(("unasked", name(index)))
        if index:
            expected.append(("calls", name(node.parent), str(node.argument), name(index)))
        if len(node.children) > 1:
            expected.append(("arguments", name(index), *map(name, node.children)))
    for item, (_, wanted) in enumerate(hints.explains):
        if wanted and item not in said:
            start, end = hints.spans[item]
            expected.append(("missing", " ".join(hints.words[start:end])))
    expected += [("root", " ".join(hints.words[:most]), name(0)) for most in range(1, min(4, len(hints.words)) + 1)]
    looked_at = {feature[0] for feature in expected} | {"missing", "unasked", "arguments", "says", "before"}
    found = features(Sentence(hints, Extended.grammar), program)
    assert Counter(one for one in found if one[0] in looked_at) == Counter(expected)


def test_programs_of_a_sentence_have_most_parts_in_common(sentence: Callable[[str], Sentence]) -> None:
    one = sentence(SENTENCES[0])
    first = one.parts(Extended.parse("some_box(object_exists(black(above(blue))))"))
    second = one.parts(Extended.parse("some_box(object_exists(black(directly_above(blue))))"))
    assert len(set(first) & set(second)) > len(set(first) - set(second))


def test_what_is_not_yellow_is_told_from_what_is_yellow_and_not_that(sentence: Callable[[str], Sentence]) -> None:
    one = sentence("the base is not yellow")
    right, wrong = (
        features(one, Extended.parse(f"object_exists(negate_filter({inner})({outer}(all_objects)))"))
        for inner, outer in (("yellow", "bottom"), ("bottom", "yellow"))
    )
    assert ("edge", "negate_filter", "{color}", ">") in right
    assert ("edge", "negate_filter", "{color}", ">'") in wrong
    for template in ("edge", "chain", "follows"):
        assert {it for it in right if it[0] == template} != {it for it in wrong if it[0] == template}


@given(st.floats(0, 1))
def test_shares_of_truth_fall_into_one_of_a_few_ranges_that_hold_them(share: float) -> None:
    program = Extended.parse("object_exists(black(all_objects))")
    one = Sentence(HINTS[SENTENCES[0]], Extended.grammar)
    [(name, text)] = [it for key in one.parts(program, share) for it in one.features(key) if it[0] == "true-of"]
    assert name == "true-of"
    sign, edge = text.split()
    below = [it for it in SHARES if it < float(edge)]
    assert share >= float(edge) if sign == ">=" else max(below, default=0) <= share < float(edge)
    assert not any(it[0].startswith("true-of") for key in one.parts(program) for it in one.features(key))


def test_the_words_of_arguments_are_told_in_the_order_of_the_sentence(sentence: Callable[[str], Sentence]) -> None:
    one = sentence("there is a tower with a black block and a blue block")
    for both in ("object_exists(black), object_exists(blue)", "object_exists(blue), object_exists(black)"):
        found = features(one, Extended.parse(f"some_box(box_filter_and({both}))"))
        assert ("joint", "box_filter_and", "block and a") in found


def two_phrases(between: int) -> Sentence:
    """A sentence that says black and top, with so many different words between them."""
    words = ("black", *(f"w{number}" for number in range(between)), "top")
    wanted = tuple((name, frozenset({name})) for name in ("black", "top"))
    spans = ((0, 1), (len(words) - 1, len(words)))
    return Sentence(Hints(frozenset({"black", "top"}), wanted, frozenset(), words, spans), Extended.grammar)


@pytest.mark.parametrize(("between", "far"), list(enumerate(("0", "1", "2", "3", "4-6", "4-6", "4-6", "far", "far"))))
def test_words_between_a_function_and_its_argument_are_counted_and_only_few_are_looked_at_as_a_whole(
    between: int, far: str
) -> None:
    one = two_phrases(between)
    found = features(one, Extended.parse("object_exists(black(top(all_objects)))"))
    assert [it for it in found if it[0] == "edge-far"] == [("edge-far", "black", "top", ">", far)]
    words = one.words[1:-1]
    whole = [("between", "black", " ".join(words), "top", ">")] if between <= 4 else []
    assert [it for it in found if it[0] == "between"] == whole
    single = [("between-word", "black", word, "top", ">") for word in words]
    assert [it for it in found if it[0] == "between-word"] == single


@pytest.mark.parametrize("between", [0, 1, 4, 5])
def test_words_between_the_first_and_the_last_argument_are_looked_at_alike(between: int) -> None:
    one = two_phrases(between)
    both = "box_filter_and(object_exists(black), object_exists(top))"
    found = features(one, Extended.parse(f"some_box({both})"))
    words = one.words[1:-1]
    assert [it[2] for it in found if it[0] == "joint"] == ([" ".join(words)] if between <= 4 else [])
    assert [it[2] for it in found if it[0] == "joint-word"] == ([*words] or [""])
    assert not any(it[0] == "joint-mixed" for it in found)


def test_a_sub_program_is_compared_with_few_words_and_many_others_among_them_are_as_one_number() -> None:
    one = two_phrases(6)
    assert one.tree("black(top)", 0, 4, 0) == Tree("black(top)", "black w0 w1 w2", "")
    assert one.tree("black(top)", 0, 5, 1) == Tree("black(top)", "", "1")
    assert one.tree("", 0, 4, 3) == one.tree("", 0, 4, 7) == Tree("", "", "3")


@pytest.mark.parametrize("spans", [(), ((0, 1), (1, 2)), ((0, 0),), ((0, 2),), ((-1, 1),)], ids=str)
def test_a_lexicon_that_does_not_tell_where_phrases_stand_is_told_so(spans: tuple[tuple[int, int], ...]) -> None:
    hints = Hints(frozenset({"black"}), (("black", frozenset({"black"})),), frozenset(), ("black",), spans)
    with pytest.raises(ChoraleError, match=re.escape("the first word of each of `explains`")):
        Sentence(hints, Extended.grammar)
