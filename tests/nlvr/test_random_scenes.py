"""Pictures about what a sentence names have more of it, and still others."""

from random import Random

from chorale.nlvr.pictures.random_scenes import context_about
from chorale.nlvr.pictures.scenes import Object, Scene


def made(*about: str) -> list[Scene]:
    rng = Random(5)
    return [context_about(rng, about) for _ in range(300)]


def objects(scenes: list[Scene]) -> list[Object]:
    return [thing for scene in scenes for box in scene.boxes for thing in box]


def share(scenes: list[Scene], color: str, shape: str) -> float:
    found = [thing.color == color and thing.shape == shape for thing in objects(scenes)]
    return sum(found) / len(found)


def test_what_is_named_is_frequent_and_what_is_not_is_still_there() -> None:
    anything, named = made("scatter"), made("blue", "circle", "scatter")
    assert share(named, "blue", "circle") > 3 * share(anything, "blue", "circle")
    assert {(thing.color, thing.shape) for thing in objects(named)} == {
        (color, shape) for color in ("black", "blue", "yellow") for shape in ("circle", "square", "triangle")
    }


def test_most_pictures_are_of_the_kind_that_is_named() -> None:
    towers, scatter, both = (
        sum(scene.is_tower for scene in made(*kind)) / 300 for kind in (("towers",), ("scatter",), ())
    )
    assert scatter < 0.3 < both < 0.7 < towers
