"""Chorale: sentences in, programs out, learned from answers alone.

Its packages are imported by name (`chorale.language`, `chorale.nlvr`, ...). This one loads nothing but what is asked
for: `chorale.load("runs/my-run").parse("There is a yellow block")`.
"""

from __future__ import annotations

import logging
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chorale.domain.reading import Reading
    from chorale.errors import ChoraleError
    from chorale.model import Answered, Model, load, train

__all__ = ["Answered", "ChoraleError", "Model", "Reading", "__version__", "load", "train"]

_WHERE = {
    "Answered": "chorale.model",
    "ChoraleError": "chorale.errors",
    "Model": "chorale.model",
    "Reading": "chorale.domain.reading",
    "load": "chorale.model",
    "train": "chorale.model",
}

logging.getLogger("chorale").addHandler(logging.NullHandler())  # a library says nothing unless it is asked to


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from chorale.plumbing.version import version  # noqa: PLC0415 - slow, and rarely asked for

        return version()
    if name in _WHERE:
        return getattr(import_module(_WHERE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
