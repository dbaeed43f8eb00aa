"""Marks: right answers for contexts of one's own, kept as a data file of the domain.

The file is what `check`, `train` and `evaluate` read, packed or not; marks of the same sentence are one utterance. It
is written as a whole each time, so that a mark is there or it is not, and by one process after the other. Lines that
others wrote stay as they are, byte for byte.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import AbstractContextManager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from chorale.domain import Answer, Domain, Utterance
from chorale.domain.json_lines import identifier_of, utterance_of
from chorale.errors import ChoraleError
from chorale.plumbing.files import alone, lines, write

_PATIENCE = 60.0  # seconds that a process waits for others which write the same file
_DIGITS = 4_000
"""Longer numbers are names like any other; what counts them would take ever longer."""


class Marks:
    """A file of marks, which need not be there yet."""

    def __init__(self, path: Path, domain: Domain) -> None:
        self.path, self.domain = path, domain
        if self._has_any():
            domain.read(path)  # refuses a file that is not ours before anything is added to it

    def utterances(self) -> Sequence[Utterance]:
        """What was marked."""
        if not self._has_any():
            raise ChoraleError(f"{self.path}: there are no marks; add some: chorale mark {self.path} ...")
        return self.domain.read(self.path)

    def add(self, sentence: str, context: Any, answer: Answer) -> str:
        """Keep the right answer for a sentence and a context; returns the name of the mark."""
        with self._alone():
            kept = self._lines()
            line = next_line([self._record(*it) for it in enumerate(kept, 1)], self.domain, sentence, context, answer)
            new = self._checked(line)
            self._write([*kept, new])
        return str(line["identifier"])

    def undo(self) -> str:
        """Forget the last mark; returns its name."""
        with self._alone():
            kept = self._lines()
            while kept and not kept[-1].strip():
                kept.pop()
            if not kept:
                raise ChoraleError(f"{self.path}: there is no mark to undo")
            self._write(kept[:-1])
            return identifier_of(self._record(len(kept), kept[-1]), len(kept))

    def _alone(self) -> AbstractContextManager[Path]:
        return alone(self.path, f"{self.path}: another process is writing this file; try again", _PATIENCE)

    def _has_any(self) -> bool:
        return any(line.strip() for line in self._lines())

    def _lines(self) -> list[bytes]:
        return [line for _, line in lines(self.path)] if self.path.exists() else []

    def _record(self, number: int, line: bytes) -> dict[str, Any]:
        """What a line says; nothing if it is empty."""
        try:
            record = json.loads(line) if line.strip() else {}
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict):
            raise ChoraleError(f"{self.path}:{number}: marks are JSON lines; name another file, such as marks.jsonl")
        return record

    def _checked(self, line: dict[str, Any]) -> bytes:
        """The line of a mark as bytes; what could not be read again is refused before it is kept."""
        new = json.dumps(line).encode()
        with TemporaryDirectory(prefix="chorale-") as folder:
            alone_there = Path(folder) / self.path.name
            write(alone_there, new + b"\n")
            try:
                self.domain.read(alone_there)
            except ChoraleError as error:
                said = str(error).replace(str(alone_there), "the mark")
                raise ChoraleError(f"{self.path}: this cannot be kept as a mark: {said}") from None
        try:
            return json.dumps(line, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise ChoraleError(f"{self.path}: this cannot be kept as a mark: the sentence is not UTF-8") from None

    def _write(self, kept: Sequence[bytes]) -> None:
        write(self.path, b"".join(line + b"\n" for line in kept))


def next_line(
    marks: Sequence[dict[str, Any]], domain: Domain, sentence: str, context: Any, answer: Answer
) -> dict[str, Any]:
    """A mark as a line of a data file, with a name that those before it leave free; empty lines count as lines only.

    The marks of a sentence are "17-0", "17-1" and so on, contexts of the utterance "17".
    """
    names = [(str(it.get("sentence")), identifier_of(it, number)) for number, it in enumerate(marks, 1) if it]
    groups = {said: group for said, name in names if (group := utterance_of(name)) != name}
    free = _free({utterance_of(name) for _, name in names}, 1)
    # Where contexts bring constants, the same words said of another one are another utterance.
    group = free if any(map(domain.has_constants, domain.languages)) else groups.get(sentence, free)
    own = {name.removeprefix(f"{group}-") for _, name in names if utterance_of(name) == group != name}
    return domain.data_line(f"{group}-{_free(own, 0)}", sentence, context, answer)


def _free(taken: set[str], least: int) -> str:
    """A number above all that are taken, and no name that is."""
    numbers = (int(name) for name in taken if name.isdecimal() and len(name) <= _DIGITS)
    first = max(least, 1 + max(numbers, default=least - 1))
    return next(name for name in map(str, count(first)) if name not in taken)
