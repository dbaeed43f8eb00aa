"""Supervised training: which examples it learns from, and that it learns."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest
import torch
from tests.people import PeopleDomain, write_questions
from tests.training.slotted import SILENT, examples, write_slotted

from chorale.errors import ChoraleError
from chorale.model import load
from chorale.nlvr import Consistent
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.english.abstraction import abstract_utterance
from chorale.parser.parser import Parser
from chorale.parser.vocabulary import Vocabulary
from chorale.training.objectives.supervised import ExampleLoss
from chorale.training.recipes import parse_recipe
from chorale.training.stages.supervised import ProgramExample, Supervised
from chorale.training.train import train

torch.set_num_threads(1)  # the tensors are tiny


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("slotted")
    write_slotted(folder, {"train": 100, "dev": 24})
    return folder


def made(stage: Supervised, seed: int = 0) -> list[ProgramExample]:
    domain = Nlvr()
    return stage.drawn(domain.abstractions, "consistent", Consistent.grammar, domain.words, Random(seed))


def test_loss_is_the_mean_of_the_surprise() -> None:
    drawn = made(Supervised(examples=300))[:3]
    parser = Parser(Consistent.grammar, Vocabulary.of(example.words for example in drawn))
    parser.network.eval()
    alone = [parser.score(parser.encode([it.words]), [[it.actions]]).log_probabilities.item() for it in drawn]
    assert ExampleLoss(parser, drawn).loss([0, 1, 2]).item() == pytest.approx(-sum(alone) / 3, rel=1e-5)


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


def test_a_domain_without_abstractions_says_so(tmp_path: Path) -> None:
    write_questions(tmp_path, train=3, dev=3)
    recipe = parse_recipe('name = "t"\ndomain = "people"\nlanguage = "asking"\nstages = [{ kind = "supervised" }]')
    with pytest.raises(ChoraleError, match="the domain people has no abstractions, which supervised needs"):
        train(recipe, tmp_path, tmp_path / "run", domain=PeopleDomain())


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
