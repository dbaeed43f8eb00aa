"""What the consistency reward is for: with noisy labels, more programs are truly right. Takes minutes."""

from pathlib import Path
from statistics import mean

import pytest

from chorale.cli.meanings import known_programs, truly_right
from chorale.nlvr.synthetic import Knobs, write_corpus
from chorale.training.models import load
from chorale.training.recipes import parse_recipe
from chorale.training.train import train

SEEDS = range(5)
PHRASES = Path(__file__).with_name("phrases.toml")
RECIPE = """
name = "noise"
stages = [
  { kind = "search", max_actions = 11 },
  { kind = "mml", max_actions = 11 },
  { kind = "reward", max_actions = 11 },
]
[mml]
epochs = 25
batch = 8
patience = 8
[reward]
epochs = 20
batch = 8
patience = 20
learning_rate = 0.001
partners = 5
"""


@pytest.mark.slow
@pytest.mark.xfail(
    strict=True,  # once it is reached, this says so
    reason="not reached: with 5 partners 44.8, 40.2, 39.3 % on seeds 0 to 2, without the reward 44.7, 42.0, 39.3 %",
)
def test_with_noisy_labels_the_consistency_reward_raises_the_share_of_truly_right_programs(tmp_path: Path) -> None:
    shares: dict[float, list[float]] = {0.0: [], 1.0: []}
    for seed in SEEDS:
        data = tmp_path / f"corpus-{seed}"
        file = write_corpus(data, {"train": 600}, Knobs(seed=seed, noise=0.05))["train"]
        write_corpus(data, {"dev": 200}, Knobs(seed=seed))  # clean, as NLVR's dev nearly is
        for weight, found in shares.items():
            changes = [f"reward.consistency={weight}", f"reward.phrases={PHRASES}"]
            if weight:  # both learn from the same candidates, so one search is enough
                changes.append(f"search.file={tmp_path / f'0.0-{seed}' / 'stages' / '01-search' / 'candidates.jsonl'}")
            model = load(train(parse_recipe(RECIPE, changes=changes), data, tmp_path / f"{weight}-{seed}", seed=seed))
            predictions = model.predict(model.domain.read(file))
            found.append(truly_right(predictions, model.language, known_programs(file)))
    print(shares)
    assert mean(shares[1.0]) > mean(shares[0.0])
