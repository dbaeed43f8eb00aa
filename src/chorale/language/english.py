"""Pieces of English that plain words are put together from: nouns, what is said of them, and clauses.

A `Noun` is a set: "yellow squares above a circle". It gathers adjectives, a kind, modifiers and clauses, and is put in
order only when it is written. A `Clause` is true or false: "is there a yellow square?". About a container the same
clause is part of a noun: "a box that holds a yellow square". No domain has a say here, and none must use it: plain
words may be plain strings (see `plain`).

>>> square = Noun("object", "objects").as_kind("square", "squares").with_adjective("yellow", "color")
>>> square.indefinite, square.counted(Amount.of("greater_equals", 2))
('a yellow square', 'at least two yellow squares')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_COMPARISONS = {
    "equals": "exactly",
    "greater": "more than",
    "greater_equals": "at least",
    "lesser": "fewer than",
    "lesser_equals": "at most",
}


class Amount(NamedTuple):
    """How many: "at least two"."""

    text: str
    is_one: bool = False
    """Whether a noun after it is singular."""

    @staticmethod
    def of(comparison: str, number: int) -> Amount:
        """A comparison with a number: equals, greater, greater_equals, lesser or lesser_equals."""
        if comparison == "lesser" and number == 1:
            return NONE
        return Amount(f"{_COMPARISONS[comparison]} {NUMBERS[number]}", number == 1)


NONE = Amount("no")


@dataclass(frozen=True)
class Modifier:
    """What is said of a thing after its noun, in the singular and in the plural; several alternatives are an "or"."""

    one: tuple[str, ...]
    many: tuple[str, ...]
    follows: bool = True
    """Whether it may follow the noun: "touching a wall" does, "not yellow" needs "that is" before it."""
    is_negated: bool = False

    @staticmethod
    def of(one: str, many: str = "", *, follows: bool = True) -> Modifier:
        return Modifier((one,), (many or one,), follows)

    def text(self, plural: bool) -> str:
        texts = self.many if plural else self.one
        if not self.is_negated:
            return " or ".join(texts)
        if len(texts) == 1:
            return texts[0].removeprefix("not ") if texts[0].startswith("not ") else f"not {texts[0]}"
        first, *others = sorted(texts, key=lambda text: text.startswith("neither "))  # never "neither neither"
        if first.startswith("neither "):
            return f"not {' or '.join(texts)}"
        return f"neither {' nor '.join((first, *others))}"

    def negated(self) -> Modifier:
        return replace(self, is_negated=not self.is_negated)

    def or_else(self, other: Modifier) -> Modifier:
        """Either of the two."""
        one, many = (dict.fromkeys(self._choices(plural) + other._choices(plural)) for plural in (False, True))
        return Modifier(tuple(one), tuple(many), self.follows and other.follows)

    def _choices(self, plural: bool) -> tuple[str, ...]:
        if self.is_negated:
            return (self.text(plural),)
        return self.many if plural else self.one


@dataclass(frozen=True)
class Clause:
    """What is true or false, as a question and as it is said of a container. It says one of the last four."""

    question: str
    """Without capital and mark: "are all objects black"."""
    again: str = ""
    """The question once its subject is known: "are they all black"."""
    held: str = ""
    """What is there: "a yellow square"."""
    does: tuple[str, str] | None = None
    """What one container does, or many do: "has the fewest objects", "have the fewest objects"."""
    whose: tuple[str, str] | None = None
    """What is in a container, and what it is or does: "objects", "are all black"."""
    parts: tuple[Clause, ...] = ()
    """Clauses that are all true."""

    def said(self) -> str:
        """The question, written out."""
        return f"{self.question[0].upper()}{self.question[1:]}?"


class Adjective(NamedTuple):
    """A word in front of a noun; a noun has at most one of each group."""

    word: str
    group: str


@dataclass(frozen=True)
class Noun:
    """A set of things, or one of them, and all that is said of it."""

    one: str
    many: str
    kind: tuple[str, str] | None = None
    """What takes the place of the word itself: "square", "squares"."""
    adjectives: tuple[Adjective, ...] = ()
    superlative: str = ""
    """Picks from all the rest says: "topmost"."""
    modifiers: tuple[Modifier, ...] = ()
    clauses: tuple[Clause, ...] = ()
    container: tuple[str, str] | None = None
    """What has the things, one and many, if it must be said: "a box", "boxes"."""
    is_placed: bool = False
    """Whether that is said at the end: "in a box that holds a yellow square"."""
    verb: tuple[str, str] = ("holds", "hold")
    """What a container does with what is in it, one and many."""
    order: tuple[str, ...] = ()
    """The groups of adjectives as they follow each other."""
    is_closed: bool = False
    """Whether it picks some of what was said, so that what is said next must not be taken for a part of that."""

    # -- saying more -----------------------------------------------------------------------------------------------

    def with_adjective(self, word: str, group: str) -> Noun:
        """These things, if they are yellow."""
        noun = self.opened()
        if any(have.group == group and have.word != word for have in noun.adjectives):
            return noun.with_modifier(Modifier.of(f"also {word}", follows=False))
        return replace(noun, adjectives=tuple(dict.fromkeys((*noun.adjectives, Adjective(word, group)))))

    def as_kind(self, one: str, many: str) -> Noun:
        """These things, if they are squares."""
        noun = self.opened()
        if noun.kind is None:
            return replace(noun, kind=(one, many))
        if noun.kind == (one, many):
            return noun
        return noun.with_modifier(Modifier.of(f"also {with_article(one)}", f"also {many}", follows=False))

    def with_modifier(self, modifier: Modifier) -> Noun:
        """These things, if they are touching a wall."""
        noun = self.opened()
        return replace(noun, modifiers=tuple(dict.fromkeys((*noun.modifiers, modifier))))

    def with_clause(self, clause: Clause) -> Noun:
        """These containers, if the clause is true of them."""
        noun = self.opened()
        return replace(noun, clauses=tuple(dict.fromkeys((*noun.clauses, *(clause.parts or (clause,))))))

    def closed(self) -> Noun:
        """The same things; what is said next is said of a part of them."""
        return replace(self, is_closed=True)

    def opened(self) -> Noun:
        """The same things, as a noun that more can be said of."""
        if not self.is_closed:
            return self
        among = Modifier.of(f"among the {self.plural}")
        return replace(self.plain(), modifiers=(among,), container=self.container)

    def plain(self) -> Noun:
        """The word alone."""
        return Noun(self.one, self.many, verb=self.verb, order=self.order)

    @property
    def is_plain(self) -> bool:
        """Whether nothing is said of the things, but perhaps where they are."""
        return not (self.kind or self.adjectives or self.superlative or self.modifiers or self.clauses)

    # -- writing ---------------------------------------------------------------------------------------------------

    @property
    def singular(self) -> str:
        return self._written(False)

    @property
    def plural(self) -> str:
        return self._written(True)

    @property
    def indefinite(self) -> str:
        """One of them: "a yellow square"; what is unique has "the"."""
        return f"the {self.singular}" if self.superlative else with_article(self.singular)

    def counted(self, amount: Amount) -> str:
        return f"{amount.text} {self.singular if amount.is_one else self.plural}"

    def said(self) -> str:
        """All of them, written out."""
        return f"the {self.plural}"

    def _written(self, plural: bool) -> str:
        ranks = {group: rank for rank, group in enumerate(self.order)}
        adjectives = sorted(self.adjectives, key=lambda it: ranks.get(it.group, -1))
        head = (self.kind or (self.one, self.many))[plural]
        place = f"in {self.container[plural]}" if self.container and self.is_placed else ""
        parts = [self.superlative, *(it.word for it in adjectives), head, self._after(plural), place]
        if self.clauses:
            parts.append(_relative(self.clauses, self.verb, plural))
        return " ".join(filter(None, parts))

    def _after(self, plural: bool) -> str:
        """The modifiers, short ones first, so that none is taken for a part of another."""
        texts = sorted((it.text(plural) for it in self.modifiers), key=len)
        joined = " and ".join(texts)
        if all(it.follows for it in self.modifiers):
            return joined
        return f"that {'are' if plural else 'is'} {joined}"

    def difference(self, after: Noun) -> Modifier:
        """What another noun says of these things on top: "yellow", "squares", "touching a wall"."""
        extra = replace(
            after,
            adjectives=tuple(it for it in after.adjectives if it not in self.adjectives),
            kind=after.kind if after.kind != self.kind else None,
            modifiers=tuple(it for it in after.modifiers if it not in self.modifiers),
            superlative=after.superlative if after.superlative != self.superlative else "",
            is_placed=after.is_placed and not self.is_placed,
        )
        is_more = (self.kind in (None, after.kind)) and all(
            set(getattr(self, name)) <= set(getattr(after, name)) for name in ("adjectives", "modifiers")
        )
        if not is_more or extra.is_plain:
            extra = after
        match (extra.adjectives, extra.kind, extra.modifiers, extra.superlative):
            case ((only,), None, (), ""):
                return Modifier.of(only.word, follows=False)
            case ((), (one, many), (), ""):
                return Modifier.of(with_article(one), many, follows=False)
            case ((), None, (only,), ""):
                return only
            case ((), None, (), superlative) if superlative:
                return Modifier.of(f"the {superlative} one", f"the {superlative} ones", follows=False)
        return Modifier.of(extra.indefinite, extra.plural, follows=False)


def with_article(text: str) -> str:
    """A thing, or an other thing."""
    return f"{'an' if text[0] in 'aeiou' else 'a'} {text}"


def there_is(noun: Noun, amount: Amount | None = None) -> Clause:
    """That there is one of these things, or a number of them."""
    held = with_article(noun.singular) if amount is None else noun.counted(amount)
    return Clause(f"{'is' if amount is None or amount.is_one else 'are'} there {held}", held=held)


def all_of(clauses: Sequence[Clause]) -> Clause:
    """Several clauses at once."""
    parts = tuple(dict.fromkeys(part for clause in clauses for part in clause.parts or (clause,)))
    if len(parts) == 1:
        return parts[0]
    if all(part.held for part in parts):
        held = _listed([part.held for part in parts])
        return Clause(f"{parts[0].question.partition(' ')[0]} there {held}", held=held, parts=parts)
    questions = [parts[0].question]
    for before, part in pairwise(parts):
        same = before.whose and part.whose and before.whose[0] == part.whose[0]
        questions.append(part.again if same and part.again else part.question)
    return Clause(", and ".join(questions), parts=parts)


def doing(clauses: Sequence[Clause], verb: tuple[str, str], plural: bool) -> str:
    """What containers do, as far as the clauses say it: "hold a yellow square and have the fewest objects"."""
    held = [clause.held for clause in clauses if clause.held]
    texts = [f"{verb[plural]} {_listed(held)}"] if held else []
    return " and ".join(texts + [clause.does[plural] for clause in clauses if clause.does])


def _relative(clauses: Sequence[Clause], verb: tuple[str, str], plural: bool) -> str:
    """Clauses as they follow a container: "that holds a yellow square and whose objects are all black"."""
    does = doing(clauses, verb, plural)
    subjects: dict[str, list[str]] = {}
    for clause in clauses:
        if clause.whose:
            subjects.setdefault(clause.whose[0], []).append(clause.whose[1])
    whose = [f"whose {subject} {_joined(said, 'and')}" for subject, said in subjects.items()]
    return " and ".join([*([f"that {does}"] if does else []), *whose])


def _listed(texts: Sequence[str]) -> str:
    """Things side by side: "both a square and a circle", "a square but no circle"."""
    absent = [text for text in texts if text.startswith("no ")]
    present = [text for text in texts if text not in absent]
    if absent and present:
        return f"{_joined(present, 'and')} but {_joined(absent, 'and')}"
    both = "both " if len(present) == 2 else ""
    return both + _joined(texts, "and")


def _joined(texts: Sequence[str], word: str) -> str:
    *before, last = texts
    return f"{', '.join(before)} {word} {last}" if before else last
