"""`chorale actions`: the actions that build a program."""

from __future__ import annotations

from typing import Annotated

import typer

from chorale.cli.languages import LanguageName, language_class, read_program
from chorale.cli.options import Json, Language
from chorale.cli.output import say_json


def actions(
    program: Annotated[str, typer.Argument(metavar="PROGRAM", help="A program, in any of its spellings.")],
    language: Language = LanguageName.consistent,
    as_json: Json = False,
) -> None:
    """Print the actions that build a program, one a line, in the order a parser takes them.

    Example: chorale actions "object_exists(yellow(above(black(all_objects))))"
    """
    taken = read_program(program, language_class(language)).actions
    if as_json:
        say_json(list(taken))
    else:
        typer.echo("\n".join(taken))
