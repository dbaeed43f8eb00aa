"""How time and memory grow: with the number of utterances, images per utterance, length of programs, and beam.

    python benchmarks/scale.py measure FOLDER [--part utterances ...] [--minutes 8] >> scale.jsonl
    python benchmarks/scale.py draw scale.jsonl docs/images

Every measurement is a command in a process of its own, one at a time, and gives one JSON line: the processor time of
that process, and the most memory that it held. Both include the start of Python. A series ends before a measurement
that would probably take longer than `--minutes`, if it grew in proportion.

This process itself stays small, and imports little: what Linux says of the memory of another process is never less than
what this one held when it started it.

The corpora are synthetic and lie in FOLDER. 30,000 utterances are really made; smaller corpora are their beginning, and
larger ones repeat them under other numbers.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

SHORT = 9  # actions, where it is not the length that grows
OUT = "out"  # the folder for what commands write
CHORALE = (sys.executable, "-m", "chorale")
THIS = (sys.executable, __file__)
_NUMBER = re.compile(r'"identifier":"(\d+)-')


@dataclass(frozen=True)
class Values:
    """The values of what grows."""

    sizes: Sequence[int] = (1_000, 10_000, 30_000, 100_000, 1_000_000)
    made: int = 30_000
    """Utterances that are really made."""
    images: Sequence[int] = (1, 2, 4, 8, 16, 32)
    lengths: Sequence[int] = (5, 7, 9, 11, 13, 15, 17, 20)
    beams: Sequence[int] = (1, 2, 5, 10, 20, 50, 100)
    meanings: Sequence[int] = (50, 100, 200, 400, 800, 1600)
    few: int = 300
    """Utterances where something else grows."""


TINY = Values(sizes=(2,), made=1, images=(1,), lengths=(5,), beams=(1,), meanings=(50,), few=2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    measure = commands.add_parser("measure")
    measure.add_argument("folder", type=Path)
    measure.add_argument("--part", action="append", choices=PARTS)
    measure.add_argument("--minutes", type=float, default=8.0)
    measure.add_argument("--tiny", action="store_true", help="so little that it only shows that all of it works")
    draw = commands.add_parser("draw")
    draw.add_argument("figures", type=Path)
    draw.add_argument("folder", type=Path)
    for name, many in (("decode", "--beam"), ("search", "--most")):
        one = commands.add_parser(name)
        one.add_argument("data", type=Path)
        one.add_argument(many, type=int)
    make = commands.add_parser("make")
    make.add_argument("data", type=Path)
    make.add_argument("--images", type=int)
    make.add_argument("--utterances", type=int)
    given = parser.parse_args()
    if given.command == "measure":
        given.folder.mkdir(parents=True, exist_ok=True)
        for part in given.part or PARTS:
            for series in PARTS[part](given.folder, TINY if given.tiny else Values()):
                _measure(part, series, 60 * given.minutes, given.folder / OUT)
    elif given.command == "draw":
        _draw(given.figures, given.folder)
    elif given.command == "make":
        _make(given.data, given.images, given.utterances)
    elif given.command == "decode":
        _decode(given.data, given.beam)
    else:
        _search(given.data, given.most)


# -- what is measured --------------------------------------------------------------------------------------------------

Series = tuple[str, str, Iterator[tuple[int, Sequence[object]]]]
"""What does the work, what grows, and for each of its values the command."""


def _by_utterances(folder: Path, values: Values) -> Iterator[Series]:
    made = folder / "made"
    sizes = [*(size for size in values.sizes if size < values.made), values.made]
    synthesize = (*CHORALE, "synthesize", "--dev", 0, "--test", 0, "--jobs", 1, "--out", made, "--utterances")
    yield "synthesize", "utterances", ((size, (*synthesize, size)) for size in sizes)
    files = {size: _cut(made / "train.jsonl.gz", values.made, folder / f"{size}.jsonl", size) for size in values.sizes}
    yield "check", "utterances", ((size, (*CHORALE, "check", file())) for size, file in files.items())
    search = (*CHORALE, "search", "--jobs", 1, "--max-actions", SHORT, "--out", folder / OUT / "found.jsonl", "--data")
    yield "search", "utterances", ((size, (*search, file())) for size, file in files.items())
    predict = (*CHORALE, "predict", "best", "--out", folder / OUT / "said.csv", "--data")
    yield "predict", "utterances", ((size, (*predict, file())) for size, file in files.items())


def _by_images(folder: Path, values: Values) -> Iterator[Series]:
    def made(images: int) -> Path:
        return _written(folder, values.few, images)

    search = (
        *CHORALE,
        "search",
        "--jobs",
        1,
        "--no-pool",
        "--max-actions",
        SHORT,
        "--out",
        folder / OUT / "found.jsonl",
    )
    yield "check", "images", ((images, (*CHORALE, "check", made(images))) for images in values.images)
    yield "search", "images", ((images, (*search, "--data", made(images))) for images in values.images)
    predict = (*CHORALE, "predict", "best", "--out", folder / OUT / "said.csv", "--data")
    yield "predict", "images", ((images, (*predict, made(images))) for images in values.images)


def _by_length(folder: Path, values: Values) -> Iterator[Series]:
    data = _written(folder, values.few, 4)
    search = (*CHORALE, "search", "--jobs", 1, "--no-pool", "--out", folder / OUT / "found.jsonl", "--data", data)
    yield "search", "actions", ((length, (*search, "--max-actions", length)) for length in values.lengths)


def _by_beam(folder: Path, values: Values) -> Iterator[Series]:
    data = _written(folder, values.few, 4)
    yield "decode", "beam", ((beam, (*THIS, "decode", data, "--beam", beam)) for beam in values.beams)
    yield "search", "meanings", ((most, (*THIS, "search", data, "--most", most)) for most in values.meanings)


PARTS: dict[str, Callable[[Path, Values], Iterator[Series]]] = {
    "utterances": _by_utterances,
    "images": _by_images,
    "length": _by_length,
    "beam": _by_beam,
}


def _decode(data: Path, beam: int) -> None:
    """What `predict` does with a network, and another beam."""
    import torch  # noqa: PLC0415

    from chorale.model import load  # noqa: PLC0415

    torch.set_num_threads(1)
    model = load("consistency")
    model.predict(model.domain.read(data, labels_required=False), beam=beam)


def _search(data: Path, most: int) -> None:
    """What `search` does, with other bounds on the meanings that are kept of each kind and length."""
    from chorale.nlvr.domain import Nlvr  # noqa: PLC0415
    from chorale.search.settings import SearchSettings  # noqa: PLC0415
    from chorale.search.to_file import search_to_file  # noqa: PLC0415

    domain, settings = Nlvr(), SearchSettings(max_actions=13, pool=False, most=most)
    with tempfile.TemporaryDirectory() as folder, domain.opened(data) as utterances:
        search_to_file(domain, "consistent", utterances, settings, Path(folder) / "found.jsonl", data="benchmark")


# -- measuring ---------------------------------------------------------------------------------------------------------


def _measure(part: str, series: Series, longest: float, out: Path) -> None:
    work, name, commands = series
    before: tuple[int, float] | None = None
    for value, command in commands:
        if before is not None and before[1] * value / before[0] > longest:
            return
        shutil.rmtree(out, ignore_errors=True)  # else a command that was stopped would go on where it was
        out.mkdir()
        seconds, memory = _spent(list(map(str, command)))
        before = (value, seconds)
        figure = {"part": part, "work": work, name: value, "cpu_seconds": round(seconds, 2)}
        print(json.dumps({**figure, "peak_mib": round(memory / 2**20, 1)}), flush=True)


def _spent(command: Sequence[str]) -> tuple[float, int]:
    """The processor time of a command in seconds, and the most memory it held in bytes."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, "OMP_NUM_THREADS": "1"})
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"this failed: {' '.join(command)}")
    unit = 1 if sys.platform == "darwin" else 1024
    return used.ru_utime + used.ru_stime, unit * used.ru_maxrss


# -- corpora -----------------------------------------------------------------------------------------------------------


def _cut(made: Path, count: int, path: Path, utterances: int) -> Callable[[], Path]:
    """The first utterances of what was made, repeated under other numbers if there are not so many."""

    def cut() -> Path:
        if not path.exists():
            with path.open("w") as target:
                for before in range(0, utterances, count):
                    with gzip.open(made, "rt") as lines:
                        target.writelines(
                            _renumbered(line, before) for line in islice(lines, 4 * (utterances - before))
                        )
        return path

    return cut


def _renumbered(line: str, before: int) -> str:
    """The line of an utterance that has so many others before it."""
    return _NUMBER.sub(lambda found: f'"identifier":"{int(found[1]) + before}-', line, count=1)


def _written(folder: Path, utterances: int, images: int) -> Path:
    path = folder / f"{utterances}-of-{images}.jsonl"
    if not path.exists():
        numbers = ("--images", str(images), "--utterances", str(utterances))
        subprocess.run([*THIS, "make", str(path), *numbers], check=True)
    return path


def _make(path: Path, images: int, utterances: int) -> None:
    """A few utterances with so many images each."""
    from chorale.nlvr.pictures.synthetic import Knobs, generate  # noqa: PLC0415

    made = generate("train", utterances, Knobs(images=images))
    path.write_text("".join(f"{line}\n" for utterance in made for line in utterance.lines()))


# -- drawing -----------------------------------------------------------------------------------------------------------


def _draw(path: Path, folder: Path) -> None:
    from growth import growth  # noqa: PLC0415 - beside this script

    figures = [json.loads(line) for line in path.read_text().splitlines()]
    titles = {"utterances": "utterances", "images": "images per utterance", "actions": "longest program, in actions"}
    for name, along in {**titles, "beam": "beam of the network", "meanings": "meanings kept per level"}.items():
        if not (chosen := [figure for figure in figures if name in figure]):
            continue
        measures = {"time": ("cpu_seconds", "seconds of processor time"), "memory": ("peak_mib", "memory in MiB")}
        for short, (measure, title) in measures.items():
            curves = {
                work: [(figure[name], figure[measure]) for figure in chosen if figure["work"] == work]
                for work in ("check", "search", "predict", "synthesize", "decode")
                if any(figure["work"] == work for figure in chosen)
            }
            (folder / f"scale-{name}-{short}.svg").write_text(growth(title, along, curves))


if __name__ == "__main__":
    main()
