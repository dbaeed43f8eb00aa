"""What the rest of Chorale sees of a domain: a small class, and the capabilities that it has or has not."""

from chorale.domain.abstractions import Abstracted, Abstractions, Plain
from chorale.domain.answers import Answers, TruthValues
from chorale.domain.codec import Codec
from chorale.domain.costs import Costs, costs_of
from chorale.domain.domain import Domain, grammar_of, kind_of, needed
from chorale.domain.drawing import Drawing
from chorale.domain.grounding import Grounding, OwnGrounding, SharedGrounding
from chorale.domain.json_lines import Example
from chorale.domain.lexicon import Agenda, Hints, Lexicon, hints_of
from chorale.domain.meanings import Difference, Meanings, differences_of, meanings_of
from chorale.domain.reading import Doubt, Reading
from chorale.domain.relations import Related, Relations, SharedPhrases, Span
from chorale.domain.tracing import TracedPart, Tracing
from chorale.domain.utterance import Answer, Unlabelled, Utterance, pairs_of
from chorale.domain.word_lexicon import WordLexicon

__all__ = [
    "Abstracted",
    "Abstractions",
    "Agenda",
    "Answer",
    "Answers",
    "Codec",
    "Costs",
    "Difference",
    "Domain",
    "Doubt",
    "Drawing",
    "Example",
    "Grounding",
    "Hints",
    "Lexicon",
    "Meanings",
    "OwnGrounding",
    "Plain",
    "Reading",
    "Related",
    "Relations",
    "SharedGrounding",
    "SharedPhrases",
    "Span",
    "TracedPart",
    "Tracing",
    "TruthValues",
    "Unlabelled",
    "Utterance",
    "WordLexicon",
    "costs_of",
    "differences_of",
    "grammar_of",
    "hints_of",
    "kind_of",
    "meanings_of",
    "needed",
    "pairs_of",
]
