"""`chorale pairs` and `abstract`: sentences that share a phrase, and sentences with slots."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, astuple
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from chorale.cli.options import NLVR, Data, DomainName, Json, find
from chorale.cli.output import counted, say, say_json
from chorale.errors import ChoraleError
from chorale.plumbing.files import write

if TYPE_CHECKING:
    from chorale.nlvr.english.abstract_examples import ExampleScore

EXAMPLES = 5


class Matching(StrEnum):
    """How phrases are found in utterances."""

    TOKENS = "tokens"
    REFERENCE = "reference"


def pairs(
    data: Data,
    phrases: Annotated[str, Option(metavar="printed|run|FILE", help="The phrase sets, or a TOML file.")] = "run",
    matching: Annotated[Matching, Option(help="Tokens, or the reference's substrings.")] = Matching.TOKENS,
    partners: Annotated[int, Option(min=1, help="Partners per utterance and phrase.")] = 1,
    other_fillers: Annotated[int, Option(min=0, help="As many more that have the phrase with other fillers.")] = 0,
    seed: Annotated[int, Option(help="The same seed gives the same pairs.")] = 0,
    out: Annotated[Path | None, Option(metavar="FILE", help="Write the pairs as JSON lines, .gz if so named.")] = None,
    domain: DomainName = NLVR,
    as_json: Json = False,
) -> None:
    """Find related utterances: pairs that share a phrase, with its tokens in both.

    Example: chorale pairs --data train.json --partners 2 --out pairs.jsonl
    """
    from chorale.domain import needed  # noqa: PLC0415
    from chorale.nlvr.domain import Nlvr  # noqa: PLC0415
    from chorale.nlvr.english.phrases import read_phrases  # noqa: PLC0415
    from chorale.nlvr.english.relations import occurrences  # noqa: PLC0415

    about, _ = find(domain)
    relations = needed(about.relations, about, "relations", "chorale pairs")
    utterances = about.read(data, labels_required=False)
    how = {"partners": partners, "other_fillers": other_fillers, "seed": seed}
    made = relations.related(utterances, phrases, matching=matching.value, **how)
    if isinstance(about, Nlvr):  # how many utterances have a phrase of each set; elsewhere, how many have each phrase
        sets = read_phrases(phrases)
        found = occurrences([it.sentence for it in utterances], sets, matching.value)
        matched = {one.name: sum(map(len, groups)) for one, groups in zip(sets, found, strict=True)}
    else:
        matched = dict(Counter(phrase for _, phrase in {(one.utterance, one.phrase) for one in made}))
    names = [it.identifier for it in utterances]
    records = [{**asdict(one), "utterance": names[one.utterance], "partner": names[one.partner]} for one in made]
    if out is not None:
        write(out, "".join(json.dumps(record) + "\n" for record in records).encode())
    counts = {"of": len(utterances), "utterances": len({one.utterance for one in made}), "pairs": len(made)}
    shown = slice(None, None, max(1, len(made) // EXAMPLES))
    if as_json:
        say_json({**counts, "matched": matched, "examples": records[shown][:EXAMPLES]})
        return
    for name, number in matched.items():
        say(f"{number:>6,}  {name}")
    for one in made[shown][:EXAMPLES]:
        say(f"\n{one.phrase!r}")
        for index, (start, end) in ((one.utterance, one.span), (one.partner, one.partner_span)):
            words = about.words(utterances[index].sentence)
            marked = [*words[:start], f"[{' '.join(words[start:end])}]", *words[end:]]
            say(f"  {names[index]}: {' '.join(marked)}")
    of = f"{counted(counts['utterances'], 'utterance')} of {counts['of']:,}"
    say(f"\n{counted(counts['pairs'], 'pair')} for {of}", "green")


def abstract(
    sentence: Annotated[str | None, Argument(help="A sentence to make abstract.")] = None,
    check: Annotated[bool, Option("--check", help="Compare the abstract examples with labels.")] = False,
    data: Annotated[Path | None, Option(metavar="FILE", help="NLVR JSON lines, plain or .gz.")] = None,
    examples: Annotated[
        Path | None, Option(metavar="FILE", help="Use these abstract examples, not Chorale's own.")
    ] = None,
    domain: DomainName = NLVR,
    as_json: Json = False,
) -> None:
    """Show a sentence with slots and its programs, or check the abstract examples against labelled data.

    The check lists each program with the pairs and groups on which its fillings agree with the labels, the worst
    example first; an example with several programs is as good as its first.

    Example: chorale abstract --check --data train.json
    """
    from chorale.domain import needed  # noqa: PLC0415
    from chorale.nlvr.domain import Nlvr  # noqa: PLC0415
    from chorale.nlvr.english import abstract_examples  # noqa: PLC0415

    about, language = find(domain)
    if check:
        if data is None or sentence is not None:
            raise ChoraleError("--check needs --data FILE and no sentence: chorale abstract --check --data train.json")
        if not isinstance(about, Nlvr):
            raise ChoraleError(f"--check knows the abstract examples of nlvr only, not those of {about.name}")
        known = abstract_examples.read(examples) if examples else abstract_examples.load()
        _print_scores(abstract_examples.score_examples(known, about.read(data)), as_json)
        return
    if sentence is None or data is not None:
        raise ChoraleError('give a sentence, as in chorale abstract "there is a black box", or --check --data FILE')
    abstractions = needed(about.abstractions, about, "abstractions", "chorale abstract")
    slotted = abstractions.slotted(sentence)
    abstract_programs = abstractions.examples(language, str(examples or "")).get(slotted.text, ())
    programs = [filled for program in abstract_programs if (filled := slotted.fill(program)) is not None]
    if as_json:
        say_json({"utterance": slotted.text, "fillings": dict(slotted.values), "programs": programs})
        return
    for line in (slotted.text, *(f"  {slot} = {value}" for slot, value in slotted.values.items()), *programs):
        say(line)


def _print_scores(found: list[ExampleScore], as_json: bool) -> None:
    by_example: dict[str, list[ExampleScore]] = {}
    for one in found:
        by_example.setdefault(one.example.utterance, []).append(one)
    worst_first = sorted(by_example.values(), key=lambda ones: (ones[0].score.accuracy, ones[0].score.consistency))
    if as_json:
        ordered = [(one.example, one) for ones in worst_first for one in ones]
        say_json(
            [
                {"utterance": it.utterance, "line": it.line, "program": one.program} | asdict(one.score)
                for it, one in ordered
            ]
        )
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
        f"{counted(len(firsts), 'abstract example')}, {counted(len(found), 'program')}: "
        f"first programs agree on {right_pairs:,} of {counted(pairs, 'pair')} "
        f"and on all pairs of {right_groups:,} of {counted(groups, 'group')}"
    )
