"""What all tests share: where the real corpora lie, and how many random cases hypothesis draws."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from tests.people import train_people
from tests.towns import train_towns

# Tests that want more cases than usual multiply `settings.default.max_examples`, so both profiles scale them.
# Random languages are often discarded and a busy machine is slow: neither is a fault of the code.
CALM = (HealthCheck.filter_too_much, HealthCheck.too_slow)
settings.register_profile("default", max_examples=25, deadline=None, print_blob=True, suppress_health_check=CALM)
settings.register_profile("slow", settings.get_profile("default"), max_examples=2500)
settings.load_profile(os.environ.get("CHORALE_HYPOTHESIS", "default"))

BESIDE = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that has learned questions about people; beside it are train.jsonl and dev.jsonl."""
    return train_people(tmp_path_factory.mktemp("people"))


@pytest.fixture(scope="session")
def towns(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the domain tables that has learned questions about towns; beside it are the splits and csv/."""
    return train_towns(tmp_path_factory.mktemp("towns"))


@pytest.fixture(scope="session")
def nlvr() -> Path:
    """The folder of the real NLVR corpus."""
    return _corpus("nlvr", "train.json", "the folder with train.json, dev.json, test.json and dev_images/")


@pytest.fixture(scope="session")
def wtq() -> Path:
    """The folder of the real WikiTableQuestions."""
    return _corpus("wtq", "random-split-1-dev.tsv", "the folder with random-split-1-train.tsv and -dev.tsv, and csv/")


def _corpus(name: str, file: str, what: str) -> Path:
    """Where a corpus lies; the test is skipped without it, or fails under CHORALE_REQUIRE_NLVR=1 and the like."""
    variable = f"CHORALE_{name.upper()}"
    named = os.environ.get(variable)
    folder = Path(named) if named else BESIDE / name
    if (folder / file).is_file():
        return folder
    how = f"set {variable} to {what}"
    if named:
        pytest.fail(f"{variable} is {named}, but there is no {file} in it; {how}")
    if os.environ.get(f"CHORALE_REQUIRE_{name.upper()}") == "1":
        pytest.fail(f"the corpus {name} was not found; {how}")
    pytest.skip(f"needs the corpus {name}; {how}")
