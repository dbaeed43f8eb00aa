"""Keys of many parts at once are those of their features, one at a time."""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from chorale.domain.templates import Keyed, Template, key_of

Part = namedtuple("Part", "kind color size words near")
TEMPLATES = (
    Template("kind", "kind", ("box",)),
    Template("both", "color size", ("red", "2")),
    Template("turned", "size color", ("2", "red")),
    Template("if-color", "kind color", ("box", "red"), when="color"),
    Template("word", "kind words", ("box", "the"), each="words"),
    Template("word-first", "words kind size", ("the", "box", "2"), each="words"),
    Template("word-if-size", "words", ("the",), when="size", each="words"),
    Template("near", "near", ("left",), each="near"),
)

texts = st.sampled_from(["", "a", "b", "é", "\ud800", "a b"])
lists = st.lists(texts, max_size=4)


@st.composite
def parts(draw: st.DrawFn) -> list[Part]:
    """Parts of which some share a list, and some have an equal one."""
    shared = draw(st.lists(lists, min_size=1, max_size=3))
    one = st.builds(Part, texts, texts, texts, st.sampled_from(shared), st.one_of(st.sampled_from(shared), lists))
    return draw(st.lists(one, min_size=1, max_size=6))


@given(parts(), st.lists(st.sampled_from(TEMPLATES), min_size=1, unique=True))
def test_keys_are_those_of_the_features_of_each_part(made: list[Part], templates: list[Template]) -> None:
    keys, places, rows, _ = Keyed(Part, templates).keys(made)
    found = sorted(zip(places.tolist(), (templates[it].name for it in rows), keys.tolist(), strict=True))
    wanted = [
        (place, template.name, key_of(feature))
        for place, part in enumerate(made)
        for template in templates
        for feature in template.extract(part)
    ]
    assert found == sorted(wanted)
    assert keys.dtype == np.uint32


@given(parts(), st.permutations(TEMPLATES[:3] + TEMPLATES[4:5]))
def test_the_label_is_the_key_of_the_first_template_without_the_texts_of_a_list(
    made: list[Part], templates: list[Template]
) -> None:
    first, (_, _, _, labels) = templates[0], Keyed(Part, templates).keys(made)
    wanted = [(first.name, part.kind) if first.each else first.extract(part)[0] for part in made]
    assert labels.tolist() == list(map(key_of, wanted))
