"""Which epoch of a stage is kept, and when the stage ends, by what it scored on dev."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from chorale.evaluation.metrics import Score
from chorale.training import networks
from chorale.training.recipes import Recipe, parse_recipe
from chorale.training.train import train

Course = list[tuple[int, int]]
COURSE = [(5, 2), (6, 1), (6, 3), (9, 2), (3, 3), (9, 2), (9, 3)]  # right pairs and groups of ten, epoch by epoch
NOTHING_RIGHT = [(0, 0)] * 3


@pytest.fixture
def chosen(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Course, str], tuple[int, int]]:
    """Train with given scores on dev; gives back the epoch that was kept and the last one."""

    def run(course: Course, choose: str) -> tuple[int, int]:
        scores = iter(course)

        def score(*_: object) -> Score:
            pairs, groups = next(scores)
            return Score(10, pairs, 10, groups)

        monkeypatch.setattr(networks, "dev_score", score)
        folder = train(one_stage(tiny, choose), tiny, tmp_path / choose)
        lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
        kept = lines[-1]["chosen"]
        assert (lines[-1]["dev_accuracy"], lines[-1]["dev_consistency"]) == tuple(of / 10 for of in course[kept - 1])
        assert [line["epoch"] for line in lines if line.get("best")][-1] == kept
        model, best = (
            load_file(folder / name) for name in ("model.safetensors", f"stages/02-mml/best-{kept}.safetensors")
        )
        assert model.keys() == best.keys()
        assert all(torch.equal(model[name], best[name]) for name in best)
        return kept, lines[-2]["epoch"]

    return run


def one_stage(tiny: Path, choose: str) -> Recipe:
    text = (tiny / "tiny.toml").read_text()
    stages = text[text.index('{ kind = "mml"') : text.index("]\n")]
    one = f'{{ kind = "mml", max_actions = 5, epochs = 7, patience = 2, choose = "{choose}" }},\n'
    return parse_recipe(text.replace(stages, one))


def test_by_consistency_accuracy_does_not_count(chosen: Callable[[Course, str], tuple[int, int]]) -> None:
    assert chosen(COURSE, "consistency") == (3, 5)  # later epochs with the same consistency are no better


def test_by_both_an_epoch_with_less_consistency_can_be_better(chosen: Callable[[Course, str], tuple[int, int]]) -> None:
    assert chosen(COURSE, "both") == (4, 6)


@pytest.mark.parametrize("choose", ["consistency", "both"])
def test_there_is_a_model_even_if_nothing_is_right(
    chosen: Callable[[Course, str], tuple[int, int]], choose: str
) -> None:
    assert chosen(NOTHING_RIGHT, choose) == (1, 3)


def test_a_step_size_that_decays_falls_to_nothing(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[float] = []
    step = torch.optim.Adam.step

    def noted(self: torch.optim.Adam) -> None:
        sizes.append(self.param_groups[0]["lr"])
        step(self)

    monkeypatch.setattr(torch.optim.Adam, "step", noted)
    text = (tiny / "tiny.toml").read_text()
    stages = text[text.index('{ kind = "mml"') : text.index("]\n")]
    one = '{ kind = "mml", max_actions = 5, epochs = 2, learning_rate = 0.01, decay = true },\n'
    train(parse_recipe(text.replace(stages, one)), tiny, tmp_path / "run")
    assert sizes == pytest.approx([0.01 * (1 - index / len(sizes)) for index in range(len(sizes))])
