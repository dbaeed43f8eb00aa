"""How big the network is. The defaults are those of the paper's parser."""

from __future__ import annotations

from dataclasses import dataclass, fields

from chorale.errors import ChoraleError


@dataclass(frozen=True, slots=True)
class Sizes:
    """Numbers that fix the shape of a network; each is explained where it stands."""

    token_embedding: int = 50
    """Width of the vector of a token."""
    encoder: int = 30
    """Hidden units of the encoder LSTM in each of its two directions; the decoder has twice as many."""
    action_embedding: int = 50
    """Width of the vector of an action; equal to `token_embedding` where contexts bring their own constants."""
    dropout: float = 0.2
    """Share of the encoder's outputs that is dropped, in training only."""
    query_dropout: float = 0.0
    """Share of what the decoder compares with the actions that is dropped, in training only."""
    coverage: bool = False
    """Whether triggered actions that are still missing add their vectors to the query."""

    def __post_init__(self) -> None:
        for field in fields(self):
            if field.type == "int" and getattr(self, field.name) < 1:
                raise ChoraleError(f"{field.name} is {getattr(self, field.name)}; it must be at least 1")
        for name in ("dropout", "query_dropout"):
            if not 0 <= getattr(self, name) < 1:
                raise ChoraleError(f"{name} is {getattr(self, name)}; it must be at least 0 and below 1")

    @property
    def decoder(self) -> int:
        """Hidden units of the decoder: its first state is the last state of both directions of the encoder."""
        return 2 * self.encoder
