"""Gradient descent with early stopping, epoch by epoch, each of which is committed. Knows no kind of stage.

After every epoch dev is scored; the weights that are best there are kept, the first ones if several are equal. The
descent ends after `epochs`, or after `patience` epochs without a better one.
"""

from __future__ import annotations

import hashlib
import math
import random
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import torch

from chorale.errors import ChoraleError
from chorale.evaluation.metrics import Score
from chorale.parser.decoding import Learner, batches
from chorale.runs.checkpoints import optimizer_tensors, read_tensors, restore_optimizer, write_tensors
from chorale.runs.run import Run
from chorale.training.figures import Figures
from chorale.training.stage import Trained, Trainer

_MEMORY = "memory"


class Memory(Protocol):
    """What an objective learns on its way beside the weights; it is committed with them, epoch by epoch."""

    def written(self) -> bytes:
        """All that a process needs in order to resume."""
        ...

    def restore(self, content: bytes) -> None:
        """Undo `written`."""
        ...


class Objective(ABC):
    """What is minimised: a loss on examples, which are known by numbers, of something that has weights."""

    memory: Memory | None = None
    dev: Callable[[], Score]
    """How good the weights are on dev."""

    def __init__(self, learner: Learner, examples: Sequence[int]) -> None:
        self.learner = learner
        self.examples = list(examples)
        self.figures = Figures()
        """What the loss notes on its way; the means over an epoch go into its line of metrics."""

    @abstractmethod
    def loss(self, chosen: list[int]) -> torch.Tensor:
        """The mean loss of a batch."""


def seeded(*key: int) -> random.Random:
    """Seed torch from a key such as (seed, stage, epoch), and give a generator of its own for everything else."""
    number = int.from_bytes(hashlib.sha256(repr(key).encode()).digest()[:7], "big")
    torch.manual_seed(number)
    return random.Random(number)


def descend(trainer: Trainer, index: int, how: Trained, objective: Objective) -> None:
    """Descend, or go on where the stage of this index is; the weights that are best on dev are what it gives."""
    learner, memory, run = objective.learner, objective.memory, trainer.run
    folder, state = run.stage_folder(index), run.progress.state
    fused = learner.device.type in {"cpu", "cuda"}  # one kernel for all parameters: three times as fast
    optimizer = torch.optim.Adam(learner.network.parameters(), lr=how.learning_rate, fused=fused)
    if state:
        path = run.folder / state["latest"]["file"]
        tensors = read_tensors(path, state["latest"]["sha256"])
        restore_optimizer(learner, optimizer, tensors, path)
        if memory is not None:
            try:
                memory.restore(tensors[_MEMORY].numpy().tobytes())
            except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
                raise ChoraleError(f"{path}: damaged: not what a stage of kind {how.kind} remembers: {error}") from None
    epoch: int = state.get("epoch", 0)
    best: dict[str, Any] = state.get("best", {"epoch": 0})
    trainer.watcher.stage(index, how, epoch)
    while epoch < how.epochs and epoch - best["epoch"] < how.patience:
        epoch += 1
        started = time.monotonic()
        loss = _epoch(trainer, how, objective, optimizer, epoch, seeded(run.seed, index, epoch))
        dev = objective.dev().to_json("dev_")
        better = not best["epoch"] or how.worth(dev) > how.worth(best)
        if better:
            path = folder / f"best-{epoch}.safetensors"
            best = {"epoch": epoch, **dev, **_entry(run, path, write_tensors(path, learner.network.state_dict()))}
        path = folder / f"state-{epoch}.safetensors"
        tensors = optimizer_tensors(learner, optimizer)
        if memory is not None:
            tensors[_MEMORY] = torch.frombuffer(bytearray(memory.written()), dtype=torch.uint8)
        latest = _entry(run, path, write_tensors(path, tensors))
        run.progress.state = {"epoch": epoch, "latest": latest, "best": best}
        line = {"stage": index + 1, "kind": how.kind, "epoch": epoch, "loss": loss, **objective.figures.take()}
        line |= {**dev, "best": better}
        run.commit(line)
        run.clear_leftovers()
        run.note_time(stage=index + 1, epoch=epoch, seconds=round(time.monotonic() - started, 3))
        trainer.watcher.line(line)
        trainer.stop.check()
    run.keep(how.gives, run.folder / best["file"], best["sha256"])
    trainer.finish(index, {"chosen": best["epoch"], **{key: it for key, it in best.items() if key.startswith("dev_")}})


def _entry(run: Run, path: Path, hashed: str) -> dict[str, str]:
    return {"file": str(path.relative_to(run.folder)), "sha256": hashed}


def _epoch(
    trainer: Trainer,
    how: Trained,
    objective: Objective,
    optimizer: torch.optim.Optimizer,
    epoch: int,
    rng: random.Random,
) -> float:
    """One pass over the examples in random order; returns the mean loss."""
    order = list(objective.examples)
    rng.shuffle(order)
    objective.learner.network.train()
    total, done = 0.0, 0
    for chosen in batches(order, how.batch):
        trainer.stop.check()
        if how.decay:
            for group in optimizer.param_groups:
                group["lr"] = how.learning_rate * (1 - (epoch - 1 + done / len(order)) / how.epochs)
        loss = objective.loss(list(chosen))
        value = loss.item()
        if not math.isfinite(value):
            raise ChoraleError(f"{how.kind}: the loss is {value}; a lower learning_rate may help")
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        total += value * len(chosen)
        done += len(chosen)
        trainer.watcher.step(done, len(order), total / done)
    return total / done
