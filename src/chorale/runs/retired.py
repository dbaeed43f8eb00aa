"""What older recipes and models may still say: keys and feature templates that are gone.

A key that is gone is accepted where it has the value that is built in now, so that old runs and models stay readable;
with any other value it is refused, and the error names the last commit that has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from chorale.plumbing.checking import Key

_DEVIATIONS = dict.fromkeys(("strict", "multisets", "empty_is_best", "right_only"), False)

KEYS: Mapping[str, Mapping[str, Any]] = {
    "13e3360": {
        "coverage.clip": 0.0,
        "mml.clip": 0.0,
        "rerank.clip": 0.0,
        "reward.clip": 0.0,
        "supervised.clip": 0.0,
        "tied.clip": 0.0,
        **{f"reward.{name}": value for name, value in _DEVIATIONS.items()},
        "reward.finished": 0,
        "reward.only_right": False,
        "reward.redraw": False,
        "parser.query_dropout": 0.0,
        "supervised.augmentation": True,
        "tied.cache": True,
        "collect.dropout": False,
    },
    "4c9ba75": {"collect.distinct": False},
    "420fa08": {"ranker.bags": 1},
    "048c882": {
        "collect.batch": 16,
        "ranker.averaged": 15,
        "ranker.least": 0.01,
        "ranker.listed": 100,
        "ranker.min_count": 2,
        "ranker.most_whole": 4_000,
        "ranker.none": 0.0005,
        "ranker.slack": 3.0,
        "reward.deviations": _DEVIATIONS,
        "search.looked_at": 200,
        "search.probes": 12,
    },
}
"""The value of each key that is built in now, by the last commit that has the key. Keys are named as in a recipe."""

TEMPLATES: frozenset[str] = frozenset()
"""Templates of features that are gone; what a ranker learned for them counts for nothing."""

_LAST = {key: (commit, value) for commit, keys in KEYS.items() for key, value in keys.items()}


@dataclass(frozen=True)
class Retired:
    """A key that is gone, where it was found."""

    table: dict[str, Any]
    where: Key
    last: str
    """The last commit that has it."""
    built_in: Any

    @property
    def is_built_in(self) -> bool:
        """Whether it says what is done now anyway."""
        return bool(self.table[str(self.where[-1])] == self.built_in)

    def __str__(self) -> str:
        return f"this key is gone, and {self.built_in!r} is built in; the last commit that has it is {self.last}"

    def take_out(self) -> None:
        """Take it out of its table."""
        del self.table[str(self.where[-1])]


def retired_in(name: str, table: Any, where: Key) -> list[Retired]:
    """The keys of a table that are gone; its name is that of a kind of stage, or "parser"."""
    keys = table if isinstance(table, dict) else ()
    known = ((key, _LAST.get(f"{name}.{key}")) for key in keys)
    return [Retired(table, (*where, key), *last) for key, last in known if last is not None]


def retired_in_recipe(recipe: Mapping[str, Any]) -> Iterator[Retired]:
    """The keys of a recipe as TOML has it that are gone."""
    for name, table in recipe.items():
        yield from retired_in(name, table, (name,))
    stages = recipe.get("stages")
    for index, stage in enumerate(stages if isinstance(stages, list) else ()):
        if isinstance(stage, dict):
            yield from retired_in(str(stage.get("kind")), stage, ("stages", index))
