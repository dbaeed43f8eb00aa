"""What a cell is: its text in normal form, the numbers in it, the year.

Texts are compared by their `normal` form, in which citations and remarks are gone; they are read in their `plain`
form, in which nothing is gone but accents and case. All functions but these two take plain text.
"""

from __future__ import annotations

import re
import unicodedata
from math import isfinite

NUMBER_WORDS = {
    word: number
    for number, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    )
}
EMPTY = frozenset({"", "-", "--", "---", "?", "n/a", "na", "nan", "none", "null", "tba", "tbd", "unknown"})
"""What a cell says that says nothing."""

_SPELLED = str.maketrans(dict.fromkeys("‘’`", "'") | dict.fromkeys("“”", '"') | dict.fromkeys("‐‑‒–—−", "-"))
_FOOTNOTES = "•♦†‡*#+"


# -- texts -------------------------------------------------------------------------------------------------------------


def plain(text: str) -> str:
    """A text without accents and capitals, with plain quotes, dashes and blanks.

    >>> plain("Café “Zoë”  2–1")
    'cafe "zoe" 2-1'
    """
    return " ".join(_folded(text).lower().split())


def normal(text: str) -> str:
    """The normal form of a text, in which answers are compared: without citations, remarks and enclosing quotes.

    >>> normal("“Río” (film)[3]†"), normal("[1]"), normal("[sic]"), normal("1,200 km."), normal("f(x)")
    ('rio', '', '[sic]', '1,200 km', 'f(x)')
    """
    text = _folded(text).strip()
    while (shorter := _shortened(text)) != text:
        text = shorter.strip()
    return " ".join(text.removesuffix(".").lower().split())


def both_forms(text: str) -> tuple[str, str]:
    """A text in its plain and its normal form, which are the same if it ends with a letter or digit.

    >>> both_forms("Café Zoë"), both_forms("Rome[1]")
    (('cafe zoe', 'cafe zoe'), ('rome[1]', 'rome'))
    """
    form = plain(text)
    return form, form if form[-1:].isalnum() else normal(text)


def _folded(text: str) -> str:
    if text.isascii():
        return text.replace("`", "'")
    parts = unicodedata.normalize("NFKD", text)
    return "".join(it for it in parts if unicodedata.category(it) != "Mn").translate(_SPELLED)


def _shortened(text: str) -> str:
    """A text without the one thing at its end that does not belong to it.

    The last letter says what that may be. Looked for from the end, as cells may be long and made up by anybody.
    """
    last = text[-1:]
    if last and last in _FOOTNOTES:
        return text.rstrip(_FOOTNOTES)
    if last == "]":
        return text[: _citation(text)]
    if last == ")":
        remark = text.find(" (", text.rfind(")", 0, -1) + 1)
        return text[:remark] if remark >= 0 else text
    if last == '"' and len(text) > 1 and text.find('"', 1) == len(text) - 1 and text[0] == '"':
        return text[1:-1]
    return text


def _citation(text: str) -> int:
    """Where the citation at the end of a text begins; a text in brackets is none, unless it is a number."""
    start = text.find("[", text.rfind("]", 0, -1) + 1)
    if start == 0 and not text[1:-1].isdecimal():
        start = text.find("[", 1)
    return start if start >= 0 else len(text)


_LINES = re.compile(r"[\n;]")
_COMMA = re.compile(r"[()]|, ")
_LISTED = re.compile(r"[\n;]|, ")
_ANDS = (" and ", " & ")


def items(text: str) -> tuple[str, ...]:
    """What a text lists, if it does: lines, or things with semicolons or commas between them. Any text will do.

    >>> items("Ann, Bob and Cy"), items("Simon and Garfunkel"), items("Oslo (Norway, Europe)"), items("a;b, c")
    (('Ann', 'Bob', 'Cy'), ('Simon and Garfunkel',), ('Oslo (Norway, Europe)',), ('a', 'b, c'))
    """
    if not _LISTED.search(text):  # most list nothing
        return (text.strip(),) if text.strip() else ()
    parts = _LINES.split(text)
    if len(parts) == 1:
        parts = _between_commas(text)
        if len(parts) > 1:
            word = next((word for word in _ANDS if word in parts[-1]), ", ")
            parts = [*parts[:-1], *parts[-1].removeprefix("and ").split(word)]
    return tuple(part.strip() for part in parts if part.strip())


def _between_commas(text: str) -> list[str]:
    """The parts of a text between its commas, without those in parentheses."""
    parts, start, depth = [], 0, 0
    for match in _COMMA.finditer(text):
        if match[0] == ", ":
            if depth <= 0:
                parts.append(text[start : match.start()])
                start = match.end()
        else:
            depth += 1 if match[0] == "(" else -1
    return [*parts, text[start:]]


# -- numbers -----------------------------------------------------------------------------------------------------------

_DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|(?<!\d)\.\d+"
_DIGIT = re.compile(r"\d")
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_NUMBER = re.compile(rf"({_DIGITS})(?:\s*({'|'.join(_SCALES)})\b)?")
_POWER = re.compile(r"(?<=[^a-z][ms])[23]\b|(?<=[^a-z][ckm]m)[23]\b")  # m2, km2: once km²
_SIGNED_AFTER = " ($€£¥"
_MONEY = r"(?:[a-z]{1,3})?[$€£¥]\s*"
_WHOLE = re.compile(rf"[-+]?(?:{_MONEY})?[-+]?(?:{_DIGITS})\s*%?")
_AMOUNT = re.compile(
    rf"[-+]?(?:{_MONEY})?(?:{_DIGITS})(?:st|nd|rd|th)?(?:\s+(?:{'|'.join(_SCALES)}))?(?:\s*%|\s+[a-z.]+)?"
)
_GROUPED = re.compile(r"[-+]?\d{1,3}(?: \d{3})+(?:[.,]\d+)?")  # 447 685
_DECIMAL_COMMA = re.compile(r"([-+]?\d+),(\d{1,2})(\s*%|\s+[a-z]+)?")  # 4,02 m
_LOOSE_SIGN = re.compile(r"[-+] (?=[\d.])")  # + 3.6
_SEASON = re.compile(r"(?<!\d)(1\d{3}|20\d{2})\s?[-/]\s?(\d{2})(?!\d)")
_CODE = re.compile(r"(?!(?:usd|eur|gbp|chf|jpy|rs)\d)(?:[a-z]{2,}[-_]?|[a-z][-_]|[a-z](?=0\d))\d[\w-]*")
_YEAR = re.compile(r"(?<!\d)(1\d{3}|20\d{2})(?!\d)")


def numbers(text: str) -> list[float]:
    """The numbers in a text, in order.

    A dash is a sign only where nothing is subtracted: "3-2" has two numbers, neither of them negative.

    >>> numbers("1,200"), numbers("$5 million"), numbers("12th"), numbers("3-2"), numbers("-4.5 (7%)"), numbers("none")
    ([1200.0], [5000000.0], [12.0], [3.0, 2.0], [-4.5, 7.0], [])
    >>> numbers("447 685"), numbers("4,02 m"), numbers("25 km2"), numbers("+ 3.6"), numbers("t12")
    ([447685.0], [4.02], [25.0], [3.6], [12.0])
    """
    if text.isdecimal() or not _DIGIT.search(text):  # most cells are plain numbers, or have none
        return [float(text)] if text.isdecimal() and isfinite(float(text)) else []
    text = _english(text)
    numbers_read = []
    for match in _NUMBER.finditer(text):
        number = float(match[1].replace(",", "")) * _SCALES.get(match[2], 1)
        start = match.start()
        if start and text[start - 1] == "-" and (start == 1 or text[start - 2] in _SIGNED_AFTER):
            number = -number
        if isfinite(number):
            numbers_read.append(number)
    return numbers_read


def second_number(text: str) -> float | None:
    """The second number in a text; that of "1998-99" is a year, and a dash before it is not a sign.

    >>> [second_number(text) for text in ["3-2", "1998-99", "1999/00", "12 -5", "3"]]
    [2.0, 1999.0, 2000.0, 5.0, None]
    """
    if text.isdecimal() or not _DIGIT.search(text):
        return None
    if match := _SEASON.search(text):
        first, second = int(match[1]), int(match[2])
        return float(first + (second - first) % 100)
    both = numbers(text)
    if len(both) < 2:
        return None
    return abs(both[1]) if both[0] >= 0 else both[1]


def whole_number(text: str) -> float | None:
    """The number that a text is, if it is nothing else.

    >>> whole_number("$1,200"), whole_number("45 %"), whole_number("-3"), whole_number("12th"), whole_number("3-2")
    (1200.0, 45.0, -3.0, None, None)
    """
    if text.isdecimal() or not _DIGIT.search(text):
        return next(iter(numbers(text)), None)
    text = _english(text)
    return next(iter(numbers(text)), None) if _WHOLE.fullmatch(text) else None


def amount(text: str) -> float | None:
    """The number that a text states: a number, an ordinal, a word for a number, with a scale or a unit.

    >>> [amount(text) for text in ["12th", "$5 million", "7 years", "three", "1,200", "3 of 4", "paris"]]
    [12.0, 5000000.0, 7.0, 3.0, 1200.0, None, None]
    """
    text = _english(text)
    if text in NUMBER_WORDS:
        return float(NUMBER_WORDS[text])
    return next(iter(numbers(text)), None) if _AMOUNT.fullmatch(text) else None


def is_code(text: str) -> bool:
    """Whether a text is a code, whose digits are no number: letters and digits without a blank.

    One letter may stand before a number: T12 is a twelfth place that somebody shares, and Q1 a quarter.

    >>> [is_code(text) for text in ["inv-2018", "xp_0033", "f-16", "p001", "t12", "q1", "eur500", "2018", "3-2"]]
    [True, True, True, True, False, False, False, False, False]
    """
    return _CODE.fullmatch(text) is not None


def year(text: str) -> float | None:
    """The first year in a text.

    >>> year("May 3, 1998"), year("1998-99"), year("12345")
    (1998.0, 1998.0, None)
    """
    match = _YEAR.search(text)
    return float(match[1]) if match else None


def number_text(number: float) -> str:
    """A number as people write it: without a fraction that is none.

    >>> number_text(7.0), number_text(0.25), number_text(1e15), number_text(2.9999999999)
    ('7', '0.25', '1000000000000000', '3')
    """
    if not isfinite(number):
        return str(number)
    whole = round(number)
    return str(whole) if abs(number - whole) < CLOSE else repr(float(number))


CLOSE = 1e-6
"""Numbers are equal if they differ by less."""


def _english(text: str) -> str:
    """A text without powers of units; if it is one number as other countries write it, as ours."""
    text = _POWER.sub("", text)
    if _LOOSE_SIGN.match(text):
        text = text[0] + text[2:]
    if _GROUPED.fullmatch(text):
        return text.replace(" ", "").replace(",", ".")
    if match := _DECIMAL_COMMA.fullmatch(text):
        return f"{match[1]}.{match[2]}{match[3] or ''}"
    return text
