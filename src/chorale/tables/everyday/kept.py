"""Tables as people keep them: sales, staff, stock, budgets, results, schedules, with columns of known roles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random
from typing import Any

from chorale.tables.everyday.words import COUNTRIES, PEOPLE, ROLES, SURNAMES, TOPICS, WEEKDAYS, plural, variants
from chorale.tables.table import Table

_FEWEST, _MOST = 6, 26  # rows
_KINDS = {"measures": 4, "groups": 4, "days": 2, "flags": 1, "blanks": 1}  # the most columns of each
_REPEATED = 0.4  # how many tables have things in several rows, where there may be any
_CODED = 0.3  # how many tables begin with codes
_CODES = "No | ID | Code | Ref | Number | #"
_CLUBS = ("Rovers", "United", "City", "Athletic", "Wanderers", "Sport Club", "Town")
_FRACTIONS = frozenset({"rating", "temperature", "rain", "weight"})
_UNITS = {"duration": "min", "weight": "kg", "distance": "km", "height": "cm"}
_DATES = ("%Y-%m-%d", "%d %b %Y", "%B %d, %Y", "%m/%d/%Y", "%d.%m.%Y", "%Y/%m/%d", "%d %B %Y")
_FIRST_DAY, _DAYS = date(2018, 1, 1), 2_500
_BIRTHS, _LIFETIME = date(1955, 1, 1), 18_000


@dataclass(frozen=True)
class Part:
    """A column, and what it is."""

    kind: str
    """Measures, days, groups, flags or blanks; "things" for what the rows are, "marks" for the marks of a subject."""
    role: str
    header: str
    cells: tuple[str, ...]
    numbers: tuple[float, ...] = ()
    days: tuple[date, ...] = ()
    words: dict[str, Any] = field(default_factory=dict)
    """How people ask about it."""

    @property
    def name(self) -> str:
        """As programs have it."""
        return f'"[{self.header}]"'

    @property
    def view(self) -> str:
        """Its numbers or dates, as programs have them."""
        return f'"[{self.header}] as {"date" if self.days else "number"}"'

    @property
    def month(self) -> Part:
        """The months of its dates, a column that tables have by themselves."""
        return Part("months", "month", f"month of {self.header}", ())

    def said(self, key: str) -> list[str]:
        """The ways to ask for something; none if nobody asks so."""
        return variants(self.words.get(key, ""))


@dataclass(frozen=True)
class Kept:
    """A table, and what is known of its columns."""

    topic: str
    thing: str
    things: str
    subject: Part
    parts: tuple[Part, ...]
    table: Table
    article: bool
    are_people: bool

    def of(self, *kinds: str) -> list[Part]:
        """The columns of some kinds."""
        return [part for part in self.parts if part.kind in kinds]


def kept(rng: Random) -> Kept:
    """A table of some topic."""
    name = rng.choice(sorted(TOPICS))
    topic = TOPICS[name]
    count = rng.randint(_FEWEST, _MOST)
    subject = _subject(topic, count, rng)
    count = len(subject.cells)
    parts = _parts(topic, subject, count, rng)
    number = rng.randrange(len(variants(topic["thing"])))
    thing = variants(topic["thing"])[number]
    things = variants(topic.get("things", ""))
    shown = list(parts)
    rng.shuffle(shown)
    shown.insert(0 if rng.random() < 0.7 else rng.randint(0, len(shown)), subject)
    if subject.role != "codes" and rng.random() < _CODED:
        shown.insert(0, _codes(rng.choice(variants(topic.get("code", _CODES))), count, rng))
    headers = [part.header for part in shown]
    cells = [list(row) for row in zip(*(part.cells for part in shown), strict=True)]
    return Kept(
        name,
        thing,
        things[min(number, len(things) - 1)] if things else plural(thing),
        subject,
        tuple(parts),
        Table(headers, cells),
        bool(topic.get("article")),
        topic.get("rows") == "people",
    )


def _subject(topic: dict[str, Any], count: int, rng: Random) -> Part:
    header, days = rng.choice(variants(topic["subject"])), tuple[date, ...]()
    rows = topic.get("rows", "names")
    match rows:
        case "people":
            cells = _people(count, rng)
        case "towns":
            cells = rng.sample([town for towns in COUNTRIES.values() for town in towns], count)
        case "clubs":
            towns = rng.sample([town for towns in COUNTRIES.values() for town in towns], count)
            cells = [f"{town} {rng.choice(_CLUBS)}" for town in towns]
        case "days":
            first = _FIRST_DAY + timedelta(rng.randrange(_DAYS))
            days = tuple(first + timedelta(it) for it in range(count))
            cells = list(_written(days, rng))
        case "codes":
            return _codes(header, count, rng)
        case _:
            names = variants(topic["names"])
            cells = rng.sample(names, min(count, len(names)))
            if topic.get("repeats") and rng.random() < _REPEATED:
                names = cells[: 2 * len(cells) // 3]
                cells = names + rng.choices(names[: len(names) // 3 + 1], k=len(cells) - len(names))
                rng.shuffle(cells)
            if rng.random() < 0.6:
                cells = [name[0].upper() + name[1:] for name in cells]
    return Part("things", rows, header, tuple(cells), days=days)


def _codes(header: str, count: int, rng: Random) -> Part:
    prefix, first = rng.choice(("INV-", "R-", "A", "N", "B-", "20")), rng.randint(101, 899)
    return Part("things", "codes", header, tuple(f"{prefix}{first + it}" for it in range(count)))


def _parts(topic: dict[str, Any], subject: Part, count: int, rng: Random) -> list[Part]:
    taken, found = {subject.header.lower()}, list[Part]()
    for kind, most in _KINDS.items():
        given = topic.get(kind, ())
        names = given.split() if isinstance(given, str) else list(given)
        for role in rng.sample(names, min(len(names), rng.randint(1 if kind in {"measures", "groups"} else 0, most))):
            words = ROLES[kind][role]
            headers = [it for it in variants(words["headers"]) if it.lower() not in taken]
            if headers:
                header = rng.choice(headers)
                taken.add(header.lower())
                found.append(_part(kind, role, header, given, subject, rng))
    if "score" in topic:
        cells = tuple(f"{rng.randint(0, 5)}-{rng.randint(0, 5)}" for _ in range(count))
        found.append(Part("scores", "score", rng.choice(variants(topic["score"])), cells))
    if "subjects" in topic:
        found += [_marks(it, count, rng) for it in rng.sample(variants(topic["subjects"]), rng.randint(2, 5))]
    return found


def _part(kind: str, role: str, header: str, given: Any, subject: Part, rng: Random) -> Part:
    words, count = ROLES[kind][role], len(subject.cells)
    match kind:
        case "measures":
            numbers = _numbers(role, given[role], count, rng)
            return Part(kind, role, header, _measured(role, words["kind"], numbers, rng), tuple(numbers), words=words)
        case "days":
            first, span = (_BIRTHS, _LIFETIME) if role == "born" else (_FIRST_DAY, rng.choice((90, 360, 1200, _DAYS)))
            days = tuple(first + timedelta(it) for it in rng.sample(range(span), count))
            days = tuple(sorted(days)) if rng.random() < 0.4 else days
            return Part(kind, role, header, _written(days, rng), days=days, words=words)
        case "groups":
            return Part(kind, role, header, _grouped(given[role], subject, rng), words=words)
        case "flags":
            yes, no = rng.choice((("yes", "no"), ("Yes", "No"), ("y", "n"), ("yes", "no")))
            share = rng.uniform(0.3, 0.7)
            return Part(
                kind, role, header, tuple(yes if rng.random() < share else no for _ in range(count)), words=words
            )
        case _:
            return Part(kind, role, header, _blanks(words["values"], count, rng), words=words)


def _marks(subject: str, count: int, rng: Random) -> Part:
    numbers = [float(rng.randint(35, 100)) for _ in range(count)]
    return Part("marks", "marks", subject, tuple(f"{it:.0f}" for it in numbers), tuple(numbers))


# -- cells -------------------------------------------------------------------------------------------------------------


def _people(count: int, rng: Random) -> list[str]:
    first, last = rng.sample(PEOPLE, count), rng.sample(SURNAMES, count)
    return [f"{one} {other}" for one, other in zip(first, last, strict=True)] if rng.random() < 0.8 else first


def _numbers(role: str, bounds: Sequence[float], count: int, rng: Random) -> list[float]:
    least, most = bounds
    if role in {"price", "amount", "salary"}:
        step = 0.05 if most < 1000 and rng.random() < 0.6 else 5 if most > 500 else 1
        return [round(max(least, step * round(rng.triangular(least, most, least) / step)), 2) for _ in range(count)]
    if role in _FRACTIONS and most < 80 and rng.random() < 0.7:
        return [round(rng.uniform(least, most), 1) for _ in range(count)]
    if role == "population":
        return [float(round(10 ** rng.uniform(4, 6.6), -2)) for _ in range(count)]
    return [float(rng.randint(round(least), round(most))) for _ in range(count)]


def _measured(role: str, kind: str, numbers: Sequence[float], rng: Random) -> tuple[str, ...]:
    """Numbers as they stand in cells: with a currency, with a unit, with commas, or as they are."""
    places = (
        2
        if kind in {"money", "salary"} and any(it % 1 for it in numbers)
        else 1
        if any(it % 1 for it in numbers)
        else 0
    )
    form = "{:." + str(places) + "f}"
    if max(numbers) >= 1000 and role != "year" and rng.random() < 0.4:
        form = "{:,." + str(places) + "f}"
    if kind in {"money", "salary"} and rng.random() < 0.5:
        form = rng.choice(("${}", "€{}", "£{}", "{} EUR")).format(form)
    elif role in _UNITS and rng.random() < 0.25:
        form += f" {_UNITS[role]}"
    return tuple(form.format(it) for it in numbers)


def _written(days: Sequence[date], rng: Random) -> tuple[str, ...]:
    form = rng.choice(_DATES)
    return tuple(day.strftime(form) for day in days)


def _grouped(values: str, subject: Part, rng: Random) -> tuple[str, ...]:
    count = len(subject.cells)
    if values == "their countries":
        homes = {town: country for country, towns in COUNTRIES.items() for town in towns}
        return tuple(homes[town] for town in subject.cells)
    few = rng.randint(2, max(3, count // 3))
    match values:
        case "people":
            names = _people(few, rng)
        case "towns":
            names = rng.sample([town for towns in COUNTRIES.values() for town in towns], few)
        case "countries":
            names = rng.sample(sorted(COUNTRIES), min(few, len(COUNTRIES)))
        case "weekdays":
            names = WEEKDAYS
        case _:
            names = variants(values)
    return tuple(rng.choice(names) for _ in range(count))


def _blanks(values: str, count: int, rng: Random) -> tuple[str, ...]:
    share = rng.uniform(0.3, 0.8)
    return tuple(_remark(values, rng) if rng.random() < share else "" for _ in range(count))


def _remark(values: str, rng: Random) -> str:
    match values:
        case "code":
            return f"{rng.choice('RBV')}-{rng.randint(10, 99)}"
        case "mail":
            return f"{rng.choice(PEOPLE).lower()}@example.org"
    return rng.choice(variants(values))
