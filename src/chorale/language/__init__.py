"""What can be said: types, functions, grammar and programs. Knows no domain."""

from chorale.language.execution import run
from chorale.language.grammar import Grammar, Kind, Production
from chorale.language.language import Language, constants, function, read_program
from chorale.language.laws import Laws
from chorale.language.lifting import lifted
from chorale.language.plain import plain
from chorale.language.program import Program
from chorale.language.reading import ProgramError
from chorale.language.rewriting import rewritten
from chorale.language.types import Basic, Function, Type
from chorale.language.wording import Wording

__all__ = [
    "Basic",
    "Function",
    "Grammar",
    "Kind",
    "Language",
    "Laws",
    "Production",
    "Program",
    "ProgramError",
    "Type",
    "Wording",
    "constants",
    "function",
    "lifted",
    "plain",
    "read_program",
    "rewritten",
    "run",
]
