"""Weights by key: a dictionary is the slow twin; files come back as they were, and damaged ones are refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from safetensors.numpy import save

from chorale.errors import ChoraleError
from chorale.plumbing.files import sha256
from chorale.ranker.weights import LARGEST, KeyWeights, read_key_weights, summed, write_key_weights

KEYS = st.integers(0, 2**32 - 1) | st.builds(
    lambda start, end: start << 12 | end, st.sampled_from([0, 7, 2**20 - 1]), st.integers(0, 4095)
)
"""Keys, of which many have the same first bits."""
HALVES = st.floats(-100, 100, width=16).filter(bool)
KNOWN = st.dictionaries(KEYS, HALVES, max_size=60)


def keys_of(numbers: Any) -> NDArray[np.uint32]:
    return np.array(list(numbers), np.uint32)


def weights_of(known: dict[int, float]) -> KeyWeights:
    return KeyWeights.of_pairs(keys_of(known), np.array(list(known.values()), np.float64))


def pairs(weights: KeyWeights) -> dict[int, float]:
    return dict(zip(weights.keys.tolist(), weights.weights.tolist(), strict=True))


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("weights") / "weights.safetensors"


# -- looking up --------------------------------------------------------------------------------------------------------


@given(KNOWN, st.lists(KEYS))
def test_a_weight_is_found_by_its_key_as_in_a_dictionary(known: dict[int, float], others: list[int]) -> None:
    asked = [*known, *others, *known]
    weights = weights_of(known)
    assert len(weights) == len(known)
    assert weights.of(keys_of(asked)).tolist() == [known.get(key, 0.0) for key in asked]


def test_without_weights_every_feature_has_none() -> None:
    assert KeyWeights.none().of(keys_of([0, 5, 2**32 - 1])).tolist() == [0, 0, 0]
    assert KeyWeights.none().of(keys_of([])).tolist() == []


def test_keys_that_differ_in_the_last_bits_alone_are_told_apart() -> None:
    known = {7 << 12 | end: float(1 + end % 9) for end in range(4096)}
    assert weights_of(known).of(keys_of(known)).tolist() == list(known.values())
    assert weights_of(known).of(keys_of([8 << 12, 6 << 12 | 4095])).tolist() == [0, 0]


@settings(max_examples=30)
@given(KNOWN, KNOWN)
def test_changed_weights_take_the_place_of_those_before(known: dict[int, float], others: dict[int, float]) -> None:
    changed = weights_of(known).changed(keys_of(others), np.array(list(others.values())))
    assert pairs(changed) == {**known, **others}
    assert (np.diff(changed.keys.astype(np.int64)) > 0).all()


@settings(max_examples=30)
@given(KNOWN, st.floats(0, 50))
def test_small_weights_are_pruned(known: dict[int, float], least: float) -> None:
    assert pairs(weights_of(known).pruned(least)) == {
        key: weight for key, weight in known.items() if abs(weight) > least
    }


@given(st.lists(st.tuples(st.integers(0, 5), st.floats(-10, 10))))
def test_sums_are_those_of_a_loop(uses: list[tuple[int, float]]) -> None:
    expected = [0.0] * 7
    for place, weight in uses:
        expected[place] += weight
    places = np.array([place for place, _ in uses], np.uint16)
    assert summed(places, np.array([weight for _, weight in uses]), 7).tolist() == pytest.approx(expected)


# -- files -------------------------------------------------------------------------------------------------------------


@settings(max_examples=20)
@given(KNOWN)
def test_what_is_written_is_read_again_whatever_its_order(path: Path, known: dict[int, float]) -> None:
    written = write_key_weights(path, weights_of(known))
    assert pairs(read_key_weights(path, written)) == known
    content = path.read_bytes()
    assert write_key_weights(path, weights_of(dict(reversed(known.items())))) == written == sha256(content)
    assert path.read_bytes() == content


def test_weights_are_kept_in_sixteen_bits(path: Path) -> None:
    read = read_key_weights(path, write_key_weights(path, weights_of({1: 0.1, 2: LARGEST})))
    assert pairs(read) == {1: float(np.float16(0.1)), 2: LARGEST}


@pytest.mark.parametrize("weight", [float("nan"), float("inf"), LARGEST + 1])
def test_weights_that_could_not_be_read_again_are_not_written(path: Path, weight: float) -> None:
    with pytest.raises(ChoraleError, match="learn with smaller steps"):
        write_key_weights(path, KeyWeights(keys_of([1]), np.array([weight], np.float32)))


def test_a_file_that_is_missing_or_changed_is_refused(path: Path) -> None:
    written = write_key_weights(path, weights_of({1: 1.0, 2: 2.0}))
    with pytest.raises(ChoraleError, match="missing"):
        read_key_weights(path.with_name("nowhere"), written)
    whole = path.read_bytes()
    for content in (whole[:-1], whole[:-1] + b"\1", whole + b"\0", b""):
        path.write_bytes(content)
        with pytest.raises(ChoraleError, match="damaged or changed"):
            read_key_weights(path, written)


def tensors(keys: Any, weights: Any) -> bytes:
    return save({"keys": np.asarray(keys), "weights": np.asarray(weights)})


def good(keys: list[int], weights: list[float]) -> bytes:
    return tensors(np.array(keys, np.uint32), np.array(weights, np.float16))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not the weights of a ranker"),
        (b"\xff" * 100, "not the weights of a ranker"),
        (good([1, 2], [1, 2])[:-1], "not the weights of a ranker"),
        (save({"weights": np.zeros(1, np.float16)}), "'keys' is missing"),
        (save({"keys": np.zeros(1, np.uint32)}), "'weights' is missing"),
        (tensors(np.array([1], np.int64), np.ones(1, np.float16)), "expected uint32"),
        (tensors(np.array([1], np.uint32), np.ones(1, np.float32)), "expected float16"),
        (tensors(np.array([1], np.uint32), np.ones(1, bool)), "expected float16"),
        (tensors(np.array([1], np.uint32), np.ones(2, np.float16)), "1 keys, but 2 weights"),
        (tensors(np.ones((1, 1), np.uint32), np.ones((1, 1), np.float16)), "with 2 axes"),
        (good([2, 1], [1, 1]), "not in order"),
        (good([2**31, 1], [1, 1]), "not in order"),
        (good([1, 1], [1, 2]), "or one occurs twice"),
        (good([1, 2], [1, float("nan")]), "not finite"),
        (good([1, 2], [1, float("-inf")]), "not finite"),
        (good([1, 2], [1, 2000]), "larger than 1000"),
    ],
)
def test_what_is_no_file_of_weights_is_refused_though_its_hash_is_right(
    path: Path, content: bytes, message: str
) -> None:
    path.write_bytes(content)
    with pytest.raises(ChoraleError, match=message):
        read_key_weights(path, sha256(content))
