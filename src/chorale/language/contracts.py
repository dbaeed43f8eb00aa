"""Contracts: what annotations promise of the values that go into a function and come out of it.

A language that is written for one context (see `lifting`) may compute with sets and lists, as anybody would. Outside of
its functions values are *frozen*, since search remembers and compares them: a set is a frozenset there, and a list a
tuple. A function that asks for a `set` or a `list` is given one of its own, which it may change.

What comes out is checked as far as that is cheap: it is of the annotated class, and can be hashed. Functions that are
arguments or results have contracts too, in which what goes in and what comes out change places.
"""

from __future__ import annotations

import collections.abc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Protocol, Union, get_args, get_origin

import numpy as np

from chorale.errors import ChoraleError

_SURELY_HASHABLE = frozenset({bool, int, float, str, bytes, frozenset, NoneType})


class FunctionError(ChoraleError):
    """A function of a language fails, or gives what its annotation does not promise; the message names it."""


class ContractError(Exception):
    """A value is not what an annotation promises."""


class Contract(Protocol):
    """What an annotation says of values; `where` is for errors, and tells whose contract it is."""

    def into(self, value: Any, where: str) -> Any:
        """A frozen value as a function is given it."""

    def out_of(self, value: Any, where: str) -> Any:
        """What a function gave, frozen and checked."""


def contract_of(annotation: Any) -> Contract:
    """The contract of an argument or a result."""
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return contract_of(args[0])
    if origin is collections.abc.Callable:
        return FunctionContract.of(*args)
    return ValueContract(annotation, _classes(annotation), _thawing(annotation))


@dataclass(frozen=True)
class ValueContract:
    """The contract of a value that is not a function."""

    annotation: Any
    classes: tuple[type, ...]
    """Its frozen values are instances of these; none if that cannot be told."""
    thaw: Callable[[Any], Any] | None

    def into(self, value: Any, where: str) -> Any:
        return value if self.thaw is None else self.thaw(value)

    def out_of(self, value: Any, where: str) -> Any:
        if type(value) in self.classes and type(value) in _SURELY_HASHABLE:
            return value
        value = frozen(value)
        if isinstance(value, np.generic) and isinstance(value.item(), self.classes):
            value = value.item()  # True, not np.True_
        if self.classes and not isinstance(value, self.classes):
            wanted = self.annotation.__name__ if isinstance(self.annotation, type) else self.annotation
            raise ContractError(f"{_shown(value)}, but the annotation says {wanted}")
        try:
            hash(value)
        except TypeError:
            raise ContractError(
                f"{_shown(value)}, which cannot be hashed; use tuples and frozensets, or lists and sets, which are "
                "frozen, or objects that can be keys of a dictionary"
            ) from None
        return value


@dataclass(frozen=True)
class FunctionContract:
    """The contract of a function: a method of a language, an argument, or a result."""

    parameters: Sequence[Contract]
    result: Contract

    @staticmethod
    def of(parameters: Sequence[Any], result: Any) -> FunctionContract:
        """By annotations."""
        return FunctionContract(tuple(map(contract_of, parameters)), contract_of(result))

    def into(self, value: Any, where: str) -> Any:
        """A function on frozen values, as one on values as they are annotated."""

        def given(*arguments: Any) -> Any:
            if len(arguments) != len(self.parameters):
                raise ContractError(f"it calls a function of {len(self.parameters)} arguments with {len(arguments)}")
            own = [one.out_of(argument, where) for one, argument in zip(self.parameters, arguments, strict=True)]
            return self.result.into(value(*own), where)

        return given

    def out_of(self, value: Any, where: str) -> Any:
        """A function on values as they are annotated, as one on frozen values; its errors say where they occurred."""
        if not callable(value):
            raise ContractError(f"{_shown(value)}, but the annotation says Callable")

        def made(*arguments: Any) -> Any:
            try:
                own = [one.into(argument, where) for one, argument in zip(self.parameters, arguments, strict=True)]
                return self.result.out_of(value(*own), where)
            except FunctionError:
                raise
            except ContractError as problem:
                raise FunctionError(f"{where}: {problem}") from None
            except Exception as problem:
                raise FunctionError(f"{where}: {type(problem).__name__}: {problem}") from problem

        return made


def frozen(value: Any) -> Any:
    """A set as a frozenset, a list as a tuple, also inside of lists; anything else as it is."""
    if isinstance(value, set):
        return frozenset(value)
    return tuple(map(frozen, value)) if isinstance(value, list) else value


def _thawing(annotation: Any) -> Callable[[Any], Any] | None:
    """What makes a set or a list of a frozen value again; None where neither is asked for."""
    origin, args = get_origin(annotation) or annotation, get_args(annotation)
    if origin is Annotated:
        return _thawing(args[0])
    inside = _thawing(args[0]) if origin is list and args else None
    if inside is not None:
        return lambda value: list(map(inside, value))
    return origin if origin in (set, list) else None


def _classes(annotation: Any) -> tuple[type, ...]:
    """What frozen values of an annotation are instances of; none if that cannot be told."""
    origin, args = get_origin(annotation) or annotation, get_args(annotation)
    if origin is Annotated:
        return _classes(args[0])
    if origin in (Union, UnionType):
        several = list(map(_classes, args))
        return tuple(one for classes in several for one in classes) if all(several) else ()
    classes = {set: (frozenset,), list: (tuple,), float: (float, int), None: (NoneType,)}.get(origin, (origin,))
    try:
        isinstance(None, classes)
    except TypeError:  # Any, a type variable, a protocol
        return ()
    return classes


def _shown(value: Any) -> str:
    return f"{value!r:.60} is a {type(value).__name__}"
