"""The results table: every row with its seeds, beside what was published, and the step from each row to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chorale.evaluation.compare import Comparison, System, compare
from chorale.evaluation.metrics import MEASURES
from chorale.evaluation.significance import BETTER, mean_and_deviation

if TYPE_CHECKING:
    from chorale.report.published import Pair, PublishedSystem


@dataclass(frozen=True)
class TableRow:
    """One system: its runs, each with a seed of its own, and what they say about each split."""

    name: str
    label: str
    splits: Mapping[str, System] = field(default_factory=dict)
    published: Mapping[str, Pair] = field(default_factory=dict)
    right_meaning: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """By split and seed: the share of programs that mean what the sentence means, where that is known."""
    metrics: Sequence[Sequence[Mapping[str, Any]]] = ()
    """The lines of metrics of each run."""
    numbered: Sequence[int] = ()
    """The seed of each run; else they are numbered from 0."""

    @property
    def numbers(self) -> Sequence[int]:
        return self.numbered or range(len(self.metrics))

    @property
    def seeds(self) -> int:
        return max((len(system.seeds) for system in self.splits.values()), default=0)


@dataclass(frozen=True)
class RowStep:
    """What changes from a row to the next on one split."""

    split: str
    before: TableRow
    after: TableRow
    measures: Sequence[Comparison]


def steps_of(rows: Sequence[TableRow]) -> list[RowStep]:
    """The step from each row that has runs to the next one, split by split."""
    run = [row for row in rows if row.seeds]
    return [
        RowStep(split, before, after, shown(*(row.splits[split] for row in (before, after))))
        for before, after in pairwise(run)
        for split in before.splits
        if split in after.splits
    ]


def shown(first: System, second: System) -> list[Comparison]:
    """The comparison of two systems in the measures that say something; the last is what they are judged by."""
    return [one for one in compare(first, second) if one.measure in first.measures]


def measures_in(rows: Sequence[TableRow]) -> tuple[str, ...]:
    """The measures that say something in some row; what is published has both."""
    systems = [system for row in rows for system in row.splits.values()]
    return MEASURES if any(row.published for row in rows) else max((it.measures for it in systems), key=len, default=())


def results_table(rows: Sequence[TableRow]) -> list[list[str]]:
    """The table as text, its first line the heads: means with deviations, published figures after them."""
    splits = list(dict.fromkeys(split for row in rows for split in [*row.splits, *row.published]))
    known = list(dict.fromkeys(split for row in rows for split in row.right_meaning))
    printed = [split for split in splits if any(split in row.published for row in rows)]
    measures = measures_in(rows)
    heads = ["row", "seeds"]
    for split in splits:
        heads += [f"{split} {measure}" for measure in measures] + ([f"{split} published"] if split in printed else [])
    heads += [f"{split} right meaning" for split in known]
    lines = [heads]
    for row in rows:
        line = [row.label, str(row.seeds or "")]
        for split in splits:
            system, published = row.splits.get(split), row.published.get(split)
            line += [share(system.scores(measure)) if system else "" for measure in measures]
            if split in printed:
                line.append(f"{published[0]:.1f} / {published[1]:.1f}" if published else "")
        line += [share(row.right_meaning[split]) if split in row.right_meaning else "" for split in known]
        lines.append(line)
    return lines


def systems_table(rows: Sequence[TableRow], published: Sequence[PublishedSystem]) -> list[list[str]]:
    """Our rows below systems that others have published, its first line the heads."""
    lines = [["system", "pretrained", "model", "dev", "test", "source"]]
    for it in published:
        figures = ["" if one is None else f"{one:.1f}" for one in (it.dev, it.test)]
        model = "ensemble" if it.is_ensemble else "single"
        lines.append([it.label, "yes" if it.is_pretrained else "no", model, *figures, it.source])
    for row in rows:
        dev = share(row.splits["dev"].scores("accuracy")) if "dev" in row.splits else ""
        seeds = f"{row.seeds} seed{'' if row.seeds == 1 else 's'}, here"
        lines.append([row.label, "no", "single", dev, "not measured here", seeds])
    return lines


def steps_table(steps: Sequence[RowStep]) -> list[list[str]]:
    """The steps as text, its first line the heads."""
    lines = [["step", "split", "measure", "difference", "95 % interval", "p", "eps_min", "verdict"]]
    for step in steps:
        for one in step.measures:
            sample = one.over_utterances
            lines.append(
                [
                    f"{step.before.label} → {step.after.label}",
                    step.split,
                    one.measure,
                    f"{100 * sample.difference:+.1f}",
                    f"{100 * sample.low:+.1f} .. {100 * sample.high:+.1f}",
                    p_text(sample.p),
                    "" if one.over_seeds is None else f"{one.over_seeds:.3f}",
                    verdict(one),
                ]
            )
    return lines


def verdict(comparison: Comparison, level: float = 0.05) -> str:
    """A step in words: over utterances by the bootstrap, over seeds by almost stochastic order."""
    sample = comparison.over_utterances
    direction = "better" if sample.difference > 0 else "worse" if sample.difference < 0 else "equal"
    utterances = f"{direction}, {'significant' if sample.p < level else 'not significant'} over utterances"
    if comparison.over_seeds is None:
        return f"{utterances}; one seed says nothing about seeds"
    return f"{utterances}; {'better' if comparison.over_seeds < BETTER else 'not shown better'} over seeds"


def p_text(p: float) -> str:
    """A probability of chance, with three digits."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def share(values: Sequence[float]) -> str:
    """A mean with its deviation, in percent."""
    mean, deviation = mean_and_deviation(values)
    return f"{100 * mean:.1f}" + (f" ± {100 * deviation:.1f}" if len(values) > 1 else "")


def short_names(folders: Sequence[Path]) -> list[str]:
    """Folders by their last two names, or as many as it takes to tell them apart.

    >>> short_names([Path("runs/a/seed-0"), Path("runs/b/seed-0")])
    ['a/seed-0', 'b/seed-0']
    """
    whole = [folder.resolve().parts for folder in folders]
    for count in range(2, max(map(len, whole), default=0) + 1):
        names = ["/".join(parts[-count:]) for parts in whole]
        if len(set(names)) == len(set(whole)):
            return names
    return list(map(str, folders))


def aligned_text(table: Sequence[Sequence[str]]) -> str:
    """A table for a terminal, columns below each other."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in table
    )
