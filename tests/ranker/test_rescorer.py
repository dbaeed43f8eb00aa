"""Networks that judge the best readings once more: in plain numpy what torch says, and files that are checked."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load, save

from chorale.errors import ChoraleError
from chorale.plumbing.files import sha256
from chorale.ranker.best import Best, figures_of
from chorale.ranker.rescorer import FIRST, MOST_WORDS, Rescorer, numbers_of, read_rescorer, write_rescorer
from chorale.training.objectives.rescore import RescoringNetwork
from chorale.training.stages.rescore import Rescore

TEMPLATES = 2
STAGE = Rescore(size=3, filters=4, hidden=5, readings=6)
WORDS, LABELS = (np.array(keys, np.uint32) for keys in ([5, 9, 2**31], [4, 6, 8, 2**32 - 1]))


def best(programs: int, parts: int, words: int, seed: int = 0) -> Best:
    rng = np.random.default_rng(seed)
    figures = rng.normal(size=(programs, figures_of(TEMPLATES))).astype(np.float32)
    figures[:, 0] = np.log(np.full(programs, 0.8 / programs))
    return Best(
        np.arange(programs),
        figures,
        rng.choice(np.array([0, 1, *LABELS], np.uint32), (programs, parts)),
        rng.choice(np.array([1, 2, *WORDS], np.uint32), words),
        np.arange(programs),
    )


def network(seed: int = 0) -> RescoringNetwork:
    torch.manual_seed(seed)
    figures = np.random.default_rng(seed).normal(size=(20, figures_of(TEMPLATES))).astype(np.float32)
    return RescoringNetwork(STAGE, len(WORDS), len(LABELS), figures).eval()


@settings(max_examples=30)
@given(st.integers(1, 6), st.integers(1, 4), st.integers(1, MOST_WORDS + 3), st.integers(0, 99))
def test_numpy_says_what_torch_says(programs: int, parts: int, words: int, seed: int) -> None:
    own, asked = network(seed), best(programs, parts, words, seed)
    with torch.no_grad():
        scores = own(
            torch.from_numpy(numbers_of(asked.words[:MOST_WORDS], WORDS))[None],
            torch.from_numpy(numbers_of(asked.labels, LABELS))[None],
            torch.from_numpy(asked.figures)[None],
        )[0]
    expected = 0.8 * scores.softmax(dim=-1).numpy()
    found = Rescorer(WORDS, LABELS, [own.plain()], 6).judged(asked)
    assert np.exp(found) == pytest.approx(expected, abs=1e-5)


def test_readings_share_out_anew_what_they_had_together() -> None:
    found = np.exp(Rescorer(WORDS, LABELS, [network(0).plain(), network(1).plain()], 6).judged(best(5, 2, 3)))
    assert found.sum() == pytest.approx(0.8)


def test_several_networks_are_averaged() -> None:
    asked, one, other = best(4, 2, 3), network(0).plain(), network(1).plain()
    each = [np.exp(Rescorer(WORDS, LABELS, [it], 6).judged(asked)) for it in (one, other)]
    both = np.exp(Rescorer(WORDS, LABELS, [one, other], 6).judged(asked))
    assert both == pytest.approx((each[0] + each[1]) / 2)


def test_an_utterance_without_words_is_judged_too() -> None:
    assert np.isfinite(Rescorer(WORDS, LABELS, [network().plain()], 6).judged(best(3, 2, 0))).all()


@given(st.lists(st.integers(0, 12), max_size=6), st.sets(st.integers(1, 12), max_size=5))
def test_keys_have_the_row_of_their_place_and_others_that_of_the_unknown(keys: list[int], known: set[int]) -> None:
    ordered = sorted(known)
    expected = [0 if it == 0 else FIRST + ordered.index(it) if it in known else 1 for it in keys]
    assert numbers_of(np.array(keys, np.uint32), np.array(ordered, np.uint32)).tolist() == expected


# -- files -------------------------------------------------------------------------------------------------------------


def written(path: Path) -> str:
    return write_rescorer(path, Rescorer(WORDS, LABELS, [network(0).plain(), network(1).plain()], 6))


def test_what_is_written_judges_alike_when_it_is_read(tmp_path: Path) -> None:
    path, asked = tmp_path / "it.safetensors", best(4, 2, 3)
    found = read_rescorer(path, written(path), 6, figures_of(TEMPLATES))
    expected = Rescorer(WORDS, LABELS, [network(0).plain(), network(1).plain()], 6).judged(asked)
    assert found.most == 6
    assert found.judged(asked) == pytest.approx(expected, abs=1e-2)  # half as many bits


def _no_network(tensors: dict[str, np.ndarray]) -> None:
    for name in [name for name in tensors if name[0].isdigit()]:
        del tensors[name]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda it: it.update(words=it["words"][::-1].copy()), "keys in order"),
        (lambda it: it.update(labels=it["labels"].astype(np.int64)), "'labels' is int64"),
        (lambda it: it.update(words=it["words"][:2]), "word has the shape"),
        (lambda it: it.pop("labels"), "'labels' is missing"),
        (lambda it: it.pop("1 out"), "'1 out' is missing"),
        (_no_network, "'0 word' is missing"),
        (lambda it: it.update({"0 word": np.zeros((), np.float16)}), "with 0 axes"),
        (lambda it: it.update({"0 out": it["0 out"].astype(bool)}), "'0 out' is bool"),
        (lambda it: it.update(more=it["words"]), "nothing of this name"),
        (lambda it: it["0 hidden"].fill(np.nan), "not finite"),
        (lambda it: it["0 hidden"].fill(3e4), "larger than 10000"),
        (lambda it: it["0 spread"].fill(0), "spread over nothing"),
        (lambda it: it.update({"0 filter": it["0 filter"][:1]}), "filter has the shape"),
    ],
)
def test_files_that_no_training_writes_are_refused(tmp_path: Path, change: object, message: str) -> None:
    path = tmp_path / "it.safetensors"
    written(path)
    tensors = {name: tensor.copy() for name, tensor in load(path.read_bytes()).items()}
    change(tensors)  # type: ignore[operator]
    path.write_bytes(save(tensors))
    with pytest.raises(ChoraleError, match=message):
        read_rescorer(path, sha256(path.read_bytes()), 6, figures_of(TEMPLATES))


def test_a_file_for_other_figures_or_none_at_all_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "it.safetensors"
    wanted = written(path)
    with pytest.raises(ChoraleError, match="mean has the shape"):
        read_rescorer(path, wanted, 6, figures_of(TEMPLATES + 1))
    path.write_bytes(b"nothing")
    with pytest.raises(ChoraleError, match="not the weights of a rescorer"):
        read_rescorer(path, sha256(b"nothing"), 6, figures_of(TEMPLATES))
