"""A program's tree as a picture: one rounded box per function, its type beneath, arguments below it.

Leaves stand side by side, each as wide as its text needs; a function stands above the middle of its arguments. Text is
set in a monospaced font, so its width is known without measuring.
"""

from __future__ import annotations

from dataclasses import dataclass

from chorale.language.terms import Compose, Term
from chorale.plumbing import svg

_LETTER, _SMALL_LETTER = 8.0, 6.1  # advance of a letter at font sizes 13 and 10
_BOX_HEIGHT, _TYPE_HEIGHT, _LEVEL = 26.0, 16.0, 78.0
_PADDING, _GAP, _MARGIN = 10.0, 18.0, 12.0
_FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"


@dataclass(slots=True)
class _Node:
    """A function with its place: `x` is the middle of its box, `y` the top; the whole subtree is `width` wide."""

    name: str
    kind: str
    x: float
    y: float
    box_width: float
    width: float
    children: list[_Node]

    def all(self) -> list[_Node]:
        """The node and all below it, from the top."""
        return [self, *(node for child in self.children for node in child.all())]


def tree_svg(term: Term) -> str:
    """The tree of a term as an SVG document."""
    root = _placed(term, _MARGIN, _MARGIN)
    nodes = root.all()
    width = root.width + 2 * _MARGIN
    height = max(node.y for node in nodes) + _BOX_HEIGHT + _TYPE_HEIGHT + _MARGIN
    parts = [svg.element("rect", width="100%", height="100%", fill="white"), *_edges(root), *map(_box, nodes)]
    return svg.document(round(width), round(height), parts, font_family=_FONT, text_anchor="middle")


def _placed(term: Term, left: float, top: float) -> _Node:
    """The tree of a term, laid out from `left` and `top` on."""
    name, below = ("compose", term.parts) if isinstance(term, Compose) else (term.name, term.arguments)
    kind = str(term.type)
    box_width = len(name) * _LETTER + 2 * _PADDING
    own = max(box_width, len(kind) * _SMALL_LETTER)
    children: list[_Node] = []
    at = left
    for part in below:
        children.append(_placed(part, at, top + _LEVEL))
        at += children[-1].width + _GAP
    taken = max(0.0, at - left - _GAP)
    if taken < own:  # the function is wider than its arguments: they move to its middle
        for node in (node for child in children for node in child.all()):
            node.x += (own - taken) / 2
    width = max(own, taken)
    middle = (children[0].x + children[-1].x) / 2 if children else left + width / 2
    middle = min(max(middle, left + own / 2), left + width - own / 2)
    return _Node(name, kind, middle, top, box_width, width, children)


def _edges(node: _Node) -> list[str]:
    """Curves from below a function's type to the boxes of its arguments."""
    start = node.y + _BOX_HEIGHT + _TYPE_HEIGHT
    lines = []
    for child in node.children:
        half = (start + child.y) / 2
        path = (
            f"M{node.x:.1f} {start:.1f} C{node.x:.1f} {half:.1f} {child.x:.1f} {half:.1f} {child.x:.1f} {child.y:.1f}"
        )
        lines += [svg.element("path", d=path, fill="none", stroke="#9aa5b1"), *_edges(child)]
    return lines


def _box(node: _Node) -> str:
    box = {"x": node.x - node.box_width / 2, "y": node.y, "width": node.box_width, "height": _BOX_HEIGHT, "rx": 6}
    parts = [
        svg.element("rect", **box, fill="#eef2f7", stroke="#9aa5b1"),
        svg.element("text", node.name, x=node.x, y=node.y + 17, font_size=13, fill="#1f2933"),
        svg.element("text", node.kind, x=node.x, y=node.y + 38, font_size=10, fill="#7b8794"),
    ]
    return "\n".join(parts)
