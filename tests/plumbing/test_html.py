"""Pages: what users wrote is escaped, nothing is loaded from elsewhere, and tables fit narrow screens."""

from xml.etree import ElementTree

from chorale.plumbing.html import Markup, element, page, program, table

EVIL = "<script>alert(1)</script> \"quoted\" 'and' & \x00"


def test_everything_a_user_wrote_is_escaped() -> None:
    text = page(EVIL, [element("p", EVIL, title=EVIL), table([[EVIL], [EVIL]], EVIL), program(EVIL), EVIL])
    root = ElementTree.fromstring(text)
    assert not root.findall(".//script")
    assert root.findtext(".//h1") == EVIL.replace("\x00", "\N{REPLACEMENT CHARACTER}")


def test_a_page_loads_nothing_and_forbids_it() -> None:
    root = ElementTree.fromstring(page("t", [element("p", "x")]))
    policy = root.find(".//meta[@http-equiv='Content-Security-Policy']")
    assert policy is not None
    assert policy.get("content", "").startswith("default-src 'none'")
    style = root.findtext(".//style") or ""
    assert "url(" not in style
    assert "@import" not in style
    assert "prefers-color-scheme: dark" in style


def test_each_cell_knows_its_head_for_narrow_screens_and_figures_stand_to_the_right() -> None:
    root = ElementTree.fromstring(table([["row", "dev"], ["a", "1.0 ± 0.2"], ["b", ""]]))
    cells = [(cell.get("data-head"), cell.get("class")) for cell in root.iter("td")]
    assert cells == [("row", None), ("dev", "number")] * 2


def test_a_program_may_be_broken_after_brackets_and_commas() -> None:
    assert program("f(a, b)") == "<code>f(<wbr/>a,<wbr/> b)</code>"
    assert element("p", Markup("<b>x</b>"), "<") == "<p><b>x</b>&lt;</p>"
