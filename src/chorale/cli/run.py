"""`chorale run`: what programs say about every image of a data file."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text
from typer import Argument, Option

from chorale.cli.domains import find
from chorale.cli.options import NLVR, Data, DomainName, Json, Language
from chorale.cli.output import counted, printable, progress, say, say_json
from chorale.evaluation.denotations import Denotations, read_programs
from chorale.evaluation.metrics import Score
from chorale.evaluation.predictions import answer_text
from chorale.language import read_program
from chorale.plumbing.files import STANDARD, replacing


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
    if (program is None) == (programs is None):
        raise typer.BadParameter("give either PROGRAM or --programs FILE", param_hint="PROGRAM")
    if program is not None and out != STANDARD:
        raise typer.BadParameter("goes with --programs FILE", param_hint="--out")
    about, name = find(domain, language)
    spoken = about.languages[name]
    many = (
        [(program or "", read_program(program or "", spoken))] if programs is None else read_programs(programs, spoken)
    )
    said = Denotations(about, name, about.read(data, labels_required=against_labels))
    if program is not None:
        score = said.score(many[0][1]) if against_labels else None
        record = {"program": program, "identifiers": said.identifiers, "denotations": said.of(many[0][1])}
        _print_one({**record, **_shares(score)}, score, as_json)
        return
    with replacing(out) as stream:
        for text, one in progress(many, "running"):
            score = said.score(one) if against_labels else None
            stream.write(f"{json.dumps({'program': text, 'denotations': said.of(one), **_shares(score)})}\n".encode())


def _print_one(record: dict[str, Any], score: Score | None, as_json: bool) -> None:
    if as_json:
        say_json(record)
    elif score is None:
        _print_denotations(zip(record["identifiers"], record["denotations"], strict=True))
    else:
        say(f"accuracy     {score.accuracy:7.2%}  ({score.right_pairs:,} of {counted(score.pairs, 'pair')})")
        say(f"consistency  {score.consistency:7.2%}  ({score.right_groups:,} of {counted(score.groups, 'group')})")


def _print_denotations(rows: Iterable[tuple[str, Any]]) -> None:
    """A name and an answer a line; in colour for a person, with a tab between for a pipe."""
    if not sys.stdout.isatty():
        typer.echo("".join(f"{printable(name)}\t{answer_text(answer)}\n" for name, answer in rows), nl=False)
        return
    text = Text()
    for name, answer in rows:
        text.append(f"{printable(name):<10} ").append(f"{answer_text(answer)}\n", style="green" if answer else "red")
    Console().print(text, end="", soft_wrap=True)


def _shares(score: Score | None) -> dict[str, float]:
    return {} if score is None else {"accuracy": score.accuracy, "consistency": score.consistency}
