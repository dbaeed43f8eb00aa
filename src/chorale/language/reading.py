"""Reading programs: text to term, with errors that point at the spot.

Two forms are read. Calls, `object_exists(yellow(above(black)))(all_objects)`, where `.` may also join two functions:
`(object_exists.yellow)(all_objects)`. And Lisp, `(object_exists (* yellow top))`, where `*` composes. Nothing is ever
executed, and text that is too long or too deep ends in an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from itertools import count
from typing import NamedTuple

from chorale.errors import ChoraleError, nearest
from chorale.language.terms import MAX_DEPTH, Term, applied, composed, named, quoted
from chorale.language.types import Function, Type

MAX_TEXT = 10_000
_SIGNS = frozenset("(),.*")
_TOKEN = re.compile(r'\s*(?:(?P<name>\w+)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<sign>[(),.*]))')


class ProgramError(ChoraleError):
    """A text is not a program; the message shows the text with a caret under the spot."""

    def __init__(self, problem: str, text: str, offset: int) -> None:
        self.problem, self.text, self.offset = problem, text, offset
        super().__init__(f"{problem}\n{_with_caret(text, offset)}")


def _with_caret(text: str, offset: int, width: int = 100) -> str:
    """The text around `offset` on one line, and a caret beneath it."""
    start = max(0, offset - width // 2)
    shown = text[start : start + width]
    shown = "".join(letter if letter.isprintable() else " " for letter in shown)
    before, after = "... " if start else "", " ..." if start + width < len(text) else ""
    return f"  {before}{shown}{after}\n  {' ' * (len(before) + offset - start)}^ column {offset + 1}"


class _Token(NamedTuple):
    text: str
    offset: int
    is_name: bool


def read(text: str, signature: Mapping[str, Type]) -> Term:
    """The term that a text stands for; raises `ProgramError`."""
    if len(text) > MAX_TEXT:
        raise ProgramError(f"the text has {len(text)} characters; a program has at most {MAX_TEXT}", text, MAX_TEXT)
    tokens = _tokens(text)
    signs = {token.text for token in tokens if not token.is_name}
    calls, lisp = (_Reader.chain, "`(`, `.` or the end of the program"), (_Reader.lists, "the end of the program")
    forms = [lisp, calls]  # both are tried on such as (f x) or (f)(x)
    if tokens[0].is_name or signs & {",", "."}:
        forms = [calls]
    elif "*" in signs:
        forms = [lisp]
    errors = []
    for form, end in forms:
        reader = _Reader(text, tokens, signature)
        try:
            term = form(reader)
            reader.expect("", end)
            return term
        except ProgramError as error:
            errors.append(error)
    raise max(errors, key=lambda error: error.offset)  # tell about the reading that got further


def _tokens(text: str) -> list[_Token]:
    tokens, offset = [], 0
    end = len(text.rstrip())
    while offset < end:
        match = _TOKEN.match(text, offset)
        if match is None:
            offset += len(text[offset:]) - len(text[offset:].lstrip())
            if text[offset] == '"':
                raise ProgramError('this quoted name is not closed: expected another `"`', text, offset)
            raise ProgramError(f"unexpected character {text[offset]!r}: expected a name, ( ) or ,", text, offset)
        kind = match.lastgroup or ""
        matched, start, offset = match[kind], match.start(kind), match.end()
        try:
            tokens.append(_Token(json.loads(matched) if kind == "string" else matched, start, kind != "sign"))
        except json.JSONDecodeError:
            raise ProgramError("this quoted name has a bad escape", text, start) from None
    tokens.append(_Token("", end, False))
    if len(tokens) == 1:
        raise ProgramError("the text is empty: expected a program", text, 0)
    return tokens


class _Reader:
    """A recursive-descent reader over the tokens of one text."""

    def __init__(self, text: str, tokens: list[_Token], signature: Mapping[str, Type]) -> None:
        self.text, self.tokens, self.signature = text, tokens, signature
        self.at = 0
        self.depth = 0

    # -- the two forms -----------------------------------------------------------------------------------------

    def chain(self) -> Term:
        """`f.g.h`: calls joined by dots."""
        links, starts = [self._call()], [self.tokens[self.at]]
        while self._take("."):
            starts.append(self.tokens[self.at])
            links.append(self._call())
        return self._composed(links, starts)

    def _call(self) -> Term:
        """A name or a bracketed chain, and the calls after it: `f(a, b)(c)`."""
        if self._take("("):
            term = self._deeper(self.chain)
            self.expect(")", "`)`")
        else:
            term = self._name()
        while self._take("("):
            most = term.type.most_arguments if isinstance(term.type, Function) else 1
            for taken in count():
                offset = self.tokens[self.at]
                if taken == most:
                    raise self._error(f"too many arguments: at most {most} here", offset)
                term = self._joined(term, self._deeper(self.chain), offset)
                if not self._take(","):
                    break
            self.expect(")", "`,` or `)`")
        return term

    def lists(self) -> Term:
        """`(f a b)`, `(* f g)` or a name."""
        start = self.tokens[self.at]
        if not self._take("("):
            return self._name()
        star = self._take("*")
        items, starts = [], []
        while not self._take(")"):
            starts.append(self.tokens[self.at])
            if starts[-1].text == "" and not starts[-1].is_name:
                raise self._error("expected `)`: a bracket is not closed", starts[-1])
            items.append(self._deeper(self.lists))
        if star:
            if len(items) < 2:
                raise self._error("`*` composes two functions or more", start)
            return self._composed(items, starts)
        if not items:
            raise self._error("expected a function after `(`", start)
        term = items[0]
        for item, token in zip(items[1:], starts[1:], strict=True):
            term = self._joined(term, item, token)
        return term

    # -- pieces ------------------------------------------------------------------------------------------------

    def _name(self) -> Term:
        token = self.tokens[self.at]
        if not token.is_name:
            raise self._error(f"expected the name of a function or constant, {_found(token)}", token)
        if token.text not in self.signature:
            close = nearest(token.text, self.signature)
            hint = f"; did you mean `{quoted(close)}`?" if close else ""
            raise self._error(f"unknown name {_shortened(token.text)}{hint}", token)
        self.at += 1
        return named(token.text, self.signature[token.text])

    def _composed(self, links: list[Term], starts: list[_Token]) -> Term:
        """The links after one another, outermost first, each with the token it starts at."""
        term = links[-1]
        for link, token in zip(reversed(links[:-1]), reversed(starts), strict=False):
            term = self._joined(link, term, token, composed)
        return term

    def _joined(
        self, function: Term, argument: Term, token: _Token, join: Callable[[Term, Term], Term] = applied
    ) -> Term:
        try:
            return join(function, argument)
        except ChoraleError as problem:
            raise self._error(str(problem), token) from None

    def _deeper(self, part: Callable[[], Term]) -> Term:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self._error(f"more than {MAX_DEPTH} brackets inside each other", self.tokens[self.at])
        term = part()
        self.depth -= 1
        return term

    def _take(self, sign: str) -> bool:
        token = self.tokens[self.at]
        if token.is_name or token.text != sign:
            return False
        self.at += 1
        return True

    def expect(self, sign: str, what: str) -> None:
        token = self.tokens[self.at]
        if not self._take(sign):
            raise self._error(f"expected {what}, {_found(token)}", token)

    def _error(self, problem: str, token: _Token) -> ProgramError:
        return ProgramError(problem, self.text, token.offset)


def _found(token: _Token) -> str:
    return f"found {_shortened(token.text)}" if token.text or token.is_name else "but the text ends here"


def _shortened(name: str, most: int = 60) -> str:
    """A name for a message: of bounded length, and without characters that a terminal would obey."""
    return f"`{quoted(name[:most])}{'...' if len(name) > most else ''}`" if name not in _SIGNS else f"`{name}`"
