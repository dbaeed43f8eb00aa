"""What a training looks like from outside: a live line on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from chorale.cli.output import complain
from chorale.runs.watching import Watcher
from chorale.training.settings import Recipe, Stage

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress


class Lines(Watcher):
    """Prints a line per epoch."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.index = 0
        self.epoch = 0
        self.seconds: dict[str, float] = {}  # kind of stage -> seconds of its last epoch
        self._began = time.monotonic()

    def stage(self, index: int, stage: Stage, epoch: int) -> None:
        self.index, self.epoch, self._began = index, epoch, time.monotonic()
        self.print(f"{self.title(index)}{f', going on after epoch {epoch}' if epoch else ''}")

    def line(self, values: Mapping[str, Any]) -> None:
        if "epoch" in values:
            now = time.monotonic()
            self.seconds[str(values["kind"])] = now - self._began
            self._began, self.epoch = now, int(values["epoch"])
        self.print("  " + described(values) + (f"  {left}" if (left := self.time_left()) and "epoch" in values else ""))

    def note(self, text: str) -> None:
        complain(text, "note")

    def print(self, text: str) -> None:
        """Print a line."""
        typer.echo(text)

    def title(self, index: int) -> str:
        """What a stage is called."""
        stage = self.recipe.stages[index]
        return f"stage {index + 1} of {len(self.recipe.stages)}: {stage.kind}, {stage.max_actions} actions"

    def time_left(self) -> str:
        """An upper bound: as if no stage stopped early. Stages of a kind not seen yet are left out."""
        total = 0.0
        for index, stage in enumerate(self.recipe.stages[self.index :], self.index):
            epochs = getattr(stage, "epochs", 1) - (self.epoch if index == self.index else 0)
            total += max(0, epochs) * self.seconds.get(stage.kind, 0.0)
        return f"at most {_duration(total)} left" if total >= 1 else ""


class Bars(Lines):
    """Keeps a bar with the epoch under way below the lines."""

    def __init__(self, recipe: Recipe, console: Console, progress: Progress) -> None:
        super().__init__(recipe)
        self._console, self._progress = console, progress
        self._task = progress.add_task("reading data", total=None)

    def step(self, done: int, of: int, loss: float | None = None) -> None:
        stage = self.recipe.stages[self.index]
        epoch = f" epoch {self.epoch + 1}/{stage.epochs}" if hasattr(stage, "epochs") else ""
        loss_text = f" loss {loss:.4f}" if loss is not None else ""
        doing = f"{self.index + 1}/{len(self.recipe.stages)} {stage.kind}{epoch}{loss_text}"
        self._progress.update(self._task, description=doing, completed=done, total=of)

    def stage(self, index: int, stage: Stage, epoch: int) -> None:
        super().stage(index, stage, epoch)
        self._progress.reset(self._task, description=stage.kind, total=None)

    def line(self, values: Mapping[str, Any]) -> None:
        super().line(values)
        self._progress.reset(self._task, total=None)

    def print(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False)


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
        parts.append(f"dev {100 * values['dev_accuracy']:5.1f} / {100 * values['dev_consistency']:5.1f}")
    if values.get("best"):
        parts.append("*")
    return "  ".join(parts)


@contextmanager
def watching(recipe: Recipe) -> Iterator[Watcher]:
    """A watcher that suits where the output goes."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    console = Console(soft_wrap=True)
    if not console.is_terminal:
        yield Lines(recipe)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        yield Bars(recipe, console, progress)


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes < 1:
        return f"{round(seconds)} s"
    return f"{minutes} min" if minutes < 120 else f"{minutes / 60:.1f} h"
