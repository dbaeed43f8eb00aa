"""Pages that stand alone: one HTML file with its style inside, no script, and nothing loaded from elsewhere.

They are well-formed XML as well. Whatever a user wrote is escaped; `Markup` is text that already is HTML. The style is
in `page.css`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

from chorale.plumbing.svg import legal

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_NUMERIC = set("0123456789.,+-–±<%/ ")


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def text(value: str) -> Markup:
    """Plain text as HTML."""
    return value if isinstance(value, Markup) else Markup(escape(legal(value)))


def element(tag: str, *inside: str, **attributes: str) -> Markup:
    """An element around text and other elements; an attribute that is empty is left out.

    >>> element("p", "a < b", element("b", "c"), class_="x")
    '<p class="x">a &lt; b<b>c</b></p>'
    """
    named = [(name.rstrip("_").replace("_", "-"), value) for name, value in attributes.items() if value]
    given = "".join(f' {name}="{escape(legal(value))}"' for name, value in named)
    return Markup(f"<{tag}{given}>{''.join(map(text, inside))}</{tag}>")


def faint(*inside: str) -> Markup:
    """A paragraph in the background."""
    return element("p", *inside, class_="faint")


def svg(picture: bytes) -> Markup:
    """A drawing inside of the page; its content was escaped when it was drawn."""
    return Markup(picture.decode())


def program(source: str) -> Markup:
    """A program, which may be broken after brackets and commas."""
    broken = text(source)
    for sign in "(,":
        broken = Markup(broken.replace(sign, f"{sign}<wbr/>"))
    return Markup(f"<code>{broken}</code>")


def badge(answer: str, kind: str = "") -> list[Markup]:
    """An answer or another result, if there is one; true and false have colours of their own."""
    kind = answer if answer in ("true", "false") else kind
    return [element("span", answer, class_=f"badge {kind}".rstrip())] if answer else []


def wide(content: str, label: str, class_: str = "wide card") -> Markup:
    """A card for what may be wider than a phone: it scrolls by itself, by keys too."""
    return element("div", content, class_=class_, tabindex="0", role="group", aria_label=label)


def listed(sentences: Sequence[str]) -> list[Markup]:
    """Remarks, if there are any."""
    return [element("ul", *(element("li", one) for one in sentences))] if sentences else []


def table(lines: Sequence[Sequence[str]], caption: str = "") -> Markup:
    """A table whose first line is its heads; columns of figures are set to the right."""
    heads, *rows = lines
    figures = [all(_is_figure(row[column]) for row in rows) for column in range(len(heads))]
    top = [element("th", head, scope="col", class_="number" * flag) for head, flag in zip(heads, figures, strict=True)]
    body = [
        element(
            "tr",
            *(
                element("td", cell, data_head=head, class_="number" * flag)
                for cell, head, flag in zip(row, heads, figures, strict=True)
            ),
        )
        for row in rows
    ]
    said = [element("caption", caption)] if caption else []
    return element("table", *said, element("tbody", element("tr", *top, class_="heads"), *body), class_="rows")


def _is_figure(cell: str) -> bool:
    return not isinstance(cell, Markup) and set(cell) <= _NUMERIC


def page(title: str, parts: Iterable[str], style: str = "") -> str:
    """The whole file; the parts are HTML, `style` is what they need besides."""
    body = "\n".join(text(part) for part in [element("h1", title), *parts])
    style = files(__package__).joinpath("page.css").read_text(encoding="utf-8") + style
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}"/>\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"/>\n<title>{text(title)}</title>\n'
        f"<style>{style}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )
