"""A server without processes: the model that ships, asked in-process. For the page, a real one and a real browser."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from chorale.model import load
from chorale.playground.answering import Answering
from chorale.playground.app import application
from chorale.playground.worker import written


class Inline:
    """Answers requests where they arrive."""

    def __init__(self, answering: Answering) -> None:
        self.answering = answering

    async def start(self) -> None:
        pass

    async def ask(self, what: str, arguments: Mapping[str, Any]) -> Any:
        what, arguments = json.loads(written(what, arguments))
        return json.loads(json.dumps(self.answering.answer(what, arguments)))  # as between server and worker

    def stop(self) -> None:
        pass


@pytest.fixture(scope="session")
def answering() -> Answering:
    return Answering(load(), invented=1_000)


@pytest.fixture(scope="session")
def app(answering: Answering) -> FastAPI:
    return application(Inline(answering), "best", names=["testserver"], stage=answering.domain.stage)


@pytest.fixture(scope="session")
def client(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


# -- the page ----------------------------------------------------------------------------------------------------------

NAMES = ("chromium", "chromium-browser", "google-chrome")
Open = Callable[..., Any]


@contextmanager
def serving(*options: str) -> Iterator[str]:
    """Where `chorale serve` serves; in the end it is interrupted as by Ctrl-C, and must end in good order."""
    command = [sys.executable, "-m", "chorale", "serve", "--port", "0", "--no-open", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
        assert found is not None, process.stderr and process.stderr.read()
        yield found.group()
        process.send_signal(signal.SIGINT)
        _, complaints = process.communicate(timeout=30)
        assert (process.returncode, complaints) == (0, "")
    finally:
        process.kill()


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Where the model that ships is served."""
    with serving() as address:
        yield address


@pytest.fixture(scope="session")
def tables_address() -> Iterator[str]:
    """Where the model for tables is served."""
    with serving("--model", "tables") as address:
        yield address


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Debian's chromium, driven by playwright."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="install the extra browser: make test-browser")
    path = os.environ.get("CHORALE_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.fail("no chromium was found; install it: apt-get install chromium, or name it in CHORALE_CHROMIUM")
    with sync_api.sync_playwright() as playwright:
        # In a container there is often no user namespace, without which the sandbox does not start.
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Any, address: str) -> Iterator[Open]:
    """Opens the page, at a link if one is given; whatever it complains about fails the test."""
    with opening(chromium, address) as opened:
        yield opened


@pytest.fixture
def open_tables(chromium: Any, tables_address: str) -> Iterator[Open]:
    """The same for tables."""
    with opening(chromium, tables_address) as opened:
        yield opened


@contextmanager
def opening(chromium: Any, address: str) -> Iterator[Open]:
    """The same for any server."""
    contexts, complaints = [], []

    def opened(link: str = "", *, width: int = 1200, height: int = 900, **options: Any) -> Any:
        context = chromium.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if _is_fault(message) else None)
        page.on("request", lambda it: None if it.url.startswith(address) else complaints.append(f"asked {it.url}"))
        page.set_default_timeout(30_000)
        page.goto(address + link)
        page.wait_for_function("() => document.querySelector('#answer').textContent.trim()")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not complaints


def _is_fault(message: Any) -> bool:
    """Chromium also reports answers that say no, which is what some tests are about."""
    return message.type == "error" and not message.text.startswith("Failed to load resource")
