"""Weights on disk: they come back as they were, and damaged files are refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from safetensors.numpy import save

from chorale.errors import ChoraleError
from chorale.plumbing.files import sha256
from chorale.ranker.features import Feature
from chorale.ranker.files import read_weights, write_weights

TEMPLATES = ["says", "before-two"]
TEXT = st.text(st.characters(exclude_characters="\t\n", exclude_categories=["Cs"]))
KNOWN = st.dictionaries(
    st.tuples(st.sampled_from(["says", "before-two"])) | st.tuples(st.just("says"), TEXT, TEXT),
    st.floats(-100, 100, width=32).filter(bool),
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("weights") / "weights.safetensors"


@given(weights=KNOWN)
def test_what_is_written_is_read_again_whatever_its_order(path: Path, weights: dict[Feature, float]) -> None:
    written = write_weights(path, weights)
    assert read_weights(path, written, TEMPLATES) == weights
    content = path.read_bytes()
    assert write_weights(path, dict(reversed(weights.items()))) == written == sha256(content)
    assert path.read_bytes() == content


@given(weights=KNOWN, least=st.floats(0, 50))
def test_small_weights_are_not_kept(path: Path, weights: dict[Feature, float], least: float) -> None:
    kept = read_weights(path, write_weights(path, weights, least), TEMPLATES)
    assert kept == {feature: weight for feature, weight in weights.items() if abs(weight) > least}


def test_a_file_that_is_missing_or_changed_is_refused(path: Path) -> None:
    written = write_weights(path, {("says", "over", "above"): 1.0})
    with pytest.raises(ChoraleError, match="missing"):
        read_weights(path.with_name("nowhere"), written, TEMPLATES)
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(ChoraleError, match="damaged or changed"):
        read_weights(path, written, TEMPLATES)


def tensors(features: bytes, weights: Any) -> bytes:
    values = weights if isinstance(weights, np.ndarray) else np.array(weights, np.float32)
    named: dict[str, NDArray[Any]] = {"features": np.frombuffer(features, np.uint8), "weights": values}
    return save(named)


def twice(content: bytes, name: str) -> bytes:
    """The same with an array that the header names twice."""
    length = int.from_bytes(content[:8], "little")
    header, body = content[8 : 8 + length].decode().rstrip(), content[8 + length :]
    again = f'{header[:-1]},"{name}":{json.dumps(json.loads(header)[name])}}}'.encode()
    return len(again).to_bytes(8, "little") + again + body


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not the weights of a ranker"),
        (b"\xff" * 100, "not the weights of a ranker"),
        (save({"weights": np.zeros(1)}), "'features' is missing"),
        (tensors(b"says\t\xff", [1.0]), "not UTF-8"),
        (tensors(b"says\ta\nsays\tb", [1.0]), "2 features, but 1 weights"),
        (tensors(b"", [1.0]), "0 features, but 1 weights"),
        (tensors(b"says", []), "1 features, but 0 weights"),
        (tensors(b"says", [[1.0]]), "damaged"),
        (tensors(b"says", [float("nan")]), "not finite"),
        (tensors(b"says", [float("inf")]), "not finite"),
        (tensors(b"says", [1e30]), "larger than 1000"),
        (tensors(b"says", np.array([1e308])), "expected float32"),
        *((tensors(b"says", np.ones(1, kind)), "expected float32") for kind in (bool, np.int32, np.complex64)),
        (save({"features": np.ones((1, 1), np.uint8), "weights": np.ones(1, np.float32)}), "expected uint8 with 1"),
        (save({"features": np.ones(1, np.uint8), "weights": np.ones(1, np.float32), "x": np.ones(1)}), "'x' is float"),
        (tensors(b"says\ta\nsays\ta", [1.0, 2.0]), "occurs twice"),
        (tensors(b"says\tb\nsays\ta", [1.0, 2.0]), "not in order"),
        (tensors(b"\nsays", [1.0, 2.0]), "features of ''"),
        (tensors(b"thinks\ta", [1.0]), "features of 'thinks'"),
        (twice(tensors(b"says", [1.0]), "weights"), "'weights' occurs twice"),
    ],
)
def test_what_is_no_file_of_weights_is_refused_though_its_hash_is_right(
    path: Path, content: bytes, message: str
) -> None:
    path.write_bytes(content)
    with pytest.raises(ChoraleError, match=message):
        read_weights(path, sha256(content), TEMPLATES)
