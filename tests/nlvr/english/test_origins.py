"""Where clean words come from: the tokens as they were typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.domain import Unlabelled
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.english.words import normalise, origins, tokens


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("There is a bleu box", [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]),
        ("There is ablue box", [(0, 1), (1, 2), (2, 3), (2, 3), (3, 4)]),
        ("There's a blue box", [(0, 1), (0, 1), (1, 2), (2, 3), (3, 4)]),
    ],
)
def test_words_that_ran_together_have_one_origin(sentence: str, found: list[tuple[int, int]]) -> None:
    assert origins(sentence, normalise(sentence)) == found


SLIPS = ["there's", "ablue", "2blocks", "al", "lest", "isa", "black"]


@given(st.text(max_size=40) | st.lists(st.sampled_from(SLIPS)).map(" ".join))
def test_every_word_has_tokens_in_order(sentence: str) -> None:
    clean, count = normalise(sentence), len(tokens(sentence))
    found = origins(sentence, clean)
    assert len(found) == len(clean)
    assert sorted(found) == found
    assert all(0 <= start < end <= count for start, end in found)


@pytest.mark.parametrize("language", ["consistent", "extended"])
def test_hints_say_where_their_words_stand(language: str) -> None:
    domain, sentence = Nlvr(), "There's a box with at least 2 yellow squares touching the wall"
    hints = domain.lexicon(language).hints(Unlabelled(sentence))
    assert len(hints.tokens) == len(hints.explains)
    words = domain.words(sentence)
    said = {" ".join(words[start:end]) for start, end in hints.tokens}
    assert {"yellow", "squares"} <= said
    assert any(phrase.startswith("at least") for phrase in said)
