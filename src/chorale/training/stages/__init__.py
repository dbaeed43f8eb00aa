"""The kinds of stage, one file each: settings and equation. To add a kind, add its file, or an entry point.

    [project.entry-points."chorale.stages"]     in the pyproject.toml of a package
    contrast = "mypackage.contrast:Contrast"

The name is what recipes call the stage (`kind = "contrast"`). A class is imported when a recipe, or `KINDS`, asks for
it; one that cannot be imported is named in the error.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points

from chorale.errors import ChoraleError
from chorale.training.stage import Stage

GROUP = "chorale.stages"


def _own() -> dict[str, type[Stage]]:
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


class Kinds(Mapping[str, type[Stage]]):
    """All kinds of stage by name: ours, and those of installed packages, which are imported when they are asked for."""

    def __init__(self) -> None:
        self._known = _own()

    def __getitem__(self, kind: str) -> type[Stage]:
        if kind not in self._known:
            self._known[kind] = _imported(kind, self._others()[kind])
        return self._known[kind]

    def add(self, stage: type[Stage]) -> None:
        """One kind more."""
        if stage.kind in self and self[stage.kind] is not stage and stage.kind in _own():
            raise ChoraleError(f"there is a kind of stage {stage.kind!r} already; give yours another name")
        self._known[stage.kind] = stage

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self._known, *self._others()]))

    def __len__(self) -> int:
        return len(list(iter(self)))

    def _others(self) -> dict[str, EntryPoint]:
        return {point.name: point for point in entry_points(group=GROUP)}


def _imported(kind: str, point: EntryPoint) -> type[Stage]:
    try:
        stage = point.load()
    except (ImportError, AttributeError) as error:
        raise ChoraleError(f"the kind of stage {kind!r}, from {point.value}, cannot be imported: {error}") from None
    if not (isinstance(stage, type) and issubclass(stage, Stage)):
        raise ChoraleError(f"the kind of stage {kind!r}: {point.value} is not a chorale.training.stage.Stage")
    if getattr(stage, "kind", None) != kind:
        raise ChoraleError(f"the kind of stage {kind!r}: {point.value} calls itself {getattr(stage, 'kind', None)!r}")
    return stage


KINDS = Kinds()


def register(stage: type[Stage]) -> type[Stage]:
    """Make a kind of stage known to this process, as an entry point does for all; may be used as a decorator."""
    KINDS.add(stage)
    return stage
