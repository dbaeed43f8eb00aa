"""`chorale abstract`: sentences with slots, and whether the abstract examples are right."""

from __future__ import annotations

from dataclasses import asdict, astuple
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from chorale.cli.domains import find
from chorale.cli.options import NLVR, DomainName, Json
from chorale.cli.output import counted, say, say_json
from chorale.domain import Domain, needed
from chorale.errors import ChoraleError
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.english import abstract_examples
from chorale.nlvr.english.abstract_examples import ExampleScore


def abstract(
    sentence: Annotated[str | None, Argument(help="A sentence to make abstract.")] = None,
    check: Annotated[bool, Option("--check", help="Check the abstract examples against labels.")] = False,
    data: Annotated[Path | None, Option(metavar="FILE", help="NLVR JSON lines, plain or .gz.")] = None,
    examples: Annotated[
        Path | None, Option(metavar="FILE", help="Use these abstract examples instead of Chorale's own.")
    ] = None,
    domain: DomainName = NLVR,
    as_json: Json = False,
) -> None:
    """Show the abstract form of a sentence and its programs, or check the abstract examples against labelled data.

    The check lists each program with the pairs and groups on which its fillings agree with the labels, the worst
    example first. An example with several programs is as good as its first.

    Example: chorale abstract --check --data train.json
    """
    about, _ = find(domain)
    if check:
        if data is None or sentence is not None:
            raise ChoraleError("--check needs --data FILE and no sentence: chorale abstract --check --data train.json")
        if not isinstance(about, Nlvr):
            raise ChoraleError(f"--check knows the abstract examples of nlvr only, not those of {about.name}")
        known = abstract_examples.read(examples) if examples else abstract_examples.load()
        _print_scores(abstract_examples.score_examples(known, about.read(data)), as_json)
    elif sentence is None or not sentence.strip() or data is not None:
        raise ChoraleError('give a sentence, as in chorale abstract "there is a black box", or --check --data FILE')
    else:
        _print_sentence(about, sentence, str(examples or ""), as_json)


def _print_sentence(domain: Domain, sentence: str, file: str, as_json: bool) -> None:
    abstractions = needed(domain.abstractions, domain, "abstractions", "chorale abstract")
    slotted = abstractions.slotted(sentence)
    known = abstractions.examples(next(iter(domain.languages)), file).get(slotted.text, ())
    programs = [filled for program in known if (filled := slotted.fill(program)) is not None]
    if as_json:
        say_json({"utterance": slotted.text, "fillings": dict(slotted.values), "programs": programs})
        return
    for line in (slotted.text, *(f"  {slot} = {value}" for slot, value in slotted.values.items()), *programs):
        say(line)


def _print_scores(scores: list[ExampleScore], as_json: bool) -> None:
    by_example: dict[str, list[ExampleScore]] = {}
    for one in scores:
        by_example.setdefault(one.example.utterance, []).append(one)
    worst_first = sorted(by_example.values(), key=lambda ones: (ones[0].score.accuracy, ones[0].score.consistency))
    if as_json:
        ordered = [one for ones in worst_first for one in ones]
        about = [{"utterance": it.example.utterance, "line": it.example.line, "program": it.program} for it in ordered]
        say_json([{**what, **asdict(one.score)} for what, one in zip(about, ordered, strict=True)])
        return
    for ones in worst_first:
        say(ones[0].example.utterance, "bold")
        for one in ones:
            it = one.score
            of_pairs, of_groups = f"{it.right_pairs}/{it.pairs}", f"{it.right_groups}/{it.groups}"
            say(f"  {100 * it.accuracy:5.1f}  {of_pairs:>7} pairs  {of_groups:>5} groups  {one.program}")
    firsts = [astuple(ones[0].score) for ones in worst_first]
    pairs, right_pairs, groups, right_groups = map(sum, zip(*firsts, strict=True)) if firsts else (0, 0, 0, 0)
    say(
        f"{counted(len(firsts), 'abstract example')}, {counted(len(scores), 'program')}: "
        f"first programs agree on {right_pairs:,} of {counted(pairs, 'pair')} "
        f"and on all pairs of {right_groups:,} of {counted(groups, 'group')}"
    )
