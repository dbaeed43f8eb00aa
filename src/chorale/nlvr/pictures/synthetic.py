"""Synthetic corpora: utterances from templates, with scenes whose labels are what the known program says.

Like NLVR, an utterance has four images and its labels are mixed. The images are the first that come with the wanted
label, not those that tell programs apart best: wrong programs must be able to fit the labels by accident, or there
would be nothing to learn about spurious programs.

Every utterance has its own random generator, made from seed, split and number, so a larger corpus begins with the
smaller one of the same seed. Which split an image may be used in follows from its content alone, whatever the order of
its boxes, so no image is in two splits.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import count, islice
from pathlib import Path
from random import Random

from chorale.errors import ChoraleError, unknown
from chorale.language import run
from chorale.nlvr.english.templates import load_templates, misspell
from chorale.nlvr.languages.consistent import Consistent
from chorale.nlvr.pictures.random_scenes import random_scatter, random_towers
from chorale.nlvr.pictures.scenes import Scene
from chorale.nlvr.pictures.worlds import Worlds
from chorale.plumbing.files import write

SPLITS = ("train", "dev", "test")
EMBEDDED_SIZES = {"train": 600, "dev": 100, "test": 100}
_DRAW = {"towers": random_towers, "scatter": random_scatter}
_POOL = 24  # scenes drawn at a time when an utterance looks for its images
_POOLS = 4  # after so many without both labels, the utterance is given up for another one
_UTTERANCES_TRIED = 20
_TRUE_SHARE = 0.55  # as in NLVR


@dataclass(frozen=True, slots=True, kw_only=True)
class Knobs:
    """How a synthetic corpus is made."""

    seed: int = 0
    """The same seed and knobs give the same corpus, byte for byte."""
    images: int = 4
    """Images per utterance."""
    towers: float = 0.5
    """Share of utterances about towers; the others are about scattered shapes."""
    typos: float = 0.0
    """Probability that a word is mistyped."""
    noise: float = 0.0
    """Probability that a label is flipped."""

    def __post_init__(self) -> None:
        for name in ("towers", "typos", "noise"):
            if not 0 <= getattr(self, name) <= 1:
                raise ChoraleError(f"{name} is a probability from 0 to 1, not {getattr(self, name)}")
        if self.images < 1:
            raise ChoraleError(f"images is the number of images per utterance, at least 1, not {self.images}")


@dataclass(frozen=True, slots=True)
class SyntheticUtterance:
    """A sentence, the program it means, and labelled scenes; with noise, a label may contradict the program."""

    number: int
    sentence: str
    program: str
    scenes: tuple[Scene, ...]
    labels: tuple[bool, ...]

    def lines(self) -> Iterator[str]:
        """NLVR's JSON lines, with the known program as an extra field."""
        for index, (scene, label) in enumerate(zip(self.scenes, self.labels, strict=True)):
            example = {
                "sentence": self.sentence,
                "label": "true" if label else "false",
                "identifier": f"{self.number}-{index}",
                "structured_rep": scene.to_json(),
                "program": self.program,
            }
            yield json.dumps(example, separators=(",", ":"))


def embedded_corpus() -> Path:
    """The folder of the small corpus that ships with Chorale: train, dev and test as .jsonl.gz."""
    return Path(str(files("chorale.nlvr"))) / "corpus"


def generate(split: str, utterances: int, knobs: Knobs | None = None) -> Iterator[SyntheticUtterance]:
    """The utterances of one split, in order."""
    if split not in SPLITS:
        raise ChoraleError(f"unknown split {split!r}; {unknown(split, SPLITS)}")
    if utterances < 0:
        raise ChoraleError(f"the number of utterances of {split} must not be negative, found {utterances}")
    knobs = knobs or Knobs()
    for number in range(utterances):
        yield _utterance(split, number, knobs)


def write_corpus(folder: Path, sizes: Mapping[str, int] | None = None, knobs: Knobs | None = None) -> dict[str, Path]:
    """Write `SPLIT.jsonl.gz` for each split with its number of utterances; give back the files.

    A file appears under its name only when it is complete. The default sizes are those of the embedded corpus.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written: dict[str, Path] = {}
    for split, utterances in (sizes or EMBEDDED_SIZES).items():
        made = generate(split, utterances, knobs)
        text = "".join(f"{line}\n" for utterance in made for line in utterance.lines())
        written[split] = folder / f"{split}.jsonl.gz"
        write(written[split], text.encode())
    return written


def denotations(program: str, scenes: Sequence[Scene]) -> list[bool]:
    """What a program of the consistent language says about each scene."""
    return [bool(truth) for truth in run(Consistent.parse(program), Consistent(Worlds(scenes)))]


def split_of(scene: Scene) -> str:
    """The one split a scene may be used in; the order of boxes and objects does not matter."""
    content = sorted(sorted((o.x, o.y, o.size, o.shape, o.color) for o in box) for box in scene.boxes)
    return SPLITS[zlib.crc32(repr(content).encode()) % len(SPLITS)]


def _utterance(split: str, number: int, knobs: Knobs) -> SyntheticUtterance:
    rng = Random(f"{knobs.seed}/{split}/{number}")
    picture = "towers" if rng.random() < knobs.towers else "scatter"
    templates = [template for template in load_templates() if template.picture == picture]
    for _ in range(_UTTERANCES_TRIED):
        sentence, program = rng.choice(templates).fill(rng)
        chosen = _images(program, picture, split, knobs.images, rng)
        if chosen is not None:
            break
    else:
        raise ChoraleError(
            f"no template found {knobs.images} images with both labels for utterance {number} of {split}; "
            "fewer images per utterance would be easier to find"
        )
    scenes, truths = zip(*chosen, strict=True)
    return SyntheticUtterance(
        number=number,
        sentence=misspell(sentence, rng, knobs.typos),
        program=program,
        scenes=scenes,
        labels=tuple(truth != (rng.random() < knobs.noise) for truth in truths),
    )


def _images(program: str, picture: str, split: str, images: int, rng: Random) -> list[tuple[Scene, bool]] | None:
    """Different scenes with their denotations, both occurring if there is room; None if they are hard to find."""
    wanted = _mixed_labels(images, rng)
    found: dict[bool, dict[Scene, None]] = {True: {}, False: {}}  # ordered sets
    drawn = (_DRAW[picture](rng) for _ in count())
    usable = (scene for scene in drawn if split_of(scene) == split)
    for _ in range(_POOLS):
        pool = tuple(islice(usable, _POOL))
        for scene, truth in zip(pool, denotations(program, pool), strict=True):
            found[truth][scene] = None
        if all(len(found[truth]) >= wanted.count(truth) for truth in found):
            first = {truth: iter(found[truth]) for truth in found}
            return [(next(first[truth]), truth) for truth in wanted]
    return None


def _mixed_labels(images: int, rng: Random) -> list[bool]:
    while True:
        labels = [rng.random() < _TRUE_SHARE for _ in range(images)]
        if images == 1 or len(set(labels)) == 2:
            return labels
