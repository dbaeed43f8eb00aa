"""Gradient descent with early stopping, epoch by epoch, each of which is committed.

After every epoch dev is decoded; the weights that are best there, by what the stage says in `choose`, are its model,
the first ones if several are equal. The stage ends after `epochs`, or after `patience` epochs without a better one.
"""

from __future__ import annotations

import hashlib
import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import torch

from chorale.errors import ChoraleError
from chorale.evaluation.metrics import Score, score_of
from chorale.parser import Parser
from chorale.runs.checkpoints import Learner, optimizer_tensors, read_tensors, restore_optimizer, write_tensors
from chorale.training.corpora import batches
from chorale.training.decoding import decode, rights
from chorale.training.figures import Figures
from chorale.training.settings import Fitted, Rerank

if TYPE_CHECKING:
    from chorale.training.stages import Workshop

Loss = Callable[[Parser, list[int]], torch.Tensor]
_MEMORY = "memory"


class Memory(Protocol):
    """What a loss learns on its way beside the weights; it is committed with them, epoch by epoch."""

    def written(self) -> bytes:
        """All that a process that goes on must know."""
        ...

    def restore(self, content: bytes) -> None:
        """Undo `written`."""
        ...


def seeded(*key: int) -> random.Random:
    """Seed torch from a key such as (seed, stage, epoch), and give a generator of its own for everything else."""
    number = int.from_bytes(hashlib.sha256(repr(key).encode()).digest()[:7], "big")
    torch.manual_seed(number)
    return random.Random(number)


def fit(
    shop: Workshop,
    place: int,
    stage: Fitted,
    examples: Sequence[int],
    loss_of: Loss,
    figures: Figures | None = None,
    memory: Memory | None = None,
) -> None:
    """Train a parser on examples, given by numbers that the loss knows them by, and commit the best model.

    `figures` are what the loss notes on its way; their means over an epoch go into its line of metrics. `memory` is
    what else it must find again when a run that was stopped goes on.
    """
    parser = shop.last_parser(place) if stage.start == "last" else shop.new_parser(place)

    def loss(chosen: list[int]) -> torch.Tensor:
        return loss_of(parser, chosen)

    descend(shop, place, stage, parser, examples, loss, lambda: dev_score(shop, parser, stage), figures, memory)


def descend(
    shop: Workshop,
    place: int,
    stage: Fitted | Rerank,
    learner: Learner,
    examples: Sequence[int],
    loss_of: Callable[[list[int]], torch.Tensor],
    dev: Callable[[], Score],
    figures: Figures | None = None,
    memory: Memory | None = None,
) -> None:
    """Train anything that has weights on examples, and commit those that are best on dev as what the stage gives."""
    figures = figures or Figures()
    run = shop.run
    folder = run.stage_folder(place)
    folder.mkdir(parents=True, exist_ok=True)
    state: dict[str, Any] = run.progress.state
    fused = learner.device.type in {"cpu", "cuda"}  # one kernel for all parameters: three times as fast
    optimizer = torch.optim.Adam(learner.network.parameters(), lr=stage.learning_rate, fused=fused)
    if state:
        path = run.folder / state["latest"]["file"]
        tensors = read_tensors(path, state["latest"]["sha256"])
        restore_optimizer(learner, optimizer, tensors, path)
        if memory is not None:
            memory.restore(tensors[_MEMORY].numpy().tobytes())
    epoch, best = state.get("epoch", 0), state.get("best", {"epoch": 0})
    shop.watcher.stage(place, stage, epoch)
    while epoch < stage.epochs and epoch - best["epoch"] < stage.patience:
        epoch += 1
        started = time.monotonic()
        loss = _epoch(shop, seeded(run.seed, place, epoch), learner, optimizer, stage, examples, loss_of)
        score = dev()
        better = not best["epoch"] or _worth(stage, _dev(score)) > _worth(stage, best)
        if better:
            path = folder / f"best-{epoch}.safetensors"
            mark = write_tensors(path, learner.network.state_dict())
            best = {"epoch": epoch, **_dev(score), "file": str(path.relative_to(run.folder)), "sha256": mark}
        path = folder / f"state-{epoch}.safetensors"
        tensors = optimizer_tensors(learner, optimizer)
        if memory is not None:
            tensors[_MEMORY] = torch.frombuffer(bytearray(memory.written()), dtype=torch.uint8)
        mark = write_tensors(path, tensors)
        latest = {"file": str(path.relative_to(run.folder)), "sha256": mark}
        run.progress.state = {"epoch": epoch, "latest": latest, "best": best}
        line = {"stage": place + 1, "kind": stage.kind, "epoch": epoch, "loss": loss, **figures.take()}
        line |= {**_dev(score), "best": better}
        run.commit(line)
        run.clear_leftovers()
        run.note_time(stage=place + 1, epoch=epoch, seconds=round(time.monotonic() - started, 3))
        shop.watcher.line(line)
        shop.stop.check()
    [name] = stage.gives
    run.keep(name, run.folder / best["file"], best["sha256"])
    shop.finish(place, {"chosen": best["epoch"], **{key: best[key] for key in ("dev_accuracy", "dev_consistency")}})


def dev_score(shop: Workshop, parser: Parser, stage: Fitted) -> Score:
    """Accuracy and consistency of the most probable programs on dev."""
    predictions = decode(parser, shop.dev, shop.dev_rewards, stage.beam, stage.max_actions, agenda=stage.agenda)
    return score_of(rights(shop.dev, predictions))


def _epoch(
    shop: Workshop,
    rng: random.Random,
    learner: Learner,
    optimizer: torch.optim.Optimizer,
    stage: Fitted | Rerank,
    examples: Sequence[int],
    loss_of: Callable[[list[int]], torch.Tensor],
) -> float:
    """One pass over the examples in random order; gives back the mean loss."""
    order = list(examples)
    rng.shuffle(order)
    learner.network.train()
    total, done = 0.0, 0
    for chosen in batches(order, stage.batch):
        shop.stop.check()
        loss = loss_of(list(chosen))
        value = loss.item()
        if not math.isfinite(value):
            raise ChoraleError(f"{stage.kind}: the loss is {value}; a lower learning_rate or a clip may help")
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        if stage.clip:
            torch.nn.utils.clip_grad_norm_(learner.network.parameters(), stage.clip)
        optimizer.step()
        total += value * len(chosen)
        done += len(chosen)
        shop.watcher.step(done, len(order), total / done)
    return total / done


def _worth(stage: Fitted | Rerank, dev: Mapping[str, Any]) -> float:
    """What an epoch's figures on dev are worth, by what the stage chooses by."""
    if stage.choose == "both":
        return float(dev["dev_accuracy"] + dev["dev_consistency"]) / 2
    return float(dev["dev_consistency"])


def _dev(score: Score) -> dict[str, float]:
    return {"dev_accuracy": score.accuracy, "dev_consistency": score.consistency}
