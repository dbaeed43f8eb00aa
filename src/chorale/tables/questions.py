"""Files of questions as WikiTableQuestions has them: lines with tabs, a table named by its path.

    id    utterance                context                targetValue
    nt-0  which city is largest?   csv/204-csv/590.csv    Paris

The first line names the columns. In texts \\n, \\p and \\\\ stand for a line break, a bar and a backslash; bars stand
between several right answers. Paths are relative to the folder of the file or to the one above.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from chorale.domain.utterance import Answer, Utterance, check_sentence
from chorale.errors import ChoraleError
from chorale.plumbing.cache import Cache
from chorale.plumbing.files import lines, naming_unread
from chorale.tables.matching import TableAnswers, unescaped
from chorale.tables.reading.files import read_table
from chorale.tables.source import Options
from chorale.tables.table import Table

NAMES = ("id", "utterance", "context", "targetValue")
_MOST_PROBLEMS = 100
_MOST_TABLES = 10_000
_ANSWERS = TableAnswers()
_QUOTED = re.compile(rb'"(?:[^"\\]|\\.|"")*+"(?:,|\r?\n|$)', re.DOTALL)
_BEGINNING = 1 << 16  # bytes, in which the first cell ends


@dataclass(frozen=True)
class Question:
    """A question about a table; an utterance."""

    identifier: str
    sentence: str
    table: Table
    answer: Answer | None
    line: int = 0

    @property
    def contexts(self) -> tuple[Table, ...]:
        return (self.table,)

    @property
    def answers(self) -> tuple[Answer | None, ...]:
        return (self.answer,)

    @property
    def pairs(self) -> list[tuple[int, str]]:
        """The line and the identifier."""
        return [(self.line, self.identifier)]


def table_of(utterance: Utterance) -> Table:
    """The table that a question is about."""
    match tuple(utterance.contexts):
        case (Table() as table,):
            return table
        case others:
            raise ChoraleError(f"{utterance.sentence!r:.80}: a question is about one table; this one has {len(others)}")


class TableFiles:
    """Tables by their files; each is read once, as long as it does not change."""

    def __init__(self) -> None:
        self._read: Cache[tuple[Path, Options | None, int, int], Table] = Cache(_MOST_TABLES)

    def read(self, path: Path, options: Options | None = None) -> Table:
        """The table in a file of any format; one that is quoted as WikiTableQuestions' are is read as theirs."""
        if options is None and _is_of_wtq(path):
            read = partial(Table.from_csv, path)
        else:
            read = partial(read_table, path, options or Options())
        try:
            state = path.stat()
        except (OSError, ValueError):
            return read()  # says what is wrong
        return self._read.get((path, options, state.st_mtime_ns, state.st_size), read)

    def find(self, name: str, folder: Path, options: Options | None = None) -> Table:
        """The table of this path, relative to a folder or the one above it."""
        for place in (folder / name, folder.parent / name):
            with naming_unread(place):
                is_there = place.is_file()
            if is_there:
                return self.read(place, options)
        raise ChoraleError(f"context: there is no table {name!r:.200} in {folder} or {folder.parent}")


def _is_of_wtq(path: Path) -> bool:
    """Whether a file begins with a cell in quotes and a comma, as all tables of WikiTableQuestions do.

    Their quotes have a backslash in front, and what a column's numbers look like is not asked.
    """
    try:
        with open(path, "rb") as stream:
            return _QUOTED.match(stream.read(_BEGINNING)) is not None
    except (OSError, ValueError):
        return True  # reading it says what is wrong


def read(path: Path, *, labels_required: bool = True, files: TableFiles | None = None) -> list[Question]:
    """The questions of a file; all problems are reported at once, line by line."""
    reader = _Reader(path, labels_required, files or TableFiles())
    for number, content in lines(path):
        if content.strip():
            reader.take(number, content)
    return reader.done()


class _Reader:
    """One pass over a file of questions."""

    def __init__(self, path: Path, labels_required: bool, files: TableFiles) -> None:
        self.path, self.labels_required, self.files = path, labels_required, files
        self.names: list[str] = []
        self.questions: dict[str, Question] = {}
        self.wrong: list[str] = []

    def take(self, number: int, content: bytes) -> None:
        """Read a line; the first one names the fields."""
        try:
            fields = content.decode("utf-8").removesuffix("\r").split("\t")
            if not self.names:
                self.names = self._checked_names(fields)
                return
            question = self._question(number, fields)
            self.questions[question.identifier] = question
        except UnicodeDecodeError as error:
            self.wrong.append(f"{self.path}:{number}: not UTF-8: byte 0x{content[error.start]:02x}")
        except ChoraleError as error:
            self.wrong.append(f"{self.path}:{number}: {error}")

    def _checked_names(self, fields: Sequence[str]) -> list[str]:
        needed = NAMES if self.labels_required else NAMES[:3]
        missing = [name for name in needed if name not in fields]
        if missing:
            expected = ", ".join(needed)
            raise ChoraleError(
                f"the first line names no {' and no '.join(missing)}; expected {expected}, with tabs between them"
            )
        return list(fields)

    def _question(self, number: int, fields: Sequence[str]) -> Question:
        if len(fields) != len(self.names):
            raise ChoraleError(f"{len(fields)} fields; expected {len(self.names)}: {', '.join(self.names)}")
        record = dict(zip(self.names, fields, strict=True))
        identifier, sentence, target = record["id"], unescaped(record["utterance"]), record.get("targetValue", "")
        if not identifier or not sentence.strip():
            raise ChoraleError(f"{'utterance' if identifier else 'id'}: empty")
        check_sentence(sentence)
        if identifier in self.questions:
            first = self.questions[identifier].line
            raise ChoraleError(f"id: {identifier!r:.80} occurs twice, first in line {first}")
        if self.labels_required and not target:
            raise ChoraleError("targetValue: empty")
        table = self.files.find(record["context"], self.path.parent)
        return Question(identifier, sentence, table, _ANSWERS.from_text(target) if target else None, number)

    def done(self) -> list[Question]:
        """The questions; raises `ChoraleError` if there were problems."""
        if not self.names and not self.wrong:
            raise ChoraleError(f"{self.path}: empty; expected a first line with {', '.join(NAMES)}")
        if self.wrong:
            count = "1 problem" if len(self.wrong) == 1 else f"{len(self.wrong)} problems"
            raise ChoraleError("\n".join([f"{self.path}: {count}", *self.wrong[:_MOST_PROBLEMS]]))
        return list(self.questions.values())
