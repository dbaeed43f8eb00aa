"""`chorale mark`: tell the right answer for a sentence and a context, to be taught later."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from chorale.cli.domains import asked_context, find
from chorale.cli.options import NLVR, Context, DomainName
from chorale.cli.output import say
from chorale.runs.marks import Marks


def mark(
    marks: Annotated[Path, Argument(metavar="MARKS", help="The file that holds the marks; created if missing.")],
    sentence: Annotated[str | None, Argument(metavar="SENTENCE", help="The sentence, in quotes.")] = None,
    answer: Annotated[
        str | None,
        Argument(
            metavar="ANSWER", help="The right answer: true or false, a number or text, or several values as in a|b."
        ),
    ] = None,
    context: Context = None,
    image: Annotated[Path | None, Option(metavar="PNG", help="nlvr: the picture that the sentence is about.")] = None,
    scene: Annotated[
        Path | None, Option(metavar="JSON", help="nlvr: the scene that the sentence is about; - is stdin.")
    ] = None,
    undo: Annotated[bool, Option("--undo", help="Remove the last mark.")] = False,
    domain: DomainName = NLVR,
) -> None:
    """Keep the right answer for a sentence and a context in a data file, which `teach` learns from.

    Example: chorale mark marks.jsonl "There is a tower with a dark block" true --image picture.png
    """
    about, _ = find(domain)
    kept = Marks(marks, about)
    if undo:
        say(f"{marks}: {kept.undo()} was removed")
        return
    asked = asked_context(about, context, image, scene)
    if sentence is None or answer is None or asked is None:
        raise typer.BadParameter(
            f"a mark needs a sentence, the right answer ({about.answers.example}) and --context", param_hint="MARKS"
        )
    right = about.answers.from_text(answer)
    say(f"{marks}: {kept.add(sentence, asked, right)} is {about.answers.text(right)}")
