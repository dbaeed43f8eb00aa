"""Finding phrases, against a scan of every phrase at every word."""

from hypothesis import given
from hypothesis import strategies as st

from chorale.nlvr.english.phrase_table import PhraseTable

WORDS = st.sampled_from("ab")
PHRASES = st.lists(st.lists(WORDS, min_size=1, max_size=3).map(tuple), max_size=8)
SENTENCES = st.lists(st.lists(WORDS, min_size=1, max_size=2, unique=True), max_size=6)


@given(PHRASES, SENTENCES)
def test_phrases_at_a_word_are_those_a_plain_scan_finds(phrases, keys):
    table = PhraseTable((phrase, number) for number, phrase in enumerate(phrases))
    for start in range(len(keys)):
        fitting = [
            (start + len(phrase), number)
            for number, phrase in enumerate(phrases)
            if number == phrases.index(phrase)  # of equal phrases the first counts
            and len(keys[start : start + len(phrase)]) == len(phrase)
            and all(word in here for word, here in zip(phrase, keys[start:], strict=False))
        ]
        assert list(table.at(keys, start)) == sorted(fitting, key=lambda found: (-found[0], found[1]))


def test_pieces_take_the_longest_phrase_that_fits():
    table = PhraseTable([(["on"], "above"), (["on", "top"], "top"), (["on", "top", "of"], "above")])
    keys = [[word] for word in ("a", "on", "top", "of", "on", "top", "on")]
    assert list(table.pieces(keys)) == [(0, 1, None), (1, 4, "above"), (4, 6, "top"), (6, 7, "above")]
    refused = table.pieces(keys, lambda start, end: end - start != 3 and start != 6)
    assert list(refused) == [(0, 1, None), (1, 3, "top"), (3, 4, None), (4, 6, "top"), (6, 7, None)]
