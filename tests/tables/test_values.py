"""What cells are: normal forms, numbers, codes. Each rule has a slow twin, or a table of cases."""

import re
import unicodedata
from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.tables import values

odd = st.text(alphabet='ab 1[]()"*†+.,-–“”é\n', max_size=12)


def normal_twin(text: str) -> str:
    """The rules one by one, each as a pattern, until none fits."""
    text = "".join(it for it in unicodedata.normalize("NFKD", text) if not unicodedata.combining(it))
    for letters, instead in (("‘’`", "'"), ("“”", '"'), ("‐‑‒–—−", "-")):
        for letter in letters:
            text = text.replace(letter, instead)
    patterns = [
        r"(.+?)\[[^\]]*\]",
        r"()\[\d+\]",
        r"(.*)[•♦†‡*#+]",
        r"(.+?) \([^)]*\)",
        r'"([^"]*)"',
        r"\s+(.*)",
        r"(.*?)\s+",
    ]
    while found := [match for it in patterns if (match := re.fullmatch(it, text, re.DOTALL))]:
        text = found[0][1]
    return re.sub(r"\s+", " ", text[:-1] if text.endswith(".") else text).strip().lower()


@given(odd | st.text())
def test_both_forms_are_the_plain_and_the_normal_one(text: str) -> None:
    assert values.both_forms(text) == (values.plain(text), values.normal(text))


@given(st.text(alphabet="0123456789٣", min_size=1, max_size=400))
def test_digits_alone_are_read_like_digits_with_a_blank_behind_them(text: str) -> None:
    longer = f"{text} "  # which no quick way is taken for
    assert values.numbers(text) == values.numbers(longer)
    assert values.second_number(text) == values.second_number(longer)
    assert values.whole_number(text) == next(iter(values.numbers(longer)), None)


@given(odd.filter(lambda it: not re.search(r"\d", it)))
def test_a_text_without_digits_has_no_numbers_as_the_patterns_say(text: str) -> None:
    assert values.numbers(text) == []
    assert not values._NUMBER.search(text)
    assert values.second_number(text) is None
    assert not values._SEASON.search(text)
    assert values.whole_number(text) is None
    assert not values._WHOLE.fullmatch(text)


@given(odd.filter(lambda it: not re.search(r"[\n;]|, ", it)))
def test_a_text_without_separators_is_one_item_as_the_first_of_two_lines_is(text: str) -> None:
    assert values.items(text) == values.items(f"{text}\n")


@given(odd)
def test_normal_forms_are_those_of_the_rules_taken_one_by_one(text: str) -> None:
    assert values.normal(text) == normal_twin(text)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Citroën", "citroen"),
        ("“Yesterday”", "yesterday"),
        ('"A" and "B"', '"a" and "b"'),
        ("Lisa O’Neill", "lisa o'neill"),
        ("2–1", "2-1"),
        ("Rome[1][note 2]†", "rome"),
        ("Rome (Italy) (until 1990) [3]", "rome"),
        ('"Rome (Italy)"', "rome"),
        ("Rome(Italy)", "rome(italy)"),
        ("[1]", ""),
        ("[draft]", "[draft]"),
        ("U.S.", "u.s"),
        ("  two\n lines ", "two lines"),
        ("½", "1⁄2"),
        ("", ""),
    ],
)
def test_normal_form(text: str, wanted: str) -> None:
    assert values.normal(text) == wanted


def test_plain_text_keeps_what_the_normal_form_drops() -> None:
    assert values.plain("“Río” (film)[3]†") == '"rio" (film)[3]†'


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1,200", [1200]),
        ("1,200,000.5", [1200000.5]),
        ("12,34", [12.34]),  # as it is written elsewhere
        ("3,3,3", [3, 3, 3]),
        ("$5 million", [5_000_000]),
        ("€1.5 billion", [1.5e9]),
        ("12th", [12]),
        ("3-2", [3, 2]),
        ("-3", [-3]),
        ("- 3", [-3]),
        ("(-3)", [-3]),
        ("+ 3.6", [3.6]),
        ("10 - 5", [10, 5]),
        ("45%", [45]),
        (".5", [0.5]),
        ("1.2.3", [1.2, 3]),
        ("447 685", [447685]),
        ("5 10", [5, 10]),
        ("25 km2 (10 sq mi)", [25, 10]),
        ("636/km2", [636]),
        ("3x2", [3, 2]),
        ("t12", [12]),
        ("none", []),
        ("9" * 400, []),
    ],
)
def test_numbers_of_a_text(text: str, found: list[float]) -> None:
    assert values.numbers(text) == found


@pytest.mark.parametrize("text", ["1,200", "$5", "us$5", "-7", "+7", "45 %", "447 685", "4,02", ".5"])
def test_a_whole_number_is_the_only_thing_in_a_text(text: str) -> None:
    assert values.whole_number(text) == values.numbers(text)[0]


@pytest.mark.parametrize("text", ["12th", "3-2", "5 km", "$5 million", "c. 1900", "", "-", "may 3"])
def test_a_text_with_anything_else_in_it_is_no_whole_number(text: str) -> None:
    assert values.whole_number(text) is None


@pytest.mark.parametrize(
    ("text", "stated"),
    [("12th", 12), ("5 km", 5), ("$5 million", 5e6), ("zero", 0), ("twelve", 12), ("7 p.m.", 7), ("45%", 45)],
)
def test_an_amount_may_have_a_scale_a_unit_or_a_word(text: str, stated: float) -> None:
    assert values.amount(text) == stated


@pytest.mark.parametrize("text", ["3-2", "5 of 7", "may 3, 1998", "10:30", "about 5", "thirteen"])
def test_what_is_more_than_an_amount_is_none(text: str) -> None:
    assert values.amount(text) is None


@given(st.integers(-(10**12), 10**12))
def test_a_number_with_commas_is_read_back(number: int) -> None:
    assert values.whole_number(f"{number:,}") == number


@given(st.floats(-1e9, 1e9, allow_subnormal=False))
def test_a_number_that_was_written_is_read_back(number: float) -> None:
    text = values.number_text(number)
    assert abs(float(text) - number) < values.CLOSE
    assert "e" in text or values.whole_number(text) == pytest.approx(float(text))


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    plain = values.plain(text)
    assert all(isfinite(number) for number in values.numbers(plain))
    assert values.is_code(plain) in {True, False}
    assert values.year(plain) is None or 1000 <= (values.year(plain) or 0) < 2100
    assert values.amount(plain) is None or isinstance(values.second_number(plain), float | None)
