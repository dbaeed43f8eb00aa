"""`chorale teach`: a model learns from marked answers in seconds, and what changed is shown."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from chorale.cli.loading import load_model
from chorale.cli.options import Json, ModelDomain, ModelName, Run
from chorale.cli.output import say, say_json
from chorale.errors import ChoraleError
from chorale.evaluation.teaching import changes_of, watched
from chorale.plumbing.files import alone, check_folder
from chorale.runs.marks import Marks


def teach(
    marks: Annotated[
        Path, Argument(metavar="MARKS", help="Marked sentences: a data file, as `chorale mark` makes it.")
    ],
    out: Annotated[Path, Option(metavar="DIR", help="Where the taught model goes.")],
    run: Run = None,
    others: Annotated[
        Path | None, Option(metavar="FILE", help="A data file whose readings are compared; default: some of our own.")
    ] = None,
    named: ModelName = None,
    domain: ModelDomain = None,
    as_json: Json = False,
) -> None:
    """Teach a model what sentences mean, by right answers for contexts of your own; it changes as little as it can.

    The model that learns stays as it is; the taught one is a folder like any other. Shown are the readings of what was
    taught, before and after, and which readings of other sentences changed with it.

    Example: chorale teach marks.jsonl --out taught && chorale parse taught "There is a tower with a dark block"
    """
    model = load_model(run, domain, "cpu", named)
    marked = Marks(marks, model.domain).utterances()
    check_folder(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    with alone(out, f"{out}: another process is writing a model there; wait for it, or name another folder"):
        if (out / "model.json").exists():
            raise ChoraleError(f"{out}: there is already a model; name another folder")
        taught = model.taught(marked)
        read = model.domain.read(others, labels_required=False) if others else None
        changes = changes_of(model, taught, marked, watched(model.domain, model.language, read))
        taught.save(out)
    if as_json:
        say_json({"out": str(out), **changes.to_json()})
        return
    for line in changes.lines():
        say(line)
    say(f'{out}: to use it: chorale parse {out} "..."')
