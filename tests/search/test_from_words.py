"""Search from words alone: every meaning once, each in its best spelling, and never more work than was allowed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.enumerated import enumerated
from tests.people import PeopleDomain
from tests.search.test_enumeration import Lists

from chorale.domain import Domain, Hints, Unlabelled, Utterance
from chorale.errors import ChoraleError
from chorale.language import Language, Program, run
from chorale.language.derivation import folded
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.languages.extended import Extended
from chorale.nlvr.pictures.random_scenes import context_about
from chorale.plumbing import budget
from chorale.plumbing.budget import VARIABLE
from chorale.ranker.alignment import nodes_of
from chorale.search import from_words
from chorale.search.enumeration import Enumeration
from chorale.search.from_words import FromWords, WordsSettings
from chorale.search.prior import Plausibility, budget_of
from chorale.search.search import search as search_all
from chorale.search.settings import SearchSettings
from chorale.search.work import TooMuchError, Work

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


class Numbers(Domain):
    """Lists of numbers, and a lexicon that knows one sentence."""

    name = "numbers"
    languages: ClassVar[Mapping[str, type[Language]]] = {"lists": Lists}

    def __init__(self, hints: Hints) -> None:
        self._hints = hints

    def variants(self, utterance: Utterance | None, count: int, seed: int) -> Sequence[tuple[int, ...]]:
        return LISTS.contexts

    def lexicon(self, language: str) -> Numbers:
        return self

    def hints(self, utterance: Utterance) -> Hints:
        return self._hints


def every_program(language: Language, hints: Hints, max_actions: int) -> Iterator[tuple[Program, tuple[str, ...]]]:
    """All programs that the words allow, with their terminals, one derivation after another."""
    asked: dict[str, int] = {}
    for _, wanted in hints.explains:
        for name in wanted:
            asked[name] = asked.get(name, 0) + 1
    for actions in enumerated(language.grammar, max_actions):
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
    meanings = [key(run(candidate.program, search.meanings(utterance).language)) for candidate in found]
    assert len(set(meanings)) == len(meanings)
    return dict(zip(meanings, (candidate.log_prior for candidate in found), strict=True))


@pytest.mark.parametrize(("given", "is_enough"), [("", True), ("1000000", False), ("1000000000", True)])
def test_nobody_but_the_user_says_how_much_work_a_sentence_may_cost(
    monkeypatch: pytest.MonkeyPatch, given: str, is_enough: bool
) -> None:
    monkeypatch.setenv(VARIABLE, given)
    search = FromWords(Nlvr(), "extended", WordsSettings(contexts=16))
    if is_enough:
        assert search.search(Unlabelled(SENTENCES[0]))
    else:
        with pytest.raises(
            ChoraleError, match=r"more work than one sentence may cost here \(1,000,000 .*CHORALE_WORK="
        ):
            search.search(Unlabelled(SENTENCES[0]))


def test_work_is_counted_in_all_contexts_and_before_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    work = Work.within(15_000, 1_000)
    assert (work.most, work.at_once) == (15, 1)
    with pytest.raises(TooMuchError):
        work.spend(2)
    plain = Work(most=10)
    plain.spend(10)
    with pytest.raises(TooMuchError):
        plain.spend(1)
    monkeypatch.setenv(VARIABLE, "much")
    with pytest.raises(ChoraleError, match="CHORALE_WORK=much: expected a whole number"):
        Work.within(budget.work(), 1)


@pytest.mark.parametrize(
    "sentence", [SENTENCES[0], *(pytest.param(one, marks=pytest.mark.slow) for one in SENTENCES[1:3])]
)
def test_the_meanings_of_a_sentence_are_those_of_all_programs_that_its_words_allow(sentence: str) -> None:
    domain, said = Nlvr(), Unlabelled(sentence, ())
    search = FromWords(domain, "extended", EVERYTHING)
    hints = domain.lexicon("extended").hints(said)
    expected = slowly(search.meanings(said).language, hints, EVERYTHING.max_actions)
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
    assert quickly(FromWords(Numbers(hints), "lists", EVERYTHING), Unlabelled("w", ())) == pytest.approx(expected)


@pytest.fixture(scope="module")
def search() -> FromWords:
    return FromWords(Nlvr(), "extended", WordsSettings())


@pytest.mark.parametrize("sentence", SENTENCES)
def test_meanings_differ_none_is_constant_and_the_most_plausible_come_first(search: FromWords, sentence: str) -> None:
    said = Unlabelled(sentence, ())
    found = search.search(said)
    assert 1 <= len(found) <= search.settings.meanings
    values = [run(candidate.program, search.meanings(said).language) for candidate in found]
    assert not any(map(is_constant, values))
    assert len({value.tobytes() for value in values}) == len(found)
    priors = [candidate.log_prior for candidate in found]
    assert priors == sorted(priors, reverse=True)
    assert [candidate.meaning for candidate in found] == list(range(len(found)))
    assert max(len(candidate.program.action_ids) for candidate in found) <= search.settings.max_actions


def test_more_spellings_of_a_meaning_stand_together_the_best_first_and_not_much_worse() -> None:
    domain, said = Nlvr(), Unlabelled(SENTENCES[0], ())
    one, three = (
        FromWords(domain, "extended", WordsSettings(max_actions=16, meanings=40, spellings=most)) for most in (1, 3)
    )
    firsts, groups = one.search(said), dict[int, list[Any]]()
    for candidate in three.search(said):
        groups.setdefault(candidate.meaning, []).append(candidate)
    assert [spellings[0].program for spellings in groups.values()] == [first.program for first in firsts]
    assert max(map(len, groups.values())) > 1
    for spellings in groups.values():
        assert len(spellings) <= 3
        assert len({run(candidate.program, three.meanings(said).language).tobytes() for candidate in spellings}) == 1
        assert len({candidate.program for candidate in spellings}) == len(spellings)
        priors = [candidate.log_prior for candidate in spellings]
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
    found = FromWords(Nlvr(), "extended", settings).search(Unlabelled(". ".join(SENTENCES * 4), ()))
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
    everything = FromWords(search.domain, "extended", WordsSettings(lean=False)).search(Unlabelled(SENTENCES[0], ()))
    used = {node.name for candidate in everything for node in nodes_of(candidate.program)}
    assert used & Extended.abbreviations


def test_what_holds_a_program_together_is_repeated_where_a_sentence_has_many_parts() -> None:
    search = FromWords(Nlvr(), "extended", WordsSettings(contexts=500))
    said = Unlabelled("There is a box with two black, two blue and two yellow items", ())
    parts = [f"object_count_equals(2)({color})" for color in ("black", "blue", "yellow")]
    meant = Extended.parse(f"some_box(box_filter_and({parts[0]}, box_filter_and({parts[1]}, {parts[2]})))")
    language = search.meanings(said).language
    value = run(meant, language).tobytes()
    assert value in [run(candidate.program, language).tobytes() for candidate in search.search(said)]
    plain = FromWords(search.domain, "extended", WordsSettings(repeats=False, contexts=500))
    assert value not in [run(candidate.program, language).tobytes() for candidate in plain.search(said)]
    hints = search.hints(said)
    names = [node.name for node in nodes_of(meant)]
    for repeats in (True, False):
        budget = budget_of(hints, repeats=repeats)
        spent = np.array([sum(budget.of(name) for name in names)])
        assert bool(budget.allows(spent)[0]) == repeats


def test_contexts_are_generated_and_always_the_same() -> None:
    said = Unlabelled(SENTENCES[0], ())
    one, other = (FromWords(Nlvr(), "extended", WordsSettings(contexts=9)) for _ in range(2))
    assert one.meanings(said).contexts == other.meanings(said).contexts == Nlvr().variants(said, 9, 0)
    assert one.search(said) == other.search(said)
    plain = FromWords(Nlvr(), "extended", WordsSettings(contexts=9, focused=False))
    assert plain.meanings(said).contexts == Nlvr().variants(None, 9, 0) != one.meanings(said).contexts


@pytest.mark.parametrize(
    ("sentence", "meant"),
    [
        ("There is a box without a yellow circle", "some_box(object_none(yellow(circle)))"),
        ("There is a box without a black triangle", "some_box(object_none(black(triangle)))"),
    ],
)
def test_what_is_nearly_always_true_is_not_taken_for_a_constant(sentence: str, meant: str) -> None:
    """Boxes that are drawn one by one hardly ever hold a yellow circle each; in some scenes boxes are alike."""
    search, said = FromWords(Nlvr(), "extended", WordsSettings()), Unlabelled(sentence)
    language = search.meanings(said).language
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
    everywhere = domain.bind("extended", None, [context_about(Random(number), ()) for number in range(2_000)])

    def found(sentence: str, meant: str, is_focused: bool) -> bool:
        search = FromWords(domain, "extended", WordsSettings(focused=is_focused, most=400))
        values = [key(run(one.program, everywhere)) for one in search.search(Unlabelled(sentence))]
        return key(run(everywhere.parse(meant), everywhere)) in values

    assert all(found(sentence, meant, True) for sentence, meant in RARE.items())
    assert not all(found(sentence, meant, False) for sentence, meant in RARE.items())


def test_a_phrase_is_answered_once_by_one_of_the_functions_it_asks_for() -> None:
    said = Unlabelled("There is a black square touching the wall with another black square on top of it")
    for is_shared in (True, False):
        search = FromWords(Nlvr(), "extended", WordsSettings(shared=is_shared))
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
    search = FromWords(Nlvr(), "extended", WordsSettings(spellings=3))
    assert spelled in [candidate.program.text for candidate in search.search(Unlabelled(sentence))]


def test_a_list_of_four_things_is_found_whole() -> None:
    said = Unlabelled("There is a box with a yellow item, a black triangle, a black circle and a blue square")
    things = ("yellow", "black(triangle)", "black(circle)", "blue(square)")
    *others, last = (f"object_exists({thing})" for thing in things)
    for one in reversed(others):
        last = f"box_filter_and({one}, {last})"
    search = FromWords(Nlvr(), "extended", WordsSettings(max_actions=28, most=400))
    language = search.meanings(said).language
    meant = key(run(language.parse(f"some_box({last})"), language))
    assert meant in [key(run(one.program, language)) for one in search.search(said)]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_candidates_know_of_how_much_they_are_true(search: FromWords, sentence: str) -> None:
    said = Unlabelled(sentence)
    for candidate in search.search(said):
        answers = run(candidate.program, search.meanings(said).language)
        assert candidate.true_of == pytest.approx(sum(map(bool, answers)) / len(answers))
        assert search.meanings(said).true_of(candidate.program) == pytest.approx(candidate.true_of)


def test_so_do_those_of_a_language_of_plain_values() -> None:
    said, hints = Unlabelled("w", ()), Hints(frozenset(NAMES), (), frozenset())
    search = FromWords(Numbers(hints), "lists", EVERYTHING)
    found = search.search(said)
    assert found
    for candidate in found:
        assert candidate.true_of == pytest.approx(np.mean(run(candidate.program, LISTS)))
        assert search.meanings(said).true_of(candidate.program) == candidate.true_of


def about_people(*sentences: str) -> list[Unlabelled]:
    table = PeopleDomain().variants(None, 1, 0)[0]
    return [Unlabelled(sentence.format(**table[0]), (table,)) for sentence in sentences]


def test_programs_with_constants_of_a_table_are_found_on_altered_copies_of_it() -> None:
    domain = PeopleDomain()
    search = FromWords(domain, "asking", WordsSettings(max_actions=12))
    count, ask = about_people("How many have {pet}?", "What is the job of {name}?")
    row = count.contexts[0][0]
    for said, meant in (
        (count, f"count(who(pet, {row['pet']}, everybody))"),
        (ask, f"look_up(job, who(name, {row['name']}, everybody))"),
    ):
        found = search.search(said)
        assert meant in [candidate.program.text for candidate in found]
        assert {candidate.true_of for candidate in found} == {None}, "they are numbers and names, true of nothing"
        meanings = search.meanings(said)
        assert list(meanings.contexts) == [*said.contexts, *domain.variants(said, search.settings.contexts, 0)]
        values = [tuple(run(candidate.program, meanings.language)) for candidate in found]
        assert len(set(values)) == len(values)
        assert not any(map(is_constant, values))


def test_a_table_that_is_never_altered_tells_meanings_apart_by_itself() -> None:
    class Unaltered(PeopleDomain):
        variants = Domain.variants

    search, [said] = FromWords(Unaltered(), "asking", WordsSettings(max_actions=12)), about_people("How many people?")
    assert list(search.meanings(said).contexts) == list(said.contexts)
    assert "count(everybody)" in [candidate.program.text for candidate in search.search(said)]


def test_a_comma_joins_parts_of_a_sentence() -> None:
    lexicon = Nlvr().lexicon("extended")
    plain, joined = (
        lexicon.hints(Unlabelled(f"There is a box with a blue item{comma} a black item and a circle")).repeats
        for comma in ("", ",")
    )
    assert joined["box_filter_and"] == plain["box_filter_and"] + 1


def test_a_domain_that_makes_no_contexts_is_told_that_they_are_needed() -> None:
    class Still(Nlvr):
        variants = Domain.variants  # type: ignore[assignment]

    with pytest.raises(ChoraleError, match=r"nlvr makes no contexts \(`Domain.variants`\), which search from words"):
        FromWords(Still(), "extended", WordsSettings())


def test_a_slip_in_a_lexicon_is_told_and_not_taken_for_a_lack_of_programs() -> None:
    slip = Hints(frozenset({"evn", "everything"}), (("even", frozenset({"evn"})),), frozenset({"everything"}))
    said = r"the words 'even' ask for 'evn', which Lists does not have; did you mean 'even'"
    domain = Numbers(slip)
    with pytest.raises(ChoraleError, match=said):
        FromWords(domain, "lists", EVERYTHING).search(Unlabelled("w"))
    grounding = domain.ground("lists", [Unlabelled("w", LISTS.contexts[:2])])
    with pytest.raises(ChoraleError, match=said):
        list(search_all(domain, "lists", grounding, SearchSettings(max_actions=5)))
