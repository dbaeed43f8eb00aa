"""How much of a table is read. All limits of all formats are here."""

from __future__ import annotations

from chorale.errors import ChoraleError

MOST_BYTES = 1 << 30
"""The largest file of texts or workbook, unpacked."""
MOST_ROWS = 2_000_000
MOST_COLUMNS = 1_000
MOST_CELLS = 40_000_000
MOST_LETTERS = 131_072
"""The longest cell."""
MOST_STEPS = 400_000_000
"""The instructions that SQLite may spend on reading a table: what strangers call a table may be an endless query."""

MOST_SECONDS = 30.0
"""The same for DuckDB, which counts no steps."""
MOST_MEMORY = "2GB"
"""What DuckDB may take; it writes nothing to the disk."""


def refused(where: object, what: str, most: int) -> ChoraleError:
    """What to say of a table that is too large."""
    return ChoraleError(f"{where}: more than {most:,} {what}, which is the most that is read; use a part of it")
