"""`chorale grammar`: all that can be said, as a table, as JSON or for a constrained language model."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer
from typer import Option

from chorale.cli.domains import find
from chorale.cli.options import NLVR, DomainName, Json, Language
from chorale.cli.output import say_json
from chorale.language import export


class Format(StrEnum):
    """The value of `--format`."""

    table = "table"
    json = "json"
    lark = "lark"


def grammar(
    language: Language = None,
    form: Annotated[Format, Option("--format", help="A table, JSON, or a Lark grammar.")] = Format.table,
    domain: DomainName = NLVR,
    as_json: Json = False,
) -> None:
    """Print the grammar of a language: a table of productions, JSON, or a Lark grammar.

    Example: chorale grammar --language macro --format lark
    """
    about, name = find(domain, language)
    spoken = about.languages[name].grammar
    if as_json or form is Format.json:
        say_json(export.as_json(spoken))
    else:
        typer.echo(export.as_table(spoken) if form is Format.table else export.as_lark(spoken))
