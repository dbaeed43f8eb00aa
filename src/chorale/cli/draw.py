"""`chorale draw`: a scene as a picture, or a program's trace on it as a row of pictures."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chorale.cli.languages import LanguageName, language_class
from chorale.cli.options import Json, Language
from chorale.cli.output import say, say_json
from chorale.errors import ChoraleError, nearest
from chorale.plumbing.files import read_text, write

if TYPE_CHECKING:
    from PIL.Image import Image

    from chorale.nlvr.pictures.drawing import Step
    from chorale.nlvr.pictures.scenes import Scene

FORMATS = (".png", ".svg")


def draw(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A data file, or the JSON of one scene; - is stdin.")],
    out: Annotated[Path, typer.Option("--out", metavar="PICTURE", help="A name ending in .png or .svg.")],
    identifier: Annotated[
        str | None, typer.Argument(metavar="IDENTIFIER", help="Which example of a data file, such as 17-0.")
    ] = None,
    program: Annotated[
        str | None,
        typer.Option("--program", help="Draw what each sub-program returns; a program that is a set is highlighted."),
    ] = None,
    language: Language = LanguageName.consistent,
    scale: Annotated[int, typer.Option("--scale", min=1, max=20, help="Pixels per pixel of NLVR's picture.")] = 1,
    columns: Annotated[int, typer.Option("--columns", min=1, help="Steps of a trace in a row.")] = 3,
    as_json: Json = False,
) -> None:
    """Draw one example of a data file, or a scene, in NLVR's own style.

    Example: chorale draw dev.json 1008-0 --out picture.svg --program "object_exists(yellow(top(all_objects)))"
    """
    if out.suffix.lower() not in FORMATS:
        raise typer.BadParameter(f"expected a name that ends in .png or .svg, found {str(out)!r}", param_hint="--out")
    speaking = language_class(language)
    question = None if program is None else speaking.parse(program)
    scene = _scene(file, identifier)
    steps: list[Step] = []
    if question is not None:
        from chorale.nlvr.pictures.trace import trace  # noqa: PLC0415

        steps = trace(question, scene, speaking)
        if not steps:
            raise ChoraleError(f"{question} is a {question.type}: there is nothing to draw before it is applied")
    write(out, _picture(scene, steps, out.suffix.lower() == ".svg", scale, columns))
    if as_json:
        say_json({"out": str(out), "structured_rep": scene.to_json(), "steps": [_as_json(step) for step in steps]})
    else:
        say(f"{out}: {steps[-1].text if steps else 'one scene'}")


def _scene(path: Path, identifier: str | None) -> Scene:
    """An example of a data file; without an identifier, the one scene that the file holds."""
    from chorale.nlvr.pictures.scenes import Scene, SceneError  # noqa: PLC0415
    from chorale.nlvr.reader import read  # noqa: PLC0415

    if identifier is None:
        try:
            return Scene.from_json(_only_scene(path))
        except SceneError as error:
            raise ChoraleError(f"{path}: {error}") from None
    examples = {example.identifier: example.scene for example in read(path, labels_required=False).examples}
    if identifier not in examples:
        close = nearest(identifier, examples)
        raise ChoraleError(f"{path}: no example {identifier!r}{f'; did you mean {close!r}?' if close else ''}")
    return examples[identifier]


def _only_scene(path: Path) -> Any:
    """NLVR's structured_rep, by itself or as the field of an example."""
    text = read_text(path)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        if len(text.split("\n")) > 1 and text.startswith("{"):
            raise ChoraleError(f"{path}: several examples; name one, as in: chorale draw {path} 17-0") from None
        raise ChoraleError(f"{path}: not the JSON of a scene: {error}") from None
    return value.get("structured_rep") if isinstance(value, dict) else value


def _picture(scene: Scene, steps: list[Step], svg: bool, scale: int, columns: int) -> bytes:
    from chorale.nlvr.pictures.drawing import to_png, to_svg, trace_png, trace_svg  # noqa: PLC0415

    if steps and steps[-1].value is not None:
        return trace_svg(steps, columns, scale).encode() if svg else _png(trace_png(steps, None, columns, scale))
    shown: dict[str, Any] = {"scale": scale}
    if steps:  # a set: only what it holds stands out
        shown |= {"highlight": steps[-1].objects, "boxes": steps[-1].boxes, "caption": steps[-1].text}
    return to_svg(scene, **shown).encode() if svg else _png(to_png(scene, **shown))


def _png(image: Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, format="PNG")
    return buffer.getvalue()


def _as_json(step: Step) -> dict[str, Any]:
    return {
        "text": step.text,
        "objects": None if step.objects is None else [list(place) for place in sorted(step.objects)],
        "boxes": None if step.boxes is None else sorted(step.boxes),
        "value": step.value,
    }
