"""Search in stages: the cheapest meanings of each type, the same ones that looking at everything by hand finds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.people import Asking, PeopleDomain

from chorale.domain import Costs, Unlabelled
from chorale.errors import ChoraleError
from chorale.language import Basic, Language, Program, function, run
from chorale.language.quotas import Quota
from chorale.language.types import Function, type_of_annotation
from chorale.search import stages as search_in_stages
from chorale.search.from_words import FromWords, WordsSettings
from chorale.search.stages import Stages, hashed, plans_of

SIZE = 6
Digit = Annotated[Any, "Digit"]
Condition = Annotated[Any, "Condition"]
Items = Annotated[Any, "Items"]
Said = Annotated[Any, "Said"]


class Sets(Language):
    """Some of the first numbers; each value is a plain Python value."""

    root = Said
    composition = currying = False
    open_types = (Digit,)
    commutative = frozenset({"both", "all_three"})
    stages: ClassVar[Mapping[Any, Quota]] = {
        Condition: Quota(keep=9),
        Items: Quota(keep=12, first=8, build=5, generations=2),
        Said: Quota(keep=20),
    }

    def defined(self, kind: Any, batch: Any) -> NDArray[np.bool_] | None:
        return np.array([bool(value) for value in batch]) if kind == Basic("Items") else None

    @function
    def over(self, digit: Digit) -> Condition:
        return frozenset(range(digit + 1, SIZE))

    @function
    def under(self, digit: Digit) -> Condition:
        return frozenset(range(digit))

    @function
    def even(self) -> Condition:
        return frozenset(range(0, SIZE, 2))

    @function
    def everything(self) -> Items:
        return frozenset(range(SIZE))

    @function
    def where(self, condition: Condition) -> Items:
        return frozenset(condition)

    @function
    def both(self, one: Condition, other: Condition) -> Items:
        return one & other

    @function
    def all_three(self, one: Condition, other: Condition, third: Condition) -> Items:
        return one & other & third

    @function
    def without(self, condition: Condition, items: Items) -> Items:
        return items - condition

    @function
    def first(self, items: Items) -> Items:
        return frozenset(sorted(items)[:1])

    @function
    def count(self, items: Items) -> Said:
        return len(items)

    @function
    def total(self, items: Items) -> Said:
        return sum(items)

    @function
    def gap(self, digit: Digit, items: Items) -> Said:
        return max(items) - digit


class Masks(Language):
    """The same on batches: sets are masks."""

    root = Said
    composition = currying = False
    open_types = (Digit,)
    commutative = Sets.commutative
    stages = Sets.stages
    stacks = True

    def defined(self, kind: Any, batch: Any) -> NDArray[np.bool_] | None:
        return batch.any(axis=1) if kind == Basic("Items") else None

    @function
    def over(self, digit: Digit) -> Condition:
        return np.arange(SIZE) > digit[:, None]

    @function
    def under(self, digit: Digit) -> Condition:
        return np.arange(SIZE) < digit[:, None]

    @function
    def even(self) -> Condition:
        return np.arange(SIZE) % 2 == 0

    @function
    def everything(self) -> Items:
        return np.ones(SIZE, bool)

    @function
    def where(self, condition: Condition) -> Items:
        return condition

    @function
    def both(self, one: Condition, other: Condition) -> Items:
        return one & other

    @function
    def all_three(self, one: Condition, other: Condition, third: Condition) -> Items:
        return one & other & third

    @function
    def without(self, condition: Condition, items: Items) -> Items:
        return items & ~condition

    @function
    def first(self, items: Items) -> Items:
        return items & (items.cumsum(axis=1) == 1)

    @function
    def count(self, items: Items) -> Said:
        return items.sum(axis=1)

    @function
    def total(self, items: Items) -> Said:
        return (items * np.arange(SIZE)).sum(axis=1)

    @function
    def gap(self, digit: Digit, items: Items) -> Said:
        return SIZE - 1 - items[:, ::-1].argmax(axis=1) - digit


class Dear(Costs):
    """Costs that depend on arguments and values: large counts are dear, some calls are not wanted at all."""

    def before(self, name: str, arguments: Sequence[Any]) -> NDArray[np.float64] | None:
        if name == "gap":
            return np.array([math.inf if int(digit) == 2 else 0.25 * int(digit) for digit in arguments[0]])
        return None

    def extra(
        self, name: str, arguments: Sequence[Any], says: Sequence[NDArray[np.int64]], values: Any
    ) -> NDArray[np.float64] | None:
        if name == "count":
            return np.array([0.5 * int(value) for value in values])
        if name == "gap":
            return np.array([math.inf if int(value) < 0 else 0.0 for value in values])
        if name == "both":  # in the order of the words
            return np.where(says[0] > says[1], 1.0, 0.0)
        return None


DIGITS = {str(number): (Basic("Digit"), number) for number in range(4)}
SETS, MASKS = Sets().with_constants(DIGITS), Masks().with_constants(DIGITS)


@st.composite
def costs(draw: st.DrawFn) -> Costs:
    """Prices, few of which are equal, and words that digits and functions say."""
    names = draw(st.permutations([*Sets.grammar.signature, *DIGITS]))
    chosen = [name for name in names if name in {"everything", "count"} or draw(st.integers(0, 9))]
    price = st.integers(0, 40).map(lambda number: number / 8)
    says = {name: draw(st.sampled_from((0, 1, 2, 4, 3))) for name in chosen if name in DIGITS or name == "even"}
    return Dear({name: draw(price) for name in chosen}, says, ["a", "b", "c"], draw(st.integers(0, 7)), 1.0)


# -- the slow twin: one entry at a time, all of them priced, the same caps ---------------------------------------------


class Entry(NamedTuple):
    text: str
    value: Any
    cost: float
    says: int


class Slowly:
    """Fills types one by one, as the module's text says."""

    def __init__(self, language: Language, costs: Costs) -> None:
        self.language, self.costs, self.signature = language, costs, language.grammar.signature
        self.pools: dict[Any, list[Entry]] = {}
        self.order: dict[tuple[Any, str], int] = {}  # in which entries were made
        self.quotas = {type_of_annotation(kind): quota for kind, quota in language.stages.items()}
        self.fill(language.grammar.root, set())

    def rank(self, entry: Entry) -> float:
        return entry.cost + self.costs.word * (self.costs.wanted & ~entry.says).bit_count()

    def makers(self, kind: Any) -> list[tuple[str, Function]]:
        declared = [(name, self.signature[name]) for name in self.costs.names]
        return [(name, it) for name, it in declared if isinstance(it, Function) and it.result == kind]

    def fill(self, kind: Any, seen: set[Any]) -> None:
        seen.add(kind)
        for _, declared in self.makers(kind):
            for argument in declared.arguments:
                if argument not in seen:
                    self.fill(argument, seen)
        own = [name for name in self.costs.names if self.signature[name] == kind]
        pool = [
            Entry(name, self.language.implementation(name), self.costs.names[name], self.costs.says.get(name, 0))
            for name in own
        ]
        makers = self.makers(kind)
        again = [maker for maker in makers if kind in maker[1].arguments]
        quota = self.quotas.get(kind, Quota())
        first = quota.first if quota.first is not None and again else quota.keep
        self.make(kind, pool, [maker for maker in makers if maker not in again], first, quota)
        start = 0
        for _ in range(quota.generations if again else 0):
            end = len(pool)
            self.pools[kind] = sorted(pool[start:end], key=self.rank)[: quota.build]
            start = end
            self.make(kind, pool, again, quota.keep, quota)
            if len(pool) == end:
                break
        self.pools[kind] = sorted(pool, key=self.rank)[: quota.keep]
        self.order |= {(kind, entry.text): place for place, entry in enumerate(pool)}

    def calls(self, name: str, declared: Function) -> list[tuple[Entry, tuple[Entry, ...]]]:
        """A priced call has no value yet."""
        found: list[tuple[Entry, tuple[Entry, ...]]] = [(Entry(name, None, 0.0, self.costs.says.get(name, 0)), ())]
        for index, kind in enumerate(declared.arguments):
            is_same = name in self.language.commutative and index > 0
            found = [
                (Entry(name, None, call.cost + entry.cost, call.says | entry.says), (*given, entry))
                for call, given in found
                for entry in self.pools.get(kind, [])
                if not call.says & entry.says
                and not (is_same and self.order[kind, given[-1].text] >= self.order[kind, entry.text])
            ]
            if index < len(declared.arguments) - 1 and len(found) > search_in_stages.PARTIAL:
                found = sorted(found, key=lambda pair: self.rank(pair[0]))[: search_in_stages.PARTIAL]
        return [(call._replace(cost=call.cost + self.costs.names[name]), given) for call, given in found]

    def make(self, kind: Any, pool: list[Entry], makers: list[tuple[str, Function]], most: int, quota: Quota) -> None:
        offers = [call for maker in makers for call in self.calls(*maker)]
        order = sorted(range(len(offers)), key=lambda row: self.rank(offers[row][0]))
        size = min(search_in_stages.ROUND * most, 2 * search_in_stages.ROUND * quota.keep)
        missing = most
        for start in range(0, min(len(order), search_in_stages.LOOKED_AT * most), size):
            computed = [self.computed(kind, *offers[row]) for row in sorted(order[start : start + size])]
            new: list[Entry] = []
            for entry in sorted((one for one in computed if one is not None), key=self.rank):
                if all(entry.value != other.value for other in [*pool, *new]) and len(new) < missing:
                    new.append(entry)
            pool += [entry for entry in computed if any(entry is one for one in new)]  # in the order of the offers
            missing -= len(new)
            if missing <= 0:
                break

    def computed(self, kind: Any, call: Entry, given: tuple[Entry, ...]) -> Entry | None:
        value = self.language.implementation(call.text)(*(entry.value for entry in given))
        says = [np.array([entry.says]) for entry in given]
        arguments = [[entry.value] for entry in given]
        parts = self.costs.before(call.text, arguments), self.costs.extra(call.text, arguments, says, [value])
        extra = sum(float(part[0]) for part in parts if part is not None)
        defined = self.language.defined(kind, [value])
        if (defined is not None and not defined[0]) or not np.isfinite(extra):
            return None
        text = f"{call.text}({', '.join(entry.text for entry in given)})"
        return Entry(text, value, call.cost + extra, call.says)


def listed(language: Language, prices: Costs) -> list[tuple[str, float]]:
    stages = Stages(language, prices)
    found = stages.whole_programs
    return [
        (str(stages.program(row)), cost) for row, cost in zip(found.rows.tolist(), found.costs.tolist(), strict=True)
    ]


# -- tests -------------------------------------------------------------------------------------------------------------


@given(costs())
def test_finds_what_the_slow_twin_finds_at_the_same_cost_in_the_same_order(prices: Costs) -> None:
    twin = Slowly(SETS, prices)
    assert listed(SETS, prices) == [(entry.text, twin.rank(entry)) for entry in twin.pools[Basic("Said")]]


@given(costs())
def test_batches_give_what_single_values_give(prices: Costs) -> None:
    assert listed(MASKS, prices) == listed(SETS, prices)


@given(costs())
def test_programs_have_the_values_that_were_found_and_can_be_read_again(prices: Costs) -> None:
    stages = Stages(SETS, prices)
    for row, value in zip(stages.whole_programs.rows.tolist(), stages.whole_programs.values, strict=True):
        program = stages.program(row)
        assert run(program, SETS) == value
        assert Program.parse(str(program), SETS.grammar) == program
        assert Program.from_actions(program.action_ids, SETS.grammar) == program


@given(costs())
def test_each_meaning_is_found_once_and_no_word_is_said_twice(prices: Costs) -> None:
    stages = Stages(SETS, prices)
    values = list(stages.whole_programs.values)
    assert len(set(values)) == len(values)
    for row, said in zip(stages.whole_programs.rows.tolist(), stages.whole_programs.says.tolist(), strict=True):
        names = [part.text for part in stages.program(row).subprograms]
        words = [prices.says.get(name, 0) for name in names]
        assert sum(words) == said


def test_quotas_bound_what_is_kept() -> None:
    class Few(Sets):
        stages: ClassVar[Mapping[Any, Quota]] = {Said: Quota(keep=3)}

    prices = Costs(dict.fromkeys([*Sets.grammar.signature, *DIGITS], 0.0))
    assert len(Stages(Few().with_constants(DIGITS), prices).whole_programs) == 3


def test_a_type_that_nothing_fills_leaves_nothing() -> None:
    assert len(Stages(SETS, Costs({"count": 0.0, "where": 0.0})).whole_programs) == 0


def test_types_come_after_what_they_are_made_of() -> None:
    signature = tuple((name, kind) for name, kind in Sets.grammar.signature.items() if isinstance(kind, Function))
    order = [str(plan.kind) for plan in plans_of(signature, Basic("Said"))]
    assert order.index("Digit") < order.index("Condition") < order.index("Items") < order.index("Said") == 3


def test_functions_of_functions_are_refused_in_words() -> None:
    signature = (("apply", Function((Function((Basic("A"),), Basic("A")),), Basic("B"))),)
    with pytest.raises(ChoraleError, match="apply takes or gives a function"):
        plans_of(signature, Basic("B"))


@given(st.lists(st.lists(st.booleans(), min_size=70, max_size=70), min_size=1, max_size=20))
def test_rows_have_the_same_hash_exactly_if_they_are_equal(rows: list[list[bool]]) -> None:
    keys = hashed(np.array(rows, bool)).tolist()
    assert len(set(keys)) == len({tuple(row) for row in rows})


class InStages(Asking):
    """Questions about people, searched type by type."""

    stages: ClassVar[Mapping[Any, Quota]] = {Basic: Quota()}  # all types as usual


class Staged(PeopleDomain):
    """The tests' domain whose utterances bring constants of their own."""

    languages: ClassVar[Mapping[str, type[Language]]] = {"asking": InStages}


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("How many have paris?", "count(who(city, paris, everybody))"),
        ("What is the job of anna?", "look_up(job, who(name, anna, everybody))"),
    ],
)
def test_a_domain_with_constants_of_its_own_is_searched_in_stages_through_the_same_door(
    sentence: str, text: str
) -> None:
    people = [("anna", "paris", "baker"), ("bert", "rome", "nurse"), ("carla", "paris", "nurse")]
    table = tuple({"name": name, "city": city, "job": job, "pet": "cat"} for name, city, job in people)
    utterance = Unlabelled(sentence, (table,))
    readings = FromWords(Staged(), "asking", WordsSettings(contexts=16, meanings=30)).search(utterance)
    assert str(readings[0].program) == text
    assert not readings[0].unexplained
    assert len({one.meaning for one in readings}) == len(readings)
    by_length = FromWords(PeopleDomain(), "asking", WordsSettings(contexts=16, meanings=30)).search(utterance)
    assert str(by_length[0].program) == text
