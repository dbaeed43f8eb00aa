"""Marks: right answers for contexts of one's own, kept as a data file of the domain.

The file is what `check`, `train` and `evaluate` read; marks of the same sentence are one utterance. It is written as a
whole each time, so that a mark is there or it is not.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from chorale.domain import Answer, Domain, Utterance
from chorale.domain.json_lines import identifier_of, utterance_of
from chorale.errors import ChoraleError
from chorale.plumbing.files import read_text, write


class Marks:
    """A file of marks, which need not be there yet."""

    def __init__(self, path: Path, domain: Domain) -> None:
        self.path, self.domain = path, domain
        if path.exists():
            domain.read(path)  # complains about a file that is none of ours before it is added to

    def utterances(self) -> Sequence[Utterance]:
        """What was marked."""
        if not self._lines():
            raise ChoraleError(f"{self.path}: there are no marks; add some: chorale mark {self.path} ...")
        return self.domain.read(self.path)

    def add(self, sentence: str, context: Any, answer: Answer) -> str:
        """Keep the right answer for a sentence and a context; gives back the name of the mark."""
        lines = [json.loads(line) for line in self._lines()]
        line = next_line(lines, self.domain, sentence, context, answer)
        self._write([*lines, line])
        return str(line["identifier"])

    def undo(self) -> str:
        """Forget the last mark; gives back its name."""
        lines = [json.loads(line) for line in self._lines()]
        if not lines:
            raise ChoraleError(f"{self.path}: there is no mark to take back")
        self._write(lines[:-1])
        return identifier_of(lines[-1], len(lines))

    def _lines(self) -> list[str]:
        return [line for line in read_text(self.path).split("\n") if line.strip()] if self.path.exists() else []

    def _write(self, lines: Sequence[dict[str, Any]]) -> None:
        write(self.path, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode())


def next_line(
    lines: Sequence[dict[str, Any]], domain: Domain, sentence: str, context: Any, answer: Answer
) -> dict[str, Any]:
    """A mark as a line of a data file, with a name that those before it leave free.

    The marks of a sentence are "17-0", "17-1" and so on, contexts of the utterance "17".
    """
    names = [(str(line.get("sentence")), identifier_of(line, number)) for number, line in enumerate(lines, 1)]
    groups = {said: group for said, name in names if (group := utterance_of(name)) != name}
    taken = [int(group) for _, name in names if (group := utterance_of(name)).isdecimal()]
    free = str(1 + max(taken, default=0))
    # Where contexts bring constants, the same words said of another one are another utterance.
    group = free if any(map(domain.has_constants, domain.languages)) else groups.get(sentence, free)
    own = [int(name.removeprefix(f"{group}-")) for _, name in names if utterance_of(name) == group != name]
    return domain.data_line(f"{group}-{1 + max(own, default=-1)}", sentence, context, answer)
