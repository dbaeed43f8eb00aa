"""How long `chorale parse` takes from a cold start, in a process of its own each time; prints one JSON line.

The command is run once beforehand, so that the bytecode of all modules is there, as it is after an install. On a
machine that does other things as well, the seconds of the processor say more than those of the clock.
"""

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time

SENTENCE = "There is a yellow block."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=15, help="timed processes, one after the other")
    parser.add_argument("--sentence", default=SENTENCE, help="what is parsed")
    options = parser.parse_args()
    command = [sys.executable, "-m", "chorale", "parse", options.sentence]
    with tempfile.TemporaryDirectory() as bytecode:
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": bytecode}
        _seconds(command, environment)
        seconds, cpu_seconds = zip(*(_seconds(command, environment) for _ in range(options.repeats)), strict=True)
    result = {
        "median_seconds": round(statistics.median(seconds), 3),
        "best_seconds": round(min(seconds), 3),
        "median_cpu_seconds": round(statistics.median(cpu_seconds), 3),
        "best_cpu_seconds": round(min(cpu_seconds), 3),
        "repeats": options.repeats,
        "sentence": options.sentence,
        "python": platform.python_version(),
    }
    print(json.dumps(result))


def _seconds(command: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """How long a command takes, by the clock and by the processor."""
    start, before = time.perf_counter(), _cpu_seconds()
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start, _cpu_seconds() - before


def _cpu_seconds() -> float:
    """What the processes that were started and have ended took together."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
