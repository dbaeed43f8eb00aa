"""Mistakes as a person wants to see them: the sentence, its contexts, what was said, and what each part returned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chorale.domain import Domain, Reading, Utterance, pairs_of
from chorale.evaluation.evaluate import Evaluation
from chorale.evaluation.metrics import Right, measures_of
from chorale.model import Model
from chorale.plumbing.html import Markup, badge, element, faint, page, program, svg, table
from chorale.report.kinds import Rights, kinds_table, parts, sentence_kinds, words

MOST = 40
"""How many mistakes are drawn; a page with more takes long to open."""


def hardest(utterances: Sequence[Utterance], rights: Rights) -> list[int]:
    """The utterances that some run is wrong on, those with the most wrong answers first."""

    def wrong(index: int) -> float:
        said = [right[utterances[index].identifier] for right in rights]
        return sum(1 - sum(one) / len(one) for one in said)

    return sorted((index for index in range(len(utterances)) if wrong(index)), key=lambda index: (-wrong(index), index))


def mistakes_page(
    model: Model,
    utterances: Sequence[Utterance],
    predictions: Sequence[Reading],
    evaluation: Evaluation,
    *,
    known: Mapping[str, str] | None = None,
    command: str = "",
    most: int = MOST,
) -> str:
    """The page of what a model gets wrong; `known` are the programs behind the sentences, where that is told."""
    order = sorted(
        hardest(utterances, [evaluation.right]),
        key=lambda index: (sum(evaluation.right[utterances[index].identifier]), -predictions[index].probability),
    )
    score, word = evaluation.score, f"{model.domain.context_word}s"
    pairs = f", and on {score.right_pairs:,} of {score.pairs:,} {word}" if len(score.measures) > 1 else ""
    shown = f"; the {most} worst are drawn" if len(order) > most else ""
    content = [
        element(
            "p",
            f"{model.about.recipe or 'A model'}, seed {model.about.seed}: right on {score.right_groups:,} of "
            f"{score.groups:,} utterances{pairs}. {len(order):,} utterances have a wrong answer{shown}.",
        ),
        *errors_by_kind(model, utterances, {"": [evaluation.right]}),
        element("h2", "Mistakes"),
        element("p", "Most wrong answers first, then those that the parser was surest of."),
    ]
    for number, index in enumerate(order[:most]):
        right = evaluation.right[utterances[index].identifier]
        content.append(mistake(model, utterances[index], predictions[index], right, known or {}, number == 0))
    content += command_part(command)
    return page("Mistakes", content)


def errors_by_kind(model: Model, utterances: Sequence[Utterance], systems: Mapping[str, Rights]) -> list[Markup]:
    """Where the mistakes lie; the systems by name, each with what its runs were right on."""
    everything = [right for runs in systems.values() for right in runs]
    content = [element("h2", "Errors by kind of sentence")]
    if len(systems) > 1:
        measure = measures_of(everything[0].values())[-1].capitalize()
        content.append(faint(f"{measure} of each row in percent, the mean over its seeds."))
    groups = parts(model.domain, utterances, model.about.seen)
    content.append(table(kinds_table("part", groups, utterances, systems)))
    if groups := sentence_kinds(model.domain, utterances, everything):
        differ = model.domain.kinds_differ_in
        caption = "Templates with the most mistakes"
        caption += f": sentences that differ in {differ} only" if differ else ""
        content.append(table(kinds_table("template", groups, utterances, systems), caption))
    if groups := words(model.domain, model.language, utterances, everything):
        caption = "Words whose sentences have the most mistakes"
        content.append(table(kinds_table("word", groups, utterances, systems), caption))
    return content


def mistake(
    model: Model,
    utterance: Utterance,
    prediction: Reading,
    right: Right,
    known: Mapping[str, str],
    is_open: bool = False,
    more: Sequence[str] = (),
) -> Markup:
    """One utterance: its program, its contexts with what was said, and a trace on the first that is wrong."""
    wrong = [index for index, flag in enumerate(right) if not flag]
    said = f"{utterance.identifier} · wrong on {len(wrong)} of {len(right)} · probability {prediction.probability:.1%}"
    content = [
        element("h3", f"“{utterance.sentence}”"),
        *map(faint, (said, *more)),
        element("p", "Read as ", program(prediction.program.text)),
        *_plain_words(prediction),
    ]
    if utterance.identifier in known:
        content.append(element("p", "It means ", program(known[utterance.identifier])))
    names = [name for _, name in pairs_of(utterance)]
    answers = zip(names, utterance.contexts, prediction.answers or (), utterance.answers, right, strict=True)
    content.append(element("div", *(_answered(model.domain, *one) for one in answers), class_="pictures"))
    if wrong:
        content += _trace(model, prediction, wrong[0], names[wrong[0]], is_open)
    return element("article", *content)


def command_part(command: str) -> list[Markup]:
    """What made the page, so that it can be made again."""
    return [element("h2", "The command"), element("pre", command)] if command else []


def _plain_words(reading: Reading) -> list[Markup]:
    """What a program asks, in plain words, if its language has them."""
    return [element("p", f"In plain words: {reading.plain}")] if reading.plain else []


def _answered(domain: Domain, name: str, context: Any, said: Any, wanted: Any, right: bool) -> Markup:
    text = domain.answers.text
    drawn = [] if domain.drawing is None else [svg(domain.drawing.draw(context, "svg"))]
    if right:
        verdict = element("span", f"right: {text(said)}", class_="right")
    else:
        verdict = element("span", f"wrong: says {text(said)}, is {text(wanted)}", class_="wrong")
    return element("figure", *drawn, element("figcaption", f"{name} · ", verdict))


def _trace(model: Model, reading: Reading, number: int, name: str, is_open: bool) -> list[Markup]:
    """What each part of a program returns in a context, to be unfolded."""
    domain, drawing, asked = model.domain, model.domain.drawing, reading.utterance
    assert asked is not None
    context = asked.contexts[number]
    steps = (
        ()
        if reading.is_silent
        else domain.tracing.trace(reading.program, domain.bind(model.language, asked, [context]), context)
    )
    figures = [
        element(
            "li",
            element(
                "figure",
                element("figcaption", f"{number} ", step.plain or program(step.text)),
                *([] if drawing is None else [svg(drawing.draw_step(step, "svg"))]),
                *badge(step.result),
            ),
        )
        for number, step in enumerate(steps, 1)
    ]
    summary = element("summary", f"What each part returns on {name}")
    inside = [summary, element("ol", *figures, class_="cards")]
    return [element("details", *inside, open="open" if is_open else "")] if figures else []
