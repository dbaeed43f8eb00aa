"""The search as a stage: candidates of a file or of a search, right everywhere, with how well they fit."""

import json
from pathlib import Path

import pytest

from chorale.domain.parsing import Corpus
from chorale.nlvr.domain import Nlvr
from chorale.search.files import read_candidates
from chorale.training.recipes import parse_recipe
from chorale.training.train import train


@pytest.mark.parametrize("procedure", ["reference", "meaning"])
def test_candidates_that_are_searched_are_right_everywhere_and_keep_their_fit(
    tiny: Path, tmp_path: Path, procedure: str
) -> None:
    search = f'{{ kind = "search", procedure = "{procedure}", max_actions = 7, keep = 3, noise = 0 }}'
    recipe = parse_recipe(f'name = "s"\nstages = [{search}, {{ kind = "mml", epochs = 1, batch = 16 }}]')
    run = train(recipe, tiny, tmp_path / "run")
    corpus = Corpus.of(Nlvr(), "consistent", Nlvr().read(tiny / "train.jsonl.gz"))
    found = read_candidates(run / "stages" / "01-search" / "candidates.jsonl", corpus.grounding)
    assert sum(map(len, found.values())) > 5
    for number, candidates in found.items():
        assert len(candidates) <= 3
        for candidate in candidates:
            assert len(candidate.program.action_ids) <= 7
            assert all(corpus.grounding.right(candidate.program, number))
    priors = {candidate.log_prior for candidates in found.values() for candidate in candidates}
    assert (len(priors) > 1) == (procedure == "meaning")
    [line] = [json.loads(text) for text in (run / "metrics.jsonl").read_text().splitlines()[:1]]
    assert line["candidates"] == sum(map(len, found.values()))
