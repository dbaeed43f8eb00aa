"""What does the work of a command: its options, and the engine they stand for."""

from __future__ import annotations

import os
from enum import StrEnum
from typing import Annotated

from typer import BadParameter, Option

from chorale.engines.cluster import Cluster
from chorale.engines.engine import Engine
from chorale.engines.local import Local

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
"""How many this process may use."""

Jobs = Annotated[
    int | None, Option("--jobs", min=1, help="How many runs at a time, each with one thread; default: one per core.")
]
EngineName = StrEnum("EngineName", ["local", "ray"])
Engines = Annotated[
    EngineName, Option("--engine", help="Where the work is done: on this machine, or on a Ray cluster.")
]
Address = Annotated[
    str | None,
    Option(
        "--address",
        metavar="HOST:PORT",
        help="With --engine ray: the head of the cluster; default: the one on this machine.",
    ),
]


def engine_of(name: EngineName, address: str | None, jobs: int | None) -> Engine:
    """What does the work of a command; with no number of jobs, on all cores."""
    if name is EngineName.ray:
        return Cluster(address, jobs)
    if address is not None:
        raise BadParameter("needs --engine ray", param_hint="--address")
    return Local(jobs or CORES)
