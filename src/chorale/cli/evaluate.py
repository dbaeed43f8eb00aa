"""`chorale evaluate`: how good a trained parser is."""

from __future__ import annotations

from chorale.cli.options import Data, Device, Json, ModelDomain, Run, load_model
from chorale.cli.output import say, say_json


def evaluate(
    data: Data, run: Run = None, device: Device = "cpu", domain: ModelDomain = None, as_json: Json = False
) -> None:
    """Give accuracy and consistency of a trained parser on labelled data.

    Accuracy is the share of pairs that are right, consistency the share of utterances right on all their images. Both
    are given once more for sentences of a kind that occurs in train and for those that do not, and by kind of picture.

    Example: chorale evaluate runs/language --data dev.json
    """
    model = load_model(run, domain, device)
    found = model.evaluate(model.domain.read(data))
    if as_json:
        say_json(found.to_json())
        return
    rows = [("all", found.score), *found.parts.items()]
    width = max(len(name) for name, _ in rows)
    say(f"{'':{width}}  accuracy  consistency  pairs  utterances")
    for name, score in rows:
        figures = f"{100 * score.accuracy:8.1f}  {100 * score.consistency:11.1f}"
        say(f"{name:{width}}  {figures}  {score.pairs:5}  {score.groups:10}")
    say(f"always {found.baseline!r} would have accuracy {100 * found.baseline_accuracy:.1f}")
