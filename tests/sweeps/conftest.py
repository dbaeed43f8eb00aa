"""The tiny corpus of the tests of training."""

from tests.training.conftest import tiny  # noqa: F401 - a fixture
