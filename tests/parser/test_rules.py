"""Decoding rules against their definition: what costs, what leaves the beam, and that models keep them."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from tests.strategies import programs

from chorale.domain import Domain, Hints, Unlabelled, meanings_of
from chorale.domain.meanings import FOR_CONSTANTS
from chorale.domain.parsing import Corpus
from chorale.errors import ChoraleError
from chorale.language import Program
from chorale.model import load
from chorale.nlvr import Extended
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.synthetic import Knobs, write_corpus
from chorale.parser.rules import Rules
from chorale.search.prior import Plausibility
from chorale.training.recipes import parse_recipe
from chorale.training.train import train

DOMAIN = Nlvr()
SENTENCE = "There is a big black circle"


def corpus(sentence: str = SENTENCE) -> Corpus:
    return Corpus.of(DOMAIN, "extended", [Unlabelled(sentence)], hints=True, sample=True, grounded=False)


def ranked(rules: Rules, *scored: tuple[str, float]) -> list[int]:
    return list(rules.ranked(corpus(), 0, [(Extended.parse(text).action_ids, score) for text, score in scored]))


EVERYTHING = "object_exists(all_objects)"
BLACK = "object_exists(black(all_objects))"
CIRCLE = "object_exists(black(circle(all_objects)))"
WHOLE = "object_exists(big(black(circle(all_objects))))"


def test_a_word_left_unexplained_costs() -> None:
    rules = Rules(unexplained=2.0)
    assert ranked(rules, (CIRCLE, -1.0), (WHOLE, -2.9)) == [1, 0]  # big
    assert ranked(rules, (CIRCLE, -1.0), (WHOLE, -3.1)) == [0, 1]
    assert ranked(rules, (BLACK, -1.0), (WHOLE, -4.9)) == [1, 0]  # big and circle


def test_what_is_true_of_everything_leaves_the_beam_unless_nothing_else_is_there() -> None:
    rules = Rules(informative=True)
    assert ranked(rules, (EVERYTHING, -1.0), (BLACK, -2.0)) == [1]
    assert ranked(rules, (EVERYTHING, -1.0), ("box_exists(all_boxes)", -2.0)) == [0, 1]


def test_without_rules_the_order_is_that_of_the_scores() -> None:
    assert not Rules()
    assert ranked(Rules(), (EVERYTHING, -1.0), (WHOLE, -2.0)) == [0, 1]
    with pytest.raises(ValidationError):
        Rules(unexplained=-1.0)


@given(st.lists(st.tuples(programs(Extended.grammar, 11), st.floats(-20, 0)), min_size=1, max_size=5))
def test_ranks_are_those_of_the_definition(scored: list[tuple[Program, float]]) -> None:
    rules, known = Rules(unexplained=2.0, informative=True), corpus()
    [hints] = known.hints or [Hints(frozenset(), (), frozenset())]

    def score(rank: int) -> float:
        program, given_ = scored[rank]
        names = tuple(made.name for n in program.action_ids if (made := program.grammar.productions[n]).name)
        return given_ - 2.0 * len(Plausibility(hints).of(len(program.action_ids), names).unexplained)

    order = sorted(range(len(scored)), key=lambda rank: -score(rank))
    told = [
        rank for rank in order if not meanings_of(DOMAIN, "extended", None, FOR_CONSTANTS).is_constant(scored[rank][0])
    ]
    assert list(rules.ranked(known, 0, [(one.action_ids, given_) for one, given_ in scored])) == (told or order)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rules")
    write_corpus(folder, {"train": 24, "dev": 8}, Knobs(seed=3))
    text = "name = 'rules'\nstages = [{kind='search', max_actions=7, keep=3}, {kind='mml', epochs=2, max_actions=9}]\n"
    return train(
        parse_recipe(text + "[decoding]\nunexplained = 2.0\ninformative = true\n[parser]\nlexicon = true"),
        folder,
        folder / "run",
    )


def test_a_model_keeps_its_rules_and_its_lexicon(trained: Path) -> None:
    about = json.loads((trained / "model.json").read_text())
    assert about["decoding"] == {"unexplained": 2.0, "informative": True}
    assert about["sizes"]["lexicon"]
    assert about["format"] == 3  # an older Chorale would leave the rules out without a word
    model = load(trained)
    report = model.evaluate(model.domain.read(trained.parent / "dev.jsonl.gz"))
    before = json.loads((trained / "dev.json").read_text())
    assert {name: list(values) for name, values in report.right.items()} == before["right"]
    found = [parse.program for parse in model.parse(SENTENCE)]
    assert found
    assert not any(map(meanings_of(DOMAIN, "consistent", None, FOR_CONSTANTS).is_constant, found))


def test_a_domain_without_a_lexicon_or_contexts_of_its_own_making_says_so() -> None:
    class Bare(Nlvr):
        name = "bare"
        variants = Domain.variants

        def lexicon(self, language: str) -> None:  # type: ignore[override]
            return None

    for key, what in (("hints", "has no lexicon"), ("sample", "makes no contexts")):
        with pytest.raises(ChoraleError, match=what):
            Corpus.of(Bare(), "extended", [Unlabelled(SENTENCE)], grounded=False, **{key: True})
