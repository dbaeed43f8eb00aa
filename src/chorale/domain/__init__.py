"""What the rest of Chorale sees of a domain: a small class, and the capabilities that it has or has not."""

from chorale.domain.abstractions import Abstracted, Abstractions, Plain
from chorale.domain.domain import Domain, Focus, Generator, grammar_of, kind_of, needed
from chorale.domain.drawing import Drawing
from chorale.domain.grounding import Grounding, SharedGrounding, agreement
from chorale.domain.lexicon import Agenda, Hints, Lexicon
from chorale.domain.relations import Related, Relations, Span
from chorale.domain.utterance import Answer, Unlabelled, Utterance, pairs_of

__all__ = [
    "Abstracted",
    "Abstractions",
    "Agenda",
    "Answer",
    "Domain",
    "Drawing",
    "Focus",
    "Generator",
    "Grounding",
    "Hints",
    "Lexicon",
    "Plain",
    "Related",
    "Relations",
    "SharedGrounding",
    "Span",
    "Unlabelled",
    "Utterance",
    "agreement",
    "grammar_of",
    "kind_of",
    "needed",
    "pairs_of",
]
