"""What programs say in every context of some utterances, in the order of the data, and how well it fits the answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from chorale.domain import Answer, Domain, Unlabelled, Utterance, pairs_of
from chorale.errors import ChoraleError
from chorale.evaluation.metrics import Score, score_of
from chorale.language import Language, Program, read_program
from chorale.plumbing.files import read_text


class Denotations:
    """A language on some utterances, to be asked about programs."""

    def __init__(self, domain: Domain, language: str, utterances: Sequence[Utterance]) -> None:
        self._grounding, self._utterances = domain.ground(language, utterances), range(len(utterances))
        pairs = [pair for utterance in utterances for pair in pairs_of(utterance)]
        self._order = sorted(range(len(pairs)), key=lambda index: pairs[index][0])
        self.identifiers = [pairs[index][1] for index in self._order]

    def of(self, program: Program) -> list[Answer]:
        """What a program says of each pair."""
        said = [answer for index in self._utterances for answer in self._grounding.answers(program, index)]
        return [said[index] for index in self._order]

    def score(self, program: Program) -> Score:
        """How often a program is right."""
        return score_of([self._grounding.right(program, index) for index in self._utterances])


def ask(domain: Domain, language: str, program: Program, context: Any) -> Answer:
    """What a program says in a single context."""
    return domain.ground(language, [Unlabelled("", (context,))]).answers(program, 0)[0]


def read_programs(path: Path, language: type[Language]) -> list[tuple[str, Program]]:
    """All programs of a file with their texts; all that cannot be read are reported at once."""
    programs, problems = [], []
    for number, line in enumerate(read_text(path).split("\n"), 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            programs.append((text, read_program(text, language)))
        except ChoraleError as error:
            problems.append(f"{path}:{number}: {error}")
    if problems:
        count = f"{len(problems)} bad program{'' if len(problems) == 1 else 's'}"
        raise ChoraleError("\n".join([f"{path}: {count}, nothing was run", *problems]))
    return programs
