"""Doubts: what speaks against an answer, whatever the parser's probability says.

A parser answers every sentence. What it cannot know by its probability is said by the words: some it has never met,
some its program does not say, and some of the program nobody asked for. `Evidence` gathers that for one sentence;
`doubts` puts it into words, and `confidence` weighs it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise

from chorale.domain import Doubt, Hints
from chorale.language.program import Program
from chorale.language.terms import Apply, subterms

EDGE = "|"
"""What stands before the first word of a sentence and after the last."""
STRANGE = 0.25
"""From this share of new neighbours on, a sentence is called strange."""


@dataclass(frozen=True)
class Evidence:
    """What is known about the best program of a sentence."""

    probability: float
    """Of its meaning, as the parser sees it."""
    rival: float = 0.0
    """Of the most probable other meaning."""
    unknown: tuple[str, ...] = ()
    """Words that the lexicon does not know."""
    repaired: tuple[tuple[str, str], ...] = ()
    """Words that were typed, and what they were taken for."""
    beyond: tuple[str, ...] = ()
    """Words that ask for more than any program can say."""
    unsayable: tuple[str, ...] = ()
    """Words that no program of the language can say."""
    unsaid: tuple[str, ...] = ()
    """Words that this program does not say, though one could."""
    unasked: tuple[str, ...] = ()
    """Functions and constants of the program that no word asks for."""
    said: int = 0
    """How many phrases the program says."""
    strange: float = 0.0
    """The share of neighbouring words that never stood side by side in training."""
    is_new: bool = False
    """Whether no training sentence was built like this one."""


def evidence(
    program: Program,
    hints: Hints | None,
    *,
    probability: float,
    rival: float = 0.0,
    strange: float = 0.0,
    is_new: bool = False,
    unknown: tuple[str, ...] = (),
) -> Evidence:
    """What the words of a sentence say about a program; without a lexicon its probability alone is known."""
    if hints is None:
        return Evidence(probability, rival, unknown, said=1, strange=strange, is_new=is_new)
    uses = Counter(term.name for term in subterms(program.term) if isinstance(term, Apply))
    unsaid: list[str] = []
    for (words, wanted), times in Counter(hints.explains).items():
        if wanted:
            unsaid += [words] * (times - sum(uses[name] for name in wanted))
    asked = hints.glue.union(*(wanted for _, wanted in hints.explains))
    return Evidence(
        probability,
        rival,
        unknown,
        hints.repaired,
        hints.beyond,
        tuple(words for words, wanted in hints.explains if not wanted),
        tuple(unsaid),
        tuple(sorted(name for name in uses if name not in asked)),
        sum(1 for _, wanted in hints.explains if any(uses[name] for name in wanted)),
        strange,
        is_new,
    )


def doubts(about: Evidence, language: str) -> Iterator[Doubt]:
    """What speaks against an answer, the gravest first."""
    for word in about.unknown:
        yield Doubt("unknown word", f"the word {word!r} is not known")
    for word in about.beyond:
        yield Doubt("beyond", f"programs cannot express {word!r}")
    for words in about.unsayable:
        if not set(words.split()) & set(about.beyond):
            yield Doubt("unsayable", f"the language {language} has nothing for {words!r}")
    for word in about.unsaid:
        yield Doubt("unsaid", f"the program does not say {word!r}")
    for name in about.unasked:
        yield Doubt("unasked", f"no word asks for {name} in the program")
    if not about.said:
        yield Doubt("off topic", "the program says nothing about the sentence")
    for typed, read in about.repaired:
        yield Doubt("typo", f"{typed!r} is read as {read!r}")
    if about.rival > about.probability / 2:
        yield Doubt(
            "split", f"another reading is nearly as likely: {about.rival:.0%}, this one {about.probability:.0%}"
        )
    if about.strange > STRANGE:
        yield Doubt("strange", "no training sentence puts its words together like this")
    elif about.is_new:
        yield Doubt("new kind", "no training sentence is built like this one")


def pairs(kind: str) -> list[str]:
    """The neighbouring words of a sentence template, its beginning and end included."""
    words = [EDGE, *kind.split(), EDGE]
    return [f"{one} {other}" for one, other in pairwise(words)]


def strangeness(kind: str, known: Collection[str], name: Callable[[str], str] = str) -> float:
    """The share of neighbouring words that are not among the known ones, which go by another name perhaps."""
    neighbours = pairs(kind)
    return sum(name(pair) not in known for pair in neighbours) / len(neighbours)
