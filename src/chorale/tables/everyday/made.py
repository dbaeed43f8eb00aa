"""Questions with their answers, by what their programs say; each table has several."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice
from random import Random

from chorale.domain.synthesis import Synthesis
from chorale.domain.utterance import Answer
from chorale.errors import ChoraleError
from chorale.language import Program
from chorale.tables.asked import Asked
from chorale.tables.costs import costs_of
from chorale.tables.everyday.kept import Kept, kept
from chorale.tables.everyday.questions import drawn
from chorale.tables.language import TableLanguage
from chorale.tables.table import Table

EACH = 8
"""Questions about a table."""
_TRIED = 40
_MOST_CELLS = 12  # of an answer


@dataclass(frozen=True)
class Made:
    """A question that was made up; an utterance."""

    identifier: str
    sentence: str
    program: str
    table: Table
    answer: Answer

    @property
    def contexts(self) -> tuple[Table, ...]:
        return (self.table,)

    @property
    def answers(self) -> tuple[Answer | None, ...]:
        return (self.answer,)

    @property
    def pairs(self) -> list[tuple[int, str]]:
        """No line, and the identifier."""
        return [(0, self.identifier)]


class Everyday(Synthesis):
    """Questions about tables that were made up, eight about each."""

    def made(self, count: int, seed: int, split: str = "train") -> list[Made]:
        return list(islice(_made(seed, split), count))


def _made(seed: int, split: str) -> Iterator[Made]:
    for number in count():
        rng = Random(f"{seed}/{split}/{number}")
        table, said = kept(rng), set[str]()
        for _ in range(_TRIED):
            found = _one(table, rng)
            if found is not None and found[0].lower() not in said:
                yield Made(f"made-{number}.{len(said)}", found[0], found[1], table.table, found[2])
                said.add(found[0].lower())
                if len(said) == EACH:
                    break


def _one(table: Kept, rng: Random) -> tuple[str, str, Answer] | None:
    """A question with its program and answer; None if a drawn one has no clear answer."""
    found = drawn(table, rng)
    if found is None:
        return None
    sentence, text = found
    language = TableLanguage([table.table]).with_constants(costs_of(Asked(sentence), table.table).constants)
    try:
        program = Program.parse(text, language.grammar)
    except ChoraleError:  # names a cell by words that are not linked to it
        return None
    [answer] = language.answers(program)
    if answer is None or (isinstance(answer, tuple) and not 0 < len(answer) <= _MOST_CELLS):
        return None
    return sentence, program.text, answer
