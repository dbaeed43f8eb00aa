"""`chorale compare`: is one system better than another?"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from chorale.cli.loading import use_one_thread
from chorale.cli.options import Json, ModelDomain
from chorale.cli.output import counted, progress, say, say_json
from chorale.domain.registry import find_domain
from chorale.evaluation.compare import compare as compare_systems
from chorale.plumbing.files import check_file, write
from chorale.report.plots import scores
from chorale.report.systems import compared_systems
from chorale.report.tables import aligned_text, p_text, shown
from chorale.sweeps.folds.folding import GROUPS
from chorale.sweeps.folds.runs import FILE, read_folds
from chorale.sweeps.folds.tables import compared_folds


def compare(
    runs_a: Annotated[Path, Argument(metavar="RUNS_A", help="A run, or a folder of runs that differ by seed.")],
    runs_b: Annotated[Path, Argument(metavar="RUNS_B", help="The runs to compare them with.")],
    data: Annotated[
        Path | None, Option(metavar="FILE", help="Labelled data; default: dev, as each run was measured on it.")
    ] = None,
    plot: Annotated[Path | None, Option(metavar="SVG", help="Plot all seeds into this file.")] = None,
    domain: ModelDomain = None,
    as_json: Json = False,
) -> None:
    """Compare two systems: mean and deviation over seeds, a bootstrap over utterances, almost stochastic order.

    The last line is the verdict: the difference with its standard error over utterances. It is a difference in
    consistency, or in accuracy if utterances have one context each.

    The bootstrap resamples utterances; p is the probability of such a difference by chance. Almost stochastic order
    compares seeds: below 0.5 means that B is better more often than not, with 95 % confidence, and the nearer to 0, the
    surer.

    Folders that `chorale folds` made are compared on what both held out, with the standard error over templates.

    A look at a test split (--data test.json) is noted beside the runs.

    Example: chorale compare runs/language runs/consistency --plot step.svg
    """
    if plot is not None:
        check_file(plot)
    if data is None and any((runs / FILE).exists() for runs in (runs_a, runs_b)):
        _compare_folds(runs_a, runs_b, as_json)
        return
    use_one_thread()
    about = find_domain(domain) if domain else None
    systems, noted = compared_systems([runs_a, runs_b], data, about, partial(progress, doing="evaluating"))
    if plot is not None:
        write(plot, scores(systems).encode())
    if as_json:
        say_json([one.to_json() for one in compare_systems(*systems)])
        return
    comparisons = shown(*systems)
    for letter, system in zip("AB", systems, strict=True):
        say(f"{letter} = {system.name}, {counted(len(system.seeds), 'seed')}")
    say(f"{'':11}  {'A':>14}  {'B':>14}  {'B - A':>6}  {'95 % interval':>16}  {'p':>7}  {'eps_min':>7}")
    for one in comparisons:
        (a, da), (b, db), sample = one.before, one.after, one.over_utterances
        order = "-" if one.over_seeds is None else f"{one.over_seeds:.3f}"
        interval = f"{100 * sample.low:+.1f} .. {100 * sample.high:+.1f}"
        say(
            f"{one.measure:11}  {100 * a:6.1f} ± {100 * da:5.1f}  {100 * b:6.1f} ± {100 * db:5.1f}  "
            f"{100 * sample.difference:+6.1f}  {interval:>16}  {p_text(sample.p):>7}  {order:>7}"
        )
    say(comparisons[-1].verdict, "bold")
    for path in noted:
        say(f"the test split was looked at; noted in {path}")


def _compare_folds(runs_a: Path, runs_b: Path, as_json: bool) -> None:
    comparison = compared_folds(read_folds(runs_a), read_folds(runs_b))
    if as_json:
        say_json(comparison.to_json())
        return
    for letter, folder, one in zip("AB", (runs_a, runs_b), (comparison.before, comparison.after), strict=True):
        say(f"{letter} = {folder.name}: {one.recipe}, seed {one.seed}")
    groups = GROUPS[comparison.before.by]
    step = comparison.step
    say(f"held out from both by {comparison.before.by}: {step.utterances:,} utterances, {step.groups:,} {groups}")
    say(aligned_text(comparison.table))
    say(f"± is the standard error over {groups}")
    say(comparison.verdict, "bold")
