"""`chorale abstract`: sentences with slots, and whether the abstract examples are right."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chorale.cli.options import Json
from chorale.cli.output import counted, say, say_json
from chorale.errors import ChoraleError

if TYPE_CHECKING:
    from chorale.nlvr.english.abstract_examples import AbstractExample, ExampleScore


def abstract(
    sentence: Annotated[str | None, typer.Argument(help="A sentence to make abstract.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Compare the abstract examples with labels.")] = False,
    data: Annotated[Path | None, typer.Option(metavar="FILE", help="NLVR JSON lines, plain or .gz.")] = None,
    examples: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Abstract examples to use instead of Chorale's own.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show a sentence with slots and its programs, or check the abstract examples against labelled data.

    The check lists each program with the pairs and groups on which its fillings agree with the labels, the worst
    example first; an example with several programs is as good as its first.

    Example: chorale abstract --check --data train.json
    """
    from chorale.nlvr import reader  # noqa: PLC0415
    from chorale.nlvr.english import abstract_examples  # noqa: PLC0415

    known = abstract_examples.read(examples) if examples else abstract_examples.load()
    if check:
        if data is None or sentence is not None:
            raise ChoraleError("--check needs --data FILE and no sentence: chorale abstract --check --data train.json")
        found = abstract_examples.score_examples(known, reader.read(data).utterances)
        _tell_agreements(found, as_json)
    elif sentence is None or data is not None:
        raise ChoraleError('give a sentence, as in chorale abstract "there is a black box", or --check --data FILE')
    else:
        _tell_sentence(sentence, known, as_json)


def _tell_sentence(sentence: str, known: tuple[AbstractExample, ...], as_json: bool) -> None:
    from chorale.nlvr.english.abstraction import abstract_utterance  # noqa: PLC0415
    from chorale.nlvr.english.slots import fill  # noqa: PLC0415

    utterance = abstract_utterance(sentence)
    programs = [p for example in known if example.utterance == utterance.text for p in example.programs]
    filled = [fill(program, utterance.values) for program in programs]
    if as_json:
        say_json({"utterance": utterance.text, "fillings": utterance.values, "programs": filled})
        return
    say(utterance.text)
    for slot, value in utterance.values.items():
        say(f"  {slot} = {value}")
    for program in filled:
        say(program)


def _tell_agreements(found: list[ExampleScore], as_json: bool) -> None:
    by_example: dict[str, list[ExampleScore]] = {}
    for agreement in found:
        by_example.setdefault(agreement.example.utterance, []).append(agreement)
    worst_first = sorted(by_example.values(), key=lambda ones: (ones[0].score.accuracy, ones[0].score.consistency))
    if as_json:
        say_json([_as_json(agreement) for ones in worst_first for agreement in ones])
        return
    for ones in worst_first:
        say(ones[0].example.utterance, "bold")
        for agreement in ones:
            score = agreement.score
            of_pairs, of_groups = f"{score.right_pairs}/{score.pairs}", f"{score.right_groups}/{score.groups}"
            say(f"  {100 * score.accuracy:5.1f}  {of_pairs:>7} pairs  {of_groups:>5} groups  {agreement.program}")
    firsts = [ones[0].score for ones in worst_first]
    pairs, groups = sum(score.pairs for score in firsts), sum(score.groups for score in firsts)
    right_pairs, right_groups = sum(score.right_pairs for score in firsts), sum(score.right_groups for score in firsts)
    say(
        f"{counted(len(firsts), 'abstract example')}, {counted(len(found), 'program')}: "
        f"first programs agree on {right_pairs:,} of {counted(pairs, 'pair')} "
        f"and on all pairs of {right_groups:,} of {counted(groups, 'group')}"
    )


def _as_json(agreement: ExampleScore) -> dict[str, Any]:
    score = agreement.score
    return {
        "utterance": agreement.example.utterance,
        "line": agreement.example.line,
        "program": agreement.program,
        "pairs": score.pairs,
        "right_pairs": score.right_pairs,
        "groups": score.groups,
        "right_groups": score.right_groups,
    }
