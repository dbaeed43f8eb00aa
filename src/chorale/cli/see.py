"""`chorale see`: from a picture to its scene, and to a program's answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chorale.cli.languages import LanguageName, language_class, read_program
from chorale.cli.options import Json, Language
from chorale.cli.output import say, say_json, word

if TYPE_CHECKING:
    from chorale.nlvr.pictures.scenes import Scene


def see(
    picture: Annotated[Path, typer.Argument(metavar="PICTURE", help="A PNG in NLVR's own style.")],
    program: Annotated[str | None, typer.Option("--program", help="Say whether this is true of the picture.")] = None,
    language: Language = LanguageName.consistent,
    as_json: Json = False,
) -> None:
    """Read the scene off a picture, boxes as seen, and print it as NLVR's JSON.

    Example: chorale see picture.png --program "object_exists(yellow(all_objects))"
    """
    from chorale.language import run  # noqa: PLC0415
    from chorale.nlvr.pictures.pixels import scene_from_png  # noqa: PLC0415
    from chorale.nlvr.pictures.worlds import Worlds  # noqa: PLC0415

    speaking = language_class(language)
    question = None if program is None else read_program(program, speaking)
    scene = scene_from_png(picture)
    answer = None if question is None else bool(run(question, speaking(Worlds([scene])))[0])
    if as_json:
        result: dict[str, Any] = {"picture": str(picture), "structured_rep": scene.to_json()}
        say_json(result if answer is None else {**result, "program": program, "denotation": answer})
    elif answer is None:
        typer.echo(_readable(scene))
    else:
        say(word(answer), "green" if answer else "red")


def _readable(scene: Scene) -> str:
    """NLVR's JSON with an object a line."""
    boxes = [",\n  ".join(json.dumps(thing) for thing in box) for box in scene.to_json()]
    return "[" + ",\n ".join(f"[{box}]" for box in boxes) + "]"
