"""The index of a data file: what must be remembered of earlier lines, on the disk.

The lines of an utterance may lie anywhere in a file, an identifier may come back after a million lines, and a file may
be larger than the memory. So identifiers, sentences and examples go to a database (`plumbing.scratch`); what is held is
one utterance at a time.

Examples are kept as pickles, which nobody else should ever give us to read. Nobody can: the database is made by this
process and has no name.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from sqlite3 import Connection
from typing import Any

from chorale.plumbing.scratch import scratch

_TABLES = (
    "CREATE TABLE pair (identifier TEXT PRIMARY KEY, line INTEGER) WITHOUT ROWID",
    "CREATE TABLE sentence (utterance TEXT PRIMARY KEY, text TEXT, line INTEGER) WITHOUT ROWID",
    "CREATE TABLE spelling (utterance TEXT, text TEXT, PRIMARY KEY (utterance, text)) WITHOUT ROWID",
    "CREATE TABLE utterance (number INTEGER PRIMARY KEY, name TEXT UNIQUE)",
    "CREATE TABLE example (line INTEGER PRIMARY KEY, utterance INTEGER, label INTEGER, content BLOB)",
)


@contextmanager
def new_index() -> Iterator[Index]:
    """An index of nothing yet; it is there as long as the context lasts."""
    with scratch(*_TABLES) as database:
        yield Index(database)


class Index:
    """Identifiers, sentences and examples, in the order of the file."""

    def __init__(self, database: Connection) -> None:
        self._database = database
        self._last = ("", 0)  # the utterance of the last example; most files have them one after another
        self._is_sorted = False

    def first_line(self, identifier: str, line: int) -> int:
        """The line in which an identifier was first seen, which may be this one."""
        if self._database.execute("INSERT OR IGNORE INTO pair VALUES (?, ?)", (identifier, line)).rowcount:
            return line
        rows = self._database.execute("SELECT line FROM pair WHERE identifier = ?", (identifier,))
        first: int = rows.fetchone()[0]
        return first

    def first_sentence(self, utterance: str, text: str, line: int) -> tuple[str, int]:
        """How an utterance was first spelled, and in which line; it may be this one."""
        if self._database.execute("INSERT OR IGNORE INTO sentence VALUES (?, ?, ?)", (utterance, text, line)).rowcount:
            return text, line
        rows = self._database.execute("SELECT text, line FROM sentence WHERE utterance = ?", (utterance,))
        first: tuple[str, int] = rows.fetchone()
        return first

    def is_new_spelling(self, utterance: str, text: str) -> bool:
        """Whether an utterance is spelled so for the first time; its first sentence does not count."""
        return self._database.execute("INSERT OR IGNORE INTO spelling VALUES (?, ?)", (utterance, text)).rowcount > 0

    def add(self, utterance: str, line: int, label: bool | None, content: Any = None) -> None:
        """Remember an example, with whatever is to be given back."""
        if self._last[0] != utterance:
            self._database.execute("INSERT OR IGNORE INTO utterance (name) VALUES (?)", (utterance,))
            rows = self._database.execute("SELECT number FROM utterance WHERE name = ?", (utterance,))
            self._last = (utterance, rows.fetchone()[0])
        packed = None if content is None else pickle.dumps(content, pickle.HIGHEST_PROTOCOL)
        self._database.execute("INSERT INTO example VALUES (?, ?, ?, ?)", (line, self._last[1], label, packed))

    def __len__(self) -> int:
        """How many utterances there are."""
        return int(self._database.execute("SELECT count(*) FROM utterance").fetchone()[0])

    def contents(self, number: int) -> list[Any]:
        """The examples of an utterance, which are numbered from 0 in the order of their first lines."""
        self._sort()
        query = "SELECT content FROM example WHERE utterance = ? ORDER BY line"
        return [pickle.loads(packed) for (packed,) in self._database.execute(query, (number + 1,))]

    def sizes(self) -> Counter[int]:
        """How many utterances have this many examples."""
        each = "SELECT count(*) AS size FROM example GROUP BY utterance"
        return Counter(dict(self._database.execute(f"SELECT size, count(*) FROM ({each}) GROUP BY size ORDER BY size")))

    def uniform(self) -> int:
        """How many utterances have equal labels only."""
        equal = "HAVING count(label) = count(*) AND min(label) = max(label)"
        each = f"SELECT 1 FROM example GROUP BY utterance {equal}"
        return int(self._database.execute(f"SELECT count(*) FROM ({each})").fetchone()[0])

    def _sort(self) -> None:
        """Make the examples of an utterance quick to find: all at once, when the file has been read."""
        if not self._is_sorted:
            self._database.execute("CREATE INDEX IF NOT EXISTS place ON example (utterance)")
            self._is_sorted = True
