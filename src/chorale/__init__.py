"""Chorale: sentences in, programs out, learned from true/false answers alone.

The rooms are imported by name (`chorale.language`, `chorale.nlvr`, ...); this package itself loads nothing but what is
asked for: `chorale.load("runs/my-run").parse("There is a yellow block")`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chorale.model import Model, Parse, load

__all__ = ["Model", "Parse", "__version__", "load"]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from chorale.plumbing.version import version  # noqa: PLC0415 - slow, and rarely asked for

        return version()
    if name in __all__:
        from chorale import model  # noqa: PLC0415 - slow, and not always asked for

        return getattr(model, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
