"""NLVR files: JSON lines, one (sentence, image, label) per line, grouped by utterance.

A broken line never stops the reading: every problem is collected with file, line and field, so that one run lists all
of them. `read` raises if there are any; `check` reports them together with what the file holds.

A file may be larger than the memory. One pass over it keeps on the disk what must be remembered of earlier lines
(`index`), and `opened` leaves the examples there, to be read utterance by utterance.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Any, overload

from pydantic import AfterValidator, BeforeValidator, Field, TypeAdapter, ValidationError, ValidationInfo

from chorale.domain.utterance import check_sentence
from chorale.errors import ChoraleError, unknown
from chorale.nlvr.index import Index, new_index
from chorale.nlvr.pictures.scenes import Object, Scene, wrong_fields
from chorale.plumbing.files import lines

_IDENTIFIER = re.compile(r"([0-9]+)-([0-9]+)")
_LABELS = {"true": True, "false": False}
_SHOWN_OF_NO_DATA = 4  # the same where nothing could be read: it is another kind of file
_KEYS = ("identifier", "sentence", "structured_rep", "label", "evals", "directory", "program")
_EXPECTED = '{"identifier": "1-0", "sentence": "...", "structured_rep": [[...], [...], [...]], "label": "true"}'
MOST_PROBLEMS = 1_000
"""After this many the rest of a file is not looked at: more of them are usually one mistake, made many times."""
_QUOTED = 80  # characters of a value that an error repeats
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


def _identifier(identifier: str, info: ValidationInfo[_Pass]) -> str:
    file = info.context
    if not _IDENTIFIER.fullmatch(identifier):
        raise ValueError(f"expected the form n-m such as 17-0, found {identifier!r:.{_QUOTED}}")
    first = file.index.first_line(identifier, file.line)
    if first != file.line:
        raise ValueError(f"{identifier!r:.{_QUOTED}} occurs twice, first in line {first}")
    return identifier


def _sentence(sentence: str, info: ValidationInfo[_Pass]) -> str:
    if not sentence.strip():
        raise ValueError("empty")
    check_sentence(sentence)
    if "identifier" not in info.data:
        return sentence
    file = info.context
    group = info.data["identifier"].partition("-")[0]
    first, line = file.index.first_sentence(group, sentence, file.line)
    if sentence == first:
        return sentence
    if sentence.split() != first.split():
        first, here = (f"{text!r:.{_QUOTED}}" for text in (first, sentence))
        raise ValueError(f"group {group:.{_QUOTED}} has another sentence in line {line}: {first}, here {here}")
    if file.index.is_new_spelling(group, sentence):
        message = f"group {group:.{_QUOTED}} spells its sentence with other white space in line {line}"
        file.notes.append(Finding(file.path, file.line, "sentence", message))
    return sentence


def _label(value: Any, info: ValidationInfo[_Pass]) -> bool | None:
    if isinstance(value, bool) or (value is None and not info.context.labels_required):
        return value
    if isinstance(value, str) and value.lower() in _LABELS:
        return _LABELS[value.lower()]
    missing = "missing, " if value is None else ""
    raise ValueError(f'{missing}expected "true" or "false"' + (f", found {value!r:.80}" if value is not None else ""))


@dataclass(frozen=True, slots=True)
class NlvrExample:
    """One sentence with one image. `evals` maps each rater to "true", "false" or "nonsense"."""

    identifier: Annotated[str, AfterValidator(_identifier)]
    sentence: Annotated[str, AfterValidator(_sentence)]
    scene: Annotated[Scene, Field(alias="structured_rep"), BeforeValidator(Scene.read)]
    label: Annotated[bool | None, BeforeValidator(_label), Field(validate_default=True)] = None
    evals: Annotated[dict[str, str], BeforeValidator(lambda value: {} if value is None else value)] = field(
        default_factory=dict, hash=False
    )
    directory: str | None = None
    line: Annotated[int, BeforeValidator(lambda _, info: info.context.line), Field(validate_default=True)] = 0

    @property
    def group(self) -> str:
        """The utterance this example belongs to: "n" of the identifier "n-m"."""
        return self.identifier.partition("-")[0]

    def packed(self) -> tuple[Any, ...]:
        """The example as plain values, which are quickly written and read."""
        boxes = [[(it.x, it.y, it.size, it.shape, it.color) for it in box] for box in self.scene.boxes]
        return self.identifier, self.sentence, boxes, self.label, self.evals, self.directory, self.line

    @staticmethod
    def unpacked(values: tuple[Any, ...]) -> NlvrExample:
        """What was packed."""
        identifier, sentence, boxes, *others = values
        scene = Scene(tuple(tuple(Object(*it) for it in box) for box in boxes))
        return NlvrExample(identifier, sentence, scene, *others)


@cache
def _adapter() -> TypeAdapter[NlvrExample]:
    """Made when the first line is read: it takes a while, and not every command reads data."""
    return TypeAdapter(NlvrExample)


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


@dataclass(frozen=True)
class DataFile:
    """The examples of a file, in file order."""

    path: Path
    examples: tuple[NlvrExample, ...]

    @cached_property
    def utterances(self) -> tuple[Utterance, ...]:
        """In order of first appearance."""
        groups: dict[str, list[NlvrExample]] = {}
        for example in self.examples:
            groups.setdefault(example.group, []).append(example)
        return tuple(Utterance(name, group[0].sentence, tuple(group)) for name, group in groups.items())


def read(path: str | Path, *, labels_required: bool = True) -> DataFile:
    """Read a file into memory; raise `DataError` with all its problems if there are any."""
    with new_index() as index:
        file = _Pass(Path(path), labels_required, index)
        examples = tuple(file.examples())
    file.complain()
    return DataFile(file.path, examples)


@contextmanager
def opened(path: str | Path, *, labels_required: bool = True) -> Iterator[Sequence[Utterance]]:
    """The utterances of a file of any size, in order of first appearance; they lie on the disk until asked for.

    Raises `DataError` as `read` does, before anything is given. They are there as long as the context lasts.
    """
    with new_index() as index:
        file = _Pass(Path(path), labels_required, index)
        for example in file.examples():
            if not file.problems:  # else nobody will see it
                index.add(example.group, example.line, example.label, example.packed())
        file.complain()
        yield _OnDisk(index)


def check(path: str | Path, *, labels_required: bool = True) -> CheckReport:
    """Look through a file. Problems are reported, not raised; only a file that cannot be opened raises `DataError`."""
    labels, towers = Counter[bool | None](), 0
    with new_index() as index:
        file = _Pass(Path(path), labels_required, index, looks_at_keys=True)
        for example in file.examples():
            index.add(example.group, example.line, example.label)
            labels[example.label] += 1
            towers += example.scene.is_tower
        return CheckReport(
            path=file.path,
            problems=tuple(file.problems),
            notes=tuple(file.notes),
            pairs=file.count,
            groups=len(index),
            labels={"true": labels[True], "false": labels[False], "none": labels[None]},
            towers=towers,
            scatter=file.count - towers,
            group_sizes=dict(index.sizes()),
            uniform_groups=index.uniform(),
        )


class _Pass:
    """One pass over a file: the examples that can be read, one by one, and what is to be said of the others."""

    def __init__(self, path: Path, labels_required: bool, index: Index, *, looks_at_keys: bool = False) -> None:
        self.path, self.labels_required, self.index = path, labels_required, index
        self._noted: set[str] | None = set() if looks_at_keys else None
        self.problems: list[Finding] = []
        self.notes: list[Finding] = []
        self.count = 0  # of the examples
        self.line = 0  # the line that is being read

    def examples(self) -> Iterator[NlvrExample]:
        """In file order. When they are through, all problems and notes are there."""
        path = self.path
        try:
            for self.line, raw in lines(path):
                example = self._example(raw) if raw.strip() else None
                if example is not None:
                    self.count += 1
                    yield example
                if len(self.problems) >= MOST_PROBLEMS:
                    message = f"{len(self.problems):,} problems up to here; the rest of the file was not looked at"
                    self.problems.append(Finding(path, self.line, "", message))
                    break
        except ChoraleError as error:
            raise DataError(str(error)) from None
        except MemoryError:
            raise DataError(f"{path}:{self.line}: out of memory while this file was read; cut it up") from None
        if not self.count and not self.problems:
            self.problems.append(Finding(path, 0, "", "the file is empty; expected one JSON object per line"))

    def complain(self) -> None:
        """Raise `DataError` if there were problems."""
        if not self.problems:
            return
        most = _SHOWN if self.count else _SHOWN_OF_NO_DATA
        shown = [str(problem) for problem in self.problems[:most]]
        if len(self.problems) > most:
            shown.append(f"... and {len(self.problems) - most} more")
        if not self.count and self.line:
            shown.append(f"this is not a data file: no line of it is an example such as {_EXPECTED}")
        count = "1 problem" if len(self.problems) == 1 else f"{len(self.problems)} problems"
        raise DataError(f"{self.path}: {count}\n" + "\n".join(shown), tuple(self.problems))

    def _example(self, raw: bytes) -> NlvrExample | None:
        if self._noted is not None:
            self._note_keys(raw, self._noted)
        try:
            return _adapter().validate_json(raw, context=self)
        except ValidationError as error:
            broken = [one["ctx"]["error"] for one in error.errors(include_url=False) if one["type"] == "json_invalid"]
            wrong = [("", _not_json(raw, message)) for message in broken] or wrong_fields(error)
            self.problems += [Finding(self.path, self.line, name, message) for name, message in wrong]
            return None

    def _note_keys(self, raw: bytes, noted: set[str]) -> None:
        """Note keys that nobody reads, and those that a line has twice, where each occurs first."""

        def looked_at(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            for key, times in Counter(key for key, _ in pairs).items():
                if times > 1:
                    found[key] = "this key occurs twice in a line; the last one counts"
            return dict(pairs)

        found: dict[str, str] = {}
        try:
            record = json.loads(raw, object_pairs_hook=looked_at)
        except (ValueError, RecursionError):
            return  # which is told as a problem
        for key in record.keys() - set(_KEYS) if isinstance(record, dict) else ():
            found[key] = f"nobody reads this key; {unknown(key, _KEYS)}"
        for key, message in found.items():
            if key not in noted and len(noted) < _SHOWN:
                noted.add(key)
                self.notes.append(Finding(self.path, self.line, f"{key:.{_QUOTED}}", message))


class _OnDisk(Sequence[Utterance]):
    """The utterances of an index."""

    def __init__(self, index: Index) -> None:
        self._index, self._count = index, len(index)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> Utterance: ...
    @overload
    def __getitem__(self, place: slice) -> list[Utterance]: ...

    def __getitem__(self, place: int | slice) -> Utterance | list[Utterance]:
        if isinstance(place, slice):
            return [self[one] for one in range(self._count)[place]]
        examples = tuple(map(NlvrExample.unpacked, self._index.contents(range(self._count)[place])))
        return Utterance(examples[0].group, examples[0].sentence, examples)


def _not_json(raw: bytes, message: str) -> str:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"not UTF-8: byte 0x{raw[error.start]:02x} at column {error.start + 1}"
    return f"not JSON: {message.replace('line 1 ', '')}"
