"""Candidates: where they come from, and their files."""

from pathlib import Path

import pytest
import torch

from chorale.errors import ChoraleError
from chorale.language.program import Program
from chorale.nlvr.domain import Nlvr
from chorale.training.candidates import as_actions, candidates_for, read_candidates, write_candidates
from chorale.training.corpora import Corpus
from chorale.training.rewards import Rewards
from chorale.training.settings import Search


@pytest.fixture(scope="module")
def corpus(tiny: Path) -> Corpus:
    domain = Nlvr()
    return Corpus.of(domain, "consistent", domain.read(tiny / "train.jsonl.gz"))


@pytest.mark.parametrize("procedure", ["reference", "meaning"])
def test_candidates_that_are_searched_are_right_everywhere(corpus: Corpus, procedure: str) -> None:
    search = Search(procedure=procedure, max_actions=7, looked_at=50, keep=3)  # type: ignore[arg-type]
    seen: list[int] = []
    found = candidates_for(search, Nlvr(), "consistent", corpus.grounding, seen.append)
    assert seen == list(range(1, len(corpus) + 1))
    assert sum(map(len, found.values())) > 5
    for place, utterance in enumerate(corpus.utterances):
        assert len(found[utterance.identifier]) <= 3
        for text in found[utterance.identifier]:
            program = Program.parse(text, corpus.shared)
            assert len(program.action_ids) <= 7
            assert corpus.grounding.answers(program, place) == utterance.answers


def test_a_file_of_candidates_is_read_as_it_was_written(corpus: Corpus, tmp_path: Path) -> None:
    names = [utterance.identifier for utterance in corpus.utterances]
    given = {name: ["object_exists(all_objects)", "box_exists(all_boxes)"] for name in names[:3]}
    path = tmp_path / "candidates.jsonl"
    mark = write_candidates(path, corpus, given)
    read = read_candidates(path, mark)
    assert {name: programs for name, programs in read.items() if programs} == given
    assert candidates_for(Search(file=str(path)), Nlvr(), "consistent", corpus.grounding, lambda _: None) == read
    actions = as_actions(corpus, read)
    assert list(actions) == [0, 1, 2]
    assert all(len(programs) == 2 for programs in actions.values())
    path.write_text(path.read_text() + '{"identifier": 1}\n')
    with pytest.raises(ChoraleError, match=rf":{len(names) + 1}: not a line of candidates"):
        read_candidates(path)


def test_rewards_are_1_where_a_program_is_right_in_all_contexts(corpus: Corpus) -> None:
    texts = ["object_exists(all_objects)", "object_exists(yellow(all_objects))", "box_count_equals(2, all_boxes)"]
    programs = [Program.parse(text, corpus.shared) for text in texts]
    width = max(len(program.action_ids) for program in programs)
    filled = [[*program.action_ids, *[-1] * (width - len(program.action_ids))] for program in programs]
    nothing = [-1] * width
    chosen = list(range(len(corpus)))
    got = Rewards(corpus.grounding).of(chosen, torch.tensor([[*filled, nothing]] * len(chosen)))
    for place in chosen:
        wanted = corpus.utterances[place].answers
        slow = [float(corpus.grounding.answers(program, place) == wanted) for program in programs]
        assert got[place].tolist() == [*slow, 0.0]
