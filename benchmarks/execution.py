"""How many programs times pictures run per second, on one core; prints one JSON line.

The programs are random, all different, and half of them or more use a relation between objects. They run cold: nothing
is kept from one program for the next. What belongs to the corpus alone, the tables of attributes and relations, is
built beforehand and timed as `pack_seconds`.
"""

import argparse
import json
import os
import resource
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import numpy as np

from chorale.language import Grammar, Language, Program, run
from chorale.language.terms import subterms
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.random_scenes import random_scene
from chorale.nlvr.pictures.scenes import Scene
from chorale.nlvr.pictures.worlds import ATTRIBUTES, RELATIONS, Worlds
from chorale.nlvr.reader import read

RELATIONAL = {"above", "below", "top", "bottom", "touch_object"}
SHORTEST, LONGEST = 8, 16  # actions
TRAIN_PICTURES = 12_408
BESIDE = Path(__file__).resolve().parents[2] / "shared" / "nlvr"


def main() -> None:
    options = _options()
    rng = Random(options.seed)
    scenes, source = _scenes(options.data, options.pictures, rng)
    language_class = Nlvr.languages[options.language]
    programs = random_programs(language_class.grammar, options.programs, rng)

    start = time.perf_counter()
    worlds = Worlds(scenes)
    _fill_tables(worlds)
    pack_seconds = time.perf_counter() - start

    seconds = _seconds(programs, language_class(worlds), options.repeats)
    result = {
        "picture_executions_per_second": round(len(programs) * len(worlds) / seconds),
        "relation_share": round(sum(map(uses_relation, programs)) / len(programs), 3),
        "pack_seconds": round(pack_seconds, 3),
        "peak_memory_mib": round(_peak_memory() / 2**20, 1),
        "programs": len(programs),
        "pictures": len(worlds),
        "distinct_boxes": len(worlds.packed),
        "pictures_from": source,
        "language": options.language,
        "repeats": options.repeats,
        "numpy": np.__version__,
    }
    print(json.dumps(result))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="an NLVR file or folder; default: CHORALE_NLVR, ../shared/nlvr")
    parser.add_argument("--language", choices=Nlvr.languages, default="consistent")
    parser.add_argument("--programs", type=int, default=500, help="how many different programs")
    parser.add_argument("--pictures", type=int, help="generate this many pictures instead of reading a file")
    parser.add_argument("--repeats", type=int, default=9, help="timed rounds; the median counts")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def _scenes(data: Path | None, pictures: int | None, rng: Random) -> tuple[Sequence[Scene], str]:
    """The training scenes, or as many generated ones; and which of the two."""
    folder = data or Path(os.environ.get("CHORALE_NLVR") or BESIDE)
    file = folder / "train.json" if folder.is_dir() else folder
    if pictures is None and (data is not None or file.is_file()):
        return [example.scene for example in read(file).examples], file.name
    return [random_scene(rng) for _ in range(pictures or TRAIN_PICTURES)], "generated"


def random_programs(grammar: Grammar, count: int, rng: Random) -> list[Program]:
    """Different random programs of which half or more use a relation, in random order."""
    found: dict[Program, None] = {}
    for program in _walks(grammar, rng):
        if len(found) == count:
            break
        if len(found) >= count // 2 or uses_relation(program):
            found[program] = None
    programs = list(found)
    rng.shuffle(programs)
    return programs


def uses_relation(program: Program) -> bool:
    return any(part.name in RELATIONAL for term in subterms(program.term) for part in term.parts)


def _walks(grammar: Grammar, rng: Random) -> Iterator[Program]:
    """Random walks through the grammar, each step uniform among what still fits, of the wanted length."""
    shortest = grammar.shortest
    while True:
        actions: list[int] = []
        waiting = [0]
        while waiting:
            state = waiting.pop()
            room = LONGEST - len(actions) - 1 - sum(int(shortest[other]) for other in waiting)
            fitting = [
                (number, after)
                for number, after in grammar.children[state].items()
                if sum(int(shortest[child]) for child in after) <= room
            ]
            number, after = rng.choice(fitting)
            actions.append(number)
            waiting.extend(reversed(after))
        if len(actions) >= SHORTEST:
            yield Program.from_actions(actions, grammar)


def _fill_tables(worlds: Worlds) -> None:
    """Build every table of the corpus; otherwise the first program that needs one would build it."""
    for view in (worlds.images, worlds.apart, worlds.boxes):
        for name in (*ATTRIBUTES, *RELATIONS):
            view.table(name)


def _seconds(programs: list[Program], language: Language, repeats: int) -> float:
    """The median time of one round over all programs."""
    rounds = []
    for _ in range(repeats):
        start = time.perf_counter()
        for program in programs:
            run(program, language)
        rounds.append(time.perf_counter() - start)
    return statistics.median(rounds)


def _peak_memory() -> int:
    """The largest resident size of this process so far, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024  # Linux counts in KiB


if __name__ == "__main__":
    main()
