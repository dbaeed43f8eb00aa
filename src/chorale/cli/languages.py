"""The languages that commands speak, by name: the one place to add another."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chorale.language import Program
    from chorale.nlvr.languages.functions import Common


class LanguageName(StrEnum):
    """The value of `--language`."""

    consistent = "consistent"
    extended = "extended"
    macro = "macro"


def language_class(name: LanguageName) -> type[Common]:
    """The language behind a name; loaded only now, since it takes longer than printing help."""
    from chorale.nlvr.domain import Nlvr  # noqa: PLC0415

    return Nlvr.languages[name]


def read_program(text: str, language: type[Common]) -> Program:
    """Read a whole program, one that is true or false of an image."""
    from chorale.language import ProgramError  # noqa: PLC0415

    program = language.parse(text)
    if program.type != program.grammar.root:
        raise ProgramError(f"a program is a {program.grammar.root}, but this is a {program.type}", text, 0)
    return program
