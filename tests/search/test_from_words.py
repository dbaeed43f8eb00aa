"""Search from words alone: every meaning once, each in its best spelling, and never more work than was allowed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.search.test_enumeration import Lists
from tests.tables import Tables

from chorale.domain import Hints, Unlabelled, Utterance
from chorale.errors import ChoraleError
from chorale.language import Language, Program, run
from chorale.language.derivation import folded
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.languages.extended import Extended
from chorale.nlvr.pictures.random_scenes import context_about, random_scene
from chorale.ranker.alignment import nodes_of
from chorale.search import from_words
from chorale.search.enumeration import Enumeration
from chorale.search.from_words import FromWords, WordsSettings
from chorale.search.prior import Plausibility, budget_of

SENTENCES = (
    "There is a tower with a black block over a blue block",
    "There is a box with no yellow item touching the wall",
    "At least two towers have the same number of blocks",
    "There are 3 small circles and a big square",
    "All blocks are black or blue",
)
EVERYTHING = WordsSettings(max_actions=7, meanings=10**6, most=10**6)


def key(value: Any) -> Any:
    return value.tobytes() if isinstance(value, np.ndarray) else tuple(value)


def is_constant(value: Any) -> bool:
    return len(set(value.tolist() if isinstance(value, np.ndarray) else value)) == 1


class Fixed:
    """A lexicon that knows one sentence."""

    def __init__(self, hints: Hints) -> None:
        self._hints = hints

    def hints(self, utterance: Utterance) -> Hints:
        return self._hints


def every_program(language: Language, hints: Hints, max_actions: int) -> Iterator[tuple[Program, tuple[str, ...]]]:
    """All programs that the words allow, with their terminals, one derivation after another."""
    asked: dict[str, int] = {}
    for _, wanted in hints.explains:
        for name in wanted:
            asked[name] = asked.get(name, 0) + 1
    for actions in language.grammar.enumerate(max_actions):
        program = Program(folded(actions, language.grammar), language.grammar)
        names = tuple(sorted(node.name for node in nodes_of(program)))
        most = {name: max(asked.get(name, 0), hints.repeats.get(name, 0), 1) for name in names}
        is_allowed = set(names) <= hints.allowed - language.abbreviations
        once = (sum(name in group for name in names) <= asked[min(group)] for group in same_words(hints))
        if is_allowed and all(names.count(it) <= most[it] for it in most) and all(once):
            yield program, names


def same_words(hints: Hints) -> list[frozenset[str]]:
    """Functions that the same phrases ask for: together they answer each of these once."""
    groups: dict[tuple[bool, ...], set[str]] = {}
    for name in frozenset().union(*(wanted for _, wanted in hints.explains)) - hints.repeats.keys():
        groups.setdefault(tuple(name in wanted for _, wanted in hints.explains), set()).add(name)
    return list(map(frozenset, groups.values()))


def slowly(language: Language, hints: Hints, max_actions: int) -> dict[Any, float]:
    """Every meaning that is not constant, with the best prior of its spellings."""
    plausibility, best = Plausibility(hints), dict[Any, float]()
    for program, names in every_program(language, hints, max_actions):
        value = run(program, language)
        if not is_constant(value):
            prior = plausibility.of(len(program.action_ids), names).log
            best[key(value)] = max(prior, best.get(key(value), prior))
    return best


def quickly(search: FromWords, utterance: Utterance) -> dict[Any, float]:
    """The same as the search finds it; it is checked that no meaning is found twice."""
    found = search.search(utterance)
    meanings = [key(run(candidate.program, search.language(utterance))) for candidate in found]
    assert len(set(meanings)) == len(meanings)
    return dict(zip(meanings, (candidate.prior.log for candidate in found), strict=True))


@pytest.mark.parametrize(
    "sentence", [SENTENCES[0], *(pytest.param(one, marks=pytest.mark.slow) for one in SENTENCES[1:3])]
)
def test_the_meanings_of_a_sentence_are_those_of_all_programs_that_its_words_allow(sentence: str) -> None:
    domain, said = Nlvr(), Unlabelled(sentence, ())
    search = FromWords.of(domain, "extended", EVERYTHING)
    hints = domain.lexicon("extended").hints(said)
    expected = slowly(search.language(said), hints, EVERYTHING.max_actions)
    assert quickly(search, said) == pytest.approx(expected)


RNG = Random(3)
LISTS = Lists([tuple(RNG.randint(0, 9) for _ in range(RNG.randint(0, 4))) for _ in range(20)])
NAMES = sorted(Lists.grammar.signature)


@given(st.sets(st.sampled_from(NAMES)), st.lists(st.frozensets(st.sampled_from(NAMES), max_size=2), max_size=3))
def test_so_are_those_of_a_language_of_plain_values_whatever_its_words_ask_for(
    glue: set[str], wanted: list[frozenset[str]]
) -> None:
    explains = tuple((f"w{number}", names) for number, names in enumerate(wanted))
    together = frozenset(glue).union(*wanted)
    hints = Hints(together, explains, frozenset(glue))
    # A filter that is applied twice changes nothing, and search does not look at it; see `Enumeration`.
    assume(all(sum(name in names for names in wanted) < 2 for name in NAMES))
    expected = slowly(LISTS, hints, 7)
    assume(expected)
    assert quickly(FromWords(lambda _: LISTS, Fixed(hints), EVERYTHING), Unlabelled("w", ())) == pytest.approx(expected)


@pytest.fixture(scope="module")
def search() -> FromWords:
    return FromWords.of(Nlvr(), "extended", WordsSettings())


@pytest.mark.parametrize("sentence", SENTENCES)
def test_meanings_differ_none_is_constant_and_the_most_plausible_come_first(search: FromWords, sentence: str) -> None:
    said = Unlabelled(sentence, ())
    found = search.search(said)
    assert 1 <= len(found) <= search.settings.meanings
    values = [run(candidate.program, search.language(said)) for candidate in found]
    assert not any(map(is_constant, values))
    assert len({value.tobytes() for value in values}) == len(found)
    priors = [candidate.prior.log for candidate in found]
    assert priors == sorted(priors, reverse=True)
    assert [candidate.meaning for candidate in found] == list(range(len(found)))
    assert max(len(candidate.program.action_ids) for candidate in found) <= search.settings.max_actions


def test_more_spellings_of_a_meaning_stand_together_the_best_first_and_not_much_worse() -> None:
    domain, said = Nlvr(), Unlabelled(SENTENCES[0], ())
    one, three = (
        FromWords.of(domain, "extended", WordsSettings(max_actions=16, meanings=40, spellings=most)) for most in (1, 3)
    )
    firsts, groups = one.search(said), dict[int, list[Any]]()
    for candidate in three.search(said):
        groups.setdefault(candidate.meaning, []).append(candidate)
    assert [spellings[0].program for spellings in groups.values()] == [first.program for first in firsts]
    assert max(map(len, groups.values())) > 1
    for spellings in groups.values():
        assert len(spellings) <= 3
        assert len({run(candidate.program, three.language(said)).tobytes() for candidate in spellings}) == 1
        assert len({candidate.program for candidate in spellings}) == len(spellings)
        priors = [candidate.prior.log for candidate in spellings]
        assert priors == sorted(priors, reverse=True)
        assert priors[0] - priors[-1] <= from_words.SLACK


@pytest.mark.parametrize("sentence", ["Hello world", "", "?!"])
def test_where_nothing_is_said_that_could_be_false_a_constant_is_better_than_nothing(
    search: FromWords, sentence: str
) -> None:
    assert search.search(Unlabelled(sentence, ()))


def test_work_is_bounded_however_long_the_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Enumeration] = []

    class Watched(Enumeration):
        def __init__(self, *arguments: Any, **named: Any) -> None:
            super().__init__(*arguments, **named)
            made.append(self)

    monkeypatch.setattr(from_words, "Enumeration", Watched)
    monkeypatch.setattr(from_words, "MOST_WHOLE", 50)
    settings = WordsSettings(most=20, meanings=30)
    found = FromWords.of(Nlvr(), "extended", settings).search(Unlabelled(". ".join(SENTENCES * 4), ()))
    assert len(found) == 30
    [enumeration] = made
    whole, *inner = enumeration._levels.of
    assert max(len(level) for level in whole.values()) == 50
    assert max(len(level) for levels in inner for level in levels.values() if level.values) == 20


def test_abbreviations_are_functions_of_the_language_and_are_left_out(search: FromWords) -> None:
    assert Extended.abbreviations <= Extended.grammar.signature.keys()
    for sentence in SENTENCES:
        hints = search.hints(Unlabelled(sentence, ()))
        assert hints.allowed & Extended.abbreviations, "the sentence would have room for some"
        for candidate in search.search(Unlabelled(sentence, ())):
            assert not {node.name for node in nodes_of(candidate.program)} & Extended.abbreviations
    everything = FromWords(search.bound, search.lexicon, WordsSettings(lean=False)).search(Unlabelled(SENTENCES[0], ()))
    used = {node.name for candidate in everything for node in nodes_of(candidate.program)}
    assert used & Extended.abbreviations


def test_what_holds_a_program_together_is_repeated_where_a_sentence_has_many_parts() -> None:
    search = FromWords.of(Nlvr(), "extended", WordsSettings(contexts=500))
    said = Unlabelled("There is a box with two black, two blue and two yellow items", ())
    parts = [f"object_count_equals(2)({color})" for color in ("black", "blue", "yellow")]
    meant = Extended.parse(f"some_box(box_filter_and({parts[0]}, box_filter_and({parts[1]}, {parts[2]})))")
    language = search.language(said)
    value = run(meant, language).tobytes()
    assert value in [run(candidate.program, language).tobytes() for candidate in search.search(said)]
    plain = FromWords(search.bound, search.lexicon, WordsSettings(repeats=False))
    assert value not in [run(candidate.program, language).tobytes() for candidate in plain.search(said)]
    hints = search.hints(said)
    names = [node.name for node in nodes_of(meant)]
    for repeats in (True, False):
        budget = budget_of(hints, repeats=repeats)
        spent = np.array([sum(budget.of(name) for name in names)])
        assert bool(budget.allows(spent)[0]) == repeats


def test_contexts_are_generated_and_always_the_same() -> None:
    domain = Nlvr()
    one, other = (FromWords.of(each, "extended", WordsSettings(contexts=9)) for each in (domain, Nlvr()))
    first, second = (each.search(Unlabelled(SENTENCES[0], ())) for each in (one, other))
    assert [candidate.program for candidate in first] == [candidate.program for candidate in second]
    rng = Random(8)
    seen: Sequence[Any] = [random_scene(rng) for _ in range(9)]
    bound = domain.bind("extended", seen)
    assert FromWords(lambda _: bound, domain.lexicon("extended"), WordsSettings()).search(Unlabelled(SENTENCES[0], ()))


@pytest.mark.parametrize(
    ("sentence", "meant"),
    [
        ("There is a box without a yellow circle", "some_box(object_none(yellow(circle)))"),
        ("There is a box without a black triangle", "some_box(object_none(black(triangle)))"),
    ],
)
def test_what_is_nearly_always_true_is_not_taken_for_a_constant(sentence: str, meant: str) -> None:
    """Boxes that are drawn one by one hardly ever hold a yellow circle each; in some scenes boxes are alike."""
    search, said = FromWords.of(Nlvr(), "extended", WordsSettings()), Unlabelled(sentence)
    language = search.language(said)
    assert key(run(language.parse(meant), language)) in [key(run(one.program, language)) for one in search.search(said)]


RARE = {
    "There is a box with a black circle and 2 black triangles": (
        "some_box(box_filter_and(object_exists(black(circle)), object_count_equals(2)(black(triangle))))"
    ),
    "There is a box with two yellow squares and at least two blue squares": (
        "some_box(box_filter_and(object_count_equals(2)(yellow(square)), object_count_greater_equals(2)(blue(square))))"
    ),
    "There is a box with exactly one blue circle and at least two yellow items touching the wall": (
        "some_box(box_filter_and(object_count_equals(1)(blue(circle)), "
        "object_count_greater_equals(2)(yellow(touch_wall))))"
    ),
}


def test_what_is_hardly_ever_true_is_found_on_contexts_about_it() -> None:
    domain = Nlvr()
    everywhere = domain.bind("extended", [context_about(Random(number), ()) for number in range(2_000)])

    def found(sentence: str, meant: str, is_focused: bool) -> bool:
        search = FromWords.of(domain, "extended", WordsSettings(focused=is_focused, most=400))
        values = [key(run(one.program, everywhere)) for one in search.search(Unlabelled(sentence))]
        return key(run(everywhere.parse(meant), everywhere)) in values

    assert all(found(sentence, meant, True) for sentence, meant in RARE.items())
    assert not all(found(sentence, meant, False) for sentence, meant in RARE.items())


def test_a_phrase_is_answered_once_by_one_of_the_functions_it_asks_for() -> None:
    said = Unlabelled("There is a black square touching the wall with another black square on top of it")
    for is_shared in (True, False):
        search = FromWords.of(Nlvr(), "extended", WordsSettings(shared=is_shared))
        twice = [
            {"above", "directly_above"} <= {node.name for node in nodes_of(one.program)} for one in search.search(said)
        ]
        assert any(twice) != is_shared


@pytest.mark.parametrize(
    ("sentence", "spelled"),
    [
        ("A blue triangle touches a black item", "object_exists(blue(triangle(touch_object(black(all_objects)))))"),
        ("A black item touches a blue triangle", "object_exists(black(touch_object(blue(triangle(all_objects)))))"),
    ],
)
def test_of_spellings_that_mean_and_use_the_same_the_one_in_the_order_of_the_words_is_kept(
    sentence: str, spelled: str
) -> None:
    search = FromWords.of(Nlvr(), "extended", WordsSettings(spellings=3))
    assert spelled in [candidate.program.text for candidate in search.search(Unlabelled(sentence))]


def test_a_list_of_four_things_is_found_whole() -> None:
    said = Unlabelled("There is a box with a yellow item, a black triangle, a black circle and a blue square")
    things = ("yellow", "black(triangle)", "black(circle)", "blue(square)")
    *others, last = (f"object_exists({thing})" for thing in things)
    for one in reversed(others):
        last = f"box_filter_and({one}, {last})"
    search = FromWords.of(Nlvr(), "extended", WordsSettings(max_actions=28, most=400))
    language = search.language(said)
    meant = key(run(language.parse(f"some_box({last})"), language))
    assert meant in [key(run(one.program, language)) for one in search.search(said)]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_candidates_know_of_how_much_they_are_true(search: FromWords, sentence: str) -> None:
    said = Unlabelled(sentence)
    for candidate in search.search(said):
        answers = run(candidate.program, search.language(said))
        assert candidate.true_of == pytest.approx(sum(map(bool, answers)) / len(answers))
        assert search.true_of(said, candidate.program) == pytest.approx(candidate.true_of)


def test_plain_values_are_true_of_nothing() -> None:
    search = FromWords(lambda _: LISTS, Fixed(Hints(frozenset(LISTS.grammar.signature), (), frozenset())), EVERYTHING)
    found = search.search(Unlabelled("w", ()))
    assert found
    assert {candidate.true_of for candidate in found} == {None}
    assert search.true_of(Unlabelled("w", ()), found[0].program) is None


def test_a_comma_joins_parts_of_a_sentence() -> None:
    lexicon = Nlvr().lexicon("extended")
    plain, joined = (
        lexicon.hints(Unlabelled(f"There is a box with a blue item{comma} a black item and a circle")).repeats
        for comma in ("", ",")
    )
    assert joined["box_filter_and"] == plain["box_filter_and"] + 1


def test_a_domain_without_a_generator_is_told_that_it_lacks_one() -> None:
    with pytest.raises(ChoraleError, match="the domain tables has no generator, which search from words needs"):
        FromWords.of(Tables(), "asking", WordsSettings())
