"""States that are narrowed to some terminals lead to the programs that have no others."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.enumerated import enumerated

from chorale.language.grammar import Grammar, Kind
from chorale.nlvr.domain import Nlvr
from chorale.search.states import States, merged_states, narrowed_states

ACTIONS = 6
LANGUAGES = sorted(Nlvr.languages)


@cache
def programs(grammar: Grammar) -> list[tuple[int, ...]]:
    return sorted(enumerated(grammar, ACTIONS))


def derived(states: States) -> list[tuple[int, ...]]:
    """The programs that states lead to, in actions."""
    found, waiting = [], [((), (0,))]
    while waiting:
        actions, (state, *rest) = waiting.pop()
        options = [(number, ()) for number in states.terminals[state]] + states.expansions[state]
        for number, children in options:
            after = (*children, *rest)
            if not after:
                found.append((*actions, number))
            elif len(actions) + 1 + len(after) <= ACTIONS:
                waiting.append(((*actions, number), after))
    return sorted(found)


@pytest.mark.parametrize("name", LANGUAGES)
@given(data=st.data())
def test_narrowed_states_lead_to_the_programs_of_their_terminals(name: str, data: st.DataObject) -> None:
    grammar = Nlvr.languages[name].grammar
    allowed = data.draw(st.sets(st.sampled_from(sorted(grammar.signature)), max_size=12))
    made = [production.name if production.kind is Kind.TERMINAL else "" for production in grammar.productions]
    expected = [one for one in programs(grammar) if all(made[number] in allowed | {""} for number in one)]
    assert derived(narrowed_states(grammar, allowed)) == expected


@pytest.mark.parametrize("name", LANGUAGES)
def test_with_all_terminals_they_are_the_merged_states(name: str) -> None:
    grammar = Nlvr.languages[name].grammar
    assert narrowed_states(grammar, set(grammar.signature)) == merged_states(grammar)
