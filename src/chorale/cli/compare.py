"""`chorale compare`: is one system better than another?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chorale.cli.options import Json
from chorale.cli.output import counted, progress, say, say_json
from chorale.errors import ChoraleError
from chorale.plumbing.files import write

if TYPE_CHECKING:
    from chorale.evaluation.compare import Step, System


def compare(
    runs_a: Annotated[Path, typer.Argument(metavar="RUNS_A", help="A run, or a folder of runs that differ by seed.")],
    runs_b: Annotated[Path, typer.Argument(metavar="RUNS_B", help="The runs to compare them with.")],
    data: Annotated[
        Path | None, typer.Option("--data", metavar="FILE", help="Labelled data; without it, dev as each run left it.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="SVG", help="Where a picture of all seeds goes.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Compare two systems: mean and deviation over seeds, bootstrap over utterances, almost stochastic order.

    The bootstrap draws utterances: p is the probability of such a difference by chance. Almost stochastic order looks
    at the seeds: below 0.5 means that B is better more than not, with confidence 95 %; the nearer to 0, the surer.

    Example: chorale compare runs/language runs/consistency --plot step.svg
    """
    from chorale.evaluation.compare import compare as compare_systems  # noqa: PLC0415
    from chorale.evaluation.compare import plot as plot_systems  # noqa: PLC0415

    first, second = (_system(folder, data) for folder in (runs_a, runs_b))
    steps = compare_systems(first, second)
    if plot is not None:
        write(plot, plot_systems([first, second]).encode())
    if as_json:
        say_json([step.to_json() for step in steps])
    else:
        _tell(first, second, steps)


def _system(folder: Path, data: Path | None) -> System:
    from chorale.evaluation.compare import System  # noqa: PLC0415
    from chorale.model import load  # noqa: PLC0415
    from chorale.plumbing.files import read_json  # noqa: PLC0415

    inside = [path.parent for path in folder.glob("*/model.json")]
    runs = [folder] if (folder / "model.json").exists() else sorted(inside)
    if not runs:
        raise ChoraleError(f"{folder}: no complete run here; expected a run, or a folder of runs as a sweep makes it")
    seeds = []
    for run in progress(runs, f"evaluating {folder.name}") if data is not None else runs:
        if data is None:
            right = read_json(run / "dev.json").get("right", {})
        else:
            model = load(run)
            right = model.evaluate(model.domain.read(data)).right
        seeds.append({str(name): tuple(map(bool, values)) for name, values in right.items()})
    return System(folder.name, seeds)


def _tell(first: System, second: System, steps: list[Step]) -> None:
    for letter, system in (("A", first), ("B", second)):
        say(f"{letter} = {system.name}, {counted(len(system.seeds), 'seed')}")
    say(f"{'':11}  {'A':>14}  {'B':>14}  {'B - A':>6}  {'95 % interval':>16}  {'p':>6}  {'eps_min':>7}")
    for step in steps:
        (a, da), (b, db), sample = step.before, step.after, step.over_utterances
        order = "-" if step.over_seeds is None else f"{step.over_seeds:.3f}"
        interval = f"{100 * sample.low:+.1f} .. {100 * sample.high:+.1f}"
        say(
            f"{step.measure:11}  {100 * a:6.1f} ± {100 * da:5.1f}  {100 * b:6.1f} ± {100 * db:5.1f}  "
            f"{100 * sample.difference:+6.1f}  {interval:>16}  {sample.p:6.3f}  {order:>7}"
        )
