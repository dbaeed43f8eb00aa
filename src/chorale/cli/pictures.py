"""`chorale draw` and `see`: a scene or a program's trace as a picture, and a picture as its scene."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from chorale.cli.options import NLVR, DomainName, Json, Language, find
from chorale.cli.output import say, say_json
from chorale.errors import ChoraleError, nearest
from chorale.plumbing.files import write

if TYPE_CHECKING:
    from chorale.domain import Domain
    from chorale.domain.drawing import Format


def draw(
    file: Annotated[Path, Argument(metavar="FILE", help="A data file, or the JSON of one scene; - is stdin.")],
    out: Annotated[Path, Option(metavar="PICTURE", help="A name ending in .png or .svg.")],
    identifier: Annotated[str | None, Argument(metavar="IDENTIFIER", help="Which example of it, such as 17-0.")] = None,
    program: Annotated[str | None, Option(help="Draw what each sub-program returns; a set is highlighted.")] = None,
    language: Language = None,
    scale: Annotated[int, Option(min=1, max=20, help="Pixels per pixel of NLVR's picture.")] = 1,
    columns: Annotated[int, Option(min=1, help="Steps of a trace in a row.")] = 3,
    domain: DomainName = NLVR,
    as_json: Json = False,
) -> None:
    """Draw one example of a data file, or a scene, in NLVR's own style.

    Example: chorale draw dev.json 1008-0 --out picture.svg --program "object_exists(yellow(top(all_objects)))"
    """
    from chorale.domain import needed  # noqa: PLC0415
    from chorale.domain.drawing import read_context  # noqa: PLC0415

    forms: dict[str, Format] = {".png": "png", ".svg": "svg"}
    if (form := forms.get(out.suffix.lower())) is None:
        raise typer.BadParameter(f"expected a name that ends in .png or .svg, found {str(out)!r}", param_hint="--out")
    about, name = find(domain, language)
    drawing = needed(about.drawing, about, "drawing", "chorale draw")
    question = None if program is None else about.languages[name].parse(program)
    scene = read_context(drawing, file) if identifier is None else _example(about, file, identifier)
    steps = [] if question is None else drawing.trace(question, scene, name)
    if question is not None and not steps:
        raise ChoraleError(f"{question} is a {question.type}: there is nothing to draw before it is applied")
    if steps:
        write(out, drawing.draw_trace(steps, form, scale=scale, columns=columns))
    else:
        write(out, drawing.draw(scene, form, scale=scale))
    if as_json:
        traced = [step.to_json() for step in steps]
        say_json({"out": str(out), "structured_rep": drawing.to_json(scene), "steps": traced})
    else:
        say(f"{out}: {steps[-1].text if steps else 'one scene'}")


def _example(domain: Domain, path: Path, identifier: str) -> Any:
    """The context of this name in a data file."""
    from chorale.domain import pairs_of  # noqa: PLC0415

    contexts = {
        name: context
        for utterance in domain.read(path, labels_required=False)
        for (_, name), context in zip(pairs_of(utterance), utterance.contexts, strict=True)
    }
    if identifier not in contexts:
        close = nearest(identifier, contexts)
        raise ChoraleError(f"{path}: no example {identifier!r}{f'; did you mean {close!r}?' if close else ''}")
    return contexts[identifier]


def see(
    picture: Annotated[Path, Argument(metavar="PICTURE", help="A PNG in NLVR's own style.")],
    program: Annotated[str | None, Option(help="Say whether this is true of the picture.")] = None,
    language: Language = None,
    domain: DomainName = NLVR,
    as_json: Json = False,
) -> None:
    """Read the scene off a picture, boxes as seen, and print it as NLVR's JSON.

    Example: chorale see picture.png --program "object_exists(yellow(all_objects))"
    """
    from chorale.domain import needed  # noqa: PLC0415
    from chorale.evaluation.denotations import ask  # noqa: PLC0415
    from chorale.evaluation.predictions import answer_text  # noqa: PLC0415
    from chorale.language import read_program  # noqa: PLC0415

    about, name = find(domain, language)
    drawing = needed(about.drawing, about, "drawing", "chorale see")
    question = None if program is None else read_program(program, about.languages[name])
    scene = drawing.see(picture)
    result: dict[str, Any] = {"picture": str(picture), "structured_rep": drawing.to_json(scene)}
    if question is None:
        typer.echo(json.dumps(result) if as_json else _readable(result["structured_rep"]))
        return
    answer = ask(about, name, question, scene)
    if as_json:
        say_json({**result, "program": program, "denotation": answer})
    else:
        say(answer_text(answer), "green" if answer else "red")


def _readable(scene: Any) -> str:
    """NLVR's JSON with an object a line; that of another domain as it is."""
    if not (isinstance(scene, list) and all(isinstance(box, list) for box in scene)):
        return json.dumps(scene)
    boxes = [",\n  ".join(json.dumps(thing) for thing in box) for box in scene]
    return "[" + ",\n ".join(f"[{box}]" for box in boxes) + "]"
