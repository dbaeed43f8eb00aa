"""What all tests share: where the real corpus lies, and how many random cases hypothesis draws."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from tests.people import train_people

# Tests that want more cases than usual multiply `settings.default.max_examples`, so both profiles scale them.
# Random languages are often discarded and a busy machine is slow: neither is a fault of the code.
CALM = (HealthCheck.filter_too_much, HealthCheck.too_slow)
settings.register_profile("default", max_examples=25, deadline=None, print_blob=True, suppress_health_check=CALM)
settings.register_profile("slow", settings.get_profile("default"), max_examples=2500)
settings.load_profile(os.environ.get("CHORALE_HYPOTHESIS", "default"))

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "nlvr"
HOW = "set CHORALE_NLVR to the folder with train.json, dev.json, test.json and dev_images/"


@pytest.fixture(scope="session")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that has learned questions about people; beside it are train.jsonl and dev.jsonl."""
    return train_people(tmp_path_factory.mktemp("people"))


@pytest.fixture(scope="session")
def nlvr() -> Path:
    """The folder of the real NLVR corpus; the test is skipped without it, or fails under CHORALE_REQUIRE_NLVR=1."""
    named = os.environ.get("CHORALE_NLVR")
    folder = Path(named) if named else BESIDE
    if (folder / "train.json").is_file():
        return folder
    if named:
        pytest.fail(f"CHORALE_NLVR is {named}, but there is no train.json in it; {HOW}")
    if os.environ.get("CHORALE_REQUIRE_NLVR") == "1":
        pytest.fail(f"the NLVR corpus was not found; {HOW}")
    pytest.skip(f"needs the NLVR corpus; {HOW}")
