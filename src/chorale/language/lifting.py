"""Lifting: a language that is written for one context, on many of them.

    class Shelves(Language):
        per_context = True
        root = bool                                      # one answer

        def __init__(self, shelf: Shelf) -> None: ...    # one context

        @function
        def red(self, some: set[Bottle]) -> set[Bottle]: ...

    shelves = lifted(Shelves, [one_shelf, another])
    run(program, shelves)                                # (True, False)

A value of a lifted language is a tuple with a value for each context, and its functions call the methods of each
context's own instance, one by one. Values are frozen and checked on the way (see `contracts`). The methods are taken to
be pure: what one gave is remembered, as search asks for the same things again and again.

A method that takes a function calls it in its own context, on values of which other contexts know nothing. So functions
also take a value that is there in *some* contexts only, and give the same; partial application and composition need
not know about it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from operator import call
from typing import Any, Self

from chorale.language.contracts import FunctionContract, ValueContract, frozen
from chorale.language.language import Language, annotations_of
from chorale.language.program import Program
from chorale.language.types import Basic, Function, Type

_MOST_REMEMBERED = 1 << 18
"""How many results are remembered, those of all functions in all contexts together."""
_WORTHWHILE = 4
"""With less room than this for a function in a context, nothing is."""


def lifted(language: type[Language] | Language, contexts: Sequence[Any]) -> Language:
    """A language that is written for one context, on many; one that has constants of its own keeps them."""
    kind, own = (language, {}) if isinstance(language, type) else (type(language), _own_constants(language))
    most = _MOST_REMEMBERED // max(1, len(contexts) * len(kind.grammar.signature))
    make: Callable[[Any], Language] = kind
    return Lifted(kind, [_Alone(make(context), number, most) for number, context in enumerate(contexts)], own)


class Lifted(Language):
    """A language over many contexts, made of `kind`, which is written for one."""

    def __init__(self, kind: type[Language], alone: Sequence[_Alone], own: Mapping[str, Any]) -> None:
        self.kind, self._alone, self._own = kind, alone, own
        self._values: dict[str, Any] = {}
        self._probes: dict[Type, Sequence[Any]] = {}
        declared = {name: getattr(kind, name) for name in inspect.get_annotations(Language)}  # grammar, laws, ...
        self.__dict__.update({**declared, "per_context": False, "stacks": False, **own})

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.kind, self._alone, self._own)

    def parse(self, text: str) -> Program:  # type: ignore[override]  # the grammar is the object's, not the class's
        """Read a program, in any of its spellings."""
        return Program.parse(text, self.grammar)

    def implementation(self, name: str) -> Any:
        """A value for each context, or a function on such values."""
        if name not in self._values:
            if name in self._constants:
                self._values[name] = (frozen(self._constants[name]),) * len(self._alone)
            else:
                values = tuple(alone.implementation(name) for alone in self._alone)
                self._values[name] = _typed(values, self.grammar.signature[name])
        return self._values[name]

    def probes(self, kind: Type) -> Sequence[Any]:
        """Those of the contexts: the first ones, the second ones, ...; some contexts may have more than others."""
        if kind not in self._probes:
            each = [list(map(frozen, alone.instance.probes(kind))) for alone in self._alone]
            most = max(map(len, each), default=0)
            chosen = [{row: own[n] for row, own in enumerate(each) if n < len(own)} for n in range(most)]
            self._probes[kind] = [self._known(kind, values) for values in chosen]
        return self._probes[kind]

    def _known(self, kind: Type, values: dict[int, Any]) -> Any:
        """A probe; if it is a constant of the language, then the very same object, by which search knows it again."""
        probe = tuple(values.values()) if len(values) == len(self._alone) else Some(values)
        constants = (self.implementation(name) for name, own in self.grammar.signature.items() if own == kind)
        return next((value for value in constants if value == probe), probe)

    def at(self, contexts: Sequence[int]) -> Self:
        return type(self)(self.kind, [self._alone[row] for row in contexts], self._own)

    def with_constants(self, values: Mapping[str, tuple[Basic, Any]]) -> Self:
        return type(self)(self.kind, self._alone, _own_constants(super().with_constants(values)))


def _own_constants(language: Language) -> dict[str, Any]:
    """What tells a language with constants of its own from its class."""
    return {"grammar": language.grammar, "_constants": language._constants}


class _Alone:
    """A language on its one context: its functions as they take and give frozen values, and what they gave."""

    def __init__(self, instance: Language, number: int, most: int) -> None:
        self.instance, self.number, self.most = instance, number, most
        self._values: dict[str, Any] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.instance, self.number, self.most)

    def implementation(self, name: str) -> Any:
        """The value of a constant, or a function."""
        if name not in self._values:
            contract = _contract(getattr(type(self.instance), name))
            where = f"{self.instance.grammar.name}.{name} in context {self.number}"
            function = contract.out_of(getattr(self.instance, name), where)
            if not contract.parameters:
                function = function()
            elif self.most >= _WORTHWHILE and all(isinstance(one, ValueContract) for one in contract.parameters):
                function = lru_cache(self.most, typed=True)(function)  # 1 is not True
            self._values[name] = function
        return self._values[name]


@cache
def _contract(method: Callable[..., Any]) -> FunctionContract:
    return FunctionContract.of(*annotations_of(method))


# -- values ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Some:
    """A value that is there in some contexts only."""

    values: dict[int, Any]
    """By the number of the context, ascending."""

    def __hash__(self) -> int:
        return hash(tuple(self.values.items()))


class LiftedFunction:
    """A function on the values of contexts, made of a function for each context, or for some."""

    def __init__(self, functions: Any, kind: Function) -> None:
        self.functions, self.kind = functions, kind  # a tuple, or Some

    def __call__(self, *arguments: Any) -> Any:
        """What the functions give, wherever all arguments are there."""
        if all(type(value) is tuple for value in (self.functions, *arguments)):
            return _typed(tuple(map(call, self.functions, *arguments)), self.kind.result)
        parts = [value.values for value in (self.functions, *arguments) if isinstance(value, Some)]
        rows = [row for row in parts[0] if all(row in part for part in parts)] if parts else range(len(self.functions))
        results = {row: in_context(row, self)(*(in_context(row, argument) for argument in arguments)) for row in rows}
        return _typed(Some(results) if parts else tuple(results.values()), self.kind.result)


def _typed(values: tuple[Any, ...] | Some, kind: Type) -> Any:
    """The values of contexts as a value of a type."""
    return LiftedFunction(values, kind) if isinstance(kind, Function) else values


def in_context(row: int, value: Any) -> Any:
    """A value as it is in one context; a function as one that is called in this context alone."""
    if isinstance(value, LiftedFunction):
        value = value.functions
    if isinstance(value, tuple):
        return value[row]
    if isinstance(value, Some):
        return value.values[row]
    return lambda *arguments: in_context(row, value(*(Some({row: argument}) for argument in arguments)))
