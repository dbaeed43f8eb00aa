"""What programs say in every context of some utterances, in the order of the data, and how well it fits the answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from chorale.domain import Answer, Domain, Utterance, pairs_of
from chorale.errors import ChoraleError
from chorale.evaluation.metrics import Score, score_of
from chorale.language import Program, read_program
from chorale.plumbing.files import read_text


class Denotations:
    """A language on some utterances, to be asked about programs, which are text until their utterance is known.

    Where utterances bring constants of their own, each of them reads a program in its own grammar.
    """

    def __init__(self, domain: Domain, language: str, utterances: Sequence[Utterance]) -> None:
        self._grounding, self._utterances = domain.ground(language, utterances), range(len(utterances))
        self._is_own, self._kind = domain.has_constants(language), domain.languages[language]
        pairs = [pair for utterance in utterances for pair in pairs_of(utterance)]
        self._order = sorted(range(len(pairs)), key=lambda index: pairs[index][0])
        self.identifiers = [pairs[index][1] for index in self._order]

    def of(self, text: str) -> list[Answer]:
        """What a program says of each pair."""
        programs = self._programs(text)
        said = [it for index in self._utterances for it in self._grounding.answers(programs[index], index)]
        return [said[index] for index in self._order]

    def score(self, text: str) -> Score:
        """How often a program is right."""
        programs = self._programs(text)
        return score_of([self._grounding.right(programs[index], index) for index in self._utterances])

    def check(self, text: str) -> None:
        """Refuse a text that is not a program."""
        self._programs(text)

    def _programs(self, text: str) -> list[Program]:
        """The program as each utterance reads it."""
        if not self._is_own:
            return [read_program(text, self._kind)] * len(self._utterances)
        return [read_program(text, self._grounding.language([index])) for index in self._utterances]


def ask(domain: Domain, language: str, program: Program, utterance: Utterance) -> Answer:
    """What a program says in the first context of an utterance."""
    return domain.ground(language, [utterance]).answers(program, 0)[0]


def read_programs(path: Path, said: Denotations) -> list[str]:
    """All programs of a file; all that cannot be read are reported at once."""
    programs, problems = [], []
    for number, line in enumerate(read_text(path).split("\n"), 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            said.check(text)
            programs.append(text)
        except ChoraleError as error:
            problems.append(f"{path}:{number}: {error}")
    if problems:
        count = f"{len(problems)} bad program{'' if len(problems) == 1 else 's'}"
        raise ChoraleError("\n".join([f"{path}: {count}, nothing was run", *problems]))
    return programs
