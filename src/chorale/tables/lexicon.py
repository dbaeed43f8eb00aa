"""What the words of a question say about its programs, for whoever judges how far an answer is to be trusted."""

from __future__ import annotations

from chorale.domain.lexicon import Hints
from chorale.domain.utterance import Utterance
from chorale.tables.asked import Asked
from chorale.tables.costs import costs_of
from chorale.tables.language import TableLanguage

_NOTHING = Hints(frozenset(), (), frozenset())


class TableLexicon:
    """Words that link to cells and numbers ask for their constants; all functions hold programs together."""

    def hints(self, utterance: Utterance) -> Hints:
        if not utterance.contexts:
            return _NOTHING
        asked = Asked(utterance.sentence)
        costs = costs_of(asked, utterance.contexts[0])
        places: dict[tuple[int, int], set[str]] = {}
        for name, bits in costs.says.items():
            if bits and name in costs.constants:
                start, end = (bits & -bits).bit_length() - 1, bits.bit_length()
                places.setdefault((start, end), set()).add(name)
        spans = _without_overlaps(places)
        glue = frozenset(TableLanguage.grammar.signature) | frozenset(
            name for name in costs.constants if not costs.says.get(name)
        )
        return Hints(
            glue | frozenset(costs.constants),
            tuple((" ".join(asked.words[start:end]), frozenset(places[start, end])) for start, end in spans),
            glue,
            words=tuple(asked.words),
            spans=tuple(spans),
            tokens=tuple(spans),
        )


def _without_overlaps(places: dict[tuple[int, int], set[str]]) -> list[tuple[int, int]]:
    """The longest stretches of words, none of which lies within another."""
    return sorted(
        (start, end)
        for start, end in places
        if not any(a <= start and end <= b and (a, b) != (start, end) for a, b in places)
    )
