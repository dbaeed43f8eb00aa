"""Utterances that share a phrase."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chorale.domain import SharedPhrases, Unlabelled
from chorale.domain.relations import matched
from chorale.domain.word_lexicon import words_of

CONTENT = {"red", "left", "box"}
SENTENCES = st.lists(st.lists(st.sampled_from(["red", "Left", "box", "the"]), max_size=5).map(" ".join), max_size=5)


def phrases(sentence: str) -> list[tuple[str, tuple[int, int]]]:
    words = words_of(sentence)
    pairs = [(f"{words[at]} {words[at + 1]}", (at, at + 2)) for at in range(len(words) - 1)]
    return [(phrase, span) for phrase, span in pairs if set(phrase.split()) <= CONTENT]


@given(SENTENCES)
def test_partners_have_the_phrase_where_it_is_said_to_stand(sentences: list[str]) -> None:
    said = [Unlabelled(sentence) for sentence in sentences]
    relations = SharedPhrases(CONTENT)
    found = relations.related(said, partners=1000)
    expected = {
        (one, other, span, its_span, phrase)
        for one, first in enumerate(sentences)
        for other, second in enumerate(sentences)
        for phrase, span in phrases(first)
        for same, its_span in phrases(second)
        if one != other and phrase == same
    }
    made = [(one.utterance, one.partner, one.span, one.partner_span, one.phrase) for one in found]
    assert set(made) == expected
    assert len(made) == len(expected)
    few = relations.related(said, partners=1, seed=3)
    assert few == relations.related(said, partners=1, seed=3)
    assert {(one.utterance, one.span) for one in few} == {(one, span) for one, _, span, _, _ in expected}
    assert len(few) == len({(one.utterance, one.span) for one in few})
    counted = {phrase: len({one for one, *_, its in expected if its == phrase}) for *_, phrase in expected}
    assert matched(relations, said, found, "", "") == counted
