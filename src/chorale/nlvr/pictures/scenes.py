"""A scene is the structured form of one picture: boxes of coloured shapes.

The origin is the top-left corner of a box, y grows downward, a box is 100 x 100 pixels, and `x`, `y` are the top-left
corner of an object's bounding square. Everything here is plain data; `worlds` packs many scenes for fast execution.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from chorale.errors import ChoraleError, nearest

BOX_SIDE = 100
BOXES = 3
MAX_OBJECTS = 64  # objects of a box are the bits of one machine word
SIZES = {10: "small", 20: "medium", 30: "big"}
COLORS = ("black", "blue", "yellow")
SHAPES = ("circle", "square", "triangle")

_COLOR_TO_JSON = {"black": "Black", "blue": "#0099ff", "yellow": "Yellow"}
_COLOR_FROM_JSON = {name.lower(): color for color, name in _COLOR_TO_JSON.items()} | {"blue": "blue"}


class SceneError(ChoraleError):
    """A scene is malformed; `field` is the path of the offending value, such as `structured_rep[1][0].color`."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field
        self.problem = problem


@dataclass(frozen=True, slots=True, order=True)
class Object:
    """One shape in a box; `x`, `y` is the top-left corner of its bounding square."""

    x: int
    y: int
    size: int
    shape: str
    color: str

    @property
    def right(self) -> int:
        return self.x + self.size

    @property
    def bottom(self) -> int:
        return self.y + self.size

    def to_json(self) -> dict[str, Any]:
        """The object as NLVR writes it."""
        color = _COLOR_TO_JSON[self.color]
        return {"x_loc": self.x, "y_loc": self.y, "size": self.size, "type": self.shape, "color": color}


Box = tuple[Object, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """Three boxes, left to right; the order of objects inside a box carries no meaning but is kept."""

    boxes: tuple[Box, ...]

    @property
    def objects(self) -> tuple[Object, ...]:
        return tuple(thing for box in self.boxes for thing in box)

    @property
    def is_tower(self) -> bool:
        """Whether this is a picture of towers: medium squares in one column in every box."""
        return all(thing.shape == "square" and thing.size == 20 and thing.x == 40 for thing in self.objects)

    def permuted(self, order: Iterable[int]) -> Scene:
        """The same boxes in another order."""
        return Scene(tuple(self.boxes[place] for place in order))

    def to_json(self) -> list[list[dict[str, Any]]]:
        """The scene as NLVR's `structured_rep`."""
        return [[thing.to_json() for thing in box] for box in self.boxes]

    def _repr_svg_(self) -> str:
        """The picture, for notebooks."""
        from chorale.nlvr.pictures.drawing import to_svg  # noqa: PLC0415 - drawing knows scenes, not the other way round

        return to_svg(self)

    @staticmethod
    def from_json(rep: Any, field: str = "structured_rep") -> Scene:
        """Read NLVR's `structured_rep`; raise `SceneError` naming the first value that is wrong."""
        if not isinstance(rep, list):
            raise SceneError(field, f"expected a list of {BOXES} boxes, found {_kind(rep)}")
        if len(rep) != BOXES:
            raise SceneError(field, f"expected {BOXES} boxes, found {len(rep)}")
        return Scene(tuple(_box_from_json(box, f"{field}[{place}]") for place, box in enumerate(rep)))


def _box_from_json(rep: Any, field: str) -> Box:
    if not isinstance(rep, list):
        raise SceneError(field, f"expected a list of objects, found {_kind(rep)}")
    if len(rep) > MAX_OBJECTS:
        raise SceneError(field, f"a box holds at most {MAX_OBJECTS} objects, found {len(rep)}")
    return tuple(_object_from_json(thing, f"{field}[{place}]") for place, thing in enumerate(rep))


def _object_from_json(rep: Any, field: str) -> Object:
    if not isinstance(rep, dict):
        raise SceneError(field, f"expected an object with x_loc, y_loc, size, type and color, found {_kind(rep)}")
    for key in ("x_loc", "y_loc", "size", "type", "color"):
        if key not in rep:
            raise SceneError(f"{field}.{key}", "missing")
    for key in ("x_loc", "y_loc", "size"):
        if isinstance(rep[key], bool) or not isinstance(rep[key], int):
            raise SceneError(f"{field}.{key}", f"expected a whole number, found {rep[key]!r}")
    if rep["size"] not in SIZES:
        raise SceneError(f"{field}.size", f"expected 10, 20 or 30, found {rep['size']}")
    shape = _known(rep["type"], {name: name for name in SHAPES}, f"{field}.type", "shape", SHAPES)
    color = _known(rep["color"], _COLOR_FROM_JSON, f"{field}.color", "colour", tuple(_COLOR_TO_JSON.values()))
    for key in ("x_loc", "y_loc"):
        if not 0 <= rep[key] <= BOX_SIDE - rep["size"]:
            allowed = f"0..{BOX_SIDE - rep['size']} for size {rep['size']}"
            raise SceneError(f"{field}.{key}", f"the object lies outside its box: {rep[key]} is not in {allowed}")
    return Object(rep["x_loc"], rep["y_loc"], rep["size"], shape, color)


def _known(value: Any, table: dict[str, str], field: str, what: str, allowed: tuple[str, ...]) -> str:
    if isinstance(value, str) and value.lower() in table:
        return table[value.lower()]
    close = nearest(value, allowed) if isinstance(value, str) else None
    hint = f"; did you mean {close!r}?" if close else ""
    raise SceneError(field, f"unknown {what} {value!r}, expected one of {', '.join(allowed)}{hint}")


def _kind(value: Any) -> str:
    return "nothing (null)" if value is None else type(value).__name__
