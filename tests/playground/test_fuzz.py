"""The API, asked what its own description allows and what it does not: it never fails, and keeps to the description."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import settings
from schemathesis import Case
from schemathesis.checks import positive_data_acceptance

EXAMPLES = settings.default.max_examples // 10  # for each address


@pytest.fixture(scope="session")
def description(app: FastAPI) -> Any:
    return schemathesis.openapi.from_asgi("/api/openapi.json", app)


schema = schemathesis.pytest.from_fixture("description")


@schema.parametrize()
@settings(max_examples=EXAMPLES, deadline=None)
def test_requests_made_from_the_description_are_answered_as_described(case: Case) -> None:
    # No schema says what a program, a scene or a picture is, so good requests may be refused for what they mean.
    case.call_and_validate(excluded_checks=[positive_data_acceptance])
