"""`chorale download`, `check` and `synthesize`: data from its authors, whether it is what it should be, our own."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from chorale.cli.options import NLVR, DomainName, Json, find
from chorale.cli.output import BAD_INPUT, complain, counted, say, say_json
from chorale.errors import ChoraleError

if TYPE_CHECKING:
    from chorale.domain import Domain


def download(
    name: Annotated[str, Argument(metavar="NAME", help="One of: nlvr.")],
    out: Annotated[Path | None, Option(metavar="DIR", help="Where to; a folder NAME by default.")] = None,
    base: Annotated[str | None, Option("--base-url", metavar="URL", help="Another address, such as a mirror.")] = None,
) -> None:
    """Download a data set from its authors, and check that it is what they published.

    A file that is already there and right is left alone; one that was cut short goes on where it stopped.

    Example: chorale download nlvr --out nlvr
    """
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn  # noqa: PLC0415

    from chorale.nlvr.download import download as fetch  # noqa: PLC0415

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(name, total=None)

        def watch(file: str, done: int, of: int | None) -> None:
            progress.update(task, description=file, completed=done, total=of)

        fetched = fetch(name, out or Path(name), base, report=say, watch=watch)
    say(f"{out or name}: complete and checked ({fetched.licence})", "green")


def check(
    files: Annotated[list[Path], Argument(metavar="FILE...", help="Data files; for NLVR JSON lines or .gz.")],
    unlabelled: Annotated[bool, Option("--unlabelled", help="Labels may be missing.")] = False,
    domain: DomainName = NLVR,
    as_json: Json = False,
) -> None:
    """Look through data files and list every problem with file, line and field.

    The status is 2 if there is any problem. Notes are worth knowing, but no problem.

    Example: chorale check train.json dev.json.gz
    """
    about, _ = find(domain)
    results = [_looked_through(about, path, labels_required=not unlabelled) for path in files]
    if as_json:
        say_json(results)
    else:
        for result in results:
            _print(result)
    if not all(result["ok"] for result in results):
        raise typer.Exit(BAD_INPUT)


def _looked_through(domain: Domain, path: Path, *, labels_required: bool) -> dict[str, Any]:
    """What there is to say about a file; of a domain without a reader like NLVR's only how much it holds."""
    from chorale.nlvr import reader  # noqa: PLC0415
    from chorale.nlvr.domain import Nlvr  # noqa: PLC0415

    result: dict[str, Any] = {"file": str(path), "ok": True, "problems": [], "notes": []}
    try:
        if not isinstance(domain, Nlvr):
            utterances = domain.read(path, labels_required=labels_required)
            return {**result, "pairs": sum(len(it.contexts) for it in utterances), "groups": len(utterances)}
        found = asdict(reader.check(path, labels_required=labels_required))
    except ChoraleError as error:  # a file that cannot be opened; the others are looked at all the same
        problem = {"line": 0, "field": "", "message": str(error).removeprefix(f"{path}: ")}
        return {**result, "ok": False, "problems": [problem]}
    for finding in (*found["problems"], *found["notes"]):
        del finding["path"]
    return {"file": str(found.pop("path")), "ok": not found["problems"], **found}


def _print(result: dict[str, Any]) -> None:
    for kind in ("problem", "note"):
        for one in result[f"{kind}s"]:
            where = f"{result['file']}:{one['line']}" if one["line"] else result["file"]
            parts = [part for part in (where, one["field"], one["message"]) if part]
            complain(": ".join(parts), "error" if kind == "problem" else kind)
    if "pairs" not in result:
        return
    text = (
        f"{result['file']}: {'ok' if result['ok'] else counted(len(result['problems']), 'problem')}, "
        f"{counted(result['pairs'], 'pair')} in {counted(result['groups'], 'group')}"
    )
    if "labels" in result:
        labels = ", ".join(f"{number:,} {label}" for label, number in result["labels"].items() if number)
        text += (
            f" ({result['uniform_groups']:,} with all labels equal); labels: {labels or 'none'}; "
            f"pictures: {result['towers']:,} towers, {result['scatter']:,} scatter"
        )
    say(text, "green" if result["ok"] else "red")


def synthesize(
    out: Annotated[Path, Option(metavar="DIR", help="The folder to write to; made if missing.")],
    utterances: Annotated[int, Option(min=0, help="Utterances of the train split.")] = 600,
    dev: Annotated[int, Option(min=0, help="Utterances of the dev split.")] = 100,
    test: Annotated[int, Option(min=0, help="Utterances of the test split.")] = 100,
    seed: Annotated[int, Option(help="The same seed gives the same corpus, byte for byte.")] = 0,
    images: Annotated[int, Option(min=1, help="Images per utterance.")] = 4,
    towers: Annotated[float, Option(min=0, max=1, help="Share of utterances about towers.")] = 0.5,
    typos: Annotated[float, Option(min=0, max=1, help="Probability of a mistyped word.")] = 0.0,
    noise: Annotated[float, Option(min=0, max=1, help="Probability of a flipped label.")] = 0.0,
    as_json: Json = False,
) -> None:
    """Write a synthetic corpus: train, dev and test as .jsonl.gz, in NLVR's format with the known program added.

    Example: chorale synthesize --out corpus --utterances 1000 --seed 7 --typos 0.02 --noise 0.05
    """
    from chorale.nlvr.pictures.synthetic import Knobs, write_corpus  # noqa: PLC0415

    sizes = {"train": utterances, "dev": dev, "test": test}
    knobs = Knobs(seed=seed, images=images, towers=towers, typos=typos, noise=noise)
    written = write_corpus(out, sizes, knobs)
    if as_json:
        say_json({split: {"file": str(path), "utterances": sizes[split]} for split, path in written.items()})
    else:
        for split, path in written.items():
            say(f"{path}: {sizes[split]:,} utterances")
