"""How quick the playground's server is. One JSON line per figure.

    python benchmarks/serve.py [nlvr] [--clients 16] [--requests 600] [--memory 20000]

A server is started as `chorale serve` does it, and asked over HTTP. The sentences are those of dev, each once before
any comes again: there are more of them than a worker remembers, so that no answer comes from memory. With `--memory` so
many more are sent, and the memory of server and workers is read between them. Without the corpus the sentences are
those of the synthetic one inside the package.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from chorale.domain.registry import find_domain
from chorale.nlvr.pictures.synthetic import embedded_corpus
from chorale.runs.run import find_split

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "nlvr"
Request = tuple[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?", default=nlvr() or embedded_corpus())
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--requests", type=int, default=600, help="of all clients together")
    parser.add_argument("--alone", type=int, default=200, help="requests of one client, one after another")
    parser.add_argument("--memory", type=int, default=0, help="requests over which the memory is watched")
    arguments = parser.parse_args()
    asked = requests(arguments.data)
    command = [sys.executable, "-m", "chorale", "serve", "--no-open", "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        found = re.search(r":(\d+)/", server.stdout.readline())
        assert found is not None
        port = int(found.group(1))
        before = processor_time(server.pid)
        report("one parse end to end, median, ms", 1e3 * statistics.median(spent(port, asked, arguments.alone)))
        for name, time_before, time_after in zip(("worker", "server"), before, processor_time(server.pid), strict=True):
            report("processor time per parse, ms", 1e3 * (time_after - time_before) / arguments.alone, process=name)
        began = time.perf_counter()
        times = together(port, asked, arguments.clients, arguments.requests)
        report("parses per second", len(times) / (time.perf_counter() - began), clients=arguments.clients)
        report("99th percentile, s", statistics.quantiles(times, n=100)[98], clients=arguments.clients)
        if arguments.memory:
            watch(port, asked, server.pid, arguments.memory, arguments.clients)
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(30)


def nlvr() -> Path | None:
    """The folder of the real corpus, if there is one."""
    folder = Path(os.environ.get("CHORALE_NLVR") or BESIDE)
    return folder if (folder / "train.json").is_file() else None


def requests(data: Path) -> Iterator[Request]:
    """The sentences of dev with a scene each, round and round."""
    domain = find_domain("nlvr")
    assert domain.codec is not None
    utterances = {one.sentence: one for one in domain.read(find_split(data, "dev"), labels_required=False)}
    for round_ in count():
        for sentence, utterance in utterances.items():
            yield sentence, domain.codec.to_json(utterance.contexts[round_ % len(utterance.contexts)])


def spent(port: int, asked: Iterator[Request], number: int, lock: threading.Lock | None = None) -> list[float]:
    """How long requests of one client take."""
    connection, times, lock = http.client.HTTPConnection("127.0.0.1", port), [], lock or threading.Lock()
    for _ in range(number):
        with lock:
            sentence, scene = next(asked)
        body = json.dumps({"sentence": sentence, "scene": scene})
        began = time.perf_counter()
        connection.request("POST", "/api/parse", body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        content = response.read()
        assert response.status == 200, content
        times.append(time.perf_counter() - began)
    return times


def together(port: int, asked: Iterator[Request], clients: int, number: int) -> list[float]:
    """The same with many clients at once."""
    lock, times = threading.Lock(), list[float]()
    threads = [
        threading.Thread(target=lambda: times.extend(spent(port, asked, number // clients, lock)))
        for _ in range(clients)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times


def watch(port: int, asked: Iterator[Request], server: int, number: int, clients: int) -> None:
    """The memory of all processes after each tenth of the requests."""
    for part in range(1, 11):
        together(port, asked, clients, number // 10)
        report("memory of server and workers, MB", memory(server) / 1e6, requests=part * (number // 10))


def memory(process: int) -> int:
    """What a process and those it started hold in memory, in bytes."""
    total = 0
    for folder, _ in family(process):
        with suppress(OSError):
            total += int((folder / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return total


def processor_time(process: int) -> tuple[float, float]:
    """What the processes that it started have used so far, and what it has itself, in seconds."""
    workers, server = 0.0, 0.0
    for folder, fields in family(process):
        time_used = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        if int(folder.name) == process:
            server = time_used
        else:
            workers += time_used
    return workers, server


def family(process: int) -> Iterator[tuple[Path, list[str]]]:
    """The folders of a process and of those it started, each with the fields of its `stat` behind the name."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if process in (int(folder.name), int(fields[1])):
                yield folder, fields


def report(what: str, value: float, **more: Any) -> None:
    print(json.dumps({"what": what, "value": round(value, 2), **more}), flush=True)


if __name__ == "__main__":
    main()
