"""`chorale synthesize`: a corpus made by us, of any size."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from typer import BadParameter, Option

from chorale.cli.engines import CORES
from chorale.cli.options import NLVR, DomainName, Json
from chorale.cli.output import say, say_json
from chorale.domain import needed
from chorale.domain.registry import find_domain
from chorale.domain.synthesis import write_made
from chorale.nlvr.pictures.synthetic import Knobs, write_corpus
from chorale.plumbing.files import check_folder


def synthesize(
    out: Annotated[Path, Option(metavar="DIR", help="The folder to write to; created if missing.")],
    utterances: Annotated[int, Option(min=0, help="Utterances of the train split.")] = 600,
    dev: Annotated[int, Option(min=0, help="Utterances of the dev split.")] = 100,
    test: Annotated[int, Option(min=0, help="Utterances of the test split.")] = 100,
    seed: Annotated[int, Option(help="The same seed gives the same corpus, byte for byte.")] = 0,
    domain: DomainName = NLVR,
    images: Annotated[int, Option(min=1, help="nlvr: images per utterance.")] = 4,
    towers: Annotated[float, Option(min=0, max=1, help="nlvr: share of utterances about towers.")] = 0.5,
    typos: Annotated[float, Option(min=0, max=1, help="nlvr: probability of a mistyped word.")] = 0.0,
    noise: Annotated[float, Option(min=0, max=1, help="nlvr: probability of a flipped label.")] = 0.0,
    jobs: Annotated[int, Option("--jobs", min=0, help="nlvr: processes; 0 is one per core.")] = 0,
    as_json: Json = False,
) -> None:
    """Write a synthetic corpus: train, dev and test as .jsonl.gz, with the program that each sentence means.

    For nlvr these are statements about pictures in NLVR's format, for tables everyday questions about small tables.

    Example: chorale synthesize --out corpus --utterances 1000 --seed 7 --typos 0.02 --noise 0.05
    """
    check_folder(out)
    sizes = {"train": utterances, "dev": dev, "test": test}
    knobs = Knobs(seed=seed, images=images, towers=towers, typos=typos, noise=noise)
    if domain == NLVR:
        written: Mapping[str, Path] = write_corpus(out, sizes, knobs, jobs or CORES)
    else:
        if knobs != Knobs(seed=seed) or jobs:
            raise BadParameter("images, towers, typos, noise and jobs are for nlvr alone", param_hint="--domain")
        found = find_domain(domain)
        made = needed(found.synthesis, found, "synthesis", "chorale synthesize")
        written = write_made(found, made, out, sizes, seed)
    if as_json:
        say_json({split: {"file": str(path), "utterances": sizes[split]} for split, path in written.items()})
    else:
        for split, path in written.items():
            say(f"{path}: {sizes[split]:,} utterances")
