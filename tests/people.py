"""A second, tiny domain: questions about small tables of people.

Each utterance has its own table, whose columns and cells are constants of its programs; an answer is a number or the
values of some cells. Everything that Chorale needs to know about it stands here.
"""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar

import chorale
from chorale.domain import Codec, Domain, Hints, Utterance
from chorale.errors import ChoraleError
from chorale.language import Basic, Language, function
from chorale.training.recipes import parse_recipe

Table = tuple[Mapping[str, str], ...]
People = Annotated[frozenset[int], "People"]  # rows of the table
Said = Annotated[int | tuple[str, ...], "Said"]
Column = Annotated[str, "Column"]
Cell = Annotated[str, "Cell"]

NAMES = ("anna", "bert", "carla", "dora", "emil", "fritz", "gina", "hugo")
COLUMNS = {"city": ("paris", "rome", "oslo"), "job": ("baker", "smith", "nurse"), "pet": ("cat", "dog", "fish")}


class Asking(Language):
    """Whom a question is about, and what it wants to know of them."""

    per_context = True
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
        return tuple(sorted(self.table[row][column] for row in people))

    @function
    def count(self, people: People) -> Said:
        return len(people)


class PeopleLexicon:
    """Words that are names, columns or cells ask for themselves; "how many" asks for a number."""

    def hints(self, utterance: Utterance) -> Hints:
        words = words_of(utterance.sentence)
        said, spans = [], []
        for place, word in enumerate(words):
            if word in NAMES or word in COLUMNS or _column_of(word):
                said.append((word, frozenset({word})))
                spans.append((place, place + 1))
            elif word == "many":
                said.append((word, frozenset({"count"})))
                spans.append((place, place + 1))
        unsaid = {column for word in words if (column := _column_of(word))}  # "the baker" does not say "job"
        allowed = (
            {"everybody", "who", "look_up", "count", "name"} | unsaid | {word for word, _ in said if word != "many"}
        )
        return Hints(
            frozenset(allowed),
            tuple(said),
            frozenset({"everybody", "who", "look_up", "name", *unsaid}),
            words=tuple(_class_of(word) for word in words),
            spans=tuple(spans),
            tokens=tuple(spans),
            classes={
                **dict.fromkeys(NAMES, "{name}"),
                **{cell: "{cell}" for cells in COLUMNS.values() for cell in cells},
            },
            unknown=tuple(word for word in words if word not in KNOWN and word not in NAMES and not _column_of(word)),
        )


KNOWN = {*COLUMNS, *["how", "many", "have", "what", "is", "the", "of", "which", "people"]}


def words_of(sentence: str) -> list[str]:
    return sentence.lower().rstrip("?").split()


class TableCodec(Codec):
    """A table is a list of rows, each a dict of texts."""

    def from_json(self, value: Any) -> Table:
        if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
            raise ChoraleError("expected a table: a list of rows, each an object")
        return tuple(value)

    def to_json(self, context: Table) -> Any:
        return [dict(row) for row in context]


class PeopleDomain(Domain):
    """The domain."""

    name = "people"
    languages: ClassVar[Mapping[str, type[Language]]] = {"asking": Asking}
    codec = TableCodec()
    context_word = "table"
    context_type = tuple

    def words(self, sentence: str) -> list[str]:
        return words_of(sentence)

    def lexicon(self, language: str) -> PeopleLexicon:
        return PeopleLexicon()

    def kind(self, context: Table) -> str:
        return f"{len(context)} people"

    def constants(self, utterance: Utterance) -> dict[str, tuple[Basic, Any]]:
        rows = [row for table in utterance.contexts for row in table]
        columns = {column: (Basic("Column"), column) for row in rows for column in row}
        return columns | {cell: (Basic("Cell"), cell) for row in rows for cell in row.values()}

    def topic(self, utterance: Utterance) -> str:
        return json.dumps([self.codec.to_json(table) for table in utterance.contexts])

    def variants(self, utterance: Utterance | None, count: int, seed: int) -> Sequence[Table]:
        """Copies of an utterance's table in which each cell is one of its column."""
        if utterance is None:
            return [tuple(_table(random.Random(f"{seed}/{number}"))) for number in range(count)]
        rng, table = random.Random(seed), utterance.contexts[0]
        return [_altered(table, rng) for _ in range(count)]


def _altered(table: Table, rng: random.Random) -> Table:
    columns = {column: [row[column] for row in table] for column in (table[0] if table else ())}
    return tuple({column: rng.choice(cells) for column, cells in columns.items()} for _ in table)


def _column_of(cell: str) -> str | None:
    return "name" if cell in NAMES else next((name for name, cells in COLUMNS.items() if cell in cells), None)


def _class_of(word: str) -> str:
    return "{name}" if word in NAMES else "{cell}" if _column_of(word) else word


def _table(rng: random.Random) -> list[dict[str, str]]:
    names = rng.sample(NAMES, 5)
    return [{"name": name, **{column: rng.choice(cells) for column, cells in COLUMNS.items()}} for name in names]


def questions(count: int, seed: int) -> Iterator[str]:
    """JSON lines with questions, a table and an answer each."""
    rng = random.Random(seed)
    for number in range(count):
        table = _table(rng)
        column, person = rng.choice(list(COLUMNS)), rng.choice(table)
        found = [row for row in table if row[column] == person[column]]
        sentence, answer = rng.choice(
            [
                (f"What is the {column} of {person['name']}?", [person[column]]),
                (f"How many have {person[column]}?", len(found)),
                (f"Which people have {person[column]}?", sorted(row["name"] for row in found)),
            ]
        )
        yield json.dumps({"identifier": str(number), "sentence": sentence, "context": table, "answer": answer})


def write_questions(folder: Path, train: int = 80, dev: int = 20) -> Path:
    """A corpus of questions, train and dev."""
    folder.mkdir(parents=True, exist_ok=True)
    for split, count, seed in (("train", train, 1), ("dev", dev, 2)):
        (folder / f"{split}.jsonl").write_text("".join(f"{line}\n" for line in questions(count, seed)))
    return folder


RECIPE = """
name = "people"
language = "asking"
stages = [{ kind = "ranker", max_actions = 10, meanings = 30, contexts = 16, steps = 8 }]
"""
"""Learns the questions in about a second."""


def train_people(folder: Path) -> Path:
    """A corpus of questions in a folder, and a run beside it that has learned them; gives back the run."""
    chorale.train(parse_recipe(RECIPE), write_questions(folder), folder / "run", domain=PeopleDomain())
    return folder / "run"
