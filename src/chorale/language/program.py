"""A program: text, tree and actions of one and the same thing.

>>> from chorale.nlvr import Consistent
>>> program = Consistent.parse("object_exists(yellow(above(black)))(all_objects)")
>>> program
Consistent.parse('object_exists(yellow(above(black(all_objects))))')
>>> len(program.actions), program.actions[-1]
(9, 'Set[Object] -> all_objects')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

from chorale.language import derivation
from chorale.language.derivation import DerivationError
from chorale.language.grammar import Grammar, Kind
from chorale.language.picture import tree_svg
from chorale.language.reading import read
from chorale.language.terms import Compose, Term, quoted, subterms, written
from chorale.language.types import Type


@dataclass(frozen=True, eq=False)
class Program:
    """A term of a language. Two programs of a language are equal if they are the same up to spelling."""

    term: Term
    grammar: Grammar

    @staticmethod
    def parse(text: str, grammar: Grammar) -> Program:
        """Read a program from text, in any of its spellings."""
        return Program(read(text, grammar.signature), grammar)

    @staticmethod
    def from_actions(actions: Sequence[str | int], grammar: Grammar) -> Program:
        """The program that a sequence of actions, as texts or ids, builds."""
        return Program(derivation.term_of(actions, grammar), grammar)

    @property
    def text(self) -> str:
        """The canonical text."""
        return written(self.term)

    @property
    def type(self) -> Type:
        """The type of the program's value."""
        return self.term.type

    @cached_property
    def action_ids(self) -> tuple[int, ...]:
        """The actions that build the program, as ids of productions."""
        return derivation.actions_of(self.term, self.grammar)

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions that build the program, as texts."""
        return tuple(str(self.grammar.productions[number]) for number in self.action_ids)

    @property
    def lisp(self) -> str:
        """The program in brackets, in the shape of its derivation: `((* object_exists yellow) all_objects)`."""
        try:
            return _lisp_of_actions(derivation.derived(self.term, self.grammar), self.grammar)
        except DerivationError:  # a part that no whole program is built from, such as yellow(all_objects)
            return _lisp_of_term(self.term)

    @property
    def size(self) -> int:
        """How many functions and constants it names."""
        return sum(len(term.parts) == 1 for term in subterms(self.term))

    @property
    def depth(self) -> int:
        """How deep its calls are nested."""
        return self.term.depth

    @property
    def subprograms(self) -> tuple[Program, ...]:
        """This program and everything inside it, outermost first; each knows its `type`."""
        return tuple(Program(term, self.grammar) for term in subterms(self.term))

    def pretty(self) -> str:
        """The program as an indented tree, one function a line, each with its type; `*` is a composition."""
        return "\n".join(_pretty(self.term, 0))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Program):
            return NotImplemented
        return self.term == other.term and self.grammar.name == other.grammar.name  # `above` is not `above` everywhere

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:  # walks the whole term, and programs are keys of large tables
        return hash(self.term)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"{self.grammar.name}.parse({self.text!r})"

    def to_svg(self) -> str:
        """A picture of the tree."""
        return tree_svg(self.term)

    _repr_svg_ = to_svg


def _lisp_of_actions(actions: Sequence[int], grammar: Grammar) -> str:
    built: list[str] = []  # from the last action on, as in `derivation.folded`
    for made in (grammar.productions[number] for number in reversed(actions)):
        star = ["*"] if made.kind is Kind.COMPOSE else []
        parts = [*star, *(built.pop() for _ in made.right)]
        built.append(f"({' '.join(parts)})" if parts else quoted(made.name))
    return built.pop()


def _lisp_of_term(term: Term) -> str:
    if isinstance(term, Compose):
        return reduce(lambda inner, outer: f"(* {outer} {inner})", map(_lisp_of_term, reversed(term.parts)))
    text = quoted(term.name)
    return f"({' '.join([text, *map(_lisp_of_term, term.arguments)])})" if term.arguments else text


def _pretty(term: Term, indent: int) -> list[str]:
    name, below = ("*", term.parts) if isinstance(term, Compose) else (quoted(term.name), term.arguments)
    return [f"{'  ' * indent}{name}  {term.type}", *(line for part in below for line in _pretty(part, indent + 1))]
