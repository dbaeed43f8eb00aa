"""The pictures of the playground in the documents, taken of the page itself: docs/images/playground*.png and demo.webp.

    python tools/pictures.py [--only demo]

Servers are started as `chorale serve` does it, one for pictures and one for tables, and a browser is driven through
what the pictures show. Playwright and chromium come with `make browser`.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
TOWERS = "#s=&p=ks20-40-80.bs20-40-59~bs20-40-80.ys20-40-59.ks20-40-38~ys20-40-80.ks20-40-59.ys20-40-38.ys20-40-17"
MISREAD = "A box has nothing but blue items."
MARKED = (  # pictures, and whether the sentence is true of them
    ("bc20-10-60.bc20-60-20~yc20-20-20.ks20-60-60~yc30-30-30.bs20-10-10", True),
    ("yc20-20-20~ks20-60-60.yc30-30-30~yc20-20-20", False),
    ("bc20-10-60.yc20-60-20~bc20-20-20.kc20-60-60~yc30-30-30.bs20-10-10", False),
)
SHOT, FILM = {"width": 1366, "height": 768}, {"width": 1120, "height": 700}
WIDTH = 900  # of the film
POINTER = """() => {
    const dot = document.createElement("div");
    Object.assign(dot.style, {position: "fixed", zIndex: 99, left: "-99px", width: "22px", height: "22px",
        margin: "-11px 0 0 -11px", borderRadius: "50%", pointerEvents: "none",
        background: "rgb(214 0 128 / 30%)", border: "2px solid rgb(214 0 128 / 80%)"});
    document.body.append(dot);
    addEventListener("mousemove", ({clientX, clientY}) => {
        Object.assign(dot.style, {left: `${clientX}px`, top: `${clientY}px`});
    }, true);
}"""


@contextmanager
def serving(*options: str) -> Iterator[str]:
    """Where a server listens, as long as the context lasts."""
    command = [sys.executable, "-m", "chorale", "serve", "--port", "0", "--no-open", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
        assert found is not None
        yield found.group()
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)


@dataclass
class Browser:
    """A browser, and where the two domains are served."""

    chromium: Any
    pictures: str
    tables: str

    def page(self, address: str, **options: Any) -> Any:
        """A page that has answered whatever is on it."""
        page = self.chromium.new_context(**{"viewport": SHOT, "reduced_motion": "reduce", **options}).new_page()
        page.goto(address)
        page.wait_for_function("() => document.querySelector('#answer').textContent.trim()")
        settle(page)
        return page


def settle(page: Any) -> None:
    """Wait until nothing is asked any more."""
    page.wait_for_timeout(60)
    page.wait_for_function("() => !document.querySelector('[aria-busy=true]')")
    page.wait_for_timeout(150)


# -- pictures ----------------------------------------------------------------------------------------------------------


def playground(browser: Browser) -> Any:
    """A sentence, its answer, and the part that the pointer is on."""
    page = browser.page(browser.pictures)
    page.locator(".part").nth(2).hover()
    return page


def playground_table(browser: Browser) -> Any:
    """A question about a table."""
    page = browser.page(browser.tables + "#t=mountains&s=how+much+higher+is+Everest+than+K2%3F")
    page.locator(".part").nth(1).hover()
    return page


def playground_phone(browser: Browser) -> Any:
    """A table at the width of a phone, in the dark."""
    page = browser.page(
        browser.tables + "#t=bakery&s=which+maker+has+the+most+products%3F",
        viewport={"width": 390, "height": 844},
        color_scheme="dark",
    )
    page.locator(".part").first.hover()
    return page


def playground_teach(browser: Browser) -> Any:
    """A phrase that was taught by three pictures."""
    page = browser.page(browser.pictures, viewport={"width": 1366, "height": 1000})
    for picture, is_true in MARKED:
        page.evaluate("([s, p]) => { location.hash = new URLSearchParams({s, p, k: 'scattered'}) }", [MISREAD, picture])
        settle(page)
        said = page.locator("#verdict").get_attribute("data-answer")
        is_right = said == str(is_true).lower() or (said == "null" and is_true)
        page.click("#right" if is_right else "#wrong")
    page.click("#learn")
    page.wait_for_function(
        "() => /^(Of|All)/.test(document.querySelector('#others-changed').textContent)", timeout=90_000
    )
    page.locator("#teaching").scroll_into_view_if_needed()
    return page


# -- the film ----------------------------------------------------------------------------------------------------------


@dataclass
class Film:
    """Frames of a page, each with how long it is seen, in milliseconds."""

    frames: list[Image.Image] = field(default_factory=list)
    times: list[int] = field(default_factory=list)

    def take(self, page: Any, time: int) -> None:
        shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        height = round(WIDTH * shot.height / shot.width)
        self.frames.append(shot.resize((WIDTH, height), Image.Resampling.LANCZOS))
        self.times.append(time)

    def type(self, page: Any, text: str) -> None:
        """A sentence, some letters a frame."""
        page.focus("#sentence")
        for start in range(0, len(text), 3):
            page.keyboard.type(text[start : start + 3])
            self.take(page, 80)
        settle(page)
        self.take(page, 900)

    def point(self, page: Any, what: Any, time: int) -> None:
        what.hover()
        self.take(page, time)

    def save(self, file: Path) -> None:
        first, *others = self.frames
        first.save(file, save_all=True, append_images=others, duration=self.times, loop=0, quality=72, method=6)


def film(browser: Browser) -> Film:
    """A sentence about a picture, a block that is moved, and a question about a table."""
    made = Film()
    page = browser.page(browser.pictures + TOWERS, viewport=FILM)
    page.evaluate(POINTER)
    made.take(page, 500)
    made.type(page, "There is a tower with a blue block at the top.")
    for part in (3, 2, 0):
        made.point(page, page.locator(".part").nth(part), 550)
    drag(page, made)
    made.take(page, 1300)
    page = browser.page(browser.tables + "#t=mountains&s=", viewport=FILM)
    page.evaluate(POINTER)
    made.take(page, 400)
    made.type(page, "how much higher is Everest than K2?")
    for part in (2, 3, 1, 0):
        made.point(page, page.locator(".part").nth(part), 600)
    made.take(page, 900)
    return made


def drag(page: Any, made: Film) -> None:
    """The blue block goes to the tower beside it."""
    side = page.locator("#picture .box").first.bounding_box()["width"]
    block = page.locator("#picture .thing.blue, #picture .thing[aria-label*=blue]").first.bounding_box()
    x, y = block["x"] + block["width"] / 2, block["y"] + block["height"] / 2
    page.mouse.move(x, y)
    made.take(page, 350)
    page.mouse.down()
    for step in range(1, 5):
        page.mouse.move(x + 1.14 * side * step / 4, y + 0.4 * side * step / 4)
        made.take(page, 90)
    page.mouse.up()
    settle(page)


PICTURES: dict[str, Callable[[Browser], Any]] = {
    "playground": playground,
    "playground-table": playground_table,
    "playground-phone": playground_phone,
    "playground-teach": playground_teach,
}


def main() -> None:
    """Take them all, or one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=[*PICTURES, "demo"], help="one of them")
    only = parser.parse_args().only
    path = os.environ.get("CHORALE_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as playwright, serving() as pictures, serving("--model", "tables") as tables:
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        browser = Browser(chromium, pictures, tables)
        for name, show in PICTURES.items():
            if only in (None, name):
                show(browser).screenshot(path=IMAGES / f"{name}.png")
        if only in (None, "demo"):
            film(browser).save(IMAGES / "demo.webp")
        chromium.close()


if __name__ == "__main__":
    main()
