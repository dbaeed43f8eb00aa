"""The utterances that phrase sets relate."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.errors import ChoraleError
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.english.phrases import PhraseSet, read_phrases
from chorale.nlvr.english.relations import occurrences, pair
from chorale.nlvr.english.slots import CLUSTERS, SPELLINGS, cluster_of, is_slot

BASE = PhraseSet(name="base", phrases=["COLOR block at the base", "the base is COLOR"])
ITEMS = PhraseSet(
    name="items", phrases=["with NUMBER COLOR items", "with only NUMBER COLOR items", "NUMBER COLOR items"]
)
ON = PhraseSet(name="on", phrases=["COLOR1 block on a COLOR2 block", "COLOR1 block over a COLOR2 block"])
SHAPES = PhraseSet(name="shapes", phrases=["are NUMBER COLOR SHAPE"])


def related(sentences, sets, matching="tokens", **options):
    return pair(occurrences(sentences, sets, matching), matching=matching, **options)


def words_of(sentence: str, span: tuple[int, int]) -> str:
    return " ".join(Nlvr().words(sentence)[slice(*span)])


def test_spans_hold_the_phrase_in_both_utterances():
    sentences = ["There is a tower with a Black block at the base.", "All have 3 blocks and the base is black"]
    there, back = related(sentences, [BASE])
    assert (there.utterance, there.partner, back.utterance, back.partner) == (0, 1, 1, 0)
    assert words_of(sentences[0], there.span) == there.phrase == "black block at the base"
    assert words_of(sentences[1], there.partner_span) == back.phrase == "the base is black"
    assert (back.span, back.partner_span) == (there.partner_span, there.span)


def test_the_longest_phrase_is_kept():
    sentences = ["a box with only 2 black items", "a box with 2 black items", "2 black items"]
    (groups,) = occurrences(sentences, [ITEMS])
    assert [found.phrase for group in groups for found in group] == [
        "with only 2 black items",
        "with 2 black items",
        "2 black items",
    ]


def test_word_and_digit_of_a_number_and_both_numbers_of_a_shape_are_one_set():
    pairs = related(["There are two blue circles", "there are 2 blue circle"], [SHAPES])
    assert {(pair.utterance, pair.partner) for pair in pairs} == {(0, 1), (1, 0)}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the base is black", "the base is blue"),
        ("with 2 black items", "with 3 black items"),
        ("black block on a blue block", "blue block on a black block"),
    ],
)
def test_other_fillers_are_another_set(one, other):
    assert related([one, other], [BASE, ITEMS, ON]) == []


def test_a_phrase_with_other_fillers_relates_if_asked_for():
    sentences = ["the base is black", "the base is blue and blue block at the base", "the base is blue", "base"]
    pairs = related(sentences, [BASE, ITEMS], other_fillers=2)
    assert {(pair.utterance, pair.partner) for pair in pairs if pair.other_fillers} == {(0, 1), (0, 2), (1, 0), (2, 0)}
    assert [pair for pair in pairs if not pair.other_fillers] == related(sentences, [BASE, ITEMS])


def test_nobody_is_its_own_partner_with_other_fillers():
    assert related(["the base is black, the base is blue"], [BASE], other_fillers=1) == []


def test_all_fillers_of_the_languages_are_known():
    for language in Nlvr().languages.values():
        said = set(language.grammar.terminal_ids)
        clusters = [SPELLINGS[cluster] for cluster in ("color", "number", "shape")]
        spellings = {spelling for values in clusters for spelled in values.values() for spelling in spelled}
        named = {name for name in said if name.removeprefix("color_").removeprefix("shape_") in spellings}
        assert named == Nlvr().relations.fillers & said - CLUSTERS["size"].keys()


def test_a_phrase_inside_longer_words_is_not_matched_by_tokens():
    assert related(["the base is blackish", "bathe base is black", "the base is black"], [BASE]) == []


def test_equal_sentences_of_two_utterances_are_partners_but_nobody_is_its_own():
    assert len(related(["the base is black"] * 2, [BASE])) == 2
    assert related(["the base is black, the base is black"], [BASE]) == []


def test_an_utterance_has_partners_for_each_of_its_phrases():
    both = "the base is black, a blue block on a blue block"
    pairs = related([both, "the base is black", "blue block over a blue block"], [BASE, ON])
    assert [pair.partner for pair in pairs if pair.utterance == 0] == [1, 2]


@pytest.mark.parametrize("partners", [1, 2, 5])
def test_partners_are_as_many_as_wanted_and_different(partners):
    pairs = related(["the base is black"] * 4, [BASE], partners=partners)
    for utterance in range(4):
        chosen = [pair.partner for pair in pairs if pair.utterance == utterance]
        assert len(chosen) == len(set(chosen)) == min(partners, 3)
        assert utterance not in chosen


def test_the_seed_decides_the_partners():
    sentences = ["the base is black"] * 30
    assert related(sentences, [BASE], seed=3) == related(sentences, [BASE], seed=3)
    assert related(sentences, [BASE], seed=3) != related(sentences, [BASE], seed=4)


# Pieces of phrases rather than single words, or whole phrases would hardly ever come up.
PIECES = """black block|Blue|block|at the base|the base is|black.|with only|with|2|two|black items|blue items|item|on a
    |over a|Blue block|only"""
WORDS = st.sampled_from(PIECES.split("|"))
SENTENCES = st.lists(st.lists(WORDS, max_size=12).map(" ".join), max_size=6)


@given(SENTENCES, st.sampled_from([BASE, ITEMS, ON]))
def test_token_matching_finds_what_a_plain_scan_finds(sentences, phrases):
    (groups,) = occurrences(sentences, [phrases])
    found = {(number, one.utterance, one.span) for number, group in enumerate(groups) for one in group}
    assert found == scan(sentences, phrases)


def scan(sentences: list[str], phrases: PhraseSet) -> set[tuple[int, int, tuple[int, int]]]:
    """The slow twin: every window of every sentence against every filling of every phrase."""
    slots = sorted({word for word in phrases.phrases[0].split() if is_slot(word)})
    found = set()
    for number, fillers in enumerate(product(*(SPELLINGS[cluster_of(slot)].values() for slot in slots))):
        allowed = dict(zip(slots, fillers, strict=True))
        for utterance, sentence in enumerate(sentences):
            words = Nlvr().words(sentence)
            windows = [(i, j) for i in range(len(words)) for j in range(i + 1, len(words) + 1)]
            fits = [
                (i, j)
                for i, j in windows
                for phrase in map(str.split, phrases.phrases)
                if len(phrase) == j - i
                and all(word in allowed.get(slot, (slot,)) for word, slot in zip(words[i:j], phrase, strict=True))
            ]
            if fits:
                found.add((number, utterance, max(fits, key=lambda span: (span[1] - span[0], -span[0]))))
    return found


@given(SENTENCES, st.integers(1, 3), st.integers(0, 5))
def test_every_pair_shares_a_grounding_and_its_spans_lie_within(sentences, partners, seed):
    (groups,) = occurrences(sentences, [ITEMS])
    together = {(a.utterance, b.utterance) for group in groups for a in group for b in group}
    for one in related(sentences, [ITEMS], partners=partners, seed=seed):
        assert one.utterance != one.partner
        assert (one.utterance, one.partner) in together
        assert 0 <= one.span[0] < one.span[1] <= len(Nlvr().words(sentences[one.utterance]))
        assert 0 <= one.partner_span[0] < one.partner_span[1] <= len(Nlvr().words(sentences[one.partner]))


def test_unknown_settings_are_told():
    with pytest.raises(ChoraleError, match="there is no matching 'letters'; choose from tokens and reference"):
        related([], [BASE], matching="letters")
    with pytest.raises(ChoraleError, match="partners: expected at least 1, found 0"):
        related([], [BASE], partners=0)


@pytest.mark.nlvr
def test_the_domain_relates_its_utterances(nlvr):
    utterances = Nlvr().read(nlvr / "train.json")
    sentences = [utterance.sentence for utterance in utterances]
    assert Nlvr().relations.related(utterances, "printed", seed=2) == related(
        sentences, read_phrases("printed"), seed=2
    )


@pytest.mark.nlvr
@pytest.mark.parametrize("seed", [0, 1])
def test_the_printed_sets_relate_725_utterances_and_the_third_matches_none(nlvr, seed):
    sentences = [utterance.sentence for utterance in Nlvr().read(nlvr / "train.json")]
    sets = read_phrases("printed")
    pairs = related(sentences, sets, seed=seed)
    assert (len({pair.utterance for pair in pairs}), len(pairs)) == (725, 779)
    assert not any(occurrences(sentences, sets)[2])
