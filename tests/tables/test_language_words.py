"""Programs over tables in plain words, and programs that mean the same."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables.programs import all_constants, programs, texts_of
from tests.tables.tables import tables

from chorale.language import Basic, Function, Program, plain, rewritten
from chorale.tables.dates import written_date
from chorale.tables.language import TableLanguage, constants_of_words
from chorale.tables.table import Table
from chorale.tables.variants import variants

LINES = Path(__file__).with_name("wording.txt").read_text().splitlines()[2:]
GOLDEN = dict(zip(LINES[::2], map(str.strip, LINES[1::2]), strict=True))
PAGE = Path(__file__).resolve().parents[2] / "docs" / "languages.md"
FUNCTIONS = {name for name, kind in TableLanguage.grammar.signature.items() if isinstance(kind, Function)}


def bound_to(program: str) -> TableLanguage:
    """The language with the constants that a program names."""
    names = {text.replace('\\"', '"') for text in re.findall(r'"((?:[^"\\]|\\.)*)"', program)}
    views = {name for name in names if re.fullmatch(r"\[.*\] as \w+", name)}
    columns = {name for name in names - views if name.startswith("[")}
    spans = [name[1:-1] for name in names if name.startswith("'")]
    numbers = [float(number) for number in re.findall(r"(?<=[(, ])\d+(?=[,)])", program)]
    contrasts = [name.split()[0] for name in names if " or " in name]
    table = Table(["Team"], [["Rome"]])
    return TableLanguage([table]).with_constants(
        {name: (Basic("Column"), np.intp(0)) for name in columns}
        | {name: (Basic("View"), np.intp(0)) for name in views}
        | constants_of_words(spans, numbers, [1990], contrasts, [it for it in map(written_date, names) if it])
    )


@pytest.mark.parametrize(("program", "text"), GOLDEN.items())
def test_programs_are_said_as_a_person_would_ask(program: str, text: str) -> None:
    assert plain(Program.parse(program, bound_to(program).grammar), TableLanguage) == text


def test_every_function_is_among_them() -> None:
    used = set(re.findall(r"\w+(?=\()", " ".join(GOLDEN)))
    assert used == FUNCTIONS
    assert TableLanguage.wording is not None
    assert set(TableLanguage.wording.words) == set(TableLanguage.grammar.signature)


@given(st.data())
def test_any_program_is_one_tidy_question(data: st.DataObject) -> None:
    table = data.draw(tables().filter(lambda it: len(it) and it.views))
    language = TableLanguage([table]).with_constants(all_constants(table))
    text = plain(data.draw(programs(language)), TableLanguage, simplify=data.draw(st.booleans()))
    assert text is not None
    assert text[0].isupper()
    assert text.endswith("?")
    assert "  " not in text.replace("\n", "") or any("  " in name for name in language.grammar.signature)


# -- laws --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", list(TableLanguage.laws.lines()))
@given(data=st.data())
def test_both_sides_of_a_law_say_the_same_on_every_table(line: str, data: st.DataObject) -> None:
    table = data.draw(tables().filter(lambda it: len(it) and it.views))
    several = [table, *variants(table, 2, 0), data.draw(tables().filter(len))]
    language = TableLanguage(several).with_constants(all_constants(table))
    sides = " = ".join(data.draw(st.sampled_from(list(TableLanguage.laws.filled(line)))))
    kinds = TableLanguage.laws.variables
    for name in sorted(set(re.findall(r"\?(\w+)", sides))):
        sides = sides.replace(f"?{name}", data.draw(texts_of(language, kinds[name], depth=2)))
    left, right = sides.split(" = ")
    is_answer = Program.parse(left, language.grammar).type == language.grammar.root
    looks = ["{}"] if is_answer else ["count({})", "longest_run({})", "count(above({}))", "count(below({}))"]
    for look in looks:
        one, other = (Program.parse(look.format(side), language.grammar) for side in (left, right))
        assert language.answers(one) == language.answers(other)


@given(st.data())
def test_a_simplified_program_says_the_same(data: st.DataObject) -> None:
    table = data.draw(tables().filter(lambda it: len(it) and it.views))
    language = TableLanguage([table, *variants(table, 2, 0)]).with_constants(all_constants(table))
    program = data.draw(programs(language))
    simpler = rewritten(program, TableLanguage)
    assert language.answers(simpler) == language.answers(program)
    assert len(simpler.action_ids) <= len(program.action_ids)


# -- its page ----------------------------------------------------------------------------------------------------------


def test_the_page_lists_every_function_with_its_type() -> None:
    section = PAGE.read_text().split("\n## The language of tables\n")[1].split("\n## ")[0]
    listed = dict(re.findall(r"^\| `([\w]+)` \| `([^`]+)` \|", section, flags=re.MULTILINE))
    assert listed == {name: str(kind) for name, kind in TableLanguage.grammar.signature.items()}
