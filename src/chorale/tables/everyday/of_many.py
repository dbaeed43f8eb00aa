"""Kinds of question about many things at once: sums, averages, counts, groups, whether there are any."""

from __future__ import annotations

import re

from chorale.tables.dates import MONTHS
from chorale.tables.everyday.asking import ALL, Asking, Drawn, compares, equals, where
from chorale.tables.everyday.kept import Part
from chorale.tables.everyday.words import plural
from chorale.tables.values import number_text

_PERSONS = frozenset({"payer", "buyer", "owner"})
_TOTALLED = _PERSONS | {"category", "supplier", "city", "department", "leader"}
_INSIDE = {"city": "in", "country": "from", "department": "in", "place": "in", "weekday": "on", "supplier": "from"}
_BASES = {
    **{"bought": "buy", "paid": "pay", "got": "get", "spent": "spend", "took": "take", "wrote": "write"},
    **{"made": "make", "has": "have"},
}


def total(a: Asking) -> Drawn | None:
    """How much did we spend on food?"""
    part, found = a.part("measures", having="total"), a.group()
    if part is None:
        return None
    if found is None or a.happens(0.25):
        way = a.some([*part.said("total"), a.way("total", "all")])
        return a.filled(way, noun=a.noun(part)), f"total({part.view}, {ALL})"
    group, value = found
    own = part.said("total_by" if group.role in _PERSONS else "total_of") if group.role in _TOTALLED else []
    way = a.some(own) if own and a.happens(0.85) else a.way("total", "group")
    tail, month = a.month() if a.happens(0.15) else ("", [])
    said = a.filled(way, noun=a.noun(part), among=a.among(*found), v=a.value(*found))
    return said + tail, f"total({part.view}, {where(equals(group, value), *month)})"


def total_of_thing(a: Asking) -> Drawn | None:
    """How many kettles did we sell?"""
    part, row = a.part("measures", having="total_of"), a.repeated()
    if part is None or row is None:
        return None
    x = a.named(row)
    way = a.some([*part.said("total_of"), *part.said("sold"), a.way("total", "thing")])
    return a.filled(way, v=x, x=x, noun=a.noun(part)), f"total({part.view}, {where(a.is_row(row, x))})"


def total_in_month(a: Asking) -> Drawn | None:
    """How much did we spend in May?"""
    part, (tail, month) = a.part("measures", having="total"), a.month()
    if part is None or not month:
        return None
    way = a.some([*part.said("total"), a.way("total", "month")])
    return a.filled(way, noun=a.noun(part)) + tail, f"total({part.view}, {where(*month)})"


def average(a: Asking) -> Drawn | None:
    """What do lamps cost on average?"""
    part, found = a.part("measures"), a.group() if a.happens(0.65) else None
    if part is None or part.role == "year":
        return None
    said = {"noun": a.noun(part), "mean": a.way("average", "mean")}
    if found is None:
        return a.filled(a.way("average", "all"), **said), f"average({part.view}, {ALL})"
    said |= {"among": a.among(*found), "v": a.value(*found)}
    return a.filled(a.way("average", "group"), **said), f"average({part.view}, {where(equals(*found))})"


def best_group(a: Asking) -> Drawn | None:
    """Which category has the highest average price? Who spent the most?"""
    part, group, most = a.part("measures"), a.part("groups"), a.happens(0.65)
    if part is None or group is None:
        return None
    key = "most" if most else "least"
    high = a.way("best_group", key)
    said = {"noun": a.noun(part), "gnoun": a.noun(group), "high": high, "adjective": a.some(part.said(key) or [high])}
    if a.happens(0.5) or not part.said("total"):
        way, name, sums = a.way("best_group", "average"), "on_average", "averages"
    else:
        way, name, sums = a.way("best_group", "total"), "in_total", "totals"
        if part.role == "amount" and a.happens(0.7):
            is_person = group.role in {"payer", "buyer"}
            way = a.some(part.said(f"by_{key}")) if is_person else a.way("best_group", f"spent_{key}")
    return a.filled(way, **said), f"{key}_{name}({sums}({group.name}, {part.view}, {ALL}))"


def per_group(a: Asking) -> Drawn | None:
    """The average price per category."""
    part, group = a.part("measures"), a.part("groups")
    if group is None:
        return None
    said = {"gnoun": a.noun(group), "per": a.way("per_group", "per")}
    if part is None or a.happens(0.3):
        return a.filled(a.way("per_group", "count"), **said), f"count_per({group.name}, {ALL})"
    kind = "average" if a.happens(0.5) or not part.said("total") else "total"
    said["noun"] = a.noun(part)
    return a.filled(a.way("per_group", kind), **said), f"{kind}_per({group.name}, {part.view}, {ALL})"


def common(a: Asking) -> Drawn | None:
    """Which category has the most products?"""
    group, key = a.part("groups"), a.some(["most", "most", "most", "least"])
    if group is None:
        return None
    return a.filled(a.way("common", key), gnoun=a.noun(group)), f"{key}_common(cells({group.name}, {ALL}))"


def count(a: Asking) -> Drawn | None:
    """How many German towns are there?"""
    found = a.group()
    if found is None:
        return None
    own = found[0].said("how_often")
    way = a.some(own) if own and a.happens(0.6) else a.way("count", "group")
    tail, month = a.month() if a.happens(0.2) else ("", [])
    said = a.filled(way, among=a.among(*found), v=a.value(*found))
    return said + tail, f"count({where(equals(*found), *month)})"


def count_all(a: Asking) -> Drawn | None:
    """How many orders are there?"""
    return a.filled(a.way("count", "all")), f"count({ALL})"


def different(a: Asking) -> Drawn | None:
    """How many different suppliers are there?"""
    group = a.part("groups")
    if group is None:
        return None
    said = a.filled(a.way("count", "different"), gnouns=plural(a.noun(group)))
    return said, f"count_different(cells({group.name}, {ALL}))"


def compared(a: Asking) -> Drawn | None:
    """How many lamps cost more than 50? Who earns over 3,000?"""
    part, over = a.part("measures"), a.happens(0.6)
    if part is None:
        return None
    number, found = a.limit(part), a.group() if a.happens(0.25) else None
    clause = _clause(a, part, number, over)
    conditions = [compares(part, number, over=over), *([] if found is None else [equals(*found)])]
    among = a.kept.things if found is None else a.among(*found)
    if a.happens(0.5):
        name = "count_where" if found is None else "count_where_both"
        return a.filled(a.way("compared", "count"), among=among, clause=clause), f"{name}({', '.join(conditions)})"
    said = a.filled(a.way("compared", "list"), among=among, clause=clause)
    if a.kept.are_people and found is None and a.happens(0.4):
        said = f"who {_singular(clause)}"
    return said, a.things_with(where(*conditions))


def _clause(a: Asking, part: Part, number: float, over: bool) -> str:
    """Cost more than 50."""
    key = "over" if over else "under"
    n = f"{number:,.0f}" if number >= 1000 and part.role != "year" and a.happens(0.4) else number_text(number)
    sign = next((it for it in "$€£" if it in part.cells[0]), "")
    own = [it for it in part.said(key) if "at least" not in it]
    way = a.some(own) if own and a.happens(0.7) else a.way("compared", key)
    return a.filled(way, noun=a.noun(part), n=f"{sign}{n}" if a.happens(0.5) else n)


def _singular(clause: str) -> str:
    """A clause about one: earn more, earns more."""
    verb, _, rest = clause.partition(" ")
    known = {"are": "is", "have": "has", "do": "does"}
    return f"{known.get(verb, verb if verb.endswith('d') else f'{verb}s')} {rest}"


def in_time(a: Asking) -> Drawn | None:
    """How many orders were there in May? Who joined after 2020?"""
    part = a.part("days")
    if part is None:
        return None
    when, condition = _when(a, part)
    verb = a.some(part.said("past"))
    if a.happens(0.5):
        return a.filled(a.way("time", "count"), verb=verb, when=when), f"count({where(condition)})"
    said = a.filled(a.way("time", "list", *{"event", "order"} & {part.role}), verb=verb, when=when)
    if a.kept.are_people and a.happens(0.7):
        said = f"who {re.sub('^were', 'was', verb)} {when}"
    return said, a.things_with(where(condition))


def _when(a: Asking, part: Part) -> tuple[str, str]:
    """A time, and the condition that a date is in it."""
    day, years = a.some(part.days), f'"[{part.header}] as year", '
    month = MONTHS[day.month - 1].capitalize()
    return a.some(
        [
            (f"in {month}", f'on_date({part.view}, "xx-{day.month:02}-xx")'),
            (f"in {month}", f'on_date({part.view}, "xx-{day.month:02}-xx")'),
            (f"on {a.day(day, with_year=False)}", f'on_date({part.view}, "xx-{day.month:02}-{day.day:02}")'),
            (f"in {day.year}", f"is_number({years}{day.year})"),
            (f"after {day.year}", f"over({years}{day.year})"),
            (f"before {day.year}", f"under({years}{day.year})"),
        ]
    )


def groups_more(a: Asking) -> Drawn | None:
    """Did Anna spend more than Ben?"""
    part, group = a.part("measures", having="by_more"), a.part("groups")
    if part is None or group is None or group.role not in {"payer", "buyer"} or len(set(group.cells)) < 2:
        return None
    v, w = a.rng.sample(sorted(set(group.cells)), 2)
    pair = f"pair({equals(group, v)}, {equals(group, w)})"
    return a.filled(a.some(part.said("by_more")), v=v, w=w), f"is_more({part.view}, {pair})"


def are_any(a: Asking) -> Drawn | None:
    """Are there any lamps from France that cost more than 50?"""
    found, part = a.group(), a.part("measures") if a.happens(0.5) else None
    if found is None:
        return None
    conditions, tail = [equals(*found)], ""
    if part is not None:
        number, over = a.limit(part), a.happens(0.5)
        tail = f"that {_clause(a, part, number, over)}"
        conditions.append(compares(part, number, over=over))
    said = a.filled(a.way("is_so", "any"), among=a.among(*found), tail=tail)
    return said, f"exists_where{'_both' if tail else ''}({', '.join(conditions)})"


def is_so(a: Asking) -> Drawn | None:
    """Is Anna in Sales? Did Ben pay for the lamp?"""
    found, row = a.group(), a.row()
    if found is None:
        return None
    group, value = found[0], found[1] if a.happens(0.5) else found[0].cells[row]
    who = [it.removeprefix("who ") for it in group.said("value") if re.match("who (?!is|was|does|do)", it)]
    ways = [a.way("is_so", "value")] + [f"did {{v}} {_base(it)}" for it in who]
    if group.role in _INSIDE or group.role in {"state", "colour"}:
        ways = [a.way("is_so", "inside" if group.role in _INSIDE else "state")]
    x = a.named(row)
    said = {"v": a.value(group, value), "gnoun": a.noun(group), "place": _INSIDE.get(group.role, "")}
    return a.filled(a.some(ways), x=x, **said), f"exists_where_both({a.is_row(row, x)}, {equals(group, value)})"


def _base(clause: str) -> str:
    """A clause with its verb as it stands after "did": bought the lamp, buy the lamp."""
    verb, _, rest = clause.partition(" ")
    short = verb.removesuffix("es") if verb.endswith("ches") else verb.removesuffix("ed").removesuffix("s")
    return f"{_BASES.get(verb, short)} {rest}"


def flag(a: Asking) -> Drawn | None:
    """Which invoices are not paid?"""
    part, yes = a.part("flags"), a.happens(0.5)
    if part is None:
        return None
    cells = {it.lower()[0] == "y": it for it in part.cells}
    kind, row = a.some(["list", "count", "is"]), a.row()
    if (yes or kind == "is") not in cells:
        return None
    condition = equals(part, cells[yes or kind == "is"])
    if kind == "is":
        x = a.named(row)
        return a.filled(a.some(part.said("is")), x=x), f"exists_where_both({a.is_row(row, x)}, {condition})"
    said = a.filled(a.way("flag", kind), clause=a.some(part.said("yes" if yes else "no")))
    return said, f"count({where(condition)})" if kind == "count" else a.things_with(where(condition))


def blank(a: Asking) -> Drawn | None:
    """How many payments have no receipt?"""
    part, kind = a.part("blanks"), a.some(["empty", "empty", "filled"])
    if part is None:
        return None
    rows, how = where(f"is_{kind}({part.name})"), a.some(["count", "list"])
    said = a.filled(a.way("blank", how), clause=a.filled(a.way("blank", kind), noun=a.noun(part)))
    return said, f"count({rows})" if how == "count" else a.things_with(rows)
