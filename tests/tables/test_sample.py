"""Large tables: programs are found on a few rows, and mean the same on all of them."""

import pickle
from itertools import product
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.tables.made_up import CITIES

from chorale.domain import Unlabelled
from chorale.language.execution import run
from chorale.search.stages import Stages
from chorale.tables import sampling
from chorale.tables.asked import Asked
from chorale.tables.costs import costs_of_links
from chorale.tables.domain import Tables
from chorale.tables.language import TableLanguage
from chorale.tables.linking import Linking
from chorale.tables.parts import Parts
from chorale.tables.proposing import TableCandidates
from chorale.tables.sample import Sample
from chorale.tables.table import Table
from chorale.tables.variants import variants

COUNT = 700
_CITIES = ["Oslo", "Rome", "Bergo", "Port Alba", "Kalm", "Vex", "Lund"]


def _orders() -> Table:
    """So many orders; a few cities are everywhere, one customer has two orders, one of them from Lund."""
    random = Random(0)
    rows = []
    for number in range(COUNT):
        month, city = 1 + random.randrange(12), random.choice(_CITIES)
        rows.append(
            [f"A-{number:04}", f"3 {'May' if month == 5 else 'June'} {1990 + number % 9}", city, str(number), ""]
        )
    for row, city in (311, "Lund"), (402, "Rome"):
        rows[row][2], rows[row][4] = city, "Zora Quist"
    return Table(["Order", "Date", "City", "Amount", "Customer"], rows)


ORDERS = _orders()


def _sample(question: str, table: Table = ORDERS) -> Sample:
    return sampling.sampled(Linking(Asked(question), table))


def _candidates(question: str, table: Table) -> TableCandidates:
    found = Tables().proposing("tables").propose(Unlabelled(question, (table,)), 3, 700)
    assert found is not None
    return found


def _right(question: str, wanted: object) -> bool:
    return bool(_candidates(question, ORDERS).right(wanted).any())  # type: ignore[arg-type]


# -- what a sample is --------------------------------------------------------------------------------------------------


@given(st.sets(st.integers(0, COUNT - 1), min_size=1, max_size=9).map(sorted))
def test_a_sample_reads_its_cells_as_the_whole_does(places: list[int]) -> None:
    chosen = np.array(places)
    sample = Sample(ORDERS, chosen)
    assert sample.rows == tuple(ORDERS.rows[place] for place in places)
    for own, whole in zip(sample.columns, ORDERS.columns, strict=True):
        assert [own.values.texts[it] for it in own.ids] == [whole.values.texts[it] for it in whole.ids[chosen]]
        assert (own.type, own.distinct, own.values.look) == (whole.type, whole.distinct, whole.values.look)
        assert own.values.whole_share == whole.values.whole_share
        assert [own.values.dates[it] for it in own.ids] == [whole.values.dates[it] for it in whole.ids[chosen]]
        np.testing.assert_array_equal(own.read("number"), whole.read("number")[chosen])
    for view, of_whole in zip(sample.views, ORDERS.views, strict=True):
        assert (view.column, view.kind) == (of_whole.column, of_whole.kind)
        np.testing.assert_array_equal(view.numbers, of_whole.numbers[chosen])


def test_a_sample_of_all_rows_is_searched_like_the_table_itself() -> None:
    question = "which country has the most people after 1990?"
    linking = Linking(Asked(question), CITIES)
    sample = Sample(CITIES, np.arange(len(CITIES)))
    found = []
    for one in (linking, linking.within(sample)):
        costs = costs_of_links(one)
        language = TableLanguage([one.table, *variants(one.table, 3, 0)]).with_constants(costs.constants)
        candidates = TableCandidates(Stages(language, costs), costs, language, 700)
        parts = Parts(candidates.stages, costs, language)
        programs = [candidates.reading(row).program.text for row in range(len(candidates.rows))]
        found.append((programs, candidates.priors().tolist(), parts.made, parts.rows.tolist()))
    assert found[0] == found[1]


def test_a_sample_differs_from_a_table_of_its_texts_and_survives_a_pickle() -> None:
    sample = _sample("how many orders are from oslo?")
    assert sample != Table(sample.header, sample.rows)
    again = pickle.loads(pickle.dumps(sample))
    assert again == sample
    assert hash(again) == hash(sample)


# -- which rows it has -------------------------------------------------------------------------------------------------


def test_a_sample_is_small_and_always_the_same() -> None:
    one, other = _sample("how many orders are from oslo?"), _sample("how many orders are from oslo?")
    assert len(one) == sampling.MOST
    assert one.rows == other.rows
    assert {ORDERS.rows[0], ORDERS.rows[-1]} <= set(one.rows)


def test_words_together_are_in_a_sample_if_they_are_anywhere() -> None:
    sample = _sample("how many orders does zora quist have in rome?")
    assert {311, 402} <= set(sample.chosen.tolist())
    cities = [row[2] for row in sample.rows]
    assert 10 < cities.count("Rome") < len(cities) - 10


def test_comparisons_have_rows_on_both_sides() -> None:
    assert {318, 319, 320} <= set(_sample("which order has an amount over 319?").chosen.tolist())


def test_rows_say_whether_a_value_is_common() -> None:
    rows = [[f"town {number}", "many" if number in (500, 600) else f"one {number}"] for number in range(COUNT)]
    sample = _sample("which kind is the most common?", Table(["Town", "Kind"], rows))
    assert [row[1] for row in sample.rows].count("many") == 2


# -- what is found on it -----------------------------------------------------------------------------------------------


def test_programs_are_right_by_what_they_say_of_the_whole() -> None:
    oslo = [row for row in ORDERS.rows if row[2] == "Oslo"]
    assert len(oslo) > sampling.MOST / 2
    assert _right("how many orders are from oslo?", float(len(oslo)))
    assert _right("what is the total amount in oslo?", float(sum(int(row[3]) for row in oslo)))
    assert _right("which order of zora quist is from lund?", ("A-0311",))
    assert _right("which order has an amount of 555?", ("A-0555",))
    in_may = sum("May 1993" in row[1] for row in ORDERS.rows)
    assert _right("how many orders were in may 1993?", float(in_may))


def test_a_program_of_a_sample_runs_on_the_whole() -> None:
    question = Unlabelled("how many orders are from oslo?", (ORDERS,))
    candidates = _candidates(question.sentence, ORDERS)
    bound = Tables().bind("tables", question, question.contexts)
    texts = [candidates.reading(row).program for row in range(len(candidates.rows))]
    counting = next(it for it in texts if it.text == """count(rows_where(equals("[City]", "'oslo'")))""")
    assert list(run(counting, bound)) == [sum(row[2] == "Oslo" for row in ORDERS.rows)]


def test_things_listed_in_many_cells_are_counted() -> None:
    names = ["".join(letters) for letters in product("bdfgklmn", "aeiou", "rst", "aeiou", "lmnp")]
    rows = [[f"recipe {number}", f"salt, flour, {name}"] for number, name in enumerate(names)]
    table = Table(["Recipe", "Needs"], rows)
    assert table.columns[1].values.kinds == ("items",)
    candidates = _candidates("how many recipes need kurip?", table)
    assert candidates.right(1.0).any()
