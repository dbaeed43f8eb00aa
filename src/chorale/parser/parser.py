"""A parser: a grammar, the words it knows, and the network between them.

parser = Parser(grammar, Vocabulary.of(sentences))
encoding = parser.encode(sentences)
parser.search(encoding, beam=10, max_actions=21).actions      # programs, best first
parser.score(encoding, programs).log_probabilities            # exact, with gradient
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import torch
from torch import Tensor

from chorale.domain import Hints
from chorale.errors import ChoraleError
from chorale.language.grammar import Grammar
from chorale.parser.beam import Beam, search
from chorale.parser.lexical import Lexical
from chorale.parser.network import Encoding, Network
from chorale.parser.scoring import Scores, score
from chorale.parser.sizes import Sizes
from chorale.parser.tables import GrammarTables
from chorale.parser.trie import Integers, padded
from chorale.parser.vocabulary import PADDING, Vocabulary

_WORD = re.compile(r"[^\W_]+")


class Parser:
    """Turns tokens into programs of a grammar. Its parameters are those of `network`."""

    def __init__(
        self, grammar: Grammar, vocabulary: Vocabulary, sizes: Sizes | None = None, device: str | torch.device = "cpu"
    ) -> None:
        self.grammar = grammar
        self.vocabulary = vocabulary
        self.device = torch.device(device)
        self.network = Network(len(vocabulary), len(grammar), sizes or Sizes()).to(self.device)
        self._tables = GrammarTables.of(grammar).to(self.device)
        self._context_tables: WeakKeyDictionary[Grammar, GrammarTables] = WeakKeyDictionary()

    def __getstate__(self) -> dict[str, Any]:
        """Without the tables of contexts, which are made again: workers of other machines are sent parsers."""
        return {**self.__dict__, "_context_tables": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= {**state, "_context_tables": WeakKeyDictionary()}

    def encode(
        self,
        sentences: Sequence[Sequence[str]],
        *,
        grammars: Sequence[Grammar] | None = None,
        agendas: Sequence[Collection[int]] | None = None,
        hints: Sequence[Hints] | None = None,
    ) -> Encoding:
        """Read a batch of tokenised sentences.

        `grammars` are those of the utterances' contexts, if they bring constants of their own; `agendas` are the
        actions that each sentence triggers, for a network with coverage, and `hints` what a lexicon says about it, for
        a network that listens to one.
        """
        if not sentences:
            raise ChoraleError("a batch needs at least one sentence")
        tokens, lengths = token_ids(self.vocabulary, sentences)
        tables, names = (self._tables, None) if grammars is None else self._contexts(grammars)
        return self.network.encode(
            tokens.to(self.device),
            lengths.to(self.device),
            tables,
            names=names,
            agenda=self._agenda(len(sentences), agendas),
            lexical=self._lexical(hints, grammars or [self.grammar] * len(sentences), lengths),
        )

    def search(self, encoding: Encoding, beam: int, max_actions: int, *, attention: bool = False) -> Beam:
        """The best programs of each utterance; see `beam`. No gradient."""
        return search(self.network, encoding, beam, max_actions, attention=attention)

    def score(
        self, encoding: Encoding, programs: Integers | Sequence[Sequence[Sequence[int]]], *, attention: bool = False
    ) -> Scores:
        """Exact log-probabilities of programs (batch, program, step), as sequences or padded with -1."""
        given = programs if isinstance(programs, np.ndarray) else padded(programs)
        if len(given) != len(encoding):
            raise ChoraleError(f"programs for {len(given)} utterances, but {len(encoding)} sentences")
        return score(self.network, encoding, given, attention=attention)

    def _agenda(self, batch: int, agendas: Sequence[Collection[int]] | None) -> Tensor | None:
        if not self.network.sizes.coverage:
            return None
        dtype = self.network.action_embedding.weight.dtype
        agenda = torch.zeros((batch, len(self.grammar)), dtype=dtype)
        for row, actions in enumerate(agendas or ()):
            agenda[row, list(actions)] = 1
        return agenda.to(self.device)

    def _lexical(self, hints: Sequence[Hints] | None, grammars: Sequence[Grammar], lengths: Tensor) -> Lexical | None:
        if not self.network.sizes.lexicon:
            return None
        if hints is None:
            raise ChoraleError("this parser listens to a lexicon, and needs what it says about each sentence")
        return Lexical.of(hints, grammars, lengths.tolist()).to(self.network.action_embedding.weight)

    def _contexts(self, grammars: Sequence[Grammar]) -> tuple[GrammarTables, Tensor]:
        """The tables of the utterances' own grammars, and the words of the names that these add."""
        shared = len(self.grammar)
        for grammar in grammars:
            if grammar not in self._context_tables:
                if grammar.productions[:shared] != self.grammar.productions:
                    raise ChoraleError(
                        f"{grammar.name} does not extend {self.grammar.name}, the grammar of this parser"
                    )
                self._context_tables[grammar] = GrammarTables.of(grammar)
        if self.network.sizes.token_embedding != self.network.sizes.action_embedding:
            raise ChoraleError("contexts with their own constants need action_embedding equal to token_embedding")
        tables = GrammarTables.joined([self._context_tables[grammar] for grammar in grammars]).to(self.device)
        return tables, own_names(self.vocabulary, self.grammar, grammars).to(self.device)


def token_ids(vocabulary: Vocabulary, sentences: Sequence[Sequence[str]]) -> tuple[Tensor, Tensor]:
    """The ids of the words of sentences (batch, token), padded, and how many each has (batch,)."""
    ids = [vocabulary.ids(sentence) for sentence in sentences]
    return _padded(ids), torch.tensor([len(row) for row in ids])


def own_names(vocabulary: Vocabulary, shared: Grammar, grammars: Sequence[Grammar]) -> Tensor:
    """The ids of the words of the names that contexts add to a shared grammar: (batch, production, word), padded."""
    words = [[_WORD.findall(p.name.lower()) for p in grammar.productions[len(shared) :]] for grammar in grammars]
    ids = [[vocabulary.ids(name) for name in names] for names in words]
    width = max(len(word_ids) for names in ids for word_ids in [[], *names])
    most = max(map(len, ids))
    result = torch.full((len(ids), most, max(width, 1)), PADDING)
    for row, names in enumerate(ids):
        for number, word_ids in enumerate(names):
            result[row, number, : len(word_ids)] = torch.tensor(word_ids)
    return result


def _padded(ids: Sequence[Sequence[int]]) -> Tensor:
    result = np.full((len(ids), max(map(len, ids))), PADDING, dtype=np.int64)
    for row, some in enumerate(ids):
        result[row, : len(some)] = some
    return torch.from_numpy(result)
