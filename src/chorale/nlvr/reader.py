"""NLVR files: JSON lines, one (sentence, image, label) per line, grouped by utterance.

A broken line never stops the reading: every problem is collected with file, line and field, so that one run lists all
of them. `read` raises if there are any; `check` reports them together with what the file holds.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chorale.errors import ChoraleError
from chorale.nlvr.pictures.scenes import Scene, SceneError
from chorale.plumbing.files import lines

_IDENTIFIER = re.compile(r"([0-9]+)-([0-9]+)")
_LABELS = {"true": True, "false": False}
_SHOWN = 20  # problems spelled out in an error message; the rest are counted
_MISSING = object()


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem or a note: where it is and what it is. Line 0 means the file as a whole."""

    path: Path
    line: int
    field: str
    message: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else f"{self.path}"
        return ": ".join(part for part in (place, self.field, self.message) if part)


class DataError(ChoraleError):
    """A data file cannot be used; `problems` lists every reason."""

    def __init__(self, message: str, problems: tuple[Finding, ...] = ()) -> None:
        super().__init__(message)
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Example:
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
    examples: tuple[Example, ...]

    @property
    def scenes(self) -> tuple[Scene, ...]:
        return tuple(example.scene for example in self.examples)

    @property
    def contexts(self) -> tuple[Scene, ...]:
        """What programs run on: the scenes, as every domain calls them."""
        return self.scenes

    @property
    def answers(self) -> tuple[bool | None, ...]:
        """What programs should say: the labels, as every domain calls them."""
        return self.labels

    @property
    def labels(self) -> tuple[bool | None, ...]:
        return tuple(example.label for example in self.examples)

    @property
    def pairs(self) -> list[tuple[int, str]]:
        """The line and the identifier of each image."""
        return [(example.line, example.identifier) for example in self.examples]


@dataclass(frozen=True, slots=True)
class Corpus:
    """The contents of one file: examples in file order, utterances in order of first appearance."""

    path: Path
    examples: tuple[Example, ...]
    utterances: tuple[Utterance, ...]
    notes: tuple[Finding, ...] = ()

    @property
    def scenes(self) -> tuple[Scene, ...]:
        return tuple(example.scene for example in self.examples)


@dataclass(frozen=True)
class Report:
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


def read(path: str | Path, *, labels_required: bool = True) -> Corpus:
    """Read a file; raise `DataError` with all its problems if there are any."""
    scan = _Scan(Path(path), labels_required)
    if scan.problems:
        lines = [str(problem) for problem in scan.problems[:_SHOWN]]
        if len(scan.problems) > _SHOWN:
            lines.append(f"... and {len(scan.problems) - _SHOWN} more")
        count = "1 problem" if len(scan.problems) == 1 else f"{len(scan.problems)} problems"
        raise DataError(f"{path}: {count}\n" + "\n".join(lines), tuple(scan.problems))
    return Corpus(scan.path, tuple(scan.examples), scan.utterances(), tuple(scan.notes))


def check(path: str | Path, *, labels_required: bool = True) -> Report:
    """Look through a file. Problems are reported, not raised; only a file that cannot be opened raises `DataError`."""
    scan = _Scan(Path(path), labels_required)
    utterances = scan.utterances()
    labels = Counter({True: "true", False: "false", None: "none"}[example.label] for example in scan.examples)
    towers = sum(example.scene.is_tower for example in scan.examples)
    return Report(
        path=scan.path,
        problems=tuple(scan.problems),
        notes=tuple(scan.notes),
        pairs=len(scan.examples),
        groups=len(utterances),
        labels={name: labels[name] for name in ("true", "false", "none")},
        towers=towers,
        scatter=len(scan.examples) - towers,
        group_sizes=dict(sorted(Counter(len(utterance.examples) for utterance in utterances).items())),
        uniform_groups=sum(set(utterance.labels) in ({True}, {False}) for utterance in utterances),
    )


class _Scan:
    """One pass over a file: the examples that could be read, and everything there is to say about the others."""

    def __init__(self, path: Path, labels_required: bool) -> None:
        self.path = path
        self.labels_required = labels_required
        self.examples: list[Example] = []
        self.problems: list[Finding] = []
        self.notes: list[Finding] = []
        self._first_line: dict[str, int] = {}  # identifier -> line
        self._spellings: dict[str, dict[str, int]] = {}  # group -> spelling of its sentence -> line
        for line, raw in _lines(path):
            self._read_line(line, raw)
        if not self.examples and not self.problems:
            self._problem(0, "", "the file is empty; expected one JSON object per line")

    def utterances(self) -> tuple[Utterance, ...]:
        groups: dict[str, list[Example]] = {}
        for example in self.examples:
            groups.setdefault(example.group, []).append(example)
        return tuple(Utterance(name, group[0].sentence, tuple(group)) for name, group in groups.items())

    def _problem(self, line: int, name: str, message: str) -> None:
        self.problems.append(Finding(self.path, line, name, message))

    def _read_line(self, line: int, raw: bytes) -> None:
        try:
            record = json.loads(raw.decode("utf-8"))
        except UnicodeDecodeError as error:
            return self._problem(line, "", f"not UTF-8: byte 0x{raw[error.start]:02x} at column {error.start + 1}")
        except json.JSONDecodeError as error:
            return self._problem(line, "", f"not JSON: {error.msg} at column {error.colno}")
        except (ValueError, RecursionError) as error:  # numbers of thousands of digits, thousands of brackets
            return self._problem(line, "", f"not usable JSON: {error}")
        if not isinstance(record, dict):
            return self._problem(line, "", f"expected a JSON object with sentence, label, ..., found {_kind(record)}")
        # Each field is looked at even if another one is wrong, so that one run lists all problems.
        before = len(self.problems)
        identifier = self._identifier(line, record)
        sentence = self._sentence(line, record, identifier)
        label = self._label(line, record)
        directory = self._directory(line, record)
        evals = self._evals(line, record)
        scene = self._scene(line, record)
        if len(self.problems) == before and identifier and sentence and scene:
            self.examples.append(Example(identifier, sentence, scene, label, evals, directory, line))
        return None

    def _text(self, line: int, record: dict[str, Any], name: str) -> str | None:
        value = record.get(name, _MISSING)
        if value is _MISSING:
            self._problem(line, name, "missing")
        elif not isinstance(value, str):
            self._problem(line, name, f"expected text, found {_kind(value)}")
        elif not value.strip():
            self._problem(line, name, "empty")
        elif not _is_text(value):
            self._problem(line, name, "holds half a surrogate pair, which is not text")
        else:
            return value
        return None

    def _identifier(self, line: int, record: dict[str, Any]) -> str | None:
        identifier = self._text(line, record, "identifier")
        if identifier is None:
            return None
        if not _IDENTIFIER.fullmatch(identifier):
            self._problem(line, "identifier", f"expected the form n-m such as 17-0, found {identifier!r}")
            return None
        first = self._first_line.setdefault(identifier, line)
        if first != line:
            self._problem(line, "identifier", f"{identifier!r} occurs twice, first in line {first}")
        return identifier

    def _sentence(self, line: int, record: dict[str, Any], identifier: str | None) -> str | None:
        sentence = self._text(line, record, "sentence")
        if sentence is None or identifier is None:
            return sentence
        group = identifier.partition("-")[0]
        spellings = self._spellings.setdefault(group, {sentence: line})
        if sentence in spellings:
            return sentence
        first, first_line = next(iter(spellings.items()))
        if sentence.split() == first.split():
            spellings[sentence] = line
            message = f"group {group} spells its sentence with other white space in line {first_line}"
            self.notes.append(Finding(self.path, line, "sentence", message))
        else:
            message = f"group {group} has another sentence in line {first_line}: {first!r}, here {sentence!r}"
            self._problem(line, "sentence", message)
        return sentence

    def _label(self, line: int, record: dict[str, Any]) -> bool | None:
        value = record.get("label")
        if value is None:
            if self.labels_required:
                self._problem(line, "label", 'missing, expected "true" or "false"')
            return None
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lower() in _LABELS:
            return _LABELS[value.lower()]
        self._problem(line, "label", f'expected "true" or "false", found {value!r}')
        return None

    def _directory(self, line: int, record: dict[str, Any]) -> str | None:
        value = record.get("directory")
        if value is not None and not isinstance(value, str):
            self._problem(line, "directory", f"expected text, found {_kind(value)}")
            return None
        return value

    def _evals(self, line: int, record: dict[str, Any]) -> dict[str, str]:
        value = record.get("evals")
        if value is None:
            return {}
        if not isinstance(value, dict):
            self._problem(line, "evals", f"expected an object of rater: verdict, found {_kind(value)}")
            return {}
        for rater, verdict in value.items():
            if not isinstance(verdict, str):
                self._problem(line, f"evals.{rater}", f"expected text such as true, found {_kind(verdict)}")
        return value

    def _scene(self, line: int, record: dict[str, Any]) -> Scene | None:
        if "structured_rep" not in record:
            self._problem(line, "structured_rep", "missing")
            return None
        try:
            return Scene.from_json(record["structured_rep"])
        except SceneError as error:
            self._problem(line, error.field, error.problem)
            return None


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers from 1."""
    try:
        yield from ((number, line) for number, line in lines(path) if line.strip())
    except ChoraleError as error:
        raise DataError(str(error)) from None


def _is_text(value: str) -> bool:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "text", bool: "true/false", int: "a number", float: "a number"}
    return names.get(type(value), "null")
