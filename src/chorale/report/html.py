"""A page that stands alone: one HTML file with its style inside, no script, and nothing loaded from elsewhere.

It is well-formed XML as well. Whatever a user wrote is escaped; `Markup` is text that already is HTML. Colours are
variables with a light and a dark value. On a narrow screen each row of a table becomes a small list, so that nothing
runs off the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from chorale.plumbing.svg import legal
from chorale.report import plots

STYLE = """
:root { color-scheme: light dark; --paper: #ffffff; --card: #f5f6f8; --ink: #1f2328; --faint: #57606a;
  --line: #d8dde3; --mark: #e9edf1; --blue: #0a5ea8; --orange: #b0460a; --green: #17693f; --red: #a8231c;
  --violet: #7a3e9d; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14171a; --card: #1c2024; --ink: #e6e9ec; --faint: #a0a9b2; --line: #363d45; --mark: #272d33;
    --blue: #79b8f5; --orange: #f3a06a; --green: #6fcf97; --red: #ff9a90;
    --violet: #c9a3e6; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 70rem;
  margin: 0 auto; padding: 1.5rem 1rem 4rem; overflow-wrap: break-word; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0.5rem 0; }
h2 { font-size: 1.25rem; margin: 2.8rem 0 0.6rem; padding-top: 0.8rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.6rem 0 0.4rem; }
p { margin: 0.5rem 0; max-width: 48rem; }
.faint, figcaption, caption { color: var(--faint); font-size: 0.875rem; }
.right { color: var(--green); } .wrong { color: var(--red); }
code, pre { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 0.875rem; overflow-wrap: anywhere; }
pre { background: var(--card); padding: 0.8rem; white-space: pre-wrap; border-radius: 6px; }
table { border-collapse: collapse; margin: 0.8rem 0; font-size: 0.9375rem; }
caption { text-align: left; padding-bottom: 0.3rem; }
th, td { padding: 0.3rem 1.1rem 0.3rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { font-weight: 600; color: var(--faint); font-size: 0.8125rem; vertical-align: bottom; }
td { font-variant-numeric: tabular-nums; }
.number { text-align: right; } td.number { white-space: nowrap; } td:first-child { min-width: 3rem; }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20.5rem), 1fr)); gap: 1.2rem 2rem;
  align-items: start; }
.plots table { margin-top: 0; font-size: 0.875rem; } .plots td, .plots th { padding-right: 0.8rem; }
.plots td:first-child { white-space: nowrap; }
figure { margin: 0; }
svg { max-width: 100%; height: auto; display: block; }
.remarks { margin: 0.4rem 0; padding-left: 1.1rem; max-width: 48rem; }
article { background: var(--card); border-radius: 8px; padding: 0.9rem 1rem; margin: 1rem 0; }
article h3 { margin-top: 0; }
.pictures, .trace { display: grid; gap: 0.9rem; margin: 0.7rem 0; padding: 0; list-style: none;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); }
.trace figcaption:last-child { color: var(--ink); }
.trace { grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); align-items: end; }
.pictures svg, .trace svg { width: 100%; border-radius: 4px; background: #ffffff; }
summary { cursor: pointer; color: var(--blue); }
summary:focus-visible { outline: 2px solid var(--blue); outline-offset: 2px; }
@media (max-width: 40rem) {
  table, tbody, tr, td, caption { display: block; } tr.heads { display: none; }
  tr { border-bottom: 1px solid var(--line); padding: 0.5rem 0; }
  td { border: 0; padding: 0.1rem 0; display: flex; justify-content: space-between; gap: 1rem; text-align: right; }
  td::before { content: attr(data-head); color: var(--faint); font-size: 0.8125rem; text-align: left; }
  td:first-child { font-weight: 600; text-align: left; } td:first-child::before, td:empty { display: none; } }
"""
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


def program(source: str) -> Markup:
    """A program, which may be broken after brackets and commas."""
    broken = text(source)
    for sign in "(,":
        broken = Markup(broken.replace(sign, f"{sign}<wbr/>"))
    return Markup(f"<code>{broken}</code>")


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
    return element("table", *said, element("tbody", element("tr", *top, class_="heads"), *body))


def _is_figure(cell: str) -> bool:
    return not isinstance(cell, Markup) and set(cell) <= _NUMERIC


def listed(sentences: Sequence[str]) -> list[Markup]:
    """Remarks, if there are any."""
    return [element("ul", *(element("li", one) for one in sentences), class_="remarks")] if sentences else []


def page(title: str, parts: Iterable[str]) -> str:
    """The whole file; the parts are HTML."""
    body = "\n".join(text(part) for part in [element("h1", title), *parts])
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}"/>\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"/>\n<title>{text(title)}</title>\n'
        f"<style>{STYLE}{plots.STYLE}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )
