"""`chorale explain`: why a sentence was read as it was, and what follows for a context."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from chorale.cli.domains import asked_context
from chorale.cli.loading import load_model, model_and_sentence
from chorale.cli.options import ANSWER_IF, AnswerIf, Context, Device, Json, ModelDomain, ModelName
from chorale.cli.output import say, say_json
from chorale.domain.reading import not_known
from chorale.errors import ChoraleError
from chorale.explain import Explanation
from chorale.plumbing.files import write

MOST = 6
"""How many weights are printed."""
WIDEST = 24
"""The letters of a result beside which the part of the program still stands in a column of its own."""


def explain(
    words: Annotated[
        list[str], Argument(metavar="[MODEL] SENTENCE", help="What to explain; before it, a model; default: best.")
    ],
    context: Context = None,
    image: Annotated[Path | None, Option(metavar="PNG", help="nlvr: a picture to ask about.")] = None,
    scene: Annotated[Path | None, Option(metavar="JSON", help="nlvr: a scene to ask about; - is stdin.")] = None,
    data: Annotated[
        tuple[Path, str] | None, Option(metavar="FILE ID", help="An example of a data file to ask about.")
    ] = None,
    model: ModelName = None,
    html: Annotated[
        Path | None, Option(metavar="FILE", help="Write the explanation as one self-contained page.")
    ] = None,
    png: Annotated[Path | None, Option(metavar="FILE", help="Draw what each step returns, below the sentence.")] = None,
    answer_if: AnswerIf = ANSWER_IF,
    device: Device = "cpu",
    domain: ModelDomain = None,
    as_json: Json = False,
) -> None:
    """Explain how a sentence is read: in plain words, step by step on a context, and why not otherwise.

    A ranker also shows which words each part of the program says and which weights decided; a network shows where each
    action looked.

    Example: chorale explain "There is a tower with a black block at the top" --image scene.png --html page.html
    """
    run, sentence = model_and_sentence(words, "explain")
    if png is not None and context is None and image is None and scene is None and data is None:
        raise typer.BadParameter("there is nothing to draw without --context or --data", param_hint="--png")
    loaded = load_model(run, domain, device, model)
    answered = loaded.answer(sentence, asked_context(loaded.domain, context, image, scene, data))
    if not answered.readings:
        why = "; ".join(doubt.text for doubt in answered.reasons) or "no program was found for this sentence"
        raise ChoraleError(f"there is nothing to explain: {why}")
    explanation = answered.readings[0].explain(answer_if=answer_if)
    if html is not None:
        write(html, explanation.html().encode())
    if png is not None:
        write(png, explanation.picture("png"))
    if as_json:
        say_json(explanation.to_json())
    else:
        _print(explanation)


def _print(it: Explanation) -> None:
    parse, text = it.reading, it.domain.answers.shown
    reasons = () if it.trust is None else it.trust.reasons
    say(it.sentence, "bold")
    if it.said is not None:
        if it.answer is None:
            say(not_known(reasons))
            say(f"the program says {text(it.said)} of this {it.domain.context_word}, which is not trusted")
        else:
            say(f"{text(it.answer)} of this {it.domain.context_word}")
    if it.trust is not None:
        say(str(it.trust))
        for doubt in reasons[1 if it.said is not None and it.answer is None else 0 :]:
            say(f"  but {doubt}")
    say(f"\nunderstood, {parse.probability:.1%} probable")
    if parse.plain:
        say(f"  {parse.plain}")
    width = max(2 * one.depth + len(one.name) for one in it.tree)
    for one in it.tree:
        words = f'"{one.words}"' if one.words else ""
        say(f"  {'  ' * one.depth + one.name:<{width}}  {words}".rstrip())
    if it.steps:
        say("")
        say_steps(it)
    if (query := it.reading.query) is not None:
        say(f"\nas SQL{f' ({query.remark})' if query.remark else ''}")
        say(query.text)
    if it.weights:
        say("\nwhat speaks for it")
        for weight in it.weights[:MOST]:
            say(f"  {weight.weight:+.1f}  {weight.text}")
    if it.rival is not None and it.decided:
        say(f"\nwhat decided against: {it.rival.plain or it.rival.program}")
        for weight in it.decided[:MOST]:
            say(f"  {weight.weight:+.1f}  {weight.part}")
    if len(it.readings) > 1:
        say("")
        say_readings(it)


def say_steps(it: Explanation) -> None:
    """What each part of the program returned."""
    say("step by step")
    width = min(max((len(step.result) for step in it.steps), default=0), WIDEST)
    for number, step in enumerate(it.steps, 1):
        say(f"  {number:2}  {step.result:<{width}}  {step.plain or step.text}")


def say_readings(it: Explanation) -> None:
    """What the sentence may mean, and what each of that says."""
    say("readings")
    for reading in it.readings[: len(it.readings) - it.others[0]]:
        answer = f"{it.domain.answers.shown(reading.answers[0])}  " if reading.answers else ""
        say(f"  {reading.probability:6.1%}  {answer}{reading.plain or reading.program}")
    if it.others[0]:
        say(f"  {it.others[1]:6.1%}  {it.others[0]} more together")
