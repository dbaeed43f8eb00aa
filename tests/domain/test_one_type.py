"""A scored program is one type, `Reading`, from the search to the answer. What else holds programs is listed here."""

import ast
from pathlib import Path

SRC = Path(__file__).resolve().parents[2] / "src" / "chorale"

WIRE = "a wire format: text in a file, or a message of the HTTP API"
ARRAY = "arrays inside one algorithm"
OTHER = "no score: "
REMAINS = {
    "domain/reading.py:Reading": "the one type",
    "search/files.py:CandidateText": WIRE,
    "evaluation/predictions.py:PredictionLine": WIRE,
    "sweeps/folds/held_out.py:HeldOut": WIRE,
    "playground/messages.py:RunRequest": WIRE,
    "playground/messages.py:ChangeRequest": WIRE,
    "playground/messages.py:WithoutRequest": WIRE,
    "playground/messages.py:CompleteRequest": WIRE,
    "playground/messages.py:ExplainRequest": WIRE,
    "playground/messages.py:Ran": WIRE,
    "playground/messages.py:Understood": WIRE,
    "playground/messages.py:Example": WIRE,
    "playground/messages.py:Attention": WIRE,
    "domain/candidates.py:Candidates": ARRAY,
    "domain/candidates.py:Posed": ARRAY,
    "ranker/keyed.py:Scored": ARRAY,
    "parser/beam.py:Beam": ARRAY,
    "parser/scoring.py:Scores": ARRAY,
    "parser/reranker.py:Ranked": ARRAY,
    "search/by_meaning.py:_Entry": ARRAY,
    "parser/beam.py:_History": ARRAY,
    "parser/network.py:Encoding": ARRAY,
    "parser/trie.py:TrieLevel": ARRAY,
    "training/objectives/rerank.py:JudgedBeams": ARRAY,
    "training/objectives/tied.py:Worthy": ARRAY,
    "search/simplify.py:Simplified": OTHER + "a program and the shorter one that means the same",
    "nlvr/english/abstract_examples.py:AbstractExample": OTHER + "a sentence with slots and programs with slots",
    "nlvr/english/abstract_examples.py:_Entry": WIRE,
    "nlvr/english/templates.py:SentenceTemplate": OTHER + "what synthetic sentences are made of",
    "nlvr/english/abstract_examples.py:ExampleScore": OTHER + "how often an abstract program fits the labels",
    "tables/everyday/made.py:Made": OTHER + "a made-up question and the program behind it",
    "nlvr/pictures/synthetic.py:SyntheticUtterance": OTHER + "a made-up sentence and the program behind it",
    "training/stages/supervised.py:ProgramExample": OTHER + "a sentence whose program is known",
}
FIELDS = {"program", "programs", "log_probabilities", "log_prior", "log_likelihood", "actions"}


def holders() -> set[str]:
    """The classes that have a field for a program, or for the scores of programs."""
    found = set()
    for path in SRC.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                names = {
                    it.target.id
                    for it in node.body
                    if isinstance(it, ast.AnnAssign) and isinstance(it.target, ast.Name)
                }
                if names & FIELDS:
                    found.add(f"{path.relative_to(SRC).as_posix()}:{node.name}")
    return found


def test_no_second_type_carries_a_scored_program() -> None:
    assert holders() - REMAINS.keys() == set(), "use chorale.domain.Reading, or say here why not"


def test_what_is_listed_is_still_there() -> None:
    classes = {
        f"{path.relative_to(SRC).as_posix()}:{node.name}"
        for path in SRC.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    }
    assert REMAINS.keys() - classes == set()
