"""Chorale: sentences in, programs out, learned from true/false answers alone.

The rooms are imported by name (`chorale.language`, `chorale.nlvr`, ...); this package itself loads nothing but what is
asked for: `chorale.load("runs/my-run").parse("There is a yellow block")`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from chorale.domain import Domain
    from chorale.model import Model

__all__ = ["__version__", "load"]


def load(path: str | Path | None = None, domain: Domain | None = None, device: str = "cpu") -> Model:
    """A trained parser from the folder of its run or from its model file; without a path, the one that ships."""
    from chorale.model import load as read  # noqa: PLC0415 - brings torch along

    return read(path, domain, device)


def __getattr__(name: str) -> str:
    if name == "__version__":
        from chorale.plumbing.version import version  # noqa: PLC0415 - slow, and rarely asked for

        return version()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
