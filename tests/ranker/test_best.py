"""The best readings of utterances, as a second judge sees them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.ranker.made_up import TEMPLATES, MadeUp, made_up

from chorale.domain.candidates import Posed
from chorale.errors import ChoraleError
from chorale.ranker.best import Best, Judged, best_of, figures_of, log_probabilities_of, read_judged, write_judged


def posed_of(one: MadeUp) -> Posed:
    """With labels and words."""
    posed, _ = one.posed()
    parts = np.arange(posed.parts)
    labels = np.where(parts, 100 + parts, 0)
    return replace(posed, labels=labels.astype(np.uint32), words=np.array([7, 8], np.uint32))


@given(made_up(), st.integers(1, 5), st.data())
def test_figures_are_what_walking_each_program_adds_up_to(one: MadeUp, most: int, data: st.DataObject) -> None:
    posed = posed_of(one)
    uses = len(posed.keys)
    weights = np.array(data.draw(st.lists(st.floats(-2, 2, width=16), min_size=uses, max_size=uses)), np.float64)
    logs = log_probabilities_of(posed, weights)
    best = best_of(posed, weights, logs, TEMPLATES, most)
    assert len(best) == min(most, len(posed))
    assert best.figures.shape == (len(best), figures_of(TEMPLATES))
    assert sorted(logs, reverse=True)[:most] == pytest.approx(best.log_probabilities.tolist(), abs=1e-5)
    mass = [sum(np.exp(log) for log, it in zip(logs, posed.answers, strict=True) if it == own) for own in best.answers]
    for row, figures, own in zip(best.rows.tolist(), best.figures.tolist(), mass, strict=True):
        parts = one.programs[row]
        walked = [it for part in parts for it in range(uses) if posed.part[it] == part]
        of_templates = [sum(weights[it] for it in walked if posed.template[it] == own) for own in range(TEMPLATES)]
        assert figures[0] == pytest.approx(logs[row], abs=1e-5)
        assert figures[1] == pytest.approx(one.priors[row], abs=1e-5)
        assert figures[2] == pytest.approx(np.log(own + 1e-9), abs=1e-4)
        assert figures[5:] == pytest.approx(of_templates, abs=1e-4)
        assert best.labels[best.rows.tolist().index(row)].tolist() == [posed.labels[it] for it in parts]


def judged(programs: int, parts: int, words: int, fold: int) -> Judged:
    rng = np.random.default_rng([programs, parts, words])
    best = Best(
        np.arange(programs),
        rng.normal(size=(programs, figures_of(TEMPLATES))).astype(np.float32),
        rng.integers(1, 2**32, (programs, parts), dtype=np.uint32),
        rng.integers(1, 2**32, words, dtype=np.uint32),
        rng.integers(0, 3, programs),
    )
    return Judged(best, rng.random(programs) < 0.5, fold)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path, some = tmp_path / "judged.safetensors", [judged(3, 2, 4, 0), judged(1, 5, 0, 3), judged(2, 1, 1, 1)]
    found = read_judged(path, write_judged(path, some))
    for one, other in zip(some, found, strict=True):
        count, parts = one.best.labels.shape
        assert one.best.figures.tolist() == other.best.figures.tolist()
        assert one.best.labels.tolist() == other.best.labels[:, :parts].tolist()
        assert not other.best.labels[:, parts:].any()
        assert one.best.words.tolist() == other.best.words.tolist()
        assert one.best.answers.tolist() == other.best.answers.tolist()
        assert (one.right.tolist(), one.fold, count) == (other.right.tolist(), other.fold, len(other.best))


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "judged.safetensors"
    wanted = write_judged(path, [judged(3, 2, 4, 0)])
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    with pytest.raises(ChoraleError, match="judged"):
        read_judged(path, wanted)
