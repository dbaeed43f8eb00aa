"""How many programs that fit are right by luck? One JSON line per way of searching.

    python benchmarks/spurious.py nlvr/train.json [--images 2] [--write few/train.json]

Of each utterance's images only some are shown to the search, drawn with a fixed seed; the others then say whether what
it found is right there too. `first` is the share of utterances whose first candidate is right on all images that were
kept back, `all` the mean share of its candidates. Utterances without a candidate or without kept back images are left
out. `--write` writes what is shown as a data file and searches nothing, to train with fewer labels.
"""

import argparse
import json
import random
import tempfile
from pathlib import Path

from chorale.domain import pairs_of
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.reader import DataFile, read
from chorale.search.files import read_candidates
from chorale.search.settings import SearchSettings
from chorale.search.to_file import search_to_file

DOMAIN = Nlvr()
MAX_ACTIONS = 11


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="an NLVR file with labels")
    parser.add_argument("--images", type=int, default=2, help="how many images of an utterance are shown")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write what is shown, and search nothing")
    options = parser.parse_args()
    corpus = read(options.data)
    shown = _shown(corpus, options.images)
    if options.images < 1 or (not options.write and len(shown) == len(corpus.examples)):
        parser.error("--images: show one image or more, and fewer than the utterances have")
    if options.write:
        options.write.write_text(_lines(options.data, shown))
        return
    with tempfile.TemporaryDirectory() as folder:
        few = Path(folder) / "few.json"
        few.write_text(_lines(options.data, shown))
        right = {}
        for procedure in ("meaning", "reference"):
            found = Path(folder) / f"{procedure}.jsonl"
            _search(few, procedure, found)
            right[procedure] = _tested(found, options.data, shown)
    both = set(right["meaning"]) & set(right["reference"])
    for procedure, tested in right.items():
        for name, utterances in (("all it finds something for", set(tested)), ("both find something for", both)):
            shares = [tested[utterance] for utterance in sorted(utterances)]
            print(json.dumps({"procedure": procedure, "images": options.images, "over": name, **_summary(shares)}))


def _shown(corpus: DataFile, images: int) -> set[str]:
    """The identifiers of the examples that are shown."""
    draw = random.Random(0)
    groups: dict[str, list[str]] = {}
    for example in corpus.examples:
        groups.setdefault(example.group, []).append(example.identifier)
    return {name for names in groups.values() for name in draw.sample(names, min(images, len(names)))}


def _lines(data: Path, shown: set[str]) -> str:
    lines = data.read_text().splitlines(keepends=True)
    return "".join(line for line in lines if json.loads(line)["identifier"] in shown)


def _search(data: Path, procedure: str, out: Path) -> None:
    settings = SearchSettings(procedure=procedure, max_actions=MAX_ACTIONS, noise=0.0, pool=False)
    search_to_file(DOMAIN, "consistent", DOMAIN.read(data), settings, out, data="benchmark")


def _tested(found: Path, data: Path, shown: set[str]) -> dict[str, list[bool]]:
    """Whether each candidate is right on all images that were kept back, by utterance."""
    grounding = DOMAIN.ground("consistent", DOMAIN.read(data))
    right = {}
    for index, candidates in read_candidates(found, grounding).items():
        utterance = grounding.utterances[index]
        kept_back = [number for number, (_, name) in enumerate(pairs_of(utterance)) if name not in shown]
        answers = [grounding.right(candidate.program, index) for candidate in candidates]
        if kept_back:
            right[utterance.identifier] = [all(one[number] for number in kept_back) for one in answers]
    return right


def _summary(shares: list[list[bool]]) -> dict[str, float]:
    return {
        "utterances": len(shares),
        "first": round(sum(share[0] for share in shares) / len(shares), 3),
        "all": round(sum(sum(share) / len(share) for share in shares) / len(shares), 3),
        "candidates": round(sum(map(len, shares)) / len(shares), 1),
    }


if __name__ == "__main__":
    main()
