"""A reply: what somebody gets who asks about a table. The answer, and all that is needed to check it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from chorale.domain import Domain, Doubt, Reading
from chorale.domain.queries import Query
from chorale.plumbing.html import badge, element, listed, program

MOST_READINGS = 5
"""How many readings are told."""


@dataclass(frozen=True, repr=False)
class Reply:
    """What a model says to a question, and whether to believe it."""

    question: str
    answer: Any
    """A list of texts and numbers, of a domain with truth values true or false; None if it is not known."""
    confidence: float
    """How likely the answer is right."""
    reasons: tuple[Doubt, ...]
    """What speaks against it."""
    readings: tuple[Reading, ...]
    """What the question may mean, the best first."""
    notes: tuple[str, ...]
    """How the table was read, where it could have been read otherwise."""
    domain: Domain
    answer_if: float
    """How sure the model had to be to answer."""
    meant: float = 0.0
    """How likely the best reading is what was meant; another one may give the same answer."""

    @property
    def best(self) -> Reading | None:
        """The reading that the answer comes from."""
        return self.readings[0] if self.readings else None

    @property
    def is_known(self) -> bool:
        """Whether there is an answer."""
        return self.answer is not None

    @property
    def text(self) -> str:
        """The answer for people."""
        return "not known" if self.best is None or not self.is_known else _said(self.domain, self.best)

    @property
    def doubtful(self) -> str | None:
        """What the program says where that is not trusted."""
        return None if self.best is None or self.is_known else _said(self.domain, self.best) or None

    @property
    def program(self) -> str | None:
        """The program that gives the answer; None if none was found."""
        return None if self.best is None else self.best.program.text

    @property
    def plain(self) -> str | None:
        """The program in plain words."""
        return None if self.best is None else self.best.plain

    @cached_property
    def query(self) -> Query:
        """The program as SQL, or why there is none."""
        return (None if self.best is None else self.best.query) or Query()

    @property
    def sql(self) -> str | None:
        """The program as a query that runs as printed on the file that was asked; None if there is none."""
        return self.query.text or None

    def explain(self) -> Any:
        """Why the question was read so; it shows itself in a notebook, and `html()` is a page."""
        return None if self.best is None else self.best.explain(answer_if=self.answer_if)

    def to_json(self) -> dict[str, Any]:
        """All of it for machines."""
        return {
            "question": self.question,
            "answer": self.answer,
            "confidence": round(self.confidence, 4),
            "meant": round(self.meant, 4),
            "reasons": [{"kind": one.kind, "text": one.text} for one in self.reasons],
            "program": self.program,
            "plain": self.plain,
            "sql": self.sql,
            "sql_remark": self.query.remark or None,
            "readings": [self._reading(one) for one in self.readings[:MOST_READINGS]],
            "notes": list(self.notes),
        }

    def _reading(self, one: Reading) -> dict[str, Any]:
        said = one.answers[0] if one.answers else None
        return {
            "plain": one.plain,
            "program": one.program.text,
            "probability": round(one.probability, 4),
            "answer": self.domain.answers.to_json(said),
        }

    def __repr__(self) -> str:
        understood = f": {self.plain or self.program}" if self.best else ""
        return f"<Reply {self.text}, {self.confidence:.0%} sure{understood}>"

    def _repr_html_(self) -> str:
        """Answer, plain words and SQL, for notebooks."""
        sure = element("span", f" {self.confidence:.0%} sure")
        parts = [element("p", *badge(self.text, "" if self.is_known else "none"), sure)]
        parts += listed([one.text for one in self.reasons])
        if self.best is not None:
            parts += [element("p", self.plain or ""), program(self.program or "")]
        if self.sql is not None:
            parts.append(element("pre", self.sql))
        return "".join(parts)


def _said(domain: Domain, reading: Reading) -> str:
    """What a reading says, for people."""
    return domain.answers.shown(reading.answers[0]) if reading.answers else ""
