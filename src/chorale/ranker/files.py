"""The ranker's weights as a file: safetensors with the weights and, as bytes, a line for each feature."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import pairwise
from pathlib import Path

import numpy as np

from chorale.errors import ChoraleError
from chorale.plumbing.arrays import check_kinds, check_largest, read_arrays, write_arrays
from chorale.ranker.features import Feature
from chorale.ranker.weights import LARGEST

_BETWEEN = "\t"  # the texts of a feature, none of which holds one


def write_weights(path: Path, weights: Mapping[Feature, float], least: float = 0.0) -> str:
    """Write weights that are not nearly nothing, sorted by feature; returns the hash of the file."""
    kept = sorted((_BETWEEN.join(feature), weight) for feature, weight in weights.items() if abs(weight) > least)
    lines = "\n".join(line for line, _ in kept).encode()
    values = np.array([weight for _, weight in kept], dtype=np.float32)
    check_largest(path, {"weights": values}, LARGEST)
    return write_arrays(path, {"features": np.frombuffer(lines, dtype=np.uint8), "weights": values})


def read_weights(path: Path, wanted: str, templates: Collection[str]) -> dict[Feature, float]:
    """Read weights, and make sure that they are those that were written, of features of these templates."""
    arrays = read_arrays(path, wanted, "the weights of a ranker")
    check_kinds(path, arrays, {"features": (np.uint8, 1), "weights": (np.float32, 1)})
    check_largest(path, {"weights": arrays["weights"]}, LARGEST)
    weights = arrays["weights"].tolist()
    try:
        text = arrays["features"].tobytes().decode()
    except UnicodeDecodeError as error:
        raise ChoraleError(f"{path}: damaged: its features are not UTF-8: {error.reason}") from None
    lines = text.split("\n") if text else []
    if len(lines) != len(weights):
        raise ChoraleError(f"{path}: damaged: {len(lines)} features, but {len(weights)} weights")
    if not all(one < other for one, other in pairwise(lines)):
        raise ChoraleError(f"{path}: damaged: its features are not in order, or one occurs twice")
    features = [tuple(line.split(_BETWEEN)) for line in lines]
    if strange := {feature[0] for feature in features} - set(templates):
        raise ChoraleError(f"{path}: damaged: features of {min(strange)!r:.60}, which is none of the model's templates")
    return dict(zip(features, weights, strict=True))
