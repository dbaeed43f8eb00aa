"""`chorale reproduce`: the results table, every row that exists, from one command."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chorale.cli.models import Changes
from chorale.cli.options import Json
from chorale.cli.output import counted, progress, say, say_json
from chorale.plumbing.files import write

if TYPE_CHECKING:
    from chorale.evaluation.compare import System
    from chorale.model import Model
    from chorale.report.tables import Row
    from chorale.sweeps.sweep import Job

QUICK_ACTIONS = 15
QUICK = {
    "mml": ("epochs=15", "patience=5"),
    "reward": ("epochs=10", "patience=5"),
    "coverage": ("epochs=6", "patience=3"),
    "supervised": ("epochs=8", "patience=3", "examples=1500", f"max_actions={QUICK_ACTIONS}"),
    "tied": ("epochs=6", "patience=3", "beam=10", f"max_actions={QUICK_ACTIONS}"),
    "collect": ("beam=40",),
    "rerank": ("epochs=6", "patience=3", "beam=10"),
}
"""What --quick changes for each kind of stage that a recipe has; stages for longer programs are left out."""
LOOKS = "looks-at-test.jsonl"


def reproduce(
    data: Annotated[
        Path | None,
        typer.Option("--data", metavar="DIR", help="The folder with NLVR; without it, the corpus inside Chorale."),
    ] = None,
    seeds: Annotated[int, typer.Option("--seeds", min=1, help="How many seeds of each row, from 0.")] = 5,
    rows: Annotated[
        list[str], typer.Option("--rows", metavar="ROW", help="Only these rows; may be repeated, or with commas.")
    ] = [],  # noqa: B006 - typer wants a plain default
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Where runs and results go. [default: runs/table]")
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Runs at a time; each has one thread.")] = os.cpu_count()
    or 1,
    quick: Annotated[
        bool | None,
        typer.Option("--quick/--full", help="Few epochs and short programs. [default: quick without --data]"),
    ] = None,
    test: Annotated[
        bool, typer.Option("--test", help="Look at the test split as well; every look is noted in the folder.")
    ] = False,
    changes: Changes = [],  # noqa: B006
    as_json: Json = False,
) -> None:
    """Train every row of the results table and set it beside what was published: tables, and one page with plots.

    The same command goes on where it stopped. Without --data it trains on the synthetic corpus that ships with
    Chorale, where the right programs are known, so that the share of truly right ones is told as well.

    Example: chorale reproduce --data nlvr --seeds 5 --rows language --rows consistency --jobs 2
    """
    from chorale.cli.recipes import rows_of_the_table  # noqa: PLC0415
    from chorale.cli.sweep import run_all  # noqa: PLC0415
    from chorale.nlvr.pictures.synthetic import embedded_corpus  # noqa: PLC0415

    recipes = rows_of_the_table([name.strip() for row in rows for name in row.split(",") if name.strip()])
    quick = data is None if quick is None else quick
    folder = out or Path("runs") / ("table-quick" if quick else "table")
    where = data or embedded_corpus()
    work = table_jobs(recipes, seeds, folder, quick, changes)
    run_all(work, where, jobs)
    table = [] if not work else rows_of(work, where, published=data is not None)
    if test:
        table = with_test(table, work, where, folder, quiet=as_json)
    page = write_page(folder, table, where if data is not None else None, quick)
    if as_json:
        say_json(as_records(table))
    else:
        tell(table)
        say(f"\n{page}: the same with plots", "green")


def table_jobs(
    recipes: Mapping[str, Path], seeds: int, out: Path, quick: bool, changes: Sequence[str] = ()
) -> list[Job]:
    """The runs of the table; the recipes as they are used stand in the folder `recipes` beside them."""
    from chorale.plumbing.files import write  # noqa: PLC0415
    from chorale.sweeps.sweep import jobs_of  # noqa: PLC0415
    from chorale.training.recipes import read_recipe, shortened, written_recipe  # noqa: PLC0415

    used = []
    for name, path in recipes.items():
        kinds = {stage.kind for stage in read_recipe(path).stages}
        own = [change for change in changes if change.partition(".")[0] in kinds or not _is_of_a_kind(change)]
        fewer = [f"{kind}.{value}" for kind in QUICK if kind in kinds for value in QUICK[kind]] if quick else []
        recipe = read_recipe(path, [*fewer, *own])
        used.append(out / "recipes" / f"{name}.toml")
        used[-1].parent.mkdir(parents=True, exist_ok=True)
        text = written_recipe(shortened(recipe, QUICK_ACTIONS) if quick else recipe)
        write(used[-1], text.encode())
    return jobs_of(used, range(seeds), [], out)


def _is_of_a_kind(change: str) -> bool:
    from chorale.training.settings import KINDS  # noqa: PLC0415

    return change.partition(".")[0] in KINDS


def rows_of(work: Sequence[Job], data: Path, *, published: bool) -> list[Row]:
    """The rows of the table from their runs, beside the published ones if they are of the same data."""
    from chorale.report.published import PUBLISHED  # noqa: PLC0415
    from chorale.report.tables import Row  # noqa: PLC0415

    table = []
    for entry in PUBLISHED:
        runs = [job.folder for job in work if job.recipe.stem == entry.recipe]
        printed = {"dev": entry.dev, "test": entry.test} if published else {}
        if runs:
            known = _truly_right(runs, data)
            metrics = [_json_lines(run / "metrics.jsonl") for run in runs]
            splits = {"dev": _system(entry.label, runs, "dev")}
            table.append(Row(entry.recipe, entry.label, splits, printed, known, metrics))
        elif published:
            table.append(Row(entry.recipe, entry.label, published=printed))
    return table


def with_test(table: Sequence[Row], work: Sequence[Job], data: Path, out: Path, *, quiet: bool = False) -> list[Row]:
    """The rows with what they say about the test split; that they were asked is noted first."""
    from dataclasses import replace  # noqa: PLC0415
    from datetime import UTC, datetime  # noqa: PLC0415

    import chorale  # noqa: PLC0415
    from chorale.model import load  # noqa: PLC0415
    from chorale.plumbing.files import append_line, hash_of_file, sha256, write_json  # noqa: PLC0415
    from chorale.runs.run import find_split  # noqa: PLC0415

    file = find_split(data, "test")
    names = sorted({job.recipe.stem for job in work})
    look = {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "chorale": chorale.__version__,
        "commit": _commit(),
        "data": hash_of_file(file),
        "recipes": {name: sha256((out / "recipes" / f"{name}.toml").read_bytes()) for name in names},
        "runs": len(work),
    }
    append_line(out / LOOKS, look)
    for job in progress(work, "evaluating on test"):
        if not (job.folder / "test.json").exists():
            model = load(job.folder)
            report = model.evaluate(model.domain.read(file))
            right = {name: list(values) for name, values in report.right.items()}
            write_json(job.folder / "test.json", {**report.to_json(), "right": right})
    if not quiet:
        say(f"the test split was looked at; noted in {out / LOOKS}")
    result = []
    for row in table:
        runs = [job.folder for job in work if job.recipe.stem == row.name]
        splits = {**row.splits, "test": _system(row.label, runs, "test")} if runs else row.splits
        result.append(replace(row, splits=splits))
    return result


def tell(table: Sequence[Row]) -> None:
    """Print the table and the steps."""
    from chorale.report.tables import aligned_text, results_table, steps_of, steps_table  # noqa: PLC0415

    say(aligned_text(results_table(table)))
    if steps := steps_of(table):
        say("\n" + aligned_text(steps_table(steps)))


def write_page(out: Path, table: Sequence[Row], data: Path | None, quick: bool) -> Path:
    """Write the page and the figures for machines; gives back where the page is."""
    from chorale.plumbing.files import write_json  # noqa: PLC0415
    from chorale.report.page import results_page  # noqa: PLC0415

    notes = [
        "Trained on NLVR."
        if data
        else "Trained on the synthetic corpus that ships with Chorale; the published "
        "figures are of other data and are left out. Truly right is the share of predicted programs that mean what "
        "the sentence means: they agree with the known program on thousands of generated scenes."
    ]
    if quick:
        notes.append("A quick form of the recipes: few epochs, and no stages for long programs.")
    seeds = max((row.seeds for row in table), default=0)
    notes.append(f"{counted(seeds, 'seed')} for each row; the recipes as they were used are in the folder recipes.")
    page = out / "results.html"
    command = shlex.join(["chorale", *sys.argv[1:]]) if "reproduce" in sys.argv else "chorale reproduce"
    write(page, results_page("Results", table, notes, command).encode())
    write_json(out / "results.json", {"rows": as_records(table)})
    return page


def as_records(table: Sequence[Row]) -> list[dict[str, Any]]:
    """The rows for machines: the figures of every seed."""
    return [
        {
            "row": row.name,
            "label": row.label,
            "published": {split: list(pair) for split, pair in row.published.items()},
            **{
                split: {measure: system.scores(measure) for measure in ("accuracy", "consistency")}
                for split, system in row.splits.items()
            },
            "truly_right": {split: list(values) for split, values in row.truly_right.items()},
        }
        for row in table
    ]


def _truly_right(runs: Sequence[Path], data: Path) -> dict[str, list[float]]:
    """By split, the share of each run; remembered in its folder. Empty where the programs are not known."""
    from chorale.evaluation.meaning import known_programs, truly_right  # noqa: PLC0415
    from chorale.model import load  # noqa: PLC0415
    from chorale.plumbing.files import read_json, write_json  # noqa: PLC0415
    from chorale.runs.run import find_split  # noqa: PLC0415

    files = {split: find_split(data, split) for split in ("train", "dev")}
    known = {split: programs for split, file in files.items() if (programs := known_programs(file))}
    found: dict[str, list[float]] = {split: [] for split in known}
    for run in runs if known else ():
        path = run / "truly_right.json"
        if not path.exists():
            model: Model = load(run)
            shares = {
                split: truly_right(model.predict(model.domain.read(files[split])), model.language, programs)
                for split, programs in known.items()
            }
            write_json(path, shares)
        shares = read_json(path)
        for split in known:
            found[split].append(float(shares[split]))
    return found


def _system(label: str, runs: Sequence[Path], split: str) -> System:
    from chorale.evaluation.compare import System  # noqa: PLC0415
    from chorale.plumbing.files import read_json  # noqa: PLC0415

    rights = [read_json(run / f"{split}.json")["right"] for run in runs]
    return System(label, [{name: tuple(map(bool, it)) for name, it in right.items()} for right in rights])


def _json_lines(path: Path) -> list[dict[str, Any]]:
    import json  # noqa: PLC0415

    return [json.loads(line) for line in path.read_bytes().splitlines()]


def _commit() -> str | None:
    """The commit of the sources, if they are a repository."""
    import subprocess  # noqa: PLC0415

    here = Path(__file__).resolve().parent
    try:
        found = subprocess.run(["git", "rev-parse", "HEAD"], cwd=here, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return found.stdout.strip()
