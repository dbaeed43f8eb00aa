"""`chorale run`: what programs say about every context of a data file."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text
from typer import Argument, Option

from chorale.cli.domains import find, spoken
from chorale.cli.options import NLVR, Data, DomainName, Json, Language
from chorale.cli.output import counted, printable, progress, say, say_json
from chorale.domain import Answers
from chorale.evaluation.denotations import Denotations, read_programs
from chorale.evaluation.metrics import Score
from chorale.language import read_program
from chorale.plumbing.files import STANDARD, replacing


def run(
    data: Data,
    program: Annotated[str | None, Argument(metavar="PROGRAM", help="A program, in any spelling.")] = None,
    programs: Annotated[
        Path | None, Option(metavar="FILE", help="A file with one program per line; # starts a comment; - is stdin.")
    ] = None,
    out: Annotated[Path, Option(metavar="FILE", help="With --programs: where JSON lines go. - is stdout.")] = STANDARD,
    against_labels: Annotated[bool, Option("--against-labels", help="Measure how well it fits the labels.")] = False,
    language: Language = None,
    domain: DomainName = NLVR,
    as_json: Json = False,
) -> None:
    """Run a program, or a whole file of programs, on every context of a data file.

    Accuracy is the share of pairs that are right, consistency the share of utterances right in all their contexts.

    Example: chorale run "object_exists(yellow(all_objects))" --data dev.json --against-labels

    Example: chorale run --programs programs.txt --data dev.json --out denotations.jsonl
    """
    if (program is None) == (programs is None):
        raise typer.BadParameter("give either PROGRAM or --programs FILE", param_hint="PROGRAM")
    if program is not None and out != STANDARD:
        raise typer.BadParameter("needs --programs FILE", param_hint="--out")
    about, name = find(domain, language)
    if program is not None and not about.has_constants(name):
        read_program(program, spoken(about, name, None))  # complains before the data is read
    said = Denotations(about, name, about.read(data, labels_required=against_labels))
    if program is not None:
        score = said.score(program) if against_labels else None
        record = {"program": program, "identifiers": said.identifiers, **_shares(score)}
        _print_one(record, said.of(program), about.answers, score, as_json)
        return
    with replacing(out) as stream:
        for text in progress(read_programs(programs or STANDARD, said), "running"):
            score = said.score(text) if against_labels else None
            answers = [about.answers.to_json(it) for it in said.of(text)]
            stream.write(f"{json.dumps({'program': text, 'denotations': answers, **_shares(score)})}\n".encode())


def _print_one(
    record: dict[str, Any], said: Sequence[Any], answers: Answers, score: Score | None, as_json: bool
) -> None:
    if as_json:
        say_json({**record, "denotations": [answers.to_json(it) for it in said]})
    elif score is None:
        _print_denotations(zip(record["identifiers"], said, strict=True), answers)
    else:
        say(f"accuracy     {score.accuracy:7.2%}  ({score.right_pairs:,} of {counted(score.pairs, 'pair')})")
        if "consistency" in score.measures:
            say(f"consistency  {score.consistency:7.2%}  ({score.right_groups:,} of {counted(score.groups, 'group')})")


def _print_denotations(rows: Iterable[tuple[str, Any]], answers: Answers) -> None:
    """A name and an answer a line; in colour for a person, with a tab between for a pipe."""
    if not sys.stdout.isatty():
        typer.echo("".join(f"{printable(name)}\t{answers.text(answer)}\n" for name, answer in rows), nl=False)
        return
    text = Text()
    for name, answer in rows:
        style = {True: "green", False: "red"}.get(answer, "") if isinstance(answer, bool) else ""
        text.append(f"{printable(name):<10} ").append(f"{answers.text(answer)}\n", style=style)
    Console().print(text, end="", soft_wrap=True)


def _shares(score: Score | None) -> dict[str, float]:
    return {} if score is None else score.to_json()
