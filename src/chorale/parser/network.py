"""The network: a sentence is read once, then actions are chosen one by one, each with a look back at the sentence.

    encoder   m_1..m_N  = BiLSTM(tokens)                      dropped out in training
    start     h_0 = the last outputs of both directions, c_0 = 0, a_0 = attend(h_0)
    advance   h_t, c_t  = LSTM(tanh(W [a_t-1; e(z_t-1)]), h_t-1, c_t-1)
              w_t       = softmax_i(h_t . m_i)                the attention kept for action z_t
              a_t       = sum_i w_ti m_i
    choose    q_t       = tanh(V [h_t; a_t])
              p(z_t)    = softmax(q_t . e(z_t)) over the legal productions of the state on top of the stack

A network with a lexicon adds what words ask for, to tokens and to scores; see `lexical`.

Beam search and exact scoring are two ways to walk through `advance` and `choose`. The picture is no input: what a
sentence means does not depend on it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from torch.nn import functional

from chorale.parser.lexical import Lexical
from chorale.parser.sizes import Sizes
from chorale.parser.step import StepWeights, attend, step
from chorale.parser.tables import GrammarTables
from chorale.parser.vocabulary import PADDING


@dataclass(frozen=True)
class Encoding:
    """A batch of sentences as the decoder sees it, together with the actions it may take."""

    tokens: Tensor  # (batch, token, decoder) outputs of the encoder
    padding: Tensor  # (batch, 1, token) 0 for a token, -inf for padding
    start: Tensor  # (batch, 3 * decoder) the decoder's memory before its first step
    weights: StepWeights
    actions: Tensor  # (production, embedding) vectors of the shared productions
    inputs: Tensor  # (row, decoder) what an action adds to the decoder's input; rows as in `row_of`
    extra: Tensor | None  # (batch, production, embedding) vectors of the contexts' own productions
    agenda: Tensor | None  # (batch, production) 1 where the sentence triggers an action
    lexical: Lexical | None  # what its phrases ask for
    tables: GrammarTables

    def __len__(self) -> int:
        return len(self.tokens)

    def row_of(self, actions: Tensor) -> Tensor:
        """The rows of `inputs` for actions (batch, width): shared ones, the start, then each context's own; flat."""
        if self.extra is None:
            return actions.flatten()
        shared = len(self.actions)
        first = torch.arange(len(self), device=actions.device)[:, None] * self.extra.shape[1] + 1
        return torch.where(actions < shared, actions, actions + first).flatten()

    @property
    def start_row(self) -> int:
        """The row of `inputs` for the first step, where no action came before."""
        return len(self.actions)

    def first(self, count: int) -> Encoding:
        """The first utterances only: related ones that were searched beside them need no scores."""
        return replace(
            self,
            tokens=self.tokens[:count],
            padding=self.padding[:count],
            start=self.start[:count],
            extra=None if self.extra is None else self.extra[:count],
            agenda=None if self.agenda is None else self.agenda[:count],
            lexical=None if self.lexical is None else self.lexical.first(count),
            tables=self.tables.first(count),
        )

    def detached(self) -> Encoding:
        """The same numbers without gradient: beams are searched on them."""
        return replace(
            self,
            tokens=self.tokens.detach(),
            start=self.start.detach(),
            weights=self.weights.detached(),
            actions=self.actions.detach(),
            inputs=self.inputs.detach(),
            extra=None if self.extra is None else self.extra.detach(),
        )


class Network(nn.Module):
    """All parameters of a parser; it knows numbers, not words."""

    def __init__(self, tokens: int, productions: int, sizes: Sizes) -> None:
        super().__init__()
        self.sizes = sizes
        self.productions = productions
        self.token_embedding = nn.Embedding(tokens, sizes.token_embedding, padding_idx=PADDING)
        self.action_embedding = nn.Embedding(productions + 1, sizes.action_embedding)  # the last one: no action yet
        self.forwards = nn.LSTM(sizes.token_embedding, sizes.encoder, batch_first=True)
        self.backwards = nn.LSTM(sizes.token_embedding, sizes.encoder, batch_first=True)
        self.input = nn.Linear(sizes.decoder + sizes.action_embedding, sizes.decoder)
        self.decoder = nn.LSTMCell(sizes.decoder, sizes.decoder)
        self.output = nn.Linear(2 * sizes.decoder, sizes.action_embedding)
        if sizes.coverage:
            self.coverage = nn.Parameter(torch.ones(()))
        if sizes.lexicon:
            self.lexicon = nn.Parameter(torch.tensor([1.0, 0.0, 1.0]))  # missing, said, attended
        nn.init.xavier_uniform_(self.token_embedding.weight)
        nn.init.xavier_uniform_(self.action_embedding.weight)
        with torch.no_grad():
            self.token_embedding.weight[PADDING] = 0

    # -- reading ---------------------------------------------------------------------------------------------------

    def encode(
        self,
        tokens: Tensor,  # (batch, token) ids
        lengths: Tensor,  # (batch,)
        tables: GrammarTables,
        *,
        names: Tensor | None = None,  # (batch, production, word) ids of the words of the contexts' own productions
        agenda: Tensor | None = None,  # (batch, production)
        lexical: Lexical | None = None,
    ) -> Encoding:
        """Read the sentences of a batch."""
        extra = None if names is None else self._named(names)
        shared = self.action_embedding.weight[: self.productions]
        asked = None if lexical is None else lexical.asked(shared, extra)
        states = functional.dropout(self._read(tokens, lengths, asked), self.sizes.dropout, self.training)
        ahead, back = states.chunk(2, 2)
        last = (lengths - 1)[:, None, None].expand(-1, 1, ahead.shape[2])
        hidden = torch.cat([ahead.gather(1, last)[:, 0], back[:, 0]], dim=1)  # (batch, decoder)
        padding = torch.zeros(tokens.shape, dtype=states.dtype, device=tokens.device)
        padding = padding.masked_fill(tokens == PADDING, -torch.inf)[:, None]
        attended = attend(hidden[:, None], states, padding)[1][:, 0]
        start = torch.cat([torch.zeros_like(hidden), hidden, attended], dim=1)
        vectors = self.action_embedding.weight
        if extra is not None:
            vectors = torch.cat([vectors, extra.flatten(0, 1)])
        inputs = functional.linear(vectors, self.input.weight[:, self.sizes.decoder :], self.input.bias)
        return Encoding(states, padding, start, self._step_weights(), shared, inputs, extra, agenda, lexical, tables)

    def _read(self, tokens: Tensor, lengths: Tensor, asked: Tensor | None) -> Tensor:
        """The outputs of both directions (batch, token, decoder); `asked` (batch, token, embedding) is added to words.

        Each sentence is mirrored in place for the way back, so that padding comes last both ways and touches nothing.
        Packed sequences would do the same, four times slower.
        """
        indices = torch.arange(tokens.shape[1], device=tokens.device)[None]
        mirrored = torch.where(indices < lengths[:, None], lengths[:, None] - 1 - indices, indices)
        there, away = self.token_embedding(tokens), self.token_embedding(tokens.gather(1, mirrored))
        if asked is not None:
            there, away = there + asked, away + asked.gather(1, mirrored[:, :, None].expand_as(asked))
        ahead: Tensor = self.forwards(there)[0]
        back: Tensor = self.backwards(away)[0]
        return torch.cat([ahead, back.gather(1, mirrored[:, :, None].expand_as(back))], dim=2)

    def _step_weights(self) -> StepWeights:
        decoder = self.decoder
        return StepWeights(
            self.input.weight[:, : self.sizes.decoder],
            torch.cat([decoder.weight_ih, decoder.weight_hh], dim=1),
            decoder.bias_ih + decoder.bias_hh,
        )

    def _named(self, names: Tensor) -> Tensor:
        """The mean vector of the words of each name, so that a constant never seen before has one."""
        known = (names != PADDING).unsqueeze(-1)
        total: Tensor = (self.token_embedding(names) * known).sum(-2)
        return total / known.sum(-2).clamp(min=1)

    # -- one step --------------------------------------------------------------------------------------------------

    def advance(self, encoding: Encoding, memory: Tensor, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Take in the last actions, given as rows of `inputs` (batch * width,); also the attention that results."""
        added = functional.embedding(rows, encoding.inputs)
        return step(memory, added, encoding.weights, encoding.tokens, encoding.padding)

    def attention(self, encoding: Encoding, memory: Tensor) -> Tensor:
        """The attention of a step once more, (batch, width, token): that of `advance` has no gradient."""
        hidden = memory[:, self.sizes.decoder : 2 * self.sizes.decoder].view(len(encoding), -1, self.sizes.decoder)
        return attend(hidden, encoding.tokens, encoding.padding)[0]

    def logits(self, encoding: Encoding, memory: Tensor, missing: Tensor | None) -> Tensor:
        """Scores of all productions after a step, given the triggered actions still missing.

        What the lexicon adds to them is a matter of `lexical`.
        """
        query = self.output(memory[..., self.sizes.decoder :]).tanh()  # of hidden and attended
        if missing is not None:
            query = query + self.coverage * (missing @ encoding.actions)
        logits = functional.linear(query, encoding.actions)
        if encoding.extra is not None:
            own = query.view(len(encoding), -1, query.shape[-1]) @ encoding.extra.transpose(1, 2)
            logits = torch.cat([logits, own.flatten(0, 1)], dim=-1)
        return logits


def choose(logits: Tensor, states: Tensor, tables: GrammarTables) -> Tensor:
    """Log-probabilities of the options of each state: (..., production), (...) -> (..., option); -inf if illegal."""
    options = functional.embedding(states, tables.options)  # a faster lookup than by index
    return (logits.gather(-1, options) + functional.embedding(states, tables.penalty)).log_softmax(-1)


def covered(missing: Tensor, actions: Tensor) -> Tensor:
    """The triggered actions still missing after these actions, of which some may be a context's own."""
    known = actions < missing.shape[-1]
    indices = torch.where(known, actions, 0).unsqueeze(-1)
    return missing.scatter(-1, indices, missing.gather(-1, indices) * ~known.unsqueeze(-1))
