"""What programs say, in the order of the data, is what they say utterance by utterance."""

import gzip
from pathlib import Path

import pytest

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
    language = domain.bind("consistent", [example.scene for example in mixed.examples])
    program = language.parse(PROGRAM)
    assert said.identifiers == [example.identifier for example in mixed.examples]
    assert said.of(program) == run(program, language).tolist()
    right = {e.identifier: answer == e.label for e, answer in zip(mixed.examples, said.of(program), strict=True)}
    assert said.score(program).right_pairs == sum(right.values())
    assert ask(domain, "consistent", program, corpus.examples[0].scene) in {True, False}


def test_programs_of_a_file_are_all_read_or_all_mistakes_listed(tmp_path: Path) -> None:
    path, language = tmp_path / "programs.txt", Nlvr.languages["consistent"]
    path.write_text(f"# one\n\n {PROGRAM} \n")
    assert [(text, str(program)) for text, program in read_programs(path, language)] == [(PROGRAM, PROGRAM)]
    path.write_text("yellow(all_objects)\nnonsense(\n")
    with pytest.raises(ChoraleError, match="2 bad programs, nothing was run"):
        read_programs(path, language)
