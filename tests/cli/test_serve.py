"""`chorale serve` says what is missing; that it serves, and ends in good order, is seen by the tests of the page."""

import importlib.util

from chorale.cli import serve


def test_without_the_extra_it_says_what_to_install(chorale, monkeypatch):
    real = importlib.util.find_spec
    monkeypatch.setattr(serve, "find_spec", lambda name: None if name == "uvicorn" else real(name))
    called = chorale("serve")
    assert called.status == 2
    assert "needs uvicorn; install the extra: pip install 'chorale[playground]'" in called.err


def test_a_model_that_is_not_there_ends_with_status_2(chorale):
    called = chorale("serve", "--no-open", model="nothing")
    assert called.status == 2
    assert "one that ships: best, consistency" in called.err
