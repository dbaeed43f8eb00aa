"""Kinds of question about things by name, and about the one that stands out: how much is the kettle."""

from __future__ import annotations

from chorale.tables.everyday.asking import ALL, Asking, Drawn, best, compares, equals, look_up, where
from chorale.tables.everyday.kept import Part

_PLACES = {2: ("second", "2nd"), 3: ("third", "3rd"), 4: ("fourth", "4th"), 5: ("fifth", "5th")}


def value_of(a: Asking) -> Drawn | None:
    """How much does the kettle cost?"""
    part, row = a.part("measures", "groups", "days", "blanks", "scores"), a.row()
    if part is None:
        return None
    x, ways = a.named(row), part.said("value")
    kind = "score" if part.kind == "scores" else "day" if a.kept.subject.days else "thing"
    way = a.some(ways) if ways and a.happens(0.7) else a.way("value", kind)
    return a.filled(way, x=x, noun=a.noun(part)), look_up(part, where(a.is_row(row, x)))


def things_of(a: Asking) -> Drawn | None:
    """What did Anna buy?"""
    found = a.group("reverse")
    if found is None:
        return None
    if a.happens(0.3):
        said = a.filled(a.way("things", "list"), among=a.among(*found))
    else:
        way = a.some([*found[0].said("reverse"), a.way("things", "simple")])
        said = a.filled(way, **a.called(*found))
    return said, a.things_with(where(equals(*found)))


def extreme(a: Asking) -> Drawn | None:
    """What is the cheapest lamp?"""
    part, most = a.part("measures"), a.happens(0.55)
    if part is None:
        return None
    found = a.group() if a.happens(0.35) else None
    adjectives, own = part.said("most" if most else "least"), part.said("which_most" if most else "which_least")
    if found is None and own and a.happens(0.4):
        way = a.some(own)
    elif adjectives and a.happens(0.75):
        way = a.way("extreme", "adjective", *["person"] * a.kept.are_people)
    else:
        way = a.way("extreme", *(["any", *["who"] * a.kept.are_people] if found is None else ["group"]))
    said = {"noun": a.noun(part), "high": a.way("extreme", "most" if most else "least")}
    said["adjective"] = a.some(adjectives or ["best"])
    return a.filled(way, **said, **_among(a, found)), a.things_with(best(part, most=most, rows=_rows(found)))


def _among(a: Asking, found: tuple[Part, str] | None) -> dict[str, str]:
    """The things of a group, one of them and several; those of the table if there is none."""
    return {} if found is None else {"one": a.among(*found, one=True), "among": a.among(*found)}


def _rows(found: tuple[Part, str] | None) -> str:
    return ALL if found is None else where(equals(*found))


def newest(a: Asking) -> Drawn | None:
    """What did we buy last?"""
    part, most = a.part("days"), a.happens(0.5)
    if part is None:
        return None
    found, own = a.group() if a.happens(0.25) else None, part.said("which_newest" if most else "which_oldest")
    way = a.way("newest", "person" if a.kept.are_people else "any")
    if own and found is None and a.happens(0.6):
        way = a.some(own)
    elif part.role in {"event", "order"} and found is None and a.happens(0.25):
        way = f"which {{thing}} was {a.some(part.said('past')).split()[-1]} {'last' if most else 'first'}"
    said = a.filled(way, adjective=a.some(part.said("newest" if most else "oldest")), **_among(a, found))
    return said, a.things_with(best(part, most=most, rows=_rows(found)))


def month_of(a: Asking) -> Drawn | None:
    """In which month did we buy the kettle?"""
    part, row = a.part("days"), a.row()
    if part is None:
        return None
    x = a.named(row)
    return a.filled(a.way("value", "month"), x=x, noun=a.noun(part)), look_up(part.month, where(a.is_row(row, x)))


def of_extreme(a: Asking) -> Drawn | None:
    """Who bought the most expensive lamp? When was the latest order?"""
    part, other = a.part("measures", "days"), a.part("groups", "days", "measures", "blanks")
    if part is None or other is None or part is other:
        return None
    most = a.happens(0.6)
    adjectives, ways = _adjectives(part, most), other.said("value")
    if not adjectives:
        return None
    way = a.some(ways) if ways and a.happens(0.6) else a.way("value", "best")
    x = f"the {a.some(adjectives)} {a.kept.thing}"
    return a.filled(way, x=x, noun=a.noun(other)), look_up(other, best(part, most=most))


def _adjectives(part: Part, most: bool) -> list[str]:
    """What the thing with the largest or smallest number, or the last or first date, is called."""
    names = ("newest", "oldest") if part.days else ("most", "least")
    return part.said(names[0] if most else names[1])


def k_th(a: Asking) -> Drawn | None:
    """What is the third most expensive lamp?"""
    part, most, place = a.part("measures", "days"), a.happens(0.65), a.some([2, 2, 2, 3, 3, 4, 5])
    if part is None:
        return None
    adjectives = [it for it in _adjectives(part, most) if it not in {"first", "last"}]
    if part.days and not adjectives:
        return None
    found = a.group() if a.happens(0.15) else None
    is_by_noun = not adjectives or (not part.days and a.happens(0.2))
    way = a.way("k_th", *(["noun"] if is_by_noun else ["adjective", *["person"] * a.kept.are_people]))
    said = {"noun": a.noun(part), "high": a.way("two", "more" if most else "less").replace("er", "est")}
    said |= {"adjective": a.some(adjectives or [""]), "place": a.some(_PLACES[place])}
    rows = f"nth_{'most' if most else 'least'}({place}, {part.view}, {_rows(found)})"
    return a.filled(way, **said, **_among(a, found)), a.things_with(rows)


def extreme_value(a: Asking) -> Drawn | None:
    """What was the highest price?"""
    part, most = a.part("measures", "days"), a.happens(0.6)
    if part is None:
        return None
    found = a.group() if a.happens(0.25) else None
    names = ("newest", "oldest") if part.days else ("most", "least")
    tail = "" if found is None else f"of the {a.among(*found)}"
    way = a.way("extreme_value", "any", *["number"] * (most and not part.days))
    high = a.way("extreme_value", names[0] if most else names[1])
    said = a.filled(way, noun=a.noun(part), high=high, tail=tail)
    return said, look_up(part, best(part, most=most, rows=_rows(found)))


# -- two things --------------------------------------------------------------------------------------------------------


def is_more(a: Asking) -> Drawn | None:
    """Is the kettle cheaper than the toaster?"""
    part, key, (one, other) = a.part("measures", "days"), a.some(["more", "more", "less"]), a.two_rows()
    if part is None:
        return None
    ways = [f"{{be}} {{x}} {it} {{y}}" for it in part.said(key)] + part.said(f"does_{key}")
    if not part.days and (not ways or a.happens(0.25)):
        ways = [a.way("two", "is")]
    if not ways:
        return None
    x, y, high = a.named(one), a.named(other), a.way("two", key)
    said = a.filled(a.some(ways), x=x, y=y, high=high, noun=a.noun(part), be=a.some(["is", "is", "was"]))
    return said, f"is_{key}({part.view}, pair({a.is_row(one, x)}, {a.is_row(other, y)}))"


def difference(a: Asking) -> Drawn | None:
    """How much cheaper is the kettle than the toaster?"""
    part, (one, other) = a.part("measures"), a.two_rows()
    if part is None:
        return None
    if part.numbers[one] < part.numbers[other]:
        one, other = other, one
    x, y, comparatives = a.named(one), a.named(other), part.said("more")
    way = a.way("two", "difference")
    if comparatives and a.happens(0.5):
        way = f"how much {a.some(comparatives).removesuffix(' than')} is {{x}} than {{y}}"
    said = a.filled(way, x=x, y=y, noun=a.noun(part))
    return said, f"difference({part.view}, pair({a.is_row(one, x)}, {a.is_row(other, y)}))"


def which_of_two(a: Asking) -> Drawn | None:
    """Which is cheaper, the kettle or the toaster?"""
    part, key, (one, other) = a.part("measures"), a.some(["more", "more", "less"]), a.two_rows()
    if part is None:
        return None
    comparatives = [it.removesuffix(" than") for it in part.said(key) if it.endswith(" than")]
    way = a.way("two", "who" if a.kept.are_people else "comparative") if comparatives else a.way("two", "which")
    x, y, comparative = a.named(one), a.named(other), a.some(comparatives or [""])
    said = a.filled(way, x=x, y=y, noun=a.noun(part), high=a.way("two", key), comparative=comparative)
    rows = f"pair({a.is_row(one, x)}, {a.is_row(other, y)})"
    return said, f"which_has_{key}({a.kept.subject.name}, {part.view}, {rows})"


# -- marks in subjects: columns that are named, not asked for ----------------------------------------------------------


def marks(a: Asking) -> Drawn | None:
    """Who is best in Music?"""
    part = a.part("marks")
    if part is None:
        return None
    most, over, number, (one, other) = a.happens(0.65), a.happens(0.6), a.limit(part), a.two_rows()
    x, y = a.named(one), a.named(other)
    kind, program = a.some(
        [
            ("extreme", a.things_with(best(part, most=most))),
            ("value", look_up(part, where(a.is_row(one, x)))),
            ("average", f"average({part.view}, {ALL})"),
            ("list", a.things_with(where(compares(part, number, over=over)))),
            ("count", f"count_where({compares(part, number, over=over)})"),
            ("highest", look_up(part, best(part, most=most))),
            ("better", f"is_more({part.view}, pair({a.is_row(one, x)}, {a.is_row(other, y)}))"),
        ]
    )
    said = {"high": a.way("marks", "most" if most else "least"), "more": a.way("marks", "over" if over else "under")}
    said |= {"mark": a.way("marks", "mark"), "name": part.header if a.happens(0.6) else part.header.lower()}
    return a.filled(a.way("marks", kind), x=x, y=y, n=f"{number:.0f}", **said), program
