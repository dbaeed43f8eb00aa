"""Types of a logical language: basic ones such as `Set[Object]`, and functions such as `<int,Set[Object]:bool>`.

Types are read off Python annotations. A basic type is a class, with parameters or without (`int` and `set[Bottle]` are
the types' names too), or any annotation that carries its name along: `Annotated[NDArray[np.bool_], "bool"]`. A function
type is a `Callable`.
"""

from __future__ import annotations

import collections.abc
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, get_args, get_origin


@dataclass(frozen=True, slots=True, order=True)
class Basic:
    """A type without parts; two basic types are the same if they have the same name."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True, order=True)
class Function:
    """The type of a function from `arguments` to `result`, written `<a,b:r>`."""

    arguments: tuple[Type, ...]
    result: Type

    def __str__(self) -> str:
        return f"<{','.join(map(str, self.arguments))}:{self.result}>"

    @property
    def is_unary(self) -> bool:
        return len(self.arguments) == 1

    @property
    def most_arguments(self) -> int:
        """How many arguments can be given one after another: a result that is a function takes its own as well."""
        return len(self.arguments) + (self.result.most_arguments if isinstance(self.result, Function) else 0)

    def after(self, given: int) -> Type:
        """The type that is left once the first `given` arguments are there."""
        if given == len(self.arguments):
            return self.result
        return Function(self.arguments[given:], self.result)


Type = Basic | Function


def type_of_annotation(annotation: Any) -> Type:
    """The type that an annotation of a `@function` stands for."""
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        names = [part for part in args[1:] if isinstance(part, str)]
        return Basic(names[0]) if names else type_of_annotation(args[0])
    if origin is collections.abc.Callable:
        *parameters, result = args
        if not parameters or not isinstance(parameters[0], list):
            raise TypeError(f"write out the arguments of {annotation}")
        return Function(tuple(map(type_of_annotation, parameters[0])), type_of_annotation(result))
    if origin is None and isinstance(annotation, type):
        return Basic(annotation.__name__)
    if isinstance(origin, type) and origin is not UnionType:
        return Basic(f"{origin.__name__}[{','.join(map(_parameter, args))}]")
    raise TypeError(f"{annotation!r} is not a type for a language: use a class, Annotated[..., 'name'] or Callable")


def _parameter(annotation: Any) -> str:
    return "..." if annotation is ... else str(type_of_annotation(annotation))
