"""`chorale mark`: tell the right answer for a sentence and a picture, to be taught later."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from chorale.cli.domains import asked_context, find
from chorale.cli.options import NLVR, DomainName
from chorale.cli.output import say
from chorale.runs.marks import Marks


class Right(StrEnum):
    """What may be right."""

    TRUE = "true"
    FALSE = "false"


def mark(
    marks: Annotated[Path, Argument(metavar="MARKS", help="The file that marks are kept in; made if it is missing.")],
    sentence: Annotated[str | None, Argument(metavar="SENTENCE", help="What was said, in quotes.")] = None,
    answer: Annotated[Right | None, Argument(metavar="true|false", help="What is right.")] = None,
    image: Annotated[Path | None, Option(metavar="PNG", help="The picture it was said of.")] = None,
    scene: Annotated[Path | None, Option(metavar="JSON", help="The scene it was said of; - is stdin.")] = None,
    undo: Annotated[bool, Option("--undo", help="Take the last mark back.")] = False,
    domain: DomainName = NLVR,
) -> None:
    """Keep the right answer for a sentence and a picture in a data file, which `teach` learns from.

    Example: chorale mark marks.jsonl "There is a tower with a dark block" true --image picture.png
    """
    about, _ = find(domain)
    kept = Marks(marks, about)
    if undo:
        say(f"{marks}: {kept.undo()} is taken back")
        return
    context = asked_context(about, image, scene)
    if sentence is None or answer is None or context is None:
        raise typer.BadParameter("a mark needs a sentence, true or false, and --image or --scene", param_hint="MARKS")
    say(f"{marks}: {kept.add(sentence, context, answer is Right.TRUE)} is {answer}")
