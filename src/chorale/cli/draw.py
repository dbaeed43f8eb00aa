"""`chorale draw`: a context as a picture, or a program's trace on it as a row of pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from chorale.cli.domains import asked_utterance, find, find_example, picture_format, spoken
from chorale.cli.options import NLVR, DomainName, Json, Language
from chorale.cli.output import say, say_json
from chorale.domain import needed
from chorale.errors import ChoraleError
from chorale.language import Program
from chorale.plumbing.files import write


def draw(
    file: Annotated[Path, Argument(metavar="FILE", help="A data file, or a context: JSON, a picture; - is stdin.")],
    out: Annotated[Path, Option(metavar="PICTURE", help="A name ending in .png or .svg.")],
    identifier: Annotated[str | None, Argument(metavar="IDENTIFIER", help="Which example of it, such as 17-0.")] = None,
    program: Annotated[str | None, Option(help="Draw what each sub-program returns; a set is highlighted.")] = None,
    title: Annotated[str, Option(help="A line above the trace, such as the sentence.")] = "",
    language: Language = None,
    scale: Annotated[int, Option(min=1, max=20, help="Pixels per pixel of the domain's picture.")] = 1,
    columns: Annotated[int, Option(min=1, help="Steps of a trace in a row.")] = 3,
    domain: DomainName = NLVR,
    as_json: Json = False,
) -> None:
    """Draw an example of a data file, or a context of your own, and what each part of a program returns on it.

    Example: chorale draw dev.json 1008-0 --out picture.svg --program "object_exists(yellow(top(all_objects)))"
    """
    form = picture_format(out, "--out")
    about, name = find(domain, language)
    drawing = needed(about.drawing, about, "drawing", "chorale draw")
    codec = needed(about.codec, about, "codec", "chorale draw")
    if program is not None and not about.has_constants(name):
        Program.parse(program, about.languages[name].grammar)  # complains before the data is read
    scene = codec.read_file(file) if identifier is None else find_example(about, file, identifier)
    asked = asked_utterance(scene)
    question = None if program is None else Program.parse(program, spoken(about, name, asked).grammar)
    steps = [] if question is None else about.tracing.trace(question, about.bind(name, asked, [scene]), scene)
    if question is not None and not steps:
        raise ChoraleError(f"{question} is a {question.type}: there is nothing to draw before it is applied")
    if steps:
        write(out, drawing.draw_trace(steps, form, scale=scale, columns=columns, title=title))
    else:
        write(out, drawing.draw(scene, form, scale=scale))
    if as_json:
        traced = [step.to_json() for step in steps]
        say_json({"out": str(out), "structured_rep": codec.to_json(scene), "steps": traced})
    else:
        say(f"{out}: {steps[-1].text if steps else f'one {about.context_word}'}")
