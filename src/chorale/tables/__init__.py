"""Questions over tables: what cells are, tables and their altered copies, and how answers are compared."""

from chorale.tables.matching import TableAnswers
from chorale.tables.stack import Stack
from chorale.tables.table import Column, Table, View

__all__ = ["Column", "Stack", "Table", "TableAnswers", "View"]
