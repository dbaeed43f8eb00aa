"""Reading programs: text to term, with errors that point at the place.

Two forms are read. Calls, `object_exists(yellow(above(black)))(all_objects)`, where `.` may also join two functions:
`(object_exists.yellow)(all_objects)`. And Lisp, `(object_exists (* yellow top))`, where `*` composes. Nothing is ever
executed, and text that is too long or too deep ends in an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from chorale.errors import ChoraleError, nearest
from chorale.language.terms import MAX_DEPTH, Term, TypeMismatch, applied, composed, named
from chorale.language.types import Function, Type

MAX_TEXT = 10_000
_TOKEN = re.compile(r'\s*(?:(?P<name>\w+)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<sign>[(),.*]))')


class ProgramError(ChoraleError):
    """A text is no program; the message shows the text with a caret under the place."""

    def __init__(self, problem: str, text: str, place: int) -> None:
        self.problem, self.text, self.place = problem, text, place
        super().__init__(f"{problem}\n{_with_caret(text, place)}")


def _with_caret(text: str, place: int, width: int = 100) -> str:
    """The text around `place` on one line, and a caret beneath it."""
    start = max(0, place - width // 2)
    shown = text[start : start + width]
    shown = "".join(" " if character.isspace() else character for character in shown)
    before, after = "... " if start else "", " ..." if start + width < len(text) else ""
    return f"  {before}{shown}{after}\n  {' ' * (len(before) + place - start)}^ column {place + 1}"


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    place: int
    is_name: bool


def read(text: str, signature: Mapping[str, Type]) -> Term:
    """The term that a text stands for; raises `ProgramError`."""
    if len(text) > MAX_TEXT:
        raise ProgramError(f"the text has {len(text)} characters; a program has at most {MAX_TEXT}", text, MAX_TEXT)
    tokens = _tokens(text)
    if tokens[0].text == "(" and not tokens[0].is_name:
        try:
            return _Reader(text, tokens, signature).lisp()
        except ProgramError as lisp_error:
            try:
                return _Reader(text, tokens, signature).calls()
            except ProgramError as call_error:  # tell about the reading that got further
                raise max(lisp_error, call_error, key=lambda error: error.place) from None
    return _Reader(text, tokens, signature).calls()


def _tokens(text: str) -> list[_Token]:
    tokens, place = [], 0
    end = len(text.rstrip())
    while place < end:
        match = _TOKEN.match(text, place)
        if match is None:
            place += len(text[place:]) - len(text[place:].lstrip())
            raise ProgramError(f"unexpected character {text[place]!r}: expected a name, ( ) or ,", text, place)
        if match["string"] is not None:
            try:
                name = json.loads(match["string"])
            except json.JSONDecodeError:
                raise ProgramError("this quoted name has a bad escape", text, match.start("string")) from None
            tokens.append(_Token(name, match.start("string"), True))
        elif match["name"] is not None:
            tokens.append(_Token(match["name"], match.start("name"), True))
        else:
            tokens.append(_Token(match["sign"], match.start("sign"), False))
        place = match.end()
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

    def calls(self) -> Term:
        term = self._chain()
        self._expect("", "the end of the program")
        return term

    def lisp(self) -> Term:
        term = self._list()
        self._expect("", "the end of the program")
        return term

    def _chain(self) -> Term:
        """`f.g.h`: calls joined by dots."""
        start = self.tokens[self.at]
        links = [self._call()]
        while self._take("."):
            links.append(self._call())
        term = links.pop()
        while links:
            term = self._joined(links.pop(), term, start, compose=True)
        return term

    def _call(self) -> Term:
        """A name or a bracketed chain, and the calls behind it: `f(a, b)(c)`."""
        start = self.tokens[self.at]
        if self._take("("):
            term = self._deeper(self._chain)
            self._expect(")", "`)`")
        else:
            term = self._name()
        while self._take("("):
            taken, most = 0, len(term.type.arguments) if isinstance(term.type, Function) else 0
            while True:
                place = self.tokens[self.at]
                if taken == most and most:
                    raise self._error(f"too many arguments: at most {most} here", place)
                term = self._joined(term, self._deeper(self._chain), place if taken or most else start)
                taken += 1
                if not self._take(","):
                    break
            self._expect(")", "`,` or `)`")
        return term

    def _list(self) -> Term:
        """`(f a b)`, `(* f g)` or a name."""
        start = self.tokens[self.at]
        if not self._take("("):
            return self._name()
        star = self._take("*")
        items, places = [], []
        while not self._take(")"):
            places.append(self.tokens[self.at])
            if places[-1].text == "" and not places[-1].is_name:
                raise self._error("expected `)`: a bracket is not closed", places[-1])
            items.append(self._deeper(self._list))
        if star:
            if len(items) < 2:
                raise self._error("`*` composes two functions or more", start)
            term = items.pop()
            while items:
                term = self._joined(items.pop(), term, start, compose=True)
            return term
        if not items:
            raise self._error("expected a function after `(`", start)
        term = items[0]
        for item, place in zip(items[1:], places[1:], strict=True):
            term = self._joined(term, item, place)
        return term

    # -- pieces ------------------------------------------------------------------------------------------------

    def _name(self) -> Term:
        token = self.tokens[self.at]
        if not token.is_name:
            found = f"found `{token.text}`" if token.text else "the text ends here"
            raise self._error(f"expected the name of a function or constant, {found}", token)
        if token.text not in self.signature:
            close = nearest(token.text, self.signature)
            hint = f"; did you mean `{close}`?" if close else ""
            raise self._error(f"unknown name `{token.text}`{hint}", token)
        self.at += 1
        return named(token.text, self.signature[token.text])

    def _joined(self, function: Term, argument: Term, place: _Token, compose: bool = False) -> Term:
        try:
            return composed(function, argument) if compose else applied(function, argument)
        except TypeMismatch as mismatch:
            raise self._error(str(mismatch), place) from None
        except ChoraleError as problem:
            raise self._error(str(problem), place) from None

    def _deeper(self, part: object) -> Term:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self._error(f"more than {MAX_DEPTH} brackets inside each other", self.tokens[self.at])
        term: Term = part()  # type: ignore[operator]
        self.depth -= 1
        return term

    def _take(self, sign: str) -> bool:
        token = self.tokens[self.at]
        if token.is_name or token.text != sign or sign == "":
            return False
        self.at += 1
        return True

    def _expect(self, sign: str, what: str) -> None:
        token = self.tokens[self.at]
        if token.is_name or token.text != sign:
            found = f"found `{token.text}`" if token.text else "the text ends here"
            raise self._error(f"expected {what}, {found}", token)
        self.at += 1

    def _error(self, problem: str, token: _Token) -> ProgramError:
        return ProgramError(problem, self.text, token.place)
