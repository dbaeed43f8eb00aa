"""Phrases that NLVR's utterances share, and the utterances they relate (the paper's appendix B).

A phrase set holds phrases that mean the same, with slots. Filling the slots grounds it: "COLOR block at the base"
becomes three grounded sets, one for each colour. A number's word and digits, and a shape's singular and plural, fill
the same grounded set. Every utterance that has a phrase of a grounded set is paired with random other utterances that
have one, so an utterance with two phrases has two partners. Other means another utterance, with images and labels of
its own: its sentence may be the same, and then its labels still tell programs apart. Those that have a phrase of the
set with other fillers can be partners as well, if asked for; they agree in what the phrase says apart from the fillers.

`matching` says how phrases are found. "tokens" compares lower-cased tokens and keeps the longest phrase. "reference" is
what the paper's authors did: at most two partners per utterance, and three bugs. It looks for substrings of the
sentence as typed, so capitals matter; it keeps the shortest phrase; and it takes the phrase to stand in every partner
where it stands in the first, even behind the end of a short one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, Literal, get_args

from chorale.domain import Related, Span
from chorale.errors import ChoraleError, nearest
from chorale.nlvr.english import words

Matching = Literal["tokens", "reference"]
SHIPPED = ("printed", "run")
MOST_IN_REFERENCE = 2

_NUMBER_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_COLORS = (("black",), ("blue",), ("yellow",))
_SHAPES = ("circle", "square", "triangle")
SLOTS: Mapping[str, Sequence[tuple[str, ...]]] = {
    "COLOR": _COLORS,
    "COLOR1": _COLORS,
    "COLOR2": _COLORS,
    "NUMBER": tuple((word, str(number)) for number, word in enumerate(_NUMBER_WORDS, start=1)),
    "SHAPE": tuple((shape, shape + "s") for shape in _SHAPES),
}
"""What fills each slot: spellings in one tuple ground the same set."""

FILLERS = frozenset(
    [name for color, *_ in _COLORS for name in (color, f"color_{color}")]
    + [name for shape in _SHAPES for name in (shape, f"shape_{shape}")]
    + ["small", "medium", "big", *map(str, range(10))]
)
"""Functions and constants that say colours, shapes, sizes and numbers."""

# A substring finds the plural at the end of a phrase by itself, so the reference knows the singular only.
_SLOTS_IN_REFERENCE = {**SLOTS, "SHAPE": tuple((shape,) for shape in _SHAPES)}


@dataclass(frozen=True)
class PhraseSet:
    """Phrases that mean the same, with slots."""

    name: str
    phrases: tuple[str, ...]

    def grounded(self, fillings: Mapping[str, Sequence[tuple[str, ...]]] = SLOTS) -> Iterator[list[str]]:
        """The phrases with every filling of the slots, one list for each."""
        slots = sorted(_slots(self.phrases[0]))
        for fillers in product(*(fillings[slot] for slot in slots)):
            filling = dict(zip(slots, fillers, strict=True))
            spelled = [product(*(filling.get(word, (word,)) for word in phrase.split())) for phrase in self.phrases]
            yield [" ".join(spelling) for spellings in spelled for spelling in spellings]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A phrase in an utterance."""

    utterance: int
    span: Span
    phrase: str


def related_utterances(
    sentences: Sequence[str],
    sets: Sequence[PhraseSet],
    *,
    matching: Matching = "tokens",
    partners: int = 1,
    other_fillers: int = 0,
    seed: int = 0,
) -> list[Related]:
    """Pair each sentence with `partners` random others per grounded set; the same seed gives the same pairs.

    There are also `other_fillers` from the other groundings of the set.
    """
    found = occurrences(sentences, sets, matching)
    return pair(found, matching=matching, partners=partners, other_fillers=other_fillers, seed=seed)


def occurrences(
    sentences: Sequence[str], sets: Sequence[PhraseSet], matching: Matching = "tokens"
) -> list[list[list[Occurrence]]]:
    """Where phrases occur: for each set, for each grounding of it, the utterances that have one of its phrases."""
    if matching == "reference":
        return [_find_substrings(sentences, list(phrases.grounded(_SLOTS_IN_REFERENCE))) for phrases in sets]
    return [_find_tokens(sentences, list(phrases.grounded())) for phrases in sets]


def pair(
    found: Sequence[Sequence[Sequence[Occurrence]]],
    *,
    matching: Matching = "tokens",
    partners: int = 1,
    other_fillers: int = 0,
    seed: int = 0,
) -> list[Related]:
    """Pair each occurrence with random others of its grounding; in the order of utterances, then of groundings."""
    if partners < 1:
        raise ChoraleError(f"partners: expected at least 1, found {partners}")
    pairs: dict[int, list[Related]] = {}

    def draw(random: Random, ours: Occurrence, others: Sequence[Occurrence], count: int, other: bool) -> None:
        for theirs in random.sample(others, min(count, len(others))):
            related = Related(ours.utterance, theirs.utterance, ours.span, theirs.span, ours.phrase, other)
            pairs.setdefault(ours.utterance, []).append(related)

    random = Random(seed)
    for group in [group for groups in found for group in groups]:
        for place, ours in enumerate(group):
            draw(random, ours, [*group[:place], *group[place + 1 :]], partners, False)
    random = Random(seed)
    for groups in found if other_fillers else []:
        for number, group in enumerate(groups):
            elsewhere = [it for others in (*groups[:number], *groups[number + 1 :]) for it in others]
            for ours in group:
                others = [theirs for theirs in elsewhere if theirs.utterance != ours.utterance]
                draw(random, ours, others, other_fillers, True)
    by_utterance = [pairs[utterance] for utterance in sorted(pairs)]
    if matching == "reference":
        by_utterance = [_as_reference(found) for found in by_utterance]
    return [related for found in by_utterance for related in found]


def matching_named(name: str) -> Matching:
    """The way of matching that a setting names."""
    known: tuple[Matching, ...] = get_args(Matching)
    for matching in known:
        if matching == name:
            return matching
    raise ChoraleError(f"there is no matching {name!r}; known are {' and '.join(known)}")


def read_phrases(source: str | Path) -> tuple[PhraseSet, ...]:
    """The phrase sets of a file, or the shipped ones by name: "printed" or "run"."""
    if str(source) in SHIPPED:
        file = f"phrases_{source}.toml"
        return parse_phrases(resources.files("chorale.nlvr.english").joinpath(file).read_text("utf-8"), file)
    path = Path(source)
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise ChoraleError(f"{path}: no such file; shipped phrases are {' and '.join(SHIPPED)}") from None
    except UnicodeDecodeError as error:
        raise ChoraleError(f"{path}: not UTF-8: {error.reason} at byte {error.start}") from None
    except OSError as error:
        raise ChoraleError(f"{path}: cannot be read: {error.strerror or error}") from None
    return parse_phrases(text, str(path))


def parse_phrases(text: str, file: str) -> tuple[PhraseSet, ...]:
    """Phrase sets from TOML; `file` is what mistakes are reported under."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ChoraleError(f"{file}: not TOML: {error}") from None
    unknown = sorted(set(content) - {"set"})
    if unknown:
        raise ChoraleError(f"{file}: unknown entry {unknown[0]!r}; expected tables [[set]]")
    tables = content.get("set")
    if not isinstance(tables, list) or not tables:
        raise ChoraleError(f"{file}: no phrase sets; expected tables [[set]] with name and phrases")
    sets = [_phrase_set(table, f"{file}: set {number}") for number, table in enumerate(tables, start=1)]
    names = [phrases.name for phrases in sets]
    for number, name in enumerate(names, start=1):
        if name in names[: number - 1]:
            raise ChoraleError(f"{file}: set {number}: the name {name!r} occurs twice")
    return tuple(sets)


def _phrase_set(table: Any, where: str) -> PhraseSet:
    if not isinstance(table, dict):
        raise ChoraleError(f"{where}: expected a table [[set]] with name and phrases")
    for key in sorted(set(table) - {"name", "phrases"}):
        raise ChoraleError(f"{where}: unknown entry {key!r}; expected name and phrases")
    name, phrases = table.get("name"), table.get("phrases")
    if not isinstance(name, str) or not name.strip():
        raise ChoraleError(f'{where}: name: expected text such as name = "base"')
    where = f"{where} ({name})"
    if not isinstance(phrases, list) or not phrases:
        raise ChoraleError(f'{where}: phrases: expected a list such as ["the base is COLOR"]')
    for number, phrase in enumerate(phrases, start=1):
        _check_phrase(phrase, f"{where}: phrase {number}")
        if _slots(phrase) != _slots(phrases[0]):
            raise ChoraleError(
                f"{where}: phrase {number}: {phrase!r} has the slots {_listed(phrase)}, but {phrases[0]!r} has "
                f"{_listed(phrases[0])}; phrases of a set mean the same, so they have the same slots"
            )
    return PhraseSet(name, tuple(phrases))


def _check_phrase(phrase: Any, where: str) -> None:
    if not isinstance(phrase, str) or not phrase.strip():
        raise ChoraleError(f"{where}: expected text such as 'the base is COLOR', found {phrase!r}")
    for word in phrase.split():
        if word not in SLOTS and len(word) > 1 and word.isupper():
            close = nearest(word, SLOTS)
            hint = f"did you mean {close}?" if close else f"known are {', '.join(SLOTS)}"
            raise ChoraleError(f"{where}: unknown slot {word} in {phrase!r}; {hint}")
        if word not in SLOTS and [token.text for token in words.tokens(word)] != [word.lower()]:
            raise ChoraleError(f"{where}: {word!r} in {phrase!r} is not a plain word, so no utterance has it")


def _slots(phrase: str) -> frozenset[str]:
    return frozenset(word for word in phrase.split() if word in SLOTS)


def _listed(phrase: str) -> str:
    return ", ".join(sorted(_slots(phrase))) or "none"


def _find_tokens(sentences: Sequence[str], groundings: Sequence[Sequence[str]]) -> list[list[Occurrence]]:
    # A phrase is looked up by its tokens; two groundings never share one within a set, since fillers are disjoint.
    grounding_of = {tuple(p.lower().split()): number for number, phrases in enumerate(groundings) for p in phrases}
    lengths = sorted({len(phrase) for phrase in grounding_of}, reverse=True)
    found: list[list[Occurrence]] = [[] for _ in groundings]
    for utterance, sentence in enumerate(sentences):
        tokens = tuple(token.text for token in words.tokens(sentence))
        longest: dict[int, Occurrence] = {}
        for length in lengths:
            for start in range(len(tokens) - length + 1):
                phrase = tokens[start : start + length]
                number = grounding_of.get(phrase)
                if number is not None and number not in longest:
                    longest[number] = Occurrence(utterance, (start, start + length), " ".join(phrase))
        for number, occurrence in longest.items():
            found[number].append(occurrence)
    return found


def _find_substrings(sentences: Sequence[str], groundings: Sequence[Sequence[str]]) -> list[list[Occurrence]]:
    found: list[list[Occurrence]] = []
    for phrases in groundings:
        shortest_first = sorted(phrases, key=len)
        group = []
        for utterance, sentence in enumerate(sentences):
            phrase = next((phrase for phrase in shortest_first if phrase in sentence), None)
            if phrase is not None:
                start = sentence.index(phrase)
                group.append(Occurrence(utterance, _token_span(sentence, start, start + len(phrase)), phrase))
        found.append(group)
    return found


def _token_span(sentence: str, start: int, end: int) -> Span:
    """The tokens that have a character between `start` and `end`."""
    inside = [place for place, token in enumerate(words.tokens(sentence)) if token.start < end and token.end > start]
    return inside[0], inside[-1] + 1


def _as_reference(found: Sequence[Related]) -> list[Related]:
    first = found[0]
    return [replace(one, partner_span=first.partner_span) for one in found[:MOST_IN_REFERENCE]]
