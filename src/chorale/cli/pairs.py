"""`chorale pairs`: which utterances are related, and by which phrase?"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from typer import Option

from chorale.cli.domains import find
from chorale.cli.options import NLVR, Data, DomainName, Json
from chorale.cli.output import counted, say, say_json
from chorale.domain import Domain, Related, Utterance, needed
from chorale.domain.relations import matched
from chorale.plumbing.files import write

EXAMPLES = 5


class Matching(StrEnum):
    """How phrases are found in utterances."""

    TOKENS = "tokens"
    REFERENCE = "reference"


def pairs(
    data: Data,
    phrases: Annotated[
        str,
        Option(
            metavar="printed|run|FILE",
            help="The phrase sets: printed in the paper, as its authors ran them, or a TOML file.",
        ),
    ] = "run",
    matching: Annotated[Matching, Option(help="Match tokens, or substrings as the reference does.")] = Matching.TOKENS,
    partners: Annotated[int, Option(min=1, help="Partners per utterance and phrase.")] = 1,
    other_fillers: Annotated[
        int, Option(min=0, help="How many more partners that have the phrase with other fillers.")
    ] = 0,
    seed: Annotated[int, Option(help="The same seed gives the same pairs.")] = 0,
    out: Annotated[
        Path | None, Option(metavar="FILE", help="Write the pairs as JSON lines; packed if the name ends in .gz.")
    ] = None,
    domain: DomainName = NLVR,
    as_json: Json = False,
) -> None:
    """Find related utterances: pairs that share a phrase, and where the phrase stands in both.

    Example: chorale pairs --data train.json --partners 2 --out pairs.jsonl
    """
    about, _ = find(domain)
    relations = needed(about.relations, about, "relations", "chorale pairs")
    utterances = about.read(data, labels_required=False)
    how = {"partners": partners, "other_fillers": other_fillers, "seed": seed}
    made = relations.related(utterances, phrases, matching=matching.value, **how)
    counts_of = dict(matched(relations, utterances, made, phrases, matching.value))
    if out is not None:
        write(out, "".join(json.dumps(_as_json(one, utterances)) + "\n" for one in made).encode())
    counts = {"of": len(utterances), "utterances": len({one.utterance for one in made}), "pairs": len(made)}
    examples = made[:: max(1, len(made) // EXAMPLES)][:EXAMPLES]
    if as_json:
        say_json({**counts, "matched": counts_of, "examples": [_as_json(one, utterances) for one in examples]})
        return
    for name, number in counts_of.items():
        say(f"{number:>6,}  {name}")
    for one in examples:
        say(f"\n{one.phrase!r}")
        for index, span in ((one.utterance, one.span), (one.partner, one.partner_span)):
            say(f"  {_marked(about, utterances[index], span)}")
    of = f"{counted(counts['utterances'], 'utterance')} of {counts['of']:,}"
    say(f"\n{counted(counts['pairs'], 'pair')} for {of}", "green")


def _marked(domain: Domain, utterance: Utterance, span: tuple[int, int]) -> str:
    words = domain.words(utterance.sentence)
    start, end = span
    return f"{utterance.identifier}: " + " ".join([*words[:start], f"[{' '.join(words[start:end])}]", *words[end:]])


def _as_json(one: Related, utterances: Sequence[Utterance]) -> dict[str, Any]:
    named = {key: utterances[getattr(one, key)].identifier for key in ("utterance", "partner")}
    return {**asdict(one), **named}
