"""The words a parser knows, numbered. Cutting a sentence into tokens is the domain's business."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from chorale.errors import ChoraleError

PADDING = 0
UNKNOWN = 1
_SPECIAL = 2


class Vocabulary:
    """Tokens with ids; 0 fills up short sentences and 1 stands for every token that is not known."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = list(tokens)
        """The known tokens in the order of their ids: all that needs to be stored."""
        self._ids = {token: number for number, token in enumerate(self.tokens, _SPECIAL)}
        if len(self._ids) != len(self.tokens):
            twice = next(token for token, count in Counter(self.tokens).items() if count > 1)
            raise ChoraleError(f"the vocabulary lists the token {twice!r} twice")

    @staticmethod
    def of(sentences: Iterable[Sequence[str]], min_count: int = 1) -> Vocabulary:
        """All tokens that occur at least `min_count` times, the most frequent first, equals in alphabetical order."""
        counts = Counter(token for sentence in sentences for token in sentence)
        kept = [token for token, count in counts.items() if count >= min_count]
        return Vocabulary(sorted(kept, key=lambda token: (-counts[token], token)))

    def __len__(self) -> int:
        return len(self.tokens) + _SPECIAL

    def __contains__(self, token: object) -> bool:
        return token in self._ids

    def ids(self, tokens: Sequence[str]) -> list[int]:
        """The ids of the tokens of a sentence; one without tokens reads as a single unknown token."""
        return [self._ids.get(token, UNKNOWN) for token in tokens] or [UNKNOWN]
