"""Abstract examples: frequent abstract utterances of train with their programs, written by hand.

`abstract_examples.toml` holds them. Loading checks every one: the utterance is an abstraction, its programs type-check
whatever fills them, and the slots of both match. `agreements` runs all fillings that occur in a corpus and compares
with the labels, so that a wrong example is found; `augment` fills the slots at random: pairs to train a parser on.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any, NoReturn

from chorale.domain import SharedGrounding, Utterance
from chorale.errors import ChoraleError, nearest
from chorale.evaluation.metrics import Score
from chorale.language.program import Program
from chorale.nlvr.english.abstraction import (
    CLUSTERS,
    AbstractUtterance,
    abstract_program,
    abstract_utterance,
    abstract_words,
    cluster_of,
    fill,
    is_slot,
    slots_of,
)
from chorale.nlvr.english.words import default_vocabulary
from chorale.nlvr.languages.consistent import Consistent
from chorale.nlvr.pictures.worlds import Worlds

SCALE, POWER = 50.0, 0.8  # an example of frequency f is drawn 50 * f^0.8 times

_HEADER = re.compile(r"\s*\[\[\s*example\s*\]\]")
_FIELDS = ("utterance", "frequency", "programs")
_WRONG_ARTICLE = re.compile(r"\ba [aeiou]|\ban [^aeiou]")
_TRIES = 100


@dataclass(frozen=True, slots=True)
class AbstractExample:
    """An abstract utterance, how many groups of train it covers, and its programs, the most plausible first."""

    utterance: str
    frequency: int
    programs: tuple[str, ...]
    line: int = 0


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often the fillings of an abstract example are right."""

    example: AbstractExample
    program: str
    score: Score


@cache
def load() -> tuple[AbstractExample, ...]:
    """The abstract examples that ship with Chorale."""
    source = files("chorale.nlvr.english").joinpath("abstract_examples.toml")
    return parse(source.read_text(encoding="utf-8"), "abstract_examples.toml")


def read(path: Path) -> tuple[AbstractExample, ...]:
    """The abstract examples of a file; raises `ChoraleError` with file and line."""
    try:
        return parse(path.read_text(encoding="utf-8"), str(path))
    except OSError as error:
        raise ChoraleError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise ChoraleError(f"{path}: not UTF-8: byte 0x{error.object[error.start]:02x}") from None


def parse(text: str, file: str) -> tuple[AbstractExample, ...]:
    """The abstract examples of a text; `file` is what errors call it."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ChoraleError(f"{file}: not TOML: {error}") from None
    entries = content.get("example")
    if set(content) != {"example"} or not isinstance(entries, list):
        raise ChoraleError(
            f"{file}: expected a list of [[example]] and nothing else, found {', '.join(content) or '-'}"
        )
    lines = text.split("\n")
    starts = [number for number, line in enumerate(lines) if _HEADER.match(line)]
    if len(starts) != len(entries):
        raise ChoraleError(f"{file}: begin every example with a line [[example]]")
    found: dict[str, AbstractExample] = {}
    for start, end, entry in zip(starts, [*starts[1:], len(lines)], entries, strict=True):
        example = _Checker(file, lines, start, end).example(entry)
        if example.utterance in found:
            first = found[example.utterance].line
            raise ChoraleError(f"{file}:{example.line}: utterance: occurs twice, first in line {first}")
        found[example.utterance] = example
    return tuple(found.values())


class _Checker:
    """Looks through one entry of the file, which stands between two lines."""

    def __init__(self, file: str, lines: Sequence[str], start: int, end: int) -> None:
        self.file, self.lines, self.start, self.end = file, lines, start, end

    def example(self, entry: Mapping[str, Any]) -> AbstractExample:
        for name in entry:
            if name not in _FIELDS:
                close = nearest(name, _FIELDS)
                self._complain(name, f"{name}: unknown field" + (f"; did you mean {close}?" if close else ""))
        for name in _FIELDS:
            if name not in entry:
                self._complain("[[example]]", f"{name}: missing")
        utterance, frequency, programs = (entry[name] for name in _FIELDS)
        if not isinstance(utterance, str) or not utterance.split():
            self._complain("utterance", "utterance: expected text with slots such as {color}")
        if type(frequency) is not int or frequency < 1:
            self._complain("frequency", f"frequency: expected a number of groups from 1 on, found {frequency!r}")
        if not isinstance(programs, list) or not programs or not all(isinstance(p, str) for p in programs):
            self._complain("programs", "programs: expected a list of one text or more")
        self._check_utterance(utterance)
        for program in programs:
            self._check_slots(utterance, program)
            self._check_types(utterance, program)
        return AbstractExample(utterance, frequency, tuple(programs), self._line("utterance"))

    def _check_utterance(self, utterance: str) -> None:
        for slot in slots_of(utterance):
            if cluster_of(slot) not in CLUSTERS:
                close = nearest(cluster_of(slot), CLUSTERS)
                hint = f"; did you mean {{{close}}}?" if close else f"; slots are {', '.join(CLUSTERS)}"
                self._complain(utterance, f"utterance: unknown slot {slot}{hint}")
        for cluster, used in Counter(map(cluster_of, slots_of(utterance))).items():
            if used > len(CLUSTERS[cluster]):
                self._complain(utterance, f"utterance: {used} slots, but {cluster} has {len(CLUSTERS[cluster])} values")
        drawn = draw(utterance, Random(0))
        if drawn.text != utterance:
            self._complain(utterance, f"utterance: the abstraction of {drawn.sentence!r} is {drawn.text!r}, write that")

    def _check_slots(self, utterance: str, program: str) -> None:
        said, meant = set(slots_of(utterance)), set(slots_of(program))
        for slot in sorted(meant - said):
            self._complain(program, f"programs: {slot} does not occur in the utterance {utterance!r}")
        for slot in sorted(said - meant - {"{one}"}):  # "there is one box" may mean just that there is a box
            self._complain(program, f"programs: {slot} of the utterance {utterance!r} does not occur in the program")

    def _check_types(self, utterance: str, program: str) -> None:
        usual: dict[str, str] = {}
        for slot in slots_of(utterance):
            values = [value for value in CLUSTERS[cluster_of(slot)] if value not in usual.values()]
            # a value that no fixed name of the program has, so that it can be told what came from the slot
            usual[slot] = next((v for v in values if abstract_program(program, {slot: v}) == program), values[0])
        filled = self._read(program, usual)
        try:
            filled.action_ids  # noqa: B018 - raises if the grammar cannot build the program
        except ChoraleError as error:
            self._complain(program, f"programs: {error}")
        for slot in slots_of(program):
            for value in CLUSTERS[cluster_of(slot)]:
                self._read(program, {**usual, slot: value})
        canonical = abstract_program(filled.text, usual)
        if canonical != program:
            self._complain(program, f"programs: written {canonical!r}, not {program!r}")

    def _read(self, program: str, values: Mapping[str, str]) -> Program:
        text = fill(program, values)
        try:
            read = Consistent.parse(text)
        except ChoraleError as error:
            self._complain(program, f"programs: {error}")
        if read.type != read.grammar.root:
            self._complain(program, f"programs: a program is a {read.grammar.root}, but {text} is a {read.type}")
        return read

    def _line(self, text: str) -> int:
        """The line that holds a text, best in quotes, or where the entry begins."""
        for wanted in (f'"{text}"', text):
            for number in range(self.start, self.end):
                if wanted in self.lines[number]:
                    return number + 1
        return self.start + 1

    def _complain(self, text: str, problem: str) -> NoReturn:
        raise ChoraleError(f"{self.file}:{self._line(text)}: {problem}")


def agreements(examples: Sequence[AbstractExample], utterances: Sequence[Utterance]) -> list[Agreement]:
    """For each program of each example that occurs how often its fillings agree with the labels."""
    scenes = [scene for utterance in utterances for scene in utterance.contexts]
    grounding = SharedGrounding(Consistent(Worlds(scenes)), utterances)
    abstracted = [abstract_utterance(utterance.sentence) for utterance in utterances]
    places: dict[str, list[int]] = {}
    for place, abstract in enumerate(abstracted):
        places.setdefault(abstract.text, []).append(place)
    found = []
    for example in examples:
        for program in example.programs if example.utterance in places else ():
            right = []
            for place in places[example.utterance]:
                filled = Consistent.parse(fill(program, abstracted[place].values))
                answers = grounding.answers(filled, place)
                right.append([a == b for a, b in zip(answers, utterances[place].answers, strict=True)])
            score = Score(sum(map(len, right)), sum(map(sum, right)), len(right), sum(map(all, right)))
            found.append(Agreement(example, program, score))
    return found


def augment(
    examples: Sequence[AbstractExample],
    rng: Random,
    *,
    total: int | None = None,
    scale: float = SCALE,
    power: float = POWER,
) -> list[tuple[str, str]]:
    """Sentences with programs to train on: each example is filled `scale * frequency ** power` times.

    With `total`, examples share that number in the same proportions. Repeats stay: they are what makes a frequent
    utterance weigh more. Of several programs each is drawn half as often as the one before it.
    """
    shares = [example.frequency**power for example in examples]
    if total is not None:
        scale = total / sum(shares)
    pairs = []
    for example, share in zip(examples, shares, strict=True):
        weights = [0.5**place for place in range(len(example.programs))]
        for _ in range(round(scale * share)):
            drawn = draw(example.utterance, rng)
            program = rng.choices(example.programs, weights)[0]
            pairs.append((drawn.sentence, fill(program, drawn.values)))
    return pairs


def draw(utterance: str, rng: Random) -> AbstractUtterance:
    """An abstract utterance with random fillings; frequent words of train are drawn more often."""
    tokens = utterance.split()
    for _ in range(_TRIES):
        said = _said(slots_of(utterance), rng)
        words = [_worded(tokens, place, said) if is_slot(token) else token for place, token in enumerate(tokens)]
        drawn = abstract_words(" ".join(words).split())
        # "on the" is no relation and "only black" no comparison: such words do not fit every utterance
        if drawn.text == utterance and not _WRONG_ARTICLE.search(drawn.sentence):
            break
    return drawn


def _said(slots: Sequence[str], rng: Random) -> dict[str, tuple[str, str]]:
    """Words and their value for each slot; two slots never have the same value."""
    said: dict[str, tuple[str, str]] = {}
    for slot in slots:
        taken = {(cluster_of(other), value) for other, (_, value) in said.items()}
        cluster = cluster_of(slot)
        free = [(words, value) for words, value in _phrases(cluster) if (cluster, value) not in taken]
        said[slot] = rng.choices(free, [_frequency(words) for words, _ in free])[0]
    return said


def _phrases(cluster: str) -> list[tuple[str, str]]:
    return [(words, value) for value, phrases in CLUSTERS[cluster].items() for words in phrases]


def _frequency(words: str) -> int:
    return min(default_vocabulary().counts.get(word, 1) for word in words.split())


def _worded(tokens: Sequence[str], place: int, said: Mapping[str, tuple[str, str]]) -> str:
    """The words in a slot; shapes are in the plural after a number and in "none of the circles"."""
    words, value = said[tokens[place]]
    if cluster_of(tokens[place]) != "shape":
        return words
    before = [token for token in tokens[:place] if cluster_of(token) not in ("color", "size")]
    plural = before[-2:] == ["of", "the"] or (before and cluster_of(before[-1]) == "number" and is_slot(before[-1]))
    return CLUSTERS["shape"][value][1 if plural else 0]
