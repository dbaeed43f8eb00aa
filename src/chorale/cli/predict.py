"""`chorale predict`: what a trained parser says about a data file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from chorale.cli.models import Device, Run, check_device
from chorale.cli.options import Data
from chorale.cli.output import say
from chorale.plumbing.files import STANDARD, write


def predict(
    data: Data,
    output: Annotated[
        Path, typer.Option("--output", metavar="FILE", help="Where lines identifier,true|false go. - is stdout.")
    ],
    run: Run = None,
    programs: Annotated[
        Path | None, typer.Option("--programs", metavar="FILE", help="Where the programs go, as JSON lines.")
    ] = None,
    device: Device = "cpu",
) -> None:
    """Predict true or false for every image of a data file, which needs no labels.

    The output has no header and is in the order of the data, as the data set's own scorer reads it.

    Example: chorale predict runs/language --data test.json --output predictions.csv --programs programs.jsonl
    """
    from chorale.evaluation.predictions import as_csv, as_json_lines  # noqa: PLC0415
    from chorale.model import load  # noqa: PLC0415

    check_device(device)
    model = load(run, device=device)
    utterances = model.domain.read(data, labels_required=False)
    predictions = model.predict(utterances)
    if programs is not None:
        write(programs, as_json_lines(predictions).encode())
    write(output, as_csv(utterances, predictions).encode())
    if output != STANDARD:
        say(f"{output}: {len(predictions):,} utterances")
