"""What became of a training, stage by stage: the lines of metrics of a run, made ready to be looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chorale.evaluation.metrics import MEASURES, measures_noted, percent
from chorale.report.plots import PlotStage, Stages
from chorale.report.tables import share

Lines = Sequence[Mapping[str, Any]]
"""The lines of metrics of a run."""


@dataclass(frozen=True)
class StageResult:
    """How a stage of a run ended, or how far it is."""

    number: int
    kind: str
    epochs: int
    """How many there were; 0 where a stage has none."""
    chosen: int | None
    """The epoch that was kept, of those there were."""
    dev: dict[str, float]
    """Accuracy and consistency of what was kept; empty if the stage gives no parser."""

    @property
    def name(self) -> str:
        return f"{self.number} {self.kind}"

    @property
    def figures(self) -> str:
        """What it reaches on dev, in percent."""
        return percent(self.dev)

    @property
    def rank(self) -> tuple[float, ...]:
        """Orders stages: by consistency on dev, then by accuracy."""
        return tuple(self.dev.values())[::-1]


def stage_results(lines: Lines) -> list[StageResult]:
    """The stages of a run, in order."""
    by_stage: dict[int, list[Mapping[str, Any]]] = {}
    for line in lines:
        by_stage.setdefault(int(line["stage"]), []).append(line)
    return [_result(number, some) for number, some in sorted(by_stage.items())]


def _result(number: int, lines: Lines) -> StageResult:
    epochs = [line for line in lines if "epoch" in line]
    kept = [line for line in lines if "epoch" not in line] or [line for line in epochs if line.get("best")] or lines
    last = kept[-1]
    dev = {it: float(last[f"dev_{it}"]) for it in MEASURES} if all(f"dev_{it}" in last for it in MEASURES) else {}
    chosen = last.get("chosen", last.get("epoch"))
    return StageResult(number, str(last["kind"]), len(epochs), chosen, dev)


def better_stage(results: Sequence[StageResult]) -> StageResult | None:
    """The best stage of a run, if the last one is worse."""
    trained = [one for one in results if one.dev]
    best = max(trained, key=lambda one: one.rank, default=None)
    return best if best and best.rank > trained[-1].rank else None


def remark(lines: Lines) -> str:
    """Says so where an earlier stage was better than the last; else nothing."""
    results = stage_results(lines)
    best = better_stage(results)
    if best is None:
        return ""
    last = [one for one in results if one.dev][-1]
    return f"stage {best.number} ({best.kind}) was better: {best.figures}; stage {last.number} has {last.figures}"


def plot_stages(runs: Sequence[Lines]) -> list[PlotStage]:
    """The stages that have something to plot, as wide as the longest of all runs."""
    width: dict[tuple[int, str], int] = {}
    for lines in runs:
        for one in stage_results(lines):
            if one.epochs or one.dev:
                key = (one.number, one.name)
                width[key] = max(width.get(key, 1), one.epochs)
    return [PlotStage(name, epochs) for (_, name), epochs in sorted(width.items())]


def plot_values(lines: Lines, key: str, stages: Sequence[PlotStage]) -> Stages:
    """The values of a run in these stages: of every epoch, or of the end of a stage that has no epochs."""
    results = []
    for stage in stages:
        own = [line for line in lines if f"{line['stage']} {line['kind']}" == stage.name and key in line]
        epochs = [line for line in own if "epoch" in line]
        results.append([float(line[key]) for line in epochs or own])
    return results


def stages_table(runs: Sequence[Lines]) -> list[list[str]]:
    """The stages with what they gave, the mean over runs; the first line the heads."""
    rounds: dict[tuple[int, str], list[StageResult]] = {}
    for lines in runs:
        for one in stage_results(lines):
            rounds.setdefault((one.number, one.kind), []).append(one)
    measures = measures_noted(one.dev for some in rounds.values() for one in some)
    table = [["stage", "epochs", "kept", *measures]]
    for (number, kind), some in sorted(rounds.items()):
        dev = [one.dev for one in some if one.dev]
        epochs = _range([one.epochs for one in some if one.epochs])
        kept = _range([one.chosen for one in some if one.epochs and one.chosen is not None])
        table.append(
            [f"{number} {kind}", epochs, kept, *(share([one[it] for one in dev]) if dev else "" for it in measures)]
        )
    return table


def _range(values: Sequence[int]) -> str:
    if not values:
        return ""
    low, high = min(values), max(values)
    return str(low) if low == high else f"{low}–{high}"
