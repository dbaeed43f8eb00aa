"""Weights by key: millions of features as two arrays, and their file.

A feature is known by its key of 32 bits (`domain.templates`). Keys are sorted; of a feature that has no weight the key
is not among them, but for one in some thousands that is taken for another.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.domain.templates import Keys
from chorale.errors import ChoraleError
from chorale.plumbing.arrays import check_kinds, check_largest, read_arrays, write_arrays

Floats = NDArray[np.float32]
_BUCKET_BITS = 20
_SHIFT = 32 - _BUCKET_BITS
LARGEST = 1_000.0
"""The largest weight that a file may hold."""


def summed(place: NDArray[np.integer[Any]], weights: NDArray[Any], count: int) -> NDArray[np.float64]:
    """What the weights at each place add up to, (place,)."""
    return np.bincount(place, weights, count).astype(np.float64, copy=False)


class KeyWeights:
    """The weight of each feature that has one."""

    def __init__(self, keys: Keys, weights: Floats) -> None:
        self.keys, self.weights = keys, weights
        self._starts = np.searchsorted(keys >> _SHIFT, np.arange(2**_BUCKET_BITS + 1)).astype(np.int32)
        self._longest = int(np.diff(self._starts).max(initial=0))

    def __len__(self) -> int:
        return len(self.keys)

    def of(self, keys: Keys) -> NDArray[np.float64]:
        """The weight of each of these features, 0 for those that have none.

        Keys with the same first bits are few, and are looked at one after the other: much faster than a binary search,
        whose every step waits for the memory.
        """
        place = self._starts[keys >> _SHIFT]
        weights = np.zeros(len(keys))
        if not len(self.keys):
            return weights
        last = len(self.keys) - 1
        for _ in range(self._longest):
            at = np.minimum(place, last)
            np.copyto(weights, self.weights[at], where=self.keys[at] == keys)
            place = place + 1
        return weights

    def changed(self, keys: Keys, weights: NDArray[np.float64]) -> KeyWeights:
        """With other weights for some features."""
        together = dict(zip(self.keys.tolist(), self.weights.tolist(), strict=True))
        together.update(zip(keys.tolist(), weights.tolist(), strict=True))
        return KeyWeights.of_pairs(np.array(list(together), np.uint32), np.array(list(together.values())))

    def pruned(self, least: float) -> KeyWeights:
        """Without small weights."""
        return KeyWeights.of_pairs(self.keys, self.weights, least)

    @staticmethod
    def mean(several: Sequence[KeyWeights]) -> KeyWeights:
        """The mean of several; a feature that one of them does not have weighs nothing there."""
        if not several:
            return KeyWeights.none()
        keys, place = np.unique(np.concatenate([it.keys for it in several]), return_inverse=True)
        return KeyWeights.of_pairs(
            keys, summed(place, np.concatenate([it.weights for it in several]), len(keys)) / len(several)
        )

    @staticmethod
    def none() -> KeyWeights:
        return KeyWeights(np.zeros(0, np.uint32), np.zeros(0, np.float32))

    @staticmethod
    def of_pairs(keys: Keys, weights: NDArray[Any], least: float = 0.0) -> KeyWeights:
        """Weights that are not nearly nothing."""
        kept = np.abs(weights) > least
        order = np.argsort(keys[kept], kind="stable")
        return KeyWeights(keys[kept][order], weights[kept][order].astype(np.float32))


def write_key_weights(path: Path, weights: KeyWeights) -> str:
    """Write weights; returns the hash of the file."""
    if not (np.abs(weights.weights) <= LARGEST).all():
        raise ChoraleError(f"{path}: the weights grew beyond {LARGEST:.0f}; learn with smaller steps")
    return write_arrays(path, {"keys": weights.keys, "weights": weights.weights.astype(np.float16)})


def read_key_weights(path: Path, wanted: str) -> KeyWeights:
    """Read weights, and make sure that they are those that were written, and fit to be used."""
    arrays = read_arrays(path, wanted, "the weights of a ranker by keys")
    check_kinds(path, arrays, {"keys": (np.uint32, 1), "weights": (np.float16, 1)})
    check_largest(path, {"weights": arrays["weights"]}, LARGEST)
    keys, weights = arrays["keys"], arrays["weights"]
    if len(keys) != len(weights):
        raise ChoraleError(f"{path}: damaged: {len(keys)} keys, but {len(weights)} weights")
    if not (keys[1:] > keys[:-1]).all():
        raise ChoraleError(f"{path}: damaged: its keys are not in order, or one occurs twice")
    return KeyWeights(keys, weights.astype(np.float32))
