"""Supervised training: which examples it learns from, and that it learns."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest
import torch
from tests.tables import Tables
from tests.training.slotted import SILENT, examples, write_slotted

from chorale.errors import ChoraleError
from chorale.model import load
from chorale.nlvr import Consistent
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.english.abstraction import abstract_utterance
from chorale.nlvr.english.slots import fill
from chorale.nlvr.reader import Utterance, read
from chorale.training.recipes import parse_recipe
from chorale.training.settings import Supervised
from chorale.training.supervised import Example, examples_for, fillings_of, log_likelihood
from chorale.training.train import train

torch.set_num_threads(1)  # the tensors are tiny


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("slotted")
    write_slotted(folder, {"train": 100, "dev": 24})
    return folder


@pytest.fixture(scope="module")
def utterances(corpus: Path) -> tuple[Utterance, ...]:
    return tuple(read(corpus / "train.jsonl").utterances)


def made(stage: Supervised, utterances: tuple[Utterance, ...] = (), seed: int = 0) -> list[Example]:
    return examples_for(stage, Nlvr(), "consistent", Consistent.grammar, utterances, Random(seed))


def test_loss_is_the_mean_of_the_surprise() -> None:
    assert log_likelihood(torch.tensor([[0.5], [0.25]]).log2()).item() == 1.5


def test_examples_are_the_domains_own_unless_a_file_is_named(corpus: Path) -> None:
    own, named = made(Supervised(examples=400)), made(Supervised(examples=400, file=str(corpus / "examples.toml")))
    for some in (own, named):
        assert abs(len(some) - 400) < 120  # rare abstract examples are rounded
    kinds = {abstract_utterance(" ".join(example.words)).text for example in named}
    assert kinds == {example.utterance for example in examples()}
    assert len({abstract_utterance(" ".join(example.words)).text for example in own}) > 100


def test_the_same_seed_draws_the_same_examples() -> None:
    stage = Supervised(examples=300)
    assert made(stage, seed=1) == made(stage, seed=1) != made(stage, seed=2)


def test_programs_that_are_too_long_are_left_out() -> None:
    lengths = Counter(len(example.actions) for example in made(Supervised(examples=1000)))
    short = Counter(len(example.actions) for example in made(Supervised(examples=1000, max_actions=9)))
    assert max(lengths) > 9
    assert short == {length: count for length, count in lengths.items() if length <= 9}
    with pytest.raises(ChoraleError, match=r"no example with up to 3 actions to learn from: all programs are longer"):
        made(Supervised(max_actions=3))


def test_without_augmentation_only_training_utterances_fill_the_slots(
    corpus: Path, utterances: tuple[Utterance, ...]
) -> None:
    file = str(corpus / "examples.toml")
    expected = []
    for utterance in utterances:
        said = abstract_utterance(utterance.sentence)
        for example in examples():
            if example.utterance == said.text:
                expected += [(utterance.sentence, fill(program, said.values)) for program in example.programs]
    assert fillings_of(Nlvr(), "consistent", file, utterances) == expected
    assert len(expected) > 100  # one abstract example has two programs
    plain = made(Supervised(augmentation=False, file=file), utterances)
    assert plain == [Example(Nlvr().words(text), Consistent.parse(program).action_ids) for text, program in expected]


def test_without_augmentation_and_without_a_fitting_utterance_there_is_nothing_to_learn(
    tmp_path: Path, utterances: tuple[Utterance, ...]
) -> None:
    (tmp_path / "silent.toml").write_text(SILENT)
    with pytest.raises(ChoraleError, match="no abstract example fits a training utterance"):
        made(Supervised(augmentation=False, file=str(tmp_path / "silent.toml")), utterances)


def test_a_broken_file_of_examples_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "broken.toml").write_text(SILENT.replace("exists({size}", "exists({sise}"))
    with pytest.raises(ChoraleError, match=r"broken\.toml:4: programs: \{sise\} does not occur"):
        made(Supervised(file=str(tmp_path / "broken.toml")))
    with pytest.raises(ChoraleError, match=r"missing\.toml: no such file"):
        made(Supervised(file=str(tmp_path / "missing.toml")))


def test_examples_are_written_in_one_language_and_its_extensions() -> None:
    assert Nlvr().abstractions.filled("extended", Random(0), 50) == Nlvr().abstractions.filled(
        "consistent", Random(0), 50
    )
    with pytest.raises(ChoraleError, match="written in the language consistent; macro cannot read them"):
        Nlvr().abstractions.filled("macro", Random(0), 50)


def test_a_domain_without_abstractions_says_so() -> None:
    with pytest.raises(ChoraleError, match="the domain tables has no abstractions, which supervised needs"):
        examples_for(Supervised(), Tables(), "asking", Tables.languages["asking"].grammar, [], Random(0))


def test_examples_and_then_labels_teach_far_more_than_chance(corpus: Path, tmp_path: Path) -> None:
    recipe = f"""
    name = "small"
    stages = [{{ kind = "supervised" }}, {{ kind = "tied" }}]
    [supervised]
    file = "{corpus / "examples.toml"}"
    examples = 600
    max_actions = 13
    epochs = 6
    batch = 8
    learning_rate = 0.01
    [tied]
    file = "{corpus / "examples.toml"}"
    max_actions = 13
    epochs = 1
    beam = 10
    """
    run = train(parse_recipe(recipe), corpus, tmp_path / "run")
    model = load(run)
    report = model.evaluate(model.domain.read(corpus / "dev.jsonl"))
    # Labels are mixed, so that guessing is consistent once in 16.
    assert report.score.consistency > 0.4
    assert report.score.accuracy > report.baseline_accuracy + 0.15
