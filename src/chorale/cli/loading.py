"""Trained parsers, and the threads and devices they compute with."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

from typer import BadParameter

from chorale.errors import ChoraleError
from chorale.model import Model, load
from chorale.parser import need_torch


def load_model(run: Path | None, domain: str | None, device: str, option: Path | None = None) -> Model:
    """A trained parser, named by an argument or by --model.

    One thread is quickest for a sentence or two, and gives the same digits everywhere.
    """
    if run is not None and option is not None:
        raise BadParameter(f"{run} is named already", param_hint="--model")
    run = run or option
    check_device(device)
    model = load(run, domain, device)
    if "torch" in sys.modules:  # not every parser needs it, and it is slow to import
        use_one_thread()
    return model


def use_one_thread() -> None:
    """Let torch compute with one thread, if it is installed."""
    with suppress(ModuleNotFoundError):
        import torch  # noqa: PLC0415 - not every parser needs it

        torch.set_num_threads(1)


def check_device(device: str) -> None:
    """Complain about a device that is not there, before any work is done."""
    if device == "cpu":
        return
    need_torch()
    import torch  # noqa: PLC0415 - an extra

    try:
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise ChoraleError(f"--device {device}: {str(error).splitlines()[0]}") from None
