"""`chorale check`: is this data what it should be?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from chorale.cli.domains import find
from chorale.cli.options import NLVR, DomainName, Json
from chorale.cli.output import BAD_INPUT, complain_all, counted, say, say_json
from chorale.domain import Domain
from chorale.errors import ChoraleError

_COUNTS = {"pairs", "groups", "uniform_groups"}  # other numbers are counts of contexts by their kind


def check(
    files: Annotated[
        list[Path], Argument(metavar="FILE...", help="Data files of the domain; of nlvr JSON lines or .gz.")
    ],
    unlabelled: Annotated[bool, Option("--unlabelled", help="Accept data without labels.")] = False,
    domain: DomainName = NLVR,
    as_json: Json = False,
) -> None:
    """Check data files and report every problem with file, line and field.

    The exit status is 2 if there is any problem. Notes are worth knowing, but are not problems.

    Example: chorale check train.json dev.json.gz
    """
    about, _ = find(domain)
    results = []
    for path in files:
        try:
            results.append(_looked_through(about, path, labels_required=not unlabelled))
        except ChoraleError as error:  # a file that cannot be opened; the others are looked at all the same
            problem = {"line": 0, "field": "", "message": str(error).removeprefix(f"{path}: ")}
            results.append({"file": str(path), "ok": False, "problems": [problem], "notes": []})
    if as_json:
        say_json(results)
    else:
        for result in results:
            _print(result, about.context_word)
    if not all(result["ok"] for result in results):
        raise typer.Exit(BAD_INPUT)


def _looked_through(domain: Domain, path: Path, *, labels_required: bool) -> dict[str, Any]:
    """What there is to say about a file."""
    report = domain.check(path, labels_required=labels_required)
    return {"file": str(path), "ok": not report["problems"], **report}


def _line(file: str, one: dict[str, Any]) -> str:
    where = f"{file}:{one['line']}" if one["line"] else file
    return ": ".join(part for part in (where, one["field"], one["message"]) if part)


def _print(result: dict[str, Any], word: str) -> None:
    for kind in ("problem", "note"):
        if result[f"{kind}s"]:
            listed = (_line(result["file"], one) for one in result[f"{kind}s"])
            complain_all(listed, "error" if kind == "problem" else kind)
    if "pairs" not in result:
        return
    text = (
        f"{result['file']}: {'ok' if result['ok'] else counted(len(result['problems']), 'problem')}, "
        f"{counted(result['pairs'], 'pair')} in {counted(result['groups'], 'group')}"
    )
    if "labels" in result:
        labels = ", ".join(f"{number:,} {label}" for label, number in result["labels"].items() if number)
        kinds = ", ".join(f"{it:,} {kind}" for kind, it in result.items() if type(it) is int and kind not in _COUNTS)
        text += f" ({result['uniform_groups']:,} with all labels equal); labels: {labels or 'none'}; {word}s: {kinds}"
    say(text, "green" if result["ok"] else "red")
