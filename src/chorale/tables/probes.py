"""Changes of a question and its table of which it is known what is right: see `domain.probes`.

    names        a name that the question mentions is another one, in question, table and answer
    order        the columns stand in another order
    column       there is one more column, with a header and cells that mean nothing
    rows         there are more rows, with names that nobody asks for; only where the program looks rows up by names
    shuffled     the rows stand in another order; only where neither question nor program looks at it
    others       cells are others that neither question nor program looks at
    followed     cells are others that the program looks at: what it says now is right, and nothing else

Nothing is changed as the search does it, which rearranges columns (`variants`): what is put in is made up, and its
seeds are of its own. What a program says of a changed table is only asked where the question alone does not tell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random

import numpy as np

from chorale.domain.json_lines import Example
from chorale.domain.probes import Changed, Probes
from chorale.domain.reading import Reading
from chorale.domain.utterance import Answer, Utterance
from chorale.errors import ChoraleError
from chorale.language import Program, read_program, run
from chorale.language.terms import subterms
from chorale.tables.asked import Asked
from chorale.tables.costs import costs_of
from chorale.tables.english import AUXILIARIES, FAMILIES, LIGHT, PASSED, QUESTION_WORDS, SUPERLATIVES, TRIGGERS
from chorale.tables.language import TableLanguage
from chorale.tables.linking import Linking
from chorale.tables.matching import TableAnswers
from chorale.tables.table import Table
from chorale.tables.words import stems, words

_SEED = "probes"
_NAME = re.compile(r"[A-Z][a-z]{2,}(?: [A-Z][a-z]+)*")
_NUMBER = re.compile(r"\D?\d+(?:[.,]\d+)*\D?")
_DIGITS = re.compile(r"\d+")
_LONG = re.compile(r"(\d{2})(\d+)")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_ATTEMPTS = 20
_NO_NAMES = LIGHT | PASSED | SUPERLATIVES | AUXILIARIES | QUESTION_WORDS | frozenset(FAMILIES).union(*TRIGGERS.values())
_OF_COLUMNS = frozenset({"column", "columns", "left", "leftmost", "rightmost"})
"""Words of questions that look at the order of columns,"""
_OF_ROWS = frozenset({
    "first", "last", "next", "previous", "after", "before", "above", "below", "consecutive", "consecutively", "top",
    "bottom", "row", "rows", "list", "listed", "final", "following", "preceding", "prior", "start", "end",
    "earliest", "latest", "second", "third", "fourth", "fifth", "sequence", "between",
})  # fmt: skip
"""and of those that may look at that of rows."""
_IN_ORDER = frozenset({
    "first", "last", "first_few", "last_few", "nth", "nth_from_last", "next_row", "previous_row", "above", "below",
    "longest_run", "from_first_to_last",
})  # fmt: skip
"""Functions that look at the order of rows."""
_LOOK_UP = frozenset({
    "look_up", "cells", "items", "number", "rows_where", "rows_where_both", "rows_where_all_three", "equals",
    "contains", "has_item", "pair", "pair_where", "difference", "is_more", "is_less", "is_equal", "compare",
    "which_has_more", "which_has_less",
})  # fmt: skip
"""Functions that say the same however many other rows there are."""
_ADDED_ROWS = 3


class TableProbes(Probes):
    """What can be changed about questions over tables."""

    kinds = ("names", "order", "column", "rows", "shuffled", "others", "followed")

    def changed(self, utterance: Utterance, reading: Reading) -> Iterator[Changed]:
        if len(utterance.contexts) != 1 or not len(utterance.contexts[0]) or utterance.answers[0] is None:
            return
        asked = _Question(utterance, reading.program)
        changes: Sequence[Callable[[Random], tuple[str, Table, Answer] | None]] = (
            asked.names,
            asked.order,
            asked.column,
            asked.rows,
            asked.shuffled,
            asked.others,
            asked.followed,
        )
        for kind, change in zip(self.kinds, changes, strict=True):
            altered = change(Random(f"{_SEED}/{kind}/{utterance.sentence}/{asked.table.digest}"))
            if altered is not None:
                sentence, table, answer = altered
                yield Changed(kind, Example(f"{utterance.identifier}/{kind}", sentence, (table,), (answer,)))


class _Question:
    """A question, its table, its right answer, and the program that gave it."""

    def __init__(self, utterance: Utterance, program: Program) -> None:
        self.sentence, self.program = utterance.sentence, program
        self.table: Table = utterance.contexts[0]
        self.answer: Answer = utterance.answers[0]
        self.words = frozenset(words(self.sentence))
        self.functions = {part.name for term in subterms(program.term) for part in term.parts}
        self.linking = Linking(Asked(self.sentence), self.table)

    # -- of which the answer tells what is right -----------------------------------------------------------------------

    def names(self, random: Random) -> tuple[str, Table, Answer] | None:
        """The longest name in the question becomes another."""
        texts = {cell for row in self.table.rows for cell in row if _NAME.fullmatch(cell)}
        headers = frozenset(word for name in self.table.header for word in words(name))
        fit = [
            name
            for name in sorted(texts, key=lambda it: (-len(it), it))
            if _pattern(name).search(self.sentence) and not (set(words(name)) & (_NO_NAMES | headers))
        ]
        if not fit:
            return None
        new = " ".join(self._word(random).capitalize() for _ in fit[0].split())
        rename = _Renaming(fit[0], new)
        table = self._with_rows([list(map(rename, row)) for row in self.table.rows])
        values = self.answer if isinstance(self.answer, tuple) else (self.answer,)
        answer = tuple(rename(it) if isinstance(it, str) else it for it in values)
        return rename(self.sentence), table, answer

    def order(self, random: Random) -> tuple[str, Table, Answer] | None:
        if self.table.width < 2 or self.words & _OF_COLUMNS:
            return None
        places = list(range(self.table.width))
        while places == sorted(places):
            random.shuffle(places)
        rows = [[row[place] for place in places] for row in self.table.rows]
        notations = {places.index(place): it for place, it in self.table.notations.items()}
        return self.sentence, Table([self.table.header[it] for it in places], rows, notations=notations), self.answer

    def column(self, random: Random) -> tuple[str, Table, Answer] | None:
        if self.words & _OF_COLUMNS:
            return None
        header, is_text = self._word(random).capitalize(), random.random() < 0.5
        cells = [self._word(random).capitalize() if is_text else self._number(4, random) for _ in self.table.rows]
        rows = [[*row, cell] for row, cell in zip(self.table.rows, cells, strict=True)]
        return self.sentence, Table([*self.table.header, header], rows, notations=self.table.notations), self.answer

    # -- of which the program tells it ---------------------------------------------------------------------------------

    def rows(self, random: Random) -> tuple[str, Table, Answer] | None:
        """The new rows stand at the end, and have numbers where others have some."""
        if not self.functions - set(self._constants) <= _LOOK_UP or self.table.total.any():
            return None
        last = self.table.rows[-1]
        added = [[self._other(cell, random) for cell in last] for _ in range(_ADDED_ROWS)]
        return self._if_it_stays(self._with_rows([*self.table.rows, *added]))

    def shuffled(self, random: Random) -> tuple[str, Table, Answer] | None:
        if self.functions & _IN_ORDER or self.words & _OF_ROWS:
            return None
        kept = [it for it, is_total in enumerate(self.table.total) if not is_total]
        places = random.sample(kept, len(kept))
        if places == kept:
            return None
        new = dict(zip(kept, places, strict=True))
        return self._if_it_stays(self._with_rows([self.table.rows[new.get(it, it)] for it in range(len(self.table))]))

    def others(self, random: Random) -> tuple[str, Table, Answer] | None:
        """All cells of the columns that nobody looks at, with others like them."""
        free = [place for place in range(self.table.width) if place not in self._looked_at | self._mentioned]
        if not free:
            return None
        table = self._with_cells(free, random)
        return self._if_it_stays(table) if table != self.table else None

    def followed(self, random: Random) -> tuple[str, Table, Answer] | None:
        """Cells of a column that the program looks at and the question does not name any cell of."""
        columns = sorted(self._looked_at - self._with_spans - {self.table.total_label})
        if not columns:
            return None
        table = self._with_cells(columns, random)
        said = self._said(table)
        if said is None or TableAnswers().agrees(said, self.answer):
            return None
        return self.sentence, table, said

    def _if_it_stays(self, table: Table) -> tuple[str, Table, Answer] | None:
        """The table, if the program says of it what is right."""
        said = self._said(table)
        if said is None or not TableAnswers().agrees(said, self.answer):
            return None
        return self.sentence, table, self.answer

    def _said(self, table: Table) -> Answer | None:
        """What the program says of another table; None if it names what is not there."""
        constants = costs_of(Asked(self.sentence), table).constants
        language = TableLanguage([table]).with_constants(constants)
        try:
            [said] = run(read_program(self.program.text, language), language)
        except ChoraleError:
            return None
        answer: Answer | None = said
        return answer

    # -- which columns are looked at -----------------------------------------------------------------------------------

    @property
    def _constants(self) -> frozenset[str]:
        return frozenset(self.program.grammar.signature) - frozenset(TableLanguage.grammar.signature)

    @property
    def _looked_at(self) -> frozenset[int]:
        """The columns that the program names, and the one that says which rows are totals."""
        bound = costs_of(Asked(self.sentence), self.table).constants
        sources = set() if self.table.total_label is None else {self.table.total_label}
        for name in self.functions & set(bound):
            kind, value = bound[name]
            if str(kind) == "View":
                sources.add(self.table.columns[self.table.views[int(value)].column].source)
            elif str(kind) == "Column":
                sources.add(self.table.columns[int(value)].source)
        return frozenset(sources)

    @property
    def _with_spans(self) -> frozenset[int]:
        """The columns of which the question names a cell, or a part of one, or a number that they have."""
        named = {span.stems for span in self.linking.spans}
        numbers = {number.value for number in self.linking.asked.numbers.values()}
        sources = set()
        for column in self.table.columns:
            is_named = any(column.values.having(it) for it in named)
            if is_named or any(np.isin(column.read(kind), list(numbers)).any() for kind in column.values.kinds):
                sources.add(column.source)
        return frozenset(sources)

    @property
    def _mentioned(self) -> frozenset[int]:
        """These, and those whose names share a word with the question."""
        asked = {stem for word in self.words - PASSED for stem in stems(word)}
        named = {place for place, name in enumerate(self.table.header) if asked & set(stems(name))}
        return self._with_spans | named

    # -- what is put in ------------------------------------------------------------------------------------------------

    def _with_rows(self, rows: Sequence[Sequence[str]]) -> Table:
        return Table(self.table.header, rows, notations=self.table.notations)

    def _with_cells(self, columns: Iterable[int], random: Random) -> Table:
        """Other cells in some columns; those that were equal stay equal, those that were not stay different."""
        cells = [list(row) for row in self.table.rows]
        for column in columns:
            new: dict[str, str] = {}
            for row in cells:
                if row[column] not in new:
                    new[row[column]] = self._other(row[column], random, frozenset(new.values()))
                row[column] = new[row[column]]
        return self._with_rows(cells)

    def _other(self, cell: str, random: Random, taken: frozenset[str] = frozenset()) -> str:
        """A cell of the same make that is not taken: another number, or words that mean nothing.

        In dates and the like only long numbers change, and only behind: a year stays a year.
        """
        for attempt in range(_ATTEMPTS):
            if _NUMBER.fullmatch(cell):
                longer = attempt > _ATTEMPTS // 2  # there are few numbers of one digit
                text = _DIGITS.sub(lambda match: self._number(len(match[0]) + longer, random), cell)  # noqa: B023
            elif _DIGITS.search(cell):
                text = _LONG.sub(lambda match: match[1] + self._number(len(match[2]), random), cell)
            else:
                text = _LETTERS.sub(lambda match: _cased(self._word(random), match[0]), cell)
            if text not in taken and not set(words(text)) & self.words:
                return text
        return cell

    @staticmethod
    def _number(length: int, random: Random) -> str:
        """So many digits, of which the first is not zero."""
        return str(random.randrange(10 ** (length - 1), 10**length))

    def _word(self, random: Random) -> str:
        """A word that neither the question nor the table has, without an ending that stems lose."""
        known = self.words | {word for name in self.table.header for word in words(name)}
        while True:
            text = "".join(random.choice("bdfgklmnprtvz") + random.choice("aou") for _ in range(random.choice((3, 4))))
            if text not in known:
                return text


class _Renaming:
    """One name instead of another, wherever it stands; as small or as large as it stood there."""

    def __init__(self, old: str, new: str) -> None:
        self._find, self._new = _pattern(old), new

    def __call__(self, text: str) -> str:
        return self._find.sub(lambda match: self._new if match[0] != match[0].lower() else self._new.lower(), text)


def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)


def _cased(word: str, like: str) -> str:
    return word.capitalize() if like[0].isupper() else word
