"""The ranker: what it answers is what its weights and the prior say, in every process the same."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest
from tests.ranker.conftest import SENTENCES

from chorale.domain import Unlabelled
from chorale.domain.parsing import Corpus
from chorale.errors import ChoraleError
from chorale.language import Program, run
from chorale.model import Model, load
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.synthetic import Knobs, write_corpus
from chorale.ranker.features import Feature, names
from chorale.ranker.ranker import Ranker
from chorale.search.from_words import WordsSettings
from chorale.training.recipes import parse_recipe
from chorale.training.train import train

SMALL = WordsSettings(max_actions=14, meanings=40, contexts=24, most=40)
RECIPE = """
name = "small"
language = "extended"
stages = [{ kind = "ranker", max_actions = 14, meanings = 40, contexts = 24, most = 40 }]
"""


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    write_corpus(folder, {"train": 60, "dev": 24}, Knobs(seed=2))
    return folder


@pytest.fixture(scope="session")
def run_folder(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train(parse_recipe(RECIPE), data, tmp_path_factory.mktemp("runs") / "small")


@pytest.fixture(scope="session")
def model(run_folder: Path) -> Model:
    return load(run_folder)


class AnyWeight(Mapping[Feature, float]):
    """A weight for every feature, the same each time."""

    def __getitem__(self, feature: Feature) -> float:
        return Random(repr(feature)).uniform(-0.2, 0.2)

    def __contains__(self, feature: object) -> bool:
        return True

    def __iter__(self) -> None:  # type: ignore[override]
        raise AssertionError("there is no end to them")

    def __len__(self) -> int:
        raise AssertionError("there is no end to them")


def slowly(ranker: Ranker, said: Unlabelled) -> dict[bytes, float]:
    """The probability of every meaning, from all features of all spellings."""
    worth: dict[bytes, float] = {}
    for candidate in ranker.candidates(said):
        sentence = ranker.sentence(said)
        parts = sentence.parts(candidate.program, ranker.true_of(said, candidate.program))
        features = [one for key in parts for one in sentence.features(key)]
        score = candidate.log_prior + sum(ranker.weights.get(feature, 0.0) for feature in features)
        meaning = run(candidate.program, ranker._from_words.meanings(said).language).tobytes()
        worth[meaning] = worth.get(meaning, 0.0) + math.exp(score)
    total = sum(worth.values())
    return {meaning: share / total for meaning, share in worth.items()}


@pytest.mark.parametrize("spellings", [1, 3])
@pytest.mark.parametrize("sentence", SENTENCES)
def test_probabilities_are_those_of_prior_and_weights_and_sum_to_one(
    domain: Nlvr, sentence: str, spellings: int
) -> None:
    settings = SMALL.model_copy(update={"spellings": spellings})
    ranker, said = Ranker(domain, "extended", settings, AnyWeight()), Unlabelled(sentence, ())
    found = ranker.ranked(said)
    chances = [math.exp(one.log_probability) for one in found]
    assert sum(chances) == pytest.approx(1)
    assert chances == sorted(chances, reverse=True)
    meanings = [run(one.program, ranker._from_words.meanings(said).language).tobytes() for one in found]
    assert dict(zip(meanings, chances, strict=True)) == pytest.approx(slowly(ranker, said))


def test_without_weights_the_prior_decides(domain: Nlvr) -> None:
    ranker, said = Ranker(domain, "extended", SMALL, {}), Unlabelled(SENTENCES[0], ())
    assert [one.program for one in ranker.ranked(said)] == [one.program for one in ranker.candidates(said)]


def test_a_weight_moves_what_has_its_feature(domain: Nlvr) -> None:
    said = Unlabelled("There is a tower with a black block over a blue block", ())
    above, below = (Ranker(domain, "extended", SMALL, {("edge", "above", "{color}", way): 5.0}) for way in "><")
    assert above.ranked(said)[0].program.text == "some_box(object_exists(black(above(blue))))"
    assert below.ranked(said)[0].program.text == "some_box(object_exists(blue(above(black))))"


def test_a_small_training_teaches_more_than_the_prior_knows(model: Model, data: Path) -> None:
    utterances = model.domain.read(data / "dev.jsonl.gz")
    learned = model.evaluate(utterances)
    ignorant = Ranker(model.domain, "extended", SMALL, {})
    before = Model(ignorant, model.domain, model.about).evaluate(utterances)
    assert learned.score.consistency > before.score.consistency
    assert learned.score.accuracy > learned.baseline_accuracy + 0.1


def test_a_model_says_what_programs_mean_and_has_no_attention(model: Model, data: Path) -> None:
    utterance = model.domain.read(data / "dev.jsonl.gz")[0]
    parses = model.parse(utterance.sentence, utterance.contexts)
    assert sum(parse.probability for parse in parses) == pytest.approx(1)
    assert parses[0].attention is None
    assert len(parses[0].answers or ()) == len(utterance.contexts)
    assert [parse.program for parse in model.parse(utterance.sentence, beam=1)] == [parses[0].program]


def test_as_many_programs_are_given_as_were_asked_for(model: Model) -> None:
    corpus = Corpus.of(model.domain, "extended", [Unlabelled(text, ()) for text in SENTENCES], grounded=False)
    for asked in ({"top": 2}, {"beam": 2}, {"top": 2, "beam": 5}):
        found = dict(model.parser.parse(corpus, **asked))  # type: ignore[arg-type]
        assert sorted(found) == list(range(len(SENTENCES)))
        assert all(1 <= len(programs) <= 2 for programs in found.values())


def test_reasons_are_the_weights_of_a_programs_features_in_words_the_heaviest_first(model: Model) -> None:
    ranker, said = model.parser, Unlabelled("There is a box with a black item", ())
    assert isinstance(ranker, Ranker)
    scores: list[float] = []
    listed = ranker.candidates(said)
    for candidate in listed:
        reasons = ranker.reasons(said, candidate.program)
        weights = [abs(reason.weight) for reason in reasons]
        assert weights == sorted(weights, reverse=True)
        assert all(reason.feature[0] in names() and " ".join(reason.feature).isprintable() for reason in reasons)
        scores.append(candidate.log_prior + sum(reason.weight for reason in reasons))
    best = listed[max(range(len(listed)), key=scores.__getitem__)]
    assert ranker.ranked(said)[0].program == best.program
    assert ranker.reasons(said, best.program)


SCRIPT = """
import sys
from chorale.domain import Unlabelled
from chorale.model import load
ranker = load(sys.argv[1]).parser
for sentence in sys.argv[2:]:
    for one in ranker.ranked(Unlabelled(sentence, ())):
        print(one.program.text, one.log_probability.hex())
"""


def test_every_process_answers_the_same(run_folder: Path) -> None:
    said = []
    for seed in ("1", "2"):
        command = [sys.executable, "-c", SCRIPT, str(run_folder), *SENTENCES]
        done = subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        )
        said.append(done.stdout)
    assert said[0] == said[1]
    assert said[0].count("\n") > len(SENTENCES)


def test_equal_sentences_are_searched_once(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    ranker = Ranker(model.domain, "extended", SMALL, {})
    asked: list[str] = []
    monkeypatch.setattr(ranker, "candidates", lambda said: asked.append(said.sentence) or [])
    corpus = Corpus.of(model.domain, "extended", [Unlabelled(text, ()) for text in ("a", "b", "a")], grounded=False)
    assert dict(ranker.parse(corpus)) == {0: [], 1: [], 2: []}
    assert asked == ["a", "b"]


def test_a_language_without_a_lexicon_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    domain = Nlvr()
    monkeypatch.setattr(domain, "lexicon", lambda language: None)
    with pytest.raises(ChoraleError, match="has no lexicon for extended"):
        Ranker(domain, "extended", SMALL, {})


def test_a_program_of_ones_own_can_be_explained_too(model: Model) -> None:
    ranker = model.parser
    assert isinstance(ranker, Ranker)
    program: Program = model.domain.languages["extended"].parse("object_exists(black(all_objects))")
    assert isinstance(ranker.reasons(Unlabelled("There is a black item", ()), program), list)
