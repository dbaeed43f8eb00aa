"""What the words of a question say about its programs."""

from __future__ import annotations

from pathlib import Path

from tests.tables.made_up import CITIES

from chorale.domain import Hints, Unlabelled
from chorale.tables.domain import Tables
from chorale.tables.language import TableLanguage
from chorale.tables.lexicon import TableLexicon
from chorale.tables.source import Source
from chorale.tables.table import Table


def hints(sentence: str, table: Table = CITIES) -> Hints:
    return TableLexicon().hints(Unlabelled(sentence, (table,)))


def test_words_that_link_to_cells_and_numbers_ask_for_their_constants() -> None:
    found = hints("is port alba there before 1990")
    assert found.words == ("is", "port", "alba", "there", "before", "1990")
    assert found.explains == (("port alba", frozenset({"'port alba'"})), ("1990", frozenset({"1990"})))
    assert found.spans == found.tokens == ((1, 3), (5, 6))


def test_names_of_columns_ask_for_the_column_or_a_view_of_it() -> None:
    assert "[Sister city]" in dict(hints("which sister city has alba").explains)["sister city"]
    [wanted] = [wanted for words, wanted in hints("how many people are there").explains if words == "people"]
    assert {"[People]", "[People] as number", "count"} <= wanted


def test_superlatives_ask_for_functions_that_choose() -> None:
    [(_, wanted)] = [it for it in hints("which is the largest").explains if it[0] == "largest"]
    assert {"most", "least", "first", "[People]"} <= wanted  # the largest population
    [(_, wanted)] = [it for it in hints("which is the best").explains if it[0] == "best"]
    assert {"most", "least", "first"} <= wanted < TableLanguage.grammar.signature.keys()


def test_parts_of_names_and_words_of_their_families_ask_for_columns() -> None:
    table = Table(["Item", "Unit price"], [["Cup", "$3"]])
    for word in ("price", "costs", "expensive"):
        assert "[Unit price]" in dict(hints(f"what about {word}", table).explains)[word]


def test_what_rows_are_called_asks_for_counts() -> None:
    table = Table(["Who", "When"], [["Ann", "1999"]], source=Source(Path("orders.csv"), "delimited"))
    for word in ("rows", "orders"):
        assert {"count"} <= dict(hints(f"how many {word}", table).explains)[word]
    assert hints("how many cats", table).explains == ()


def test_averages_and_sums_ask_for_their_functions() -> None:
    assert "average" in dict(hints("the mean of all").explains)["mean"]
    assert {"total", "total_per"} <= dict(hints("all of it together").explains)["together"]


def test_words_that_compare_in_other_ways_ask_for_nothing() -> None:
    assert hints("which came previous").explains == ()


def test_a_word_may_ask_for_several_things() -> None:
    table = Table(["Year"], [["1998"], ["1999"]])
    assert hints("in 1998", table).explains == (("1998", frozenset({"1998", "'1998'"})),)


def test_words_within_others_are_not_told_apart() -> None:
    found = hints("there on 3 may 1998")
    assert found.explains == (("3 may 1998", frozenset({"1998-05-03", "'3 may 1998'"})),)


def test_functions_and_columns_hold_programs_together() -> None:
    found = hints("is port alba here")
    assert TableLanguage.grammar.signature.keys() < found.glue
    assert {"[City]", "[People] as number"} < found.glue
    assert "'port alba'" in found.allowed - found.glue
    assert found.glue < found.allowed


def test_without_a_table_words_say_nothing() -> None:
    assert TableLexicon().hints(Unlabelled("is port alba here", ())).allowed == frozenset()
    assert isinstance(Tables().lexicon("tables"), TableLexicon)
