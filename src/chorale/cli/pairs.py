"""`chorale pairs`: which utterances are related, and by which phrase?"""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chorale.cli.options import Data, Json
from chorale.cli.output import counted, say, say_json
from chorale.plumbing.files import write

if TYPE_CHECKING:
    from chorale.domain import Related, Utterance

EXAMPLES = 5


class Matching(StrEnum):
    """How phrases are found in utterances."""

    TOKENS = "tokens"
    REFERENCE = "reference"


def pairs(
    data: Data,
    phrases: Annotated[
        str,
        typer.Option("--phrases", metavar="printed|run|FILE", help="The phrase sets: shipped ones, or a TOML file."),
    ] = "run",
    matching: Annotated[
        Matching, typer.Option("--matching", help="Lower-cased tokens, or the reference's substrings with its bugs.")
    ] = Matching.TOKENS,
    partners: Annotated[int, typer.Option("--partners", min=1, help="Partners per utterance and phrase.")] = 1,
    other_fillers: Annotated[
        int, typer.Option("--other-fillers", min=0, help="As many more that have the phrase with other fillers.")
    ] = 0,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same pairs.")] = 0,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the pairs as JSON lines, .gz if so named.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Find related utterances: pairs that share a phrase, with its tokens in both.

    Example: chorale pairs --data train.json --partners 2 --out pairs.jsonl
    """
    from chorale.nlvr.domain import Nlvr  # noqa: PLC0415
    from chorale.nlvr.english import relations as related  # noqa: PLC0415
    from chorale.nlvr.english.phrases import read_phrases  # noqa: PLC0415

    utterances = Nlvr().read(data, labels_required=False)
    sets = read_phrases(phrases)
    sentences = [utterance.sentence for utterance in utterances]
    found = related.occurrences(sentences, sets, matching.value)
    made = related.pair(found, matching=matching.value, partners=partners, other_fillers=other_fillers, seed=seed)
    matched = {phrase_set.name: sum(map(len, groups)) for phrase_set, groups in zip(sets, found, strict=True)}
    if out is not None:
        write(out, "".join(json.dumps(_as_json(one, utterances)) + "\n" for one in made).encode())
    counts = {"of": len(utterances), "utterances": len({one.utterance for one in made}), "pairs": len(made)}
    examples = made[:: max(1, len(made) // EXAMPLES)][:EXAMPLES]
    if as_json:
        say_json({**counts, "matched": matched, "examples": [_as_json(one, utterances) for one in examples]})
        return
    for name, number in matched.items():
        say(f"{number:>6,}  {name}")
    for one in examples:
        say(f"\n{one.phrase!r}")
        say(f"  {_marked(utterances[one.utterance], one.span)}\n  {_marked(utterances[one.partner], one.partner_span)}")
    say(
        f"\n{counted(counts['pairs'], 'pair')} for {counted(counts['utterances'], 'utterance')} of {counts['of']:,}",
        "green",
    )


def _marked(utterance: Utterance, span: tuple[int, int]) -> str:
    from chorale.nlvr.domain import Nlvr  # noqa: PLC0415

    words = Nlvr().words(utterance.sentence)
    start, end = span
    marked = [*words[:start], "[", *words[start:end], "]", *words[end:]]
    return f"{utterance.identifier}: {' '.join(marked).replace('[ ', '[').replace(' ]', ']')}"


def _as_json(one: Related, utterances: Any) -> dict[str, Any]:
    return {
        "utterance": utterances[one.utterance].identifier,
        "partner": utterances[one.partner].identifier,
        "span": list(one.span),
        "partner_span": list(one.partner_span),
        "phrase": one.phrase,
        "other_fillers": one.other_fillers,
    }
