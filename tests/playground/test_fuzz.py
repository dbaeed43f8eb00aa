"""The API, asked what its own description allows and what it does not: it never fails, and keeps to the description."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import negative_data_rejection, positive_data_acceptance
from tests.playground.bills import Bills, untrained
from tests.playground.conftest import Inline

from chorale.playground.answering import Answering
from chorale.playground.app import application

EXAMPLES = settings.default.max_examples // 10  # for each address
ADDRESSES = [
    *(
        ("POST", name)
        for name in (
            *("parse", "run", "see", "read", "without", "distinguish", "change", "teach", "export", "complete"),
            "explain",
        )
    ),
    *(("GET", name) for name in ("invent", "about", "health", "ready")),
]
CASES = [
    (mode, *address)
    for mode in GenerationMode
    for address in ADDRESSES
    if mode is GenerationMode.POSITIVE
    or address[1] not in {"about", "health", "ready"}  # which nothing can be wrong with
]


@pytest.fixture(scope="session", params=["nlvr", "bills"])
def description(request: pytest.FixtureRequest, app: FastAPI) -> Any:
    """Of a domain that checks what it is sent, and of one that takes any JSON."""
    bills = application(Inline(Answering(untrained(Bills()), invented=1_000)), "bills", names=["testserver"])
    return schemathesis.openapi.from_asgi("/api/openapi.json", app if request.param == "nlvr" else bills)


def test_every_address_of_the_description_is_asked(description: Any) -> None:
    described = {(method.upper(), path) for path in description for method in description[path]}
    assert described == {(method, f"/api/{name}") for method, name in ADDRESSES}


@pytest.mark.parametrize(("mode", "method", "name"), CASES)
@settings(max_examples=EXAMPLES, suppress_health_check=[*settings.default.suppress_health_check, *HealthCheck])
@given(data=st.data())
def test_requests_made_from_the_description_are_answered_as_described(
    description: Any, mode: GenerationMode, method: str, name: str, data: st.DataObject
) -> None:
    case = data.draw(description[f"/api/{name}"][method].as_strategy(generation_mode=mode))
    response = case.call()
    # No schema says what a program, a scene or a picture is, so good requests may be refused for what they mean. And
    # schemathesis does not know that a request may be refused for its length.
    excluded = [positive_data_acceptance, *([negative_data_rejection] if response.status_code == 413 else [])]
    case.validate_response(response, excluded_checks=excluded)
