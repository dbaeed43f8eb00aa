"""The grammar for others: table, JSON, and a Lark grammar that accepts the programs and nothing else."""

from __future__ import annotations

import json
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Lark, LarkError
from tests.enumerated import enumerated
from tests.strategies import grammars, programs

from chorale.errors import ChoraleError
from chorale.language import Basic, Function, Grammar, Program, Type
from chorale.language.export import as_json, as_lark, as_table
from chorale.nlvr import Consistent, Macro

PARSERS = {grammar: Lark(as_lark(grammar), parser="lalr") for grammar in (Consistent.grammar, Macro.grammar)}
ANY = programs(Consistent.grammar, 25) | programs(Macro.grammar, 25)


def accepts(parser: Lark, text: str) -> bool:
    try:
        parser.parse(text)
    except LarkError:
        return False
    return True


def is_canonical(text: str, grammar: Grammar) -> bool:
    """The slow twin: a whole program that the grammar builds, written as the house writes it."""
    try:
        program = Program.parse(text, grammar)
        return program.text == text and bool(program.action_ids)
    except ChoraleError:
        return False


@given(ANY)
def test_lark_accepts_every_program(program: Program) -> None:
    assert accepts(PARSERS[program.grammar], program.text)


@pytest.mark.parametrize("language", [Consistent, Macro])
def test_earley_loads_it_as_well(language: type[Consistent] | type[Macro]) -> None:
    parser = Lark(as_lark(language.grammar), parser="earley")
    for actions in islice(enumerated(language.grammar, 12), 0, 2_000, 100):
        assert accepts(parser, Program.from_actions(actions, language.grammar).text)
    assert not accepts(parser, "object_exists(all_boxes)")


@given(st.data(), ANY)
def test_lark_accepts_a_changed_text_exactly_if_it_is_a_program(data: st.DataObject, program: Program) -> None:
    """Names are exchanged, doubled or dropped; brackets and commas too."""
    tokens = program.text.replace("(", " ( ").replace(")", " ) ").replace(", ", " , ").split()
    others = [*"(),", *program.grammar.signature]
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(tokens) - 1))
        change = data.draw(st.sampled_from(["exchange", "insert", "drop"]))
        tokens[place : place + (change != "insert")] = [] if change == "drop" else [data.draw(st.sampled_from(others))]
        tokens = tokens or ["top"]
    text = "".join(", " if token == "," else token for token in tokens)
    assert accepts(PARSERS[program.grammar], text) == is_canonical(text, program.grammar)


@given(ANY)
def test_lark_rejects_other_spellings_and_parts(program: Program) -> None:
    parser = PARSERS[program.grammar]
    for part in program.subprograms[1:]:
        assert accepts(parser, part.text) == (part.type == program.type)
    assert not accepts(parser, program.lisp) or program.lisp == program.text
    assert not accepts(parser, program.text + " ")
    assert not accepts(parser, program.text.replace("(", "( "))


@given(grammars())
def test_lark_and_the_grammar_of_any_language_have_the_same_programs(grammar: Grammar) -> None:
    """Tried on the programs of the same functions without any exclusion, most of which the language lacks."""
    parser = Lark(as_lark(grammar), parser="earley")
    for actions in islice(enumerated(grammar, 9), 30):
        assert accepts(parser, Program.from_actions(actions, grammar).text)
    whole = Grammar(grammar.signature, grammar.root)
    for actions in islice(enumerated(whole, 9), 60):
        text = Program.from_actions(actions, whole).text
        assert accepts(parser, text) == is_canonical(text, grammar)


@given(st.sets(st.text(min_size=1), min_size=1, max_size=4))
def test_lark_knows_names_that_need_quotes(cells: set[str]) -> None:
    signature: dict[str, Type] = {"f": Function((Basic("cell"),), Basic("bool"))}
    signature.update({cell: Basic("cell") for cell in sorted(cells - {"f"})} or {"x": Basic("cell")})
    grammar = Grammar(signature, Basic("bool"))
    parser = Lark(as_lark(grammar), parser="lalr")
    for actions in enumerated(grammar, 3):
        assert accepts(parser, Program.from_actions(actions, grammar).text)


def test_the_table_has_a_line_per_production() -> None:
    lines = as_table(Consistent.grammar).splitlines()
    assert lines[0].split() == ["id", "production"]
    assert [line.split(maxsplit=1) for line in lines[1:]] == [
        [str(number), str(production)] for number, production in enumerate(Consistent.grammar.productions)
    ]


@given(programs(Consistent.grammar, 15))
def test_json_is_enough_to_follow_a_derivation(program: Program) -> None:
    table = json.loads(json.dumps(as_json(program.grammar)))
    assert (table["name"], table["root"]) == ("Consistent", "bool")
    waiting = [0]
    for number, text in zip(program.action_ids, program.actions, strict=True):
        state = table["states"][waiting.pop()]
        production = table["productions"][number]
        assert (production["id"], production["text"], production["left"]) == (number, text, state["type"])
        waiting += reversed(state["expansions"][str(number)])
    assert not waiting
