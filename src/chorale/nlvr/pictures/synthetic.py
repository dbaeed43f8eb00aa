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
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.resources import files
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any, cast

from chorale.engines.local import mapped
from chorale.errors import ChoraleError, unknown
from chorale.language import Program, run
from chorale.nlvr.english.templates import load_templates, misspell
from chorale.nlvr.languages.consistent import Consistent
from chorale.nlvr.pictures.random_scenes import Drawn, Thing, drawn_scatter, drawn_towers, scene_of
from chorale.nlvr.pictures.scenes import Scene
from chorale.nlvr.pictures.worlds import Worlds
from chorale.plumbing.files import alone, replacing

SPLITS = ("train", "dev", "test")
EMBEDDED_SIZES = {"train": 600, "dev": 100, "test": 100}
_DRAW = {"towers": drawn_towers, "scatter": drawn_scatter}
_POOL = 24  # scenes drawn at a time when an utterance looks for its images
_LOOKED_AT = 6  # of these, scenes that the program is run on at a time
_POOLS = 4  # after this many without both labels, the utterance is given up for another one
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
    _checked(split, utterances)
    for number in range(utterances):
        yield _utterance(split, knobs or Knobs(), number)


def write_corpus(
    folder: Path, sizes: Mapping[str, int] | None = None, knobs: Knobs | None = None, jobs: int = 1
) -> dict[str, Path]:
    """Write `SPLIT.jsonl.gz` for each split with its number of utterances; return the files.

    The files appear under their names when all of them are complete, and no other process writes a corpus there
    meanwhile, so that splits belong together. What is held in memory does not grow with them. The default sizes are
    those of the embedded corpus. Any number of `jobs` writes the same bytes as one.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = {split: folder / f"{split}.jsonl.gz" for split in sizes or EMBEDDED_SIZES}
    held = f"{folder}: another process is writing a corpus there; wait for it, or name another folder"
    with alone(folder / "corpus", held), ExitStack() as files:
        for split, utterances in (sizes or EMBEDDED_SIZES).items():
            work = partial(_lines, _checked(split, utterances), knobs or Knobs())
            stream = files.enter_context(replacing(written[split]))
            with closing(mapped(work, range(utterances), jobs)) as made:
                stream.writelines(made)
    return written


def _checked(split: str, utterances: int) -> str:
    """The split, if there is such a one."""
    if split not in SPLITS:
        raise ChoraleError(f"unknown split {split!r}; {unknown(split, SPLITS)}")
    if utterances < 0:
        raise ChoraleError(f"the number of utterances of {split} must not be negative, found {utterances}")
    return split


def denotations(program: str, scenes: Sequence[Scene]) -> list[bool]:
    """What a program of the consistent language says about each scene."""
    return [bool(truth) for truth in run(_parsed(program), Consistent(Worlds(scenes)))]


@lru_cache(maxsize=10_000)
def _parsed(program: str) -> Program:
    return Consistent.parse(program)


def split_of(scene: Scene) -> str:
    """The one split a scene may be used in; the order of boxes and objects does not matter."""
    return _split_of(tuple(tuple(Thing(o.x, o.y, o.size, o.shape, o.color) for o in box) for box in scene.boxes))


def _split_of(drawn: Drawn) -> str:
    boxes = [
        ", ".join([f"({x}, {y}, {size}, '{shape}', '{color}')" for x, y, size, shape, color in box])
        for box in sorted(map(sorted, drawn))
    ]
    content = f"[[{'], ['.join(boxes)}]]"
    return SPLITS[zlib.crc32(content.encode()) % len(SPLITS)]


def _lines(split: str, knobs: Knobs, number: int) -> bytes:
    """The lines of an utterance."""
    return "".join(f"{line}\n" for line in _utterance(split, knobs, number).lines()).encode()


def _utterance(split: str, knobs: Knobs, number: int) -> SyntheticUtterance:
    rng = Random(f"{knobs.seed}/{split}/{number}")
    picture = "towers" if rng.random() < knobs.towers else "scatter"
    templates = [template for template in load_templates() if template.picture == picture]
    for _ in range(_UTTERANCES_TRIED):
        sentence, program = rng.choice(templates).fill(rng)
        chosen = _images(program, picture, split, knobs, rng)
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


def _images(program: str, picture: str, split: str, knobs: Knobs, rng: Random) -> list[tuple[Scene, bool]] | None:
    """Different scenes with their denotations, both occurring if there is room; None if they are hard to find."""
    wanted = _mixed_labels(knobs.images, rng)
    by_truth: dict[bool, dict[Drawn, None]] = {True: {}, False: {}}  # ordered sets
    drawn = (_DRAW[picture](rng) for _ in count())
    usable = (boxes for boxes in drawn if _split_of(boxes) == split)
    for _ in range(_POOLS):
        pool = islice(usable, _POOL)
        while some := list(islice(pool, _LOOKED_AT)):
            for boxes, truth in zip(some, denotations(program, [Scene(cast(Any, it)) for it in some]), strict=True):
                by_truth[truth][boxes] = None
            if all(len(by_truth[truth]) >= wanted.count(truth) for truth in by_truth):
                if knobs.typos or knobs.noise:  # what is drawn next must not depend on how many scenes were enough
                    deque(pool, maxlen=0)
                first = {truth: iter(by_truth[truth]) for truth in by_truth}
                return [(scene_of(next(first[truth])), truth) for truth in wanted]
    return None


def _mixed_labels(images: int, rng: Random) -> list[bool]:
    while True:
        labels = [rng.random() < _TRUE_SHARE for _ in range(images)]
        if images == 1 or len(set(labels)) == 2:
            return labels
