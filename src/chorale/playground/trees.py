"""Programs as trees for the page: each part with its text, the words that ask for it, and the step that shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from chorale.domain import Hints
from chorale.errors import ChoraleError
from chorale.language.program import Program
from chorale.language.terms import Apply, Term, applied, chained, written
from chorale.language.types import Function
from chorale.ranker.alignment import align, nodes_of


def tree_of(program: Program, steps: Sequence[str] = (), words: Sequence[Sequence[int]] = ()) -> dict[str, Any]:
    """The tree of a program; `steps` are the parts that its trace shows, `words` see `aligned_words`."""
    shown = {part: index for index, part in enumerate(steps)}
    return _node(program.term, _Shown(shown), iter(words), None)


class _Shown:
    """The steps by their parts."""

    def __init__(self, steps: Mapping[str, int]) -> None:
        self._steps = steps

    def of(self, term: Term, given: Term | None) -> int | None:
        """The step of a part: as it stands or, if it is a function inside another, with what that one is given."""
        step = self._steps.get(written(term))
        fed = _fed(term, given) if step is None else None
        return step if fed is None else self._steps.get(written(fed))


def _node(
    term: Term, shown: _Shown, words: Iterator[Sequence[int]], above: int | None, given: Term | None = None
) -> dict[str, Any]:
    """A part and what is inside it; `above` is the step of the part around it, `given` what that one is given."""
    first, rest = term.parts[0], term.parts[1:]
    own = next(words, ())  # in the order of `nodes_of`: a function before what it is given
    step = shown.of(term, given)
    if not isinstance(term.type, Function):
        given = None  # it has all it needs
    elif step is None:
        # A predicate has no step of its own where a filter keeps what it holds for: that is what the filter returns.
        step = above
    children = [_node(part, shown, words, step, _input_of(first, rest, given)) for part in first.arguments]
    if rest:
        children.append(_node(chained(rest), shown, words, step, given))
    return {
        "name": first.name,
        "type": str(term.type),
        "text": written(term),
        "words": list(own),
        "step": step,
        "children": children,
    }


def _input_of(function: Apply, rest: Sequence[Apply], given: Term | None) -> Term | None:
    """What a function works on, and so do functions inside it: its last argument, or what comes after it in a chain."""
    if rest:
        return chained(rest) if given is None else _fed(chained(rest), given)
    *_, last = (None, *function.arguments)
    return given if last is None or isinstance(last.type, Function) else last


def _fed(function: Term, given: Term | None) -> Term | None:
    """A function with its input, or after it; None if that does not fit."""
    try:
        return None if given is None else applied(function, given)
    except ChoraleError:
        return None


def aligned_words(program: Program, hints: Hints | None) -> list[list[int]]:
    """For each node of a program the words that ask for it; empty if the lexicon does not say where they stand."""
    if hints is None or not hints.tokens:
        return []
    nodes = nodes_of(program)
    align(nodes, hints)
    return [list(range(*hints.tokens[node.item])) if node.item >= 0 else [] for node in nodes]
