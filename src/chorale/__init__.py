"""Chorale: sentences in, programs out, learned from true/false answers alone.

The rooms are imported by name (`chorale.language`, `chorale.nlvr`, ...); this package itself loads nothing.
"""

__all__ = ["__version__"]


def __getattr__(name: str) -> str:
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - slow, and rarely asked for

        try:
            return version("chorale")
        except PackageNotFoundError:  # run from a folder that is not installed
            return "0+unknown"
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
