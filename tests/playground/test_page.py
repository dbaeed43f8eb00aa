"""The page in a real browser: what people do there, with pointer, keys and fingers."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.playground.conftest import Open

from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.random_scenes import random_scatter

pytestmark = pytest.mark.browser

ANSWER, NOTE, THING = "#answer", "#note", "#picture .thing"
TOWERS = "#s=There+is+a+tower+with+a+black+block+at+the+top.&p=ks20-40-80.bs20-40-59~ys20-40-80~"
SCATTERED = "#s=There+is+a+yellow+circle.&p=kc20-10-10.bs30-50-50~~&k=scattered"


def says(page: Any, text: str, where: str = ANSWER) -> None:
    """Wait until an element says something."""
    page.wait_for_function(
        "([where, text]) => document.querySelector(where).textContent.trim().includes(text)", arg=[where, text]
    )


def picture_of(page: Any) -> str:
    """The picture as it stands in the link."""
    return str(page.evaluate("new URLSearchParams(location.hash.slice(1)).get('p')"))


def wait_for_picture(page: Any, pattern: str) -> None:
    page.wait_for_function(
        "(pattern) => new RegExp(pattern).test(new URLSearchParams(location.hash.slice(1)).get('p'))", arg=pattern
    )


def choose(page: Any, look: str) -> None:
    page.get_by_role("radio", name=look, exact=True).check()


def drag(page: Any, thing: Any, across: float, down: float) -> None:
    """Drag by shares of a box's width."""
    box, side = thing.bounding_box(), page.locator("#picture .box").first.bounding_box()["width"]
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + across * side, y + down * side, steps=8)
    page.mouse.up()


def test_typing_a_sentence_is_answered_at_once(open_page: Open) -> None:
    page = open_page(TOWERS)
    says(page, "False")
    page.fill("#sentence", "There is a tower with a blue block at the top.")
    says(page, "True")
    assert page.locator(".part").first.inner_text().startswith("some_box(")
    assert page.locator("#steps li").count() >= 3
    page.fill("#sentence", "")
    says(page, "Say something about the picture")
    page.wait_for_selector("#program", state="hidden")


def test_examples_bring_sentence_and_picture(open_page: Open) -> None:
    page = open_page(TOWERS)
    page.get_by_role("button", name="It nests").click()
    assert "exactly one box" in page.locator("#sentence").input_value()
    says(page, "False")
    assert page.locator(THING).count() > 5
    page.click("#undo")
    says(page, "black", "#tree")
    assert picture_of(page) == "ks20-40-80.bs20-40-59~ys20-40-80~"
    page.get_by_role("button", name="It counts").press("ArrowRight")
    assert page.evaluate("document.activeElement.textContent").startswith("It nests")


def test_what_is_not_trusted_is_not_answered(open_page: Open) -> None:
    page = open_page(TOWERS)
    page.fill("#sentence", "The president of France is tall.")
    says(page, "Don’t know")
    says(page, "“president”, “France” not known", "#doubts")
    assert page.locator(".word.doubt").all_inner_texts()[:2] == ["president", "France"]
    assert page.locator("#meter").get_attribute("aria-valuetext").endswith("not enough to answer")


def test_a_block_is_dragged_to_another_tower(open_page: Open) -> None:
    page = open_page(TOWERS)
    drag(page, page.locator(f"{THING} >> nth=1"), 2.28, 0)
    wait_for_picture(page, r"^ks20-40-80~ys20-40-80~bs20-40-80$")
    says(page, "True")
    page.click("#undo")
    wait_for_picture(page, r"^ks20-40-80\.bs20-40-59~ys20-40-80~$")
    says(page, "False")


def test_a_shape_is_dragged_within_its_box_and_never_onto_another(open_page: Open) -> None:
    page = open_page(SCATTERED)
    drag(page, page.locator(f"{THING} >> nth=0"), 0.5, 0)
    wait_for_picture(page, r"^kc20-(5[789]|6[0123])-(9|10|11)\.")
    drag(page, page.locator(f"{THING} >> nth=0"), 0, 0.5)
    page.wait_for_timeout(300)
    [_, x, y] = re.split(r"-", picture_of(page).split(".")[0])
    assert int(y) + 20 <= 50 or int(x) + 20 <= 50


def test_objects_are_added_recoloured_reshaped_resized_and_deleted(open_page: Open) -> None:
    page = open_page(SCATTERED)
    says(page, "False")
    choose(page, "yellow")
    choose(page, "circle")
    page.get_by_role("button", name="Add to the right box").click()
    wait_for_picture(page, r"~~yc20")
    says(page, "True")
    choose(page, "triangle")
    wait_for_picture(page, r"~~yt20")
    says(page, "False")
    choose(page, "big")
    choose(page, "blue")
    wait_for_picture(page, r"~~bt30")
    page.click("#delete")
    wait_for_picture(page, r"~~$")


def test_a_scattered_picture_becomes_towers(open_page: Open) -> None:
    page = open_page(SCATTERED)
    choose(page, "towers")
    wait_for_picture(page, r"^bs20-40-80\.ks20-40-59~~$")


def test_a_picture_is_uploaded(open_page: Open, tmp_path: Path) -> None:
    scene, file = random_scatter(Random(3)), tmp_path / "picture.png"
    file.write_bytes(Nlvr.drawing.draw(scene, "png"))
    page = open_page(TOWERS)
    page.set_input_files("#upload", file)
    says(page, "picture.png was read", NOTE)
    page.wait_for_function(f"() => document.querySelectorAll('{THING}').length === {len(scene.objects)}")
    bad = tmp_path / "bad.png"
    bad.write_bytes(b"no picture")
    page.set_input_files("#upload", bad)
    says(page, "not a PNG", NOTE)


def test_hovering_and_focusing_a_part_lights_up_what_it_returns(open_page: Open) -> None:
    page = open_page(TOWERS)
    page.fill("#sentence", "There is a tower with a blue block at the top.")
    says(page, "True")
    blue = page.get_by_role("treeitem", name=re.compile("^blue"))
    blue.hover()
    assert page.locator("#picture.lit").count() == 1
    assert page.locator(f"{THING}.on").get_attribute("aria-label").startswith("medium blue square, left box")
    assert page.locator(".word.on").inner_text() == "blue"
    page.mouse.move(0, 0)
    assert page.locator("#picture.lit").count() == 0
    page.get_by_role("treeitem", name=re.compile("^object exists")).focus()
    assert page.locator("#picture .box.on").count() == 1
    page.keyboard.press("ArrowDown")
    assert page.locator(".part.on").inner_text().startswith("blue(")
    page.keyboard.press("Escape")
    assert page.locator("#picture.lit").count() == 0


def test_words_and_objects_light_up_the_parts_that_they_belong_to(open_page: Open) -> None:
    page = open_page(TOWERS.replace("black", "blue"))
    says(page, "True")
    word = page.locator(".word", has_text="blue").bounding_box()
    page.mouse.move(word["x"] + 5, word["y"] + 5)
    assert page.locator(".part.on").all_inner_texts() == ["blue(\n1 object"]
    assert page.locator(f"{THING}.on").count() == 1
    page.locator(f"{THING} >> nth=0").hover()
    assert page.locator(".part.on").count() == 0  # the black block is in nothing
    page.locator(f"{THING} >> nth=1").hover()
    assert page.locator(".word.on").all_inner_texts() == ["blue", "top"]


def test_a_program_is_changed_completed_and_run_at_once(open_page: Open) -> None:
    page = open_page(TOWERS)
    says(page, "False")
    page.click("#edit")
    page.fill("#source", "some_box(object_exists(blak(top)))")
    says(page, "did you mean `black`?", "#fault")
    assert page.locator(".bad").inner_text() == "blak"
    says(page, "does not run yet", "#whose")
    page.fill("#source", "some_box(object_exists(")
    page.keyboard.type("blu")
    page.wait_for_selector("#offers [aria-selected=true] >> text=blue")
    page.keyboard.press("Enter")
    page.keyboard.type("(top)))")
    says(page, "True")
    says(page, "yours, not the parser’s", "#whose")
    assert page.locator("#trust").is_hidden()
    assert page.locator("#judge").is_hidden()
    again = open_page(page.evaluate("location.hash"))
    says(again, "True")
    says(again, "yours", "#whose")
    page.click("#restore")
    says(page, "False")
    assert page.locator("#whose").is_hidden()


def test_what_decided_is_a_click_away(open_page: Open) -> None:
    page = open_page(TOWERS)
    says(page, "False")
    page.click("#why")
    says(page, "What speaks for it", "#reasons")
    says(page, "speaks for black", "#reasons")


def test_another_reading_can_be_chosen_and_told_apart(open_page: Open) -> None:
    page = open_page(TOWERS)
    page.locator("input[name=reading]").nth(1).check()
    says(page, "if it is read this way", "#sure")
    assert page.locator(".reading.chosen .said").first.inner_text() == page.locator("#plain").inner_text()
    page.get_by_role("button", name="Where do they differ?").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#apart .told")
    assert set(page.locator("#apart .side .chip").all_inner_texts()) == {"true", "false"}
    page.get_by_role("button", name="Close").click()
    assert page.locator("#apart").is_hidden()


@pytest.mark.parametrize(("wanted", "first"), [("true", "False"), ("false", "True")])
def test_make_it_true_and_make_it_false(open_page: Open, wanted: str, first: str) -> None:
    page = open_page(TOWERS if wanted == "true" else TOWERS.replace("black", "blue"))
    says(page, first)
    page.click(f"#make-{wanted}")
    says(page, "one small change", NOTE)
    says(page, wanted.capitalize())
    page.click("#undo")
    says(page, first)


def test_a_link_reproduces_the_state(open_page: Open) -> None:
    page = open_page(SCATTERED)
    page.get_by_role("button", name="Add to the middle box").click()
    wait_for_picture(page, r"~bs20|~ks20")
    page.fill("#sentence", "There are two squares in some box.")
    page.wait_for_function("() => location.hash.includes('two+squares')")
    page.wait_for_function("() => document.querySelectorAll('.reading').length > 1")
    page.locator("input[name=reading]").nth(1).check()
    link = page.evaluate("location.hash")
    again = open_page(link)
    again.wait_for_function("() => document.querySelectorAll('.reading').length > 1")
    for what in ("#answer", "#plain", "#tree", "#readings"):
        assert again.locator(what).inner_text() == page.locator(what).inner_text()
    assert picture_of(again) == picture_of(page)
    assert again.locator("input[name=reading]").nth(1).is_checked()


@pytest.mark.parametrize(
    "link", ["#p=nonsense", "#s=x&p=ks20-99-99~~", "#", "#p=~~&r=99&s=There+is+a+box+with+a+circle"]
)
def test_a_broken_link_still_opens_a_page_that_works(open_page: Open, link: str) -> None:
    page = open_page(link)
    page.fill("#sentence", "There is a black block.")
    page.wait_for_function("() => document.querySelectorAll('.part').length > 0")


def test_a_broken_picture_in_a_link_is_told_and_the_sentence_kept(open_page: Open) -> None:
    page = open_page("#s=There+is+a+box.&p=ks20-99-99~~")
    says(page, "broken", NOTE)
    assert page.locator("#sentence").input_value() == "There is a box."


def test_everything_is_done_with_the_keyboard_alone(open_page: Open) -> None:
    page = open_page(SCATTERED)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    tab_to(page, "thing")
    page.keyboard.press("c")
    page.keyboard.press("c")
    wait_for_picture(page, r"^yc20-10-10")
    says(page, "True")
    page.keyboard.press("s")
    wait_for_picture(page, r"^ys20-10-10")
    page.keyboard.press("z")
    wait_for_picture(page, r"^ys30-5-5")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    wait_for_picture(page, r"^ys30-6-15")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")  # to the other one
    page.keyboard.press("Delete")
    wait_for_picture(page, r"^ys30-6-15~~$")
    assert page.evaluate("document.activeElement.classList.contains('thing')")
    page.keyboard.press("Escape")
    assert not page.evaluate("document.activeElement.classList.contains('thing')")
    page.keyboard.press("Control+z")
    wait_for_picture(page, r"^ys30-6-15\.")
    page.focus("#sentence")
    assert tab_to(page, "part") <= 8
    assert page.locator("#picture.lit, .part:focus").count() >= 1


def tab_to(page: Any, what: str) -> int:
    """How often Tab is pressed until something of this class has the focus."""
    for times in range(1, 30):
        page.keyboard.press("Tab")
        if page.evaluate(f"document.activeElement.classList.contains('{what}')"):
            return times
    raise AssertionError(f"no {what} within 30 tabs")


def test_at_the_width_of_a_phone_nothing_runs_off_and_fingers_can_drag(open_page: Open) -> None:
    page = open_page(TOWERS, width=360, height=740, has_touch=True, is_mobile=True)
    says(page, "False")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    thing = page.locator(f"{THING} >> nth=1").bounding_box()
    side = page.locator("#picture .box").first.bounding_box()["width"]
    session = page.context.new_cdp_session(page)
    x, y = thing["x"] + thing["width"] / 2, thing["y"] + thing["height"] / 2
    for kind, across in [("touchStart", 0.0), *(("touchMove", 0.4 * n) for n in range(1, 4)), ("touchEnd", 0.0)]:
        points = [] if kind == "touchEnd" else [{"x": x + across * side, "y": y}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    wait_for_picture(page, r"^ks20-40-80~.*bs20")


def test_axe_finds_nothing(open_page: Open) -> None:  # test_states asks it of every state and look
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = open_page(SCATTERED)
    page.wait_for_function("() => document.querySelectorAll('.part').length > 0")
    found = axe.Axe().run(page).response["violations"]
    assert not [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]


def test_dark_is_dark_and_the_picture_stays_as_it_is(open_page: Open) -> None:
    page = open_page(TOWERS, color_scheme="dark")
    colour = "getComputedStyle(document.documentElement).backgroundColor"
    assert page.evaluate(colour) == "rgb(19, 20, 23)"
    assert page.evaluate("getComputedStyle(document.querySelector('#picture .box')).fill") == "rgb(211, 211, 211)"


def test_a_server_that_is_gone_is_reported(open_page: Open) -> None:
    page = open_page(TOWERS)
    page.route("**/api/parse", lambda route: route.abort())
    page.fill("#sentence", "There is a blue block.")
    says(page, "Is “chorale serve” still running?", NOTE)


def test_typing_asks_little_and_a_stroke_cancels_what_was_asked_before(open_page: Open) -> None:
    page = open_page(TOWERS)
    says(page, "False")
    asked: list[Any] = []
    page.on("request", lambda request: asked.append(request) if request.url.endswith("/parse") else None)
    page.fill("#sentence", "")
    sentence = "There is a blue block at the top of one."
    assert len(sentence) == 40
    page.focus("#sentence")
    page.keyboard.type(sentence, delay=250)
    says(page, "True")
    assert 1 <= len(asked) <= 6
    page.route("**/api/parse", lambda route: None)  # it never comes
    cancelled: list[str] = []
    page.on("requestfailed", lambda request: cancelled.append(request.url))
    with page.expect_request("**/api/parse"):
        page.keyboard.type("a")
    page.keyboard.type("b")
    page.wait_for_function("() => document.body.classList.contains('pending')")
    page.wait_for_timeout(50)
    assert len(cancelled) == 1


def test_while_an_answer_is_pending_the_old_one_is_no_longer_there_as_if_it_were_true(open_page: Open) -> None:
    page = open_page(TOWERS)
    says(page, "False")
    colour = "getComputedStyle(document.querySelector('#answer')).color"
    before = page.evaluate(colour)
    page.route("**/api/parse", lambda route: None)
    page.locator("#sentence").press("End")
    page.keyboard.type("x")
    assert page.evaluate(colour) != before
    assert page.locator("#verdict").get_attribute("aria-busy") == "true"
    assert page.locator("#right").is_disabled()
    assert page.locator("#make-true").is_disabled()


def test_a_reload_while_typing_keeps_the_sentence_and_an_error_goes_with_its_cause(open_page: Open) -> None:
    page = open_page(TOWERS)
    says(page, "False")
    page.route("**/api/parse", lambda route: route.abort())
    page.fill("#sentence", "There is a blue block.")
    says(page, "Is “chorale serve” still running?", NOTE)
    page.unroute("**/api/parse")
    page.locator("#sentence").press("End")
    page.keyboard.type(" ")
    says(page, "True")
    assert page.locator(NOTE).inner_text() == ""
    page.keyboard.type("And")
    page.reload()
    page.wait_for_function("() => document.querySelector('#sentence').value === 'There is a blue block. And'")


def test_an_answer_can_be_taken_along(open_page: Open, tmp_path: Path) -> None:
    page = open_page(TOWERS)
    says(page, "False")
    page.click("#share")
    forms = page.locator("#sharing pre").all_text_contents()
    assert "curl" in forms[0]
    assert "chorale.load" in forms[1]
    assert "chorale parse" in forms[2]
    with page.expect_download() as download:
        page.click("#keep-page")
    download.value.save_as(tmp_path / "answer.html")
    html = (tmp_path / "answer.html").read_text()
    assert "black block at the top" in html
    assert not re.findall(r"(?:src|href)=[\"']?http", html)


def test_the_api_has_a_page_for_people(open_page: Open) -> None:
    page = open_page(TOWERS)
    page.get_by_role("link", name="HTTP API").click()
    page.wait_for_selector("article")
    says(page, "/api/parse", "#contents")
    says(page, "curl", "#reference")
