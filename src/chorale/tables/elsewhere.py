"""What a table has no answer to, as plain words tell: another table, something to do, another language."""

from __future__ import annotations

from collections.abc import Iterator

from chorale.domain.reading import Doubt
from chorale.tables.english import COMMANDS, DONE_TO, ELSEWHERE, FOREIGN, FOREIGN_QUESTIONS, REQUESTS
from chorale.tables.table import Table
from chorale.tables.words import stem, stems, words


def elsewhere(sentence: str, table: Table) -> Doubt | None:
    """Why a question is not about this table, unless something in it is called so; None if it may be."""
    found = (*_other_tables(sentence, table), *_tasks(sentence, table), *_languages(sentence, table))
    return next(iter(found), None)


def _other_tables(sentence: str, table: Table) -> Iterator[Doubt]:
    asked = f" {' '.join(stems(sentence))} "
    for other in table.source.others if table.source else ():
        name = " ".join(stems(other))
        if name and f" {name} " in asked and not _is_here(name, table):
            yield Doubt("elsewhere", f"{other!r:.60} is another table of this file; a question is about one table")


def _tasks(sentence: str, table: Table) -> Iterator[Doubt]:
    asked = words(sentence)
    first, second = (*asked, "", "")[:2]
    is_request = first in REQUESTS and (second in DONE_TO or asked[-2:] == ["for", "me"])
    wrong = [first] * (first in COMMANDS or is_request) + [word for word in asked if word in ELSEWHERE]
    for word in wrong:
        if not _is_here(stem(word), table):
            yield Doubt("task", f"{word!r} asks for something to be done; only questions about the table are answered")


def _languages(sentence: str, table: Table) -> Iterator[Doubt]:
    other = [
        word for word in words(sentence) if word in FOREIGN | FOREIGN_QUESTIONS and not _is_here(stem(word), table)
    ]
    if len(other) > 1 or "¿" in sentence or not FOREIGN_QUESTIONS.isdisjoint(other):
        said = " ".join(other) or sentence
        yield Doubt("language", f"{said!r:.60} is not English; only questions in English are understood")


def _is_here(name: str, table: Table) -> bool:
    """Whether the table, a column or a cell has these words."""
    own = [table.source.table if table.source else "", *table.header]
    if any(f" {name} " in f" {' '.join(stems(text))} " for text in own):
        return True
    return any(column.values.having(name) for column in table.columns)
