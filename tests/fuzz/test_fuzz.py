"""A few seconds of fuzzing with the same random numbers every time, and all that ever broke something."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from tests.fuzz import targets
from tests.fuzz.__main__ import NAMES
from tests.fuzz.mutations import mutate
from tests.fuzz.targets import TARGETS

ROUNDS = {"model": 40, "run": 40, "http": 40, "actions": 60, "picture": 60, "program": 60}
ROUNDS |= {"marks": 40, "ranker": 60, "tables": 40, "cost": 10}
"""How many inputs are tried; 150 where nothing is said."""


@pytest.fixture(scope="module", autouse=True)
def _tidy() -> Iterator[None]:
    yield
    shutil.rmtree(targets._folder(), ignore_errors=True)


def test_every_target_is_fuzzed_by_the_command() -> None:
    assert tuple(TARGETS) == NAMES


@pytest.mark.parametrize("name", TARGETS)
def test_good_inputs_are_good(name: str) -> None:
    """What fuzzing begins with reaches the code behind all checks."""
    seeds = TARGETS[name].seeds()
    assert seeds
    for seed in seeds:
        if name != "recipe":  # where some changes do not fit
            TARGETS[name].read(seed)


@pytest.mark.parametrize("name", TARGETS)
def test_whatever_a_stranger_writes_ends_well_or_in_words(name: str, tmp_path: Path) -> None:
    target, rng = TARGETS[name], Random(17)
    seeds = target.seeds()
    for _ in range(ROUNDS.get(name, 150)):
        content = mutate(rng.choice(seeds), rng)
        (tmp_path / "input").write_bytes(content)  # to be looked at when it breaks something
        target.run(content)


@pytest.mark.parametrize("name", TARGETS)
def test_what_broke_something_once_is_told_in_words(name: str) -> None:
    for content in TARGETS[name].found():
        TARGETS[name].run(content)
