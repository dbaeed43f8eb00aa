"""`chorale see`: from a picture to its scene, and to a program's answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from chorale.cli.domains import find
from chorale.cli.options import NLVR, DomainName, Json, Language
from chorale.cli.output import say, say_json
from chorale.domain import needed
from chorale.evaluation.denotations import ask
from chorale.evaluation.predictions import answer_text
from chorale.language import read_program


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
