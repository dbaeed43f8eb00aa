"""Whole trainings on tiny corpora: what is learned from answers alone is far better than chance."""

from pathlib import Path

import pytest
from tests.people import PeopleDomain, write_questions
from tests.written import as_csv

from chorale.errors import ChoraleError
from chorale.model import load
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.synthetic import Knobs, write_corpus
from chorale.training.recipes import parse_recipe
from chorale.training.train import train

STAGES = """
[search]
noise = 0
pool = false
max_actions = 9
[mml]
epochs = 10
batch = 8
learning_rate = 0.01
[reward]
epochs = 2
batch = 8
learning_rate = 0.001
"""


@pytest.mark.slow  # short trainings of every kind of stage are in tests/training/stages
def test_learning_nlvr_from_labels_alone_beats_chance_by_far(tmp_path: Path) -> None:
    write_corpus(tmp_path, {"train": 300, "dev": 60}, Knobs(seed=1))
    stages = '[{kind="search"}, {kind="mml"}, {kind="reward"}]'
    run = train(parse_recipe(f'name = "learning"\nstages = {stages}\n{STAGES}'), tmp_path, tmp_path / "run")
    model = load(run)
    report = model.evaluate(model.domain.read(tmp_path / "dev.jsonl.gz"))
    # Labels are mixed, so that always saying the same is never consistent, and guessing is so once in 16.
    assert report.score.consistency > 0.25
    assert report.score.accuracy > report.baseline_accuracy + 0.05


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A trained parser for the tiny second domain, beside its data."""
    folder = write_questions(tmp_path_factory.mktemp("people"), train=100, dev=40)
    kinds = ["search", "mml", "reward", "collect", "mml"]
    stages = ", ".join(f'{{ kind = "{kind}", max_actions = 9 }}' for kind in kinds)
    head = f'name = "people"\ndomain = "people"\nlanguage = "asking"\nstages = [{stages}]\n[collect]\nbeam = 20\n'
    train(parse_recipe(head + STAGES), folder, folder / "run", domain=PeopleDomain())
    return folder


def test_a_second_domain_is_searched_and_learned_without_a_change_elsewhere(people: Path) -> None:
    model = load(people / "run", PeopleDomain())
    report = model.evaluate(model.domain.read(people / "dev.jsonl"))
    assert report.score.accuracy > 0.6
    assert report.baseline_accuracy < 0.3


def test_a_second_domain_answers_with_values_of_a_table_never_seen(people: Path) -> None:
    model = load(people / "run", PeopleDomain())
    table = ({"name": "zoe", "city": "rome", "job": "nurse"}, {"name": "yuri", "city": "oslo", "job": "baker"})
    best = model.parse("How many have rome?", [table])[0]
    assert best.answers in {((1),), (("zoe",),)}
    assert best.attention.shape == (len(best.program.action_ids), 4)
    assert best.attention.sum(axis=1) == pytest.approx(1.0, abs=1e-4)


def test_a_network_reads_sentences_with_tables_of_their_own(people: Path) -> None:
    model = load(people / "run", PeopleDomain())
    utterances = model.domain.read(people / "dev.jsonl")[:8]
    found = model.parse([(one.sentence, one.contexts[0]) for one in utterances])
    wanted = [(one.program, one.answers) for one in model.predict(utterances)]
    assert [(readings[0].program, readings[0].answers) for readings in found] == wanted


def test_a_second_domain_predicts(people: Path) -> None:
    model = load(people / "run", PeopleDomain())
    utterances = model.domain.read(people / "dev.jsonl")
    lines = as_csv(utterances, model.predict(utterances), model.domain.answers).splitlines()
    assert len(lines) == 40
    assert lines[0].startswith("0-0,")


def test_a_second_domain_has_a_lexicon_to_listen_to(people: Path, tmp_path: Path) -> None:
    head = 'name = "listening"\ndomain = "people"\nlanguage = "asking"\n[parser]\nlexicon = true\n'
    stages = "".join(f'[[stages]]\nkind = "{kind}"\nmax_actions = 9\n' for kind in ("search", "mml"))
    text = head + "[decoding]\nunexplained = 1.0\n" + STAGES + stages
    model = load(train(parse_recipe(text), people, tmp_path / "run", domain=PeopleDomain()), PeopleDomain())
    report = model.evaluate(model.domain.read(people / "dev.jsonl"))
    assert report.score.accuracy > 0.6


def test_a_model_of_one_domain_is_not_used_for_another(people: Path) -> None:
    with pytest.raises(ChoraleError, match="is for people, not for nlvr"):
        load(people / "run", Nlvr())
    with pytest.raises(ChoraleError, match="there is no domain 'people'"):
        load(people / "run")
