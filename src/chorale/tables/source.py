"""Where a table comes from: the file, how it was asked to be read and how it was read, and what was unsure about it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from chorale.errors import ChoraleError, unknown

Format = Literal["delimited", "workbook", "parquet", "duckdb", "sqlite"]


@dataclass(frozen=True)
class Options:
    """How to read a file of which the reader would have to guess; None leaves it to the reader."""

    table: str | None = None
    """Which table or sheet, where a file has several."""
    separator: str | None = None
    """What stands between cells: one character."""
    header: bool | None = None
    """Whether the first line names the columns."""
    decimal_comma: bool | None = None
    """Whether 1.200,50 is twelve hundred and a half."""
    day_first: bool | None = None
    """Whether 3/12/1998 is in December."""
    encoding: str | None = None
    """How letters are written as bytes: utf-8, cp1252, utf-16 ..."""

    def __post_init__(self) -> None:
        if self.separator is not None and (len(self.separator) != 1 or self.separator in '"\r\n\0\\'):
            raise ChoraleError(
                f"separator: expected one character such as , ; | or a tab; found {self.separator!r:.20}"
            )

    def given(self) -> dict[str, Any]:
        """Those that leave nothing to the reader, as JSON has them."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    @classmethod
    def from_json(cls, value: Any) -> Options:
        """What `given` gave."""
        if not isinstance(value, dict):
            raise ChoraleError(f"options: expected an object; found {value!r:.40}")
        for name, option in value.items():
            wanted: Any = _TYPES.get(name)
            if wanted is None:
                raise ChoraleError(f"options: {name!r:.40}: {unknown(str(name), _TYPES)}")
            if not isinstance(option, wanted):
                raise ChoraleError(f"options: {name}: expected {wanted.__name__}; found {option!r:.40}")
        return cls(**value)


_TYPES = {
    "table": str, "separator": str, "header": bool, "decimal_comma": bool, "day_first": bool, "encoding": str
}  # fmt: skip


@dataclass(frozen=True)
class Note:
    """Something about a table that could have been read otherwise, and how it was read."""

    text: str
    option: str = ""
    """The field of `Options` that says how it is meant; empty if none does."""
    value: str | bool = True
    """What that option would be otherwise."""

    @property
    def flag(self) -> str:
        """The same on the command line.

        >>> Note("", "day_first").flag, Note("", "header", False).flag, Note("", "separator", ";").flag
        ('--day-first', '--no-header', "--separator ';'")
        """
        name = self.option.replace("_", "-")
        if not name:
            return ""
        if isinstance(self.value, bool):
            return f"--{name}" if self.value else f"--no-{name}"
        return f"--{name} {self.value!r}"

    def __str__(self) -> str:
        return f"{self.text}; otherwise: {self.flag}" if self.option else self.text


@dataclass(frozen=True)
class Source:
    """A file, and how a table was read from it: what somebody needs who reads it by other means."""

    path: Path
    format: Format
    options: Options = field(default_factory=Options)
    """What was asked for."""
    table: str = ""
    """The table or sheet that was read, if the format has several."""
    others: tuple[str, ...] = ()
    """The other tables or sheets of the file."""
    separator: str = ""
    encoding: str = ""
    has_header: bool = True
    first_line: int = 1
    """The line of the header, or of the first row if there is none; what stands above is a title."""
    escape: str = '"'
    """What stands before a quote that is a part of a cell."""
    width: int = 0
    """The most cells that a record has."""
    is_even: bool = True
    """Whether all records have as many cells, and no line stands above the header."""
    has_blanks: bool = False
    """Whether records without anything in them were left out."""
    is_spaced: bool = False
    """Whether blanks behind separators were left out."""
    types: tuple[str, ...] = ()
    """The type of each column, as a database has it."""
