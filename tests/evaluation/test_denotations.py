"""What programs say, in the order of the data, is what they say utterance by utterance."""

import gzip
from pathlib import Path

import pytest
from tests.people import PeopleDomain, Table, questions

from chorale.errors import ChoraleError
from chorale.evaluation.denotations import Denotations, ask, read_programs
from chorale.language import run
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.synthetic import embedded_corpus
from chorale.nlvr.reader import read

PROGRAM = "object_exists(yellow(top(all_objects)))"


def test_denotations_are_in_the_order_of_the_data_whatever_the_groups(tmp_path: Path) -> None:
    domain, path = Nlvr(), tmp_path / "mixed.jsonl"
    corpus = read(embedded_corpus() / "dev.jsonl.gz")
    lines = gzip.decompress((embedded_corpus() / "dev.jsonl.gz").read_bytes()).splitlines()
    path.write_bytes(b"\n".join(sorted(lines[:40], key=lambda line: line[::-1])))
    mixed = read(path)
    said = Denotations(domain, "consistent", domain.read(path))
    language = domain.bind("consistent", None, [example.scene for example in mixed.examples])
    first = domain.bind("consistent", None, corpus.utterances[0].contexts)
    program = language.parse(PROGRAM)
    assert said.identifiers == [example.identifier for example in mixed.examples]
    assert said.of(PROGRAM) == run(program, language).tolist()
    right = {e.identifier: answer == e.label for e, answer in zip(mixed.examples, said.of(PROGRAM), strict=True)}
    assert said.score(PROGRAM).right_pairs == sum(right.values())
    assert ask(domain, "consistent", program, corpus.utterances[0]) == run(program, first).tolist()[0]


def test_programs_of_a_file_are_all_read_or_all_mistakes_listed(tmp_path: Path) -> None:
    path, said = tmp_path / "programs.txt", Denotations(Nlvr(), "consistent", [])
    path.write_text(f"# one\n\n {PROGRAM} \n")
    assert read_programs(path, said) == [PROGRAM]
    path.write_text("yellow(all_objects)\nnonsense(\n")
    with pytest.raises(ChoraleError, match="2 bad programs, nothing was run"):
        read_programs(path, said)


def test_each_utterance_reads_a_program_with_constants_of_its_own(tmp_path: Path) -> None:
    path, domain = tmp_path / "questions.jsonl", PeopleDomain()
    path.write_text("\n".join(questions(5, seed=3)))
    asked = domain.read(path)
    said = Denotations(domain, "asking", asked)
    assert said.of("count(everybody)") == [len(one.contexts[0]) for one in asked]
    tables = [one.contexts[0] for one in asked]
    assert said.of("look_up(pet, everybody)") == [tuple(sorted(row["pet"] for row in table)) for table in tables]
    some = next(row["name"] for row in tables[0] if any(row["name"] not in _names(table) for table in tables))
    with pytest.raises(ChoraleError, match=some):
        said.of(f"count(who(name, {some}, everybody))")


def _names(table: Table) -> set[str]:
    return {row["name"] for row in table}
