"""Dates and times in cells; the calendar and strftime are the twins."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.tables import dates
from chorale.tables.dates import Date, date, is_day_first, seconds, written_date
from chorale.tables.values import plain

calendar = st.dates(datetime.date(1000, 1, 1), datetime.date(2200, 12, 31))
partial = st.builds(
    Date, st.none() | st.integers(1, 9999), st.none() | st.integers(1, 12), st.none() | st.integers(1, 31)
)


@given(calendar, calendar)
def test_days_between_dates_are_those_of_the_calendar(one: datetime.date, other: datetime.date) -> None:
    ours = Date(one.year, one.month, one.day).days - Date(other.year, other.month, other.day).days
    assert ours == (one - other).days


@given(partial)
def test_a_written_date_is_read_back(one: Date) -> None:
    assert written_date(str(one)) == one


@pytest.mark.parametrize("form", ["%Y-%m-%d", "%B %d, %Y", "%d %b %Y", "%A, %d. %B %Y", "%Y/%m/%d"])
@given(one=calendar)
def test_a_date_in_one_of_the_usual_forms_is_read(form: str, one: datetime.date) -> None:
    assert date(plain(one.strftime(form))) == Date(one.year, one.month, one.day)


@given(calendar.filter(lambda it: it.day > 12))
def test_which_of_two_numbers_is_the_day_shows_where_it_is_large(one: datetime.date) -> None:
    for form in ("%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%m-%d-%Y"):
        assert date(one.strftime(form)) == Date(one.year, one.month, one.day)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("may 3", Date(None, 5, 3)),
        ("3rd of may", Date(None, 5, 3)),
        ("sept 1998", Date(1998, 9)),
        ("june", Date(None, 6)),
        ("june 5 - july 7, 1998", Date(1998, 6, 5)),
        ("3/12/1998", Date(1998, 3, 12)),
        ("3.12.1998", Date(1998, 12, 3)),
        ("3-12-1998", Date(1998, 12, 3)),
        ("3/12/29", Date(2029, 3, 12)),
        ("27-jan-68", Date(1968, 1, 27)),
        ("25.01.1943/03.03.1943", Date(1943, 1, 25)),
    ],
)
def test_a_date_may_be_partial_or_short(text: str, found: Date) -> None:
    assert date(text) == found


@pytest.mark.parametrize("text", ["1998", "june carter", "10-4-12", "13/13/1998", "1998-99", "1.2.10", "mayor", ""])
def test_what_says_no_month_is_no_date(text: str) -> None:
    assert date(text) is None


def test_a_column_tells_whether_days_come_first() -> None:
    column = ["3/12/1998", "25/12/1998"]
    assert date(column[0], day_first=is_day_first(column)) == Date(1998, 12, 3)
    assert is_day_first(["1998", "may 3"]) is None


@given(st.integers(0, 99), st.integers(0, 59), st.integers(0, 59))
def test_a_time_is_read_in_seconds(hours: int, minutes: int, secs: int) -> None:
    assert seconds(f"{hours}:{minutes:02}:{secs:02}") == 3600 * hours + 60 * minutes + secs
    assert seconds(f"{minutes}:{secs:02}.5") == 60 * minutes + secs + 0.5


@given(st.times())
def test_a_time_of_the_day_is_read_in_seconds(time: datetime.time) -> None:
    wanted = 3600 * time.hour + 60 * time.minute
    assert seconds(plain(time.strftime("%I:%M %p"))) == wanted
    assert seconds(plain(time.strftime("%I:%M") + (" p.m." if time.hour >= 12 else " a.m."))) == wanted


@pytest.mark.parametrize("text", ["3-2", "at 7:05", "7", "1:2", "13 pm", ""])
def test_what_begins_otherwise_is_no_time(text: str) -> None:
    assert seconds(text) is None


LETTERS = st.sampled_from(["1", "12", "98", "1998", "may", "june", "sept", "a", "of", "th", "-", "/", ".", " ", "'"])


@given(st.lists(LETTERS, max_size=7).map("".join))
def test_a_text_that_is_passed_over_quickly_has_no_date_as_the_patterns_say(text: str) -> None:
    if not dates._MAYBE.search(text):
        patterns = dates._YEAR_FIRST, dates._YEAR_LAST, dates._SHORT
        assert not any(pattern.search(text) for pattern in patterns)
        assert dates._named(text) is None
