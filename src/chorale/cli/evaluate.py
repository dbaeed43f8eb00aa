"""`chorale evaluate`: how good a trained parser is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chorale.cli.models import Device, Run, check_device
from chorale.cli.options import Data, Json
from chorale.cli.output import say, say_json

if TYPE_CHECKING:
    from chorale.evaluation.evaluate import Report


def evaluate(data: Data, run: Run = None, device: Device = "cpu", as_json: Json = False) -> None:
    """Give accuracy and consistency of a trained parser on labelled data.

    Accuracy is the share of pairs that are right, consistency the share of utterances right on all their images. Both
    are given once more for sentences of a kind that occurs in train and for those that do not, and by kind of picture.

    Example: chorale evaluate runs/language --data dev.json
    """
    from chorale.model import load  # noqa: PLC0415

    check_device(device)
    model = load(run, device=device)
    report = model.evaluate(model.domain.read(data))
    if as_json:
        say_json(report.to_json())
    else:
        _tell(report)


def _tell(report: Report) -> None:
    rows = [("all", report.score), *report.parts.items()]
    width = max(len(name) for name, _ in rows)
    say(f"{'':{width}}  accuracy  consistency  pairs  utterances")
    for name, score in rows:
        figures = f"{100 * score.accuracy:8.1f}  {100 * score.consistency:11.1f}"
        say(f"{name:{width}}  {figures}  {score.pairs:5}  {score.groups:10}")
    say(f"always {report.baseline!r} would have accuracy {100 * report.baseline_accuracy:.1f}")
