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
from itertools import chain
from operator import attrgetter, itemgetter
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


_EMPTY = np.uint64(hash_of(""))


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
        texts = [place for place, name in enumerate(kind._fields) if name in used]
        self._texts, self._lists = _getter(texts), {name: kind._fields.index(name) for name in sorted(lists)}
        at = {kind._fields[place]: row for row, place in enumerate(texts)}
        self._plain = _Block([it for it in templates if not it.each], at)
        self._each = {name: _Block([it for it in templates if it.each == name], at) for name in self._lists}

    def keys(self, parts: Sequence[Any]) -> Iterator[tuple[Keys, NDArray[np.intp]]]:
        """Keys, and the place of the part that each belongs to, block by block in no order."""
        hashes = _hashes(list(chain.from_iterable(map(self._texts, parts)))).reshape(len(parts), -1)  # (part, field)
        filled = hashes != _EMPTY
        mixed, holds = self._plain.mixed(hashes, filled)  # (part, template)
        yield _finished(mixed[holds]), holds.nonzero()[0]
        for name, block in self._each.items():
            place = self._lists[name]
            part, texts = _together([part[place] for part in parts])
            if len(part):
                mixed, holds = block.mixed(hashes, filled)
                mixed, holds = mixed[part] + texts[:, None] * block.factors, holds[part]  # (text, template)
                yield _finished(mixed[holds]), part[holds.nonzero()[0]]

    def labels(self, parts: Sequence[Any]) -> list[int]:
        """The key of each part's first template, 0 if that has no feature."""
        return [key_of(found[0]) if (found := self._first.extract(part)) else 0 for part in parts]


def _getter(places: Sequence[int]) -> Callable[[Any], tuple[str, ...]]:
    """What gives these of the fields of a part."""
    return itemgetter(*places) if len(places) > 1 else lambda part: tuple(part[it] for it in places)


def _hashes(texts: Sequence[str]) -> NDArray[np.uint64]:
    return np.fromiter(map(hash_of, texts), np.uint64, len(texts))


def _together(lists: Sequence[Sequence[str]]) -> tuple[NDArray[np.intp], NDArray[np.uint64]]:
    """The texts of all lists one after the other: the place of the list of each, and its hash.

    Parts of a sentence often share a list, which is then hashed once.
    """
    known: dict[int, int] = {}
    texts: list[str] = []
    starts, lengths = [], []
    for own in lists:
        start = known.get(id(own))
        if start is None:
            start = known[id(own)] = len(texts)
            texts += own
        starts.append(start)
        lengths.append(len(own))
    count = np.array(lengths, np.intp)
    first = np.array(starts, np.intp) - count.cumsum() + count  # less the place of the first among all
    which = np.repeat(np.arange(len(lists)), count)
    return which, _hashes(texts)[first[which] + np.arange(len(which))]


class _Block:
    """Templates with the same list, or none, as arrays."""

    def __init__(self, templates: Sequence[Template], at: Mapping[str, int]) -> None:
        count = len(templates)
        self.weights = np.zeros((count, len(at)), np.uint64)
        self.start = np.zeros(count, np.uint64)
        self.factors = np.zeros(count, np.uint64)
        self.when = np.zeros(count, np.intp)  # the field that says whether there is a feature,
        self.always = np.ones(count, bool)  # unless there always is
        for row, template in enumerate(templates):
            self.start[row] = np.uint64(hash_of(template.name) * _FACTORS[0] & _ALL)
            for place, name in enumerate(template.fields.split(), 1):
                if name == template.each:
                    self.factors[row] = _FACTORS[place]
                else:
                    self.weights[row, at[name]] = _FACTORS[place]
            if template.when:
                self.when[row], self.always[row] = at[template.when], False

    def mixed(
        self, hashes: NDArray[np.uint64], filled: NDArray[np.bool_]
    ) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
        """What the texts of each part come to, and whether there is a feature, both (part, template)."""
        found = hashes @ self.weights.T + self.start
        return found, np.ones(found.shape, bool) if self.always.all() else filled[:, self.when] | self.always


def keyed(templates: Templates) -> dict[type, Keyed]:
    """Templates that give keys, by the kind of part."""
    return {kind: Keyed(kind, table) for kind, table in templates.items()}
