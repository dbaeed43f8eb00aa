"""`make demo`: the main job on what ships with the package, in a few seconds and without any download."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TypeVar

import typer

from chorale.cli.files import write
from chorale.cli.output import say, told, word
from chorale.evaluation.metrics import score
from chorale.language import run
from chorale.nlvr import Consistent
from chorale.nlvr.drawing import to_svg, trace_svg
from chorale.nlvr.reader import Utterance, read
from chorale.nlvr.synthetic import embedded_corpus
from chorale.nlvr.synthetic_scenes import random_scene
from chorale.nlvr.trace import trace
from chorale.nlvr.worlds import Worlds

T = TypeVar("T")

SCENES = 3_000
ROUNDS = 200
PROGRAM = "box_count_equals(1, box_filter(all_boxes, object_count_greater_equals(2)(yellow(square))))"
RIVAL = "box_exists(box_filter(all_boxes, object_count_greater_equals(2)(yellow(square))))"


def main(folder: Path = Path("demo")) -> None:
    """Walk through a program's life; pictures go to `folder`."""
    program = Consistent.parse(PROGRAM)
    _title("A program: there is one box with at least two yellow squares")
    say(program.text)
    say(program.pretty())

    _title(f"The {len(program.actions)} actions that build it, as a parser will choose them")
    for number, action in enumerate(program.actions, 1):
        say(f"{number:3}  {action}")

    scenes = [random_scene(Random(number)) for number in range(SCENES)]
    packing, worlds = _timed(lambda: Worlds(scenes))
    language = Consistent(worlds)
    denotations = run(program, language)
    running, _ = _timed(lambda: [run(program, language) for _ in range(ROUNDS)])
    _title(f"Run on {SCENES:,} random scenes at once")
    say(f"packed in {packing:.2f} s; then {running / ROUNDS * 1e3:.2f} ms for all of them, on one core:")
    say(f"{SCENES * ROUNDS / running / 1e6:.1f} million pictures per second; true of {denotations.mean():.0%} of them")

    rival = Consistent.parse(RIVAL)
    differing = (run(rival, language) != denotations).nonzero()[0]
    _title("A program that looks right is not always right")
    say(f"{rival} says `at least one box`.")
    say(
        f"The two differ on {len(differing)} of the {SCENES:,} scenes; true/false answers on a few images may not tell."
    )

    _title("A synthetic corpus ships with the package")
    corpus = read(embedded_corpus() / "train.jsonl.gz")
    for utterance in corpus.utterances[:4]:
        _tell(utterance)
    bound = Consistent(Worlds(corpus.scenes))
    labels, groups = [it.label for it in corpus.examples], [it.group for it in corpus.examples]
    result = score(run(program, bound), labels, groups)
    say(f"Our program, as a guess for all {result.groups} utterances: {result.accuracy:.1%} of the answers are right,")
    say(f"and {result.consistency:.1%} of the utterances on all their images. A parser has to do better than that.")

    _title("Pictures")
    folder.mkdir(parents=True, exist_ok=True)
    chosen = scenes[int(denotations.nonzero()[0][0])]
    pictures = {
        "scene.svg": to_svg(chosen, scale=2),
        "trace.svg": trace_svg(trace(program, chosen, Consistent)),
        "program.svg": program.to_svg(),
    }
    for name, picture in pictures.items():
        write(folder / name, picture.encode())
    say(f"{folder / 'trace.svg'}    what each part of the program sees")
    say(f"{folder / 'program.svg'}  the program as a tree")
    say(f"{folder / 'scene.svg'}    the scene by itself")

    _title("Now you")
    say('.venv/bin/chorale actions "object_exists(yellow(above(black(all_objects))))"')
    say(".venv/bin/chorale synthesize --out corpus --utterances 1000")
    say('.venv/bin/chorale run "object_exists(yellow(all_objects))" --data corpus/dev.jsonl.gz --against-labels')
    say(".venv/bin/chorale --help")


def _title(text: str) -> None:
    say(f"\n{text}", "bold")


def _tell(utterance: Utterance) -> None:
    answers = ", ".join(word(bool(label)) for label in utterance.labels)
    say(f"  {utterance.sentence}  [{answers}]")


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


if __name__ == "__main__":
    typer.run(told(main))
