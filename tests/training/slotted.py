"""A tiny corpus whose sentences are fillings of a few abstract examples, and the examples as a file."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from chorale.nlvr.english.abstract_examples import AbstractExample, draw, parse
from chorale.nlvr.english.slots import fill
from chorale.nlvr.pictures.random_scenes import random_scene
from chorale.nlvr.pictures.scenes import Scene
from chorale.nlvr.pictures.synthetic import SyntheticUtterance, denotations

EXAMPLES = """\
[[example]]
utterance = "there is a {color} {shape}"
frequency = 4
programs = ["object_exists({color}({shape}(all_objects)))"]

[[example]]
utterance = "there are {comparison} {number} {color} {shape}"
frequency = 8
programs = ["object_count_{comparison}({number}, {color}({shape}(all_objects)))"]

[[example]]
utterance = "there is a box with a {color} item"
frequency = 4
programs = [
  "box_exists(box_filter(all_boxes, object_exists({color})))",
  "box_count_equals(1, box_filter(all_boxes, object_exists({color})))",
]
"""
SILENT = """\
[[example]]
utterance = "a {size} {shape}"
frequency = 1
programs = ["object_exists({size}({shape}(all_objects)))"]
"""
"""An example that no sentence of the corpus has."""


def examples() -> tuple[AbstractExample, ...]:
    return parse(EXAMPLES, "examples.toml")


def utterances(count: int, seed: int, images: int = 4, noise: float = 0.0) -> Iterator[SyntheticUtterance]:
    """Sentences that mean the first programs of their abstract examples; labels are mixed if there is room."""
    rng = Random(seed)
    for number in range(count):
        while True:
            example = rng.choice(examples())
            said = draw(example.utterance, rng)
            program = fill(example.programs[0], said.values)
            scenes: tuple[Scene, ...] = tuple(random_scene(rng) for _ in range(images))
            labels = denotations(program, scenes)
            if images == 1 or len(set(labels)) == 2:
                break
        heard = tuple(label != (rng.random() < noise) for label in labels)
        yield SyntheticUtterance(number, said.sentence, program, scenes, heard)


def write_slotted(folder: Path, sizes: dict[str, int], images: int = 4, noise: float = 0.0) -> None:
    """The splits as JSON lines, and `examples.toml` beside them."""
    for seed, (split, count) in enumerate(sizes.items()):
        lines = [line for one in utterances(count, seed, images, noise) for line in one.lines()]
        (folder / f"{split}.jsonl").write_text("".join(f"{line}\n" for line in lines))
    (folder / "examples.toml").write_text(EXAMPLES)
