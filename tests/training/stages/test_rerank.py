"""The reranker's stage: what it learns from, what it leaves behind, and how models use it."""

import json
import math
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from tests.people import PeopleDomain, write_questions
from tests.training.killing import Mortality
from typer.testing import CliRunner

from chorale.cli.main import app
from chorale.domain.parsing import Corpus
from chorale.errors import ChoraleError
from chorale.language.program import Program
from chorale.model import Model, load
from chorale.parser.decoding import NetworkParser, encode
from chorale.parser.reranker import Reranker
from chorale.runs.run import recipe_differences
from chorale.training.descent import Objective
from chorale.training.networks import last_parser
from chorale.training.objectives import rerank
from chorale.training.objectives.rerank import log_loss
from chorale.training.recipes import Recipe, RecipeError, parse_recipe, read_recipe, shortened
from chorale.training.stage import Trainer
from chorale.training.stages.rerank import Rerank
from chorale.training.train import train

RECIPES = Path(__file__).parents[3] / "recipes"
STAGES = (
    '{ kind = "mml", max_actions = 9, epochs = 6 },\n'
    '{ kind = "rerank", max_actions = 9, beam = 30, epochs = 4, batch = 8 },\n'
)


@pytest.fixture(scope="session")
def ranking(tiny: Path) -> Recipe:
    """The tiny recipe up to its first model, and a reranker after it."""
    text = (tiny / "tiny.toml").read_text()
    stages = text[text.index('{ kind = "mml"') : text.index("]\n")]
    return parse_recipe(text.replace(stages, STAGES))


@pytest.fixture(scope="session")
def reranked(ranking: Recipe, tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train(ranking, tiny, tmp_path_factory.mktemp("runs") / "reranked")


def content(run: Path) -> dict[str, bytes]:
    names = ["metrics.jsonl", "dev.json", "model.json", "model.safetensors", "model.reranker.safetensors"]
    return {name: (run / name).read_bytes() for name in [*names, "progress.json"]}


def test_the_loss_counts_every_utterance_alike_and_nothing_that_is_not_there() -> None:
    logits = torch.tensor([[0.3, -1.2, 9.0], [2.0, 0.5, -0.1]], dtype=torch.float64, requires_grad=True)
    right = torch.tensor([[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]], dtype=torch.float64)
    present = torch.tensor([[True, True, False], [True, True, True]])
    p = logits.detach().sigmoid()
    first = -(p[0, 0].log() + (1 - p[0, 1]).log()) / 2
    second = -((1 - p[1, 0]).log() + p[1, 1].log() + p[1, 2].log()) / 3
    loss = log_loss(logits, right, present)
    assert torch.isclose(loss, (first + second) / 2)
    loss.backward()  # type: ignore[no-untyped-call]
    assert logits.grad is not None
    assert logits.grad[0, 2] == 0
    assert torch.autograd.gradcheck(lambda given: log_loss(given, right, present), (logits,))


class Held(BaseException):
    """Brings what the stage would train out of it."""

    def __init__(self, trainer: Trainer, objective: Objective) -> None:
        self.trainer, self.objective = trainer, objective


def test_programs_of_the_beam_are_judged_by_being_right_in_all_contexts(
    ranking: Recipe, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hold(trainer: Trainer, index: int, stage: Rerank, objective: Objective) -> None:
        raise Held(trainer, objective)

    monkeypatch.setattr(rerank, "descend", hold)
    with pytest.raises(Held) as held:
        train(ranking, tiny, tmp_path / "run")
    trainer, objective = held.value.trainer, held.value.objective
    reranker, ours, dev = objective.learner, trainer.train, trainer.dev
    assert isinstance(reranker, Reranker)
    stage = ranking.stages[-1]
    assert isinstance(stage, Rerank)
    parser = last_parser(trainer, 2)
    parser.network.eval()
    reranker.network.eval()
    assert objective.examples == list(range(len(ours)))
    chosen, expected = [7, 0, 19], []
    with torch.no_grad():
        for number in chosen:
            beam = parser.search(encode(parser, ours, [number]), stage.beam, stage.max_actions)
            logs = []
            for program in beam.actions[0]:
                row = program[program >= 0]
                is_right = all(ours.grounding.right(Program.from_actions(row.tolist(), ours.shared), number))
                chance = reranker.logits([ours.words[number]], row[None, None]).sigmoid().item()
                logs.append(torch.tensor(chance if is_right else 1 - chance).log())
            expected.append(-torch.stack(logs).mean())
        assert torch.isclose(objective.loss(chosen), torch.stack(expected).mean(), atol=1e-5)

        right = 0
        for number in range(len(dev)):
            beam = parser.search(encode(parser, dev, [number]), stage.beam, stage.max_actions)
            sums = beam.log_probabilities + reranker.logits([dev.words[number]], beam.actions).sigmoid().log()
            best = beam.actions[0, int(sums[0].argmax())]
            right += all(dev.grounding.right(Program.from_actions(best[best >= 0].tolist(), dev.shared), number))
    assert objective.dev().consistency == right / len(dev)


def test_a_run_notes_every_epoch_and_chooses_by_the_reranked_dev_consistency(reranked: Path) -> None:
    lines = [json.loads(line) for line in (reranked / "metrics.jsonl").read_text().splitlines()]
    epochs = [line for line in lines if line["kind"] == "rerank" and "epoch" in line]
    assert [line["epoch"] for line in epochs] == [1, 2, 3, 4]
    assert all(0 <= line["judged_right"] <= 1 for line in epochs)
    best = max(line["dev_consistency"] for line in epochs)
    assert lines[-1]["dev_consistency"] == best
    assert lines[-1]["chosen"] == next(line["epoch"] for line in epochs if line["dev_consistency"] == best)
    assert json.loads((reranked / "dev.json").read_text())["consistency"] == best
    assert epochs[-1]["loss"] < epochs[0]["loss"]


def test_the_parser_is_left_as_it_was(reranked: Path) -> None:
    [weights] = (reranked / "stages" / "02-mml").glob("best-*.safetensors")
    assert weights.read_bytes() == (reranked / "model.safetensors").read_bytes()


def test_killed_at_any_write_the_run_ends_with_the_same_weights(
    reranked: Path, ranking: Recipe, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mortality = Mortality(monkeypatch, seed=2)
    mortality.until(tmp_path / "run" / "model.json", 3, 8, lambda: train(ranking, tiny, tmp_path / "run"))
    assert mortality.kills > 4
    assert content(tmp_path / "run") == content(reranked)


def test_a_model_parses_in_the_order_of_the_summed_logs(reranked: Path, tiny: Path) -> None:
    model = load(reranked)
    assert isinstance(model.parser, NetworkParser)
    assert model.parser.reranker is not None
    without = Model(replace(model.parser, reranker=None), model.domain, model.about)
    utterances = model.domain.read(tiny / "dev.jsonl.gz")
    kept = json.loads((reranked / "dev.json").read_text())["right"]
    assert {name: list(values) for name, values in model.evaluate(utterances).right.items()} == kept
    for utterance, best in zip(utterances, model.predict(utterances), strict=True):
        parses = model.parse(utterance.sentence, utterance.contexts)
        assert all(parse.rank_probability is not None for parse in parses)
        [(_, beam)] = model.parser.parse(Corpus.of(model.domain, model.language, [utterance]))
        sums = [it.log_probability + math.log(it.rank_probability or 0) for it in beam]
        assert sums == pytest.approx(sorted(sums, reverse=True), abs=1e-4)
        places = [[it.program for it in beam].index(parse.decoded) for parse in parses]
        assert places == sorted(places)  # those that simplification made the same are left out
        assert (parses[0].program, parses[0].answers) == (best.program, best.answers)
        assert parses[0].probability == pytest.approx(best.probability, rel=1e-4)  # still the parser's
        plain = {parse.program.text: parse.probability for parse in parses}
        again = without.parse(utterance.sentence, utterance.contexts)
        assert {parse.program.text: parse.probability for parse in again} == pytest.approx(plain)
        assert all(parse.rank_probability is None for parse in again)


def test_the_command_tells_both_probabilities(reranked: Path) -> None:
    sentence = "There is a black square"
    result = CliRunner().invoke(app, ["parse", str(reranked), sentence, "--json"])
    assert result.exit_code == 0, result.output
    [first, *_] = json.loads(result.output)["parses"]
    assert 0 < first["rank_probability"] < 1
    plain = CliRunner().invoke(app, ["parse", str(reranked), sentence])
    assert next(line for line in plain.output.splitlines() if first["program"] in line).count("%") == 2


def test_a_model_without_a_reranker_is_written_and_read_as_before(ranking: Recipe, tiny: Path, tmp_path: Path) -> None:
    plain = Recipe(name="plain", parser=ranking.parser, stages=ranking.stages[:-1])
    run = train(plain, tiny, tmp_path / "run")
    about = json.loads((run / "model.json").read_text())
    assert about["format"] == 1
    assert "reranker" not in about
    assert load(run).parse("There is a black square")[0].rank_probability is None


def test_a_model_with_a_reranker_is_of_a_format_that_an_older_chorale_refuses(reranked: Path) -> None:
    assert json.loads((reranked / "model.json").read_text())["format"] == 2


@pytest.mark.parametrize("damage", ["flip", "truncate", "remove"])
def test_a_damaged_reranker_is_noticed(reranked: Path, tmp_path: Path, damage: str) -> None:
    shutil.copytree(reranked, tmp_path / "run")
    path = tmp_path / "run" / "model.reranker.safetensors"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data if damage == "flip" else data[:-10])
    if damage == "remove":
        path.unlink()
    with pytest.raises(ChoraleError, match=r"model\.reranker\.safetensors: (missing|damaged or changed)"):
        load(tmp_path / "run")


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("sizes", {"encoder": 0}, "damaged: reranker.sizes.encoder: must be at least 1"),
        ("sizes", None, "damaged: reranker.sizes: expected a table"),
        ("weight", "much", "damaged: reranker.weight: expected a number"),
        ("weights", {"file": "../../etc/passwd", "sha256": ""}, "passwd: missing"),
        ("weights", None, "damaged: reranker.weights: expected a table"),
    ],
)
def test_a_reranker_that_does_not_fit_is_refused(
    reranked: Path, tmp_path: Path, key: str, value: object, message: str
) -> None:
    shutil.copytree(reranked, tmp_path / "run")
    path = tmp_path / "run" / "model.json"
    about = json.loads(path.read_text())
    about["reranker"][key] = value
    path.write_text(json.dumps(about))
    with pytest.raises(ChoraleError, match=message):
        load(tmp_path / "run")


def test_weights_of_another_size_are_refused(reranked: Path, tmp_path: Path) -> None:
    shutil.copytree(reranked, tmp_path / "run")
    path = tmp_path / "run" / "model.json"
    about = json.loads(path.read_text())
    about["reranker"]["sizes"]["encoder"] += 1
    path.write_text(json.dumps(about))
    with pytest.raises(ChoraleError, match="the weights do not fit the network"):
        load(tmp_path / "run")
    assert load_file(reranked / "model.reranker.safetensors")["verdict.bias"].shape == (1,)


def test_a_reranker_comes_last_and_needs_a_model() -> None:
    head = 'name = "x"\nstages = [{ kind = "search" }, { kind = "mml" }, '
    with pytest.raises(RecipeError, match="rerank must be the last stage"):
        parse_recipe(head + '{ kind = "rerank" }, { kind = "mml" }]')
    with pytest.raises(RecipeError, match="rerank needs a model"):
        parse_recipe('name = "x"\nstages = [{ kind = "rerank" }]')
    assert parse_recipe(head + '{ kind = "rerank" }]').stages[-1] == Rerank()


def test_beams_without_a_right_program_are_reported(
    ranking: Recipe, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chorale.training.rewards.Rewards.is_right", lambda *_: False)
    with pytest.raises(ChoraleError, match="stage 3, rerank: no program in any beam is right"):
        train(ranking, tiny, tmp_path / "run")


@pytest.mark.parametrize("name", ["abstract", "consistency"])
def test_a_row_with_a_reranker_is_the_row_without_it_and_one_stage_more(name: str) -> None:
    plain, more = read_recipe(RECIPES / f"{name}.toml"), read_recipe(RECIPES / f"{name}_rerank.toml")
    last = len(more.stages)
    found = [
        change for change in recipe_differences(plain.plain, more.plain) if not change.startswith(f"stages.{last}.")
    ]
    assert found == [f"name: {name!r} before, {name + '_rerank'!r} now"]
    assert last == len(plain.stages) + 1
    assert isinstance(more.stages[-1], Rerank)


def test_a_shortened_recipe_keeps_its_reranker() -> None:
    recipe = read_recipe(RECIPES / "consistency_rerank.toml")
    steps = [(stage.kind, stage.max_actions) for stage in shortened(recipe, 16).stages]
    assert steps[-2:] == [("reward", 15), ("rerank", 15)]
    assert shortened(recipe, 21) == recipe


def test_a_parser_that_is_given_an_agenda_is_given_it_when_it_is_reranked(tiny: Path, tmp_path: Path) -> None:
    text = """
    name = "told"
    stages = [
      { kind = "coverage", start = "scratch", max_actions = 7, epochs = 1, batch = 8 },
      { kind = "rerank", max_actions = 7, beam = 30, epochs = 1 },
    ]
    [parser]
    coverage = true
    """
    run = train(parse_recipe(text), tiny, tmp_path / "run")
    model = load(run)
    assert (model.about.agenda, model.beam, model.about.max_actions) == (True, 30, 7)
    kept = json.loads((run / "dev.json").read_text())["right"]
    report = model.evaluate(model.domain.read(tiny / "dev.jsonl.gz"))
    assert {name: list(values) for name, values in report.right.items()} == kept


def test_utterances_with_constants_of_their_own_are_reranked(tmp_path: Path) -> None:
    write_questions(tmp_path, train=40, dev=10)
    text = """
    name = "people"
    domain = "people"
    language = "asking"
    stages = [
      { kind = "search", noise = 0, pool = false, max_actions = 7 },
      { kind = "mml", max_actions = 7, epochs = 2, batch = 8 },
      { kind = "rerank", max_actions = 7, beam = 40, epochs = 2 },
    ]
    """
    run = train(parse_recipe(text), tmp_path, tmp_path / "run", domain=PeopleDomain())
    model = load(run, PeopleDomain())
    questions_asked = model.domain.read(tmp_path / "dev.jsonl")
    parses = model.parse(questions_asked[0].sentence, questions_asked[0].contexts)
    assert parses[0].program == model.predict(questions_asked)[0].program
