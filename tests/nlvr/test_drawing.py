"""Drawings are NLVR's own pictures when plain, and show what a program returned when highlighted."""

import xml.etree.ElementTree as ET
from json import loads
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from tests.strategies import programs

from chorale.errors import ChoraleError
from chorale.language import Program
from chorale.nlvr.languages.extended import Extended
from chorale.nlvr.pictures.canvas import PngCanvas, fold, wrap
from chorale.nlvr.pictures.drawing import ACCENT, FRAME, to_png, to_svg, trace_png, trace_svg
from chorale.nlvr.pictures.scenes import Object, Scene
from chorale.nlvr.pictures.shapes import GROUND, SEPARATOR
from chorale.nlvr.pictures.trace import TraceStep

CIRCLE = Object(0, 0, 10, "circle", "blue")
TRIANGLE = Object(40, 80, 20, "triangle", "yellow")
SQUARE = Object(70, 70, 30, "square", "black")
SCENE = Scene(((CIRCLE, SQUARE), (), (TRIANGLE, CIRCLE, SQUARE)))
NAMESPACE = "{http://www.w3.org/2000/svg}"


def elements(svg: str, kind: str) -> list[ET.Element]:
    return [element for element in ET.fromstring(svg).iter() if kind in element.get("class", "").split()]


def words(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{NAMESPACE}text")]


def test_a_plain_png_has_nlvrs_size_and_colours() -> None:
    image = to_png(SCENE)
    assert (image.mode, image.size) == ("RGBA", (400, 100))
    assert image.getpixel((120, 50)) == (*SEPARATOR, 255)
    assert image.getpixel((200, 50)) == (*GROUND, 255)
    assert image.getpixel((5, 5)) == (0, 153, 255, 255)
    assert image.getpixel((350, 95)) == (255, 255, 0, 255)
    assert image.getpixel((399, 99)) == (0, 0, 0, 255)


def test_a_larger_png_shows_the_same_colours() -> None:
    image = to_png(SCENE, scale=3)
    assert (image.mode, image.size) == ("RGBA", (1200, 300))
    for x, y in ((5, 5), (120, 50), (200, 50), (350, 95), (399, 99), (0, 99)):
        assert image.getpixel((3 * x + 1, 3 * y + 1)) == to_png(SCENE).getpixel((x, y))


def test_highlighting_in_a_png_adds_a_halo_and_fades_the_rest() -> None:
    image = to_png(SCENE, highlight={(0, 1)}, scale=4)
    frame = int(4 * FRAME)
    assert image.getpixel((frame + 4 * 80, frame + 4 * 80)) == (0, 0, 0, 255)
    assert image.getpixel((frame + 4 * 80, frame + 4 * 70 - 10)) == (*ACCENT, 255)
    assert image.getpixel((frame + 4 * 380, frame + 4 * 80)) not in ((0, 0, 0, 255), (*GROUND, 255))


def test_svg_has_one_shape_for_each_object() -> None:
    svg = to_svg(SCENE)
    tags = sorted(element.tag.removeprefix(NAMESPACE) for element in elements(svg, "object"))
    assert tags == ["circle", "circle", "polygon", "rect", "rect"]
    assert len(elements(svg, "box")) == 3
    assert not elements(svg, "halo")
    assert not elements(svg, "faded")
    assert ET.fromstring(svg).get("viewBox") == "0 0 400 100"


def test_svg_names_each_object_in_words() -> None:
    titles = {element.findtext(f"{NAMESPACE}title") for element in elements(to_svg(SCENE), "object")}
    assert "medium yellow triangle at x = 40, y = 80" in titles


def test_svg_highlights_exactly_what_was_asked_for() -> None:
    svg = to_svg(SCENE, highlight=frozenset({(0, 1), (2, 0)}))
    bright = {(element.tag.removeprefix(NAMESPACE), element.get("fill")) for element in elements(svg, "highlighted")}
    assert bright == {("rect", "#000000"), ("polygon", "#ffff00")}
    assert len(elements(svg, "faded")) == 3
    assert len(elements(svg, "halo")) == 4  # the accent and the white gap of each


def test_an_empty_highlight_fades_everything() -> None:
    assert len(elements(to_svg(SCENE, highlight=frozenset()), "faded")) == 5


def test_chosen_boxes_get_a_border_and_keep_their_colours() -> None:
    svg = to_svg(SCENE, boxes={0})
    assert len(elements(svg, "border")) == 1
    assert len(elements(svg, "faded")) == 3


@pytest.mark.parametrize("highlight", [{(0, 2)}, {(3, 0)}, {(1, 0)}, {(0, -1)}])
def test_highlighting_what_is_not_there_is_an_error(highlight: set[tuple[int, int]]) -> None:
    with pytest.raises(ChoraleError, match="no object"):
        to_svg(SCENE, highlight)


def test_other_requests_that_cannot_be_drawn_are_errors() -> None:
    with pytest.raises(ChoraleError, match="no box 3"):
        to_svg(SCENE, boxes={3})
    with pytest.raises(ChoraleError, match="scale"):
        to_svg(SCENE, scale=0)
    with pytest.raises(ChoraleError, match="too large"):
        to_png(SCENE, scale=1000)
    with pytest.raises(ChoraleError, match="without boxes"):
        to_png(Scene(()))
    with pytest.raises(ChoraleError, match="without steps"):
        trace_svg([])
    with pytest.raises(ChoraleError, match="columns"):
        trace_png([TraceStep("all_objects", SCENE)], columns=0)


@given(st.text())
def test_any_text_leaves_the_svg_well_formed(text: str) -> None:
    ET.fromstring(to_svg(SCENE, caption=text))
    ET.fromstring(trace_svg([TraceStep(text, SCENE, value=text)]))


def test_text_is_escaped_not_lost() -> None:
    svg = to_svg(SCENE, caption="<script>&\"'", scale=2)
    assert words(svg) == ["<script>&\"'"]
    assert "<script>" not in svg


@given(st.text("ab(), ", max_size=80), st.integers(1, 30))
def test_wrapping_keeps_every_letter_and_the_width(text: str, width: int) -> None:
    lines = wrap(text, lambda line: len(line) <= width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(len(line) <= width for line in lines)


def test_programs_break_after_brackets_and_commas() -> None:
    lines = wrap("box_count_equals(1, box_filter(all_boxes, object_exists(black)))", lambda line: len(line) <= 32)
    assert lines == ["box_count_equals(1, box_filter(", "all_boxes, object_exists(", "black)))"]


def test_long_programs_are_indented_at_their_brackets() -> None:
    text = "box_exists(box_filter(all_boxes, box_filter_and(object_count_equals(2)(blue), object_exists(black(top)))))"
    assert fold(text, lambda line: len(line) <= 36) == [
        "box_exists(box_filter(",
        "  all_boxes,",
        "  box_filter_and(",
        "    object_count_equals(2)(blue),",
        "    object_exists(black(top)))))",
    ]


@given(st.text("ab(), ", max_size=80), st.integers(13, 40))
def test_folding_keeps_every_letter_and_the_width(text: str, width: int) -> None:
    lines = fold(text, lambda line: len(line) <= width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(len(line) <= width for line in lines)


@settings(max_examples=settings.default.max_examples // 4)
@given(programs(Extended.grammar, max_actions=25), st.integers(45, 70))
def test_folded_programs_read_the_same(program: Program, width: int) -> None:
    assert Extended.parse("".join(fold(program.text, lambda line: len(line) <= width))) == program


@pytest.mark.parametrize("length", [20, 300])
def test_the_title_of_a_trace_is_there_as_a_whole(length: int) -> None:
    title = "A tower " * (length // 8)
    svg = trace_svg(STEPS[:2], title=title, subtitle="Is there a box?")
    width = float(ET.fromstring(svg).get("width", ""))
    lines = [line for line in ET.fromstring(svg).iter(f"{NAMESPACE}text") if "sans" in line.get("font-family", "")]
    assert " ".join(line.text or "" for line in lines) == f"{title.strip()} Is there a box?"
    assert all(len(line.text or "") * float(line.get("font-size", "")) * 0.6 < width - 20 for line in lines)
    first = min(float(card.get("y", "")) for card in elements(svg, "step"))
    assert all(float(line.get("y", "")) < first for line in lines)
    assert trace_png(STEPS[:2], title=title).height > trace_png(STEPS[:2]).height


STEPS = [
    TraceStep("all_objects", SCENE, objects=frozenset({(0, 0), (0, 1), (2, 0), (2, 1), (2, 2)})),
    TraceStep("yellow(all_objects)", SCENE, objects=frozenset({(2, 0)})),
    TraceStep("blue(triangle(all_objects))", SCENE, objects=frozenset()),
    TraceStep("box_filter(all_boxes, object_exists(black))", SCENE, boxes=frozenset({0, 2})),
    TraceStep("object_exists(yellow)", SCENE),
    TraceStep("box_count_equals(1, " + "box_filter(" * 20 + "all_boxes" + ")" * 20 + ")", SCENE, value="false"),
    TraceStep("2", SCENE, value="2"),
]


def test_a_trace_shows_each_step_with_its_result() -> None:
    svg = trace_svg(STEPS)
    assert len(elements(svg, "step")) == len(STEPS)
    assert len(elements(svg, "object")) == len(STEPS) * len(SCENE.objects)
    assert len(elements(svg, "border")) == 2
    assert len(elements(svg, "result")) == len(STEPS) - 1  # a function by itself has nothing to show
    for said in ("5 objects", "1 object", "no objects", "2 boxes", "false", "yellow(all_objects)"):
        assert said in words(svg)


@pytest.mark.parametrize(("columns", "rows"), [(1, 7), (3, 3), (10, 1)])
def test_a_long_trace_wraps_into_rows(columns: int, rows: int) -> None:
    cards = elements(trace_svg(STEPS, columns=columns), "step")
    assert len({card.get("y") for card in cards}) == rows


def test_text_of_a_trace_stays_inside_its_card() -> None:
    svg = trace_svg(STEPS)
    cards = [tuple(float(card.get(key, "")) for key in ("x", "y", "width", "height")) for card in elements(svg, "step")]
    for line in ET.fromstring(svg).iter(f"{NAMESPACE}text"):
        x, y = float(line.get("x", "")), float(line.get("y", ""))
        end = x + len(line.text or "") * float(line.get("font-size", "")) * 0.61
        assert any(cx < x and end < cx + cw and cy < y < cy + ch for cx, cy, cw, ch in cards), line.text


def test_a_trace_as_png_is_drawn() -> None:
    image = trace_png(STEPS, columns=2)
    assert image.mode == "RGBA"
    assert (np.asarray(image)[..., :3] == ACCENT).all(-1).any()
    assert trace_png(STEPS[:1]).width < image.width


def test_png_text_is_measured_as_it_is_drawn() -> None:
    canvas = PngCanvas(400, 40)
    canvas.text((0, 30), "box_exists(all_boxes)", 13, (0, 0, 0))
    dark = np.asarray(canvas.image())[..., 0] < 250
    assert abs(int(np.nonzero(dark.any(0))[0].max()) - canvas.length("box_exists(all_boxes)", 13)) < 4


@pytest.mark.nlvr
def test_every_dev_picture_is_drawn_pixel_by_pixel(nlvr: Path) -> None:
    examples = [loads(line) for line in (nlvr / "dev.json").read_text("utf-8").splitlines()]
    for example in examples:
        path = nlvr / "dev_images" / f"dev-{example['identifier']}-0.png"
        with Image.open(path) as published:
            drawn = to_png(Scene.from_json(example["structured_rep"]))
            assert (drawn.mode, drawn.tobytes()) == (published.mode, published.tobytes()), path.name


def test_a_scene_draws_itself_in_a_notebook() -> None:
    scene = Scene(((Object(40, 80, 20, "square", "black"),), (), ()))
    assert scene._repr_svg_() == to_svg(scene)
