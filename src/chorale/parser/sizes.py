"""How big the network is. The defaults are those of the paper's parser."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from chorale.plumbing.checking import Checked

Width = Annotated[int, Field(ge=1, le=4096)]
Dropout = Annotated[float, Field(ge=0, lt=1)]


class Sizes(Checked):
    """Numbers that fix the shape of a network; each is explained where it stands."""

    token_embedding: Width = 50
    """Width of the vector of a token."""
    encoder: Width = 30
    """Hidden units of the encoder LSTM in each of its two directions; the decoder has twice as many."""
    action_embedding: Width = 50
    """Width of the vector of an action; equal to `token_embedding` where contexts bring their own constants."""
    dropout: Dropout = 0.2
    """Share of the encoder's outputs that is dropped, in training only."""
    coverage: bool = False
    """Whether triggered actions that are still missing add their vectors to the query."""
    lexicon: bool = False
    """Whether the network is told which words ask for which terminals; see `lexical`. Wants `action_embedding` equal to
    `token_embedding`."""

    @model_validator(mode="after")
    def _one_width_for_words_and_terminals(self) -> Self:
        if self.lexicon and self.token_embedding != self.action_embedding:
            raise ValueError("lexicon wants action_embedding equal to token_embedding")
        return self

    @property
    def decoder(self) -> int:
        """Hidden units of the decoder: its first state is the last state of both directions of the encoder."""
        return 2 * self.encoder
