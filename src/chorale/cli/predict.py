"""`chorale predict`: what a trained parser says about a data file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Option

from chorale.cli.options import AnswerIf, Data, Device, ModelDomain, Run, load_model
from chorale.cli.output import say
from chorale.plumbing.files import STANDARD, check_file, write


def predict(
    data: Data,
    out: Annotated[
        Path, Option("--out", "--output", metavar="FILE", help="Where lines identifier,true|false go. - is stdout.")
    ],
    run: Run = None,
    programs: Annotated[Path | None, Option(metavar="FILE", help="Where the programs go, as JSON lines.")] = None,
    answer_if: AnswerIf = 0.0,
    device: Device = "cpu",
    domain: ModelDomain = None,
) -> None:
    """Predict true or false for every image of a data file, which needs no labels.

    The output has no header and is in the order of the data, as the data set's own scorer reads it. With --answer-if,
    what is less sure is `unknown`; the programs come with their confidence and what speaks against it in any case.

    Example: chorale predict runs/language --data test.json --out predictions.csv --programs programs.jsonl
    """
    from chorale.evaluation.predictions import as_csv, as_json_lines  # noqa: PLC0415

    for path in (out, programs):
        if path is not None:
            check_file(path)
    model = load_model(run, domain, device)
    utterances = model.domain.read(data, labels_required=False)
    predictions = model.predict(utterances)
    if programs is not None:
        write(programs, as_json_lines(predictions).encode())
    write(out, as_csv(utterances, predictions, answer_if).encode())
    if out != STANDARD:
        say(f"{out}: {len(predictions):,} utterances")
