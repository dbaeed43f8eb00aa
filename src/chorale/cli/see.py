"""`chorale see`: from a picture to its scene, and to a program's answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from chorale.cli.domains import asked_program, find
from chorale.cli.options import NLVR, DomainName, Json, Language
from chorale.cli.output import say, say_json
from chorale.domain import Unlabelled, needed
from chorale.evaluation.denotations import ask


def see(
    picture: Annotated[Path, Argument(metavar="PICTURE", help="A PNG in NLVR's own style.")],
    program: Annotated[str | None, Option(help="Say whether this is true of the picture.")] = None,
    language: Language = None,
    domain: DomainName = NLVR,
    as_json: Json = False,
) -> None:
    """Read the scene off an NLVR picture and print it as JSON.

    Example: chorale see picture.png --program "object_exists(yellow(all_objects))"
    """
    about, name = find(domain, language)
    codec = needed(about.codec, about, "codec", "chorale see")
    if program is not None and not about.has_constants(name):
        asked_program(program, about, name, None)  # complains before the picture is read
    scene = codec.see(picture)
    asked = Unlabelled("", (scene,))
    result: dict[str, Any] = {"picture": str(picture), "structured_rep": codec.to_json(scene)}
    if program is None:
        typer.echo(json.dumps(result) if as_json else _readable(result["structured_rep"]))
        return
    answer = ask(about, name, asked_program(program, about, name, asked), asked)
    if as_json:
        say_json({**result, "program": program, "denotation": about.answers.to_json(answer)})
    else:
        say(about.answers.text(answer), "green" if answer else "red")


def _readable(scene: Any) -> str:
    """NLVR's JSON with an object a line; that of another domain as it is."""
    if not (isinstance(scene, list) and all(isinstance(box, list) for box in scene)):
        return json.dumps(scene)
    boxes = [",\n  ".join(json.dumps(thing) for thing in box) for box in scene]
    return "[" + ",\n ".join(f"[{box}]" for box in boxes) + "]"
