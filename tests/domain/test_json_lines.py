"""JSON lines: what is written is read, and every mistake is told with its line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.people import PeopleDomain, questions

from chorale.domain import Example, pairs_of
from chorale.domain.json_lines import line, read
from chorale.errors import ChoraleError

DOMAIN = PeopleDomain()
TABLE = ({"name": "anna", "pet": "cat"}, {"name": "bert", "pet": "dog"})
ROWS = [dict(row) for row in TABLE]
TABLES = st.lists(st.dictionaries(st.text(max_size=3), st.text(max_size=3), max_size=3), max_size=3).map(tuple)
ANSWERS = st.none() | st.integers() | st.booleans() | st.lists(st.text(max_size=3), max_size=3).map(tuple)
EXAMPLES = st.tuples(st.text(), st.lists(st.tuples(TABLES, ANSWERS), min_size=1, max_size=3))


def written(folder: Path, *records: Any) -> Path:
    path = folder / "data.jsonl"
    path.write_text("\n".join(one if isinstance(one, str) else json.dumps(one) for one in records))
    return path


def record(**changed: Any) -> dict[str, Any]:
    return {"identifier": "1", "sentence": "How many?", "context": ROWS, "answer": 2} | changed


@given(st.lists(EXAMPLES, max_size=4))
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, said: list[Any]) -> None:
    given = [
        (f"q{number}", sentence, tuple(table for table, _ in pairs), tuple(answer for _, answer in pairs))
        for number, (sentence, pairs) in enumerate(said)
    ]
    path = written(tmp_path_factory.mktemp("lines"), *(line(DOMAIN, *one) for one in given))
    found = read(DOMAIN, path, labels_required=False)
    assert [(one.identifier, one.sentence, one.contexts, one.answers) for one in found] == given


def test_an_example_of_a_domain_is_a_line_that_the_domain_reads(tmp_path: Path) -> None:
    path = written(tmp_path, DOMAIN.data_line("7-0", "How many?", TABLE, 2))
    assert DOMAIN.read(path) == [Example("7", "How many?", (TABLE,), (2,), ((1, "7-0"),))]
    assert DOMAIN.check(path) == {"problems": [], "notes": [], "pairs": 1, "groups": 1}


def test_lines_of_one_utterance_are_joined_and_keep_their_names(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        record(identifier="17-3", answer=2),
        "",
        record(identifier="4", sentence="Who?", answer=["anna"]),
        record(identifier="17-1", answer=3),
        {"identifier": 0, "sentence": "Which?", "contexts": [ROWS, []], "answers": [1, 0]},
    )
    first, second, third = read(DOMAIN, path, labels_required=True)
    assert (first.identifier, first.contexts, first.answers) == ("17", (TABLE, TABLE), (2, 3))
    assert (second.identifier, second.answers) == ("4", (("anna",),))
    assert (third.identifier, third.contexts) == ("0", (TABLE, ()))
    assert [list(pairs_of(one)) for one in (first, second, third)] == [
        [(1, "17-3"), (4, "17-1")],
        [(3, "4-0")],
        [(5, "0-0"), (5, "0-1")],
    ]


def test_identifiers_of_another_form_name_an_utterance_each_and_missing_ones_are_numbers_of_lines(
    tmp_path: Path,
) -> None:
    same = [record(identifier="nt-1"), record(identifier="nt-2"), record(identifier=None), record(identifier="")]
    found = read(DOMAIN, written(tmp_path, *same, record(sentence="Who?")), labels_required=True)
    assert [one.identifier for one in found] == ["nt-1", "nt-2", "3", "4", "1"]


def test_labels_may_be_missing_only_where_they_are_not_required(tmp_path: Path) -> None:
    unlabelled = {key: value for key, value in record(identifier="2").items() if key != "answer"}
    path = written(tmp_path, record(answer=None), unlabelled)
    assert [one.answers for one in DOMAIN.read(path, labels_required=False)] == [(None,), (None,)]
    with pytest.raises(ChoraleError, match="2 problems") as error:
        DOMAIN.read(path)
    assert str(error.value).count("answers: one of them is missing") == 2


WRONG = [
    ("nonsense", "not JSON"),
    ("[" * 100_000, "not JSON"),
    ("\xff", "not JSON"),
    ("[]", "sentence: missing"),
    (record(sentence=7), "sentence: missing, or no text"),
    (record(context=7), "expected a table"),
    (record(sentence="x" * 2_001), "a sentence of 2,001 letters; at most 2,000 are read"),
    (record(answr=2), "answr: there is no such key; did you mean 'answer'?"),
    ('{"identifier": "9", "sentence": "x", "sentence": "y"}', "the key 'sentence' occurs twice"),
    (record(answer={"a": 1}), 'expected an answer such as true, 7 or a|b; found {"a": 1}'),
    ({"sentence": "x", "contexts": 3, "answers": []}, "contexts: expected a list, found 3"),
    ({"sentence": "x", "contexts": [], "answers": []}, "0 contexts and 0 answers"),
    ({"sentence": "x", "contexts": [ROWS], "answers": [1, 2]}, "1 contexts and 2 answers"),
    (record(identifier="1"), "identifier: '1' occurs twice, first in line 1"),
    (record(identifier="1-5", sentence="Who?"), "sentence: utterance 1 has another one in line 1: 'How many?'"),
]


@pytest.mark.parametrize(("content", "said"), WRONG)
def test_a_mistake_is_told_with_file_and_line(tmp_path: Path, content: Any, said: str) -> None:
    path = written(tmp_path, record(), "", content)
    with pytest.raises(ChoraleError) as error:
        DOMAIN.read(path)
    head, problem = str(error.value).splitlines()
    assert head == f"{path}: 1 problem"
    assert problem.startswith(f"{path}:3: ")
    assert said in problem
    assert len(problem) < 500


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    path = written(tmp_path, record(), *(content for content, _ in WRONG))
    with pytest.raises(ChoraleError) as error:
        DOMAIN.read(path)
    head, *problems = str(error.value).splitlines()
    assert head == f"{path}: {len(WRONG)} problems"
    for number, (problem, (_, said)) in enumerate(zip(problems, WRONG, strict=True), 2):
        assert problem.startswith(f"{path}:{number}: ")
        assert said in problem


def test_a_domain_with_a_format_of_its_own_says_how_examples_are_written() -> None:
    class Own(PeopleDomain):
        def read(self, path: Path, *, labels_required: bool = True) -> list[Example]:
            return []

    with pytest.raises(ChoraleError, match="people: this domain does not say how examples are written"):
        Own().data_line("1-0", "How many?", TABLE, 2)


def test_questions_about_people_are_such_lines(tmp_path: Path) -> None:
    assert len(DOMAIN.read(written(tmp_path, *questions(7, seed=0)))) == 7
