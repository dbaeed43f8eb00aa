"""Questions: what a yes/no question asks about, as a statement; other questions cannot be answered with true or false.

Is there a box with a yellow item?      there is a box with a yellow item
Does every tower have a black block?    every tower have a black block
In every box, do the items touch?       in every box the items touch
How many circles are there?             nothing
"""

from __future__ import annotations

import re

from chorale.nlvr.english.words import tokens

_ASKING = frozenset(["how", "what", "when", "where", "which", "who", "whom", "whose", "why"])
_BE = frozenset(("is", "are", "was", "were"))
_DO = frozenset(("do", "does", "did"))
_HAVE = frozenset(("has", "have", "contain", "include", "hold", "touch"))
_QUANTITY = "at least|at most|more than|less than|fewer than|exactly|only|all|every|each|no|any"
_NUMBER = r"one|two|three|four|five|six|seven|eight|nine|\d"
_NOUN = "box|boxes|tower|towers|block|blocks|item|items|object|objects|circle|circles|square|squares|triangle|triangles"
_SUBJECT = re.compile(
    rf"(?:(?:the|a|an|any|some|{_QUANTITY}|{_NUMBER}|of|black|blue|yellow|grey|small|medium|big|top|bottom)\s+)*"
    rf"(?:{_NOUN}|base|top|bottom|it|they)\b"
)

_WHERE = re.compile(r"(in (?:every|each|all|no|any) \w+),? (?:do|does) (.*)", re.IGNORECASE)


def statement(sentence: str) -> str | None:
    """The statement that a yes/no question asks about; a statement is its own; None for other questions."""
    words = [token.text for token in tokens(sentence)]
    if not words:
        return sentence
    if where := _WHERE.match(sentence):
        return f"{where[1]} {where[2]}"
    if words[0] in _ASKING or (len(words) > 1 and words[1] in _ASKING and words[0] in ("in", "at", "on", "of")):
        return None
    if words[0] in _BE and len(words) > 1:
        return _after(words[0], words[1:])
    if words[0] in _DO and len(words) > 1:
        return " ".join(words[1:])
    return None if sentence.rstrip().endswith("?") and not _is_statement(words) else sentence


def _after(verb: str, rest: list[str]) -> str:
    """`is the top black` becomes `the top is black`."""
    if rest[0] == "there":
        return " ".join(["there", verb, *rest[1:]])
    subject = _SUBJECT.match(" ".join(rest))
    if subject is None:
        return " ".join([*rest, verb])
    return f"{subject.group()} {verb}{' '.join(rest)[subject.end() :]}"


def _is_statement(words: list[str]) -> bool:
    """Whether a sentence with a question mark is a statement all the same: "There is a box?"."""
    return any(word in _BE | _HAVE for word in words)
