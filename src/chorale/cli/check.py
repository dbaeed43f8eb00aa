"""`chorale check`: is this data what it should be?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chorale.cli.options import Json
from chorale.cli.output import BAD_INPUT, complain, counted, say, say_json

if TYPE_CHECKING:
    from chorale.nlvr.reader import CheckReport, Finding


def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="NLVR JSON lines, plain or .gz.")],
    unlabelled: Annotated[bool, typer.Option("--unlabelled", help="Labels may be missing.")] = False,
    as_json: Json = False,
) -> None:
    """Look through data files and list every problem with file, line and field.

    The status is 2 if there is any problem. Notes are worth knowing, but no problem.

    Example: chorale check train.json dev.json.gz
    """
    from chorale.nlvr.reader import DataError, check  # noqa: PLC0415

    results: list[CheckReport | DataError] = []
    for path in files:
        try:
            results.append(check(path, labels_required=not unlabelled))
        except DataError as error:  # a file that cannot be opened; the others are looked at all the same
            results.append(error)
    if as_json:
        pairs = zip(files, results, strict=True)
        say_json([_unreadable(path, it) if isinstance(it, DataError) else _as_json(it) for path, it in pairs])
    else:
        for result in results:
            _tell(result)
    if not all(not isinstance(result, DataError) and result.ok for result in results):
        raise typer.Exit(BAD_INPUT)


def _tell(result: CheckReport | Exception) -> None:
    if isinstance(result, Exception):
        complain(str(result))
        return
    for problem in result.problems:
        complain(str(problem))
    for note in result.notes:
        complain(str(note), "note")
    labels = ", ".join(f"{number:,} {label}" for label, number in result.labels.items() if number)
    say(
        f"{result.path}: {'ok' if result.ok else counted(len(result.problems), 'problem')}, "
        f"{counted(result.pairs, 'pair')} in {counted(result.groups, 'group')} "
        f"({result.uniform_groups:,} with all labels equal); labels: {labels or 'none'}; "
        f"pictures: {result.towers:,} towers, {result.scatter:,} scatter",
        "green" if result.ok else "red",
    )


def _as_json(report: CheckReport) -> dict[str, Any]:
    return {
        "file": str(report.path),
        "ok": report.ok,
        "problems": [_finding(problem) for problem in report.problems],
        "notes": [_finding(note) for note in report.notes],
        "pairs": report.pairs,
        "groups": report.groups,
        "labels": dict(report.labels),
        "towers": report.towers,
        "scatter": report.scatter,
        "group_sizes": {str(size): number for size, number in report.group_sizes.items()},
        "uniform_groups": report.uniform_groups,
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {"line": finding.line, "field": finding.field, "message": finding.message}


def _unreadable(path: Path, error: Exception) -> dict[str, Any]:
    problem = {"line": 0, "field": "", "message": str(error)}
    return {"file": str(path), "ok": False, "problems": [problem], "notes": []}
