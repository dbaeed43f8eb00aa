"""Abstract examples: frequent abstract utterances of train with their programs, written by hand.

`abstract_examples.toml` holds them. Loading checks every one: the utterance is an abstraction, its programs type-check
whatever fills them, and the slots of both match. `score_examples` runs all fillings that occur in a corpus and compares
with the labels, so that a wrong example is found; `augment` fills the slots at random: pairs to train a parser on.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Annotated

from pydantic import Field

from chorale.domain import SharedGrounding, Utterance
from chorale.errors import ChoraleError, nearest
from chorale.evaluation.metrics import Score
from chorale.language import Language
from chorale.language.program import Program
from chorale.nlvr.english import abstraction
from chorale.nlvr.english.abstraction import AbstractUtterance, abstract_program, abstract_utterance, abstract_words
from chorale.nlvr.english.slots import CLUSTERS, cluster_of, fill, is_slot, slots_of
from chorale.nlvr.english.toml_files import parse_toml
from chorale.nlvr.english.words import word_counts
from chorale.nlvr.languages.consistent import Consistent
from chorale.nlvr.pictures.worlds import Worlds
from chorale.plumbing.checking import Checked, Count
from chorale.plumbing.files import read_text

SCALE, POWER = 50.0, 0.8  # an example of frequency f is drawn 50 * f^0.8 times

_HEADER = re.compile(r"\s*\[\[\s*example\s*\]\]")
_WRONG_ARTICLE = re.compile(r"\ba [aeiou]|\ban [^aeiou]")
_TRIES = 100


class _Entry(Checked):
    utterance: Annotated[str, Field(pattern=r"\S")]
    frequency: Count
    programs: Annotated[list[str], Field(min_length=1)]


class _ExampleFile(Checked):
    example: list[_Entry]


@dataclass(frozen=True, slots=True)
class AbstractExample:
    """An abstract utterance, how many groups of train it covers, and its programs, the most plausible first."""

    utterance: str
    frequency: int
    programs: tuple[str, ...]
    line: int = 0


@dataclass(frozen=True, slots=True)
class ExampleScore:
    """How often the fillings of a program of an abstract example are right."""

    example: AbstractExample
    program: str
    score: Score


@dataclass(frozen=True)
class Abstractions:
    """NLVR's slots, for a domain with these languages."""

    languages: Mapping[str, type[Language]]

    def kind(self, sentence: str) -> str:
        """Colours, shapes and numbers as slots."""
        return abstraction.kind(sentence)

    def slotted(self, sentence: str) -> AbstractUtterance:
        return abstract_utterance(sentence)

    def examples(self, language: str, file: str = "") -> Mapping[str, Sequence[str]]:
        return {example.utterance: example.programs for example in self._read(language, file)}

    def filled(self, language: str, rng: Random, total: int, file: str = "") -> list[tuple[str, str]]:
        return augment(self._read(language, file), rng, total=total)

    def _read(self, language: str, file: str) -> Sequence[AbstractExample]:
        if not issubclass(self.languages[language], Consistent):  # those that extend it give its functions its meaning
            raise ChoraleError(
                f"nlvr: abstract examples are written in the language consistent; {language} cannot read them"
            )
        return read(Path(file)) if file else load()


@cache
def load() -> tuple[AbstractExample, ...]:
    """The abstract examples that ship with Chorale."""
    file = "abstract_examples.toml"
    return parse(files(__package__).joinpath(file).read_text(encoding="utf-8"), file)


def read(path: Path) -> tuple[AbstractExample, ...]:
    """The abstract examples of a file; raises `ChoraleError` with file and line."""
    return parse(read_text(path), str(path))


def parse(text: str, file: str) -> tuple[AbstractExample, ...]:
    """The abstract examples of a text; `file` is what errors call it."""
    entries = parse_toml(_ExampleFile, text, file, "tables [[example]] with utterance, frequency and programs").example
    lines = text.split("\n")
    starts = [number for number, line in enumerate(lines) if _HEADER.match(line)]
    if len(starts) != len(entries):
        raise ChoraleError(f"{file}: begin every example with a line [[example]]")
    examples: dict[str, AbstractExample] = {}
    for start, end, entry in zip(starts, [*starts[1:], len(lines)], entries, strict=True):
        line, field = start + _line(lines[start:end], "utterance"), "utterance"
        try:
            if entry.utterance in examples:
                raise ChoraleError(f"occurs twice, first in line {examples[entry.utterance].line}")
            _check_utterance(entry.utterance)
            for program in entry.programs:
                field = "programs"
                _check_program(program, entry.utterance)
        except ChoraleError as error:
            wrong = line if field == "utterance" else start + _line(lines[start:end], program)
            raise ChoraleError(f"{file}:{wrong}: {field}: {error}") from None
        examples[entry.utterance] = AbstractExample(entry.utterance, entry.frequency, tuple(entry.programs), line)
    return tuple(examples.values())


def _line(lines: Sequence[str], wanted: str) -> int:
    """The line of an entry that holds a text, best in quotes, or its first one; counted from 1."""
    holding = (number for text in (f'"{wanted}"', wanted) for number, line in enumerate(lines, start=1) if text in line)
    return next(holding, 1)


def _check_utterance(utterance: str) -> None:
    for slot in slots_of(utterance):
        if cluster_of(slot) not in CLUSTERS:
            close = nearest(cluster_of(slot), CLUSTERS)
            hint = f"did you mean {{{close}}}?" if close else f"slots are {', '.join(CLUSTERS)}"
            raise ChoraleError(f"unknown slot {slot}; {hint}")
    for cluster, used in Counter(map(cluster_of, slots_of(utterance))).items():
        if used > len(CLUSTERS[cluster]):
            raise ChoraleError(f"{used} slots, but {cluster} has {len(CLUSTERS[cluster])} values")
    drawn = draw(utterance, Random(0))
    if drawn.text != utterance:
        raise ChoraleError(f"the abstraction of {drawn.sentence!r} is {drawn.text!r}, write that")


def _check_program(program: str, utterance: str) -> None:
    said, meant = set(slots_of(utterance)), set(slots_of(program))
    for slot in sorted(meant - said):
        raise ChoraleError(f"{slot} does not occur in the utterance {utterance!r}")
    for slot in sorted(said - meant - {"{one}"}):  # "there is one box" may mean just that there is a box
        raise ChoraleError(f"{slot} of the utterance {utterance!r} does not occur in the program")
    usual: dict[str, str] = {}
    for slot in slots_of(utterance):
        values = [value for value in CLUSTERS[cluster_of(slot)] if value not in usual.values()]
        # a value that no fixed name of the program has, so that it can be told what came from the slot
        usual[slot] = next((v for v in values if abstract_program(program, {slot: v}) == program), values[0])
    filled = _filled(program, usual)
    filled.action_ids  # noqa: B018 - raises if the grammar cannot build the program
    for slot in slots_of(program):
        for value in CLUSTERS[cluster_of(slot)]:
            _filled(program, {**usual, slot: value})
    canonical = abstract_program(filled.text, usual)
    if canonical != program:
        raise ChoraleError(f"written {canonical!r}, not {program!r}")


def _filled(program: str, values: Mapping[str, str]) -> Program:
    read = Consistent.parse(fill(program, values))
    if read.type != read.grammar.root:
        raise ChoraleError(f"a program is a {read.grammar.root}, but {read.text} is a {read.type}")
    return read


def score_examples(examples: Sequence[AbstractExample], utterances: Sequence[Utterance]) -> list[ExampleScore]:
    """For each program of each example that occurs how often its fillings agree with the labels."""
    scenes = [scene for utterance in utterances for scene in utterance.contexts]
    grounding = SharedGrounding(Consistent(Worlds(scenes)), utterances)
    abstracted = [abstract_utterance(utterance.sentence) for utterance in utterances]
    indices: dict[str, list[int]] = {}
    for index, abstract in enumerate(abstracted):
        indices.setdefault(abstract.text, []).append(index)
    scores = []
    for example in examples:
        for program in example.programs if example.utterance in indices else ():
            right = [
                grounding.right(Consistent.parse(fill(program, abstracted[index].values)), index)
                for index in indices[example.utterance]
            ]
            score = Score(sum(map(len, right)), sum(map(sum, right)), len(right), sum(map(all, right)))
            scores.append(ExampleScore(example, program, score))
    return scores


def augment(examples: Sequence[AbstractExample], rng: Random, *, total: int | None = None) -> list[tuple[str, str]]:
    """Sentences with programs to train on: each example is filled `SCALE * frequency ** POWER` times.

    With `total`, examples share that number in the same proportions. Repeats stay: they are what makes a frequent
    utterance weigh more. Of several programs each is drawn half as often as the one before it.
    """
    shares = [example.frequency**POWER for example in examples]
    scale = SCALE if total is None else total / sum(shares)
    pairs = []
    for example, share in zip(examples, shares, strict=True):
        weights = [0.5**rank for rank in range(len(example.programs))]
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
        words = [_worded(tokens, index, said) if is_slot(token) else token for index, token in enumerate(tokens)]
        drawn = abstract_words(" ".join(words).split())
        # "on the" is no relation and "only black" no comparison: such words do not fit every utterance
        if drawn.text == utterance and not _WRONG_ARTICLE.search(drawn.sentence):
            break
    return drawn


def _said(slots: Sequence[str], rng: Random) -> dict[str, tuple[str, str]]:
    """Words and their value for each slot; two slots never have the same value."""
    said: dict[str, tuple[str, str]] = {}
    for slot in slots:
        cluster = cluster_of(slot)
        taken = {value for other, (_, value) in said.items() if cluster_of(other) == cluster}
        phrases = [(words, value) for value, ways in CLUSTERS[cluster].items() for words in ways if value not in taken]
        counts = word_counts().counts
        weights = [min(counts.get(word, 1) for word in words.split()) for words, _ in phrases]
        said[slot] = rng.choices(phrases, weights)[0]
    return said


def _worded(tokens: Sequence[str], index: int, said: Mapping[str, tuple[str, str]]) -> str:
    """The words in a slot; shapes are in the plural after a number and in "none of the circles"."""
    words, value = said[tokens[index]]
    if cluster_of(tokens[index]) != "shape":
        return words
    before = [token for token in tokens[:index] if cluster_of(token) not in ("color", "size")]
    plural = before[-2:] == ["of", "the"] or (before and cluster_of(before[-1]) == "number" and is_slot(before[-1]))
    return CLUSTERS["shape"][value][1 if plural else 0]
