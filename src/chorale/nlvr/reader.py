"""NLVR files: JSON lines, one (sentence, image, label) per line, grouped by utterance.

A broken line never stops the reading: every problem is collected with file, line and field, so that one run lists all
of them. `read` raises if there are any; `check` reports them together with what the file holds.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from chorale import domain
from chorale.errors import ChoraleError
from chorale.nlvr.pictures.scenes import Scene, SceneError
from chorale.plumbing.files import lines

_IDENTIFIER = re.compile(r"([0-9]+)-([0-9]+)")
_LABELS = {"true": True, "false": False}
T = TypeVar("T")
_SHOWN = 20  # problems spelled out in an error message; the rest are counted


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem or a note: where it is and what it is. Line 0 means the file as a whole."""

    path: Path
    line: int
    field: str
    message: str

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else f"{self.path}"
        return ": ".join(part for part in (where, self.field, self.message) if part)


class DataError(ChoraleError):
    """A data file cannot be used; `problems` lists every reason."""

    def __init__(self, message: str, problems: tuple[Finding, ...] = ()) -> None:
        super().__init__(message)
        self.problems = problems


@dataclass(frozen=True, slots=True)
class NlvrExample:
    """One sentence with one image. `evals` maps each rater to "true", "false" or "nonsense"."""

    identifier: str
    sentence: str
    scene: Scene
    label: bool | None
    evals: Mapping[str, str] = field(hash=False)
    directory: str | None
    line: int

    @property
    def group(self) -> str:
        """The utterance this example belongs to: "n" of the identifier "n-m"."""
        return self.identifier.partition("-")[0]


@dataclass(frozen=True, slots=True)
class Utterance:
    """One sentence with all its images; the sentence is spelled as in its first example."""

    identifier: str
    sentence: str
    examples: tuple[NlvrExample, ...]

    @property
    def contexts(self) -> tuple[Scene, ...]:
        """What programs run on: the scenes."""
        return tuple(example.scene for example in self.examples)

    @property
    def answers(self) -> tuple[bool | None, ...]:
        """What programs should say: the labels."""
        return tuple(example.label for example in self.examples)

    @property
    def pairs(self) -> list[tuple[int, str]]:
        """The line and the identifier of each image."""
        return [(example.line, example.identifier) for example in self.examples]


@dataclass(frozen=True)
class CheckReport:
    """What `check` found. The counts cover the lines that could be read."""

    path: Path
    problems: tuple[Finding, ...]
    notes: tuple[Finding, ...]
    pairs: int
    groups: int
    labels: Mapping[str, int]  # "true", "false" and "none" (unlabelled) -> pairs
    towers: int  # pictures of towers; the others are scatter pictures
    scatter: int
    group_sizes: Mapping[int, int]  # images per group -> groups
    uniform_groups: int  # groups whose labels are all equal, which say little about the meaning

    @property
    def ok(self) -> bool:
        return not self.problems


def read(path: str | Path, *, labels_required: bool = True) -> DataFile:
    """Read a file; raise `DataError` with all its problems if there are any."""
    file = DataFile(Path(path), labels_required)
    if file.problems:
        shown = [str(problem) for problem in file.problems[:_SHOWN]]
        if len(file.problems) > _SHOWN:
            shown.append(f"... and {len(file.problems) - _SHOWN} more")
        count = "1 problem" if len(file.problems) == 1 else f"{len(file.problems)} problems"
        raise DataError(f"{path}: {count}\n" + "\n".join(shown), tuple(file.problems))
    return file


def check(path: str | Path, *, labels_required: bool = True) -> CheckReport:
    """Look through a file. Problems are reported, not raised; only a file that cannot be opened raises `DataError`."""
    file = DataFile(Path(path), labels_required)
    labels = Counter({True: "true", False: "false", None: "none"}[example.label] for example in file.examples)
    towers = sum(example.scene.is_tower for example in file.examples)
    return CheckReport(
        path=file.path,
        problems=tuple(file.problems),
        notes=tuple(file.notes),
        pairs=len(file.examples),
        groups=len(file.utterances),
        labels={name: labels[name] for name in ("true", "false", "none")},
        towers=towers,
        scatter=len(file.examples) - towers,
        group_sizes=dict(sorted(Counter(len(utterance.examples) for utterance in file.utterances).items())),
        uniform_groups=sum(set(utterance.answers) in ({True}, {False}) for utterance in file.utterances),
    )


def raters(utterance: domain.Utterance) -> Sequence[str | None]:
    """Who gave each label, where one person did."""
    if not isinstance(utterance, Utterance):
        return [None] * len(utterance.answers)
    return [next(iter(e.evals)) if len(e.evals) == 1 else None for e in utterance.examples]


class _LineError(SceneError):
    """A line is malformed elsewhere than in its scene."""


class DataFile:
    """One pass over a file: the examples that could be read, in file order, and what is to be said of the others."""

    def __init__(self, path: Path, labels_required: bool) -> None:
        self.path = path
        self.labels_required = labels_required
        self.examples: list[NlvrExample] = []
        self.problems: list[Finding] = []
        self.notes: list[Finding] = []
        self._first_line: dict[str, int] = {}  # identifier -> line
        self._spellings: dict[str, dict[str, int]] = {}  # group -> spelling of its sentence -> line
        try:
            for line, raw in lines(path):
                if raw.strip():
                    self._read_line(line, raw)
        except ChoraleError as error:
            raise DataError(str(error)) from None
        if not self.examples and not self.problems:
            self.problems.append(Finding(path, 0, "", "the file is empty; expected one JSON object per line"))

    @cached_property
    def utterances(self) -> tuple[Utterance, ...]:
        """In order of first appearance."""
        groups: dict[str, list[NlvrExample]] = {}
        for example in self.examples:
            groups.setdefault(example.group, []).append(example)
        return tuple(Utterance(name, group[0].sentence, tuple(group)) for name, group in groups.items())

    @property
    def scenes(self) -> tuple[Scene, ...]:
        return tuple(example.scene for example in self.examples)

    def _read_line(self, line: int, raw: bytes) -> None:
        before = len(self.problems)

        def looked_at(read: Callable[..., T], *given: Any) -> T | None:
            # Each field is looked at even if another one is wrong, so that one run lists all problems.
            try:
                return read(*given)
            except SceneError as error:
                self.problems.append(Finding(self.path, line, error.field, error.problem))
            return None

        record = looked_at(_record, raw)
        if record is None:
            return
        identifier = looked_at(self._identifier, record, line)
        sentence = looked_at(self._sentence, record, line)
        label = looked_at(self._label, record)
        directory = looked_at(_directory, record)
        evals = looked_at(_evals, record) or {}
        for rater, verdict in evals.items():
            looked_at(_verdict, rater, verdict)
        scene = looked_at(_scene, record)
        if len(self.problems) == before and identifier and sentence and scene:
            self.examples.append(NlvrExample(identifier, sentence, scene, label, evals, directory, line))

    def _identifier(self, record: Mapping[str, Any], line: int) -> str:
        identifier = _text(record, "identifier")
        if not _IDENTIFIER.fullmatch(identifier):
            raise _LineError("identifier", f"expected the form n-m such as 17-0, found {identifier!r}")
        first = self._first_line.setdefault(identifier, line)
        if first != line:
            raise _LineError("identifier", f"{identifier!r} occurs twice, first in line {first}")
        return identifier

    def _sentence(self, record: Mapping[str, Any], line: int) -> str:
        sentence, identifier = _text(record, "sentence"), record.get("identifier")
        if not isinstance(identifier, str) or not _IDENTIFIER.fullmatch(identifier):
            return sentence
        group = identifier.partition("-")[0]
        spellings = self._spellings.setdefault(group, {sentence: line})
        first, first_line = next(iter(spellings.items()))
        if sentence.split() != first.split():
            message = f"group {group} has another sentence in line {first_line}: {first!r}, here {sentence!r}"
            raise _LineError("sentence", message)
        if sentence not in spellings:
            spellings[sentence] = line
            message = f"group {group} spells its sentence with other white space in line {first_line}"
            self.notes.append(Finding(self.path, line, "sentence", message))
        return sentence

    def _label(self, record: Mapping[str, Any]) -> bool | None:
        value = record.get("label")
        if value is None and self.labels_required:
            raise _LineError("label", 'missing, expected "true" or "false"')
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lower() in _LABELS:
            return _LABELS[value.lower()]
        raise _LineError("label", f'expected "true" or "false", found {value!r}')


def _record(raw: bytes) -> dict[str, Any]:
    try:
        record = json.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise _LineError("", f"not UTF-8: byte 0x{raw[error.start]:02x} at column {error.start + 1}") from None
    except json.JSONDecodeError as error:
        raise _LineError("", f"not JSON: {error.msg} at column {error.colno}") from None
    except (ValueError, RecursionError) as error:  # numbers of thousands of digits, thousands of brackets
        raise _LineError("", f"not usable JSON: {error}") from None
    if not isinstance(record, dict):
        raise _LineError("", f"expected a JSON object with sentence, label, ..., found {_kind(record)}")
    return record


def _text(record: Mapping[str, Any], name: str) -> str:
    if name not in record:
        raise _LineError(name, "missing")
    value = record[name]
    if not isinstance(value, str):
        raise _LineError(name, f"expected text, found {_kind(value)}")
    if not value.strip():
        raise _LineError(name, "empty")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise _LineError(name, "holds half a surrogate pair, which is not text")
    return value


def _directory(record: Mapping[str, Any]) -> str | None:
    value = record.get("directory")
    if value is None or isinstance(value, str):
        return value
    raise _LineError("directory", f"expected text, found {_kind(value)}")


def _evals(record: Mapping[str, Any]) -> dict[str, Any]:
    value = record.get("evals")
    if value is None or isinstance(value, dict):
        return value or {}
    raise _LineError("evals", f"expected an object of rater: verdict, found {_kind(value)}")


def _verdict(rater: str, verdict: Any) -> None:
    if not isinstance(verdict, str):
        raise _LineError(f"evals.{rater}", f"expected text such as true, found {_kind(verdict)}")


def _scene(record: Mapping[str, Any]) -> Scene:
    if "structured_rep" not in record:
        raise _LineError("structured_rep", "missing")
    return Scene.from_json(record["structured_rep"])


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "text", bool: "true/false", int: "a number", float: "a number"}
    return names.get(type(value), "null")
