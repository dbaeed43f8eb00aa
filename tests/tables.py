"""A second, tiny domain: questions about small tables of people.

Each utterance has its own table, whose columns and cells are constants of its programs; an answer is a number or the
values of some cells. Everything that Chorale needs to know about it stands here.
"""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar

from chorale.domain import Answer, Domain, Grounding, Hints, Utterance
from chorale.language import Basic, Language, Program, function, run
from chorale.language.grammar import Grammar

Table = tuple[Mapping[str, str], ...]
People = Annotated[frozenset[int], "People"]  # rows of the table
Said = Annotated[tuple[Answer, ...], "Said"]  # an answer per context, of which there is one
Column = Annotated[str, "Column"]
Cell = Annotated[str, "Cell"]

NAMES = ("anna", "bert", "carla", "dora", "emil", "fritz", "gina", "hugo")
COLUMNS = {"city": ("paris", "rome", "oslo"), "job": ("baker", "smith", "nurse"), "pet": ("cat", "dog", "fish")}


class Asking(Language):
    """Whom a question is about, and what it wants to know of them."""

    root = Said
    open_types = (Column, Cell)

    def __init__(self, table: Table) -> None:
        self.table = table

    @function
    def everybody(self) -> People:
        return frozenset(range(len(self.table)))

    @function
    def who(self, column: Column, cell: Cell, people: People) -> People:
        return frozenset(row for row in people if self.table[row].get(column) == cell)

    @function
    def look_up(self, column: Column, people: People) -> Said:
        return (tuple(sorted(self.table[row][column] for row in people)),)

    @function
    def count(self, people: People) -> Said:
        return (len(people),)


@dataclass(frozen=True)
class Question:
    """A question about one table."""

    identifier: str
    sentence: str
    contexts: tuple[Table]
    answers: tuple[Answer | None]


@dataclass(frozen=True)
class TableGrounding(Grounding):
    """The language on the table of each question."""

    utterances: Sequence[Utterance]

    @cached_property
    def _languages(self) -> list[Asking]:
        return [_bound(utterance.contexts[0]) for utterance in self.utterances]

    def grammar(self, utterance: int) -> Grammar:
        return self._languages[utterance].grammar

    def answers(self, program: Program, utterance: int) -> tuple[Answer, ...]:
        said: tuple[Answer, ...] = run(program, self._languages[utterance])
        return said

    def language(self, utterances: Sequence[int]) -> Asking:
        return self._languages[utterances[0]]


def _bound(table: Table) -> Asking:
    columns = {column: (Basic("Column"), column) for row in table for column in row}
    cells = {cell: (Basic("Cell"), cell) for row in table for cell in row.values()}
    return Asking(table).with_constants({**columns, **cells})


class TableLexicon:
    """Words that are names, columns or cells ask for themselves."""

    def hints(self, utterance: Utterance) -> Hints:
        words = words_of(utterance.sentence)
        said = [(word, frozenset({word})) for word in words if word in NAMES or word in COLUMNS or _column_of(word)]
        unsaid = {column for word in words if (column := _column_of(word))}  # "the baker" does not say "job"
        allowed = {"everybody", "who", "look_up", "count", "name"} | unsaid | {word for word, _ in said}
        return Hints(frozenset(allowed), tuple(said), frozenset({"everybody", "who", "name", *unsaid}))


def words_of(sentence: str) -> list[str]:
    return sentence.lower().rstrip("?").split()


class Tables(Domain):
    """The domain."""

    name = "tables"
    languages: ClassVar[Mapping[str, type[Language]]] = {"asking": Asking}

    def read(self, path: Path, *, labels_required: bool = True) -> Sequence[Utterance]:
        return [_question(json.loads(line)) for line in path.read_text().splitlines()]

    def words(self, sentence: str) -> list[str]:
        return words_of(sentence)

    def lexicon(self, language: str) -> TableLexicon:
        return TableLexicon()

    def kind(self, context: Table) -> str:
        return f"{len(context)} people"

    def ground(self, language: str, utterances: Sequence[Utterance]) -> TableGrounding:
        return TableGrounding(utterances)


def _column_of(cell: str) -> str | None:
    return "name" if cell in NAMES else next((name for name, cells in COLUMNS.items() if cell in cells), None)


def _question(record: dict[str, Any]) -> Question:
    answer = record.get("answer")
    said = tuple(answer) if isinstance(answer, list) else answer
    return Question(record["identifier"], record["sentence"], (tuple(record["table"]),), (said,))


def questions(count: int, seed: int) -> Iterator[str]:
    """JSON lines with questions, a table and an answer each."""
    rng = random.Random(seed)
    for number in range(count):
        names = rng.sample(NAMES, 5)
        table = [{"name": name, **{column: rng.choice(cells) for column, cells in COLUMNS.items()}} for name in names]
        column, person = rng.choice(list(COLUMNS)), rng.choice(table)
        found = [row for row in table if row[column] == person[column]]
        sentence, answer = rng.choice(
            [
                (f"What is the {column} of {person['name']}?", [person[column]]),
                (f"How many have {person[column]}?", len(found)),
                (f"Which people have {person[column]}?", sorted(row["name"] for row in found)),
            ]
        )
        yield json.dumps({"identifier": str(number), "sentence": sentence, "table": table, "answer": answer})
