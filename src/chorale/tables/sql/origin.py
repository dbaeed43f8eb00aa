"""Where a query finds a table: the file that it was read from, or a table of its name if there is none."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from chorale.plumbing.files import STANDARD
from chorale.tables.quoting import literal, quoted, table_name
from chorale.tables.source import Source
from chorale.tables.sql.expressions import NoSqlError
from chorale.tables.table import Table

_NUMERIC = re.compile(r"U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|DOUBLE|FLOAT|DECIMAL\(.*\)")
_NESTED = ("STRUCT", "MAP", "UNION", "BLOB", "BIT")
_NONE = "\x1f"  # stands between the cells of a file with one column
_ENCODINGS = {"utf-8": "", "utf-8-sig": "", "ascii": "", "utf-16": "utf-16", "latin-1": "latin-1", "cp1252": "latin-1"}
_WTQ = Source(Path(), "delimited", separator=",", escape="\\")


@dataclass(frozen=True)
class Origin:
    """The relation that stands for a table."""

    table: Table

    @cached_property
    def source(self) -> Source | None:
        """How the table was read; None if it has no file that DuckDB could read."""
        if self.table.source is None:
            return None if self.table.path is None else _WTQ
        return None if self.table.source.format in {"workbook", "sqlite"} else self.table.source

    @property
    def path(self) -> Path | None:
        return self.table.path if self.table.source is None else self.table.source.path

    @cached_property
    def name(self) -> str:
        """What a query calls the table."""
        named = self.table.source.table if self.table.source else ""
        stem = "" if self.path is None or self.path == STANDARD else self.path.name.split(".")[0]
        return table_name(named or stem or "data")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The columns that stand in the table, as a query calls them: DuckDB ignores case."""
        taken: set[str] = set()
        names = []
        for column in self.table.columns[: self.table.width]:
            clean = "".join(letter if letter.isprintable() else "?" for letter in column.name)
            name, number = clean, 1
            while name.lower() in taken:
                number += 1
                name = f"{clean} ({number})"
            taken.add(name.lower())
            names.append(name)
        return tuple(names)

    @cached_property
    def types(self) -> tuple[str, ...]:
        """What the file says of each column: number, date, time of a day, text, or other."""
        declared = self.source.types if self.source else ()
        return tuple(map(_type, declared)) if declared else ("text",) * self.table.width

    @property
    def has_blank_texts(self) -> bool:
        """Whether an empty cell may be a text without letters: in files of texts there is none."""
        return self.source is None or self.source.format != "delimited"

    @cached_property
    def relation(self) -> str:
        """What stands behind FROM."""
        if list(self.names) == list(self.table.header) or self._is_explicit:
            return self.plain
        return f"{self.plain} AS {self.name}({', '.join(map(quoted, self.names))})"

    @property
    def _is_explicit(self) -> bool:
        """Whether a query must name the columns of a file of texts, since DuckDB would not find them."""
        source = self.source
        if source is None or source.format != "delimited":
            return False
        return not (source.is_even and source.has_header and source.separator)

    @property
    def is_file(self) -> bool:
        """Whether a query reads a file; else it finds a table of a name."""
        return self.source is not None and self.source.format != "duckdb"

    @property
    def rows(self) -> str:
        """The condition that rows with something in them fulfil, if there may be others."""
        source = self.source
        if source is None or source.format != "delimited":
            return ""
        if self.table.width == 1 and self.table.source is not None:
            return f"trim({quoted(self.names[0])}) <> ''"
        return "trim(concat(*COLUMNS(*))) <> ''" if source.has_blanks else ""

    @cached_property
    def plain(self) -> str:
        """The table or the call that reads it."""
        source = self.source
        if source is None:
            return quoted(self.table.source.table) if self.table.source and self.table.source.table else self.name
        match source.format:
            case "parquet":
                return f"read_parquet({literal(str(source.path))})"
            case "duckdb":
                schema, _, name = source.table.rpartition(".")
                return f"{quoted(schema)}.{quoted(name)}" if schema else quoted(name)
        return self._csv(source)

    def _csv(self, source: Source) -> str:
        """The call that reads a file of texts as it was read here."""
        assert self.path is not None
        path = "/dev/stdin" if self.path == STANDARD else str(self.path)
        if set("*?[") & set(path):
            raise NoSqlError(f"{path}: DuckDB reads names with *, ? or [ as patterns; rename the file")
        options = {"delim": literal(source.separator or _NONE), "quote": literal('"')}
        if any('"' in text for row in (self.table.header, *self.table.rows) for text in row):
            options["escape"] = literal(source.escape)
        options["header"] = "true" if source.has_header else "false"
        if source.first_line > 1:
            options["skip"] = str(source.first_line - 1)
        if encoding := self._encoding(source):
            options["encoding"] = literal(encoding)
        if not self._is_explicit:
            options["all_varchar"] = "true"
        else:
            columns = [*self.names, *(f"more {number}" for number in range(1, source.width - self.table.width + 1))]
            listed = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in columns)
            options |= {"auto_detect": "false", "columns": f"{{{listed}}}"}
            if not source.is_even:
                options |= {"null_padding": "true", "parallel": "false"}
        return f"read_csv({literal(path)}, {', '.join(f'{name} = {value}' for name, value in options.items())})"

    def _encoding(self, source: Source) -> str:
        """The encoding as DuckDB calls it, if it is not the usual one."""
        encoding = _ENCODINGS.get(source.encoding.lower().replace("_", "-")) if source.encoding else ""
        is_latin = encoding != "latin-1" or all(
            max(text, default="") < "\u0100" for row in (self.table.header, *self.table.rows) for text in row
        )
        if encoding is None or not is_latin or source.is_spaced:
            what = "blanks between separators and quotes" if source.is_spaced else f"the encoding {source.encoding}"
            raise NoSqlError(f"{self.path}: DuckDB does not read {what}; save the file as plain CSV in UTF-8")
        return encoding


def _type(declared: str) -> str:
    """What a type of DuckDB is to a query."""
    if _NUMERIC.fullmatch(declared):
        return "number"
    if declared.startswith(_NESTED) or declared.endswith("]"):
        return "nested"
    return {"VARCHAR": "text", "DATE": "date", "TIMESTAMP": "date"}.get(declared, "other")
