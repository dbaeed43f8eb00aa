"""Made-up tables and questions for tests."""

from functools import cache

from chorale.domain import Unlabelled
from chorale.tables.asked import Asked
from chorale.tables.costs import TableCosts, costs_of
from chorale.tables.domain import Tables
from chorale.tables.linking import Linking
from chorale.tables.proposing import TableCandidates
from chorale.tables.table import Table

CITIES = Table(
    ["City", "Country", "People", "Founded", "Sister city"],
    [
        ["Port Alba", "Norland", "2,800,000", "1 May 1991", "Vex"],
        ["Oster", "Sudland", "700,000", "3 May 1998", "Kalm"],
        ["Kalm", "Westreich", "130,000", "12 June 2001", "Oster"],
        ["Bergo", "Sudland", "280,000", "1 January 1995", ""],
        ["Vex", "Norland", "1,300,000", "2 May 1989", "Port Alba"],
    ],
)
MATCHES = Table(
    ["Year", "Opponent", "Score", "Crowd"],
    [
        ["1988", "Reds", "3-1", "12000"],
        ["1989", "Blues", "0-2", "9000"],
        ["1990", "Reds", "2-2", "15000"],
        ["1992", "Greens", "4-0", "9000"],
        ["1998", "Blues", "1-3", "20000"],
        ["2001", "Reds", "5-2", "7"],
    ],
)


def linked(sentence: str, table: Table = CITIES) -> Linking:
    """What a question names in a table."""
    return Linking(Asked(sentence), table)


def costs(sentence: str, table: Table = CITIES) -> TableCosts:
    """What programs for a question cost."""
    return costs_of(Asked(sentence), table)


@cache
def candidates(sentence: str, table: Table = CITIES, most: int = 700) -> TableCandidates:
    """The programs of a question."""
    found = Tables().proposing("tables").propose(Unlabelled(sentence, (table,)), 3, most)
    assert found is not None
    return found


def programs(sentence: str, table: Table = CITIES, most: int = 700) -> list[str]:
    """Their texts, the cheapest first."""
    found = candidates(sentence, table, most)
    return [found.reading(row).program.text for row in range(len(found.rows))]
