"""The networks of a rescorer, trained with torch: the equation of `ranker.rescorer`, the loss of `stages.rescore`."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from chorale.domain.templates import Keys
from chorale.ranker.best import Judged
from chorale.ranker.rescorer import FIRST, MOST_WORDS, WIDTH, Network, Rescorer, numbers_of
from chorale.training.stages.rescore import Rescore

Tick = Callable[[int, int], None]
_IMPOSSIBLE = -1e9  # the log-probability of what is not there
_FIRST_EMBEDDING = 0.1  # how far new embeddings are from zero
_LONGEST = 2.0  # of a step's gradient
_LAST_STEP = 0.02  # of the step size, at the end


class RescoringNetwork(nn.Module):
    """One network; the readings of several utterances at once."""

    def __init__(self, stage: Rescore, words: int, labels: int, figures: NDArray[np.float32]) -> None:
        super().__init__()
        size, count = stage.size, figures.shape[1]
        self.word = nn.Embedding(words + FIRST, size, padding_idx=0)
        self.label = nn.Embedding(labels + FIRST, size, padding_idx=0)
        for table in (self.word, self.label):
            nn.init.normal_(table.weight, std=_FIRST_EMBEDDING)
            with torch.no_grad():
                table.weight[0] = 0.0
        self.filter = nn.Conv1d(size, stage.filters, WIDTH, padding=WIDTH // 2)
        self.hidden = nn.Linear(count + size + stage.filters, stage.hidden)
        self.out = nn.Linear(stage.hidden, 1, bias=False)
        self.scale = nn.Parameter(torch.ones(1))
        self.dropout = nn.Dropout(stage.dropout)
        self.mean, self.spread = torch.from_numpy(figures.mean(axis=0)), torch.from_numpy(figures.std(axis=0) + 1e-3)

    def forward(self, words: Tensor, labels: Tensor, figures: Tensor) -> Tensor:
        """The scores, (batch, reading), of words (batch, place), labels (batch, reading, part) and figures."""
        seen = functional.relu(self.filter(self.dropout(self.word(words)).transpose(1, 2)))  # (batch, filter, place)
        said = seen.masked_fill((words == 0)[:, None], 0.0).amax(dim=2)
        parts = self.dropout(self.label(labels)).sum(dim=2)  # (batch, reading, size)
        normed = (figures - self.mean) / self.spread
        wide = said[:, None].expand(-1, labels.shape[1], -1)
        inside = functional.relu(self.hidden(torch.cat([normed, parts, wide], dim=-1)))
        scores: Tensor = self.out(self.dropout(inside)).squeeze(-1) + self.scale * figures[..., 0]
        return scores

    def plain(self) -> Network:
        """The weights as arrays, for `ranker.rescorer`."""
        assert self.filter.bias is not None
        kernel = self.filter.weight.permute(2, 1, 0)  # (place, size, filter)
        arrays: dict[str, Tensor] = {
            "word": self.word.weight, "label": self.label.weight, "mean": self.mean, "spread": self.spread,
            "filter": kernel.reshape(-1, kernel.shape[2]), "filter_bias": self.filter.bias,
            "hidden": self.hidden.weight.T, "hidden_bias": self.hidden.bias, "out": self.out.weight[0],
            "scale": self.scale,
        }  # fmt: skip
        return {name: np.asarray(it.detach().numpy(), np.float32) for name, it in arrays.items()}


def train_rescorer(
    judged: Sequence[Judged], stage: Rescore, seed: int, tick: Tick, folds: Collection[int] | None = None
) -> Rescorer:
    """Train as many networks as the stage says, on all utterances or on those of some folds."""
    own = [it for it in judged if folds is None or it.fold in folds]
    useful = [it for it in own if it.right.any() and not it.right.all()]
    words = _often([it.best.words for it in own], stage.least_words)
    labels = _often([it.best.labels for it in own], stage.least_labels)
    examples = [
        _Example(numbers_of(it.best.words[:MOST_WORDS], words), numbers_of(it.best.labels, labels), it) for it in useful
    ]
    networks = []
    for number in range(stage.networks if useful else 0):
        network = _trained(examples, stage, len(words), len(labels), [seed, number])
        networks.append(network.plain())
        tick(number + 1, stage.networks)
    return Rescorer(words, labels, networks, stage.readings)


@dataclass(frozen=True)
class _Example:
    words: NDArray[np.intp]
    labels: NDArray[np.intp]
    judged: Judged


def _often(keys: Sequence[Keys], least: int) -> Keys:
    """The keys of at least this many utterances."""
    different = [np.unique(it) for it in keys]
    known, count = np.unique(np.concatenate([np.zeros(0, np.uint32), *different]), return_counts=True)
    kept: Keys = known[(count >= least) & (known > 0)]
    return kept


def _trained(
    examples: Sequence[_Example], stage: Rescore, words: int, labels: int, seed: Sequence[int]
) -> RescoringNetwork:
    rng = np.random.default_rng(seed)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(rng.integers(2**31)))
        network = RescoringNetwork(stage, words, labels, np.concatenate([it.judged.best.figures for it in examples]))
        steps = stage.epochs * math.ceil(len(examples) / stage.batch)
        optimizer = torch.optim.AdamW(network.parameters(), lr=stage.learning_rate, weight_decay=stage.decay)
        schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: max(_LAST_STEP, 1 - step / steps))
        for _ in range(stage.epochs):
            order = rng.permutation(len(examples)).tolist()
            for start in range(0, len(order), stage.batch):
                loss = _loss(network, [examples[it] for it in order[start : start + stage.batch]], stage.none)
                optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                nn.utils.clip_grad_norm_(network.parameters(), _LONGEST)
                optimizer.step()
                schedule.step()
    return network.eval()


def _loss(network: RescoringNetwork, batch: Sequence[_Example], none: float) -> Tensor:
    readings = max(len(it.judged.best) for it in batch)
    words = torch.zeros((len(batch), max(len(it.words) for it in batch)), dtype=torch.long)
    labels = torch.zeros((len(batch), readings, max(it.labels.shape[1] for it in batch)), dtype=torch.long)
    figures = torch.zeros((len(batch), readings, batch[0].judged.best.figures.shape[1]))
    there, right = torch.zeros((2, len(batch), readings), dtype=torch.bool)
    for row, it in enumerate(batch):
        count, parts = it.labels.shape
        words[row, : len(it.words)] = torch.from_numpy(it.words)
        labels[row, :count, :parts] = torch.from_numpy(it.labels)
        figures[row, :count] = torch.from_numpy(it.judged.best.figures)
        there[row, :count] = True
        right[row, :count] = torch.from_numpy(it.judged.right)
    scores = network(words, labels, figures).masked_fill(~there, _IMPOSSIBLE)
    of_right = scores.log_softmax(dim=-1).masked_fill(~right, _IMPOSSIBLE).logsumexp(dim=-1)
    return -torch.logaddexp(of_right, torch.tensor(math.log(none))).mean()
