"""Programs as trees for the page: each part with its text, the words that ask for it, and the step that shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from chorale.domain import Domain, Unlabelled
from chorale.errors import ChoraleError
from chorale.language.program import Program
from chorale.language.terms import Term, applied, chained, written
from chorale.language.types import Function
from chorale.ranker.alignment import align, nodes_of


def tree_of(program: Program, steps: Sequence[str] = (), words: Sequence[Sequence[int]] = ()) -> dict[str, Any]:
    """The tree of a program; `steps` are the texts of its trace, `words` those of each node (see `aligned_words`)."""
    # A step is called by its part, or with what is asked of it in front: "in each box: black(top)".
    shown = {text.rpartition(": ")[2]: index for index, text in enumerate(steps)}
    return _node(program.term, _Shown(shown), iter(words), None)


class _Shown:
    """The steps by their parts."""

    def __init__(self, steps: Mapping[str, int]) -> None:
        self._steps = steps

    def of(self, term: Term, given: Term | None) -> int | None:
        """The step of a part: as it stands or, if it is a function inside another, with what that one is given."""
        step = self._steps.get(written(term))
        if step is None and given is not None and isinstance(term.type, Function):
            with suppress(ChoraleError):  # not everything can be given to it
                step = self._steps.get(written(applied(term, given)))
        return step


def _node(
    term: Term, shown: _Shown, words: Iterator[Sequence[int]], above: int | None, given: Term | None = None
) -> dict[str, Any]:
    """A part and what is inside it; `above` is the step of the part around it, `given` what that one is given."""
    first, rest = term.parts[0], term.parts[1:]
    own = next(words, ())  # in the order of `nodes_of`: a function before what it is given
    # A predicate has no step of its own where a filter keeps what it holds for: that is what the filter returns.
    step = shown.of(term, given)
    if step is None and isinstance(term.type, Function):
        step = above
    inside: list[Term] = [*first.arguments, *([chained(rest)] if rest else [])]
    *_, last = (None, *inside)
    if last is not None and not isinstance(last.type, Function):
        given = last
    elif rest:
        given = chained(rest) if given is None else applied(chained(rest), given)
    return {
        "name": first.name,
        "type": str(term.type),
        "text": written(term),
        "words": list(own),
        "step": step,
        "children": [_node(part, shown, words, step, given) for part in inside],
    }


def aligned_words(program: Program, sentence: str, domain: Domain, language: str) -> list[list[int]]:
    """For each node of a program the words that ask for it; empty if the domain's lexicon does not say."""
    lexicon = domain.lexicon(language)
    if lexicon is None:
        return []
    hints = lexicon.hints(Unlabelled(sentence))
    if not hints.tokens:
        return []
    nodes = nodes_of(program)
    align(nodes, hints)
    return [list(range(*hints.tokens[node.item])) if node.item >= 0 else [] for node in nodes]
