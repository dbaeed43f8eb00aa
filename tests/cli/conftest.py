"""A small data file and a way to call `chorale` without starting a process."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from tests.training.conftest import tiny  # noqa: F401 - a fixture
from typer.testing import CliRunner

from chorale.cli.main import app
from chorale.nlvr.pictures.random_scenes import random_scene
from chorale.nlvr.pictures.scenes import Object, Scene

PAIRS = 12

Chorale = Callable[..., "Called"]


class Called:
    """What a command printed, and its status."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err

    def json(self) -> object:
        return json.loads(self.out)


@pytest.fixture
def chorale() -> Chorale:
    """Call a command: `chorale("run", "...", data=path)` stands for `chorale run ... --data path`."""

    def call(*arguments: object, stdin: str | None = None, **options: object) -> Called:
        words = [str(argument) for argument in arguments]
        for name, value in options.items():
            words += [f"--{name}", str(value)]
        result = CliRunner().invoke(app, words, input=stdin, catch_exceptions=False)
        return Called(result.exit_code, result.stdout, result.stderr)

    return call


@pytest.fixture(scope="session")
def scenes() -> list[Scene]:
    """Random scenes; the first one has a single object, a yellow square."""
    only = Scene(((Object(0, 0, 20, "square", "yellow"),), (), ()))
    return [only, *(random_scene(Random(number)) for number in range(1, PAIRS))]


@pytest.fixture
def data(tmp_path: Path, scenes: list[Scene]) -> Path:
    """A data file: three utterances with four images each; the label says whether the scene has something yellow."""
    path = tmp_path / "data.json"
    path.write_text("\n".join(example(number, scene) for number, scene in enumerate(scenes)))
    return path


def example(number: int, scene: Scene) -> str:
    label = any(thing.color == "yellow" for thing in scene.objects)
    return json.dumps(
        {
            "sentence": f"Sentence {number // 4}.",
            "label": str(label).lower(),
            "identifier": f"{number // 4}-{number % 4}",
            "structured_rep": scene.to_json(),
        }
    )
