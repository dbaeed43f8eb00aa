"""`chorale run`, `actions` and `grammar`: what programs say, the actions that build one, and all that can be said."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from chorale.cli.options import NLVR, Data, DomainName, Json, Language, find
from chorale.cli.output import counted, progress, say, say_json
from chorale.plumbing.files import STANDARD, replacing

if TYPE_CHECKING:
    from chorale.language import Program


def run(
    data: Data,
    program: Annotated[str | None, Argument(metavar="PROGRAM", help="A program, in any spelling.")] = None,
    programs: Annotated[Path | None, Option(metavar="FILE", help="One a line; # starts a comment. - is stdin.")] = None,
    out: Annotated[Path, Option(metavar="FILE", help="With --programs: where JSON lines go. - is stdout.")] = STANDARD,
    against_labels: Annotated[bool, Option("--against-labels", help="How well it fits the labels.")] = False,
    language: Language = None,
    domain: DomainName = NLVR,
    as_json: Json = False,
) -> None:
    """Run a program on every image of a data file, or a whole file of programs.

    Accuracy is the share of pairs that are right, consistency the share of utterances right on all their images.

    Example: chorale run "object_exists(yellow(all_objects))" --data dev.json --against-labels

    Example: chorale run --programs programs.txt --data dev.json --out denotations.jsonl
    """
    from chorale.evaluation.denotations import Denotations, read_programs  # noqa: PLC0415
    from chorale.language import read_program  # noqa: PLC0415

    if (program is None) == (programs is None):
        raise typer.BadParameter("give either PROGRAM or --programs FILE", param_hint="PROGRAM")
    if program is not None and out != STANDARD:
        raise typer.BadParameter("goes with --programs FILE", param_hint="--out")
    about, name = find(domain, language)
    spoken = about.languages[name]
    many = [] if programs is None else read_programs(programs, spoken)
    one = None if program is None else read_program(program, spoken)
    said = Denotations(about, name, about.read(data, labels_required=against_labels))

    def record(it: Program, **named: Any) -> dict[str, Any]:
        score = said.score(it) if against_labels else None
        shares = {"accuracy": score.accuracy, "consistency": score.consistency} if score else {}
        return {**named, "denotations": said.of(it), **shares}

    if one is None:
        with replacing(out) as stream:
            for text, it in progress(many, "running"):
                stream.write(f"{json.dumps(record(it, program=text))}\n".encode())
    elif as_json:
        say_json(record(one, program=program, identifiers=said.identifiers))
    elif against_labels:
        score = said.score(one)
        say(f"accuracy     {score.accuracy:7.2%}  ({score.right_pairs:,} of {counted(score.pairs, 'pair')})")
        say(f"consistency  {score.consistency:7.2%}  ({score.right_groups:,} of {counted(score.groups, 'group')})")
    else:
        _print_denotations(zip(said.identifiers, said.of(one), strict=True))


def _print_denotations(rows: Iterable[tuple[str, Any]]) -> None:
    """A name and an answer a line; in colour for a person, with a tab between for a pipe."""
    from rich.console import Console  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    from chorale.evaluation.predictions import answer_text  # noqa: PLC0415

    if not sys.stdout.isatty():
        typer.echo("".join(f"{name}\t{answer_text(answer)}\n" for name, answer in rows), nl=False)
        return
    text = Text()
    for name, answer in rows:
        text.append(f"{name:<10} ").append(f"{answer_text(answer)}\n", style="green" if answer else "red")
    Console().print(text, end="", soft_wrap=True)


def actions(
    program: Annotated[str, Argument(metavar="PROGRAM", help="A program, in any of its spellings.")],
    language: Language = None,
    domain: DomainName = NLVR,
    as_json: Json = False,
) -> None:
    """Print the actions that build a program, one a line, in the order a parser takes them.

    Example: chorale actions "object_exists(yellow(above(black(all_objects))))"
    """
    from chorale.language import read_program  # noqa: PLC0415

    about, name = find(domain, language)
    taken = read_program(program, about.languages[name]).actions
    if as_json:
        say_json(list(taken))
    else:
        typer.echo("\n".join(taken))


class Format(StrEnum):
    """The value of `--format`."""

    table = "table"
    json = "json"
    lark = "lark"


def grammar(
    language: Language = None,
    form: Annotated[Format, Option("--format", help="For people, machines, or as a Lark grammar.")] = Format.table,
    domain: DomainName = NLVR,
    as_json: Json = False,
) -> None:
    """Print the grammar of a language: its productions with their ids, or the texts it allows.

    Example: chorale grammar --language macro --format lark
    """
    from chorale.language import export  # noqa: PLC0415

    about, name = find(domain, language)
    spoken = about.languages[name].grammar
    if as_json or form is Format.json:
        say_json(export.as_json(spoken))
    else:
        typer.echo(export.as_table(spoken) if form is Format.table else export.as_lark(spoken))
