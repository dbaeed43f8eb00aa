"""The languages of NLVR in plain words."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import programs

from chorale.language import Language, Program, plain
from chorale.nlvr.domain import Nlvr

LANGUAGES = {name: Nlvr.languages[name] for name in ("macro", "consistent", "extended")}
GOLDEN = tomllib.loads(Path(__file__).with_name("wording.toml").read_text())
ROWS = [(name, program, text) for name, rows in GOLDEN.items() for program, text in rows.items()]


@pytest.mark.parametrize(("name", "program", "text"), ROWS)
def test_programs_are_said_as_a_person_would_say_them(name: str, program: str, text: str) -> None:
    assert plain(LANGUAGES[name].parse(program), LANGUAGES[name]) == text


def test_every_function_of_each_language_is_among_them() -> None:
    """In its own language, or in one that says it with the very same words."""
    assert len(ROWS) >= 80
    names = {name: set(re.findall(r"\w+", " ".join(rows))) for name, rows in GOLDEN.items()}
    for name, language in LANGUAGES.items():
        words = words_of(language)
        for function in language.grammar.signature:
            alike = [it for it, also in LANGUAGES.items() if words_of(also).get(function) is words[function]]
            assert any(function in names[it] for it in alike), f"{function} of {name}"


def test_no_word_is_left_over() -> None:
    for language in LANGUAGES.values():
        assert set(words_of(language)) == set(language.grammar.signature)


def words_of(language: type[Language]) -> dict[str, object]:
    assert language.wording is not None
    return dict(language.wording.words)


@st.composite
def said(draw: st.DrawFn) -> tuple[Program, type[Language], bool]:
    language = LANGUAGES[draw(st.sampled_from(sorted(LANGUAGES)))]
    return draw(programs(language.grammar, max_actions=22)), language, draw(st.booleans())


@given(said())
def test_any_program_is_a_tidy_question(case: tuple[Program, type[Language], bool]) -> None:
    program, language, simplify = case
    text = plain(program, language, simplify=simplify)
    assert text is not None
    assert re.fullmatch(r"[A-Z][a-z ,-]+\?", text), text
    assert not re.search(
        r"  | ,|\ban? (a|an|the|no|is|are|that)\b|\ba [aeiou]|\ban [^aeiou]|\bthe (a|an|the) ", text
    ), text
    assert not re.search(r"\b(\w+) \1\b", text), text


@given(said())
def test_what_is_not_a_question_is_said_as_things(case: tuple[Program, type[Language], bool]) -> None:
    program, language, _ = case
    for part in program.subprograms:
        text = plain(part, language, simplify=False)
        if text is not None and str(part.type) in ("Set[Object]", "Set[Box]", "<Set[Object]:Set[Object]>"):
            assert re.fullmatch(r"the [a-z ,-]+", text), text
        elif text is not None and not str(part.type).endswith(("bool", "bool>")):
            assert re.fullmatch(r"[a-z]+", text) or text.startswith("the "), text
