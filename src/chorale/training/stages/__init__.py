"""The kinds of stage, one file each: settings, equation and loss. To add a kind, add its file."""

import importlib
import pkgutil

from chorale.training.stage import Stage


def _found() -> dict[str, type[Stage]]:
    """The stage of every file in this folder, by its kind."""
    names = [name for _, name, _ in pkgutil.iter_modules(__path__)]
    modules = [importlib.import_module(f"{__name__}.{name}") for name in names]
    stages = [
        kind
        for module in modules
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Stage) and kind.__module__ == module.__name__
    ]
    return {stage.kind: stage for stage in stages if hasattr(stage, "kind")}


KINDS: dict[str, type[Stage]] = _found()
