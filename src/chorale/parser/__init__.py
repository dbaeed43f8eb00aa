"""The network: encoder, attention decoder, grammar-constrained beam. Knows grammars, no domain."""

from chorale.parser.beam import Beam
from chorale.parser.decoding import Learner, NetworkParser
from chorale.parser.network import Encoding, Network
from chorale.parser.parser import Parser
from chorale.parser.reranker import Ranked, Reranker
from chorale.parser.rules import Rules
from chorale.parser.scoring import Scores
from chorale.parser.sizes import Sizes
from chorale.parser.trie import padded
from chorale.parser.vocabulary import Vocabulary

__all__ = [
    "Beam",
    "Encoding",
    "Learner",
    "Network",
    "NetworkParser",
    "Parser",
    "Ranked",
    "Reranker",
    "Rules",
    "Scores",
    "Sizes",
    "Vocabulary",
    "padded",
]
