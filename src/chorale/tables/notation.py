"""How a column's cells are written where a text alone does not tell: decimal comma, groups of digits, order of dates.

Texts stay as they are; only what is read from them differs. A column without a notation is read as the functions in
`values` and `dates` do by themselves.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import Any

from chorale.errors import ChoraleError

_POINTS = re.compile(r"(?<![\d.,])\d{1,3}(?:\.\d{3})+(?![\d.])")
_COMMA = re.compile(r"(?<=\d),(?=\d)")
_GROUPS = {mark: re.compile(rf"(?<![\d.,{mark}])\d{{1,3}}(?:{mark}\d{{3}})+(?!\d)") for mark in " '"}
_BRACKETS = re.compile(r"\(([^()\d]{0,4})(\d[\d.,' ]*[^()\d]{0,4})\)")
_MINUS_MONEY = re.compile(r"-\s?([^\d\s.,-]{1,4}\s?)(\d.*)")


@dataclass(frozen=True, slots=True)
class Notation:
    """How the cells of one column are written."""

    decimal_comma: bool = False
    """1.200,50 is twelve hundred and a half."""
    group: str = ""
    """What else may stand between thousands: a blank or an apostrophe."""
    signs: bool = False
    """(120) and -$120 are negative, as accountants write."""
    day_first: bool | None = None
    """3/12/1998 is in December; None: as the other cells of the column tell."""

    def english(self, plain: str) -> str:
        """A plain text with its numbers as `values` reads them.

        >>> Notation(decimal_comma=True).english("1.200,50 €"), Notation(group=" ").english("12 000 km")
        ('1200.50 €', '12000 km')
        >>> Notation(signs=True).english("($1,200)"), Notation(signs=True).english("-€ 5")
        ('$-1,200', '€ -5')
        """
        if self.signs and (match := _BRACKETS.fullmatch(plain) or _MINUS_MONEY.fullmatch(plain)):
            plain = f"{match[1]}-{match[2]}"
        if self.group:
            plain = _GROUPS[self.group].sub(lambda match: match[0].replace(self.group, ""), plain)
        if self.decimal_comma:
            plain = _POINTS.sub(lambda match: match[0].replace(".", ""), plain)
            plain = _COMMA.sub(".", plain)
        return plain

    def to_json(self) -> dict[str, Any]:
        """What is not as usual."""
        return {name: value for name, value in asdict(self).items() if value != getattr(_USUAL, name)}

    @classmethod
    def from_json(cls, value: Any) -> Notation:
        """What `to_json` gave."""
        match value:
            case {"group": group} if group not in (" ", "'"):
                raise ChoraleError(f"group: expected a blank or an apostrophe; found {group!r:.40}")
            case dict() if all(
                name == "group" or (name in asdict(_USUAL) and isinstance(it, bool)) for name, it in value.items()
            ):
                return cls(**value)
        raise ChoraleError(f'expected a notation such as {{"decimal_comma": true}}; found {value!r:.60}')


_USUAL = Notation()
