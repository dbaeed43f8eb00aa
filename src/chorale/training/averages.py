"""A moving average of weights: steps scatter around a good place, and their mean is nearer to it than the last one.

m <- share * m + (1 - share) * w    after every step; m begins as the weights that training starts from
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from torch import Tensor, nn
from torch.optim.swa_utils import get_ema_multi_avg_fn

_PREFIX = "average."


class Average:
    """The average over the steps of a network; with a share of 0 it is the network as it stands."""

    def __init__(self, network: nn.Module, share: float) -> None:
        self._weights = {name: weight.data for name, weight in network.named_parameters()} if share else {}
        self._means = {name: weight.clone() for name, weight in self._weights.items()}
        self._take_in = get_ema_multi_avg_fn(share)  # type: ignore[no-untyped-call]

    def step(self) -> None:
        """Take in the weights after a step."""
        if self._means:
            self._take_in(list(self._means.values()), list(self._weights.values()), None)

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Within, the network has the average as its weights."""
        self._swap()
        try:
            yield
        finally:
            self._swap()

    def tensors(self) -> dict[str, Tensor]:
        """What a process that goes on must know."""
        return {_PREFIX + name: mean for name, mean in self._means.items()}

    def restore(self, tensors: Mapping[str, Tensor]) -> None:
        """Undo `tensors`."""
        for name, mean in self._means.items():
            mean.copy_(tensors[_PREFIX + name])

    def _swap(self) -> None:
        for name, mean in self._means.items():
            kept = mean.clone()
            mean.copy_(self._weights[name])
            self._weights[name].copy_(kept)
