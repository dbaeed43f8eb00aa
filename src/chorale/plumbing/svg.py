"""Pieces of SVG, which every drawing and plot is put together from."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape  # that of xml.sax brings half of the network modules along

_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # what XML cannot hold, even escaped
_SPACE = {ord(sign): f"&#{ord(sign)};" for sign in "\t\n\r"}  # which would become a blank in an attribute


def legal(text: str) -> str:
    """The text, with a sign in place of each character that XML does not allow."""
    return _ILLEGAL.sub("\N{REPLACEMENT CHARACTER}", text)


def element(tag: str, text: str = "", /, **attributes: object) -> str:
    """An element with a text inside. `_` in a name stands for `-`; an attribute that is None or "" is left out.

    >>> element("text", "a < b", x=1.5, font_size=13, fill="#000")
    '<text x="1.5" font-size="13" fill="#000">a &lt; b</text>'
    """
    return _opening(tag, attributes) + (f">{escape(legal(text), quote=False)}</{tag}>" if text else "/>")


def titled(tag: str, title: str, /, **attributes: object) -> str:
    """A shape with a tooltip."""
    return f"{_opening(tag, attributes)}>{element('title', title)}</{tag}>" if title else element(tag, **attributes)


def points(places: Iterable[tuple[float, float]]) -> str:
    """The corners of a line or a polygon, as the attribute `points` has them."""
    return " ".join(f"{x:g},{y:g}" for x, y in places)


def document(width: float, height: float, parts: Iterable[str], **attributes: object) -> str:
    """A whole picture."""
    box = f"0 0 {width:g} {height:g}"
    size = {"xmlns": "http://www.w3.org/2000/svg", "width": width, "height": height, "viewBox": box}
    return "\n".join([f"{_opening('svg', {**size, **attributes})}>", *parts, "</svg>\n"])


def _opening(tag: str, attributes: dict[str, object]) -> str:
    """The beginning of an element, still open; `class_` is written `class`."""
    given = {name.rstrip("_").replace("_", "-"): it for name, it in attributes.items() if it is not None and it != ""}
    texts = {name: f"{it:g}" if isinstance(it, int | float) else legal(str(it)) for name, it in given.items()}
    return f"<{tag}" + "".join(f" {name}={_quoted(text)}" for name, text in texts.items())


def _quoted(text: str) -> str:
    escaped = escape(text, quote=False).replace('"', "&quot;").translate(_SPACE)
    return f'"{escaped}"'
