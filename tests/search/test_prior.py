from dataclasses import replace

import numpy as np

from chorale.domain import Hints
from chorale.search.budget import Budget
from chorale.search.prior import ACTION, TERMINAL, WORD, Plausibility, budget_of

TOUCH = frozenset({"touch_wall"})
YELLOW = frozenset({"yellow", "color_yellow"})
HINTS = Hints(
    allowed=frozenset({"yellow", "color_yellow", "touch_wall", "object_exists", "all_objects", "black"}),
    explains=(("yellow", YELLOW), ("touching", TOUCH), ("wall", TOUCH), ("yellow", YELLOW), ("or", frozenset())),
    glue=frozenset({"object_exists", "all_objects"}),
)
GLUE = ("object_exists", "all_objects")


def test_a_word_that_occurs_twice_wants_two_terminals_but_different_words_may_share_one() -> None:
    priors = Plausibility(HINTS)
    assert priors.of(5, ("touch_wall", "yellow", *GLUE)).unexplained == ("yellow",)
    assert priors.of(5, ("color_yellow", "touch_wall", "yellow", *GLUE)).unexplained == ()
    assert priors.of(5, ("yellow", "yellow")).unexplained == ("touching", "wall")


def test_what_no_word_asks_for_costs_and_glue_does_not() -> None:
    prior = Plausibility(HINTS).of(7, ("black", "touch_wall", "yellow", *GLUE))
    assert prior.unexplained == ("yellow",)
    assert prior.log == -7 * ACTION - WORD - TERMINAL


def test_the_budget_lets_each_terminal_be_used_as_often_as_words_ask_for_it() -> None:
    budget = budget_of(HINTS)

    def allows(*names: str) -> bool:
        total = sum(budget.of(name) for name in names)
        return bool(budget.allows(total))  # type: ignore[arg-type]

    assert allows("yellow", "yellow", "touch_wall", "touch_wall", "black", "all_objects")
    assert not allows("yellow", "yellow", "yellow")
    assert not allows("black", "black")


def test_what_the_lexicon_lets_be_repeated_is_only_repeated_when_asked_for() -> None:
    repeating = replace(HINTS, repeats={"object_exists": 3, "yellow": 1, "nowhere": 2})

    def most(budget: Budget, name: str) -> int:
        """How often a terminal may be used."""
        return next(n - 1 for n in range(1, 9) if not budget.allows(np.array([n * budget.of(name)]))[0])

    plain, more = budget_of(repeating), budget_of(repeating, repeats=True)
    assert (most(plain, "object_exists"), most(more, "object_exists")) == (1, 3)
    assert most(more, "yellow") == most(plain, "yellow") == 2
    assert more.of("nowhere") == 0
