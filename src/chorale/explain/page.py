"""An explanation as one page that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

from chorale.domain import Domain, Reading, TracedPart
from chorale.plumbing import html
from chorale.plumbing.html import Markup, badge, element, faint, listed, program, svg, wide
from chorale.ranker.weighing import Aligned

if TYPE_CHECKING:
    from chorale.explain.explanation import Explanation
    from chorale.explain.reply import Reply

MOST_WEIGHTS = 10
"""How many weights of a list are shown."""


def page(it: Explanation) -> str:
    """The whole page."""
    return html.page(it.sentence, _sections(it))


def page_of_replies(replies: Sequence[Reply]) -> str:
    """A page for some questions, one below the other."""
    first, *others = (_reply(reply) for reply in replies)
    below = [[element("h1", reply.question), *parts] for reply, parts in zip(replies[1:], others, strict=True)]
    return html.page(replies[0].question, [*first, *chain(*below)])


def _reply(reply: Reply) -> list[Markup]:
    """The explanation of an answer; where no program was found, why there is none."""
    if reply.best is not None:
        return _sections(reply.explain())
    return [element("p", *badge("not known", "none")), *listed([reason.text for reason in reply.reasons])]


def _sections(it: Explanation) -> list[Markup]:
    return [
        *_answer(it),
        *_understood(it),
        *_trace(it),
        *_sql(it.reading),
        *_attention(it.reading),
        *_weights(it),
        *_readings(it),
    ]


def _answer(it: Explanation) -> list[Markup]:
    """The answer, how far it is to be believed, and what speaks against it."""
    parts = []
    if it.context is not None:
        is_hidden = it.answer is None and it.said is not None
        said = f"; the program says {it.domain.answers.shown(it.said)}, which is not trusted" if is_hidden else ""
        about = element("span", f" of this {it.domain.context_word}{said}", class_="faint")
        parts.append(element("p", *_badge(it, it.answer), about))
    if it.trust is not None:
        against = [doubt.text for doubt in it.trust.reasons]
        what = ". What speaks against it:" if against else "; nothing speaks against it."
        parts += [element("p", f"{it.trust}{what}"), *listed(against)]
    return [*parts, *_context(it)]


def _context(it: Explanation) -> list[Markup]:
    """What was asked about, drawn or shown."""
    if it.context is None:
        return []
    if (drawing := it.domain.drawing) is not None:
        return [element("div", svg(drawing.draw(it.context, "svg")), class_="context")]
    return [] if it.domain.showing is None else [it.domain.showing.show(it.context, it.steps)]


def _understood(it: Explanation) -> list[Markup]:
    parts = [element("h2", "What was understood")]
    if it.reading.plain:
        parts.append(element("p", it.reading.plain, class_="plain"))
    parts.append(faint(f"The parser holds this program to be {it.reading.probability:.1%} probable."))
    if any(one.words for one in it.tree):
        parts.append(faint("Beside each part of the program the words of the sentence that ask for it:"))
    line = element("details", element("summary", "as one line"), program(it.reading.program.text))
    return [*parts, wide(_tree(it.tree), "the program"), line]


def _tree(nodes: Sequence[Aligned]) -> Markup:
    """The functions of the program as a nested list."""
    parts = ["<ul class='tree'>"]
    for one, after in pairwise([*nodes, Aligned("", 0)]):
        words = f" {element('mark', one.words)}" if one.words else ""
        parts.append(f"<li>{html.text(one.name)}{words}")
        parts.append("<ul>" if after.depth > one.depth else "</li>")
        parts.extend(["</ul></li>"] * (one.depth - after.depth if one.depth > after.depth else 0))
    return Markup("".join([*parts, "</ul>"]))


def _trace(it: Explanation) -> list[Markup]:
    cards = []
    for number, step in enumerate(it.steps, 1):
        drawn = _drawn(it.domain, step)
        said = element("figcaption", str(number)), element("div", step.plain), program(step.text)
        cards.append(element("figure", *said, *drawn, *badge(step.result), class_="card"))
    marks = " Rows that it found are tinted, cells that it looked at are marked." if it.domain.showing else ""
    about = faint(f"Each part of the program, from the inside out, and what it returns.{marks}")
    return [element("h2", "Step by step"), about, element("div", *cards, class_="cards")] if cards else []


def _drawn(domain: Domain, step: TracedPart) -> list[Markup]:
    if domain.drawing is not None:
        return [svg(domain.drawing.draw_step(step, "svg"))]
    return [] if domain.showing is None else [domain.showing.show_step(step)]


def _sql(reading: Reading) -> list[Markup]:
    """The program as a query that can be run elsewhere."""
    if (query := reading.query) is None:
        return []
    written = [element("pre", query.text)] if query.text else []
    return [element("h2", "As SQL"), *written, *([faint(query.remark)] if query.remark else [])]


def _attention(reading: Reading) -> list[Markup]:
    """Where each action of a network looked."""
    if reading.attention is None:
        return []
    rows = [element("tr", element("td"), *(element("th", word) for word in reading.words))]
    productions = reading.decoded.grammar.productions
    for number, looked in zip(reading.decoded.action_ids, reading.attention, strict=True):
        if not (name := productions[number].name):
            continue  # an action that only says how functions are put together
        cells = [
            element("td", element("span", style=f"opacity:{max(share, 0.03):.2f}"), title=f"{word}: {share:.0%}")
            for word, share in zip(reading.words, looked.tolist(), strict=True)
        ]
        rows.append(element("tr", element("th", name), *cells))
    about = faint("The functions as they were written, and how much the network looked at each word.")
    table = element("table", *rows, class_="attention")
    return [element("h2", "Where it looked"), about, wide(table, "attention")]


def _weights(it: Explanation) -> list[Markup]:
    """What decided, for a ranker."""
    if not it.weights:
        return []
    about = faint("Weights that were learned, added up for each part; above zero they speak for it.")
    parts = [element("h2", "What speaks for it"), about, _weighed(it, [(one.text, one.weight) for one in it.weights])]
    if it.rival is not None and it.decided:
        parts += [
            element("h2", "What decided against the runner-up"),
            element("p", "The runner-up is ", element("span", _said(it.rival), class_="plain")),
            faint("Above zero: speaks for the first reading. Below: for the runner-up."),
            _weighed(it, [(one.part, one.weight) for one in it.decided]),
        ]
    return parts


def _weighed(it: Explanation, weights: Sequence[tuple[str, float]]) -> Markup:
    """Weights as bars; those with keys for names, which few people read, are folded away."""
    if not it.has_keys:
        return _bars(weights)
    return element("details", element("summary", f"{len(weights)} weights, by their keys"), _bars(weights))


def _bars(weights: Sequence[tuple[str, float]]) -> Markup:
    shown, rest = list(weights[:MOST_WEIGHTS]), weights[MOST_WEIGHTS:]
    if rest:
        shown.append((f"{len(rest)} smaller ones together", sum(weight for _, weight in rest)))
    most = max(abs(weight) for _, weight in weights)
    return wide(element("table", *(_bar(text, weight, most) for text, weight in shown)), "weights")


def _bar(text: str, weight: float, most: float) -> Markup:
    bar = element("span", class_="less" * (weight < 0), style=f"width:{min(abs(weight) / most, 1):.0%}")
    number = f"{weight:+.1f}".replace("-", "\N{MINUS SIGN}")
    return element("tr", element("td", number, class_="number"), element("td", bar, class_="bar"), element("td", text))


def _readings(it: Explanation) -> list[Markup]:
    """The beam by meaning, each with a context in which it differs."""
    if len(it.readings) < 2:
        return []
    word, (count, probability) = it.domain.context_word, it.others
    differs = f" Each is shown with a {word} on which it differs from the first." if it.domain.drawing else ""
    about = faint(f"Programs that say the same of hundreds of generated {word}s are one reading.{differs}")
    cards = element("div", *(_card(it, number) for number in range(len(it.readings) - count)), class_="cards")
    rest = [faint(f"{count} more, together {probability:.1%} probable.")] if count else []
    return [element("h2", "Readings"), about, cards, *rest]


def _card(it: Explanation, number: int) -> Markup:
    reading, difference, drawing = it.readings[number], it.differences[number], it.domain.drawing
    answer = [Markup(" "), *_badge(it, reading.answers[0])] if reading.answers else []
    parts = [element("div", f"{reading.probability:.1%}", *answer), element("div", _said(reading))]
    parts += [program(one.text) for one in (reading.program, *reading.same)]
    if difference is not None and difference.answers is not None and drawing is not None:
        first, here = map(it.domain.answers.shown, difference.answers)
        parts.append(svg(drawing.draw(difference.context, "svg")))
        parts.append(element("figcaption", f"here {here}, the first reading {first}"))
    return element("figure", *parts, class_="card")


def _said(reading: Reading) -> str:
    return reading.plain or reading.program.text


def _badge(it: Explanation, answer: Any) -> list[Markup]:
    return badge("not known", "none") if answer is None else badge(it.domain.answers.shown(answer))
