"""Candidates as the loss sees them: which of them, what they weigh, and how they are spelled."""

import json
import math
from pathlib import Path

import pytest
import torch

from chorale.domain import Reading
from chorale.domain.parsing import Corpus
from chorale.language import Program
from chorale.nlvr import Consistent
from chorale.nlvr.domain import Nlvr
from chorale.parser.parser import Parser
from chorale.parser.sizes import Sizes
from chorale.parser.vocabulary import Vocabulary
from chorale.training.objectives.mml import CandidateLoss, weights_of
from chorale.training.recipes import parse_recipe
from chorale.training.train import train


def program(text: str) -> Program:
    return Consistent.parse(text)


BLACK, BLUE = program("object_exists(black(all_objects))"), program("object_exists(blue(all_objects))")


def test_weights_are_normalised_and_equal_programs_are_one_candidate() -> None:
    some = [Reading(BLACK, -1.0, -700.0), Reading(BLUE, -2.0, -700.0)]
    odds = math.exp(1)
    assert list(weights_of(some).values()) == pytest.approx([odds / (1 + odds), 1 / (1 + odds)])
    assert weights_of([*some, *some[1:]])[BLUE.action_ids] == pytest.approx(2 / (2 + odds))


def corpus(tiny: Path) -> Corpus:
    return Corpus.of(Nlvr(), "consistent", Nlvr().read(tiny / "train.jsonl.gz"))


def test_the_weighted_loss_is_its_equation(tiny: Path) -> None:
    known, sizes = corpus(tiny), Sizes(dropout=0.0)
    parser = Parser(known.shared, Vocabulary.of(known.words), sizes)
    candidates = {3: [Reading(BLACK, -1.0, -2.0)], 5: [Reading(BLACK), Reading(BLUE, -3.0)]}
    total = 0.0
    for number, some in candidates.items():
        weights = [math.exp(one.log_likelihood + one.log_prior) for one in some]
        listed = [[one.program.action_ids for one in some]]
        chances = parser.score(parser.encode(known.sentences([number])), listed).log_probabilities[0].exp().tolist()
        total -= math.log(sum(w / sum(weights) * p for w, p in zip(weights, chances, strict=True)))
    loss = CandidateLoss(parser, known, candidates, weighted=True).loss([3, 5])
    assert loss.item() == pytest.approx(total / 2, rel=1e-5)


def test_equal_weights_change_the_loss_by_a_constant_alone(tiny: Path) -> None:
    known = corpus(tiny)
    parser = Parser(known.shared, Vocabulary.of(known.words), Sizes(dropout=0.0))
    candidates = {0: [Reading(BLACK), Reading(BLUE)]}
    plain, weighted = (CandidateLoss(parser, known, candidates, weighted=it).loss([0]) for it in (False, True))
    assert torch.isclose(weighted, plain + math.log(2))


LOSSES = "name = 'x'\nstages = [{kind='search', file='%s'}, {kind='mml', epochs=1, max_actions=7, %s}]"


def loss_of(tiny: Path, file: Path, keys: str, out: Path) -> float:
    """The mean loss of the first epoch on the candidates of a file."""
    run = train(parse_recipe(LOSSES % (file, keys)), tiny, out)
    return float(json.loads((run / "metrics.jsonl").read_text().splitlines()[1])["loss"])


def test_only_the_best_candidates_are_learned_from(tiny: Path, tmp_path: Path) -> None:
    known, more = tiny / "candidates.jsonl", tmp_path / "more.jsonl"
    lines = [json.loads(line) for line in known.read_text().splitlines()]
    for line in lines:
        line["candidates"].append({"program": "object_exists(all_objects)", "prior": -1.0})
    more.write_text("".join(json.dumps(line) + "\n" for line in lines))
    first = loss_of(tiny, known, "batch=8", tmp_path / "first")
    assert loss_of(tiny, more, "batch=8, best=1", tmp_path / "best") == first
    assert loss_of(tiny, more, "batch=8", tmp_path / "all") != first


def test_arguments_are_put_in_order_before_anything_is_learned(tiny: Path, tmp_path: Path) -> None:
    known, names = corpus(tiny), {"black", "blue", "yellow", "circle", "square", "triangle"}
    mentioned = [list(dict.fromkeys(word for word in words if word in names)) for words in known.words]
    number = next(number for number, found in enumerate(mentioned) if len(found) > 1)
    said = [f"object_exists({name})" for name in mentioned[number][:2]]
    losses = {}
    for name, pair in (("right", said), ("wrong", said[::-1])):
        text = f"box_exists(box_filter(all_boxes, box_filter_and({', '.join(pair)})))"
        line = {"identifier": known.utterances[number].identifier, "candidates": [{"program": text}]}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(line) + "\n")
        for key in ("in_order=false", "in_order=true"):
            losses[name, key] = loss_of(tiny, tmp_path / f"{name}.jsonl", key, tmp_path / f"{name}-{key}")
    right, wrong = losses["right", "in_order=false"], losses["wrong", "in_order=false"]
    assert losses["right", "in_order=true"] == losses["wrong", "in_order=true"] == right != wrong
