"""A scene is the structured form of one picture: boxes of coloured shapes.

The origin is the top-left corner of a box, y grows downward, a box is 100 x 100 pixels, and `x`, `y` are the top-left
corner of an object's bounding square. Everything here is plain data; `worlds` packs many scenes for fast execution.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, PlainValidator, TypeAdapter, ValidationError

from chorale.errors import ChoraleError, nearest
from chorale.plumbing.checking import problems

BOX_SIDE = 100
BOXES = 3
MAX_OBJECTS = 64  # objects of a box are the bits of one machine word
SIZES = {10: "small", 20: "medium", 30: "big"}
COLORS = ("black", "blue", "yellow")
SHAPES = ("circle", "square", "triangle")

_COLOR_TO_JSON = {"black": "Black", "blue": "#0099ff", "yellow": "Yellow"}
_COLOR_FROM_JSON = {name: color for color, name in _COLOR_TO_JSON.items()} | {"Blue": "blue"}


def _one_of(what: str, names: Mapping[str, str]) -> PlainValidator:
    """A value by its name in NLVR's files, in any case."""
    known = {name.lower(): value for name, value in names.items()}

    def read(value: Any) -> str:
        if isinstance(value, str) and value.lower() in known:
            return known[value.lower()]
        close = nearest(value, names) if isinstance(value, str) else None
        hint = f"; did you mean {close!r}?" if close else ""
        raise ValueError(f"unknown {what} {value!r}, expected one of {', '.join(names)}{hint}")

    return PlainValidator(read)


@dataclass(frozen=True, slots=True, order=True)
class Object:
    """One shape in a box; `x`, `y` is the top-left corner of its bounding square."""

    x: Annotated[int, Field(strict=True, alias="x_loc")]
    y: Annotated[int, Field(strict=True, alias="y_loc")]
    size: Annotated[int, Field(strict=True, ge=min(SIZES), le=max(SIZES), multiple_of=min(SIZES))]
    shape: Annotated[str, Field(alias="type"), _one_of("shape", {shape: shape for shape in SHAPES})]
    color: Annotated[str, _one_of("colour", _COLOR_FROM_JSON)]

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
        return Scene(tuple(self.boxes[index] for index in order))

    def to_json(self) -> list[list[dict[str, Any]]]:
        """The scene as NLVR's `structured_rep`."""
        return [[thing.to_json() for thing in box] for box in self.boxes]

    def _repr_svg_(self) -> str:
        """The picture, for notebooks."""
        from chorale.nlvr.pictures.drawing import to_svg  # noqa: PLC0415 - drawing knows scenes, not the other way round

        return to_svg(self)

    @staticmethod
    def read(rep: Any) -> Scene:
        """Read NLVR's `structured_rep`; raise pydantic's `ValidationError` if it is wrong."""
        return Scene(_BOXES.validate_python(rep))

    @staticmethod
    def from_json(rep: Any) -> Scene:
        """Read NLVR's `structured_rep`; raise `ChoraleError` naming the values that are wrong."""
        try:
            return Scene.read(rep)
        except ValidationError as error:
            wrong = [f"structured_rep{field}: {message}" for field, message in wrong_fields(error)]
        raise ChoraleError("; ".join(wrong))


def _inside(thing: Object) -> Object:
    far = BOX_SIDE - thing.size
    if not (0 <= thing.x <= far and 0 <= thing.y <= far):
        where = f"x_loc {thing.x}, y_loc {thing.y}"
        raise ValueError(f"the object lies outside its box: {where} is not in 0..{far} for size {thing.size}")
    return thing


def _three(boxes: Any) -> Any:
    if isinstance(boxes, list) and len(boxes) != BOXES:
        raise ValueError(f"expected {BOXES} boxes, found {len(boxes)}")
    return boxes


_BOX = Annotated[tuple[Annotated[Object, AfterValidator(_inside)], ...], Field(max_length=MAX_OBJECTS)]
_BOXES = TypeAdapter(Annotated[tuple[_BOX, _BOX, _BOX], BeforeValidator(_three)])


def wrong_fields(error: ValidationError) -> list[tuple[str, str]]:
    """What is wrong with something that was read: fields, such as `structured_rep[1][0].color`, and messages."""
    return [
        ("".join(f"[{part}]" if isinstance(part, int) else f".{part:.80}" for part in key).removeprefix("."), message)
        for key, message in problems(error, BaseModel)
    ]
