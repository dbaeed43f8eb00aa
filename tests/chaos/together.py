"""The same work by several processes at the same moment, each forked from one that has imported everything."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tests.chaos.dying import BROKEN, CONTEXT, FAILED, Ending

from chorale.cli.main import main
from chorale.errors import ChoraleError
from chorale.model import Model, load
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.scenes import Object, Scene
from chorale.nlvr.pictures.synthetic import Knobs, write_corpus
from chorale.plumbing.files import append_line, replacing, write
from chorale.ranker.ranker import Ranker
from chorale.runs.marks import Marks
from chorale.runs.models import RankerFile, read_about
from chorale.search.from_words import WordsSettings

Work = Callable[[int], object]
"""What a process does; it is given its number."""

SCENE = Scene(((Object(10, 10, 20, "circle", "yellow"),), (), ()))


def together(work: Work, count: int, log: Path) -> list[Ending]:
    """How so many processes end that begin at the same moment."""
    barrier = CONTEXT.Barrier(count)
    logs = [log.with_name(f"{log.name}-{number}") for number in range(count)]
    processes = [CONTEXT.Process(target=_work, args=(work, number, barrier, one)) for number, one in enumerate(logs)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return [Ending(it.exitcode or 0, one.read_text()) for it, one in zip(processes, logs, strict=True)]


def _work(work: Work, number: int, barrier: Any, log: Path) -> None:
    status = 0
    sys.stdout = sys.stderr = open(log, "w", encoding="utf-8")  # noqa: SIM115 - until the process ends
    barrier.wait()
    try:
        work(number)
    except ChoraleError as error:
        print(error)
        status = FAILED
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else 0 if ended.code is None else BROKEN
    except BaseException:
        traceback.print_exc()
        status = BROKEN
    sys.stdout.flush()
    os._exit(status)


def command(*words: object) -> Work:
    """A command; `{}` in a word is the number of the process."""
    return partial(_called, tuple(map(str, words)))


def _called(words: tuple[str, ...], number: int) -> None:
    sys.argv = ["chorale", *(word.format(number) for word in words)]
    main()


# -- what is written -------------------------------------------------------------------------------------------------


def mark(path: Path, times: int, number: int) -> None:
    """Add some marks."""
    for time in range(times):
        Marks(path, Nlvr()).add(f"There is a circle {number}.{time}", SCENE, answer=True)


def undo(path: Path, times: int, _: int) -> None:
    """Take some marks back."""
    for _ in range(times):
        Marks(path, Nlvr()).undo()


def append(path: Path, times: int, number: int) -> None:
    """Add long lines to a file."""
    for _ in range(times):
        append_line(path, {"number": number, "text": "x" * 20_000})


def overwrite(path: Path, number: int) -> None:
    """Write a file, slowly."""
    with replacing(path) as stream:
        for _ in range(100):
            stream.write(b"%d" % number * 1_000)


def save(folder: Path, times: int, number: int) -> None:
    """Save models with weights of their own."""
    for time in range(times):
        small_model({("says", "over", "above"): float(1 + number), ("says", "on", "above"): float(time)}).save(folder)


def save_and_load(folder: Path, times: int, number: int) -> None:
    """The same, while every other process loads what is there."""
    save(folder, 1, number)
    for _ in range(times):
        if number % 2:
            load(folder)
        else:
            save(folder, 1, number)


def synthesize(folder: Path, number: int) -> None:
    """Write a corpus that another seed tells apart."""
    write_corpus(folder, {"train": 4, "dev": 2}, Knobs(seed=number))


def die_while_writing(path: Path, _: int) -> None:
    """Be killed before a file is complete."""
    with replacing(path) as stream:
        stream.write(b"half")
        stream.flush()
        os._exit(9)


def write_a_file(path: Path, number: int) -> None:
    """Write a file of one's own."""
    write(path.with_name(f"{path.name}-{number}"), b"whole")


def small_model(weights: dict[tuple[str, ...], float]) -> Model:
    """A ranker with a few weights."""
    domain, search = Nlvr(), WordsSettings(max_actions=8, meanings=5, contexts=8, most=5)
    ranker = Ranker(domain, "extended", search, weights, ["says"])
    about = RankerFile.model_construct(domain="nlvr", language="extended", recipe="small")
    return Model(ranker, domain, about)


def weight_of(folder: Path) -> float:
    """Which of the small models is there."""
    load(folder)
    about = read_about(folder / "model.json")
    assert about.domain == "nlvr"
    parser = load(folder).parser
    assert isinstance(parser, Ranker)
    return parser.weights["says", "over", "above"]
