"""Words: from a sentence as people typed it to clean tokens. The one place for it.

`normalise` is the whole pipeline: tokens (lower case, no punctuation), then slips of the pen. Three things repair a
slip, in this order: a short table of odd spellings, splitting words that ran together, and the nearest of the words
that were counted in training sentences. Words that are frequent there, or English, are never changed. Synonyms are read
as the word that the lexicon knows. Plurals and inflections are kept by `normalise`; `lemma` maps them to one form. The
parser wants the first, the lexicon the second.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, cached_property, lru_cache
from importlib import resources

from chorale.nlvr.english.phrase_table import PhraseTable
from chorale.nlvr.english.synonyms import ENGLISH, MEANS

MIN_COUNT = 5  # rarer words are as likely slips as words
_SHORT = 3  # words of so many letters were not meant for others, unless one was lost or two changed places
_STARTING = 5  # people do not mistake the first letter of a short word
_LONG = 8  # from this length on, two slips still point to one word
_SURELY = 20  # how much more frequent a word must be than others that are as near
_REMEMBERED = 1 << 16  # words; a large corpus has ever more slips

# Letters and digits; an apostrophe or a semicolon may stand between letters ("there's"; "b;ue", where ; is beside l).
_WORD = re.compile(r"[^\W_]+(?:['’;][^\W\d_]+)*")
_DIGITS_THEN_LETTERS = re.compile(r"(\d+)([^\W\d_]+)")

_COUNTED = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty"""
NUMBER_WORDS = tuple(_COUNTED.split())
"""The word of each number."""
_NUMBERS = {word: value for value, word in enumerate(NUMBER_WORDS)}

# Odd spellings of the training sentences that no rule repairs: too short, too frequent, or a whole phrase.
# No value may hold a key, or repairing twice would differ from repairing once.
_ODD = {
    "al least": "at least", "t least": "at least", "tleast": "at least", "atleast": "at least", "ll": "all",
    "bellow": "below", "isa": "is a", "there s": "there is", "there i": "there is", "there ia": "there is",
    "there opis": "there is", "then idle": "the middle", "is bo": "is no", "od": "of", "thee": "the",
    "exacts": "exactly", "nealy": "nearly", "ad": "and",
    "tow blue": "two blue", "tow black": "two black", "tow yellow": "two yellow",
    "there's": "there is", "it's": "it is", "isn't": "is not", "aren't": "are not", "don't": "do not",
    "doesn't": "does not", "hasn't": "has not", "haven't": "have not",
    "1st": "first", "2nd": "second", "3rd": "third",
    "thre is": "there is", "thre are": "there are", "thre": "three",
}  # fmt: skip
_LENGTH = max(len(odd.split()) for odd in (*_ODD, *MEANS))


def _phrases(table: Mapping[str, str]) -> PhraseTable[list[str]]:
    return PhraseTable((odd.split(), right.split()) for odd, right in table.items())


_SYNONYMS, _ODD_PHRASES = _phrases(MEANS), _phrases({**_ODD, **MEANS})

# Plain English that is rare in training but no slip: without it "for" would become "four" and "lower" "tower".
_PLAIN_WORDS = """about across add adjacent after all almost alone along also alternately among another anything
    anywhere are area around aside away based be because been before behind being beneath beside besides between
    bigger biggest bit border both bright but by call came can case ceiling center centre closer colored coloured
    column combination consist contact contacts count cover cut difference different directly divided do does done
    down each eight either element end equal even ever every everything everywhere few fewer fewest figure first
    five floor for form four from full gap gave get give got gray grey ground group had half hand hardly height
    hence here high higher highest his hold huge if include inside into it its just kind large larger largest last
    lean least left less level lie light like line little located long longer lot low lower lowest lying made make
    many matching maximum may mid middle might minimum mixed more most move much must name near nearby nearest
    nearly neither never next nine none nor note nothing now number odd off once ones opposite order other others
    our out outside over overall pair part picture piece pile place placed plus position positioned present put
    reach rectangle rest roof row same see seen separate set seven several shade shall shape share she short shorter
    shortest should side similar since single sit six size sized small smaller smallest so some stack stand still
    such tall taller tallest ten than that their them then there therefore these they thin thing third this those
    three through thus times tiny tip to together too total toward towards twice two type types under underneath
    unless until up upon upper upside very via was well were what when where which while who whole whose wide will
    within without yet your zero"""
_PLAIN = frozenset(_PLAIN_WORDS.split())

# Words that mean something to the lexicon and are rare in training, so that slips of them are repaired, too.
_RARE_WORDS = """beneath ceiling contain contains containing brick bricks cube cubes disc discs every exactly fewer
    floor highest hold holds large left little lowest medium nothing precisely rectangle right round shapes tiny touch
    touches triangular under underneath upper without"""
_RARE = frozenset(_RARE_WORDS.split())

_VERBS = "attach consist contain count cover include lean lie locate place position share sit stack stand touch"
_IRREGULAR = {
    "is": "be", "are": "be", "was": "be", "were": "be", "being": "be", "been": "be",
    "has": "have", "had": "have", "having": "have", "does": "do", "done": "do",
    "lying": "lie", "sitting": "sit", "stood": "stand", "sat": "sit",
    "colour": "color", "colours": "color", "coloured": "color", "colored": "color",
    "gray": "grey", "centre": "center",
    "this": "this", "its": "its", "as": "as", "always": "always", "towards": "towards", "besides": "besides",
}  # fmt: skip


_LEMMAS = {
    **{verb + ending: verb for verb in _VERBS.split() for ending in ("s", "es")},
    **{verb.removesuffix("e") + ending: verb for verb in _VERBS.split() for ending in ("ing", "ed")},
    **_IRREGULAR,
}


@dataclass(frozen=True, slots=True)
class Token:
    """One word; `start` and `end` are the characters of the sentence it came from."""

    text: str
    start: int
    end: int


def tokens(sentence: str) -> list[Token]:
    """The words of a sentence in plain lower case, without punctuation; never fails, whatever the text."""
    # Folding may turn one character into several words (½ is "1⁄2"), so the result is split again.
    typed = [(_WORD.findall(_fold(match.group())), match.span()) for match in _WORD.finditer(sentence)]
    return [Token(word, *span) for words, span in typed for word in words]


def number(token: str) -> int | None:
    """The number a token stands for, as a word or as digits; None if it is not one."""
    if token in _NUMBERS:
        return _NUMBERS[token]
    return int(token) if token.isdecimal() and len(token) < 10 else None


def lemma(token: str) -> str:
    """The form a dictionary lists: boxes -> box, touching -> touch, colours -> color."""
    if token in _LEMMAS:
        return _LEMMAS[token]
    if len(token) < 4 or not token.endswith("s") or token.endswith(("ss", "us", "is")):
        return token
    stem = token[:-2] if token.endswith(("xes", "ches", "shes", "sses")) else token[:-1]
    return _IRREGULAR.get(stem, stem)


@dataclass(frozen=True, eq=False)
class WordCounts:
    """The frequent words of the training sentences with their counts: what a slip is repaired to."""

    counts: Mapping[str, int]

    @staticmethod
    def learn(sentences: Iterable[str], min_count: int = MIN_COUNT) -> WordCounts:
        """Count the words of training sentences and keep those that occur at least `min_count` times."""
        counts = Counter(word for sentence in sentences for word in _respelled(_words(sentence)))
        return WordCounts({word: counts[word] for word in sorted(counts) if counts[word] >= min_count})

    def knows(self, word: str) -> bool:
        """Whether the word is not a slip: frequent in training, plain English, a number, or an inflection of those."""
        return any(
            form in self.counts or form in _PLAIN or form in ENGLISH or number(form) is not None or form in _LEMMAS
            for form in (word, lemma(word))
        )

    def is_sure(self, word: str) -> bool:
        """Whether a word is known, or it is clear what it was meant for."""
        near: Sequence[str] = [] if self.knows(word) else self._nearest(word)
        return all(lemma(one) == lemma(near[0]) or _SURELY * self._count(one) <= self._count(near[0]) for one in near)

    @lru_cache(_REMEMBERED)  # noqa: B019 - those that ship live as long as the program
    def repair(self, word: str) -> tuple[str, ...]:
        """The word or words that were meant: the word itself if it is known or nothing is near."""
        if self.knows(word):
            return (word,)
        if word.endswith("'s"):  # the possessive carries no meaning here
            return self.repair(word[:-2])
        glued = _DIGITS_THEN_LETTERS.fullmatch(word)
        if glued:  # "2blocks"
            return glued[1], *self.repair(glued[2])
        for cut in range(1, len(word)):  # "ablue", "ofthe"
            left, right = word[:cut], word[cut:]
            if left in self.counts and right in self.counts and (left == "a" or cut > 1) and len(right) > 1:
                return left, right
        if near := self._nearest(word):
            return (near[0],)
        pieces = re.split("[';]", word)
        if len(pieces) > 1:  # an apostrophe or semicolon that was no slip for a letter
            return tuple(right for piece in pieces for right in self.repair(piece))
        return (word,)

    def _nearest(self, word: str) -> list[str]:
        """The nearest of the words it may be a slip of, the most frequent first."""
        for limit in (1, 2) if len(word) >= _LONG else (1,):
            if near := [known for known in self._targets if _is_slip(word, known, limit)]:
                return sorted(near, key=lambda known: (-self._count(known), known))
        return []

    @cached_property
    def _targets(self) -> list[str]:
        """What a slip may be repaired to."""
        return [word for word in {*self.counts, *_RARE} if len(word) >= _SHORT]

    def _count(self, word: str) -> int:
        return self.counts.get(word, 1)


def _is_slip(typed: str, meant: str, limit: int) -> bool:
    """Whether a word was probably meant for another one."""
    if len(typed) < _SHORT or distance(typed, meant, limit) > limit:
        return False
    if len(typed) == _SHORT and len(meant) <= len(typed) and sorted(typed) != sorted(meant):
        return False
    same_start = typed[0] == meant[0] or typed[1::-1] == meant[:2]
    return same_start or (limit == 1 and len(typed) > _STARTING)


@cache
def word_counts() -> WordCounts:
    """Those that ship with the package: the frequent words of NLVR's training sentences."""
    return WordCounts(json.loads(resources.files(__package__).joinpath("word_counts.json").read_text("utf-8")))


def normalise(sentence: str) -> list[str]:
    """Clean words of a sentence: lower case, no punctuation, slips repaired, joined words split."""
    repaired = [word for typed in _respelled(_words(sentence)) for word in word_counts().repair(typed)]
    return _respelled(repaired)  # "al lest" is an odd phrase only once "lest" is repaired


def unsure(sentence: str) -> list[str]:
    """Words that were repaired, though they may have been meant for several others."""
    return [word for word in _respelled(_words(sentence)) if not word_counts().is_sure(word)]


def repairs(sentence: str) -> list[tuple[str, str]]:
    """What was typed and what it is taken for, where slips were repaired; short forms and synonyms are no slips."""
    typed, clean = _respelled(_words(sentence), _SYNONYMS), normalise(sentence)
    changes = SequenceMatcher(None, typed, clean, autojunk=False).get_opcodes()
    pairs = [(" ".join(typed[a:b]), " ".join(clean[c:d])) for what, a, b, c, d in changes if what != "equal"]
    return [(before, after) for before, after in pairs if "'" not in before]


def origins(sentence: str, clean: Sequence[str]) -> list[tuple[int, int]]:
    """For each clean word of a sentence the tokens it was made from: the first, and the one after the last."""
    typed, spans = _words(sentence), list[tuple[int, int]]()
    if len(typed) == len(clean):  # slips within words, if any
        return [(index, index + 1) for index in range(len(clean))]
    for what, first, last, start, end in SequenceMatcher(None, typed, clean, autojunk=False).get_opcodes():
        if what == "equal":
            spans += [(index, index + 1) for index in range(first, last)]
        else:  # a word that came out of nowhere belongs to the token beside it
            at = min(first, len(typed) - 1)
            spans += [(at, max(last, at + 1))] * (end - start)
    return spans


def distance(left: str, right: str, limit: int) -> int:
    """Slips between two words: letters changed, added, dropped or swapped; anything above `limit` is `limit + 1`."""
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    before: Sequence[int] = ()
    row: list[int] = list(range(len(right) + 1))
    for i, letter in enumerate(left, start=1):
        before, above, row = row, before, [i]
        for j, other in enumerate(right, start=1):
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == right[j - 2] and left[i - 2] == other:
                best = min(best, above[j - 2] + 1)
            row.append(best)
        if min(row) > limit:
            return limit + 1
    return min(row[-1], limit + 1)


def _words(sentence: str) -> list[str]:
    return [token.text for token in tokens(sentence)]


def _respelled(words: list[str], table: PhraseTable[list[str]] = _ODD_PHRASES) -> list[str]:
    """The words with a table of odd spellings applied, the longest phrase first."""
    words, index = list(words), 0
    while index < len(words):
        keys = [(word,) for word in words[index : index + _LENGTH]]
        for length, right in table.at(keys, 0):
            words[index : index + length] = right
            index = max(index - _LENGTH, -1)  # the new words may make a phrase with the ones before and after
            break
        index += 1
    return words


@lru_cache(maxsize=4_096)  # the words of sentences are few, and each is asked for several times on its way
def _fold(word: str) -> str:
    """Plain lower case: accents dropped, look-alike characters (full-width digits, typographic forms) made plain."""
    for _ in range(2):  # lower-casing can bring up accents again
        word = unicodedata.normalize("NFKD", word)
        word = "".join(letter for letter in word if not unicodedata.combining(letter)).casefold()
    return word.replace("’", "'")
