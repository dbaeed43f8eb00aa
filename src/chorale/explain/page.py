"""An explanation as one page that needs nothing else: no script, no file, no network; light and dark, phones too."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from chorale.domain import Drawing, Reading, TracedPart
from chorale.ranker.weighing import Aligned

if TYPE_CHECKING:
    from chorale.explain.explanation import Explanation

MOST_WEIGHTS = 10
"""How many weights of a list are shown."""
STYLE = """
:root { color-scheme: light dark; --ink: #1f2328; --faint: #5c6670; --paper: #f4f5f7; --card: #fff; --line: #d9dde2;
  --accent: #b3006b; --soft: #f6e3ee; --yes: #1a7f37; --no: #b3261e; --bar: #4c7fb8; --less: #b8774c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ed; --faint: #9aa5b1; --paper: #16191d; --card: #1f242a;
  --line: #353c45; --accent: #ff8ac6; --soft: #43283a; --yes: #1f7a3d; --no: #c23b33; --bar: #6ba1dc;
  --less: #d99a6c; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, "Segoe UI", sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.3; margin: 0 0 .3rem; font-weight: 600; }
h2 { font-size: 1.05rem; margin: 2.4rem 0 .5rem; font-weight: 600; }
p { margin: .3rem 0; max-width: 44rem; } .faint, figcaption, th { color: var(--faint); }
.plain { font-size: 1.15rem; }
code, pre, .tree { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .86rem; }
code { overflow-wrap: anywhere; color: var(--faint); }
.badge { display: inline-block; padding: .1rem .7rem; border-radius: 1rem; background: var(--accent);
  color: var(--card); font-size: .9rem; font-weight: 600; } .true { background: var(--yes); color: #fff; }
.false { background: var(--no); color: #fff; } .none { background: var(--line); color: var(--ink); }
.cards { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 21rem), 1fr)); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .8rem .9rem;
  display: flex; flex-direction: column; gap: .4rem; margin: 0; } .card svg { margin-top: auto; }
.card > .badge { align-self: flex-start; }
svg { display: block; max-width: 100%; height: auto; border-radius: .3rem; }
.scene { max-width: 34rem; margin: 1rem 0 .7rem; }
.doubts { margin: .2rem 0; padding-left: 1.2rem; }
.tree, .tree ul { list-style: none; margin: 0; padding-left: 1.1rem; border-left: 1px solid var(--line); }
.tree { padding-left: 0; border: 0; } .tree li { padding: .12rem 0; } .wide { overflow-x: auto; }
mark { background: var(--soft); color: var(--ink); border-radius: .3rem; padding: 0 .35rem;
  font-family: system-ui, sans-serif; }
table { border-collapse: collapse; align-self: flex-start; }
td, th { padding: .18rem .6rem .18rem 0; text-align: left; font-weight: 400;
  vertical-align: top; } .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.bar { width: 7rem; } .bar span { display: block; height: .6rem; margin-top: .5rem; border-radius: .2rem;
  background: var(--bar); } .bar .less { background: var(--less); }
.attention td { padding: .1rem; } .attention td span { display: block; width: 100%; min-width: 2.2rem; height: 1.3rem;
  border-radius: .2rem; background: var(--accent); } .attention th { white-space: nowrap; font-size: .86rem;
  padding-right: .6rem; } .attention th:first-child { position: sticky; left: -.9rem; background: var(--card); }
details summary { cursor: pointer; color: var(--faint); }
"""


def page(it: Explanation) -> str:
    """The whole page."""
    drawing = it.domain.drawing
    parts = [*_head(it), *_trace(it.steps, drawing), *_attention(it.reading), *_weights(it), *_readings(it, drawing)]
    body = "\n".join(parts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n"
        f"<title>{escape(it.sentence)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _head(it: Explanation) -> list[str]:
    """The sentence, the answer, and what was understood."""
    parse = it.reading
    parts = [f"<header>\n<h1>{escape(it.sentence)}</h1>"]
    if it.context is not None:
        word = escape(it.domain.context_word)
        parts.append(f"<p>{_badge(it, it.answer)} <span class='faint'>of this {word}{_unbelieved(it)}</span></p>")
        if it.domain.drawing is not None:
            parts.append(f"<div class='scene'>{_svg(it.domain.drawing.draw(it.context, 'svg'))}</div>")
    parts += [*_trust(it), "</header>", "<h2>What was understood</h2>"]
    if parse.plain:
        parts.append(f"<p class='plain'>{escape(parse.plain)}</p>")
    parts.append(f"<p class='faint'>The parser holds this program to be {parse.probability:.1%} probable.</p>")
    if any(one.words for one in it.tree):
        parts.append("<p class='faint'>Beside each part of the program the words of the sentence that ask for it:</p>")
    parts.append(_wide(_tree(it.tree), "the program"))
    return [*parts, f"<details><summary>as one line</summary>{_code(parse.program.text)}</details>"]


def _unbelieved(it: Explanation) -> str:
    """What the program says, where that is no answer."""
    is_hidden = it.answer is None and it.said is not None
    return escape(f"; the program says {it.domain.answers.text(it.said)}, which is not trusted") if is_hidden else ""


def _trust(it: Explanation) -> list[str]:
    """How far the answer is to be believed, and what speaks against it."""
    if it.trust is None:
        return []
    against = "".join(f"<li>{escape(doubt.text)}</li>" for doubt in it.trust.reasons)
    listed = f"<ul class='doubts'>{against}</ul>" if against else ""
    what = ". What speaks against it:" if against else "; nothing speaks against it."
    return [f"<p>{it.trust.confidence:.0%} sure{what}</p>{listed}"]


def _tree(nodes: Sequence[Aligned]) -> str:
    """The functions of the program as a nested list."""
    parts = ["<ul class='tree'>"]
    for one, after in pairwise([*nodes, Aligned("", 0)]):
        words = f" <mark>{escape(one.words)}</mark>" if one.words else ""
        parts.append(f"<li>{escape(one.name)}{words}")
        parts.append("<ul>" if after.depth > one.depth else "</li>")
        parts.extend(["</ul></li>"] * (one.depth - after.depth if one.depth > after.depth else 0))
    return "".join([*parts, "</ul>"])


def _trace(steps: Sequence[TracedPart], drawing: Drawing | None) -> list[str]:
    if not steps:
        return []
    cards = [
        f"<figure class='card'><figcaption>{number}</figcaption><div>{escape(step.plain)}</div>"
        f"{_code(step.text)}{_step(step, drawing)}{_result(step.result)}</figure>"
        for number, step in enumerate(steps, 1)
    ]
    about = "<p class='faint'>Each part of the program, from the inside out, and what it returns.</p>"
    return ["<h2>Step by step</h2>", about, "<div class='cards'>", *cards, "</div>"]


def _step(step: TracedPart, drawing: Drawing | None) -> str:
    return "" if drawing is None else _svg(drawing.draw_step(step, "svg"))


def _attention(parse: Reading) -> list[str]:
    """Where each action of a network looked."""
    if parse.attention is None:
        return []
    header = "".join(f"<th>{escape(word)}</th>" for word in parse.words)
    rows = []
    productions = parse.decoded.grammar.productions
    for number, looked in zip(parse.decoded.action_ids, parse.attention, strict=True):
        if not (name := productions[number].name):
            continue  # an action that only says how functions are put together
        cells = "".join(
            f"<td title='{escape(word)}: {share:.0%}'><span style='opacity:{max(share, 0.03):.2f}'></span></td>"
            for word, share in zip(parse.words, looked.tolist(), strict=True)
        )
        rows.append(f"<tr><th>{escape(name)}</th>{cells}</tr>")
    about = "<p class='faint'>The functions as they were written, and how much the network looked at each word.</p>"
    table = f"<table class='attention'><tr><td></td>{header}</tr>{''.join(rows)}</table>"
    return ["<h2>Where it looked</h2>", about, _wide(table, "attention")]


def _weights(it: Explanation) -> list[str]:
    """What decided, for a ranker."""
    if not it.weights:
        return []
    about = "<p class='faint'>Weights that were learned, added up for each part; above zero they speak for it.</p>"
    parts = ["<h2>What speaks for it</h2>", about, _bars([(one.text, one.weight) for one in it.weights])]
    if it.rival is not None and it.decided:
        other = f"<p class='faint'>The runner-up is <span class='plain'>{escape(_said(it.rival))}</span></p>"
        legend = "<p class='faint'>Above zero: speaks for the first reading. Below: for the runner-up.</p>"
        parts += ["<h2>What decided against the runner-up</h2>", other, legend]
        parts.append(_bars([(one.part, one.weight) for one in it.decided]))
    return parts


def _bars(weights: Sequence[tuple[str, float]]) -> str:
    shown, rest = weights[:MOST_WEIGHTS], weights[MOST_WEIGHTS:]
    most = max(abs(weight) for _, weight in weights)
    rows = [_bar(text, weight, most) for text, weight in shown]
    if rest:
        rows.append(_bar(f"{len(rest)} smaller ones together", sum(weight for _, weight in rest), most))
    return _wide(f"<table>{''.join(rows)}</table>", "weights")


def _bar(text: str, weight: float, most: float) -> str:
    kind = " class='less'" if weight < 0 else ""
    bar = f"<span{kind} style='width:{min(abs(weight) / most, 1):.0%}'></span>"
    number = f"{weight:+.1f}".replace("-", "\N{MINUS SIGN}")
    return f"<tr><td class='number'>{number}</td><td class='bar'>{bar}</td><td>{escape(text)}</td></tr>"


def _readings(it: Explanation, drawing: Drawing | None) -> list[str]:
    """The beam by meaning, each with a picture on which it differs."""
    if len(it.readings) < 2:
        return []
    word = escape(it.domain.context_word)
    about = (
        f"<p class='faint'>Programs that say the same of hundreds of generated {word}s are one reading. "
        f"Each is shown with a {word} on which it differs from the first.</p>"
    )
    cards = [_card(it, number, drawing) for number in range(len(it.readings) - it.others[0])]
    count, probability = it.others
    rest = f"<p class='faint'>{count} more, together {probability:.1%} probable.</p>" if count else ""
    return ["<h2>Readings</h2>", about, "<div class='cards'>", *cards, "</div>", rest]


def _card(it: Explanation, number: int, drawing: Drawing | None) -> str:
    reading, difference, text = it.readings[number], it.differences[number], it.domain.answers.text
    programs = "".join(_code(program.text) for program in (reading.program, *reading.same))
    answer = f" {_badge(it, reading.answers[0])}" if reading.answers else ""
    parts = [f"<div>{reading.probability:.1%}{answer}</div><div>{escape(_said(reading))}</div>{programs}"]
    if difference is not None and difference.answers is not None and drawing is not None:
        parts.append(_svg(drawing.draw(difference.context, "svg")))
        first, here = map(text, difference.answers)
        said = f"here {here}, the first reading {first}"
        parts.append(f"<figcaption>{escape(said)}</figcaption>")
    return f"<figure class='card'>{''.join(parts)}</figure>"


def _wide(content: str, label: str) -> str:
    """What may be wider than a phone: it scrolls by itself, by keys too."""
    return f"<div class='wide card' tabindex='0' role='group' aria-label='{escape(label)}'>{content}</div>"


def _code(program: str) -> str:
    """A program that may be broken after brackets and commas."""
    return f"<code>{escape(program).replace('(', '(<wbr/>')}</code>"


def _said(parse: Reading) -> str:
    return parse.plain or parse.program.text


def _badge(it: Explanation, answer: Any) -> str:
    text = "not known" if answer is None else it.domain.answers.text(answer)
    return _result(text, "none" if answer is None else "")


def _result(text: str, kind: str = "") -> str:
    kind = text if text in ("true", "false") else kind
    return f"<span class='badge {kind}'>{escape(text)}</span>" if text else ""


def _svg(picture: bytes) -> str:
    """A drawing inside of the page; what is drawn was escaped by whoever drew it."""
    return picture.decode()
