"""The reference's quirks: what the implementation behind the published rows does, kept as it was, mistakes included.

The *agenda* (`agenda_consistent`, `agenda_macro`): a lexicon of substring tests. Parts of words count ("None" asks for
1, "towering" for boxes), the first side that occurs decides, and all that is triggered is required of a program.

*Substring matching* (`find_by_substrings`): phrases are looked for in the sentence as typed, so capitals matter and a
phrase is found within longer words; the shortest phrase is kept, not the longest. A plural at the end of a phrase is
found by itself, so shapes are known in the singular only.

*Truncation* (`truncated`): an utterance has at most two partners, and the phrase is taken to stand in every partner
where it stands in the first, even after the end of a short one.

*Merged boxes* (`MERGED`): boxes of a picture that look the same are one, because they are held in a set; so "there are
two towers" is false of two equal ones. These languages are ours otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from chorale.domain import Related, Span, Utterance
from chorale.nlvr.english import words
from chorale.nlvr.english.phrases import Occurrence, PhraseSet
from chorale.nlvr.english.slots import SPELLINGS
from chorale.nlvr.languages.consistent import Consistent
from chorale.nlvr.languages.functions import Common
from chorale.nlvr.languages.macro import Macro
from chorale.nlvr.pictures.scenes import COLORS, SHAPES, SIZES

MERGED: Mapping[str, type[Common]] = {"consistent_merged": Consistent, "macro_merged": Macro}
"""Languages whose boxes are merged; `Nlvr.bind` asks `Worlds` for it."""

MOST_PARTNERS = 2
_SINGULAR = {**SPELLINGS, "shape": {shape: (shape,) for shape in SHAPES}}

# --- The agenda -------------------------------------------------------------------------------------------------------

# The first word that occurs decides, in this order.
_SIDES = {
    "top": "top", "bottom": "bottom", "base": "bottom", "corner": "corner", "right": "right", "left": "left",
    "wall": "wall", "edge": "wall",
}  # fmt: skip


@dataclass(frozen=True)
class ReferenceAgenda:
    """What the reference's rules want in a program of a language."""

    language: type[Common]

    def required(self, utterance: Utterance) -> frozenset[str]:
        find = agenda_macro if self.language is Macro else agenda_consistent
        return find(utterance.sentence)


def agenda_consistent(sentence: str) -> frozenset[str]:
    """What the reference triggers in the consistent language; its search requires all of it."""
    text = sentence.lower()
    agenda: set[str] = set()
    if text.startswith(("there is a box", "there is a tower ")):
        agenda |= {"box_exists", "box_filter", "all_boxes"}
    elif _has(text, "box", "tower") and not _has(text, "of a box", "of a tower"):
        agenda |= {"box_filter", "all_boxes"}
    elif text.startswith("there is a "):
        agenda.add("object_exists")
    agenda |= _places(text)
    if _has(text, "contains", "has"):
        agenda.add("box_filter")
    agenda |= _named(text, COLORS + SHAPES)
    agenda |= _attributes(text)
    return frozenset(agenda or ({"box_filter", "all_boxes"} if "box" in text else {"all_objects"}))


def agenda_macro(sentence: str) -> frozenset[str]:
    """What the reference triggers in the macro language; its search requires all of it."""
    text = sentence.lower()
    agenda: set[str] = set()
    if text.startswith(("there is a box", "there is a tower ")):
        agenda.add("box_exists")
        agenda |= {f"color_{name}" for name in _named(text, COLORS)}
        agenda |= {f"shape_{name}" for name in _named(text, SHAPES)}
    else:
        if text.startswith("there is a "):
            agenda.add("object_exists")
        agenda |= _places(text)
        agenda |= _named(text, COLORS + SHAPES)
    if _has(text, "contains", "has"):
        agenda.add("all_boxes")
    agenda |= _attributes(text)
    return frozenset(agenda or ({"all_boxes"} if "box" in text else {"all_objects"}))


def _places(text: str) -> set[str]:
    """Touch, top, bottom and not. A side that is touched is used up: it does not trigger top or bottom as well."""
    side = next((function for word, function in _SIDES.items() if word in text), "object")
    places = {"negate_filter"} if "not" in text else set()
    if "touch" in text:
        places.add(f"touch_{side}")
    elif side in ("top", "bottom"):
        places.add(side)
    return places


def _attributes(text: str) -> set[str]:
    """What is triggered by its own name in both languages: sizes, above and below, numbers."""
    numbers = {number for number, spellings in SPELLINGS["number"].items() if _has(text, *spellings)}
    return numbers | _named(text, (*SIZES.values(), "above", "below"))


def _named(text: str, names: Iterable[str]) -> set[str]:
    return {name for name in names if name in text}


def _has(text: str, *parts: str) -> bool:
    return any(part in text for part in parts)


# --- Phrases ----------------------------------------------------------------------------------------------------------


def find_by_substrings(sentences: Sequence[str], phrases: PhraseSet) -> list[list[Occurrence]]:
    """For each grounding of a set the utterances that have one of its phrases: the shortest."""
    occurrences: list[list[Occurrence]] = []
    for grounding in phrases.grounded(_SINGULAR):
        shortest_first = sorted(grounding, key=len)
        firsts = [next((phrase for phrase in shortest_first if phrase in sentence), None) for sentence in sentences]
        occurrences.append(
            [
                Occurrence(utterance, _token_span(sentences[utterance], phrase), phrase)
                for utterance, phrase in enumerate(firsts)
                if phrase is not None
            ]
        )
    return occurrences


def _token_span(sentence: str, phrase: str) -> Span:
    """The tokens that have a character of the phrase."""
    start = sentence.index(phrase)
    end = start + len(phrase)
    inside = [index for index, token in enumerate(words.tokens(sentence)) if token.start < end and token.end > start]
    return inside[0], inside[-1] + 1


def truncated(pairs: Sequence[Related]) -> list[Related]:
    """The pairs of one utterance as the reference has them."""
    return [replace(one, partner_span=pairs[0].partner_span) for one in pairs[:MOST_PARTNERS]]
