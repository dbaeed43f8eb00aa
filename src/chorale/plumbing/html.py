"""Pages that stand alone: one HTML file with its style inside, no script, and nothing loaded from elsewhere.

They are well-formed XML as well. Whatever a user wrote is escaped; `Markup` is text that already is HTML. Colours are
variables with a light and a dark value. On a narrow screen each row of a table becomes a small list, so that nothing
runs off the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from chorale.plumbing.svg import legal

STYLE = """
:root { color-scheme: light dark; --paper: #f4f5f7; --card: #ffffff; --ink: #1f2328; --faint: #57606a;
  --line: #d8dde3; --mark: #e6eaee; --soft: #f6e3ee; --accent: #b3006b; --yes: #1a7f37; --no: #b3261e;
  --blue: #0a5ea8; --orange: #b0460a; --green: #17693f; --red: #a8231c; --violet: #7a3e9d; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #16191d; --card: #1f242a; --ink: #e6e9ed; --faint: #a0a9b2; --line: #363d45; --mark: #272d33;
    --soft: #43283a; --accent: #ff8ac6; --yes: #1f7a3d; --no: #c23b33;
    --blue: #79b8f5; --orange: #f3a06a; --green: #6fcf97; --red: #ff9a90; --violet: #c9a3e6; } }
* { box-sizing: border-box; }
body { font: 1rem/1.55 system-ui, "Segoe UI", sans-serif; color: var(--ink); background: var(--paper);
  max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; overflow-wrap: break-word; }
h1 { font-size: 1.5rem; line-height: 1.3; margin: 0 0 .4rem; font-weight: 600; }
h2 { font-size: 1.15rem; margin: 2.4rem 0 .5rem; font-weight: 600; }
h3 { font-size: 1.05rem; margin: 1.6rem 0 .4rem; font-weight: 600; }
p { margin: .4rem 0; max-width: 48rem; } .plain { font-size: 1.15rem; }
.faint, figcaption, caption, th { color: var(--faint); } .faint, figcaption, caption { font-size: .875rem; }
.right { color: var(--green); } .wrong { color: var(--red); }
code, pre, .tree { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .86rem; overflow-wrap: anywhere; }
code { color: var(--faint); } pre { white-space: pre-wrap; }
ul, ol { margin: .4rem 0; padding-left: 1.2rem; max-width: 48rem; }
svg { display: block; max-width: 100%; height: auto; border-radius: .3rem; }
figure { margin: 0; } .context { max-width: 34rem; margin: 1rem 0 .7rem; }
.card, article, pre { background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
  padding: .8rem .9rem; }
article { margin: 1rem 0; } article h3 { margin-top: 0; } .wide { overflow-x: auto; }
.cards, .pictures, .plots { display: grid; gap: 1rem; margin: .7rem 0; padding: 0; list-style: none; max-width: none;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); }
.pictures { grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); }
.plots { align-items: start; gap: 1.2rem 2rem; }
.cards figure { display: flex; flex-direction: column; gap: .4rem; height: 100%; }
.cards svg { margin-top: auto; } .cards svg, .pictures svg { width: 100%; }
.badge { display: inline-block; align-self: flex-start; padding: .1rem .7rem; border-radius: 1rem; font-size: .9rem;
  font-weight: 600; background: var(--accent); color: var(--card); }
.true { background: var(--yes); color: #fff; } .false { background: var(--no); color: #fff; }
.none { background: var(--line); color: var(--ink); }
.tree, .tree ul { list-style: none; margin: 0; padding-left: 1.1rem; border-left: 1px solid var(--line); }
.tree { padding-left: 0; border: 0; } .tree li { padding: .12rem 0; }
mark { background: var(--soft); color: var(--ink); border-radius: .3rem; padding: 0 .35rem;
  font-family: system-ui, sans-serif; }
table { border-collapse: collapse; font-size: .9375rem; } caption { text-align: left; padding-bottom: .3rem; }
td, th { padding: .2rem .6rem .2rem 0; text-align: left; vertical-align: top; font-weight: 400; }
.number { text-align: right; font-variant-numeric: tabular-nums; } td.number { white-space: nowrap; }
.rows { margin: .8rem 0; } .plots .rows { margin-top: 0; font-size: .875rem; }
.rows td, .rows th { padding: .3rem 1.1rem .3rem 0; border-bottom: 1px solid var(--line); }
.rows th { font-weight: 600; font-size: .8125rem; vertical-align: bottom; } .rows td:first-child { min-width: 3rem; }
.plots td, .plots th { padding-right: .8rem; } .plots td:first-child { white-space: nowrap; }
.bar { width: 7rem; } .bar span { display: block; height: .6rem; margin-top: .5rem; border-radius: .2rem;
  background: var(--blue); } .bar .less { background: var(--orange); }
.attention td { padding: .1rem; } .attention td span { display: block; width: 100%; min-width: 2.2rem; height: 1.3rem;
  border-radius: .2rem; background: var(--accent); } .attention th { white-space: nowrap; font-size: .86rem; }
.attention th:first-child { position: sticky; left: -.9rem; background: var(--card); }
summary { cursor: pointer; color: var(--blue); }
summary:focus-visible { outline: 2px solid var(--blue); outline-offset: 2px; }
@media (max-width: 40rem) {
  .rows, .rows tbody, .rows tr, .rows td, .rows caption { display: block; } .rows tr.heads { display: none; }
  .rows tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
  .rows td { border: 0; padding: .1rem 0; display: flex; justify-content: space-between; gap: 1rem; text-align: right; }
  .rows td::before { content: attr(data-head); color: var(--faint); font-size: .8125rem; text-align: left; }
  .rows td:first-child { font-weight: 600; text-align: left; }
  .rows td:first-child::before, .rows td:empty { display: none; } }
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


def faint(*inside: str) -> Markup:
    """A paragraph in the background."""
    return element("p", *inside, class_="faint")


def svg(picture: bytes) -> Markup:
    """A drawing inside of the page; what is drawn was escaped by whoever drew it."""
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


def wide(content: str, label: str) -> Markup:
    """A card for what may be wider than a phone: it scrolls by itself, by keys too."""
    return element("div", content, class_="wide card", tabindex="0", role="group", aria_label=label)


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
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}"/>\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"/>\n<title>{text(title)}</title>\n'
        f"<style>{STYLE}{style}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )
