"""`chorale evaluate`, `predict` and `parse`: what a trained parser is worth, and what it says."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from chorale.cli.options import Data, Device, Json, ModelDomain, Run, load_model
from chorale.cli.output import say, say_json
from chorale.plumbing.files import STANDARD, write


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


def predict(
    data: Data,
    out: Annotated[
        Path, Option("--out", "--output", metavar="FILE", help="Where lines identifier,true|false go. - is stdout.")
    ],
    run: Run = None,
    programs: Annotated[Path | None, Option(metavar="FILE", help="Where the programs go, as JSON lines.")] = None,
    device: Device = "cpu",
    domain: ModelDomain = None,
) -> None:
    """Predict true or false for every image of a data file, which needs no labels.

    The output has no header and is in the order of the data, as the data set's own scorer reads it.

    Example: chorale predict runs/language --data test.json --out predictions.csv --programs programs.jsonl
    """
    from chorale.evaluation.predictions import as_csv, as_json_lines  # noqa: PLC0415

    model = load_model(run, domain, device)
    utterances = model.domain.read(data, labels_required=False)
    predictions = model.predict(utterances)
    if programs is not None:
        write(programs, as_json_lines(predictions).encode())
    write(out, as_csv(utterances, predictions).encode())
    if out != STANDARD:
        say(f"{out}: {len(predictions):,} utterances")


def parse(
    words: Annotated[
        list[str],
        Argument(
            metavar="[RUN] SENTENCE",
            help="What to parse, and before it the folder of a complete run; without that, the model inside Chorale.",
        ),
    ],
    image: Annotated[Path | None, Option(metavar="PNG", help="A picture to ask about.")] = None,
    scene: Annotated[Path | None, Option(metavar="JSON", help="A scene to ask about; - is stdin.")] = None,
    top: Annotated[int, Option(min=1, help="How many programs to show.")] = 3,
    device: Device = "cpu",
    domain: ModelDomain = None,
    as_json: Json = False,
) -> None:
    """Turn a sentence into programs, the best first, and say what they mean for a picture.

    The first figure is the parser's probability of the program; a model with a reranker gives a second one, how likely
    it holds the program to be right.

    Example: chorale parse "There is a tower with a black block at the top" --image scene.png
    """
    from chorale.domain import needed  # noqa: PLC0415
    from chorale.domain.drawing import read_context  # noqa: PLC0415
    from chorale.evaluation.predictions import answer_text  # noqa: PLC0415

    if image is not None and scene is not None:
        raise typer.BadParameter("give --image or --scene, not both", param_hint="--scene")
    if len(words) > 2:
        raise typer.BadParameter(f"a sentence stands in quotes, found {len(words)} words", param_hint="SENTENCE")
    model = load_model(Path(words[0]) if len(words) == 2 else None, domain, device)
    contexts = []
    if (path := image or scene) is not None:
        drawing = needed(model.domain.drawing, model.domain, "drawing", "parse with --image or --scene")
        contexts.append(drawing.see(path) if image is not None else read_context(drawing, path))
    parses = model.parse(words[-1], contexts or None, beam=max(top, model.beam))[:top]
    if as_json:
        say_json(
            [
                {
                    "program": one.program.text,
                    "probability": one.probability,
                    "rank_probability": one.rank_probability,
                    "denotations": one.denotations,
                    "words": one.words,
                    "actions": one.program.actions,
                    "attention": one.attention
                    if one.attention is None
                    else [[round(float(it), 4) for it in row] for row in one.attention],
                }
                for one in parses
            ]
        )
        return
    for one in parses:
        answer = f"  {answer_text(one.denotations[0])}" if one.denotations is not None else ""
        rank = f"  {one.rank_probability:6.1%}" if one.rank_probability is not None else ""
        say(f"{one.probability:6.1%}{rank}{answer}  {one.program}")
