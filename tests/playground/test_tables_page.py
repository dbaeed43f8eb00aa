"""The page for tables in a real browser: files come in, rows light up, cells change, and nothing of a cell is code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.playground.conftest import Open
from tests.playground.test_page import ANSWER, NOTE, says

pytestmark = pytest.mark.browser

CSV = "City,Country,People\nOst,Norland,1200\nMel,Sudland,700\nVin,Norland,90\n"
HOW_MANY = "how many cities are in Norland?"
FORMULAS = '=HYPERLINK("http://a"),-5,+1 more\n@sum,"<img src=x onerror=alert(1)>",-cmd\n'


def upload(page: Any, text: str, name: str = "cities.csv") -> None:
    page.set_input_files("#upload", {"name": name, "mimeType": "text/csv", "buffer": text.encode()})


def lit(page: Any) -> list[str]:
    """The numbers of the rows that are lit."""
    return [it.split("\t")[0] for it in page.locator(".grid tr.on").all_inner_texts()]


def test_it_begins_with_a_table_a_question_its_answer_and_its_query(open_tables: Open) -> None:
    page = open_tables()
    says(page, "4")
    assert page.locator(".columns em").all_inner_texts() == ["text", "number", "text", "date"]
    says(page, "SELECT count(*)", "#sql")
    assert lit(page) == ["1", "2", "3", "4"]  # where the answer comes from


def test_a_file_is_opened_asked_and_undone(open_tables: Open) -> None:
    page = open_tables()
    upload(page, CSV)
    says(page, "cities.csv was read: 3 rows", NOTE)
    assert page.locator(".grid tbody tr").count() == 3
    page.get_by_role("button", name="which City has the highest People?").click()
    says(page, "Ost")
    page.fill("#sentence", HOW_MANY)
    says(page, "2")
    page.click("#undo")
    page.click("#undo")
    assert page.locator(".grid tbody tr").count() == 14


def test_a_table_is_pasted_anywhere_and_dropped_anywhere(open_tables: Open) -> None:
    page = open_tables()
    put = """([kind, text]) => { const data = new DataTransfer();
        if (kind === 'drop') data.items.add(new File([text], 'cities.csv')); else data.setData('text/plain', text);
        document.querySelector('#sentence').dispatchEvent(kind === 'drop'
            ? new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true})
            : new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true})); }"""
    page.evaluate(put, ["paste", CSV.replace(",", "\t")])
    says(page, "pasted.csv was read: 3 rows", NOTE)
    page.evaluate(put, ["drop", CSV + "Sol,Westland,5\n"])
    says(page, "cities.csv was read: 4 rows", NOTE)
    page.evaluate(put, ["paste", "how many rows, in all?"])  # a sentence stays one
    assert page.locator(".grid tbody tr").count() == 4


def test_a_file_that_is_too_large_is_refused_before_it_is_read(open_tables: Open) -> None:
    page = open_tables()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    upload(page, "a,b\n" + "1,2\n" * 50_000, "sales.csv")
    says(page, "sales.csv has 200 kB; this page takes 150 kB", NOTE)
    says(page, "chorale ask sales.csv", NOTE)
    assert not [url for url in sent if url.endswith("/read")]
    upload(page, "PK\3\4", "sales.xlsx")
    says(page, "save the table as CSV", NOTE)


def test_a_part_lights_up_its_rows_and_cells_and_a_cell_its_parts(open_tables: Open) -> None:
    page = open_tables("#t=mountains&s=how+much+higher+is+Everest+than+K2%3F")
    says(page, "238")
    page.get_by_role("treeitem", name=re.compile("^equals .*everest")).hover()
    assert page.locator(".grid.lit tr.on td.at").all_inner_texts() == ["Everest"]
    assert page.locator(".word.on").all_inner_texts() == ["Everest"]
    page.locator(".grid td", has_text=re.compile("^K2$")).hover()
    assert "'k 2'" in page.locator(".part.on").last.inner_text()
    page.mouse.move(0, 0)
    assert page.locator(".grid.lit").count() == 0


def test_a_long_table_scrolls_to_what_is_lit_under_a_fixed_header(open_tables: Open) -> None:
    page = open_tables()
    upload(page, "Name,Points,Group\n" + "".join(f"name {n},{n},g{n % 3}\n" for n in range(1, 600)), "long.csv")
    says(page, "599 rows", NOTE)
    page.fill("#sentence", "which name has the highest points?")
    says(page, "name 599")
    page.locator(".part").last.hover()
    frame = page.locator(".scroller").bounding_box()
    page.get_by_role("treeitem", name=re.compile("^most|^look up")).first.hover()
    page.wait_for_function("() => document.querySelector('.scroller').scrollTop > 1000")
    last = page.locator(".grid tbody tr").last.bounding_box()
    head = page.locator(".grid thead th").nth(1).bounding_box()
    assert frame["y"] <= last["y"] <= frame["y"] + frame["height"]
    assert abs(head["y"] - frame["y"]) < 2


def test_a_cell_is_changed_by_keys_alone_and_the_answer_follows(open_tables: Open) -> None:
    page = open_tables()
    says(page, "4")
    page.locator(".grid td").first.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    page.keyboard.type("7,000")
    page.keyboard.press("Enter")
    says(page, "3")
    assert page.evaluate("document.activeElement.textContent") == "7,000"
    page.keyboard.press("Control+z")
    says(page, "4")
    page.keyboard.press("Home")
    page.keyboard.press("Delete")
    says(page, "3")
    says(page, "Row 3 is gone", NOTE)


def test_an_answer_that_is_right_by_luck_changes_with_the_order(open_tables: Open) -> None:
    page = open_tables("#t=mountains&s=what+is+the+top+mountain%3F")
    says(page, "Everest")
    page.locator(".grid thead button", has_text="First climbed").click()
    says(page, "Sorted by First climbed", NOTE)
    page.wait_for_function("() => !document.querySelector('#answer').textContent.includes('Everest')")


def test_the_rows_that_would_change_the_answer_are_named_and_marked(open_tables: Open) -> None:
    page = open_tables("#t=bakery&s=which+maker+has+the+most+products%3F")
    says(page, "Clara")
    page.click("#hinges")
    says(page, "3 of 8 rows would", ".hinges")
    assert page.locator(".grid tr.hinge").count() == 3


def test_cells_are_never_code_and_what_is_saved_starts_no_formula(open_tables: Open, tmp_path: Path) -> None:
    page = open_tables()
    upload(page, "<b>Name</b>,Number,Text\n" + FORMULAS, "<i>bad.csv")
    says(page, "was read: 2 rows", NOTE)
    page.wait_for_function("() => document.querySelectorAll('.columns li').length === 3")
    assert page.locator(".table-stage :is(b, i, img)", has_text=re.compile("Name|bad")).count() == 1  # the file's name
    assert page.locator("img").count() == 0
    page.click("#share")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the table").click()
    download.value.save_as(tmp_path / "saved.csv")
    lines = (tmp_path / "saved.csv").read_text().splitlines()
    assert lines[1] == '"\'=HYPERLINK(""http://a"")",-5,\'+1 more'
    assert lines[2] == "'@sum,<img src=x onerror=alert(1)>,'-cmd"


def test_a_link_and_a_reload_keep_the_table(open_tables: Open) -> None:
    page = open_tables()
    upload(page, CSV)
    says(page, "was read", NOTE)
    page.fill("#sentence", HOW_MANY)
    says(page, "2")
    page.wait_for_function("() => location.hash.includes('Norland')")
    again = open_tables(page.evaluate("location.hash"))
    says(again, "2")
    assert again.locator(".title b").inner_text() == "cities.csv"
    upload(page, "a,b\n" + "some words,and more\n" * 2_000, "large.csv")
    says(page, "large.csv was read", NOTE)
    page.wait_for_function("() => location.hash.includes('t=kept')")
    page.reload()
    page.wait_for_function("() => document.querySelectorAll('.grid tbody tr').length === 2000")
    elsewhere = open_tables("#t=kept&s=how+many+rows+are+there%3F")
    says(elsewhere, "table is broken", NOTE)
    assert elsewhere.locator("#sentence").input_value() == "how many rows are there?"


def test_axe_finds_nothing_about_a_table(open_tables: Open) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = open_tables()
    page.wait_for_selector(".columns li")
    page.wait_for_selector(".part")
    found = axe.Axe().run(page).response["violations"]
    assert not [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]
    assert page.locator(ANSWER).inner_text() == "4"
