"""The page for domains that it does not draw: JSON to edit, answers of any kind, and not a word of NLVR."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from tests.playground.bills import Bills, BillsWithoutJson, ItemisedBills, untrained
from tests.playground.conftest import Open, opening, serving
from tests.playground.test_domains import BILL, SUM
from tests.playground.test_page import says

from chorale.domain import Domain

pytestmark = pytest.mark.browser

ANSWER, NOTE = "#answer", "#note"
DRINKS = "What do the drinks cost?"
OF_NLVR = re.compile(
    "picture|scene|tower|box|colou?r|shape|black|blue|yellow|circle|square|triangle|NLVR", re.IGNORECASE
)


def served(domain: Domain, folder: Path) -> Iterator[str]:
    untrained(domain).save(folder)
    with serving("--model", str(folder), "--domain", f"tests.playground.bills:{type(domain).__name__}") as address:
        yield address


@pytest.fixture(scope="module")
def bills(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    yield from served(Bills(), tmp_path_factory.mktemp("bills"))


@pytest.fixture
def open_bills(chromium: Any, bills: str) -> Iterator[Open]:
    with opening(chromium, bills) as opened:
        yield opened


def link(sentence: str, bill: Any = BILL) -> str:
    return "#" + urlencode({"s": sentence, "p": json.dumps(bill)})


def bill_of(page: Any) -> Any:
    return json.loads(page.locator("#context").input_value())


def test_the_page_begins_with_the_domains_own_sentence_and_context(open_bills: Open, bills: str) -> None:
    page = open_bills()
    assert page.locator("#sentence").input_value() == Bills.sentences[0]
    assert bill_of(page) == Bills().variants(None, 1, 0)[0]
    page.wait_for_function("() => document.querySelectorAll('.part').length > 0")
    assert re.fullmatch(r"\d+", page.locator(ANSWER).inner_text())
    page.get_by_role("button", name="What do the dear meals cost?").click()
    says(page, "total", "#tree")


def test_no_word_of_nlvr_is_on_the_page(open_bills: Open) -> None:
    page = open_bills(link(DRINKS))
    page.wait_for_selector(".reading .link")
    page.get_by_role("button", name="This is right").click()
    shown = page.locator("body").inner_text()
    labels = page.eval_on_selector_all(
        "body [aria-label], body [title], body [placeholder]",
        """all => all.map(
        one => [one.ariaLabel, one.title, one.placeholder].join(' ')).join(' ')""",
    )
    assert "bill" in shown.lower()
    assert not OF_NLVR.findall(shown + labels)


def test_changed_json_is_answered_and_broken_json_is_told(open_bills: Open) -> None:
    page = open_bills(link("What do the drinks cost?"))
    says(page, "8")
    page.fill("#context", json.dumps({"lines": [*BILL["lines"], {"item": "tea", "price": 4}]}))
    says(page, "12")
    page.fill("#context", '{"lines": [')
    says(page, "not JSON", NOTE)
    page.fill("#sentence", "How many drinks are there?")
    page.wait_for_timeout(500)
    assert page.locator(ANSWER).inner_text() == "12"  # nothing is asked about it
    page.fill("#context", '{"lines": 1}')
    says(page, "do not work on this bill", NOTE)
    page.fill("#context", "")
    says(page, "Read as")
    assert page.locator("#judge").is_hidden()
    page.fill("#context", json.dumps(BILL))
    says(page, "2")


def test_parts_show_their_values(open_bills: Open) -> None:
    page = open_bills(link("What do the dear meals cost?"))
    says(page, "7")
    assert page.locator(".part").all_inner_texts() == ["total(\n7", "dear(\n1", "meals(\n1", "all_lines)))\n0|1|2"]
    page.get_by_role("treeitem", name=re.compile("^meals")).hover()
    assert page.locator(".word.on").inner_text() == "meals"


def test_readings_are_told_apart_here_or_on_an_invented_context(open_bills: Open) -> None:
    page = open_bills(link(DRINKS))
    says(page, "8")
    page.get_by_role("button", name="Where do they differ?").first.click()
    says(page, "They differ on this very bill: the chosen reading says 8, the other 15", "#apart")
    page.fill("#context", '{"lines": []}')
    says(page, "0")
    page.get_by_role("button", name="Where do they differ?").first.click()
    says(page, "They differ on this invented bill", "#apart")
    page.get_by_role("button", name="Put it on the stage").click()
    assert bill_of(page)["lines"]
    page.click("#undo")
    says(page, "0")
    assert bill_of(page) == {"lines": []}
    page.click("#invent")
    page.wait_for_function("() => document.querySelector('#context').value.includes('price')")


def test_a_number_is_typed_learned_and_exported(open_bills: Open, tmp_path: Path) -> None:
    page = open_bills(link(SUM))
    says(page, "Don’t know")
    page.fill("#typed", "8")
    page.keyboard.press("Enter")
    says(page, "8 is right for this bill", "#judged")
    assert page.locator("#marks .chip").all_inner_texts() == ["8"]
    page.get_by_role("button", name="Learn from these").click()
    says(page, "agrees with 1 of 1 mark", "#marked")
    says(page, "as you taught it", "#sure")
    says(page, "8")
    page.get_by_role("button", name="This is right").click()
    says(page, "marked already", NOTE)
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    download.value.save_as(tmp_path / "marks.jsonl")
    [read] = Bills().read(tmp_path / "marks.jsonl")
    assert (read.sentence, read.contexts, read.answers) == (SUM, (BILL,), (8,))
    page.reload()
    says(page, "8")
    assert page.locator("#marks li").count() == 1


def test_a_link_reproduces_the_state(open_bills: Open) -> None:
    page = open_bills(link(SUM))
    page.locator("input[name=reading]").nth(1).check()
    says(page, "8")
    again = open_bills(page.evaluate("location.hash"))
    says(again, "8")
    assert bill_of(again) == BILL
    assert again.locator("input[name=reading]").nth(1).is_checked()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 360])
def test_it_fits_and_axe_finds_nothing_serious(open_bills: Open, scheme: str, width: int) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = open_bills(link(DRINKS, {"lines": BILL["lines"] * 20}), width=width, color_scheme=scheme)  # long values
    page.wait_for_selector(".reading .link")
    page.get_by_role("button", name="This is right").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = axe.Axe().run(page).response["violations"]
    assert not [one["id"] for one in found if one["impact"] in {"serious", "critical"}]


def test_constants_of_the_context_and_of_the_sentence_stand_in_the_tree(chromium: Any, tmp_path: Path) -> None:
    for address in served(ItemisedBills(), tmp_path):
        with opening(chromium, address) as opened:
            page = opened(link("What does the tea above 2 cost?"))
            says(page, "3")
            empty = page.context.new_page()
            empty.goto(address)  # without a sentence there is a bill to begin with, and nothing else
            empty.wait_for_function("() => document.querySelector('#context')?.value.includes('price')")
            empty.wait_for_selector("#reading", state="hidden")
            assert page.locator(".part").all_inner_texts()[1:] == [
                "above(2,\n0",
                "only(tea,\n0",
                "all_lines)))\n0|1|2",
            ]
            page.get_by_role("button", name="Where do they differ?").first.click()
            says(page, "says", "#apart")


def test_without_json_nothing_is_asked_about_and_sentences_are_read(chromium: Any, tmp_path: Path) -> None:
    for address in served(BillsWithoutJson(), tmp_path):
        with opening(chromium, address) as opened:
            page = opened()
            says(page, "Read as")
            says(page, "nothing can be asked about", "#help")
            assert page.locator("#context").is_hidden()
            assert "price" in page.locator("#context-text").inner_text()
            assert page.locator(".part").all_inner_texts() == ["count(", "drinks(", "all_lines))"]
            assert not page.locator(".reading .link, #invent:visible, #judge:visible").count()
