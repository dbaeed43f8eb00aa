"""Pieces of SVG are well formed whatever they are told to hold."""

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from chorale.plumbing import svg


@given(st.text(), st.text())
def test_any_text_leaves_the_document_well_formed(text: str, label: str) -> None:
    parts = [svg.element("text", text, x=1, fill=label), svg.titled("rect", text, class_=label, rx=None)]
    root = ElementTree.fromstring(svg.document(10, 20.5, parts, aria_label=label))
    assert root.attrib["viewBox"] == "0 0 10 20.5"
    assert (root[0].text or "").split() == svg.legal(text).replace("\r", "\n").split()
    assert "rx" not in root[1].attrib


def test_numbers_are_short_and_names_are_those_of_xml() -> None:
    assert svg.element("line", x1=44.0, stroke_width=0.5, class_="a") == '<line x1="44" stroke-width="0.5" class="a"/>'
    assert svg.points([(1, 2.5), (3.0, 4)]) == "1,2.5 3,4"
