"""Doubts: what speaks against an answer, whatever the parser's probability says.

A parser answers every sentence. What it cannot know by its probability is said by the words: some it has never met,
some its program does not say, and some of the program nobody asked for. `Evidence` gathers that for one sentence;
`doubts` puts it into words, and `confidence` weighs it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from chorale.domain import Doubt, Hints
from chorale.language.program import Program
from chorale.language.terms import Apply, subterms

EDGE = "|"
"""What stands before the first word of a sentence and after the last."""
UNSURE = 0.5
"""Below this confidence an answer has reasons to be doubted."""
SALAD = 0.5
"""The share of strange neighbours from which on a sentence makes no sense."""


@dataclass(frozen=True)
class Evidence:
    """What is known about the best program of a sentence."""

    probability: float
    """Of its meaning, as the parser sees it."""
    alike: float
    """Of all readings that give the same answers."""
    unknown: tuple[str, ...] = ()
    """Words that the lexicon does not know."""
    meant: tuple[tuple[str, str], ...] = ()
    """Some of them with what would be understood."""
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
    joints: int = 0
    """How many pairs of neighbouring words the sentence has."""
    strange: tuple[str, ...] = ()
    """Those that never stood side by side in training."""
    new: tuple[str, ...] = ()
    """Words that are not known where that is no wonder, since anything may have a name."""

    @property
    def is_at_a_loss(self) -> bool:
        """Whether the program cannot be what was meant, since no program can say that."""
        return bool(self.unknown or self.unsayable or self.beyond) or not self.said or self.is_salad

    @property
    def is_salad(self) -> bool:
        """Whether words are put together at random: most never stood side by side."""
        return len(self.strange) > SALAD * self.joints


def evidence(
    program: Program,
    hints: Hints | None,
    *,
    probability: float,
    alike: float | None = None,
    joints: Sequence[str] = (),
    is_familiar: Callable[[str], bool] = lambda pair: True,
    unknown: tuple[str, ...] = (),
) -> Evidence:
    """What the words of a sentence say about a program; without a lexicon its probability alone is known.

    `alike` is how probable the readings are that give the same answers, the program's own among them; `joints` are the
    neighbouring words of the sentence.
    """
    strange = tuple(pair for pair in joints if not is_familiar(pair))
    alike = probability if alike is None else min(max(alike, probability), 1.0)
    if hints is None:
        return Evidence(probability, alike, unknown, said=1, joints=len(joints), strange=strange)
    uses = Counter(term.name for term in subterms(program.term) if isinstance(term, Apply))
    unsaid: list[str] = []
    for (words, wanted), times in Counter(hints.explains).items():
        if wanted:
            unsaid += [words] * (times - sum(uses[name] for name in wanted))
    asked = hints.glue.union(*(wanted for _, wanted in hints.explains))
    return Evidence(
        probability,
        alike,
        () if hints.is_open else unknown,
        hints.meant,
        hints.repaired,
        hints.beyond,
        tuple(words for words, wanted in hints.explains if not wanted),
        tuple(unsaid),
        tuple(sorted(name for name in uses if name not in asked)),
        sum(1 for _, wanted in hints.explains if any(uses[name] for name in wanted)),
        0 if hints.is_open else len(joints),
        () if hints.is_open else strange,
        unknown if hints.is_open else (),
    )


def doubts(about: Evidence, language: str, confidence: float) -> Iterator[Doubt]:
    """What speaks against an answer, the gravest first.

    What cannot be said is always told, and so are repaired words. The rest is told only of answers that are unsure: it
    is found beside right answers as well, and a warning that is mostly wrong warns of nothing.
    """
    meant = dict(about.meant)
    for word in about.unknown:
        hint = f"; did you mean {meant[word]!r}?" if word in meant else ""
        yield Doubt("unknown word", f"the word {word!r} is not known{hint}")
    for word in about.beyond:
        yield Doubt("beyond", f"programs cannot express {word!r}")
    for words in about.unsayable:
        if not set(words.split()) & set(about.beyond):
            yield Doubt("unsayable", f"the language {language} has nothing for {words!r}")
    if not about.said:
        yield Doubt("off topic", "the program says nothing about the sentence")
    if about.is_salad:
        yield Doubt("strange", "no training sentence puts its words together like this")
    if confidence < UNSURE and not about.is_at_a_loss:
        yield from _unsure(about)
    for typed, read in about.repaired:
        yield Doubt("typo", f"{typed!r} is read as {read!r}")


def _unsure(about: Evidence) -> Iterator[Doubt]:
    """Why the answer to a sentence that a program could say is unsure."""
    for word in about.unsaid:
        yield Doubt("unsaid", f"the program does not say {word!r}")
    for name in about.unasked:
        yield Doubt("unasked", f"no word asks for {name} in the program")
    for word in about.new:
        yield Doubt("unknown word", f"the word {word!r} is not known")
    if about.strange:
        yield Doubt("strange", "no training sentence puts its words together like this")
    if not (about.unsaid or about.unasked or about.new or about.strange):
        yield Doubt("split", f"it may mean something else: this reading has only {about.probability:.0%}")


def pairs(kind: str, lemma: Callable[[str], str] = str) -> list[str]:
    """The neighbouring words of a kind of sentence, its beginning and end included; all forms of a word are one."""
    words = [EDGE, *map(lemma, kind.split()), EDGE]
    return [f"{one} {other}" for one, other in pairwise(words)]
