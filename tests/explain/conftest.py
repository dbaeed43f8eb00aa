"""The shipped models, and a picture to ask about."""

from __future__ import annotations

import pytest

from chorale.model import Model, load
from chorale.nlvr.pictures.scenes import Object, Scene

YELLOW, BLACK = Object(40, 80, 20, "square", "yellow"), Object(40, 59, 20, "square", "black")
SCENE = Scene(((YELLOW, BLACK), (YELLOW,), ()))
SENTENCE = "There is a tower with a black block at the top"


@pytest.fixture(scope="session")
def ranker() -> Model:
    return load("best")


@pytest.fixture(scope="session")
def network() -> Model:
    return load("consistency")
