"""Evidence: how well a meaning fits the labels.

Labels are sometimes wrong. Each is taken to be wrong with a small probability p, so a program that agrees with a of n
labels has log-likelihood a log(1-p) + (n-a) log p, and a right program survives a wrong label. Programs that contradict
more than one label in four of an utterance are not candidates for it; in strict mode, those that contradict any.
"""

from __future__ import annotations

from itertools import accumulate, chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.domain import Grounding
from chorale.search.groups import Group


class LabelEvidence:
    """The labels of a group of utterances that say the same; `noise` says how likely each of them is wrong."""

    def __init__(self, grounding: Grounding, group: Group, noise: float, strict: bool) -> None:
        labels = [grounding.utterances[member].answers for member in group]
        self.labels, self._compared = list(chain.from_iterable(labels)), grounding.compared
        self.spans = [(end - len(own), end) for own, end in zip(labels, accumulate(map(len, labels)), strict=True)]
        self.known = np.array([label is not None for label in self.labels], dtype=bool)
        self.allowed = [0 if strict else (int(self.known[start:end].sum()) + 1) // 4 for start, end in self.spans]
        wrong = np.full(len(self.labels), noise)
        self._least = float(np.log(wrong[self.known]).sum())
        self._gain = np.where(self.known, np.log1p(-wrong) - np.log(wrong), 0.0)

    def agrees(self, values: Any) -> NDArray[np.bool_]:
        """Which labels root entries agree with, (entry, label); a label that is not known agrees with everything.

        A value has an answer per context, and the labelled contexts come first.
        """
        count = len(self.labels)
        if self._compared.is_equality and isinstance(values, np.ndarray):  # all at once
            default = next((label for label in self.labels if label is not None), False)
            own = values[:, :count] == np.array([default if label is None else label for label in self.labels])
        else:
            rows = values[:, :count].tolist() if isinstance(values, np.ndarray) else values
            pairs = [pair for row in rows for pair in zip(row, self.labels, strict=False)]
            own = np.array([label is None or self._compared.agrees(said, label) for said, label in pairs], dtype=bool)
            own = own.reshape(-1, count)
        agreed: NDArray[np.bool_] = own | ~self.known
        return agreed

    def log_likelihood(self, agrees: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Of all labels that are known, (entry,)."""
        fits: NDArray[np.float64] = np.asarray(agrees @ self._gain + self._least, dtype=np.float64)
        return fits

    def wrongs(self, agrees: NDArray[np.bool_]) -> NDArray[np.int64]:
        """How many labels of each utterance are contradicted, (entry, utterance)."""
        return np.stack([(~agrees[:, start:end]).sum(axis=1) for start, end in self.spans], axis=1)

    def acceptable(self, values: Any) -> NDArray[np.bool_]:
        """Entries that are candidates for at least one of the utterances."""
        accepted: NDArray[np.bool_] = np.any(self.wrongs(self.agrees(values)) <= np.array(self.allowed), axis=1)
        return accepted
