"""The page in every state, at every width and in every look: nothing runs off, axe finds nothing, and a screenshot is
kept in build/states for whoever wants to look."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from tests.playground.conftest import Open
from tests.playground.test_page import SCATTERED, TOWERS, says
from tests.playground.test_tables_page import CSV, upload

pytestmark = [pytest.mark.browser, pytest.mark.states]

FOLDER = Path(__file__).parents[2] / "build" / "states"
LONG = "There is a " + "verylongwordwithoutanyblanks" * 5 + " and a " + "b" * 80
MANY = ".".join(f"{'kby'[n % 3]}{'cst'[n % 3]}10-{n % 6 * 16}-{n // 6 * 16}" for n in range(32))
WIDE = (
    ",".join(f"a column with number {n}" for n in range(40)) + "\n" + (",".join("a cell" for _ in range(40)) + "\n") * 9
)
TALL = "Name,Points\n" + "".join(f"name {n},{n}\n" for n in range(500))
CODE = "Name,Remark\n" + f"<script>alert(1)</script>,{'long' * 100}\n=1+1,\n"

LOOKS: dict[str, tuple[int, int, dict[str, Any]]] = {
    "390": (390, 844, {}),
    "768": (768, 1024, {}),
    "1366": (1366, 768, {}),
    "1920": (1920, 1080, {}),
    "dark-390": (390, 844, {"color_scheme": "dark"}),
    "dark-1366": (1366, 768, {"color_scheme": "dark"}),
    "forced-1366": (1366, 768, {"forced_colors": "active"}),
    "zoomed-1366": (683, 384, {}),  # 200 % of 1366 x 768
}
USUAL = {"color_scheme": "light", "forced_colors": "none", "reduced_motion": "reduce"}


def link(**parts: str) -> str:
    return "#" + urlencode(parts)


def answered(page: Any) -> None:
    page.wait_for_function("() => document.querySelectorAll('.part').length > 0")
    page.wait_for_function("() => !document.body.classList.contains('pending')")


def typing(page: Any) -> None:
    answered(page)
    page.locator("#sentence").press("End")
    page.keyboard.type(" And")


def pending(page: Any) -> None:
    answered(page)
    page.route("**/api/parse", lambda route: None)  # never answered
    page.fill("#sentence", "There is a blue block.")
    page.wait_for_timeout(900)


def broken(page: Any) -> None:
    answered(page)
    page.route("**/api/parse", lambda route: route.abort())
    page.fill("#sentence", "There is a blue block.")
    says(page, "Is “chorale serve” still running?", "#note")


def touched(page: Any) -> None:
    answered(page)
    page.locator(".part").last.focus()


def edited(page: Any) -> None:
    answered(page)
    page.click("#edit")
    page.fill("#source", "some_box(object_exists(blak(top)))")
    says(page, "did you mean", "#fault")


def completed(page: Any) -> None:
    answered(page)
    page.click("#edit")
    page.fill("#source", "some_box(")
    page.keyboard.type("obj")
    page.wait_for_selector("#offers li")


def explained(page: Any) -> None:
    answered(page)
    page.click("#why")
    says(page, "What speaks for it", "#reasons")


def apart(page: Any) -> None:
    answered(page)
    page.get_by_role("button", name="Where do they differ?").first.click()
    page.wait_for_selector("#apart .told", timeout=60_000)


def made_false(page: Any) -> None:
    answered(page)
    page.click("#make-false")
    says(page, "one small change", "#note")


def taught(page: Any) -> None:
    answered(page)
    page.click("#wrong")
    page.click("#learn")
    page.wait_for_selector("#changes", timeout=60_000)


def taught_by_typing(page: Any) -> None:
    answered(page)
    page.fill("#typed", "4 April|2 May")
    page.click("#mark")
    page.click("#learn")
    page.wait_for_selector("#changes", timeout=60_000)


def shared(page: Any) -> None:
    answered(page)
    page.click("#share")
    page.get_by_text("Python", exact=True).click()


def opened(text: str) -> Callable[[Any], None]:
    def open_it(page: Any) -> None:
        upload(page, text)
        says(page, "was read", "#note")
        page.wait_for_selector(".columns li")
        page.fill("#sentence", "what stands in the first row?")
        page.wait_for_function("() => document.body.classList.contains('pending')")
        answered(page)

    return open_it


def hinges(page: Any) -> None:
    answered(page)
    page.click("#hinges")
    says(page, "would", ".hinges")


def pasting(page: Any) -> None:
    answered(page)
    page.click("#paste")


def refused(page: Any) -> None:
    upload(page, "a,b\n" + "1,2\n" * 50_000, "sales.csv")
    says(page, "this page takes", "#note")


def settled(page: Any) -> None:
    page.wait_for_timeout(700)


PICTURES: dict[str, tuple[str, Callable[[Any], None]]] = {
    "empty": (link(s="", p="~~"), settled),
    "typing": (TOWERS, typing),
    "pending": (TOWERS, pending),
    "answered": ("", answered),
    "touched": (TOWERS, touched),
    "not-known": (link(s="The president of France is tall.", p="ks20-40-80~~"), answered),
    "error": (TOWERS, broken),
    "broken-link": (link(s="There is a box.", p="nonsense"), settled),
    "edited": (TOWERS, edited),
    "completed": (TOWERS, completed),
    "explained": (TOWERS, explained),
    "apart": (TOWERS, apart),
    "made-false": (TOWERS.replace("black", "blue"), made_false),
    "taught": (SCATTERED, taught),
    "long-words": (link(s=LONG, p="ks20-40-80~~"), settled),
    "many-objects": (link(s="There is a black circle.", p="~".join([MANY] * 3), k="scattered"), answered),
    "shared": (TOWERS, shared),
}
TABLES: dict[str, tuple[str, Callable[[Any], None]]] = {
    "empty": (link(s="", t="mountains"), settled),
    "answered": ("", answered),
    "touched": (link(s="how much higher is Everest than K2?", t="mountains"), touched),
    "not-known": (link(s="who climbed Everest?", t="mountains"), answered),
    "own": ("", opened(CSV)),
    "wide": ("", opened(WIDE)),
    "long": ("", opened(TALL)),
    "code": ("", opened(CODE)),
    "hinges": ("", hinges),
    "pasting": ("", pasting),
    "refused": ("", refused),
    "apart": (link(s="which mountain is the highest?", t="mountains"), apart),
    "taught": (link(s="when did more than 5,000 people come?", t="matches"), taught_by_typing),
    "shared": ("", shared),
}


@pytest.mark.parametrize("state", PICTURES)
def test_of_pictures(open_page: Open, state: str) -> None:
    start, act = PICTURES[state]
    page = open_page(start, width=1366, height=768)
    act(page)
    look_at(page, f"pictures-{state}")


@pytest.mark.parametrize("state", TABLES)
def test_of_tables(open_tables: Open, state: str) -> None:
    start, act = TABLES[state]
    page = open_tables(start, width=1366, height=768)
    act(page)
    look_at(page, f"tables-{state}")


def test_of_the_reference(open_page: Open) -> None:
    page = open_page("")
    page.get_by_role("link", name="HTTP API").click()
    page.wait_for_selector("article")
    look_at(page, "reference")


RUNS_OFF = """() => [...document.querySelectorAll('body *')].filter((one) => {
    const box = one.getBoundingClientRect();
    if (!box.width || !box.height || box.right <= innerWidth + 1) return false;
    for (let above = one.parentElement; above; above = above.parentElement)
        if (getComputedStyle(above).overflowX !== 'visible') return false;  // it scrolls there, or is cut on purpose
    return true;
}).map((one) => one.outerHTML.slice(0, 120))"""


def look_at(page: Any, name: str) -> None:
    """Screenshots of the page in all looks, and what is wrong in any of them."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    FOLDER.mkdir(parents=True, exist_ok=True)
    wrong = []
    for look, (width, height, media) in LOOKS.items():
        page.emulate_media(**{**USUAL, **media})
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(100)
        page.screenshot(path=FOLDER / f"{name}-{look}.png")
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wrong.append((look, "the page scrolls sideways"))
        wrong += [(look, f"runs off: {it}") for it in page.evaluate(RUNS_OFF)]
        found = axe.run(page).response["violations"]
        wrong += [(look, one["id"], node["html"][:120]) for one in found for node in one["nodes"][:3]]
    assert wrong == []
