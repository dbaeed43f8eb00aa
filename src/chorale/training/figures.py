"""Figures that an epoch gathers step by step: means, each over as many things as were counted."""

from __future__ import annotations

from torch import Tensor


class Figures:
    """Named means, in the order of their first value."""

    def __init__(self) -> None:
        self._sums: dict[str, tuple[float, int]] = {}

    def add(self, name: str, values: Tensor) -> None:
        """Count some values in; none at all leave the mean as it is."""
        total, count = self._sums.get(name, (0.0, 0))
        self._sums[name] = total + float(values.double().sum()), count + values.numel()

    def take(self) -> dict[str, float]:
        """The means so far, None at all for what was never counted; begins anew."""
        means = {name: total / count for name, (total, count) in self._sums.items() if count}
        self._sums.clear()
        return means
