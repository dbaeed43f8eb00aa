"""Checking: what was read from disk or typed by a user, against a class that says what is right.

Classes derive from `Checked` (pydantic); each field is documented by the text below it. What does not fit is said in
words, all of it at once: the key, what was found, what would be right, and for an unknown key the nearest known one.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, TypeVar, cast, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from chorale.errors import ChoraleError, unknown

Key = tuple[str | int, ...]
Problem = tuple[Key, str]
Count = Annotated[int, Field(ge=1, le=10**9)]
Number = Annotated[int, Field(ge=0, le=10**12)]
Share = Annotated[float, Field(ge=0, le=1)]

_MOST_SHOWN = 80  # characters of a value
_MOST_TOLD = 5  # problems of a file


class Checked(BaseModel):
    """Base of everything that is checked: unknown keys, wrong types and numbers that are none are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


M = TypeVar("M", bound=Checked)


def checked(kind: type[M], value: Any, path: Path) -> M:
    """A value that was read from a file as an instance of a class; complains about the file."""
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        first = problems(error, kind, _MOST_TOLD)
        wrong = [f"{named(key)}: {message}" if key else message for key, message in first]
    raise ChoraleError(f"{path}: damaged: " + "; ".join(wrong))


def documentation(kind: type[Checked]) -> dict[str, str]:
    """The text below each field of a class and of its bases, on one line.

    Read from the source when it is asked for: pydantic would do so for each class whenever it is imported.
    """
    texts: dict[str, str] = {}
    for base in reversed([base for base in kind.__mro__ if issubclass(base, Checked)]):
        [definition] = ast.parse(textwrap.dedent(inspect.getsource(base))).body
        for field, text in pairwise(cast(ast.ClassDef, definition).body):
            match field, text:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(words))):
                    texts[name] = " ".join(words.split())
    return texts


def named(key: Key) -> str:
    """A key as people write it; lists are numbered from 1."""
    return ".".join(f"{part + 1 if isinstance(part, int) else part!s:.{_MOST_SHOWN}}" for part in key)


def problems(error: ValidationError, kind: type[BaseModel], most: int | None = None) -> list[Problem]:
    """What pydantic found, in our words; so many at most."""
    return [(_key(one["loc"]), _message(one, kind)) for one in error.errors(include_url=False)[:most]]


def shown(value: Any) -> str:
    """A value as an error quotes it: with its kind, and not all of it if it is long."""
    kinds = {dict: "a table", list: "a list", str: "text", bool: "true or false", int: "a whole number"}
    kinds |= {float: "a number", type(None): "nothing"}
    kind = kinds.get(type(value), type(value).__name__)
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # thousands of digits or brackets
        return kind
    return kind if value is None else f"{kind} {text[:_MOST_SHOWN]}{'...' if len(text) > _MOST_SHOWN else ''}"


def _key(location: tuple[int | str, ...]) -> Key:
    return tuple(location)


_WANTED = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "string": "text",
    "dict": "a table",
    "model": "a table",
    "list": "a list",
    "tuple": "a list",
}


def _message(one: ErrorDetails, kind: type[BaseModel]) -> str:
    what, context, value = one["type"], one.get("ctx", {}), one["input"]
    if what == "missing":
        return "missing"
    if what == "extra_forbidden":
        return f"there is no such key; {unknown(str(one['loc'][-1]), _keys_beside(one['loc'], kind))}"
    if what == "literal_error":
        return f"expected one of {context['expected'].replace(' or ', ', ')}, found {value!r:.80}"
    for bound, words in (("ge", "at least"), ("le", "at most"), ("gt", "above"), ("lt", "below")):
        if bound in context:
            return f"must be {words} {context[bound]:g}, found {shown(value).split(' ')[-1]}"
    if what == "value_error":
        return str(context["error"])
    if what == "finite_number":
        return f"expected a number, found {value}"
    wanted = next((words for name, words in _WANTED.items() if what.startswith(name)), None)
    return f"expected {wanted}, found {shown(value)}" if wanted else f"{one['msg']}, found {shown(value)}"


def _keys_beside(location: tuple[int | str, ...], kind: type[BaseModel]) -> Mapping[str, Any]:
    """The fields of the class that an unknown key was looked for in."""
    for part in location[:-1]:
        if isinstance(part, str) and part in kind.model_fields:
            inner = _model_in(kind.model_fields[part].annotation)
            kind = inner or kind
    return kind.model_fields


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    models = (_model_in(part) for part in get_args(annotation)) if get_origin(annotation) is not None else iter(())
    return next((one for one in models if one is not None), None)
