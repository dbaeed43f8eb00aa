"""What the consistency reward is for: with noisy labels, more programs have the right meaning. Takes minutes."""

from pathlib import Path
from statistics import mean

import pytest

from chorale.evaluation.meaning import known_programs, right_meaning
from chorale.model import load
from chorale.nlvr.pictures.synthetic import Knobs, write_corpus
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
[search]
noise = 0
pool = false
[mml]
epochs = 25
batch = 16
patience = 8
[reward]
epochs = 12
batch = 16
patience = 20
learning_rate = 0.001
partners = 5
"""


@pytest.mark.slow
def test_with_noisy_labels_the_consistency_reward_raises_the_share_of_right_meaning_programs(tmp_path: Path) -> None:
    shares: dict[float, list[float]] = {0.0: [], 1.0: []}
    for seed in SEEDS:
        data = tmp_path / f"corpus-{seed}"
        file = write_corpus(data, {"train": 600}, Knobs(seed=seed, noise=0.05))["train"]
        write_corpus(data, {"dev": 200}, Knobs(seed=seed))  # clean, as NLVR's dev nearly is
        for weight, found in shares.items():
            recipe = parse_recipe(RECIPE, changes=[f"reward.consistency={weight}", f"reward.phrases={PHRASES}"])
            before = tmp_path / f"0.0-{seed}" if weight else None  # both begin with the same search and likelihood
            model = load(train(recipe, data, tmp_path / f"{weight}-{seed}", seed=seed, after=before))
            predictions = model.predict(model.domain.read(file))
            found.append(right_meaning(model.domain, model.language, predictions, known_programs(file)))
    print(shares)
    assert mean(shares[1.0]) > mean(shares[0.0])
