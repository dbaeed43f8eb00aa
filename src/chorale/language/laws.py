"""Laws: what a language knows to mean the same, as equations between programs with gaps.

    Laws(
        '''
        object_count_greater_equals(1, ?x) = object_exists(?x)
        {attribute}({attribute}(?x)) = {attribute}(?x)
        negate_filter(negate_filter(?f:selecting))(?x) = ?f(?x)
        ''',
        variables={"x": Objects, "f": Filter},
        groups={"attribute": "black blue ...", "selecting": "black blue ... top bottom negate_filter"},
    )

`?x` stands for any expression of the variable's type; `?f:selecting` for a function that names nothing but functions of
that group. `{attribute}` stands for one function of a group, the same one wherever it occurs in the line;
`{attribute2}` for one that may be another. Both sides have the same type, which is not a function.

A law says nothing about which side is better: `rewriting` takes the shorter one, and of equally long ones the one whose
names come first in `order`. That a law is true is for tests to show, on many contexts and with random fillings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

_SLOT = re.compile(r"\{([a-z_]+)(\d?)\}")


@dataclass(frozen=True, eq=False)
class Laws:
    """The laws of a language; none by default."""

    text: str = ""
    """Equations, one a line; `#` starts a comment."""
    variables: Mapping[str, Any] = field(default_factory=dict)
    """The type of each variable, as an annotation."""
    groups: Mapping[str, str] = field(default_factory=dict)
    """Names that a slot or a variable may stand for."""
    order: str = ""
    """Names from the most wanted to the least; those that are not listed come behind, as the language declares them."""
    brings: str = ""
    """Names that a simpler program may use though the given one does not."""

    def __add__(self, other: Laws) -> Laws:
        """Both sets of laws; where both say something of a variable or a group, the second counts."""
        return Laws(
            f"{self.text}\n{other.text}",
            {**self.variables, **other.variables},
            {**self.groups, **other.groups},
            f"{other.order} {self.order}",
            f"{self.brings} {other.brings}",
        )

    def __bool__(self) -> bool:
        return any(True for _ in self.lines())

    def lines(self) -> Iterator[str]:
        """The equations as they were written, without comments."""
        return filter(None, (line.partition("#")[0].strip() for line in self.text.splitlines()))

    def filled(self, line: str) -> Iterator[tuple[str, str]]:
        """The two sides of one equation, with every choice of functions for its slots."""
        slots = list(dict.fromkeys(_SLOT.findall(line)))
        for names in product(*(self.groups[group].split() for group, _ in slots)):
            filled = line
            for (group, digit), name in zip(slots, names, strict=True):
                filled = filled.replace(f"{{{group}{digit}}}", name)
            left, right = filled.split(" = ")
            yield left, right
