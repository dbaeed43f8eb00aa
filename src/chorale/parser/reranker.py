"""A second reader: how likely is it that a program of the parser's beam is right?

    words      m_1..m_N = BiLSTM(tokens)
    program    s_1..s_T = BiLSTM(actions)
    look       a_t = sum_i w_ti m_i  with  w_t = softmax_i(s_t . m_i)
    compare    v_t = tanh(V [s_t; a_t; s_t a_t])              the product, element by element, learns to match sooner
    judge      p_rank(z | x) = sigmoid(u . tanh(U [mean_t v_t; max_t v_t]))

The parser chooses one action after the other; the reranker sees the program as a whole, beside the whole sentence. Both
have a say in which program z of the beam is the best:

    weight * log p_rank(z | x) + log p(z | x)

All programs of a batch of beams are read at once. Constants that a context brings along have the mean vector of the
words of their names, as in the parser.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from chorale.language.grammar import Grammar
from chorale.parser.beam import Beam
from chorale.parser.parser import own_names, token_ids
from chorale.parser.sizes import Sizes
from chorale.parser.step import attend
from chorale.parser.vocabulary import PADDING, Vocabulary


@dataclass(frozen=True)
class Ranked:
    """A beam in the order of the summed logs."""

    beam: Beam
    totals: Tensor  # (batch, beam) what they are ordered by
    probabilities: Tensor | None  # (batch, beam) p_rank, in the same order; of no meaning where there is no program


class Reranker:
    """Judges programs of a grammar. Its parameters are those of `network`; sizes of a decoder are left idle."""

    def __init__(
        self,
        grammar: Grammar,
        vocabulary: Vocabulary,
        sizes: Sizes | None = None,
        device: str | torch.device = "cpu",
        weight: float = 1.0,
    ) -> None:
        self.grammar = grammar
        self.vocabulary = vocabulary
        self.device = torch.device(device)
        self.weight = weight
        """How much log p_rank counts beside the parser's own log-probability."""
        self.network = RankNetwork(len(vocabulary), len(grammar), sizes or Sizes()).to(self.device)

    def logits(
        self, sentences: Sequence[Sequence[str]], actions: Tensor, *, grammars: Sequence[Grammar] | None = None
    ) -> Tensor:
        """What sigmoid makes p_rank of: (batch, beam) for actions (batch, beam, step), padded with -1.

        `grammars` are those of the utterances' contexts, if they bring constants of their own.
        """
        tokens, lengths = token_ids(self.vocabulary, sentences)
        names = None if grammars is None else own_names(self.vocabulary, self.grammar, grammars).to(self.device)
        logits: Tensor = self.network(tokens.to(self.device), lengths.to(self.device), actions.to(self.device), names)
        return logits

    def rerank(
        self, sentences: Sequence[Sequence[str]], beam: Beam, *, grammars: Sequence[Grammar] | None = None
    ) -> Ranked:
        """The beams of some sentences, the best programs first; equal ones stay as they were."""
        logits = self.logits(sentences, beam.actions, grammars=grammars)
        totals = beam.log_probabilities + self.weight * functional.logsigmoid(logits)
        order = totals.sort(dim=1, descending=True, stable=True).indices  # (batch, beam)
        rows = torch.arange(len(order), device=order.device)[:, None]
        attention = None if beam.attention is None else beam.attention[rows, order]
        again = Beam(beam.actions[rows, order], beam.log_probabilities[rows, order], attention)
        return Ranked(again, totals[rows, order], logits.sigmoid()[rows, order])


class RankNetwork(nn.Module):
    """All parameters of a reranker; it knows numbers, not words."""

    def __init__(self, tokens: int, productions: int, sizes: Sizes) -> None:
        super().__init__()
        self.sizes = sizes
        self.productions = productions
        self.token_embedding = nn.Embedding(tokens, sizes.token_embedding, padding_idx=PADDING)
        self.action_embedding = nn.Embedding(productions + 1, sizes.action_embedding, padding_idx=productions)
        self.words = BothWays(sizes.token_embedding, sizes.encoder)
        self.program = BothWays(sizes.action_embedding, sizes.encoder)
        self.compare = nn.Linear(6 * sizes.encoder, 2 * sizes.encoder)
        self.judge = nn.Linear(4 * sizes.encoder, 2 * sizes.encoder)
        self.verdict = nn.Linear(2 * sizes.encoder, 1)

    def forward(
        self,
        tokens: Tensor,  # (batch, token) ids
        lengths: Tensor,  # (batch,)
        actions: Tensor,  # (batch, beam, step) productions, -1 after the last
        names: Tensor | None = None,  # (batch, production, word) ids of the words of the contexts' own productions
    ) -> Tensor:
        """One logit per program: (batch, beam). Ranks without a program have one too, of no meaning."""
        actions = functional.pad(actions, (0, int(actions.shape[2] == 0)), value=-1)  # beams may be empty
        words = self._dropped(self.words(self.token_embedding(tokens), lengths))  # (batch, token, width)
        counts = (actions >= 0).sum(2).clamp(min=1)  # (batch, beam) a missing program counts as one padding
        steps = self.program(self._vectors(actions, names).flatten(0, 1), counts.flatten())
        steps = self._dropped(steps).view(len(tokens), -1, steps.shape[2])  # (batch, beam * step, width)
        padding = torch.zeros(tokens.shape, dtype=words.dtype, device=words.device)
        padding = padding.masked_fill(tokens == PADDING, -torch.inf)[:, None]
        attended = attend(steps, words, padding)[1]
        compared = self.compare(torch.cat([steps, attended, steps * attended], dim=2)).tanh().view(*actions.shape, -1)
        beyond = (torch.arange(actions.shape[2], device=actions.device) >= counts[:, :, None]).unsqueeze(3)
        mean = compared.masked_fill(beyond, 0).sum(2) / counts.unsqueeze(2)
        most = compared.masked_fill(beyond, -torch.inf).amax(2)
        judged = self._dropped(self.judge(torch.cat([mean, most], dim=2)).tanh())
        logits: Tensor = self.verdict(judged)[:, :, 0]
        return logits

    def _vectors(self, actions: Tensor, names: Tensor | None) -> Tensor:
        """The vectors of actions: (batch, beam, step) -> (batch, beam, step, embedding)."""
        rows = torch.where(actions < 0, self.productions, actions)
        if names is None:
            vectors: Tensor = self.action_embedding(rows)
            return vectors
        own = functional.embedding_bag(
            names.flatten(0, 1), self.token_embedding.weight, mode="mean", padding_idx=PADDING
        )
        # After the shared productions stands the padding, then each context's own, one context after another.
        first = torch.arange(len(names), device=names.device)[:, None, None] * names.shape[1] + 1
        rows = torch.where(actions >= self.productions, actions + first, rows)
        return functional.embedding(rows, torch.cat([self.action_embedding.weight, own]))

    def _dropped(self, values: Tensor) -> Tensor:
        return functional.dropout(values, self.sizes.dropout, self.training)


class BothWays(nn.Module):
    """An LSTM in each direction.

    Each row is mirrored in place for the way back, so that padding comes last both ways and touches nothing.
    """

    def __init__(self, given: int, hidden: int) -> None:
        super().__init__()
        self.ahead = nn.LSTM(given, hidden, batch_first=True)
        self.back = nn.LSTM(given, hidden, batch_first=True)

    def forward(self, vectors: Tensor, lengths: Tensor) -> Tensor:
        """The outputs of both directions: (row, step, given), (row,) -> (row, step, 2 * hidden)."""
        indices = torch.arange(vectors.shape[1], device=vectors.device)[None]
        mirrored = torch.where(indices < lengths[:, None], lengths[:, None] - 1 - indices, indices).unsqueeze(2)
        ahead: Tensor = self.ahead(vectors)[0]
        back: Tensor = self.back(vectors.gather(1, mirrored.expand_as(vectors)))[0]
        return torch.cat([ahead, back.gather(1, mirrored.expand_as(back))], dim=2)
