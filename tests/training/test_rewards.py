"""Rewards: is a program right in every context of its utterance?"""

from pathlib import Path

import pytest
import torch

from chorale.domain.parsing import Corpus
from chorale.language.program import Program
from chorale.nlvr.domain import Nlvr
from chorale.training.rewards import Rewards


@pytest.fixture(scope="module")
def corpus(tiny: Path) -> Corpus:
    domain = Nlvr()
    return Corpus.of(domain, "consistent", domain.read(tiny / "train.jsonl.gz"))


def test_rewards_are_1_where_a_program_is_right_in_all_contexts(corpus: Corpus) -> None:
    texts = ["object_exists(all_objects)", "object_exists(yellow(all_objects))", "box_count_equals(2, all_boxes)"]
    programs = [Program.parse(text, corpus.shared) for text in texts]
    width = max(len(program.action_ids) for program in programs)
    filled = [[*program.action_ids, *[-1] * (width - len(program.action_ids))] for program in programs]
    nothing = [-1] * width
    chosen = list(range(len(corpus)))
    got = Rewards(corpus.grounding).of(chosen, torch.tensor([[*filled, nothing]] * len(chosen)))
    for number in chosen:
        wanted = corpus.utterances[number].answers
        slow = [float(corpus.grounding.answers(program, number) == wanted) for program in programs]
        assert got[number].tolist() == [*slow, 0.0]
