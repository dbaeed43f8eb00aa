"""Objectives to be looked at: a parser that is decided, so that beams differ, and its loss outside of any run."""

import torch

from chorale.domain import Domain, Utterance
from chorale.domain.parsing import Corpus
from chorale.parser.parser import Parser
from chorale.parser.sizes import Sizes
from chorale.parser.vocabulary import Vocabulary
from chorale.training.descent import seeded


def decided(
    domain: Domain, language: str, utterances: list[Utterance], sizes: Sizes | None = None
) -> tuple[Corpus, Parser]:
    """A corpus, and a parser without dropout, so that the same is computed twice."""
    corpus = Corpus.of(domain, language, utterances, agenda=sizes is not None and sizes.coverage)
    seeded(1, 0, 0)
    parser = Parser(corpus.shared, Vocabulary.of(corpus.words), sizes)
    parser.network.eval()
    with torch.no_grad():
        parser.network.output.weight.mul_(4)  # decided weights: beams differ, and so does attention
        parser.network.token_embedding.weight.mul_(8)
    return corpus, parser
