"""Is one system better than another, or is it luck?

Over *utterances*: the bootstrap. Utterances are drawn again and again with replacement, the same ones for both systems,
and the difference of their means is looked at.

Over *seeds*: almost stochastic order (del Barrio et al. 2018, Dror et al. 2019). With the quantile functions of the
scores of A and B, A is stochastically better if its quantiles are nowhere below those of B. How far it is from that is
the violation ratio

    eps(A, B) = int_{t: qA(t) < qB(t)} (qA - qB)^2 dt  /  int_0^1 (qA - qB)^2 dt

which is 0 if A is better throughout and 1 if B is. The scores are a sample, so an upper bound at level alpha is given,

    eps_min = eps - sqrt((n + m) / (n m)) * sigma * Phi^-1(alpha)

where sigma^2 is the variance of sqrt(n m / (n + m)) (eps* - eps) over bootstrap samples. A is almost stochastically
better than B if eps_min is below 0.5; the nearer to 0, the surer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from chorale.errors import ChoraleError

Scores = Sequence[float] | NDArray[np.float64]
BETTER = 0.5
"""A violation ratio below this means: better more than not."""


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """The difference of two systems on the same utterances, B minus A."""

    difference: float
    error: float
    """Standard error of the difference."""
    low: float
    high: float
    """The interval that holds 95 % of the samples."""
    p: float
    """How likely a difference of this size or more would be if there were none, in either direction."""


def mean_and_deviation(scores: Scores) -> tuple[float, float]:
    """The mean and the sample standard deviation, which is 0 for a single score.

    >>> mean_and_deviation([1.0, 3.0])
    (2.0, 1.4142135623730951)
    """
    values = np.asarray(scores, dtype=np.float64)
    if not len(values):
        raise ChoraleError("there are no scores to average")
    return float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else 0.0


def bootstrap(
    ours: NDArray[np.float64],
    theirs: NDArray[np.float64],
    *,
    weights: NDArray[np.float64] | None = None,
    samples: int = 10_000,
    seed: int = 0,
) -> Bootstrap:
    """Resample utterances: `ours` and `theirs` are (utterance,) means, `weights` how much each utterance counts."""
    if len(ours) != len(theirs):
        raise ChoraleError(f"{len(ours)} utterances on one side and {len(theirs)} on the other; they must be the same")
    count = np.ones(len(ours)) if weights is None else weights
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(len(ours), np.full(len(ours), 1 / len(ours)), size=samples)  # (sample, utterance)
    total = drawn @ count
    differences = (drawn @ (count * (theirs - ours))) / total
    difference = float((count * (theirs - ours)).sum() / count.sum())
    low, high = np.quantile(differences, [0.025, 0.975])
    # Under no difference the samples would lie around 0 as they now lie around the difference.
    beyond = int((np.abs(differences - difference) >= abs(difference) - 1e-12).sum())
    return Bootstrap(difference, float(differences.std()), float(low), float(high), (beyond + 1) / (samples + 1))


def violation_ratio(ours: Scores, theirs: Scores) -> float:
    """How far `ours` is from being stochastically better: 0 if it is throughout, 1 if `theirs` is, 0.5 if equal.

    >>> violation_ratio([1.0, 3.0], [2.0, 2.0])
    0.5
    >>> violation_ratio([1.0, 4.0], [2.0, 2.0])
    0.2
    """
    left, right = (np.sort(np.asarray(scores, dtype=np.float64)) for scores in (ours, theirs))
    if not len(left) or not len(right):
        raise ChoraleError("both sides need at least one score")
    return float(_violations(left[None], right[None])[0])


def almost_stochastic_order(
    ours: Scores, theirs: Scores, *, alpha: float = 0.05, samples: int = 1000, seed: int = 0
) -> float:
    """The upper bound eps_min at level `alpha`; below 0.5 means that `ours` is almost stochastically better."""
    left, right = (np.sort(np.asarray(scores, dtype=np.float64)) for scores in (ours, theirs))
    ratio = violation_ratio(left, right)
    n, m = len(left), len(right)
    rng = np.random.default_rng(seed)
    again = _violations(
        np.sort(left[rng.integers(n, size=(samples, n))], axis=1),
        np.sort(right[rng.integers(m, size=(samples, m))], axis=1),
    )
    scale = np.sqrt(n * m / (n + m))
    sigma = float(np.std(scale * (again - ratio)))
    bound = ratio - sigma / scale * NormalDist().inv_cdf(alpha)
    return float(min(max(bound, 0.0), 1.0))


def _violations(left: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    """Violation ratios of rows of sorted scores, exactly: quantile functions are steps, constant between the ends."""
    n, m = left.shape[1], right.shape[1]
    # Steps end at i/n and j/m; in units of 1/(n m) all ends are whole numbers.
    ends = np.union1d(np.arange(1, n + 1) * m, np.arange(1, m + 1) * n)
    widths = np.diff(ends, prepend=0) / (n * m)
    gaps = left[:, (ends - 1) // m] - right[:, (ends - 1) // n]  # (row, step)
    squares = widths * gaps**2
    total = squares.sum(axis=1)
    below = np.where(gaps < 0, squares, 0.0).sum(axis=1)
    ratios: NDArray[np.float64] = np.where(total > 0, below / np.where(total > 0, total, 1.0), 0.5)
    return ratios
