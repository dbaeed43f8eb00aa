"""A lexicon that is a table: which words ask for which functions and constants. Enough for most small domains.

    WordLexicon({"red": "red", "at least": "at_least", "two": "2"}, glue={"bottles", "exists"})

Phrases are found from left to right, the longest first. Words that are in no phrase ask for nothing; if no training
sentence had them either, a model says that it does not know them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping

from chorale.domain.lexicon import Hints
from chorale.domain.utterance import Utterance


def words_of(sentence: str) -> list[str]:
    """The words of a sentence in lower case."""
    return re.findall(r"\w+", sentence.lower())


class WordLexicon:
    """What phrases say, what holds programs together, and what can take each other's place."""

    def __init__(
        self,
        says: Mapping[str, str],
        *,
        glue: Collection[str] = (),
        classes: Mapping[str, Collection[str]] | None = None,
        words: Callable[[str], list[str]] = words_of,
    ) -> None:
        """`says` maps a phrase to the names it may ask for, with spaces between if there are several.

        `glue` are names that no word needs to ask for. `classes` are names that can take each other's place, by a name
        for all of them: what is learned of one holds for the others. `words` splits a sentence as `Domain.words` does.
        """
        self._says = {tuple(words(phrase)): frozenset(names.split()) for phrase, names in says.items()}
        self._longest = max(map(len, self._says), default=1)
        self._glue, self._words = frozenset(glue), words
        self._classes = {name: f"{{{kind}}}" for kind, names in (classes or {}).items() for name in names}

    def hints(self, utterance: Utterance) -> Hints:
        """What the words of a sentence ask for."""
        words, shown = self._words(utterance.sentence), list[str]()
        spans: list[tuple[int, int]] = []
        explains: list[tuple[str, frozenset[str]]] = []
        place, seen = 0, list[tuple[int, int]]()  # by the words as they are shown, and as they stand there
        while place < len(words):
            end = self._end_of_phrase(words, place)
            phrase = " ".join(words[place:end])
            if end > place:
                wanted = self._says[tuple(words[place:end])]
                kinds = {self._classes.get(name, "") for name in wanted}
                kind = kinds.pop() if len(kinds) == 1 else ""
                explains.append((phrase, wanted))
                seen.append((len(shown), len(shown) + (1 if kind else end - place)))
                spans.append((place, end))
                shown += [kind] if kind else words[place:end]
            else:
                shown.append(words[place])
            place = max(end, place + 1)
        allowed = self._glue.union(*(wanted for _, wanted in explains))
        return Hints(
            allowed,
            tuple(explains),
            self._glue,
            words=tuple(shown),
            spans=tuple(seen),
            tokens=tuple(spans),
            classes=self._classes,
        )

    def _end_of_phrase(self, words: list[str], start: int) -> int:
        """Where the longest phrase that begins here ends; where it begins if there is none."""
        for end in range(min(len(words), start + self._longest), start, -1):
            if tuple(words[start:end]) in self._says:
                return end
        return start
