"""The ranker's weights as a file: safetensors with the weights and, as bytes, a line for each feature."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from chorale.errors import ChoraleError
from chorale.plumbing.files import checked, sha256, write
from chorale.ranker.features import Feature

_BETWEEN = "\t"  # the texts of a feature, none of which holds one


def write_weights(path: Path, weights: Mapping[Feature, float], least: float = 0.0) -> str:
    """Write weights that are not nearly nothing, sorted by feature; returns the hash of the file."""
    kept = sorted((_BETWEEN.join(feature), weight) for feature, weight in weights.items() if abs(weight) > least)
    lines = "\n".join(line for line, _ in kept).encode()
    tensors: dict[str, NDArray[Any]] = {
        "features": np.frombuffer(lines, dtype=np.uint8),
        "weights": np.array([weight for _, weight in kept], dtype=np.float32),
    }
    content = save(tensors)
    write(path, content)
    return sha256(content)


def read_weights(path: Path, wanted: str) -> dict[Feature, float]:
    """Read weights, and make sure that they are those that were written."""
    try:
        tensors = load(checked(path, wanted))
        text = tensors["features"].tobytes().decode()
        weights = tensors["weights"]
    except (SafetensorError, KeyError, UnicodeDecodeError) as error:
        raise ChoraleError(f"{path}: not the weights of a ranker: {error}") from None
    lines = text.split("\n") if text else []
    if weights.ndim != 1 or len(lines) != len(weights):
        raise ChoraleError(f"{path}: damaged: {len(lines)} features, but {weights.size} weights")
    if not np.isfinite(weights).all():
        raise ChoraleError(f"{path}: the weights are damaged: they hold numbers that are not finite")
    return {tuple(line.split(_BETWEEN)): weight for line, weight in zip(lines, weights.tolist(), strict=True)}
