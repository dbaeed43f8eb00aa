"""Templates: how parts of a program and its sentence become features, and features numbers.

A *part* is a tuple of named fields, most of them texts. A *template* says which fields make up a feature: a tuple of
texts that begins with the template's name, such as ("says", "base", "bottom").

Where there are too many features to keep as texts, each has a *key* of 32 bits instead, which depends on its texts and
their order alone. Keys of all parts of a kind are computed at once (`Keyed`); `key_of` says the same, one at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
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
        lists = sorted({template.each for template in templates if template.each})
        used = {name for template in templates for name in (*template.fields.split(), template.when)}
        texts = [place for place, name in enumerate(kind._fields) if name in used.difference(lists)]
        at = {kind._fields[place]: row for row, place in enumerate(texts)}
        self._texts, self._lists = _getter(texts), [kind._fields.index(name) for name in lists]
        self._places = np.array(sorted(range(len(templates)), key=lambda place: bool(templates[place].each)), np.intp)
        ordered = [templates[place] for place in self._places]
        self._label = ordered.index(templates[0])
        self._list = np.array([lists.index(template.each) for template in ordered if template.each], np.intp)
        self._plain = len(ordered) - len(self._list)  # templates without lists come first
        self.weights = np.zeros((len(ordered), len(at)), np.uint64)
        self.start, self.factors = np.zeros((2, len(ordered), 1), np.uint64)
        self.when = np.full(len(ordered), len(at))  # the field that says whether there is a feature; behind all: always
        for row, template in enumerate(ordered):
            self.start[row] = np.uint64(hash_of(template.name) * _FACTORS[0] & _ALL)
            for place, name in enumerate(template.fields.split(), 1):
                if name == template.each:
                    self.factors[row] = _FACTORS[place]
                else:
                    self.weights[row, at[name]] = _FACTORS[place]
            if template.when:
                self.when[row] = at[template.when]

    def __len__(self) -> int:
        """How many templates there are."""
        return len(self._places)

    def keys(self, parts: Sequence[Any]) -> tuple[Keys, NDArray[np.intp], NDArray[np.intp], Keys]:
        """Keys in no order, the places of the part and of the template that each belongs to, and a label for each part.

        The label is the key of the first template; if that has one for each of several texts, without these.
        """
        hashes = _hashes(chain.from_iterable(map(self._texts, parts)))
        hashes = hashes.reshape(len(parts), self.weights.shape[1]).T  # (field, part)
        mixed = self.weights @ hashes + self.start  # (template, part)
        holds = np.append(hashes != _EMPTY, np.ones((1, len(parts)), bool), axis=0)[self.when]
        plain = holds[: self._plain]
        keys, (rows, places) = mixed[: self._plain][plain], plain.nonzero()
        if len(self._list):
            of_lists, more_rows, more_places = self._spread(mixed[self._plain :], holds[self._plain :], parts)
            keys, rows = np.concatenate([keys, of_lists]), np.concatenate([rows, more_rows + self._plain])
            places = np.concatenate([places, more_places])
        return _finished(keys), places, self._places[rows], _finished(mixed[self._label])

    def _spread(
        self, mixed: NDArray[np.uint64], holds: NDArray[np.bool_], parts: Sequence[Any]
    ) -> tuple[NDArray[np.uint64], NDArray[np.intp], NDArray[np.intp]]:
        """For each of the texts in the list of a template; parts often share a list, which is then hashed once."""
        lists = [part[place] for place in self._lists for part in parts]
        starts: dict[int, int] = {}
        texts: list[str] = []
        for own in lists:
            if id(own) not in starts:
                starts[id(own)] = len(texts)
                texts += own
        start = np.array([starts[id(own)] for own in lists], np.intp).reshape(-1, len(parts))[self._list]
        count = (np.array(list(map(len, lists)), np.intp).reshape(-1, len(parts))[self._list] * holds).ravel()
        pair = np.repeat(np.arange(len(count)), count)  # of a template and a part, for each feature
        first = start.ravel() - count.cumsum() + count
        own = _hashes(texts)[first[pair] + np.arange(len(pair))]
        template, part = np.divmod(pair, len(parts))
        return mixed.ravel()[pair] + self.factors[self._plain :, 0][template] * own, template, part


def _getter(places: Sequence[int]) -> Callable[[Any], tuple[str, ...]]:
    """What gives these of the fields of a part."""
    return itemgetter(*places) if len(places) > 1 else lambda part: tuple(part[it] for it in places)


def _hashes(texts: Iterable[str]) -> NDArray[np.uint64]:
    return np.fromiter(map(hash_of, texts), np.uint64)


def keyed(templates: Templates) -> dict[type, Keyed]:
    """Templates that give keys, by the kind of part."""
    return {kind: Keyed(kind, table) for kind, table in templates.items()}
