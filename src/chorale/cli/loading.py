"""Trained parsers, and the threads and devices they compute with."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from typer import BadParameter

from chorale.errors import ChoraleError
from chorale.model import Model, load, shipped
from chorale.parser import need_torch


def model_and_sentence(words: Sequence[str], command: str) -> tuple[Path | None, str]:
    """What stands for [MODEL] SENTENCE: the model, if there is one, and the sentence."""
    if len(words) > 2:
        raise BadParameter(f"put the sentence in quotes; found {len(words)} words", param_hint="SENTENCE")
    if len(words) == 1 and words[0] in shipped():
        raise ChoraleError(f'{words[0]} is a model; give a sentence too: chorale {command} {words[0]} "There is a box"')
    if not words[-1].strip():
        raise BadParameter("the sentence is empty", param_hint="SENTENCE")
    return Path(words[0]) if len(words) == 2 else None, words[-1]


def load_model(run: Path | None, domain: str | None, device: str, option: Path | None = None) -> Model:
    """A trained parser, named by an argument or by --model.

    One thread is quickest for a sentence or two, and gives the same digits everywhere.
    """
    named = one_model(run, option)
    check_device(device)
    model = load(named, domain, device)
    if "torch" in sys.modules:  # not every parser needs it, and it is slow to import
        use_one_thread()
    return model


def one_model(run: Path | None, option: Path | None) -> Path | None:
    """The model that is named by an argument or by --model, if one is."""
    if run is not None and option is not None:
        raise BadParameter(f"{run} is already named", param_hint="--model")
    return run or option


def use_one_thread() -> None:
    """Let torch compute with one thread, if it is installed."""
    with suppress(ModuleNotFoundError):
        import torch  # noqa: PLC0415 - not every parser needs it

        torch.set_num_threads(1)


def check_device(device: str) -> None:
    """Refuse a device that does not exist, before any work is done."""
    if device == "cpu":
        return
    need_torch()
    import torch  # noqa: PLC0415 - an extra

    try:
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise ChoraleError(f"--device {device}: {str(error).splitlines()[0]}") from None
