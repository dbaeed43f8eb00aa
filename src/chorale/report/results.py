"""The results table from its runs: what has to be trained for it, its rows, and the files they are kept in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from chorale.domain import Domain
from chorale.evaluation.meaning import known_programs, right_meaning
from chorale.evaluation.metrics import MEASURES
from chorale.model import load
from chorale.plumbing.checking import Checked, Share, checked
from chorale.plumbing.files import read_json, write, write_json
from chorale.plumbing.html import Markup, element, faint
from chorale.plumbing.html import table as html_table
from chorale.report.looks import note_look
from chorale.report.page import results_page
from chorale.report.published import ROWS, WTQ, WTQ_NOTE
from chorale.report.runs import error_sections
from chorale.report.systems import Watch, kept_system
from chorale.report.tables import TableRow, systems_table
from chorale.runs.run import find_split, read_metrics
from chorale.sweeps.plan import Job, jobs_of
from chorale.training.recipes import read_recipe, written_recipe
from chorale.training.stages import KINDS


class _TrulyRight(Checked):
    """The share of programs with the right meaning, by split."""

    train: Share = 0.0
    dev: Share = 0.0


def table_jobs(
    recipes: Mapping[str, Path], seeds: int, out: Path, quick: bool, changes: Sequence[str] = ()
) -> list[Job]:
    """The runs of the table; the recipes as they are used stand in the folder `recipes` beside them."""
    used = []
    for name, path in recipes.items():
        kinds = {stage.kind for stage in read_recipe(path).stages}
        own = [it for it in changes if (kind := it.partition(".")[0]) in kinds or kind not in KINDS]
        recipe = read_recipe(path, own, quick=quick)
        used.append(out / "recipes" / f"{name}.toml")
        used[-1].parent.mkdir(parents=True, exist_ok=True)
        write(used[-1], written_recipe(recipe).encode())
    return jobs_of(used, range(seeds), [], out)


def table_rows(work: Sequence[Job], data: Path, *, published: bool) -> list[TableRow]:
    """The rows of the table from their runs, beside the published ones if they are of the same data."""
    table = []
    for entry in ROWS:
        runs = _runs_of(entry.recipe, work)
        printed = entry.printed if published else {}
        if runs:
            metrics = [read_metrics(run) for run in runs]
            splits = {"dev": kept_system(entry.label, runs)}
            table.append(TableRow(entry.recipe, entry.label, splits, printed, _right_meaning(runs, data), metrics))
        elif printed:
            table.append(TableRow(entry.recipe, entry.label, published=printed))
    return table


def with_test(
    table: Iterable[TableRow], work: Sequence[Job], data: Path, out: Path, watch: Watch = iter
) -> tuple[list[TableRow], Path]:
    """The rows with what they say about the test split; that they were asked is noted first, in the file given back."""
    file, runs = find_split(data, "test"), [job.folder for job in work]
    noted = note_look(out, file, runs)
    for run in watch([run for run in runs if not (run / "test.json").exists()]):
        model = load(run)
        write_json(run / "test.json", model.evaluate(model.domain.read(file)).to_file())
    rows = []
    for row in table:
        own = _runs_of(row.name, work)
        rows.append(replace(row, splits={**row.splits, "test": kept_system(row.label, own, "test")}) if own else row)
    return rows, noted


def write_results(
    out: Path,
    table: Sequence[TableRow],
    work: Sequence[Job],
    data: Path,
    *,
    published: bool,
    quick: bool,
    command: str,
    domain: str = "nlvr",
) -> Path:
    """Write the page and the figures for machines; returns where the page is."""
    seeds = max((row.seeds for row in table), default=0)
    counted = f"{seeds} seed{'' if seeds == 1 else 's'}"
    counts = f"{counted} for each row; the recipes as they were used are in the folder recipes."
    systems = {row.label: own for row in table if (own := _runs_of(row.name, work))}
    more = error_sections(systems, find_split(data, "dev")) if systems else []
    if domain == "tables":
        notes = ["Trained on WikiTableQuestions; dev has tables of its own.", counts]
        beside = [element("h2", "Beside published systems"), html_table(systems_table(table, WTQ)), faint(WTQ_NOTE)]
        return _written(out, table, notes, command, [*beside, *more])
    notes = [
        "Trained on NLVR."
        if published
        else "Trained on the synthetic corpus that ships with Chorale; the published "
        "figures are of other data and are left out. Right meaning is the share of predicted programs that mean what "
        "the sentence means: they agree with the known program on thousands of generated contexts."
    ]
    if quick:
        notes.append("A quick form of the recipes: few epochs, and no stages for long programs.")
    notes.append(counts)
    return _written(out, table, notes, command, more)


def _written(out: Path, table: Sequence[TableRow], notes: Sequence[str], command: str, more: Sequence[Markup]) -> Path:
    write(out / "results.html", results_page("Results", table, notes, command, more=more).encode())
    write_json(out / "results.json", {"rows": records(table)})
    return out / "results.html"


def records(table: Sequence[TableRow]) -> list[dict[str, Any]]:
    """The rows for machines: the figures of every seed."""
    return [
        {
            "row": row.name,
            "label": row.label,
            "published": {split: list(pair) for split, pair in row.published.items()},
            **{split: {it: system.scores(it) for it in MEASURES} for split, system in row.splits.items()},
            "right_meaning": {split: list(values) for split, values in row.right_meaning.items()},
        }
        for row in table
    ]


def _runs_of(recipe: str, work: Sequence[Job]) -> list[Path]:
    return [job.folder for job in work if job.recipe.stem == recipe]


def _right_meaning(runs: Sequence[Path], data: Path) -> dict[str, list[float]]:
    """By split, the share of each run; remembered in its folder. Empty where the programs are not known."""
    files = {split: find_split(data, split) for split in ("train", "dev")}
    known = {split: programs for split, file in files.items() if (programs := known_programs(file))}
    domain: Domain | None = None
    for run in runs if known else ():
        if not (run / "right_meaning.json").exists():
            model = load(run, domain)
            domain = model.domain  # the same for all runs, so that contexts are generated once
            said = {split: model.predict(domain.read(files[split])) for split in known}
            shares = {split: right_meaning(domain, model.language, said[split], known[split]) for split in known}
            write_json(run / "right_meaning.json", shares)
    kept = [_shares(run / "right_meaning.json") for run in runs] if known else []
    return {split: [shares[split] for shares in kept] for split in known}


def _shares(path: Path) -> dict[str, float]:
    """What was remembered of a run."""
    shares = checked(_TrulyRight, read_json(path), path)
    return {"train": shares.train, "dev": shares.dev}
