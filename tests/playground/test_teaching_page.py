"""Teaching on the page: a phrase that is misread is marked on three pictures, learned, and read right from then on."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from tests.playground.conftest import Open
from tests.playground.test_page import says
from tests.ranker.test_teaching import MARKED, SENTENCE

from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.scenes import Scene

pytestmark = pytest.mark.browser

MISREAD, TAUGHT, AS_TAUGHT = "object_none", "object_all", "as you taught it"
LETTERS = {"black": "k", "blue": "b", "yellow": "y"}
SLOW = 90_000  # milliseconds for what takes seconds where nothing else runs


def link(sentence: str, scene: Scene) -> str:
    boxes = (".".join(f"{LETTERS[it.color]}c{it.size}-{it.x}-{it.y}" for it in box) for box in scene.boxes)
    return "#" + urlencode({"s": sentence, "p": "~".join(boxes), "k": "scattered"})


def mark_all(page: Any) -> None:
    """Mark the three pictures; the page shows the last."""
    for number, (scene, answer) in enumerate(MARKED, 1):
        page.evaluate("link => { location.hash = link }", link(SENTENCE, scene))
        page.wait_for_function("() => !document.querySelector('#judged').textContent")
        says(page, "False" if answer else "True")  # it is misread
        page.get_by_role("button", name="This is wrong").click()
        says(page, f"it is {str(answer).lower()} of this picture", "#judged")
        assert page.locator("#marks li").count() == number


@pytest.fixture
def page(open_page: Open) -> Any:
    page = open_page(link("There is a black item", MARKED[0][0]))
    page.set_default_timeout(SLOW)
    mark_all(page)
    return page


def test_a_phrase_is_taught_by_three_pictures_switched_off_and_unlearned(page: Any) -> None:
    says(page, MISREAD, "#tree")
    assert page.locator("#marks li").count() == 3
    assert page.locator("#marks .chip").all_inner_texts() == ["true", "false", "false"]
    page.get_by_role("button", name="Learn from these").click()
    says(page, "agrees with 3 of 3 marks", "#marked")
    says(page, "agrees with 0 of 3 marks", "#marked")
    says(page, AS_TAUGHT, "#sure")
    says(page, TAUGHT, "#tree")
    assert page.locator("#answer").inner_text() == "False"
    page.fill("#sentence", SENTENCE.replace("blue", "yellow"))
    says(page, "yellow", "#tree")
    says(page, TAUGHT, "#tree")
    says(page, "other sentences that were tried", "#others-changed")

    page.get_by_role("radio", name="original").check()
    says(page, MISREAD, "#tree")
    assert AS_TAUGHT not in page.locator("#sure").inner_text()
    page.get_by_role("radio", name="taught").check()
    says(page, TAUGHT, "#tree")

    page.reload()
    says(page, TAUGHT, "#tree")
    says(page, "agrees with 3 of 3 marks", "#marked")

    page.get_by_role("button", name="Undo last mark").click()
    says(page, "of 2 marks", "#marked")
    for _ in range(2):
        page.get_by_role("button", name="Undo last mark").click()
    page.wait_for_selector("#teaching", state="hidden")
    says(page, MISREAD, "#tree")


def test_marks_are_exported_as_a_data_file_and_forgotten(page: Any, tmp_path: Path) -> None:
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    assert download.value.suggested_filename == "marks.jsonl"
    download.value.save_as(tmp_path / "marks.jsonl")
    [read] = Nlvr().read(tmp_path / "marks.jsonl")
    assert (read.sentence, read.answers) == (SENTENCE, tuple(answer for _, answer in MARKED))
    assert list(read.contexts) == [scene for scene, _ in MARKED]

    page.get_by_role("button", name="This is wrong").click()
    says(page, "marked already", "#note")
    page.get_by_role("button", name="This is right").click()  # another mind about the same picture
    says(page, "it is true of this picture", "#judged")
    assert page.locator("#marks .chip").all_inner_texts() == ["true", "false", "true"]

    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Forget").click()
    page.wait_for_selector("#teaching", state="hidden")
    page.reload()
    says(page, MISREAD, "#tree")
    assert page.locator("#marks li").count() == 0


def test_what_was_taught_fits_a_phone_in_the_dark_and_axe_finds_nothing_serious(open_page: Open) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = open_page(link("There is a black item", MARKED[0][0]), width=360, color_scheme="dark")
    page.set_default_timeout(SLOW)
    mark_all(page)
    page.locator("#learn").focus()
    page.keyboard.press("Enter")
    says(page, "agrees with 3 of 3 marks", "#marked")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    found = axe.Axe().run(page).response["violations"]
    assert not [one["id"] for one in found if one["impact"] in {"serious", "critical"}]


def test_marks_travel_with_a_link_and_never_take_the_place_of_ones_own(page: Any, open_page: Open) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Learn from these").click()
    says(page, AS_TAUGHT, "#sure")
    page.click("#share")
    page.click("#link")
    says(page, "Your marks go along", "#note")
    link = page.evaluate("navigator.clipboard.readText()").partition("/#")[2]
    again = open_page(f"#{link}")
    again.set_default_timeout(SLOW)
    says(again, "brought 3 marks, and what was learned from them", "#note")
    says(again, AS_TAUGHT, "#sure")
    says(again, TAUGHT, "#tree")
    again.click("#unmark")
    again.evaluate("link => { location.hash = link }", f"{link}&again")
    says(again, "you have your own, which were kept", "#note")
    assert again.locator("#marks li").count() == 2
