"""`chorale actions`: the actions that build a program."""

from __future__ import annotations

from typing import Annotated

import typer
from typer import Argument

from chorale.cli.domains import asked_context, asked_program, asked_utterance, find
from chorale.cli.options import NLVR, Context, DomainName, Json, Language
from chorale.cli.output import say_json


def actions(
    program: Annotated[str, Argument(metavar="PROGRAM", help="A program, in any of its spellings.")],
    context: Context = None,
    language: Language = None,
    domain: DomainName = NLVR,
    as_json: Json = False,
) -> None:
    """Print the actions that build a program, one per line, in the order in which a parser takes them.

    Example: chorale actions "object_exists(yellow(above(black(all_objects))))"
    """
    about, name = find(domain, language)
    taken = asked_program(program, about, name, asked_utterance(asked_context(about, context))).actions
    if as_json:
        say_json(list(taken))
    else:
        typer.echo("\n".join(taken))
