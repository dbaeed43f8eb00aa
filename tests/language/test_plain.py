"""Plain words in a language made for it, and the pieces of English that may be used."""

from __future__ import annotations

import pytest

from chorale.language import Language, Laws, Wording, constants, function, plain
from chorale.language.english import NONE, Amount, Clause, Modifier, Noun, all_of, there_is


class Day(str):
    """A day of the week."""


class Weather(Language):
    """Whether it is warm."""

    root = bool
    degrees = constants(int, {str(number): number for number in range(10)})
    laws = Laws("warmer(0, ?day) = thaws(?day)", variables={"day": Day})
    wording: Wording | None = Wording(
        {
            **{str(number): str(number) for number in range(10)},
            "today": "today",
            "warmer": lambda limit, day: f"Is it warmer than {limit} degrees {day}?",
            "thaws": lambda day: f"Is there a thaw {day}?",
            "after": lambda day: f"the day after {day}",
        },
        {Day: "some day"},
    )

    @function
    def today(self) -> Day:
        return Day("today")

    @function
    def after(self, day: Day) -> Day:
        return day

    @function
    def thaws(self, day: Day) -> bool:
        return False

    @function
    def warmer(self, limit: int, day: Day) -> bool:
        return False


class Silent(Weather):
    """The same without words."""

    wording = None


class Forgetful(Weather):
    """The same with too few words."""

    wording = Wording({"today": "today"})


def said(text: str, **options: bool) -> str | None:
    return plain(Weather.parse(text), Weather, **options)


def test_words_are_called_as_the_functions_are() -> None:
    assert said("warmer(3, after(today))") == "Is it warmer than 3 degrees the day after today?"
    assert said("after(after(today))") == "the day after the day after today"
    assert said("7") == "7"


def test_what_is_said_is_simplified_first() -> None:
    assert said("warmer(0, today)") == "Is there a thaw today?"
    assert said("warmer(0, today)", simplify=False) == "Is it warmer than 0 degrees today?"


def test_a_function_is_said_of_what_stands_for_its_argument() -> None:
    assert said("warmer(3)") == "Is it warmer than 3 degrees some day?"
    assert said("warmer") is None  # nothing stands for a number


def test_a_language_without_words_has_none() -> None:
    assert plain(Silent.parse("thaws(today)"), Silent) is None


def test_a_program_with_a_function_that_has_no_words_has_none() -> None:
    assert plain(Forgetful.parse("thaws(today)"), Forgetful) is None
    assert plain(Forgetful.parse("today"), Forgetful) == "today"


THING = Noun("thing", "things", order=("size", "color"))


def test_adjectives_stand_in_their_order_whenever_they_are_said() -> None:
    noun = THING.with_adjective("red", "color").with_adjective("old", "size").as_kind("apple", "apples")
    assert noun.indefinite == "an old red apple"
    assert noun.with_adjective("old", "size").as_kind("apple", "apples") == noun


def test_what_contradicts_itself_is_still_said() -> None:
    noun = THING.with_adjective("red", "color").as_kind("apple", "apples")
    assert noun.with_adjective("green", "color").indefinite == "a red apple that is also green"
    assert noun.as_kind("onion", "onions").plural == "red apples that are also onions"


def test_modifiers_join_under_one_verb_if_one_needs_it() -> None:
    noun = THING.with_modifier(Modifier.of("on a table"))
    assert noun.indefinite == "a thing on a table"
    assert (
        noun.with_modifier(Modifier.of("red", follows=False).negated()).plural
        == "things that are not red and on a table"
    )


def test_what_is_said_of_a_selection_is_not_taken_for_a_part_of_it() -> None:
    oldest = THING.as_kind("apple", "apples").closed()
    assert oldest.with_adjective("red", "color").indefinite == "a red thing among the apples"


@pytest.mark.parametrize(
    ("comparison", "number", "text"),
    [
        ("equals", 1, "Is there exactly one thing?"),
        ("greater", 1, "Is there more than one thing?"),
        ("greater_equals", 2, "Are there at least two things?"),
        ("lesser", 3, "Are there fewer than three things?"),
        ("lesser", 1, "Are there no things?"),
        ("lesser_equals", 1, "Is there at most one thing?"),
    ],
)
def test_amounts_agree_with_their_nouns(comparison: str, number: int, text: str) -> None:
    assert there_is(THING, Amount.of(comparison, number)).said() == text


def test_clauses_follow_a_container() -> None:
    apple, onions = there_is(THING.as_kind("apple", "apples")), there_is(THING.as_kind("onion", "onions"), NONE)
    red = Clause("are all things red", "are they all red", whose=("things", "are all red"))
    sweet = Clause("are all things sweet", "are they all sweet", whose=("things", "are all sweet"))
    basket = Noun("basket", "baskets")
    assert basket.with_clause(apple).with_clause(onions).plural == "baskets that hold an apple but no onions"
    assert (
        basket.with_clause(all_of([red, apple])).indefinite
        == "a basket that holds an apple and whose things are all red"
    )
    assert basket.with_clause(red).with_clause(sweet).plural == "baskets whose things are all red and are all sweet"
    assert all_of([red, sweet]).said() == "Are all things red, and are they all sweet?"
