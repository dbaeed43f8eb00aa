"""A lexicon that is a table: the longest phrase wins, and every word is accounted for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.people import PeopleDomain

from chorale.domain import Hints, Unlabelled, Utterance, WordLexicon, hints_of
from chorale.domain.word_lexicon import words_of

SAYS = {"red": "red", "blue": "blue", "at least": "at_least", "at": "at", "two": "2", "dark red": "red dark"}
LEXICON = WordLexicon(SAYS, glue={"exists"}, classes={"color": ("red", "blue")})
WORDS = ["red", "at", "least", "two", "dark", "box", "Blue!"]


def hints(sentence: str) -> Hints:
    return LEXICON.hints(Unlabelled(sentence))


def slowly(words: list[str]) -> list[tuple[str, tuple[int, int]]]:
    """The slow twin: at each place the longest phrase of the table."""
    if not words:
        return []
    fitting = [phrase for phrase in SAYS if words[: len(phrase.split())] == phrase.split()]
    longest = max(fitting, key=lambda phrase: len(phrase.split()), default="")
    step = max(1, len(longest.split()))
    rest = [(phrase, (start + step, end + step)) for phrase, (start, end) in slowly(words[step:])]
    return [(longest, (0, step)), *rest] if longest else rest


@given(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join))
def test_phrases_are_found_from_left_to_right_the_longest_first(sentence: str) -> None:
    found, expected = hints(sentence), slowly(words_of(sentence))
    assert [phrase for phrase, _ in found.explains] == [phrase for phrase, _ in expected]
    assert [wanted for _, wanted in found.explains] == [frozenset(SAYS[phrase].split()) for phrase, _ in expected]
    assert list(found.tokens) == [span for _, span in expected]
    assert found.allowed == frozenset({"exists"}).union(*(wanted for _, wanted in found.explains))
    assert found.glue == {"exists"}
    for (phrase, _), (start, end) in zip(found.explains, found.spans, strict=True):
        assert " ".join(found.words[start:end]) in {phrase, "{color}"}


def test_names_that_can_take_each_others_place_are_shown_as_one_word() -> None:
    assert hints("a red box").words == hints("a blue box").words == ("a", "{color}", "box")
    assert hints("a dark red box").words == ("a", "dark", "red", "box"), "dark is in no class"
    assert hints("red").classes == {"red": "{color}", "blue": "{color}"}
    assert hints("red").unknown is None


def test_the_lexicon_is_asked_once_for_what_is_the_same_to_a_parser() -> None:
    asked: list[str] = []

    class Watched(PeopleDomain):
        def lexicon(self, language: str) -> Watched:  # type: ignore[override]
            return self

        def hints(self, utterance: Utterance) -> Hints:
            asked.append(utterance.sentence)
            return PeopleDomain().lexicon("asking").hints(utterance)

    domain = Watched()
    tables = domain.variants(None, 2, 0)
    for sentence, table in (("Who?", tables[0]), ("Who?", tables[0]), ("Who?", tables[1]), ("What?", tables[0])):
        said = Unlabelled(sentence, (table,))
        assert hints_of(domain, "asking", said) == PeopleDomain().lexicon("asking").hints(said)
    assert asked == ["Who?", "Who?", "What?"]


def test_without_a_lexicon_words_say_nothing() -> None:
    class Wordless(PeopleDomain):
        def lexicon(self, language: str) -> None:  # type: ignore[override]
            return None

    assert hints_of(Wordless(), "asking", Unlabelled("Who?", ((),))) is None
