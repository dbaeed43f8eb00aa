"""`chorale run`: what programs say about every image of a data file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chorale.cli.languages import LanguageName, language_class, read_program
from chorale.cli.options import Data, Json, Language
from chorale.cli.output import counted, progress, say, say_denotations, say_json
from chorale.errors import ChoraleError
from chorale.plumbing.files import STANDARD, read_text, replacing

if TYPE_CHECKING:
    from chorale.evaluation.metrics import Score
    from chorale.language import Program
    from chorale.nlvr.languages.functions import Common


def run(
    data: Data,
    program: Annotated[str | None, typer.Argument(metavar="PROGRAM", help="A program, in any spelling.")] = None,
    programs: Annotated[
        Path | None,
        typer.Option("--programs", metavar="FILE", help="Programs, one a line; # starts a comment. - is stdin."),
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="With --programs: where the JSON lines go. - is stdout.")
    ] = STANDARD,
    against_labels: Annotated[
        bool, typer.Option("--against-labels", help="Give accuracy and consistency: how well it fits the labels.")
    ] = False,
    language: Language = LanguageName.consistent,
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
    speaking = language_class(language)
    if program is not None:
        read = read_program(program, speaking)
        evaluate = _evaluator(data, speaking, against_labels)
        _tell(program, *evaluate(read), as_json)
    elif programs is not None:
        many = _read_programs(programs, speaking)
        evaluate = _evaluator(data, speaking, against_labels)
        with replacing(out) as stream:
            for text, read in progress(many, "running"):
                _, denotations, score = evaluate(read)
                record = {"program": text, "denotations": denotations, **_scores(score)}
                stream.write(f"{json.dumps(record)}\n".encode())


Evaluated = tuple[list[str], list[bool], "Score | None"]


def _evaluator(data: Path, language: type[Common], against_labels: bool) -> Callable[[Program], Evaluated]:
    """A function that gives identifiers, denotations and, if labels are asked about, the score of a program."""
    from chorale.evaluation.metrics import group_numbers, score  # noqa: PLC0415
    from chorale.language import run as denotations_of  # noqa: PLC0415
    from chorale.nlvr.pictures.worlds import Worlds  # noqa: PLC0415
    from chorale.nlvr.reader import read  # noqa: PLC0415

    corpus = read(data, labels_required=against_labels)
    bound = language(Worlds(corpus.scenes))
    identifiers = [example.identifier for example in corpus.examples]
    labels = [example.label for example in corpus.examples]
    groups = group_numbers([example.group for example in corpus.examples])

    def evaluate(program: Program) -> Evaluated:
        denotations = denotations_of(program, bound)
        return identifiers, denotations.tolist(), score(denotations, labels, groups) if against_labels else None

    return evaluate


def _read_programs(path: Path, language: type[Common]) -> list[tuple[str, Program]]:
    """All programs of a file with their texts; all that cannot be read are told at once."""
    programs, problems = [], []
    for number, line in enumerate(read_text(path).split("\n"), 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            programs.append((text, read_program(text, language)))
        except ChoraleError as error:
            problems.append(f"{path}:{number}: {error}")
    if problems:
        raise ChoraleError("\n".join([f"{path}: {counted(len(problems), 'bad program')}, nothing was run", *problems]))
    return programs


def _tell(program: str, identifiers: list[str], denotations: list[bool], score: Score | None, as_json: bool) -> None:
    if as_json:
        say_json({"program": program, "identifiers": identifiers, "denotations": denotations, **_scores(score)})
    elif score is None:
        say_denotations(zip(identifiers, denotations, strict=True))
    else:
        say(f"accuracy     {score.accuracy:7.2%}  ({score.right_pairs:,} of {counted(score.pairs, 'pair')})")
        say(f"consistency  {score.consistency:7.2%}  ({score.right_groups:,} of {counted(score.groups, 'group')})")


def _scores(score: Score | None) -> dict[str, Any]:
    return {} if score is None else {"accuracy": score.accuracy, "consistency": score.consistency}
