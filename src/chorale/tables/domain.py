"""Questions over tables as a `Domain`: the one door through which the rest of Chorale sees them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from copy import copy
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from chorale.domain import Answer, Domain, Doubt, Utterance, json_lines
from chorale.language.language import Language
from chorale.tables import questions
from chorale.tables.asked import Asked
from chorale.tables.codec import KeptTables, TableCodec
from chorale.tables.costs import TableCosts, costs_of
from chorale.tables.elsewhere import elsewhere
from chorale.tables.everyday.made import Everyday
from chorale.tables.language import Constants, TableLanguage
from chorale.tables.lexicon import TableLexicon
from chorale.tables.matching import TableAnswers
from chorale.tables.probes import TableProbes
from chorale.tables.proposing import TableProposing
from chorale.tables.queries import TableQueries
from chorale.tables.showing import TableShowing
from chorale.tables.spelling import slips
from chorale.tables.table import Table
from chorale.tables.tracing import TableTracing
from chorale.tables.variants import variants
from chorale.tables.without import WithoutRows
from chorale.tables.words import words


class Tables(Domain):
    """Questions about tables, each answered by cells, numbers or dates."""

    name = "tables"
    languages: ClassVar[Mapping[str, type[Language]]] = {"tables": TableLanguage}
    context_type = Table
    context_word = "table"
    answers = TableAnswers()
    codec = TableCodec()
    tracing = TableTracing()
    probes = TableProbes()
    queries = TableQueries()
    showing = TableShowing()
    synthesis = Everyday()
    without = WithoutRows()
    example = ("which city has the most people?", Table(["City", "People"], [["Ost", "1200"], ["Mel", "700"]]))
    stage = Path(__file__).parent / "stage"

    @cached_property
    def _made_files(self) -> questions.TableFiles:
        """Tables that were read; other processes read their own."""
        return questions.TableFiles()

    def read(self, path: Path, *, labels_required: bool = True) -> Sequence[Utterance]:
        """Questions with tabs if the name ends in .tsv, else JSON lines, which may name tables by their files."""
        if path.name.removesuffix(".gz").endswith(".tsv"):
            return questions.read(path, labels_required=labels_required, files=self._made_files)
        return json_lines.read(self._keeping(path.parent), path, labels_required=labels_required)

    def data_line(self, identifier: str, sentence: str, context: Table, answer: Answer) -> dict[str, Any]:
        """A table that has a file is named by it and by its hash."""
        return json_lines.line(self._keeping(Path()), identifier, sentence, [context], [answer])

    def _keeping(self, folder: Path) -> Tables:
        """The domain with tables that are named by their files, relative to a folder."""
        domain = copy(self)
        domain.codec = KeptTables(folder, self._made_files)
        return domain

    def words(self, sentence: str) -> list[str]:
        return words(sentence)

    def statement(self, sentence: str) -> str:
        """Questions are what programs answer."""
        return sentence

    def beyond(self, utterance: Utterance) -> Doubt | None:
        """A question about two tables."""
        return next(filter(None, (elsewhere(utterance.sentence, table) for table in utterance.contexts)), None)

    def slips(self, utterance: Utterance, is_known: Callable[[str], bool]) -> Mapping[str, str]:
        """Words that are nearly those of the table."""
        return slips(utterance.sentence, utterance.contexts[0], is_known) if utterance.contexts else {}

    def identity(self, utterance: Utterance) -> Hashable:
        return utterance.sentence, self.topic(utterance)

    def topic(self, utterance: Utterance) -> tuple[Table, ...]:
        return tuple(utterance.contexts)

    def variants(self, utterance: Utterance | None, count: int, seed: int) -> list[Table]:
        """Altered copies of the utterance's table; without an utterance there is nothing to alter."""
        tables = () if utterance is None else utterance.contexts
        if not tables:
            return []
        each = [variants(table, -(-count // len(tables)), seed) for table in tables]
        return [copies[number] for number in range(len(each[0])) for copies in each][:count]

    # -- programs ------------------------------------------------------------------------------------------------------

    def constants(self, utterance: Utterance) -> Constants:
        """The columns of its table, and the words and numbers of the question."""
        found: Constants = {}
        for table in utterance.contexts[:1]:
            found = costs_of(Asked(utterance.sentence), table).constants
        return found

    def costs(self, language: str, utterance: Utterance) -> TableCosts:
        return costs_of(Asked(utterance.sentence), questions.table_of(utterance))

    def proposing(self, language: str) -> TableProposing:
        return TableProposing()

    def lexicon(self, language: str) -> TableLexicon:
        return TableLexicon()
