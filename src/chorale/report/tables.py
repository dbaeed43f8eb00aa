"""The results table: every row with its seeds, beside what was published, and the step from each row to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from chorale.evaluation.compare import MEASURES, Comparison, System, compare
from chorale.evaluation.significance import BETTER, mean_and_deviation

Pair = tuple[float, float]
"""Accuracy and consistency, in percent."""


@dataclass(frozen=True)
class TableRow:
    """One system: its runs, each with a seed of its own, and what they say about each split."""

    name: str
    label: str
    splits: Mapping[str, System] = field(default_factory=dict)
    published: Mapping[str, Pair] = field(default_factory=dict)
    truly_right: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """By split and seed: the share of programs that mean what the sentence means, where that is known."""
    metrics: Sequence[Sequence[Mapping[str, Any]]] = ()
    """The lines of metrics of each run."""

    @property
    def seeds(self) -> int:
        return max((len(system.seeds) for system in self.splits.values()), default=0)


def results_table(rows: Sequence[TableRow]) -> list[list[str]]:
    """The table as text, its first line the heads: means with deviations, published figures after them."""
    splits = list(dict.fromkeys(split for row in rows for split in [*row.splits, *row.published]))
    known = list(dict.fromkeys(split for row in rows for split in row.truly_right))
    printed = [split for split in splits if any(split in row.published for row in rows)]
    heads = ["row", "seeds"]
    for split in splits:
        heads += [f"{split} {measure}" for measure in MEASURES] + ([f"{split} published"] if split in printed else [])
    heads += [f"{split} truly right" for split in known]
    lines = [heads]
    for row in rows:
        line = [row.label, str(row.seeds or "")]
        for split in splits:
            system, published = row.splits.get(split), row.published.get(split)
            line += [share(system.scores(measure)) if system else "" for measure in MEASURES]
            if split in printed:
                line.append(f"{published[0]:.1f} / {published[1]:.1f}" if published else "")
        line += [share(row.truly_right[split]) if split in row.truly_right else "" for split in known]
        lines.append(line)
    return lines


def steps_table(rows: Sequence[TableRow]) -> list[list[str]]:
    """The step from each row that has runs to the next one, split by split; the first line are the heads."""
    lines = [["step", "split", "measure", "difference", "95 % interval", "p", "eps_min", "verdict"]]
    for before, after in pairwise(row for row in rows if row.seeds):
        for split in (split for split in before.splits if split in after.splits):
            for one in compare(before.splits[split], after.splits[split]):
                sample = one.over_utterances
                interval = f"{100 * sample.low:+.1f} .. {100 * sample.high:+.1f}"
                order = "" if one.over_seeds is None else f"{one.over_seeds:.3f}"
                line = [f"{before.label} → {after.label}", split, one.measure, f"{100 * sample.difference:+.1f}"]
                lines.append([*line, interval, f"{sample.p:.3f}", order, verdict(one)])
    return lines


def verdict(found: Comparison, level: float = 0.05) -> str:
    """A step in words: over utterances by the bootstrap, over seeds by almost stochastic order."""
    sample = found.over_utterances
    direction = "better" if sample.difference > 0 else "worse" if sample.difference < 0 else "equal"
    utterances = f"{direction}, {'significant' if sample.p < level else 'not significant'} over utterances"
    if found.over_seeds is None:
        return f"{utterances}; one seed says nothing about seeds"
    return f"{utterances}; {'better' if found.over_seeds < BETTER else 'not shown better'} over seeds"


def share(values: Sequence[float]) -> str:
    """A mean with its deviation, in percent."""
    mean, deviation = mean_and_deviation(values)
    return f"{100 * mean:.1f}" + (f" ± {100 * deviation:.1f}" if len(values) > 1 else "")


def tables_text(rows: Sequence[TableRow]) -> str:
    """The table, and the steps if there are any, for a terminal."""
    tables = [results_table(rows), steps_table(rows)]
    return "\n\n".join(aligned_text(table) for table in tables if table is tables[0] or len(table) > 1)


def aligned_text(table: Sequence[Sequence[str]]) -> str:
    """A table for a terminal, columns below each other."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = [[cell.ljust(width) for cell, width in zip(line, widths, strict=True)] for line in table]
    return "\n".join("  ".join(line).rstrip() for line in lines)
