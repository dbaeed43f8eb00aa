"""One page with the results: tables, plots, errors, and the command behind them."""

from __future__ import annotations

from collections.abc import Sequence

from chorale.evaluation.metrics import measures_noted
from chorale.plumbing.html import Markup, element, faint, listed, page, table
from chorale.report.learning import plot_stages, plot_values, remark, stages_table
from chorale.report.mistakes import command_part
from chorale.report.plots import STYLE, PlotStage, curves, seeds
from chorale.report.tables import TableRow, measures_in, results_table, steps_of, steps_table

WHY = {
    "agreement": "agreement",
    "partner_right": "partner right",
    "aligned": "aligned",
}
"""What an epoch with the consistency reward notes, as shares; see `chorale.training.consistency`."""


def results_page(
    title: str,
    rows: Sequence[TableRow],
    notes: Sequence[str] = (),
    command: str = "",
    *,
    more: Sequence[Markup] = (),
) -> str:
    """The page; `notes` are sentences that stand above the table, `command` is what makes it.

    `more` are sections that come after the curves.
    """
    run = [row for row in rows if row.seeds]
    parts = [element("p", note) for note in notes]
    if run or any(row.published for row in rows):
        parts += [element("h2", "Results"), table(results_table(rows)), faint(_measured(rows))]
    if len(run) > 1 and (steps := steps_of(rows)):
        parts += [element("h2", "Steps"), table(steps_table(steps)), faint(_STEPS)]
    for split in dict.fromkeys(split for row in run for split in row.splits):
        systems = [row.splits[split] for row in run if split in row.splits]
        figures = [element("figure", Markup(seeds(systems, measure))) for measure in systems[0].measures]
        parts += [element("h2", f"Every seed on {split}"), element("div", *figures, class_="plots")]
        parts.append(faint("A dot for each seed, the larger one their mean, the bar its deviation."))
    parts += _learning(rows)
    parts += [*more, *command_part(command)]
    return page(title, parts, STYLE)


_ACCURACY = "Accuracy is the share of pairs that are right"
_CONSISTENCY = ", consistency the share of utterances right in all their contexts"
_OVER_SEEDS = "; percent, mean and standard deviation over seeds."
_STEPS = (
    "p: the probability of such a difference by chance when utterances are drawn again (bootstrap). eps_min: almost "
    "stochastic order over seeds at level 0.05; below 0.5 the second row is better."
)
_LEARNED = (
    "Figures on dev after every epoch, a line for each seed; stages stand side by side, with their numbers above. "
    "Right on train is the probability of right programs within the beam. A stage keeps its best epoch."
)


def _measured(rows: Sequence[TableRow]) -> str:
    """What the table of results shows."""
    return _ACCURACY + (_CONSISTENCY if len(measures_in(rows)) > 1 else "") + _OVER_SEEDS


def _learning(rows: Sequence[TableRow]) -> list[Markup]:
    """The curves of each row with its stages, and those that show why agreement does or does not help."""
    shown = [(row, stages) for row in rows if (stages := plot_stages(row.metrics))]
    if not shown:
        return []
    parts = [element("h2", "Learning"), faint(_LEARNED)]
    for row, stages in shown:
        figures = []
        if any(stage.epochs > 1 for stage in stages):
            figures = [_curves("on dev", row, stages, _drawn(row))]
        why = [it for it in stages if any(any(plot_values(lines, "agreement", [it])) for lines in row.metrics)]
        if why:
            figures.append(_curves("does agreement help?", row, why, WHY))
            figures.append(_curves("actions that look at the phrase", row, why, {"aligned_actions": "of a program"}))
        said = {seed: remark(lines) for seed, lines in zip(row.numbers, row.metrics, strict=True)}
        parts.append(element("h3", row.label))
        parts += listed([f"Seed {seed}: {text}." for seed, text in said.items() if text])
        parts.append(element("div", *figures, table(stages_table(row.metrics)), class_="plots"))
    if any(_has(row, "agreement") for row, _ in shown):
        parts.append(faint(_AGREEMENT))
    return parts


_AGREEMENT = (
    "Agreement: expected agreement with the related utterance. Partner right: pairs whose partner has a right program. "
    "Aligned: programs with an action that looks at the phrase."
)


def _drawn(row: TableRow) -> dict[str, str]:
    """What is drawn over the epochs, and what it is called."""
    measures = measures_noted((line for lines in row.metrics for line in lines), "dev_")
    keys = {**{f"dev_{it}": it for it in reversed(measures)}, "right": "right on train"}
    return {key: name for key, name in keys.items() if _has(row, key)}


def _has(row: TableRow, key: str) -> bool:
    return any(key in line for lines in row.metrics for line in lines)


def _curves(title: str, row: TableRow, stages: Sequence[PlotStage], names: dict[str, str]) -> Markup:
    lines = {name: [plot_values(run, key, stages) for run in row.metrics] for key, name in names.items()}
    return element("figure", Markup(curves(title, stages, lines)))
