"""A page about runs, finished or not: how far they are, how they learned, what they get wrong, and what is hardest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from chorale.domain import Domain
from chorale.errors import ChoraleError
from chorale.evaluation.meaning import known_programs
from chorale.evaluation.metrics import Right, score_of
from chorale.model import Model, load
from chorale.plumbing.files import hash_of_file
from chorale.plumbing.html import Markup, element, faint, table
from chorale.report.looks import refuse_test
from chorale.report.mistakes import errors_by_kind, hardest, mistake
from chorale.report.page import results_page
from chorale.report.published import ROWS
from chorale.report.systems import Watch, kept_system
from chorale.report.tables import TableRow, short_names
from chorale.runs.listing import RunEntry, find_runs
from chorale.runs.run import read_metrics, read_right, read_run

HARDEST = 10
"""How many of the hardest utterances are drawn."""


def entries_of(folders: Sequence[Path]) -> list[RunEntry]:
    """All runs in these folders, each once."""
    entries: dict[Path, RunEntry] = {}
    for folder in folders:
        runs = find_runs(folder)
        if not runs:
            raise ChoraleError(f"{folder}: there is no run here; expected a run, or a folder of runs")
        entries |= {entry.folder.resolve(): entry for entry in runs}
    return list(entries.values())


def report_page(
    entries: Sequence[RunEntry],
    data: Path | None,
    *,
    domain: Domain | None = None,
    command: str = "",
    watch: Watch = iter,
) -> str:
    """The page; with the data of dev also where mistakes lie, and the hardest utterances."""
    rows = rows_of(entries)
    complete = {row.label: [one.folder for one in some if one.state == "complete"] for row, some in _grouped(entries)}
    complete = {label: runs for label, runs in complete.items() if runs}
    notes, errors = [f"{_counted_states(entries)}."], []
    if not complete:
        notes.append("No run is complete yet, so there is no parser to ask.")
    elif data is None:
        notes.append("To see mistakes as well, name the data: chorale report ... --data dev.json")
    else:
        errors = error_sections(complete, data, domain, watch)
    title = short_names([one.folder for one in entries])[0] if len(entries) == 1 else f"{len(entries)} runs"
    return results_page(title, rows, notes, command, more=[*errors, element("h2", "Runs"), table(runs_table(entries))])


def _counted_states(entries: Sequence[RunEntry]) -> str:
    """How many runs are complete, and what is the matter with the others."""
    if len(entries) == 1:
        return f"Recipe {entries[0].recipe or 'unknown'}, seed {entries[0].seed}: {entries[0].status}"
    counts = Counter(one.state for one in entries)
    return f"{len(entries)} runs: " + ", ".join(f"{count} {state}" for state, count in counts.items())


def rows_of(entries: Sequence[RunEntry]) -> list[TableRow]:
    """A row for each recipe, with a run for each seed; figures are those of complete runs."""
    rows = []
    for row, some in _grouped(entries):
        done = [one.folder for one in some if one.state == "complete"]
        metrics = [read_metrics(one.folder) for one in some if one.state != "damaged"]
        numbered = [one.seed for one in some if one.state != "damaged"]
        splits = {"dev": kept_system(row.label, done)} if done else {}
        rows.append(TableRow(row.name, row.label, splits, metrics=metrics, numbered=numbered))
    asked = [set(seed) for row in rows for system in row.splits.values() for seed in system.seeds]
    if any(one != asked[0] for one in asked):
        raise ChoraleError("these runs have different dev splits; report those of one corpus at a time")
    return rows


def runs_table(entries: Sequence[RunEntry]) -> list[list[str]]:
    """How far each run is; the first line the heads."""
    names = short_names([one.folder for one in entries])
    return [
        ["run", "recipe", "seed", "status", "dev", "last active"],
        *(
            [name, one.recipe, str(one.seed), one.status, one.figures, f"{one.changed:%Y-%m-%d %H:%M} UTC"]
            for name, one in zip(names, entries, strict=True)
        ),
    ]


@dataclass(frozen=True)
class _Row:
    name: str
    label: str


def _grouped(entries: Sequence[RunEntry]) -> list[tuple[_Row, list[RunEntry]]]:
    """Runs of the same recipe in the same folder belong together, in the order of the results table.

    A label is told apart by its folder if need be.
    """
    groups: dict[tuple[str, Path], list[RunEntry]] = {}
    for one in entries:
        groups.setdefault((one.recipe, one.folder.resolve().parent), []).append(one)
    known = {row.recipe: row.label for row in ROWS}
    order = [*known, *(recipe for recipe, _ in groups if recipe not in known)]
    groups = dict(sorted(groups.items(), key=lambda item: order.index(item[0][0])))
    labels = [known.get(recipe, recipe or "unknown") for recipe, _ in groups]
    rows = []
    for (recipe, parent), label, some in zip(groups, labels, groups.values(), strict=True):
        rows.append((_Row(recipe, f"{label} ({parent.name})" if labels.count(label) > 1 else label), some))
    return rows


# -- mistakes ----------------------------------------------------------------------------------------------------------


def error_sections(
    systems: Mapping[str, Sequence[Path]], data: Path, domain: Domain | None = None, watch: Watch = iter
) -> list[Markup]:
    """Errors by sentence template, and the hardest utterances with traces of the best run.

    Complete runs by the label of their system. What they said of dev is in their folders; of other data they are asked.
    """
    refuse_test(data)
    wanted = hash_of_file(data)
    runs = [run for some in systems.values() for run in some]
    right: dict[Path, dict[str, Right]] = {}
    for run in watch(runs):
        if read_run(run).data.get("dev") == wanted:
            right[run] = read_right(run / "dev.json")
        else:
            asked = load(run, domain)
            right[run] = asked.evaluate(asked.domain.read(data)).right
    best, model, problem = _best_loaded(runs, right, domain)
    if model is None:
        return [element("h2", "Mistakes"), element("p", f"They cannot be shown. {problem}")]
    by_label = {label: [right[run] for run in some] for label, some in systems.items()}
    utterances = model.domain.read(data)
    return [*errors_by_kind(model, utterances, by_label), *_hardest(model, best, data, by_label, right[best])]


def _best_loaded(
    runs: Sequence[Path], right: Mapping[Path, Mapping[str, Right]], domain: Domain | None
) -> tuple[Path, Model | None, str]:
    """The best run whose model can still be read; a newer Chorale may refuse older ones, and says why."""
    problem = ""
    for run in sorted(runs, key=lambda run: -score_of(list(right[run].values())).consistency):
        try:
            return run, load(run, domain), ""
        except ChoraleError as error:
            problem = problem or str(error)
    return runs[0], None, problem


def _hardest(
    model: Model, best: Path, data: Path, systems: Mapping[str, Sequence[Mapping[str, Right]]], own: Mapping[str, Right]
) -> list[Markup]:
    utterances, known = model.domain.read(data), known_programs(data)
    everything = [right for some in systems.values() for right in some]
    chosen = [index for index in hardest(utterances, everything) if not all(own[utterances[index].identifier])]
    chosen = chosen[:HARDEST]
    if not chosen:
        return []
    parts = [
        element("h2", "The hardest utterances"),
        faint(
            f"What {best.parent.name}/{best.name}, the best run that can be asked, gets wrong. "
            "What most runs get wrong comes first."
        ),
    ]
    predictions = model.predict([utterances[index] for index in chosen])
    for number, (index, prediction) in enumerate(zip(chosen, predictions, strict=True)):
        name = utterances[index].identifier
        counts = {label: sum(all(right[name]) for right in some) for label, some in systems.items()}
        who = ", ".join(f"{label} {counts[label]} of {len(systems[label])}" for label in systems if counts[label])
        more = [f"Right in {sum(counts.values())} of {len(everything)} runs{': ' if who else ''}{who}"]
        shown = more if len(everything) > 1 else ()
        parts.append(mistake(model, utterances[index], prediction, own[name], known, number == 0, shown))
    return parts
