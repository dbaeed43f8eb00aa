"""What programs for a question cost: trigger words switch functions on, and words make constants."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables.made_up import CITIES, MATCHES, costs, linked
from tests.tables.tables import tables

from chorale.tables.costs import _TRIGGERED
from chorale.tables.english import TRIGGERS
from chorale.tables.language import TableLanguage
from chorale.tables.table import Table

PLAIN = "what is here"
SIGNATURE = TableLanguage.grammar.signature

# -- functions ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentence", "functions"),
    [
        ("which was not in 1998", {"rows_where_not", "rows_where_but_not", "is_empty", "is_filled"}),
        ("which do have a sister", {"is_empty"}),
        ("what came after it", {"above", "below"}),
        ("which is right behind", {"next_more", "next_less"}),
        ("who shared it", {"same_as"}),
        ("which exceed it", {"more_than", "less_than"}),
        ("what is the average", {"average"}),
        ("the longest streak", {"longest_run"}),
        ("which occurs twice", {"is_repeated", "occurs"}),
        ("what percentage won", {"percent_of_total", "percent_of_rows", "is_win"}),
        ("what about each of them", {"count_per", "total_per", "average_per", "shared"}),
        ("what was lost or drawn", {"is_loss", "is_draw"}),
        ("the top five", {"first_few", "last_few", "top", "bottom"}),
        ("the third of them", {"nth", "nth_from_last", "nth_most", "nth_least"}),
        ("is it larger", {"is_more", "is_less", "exists", "exists_where", "exists_where_both"}),
        ("is it the same", {"is_equal", "have_same"}),
        ("which is larger, this or that", {"which_has_more", "which_has_less"}),
        ("how many times as much", {"times_as_much", "times_as_many"}),
        ("how many are there", {"count_where", "count_where_both", "times_most_common"}),
        ("how long is it", {"times_most_common"}),
        ("which has the most", {"totals", "most_in_total", "least_in_total"}),
        ("which has the best average", {"averages", "most_on_average", "least_on_average"}),
        ("what are they combined", {"sum_of_columns"}),
        ("what is the difference", {"difference_of_columns"}),
    ],
)
def test_words_ask_for_functions_that_others_do_without(sentence: str, functions: set[str]) -> None:
    assert functions <= SIGNATURE.keys()
    assert functions <= costs(sentence).names.keys()
    assert not functions & costs(PLAIN).names.keys()


@pytest.mark.parametrize("trigger", sorted(_TRIGGERED))
def test_every_word_of_a_trigger_asks_for_all_of_its_functions(trigger: str) -> None:
    for word in TRIGGERS[trigger]:
        assert _TRIGGERED[trigger].items() <= costs(f"which {word} one").names.items(), word


def test_every_function_of_the_language_can_be_asked_for_but_one() -> None:
    words = " ".join(word for trigger in sorted(TRIGGERS) for word in sorted(TRIGGERS[trigger])[:1])
    asked = f"is difference average have top 5 third most number {words} times as letter b"
    table = Table(CITIES.header, [*CITIES.rows, ["Total", "", "5,210,000", "", ""]])
    found = costs(asked, table).names.keys()
    assert SIGNATURE.keys() - found == {"times_most_common"}
    assert "times_most_common" in costs("how many").names


@pytest.mark.parametrize(
    ("sentence", "few"),
    [
        ("the top five cities", True),
        ("the five largest cities", True),
        ("five cities", False),
        ("the top 26 cities", False),
        ("the top 2.5 cities", False),
        ("the top one", False),
    ],
)
def test_a_number_says_how_many_rows_only_beside_a_word_for_that(sentence: str, few: bool) -> None:
    assert ("first_few" in costs(sentence).names) == few


def test_totals_are_looked_at_only_where_there_are_any() -> None:
    total = Table(CITIES.header, [*CITIES.rows, ["Total", "", "5,210,000", "", ""]])
    assert "all_lines" in costs(PLAIN, total).names
    assert "all_lines" not in costs(PLAIN).names


def test_counts_are_cheap_if_they_are_asked_for() -> None:
    assert costs("how many are there").names["count"] < 0.5 < costs(PLAIN).names["count"]
    assert costs("how many are there").names["look_up"] > costs(PLAIN).names["look_up"]


def test_functions_of_results_say_their_word() -> None:
    assert costs("which games were lost to reds", MATCHES).says["is_loss"] == 1 << 3


# -- constants ---------------------------------------------------------------------------------------------------------


def test_columns_that_are_named_are_cheaper_and_parts_of_columns_dearer() -> None:
    names = costs("which city is it").names
    assert names["[City]"] < names["[Sister city]"] < names["[Country]"] == 0.0
    assert names["[month of Founded]"] == 0.0
    table = Table(["Place"], [["Rome, Italy"], ["Oslo, Norway"]])
    assert costs(PLAIN, table).names["[first part of Place]"] > 0.0


def test_views_are_cheaper_the_more_of_their_name_is_said() -> None:
    names = costs("which people", CITIES).names
    assert names["[People] as number"] < names["[Founded] as date"] == names["[Founded] as year"] == 0.0
    names = costs(PLAIN, MATCHES).names
    assert names["[Score] as second"] > names["[Score] as number"] == 0.0


def test_words_and_numbers_say_where_they_stand() -> None:
    found = costs("which city in norland has 3 or four people")
    assert found.says["'norland'"] == 1 << 3
    assert (found.says["3"], found.says["4"]) == (1 << 5, 1 << 7)
    assert found.names["3"] < found.names["4"]  # a number in words may be none
    assert {"'norland'", "3", "4"} <= found.constants.keys()


def test_a_decade_is_no_number_and_a_date_is_one_thing() -> None:
    found = costs("founded in the 1990s or in may 1998")
    assert found.says["1990s"] == 1 << 3
    assert found.says["1998-05-xx"] == 0b11 << 7
    assert "1990" not in found.names
    assert "1998" in found.names


def test_words_to_choose_from_are_constants_if_both_are_there() -> None:
    assert "more or less" in costs("was it more or less").names
    assert "more or less" not in costs("was it more").names


def test_a_number_that_is_there_twice_is_one_constant() -> None:
    assert costs("3 of 3").says["3"] == 1


def test_words_of_cells_and_numbers_should_be_said_but_no_stubs_and_no_light_words() -> None:
    found = costs("is port alba larger than the 2 norlandic")
    assert found.unsaid(0) == ("port", "alba", "2")
    assert found.unsaid(found.says["'port alba'"]) == ("2",)


@given(
    tables().filter(len),
    st.lists(st.sampled_from([*sorted(set().union(*TRIGGERS.values())), "rome", "3", "may", "1990", "s", "how"])),
)
def test_all_that_has_a_cost_is_known_to_the_language_of_the_question(table: Table, words: list[str]) -> None:
    found = costs(" ".join(words), table)
    signature = TableLanguage([table]).with_constants(found.constants).grammar.signature
    assert found.names.keys() <= signature.keys()
    assert found.constants.keys() == found.names.keys() - SIGNATURE.keys()
    assert found.says.keys() <= found.names.keys()
    every = (1 << len(linked(" ".join(words), table).asked.words)) - 1
    assert all(bits | every == every for bits in (found.wanted, *found.says.values()))
