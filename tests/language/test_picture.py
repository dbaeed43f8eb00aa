"""The picture of a tree shows every function and nothing lies over anything else."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given
from tests.enumerated import enumerated
from tests.strategies import programs

from chorale.language import Basic, Function, Grammar, Program
from chorale.language.terms import subterms
from chorale.nlvr import Consistent

SVG = "{http://www.w3.org/2000/svg}"


@given(programs(Consistent.grammar, 25))
def test_every_function_has_its_box_and_boxes_do_not_overlap(program: Program) -> None:
    root = ElementTree.fromstring(program.to_svg())
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    boxes = [
        tuple(float(box.attrib[key]) for key in ("x", "y", "width", "height"))
        for box in root.findall(f"{SVG}rect")
        if "x" in box.attrib
    ]
    texts = [text.text for text in root.findall(f"{SVG}text")]
    for term in subterms(program.term):
        assert len(term.parts) > 1 or term.name in texts  # type: ignore[union-attr]
    for place, (x, y, wide, high) in enumerate(boxes):
        assert x >= 0
        assert x + wide <= width
        assert y + high <= height
        for other_x, other_y, other_wide, _ in boxes[:place]:
            assert y != other_y or x >= other_x + other_wide or other_x >= x + wide


def test_odd_names_are_escaped() -> None:
    grammar = Grammar({"<a & \x00 b>": Basic("c"), "f": Function((Basic("c"),), Basic("d"))}, Basic("d"))
    (actions,) = enumerated(grammar, 5)
    texts = [text.text for text in ElementTree.fromstring(Program.from_actions(actions, grammar).to_svg()).iter()]
    assert "<a & \N{REPLACEMENT CHARACTER} b>" in texts
    assert "<c:d>" not in texts


def test_notebooks_show_the_tree() -> None:
    program = Consistent.parse("object_exists(all_objects)")
    assert program._repr_svg_() == program.to_svg()
