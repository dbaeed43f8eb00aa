"""A small network that judges the best readings once more, in plain numpy; training it takes torch (`stages.rescore`).

With figures f, parts with labels l and words x of the utterance (`best`),

    said = the largest of relu(filter . (x_i-1, x_i, x_i+1)) over all places i
    z    = out . relu(hidden . (normed f, sum of the embeddings of l, said)) + scale * log p

and the probability that the ranker gave to all of these readings together is shared out anew in proportion to exp(z).
Several networks, trained alike from other beginnings, are averaged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from chorale.domain.templates import Keys
from chorale.errors import ChoraleError
from chorale.plumbing.arrays import check_kinds, check_largest, read_arrays, write_arrays
from chorale.ranker.best import Best

Array = NDArray[np.float32]
Floats = NDArray[np.float64]
Network = Mapping[str, Array]
"""The weights of one network, by `NAMES`."""

NAMES = ("word", "label", "mean", "spread", "filter", "filter_bias", "hidden", "hidden_bias", "out", "scale")
_AXES = {"word": 2, "label": 2, "filter": 2, "hidden": 2}  # the others have one
UNKNOWN, FIRST = 1, 2
"""The row of words and labels that training had too seldom, and of the first that it had; row 0 is of none."""
WIDTH = 3
"""Words that a filter sees at once."""
MOST_WORDS = 40
"""Words of an utterance that are looked at."""
LARGEST = 1e4
"""The largest weight that a file may hold."""


class Rescorer:
    """Networks that judge the best readings of an utterance, up to a number of them."""

    def __init__(self, words: Keys, labels: Keys, networks: Sequence[Network], most: int) -> None:
        self.words, self.labels, self.networks, self.most = words, labels, networks, most

    def judged(self, best: Best) -> Floats:
        """The log-probabilities of readings after a second look, (program,)."""
        words, labels = numbers_of(best.words[:MOST_WORDS], self.words), numbers_of(best.labels, self.labels)
        shares = np.mean([_softmax(_scores(it, words, labels, best)) for it in self.networks], axis=0)
        return shared_anew(best, shares)


def shared_anew(best: Best, shares: Floats) -> Floats:
    """The log-probabilities of readings that share out what they had together."""
    together = float(np.exp(best.log_probabilities).sum())
    shared: Floats = np.log(np.maximum(shares * together, 1e-300))
    return shared


def numbers_of(keys: Keys, known: Keys) -> NDArray[np.intp]:
    """The row of each key in a table of embeddings."""
    if not len(known):
        return np.where(keys == 0, 0, UNKNOWN)
    place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return np.where(keys == 0, 0, np.where(known[place] == keys, place + FIRST, UNKNOWN))


def _scores(network: Network, words: NDArray[np.intp], labels: NDArray[np.intp], best: Best) -> Floats:
    figures = (best.figures - network["mean"]) / network["spread"]  # (program, figure)
    parts = network["label"][labels].sum(axis=1)  # (program, size)
    said = np.broadcast_to(_said(network, words), (len(best), len(network["filter_bias"])))
    inside = np.maximum(np.concatenate([figures, parts, said], axis=1) @ network["hidden"] + network["hidden_bias"], 0)
    scores: Floats = (inside @ network["out"] + network["scale"] * best.log_probabilities).astype(np.float64)
    return scores


def _said(network: Network, words: NDArray[np.intp]) -> Array:
    """What the utterance says, (filter,)."""
    if not len(words):
        return np.zeros_like(network["filter_bias"])
    around = np.pad(network["word"][words], ((WIDTH // 2, WIDTH // 2), (0, 0)))
    windows = np.concatenate([around[start : start + len(words)] for start in range(WIDTH)], axis=1)
    pooled: Array = np.maximum(windows @ network["filter"] + network["filter_bias"], 0).max(axis=0)
    return pooled


def _softmax(scores: Floats) -> Floats:
    shares = np.exp(scores - scores.max())
    return np.asarray(shares / shares.sum(), np.float64)


# -- files -------------------------------------------------------------------------------------------------------------


def write_rescorer(path: Path, rescorer: Rescorer) -> str:
    """Write it; returns the hash of the file."""
    weights = {
        f"{place} {name}": np.ascontiguousarray(network[name], np.float16)
        for place, network in enumerate(rescorer.networks)
        for name in NAMES
    }
    return write_arrays(path, {"words": rescorer.words, "labels": rescorer.labels, **weights})


def read_rescorer(path: Path, wanted: str, most: int, figures: int) -> Rescorer:
    """Read it, and make sure that it is what was written, and fits programs with this number of figures."""
    arrays = read_arrays(path, wanted, "the weights of a rescorer")
    count = max(1, len(arrays) // len(NAMES))
    axes = {f"{place} {name}": (np.float16, _AXES.get(name, 1)) for place in range(count) for name in NAMES}
    check_kinds(path, arrays, {"words": (np.uint32, 1), "labels": (np.uint32, 1), **axes})
    words, labels = arrays.pop("words"), arrays.pop("labels")
    if not all((keys[1:] > keys[:-1]).all() for keys in (words, labels)):
        raise ChoraleError(f"{path}: damaged: its words or labels are not keys in order")
    check_largest(path, arrays, LARGEST)
    networks = [{name: arrays[f"{place} {name}"].astype(np.float32) for name in NAMES} for place in range(count)]
    for network in networks:
        _check(path, network, len(words) + FIRST, len(labels) + FIRST, figures)
    return Rescorer(words, labels, networks, most)


def _check(path: Path, network: Network, words: int, labels: int, figures: int) -> None:
    if not (network["spread"] > 0).all():
        raise ChoraleError(f"{path}: damaged: figures cannot be spread over nothing")
    size, filters, hidden = network["word"].shape[-1], len(network["filter_bias"]), len(network["hidden_bias"])
    shapes = {
        "word": (words, size), "label": (labels, size), "mean": (figures,), "spread": (figures,),
        "filter": (WIDTH * size, filters), "filter_bias": (filters,), "hidden": (figures + size + filters, hidden),
        "hidden_bias": (hidden,), "out": (hidden,), "scale": (1,),
    }  # fmt: skip
    for name, shape in shapes.items():
        if network[name].shape != shape:
            raise ChoraleError(f"{path}: damaged: {name} has the shape {network[name].shape}, expected {shape}")
