"""Programs for a question about a table, found in stages and told apart by altered copies of the table."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chorale.domain.candidates import Candidates, Flags, Proposing
from chorale.domain.reading import Reading
from chorale.domain.templates import Templates
from chorale.domain.utterance import Answer, Utterance
from chorale.language import Program
from chorale.search.stages import Stages, hashed
from chorale.tables import features
from chorale.tables.asked import Asked
from chorale.tables.costs import TableCosts, costs_of_links
from chorale.tables.language import TableLanguage
from chorale.tables.linking import Linking
from chorale.tables.parts import Parts
from chorale.tables.questions import table_of
from chorale.tables.right import Right
from chorale.tables.sample import Sample
from chorale.tables.sampling import is_large, sampled
from chorale.tables.table import Table
from chorale.tables.variants import variants

SEED = 0
"""Of the altered copies that tell meanings apart; others judge (`probes`)."""

_REMEMBERED = 256  # tables


class TableProposing(Proposing):
    """Programs over tables."""

    templates: Templates = features.TEMPLATES

    def propose(self, utterance: Utterance, copies: int, most: int) -> TableCandidates | None:
        table = table_of(utterance)
        if not len(table):
            return None
        linking = Linking(Asked(utterance.sentence), table)
        if is_large(table):
            linking = linking.within(sampled(linking))
        costs = costs_of_links(linking)
        language = _language_of(linking.table, copies).with_constants(costs.constants)
        found = TableCandidates(Stages(language, costs), costs, language, most)
        return found if len(found.rows) else None


@lru_cache(_REMEMBERED)
def _language_of(table: Table, copies: int) -> TableLanguage:
    """The language over a table and its altered copies, which people ask more than one question about."""
    return TableLanguage([table, *variants(table, copies, SEED)])


class TableCandidates(Candidates):
    """The programs of one question."""

    def __init__(self, stages: Stages, costs: TableCosts, language: TableLanguage, most: int) -> None:
        self.stages, self.costs, self.language = stages, costs, language
        found = stages.whole_programs
        self.rows = found.rows[:most]
        self.values, self._costs, self._says = found.values[:most], found.costs[:most], found.says[:most]

    @property
    def table(self) -> Table:
        return self.costs.linking.table

    @cached_property
    def _made(self) -> Parts:
        return Parts(self.stages, self.costs, self.language)

    @property
    def parts(self) -> list[Any]:  # type: ignore[override]
        return self._made.made

    @property
    def programs(self) -> NDArray[np.int32]:  # type: ignore[override]
        return self._made.rows[: len(self.rows)]

    def priors(self) -> NDArray[np.float64]:
        return -self._costs

    def answers(self) -> NDArray[np.intp]:
        """By what is said of the table itself."""
        said = np.zeros(
            len(self.values),
            [("tag", "u1"), ("column", "i2"), ("number", "f8"), ("values", "u1", self.values["values"].shape[2])],
        )
        said["tag"], said["column"] = self.values["tag"], self.values["column"]
        said["number"], said["values"] = self.values["number"][:, 0], self.values["values"][:, 0]
        return np.unique(hashed(said), return_inverse=True)[1]

    def words(self) -> list[str]:
        return self._made.sentence.abstract

    def right(self, wanted: Answer) -> Flags:
        """By what is said of the whole table, if programs were found on a sample of it."""
        if not isinstance(self.table, Sample):
            return Right(self.language, wanted).of(self.values)
        language = _language_of(self.table.whole, 0).with_constants(self.costs.constants)
        values = [language.value(self.stages.program(row).term) for row in self.rows.tolist()]
        return Right(language, wanted).of(np.stack(values))

    def meant(self, program: str) -> Flags:
        """On the table and its altered copies."""
        wanted = self.language.value(Program.parse(program, self.language.grammar).term).tobytes()
        return np.array([value.tobytes() == wanted for value in self.values], bool)

    def reading(self, row: int) -> Reading:
        return Reading(
            self.stages.program(int(self.rows[row])),
            -float(self._costs[row]),
            meaning=row,
            unexplained=self.costs.unsaid(int(self._says[row])),
        )
