"""The moving average of weights."""

import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from chorale.training.averages import Average

STEPS = st.lists(st.floats(-2, 2, width=32), min_size=1, max_size=6)


def walked(network: nn.Linear, average: Average, steps: list[float]) -> list[torch.Tensor]:
    """The weights at the start and after each step, all of which the average has taken in."""
    weights = [network.weight.detach().clone()]
    for step in steps:
        with torch.no_grad():
            network.weight += step
        average.step()
        weights.append(network.weight.detach().clone())
    return weights


@given(STEPS, st.floats(0.01, 0.99))
def test_each_step_leaves_its_share_of_what_was_before(steps: list[float], share: float) -> None:
    network = nn.Linear(3, 2)
    average = Average(network, share)
    weights = walked(network, average, steps)
    age = [*range(len(weights) - 1, -1, -1)]
    slow = share ** age[0] * weights[0]
    for since, weight in zip(age[1:], weights[1:], strict=True):
        slow += (1 - share) * share**since * weight
    with average.in_use():
        torch.testing.assert_close(network.weight.detach(), slow)
    assert torch.equal(network.weight, weights[-1])


@given(STEPS)
def test_without_a_share_the_network_stays_as_it_is(steps: list[float]) -> None:
    network = nn.Linear(3, 2)
    average = Average(network, 0)
    last = walked(network, average, steps)[-1]
    with average.in_use():
        assert torch.equal(network.weight, last)
    assert average.tensors() == {}


def test_an_average_goes_on_from_what_was_kept_of_it() -> None:
    network = nn.Linear(3, 2)
    first = Average(network, 0.9)
    walked(network, first, [1.0, -0.5])
    kept = {name: tensor.clone() for name, tensor in first.tensors().items()}
    second = Average(network, 0.9)
    second.restore(kept)
    for average in (first, second):
        average.step()
    assert all(torch.equal(first.tensors()[name], tensor) for name, tensor in second.tensors().items())
