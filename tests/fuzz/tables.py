"""Tables and questions as strangers send them: what is read is a table, which can be asked about and written again."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from pathlib import Path

from tests.tables.reading.test_databases import made

from chorale.domain import Unlabelled
from chorale.errors import ChoraleError
from chorale.language import Program, run
from chorale.tables.codec import TableCodec
from chorale.tables.domain import Tables
from chorale.tables.questions import read as read_questions
from chorale.tables.reading import Options, read_table
from chorale.tables.sql.compiler import sql_of
from chorale.tables.sql.running import run_sql
from chorale.tables.table import Table

CSV = (
    b'City,Country,People\nOst,Norland,"1,200"\nMel,Sudland,700\nVin,Norland,90\n',
    b"Sales 2024\n\nDay;Sum;Ok\n03.05.2024;1.234,5;ja\n04/05/2024;7 %;\n",
    'Name\tBorn\r\n"Ann""a"\t5 May 1990\r\nZoë\tc. 1850\r\n'.encode("utf-16"),
    b"a|b\n1|2|3\n\xe4|\n",
)
_QUESTIONS = b"id\tutterance\tcontext\ttargetValue\nnt-0\twhich cities?\tt.csv\tOst|Mel\nnt-1\thow many?\tt.csv\t3\n"


def delimited() -> list[bytes]:
    return list(CSV)


def read_delimited(folder: Path, content: bytes) -> None:
    path = folder / "t.csv"
    path.write_bytes(content)
    _used(read_table(path))


@cache
def _files(folder: Path) -> tuple[bytes, ...]:
    there = folder / "made"
    there.mkdir(exist_ok=True)
    return tuple(path.read_bytes() for path in made(there).values())


def databases(folder: Path) -> list[bytes]:
    """A workbook, and a file each of SQLite, DuckDB and Parquet."""
    return list(_files(folder))


def read_database(folder: Path, content: bytes) -> None:
    path = folder / "t"
    path.write_bytes(content)
    has_one = content.startswith(b"PAR1")
    _used(read_table(path, Options(table=None if has_one else "people")))


def questions() -> list[bytes]:
    return [_QUESTIONS, _QUESTIONS.replace(b"\n", b"\r\n")]


def read_of_questions(folder: Path, content: bytes) -> None:
    (folder / "t.csv").write_bytes(CSV[0])
    path = folder / "q.tsv"
    path.write_bytes(content)
    read_questions(path)


def _used(table: Table) -> None:
    """What anybody does with a table."""
    assert all(len(row) == len(table.header) for row in table.rows)
    codec, domain = TableCodec(), Tables()
    again = codec.from_json(codec.to_json(table))
    assert (again.header, again.rows) == (table.header, table.rows)
    bound = domain.bind("tables", Unlabelled("how many?", (table,)), [table])
    program = Program.parse("count(all_rows)", bound.grammar)
    assert run(program, bound)
    with suppress(ChoraleError):
        run_sql(sql_of(program, table), table)
