"""Ask a table questions and check the answers: python examples/ask_a_table.py FOLDER

The table has semicolons, decimal commas and days before months, as people keep them. Each answer stands beside the
program that it comes from; the last question asks for what the table does not have.
"""

from __future__ import annotations

import sys
from pathlib import Path

import chorale

TABLE = """
Item;Kind;Seller;Sold on;Price
Wall clock;Home;Mira;04.05.2025;18,50
Brass lamp;Home;Jonas;11.05.2025;42,00
Comic books;Books;Mira;25.05.2025;12,00
Record player;Music;Pia;25.05.2025;85,00
Tea cups;Home;Jonas;01.06.2025;9,50
Road atlas;Books;Pia;22.06.2025;4,00
"""
QUESTIONS = (
    "How much did the record player cost?",
    "What is the second most expensive item?",
    "Which item is the cheapest?",
    "What colour is the wall clock?",
)


def main(folder: Path) -> None:
    """Write the table, ask, and write a page that marks the rows of the first answer."""
    table = folder / "market.csv"
    table.write_text(TABLE.lstrip(), encoding="utf-8")
    replies = chorale.load("tables").ask(table, QUESTIONS)
    print("\n".join(replies[0].notes))
    for reply in replies:
        print(f"\n{reply.question}\n  {reply.text}, {reply.confidence:.0%} sure\n  {reply.program}")
        for reason in reply.reasons:
            print(f"  but {reason}")
    (folder / "why.html").write_text(replies[0].explain().html(), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
