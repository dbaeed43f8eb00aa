"""Tables as people have them: CSV, workbooks, databases, frames; what was unsure is said."""

from chorale.tables.reading.files import read_table, table_of
from chorale.tables.source import Note, Options, Source

__all__ = ["Note", "Options", "Source", "read_table", "table_of"]
