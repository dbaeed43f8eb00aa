"""`chorale parse`: one sentence, its programs, and what they say about a context."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from chorale.cli.domains import asked_context, picture_format
from chorale.cli.loading import load_model, model_and_sentence
from chorale.cli.options import ANSWER_IF, AnswerIf, Context, Device, Json, ModelDomain, ModelName
from chorale.cli.output import say, say_json
from chorale.domain import Answers, Reading
from chorale.domain.reading import not_known
from chorale.plumbing.files import write


def parse(
    words: Annotated[
        list[str],
        Argument(
            metavar="[MODEL] SENTENCE",
            help="What to parse; before it, a model: the folder of a trained one, or a name; default: best.",
        ),
    ],
    context: Context = None,
    image: Annotated[Path | None, Option(metavar="PNG", help="nlvr: a picture to ask about.")] = None,
    scene: Annotated[Path | None, Option(metavar="JSON", help="nlvr: a scene to ask about; - is stdin.")] = None,
    draw: Annotated[
        Path | None, Option(metavar="PICTURE", help="Draw what each part of the best program returns: .png or .svg.")
    ] = None,
    answer_if: AnswerIf = ANSWER_IF,
    top: Annotated[int, Option(min=1, help="How many programs to show.")] = 3,
    model: ModelName = None,
    device: Device = "cpu",
    domain: ModelDomain = None,
    as_json: Json = False,
) -> None:
    """Turn a sentence into programs, best first, and run them on a context such as a picture.

    The answer comes first, with its confidence and what speaks against it. Below --answer-if the answer is "not known".
    A yes/no question is answered like the statement it asks about.

    The programs follow. The first figure is the parser's probability; a model with a reranker adds a second one, the
    probability that the program is right. Programs are simplified by laws that keep their meaning.

    Example: chorale parse "There is a tower with a black block at the top" --image scene.png --draw trace.png
    """
    run, sentence = model_and_sentence(words, "parse")
    form = None if draw is None else picture_format(draw, "--draw")
    if draw is not None and context is None and image is None and scene is None:
        raise typer.BadParameter("there is nothing to draw without --context, --image or --scene", param_hint="--draw")
    loaded = load_model(run, domain, device, model)
    asked, answers = asked_context(loaded.domain, context, image, scene), loaded.domain.answers
    answered = loaded.answer(sentence, asked, answer_if=answer_if, beam=max(top, loaded.beam))
    parses = answered.readings[:top]
    if draw is not None and form is not None and parses:
        write(draw, parses[0].explain().picture(form))
    if as_json:
        say_json(
            {
                "answer": answers.to_json(answered.answer),
                "confidence": round(answered.confidence, 4),
                "meant": round(answered.meant, 4),
                "reasons": [{"kind": reason.kind, "text": reason.text} for reason in answered.reasons],
                "parses": [_as_json(one, answers) for one in parses],
            }
        )
        return
    is_known = answered.confidence >= answer_if
    if asked is not None or not is_known:
        say(answers.text(answered.answer) if answered.answer is not None else not_known(answered.reasons))
    say(f"{answered.confidence:.0%} sure")
    for reason in answered.reasons[0 if is_known else 1 :]:
        say(f"  but {reason}")
    if parses and (text := parses[0].plain):
        say(f"read as: {text}")
    for one in parses:
        answer = f"  {answers.text(one.answers[0])}" if one.answers else ""
        rank = f"  {one.rank_probability:6.1%}" if one.rank_probability is not None else ""
        say(f"{one.probability:6.1%}{rank}{answer}  {one.program}")
    if parses and (query := parses[0].query) is not None:
        say(f"\n{query.text or query.remark}")


def _as_json(one: Reading, answers: Answers) -> dict[str, Any]:
    return {
        "program": one.program.text,
        "plain": one.plain,
        "sql": one.sql,
        "probability": one.probability,
        "rank_probability": one.rank_probability,
        "denotations": None if one.answers is None else [answers.to_json(it) for it in one.answers],
        "words": list(one.words),
        "decoded": one.decoded.text,  # before it was simplified; actions and attention belong to it
        "actions": list(one.decoded.actions),
        "attention": None if one.attention is None else [[round(float(it), 4) for it in row] for row in one.attention],
    }
