"""Programs over tables as queries in DuckDB's dialect, which run as they are printed on the table's own file.

A query is made for its table: it names the cells that the words of a question mean there, and reads numbers and dates
in the way that fits the cells. Only running it needs duckdb (extra `tables`).
"""

from chorale.tables.sql.compiler import Query, sql_of
from chorale.tables.sql.expressions import NoSqlError
from chorale.tables.sql.running import answer_of, run_sql

__all__ = ["NoSqlError", "Query", "answer_of", "run_sql", "sql_of"]
