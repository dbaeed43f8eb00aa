"""The parts of a program by walking its term: the slow twin of `chorale.tables.parts`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from chorale.language.terms import Apply, Term
from chorale.tables import features
from chorale.tables.costs import TableCosts
from chorale.tables.english import PASSED
from chorale.tables.language import KINDS, TableLanguage
from chorale.tables.language.types import CELLS, CONTRAST, DATE, NUMBER, TIME, TRUTH
from chorale.tables.linking import Span
from chorale.tables.sentence import Sentence

IS = {"equals", "contains", "begins_like", "has_item"}
COMPARED = {"over", "at_least", "under", "at_most", "after_date", "since_date", "before_date", "until_date"}
RESULT = {"is_win", "is_loss", "is_draw"}
GLUE = {"cells", "rows_where", "rows_where_both", "rows_where_all_three", "all_rows", "pair", "pair_where"}
PASSED_ON = {"Cells", "Sums", "Averages"}
TAGS = {NUMBER: "number", TRUTH: "truth", DATE: "date", TIME: "time", CONTRAST: "contrast"}


@dataclass
class Known:
    """What is known of a part of a program."""

    shape: str = ""
    frame: str = ""
    conditions: set[int] = field(default_factory=set)
    used: set[int] = field(default_factory=set)
    column: int = -1
    view: int = -1
    best: int = -1
    base: str = "-"
    top: str = "-"
    parts: list[Any] = field(default_factory=list)


class Twin:
    """What one question says, and the language over its table."""

    def __init__(self, language: TableLanguage, costs: TableCosts) -> None:
        self.language, self.costs = language, costs
        self.sentence, self.table = Sentence(costs.linking), costs.linking.table

    def parts(self, term: Term) -> list[Any]:
        """All parts of a whole program."""
        assert isinstance(term, Apply)
        known, says = self.known(term), sum({self.costs.says.get(name, 0) for name in names(term)})
        whole = self.skeleton(term, known), self.unsaid(term, known, says), self.said(term), self.joint(term, known)
        return [*known.parts, *whole]

    # -- from the leaves up --------------------------------------------------------------------------------------------

    def known(self, term: Term) -> Known:
        assert isinstance(term, Apply)
        kind = str(term.type)
        if kind in {"Column", "View"}:
            place = int(self.language.implementation(term.name))
            column = place if kind == "Column" else self.table.views[place].column
            return Known(used={self.source(column)}, column=column, view=-1 if kind == "Column" else place)
        if kind == "Condition":
            columns = {self.source(int(self.language.value(term)["column"]))}
            name = term.name
            coarse = "is" if name in IS else "compared" if name in COMPARED else "result" if name in RESULT else name
            return Known(coarse, "", columns, columns)
        if not term.arguments:
            return Known(term.name, term.name, base=term.name)
        return self.call(term, kind)

    def call(self, term: Apply, kind: str) -> Known:
        found, name = Known(), term.name
        if kind not in PASSED_ON and name not in GLUE:
            found.parts.append(self.call_part(name))
        shapes, frames = list[str](), list[str]()
        for place, argument in enumerate(term.arguments):
            one = str(argument.type)
            if one not in {"Column", "View", "Condition", "Rows", "Pair", *PASSED_ON}:
                continue
            given = self.known(argument)
            found.conditions, found.used = found.conditions | given.conditions, found.used | given.used
            if one == "Column" or one in PASSED_ON:
                found.column = given.column
            if one == "View" and found.column < 0:
                found.column = given.column
            if one == "View" or one in PASSED_ON:
                found.view = given.view
            if one == "Rows" or one in PASSED_ON:
                found.best, found.base, found.top = given.best, given.base, given.top
            if one not in {"Column", "View"}:
                shapes.append(given.shape)
                frames.append(given.frame)
            found.parts += self.of_argument(name, kind, place, argument, given)
        found.shape, found.frame = (nested(name, kind, texts) for texts in (shapes, frames))
        kinds = {str(argument.type) for argument in term.arguments}
        if kind == "Rows" and "Rows" in kinds:
            found.top = name
            found.best = found.column if "View" in kinds else found.best
        elif kind == "Rows":
            found.base = name
        return found

    def of_argument(self, name: str, kind: str, place: int, argument: Term, given: Known) -> Iterator[Any]:
        one = str(argument.type)
        if one == "Condition":
            yield self.link(f"{name} {place}" if name.startswith("pair") else name, argument)
        elif one in {"Column", "View"}:
            if kind not in PASSED_ON:
                yield self.given(name, given.column, given.view)
        else:
            if one in PASSED_ON:
                yield self.given(name, given.column, -1)
            if one in {"Sums", "Averages"}:
                yield self.given("totals", self.table.views[given.view].column, given.view)
            yield from given.parts

    def source(self, column: int) -> int:
        return self.table.columns[column].source

    def call_part(self, name: str) -> features.Call:
        s = self.sentence
        return features.Call(name, s.question, s.head_is, s.first_two, s.first_three, s.superlatives, s.bag, s.pairs)

    def given(self, name: str, column: int, view: int) -> features.Given:
        kind = "" if view < 0 else self.table.views[view].kind
        return features.Given(*self.sentence.given(name, column, kind))

    def link(self, role: str, term: Term) -> features.Link:
        value, says = self.language.value(term), sum({self.costs.says.get(name, 0) for name in names(term)})
        span, asked = None, self.sentence.asked
        if says:
            places = [place for place in range(len(asked.words)) if says >> place & 1]
            start, end = places[0], places[-1] + 1
            span = Span(start, end, " ".join(asked.words[start:end]), " ".join(asked.stems[start:end]))
        kind = "" if value["view"] < 0 else self.table.views[value["view"]].kind
        about = KINDS[value["kind"]], role, int(value["column"]), kind, span, int(value["mask"][0].sum())
        return features.Link(*self.sentence.link(*about))

    # -- whole programs ------------------------------------------------------------------------------------------------

    def skeleton(self, term: Apply, known: Known) -> features.Skeleton:
        s = self.sentence
        texts = s.question, s.head_is, s.first_two, s.bag, s.pairs, s.triples
        return features.Skeleton(term.name, known.shape, known.frame, *texts)

    def unsaid(self, term: Apply, known: Known, says: int) -> features.Unsaid:
        s, wanted = self.sentence, self.costs.wanted
        own = [it for it in range(self.table.width) if it in known.used]
        first = {s.names[it][0] for it in own if s.names[it]}
        said = {s.names[it][0] for it in range(self.table.width) if s.levels[it] == 3 and s.names[it]}
        of_used = {word for it in own for word in s.names[it]}
        left = [
            place
            for place, (word, stem) in enumerate(zip(s.asked.words, s.asked.stems, strict=True))
            if not says >> place & 1 and stem not in of_used and word not in PASSED
        ]
        digits = [it.place for it in s.asked.numbers.values() if it.is_digits and not says >> it.place & 1]
        unsaid, total = (wanted & ~says).bit_count(), wanted.bit_count()
        return features.Unsaid(
            str(min(unsaid, 4)),
            str(min(len(digits), 3)),
            str(min(total, 6)),
            ("nothing" if unsaid == total else "some") + (" of some" if total else " of none"),
            term.name if term.name in {"count", "look_up"} else "other",
            str(min(len(said - first), 3)),
            s.question,
            str(min(sum(s.asked.stems[it] in s.name_words for it in left), 4)),
            str(min(sum(s.linked >> it & 1 for it in left), 4)),
        )

    def said(self, term: Apply) -> features.Said:
        s, answer = self.sentence, self.language.value(term)
        tag, column, number = int(answer["tag"]), int(answer["column"]), float(answer["number"][0])
        size, within, empty, kind = 1, 0, False, TAGS.get(tag, "groups")
        if tag == CELLS:
            values = self.language.values[column]
            places = np.flatnonzero(np.unpackbits(answer["values"][0])[: len(values)]).tolist()
            size, columns = len(places), self.table.columns
            if size <= 2:
                text = f" {' '.join(s.asked.stems)} "
                within = sum(bool(values.stems[it]) and f" {values.stems[it]} " in text for it in places)
                empty = any(values.empty[it] for it in places)
            kind = columns[column].type if column < len(columns) else "item"
        is_number = tag == NUMBER
        if is_number and term.name in {"count", "count_different", "difference_in_count", "longest_run"}:
            kind = "count"
        steps = size if size < 3 else 3 if size < 6 else 6 if size < 11 else 11
        return features.Said(
            term.name,
            kind,
            str(steps),
            s.question,
            s.head,
            str(within),
            "or" if "or" in s.asked.words else "no or",
            "empty" if empty else "filled",
            "many" if s.is_plural else "one",
            "several" if size > 1 else "one",
            bucket(number) if is_number else "",
            "whole" if is_number and number == np.floor(number) else "broken",
            "all rows" if is_number and number == len(self.table) else "some",
            "said" if is_number and any(it.value == number for it in s.asked.numbers.values()) else "unsaid",
        )

    def joint(self, term: Apply, known: Known) -> features.Joint:
        def level(column: int) -> int:
            return self.sentence.levels[column] if column >= 0 else -1

        own, best = ({self.source(it)} if it >= 0 else set[int]() for it in (known.column, known.best))
        return features.Joint(
            term.name,
            self.sentence.question,
            known.frame,
            known.base,
            known.top,
            "same" if own & known.conditions else "other",
            "same" if own & best else "other",
            "in" if best & known.conditions else "out",
            f"{level(known.column)} {level(known.best)}",
        )


def names(term: Term) -> list[str]:
    """All functions and constants of a term."""
    assert isinstance(term, Apply)
    return [term.name, *(name for argument in term.arguments for name in names(argument))]


def nested(name: str, kind: str, texts: list[str]) -> str:
    name = "extreme" if name in {"most", "least"} else name
    inside = ",".join(filter(None, texts))
    return inside if kind in PASSED_ON else f"{name}({inside})" if inside else name


def bucket(number: float) -> str:
    if number <= 12:
        return "zero" if number == 0 else "negative" if number < 0 else "one" if number == 1 else "small"
    return "medium" if number < 100 else "year" if 1900 <= number <= 2030 else "large"
