"""A language is a class of plain typed functions: decorate, annotate, done.

    class Weather(Language):
        root = bool
        degrees = constants(int, {str(n): n for n in range(10)})

        @function
        def today(self) -> Day: ...

        @function
        def warmer(self, limit: int, day: Day) -> bool: ...

The grammar (application, currying, composition) is derived from the annotations and hangs on the class as
`Weather.grammar`. An instance knows a world, or a whole corpus of them, and its methods compute on it. Where it knows
one only, the language says `per_context = True`, and is lifted over many (see `lifting`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self, TypeVar, get_type_hints

import numpy as np
from numpy.typing import NDArray

from chorale.language.execution import evaluate
from chorale.language.grammar import Grammar
from chorale.language.laws import Laws
from chorale.language.program import Program
from chorale.language.quotas import Quota
from chorale.language.reading import ProgramError
from chorale.language.terms import Term
from chorale.language.types import Basic, Function, Type, type_of_annotation
from chorale.language.wording import Wording

F = TypeVar("F", bound=Callable[..., Any])


def function(method: F) -> F:
    """Make a typed method a function of the language; one without arguments is a constant."""
    method.__dict__["is_language_function"] = True
    return method


class constants:  # noqa: N801 - reads as a declaration
    """Named values of one type, all declared at once: `colors = constants(Color, {"color_black": 0})`."""

    def __init__(self, annotation: Any, values: Mapping[str, Any]) -> None:
        self.type = type_of_annotation(annotation)
        self.values = dict(values)


class Language:
    """Base of all languages; see the module's text."""

    root: ClassVar[Any]
    """The type of a whole program."""
    composition: ClassVar[bool] = True
    """Whether functions compose: `[*, f, g]`."""
    currying: ClassVar[bool] = True
    """Whether a function may be given all but its last argument."""
    excluded: ClassVar[frozenset[str]] = frozenset()
    """Derived productions that the language does not want, each as its text. If the application of a function type is
    among them, its functions are used through composition only (see `grammar`)."""
    abbreviations: ClassVar[frozenset[str]] = frozenset()
    """Functions that say shorter what others say as well. A search that no labels guide leaves them out."""
    open_types: ClassVar[tuple[Any, ...]] = ()
    """Types whose constants come with each utterance's own context (see `Grammar.with_terminals`)."""
    commutative: ClassVar[frozenset[str]] = frozenset()
    """Functions whose arguments of the first one's type may be swapped (see `search.order`)."""

    per_context: ClassVar[bool] = False
    """Whether it is written for one context: an instance is made of one, `Weather(world)`, and a program gives one
    answer. `lifted` makes a language over many contexts of it."""

    stages: ClassVar[Mapping[Any, Quota]] = {}
    """If it is searched type by type (see `search.stages`): how much is kept of each type, others as `Quota` says. For
    languages whose functions take all their arguments and no functions."""

    stacks: ClassVar[bool] = False
    """Whether functions also work on values with one more axis in front, many programs at once (see `search`)."""

    laws: ClassVar[Laws] = Laws()
    """What is known to mean the same; programs are simplified by it (see `laws` and `rewriting`)."""

    wording: ClassVar[Wording | None] = None
    """What its functions are called in plain English (see `wording`)."""

    grammar: ClassVar[Grammar]
    _constants: ClassVar[dict[str, Any]]
    _arities: ClassVar[dict[str, int]]  # of the methods; one that takes nothing may still give a function

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if not hasattr(cls, "root"):
            return
        signature: dict[str, Type] = {}
        cls._constants, cls._arities = {}, {}
        for base in reversed(cls.__mro__):
            for name, member in vars(base).items():
                if isinstance(member, constants):
                    signature.update(dict.fromkeys(member.values, member.type))
                    cls._constants.update(member.values)
                elif getattr(member, "is_language_function", False):
                    parameters, result = annotations_of(member)
                    arguments, value = tuple(map(type_of_annotation, parameters)), type_of_annotation(result)
                    signature[name] = Function(arguments, value) if arguments else value
                    cls._arities[name] = len(arguments)
        cls.grammar = Grammar(
            signature,
            type_of_annotation(cls.root),
            composition=cls.composition,
            currying=cls.currying,
            excluded=cls.excluded,
            open_types=tuple(map(type_of_annotation, cls.open_types)),
            name=cls.__name__,
        )

    @classmethod
    def parse(cls, text: str) -> Program:
        """Read a program, in any of its spellings."""
        return Program.parse(text, cls.grammar)

    def implementation(self, name: str) -> Any:
        """The value of a constant, or the method behind a function."""
        if name in self._constants:
            return self._constants[name]
        method = getattr(self, name)
        return method if self._arities[name] else method()

    def executed(self, term: Term) -> Any:
        """The value of a whole program in each context. A language whose values are batches says what it is of one."""
        return evaluate(term, self)

    def probes(self, kind: Type) -> Sequence[Any]:
        """Inputs of a type on which search compares functions: whatever functions of this language are called with.

        A function of the language that calls its function arguments on anything else cannot stack.
        """
        return ()

    def stacked(self, kind: Type, value: Any) -> Any:
        """A batch of one: the value with one more axis in front."""
        raise NotImplementedError(f"{type(self).__name__} does not stack")

    def defined(self, kind: Type, batch: Any) -> NDArray[np.bool_] | None:
        """Which values of a batch are worth building upon, in a search in stages; None if all are."""
        return None

    def at(self, contexts: Sequence[int]) -> Self:
        """This language on some of its contexts alone, in the given order."""
        raise NotImplementedError(f"{type(self).__name__} cannot be narrowed to some of its contexts")

    def with_constants(self, values: Mapping[str, tuple[Basic, Any]]) -> Self:
        """This language with the constants that one context brings (a table's columns and cells)."""
        bound = object.__new__(type(self))
        bound.__dict__.update(self.__dict__)
        bound.__dict__["_constants"] = {**self._constants, **{name: value for name, (_, value) in values.items()}}
        bound.__dict__["grammar"] = self.grammar.with_terminals({name: kind for name, (kind, _) in values.items()})
        return bound


def read_program(text: str, language: type[Language] | Language) -> Program:
    """Read a whole program: one that says something by itself, of the root's type.

    A language that is bound to an utterance knows the utterance's own constants.
    """
    program = Program.parse(text, language.grammar)
    if program.type != program.grammar.root:
        raise ProgramError(f"a program is a {program.grammar.root}, but this is a {program.type}", text, 0)
    return program


def annotations_of(method: Callable[..., Any]) -> tuple[list[Any], Any]:
    """The annotations of a language function: those of its arguments, and that of its result."""
    hints = get_type_hints(method, include_extras=True)
    _, *parameters = inspect.signature(method).parameters  # the first one is self
    missing = [part for part in [*parameters, "return"] if part not in hints]
    if missing:
        raise TypeError(f"the language function {method.__name__!r} needs a type annotation on: {', '.join(missing)}")
    return [hints[parameter] for parameter in parameters], hints["return"]
