"""One settings class for recipe and command line."""

import pytest
from pydantic import ValidationError

from chorale.plumbing.checking import documentation
from chorale.search.settings import SearchSettings


def test_search_is_by_meaning_unless_told_otherwise_and_the_reference_looks_at_shorter_programs() -> None:
    assert (SearchSettings().procedure, SearchSettings().max_actions) == ("meaning", 20)
    assert SearchSettings(procedure="reference").max_actions == 11
    assert SearchSettings(procedure="reference", max_actions=9).max_actions == 9
    assert SearchSettings.model_validate({"procedure": "reference"}).max_actions == 11


@pytest.mark.parametrize(
    "wrong",
    [
        *({"noise": 0.5}, {"noise": -0.1}, {"noise": float("nan")}, {"keep": 0}, {"keep": "20"}),
        *({"procedure": "luck"}, {"max_actions": 10**30}, {"outer": 5}, {"pool": 1}),
    ],
)
def test_values_that_make_no_sense_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        SearchSettings.model_validate(wrong)


def test_every_setting_is_documented() -> None:
    assert documentation(SearchSettings).keys() >= SearchSettings.model_fields.keys()
