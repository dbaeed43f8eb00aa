"""Altered copies of a table: each column is rearranged by itself, and a quarter of its cells are drawn anew from it.

Programs that give the same answer on a table by luck give different ones on its copies. Columns keep their values,
hence their types and views; only what stands beside what is changed, and how often. A row that says "total" stays
where it is.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from chorale.tables.table import Table

DRAWN_ANEW = 0.25
_FEW = 3  # rows; of so few none is drawn anew, or hardly anything would be left


def variants(table: Table, count: int, seed: int) -> list[Table]:
    """So many altered copies, the same ones for the same seed; the first few are the same however many there are.

    >>> table = Table(["Name", "Age"], [["Anna", "31"], ["Bert", "27"], ["Cleo", "45"]])
    >>> [copy.rows for copy in variants(table, 2, seed=0)]
    [(('Cleo', '31'), ('Bert', '27'), ('Anna', '45')), (('Cleo', '31'), ('Anna', '45'), ('Bert', '27'))]
    """
    rng = np.random.default_rng(seed)
    chances = rng.random((count, 3, table.width, len(table)))
    places = _rearranged(chances, np.arange(len(table)))
    if (label := table.total_label) is not None:
        others = np.flatnonzero(~table.total)
        places[:, label] = np.arange(len(table))
        places[:, label, others] = _rearranged(chances[:, :, label, others], others)
    return [table.altered(one) for one in places]


def _rearranged(chances: NDArray[np.float64], rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """Which of these rows each cell comes from, (copy, ..., row), by three chances for each, (copy, 3, ..., row)."""
    order, coin, drawn = chances[:, 0], chances[:, 1], chances[:, 2]
    places = rows[order.argsort(axis=-1)]
    if len(rows) <= _FEW:
        return places
    return np.where(coin < DRAWN_ANEW, rows[(drawn * len(rows)).astype(np.intp)], places)
