"""Tables with one row less: the rows that an answer hangs on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from chorale.tables.table import Table


class WithoutRows:
    """Leaves out each row in turn. Columns keep their types, and programs the names that they use."""

    def each(self, context: Table) -> Iterator[tuple[int, Table]]:
        """The place of each row, from zero, and the table without it.

        >>> table = Table(["Name"], [["Anna"], ["Bert"]])
        >>> [(place, one.rows) for place, one in WithoutRows().each(table)]
        [(0, (('Bert',),)), (1, (('Anna',),))]
        """
        rows = np.arange(len(context))
        for row in range(len(context) if len(context) > 1 else 0):
            yield row, context.altered(np.tile(np.delete(rows, row), (context.width, 1)))
