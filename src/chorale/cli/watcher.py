"""What a training looks like from outside: a live line on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from chorale.cli.output import complain, duration
from chorale.evaluation.metrics import percent
from chorale.runs.watching import WatchedStage, Watcher
from chorale.training.recipes import Recipe


class Lines(Watcher):
    """Prints a line per epoch; with a bar, keeps the current epoch below the lines."""

    def __init__(self, recipe: Recipe, bar: Progress | None = None) -> None:
        self.recipe, self.index, self.epoch = recipe, 0, 0
        self.seconds: dict[str, float] = {}  # kind of stage -> seconds of its last epoch
        self._began, self._bar = time.monotonic(), bar
        self._task = None if bar is None else bar.add_task("reading data", total=None)

    def stage(self, index: int, stage: WatchedStage, epoch: int) -> None:
        self.index, self.epoch, self._began = index, epoch, time.monotonic()
        title = f"stage {index + 1} of {len(self.recipe.stages)}: {stage.kind}, {stage.max_actions} actions"
        self._print(f"{title}{f', resuming after epoch {epoch}' if epoch else ''}")

    def step(self, done: int, of: int, loss: float | None = None) -> None:
        if self._bar is None or self._task is None:
            return
        stage = self.recipe.stages[self.index]
        epoch = f" epoch {self.epoch + 1}/{stage.epochs}" if hasattr(stage, "epochs") else ""
        doing = f"{self.index + 1}/{len(self.recipe.stages)} {stage.kind}{epoch}"
        doing += f" loss {loss:.4f}" if loss is not None else ""
        self._bar.update(self._task, description=doing, completed=done, total=of)

    def line(self, values: Mapping[str, Any]) -> None:
        left = ""
        if "epoch" in values:
            now = time.monotonic()
            self.seconds[str(values["kind"])] = now - self._began
            self._began, self.epoch = now, int(values["epoch"])
            left = self._time_left()
        self._print(f"  {described(values)}{left}")

    def note(self, text: str) -> None:
        complain(text, "note")

    def _print(self, text: str) -> None:
        if self._bar is None or self._task is None:
            typer.echo(text)
        else:
            self._bar.console.print(text, markup=False, highlight=False)
            self._bar.reset(self._task, total=None)

    def _time_left(self) -> str:
        """An upper bound: as if no stage stopped early. Stages of a kind not seen yet are left out."""
        stages = self.recipe.stages[self.index :]
        epochs = [getattr(stage, "epochs", 1) - (0 if number else self.epoch) for number, stage in enumerate(stages)]
        known = (self.seconds.get(stage.kind, 0.0) for stage in stages)
        total = sum(max(0, count) * seconds for count, seconds in zip(epochs, known, strict=True))
        return f"  at most {duration(total)} left" if total >= 1 else ""


def described(values: Mapping[str, Any]) -> str:
    """A line of metrics in words."""
    parts = []
    if "epoch" in values:
        parts.append(f"epoch {values['epoch']:3}  loss {values['loss']:8.4f}")
    if "chosen" in values:
        parts.append(f"done, epoch {values['chosen']} is the best:")
    if "covered" in values:
        share = values["covered"] / max(1, values["utterances"])
        parts.append(f"{values['covered']:,} of {values['utterances']:,} utterances ({share:.1%}) have candidates")
        parts.append(f"{values['candidates']:,} candidates")
    if "dev_accuracy" in values:
        parts.append(f"dev {percent(values, 'dev_')}")
    return "  ".join([*parts, "*"] if values.get("best") else parts)


@contextmanager
def watching(recipe: Recipe) -> Iterator[Watcher]:
    """A watcher that suits where the output goes."""
    console = Console(soft_wrap=True)
    if not console.is_terminal:
        yield Lines(recipe)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        yield Lines(recipe, bar)
