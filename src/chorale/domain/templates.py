"""Templates: how parts of a program and its sentence become features, and features numbers.

A *part* is a tuple of named fields, most of them texts. A *template* says which fields make up a feature: a tuple of
texts that begins with the template's name, such as ("says", "base", "bottom").

Where there are too many features to keep as texts, each has a *key* of 32 bits instead, which depends on its texts and
their order alone. Keys of all parts of a kind are computed at once (`Keyed`); `key_of` says the same, one at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

Feature = tuple[str, ...]
Extract = Callable[[Any], Sequence[Feature]]
"""Gives the features of a part."""
Keys = NDArray[np.uint32]
Templates = Mapping[type, Sequence["Template"]]
"""The templates of each kind of part."""

_MOST_FIELDS = 12
_REMEMBERED = 1_000_000  # texts
_FACTORS = [int.from_bytes(blake2b(bytes([place]), digest_size=8).digest(), "big") | 1 for place in range(_MOST_FIELDS)]
_LAST = 0x9E3779B97F4A7C15
_ALL = (1 << 64) - 1


@dataclass(frozen=True)
class Template:
    """Which fields of a part make up a feature."""

    name: str
    fields: str
    example: tuple[str, ...]
    """What the fields may be."""
    when: str = ""
    """There is a feature only if this field is true, or not empty."""
    each: str = ""
    """There is a feature for each of the texts in this one of the fields."""
    spread: str = ""
    """All the texts in this one, the last of the fields, belong to the feature."""

    @cached_property
    def extract(self) -> Extract:
        """The template as a function."""
        join = self._join()
        if not self.when:
            return join
        holds = attrgetter(self.when)
        return lambda part: join(part) if holds(part) else ()

    def _join(self) -> Extract:
        name, fields = self.name, self.fields.split()
        get: Callable[[Any], Any] = attrgetter(*fields)
        if self.each:
            at = fields.index(self.each)
            if len(fields) == 1:
                return lambda part: [(name, text) for text in get(part)]
            return lambda part: [
                (name, *values[:at], text, *values[at + 1 :]) for values in (get(part),) for text in values[at]
            ]
        if self.spread:
            return lambda part: [(name, *texts, *spread) for *texts, spread in (get(part),)]
        if len(fields) == 1:
            return lambda part: [(name, get(part))]
        return lambda part: [(name, *get(part))]


# -- keys --------------------------------------------------------------------------------------------------------------


@lru_cache(_REMEMBERED)
def hash_of(text: str) -> int:
    """A number of 64 bits for a text, the same everywhere."""
    return int.from_bytes(blake2b(text.encode(errors="surrogatepass"), digest_size=8).digest(), "big")


def key_of(feature: Feature) -> int:
    """The key of a feature.

    >>> key_of(("says", "base", "bottom")) == key_of(("says", "bottom", "base"))
    False
    """
    mixed = sum(hash_of(text) * _FACTORS[place] for place, text in enumerate(feature)) & _ALL
    mixed = ((mixed ^ (mixed >> 29)) * _LAST) & _ALL
    return mixed >> 32


def _finished(mixed: NDArray[np.uint64]) -> Keys:
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(_LAST)
    return (mixed >> np.uint64(32)).astype(np.uint32)


class Keyed:
    """Templates of one kind of part, which give the keys of many parts at once."""

    def __init__(self, kind: Any, templates: Sequence[Template]) -> None:
        self._first = templates[0]
        lists = {template.each for template in templates if template.each}
        used = {name for template in templates for name in (*template.fields.split(), template.when)} - lists
        self._texts = [place for place, name in enumerate(kind._fields) if name in used]
        self._lists = {name: kind._fields.index(name) for name in lists}
        at = {kind._fields[place]: row for row, place in enumerate(self._texts)}
        self._plain = _Block([it for it in templates if not it.each], at)
        self._each = {name: _Block([it for it in templates if it.each == name], at) for name in sorted(lists)}

    def keys(self, parts: Sequence[Any]) -> Iterator[tuple[Keys, NDArray[np.intp]]]:
        """Keys, and the place of the part that each belongs to, block by block in no order."""
        texts = self._texts
        hashes = np.array([[hash_of(part[it]) for it in texts] for part in parts], np.uint64)  # (part, field)
        filled = np.array([[bool(part[it]) for it in texts] for part in parts], bool)
        mixed, holds = self._plain.mixed(hashes, filled)  # (part, template)
        yield _finished(mixed[holds]), np.nonzero(holds)[0]
        for name, block in self._each.items():
            mixed, holds = block.mixed(hashes, filled)
            yield from self._spread(mixed, holds, [part[self._lists[name]] for part in parts], block.factors)

    def labels(self, parts: Sequence[Any]) -> list[int]:
        """The key of each part's first template; of its name alone where it sees nothing."""
        return [key_of(next(iter(self._first.extract(part)), (self._first.name,))) for part in parts]

    def _spread(
        self, mixed: NDArray[np.uint64], holds: NDArray[np.bool_], lists: Sequence[Sequence[str]], factors: Any
    ) -> Iterator[tuple[Keys, NDArray[np.intp]]]:
        """For each of the texts in a list, which parts of a sentence often share."""
        places: dict[int, list[int]] = {}
        for place, texts in enumerate(lists):
            if texts:
                places.setdefault(id(texts), []).append(place)
        for rows in places.values():
            own = np.array([hash_of(text) for text in lists[rows[0]]], np.uint64)  # (text,)
            whole = mixed[rows][:, :, None] + factors[:, None] * own  # (part, template, text)
            kept = np.broadcast_to(holds[rows][:, :, None], whole.shape)
            yield _finished(whole[kept]), np.array(rows, np.intp)[np.nonzero(kept)[0]]


class _Block:
    """Templates with the same list, or none, as arrays."""

    def __init__(self, templates: Sequence[Template], at: Mapping[str, int]) -> None:
        count = len(templates)
        self.weights = np.zeros((count, len(at)), np.uint64)
        self.start = np.zeros(count, np.uint64)
        self.factors = np.zeros(count, np.uint64)
        self.when = np.full(count, -1, np.intp)
        for row, template in enumerate(templates):
            self.start[row] = np.uint64(hash_of(template.name) * _FACTORS[0] & _ALL)
            for place, name in enumerate(template.fields.split(), 1):
                if name == template.each:
                    self.factors[row] = _FACTORS[place]
                else:
                    self.weights[row, at[name]] = _FACTORS[place]
            if template.when:
                self.when[row] = at[template.when]

    def mixed(
        self, hashes: NDArray[np.uint64], filled: NDArray[np.bool_]
    ) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
        """What the texts of each part come to, and whether there is a feature, both (part, template)."""
        found = hashes @ self.weights.T + self.start
        if not (self.when >= 0).any():
            return found, np.ones(found.shape, bool)
        return found, np.where(self.when >= 0, filled[:, self.when], True)


def keyed(templates: Templates) -> dict[type, Keyed]:
    """Templates that give keys, by the kind of part."""
    return {kind: Keyed(kind, table) for kind, table in templates.items()}
