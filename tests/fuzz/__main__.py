"""`python -m tests.fuzz [TARGET ...] --minutes 10`: change inputs at random, led by what code they reach.

Atheris keeps every input that reaches new code, in `.fuzz/TARGET`, and goes on from there the next time. An input that
ends in anything but a `ChoraleError`, or takes longer than 20 seconds or more than 4 GiB, is written to
tests/fuzz/found/TARGET, where the tests try it again from then on.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
SLICE = 1.0
"""A process fuzzes for so many minutes, then another goes on: the fuzzer itself takes ever more memory."""
NAMES = (
    "program",
    "actions",
    "data",
    "lines",
    "scene",
    "picture",
    "recipe",
    "model",
    "run",
    "candidates",
    "http",
    "wire",
    "marks",
    "ranker",
    "csv",
    "tables",
    "questions",
    "cost",
)


def main() -> int:
    """Fuzz the targets one after another; the status is 1 if something broke."""
    parser = argparse.ArgumentParser(description="Fuzz what reads the files of strangers.")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"{', '.join(NAMES)}; all by default")
    parser.add_argument("--minutes", type=float, default=10.0, help="for each target")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if unknown := set(given.targets) - set(NAMES):
        parser.error(f"there is no target {sorted(unknown)[0]!r}; choose from {', '.join(NAMES)}")
    if given.inside:
        _fuzz(given.targets[0], given.minutes)
        return 0
    results = [_in_process(name, given.minutes) for name in given.targets or NAMES]
    return int(any(results))


def _in_process(name: str, minutes: float) -> int:
    """Fuzz a target in processes of their own, which it may break; prints counts, and whether something broke."""
    memory = Path("/dev/shm")
    inputs, reached, broken, log = 0, "0", list[str](), ROOT / ".fuzz" / f"{name}.log"
    log.parent.mkdir(exist_ok=True)
    log.unlink(missing_ok=True)
    failed = False
    while minutes > 0 and not failed:
        part = min(minutes, SLICE)
        minutes -= part
        command = [sys.executable, "-m", "tests.fuzz", name, "--inside", "--minutes", str(part)]
        # The process ends without tidying up, so its folder is made here.
        with tempfile.TemporaryDirectory(prefix="chorale-fuzz-", dir=memory if memory.is_dir() else None) as folder:
            environment = {**os.environ, "CHORALE_FUZZ": folder, "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}
            done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        with open(log, "a", encoding="utf-8") as stream:
            stream.write(done.stdout + done.stderr)
        inputs += int((re.findall(r"^#(\d+)\s", done.stderr, re.MULTILINE) or ["0"])[-1])
        reached = (re.findall(r"cov: (\d+)", done.stderr) or [reached])[-1]
        broken += re.findall(r"Test unit written to (\S+)", done.stderr)
        failed = bool(broken) or done.returncode != 0
    print(
        f"{name:<12}{inputs:>10,} inputs  {reached:>6} branches  "
        + (f"BROKEN: {', '.join(broken) or log}" if failed else "nothing broke"),
        flush=True,
    )
    return int(failed)


def _fuzz(name: str, minutes: float) -> None:
    import atheris  # type: ignore[import-not-found]  # noqa: PLC0415 - only `make fuzz` installs it

    with atheris.instrument_imports(include=["chorale"]):
        from tests.fuzz.mutations import mutate  # noqa: PLC0415
        from tests.fuzz.targets import TARGETS  # noqa: PLC0415

    corpus, found = ROOT / ".fuzz" / name, HERE / "found" / name
    for folder in (corpus, found):
        folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate([*TARGETS[name].seeds(), *TARGETS[name].found()]):
        (corpus / f"seed-{number}").write_bytes(seed)

    def changed(content: bytes, largest: int, seed: int) -> bytes:
        rng = Random(seed)
        by_us = rng.random() < 0.5
        return (mutate(content, rng) if by_us else atheris.Mutate(content, largest))[:largest]

    options = [f"-max_total_time={round(60 * minutes)}", f"-artifact_prefix={found}/", "-timeout=20"]
    options += ["-rss_limit_mb=4096", "-max_len=200000", "-print_final_stats=1", str(corpus)]
    atheris.Setup([sys.argv[0], *options], TARGETS[name].run, custom_mutator=changed)
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
