"""The part of the demo about tables: three questions to a small CSV file inside the package."""

from __future__ import annotations

from importlib.resources import as_file, files

from chorale.cli.output import say
from chorale.model import load
from chorale.report.tables import aligned_text
from chorale.tables.reading.files import read_table

FILE = "market.csv"
QUESTIONS = (
    "How much did the record player cost?",
    "What is the third most expensive item?",
    "How many German items are there?",
)
_SHOWN = 4  # rows


def ask_a_table() -> None:
    """Show the beginning of the table, and each answer with the program that it comes from."""
    with as_file(files("chorale.tables") / FILE) as path:
        table = read_table(path)
        say(aligned_text([list(table.header), *map(list, table.rows[:_SHOWN])]))
        say(f"... {len(table)} rows")
        for reply in load("tables").ask(table, QUESTIONS):
            say(f"\n  {reply.question}\n  {reply.text}, {reply.confidence:.0%} sure\n  read as: {reply.plain}")
            say(f"  {reply.program}", "faint")
