"""Scratch: a database on the disk for what may be larger than the memory, gone when it is no longer needed.

SQLite keeps it in a temporary file that has no name, so that nothing is left behind however the process ends. A few
megabytes of it are held in memory. The file lies where the system keeps temporary files; `TMPDIR` names another folder.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from chorale.errors import ChoraleError

_HELD = 8 << 10  # KiB of the database that are held in memory


@contextmanager
def scratch(*tables: str) -> Iterator[sqlite3.Connection]:
    """A database with these tables, each in the words of SQL; it is there as long as the context lasts.

    >>> with scratch("CREATE TABLE seen (word TEXT PRIMARY KEY)") as database:
    ...     fresh = [database.execute("INSERT OR IGNORE INTO seen VALUES (?)", word).rowcount for word in "aba"]
    >>> fresh
    [1, 1, 0]
    """
    try:
        with closing(sqlite3.connect("", isolation_level=None)) as database:
            database.execute(f"PRAGMA cache_size = -{_HELD}")
            database.execute("PRAGMA journal_mode = OFF")  # nothing is ever taken back
            for table in tables:
                database.execute(table)
            database.execute("BEGIN")
            yield database
    except sqlite3.Error as error:
        raise ChoraleError(
            f"the temporary file for what does not fit into memory cannot be used: {error}; is there room? TMPDIR "
            "names another folder for it"
        ) from None
