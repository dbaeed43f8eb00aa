"""How often search finds what a sentence means, on a synthetic corpus where that is known; one JSON line per row.

Each sentence is generated with eight images, which are shared out to two utterances of four: searched alone, an
utterance has four labels, pooled it has eight. A candidate is right if it says the same as the known program on all
images of the corpus and on 2,000 more.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from statistics import mean, median

from chorale.language import Program, run
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.random_scenes import random_scene
from chorale.nlvr.pictures.scenes import Scene
from chorale.nlvr.pictures.synthetic import Knobs, embedded_corpus, generate
from chorale.search.search import search
from chorale.search.settings import SearchSettings

IMAGES = 4
MORE_SCENES = 2_000
DOMAIN = Nlvr()


@dataclass(frozen=True)
class Known:
    """An utterance whose program is known."""

    identifier: str
    sentence: str
    contexts: tuple[Scene, ...]
    answers: tuple[bool, ...]
    program: str


def utterances(split: str, count: int, noise: float, seed: int = 1) -> list[Known]:
    """Two utterances for each sentence."""
    knobs = Knobs(seed=seed, images=2 * IMAGES, noise=noise)
    return [
        Known(
            f"{made.number}{half}",
            made.sentence,
            made.scenes[at : at + IMAGES],
            made.labels[at : at + IMAGES],
            made.program,
        )
        for made in generate(split, count // 2, knobs)
        for half, at in (("a", 0), ("b", IMAGES))
    ]


class Table:
    """Meanings of programs, by what they say on many scenes."""

    def __init__(self, language: str, known: Sequence[Known]) -> None:
        rng = Random(0)
        scenes = [scene for utterance in known for scene in utterance.contexts]
        self._language = DOMAIN.bind(language, None, [*scenes, *(random_scene(rng) for _ in range(MORE_SCENES))])
        self._known: dict[Program, bytes] = {}

    def meaning(self, program: str | Program) -> bytes:
        parsed = self._language.parse(program) if isinstance(program, str) else program
        if parsed not in self._known:
            self._known[parsed] = run(parsed, self._language).tobytes()
        return self._known[parsed]


def rows(language: str, count: int, max_actions: int, split: str = "train") -> Iterator[dict[str, object]]:
    for noise in (0.0, 0.05, 0.10):
        known = utterances(split, count, noise)
        grounding = DOMAIN.ground(language, known)
        table = Table(language, known)
        for strict in (True, False):
            for pool in (False, True):
                settings = SearchSettings(max_actions=max_actions, noise=0.0 if strict else 0.05, pool=pool)
                among, first, found = [], [], []
                for group in search(DOMAIN, language, grounding, settings):
                    for index, readings in group.items():
                        right = table.meaning(known[index].program)
                        meanings = [table.meaning(one.program) for one in readings]
                        among.append(right in meanings)
                        first.append(right in meanings[:1])
                        found.append(len(meanings))
                yield {
                    "label_noise": noise,
                    "mode": "strict" if strict else "tolerant",
                    "evidence": "pooled" if pool else "alone",
                    "among": round(mean(among), 3),
                    "first": round(mean(first), 3),
                    "candidates": round(mean(found), 1),
                    "utterances": len(known),
                    "language": language,
                    "max_actions": max_actions,
                }


def ambiguity(language: str, max_actions: int) -> dict[str, object]:
    """How many different meanings fit the labels of an utterance of the embedded corpus."""
    read = DOMAIN.read(embedded_corpus() / "train.jsonl.gz")
    settings = SearchSettings(max_actions=max_actions, noise=0.0, pool=False, keep=10**6)
    results = search(DOMAIN, language, DOMAIN.ground(language, read), settings)
    found = [len(readings) for group in results for readings in group.values()]
    return {
        "figure": "meanings that fit an utterance's labels, embedded corpus",
        "mean": round(mean(found), 1),
        "median": median(found),
        "utterances": len(found),
        "language": language,
        "max_actions": max_actions,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language", choices=DOMAIN.languages, default="consistent")
    parser.add_argument("--utterances", type=int, default=300)
    parser.add_argument("--max-actions", type=int, default=20)
    options = parser.parse_args()
    print(json.dumps(ambiguity(options.language, options.max_actions)), flush=True)
    for row in rows(options.language, options.utterances, options.max_actions):
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
